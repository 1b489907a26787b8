"""Environments as the neural learners step them: all in one call, and the same reports of ends in every autoreset mode."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.utils import EzPickle

from politex.environments import VectorEnvironment
from politex.spaces import Task

__all__ = ["NEXT_STEP", "SAME_STEP", "Vector"]

NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2


class Vector:
    """A vector environment, or a single one, for politex._core: observations are rows of floats."""

    def __init__(self, env: Any, task: Task) -> None:
        self._env, self._task = env, task
        self.single = not isinstance(env, gym.vector.VectorEnv)
        self.count = 1 if self.single else int(env.num_envs)
        mode = (
            str(getattr(m := (env.metadata or {}).get("autoreset_mode", "NextStep"), "value", m))
            .lower()
            .replace("_", "")
        )
        self.restart = SAME_STEP if self.single or "same" in mode else DISABLED if "disabled" in mode else NEXT_STEP
        self._size = len(task.ranges)

    def _rows(self, observations: Any) -> np.ndarray:
        if self._task.states > 0:
            return np.asarray(observations, np.float32).reshape(self.count, 1) - self._task.first_state
        if self._task.view is None:
            return np.asarray(observations, np.float32).reshape(self.count, self._size)
        each = (
            [observations] if self.single else list(gym.vector.utils.iterate(self._env.observation_space, observations))
        )
        return np.stack([np.asarray(self._task.view(one), np.float32).ravel() for one in each])

    def reset(self, seed: int) -> np.ndarray:
        return self._rows(self._env.reset(seed=seed)[0])

    def step(self, actions: np.ndarray) -> tuple[Any, Any, Any, Any, np.ndarray | None]:
        """Observations, rewards, terminations, truncations, and rows of last observations where an episode ended."""
        if self.single:
            observation, reward, terminated, truncated, _ = self._env.step(int(actions[0]))
            seen = self._rows(observation)
            if not (terminated or truncated):
                return seen, [reward], [terminated], [truncated], None
            return self._rows(self._env.reset()[0]), [reward], [terminated], [truncated], seen
        observations, rewards, terminated, truncated, info = self._env.step(actions)
        seen = self._rows(observations)
        ended = np.logical_or(terminated, truncated)
        if not ended.any():
            return seen, rewards, terminated, truncated, None
        if self.restart == NEXT_STEP:
            return seen, rewards, terminated, truncated, seen
        if self.restart == DISABLED:
            again, _ = self._env.reset(options={"reset_mask": ended})
            return self._rows(again), rewards, terminated, truncated, seen
        return seen, rewards, terminated, truncated, self._finals(info, ended, seen)

    def _finals(self, info: dict[str, Any], ended: np.ndarray, seen: np.ndarray) -> np.ndarray:
        finals = info.get("final_obs", info.get("final_observation"))
        if finals is None:
            raise ValueError("the vector environment resets in the same step and gives no final_obs in its info")
        if isinstance(finals, np.ndarray) and finals.dtype != object:
            return self._rows(finals)
        rows = np.array(seen)
        for k in np.flatnonzero(ended):
            one = finals[k] if self._task.view is None else self._task.view(finals[k])
            rows[k] = np.asarray(one, np.float32).ravel() - self._task.first_state
        return rows

    def save(self) -> bytes | None:
        """Everything that the environments' future depends on, or None."""
        env = self._env
        if isinstance(env, VectorEnvironment):
            return env.get_state()
        try:
            if isinstance(env, gym.vector.SyncVectorEnv):
                inner = [one.unwrapped for one in env.envs]
                state: Any = {
                    name: value
                    for name, value in vars(env).items()
                    if isinstance(value, (np.ndarray, list)) and name != "env_fns"
                }
                if any(isinstance(one, EzPickle) for one in inner):
                    return None
                return pickle.dumps(state)
            if isinstance(env.unwrapped, EzPickle) or isinstance(env, gym.vector.AsyncVectorEnv):
                return None
            return pickle.dumps(vars(env))
        except Exception:  # whatever a foreign __reduce__ raises
            return None

    def restore(self, saved: bytes) -> None:
        if isinstance(self._env, VectorEnvironment):
            self._env.set_state(saved)
            return
        vars(self._env).update(pickle.loads(saved))
