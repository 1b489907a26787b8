"""What an agent shows: its progress as a table, itself in a notebook."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

__all__ = ["as_html", "phase_means", "table"]


def table(columns: dict[str, np.ndarray]) -> Any:
    """A pandas.DataFrame where pandas is installed, else the dict of columns."""
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


def phase_means(ends: np.ndarray, steps: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The mean of `values` over the phases that end at the steps `ends`."""
    phase = np.searchsorted(ends, steps)
    inside = phase < len(ends)
    count = np.bincount(phase[inside], minlength=len(ends))
    total = np.bincount(phase[inside], values[inside], minlength=len(ends))
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def as_html(name: str, columns: dict[str, np.ndarray], steps: int, seed: int) -> str:
    """The agent in a notebook: a line of text, and its learning curve once a phase has ended."""
    from politex import plots

    words = f"{html.escape(name)}: {steps:,} steps, seed {seed}"
    if len(columns["steps"]) == 0:
        return f"<p>{words}</p>"
    cost = f"average cost {columns['average_cost'][-1]:.4g}, in the last phase {columns['phase_average_cost'][-1]:.4g}"
    return f'<p>{words}, {cost}</p><div style="max-width: 30rem">{plots.svg(columns, name)}</div>'
