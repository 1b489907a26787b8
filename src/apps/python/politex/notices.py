"""The classes of our warnings, and our logger."""

from __future__ import annotations

import logging

__all__ = ["EnvironmentWarning", "InputWarning", "LearningWarning", "PolitexWarning", "log"]

log = logging.getLogger("politex")
log.addHandler(logging.NullHandler())


class PolitexWarning(UserWarning):
    """Every warning of politex is one of its subclasses.

    >>> import warnings
    >>> warnings.simplefilter("error", politex.LearningWarning)  # a run that cannot learn raises
    >>> warnings.simplefilter("default", politex.PolitexWarning)  # all are shown again
    """


class InputWarning(PolitexWarning):
    """Something that was given has two readings, or is not used; the message says which reading was taken."""


class LearningWarning(PolitexWarning):
    """What was learned may be worthless: every step cost the same, a run shorter than a phase, a bound exceeded."""


class EnvironmentWarning(PolitexWarning):
    """The environment cannot do what the agent needs: its state could not be saved, and it starts from scratch."""
