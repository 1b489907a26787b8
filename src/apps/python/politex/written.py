"""Files that are written and read: every failure is a politex.Error that names `file`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from politex.checks import refuse

__all__ = ["FileName", "opened", "replace", "save_arrays"]

FileName = str | os.PathLike[str]


@contextmanager
def opened(file: FileName, mode: str) -> Iterator[Any]:
    """As open(), also for what fails while it is open, such as a full disk."""
    try:
        with open(_named(file), mode, encoding=None if "b" in mode else "utf-8") as stream:
            yield stream
    except OSError as error:
        raise refuse("file", str(error)) from error


def replace(file: FileName, data: bytes) -> None:
    """Writes a file so that a full disk, a killed process or a power failure leaves the old one or the new one."""
    name = _named(file)
    if os.path.exists(name) and not os.path.isfile(name):  # a pipe, for example
        with opened(file, "wb") as out:
            out.write(data)
        return
    path = os.path.realpath(os.fsdecode(name))
    temporary = path + ".part"
    try:
        with opened(temporary, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
            os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.remove(temporary)
        raise


def save_arrays(file: Any, arrays: dict[str, np.ndarray]) -> None:
    """One .npz file; `file` is a name, or a binary file that is open already."""
    try:
        np.savez(file if hasattr(file, "write") else _named(file), **arrays)  # type: ignore[arg-type]
    except OSError as error:
        raise refuse("file", str(error)) from error


def _named(file: Any) -> str:
    # open(1) would write to the standard output.
    if not isinstance(file, (str, os.PathLike)):
        raise refuse("file", f"{file!r} is not accepted; accepted: the name of a file")
    return os.fspath(file)
