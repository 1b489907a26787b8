"""From the policy that runs today to a better one, with numbers: a call center.

1. log        the incumbent runs for some weeks, with a random choice now and then
2. off line   from the log alone: is another rule better? would doing nothing be? and when is the answer "the log cannot say"
3. learn      from scratch to a policy, starting from the incumbent, with a guard that gives control back to the incumbent
              while the lines are long
4. compare    learned against incumbent on the same callers, with a verdict that may be looked at every time
5. export     the policy as a table, used without politex
6. report     report.html with the picture for the operations manager

    python call_center.py [DIRECTORY] [--weeks N]        default: call_center_results, 26 weeks of learning
"""

from __future__ import annotations

import argparse
import csv
import json
import pathlib
import random
from typing import Any

import numpy as np
from picture import report_page, weeks_picture
from simulator import BILLING_AGENTS, MINUTES_OF_A_WEEK, ROOM, CallCenter, incumbent, rule_of_thumb

LIMIT, RELEASE = 20, 12  # waiting calls: above LIMIT the incumbent takes over, until RELEASE
IN_OPERATION = 32  # the seed of the callers in the weeks after learning: every policy meets the same ones


def in_line(observation: Any) -> float:
    return float(observation[0] + observation[1])


def write_log(file: pathlib.Path, weeks: int, seed: int = 11) -> None:
    """The incumbent, which takes a random possible action in one minute of five: a log needs choices."""
    env, chance, share = CallCenter(), random.Random(seed), 0.2
    seen, info = env.reset(seed=seed)
    with open(file, "w", newline="") as out:
        rows = csv.writer(out)
        numbers = [f"{when}_{k}" for when in ("observation", "next") for k in range(3)]
        rows.writerow([*numbers, "action", "cost", "propensity"])
        for _ in range(weeks * MINUTES_OF_A_WEEK):
            possible = np.flatnonzero(info["action_mask"])
            usual = incumbent(seen)
            action = int(chance.choice(possible)) if chance.random() < share else usual
            propensity = share / len(possible) + (1 - share) * (action == usual)
            before = seen
            seen, reward, _, _, info = env.step(action)
            rows.writerow([*before.astype(int), *seen.astype(int), action, -reward, propensity])


def features(observation: Any) -> Any:
    """What Q of every action is linear in, for the off-line check: both lines, what waits, and the time of day."""
    billing, support, busy = (float(x) for x in observation)
    x, y, waits = billing / ROOM, support / ROOM, max(0.0, billing - BILLING_AGENTS) / ROOM
    shape = [1.0, x, y, x * x, y * y, x * y, x**3, y**3, waits, max(0.0, support - 2) / ROOM, billing >= ROOM, support >= ROOM]
    return np.array([*shape, *(busy * one for one in shape)])


def check_off_line(log: pathlib.Path) -> dict[str, Any]:
    import politex

    found: dict[str, Any] = politex.evaluate_log(rule_of_thumb, log, against=incumbent, actions=3, features=features)
    try:
        politex.evaluate_log(lambda seen: 0, log_without_helpers(log), actions=3, features=features)
    except politex.Error as refusal:
        found["refused"] = str(refusal)
    return found


def log_without_helpers(log: pathlib.Path) -> pathlib.Path:
    """The lines of the log in which somebody helped: it says nothing about a policy in which nobody does."""
    short = log.with_name("log_with_helpers.csv")
    with open(log, newline="") as source, open(short, "w", newline="") as out:
        rows = csv.DictReader(source)
        kept = csv.DictWriter(out, rows.fieldnames or [])
        kept.writeheader()
        kept.writerows(row for row in rows if row["action"] != "0")
    return short


def learn(weeks: int, seed: int = 1) -> Any:
    import politex

    env = politex.Guard(CallCenter(), incumbent, LIMIT, release=RELEASE, level=in_line)
    return politex.EEPolitex(env, start_from=incumbent, seed=seed).learn(weeks * MINUTES_OF_A_WEEK)


def compare(agent: Any, most_weeks: int, seed: int = 21) -> list[dict[str, Any]]:
    """Looks again after 4, 8, 16 ... weeks until there is a verdict. The learned policy runs with the guard."""
    import politex

    looks, weeks = [], 4
    while weeks <= most_weeks:
        env = politex.Guard(CallCenter(), incumbent, LIMIT, release=RELEASE, level=in_line)
        looks.append(politex.evaluate_policy(agent, env, against=incumbent, steps=weeks * MINUTES_OF_A_WEEK, seed=seed))
        print(f"after {weeks} weeks: {looks[-1]['verdict']}", flush=True)
        if looks[-1]["verdict"] != "not_yet":
            break
        weeks *= 2
    return looks


def weekly_costs(choose: Any, weeks: int, seed: int, guarded: bool) -> tuple[np.ndarray, np.ndarray]:
    """The average cost of every week, and the share of its minutes in which the guard was on."""
    import politex

    env: Any = CallCenter()
    if guarded:
        env = politex.Guard(env, incumbent, LIMIT, release=RELEASE, level=in_line)
    seen, info = env.reset(seed=seed)
    costs, shares = np.zeros(weeks), np.zeros(weeks)
    for week in range(weeks):
        for _ in range(MINUTES_OF_A_WEEK):
            seen, reward, _, _, info = env.step(choose(seen, info))
            costs[week] -= reward
            shares[week] += info.get("guarded", False)
    return costs / MINUTES_OF_A_WEEK, shares / MINUTES_OF_A_WEEK


def today(weeks: int, seed: int) -> list[float]:
    costs: list[float] = weekly_costs(lambda seen, info: incumbent(seen), weeks, seed, False)[0].tolist()
    return costs


def while_learning(agent: Any, weeks: int) -> tuple[np.ndarray, np.ndarray]:
    """The same of the weeks of learning, from the agent's own record."""
    progress = agent.progress
    steps = np.asarray(progress["steps"])
    ends = np.arange(1, weeks + 1) * MINUTES_OF_A_WEEK
    total = np.interp(ends, steps, np.asarray(progress["average_cost"]) * steps)
    guarded = np.interp(ends, steps, np.asarray(progress["guarded_steps"]))
    return np.diff(total, prepend=0.0) / MINUTES_OF_A_WEEK, np.diff(guarded, prepend=0.0) / MINUTES_OF_A_WEEK


def exported(file: pathlib.Path) -> Any:
    """The policy of the exported table, without politex."""
    with open(file) as table:
        action = [int(row["action"]) for row in csv.DictReader(table)]
    return lambda seen: action[(int(seen[0]) * (ROOM + 1) + int(seen[1])) * 2 + int(seen[2])]


def main(directory: str = "call_center_results", weeks: int = 26, most_weeks: int = 16) -> dict[str, Any]:
    import politex

    place = pathlib.Path(directory)
    place.mkdir(parents=True, exist_ok=True)
    write_log(place / "log.csv", weeks=8)
    off_line = check_off_line(place / "log.csv")
    print(f"off line: the rule of thumb minus the incumbent {off_line['difference']:.2f}, {off_line['verdict']}")
    print(f"a log that cannot say: {off_line.get('refused')}")
    agent = learn(weeks)
    print(f"learned in {weeks} weeks; guarded: {agent.summary['guard']}")
    looks = compare(agent, most_weeks)
    politex.export_policy(agent, place / "policy.csv")
    table = exported(place / "policy.csv")
    seen = np.array([5, 2, 1])
    same = int(table(seen)) == int(agent.predict(seen, deterministic=True)[0])
    shown = 8
    result = {
        "off_line": off_line,
        "guard": agent.summary["guard"],
        "looks": looks,
        "exported_as_predicted": same,
        "weeks": {
            "incumbent": [[*today(weeks, 31), *today(shown, IN_OPERATION)]],
            "learning": [one.tolist() for one in while_learning(agent, weeks)],
            "learned": [one.tolist() for one in weekly_costs(lambda seen, info: table(seen), shown, IN_OPERATION, True)],
            "rule_of_thumb": [weekly_costs(lambda seen, info: rule_of_thumb(seen), shown, IN_OPERATION, False)[0].tolist()],
        },
    }
    (place / "result.json").write_text(json.dumps(result, indent=1))
    picture = weeks_picture(result)
    (place / "weeks.svg").write_text(picture)
    (place / "report.html").write_text(report_page(result, picture))
    print(f"wrote {place / 'report.html'}")
    return result


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("directory", nargs="?", default="call_center_results")
    arguments.add_argument("--weeks", type=int, default=26)
    given = arguments.parse_args()
    main(given.directory, given.weeks)
