"""What a learner needs to know of an environment, checked before anything runs; and its run."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.utils import EzPickle

from politex import _core
from politex.checks import refuse, whole
from politex.environments import Environment
from politex.mdp import MDP

__all__ = [
    "Task",
    "batch",
    "check",
    "describe",
    "explorer_keys",
    "make_run",
    "name",
    "observation",
    "plain",
    "python_explorer",
    "size",
    "whole",
]

MOST_NUMBERS = 1000  # of an observation, for features of our own
UNBOUNDED = 1e6  # a bound beyond this says nothing


@dataclass
class Task:
    """What a learner needs to know of an environment."""

    env: Any
    restart_cost: float
    name: str = ""
    actions: int = 0
    first_action: int = 0
    states: int = 0  # above 0: an observation is the number of a state, from first_state on
    first_state: int = 0
    ranges: list[tuple[float, float]] = field(default_factory=list)  # one pair per number of an observation
    episode: int = 0  # the time limit; 0: none, or not known
    shape: tuple[int, ...] = ()  # of one observation
    space: Any = None  # of observations
    flat: Any = None  # the same, flattened, where that is another
    view: Callable[[Any], Any] | None = None  # an observation as a vector: features, or flattened
    identity: bool = False  # that vector is the features
    bytes: bool = False  # observations are bytes
    saves: bool = True  # its pickle is the whole of it
    explorer: Callable[[Any], Any] | None = None  # where it is a function of Python
    source: _core.FiniteModel | tuple[str, dict[str, Any]] | None = None  # stepped in C++: tables, or name and options
    vector: Any = None  # neural learners: the environments, stepped in one call
    count: int = 0
    restart: int = 0


def name(env: Any) -> str:
    spec = getattr(env, "spec", None)
    return spec.id if spec is not None else type(getattr(env, "unwrapped", env)).__name__


def plain(env: Any) -> bool:
    """Whether no wrapper changes what the environment does."""
    while isinstance(env, gym.Wrapper):
        if not isinstance(env, (gym.wrappers.OrderEnforcing, gym.wrappers.PassiveEnvChecker)):
            return False
        env = env.env
    return True


def python_explorer(explorer: Any) -> Callable[[Any], Any] | None:
    if explorer is None or isinstance(explorer, (str, os.PathLike)):
        return None
    if hasattr(explorer, "predict"):
        return lambda observation: np.asarray(explorer.predict(observation)[0]).reshape(()).item()
    if callable(explorer):
        return lambda observation: operator.index(np.asarray(explorer(observation)).reshape(()).item())
    raise refuse(
        "explorer",
        f"{explorer!r} is not accepted; accepted: a name, a policy file, a function from an observation to "
        "an action, or a model with predict()",
    )


def explorer_keys(explorer: Any, task: Task) -> dict[str, Any]:
    """ "always:1" or a file as configuration keys."""
    text = os.fspath(explorer)
    if text.startswith("always:"):
        action = text[len("always:") :]
        if not action.isdecimal():
            raise refuse("explorer", f'{text!r} names no action; accepted: "always:A" with a whole number A')
        return {"explorer.name": "always", "explorer.action": int(action)}
    if text in ("none", "uniform", "optimal", "always", "energy_pump", "sticky", "file"):
        return {"explorer.name": text}
    if isinstance(explorer, os.PathLike) or os.path.exists(text):
        return {"explorer.name": "file", "explorer.file": text}
    return {"explorer.name": text}


def describe(
    env: Any, *, explorer: Any, features: Any, ranges: Any, restart_cost: float, measure: int, seed: int
) -> Task:
    """Checks an environment for the linear learners."""
    chosen = python_explorer(explorer)
    task = Task(env=env, explorer=chosen, restart_cost=float(restart_cost))
    if isinstance(env, MDP):
        if chosen is None and not callable(features) and restart_cost == 0:
            task.source, task.name = env.model, env.model.name
            task.actions, task.states = env.actions, env.states
            task.ranges = [(0.0, env.states - 1.0)]
            return task
        task.env = env = env.env()
    check(env)
    inner = env.unwrapped
    task.name = name(env)
    spec = getattr(env, "spec", None)
    task.episode = int(getattr(spec, "max_episode_steps", None) or 0)
    # What EzPickle rebuilds from its arguments is a new environment.
    task.saves = not isinstance(inner, EzPickle)
    task.actions, task.first_action = int(env.action_space.n), int(env.action_space.start)
    observation(task, env.observation_space, features)
    if (
        isinstance(inner, Environment)
        and plain(env)
        and chosen is None
        and not callable(features)
        and restart_cost == 0
    ):
        if inner.model is not None and inner.name == "finite_mdp":
            task.source = inner.model
        else:
            task.source = (inner.name, dict(inner.options))
        task.ranges = ranges if ranges is not None else [(0.0, 1.0)] * size(env.observation_space)
        return task
    if task.states == 0:
        task.ranges = _ranges(task, env, ranges, whole("measure", measure, 1, 10**9), seed)
    return task


def make_run(settings: dict[str, Any], task: Task) -> _core.AgentRun:
    """The run of a learner with these settings."""
    seen = _core.AgentEnvironment(
        name=task.name,
        actions=task.actions,
        states=task.states,
        ranges=task.ranges,
        time_limit=task.episode,
        bytes=task.bytes,
        view=task.view,
        first_state=task.first_state,
        first_action=task.first_action,
    )
    source = task.source
    if isinstance(source, _core.FiniteModel):
        return _core.AgentRun.of_model(settings, seen, source)
    if source is not None:
        name, options = source
        return _core.AgentRun.of_shipped(settings, seen, name, options)
    if task.vector is not None:
        return _core.AgentRun.of_vector(
            settings,
            seen,
            vector=task.vector,
            count=task.count,
            restart=task.restart,
            restart_cost=task.restart_cost,
            explorer=task.explorer,
        )
    return _core.AgentRun.of_env(
        settings,
        seen,
        env=task.env,
        saves=task.saves,
        restart_cost=task.restart_cost,
        explorer=task.explorer,
        identity=task.identity,
    )


def check(env: Any, vector: bool = False) -> None:
    if isinstance(env, gym.vector.VectorEnv) and not vector:
        raise refuse(
            "env", "is a vector environment; accepted by the linear learners: one environment (gymnasium.make)"
        )
    if isinstance(env, str) or not hasattr(env, "step") or not hasattr(env, "observation_space"):
        raise refuse(
            "env", f"{env!r} is not an environment; accepted: one of Gymnasium (gymnasium.make(...)), or a politex.MDP"
        )
    actions = getattr(env, "single_action_space", env.action_space)
    if not isinstance(actions, gym.spaces.Discrete):
        raise refuse(
            "env",
            f"the actions are {actions}; accepted: Discrete(n) (a wrapper can turn others into a list "
            "of actions: gymnasium.wrappers.TransformAction)",
        )


def size(space: gym.Space[Any]) -> int:
    return 1 if isinstance(space, gym.spaces.Discrete) else int(np.prod(space.shape or (1,)))


def observation(task: Task, space: gym.Space[Any], features: Any, most: int = MOST_NUMBERS) -> None:
    task.shape = tuple(space.shape or ())
    task.space = space
    if callable(features):
        task.view, task.identity = features, True
    elif isinstance(space, gym.spaces.Discrete):
        task.states, task.first_state = int(space.n), int(space.start)
        task.ranges = [(0.0, max(1.0, float(space.n - 1)))]
    elif isinstance(space, (gym.spaces.MultiDiscrete, gym.spaces.MultiBinary, gym.spaces.Dict, gym.spaces.Tuple)):
        flat = gym.spaces.utils.flatten_space(space)
        if not isinstance(flat, gym.spaces.Box):
            raise refuse(
                "features",
                f"{space} cannot be flattened; accepted: features=f, a function from an observation to a vector",
            )
        task.view = lambda observation: gym.spaces.utils.flatten(space, observation)
        # Indicators of the values are features already.
        task.identity = features in (None, "auto") and bool(np.all(flat.low == 0) and np.all(flat.high == 1))
        task.flat = flat
    elif isinstance(space, gym.spaces.Box):
        if size(space) > most:
            raise refuse(
                "features",
                f"an observation of {task.name} has {size(space)} numbers; accepted: features=f, a "
                f"function from an observation to a vector, or up to {MOST_NUMBERS} numbers (the neural "
                "learners take more)",
            )
    else:
        raise refuse(
            "features", f"of {space} are not known; accepted: features=f, a function from an observation to a vector"
        )


def _ranges(task: Task, env: Any, given: Any, measure: int, seed: int) -> list[tuple[float, float]]:
    """One pair per number that the learner sees."""
    if task.identity and task.view is not None:
        observation, _ = env.reset(seed=seed)
        vector = np.asarray(task.view(observation), float)
        if vector.ndim != 1 or vector.size == 0:
            raise refuse("features", f"gave an array of shape {vector.shape}; accepted: a vector (n,) of numbers")
        return [(0.0, 1.0)] * vector.size
    space = task.flat if task.flat is not None else task.space
    low, high = np.ravel(space.low).astype(float), np.ravel(space.high).astype(float)
    if given is not None:
        pairs = np.asarray(given, float)
        if pairs.shape != (low.size, 2) or not np.all(np.isfinite(pairs)) or not np.all(pairs[:, 0] < pairs[:, 1]):
            raise refuse("ranges", f"accepted: {low.size} pairs (low, high) with low < high")
        return [(float(a), float(b)) for a, b in pairs]
    unbounded = (np.abs(low) > UNBOUNDED) | (np.abs(high) > UNBOUNDED)
    if unbounded.any():
        met_low, met_high = _met(task, env, measure, seed)
        spread = np.maximum(met_high - met_low, 1e-3)
        low = np.where(unbounded, met_low - spread / 4, low)
        high = np.where(unbounded, met_high + spread / 4, high)
    high = np.where(high > low, high, low + 1.0)
    return [(float(a), float(b)) for a, b in zip(low, high)]


def _met(task: Task, env: Any, steps: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and largest values of a uniformly random walk."""
    rng = np.random.default_rng(seed)
    view = task.view or (lambda observation: observation)
    observation, _ = env.reset(seed=seed)
    low = high = np.ravel(np.asarray(view(observation), float))
    for action in rng.integers(task.first_action, task.first_action + task.actions, steps):
        observation, _, terminated, truncated, _ = env.step(int(action))
        seen = np.ravel(np.asarray(view(observation), float))
        if np.all(np.isfinite(seen)):
            low, high = np.minimum(low, seen), np.maximum(high, seen)
        if terminated or truncated:
            env.reset()
    return low, high


def batch(observation: Any, task: Task) -> tuple[bool, list[Any]]:
    """Whether it is one observation, and a list of observations."""
    if isinstance(observation, (dict, tuple)):
        return True, [observation]
    dimensions = np.ndim(observation)
    shape = task.shape
    if dimensions == len(shape):
        return True, [observation]
    if dimensions == len(shape) + 1:
        return False, list(np.asarray(observation))
    raise refuse(
        "observation", f"has {dimensions} dimensions; accepted: {len(shape)} for one, {len(shape) + 1} for a batch"
    )
