"""My own queue, from zero to a figure: two servers, holding costs, and a learner that does not know the model.

Customers arrive with probability 0.6 per step and are sent to one of two queues. The first server is fast, the second slow and
unreliable. Every waiting customer costs 1 per step: which queue should a customer join? Joining the shorter queue is hard to
beat: it has 2.112 waiting on average, the best policy 2.104 (exact, from the model). The learner gets 2.11 to 2.13 after
200,000 steps on eight of nine seeds, and 2.22 on seed 1, which is the one below. Run it:

    python own_queue.py [STEPS] [FIGURE]        default: 200000 steps, own_queue.png (an .svg without matplotlib)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

# %% The environment: an ordinary Gymnasium class. It never ends: neither terminated nor truncated is ever true.
import gymnasium as gym
import numpy as np


Waiting = np.ndarray[Any, np.dtype[np.int64]]


class TwoQueues(gym.Env[Any, Any]):
    ROOM = 10  # customers a queue can hold; one who finds both full goes away, at a cost

    def __init__(self) -> None:
        self.action_space = gym.spaces.Discrete(2)  # which queue the next customer joins
        self.observation_space = gym.spaces.Box(0, self.ROOM, (2,), np.int64)  # how many wait in each

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Waiting, dict[str, Any]]:
        super().reset(seed=seed)
        self.waiting = np.zeros(2, int)
        return self.waiting.copy(), {}

    def step(self, action: int) -> tuple[Waiting, float, bool, bool, dict[str, Any]]:
        cost = float(self.waiting.sum())
        if self.np_random.random() < 0.6:
            queue = action if self.waiting[action] < self.ROOM else 1 - action
            if self.waiting[queue] < self.ROOM:
                self.waiting[queue] += 1
            else:
                cost += 20.0
        for queue, speed in enumerate((0.5, 0.25)):
            if self.waiting[queue] > 0 and self.np_random.random() < speed:
                self.waiting[queue] -= 1
        return self.waiting.copy(), -cost, False, False, {}  # Gymnasium speaks of rewards


def average_cost(choose: Callable[[Waiting], Any], steps: int = 100_000) -> float:
    env = TwoQueues()
    seen, _ = env.reset(seed=99)
    total = 0.0
    for _ in range(steps):
        seen, reward, *_ = env.step(int(choose(seen)))
        total -= reward
    return total / steps


def main(steps: int = 200_000, figure: str | None = None) -> dict[str, float]:
    import politex

    # %% A learner: no features, no exploration policy, nothing tuned.
    agent = politex.EEPolitex(TwoQueues(), seed=1)
    agent.learn(steps, progress_bar=sys.stderr.isatty())

    # %% The result, compared with a coin and with joining the shorter queue.
    rng = np.random.default_rng(1)
    costs = {
        "a coin": average_cost(lambda seen: rng.integers(2)),
        "the shorter queue": average_cost(lambda seen: int(seen[1] < seen[0])),
        "learned": average_cost(lambda seen: agent.predict(seen, deterministic=True)[0]),
    }
    for name, cost in costs.items():
        print(f"{name:18} {cost:6.2f} customers waiting on average")

    # %% The policy: which queue a customer joins, by the lengths of both.
    print("\njoins the second queue (#) by waiting in the first (down) and in the second (across):")
    for first in range(TwoQueues.ROOM + 1):
        row = np.array([[first, second] for second in range(TwoQueues.ROOM + 1)])
        print("  " + "".join("#" if action == 1 else "." for action in agent.predict(row, deterministic=True)[0]))

    # %% The figure.
    try:
        import matplotlib

        matplotlib.use("Agg")
        agent.plot(figure or "own_queue.png")
    except ImportError:
        agent.plot(figure or "own_queue.svg")
    return costs


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000, sys.argv[2] if len(sys.argv) > 2 else None)
