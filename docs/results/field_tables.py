#!/usr/bin/env python3
"""Puts the tables of a finished `./reproduce field` into field.md: field_tables.py results/field

The figure writes them as tables.md; each part of it begins with a comment, and replaces what is between this comment and
the next empty line in field.md.
"""
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).with_name("field.md")


def with_tables(page, tables):
    """The page with every table of `tables` in its place; a table without a place is an error."""
    for mark, table in re.findall(r"(<!-- \w+ -->\n)((?:\|.*\n)+)", tables):
        page, count = re.subn(re.escape(mark) + r"(?:\|.*\n)*", lambda _: mark + table, page)
        if count != 1:
            sys.exit(f"{PAGE.name} has {count} places {mark.strip()}; accepted: one")
    return page


def main():
    tables = pathlib.Path(sys.argv[1], "tables.md").read_text(encoding="utf-8")
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), tables), encoding="utf-8")


if __name__ == "__main__":
    main()
