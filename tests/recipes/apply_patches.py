"""Writes a copy of a file with patches applied: apply_patches.py FILE OUT PATCH..."""
import pathlib
import sys


def hunks(patch):
    """(old lines, new lines) of every hunk of a unified diff."""
    found = []
    for line in patch.splitlines(keepends=True):
        if line.startswith("@@"):
            found.append(([], []))
        elif found:
            if line[0] in " -":
                found[-1][0].append(line[1:])
            if line[0] in " +":
                found[-1][1].append(line[1:])
    return [("".join(old), "".join(new)) for old, new in found]


def main(source, out, *patches):
    text = pathlib.Path(source).read_text(encoding="utf-8")
    for patch in patches:
        for old, new in hunks(pathlib.Path(patch).read_text(encoding="utf-8")):
            if text.count(old) != 1:
                sys.exit(f"{patch} does not apply to {source}; these lines are not in it once:\n{old}")
            text = text.replace(old, new)
    pathlib.Path(out).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(out).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
