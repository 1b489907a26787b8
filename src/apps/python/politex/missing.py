"""Why the compiled part of the package cannot be imported, and what to do."""

from __future__ import annotations

import pathlib
import re
import sys

__all__ = ["explained"]


def explained(error: ImportError) -> ImportError:
    """The same error with a sentence that helps. Imports nothing of the package."""
    here = pathlib.Path(__file__).parent
    found = sorted(here.glob("_core.*.so")) + sorted(here.glob("_core*.pyd"))
    pythons = sorted({f"3.{match[1]}" for file in found if (match := re.search(r"cpython-3(\d+)", file.name))})
    this = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
    if error.name == "politex._core" and this.split()[1] not in pythons:
        has = f"has modules for Python {', '.join(pythons)} only" if pythons else "has no compiled module"
        text = f"politex was not installed for {this} on {sys.platform}: {here} {has}"
    else:
        text = f"the compiled module of politex cannot be loaded ({error})"
    return ImportError(
        f"{text}. Install it with this Python: {sys.executable} -m pip install --force-reinstall politex-*.whl, or build it "
        "from source with pip install . (docs/guide/python.md)",
        name=error.name,
        path=error.path,
    )
