"""Pictures of our environments, drawn with NumPy alone."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

__all__ = ["draw"]

PAPER, INK, GRID = (250, 248, 243), (54, 58, 66), (205, 202, 194)
BLUE, GOLD, RED, GREEN = (46, 98, 160), (226, 170, 52), (196, 78, 66), (92, 150, 92)


class Canvas:
    """A picture in the coordinates of an environment: x from left to right, y upwards; edges are smoothed."""

    def __init__(self, width: int, height: int, left: float, right: float, bottom: float) -> None:
        self.scale = width / (right - left)
        self.pixels = np.full((height, width, 3), PAPER, np.float64)
        x = left + (np.arange(width) + 0.5) / self.scale
        y = bottom + (height - np.arange(height) - 0.5) / self.scale
        self.x, self.y = np.meshgrid(x, y)

    def near(self, left: float, right: float, bottom: float, top: float) -> "Canvas":
        """The same picture, but only the pixels about this rectangle: what is painted elsewhere need not be computed."""
        inside_x = np.flatnonzero(np.abs(self.x[0] - (left + right) / 2) <= (right - left) / 2 + 2 / self.scale)
        inside_y = np.flatnonzero(np.abs(self.y[:, 0] - (bottom + top) / 2) <= (top - bottom) / 2 + 2 / self.scale)
        part = Canvas.__new__(Canvas)
        window = (
            slice(inside_y[0], inside_y[-1] + 1) if inside_y.size else slice(0),
            slice(inside_x[0], inside_x[-1] + 1) if inside_x.size else slice(0),
        )
        part.scale, part.pixels, part.x, part.y = self.scale, self.pixels[window], self.x[window], self.y[window]
        return part

    def fill(self, distance: np.ndarray, colour: tuple[int, int, int]) -> None:
        """Paints where a signed distance is below 0."""
        cover = np.clip(0.5 - distance * self.scale, 0, 1)[..., None]
        self.pixels += cover * (np.array(colour) - self.pixels)

    def disc(self, x: float, y: float, radius: float, colour: tuple[int, int, int]) -> None:
        part = self.near(x - radius, x + radius, y - radius, y + radius)
        part.fill(np.hypot(part.x - x, part.y - y) - radius, colour)

    def rod(self, x0: float, y0: float, x1: float, y1: float, radius: float, colour: tuple[int, int, int]) -> None:
        part = self.near(min(x0, x1) - radius, max(x0, x1) + radius, min(y0, y1) - radius, max(y0, y1) + radius)
        dx, dy = x1 - x0, y1 - y0
        along = ((part.x - x0) * dx + (part.y - y0) * dy) / max(dx * dx + dy * dy, 1e-12)
        along = np.clip(along, 0, 1)
        part.fill(np.hypot(part.x - x0 - along * dx, part.y - y0 - along * dy) - radius, colour)

    def box(self, x: float, y: float, half_width: float, half_height: float, colour: tuple[int, int, int]) -> None:
        part = self.near(x - half_width, x + half_width, y - half_height, y + half_height)
        part.fill(np.maximum(np.abs(part.x - x) - half_width, np.abs(part.y - y) - half_height), colour)

    def picture(self) -> np.ndarray:
        return np.rint(self.pixels).astype(np.uint8)


def draw(name: str, observation: Any, model: Any) -> np.ndarray:
    """The picture of an environment that shows this observation: (height, width, 3), uint8."""
    if model is not None:
        return _grid(model, int(observation))
    return {"cartpole": _cartpole, "cartpole_balance": _balance, "mountain_car": _mountain_car, "acrobot": _acrobot}[
        name
    ](np.asarray(observation))


def _cart_and_pole(position: float, cosine: float, sine: float, half: float, pole: float, down: bool) -> np.ndarray:
    canvas = Canvas(600, 400 if down else 300, -half, half, -half * (2 / 3) if down else -half * 0.35)
    unit = half / 3
    canvas.rod(-half, 0, half, 0, 0.012 * unit, GRID)
    canvas.box(position, 0, 0.22 * unit, 0.13 * unit, INK)
    canvas.rod(position, 0, position + pole * sine, pole * cosine, 0.05 * unit, GOLD)
    canvas.disc(position, 0, 0.045 * unit, PAPER)
    return canvas.picture()


def _cartpole(seen: np.ndarray) -> np.ndarray:
    return _cart_and_pole(seen[0], seen[2], seen[3], 3.0, 1.0, True)


def _balance(seen: np.ndarray) -> np.ndarray:
    return _cart_and_pole(seen[0], np.cos(seen[2]), np.sin(seen[2]), 3.0, 1.0, False)


def _mountain_car(seen: np.ndarray) -> np.ndarray:
    canvas = Canvas(600, 400, -1.25, 0.65, 0.0)

    def height(x: Any) -> Any:
        return 0.45 * np.sin(3 * x) + 0.55

    position = seen[0] - 0.5
    slope = 1.35 * np.cos(3 * canvas.x)
    canvas.fill((canvas.y - height(canvas.x)) / np.hypot(1, slope), (222, 214, 196))
    canvas.rod(0.5, height(0.5), 0.5, height(0.5) + 0.15, 0.005, INK)
    canvas.box(0.545, height(0.5) + 0.125, 0.045, 0.025, GREEN)
    steep = 1.35 * np.cos(3 * position)
    along = np.array([1, steep]) / np.hypot(1, steep)
    up = np.array([-along[1], along[0]])
    middle = np.array([position, height(position)]) + 0.05 * up
    back, front = middle - 0.05 * along, middle + 0.05 * along
    canvas.rod(back[0], back[1], front[0], front[1], 0.03, BLUE)
    for side in (-1, 1):
        wheel = middle + side * 0.045 * along - 0.025 * up
        canvas.disc(wheel[0], wheel[1], 0.022, INK)
    return canvas.picture()


def _acrobot(seen: np.ndarray) -> np.ndarray:
    canvas = Canvas(500, 500, -2.3, 2.3, -2.3)
    upper, elbow = np.arctan2(seen[1], seen[0]), np.arctan2(seen[3], seen[2])
    knee = np.array([np.sin(upper), -np.cos(upper)])
    tip = knee + [np.sin(upper + elbow), -np.cos(upper + elbow)]
    canvas.rod(-2.3, 1, 2.3, 1, 0.01, RED)
    canvas.rod(0, 0, knee[0], knee[1], 0.08, BLUE)
    canvas.rod(knee[0], knee[1], tip[0], tip[1], 0.08, GOLD)
    for x, y in ((0, 0), knee):
        canvas.disc(x, y, 0.05, PAPER)
    return canvas.picture()


def _places(model: Any) -> tuple[np.ndarray, np.ndarray, int, int]:
    """Row and column of every state: its two axes, or line after line."""
    if len(model.axes) == 2:
        row, column = (np.array(axis) for axis in model.axes)
    else:
        width = model.states if model.states <= 12 else int(np.ceil(np.sqrt(model.states)))
        row, column = np.divmod(np.arange(model.states), width)
    return row, column, int(row.max()) + 1, int(column.max()) + 1


@functools.lru_cache(maxsize=8)
def _board(key: tuple[Any, ...], cell: int, model_bytes: bytes) -> np.ndarray:
    rows, columns, states = key
    row, column, cost = np.frombuffer(model_bytes).reshape(3, states)
    board = np.full((rows * cell + 1, columns * cell + 1, 3), PAPER, np.uint8)
    # From paper to gold: the least cost that an action has here, against the other states.
    span = cost.max() - cost.min()
    worth = (cost.max() - cost) / span if span > 0 else np.zeros(states)
    colours = np.rint(np.array(PAPER) + worth[:, None] * (np.array(GOLD) - PAPER)).astype(np.uint8)
    cells = np.full((rows, columns, 3), PAPER, np.uint8)
    cells[row.astype(int), column.astype(int)] = colours
    board[:-1, :-1] = np.repeat(np.repeat(cells, cell, axis=0), cell, axis=1)
    if cell >= 4:
        board[::cell] = GRID
        board[:, ::cell] = GRID
    return board


def _grid(model: Any, state: int) -> np.ndarray:
    row, column, rows, columns = _places(model)
    cell = max(1, min(60, 600 // max(rows, columns)))
    board = _board(
        (rows, columns, model.states), cell, np.array([row, column, model.cost.min(axis=1)], np.float64).tobytes()
    ).copy()
    y, x = int(row[state]) * cell, int(column[state]) * cell
    if cell < 4:
        board[max(0, y - 3) : y + cell + 3, max(0, x - 3) : x + cell + 3] = BLUE
        return board
    inside = (np.arange(cell) + 0.5) / cell - 0.5
    distance = np.hypot(*np.meshgrid(inside, inside)) * cell - 0.34 * cell
    cover = np.clip(0.5 - distance, 0, 1)[..., None]
    here = board[y : y + cell, x : x + cell]
    here[:] = np.rint(here + cover * (np.array(BLUE) - here.astype(np.float64)))
    return board
