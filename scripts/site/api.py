"""Reference pages made from the sources: the Python package from its docstrings, the C++ library from its headers."""
import ast
import pathlib
import re

from stage import fenced

PACKAGE = "src/apps/python/politex"


def public_names(package):
    """Names of politex.__all__ -> the file that defines them."""
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    origin = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                origin[alias.name] = node.module.partition(".")[2] or None
    names = []
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AugAssign)) and ast.unparse(getattr(node, "target", None) or node.targets[0]) == "__all__":
            if isinstance(node.value, ast.Attribute):
                # Names that a module makes when it is imported: its stub has them.
                module = node.value.value.id
                stub = ast.parse((package / f"{module}.pyi").read_text(encoding="utf-8"))
                made = [one.name for one in stub.body if isinstance(one, ast.ClassDef) and not one.name.startswith("_")]
                origin.update(dict.fromkeys(made, module))
                names += made
            else:
                names += [item.value for item in node.value.elts]
    return {name: origin.get(name) for name in names}, ast.get_docstring(tree)


def doc(node, level):
    text = ast.get_docstring(node)
    return fenced(text, "text") + "\n" if text else ""


def signature(node, name):
    args = node.args
    for one in [*args.args, *args.kwonlyargs]:
        one.annotation = None
    text = ast.unparse(args)
    text = re.sub(r"^self(, )?|\*\*settings: .*", lambda m: "" if m[0].startswith("self") else "**settings", text)
    return f"{name}({text})"


def described(node, name, level):
    head = "#" * level
    if isinstance(node, ast.ClassDef):
        out = f"{head} {name}\n\n"
        start = next((one for one in ast.walk(node) if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
        if start:
            out += fenced(signature(start, name), "python") + "\n"
        bases = [ast.unparse(base) for base in node.bases]
        out += doc(node, level)
        if bases:
            out += "Derived from " + ", ".join(f"`{base}`" for base in bases) + ".\n\n"
        for one in node.body:
            if isinstance(one, ast.FunctionDef) and not one.name.startswith("_") and ast.get_docstring(one):
                out += f"{head}# {name}.{one.name}\n\n"
                is_property = any(ast.unparse(mark) == "property" for mark in one.decorator_list)
                out += (f"`{name}.{one.name}`, a property.\n\n" if is_property else fenced(signature(one, one.name), "python") + "\n")
                out += doc(one, level)
        return out
    return f"{head} {name}\n\n{fenced(signature(node, name), 'python')}\n{doc(node, level)}"


def python_page(root):
    package = root / PACKAGE
    names, head = public_names(package)
    out = f"# The Python package\n\nFrom the docstrings of `{PACKAGE}`. [The guide](../guide/python.md) shows how to use it.\n\n{fenced(head, 'text')}\n"
    trees = {}

    def definition(module, name):
        return definition_in(module, name, ".py") or definition_in(module, name, ".pyi")

    def definition_in(module, name, suffix):
        file = package / f"{module}{suffix}"
        if not file.exists():
            return None
        tree = trees.setdefault(file, ast.parse(file.read_text(encoding="utf-8")))
        for node in tree.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name:
                return node
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("politex."):
                for alias in node.names:
                    if alias.name == name:
                        return definition(node.module.partition(".")[2], name)
        return None

    missing = []
    for name, module in sorted(names.items(), key=lambda pair: pair[0].lower()):
        node = definition(module, name) if module else None
        if node is None and (package / f"{name}.py").exists():
            tree = ast.parse((package / f"{name}.py").read_text(encoding="utf-8"))
            out += f"## politex.{name}\n\n{doc(tree, 2)}"
            for one in tree.body:
                if isinstance(one, (ast.ClassDef, ast.FunctionDef)) and not one.name.startswith("_") and ast.get_docstring(one):
                    out += described(one, f"{name}.{one.name}", 3)
        elif node is None:
            missing.append(name)
        else:
            out += described(node, name, 2)
    agent = definition("agent", "Agent")
    out += described(agent, "Agent", 2)
    if missing:
        out += "## Others\n\n" + "".join(f"- `politex.{name}`\n" for name in missing)
    return out


# ---- C++

def contract(lines):
    """The comment at the top of a header as one paragraph."""
    words = []
    for line in lines:
        if not line.startswith("//"):
            break
        words.append(line.lstrip("/ ").rstrip())
    return " ".join(words)


NAME = re.compile(r"^(?:template <.*> *)?(?:class|struct|enum class|enum|concept) (\w+)")


def declared(text):
    """(name, what, comment, code) of the declarations at the level of the namespace. The house has one form for all headers
    (.clang-format), so indents say what is inside."""
    lines = text.splitlines()
    found, comment, at = [], [], 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("//"):
            comment.append(line.lstrip("/ ").rstrip())
            at += 1
            continue
        if not line or line.startswith(("#", "namespace", "}", "using ", " ", "extern")):
            if not line or line.startswith("#"):
                comment = []
            at += 1
            continue
        start = at
        depth = 0
        while at < len(lines):
            depth += lines[at].count("{") - lines[at].count("}") + lines[at].count("(") - lines[at].count(")")
            if depth <= 0 and re.search(r"[;}]\s*(//.*)?$", lines[at]):
                break
            at += 1
        code = "\n".join(lines[start:at + 1])
        at += 1
        flat = " ".join(code.split())
        kind = re.match(r"(?:template <[^{;]*?> )?(?:requires .*? )?(class|struct|enum class|enum|concept) (\w+)", flat)
        if kind:
            # A forward declaration is no contract.
            if not re.search(rf"\b{kind[2]}\b[^;{{]*;\s*$", flat) or kind[1] == "concept":
                found.append((kind[2], kind[1], " ".join(comment), code))
        else:
            name = re.search(r"([\w:~]+|operator\W+)\s*\(", re.sub(r"^(template <[^{;]*?> |\[\[\w+\]\] )+", "", flat))
            value = re.search(r"(\w+)\s*(?:=|\{|;)", flat)
            if name and (not value or name.start() <= value.start() or "(" in flat[:value.start()]):
                found.append((name[1], "function", " ".join(comment), code))
            elif value:
                found.append((value[1], "value", " ".join(comment), code))
        comment = []
    return found


def without_private(code):
    """A class without its private part and without the bodies of its functions."""
    out, private = [], False
    for line in code.splitlines():
        if re.match(r" (private|protected):", line):
            private = line.strip() == "private:"
        elif re.match(r" public:", line):
            private = False
        if not private or line.startswith("}"):
            out.append(line)
    return "\n".join(line for line in out if line.strip() != "private:")


def cell(text):
    return re.sub(r"([|<>*_\[\]])", r"\\\1", text)


def room_page(root, room, sentence):
    out = f"# Room {room}\n\n{sentence}\n\n"
    headers = sorted((root / "src" / room).rglob("*.hpp"))
    for header in headers:
        text = header.read_text(encoding="utf-8")
        lines = text.splitlines()
        name = header.relative_to(root / "src").as_posix()
        out += f"## {name}\n\n{cell(contract(lines))}\n\n"
        found = declared(text)
        if found:
            out += "| name | kind | contract |\n|---|---|---|\n"
            out += "".join(f"| `{one}` | {what} | {cell(comment)} |\n" for one, what, comment, _ in found) + "\n"
            code = "\n\n".join(without_private(code) for *_, code in found)
            out += "??? note \"Declarations\"\n\n" + "".join(f"    {line}\n" if line.strip() else "\n" for line in fenced(code, "cpp").splitlines()) + "\n"
    return out, len(headers)


def rooms(root):
    """Room -> its sentence in src/README.md, in the order of the data."""
    text = (root / "src/README.md").read_text(encoding="utf-8")
    return {name: " ".join(words.split()) for name, words in re.findall(r"^- `(\w+)/` (.*?)(?=^- |^\*\*|\n\n|\Z)", text, re.MULTILINE | re.DOTALL)}


def cpp_pages(root):
    """place -> text"""
    pages, rows, headers = {}, "", 0
    for room, sentence in rooms(root).items():
        text, count = room_page(root, room, sentence[0].upper() + sentence[1:])
        headers += count
        if count:
            pages[f"reference/cpp/{room}.md"] = text
            rows += f"| [{room}](cpp/{room}.md) | {count} | {sentence[0].upper() + sentence[1:]} |\n"
    pages["reference/cpp.md"] = (
        "# The C++ library\n\n"
        f"From the comments of the {headers} public headers. A header is included as `politex/<room>/<file>.hpp`; link\n"
        "`politex::politex` after `find_package(politex)`. The rooms are in the order of the data: a room includes only\n"
        "rooms above it ([the map of the code](../internals/map.md)).\n\n"
        f"| room | headers | content |\n|---|---|---|\n{rows}\n"
        "A room is a folder of `src/`. Its namespace is inline: a name is `politex::Name`.\n")
    return pages


if __name__ == "__main__":
    print(python_page(pathlib.Path.cwd())[:3000])
