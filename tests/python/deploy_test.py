"""From a learned policy to a deployed one: guards, masks, a prior, logs, export, and the story of the call center."""

import csv
import importlib
import pathlib
import sys

import gymnasium as gym
import numpy as np
import pytest

import politex

CALL_CENTER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "call_center"


class Ladder(gym.Env):
    """Levels 0 to 9; action 0 climbs for free, action 1 goes down and costs 1; at the bottom going down is impossible."""

    def __init__(self, masks="function"):
        self.observation_space, self.action_space = gym.spaces.Discrete(10), gym.spaces.Discrete(2)
        self.masks, self.taken = masks, []
        if masks == "function":
            self.action_masks = self._flags

    def _flags(self):
        return np.array([True, self.level > 0])

    def _info(self):
        return {"action_mask": self._flags().astype(np.int8)} if self.masks == "info" else {}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.level = 0
        return self.level, self._info()

    def step(self, action):
        if self.masks:
            assert self._flags()[action], "a masked action was executed"
        self.taken.append((self.level, int(action)))
        cost = float(action) + (5.0 if self.level == 9 else 0.0)
        self.level = min(9, max(0, self.level + (1 if action == 0 else -1)))
        return self.level, -cost, False, False, self._info()


def go_down(level):
    return 1


def guarded(limit=5, release=3, **options):
    return politex.Guard(Ladder(**options), go_down, limit, release=release)


def test_the_guard_takes_over_until_the_release():
    env = guarded()
    level, info = env.reset(seed=1)
    levels, who = [], []
    for _ in range(12):
        level, _, _, _, info = env.step(0)
        levels.append(level)
        who.append(info["guarded"])
    assert levels == [1, 2, 3, 4, 5, 6, 5, 4, 3, 4, 5, 6]
    assert who == [False] * 6 + [True] * 3 + [False] * 3
    assert env.guarded_steps == 3 and env.steps == 12
    assert info["action_mask"].tolist() == [0, 1]


@pytest.mark.parametrize("algorithm", ["EEPolitex", "Politex", "LSPI", "RLSVI"])
@pytest.mark.parametrize("masks", ["function", "info"])
def test_learners_never_take_a_masked_action(algorithm, masks):
    env = Ladder(masks)
    explorer = {"explorer": "uniform"} if algorithm == "EEPolitex" else {}
    getattr(politex, algorithm)(env, seed=1, **explorer).learn(3000)
    assert len(env.taken) == 3000 and (0, 1) not in env.taken  # step() asserts it too


def test_the_default_learner_respects_masks_and_is_not_worse_for_it():
    costs = []
    for masks in ("function", None):
        agent = politex.EEPolitex(Ladder(masks), seed=1).learn(20_000)
        costs.append(agent.summary["average_cost_last_tenth"])
    # Seeds are fixed; seeds 1 to 3 gave .73 to .82 both ways. Down and up in turn costs .5, up alone 5.
    assert costs[0] < 0.9 and abs(costs[0] - costs[1]) < 0.1
    agent = politex.EEPolitex(Ladder(), seed=1).learn(2000)
    draws = [int(agent.predict(0, action_masks=[1, 0])[0]) for _ in range(50)]
    assert set(draws) == {0}
    with pytest.raises(politex.Error, match="action_masks"):
        agent.predict(0, action_masks=[0, 0])


@pytest.mark.parametrize("algorithm", ["LSPI", "RLSVI"])
def test_greedy_learners_are_greedy_among_the_possible_actions(algorithm, tmp_path):
    env = Ladder("info")  # the method that Ladder() has as attribute is saved with the object it belongs to
    agent = getattr(politex, algorithm)(env, seed=1).learn(10_000)
    q = agent.q_values([3])[0] if hasattr(agent, "q_values") else agent._run.policy([3])[1][0]
    for flags in ([1, 1], [1, 0], [0, 1]):
        best = int(np.argmin(np.where(flags, q, np.inf)))
        assert int(agent.predict(3, action_masks=flags, deterministic=True)[0]) == best
    assert {int(agent.predict(0, action_masks=[1, 0])[0]) for _ in range(50)} == {0}
    agent.save(tmp_path / "agent")
    more = politex.load(tmp_path / "agent", env=env).learn(1000)
    assert more.summary["steps"] == 11_000 and (0, 1) not in env.taken


def test_guarded_steps_are_counted_and_saved(tmp_path):
    env = guarded()
    agent = politex.EEPolitex(env, seed=1).learn(2000)
    summary = agent.summary["guard"]
    assert 0 < summary["steps"] == env.guarded_steps < 2000
    assert summary["share"] == pytest.approx(summary["steps"] / 2000)
    assert list(agent.progress["guarded_steps"])[-1] == summary["steps"]
    agent.save(tmp_path / "agent")
    more = politex.load(tmp_path / "agent").learn(1000)
    assert more.summary == agent.learn(1000).summary
    assert more.summary["guard"]["steps"] > summary["steps"]


def test_a_guard_on_our_own_environments_is_a_setting():
    env = gym.make("politex/NModel-v0", load=0.9, buffer=20)
    agent = politex.EEPolitex(env, seed=1, **{"guard.incumbent": "threshold:5", "guard.limit": 10, "guard.release": 5}).learn(20_000)
    assert 0 < agent.summary["guard"]["share"] < 0.9
    assert list(agent.progress["guarded_steps"])[-1] == agent.summary["guard"]["steps"]


def test_bad_guards_and_masks_are_refused():
    with pytest.raises(politex.Error, match="release"):
        politex.Guard(Ladder(), lambda level: 1, 3, release=4)
    with pytest.raises(politex.Error, match="incumbent"):
        politex.Guard(Ladder(), "c_mu", 3)
    with pytest.raises(politex.Error, match="limit"):
        politex.Guard(Ladder(), lambda level: 1, float("nan"))
    with pytest.raises(politex.Error, match="always on, in all of the first 10000 steps"):
        politex.EEPolitex(politex.Guard(Ladder(), lambda level: 0, -1), seed=1).learn(20_000)
    with pytest.raises(politex.Error, match="masked; accepted: 0"):
        politex.Guard(Ladder(), lambda level: 1, -1).reset(seed=1)
    with pytest.raises(politex.Error, match="masked there; accepted: 0"):
        politex.EEPolitex(Ladder(), explorer=lambda level: 1, seed=1).learn(100)
    wrong = Ladder()
    wrong.action_masks = lambda: np.array([True])
    with pytest.raises(politex.Error, match="one per action"):
        politex.EEPolitex(wrong, seed=1).learn(10)
    wrong.action_masks = lambda: np.array([False, False])
    with pytest.raises(politex.Error, match="allows no action"):
        politex.EEPolitex(wrong, seed=1).learn(10)
    with pytest.raises(politex.Error, match="which networks do not know"):
        politex.NeuralEEPolitex(Ladder(), explorer="uniform")
    with pytest.raises(politex.Error, match="guard.limit"):
        politex.EEPolitex(gym.make("politex/NModel-v0"), **{"guard.incumbent": "c_mu", "guard.limit": -1})


def masked_mdp():
    stay, move = np.eye(2), np.eye(2)[::-1]
    possible = [[1, 1, 1], [1, 1, 0]]
    P = np.stack([stay, move, stay])
    P[2, 1] = 0  # a masked pair needs no probabilities
    return politex.MDP(P, [[3, 4, 5], [2, 7, 0]], possible=possible, layout="actions_first")


def test_masks_of_a_finite_mdp(tmp_path):
    mdp = masked_mdp()
    assert politex.exact(mdp)["optimal_gain"] == 2.0  # the masked action would cost 0
    mdp.save(tmp_path / "mdp.json")
    assert politex.MDP.load(tmp_path / "mdp.json").possible.tolist() == mdp.possible.tolist() == [[1, 1, 1], [1, 1, 0]]
    env = mdp.env()
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1, 1, 1]
    assert env.step(1)[4]["action_mask"].tolist() == env.action_masks().tolist() == [1, 1, 0]
    agent = politex.EEPolitex(mdp, explorer="uniform", rollouts=2, explore=2, follow=5, seed=1).learn(500)
    assert agent.probabilities(1)[2] == 0.0
    with pytest.raises(politex.Error, match="no action is possible in state 0"):
        politex.MDP(np.ones((1, 2, 1)), [[1, 2]], possible=[[0, 0]])


def test_a_prior_is_the_first_policy():
    agent = politex.EEPolitex(Ladder(masks=None), start_from=lambda level: 1, seed=1, incumbent_weight=6.0)
    first = agent.probabilities(4)
    assert first[1] == pytest.approx(np.exp(6) / (1 + np.exp(6)), abs=1e-9)
    named = politex.EEPolitex(gym.make("politex/NModel-v0", buffer=10), start_from="threshold:3", seed=1)
    assert named.probabilities(0).max() == pytest.approx(np.exp(4) / (1 + np.exp(4)), abs=1e-9)
    with pytest.raises(politex.Error, match="cannot start from another one"):
        politex.LSPI(gym.make("politex/NModel-v0", buffer=10), start_from="c_mu").learn(100)


def river_log(file, steps=20_000):
    env = gym.make("politex/RiverSwim-v0", size=6)
    rng = np.random.default_rng(1)
    state, _ = env.reset(seed=1)
    with open(file, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["state", "action", "cost", "next", "propensity"])
        for _ in range(steps):
            action = int(rng.integers(2))
            following, reward, *_ = env.step(action)
            rows.writerow([state, action, -reward, following, 0.5])
            state = following
    return env


def test_logs_by_states_and_by_features(tmp_path):
    env = river_log(tmp_path / "log.csv")
    gain = politex.exact(env, "always:1")["gain"]
    found = politex.evaluate_log(lambda state: 1, tmp_path / "log.csv", against=lambda state: 0)
    # One interval with a fixed seed, at 95%; it is also far from the other policy's.
    assert found["method"] == "marginalised_ratios" and found["verdict"] == "better"
    assert abs(found["average_cost"] - gain) < 0.1
    fitted = politex.evaluate_log(lambda state: 1, tmp_path / "log.csv", actions=2, features=lambda x: np.eye(6)[int(x[0])])
    assert fitted["method"] == "fitted_q"
    assert fitted["average_cost"] == pytest.approx(found["average_cost"], abs=1e-4)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0,1,nan,0,0.5", "log.csv:2: cost nan; accepted: a finite number"),
        ("0,1,x,0,0.5", "log.csv:2: could not convert"),
        ("0,1,1,0,0", "log.csv:2: propensity 0; accepted: above 0"),
        ("9,1,1,0,0.5", "log.csv:2: state 9 is out of range; accepted: 0 to 5"),
        ("0,7,1,0,0.5", "log.csv:2: action 7 is out of range; accepted: 0 to 1"),
        ("0,1,1", "log.csv:2: 3 values, but the first line has 5 columns"),
    ],
)
def test_bad_logs_name_file_and_line(tmp_path, line, message):
    file = tmp_path / "log.csv"
    file.write_text("state,action,cost,next,propensity\n" + line + "\n")
    with pytest.raises(politex.Error, match=message):
        politex.evaluate_log(np.zeros(6, int), file, states=6, actions=2)


def test_a_log_without_the_action_is_refused():
    log = {"state": [0] * 200, "action": [0] * 200, "cost": [1.0] * 200, "next": [0] * 200}
    with pytest.raises(politex.Error, match="does not cover the policy"):
        politex.evaluate_log([1], log, states=1, actions=2)


def test_an_exported_table_is_the_policy(tmp_path):
    agent = politex.EEPolitex(gym.make("politex/RiverSwim-v0", size=6), explorer="always:1", seed=1).learn(5000)
    politex.export_policy(agent, tmp_path / "policy.csv")
    with open(tmp_path / "policy.csv") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["action"]) for row in rows] == agent.predict(np.arange(6), deterministic=True)[0].tolist()
    with pytest.raises(politex.Error, match="accepted: csv, thresholds, c"):
        politex.export_policy(agent, tmp_path / "policy.csv", to="pdf")


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    sys.path.insert(0, str(CALL_CENTER))
    try:
        module = importlib.import_module("call_center")
        place = tmp_path_factory.mktemp("story")
        yield module.main(place), place
    finally:
        sys.path.remove(str(CALL_CENTER))


# The whole story, 45 CPU seconds. Seeds are fixed; docs/guide/call-center.md has the numbers.
def test_the_call_center_gets_better(story):
    result, place = story
    assert result["off_line"]["difference"] < 0 and result["off_line"]["method"] == "fitted_q"
    assert "does not cover the policy" in result["off_line"]["refused"]
    verdicts = [look["verdict"] for look in result["looks"]]
    assert verdicts == ["not_yet"] * (len(verdicts) - 1) + ["better"]
    last = result["looks"][-1]
    assert last["difference_interval"][1] < 0 and last["interval"][1] < last["against_interval"][0]
    weeks = result["weeks"]
    assert np.mean(weeks["learned"][0]) < np.mean(weeks["incumbent"][0][-len(weeks["learned"][0]) :])
    assert 0 < result["guard"]["share"] < 0.5
    assert result["exported_as_predicted"]
    report = (place / "report.html").read_text()
    assert "<svg" in report and "Verdict" in report and (place / "weeks.svg").read_text().startswith("<svg")
