"""Common code of the tests under mpirun: scratch directory, starting jobs, comparing their files."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = str(pathlib.Path(os.environ["POLITEX_PROGRAM"]).resolve())
# Messages and the counter must use TCP, not shared memory.
TCP = ["--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "--mca", "osc", "^sm"]
# Allow root and more ranks than cores; do not busy-wait for a free core.
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
LIMIT = 120  # seconds after which a job counts as hung


def ranks(count, *arguments, program=PROGRAM):
    return ["-n", str(count), program, *map(str, arguments)]


class Job:
    """A running job; its output goes to files, so that it never blocks on a pipe."""

    def __init__(self, directory, command, number):
        self.files = [pathlib.Path(directory) / f"job-{number}.{name}" for name in ("out", "err")]
        with self.files[0].open("w") as out, self.files[1].open("w") as err:
            self.process = subprocess.Popen(command, cwd=directory, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                            start_new_session=True)

    def wait(self):
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise AssertionError(f"hung: {self.process.args}\n{self.files[1].read_text()}")
        self.status = self.process.returncode
        self.out, self.err = (file.read_text() for file in self.files)
        # The messages of politex, without those of mpirun.
        self.messages = [line for line in self.err.splitlines() if line.startswith("politex: ")]
        return self

    def pid_of(self, rank):
        """The process with this rank, according to mpirun's environment variables."""
        for _ in range(2000):
            for child in descendants(self.process.pid):
                try:
                    environment = pathlib.Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
                    name = pathlib.Path(f"/proc/{child}/comm").read_text().strip()
                except OSError:
                    continue
                if f"OMPI_COMM_WORLD_RANK={rank}".encode() in environment and name.startswith("politex"):
                    return child
            if self.process.poll() is not None:
                return None
            time.sleep(0.005)
        return None


def descendants(pid):
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(int(entry.name))
    found, rest = [], [pid]
    while rest:
        children = parents.get(rest.pop(), [])
        found += children
        rest += children
    return found


class MpiTest(unittest.TestCase):
    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="politex-mpi-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.jobs = 0

    def start(self, *parts, options=(), program=None):
        """Several parts: groups of ranks with different commands."""
        command = list(MPIRUN) + list(options)
        for i, part in enumerate(parts):
            command += ([":"] if i else []) + part
        self.jobs += 1
        return Job(self.directory, command, self.jobs)

    def run_job(self, *parts, options=()):
        return self.start(*parts, options=options).wait()

    def alone(self, *arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.directory, capture_output=True, text=True,
                              timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def write(self, name, text):
        (self.directory / name).write_text(text)
        return name

    def refused(self, job, *words):
        """Bad input: one message, by rank 0, and status 2."""
        self.assertEqual(job.status, 2, job.err)
        self.assertEqual(len(job.messages), 1, job.err)
        for word in words:
            self.assertIn(word, job.messages[0])
