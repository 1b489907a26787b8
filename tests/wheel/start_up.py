"""start_up.py PYTHON PROGRAM: what starting costs. Times are printed beside their limits on an idle machine. Asserted is CPU
time relative to what every user pays: the program starts with less than Python itself, and importing politex adds less than
half of what NumPy and Gymnasium cost, which it needs. Each is the least of ten, taken in turns."""

import resource
import subprocess
import sys
import time

REPETITIONS = 10


def spent(command: list[str]) -> tuple[float, float]:
    """Wall and CPU seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(python: str, program: str) -> None:
    commands = {
        "python -c pass": [python, "-c", "pass"],
        "politex --version": [program, "--version"],
        "import numpy, gymnasium": [python, "-c", "import numpy, gymnasium"],
        "import politex": [python, "-c", "import politex"],
    }
    limits = {"politex --version": "; limit on an idle machine: 20 ms", "import politex": "; limit on an idle machine: 300 ms"}
    least = {name: (float("inf"), float("inf")) for name in commands}
    for _ in range(REPETITIONS):
        for name, command in commands.items():
            wall, cpu = spent(command)
            least[name] = (min(least[name][0], wall), min(least[name][1], cpu))
    for name, (wall, cpu) in least.items():
        print(f"{name}: {1000 * wall:.0f} ms, {1000 * cpu:.0f} ms of CPU time{limits.get(name, '')}")
    for name, share, of in (("politex --version", 1.0, "python -c pass"), ("import politex", 1.5, "import numpy, gymnasium")):
        if least[name][1] > share * least[of][1]:
            sys.exit(f"start_up.py: {name} takes more than {share:g} times the CPU time of {of}")


if __name__ == "__main__":
    main(*sys.argv[1:])
