"""The average cost of a policy with an interval, alone or compared with another policy."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from politex import _core, masks
from politex._core import Error
from politex.agent import Agent
from politex.checks import refuse, whole
from politex.mdp import exact, is_finite, model_of

__all__ = ["evaluate_policy"]

BATCH = 16


def evaluate_policy(
    agent_or_policy: Any,
    env: Any,
    against: Any = None,
    steps: int = 100_000,
    alpha: float = 0.05,
    *,
    seed: int = 1,
    simulate: bool = False,
) -> dict[str, Any]:
    """The average cost per step of a policy, as `politex evaluate --json` gives it.

    agent_or_policy  an agent (ours, or anything with `predict(observation)`), a function from an observation to an
                     action, or on finite environments what politex.exact takes: a name, an action per state, a matrix
    env              a Gymnasium environment, or a politex.MDP; costs are negated rewards
    against          another policy: both meet the same seed, and `verdict` (better, worse, not_yet) has the error rate
                     alpha however often and whenever it is looked at
    steps            simulated steps of each policy; finite environments are answered exactly (steps is then 0), unless
                     `simulate` is true or a policy is a function

    Returns average_cost, interval (None: `notes` says why the run is too short), steps, method, and with `against`
    difference, difference_interval and verdict.
    """
    steps = whole("steps", steps, 1, 10**12)
    if not 1e-6 <= alpha <= 0.5:
        raise refuse("alpha", f"{alpha!r} is not accepted; accepted: 0.000001 to 0.5")
    if not simulate and not any(_masked_by_info(one, env, seed) for one in (agent_or_policy, against)):
        answer = _exact(agent_or_policy, env, against)
        if answer is not None:
            return answer
    first, guarded = _play(_chooser(agent_or_policy, "agent_or_policy", env, seed), env, steps, seed)
    second = ([], []) if against is None else _play(_chooser(against, "against", env, seed), env, steps, seed)[0]
    result: dict[str, Any] = json.loads(_core.compare_batches(*first, *second, alpha))
    if guarded is not None:
        result["guarded_share"] = guarded / result["steps"]
    return result


class _FromInfo:
    """An agent that chooses among the actions that info["action_mask"] allows: it learned with that mask."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.flags = agent, None

    def __call__(self, observation: Any) -> Any:
        return self.agent.predict(observation, action_masks=self.flags)[0]


def _masked_by_info(policy: Any, env: Any, seed: int) -> bool:
    """Whether an agent acts in an environment whose tables do not know the mask in its info."""
    if not isinstance(policy, Agent) or not hasattr(env, "reset") or masks.function(env) is not None:
        return False
    return "action_mask" in env.reset(seed=seed)[1]


def _exact(policy: Any, env: Any, against: Any) -> dict[str, Any] | None:
    """The answer of politex.exact, or None where the environment or a policy is not known exactly."""
    if not is_finite(env):
        return None
    model = model_of(env)  # a mistake in its table is an error, not a reason to simulate
    tables = [_table(one, model.states) for one in ([policy] if against is None else [policy, against])]
    if any(table is None for table in tables):
        return None
    gains = [exact(env, table)["gain"] for table in tables]
    answer = {"average_cost": gains[0], "interval": [gains[0], gains[0]], "steps": 0, "method": "exact", "notes": []}
    if against is not None:
        difference = gains[0] - gains[1]
        equal = abs(difference) <= 1e-12 * max(1.0, abs(gains[0]))
        answer |= {
            "difference": difference,
            "difference_interval": [difference, difference],
            "verdict": "not_yet" if equal else "better" if difference < 0 else "worse",
        }
    return answer


def _table(policy: Any, states: int) -> Any:
    """What politex.exact takes as a policy, or None."""
    if isinstance(policy, Agent):
        if policy._task.states != states:
            raise refuse(
                "agent_or_policy", f"is an agent for {policy._task.states} states; accepted: one for {states} states"
            )
        first = policy._task.first_state
        table = policy.probabilities(np.arange(first, first + states))
        return table / table.sum(axis=1, keepdims=True)
    if callable(policy) or hasattr(policy, "predict"):
        return None
    return policy


def _chooser(policy: Any, key: str, env: Any, seed: int) -> Callable[[Any], Any]:
    """A function from an observation to an action."""
    ask = masks.function(env)
    if isinstance(policy, Agent) and ask is not None:
        return lambda observation: policy.predict(observation, action_masks=ask())[0]
    if isinstance(policy, Agent):
        return _FromInfo(policy)
    if hasattr(policy, "predict"):
        return lambda observation: policy.predict(observation)[0]
    if callable(policy):
        return policy
    space = getattr(env, "action_space", None)
    first, count = int(getattr(space, "start", 0)), int(getattr(space, "n", 0))
    rng = np.random.default_rng(seed)
    if policy == "uniform" and count > 0:
        return lambda observation: first + int(rng.integers(count))
    if isinstance(policy, str) and policy.startswith("always:") and policy[7:].isdigit() and int(policy[7:]) < count:
        action = first + int(policy[7:])
        return lambda observation: action
    table = np.asarray(policy) if not isinstance(policy, str) else np.empty(0)
    if table.ndim == 1 and table.dtype.kind in "iu":
        return lambda observation: first + int(table[int(observation)])
    if table.ndim == 2:
        cumulative = np.cumsum(table, axis=1)
        return lambda observation: first + min(
            int(np.searchsorted(cumulative[int(observation)], rng.random(), side="right")), table.shape[1] - 1
        )
    raise refuse(
        key, f"{policy!r} is not accepted; accepted: an agent, a function of the observation, 'uniform', 'always:A' or a table"
    )


def _play(choose: Callable[[Any], Any], env: Any, steps: int, seed: int) -> tuple[tuple[list, list], int | None]:
    """Costs of batches of equal length, and of groups of episodes, each with its steps; and the steps of a guard."""
    if not hasattr(env, "step"):
        raise refuse("env", f"{env!r} cannot be simulated; accepted: a Gymnasium environment")
    observation, info = env.reset(seed=seed)
    step = env.step
    guarded: int | None = None
    if "guarded" in info:
        guarded = 0

        def step(action: Any) -> Any:
            nonlocal guarded
            result = env.step(action)
            guarded += result[4]["guarded"]
            return result

    if isinstance(choose, _FromInfo) and "action_mask" in info:
        choose.flags = info["action_mask"]
        without_mask = step

        def step(action: Any) -> Any:
            result = without_mask(action)
            choose.flags = result[4]["action_mask"]
            return result

    batches: list[tuple[float, int]] = []
    cycles: list[tuple[float, int]] = []
    cycle_cost, cycle_steps = 0.0, 0  # in earlier batches, of the open group of episodes
    rest = range(BATCH)
    for batch in range(-(-steps // BATCH)):
        # What a step does beyond the bare loop is counted in nanoseconds: sums of cycles are made where episodes end.
        cost = 0.0
        for at in rest:
            observation, reward, terminated, truncated, _ = step(choose(observation))
            cost -= reward
            if terminated or truncated:
                observation, info = env.reset()
                if isinstance(choose, _FromInfo):
                    choose.flags = info.get("action_mask")
                if cycle_steps + at + 1 >= BATCH:
                    cycles.append((float(cycle_cost + cost), cycle_steps + at + 1))
                    cycle_cost, cycle_steps = -cost, -at - 1
        cycle_cost += cost
        cycle_steps += BATCH
        _check_finite(cost, batch)
        batches.append((float(cost), BATCH))
    return (batches, cycles), guarded


def _check_finite(cost: float, batch: int) -> None:
    if not math.isfinite(cost):
        raise Error(f"env: a reward is not a finite number (between steps {batch * BATCH + 1} and {batch * BATCH + BATCH})")
