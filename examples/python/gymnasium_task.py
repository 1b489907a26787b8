"""A task of Gymnasium with a learner for average cost: CartPole-v1, with linear features and with networks.

python gymnasium_task.py [STEPS]        default: 60000 for the linear learner; the networks take as many
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium as gym

import politex


def steps_between_falls(agent: Any, steps: int = 10_000) -> float:
    env = gym.make("CartPole-v1")
    seen, _ = env.reset(seed=99)
    falls = 0
    for _ in range(steps):
        seen, _, terminated, truncated, _ = env.step(agent.predict(seen)[0])
        falls += int(terminated)
        if terminated or truncated:
            seen, _ = env.reset()
    return steps / max(falls, 1)


def main(steps: int = 60_000) -> tuple[politex.EEPolitex, politex.NeuralEEPolitex]:
    # %% CartPole-v1 pays 1 per step for every action. Average costs can compare policies only if a fall costs something:
    # restart_cost. Bounds of the space that are infinite (velocities) are measured by a random walk first.
    env = gym.make("CartPole-v1")
    linear = politex.EEPolitex(env, restart_cost=1.0, explore=20, follow=200, horizon=25, eta=1.0, seed=1)
    linear.learn(steps // 2)

    # %% Save, load and continue: the bits are the same as without the break.
    linear.save("cartpole.politex")
    linear = politex.EEPolitex.load("cartpole.politex", env=env).learn(steps // 2)
    print(f"linear:   {steps_between_falls(linear):7.0f} steps between falls, {linear}")

    # %% The same with networks, eight environments at once.
    envs = gym.make_vec("CartPole-v1", num_envs=8)
    neural = politex.NeuralEEPolitex(
        envs, restart_cost=1.0, seed=1, explore=20, phase_steps=200, transitions_per_step=8,
        hidden=64, rate=3e-3, discount=0.98, n_step=5, target_copy=100,
    )  # fmt: skip
    neural.learn(steps)
    print(f"networks: {steps_between_falls(neural):7.0f} steps between falls, {neural}")
    return linear, neural


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60_000)
