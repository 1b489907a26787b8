"""Every file operation and every allocation of a command fails once: the program says so, a rerun gives the same bytes.

  faults_test.py PROGRAM SHIM [--server FILE] [--python FILE] [--most N] [--seconds S] [--json FILE] [NAME ...]

For each scenario the calls that touch its files are counted (shim.cpp). Then, in new directories, call k fails with one
of the errors, is done by half, or is the last thing before or after which the process dies; or allocation k fails; or
the address space is limited (ulimit -v). Afterwards one of these must hold:
  - the command says that it succeeded, and its files are those of an undisturbed command;
  - or it ends with status 1 or 2 and a message, or was killed; and the command that finishes it gives these files.
--most N tries N of the faults of each scenario, drawn by a fixed seed (default: all of them); --seconds bounds the
whole, spread over the scenarios. --server is tests/process/plain_server.cpp as a program, --python a Python that can
import politex: without them, their scenarios are left out.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable

ALLOCATION = "allocation"
KINDS = ("ENOSPC", "EIO", "EDQUOT", "EINTR", "EROFS", "EMFILE", "short", "kill_before", "kill_after")
SPACE = "address space"
LIMITED = ("linear run", "neural run", "exact of JSON")  # ulimit -v
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

PROCESS = """steps = 600
[environment]
name = "process"
command = "{server}"
[schedule]
explore = 7
follow = 30
[explorer]
name = "uniform"
"""
LOG = "state,action,cost,next,propensity\n" + "".join(
    f"{k % 6},{k // 6 % 2},{-0.5 * (k % 3)},{(k + 1) % 6},0.5\n" for k in range(240))
PYTHON = """import politex
agent = politex.EEPolitex(politex.MDP.load("model.json"), seed=1).learn(600)
agent.save("out.watched")
print(politex.load("out.watched").learn(100).summary["signature"])
"""
CORPUS = pathlib.Path(__file__).resolve().parent.parent / "fuzz/corpus"


@dataclasses.dataclass
class Scenario:
    name: str
    files: dict[str, Any]  # name -> text or bytes
    command: list[str]
    finish: Callable  # (program, place/out.watched) -> the command that finishes what is there, or None
    outcome: Callable  # place/out.watched -> what must be the same; what the command printed is in place/printed
    prepare: list = dataclasses.field(default_factory=list)  # (command, fault): what happened before
    gnuplot: bool = False  # it takes most of the time where it is found


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


def tuning_files(directory):
    return {name: (directory / name).read_bytes()
            for name in ("results.csv", "sweep.json", "tuning.csv", "sensitivity.csv")}


def all_files(directory):
    return {str(path.relative_to(directory)): path.read_bytes() for path in sorted(directory.rglob("*"))
            if path.is_file() and not path.name.endswith((".new", ".part"))}


def printed(place):
    return (place.parent / "printed").read_bytes()


def resume(program, place):
    return [program, "run", "--resume", str(place)] if (place / "config.toml").exists() else None


def again(*_):
    return None  # the command itself finishes what it began


def scenarios(program, server=None, python=None):
    run = [program, "run", "file.toml", "--out", "out.watched", "--quiet", "--checkpoint-seconds", "0"]
    sweep = [program, "sweep", "file.toml", "algorithm.eta=0.1,0.2", "--seeds", "3", "--jobs", "1", "--quiet",
             "--out", "out.watched", "--checkpoint-seconds", "0"]
    tune = sweep + ["--tune", "2"]
    explore = [program, "explore", "file.toml", "--quiet", "--out", "out.watched", "explorer.name=learned"]
    runs = [program, "sweep", "file.toml", "algorithm.eta=0.1,0.2", "--seeds", "2", "--jobs", "1", "--quiet", "--out",
            "runs"]
    report = [program, "report", "runs", "--out", "out.watched"]
    export = [program, "policy", "export", "runs", "--to", "csv", "--out", "out.watched"]
    exact = [program, "exact", "finite_mdp", "--json"]
    killed = {"at": 200, "kind": "kill_after"}
    npz = (CORPUS / "finite_mdp_arrays/deflated.npz").read_bytes()
    mdp = (CORPUS / "finite_mdp/two_states.json").read_bytes()
    all_of_them = [
        Scenario("linear run", {"file.toml": LINEAR}, run, resume, run_files),
        Scenario("neural run", {"file.toml": NEURAL}, run, resume, run_files),
        Scenario("resume", {"file.toml": LINEAR}, [program, "run", "--resume", "out.watched", "--quiet"], resume,
                 run_files, prepare=[(run, killed)]),
        Scenario("sweep", {"file.toml": LINEAR}, sweep, again, sweep_files),
        Scenario("tune", {"file.toml": LINEAR}, tune, again, tuning_files),
        Scenario("explore", {"file.toml": LINEAR}, explore, again, pathlib.Path.read_bytes),
        Scenario("report", {"file.toml": LINEAR}, report, again, all_files, prepare=[(runs, {})]),
        Scenario("export", {"file.toml": LINEAR}, export, again, pathlib.Path.read_bytes,
                 prepare=[([*run[:4], "runs", "--quiet"], {})]),
        Scenario("exact of JSON", {"m.watched.json": mdp}, [*exact, "file=m.watched.json"], again, printed),
        Scenario("exact of arrays", {"m.watched.npz": npz}, [*exact, "file=m.watched.npz"], again, printed),
        Scenario("evaluate a log", {"log.watched.csv": LOG},
                 [program, "evaluate", "uniform", "river_swim", "--log", "log.watched.csv", "--json"], again, printed),
        Scenario("report with gnuplot", {"file.toml": LINEAR}, report, again, all_files, prepare=[(runs, {})],
                 gnuplot=True),
    ]
    if server:
        all_of_them.append(Scenario("run with an environment process", {"file.toml": PROCESS.format(server=server)}, run,
                                    resume, run_files))
    if python:
        all_of_them.append(Scenario("Python save and load", {"file.py": PYTHON, "model.json": mdp}, [python, "file.py"],
                                    again, printed))
    return all_of_them


class Tried:
    def __init__(self, program, shim):
        self.program, self.shim = program, shim
        self.counts = collections.Counter()
        self.problems = []

    def run(self, scenario, place, command, memory=None, **fault):
        environment = {**os.environ, "LD_PRELOAD": str(self.shim),
                       "ASAN_OPTIONS": "verify_asan_link_order=0:alloc_dealloc_mismatch=0:detect_leaks=0",
                       "POLITEX_FAULT_IN": "watched",
                       **{"POLITEX_FAULT_" + key.upper(): str(value) for key, value in fault.items()}}
        if not scenario.gnuplot:
            environment["PATH"] = "/nonexistent"
        limit = memory and (lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)))
        try:
            done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, errors="replace",
                                  timeout=60, preexec_fn=limit)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode == 0:
            (place / "printed").write_text(done.stdout)
        return done

    def make(self, scenario, place):
        """The place before the command; made once, then copied."""
        if not hasattr(scenario, "template"):
            holder = tempfile.TemporaryDirectory()
            template = pathlib.Path(holder.name) / "template"
            template.mkdir()
            for name, text in scenario.files.items():
                (template / name).write_bytes(text if isinstance(text, bytes) else text.encode())
            for command, fault in scenario.prepare:
                done = self.run(scenario, template, command, **fault)
                if done is None or done.returncode not in (0, -9):
                    raise SystemExit(f"{scenario.name}: {done and done.stderr}")
            scenario.template, scenario.holder = template, holder
        shutil.copytree(scenario.template, place)

    def expected(self, scenario, root):
        place = root / "whole"
        self.make(scenario, place)
        done = self.run(scenario, place, scenario.command, log=root / "calls", new=0)
        if done is None or done.returncode != 0:
            raise SystemExit(f"{scenario.name}: {done and done.stderr}")
        *calls, allocations = (root / "calls").read_text().splitlines()
        return scenario.outcome(place / "out.watched"), calls, int(allocations.split()[0])

    def try_one(self, scenario, place, expected, call, kind, stays):
        what = f"{scenario.name}, call {call}, {kind}{' from then on' if stays else ''}"
        self.make(scenario, place)
        fault = ({"new": call} if kind == ALLOCATION else {"memory": call} if kind == SPACE else
                 {"at": call.split()[0], "kind": kind, "stays": int(stays)})
        first = self.run(scenario, place, scenario.command, **fault)
        return self.judge(scenario, place, expected, first, what, kind)

    def judge(self, scenario, place, expected, first, what, kind):
        out = place / "out.watched"
        if first is None:
            return what + ": hangs"
        killed = kind.startswith("kill")
        python = scenario.name.startswith("Python")
        # Python has no handler of std::terminate from us: libraries' start and destructors that have no memory end it.
        aborted = python and kind == ALLOCATION and first.returncode == -6 and "std::bad_alloc" in first.stderr
        if first.returncode == 0:
            return None if scenario.outcome(out) == expected else what + ": status 0, and other files"
        if not aborted and first.returncode not in ((1, 2, -9) if killed else (1, 2)):
            return f"{what}: status {first.returncode}: {first.stderr[-300:]}"
        if not killed and not aborted and "politex: " not in first.stderr and not (python and "Error" in first.stderr):
            return f"{what}: no message: {first.stderr[-300:]}"
        if not python and re.search(r"exception|std::|basic_|_M_|terminate", first.stderr):
            return f"{what}: words of a library: {first.stderr[-300:]}"
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

    def address_spaces(self, scenario, root):
        """Limits from what the program needs to say its version to what the command needs, in equal steps."""
        def enough(command, megabytes):
            place = root / "limits"
            self.make(scenario, place)
            done = self.run(scenario, place, command, memory=megabytes << 20)
            shutil.rmtree(place)
            return done is not None and done.returncode == 0

        def least(command, low):
            high = 2 * low
            while not enough(command, high):
                high *= 2
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if enough(command, middle) else (middle, high)
            return high

        first = least([self.program, "--version"], 4)
        last = max(first + 1, least(scenario.command, first))
        return [(first << 20) + k * ((last - first) << 20) // 24 for k in range(24)]

    def scenario(self, scenario, most, seconds):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            begin = time.monotonic()
            expected, calls, allocations = self.expected(scenario, root)
            tries = [(call, kind, stays) for call in calls for kind in KINDS
                     for stays in ((False, True) if kind in STAYING else (False,))]
            spaces = self.address_spaces(scenario, root) if scenario.name in LIMITED else []
            tries += [(number, ALLOCATION, False) for number in range(1, allocations + 1)]
            half = most // 2
            random.Random(1).shuffle(tries)  # half of the sample are calls, half allocations
            chosen = [each for each in tries if each[1] != ALLOCATION][:most - half]
            chosen += [each for each in tries if each[1] == ALLOCATION][:half]
            chosen += [(space, SPACE, False) for space in spaces]
            random.Random(2).shuffle(chosen)

            def one(numbered):
                number, (call, kind, stays) = numbered
                if time.monotonic() > begin + seconds:
                    return None
                place = root / f"place-{number}"
                problem = self.try_one(scenario, place, expected, call, kind, stays)
                shutil.rmtree(place)
                return kind, problem

            done = 0
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                for result in pool.map(one, enumerate(chosen)):
                    if result is None:
                        continue
                    done += 1
                    self.counts[result[0]] += 1
                    if result[1]:
                        self.problems.append(result[1])
                        print("  " + result[1].replace("\n", "\n    "), flush=True)
            print(f"{scenario.name}: {len(calls)} calls, {allocations} allocations; {done} of "
                  f"{len(tries) + len(spaces)} faults tried", flush=True)
            return len(calls), allocations


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--server")
    parser.add_argument("--python")
    parser.add_argument("--most", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--json")
    arguments = parser.parse_intermixed_args()
    program = os.path.abspath(arguments.program)
    tried = Tried(program, os.path.abspath(arguments.shim))
    server = arguments.server and os.path.abspath(arguments.server)
    python = arguments.python and os.path.abspath(arguments.python)
    wanted = [each for each in scenarios(program, server, python)
              if (each.name in arguments.names if arguments.names else not each.gnuplot or arguments.most > 10**6)]
    end = time.monotonic() + arguments.seconds
    calls, allocations = 0, 0
    for number, each in enumerate(wanted):
        # What one scenario does not need, the others have.
        more = tried.scenario(each, arguments.most, (end - time.monotonic()) / (len(wanted) - number))
        calls, allocations = calls + more[0], allocations + more[1]
    faults = sum(tried.counts.values())
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(
            {"scenarios": len(wanted), "calls": calls, "allocations": allocations, "faults": faults,
             "kinds": tried.counts, "problems": len(tried.problems)}) + "\n")
    print(f"{faults} faults, {len(tried.problems)} problems")
    return 1 if tried.problems or not faults else 0


if __name__ == "__main__":
    sys.exit(main())
