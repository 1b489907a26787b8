"""Ranks on machines whose clocks are days apart: the bytes of one process."""
import os
import unittest

from harness import MpiTest, ranks

CONFIG = "steps = 20_000\n[environment]\nsize = 4\n"
NEURAL = """steps = 8_000
[environment]
name = "cartpole"
[algorithm]
name = "neural_ee_politex"
[explorer]
name = "energy_pump"
[network]
hidden = 8
[actors]
environments = 4
"""
DAY = 86_400


class Clocks(MpiTest):
    def apart(self, offset, *arguments):
        """Two ranks; the second one's clock differs."""
        there = ["-x", f"LD_PRELOAD={os.environ['POLITEX_CLOCK_SHIM']}", "-x", f"POLITEX_CLOCK_OFFSET={offset}"]
        job = self.run_job(ranks(1, *arguments), there + ranks(1, *arguments))
        self.assertEqual(job.status, 0, job.err)

    def same(self, one, other):
        names = [path.relative_to(self.directory / one) for path in (self.directory / one).rglob("progress.csv")]
        self.assertGreater(len(names), 0)
        for name in names:
            self.assertEqual((self.directory / one / name).read_bytes(), (self.directory / other / name).read_bytes())

    def test_a_sweep(self):
        self.write("base.toml", CONFIG)
        sweep = ["sweep", "base.toml", "--seeds", 3, "eta=0.1,0.2", "--quiet", "--checkpoint-seconds", 0.1, "--out"]
        self.alone(*sweep, "one")
        for offset in (-3 * DAY, 3 * DAY):
            self.apart(offset, *sweep, f"apart{offset}")
            self.same("one", f"apart{offset}")

    def test_a_neural_run(self):
        self.write("run.toml", NEURAL)
        run = ["run", "run.toml", "--quiet", "--checkpoint-seconds", 0.1, "--out"]
        self.alone(*run, "one")
        for offset in (-3 * DAY, 3 * DAY):
            self.apart(offset, *run, f"apart{offset}")
            self.same("one", f"apart{offset}")


if __name__ == "__main__":
    unittest.main()
