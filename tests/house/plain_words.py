"""Words of our own style, with the usual ones instead: docs_test.py searches the pages for them, words_test.py the comments and texts of src/."""
import re

WORDS = {
    r"told|tells": "reports, says, is passed",
    r"beside": "next to, compared with, in addition to",
    r"stands?|stood": "is, is in",
    r"anew": "from scratch, again",
    r"so many": "this number of",
    r"the clock|a clock": "time limit, wall time, CPU time",
    r"said again": "rerun the same command",
    r"whoever|their like": "name the person or the thing",
    r"go(?:es|ing)? on|went on|gone on": "resumes, continues",
    r"worlds?": "environment",
    r"laws?": "distribution",
    r"(?<!there )is no (?!longer\b)\w+": "is not a, unknown",
    r"(?:from )?outside (?:environment|process|object|task)s?|from outside": "external",
    r"comes? to|came to": "is, gives, reaches",
    r"by which": "with which, so that",
    r"(?:\d[\w.]*|\S*\}) (?:(?:ns|us|ms|s|steps|points|cells|bytes|numbers|rows) )?a (?:step|second|game|phase)": "per step",
    r"room room": "Workspace workspace",
}


def objection(text):
    """The first such word in a text with its surroundings and what is better, or None."""
    for words, better in WORDS.items():
        found = re.search(rf"(?<![\w-])(?:{words})(?![\w-])", text, re.IGNORECASE)
        if found:
            return f'"...{text[max(0, found.start() - 30):found.end() + 10]}..."; better: {better}'
    return None
