"""Pictures of pages in headless Chromium: screens.py PROGRAM SCRATCH [LIVE]

A report and the dashboard for docs/guide/look-at-results.md. With LIVE, a page of scripts/live-page, only the picture of
docs/guide/live-page.md.
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/browser"))
from webdriver import Browser

PROGRAM, SCRATCH = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])


def live(page):
    with tempfile.TemporaryDirectory() as scratch:
        browser = Browser(scratch)
        try:
            browser.size(1020, 720)
            browser.open(page.as_uri())
            browser.wait("typeof state !== 'undefined' && state !== null")
            browser.click("[data-pace=fast]")
            browser.wait("state.numbers.done === 1", 120)
            browser.run("document.querySelector('.lab').scrollIntoView(); return 1")
            browser.run("return new Promise(done => setTimeout(() => done(1), 500))")
            browser.screenshot(ROOT / "docs/guide/live-page.png")
        finally:
            browser.close()


def main():
    # From a directory with relative names, so that no path of this machine is in the pictures.
    out = "results/learners"
    subprocess.run([PROGRAM, "sweep", ROOT / "experiments/deep_sea/figure.toml", "--seeds", "6", "algorithm.name=ee_politex,politex,rlsvi,lspi", "size=10",
                    "--out", out], cwd=SCRATCH, check=True, capture_output=True)
    subprocess.run([PROGRAM, "report", out], cwd=SCRATCH, check=True, capture_output=True)
    with tempfile.TemporaryDirectory() as scratch:
        browser = Browser(scratch)
        served = subprocess.Popen([PROGRAM, "serve", "results", "--port", "0"], cwd=SCRATCH, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            address = next(word for line in served.stdout for word in line.split() if word.startswith("http://"))
            for name, page, height in (("report", (SCRATCH / out / "report.html").as_uri(), 1230), ("dashboard", address, 830)):
                browser.size(1020, height)
                browser.open(page)
                browser.wait("document.querySelector('canvas') && document.querySelector('canvas').width > 0")
                browser.run("return new Promise(done => setTimeout(() => done(1), 2500))")
                browser.screenshot(ROOT / f"docs/guide/{name}.png")
        finally:
            browser.close()
            served.terminate()
            served.wait(10)


if __name__ == "__main__":
    if sys.argv[3:]:
        live(pathlib.Path(sys.argv[3]).resolve())
    else:
        main()
