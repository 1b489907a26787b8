"""Tasks of other packages: Gymnasium's, and bsuite's through a wrapper. The learned policy against uniformly random actions.

Both are played for the same number of steps after the learning. Costs of 20 batches give each mean and its standard error;
the test requires a difference of four standard errors. Seeds are fixed; a learner that is not better than uniform would pass
by chance with a probability below 1e-3 (Student's t, 19 degrees of freedom, both sides' noise).
"""

import warnings

import gymnasium as gym
import numpy as np
import pytest

import politex


class FromDmEnv(gym.Env):
    """A dm_env environment with a discrete action as a Gymnasium one; discount 0 is a termination."""

    def __init__(self, env, observe=lambda observation: observation, space=None):
        self.env, self.observe = env, observe
        shape = env.observation_spec().shape
        self.observation_space = space or gym.spaces.Box(-np.inf, np.inf, (int(np.prod(shape)),), np.float32)
        self.action_space = gym.spaces.Discrete(env.action_spec().num_values)

    def _seen(self, step):
        seen = self.observe(step.observation)
        return seen if isinstance(self.observation_space, gym.spaces.Discrete) else np.ravel(seen).astype(np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self._seen(self.env.reset()), {}

    def step(self, action):
        step = self.env.step(action)
        ended = bool(step.last())
        return (
            self._seen(step),
            float(step.reward or 0.0),
            ended and step.discount == 0,
            ended and step.discount != 0,
            {},
        )


def costs(env, choose, steps, restart_cost=0.0):
    """Mean cost of 20 batches of steps."""
    costs = np.zeros(steps)
    observation, _ = env.reset(seed=12345)
    for t in range(steps):
        observation, reward, terminated, truncated, _ = env.step(choose(observation))
        costs[t] = -reward + (restart_cost if terminated else 0.0)
        if terminated or truncated:
            observation, _ = env.reset()
    return costs.reshape(20, -1).mean(axis=1)


def better(agent, make, steps=20_000, restart_cost=0.0, deterministic=False):
    rng = np.random.default_rng(7)
    actions = agent._task.actions
    uniform = costs(make(), lambda _: int(rng.integers(actions)), steps, restart_cost)
    learned = costs(make(), lambda seen: agent.predict(seen, deterministic=deterministic)[0], steps, restart_cost)
    error = np.hypot(uniform.std(ddof=1), learned.std(ddof=1)) / np.sqrt(20)
    assert learned.mean() < uniform.mean() - 4 * error, (learned.mean(), uniform.mean(), error)
    return learned.mean(), uniform.mean()


def test_frozen_lake():
    def make():
        return gym.make("FrozenLake-v1")

    agent = politex.EEPolitex(make(), seed=1, eta=10.0).learn(60_000)
    learned, _ = better(agent, make)
    # As a continuing problem its optimum is known exactly; the learner is asked for a third of the way.
    assert learned < 0.33 * politex.exact(make())["optimal_gain"]


def test_taxi():
    def make():
        return gym.make("Taxi-v3") if "Taxi-v4" not in gym.registry else gym.make("Taxi-v4")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agent = politex.EEPolitex(make(), seed=1, horizon=50, follow=200, explore=50, rollouts=20, eta=1.0).learn(
            60_000
        )
        # It learned among the actions that info["action_mask"] allows, and is evaluated among them.
        answer = politex.evaluate_policy(agent, make(), against="uniform", steps=20_000)
        assert answer["verdict"] == "better" and answer["average_cost"] < 1.2, answer


def test_cartpole():
    agent = politex.EEPolitex(
        gym.make("CartPole-v1"), seed=1, restart_cost=1, horizon=25, follow=200, explore=20, eta=1.0
    )
    agent.learn(40_000)
    learned, _ = better(agent, lambda: gym.make("CartPole-v1"), restart_cost=1.0)
    assert learned < -0.99  # a fall in more than a hundred steps; uniform falls every 22


def test_acrobot_with_an_explorer_of_ones_own():
    """Random actions reach the line every few thousand steps: what to learn from comes from swinging."""

    def swing(seen):
        return 2 if seen[5] > 0 else 0

    agent = politex.EEPolitex(
        gym.make("Acrobot-v1"), seed=1, explorer=swing, rollouts=10, horizon=100, follow=150, explore=50, eta=2.0
    )
    agent.learn(40_000)
    better(agent, lambda: gym.make("Acrobot-v1"), steps=10_000)


def test_bsuite_deep_sea():
    deep_sea = pytest.importorskip("bsuite.environments.deep_sea")
    size = 5

    def make():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            env = deep_sea.DeepSea(size, deterministic=True, randomize_actions=False)
        # The last observation is all zeros: beyond the last row.
        space = gym.spaces.Discrete(size * size + 1)
        return FromDmEnv(env, lambda seen: int(np.argmax(seen)) if np.any(seen) else size * size, space)

    agent = politex.EEPolitex(
        make(), seed=1, explorer="always:1", explore=5, follow=40, horizon=10, eta=5.0, rollouts=20
    )
    agent.learn(40_000)
    learned, _ = better(agent, make, steps=10_000)
    # 1 for the treasure, less .01 for moving right: .99 in every episode of 5 steps.
    assert learned < -0.9 * 0.99 / size


def test_bsuite_cartpole_swingup():
    swingup = pytest.importorskip("bsuite.experiments.cartpole_swingup.cartpole_swingup")

    def make():
        return FromDmEnv(swingup.CartpoleSwingup(seed=1, height_threshold=0.0, x_reward_threshold=1.0))

    agent = politex.EEPolitex(make(), seed=1, horizon=50, follow=200, explore=50, eta=1.0).learn(40_000)
    better(agent, make, steps=10_000)


def test_a_stable_baselines_policy_explores():
    sb3 = pytest.importorskip(
        "stable_baselines3",
        reason="stable_baselines3 (torch) is not installed; a model with the same "
        "predict() is tested in agents_test.py",
    )
    model = sb3.DQN("MlpPolicy", gym.make("CartPole-v1"), learning_starts=10)
    agent = politex.EEPolitex(gym.make("CartPole-v1"), explorer=model, restart_cost=1, explore=20, follow=100).learn(
        500
    )
    assert agent.steps == 500
