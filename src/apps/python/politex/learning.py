"""Ctrl-C and the progress bar during learn()."""

from __future__ import annotations

import signal
import sys
import threading
import time
from typing import Any

__all__ = ["Interrupt", "ProgressBar"]


class Interrupt:
    """While learning, the first Ctrl-C asks the run to stop after its step; the second raises KeyboardInterrupt."""

    def __init__(self, run: Any) -> None:
        self.pressed = False
        self._run = run
        self._before: Any = None

    def _press(self, number: int, frame: Any) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True
        self._run.stop()

    def __enter__(self) -> "Interrupt":
        # Only the main thread receives signals; a handler of the program itself is kept.
        if (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        ):
            self._before = signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *_: Any) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


class ProgressBar:
    """One line on standard error, a few times a second."""

    def __init__(self, wanted: bool, begin: int, end: int) -> None:
        self._wanted, self._begin, self._end = wanted, begin, end
        self._started = time.monotonic()
        self._shown = 0.0

    def show(self, run: Any) -> None:
        now = time.monotonic()
        if not self._wanted or (now - self._shown < 0.1 and not run.done):
            return
        self._shown = now
        done = run.steps_done
        share = (done - self._begin) / (self._end - self._begin)
        rate = (done - self._begin) / max(now - self._started, 1e-9)
        rows = run.last_row()
        cost = f"  average cost {rows[2]:.4g}" if len(rows) > 2 else ""
        filled = round(20 * share)
        sys.stderr.write(
            f"\r{'#' * filled}{'.' * (20 - filled)} {100 * share:3.0f}%  {done:,} steps{cost}  {rate:,.0f} steps/s "
        )
        sys.stderr.flush()

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._wanted:
            sys.stderr.write("\n")
            sys.stderr.flush()
