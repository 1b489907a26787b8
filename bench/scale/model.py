#!/usr/bin/env python3
"""Throughput against ranks: acting ranks, the learner and its network as servers.
  bench/scale/model.py scale.json docs/results/scale.png      tables on standard output, and the figure
The times of a step come from measure.py (seconds of CPU, which a busy machine does not change much)."""
import json
import subprocess
import sys

import numpy

PER_STEP = 16        # transitions per learner step
ROUNDS = 16          # of a block
CREDITS = 16         # blocks that a rank may be ahead
BANDWIDTH = 1.25e9   # bytes per second into the learner's machine: 10 Gbit/s
BYTES = 4 * (5 + 3) + 7   # of a cartpole transition in a block


def simulate(ranks, act, learn, block, latency=20e-6, transition_bytes=BYTES, blocks=200, spread=0.2, seed=1):
    """Transitions per second with this number of acting ranks. act: seconds per transition on a rank; learn: per learner step;
    block: of the learner's core per block. The learner needs the blocks of all ranks, in order; a rank may be CREDITS
    blocks ahead of it. One environment per rank, and 16 at least."""
    draw = numpy.random.default_rng(seed)
    environments = max(16, ranks)
    per_rank = ROUNDS * environments / ranks
    transitions = ROUNDS * environments
    learner_time = transitions / PER_STEP * learn + ranks * block
    wire_time = transitions * transition_bytes / BANDWIDTH
    made = numpy.zeros(ranks)
    taken = []
    wire = 0.0
    for number in range(blocks):
        free = taken[number - CREDITS] if number >= CREDITS else 0.0
        noise = draw.lognormal(-spread**2 / 2, spread, ranks)
        made = numpy.maximum(made, free + latency) + per_rank * act * noise
        wire = max(wire, made.max()) + wire_time
        taken.append(max(taken[-1] if taken else 0.0, wire + latency) + learner_time)
    half = blocks // 2
    return transitions * (blocks - half) / (taken[-1] - taken[half - 1])


def times_of(measured):
    """Seconds of CPU per transition acted and per learner step, from the two runs that differ in how much they learn."""
    steps = measured["steps"]
    much, little = measured["neural"]["threads 0"]["cpu"] / steps, measured["acting"]["cpu"] / steps
    learn = (much - little) / (1 / PER_STEP - 1 / 1600)
    return much - learn / PER_STEP, learn


def check(measured, act, learn, block):
    print("ranks  CPU s measured  CPU s of the model  wall s (best, load {:.0f} to {:.0f} on {} cores)".format(
        measured["load_before"], measured["load_after"], measured["cores"]))
    start = measured["start"]["cpu"] / 2  # of one rank
    for ranks in range(1, 6):
        got = measured["neural"][f"ranks {ranks}"]
        acting = max(1, ranks - 1)
        blocks = measured["steps"] / (16 * ROUNDS) * acting if ranks > 1 else 0
        model = measured["steps"] * (act + learn / PER_STEP) + ranks * start + 2 * blocks * block
        print(f"{ranks:5d}  {got['cpu']:14.2f}  {model:18.2f}  {got['wall']:6.2f}")


def draw(rows, limit, out):
    data = "\n".join(" ".join(f"{value:.6g}" for value in row) for row in rows)
    script = f"""set encoding utf8
set terminal pngcairo size 1300,820 font 'DejaVu Sans,13' fontscale 1.3 background rgb '#ffffff'
set output '{out}'
set logscale xy
set xlabel 'acting ranks'
set ylabel 'transitions per second'
set key bottom right
set grid
set xrange [1:10000]
$data << EOD
{data}
EOD
plot {limit:.6g} with lines dt 2 lc rgb '#666666' title 'the learner alone', \\
  $data using 1:2 with linespoints pt 7 lc rgb '#0072b2' title 'cartpole (8M environment steps per second)', \\
  $data using 1:3 with linespoints pt 5 lc rgb '#d55e00' title 'Atari (2k environment steps per second)'
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    measured = json.load(open(sys.argv[1]))
    act, learn = times_of(measured)
    block = measured["tcp"]["us_per_10_kB"] * 1e-6
    print(f"acting {act * 1e6:.1f} us per transition, learning {learn * 1e6:.0f} us per step, {block * 1e6:.0f} us per block\n")
    check(measured, act, learn, block)
    atari = act + 1 / 2000
    limit = PER_STEP / learn
    rows = []
    print("\nacting ranks  cartpole  Atari  (transitions per second, simulated)")
    for ranks in (1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 2000, 5000, 10000):
        rows.append((ranks, simulate(ranks, act, learn, block), simulate(ranks, atari, learn, block)))
        print(f"{ranks:12d}  {rows[-1][1]:8.0f}  {rows[-1][2]:5.0f}")
    print(f"\nthe learner alone: {limit:.0f} per second; it is busy from
 {limit * act:.1f} acting ranks on with cartpole, "
          f"{limit * atari:.0f} with Atari")
    draw(rows, limit, sys.argv[2])


if __name__ == "__main__":
    main()
