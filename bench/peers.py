"""Learner steps per second of PyTorch and of jitted JAX, compared with politex, on one thread.

The step is the one of `politex bench`: batch 128 out of a replay of 20,000 windows, a dueling network 5-512-(1+3), max
target with double Q, squared loss, gradient norm at most 40, Adam, the target network copied every 200 steps.

usage: peers.py PROGRAM      with torch and jax installed in the environment (a peer that is missing is left out)
"""
import json
import os
import subprocess
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import numpy as np

BATCH, INPUTS, HIDDEN, ACTIONS, ROWS, COPY = 128, 5, 512, 3, 20_000, 200
RATE, EPSILON, CLIP, DISCOUNT = 1e-3, 1e-3, 40.0, 0.995 ** 10


def replay():
    rng = np.random.default_rng(1)
    return (rng.standard_normal((ROWS, INPUTS), dtype=np.float32), rng.standard_normal((ROWS, INPUTS), dtype=np.float32),
            rng.integers(0, ACTIONS, ROWS), rng.standard_normal(ROWS, dtype=np.float32))


def best_rate(step, steps, repetitions=5):
    """Steps per second of CPU time, the best of several; the first call compiles and is not counted."""
    step()
    best = float("inf")
    for _ in range(repetitions):
        begin = time.process_time()
        for _ in range(steps):
            step()
        best = min(best, time.process_time() - begin)
    return steps / best


def torch_rate():
    import torch

    torch.set_num_threads(1)

    class Dueling(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.hidden = torch.nn.Linear(INPUTS, HIDDEN)
            self.head = torch.nn.Linear(HIDDEN, 1 + ACTIONS)

        def forward(self, x):
            out = self.head(torch.relu(self.hidden(x)))
            return out[:, :1] + out[:, 1:] - out[:, 1:].mean(1, keepdim=True)

    online, target = Dueling(), Dueling()
    target.load_state_dict(online.state_dict())
    adam = torch.optim.Adam(online.parameters(), lr=RATE, eps=EPSILON)
    states, nexts, actions, costs = (torch.from_numpy(part) for part in replay())
    count = 0

    def step():
        nonlocal count
        rows = torch.randint(ROWS, (BATCH,))
        with torch.no_grad():
            following = nexts[rows]
            best = online(following).argmin(1, keepdim=True)
            wanted = costs[rows] + DISCOUNT * target(following).gather(1, best).squeeze(1)
        q = online(states[rows]).gather(1, actions[rows].unsqueeze(1)).squeeze(1)
        loss = 0.5 * (q - wanted).square().mean()
        adam.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(online.parameters(), CLIP)
        adam.step()
        count += 1
        if count % COPY == 0:
            target.load_state_dict(online.state_dict())

    return torch.__version__, best_rate(step, 300)


def jax_rates():
    import jax
    import jax.numpy as jnp

    def initial(key):
        keys = jax.random.split(key, 2)
        bound = lambda k, shape, size: jax.random.uniform(k, shape, minval=-size ** -0.5, maxval=size ** -0.5)
        return {"w": bound(keys[0], (INPUTS, HIDDEN), INPUTS), "b": jnp.zeros(HIDDEN),
                "v": bound(keys[1], (HIDDEN, 1 + ACTIONS), HIDDEN), "c": jnp.zeros(1 + ACTIONS)}

    def values(p, x):
        out = jax.nn.relu(x @ p["w"] + p["b"]) @ p["v"] + p["c"]
        return out[:, :1] + out[:, 1:] - out[:, 1:].mean(1, keepdims=True)

    states, nexts, actions, costs = (jnp.asarray(part) for part in replay())

    def step(carry, _):
        p, target, first, second, count, key = carry
        key, draw = jax.random.split(key)
        rows = jax.random.randint(draw, (BATCH,), 0, ROWS)
        following, taken = nexts[rows], actions[rows]
        best = values(p, following).argmin(1)
        wanted = costs[rows] + DISCOUNT * jnp.take_along_axis(values(target, following), best[:, None], 1)[:, 0]

        def loss(q_parameters):
            q = jnp.take_along_axis(values(q_parameters, states[rows]), taken[:, None], 1)[:, 0]
            return 0.5 * jnp.mean((q - wanted) ** 2)

        gradient = jax.grad(loss)(p)
        norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradient)))
        gradient = jax.tree.map(lambda g: g * jnp.minimum(1.0, CLIP / norm), gradient)
        count = count + 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradient)
        c1, c2 = 1 - 0.9 ** count, 1 - 0.999 ** count
        p = jax.tree.map(lambda w, m, v: w - RATE * (m / c1) / (jnp.sqrt(v / c2) + EPSILON), p, first, second)
        target = jax.tree.map(lambda old, new: jnp.where(count % COPY == 0, new, old), target, p)
        return (p, target, first, second, count, key), None

    p = initial(jax.random.PRNGKey(1))
    zero = jax.tree.map(jnp.zeros_like, p)
    rates = []
    for steps in (1, 16):
        several = jax.jit(lambda carry, n=steps: jax.lax.scan(step, carry, None, length=n)[0], donate_argnums=0)
        copy = lambda tree: jax.tree.map(jnp.array, tree)
        carry = [(copy(p), copy(p), copy(zero), copy(zero), jnp.zeros((), jnp.float32), jax.random.PRNGKey(2))]

        def call():
            carry[0] = several(carry[0])
            jax.block_until_ready(carry[0])

        rates.append((f"{jax.__version__}, jit" + (f", scan of {steps}" if steps > 1 else ""),
                      steps * best_rate(call, 600 // steps)))
    return rates


def main():
    bench = json.loads(subprocess.run([sys.argv[1], "bench", "--json"], check=True, capture_output=True, text=True).stdout)
    ours = next(row["value"] for row in bench["neural"] if row["name"] == "learner step, max with double Q")
    lines = [("politex", ours)]
    try:
        version, rate = torch_rate()
        lines.append((f"PyTorch {version}", rate))
    except ImportError as missing:
        print(f"left out: {missing}", file=sys.stderr)
    try:
        lines += [(f"JAX {version}", rate) for version, rate in jax_rates()]
    except ImportError as missing:
        print(f"left out: {missing}", file=sys.stderr)
    print(f"{'learner steps per second, one thread, CPU time':<50}{'':>8}{'politex is':>14}")
    for name, rate in lines:
        print(f"{name:<50}{rate:>8.0f}{ours / rate:>13.1f}x")


if __name__ == "__main__":
    main()
