"""Learners that people know, to compare with: one class for each learner of the catalogue that learns in every step.

    agent = politex.DifferentialQ(gymnasium.make("politex/AccessControl-v0"), seed=1, step_size=0.5)
    agent.learn(100_000)

Classes, settings and help texts are made from the catalogue; baselines.pyi has them for type checkers. The guide's page
on baselines has each one's paper, guarantee and constants.
"""

from __future__ import annotations

from typing import Any

from politex import _core, signatures
from politex.agent import Agent
from politex.checks import refuse

_CAPITALS = {"q", "rvi", "mdp", "oomd", "exp2", "ucrl2b", "psrl"}


class Baseline(Agent):
    """Arguments of all baselines:

    env           a Gymnasium environment with discrete actions, a politex.MDP, or one of ours (politex/...), which is
                  stepped in C++ without a Python call
    features      a name ("auto", "tabular", "cells", "additive", "tiles", ...), or a function from an observation to a
                  vector. Default: one value per state and action where states are listed, else per cell of a grid. Only
                  DifferentialSarsa and MDPEXP2 take features that are not a partition
    ranges        Box: one pair (low, high) per coordinate. Default: the bounds of the space; infinite bounds are replaced
                  by the range that `measure` uniformly random steps reach (before learning, not counted), enlarged by half
    restart_cost  added to the cost of a step that terminates. Default: as for EEPolitex
    steps         the T of MDPOOMD, MDPEXP2 and others that need it; default: the steps of the first learn()
    seed          names every random stream; the environment is reset with it once. None: a random seed (agent.seed)
    exact         finite environments in C++: adds gains and regret to the summary

    They choose their own actions, so there is no explorer.
    """

    _lists = True

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
        **settings: Any,
    ) -> None:
        if "explorer" in settings:
            raise refuse("explorer", f"{type(self).__name__} has none; accepted: EEPolitex and NeuralEEPolitex take one")
        super().__init__(
            env,
            features=features,
            seed=seed,
            ranges=ranges,
            restart_cost=restart_cost,
            measure=measure,
            steps=steps,
            exact=exact,
            **settings,
        )
        del self._given["explorer"]


def class_name(algorithm: str) -> str:
    """ "differential_q" -> "DifferentialQ", "psrl" -> "PSRL"."""
    return "".join(word.upper() if word in _CAPITALS else word.capitalize() for word in algorithm.split("_"))


__all__: list[str] = []
for _algorithm, _help in _core.baselines():
    _name = class_name(_algorithm)
    _made = type(
        _name,
        (Baseline,),
        {
            "_algorithm": _algorithm,
            "__module__": __name__,
            "__doc__": f"{_help[0].upper()}{_help[1:]}. In configurations: algorithm.name = {_algorithm}.",
        },
    )
    signatures.document(_made, Baseline)
    globals()[_name] = _made
    __all__ += [_name]
