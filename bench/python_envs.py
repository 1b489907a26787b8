"""Steps per second of our environments from Python, as ratios against their peers in one run.

    python bench/python_envs.py            a table; needs politex and gymnasium, and uses envpool where it is installed

Peers and ours take turns, so that a busy machine slows all of them; the medians of the rounds are compared. CPU time of
the process, threads included. The same rules everywhere: CartPole-v1's.
"""

import json
import statistics
import sys
import time

import gymnasium as gym
import numpy as np

import politex

ROUNDS, SECONDS = 7, 0.4


def stepper(env, count, actions):
    """A function that makes some vector steps and returns how many environment steps they were."""
    batches = [np.random.default_rng(k).integers(actions, size=count) for k in range(16)]

    def work():
        for batch in batches:
            env.step(batch)
        return len(batches) * count

    return work


def single(env):
    env.reset(seed=1)
    draws = np.random.default_rng(1).integers(2, size=64).tolist()

    def work():
        for action in draws:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return len(draws)

    return work


def rate(work):
    """Steps per second of CPU time."""
    steps, start = 0, time.process_time()
    while time.process_time() - start < SECONDS:
        steps += work()
    return steps / (time.process_time() - start)


def ours(name, count, **options):
    env = gym.make_vec(f"politex/{name}-v0", count, vectorization_mode="vector_entry_point", **options)
    env.reset(seed=1)
    return stepper(env, count, env.single_action_space.n)


def gymnasium_sync(count):
    env = gym.make_vec("CartPole-v1", count, vectorization_mode="sync")
    env.reset(seed=1)
    return stepper(env, count, 2)


def envpool_cartpole(count):
    import envpool

    env = envpool.make_gymnasium("CartPole-v1", num_envs=count)
    env.reset()
    return stepper(env, count, 2)


def contestants():
    yield "Gymnasium CartPole-v1, one", single(gym.make("CartPole-v1"))
    yield "politex CartpoleBalance, one", single(gym.make("politex/CartpoleBalance-v0"))
    for count in (8, 64):
        yield f"Gymnasium SyncVectorEnv({count})", gymnasium_sync(count)
        try:
            yield f"EnvPool({count})", envpool_cartpole(count)
        except ImportError:
            print("SKIPPED: envpool is not installed", file=sys.stderr)
        yield f"politex CartpoleBalance({count})", ours("CartpoleBalance", count)
        yield f"politex Cartpole({count})", ours("Cartpole", count)
        yield f"politex DeepSea({count})", ours("DeepSea", count)


def main():
    works = dict(contestants())
    rounds = {name: [] for name in works}
    for work in works.values():
        work()
    for _ in range(ROUNDS):
        for name, work in works.items():
            rounds[name].append(rate(work))
    rates = {name: statistics.median(seen) for name, seen in rounds.items()}
    for name, seen in rates.items():
        print(f"{name:<34} {seen:>12,.0f} steps/s")
    ratios = {}
    for count in (8, 64):
        mine = rates[f"politex CartpoleBalance({count})"]
        ratios[f"over SyncVectorEnv({count})"] = mine / rates[f"Gymnasium SyncVectorEnv({count})"]
        if f"EnvPool({count})" in rates:
            ratios[f"over EnvPool({count})"] = mine / rates[f"EnvPool({count})"]
    print(json.dumps({name: round(ratio, 1) for name, ratio in ratios.items()}))


if __name__ == "__main__":
    main()
