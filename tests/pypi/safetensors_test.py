"""The network files that politex writes are read by the Python package `safetensors`, and mean what politex means.

usage: safetensors_test.py PROGRAM SOURCES
"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
from safetensors import safe_open

PROGRAM, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2])
# Greedy in the newest network: the run ends with a phase, so that this network is the one in the file.
SETTINGS = ["algorithm.epsilon=0", "schedule.phase_steps=200", "steps=32000", "network.hidden=24", "learner.batch=16",
            "replay.capacity=5000"]


class NetworkFile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        out = pathlib.Path(cls.place.name) / "run"
        subprocess.run([PROGRAM, "run", str(SOURCES / "experiments/cartpole/explorer.toml"), *SETTINGS, "--quiet",
                        "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
        with safe_open(out / "network.safetensors", framework="np") as file:
            cls.metadata = file.metadata()
            cls.tensors = {name: file.get_tensor(name) for name in file.keys()}
        with open(out / "sample_episode.csv", encoding="utf-8") as file:
            cls.steps = list(csv.DictReader(file))

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def test_shapes_and_types(self):
        shapes = {name: tensor.shape for name, tensor in self.tensors.items()}
        self.assertEqual(shapes, {"hidden.0.weight": (5, 24), "hidden.0.bias": (24,), "head.weight": (4, 24),
                                  "head.bias": (4,)})
        for name, tensor in self.tensors.items():
            self.assertEqual(tensor.dtype, np.float32, name)
            self.assertTrue(np.isfinite(tensor).all(), name)

    def test_metadata(self):
        self.assertEqual(self.metadata["environment"], "cartpole")
        self.assertEqual(self.metadata["steps"], "32000")

    def test_numpy_chooses_the_actions_that_politex_chose(self):
        self.assertEqual(len(self.steps), 1000)
        t = {name: tensor.astype(np.float64) for name, tensor in self.tensors.items()}
        checked = 0
        for step in self.steps:
            seen = np.array([float(step[f"observation_{i}"]) for i in range(5)])
            hidden = np.maximum(seen @ t["hidden.0.weight"] + t["hidden.0.bias"], 0)
            head = t["head.weight"] @ hidden + t["head.bias"]
            q = head[0] + head[1:] - head[1:].mean()
            order = np.sort(q)
            if order[1] - order[0] > 1e-5 * (1 + abs(order).max()):  # else rounding may decide
                self.assertEqual(int(step["action"]), int(q.argmin()))
                checked += 1
        self.assertGreater(checked, 900)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
