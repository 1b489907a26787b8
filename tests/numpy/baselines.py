#!/usr/bin/env python3
"""The step learners of src/baselines and reward-centred DQN in plain NumPy, on transitions that the C++ learners
recorded.

Usage: baselines.py RECORDER                 compare; the exit status is 1 where anything differs
       baselines.py --self-check RECORDER    damage the record in many ways: each damage must be noticed
"""
import copy
import json
import subprocess
import sys

import numpy as np

TOLERANCE = 1e-10
FLOATS = 1e-4  # networks compute with 24 bits


class Differs(Exception):
    pass


def same(what, ours, theirs, tolerance=TOLERANCE):
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    error = np.max(np.abs(ours - theirs), initial=0.0) / max(1.0, np.max(np.abs(ours), initial=0.0))
    if not error <= tolerance:
        raise Differs(f"{what} differ by {error:.3g}")


class Stream:
    """The transitions of a run; after each block, the weights are compared."""

    def __init__(self, record):
        self.S, self.A = record["states"], record["actions"]
        self.o = record["options"]
        self.record = record
        self.psi = np.array(record["features"])  # one row per pair
        self.lowest, self.range = record["lowest"], record["range"]
        self.blocks = record["blocks"]

    def scaled(self, cost):
        return (cost - self.lowest) / self.range

    def replay(self, step, check):
        for i, block in enumerate(self.blocks):
            states = [pair // self.A for pair in block["pairs"]] + [block["last_state"]]
            for t, pair in enumerate(block["pairs"]):
                step(states[t], pair % self.A, block["costs"][t], states[t + 1])
            check(f"block {i}: ", block)


def weights_of(table):
    """As the weights of one indicator per state, action by action."""
    return table.T.ravel()


def centered_q(s):
    q, average = np.zeros((s.S, s.A)), 0.0
    alpha, eta, gamma = s.o["alpha"], s.o["average_rate"], s.o["discount"]

    def step(x, a, reward, y):  # in rewards, as in the papers: their Q is the negated one
        nonlocal average
        delta = reward - average + gamma * q[y].max() - q[x, a]
        q[x, a] += alpha * delta
        average += eta * alpha * delta

    def check(where, block):
        same(where + "Q", weights_of(-q), block["weights"])
        same(where + "average", -average, block["more"]["average"])

    s.replay(lambda x, a, c, y: step(x, a, -c, y), check)


def rvi_q(s):
    q, first = np.zeros((s.S, s.A)), []

    def f():
        return q.mean() if s.o["reference"] == "mean" else q[first[0]]

    def step(x, a, c, y):
        if not first:
            first.append((x, a))
        q[x, a] += s.o["alpha"] * (c + q[y].min() - f() - q[x, a])

    def check(where, block):
        same(where + "Q", weights_of(q), block["weights"])
        same(where + "f(Q)", f(), block["more"]["average"])

    s.replay(step, check)


def differential_sarsa(s):
    w, z, average = np.zeros(s.psi.shape[1]), np.zeros(s.psi.shape[1]), 0.0
    o, before = s.o, None

    def step(x, a, reward, _):
        nonlocal w, z, average, before
        psi = s.psi[x * s.A + a]
        if before is not None:  # the step before is complete: its next action is a
            row, last, entries = before
            delta = last - average + w @ psi - w @ row
            average += o["average_rate"] * o["alpha"] * delta
            w = w + o["alpha"] / entries * delta * z
        z = o["lambda"] * z
        z[np.abs(z) < 1e-8] = 0.0
        z = z + psi
        # Features without structure are stored whole, so zeros count among their entries.
        before = psi, reward, 1 if set(np.unique(s.psi)) == {0.0, 1.0} else len(psi) // s.A

    def check(where, block):
        same(where + "weights", -w, block["weights"])
        same(where + "average", -average, block["more"]["average"])

    s.replay(lambda x, a, c, y: step(x, a, -c, y), check)


def optimistic_q(s):
    gamma, H = s.o["discount"], 1 / (1 - s.o["discount"])
    q, qhat, n = np.full((s.S, s.A), H), np.full((s.S, s.A), H), np.zeros((s.S, s.A))

    def step(x, a, c, y):  # the paper's Algorithm 1, with rewards
        n[x, a] += 1
        alpha = (H + 1) / (H + n[x, a])
        target = 1 - s.scaled(c) + gamma * qhat[y].max() + s.o["bonus"] * np.sqrt(H / n[x, a])
        q[x, a] = (1 - alpha) * q[x, a] + alpha * target
        qhat[x, a] = min(qhat[x, a], q[x, a])

    s.replay(step, lambda where, block: same(where + "Q", weights_of(H - qhat), block["weights"]))


def barrier(base, gain):
    """argmax <p, gain> - sum over a of the Bregman divergence of -log, by bisection on the multiplier."""
    low, high = max(0.0, np.max(gain - 1 / base)), gain.max()
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.sum(1 / (1 / base - gain + middle)) > 1 else (low, middle)
    p = 1 / (1 / base - gain + high)
    return p / p.sum()


def mdp_oomd(s):
    N, B, rate = s.o["window"], s.o["episode"], s.o["rate"]
    pi, base = np.full((s.S, s.A), 1 / s.A), np.full((s.S, s.A), 1 / s.A)
    path = []

    def estimate(x):  # Algorithm 3
        y, visits, tau = np.zeros(s.A), 0, 0
        while tau <= B - 1 - N:
            if path[tau][0] == x:
                visits += 1
                y[path[tau][1]] += sum(r for _, _, r in path[tau:tau + N + 1]) / pi[x, path[tau][1]]
                tau += 2 * N
            else:
                tau += 1
        return y / visits if visits else None

    def step(x, a, c, _):
        path.append((x, a, 1 - s.scaled(c)))
        if len(path) < B:
            return
        for x, beta in [(x, estimate(x)) for x in range(s.S)]:
            if beta is not None:
                base[x] = barrier(base[x], rate * beta)
                pi[x] = barrier(base[x], rate * beta)
        path.clear()

    s.replay(step, lambda where, block: same(where + "log pi", weights_of(-np.log(pi)), block["weights"], 1e-9))


def mdp_exp2(s):
    N, rate, d = s.o["window"], s.o["rate"], s.psi.shape[1]
    total = np.zeros(d)
    M, right, pieces = s.o["ridge"] * np.eye(d), np.zeros(d), 0
    at, back, own = 0, 0.0, None

    def step(x, a, c, _):
        nonlocal M, right, pieces, at, back, own, total
        if at == N:
            rows = s.psi[x * s.A:(x + 1) * s.A]
            p = np.exp(rate * (rows @ total))
            M = M + rows.T @ np.diag(p / p.sum()) @ rows
            own, back = rows[a], 0.0
        back += 1 - s.scaled(c)
        at += 1
        if at < 2 * N:
            return
        at, right, pieces = 0, right + own * back, pieces + 1
        if pieces == s.o["pieces"]:
            total = total + np.linalg.solve(M, right)
            M, right, pieces = s.o["ridge"] * np.eye(d), np.zeros(d), 0

    s.replay(step, lambda where, block: same(where + "weights", -total, block["weights"], 1e-9))


def value_iteration(h, backup, precision):
    for _ in range(1000):
        q = backup(h)
        change = q.min(axis=1) - h
        h = h + change / 2
        h = h - h[0]
        if np.ptp(change) <= precision:
            break
    return h, q


def ucrl2b(s):
    S, A = s.S, s.A
    count, total, square = np.zeros((S, A)), np.zeros((S, A)), np.zeros((S, A))
    follow = np.zeros((S, A, S))
    h, q, begin, episodes, steps, due = np.zeros(S), np.zeros((S, A)), np.zeros((S, A)), 0, 0, True

    def plan():
        nonlocal h, q, begin, episodes, due
        begin, episodes, due = count.copy(), episodes + 1, False
        n = np.maximum(1, count)
        L = np.log(6 * S * A * n / s.o["delta"])

        def width(variance):
            return s.o["bonus"] * (2 * np.sqrt(np.maximum(0, variance) * L / n) + 6 * L / n)

        mean = total / n
        cost = np.where(count > 0, np.maximum(0, mean - width(square / n - mean**2)), 0)
        p = follow / n[..., None]
        half = np.stack([width(p[..., y] * (1 - p[..., y])) for y in range(S)], axis=-1)
        low, high = np.maximum(0, p - half), np.minimum(1, p + half)
        high[count == 0] = 1

        def backup(h):
            order = np.argsort(h, kind="stable")
            best = low.copy()
            for x in range(S):
                for a in range(A):
                    rest = 1 - low[x, a].sum()
                    for y in order:
                        share = min(max(0, rest), high[x, a, y] - low[x, a, y])
                        best[x, a, y] += share
                        rest -= share
            return cost + best @ h

        h, q = value_iteration(h, backup, 1 / np.sqrt(max(1, steps)))

    def step(x, a, c, y):
        nonlocal steps, due
        if due:
            plan()
        if q[x, a] > q[x].min() + 1e-9:
            raise Differs("an action is not the best one of the plan")
        c = s.scaled(c)
        count[x, a] += 1
        total[x, a] += c
        square[x, a] += c * c
        follow[x, a, y] += 1
        steps += 1
        due = due or count[x, a] - begin[x, a] >= max(1, begin[x, a])

    def check(where, block):
        same(where + "Q", weights_of(q), block["weights"], 1e-8)
        same(where + "episodes", episodes, block["more"]["episodes"])

    s.replay(step, check)


def psrl(s):
    S, A = s.S, s.A
    count, total, follow = np.zeros((S, A)), np.zeros((S, A)), np.zeros((S, A, S))
    begin, begun, before, episodes, steps, due = np.zeros((S, A)), 0, 0, 0, 0, True
    at_begin = None

    def step(x, a, c, y):
        nonlocal begin, begun, before, episodes, steps, due, at_begin
        if due:
            begin, before, begun, episodes, due = count.copy(), steps - begun, steps, episodes + 1, False
            at_begin = total.copy(), follow.copy()
        count[x, a] += 1
        total[x, a] += c
        follow[x, a, y] += 1
        steps += 1
        due = due or steps - begun > before or count[x, a] > 2 * begin[x, a]

    def check(where, block):
        more = block["more"]
        same(where + "episodes", episodes, more["episodes"])
        # The sample cannot be drawn again, but it must be one: the observed costs and successors, a random one more.
        P, cost = np.zeros((S, A, S)), np.array(more["cost"]).reshape(S, A)
        for pair in range(S * A):
            successors = more["next"][more["first"][pair]:more["first"][pair + 1]]
            seen = np.flatnonzero(at_begin[1][pair // A, pair % A])
            if sorted(successors[:-1]) != list(seen):
                raise Differs(where + "successors of the sampled model")
            for k in range(more["first"][pair], more["first"][pair + 1]):
                P[pair // A, pair % A, more["next"][k]] += more["probability"][k]
        same(where + "sums of probabilities", P.sum(axis=-1), np.ones((S, A)))
        tried = begin > 0
        same(where + "costs", cost[tried], at_begin[0][tried] / begin[tried])
        if np.any(cost < s.lowest - 1e-12) or np.any(cost > s.lowest + s.range + 1e-12):
            raise Differs(where + "a sampled cost is out of range")
        # The plan is optimal in the sampled model up to its precision: for h = min Q, Th - h is nearly constant.
        q = np.array(more["q"]).reshape(S, A)
        same(where + "Q", weights_of(q), block["weights"])
        h = q.min(axis=1)
        change = (cost + P @ h).min(axis=1) - h
        if np.ptp(change) > 2 * np.ptp(cost) / np.sqrt(begun) + 1e-9:
            raise Differs(where + f"the plan is not optimal: {np.ptp(change):.3g}")

    s.replay(step, check)


class Network:
    """One hidden layer with relu, then a value and advantages: Q = V + A - mean A. In doubles; the program has floats."""

    def __init__(self, numbers, inputs, hidden, actions):
        shapes = [(inputs, hidden), (hidden,), (1 + actions, hidden), (1 + actions,)]
        cuts = np.cumsum([np.prod(shape) for shape in shapes])
        self.parts = [p.reshape(shape) for p, shape in zip(np.split(np.array(numbers, float), cuts[:-1]), shapes)]

    def copy(self):
        return copy.deepcopy(self)

    def numbers(self):
        return np.concatenate([p.ravel() for p in self.parts])

    def forward(self, x):
        w, b, head, c = self.parts
        hidden = np.maximum(0, x @ w + b)
        out = hidden @ head.T + c
        return hidden, out[:, :1] + out[:, 1:] - out[:, 1:].mean(axis=1, keepdims=True)

    def q(self, x):
        return self.forward(x)[1]

    def gradient(self, x, slope):
        """Of the sum of slope * Q."""
        hidden, _ = self.forward(x)
        out = np.hstack([slope.sum(1, keepdims=True), slope - slope.mean(1, keepdims=True)])
        back = (out @ self.parts[2]) * (hidden > 0)
        return [x.T @ back, back.sum(0), out.T @ hidden, out.sum(0)]


def centered_dqn(s):
    """Double Q-learning from a replay with targets c - g + gamma Q(x', .), in costs: the best action has the least Q.
    g moves along the mean difference of the online network at both ends of the windows."""
    o, record = s.o, s.record
    net = Network(record["initial"], s.S, record["hidden"], s.A)
    target, g, updates = net.copy(), 0.0, 0
    first = second = [np.zeros_like(p) for p in net.parts]
    windows, seen, one = [], 0, np.eye(s.S)

    def learn(rows):
        nonlocal g, updates, target, first, second
        x, a, c, y = (np.array(column) for column in zip(*(windows[r] for r in rows)))
        i = np.arange(len(rows))
        online, q = net.q(one[y]), net.q(one[x])[i, a]
        after = target.q(one[y])
        best = (online if o["double_q"] else after).argmin(axis=1)
        slope = np.zeros((len(rows), s.A))
        slope[i, a] = (q - (c - g + o["discount"] * after[i, best])) / len(rows)
        g_step = np.mean(c + o["discount"] * online.min(axis=1) - q - g)
        gradient = net.gradient(one[x], slope)
        norm = np.sqrt(sum(np.sum(p * p) for p in gradient))
        if o["clip"] > 0 and norm > o["clip"]:
            gradient = [p * o["clip"] / norm for p in gradient]
        updates += 1
        first = [o["beta1"] * m + (1 - o["beta1"]) * p for m, p in zip(first, gradient)]
        second = [o["beta2"] * v + (1 - o["beta2"]) * p * p for v, p in zip(second, gradient)]
        for p, m, v in zip(net.parts, first, second):  # Adam as printed, with corrected moments
            p -= o["rate"] * (m / (1 - o["beta1"]**updates)) / (np.sqrt(v / (1 - o["beta2"]**updates)) + o["epsilon"])
        g += o["gain_rate"] * g_step
        if updates % o["target_copy"] == 0:
            target = net.copy()

    for number, block in enumerate(s.blocks):
        batches = iter(block["rows"])
        states = [pair // s.A for pair in block["pairs"]] + [block["last_state"]]
        for t, pair in enumerate(block["pairs"]):
            window = (states[t], pair % s.A, block["costs"][t], states[t + 1])
            if len(windows) < record["capacity"]:
                windows.append(window)
            else:
                windows[seen % record["capacity"]] = window
            seen += 1
            if seen % 4 == 0 and len(windows) >= 8:
                learn(next(batches))
        same(f"block {number}: networks", net.numbers(), block["weights"], FLOATS)
        same(f"block {number}: gain", g, block["more"]["average"], FLOATS)


LEARNERS = {f.__name__: f for f in
            (centered_q, rvi_q, differential_sarsa, optimistic_q, mdp_oomd, mdp_exp2, ucrl2b, psrl, centered_dqn)}


def verdict(record):
    try:
        LEARNERS[record["name"]](Stream(record))
    except (Differs, IndexError, np.linalg.LinAlgError, FloatingPointError) as error:
        return str(error) or type(error).__name__
    return None


def damages(record):
    """Records with one thing changed, each of which must be noticed."""
    size = 10 * FLOATS if record["name"] == "centered_dqn" else 1e-6
    for key in ("weights", "more"):
        broken = copy.deepcopy(record)
        block = broken["blocks"][-1]
        if key == "weights":
            block["weights"][len(block["weights"]) // 2] += size * max(1.0, np.abs(block["weights"]).max())
            yield key, broken
        for name in block["more"] if key == "more" else ():
            broken = copy.deepcopy(record)
            more = broken["blocks"][-1]["more"]
            if name in ("average", "episodes"):
                more[name] += size * max(1.0, abs(more[name])) if name == "average" else 1
                yield name, broken
            elif name in ("probability", "cost"):
                more[name][0] += 10.0
                yield name, broken
    for name in ("double_q",) if record["name"] == "centered_dqn" else ():
        yield name, {**copy.deepcopy(record), "options": {**record["options"], name: not record["options"][name]}}
    for name, value in record["options"].items():
        if not isinstance(value, float) or (record["name"], name) == ("psrl", "prior"):
            continue  # the prior only changes the draws
        if record["name"] == "ucrl2b" and record["options"]["bonus"] == 1.0:
            continue  # bounds wider than everything possible: the plan is the same for any width
        if name == "clip" and value == 0.0:
            continue  # none
        yield f"option {name}", {**copy.deepcopy(record), "options": {**record["options"], name: value * 0.8 + 0.003}}
    broken = copy.deepcopy(record)
    pairs = broken["blocks"][1]["pairs"]
    pairs[:] = pairs[1:] + pairs[:1]
    yield "pairs", broken


def main(arguments):
    runs = json.loads(subprocess.run([arguments[-1]], check=True, capture_output=True).stdout)
    passed = failed = 0
    for record in runs:
        if arguments[0] == "--self-check":
            trials = [(name, verdict(broken) is None) for name, broken in damages(record)]
        else:
            found = verdict(record)
            trials = [(found, found is not None)]
        for what, wrong in trials:
            passed, failed = passed + (not wrong), failed + wrong
            if wrong:
                print(f"{record['name']} {record['options']} on {record['environment']}: {what}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
