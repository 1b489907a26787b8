"""politex.run: the program's bits, interrupts, and bad input."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest

import numpy as np

import politex

CONFIGURATION = textwrap.dedent("""
    steps = 20_000
    seed = 3
    [environment]
    name = "deep_sea"
    size = 5
    [algorithm]
    horizon = "4N"
    [schedule]
    explore = "3N/4"
    follow = "8N"
    """)
PROGRAM = os.environ.get("POLITEX_PROGRAM") or str(pathlib.Path(sys.executable).parent / "politex")


class Run(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.directory = pathlib.Path(self.place.name)
        self.file = self.directory / "x.toml"
        self.file.write_text(CONFIGURATION)

    def test_gives_the_program_s_summary(self):
        if not pathlib.Path(PROGRAM).exists():
            self.skipTest("SKIPPED: no program next to this python")
        said = json.loads(
            subprocess.run(
                [PROGRAM, "run", self.file, "algorithm.eta=0.2", "--json"], check=True, capture_output=True
            ).stdout
        )
        ours = politex.run(self.file, {"algorithm.eta": np.float64(0.2)})
        for times in ("seconds", "steps_per_second"):
            said.pop(times), ours.pop(times)
        # Two files, linked apart.
        self.assertNotEqual(said["build"].pop("id"), "")
        ours["build"].pop("id")
        self.assertEqual(ours, said)

    def test_overrides(self):
        summary = politex.run(
            str(self.file), {"steps": np.int64(1000), "seed": 7, "algorithm": "ee_politex", "schedule.coprime": True}
        )
        self.assertEqual((summary["steps"], summary["seed"], summary["algorithm"]), (1000, 7, "ee_politex"))

    def test_writes_and_resumes(self):
        whole = politex.run(self.file, out=self.directory / "whole")
        self.assertTrue((self.directory / "whole" / "progress.csv").exists())
        self.assertEqual(politex.run(resume=self.directory / "whole")["signature"], whole["signature"])
        with self.assertRaisesRegex(politex.Error, "resume"):
            politex.run(self.file, out=self.directory / "whole")

    def test_learners_that_learn_in_every_step(self):
        self.file.write_text('steps = 5000\n[environment]\nname = "river_swim"\n')
        for name in ("differential_q", "optimistic_q", "psrl"):
            summary = politex.run(self.file, {"algorithm": name}, out=self.directory / name)
            self.assertEqual((summary["algorithm"], summary["segments"]["target"]["steps"]), (name, 5000))
            self.assertTrue(np.isfinite(summary["regret"]))
            self.assertEqual(politex.run(resume=self.directory / name)["signature"], summary["signature"])
        with self.assertRaisesRegex(politex.Error, "accepted: environments that list their states"):
            politex.run(self.file, {"algorithm": "psrl", "environment": "cartpole"})

    def test_neural(self):
        self.file.write_text(
            'steps = 2000\n[environment]\nname = "cartpole_balance"\n[algorithm]\nname = "neural_politex"\n'
            "[network]\nhidden = 16\n[replay]\ncapacity = 1000\n"
        )
        summary = politex.run(self.file)
        self.assertEqual(summary["steps"], 2000)
        self.assertEqual(politex.run(self.file)["signature"], summary["signature"])

    def test_bad_input_names_the_key(self):
        for overrides, key, pattern in (
            ({"environment.sise": 3}, "environment.sise", "environment.size"),
            ({"size": 1}, "environment.size", "accepted"),
            ({"steps": [1]}, "steps", "type list"),
            ({"steps": 2**70}, "steps", "64 bits"),
            ({"seed": None}, "seed", "NoneType"),
            ({"eta": float("nan")}, "algorithm.eta", "accepted"),
            ({"environment.branching": 3}, "environment.branching", ""),
            ({3: 4}, "overrides", "not a text"),
        ):
            with self.assertRaisesRegex(politex.Error, pattern) as caught:
                politex.run(self.file, overrides, out=self.directory / "never")
            self.assertEqual(caught.exception.key, key)
        self.assertFalse((self.directory / "never").exists())
        for arguments in (
            {},
            {"file": self.directory / "none.toml"},
            {"resume": self.directory},
            {"file": self.file, "resume": self.directory},
        ):
            with self.assertRaises(politex.Error):
                politex.run(**arguments)
        with self.assertRaises(TypeError):
            politex.run(3)

    def test_a_file_that_holds_a_useless_key_warns(self):
        self.file.write_text(CONFIGURATION + "[replay]\ncapacity = 10\n")
        with self.assertWarnsRegex(UserWarning, "replay.capacity"):
            politex.run(self.file, {"steps": 1000})

    def test_ctrl_c_keeps_what_was_done(self):
        out = self.directory / "long"
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaisesRegex(KeyboardInterrupt, "politex.run.resume="):
            politex.run(self.file, {"steps": 10**12}, out=out)
        self.assertTrue(any((out / "checkpoint").iterdir()))
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            politex.run(self.file, {"steps": 10**12})

    def test_other_threads_go_on_meanwhile(self):
        done = threading.Event()
        ticks = []

        def tick():
            while not done.wait(0.001):
                ticks.append(1)

        thread = threading.Thread(target=tick)
        thread.start()
        politex.run(self.file, {"steps": 10**7})
        done.set()
        thread.join()
        self.assertGreater(len(ticks), 3)

    def test_after_a_fork(self):
        expected = politex.run(self.file)["signature"]
        child = os.fork()
        if child == 0:
            os._exit(0 if politex.run(self.file)["signature"] == expected else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
