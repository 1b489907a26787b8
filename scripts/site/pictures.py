"""Draws the pictures of the documents from runs and exact answers of the program: pictures.py PROGRAM SCRATCH [NAME...]

The pictures are in docs/; a change that moves their numbers draws them again. Seeds and commands are in the functions below.
"""
import csv
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys

from svg import BLUE, GREEN, GREY, INK, ORANGE, PINK, Axes, Drawing, cells, heat, mix, surface

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PROGRAM, SCRATCH = pathlib.Path(), pathlib.Path()


def politex(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def exact(*arguments):
    return json.loads(politex("exact", *arguments, "--json"))


def run(name, *arguments):
    """The directory of a run; it is not repeated."""
    place = SCRATCH / name
    if not (place / "summary.json").exists():
        politex("run", *arguments, "--out", place, "--quiet")
    return place


def progress(place, column="average_cost"):
    with open(place / "progress.csv", newline="") as rows:
        return [(float(row["steps"]), float(row[column])) for row in csv.DictReader(rows) if row[column]]


def album(place):
    """The frames of pictures.jsonl: a negative number repeats the one before it."""
    def expand(numbers):
        out = []
        for number in numbers:
            out += [number] if number >= 0 else [out[-1]] * -number
        return out

    head, *frames = [json.loads(line) for line in (place / "pictures.jsonl").read_text().splitlines()]
    return head, [{**frame, "visits": expand(frame["visits"]), "policy": expand(frame["policy"])} for frame in frames]


def write(name, drawing):
    file = DOCS / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(drawing.svg())


# ---- the theory from zero

def average_cost():
    drawing = Drawing(720, 360, "Average cost so far against steps of three policies of DeepSea with 10 rows: each settles at its own number, its gain")
    axes = Axes(drawing, (0, 400), (-1.7, 1.2), x_label="steps", y_label="average cost so far")
    for policy, colour, ink, words, dy in (("always:1", BLUE, "#00598a", "always action 1", -8), ("uniform", ORANGE, "#a34700", "random actions", -8), ("always:0", GREY, "#59616b", "always action 0", 18)):
        gain = exact("deep_sea", "size=10", "--policy", policy)["gain"]
        axes.curve([(0, gain), (400, gain)], colour, 1.2, "3 4")
        axes.label(400, gain, f"{words}: gain {gain:.3g}", ink, "end", dy=dy)
        draws, row, column, total, points = 7, 0, 0, 0.0, []
        for step in range(1, 401):
            draws = (1103515245 * draws + 12345) % 2 ** 31
            action = {"always:1": 1, "always:0": 0}.get(policy, (draws >> 16) & 1)
            total += -20 if (row, column) == (9, 9) else action
            column = min(9, column + 1) if action else max(0, column - 1)
            row = (row + 1) % 10
            points.append((step, total / step))
        axes.curve(points, colour)
    write("theory/average-cost.svg", drawing)


def sea():
    size, side = 10, 34
    drawing = Drawing(720, 400, "DeepSea with 10 rows: action 1 moves down and right and costs 1, action 0 moves down and left for nothing, the treasure is at the bottom right")
    cells(drawing, range(size * size), size, 30, 30, side, lambda i: "#eef2f6" if i % size <= i // size else "#f8f9fb")
    drawing.box(30 + 9 * side, 30 + 9 * side, side - .6, side - .6, "#ffcf5c")
    middle = lambda row, column: (30 + (column + .5) * side, 30 + (row + .5) * side)
    for row in range(9):
        drawing.arrow(*middle(row, row), *middle(row + 1, row + 1), BLUE, 2.4)
    column = 0
    for row in range(9):
        action = (0, 1, 0, 1, 1, 0, 0, 1, 0)[row]
        other = max(0, column + (1 if action else -1))
        drawing.arrow(*middle(row, column), *middle(row + 1, other), ORANGE, 1.8)
        column = other
    x = 410
    for i, (colour, words) in enumerate(((BLUE, "always action 1: costs 1 nine times,"), (BLUE, "then the treasure pays 20: -1.1 per step"), (ORANGE, "random actions turn back"), (ORANGE, "and almost never arrive"))):
        drawing.text(x, 90 + 24 * i + (14 if i > 1 else 0), words, 14, {BLUE: "#00598a", ORANGE: "#a34700"}[colour])
    drawing.text(x, 240, "The greedy learner sees only", 14)
    drawing.text(x, 262, "that moving right costs 1,", 14)
    drawing.text(x, 284, "and stops moving right.", 14)
    drawing.text(x, 340, "yellow: the treasure", 14, "#6b5200")
    write("theory/deep-sea.svg", drawing)


def value_surface():
    drawing = Drawing(900, 420, "Two value functions over the grid of DeepSea with 20 rows as surfaces: that of always action 0 is flat, the optimal one falls towards the treasure")
    for i, (policy, words) in enumerate((("always:0", "always action 0: nothing to gain anywhere"), ("optimal", "optimal: a slope that leads to the treasure"))):
        answer = exact("deep_sea", "size=20", "teleport=0.01", "--policy", policy)
        bias = answer["bias"]
        # Cells above the diagonal cannot be reached from the start; they are part of the model and of the surface.
        shift = sum(b * p for b, p in zip(bias, answer["stationary"]))
        values = [-(b - shift) for b in bias]
        low = values if i else [v for v in values]
        surface(drawing, [min(max(v, -40), 60) for v in low], 20, (20 + 445 * i, 16, 420, 350), words, f"gain {answer['gain']:.3f}")
    write("theory/value-surface.svg", drawing)


def loop():
    drawing = Drawing(720, 250, "One phase of Politex: the policy plays a phase, the data give Q, Q is added to the sum, the sum gives the next policy")
    boxes = [("policy", "frozen for a phase", BLUE), ("data", "states, actions, costs", GREEN), ("Q of the phase", "least squares", ORANGE), ("sum of all Q", "one vector of weights", "#8a4a72")]
    for i, (name, words, colour) in enumerate(boxes):
        x = 20 + i * 176
        drawing.box(x, 60, 150, 74, mix(colour, "#ffffff", .85), colour, 8)
        drawing.text(x + 75, 92, name, 15, anchor="middle", bold=True)
        drawing.text(x + 75, 116, words, 11.5, anchor="middle")
        if i:
            drawing.arrow(x - 24, 97, x - 3, 97, INK, 2)
    drawing.line([(623, 136), (623, 190), (95, 190), (95, 150)], INK, 2)
    drawing.arrow(95, 170, 95, 138, INK, 2)
    drawing.text(360, 212, "policy(action) is proportional to exp(-eta × sum of Q)", 14, anchor="middle")
    drawing.text(360, 40, "one phase", 13, "#59616b", "middle")
    write("theory/politex-loop.svg", drawing)


def softness():
    drawing = Drawing(720, 340, "Probability of the better of two actions against the number of phases, for three step sizes: small steps change slowly, large ones commit at once")
    axes = Axes(drawing, (0, 50), (0.5, 1.0), x_label="phases in which the better action was cheaper by 1", y_label="probability of the better action")
    for eta, colour, at in ((0.02, GREEN, 38), (0.1, BLUE, 20), (0.5, ORANGE, 5)):
        points = [(k, 1 / (1 + math.exp(-eta * k))) for k in range(51)]
        axes.curve(points, colour)
        axes.label(at, points[at][1], f"eta = {eta}", {GREEN: "#00704f", BLUE: "#00598a", ORANGE: "#a34700"}[colour], dx=10, dy=18)
    write("theory/step-size.svg", drawing)


def rollout():
    drawing = Drawing(760, 170, "One phase as a row of steps: explorer steps, one probe step, then steps of the target policy, five times")
    x, colours = 20.0, {"e": ORANGE, "p": PINK, "t": BLUE}
    for _ in range(5):
        for kind, length in (("e", 7), ("p", 1), ("t", 12)):
            for _ in range(length):
                drawing.box(x, 40, 6.4, 34, colours[kind])
                x += 7.1
        x += 2
    for i, (kind, words) in enumerate((("e", "explorer: s' steps, they bring the learner to new states"), ("p", "probe: one uniformly random action"), ("t", "target: s steps of the policy that is evaluated"))):
        drawing.box(20, 96 + 24 * i, 14, 14, colours[kind])
        drawing.text(42, 108 + 24 * i, words, 13.5)
    drawing.text(20, 28, "one phase: m = 5 rollouts, no reset between them", 13.5, "#59616b")
    write("theory/rollout.svg", drawing)


def explorer_film():
    place = run("explorer", "experiments/deep_sea/learned.toml", "environment.size=20", "steps=14000", "seed=1")
    _, frames = album(place)
    chosen = frames[:12] if len(frames) <= 12 else [frames[round(i * (len(frames) - 1) / 11)] for i in range(12)]
    side, cols = 9, 4
    size = 20 * side
    drawing = Drawing(cols * (size + 20), 3 * (size + 44), "Twelve moments of the learner with its own explorer on DeepSea: the visited cells spread from the left edge to the treasure, then the diagonal is all that is left")
    for i, frame in enumerate(chosen):
        x, y = (i % cols) * (size + 20) + 10, (i // cols) * (size + 44) + 32
        most = max(frame["visits"])
        drawing.text(x, y - 10, f"after {frame['steps']:,} steps", 14)
        cells(drawing, frame["visits"], 20, x, y, side, lambda value: heat(value / most))
        drawing.box(x + 19 * side - 1, y + 19 * side - 1, side + 1, side + 1, "none", ORANGE)
    write("theory/explorer-film.svg", drawing)


def regret():
    drawing = Drawing(720, 380, "Regret against steps on DeepSea: without exploration a straight line, with the learned explorer it flattens")
    axes = Axes(drawing, (1e3, 1e6), (1e3, 2e6), x_label="steps", y_label="regret", log_x=True, log_y=True)
    for file, colour, words, dy in (("deep_sea/politex_lsmc", ORANGE, "Politex, no exploration", -8), ("deep_sea/tuned", GREEN, "EE-Politex, explorer given (TUNED)", -8), ("deep_sea/learned", BLUE, "default: learns its explorer", 46)):
        place = run("regret-" + file.split("/")[1], f"experiments/{file}.toml", "environment.size=20", "steps=1000000", "seed=1001")
        points = [(t, t * (c + 1.5)) for t, c in progress(place) if t >= 1e3]
        points = [p for i, p in enumerate(points) if i == 0 or i == len(points) - 1 or i % max(1, len(points) // 300) == 0]
        axes.curve(points, colour)
        axes.label(9.6e5, points[-1][1], words, {ORANGE: "#a34700", GREEN: "#00704f", BLUE: "#00598a"}[colour], "end", dy=dy)
    axes.curve([(1e3, 2.2e3), (1e6, 2.2e3 * 1e3 ** .8)], GREY, 1.2, "5 4")
    axes.label(1.2e5, 1e5, "slope 4/5", "#59616b", dy=14)
    write("theory/regret.svg", drawing)


# ---- the guide

def thresholds():
    """The N-model: which class server 2 serves, by a rule of thumb, optimally, and as learned."""
    size = 20
    place = run("n_model", "experiments/deep_sea/learned.toml", "environment.name=n_model", f"environment.buffer={size}", "features.name=tabular", "steps=20000000", "seed=1")
    learned = json.loads((place / "final.policy").read_text())
    answers = [("rule of thumb, threshold:6", exact("n_model", f"buffer={size}", "--policy", "threshold:6")),
               ("learned in 20 million steps", exact("n_model", f"buffer={size}", "--policy", place / "final.policy")),
               ("optimal", exact("n_model", f"buffer={size}"))]
    rule = [[1 if i // (size + 1) >= 6 else 0 for i in range((size + 1) ** 2)], None, answers[2][1]["optimal_policy"]]
    rule[1] = learned.get("action") or [max(range(len(row)), key=row.__getitem__) for row in learned["policy"]]
    # Action names differ in their order: the rule serves the last class below its threshold.
    last = answers[2][1]["optimal_policy"]
    drawing = Drawing(860, 372, "Three maps of the N-model: which class server 2 serves for every pair of queue lengths, by a rule of thumb, learned, and optimal, with their average costs")
    flip = agreement(rule[0], last) < .5
    for i, ((words, answer), actions) in enumerate(zip(answers, rule)):
        if i == 0 and flip:
            actions = [1 - a for a in actions]
        x = 30 + i * 280
        cells(drawing, actions, size + 1, x, 60, 11.6, lambda a: "#00598a" if a else "#ffd27f")
        drawing.text(x, 26, words, 14, bold=True)
        drawing.text(x, 46, f"average cost {answer['gain']:.2f}", 13)
        drawing.text(x + 122, 320, "jobs of class 2", 12, "#59616b", "middle")
    drawing.text(18, 182, "jobs of class 1", 12, "#59616b", "middle", turn=-90)
    drawing.box(30, 342, 14, 14, "#ffd27f")
    drawing.text(50, 354, "action 0", 12.5)
    drawing.box(130, 342, 14, 14, "#00598a")
    drawing.text(150, 354, "action 1", 12.5)
    write("start/n-model.svg", drawing)


def agreement(one, other):
    return sum(a == b for a, b in zip(one, other)) / len(one)


def first_agent():
    place = run("first", "experiments/deep_sea/learned.toml", "steps=1000000", "seed=1")
    drawing = Drawing(720, 320, "Average cost so far of the default learner on DeepSea: it falls from 0 to the optimum of -1.5")
    axes = Axes(drawing, (100, 1e6), (-1.6, 0.4), x_label="steps (logarithmic)", y_label="average cost so far", log_x=True)
    axes.curve([(100, -1.5), (1e6, -1.5)], GREY, 1.2, "3 4")
    axes.label(120, -1.5, "optimum -1.5", "#59616b", dy=-8)
    axes.curve(progress(place), BLUE)
    write("start/first-agent.svg", drawing)


def explored():
    place = run("visits-learned", "experiments/deep_sea/learned.toml", "environment.name=rooms", "environment.size=17", "features.name=tabular", "steps=100000", "seed=1")
    drawing = Drawing(720, 330, "Four rooms: where the default learner is after 5,000 and after 100,000 steps, first everywhere, then on the way to the goal")
    _, frames = album(place)
    early = min(frames, key=lambda frame: abs(frame["steps"] - 5000))
    for i, frame in enumerate((early, frames[-1])):
        x = 40 + i * 340
        most = sorted(frame["visits"])[-3]
        drawing.text(x, 28, f"visits around step {frame['steps']:,}", 14)
        cells(drawing, frame["visits"], 17, x, 40, 16, lambda value: heat(value / most))
    write("guide/no-explorer.svg", drawing)


def resumed():
    one = run("resumed", "experiments/deep_sea/tuned.toml", "steps=300000", "seed=2")
    drawing = Drawing(720, 320, "A learning curve: the average cost of each phase and the average so far, with the exact optimum")
    axes = Axes(drawing, (0, 3e5), (-2.0, 0.5), x_label="steps", y_label="cost per step")
    phase = progress(one, "phase_average_cost")
    for t, c in phase[::3]:
        drawing.add(f'<circle cx="{axes.x(t):.1f}" cy="{axes.y(c):.1f}" r="1.6" fill="{ORANGE}" opacity=".6"/>')
    axes.curve(progress(one), BLUE)
    axes.curve([(0, -1.5), (3e5, -1.5)], GREY, 1.2, "3 4")
    axes.label(2.95e5, .3, "dots: each phase; line: average so far", INK, "end")
    axes.label(3e4, -1.5, "optimum", "#59616b", dy=16)
    write("guide/run.svg", drawing)


def stationary():
    answer = exact("deep_sea", "size=20", "teleport=0.05")
    drawing = Drawing(740, 330, "DeepSea: the optimal action of every cell, and how often the optimal policy is there")
    cells(drawing, answer["optimal_policy"], 20, 30, 44, 13.4, lambda a: "#00598a" if a else "#ffd27f")
    drawing.text(30, 28, "optimal action (blue: 1, yellow: 0)", 13.5)
    most = sorted(answer["stationary"])[-15]
    cells(drawing, answer["stationary"], 20, 390, 44, 13.4, lambda p: heat(p / most))
    drawing.text(390, 28, "how often it is in each cell", 13.5)
    write("guide/exact.svg", drawing)


def estimators():
    drawing = Drawing(720, 340, "Average cost so far on DeepSea 20 for four settings of the estimator and the step size, mean of five seeds")
    axes = Axes(drawing, (1e3, 3e5), (-1.6, 0.4), x_label="steps (logarithmic)", y_label="average cost so far", log_x=True)
    base = ["experiments/deep_sea/tuned_first.toml", "steps=300000", "environment.size=20"]
    state = ["baseline=state", "ridge=count"]
    shown = [("eta = 0.1", ["eta=0.1"], GREY), ("baseline, eta = 0.1", state + ["eta=0.1"], GREEN),
             ("baseline, eta = 0.5", state + ["eta=0.5"], BLUE), ("baseline, scale_free", state + ["eta=scale_free"], ORANGE)]
    for i, (words, more, colour) in enumerate(shown):
        runs = [progress(run(f"est-{i}-{seed}", *base, *more, f"seed={seed}")) for seed in range(2001, 2006)]
        points = [(rows[0][0], sum(cost for _, cost in rows) / len(rows)) for rows in zip(*runs)]
        axes.curve([p for p in points if p[0] >= 1e3], colour)
        drawing.line([(470, 44 + 22 * i), (500, 44 + 22 * i)], colour, 3)
        drawing.text(508, 48 + 22 * i, words, 13)
    write("guide/estimators.svg", drawing)


def protocol():
    drawing = Drawing(720, 270, "politex and an environment in another process: actions go one way, costs and observations come back through shared memory")
    for x, words, more in ((30, "politex", "learner, checkpoints, records"), (470, "your program", "any language, several environments")):
        drawing.box(x, 60, 220, 130, "#eef4f9", BLUE, 10)
        drawing.text(x + 110, 115, words, 18, anchor="middle", bold=True)
        drawing.text(x + 110, 142, more, 12, anchor="middle")
    drawing.arrow(256, 100, 462, 100, BLUE, 2.2, 10)
    drawing.text(360, 90, "one action per environment", 12.5, anchor="middle")
    drawing.arrow(462, 150, 256, 150, ORANGE, 2.2, 10)
    drawing.text(360, 172, "observations, rewards, ends", 12.5, anchor="middle")
    drawing.text(360, 230, "one short message per step; the numbers are in shared memory", 13, "#59616b", "middle")
    write("guide/protocol.svg", drawing)


def catalogue():
    drawing = Drawing(760, 250, "A new environment, learner, explorer, feature map or figure is one file pair that ends in its entry, and one line in the catalogue; the program, the list, the file reader and Python find it there")
    kinds = ["environment", "learner", "explorer", "features", "figure"]
    for i, kind in enumerate(kinds):
        drawing.box(20, 22 + 42 * i, 190, 34, "#eef4f9", BLUE, 6)
        drawing.text(115, 44 + 42 * i, f"{kind}: .hpp, .cpp", 13, anchor="middle")
        drawing.arrow(212, 39 + 42 * i, 292, 90 + 16 * i, GREY, 1.6)
    drawing.box(296, 78, 170, 92, "#fff3e0", ORANGE, 8)
    drawing.text(381, 116, "catalogue.cpp", 15, anchor="middle", bold=True)
    drawing.text(381, 140, "one line each", 13, anchor="middle")
    for i, user in enumerate(["files and command line", "politex list, this reference", "politex run, sweep, exact", "the Python package"]):
        drawing.arrow(468, 124, 540, 46 + 50 * i, GREY, 1.6)
        drawing.text(548, 50 + 50 * i, user, 13.5)
    write("guide/catalogue.svg", drawing)


def inventory():
    """The optimal policy of inventory: the stock after the order, for every stock before it."""
    answer = exact("inventory")
    levels = [(i - 30, action) for i, action in enumerate(answer["optimal_policy"])]
    after = [(stock, max(stock, action) if action else stock) for stock, action in levels]
    ordered = [(stock, level) for stock, level in after if level > stock]
    drawing = Drawing(720, 340, f"The optimal policy of inventory: where the stock is {ordered[-1][0]} or less, order up to {ordered[-1][1]}, else order nothing")
    axes = Axes(drawing, (-30, 60), (-30, 60), x_label="stock before the order", y_label="stock after the order")
    for stock, level in ordered:
        drawing.line([(axes.x(stock), axes.y(stock)), (axes.x(stock), axes.y(level))], "#f3b48a", 2.2)
    axes.curve([(-30, -30), (60, 60)], GREY, 1.2, "4 4")
    for stock, level in after:
        colour = ORANGE if level > stock else BLUE
        drawing.add(f'<circle cx="{axes.x(stock):.1f}" cy="{axes.y(level):.1f}" r="2.4" fill="{colour}"/>')
    axes.label(-30, ordered[-1][1], f"order up to {ordered[-1][1]}", "#a34700", dx=8, dy=-10)
    axes.label(32, 26, "order nothing", "#00598a", dx=8)
    axes.label(ordered[-1][0], -30, f"{ordered[-1][0]}", "#a34700", "end", dx=3, dy=15)
    write("guide/problems/inventory.svg", drawing)


def many_features():
    """Peak memory of runs on tiles of mountain car, and what dense equations with three actions would need."""
    measured = []
    for tiles in (2, 4, 8, 16, 32, 64, 128, 256, 354):
        out = SCRATCH / f"tiles-{tiles}"
        shutil.rmtree(out, ignore_errors=True)
        run = [str(PROGRAM), "run", "experiments/control/ee_politex.toml", "steps=20000", "seed=1", f"features.tiles={tiles}", "--out", str(out), "--quiet"]
        quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
        _, status, usage = os.wait4(os.posix_spawn(PROGRAM, run, os.environ, file_actions=quiet), 0)
        assert status == 0, run
        measured.append((8 * tiles ** 2, usage.ru_maxrss / 1024))
    drawing = Drawing(720, 360, "Peak memory of a run against the number of features: dense equations grow with the square, runs with automatic solver need 0.3 GB for a million features")
    axes = Axes(drawing, (10, 2e6), (10, 1e5), x_label="features per action (8 tilings, mountain car)", y_label="peak memory, MB", log_x=True, log_y=True)
    dense = lambda width: 8 * 4 * width ** 2 / 2 ** 20
    axes.curve([(600, dense(600)), (5.6e4, dense(5.6e4))], ORANGE, 2.2, "6 4")
    axes.label(5.6e4, 1e5, "dense equations alone, computed", "#a34700", "end", dx=-8, dy=4)
    axes.curve(measured, BLUE)
    for x, y in measured:
        drawing.add(f'<circle cx="{axes.x(x):.1f}" cy="{axes.y(y):.1f}" r="3.2" fill="{BLUE}"/>')
    axes.label(measured[-1][0], measured[-1][1], f"{measured[-1][1]:.0f} MB", "#00598a", "end", dx=-8, dy=-6)
    axes.label(1.9e6, 10, "the whole run, measured; solver = auto", "#00598a", "end", dy=-12)
    write("guide/many-features.svg", drawing)


def cartpole_film():
    """The newest policy of the run of the figure, seed 1001: its stored episode, 24 moments of the first ten seconds."""
    place = SCRATCH / "cart"
    if not (place / "sample_episode.csv").exists():
        run("cart", "experiments/cartpole/ee_politex.toml", "seed=1001")
    with open(place / "sample_episode.csv", newline="") as rows:
        rows = list(csv.DictReader(rows))
    frames = [rows[i] for i in range(0, min(len(rows), 480), 10)][:48]
    w, h, cols = 150, 112, 8
    drawing = Drawing(cols * w, math.ceil(len(frames) / cols) * h, "Forty-eight moments of a learned swing-up: the pole hangs, swings higher and higher, and stays up")
    for i, row in enumerate(frames):
        x0, y0 = (i % cols) * w, (i // cols) * h
        x, cosine, sine = (float(row[f"observation_{k}"]) for k in (0, 2, 3))
        cart = x0 + w / 2 + 30 * x
        up = cosine > .95
        drawing.line([(x0 + 8, y0 + 66), (x0 + w - 8, y0 + 66)], "#9aa0a6", 1.2)
        drawing.box(cart - 9, y0 + 62, 18, 8, "#444444")
        drawing.line([(cart, y0 + 66), (cart + 38 * sine, y0 + 66 - 38 * cosine)], BLUE if up else ORANGE, 4)
        drawing.text(x0 + 8, y0 + 16, f"{i * .1:.1f} s", 10, "#59616b")
    write("results/cartpole_film.svg", drawing)


def control_episode(problem, last=0):
    """One episode of the learned policy (its last steps), from the report of `politex reproduce control`: 48 of its steps, observations as numbers."""
    place = SCRATCH / "control"
    if not (place / "steps.csv").exists():
        politex("reproduce", "control", "--out", place)
    with open(place / "steps.csv", newline="") as rows:
        rows = [row for row in csv.DictReader(rows) if row["problem"] == problem][-last:]
    chosen = [rows[round(i * (len(rows) - 1) / 47)] for i in range(48)]
    return [(int(row["step"]), int(row["action"]), [float(row[f"observation_{k}"] or 0) for k in range(6)]) for row in chosen]


def mountain_car_film():
    """The first seed of the control figure: an episode of EE-Politex on tiles. The colour is the action: left, none, right."""
    w, h, cols = 150, 112, 8
    drawing = Drawing(cols * w, 6 * h, "Forty-eight moments of a learned drive: the car swings back and forth between the hills until it reaches the top on the right")
    for i, (step, action, seen) in enumerate(control_episode("mountain_car")):
        x0, y0 = (i % cols) * w, (i // cols) * h
        place = lambda x: (x0 + 8 + (x + 1.2) / 1.8 * (w - 16), y0 + 92 - 62 * (math.sin(3 * x) * .45 + .5))
        drawing.line([place(-1.2 + 1.8 * k / 40) for k in range(41)], "#9aa0a6", 1.4)
        drawing.line([place(.5), (place(.5)[0], place(.5)[1] - 16)], GREEN, 2)
        x, y = place(seen[0] - .5)
        drawing.add(f'<circle cx="{x:.1f}" cy="{y - 6:.1f}" r="6" fill="{(ORANGE, GREY, BLUE)[action]}"/>')
        drawing.text(x0 + 8, y0 + 14, f"step {step}", 10, "#59616b")
    write("results/mountain_car_film.svg", drawing)


def acrobot_film():
    """The same for acrobot: two links hang from a fixed joint; the torque acts at the elbow."""
    w, h, cols = 120, 128, 8
    drawing = Drawing(cols * w, 6 * h, "Forty-eight moments of a learned swing-up of two links: they swing higher and higher until the tip is above the line")
    for i, (step, action, seen) in enumerate(control_episode("acrobot", 95)):
        x0, y0 = (i % cols) * w + w / 2, (i // cols) * h + 70
        first, elbow = math.atan2(seen[1], seen[0]), math.atan2(seen[3], seen[2])
        link = 25
        mid = (x0 + link * math.sin(first), y0 + link * math.cos(first))
        tip = (mid[0] + link * math.sin(first + elbow), mid[1] + link * math.cos(first + elbow))
        drawing.line([(x0 - 45, y0 - link), (x0 + 45, y0 - link)], GREEN, 1, "3 3")
        drawing.line([(x0, y0), mid], INK, 4)
        drawing.line([mid, tip], (ORANGE, GREY, BLUE)[action], 4)
        drawing.add(f'<circle cx="{x0:.1f}" cy="{y0:.1f}" r="3.5" fill="{GREY}"/>')
        drawing.text(x0 - 52, y0 - 58, f"step {step}", 10, "#59616b")
    write("results/acrobot_film.svg", drawing)


ALL = [average_cost, sea, value_surface, loop, softness, rollout, explorer_film, regret, thresholds, first_agent, explored, resumed, stationary, estimators,
       protocol, catalogue, inventory, many_features, cartpole_film, mountain_car_film, acrobot_film]


def main():
    global PROGRAM, SCRATCH
    PROGRAM, SCRATCH = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    SCRATCH.mkdir(parents=True, exist_ok=True)
    for draw in ALL:
        if not sys.argv[3:] or draw.__name__ in sys.argv[3:]:
            draw()
            print(draw.__name__)


if __name__ == "__main__":
    main()
