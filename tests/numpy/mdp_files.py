#!/usr/bin/env python3
"""Files of finite MDPs as NumPy and SciPy write them, read by the program, and the bounds of iterated gains against
relative value iteration in plain NumPy.

Usage: mdp_files.py PROGRAM                 compare; the exit status is 1 where anything is wrong
       mdp_files.py --self-check PROGRAM    change what is compared: each change must be noticed
"""
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

DAMAGES = 150  # damaged copies of one file


def random_csr(states, actions, branching, seed):
    rng = np.random.default_rng(seed)
    pairs = states * actions
    indices = np.stack([rng.choice(states, branching, replace=False) for _ in range(pairs)]).astype(np.int32)
    data = rng.dirichlet(np.ones(branching), size=pairs)
    indptr = np.arange(pairs + 1, dtype=np.int32) * branching
    return {
        "data": data.ravel(),
        "indices": indices.ravel(),
        "indptr": indptr,
        "shape": np.array([pairs, states]),
        "cost": rng.random((states, actions)),
    }


def value_iteration(m, width):
    """Bounds of the optimal gain."""
    pairs, states = m["shape"]
    actions = pairs // states
    cost = np.broadcast_to(m["cost"].reshape(states, -1), (states, actions))
    rows = np.repeat(np.arange(pairs), np.diff(m["indptr"]))
    h = np.zeros(states)
    while True:
        after = np.bincount(rows, m["data"] * h[m["indices"]], minlength=pairs).reshape(states, actions)
        change = (cost + after).min(axis=1) - h
        if change.max() - change.min() < width:
            return change.min(), change.max()
        h += 0.9 * (change - change.mean())


def exact(program, file, *more):
    done = subprocess.run(
        [program, "exact", "finite_mdp", f"file={file}", "--json", *more], capture_output=True, text=True
    )
    if done.returncode != 0:
        raise SystemExit(f"{file}: status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def write_json(m, file):
    pairs, states = (int(n) for n in m["shape"])
    actions = pairs // states
    transitions = [
        [p // actions, p % actions, int(m["indices"][e]), float(m["data"][e])]
        for p in range(pairs)
        for e in range(m["indptr"][p], m["indptr"][p + 1])
    ]
    file.write_text(
        json.dumps({"states": states, "actions": actions, "transitions": transitions, "costs": m["cost"].tolist()})
    )


def forms(m, directory):
    """The same model in every form that is accepted."""
    write_json(m, directory / "model.json")
    np.savez(directory / "plain.npz", **m)
    np.savez_compressed(directory / "packed.npz", **m)
    scipy = {**m, "format": np.array(b"csr"), "_is_array": np.array(True)}  # as scipy.sparse.save_npz, plus the cost
    np.savez_compressed(directory / "scipy.npz", **scipy)
    wide = {**m, "indices": m["indices"].astype(np.int64), "indptr": m["indptr"].astype(np.uint64)}
    np.savez(directory / "wide.npz", **wide, start=0, format="csr")
    zeros = {  # entries that are 0 are dropped
        **m,
        "data": np.concatenate([m["data"], [0.0]]),
        "indices": np.concatenate([m["indices"], [0]]),
        "indptr": np.concatenate([m["indptr"][:-1], m["indptr"][-1:] + 1]),
    }
    np.savez(directory / "zeros.npz", **zeros)
    return sorted(directory.glob("*.npz"))


def without_names(answer):
    return {key: value for key, value in answer.items() if key != "environment"}


def check_forms(program, directory, wrong):
    for seed in range(3):
        m = random_csr(40, 3, 4, seed)
        files = forms(m, directory)
        expected = without_names(exact(program, directory / "model.json"))
        if wrong:
            expected["gain"] = np.nextafter(expected["gain"], 2)
        for file in files:
            if without_names(exact(program, file)) != expected:
                return f"{file.name} and model.json differ"
    by_state = {**m, "cost": m["cost"][:, 0]}
    np.savez(directory / "by_state.npz", **by_state)
    low, high = value_iteration(by_state, 1e-10)
    if not low - 1e-9 <= exact(program, directory / "by_state.npz")["optimal_gain"] <= high + 1e-9:
        return "costs of states are read otherwise"
    return None


def refused(program, file, what):
    done = subprocess.run([program, "exact", "finite_mdp", f"file={file}"], capture_output=True, text=True)
    if done.returncode != 2 or what not in done.stderr or done.stdout:
        return f"{file.name}: status {done.returncode}, wanted 2 and \"{what}\": {done.stderr}"
    return None


def check_refusals(program, directory, wrong):
    m = random_csr(10, 2, 3, 9)
    bad = {
        "float32": ({"data": m["data"].astype(np.float32)}, "use float64"),
        "negative": ({"data": np.where(np.arange(60) == 7, -0.1, m["data"])}, '"data": [7]'),
        "nan": ({"data": np.where(np.arange(60) == 7, np.nan, m["data"])}, "finite number"),
        "successor": ({"indices": np.where(np.arange(60) == 5, 10, m["indices"])}, '"indices": [5] is 10'),
        "sum": ({"data": np.where(np.arange(60) == 7, 0.0, m["data"])}, "state 1, action 0"),
        "order": ({"indptr": np.where(np.arange(21) == 4, 0, m["indptr"])}, '"indptr": [4]'),
        "short": ({"indptr": m["indptr"][:-1]}, '"indptr": has 20 numbers'),
        "lengths": ({"indices": m["indices"][:-1]}, "equal lengths"),
        "shape": ({"shape": np.array([21, 10])}, '"shape"'),
        "cost": ({"cost": np.ascontiguousarray(m["cost"].T)}, '"cost": has the shape (2, 10)'),
        "cost_inf": ({"cost": np.full((10, 2), np.inf)}, '"cost": [0] is inf'),
        "objects": ({"cost": np.array([None] * 10)}, '"cost"'),
        "text": ({"cost": np.array(["a"] * 10)}, '"cost"'),
        "fortran": ({"cost": np.asfortranarray(m["cost"])}, "Fortran order"),
        "big_endian": ({"cost": m["cost"].astype(">f8")}, "little-endian"),
        "start": ({"start": 10}, '"start": [0] is 10'),
        "axes": ({"axes": np.zeros((1, 9), np.int32)}, '"axes": has the shape (1, 9)'),
        "format": ({"format": np.array(b"csc")}, "csr"),
        "unknown": ({"costs": m["cost"]}, "\"costs\": is not known"),
    }
    for name, (change, what) in bad.items():
        file = directory / f"bad_{name}.npz"
        np.savez(file, **{**m, **change})
        problem = refused(program, file, "not so" if wrong else what)
        if problem:
            return problem
    for key in ("data", "indices", "indptr", "shape", "cost"):
        file = directory / "missing.npz"
        np.savez(file, **{k: v for k, v in m.items() if k != key})
        problem = refused(program, file, f'"{key}": is missing')
        if problem:
            return problem
    return check_damages(program, directory, m)


def check_damages(program, directory, m):
    np.savez_compressed(directory / "whole.npz", **m)
    whole = (directory / "whole.npz").read_bytes()
    rng = random.Random(1)
    file = directory / "damaged.npz"
    for damage in range(DAMAGES):
        changed = bytearray(whole)
        at = rng.randrange(len(whole))
        if damage % 3 == 0:
            changed = changed[:at]
        else:
            changed[at] ^= 1 << rng.randrange(8)
        file.write_bytes(changed)
        done = subprocess.run([program, "exact", "finite_mdp", f"file={file}"], capture_output=True, text=True)
        if done.returncode not in (0, 2):
            return f"damage {damage}: status {done.returncode}: {done.stderr}"
    return None


def check_bounds(program, directory, wrong):
    m = random_csr(3000, 3, 3, 4)  # too wide for elimination
    np.savez(directory / "large.npz", **m)
    answer = exact(program, directory / "large.npz", "features.name=tabular")
    low, high = value_iteration(m, 1e-11)
    if wrong:
        low, high = low + 1e-7, high + 1e-7
    if answer["method"] != "iteration":
        return f"the method is {answer['method']}"
    if answer["optimal_gain_low"] > high or answer["optimal_gain_high"] < low:
        return f"bounds {answer['optimal_gain_low']} to {answer['optimal_gain_high']}, wanted {low} to {high}"
    if answer["optimal_gain_high"] - answer["optimal_gain_low"] > 1e-8:
        return "the bounds are too wide"
    return None


def main():
    self_check = sys.argv[1] == "--self-check"
    program = sys.argv[-1]
    for check in (check_forms, check_refusals, check_bounds):
        with tempfile.TemporaryDirectory() as directory:
            problem = check(program, Path(directory), self_check)
        if self_check and not problem:
            raise SystemExit(f"{check.__name__} does not notice a change")
        if problem and not self_check:
            raise SystemExit(f"{check.__name__}: {problem}")
    print("ok")


if __name__ == "__main__":
    main()
