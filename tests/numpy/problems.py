#!/usr/bin/env python3
"""The shipped problems once more, from their published rules in plain NumPy: optimum and heuristics by value iteration
and a linear solve, against `politex exact`. Nothing here reads politex's files or shares its code.

    problems.py politex                 compare
    problems.py --self-check politex    a wrong rule must be noticed
    problems.py --print                 the numbers of docs/guide/problems.md, with large buffers (some minutes)
"""

import itertools
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Model:
    """States are any hashable values; rules(state) gives, per action, (cost, {next: probability})."""

    def __init__(self, states, rules):
        self.states = list(states)
        index = {x: i for i, x in enumerate(self.states)}
        rows, self.cost = [], []
        for x in self.states:
            actions = rules(x)
            self.cost.append([cost for cost, _ in actions])
            rows.append([[(index[y], p) for y, p in distribution.items() if p > 0] for _, distribution in actions])
        self.cost = np.array(self.cost, float)
        self.actions = self.cost.shape[1]
        width = max(len(distribution) for row in rows for distribution in row)
        self.next = np.zeros((len(rows), self.actions, width), int)
        self.p = np.zeros(self.next.shape)
        for i, row in enumerate(rows):
            for a, distribution in enumerate(row):
                for k, (y, p) in enumerate(distribution):
                    self.next[i, a, k], self.p[i, a, k] = y, p
        assert np.allclose(self.p.sum(2), 1)

    def optimum(self, tolerance=1e-11):
        """Relative value iteration, made aperiodic; the gain lies between the extreme differences."""
        value = np.zeros(len(self.states))
        while True:
            better = (self.cost + (self.p * value[self.next]).sum(2)).min(1)
            change = better - value
            if change.max() - change.min() < tolerance:
                return (change.max() + change.min()) / 2
            value += 0.9 * change
            value -= value[0]

    def gain(self, rule, tolerance=1e-11):
        """Average cost of a policy: rule(state) is an action, or a list of probabilities."""
        weights = np.zeros(self.cost.shape)
        for i, x in enumerate(self.states):
            chosen = rule(x)
            weights[i] = chosen if np.ndim(chosen) else np.eye(self.actions)[chosen]
        cost = (weights * self.cost).sum(1)
        p = (weights[:, :, None] * self.p).reshape(len(cost), -1)
        after = self.next.reshape(len(cost), -1)
        value = np.zeros(len(cost))
        while True:
            change = cost + (p * value[after]).sum(1) - value
            if change.max() - change.min() < tolerance:
                return (change.max() + change.min()) / 2
            value += 0.9 * change
            value -= value[0]

    def uniform(self, _):
        return np.full(self.actions, 1 / self.actions)


def mixture(parts):
    distribution = {}
    for probability, y in parts:
        distribution[y] = distribution.get(y, 0.0) + probability
    return distribution


def rooms(size, slip, goal=None):
    goal = goal or (size - 1, size - 1)
    half = size // 2
    doors = {half // 2, half + (size - half) // 2}
    walls = set()  # pairs of cells with a wall between them
    for k in set(range(size)) - doors:
        walls |= {((half - 1, k), (half, k)), ((half, k), (half - 1, k))}
        walls |= {((k, half - 1), (k, half)), ((k, half), (k, half - 1))}
    cells = set(itertools.product(range(size), repeat=2))

    def go(x, move):
        y = (x[0] + move[0], x[1] + move[1])
        return y if y in cells and (x, y) not in walls else x

    moves = [(-1, 0), (0, 1), (1, 0), (0, -1)]

    def rules(x):
        if x == goal:
            return [(-1, {(0, 0): 1.0})] * 4
        return [(0, mixture([(1 - slip, go(x, m))] + [(slip / 4, go(x, n)) for n in moves])) for m in moves]

    return Model(sorted(cells), rules)


def access_control(servers, free, finish_at_once):
    def rules(x):
        idle, priority = x
        answers = []
        for taken in (0, 1 if idle else 0):
            busy = servers - idle + (taken if finish_at_once else 0)
            distribution = {}
            for k in range(busy + 1):
                p = math.comb(busy, k) * free**k * (1 - free) ** (busy - k)
                for nxt in (1, 2, 4, 8):
                    distribution[idle - taken + k, nxt] = p / 4
            answers.append((-priority * taken, distribution))
        return answers

    return Model(itertools.product(range(servers + 1), (1, 2, 4, 8)), rules)


def frozen_lake(lake):
    n = len(lake)

    def rules(x):
        row, column = x
        if lake[row][column] in "HG":
            return [(-float(lake[row][column] == "G"), {(0, 0): 1.0})] * 4
        places = [(row, max(column - 1, 0)), (min(row + 1, n - 1), column),
                  (row, min(column + 1, n - 1)), (max(row - 1, 0), column)]
        return [(0, mixture([(1 / 3, places[(a + k) % 4]) for k in (-1, 0, 1)])) for a in range(4)]

    return Model(itertools.product(range(n), repeat=2), rules)


def cliff_walking():
    cliff = {(3, c) for c in range(1, 11)}

    def rules(x):
        if x == (3, 11):
            return [(-20, {(3, 0): 1.0})] * 4
        answers = []
        for down, right in [(-1, 0), (0, 1), (1, 0), (0, -1)]:
            y = (min(max(x[0] + down, 0), 3), min(max(x[1] + right, 0), 11))
            answers.append((100, {(3, 0): 1.0}) if y in cliff else (1, {y: 1.0}))
        return answers

    return Model(sorted(set(itertools.product(range(4), range(12))) - cliff), rules)


def network(arrivals, holding, buffer, next_class, options, lost=100):
    """options: per joint action a list of (class, rate) in the order in which servers take jobs."""
    total = sum(arrivals) + sum(max(o[s][1] for o in options) for s in range(len(options[0])))

    def rules(x):
        answers = []
        for option in options:
            parts, left = [], list(x)
            for c, rate in enumerate(arrivals):
                y = list(x)
                y[c] = min(y[c] + 1, buffer)
                parts.append((rate / total, tuple(y)))
            for c, rate in option:
                if left[c] == 0:
                    continue
                left[c] -= 1
                y, after = list(x), next_class[c]
                if after is None or x[after] < buffer:
                    y[c] -= 1
                    if after is not None:
                        y[after] += 1
                parts.append((rate / total, tuple(y)))
            parts.append((1 - sum(p for p, _ in parts), x))
            losses = sum(rate for c, rate in enumerate(arrivals) if x[c] == buffer) * lost / total
            answers.append((np.dot(holding, x) + losses, mixture(parts)))
        return answers

    return Model(itertools.product(range(buffer + 1), repeat=len(arrivals)), rules)


def network_by_time_of_day(arrivals, day, holding, buffer, options, lost):
    """As `network` without further classes; arrivals[part][class], and parts of mean length day / parts in a circle.
    A state is the part and the jobs; the rate of all events is the same in all parts: every class's highest of the
    day, the fastest services and the change of the part."""
    parts = len(arrivals)
    change = parts / day
    total = sum(map(max, zip(*arrivals))) + sum(max(o[s][1] for o in options) for s in range(len(options[0]))) + change

    def rules(x):
        part, jobs = x[0], x[1:]
        answers = []
        for option in options:
            events, left = [(change / total, ((part + 1) % parts, *jobs))], list(jobs)
            for c, rate in enumerate(arrivals[part]):
                y = list(jobs)
                y[c] = min(y[c] + 1, buffer)
                events.append((rate / total, (part, *y)))
            for c, rate in option:
                if left[c] > 0:
                    left[c] -= 1
                    y = list(jobs)
                    y[c] -= 1
                    events.append((rate / total, (part, *y)))
            events.append((1 - sum(p for p, _ in events), x))
            losses = sum(rate * price for rate, price, n in zip(arrivals[part], lost, jobs) if n == buffer) / total
            answers.append((np.dot(holding, jobs) + losses, mixture(events)))
        return answers

    return Model(itertools.product(range(parts), *[range(buffer + 1)] * len(holding)), rules)


def clinic(buffer, day=24.0):
    urgent, planned = [0.5, 2.0, 2.5, 1.5], [0, 3.0, 2.0, 0]
    doctor_1 = (0, 2.0)
    return network_by_time_of_day(list(zip(urgent, planned)), day, [4, 1], buffer,
                                  [[doctor_1, (0, 2.0)], [doctor_1, (1, 3.0)]], [500, 100])


def eight_queues(buffer):
    servers = [[(0, 4.0), (2, 3.0), (7, 2.5)], [(1, 2.0), (5, 2.2)], [(3, 3.1), (4, 3.0), (6, 3.0)]]
    return network([1.0, 0, 0, 1.0, 0, 0, 0, 0], [1] * 8, buffer, [1, 2, None, 4, 5, 6, 7, None],
                   list(itertools.product(*servers)))


def re_entrant_six(buffer):
    servers = [[(0, 1.0), (3, 1.0)], [(1, 1.0), (4, 1.0)], [(2, 1.0), (5, 1.0)]]
    return network([0.4, 0, 0, 0, 0, 0], [1] * 6, buffer, [1, 2, 3, 4, 5, None], list(itertools.product(*servers)))


def criss_cross(arrival, rate3, buffer, lost=0):
    return network([arrival, arrival, 0], [1, 1, 1], buffer, [2, None, None],
                   [[(0, 2), (2, rate3)], [(1, 2), (2, rate3)]], lost)


def n_model(load, buffer, lost=0):
    return network([1.3 * load, 0.4 * load], [3, 1], buffer, [None, None], [[(0, 1), (0, 0.5)], [(0, 1), (1, 1)]], lost)


def two_queues(buffer):
    return network([0.2, 0.8], [3, 1], buffer, [None, None], [[(0, 0.5)], [(1, 2)]])


def four_queues(buffer):
    one, two = [(0, 0.12), (3, 0.28)], [(1, 0.12), (2, 0.28)]
    return network([0.08, 0, 0.08, 0], [1] * 4, buffer, [1, None, 3, None], [[s, t] for s in one for t in two])


def re_entrant(buffer):
    return network([0.8, 0, 0], [1] * 3, buffer, [1, 2, None], [[(0, 2), (1, 1)], [(2, 2), (1, 1)]])


def inventory(fixed, holding, penalty, mean, capacity, backlog):
    odds = [math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(int(mean + 30 * math.sqrt(mean) + 30))]

    def rules(x):
        answers = []
        for action in range(capacity + 1):
            stock = max(x, action) if action else x
            cost = fixed * (stock > x) + sum(
                p * (holding * max(stock - d, 0) + penalty * max(d - stock, 0)) for d, p in enumerate(odds))
            answers.append((cost, mixture((p, max(stock - d, -backlog)) for d, p in enumerate(odds))))
        return answers

    return Model(range(-backlog, capacity + 1), rules)


def inventory_with_lead(lead, fixed, holding, penalty, mean, capacity, backlog):
    """A state is (stock, orders on their way); an order that is made now arrives `lead` periods later, before demand."""
    odds = [math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(int(mean + 30 * math.sqrt(mean) + 30))]

    def rules(x):
        answers = []
        for action in range(capacity + 1):
            order = max(action - sum(x), 0) if action else 0
            coming = x[1:] + (order,)
            stock = x[0] + coming[0]
            cost = fixed * (order > 0) + sum(
                p * (holding * max(stock - d, 0) + penalty * max(d - stock, 0)) for d, p in enumerate(odds))
            answers.append((cost, mixture((p, (max(stock - d, -backlog),) + coming[1:]) for d, p in enumerate(odds))))
        return answers

    stocks, orders = range(-backlog, capacity + 1), range(capacity + backlog + 1)
    return Model((x for x in itertools.product(stocks, *[orders] * lead) if sum(x) <= capacity), rules)


def order_up_to(low, high):
    return lambda x: high if x <= low else 0


def replacement(conditions, wear, operating, replace, broken):
    def rules(x):
        last = conditions - 1
        distribution = {last: 1.0} if x == last else {x: 1 - wear, x + 1: wear}
        return [(broken if x == last else operating * x, distribution), (replace, {0: 1.0})]

    return Model(range(conditions), rules)


def replacement_optimum(conditions, wear, operating, replace):
    """Replacing at condition k: a cycle is a geometric time in 0 to k-1, and the replacement (k below the last)."""
    return min((sum(operating * i for i in range(k)) / wear + replace) / (k / wear + 1) for k in range(1, conditions))


LAKE_4 = ["SFFF", "FHFH", "FFFH", "HFFG"]
LAKE_8 = ["SFFFFFFF", "FFFFFFFF", "FFFHFFFF", "FFFFFHFF", "FFFHFFFF", "FHHFFFHF", "FHFFHFHF", "FFFHFFFG"]


def cases():
    """Arguments of `politex exact`, the model, and rules by name; states are in politex's order."""
    lakes = "experiments/exploration/"
    queues = "experiments/queues/networks/"
    yield "rooms", rooms(11, 0.1), {}
    yield "rooms size=6 slip=0.3 goal=4", rooms(6, 0.3, (0, 4)), {}
    yield "access_control", access_control(10, 0.06, True), {
        "accept all": lambda x: 1, "4 and 8 only": lambda x: int(x[1] >= 4),
        "never 1, 2 where 4 are free": lambda x: int(x[1] >= 4 or (x[1] == 2 and x[0] >= 4))}
    yield "access_control finish_at_once=false servers=7 free=0.1", access_control(7, 0.1, False), {}
    yield f"finite_mdp file={lakes}frozen_lake_4x4.json", frozen_lake(LAKE_4), {}
    yield f"finite_mdp file={lakes}frozen_lake_8x8.json", frozen_lake(LAKE_8), {}
    yield f"finite_mdp file={lakes}cliff_walking.json", cliff_walking(), {}
    yield f"queues file={queues}two_queues.toml", two_queues(20), {
        "c-mu": lambda x: int(x[1] > 0), "longest queue": lambda x: int(x[1] > x[0])}
    yield f"queues file={queues}four_queues.toml buffer=3", four_queues(3), {
        "longest queue": lambda x: 2 * (x[3] > x[0]) + (x[2] > x[1]),
        "last buffer first": lambda x: 2 * (x[3] > 0) + (x[1] == 0)}
    yield f"queues file={queues}re_entrant.toml buffer=6", re_entrant(6), {"last buffer first": lambda x: int(x[2] > 0)}
    yield f"queues file={queues}eight_queues.toml", eight_queues(2), {}
    yield f"queues file={queues}re_entrant_six.toml buffer=2", re_entrant_six(2), {
        "last buffer first": lambda x: 4 * (x[3] > 0) + 2 * (x[4] > 0) + (x[5] > 0)}
    yield f"queues file={queues}clinic.toml", clinic(15), {"planned first": lambda x: int(x[2] > 0)}
    yield f"queues file={queues}clinic.toml buffer=8", clinic(8), {"c-mu": lambda x: int(x[1] < 2 and x[2] > 0)}
    yield f"queues file={queues}n_model.toml buffer=15", n_model(0.9, 15, 100), {}
    yield "criss_cross buffer=7 lost=9", criss_cross(0.6, 1.0, 7, 9), {"class 2 first": lambda x: int(x[1] > 0)}
    yield "inventory fixed=5 penalty=4 demand=6 capacity=20", inventory(5, 1, 4, 6, 20, 30), {"(4, 10)": order_up_to(4, 10)}
    yield "inventory", inventory(64, 1, 9, 10, 60, 30), {"(6, 40)": order_up_to(6, 40), "base stock 15": lambda x: 15}
    yield "inventory backlog=0 fixed=20 demand=5 capacity=30", inventory(20, 1, 9, 5, 30, 0), {}
    yield "inventory lead=1 fixed=5 penalty=4 demand=2 capacity=7 backlog=5", inventory_with_lead(1, 5, 1, 4, 2, 7, 5), {}
    yield "inventory lead=2 fixed=0 demand=1 capacity=5 backlog=0", inventory_with_lead(2, 0, 1, 9, 1, 5, 0), {
        "base stock 4": lambda x: 4}
    yield "replacement", replacement(10, 0.3, 1, 15, 50), {"at 4": lambda x: int(x >= 4)}
    yield "n_model load=0.8 buffer=20", n_model(0.8, 20), {"class 2 first": lambda x: int(x[1] > 0)}


# The names that politex has for some of these rules.
NAMES = {"c-mu": "c_mu", "longest queue": "longest_queue", "last buffer first": "last_buffer_first",
         "class 2 first": "threshold:1000", "(4, 10)": "s_S:4,10", "(6, 40)": "s_S:6,40",
         "base stock 15": "base_stock:15", "base stock 4": "base_stock:4", "at 4": "threshold:4", "accept all": "threshold:0", "4 and 8 only": "threshold:2"}


def exact(program, arguments, policy):
    command = [program, "exact", *arguments.split(), "--policy", policy, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, (command, done.stderr)
    return json.loads(done.stdout)


def policy_text(model, rule):
    """A policy file."""
    return json.dumps({"states": len(model.states), "actions": model.actions, "action": [int(rule(x)) for x in model.states]})


def compare(program, chosen):
    wrong = 0
    for arguments, model, rules in chosen:
        answers = {"optimal": model.optimum(), "uniform": model.gain(model.uniform)}
        found = {policy: exact(program, arguments, policy)["gain"] for policy in answers}
        found["optimal"] = exact(program, arguments, "optimal")["optimal_gain"]
        with tempfile.TemporaryDirectory() as directory:
            for name, rule in rules.items():
                file = pathlib.Path(directory) / "rule.policy"
                file.write_text(policy_text(model, rule))
                answers[name], found[name] = model.gain(rule), exact(program, arguments, str(file))["gain"]
                if name in NAMES:
                    named = name + ", by its name"
                    answers[named], found[named] = answers[name], exact(program, arguments, NAMES[name])["gain"]
        for name, answer in answers.items():
            close = abs(answer - found[name]) <= 1e-8 * max(1.0, abs(answer))
            wrong += not close
            print(f"{arguments}: {name}: {answer:.10g}" + ("" if close else f", but politex says {found[name]:.10g}"))
    return wrong


if __name__ == "__main__":
    if sys.argv[1] == "--self-check":
        tampered = [("rooms", rooms(11, 0.11), {}), ("criss_cross buffer=5", criss_cross(0.6, 1.01, 5), {}),
                    ("queues file=experiments/queues/networks/clinic.toml buffer=8", clinic(8, day=23.9), {})]
        sys.exit(0 if compare(sys.argv[2], tampered) == 5 else 1)
    assert abs(replacement(10, 0.3, 1, 15, 50).optimum() - replacement_optimum(10, 0.3, 1, 15)) < 1e-9
    sys.exit(1 if compare(sys.argv[1], cases()) else 0)
