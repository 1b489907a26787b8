"""Whole runs from a configuration file: `politex run` from Python."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Mapping
from typing import Any

from politex import _core
from politex.checks import refuse
from politex.notices import InputWarning

__all__ = ["run"]


def run(
    file: str | os.PathLike[str] | None = None,
    overrides: Mapping[str, Any] | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    progress_bar: bool = False,
    checkpoint_seconds: float = 10.0,
) -> dict[str, Any]:
    """Runs a configuration file, as `politex run FILE key=value ... --out DIR`, and returns its summary.json as a dict.

    overrides  {"seed": 2, "algorithm.eta": 0.1}: keys of `politex list`, over what the file says
    out        a new directory for config.toml, progress.csv, checkpoints, ...; without it nothing is written
    resume     instead of a file: the directory of a run that stopped; it continues there

    The GIL is released. Ctrl-C stops at the end of the phase with KeyboardInterrupt; with `out` a checkpoint is written
    and the message shows how to resume. Bad input raises politex.Error, whose `key` names it, before anything is written.
    Environments in processes of their own (gymnasium, atari) are served by this python, unless POLITEX_PYTHON or
    environment.python names another. A name of `politex list experiments` needs no file.

    >>> summary = politex.run("deep_sea/tuned.toml", {"steps": 10_000, "seed": 2})
    >>> summary["environment"], summary["steps"]
    ('deep_sea', 10000)
    """
    if overrides is not None and not isinstance(overrides, Mapping):
        raise refuse("overrides", f'{overrides!r} is not accepted; accepted: a dict such as {{"steps": 10_000}}')
    os.environ.setdefault("POLITEX_PYTHON", sys.executable)
    return json.loads(_core.run(file, dict(overrides or {}), out, resume, progress_bar, checkpoint_seconds, _warn))


def _warn(text: str) -> None:
    warnings.warn(text, InputWarning, stacklevel=3)
