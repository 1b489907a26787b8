"""The average cost of a policy from a log of another one, without running it."""

from __future__ import annotations

import csv
import itertools
import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from politex import _core
from politex.agent import Agent
from politex.checks import refuse

__all__ = ["evaluate_log"]


def evaluate_log(
    policy: Any,
    log: Any,
    against: Any = None,
    *,
    states: int | None = None,
    actions: int | None = None,
    features: Callable[[np.ndarray], Any] | None = None,
    alpha: float = 0.05,
) -> dict[str, Any]:
    """The average cost per step of a policy, estimated from a log, with the keys of `politex evaluate --log --json`.

    policy    an agent, a function from an observation (or a state) to an action, or for states a table: an action per
              state, or a matrix of probabilities
    log       a CSV file or a dict of arrays with the columns action, cost, and either state and next (whole numbers) or
              observation_0, observation_1, ... and next_0, next_1, ...; if known also propensity, the probability with
              which the action was taken. Rewards are negated costs
    against   another policy: adds difference, difference_interval and verdict
    states    how many there are; default: as many as the log and the policy name
    features  observations: a function to a vector, in which Q of each action is linear; default: all products of at most
              two numbers, each divided by its largest value in the log

    Raises politex.Error with the reason where the log does not cover the policy.
    """
    if not 1e-6 <= alpha <= 0.5:
        raise refuse("alpha", f"{alpha!r} is not accepted; accepted: 0.000001 to 0.5")
    name = os.fspath(log) if isinstance(log, (str, os.PathLike)) else "the log"
    columns = _read(name) if isinstance(log, (str, os.PathLike)) else _columns(log)
    action, cost = _wholes(columns, "action", name), columns["cost"]
    count = int(action.max()) + 1 if actions is None else actions
    if isinstance(policy, Agent):
        count = max(count, policy._task.actions)
    _within(action, count, "action", name)
    others = [policy] if against is None else [policy, against]
    if "state" in columns and features is None:
        state, following = _wholes(columns, "state", name), _wholes(columns, "next", name)
        most = int(max(state.max(), following.max())) + 1 if states is None else states
        if isinstance(policy, Agent):
            most = max(most, policy._task.states)
        elif not callable(policy):
            most = max(most, len(policy))
        for key, values in (("state", state), ("next", following)):
            _within(values, most, key, name)
        tables = [_probabilities(one, np.arange(most), count) for one in others]
        other = tables[1] if against is not None else None
        return dict(json.loads(_core.evaluate_log_by_states(name, state, action, cost, following, tables[0], other, alpha)))
    before, after = _observations(columns, "observation", "state"), _observations(columns, "next", "next")
    describe = features if features is not None else _products(before)
    rows = np.array([np.ravel(describe(one)) for one in before], float)
    ahead = np.array([np.ravel(describe(one)) for one in after], float)
    if not (np.isfinite(rows).all() and np.isfinite(ahead).all()):
        raise refuse("features", "gave a number that is not finite; accepted: finite numbers")
    taken = _replicated(rows, np.eye(count)[action])
    nexts = [_replicated(ahead, _probabilities(one, _typed(after, one), count)) for one in others]
    answer = _core.evaluate_log_by_features(name, taken, cost, nexts[0], nexts[1] if against is not None else None, alpha)
    return dict(json.loads(answer))


def _replicated(rows: np.ndarray, probabilities: np.ndarray) -> np.ndarray:
    """The features of a pair: those of the observation in the block of the action."""
    return (probabilities[:, :, None] * rows[:, None, :]).reshape(len(rows), -1)


def _products(observations: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    largest = np.abs(observations).max(axis=0)
    scale = np.where(largest > 0, largest, 1.0)
    pairs = list(itertools.combinations_with_replacement(range(observations.shape[1]), 2))

    def describe(observation: np.ndarray) -> np.ndarray:
        x = observation / scale
        return np.concatenate([[1.0], x, [x[i] * x[j] for i, j in pairs]])

    return describe


def _typed(observations: np.ndarray, policy: Any) -> np.ndarray:
    """As the policy expects them: whole numbers where all are."""
    whole = np.all(observations == np.round(observations))
    return observations.astype(int) if whole and not isinstance(policy, Agent) else observations


def _probabilities(policy: Any, observations: np.ndarray, actions: int) -> np.ndarray:
    """One row of probabilities per observation."""
    if isinstance(policy, Agent):
        space = policy._task.space
        first = policy._task.first_state
        if policy._task.states > 0 and observations.ndim == 1:
            return policy.probabilities(observations + first)
        return policy.probabilities(observations.astype(getattr(space, "dtype", float)))
    if callable(policy):
        chosen = np.array([int(policy(one)) for one in observations])
    else:
        table = np.asarray(policy)
        if table.ndim == 2:
            if table.shape != (len(observations), actions):
                raise refuse("policy", f"the shape is {table.shape}; accepted: ({len(observations)}, {actions})")
            return table.astype(float)
        chosen = table
    if chosen.shape != (len(observations),) or chosen.dtype.kind not in "iu":
        raise refuse("policy", f"{policy!r} is not accepted; accepted: an agent, a function, or one action per state")
    bad = np.flatnonzero((chosen < 0) | (chosen >= actions))
    if bad.size:
        raise refuse("policy", f"takes action {chosen[bad[0]]} for {observations[bad[0]]}; accepted: 0 to {actions - 1}")
    return np.eye(actions)[chosen]


def _observations(columns: Mapping[str, np.ndarray], stem: str, single: str) -> np.ndarray:
    names = _numbered(columns, stem)
    return np.stack([columns[name] for name in names] if names else [columns[single]], axis=1)


def _numbered(columns: Mapping[str, Any], stem: str) -> list[str]:
    names = list(itertools.takewhile(lambda one: one in columns, (f"{stem}_{k}" for k in itertools.count())))
    return names


def _wholes(columns: Mapping[str, np.ndarray], key: str, name: str) -> np.ndarray:
    values = columns[key]
    bad = np.flatnonzero(values != np.round(values))
    if bad.size:
        raise refuse("log", f"{name}:{bad[0] + 2}: {key} {values[bad[0]]:g}; accepted: a whole number")
    return values.astype(np.int64)


def _within(values: np.ndarray, count: int, key: str, name: str) -> None:
    bad = np.flatnonzero((values < 0) | (values >= count))
    if bad.size:
        raise refuse("log", f"{name}:{bad[0] + 2}: {key} {values[bad[0]]} is out of range; accepted: 0 to {count - 1}")


def _columns(given: Mapping[str, Any]) -> dict[str, np.ndarray]:
    if not isinstance(given, Mapping):
        raise refuse("log", f"{given!r} is not accepted; accepted: a CSV file, or a dict of arrays")
    columns = {str(key): np.asarray(values, float) for key, values in given.items()}
    _check(columns, "the log")
    return columns


def _lines(name: str) -> Iterator[list[str]]:
    try:
        with open(name, newline="") as file:
            yield from csv.reader(file)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise refuse("log", f"{name}: {error}") from error


def _read(name: str) -> dict[str, np.ndarray]:
    lines = _lines(name)
    header = [cell.strip() for cell in next(lines, [])]
    wanted = [k for k, key in enumerate(header) if _is_ours(key)]
    values: list[list[float]] = []
    for number, cells in enumerate(lines, 2):
        if not cells:
            continue
        if len(cells) != len(header):
            raise refuse("log", f"{name}:{number}: {len(cells)} values, but the first line has {len(header)} columns")
        try:
            values.append([float(cells[k]) for k in wanted])
        except ValueError as error:
            raise refuse("log", f"{name}:{number}: {error}; accepted: numbers") from error
    table = np.array(values, float).reshape(len(values), len(wanted))
    columns = {header[k]: table[:, j] for j, k in enumerate(wanted)}
    _check(columns, name)
    return columns


def _is_ours(key: str) -> bool:
    stem, _, number = key.rpartition("_")
    return key in ("state", "action", "cost", "next", "propensity") or (stem in ("observation", "next") and number.isdigit())


def _check(columns: dict[str, np.ndarray], name: str) -> None:
    by_state = "state" in columns and "next" in columns
    numbers = len(_numbered(columns, "observation"))
    by_numbers = numbers > 0 and numbers == len(_numbered(columns, "next"))
    if "action" not in columns or "cost" not in columns or not (by_state or by_numbers):
        raise refuse(
            "log", f"{name} has the columns {', '.join(columns) or 'none'}; accepted: action, cost, and state, next or "
            "observation_0, ..., next_0, ... (as many), and propensity where it is known"
        )
    if any(len(values) != len(columns["cost"]) for values in columns.values()) or len(columns["cost"]) == 0:
        raise refuse("log", f"{name} has no lines, or columns of unequal length; accepted: one line per step")
    for key, values in columns.items():
        bad = np.flatnonzero(~np.isfinite(values) if key != "propensity" else ~((values > 0) & (values <= 1)))
        if bad.size:
            accepted = "a finite number" if key != "propensity" else "above 0 and at most 1: the action was taken"
            raise refuse("log", f"{name}:{bad[0] + 2}: {key} {values[bad[0]]:g}; accepted: {accepted}")
