"""The baselines for type checkers. Written by tests/python/settings_test.py; do not edit."""

from typing import Any

from typing_extensions import Unpack

from politex import settings as typed
from politex.agent import Agent

__all__ = [
    "QLearning",
    "DifferentialQ",
    "CenteredQ",
    "RVIQ",
    "DifferentialSarsa",
    "OptimisticQ",
    "MDPOOMD",
    "MDPEXP2",
    "UCRL2B",
    "PSRL",
]

def class_name(algorithm: str) -> str: ...

class Baseline(Agent): ...

class QLearning(Baseline):
    def __init__(
        self,
        env: Any,
        *,
        features: Any = None,
        seed: int | None = 1,
        ranges: Any = None,
        restart_cost: float | None = None,
        measure: int = 1000,
        steps: int | None = None,
        exact: bool = False,
        **settings: Unpack[typed.QLearningSettings],
    ) -> None: ...

class DifferentialQ(Baseline):
    def __init__(
        self,
        env: Any,
        *,
        features: Any = None,
        seed: int | None = 1,
        ranges: Any = None,
        restart_cost: float | None = None,
        measure: int = 1000,
        steps: int | None = None,
        exact: bool = False,
        **settings: Unpack[typed.DifferentialQSettings],
    ) -> None: ...

class CenteredQ(Baseline):
    def __init__(
        self,
        env: Any,
        *,
        features: Any = None,
        seed: int | None = 1,
        ranges: Any = None,
        restart_cost: float | None = None,
        measure: int = 1000,
        steps: int | None = None,
        exact: bool = False,
        **settings: Unpack[typed.CenteredQSettings],
    ) -> None: ...

class RVIQ(Baseline):
    def __init__(
        self,
        env: Any,
        *,
        features: Any = None,
        seed: int | None = 1,
        ranges: Any = None,
        restart_cost: float | None = None,
        measure: int = 1000,
        steps: int | None = None,
        exact: bool = False,
        **settings: Unpack[typed.RVIQSettings],
    ) -> None: ...

class DifferentialSarsa(Baseline):
    def __init__(
        self,
        env: Any,
        *,
        features: Any = None,
        seed: int | None = 1,
        ranges: Any = None,
        restart_cost: float | None = None,
        measure: int = 1000,
        steps: int | None = None,
        exact: bool = False,
        **settings: Unpack[typed.DifferentialSarsaSettings],
    ) -> None: ...

class OptimisticQ(Baseline):
    def __init__(
        self,
        env: Any,
        *,
        features: Any = None,
        seed: int | None = 1,
        ranges: Any = None,
        restart_cost: float | None = None,
        measure: int = 1000,
        steps: int | None = None,
        exact: bool = False,
        **settings: Unpack[typed.OptimisticQSettings],
    ) -> None: ...

class MDPOOMD(Baseline):
    def __init__(
        self,
        env: Any,
        *,
        features: Any = None,
        seed: int | None = 1,
        ranges: Any = None,
        restart_cost: float | None = None,
        measure: int = 1000,
        steps: int | None = None,
        exact: bool = False,
        **settings: Unpack[typed.MDPOOMDSettings],
    ) -> None: ...

class MDPEXP2(Baseline):
    def __init__(
        self,
        env: Any,
        *,
        features: Any = None,
        seed: int | None = 1,
        ranges: Any = None,
        restart_cost: float | None = None,
        measure: int = 1000,
        steps: int | None = None,
        exact: bool = False,
        **settings: Unpack[typed.MDPEXP2Settings],
    ) -> None: ...

class UCRL2B(Baseline):
    def __init__(
        self,
        env: Any,
        *,
        features: Any = None,
        seed: int | None = 1,
        ranges: Any = None,
        restart_cost: float | None = None,
        measure: int = 1000,
        steps: int | None = None,
        exact: bool = False,
        **settings: Unpack[typed.UCRL2BSettings],
    ) -> None: ...

class PSRL(Baseline):
    def __init__(
        self,
        env: Any,
        *,
        features: Any = None,
        seed: int | None = 1,
        ranges: Any = None,
        restart_cost: float | None = None,
        measure: int = 1000,
        steps: int | None = None,
        exact: bool = False,
        **settings: Unpack[typed.PSRLSettings],
    ) -> None: ...
