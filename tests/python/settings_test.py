"""The settings of learners as type checkers, signatures and help() see them: all three equal the catalogue.

Run as a program, this file writes src/apps/python/politex/settings.py.
"""

import inspect
import pathlib
import subprocess
import sys

import pytest

import politex
from politex import _core

KINDS = ["EEPolitex", "Politex", "RLSVI", "LSPI", "NeuralEEPolitex", "NeuralPolitex"]


def text():
    """The module of typed settings, from the catalogue."""
    lines = [
        '"""The settings of the learners for type checkers. Written by tests/python/settings_test.py; do not edit."""',
        "",
        "from typing import TypedDict",
        "",
        "__all__ = [",
        *(f'    "{kind}Settings",' for kind in sorted(KINDS)),
        "]",
        "",
    ]
    for kind in KINDS:
        own = set(inspect.signature(getattr(politex, kind).__mro__[1].__init__).parameters)
        lines += ["", f"class {kind}Settings(TypedDict, total=False):"]
        for name, hint, *_ in _core.learner_options(getattr(politex, kind)._algorithm):
            if name not in own:
                lines.append(f"    {name}: {hint}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def test_typed_settings_equal_the_catalogue():
    module = pytest.importorskip("politex.settings")
    written = pathlib.Path(module.__file__).read_text()
    assert written == text(), "run: python tests/python/settings_test.py"


@pytest.mark.parametrize("kind", KINDS)
def test_signatures_and_help_show_settings_and_defaults(kind):
    learner = getattr(politex, kind)
    parameters = inspect.signature(learner).parameters
    for name, _, default, meaning, _ in _core.learner_options(learner._algorithm):
        assert parameters[name].default == default, name
        assert meaning in inspect.getdoc(learner), name
    assert parameters["seed"].default == 1 and "env" in parameters


def test_type_checkers_see_misspelt_settings(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(
        "import politex\n"
        "agent = politex.EEPolitex(None, seed=1, eta=0.1, follow='N/2')\n"
        "agent.learn(1e5).learn(total_timesteps=10).probabilities(0)\n"
        "politex.EEPolitex.load('x').phase_weights\n"
        "politex.EEPolitex(None, sed=1)\n"
        "politex.NeuralEEPolitex(None, eta_='a')\n"
        "politex.EEPolitex(None, rollouts='much')\n"
        "agent.lern(3)\n"
        "politex.load('x').lern(3)\n"
    )
    output = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(program)],
        capture_output=True,
        text=True,
    ).stdout
    wrong = [int(line.split(":")[1]) for line in output.splitlines() if "program.py" in line and "error" in line]
    assert wrong == [5, 6, 7, 8, 9], output


if __name__ == "__main__":
    root = pathlib.Path(__file__).resolve().parents[2]
    (root / "src/apps/python/politex/settings.py").write_text(text())
