"""The builder of the site, without MkDocs and without a network: builder_test.py SOURCES"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts/site"))
import api
import architecture
import build
import examples
import stage

PAGE = """# A page

```
politex list
```
```
one ... three
```

<!-- not run: two hours -->
```
politex run long.toml
```

<!-- file: a.json -->
```json
{"a": 1}
```

- An item:

  ```python
  print(40 + 2)
  ```

Some text that is not a command:

```
the output of nothing
```
"""


class Builder(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.place = pathlib.Path(self.directory.name)

    def tearDown(self):
        self.directory.cleanup()

    def program(self, script):
        file = self.place / "program"
        file.write_text("#!/bin/sh\n" + script)
        file.chmod(0o755)
        return file

    def examples(self, script="echo one two three"):
        return examples.Examples(ROOT, self.program(script), pathlib.Path(sys.executable), self.place, self.place / "run")

    def test_blocks_of_a_page(self):
        found = examples.blocks(PAGE)
        self.assertEqual([block.kind for block in found], ["shell", "output", "shell", "text", "python", "text"])
        self.assertEqual(found[0].prints, "one ... three\n")
        self.assertEqual(found[2].marks, {"not run": "two hours"})
        self.assertEqual(found[4].code, "print(40 + 2)\n")

    def test_examples_run_and_show_what_they_print(self):
        all_of_them = self.examples()
        found, place = all_of_them.page("guide/a.md", PAGE)
        self.assertEqual((all_of_them.ran, all_of_them.checked, len(all_of_them.not_run)), (2, 1, 1))
        self.assertEqual((place / "a.json").read_text(), '{"a": 1}\n')
        text = examples.with_output(PAGE, found)
        self.assertIn('  ??? note "What it prints', text)
        self.assertIn("      42\n", text)
        self.assertIn("two hours", examples.table_of_not_run(all_of_them.not_run))

    def test_a_page_that_fails_is_an_error_with_its_line(self):
        for script, why in (("echo something else", "the page says that this is printed: one ... three"), ("exit 3", "exit status 3")):
            with self.subTest(script), self.assertRaisesRegex(examples.Failed, f"guide/a.md:3: {why}"):
                self.examples(script).page("guide/a.md", PAGE)
        with self.assertRaisesRegex(examples.Failed, "(?s)guide/a.md:22: failed.*ZeroDivisionError"):
            self.examples().page("guide/a.md", PAGE.replace("40 + 2", "1 / 0"))

    def test_a_block_that_computes_for_too_long_is_an_error(self):
        most, examples.CPU_SECONDS = examples.CPU_SECONDS, 1
        self.addCleanup(setattr, examples, "CPU_SECONDS", most)
        with self.assertRaisesRegex(examples.Failed, "guide/a.md:3: took more than 1 s of CPU time; mark it"):
            self.examples("while :; do :; done").page("guide/a.md", PAGE)

    def test_expected_output(self):
        printed = "a  1\nb 2\nc 3\n"
        for said, missing in (("a 1\nc 3", None), ("...\nb ...\n", None), ("c 3\na 1", "a 1"), ("b 3", "b 3"), ("a ... 9", "a ... 9")):
            with self.subTest(said):
                self.assertEqual(examples.missing_line(said, printed), missing)

    def test_lists_as_on_github(self):
        text = "Words:\n- one\n  more\n  - inner\n\n    ```\n      code\n    ```\n- two\n\nAfter.\n"
        self.assertEqual(stage.same_lists(text), "Words:\n\n- one\n    more\n    - inner\n\n        ```\n          code\n        ```\n- two\n\nAfter.\n")
        self.assertEqual(stage.same_lists("1. a\n   b\n2. c\n"), "1. a\n    b\n2. c\n")
        self.assertEqual(stage.same_lists("- a\nlazy\n\nout\n"), "- a\n    lazy\n\nout\n")

    def test_links_lead_to_pages_of_the_site(self):
        staged = stage.Stage(ROOT, self.place / "pages")
        page = ROOT / "docs/guide/README.md"
        text = "[a](tune.md#what) [b](../../src/README.md) [c](../../reproduce) `[d](../../x)` [e](https://x.org) [f](../gone.md) [`g`](../../check), `h`\n"
        self.assertEqual(staged.links(text, page), "[a](tune.md#what) [b](../source/src/README.md) [c](../source/reproduce.md) `[d](../../x)` "
                                                   "[e](https://x.org) [f](../gone.md) [`g`](../source/check.md), `h`\n")
        self.assertEqual(staged.missing, ["docs/guide/README.md: ../gone.md"])
        self.assertEqual(staged.links("[tune.md](tune.md#what)\n", page), "[Tune settings](tune.md#what)\n")
        staged.sources()
        self.assertIn("#!/usr/bin/env bash", (self.place / "pages/source/reproduce.md").read_text())

    def test_pages_that_nobody_listed_are_added_to_their_section(self):
        (self.place / "guide").mkdir()
        for name in ("README.md", "new.md", "old.md"):
            (self.place / "guide" / name).write_text("# x\n")
        nav = [{"Home": "README.md"}, {"Guide": ["guide/README.md", {"More": [{"Old": "guide/old.md"}]}]}]
        stage.add_unlisted(nav, self.place)
        self.assertEqual(nav[1]["Guide"][2:], ["guide/new.md"])

    def test_every_guide_opens_with_a_picture(self):
        self.assertEqual(build.without_picture(ROOT / "docs"), [])
        for name, text in (("guide/a.md", "# A\n\n![what it is](a.svg)\n"), ("guide/b/late.md", "# B\n\nText.\n\n![what](a.svg)\n"),
                           ("start/none.md", "# C\n\nText.\n"), ("guide/reference.md", "# Names\n\nA list.\n"), ("internals/d.md", "# D\n")):
            file = self.place / "docs" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        self.assertEqual(build.without_picture(self.place / "docs"), ["guide/b/late.md", "start/none.md"])

    def test_navigation_names_pages_that_exist(self):
        pages = set(__import__("re").findall(r"\b([\w/-]+\.md)$", (ROOT / "scripts/site/mkdocs.yml").read_text(), __import__("re").MULTILINE))
        made = {"reference/README.md", "reference/python.md", "reference/cpp.md"}
        self.assertEqual({page for page in pages - made if not (ROOT / "docs" / page).exists()}, set())
        self.assertGreater(len(pages), 40)

    def test_reference_from_the_sources(self):
        page = api.python_page(ROOT)
        for name in ("## EEPolitex", "### MDP.from_gymnasium", "## evaluate_policy", "## Agent", "### Agent.learn"):
            self.assertIn(name + "\n", page)
        pages = api.cpp_pages(ROOT)
        for room in (ROOT / "src").iterdir():
            if room.is_dir() and any(room.rglob("*.hpp")):
                self.assertIn(f"reference/cpp/{room.name}.md", pages)
        self.assertIn("| `Lsmc` | class |", pages["reference/cpp/value.md"])
        self.assertNotIn("private:", pages["reference/cpp/value.md"])
        self.assertLess(max(map(len, pages.values())), 200_000)

    def test_architecture_from_the_includes(self):
        edges, lines = architecture.includes(ROOT)
        self.assertIn(("algorithm", "value"), edges)
        self.assertEqual(architecture.needed({("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1}), {("a", "b"), ("b", "c")})
        picture = architecture.picture(ROOT)
        for room in lines:
            self.assertIn(f">{room}</text>", picture)

    def refused(self, *arguments, **more):
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts/site/build.py", *arguments], capture_output=True, text=True, **more)
        return done.returncode, done.stderr.strip()

    def test_directories_that_cannot_be_written(self):
        (self.place / "file").write_text("")
        (self.place / "mine").mkdir()
        (self.place / "mine/thesis.tex").write_text("")
        for out, why in (("file", "is a file"), ("file/under", "cannot be written"), ("mine", "has files that are not of this site")):
            with self.subTest(out):
                status, said = self.refused("--check", "--out", self.place / out)
                self.assertEqual(status, 2)
                self.assertIn(why, said)
                self.assertIn("--out DIR", said)
                self.assertEqual(said.count("\n"), 0)
        self.assertEqual(sorted(file.name for file in (self.place / "mine").iterdir()), ["thesis.tex"])
        self.assertEqual(self.refused("--check", "--out", self.place / "new")[0], 0)
        self.assertEqual(self.refused("--check", "--out", self.place / "new")[0], 0)

    def site(self, *arguments, **environment):
        return subprocess.run([ROOT / "reproduce", "site", *arguments], capture_output=True, text=True, timeout=100,
                              env={**os.environ, "POLITEX_SKIP_SETUP": "1", **environment})

    def test_bad_options(self):
        done = self.site("--fast")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn('unknown option "--fast"; accepted: --quick, --out DIR', done.stderr)
        done = self.site("--out", str(self.place / "program"), "--quick") if self.program("") else None
        self.assertEqual(done.returncode, 2)
        self.assertIn("is a file", done.stderr)

    def test_without_pypi(self):
        for folder in ("scripts", "build-site"):
            (self.place / "tree" / folder).mkdir(parents=True, exist_ok=True)
        tree = self.place / "tree"
        (tree / "scripts/site").symlink_to(ROOT / "scripts/site")
        for name in ("build.sh", "setup"):
            (tree / "scripts" / name).symlink_to(ROOT / "scripts" / name)
        # A Python whose packages are out of reach: pip fails at once, as without a network.
        (tree / "build-site/bin").mkdir()
        for name in ("pip", "python"):
            (tree / "build-site/bin" / name).write_text("#!/bin/sh\necho NewConnectionError\nexit 1\n")
            (tree / "build-site/bin" / name).chmod(0o755)
        run = (ROOT / "scripts/site/run").read_text().replace('root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)', f'root={tree}')
        (self.place / "run").write_text(run)
        done = subprocess.run(["bash", self.place / "run", "--quick"], capture_output=True, text=True, timeout=100,
                              env={**os.environ, "POLITEX_SKIP_SETUP": "1"})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("could not be downloaded from PyPI", done.stderr)
        self.assertIn("is there a network?", done.stderr)
        self.assertIn("POLITEX_SITE_PYTHON", done.stderr)


if __name__ == "__main__":
    unittest.main()
