"""The real TensorBoard reads every scalar that a run wrote: tensorboard_test.py PROGRAM SOURCES"""
import csv
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import numpy
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

PROGRAM, SOURCES = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
FIGURE = SOURCES / 'experiments/deep_sea/figure.toml'


class TensorBoardTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix='politex-tensorboard-')
        self.addCleanup(scratch.cleanup)
        self.run_directory = pathlib.Path(scratch.name) / 'run'

    def start(self, *arguments):
        return subprocess.Popen([PROGRAM, 'run', *map(str, arguments), '--quiet'], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def expect_every_scalar(self, every_row):
        events = EventAccumulator(str(self.run_directory), size_guidance={'scalars': 0})
        events.Reload()
        with open(self.run_directory / 'progress.csv', newline='') as file:
            rows = {int(row['steps']): row for row in csv.DictReader(file)}
        columns = [name for name in next(iter(rows.values())) if name not in ('phase', 'steps')
                   and any(row[name] != '' for row in rows.values())]
        self.assertEqual(sorted(events.Tags()['scalars']), sorted(columns))
        for name in columns:
            seen = events.Scalars(name)
            expected = [steps for steps, row in rows.items() if row[name] != '']
            if every_row:
                self.assertEqual([event.step for event in seen], expected, name)
            self.assertEqual(seen[-1].step, expected[-1])
            self.assertEqual(len({event.step for event in seen}), len(seen), 'a step written twice')
            for event in seen:
                self.assertEqual(numpy.float32(event.value), numpy.float32(rows[event.step][name]), (name, event.step))

    def test_a_whole_run(self):
        self.assertEqual(self.start(FIGURE, 'steps=30000', 'exact.every=3', '--out', self.run_directory).wait(), 0)
        self.expect_every_scalar(every_row=True)

    def test_a_long_run_is_thinned_to_true_rows(self):
        self.assertEqual(self.start(FIGURE, '--out', self.run_directory).wait(), 0)
        self.expect_every_scalar(every_row=False)

    def test_a_run_that_was_killed_and_went_on(self):
        child = self.start(FIGURE, 'steps=3000000', '--out', self.run_directory, '--checkpoint-seconds', 0)
        while not list(self.run_directory.glob('checkpoint/*.checkpoint')) and child.poll() is None:
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        child.wait()
        self.assertEqual(self.start('--resume', self.run_directory).wait(), 0)
        self.expect_every_scalar(every_row=False)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1], verbosity=2)
