"""Signatures and help texts of the learners, from the catalogue of settings."""

from __future__ import annotations

import inspect
import keyword
from typing import Any

from politex import _core

__all__ = ["catalogue_name", "document", "python_name"]


def python_name(setting: str) -> str:
    """As a keyword argument: "lambda" is a word of Python, so its argument is lambda_."""
    return f"{setting}_" if keyword.iskeyword(setting) else setting


def catalogue_name(argument: str) -> str:
    return argument[:-1] if argument.endswith("_") and keyword.iskeyword(argument[:-1]) else argument


def document(kind: Any, base: Any) -> None:
    """Adds the arguments of `base` and the learner's own settings to its docstring and its signature."""
    options = [(python_name(name), *rest) for name, *rest in _core.learner_options(kind._algorithm)]
    lines = [
        f"    {name:<20} {default!r}: {meaning} ({accepted})" for name, _, default, meaning, accepted in options
    ]
    kind.__doc__ = "\n".join(
        [inspect.cleandoc(kind.__doc__ or ""), "", inspect.cleandoc(base.__doc__ or ""), "", "Settings:", *lines]
    )
    given = [one for one in inspect.signature(base.__init__).parameters.values() if one.kind is not one.VAR_KEYWORD]
    names = {one.name for one in given}
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)
        for name, hint, default, _, _ in options
        if name not in names
    ]
    kind.__signature__ = inspect.Signature([*given[1:], *more])
