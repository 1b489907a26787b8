"""Optimal gains of large finite environments: politex compared with mdpsolver and with plain SciPy, one core, one run.

Every solver reads the same .npz file in a process of its own, and works until its bounds of the gain are at most WIDTH
wide, relative to the gain (to 1 where the gain is smaller). mdpsolver prints no bounds and gets WIDTH as tolerance; the
gain of the policy that it returns is bracketed here, and the line says whether the bracket meets that of politex. A
solver that is stopped after PATIENCE seconds says so.

Times are CPU seconds: for politex of the whole command, which reads the file and proves its bounds; for the others of
the solution alone. Memory is the peak resident size of the process: for mdpsolver with the lists that it takes.
--reading is the time for a file of ten million moves with next to nothing to solve: from every state the next one is
one of the same ten.

usage: large_models.py PROGRAM [--states N]... [--only MODEL] [--without-mdpsolver] [--reading]
    with numpy and scipy, and mdpsolver from PyPI (left out where it is missing)
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
PATIENCE = 150.0


def garnet(states, seed=1):
    rng = np.random.default_rng(seed)
    pairs = states * ACTIONS
    indices = np.sort(rng.integers(0, states, (pairs, BRANCHING), dtype=np.int32), axis=1)
    data = rng.dirichlet(np.ones(BRANCHING), size=pairs)
    first = np.arange(pairs + 1, dtype=np.int64) * BRANCHING
    P = scipy.sparse.csr_array((data.ravel(), indices.ravel(), first), shape=(pairs, states))
    P.sum_duplicates()
    return P, rng.random((states, ACTIONS))


def chain_of(states, events):
    """The uniformised chain of events (chance, possible, to) per action; what is left of the chance stays."""
    rows, columns, values = [], [], []
    x = np.arange(states)
    for action, moves in enumerate(events):
        stay = np.ones(states)
        for chance, possible, to in moves:
            rows.append(len(events) * x[possible] + action)
            columns.append(to[possible])
            values.append(np.full(possible.sum(), chance))
            stay[possible] -= chance
        left = stay > 1e-12
        rows.append(len(events) * x[left] + action)
        columns.append(x[left])
        values.append(stay[left])
    shape = (len(events) * states, states)
    return scipy.sparse.csr_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=shape)


def tandem(states):
    """Two queues in a row, the first server slow or fast (and dear): a grid with long mixing times."""
    n = int(states**0.5)
    x = np.arange(n * n)
    first, second = x // n, x % n
    events = [
        [(0.25, first < n - 1, x + n), (rate, (first > 0) & (second < n - 1), x - n + 1), (0.30, second > 0, x - 1)]
        for rate in (0.30, 0.40)
    ]
    return chain_of(n * n, events), (first + second)[:, None] + np.array([0.0, 2.0])


def four_queues(states):
    """experiments/queues/networks/four_queues.toml with lost = 0: buffers of 30 have 923,521 states."""
    n = int(round(states**0.25))
    x = np.arange(n**4)
    stride = [1, n, n**2, n**3]
    jobs = [x // s % n for s in stride]
    unit = 0.08 + 0.08 + 0.28 + 0.28

    def moved(source, rate):
        if source in (0, 2):  # Q1 to Q2, Q3 to Q4; a job waits where the next queue is full
            return rate / unit, (jobs[source] > 0) & (jobs[source + 1] < n - 1), x - stride[source] + stride[source + 1]
        return rate / unit, jobs[source] > 0, x - stride[source]

    arrivals = [(0.08 / unit, jobs[q] < n - 1, x + stride[q]) for q in (0, 2)]
    first, second = (moved(0, 0.12), moved(3, 0.28)), (moved(1, 0.12), moved(2, 0.28))
    events = [[*arrivals, one, two] for one in first for two in second]
    return chain_of(n**4, events), np.repeat(sum(jobs)[:, None].astype(float), 4, axis=1)


MODELS = {"garnet": garnet, "tandem": tandem, "four_queues": four_queues}


def run_politex(program, file, *more):
    """CPU seconds, MB, and the answer."""
    watch = (
        "import resource,subprocess,sys;r=subprocess.run(sys.argv[1:]).returncode;"
        "u=resource.getrusage(resource.RUSAGE_CHILDREN);print(u.ru_utime+u.ru_stime,u.ru_maxrss,file=sys.stderr);sys.exit(r)"
    )
    done = subprocess.run(
        [sys.executable, "-c", watch, program, "exact", "finite_mdp", f"file={file}", "--json", *more],
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    seconds, memory = done.stderr.strip().splitlines()[-1].split()
    return float(seconds), float(memory) / 1024, json.loads(done.stdout)


def save(directory, P, cost):
    file = os.path.join(directory, "model.npz")
    np.savez(file, data=P.data, indices=P.indices, indptr=P.indptr, shape=np.array(P.shape), cost=cost)
    return file


def print_reading(program):
    states, moves = 1_000_000, 10
    rng = np.random.default_rng(1)
    data = rng.dirichlet(np.ones(moves), size=states).ravel()
    first = np.arange(states + 1, dtype=np.int64) * moves
    P = scipy.sparse.csr_array((data, np.tile(np.arange(moves, dtype=np.int32), states), first), shape=(states, states))
    with tempfile.TemporaryDirectory() as directory:
        file = save(directory, P, rng.random((states, 1)))
        seconds, memory, _ = run_politex(program, file)
        begin = time.process_time()
        load(file)
        numpy_seconds = time.process_time() - begin
    print(
        f"reading {P.nnz} moves, {states} states: politex exact {seconds:.1f} s, {memory:.0f} MB, "
        f"answer included; numpy.load {numpy_seconds:.1f} s",
        flush=True,
    )


def load(file):
    stored = np.load(file)
    P = scipy.sparse.csr_array((stored["data"], stored["indices"], stored["indptr"]), shape=tuple(stored["shape"]))
    return P, stored["cost"]


def bracket(P, cost, patience=PATIENCE):
    """Relative value iteration with the aperiodicity transformation: low, high and the number of sweeps."""
    states, actions = cost.shape
    h = np.zeros(states)
    begin = time.process_time()
    sweeps = 0
    while True:
        change = (cost + (P @ h).reshape(states, actions)).min(axis=1) - h
        sweeps += 1
        low, high = change.min(), change.max()
        if high - low <= WIDTH * max(1, abs(low)) or time.process_time() - begin > patience:
            return low, high, sweeps
        h += 0.9 * (change - 0.5 * (low + high))


def run_scipy(file):
    P, cost = load(file)
    begin = time.process_time()
    low, high, sweeps = bracket(P, cost)
    return {"seconds": time.process_time() - begin, "low": low, "high": high, "note": f"{sweeps} sweeps"}


def run_mdpsolver(file):
    import mdpsolver

    P, cost = load(file)
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
    seconds = time.process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    policy = np.asarray(model.getPolicy(), dtype=np.int64).ravel()
    x = np.arange(states)
    low, high, _ = bracket(P[x * actions + policy], cost[x, policy][:, None])
    return {"seconds": seconds, "low": low, "high": high, "memory": memory, "note": "gain of its policy"}


def in_own_process(which, file):
    """Its numbers; or why there are none."""
    done = subprocess.Popen([sys.executable, __file__, "--solver", which, file], stdout=subprocess.PIPE, text=True)
    try:
        out, _ = done.communicate(timeout=4 * PATIENCE)
    except subprocess.TimeoutExpired:
        done.kill()
        done.communicate()
        return f"stopped after {4 * PATIENCE:.0f} s"
    return json.loads(out) if done.returncode == 0 else f"ended with status {done.returncode}"


def print_peer(which, found, own, meets):
    if isinstance(found, str):
        print(f"  {which:10} {found}", flush=True)
        return
    width = found["high"] - found["low"]
    reached = width <= 1.01 * WIDTH * max(1, abs(found["low"]))
    said = found["note"] + ("" if reached else f", not converged: {width:.1e} wide")
    print(
        f"  {which:10} {found['seconds']:8.1f} s {found['memory']:7.0f} MB, {found['seconds'] / own:6.1f} x, "
        f"[{found['low']:.10f}, {found['high']:.10f}], {said}; {'meets' if meets(found) else 'DOES NOT MEET'} ours",
        flush=True,
    )


def compare(name, states, options):
    P, cost = MODELS[name](states)
    print(f"{name}: {cost.shape[0]} states, {cost.shape[1]} actions, {P.nnz} moves", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        file = save(directory, P, cost)
        own, memory, answer = run_politex(options.program, file)
        low, high = answer["optimal_gain_low"], answer["optimal_gain_high"]
        print(f"  politex    {own:8.1f} s {memory:7.0f} MB,  all of `politex exact`, [{low:.10f}, {high:.10f}]", flush=True)
        meets = lambda found: found["low"] <= high + WIDTH and found["high"] >= low - WIDTH  # noqa: E731
        print_peer("SciPy", in_own_process("scipy", file), own, meets)
        if not options.without_mdpsolver:
            print_peer("mdpsolver", in_own_process("mdpsolver", file), own, meets)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("file", nargs="?")
    arguments.add_argument("--states", type=int, action="append")
    arguments.add_argument("--only", choices=MODELS, action="append")
    arguments.add_argument("--without-mdpsolver", action="store_true")
    arguments.add_argument("--reading", action="store_true")
    arguments.add_argument("--solver", action="store_true", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.solver:
        found = {"scipy": run_scipy, "mdpsolver": run_mdpsolver}[options.program](options.file)
        found.setdefault("memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        print(json.dumps({key: float(value) if key != "note" else value for key, value in found.items()}))
        return
    if options.reading:
        print_reading(options.program)
    for states in options.states or ([] if options.reading else [100_000]):
        for name in options.only or MODELS:
            compare(name, states, options)


if __name__ == "__main__":
    main()
