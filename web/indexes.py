"""The pages that list what the course has: its theorems, its figures, its notation, its names.

Each function returns plain data, from the package, the notebooks and the tables beside them;
`build` writes the pages and the index of the search.
"""

import csv
import re
from dataclasses import dataclass, field

from lectures import NOTEBOOKS, Cell, Lecture, Question, homework, lectures

from olc_helpers.cli import proving
from olc_helpers.grading import TASKS
from olc_helpers.ledger import theorems

STATEMENT = re.compile(
    r"(?m)^> \*\*(Theorem|Lemma|Corollary|Proposition|Lower bound)(?: \(([^)]*)\))?\.\*\*"
    r".*(?:\n(?!> \*\*)>.*)*"
)
# The lecture states a theorem in the last block before its ledger that is about one of its items,
# but for these: (cell, number of the block in it), or None if it has no block.
STATED = {
    "descent_bound": ("6b5b8c9a", 0),
    "hedge_hoeffding": None,
    "vc_below_log": ("2cd608e5", 0),
    "dimension_chain": None,
}


# Theorems


@dataclass(frozen=True)
class Statement:
    """A theorem as a lecture states it."""

    kind: str
    name: str
    source: str  # markdown
    lecture: Lecture
    cell: Cell


@dataclass(frozen=True)
class Proof:
    """A proof that runs: its function, its example, and where a lecture runs it."""

    name: str
    title: str
    formula: str  # LaTeX
    about: str
    hypotheses: list[str]
    code: list[str]
    items: frozenset[str]
    lecture: Lecture
    cell: Cell


@dataclass(frozen=True)
class Theorem:
    """An entry of the index: a statement, or a proof whose statement has no block of its own; the
    proofs that run; other places that state it; the homework about it.
    """

    title: str
    lecture: Lecture
    cell: Cell
    statement: Statement | None
    proofs: list[Proof] = field(default_factory=list)
    also: list[Statement] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def statements(course: list[Lecture]) -> list[Statement]:
    """Return all that the lectures state in blocks: theorems, lemmas, corollaries, propositions and
    lower bounds.
    """
    return [
        Statement(block[1], block[2] or "", block[0], lecture, cell)
        for lecture in course
        for cell in lecture.cells
        if not cell.is_code
        for block in STATEMENT.finditer(cell.source)
    ]


def proofs(course: list[Lecture]) -> list[Proof]:
    """Return all proofs that run, each with the cell of its lecture that runs it first."""
    numbered = {lecture.number: lecture for lecture in course}
    return [
        Proof(
            name,
            theorem.title,
            theorem.statement,
            theorem.__doc__,
            proving.hypotheses(theorem),
            proving.example(theorem),
            frozenset(theorem.items),
            lecture := numbered[theorem.lecture],
            lecture.using(rf"\b{name}\("),
        )
        for name, theorem in theorems().items()
    ]


def stated(proof: Proof, known: list[Statement]) -> Statement | None:
    """Return the statement that a proof is about, or None if it has no block."""
    order = [cell.id for cell in proof.lecture.cells]
    if proof.name in STATED:
        cell, number = STATED[proof.name] or ("", 0)
        return next(iter([s for s in known if s.cell.id == cell][number:]), None)
    before = [
        s
        for s in known
        if s.lecture is proof.lecture
        and s.cell.tags & proof.items
        and order.index(s.cell.id) < order.index(proof.cell.id)
    ]
    return before[-1] if before else None


def uses(question: Question, proof: Proof) -> bool:
    """Whether a question of the homework is about a theorem: by its items, by the check that it is
    marked with, or because it names the proof.
    """
    checked = [TASKS[name].theorem for name in re.findall(r'check\(\w+, "(\w+)"', question.code)]
    return bool(
        question.tags & proof.items
        or proof.name in [theorem.__name__ for theorem in checked]
        or re.search(rf"\bproofs\.{proof.name}\b", question.code)
    )


def theorem_index(
    course: list[Lecture] | None = None, questions: list[Question] | None = None
) -> list[Theorem]:
    """Return every theorem of the course, in the order of the lectures. One that several lectures
    state stands where its proof runs.
    """
    course = lectures() if course is None else course
    questions = homework() if questions is None else questions
    known, entries = statements(course), []
    found = [(proof, stated(proof, known)) for proof in proofs(course)]
    proved = {(s.kind, s.name) for _, s in found if s and s.name}
    again = [s for s in known if (s.kind, s.name) in proved and all(s is not t for _, t in found)]
    for statement in known:
        if statement in again:
            continue
        runs = [proof for proof, about in found if about is statement]
        same = [s for s in again if (s.kind, s.name) == (statement.kind, statement.name)]
        entries.append((title_of(statement, runs), statement.lecture, statement.cell, statement,
                        runs, same))  # fmt: skip
    for proof, about in found:
        if about is None:
            entries.append((proof.title, proof.lecture, proof.cell, None, [proof], []))
    entries.sort(key=lambda e: (e[1].number, [cell.id for cell in e[1].cells].index(e[2].id)))
    return [
        Theorem(*entry, [q for q in questions if asked(q, entry[2], entry[4])]) for entry in entries
    ]


def asked(question: Question, cell: Cell, runs: list[Proof]) -> bool:
    """Whether a question of the homework is about a theorem, given by its proofs, or by the cell
    that states it if none runs.
    """
    if not runs:
        return bool(question.tags & cell.tags)
    return any(uses(question, proof) for proof in runs)


def title_of(statement: Statement, runs: list[Proof]) -> str:
    """Return what the index calls a statement; one without a name is called after its proof, or
    else after its section.
    """
    if statement.name:
        return f"{statement.kind} ({statement.name})"
    closest = max(runs, key=lambda proof: len(proof.items & statement.cell.tags), default=None)
    return f"{statement.kind}: {closest.title if closest else statement.cell.heading.rstrip(' ★')}"
