"""Policies in forms that run without politex."""

from __future__ import annotations

from typing import Any

import numpy as np

from politex import _core
from politex.agent import Agent
from politex.checks import refuse
from politex.written import FileName, opened

__all__ = ["export_policy"]


def export_policy(agent: Any, file: FileName, to: str = "csv") -> None:
    """Writes the policy of an agent over listed states (or a matrix of probabilities) as `politex policy export` does.

    to  "csv" (a table of actions and probabilities), "thresholds", or "c" (a header for C and C++)

    Where an observation consists of several whole numbers, state = (first * n_1 + second) * n_2 + ..., with n_k the number
    of values of the k-th number.
    """
    if isinstance(agent, Agent):
        if agent._task.states == 0:
            raise refuse("agent", f"{agent!r} has no listed states; accepted: an agent whose observations are states")
        table = agent.state_probabilities()
    else:
        table = np.asarray(agent, float)
        if table.ndim != 2:
            raise refuse("agent", f"{agent!r} is not accepted; accepted: an agent, or probabilities (states, actions)")
    text = _core.export_table(table, to)
    with opened(file, "w") as out:
        out.write(text)
