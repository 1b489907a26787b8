"""Serves Gymnasium environments and Atari games to politex from a process of their own.

    python -m politex.serve_env ID [option=value ...]             any Gymnasium environment: Discrete actions,
                                                                   observations of numbers
    python -m politex.serve_env atari game=NAME [option=value ...] a game of the Arcade Learning Environment

politex starts this itself; docs/guide/environment-protocol.md has the protocol. It needs NumPy and Gymnasium (for games
ale-py instead), not the compiled part of politex: the file also runs alone. ale-py is under the GPL, version 2, and
lives here, in a process apart.
"""
import difflib
import json
import math
import mmap
import os
import pickle
import socket
import sys
import traceback

os.environ.setdefault("OMP_NUM_THREADS", "1")  # several servers share the cores

PROTOCOL = 1
MESSAGE = 65536
TERMINATED, TRUNCATED, LOST_LIFE = 1, 2, 4
UNBOUNDED = 1e6  # a bound beyond this says nothing


class Refused(Exception):
    """What the user configured is wrong: the key, and what is wrong with it."""

    def __init__(self, key, words):
        super().__init__(words)
        self.key = key


def missing(package, wanted):
    """Inside a virtual environment or not: the python that serves is the one that must have it."""
    return Refused("environment.python", f"the package {package} is missing in {sys.executable}; install it: "
                                         f"{sys.executable} -m pip install {wanted} (or name a python that has it)")


def option_value(text):
    """Numbers, true, false, null and quoted text as in JSON; anything else is plain text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


class GymnasiumEnvironment:
    """One environment. `row` and `last_row` are its places in the shared memory."""

    def __init__(self, name, options):
        import gymnasium
        import numpy
        self.masks, self.possible = True, None  # whether it may have action_masks(); which actions are possible
        try:
            self.env = gymnasium.make(name, **options)
        except Exception as problem:  # whatever a constructor may raise is about what it was given
            said = f"gymnasium.make({name!r}) says: {type(problem).__name__}: {problem}"
            raise Refused("environment.id", said) from problem
        discrete, box = gymnasium.spaces.Discrete, gymnasium.spaces.Box
        actions = self.env.action_space
        if not isinstance(actions, discrete):
            raise Refused("environment.id", f"the actions of {name} are {actions}; accepted: Discrete")
        self.parts = None  # the space of observations that are made a vector here
        space = self.flat_space()
        self.actions, self.first_action = int(actions.n), int(actions.start)
        if isinstance(space, discrete):
            self.states, self.first_state = int(space.n), int(space.start)
            self.shape = self.own_shape = (1,)
            self.type, self.low, self.high = "int64", [0], [self.states - 1]
        elif isinstance(space, box):
            self.states, self.own_shape, self.type = 0, space.shape, served_type(space.dtype)
            self.shape = served_shape(space.shape, self.type)
            self.low, self.high = (numpy.ravel(ends).astype(float) for ends in (space.low, space.high))
        else:
            raise Refused("environment.id", f"the observations of {name} are {space}; accepted: numbers (Discrete, Box, "
                                            "MultiDiscrete, MultiBinary, and Tuple and Dict of these)")
        self.episode = int(getattr(self.env.spec, "max_episode_steps", None) or 0)
        # An environment may know better than pickle how to become bytes.
        own = self.env.unwrapped
        self.pictures = self.env.render_mode == "rgb_array"
        self.own = own if hasattr(own, "politex_save") and hasattr(own, "politex_restore") else None

    def flat_space(self):
        """Numbers of several parts become one vector, with an indicator per value, as for the learners in Python."""
        from gymnasium import spaces
        space = self.env.observation_space
        if isinstance(space, (spaces.MultiDiscrete, spaces.MultiBinary, spaces.Tuple, spaces.Dict)):
            flat = spaces.utils.flatten_space(space)
            if isinstance(flat, spaces.Box) and flat.shape[0] > 0:
                self.parts = space
                return flat
        return space

    def numbers_of(self, seen):
        if self.parts is None:
            return seen
        from gymnasium import spaces
        return spaces.utils.flatten(self.parts, seen)

    def can_save(self):
        """Tried, on an environment made for that: a copy from bytes continues as the original does. (What Gymnasium calls
        EzPickle makes a new environment of its constructor's arguments and forgets the state.)"""
        try:
            self.start_only(1)
            copy = self.save()
            first = [self.trial_step() for _ in range(3)]
            self.restore(copy)
            return first == [self.trial_step() for _ in range(3)]
        except Exception:
            return False

    def measure(self):
        """Ends that say nothing are replaced by what uniformly random actions meet, half as wide again."""
        import numpy
        if self.states or self.type == "uint8":
            return
        unbounded = (numpy.abs(self.low) > UNBOUNDED) | (numpy.abs(self.high) > UNBOUNDED)
        if not unbounded.any():
            return
        met, random = [self.start_only(1)], numpy.random.default_rng(1)
        for action in random.integers(self.actions, size=1000).tolist():
            seen, _, terminated, truncated = self.act(action)
            met.append(seen)
            if terminated or truncated:
                met.append(self.reset())
        met = numpy.array(met, float).reshape(len(met), -1)
        low, high = met.min(axis=0), met.max(axis=0)
        margin = numpy.maximum(high - low, 1e-6) / 4
        self.low = numpy.where(unbounded, low - margin, self.low)
        self.high = numpy.where(unbounded, high + margin, self.high)

    def own_view(self, row):
        """A place in the memory as the environment sees its observations: colours last."""
        turned = len(self.own_shape) == 3 and self.shape != self.own_shape
        return row.transpose(1, 2, 0) if turned else row.reshape(self.own_shape)

    def start_only(self, seed):
        return self.reset(seed=seed)

    def reset(self, **options):
        seen, info = self.env.reset(**options)
        self.read_masks(info)
        return self.numbers_of(seen)

    def act(self, action):
        """One step; a masked action is never executed: the first possible one is, in its place."""
        if self.possible is not None and not self.possible[action]:
            action = list(map(bool, self.possible)).index(True)
        seen, reward, terminated, truncated, info = self.env.step(action + self.first_action)
        self.read_masks(info)
        return self.numbers_of(seen), reward, terminated, truncated

    def read_masks(self, info):
        try:
            masks = self.env.get_wrapper_attr("action_masks") if self.masks else None
        except AttributeError:
            self.masks, masks = False, None
        self.possible = masks() if masks else info.get("action_mask")

    def trial_step(self):
        seen, reward, terminated, truncated = self.act(0)
        if terminated or truncated:
            seen = self.reset()
        shown = seen.tolist() if hasattr(seen, "tolist") else seen
        return repr((shown, float(reward), bool(terminated), bool(truncated)))

    def show(self, row, seen):
        if self.states:
            row[0] = int(seen) - self.first_state
        elif getattr(seen, "shape", None) != self.own_shape:
            raise ValueError(f"an observation has the shape {getattr(seen, 'shape', type(seen).__name__)}; its "
                             f"observation_space says {self.own_shape}")
        else:
            row[...] = seen

    def start(self, seed):
        self.show(self.row, self.start_only(seed))

    def step(self, action):
        seen, reward, terminated, truncated = self.act(action)
        if terminated or truncated:
            self.show(self.last_row, seen)
            seen = self.reset()
            self.show(self.row, seen)
            return reward, reward, (TERMINATED if terminated else 0) + (TRUNCATED if truncated else 0)
        self.show(self.row, seen)
        return reward, reward, 0

    def picture(self):
        return self.env.render()

    def save(self):
        if self.own:
            return self.own.politex_save()
        return pickle.dumps(self.env if self.possible is None else (self.env, self.possible))

    def restore(self, saved):
        if self.own:
            self.own.politex_restore(saved)
        else:
            loaded = pickle.loads(saved)
            self.env, self.possible = loaded if isinstance(loaded, tuple) else (loaded, None)

    def close(self):
        self.env.close()


def served_type(dtype):
    """The type of the protocol that holds every number of this one."""
    known = {"uint8": "uint8", "bool": "uint8", "int8": "int32", "int16": "int32", "uint16": "int32", "int32": "int32",
             "float16": "float32", "float32": "float32"}
    return known.get(str(dtype), "float64" if dtype.kind == "f" else "int64")


def served_shape(shape, kind):
    """Pictures are served as channels x height x width; Gymnasium's have their colours last, or none."""
    if kind != "uint8":
        return shape or (1,)
    if len(shape) == 3 and shape[2] <= 4 < shape[0]:
        return (shape[2], shape[0], shape[1])
    return (1, *shape) if len(shape) == 2 else shape or (1,)


def few(ends, worst):
    """One for all where they agree, or where there are too many for a message."""
    if all(end == ends[0] for end in ends):
        return [float(ends[0])]
    return [float(end) for end in ends] if len(ends) <= 1000 else [float(worst(ends))]


class AtariGame:
    """A game as the DQN literature plays it: an action is repeated, what is shown is the larger of the last two frames,
    gray, 84 x 84, four of them; or the 128 bytes of the console's memory. Seeds mean what they mean to Gymnasium's
    AtariPreprocessing."""

    states = 0
    side, stack = 84, 4
    pictures, restored = True, None  # the frame that a game was put back to

    def __init__(self, game="ms_pacman", observation="ram", frame_skip=4, sticky=0.25, noops=30, life_loss=True,
                 frames=108000):
        try:
            import ale_py
            import ale_py.roms
        except ImportError as problem:
            raise missing("ale-py", "ale-py") from problem
        import numpy
        self.numpy = numpy
        known = sorted(ale_py.roms.get_all_rom_ids())
        if game not in known:
            near = difflib.get_close_matches(str(game), known, n=3, cutoff=0.4) or known[:3]
            raise Refused("environment.game",
                          f"there is no game \"{game}\"; the nearest: {', '.join(near)} ({len(known)} games)")
        try:
            self.rom = ale_py.roms.get_rom_path(game)
        except OSError as problem:
            raise Refused("environment.game", f"the game \"{game}\" is not there: {problem}") from problem
        self.pixels, self.skip, self.noops, self.life_loss = observation == "pixels", frame_skip, noops, life_loss
        ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)
        self.ale = ale_py.ALEInterface()
        self.ale.setFloat("repeat_action_probability", sticky)
        self.ale.setInt("max_num_frames_per_episode", frames)
        self.ale.loadROM(self.rom)
        self.moves = self.ale.getMinimalActionSet()
        self.actions, self.episode = len(self.moves), 0
        self.type, self.low, self.high = "uint8", [0], [255]
        self.shape = (self.stack, self.side, self.side) if self.pixels else (self.ale.getRAMSize(),)
        if self.pixels:
            self.newest, self.older = (numpy.zeros(self.ale.getScreenDims(), numpy.uint8) for _ in range(2))
            self.small = AreaResize(numpy, self.ale.getScreenDims(), self.side)

    def can_save(self):
        return True

    def own_view(self, row):
        return row

    def start(self, seed):
        numpy = self.numpy
        own_seed, game_seed = numpy.random.SeedSequence(seed).generate_state(2)
        self.random = numpy.random.Generator(numpy.random.PCG64(numpy.random.SeedSequence(int(own_seed))))
        self.ale.setInt("random_seed", int(numpy.uint32(game_seed).astype(numpy.int32)))
        self.ale.loadROM(self.rom)  # only this takes the seed in
        self.begin()

    def begin(self):
        self.ale.reset_game()
        for _ in range(int(self.random.integers(1, self.noops + 1)) if self.noops else 0):
            self.ale.act(self.moves[0])
            if self.ale.game_over():
                self.ale.reset_game()
        self.lives = self.ale.lives()
        if not self.pixels:
            self.ale.getRAM(self.row)
            return
        self.ale.getScreenGrayscale(self.newest)
        self.row[:] = self.small(self.newest)

    def show(self, row):
        if not self.pixels:
            self.ale.getRAM(row)
            return
        self.numpy.maximum(self.newest, self.older, out=self.newest)
        row[:-1] = self.row[1:]
        row[-1] = self.small(self.newest)

    def step(self, action):
        ale, move, score = self.ale, self.moves[action], 0
        ended = False
        for frame in range(self.skip):
            score += ale.act(move)
            ended = ale.game_over()
            if ended:
                break
            if self.pixels and frame >= self.skip - 2:
                ale.getScreenGrayscale(self.newest if frame == self.skip - 1 else self.older)
        if ended:
            flags = TERMINATED if ale.game_over(with_truncation=False) else TRUNCATED
            self.show(self.last_row)
            self.begin()
            return score, score, flags
        self.show(self.row)
        lives = ale.lives()
        lost, self.lives = lives < self.lives, lives
        return score, score, LOST_LIFE if lost and self.life_loss else 0

    def picture(self):
        if self.ale.getFrameNumber() != self.restored:
            return self.ale.getScreenRGB()
        # A saved game has no screen: that of its next frame is shown, and the frame taken back.
        state = self.ale.cloneState(include_rng=True)
        self.ale.act(self.moves[0])
        seen = self.ale.getScreenRGB()
        self.ale.restoreState(state)
        return seen

    def save(self):
        return pickle.dumps((self.ale.cloneState(include_rng=True), self.random.bit_generator.state, self.lives))

    def restore(self, saved):
        state, random, self.lives = pickle.loads(saved)
        self.random = self.numpy.random.Generator(self.numpy.random.PCG64())
        self.random.bit_generator.state = random
        self.ale.restoreState(state)
        self.restored = self.ale.getFrameNumber()

    def close(self):
        pass


class AreaResize:
    """A picture to side x side by the mean over each small pixel's area: OpenCV's INTER_AREA, in its order of sums."""

    def __init__(self, numpy, size, side):
        self.numpy = numpy
        self.rows, self.columns = (self.parts(numpy, length, side) for length in size)

    @staticmethod
    def parts(numpy, length, side):
        """For each of `side` cells of a line: which of its `length` pixels it covers, and each one's share of it."""
        scale = length / side
        most = int(math.ceil(scale)) + 1
        index, share = numpy.zeros((most, side), numpy.intp), numpy.zeros((most, side), numpy.float32)
        for cell in range(side):
            begin, end = cell * scale, min((cell + 1) * scale, length)
            parts = [(pixel, (min(pixel + 1, end) - max(pixel, begin)) / min(scale, length - begin))
                     for pixel in range(int(begin), min(int(math.ceil(end)), length))]
            for at, (pixel, part) in enumerate((pixel, part) for pixel, part in parts if part > 1e-3 / scale):
                index[at, cell], share[at, cell] = pixel, part
        used = share.any(axis=1).sum()
        return index[:used], share[:used]

    def __call__(self, picture):
        numpy = self.numpy
        across = sum_of_parts(picture.take(index, axis=1) * share for index, share in zip(*self.columns))
        down = sum_of_parts(across.take(index, axis=0) * share[:, None] for index, share in zip(*self.rows))
        return numpy.rint(down).astype(numpy.uint8)


def sum_of_parts(parts):
    total = next(parts)
    for part in parts:
        total += part
    return total


def make_all(words, count):
    """The environments that the command line names, and whether they can be saved."""
    if not words:
        raise Refused("environment.id", "is missing; accepted: the name of a Gymnasium environment, or atari")
    options = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals:
            raise Refused("environment.options", f"'{word}' is not an option; accepted: key=value, separated by spaces")
        options[key] = option_value(value)
    try:
        import numpy  # noqa: F401
    except ImportError as problem:
        raise missing("numpy", "ale-py" if words[0] == "atari" else "gymnasium") from problem
    if words[0] == "atari":
        games = [AtariGame(**options) for _ in range(count)]
        return games, True
    try:
        import gymnasium  # noqa: F401
    except ImportError as problem:
        raise missing("gymnasium", "gymnasium") from problem
    environments = [GymnasiumEnvironment(words[0], options) for _ in range(count)]
    trial = GymnasiumEnvironment(words[0], options)
    can_save = trial.can_save()
    trial.measure()
    environments[0].low, environments[0].high = trial.low, trial.high
    trial.close()
    return environments, can_save


def hello(name, environment, can_save):
    lines = [f"politex {PROTOCOL}", f"name {name}", f"actions {environment.actions}",
             f"observation {environment.type} {' '.join(map(str, environment.shape))}",
             "low " + " ".join(map(repr, few(environment.low, min))),
             "high " + " ".join(map(repr, few(environment.high, max))),
             f"episode {environment.episode}", f"save {int(can_save)}", f"pictures {int(environment.pictures)}"]
    if environment.states:
        lines.append(f"states {environment.states}")
    return "\n".join(lines) + "\n"


def map_memory(text, environments):
    """Actions, rewards, scores and flags as flat views; every environment gets its rows."""
    import numpy
    at = {key: int(value) for key, value in (line.split() for line in text.split("\n") if line)}
    memory = mmap.mmap(4, at["memory"])
    count = len(environments)
    first = environments[0]
    dtype, numbers = numpy.dtype(first.type), math.prod(first.shape)
    for key, name in (("observations", "row"), ("last", "last_row")):
        rows = numpy.frombuffer(memory, dtype, count * numbers, at[key]).reshape((count, *first.shape))
        for environment, row in zip(environments, rows):
            setattr(environment, name, environment.own_view(row))
    view = memoryview(memory)
    return [view[at[key]:at[key] + count * size].cast(kind)
            for key, size, kind in (("actions", 4, "i"), ("rewards", 8, "d"), ("scores", 8, "d"), ("flags", 1, "B"))]


class Served:
    """The conversation with politex."""

    def __init__(self, connection, words):
        self.connection, self.words = connection, words
        self.index = None  # of the environment that has the word, for messages

    def hear(self):
        message = self.connection.recv(MESSAGE)
        if not message:
            raise SystemExit(0)  # politex is gone
        return message

    def say(self, text):
        self.connection.send(text.encode() if isinstance(text, str) else text)

    def say_bytes(self, carried):
        for at in range(0, len(carried), MESSAGE):
            self.say(carried[at:at + MESSAGE])

    def run(self):
        try:
            self.begin()
            self.serve()
        except Refused as problem:
            self.last_words(f"refuse {problem.key} {problem}")
        except (BrokenPipeError, ConnectionResetError):
            pass  # politex is gone
        except Exception as problem:
            traceback.print_exc()
            self.last_words(f"error {'-' if self.index is None else self.index} {type(problem).__name__}: {problem}")

    def last_words(self, text):
        try:
            self.say(text[:4000])
        except OSError:
            pass  # another server's words came first
        raise SystemExit(1)

    def begin(self):
        lines = [line.split() for line in self.hear().decode().split("\n") if line]
        if lines[0] != ["politex", str(PROTOCOL)]:
            raise RuntimeError(f"this server speaks version {PROTOCOL} of the protocol; it was greeted by {lines[0]}")
        seeds = [int(value) for key, value in lines if key == "seed"]
        self.environments, can_save = make_all(self.words, len(seeds))
        name = " ".join(self.words[:2]) if self.words[0] == "atari" else self.words[0]
        self.say(hello(name, self.environments[0], can_save))
        self.views = map_memory(self.hear().decode(), self.environments)
        for self.index, (environment, seed) in enumerate(zip(self.environments, seeds)):
            environment.start(seed)
        self.index = None
        self.say("ok")

    def serve(self):
        actions, rewards, scores, flags = self.views
        steps = [environment.step for environment in self.environments]
        recv, send = self.connection.recv, self.connection.send
        while True:
            message = recv(MESSAGE)
            if message == b"step":
                index = 0
                try:
                    for step, action in zip(steps, actions.tolist()):
                        rewards[index], scores[index], flags[index] = step(action)
                        index += 1
                except Exception:
                    self.index = index
                    raise
                send(b"ok")
            elif not message:
                break
            else:
                self.carry(message.decode().split())
        for environment in self.environments:
            environment.close()

    def carry(self, words):
        """Environments to bytes and back, and to look at."""
        self.index = int(words[1])
        environment = self.environments[self.index]
        if words[0] == "save":
            saved = environment.save()
            self.say(f"bytes {len(saved)}")
            self.say_bytes(saved)
        elif words[0] == "picture":
            seen = environment.picture()
            if getattr(seen, "dtype", None) != "uint8" or seen.ndim != 3 or seen.shape[2] != 3:
                raise ValueError(f"render() gives {getattr(seen, 'shape', type(seen).__name__)}; a picture is height x "
                                 "width x 3, of uint8")
            self.say(f"picture {seen.shape[0]} {seen.shape[1]}")
            self.say_bytes(seen.tobytes())
        elif words[0] == "restore":
            saved = b""
            while len(saved) < int(words[2]):
                saved += self.hear()
            environment.restore(saved)
            self.say("ok")
        else:
            raise RuntimeError(f"unknown message: {words}")
        self.index = None


def main():
    try:
        connection = socket.socket(fileno=3)
        started_by_politex = connection.family == socket.AF_UNIX
    except OSError:
        started_by_politex = False
    if not started_by_politex:
        print(__doc__, file=sys.stderr)
        raise SystemExit(2)
    os.set_inheritable(3, False)
    sys.path.insert(0, os.getcwd())  # environments of the user's own: id = "module:Name-v0"
    Served(connection, sys.argv[1:]).run()


if __name__ == "__main__":
    main()
