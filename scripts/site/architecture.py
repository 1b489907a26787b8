"""The picture of the architecture, drawn from the includes that the sources have: architecture.py SOURCES > architecture.svg"""
import pathlib
import re
import sys

from api import rooms

GROUPS = {"politex_core": "Library core", "politex_neural": "Library neural", "politex_lab": "Library lab"}
# Colours with enough contrast to white letters.
COLOURS = {"politex_core": "#00598a", "politex_neural": "#8a3b00", "politex_lab": "#006649", "programs": "#5b4b8a"}


def includes(root):
    """(room, included room) -> number of include lines; room -> lines of code."""
    edges, lines = {}, {}
    for file in sorted((root / "src").rglob("*")):
        if file.suffix not in (".cpp", ".hpp"):
            continue
        room = file.relative_to(root / "src").parts[0]
        text = file.read_text(encoding="utf-8")
        lines[room] = lines.get(room, 0) + text.count("\n")
        for other in re.findall(r'^#include "politex/(\w+)/', text, re.MULTILINE):
            if other != room:
                edges[room, other] = edges.get((room, other), 0) + 1
    return edges, lines


def groups(root):
    """Room -> library, as cmake/libraries.cmake says."""
    found = {}
    for library, words in re.findall(r"^politex_library\((\w+) (.*?)\n", (root / "cmake/libraries.cmake").read_text(encoding="utf-8"), re.MULTILINE):
        for word in words.split():
            if word in ("GENERATED", "LINK"):
                break
            for room in word.rstrip(")").split("+"):
                found[room] = library
    return found


def needed(edges):
    """The edges that no longer path implies: the picture has these, thin lines for the rest would hide it."""
    def reaches(start, end, without):
        seen, stack = set(), [start]
        while stack:
            for one, other in edges:
                if one == stack[-1] and (one, other) != without and other not in seen:
                    break
            else:
                stack.pop()
                continue
            seen.add(other)
            if other == end:
                return True
            stack.append(other)
        return False

    return {edge for edge in edges if not reaches(*edge, edge)}


def layers(edges, names):
    """Room -> its layer: one more than that of the highest room it includes."""
    level = {}

    def of(name):
        if name not in level:
            level[name] = 1 + max((of(other) for one, other in edges if one == name), default=-1)
        return level[name]

    for name in names:
        of(name)
    return level


def picture(root):
    edges, lines = includes(root)
    order = [name for name in rooms(root) if name in lines]
    order += [name for name in lines if name not in order]
    library = groups(root)
    level = layers(edges, order)
    rows = [[name for name in order if level[name] == number] for number in range(max(level.values()) + 1)]
    box, high, gap_x, gap_y = 118, 40, 26, 32
    width = max(700, max(len(row) for row in rows) * (box + gap_x) + 60)
    height = len(rows) * (high + gap_y) + 90
    # Rooms are placed near what they include.
    x = {}
    for number, row in enumerate(rows):
        if number:
            row.sort(key=lambda name: sum(x[o] for n, o in edges if n == name) / max(1, sum(n == name for n, _ in edges)))
        start = (width - len(row) * (box + gap_x) + gap_x) / 2
        for i, name in enumerate(row):
            x[name] = start + i * (box + gap_x) + box / 2
    y = {name: height - 74 - level[name] * (high + gap_y) - high for name in order}
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" font-family="DejaVu Sans, sans-serif" role="img" '
           f'aria-label="The rooms of src/ and what they include, from the include lines of the sources">',
           f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>']
    shown = needed(edges)
    for one, other in sorted(shown):
        x1, y1, x2, y2 = x[one], y[one] + high, x[other], y[other]
        bend = max(20, (y2 - y1) / 2)
        out.append(f'<path d="M{x1:.0f} {y1:.0f} C{x1:.0f} {y1 + bend:.0f} {x2:.0f} {y2 - bend:.0f} {x2:.0f} {y2:.0f}" fill="none" '
                   f'stroke="#66707c" stroke-width="{1 + min(3, edges[one, other] / 12):.1f}" opacity=".75"/>')
    for name in order:
        colour = COLOURS[library.get(name, "programs")]
        out.append(f'<g><title>{name}: {lines[name]} lines</title><rect x="{x[name] - box / 2:.0f}" y="{y[name]:.0f}" width="{box}" height="{high}" rx="8" '
                   f'fill="{colour}"/><text x="{x[name]:.0f}" y="{y[name] + 18:.0f}" text-anchor="middle" font-size="15" fill="#ffffff">{name}</text>'
                   f'<text x="{x[name]:.0f}" y="{y[name] + 33:.0f}" text-anchor="middle" font-size="11" fill="#ffffff">{lines[name]:,} lines</text></g>')
    at = 30
    for key, words in [*GROUPS.items(), ("programs", "Programs")]:
        out.append(f'<rect x="{at}" y="{height - 54}" width="16" height="16" rx="3" fill="{COLOURS[key]}"/>'
                   f'<text x="{at + 22}" y="{height - 41}" font-size="14" fill="#1f2328">{words}</text>')
        at += 40 + 9 * len(words)
    out.append(f'<text x="30" y="{height - 14}" font-size="14" fill="#1f2328">{len(edges)} pairs of rooms, the higher includes the lower; {len(shown)} are drawn, the others follow</text></svg>')
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    print(picture(pathlib.Path(sys.argv[1]).resolve()), end="")
