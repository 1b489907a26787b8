"""Plain technical English in comments and texts: words_test.py SOURCES

Rejects the words of plain_words.py in comments and string literals of src/.
"""
import io
import pathlib
import re
import sys
import tokenize
import unittest

from plain_words import WORDS, objection

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
# Where such a word is meant in its usual sense: file -> the words around it. Keep it short.
EXCEPTIONS: dict[str, list[str]] = {}

COMMENT = r"//[^\n]*|/\*.*?\*/"
STRING = r'R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`'
LETTER = r"'(?:\\.|[^'\\\n])'"
SCRIPT_STRING = r"'(?:\\.|[^'\\\n])*'"


def merged(pieces, text):
    """(line, words) of pieces (start, end, words) of a text; those with only space between them are one sentence."""
    last_end, begin, words = None, 0, []
    for start, end, piece in [*pieces, (None, None, "")]:
        if words and (start is None or text[last_end:start].strip()):
            yield text.count("\n", 0, begin) + 1, " ".join(" ".join(words).split())
            words = []
        if start is None:
            return
        if not words:
            begin = start
        words.append(piece)
        last_end = end


def c_texts(text, script=False):
    """Comments and string literals of C++ or JavaScript."""
    pattern = rf"(?P<comment>{COMMENT})|(?P<string>{STRING}{'|' + SCRIPT_STRING if script else ''})|{LETTER}"
    comments, strings = [], []
    for found in re.finditer(pattern, text, re.DOTALL):
        if found["comment"]:
            comments.append((found.start(), found.end(), re.sub(r"^\s*[/*!]+|\*/$", "", found[0], flags=re.MULTILINE)))
        elif found["string"]:
            strings.append((found.start(), found.end(), re.sub(r'\\[nt"]', " ", found[0][1:-1])))
    yield from merged(comments, text)
    # A literal that is continued on the next line: its space is at the end of the first part.
    for line, words in merged(strings, text):
        yield line, words


def python_texts(text):
    comments = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.append((token.start[0], token.string.lstrip("# ")))
        elif token.type == tokenize.STRING or token.type == getattr(tokenize, "FSTRING_MIDDLE", -1):
            yield token.start[0], " ".join(token.string.split())
    for at, (line, words) in enumerate(comments):
        follows = comments[at + 1][1] if at + 1 < len(comments) and comments[at + 1][0] == line + 1 else ""
        yield line, f"{words} {follows}".strip()


def texts(file):
    text = file.read_text(encoding="utf-8")
    if file.suffix in {".py", ".pyi"}:
        return python_texts(text)
    return c_texts(text, file.suffix == ".js")


def problems(name, found, used=None):
    """Messages about the (line, text) of a file."""
    for line, words in found:
        for phrase in EXCEPTIONS.get(name, []):
            if phrase in words:
                if used is not None:
                    used.add((name, phrase))
                words = words.replace(phrase, "")
        if why := objection(words):
            yield f"{name}:{line}: {why}"


class Words(unittest.TestCase):
    def test_sources_use_plain_english(self):
        files = [file for file in sorted((ROOT / "src").rglob("*")) if file.suffix in {".cpp", ".hpp", ".py", ".pyi", ".js"}]
        self.assertGreater(len(files), 300)
        used, found = set(), []
        for file in files:
            name = file.relative_to(ROOT).as_posix()
            found += problems(name, texts(file), used)
        self.assertFalse(found, "\n" + "\n".join(found))
        unused = {(name, phrase) for name, phrases in EXCEPTIONS.items() for phrase in phrases} - used
        self.assertFalse(unused, "exceptions that nothing needs any more")

    def test_every_word_is_found(self):
        examples = ["it is told", "it tells", "beside it", "it stands", "they stood", "begins anew", "so many steps",
                    "until the clock cuts", "said again, it", "for whoever", "and their like", "it goes on", "it went on",
                    "a finite world", "a law over actions", "it is no number", "from outside", "outside environments",
                    "comes to 3", "came to an end", "by which it", "costs 1 a step", "5.7 ns a step", "({:.3g} a second)",
                    "Room room"]
        for example in examples:
            with self.subTest(example):
                self.assertIsNotNone(objection(example))
        for words in WORDS:
            self.assertTrue(any(re.search(rf"(?<![\w-])(?:{words})(?![\w-])", text, re.IGNORECASE) for text in examples), words)
        for good in ("there is no checkpoint", "it is no longer used", "steady_clock", "0.6 us to a step", "a step of 5 rows",
                     "values outside the range", "the cost of a step that ends"):
            with self.subTest(good):
                self.assertIsNone(objection(good))

    def test_only_comments_and_strings_are_read(self):
        code = '#include "a.hpp"\nint world = 1\'000; char c = \'"\'; // one\n// two\nf("left "\n  "right", R"(raw "x")"); /* three\n * four */\n'
        self.assertEqual(list(c_texts(code)), [(2, "one two"), (5, "three four"), (1, "a.hpp"), (4, "left right"), (5, '"(raw "x")')])
        self.assertEqual(list(c_texts("let world = 'a b'; // c", script=True)), [(1, "c"), (1, "a b")])
        self.assertEqual(list(python_texts('world = "a"  # b\n# c\n')), [(1, '"a"'), (1, "b c"), (2, "c")])


if __name__ == "__main__":
    unittest.main()
