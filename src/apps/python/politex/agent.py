"""What the learners share: learning, predicting, saving and loading."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pickle
import threading
import warnings
import zipfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from politex import _core, masks, spaces
from politex._core import Error, __version__
from politex.callbacks import all_of
from politex.checks import refuse, whole
from politex.defaults import is_default, without_explorer
from politex.learning import Interrupt, ProgressBar
from politex.notices import EnvironmentWarning, LearningWarning, log
from politex.signatures import catalogue_name
from politex.tables import as_html, phase_means, table

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Agent", "load", "seed_of"]

FORMAT = 2
PRIOR_WEIGHT = 4.0  # the default of algorithm.incumbent_weight


class Agent:
    """Arguments of all linear learners:

    env           a Gymnasium environment with discrete actions, a politex.MDP, or one of ours (politex/...), which is
                  stepped in C++ without a Python call
    features      a name ("auto", "tabular", "additive", "tiles", "fourier"), or a function from an observation to a vector
                  whose length never changes; default: tabular for Discrete, a Fourier basis of at most about 80 features
                  for Box, one indicator per value for MultiDiscrete. The default learner: tabular for Discrete and for
                  products of Discrete with few states, a tree of cells for Box
    ranges        Box: one pair (low, high) per coordinate. Default: the bounds of the space; infinite bounds are replaced
                  by the range that `measure` uniformly random steps reach (before learning, not counted), enlarged by half
    restart_cost  added to the cost of a step that terminates. Default: 0; where all steps before the first end cost the
                  same, minus that cost, because all policies have the same average cost else. So a goal costs nothing in
                  MountainCar-v0, where a step costs 1, and a fall pays nothing in CartPole-v1, where a step pays 1
    steps         the T of schedules "theory" and "politex" and of eta="theory"; default: the steps of the first learn()
    start_from    the policy that learning begins with: as explorer, a function or an object with predict(), or a name such as
                  "always:A", a policy file, or a heuristic of a finite environment; algorithm.incumbent_weight is its logit
    seed          names every random stream; the environment is reset with it once. None: a random seed (agent.seed)
    exact         finite environments in C++ (a politex.MDP, politex/DeepSea-v0 ...): adds gains and regret to the summary.
                  Evaluates policies exactly while learning, which takes long with thousands of states
    """

    _algorithm = ""
    _neural = False
    _lists = False  # states are listed wherever observations are whole numbers

    def __init__(
        self,
        env: Any,
        *,
        explorer: Any = None,
        features: Any = None,
        seed: int | None = 1,
        ranges: Any = None,
        restart_cost: float | None = None,
        measure: int = 1000,
        steps: int | None = None,
        exact: bool = False,
        start_from: Any = None,
        **settings: Any,
    ) -> None:
        self.env = env
        seed = seed_of(seed)
        steps = None if steps is None else whole("steps", steps, 1, 10**15)
        self._given = {
            "explorer": explorer,
            "features": features,
            "ranges": ranges,
            "restart_cost": restart_cost,
            "measure": measure,
            "seed": seed,
            "steps": steps,
            "exact": exact,
            "start_from": start_from,
            "settings": dict(settings),
        }
        self._task = spaces.describe(
            env,
            explorer=explorer,
            start_from=start_from,
            features=features,
            ranges=ranges,
            restart_cost=restart_cost,
            measure=measure,
            seed=seed,
            exact=exact,
            lists=self._lists or (explorer is None and is_default(self._algorithm, settings)),
        )
        self._settings = self._configuration(explorer, features, seed, settings)
        if start_from is not None and self._task.start_from is None:
            self._settings["algorithm.incumbent"] = str(start_from)
        self._start(steps, seed)

    def _start(self, steps: int | None, seed: int) -> None:
        self._T = steps
        self._begun = False
        self._warned: set[str] = set()
        self._learning = threading.Lock()
        self._rng = np.random.default_rng(seed)
        self._run = self._make(self._rounded(steps if steps is not None else 1_000_000))

    def _rounded(self, steps: int) -> int:
        return steps

    def _configuration(self, explorer: Any, features: Any, seed: int, settings: dict[str, Any]) -> dict[str, Any]:
        all_settings: dict[str, Any] = {"algorithm.name": self._algorithm, "seed": seed}
        if self._task.explorer is not None:
            all_settings["explorer.name"] = "uniform"  # the function is passed as a part of the run
        elif explorer is not None:
            all_settings.update(spaces.explorer_keys(explorer))
        elif not any(key.partition(".")[0] == "explorer" for key in settings):
            all_settings.update(without_explorer(self._algorithm, settings))
        if features is not None and not callable(features):
            all_settings["features.name"] = features
        all_settings.update({catalogue_name(name): value for name, value in settings.items()})
        return all_settings

    def _make(self, steps: int) -> _core.AgentRun:
        return spaces.make_run({**self._settings, "steps": steps}, self._task)

    def learn(
        self,
        steps: float | None = None,
        progress_bar: bool = False,
        callback: Callable[[Self], Any] | Sequence[Callable[[Self], Any]] | None = None,
        *,
        total_timesteps: float | None = None,
    ) -> Self:
        """Takes `steps` (or total_timesteps=) more steps of the environment, learns from them, and returns the agent.

        learn(a); learn(b) gives the bits of learn(a + b). callback(agent) is called once per phase; return False to stop.
        A list of callbacks is accepted; politex.callbacks has some. The logger "politex" gets a line at the end (INFO).
        Ctrl-C stops after the current step: nothing is lost, and learn() continues from there. A second Ctrl-C raises
        KeyboardInterrupt at once.

        >>> agent = politex.EEPolitex(gym.make("politex/DeepSea-v0", size=4), seed=1)
        >>> agent.learn(5000).learn(total_timesteps=1e3)
        politex.EEPolitex(politex/DeepSea-v0: 6000 steps)
        """
        if (steps is None) == (total_timesteps is None):
            raise refuse("steps", "accepted: learn(steps), or learn(total_timesteps=steps)")
        wanted = self._rounded(whole("steps", steps if steps is not None else total_timesteps, 1, 10**15))
        if not self._learning.acquire(blocking=False):
            raise Error("this agent is learning in another thread already")
        try:
            self._learn(wanted, progress_bar, all_of(callback))
        finally:
            self._learning.release()
        for warning in self.summary.get("warnings", []) if self._run.done else []:
            if warning not in self._warned:
                self._warned.add(warning)
                warnings.warn(warning, LearningWarning, stacklevel=2)
        log.info("%r, average cost %.6g", self, self.summary["average_cost"])
        return self

    def _learn(self, steps: int, progress_bar: bool, callback: Callable[[Any], Any] | None) -> None:
        if not self._begun:
            self._T = self._T if self._T is not None else steps
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

    def _advance(self, one_phase: bool) -> None:
        self._run.advance(one_phase)

    def predict(
        self, observation: Any, state: Any = None, episode_start: Any = None, deterministic: bool = False,
        action_masks: Any = None,
    ) -> tuple[Any, None]:
        """The action of the present policy and None, as in Stable-Baselines3; an array of actions for a batch.

        The policy is random; `deterministic` takes its most probable action. `action_masks` (one flag per action, or one
        row per observation of a batch) says which actions are possible, as env.action_masks() and info["action_mask"].

        >>> agent = politex.EEPolitex(gym.make("politex/DeepSea-v0", size=4), seed=1).learn(5000)
        >>> action, _ = agent.predict(0)
        >>> actions, _ = agent.predict([0, 5, 10], deterministic=True)
        >>> actions.shape
        (3,)
        """
        single, batch = spaces.batch(observation, self._task)
        policy = self._policy(batch)
        if action_masks is not None:
            policy = masks.restricted(policy, action_masks)
        if deterministic:
            actions = np.argmax(policy, axis=1)
        else:
            draws = self._rng.random((len(batch), 1))
            actions = np.minimum((np.cumsum(policy, axis=1) <= draws).sum(axis=1), policy.shape[1] - 1)
        actions = actions + self._task.first_action
        return (actions[0] if single else actions), None

    def probabilities(self, observation: Any) -> np.ndarray:
        """The present policy's probabilities of the actions: (actions,), or (batch, actions)."""
        single, batch = spaces.batch(observation, self._task)
        policy = self._policy(batch)
        return policy[0] if single else policy

    def state_probabilities(self) -> np.ndarray:
        """The present policy's probabilities, one row per listed state; observations of several whole numbers are numbered
        state = (first * n_1 + second) * n_2 + ..."""
        if self._task.states == 0:
            raise Error(f"states: the observations of {self._task.name} are not listed; accepted: probabilities(observations)")
        if self._task.numbered:
            return self.probabilities(self._task.all_states())
        return self._policy([spaces.observation_of(self._task, state) for state in range(self._task.states)])

    def _policy(self, batch: list[Any]) -> np.ndarray:
        """Probabilities, one row per observation, with the logits of a start_from that is a function of Python."""
        policy = self._run.policy(batch)[0]
        if self._task.start_from is None:
            return policy
        weight = float(self._settings.get("algorithm.incumbent_weight", self._settings.get("incumbent_weight", PRIOR_WEIGHT)))
        chosen = np.array([int(self._task.start_from(one)) - self._task.first_action for one in batch])
        policy = np.maximum(policy, np.finfo(float).tiny)  # a probability of 0 is one below the smallest number
        policy[np.arange(len(batch)), chosen] *= np.exp(weight)
        return policy / policy.sum(axis=1, keepdims=True)

    def q(self, observation: Any = None) -> np.ndarray:
        """The values that the present policy is made of (for Politex the sum of all phases' Q), as costs: smaller is better.

        Of one observation (actions,), of a batch (batch, actions), or without an argument of every state of a finite
        environment (states, actions).
        """
        if observation is None:
            if not self._task.numbered:
                raise Error("q: observations are not the numbers of states; accepted: q(observation)")
            observation = self._task.all_states()
        single, batch = spaces.batch(observation, self._task)
        values = self._run.policy(batch)[1]
        return values[0] if single else values

    @property
    def steps(self) -> int:
        """Steps of the environment so far, everything counted."""
        return self._run.steps_done

    @property
    def num_timesteps(self) -> int:
        """The same as `steps`, as in Stable-Baselines3."""
        return self._run.steps_done

    @property
    def seed(self) -> int:
        """The seed of every random stream."""
        return self._given["seed"]

    @property
    def summary(self) -> dict[str, Any]:
        """The content of a run's `summary.json` for the steps so far, without times."""
        summary = json.loads(self._run.summary()) if self._run.steps_done > 0 else {"steps": 0}
        summary.pop("seconds", None)
        summary.pop("steps_per_second", None)
        return summary

    @property
    def progress(self) -> Any:
        """One row per phase: a pandas.DataFrame where pandas is installed, else a dict of arrays.

        Columns: phase, steps, average_cost, phase_average_cost, exact answers if asked for, and on environments of Python
        the mean return and length of the episodes that ended in the phase (NaN: none).

        >>> agent = politex.EEPolitex(gym.make("politex/DeepSea-v0", size=4), seed=1).learn(5000)
        >>> list(agent.progress)[:4]
        ['phase', 'steps', 'average_cost', 'phase_average_cost']
        """
        return table(self._columns())

    def _columns(self) -> dict[str, np.ndarray]:
        rows = self._run.rows()
        columns = {name: rows[:, k] for k, name in enumerate(self._run.columns())}
        episodes = self.episodes
        if "length" in episodes:
            columns["episode_return"] = phase_means(columns["steps"], episodes["step"], episodes["return"])
            columns["episode_length"] = phase_means(columns["steps"], episodes["step"], episodes["length"])
        return columns

    @property
    def episodes(self) -> dict[str, np.ndarray]:
        """The newest episodes that ended (at least 100,000): the step, the sum of rewards, and for linear learners the
        length. Empty where the environment is stepped in C++ by a linear learner."""
        if self._task.source is not None and not self._neural:
            return {}
        step, reward, length = self._run.episodes()
        return {"step": step, "return": reward, **({} if self._neural else {"length": length})}

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
        arrays = {**self._columns(), "weights": self.weights, "weights_phase": phases, "weights_of_phase": each}
        arrays.update({f"rollout_{name}": value for name, value in (self.rollouts or {}).items()})
        if self._task.numbered:
            arrays["q"] = self.q()
            arrays["policy"] = self.probabilities(self._task.all_states())
        np.savez(file, **arrays)  # type: ignore[arg-type]

    def plot(self, file: Any = None) -> Any:
        """The average cost of all steps and of each phase over the steps: a figure of matplotlib, where that is installed,
        else an SVG file (`file`, default politex.svg), whose name is returned."""
        from politex import plots

        return plots.progress(self._columns(), f"{type(self).__name__} on {self._task.name}", file)

    def save(self, file: Any) -> None:
        """Writes everything that further learning depends on, with the environment's state if it can be pickled.

        A function given as explorer or features is included if it can be pickled; otherwise pass it to load() again.
        """
        _replace(file, self._bytes())

    def _bytes(self, environment: bool = True) -> bytes:
        objects, missing = {}, []
        for name, value in {"env": self.env, **self._given}.items():
            try:
                objects[name] = pickle.dumps(value)
            except Exception:  # a __reduce__ of the caller may raise anything
                missing.append(name)
        if "ranges" in self._given and self._task.source is None:
            objects["ranges"] = pickle.dumps(self._task.ranges)  # as measured
        header = {
            "format": FORMAT,
            "version": __version__,
            "class": type(self).__name__,
            "T": self._T,
            "begun": self._begun,
            "missing": missing,
            "given": list(self._given),
            "environment_saved": environment and self._run.saves_environment,
            "steps": self._run.steps_done,
            "rng": self._rng.bit_generator.state,
            "spaces": self._task.signature,
        }
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("agent.json", json.dumps(header))
            archive.writestr("objects.pickle", pickle.dumps(objects))
            archive.writestr("state.bin", self._run.save(environment))
        return out.getvalue()

    @classmethod
    def load(cls, file: Any, env: Any = None, *, explorer: Any = None, features: Any = None) -> Self:
        """As politex.load; refuses agents of another class."""
        agent = load(file, env, explorer=explorer, features=features)
        if not isinstance(agent, cls):
            raise refuse("file", f"{file} is a {type(agent).__name__}; accepted: {cls.__name__}, or politex.load")
        return agent

    def set_env(self, env: Any) -> None:
        """Continues learning in another environment with the same spaces, from a reset of it."""
        if self._task.source is not None:
            raise refuse("env", f"{self._task.name} is stepped in C++; accepted: a new agent for another environment")
        data = self._bytes(environment=False)
        self.__dict__.update(_restored(data, "the agent", {**self._given, "env": env}, new_environment=True).__dict__)

    def __getstate__(self) -> dict[str, Any]:
        return {"bytes": self._bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(_restored(state["bytes"], "the pickled agent", {}).__dict__)

    def __repr__(self) -> str:
        return f"politex.{type(self).__name__}({self._task.name}: {self.steps} steps)"

    def _repr_html_(self) -> str:
        return as_html(f"{type(self).__name__} on {self._task.name}", self._columns(), self.steps, self.seed)


def seed_of(seed: int | None) -> int:
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) % 2**53
    return whole("seed", seed, 0, 2**53 - 1)


def _classes() -> dict[str, type[Agent]]:
    found, todo = {}, [Agent]
    while todo:
        todo += (kind := todo.pop()).__subclasses__()
        found[kind.__name__] = kind
    return found


def _replace(file: Any, data: bytes) -> None:
    """Writes a file so that a full disk, a killed process or a power failure leaves the old one or the new one."""
    if isinstance(file, int) or (os.path.exists(file) and not os.path.isfile(file)):  # a pipe, for example
        with open(file, "wb") as out:
            out.write(data)
        return
    path = os.path.realpath(os.fsdecode(file))
    temporary = path + ".part"
    try:
        with open(temporary, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(temporary)
        raise


def load(file: Any, env: Any = None, *, explorer: Any = None, features: Any = None) -> Agent:
    """The agent that save() wrote. Further learning gives the same bits as without the break.

    `env` must have the spaces of the saved environment, and continues from its saved state (without `env` the saved copy
    is used). If the environment could not be saved it starts from a new reset, with a warning. Files contain pickled
    objects: load only files that you trust.

    >>> agent = politex.EEPolitex(gym.make("politex/DeepSea-v0", size=4), seed=1).learn(5000)
    >>> agent.save("agent.politex")
    >>> politex.load("agent.politex").learn(100).summary == agent.learn(100).summary
    True
    """
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise Error(f"file: {error}") from error
    return _restored(data, str(file), {"env": env, "explorer": explorer, "features": features})


def _restored(data: bytes, origin: str, given: dict[str, Any], new_environment: bool = False) -> Agent:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            header = json.loads(archive.read("agent.json"))
            objects = pickle.loads(archive.read("objects.pickle"))
            state = archive.read("state.bin")
        kind = _classes()[header["class"]]
        if header["format"] != FORMAT:
            raise Error(f"{origin}: has format {header['format']}, this version reads {FORMAT}")
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError, pickle.UnpicklingError) as error:
        if isinstance(error, Error):
            raise
        raise Error(f"{origin}: is not an agent that save() wrote, or it is damaged") from error
    values: dict[str, Any] = {}
    for name in ("env", *header["given"]):
        if given.get(name) is not None:
            values[name] = given[name]
        elif name in header["missing"]:
            raise Error(f"{name}: could not be saved with the agent; give it again: politex.load(file, {name}=...)")
        else:
            values[name] = pickle.loads(objects[name])
    if given.get("env") is None and header["begun"] and not header["environment_saved"]:
        raise Error(f"env: {origin} does not hold the environment; give it: politex.load(file, env=...)")
    settings = values.pop("settings")
    agent = kind(values.pop("env"), **values, **settings)
    spaces.check_same(agent._task, header["spaces"])
    agent._T, agent._begun = header["T"], header["begun"]
    agent._rng.bit_generator.state = header["rng"]
    if agent._begun:
        agent._run = agent._make(agent._T)
        agent._run.restore(state)
        if not new_environment and not header["environment_saved"]:
            warnings.warn(
                f"{agent._task.name} cannot be saved: it starts from a new reset, and learning continues there",
                EnvironmentWarning,
                stacklevel=3,
            )
    return agent
