"""The learners, on any Gymnasium environment with discrete actions, on our own environments, and on politex.MDP.

    agent = politex.EEPolitex(gymnasium.make("FrozenLake-v1"), explorer="uniform", seed=1)
    agent.learn(100_000, progress_bar=True)
    action, _ = agent.predict(observation)

Rewards come in, costs (negated rewards) are learned from and reported. The problem never ends: where an episode
terminates, the environment is reset within the same step, and the next state is the new start; that step's cost, and
`restart_cost`, are all that an end costs. A truncation is a new start too, and never an end. What counts is the average
cost of a step. Keywords are the keys of `politex list algorithms`, without their tables.
"""

from __future__ import annotations

import io
import json
import pickle
import warnings
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np

from politex import _core, spaces
from politex._core import Error, __version__
from politex.checks import whole
from politex.learning import Interrupt, ProgressBar

__all__ = ["EEPolitex", "LSPI", "Politex", "RLSVI", "load"]

FORMAT = 1


class Agent:
    """What the learners share; see politex.EEPolitex.

    env           a Gymnasium environment with discrete actions, a politex.MDP, or one of ours (politex/...), which is
                  stepped in C++ without a call of Python
    features      a name ("auto", "tabular", "additive", "tiles", "fourier"), or a function from an observation to a vector
                  of always the same length; default: tabular for Discrete, a Fourier basis of at most about 80 features
                  for Box, one indicator per value for MultiDiscrete
    ranges        Box: pairs (low, high) that coordinates lie between. Default: the bounds of the space, and where these
                  are infinite what `measure` uniformly random steps before the learning (not counted) met, half as wide again
    restart_cost  added to the cost of a step that terminates: CartPole-v1 pays 1 a step whatever one does, and with
                  restart_cost=1 a fall costs that 1
    steps         the T that schedules "theory", "politex" and eta="theory" count on; default: the first learn's
    seed          names every random stream; the environment is reset with it once
    """

    _algorithm = ""

    def __init__(
        self,
        env: Any,
        *,
        explorer: Any = None,
        features: Any = None,
        seed: int = 1,
        ranges: Any = None,
        restart_cost: float = 0.0,
        measure: int = 1000,
        steps: int | None = None,
        **settings: Any,
    ) -> None:
        self.env = env
        self._given = {
            "explorer": explorer,
            "features": features,
            "ranges": ranges,
            "restart_cost": restart_cost,
            "measure": measure,
            "seed": seed,
            "steps": steps,
            "settings": dict(settings),
        }
        self._task = spaces.describe(
            env,
            explorer=explorer,
            features=features,
            ranges=ranges,
            restart_cost=restart_cost,
            measure=measure,
            seed=seed,
        )
        self._settings = self._configuration(explorer, features, seed, settings)
        self._T = steps
        self._begun = False
        self._told: set[str] = set()
        self._rng = np.random.default_rng(seed)
        self._run = self._make(steps if steps is not None else 1_000_000)

    def _configuration(self, explorer: Any, features: Any, seed: int, settings: dict[str, Any]) -> dict[str, Any]:
        all_settings: dict[str, Any] = {"algorithm.name": self._algorithm, "seed": seed}
        if self._task.explorer is not None:
            all_settings["explorer.name"] = "uniform"
        elif explorer is not None or (self._task.source is None and self._explores()):
            all_settings.update(spaces.explorer_keys(explorer if explorer is not None else "uniform", self._task))
        if features is not None and not callable(features):
            all_settings["features.name"] = features
        all_settings.update(settings)
        return all_settings

    def _explores(self) -> bool:
        return self._algorithm.endswith("ee_politex")

    def _make(self, steps: int) -> _core.AgentRun:
        return spaces.make_run({**self._settings, "steps": steps}, self._task)

    def learn(self, steps: int, progress_bar: bool = False, callback: Callable[[Any], Any] | None = None) -> Any:
        """Takes `steps` more steps of the environment, learning from them, and returns the agent.

        learn(a); learn(b) come to the same bits as learn(a + b). callback(agent) is called once a phase; what returns
        False ends the learning. Ctrl-C ends it, too, after the step being taken: nothing is lost, and learn() continues
        from there; a second Ctrl-C raises KeyboardInterrupt at once.
        """
        steps = whole("steps", steps, 1, 10**15)
        if not self._begun:
            self._T = self._T if self._T is not None else steps
            try:
                self._run = self._make(self._T)
            except Error as error:
                # A run of so few steps would be refused; this one will be extended.
                if error.key != "schedule.explore" or self._given["steps"] is not None:
                    raise
                self._T = 1_000_000
                self._run = self._make(self._T)
            self._begun = True
        run = self._run
        begin = run.steps_done
        run.extend(begin + steps)
        with Interrupt(run) as interrupt, ProgressBar(progress_bar, begin, begin + steps) as bar:
            while not run.done:
                self._advance(callback is not None)
                bar.show(run)
                if (callback is not None and callback(self) is False) or interrupt.pressed:
                    break
        for warning in self.summary.get("warnings", []) if run.done else []:
            if warning not in self._told:
                self._told.add(warning)
                warnings.warn(warning, stacklevel=2)
        return self

    def _advance(self, one_phase: bool) -> None:
        self._run.advance(one_phase)

    def predict(
        self, observation: Any, state: Any = None, episode_start: Any = None, deterministic: bool = False
    ) -> tuple[Any, None]:
        """The action of the present policy, and None: for one observation, or an array of actions for a batch of them.

        The policy is random; `deterministic` takes its most probable action.
        """
        single, batch = spaces.batch(observation, self._task)
        law = self._run.policy(batch)[0]
        if deterministic:
            actions = np.argmax(law, axis=1)
        else:
            draws = self._rng.random((len(batch), 1))
            actions = np.minimum((np.cumsum(law, axis=1) <= draws).sum(axis=1), law.shape[1] - 1)
        actions = actions + self._task.first_action
        return (actions[0] if single else actions), None

    def probabilities(self, observation: Any) -> np.ndarray:
        """The present policy's probabilities of the actions: (actions,), or (batch, actions)."""
        single, batch = spaces.batch(observation, self._task)
        law = self._run.policy(batch)[0]
        return law[0] if single else law

    def q(self, observation: Any = None) -> np.ndarray:
        """The values that the present policy is made of (for Politex the sum of all phases' Q), as costs: smaller is better.

        Of one observation (actions,), of a batch (batch, actions), or without an argument of every state of a finite
        environment (states, actions).
        """
        if observation is None:
            if self._task.states == 0:
                raise Error("q: the states are not finite; accepted: q(observation)")
            first = self._task.first_state
            observation = np.arange(first, first + self._task.states)
        single, batch = spaces.batch(observation, self._task)
        values = self._run.policy(batch)[1]
        return values[0] if single else values

    @property
    def steps(self) -> int:
        """Steps of the environment so far, everything counted."""
        return self._run.steps_done

    @property
    def summary(self) -> dict[str, Any]:
        """What `summary.json` of a run tells, of the steps so far; without times."""
        told = json.loads(self._run.summary()) if self._run.steps_done > 0 else {"steps": 0}
        told.pop("seconds", None)
        told.pop("steps_per_second", None)
        return told

    @property
    def progress(self) -> dict[str, np.ndarray]:
        """One entry per phase: phase, steps, average_cost, phase_average_cost, and exact answers where asked for."""
        rows = self._run.rows()
        return {name: rows[:, k] for k, name in enumerate(self._run.columns())}

    @property
    def weights(self) -> np.ndarray:
        """The weights that the policy is made of: (actions, features) where features are replicated per action."""
        return self._shaped(self._run.weights())

    @property
    def phase_weights(self) -> tuple[np.ndarray, np.ndarray]:
        """The numbers of the last phases (at least a thousand), and the weights of each one's own Q, one row each."""
        return self._run.phase_weights()

    @property
    def rollouts(self) -> dict[str, np.ndarray] | None:
        """The newest phase of this process, step by step: actions, costs, by (0 explorer, 1 probe, 2 target), and states
        or features; `rollout` is the length of one rollout."""
        return self._run.phase()

    def _shaped(self, weights: np.ndarray) -> np.ndarray:
        shape = self._run.shape()
        return weights.reshape(shape["blocks"], shape["width"])

    def export(self, file: Any) -> None:
        """Writes progress, weights, phase_weights, the newest rollouts and (finite) Q and policy as one .npz file."""
        phases, each = self.phase_weights
        arrays = {**self.progress, "weights": self.weights, "weights_phase": phases, "weights_of_phase": each}
        arrays.update({f"rollout_{name}": value for name, value in (self.rollouts or {}).items()})
        if self._task.states > 0:
            first, states = self._task.first_state, self._task.states
            arrays["q"] = self.q()
            arrays["policy"] = self.probabilities(np.arange(first, first + states))
        np.savez(file, **arrays)

    def plot(self, file: Any = None) -> Any:
        """The average cost of all steps and of each phase over the steps: a figure of matplotlib, where that is installed,
        else an SVG file (`file`, default politex.svg), whose name is returned."""
        from politex import plots

        return plots.progress(self.progress, f"{type(self).__name__} on {self._task.name}", file)

    def save(self, file: Any) -> None:
        """Writes everything that learning on depends on, the environment's state included where it can be pickled.

        A function given as explorer or features is part of it where it can be pickled; else load() wants it again.
        """
        data = self._bytes()
        with open(file, "wb") as out:
            out.write(data)

    def _bytes(self) -> bytes:
        objects, missing = {}, []
        for name, value in {"env": self.env, **self._given}.items():
            try:
                objects[name] = pickle.dumps(value)
            except Exception:  # whatever a foreign __reduce__ raises
                missing.append(name)
        if "ranges" in self._given:
            objects["ranges"] = pickle.dumps(self._task.ranges)  # as measured
        told = {
            "format": FORMAT,
            "version": __version__,
            "class": type(self).__name__,
            "T": self._T,
            "begun": self._begun,
            "missing": missing,
            "given": list(self._given),
            "environment_saved": self._run.saves_environment,
            "steps": self._run.steps_done,
            "rng": self._rng.bit_generator.state,
        }
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("agent.json", json.dumps(told))
            archive.writestr("objects.pickle", pickle.dumps(objects))
            archive.writestr("state.bin", self._run.save())
        return out.getvalue()

    def __getstate__(self) -> dict[str, Any]:
        return {"bytes": self._bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(_restored(state["bytes"], "the pickled agent", {}).__dict__)

    def __repr__(self) -> str:
        return f"politex.{type(self).__name__}({self._task.name}: {self.steps} steps)"


class EEPolitex(Agent):
    """Exploration-Enhanced Politex, Algorithm 1 of the paper, with linear features.

    explorer  "uniform" (default for environments of Python), "always:A", "none", "optimal" (finite ones of ours), a policy
              file, a function from an observation to an action, or anything with predict() as in Stable-Baselines3
    Others: rollouts, explore, follow (m, s', s; "N/2" counts in states, or else in the steps of an episode), eta, ridge,
    estimator, visits, average, horizon, kind ...: `politex list algorithms`.
    """

    _algorithm = "ee_politex"


EEPolitex.__doc__ = (EEPolitex.__doc__ or "") + "\n" + (Agent.__doc__ or "")


class Politex(Agent):
    """Politex without exploration; see politex.EEPolitex for what it takes."""

    _algorithm = "politex"


class RLSVI(Agent):
    """Randomised least-squares value iteration, online for average cost: prior, noise, buffer; see politex.EEPolitex."""

    _algorithm = "rlsvi"


class LSPI(Agent):
    """Least-squares policy iteration, epsilon-greedy: epsilon, ridge, buffer; see politex.EEPolitex."""

    _algorithm = "lspi"


def _classes() -> dict[str, type[Agent]]:
    found, todo = {}, [Agent]
    while todo:
        todo += (kind := todo.pop()).__subclasses__()
        found[kind.__name__] = kind
    return found


def load(file: Any, env: Any = None, *, explorer: Any = None, features: Any = None) -> Any:
    """The agent that save() wrote, ready to learn on to the same bits as without the break.

    `env` continues from the state that was saved (without it the saved copy is used). Where the environment could not
    be saved it starts from a new reset, with a warning. Files hold pickled objects: load only what you trust.
    """
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise Error(f"file: {error}") from error
    return _restored(data, str(file), {"env": env, "explorer": explorer, "features": features})


def _restored(data: bytes, origin: str, given: dict[str, Any]) -> Any:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            told = json.loads(archive.read("agent.json"))
            objects = pickle.loads(archive.read("objects.pickle"))
            state = archive.read("state.bin")
        kind = _classes()[told["class"]]
        if told["format"] != FORMAT:
            raise Error(f"{origin}: has format {told['format']}, this version reads {FORMAT}")
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, pickle.UnpicklingError) as error:
        if isinstance(error, Error):
            raise
        raise Error(f"{origin}: is not an agent that save() wrote, or it is damaged") from error
    values: dict[str, Any] = {}
    for name in ("env", *told["given"]):
        if given.get(name) is not None:
            values[name] = given[name]
        elif name in told["missing"]:
            raise Error(f"{name}: could not be saved with the agent; give it again: politex.load(file, {name}=...)")
        else:
            values[name] = pickle.loads(objects[name])
    if given.get("env") is None and told["begun"] and not told["environment_saved"]:
        raise Error(f"env: {origin} does not hold the environment; give it: politex.load(file, env=...)")
    settings = values.pop("settings")
    agent = kind(values.pop("env"), **values, **settings)
    agent._T, agent._begun = told["T"], told["begun"]
    agent._rng.bit_generator.state = told["rng"]
    if agent._begun:
        agent._run = agent._make(agent._T)
        agent._run.restore(state)
        if not told["environment_saved"]:
            warnings.warn(
                f"{agent._task.name} cannot be saved: it starts from a new reset, and learning continues there", stacklevel=3
            )
    return agent
