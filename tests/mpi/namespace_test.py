"""Ranks on simulated machines: one network namespace per host, joined by a bridge, over TCP; with delay and loss if the
kernel has netem. Skipped if namespaces cannot be created."""
import os
import subprocess
import time
import unittest

from harness import TCP, MpiTest, ranks
from neural_test import CONFIG

TAG = f"p{os.getpid() % 100000}"
NETWORK = "10.199.77"


def ip(*arguments):
    return subprocess.run(["ip", *arguments], capture_output=True, text=True)


class Namespaces(MpiTest):
    def setUp(self):
        super().setUp()
        self.hosts = [f"{TAG}{letter}" for letter in "abc"]
        self.addCleanup(self.take_down)
        bridge = f"{TAG}br"
        steps = [["link", "add", bridge, "type", "bridge"], ["addr", "add", f"{NETWORK}.1/24", "dev", bridge],
                 ["link", "set", bridge, "up"]]
        for number, host in enumerate(self.hosts, 2):
            inside = ["netns", "exec", host, "ip"]
            steps += [["netns", "add", host], ["link", "add", f"{host}v", "type", "veth", "peer", "name", f"{host}e"],
                      ["link", "set", f"{host}v", "master", bridge, "up"], ["link", "set", f"{host}e", "netns", host],
                      [*inside, "addr", "add", f"{NETWORK}.{number}/24", "dev", f"{host}e"],
                      [*inside, "link", "set", f"{host}e", "up"], [*inside, "link", "set", "lo", "up"]]
        for step in steps:
            done = ip(*step)
            if done.returncode != 0:
                self.skipTest(f"no network namespaces here: ip {' '.join(step)}: {done.stderr.strip()}")
        # A replacement of ssh for mpirun: enters the namespace of a host and sets the host name.
        agent = self.directory / "agent"
        agent.write_text('#!/bin/bash\nhost=$1; shift\n'
                         'exec ip netns exec "$host" unshare --uts bash -c "hostname $host; $*"\n')
        agent.chmod(0o755)
        self.options = [*TCP, "--host", ",".join(self.hosts), "--mca", "plm", "rsh", "--mca", "plm_rsh_agent", str(agent),
                        "--mca", "oob_tcp_if_include", f"{NETWORK}.0/24", "--mca", "btl_tcp_if_include", f"{NETWORK}.0/24"]

    def take_down(self):
        for host in self.hosts:
            ip("netns", "del", host)
            ip("link", "del", f"{host}v")
        ip("link", "del", f"{TAG}br")

    def both_commands(self, name):
        start = time.monotonic()
        out = self.directory / name
        job = self.run_job(ranks(3, "run", self.directory / "neural.toml", "--quiet", "--out", out / "run"),
                           options=self.options)
        self.assertEqual(job.status, 0, job.err)
        job = self.run_job(ranks(3, "sweep", self.directory / "linear.toml", "--seeds", 4, "--quiet", "--out",
                                 out / "sweep"), options=self.options)
        self.assertEqual(job.status, 0, job.err)
        for file in ("run/progress.csv", "sweep/results.csv"):
            self.assertEqual((out / file).read_bytes(), (self.directory / "alone" / file).read_bytes())
        print(f"{name}: {time.monotonic() - start:.1f} s")

    def test_the_same_bits(self):
        self.write("neural.toml", CONFIG.format(steps=20_000))
        self.write("linear.toml", "steps = 60_000\n[environment]\nsize = 4\n")
        self.alone("run", "neural.toml", "--quiet", "--out", "alone/run")
        self.alone("sweep", "linear.toml", "--seeds", 4, "--quiet", "--out", "alone/sweep")
        self.both_commands("plain")
        for host in self.hosts:
            done = ip("netns", "exec", host, "tc", "qdisc", "add", "dev", f"{host}e", "root", "netem", "delay", "2ms", "loss",
                      "0.5%")
            if done.returncode != 0:
                self.skipTest(f"passed without delay and loss; this kernel has no netem: {done.stderr.strip()}")
        self.both_commands("delay and loss")


if __name__ == "__main__":
    unittest.main()
