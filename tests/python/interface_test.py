"""What a new user of the learners meets: arguments, defaults, warnings, refusals, files of other programs."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import gymnasium as gym
import numpy as np
import pytest

import politex

SMALL = {"explore": 5, "follow": 20, "horizon": 10, "eta": 1.0}
OURS = ["Cartpole", "CartpoleBalance", "MountainCar", "Acrobot"]


class Free(gym.Env):
    """Every observation of a space is as likely as any other, and nothing ends."""

    def __init__(self, space, actions=2):
        self.observation_space, self.action_space = space, gym.spaces.Discrete(actions)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.observation_space.seed(seed)
        return self.observation_space.sample(), {}

    def step(self, action):
        return self.observation_space.sample(), float(action), False, False, {}


def random_model(states, actions=2, seed=1):
    rng = np.random.default_rng(seed)
    P = rng.dirichlet(np.ones(states), size=(states, actions))
    return politex.MDP(P, rng.random((states, actions)))


# --- Exact answers only where asked for ---


def test_an_agent_evaluates_nothing_exactly_unless_asked():
    mdp = random_model(6)
    plain = politex.EEPolitex(mdp, **SMALL).learn(2000)
    exact = politex.EEPolitex(mdp, exact=True, **SMALL).learn(2000)
    assert plain.summary.keys().isdisjoint({"optimal_gain", "regret", "final_policy"})
    assert exact.summary["optimal_gain"] == pytest.approx(politex.exact(mdp)["optimal_gain"])
    assert plain.summary["signature"] == exact.summary["signature"]
    rows = politex.EEPolitex(mdp, every=1, **SMALL).learn(2000)
    assert "optimal_gain" in rows.summary and rows.summary["signature"] == plain.summary["signature"]


def test_control_c_returns_from_a_large_mdp():
    # Dense exact evaluations of 1500 states would take minutes: the default needs none, and stops within a phase.
    states = 1500
    mdp = politex.MDP(np.repeat(np.roll(np.eye(states), 1, axis=1)[:, None], 2, axis=1), np.arange(2.0 * states).reshape(-1, 2))
    agent = politex.EEPolitex(mdp, explore=5, follow=20, rollouts=2)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    assert agent.learn(10**12) is agent
    timer.join()
    assert 0 < agent.steps < 10**12


# --- Warnings where nothing can be learned ---


def test_equal_costs_are_reported_where_nothing_terminates():
    env = gym.make("MountainCar-v0")
    with pytest.warns(UserWarning, match="cost 1 so far, and no episode terminated.*more steps") as caught:
        politex.EEPolitex(env, **SMALL).learn(500)
    assert any("restart_cost" in str(one.message) for one in caught)
    mdp = politex.MDP(np.full((3, 2, 3), 1 / 3), np.ones((3, 2)))
    with pytest.warns(UserWarning, match="costs 1: all policies have the same average"):
        politex.EEPolitex(mdp, **SMALL).learn(500)
    assert "restart_cost" in politex.EEPolitex.__doc__


def test_a_run_shorter_than_a_phase_says_so():
    with pytest.warns(UserWarning, match="first phase takes 260 steps"):
        agent = politex.EEPolitex(random_model(4), rollouts=10, **SMALL).learn(100)
    assert "warnings" not in agent.learn(200).summary or not agent.summary["warnings"]


def test_restart_cost_works_on_our_environments_or_is_refused():
    # A fall costs 0 and every other step -1: with restart_cost=7 each fall adds 7.
    given = {"explorer": "uniform", "features": "fourier", "order": 1, **SMALL}
    plain = politex.EEPolitex(gym.make("politex/CartpoleBalance-v0"), **given).learn(130)
    costly = politex.EEPolitex(gym.make("politex/CartpoleBalance-v0"), restart_cost=7, **given).learn(130)
    falls = round(130 * (1 + plain.summary["average_cost"]))
    assert falls > 0
    assert costly.summary["average_cost"] == pytest.approx(plain.summary["average_cost"] + 7 * falls / 130)
    for env in (random_model(3), gym.make("politex/DeepSea-v0")):
        with pytest.raises(politex.Error, match="never terminates"):
            politex.EEPolitex(env, restart_cost=1)
    with pytest.raises(politex.Error, match="never terminates"):
        politex.NeuralEEPolitex(gym.make("politex/Cartpole-v0"), restart_cost=1)


# --- Defaults ---


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("kind", [politex.EEPolitex, politex.LSPI])
def test_linear_learners_take_our_continuous_environments_as_they_are(name, kind):
    agent = kind(gym.make(f"politex/{name}-v0")).learn(1000)
    assert agent.steps == 1000 and np.isfinite(agent.summary["average_cost"])
    observation, _ = gym.make(f"politex/{name}-v0").reset(seed=1)
    assert agent.probabilities(observation).sum() == pytest.approx(1)


def test_the_default_explorer_is_the_same_everywhere():
    mdp = random_model(5)
    environments = [mdp, mdp.env(), gym.make("politex/DeepSea-v0", size=4), gym.make("politex/CartpoleBalance-v0")]
    for env in environments:
        default, given = politex.EEPolitex(env, **SMALL), politex.EEPolitex(env, explorer="uniform", **SMALL)
        assert default.learn(600).summary["signature"] == given.learn(600).summary["signature"]
    one_action = politex.MDP(np.full((3, 1, 3), 1 / 3), [1.0, 2.0, 3.0])
    assert politex.EEPolitex(one_action, **SMALL).learn(600).steps == 600


# --- Explorers from files ---


def program():
    file = os.environ.get("POLITEX_PROGRAM") or pathlib.Path(sys.executable).parent / "politex"
    if not pathlib.Path(file).exists():
        pytest.skip("the program is not installed next to this python")
    return str(file)


def test_files_of_politex_explore_are_explorers(tmp_path):
    file, policy = tmp_path / "explorer.toml", tmp_path / "my.policy"
    file.write_text(
        'steps = 400\n[environment]\nname = "gymnasium"\nid = "CartPole-v1"\n[algorithm]\nname = "dqn"\n'
        "[network]\nhidden = 8\n[replay]\ncapacity = 1000\n[learner]\nbatch = 8\n"
    )
    subprocess.run(
        [program(), "explore", str(file), "--out", str(policy)],
        check=True,
        capture_output=True,
        env={**os.environ, "POLITEX_PYTHON": sys.executable},
    )
    for explorer in (policy, str(policy), f"file:{policy}"):
        agent = politex.EEPolitex(gym.make("CartPole-v1"), explorer=explorer, restart_cost=1, **SMALL).learn(300)
        assert agent.summary["segments"]["explorer"]["steps"] > 0
    tiny = {"hidden": 8, "batch": 8, "capacity": 500}
    assert politex.NeuralEEPolitex(gym.make("CartPole-v1"), explorer=policy, **tiny).learn(300).steps == 300
    with pytest.raises(politex.Error, match="4 inputs and 2 actions"):
        politex.EEPolitex(gym.make("Acrobot-v1"), explorer=policy)


def test_policy_files_of_states_are_explorers(tmp_path):
    file = tmp_path / "always.json"
    file.write_text(json.dumps({"states": 16, "actions": 4, "action": [1] * 16}))
    env = gym.make("FrozenLake-v1")
    by_file = politex.EEPolitex(env, explorer=f"file:{file}", **SMALL).learn(500)
    by_name = politex.EEPolitex(gym.make("FrozenLake-v1"), explorer="always:1", **SMALL).learn(500)
    assert by_file.summary["average_cost"] == by_name.summary["average_cost"]
    with pytest.raises(politex.Error, match="nowhere"):
        politex.EEPolitex(env, explorer="file:nowhere")
    with pytest.raises(politex.Error, match="unifrom"):
        politex.EEPolitex(env, explorer="unifrom")


# --- No silent wrong results ---


def test_batches_of_composite_observations():
    spaces = (
        gym.spaces.Dict(a=gym.spaces.Discrete(3), b=gym.spaces.Box(-1, 1, (2,))),
        gym.spaces.Tuple((gym.spaces.Discrete(2), gym.spaces.Discrete(3))),
        gym.spaces.Dict(a=gym.spaces.Dict(b=gym.spaces.MultiDiscrete([2, 2]))),
    )
    for space in spaces:
        agent = politex.EEPolitex(Free(space), **SMALL).learn(300)
        vector = gym.vector.SyncVectorEnv([lambda space=space: Free(space)] * 3)
        observations, _ = vector.reset(seed=1)
        rows = agent.probabilities(observations)
        assert rows.shape == (3, 2)
        for row, one in zip(rows, gym.vector.utils.iterate(vector.observation_space, observations), strict=True):
            np.testing.assert_array_equal(row, agent.probabilities(one))
        assert agent.predict(observations)[0].shape == (3,)
        with pytest.raises(politex.Error, match="observation"):
            agent.predict({"c": 3})
    box = politex.EEPolitex(Free(gym.spaces.Box(0, 1, (4,))), **SMALL)
    assert box.probabilities(np.zeros((3, 4))).shape == (3, 2)
    for wrong in (np.zeros(3), np.zeros((4, 3)), np.zeros((2, 3, 4))):
        with pytest.raises(politex.Error, match="shape"):
            box.probabilities(wrong)


def test_agents_load_onto_the_same_spaces_only(tmp_path):
    agent = politex.EEPolitex(gym.make("FrozenLake-v1"), rollouts=10, **SMALL).learn(260)  # a phase boundary
    agent.save(tmp_path / "a.politex")
    with pytest.raises(politex.Error, match="other spaces.*64.*16"):
        politex.load(tmp_path / "a.politex", env=gym.make("FrozenLake8x8-v1"))
    with pytest.raises(politex.Error, match="other spaces"):
        politex.load(tmp_path / "a.politex", env=Free(gym.spaces.Discrete(16), actions=6))
    assert politex.EEPolitex.load(tmp_path / "a.politex", env=gym.make("FrozenLake-v1")).num_timesteps == 260
    with pytest.raises(politex.Error, match="is a EEPolitex"):
        politex.LSPI.load(tmp_path / "a.politex")


def test_the_layout_of_p_is_known_or_asked_for():
    # The forest of pymdptoolbox: three states, two actions; and three actions, so that both readings are possible.
    P = np.array([[[0.1, 0.9, 0], [0.1, 0, 0.9], [0.1, 0, 0.9]], [[1, 0, 0], [1, 0, 0], [1, 0, 0]]])
    cost = np.array([[0, 0], [0, -1], [-4, -2.0]])
    expected = politex.exact(politex.MDP([P[0], P[1]], cost))["optimal_gain"]
    assert politex.exact(politex.MDP(P, cost))["optimal_gain"] == expected
    both = np.concatenate([P, np.eye(3)[None]])
    costs = np.column_stack([cost, np.ones(3)])
    right = politex.MDP([*both], costs).P
    with pytest.warns(UserWarning, match="layout"):
        assert not np.array_equal(politex.MDP(both, costs).P, right)
    np.testing.assert_array_equal(politex.MDP(both, costs, layout="actions_first").P, right)
    np.testing.assert_array_equal(politex.MDP(right, costs, layout="states_first").P, right)
    with pytest.raises(politex.Error, match="layout"):
        politex.MDP(both, costs, layout="ASS")


# --- Every refusal is a politex.Error that says what is accepted ---


class Mission(gym.Space):
    """As in MiniGrid: neither numbers nor a space that Gymnasium can flatten."""

    def __init__(self):
        super().__init__(None, str)

    def sample(self, *args, **kwargs):
        return "go"

    def contains(self, x):
        return isinstance(x, str)


def test_refusals():
    lake = gym.make("FrozenLake-v1")
    grid = Free(gym.spaces.Dict(image=gym.spaces.Box(0, 255, (3,), np.uint8), mission=Mission()))
    for env in (grid, Free(gym.spaces.Text(5)), Free(gym.spaces.Box(0, 1, (0,)))):
        with pytest.raises(politex.Error, match="features=f"):
            politex.EEPolitex(env)
        with pytest.raises(politex.Error, match="TransformObservation") as caught:
            politex.NeuralEEPolitex(env)
        assert "features=" not in str(caught.value)
    for kind in (politex.EEPolitex, politex.NeuralEEPolitex):
        for seed in (-1, 1.5, "a", 2**60):
            with pytest.raises(politex.Error, match="seed"):
                kind(lake, seed=seed)
        with pytest.raises(politex.Error, match="chose 1.0"):
            kind(lake, explorer=lambda state: 1.0).learn(1000)
        with pytest.raises(politex.Error, match="ZeroDivisionError") as caught:
            kind(lake, explorer=lambda state: 1 // 0).learn(1000)
        assert isinstance(caught.value.__cause__, ZeroDivisionError)
        assert str(caught.value).endswith("raised: ZeroDivisionError: integer division or modulo by zero")  # no traceback
        agent = kind(lake)
        for observation in (1.5, None, "a", np.array([0.0, 1.0]), 99):
            with pytest.raises(politex.Error):
                agent.predict(observation)
        for steps in (0, 1.5, "much", True, None):
            with pytest.raises(politex.Error, match="steps"):
                agent.learn(steps)
    for kind in (politex.LSPI, politex.RLSVI):
        with pytest.warns(UserWarning, match="transition probabilities of FrozenLake8x8-v1 are not known"):
            kind(gym.make("FrozenLake8x8-v1"), follow=20).learn(100)


def test_arguments_of_wrong_types(tmp_path):
    lake = gym.make("FrozenLake-v1")
    agent = politex.EEPolitex(lake, **SMALL)
    cases = {
        "features": [lambda: politex.EEPolitex(lake, features=lambda state: "x"),
                     lambda: politex.EEPolitex(lake, features=lambda state: 1 // 0)],
        "ranges": [lambda: politex.EEPolitex(gym.make("CartPole-v1"), ranges="x"),
                   lambda: politex.EEPolitex(gym.make("CartPole-v1"), ranges=[(0, 1)])],
        "exact": [lambda: politex.EEPolitex(lake, exact=True)],
        "action_masks": [lambda: agent.predict(0, action_masks=[1, 0]), lambda: agent.predict(0, action_masks=[0] * 4),
                         lambda: agent.predict([0, 1], action_masks=[[1, 1, 1, 1]] * 3)],
        "overrides": [lambda: politex.run("deep_sea/tuned.toml", ["steps=1000"])],
        "env": [lambda: agent.set_env(None), lambda: agent.set_env("FrozenLake-v1")],
        "file": [lambda: agent.save(None), lambda: agent.save(tmp_path / "no" / "a"), lambda: politex.load(1), lambda: agent.export(2),
                 lambda: politex.load(tmp_path), lambda: politex.export_policy(agent, tmp_path),
                 lambda: agent.learn(100).plot(tmp_path / "no" / "a.svg")],
    }
    for key, calls in cases.items():
        for number, call in enumerate(calls):
            with pytest.raises(politex.Error, match=f"^{key}: ") as caught:
                call()
            assert caught.value.key == key, (key, number)


def test_a_second_thread_is_refused_and_changes_nothing():
    started, release = threading.Event(), threading.Event()

    class Slow(Free):
        def step(self, action):
            started.set()
            release.wait(60)
            return super().step(action)

    agent = politex.EEPolitex(Slow(gym.spaces.Discrete(4)), **SMALL)
    worker = threading.Thread(target=agent.learn, args=(300,))
    worker.start()
    assert started.wait(60)
    with pytest.raises(politex.Error, match="another thread"):
        agent.learn(1000)
    release.set()
    worker.join()
    assert agent.steps == 300


def test_a_forked_neural_agent_refuses_to_learn():
    agent = politex.NeuralPolitex(gym.make("CartPole-v1"), hidden=8, batch=8, capacity=500).learn(200)
    child = os.fork()
    if child == 0:
        try:
            agent.learn(100)
        except politex.Error as error:
            os._exit(0 if "fork" in str(error) else 2)
        os._exit(1)
    for _ in range(600):  # a hang is a failure, not a hang of the tests
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert os.waitstatus_to_exitcode(status) == 0
    assert agent.learn(100).steps == 300


# --- Names that users of Stable-Baselines3 know ---


def test_steps_seeds_and_environments_as_elsewhere():
    agent = politex.EEPolitex(gym.make("FrozenLake-v1"), seed=None, **SMALL)
    again = politex.EEPolitex(gym.make("FrozenLake-v1"), seed=agent.seed, **SMALL)
    other = politex.EEPolitex(gym.make("FrozenLake-v1"), seed=None, **SMALL)
    assert other.seed != agent.seed
    agent.learn(1e2).learn(np.int64(100)).learn(total_timesteps=np.float64(100))
    assert agent.num_timesteps == agent.steps == 300
    assert again.learn(300).summary["signature"] == agent.summary["signature"]
    with pytest.raises(politex.Error, match="total_timesteps"):
        agent.learn(10, total_timesteps=10)

    weights = agent.weights
    env = gym.make("FrozenLake-v1")
    agent.set_env(env)
    assert agent.env is env and agent.steps == 300
    np.testing.assert_array_equal(agent.weights, weights)
    assert agent.learn(100).steps == 400
    with pytest.raises(politex.Error, match="other spaces"):
        agent.set_env(gym.make("FrozenLake8x8-v1"))
    with pytest.raises(politex.Error, match="stepped in C"):
        politex.EEPolitex(random_model(3)).set_env(gym.make("FrozenLake-v1"))


def test_episodes_and_their_returns(tmp_path):
    class Length5(Free):
        def reset(self, *, seed=None, options=None):
            self.left = 5
            return super().reset(seed=seed)

        def step(self, action):
            self.left -= 1
            observation, _, _, _, info = super().step(action)
            return observation, 2.0, self.left == 0, False, info

    globals()["Length5"] = Length5
    Length5.__qualname__ = "Length5"
    agent = politex.EEPolitex(Length5(gym.spaces.Discrete(3)), rollouts=1, **SMALL).learn(98)
    agent.save(tmp_path / "a.politex")
    agent = politex.load(tmp_path / "a.politex").learn(6)
    np.testing.assert_array_equal(agent.episodes["step"], np.arange(5, 105, 5))
    np.testing.assert_array_equal(agent.episodes["return"], np.full(20, 10.0))
    np.testing.assert_array_equal(agent.episodes["length"], np.full(20, 5))
    np.testing.assert_array_equal(agent.progress["episode_return"], np.full(4, 10.0))
    np.testing.assert_array_equal(agent.progress["steps"], [26, 52, 78, 104])
    neural = politex.NeuralPolitex(gym.make("CartPole-v1"), hidden=8, batch=8, capacity=500).learn(300)
    assert neural.episodes["return"].min() >= 8 and "length" not in neural.episodes
