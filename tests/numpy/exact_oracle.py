#!/usr/bin/env python3
"""Gains, biases, Q, stationary distributions, expected costs of s steps and W_max in exact rationals, compared with
the program's on random nearly decomposable, periodic, multichain and absorbing chains.

What the limit of 1e-9 (TOLERANCE) is relative to; none of these comes from the program:
  bias         |h| + |c - g| + mean |c - g| of the state's class
  Q            |c| + |g after| + E[|h'| + |c' - g'| + mean |c' - g'|] over the next states
  w_norm       the norm of these units of Q (its value where it is larger)
  transient    the expected sum of |c - g| over the same s steps
Q and transients also have GAIN times the largest |c|, per step: the gain is a double.
An answer that the program marks as not reported (an estimated relative error of a bias above 1e-9: null in its output)
is counted; at most 2% of the biases may be.

Usage: exact_oracle.py EVALUATOR                 compare; the exit status is 1 where anything is wrong
       exact_oracle.py --self-check EVALUATOR    damage answers in many ways: each damage must be noticed
POLITEX_ORACLE_MODELS sets the number of models (1000).
"""
import copy
import itertools
import json
import math
import os
import random
import subprocess
import sys
from fractions import Fraction as F

TOLERANCE = 1e-9  # of what is reported; relative to what is said above
BITS = 1400  # of the fixed point that sums costs over many steps: moves of 1e-60 and less keep 360 digits
GAIN = F(1e-15)
CLOSE = 1e-12  # of gains and stationary distributions


def random_model(number):
    rng = random.Random(number)
    states = rng.randint(2, 6)
    actions = rng.choice([1, 1, 2])
    kind = rng.choice(["any", "any", "groups", "groups", "cycle", "absorbing", "plain"])
    deepest = 0 if kind == "plain" else rng.choice([3, 12, 30, 60])
    group = [rng.randrange(3) for _ in range(states)]

    def rare():
        return rng.uniform(0.1, 1) * 10.0 ** -rng.uniform(0 if kind == "plain" else 1, max(deepest, 1))

    transitions, costs = [], []
    style = rng.choice(["normal", "zero or one", "by group", "offset", "one state"])
    for x in range(states):
        row_cost = []
        for a in range(actions):
            weight = {}
            for y in range(states):
                if y == x:
                    continue
                if kind == "groups":
                    weight[y] = rng.uniform(0.1, 1) if group[x] == group[y] else rare() * (rng.random() < 0.6)
                elif kind == "cycle":
                    weight[y] = 1.0 if y == (x + 1) % states else rare() * (rng.random() < 0.2)
                elif kind == "absorbing":
                    weight[y] = 0.0 if x == 0 or x == group[0] else rare() * (rng.random() < 0.6)
                else:
                    weight[y] = rare() * (rng.random() < 0.7)
            most = sum(weight.values())
            scale = 1.0 / most if most > 1 or (kind == "cycle" and most > 0) else 1.0
            weight = {y: w * scale for y, w in weight.items() if w > 0}
            stay = 1.0 - sum(weight.values())
            if stay > 1e-12 or not weight:
                weight[x] = stay
            transitions += [[x, a, y, p] for y, p in weight.items()]
            row_cost.append(
                {
                    "normal": rng.gauss(0, 1),
                    "zero or one": float(rng.random() < 0.5),
                    "by group": float(group[x]),
                    "offset": 1e6 + rng.random(),
                    "one state": float(x == 0),
                }[style]
            )
        costs.append(row_cost)
    policy = []
    for x in range(states):
        weights = [rng.choice([1.0, rng.random(), rare()]) for _ in range(actions)]
        policy += [w / sum(weights) for w in weights]
    teleport = rng.choice([0.0] * 9 + [10.0 ** -rng.uniform(0.1, 9)])
    model = {"states": states, "actions": actions, "start": 0, "transitions": transitions, "costs": costs}
    steps = [1, rng.randint(2, 9), rng.choice([50, 1000, 30000])]
    return {"model": model, "policy": policy, "teleport": teleport, "steps": steps, "optimum": actions == 2 and states <= 4 and number % 4 == 0}


def solve(matrix, rights):
    """Gauss-Jordan on rationals; `rights` has one list per equation."""
    n = len(matrix)
    rows = [list(m) + list(r) for m, r in zip(matrix, rights)]
    for i in range(n):
        pivot = next(k for k in range(i, n) if rows[k][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        inverse = 1 / rows[i][i]
        rows[i] = [v * inverse for v in rows[i]]
        for k in range(n):
            if k != i and rows[k][i] != 0:
                factor = rows[k][i]
                rows[k] = [v - factor * u for v, u in zip(rows[k], rows[i])]
    return [row[n:] for row in rows]


def pairs_of(given):
    """Transition probabilities and costs of every pair, as rationals; rows are normalised."""
    model, teleport = given["model"], F(given["teleport"])
    n, actions = model["states"], model["actions"]
    p = [[F(0)] * n for _ in range(n * actions)]
    for x, a, y, probability in model["transitions"]:
        p[x * actions + a][y] += F(probability)
    p = [[(1 - teleport) * v / sum(row) + teleport / n for v in row] for row in p]
    return p, [F(c) for row in model["costs"] for c in row]


def chain_of(given, pairs, costs, policy):
    n, actions = given["model"]["states"], given["model"]["actions"]
    p, c = [], []
    for x in range(n):
        weights = [F(w) for w in policy[x * actions : (x + 1) * actions]]
        total = sum(weights)
        p.append([sum(w / total * pairs[x * actions + a][y] for a, w in enumerate(weights)) for y in range(n)])
        c.append(sum(w / total * costs[x * actions + a] for a, w in enumerate(weights)))
    return p, c


def classes_of(p):
    n = len(p)
    reach = [[p[x][y] > 0 or x == y for y in range(n)] for x in range(n)]
    for k, x in itertools.product(range(n), repeat=2):
        if reach[x][k]:
            reach[x] = [a or b for a, b in zip(reach[x], reach[k])]
    recurrent = [all(reach[y][x] for y in range(n) if reach[x][y]) for x in range(n)]
    return [[y for y in range(n) if reach[x][y]] for x in range(n) if recurrent[x] and min(y for y in range(n) if reach[x][y]) == x]


def period_of(p, members):
    depth, queue, gcd = {members[0]: 0}, [members[0]], 0
    for x in queue:
        for y in members:
            if p[x][y] > 0:
                if y not in depth:
                    depth[y] = depth[x] + 1
                    queue.append(y)
                gcd = math.gcd(gcd, depth[x] + 1 - depth[y])
    return gcd


def evaluate(p, c, start=0):
    n = len(p)
    classes = classes_of(p)
    gain, bias, stationary, unit = [None] * n, [None] * n, [F(0)] * n, [None] * n
    own = [F(0)] * n
    for members in classes:
        size = len(members)
        balance = [[(F(1) if x == y else F(0)) - p[x][y] for x in members] for y in members]
        balance[-1] = [F(1)] * size
        mu = [v[0] for v in solve(balance, [[F(0)]] * (size - 1) + [[F(1)]])]
        g = sum(m * c[x] for m, x in zip(mu, members))
        system = [[(F(1) if x == y else F(0)) - p[x][y] + m for y, m in zip(members, mu)] for x in members]
        h = [v[0] for v in solve(system, [[c[x] - g] for x in members])]
        spread = sum(m * abs(c[x] - g) for m, x in zip(mu, members))
        for k, x in enumerate(members):
            own[x], gain[x], bias[x], unit[x] = mu[k], g, h[k], spread + abs(c[x] - g)
    transient = [x for x in range(n) if gain[x] is None]
    absorbed = {x: [F(x in members) for members in classes] for members in classes for x in members}
    if transient:
        system = [[(F(1) if x == y else F(0)) - p[x][y] for y in transient] for x in transient]
        into = [[sum(p[x][y] for y in members) for members in classes] for x in transient]
        for x, shares in zip(transient, solve(system, into)):
            absorbed[x] = shares
            gain[x] = sum(s * gain[members[0]] for s, members in zip(shares, classes))
        rights = [[c[x] - gain[x] + sum(p[x][y] * bias[y] for members in classes for y in members)] for x in transient]
        largest = max(min(unit[x] - abs(c[x] - gain[x]) for x in members) for members in classes)
        for x, h in zip(transient, solve(system, rights)):
            bias[x], unit[x] = h[0], largest + abs(c[x] - gain[x])
    period = 1
    for share, members in zip(absorbed[start], classes):
        for x in members:
            stationary[x] = share * own[x]
        if share > 0:
            period = math.lcm(period, period_of(p, members))
    return {"gain": gain, "bias": bias, "unit": unit, "stationary": stationary, "period": period}


def step_sums(p, f, steps):
    """Sums of P^t f over t < steps, and of P^t |f|, by doubling, in integers scaled by 2^BITS: the error is below
    steps^2 2^-BITS times the largest |f|."""
    n = range(len(p))

    def product(a, b):
        return [[sum(r[k] * b[k][j] for k in n) >> BITS for j in range(len(b[0]))] for r in a]

    def plus(a, b):
        return [[u + v for u, v in zip(r, s)] for r, s in zip(a, b)]

    one = [[int(v * (1 << BITS)) for v in row] for row in p]
    first = [[int(v * (1 << BITS)), int(abs(v) * (1 << BITS))] for v in f]
    power, total = one, first  # of 1 step
    for bit in bin(steps)[3:]:
        power, total = product(power, power), plus(total, product(power, total))
        if bit == "1":
            power, total = product(one, power), plus(first, product(one, total))
    return [[F(v, 1 << BITS) for v in row] for row in total]


def step_sums_in_rationals(p, f, steps):
    """The same, by its definition; slow."""
    later, total = list(f), [F(0)] * len(f)
    for _ in range(steps):
        total = [a + b for a, b in zip(total, later)]
        later = [sum(q * v for q, v in zip(row, later)) for row in p]
    return total


def w_norm_squared(q, stationary, actions):
    """Tabular: the least norm of Q plus a constant, on the pairs that the distribution reaches."""
    reached = [v for i, v in enumerate(q) if stationary[i // actions] > 0]
    mean = sum(reached) / len(reached)
    return sum((v - mean) ** 2 for v in reached)


def truth_of(given):
    pairs, costs = pairs_of(given)
    n, actions = given["model"]["states"], given["model"]["actions"]
    p, c = chain_of(given, pairs, costs, given["policy"])
    truth = evaluate(p, c)
    gain, bias = truth["gain"], truth["bias"]
    after = [sum(q * g for q, g in zip(row, gain)) for row in pairs]
    truth["q"] = [costs[i] - after[i] + sum(q * h for q, h in zip(pairs[i], bias)) for i in range(n * actions)]
    size = [abs(h) + unit for h, unit in zip(bias, truth["unit"])]
    truth["q_unit"] = [abs(costs[i]) + abs(after[i]) + sum(q * v for q, v in zip(pairs[i], size)) for i in range(n * actions)]
    truth["w_norm_squared"] = w_norm_squared(truth["q"], truth["stationary"], actions)
    excess = [a - g for a, g in zip(c, gain)]
    truth["largest"] = max(map(abs, costs))
    truth["transient"] = [step_sums(p, excess, s) for s in given["steps"]]
    if given["optimum"]:
        best = [None] * n
        for choice in itertools.product(range(actions), repeat=n):
            policy = [float(a == choice[x]) for x in range(n) for a in range(actions)]
            gains = evaluate(*chain_of(given, pairs, costs, policy))["gain"]
            best = [g if b is None or g < b else b for g, b in zip(gains, best)]
        truth["optimal_gain"] = best
    return truth


def root(square):
    """To 2^-BITS."""
    return F(math.isqrt(int(square * (1 << 2 * BITS))), 1 << BITS)


def number(value):
    return math.inf if value is None else value


def compare(given, truth, found, counts):
    """Returns what is wrong, as a list of texts."""
    wrong = []
    largest = max(abs(c) for row in given["model"]["costs"] for c in row) + 1e-300
    if found["floor"] == 0:
        for x, (a, b) in enumerate(zip(truth["gain"], found["gain"])):
            if abs(a - F(b)) > CLOSE * largest:
                wrong.append(f"gain[{x}] {b}, true {float(a)}")
        for x, (a, b) in enumerate(zip(truth["stationary"], found["stationary"])):
            if abs(a - F(b)) > CLOSE * a + F(1e-300):
                wrong.append(f"stationary[{x}] {b}, true {float(a)}")
        if truth["period"] != found["period"]:
            wrong.append(f"period {found['period']}, true {truth['period']}")
    for x, h in enumerate(truth["bias"]):
        counts["biases"] += 1
        if number(found["relative"][x]) > TOLERANCE:
            counts["not reported"] += 1
            continue
        error = abs(h - F(found["bias"][x]))
        allowed = F(TOLERANCE) * (abs(h) + truth["unit"][x])
        if error > allowed:
            wrong.append(f"bias[{x}] {found['bias'][x]}, true {float(h)}")
        if error > F(number(found["bias_error"][x])):
            wrong.append(f"bias[{x}] is wrong by {float(error)}, more than its estimate {found['bias_error'][x]}")
    if max(number(r) for r in found["relative"]) <= TOLERANCE:
        for i, (q, unit) in enumerate(zip(truth["q"], truth["q_unit"])):
            error = abs(q - F(found["q"][i]))
            if error > F(TOLERANCE) * unit + GAIN * F(largest):
                wrong.append(f"q[{i}] {found['q'][i]}, true {float(q)}")
            if number(found["q_error"][i]) < error:
                wrong.append(f"q[{i}] is wrong by {float(error)}, more than its estimate {found['q_error'][i]}")
        norm = root(truth["w_norm_squared"])
        if abs(norm - F(found["w_norm"])) > F(TOLERANCE) * max(norm, root(sum(u * u for u in truth["q_unit"]))):
            wrong.append(f"w_norm {found['w_norm']}, true {float(norm)}")
    for steps, sums, given_sums in zip(given["steps"], truth["transient"], found["transient"]):
        for x, ((cost, size), b) in enumerate(zip(sums, given_sums)):
            if found["floor"] == 0 and abs(cost - F(b)) > F(TOLERANCE) * size + steps * GAIN * F(largest):
                wrong.append(f"transient[{x}] of {steps} steps {b}, true {float(cost)}")
    for x, g in enumerate(truth.get("optimal_gain", [])):
        counts["optima"] += 1
        if not found["certain"]:
            counts["uncertain optima"] = counts.get("uncertain optima", 0) + 1
            continue
        if abs(g - F(found["optimal_gain"][x])) > 1e-9 * largest:
            wrong.append(f"optimal_gain[{x}] {found['optimal_gain'][x]}, true {float(g)}")
    counts[found["arithmetic"]] = counts.get(found["arithmetic"], 0) + 1
    return wrong


def answers(evaluator, models):
    text = "".join(json.dumps(given) + "\n" for given in models)
    done = subprocess.run([evaluator], input=text, capture_output=True, text=True, timeout=3000)
    if done.returncode != 0:
        raise SystemExit(f"{evaluator} failed: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def self_check(evaluator):
    """Damages every kind of answer in every model that has it reported: nearly all damages must be noticed."""
    given = [g for g in map(random_model, range(200))]
    found, truths = answers(evaluator, given), [truth_of(g) for g in given]
    for g, t in list(zip(given, truths))[:40]:  # the fast sums of the oracle itself
        pairs, costs = pairs_of(g)
        p, c = chain_of(g, pairs, costs, g["policy"])
        for steps, sums in zip(g["steps"][:2], t["transient"]):
            exact = step_sums_in_rationals(p, [a - b for a, b in zip(c, t["gain"])], steps)
            if any(abs(a - b[0]) > F(1, 1 << (BITS - 100)) for a, b in zip(exact, sums)):
                raise SystemExit("the oracle's two sums of costs differ")

    def reported(f):
        return max(number(r) for r in f["relative"]) <= TOLERANCE

    def damaged(values, units):  # the first entry, by a hundred times what its unit allows
        values[0] += 1e-7 * float(units[0]) + 1e-300

    # name: whether the model has it, and the damage
    damages = {
        "gain": (lambda f, t: f["floor"] == 0, lambda f, t: f["gain"].__setitem__(0, f["gain"][0] + 1e-5)),
        "bias": (
            lambda f, t: number(f["relative"][0]) <= TOLERANCE,
            lambda f, t: damaged(f["bias"], [abs(t["bias"][0]) + t["unit"][0]]),
        ),
        "bias_error": (
            lambda f, t: number(f["relative"][0]) <= TOLERANCE and f["bias_error"][0] > 0,
            lambda f, t: f.update(bias_error=[0.0] * len(f["bias_error"])),
        ),
        "stationary": (
            lambda f, t: f["floor"] == 0,
            lambda f, t: f.update(stationary=[s * (1 + 1e-9) for s in f["stationary"]]),
        ),
        "period": (lambda f, t: f["floor"] == 0, lambda f, t: f.update(period=f["period"] + 1)),
        "q": (lambda f, t: reported(f), lambda f, t: damaged(f["q"], t["q_unit"])),
        "q, with an estimate that hides it": (
            lambda f, t: reported(f) and t["q_unit"][0] > 0,
            lambda f, t: (damaged(f["q"], t["q_unit"]), f.update(q_error=[None] * len(f["q"]))),
        ),
        "w_norm": (
            lambda f, t: reported(f) and t["w_norm_squared"] > 0,
            lambda f, t: f.update(w_norm=f["w_norm"] + 1e-7 * float(root(sum(u * u for u in t["q_unit"])))),
        ),
        "transient": (
            lambda f, t: f["floor"] == 0 and t["largest"] > 0,
            lambda f, t: damaged(f["transient"][0], [t["transient"][0][0][1] + 1e-6 * t["largest"]]),
        ),
        "optimal_gain": (
            lambda f, t: f.get("certain", False),
            lambda f, t: f["optimal_gain"].__setitem__(0, f["optimal_gain"][0] - 1e-2),
        ),
    }
    none = {"biases": 0, "not reported": 0, "optima": 0}
    if any(compare(g, t, f, dict(none)) for g, t, f in zip(given, truths, found)):
        raise SystemExit("undamaged answers differ")
    for name, (has, damage) in damages.items():
        tried = noticed = 0
        for g, t, f in zip(given, truths, found):
            if not has(f, t):
                continue
            bad = copy.deepcopy(f)
            damage(bad, t)
            tried += 1
            noticed += bool(compare(g, t, bad, dict(none)))
        least = 0.5 if name == "bias_error" else 0.95  # some biases are exact
        print(f"a wrong {name}: noticed in {noticed} of {tried}")
        if tried < 5 or noticed < least * tried:
            raise SystemExit(f"a wrong {name} was noticed in {noticed} of {tried}; accepted: {least:.0%} of 5 or more")
    print(f"{len(damages)} kinds of damage were noticed")


def main():
    evaluator = sys.argv[-1]
    if "--self-check" in sys.argv:
        return self_check(evaluator)
    total = int(os.environ.get("POLITEX_ORACLE_MODELS", "1000"))
    counts = {"biases": 0, "not reported": 0, "optima": 0}
    failures = 0
    for begin in range(0, total, 1000):
        models = [random_model(k) for k in range(begin, min(begin + 1000, total))]
        for k, (given, found) in enumerate(zip(models, answers(evaluator, models))):
            wrong = compare(given, truth_of(given), found, counts)
            failures += bool(wrong)
            if wrong and failures <= 20:
                print(f"model {begin + k} ({found['arithmetic']}): " + "; ".join(wrong[:3]))
    print(f"{total} models, {failures} wrong; " + ", ".join(f"{key}: {value}" for key, value in counts.items()))
    share = counts["not reported"] / counts["biases"]
    if share > 0.02:
        print(f"{share:.1%} of the biases were not reported; accepted: 2%")
    sys.exit(failures > 0 or share > 0.02)


if __name__ == "__main__":
    main()
