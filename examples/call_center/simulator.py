"""A call center with two kinds of calls and two pools of agents, minute by minute, as a Gymnasium environment.

Billing calls are served by three agents; support calls by two cross-trained agents, who may help with billing. Calls
arrive more often from 9 to 17 o'clock. A waiting billing call costs 1 per minute, a waiting support call 3; a caller who
finds the line full goes away, which costs 20. The decision of every minute: how many of the two cross-trained agents
help with billing.
"""

from __future__ import annotations

import random
from typing import Any

import gymnasium as gym
import numpy as np

ROOM = 15  # calls of each kind that the line holds
BILLING_AGENTS, CROSS_TRAINED = 3, 2
MINUTES_OF_A_DAY, MINUTES_OF_A_WEEK = 1440, 7 * 1440
ARRIVALS = {False: (0.30, 0.14), True: (0.72, 0.34)}  # per minute, of billing and support; False: outside busy hours
FINISHED = (0.20, 0.25)  # the probability that an agent ends a billing or a support call within the minute
WAITING_COST, LOST_COST = (1.0, 3.0), 20.0
DRAWS = range(2 + BILLING_AGENTS + 2 * CROSS_TRAINED)
MASKS = [np.array([helpers <= most for helpers in range(CROSS_TRAINED + 1)]) for most in range(CROSS_TRAINED + 1)]


class CallCenter(gym.Env[Any, Any]):
    """An observation is (billing calls, support calls, whether it is a busy hour); an action is the number of helpers."""

    def __init__(self) -> None:
        self.observation_space = gym.spaces.MultiDiscrete([ROOM + 1, ROOM + 1, 2])
        self.action_space = gym.spaces.Discrete(CROSS_TRAINED + 1)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None or not hasattr(self, "random"):
            self.random = random.Random(seed)
        self.calls, self.minute = [0, 0], 0
        return self._observation(), {"action_mask": self._possible()}

    def _busy(self) -> bool:
        return 540 <= self.minute % MINUTES_OF_A_DAY < 1020

    def _observation(self) -> Any:
        return np.array([*self.calls, self._busy()])

    def _possible(self) -> Any:
        """A helper needs a billing call that no billing agent serves."""
        return MASKS[min(CROSS_TRAINED, max(0, self.calls[0] - BILLING_AGENTS))]

    def action_masks(self) -> Any:
        return self._possible()

    def _serve(self, kind: int, agents: int, draws: list[float]) -> float:
        """Ends some of the calls that are served; returns what the waiting ones cost."""
        served = min(agents, self.calls[kind])
        cost = WAITING_COST[kind] * (self.calls[kind] - served)
        self.calls[kind] -= sum(draw < FINISHED[kind] for draw in draws[:served])
        return cost

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        helpers = int(action)
        if not self._possible()[helpers]:
            raise ValueError(f"{helpers} helpers with {self.calls[0]} billing calls")
        # The same numbers are drawn in every minute, whatever happens: two policies with one seed meet the same callers.
        draws = [self.random.random() for _ in DRAWS]
        first = 2 + BILLING_AGENTS + CROSS_TRAINED  # of the draws for support calls
        cost = self._serve(0, BILLING_AGENTS + helpers, draws[2:first]) + self._serve(1, CROSS_TRAINED - helpers, draws[first:])
        for kind, arrivals in enumerate(ARRIVALS[self._busy()]):
            if draws[kind] < arrivals:
                if self.calls[kind] < ROOM:
                    self.calls[kind] += 1
                else:
                    cost += LOST_COST
        self.minute += 1
        return self._observation(), -cost, False, False, {"action_mask": self._possible()}


def incumbent(observation: Any) -> int:
    """What runs today: the cross-trained agents help where more billing calls wait than support calls."""
    billing, support = int(observation[0]) - BILLING_AGENTS, int(observation[1])
    helpers = CROSS_TRAINED if billing > support else 0
    return min(helpers, max(0, billing))


def rule_of_thumb(observation: Any) -> int:
    """Another rule that somebody proposed: support first, because its waiting is dearer; idle agents help."""
    billing, support = int(observation[0]) - BILLING_AGENTS, int(observation[1])
    return min(max(0, CROSS_TRAINED - support), max(0, billing))
