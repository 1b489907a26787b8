"""Checks of the recipes: recipes_test.py SOURCES

The pages docs/guide/add-*.md show the files of examples/recipes exactly, and the patches apply to the tree. That the result compiles and
runs is tested by tests/recipes.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
RECIPES = ROOT / "examples/recipes"
PAGES = {
    "environment": "add-an-environment.md",
    "explorer": "add-an-explorer.md",
    "features": "add-features.md",
    "figure": "add-a-figure.md",
    "learner": "add-a-learner.md",
}


def files(recipe):
    return sorted(file for file in (RECIPES / recipe).rglob("*") if file.is_file())


def shown(page):
    """File -> text of every code block that follows a line which ends in the name of a file in examples/recipes."""
    text = (ROOT / "docs/guide" / page).read_text(encoding="utf-8")
    found = re.findall(r"`(examples/recipes/[\w./]+)`:\n\n```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return {ROOT / name: block for name, block in found}


class Recipes(unittest.TestCase):
    def test_every_recipe_has_a_page(self):
        self.assertEqual(sorted(PAGES), sorted(folder.name for folder in RECIPES.iterdir() if folder.is_dir()))

    def test_pages_show_the_files(self):
        for recipe, page in PAGES.items():
            blocks = shown(page)
            self.assertEqual(sorted(blocks), files(recipe), f"{page} shows all files of the recipe, each once")
            for file, block in blocks.items():
                self.assertEqual(block, file.read_text(encoding="utf-8"), f"{page}: {file.relative_to(ROOT)}")

    def test_new_files_do_not_exist_in_the_tree(self):
        for recipe in PAGES:
            for file in files(recipe):
                self.assertFalse((ROOT / file.relative_to(RECIPES / recipe)).exists(), file)

    def test_patches_add_one_line_and_one_include(self):
        for recipe in PAGES:
            patch = (RECIPES / recipe / "catalogue.patch").read_text(encoding="utf-8").splitlines()[2:]
            added = [line[1:].strip() for line in patch if line.startswith("+")]
            self.assertEqual(len(added), 2, recipe)
            self.assertTrue(added[0].startswith('#include "politex/'), recipe)
            self.assertFalse([line for line in patch if line.startswith("-")], recipe)

    @unittest.skipUnless(shutil.which("git"), "git is not installed; tests/recipes applies the patches too")
    def test_patches_apply(self):
        for recipe in PAGES:
            patch = RECIPES / recipe / "catalogue.patch"
            done = subprocess.run(["git", "apply", "--check", str(patch)], cwd=ROOT, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
