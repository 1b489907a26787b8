"""politex.evaluate_policy compared with the bare loop that any evaluation needs, in one run.

    PYTHONPATH=build/python python bench/python_evaluate.py [ENVIRONMENT] [STEPS]

CPU time of this process, the best of seven interleaved rounds each, and the middle of the rounds' ratios. The aim: at
most 1.10. Costs of the bare loop are summed as well: without them it would evaluate nothing.
"""

import statistics
import sys
import time

import gymnasium as gym

import politex

ROUNDS = 7


def bare(env, steps, policy):
    begin = time.process_time()
    observation, _ = env.reset(seed=1)
    cost = 0.0
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = env.step(policy(observation))
        cost -= reward
        if terminated or truncated:
            observation, _ = env.reset()
    return time.process_time() - begin


def evaluated(env, steps, policy):
    begin = time.process_time()
    politex.evaluate_policy(policy, env, steps=steps)
    return time.process_time() - begin


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "CartPole-v1"
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 50_000
    env, policy = gym.make(name), lambda observation: 0
    rounds = [(bare(env, steps, policy), evaluated(env, steps, policy)) for _ in range(ROUNDS)]
    loop, whole = (min(each) / steps * 1e6 for each in zip(*rounds))
    ratio = statistics.median(after / before for before, after in rounds)
    print(f"{name}: {loop:.2f} us per step in a bare loop, {whole:.2f} us in evaluate_policy: {whole / loop:.3f} "
          f"(middle of {ROUNDS} rounds {ratio:.3f})")


if __name__ == "__main__":
    main()
