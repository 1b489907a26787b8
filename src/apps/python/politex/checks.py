"""How bad input is refused."""

from __future__ import annotations

import operator
from typing import Any

from politex._core import Error


def refuse(key: str, what: str) -> Error:
    """The error that names what the user gave under `key`."""
    error = Error(f"{key}: {what}")
    error.key = key
    return error


def whole(key: str, value: Any, low: int, high: int) -> int:
    """`value` as an int between `low` and `high`; refused where it is none."""
    try:
        number = operator.index(value)
    except TypeError as error:
        raise refuse(key, f"{value!r} is no whole number; accepted: {low} to {high}") from error
    if not low <= number <= high:
        raise refuse(key, f"{number} is not accepted; accepted: {low} to {high}")
    return number
