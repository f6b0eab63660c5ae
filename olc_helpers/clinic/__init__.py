"""The errata clinic (lecture 14): errors of notes, each with a counterexample that runs, and
remarks.

They stand in `errata.py` of each room. `erratum` and `wording` register an error: something printed
is false, or a step is missing. `remark` registers what is no error: a convention to mind, a sharper
statement, a proof that the notes leave out.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from importlib import import_module
from inspect import getdoc, getsource

from ..ledger import Line
from ..table import Table, words

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
SOURCES = {  # by the first digit of the number
    "0": "Kitani (scribes Huang and Yao)",
    "1": "anonymous notes after Mohri et al.",
    "2": "Herbster",
    "3": "anonymous slides",
    "4": "Rivest (scribe Huang)",
}
SLIPS = {  # what kind of slip each error is, as far as one can tell from outside
    "lost hypothesis": "E0-01 E0-25 E0-27 E1-11 E2-19",
    "all, some, or only those": "E0-12 E0-17 E0-18 E0-26 E4-10 E4-11",
    "wrong or missing reason": "E0-11 E0-22 E1-10 E1-13",
    "symbol lost or left over": "E2-01 E2-02 E2-03 E2-04 E2-09 E3-06",
    "one word for two things": "E0-15 E0-16 E2-10",
    "<, ≤ or =": "E0-19 E0-21 E0-24 E1-08 E2-17 E2-21 E4-06",
    "index or start": "E0-07 E2-16 E2-34 E3-08 E4-01",
    "names and references": "E0-06 E0-30 E2-38",
}
_ENTRIES = {}


@dataclass(frozen=True)
class Entry:
    """An error or a remark: where it stands, what is said there, what is right, and a check."""

    kind: str  # "error" or "remark"
    number: str
    severity: str  # A: false as printed, B: a gap or a missing hypothesis, C: a slip; "": a remark
    source: str
    where: str  # section, slide or formula
    lecture: str
    printed: str
    right: str
    example: str = ""  # what the check computes, in a sentence
    check: Callable | None = None

    @property
    def code(self) -> str:
        """The check as it stands in the package."""
        return getsource(self.check).strip() if self.check else ""

    def evaluate(self) -> tuple[Line, ...]:
        """Return the claims of the check: for an error the printed one, which fails, and the right
        one; for a remark one that holds; none if no computation can decide.
        """
        claims = self.check() if self.check else ()
        return (claims,) if isinstance(claims, Line) else claims


def _register(check=None, **parts):
    example = {"example": getdoc(check), "check": check} if check else {}
    _ENTRIES[parts["number"]] = Entry(**{**parts, **example})
    return check


def erratum(
    number: str, *, severity: str, source: str, where: str, lecture: str, printed: str, right: str
) -> Callable:
    """Register an error by its check: a function that returns the printed claim, which must fail
    with the author's own algorithm and tie rule, and the right one, which must hold.
    """
    parts = dict(number=number, severity=severity, source=source, where=where, lecture=lecture)
    return partial(_register, kind="error", printed=printed, right=right, **parts)


def wording(
    number: str,
    *,
    severity: str,
    source: str,
    where: str,
    lecture: str,
    printed: str,
    right: str,
    example: str = "",
) -> None:
    """Register an error that no computation can decide."""
    erratum(
        number,
        severity=severity,
        source=source,
        where=where,
        lecture=lecture,
        printed=printed,
        right=right,
    )(example=example)


def remark(number: str, *, source: str, where: str, lecture: str, says: str, fair: str) -> Callable:
    """Register a remark: what the notes say, and a fair reading of it.

    It may decorate a function that returns one claim, which must hold.
    """
    parts = dict(number=number, severity="", source=source, where=where, lecture=lecture)
    register = partial(_register, kind="remark", printed=says, right=fair, **parts)
    register()
    return register


def checks() -> dict[str, Entry]:
    """Return all errors and remarks by number, in the order of the sources."""
    for room in PARTS:
        import_module(f"..{room}.errata", __name__)
    return dict(sorted(_ENTRIES.items()))


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
