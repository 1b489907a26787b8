"""What `import politex` gives: names, stubs, help, and a program next to the python."""

import ast
import inspect
import json
import pathlib
import pickle
import pydoc
import shutil
import subprocess
import sys
import tempfile
import unittest

import politex
from politex import _core


def stubbed(body):
    """Name -> the names of its body, for classes and functions of a stub file."""
    out = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            out[node.name] = stubbed(node.body)
        elif isinstance(node, ast.FunctionDef):
            out[node.name] = {}
        elif isinstance(node, ast.AnnAssign):
            out[node.target.id] = {}
    return out


class Package(unittest.TestCase):
    def test_version(self):
        self.assertRegex(politex.__version__, r"^\d+\.\d+\.\d+$")

    def test_error_is_a_value_error(self):
        self.assertTrue(issubclass(politex.Error, ValueError))
        self.assertEqual(politex.Error.__module__, "politex")
        self.assertIsNone(politex.Error("x").key)

    def test_errors_cross_processes(self):
        with self.assertRaises(politex.Error) as caught:
            politex.MDP([[[0.5]]], [[1.0]])
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(again), str(again), again.key), (politex.Error, str(caught.exception), "P"))

    def test_everything_offered_is_there_and_explained(self):
        for name in politex.__all__:
            thing = getattr(politex, name)
            if name == "__version__":
                continue
            self.assertTrue(inspect.getdoc(thing), name)
            self.assertIn(name, pydoc.render_doc(thing))

    def test_the_compiled_part_has_stubs(self):
        directory = pathlib.Path(politex.__file__).parent
        self.assertTrue((directory / "py.typed").exists())
        stubs = stubbed(ast.parse((directory / "_core.pyi").read_text(encoding="utf-8")).body)
        for name, thing in vars(_core).items():
            if name.startswith("_") and name != "__version__":
                continue
            self.assertIn(name, stubs, "in _core and not in _core.pyi")
            if inspect.isclass(thing) and not issubclass(thing, Exception):
                for member in vars(thing):
                    if not member.startswith("_"):
                        self.assertIn(member, stubs[name], f"of {name}, not in _core.pyi")

    def test_the_program_comes_along(self):
        program = pathlib.Path(sys.executable).parent / "politex"
        if not program.exists():
            self.skipTest("SKIPPED: politex was not installed by pip here")
        said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
        self.assertTrue(said.startswith(f"politex {politex.__version__} "), said)
        self.assertIsNotNone(shutil.which("politex", path=str(program.parent)))

    def test_the_program_brings_its_experiments(self):
        program = pathlib.Path(sys.executable).parent / "politex"
        if not program.exists():
            self.skipTest("SKIPPED: politex was not installed by pip here")
        with tempfile.TemporaryDirectory() as empty:
            said = subprocess.run([program, "list", "experiments"], check=True, capture_output=True, text=True, cwd=empty)
            self.assertIn("deep_sea/tuned.toml", said.stdout)
            run = [program, "run", "experiments/deep_sea/tuned.toml", "steps=20000", "--json", "--quiet"]
            said = subprocess.run(run, check=True, capture_output=True, text=True, cwd=empty)
        shipped = politex.run("deep_sea/tuned.toml", {"steps": 20_000})
        self.assertEqual(json.loads(said.stdout)["signature"], shipped["signature"])

    def test_environments_are_served_by_hand(self):
        program = pathlib.Path(sys.executable).parent / "politex"
        if not program.exists():
            self.skipTest("SKIPPED: politex was not installed by pip here")
        served = [sys.executable, "-m", "politex.serve_env", "CartPole-v1"]
        said = subprocess.run(served, check=False, capture_output=True, text=True)
        self.assertEqual(said.returncode, 2, "politex starts it; by itself it explains how")
        self.assertIn("python -m politex.serve_env ID", said.stderr)
        rest = 'steps = 3000\n[explorer]\nname = "uniform"\n[schedule]\nexplore = 7\nfollow = 30\n[environment]\n'
        signatures = []
        for environment in (f'name = "process"\ncommand = "{" ".join(served)} max_episode_steps=90"',
                            f'name = "gymnasium"\npython = "{sys.executable}"\nid = "CartPole-v1"\n'
                            'options = "max_episode_steps=90"'):
            said = subprocess.run([program, "run", "/dev/stdin", "--json", "--quiet"], input=rest + environment, text=True,
                                  capture_output=True, check=False)
            self.assertEqual(said.returncode, 0, said.stderr)
            signatures.append(json.loads(said.stdout)["signature"])
        self.assertEqual(*signatures)

    def test_a_package_of_another_python_says_what_to_do(self):
        with tempfile.TemporaryDirectory() as place:
            package = pathlib.Path(place) / "politex"
            package.mkdir()
            for file in pathlib.Path(politex.__file__).parent.glob("*.py"):
                shutil.copy(file, package)

            def said():
                run = [sys.executable, "-c", "import politex"]
                return subprocess.run(run, cwd=place, capture_output=True, text=True, check=False).stderr.splitlines()[-1]

            self.assertRegex(said(), r"^ImportError: politex was not installed for Python 3.*has no compiled module. Install it with")
            (package / "_core.cpython-399-x86_64-linux-gnu.so").touch()
            self.assertIn("has modules for Python 3.99 only", said())
            (package / "_core.so").write_bytes(b"not a library")
            self.assertRegex(said(), r"cannot be loaded \(.*_core.so.*\). Install it with this Python: .* -m pip install")

    def test_imports_without_what_is_optional(self):
        code = (
            "import sys\nfor name in ('scipy', 'matplotlib', 'torch', 'stable_baselines3', 'ale_py'): sys.modules[name] = None\n"
            "import politex\nprint(politex.exact(politex.MDP([[[1.0]]], [[2.0]]))['gain'])"
        )
        said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        self.assertEqual(said, "2.0\n")


if __name__ == "__main__":
    unittest.main()
