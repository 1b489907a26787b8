"""Our environments as Gymnasium environments: `import politex`, then gymnasium.make("politex/DeepSea-v0", size=20).

Keyword options are the keys of `politex list environments`; `options("deep_sea")` lists them. The reward is the negated
cost. No environment ever terminates: where the rules end an episode, as when a pole falls, the step leads to a new
start, and the info has "restarted". The time limit of cartpole and similar environments is a truncation.
gymnasium.make_vec steps all environments in one C++ call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from politex import _core, render
from politex.mdp import MDP

__all__ = ["Environment", "VectorEnvironment", "identifier", "names", "options", "register"]

# Bounds of every observation, in its own units. Velocities have no hard bound, but never come near these.
_LIMITS: dict[str, list[float]] = {
    "cartpole": [1e3, 1e3, 1, 1, 1e3],
    "cartpole_balance": [4.8, 1e3, 0.5, 1e3],
    "mountain_car": [1.2, 1],
    "acrobot": [1, 1, 1, 1, 1, 1],
}
_SPELLED = {"finite_mdp": "FiniteMDP"}


def identifier(name: str) -> str:
    """ "deep_sea" -> "politex/DeepSea-v0"."""
    return f"politex/{_SPELLED.get(name) or ''.join(word.capitalize() for word in name.split('_'))}-v0"


def names() -> dict[str, str]:
    """Name -> meaning of every environment that is registered."""
    return _core.environment_names()


def options(name: str) -> str:
    """The options of an environment as text: name, default, meaning, what is accepted."""
    return "\n".join(
        f"{key} = {default}: {meaning}; {accepted}"
        for key, default, meaning, accepted in _core.environment_options(name)
    )


def register() -> None:
    """Registers every shipped environment with Gymnasium; `import politex` calls it, and it may be called again."""
    for name in names():
        if identifier(name) not in gym.registry:
            gym.register(
                id=identifier(name),
                entry_point="politex.environments:Environment",
                vector_entry_point="politex.environments:VectorEnvironment",
                kwargs={"name": name},
            )


def _spaces(environments: _core.Environments, name: str) -> tuple[gym.Space[Any], gym.spaces.Discrete]:
    actions = gym.spaces.Discrete(environments.actions)
    if environments.states > 0:
        return gym.spaces.Discrete(environments.states), actions
    high = np.array(_LIMITS.get(name) or [1e6] * len(environments.ranges))
    return gym.spaces.Box(-high, high, dtype=np.float64), actions


def _check_render_mode(render_mode: str | None) -> None:
    if render_mode not in (None, "rgb_array"):
        raise _core.Error(f"render_mode: {render_mode!r} is not accepted; accepted: None, 'rgb_array'")


class Environment(gym.Env[Any, Any]):
    """One shipped environment, by its name and options, or a politex.MDP. Observations of finite ones are state indices.

    `model` holds the tables of a finite one (politex.exact takes the environment itself), `ranges` the usual ranges of
    the observations of the others. get_state() and set_state() keep every bit, and so do pickle and copy.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}

    def __init__(self, name: str | MDP = "deep_sea", *, render_mode: str | None = None, **options: Any) -> None:
        _check_render_mode(render_mode)
        self.render_mode = render_mode
        self.mdp = name if isinstance(name, MDP) else None
        source = name.model if isinstance(name, MDP) else name
        self.name = name.model.name if isinstance(name, MDP) else name
        self.options = dict(options)
        self._environments = _core.Environments(source, options, 1, 2)
        self.model: _core.FiniteModel | None = self._environments.model
        self.ranges: list[tuple[float, float]] = self._environments.ranges
        self.observation_space, self.action_space = _spaces(self._environments, self.name)
        flags = None if self.model is None else self.model.possible
        self._possible = None if flags is None or not flags.size else np.asarray(flags, np.int8)
        self._seeded = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        first = seed is not None or not self._seeded
        if first:
            self.np_random  # draws a seed where none was given
            self._seeded = True
        self._environments.reset([self.np_random_seed % 2**64 if first else None], None)
        return self._environments.observation(), {} if self._possible is None else {"action_mask": self._flags()}

    @property
    def action_masks(self) -> Callable[[], np.ndarray]:
        """action_masks(): one flag per action, 1 where it is possible in the present state; environments without masks do
        not have it. A masked action is another name of the first possible one."""
        if self._possible is None:
            raise AttributeError(f"{self.name} has no action masks")
        return self._flags

    def _flags(self) -> np.ndarray:
        assert self._possible is not None
        return self._possible[int(self._environments.observation())]

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        observation, reward, truncated, restarted = self._environments.step_one(action)
        info: dict[str, Any] = {"restarted": True} if restarted else {}
        if self._possible is not None:
            info["action_mask"] = self._possible[int(observation)]
        return observation, reward, False, truncated, info

    def render(self) -> np.ndarray | None:
        if self.render_mode is None:
            gym.logger.warn("render() of an environment that was made without render_mode; try render_mode='rgb_array'")
            return None
        return render.draw(self.name, self._environments.observation(), self.model)

    def get_state(self) -> bytes:
        """Every bit that the future depends on: state, time and random stream."""
        return self._environments.get_state()

    def set_state(self, state: bytes) -> None:
        """Continues from what get_state() returned, also in another process; politex.Error if it is of another environment."""
        self._environments.set_state(state)
        self._seeded = True


class VectorEnvironment(VectorEnv[Any, Any, Any]):
    """Many shipped environments, stepped together in C++: what gymnasium.make_vec("politex/...", num_envs=N) makes.

    autoreset_mode  as in Gymnasium: NEXT_STEP (default), SAME_STEP, DISABLED
    copy            False: step() and reset() return views of buffers that the next step overwrites

    Equal, bit for bit, to Gymnasium's SyncVectorEnv over our single environments with the same seeds.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}

    def __init__(
        self,
        num_envs: int = 1,
        name: str | MDP = "deep_sea",
        *,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        **options: Any,
    ) -> None:
        _check_render_mode(render_mode)
        self.render_mode = render_mode
        self.mdp = name if isinstance(name, MDP) else None
        source = name.model if isinstance(name, MDP) else name
        self.name = name.model.name if isinstance(name, MDP) else name
        self.options = dict(options)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs
        self.copy = copy
        mode = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED].index(self.autoreset_mode)
        self._environments = _core.Environments(source, options, num_envs, mode)
        self.model: _core.FiniteModel | None = self._environments.model
        self.ranges: list[tuple[float, float]] = self._environments.ranges
        self.single_observation_space, self.single_action_space = _spaces(self._environments, self.name)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seeded = False
        self._look()

    def _look(self) -> None:
        environments = self._environments
        self._buffers = environments.observations, environments.rewards, environments.truncated
        self._none = np.zeros(environments.count, bool)
        if not self.copy:
            self._none.flags.writeable = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        mask = None if options is None else options.get("reset_mask")
        if mask is not None:
            mask = np.asarray(mask)
            if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
                raise _core.Error(f"reset_mask: accepted: an array of {self.num_envs} booleans")
            mask = mask.tolist()
        self._environments.reset(self._seeds(seed), mask)
        observations = self._buffers[0]
        return observations.copy() if self.copy else observations, {}

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None and not self._seeded:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self._seeded = True
        if seed is None:
            return [None] * self.num_envs
        seeds = [int(seed) + i for i in range(self.num_envs)] if np.ndim(seed) == 0 else list(seed)  # type: ignore[arg-type]
        if len(seeds) != self.num_envs or any(one is not None and one < 0 for one in seeds):
            raise _core.Error(f"seed: accepted: a whole number from 0, or a list of {self.num_envs} of them or None")
        return [None if one is None else int(one) % 2**64 for one in seeds]

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        happened = self._environments.step(actions)
        infos = self._infos(happened) if happened else {}
        observations, rewards, truncated = self._buffers
        if self.copy:
            return observations.copy(), rewards.copy(), self._none.copy(), truncated.copy(), infos
        return observations, rewards, self._none, truncated, infos

    def _infos(self, happened: int) -> dict[str, Any]:
        infos: dict[str, Any] = {}
        if happened & 2:
            restarted = self._environments.restarted
            infos = {"restarted": restarted.copy(), "_restarted": restarted.copy()}
        if happened & 1 and self.autoreset_mode == AutoresetMode.SAME_STEP:
            last = self._environments.last_observations
            for i in np.flatnonzero(self._buffers[2]):
                infos = self._add_info(infos, {"final_obs": last[i].copy(), "final_info": {}}, int(i))
        return infos

    def render(self) -> tuple[np.ndarray, ...] | None:
        if self.render_mode is None:
            return None
        return tuple(render.draw(self.name, observation, self.model) for observation in self._buffers[0])

    def get_state(self) -> bytes:
        """Every bit that the future of all environments depends on."""
        return self._environments.get_state()

    def set_state(self, state: bytes) -> None:
        """Continues from what get_state() returned; politex.Error if it is of other environments."""
        self._environments.set_state(state)
        self._seeded = True

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in ("_buffers", "_none")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._look()
