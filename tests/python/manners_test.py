"""What users of pandas, notebooks, logging and Stable-Baselines3 expect of an agent."""

import doctest
import importlib
import logging
import pathlib
import pkgutil
import subprocess
import sys
import warnings
import xml.etree.ElementTree as ElementTree

import gymnasium as gym
import numpy as np
import pytest

import politex

SMALL = {"explore": 5, "follow": 20, "rollouts": 10}  # a phase has 260 steps
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"


def lake(**more):
    return politex.EEPolitex(gym.make("FrozenLake-v1"), **SMALL, **more)


def test_progress_is_a_data_frame():
    pandas = pytest.importorskip("pandas")
    agent = lake().learn(600)
    progress = agent.progress
    assert isinstance(progress, pandas.DataFrame) and len(progress) == 3
    np.testing.assert_array_equal(progress["steps"], [260, 520, 600])
    np.testing.assert_array_equal(progress.average_cost, agent._columns()["average_cost"])


def test_progress_is_a_dict_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    progress = lake().learn(600).progress
    assert isinstance(progress, dict)
    np.testing.assert_array_equal(progress["steps"], [260, 520, 600])


def test_notebooks_show_a_picture():
    agent = lake(seed=3)
    assert agent._repr_html_() == "<p>EEPolitex on FrozenLake-v1: 0 steps, seed 3</p>"
    shown = agent.learn(600)._repr_html_()
    page = ElementTree.fromstring(f"<html>{shown}</html>")
    assert "600 steps" in page.find("p").text
    lines = page.findall(".//{http://www.w3.org/2000/svg}polyline")
    assert [len(line.get("points").split()) for line in lines] == [3, 3]
    politex.MDP(np.ones((1, 1, 1)), [1.0])
    assert "<script" not in politex.tables.as_html("<script>", agent._columns(), 1, 1)


def test_several_callbacks_and_every():
    called, seen = [], []
    agent = lake()
    agent.learn(2600, callback=[called.append, politex.callbacks.Every(500, lambda one: seen.append(one.steps))])
    assert len(called) == 10 and seen == [520, 1040, 1560, 2080, 2600]
    assert lake().learn(2600).summary["signature"] == agent.summary["signature"]
    stopped = lake().learn(2600, callback=[lambda one: False, called.append])
    assert stopped.steps == 260 and len(called) == 11, "each of them is called, then learning stops"
    stopped = lake().learn(2600, callback=politex.callbacks.Every(1000, lambda one: False))
    assert stopped.steps == 1040
    for wrong in (3, [3], ["a"]):
        with pytest.raises(politex.Error, match="callback"):
            agent.learn(10, callback=wrong)
    with pytest.raises(politex.Error, match="steps"):
        politex.callbacks.Every(0, print)


def test_agents_are_saved_while_they_learn(tmp_path):
    agent = lake().learn(1300, callback=politex.callbacks.Save(tmp_path / "a-{steps}.politex", 500))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a-1040.politex", "a-520.politex"]
    again = politex.load(tmp_path / "a-520.politex", env=gym.make("FrozenLake-v1")).learn(780)
    assert again.summary["signature"] == agent.summary["signature"]


def test_agents_are_evaluated_while_they_learn(tmp_path):
    class Unknown(gym.Env):
        """A lake whose probabilities are not known, so that it is simulated."""

        stepped, lake = 0, gym.make("FrozenLake-v1")
        observation_space, action_space = lake.observation_space, lake.action_space

        def reset(self, *, seed=None, options=None):
            return self.lake.reset(seed=seed)

        def step(self, action):
            Unknown.stepped += 1
            return self.lake.step(action)

    def watch(**more):
        return politex.callbacks.Evaluate(Unknown(), every=500, steps=16_000, **more)

    plain, seen = lake().learn(2600), watch(best=tmp_path / "best.politex")
    agent = lake().learn(2600, callback=seen)
    assert agent.summary["signature"] == plain.summary["signature"], "evaluations change no bit of what is learned"
    assert list(seen.results["steps"]) == [520, 1040, 1560, 2080, 2600] and Unknown.stepped == 5 * 16_000
    costs = np.asarray(seen.results["average_cost"])
    assert np.all(costs >= seen.results["low"]) and np.all(costs <= seen.results["high"])
    first_lowest = seen.results["steps"][int(np.argmin(costs))]
    assert politex.load(tmp_path / "best.politex", env=gym.make("FrozenLake-v1")).steps == first_lowest
    assert not list(tmp_path.glob("*.new"))

    # A finite environment is answered exactly; learning stops where the interval is not above `stop`.
    exact = politex.callbacks.Evaluate(gym.make("politex/DeepSea-v0", size=4), every=1000, stop=10)
    sea = politex.EEPolitex(gym.make("politex/DeepSea-v0", size=4), **SMALL).learn(50_000, callback=exact)
    assert sea.steps < 50_000 and len(exact.results["steps"]) == 1
    assert exact.results["low"][0] == exact.results["high"][0] == exact.results["average_cost"][0]

    with pytest.raises(politex.Error, match="^env: .*another one"):
        agent.learn(1000, callback=politex.callbacks.Evaluate(agent.env, every=100))
    for name, wrong in (("steps", {"every": 0}), ("stop", {"every": 10, "stop": "low"}), ("env", {"every": 10, "env": "x"})):
        with pytest.raises(politex.Error, match=f"^{name}: "):
            politex.callbacks.Evaluate(**{"env": agent.env, **wrong})


def test_results_of_evaluations_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    empty = politex.callbacks.Evaluate(gym.make("FrozenLake-v1"), every=100).results
    assert {name: len(column) for name, column in empty.items()} == {"steps": 0, "average_cost": 0, "low": 0, "high": 0}


def test_learning_is_logged_and_nothing_is_printed(caplog, capfd):
    with caplog.at_level(logging.INFO, logger="politex"):
        lake().learn(600)
    assert [record.name for record in caplog.records] == ["politex"]
    assert caplog.messages[0].startswith("politex.EEPolitex(FrozenLake-v1: 600 steps), average cost ")
    assert capfd.readouterr() == ("", "")


def test_warnings_have_classes(tmp_path):
    for kind in (politex.InputWarning, politex.LearningWarning, politex.EnvironmentWarning):
        assert issubclass(kind, politex.PolitexWarning) and issubclass(kind, UserWarning)
    with pytest.warns(politex.LearningWarning, match="all policies have the same average"):
        politex.EEPolitex(politex.MDP(np.full((3, 2, 3), 1 / 3), np.ones((3, 2))), **SMALL).learn(500)
    with pytest.warns(politex.InputWarning, match="layout"):
        politex.MDP(np.stack([np.eye(2), np.ones((2, 2)) / 2]), np.ones((2, 2)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", politex.LearningWarning)
        politex.EEPolitex(gym.make("MountainCar-v0"), **SMALL).learn(500)


def modules():
    return ["politex"] + [f"politex.{one.name}" for one in pkgutil.iter_modules(politex.__path__) if one.name != "serve_env"]


@pytest.mark.parametrize("name", modules())
def test_examples_of_docstrings(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    with warnings.catch_warnings():
        failed, _ = doctest.testmod(module, extraglobs={"politex": politex, "gym": gym, "np": np}, optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_docstrings_have_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    for thing in (politex.EEPolitex.learn, politex.MDP, politex.exact, politex.run, politex.load, politex.EEPolitex.predict):
        assert any(test.examples for test in finder.find(thing, thing.__name__, globs={})), thing


def test_examples_pass_strict_type_checks(tmp_path):
    pytest.importorskip("mypy")
    files = sorted(map(str, EXAMPLES.glob("*.py")))
    said = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), *files], capture_output=True, text=True
    )
    assert said.returncode == 0, said.stdout
