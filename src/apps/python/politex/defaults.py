"""Which configuration a learner gets that was made without `explorer=`. Decided here only."""

from typing import Any

__all__ = ["is_default", "without_explorer"]


def is_default(algorithm: str, settings: dict[str, Any]) -> bool:
    """Whether a learner without `explorer=` is the default learner."""
    return algorithm == "ee_politex" and not settings


def without_explorer(algorithm: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Keys of the configuration, by the algorithm.name of the class and the settings that the caller gave.

    EEPolitex without settings is the default learner, which learns its explorer. Settings of the paper's algorithm keep that
    algorithm, and it explores uniformly.
    """
    if is_default(algorithm, settings):
        return {"algorithm.name": "auto"}
    return {"explorer.name": "uniform"} if algorithm in ("ee_politex", "neural_ee_politex") else {}
