"""Gymnasium environments in processes of their own, through the program: the same bits however they are divided and
stopped, and every way in which an environment can fail.

usage: gymnasium_test.py PROGRAM SOURCES
"""
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = sys.argv[1]
LINEAR = """
steps = 40000
[environment]
name = "gymnasium"
id = "CartPole-v1"
[algorithm]
name = "ee_politex"
[explorer]
name = "uniform"
[schedule]
explore = 20
follow = 100
"""
NEURAL = """
steps = 16000
[environment]
name = "gymnasium"
id = "CartPole-v1"
[algorithm]
name = "neural_politex"
[schedule]
phase_steps = 100
[network]
hidden = 16
[learner]
batch = 16
[replay]
capacity = 5000
[actors]
environments = 6
"""
FAULTY = '''
import os, time
import gymnasium, numpy

class Faulty(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(-1, 1, (2,), numpy.float32)
    action_space = gymnasium.spaces.Discrete(2)

    metadata = {"render_modes": ["rgb_array", "ansi"], "render_fps": 30}

    def __init__(self, fault="none", render_mode=None):
        self.fault, self.render_mode, self.age = fault, render_mode, 0

    def render(self):
        seen = numpy.zeros((200, 150, 3), numpy.uint8)
        seen[self.age, :, 1] = 255
        return seen / 255 if self.fault == "picture" else seen

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        return numpy.zeros(2, numpy.float32), {}

    def step(self, action):
        self.age += 1
        seen = self.np_random.uniform(-1, 1, 2).astype(numpy.float32)
        if self.age == 700:
            if self.fault == "die": os.kill(os.getpid(), 11)
            if self.fault == "hang": time.sleep(1e6)
            if self.fault == "nan": seen[1] = numpy.nan
            if self.fault == "reward": return seen, float("inf"), False, False, {}
            if self.fault == "shape": seen = numpy.zeros(3, numpy.float32)
            if self.fault == "raise": raise RuntimeError("the motor is on fire")
        return seen, float(action), self.age % 50 == 0, False, {}

class Pairs(Faulty):
    observation_space = gymnasium.spaces.MultiDiscrete([3, 4])

    def reset(self, seed=None, options=None):
        return numpy.array([2, 2]), super().reset(seed=seed)[1]

    def step(self, action):
        _, *rest = super().step(action)
        return numpy.array([self.age % 3, self.age % 4]), *rest

class Wordy(Faulty):
    observation_space = gymnasium.spaces.Text(5)

gymnasium.register("Pairs-v0", Pairs)
gymnasium.register("Wordy-v0", Wordy)
gymnasium.register("Faulty-v0", Faulty)
gymnasium.register("Forgetful-v0", type("Forgetful", (Faulty, gymnasium.utils.EzPickle), {}))
'''


def children_of(process):
    found = []
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(OSError):  # a thread may end meanwhile
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def lives(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


class Runs(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.here = pathlib.Path(self.place.name)
        for name, text in (("linear.toml", LINEAR), ("neural.toml", NEURAL), ("faulty.py", FAULTY)):
            (self.here / name).write_text(text)
        self.start = dict(cwd=self.here, text=True, env={**os.environ, "POLITEX_PYTHON": sys.executable})

    def run_with(self, *words):
        return subprocess.run([PROGRAM, "run", *words, "--quiet"], capture_output=True, check=False, **self.start)

    def signature(self, *words):
        said = self.run_with(*words, "--json")
        self.assertEqual(said.returncode, 0, said.stderr)
        return json.loads(said.stdout)["signature"]

    def test_any_number_of_processes_gives_the_same_bits(self):
        self.assertEqual(len({self.signature("neural.toml", f"actors.processes={count}") for count in (1, 2, 3)}), 1)

    def test_finite_environments(self):
        for name in ("FrozenLake-v1", "CliffWalking-v1"):
            self.signature("linear.toml", f"environment.id={name}", "steps=5000")
        self.assertNotEqual(self.signature("linear.toml", "environment.id=FrozenLake-v1", "steps=5000"),
                            self.signature("linear.toml", "environment.id=FrozenLake-v1", "steps=5000",
                                           "environment.options=is_slippery=false"))

    def test_a_killed_run_leaves_nothing_and_goes_on_with_the_same_bits(self):
        for kind in ("linear", "neural"):
            expected = self.signature(f"{kind}.toml", "steps=60000")
            command = [PROGRAM, "run", f"{kind}.toml", "steps=60000", "--out", kind, "--checkpoint-seconds", "0.05"]
            run = subprocess.Popen([*command, "--quiet"], stdout=subprocess.DEVNULL, **self.start)
            saved = self.here / kind / "checkpoint"
            while not list(saved.glob("*.checkpoint")) and run.poll() is None:
                time.sleep(0.01)
            run.send_signal(signal.SIGSTOP)  # so that its children wait for it while they are looked at
            children = children_of(run.pid) if run.poll() is None else []
            for process in children:  # what they share has no name: nothing can be left in /dev/shm
                maps = pathlib.Path(f"/proc/{process}/maps").read_text()
                self.assertIn("/memfd:politex", maps)
                self.assertNotIn("/dev/shm/", maps)
            run.send_signal(signal.SIGKILL)
            run.wait()
            for child in children:
                for _ in range(500):
                    if lives(child):
                        time.sleep(0.01)
                self.assertFalse(lives(child), f"{kind}: {child} outlived its parent")
            self.assertEqual(self.signature("--resume", kind), expected, kind)

    def test_every_fault_is_named_and_the_run_can_be_resumed(self):
        for fault, words in (("die", "signal 11"), ("hang", "no answer within 8 s"), ("shape", "(3,)"),
                             ("nan", "number 1 of its observation is nan"), ("reward", "reward is inf"),
                             ("raise", "the motor is on fire")):
            said = self.run_with("linear.toml", "environment.id=faulty:Faulty-v0", f"environment.options=fault={fault}",
                                 f"environment.time_limit={8 if fault == 'hang' else 60}", "--out", fault)
            self.assertEqual(said.returncode, 1, f"{fault}: {said.stderr}")
            self.assertIn(words, said.stderr)
            self.assertIn("environment 0", said.stderr)
            self.assertIn(f"politex run --resume {fault}", said.stderr)
            self.assertTrue((self.here / fault / "config.toml").exists())

    def test_bad_input_is_refused_before_anything_runs(self):
        for words, expected in (("environment.id=Nope-v1", "environment.id"), ("environment.id=", "is missing"),
                            ("environment.id=Pendulum-v1", "accepted: Discrete"),
                            ("environment.id=faulty:Wordy-v0", "accepted: numbers"),
                            ("environment.options=colour", "key=value"),
                            ("environment.python=no-such-python", "no-such-python"),
                            ("environment.time_limit=0", "time_limit")):
            said = self.run_with("linear.toml", words, "--out", "bad")
            self.assertEqual(said.returncode, 2, f"{words}: {said.stderr}")
            self.assertIn(expected, said.stderr)
            self.assertFalse((self.here / "bad").exists())

    def test_observations_of_several_numbers(self):
        """As in Python: one indicator per value."""
        for name in ("faulty:Pairs-v0", "Blackjack-v1"):
            signatures = {self.signature("linear.toml", f"environment.id={name}", "steps=2000") for _ in range(2)}
            self.assertEqual(len(signatures), 1)
        environments, can_save = self.server().make_all(["faulty:Pairs-v0"], 1)
        self.assertTrue(can_save)
        self.assertEqual(environments[0].shape, (7,))
        self.assertEqual(environments[0].start_only(1).tolist(), [0, 0, 1, 0, 0, 1, 0])

    def server(self):
        sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "src/apps/python/politex"))
        sys.path.insert(0, str(self.here))
        import serve_env
        return serve_env

    def test_pictures(self):
        serve_env = self.server()

        def described(*options):
            environments, can_save = serve_env.make_all(["faulty:Faulty-v0", *options], 2)
            return environments, serve_env.hello("it", environments[0], can_save)

        self.assertIn("\npictures 0\n", described()[1])
        self.assertIn("\npictures 0\n", described("render_mode=ansi")[1])
        for fault in ("none", "picture"):
            environments, hello = described("render_mode=rgb_array", f"fault={fault}")
            self.assertIn("\npictures 1\n", hello)
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            served = serve_env.Served(theirs, [])
            served.environments = environments
            for environment in environments:
                environment.start_only(1)
            environments[1].trial_step()
            with ours, theirs:
                if fault == "picture":
                    with self.assertRaisesRegex(ValueError, "of uint8"):
                        served.carry(["picture", "1"])
                    continue
                served.carry(["picture", "1"])
                self.assertEqual(ours.recv(65536), b"picture 200 150")
                seen = b"".join(ours.recv(65536) for _ in range(2))
                self.assertEqual(seen[:900], bytes(450) + b"\0\xff\0" * 150, "row 1 is green after a step")
                self.assertEqual(len(seen), 3 * 200 * 150)

    def test_what_cannot_be_saved_is_found_out(self):
        serve_env = self.server()
        self.assertTrue(serve_env.make_all(["CartPole-v1"], 1)[1])
        self.assertTrue(serve_env.make_all(["faulty:Faulty-v0"], 1)[1])
        self.assertFalse(serve_env.make_all(["faulty:Forgetful-v0"], 1)[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
