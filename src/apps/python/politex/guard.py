"""A guard: hands control to the policy that runs today while a limit on the state is exceeded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np

from politex import masks
from politex._core import Error
from politex.checks import refuse

__all__ = ["Guard"]

FIRST_STEPS = 10_000


class Guard(gym.Wrapper[Any, Any, Any, Any]):
    """A wrapper of a Gymnasium environment. While the level of the state is above `limit`, step() takes the incumbent's
    action whatever it is passed, until the level is at most `release`.

    env        a Gymnasium environment with discrete actions
    incumbent  a function from an observation to an action, or an object with predict()
    limit      the guard begins where the level is above
    release    and ends where it is at most this; default: limit
    level      a function from an observation to a number; default: the sum of the observation

    The info has "guarded" (whether the incumbent acted in this step) and "action_mask" (while the guard is on: the
    incumbent's action alone), so that learners learn what happens. `guarded_steps` of `steps` are counted, also in
    agent.summary["guard"] and in the column guarded_steps of agent.progress.

    >>> env = politex.Guard(gym.make("politex/RiverSwim-v0", size=6), lambda state: 1, limit=4, release=2)
    >>> observation, info = env.reset(seed=1)
    >>> info["guarded"], info["action_mask"].tolist()
    (False, [1, 1])
    """

    def __init__(
        self,
        env: Any,
        incumbent: Any,
        limit: float,
        *,
        release: float | None = None,
        level: Callable[[Any], float] | None = None,
    ) -> None:
        if not hasattr(env, "step") or not isinstance(getattr(env, "action_space", None), gym.spaces.Discrete):
            raise refuse("env", f"{env!r} is not accepted; accepted: a Gymnasium environment with discrete actions")
        super().__init__(env)
        self._incumbent = incumbent
        if not hasattr(incumbent, "predict") and not callable(incumbent):
            raise refuse(
                "incumbent", f"{incumbent!r} is not accepted; accepted: a function of the observation, or an object with predict()"
            )
        self.limit = _number("limit", limit)
        self.release = self.limit if release is None else _number("release", release)
        if self.release > self.limit:
            raise refuse("release", f"{self.release:g} is above the limit {self.limit:g}; accepted: at most the limit")
        self._level = level
        self.steps = 0
        self.guarded_steps = 0
        self._on = False
        self._action = 0
        self._inner: np.ndarray | None = None

    @property
    def on(self) -> bool:
        """Whether the incumbent takes the next action."""
        return self._on

    def level(self, observation: Any) -> float:
        value = np.sum(observation) if self._level is None else self._level(observation)
        number = float(value)
        if not np.isfinite(number):
            raise Error(f"level: of the observation {observation!r} is {number}; accepted: a finite number")
        return number

    def action_masks(self) -> np.ndarray:
        """One flag per action: 1 where it is possible now."""
        first, count = int(self.action_space.start), int(self.action_space.n)
        if not self._on:
            return np.ones(count, np.int8) if self._inner is None else self._inner.copy()
        flags = np.zeros(count, np.int8)
        flags[self._action - first] = 1
        return flags

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        self._look(observation, info, False)
        return observation, {**info, "guarded": False, "action_mask": self.action_masks()}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        guarded = self._on
        observation, reward, terminated, truncated, info = self.env.step(self._action if guarded else action)
        self.steps += 1
        self.guarded_steps += guarded
        if self.steps == FIRST_STEPS and self.guarded_steps == FIRST_STEPS:
            raise Error(
                f"limit: {self.limit:g}: the guard is always on, in all of the first {FIRST_STEPS} steps; accepted: a larger limit"
            )
        self._look(observation, info, guarded)
        return observation, reward, terminated, truncated, {**info, "guarded": guarded, "action_mask": self.action_masks()}

    def _look(self, observation: Any, info: dict[str, Any], before: bool) -> None:
        self._inner = masks.of(self.env, info)
        self._on = self.level(observation) > (self.release if before else self.limit)
        if not self._on:
            return
        first, count = int(self.action_space.start), int(self.action_space.n)
        asked = self._incumbent
        self._action = int(asked.predict(observation, deterministic=True)[0] if hasattr(asked, "predict") else asked(observation))
        if not first <= self._action < first + count:
            raise Error(f"incumbent: chose {self._action}; accepted: {first} to {first + count - 1}")
        if self._inner is not None and not self._inner[self._action - first]:
            accepted = ", ".join(str(a + first) for a in np.flatnonzero(self._inner))
            raise Error(f"incumbent: chose action {self._action} for {observation!r}, which is masked; accepted: {accepted}")


def _number(key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)) or not np.isfinite(value):
        raise refuse(key, f"{value!r} is not accepted; accepted: a finite number")
    return float(value)
