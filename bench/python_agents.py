"""The cost of learning compared with stepping: a Python environment in a bare loop, and with the linear learner.

    PYTHONPATH=build/python python bench/python_agents.py [ENVIRONMENT] [STEPS]

CPU time of this process, the best of five interleaved rounds each. The aim: at most 1.20.
"""

import sys
import time
import warnings

import gymnasium as gym
import numpy as np

import politex


def bare(name, steps, actions):
    env = gym.make(name)
    env.reset(seed=1)
    begin = time.process_time()
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()
    return (time.process_time() - begin) / steps


def learning(name, steps):
    agent = politex.EEPolitex(gym.make(name), seed=1, explore=20, follow=200, horizon=25, restart_cost=1.0)
    agent.learn(1)
    begin = time.process_time()
    agent.learn(steps)
    return (time.process_time() - begin) / steps


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "CartPole-v1"
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 50_000
    warnings.simplefilter("ignore")
    # Random actions are drawn beforehand; episodes are about as short as in the learner's first phases.
    actions = np.random.default_rng(1).integers(gym.make(name).action_space.n, size=steps).tolist()
    rounds = [(bare(name, steps, actions), learning(name, steps)) for _ in range(5)]
    loop, learned = (min(each) for each in zip(*rounds))
    print(f"{name}: {loop * 1e6:.2f} us per step in a bare loop, {learned * 1e6:.2f} us learning: {learned / loop:.3f}")


if __name__ == "__main__":
    main()
