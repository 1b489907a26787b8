"""What a learner needs to know about an environment, checked before anything runs; and its run."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.utils import EzPickle

from politex import _core
from politex._core import Error
from politex.checks import number, refuse, whole
from politex.environments import Environment
from politex.guard import Guard
from politex.mdp import MDP

__all__ = [
    "Task",
    "batch",
    "check",
    "check_same",
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
MOST_AXES = 16
MOST_LISTED = 20_000  # states, where observations are several whole numbers


@dataclass
class Task:
    """What a learner needs to know about an environment."""

    env: Any
    restart_cost: float | None  # None: found from the costs
    name: str = ""
    actions: int = 0
    first_action: int = 0
    states: int = 0  # above 0: an observation, or what view makes of it, is the number of a state, from first_state on
    first_state: int = 0
    ranges: list[tuple[float, float]] = field(default_factory=list)  # one pair per number of an observation
    episode: int = 0  # the time limit; 0: none, or not known
    shape: tuple[int, ...] = ()  # of one observation
    space: Any = None  # of observations
    flat: Any = None  # the same, flattened, where that is another
    view: Callable[[Any], Any] | None = None  # an observation as a vector: features, or flattened
    identity: bool = False  # that vector is the features
    columns: int = 0  # above 0: it is a packed sparse row of them (_SparseRows)
    bytes: bool = False  # observations are bytes
    picture: tuple[int, int, int] = (0, 0, 0)  # channels, height, width, for convolutions; view puts channels first
    saves: bool = True  # its pickle is complete
    explorer: Callable[[Any], Any] | None = None  # where it is a function of Python
    start_from: Callable[[Any], Any] | None = None  # the same: the policy that learning begins with
    guards: bool = False  # a politex.Guard is around it
    source: _core.FiniteModel | tuple[str, dict[str, Any]] | None = None  # stepped in C++: tables, or name and options
    vector: Any = None  # neural learners: the environments, stepped in one call
    count: int = 0
    restart: int = 0
    exact: bool = False  # finite environments that are stepped in C++: exact answers in the summary

    @property
    def numbered(self) -> bool:
        """Whether an observation is the number of a state."""
        return self.states > 0 and self.view is None

    def all_states(self) -> np.ndarray:
        return np.arange(self.first_state, self.first_state + self.states)

    @property
    def signature(self) -> dict[str, Any]:
        """What a saved agent and an environment must agree on."""
        return {
            "actions": [self.first_action, self.actions],
            "states": [self.first_state, self.states],
            "numbers": 0 if self.states > 0 else len(self.ranges),
        }


def check_same(task: Task, saved: dict[str, Any]) -> None:
    """Refuses an environment whose spaces differ from those of the saved agent."""
    for what, before in saved.items():
        now = task.signature.get(what)
        if now != before:
            meaning = "numbers of an observation" if what == "numbers" else f"{what} (first, count)"
            raise refuse(
                "env", f"{task.name} has other spaces than the agent was trained on: {meaning} {now}; accepted: {before}"
            )


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


def _guards(env: Any) -> bool:
    while isinstance(env, gym.Wrapper):
        if isinstance(env, Guard):
            return True
        env = env.env
    return False


def python_explorer(explorer: Any, key: str = "explorer") -> Callable[[Any], Any] | None:
    if explorer is None or isinstance(explorer, (str, os.PathLike)):
        return None
    if hasattr(explorer, "predict"):
        return lambda observation: _action(explorer.predict(observation)[0])
    if callable(explorer):
        return lambda observation: _action(explorer(observation))
    raise refuse(
        key,
        f"{explorer!r} is not accepted; accepted: a name, a policy file, a function from an observation to "
        "an action, or a model with predict()",
    )


def _action(chosen: Any) -> int:
    value = np.asarray(chosen)
    if value.size != 1 or value.dtype.kind not in "iub":
        raise refuse("explorer", f"chose {chosen!r}; accepted: one action, a whole number")
    return int(value.reshape(()).item())


def explorer_keys(explorer: Any) -> dict[str, Any]:
    """A name, "always:A", "file:PATH" or the path of a file as configuration keys."""
    text = os.fspath(explorer)
    if isinstance(explorer, os.PathLike):
        return {"explorer.name": "file", "explorer.file": text}
    name, colon, rest = text.partition(":")
    if name == "always" and colon:
        if not rest.isdecimal():
            raise refuse("explorer", f'{text!r} names no action; accepted: "always:A" with a whole number A')
        return {"explorer.name": "always", "explorer.action": int(rest)}
    if name == "file" and colon:
        return {"explorer.name": "file", "explorer.file": rest}
    if text not in _core.explorer_names() and os.path.exists(text):
        return {"explorer.name": "file", "explorer.file": text}
    return {"explorer.name": text}


def describe(
    env: Any,
    *,
    explorer: Any,
    start_from: Any = None,
    features: Any,
    ranges: Any,
    restart_cost: float | None,
    measure: int,
    seed: int,
    exact: bool,
    lists: bool = False,
) -> Task:
    """Checks an environment for the linear learners."""
    chosen = python_explorer(explorer)
    cost = None if restart_cost is None else number("restart_cost", restart_cost)
    task = Task(env=env, explorer=chosen, restart_cost=cost, exact=bool(exact))
    task.start_from = python_explorer(start_from, "start_from")
    in_python = chosen is not None or task.start_from is not None or callable(features)
    if isinstance(env, MDP):
        _check_restart_cost(task, terminates=False)
        if not in_python:
            task.source, task.name = env.model, env.model.name
            task.actions, task.states = env.actions, env.states
            task.ranges = [(0.0, env.states - 1.0)]
            return task
        task.env = env = env.env()
    check(env)
    inner = env.unwrapped
    task.name = name(env)
    task.guards = _guards(env)
    spec = getattr(env, "spec", None)
    task.episode = int(getattr(spec, "max_episode_steps", None) or 0)
    # EzPickle builds a new environment from the arguments of the old one.
    task.saves = not isinstance(inner, EzPickle)
    task.actions, task.first_action = int(env.action_space.n), int(env.action_space.start)
    observation(task, env.observation_space, features)
    if lists and features is None:
        _list_states(task, env.observation_space)
    if isinstance(inner, Environment):
        _check_restart_cost(task, terminates=inner.model is None and plain(env) and not in_python)
        if plain(env) and not in_python:
            if ranges is not None:
                raise refuse("ranges", f"not accepted for {task.name}, whose ranges are known")
            task.source = inner.model if inner.mdp is not None else (inner.name, dict(inner.options))
            task.ranges = inner.ranges or task.ranges
            return task
    if task.exact:
        raise refuse(
            "exact",
            f"{task.name} is stepped in Python here, without exact answers; accepted: politex.MDP.from_gymnasium(env), "
            "or politex/... without functions of Python",
        )
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
        picture=task.picture,
        view=task.view,
        first_state=task.first_state,
        first_action=task.first_action,
    )
    source = task.source
    if isinstance(source, _core.FiniteModel):
        return _core.AgentRun.of_model(settings, seen, model=source, exact=task.exact)
    if source is not None:
        name, options = source
        return _core.AgentRun.of_shipped(
            settings, seen, name=name, options=options, restart_cost=task.restart_cost, exact=task.exact
        )
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
        prior=task.start_from,
        identity=task.identity,
        columns=task.columns,
        guards=task.guards,
    )


def _check_restart_cost(task: Task, terminates: bool) -> None:
    if task.restart_cost and not terminates:
        raise refuse(
            "restart_cost",
            f"{task.restart_cost:g} has no effect on {task.name or task.env}, which never terminates; accepted: 0",
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


def _flattens(space: gym.Space[Any]) -> bool:
    if isinstance(space, gym.spaces.Dict):
        return all(_flattens(one) for one in space.spaces.values())
    if isinstance(space, gym.spaces.Tuple):
        return all(_flattens(one) for one in space.spaces)
    return isinstance(
        space, (gym.spaces.Box, gym.spaces.Discrete, gym.spaces.MultiDiscrete, gym.spaces.MultiBinary)
    )


def observation(task: Task, space: gym.Space[Any], features: Any, most: int = MOST_NUMBERS) -> None:
    """Fills in what the learner sees; the neural learners have most > MOST_NUMBERS and no features."""
    instead = (
        "features=f, a function from an observation to a vector"
        if most == MOST_NUMBERS
        else "an environment with another observation (gymnasium.wrappers.TransformObservation)"
    )
    task.shape = tuple(space.shape or ())
    task.space = space
    if callable(features):
        task.view, task.identity = features, True
    elif isinstance(space, gym.spaces.Discrete):
        task.states, task.first_state = int(space.n), int(space.start)
        task.ranges = [(0.0, max(1.0, float(space.n - 1)))]
    elif isinstance(space, (gym.spaces.MultiDiscrete, gym.spaces.MultiBinary, gym.spaces.Dict, gym.spaces.Tuple)):
        if not _flattens(space):
            raise refuse("env", f"the observations of {task.name}, {space}, are not numbers only; accepted: {instead}")
        flat = gym.spaces.utils.flatten_space(space)
        if not isinstance(flat, gym.spaces.Box) or size(flat) == 0:
            raise refuse("env", f"the observations of {task.name} have no numbers; accepted: {instead}")
        task.view = lambda observation: gym.spaces.utils.flatten(space, observation)
        # Indicators of the values are features already.
        task.identity = features in (None, "auto") and bool(np.all(flat.low == 0) and np.all(flat.high == 1))
        task.flat = flat
    elif isinstance(space, gym.spaces.Box):
        if size(space) == 0:
            raise refuse("env", f"the observations of {task.name} have no numbers; accepted: {instead}")
        if size(space) > most:
            raise refuse(
                "features",
                f"an observation of {task.name} has {size(space)} numbers; accepted: features=f, a "
                f"function from an observation to a vector, or up to {MOST_NUMBERS} numbers (the neural "
                "learners take more)",
            )
    else:
        raise refuse("env", f"the observations of {task.name} are {space}, not numbers; accepted: {instead}")


def _sizes(space: gym.Space[Any]) -> list[int] | None:
    """How many values each of the whole numbers has that an observation consists of; None: it has others."""
    if isinstance(space, gym.spaces.Discrete):
        return [int(space.n)]
    if isinstance(space, gym.spaces.MultiDiscrete):
        return [int(n) for n in np.ravel(space.nvec)]
    if isinstance(space, gym.spaces.MultiBinary):
        return [2] * size(space)
    if isinstance(space, gym.spaces.Box) and np.issubdtype(space.dtype, np.integer) and size(space) <= MOST_AXES:
        return [int(high) - int(low) + 1 for low, high in zip(np.ravel(space.low), np.ravel(space.high))]
    if isinstance(space, (gym.spaces.Tuple, gym.spaces.Dict)):
        parts = [_sizes(one) for one in (space.spaces.values() if isinstance(space, gym.spaces.Dict) else space.spaces)]
        return None if any(part is None for part in parts) else [n for part in parts if part for n in part]
    return None


def _digits(space: gym.Space[Any], observation: Any) -> Iterator[int]:
    """The whole numbers of an observation, each from 0 on."""
    if isinstance(space, gym.spaces.Discrete):
        yield int(observation) - int(space.start)
    elif isinstance(space, gym.spaces.Tuple):
        for one, part in zip(space.spaces, observation):
            yield from _digits(one, part)
    elif isinstance(space, gym.spaces.Dict):
        for key, one in space.spaces.items():
            yield from _digits(one, observation[key])
    else:
        first = space.low if isinstance(space, gym.spaces.Box) else getattr(space, "start", 0)
        yield from (int(digit) for digit in np.ravel(np.asarray(observation) - first))


def _list_states(task: Task, space: gym.Space[Any]) -> None:
    """Where an observation consists of whole numbers and has few values, they are numbered: states. Along three and more
    axes most states are visited too seldom to learn from each alone (src/features/tree_features.cpp has the same rule)."""
    sizes = _sizes(space)
    if isinstance(space, gym.spaces.Discrete) or not sizes:
        return
    states = math.prod(sizes)
    if states > MOST_LISTED or (len(sizes) > 2 and states * task.actions > 2000):
        return

    def number(observation: Any) -> int:
        state = 0
        for n, digit in zip(sizes, _digits(space, observation)):
            if not 0 <= digit < n:
                raise Error(f"{task.name} gave the observation {observation!r}, which is not in {space}")
            state = state * n + digit
        return state

    task.states, task.view, task.identity, task.flat = states, number, False, None
    task.ranges = [(0.0, max(1.0, states - 1.0))]


class _SparseRows:
    """The rows of a user's features as SciPy's sparse matrices give them, packed for _core: column, value, column, ...;
    column -1 where there are no more."""

    def __init__(self, features: Callable[[Any], Any], first: Any):
        if len(first.shape) > 1 and first.shape[0] != 1 or first.shape[-1] < 1:
            raise refuse("features", f"gave a sparse matrix of shape {first.shape}; accepted: one row (1, n)")
        self.features, self.columns = features, int(first.shape[-1])
        self.most = min(self.columns, max(64, 4 * int(first.nnz)))

    def __call__(self, observation: Any) -> np.ndarray:
        made = self.features(observation)
        where = "features: the sparse row"
        if not hasattr(made, "tocsr") or made.shape[-1] != self.columns or int(np.prod(made.shape)) != self.columns:
            shown = f"has the shape {made.shape}" if hasattr(made, "tocsr") else f"is {made!r}"
            raise Error(f"{where} {shown}; accepted: a sparse row with {self.columns} columns, as the first")
        row = made.tocsr()
        if not row.has_canonical_format:
            row = row.copy()
            row.sum_duplicates()
        if row.nnz > self.most:
            raise Error(f"{where} has {row.nnz} entries; accepted: at most {self.most} (64, or four times those of the first)")
        if row.nnz and not (0 <= row.indices.min() and row.indices.max() < self.columns):
            raise Error(f"{where} has an index that is not in 0 to {self.columns - 1}")
        if not np.all(np.isfinite(row.data)):
            at = int(row.indices[np.flatnonzero(~np.isfinite(row.data))[0]])
            raise Error(f"{where} has a value that is not finite, in column {at}")
        packed = np.full(2 * self.most, -1.0)
        packed[0 : 2 * row.nnz : 2] = row.indices
        packed[1 : 2 * row.nnz : 2] = row.data
        return packed


def observation_of(task: Task, state: int) -> Any:
    """The observation that `_list_states` numbers `state`."""
    digits: list[int] = []
    for n in reversed(_sizes(task.space) or []):
        state, digit = divmod(state, n)
        digits.append(digit)
    return _composed(task.space, iter(reversed(digits)))


def _composed(space: gym.Space[Any], digits: Iterator[int]) -> Any:
    if isinstance(space, gym.spaces.Discrete):
        return next(digits) + int(space.start)
    if isinstance(space, gym.spaces.Tuple):
        return tuple(_composed(one, digits) for one in space.spaces)
    if isinstance(space, gym.spaces.Dict):
        return {key: _composed(one, digits) for key, one in space.spaces.items()}
    shape = space.shape or ()
    values = np.array([next(digits) for _ in range(int(np.prod(shape)))]).reshape(shape)
    first = space.low if isinstance(space, gym.spaces.Box) else getattr(space, "start", 0)
    return (values + first).astype(space.dtype)


def _ranges(task: Task, env: Any, given: Any, measure: int, seed: int) -> list[tuple[float, float]]:
    """One pair per number that the learner sees."""
    if task.identity and task.view is not None:
        observation, _ = env.reset(seed=seed)
        try:
            made = task.view(observation)
        except Exception as error:  # the caller's function may raise anything
            raise refuse("features", f"raised {type(error).__name__} at a first observation: {error}") from error
        if hasattr(made, "tocsr"):
            rows = _SparseRows(task.view, made)
            task.view, task.columns = rows, rows.columns
            return [(-1.0, float(rows.columns))] * (2 * rows.most)
        vector = _floats("features", made, "a vector (n,) of numbers")
        if vector.ndim != 1 or vector.size == 0:
            raise refuse("features", f"gave an array of shape {vector.shape}; accepted: a vector (n,) of numbers")
        return [(0.0, 1.0)] * vector.size
    space = task.flat if task.flat is not None else task.space
    low, high = np.ravel(space.low).astype(float), np.ravel(space.high).astype(float)
    if given is not None:
        pairs = _floats("ranges", given, f"{low.size} pairs (low, high) with low < high")
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


def _floats(key: str, given: Any, accepted: str) -> np.ndarray:
    try:
        return np.asarray(given, float)
    except (TypeError, ValueError) as error:
        raise refuse(key, f"{given!r} is not accepted; accepted: {accepted}") from error


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
    if isinstance(task.space, (gym.spaces.Dict, gym.spaces.Tuple)):
        return _composite(observation, task.space)
    array = np.asarray(observation)
    if task.states > 0 and array.dtype.kind not in "iub":
        raise refuse("observation", f"{observation!r} is not accepted; accepted: a state, a whole number, or an array")
    shape = task.shape
    if array.shape == shape:
        return True, [observation]
    if array.shape[1:] == shape and array.ndim == len(shape) + 1:
        return False, list(array)
    raise refuse("observation", f"has the shape {array.shape}; accepted: {shape}, or (n, *{shape}) for a batch")


def _composite(observation: Any, space: Any) -> tuple[bool, list[Any]]:
    """Dict and Tuple: a batch has arrays of n in place of single values, as vector environments give it."""
    if space.contains(observation):
        return True, [observation]
    flat = [*observation.values()] if isinstance(observation, dict) else observation
    while isinstance(flat, (list, tuple)) and len(flat) > 0 and isinstance(flat[0], (dict, tuple)):
        flat = [*flat[0].values()] if isinstance(flat[0], dict) else flat[0]
    count = len(flat[0]) if isinstance(flat, (list, tuple)) and len(flat) > 0 and np.ndim(flat[0]) > 0 else 0
    batched = gym.vector.utils.batch_space(space, count) if count > 0 else None
    if batched is not None and batched.contains(observation):
        return False, list(gym.vector.utils.iterate(batched, observation))
    raise refuse("observation", f"{observation!r} is not accepted; accepted: one of {space}, or a batch of them")
