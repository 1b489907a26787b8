"""The neural learners on single and vector environments: whose resets are counted how, breaks, threads, bad input."""

import threading
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

import politex
from politex.spaces import Task
from politex.vectors import Vector

TINY = {"hidden": 16, "capacity": 2000, "batch": 16, "phase_steps": 20, "n_step": 3, "threads": 0}


class Counting(gym.Env):
    """Counts its steps: ends by its rules after `ends`, is cut after `cut`; the reward is the step within the episode."""

    def __init__(self, ends=7, cut=None):
        self.observation_space = gym.spaces.Box(0, 1000, (2,), np.float32)
        self.action_space = gym.spaces.Discrete(2)
        self.ends, self.cut, self.episode, self.taken, self.fail_at = ends, cut, -1, 0, None

    def _seen(self):
        return np.array([self.episode, self.clock], np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.clock = 0
        self.episode += 1
        return self._seen(), {}

    def step(self, action):
        self.clock += 1
        self.taken += 1
        if self.taken == self.fail_at:
            raise RuntimeError("it broke")
        return self._seen(), float(self.clock), self.clock == self.ends, self.clock == self.cut, {}


def vector(kind, mode, count=2, **options):
    return kind([lambda: Counting(**options) for _ in range(count)], autoreset_mode=mode)


TASK = Task(env=None, restart_cost=0.0, ranges=[(0, 1)] * 2)


@pytest.mark.parametrize("kind", [SyncVectorEnv, AsyncVectorEnv])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED])
def test_every_autoreset_shows_the_same_episodes(kind, mode):
    env = Vector(vector(kind, mode, ends=3), TASK)
    seen = [env.reset(1)[0].tolist()]
    lasts, transitions, skip = [], 0, False
    for _ in range(12):
        observations, _, terminated, _, finals = env.step(np.zeros(2, np.int64))
        if skip:  # the round that only restarted
            skip = False
            seen.append(observations[0].tolist())
            continue
        transitions += 1
        if terminated[0]:
            lasts.append(finals[0].tolist())
            skip = mode == AutoresetMode.NEXT_STEP
            if skip:
                continue
        seen.append(observations[0].tolist())
    assert lasts == [[episode, 3] for episode in range(len(lasts))]
    assert seen == [[number // 3, number % 3] for number in range(len(seen))]
    assert transitions == (9 if mode == AutoresetMode.NEXT_STEP else 12)
    env._env.close()


@pytest.mark.parametrize("options", [{"ends": 7}, {"ends": None, "cut": 7}])
def test_costs_and_episodes_are_the_environments(options):
    agents = {}
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED):
        agent = politex.NeuralPolitex(vector(SyncVectorEnv, mode, **options), **TINY).learn(1600)
        summary = agent.summary
        assert summary["learned_return"]["mean"] == 28  # 1 + ... + 7
        # Rounds that only restart are no steps of the policy, and cost nothing.
        counted = summary["segments"]["target"]["steps"]
        assert counted == (1600 - 2 * (800 // 8) if mode == AutoresetMode.NEXT_STEP else 1600)
        assert abs(summary["average_cost"] + 4) < 0.02
        agents[mode] = agent
    np.testing.assert_array_equal(agents[AutoresetMode.SAME_STEP].network(), agents[AutoresetMode.DISABLED].network())


def test_a_single_environment_equals_a_vector_of_one():
    one = politex.NeuralEEPolitex(Counting(), explore=20, **TINY).learn(800)
    other = politex.NeuralEEPolitex(vector(SyncVectorEnv, AutoresetMode.SAME_STEP, 1), explore=20, **TINY).learn(800)
    assert one.summary["signature"] == other.summary["signature"]


def push_left(observation):
    return 0


MAKERS = {
    "single": lambda: politex.NeuralEEPolitex(Counting(), explore=20, **TINY),
    "next_step": lambda: politex.NeuralPolitex(vector(SyncVectorEnv, AutoresetMode.NEXT_STEP, 4), **TINY),
    "ours": lambda: politex.NeuralEEPolitex(
        gym.make("politex/Cartpole-v0"), explorer="energy_pump", explore=100, **TINY
    ),
    # A function as explorer: the environments are stepped by Python calls.
    "our vector": lambda: politex.NeuralEEPolitex(
        gym.make_vec("politex/CartpoleBalance-v0", num_envs=4), explorer=push_left, explore=20, **TINY
    ),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_parts_come_to_the_bits_of_the_whole(kind, tmp_path):
    whole = MAKERS[kind]().learn(2000)
    parts = MAKERS[kind]().learn(600)
    parts.save(tmp_path / "a.politex")
    again = politex.load(tmp_path / "a.politex", env=MAKERS[kind]().env)
    for agent in (parts, again):
        agent.learn(1000).learn(400)
        assert agent.summary["signature"] == whole.summary["signature"]
        assert agent.network() == whole.network()
        assert agent.summary["average_cost"] == whole.summary["average_cost"]


def test_our_environments_give_the_bits_of_the_program(tmp_path):
    file = tmp_path / "run.toml"
    file.write_text(
        'steps = 4000\n[environment]\nname = "cartpole"\n[algorithm]\nname = "neural_ee_politex"\n[explorer]\n'
        'name = "energy_pump"\n[schedule]\nexplore = 100\nphase_steps = 20\n[network]\nhidden = 16\n[replay]\n'
        "capacity = 2000\n[learner]\nbatch = 16\nn_step = 3\n"
    )
    assert MAKERS["ours"]().learn(4000).summary["signature"] == politex.run(file)["signature"]


def test_what_cannot_be_saved_restarts_with_a_warning(tmp_path):
    agent = politex.NeuralPolitex(vector(AsyncVectorEnv, AutoresetMode.NEXT_STEP), **TINY).learn(400)
    agent.save(tmp_path / "a.politex")
    with pytest.raises(politex.Error, match="env"):
        politex.load(tmp_path / "a.politex")
    with pytest.warns(UserWarning, match="starts from a new reset"):
        loaded = politex.load(tmp_path / "a.politex", env=vector(AsyncVectorEnv, AutoresetMode.NEXT_STEP))
    assert loaded.network() == agent.network()
    assert loaded.learn(400).steps == 800


@pytest.mark.parametrize("threads", [0, 2])
def test_threads_change_no_bit_and_do_not_lock(threads):
    alone = politex.NeuralPolitex(vector(SyncVectorEnv, AutoresetMode.SAME_STEP, 4), **TINY).learn(1600)
    agents = [
        politex.NeuralPolitex(vector(SyncVectorEnv, AutoresetMode.SAME_STEP, 4), **{**TINY, "threads": threads})
        for _ in range(2)
    ]
    workers = [threading.Thread(target=agent.learn, args=(1600,)) for agent in agents]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert not worker.is_alive()
    for agent in agents:
        assert agent.summary["signature"] == alone.summary["signature"]


def test_explorers_of_python_and_discrete_observations():
    seen = []

    class Model:
        def predict(self, observation, deterministic=False):
            seen.append(observation)
            return np.int64(1), None

    agent = politex.NeuralEEPolitex(gym.make("FrozenLake-v1"), explorer=Model(), explore=20, **TINY).learn(400)
    assert len(seen) > 50 and all(isinstance(state, int) and 0 <= state < 16 for state in seen)
    assert agent.probabilities(np.arange(16)).shape == (16, 4)
    assert agent.predict(3)[0] in range(4)


def test_a_learned_network_explores_where_the_spaces_are_the_same(tmp_path):
    file = tmp_path / "network.safetensors"
    politex.NeuralPolitex(gym.make("CartPole-v1"), **TINY).learn(400).network(file)
    for kind, settings in ((politex.NeuralEEPolitex, TINY), (politex.EEPolitex, {"explore": 20, "follow": 20})):
        agent = kind(gym.make("CartPole-v1"), explorer=file, **settings).learn(400)
        assert agent.summary["environment"] == "CartPole-v1"
        with pytest.raises(politex.Error, match="network of 4 inputs and 2 actions; accepted: 6 and 3"):
            kind(gym.make("Acrobot-v1"), explorer=file, **settings)


class Pictures(gym.Env):
    """A bright bar at the left or at the right; the action on its side costs nothing."""

    def __init__(self, shape):
        self.observation_space = gym.spaces.Box(0, 255, shape, np.uint8)
        self.action_space = gym.spaces.Discrete(2)

    def picture(self):
        shown = np.zeros((36, 40, 3), np.uint8)
        shown[:, 20 * self.side : 20 * self.side + 20] = (200, 100, 50)
        shape = self.observation_space.shape
        return shown if shape == (36, 40, 3) else np.moveaxis(shown, -1, 0) if shape == (3, 36, 40) else shown[:, :, 0]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.side = int(self.np_random.integers(2))
        return self.picture(), {}

    def step(self, action):
        reward = -float(action != self.side)
        self.side = int(self.np_random.integers(2))
        return self.picture(), reward, False, False, {}


def test_pictures_go_through_convolutions():
    settings = {**TINY, "capacity": 200, "phase_steps": 4}
    signatures, seen = [], []

    def explorer(observation):
        seen.append(observation)
        return 0

    for shape in ((36, 40, 3), (3, 36, 40)):
        agent = politex.NeuralEEPolitex(Pictures(shape), explorer=explorer, explore=4, **settings).learn(64)
        assert seen[-1].shape == shape and seen[-1].dtype == np.uint8 and seen[-1].max() == 200
        assert b'"conv.0.weight":{"dtype":"F32","shape":[32,3,8,8]' in agent.network()
        signatures.append(agent.summary["signature"])
        picture, _ = Pictures(shape).reset(seed=1)
        assert agent.predict(picture)[0] in (0, 1)
        assert agent.predict(np.stack([picture] * 3))[0].shape == (3,)
    assert signatures[0] == signatures[1], "where the colours are makes no difference"
    gray = politex.NeuralPolitex(gym.vector.SyncVectorEnv([lambda: Pictures((36, 40))] * 2), **settings).learn(64)
    assert b'"shape":[32,1,8,8]' in gray.network()
    plain = politex.NeuralPolitex(Pictures((36, 40)), **settings, network_kind="mlp").learn(64)
    assert b"conv.0" not in plain.network()
    same = politex.NeuralPolitex(Pictures((36, 40)), **settings, **{"network.kind": "mlp"}).learn(64)
    assert same.network() == plain.network()
    for kind in ("nature", "mlp"):
        with pytest.raises(politex.Error, match=f'^kind: .*accepted: network_kind="{kind}"'):
            politex.NeuralPolitex(Pictures((36, 40)), kind=kind)
    with pytest.raises(politex.Error, match="network.kind.*natur.*accepted: .*nature"):
        politex.NeuralPolitex(Pictures((36, 40)), network_kind="natur")
    uniform = politex.NeuralPolitex(Pictures((36, 40)), **settings, replay_kind="prioritised", priority_exponent=0.5).learn(64)
    assert uniform.steps == 64


def test_atari_vectors():
    ale = pytest.importorskip("ale_py", reason="ale-py is not installed")
    env = ale.AtariVectorEnv("pong", num_envs=2)
    agent = politex.NeuralPolitex(env, **{**TINY, "capacity": 200, "phase_steps": 4}).learn(96)
    assert agent.steps == 96 and np.isfinite(agent.summary["average_cost"])
    observations, _ = env.reset(seed=3)
    actions, _ = agent.predict(observations)
    assert actions.shape == (2,) and np.all(actions < env.single_action_space.n)
    env.close()


def test_bad_input_and_failures_are_reported():
    with pytest.raises(politex.Error, match="hidden"):
        politex.NeuralPolitex(Counting(), hiden=3)
    with pytest.raises(politex.Error, match="num_envs"):
        politex.NeuralPolitex(vector(SyncVectorEnv, AutoresetMode.SAME_STEP), environments=3)
    with pytest.raises(politex.Error, match="Discrete"):
        politex.NeuralPolitex(gym.make("Pendulum-v1"))
    for threads in (0, 1):
        env = Counting()
        agent = politex.NeuralPolitex(env, **{**TINY, "threads": threads})
        env.fail_at = 100
        with pytest.raises(politex.Error, match="step 100.*it broke") as caught:
            agent.learn(1000, callback=lambda agent: True)
        assert isinstance(caught.value.__cause__, RuntimeError)
        with pytest.raises(politex.Error, match="load"):
            agent.learn(10)
    with pytest.raises(politex.Error, match="explorer"):
        politex.NeuralEEPolitex(Counting(), explorer=lambda observation: 1 / 0, explore=20, **TINY).learn(100)
    with pytest.raises(politex.Error, match="network"):
        agent.weights
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "no phase ended")
        politex.NeuralPolitex(vector(SyncVectorEnv, AutoresetMode.SAME_STEP, 3), **TINY).learn(100)
