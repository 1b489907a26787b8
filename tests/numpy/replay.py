#!/usr/bin/env python3
"""Algorithm 1 with every estimator, RLSVI and LSPI in plain NumPy, replayed on transitions that the C++ loop recorded.

Usage: replay.py RECORDER                 compare; the exit status is 1 where anything differs
       replay.py --self-check RECORDER    damage the record in many ways: each damage must be noticed
"""
import copy
import json
import subprocess
import sys

import numpy as np

TOLERANCE = 1e-9


class Run:
    """One recorded run: its input (options, features, lengths) and the transitions of every phase."""

    def __init__(self, record):
        self.__dict__.update(record)
        self.psi = np.array(record["features"])  # one row per pair
        self.cost = np.array(record["cost"])
        self.m, self.explore, self.probe, self.follow = record["lengths"]
        self.rollout = self.explore + self.probe + self.follow

    def q(self, weights):
        return (self.psi @ weights).reshape(self.states, self.actions)


def boltzmann(q, eta):
    """pi(a|x) ~ exp(-eta Q(x, a)); the minimum of each row of Q is subtracted to avoid overflow."""
    p = np.exp(-eta * (q - q.min(axis=1, keepdims=True)))
    return p / p.sum(axis=1, keepdims=True)


def epsilon_greedy(q, epsilon):
    best = (q == q.min(axis=1, keepdims=True)).astype(float)
    return (1 - epsilon) * best / best.sum(axis=1, keepdims=True) + epsilon / q.shape[1]


def ridge_regression(x, y, ridge):
    """Least squares on [X; sqrt(ridge) I] instead of normal equations; ridge 0 gives the minimum-norm solution."""
    d = x.shape[1]
    x, y = np.vstack([x, np.sqrt(ridge) * np.eye(d)]), np.concatenate([y, np.zeros(d)])
    return np.linalg.lstsq(x, y, rcond=1e-10)[0]


def rollouts(run, pairs, costs):
    """(x_j, a_j) and the target's pairs, with their costs, without those of the explorer."""
    for j in range(run.m):
        kept = slice(j * run.rollout + run.explore, (j + 1) * run.rollout)
        yield pairs[kept], costs[kept]


def phase_average(run, costs):
    return np.mean([costs[j * run.rollout + run.explore + run.probe : (j + 1) * run.rollout] for j in range(run.m)])


def lsmc(run, phase, pi, last):
    """Regress the returns of the visited pairs on their features."""
    o, rows, visited, targets = run.options, [], [], []
    for pairs, costs in rollouts(run, phase["pairs"], phase["costs"]):
        mean = {"phase": phase_average(run, phase["costs"]), "rollout": np.mean(costs[run.probe :]),
                "last_cost": costs[-1]}[o["average"]]
        seen = set()
        for t, pair in enumerate(pairs):
            if o["visits"] == "one" and t > 0:
                break
            who = pair if o["path"] == "compiled" else tuple(run.psi[pair])
            again = who in seen
            seen.add(who)
            if o["visits"] == "first" and again:
                continue
            horizon = o["horizon"] if o["horizon"] > 0 and o["visits"] != "one" else len(pairs) - t
            if t + horizon > len(pairs):
                continue
            rows.append(run.psi[pair])
            visited.append(pair // run.actions)
            targets.append(sum(c - mean for c in costs[t : t + horizon]))
    rows = np.array(rows)
    targets = np.array(targets) - (np.mean(targets) if o["baseline"] != "none" else 0.0)
    if o["baseline"] == "state":
        phi = run.psi.reshape(run.states, run.actions, -1).mean(axis=1)
        if o["features"] != "per_pair":  # one block per action: fold them onto each other
            phi = phi.reshape(run.states, run.actions, -1).sum(axis=1)
        x = phi[visited]
        targets = targets - x @ ridge_regression(x, targets, 0.01)
    ridge = np.count_nonzero(rows) / rows.shape[1] if o["ridge_by_count"] else o["ridge"]
    return ridge_regression(rows, targets, ridge)


def lspe(run, phase, pi, last):
    """The projected Bellman equation on the target's transitions, expectation over pi at the next state."""
    o, pairs, states = run.options, phase["pairs"], phase["states"]
    target = [t for t in range(len(pairs)) if t % run.rollout >= run.explore + run.probe]
    x = run.psi[[pairs[t] for t in target]]
    cube = run.psi.reshape(run.states, run.actions, -1)
    following = np.array([pi[states[t + 1]] @ cube[states[t + 1]] for t in target])
    c = np.array([phase["costs"][t] for t in target])
    a, b, one = x.T @ (x - following), x.T @ (c - c.mean()), np.eye(x.shape[1])
    if o["lspe"] == "iterated":
        w = last.copy()
        for _ in range(o["iterations"]):
            w += o["step"] * np.linalg.solve(x.T @ x + o["ridge"] * one, b - a @ w)
        return w
    return np.linalg.pinv(a, rcond=1e-10) @ b if o["solve"] == "min_norm" else np.linalg.solve(a + o["ridge"] * one, b)


def pooled(phases):
    """Pairs and next states of all phases so far."""
    return (np.concatenate([p["pairs"] for p in phases]), np.concatenate([p["states"][1:] for p in phases]),
            np.concatenate([p["costs"] for p in phases]))


def rlsvi(run, phases, w):
    """One backup with the values of the last sample, relative to the start state; then a sample of the posterior."""
    o, (pairs, following, costs) = run.options, pooled(phases)
    values = run.q(w).min(axis=1)
    targets = costs - np.mean(phases[-1]["costs"]) + values[following] - values[run.start]
    x = run.psi[pairs]
    precision = o["prior"] * np.eye(x.shape[1]) + x.T @ x / o["noise"] ** 2
    factor = np.linalg.cholesky(precision)
    mean = np.linalg.solve(precision, x.T @ targets / o["noise"] ** 2)
    return mean + np.linalg.solve(factor.T, phases[-1]["normals"])


def lspi(run, phases, w):
    """LSTD-Q of the policy that is epsilon-greedy in the last Q; the average cost is the last unknown."""
    pairs, following, costs = pooled(phases)
    epsilon, greedy = run.options["epsilon"], run.q(w).argmin(axis=1)
    x, after = run.psi[pairs], (1 - epsilon) * run.psi[following * run.actions + greedy[following]]
    after = after + epsilon * np.mean([run.psi[following * run.actions + a] for a in range(run.actions)], axis=0)
    d, one = x.shape[1], np.ones((len(pairs), 1))
    a = np.hstack([x, one]).T @ np.hstack([x - after, one])
    a[:d, :d] += run.options["ridge"] * np.eye(d)
    return np.linalg.solve(a, np.hstack([x, one]).T @ costs)[:d]


class Differs(Exception):
    pass


def same(what, got, expected):
    got, expected = np.asarray(got, dtype=float), np.asarray(expected, dtype=float)
    scale = max(1.0, np.abs(expected).max(initial=0.0))
    if got.shape != expected.shape or not np.abs(got - expected).max(initial=0.0) <= TOLERANCE * scale:
        raise Differs(what)


def walk_is_legal(run, phase, pi, state, whole):
    """States are consecutive; explorer, probe and target act at the right steps; costs are those of the environment."""
    same("length", len(phase["pairs"]), run.m * run.rollout if whole else run.follow)
    same("first state", phase["states"][0], state)
    same("costs", phase["costs"], run.cost[phase["pairs"]])
    for t, pair in enumerate(phase["pairs"]):
        place, (x, a) = t % run.rollout, divmod(pair, run.actions)
        if place < run.explore and a != 1:
            raise Differs("the explorer always takes action 1")
        if place >= run.explore + run.probe and pi[x, a] == 0:
            raise Differs("an action of probability 0")


def replay(record):
    """Raises Differs if NumPy and the record disagree."""
    run = Run(record)
    o, d = run.options, run.psi.shape[1]
    politex = o["algorithm"] in ("ee_politex", "politex")
    weights = np.array(run.prior_normals) / np.sqrt(o["prior"]) if o["algorithm"] == "rlsvi" else np.zeros(d)
    newest, state, done, total = np.zeros(d), run.start, [], []
    for i, phase in enumerate(run.phases):
        whole = i + 1 < len(run.phases)  # the last phase is incomplete: played, not learned from
        phase["states"] = [pair // run.actions for pair in phase["pairs"]] + [phase["last_state"]]
        q = run.q(weights)
        pi = boltzmann(q, o["eta"]) if politex else epsilon_greedy(q, o["epsilon"] if o["algorithm"] == "lspi" else 0.0)
        if o["path"] == "compiled":
            same(f"policy of phase {i}", phase["policy"], pi.ravel())
        else:
            same(f"policy of phase {i}", phase["policy_met"], pi[phase["states"]].ravel())
        walk_is_legal(run, phase, pi, state, whole)
        done.append(phase)
        if whole and politex:
            newest = {"lsmc": lsmc, "lspe": lspe}[o["estimator"]](run, phase, pi, newest)
            weights = weights + newest
        elif whole:
            weights = newest = {"rlsvi": rlsvi, "lspi": lspi}[o["algorithm"]](run, done, weights)
        same(f"newest weights of phase {i}", phase["newest"], newest)
        same(f"weights after phase {i}", phase["weights"], weights)
        weights, newest = np.array(phase["weights"]), np.array(phase["newest"])  # so that rounding errors do not accumulate
        state, total = phase["last_state"], total + phase["costs"]
    same("average cost", record["average_cost"], np.mean(total))


def damages(record):
    """Copies of a run with one error each: a weight, probability or cost off by a millionth, a pair, an option."""
    for i in (0, len(record["phases"]) - 2):
        for key in ("newest", "weights", "policy", "policy_met", "costs", "pairs"):
            if record["phases"][i][key]:
                broken = copy.deepcopy(record)
                values = broken["phases"][i][key]
                at = record["lengths"][1]  # the first step after exploration
                values[at] = values[at] ^ 1 if key == "pairs" else values[at] + 1e-6 * np.abs(values).max(initial=1.0)
                yield f"phase {i}: {key}", broken
    o = record["options"]
    if not np.any(np.abs(record["phases"][-1]["weights"]) > 1e-9):
        return  # one-visit with the rollout's mean and no probe learns nothing for any options
    changes = {"ridge": o["ridge"] + 0.01} if o["algorithm"] != "rlsvi" else {"noise": o["noise"] * 1.01, "prior": 0.51}
    if o["ridge_by_count"]:
        changes = {"ridge_by_count": False}
    if o["algorithm"] == "lspi":
        changes["epsilon"] = 0.06
    if "politex" in o["algorithm"]:
        changes["eta"] = 0.31
        if o["estimator"] == "lsmc" and o["visits"] != "one":  # the phase mean may already centre one-visit returns
            changes["baseline"] = "mean" if o["baseline"] == "none" else "none"
    if o.get("solve") == "min_norm" or o["lspe"] == "iterated":
        changes = {"eta": 0.31}
    for key, value in changes.items():
        yield f"option {key}", {**copy.deepcopy(record), "options": {**o, key: value}}


def verdict(record):
    try:
        replay(record)
    except (Differs, IndexError, np.linalg.LinAlgError) as error:
        return str(error) or type(error).__name__
    return None


def main(arguments):
    runs = json.loads(subprocess.run([arguments[-1]], check=True, capture_output=True).stdout)
    passed = failed = 0
    for record in runs:
        if arguments[0] == "--self-check":
            trials = [(name, verdict(broken) is None) for name, broken in damages(record)]
        else:
            found = verdict(copy.deepcopy(record))
            trials = [(found, found is not None)]
        for what, wrong in trials:
            passed, failed = passed + (not wrong), failed + wrong
            if wrong:
                print(f"{record['name']}: {what}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
