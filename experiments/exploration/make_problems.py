#!/usr/bin/env python3
"""Writes FrozenLake and CliffWalking as files of `finite_mdp`. Needs nothing but Python.

    python3 experiments/exploration/make_problems.py            # rewrites the three files next to it

The rules are those of Gymnasium's FrozenLake-v1 (slippery) and CliffWalking-v1, without time limits, and with costs
instead of rewards. An end of an episode takes one step, in which the lake or the walk begins again (Gymnasium's
next-step autoreset): the goal and the holes are states, and every action leads from there to the start.

FrozenLake: the goal pays 1 (in that last step), nothing else costs anything. States as in Gymnasium.
CliffWalking: a step costs 1 and a fall 100, as in Gymnasium. There a step costs the same whatever is done, so nothing
    would be gained by reaching the goal in a problem that never ends: here the goal pays 20. The cells of the cliff are
    left out, because they are never visited: states 0 to 36 are Gymnasium's, the goal is 37.
"""

import json
import pathlib

LAKES = {
    "frozen_lake_4x4": ["SFFF", "FHFH", "FFFH", "HFFG"],
    "frozen_lake_8x8": ["SFFFFFFF", "FFFFFFFF", "FFFHFFFF", "FFFFFHFF", "FFFHFFFF", "FHHFFFHF", "FHFFHFHF", "FFFHFFFG"],
}
LAKE_MOVES = [(0, -1), (1, 0), (0, 1), (-1, 0)]  # left, down, right, up
CLIFF_MOVES = [(-1, 0), (0, 1), (1, 0), (0, -1)]  # up, right, down, left
CLIFF_GOAL_PAYS = 20


def moved(cell, move, rows, columns):
    row = min(max(cell // columns + move[0], 0), rows - 1)
    column = min(max(cell % columns + move[1], 0), columns - 1)
    return row * columns + column


def frozen_lake(lake):
    rows, columns = len(lake), len(lake[0])
    transitions, costs = [], []
    for cell, ground in enumerate("".join(lake)):
        for action in range(4):
            if ground in "HG":
                transitions.append([cell, action, 0, 1.0])
                continue
            odds = {}
            for slid in (action - 1, action, action + 1):
                after = moved(cell, LAKE_MOVES[slid % 4], rows, columns)
                odds[after] = odds.get(after, 0) + 1
            transitions += [[cell, action, after, count / 3] for after, count in sorted(odds.items())]
        costs.append([-1.0 if ground == "G" else 0.0] * 4)
    return {"states": rows * columns, "actions": 4, "start": 0, "transitions": transitions, "costs": costs}


def cliff_walking():
    rows, columns, start, goal_cell, goal = 4, 12, 36, 47, 37
    transitions, costs = [], []
    for cell in range(start + 1):
        row = []
        for action in range(4):
            after = moved(cell, CLIFF_MOVES[action], rows, columns)
            fell = start < after < goal_cell
            transitions.append([cell, action, start if fell else goal if after == goal_cell else after, 1.0])
            row.append(100.0 if fell else 1.0)
        costs.append(row)
    transitions += [[goal, action, start, 1.0] for action in range(4)]
    costs.append([-float(CLIFF_GOAL_PAYS)] * 4)
    return {"states": goal + 1, "actions": 4, "start": start, "transitions": transitions, "costs": costs}


def text(problem):
    """One line per row, so that changes can be read."""
    lists = {key: ",\n".join(json.dumps(row) for row in problem[key]) for key in ("transitions", "costs")}
    head = ", ".join(f'"{key}": {problem[key]}' for key in ("states", "actions", "start"))
    return "{%s,\n" % head + ",\n".join(f'"{key}": [\n{rows}]' for key, rows in lists.items()) + "}\n"


def problems():
    """Name of the file without .json -> its text."""
    made = {name: frozen_lake(lake) for name, lake in LAKES.items()}
    made["cliff_walking"] = cliff_walking()
    return {name: text(problem) for name, problem in made.items()}


if __name__ == "__main__":
    here = pathlib.Path(__file__).parent
    for name, content in problems().items():
        (here / f"{name}.json").write_text(content)
        print(here / f"{name}.json")
