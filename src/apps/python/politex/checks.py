"""Checks of input, and the error that names what was wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from politex._core import Error


def refuse(key: str, what: str) -> Error:
    """The error that names what the user gave under `key`."""
    error = Error(f"{key}: {what}")
    error.key = key
    return error


def whole(key: str, value: Any, low: int, high: int) -> int:
    """`value` as an int between `low` and `high`; 1e5 is a whole number, 1.5, True and "1" are not."""
    given = value.item() if isinstance(value, (np.generic, np.ndarray)) and np.size(value) == 1 else value
    is_whole = isinstance(given, int) or (isinstance(given, float) and given.is_integer())
    if isinstance(given, bool) or not is_whole:
        raise refuse(key, f"{value!r} is not a whole number; accepted: {low} to {high}")
    number = int(given)
    if not low <= number <= high:
        raise refuse(key, f"{number} is not accepted; accepted: {low} to {high}")
    return number


def number(key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)) or not np.isfinite(value):
        raise refuse(key, f"{value!r} is not accepted; accepted: a finite number")
    return float(value)
