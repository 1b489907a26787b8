#!/usr/bin/env python3
"""Draws the optimal policies of this folder's pages as SVG files: draw.py PROGRAM SOURCES

PROGRAM is build/politex, which computes the policies; SOURCES is the clone.
"""
import itertools
import json
import pathlib
import subprocess
import sys

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"]
NOTHING = "#e6e6e6"  # there is only one thing to do
CELL, GAP, LEFT, TOP = 16, 46, 58, 42


def optimum(program, source, *words):
    """The optimal action of every state."""
    said = subprocess.run([program, "exact", *words, "--json"], check=True, capture_output=True, text=True, cwd=source)
    return json.loads(said.stdout)["optimal_policy"]


def picture(name, title, across, down, panels, key, cell=CELL):
    """panels: (heading, rows, columns, colour(row, column)); row 0 is at the top."""
    width = LEFT + sum(columns * cell + GAP for _, _, columns, _ in panels)
    width = max(width, 430)
    height = TOP + max(rows for _, rows, _, _ in panels) * cell + 66
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="16" font-weight="bold">{title}</text>',
    ]
    x = LEFT
    for heading, rows, columns, colour in panels:
        out.append(f'<text x="{x}" y="{TOP - 8}">{heading}</text>')
        for row in range(rows):
            fills = [colour(row, column) for column in range(columns)]
            for fill, cells in itertools.groupby(range(columns), key=lambda column: fills[column]):
                first, *others = cells
                out.append(
                    f'<rect x="{x + first * cell}" y="{TOP + row * cell}" width="{(len(others) + 1) * cell - 1}" '
                    f'height="{cell - 1}" fill="{fill}"/>'
                )
        below = TOP + rows * cell + 14
        for column in sorted({0, columns - 1}):
            out.append(f'<text x="{x + column * cell + cell / 2}" y="{below}" text-anchor="middle">{column}</text>')
        for row in sorted({0, rows - 1}) if rows > 1 else []:
            out.append(f'<text x="{x - 5}" y="{TOP + row * cell + cell * 0.75}" text-anchor="end">{row}</text>')
        x += columns * cell + GAP
    words = f"across: {across}" + (f"; down: {down}" if down else "")
    out.append(f'<text x="{LEFT}" y="{height - 30}">{words}</text>')
    x = LEFT
    for colour, meaning in key:
        out.append(f'<rect x="{x}" y="{height - 20}" width="12" height="12" fill="{colour}"/>')
        out.append(f'<text x="{x + 16}" y="{height - 10}">{meaning}</text>')
        x += 30 + 7 * len(meaning)
    out.append("</svg>\n")
    pathlib.Path(__file__).with_name(f"{name}.svg").write_text("\n".join(out))


def main(program, source):
    policy = optimum(program, source, "access_control")
    picture(
        "access_control", "Access control: accept or reject", "priority (pays 1, 2, 4, 8)", "free servers",
        [("", 11, 4, lambda free, p, a=policy: NOTHING if free == 0 else COLOURS[a[4 * free + p]])],
        [(COLOURS[0], "reject"), (COLOURS[1], "accept"), (NOTHING, "no server is free")],
    )

    policy = optimum(program, source, "criss_cross", "buffer=20")
    panels = [
        (
            f"class 3: {third} jobs", 13, 13,
            lambda r, c, t=third, a=policy: NOTHING if r == 0 or c == 0 else COLOURS[a[(r * 21 + c) * 21 + t]],
        )
        for third in (0, 1, 2, 6)
    ]
    picture(
        "criss_cross", "Criss-cross: what server 1 serves", "jobs of class 2", "jobs of class 1", panels,
        [(COLOURS[0], "class 1"), (COLOURS[1], "class 2"), (NOTHING, "nothing to choose")], cell=11,
    )

    policy = optimum(program, source, "n_model", "buffer=60")
    picture(
        "n_model", "N-model: what server 2 serves", "jobs of class 2", "jobs of class 1",
        [("", 31, 31, lambda r, c, a=policy: NOTHING if r == 0 or c == 0 else COLOURS[a[61 * r + c]])],
        [(COLOURS[0], "class 1"), (COLOURS[1], "class 2"), (NOTHING, "nothing to choose")], cell=11,
    )

    policy = optimum(program, source, "replacement")
    picture(
        "replacement", "Replacement: keep or replace", "condition, from new (0) to broken (9)", "",
        [("", 1, 10, lambda _, x, a=policy: COLOURS[a[x]])], [(COLOURS[0], "keep"), (COLOURS[1], "replace")], cell=24,
    )

    side = 9
    policy = optimum(program, source, "queues", "file=experiments/queues/networks/re_entrant.toml", "buffer=8")
    panels = [
        (
            f"second: {second} jobs", side, side,
            lambda r, c, s=second, a=policy: NOTHING if r == 0 or c == 0 else COLOURS[a[(r * side + s) * side + c]],
        )
        for second in (0, 1, 3, 8)
    ]
    picture(
        "queues", "Re-entrant line: what server 1 serves", "jobs of the third step", "jobs of the first step", panels,
        [(COLOURS[0], "first"), (COLOURS[1], "third"), (NOTHING, "nothing to choose")], cell=13,
    )

    policy = optimum(program, source, "rooms")
    picture(
        "rooms", "Rooms: the best direction", "column", "row",
        [("", 11, 11, lambda r, c, a=policy: NOTHING if r == c == 10 else COLOURS[a[11 * r + c]])],
        list(zip(COLOURS, ("up", "right", "down", "left"))) + [(NOTHING, "goal")],
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    main(str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2])
