#!/usr/bin/python3
"""The live page in Chromium, and its learner in node: live_test.py PAGE PROGRAM SOURCES OUTPUT

The signatures of both are compared with those of the program. Screenshots stay in OUTPUT, for people to look at.
POLITEX_LIVE_DRAWN is the number of settings that are drawn at random (120).
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from webdriver import Browser

PAGE, PROGRAM, SOURCES, OUTPUT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:5])
NODE = '''
const {openLearner, numberNames} = require(process.argv[1]);
const fs = require("fs");
openLearner(fs.readFileSync(process.argv[2])).then((learner) => {
  const answers = JSON.parse(process.argv[3]).map((settings) => {
    const refused = learner.start(settings);
    if (refused >= 0) return {refused};
    const begin = process.cpuUsage().user;
    while (learner.advance(100000) > 0);
    const n = learner.numbers();
    return {signature: learner.signature(), rate: n.steps / (process.cpuUsage().user - begin) * 1e6, ...n};
  });
  console.log(JSON.stringify(answers));
});
'''
NAMES = 'size swap explorer estimator eta rollouts explore follow horizon ridge steps seed'.split()
USUAL = dict(size=20, swap=0, explorer=2, estimator=0, eta=0.05, rollouts=2, explore=19, follow=480, horizon=80, ridge=1,
             steps=40000, seed=1)
WORDS = {'swap': ['none', 'all', 'rows'], 'explorer': ['none', 'uniform', 'always', 'learned'],
         'estimator': ['every', 'first', 'one', 'lspe']}
# Dense and sparse solves below and above Eigen's block size of 32, each explorer, each estimator.
CASES = [{}, {'seed': 2, 'swap': 2}, {'explorer': 1, 'size': 7, 'horizon': 20}, {'explorer': 0}, {'explorer': 3, 'explore': 60},
         {'estimator': 1, 'rollouts': 5, 'horizon': 0}, {'estimator': 2}, {'estimator': 3, 'size': 6}, {'estimator': 3, 'size': 12},
         {'size': 33, 'explore': 32}, {'size': 50, 'explore': 49, 'follow': 1000, 'horizon': 200},
         {'eta': 100, 'ridge': 1e-6, 'seed': 12345678901}]


def command(settings):
    """The arguments of the program for these settings."""
    words = {name: WORDS[name][value] if name in WORDS else value for name, value in settings.items()}
    given = ['deep_sea/tuned.toml'] + [f'{name}={words[name]}' for name in ('steps', 'seed', 'size', 'swap', 'eta', 'ridge',
                                                                           'rollouts', 'explore', 'follow')]
    given.append(f'explorer.name={words["explorer"]}')
    given += ['estimator=lspe'] if words['estimator'] == 'lspe' else ['estimator=lsmc', f'visits={words["estimator"]}']
    return given + ([f'horizon={words["horizon"]}'] if settings['estimator'] < 2 else [])


def program(arguments):
    """What the program says of a run; without a signature where it refuses the settings."""
    done = subprocess.run([PROGRAM, 'run', *arguments, '--json'], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 or 'accepted:' in done.stderr, done.stderr
    return json.loads(done.stdout) if done.returncode == 0 else {'signature': None}


def programs(cases):
    """What the program says of each case."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda case: program(command(case)), cases))


def drawn(count, seed=21):
    """Settings that the page accepts, over the whole of their ranges."""
    random_number = random.Random(seed)

    def power(low, high):
        return float(f'{10 ** random_number.uniform(low, high):.3g}')

    def case():
        size = random_number.choice((random_number.randint(2, 12), random_number.randint(2, 50)))
        follow = random_number.choice((random_number.randint(1, 30), random_number.randint(1, 600)))
        return {'size': size, 'swap': random_number.randrange(3), 'explorer': random_number.randrange(4),
                'estimator': random_number.randrange(4), 'eta': power(-4, 2), 'rollouts': random_number.randint(1, 20),
                'explore': random_number.choice((max(1, size - 1), random_number.randint(1, 120))), 'follow': follow,
                'horizon': random_number.choice((0, random_number.randint(1, follow + 1))), 'ridge': power(-6, 4),
                'steps': random_number.randint(1000, 12000), 'seed': random_number.randint(1, 2 ** 53 - 1)}

    return [case() for _ in range(count)]


class Lanes(unittest.TestCase):
    """src/live/four_lanes.inc on this processor: tests/live/four_lanes.cpp with it, and with Eigen for x86-64-v3."""

    def test_bits_of_eigen_for_x86(self):
        with tempfile.TemporaryDirectory(prefix='politex-lanes-') as scratch:
            flags = ('-std=c++20 -O1 -DNDEBUG -DEIGEN_DONT_PARALLELIZE -march=x86-64-v3 -ffp-contract=off -fno-trapping-math '
                     '-fno-math-errno -isystem /usr/include/eigen3').split()
            source = SOURCES / 'tests/live/four_lanes.cpp'
            builds = {'x86': ['g++', *flags],
                      'lanes': ['clang++-16', *flags, '-DEIGEN_DONT_VECTORIZE', '-include', SOURCES / 'src/live/four_lanes.inc']}
            started = [subprocess.Popen([*build, source, '-o', f'{scratch}/{name}']) for name, build in builds.items()]
            self.assertEqual([each.wait() for each in started], [0, 0])

            def said(name, *arguments):
                return subprocess.run([f'{scratch}/{name}', *arguments], capture_output=True, text=True, timeout=300).stdout

            right, found = said('x86').splitlines(), said('lanes').splitlines()
            self.assertEqual(len(right), 9 * 210)
            self.assertEqual([line for line in right if line not in set(found)], [])
            self.assertEqual(said('lanes', 'fused', '10000000'), '0 of 10000000 differ\n')


class InNode(unittest.TestCase):
    def answers(self, cases):
        done = subprocess.run(['node', '-e', NODE, SOURCES / 'src/live/page/worker.js', SOURCES / 'build-live/live.wasm',
                               json.dumps([[case[name] for name in NAMES] for case in cases])],
                              capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def compare(self, cases, answers):
        """The answers are those of the program, bit by bit where the bits are promised."""
        differ = []
        for case, answer, run in zip(cases, answers, programs(cases), strict=True):
            if answer.get('signature') != run['signature']:
                differ.append((case, answer.get('signature'), run['signature']))
                continue
            # Exact answers are computed in another arithmetic where long double differs: equal to 9 digits.
            if run['signature'] is None:
                continue  # both refuse
            self.assertLess(abs(answer['regret'] - run['regret']), 1e-9 * (abs(run['regret']) + 1), case)
        self.assertEqual(differ, [], f'{len(differ)} of {len(cases)}')

    def test_signature_and_regret_of_the_program(self):
        cases = [{**USUAL, **changes} for changes in CASES]
        refused = [{**USUAL, 'size': 51}, {**USUAL, 'follow': 20}]
        answers = self.answers(cases + refused)
        self.assertEqual([answer for answer in answers[:len(cases)] if 'refused' in answer], [])
        self.compare(cases, answers[:len(cases)])
        self.assertEqual([answer.get('refused') for answer in answers[-2:]], [NAMES.index('size'), NAMES.index('horizon')])

    def test_signatures_of_drawn_settings(self):
        cases = drawn(int(os.environ.get('POLITEX_LIVE_DRAWN', 120)))
        answers = self.answers(cases)
        self.compare(cases, answers)
        refused = sum('refused' in answer for answer in answers)
        print(f'\n{len(cases) - refused} signatures equal, {refused} settings refused by the page and by the program')
        self.assertLess(refused, 0.1 * len(cases))

    def test_speed(self):
        usual = {**USUAL, 'eta': 0.1, 'rollouts': 5, 'follow': 80, 'horizon': 20, 'ridge': 0.01, 'steps': 5000000}
        answers = self.answers([usual, usual, {**usual, 'explorer': 3, 'explore': 60}, {**usual, 'size': 50, 'explore': 49}])
        rates = ', '.join(f'{answer["rate"] / 1e6:.1f}M' for answer in answers[1:])
        print(f'\nsteps per CPU second in node (the page as it opens, learned explorer, N = 50): {rates}')


class InChromium(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(OUTPUT, ignore_errors=True)
        OUTPUT.mkdir(parents=True)
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix='politex-live-'))
        cls.browser = Browser(str(cls.scratch))
        cls.browser.size(1280, 900)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.scratch, ignore_errors=True)

    def open(self, settings=''):
        self.browser.open('about:blank')
        self.browser.open(PAGE.as_uri() + settings)
        self.browser.wait('return typeof state !== "undefined" && state !== null')

    def finish(self):
        self.browser.click('[data-pace=full]')
        self.browser.wait('return state !== null && state.numbers.done === 1 && !waiting', 60)

    def test_runs_before_it_is_touched(self):
        self.open()
        first = self.browser.run('return state.numbers.steps')
        self.assertGreater(first, 0)
        self.browser.wait('return pace === "fast" && state.numbers.steps > 5000')
        self.assertEqual(self.browser.run('return document.getElementById("notice").hidden'), True)

    def test_the_command_on_the_page_has_the_signature_of_the_page(self):
        for settings in ('#steps=30000', '#steps=20000&explorer=learned&explore=60&swap=rows&seed=3',
                         '#steps=20000&estimator=lspe&size=12&explore=11', '#steps=20000&size=33&explore=32&estimator=first',
                         '#steps=10000&size=50&explore=49&follow=300&horizon=90&eta=1', '#steps=20000&explorer=none&seed=99'):
            self.open(settings)
            self.finish()
            said = self.browser.run('return document.getElementById("command").textContent')
            shown = self.browser.run('return document.getElementById("signature").textContent')
            self.assertRegex(shown, '^[0-9a-f]{16}$')
            self.assertEqual(program(shlex.split(said)[2:])['signature'], shown, said)

    def test_size_and_speed(self):
        self.assertLess(PAGE.stat().st_size, 500_000)
        self.open('#steps=20000000')
        self.browser.click('[data-pace=full]')
        self.browser.wait('return state.numbers.done === 1 || state.numbers.steps > 3e6', 60)
        print('steps/s in Chromium:', self.browser.run('return Math.round(rate)'),
              '; ms until the first answer of the learner:', self.browser.run('return Math.round(openedAfter)'))

    def test_settings_are_in_the_address_and_ghosts_stay(self):
        self.open('#steps=20000&seed=4')
        self.finish()
        # The curve has its points at full speed too, where the whole run is one answer of the learner.
        self.assertGreater(self.browser.run('return history.length'), 15)
        self.browser.run('change({eta: 0.2}); return 1')
        self.browser.wait('return state !== null && ghosts.length === 1')
        self.assertIn('eta=0.2', self.browser.run('return location.hash'))
        self.assertIn('seed=4', self.browser.run('return location.hash'))

    def test_bad_address(self):
        self.open('#size=900&explorer=nobody')
        self.assertEqual(self.browser.run('return settings.size'), 20)
        self.assertIn('accepted', self.browser.run('return noticed'))

    def test_step_by_step_and_keys(self):
        self.open()
        self.browser.click('#step')
        before = self.browser.run('return replay ? replay.at : -1')
        self.browser.click('#step')
        self.browser.wait('return replay !== null && replay.at > 0')
        self.assertNotEqual(self.browser.run('return replay.at'), before)
        self.browser.run('document.dispatchEvent(new KeyboardEvent("keydown", {key: "2", bubbles: true})); return 1')
        self.browser.wait('return pace === "fast" && playing')
        names = self.browser.run('''return Array.from(document.querySelectorAll("button, input, select"))
            .filter((e) => !(e.textContent.trim() || e.closest("label"))).length''')
        self.assertEqual(names, 0, 'a control without a name')

    def test_every_task_has_an_outcome(self):
        outcomes = {}
        for k in range(5):
            self.open('#steps=1000000')
            self.browser.run(f'document.querySelectorAll(".tasks li")[{k}].querySelector("button").click(); return 1')
            self.finish()
            text = self.browser.wait(f'const t = document.querySelectorAll(".tasks .outcome")[{k}].textContent; '
                                     'return t !== "Running …" && t')
            outcomes[k] = text
        print('\n'.join(f'task {k + 1}: {text}' for k, text in outcomes.items()))
        self.assertTrue(all(text.startswith('Broken') for text in outcomes.values()), outcomes)

    def test_no_webassembly_is_a_sentence(self):
        blocked = self.scratch / 'old.html'
        blocked.write_text(PAGE.read_text().replace('"use strict";\n\nconst byId', 'delete globalThis.WebAssembly; const byId', 1))
        self.browser.open(blocked.as_uri())
        self.assertIn('no WebAssembly or no workers', self.browser.wait('return document.getElementById("notice").textContent'))

    def test_no_vectors_is_a_sentence(self):
        """A browser with WebAssembly of before 2021: modules with vectors of 128 bits are not valid."""
        old = self.scratch / 'no-vectors.html'
        before = """WebAssembly.validate = (bytes) => bytes.byteLength < 100;
          WebAssembly.compile = () => Promise.reject(new WebAssembly.CompileError("invalid opcode 0xfd"));"""
        old.write_text(PAGE.read_text().replace('"use strict";\n\nconst byId', before + '\nconst byId', 1))
        self.assertIn(before, old.read_text())
        self.browser.open(old.as_uri())
        said = self.browser.wait('return document.getElementById("notice").textContent')
        self.assertIn("lacks 128-bit vectors", said)
        self.assertIn('politex run deep_sea/', said)
        self.assertEqual(self.browser.run('return document.getElementById("notice").hidden'), False)
        self.assertEqual(self.browser.run('return state === null && worker === null'), True)

    def test_screenshots(self):
        for name, width, height in (('desktop', 1280, 900), ('phone', 390, 844)):
            for dark in (False, True):
                self.browser.size(width, height)
                self.browser.dark(dark)
                self.open('#steps=1000000')
                self.browser.click('[data-pace=fast]')
                self.browser.wait('return state.numbers.steps > 300000', 60)
                wide = self.browser.run('return document.documentElement.scrollWidth <= innerWidth')
                self.assertTrue(wide, f'{name}: wider than the screen')
                self.browser.screenshot(OUTPUT / f'{name}-{"dark" if dark else "light"}.png')
        self.browser.size(1280, 900)
        self.browser.dark(False)

    def test_served_by_the_dashboard(self):
        root = self.scratch / 'served'
        root.mkdir()
        shutil.copy(PAGE, root / 'live.html')
        server = subprocess.Popen([PROGRAM, 'serve', root, '--port', '0'], stderr=subprocess.PIPE, text=True)
        try:
            address = re.search(r'http://\S+', server.stderr.readline())[0].rstrip('/')
            self.browser.open(address + '/')
            self.assertTrue(self.browser.run('return !!document.querySelector("a[href=\'/live\']")'))
            self.browser.open(address + '/live#steps=20000')
            self.browser.wait('return typeof state !== "undefined" && state !== null && state.numbers.steps > 0')
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(20)
            server.stderr.close()


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1], verbosity=2)
