"""A signal at any state of a run: the program ends as it promises or does not mind, and a rerun gives the same bytes.

  signals_test.py PROGRAM SHIM [--each N]

The states are the calls that change files: the shim raises the signal before the k-th of them. --each N tries N of them
for each signal, evenly spread (0: all). Then SIGTERM and SIGINT come 0 to 10 ms after the start, when the program may not
even have begun.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "faults"))
from faults_test import LINEAR, NEURAL, run_files  # noqa: E402

# How a command may end besides 0: with the status of a stopped run, or killed by a signal that nobody handles.
STOPPED = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 143, signal.SIGUSR1: 143}
SIGNALS = [(signal.SIGINT, 1), (signal.SIGINT, 2), (signal.SIGTERM, 1), (signal.SIGHUP, 1), (signal.SIGPIPE, 1),
           (signal.SIGXFSZ, 1), (signal.SIGUSR1, 1), (signal.SIGUSR2, 1)]


class Test:
    def __init__(self, program, shim, root):
        self.program, self.shim, self.root = os.path.abspath(program), os.path.abspath(shim), root
        self.problems, self.tried = [], 0

    def begin(self, text, name="out"):
        place = self.root / "place"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        (place / "file.toml").write_text(text)
        return place, [self.program, "run", "file.toml", "--out", name, "--quiet", "--checkpoint-seconds", "0"]

    def run(self, place, command, **settings):
        environment = {**os.environ, "LD_PRELOAD": self.shim,
                       **{"POLITEX_SIGNAL" + key: str(value) for key, value in settings.items()}}
        return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=60)

    def whole(self, text):
        place, command = self.begin(text)
        done = self.run(place, command, _COUNT=self.root / "count")
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        return run_files(place / "out"), int((self.root / "count").read_text())

    def check(self, what, place, command, ended, number, expected):
        """What must hold after a command that got a signal."""
        self.tried += 1
        status, said = ended
        if status not in (0, STOPPED.get(number, -number), -number):
            self.problems.append(f"{what}: status {status}: {said[-300:]}")
        out = place / "out"
        if status in STOPPED.values() and (out / "checkpoint").exists() and "--resume" not in said:
            self.problems.append(f"{what}: it does not say how to resume: {said[-300:]}")
        if status != 0:
            if (out / "config.toml").exists():
                command = [self.program, "run", "--resume", "out", "--quiet"]
            done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=60)
            if done.returncode != 0:
                self.problems.append(f"{what}: it cannot be finished: {done.stderr[-300:]}")
                return
        if run_files(out) != expected:
            self.problems.append(f"{what}: other files")

    def at_calls(self, name, text, each):
        expected, calls = self.whole(text)
        step = max(1, calls // each) if each else 1
        for index, (number, times) in enumerate(SIGNALS):
            for k in range(1 + index % step, calls + 1, step):
                place, command = self.begin(text)
                done = self.run(place, command, _AT=k, _TIMES=times, **{"": int(number)})
                self.check(f"{name}, {times} {signal.Signals(number).name} at call {k} of {calls}", place, command,
                           (done.returncode, done.stderr), number, expected)

    def at_start(self, text):
        expected, _ = self.whole(text)
        for number in (signal.SIGTERM, signal.SIGINT):
            for delay in range(11):
                place, command = self.begin(text)
                process = subprocess.Popen(command, cwd=place, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
                time.sleep(delay / 1000)
                process.send_signal(number)
                said = process.communicate(timeout=60)[1]
                self.check(f"{signal.Signals(number).name} after {delay} ms", place, command, (process.returncode, said),
                           number, expected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("--each", type=int, default=8)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="politex-signals-") as root:
        test = Test(given.program, given.shim, pathlib.Path(root))
        test.at_calls("linear run", LINEAR, given.each)
        test.at_calls("neural run", NEURAL, given.each)
        test.at_start(LINEAR)
    print(f"{test.tried} signals")
    for problem in test.problems:
        print(problem)
    return 1 if test.problems else 0


if __name__ == "__main__":
    sys.exit(main())
