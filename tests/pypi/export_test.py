"""`politex policy export` of a network: ONNX in onnxruntime, and the ten lines of docs/guide/deploy.md without politex.

usage: export_test.py PROGRAM SOURCES
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import onnx
import onnxruntime
from safetensors.numpy import load_file

PROGRAM, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2])
# Greedy in the newest network, as in safetensors_test.py.
SETTINGS = ["algorithm.epsilon=0", "schedule.phase_steps=200", "steps=32000", "network.hidden=24", "learner.batch=16",
            "replay.capacity=5000"]


def python_blocks(page):
    return re.findall(r"```python\n(.*?)```", (SOURCES / page).read_text(encoding="utf-8"), re.DOTALL)


class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        run = cls.folder / "run"
        subprocess.run([PROGRAM, "run", str(SOURCES / "experiments/cartpole/explorer.toml"), *SETTINGS, "--quiet",
                        "--out", str(run)], check=True, stdout=subprocess.DEVNULL)
        for to in ("onnx", "safetensors"):
            subprocess.run([PROGRAM, "policy", "export", str(run), "--to", to, "--out", str(cls.folder / f"swing.{to}")],
                           check=True)
        with open(run / "sample_episode.csv", encoding="utf-8") as file:
            cls.steps = list(csv.DictReader(file))
        cls.seen = np.array([[float(step[f"observation_{i}"]) for i in range(5)] for step in cls.steps], np.float32)
        cls.actions = np.array([int(step["action"]) for step in cls.steps])

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def test_safetensors_is_the_file_of_the_run(self):
        exported = (self.folder / "swing.safetensors").read_bytes()
        self.assertEqual(exported, (self.folder / "run" / "network.safetensors").read_bytes())

    def test_onnxruntime_chooses_the_actions_that_politex_chose(self):
        onnx.checker.check_model(str(self.folder / "swing.onnx"), full_check=True)
        session = onnxruntime.InferenceSession(str(self.folder / "swing.onnx"), providers=["CPUExecutionProvider"])
        q, action = session.run(["q", "action"], {"observation": self.seen})
        self.assertEqual(q.shape, (len(self.steps), 3))
        self.assertTrue((action == q.argmin(axis=1)).all())
        order = np.sort(q, axis=1)
        sure = order[:, 1] - order[:, 0] > 1e-5 * (1 + np.abs(order).max(axis=1))  # else rounding may decide
        self.assertGreater(sure.sum(), 900)
        self.assertTrue((action[sure] == self.actions[sure]).all())
        t = {name: one.astype(np.float64) for name, one in load_file(self.folder / "swing.safetensors").items()}
        hidden = np.maximum(self.seen @ t["hidden.0.weight"] + t["hidden.0.bias"], 0)
        head = hidden @ t["head.weight"].T + t["head.bias"]
        expected = head[:, :1] + head[:, 1:] - head[:, 1:].mean(axis=1, keepdims=True)
        np.testing.assert_allclose(q, expected, rtol=1e-4, atol=1e-4)

    def test_the_lines_of_the_guide_run_without_politex(self):
        blocks = [one for one in python_blocks("docs/guide/deploy.md") if "swing." in one]
        self.assertEqual(len(blocks), 2)  # safetensors and onnx
        for lines in blocks:
            self.assertNotIn("politex", lines)
            self.assertLessEqual(len([line for line in lines.splitlines() if line.strip()]), 10)
            said = subprocess.run([sys.executable, "-c", lines + "\nimport csv, sys\n"
                                   "rows = csv.DictReader(open('run/sample_episode.csv'))\n"
                                   "for row in rows:\n"
                                   "    print(int(predict([float(row[f'observation_{i}']) for i in range(5)])))\n"],
                                  cwd=self.folder, check=True, capture_output=True, text=True).stdout
            chosen = np.array([int(word) for word in said.split()])
            self.assertGreater((chosen == self.actions).mean(), 0.99)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
