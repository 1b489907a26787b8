"""The examples of examples/python do what they say."""

import importlib.util
import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_own_queue(tmp_path, capsys):
    costs = load("own_queue").main(60_000, tmp_path / "figure.svg")
    # Seeds are fixed. Over 20,000 steps the means have standard errors of about 0.1: ten of them lie between.
    assert costs["learned"] < costs["a coin"] - 1.0
    assert "second queue" in capsys.readouterr().out
    assert (tmp_path / "figure.svg").stat().st_size > 1000


def test_gymnasium_task(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    linear, neural = load("gymnasium_task").main(20_000)
    assert linear.steps == neural.steps == 20_000
    # Uniform actions fall every 22 steps, with a standard deviation of about 12 an episode.
    line = capsys.readouterr().out.splitlines()[0]
    assert float(line.split()[1]) > 40
    assert (tmp_path / "cartpole.politex").exists()


@pytest.mark.parametrize("name", ["own_queue", "gymnasium_task"])
def test_examples_tell_how_to_run_them(name):
    assert f"python {name}.py" in load(name).__doc__
