"""politex.evaluate_policy: exact where finite, simulated elsewhere, with the keys of `politex evaluate --json`."""

import gymnasium as gym
import numpy as np
import pytest

import politex


def river():
    return gym.make("politex/RiverSwim-v0", size=6)


def test_finite_environments_are_answered_exactly():
    env = river()
    found = politex.evaluate_policy("always:1", env, against="uniform")
    assert found["method"] == "exact" and found["steps"] == 0
    assert found["average_cost"] == pytest.approx(politex.exact(env, "always:1")["gain"], abs=1e-12)
    assert found["verdict"] == "better" and found["difference"] < 0
    agent = politex.EEPolitex(env, explorer="always:1", seed=1).learn(5000)
    table = agent.probabilities(np.arange(6))
    exact = politex.exact(env, table / table.sum(axis=1, keepdims=True))["gain"]
    assert politex.evaluate_policy(agent, env)["average_cost"] == pytest.approx(exact, abs=1e-9)
    assert politex.evaluate_policy("uniform", env, against="uniform")["verdict"] == "not_yet"


def test_functions_are_simulated():
    env = river()
    # One interval at 99.99% with a fixed seed: the false-alarm rate is 1e-4.
    found = politex.evaluate_policy(lambda state: 1, env, steps=30_000, alpha=1e-4, against="uniform")
    assert found["steps"] >= 30_000 and found["method"] in ("batch_means", "regenerative")
    gain = politex.exact(env, "always:1")["gain"]
    assert found["interval"][0] <= gain <= found["interval"][1]
    assert found["verdict"] == "better"
    assert found == politex.evaluate_policy(lambda state: 1, env, steps=30_000, alpha=1e-4, against="uniform")


def test_short_runs_are_refused_and_bad_input_named():
    env = river()
    found = politex.evaluate_policy(lambda state: 1, env, steps=100)
    assert found["interval"] is None and "too short" in found["notes"][0]
    with pytest.raises(politex.Error, match="steps: 0 is not accepted"):
        politex.evaluate_policy("uniform", env, steps=0)
    with pytest.raises(politex.Error, match="alpha: 2"):
        politex.evaluate_policy("uniform", env, alpha=2)
    with pytest.raises(politex.Error, match="agent_or_policy: 'unifrm'"):
        politex.evaluate_policy("unifrm", gym.make("CartPole-v1"), steps=100)
    other = politex.EEPolitex(gym.make("politex/DeepSea-v0", size=3), explorer="always:1", seed=1)
    with pytest.raises(politex.Error, match="an agent for 9 states; accepted: one for 6 states"):
        politex.evaluate_policy(other, env)


def test_episodes_of_gymnasium_are_cycles():
    found = politex.evaluate_policy("uniform", gym.make("CartPole-v1"), steps=30_000)
    assert found["method"] == "regenerative"
    assert found["average_cost"] == pytest.approx(-1.0)


def test_a_mistake_in_a_toy_text_table_is_an_error_and_no_reason_to_simulate():
    env = gym.make("FrozenLake-v1", is_slippery=False)
    found = politex.evaluate_policy("uniform", env)
    assert found["method"] == "exact" and found["average_cost"] == pytest.approx(politex.exact(env, "uniform")["gain"])
    assert politex.evaluate_policy("uniform", env, steps=2000, simulate=True)["method"] != "exact"
    table = env.unwrapped.P
    table[3][1] = [(0.5, *table[3][1][0][1:])]
    with pytest.raises(politex.Error, match="from state 3 by action 1 sum to 0.5"):
        politex.evaluate_policy("uniform", env)
    table[3][1] = [(1.0, 99, 0.0, False)]
    with pytest.raises(politex.Error, match="99"):
        politex.evaluate_policy("uniform", env, against="always:1")


def test_a_number_named_P_makes_no_table():
    env = gym.make("CartPole-v1")
    env.unwrapped.P = 0.5  # an environment's own name for something else
    assert politex.evaluate_policy("uniform", env, steps=2000)["method"] != "exact"
