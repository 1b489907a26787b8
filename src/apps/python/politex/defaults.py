"""Which configuration a learner gets that was made without `explorer=`. Decided here only."""

from typing import Any

__all__ = ["WITHOUT_EXPLORER"]

# By the algorithm.name of the class, for every kind of environment. Any keys of a configuration are possible,
# algorithm.name included; keywords of the caller override them.
WITHOUT_EXPLORER: dict[str, dict[str, Any]] = {
    "ee_politex": {"explorer.name": "uniform"},
    "neural_ee_politex": {"explorer.name": "uniform"},
}
