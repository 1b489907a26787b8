"""The documentation points at things that exist: links between pages, and the files and names of paper-to-code.md."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
PAGES = sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))


class Docs(unittest.TestCase):
    def test_links(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
                if not target.startswith(("http:", "https:")):
                    self.assertTrue((page.parent / target).exists(), f"{page.name}: {target}")

    def test_paths(self):
        for page in PAGES:
            for path in re.findall(r"(?<![\w/])(?:src|tests|examples|experiments|docs|scripts)/[\w./-]*\w\b(?![\w*<])",
                                   page.read_text(encoding="utf-8")):
                if "<" not in path:
                    self.assertTrue((ROOT / path).exists(), f"{page.name}: {path}")

    def test_paper_to_code(self):
        rows = 0
        for line in (ROOT / "docs/paper-to-code.md").read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) != 6 or not cells[3].startswith("src/"):
                continue
            rows += 1
            source = (ROOT / cells[3]).read_text(encoding="utf-8")
            for name in re.findall(r"`(\w+)`", cells[4]):
                self.assertRegex(source, rf"\b{name}\b", f"{cells[3]}: {name}")
        self.assertGreater(rows, 25)


if __name__ == "__main__":
    unittest.main()
