"""Errors and remarks on the notes that this course learned from; the rooms register theirs.

`erratum` and `wording` register an error: something printed is false, or a step is missing.
`remark` registers what is no error: a convention to mind, a sharper statement, a proof that the
notes leave out.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import getdoc, getsource

from .ledger import Line

SOURCES = {  # by the first digit of the number
    "0": "Kitani (scribes Huang and Yao)",
    "1": "anonymous notes after Mohri et al.",
    "2": "Herbster",
    "3": "anonymous slides",
    "4": "Rivest (scribe Huang)",
}
Check = Callable[[], Line | tuple[Line, ...]]


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
    check: Check | None = None

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


ENTRIES: dict[str, Entry] = {}  # filled by the rooms; the face `printed` loads them all


def _checked(entry):
    """Return the decorator that registers an entry with its check."""

    def register(check):
        ENTRIES[entry.number] = replace(entry, example=getdoc(check) or "", check=check)
        return check

    return register


def erratum(
    number: str,
    *,
    severity: str,
    where: str,
    lecture: str,
    printed: str,
    right: str,
    source: str = "",
) -> Callable[[Check], Check]:
    """Register an error by its check: a function that returns the printed claim, which must fail
    with the author's own algorithm and tie rule, and the right one, which must hold.

    The source is that of the number's first digit, unless another one is given.
    """
    source = source or SOURCES[number[1]]
    return _checked(Entry("error", number, severity, source, where, lecture, printed, right))


def wording(
    number: str,
    *,
    severity: str,
    where: str,
    lecture: str,
    printed: str,
    right: str,
    source: str = "",
    example: str = "",
) -> None:
    """Register an error that no computation can decide."""
    source = source or SOURCES[number[1]]
    entry = Entry("error", number, severity, source, where, lecture, printed, right, example)
    ENTRIES[number] = entry


def remark(
    number: str, *, where: str, lecture: str, says: str, fair: str, source: str = ""
) -> Callable[[Check], Check]:
    """Register a remark: what the notes say, and a fair reading of it.

    It may decorate a function that returns one claim, which must hold.
    """
    source = source or SOURCES[number[1]]
    ENTRIES[number] = Entry("remark", number, "", source, where, lecture, says, fair)
    return _checked(ENTRIES[number])
