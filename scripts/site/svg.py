"""Drawings as SVG text: axes with lines, maps of cells, surfaces, frames of a film. White ground, so that they can be read in the dark."""
import math

BLUE, ORANGE, GREEN, PINK, GREY, INK = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8a8f98", "#1f2328"


class Drawing:
    def __init__(self, width, height, words):
        self.width, self.height, self.words, self.parts = width, height, words, []

    def add(self, part):
        self.parts.append(part)

    def line(self, points, colour=INK, width=1.5, dash="", fill="none", opacity=1):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.add(f'<polyline points="{path}" fill="{fill}" stroke="{colour}" stroke-width="{width}"'
                 + (f' stroke-dasharray="{dash}"' if dash else "") + (f' opacity="{opacity}"' if opacity != 1 else "") + "/>")

    def box(self, x, y, w, h, fill, stroke="none", radius=0, title=""):
        self.add(f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" fill="{fill}" ' + (f' stroke="{stroke}"' if stroke != 'none' else '') + (f' rx="{radius}"' if radius else "") + ">"
                 + (f"<title>{title}</title>" if title else "") + "</rect>")

    def text(self, x, y, words, size=13, colour=INK, anchor="start", bold=False, turn=0):
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"' + (' font-weight="bold"' if bold else "")
                 + (f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else "") + f">{words}</text>")

    def arrow(self, x1, y1, x2, y2, colour=INK, width=1.6, head=7):
        self.line([(x1, y1), (x2, y2)], colour, width)
        angle = math.atan2(y2 - y1, x2 - x1)
        ends = [(x2 - head * math.cos(angle + turn), y2 - head * math.sin(angle + turn)) for turn in (-.45, .45)]
        self.line([ends[0], (x2, y2), ends[1]], colour, width)

    def svg(self):
        words = self.words.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}" '
                f'font-family="DejaVu Sans, sans-serif" role="img" aria-label="{words}">\n<rect width="{self.width}" height="{self.height}" fill="#ffffff"/>\n'
                + "\n".join(self.parts) + "\n</svg>\n")


def ticks(low, high, most=6):
    step = 10 ** math.floor(math.log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= most)
    at = math.ceil(low / step - 1e-9) * step
    while at <= high + 1e-9 * step:
        yield 0.0 if abs(at) < 1e-12 else at
        at += step


def short(value):
    if abs(value) >= 1e6:
        return f"{value / 1e6:g}M"
    if abs(value) >= 1e4:
        return f"{value / 1e3:g}k"
    return f"{value:.6g}"


class Axes:
    """Axes in a part of a drawing."""

    def __init__(self, drawing, x_range, y_range, place=None, x_label="", y_label="", log_x=False, log_y=False):
        self.d = drawing
        self.left, self.top, self.right, self.bottom = place or (70, 24, drawing.width - 24, drawing.height - 56)
        self.x_range, self.y_range, self.log_x, self.log_y = x_range, y_range, log_x, log_y
        for value in self.marks(x_range, log_x):
            x = self.x(value)
            drawing.text(x, self.bottom + 19, short(value), 12, anchor="middle")
            drawing.line([(x, self.bottom), (x, self.bottom + 5)], GREY, 1)
        for value in self.marks(y_range, log_y):
            y = self.y(value)
            drawing.line([(self.left, y), (self.right, y)], "#e4e6ea", 1)
            drawing.text(self.left - 8, y + 4, short(value), 12, anchor="end")
        drawing.line([(self.left, self.top), (self.left, self.bottom), (self.right, self.bottom)], GREY, 1.2)
        drawing.text((self.left + self.right) / 2, self.bottom + 42, x_label, 13, anchor="middle")
        drawing.text(self.left - 50, (self.top + self.bottom) / 2, y_label, 13, anchor="middle", turn=-90)

    def marks(self, ends, log):
        if log:
            return [10.0 ** k for k in range(math.ceil(math.log10(ends[0]) - 1e-9), math.floor(math.log10(ends[1]) + 1e-9) + 1)]
        return list(ticks(*ends))

    def scaled(self, value, ends, log):
        if log:
            return (math.log(max(value, ends[0])) - math.log(ends[0])) / (math.log(ends[1]) - math.log(ends[0]))
        return (value - ends[0]) / (ends[1] - ends[0])

    def x(self, value):
        return self.left + (self.right - self.left) * self.scaled(value, self.x_range, self.log_x)

    def y(self, value):
        return self.bottom - (self.bottom - self.top) * min(1, max(0, self.scaled(value, self.y_range, self.log_y)))

    def curve(self, points, colour, width=2.2, dash=""):
        self.d.line([(self.x(a), self.y(b)) for a, b in points], colour, width, dash)

    def label(self, x, y, words, colour=INK, anchor="start", size=13, dx=0, dy=0):
        self.d.text(self.x(x) + dx, self.y(y) + dy, words, size, colour, anchor)


def mix(one, other, share):
    a, b = ([int(c[i:i + 2], 16) for i in (1, 3, 5)] for c in (one, other))
    return "#" + "".join(f"{round(p + (q - p) * share):02x}" for p, q in zip(a, b))


def heat(share):
    return mix("#f1f3f6", "#00507d", math.sqrt(min(1, max(0, share))))


def cells(drawing, values, columns, x, y, side, colour):
    """A map; neighbours of one colour in a row are one rectangle."""
    for row in range(len(values) // columns):
        start = 0
        for column in range(1, columns + 1):
            first = colour(values[row * columns + start])
            if column == columns or colour(values[row * columns + column]) != first:
                drawing.box(x + start * side, y + row * side, (column - start) * side - .5, side - .5, first)
                start = column


def surface(drawing, values, columns, place, low_words, label):
    """A surface over a grid, seen from above: one polygon per cell between four neighbours, the farthest first."""
    rows = len(values) // columns
    low, high = min(values), max(values)
    left, top, width, height = place
    tall = height * .5

    def point(row, column):
        u, v = column / (columns - 1), row / (rows - 1)
        z = (values[row * columns + column] - low) / (high - low or 1)
        return left + width * (.34 + .6 * u - .34 * v), top + tall + height * (.06 * u + .42 * v) - tall * z * .95

    for row in range(rows - 1):
        for column in range(columns - 1):
            corners = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
            mean = sum(values[r * columns + c] for r, c in corners) / 4
            share = (mean - low) / (high - low or 1)
            colour = mix("#00406b", "#ffd27f", share) if share < .999 else "#ffd27f"
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (point(*corner) for corner in corners))
            drawing.add(f'<polygon points="{path}" fill="{colour}" stroke="#ffffff" stroke-width=".5"/>')
    drawing.text(left + width * .62, top + height * 1.04, "column", 12, "#59616b")
    drawing.text(left - 2, top + height * .86, "row (down)", 12, "#59616b")
    drawing.text(left + width / 2, top + 14, label, 14, anchor="middle", bold=True)
    drawing.text(left + width / 2, top + 32, low_words, 12, "#59616b", anchor="middle")
