"""The learners, on any Gymnasium environment with discrete actions, on our own environments, and on politex.MDP.

    agent = politex.EEPolitex(gymnasium.make("FrozenLake-v1"), explorer="uniform", seed=1)
    agent.learn(100_000, progress_bar=True)
    action, _ = agent.predict(observation)

Rewards become costs (negated rewards), which are learned from and reported. The problem never ends: where an episode
terminates, the environment is reset within the same step, and the next state is the new start. An end costs that step's
cost plus `restart_cost`. A truncation is a new start, never an end. The objective is the average cost per step.
Keywords are the keys of `politex list algorithms` without their tables; help(politex.EEPolitex) lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from politex import signatures
from politex.agent import Agent, load

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from politex import settings as typed

__all__ = ["EEPolitex", "LSPI", "Politex", "RLSVI", "load"]


class EEPolitex(Agent):
    """Exploration-Enhanced Politex, Algorithm 1 of the paper, with linear features.

    explorer  a name of `politex list explorers` ("uniform", the default, "always:A", "none", "optimal" ...), "file:PATH" or
              the path of a policy file (`politex explore` writes such files), a function from an observation to an action,
              or an object with predict() as in Stable-Baselines3
    Lengths such as follow="N/2" count in states, otherwise in steps of an episode, otherwise in hundreds.
    """

    _algorithm = "ee_politex"

    if TYPE_CHECKING:

        def __init__(
            self,
            env: Any,
            *,
            explorer: Any = None,
            features: Any = None,
            seed: int | None = 1,
            ranges: Any = None,
            restart_cost: float | None = None,
            measure: int = 1000,
            steps: int | None = None,
            exact: bool = False,
            start_from: Any = None,
            **settings: Unpack[typed.EEPolitexSettings],
        ) -> None: ...


class Politex(Agent):
    """Politex without exploration."""

    _algorithm = "politex"

    if TYPE_CHECKING:

        def __init__(
            self,
            env: Any,
            *,
            explorer: Any = None,
            features: Any = None,
            seed: int | None = 1,
            ranges: Any = None,
            restart_cost: float | None = None,
            measure: int = 1000,
            steps: int | None = None,
            exact: bool = False,
            start_from: Any = None,
            **settings: Unpack[typed.PolitexSettings],
        ) -> None: ...


class RLSVI(Agent):
    """Randomised least-squares value iteration, online for average cost."""

    _algorithm = "rlsvi"

    if TYPE_CHECKING:

        def __init__(
            self,
            env: Any,
            *,
            explorer: Any = None,
            features: Any = None,
            seed: int | None = 1,
            ranges: Any = None,
            restart_cost: float | None = None,
            measure: int = 1000,
            steps: int | None = None,
            exact: bool = False,
            **settings: Unpack[typed.RLSVISettings],
        ) -> None: ...


class LSPI(Agent):
    """Least-squares policy iteration, epsilon-greedy."""

    _algorithm = "lspi"

    if TYPE_CHECKING:

        def __init__(
            self,
            env: Any,
            *,
            explorer: Any = None,
            features: Any = None,
            seed: int | None = 1,
            ranges: Any = None,
            restart_cost: float | None = None,
            measure: int = 1000,
            steps: int | None = None,
            exact: bool = False,
            **settings: Unpack[typed.LSPISettings],
        ) -> None: ...


for _kind in (EEPolitex, Politex, RLSVI, LSPI):
    signatures.document(_kind, Agent)
