#!/usr/bin/python3
"""The report and the dashboard in a real browser: browser_test.py PROGRAM SOURCES OUTPUT

Pixels of the canvases are counted, not only elements. Screenshots stay in OUTPUT, for people to look at.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from webdriver import Browser

PROGRAM, SOURCES, OUTPUT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
FIGURE = SOURCES / 'experiments/deep_sea/figure.toml'
BLUE, SKY = (0, 114, 178), (86, 180, 233)  # the first two curves
ORANGE = (213, 94, 0)  # the second action

HELPERS = '''
window.pixels = function (selector) {
  return Array.from(document.querySelectorAll(selector)).filter(function (c) { return c.width > 0 && c.height > 0; })
    .map(function (c) { return c.getContext('2d').getImageData(0, 0, c.width, c.height).data; });
};
window.coloured = function (selector, red, green, blue) {
  let count = 0;
  window.pixels(selector).forEach(function (data) {
    for (let i = 0; i < data.length; i += 4)
      if (data[i + 3] > 100 && Math.abs(data[i] - red) + Math.abs(data[i + 1] - green) + Math.abs(data[i + 2] - blue) < 40) count++;
  });
  return count;
};
window.inked = function (selector) {  // grounds and grid lines are grey, what is drawn on them is not
  let count = 0;
  window.pixels(selector).forEach(function (data) {
    for (let i = 0; i < data.length; i += 4)
      if (Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 15) count++;
  });
  return count;
};
window.print = function (selector) {
  let hash = 0;
  window.pixels(selector).forEach(function (data) { for (let i = 0; i < data.length; i++) hash = (31 * hash + data[i]) | 0; });
  return hash;
};
window.problems = [];
window.addEventListener('error', function (event) { window.problems.push(event.message); });
return true;
'''


def politex(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, capture_output=True)


class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(OUTPUT, ignore_errors=True)
        OUTPUT.mkdir(parents=True)
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix='politex-browser-'))
        cls.runs = cls.scratch / 'runs'
        politex('sweep', FIGURE, 'algorithm.name=ee_politex,politex', 'steps=40000', 'size=10', '--seeds', 2, '--out',
                cls.runs / 'sweep', '--quiet')
        politex('run', FIGURE, 'environment.name=river_swim', 'features.name=tabular', 'steps=20000', 'exact.every=5',
                '--out', cls.runs / 'river', '--quiet')
        politex('run', FIGURE, 'environment.name=garnet', 'features.name=tabular', 'steps=20000', '--out',
                cls.runs / 'garnet', '--quiet')
        politex('report', cls.runs, '--out', cls.scratch / 'report')
        cls.browser = Browser(str(cls.scratch))

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.scratch, ignore_errors=True)

    def setUp(self):
        self.browser.size(1100, 900)
        self.browser.dark(False)

    def tearDown(self):
        self.assertEqual(self.browser.console(), [], 'the page complained')

    def look(self, address):
        self.browser.open(address)
        self.browser.run(HELPERS)
        self.browser.wait('window.politexChart !== undefined')

    def open_report(self, view=''):
        self.browser.open('about:blank')  # changing only the part after # would not reload the page
        self.look((self.scratch / 'report/report.html').as_uri() + view)

    def print_of(self, selector):
        return self.browser.run('window.print(arguments[0])', selector)

    def coloured(self, selector, colour):
        return self.browser.run('window.coloured(arguments[0], arguments[1], arguments[2], arguments[3])', selector,
                                *colour)

    def shoot(self, name):
        self.browser.screenshot(OUTPUT / (name + '.png'))

    def test_curves_are_drawn_and_switched_off(self):
        self.open_report()
        self.shoot('report')
        self.assertGreater(self.coloured('.chart canvas', BLUE), 200)
        second = self.coloured('.chart canvas', SKY)
        self.assertGreater(second, 200)
        self.browser.click('.chart-keys label:nth-child(2) input')
        self.assertEqual(self.coloured('.chart canvas', SKY), 0)
        self.assertGreater(self.coloured('.chart canvas', BLUE), 200)
        name = self.browser.run("document.querySelectorAll('.chart-keys label')[1].textContent")
        self.assertEqual(self.browser.run("new URLSearchParams(location.hash.slice(1)).getAll('off')"), [name])
        view = self.browser.run('location.hash')
        self.open_report(view)  # a shared address hides the same curve
        self.assertEqual(self.coloured('.chart canvas', SKY), 0)
        self.browser.click('.chart-keys label:nth-child(2) input')
        self.assertEqual(self.coloured('.chart canvas', SKY), second)

    def test_a_failed_seed_takes_no_curve_away(self):
        broken = self.scratch / 'broken'
        for seed in 1, 2:
            shutil.copytree(self.runs / f'sweep/runs/algorithm.name=ee_politex,steps=40000,environment.size=10,seed={seed}',
                            broken / f'seed{seed}')
        shutil.copytree(broken / 'seed2', broken / 'copy')
        shutil.copytree(broken / 'seed2', broken / 'seed3')
        (broken / 'seed3/summary.json').unlink()
        (broken / 'seed3/log.txt').write_text('2026-01-01 00:00:00Z failed: the disk is full\n')
        rows = (broken / 'seed3/progress.csv').read_text().splitlines(keepends=True)
        (broken / 'seed3/progress.csv').write_text(''.join(rows[:20]))
        politex('report', broken, '--out', self.scratch / 'broken-report')
        self.look((self.scratch / 'broken-report/report.html').as_uri())
        self.shoot('a failed seed and a copy')
        self.assertGreater(self.coloured('.chart canvas', BLUE), 200)
        step, cell = self.browser.run('const g = window.politexChart, last = g.numRows() - 1; '
                                      'return [g.getValue(last, 0), g.getValue(last, 1)]')
        self.assertEqual(step, 40000)
        self.assertIsNotNone(cell[1])
        self.assertIn('(2 of 3 seeds)', self.browser.run("document.querySelector('.chart-keys').textContent"))
        notices = self.browser.run("Array.from(document.querySelectorAll('.notice')).map(e => e.textContent).join()")
        self.assertIn('1 of 4 runs are not finished', notices)
        self.assertIn('1 of 4 runs repeat the trajectory of another', notices)
        self.assertIn('2 of 3', self.browser.run("document.querySelector('table').textContent"))

    def test_terms_of_the_regret(self):
        self.open_report('#metric=regret_to_gain')
        self.assertGreater(self.coloured('.chart canvas', BLUE), 200)
        self.browser.run("Array.from(document.querySelectorAll('h2')).find(e => e.textContent === 'Terms of the regret')"
                         ".scrollIntoView(); return 1")
        self.shoot('terms of the regret')
        for name in 'regret_terms-1.png', 'regret_terms_over_time-4.svg':
            self.assertTrue((self.scratch / 'report' / name).exists(), name)
        self.assertEqual(self.browser.run("document.querySelectorAll('.chart-missing:not([hidden])').length"), 0)
        self.browser.run("const data = JSON.parse(document.getElementById('data').textContent); "
                         "data.left_out = ['q_error_star']; "
                         "window.politexMakeChart(document.getElementById('curves'), data); return 1")
        self.assertIn('q error star', self.browser.run("document.querySelector('.chart-missing').textContent"))

    def test_axes_metrics_and_reward(self):
        self.open_report()
        linear = self.print_of('.chart canvas')
        low, high = self.browser.run('window.politexChart.yAxisRange()')
        self.browser.click('#box-reward')
        self.assertNotEqual(self.print_of('.chart canvas'), linear)
        rewards = self.browser.run('window.politexChart.yAxisRange()')
        self.assertAlmostEqual(rewards[0], -high, delta=0.02 * (high - low))
        self.assertAlmostEqual(rewards[1], -low, delta=0.02 * (high - low))
        self.browser.click('#box-reward')
        self.assertEqual(self.print_of('.chart canvas'), linear)
        self.browser.click('#box-logx')
        self.assertNotEqual(self.print_of('.chart canvas'), linear)
        self.assertGreater(self.coloured('.chart canvas', BLUE), 200)
        self.shoot('log steps')
        self.browser.click('#box-logx')
        self.browser.run("document.querySelector('.chart-bar select').value = 'regret'; "
                         "document.querySelector('.chart-bar select').dispatchEvent(new Event('change')); return 1")
        self.assertIn('metric=regret', self.browser.run('location.hash'))
        self.browser.click('#box-logy')
        self.shoot('regret, log values')
        view = self.browser.run('location.hash')
        shared = self.print_of('.chart canvas')
        self.open_report(view)  # the address contains the view
        self.assertEqual(self.print_of('.chart canvas'), shared)
        self.open_report('#mode=runs')
        self.assertEqual(self.browser.run("document.querySelectorAll('.chart-keys label').length"), 6)

    def test_zoom_and_hover(self):
        self.open_report()
        self.browser.pointer('.chart', (0, 0), (10, 20))
        self.assertRegex(self.browser.run("document.querySelector('.chart-hover').textContent"), r'step \d+:.*-?\d')
        whole = self.browser.run('window.politexChart.xAxisRange()')
        before = self.print_of('.chart canvas')
        self.browser.pointer('.chart', (-100, 0), 'down', (0, 5), (150, 5), 'up')
        near = self.browser.run('window.politexChart.xAxisRange()')
        self.assertLess(near[1] - near[0], 0.5 * (whole[1] - whole[0]))
        self.assertNotEqual(self.print_of('.chart canvas'), before)
        self.browser.click('.chart-bar button')
        self.assertEqual(self.browser.run('window.politexChart.xAxisRange()'), whole)

    def test_the_best_setting_comes_first(self):
        self.open_report()
        self.assertIn('Best setting', self.browser.run("document.querySelector('h2').textContent"))
        self.assertIn('politex run', self.browser.run("document.querySelector('h2 ~ pre').textContent"))

    def test_curves_are_found_and_shown_alone(self):
        self.open_report()
        shown = "window.politexChart.visibility().filter(Boolean).length"
        listed = "return Array.from(document.querySelectorAll('.key')).filter(function (key) { return !key.hidden; }).length"
        every = self.browser.run(shown)
        self.browser.click('.chart-bar button[title^="hide every"]')
        self.assertEqual(self.browser.run(shown), 0)
        self.browser.type('.chart-bar input[type=search]', 'river')
        self.assertEqual(self.browser.run(listed), 1)
        self.browser.click('.chart-bar button[title^="show every"]')
        self.assertEqual(self.browser.run(shown), 1)
        self.open_report()
        self.browser.click('.key:nth-child(2) .only')
        self.assertEqual(self.browser.run('window.politexChart.visibility().indexOf(true)'), 1)
        self.assertEqual(self.browser.run(shown), 1)
        self.assertGreater(every, 2)

    def test_logarithms_of_negative_costs(self):
        self.open_report('#metric=average_cost&mode=groups&logy')
        self.assertGreater(self.coloured('.chart canvas', BLUE), 200)
        labels = self.browser.run(
            "return Array.from(document.querySelectorAll('.dygraph-axis-label-y')).map(function (one) { return one.textContent; })")
        self.assertIn('-1', labels)
        self.assertIn('0', labels)

    def test_tables_are_sorted_and_searched(self):
        self.open_report()
        column = ("return Array.from(document.querySelector('.scroll table').tBodies[0].rows)"
                  ".map(function (row) { return parseFloat(row.cells[2].textContent.replace('\u2212', '-')); })")
        for ascending in True, False:
            self.browser.click('.scroll table thead th:nth-child(3)')
            means = self.browser.run(column)
            self.assertEqual(means, sorted(means, reverse=not ascending))
        for width in 390, 1280, 1920:
            self.browser.size(width, 900, mobile=width < 500)
            self.expect_no_sideways_scroll()
            self.assertEqual(self.browser.run("return Array.from(document.querySelectorAll('.scroll')).filter(function (one) {"
                                              ' return one.scrollWidth > one.clientWidth; }).length'), 0)

    def fill(self, selector, value):
        """Chooses in a select, as a reader does."""
        self.browser.run("const s = document.querySelector(arguments[0]); s.value = arguments[1]; "
                         "s.dispatchEvent(new Event('change')); return 1", selector, value)

    def test_rows_are_grouped_pinned_and_compared_and_links_keep_it(self):
        self.open_report()
        rows = "return Array.from(document.querySelector('table.cards').tBodies[0].rows).map(r => r.textContent)"
        names = self.browser.run(rows)
        self.assertEqual(len(names), 4)
        self.fill('.group-rows', 'algorithm')
        grouped = self.browser.run(rows)
        self.assertEqual([row for row in grouped if row.startswith('▾')],
                         ['▾ algorithm ee_politex (3)', '▾ algorithm politex (1)'])
        self.browser.click('.group-head')  # closed
        self.assertEqual(len(self.browser.run(rows)), 3)
        self.browser.click('.group-head')
        for place in 0, 1:
            self.browser.run("document.querySelectorAll('table.cards .pin[aria-pressed=false]')[0].click(); return 1")
        compared = self.browser.run("document.querySelector('.compared').textContent")
        self.assertIn('second less first', compared)
        self.assertIn('mean', compared)
        self.browser.click('.compared > button')
        self.assertEqual(self.browser.run('window.politexChart.visibility().filter(Boolean).length'), 2)
        self.browser.size(1280, 1400)
        self.shoot('two rows compared')
        view = self.browser.run('location.hash')
        before = [self.browser.run(rows), self.browser.run('window.politexChart.visibility()')]
        self.open_report(view)
        self.assertEqual([self.browser.run(rows), self.browser.run('window.politexChart.visibility()')], before)
        self.assertEqual(len(self.browser.run("return Array.from(document.querySelectorAll('.pinned')).map(r => 1)")), 2)
        self.browser.size(390, 844, mobile=True)
        self.expect_no_sideways_scroll()
        self.browser.run("document.querySelector('.compared').scrollIntoView(); return 1")
        self.shoot('two rows compared, on a phone')
        # Names are broken between words, and the button beside a name is one line.
        self.assertEqual(self.browser.run("return Array.from(document.querySelectorAll('.compared thead th')).map(th => "
                                          "th.querySelectorAll('wbr').length > 0)"), [False, True, True, False])
        self.assertLess(self.browser.run("return Math.max(...Array.from(document.querySelectorAll('.key .only')).map(b => "
                                         'b.getBoundingClientRect().height))'), 30)

    def test_expressions(self):
        self.open_report()
        for query, text, fields, holds in (
                ('eta=0.1', 'run', {'algorithm.eta': '0.1'}, True), ('eta=.10', 'run', {'algorithm.eta': '0.1'}, True),
                ('eta=0.2', 'run', {'algorithm.eta': '0.1'}, False), ('eta=0.2,0.1', 'run', {'algorithm.eta': '0.1'}, True),
                ('eta!=0.2', 'run', {'algorithm.eta': '0.1'}, True), ('eta>0.05 eta<=0.1', 'run', {'algorithm.eta': '0.1'}, True),
                ('cost<-1.2', 'run', {'average_cost': '−1.25'}, True), ('cost<-1.2', 'run', {'average_cost': '-1.1'}, False),
                ('cost<0', 'run', {'average_cost': '–'}, False), ('env~lake', 'run', {'environment.name': 'FrozenLake'}, True),
                ('!done', 'run failed', {}, True), ('!run', 'run failed', {}, False), ('done | failed', 'run failed', {}, True),
                ('"two words"', 'has two words', {}, True), ('"two words"', 'two odd words', {}, False),
                ('size=5', 'a size=5', {}, True), ('steps>=1000', 'run', {'steps': '4,000 of 4,000'}, True), ('!', 'a!', {}, True)):
            self.assertIs(self.browser.run('window.politexView.expression(arguments[0])({text: arguments[1], fields: arguments[2]})',
                                           query, text, fields), holds, (query, text, fields))

    def test_a_thousand_runs(self):
        root = self.scratch / 'thousand'
        config = (self.runs / 'garnet/config.toml').read_text()
        self.assertIn('seed = 1\n', config)
        for seed in range(1000):
            shutil.copytree(self.runs / 'garnet', root / f'sweep{seed % 2}/runs/seed={seed}', copy_function=os.link)
            (root / f'sweep{seed % 2}/runs/seed={seed}/config.toml').unlink()
            (root / f'sweep{seed % 2}/runs/seed={seed}/config.toml').write_text(config.replace('seed = 1\n', f'seed = {seed}\n'))
        server = subprocess.Popen([PROGRAM, 'serve', root, '--port', '0'], stderr=subprocess.PIPE, text=True)
        try:
            address = re.search(r'http://\S+', server.stderr.readline()).group()
            self.look(address + '#mode=runs')
            self.browser.wait("document.querySelector('.table-bar .row-count').textContent === '1000 rows'")
            self.assertIn('10 of 1000 curves', self.browser.run("document.querySelectorAll('.chart-bar')[1].textContent"))
            rows = 'document.getElementById("runs").rows.length'
            self.assertLess(self.browser.run(rows), 200)
            names = self.browser.run("return Array.from(document.querySelectorAll('#runs tr a')).slice(0, 3).map(a => a.textContent)")
            self.assertEqual(names, [f'sweep0/runs/seed={seed}' for seed in (0, 2, 4)])  # not 0, 10, 100
            self.browser.run("document.querySelector('.scroll.long').scrollTop = 1e9; return 1")
            self.browser.wait("document.getElementById('runs').textContent.includes('sweep1/runs/seed=999')")
            self.assertLess(self.browser.run(rows), 200)
            self.browser.type('.find-rows', 'seed>=996 sweep1')
            self.browser.wait("document.querySelector('.table-bar .row-count').textContent === '2 of 1000 rows'")
            self.browser.click('.rows-curves')
            self.assertEqual(self.browser.run('window.politexChart.visibility().filter(Boolean).length'), 2)
            self.browser.run("const s = document.querySelector('.find-rows'); s.value = ''; s.dispatchEvent(new Event('input')); return 1")
            self.fill('.group-rows', 'sweep')
            self.browser.wait("document.querySelector('.group-head').textContent.includes('sweep0 (500)')")
            for width in 390, 1280, 1920:
                self.browser.size(width, 900, mobile=width < 500)
                self.expect_no_sideways_scroll()
                self.browser.run("document.querySelector('.table-bar').scrollIntoView(); return 1")
                self.shoot(f'a thousand runs, {width}')
            self.browser.open('about:blank')
        finally:
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(30), 0)
            server.stderr.close()

    def test_pictures_of_what_was_learned(self):
        self.open_report()
        self.browser.run("document.getElementById('pictures').scrollIntoView(); return 1")
        runs = self.browser.run("document.querySelectorAll('#pictures option').length")
        self.assertEqual(runs, 4)
        seen = set()
        for index in range(runs):
            self.browser.run("const s = document.querySelector('#pictures select'); s.value = arguments[0]; "
                             "s.dispatchEvent(new Event('change')); return 1", index)
            name = self.browser.run("document.querySelector('#pictures select').selectedOptions[0].textContent")
            self.shoot('pictures of ' + re.sub(r'\W+', ' ', name))
            last = [self.print_of('#picture-visits'), self.print_of('#picture-policy')]
            seen.add(tuple(last))
            for canvas in '#picture-visits', '#picture-policy':
                self.assertGreater(self.browser.run('window.inked(arguments[0])', canvas), 100, name)
            self.browser.run("const s = document.getElementById('phase-slider'); s.value = 0; "
                             "s.dispatchEvent(new Event('input')); return 1")
            self.assertNotEqual(self.print_of('#picture-visits'), last[0], name)
            self.assertNotEqual(self.print_of('#picture-policy'), last[1], name)
            self.assertIn('phase 1,', self.browser.run("document.querySelector('.picture-words').textContent"))
        self.assertEqual(len(seen), runs)
        self.browser.pointer('#picture-visits', (0, 0), (3, 3))
        self.assertRegex(self.browser.run("document.querySelector('#pictures .chart-hover').textContent"),
                         r'state \d+.*: \d+ visits; action \d')
        self.browser.click('#pictures button')
        self.browser.wait("!document.querySelector('.picture-words').textContent.startsWith('phase 1,')")

    def expect_no_sideways_scroll(self):
        wide = self.browser.run('''
          const width = document.documentElement.clientWidth;
          return [document.documentElement.scrollWidth - width, Array.from(document.querySelectorAll('body *'))
            .filter(e => e.getBoundingClientRect().right > width + 1 && !e.closest('.scroll, pre, .drawing, .chart'))
            .map(e => e.outerHTML.slice(0, 120))]''')
        self.assertEqual(wide, [0, []])

    def test_on_a_phone(self):
        self.browser.size(390, 844, mobile=True)
        self.open_report()
        self.expect_no_sideways_scroll()
        self.assertGreater(self.coloured('.chart canvas', BLUE), 100)
        self.shoot('report on a phone')
        self.browser.run("document.getElementById('pictures').scrollIntoView(); return 1")
        self.shoot('pictures on a phone')

    def test_in_the_dark(self):
        self.browser.dark(True)
        self.open_report()
        ground, ink = self.browser.run(
            '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]')
        self.assertLess(sum(map(int, re.findall(r'\d+', ground)[:3])), 150)
        self.assertGreater(sum(map(int, re.findall(r'\d+', ink)[:3])), 500)
        axis = self.browser.run("getComputedStyle(document.querySelector('.dygraph-axis-label')).color")
        self.assertGreater(sum(map(int, re.findall(r'\d+', axis)[:3])), 500)
        light = self.print_of('#picture-visits')
        self.shoot('report in the dark')
        self.browser.run("document.getElementById('pictures').scrollIntoView(); return 1")
        self.shoot('pictures in the dark')
        self.browser.dark(False)  # also when the user changes it while the page is open
        self.browser.wait('window.print("#picture-visits") !== arguments[0]', 10, light)

    def hostile_runs(self):
        """A run with text in every field that would do something if it were taken for markup."""
        bad = '<img src=x onerror=window.hacked=1>'
        root = self.scratch / 'hostile'
        shutil.rmtree(root, ignore_errors=True)
        run = root / (bad + "'\"&amp;")
        shutil.copytree(self.runs / 'garnet', run)
        rows = (run / 'progress.csv').read_text().split('\n', 1)
        (run / 'progress.csv').write_text(rows[0].replace('phase_average_cost', bad) + '\n' + rows[1])
        config = (run / 'config.toml').read_text()
        for word in '"garnet"', '"ee_politex"', '"tabular"':
            config = config.replace(word, "'" + bad + "'")
        (run / 'config.toml').write_text(config)
        (run / 'summary.json').unlink()
        (run / 'log.txt').write_text(f'2026-01-01 00:00:00Z failed: {bad}\n')
        if (run / 'pictures.jsonl').exists():
            text = (run / 'pictures.jsonl').read_text()
            (run / 'pictures.jsonl').write_text(text.replace('"cost"', f'"{bad}"').replace('</', bad))
        shutil.copytree(self.runs / 'river', root / 'plain')
        self.make_hostile_summary(root / 'finished', bad)
        self.make_hostile_tuning(root / 'tuned', bad)
        return root, bad

    def make_hostile_summary(self, run, bad):
        """Every text of summary.json, and the files that no page reads."""
        def all_bad(value):
            if isinstance(value, dict):
                return {key: all_bad(each) for key, each in value.items()} | {bad: bad}
            if isinstance(value, list):
                return [bad]
            return bad if isinstance(value, str) else value

        shutil.copytree(self.runs / 'garnet', run)
        summary = json.loads((run / 'summary.json').read_text())
        summary['warnings'] = [bad]
        (run / 'summary.json').write_text(json.dumps(all_bad(summary), indent=2) + '\n')
        for events in run.glob('events.out.*'):
            events.write_bytes(events.read_bytes().replace(b'average_cost', bad.encode()))

    def make_hostile_tuning(self, root, bad):
        politex('sweep', FIGURE, 'steps=2000', 'size=4', 'eta=0.1,0.2', '--seeds', 2, '--tune', 2, '--out', root,
                '--quiet', '--jobs', 1)
        sweep = json.loads((root / 'sweep.json').read_text())
        for run in sweep['runs']:
            run['settings'] = {bad: bad}
        sweep['file'], sweep['keys'] = bad, [bad]
        (root / 'sweep.json').write_text(json.dumps(sweep, indent=1) + '\n')
        for name in 'tuning.csv', 'sensitivity.csv', 'results.csv':
            (root / name).write_text((root / name).read_text().replace('ee_politex', bad).replace('eta', bad))
        drawing = next(root.glob('sensitivity-*.svg'))
        text = drawing.read_text()
        (root / f'sensitivity-{bad}.svg').write_text(text)
        drawing.write_text(text.replace('</svg>', f'{bad}<script>window.hacked=1</script></svg></figure>{bad}<svg></svg>'))

    def expect_no_markup(self, bad):
        self.assertEqual(self.browser.run('document.querySelectorAll("img[src=x], [onerror]").length'), 0)
        self.assertIs(self.browser.run('window.hacked === undefined'), True)

    def test_no_text_of_a_run_is_interpreted(self):
        root, bad = self.hostile_runs()
        politex('report', root, '--out', self.scratch / 'hostile-report')
        self.browser.open('about:blank')
        self.look((self.scratch / 'hostile-report/report.html').as_uri())
        metrics = self.browser.run("Array.from(document.querySelector('.chart-bar select').options).map(o => o.value)")
        self.assertIn(bad, metrics)
        for metric in metrics:
            self.browser.run("const s = document.querySelector('.chart-bar select'); s.value = arguments[0]; "
                             "s.dispatchEvent(new Event('change')); return true", metric)
            self.expect_no_markup(bad)
        self.assertIn(bad, self.browser.run("document.querySelector('.dygraph-ylabel').textContent"
                                            " + Array.from(document.querySelectorAll('option')).map(o => o.value).join()"))
        self.shoot('hostile names')
        server = subprocess.Popen([PROGRAM, 'serve', root, '--port', '0'], stderr=subprocess.PIPE, text=True)
        try:
            address = re.search(r'http://\S+', server.stderr.readline()).group()
            self.look(address)
            self.browser.wait("document.querySelectorAll('#runs tr').length === 9")
            self.browser.run("const s = document.querySelector('.chart-bar select'); s.value = arguments[0]; "
                             "s.dispatchEvent(new Event('change')); return true", bad)
            self.expect_no_markup(bad)
            self.browser.click('#runs a')
            self.browser.run(HELPERS)
            self.expect_no_markup(bad)
            self.browser.open('about:blank')
        finally:
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(30), 0)
            server.stderr.close()

    def test_a_hidden_curve_stays_hidden_when_a_run_appears(self):
        root = self.scratch / 'growing'
        for name in 'b', 'c', 'd':
            shutil.copytree(self.runs / 'garnet', root / name)
        server = subprocess.Popen([PROGRAM, 'serve', root, '--port', '0'], stderr=subprocess.PIPE, text=True)
        try:
            address = re.search(r'http://\S+', server.stderr.readline()).group()
            self.look(address + '#mode=runs')
            keys = ("Array.from(document.querySelectorAll('.chart-keys label')).map(l => [l.textContent, "
                    "l.querySelector('input').checked, l.querySelector('.swatch').dataset.colour])")
            self.browser.wait(keys + '.length === 3')
            self.browser.click('.chart-keys label:nth-child(2) input')
            before = self.browser.run(keys)
            self.assertEqual([key[:2] for key in before], [['b', True], ['c', False], ['d', True]])
            shutil.copytree(self.runs / 'garnet', self.scratch / 'a')
            (self.scratch / 'a').rename(root / 'a')
            self.browser.wait(keys + '.length === 4')
            after = self.browser.run(keys)
            self.assertEqual([key[:2] for key in after], [['a', True], ['b', True], ['c', False], ['d', True]])
            self.assertEqual(after[1:], before)  # with their colours
            self.assertEqual(self.browser.run('window.politexChart.visibility()'), [True, True, False, True])
            self.browser.open('about:blank')
        finally:
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(30), 0)
            server.stderr.close()

    def test_the_dashboard_lives(self):
        server = subprocess.Popen([PROGRAM, 'serve', self.runs, '--port', '0'], stderr=subprocess.PIPE, text=True)
        child = None
        try:
            address = re.search(r'http://\S+', server.stderr.readline()).group()
            self.look(address)
            self.browser.wait("document.querySelectorAll('#runs tr').length === 6")
            self.assertGreater(self.coloured('.chart canvas', BLUE), 100)
            self.shoot('dashboard')
            child = subprocess.Popen([PROGRAM, 'run', FIGURE, 'steps=100000000000', 'size=10', 'seed=77', '--out',
                                      self.runs / 'newcomer', '--quiet'], stderr=subprocess.DEVNULL)
            self.browser.wait("document.getElementById('runs').textContent.includes('newcomer')")
            state = ("Array.from(document.querySelectorAll('#runs tr')).find(row => "
                     "row.textContent.includes('newcomer')).textContent")
            self.browser.wait(state + ".includes('running')")
            # News changes the row, but does not make it again under the reader's cursor.
            own = "Array.from(document.querySelectorAll('#runs tr')).find(row => row.textContent.includes('newcomer'))"
            self.browser.run(f"{own}.own = true; {own}.querySelector('a').focus(); return 1")
            self.browser.wait(f'{own}.cells[2].textContent !== arguments[0]', 30, self.browser.run(own + '.cells[2].textContent'))
            self.assertIs(self.browser.run(own + '.own'), True)
            self.assertIs(self.browser.run(f"document.activeElement === {own}.querySelector('a')"), True)
            longest = 'window.politexChart.xAxisExtremes()[1]'
            self.browser.wait(longest + ' > 40000')
            before = self.browser.run(longest)
            picture = self.print_of('.chart canvas')
            self.browser.wait(longest + ' > 1.2 * arguments[0]', 30, before)
            self.assertNotEqual(self.print_of('.chart canvas'), picture)
            self.shoot('dashboard with a run')
            child.send_signal(signal.SIGTERM)
            child.wait(30)
            self.browser.wait(state + ".includes('stopped')")
            # Colours belong to curves: the newcomer has changed their order and their labels. What is off stays off.
            self.browser.click('.chart-keys label:nth-child(1) input')
            self.assertEqual(self.coloured('.chart canvas', BLUE), 0)
            self.browser.click('#runs a[href="/report/newcomer"]')
            self.browser.run(HELPERS)
            self.browser.wait('window.politexChart !== undefined')
            self.assertGreater(self.coloured('.chart canvas', BLUE), 100)
            self.assertGreater(self.coloured('#picture-policy', ORANGE), 50)
            self.browser.size(390, 844, mobile=True)
            self.look(address)
            self.expect_no_sideways_scroll()
            self.shoot('dashboard on a phone')
            self.browser.dark(True)
            self.shoot('dashboard in the dark, on a phone')
            self.browser.open('about:blank')
        finally:
            if child is not None and child.poll() is None:
                child.kill()
                child.wait()
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(30), 0)
            server.stderr.close()


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1], verbosity=2)
