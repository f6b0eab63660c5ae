"""The errata clinic (lecture 21): the table of all errors that the course found in its notes, each
with a counterexample that runs, and of all remarks.

They stand in `errata.py` of each room, and those that no computation can decide in `printed.toml`;
`printed` gathers them.
"""

import re
from html import escape

from .. import always
from ..notes import SOURCES as SOURCES
from ..notes import Entry, erratum, remark, wording
from ..printed import checks
from ..table import Table, words

__all__ = ["Entry", "checks", "erratum", "remark", "table", "wording"]

SLIPS = {  # what kind of slip each error is, as far as one can tell from outside
    "lost hypothesis": "E0-01 E0-25 E0-27 E1-11 E2-19",
    "all, some, or only those": "E0-12 E0-17 E0-18 E0-26 E4-10 E4-11",
    "wrong or missing reason": "E0-11 E0-22 E1-10 E1-13",
    "symbol lost or left over": "E2-01 E2-02 E2-03 E2-04 E2-09",
    "a loose or double word": "E0-15 E0-16 E2-10 E3-06",
    "<, ≤ or =": "E0-19 E0-21 E0-24 E1-08 E2-17 E2-21 E4-06",
    "index or start": "E0-07 E2-16 E2-34 E3-08 E4-01",
    "names and references": "E0-06 E0-30 E2-38",
}


def table(kind: str = "error", source: str = "", lecture: str = "") -> Table:
    """Return the errors, or the remarks, by lecture: of all sources, of one, or of one lecture.

    Each claim of an error has a mark and its two sides on the counterexample; remarks have none.
    """
    chosen = [
        entry
        for entry in sorted(checks().values(), key=lambda entry: (entry.lecture, entry.number))
        if entry.kind == kind and source in ("", entry.source) and lecture in ("", entry.lecture)
    ]
    about = source or (f"Lecture {int(lecture)}" if lecture else "All sources")
    title = f"{escape(about)}: {len(chosen)} {kind}{'s' * (len(chosen) != 1)}"
    rows = [
        (f"{entry.number} {entry.severity}".strip(), _place(entry), *_claims(entry))
        for entry in chosen
    ]
    claims = ("printed", "right") if kind == "error" else ("the notes say", "a fair reading")
    return Table(title, ("number", "where", *claims), rows)


def _place(entry):
    return f"{escape(entry.source)}, {escape(entry.where)}; lecture {int(entry.lecture)}"


def _claims(entry):
    printed, right = _wrapped(entry.printed), _wrapped(entry.right)
    if entry.kind == "error" and entry.check:
        printed, right = (
            f"{claim}<br>{'✓' if line.holds else '✗'} {escape(line.sides)}"
            for claim, line in zip((printed, right), entry.evaluate(), strict=True)
        )
    if entry.number in (numbers := always.table("refuted.csv")):
        printed += f"<br>a solver: {escape(numbers[entry.number][1][0])}"
    return printed, f"{right}<br> <em>{words(entry.example)}</em>" if entry.example else right


def _wrapped(latex):
    """Return LaTeX as HTML in which the words stand outside the formulas, so that lines can
    break.
    """
    pieces, depth, start = [], 0, 0
    for found in re.finditer(r"\\text\{([^{}]*)\}|(?<!\\)[{}]", latex):
        if found[1] is None:
            depth += 1 if found[0] == "{" else -1
        elif depth == 0:
            pieces += [latex[start : found.start()], found[1]]
            start = found.end()
    pieces.append(latex[start:])
    shown = [
        escape(piece) if i % 2 else re.sub(r"^(\\? )+|(\\? )+$", "", escape(piece))
        for i, piece in enumerate(pieces)
    ]
    html = " ".join(
        piece if i % 2 or not re.search(r"\w", piece) else f"${piece}$"
        for i, piece in enumerate(shown)
    )
    return re.sub(r"\s+(?=[,:;.)]|\s|$)", "", html).lstrip()
