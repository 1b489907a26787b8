"""The settings of learners as type checkers, signatures and help() see them: all three equal the catalogue.

Run as a program, this file writes settings.py and baselines.pyi of src/apps/python/politex.
"""

import inspect
import pathlib
import subprocess
import sys

import pytest

import politex
from politex import _core
from politex.signatures import python_name

KINDS = ["EEPolitex", "Politex", "RLSVI", "LSPI", "NeuralEEPolitex", "NeuralPolitex", "DQN", *politex.baselines.__all__]


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
                lines.append(f"    {python_name(name)}: {hint}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def stub():
    """The stub of politex.baselines, whose classes are made from the catalogue when it is imported."""
    lines = [
        '"""The baselines for type checkers. Written by tests/python/settings_test.py; do not edit."""',
        "",
        "from typing import Any",
        "",
        "from typing_extensions import Unpack",
        "",
        "from politex import settings as typed",
        "from politex.agent import Agent",
        "",
        "__all__ = [",
        *(f'    "{kind}",' for kind in politex.baselines.__all__),
        "]",
        "",
        "def class_name(algorithm: str) -> str: ...",
        "",
        "class Baseline(Agent): ...",
    ]
    own = list(inspect.signature(politex.baselines.Baseline.__init__).parameters.values())[2:-1]
    for kind in politex.baselines.__all__:
        lines += ["", f"class {kind}(Baseline):", "    def __init__(", "        self,", "        env: Any,", "        *,"]
        lines += [f"        {one.name}: {one.annotation} = {one.default!r}," for one in own]
        lines += [f"        **settings: Unpack[typed.{kind}Settings],", "    ) -> None: ..."]
    return "\n".join(lines) + "\n"


def test_the_stub_of_the_baselines_equals_the_catalogue():
    written = pathlib.Path(politex.baselines.__file__).with_suffix(".pyi").read_text()
    assert written == stub(), "run: python tests/python/settings_test.py"


def test_typed_settings_equal_the_catalogue():
    module = pytest.importorskip("politex.settings")
    written = pathlib.Path(module.__file__).read_text()
    assert written == text(), "run: python tests/python/settings_test.py"


@pytest.mark.parametrize("kind", KINDS)
def test_signatures_and_help_show_settings_and_defaults(kind):
    learner = getattr(politex, kind)
    parameters = inspect.signature(learner).parameters
    for name, _, default, meaning, _ in _core.learner_options(learner._algorithm):
        assert parameters[python_name(name)].default == default, name
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
        "politex.PSRL(None, prior=0.3).learn(10).q()\n"
        "politex.PSRL(None, explorer='uniform')\n"
        "politex.RVIQ(None, step_size='much')\n"
    )
    output = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(program)],
        capture_output=True,
        text=True,
    ).stdout
    wrong = [int(line.split(":")[1]) for line in output.splitlines() if "program.py" in line and "error" in line]
    assert wrong == [5, 6, 7, 8, 9, 11, 12], output


def test_type_checkers_take_every_public_name(tmp_path):
    # What is imported in __init__.py and not in its __all__ is private for strict type checkers.
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    lines = [f"print(politex.{name})" for name in politex.__all__]
    lines += ["politex.environments.names()", "politex.environments.options('deep_sea')", "politex.callbacks.Every(1, print)"]
    lines += ["agent: politex.EEPolitex = politex.EEPolitex.load('x')", "action, state = agent.predict(0)"]
    program.write_text("\n".join(["import politex", *lines, "politex.lern"]))
    said = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(program)],
        capture_output=True,
        text=True,
    ).stdout
    wrong = [int(line.split(":")[1]) for line in said.splitlines() if "program.py" in line and "error" in line]
    assert wrong == [len(lines) + 2], said  # that one only


if __name__ == "__main__":
    root = pathlib.Path(__file__).resolve().parents[2]
    (root / "src/apps/python/politex/settings.py").write_text(text())
    (root / "src/apps/python/politex/baselines.pyi").write_text(stub())
