"""The numbers of docs/internals/how-it-is-tested.md: tested_page.py SOURCES RESULTS

Counts the tests in the sources, and reads what `.ci/run faults` left in RESULTS.
"""
import json
import pathlib
import re
import sys

BEGIN, END = "<!-- numbers: begin -->", "<!-- numbers: end -->"


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
        rows += [("calls that touch files, and allocations, of the commands tried",
                  f"{found['calls']:,}, {found['allocations']:,}"),
                 ("of them made to fail, by an error or half of a write", f"{found['faults'] - kills - memory:,}"),
                 ("killed before or after such a call", f"{kills:,}"),
                 ("allocations made to fail", f"{memory:,}"),
                 ("wrong numbers, hangs, lost checkpoints, half files", f"{found['problems']:,}")]
    tests = [test for path in sorted(results.glob("states-*.json"))
             for suite in json.loads(path.read_text())["testsuites"] for test in suite["testsuite"] if "states" in test]
    if tests:
        rows += [("resumes from states that were damaged on purpose, under the address sanitizer",
                  f"{sum(int(test['states']) for test in tests):,}"),
                 ("of them refused with a sentence; the others play on",
                  f"{sum(int(test['refused']) for test in tests):,}")]
    return rows


def main():
    root, results = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    page = root / "docs/internals/how-it-is-tested.md"
    text = page.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    rows = counted(root) + measured(results)
    table = "\n\n| what | number |\n|---|---|\n" + "".join(f"| {what} | {number} |\n" for what, number in rows) + "\n"
    page.write_text(text[:begin] + table + text[end:])
    print(table.strip())


if __name__ == "__main__":
    main()
