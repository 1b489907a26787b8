"""Callbacks for learn(): any function of the agent, several of them, or one of these.

>>> costs = []
>>> agent = politex.EEPolitex(gym.make("FrozenLake-v1"), explore=5, follow=50)
>>> agent = agent.learn(2000, callback=[Every(500, lambda agent: costs.append(agent.summary["average_cost"]))])
>>> len(costs)
4
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from politex.checks import refuse, whole

__all__ = ["Every", "Save", "all_of"]


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
        name, new = self._file.replace("{steps}", str(agent.steps)), self._file + ".new"
        agent.save(new)  # a kill while writing leaves the last file whole
        os.replace(new, name)

    def __repr__(self) -> str:
        return f"politex.callbacks.Save({self._file!r}, {self._steps})"


def all_of(callback: Any) -> Callable[[Any], bool] | None:
    """One function for what learn() was given: it calls each callback and is False where one of them was."""
    if callback is None:
        return None
    several = list(callback) if isinstance(callback, Sequence) else [callback]
    for one in several:
        if not callable(one):
            raise refuse("callback", f"{one!r} cannot be called; accepted: a function of the agent, or a list of them")
    return lambda agent: all([one(agent) is not False for one in several])
