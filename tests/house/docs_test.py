"""Checks of the documents: docs_test.py SOURCES

Links, anchors and paths exist; every page is in the index of its folder; the table of paper-to-code.md is true; lines are short; code blocks
can be parsed; the English is plain.
"""
import ast
import json
import pathlib
import re
import sys
import tomllib
import unittest

from plain_words import objection

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
PAGES = (
    sorted(ROOT.glob("*.md"))
    + sorted((ROOT / "docs").rglob("*.md"))
    + sorted((ROOT / "src").rglob("README.md"))
    + sorted((ROOT / "examples").rglob("README*"))
)
LINE = 100

# Where such a word is meant in its usual sense: page -> the words around it. Keep it short.
EXCEPTIONS: dict[str, list[str]] = {}


def name(page):
    return page.relative_to(ROOT).as_posix()


def blocks(page):
    """The code blocks of a page: (language, text)."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def prose(page):
    """The numbered lines of a page that are not in a code block."""
    inside = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def without_code(text):
    return re.sub(r"`[^`]*`", "", text)


def paragraphs(page):
    """(first line's number, text) of every block of lines between empty ones: a phrase may be broken over two lines."""
    lines = []
    for number, line in [*prose(page), (0, "")]:
        if line.strip():
            lines.append((number, line.strip()))
        elif lines:
            yield lines[0][0], " ".join(text for _, text in lines)
            lines = []


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = [line.lstrip("# ") for _, line in prose(page) if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Docs(unittest.TestCase):
    def test_links(self):
        for page in PAGES:
            text = "\n".join(line for _, line in prose(page))
            for target in re.findall(r"\]\(([^)]+)\)", text):
                if target.startswith(("http:", "https:")):
                    continue
                path, _, anchor = target.partition("#")
                other = page.parent / path if path else page
                self.assertTrue(other.exists(), f"{name(page)}: {target}")
                if anchor:
                    self.assertIn(anchor, anchors(other), f"{name(page)}: {target}")

    def test_paths(self):
        for page in PAGES:
            for path in re.findall(r"(?<![\w/])(?:src|tests|examples|experiments|docs|scripts|bench)/[\w./-]*\w\b(?![\w*<])",
                                   page.read_text(encoding="utf-8")):
                self.assertTrue((ROOT / path).exists(), f"{name(page)}: {path}")

    def test_documents_named_in_sources_exist(self):
        files = [ROOT / "CMakeLists.txt", ROOT / "pyproject.toml", ROOT / "reproduce", ROOT / "check", ROOT / ".ci/run"]
        for folder in ("src", "tests", "cmake", "scripts", "experiments", "examples", "bench"):
            files += [file for file in (ROOT / folder).rglob("*") if file.suffix in {
                ".cpp", ".hpp", ".py", ".pyi", ".cmake", ".txt", ".toml", ".sh", ".sbatch", ".js", ""} and file.is_file()]
        mentions = 0
        for file in sorted(set(files)):
            for path in re.findall(r"\bdocs/[\w./-]+\.(?:md|png)\b", file.read_text(encoding="utf-8", errors="replace")):
                mentions += 1
                self.assertTrue((ROOT / path).exists(), f"{file.relative_to(ROOT)}: {path}")
        self.assertGreater(mentions, 10)

    def test_every_page_is_in_the_index_of_its_folder(self):
        for folder in ("docs/guide", "docs/results", "docs/internals", "docs/internals/decisions", "docs/start", "docs/theory", "docs/teaching"):
            index = (ROOT / folder / "README.md").read_text(encoding="utf-8")
            for page in (ROOT / folder).glob("*.md"):
                if page.name != "README.md":
                    self.assertIn(f"]({page.name})", index, f"{folder}/README.md does not list {page.name}")

    def test_every_picture_is_shown(self):
        text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
        for picture in [*(ROOT / "docs").rglob("*.png"), *(ROOT / "docs").rglob("*.svg")]:
            self.assertRegex(text, rf"!\[[^\]]+\]\([^)]*{re.escape(picture.name)}\)", f"{name(picture)} is on no page")

    def test_paper_to_code(self):
        rows = 0
        for line in (ROOT / "docs/internals/paper-to-code.md").read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) != 6 or not cells[3].startswith("src/"):
                continue
            rows += 1
            source = (ROOT / cells[3]).read_text(encoding="utf-8")
            for symbol in re.findall(r"`(\w+)`", cells[4]):
                self.assertRegex(source, rf"\b{symbol}\b", f"{cells[3]}: {symbol}")
        self.assertGreater(rows, 25)

    def test_lines_are_short(self):
        """Tables, targets of links, pictures and code may be longer."""
        for page in PAGES:
            for number, line in prose(page):
                if line.lstrip().startswith(("|", "![")):
                    continue
                text = re.sub(r"\]\([^)]*\)", "]", without_code(line))
                self.assertLessEqual(len(text), LINE, f"{name(page)}:{number}: {line}")

    def test_code_blocks_can_be_parsed(self):
        parsed = 0
        for page in PAGES:
            for language, text in blocks(page):
                with self.subTest(page=name(page), block=text):
                    if language == "python":
                        ast.parse(text)
                    elif language == "toml":
                        tomllib.loads(text)
                    elif language == "json":
                        rest = text.strip()
                        while rest:
                            rest = rest[json.JSONDecoder().raw_decode(rest)[1]:].strip()
                    else:
                        continue
                    parsed += 1
        self.assertGreater(parsed, 8)

    def test_plain_english(self):
        used = set()
        for page in PAGES:
            allowed = EXCEPTIONS.get(name(page), [])
            for number, paragraph in paragraphs(page):
                text = without_code(paragraph)
                for phrase in allowed:
                    if phrase in text:
                        used.add((name(page), phrase))
                        text = text.replace(phrase, "")
                if why := objection(text):
                    self.fail(f"{name(page)}:{number}: {why}")
        unused = {(page, phrase) for page, phrases in EXCEPTIONS.items() for phrase in phrases} - used
        self.assertFalse(unused, "exceptions that nothing needs any more")


if __name__ == "__main__":
    unittest.main()
