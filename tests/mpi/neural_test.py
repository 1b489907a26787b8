"""politex run of a neural learner under mpirun: rank 0 learns, the others act, and the bits are those of one process."""
import os
import signal
import time
import unittest

from harness import PROGRAM, TCP, MpiTest, ranks

CONFIG = """steps = {steps}
[environment]
name = "cartpole"
[algorithm]
name = "neural_ee_politex"
[explorer]
name = "energy_pump"
[network]
hidden = 32
[schedule]
phase_scale = 20
[actors]
environments = 6
"""


class Neural(MpiTest):
    def setUp(self):
        super().setUp()
        self.write("short.toml", CONFIG.format(steps=30_000))
        self.write("long.toml", CONFIG.format(steps=400_000))

    def run_of(self, out, file="short.toml", *more):
        return ["run", file, "--out", out, "--quiet", *more]

    def same_run(self, one, other):
        for name in ("progress.csv", "config.toml", "network.safetensors"):
            self.assertEqual((self.directory / one / name).read_bytes(), (self.directory / other / name).read_bytes())

    def begin(self, count, out, *more, options=()):
        """A running job that has written a checkpoint."""
        job = self.start(ranks(count, *self.run_of(out, "long.toml", "--checkpoint-seconds", 0.1, *more)), options=options)
        while not list((self.directory / out / "checkpoint").glob("*.checkpoint")):
            self.assertIsNone(job.process.poll(), "ended too soon")
            time.sleep(0.01)
        return job

    def resume(self, count, out):
        job = self.run_job(ranks(count, "run", "--resume", out, "--quiet"))
        self.assertEqual(job.status, 0, job.err)
        self.assertRegex((self.directory / out / "log.txt").read_text(), "resumed after [1-9]")
        self.same_run("whole", out)

    def test_the_same_bits_for_any_number_of_ranks(self):
        self.alone(*self.run_of("one", "short.toml", "actors.threads=1"))
        for count, options in ((1, []), (2, TCP), (3, []), (5, TCP)):
            job = self.run_job(ranks(count, *self.run_of(f"k{count}", "short.toml", "actors.threads=1")), options=options)
            self.assertEqual(job.status, 0, job.err)
            self.same_run("one", f"k{count}")
            self.assertEqual(len(job.messages), 1 if count == 1 else 0, job.err)
            if count == 1:
                self.assertIn("one rank", job.messages[0])

    def test_lost_and_stopped_ranks_and_slow_ones(self):
        self.alone(*self.run_of("whole", "long.toml"))
        # kill -9 of any rank: a message if rank 0 survives, and the run resumes with another number of ranks.
        for victim, then in ((1, 2), (0, 5)):
            out = f"lost{victim}"
            job = self.begin(3, out)
            os.kill(job.pid_of(victim), signal.SIGKILL)
            job.wait()
            self.assertNotIn(job.status, (0, 2), job.err)
            if victim != 0:
                self.assertIn(f"rank {victim} of the job was lost", "".join(job.messages), job.err)
                self.assertIn(f"politex run --resume {out}", "".join(job.messages))
            self.resume(then, out)
        # A rank that is suspended for a while slows the run and changes nothing.
        job = self.begin(3, "slow")
        pid = job.pid_of(2)
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.7)
        os.kill(pid, signal.SIGCONT)
        job.wait()
        self.assertEqual(job.status, 0, job.err)
        self.same_run("whole", "slow")
        # A signal before the time limit, which mpirun forwards to all ranks.
        job = self.begin(3, "stopped")
        job.process.send_signal(signal.SIGUSR1)
        job.wait()
        self.assertIn("to resume: politex run --resume stopped", "".join(job.messages), job.err)
        self.assertIn("stopped after", (self.directory / "stopped/log.txt").read_text())
        self.resume(2, "stopped")

    def test_bad_input_is_said_once_and_nothing_is_written(self):
        self.write("linear.toml", "steps = 1000\n")
        self.refused(self.run_job(ranks(2, *self.run_of("d", "linear.toml"))), "one process")
        self.refused(self.run_job(ranks(3, *self.run_of("d", "short.toml", "batch=-1"))), "batch")
        self.refused(self.run_job(ranks(2, *self.run_of("d")), ranks(1, *self.run_of("d", "long.toml"))),
                     "rank 2", "400000", "30000")
        self.refused(self.run_job(ranks(2, *self.run_of("d", "short.toml", "explorer.name=file", "explorer.file=none"))),
                     "none")
        self.refused(self.run_job(ranks(2, "run", "--resume", "d")), "d")
        self.assertFalse((self.directory / "d").exists())

    def test_environments_of_other_processes(self):
        server = os.environ["POLITEX_PLAIN_SERVER"]
        self.write("external.toml", f'''steps = 8000
[environment]
name = "process"
command = "{server} float"
[algorithm]
name = "neural_politex"
[schedule]
phase_steps = 50
[network]
hidden = 16
[learner]
batch = 16
[actors]
environments = 8
processes = 1
''')
        self.alone(*self.run_of("one", "external.toml"))
        for count, options in ((2, []), (3, TCP)):
            job = self.run_job(ranks(count, *self.run_of(f"k{count}", "external.toml")), options=options)
            self.assertEqual(job.status, 0, job.err)
            self.same_run("one", f"k{count}")
        # When a server dies, its rank reports it, and the run resumes from there, here without mpirun.
        (self.directory / "server").write_text(f"#!/bin/sh\nexec {server} float $(cat fault)\n")
        (self.directory / "server").chmod(0o755)
        (self.directory / "fault").write_text("die=500")
        faulty = ["environment.command=./server", "--checkpoint-seconds", "0"]
        job = self.run_job(ranks(3, *self.run_of("died", "external.toml", *faulty)))
        self.assertEqual(job.status, 1, job.err)
        self.assertIn("politex run --resume died", job.err)
        (self.directory / "fault").write_text("")
        self.alone("run", "--resume", "died", "--quiet")
        for name in ("progress.csv", "network.safetensors"):
            self.assertEqual(*((self.directory / run / name).read_bytes() for run in ("one", "died")))

    def test_no_space_for_the_learner(self):
        self.write("limited.sh", f"ulimit -f 40; exec {PROGRAM} \"$@\"\n")
        limited = ["-n", "1", "bash", "limited.sh", *map(str, self.run_of("d"))]
        job = self.run_job(limited, ranks(2, *self.run_of("d")))
        self.assertEqual(job.status, 1, job.err)
        self.assertEqual(len(job.messages), 1, job.err)
        self.assertIn("File too large", job.messages[0])

    def test_a_finished_run_prints_its_summary_once(self):
        self.alone(*self.run_of("one"))
        job = self.run_job(ranks(3, "run", "--resume", "one"))
        self.assertEqual(job.status, 0, job.err)
        self.assertEqual(job.out.count('"signature"'), 1)


if __name__ == "__main__":
    unittest.main()
