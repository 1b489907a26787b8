#!/usr/bin/env python3
"""Measures politex under mpirun on this machine and prints JSON for model.py:
  bench/scale/measure.py build/politex build/bench/fleet_bench > scale.json
Wall times are the best of a few: other programs may use the machine. CPU seconds are the sum over all ranks."""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

PROGRAM, FLEET = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
TCP = ["--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "--mca", "osc", "^sm"]
STEPS = 60_000
NEURAL = f"""steps = {STEPS}
[environment]
name = "cartpole"
[algorithm]
name = "neural_ee_politex"
[explorer]
name = "energy_pump"
[network]
hidden = 512
[schedule]
phase_steps = 375
"""
LINEAR = "steps = 10_000_000\n[environment]\nsize = 20\n"


def timed(command, directory, **how):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, **how)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def best(command, repeats=2):
    """Least wall time, and CPU seconds, of a command that gets a fresh --out each time."""
    results = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as directory:
            pathlib.Path(directory, "neural.toml").write_text(NEURAL)
            pathlib.Path(directory, "linear.toml").write_text(LINEAR)
            results.append(timed(command, directory)[:2])
    return {"wall": min(r[0] for r in results), "cpu": min(r[1] for r in results)}


def main():
    sweep = ["sweep", "linear.toml", "--seeds", "4", "--quiet", "--out", "d", "--jobs"]
    run = ["run", "neural.toml", "--quiet", "--out", "d"]
    result = {"cores": os.cpu_count(), "load_before": os.getloadavg()[0], "steps": STEPS}
    for name, options in (("shared memory", []), ("tcp", TCP)):
        result[name] = json.loads(timed([*MPIRUN, *options, "-n", "2", FLEET], ".")[2])
    result["start"] = best([*MPIRUN, "-n", "2", PROGRAM, "--version"])
    # With a hundredth of the learner steps, nearly all of the time is acting.
    result["acting"] = best([PROGRAM, *run, "actors.threads=0", "actors.transitions_per_step=1600", "phase_steps=4"])
    result["neural"] = {f"threads {t}": best([PROGRAM, *run, f"actors.threads={t}"]) for t in (0, 1)}
    for k in range(1, 6):
        result["neural"][f"ranks {k}"] = best([*MPIRUN, "-n", str(k), PROGRAM, *run, "actors.threads=0"])
    result["neural"]["ranks 3 tcp"] = best([*MPIRUN, *TCP, "-n", "3", PROGRAM, *run, "actors.threads=0"])
    result["sweep"] = {"jobs 1": best([PROGRAM, *sweep, "1"]), "jobs 2": best([PROGRAM, *sweep, "2"]),
                       **{f"ranks {k}": best([*MPIRUN, "-n", str(k), PROGRAM, *sweep, "1"]) for k in (1, 2)}}
    result["load_after"] = os.getloadavg()[0]
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
