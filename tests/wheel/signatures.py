"""signatures.py SIGNATURE_TEST COMMAND...: the program COMMAND computes the bits that tests/run/signature_test.cpp has for
builds from source with its instruction set. Prints the instruction set."""

import json
import re
import subprocess
import sys

# Experiments that the test runs with these settings and no others, and what its tables call them.
EXPERIMENTS = {
    "deep_sea/first_visit.toml": "DeepSeaCurve::first_visit",
    "deep_sea/one_visit_own_mean.toml": "DeepSeaCurve::one_visit_own_mean",
    "deep_sea/tuned_first.toml": '"none"',
}
SETTINGS = ["steps=20000", "environment.size=10"]


def known(test: str, instruction_set: str) -> dict[str, str]:
    """Of each experiment; a table has its rows for x86-64-v3 first, then those for x86-64."""
    place = ["x86-64-v3", "x86-64"].index(instruction_set)
    found = {}
    for experiment, name in EXPERIMENTS.items():
        rows = re.findall(r"\{" + re.escape(name) + r', "([0-9a-f]{16})"\}', test)
        if len(rows) != 2:
            sys.exit(f"signatures.py: {name} is {len(rows)} times in the test; expected: once per instruction set")
        found[experiment] = rows[place]
    return found


def main(test: str, command: list[str]) -> None:
    for experiment in EXPERIMENTS:
        said = subprocess.run([*command, "run", experiment, *SETTINGS, "--json", "--quiet"], capture_output=True, text=True)
        if said.returncode != 0:
            sys.exit(f"signatures.py: {experiment}: {said.stderr}")
        summary = json.loads(said.stdout)
        instruction_set = summary["build"]["instruction_set"].split(" on ")[0]
        expected = known(test, instruction_set)[experiment]
        if summary["signature"] != expected:
            sys.exit(f"signatures.py: {experiment}: {summary['signature']}; from source for {instruction_set}: {expected}")
    print(f"{instruction_set}: the bits of builds from source")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        main(file.read(), sys.argv[2:])
