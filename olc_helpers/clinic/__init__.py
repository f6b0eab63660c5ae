"""The errata clinic (lecture 14): what notes print, what is right, and a counterexample that runs.

The errata stand in `errata.py` of each room; `erratum` and `wording` register them.
"""

import re
from dataclasses import dataclass
from html import escape
from importlib import import_module
from inspect import getdoc

from ..ledger import Line
from ..table import Table

PARTS = (  # the rooms that have errata
    "experts",
    "perceptron",
    "gradients",
    "voting",
    "winnow",
    "sparsity",
    "dnf",
    "shifting",
    "batch",
    "limits",
)
_CHECKS = {}


@dataclass(frozen=True)
class Erratum:
    """One erratum: its number, how bad it is, who prints it, both claims, and the check that
    evaluates them.
    """

    number: str
    severity: str  # A: false as printed, B: a gap or a missing hypothesis, C: a slip
    source: str
    lecture: str
    printed: str
    right: str
    example: str  # what the counterexample is, in a sentence
    check: object = None

    def evaluate(self) -> tuple[Line, Line] | None:
        """Return the printed claim and the right one on the counterexample, or None if it is a
        matter of wording.
        """
        return self.check and self.check()


def erratum(number: str, *, severity: str, source: str, lecture: str, printed: str, right: str):
    """Register a check: a function that returns the printed claim, which must fail, and the right
    one, which must hold.
    """

    def decorate(check):
        _CHECKS[number] = Erratum(
            number, severity, source, lecture, printed, right, getdoc(check), check
        )
        return check

    return decorate


def wording(
    number: str,
    *,
    severity: str,
    source: str,
    lecture: str,
    printed: str,
    right: str,
    example: str = "",
):
    """Register an erratum that no computation can decide."""
    _CHECKS[number] = Erratum(number, severity, source, lecture, printed, right, example)


def checks() -> dict[str, Erratum]:
    """Return all errata by number, in the order of the sources."""
    for room in PARTS:
        import_module(f"..{room}.errata", __name__)
    return dict(sorted(_CHECKS.items()))


def table(severities: str, source: str = "", lecture: str = "") -> Table:
    """Return the errata of a source or a lecture as a table, each claim with its two sides on the
    counterexample.
    """
    chosen = [
        entry
        for entry in checks().values()
        if entry.severity in severities
        and source in ("", entry.source)
        and lecture in ("", entry.lecture)
    ]
    rows = [
        (
            entry.number,
            entry.severity,
            f"lecture {int(entry.lecture)}",
            *_claims(entry),
            escape(entry.example),
        )
        for entry in chosen
    ]
    about = source or (f"Lecture {int(lecture)}" if lecture else "All sources")
    return Table(
        f"{escape(about)}: {len(rows)} errata",
        ("number", "grade", "taught in", "printed", "right", "counterexample"),
        rows,
    )


def _claims(entry):
    printed, right = _wrapped(entry.printed), _wrapped(entry.right)
    if entry.check:
        printed, right = (
            f"{claim}<br>{'✓' if line.holds else '✗'} {escape(line.sides)}"
            for claim, line in zip((printed, right), entry.evaluate(), strict=True)
        )
    return printed, right


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
