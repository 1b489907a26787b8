"""Finite MDPs from arrays, and their exact answers."""

from __future__ import annotations

import json
import operator
import os
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from politex import _core
from politex._core import Error
from politex.checks import refuse, whole
from politex.notices import InputWarning

__all__ = ["MDP", "exact"]

MOST_STATES, MOST_ACTIONS, MOST_PAIRS = 1_000_000, 1_000, 10_000_000


def _is_sparse(matrix: Any) -> bool:
    return hasattr(matrix, "tocoo") and hasattr(matrix, "shape")


def _numbers(key: str, given: Any) -> np.ndarray:
    try:
        array = np.asarray(given)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"an array of {array.dtype}")
        return array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise refuse(key, f"{error}; accepted: an array of numbers") from error


def _triples(matrix: Any, key: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row, column and value of every entry of a dense or sparse matrix that is not 0."""
    if _is_sparse(matrix):
        entries = matrix.tocoo()
        return entries.row.astype(np.int64), entries.col.astype(np.int64), _numbers(key, entries.data)
    row, column = np.nonzero(matrix)
    return row.astype(np.int64), column.astype(np.int64), matrix[row, column]


def _states_first(P: np.ndarray, layout: str | None) -> np.ndarray:
    """A dense array as (states, actions, states)."""
    actions_first = P.shape[1] == P.shape[2]
    if layout is None and actions_first and P.shape[0] == P.shape[2]:
        if not np.array_equal(P, P.transpose(1, 0, 2)):
            warnings.warn(
                f"P has the shape {P.shape} and is read as (states, actions, states); pass layout='actions_first' for "
                "(actions, states, states), or layout='states_first' to silence this warning",
                InputWarning,
                stacklevel=4,
            )
        return P
    if layout == "actions_first" or (layout is None and actions_first):
        P = P.transpose(1, 0, 2)
    if P.shape[0] != P.shape[2] or P.size == 0:
        raise refuse(
            "P", f"the shape is {P.shape}; accepted: (states, actions, states), or (actions, states, states)"
        )
    return P


def _outcomes(P: Any, layout: str | None) -> tuple[int, int, np.ndarray, np.ndarray, np.ndarray]:
    """States, actions, and for every outcome state * actions + action, successor and probability."""
    if layout not in (None, "states_first", "actions_first"):
        raise refuse("layout", f"{layout!r} is not accepted; accepted: 'states_first', 'actions_first'")
    if isinstance(P, (list, tuple)) and len(P) > 0 and any(_is_sparse(matrix) for matrix in P):
        P = [matrix if _is_sparse(matrix) else _numbers("P", matrix) for matrix in P]
        states = P[0].shape[0]
        for action, matrix in enumerate(P):
            if matrix.shape != (states, states):
                raise refuse("P", f"the matrix of action {action} is {matrix.shape}; accepted: ({states}, {states})")
        parts = [_triples(matrix, f"P[{action}]") for action, matrix in enumerate(P)]
        pair = np.concatenate([row * len(P) + action for action, (row, _, _) in enumerate(parts)])
        return (
            states,
            len(P),
            pair,
            np.concatenate([part[1] for part in parts]),
            np.concatenate([part[2] for part in parts]),
        )
    if not _is_sparse(P):
        dense = _numbers("P", P)
        # A list of arrays has one matrix per action; nested lists are one array.
        if isinstance(P, (list, tuple)) and all(isinstance(matrix, np.ndarray) for matrix in P):
            layout = layout or "actions_first"
        if dense.ndim == 3:
            dense = _states_first(dense, layout)
            row, column, value = _triples(dense.reshape(-1, dense.shape[2]), "P")
            return dense.shape[0], dense.shape[1], row, column, value
        P = dense
    if len(P.shape) != 2:
        raise refuse(
            "P",
            f"the shape is {tuple(P.shape)}; accepted: (states, actions, states), (states * actions, "
            "states), or a list with a (states, states) matrix per action",
        )
    rows, states = P.shape
    if states < 1 or rows % states != 0 or rows == 0:
        raise refuse("P", f"the shape is {tuple(P.shape)}; accepted: (states * actions, states)")
    return (states, rows // states, *_triples(P, "P"))


def _check_entries(states: int, actions: int, pair: np.ndarray, following: np.ndarray, probability: np.ndarray) -> None:
    bad = np.flatnonzero((following < 0) | (following >= states))
    if bad.size:
        k = bad[0]
        raise refuse(
            "P",
            f"state {pair[k] // actions} by action {pair[k] % actions} leads to {following[k]}; accepted: a "
            f"state, 0 to {states - 1}",
        )
    bad = np.flatnonzero(~((probability >= 0) & (probability <= 1 + 1e-12)))
    if bad.size:
        k = bad[0]
        raise refuse(
            "P",
            f"the probability from state {pair[k] // actions} by action {pair[k] % actions} to state "
            f"{following[k]} is {probability[k]}; accepted: 0 to 1",
        )
    sums = np.bincount(pair, probability, minlength=states * actions)
    bad = np.flatnonzero(~(np.abs(sums - 1) <= 1e-9))
    if bad.size:
        k = bad[0]
        raise refuse(
            "P",
            f"the probabilities from state {k // actions} by action {k % actions} sum to {sums[k]}; "
            "accepted: 1 (to 1e-9; where rounding is to blame, divide P by its sums)",
        )


def _costs(cost: Any, states: int, actions: int) -> np.ndarray:
    array = _numbers("cost", cost)
    if array.shape == (states,):
        array = np.repeat(array[:, None], actions, axis=1)
    if array.shape != (states, actions):
        raise refuse(
            "cost",
            f"the shape is {array.shape}; accepted: (states, actions) = ({states}, {actions}), or "
            f"({states},) where the action does not matter",
        )
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        raise refuse(
            "cost", f"of state {bad[0][0]}, action {bad[0][1]} is {array[tuple(bad[0])]}; accepted: a finite number"
        )
    return array


class MDP:
    """A finite MDP with costs that never ends: to learn on, or for `politex.exact`.

    P       probabilities: an array (states, actions, states) or (actions, states, states), a matrix (states * actions,
            states), or a list with a (states, states) matrix per action; NumPy, or SciPy's sparse matrices for the last two
    cost    an array (states, actions), or (states,)
    start   the first state
    axes    optional coordinates of the states for additive features: a list of arrays (states,) of whole numbers
    possible  optional flags (states, actions): which actions are possible. The others need no row of P that sums to 1
    layout  "states_first" or "actions_first": which array of three dimensions P is. Needed only where there are as many
            states as actions; without it such an array is read as (states, actions, states), with a warning

    >>> mdp = politex.MDP([[[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]], [[2.0, 5.0], [1.0, 3.0]])
    >>> politex.exact(mdp)["optimal_gain"]  # action 0 in both states: 2, 1, 2, 1 ...
    1.5
    """

    _model: _core.FiniteModel

    def __init__(
        self, P: Any, cost: Any, start: int = 0, *, axes: Sequence[Any] = (), name: str = "mdp",
        layout: str | None = None, possible: Any = None,
    ) -> None:
        states, actions, pair, following, probability = _outcomes(P, layout)
        self._model = _compile(states, actions, pair, following, probability, cost, start, axes, name, possible)

    @classmethod
    def _of(cls, model: _core.FiniteModel) -> "MDP":
        mdp = cls.__new__(cls)
        mdp._model = model
        return mdp

    @classmethod
    def from_gymnasium(cls, env: Any) -> "MDP":
        """The MDP of a toy-text environment (FrozenLake, Taxi, CliffWalking): anything with `P` and `initial_state_distrib`.

        Costs are negated expected rewards. A step that would end the episode goes to a new start instead, drawn from
        `initial_state_distrib`: the problem never ends, and its average cost counts every step of every episode.
        States keep their numbers; ends are never reached. It starts in the most probable initial state (the first such).
        """
        table = getattr(getattr(env, "unwrapped", env), "P", None)
        if table is None:
            raise refuse("env", f"{env} has no table P; accepted: a toy-text environment of Gymnasium")
        try:
            states, actions = len(table), len(table[0])
            triples, cost, initial = _read_table(
                table, states, actions, _initial_distribution(getattr(env, "unwrapped", env), states)
            )
        except Error:
            raise
        except (IndexError, KeyError, TypeError, ValueError) as error:
            raise refuse(
                "P",
                f"{type(error).__name__}: {error}; accepted: P[state][action] is a list of (probability, next "
                "state, reward, terminated), with the same actions in every state",
            ) from error
        return cls._of(_compile(states, actions, *triples, cost, int(np.argmax(initial)), (), _name_of(env)))

    @classmethod
    def load(cls, file: str | os.PathLike[str]) -> "MDP":
        """Reads a JSON or NumPy file of the environment finite_mdp (docs/guide/add-an-environment.md)."""
        return cls._of(_core.FiniteModel.load(os.fspath(file)))

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the file that `politex run` reads with environment.name = "finite_mdp".

        As NumPy arrays if the name ends with .npz, which is quicker and smaller, else as JSON.
        """
        self._model.save(os.fspath(file))

    @property
    def model(self) -> _core.FiniteModel:
        """The compiled tables."""
        return self._model

    @property
    def states(self) -> int:
        return self._model.states

    @property
    def actions(self) -> int:
        return self._model.actions

    @property
    def start(self) -> int:
        return self._model.start

    @property
    def cost(self) -> np.ndarray:
        """(states, actions), read-only."""
        return self._model.cost

    @property
    def possible(self) -> np.ndarray:
        """Flags (states, actions): which actions are possible, read-only."""
        flags = self._model.possible
        return flags if flags.size else np.ones((self.states, self.actions), np.uint8)

    @property
    def P(self) -> np.ndarray:
        """A new dense array (states, actions, states); teleporting included."""
        m = self._model
        dense = np.zeros((m.states * m.actions, m.states))
        pair = np.repeat(np.arange(m.states * m.actions), np.diff(m.first))
        np.add.at(dense, (pair, m.next), m.probability)
        dense = (1 - m.teleport) * dense + m.teleport / m.states
        return dense.reshape(m.states, m.actions, m.states)

    def env(self, render_mode: str | None = None) -> Any:
        """A Gymnasium environment that walks through this MDP; rewards are negated costs."""
        from politex.environments import Environment

        return Environment(self, render_mode=render_mode)

    def __repr__(self) -> str:
        return f"politex.MDP({self._model.name!r}: {self.states} states, {self.actions} actions, start {self.start})"

    def __reduce__(self) -> Any:
        return MDP._of, (self._model,)


def _possible(given: Any, states: int, actions: int) -> np.ndarray:
    """One flag per pair; empty: every action is possible."""
    if given is None:
        return np.empty(0, np.uint8)
    flags = np.asarray(given)
    if flags.shape != (states, actions) or not np.isin(flags, (0, 1)).all():
        raise refuse("possible", f"the shape is {flags.shape}; accepted: flags (0 or 1) of shape ({states}, {actions})")
    none = np.flatnonzero(~flags.astype(bool).any(axis=1))
    if none.size:
        raise refuse("possible", f"no action is possible in state {none[0]}; accepted: at least one per state")
    return flags.astype(np.uint8).ravel()


def _compile(
    states: int,
    actions: int,
    pair: np.ndarray,
    following: np.ndarray,
    probability: np.ndarray,
    cost: Any,
    start: int,
    axes: Sequence[Any],
    name: str,
    possible: Any = None,
) -> _core.FiniteModel:
    if not (1 <= states <= MOST_STATES and 1 <= actions <= MOST_ACTIONS and states * actions <= MOST_PAIRS):
        raise refuse(
            "P",
            f"{states} states and {actions} actions; accepted: at most {MOST_STATES} and {MOST_ACTIONS}, "
            f"and {MOST_PAIRS} pairs",
        )
    flags = _possible(possible, states, actions)
    if flags.size:  # masked pairs stay where they are; the tables give them the outcomes of a possible action
        kept = flags[pair] != 0
        masked = np.flatnonzero(flags == 0)
        pair = np.concatenate([pair[kept], masked])
        following = np.concatenate([following[kept], masked // actions])
        probability = np.concatenate([probability[kept], np.ones(masked.size)])
    _check_entries(states, actions, pair, following, probability)
    costs = _costs(cost, states, actions)
    keep = probability > 0
    # One outcome per successor, in the order of the states, whatever form P had.
    key, where = np.unique(pair[keep] * states + following[keep], return_inverse=True)
    merged = np.bincount(where, probability[keep])
    first = np.concatenate([[0], np.cumsum(np.bincount(key // states, minlength=states * actions))])
    start = whole("start", start, 0, states - 1)
    lines = [_axis(axis, states) for axis in axes]
    return _core.FiniteModel(
        str(name),
        states,
        actions,
        start,
        0.0,
        first.astype(np.int64),
        (key % states).astype(np.int32),
        merged,
        costs,
        lines,
        flags,
    )


def _axis(axis: Any, states: int) -> list[int]:
    line = np.asarray(axis)
    if line.shape != (states,) or line.dtype.kind not in "iu":
        raise refuse(
            "axes", f"an axis is {line.dtype} {line.shape}; accepted: whole numbers, one per state ({states})"
        )
    return line.tolist()


def _name_of(env: Any) -> str:
    spec = getattr(env, "spec", None)
    return spec.id if spec is not None else type(getattr(env, "unwrapped", env)).__name__


def _initial_distribution(env: Any, states: int) -> np.ndarray:
    initial = getattr(env, "initial_state_distrib", None)
    if initial is None:
        raise refuse("env", "has no initial_state_distrib: the start of the next episode is unknown")
    initial = _numbers("initial_state_distrib", initial)
    if initial.shape != (states,) or not np.all(initial >= 0) or not np.isfinite(initial.sum()) or initial.sum() <= 0:
        raise refuse("initial_state_distrib", f"accepted: {states} probabilities")
    return initial / initial.sum()


def _read_table(
    table: Any, states: int, actions: int, initial: np.ndarray
) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], np.ndarray, np.ndarray]:
    starts = np.flatnonzero(initial)
    pair: list[int] = []
    following: list[int] = []
    probability: list[float] = []
    cost = np.zeros((states, actions))
    for state in range(states):
        for action in range(actions):
            for chance, after, reward, ended in table[state][action]:
                cost[state, action] -= chance * reward
                where, weights = (starts, chance * initial[starts]) if ended else ([after], [chance])
                pair += [state * actions + action] * len(where)
                following += [operator.index(next_state) for next_state in where]
                probability += [float(weight) for weight in weights]
    first, second, third = np.array(pair, np.int64), np.array(following, np.int64), np.array(probability)
    # Tables such as FrozenLake's hold thirds: their sums are 1 only to rounding, and sums of many starts are worse.
    sums = np.bincount(first, third, minlength=states * actions)
    third /= np.where(np.abs(sums - 1) <= 1e-6, sums, 1.0)[first]
    return (first, second, third), cost, initial


def is_finite(env_or_mdp: Any) -> bool:
    """Whether it has tables: an MDP, one of our finite environments, or a toy-text environment (`P` and the distribution
    of its starts). Whether these are right is another question, which model_of() answers."""
    if isinstance(env_or_mdp, (MDP, _core.FiniteModel)):
        return True
    inner = getattr(env_or_mdp, "unwrapped", env_or_mdp)
    if isinstance(getattr(inner, "model", None), _core.FiniteModel):
        return True
    return hasattr(inner, "P") and hasattr(inner, "initial_state_distrib")


def model_of(env_or_mdp: Any) -> _core.FiniteModel:
    """The tables of an MDP, of one of our finite environments, or of a toy-text environment."""
    if isinstance(env_or_mdp, MDP):
        return env_or_mdp.model
    if isinstance(env_or_mdp, _core.FiniteModel):
        return env_or_mdp
    inner = getattr(env_or_mdp, "unwrapped", env_or_mdp)
    model = getattr(inner, "model", None)
    if isinstance(model, _core.FiniteModel):
        return model
    if hasattr(inner, "P"):
        return MDP.from_gymnasium(env_or_mdp).model
    raise refuse(
        "env",
        f"{env_or_mdp} is not finite; accepted: a politex.MDP, one "
        "of our finite environments (politex/DeepSea-v0 ...), or a toy-text environment of Gymnasium",
    )


def _policy_matrix(policy: Any, states: int, actions: int) -> np.ndarray:
    given = np.asarray(policy)
    if given.shape == (states,) and given.dtype.kind in "iu":
        if not np.all((given >= 0) & (given < actions)):
            raise refuse("policy", f"has actions that are not 0 to {actions - 1}")
        return np.eye(actions)[given]
    matrix = _numbers("policy", policy)
    if matrix.shape != (states, actions):
        raise refuse(
            "policy",
            f"the shape is {matrix.shape}; accepted: a name, an action per state ({states},), or "
            f"probabilities ({states}, {actions})",
        )
    bad = np.flatnonzero(~(np.all(matrix >= 0, axis=1) & (np.abs(matrix.sum(axis=1) - 1) <= 1e-9)))
    if bad.size:
        raise refuse(
            "policy", f"the probabilities of state {bad[0]} are {matrix[bad[0]].tolist()}; accepted: 0 to 1, sum 1"
        )
    return matrix


def exact(env_or_mdp: Any, policy: Any = "optimal", *, features: Any = "auto") -> dict[str, Any]:
    """Exact answers about a finite environment and one policy: computed, not learned.

    env_or_mdp  a politex.MDP, one of our finite environments, or a toy-text environment of Gymnasium
    policy      "optimal", "uniform", "always:A", a policy file, an action per state, or probabilities (states, actions)
    features    "auto", "tabular", "additive", or a matrix with a row per state or per pair: for sigma

    Returns the keys of `politex exact --json`; lists of numbers are NumPy arrays, infinite values are None. Among them:
    gain, optimal_gain, gain_by_state, optimal_gain_by_state, optimal_policy, stationary, bias, unichain, period, a1,
    kappa, kappa_policy, sigma, sigma_on_span, sigma_a3.

    >>> answer = politex.exact(gym.make("politex/DeepSea-v0", size=5))
    >>> answer["states"], answer["unichain"]
    (25, True)
    >>> round(answer["optimal_gain"], 9) <= politex.exact(gym.make("politex/DeepSea-v0", size=5), "uniform")["gain"]
    True
    """
    model = model_of(env_or_mdp)
    name, matrix = (
        (policy, None) if isinstance(policy, str) else ("given", _policy_matrix(policy, model.states, model.actions))
    )
    if not isinstance(features, str):
        features = _numbers("features", features)
    answer: dict[str, Any] = json.loads(_core.exact(model, name, matrix, features))
    for key in ("gain_by_state", "optimal_gain_by_state", "stationary", "bias", "td_weights"):
        if isinstance(answer.get(key), list):
            answer[key] = np.array(answer[key], dtype=np.float64)
    for key in ("optimal_policy", "a1_witness"):
        if isinstance(answer.get(key), list):
            answer[key] = np.array(answer[key], dtype=np.int64)
    return answer
