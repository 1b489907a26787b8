"""politex.MDP and politex.exact: against closed forms, against linear programming, and with bad input."""

import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest

import gymnasium as gym
import numpy as np

import politex

try:
    import scipy.optimize
    import scipy.sparse
except ImportError:
    scipy = None


def random_mdp(rng, states, actions, successors):
    P = np.zeros((states, actions, states))
    for x in range(states):
        for a in range(actions):
            P[x, a, rng.choice(states, successors, replace=False)] = rng.dirichlet(np.ones(successors))
    return P, rng.normal(size=(states, actions))


def least_gain(P, cost, start):
    """The dual program of average costs in its multichain form (Puterman 9.3): mass x in the long run, y on the way."""
    states, actions, _ = P.shape
    flow = np.repeat(np.eye(states), actions, axis=0).T - P.reshape(-1, states).T
    stay = np.repeat(np.eye(states), actions, axis=0).T
    pairs = states * actions
    solved = scipy.optimize.linprog(
        np.concatenate([cost.ravel(), np.zeros(pairs)]),
        A_eq=np.block([[flow, np.zeros((states, pairs))], [stay, flow]]),
        b_eq=np.concatenate([np.zeros(states), np.eye(states)[start]]),
        method="highs",
    )
    assert solved.status == 0, solved.message
    return solved.fun


class Answers(unittest.TestCase):
    def test_two_states(self):
        # Stay or change for certain; state 1 is free. The bias is taken with stationary mean 0.
        P = np.array([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], float)
        answer = politex.exact(politex.MDP(P, np.array([[1, 3], [0, 0]])))
        self.assertAlmostEqual(answer["optimal_gain"], 0)
        self.assertEqual(answer["optimal_policy"].tolist(), [1, 0])
        np.testing.assert_allclose(answer["bias"], [3, 0], atol=1e-12)
        np.testing.assert_allclose(answer["stationary"], [0, 1], atol=1e-12)

    def test_evaluation_is_the_chain_s_own(self):
        P, cost = random_mdp(np.random.default_rng(1), 6, 3, 6)
        policy = np.random.default_rng(2).dirichlet(np.ones(3), size=6)
        answer = politex.exact(politex.MDP(P, cost), policy)
        chain, c = np.einsum("xa,xay->xy", policy, P), (policy * cost).sum(1)
        distribution = np.linalg.matrix_power(chain, 200)[0]
        np.testing.assert_allclose(answer["stationary"], distribution, atol=1e-12)
        self.assertAlmostEqual(answer["gain"], distribution @ c, places=12)
        np.testing.assert_allclose(answer["bias"], c - answer["gain"] + chain @ answer["bias"], atol=1e-10)
        self.assertAlmostEqual(distribution @ answer["bias"], 0, places=10)
        tau = max(
            0.5 * np.abs(P[x, a] - P[y, b]).sum()
            for x in range(6)
            for y in range(6)
            if x != y
            for a in range(3)
            for b in range(3)
        )
        self.assertAlmostEqual(answer["kappa"], -1 / np.log(tau), places=9)

    @unittest.skipIf(scipy is None, "SKIPPED: SciPy is not installed")
    def test_a_hundred_random_mdps_against_linprog(self):
        for seed in range(100):
            rng = np.random.default_rng(seed)
            states, actions = int(rng.integers(2, 12)), int(rng.integers(1, 4))
            P, cost = random_mdp(rng, states, actions, int(rng.integers(1, min(states, 4) + 1)))
            start = int(rng.integers(states))
            answer = politex.exact(politex.MDP(P, cost, start))
            self.assertAlmostEqual(answer["optimal_gain"], least_gain(P, cost, start), places=8, msg=f"seed {seed}")
            self.assertAlmostEqual(answer["gain"], answer["optimal_gain"], places=9)

    def test_as_the_program_says(self):
        answer = politex.exact(politex._core.FiniteModel.shipped("deep_sea", {"size": 5}), "always:1")
        self.assertAlmostEqual(answer["gain"], -(1 + 1 / 5))
        self.assertAlmostEqual(answer["optimal_gain"], -1.6)
        program = os.environ.get("POLITEX_PROGRAM") or pathlib.Path(sys.executable).parent / "politex"
        if not pathlib.Path(program).exists():
            self.skipTest("SKIPPED: no program next to this python")
        said = json.loads(
            subprocess.run(
                [program, "exact", "deep_sea", "size=5", "--policy", "always:1", "--json"],
                check=True,
                capture_output=True,
            ).stdout
        )
        self.assertEqual(said.keys(), answer.keys())
        for key, value in said.items():
            ours = answer[key]
            self.assertEqual(ours.tolist() if isinstance(ours, np.ndarray) else ours, value, key)


class Forms(unittest.TestCase):
    def same(self, a, b):
        for name in ("first", "next", "probability", "cost"):
            np.testing.assert_array_equal(getattr(a.model, name), getattr(b.model, name))

    def test_every_form_of_p(self):
        P, cost = random_mdp(np.random.default_rng(3), 5, 2, 3)
        mdp = politex.MDP(P, cost)
        np.testing.assert_array_equal(mdp.P, P)
        self.same(mdp, politex.MDP(P.tolist(), cost.tolist()))
        self.same(mdp, politex.MDP(P.reshape(10, 5), cost))
        self.same(mdp, politex.MDP([P[:, 0], P[:, 1]], cost))
        self.same(mdp, politex.MDP(np.asfortranarray(P), np.asfortranarray(cost)))
        self.same(mdp, politex.MDP(np.repeat(P, 2, axis=0)[::2], cost))

    @unittest.skipIf(scipy is None, "SKIPPED: SciPy is not installed")
    def test_sparse(self):
        P, cost = random_mdp(np.random.default_rng(4), 5, 2, 3)
        mdp = politex.MDP(P, cost)
        for form in (scipy.sparse.csr_matrix, scipy.sparse.csc_array, scipy.sparse.coo_array, scipy.sparse.lil_matrix):
            self.same(mdp, politex.MDP([form(P[:, a]) for a in range(2)], cost))
            self.same(mdp, politex.MDP(form(P.reshape(10, 5)), cost))
        with self.assertRaisesRegex(politex.Error, "action 1 is"):
            politex.MDP([scipy.sparse.eye(5), scipy.sparse.eye(4)], cost)

    def test_item_sizes_and_strides(self):
        # An old pybind11 reads NumPy 2's item sizes as 0: costs of several types and layouts come back the same.
        P = np.tile(np.eye(4)[:, None], (1, 3, 1))
        cost = np.arange(12.0).reshape(4, 3)
        for dtype in (np.int8, np.int32, np.uint16, np.float32, np.float64, np.dtype(">f8"), np.longdouble):
            seen = politex.MDP(P.astype(np.float32), cost.astype(dtype)).cost
            np.testing.assert_array_equal(seen, cost)
            self.assertEqual((seen.dtype, seen.itemsize, seen.strides), (np.float64, 8, (24, 8)))
        big = np.arange(48.0).reshape(8, 6)
        np.testing.assert_array_equal(politex.MDP(P, big[::2, ::2]).cost, big[::2, ::2])
        np.testing.assert_array_equal(politex.MDP(P, cost[::-1, ::-1]).cost, cost[::-1, ::-1])

    def test_views_keep_their_owner_and_are_read_only(self):
        cost = politex.MDP(np.ones((1, 1, 1)), [[2.0]]).cost
        self.assertEqual(cost.tolist(), [[2.0]])
        with self.assertRaises(ValueError):
            cost[0, 0] = 1

    def test_save_load_and_pickle(self):
        P, cost = random_mdp(np.random.default_rng(5), 4, 2, 2)
        mdp = politex.MDP(P, cost, 3, axes=[[0, 0, 1, 1], np.array([0, 1, 0, 1])])
        with tempfile.TemporaryDirectory() as place:
            file = pathlib.Path(place) / "x.json"
            mdp.save(file)
            loaded = politex.MDP.load(file)
            summary = politex.run(self.configuration(place, file))
            arrays = pathlib.Path(place) / "x.npz"
            mdp.save(arrays)
            loaded_arrays = politex.MDP.load(arrays)
            with np.load(arrays) as parts:
                np.testing.assert_array_equal(parts["cost"], cost)
                self.assertEqual(parts["shape"].tolist(), [8, 4])
                np.savez_compressed(arrays, **parts)
            self.assertEqual(politex.run(self.configuration(place, arrays))["signature"], summary["signature"])
        for again in (loaded, loaded_arrays, pickle.loads(pickle.dumps(mdp))):
            self.same(mdp, again)
            self.assertEqual((again.start, again.model.axes), (3, [[0, 0, 1, 1], [0, 1, 0, 1]]))
        self.assertAlmostEqual(summary["optimal_gain"], politex.exact(mdp)["optimal_gain"], places=12)
        with self.assertRaises(politex.Error):
            politex.MDP.load("/nowhere/x.json")

    def configuration(self, place, file):
        toml = pathlib.Path(place) / "x.toml"
        toml.write_text(f'steps = 5000\n[environment]\nname = "finite_mdp"\nfile = "{file}"\n')
        return toml


class ToyText(unittest.TestCase):
    def simulate(self, env, policy, steps, seed):
        state, _ = env.reset(seed=seed)
        total = 0.0
        for _ in range(steps):
            state, reward, terminated, truncated, _ = env.step(int(policy[state]))
            total += reward
            if terminated or truncated:
                state, _ = env.reset()
        return total / steps

    def test_frozen_lake(self):
        env = gym.make("FrozenLake-v1", max_episode_steps=10**9)
        mdp = politex.MDP.from_gymnasium(env)
        self.assertEqual((mdp.states, mdp.actions, mdp.start), (16, 4, 0))
        answer = politex.exact(mdp)
        mean = self.simulate(env, answer["optimal_policy"], 40_000, 1)
        # The batch means' standard error of 40,000 steps is about .0007: 5 of them.
        self.assertAlmostEqual(mean, -answer["optimal_gain"], delta=0.0035)

    def test_taxi_and_cliff_walking(self):
        taxi = politex.exact(gym.make("Taxi-v4" if "Taxi-v4" in gym.registry else "Taxi-v3"))
        self.assertGreater(-taxi["optimal_gain"], 0.4)  # about 20 for a dozen steps at -1
        cliff = politex.exact(gym.make("CliffWalking-v1" if "CliffWalking-v1" in gym.registry else "CliffWalking-v0"))
        self.assertAlmostEqual(cliff["optimal_gain"], 1.0)  # every step costs 1, whatever happens

    def test_damaged_tables(self):
        class Table(gym.Env):
            initial_state_distrib = [1.0, 0.0]

            def __init__(self, table):
                self.P = table

        good = {0: {0: [(1.0, 1, 0.0, False)]}, 1: {0: [(1.0, 0, 1.0, True)]}}
        self.assertAlmostEqual(politex.exact(Table(good))["gain"], -0.5)
        for damaged in (
            {},
            {0: {0: [(1.0, 1, 0.0, False)]}, 1: {}},
            {0: {0: [(1.0, 2, 0.0, False)]}, 1: good[1]},
            np.eye(2),
            3,
            {0: {0: [(0.5, 1, 0.0, False)]}, 1: good[1]},
            {0: {0: [(1.0, 1, None, False)]}, 1: good[1]},
            {0: {0: [(1.0, -1, 0.0, False)]}, 1: good[1]},
            {0: {0: [(1.0, 1, np.nan, False)]}, 1: good[1]},
            {0: {0: []}, 1: good[1]},
            {0: {0: [(1.0, 1)]}, 1: good[1]},
        ):
            with self.assertRaises(politex.Error, msg=str(damaged)):
                politex.MDP.from_gymnasium(Table(damaged))

    def test_no_table(self):
        with self.assertRaisesRegex(politex.Error, "table P"):
            politex.MDP.from_gymnasium(gym.make("CartPole-v1"))
        with self.assertRaisesRegex(politex.Error, "is not finite"):
            politex.exact(gym.make("CartPole-v1"))


class BadInput(unittest.TestCase):
    def refused(self, pattern, *arguments, key=None, **options):
        with self.assertRaisesRegex(politex.Error, pattern) as caught:
            politex.MDP(*arguments, **options)
        if key:
            self.assertEqual(caught.exception.key, key)

    def test_shapes(self):
        good = np.ones((2, 1, 2)) / 2
        self.refused(r"\(2, 3, 4\)", np.ones((2, 3, 4)), np.ones((2, 3)), key="P")
        self.refused(r"\(3,\)", np.ones(3), [1.0], key="P")
        self.refused("shape is", np.zeros((0, 1, 0)), np.zeros((0, 1)))
        self.refused(r"\(5, 2\)", np.ones((5, 2)) / 2, np.ones((2, 1)))
        self.refused(r"accepted: \(states, actions\) = \(2, 1\)", good, np.ones((3, 3)), key="cost")
        self.refused("array of numbers", "text", np.ones((2, 1)))
        self.refused("array of numbers", [[1], [2, 3]], np.ones((2, 1)))
        self.refused("array of numbers", good * 1j, np.ones((2, 1)))
        self.refused("array of numbers", good, None, key="cost")

    def test_numbers(self):
        good, cost = np.ones((2, 1, 2)) / 2, np.zeros((2, 1))
        self.refused(
            "state 1 by action 0 to state 1 is nan", np.where(np.arange(4).reshape(2, 1, 2) == 3, np.nan, good), cost
        )
        self.refused("is -0.5", [[[-0.5, 1.5]], [[0, 1]]], cost)
        self.refused(r"state 0 by action 0 sum to 0\.9", [[[0.4, 0.5]], [[0, 1]]], cost)
        self.refused("is inf", good, [[1.0], [np.inf]], key="cost")
        self.refused("accepted: 0 to 1", good, cost, 2, key="start")
        self.refused("accepted: 0 to 1", good, cost, "a", key="start")
        self.refused("one per state", good, cost, axes=[[1, 2, 3]], key="axes")
        self.refused("coordinate is -1", good, cost, axes=[[0, -1]], key="axes")

    def test_policies(self):
        mdp = politex.MDP(np.ones((2, 2, 2)) / 2, np.zeros((2, 2)))
        for policy, pattern in (
            ([0, 2], "not 0 to 1"),
            ([[1, 0]], "shape"),
            ([[1, 0], [0.5, 0.4]], "state 1"),
            ([[1, 0], [np.nan, 1]], "state 1"),
            ("nobody", "neither a policy nor a file"),
            (3, "shape"),
        ):
            with self.assertRaisesRegex(politex.Error, pattern):
                politex.exact(mdp, policy)
        with self.assertRaisesRegex(politex.Error, "row per state"):
            politex.exact(mdp, features=np.ones((3, 2)))
        with self.assertRaisesRegex(politex.Error, "finite"):
            politex.exact(mdp, features=[[np.nan], [1]])
        for nothing in (None, 3, "deep_sea", object()):
            with self.assertRaises(politex.Error):
                politex.exact(nothing)

    def test_damaged_pickles(self):
        model = politex.MDP(np.ones((2, 1, 2)) / 2, np.zeros((2, 1))).model
        state = list(model.__getstate__())
        for at, damage in ((5, np.array([0, 9, 4])), (6, np.array([0, 7, 0, 1], np.int32)), (7, np.zeros(4)), (3, 5)):
            broken = list(state)
            broken[at] = damage
            with self.assertRaises((ValueError, TypeError)):
                type(model).__new__(type(model)).__setstate__(tuple(broken))

    def test_threads(self):
        mdp = politex.MDP(*random_mdp(np.random.default_rng(6), 30, 3, 5))
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(politex.exact(mdp)["gain"])) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(answers), 8)
        self.assertEqual(len(set(answers)), 1)


if __name__ == "__main__":
    unittest.main()
