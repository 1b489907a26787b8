"""The examples of the guide: finds the code blocks of a page, runs them in a directory of their own, and shows what they print.

A block without a language that begins with a command of COMMANDS is run by bash, a block `python` by one Python per page. The block
after a command, if it is not a command itself, is what the command prints, and so is what follows a line "..." in a block of commands:
every line of it must be there, in order ("..." is anything).
Comments in front of a block say what is special about it:

    <!-- not run: why -->              too long, or it needs what is not here; counted on the page "how it is tested"
    <!-- file: NAME -->                the block is the content of this file
    <!-- first: COMMAND -->            runs before the block, not shown
    <!-- ends with: STATUS -->         the exit status of the block
    <!-- made: PICTURE from FILE -->   (anywhere) the picture of the page is this file, when all blocks have run
"""
import dataclasses
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

COMMANDS = set("""politex mpirun cmake ninja cp git sbatch tensorboard gcc cc g++ python3 pip reproduce check setup wheel run build.py measure.py model.py
                  release gnuplot xdg-open curl ./reproduce venv/bin/pip VENV/bin/pip PYTHONPATH=build/python""".split())
BLOCK = re.compile(r"^(?P<indent> *)```(?P<language>[\w+-]*)\n(?P<code>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"<!-- (not run|file|first|ends with):\s(.*?) -->", re.DOTALL)
MADE = re.compile(r"<!-- made: (\S+) from (\S+) -->")
CPU_SECONDS = 60  # of a block; not of the wall, which depends on what else the machine does
HANGS = 1800


@dataclasses.dataclass
class Block:
    kind: str  # shell, python, output, text
    code: str
    line: int
    end: int  # where it ends in the page
    marks: dict
    prints: str = ""  # what the page says that it prints
    out: str = ""
    seconds: float = 0.0


class Failed(Exception):
    pass


def is_command(code):
    lines = [line for line in code.splitlines() if line.strip() and not line.startswith("#")]
    words = lines[0].split() if lines else [""]
    word = words[0]
    if word.rsplit("/", 1)[-1] == "politex" and not re.match(r"[a-z-]", (words[1:] or ["list"])[0]):
        return False
    return word in COMMANDS or word.rsplit("/", 1)[-1] in COMMANDS


def blocks(text):
    found, last = [], None
    for match in BLOCK.finditer(text):
        indent = len(match["indent"])
        code = "".join(line[indent:] if line.strip() else "\n" for line in match["code"].splitlines(keepends=True))
        before = text[:match.start()].rstrip()
        marks = {}
        while before.endswith("-->"):
            start = before.rfind("<!--")
            mark = MARK.fullmatch(before[start:])
            if not mark:
                break
            marks[mark[1]] = " ".join(mark[2].split()) if mark[1] != "first" else mark[2]
            before = before[:start].rstrip()
        kind = "text"
        if match["language"] == "python":
            kind = "python"
        elif match["language"] in ("", "bash", "sh") and is_command(code):
            kind = "shell"
        elif match["language"] == "" and last is not None and not text[last.end:match.start()].strip():
            last.prints, kind = code, "output"
        said = ""
        if kind == "shell" and "\n...\n" in code:  # a command and what it prints in one block
            code, said = code.split("\n...\n", 1)
        block = Block(kind, code, text.count("\n", 0, match.start()) + 1, match.end(), marks, said)
        found.append(block)
        last = block if kind in ("shell", "python") and "not run" not in marks else None
    return found


def missing_line(said, printed):
    """The first line of `said` that is not among the lines of `printed`, in order; None if all are there."""
    def plain(line):
        return " ".join(line.split())

    rest = [plain(line) for line in printed.splitlines()]
    for line in said.splitlines():
        line = plain(line)
        if not line or set(line) == {"."}:
            continue
        pieces = [piece.strip() for piece in line.split("...")]
        while rest and not re.fullmatch(".*".join(map(re.escape, pieces)) if len(pieces) > 1 else re.escape(line), rest[0]):
            rest.pop(0)
        if not rest:
            return line
        rest.pop(0)
    return None


DRIVER = '''
import sys, time, traceback
namespace = {"__name__": "__main__"}
for number, file in enumerate(sys.argv[1:]):
    started = time.monotonic()
    print(f"\\x01{number}", flush=True)
    exec(compile(open(file).read(), file, "exec"), namespace)
    sys.stdout.flush()
    print(f"\\x02{time.monotonic() - started:.3f}", flush=True)
'''


class Examples:
    def __init__(self, root, program, python, package, scratch):
        self.root, self.program, self.python, self.package, self.scratch = root, program, python, package, scratch
        self.ran, self.seconds, self.not_run, self.checked = 0, 0.0, [], 0

    def environment(self, place):
        path = f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return {**os.environ, "PATH": path, "PYTHONPATH": str(self.package or ""), "PYTHONWARNINGS": "ignore",
                "POLITEX_PYTHON": str(self.python), "MPLBACKEND": "Agg", "COLUMNS": "100"}

    def sandbox(self, name):
        place = self.scratch / name
        shutil.rmtree(place, ignore_errors=True)
        (place / "bin").mkdir(parents=True)
        for folder in ("experiments", "examples", "docs", "src"):
            (place / folder).symlink_to(self.root / folder)
        (place / "build").mkdir()
        for link in (place / "bin/politex", place / "build/politex"):
            link.symlink_to(self.program)
        for link in (place / "bin/python3", place / "bin/python"):
            link.write_text(f'#!/bin/sh\nexec {shlex.quote(str(self.python))} "$@"\n')
            link.chmod(0o755)
        return place

    def call(self, command, place, page, block):
        started = time.monotonic()
        too_long = Failed(f"{page}:{block.line}: took more than {CPU_SECONDS} s of CPU time; mark it with <!-- not run: ... -->\n{block.code}")
        try:
            done = subprocess.run(command, cwd=place, env=self.environment(place), text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=HANGS,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS)))
        except subprocess.TimeoutExpired:
            raise too_long from None
        if done.returncode in (-signal.SIGKILL, -signal.SIGXCPU, 128 + signal.SIGKILL, 128 + signal.SIGXCPU):
            raise too_long
        block.seconds = time.monotonic() - started
        return done

    def page(self, page, text):
        """Runs the blocks of a page; its text with what they print."""
        found = blocks(text)
        place = self.sandbox(pathlib.PurePosixPath(page).stem)
        (place / "blocks").mkdir()
        pythons = []
        for block in found:
            if "not run" in block.marks:
                self.not_run.append((page, block.line, block.code.strip().splitlines()[0], block.marks["not run"]))
            elif "file" in block.marks:
                (place / block.marks["file"]).write_text(block.code)
            elif block.kind == "shell":
                self.shell(page, place, block)
            elif block.kind == "python":
                if self.package is None:
                    self.not_run.append((page, block.line, block.code.strip().splitlines()[0], "the Python package could not be built here"))
                else:
                    file = place / "blocks" / f"{page.replace('/', '_')}_line_{block.line}.py"
                    file.write_text("\n" * block.line + (block.marks.get("first", "") + "\n" if "first" in block.marks else "") + block.code)
                    pythons.append((block, file))
        if pythons:
            self.pythons(page, place, pythons)
        for picture, source in MADE.findall(text):
            if not (place / source).exists():
                raise Failed(f"{page}: the blocks did not make {source}")
        return found, place

    def shell(self, page, place, block):
        first = block.marks.get("first")
        if first:
            done = self.call(["bash", "-euo", "pipefail", "-c", first], place, page, block)
            if done.returncode:
                raise Failed(f"{page}:{block.line}: the preparation failed\n{first}\n{done.stdout}")
        done = self.call(["bash", "-euo", "pipefail", "-c", block.code], place, page, block)
        block.out = done.stdout
        if done.returncode != int(block.marks.get("ends with", 0)):
            raise Failed(f"{page}:{block.line}: exit status {done.returncode}\n{block.code}\n{done.stdout[-3000:]}")
        self.finish(page, block)

    def pythons(self, page, place, pairs):
        done = self.call([str(self.python), "-c", DRIVER, *(str(file) for _, file in pairs)], place, page, pairs[0][0])
        parts = re.split(r"\x01(\d+)\n", done.stdout)
        for number, said in zip(parts[1::2], parts[2::2]):
            block = pairs[int(number)][0]
            block.out, _, seconds = said.partition("\x02")
            if not seconds:
                raise Failed(f"{page}:{block.line}: failed\n{block.code}\n{block.out[-3000:]}")
            block.seconds = float(seconds.split()[0])
            self.finish(page, block)
        if done.returncode:
            raise Failed(f"{page}: {done.stdout[-3000:]}")

    def finish(self, page, block):
        self.ran += 1
        self.seconds += block.seconds
        if block.prints:
            self.checked += 1
            line = missing_line(block.prints, block.out)
            if line is not None:
                raise Failed(f"{page}:{block.line}: the page says that this is printed: {line}\n{block.code}\nprinted:\n{block.out[-3000:]}")


def with_output(text, found, most=30):
    """The page with the output of every block behind it, folded."""
    pieces, at = [], 0
    for block in found:
        if block.kind not in ("shell", "python") or not block.out.strip() or block.prints:
            continue
        lines = [re.sub(r"\x1b\[[0-9;]*m", "", line.split("\r")[-1])[:160] for line in block.out.rstrip().splitlines()]
        if len(lines) > most:
            lines = lines[:most] + [f"... ({len(lines) - most} more lines)"]
        # Indented as the block is: it may belong to an item of a list.
        start = text.rfind("\n", 0, block.end) + 1
        indent = text[start:block.end].split("`")[0]
        body = "".join(f"{indent}    {line}\n" for line in ["```text", *lines, "```"])
        pieces += [text[at:block.end], f"\n\n{indent}??? note \"What it prints ({max(block.seconds, 0.1):.1f} s)\"\n\n{body}"]
        at = block.end
    return "".join(pieces) + text[at:]


def table_of_not_run(not_run):
    rows = "".join(f"| `{page}`, line {line} | `{code.replace('|', ' ')[:70]}` | {why} |\n" for page, line, code, why in not_run)
    return "| page | block | why |\n|---|---|---|\n" + rows


if __name__ == "__main__":
    sys.exit("examples.py is used by build.py")
