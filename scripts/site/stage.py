"""Markdown of the sources into Markdown of the site: lists, links, and the pages that links need."""
import os
import pathlib
import re

FENCE = re.compile(r"^( *)(```+|~~~+)(.*)$")
ITEM = re.compile(r"^( *)([-*+]|\d+[.)])( +)(?=\S)")
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
NOT_SEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"
NAMED = re.compile(r"\[([\w./-]*\.md)\]\(([^)\s#]*\.md)(#[^)\s]*)?\)")  # the name of a file: the site shows the title of the page
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".toml": "toml", ".json": "json", ".js": "javascript", ".sh": "bash",
             ".cmake": "cmake", ".sbatch": "bash", ".yml": "yaml"}


def same_lists(text):
    """Python-Markdown wants four spaces per level of a list and an empty line before it; the sources are written for GitHub."""
    out, levels, fence, fence_level = [], [], None, 0
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        if fence:
            # What is inside a block keeps its place relative to the fence.
            out.append("    " * fence_level + line[min(indent, fence[0]):] if line.strip() else "")
            fence = None if line.strip() == fence[1] else fence
            continue
        if not line.strip():
            out.append("")
            continue
        mark, item = FENCE.match(line), ITEM.match(line)
        was_list = bool(levels)
        # A paragraph may continue without its indent; everything else that has less indent ends the item.
        lazy = not item and not mark and out and out[-1].strip() and not line.lstrip().startswith(("#", "|", "<"))
        while levels and indent < levels[-1] and not lazy:
            levels.pop()
        if (mark or item and not was_list) and out and out[-1].strip():
            out.append("")
        out.append("    " * len(levels) + line.lstrip(" ") if levels or mark or item else line)
        if mark:
            fence, fence_level = (indent, mark[2]), len(levels)
        elif item:
            levels.append(len(item[0]))
    return "\n".join(out) + "\n"


def outside_code(text, change):
    """The text with `change` applied to every line that is not in a code block; inline code is not seen by it."""
    out, fence = [], None
    for line in text.splitlines(keepends=True):
        mark = FENCE.match(line.rstrip("\n"))
        if fence:
            if line.strip() == fence:
                fence = None
        elif mark:
            fence = mark[2]
        else:
            codes = re.findall(r"`[^`]*`", line)
            line = change(re.sub(r"`[^`]*`", "\0", line))
            for code in codes:
                line = line.replace("\0", code, 1)
        out.append(line)
    return "".join(out)


class Stage:
    """Pages of the sources in a directory. A link to a file that is not in docs/ makes a page of that file."""

    def __init__(self, root, pages):
        self.root, self.pages = root.resolve(), pages
        self.wanted, self.missing = [], []

    def place(self, file):
        """Where a file of the sources is in the site."""
        inside = file.relative_to(self.root)
        if inside.parts[0] == "docs":
            return pathlib.PurePosixPath(*inside.parts[1:])
        if file.suffix == ".md":
            return pathlib.PurePosixPath("source", *inside.parts)
        return pathlib.PurePosixPath("source", *inside.parts[:-1], inside.name + ".md")

    def links(self, text, file):
        here = self.place(file).parent

        def one(found):
            target, _, anchor = found[2].partition("#")
            if not target or re.match(r"[a-z]+:", target):
                return found[0]
            other = pathlib.Path(os.path.normpath(file.parent / target))
            if not other.exists():
                made = pathlib.PurePosixPath(os.path.normpath(pathlib.PurePosixPath("docs") / here / target))
                if (self.pages / made.relative_to("docs")).exists() if made.parts[0] == "docs" else False:
                    return found[0]
                self.missing.append(f"{file.relative_to(self.root)}: {found[2]}")
                return found[0]
            if other.is_dir() and (other / "README.md").exists():
                other = other / "README.md"
            place = self.place(other)
            if place.parts[0] == "source" and other not in self.wanted:
                self.wanted.append(other)
            return found[1] + os.path.relpath(place, here).replace(os.sep, "/") + ("#" + anchor if anchor else "") + found[3]

        def titled(found):
            other = pathlib.Path(os.path.normpath(file.parent / found[2]))
            title = re.match(r"# (.*)", other.read_text(encoding="utf-8")) if other.is_file() else None
            return f"[{title[1]}]({found[2]}{found[3] or ''})" if title else found[0]

        return outside_code(text, lambda piece: LINK.sub(one, NAMED.sub(titled, piece)))

    def write(self, place, text):
        target = self.pages / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def markdown(self, file, change=lambda text: text):
        text = change(file.read_text(encoding="utf-8"))
        self.write(self.place(file), same_lists(self.links(text, file)))

    def sources(self):
        """The pages of files that pages link to, and of those that these link to."""
        done = 0
        while done < len(self.wanted):
            file = self.wanted[done]
            done += 1
            if file.suffix == ".md":
                self.markdown(file)
                continue
            name = file.relative_to(self.root).as_posix()
            if file.is_dir():
                listed = "".join(f"- `{one.relative_to(self.root).as_posix()}`\n" for one in sorted(file.rglob("*")) if one.is_file())
                self.write(self.place(file), f"# {name}\n\nA folder of the sources:\n\n{listed}")
            else:
                code = file.read_text(encoding="utf-8", errors="replace").rstrip("\n")
                self.write(self.place(file), f"{NOT_SEARCHED}# {name}\n\nA file of the sources.\n\n{fenced(code, LANGUAGES.get(file.suffix, 'text'))}")


def fenced(code, language):
    mark = "```"
    while mark in code:
        mark += "`"
    return f"{mark}{language}\n{code}\n{mark}\n"


def listed(nav):
    """The pages of a navigation."""
    for entry in nav:
        value = next(iter(entry.values())) if isinstance(entry, dict) else entry
        if isinstance(value, list):
            yield from listed(value)
        else:
            yield value


def add_unlisted(nav, pages):
    """Adds the pages of every section's folder that the navigation does not list, at the end of the section."""
    known = set(listed(nav))
    for entry in nav:
        section = next(iter(entry.values())) if isinstance(entry, dict) else None
        if not isinstance(section, list) or not isinstance(section[0], str):
            continue
        folder = section[0].rsplit("/", 1)[0]
        section += [page.relative_to(pages).as_posix() for page in sorted((pages / folder).rglob("*.md"))
                    if page.relative_to(pages).as_posix() not in known]
