"""Callbacks for learn(): any function of the agent, several of them, or one of these.

>>> costs = []
>>> agent = politex.EEPolitex(gym.make("FrozenLake-v1"), explore=5, follow=50)
>>> agent = agent.learn(2000, callback=[Every(500, lambda agent: costs.append(agent.summary["average_cost"]))])
>>> len(costs)
4
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from politex.checks import number, refuse, whole
from politex.notices import log
from politex.tables import table

__all__ = ["Evaluate", "Every", "Save", "all_of"]


class Every:
    """Calls `function(agent)` at the end of the phase in which a multiple of `steps` is reached, counted over all steps of
    the agent. False from the function stops learning."""

    def __init__(self, steps: float, function: Callable[[Any], Any]) -> None:
        self._steps = whole("steps", steps, 1, 10**15)
        self._function = function
        self._next = self._steps

    def __call__(self, agent: Any) -> Any:
        if agent.steps < self._next:
            return None
        self._next = (agent.steps // self._steps + 1) * self._steps
        return self._function(agent)


class Save(Every):
    """Saves the agent every `steps` steps. A word {steps} in `file` is replaced by the number of steps.

    >>> politex.callbacks.Save("agent-{steps}.politex", 100_000)
    politex.callbacks.Save('agent-{steps}.politex', 100000)
    """

    def __init__(self, file: str | os.PathLike[str], steps: float) -> None:
        super().__init__(steps, self._save)
        self._file = os.fspath(file)

    def _save(self, agent: Any) -> None:
        _save_whole(agent, self._file.replace("{steps}", str(agent.steps)))

    def __repr__(self) -> str:
        return f"politex.callbacks.Save({self._file!r}, {self._steps})"


class Evaluate(Every):
    """Evaluates the agent's policy every `every` steps, as politex.evaluate_policy does, and keeps the answers.

    env    a Gymnasium environment of its own, or a politex.MDP. Learning does not change: its steps are not counted
    every  steps of learning between two evaluations
    steps  of each evaluation; finite environments are answered exactly
    best   a file, to which the agent with the lowest average cost so far is saved
    stop   an average cost: learning stops where the upper end of the interval is not above it

    `results` has one row per evaluation: steps, average_cost, low and high (the interval; NaN: the evaluation was too short
    for one), as a pandas.DataFrame where pandas is installed, else as a dict of arrays.

    >>> watch = politex.callbacks.Evaluate(gym.make("politex/DeepSea-v0", size=4), every=2000)
    >>> agent = politex.EEPolitex(gym.make("politex/DeepSea-v0", size=4), seed=1).learn(6000, callback=watch)
    >>> len(watch.results["average_cost"])
    3
    """

    def __init__(
        self,
        env: Any,
        every: float,
        *,
        steps: float = 10_000,
        seed: int = 1,
        best: str | os.PathLike[str] | None = None,
        stop: float | None = None,
    ) -> None:
        from politex.mdp import MDP

        super().__init__(every, self._evaluate)
        if not hasattr(env, "step") and not isinstance(env, MDP):
            raise refuse("env", f"{env!r} cannot be simulated; accepted: a Gymnasium environment, or a politex.MDP")
        self._env, self._seed = env, seed
        self._stop = None if stop is None else number("stop", stop)
        self._length = whole("steps", steps, 1, 10**12)
        self._best = None if best is None else os.fspath(best)
        self._rows: list[tuple[int, float, float, float]] = []

    @property
    def results(self) -> Any:
        columns = np.array(self._rows, dtype=float).reshape(-1, 4).T
        names = ("steps", "average_cost", "low", "high")
        return table({name: column.astype(int) if name == "steps" else column for name, column in zip(names, columns)})

    def _evaluate(self, agent: Any) -> bool:
        from politex.evaluation import evaluate_policy

        if self._env is agent.env and agent._task.source is None:
            raise refuse("env", "this environment is the one that the agent learns in; accepted: another one like it")
        answer = evaluate_policy(agent, self._env, steps=self._length, seed=self._seed)
        cost = answer["average_cost"]
        low, high = answer["interval"] or (math.nan, math.nan)
        lowest = min((row[1] for row in self._rows), default=math.inf)
        self._rows.append((agent.steps, cost, low, high))
        log.info("%r, evaluated: average cost %.6g", agent, cost)
        if self._best is not None and cost < lowest:
            _save_whole(agent, self._best)
        return self._stop is None or not high <= self._stop


def _save_whole(agent: Any, file: str) -> None:
    """A kill while writing leaves the last file whole."""
    agent.save(file + ".new")
    os.replace(file + ".new", file)


def all_of(callback: Any) -> Callable[[Any], bool] | None:
    """One function for what learn() was given: it calls each callback and is False where one of them was."""
    if callback is None:
        return None
    several = list(callback) if isinstance(callback, Sequence) else [callback]
    for one in several:
        if not callable(one):
            raise refuse("callback", f"{one!r} cannot be called; accepted: a function of the agent, or a list of them")
    return lambda agent: all([one(agent) is not False for one in several])
