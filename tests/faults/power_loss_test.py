"""The power fails after every change that a command makes to its files; what was not synced is lost, partly or wholly.

  power_loss_test.py PROGRAM SHIM [--most N] [--seconds S] [--json FILE] [NAME ...]

The journal of shim.cpp has every change of an undisturbed command. For each prefix of it the disk is made as it may be
after the power failed: bytes that were not synced before are lost, are zeros, or end somewhere; entries of a directory
that was not synced are lost from some point on. Then the command that finishes is run. It must give the files of the
undisturbed command: never a wrong number, a hang, or a file that nothing can read.
--most N tries N states of each scenario, drawn by a fixed seed (default: all); --seconds bounds the whole.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import faults_test

KINDS = ("nothing unsynced", "names without bytes", "names with zeros", "bytes without names", "any part", "any part, again")


class File:
    """An inode: its bytes now, those that are safe, and the changes since."""

    def __init__(self):
        self.bytes, self.safe, self.changes = b"", b"", []

    def change(self, kind, *what):
        self.changes.append((kind, *what))
        self.bytes = changed(self.bytes, kind, *what)

    def sync(self):
        self.safe, self.changes = self.bytes, []


def changed(old, kind, *what):
    if kind == "resize":
        return old[:what[0]].ljust(what[0], b"\0")
    at, data = what
    return old[:at].ljust(at, b"\0") + data + old[at + len(data):]


def parse(journal):
    """The changes, as lists of words, with the bytes of writes at the end."""
    at = 0
    while at < len(journal):
        end = journal.index(b"\n", at)
        words = journal[at:end].decode().split("\t")
        at = end + 1
        if words[0] == "write":
            size = int(words[3])
            words = [*words, journal[at:at + size]]
            at += size
        yield words


class Disk:
    """What the changes so far made, and which of them are safe."""

    def __init__(self):
        self.open, self.now, self.safe = {}, {}, {}  # descriptor -> inode or name of a directory; name -> inode or None
        self.entries = []  # changes of names since their directory was synced: (directory, function on names)

    def name(self, path, value):
        """None: a directory; False: nothing."""
        self.now = entered(self.now, path, value)
        self.entries.append((os.path.dirname(path), path, value))

    def apply(self, words):
        kind, *rest = words
        if kind == "open":
            number, create, truncate, path = rest
            path = os.path.normpath(path)
            if create and path not in self.now:
                self.name(path, File())
            thing = self.now.get(path, path)
            self.open[number] = path if thing is None else thing
            if truncate and isinstance(thing, File) and thing.bytes:
                thing.change("resize", 0)
        elif kind == "write":
            self.open[rest[0]].change("write", int(rest[1]), rest[3])
        elif kind == "resize":
            self.open[rest[0]].change("resize", int(rest[1]))
        elif kind == "sync":
            thing = self.open[rest[0]]
            if isinstance(thing, File):
                thing.sync()
                return
            for _, path, value in (each for each in self.entries if each[0] == thing):
                self.safe = entered(self.safe, path, value)
            self.entries = [each for each in self.entries if each[0] != thing]
        elif kind == "mkdir":
            self.name(os.path.normpath(rest[0]), None)
        elif kind == "remove":
            self.name(os.path.normpath(rest[0]), False)
        elif kind in ("rename", "link"):
            old, new = map(os.path.normpath, rest)
            self.name(new, self.now[old])
            if kind == "rename":
                # One change of a directory: both names, or none.
                directory, path, value = self.entries.pop()
                self.now = entered(self.now, old, False)
                self.entries.append((directory, (path, old), (value, False)))
        else:
            raise SystemExit(f"unknown change {kind}")

    def after_power_loss(self, kind, random_of):
        """Name -> bytes, or None for a directory."""
        names = dict(self.safe)
        part = kind.startswith("any part")
        if kind in ("names without bytes", "names with zeros") or part:
            directories = {each[0] for each in self.entries}
            kept = {each: random_of.randint(0, sum(e[0] == each for e in self.entries)) if part else len(self.entries)
                    for each in sorted(directories)}
            for directory, path, value in self.entries:
                kept[directory] -= 1
                if kept[directory] >= 0:
                    names = entered(names, path, value)
        elif kind == "bytes without names":
            pass
        contents = {}
        for path, thing in names.items():
            if thing is None:
                contents[path] = None
            elif kind == "bytes without names":
                contents[path] = thing.bytes
            elif kind == "names with zeros":
                contents[path] = thing.safe.ljust(len(thing.bytes), b"\0") if thing.changes else thing.bytes
            elif part and thing.changes:
                made = thing.safe
                for number in range(random_of.randint(0, len(thing.changes))):
                    made = changed(made, *thing.changes[number])
                contents[path] = made[:random_of.randint(min(len(thing.safe), len(made)), len(made))]
            else:
                contents[path] = thing.safe
        # A name in a directory that is lost is lost.
        return {path: value for path, value in contents.items()
                if all(parent in contents for parent in parents(path))}


def parents(path):
    parts = path.split(os.sep)
    return [os.sep.join(parts[:count]) for count in range(1, len(parts))]


def entered(names, path, value):
    names = dict(names)
    pairs = zip(path, value) if isinstance(path, tuple) else [(path, value)]
    for name, thing in pairs:
        if thing is False:
            names.pop(name, None)
        else:
            names[name] = thing
    return names


def write_disk(place, contents):
    for path, value in sorted(contents.items()):
        if value is None:
            (place / path).mkdir(exist_ok=True)
        else:
            (place / path).write_bytes(value)


def finish(tried, scenario, place):
    """The last of the commands that a user would try, and its result."""
    out = place / "out.watched"
    result = None
    for command in (scenario.finish(tried.program, out), scenario.command):
        if command is None:
            continue
        result = tried.run(scenario, place, command)
        if result is None or result.returncode == 0:
            return result
        # What a person does who reads: nothing of the run is left to resume.
        if result.returncode == 2 and "exists already" in result.stderr and not (out / "config.toml").exists():
            shutil.rmtree(out)
            return tried.run(scenario, place, scenario.command)
    return result


def try_scenario(tried, scenario, most, until):
    problems, done = [], 0
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        whole = root / "whole"
        tried.make(scenario, whole)
        first = tried.run(scenario, whole, scenario.command, journal=root / "journal")
        if first is None or first.returncode != 0:
            raise SystemExit(f"{scenario.name}: {first and first.stderr}")
        expected = scenario.outcome(whole / "out.watched")
        changes = list(parse((root / "journal").read_bytes()))
        tries = [(number, kind) for number in range(len(changes) + 1) for kind in KINDS]
        random.Random(1).shuffle(tries)
        chosen = sorted(tries[:most])
        disk, applied = Disk(), 0
        disk.safe = {}
        for number, kind in chosen:
            if time.monotonic() > until:
                break
            while applied < number:
                disk.apply(changes[applied])
                applied += 1
            place = root / "place"
            tried.make(scenario, place)
            write_disk(place, disk.after_power_loss(kind, random.Random(f"{number} {kind}")))
            result = finish(tried, scenario, place)
            what = f"{scenario.name}, power lost after change {number} of {len(changes)} ({kind})"
            done += 1
            if result is None:
                problems.append(what + ": the command that finishes hangs")
            elif result.returncode != 0:
                problems.append(f"{what}: it fails: {result.stderr[-400:]}")
            elif scenario.outcome(place / "out.watched") != expected:
                problems.append(what + ": other files")
            shutil.rmtree(place)
    for problem in problems:
        print("  " + problem.replace("\n", "\n    "), flush=True)
    print(f"{scenario.name}: {len(changes)} changes of files, {done} of {len(tries)} states of the disk tried, "
          f"{len(problems)} problems", flush=True)
    return done, len(problems)


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
    tried = faults_test.Tried(program, os.path.abspath(arguments.shim))
    written = ("linear run", "neural run", "sweep", "tune")  # the others read, or write one file at their end
    wanted = [each for each in faults_test.scenarios(program) if each.name in (arguments.names or written)]
    begin, states, problems = time.monotonic(), 0, 0
    for number, each in enumerate(wanted):
        more = try_scenario(tried, each, arguments.most, begin + arguments.seconds * (number + 1) / len(wanted))
        states, problems = states + more[0], problems + more[1]
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"states": states, "problems": problems}) + "\n")
    return 1 if problems or not states else 0


if __name__ == "__main__":
    sys.exit(main())
