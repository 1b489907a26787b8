"""The tables of docs/guide/many-features.md, from one run on one core, as Markdown:

- milliseconds per phase of least squares by solver and number of features, at equal nonzeros (16 per row), next to
  SciPy's cg and lsqr and scikit-learn's Ridge(sparse_cg) on the same systems (ridge 1, tolerance 1e-6);
- steps per second of whole runs and of collection, and their ratios to what limits them.

All times are CPU seconds, the least of REPETITIONS.

usage: many_features.py MICRO_BENCHMARKS [--only solvers | steps]     with numpy, scipy and scikit-learn
"""

import argparse
import json
import os
import subprocess
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
import scipy.sparse
import scipy.sparse.linalg
from sklearn.linear_model import Ridge

REPETITIONS = 3
SIZES = (100, 1000, 10_000, 100_000, 1_000_000)
TILINGS = 16


def benchmarks(program, pattern):
    """Least CPU time and counters by name."""
    done = subprocess.run(
        [
            program,
            f"--benchmark_filter={pattern}",
            f"--benchmark_repetitions={REPETITIONS}",
            "--benchmark_min_time=0.05",
            "--benchmark_format=json",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    found = {}
    for one in json.loads(done.stdout)["benchmarks"]:
        if one["run_type"] == "iteration" and "error_occurred" not in one:
            best = found.get(one["run_name"])
            if best is None or one["cpu_time"] < best["cpu_time"]:
                found[one["run_name"]] = one
    return found


def system(columns, count):
    """The rows and targets of solver_bench.cpp."""
    side = max(2, int((columns / TILINGS) ** 0.5))
    draw = 1

    def uniform():
        nonlocal draw
        draw = (draw * 6364136223846793005 + 1442695040888963407) % 2**64
        return (draw >> 11) * 2.0**-53

    at, walk, targets = [0.5, 0.5], np.empty((count, 2)), np.empty(count)
    for r in range(count):
        at = [min(1.0, max(0.0, each + 0.07 * (uniform() - 0.5))) for each in at]
        walk[r] = at
        targets[r] = uniform() - 0.5 + 10.0 * at[0]
    index = np.empty((count, TILINGS), dtype=np.int64)
    for tiling in range(TILINGS):
        shift = np.array([tiling, 3 * tiling % TILINGS]) / TILINGS
        cell = np.minimum(side - 1, (walk * (side - 1) + shift).astype(int))
        index[:, tiling] = tiling * side * side + cell[:, 0] * side + cell[:, 1]
    ends = np.arange(0, count * TILINGS + 1, TILINGS)
    shape = (count, TILINGS * side * side)
    return scipy.sparse.csr_matrix((np.ones(count * TILINGS), index.ravel(), ends), shape), targets


def milliseconds(solve):
    times = []
    for _ in range(REPETITIONS):
        begin = time.process_time()
        solve()
        times.append(time.process_time() - begin)
    return 1000 * min(times)


def peers(columns, count):
    x, y = system(columns, count)
    normal = scipy.sparse.linalg.LinearOperator((x.shape[1],) * 2, lambda w: x.T @ (x @ w) + w)
    ridge = Ridge(alpha=1.0, solver="sparse_cg", fit_intercept=False, tol=1e-6)
    major, minor = (int(part) for part in scipy.__version__.split(".")[:2])
    tolerance = {"rtol": 1e-6} if (major, minor) >= (1, 12) else {"tol": 1e-6}
    return x.shape[1], [
        milliseconds(lambda: scipy.sparse.linalg.cg(normal, x.T @ y, **tolerance)),
        milliseconds(lambda: scipy.sparse.linalg.lsqr(x, y, damp=1.0, atol=1e-6, btol=1e-6)),
        milliseconds(lambda: ridge.fit(x, y)),
    ]


def text(ms):
    return "" if ms is None else f"{ms:.2f}" if ms < 10 else f"{ms:.0f}"


def print_solvers(program):
    ours = benchmarks(program, "^solve_phase")
    for rows in (1000, 10_000):
        print(f"\n{rows:,} rows, ms per phase:\n")
        print("| features | direct | sparse | dual | iterative (its) | auto takes | SciPy cg | lsqr | Ridge(sparse_cg) |")
        print("|---|---|---|---|---|---|---|---|---|")
        for columns in SIZES:
            cells = {}
            for solver in ("direct", "sparse", "dual", "iterative", "automatic"):
                one = ours.get(f"solve_phase/{solver}/{columns}/{rows}")
                cells[solver] = "" if one is None else text(one["cpu_time"])
                if one is not None and solver == "iterative":
                    cells[solver] = f"{text(one['cpu_time'])} ({one.get('cg', 0):.0f})"
                if one is not None and solver == "automatic":
                    cells[solver] = f"{one['label']}, {text(one['cpu_time'])}"
            width, others = peers(columns, rows)
            print(
                f"| {width:,} | {cells['direct']} | {cells['sparse']} | {cells['dual']} | {cells['iterative']} "
                f"| {cells['automatic']} | " + " | ".join(text(each) for each in others) + " |",
                flush=True,
            )


def print_steps(program):
    found = benchmarks(program, "^(own_step|touch_tiles|collect_tiles|run_with|run_wide|plain_sarsa)")
    rate = {name: one["items_per_second"] for name, one in found.items()}
    each = {name: 1e9 / value for name, value in rate.items()}
    limit = each["own_step"] + each["touch_tiles"]
    print("\n| one core | steps per second | ns per step | |")
    print("|---|---|---|---|")

    def row(what, name, note=""):
        print(f"| {what} | {rate[name] / 1e6:.2f} million | {each[name]:.0f} | {note} |")

    row("cartpole's own step and observation", "own_step")
    row("copying and summing 16 nonzeros of 16 x 8^4 tiles, two actions", "touch_tiles")
    row("collection with these tiles", "collect_tiles", f"{each['collect_tiles'] / limit:.2f} times both")
    row("EE-Politex, mountain car, 16 tilings of 16 x 16", "run_with/mountain_car", found["run_with/mountain_car"].get("label", ""))
    row("our differential Sarsa(0.9), the same tiles", "run_with/mountain_car_sarsa")
    row("differential Sarsa(0) in plain C++, the same tiles", "plain_sarsa")
    row("EE-Politex, acrobot, 10^5 hashed tiles", "run_with/acrobot", found["run_with/acrobot"].get("label", ""))
    print("\n| features per action, acrobot | steps per second | solver |")
    print("|---|---|---|")
    for columns in (10_000, 100_000, 1_000_000):
        one = found[f"run_wide/{columns}"]
        print(f"| {columns:,} | {one['items_per_second'] / 1e3:.0f} thousand | {one.get('label', '')} |")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--only", choices=("solvers", "steps"))
    options = arguments.parse_args()
    if options.only != "solvers":
        print_steps(options.program)
    if options.only != "steps":
        print_solvers(options.program)


if __name__ == "__main__":
    main()
