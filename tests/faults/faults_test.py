"""Every file operation and every allocation of a command fails once: the program says so, a rerun gives the same bytes.

  faults_test.py PROGRAM SHIM [--most N] [--seconds S] [--json FILE] [NAME ...]

For each scenario the calls that touch its files are counted (shim.cpp). Then, in new directories, call k fails with one
of the errors, is done by half, or is the last thing before or after which the process dies. Afterwards one of these
must hold:
  - the command says that it succeeded, and its files are those of an undisturbed command;
  - or it ends with status 1 or 2 and a message, or was killed; and the command that finishes it gives these files.
--most N tries N of the faults of each scenario, drawn by a fixed seed (default: all of them); --seconds bounds the
whole, spread over the scenarios.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ALLOCATION = "allocation"
KINDS = ("ENOSPC", "EIO", "EDQUOT", "EINTR", "EROFS", "EMFILE", "short", "kill_before", "kill_after")
STAYING = ("ENOSPC", "EROFS")  # these do not go away by themselves

LINEAR = """steps = 600
[environment]
name = "deep_sea"
size = 4
[algorithm]
name = "ee_politex"
"""
NEURAL = """steps = 120
[environment]
name = "cartpole"
[algorithm]
name = "neural_ee_politex"
[network]
hidden = 4
[replay]
capacity = 64
[learner]
batch = 4
[schedule]
phase_steps = 5
[actors]
environments = 2
threads = 0
transitions_per_step = 4
"""

Scenario = collections.namedtuple("Scenario", "name files command finish outcome")


def run_files(directory):
    """What a run promises to be the same: all but times, the log, and where things were."""
    summary = json.loads((directory / "summary.json").read_text())
    for key in ("seconds", "steps_per_second"):
        summary.pop(key)
    return {"summary": summary, "rows": (directory / "progress.csv").read_bytes(),
            "config": (directory / "config.toml").read_bytes()}


def sweep_files(directory):
    return {"results": (directory / "results.csv").read_bytes(),
            **{path.parent.name: run_files(path.parent) for path in sorted(directory.glob("runs/*/config.toml"))}}


def resume(program, place):
    return [program, "run", "--resume", str(place)] if (place / "config.toml").exists() else None


def scenarios(program):
    run = [program, "run", "file.toml", "--out", "out.watched", "--quiet", "--checkpoint-seconds", "0"]
    sweep = [program, "sweep", "file.toml", "algorithm.eta=0.1,0.2", "--seeds", "3", "--jobs", "1", "--quiet",
             "--out", "out.watched", "--checkpoint-seconds", "0"]
    explore = [program, "explore", "file.toml", "--quiet", "--out", "out.watched", "explorer.name=learned"]
    return [
        Scenario("linear run", {"file.toml": LINEAR}, run, resume, run_files),
        Scenario("neural run", {"file.toml": NEURAL}, run, resume, run_files),
        Scenario("sweep", {"file.toml": LINEAR}, sweep, lambda *_: sweep, sweep_files),
        Scenario("tune", {"file.toml": LINEAR}, sweep + ["--tune", "2"], lambda *_: sweep + ["--tune", "2"],
                 lambda place: {"rows": (place / "results.csv").read_bytes()}),
        Scenario("explore", {"file.toml": LINEAR}, explore, lambda *_: explore,
                 lambda place: {"policy": place.read_bytes()}),
    ]


class Tried:
    def __init__(self, program, shim):
        self.program, self.shim = program, shim
        self.counts = collections.Counter()
        self.problems = []
        self.known = 0  # docs/internals/how-it-is-tested.md, "Known"

    def run(self, scenario, place, command, **fault):
        environment = {**os.environ, "LD_PRELOAD": str(self.shim),
                       "ASAN_OPTIONS": "verify_asan_link_order=0:alloc_dealloc_mismatch=0:detect_leaks=0",
                       "POLITEX_FAULT_IN": "watched",
                       **{"POLITEX_FAULT_" + key.upper(): str(value) for key, value in fault.items()}}
        try:
            return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, errors="replace",
                                  timeout=60)
        except subprocess.TimeoutExpired:
            return None

    def make(self, scenario, place):
        place.mkdir()
        for name, text in scenario.files.items():
            (place / name).write_text(text)

    def expected(self, scenario, root):
        place = root / "whole"
        self.make(scenario, place)
        done = self.run(scenario, place, scenario.command, log=root / "calls", new=0)
        if done.returncode != 0:
            raise SystemExit(f"{scenario.name}: {done.stderr}")
        *calls, allocations = (root / "calls").read_text().splitlines()
        return scenario.outcome(place / "out.watched"), calls, int(allocations.split()[0])

    def try_one(self, scenario, place, expected, call, kind, stays):
        what = f"{scenario.name}, call {call}, {kind}{' from then on' if stays else ''}"
        self.make(scenario, place)
        fault = {"new": call} if kind == ALLOCATION else {"at": call.split()[0], "kind": kind, "stays": int(stays)}
        first = self.run(scenario, place, scenario.command, **fault)
        self.counts[kind] += 1
        if first is None:
            return what + ": hangs"
        killed = kind.startswith("kill")
        if first.returncode == 0:
            if scenario.outcome(place / "out.watched") != expected:
                return what + ": status 0, and other files"
            return None
        if first.returncode not in ((1, 2, -9) if killed else (1, 2)):
            return f"{what}: status {first.returncode}: {first.stderr[-300:]}"
        if not killed and not first.stderr.startswith("politex: ") and "politex: " not in first.stderr:
            return f"{what}: no message"
        if re.search(r"exception|std::|basic_|_M_|terminate", first.stderr):
            return f"{what}: words of a library: {first.stderr[-300:]}"
        out = place / "out.watched"
        second = None
        for command in (scenario.finish(self.program, out), scenario.command):
            if command is None:
                continue
            second = self.run(scenario, place, command)
            if second is not None and second.returncode == 0:
                break
        if second is None:
            return what + ": the rerun hangs"
        if second.returncode == 2 and "exists already" in second.stderr and scenario.outcome(out) == expected:
            return None  # killed after its last file was complete
        if second.returncode != 0:
            return f"{what}: the rerun fails: {second.stderr[-400:]}"
        if scenario.outcome(out) != expected:
            return what + ": the rerun gives other files"
        return None

    def scenario(self, scenario, most, until):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            expected, calls, allocations = self.expected(scenario, root)
            tries = [(call, kind, stays) for call in calls for kind in KINDS
                     for stays in ((False, True) if kind in STAYING else (False,))]
            tries += [(number, ALLOCATION, False) for number in range(1, allocations + 1)]
            half = most // 2
            random.Random(1).shuffle(tries)  # half of the sample are calls, half allocations
            chosen = [each for each in tries if each[1] != ALLOCATION][:most - half]
            chosen += [each for each in tries if each[1] == ALLOCATION][:half]
            random.Random(2).shuffle(chosen)
            done = 0
            for call, kind, stays in chosen:
                if time.monotonic() > until:
                    break
                place = root / "place"
                problem = self.try_one(scenario, place, expected, call, kind, stays)
                if problem and scenario.name == "tune" and problem.endswith("the rerun gives other files"):
                    self.known += 1
                elif problem:
                    self.problems.append(problem)
                    print("  " + problem.replace("\n", "\n    "), flush=True)
                shutil.rmtree(place)
                done += 1
            print(f"{scenario.name}: {len(calls)} calls, {allocations} allocations; {done} of {len(tries)} faults tried",
                  flush=True)
            return len(calls), allocations


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--most", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--json")
    arguments = parser.parse_intermixed_args()
    program = os.path.abspath(arguments.program)
    tried = Tried(program, os.path.abspath(arguments.shim))
    wanted = [each for each in scenarios(program) if not arguments.names or each.name in arguments.names]
    begin = time.monotonic()
    calls, allocations = 0, 0
    for number, each in enumerate(wanted):
        more = tried.scenario(each, arguments.most, begin + arguments.seconds * (number + 1) / len(wanted))
        calls, allocations = calls + more[0], allocations + more[1]
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(
            {"calls": calls, "allocations": allocations, "faults": sum(tried.counts.values()), "kinds": tried.counts,
             "problems": len(tried.problems)}, indent=1) + "\n")
    print(f"{sum(tried.counts.values())} faults, {len(tried.problems)} problems, and {tried.known} times the known one "
          "(a tuning that chose without a run that failed)")
    return 1 if tried.problems or not tried.counts else 0


if __name__ == "__main__":
    sys.exit(main())
