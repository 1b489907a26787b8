"""Action masks of Gymnasium environments: action_masks(), or info["action_mask"]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from politex.checks import refuse

__all__ = ["function", "of", "restricted"]


def function(env: Any) -> Callable[[], Any] | None:
    """action_masks of the environment or of one of its wrappers."""
    try:
        return env.get_wrapper_attr("action_masks") if hasattr(env, "get_wrapper_attr") else env.action_masks
    except AttributeError:
        return None


def of(env: Any, info: dict[str, Any]) -> np.ndarray | None:
    """The flags of the present state, one per action; None: every action is possible."""
    ask = function(env)
    flags = ask() if ask is not None else info.get("action_mask")
    return None if flags is None else np.asarray(flags, np.int8)


def restricted(policy: np.ndarray, flags: Any) -> np.ndarray:
    """The probabilities of the possible actions, one row per observation; uniform where these are all 0."""
    given = np.asarray(flags).astype(bool)
    allowed = np.broadcast_to(given, policy.shape) if given.shape in (policy.shape, policy.shape[1:]) else np.empty(0)
    if allowed.shape != policy.shape or not allowed.any(axis=1).all():
        raise refuse(
            "action_masks", f"{flags!r} is not accepted; accepted: one flag per action ({policy.shape[1]}), at least one of them set"
        )
    kept = np.where(allowed, policy, 0.0)
    total = kept.sum(axis=1, keepdims=True)
    return np.where(total > 0, kept / np.where(total > 0, total, 1.0), allowed / allowed.sum(axis=1, keepdims=True))
