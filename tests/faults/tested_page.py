"""The numbers of docs/internals/how-it-is-tested.md: tested_page.py SOURCES RESULTS

Counts the tests in the sources, and reads what `.ci/run faults` and `.ci/run coverage` left in RESULTS.
"""
import json
import pathlib
import re
import sys

BEGIN, COVERAGE, END = "<!-- numbers: begin -->", "<!-- coverage: begin -->", "<!-- numbers: end -->"


def count(root, pattern, suffixes):
    return sum(len(re.findall(pattern, path.read_text(), re.M)) for path in sorted((root / "tests").rglob("*"))
               if path.suffix in suffixes)


def counted(root):
    fuzz = sorted((root / "tests/fuzz").glob("*.cpp"))
    runs = [re.search(r"^// runs: (\d+)", path.read_text(), re.M) for path in fuzz]
    lines = sum(len(path.read_text().splitlines()) for path in (root / "src").rglob("*.[ch]pp"))
    tests = sum(len(path.read_text().splitlines()) for path in (root / "tests").rglob("*") if path.suffix in
                (".cpp", ".hpp", ".py"))
    return [
        ("lines of C++ in `src/`, and of tests", f"{lines:,}, {tests:,}"),
        ("test cases in C++", f"{count(root, r'^TEST(_F|_P)?[(]', {'.cpp'}):,}"),
        ("test cases in Python", f"{count(root, r'^ *def test_', {'.py'}):,}"),
        ("fuzzers, and their inputs on every change", f"{len(fuzz)}, {sum(int(r[1]) if r else 50000 for r in runs):,}"),
    ]


def measured(results):
    rows = []
    files = results / "files.json"
    if files.exists():
        found = json.loads(files.read_text())
        kinds = found["kinds"]
        kills = sum(n for kind, n in kinds.items() if kind.startswith("kill"))
        memory = kinds.get("allocation", 0)
        spaces = kinds.get("address space", 0)
        rows += [("commands with faults; their calls that touch files, and their allocations",
                  f"{found['scenarios']:,}; {found['calls']:,}, {found['allocations']:,}"),
                 ("calls made to fail, by an error or by half", f"{found['faults'] - kills - memory - spaces:,}"),
                 ("killed before or after such a call", f"{kills:,}"),
                 ("allocations made to fail, and limits of the address space", f"{memory:,}, {spaces:,}"),
                 ("wrong numbers, hangs, lost checkpoints, half files", f"{found['problems']:,}")]
    power = results / "power.json"
    if power.exists():
        found = json.loads(power.read_text())
        rows += [("disks after a power failure, and problems", f"{found['states']:,}, {found['problems']:,}")]
    compared = [int(test["configurations"]) for test in tests_with(results, "random-*.json", "configurations")]
    if compared:
        rows += [("random configurations on fast and slow paths, all the same", f"{sum(compared):,}")]
    tests = tests_with(results, "states-*.json", "states")
    if tests:
        rows += [("resumes from states that were damaged on purpose",
                  f"{sum(int(test['states']) for test in tests):,}"),
                 ("of them refused with a sentence; the others play on",
                  f"{sum(int(test['refused']) for test in tests):,}")]
    return rows


def tests_with(results, names, key):
    """What the tests recorded, in the results of GoogleTest."""
    return [test for path in sorted(results.glob(names)) for suite in json.loads(path.read_text())["testsuites"]
            for test in suite["testsuite"] if key in test]


def covered(results):
    """Tables of `.ci/run coverage`; what another part of the checks wrote stays."""
    text = ""
    for file, head in (("rooms.json", "room"), ("readers.json", "fuzzer and reader, with the committed corpus")):
        if not (results / file).exists():
            return None
        parts = json.loads((results / file).read_text())
        text += f"\n\n| {head} | lines | reached |\n|---|---|---|\n" + "\n".join(
            f"| `{name}` | {lines:,} | {100 * hit / max(lines, 1):.1f}% |" for name, (hit, lines) in parts.items())
    return text + "\n\n"


def main():
    root, results = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    page = root / "docs/internals/how-it-is-tested.md"
    text = page.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)  # the first one
    rows = counted(root)
    # Without new results the old ones stay.
    before = re.findall(r"^\| (.*) \| (.*) \|$", text[begin:end], re.M)[2 + len(rows):]
    rows += measured(results) or before
    table = "\n\n| what | number |\n|---|---|\n" + "".join(f"| {what} | {number} |\n" for what, number in rows) + "\n"
    text = text[:begin] + table + text[end:]
    lines = covered(results)
    if lines:
        begin, end = text.index(COVERAGE) + len(COVERAGE), text.index(END, text.index(COVERAGE))
        text = text[:begin] + lines + text[end:]
    page.write_text(text)
    print(table.strip())


if __name__ == "__main__":
    main()
