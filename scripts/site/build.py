"""Builds the site from docs/: build.py --out DIR --scratch DIR [--quick] [--program FILE] [--package DIR] [--live FILE] [--python FILE]

--check only looks whether DIR can be written. Exit status: 0 done, 1 a page is wrong, 2 bad input.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import api
import architecture
import examples
import figures
import stage

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RUN_FOLDERS = ("guide", "start", "teaching")
MARK = ".politex-site"
MOST_BYTES = 1_000_000


REFERENCE = """# Reference

Made from the sources when the site was built, so it is what this version does.

| page | content |
|---|---|
| [Names and keys](../guide/reference.md) | every environment, learner, explorer and option, with defaults (`politex list --markdown`) |
| [Python](python.md) | classes and functions of the package, from their docstrings |
| [C++](cpp.md) | the library room by room, from its headers |
"""


# The search puts the pages of the headers behind those that explain something.
SELDOM = "---\nsearch:\n  boost: 0.2\n---\n\n"


class BadInput(Exception):
    pass


def writable(out):
    """Refuses a directory that is not ours or that cannot be written, before anything runs."""
    if out.exists() and not out.is_dir():
        raise BadInput(f"{out} is a file; name another directory with --out DIR")
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).exists():
        raise BadInput(f"{out} has files that are not of this site; name an empty or a new directory with --out DIR")
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / MARK).write_text("The site of politex: ./reproduce site writes it again.\n")
    except OSError as error:
        raise BadInput(f"{out} cannot be written ({error.strerror}); name another directory with --out DIR") from None


def said(text):
    print(f"site: {text}", file=sys.stderr, flush=True)


def without_picture(docs):
    """Pages of the guide that do not open with the picture of their result. The generated reference has none."""
    files = [file for folder in RUN_FOLDERS for file in sorted((docs / folder).rglob("*.md")) if file != docs / "guide/reference.md"]
    return [file.relative_to(docs).as_posix() for file in files if not re.match(r"(<!--[^\n]*-->\n+)?# [^\n]*\n\n!\[", file.read_text(encoding="utf-8"))]


def replaced(text, mark, by):
    return text.replace(f"<!-- site: {mark} -->", by)


def film(found):
    """`<!-- film: 12 frames, 6 columns, 400 ms -->` before a picture makes a player of it."""
    return (f'<div class="film" data-frames="{found[1]}" data-columns="{found[2]}" data-milliseconds="{found[3]}" markdown>\n\n'
            f"{found[4]}\n\n</div>")


def live_part(live):
    if live is None:
        return ("!!! note \"The live page is not part of this build\"\n\n    `scripts/live-page OUT.html` makes it where the toolchain for WebAssembly is "
                "installed; then\n    build the site again.\n")
    return ('<iframe class="live" src="live.html" loading="lazy" title="Exploration-Enhanced Politex, live"></iframe>\n\n'
            "[The live page alone](live.html){ .md-button }\n")


def examples_part(done):
    if done is None:
        return "This copy of the site was built with `--quick`: the examples of the guide were not run for it.\n"
    return (f"For this copy of the site {done.ran} code blocks were run ({done.seconds:.0f} s); what {done.checked} of them print was compared with\n"
            f"the page. {len(done.not_run)} blocks are marked as not run:\n\n{examples.table_of_not_run(done.not_run)}")


def build(options):
    started = time.monotonic()
    plain = without_picture(ROOT / "docs")
    if plain:
        raise examples.Failed("pages that do not open with a picture of their result, right after the title: " + ", ".join(plain))
    pages = options.scratch / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(ROOT / "docs", pages, ignore=shutil.ignore_patterns("*.md"))
    (pages / "assets").mkdir()
    for asset in (HERE / "assets").iterdir():
        shutil.copy(asset, pages / "assets")
    if options.live:
        shutil.copy(options.live, pages / "live.html")
    (pages / "internals" / "architecture.svg").write_text(architecture.picture(ROOT))

    done = None
    results = {}
    if not options.quick:
        done = examples.Examples(ROOT, options.program, options.python, options.package, options.scratch / "run")
        for folder in RUN_FOLDERS:
            for file in sorted((ROOT / "docs" / folder).rglob("*.md")):
                text = file.read_text(encoding="utf-8")
                page = file.relative_to(ROOT / "docs").as_posix()
                at = time.monotonic()
                results[file] = found, place = done.page(page, text)
                if any(block.out for block in found):
                    said(f"{page}: {sum(bool(block.out) or block.seconds > 0 for block in found)} blocks run, {time.monotonic() - at:.1f} s")
                for picture, source in examples.MADE.findall(text):
                    shutil.copy(place / source, pages / folder / picture)
        said(f"{done.ran} blocks of the guide run in {done.seconds:.0f} s, {done.checked} outputs compared, {len(done.not_run)} blocks not run")
    listing = figures.slides(ROOT, pages, None if options.quick else options.program, options.scratch / "slides")

    staged = stage.Stage(ROOT, pages)
    if options.program:
        listed = subprocess.run([options.program, "list", "--markdown"], check=True, capture_output=True, text=True).stdout
    else:
        listed = (ROOT / "docs/guide/reference.md").read_text(encoding="utf-8")
    made = {"reference/README.md": REFERENCE, "reference/python.md": api.python_page(ROOT), **api.cpp_pages(ROOT)}
    for place, text in made.items():
        staged.write(place, (SELDOM if place.startswith("reference/cpp/") else "") + text)

    def changed(file, text):
        if file in results:
            text = examples.with_output(text, results[file][0])
        if file == ROOT / "docs/guide/reference.md":
            text = listed
        text = replaced(text, "live", live_part(options.live))
        text = replaced(text, "examples", examples_part(done))
        text = replaced(text, "slides", listing)
        text = replaced(text, "architecture", "![The rooms of src/ as boxes, a line from each room down to those it includes](architecture.svg)\n\n"
                        "Drawn from the include lines of the sources when this site was built.\n")
        return re.sub(r"<!-- film: (\d+) frames, (\d+) columns, (\d+) ms -->\n(!\[.*?\]\(.*?\))", film, text)

    for file in sorted((ROOT / "docs").rglob("*.md")):
        staged.markdown(file, lambda text, file=file: changed(file, text))
    staged.sources()
    if staged.missing:
        raise examples.Failed("links to nothing:\n" + "\n".join(staged.missing))

    for name in ("mkdocs.yml", "hooks.py", "stage.py"):
        shutil.copy(HERE / name, options.scratch / name)
    new = options.scratch / "site"
    command = [sys.executable, "-m", "mkdocs", "--quiet", "build", "--strict", "--clean", "--config-file", str(options.scratch / "mkdocs.yml"), "--site-dir", str(new)]
    made = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env={**os.environ, "PYTHONPATH": str(options.scratch), "NO_MKDOCS_2_WARNING": "1", "PYTHONWARNINGS": "ignore"})
    if made.returncode:
        raise examples.Failed(f"mkdocs failed:\n{made.stdout[-4000:]}")
    for file in new.rglob("*"):
        if file.suffix == ".map" or file.name in ("sitemap.xml", "sitemap.xml.gz"):
            file.unlink()
    for file in new.rglob("*.html"):
        if file != new / "live.html" and file.stat().st_size > MOST_BYTES:  # the live page has a limit and tests of its own
            raise examples.Failed(f"{file.relative_to(new)} has {file.stat().st_size} bytes; at most {MOST_BYTES}")
    writable(options.out)
    for old in options.out.iterdir():
        if old.name != MARK:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copytree(new, options.out, dirs_exist_ok=True)
    count = sum(1 for _ in options.out.rglob("*.html"))
    said(f"{count} pages in {options.out}, {time.monotonic() - started:.0f} s; open {options.out / 'index.html'}")


def main():
    parser = argparse.ArgumentParser(prog="site", description=__doc__.splitlines()[0])
    for name in ("out", "scratch", "program", "package", "live", "python"):
        parser.add_argument(f"--{name}", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    for name in ("out", "scratch", "program", "package", "live"):
        if getattr(options, name):
            setattr(options, name, getattr(options, name).resolve())
    options.python = options.python or pathlib.Path(sys.executable)
    try:
        writable(options.out)
        if not options.check:
            build(options)
    except BadInput as error:
        said(error)
        return 2
    except (examples.Failed, OSError) as error:
        said(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
