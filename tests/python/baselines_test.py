"""The classes of the baselines: all of the catalogue, the bits of politex.run, saving, and what they refuse."""

import gymnasium as gym
import numpy as np
import pytest

import politex
from politex import _core

STEPS = 3000


@pytest.mark.parametrize("algorithm,kind", [(name, politex.baselines.class_name(name)) for name, _ in _core.baselines()])
def test_learns_the_bits_of_the_program_and_saves(algorithm, kind, tmp_path):
    env = gym.make("politex/AccessControl-v0", servers=4)
    agent = getattr(politex, kind)(env, seed=5).learn(STEPS)
    file = tmp_path / "run.toml"
    file.write_text(
        f'steps = {STEPS}\nseed = 5\nalgorithm.name = "{algorithm}"\n'
        '[environment]\nname = "access_control"\nservers = 4\n'
    )
    assert agent.summary["signature"] == politex.run(file)["signature"]
    policy = agent.probabilities(np.arange(20))
    assert policy.shape == (20, 2) and np.allclose(policy.sum(axis=1), 1)
    agent.save(tmp_path / "a.politex")
    again = politex.load(tmp_path / "a.politex")
    assert type(again) is type(agent) and np.array_equal(again.probabilities(np.arange(20)), policy)
    assert again.learn(500).summary["signature"] == agent.learn(500).summary["signature"]


def test_every_one_is_offered_with_its_paper_in_the_help():
    names = [politex.baselines.class_name(name) for name, _ in _core.baselines()]
    assert names == politex.baselines.__all__
    assert {"DifferentialQ", "CenteredQ", "RVIQ", "DifferentialSarsa", "OptimisticQ", "MDPOOMD", "MDPEXP2"} < set(names)
    assert {"QLearning", "UCRL2B", "PSRL"} < set(names)
    for (algorithm, meaning), name in zip(_core.baselines(), names):
        help_text = getattr(politex, name).__doc__
        assert meaning[1:] in help_text and f"algorithm.name = {algorithm}" in help_text


def test_settings_are_keywords(tmp_path):
    env = gym.make("politex/RiverSwim-v0", size=4)
    plain = politex.DifferentialQ(env, seed=1).learn(STEPS).summary
    other = politex.DifferentialQ(env, seed=1, step_size=0.5, epsilon=0.02).learn(STEPS).summary
    assert plain["signature"] != other["signature"]
    traces = politex.DifferentialSarsa(env, seed=1, lambda_=0.9).learn(STEPS).summary
    file = tmp_path / "run.toml"
    file.write_text(
        f'steps = {STEPS}\n[environment]\nname = "river_swim"\nsize = 4\n'
        '[algorithm]\nname = "differential_sarsa"\nlambda = 0.9\n'
    )
    assert traces["signature"] == politex.run(file)["signature"]


def test_differential_q_learns_a_task_of_python():
    class Coin(gym.Env):
        """Two observations; the action that names the one seen pays 1."""

        observation_space, action_space = gym.spaces.MultiDiscrete([2, 1]), gym.spaces.Discrete(2)

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            self.seen = 0
            return np.array([self.seen, 0]), {}

        def step(self, action):
            reward = float(action == self.seen)
            self.seen = int(self.np_random.integers(2))
            return np.array([self.seen, 0]), reward, False, False, {}

    agent = politex.DifferentialQ(Coin(), seed=1, epsilon=0.05).learn(STEPS)
    assert [int(agent.predict([x, 0], deterministic=True)[0]) for x in (0, 1)] == [0, 1]


def test_cells_for_numbers_and_any_features_for_the_linear_ones():
    agent = politex.DifferentialQ(gym.make("CartPole-v1"), seed=1).learn(1000)
    assert agent.steps == 1000
    agent = politex.DifferentialSarsa(gym.make("CartPole-v1"), features="fourier", seed=1).learn(1000)
    assert agent.steps == 1000


def test_reward_centred_dqn():
    agent = politex.DQN(gym.make("politex/AccessControl-v0", servers=2), mode="centered", hidden=16, seed=1, phase_steps=20, threads=0)
    agent.learn(2000)
    assert agent.summary["algorithm"] == "dqn" and np.isfinite(agent.summary["average_cost"])


@pytest.mark.parametrize(
    "kind,env,settings,words",
    [
        ("PSRL", "CartPole-v1", {}, ["learns a model", "list their states"]),
        ("DifferentialQ", "CartPole-v1", {"features": "fourier"}, ["fourier", "partition", "cells"]),
        ("DifferentialQ", "politex/RiverSwim-v0", {"explorer": "uniform"}, ["explorer", "DifferentialQ", "EEPolitex"]),
        ("DifferentialQ", "politex/RiverSwim-v0", {"stepsize": 0.1}, ["stepsize", "step_size"]),
        ("DifferentialQ", "politex/RiverSwim-v0", {"step_size": -1}, ["step_size", "-1"]),
        ("DQN", "politex/RiverSwim-v0", {"explorer": "uniform"}, ["explorer", "dqn"]),
    ],
)
def test_what_does_not_fit_is_refused_with_what_is_accepted(kind, env, settings, words):
    with pytest.raises(politex.Error) as refused:
        getattr(politex, kind)(gym.make(env), **settings)
    for word in words:
        assert word in str(refused.value), refused.value
