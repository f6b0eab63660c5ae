"""All bounds of the course on one page, which prints as one sheet: each as its lecture states it,
with the figure that stands nearest to it, and what its proof finds on an example.
"""

import re
from html import escape
from typing import TYPE_CHECKING

from olc_helpers.cli import proving
from olc_helpers.ledger import Ledger
from olc_helpers.proofs import theorems

if TYPE_CHECKING:
    from indexes import Proof, Shown, Theorem

BOUND = re.compile(r"\\[lg]e\b|[<>]")
PROMISED = re.compile(r"at (?:most|least)|\\[lg]e\b")  # where no ledger evaluates the statement


def bounds(entries: list["Theorem"], figures: list["Shown"]) -> list[dict]:
    """Return those theorems that bound something, each with its picture and its example."""
    found, used = [], set()
    for entry in entries:
        proof = next((proof for proof in entry.proofs if BOUND.search(proof.formula)), None)
        if proof or promises(entry):
            shown = nearest(entry, figures, used)
            used.add(shown and shown.name)
            told = {"title": titled(entry), "doc": told_by(proof), "used": share(proof)}
            found.append({"theorem": entry, "proof": proof, "shown": shown} | told)
    return found


def titled(entry: "Theorem") -> str:
    """Return what the sheet calls a theorem."""
    title = entry.statement.name if entry.statement and entry.statement.name else entry.title
    title = re.sub(r"^(?:Theorem|Corollary): (?:The )?", "", title)
    return title[0].upper() + title[1:]


def lowered(text: str) -> str:
    """Return a text as HTML in which a letter after an underscore stands lower: w_1 as w₁."""
    return re.sub(r"(?<=\b\w)_(\w)\b", r"<sub>\1</sub>", escape(text))


def told_by(proof: "Proof | None") -> str:
    """Return what a proof says of itself below its first line."""
    return proof.about.partition(">>>")[0].partition("\n")[2] if proof else ""


def promises(entry: "Theorem") -> bool:
    """Whether a theorem that no ledger evaluates bounds something."""
    statement = entry.statement
    return bool(
        not entry.proofs
        and statement
        and statement.kind == "Theorem"
        and PROMISED.search(statement.html)
    )


def nearest(entry: "Theorem", figures: list["Shown"], used: set[str]) -> "Shown | None":
    """Return the figure of the lecture that stands nearest to a theorem, if possible a new one."""
    cells = entry.lecture.cells
    at = cells.index(entry.cell)
    own = [each for each in figures if each.lecture == entry.lecture and each.cell]
    return min(
        own, key=lambda each: (each.name in used, abs(cells.index(each.cell) - at)), default=None
    )


def share(proof: "Proof | None") -> dict | None:
    """Return both sides of the last line of a proof on its example, and the smaller one in percent
    of the larger.
    """
    if proof is None:
        return None
    last = example(proof).lines[-1]
    small, large = sorted((abs(float(last.lhs[-1])), abs(float(last.rhs[-1]))))
    return {"sides": last.sides, "part": round(100 * small / large) if large else 100}


def example(proof: "Proof") -> Ledger:
    """Return the ledger of the example of a proof."""
    return proving.ledger_of(proving.example(theorems()[proof.name]))
