"""The neural learners, on single and on vector environments of Gymnasium."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np

from politex import masks, signatures, spaces
from politex._core import Error
from politex.agent import Agent, seed_of
from politex.checks import number, refuse, whole
from politex.environments import Environment, VectorEnvironment
from politex.mdp import MDP
from politex.vectors import Vector
from politex.written import FileName, opened, save_arrays

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from politex import settings as typed

__all__ = ["DQN", "NeuralEEPolitex", "NeuralPolitex"]

REPLAY_BYTES = 10**9
SMALLEST_PICTURE, MOST_CHANNELS = 36, 64  # of what convolutions take


class NeuralAgent(Agent):
    """Arguments of all neural learners:

    env           a vector environment of Gymnasium (Sync, Async, ours, AtariVectorEnv; NEXT_STEP, SAME_STEP and DISABLED
                  autoreset), a single environment, or one of ours, which is stepped in C++
    restart_cost  added to the cost of a step that terminates
    seed          names every random stream; the environments are reset with it once. None: a random seed (agent.seed)
    steps         the T of settings that depend on the length of the run; default: the steps of the first learn()

    Pictures (a Box of uint8 with at least 36 x 36 pixels: gray, with colours last, or a stack of frames) go through the three
    convolutions of the DQN literature; network_kind="mlp" takes plain layers instead.

    A termination ends the value: what follows a new start belongs to another episode. A truncation does not: the learner
    bootstraps from the last observation. The policy is made of the networks of the last `ring` phases.
    """

    _neural = True

    def __init__(
        self,
        env: Any,
        *,
        explorer: Any = None,
        seed: int | None = 1,
        restart_cost: float = 0.0,
        steps: int | None = None,
        **settings: Any,
    ) -> None:
        self.env = env
        seed = seed_of(seed)
        steps = None if steps is None else whole("steps", steps, 1, 10**15)
        restart_cost = number("restart_cost", restart_cost)
        self._given = {
            "explorer": explorer,
            "restart_cost": restart_cost,
            "seed": seed,
            "steps": steps,
            "settings": dict(settings),
        }
        self._task = self._describe(env, explorer, restart_cost)
        self._settings = self._configuration(explorer, None, seed, settings)
        self._failed = False
        self._process = os.getpid()
        self._start(steps, seed)

    def _describe(self, env: Any, explorer: Any, restart_cost: float) -> spaces.Task:
        if isinstance(env, MDP):
            env = env.env()
        vector = isinstance(env, gym.vector.VectorEnv)
        spaces.check(env, vector=True)
        space = env.single_observation_space if vector else env.observation_space
        actions = env.single_action_space if vector else env.action_space
        spec = getattr(env, "spec", None)
        task = spaces.Task(
            env=env,
            restart_cost=float(restart_cost),
            name=spaces.name(env),
            episode=int(getattr(spec, "max_episode_steps", None) or 0),
            actions=int(actions.n),
            first_action=int(actions.start),
        )
        spaces.observation(task, space, None, most=10**7)
        flat = task.flat if task.flat is not None else space
        task.ranges = [(0.0, 1.0)] * (1 if task.states > 0 else spaces.size(flat))
        task.bytes = isinstance(space, gym.spaces.Box) and space.dtype == np.uint8
        if task.bytes:
            _see_picture(task, space.shape)
        inner = env.unwrapped
        if masks.function(inner) is not None:
            raise refuse(
                "env",
                f"{task.name} has action masks, which networks do not know; accepted: a linear learner, or a politex.Guard "
                "around an environment without masks",
            )
        ours = isinstance(inner, (Environment, VectorEnvironment)) and inner.model is None and spaces.plain(env)
        if isinstance(inner, (Environment, VectorEnvironment)) and restart_cost != 0:
            raise refuse(
                "restart_cost",
                f"{restart_cost:g} is not accepted: {task.name} never terminates for networks; accepted: 0",
            )
        if ours and spaces.python_explorer(explorer) is None:
            task.source = (inner.name, dict(inner.options))
            task.count = int(env.num_envs) if vector else 0
        else:
            task.vector = wrapped = Vector(env, task)
            task.count, task.restart = wrapped.count, wrapped.restart
            task.explorer = self._chooser(spaces.python_explorer(explorer), task, space)
        return task

    @staticmethod
    def _chooser(
        explorer: Callable[[Any], Any] | None, task: spaces.Task, space: gym.Space[Any]
    ) -> Callable[[Any], int] | None:
        if explorer is None:
            return None

        def choose(seen: np.ndarray) -> int:
            if task.states > 0:
                observation: Any = int(seen[0]) + task.first_state
            elif task.picture[0] > 0 and task.view is not None:  # channels first
                observation = np.moveaxis(seen.astype(space.dtype).reshape(task.picture), 0, -1)
            elif task.view is not None:
                observation = gym.spaces.utils.unflatten(space, seen)
            else:
                observation = seen.astype(space.dtype).reshape(space.shape)
            return int(explorer(observation)) - task.first_action

        return choose

    def _configuration(self, explorer: Any, features: Any, seed: int, settings: dict[str, Any]) -> dict[str, Any]:
        chosen = super()._configuration(explorer, None, seed, {})
        if settings.get("kind") in ("mlp", "nature"):
            raise refuse(
                "kind", f'"{settings["kind"]}" is a network, and kind is the schedule\'s; accepted: network_kind="{settings["kind"]}"'
            )
        if self._task.picture[0] > 0 and not {"network_kind", "network.kind"} & settings.keys():
            chosen["network.kind"] = "nature"
        in_python = self._task.vector is not None
        count = self._task.count
        if count > 0:
            chosen["actors.environments"] = count
        if in_python:
            chosen["actors.transitions_per_step"] = math.ceil(16 / count) * count
            numbers = self._task.states or len(self._task.ranges)
            each = 2 * numbers * (1 if self._task.bytes else 4)
            chosen["replay.capacity"] = int(min(100_000, max(1000, REPLAY_BYTES // each)))
        # Their full names, so that what the caller gives wins.
        return {**chosen, **settings} if not in_python else _override(chosen, settings)

    def _rounded(self, steps: int) -> int:
        count = max(1, self._task.count)
        return math.ceil(steps / count) * count

    def _learn(self, steps: int, progress_bar: bool, callback: Callable[[Any], Any] | None) -> None:
        # Steps are counted over all environments, up to a whole round of them.
        if self._failed:
            raise Error("this agent's environments failed while it learned; load it as it was saved (politex.load)")
        if self._process != os.getpid():
            raise Error(
                "this agent was made in another process, and a fork does not copy its threads; accepted here: an agent "
                "that was saved before the fork (politex.load), or pickled"
            )
        super()._learn(steps, progress_bar, callback)

    def _advance(self, one_phase: bool) -> None:
        try:
            super()._advance(one_phase)
        except Exception:
            self._failed = True  # the actors are in the middle of a chunk
            raise

    def q(self, observation: Any = None) -> np.ndarray:
        raise Error(
            "q: a neural learner's policy is made of several networks; accepted: probabilities(observation), network()"
        )

    def network(self, file: FileName | None = None) -> bytes:
        """The newest network as the bytes of a safetensors file, also written to `file`: a file for `explorer=`."""
        data = self._run.network()
        if file is not None:
            with opened(file, "wb") as out:
                out.write(data)
        return data

    @property
    def weights(self) -> np.ndarray:
        raise Error("weights: a neural learner has networks; accepted: network()")

    def export(self, file: Any) -> None:
        """Writes progress as one .npz file."""
        save_arrays(file, self._columns())


def _channels_first(picture: Any) -> np.ndarray:
    return np.moveaxis(np.asarray(picture), -1, 0)


def _see_picture(task: spaces.Task, shape: tuple[int, ...]) -> None:
    """Bytes in the shape of pictures that convolutions can take: (height, width), with colours last, or frames first."""
    if len(shape) == 2:
        shape = (1, *shape)
    if len(shape) != 3:
        return
    if shape[2] <= 4 < shape[0]:
        height, width, channels = shape
        task.view = _channels_first
    else:
        channels, height, width = shape
    if min(height, width) >= SMALLEST_PICTURE and channels <= MOST_CHANNELS:
        task.picture = (channels, height, width)
    else:
        task.view = None


def _override(chosen: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    short = {
        key.rpartition(".")[2]: key for key in ("actors.environments", "actors.transitions_per_step", "replay.capacity")
    }
    if "environments" in settings or "actors.environments" in settings:
        raise Error(
            "environments: the vector environment has the number of them; accepted: gymnasium.make_vec(..., num_envs=N)"
        )
    return {
        **{
            key: value
            for key, value in chosen.items()
            if key.rpartition(".")[2] not in settings or key not in short.values()
        },
        **settings,
    }


class NeuralPolitex(NeuralAgent):
    """Politex with networks, without exploration."""

    _algorithm = "neural_politex"

    if TYPE_CHECKING:

        def __init__(
            self,
            env: Any,
            *,
            explorer: Any = None,
            seed: int | None = 1,
            restart_cost: float = 0.0,
            steps: int | None = None,
            **settings: Unpack[typed.NeuralPolitexSettings],
        ) -> None: ...


class NeuralEEPolitex(NeuralAgent):
    """Exploration-Enhanced Politex with networks, the paper's appendix.

    explorer  a name of `politex list explorers` ("uniform", the default, "always:A", "sticky", "energy_pump", "none" ...),
              "file:PATH" or the path of a file that `politex explore` or agent.network(file) wrote, a function from an
              observation to an action, or an object with predict() as in Stable-Baselines3
    """

    _algorithm = "neural_ee_politex"

    if TYPE_CHECKING:

        def __init__(
            self,
            env: Any,
            *,
            explorer: Any = None,
            seed: int | None = 1,
            restart_cost: float = 0.0,
            steps: int | None = None,
            **settings: Unpack[typed.NeuralEEPolitexSettings],
        ) -> None: ...


class DQN(NeuralAgent):
    """Deep Q-learning, epsilon-greedy; mode="centered" is reward-centred DQN."""

    _algorithm = "dqn"

    if TYPE_CHECKING:

        def __init__(
            self,
            env: Any,
            *,
            seed: int | None = 1,
            restart_cost: float = 0.0,
            steps: int | None = None,
            **settings: Unpack[typed.DQNSettings],
        ) -> None: ...


for _kind in (NeuralPolitex, NeuralEEPolitex, DQN):
    signatures.document(_kind, NeuralAgent)
