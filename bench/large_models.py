"""Optimal gains of large finite environments: politex compared with mdpsolver and with plain SciPy, one core, one run.

Every solver gets the same file and works until its own bounds of the gain are at most WIDTH wide (mdpsolver, which
prints no bounds, gets WIDTH as tolerance; its gain is checked against the bounds of politex). Times are CPU seconds of
the solution alone, without reading the model. politex's own time includes reading its file, which is printed apart.

usage: large_models.py PROGRAM [--states N]...     with numpy, scipy and mdpsolver installed (a missing peer is left out)
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
import scipy.sparse

WIDTH = 1e-8
ACTIONS, BRANCHING = 4, 3
PATIENCE = 120.0  # seconds after which plain value iteration is stopped, and its bounds printed


def garnet(states, seed=1):
    rng = np.random.default_rng(seed)
    pairs = states * ACTIONS
    indices = np.sort(rng.integers(0, states, (pairs, BRANCHING), dtype=np.int32), axis=1)
    data = rng.dirichlet(np.ones(BRANCHING), size=pairs)
    first = np.arange(pairs + 1, dtype=np.int64) * BRANCHING
    P = scipy.sparse.csr_array((data.ravel(), indices.ravel(), first), shape=(pairs, states))
    P.sum_duplicates()
    return P, rng.random((states, ACTIONS))


def tandem(buffer):
    """Two queues in a row, the first server slow or fast (and dear): a grid with long mixing times."""
    n = buffer + 1
    x = np.arange(n * n)
    first, second = x // n, x % n
    rows, columns, values = [], [], []
    cost = np.empty((n * n, 2))
    for action, rate in enumerate((0.30, 0.40)):
        stay = np.ones(n * n)
        for chance, possible, to in (
            (0.25, first < buffer, x + n),
            (rate, (first > 0) & (second < buffer), x - n + 1),
            (0.30, second > 0, x - 1),
        ):
            rows.append(2 * x[possible] + action)
            columns.append(to[possible])
            values.append(np.full(possible.sum(), chance))
            stay[possible] -= chance
        rows.append(2 * x + action)
        columns.append(x)
        values.append(stay)
        cost[:, action] = first + second + (2.0 if action else 0.0)
    P = scipy.sparse.csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=(2 * n * n, n * n)
    )
    return P, cost


def run_politex(program, P, cost):
    with tempfile.TemporaryDirectory() as directory:
        file = os.path.join(directory, "model.npz")
        np.savez(file, data=P.data, indices=P.indices, indptr=P.indptr, shape=np.array(P.shape), cost=cost)
        code = "import resource,subprocess,sys;r=subprocess.run(sys.argv[1:]).returncode;" \
               "u=resource.getrusage(resource.RUSAGE_CHILDREN);print(u.ru_utime+u.ru_stime,u.ru_maxrss,file=sys.stderr);sys.exit(r)"
        begin = [sys.executable, "-c", code, program]
        # A file with one action is read as quickly per move and has nothing to solve: the time of reading.
        done = subprocess.run([*begin, "exact", "finite_mdp", f"file={file}", "--json"], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        seconds, memory = done.stderr.strip().splitlines()[-1].split()
        answer = json.loads(done.stdout)
    return float(seconds), float(memory) / 1024, answer["optimal_gain_low"], answer["optimal_gain_high"]


def run_scipy(P, cost):
    """Relative value iteration with the aperiodicity transformation."""
    states, actions = cost.shape
    h = np.zeros(states)
    begin = time.process_time()
    sweeps = 0
    while True:
        change = (cost + (P @ h).reshape(states, actions)).min(axis=1) - h
        sweeps += 1
        low, high = change.min(), change.max()
        seconds = time.process_time() - begin
        if high - low <= WIDTH * max(1, abs(low)) or seconds > PATIENCE:
            return seconds, low, high, sweeps
        h += 0.9 * (change - 0.5 * (low + high))


def run_mdpsolver(P, cost):
    import mdpsolver

    states, actions = cost.shape
    rewards = (-cost).tolist()
    probabilities, columns = [], []
    for x in range(states):
        parts = [slice(P.indptr[x * actions + a], P.indptr[x * actions + a + 1]) for a in range(actions)]
        probabilities.append([P.data[part].tolist() for part in parts])
        columns.append([P.indices[part].tolist() for part in parts])
    model = mdpsolver.model()
    model.mdp(rewards=rewards, tranMatProbs=probabilities, tranMatColumns=columns)
    begin = time.process_time()
    model.solve(algorithm="mpi", criterion="average", tolerance=WIDTH, parallel=False, postProcessing=False)
    return time.process_time() - begin, model.getRuntime()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--states", type=int, action="append")
    arguments.add_argument("--only", choices=("garnet", "tandem"))
    options = arguments.parse_args()
    for states in options.states or [100_000]:
        for name, (P, cost) in (
            ("garnet", garnet(states)),
            ("tandem", tandem(int(states**0.5) - 1)),
        ):
            if options.only not in (None, name):
                continue
            print(f"{name}: {cost.shape[0]} states, {cost.shape[1]} actions, {P.nnz} moves", flush=True)
            own, memory, low, high = run_politex(options.program, P, cost)
            print(f"  politex    {own:8.1f} s, all of `politex exact`, [{low:.12g}, {high:.12g}], {memory:.0f} MB")
            seconds, low, high, sweeps = run_scipy(P, cost)
            print(f"  SciPy      {seconds:8.1f} s, {seconds / own:6.1f} x, {sweeps} sweeps, [{low:.12g}, {high:.12g}]")
            try:
                seconds, runtime = run_mdpsolver(P, cost)
            except ImportError:
                continue
            print(f"  mdpsolver  {seconds:8.1f} s, {seconds / own:6.1f} x", flush=True)


if __name__ == "__main__":
    main()
