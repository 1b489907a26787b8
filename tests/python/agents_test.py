"""The learners on environments of ours, on Gymnasium's and on users' own: bits, breaks, bad input."""

import errno
import os
import pickle
import resource
import signal
import threading
import warnings

import gymnasium as gym
import numpy as np
import pytest

import politex

SMALL = {"explore": 5, "follow": 20, "horizon": 10, "eta": 1.0}


class Line(gym.Env):
    """States 0 to 9; right leads to a reward and the end. Everything in it can be pickled."""

    def __init__(self, episode=50, start=0):
        self.observation_space = gym.spaces.Discrete(10, start=start)
        self.action_space = gym.spaces.Discrete(2, start=start)
        self.episode, self.start, self.resets, self.fail_at, self.steps, self.reward = episode, start, 0, None, 0, None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place, self.clock = 0, 0
        self.resets += 1
        return self.place + self.start, {}

    def step(self, action):
        self.steps += 1
        if self.steps == self.fail_at:
            raise RuntimeError("the line is cut")
        right = (action - self.start == 1) != (self.np_random.random() < 0.1)
        self.place = max(0, self.place + (1 if right else -1))
        self.clock += 1
        goal = self.place == 9
        reward = self.reward if self.reward is not None else float(goal)
        return self.place + self.start, reward, goal, self.clock >= self.episode, {}


class Point(gym.Env):
    """A walk on the line of numbers, without bounds."""

    def __init__(self):
        self.observation_space = gym.spaces.Box(-np.inf, np.inf, (1,), np.float32)
        self.action_space = gym.spaces.Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x = self.np_random.normal()
        return np.array([self.x], np.float32), {}

    def step(self, action):
        self.x += 0.3 * (action - 1) + 0.1 * self.np_random.normal()
        return np.array([self.x], np.float32), -abs(self.x), False, False, {}


def same(one, other):
    assert one.summary == other.summary
    np.testing.assert_array_equal(one.weights, other.weights)
    for name, values in one.progress.items():
        np.testing.assert_array_equal(values, other.progress[name])


MAKERS = {
    "ours": lambda: politex.EEPolitex(gym.make("politex/DeepSea-v0", size=5), explorer="always:1", features="additive"),
    "continuous": lambda: politex.Politex(
        gym.make("politex/CartpoleBalance-v0"), follow=50, features="fourier", order=1
    ),
    "mdp": lambda: politex.RLSVI(politex.MDP(np.full((4, 2, 4), 0.25), np.arange(8.0).reshape(4, 2))),
    "discrete": lambda: politex.EEPolitex(Line(), **SMALL),
    "box": lambda: politex.LSPI(Point(), follow=20, buffer=500),
    "cartpole": lambda: politex.EEPolitex(gym.make("CartPole-v1"), restart_cost=1, **SMALL),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_parts_come_to_the_bits_of_the_whole(kind, tmp_path):
    whole = MAKERS[kind]().learn(1200)
    parts = MAKERS[kind]()
    assert parts.learn(333) is parts
    parts.save(tmp_path / "a.politex")
    again = politex.load(tmp_path / "a.politex")
    copy = pickle.loads(pickle.dumps(parts))
    for agent in (parts, again, copy):
        agent.learn(500).learn(367)
        assert agent.steps == 1200
        same(agent, whole)


@pytest.mark.parametrize("name", ["ee_politex", "politex", "rlsvi", "lspi"])
def test_our_environments_give_the_bits_of_the_program(name, tmp_path):
    file = tmp_path / "run.toml"
    explorer = '[explorer]\nname = "always"\naction = 1\n' if name == "ee_politex" else ""
    file.write_text(
        f'steps = 20000\nseed = 3\n[environment]\nname = "deep_sea"\nsize = 6\n[algorithm]\nname = "{name}"\n'
        f'[schedule]\nfollow = "2N"\n[features]\nname = "additive"\n{explorer}'
    )
    expected = politex.run(file)
    kind = {"ee_politex": politex.EEPolitex, "politex": politex.Politex, "rlsvi": politex.RLSVI, "lspi": politex.LSPI}[
        name
    ]
    given = {"explorer": "always:1"} if name == "ee_politex" else {}
    env = gym.make("politex/DeepSea-v0", size=6)
    agent = kind(env, features="additive", seed=3, follow="2N", exact=True, **given).learn(20000)
    for key in ("seconds", "steps_per_second"):
        expected.pop(key)
    assert agent.summary["signature"] == expected["signature"]
    assert agent.summary == expected


def test_the_given_environment_continues_from_the_saved_state(tmp_path):
    agent = MAKERS["discrete"]().learn(100)
    agent.save(tmp_path / "a.politex")
    env = Line()
    env.reset(seed=99)
    loaded = politex.load(tmp_path / "a.politex", env=env)
    assert loaded.env is env and env.place == agent.env.place and env.steps == agent.env.steps
    same(loaded.learn(50), agent.learn(50))


@pytest.mark.parametrize("name", ["open", "fsync", "replace", "write"])
def test_a_save_that_fails_leaves_the_file_before_it(tmp_path, monkeypatch, name):
    file = tmp_path / "a.politex"
    agent = MAKERS["discrete"]().learn(100)
    agent.save(file)
    before = file.read_bytes()
    agent.learn(50)

    def fail(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        if name == "write":  # half of the file fits
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, limits[1]))
        elif name == "open":
            patched.setattr("builtins.open", fail)
        else:
            patched.setattr(os, name, fail)
        try:
            with pytest.raises(politex.Error, match="^file: .*(No space left|File too large)"):
                agent.save(file)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["a.politex"]
    agent.save(file)
    same(politex.load(file).learn(50), agent.learn(50))


def test_a_first_part_may_be_shorter_than_the_exploration():
    whole = MAKERS["discrete"]().learn(300)
    agent = MAKERS["discrete"]()
    for _ in range(3):
        agent.learn(1)
    same(agent.learn(297), whole)


def test_what_cannot_be_saved_restarts_with_a_warning(tmp_path):
    env = Line()
    env.lock = threading.Lock()  # no pickle
    agent = politex.EEPolitex(env, features=lambda state: np.eye(10)[state], **SMALL).learn(100)
    agent.save(tmp_path / "a.politex")
    with pytest.raises(politex.Error, match="give it again"):
        politex.load(tmp_path / "a.politex")
    with pytest.warns(UserWarning, match="starts from a new reset"):
        loaded = politex.load(tmp_path / "a.politex", env=Line(), features=lambda state: np.eye(10)[state])
    np.testing.assert_array_equal(loaded.weights, agent.weights)
    assert loaded.learn(100).steps == 200


def test_rewards_ends_and_cuts_are_counted():
    env = Line(episode=13)
    agent = politex.EEPolitex(env, restart_cost=5.0, explorer=lambda state: 1, **SMALL).learn(2000)
    assert env.steps == 2000 and agent.summary["steps"] == 2000
    env = Line(episode=13, start=3)  # the same environment with other numbers
    other = politex.EEPolitex(env, restart_cost=5.0, explorer=lambda state: 4, **SMALL).learn(2000)
    assert other.summary["average_cost"] == agent.summary["average_cost"]
    assert set(np.unique(agent.rollouts["costs"])) <= {0.0, 4.0}  # a goal pays 1 and costs 5


def test_learning_on_goes_through_features_explorers_and_arrays(tmp_path):
    def indicator(state):
        return np.eye(10)[state]

    class Model:  # as in Stable-Baselines3
        def predict(self, observation, state=None, episode_start=None, deterministic=False):
            return np.int64(1), None

    one = politex.EEPolitex(Line(), explorer="always:1", **SMALL).learn(3000)
    two = politex.EEPolitex(Line(), explorer=lambda state: 1, features=indicator, **SMALL).learn(3000)
    three = politex.EEPolitex(Line(), explorer=Model(), **SMALL).learn(3000)
    assert one.summary["average_cost"] == three.summary["average_cost"]
    # The same features by another solver: rounding parts them, one phase is as far as bits hold.
    np.testing.assert_allclose(one.phase_weights[1][0], two.phase_weights[1][0], atol=1e-9)
    assert one.q().shape == (10, 2) and one.q(3).shape == (2,) and one.weights.shape == (2, 10)
    np.testing.assert_allclose(one.q(), one.weights.T)
    np.testing.assert_allclose(one.probabilities(np.arange(10)).sum(axis=1), 1)
    phases, weights = one.phase_weights
    assert list(phases) == list(range(1, 3000 // 130 + 1))  # the last one was cut off
    np.testing.assert_allclose(weights.sum(axis=0).reshape(2, 10), one.weights, atol=1e-9)
    one.export(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as arrays:
        np.testing.assert_array_equal(arrays["q"], one.q())
        assert set(arrays["rollout_by"]) <= {0, 1, 2}
    action, state = one.predict(4)
    assert action in (0, 1) and state is None
    actions, _ = one.predict(np.array([0, 4, 8]), deterministic=True)
    np.testing.assert_array_equal(actions, one.probabilities(np.array([0, 4, 8])).argmax(axis=1))


def test_spaces_of_many_kinds():
    class Many(gym.Env):
        action_space = gym.spaces.Discrete(2)

        def __init__(self, space):
            self.observation_space = space

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            self.observation_space.seed(seed)
            return self.observation_space.sample(), {}

        def step(self, action):
            return self.observation_space.sample(), float(action), False, False, {}

    spaces = [
        gym.spaces.MultiDiscrete([3, 4]),
        gym.spaces.MultiBinary(4),
        gym.spaces.Box(0, 1, (2, 2)),
        gym.spaces.Dict(a=gym.spaces.Discrete(3), b=gym.spaces.Box(-1, 1, (2,))),
        gym.spaces.Tuple((gym.spaces.Discrete(2), gym.spaces.Discrete(3))),
    ]
    for space in spaces:
        agent = politex.EEPolitex(Many(space), **SMALL).learn(3000)
        assert agent.predict(space.sample())[0] in (0, 1)
        assert agent.summary["segments"]["target"]["average_cost"] < -0.6, space  # it found action 1, at cost -1
    with pytest.raises(politex.Error, match="features=f"):
        politex.EEPolitex(Many(gym.spaces.Text(5)))
    with pytest.raises(politex.Error, match="features=f"):
        politex.EEPolitex(Many(gym.spaces.Box(0, 255, (84, 84), np.uint8)))


def test_bad_input_is_refused():
    with pytest.raises(politex.Error, match="eta") as caught:
        politex.EEPolitex(Line(), etta=1)
    assert "etta" in str(caught.value)
    for wrong in (
        {"eta": -1},
        {"explorer": "always:7"},
        {"explorer": "always:x"},
        {"explorer": 3.5},
        {"features": "tiles"},
        {"features": "nonsense"},
        {"rollouts": 0},
        {"visits": "twice"},
    ):
        with pytest.raises(politex.Error):
            politex.EEPolitex(Line(), **wrong)
    with pytest.raises(politex.Error, match="Discrete"):
        politex.EEPolitex(gym.make("Pendulum-v1"))
    with pytest.raises(politex.Error, match="not an environment"):
        politex.EEPolitex("CartPole-v1")
    with pytest.raises(politex.Error, match="vector"):
        politex.EEPolitex(gym.make_vec("CartPole-v1", num_envs=2))
    with pytest.raises(politex.Error, match="steps"):
        politex.EEPolitex(Line()).learn(0)
    with pytest.raises(politex.Error, match="ranges"):
        politex.EEPolitex(Point(), ranges=[(1, 0)])
    with pytest.raises(politex.Error, match="not an agent"):
        politex.load(__file__)


def test_failures_in_the_middle_name_the_step_and_lose_nothing():
    env = Line()
    agent = politex.EEPolitex(env, **SMALL)
    env.fail_at = env.steps + 123
    with pytest.raises(politex.Error, match="step 123.*line is cut") as caught:
        agent.learn(1000)
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert agent.steps == 122
    assert agent.learn(100).steps == 222

    for reward, message in ((float("nan"), "reward nan"), ("much", "step 1")):
        env = Line()
        env.reward = reward
        with pytest.raises(politex.Error, match=message):
            politex.EEPolitex(env, **SMALL).learn(10)

    calls = []

    def growing(state):
        calls.append(state)
        return np.zeros(10 + len(calls) // 20)

    with pytest.raises(politex.Error, match="keep their length"):
        politex.EEPolitex(Line(), features=growing, **SMALL).learn(1000)
    with pytest.raises(politex.Error, match="not an action"):
        politex.EEPolitex(Line(), explorer=lambda state: 2, **SMALL).learn(1000)
    with pytest.raises(politex.Error, match="vector"):
        politex.EEPolitex(Line(), features=lambda state: np.eye(3))


def test_control_c_returns_and_nothing_is_lost():
    class Pressed(Line):
        def step(self, action):
            if self.steps == 777:
                os.kill(os.getpid(), signal.SIGINT)
            return super().step(action)

    whole = politex.EEPolitex(Line(), **SMALL).learn(2000)
    agent = politex.EEPolitex(Pressed(), **SMALL)
    assert agent.learn(2000) is agent
    assert 700 < agent.steps < 1000
    agent.learn(2000 - agent.steps)
    assert agent.summary["signature"] == whole.summary["signature"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_callbacks_once_a_phase():
    seen = []
    agent = politex.EEPolitex(Line(), rollouts=2, **SMALL)
    agent.learn(520, callback=lambda a: seen.append(a.steps))
    assert seen == list(range(52, 521, 52))
    agent.learn(10_000, callback=lambda a: False)
    assert agent.steps == 572


def test_nothing_to_learn_is_reported():
    with pytest.warns(UserWarning, match="restart_cost"):
        politex.EEPolitex(gym.make("CartPole-v1"), **SMALL).learn(500)


def test_two_threads_and_a_fork():
    alone = politex.EEPolitex(Line(), **SMALL).learn(3000)
    agents = [politex.EEPolitex(Line(), **SMALL) for _ in range(2)]
    agents.append(politex.EEPolitex(gym.make("politex/DeepSea-v0", size=5)))
    threads = [threading.Thread(target=agent.learn, args=(3000,)) for agent in agents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(agent.summary["signature"] == alone.summary["signature"] for agent in agents[:2])
    child = os.fork()
    if child == 0:
        ok = politex.EEPolitex(Line(), **SMALL).learn(3000).summary["signature"] == alone.summary["signature"]
        os._exit(0 if ok else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_options_of_an_environment_are_refused_where_it_is_an_object():
    mdp = politex.MDP(np.array([[[0.5, 0.5], [0, 1]], [[1, 0], [0.5, 0.5]]]), np.array([[1.0, 2.0], [0.0, 0.0]]))
    assert politex.EEPolitex(mdp).learn(500).summary["environment"] == mdp.model.name
    for env, option in ((mdp, {"teleport": 0.1}), (Line(), {"environment.size": 5}), (Line(), {"id": "CartPole-v1"})):
        with pytest.raises(politex.Error, match="option of an environment") as caught:
            politex.EEPolitex(env, **option)
        assert caught.value.key.startswith("environment.")
    with pytest.raises(politex.Error, match="restart_cost"):
        politex.EEPolitex(Line(), restart_cost=float("nan"))


def test_pictures(tmp_path, monkeypatch):
    agent = MAKERS["discrete"]().learn(500)
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    assert agent.plot(tmp_path / "a.svg") == tmp_path / "a.svg"
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    with pytest.raises(politex.Error, match="learn"):
        MAKERS["discrete"]().plot()
    monkeypatch.undo()
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert len(agent.plot().axes[0].lines) == 2


def test_sparse_rows_are_the_dense_ones_and_bad_ones_are_refused(tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    given = dict(seed=3, explorer=lambda state: 1, **SMALL)
    dense = politex.EEPolitex(Line(), features=lambda state: np.eye(10)[state], **given).learn(3000)
    rows = politex.EEPolitex(Line(), features=lambda state: sparse.csr_matrix(np.eye(10)[state : state + 1]), **given)
    assert rows.learn(3000).summary["average_cost"] == dense.summary["average_cost"]
    # predict() draws an action, so the first ten of each are compared.
    drawn = [dense.predict(state)[0] for state in range(10)]
    assert [rows.predict(state)[0] for state in range(10)] == drawn
    # 10^5 columns, of which ten are used.
    wide = lambda state: sparse.csr_matrix(([1.0], ([0], [9973 * state])), shape=(1, 100_000))  # noqa: E731
    far = politex.EEPolitex(Line(), features=wide, **given).learn(3000)
    assert far.summary["signature"]
    for state in range(10):  # predict() would draw: the agents have not drawn equally often
        np.testing.assert_allclose(far.probabilities(state), dense.probabilities(state), atol=1e-9)

    beyond = wide(1)
    beyond.indices = np.array([100_000], dtype=beyond.indices.dtype)

    def after_ten_calls(bad):
        calls = [0]

        def features(state):
            calls[0] += 1
            return wide(state) if calls[0] < 10 else bad

        return features

    for bad, message in [
        (sparse.csr_matrix((1, 7)), r"has the shape \(1, 7\); accepted: a sparse row with 100000 columns"),
        (sparse.csr_matrix(([np.nan], ([0], [5])), shape=(1, 100_000)), "not finite, in column 5"),
        (sparse.csr_matrix(np.ones((1, 100_000))), r"100000 entries; accepted: at most 64 \(64, or four times"),
        (beyond, "an index that is not in 0 to 99999"),
        ("nothing", "is 'nothing'; accepted: a sparse row with 100000 columns"),
    ]:
        # Two calls are before the run, and the third is of the reset: the tenth is of step 7.
        with pytest.raises(politex.Error, match=f"^step 7, row 8: features: the sparse row .*{message}"):
            politex.EEPolitex(Line(), features=after_ten_calls(bad), **given).learn(1000)


def test_dense_features_that_change_name_the_row_and_the_step():
    for bad, message in [
        ([1.0, 2.0], "2 numbers were made .* must keep their length"),
        ([float("nan")] * 10, "a feature that is nan; accepted: finite numbers"),
    ]:
        calls = [0]

        def features(state):
            calls[0] += 1
            return np.eye(10)[state] if calls[0] < 10 else np.array(bad)

        with pytest.raises(politex.Error, match=f"^step 7, row 8: .*{message}"):
            politex.EEPolitex(Line(), features=features, explorer=lambda state: 1, seed=3, **SMALL).learn(1000)
