"""Which lines the tests reached: coverage.py SOURCES BUILD [--readers] [--json FILE] [--missing PART]

Reads what gcov (g++ --coverage) counted in BUILD: a line counts as reached if it was in any program. Without --readers:
per room, what the tests reached that were run before. With --readers: what the corpus of every fuzz target reaches of
its reader (the line "// reader: FILE" of the target), after running it. --missing prints the lines of a room or file
that nothing reached.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

CORE = ("base settings env tables process iterative exact policy heuristics guard features solvers value algorithm "
        "discovery baselines").split()


def counts_of(file):
    """(source, line) -> times, of one object file."""
    done = subprocess.run(["gcov", "--json-format", "--stdout", file.name], cwd=file.parent, capture_output=True, check=True)
    found = collections.Counter()
    for text in done.stdout.splitlines():
        for source in json.loads(text)["files"]:
            for line in source["lines"]:
                found[source["file"], line["line_number"]] += line["count"]
    return found


def reached_lines(build, root):
    """The same for all programs, below the sources alone."""
    reached = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(counts_of, sorted(build.rglob("*.gcda"))):
            for (source, line), count in found.items():
                if source.startswith(f"{root}/"):
                    reached[source[len(str(root)) + 1:], line] += count
    return reached


def share(reached, part):
    lines = [count for (source, _), count in reached.items() if source == part or source.startswith(part + "/")]
    return [sum(count > 0 for count in lines), len(lines)]


def shown(name, hit, lines):
    print(f"{name:40} {hit:6} of {lines:6} lines, {100 * hit / max(lines, 1):5.1f}%", flush=True)


def readers(sources, build, root):
    parts = {}
    for target in sorted((sources / "tests/fuzz").glob("*.cpp")):
        reader = re.search(r"^// reader: src/(\S+)", target.read_text(), re.M)
        if not reader:
            continue
        for counted in build.rglob("*.gcda"):
            counted.unlink()
        program = next(build.rglob(f"replay_{target.stem}"))
        subprocess.run([program, *sorted((sources / "tests/fuzz/corpus" / target.stem).iterdir())], check=True,
                       stdout=subprocess.DEVNULL)
        reached = reached_lines(build, root)
        parts[f"{target.stem}: {reader[1]}"] = share(reached, reader[1])
        yield parts, reached


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--readers", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--missing")
    arguments = parser.parse_args()
    sources, build = arguments.sources.resolve(), arguments.build.resolve()
    root = sources / "src"
    parts, unreached = {}, set()
    if arguments.readers:
        for parts, reached in readers(sources, build, root):
            unreached |= {key for key, count in reached.items() if count == 0}
    else:
        reached = reached_lines(build, root)
        names = sorted({source.split("/")[0] for source, _ in reached})
        parts = {name: share(reached, name) for name in names}
        parts["core"] = [sum(parts.get(name, [0, 0])[k] for name in CORE) for k in (0, 1)]
        unreached = {key for key, count in reached.items() if count == 0}
    for name, (hit, lines) in parts.items():
        shown(name, hit, lines)
    for source, line in sorted(unreached):
        if arguments.missing and (source == arguments.missing or source.startswith(arguments.missing + "/")):
            print(f"{source}:{line}")
    if arguments.json:
        arguments.json.write_text(json.dumps(parts) + "\n")
    return 0 if parts else 1


if __name__ == "__main__":
    sys.exit(main())
