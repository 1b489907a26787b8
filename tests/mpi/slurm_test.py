"""The job script of examples/slurm with a replacement of Slurm that sends signals and requeues the job."""
import os
import pathlib
import signal
import subprocess
import time
import unittest

from harness import LIMIT, MPIRUN, PROGRAM, MpiTest, ranks
from neural_test import CONFIG

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "examples/slurm/politex.sbatch"


class Slurm(MpiTest):
    def setUp(self):
        super().setUp()
        (self.directory / "bin").mkdir()
        scontrol = self.directory / "bin/scontrol"
        scontrol.write_text(f'#!/bin/sh\necho "$@" >>{self.directory}/requeued\n')
        scontrol.chmod(0o755)
        self.write("long.toml", CONFIG.format(steps=200_000))
        self.write("endless.toml", CONFIG.format(steps=4_000_000_000))

    def submit(self, count, *arguments):
        environment = dict(os.environ, PATH=f"{self.directory}/bin:{os.environ['PATH']}", POLITEX=PROGRAM,
                           SLURM_JOB_ID="42", KILL_TIMEOUT="2", MPIRUN=" ".join(MPIRUN + ["-n", str(count)]))
        return subprocess.Popen([str(SCRIPT), *map(str, arguments)], cwd=self.directory, env=environment,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def wait_for(self, log, times, process):
        """Waits until runs were started or resumed this many times, according to their logs."""
        for _ in range(LIMIT * 100):
            text = "".join(path.read_text() for path in self.directory.glob(log))
            if text.count(" started (") + text.count(" resumed after ") >= times:
                return
            self.assertIsNone(process.poll(), f"ended after {text}")
            time.sleep(0.01)
        self.fail(log)

    def run_until_done(self, log, signals, *arguments):
        """What Slurm does: sends the signal to the script before the time limit, and requeues the job on request."""
        for times, number in enumerate(signals, 1):
            job = self.submit(3, *arguments)
            self.wait_for(log, times, job)
            job.send_signal(number)
            self.assertEqual(job.wait(LIMIT), 0)
        self.assertEqual((self.directory / "requeued").read_text(), "requeue 42\n" * len(signals))
        job = self.submit(2, *arguments)
        self.assertEqual(job.wait(LIMIT), 0)

    def test_a_neural_run_is_saved_before_the_limit_and_resumed(self):
        arguments = ["run", "long.toml", "--quiet", "--out"]
        self.alone(*arguments, "whole")
        # No checkpoint is due by time: it resumes from the one that was written because of the signal.
        self.run_until_done("cut/log.txt", [signal.SIGUSR1, signal.SIGTERM], *arguments, "cut")
        log = (self.directory / "cut/log.txt").read_text()
        self.assertEqual(log.count("stopped after"), 2)
        self.assertEqual(log.count("resumed after"), 2)
        self.assertEqual(*((self.directory / name / "progress.csv").read_bytes() for name in ("whole", "cut")))

    def test_a_sweep_is_saved_before_the_limit_and_resumed(self):
        self.write("base.toml", "steps = 10_000_000\n[environment]\nsize = 4\n")
        arguments = ["sweep", "base.toml", "--seeds", 3, "--jobs", 1, "--quiet", "--out"]
        self.alone(*arguments, "whole")
        self.run_until_done("cut/runs/*/log.txt", [signal.SIGUSR1], *arguments, "cut")
        self.assertEqual(*((self.directory / name / "results.csv").read_bytes() for name in ("whole", "cut")))

    def test_mpiruns_own_kill_time_out_leaves_time_to_save(self):
        job = self.start(ranks(3, "run", "endless.toml", "--quiet", "--out", "cut", "--checkpoint-seconds", 1000),
                         options=["--mca", "odls_base_sigkill_timeout", "3"])
        self.wait_for("cut/log.txt", 1, job.process)
        job.process.send_signal(signal.SIGTERM)
        job.wait()
        self.assertNotIn(job.status, (0, 2), job.err)
        self.assertIn("stopped after", (self.directory / "cut/log.txt").read_text(), job.err)
        self.assertTrue(list((self.directory / "cut/checkpoint").glob("*.checkpoint")))


if __name__ == "__main__":
    unittest.main()
