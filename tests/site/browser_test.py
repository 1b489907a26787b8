#!/usr/bin/python3
"""The documentation site in headless Chromium, from file://: browser_test.py SITE AXE OUTPUT

Every page at two widths, light and dark: axe-core finds nothing serious, nothing is wider than the screen, no error is logged.
Links are checked in all files. The contact sheets in OUTPUT are for people to look at.
"""
import base64
import html.parser
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'browser'))
from webdriver import Browser

SITE, AXE, OUTPUT = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
PAGES = sorted(SITE.rglob('*.html'))
LIVE = SITE / 'live.html'  # reference/cpp has a page of this name, too
SIZES = {'desktop': (1280, 800, False), 'phone': (390, 780, True)}
# Pages that differ; POLITEX_SITE_ALL=1 opens every page (ten minutes). Links and sizes are checked in all.
SOME = ['index', 'start/engineer', 'start/python-user', 'theory/index', 'theory/average-cost', 'theory/exploration', 'teaching/exercises', 'teaching/slides',
        'teaching/citation', 'results/paper', 'results/deep_sea', 'results/ms_pacman', 'guide/index', 'guide/run-an-experiment', 'guide/compare-settings',
        'guide/no-explorer', 'guide/python', 'guide/reference', 'guide/many-features', 'guide/live-page', 'guide/call-center', 'guide/deploy',
        'guide/problems/queues', 'guide/problems/rooms', 'results/field', 'internals/map', 'internals/how-it-is-tested', 'reference/python',
        'reference/cpp/env', 'live']


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.targets, self.ids, self.loaded = [], set(), []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if values.get('id'):
            self.ids.add(values['id'])
        if tag == 'a' and values.get('name'):
            self.ids.add(values['name'])
        for name in ('href', 'src'):
            if values.get(name):
                self.targets.append(values[name])
                if tag != 'a' and not (tag == 'link' and values.get('rel') in ('canonical', 'prev', 'next')):
                    self.loaded.append(values[name])


def read(page):
    links = Links()
    links.feed(page.read_text(encoding='utf-8'))
    return links


def opened():
    if os.environ.get('POLITEX_SITE_ALL'):
        return [page for page in PAGES if page.name != '404.html']
    return [SITE / f'{name}.html' for name in SOME]


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(OUTPUT, ignore_errors=True)
        (OUTPUT / 'pages').mkdir(parents=True)
        cls.scratch = tempfile.TemporaryDirectory()
        cls.browser = Browser(cls.scratch.name)
        cls.browser.devtools('Network.enable')
        cls.axe = AXE.read_text(encoding='utf-8')

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.scratch.cleanup()

    def test_links_and_anchors_exist(self):
        known = {page: read(page) for page in PAGES}
        self.assertGreater(len(known), 60)
        checked = 0
        for page, links in known.items():
            if page.name == '404.html':
                continue
            for target in links.targets:
                parts = urllib.parse.urlsplit(target)
                if parts.scheme or target.startswith('//'):
                    continue
                other = (page.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else page
                self.assertTrue(other.is_file(), f'{page.relative_to(SITE)}: {target}')
                checked += 1
                if parts.fragment and other in known:
                    ids = known[other].ids
                    self.assertIn(urllib.parse.unquote(parts.fragment), ids | {'__tabbed_1_1'}, f'{page.relative_to(SITE)}: {target}')
        self.assertGreater(checked, 2000)

    def test_nothing_is_loaded_from_a_network(self):
        for page in PAGES:
            for target in read(page).loaded:
                self.assertFalse(urllib.parse.urlsplit(target).scheme in ('http', 'https') or target.startswith('//'), f'{page.relative_to(SITE)}: {target}')

    def test_pages_are_small(self):
        for page in PAGES:
            whole = page.stat().st_size
            seen = set()
            for target in read(page).loaded:
                file = (page.parent / urllib.parse.unquote(urllib.parse.urlsplit(target).path)).resolve()
                if file.suffix in ('.png', '.svg') and file.is_file() and file not in seen:
                    seen.add(file)
                    whole += file.stat().st_size
            self.assertLess(whole, 500_000 if page == LIVE else 1_000_000, page.relative_to(SITE))

    def test_search_from_a_file(self):
        self.browser.size(1280, 800)
        self.browser.open((SITE / 'index.html').as_uri())
        self.browser.type('input.md-search__input', 'teleport')
        found = self.browser.wait("document.querySelectorAll('.md-search-result__item').length", 60)
        self.assertGreater(found, 1)
        self.browser.screenshot(OUTPUT / 'search.png')

    def test_the_learner_runs_on_the_landing_page(self):
        self.browser.size(1280, 800)
        self.browser.open((SITE / 'index.html').as_uri())
        self.browser.run("document.querySelector('iframe.live').scrollIntoView()")
        self.browser.frame('iframe.live')
        try:
            self.browser.wait("typeof state !== 'undefined' && state !== null && state.numbers.steps > 0", 60)
            self.assertTrue(self.browser.run("document.getElementById('notice').hidden"))
        finally:
            self.browser.frame(None)

    def test_films_play(self):
        for page in ('theory/exploration.html', 'results/cartpole.html', 'results/ms_pacman.html'):
            self.browser.open((SITE / page).as_uri())
            self.browser.wait("document.querySelector('.film canvas') && document.querySelector('.film canvas').width > 100")
            self.browser.run("document.querySelector('.film input').value = 0")
            self.browser.wait("Number(document.querySelector('.film input').value) > 0")
            self.browser.run("document.querySelector('.film button').click()")
            at = self.browser.run("document.querySelector('.film input').value")
            self.browser.run("return new Promise(done => setTimeout(() => done(1), 1200))")
            self.assertEqual(self.browser.run("document.querySelector('.film input').value"), at, page)

    def test_every_page(self):
        problems, shots = [], {}
        for size, (width, height, mobile) in SIZES.items():
            for dark in (False, True):
                self.browser.size(width, height, mobile)
                self.browser.dark(dark)
                # The theme remembers the colours of the last visit.
                self.browser.open((SITE / 'index.html').as_uri())
                self.browser.run("localStorage.clear()")
                self.browser.open((SITE / 'index.html').as_uri())
                self.assertEqual(self.browser.run("document.body.dataset.mdColorScheme"), 'slate' if dark else 'default')
                for page in opened():
                    name = page.relative_to(SITE).as_posix()
                    self.browser.open(page.as_uri())
                    if page == LIVE:
                        self.browser.wait("typeof state !== 'undefined' && state !== null", 60)
                    shot = f"{name[:-5].replace('/', '_')}-{size}-{'dark' if dark else 'light'}.jpg"
                    if page != LIVE and self.browser.run("document.body.dataset.mdColorScheme") != ('slate' if dark else 'default'):
                        problems.append(f'{name}: not {dark and "dark" or "light"}')
                    wide = self.browser.run("document.scrollingElement.scrollWidth - innerWidth")
                    if wide > 0:
                        problems.append(f'{name} {size}: {wide} pixels wider than the screen')
                    # One side of each: all rules on every page, and every colour.
                    if (size == 'desktop') != dark:
                        problems += self.accessible(f"{name} {size} {'dark' if dark else 'light'}")
                    (OUTPUT / 'pages' / shot).write_bytes(base64.b64decode(self.browser.devtools(
                        'Page.captureScreenshot', format='jpeg', quality=60, clip={'x': 0, 'y': 0, 'width': width, 'height': height * 1.6, 'scale': .5},
                        captureBeyondViewport=True)['data']))
                    shots.setdefault((size, dark), []).append(shot)
        problems += [f"{entry['message']}" for entry in self.browser.console() if entry['level'] == 'SEVERE' and 'favicon' not in entry['message']]
        for (size, dark), names in shots.items():
            self.sheet(f"{size}-{'dark' if dark else 'light'}", names, SIZES[size][0] // 2)
        self.assertEqual(problems, [])

    def accessible(self, name):
        self.browser.run(self.axe + '\n;return 1')
        found = self.browser.run("return axe.run(document, {resultTypes: ['violations'], preload: false}).then(r => JSON.stringify(r.violations.map(v => "
                                 "({id: v.id, impact: v.impact, nodes: v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' :: ' + (n.any[0] ? n.any[0].message : '').slice(0, 200))}))))")
        return [f"{name}: {one['impact']} {one['id']}: {one['nodes']}" for one in json.loads(found) if one['impact'] in ('serious', 'critical')]

    def sheet(self, name, shots, width):
        """Contact sheets: many pages in one picture."""
        for number in range(0, len(shots), 24):
            file = OUTPUT / f'sheet-{name}-{number // 24 + 1}.html'
            body = ''.join(f'<figure><img src="pages/{shot}"><figcaption>{shot}</figcaption></figure>' for shot in shots[number:number + 24])
            file.write_text(f'<style>body{{margin:0;font:11px sans-serif;display:flex;flex-wrap:wrap;align-items:flex-start}}figure{{margin:4px;width:{width // 2 if width > 400 else width}px}}img{{width:100%}}</style>{body}')
            self.browser.size(2000, 1000)
            self.browser.open(file.as_uri())
            tall = self.browser.run('document.scrollingElement.scrollHeight')
            (OUTPUT / f'sheet-{name}-{number // 24 + 1}.jpg').write_bytes(base64.b64decode(self.browser.devtools(
                'Page.captureScreenshot', format='jpeg', quality=70, clip={'x': 0, 'y': 0, 'width': 2000, 'height': tall, 'scale': 1}, captureBeyondViewport=True)['data']))
            file.unlink()


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
