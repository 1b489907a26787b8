"""politex sweep under mpirun: the same bytes as one process, also when ranks fail."""
import os
import pathlib
import random
import signal
import time
import unittest

from harness import PROGRAM, TCP, MpiTest, ranks

CONFIG = "steps = 60_000\n[environment]\nsize = 4\n"
LONG = "steps = 4_000_000\n[environment]\nsize = 4\n"


def same_bytes(test, one, other):
    names = sorted(path.relative_to(one) for path in one.rglob("progress.csv")) + ["results.csv", "sweep.json"]
    test.assertGreater(len(names), 2)
    for name in names:
        test.assertEqual((one / name).read_bytes(), (other / name).read_bytes(), name)
    test.assertEqual(len(list(other.glob("runs/*"))), len(list(one.glob("runs/*"))))


class Sweep(MpiTest):
    def sweep(self, out, *more, file="base.toml", seeds=4):
        return ["sweep", file, "--seeds", seeds, "eta=0.1,0.2", "--out", out, "--quiet", *more]

    def setUp(self):
        super().setUp()
        self.write("base.toml", CONFIG)
        self.write("long.toml", LONG)

    def test_the_same_bytes_for_any_number_of_ranks(self):
        self.alone(*self.sweep("one", "--jobs", 2))
        for count, options in ((1, []), (2, TCP), (3, []), (5, TCP)):
            job = self.run_job(ranks(count, *self.sweep(f"k{count}")), options=options)
            self.assertEqual(job.status, 0, job.err)
            same_bytes(self, self.directory / "one", self.directory / f"k{count}")
            self.assertEqual(list((self.directory / f"k{count}").glob(".shared*")), [])

    def test_tuning_goes_on_with_what_all_ranks_found(self):
        for settings in (1, 2):  # the second tuning keeps the results of the first one, on every rank
            self.alone(*self.sweep("one", "--tune", settings, seeds=2))
            job = self.run_job(ranks(3, *self.sweep("three", "--tune", settings, seeds=2)))
            self.assertEqual(job.status, 0, job.err)
            same_bytes(self, self.directory / "one", self.directory / "three")
        self.assertEqual(*((self.directory / name / "tuning.csv").read_bytes() for name in ("one", "three")))
        self.refused(self.run_job(ranks(3, *self.sweep("three", "--tune", 1, seeds=2))), "--out", "tuning")

    def finish_and_compare(self, count, **how):
        job = self.run_job(ranks(count, *self.sweep("cut", "--jobs", 1, **how)))
        self.assertEqual(job.status, 0, job.err)
        same_bytes(self, self.directory / "whole", self.directory / "cut")
        for log in (self.directory / "cut").glob("runs/*/log.txt"):
            self.assertEqual(log.read_text().count("done: "), 1, log)  # no run was finished twice

    def test_a_killed_rank_loses_nothing(self):
        self.alone(*self.sweep("whole", file="long.toml"))
        draw = random.Random(5)
        killed = 0
        for victim in (0, 2, 1):
            job = self.start(ranks(3, *self.sweep("cut", "--jobs", 1, "--checkpoint-seconds", 0, file="long.toml")))
            pid = job.pid_of(victim)
            time.sleep(draw.uniform(0.3, 0.9))
            if pid is not None and job.process.poll() is None:
                os.kill(pid, signal.SIGKILL)
                killed += 1
            job.wait()
        self.assertGreater(killed, 0)
        self.finish_and_compare(2, file="long.toml")

    def test_a_signal_before_the_limit_leaves_checkpoints(self):
        self.write("longer.toml", LONG.replace("4_000_000", "30_000_000"))
        self.alone(*self.sweep("whole", file="longer.toml", seeds=1))
        job = self.start(ranks(2, *self.sweep("cut", "--jobs", 1, file="longer.toml", seeds=1)))
        runs = self.directory / "cut/runs"
        while job.process.poll() is None and len(list(runs.glob("*/config.toml"))) < 2:
            time.sleep(0.01)
        job.process.send_signal(signal.SIGUSR1)  # mpirun forwards it
        job.wait()
        self.assertNotIn(job.status, (0, 2), job.err)
        # The interrupted runs on both ranks wrote a checkpoint; none was due by time.
        begun = [path for path in runs.iterdir() if not (path / "summary.json").exists()]
        self.assertGreater(len(begun), 0)
        self.assertIn("rerun the same command", job.messages[-1])
        for path in begun:
            self.assertTrue(list((path / "checkpoint").glob("*.checkpoint")), path)
        self.finish_and_compare(3, file="longer.toml", seeds=1)

    def test_ranks_that_see_different_directories_are_refused(self):
        job = self.run_job(ranks(1, *self.sweep("here")), ranks(1, *self.sweep("there")))
        self.refused(job, "rank 1", "there", "share")
        self.assertFalse((self.directory / "here").exists())
        self.assertFalse((self.directory / "there").exists())

    def test_ranks_with_different_configurations_are_refused(self):
        self.write("other.toml", CONFIG.replace("60_000", "60_001"))
        job = self.run_job(ranks(2, *self.sweep("d")), ranks(1, *self.sweep("d", file="other.toml")))
        self.refused(job, "rank 2", "steps = 60001", "steps = 60000")
        self.assertFalse((self.directory / "d").exists())

    def test_ranks_with_different_builds_are_refused(self):
        # The program contains the MPI version as text.
        patched = self.directory / "politex-other"
        patched.write_bytes(pathlib.Path(PROGRAM).read_bytes().replace(b"Open MPI {}", b"Open XXX {}"))
        patched.chmod(0o755)
        job = self.run_job(ranks(1, *self.sweep("d")), ranks(1, *self.sweep("d"), program=str(patched)))
        self.refused(job, "rank 1", "Open MPI", "Open XXX")

    def test_a_rank_that_cannot_read_the_file_is_refused(self):
        job = self.run_job(ranks(1, *self.sweep("d")), ranks(1, *self.sweep("d", file="none.toml")))
        self.refused(job, "rank 1", "none.toml")

    def test_bad_input_is_said_once(self):
        self.refused(self.run_job(ranks(3, "sweep", "base.toml", "--seeds", 2, "etta=1", "--out", "d")), "etta")
        self.refused(self.run_job(ranks(3, *self.sweep("d", "--wrong"))), "--wrong")
        self.refused(self.run_job(ranks(2, "exact", "deep_sea")), "one process", "sweep")
        self.refused(self.run_job(ranks(2, "sweep", "base.toml", "--seeds", 1, "--jobs", -1, "--out", "d")), "--jobs")
        self.assertFalse((self.directory / "d").exists())
        self.assertEqual(self.run_job(ranks(3, "--version")).out.count("politex"), 1)

    def test_a_rank_without_space_fails_its_runs_only(self):
        self.write("limited.sh", f"ulimit -f 1; exec {PROGRAM} \"$@\"\n")
        self.alone(*self.sweep("whole"))
        limited = ["-n", "1", "bash", "limited.sh", *map(str, self.sweep("cut", "--jobs", 1))]
        job = self.run_job(ranks(1, *self.sweep("cut", "--jobs", 1)), limited)
        self.assertEqual(job.status, 1, job.err)
        self.assertIn("runs failed", job.messages[0])
        self.assertIn("File too large", job.messages[1])
        again = self.run_job(ranks(2, *self.sweep("cut")))
        self.assertEqual(again.status, 0, again.err)
        same_bytes(self, self.directory / "whole", self.directory / "cut")

    def test_rank_0_serves_the_counter_while_it_computes(self):
        busy = os.environ.get("POLITEX_BUSY_RANK")
        for options in (TCP, []):
            flag = self.directory / f"flag-{len(options)}"
            job = self.run_job(["-n", "3", busy, str(flag)], options=options)
            self.assertEqual(job.status, 0, job.err)


if __name__ == "__main__":
    unittest.main()
