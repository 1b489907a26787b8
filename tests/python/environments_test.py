"""Our environments as Gymnasium's own checker and its vector environments see them."""

import copy
import pathlib
import pickle
import re
import tempfile
import threading
import unittest
import warnings

import gymnasium as gym
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import politex
from politex import environments

OPTIONS = {
    "deep_sea": {"size": 6},
    "garnet": {"states": 7, "actions": 3},
    "cartpole": {"episode": 30},
    "cartpole_balance": {"episode": 20},
    "mountain_car": {"episode": 25},
    "acrobot": {"episode": 15},
}


class Case(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        file = pathlib.Path(place.name) / "x.json"
        politex.MDP(np.full((3, 2, 3), 1 / 3), np.arange(6.0).reshape(3, 2)).save(file)
        networks = pathlib.Path(__file__).resolve().parents[2] / "experiments/queues/networks"
        self.options = {**OPTIONS, "finite_mdp": {"file": file}, "queues": {"file": str(networks / "two_queues.toml")}}
        self.names = list(environments.names())

    def make(self, name, **more):
        return gym.make(environments.identifier(name), **self.options.get(name, {}), **more)

    def make_vec(self, name, count, mode="vector_entry_point", **more):
        return gym.make_vec(
            environments.identifier(name), count, vectorization_mode=mode, **self.options.get(name, {}), **more
        )


class Single(Case):
    def test_every_name_is_registered(self):
        for name in (
            "politex/DeepSea-v0",
            "politex/RiverSwim-v0",
            "politex/Garnet-v0",
            "politex/FiniteMDP-v0",
            "politex/Cartpole-v0",
            "politex/CartpoleBalance-v0",
            "politex/MountainCar-v0",
            "politex/Acrobot-v0",
        ):
            self.assertIn(name, gym.registry)
        self.assertGreaterEqual(len(self.names), 8)

    def test_gymnasium_s_checker_has_nothing_to_say(self):
        for name in self.names:
            with self.subTest(name), warnings.catch_warnings():
                warnings.simplefilter("error")
                check_env(self.make(name, render_mode="rgb_array").unwrapped)
                check_env(self.make(name).unwrapped)

    def test_deep_sea_by_hand(self):
        env = gym.make("politex/DeepSea-v0", size=3)
        self.assertEqual((env.observation_space, env.action_space), (gym.spaces.Discrete(9), gym.spaces.Discrete(2)))
        self.assertEqual(env.reset(seed=1), (0, {}))
        walk = [env.step(1)[:4] for _ in range(3)]
        # Right three times: two cells to the right at a cost of 1 each, then the treasure of 2N from the last row.
        self.assertEqual(walk, [(4, -1.0, False, False), (8, -1.0, False, False), (2, 6.0, False, False)])
        self.assertEqual(env.step(0)[0], 4)

    def test_time_limits_truncate_and_never_terminate(self):
        for name in ("cartpole", "cartpole_balance", "mountain_car", "acrobot"):
            env = self.make(name)
            env.reset(seed=1)
            flags = [env.step(t % 2)[2:4] for t in range(self.options[name]["episode"])]
            self.assertEqual(flags[-1], (False, True))
            self.assertEqual(set(flags[:-1]), {(False, False)})
            with self.assertRaisesRegex(politex.Error, "reset"):
                env.step(0)

    def test_a_falling_pole_is_a_restart(self):
        env = gym.make("politex/CartpoleBalance-v0")
        env.reset(seed=1)
        steps = [env.step(1) for _ in range(50)]
        falls = [step for step in steps if step[4]]
        self.assertTrue(falls)
        for observation, reward, terminated, truncated, info in falls:
            self.assertEqual((reward, terminated, truncated, info), (0.0, False, False, {"restarted": True}))
            self.assertLess(np.abs(observation).max(), 0.051)

    def test_seeds(self):
        def walk(env, seed):
            seen = [env.reset(seed=seed)[0]]
            for action in np.random.default_rng(0).integers(env.action_space.n, size=60):
                step = env.step(action)
                seen.append(step[0])
                if step[3]:
                    seen.append(env.reset()[0])
            return np.array(seen)

        for name in self.names:
            env = self.make(name)
            np.testing.assert_array_equal(walk(env, 5), walk(self.make(name), 5))
            if name not in ("deep_sea", "mountain_car"):
                self.assertFalse(np.array_equal(walk(env, 5), walk(env, 6)), name)
        self.assertFalse(np.array_equal(self.make("cartpole").reset()[0], self.make("cartpole").reset()[0]))

    def test_state_goes_round(self):
        for name in self.names:
            env = self.make(name).unwrapped
            env.reset(seed=3)
            for _ in range(7):
                env.step(1)
            state = env.get_state()
            others = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env), self.make(name).unwrapped]
            others[-1].set_state(state)
            futures = []
            for one in [env, *others]:
                futures.append([(np.asarray(o).tolist(), r) for o, r, _, _, _ in (one.step(k % 2) for k in range(7))])
            for future in futures[1:]:
                self.assertEqual(future, futures[0], name)
            for at in range(16, 16 + 48, 8) if env.model is None else ():
                try:
                    env.set_state(state[:at] + np.float64(1e300).tobytes() + state[at + 8 :])
                    env.step(0)  # taken or refused: never a hang
                except politex.Error:
                    pass
            for damaged in (b"", state[:-1], state + b"x", bytes(len(state)), b"\xff" * len(state)):
                with self.assertRaises(politex.Error, msg=name):
                    env.set_state(damaged)

    def test_of_an_mdp(self):
        env = politex.MDP(np.eye(2)[[[1, 0], [0, 1]]], [[1, 2], [3, 4]], 1).env("rgb_array")
        self.assertEqual(env.reset()[0], 1)
        self.assertEqual([env.step(a)[:2] for a in (0, 0, 1)], [(0, -3.0), (1, -1.0), (1, -4.0)])
        self.assertEqual(politex.exact(env)["states"], 2)
        self.assertEqual(env.render().dtype, np.uint8)

    def test_pictures_differ(self):
        for name in self.names:
            env = self.make(name, render_mode="rgb_array")
            env.reset(seed=1)
            first = env.render()
            for _ in range(10):
                env.step({"cartpole": 2, "replacement": 0}.get(name, 1))  # actions that move the state
            self.assertEqual((first.ndim, first.shape[2], first.dtype), (3, 3, np.uint8))
            self.assertFalse(np.array_equal(first, env.render()), name)

    def test_bad_input(self):
        for options, pattern in (
            ({"size": 1}, "environment.size"),
            ({"sise": 3}, "nearest|size"),
            ({"branching": 2}, "branching"),
            ({"render_mode": "human"}, "render_mode"),
            ({"algorithm": "politex"}, "not an option|unknown"),
        ):
            with self.assertRaisesRegex(politex.Error, pattern):
                environments.Environment("deep_sea", **options)
        with self.assertRaisesRegex(politex.Error, "deep_see"):
            environments.Environment("deep_see")
        env = environments.Environment("deep_sea")
        with self.assertRaisesRegex(politex.Error, "reset"):
            env.step(0)
        env.reset()
        for action in (2, -1, 0.5, "a", None, 2**80, np.array([0, 1])):
            with self.assertRaisesRegex(politex.Error, "action"):
                env.step(action)
        self.assertEqual(env.step(np.int64(1))[0], 21)


class AgainstGymnasium(unittest.TestCase):
    """The rules of the classic tasks are Gymnasium's: its own code, put into our state, makes the same step."""

    def follow(self, name, original, state_of, steps, actions, tolerance):
        ours, theirs = gym.make(f"politex/{name}-v0", episode=10**6).unwrapped, gym.make(original).unwrapped
        seen, _ = ours.reset(seed=4)
        theirs.reset(seed=4)
        ends = 0
        for t in range(steps):
            theirs.state = state_of(seen)
            theirs.steps_beyond_terminated = None
            action = actions(t, seen)
            expected = theirs.step(action)
            seen, reward, _, _, info = ours.step(action)
            self.assertEqual(bool(info), expected[2], f"{name} at step {t}")
            if info:
                ends += 1
                self.assertEqual(reward, 0.0)
            else:
                np.testing.assert_allclose(np.asarray(state_of(seen)), np.asarray(theirs.state), rtol=0, atol=tolerance)
                self.assertEqual(reward, expected[1])
        self.assertGreater(ends, 0)

    def test_cartpole(self):
        self.follow("CartpoleBalance", "CartPole-v1", lambda seen: tuple(seen), 500, lambda t, seen: t // 7 % 2, 1e-12)

    def test_mountain_car(self):
        self.follow(
            "MountainCar",
            "MountainCar-v0",
            lambda seen: (seen[0] - 0.5, seen[1] * 0.07),
            600,
            lambda t, seen: 2 if seen[1] >= 0 else 0,
            1e-12,
        )

    def test_acrobot(self):
        def state(seen):
            return np.array(
                [np.arctan2(seen[1], seen[0]), np.arctan2(seen[3], seen[2]), seen[4] * 4 * np.pi, seen[5] * 9 * np.pi]
            )

        # Angles come back from their sines: a few bits are lost there.
        self.follow("Acrobot", "Acrobot-v1", state, 600, lambda t, seen: 0 if seen[4] >= 0 else 2, 1e-9)


class Pages(Case):
    """docs/guide/problems: a page per problem, with its Gymnasium id and keys that exist."""

    def test_every_page_makes_its_environment(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        pages = sorted((root / "docs/guide/problems").glob("*.md"))
        self.assertEqual(len(pages), 7)
        for page in pages:
            text = page.read_text(encoding="utf-8")
            call = re.search(r"gymnasium\.make\((.*)\)`", text)
            self.assertIsNotNone(call, page.name)
            code = call[1].replace('file="', f'file="{root}/experiments/queues/networks/')
            env = eval(f"gym.make({code})")  # the page's own words
            self.assertEqual(environments.identifier(page.stem), env.spec.id, page.name)
            self.assertTrue(page.with_suffix(".svg").exists() and f"({page.stem}.svg)" in text, page.name)
            for part in ("**States**", "**Actions**", "**Source**", "optimum"):
                self.assertIn(part, text, page.name)
            keys = {key for key, *_ in politex._core.environment_options(page.stem)}
            shown = set(re.findall(r"^\| `(\w+)`", text, re.M)) & keys
            self.assertTrue(shown, page.name)
            self.assertFalse(env.reset(seed=1)[0] < 0)


class Vector(Case):
    def same(self, name, autoreset, count=5, steps=80):
        ours = self.make_vec(name, count, autoreset_mode=autoreset)
        theirs = self.make_vec(name, count, "sync", vector_kwargs={"autoreset_mode": autoreset})
        self.assertIsInstance(ours, environments.VectorEnvironment)
        self.assertEqual(ours.metadata["autoreset_mode"], theirs.metadata["autoreset_mode"])
        self.assertEqual((ours.observation_space, ours.action_space), (theirs.observation_space, theirs.action_space))
        (a, _), (b, _) = ours.reset(seed=11), theirs.reset(seed=11)
        np.testing.assert_array_equal(a, b)
        self.assertEqual(a.dtype, b.dtype)
        rng = np.random.default_rng(1)
        for t in range(steps):
            actions = rng.integers(ours.single_action_space.n, size=count)
            if autoreset == AutoresetMode.DISABLED and t and mine[3].any():
                np.testing.assert_array_equal(
                    ours.reset(options={"reset_mask": mine[3]})[0], theirs.reset(options={"reset_mask": mine[3]})[0]
                )
            mine, gymnasiums = ours.step(actions), theirs.step(actions)
            for x, y in zip(mine[:4], gymnasiums[:4], strict=True):
                np.testing.assert_array_equal(x, y, f"{name} at step {t}")
                self.assertEqual(x.dtype, y.dtype)
                self.assertTrue(x.flags.owndata)
            self.assertEqual(mine[4].keys(), gymnasiums[4].keys())
            for key in mine[4]:
                for x, y in zip(mine[4][key], gymnasiums[4][key], strict=True):
                    np.testing.assert_array_equal(x, y)

    def test_as_gymnasium_s_own_vector(self):
        for name in self.names:
            for mode in AutoresetMode:
                with self.subTest(name=name, mode=mode):
                    self.same(name, mode)

    def test_a_block_of_ours_is_the_default(self):
        self.assertIsInstance(gym.make_vec("politex/Cartpole-v0", num_envs=2), environments.VectorEnvironment)

    def test_in_processes_of_gymnasium(self):
        env = self.make_vec("garnet", 2, "async")
        self.addCleanup(env.close)
        ours = self.make_vec("garnet", 2)
        np.testing.assert_array_equal(env.reset(seed=3)[0], ours.reset(seed=3)[0])
        for _ in range(5):
            np.testing.assert_array_equal(env.step(np.array([0, 1]))[0], ours.step(np.array([0, 1]))[0])

    def test_views(self):
        env = self.make_vec("cartpole", 3, copy=False)
        first, _ = env.reset(seed=1)
        second = env.step(np.zeros(3, int))[0]
        self.assertIs(first, second)
        del env
        self.assertTrue(np.isfinite(second).all())

    def test_pickles_go_on(self):
        for name in self.names:
            env = self.make_vec(name, 4)
            env.reset(seed=2)
            env.step(np.ones(4, int))
            again = pickle.loads(pickle.dumps(env))
            for _ in range(20):
                for x, y in zip(env.step(np.ones(4, int))[:4], again.step(np.ones(4, int))[:4], strict=True):
                    np.testing.assert_array_equal(x, y)

    def test_actions_of_every_type(self):
        env = self.make_vec("deep_sea", 4)
        env.reset(seed=1)
        for dtype in (np.int8, np.int32, np.uint64, np.int64, bool):
            env.reset()
            self.assertEqual(env.step(np.array([0, 1, 0, 1, 1, 1, 1, 1], dtype)[::2][:4])[0].tolist(), [6, 6, 7, 7])
        self.assertEqual(env.step([0, 0, 0, 0])[0].shape, (4,))

    def test_bad_input(self):
        env = self.make_vec("deep_sea", 4)
        env.reset()
        for actions in (
            np.zeros(3, int),
            np.zeros((4, 1), int),
            np.zeros(4),
            np.array([0, 0, 0, 2]),
            None,
            1,
            ["a"] * 4,
            [0, 1, 0, -1],
        ):
            with self.assertRaises(politex.Error):
                env.step(actions)
        for seed in (-1, [1, 2], [1, 2, 3, -4]):
            with self.assertRaises(politex.Error):
                env.reset(seed=seed)
        for count in (0, -1, 10**9):
            with self.assertRaises(politex.Error):
                self.make_vec("deep_sea", count)
        with self.assertRaises(politex.Error):
            env.reset(options={"reset_mask": [1, 0]})

    def test_threads_on_one_block(self):
        env = self.make_vec("acrobot", 16)
        env.reset(seed=1)
        failures = []

        def work():
            try:
                for _ in range(300):
                    env.step(np.ones(16, int))
                    env.get_state()
                    env.reset()
            except Exception as error:  # noqa: BLE001
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_pictures(self):
        env = self.make_vec("river_swim", 2, render_mode="rgb_array")
        env.reset(seed=1)
        self.assertEqual(len(env.render()), 2)


if __name__ == "__main__":
    unittest.main()
