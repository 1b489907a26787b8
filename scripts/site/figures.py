"""Figures for slides: every figure as SVG and PDF."""
import html
import re
import shutil
import subprocess

# Figure of `politex reproduce` -> its pictures that are worth a slide, with a caption.
SLIDES = {
    "deep_sea": {"deep_sea": "average cost against the size of DeepSea, nine learners"},
    "theory": {"c_terms_DeepSea": "regret and its terms against T on DeepSea", "a_rollouts": "error of an estimate against the number of rollouts",
               "b_lambda": "bias of the estimated average cost against the length of a rollout"},
}


def slides(root, pages, program, scratch):
    """Puts the figures into the pages; a list of links to them."""
    folder = pages / "teaching" / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for drawing in [*sorted((root / "docs").rglob("*.svg")), pages / "internals" / "architecture.svg"]:
        shutil.copy(drawing, folder / drawing.name)
        words = re.search(r'aria-label="([^"]*)"', drawing.read_text(encoding="utf-8"))
        rows.append((html.unescape(words[1]).replace("|", " ") if words else drawing.stem, drawing.name))
    for figure, pictures in SLIDES.items() if program else ():
        out = scratch / figure
        shutil.rmtree(out, ignore_errors=True)
        done = subprocess.run([program, "reproduce", figure, "--quick", "--out", out], capture_output=True, text=True)
        if done.returncode:
            raise OSError(f"politex reproduce {figure} --quick failed:\n{done.stderr[-2000:]}")
        for name, caption in pictures.items():
            shutil.copy(out / f"{name}.svg", folder / f"{name}.svg")
            rows.append((f"{caption} (of a run with `--quick`)", f"{name}.svg"))
    convert = shutil.which("rsvg-convert")
    listing = "| figure | files |\n|---|---|\n"
    for caption, name in rows:
        links = f"[SVG of {name[:-4]}](figures/{name})"
        if convert:
            other = name.replace(".svg", ".pdf")
            subprocess.run([convert, "-f", "pdf", "-o", folder / other, folder / name], check=True)
            links += f", [PDF](figures/{other})"
        listing += f"| {caption} | {links} |\n"
    if not convert:
        listing += "\nThere are no PDF files here: `rsvg-convert` (Debian: librsvg2-bin) was not found when the site was built.\n"
    if not program:
        listing += "\nThis copy of the site was built with `--quick`: the figures of `politex reproduce` are not in it.\n"
    return listing
