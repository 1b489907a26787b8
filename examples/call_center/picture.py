"""The picture for the operations manager, as SVG, and the report around it."""

from __future__ import annotations

import html
from typing import Any

WIDTH, HEIGHT, LEFT, RIGHT, TOP = 860, 484, 64, 20, 70
COST_HEIGHT, SHARE_TOP, SHARE_HEIGHT = 240, 362, 64
COLORS = {"incumbent": "#777777", "learning": "#d08c2c", "learned": "#1f6fb2"}


def _text(x: float, y: float, words: str, anchor: str = "start", size: int = 13, color: str = "#222") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{color}">{html.escape(words)}</text>'


def _verdict(look: dict[str, Any]) -> str:
    begin = f"Same callers, {look['steps'] / 10080:.0f} weeks: "
    if look["verdict"] == "not_yet":
        return begin + "no verdict yet on the learned policy against the incumbent."
    low, high = sorted(map(abs, look["difference_interval"]))
    word = "less" if look["verdict"] == "better" else "more"
    return begin + f"the learned policy costs {abs(look['difference']):.2f} {word} than the incumbent ({low:.2f} to {high:.2f})."


def weeks_picture(result: dict[str, Any]) -> str:
    """Cost over the weeks: incumbent, while learning, learned with its interval; below, the share of guarded minutes."""
    weeks = result["weeks"]
    incumbent, (learning, guarded), (learned, later) = weeks["incumbent"][0], weeks["learning"], weeks["learned"]
    count, begin = len(incumbent), len(learning)
    top = 1.1 * max(*incumbent, *learning, *learned)

    def x(week: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * week / count

    def y(cost: float) -> float:
        return TOP + COST_HEIGHT * (1 - cost / top)

    def line(values: list[float], first: int, color: str) -> str:
        points = " ".join(f"{x(first + k + 0.5):.1f},{y(v):.1f}" for k, v in enumerate(values))
        dots = "".join(f'<circle cx="{x(first + k + 0.5):.1f}" cy="{y(v):.1f}" r="2.4" fill="{color}"/>' for k, v in enumerate(values))
        return f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>{dots}'

    look = result["looks"][-1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>',
        _text(LEFT, 24, "Cost of waiting and lost calls per minute, week by week", size=16),
        _text(LEFT, 48, _verdict(look)),
    ]
    step = 1 if top < 6 else 2
    for cost in range(0, int(top) + 1, step):
        parts.append(f'<path d="M{LEFT},{y(cost):.1f}H{WIDTH - RIGHT}" stroke="#e4e4e4"/>')
        parts.append(_text(LEFT - 8, y(cost) + 4, str(cost), "end", 12))
    for begins, ends in ((TOP, TOP + COST_HEIGHT), (SHARE_TOP, SHARE_TOP + SHARE_HEIGHT)):  # the legend is between them
        parts.append(f'<path d="M{x(begin):.1f},{begins}V{ends}" stroke="#999" stroke-dasharray="4 4"/>')
    parts.append(_text(x(begin) - 6, TOP + 10, "learning", "end", 12, COLORS["learning"]))
    parts.append(_text(x(begin) + 6, TOP + 10, "in operation", "start", 12, COLORS["learned"]))
    for name, key in (("incumbent", "against_interval"), ("learned", "interval")):
        if look.get(key):
            low, high = look[key]
            parts.append(
                f'<rect x="{x(begin):.1f}" y="{y(high):.1f}" width="{x(count) - x(begin):.1f}" '
                f'height="{max(2.0, y(low) - y(high)):.1f}" fill="{COLORS[name]}" opacity="0.25"/>'
            )
    parts += [
        line(incumbent, 0, COLORS["incumbent"]),
        line(learning, 0, COLORS["learning"]),
        line(learned, begin, COLORS["learned"]),
    ]
    names = (("incumbent", "incumbent (in operation: same callers)"), ("learning", "while learning"), ("learned", "learned; bands: 95% intervals, long run"))
    at = float(LEFT)
    for name, words in names:
        parts.append(f'<rect x="{at:.1f}" y="{TOP + COST_HEIGHT + 14}" width="12" height="12" fill="{COLORS[name]}"/>')
        parts.append(_text(at + 18, TOP + COST_HEIGHT + 24, words, size=12))
        at += 34 + 6.4 * len(words)
    shares = [*guarded, *later]
    most = max(0.05, 1.1 * max(shares))
    parts.append(_text(LEFT, SHARE_TOP - 6, "Share of minutes in which the guard was on", size=13))
    for k, share in enumerate(shares):
        height = SHARE_HEIGHT * share / most
        color = COLORS["learning" if k < begin else "learned"]
        parts.append(
            f'<rect x="{x(k) + 1:.1f}" y="{SHARE_TOP + SHARE_HEIGHT - height:.1f}" width="{x(1) - x(0) - 2:.1f}" '
            f'height="{height:.1f}" fill="{color}"/>'
        )
    parts.append(f'<path d="M{LEFT},{SHARE_TOP + SHARE_HEIGHT}H{WIDTH - RIGHT}" stroke="#888"/>')
    parts.append(_text(LEFT - 8, SHARE_TOP + 10, f"{100 * most:.0f}%", "end", 12))
    parts.append(_text(LEFT - 8, SHARE_TOP + SHARE_HEIGHT + 4, "0", "end", 12))
    for week in range(0, count + 1, 4):
        parts.append(_text(x(week), SHARE_TOP + SHARE_HEIGHT + 18, str(week), "middle", 12))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "weeks", "middle", 12))
    return "\n".join([*parts, "</svg>\n"])


def _range(bounds: list[float] | None) -> str:
    return "no interval: the run is too short" if bounds is None else f"[{bounds[0]:.2f}, {bounds[1]:.2f}]"


def report_page(result: dict[str, Any], picture: str) -> str:
    look, off_line, guard = result["looks"][-1], result["off_line"], result["guard"]
    rows = [
        ("Verdict", f"{look['verdict'].replace('_', ' ')}, after {look['steps'] / 10080:.0f} weeks of comparison"),
        ("Learned, cost per minute", f"{look['average_cost']:.2f} {_range(look['interval'])}"),
        ("Incumbent, cost per minute", f"{look['against_average_cost']:.2f} {_range(look.get('against_interval'))}"),
        ("Difference on the same callers", f"{look['difference']:.2f} {_range(look['difference_interval'])}"),
        ("Guarded minutes while learning", f"{100 * guard['share']:.1f}%"),
        ("Guarded minutes in operation", f"{100 * look['guarded_share']:.1f}%"),
        ("From the log: rule of thumb minus incumbent", f"{off_line['difference']:.2f} {_range(off_line['difference_interval'])}"),
    ]
    table = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>" for name, value in rows)
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Call center</title>"
        "<style>body{font-family:sans-serif;max-width:900px;margin:2em auto}th{text-align:left;padding-right:2em}"
        "td,th{padding:.3em;border-bottom:1px solid #ddd}</style>"
        f"<h1>Call center: is the learned policy better?</h1>{picture}<table>{table}</table></html>\n"
    )
