"""Environments as new users have them: several whole numbers as observation, and the same cost in every step."""

import gymnasium as gym
import numpy as np
import politex
import pytest

SPACES = {
    "MultiDiscrete": (gym.spaces.MultiDiscrete([3, 4]), 12),
    "MultiBinary": (gym.spaces.MultiBinary(3), 8),
    "Tuple": (gym.spaces.Tuple((gym.spaces.Discrete(2, start=5), gym.spaces.Discrete(3))), 6),
    "Dict": (gym.spaces.Dict(a=gym.spaces.Discrete(2), b=gym.spaces.MultiDiscrete([2, 2])), 8),
    "whole Box": (gym.spaces.Box(-1, 2, (2,), np.int64), 16),
}


class Sampled(gym.Env):
    """Random observations of a space; action 1 costs 1."""

    def __init__(self, space):
        self.observation_space, self.action_space = space, gym.spaces.Discrete(2)
        self.seen = []

    def sample(self):
        self.seen.append(self.observation_space.sample())
        return self.seen[-1]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.observation_space.seed(1)
        return self.sample(), {}

    def step(self, action):
        return self.sample(), -float(action), False, False, {}


@pytest.mark.parametrize("kind", SPACES)
def test_few_values_of_whole_numbers_are_states(kind):
    space, states = SPACES[kind]
    env = Sampled(space)
    agent = politex.EEPolitex(env, seed=1).learn(2000)
    assert agent._task.states == states
    view = agent._task.view
    numbers = {view(each): repr(each) for each in env.seen}
    assert set(numbers) == set(range(states)), "every state was sampled, and every number is one of them"
    assert len(set(numbers.values())) == states, "different observations have different numbers"
    action, _ = agent.predict(env.seen[0])
    assert action == 0
    with pytest.raises(politex.Error, match="accepted: q\\(observation\\)"):
        agent.q()
    assert agent.q(env.seen[0]).shape == (2,)


def test_many_values_are_features():
    for space in [gym.spaces.MultiDiscrete([300, 300]), gym.spaces.MultiDiscrete([11] * 4), gym.spaces.Box(0, 1, (2,))]:
        assert politex.EEPolitex(Sampled(space))._task.states == 0
    # Another learner, or features by name, have what they had.
    assert politex.LSPI(Sampled(gym.spaces.MultiDiscrete([3, 4])))._task.states == 0
    assert politex.EEPolitex(Sampled(gym.spaces.MultiDiscrete([3, 4])), explorer="uniform")._task.states == 0


class Corridor(gym.Env):
    """Nine cells; every step costs 1, and the last cell ends the episode."""

    def __init__(self, reward=-1.0):
        self.observation_space, self.action_space = gym.spaces.Discrete(9), gym.spaces.Discrete(2)
        self.reward = reward

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.at = 0
        return self.at, {}

    def step(self, action):
        self.at = max(0, self.at + (1 if action else -1))
        return self.at, self.reward, self.at == 8, False, {}


@pytest.mark.parametrize("reward", [-1.0, 1.0])
def test_equal_costs_seek_the_end_and_equal_rewards_avoid_it(reward):
    with pytest.warns(UserWarning, match=f"a termination now costs {reward:g} more"):
        agent = politex.EEPolitex(Corridor(reward), seed=1).learn(20_000)
    actions = [agent.predict(state)[0] for state in range(8)]
    assert actions == [1] * 8 if reward < 0 else actions[-1] == 0


def test_a_given_restart_cost_is_kept():
    with pytest.warns(UserWarning, match="with equal costs all policies have the same average"):
        agent = politex.EEPolitex(Corridor(), seed=1, restart_cost=0).learn(5000)
    assert agent.summary["average_cost"] == 1.0
    agent = politex.EEPolitex(Corridor(), seed=1, restart_cost=-1).learn(5000)
    assert agent.summary["average_cost"] < 1.0


def test_split_and_saved_learning_have_the_same_bits(tmp_path):
    def weights(*parts):
        agent = politex.EEPolitex(Corridor(), seed=3)
        for steps in parts[:-1]:
            agent.learn(steps)
            agent.save(tmp_path / "agent")
            agent = politex.load(tmp_path / "agent", env=Corridor())
        return agent.learn(parts[-1]).weights

    np.testing.assert_array_equal(weights(3000), weights(40, 60, 1200, 1700))
