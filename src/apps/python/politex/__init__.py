"""Exploration-Enhanced Politex: no-regret reinforcement learning for average-cost problems that never reset."""
from politex import environments
from politex._core import Error, __version__

environments.register()

__all__ = ["Error", "__version__"]
