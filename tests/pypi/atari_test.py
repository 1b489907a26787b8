"""Atari games as src/apps/python/politex/serve_env.py serves them, frame by frame compared with Gymnasium's AtariPreprocessing
and ale-py's vector environment; saved games; what a user may get wrong.

usage: atari_test.py PROGRAM SOURCES
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import ale_py
import gymnasium
import numpy as np
from ale_py.vector_env import AtariVectorEnv

PROGRAM, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(SOURCES / "src/apps/python/politex"))
import serve_env  # noqa: E402

gymnasium.register_envs(ale_py)


def game(seed=7, **options):
    made = serve_env.AtariGame(game="ms_pacman", **options)
    made.row, made.last_row = (np.zeros(made.shape, np.uint8) for _ in range(2))
    made.start(seed)
    return made


class Frames(unittest.TestCase):
    def test_pixels_are_those_of_atari_preprocessing(self):
        for sticky in (0.25,):
            peer = gymnasium.wrappers.FrameStackObservation(gymnasium.wrappers.AtariPreprocessing(
                gymnasium.make("ALE/MsPacman-v5", frameskip=1, repeat_action_probability=sticky)), 4)
            ours = game(observation="pixels", sticky=sticky)
            seen, _ = peer.reset(seed=7)
            np.testing.assert_array_equal(ours.row, seen)
            games, random = 0, np.random.default_rng(0)
            while games < 1:
                action = int(random.integers(9))
                seen, reward, terminated, truncated, _ = peer.step(action)
                learned, score, flags = ours.step(action)
                self.assertEqual((learned, score), (reward, reward))
                self.assertEqual(flags & 3, terminated + 2 * truncated)
                if terminated or truncated:
                    np.testing.assert_array_equal(ours.last_row, seen)
                    seen, _ = peer.reset()
                    games += 1
                np.testing.assert_array_equal(ours.row, seen)

    def test_pixels_are_those_of_the_vector_environment(self):
        # It draws its own no-ops and shows black where a game has had fewer than four pictures; we repeat the first.
        peer = AtariVectorEnv("ms_pacman", 1, noop_max=0, repeat_action_probability=0.0, use_fire_reset=False,
                              autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP)
        ours = game(observation="pixels", sticky=0.0, noops=0)
        seen, _ = peer.reset(seed=7)
        np.testing.assert_array_equal(ours.row[-1], seen[0][-1])
        random, pictures, games = np.random.default_rng(0), 1, 0
        while games < 1 or pictures < 10:
            action = int(random.integers(9))
            seen, reward, terminated, _, _ = peer.step(np.array([action]))
            learned, _, flags = ours.step(action)
            self.assertEqual(np.sign(learned), reward[0])  # it clips
            self.assertEqual(bool(flags & 1), terminated[0])
            pictures = 1 if terminated[0] else min(pictures + 1, 10)
            games += int(terminated[0])
            shared = min(pictures, 4)
            np.testing.assert_array_equal(ours.row[-shared:], seen[0][-shared:])

    def test_ram_is_that_of_gymnasium(self):
        peer = gymnasium.make("ALE/MsPacman-v5", obs_type="ram")  # four frames, sticky .25
        ours = game(noops=0)
        seen, _ = peer.reset(seed=7)
        np.testing.assert_array_equal(ours.row, seen)
        for action in np.random.default_rng(0).integers(9, size=300).tolist():
            seen, reward, terminated, _, _ = peer.step(action)
            self.assertEqual(ours.step(action)[1], reward)
            if terminated:
                break
            np.testing.assert_array_equal(ours.row, seen)


class Rules(unittest.TestCase):
    def test_lives_scores_and_clocks(self):
        played = game(sticky=0.0)
        lost, flags, scores = 0, 0, set()
        while not flags & 1:
            learned, score, flags = played.step(0)
            self.assertEqual(learned, score)
            lost += bool(flags & 4)
            scores.add(score)
        self.assertEqual(lost, 2, "three lives: the last one ends the game instead")
        self.assertIn(10, scores)
        short = game(frames=400, noops=0)
        flags = [short.step(0)[2] for _ in range(100)]
        self.assertEqual(flags[:99], [0] * 99)
        self.assertEqual(flags[99], 2, "a cut, not an end")
        careless = game(sticky=0.0, life_loss=False)
        self.assertFalse(any(careless.step(0)[2] & 4 for _ in range(200)))

    def test_a_saved_game_goes_on_with_the_same_bits(self):
        for observation in ("ram", "pixels"):
            ours, other = game(observation=observation), game(seed=9, observation=observation)
            for action in (1, 2, 3, 4) * 30:
                ours.step(action)
            other.restore(ours.save())
            other.row[...] = ours.row  # politex keeps what was shown
            steps = np.random.default_rng(0).integers(9, size=400).tolist()
            for action in steps:
                self.assertEqual(ours.step(action), other.step(action))
                np.testing.assert_array_equal(ours.row, other.row)


class Pictures(unittest.TestCase):
    def test_the_screen_is_that_of_gymnasium(self):
        peer = gymnasium.make("ALE/MsPacman-v5", obs_type="ram", render_mode="rgb_array")
        ours = game(noops=0)
        peer.reset(seed=7)
        self.assertTrue(ours.pictures)
        for action in np.random.default_rng(0).integers(9, size=60).tolist():
            np.testing.assert_array_equal(ours.picture(), peer.render())
            peer.step(action)
            ours.step(action)

    def test_looking_changes_no_bit(self):
        for observation in ("ram", "pixels"):
            ours, other = game(observation=observation), game(observation=observation)
            saved = ours.save()
            for action in np.random.default_rng(0).integers(9, size=300).tolist():
                self.assertEqual(ours.picture().shape, (210, 160, 3))
                self.assertEqual(ours.step(action), other.step(action))
                np.testing.assert_array_equal(ours.row, other.row)
            # Back at the start: a saved game has no screen, one is made and taken back.
            end = ours.picture()
            for one in (ours, other):
                one.restore(saved)
            first, again = ours.picture(), ours.picture()
            np.testing.assert_array_equal(first, again)
            self.assertTrue((first != end).any())
            for action in (1, 2, 3, 4) * 30:
                self.assertEqual(ours.step(action), other.step(action))
                np.testing.assert_array_equal(ours.row, other.row)


CONFIG = """
steps = 1200
[environment]
name = "atari"
[algorithm]
name = "neural_politex"
[schedule]
phase_steps = 20
[network]
hidden = 16
[learner]
batch = 16
[replay]
capacity = 2000
[actors]
environments = 4
"""


PIXELS = ["environment.observation=pixels", "network.kind=nature", "learner.batch=4", "replay.capacity=500"]


class Program(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.here = pathlib.Path(place.name)
        (self.here / "game.toml").write_text(CONFIG)
        self.start = dict(cwd=self.here, text=True, env={**os.environ, "POLITEX_PYTHON": sys.executable})

    def run_to(self, out, *words):
        """The directory of a whole run."""
        said = subprocess.run([PROGRAM, "run", "game.toml", *words, "--out", out, "--quiet"], capture_output=True,
                              check=False, **self.start)
        self.assertEqual(said.returncode, 0, said.stderr)
        return self.here / out

    def outcome(self, out):
        return (out / "progress.csv").read_bytes(), json.loads((out / "summary.json").read_text())["signature"]

    def run_with(self, *words, python=sys.executable):
        return subprocess.run([PROGRAM, "run", "/dev/stdin", *words, "--json", "--quiet"], input=CONFIG, text=True,
                              capture_output=True, env={**os.environ, "POLITEX_PYTHON": python}, check=False)

    def test_any_number_of_processes_gives_the_same_bits(self):
        said = [self.run_with(f"actors.processes={count}") for count in (1, 2)]
        self.assertEqual([one.returncode for one in said], [0, 0], said[0].stderr)
        self.assertEqual(*(json.loads(one.stdout)["signature"] for one in said))

    def test_a_killed_run_goes_on_with_the_same_bits(self):
        for words in (["steps=8000"], [*PIXELS, "steps=1200"]):
            self.assertEqual(*(self.outcome(self.run_to(f"whole{count}", *words, f"actors.processes={count}"))
                               for count in (1, 2)))
            for count in (1, 2):
                out = self.here / f"killed{count}-{len(words)}"
                command = [PROGRAM, "run", "game.toml", *words, f"actors.processes={count}", "--out", out, "--quiet",
                           "--checkpoint-seconds", "0.1"]
                with subprocess.Popen(command, stdout=subprocess.DEVNULL, **self.start) as run:
                    while not list((out / "checkpoint").glob("*.checkpoint")) and run.poll() is None:
                        time.sleep(0.01)
                    self.assertIsNone(run.poll(), "it ended before it could be killed")
                    run.kill()
                said = subprocess.run([PROGRAM, "run", "--resume", out, "--quiet"], capture_output=True, check=False,
                                      **self.start)
                self.assertEqual(said.returncode, 0, said.stderr)
                self.assertRegex((out / "log.txt").read_text(), "resumed after [1-9]")
                self.assertEqual(self.outcome(out), self.outcome(self.here / "whole1"), words)
            shutil.rmtree(self.here / "whole1")
            shutil.rmtree(self.here / "whole2")

    def test_pictures_do_not_depend_on_the_kernels_that_the_processor_allows(self):
        outcomes = set()
        for asked in ("DEFAULT", "AVX2", "SSE41"):  # what oneDNN would obey if politex did not hold it to one
            self.start["env"]["ONEDNN_MAX_CPU_ISA"] = asked
            outcomes.add(self.outcome(self.run_to(asked, *PIXELS, "steps=400")))
        self.assertEqual(len(outcomes), 1)

    def test_an_explorer_on_pictures_is_read_from_its_file(self):
        taught = self.run_to("taught", *PIXELS, "steps=200")
        explored = ["algorithm.name=neural_ee_politex", "explorer.name=file", "steps=400",
                    f"explorer.file={taught / 'network.safetensors'}"]
        self.run_to("explored", *PIXELS, *explored)
        said = self.run_with(*explored)  # on memory
        self.assertEqual(said.returncode, 2)
        self.assertIn("is a network of 28224 inputs", said.stderr)

    def test_bad_input_is_refused_before_anything_runs(self):
        unknown = self.run_with("environment.game=mspacman")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("ms_pacman", unknown.stderr)
        missing = self.run_with(python="/usr/bin/python3")  # the distribution has no ale-py
        self.assertEqual(missing.returncode, 2)
        self.assertIn("-m pip install ale-py", missing.stderr)
        memory = self.run_with("network.kind=nature")
        self.assertEqual(memory.returncode, 2)
        self.assertIn("network.kind", memory.stderr)
        self.assertIn("environment.observation=pixels", memory.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
