"""The figure of a learner: by matplotlib where it is installed, else as an SVG of our own."""

from __future__ import annotations

from typing import Any

import numpy as np

from politex._core import Error
from politex.checks import refuse
from politex.written import opened

__all__ = ["progress", "svg"]


def progress(rows: dict[str, np.ndarray], title: str, file: Any = None) -> Any:
    if len(rows["steps"]) == 0:
        raise Error("plot: nothing was learned yet; accepted: after learn()")
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        name = file if file is not None else "politex.svg"
        with opened(name, "w") as out:
            out.write(svg(rows, title))
        return name
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.plot(rows["steps"], rows["phase_average_cost"], linewidth=0.8, alpha=0.5, label="each phase")
    axes.plot(rows["steps"], rows["average_cost"], linewidth=2, label="all steps so far")
    axes.set(xlabel="steps", ylabel="average cost", title=title)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.tight_layout()
    if file is not None:
        try:
            figure.savefig(file)
        except (OSError, ValueError, TypeError) as error:  # a directory that is not there, an unknown kind of picture
            raise refuse("file", str(error)) from error
    return figure


def svg(rows: dict[str, np.ndarray], title: str) -> str:
    """The learning curve as an SVG picture."""
    width, height, margin = 700, 400, 60
    both = np.concatenate([rows["average_cost"], rows["phase_average_cost"]])
    low, high = float(both.min()), float(both.max())
    high = high if high > low else low + 1.0
    end = float(rows["steps"][-1])

    def line(values: np.ndarray, style: str) -> str:
        points = " ".join(
            f"{margin + (width - 2 * margin) * step / end:.1f},"
            f"{height - margin - (height - 2 * margin) * (value - low) / (high - low):.1f}"
            for step, value in zip(rows["steps"], values)
        )
        return f'<polyline points="{points}" fill="none" {style}/>'

    def text(x: float, y: float, words: str, anchor: str = "middle") -> str:
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-family="sans-serif" font-size="13">{words}</text>'

    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
            f'<path d="M{margin},{margin}V{height - margin}H{width - margin}" fill="none" stroke="#888"/>',
            line(rows["phase_average_cost"], 'stroke="#9ecae1" stroke-width="1"'),
            line(rows["average_cost"], 'stroke="#08519c" stroke-width="2"'),
            text(width / 2, margin / 2, title),
            text(width / 2, height - margin / 3, f"steps (to {end:,.0f})"),
            text(margin - 5, margin + 5, f"{high:.3g}", "end"),
            text(margin - 5, height - margin, f"{low:.3g}", "end"),
            text(width - margin, margin - 8, "average cost: all steps (dark), each phase (light)", "end"),
            "</svg>",
            "",
        ]
    )
