"""scripts/setup, with dpkg-query, apt-get, sudo and id replaced: what it installs, and its messages when it cannot."""
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

SETUP = pathlib.Path(sys.argv.pop(1)) / "scripts" / "setup"
TOOLS = "env bash sed grep tail mktemp rm cat sleep printf true".split()


class Setup(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.bin = pathlib.Path(self.directory.name)
        for tool in TOOLS:
            for place in ("/usr/bin", "/bin"):
                if os.path.exists(f"{place}/{tool}"):
                    (self.bin / tool).symlink_to(f"{place}/{tool}")
                    break
        self.calls = self.bin / "calls.txt"
        self.calls.write_text("")
        self.fake("id", "echo 0")
        self.fake("dpkg-query", 'case "${@: -1}" in libfmt-dev) exit 1 ;; esac; echo installed')
        self.fake("apt-get", "true")

    def tearDown(self):
        self.directory.cleanup()

    def fake(self, name, script):
        path = self.bin / name
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>"{self.calls}"\n{script}\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run_setup(self, level="run", **extra):
        return subprocess.run(["/bin/bash", str(SETUP), level], env={"PATH": str(self.bin), **extra}, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)

    def called(self, name):
        return [line for line in self.calls.read_text().splitlines() if line.startswith(name + " ")]

    def test_nothing_missing_calls_no_apt(self):
        self.fake("dpkg-query", "echo installed")
        done = self.run_setup("ci")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(self.called("apt-get"), [])

    def test_installs_only_what_is_missing(self):
        self.assertEqual(self.run_setup().returncode, 0)
        update, install = self.called("apt-get")
        self.assertIn("update", update)
        self.assertIn("DPkg::Lock::Timeout=300 install -y --no-install-recommends libfmt-dev", install)
        self.assertNotIn("cmake", install)

    def test_a_removed_package_is_missing(self):
        self.fake("dpkg-query", "echo config-files")
        self.assertEqual(self.run_setup().returncode, 0)
        self.assertIn(" g++ cmake ", self.called("apt-get")[1])

    def test_running_needs_no_tools_of_the_checks(self):
        self.fake("dpkg-query", "exit 1")
        self.run_setup("run")
        for tool in ("clang", "gtest", "gmock", "mujoco", "python3", "benchmark"):
            self.assertNotIn(tool, self.called("apt-get")[1])

    def test_says_what_to_do_without_root(self):
        self.fake("id", "echo 1000")
        done = self.run_setup()
        self.assertEqual(done.returncode, 1)
        self.assertIn("neither root nor sudo", done.stderr)
        self.assertIn("apt-get install --no-install-recommends libfmt-dev", done.stderr)
        self.assertEqual(self.called("apt-get"), [])

    def test_uses_sudo(self):
        self.fake("id", "echo 1000")
        self.fake("sudo", 'shift; exec "$@"')
        self.assertEqual(self.run_setup().returncode, 0)
        self.assertEqual(len(self.called("apt-get")), 2)

    def test_says_when_sudo_refuses(self):
        self.fake("id", "echo 1000")
        self.fake("sudo", "exit 1")
        done = self.run_setup()
        self.assertEqual(done.returncode, 1)
        self.assertIn("sudo was refused", done.stderr)

    def test_says_when_there_is_no_network(self):
        self.fake("apt-get", 'case "$*" in *install*) echo "E: Failed to fetch libfmt-dev" >&2; exit 100 ;; esac')
        done = self.run_setup()
        self.assertEqual(done.returncode, 1)
        self.assertIn("is there a network", done.stderr)
        self.assertIn("by hand", done.stderr)

    def test_says_when_apt_stays_locked(self):
        self.fake("apt-get", 'echo "E: Could not get lock /var/lib/apt/lists/lock" >&2; exit 100')
        done = self.run_setup(POLITEX_APT_WAIT="0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("locked by another program", done.stderr)

    def test_names_the_packages_elsewhere(self):
        (self.bin / "dpkg-query").unlink()
        done = self.run_setup()
        self.assertEqual(done.returncode, 1)
        self.assertIn("not Debian", done.stderr)
        self.assertIn("libeigen3-dev", done.stderr)
        self.assertEqual(self.run_setup(POLITEX_SKIP_SETUP="1").returncode, 0)

    def test_asks_for_a_known_level(self):
        self.assertEqual(self.run_setup("everything").returncode, 2)


if __name__ == "__main__":
    unittest.main()
