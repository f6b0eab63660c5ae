"""The pages that list what the course has: its theorems, its figures, its notation, its names.

Each function returns plain data, from the package, the notebooks and the tables beside them;
`build` writes the pages and the index of the search.
"""

import csv
import re
from dataclasses import dataclass, field
from functools import partial
from html import escape
from pathlib import Path

import api
import bounds
import cache
import katex
import pages
import search
import where
from bs4 import BeautifulSoup
from lectures import Cell, Page, Question, homework, lectures
from nbconvert.filters import markdown2html
from pictures import FORMATS, drawn
from previews import PROVED, Statement, glossary, statements
from replay import drawing_code

from olc_helpers.cli import proving
from olc_helpers.figures import load
from olc_helpers.grading import TASKS
from olc_helpers.proofs import theorems

# The lecture states a theorem in the last block before its ledger that is about one of its items,
# but for these: the cell that states it, or None if it has no block.
STATED = {"hedge_hoeffding": None, "vc_below_log": "2cd608e5", "dimension_chain": None}


# Theorems


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
    lecture: Page
    cell: Cell


@dataclass(frozen=True)
class Theorem:
    """An entry of the index: a statement, or a proof whose statement has no block of its own; the
    proofs that run; other places that state it; the homework about it.
    """

    title: str
    lecture: Page
    cell: Cell
    statement: Statement | None
    proofs: list[Proof] = field(default_factory=list)
    also: list[Statement] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The anchor in the index: that of the lecture, or the name of the proof."""
        if self.statement is None:
            return self.proofs[0].name
        return f"{self.lecture.number}-{self.statement.anchor}"

    @property
    def href(self) -> str:
        """Where a lecture states it, or runs its proof."""
        return self.statement.href if self.statement else self.lecture.at(self.cell)


def proofs(course: list[Page]) -> list[Proof]:
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
    if proof.name in STATED:
        return next((s for s in known if s.cell.id == STATED[proof.name]), None)
    place = proof.lecture.place
    before = [
        s
        for s in known
        if s.lecture == proof.lecture
        and s.cell.tags & proof.items
        and place(s.cell) < place(proof.cell)
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


def theorem_index(course: list[Page]) -> list[Theorem]:
    """Return every theorem of the course, in the order of the lectures. One that several lectures
    state stands where its proof runs.
    """
    known, entries = [s for s in statements(course) if s.kind in PROVED], []
    found = [(proof, stated(proof, known)) for proof in proofs(course)]
    proved = {(s.kind, s.name) for _, s in found if s and s.name}
    again = [s for s in known if (s.kind, s.name) in proved and all(s is not t for _, t in found)]
    for statement in known:
        if statement in again:
            continue
        runs = [proof for proof, about in found if about is statement]
        same = [s for s in again if (s.kind, s.name) == (statement.kind, statement.name)]
        title = title_of(statement, runs)
        entries.append(Theorem(title, statement.lecture, statement.cell, statement, runs, same))
    for proof, about in found:
        if about is None:
            entries.append(Theorem(proof.title, proof.lecture, proof.cell, None, [proof]))
    questions = homework()
    for entry in entries:
        entry.questions.extend(question for question in questions if asked(question, entry))
    return sorted(entries, key=lambda entry: entry.lecture.place(entry.cell))


def asked(question: Question, theorem: Theorem) -> bool:
    """Whether a question of the homework is about a theorem, given by its proofs, or by the cell
    that states it if none runs.
    """
    if not theorem.proofs:
        return bool(question.tags & theorem.cell.tags)
    return any(uses(question, proof) for proof in theorem.proofs)


def title_of(statement: Statement, runs: list[Proof]) -> str:
    """Return what the index calls a statement; one without a name is called after its proof, or
    else after its section.
    """
    if statement.name:
        return f"{statement.kind} ({statement.name})"
    closest = max(runs, key=lambda proof: len(proof.items & statement.cell.tags), default=None)
    return f"{statement.kind}: {closest.title if closest else statement.cell.heading.rstrip(' ★')}"


# Figures


@dataclass(frozen=True)
class Shown:
    """A figure of the gallery: its name, its title, where a lecture shows it, and its picture."""

    name: str
    title: str
    lecture: Page
    cell: Cell | None
    picture: dict

    @property
    def href(self) -> str:
        """Where the lecture shows it."""
        return self.lecture.at(self.cell) if self.cell else self.lecture.href

    @property
    def code(self) -> str:
        """The lines that draw it."""
        return (
            f'from olc_helpers import figures\nfigures.{self.name}().save("{self.name}.svg", "svg")'
        )


def gallery(course: list[Page], pictures: dict[str, dict]) -> list[Shown]:
    """Return all figures of the course, in the order in which the lectures show them."""
    numbered = {lecture.number: lecture for lecture in course}
    found = []
    for name, figure in load().items():
        lecture = numbered[figure.lecture]
        cell = lecture.using(rf"figures\.{name}\b")
        found.append(Shown(name, figure.title, lecture, cell, pictures[name]))
    return sorted(found, key=lambda shown: shown.lecture.place(shown.cell))


# Notation


def notation() -> dict[str, list[dict]]:
    """Return the rows of notation.csv by their groups; each has an id."""
    groups = {}
    with (where.NOTEBOOKS / "notation.csv").open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), 1):
            groups.setdefault(row["group"], []).append(row | {"id": f"symbol-{number}"})
    return groups


def linked(row: dict, course: list[Page]) -> dict:
    """Return a row of the notation as HTML, with its lectures as links."""
    pages_of = {str(int(lecture.number)): lecture.href for lecture in course}
    shown = {key: markdown2html(text).strip() for key, text in row.items()}
    shown = {key: re.sub(r"^<p>|</p>$", "", html) for key, html in shown.items()}
    lecture_links = re.sub(
        r"\d+", lambda m: f'<a href="{pages_of[m[0]]}">{m[0]}</a>', row["lectures"]
    )
    return shown | {"lectures": lecture_links}


def terms(course: list[Page]) -> list[dict]:
    """Return the glossary with the page of each term."""
    numbered = {lecture.number: lecture for lecture in course}
    return [row | {"page": numbered.get(row["lecture"])} for row in glossary()]


# Pages


def build(out: Path, jobs: int = 2) -> None:
    """Write the pages of the indexes, their pictures, and the index of the search; pages that were
    made of the same notebooks, tables and code before are taken from there.
    """
    figures = drawn("figure", list(load()), out / "gallery", jobs)
    ledgers = drawn("ledger", list(theorems()), out / "pictures/theorems", jobs)
    made = cache.kept("indexes", made_of(), partial(write, figures, ledgers))
    cache.place_all(made, out)


def made_of() -> str:
    """Return a hash of all that the indexes are made of."""
    return cache.digest(cache.site_code(), drawing_code(), cache.texts(read_files()))


def read_files() -> list[Path]:
    """Return the notebooks and the tables that the indexes read."""
    found = ("[0-9][0-9]_*.ipynb", "homework/*/*.ipynb", "*.csv")
    return [file for pattern in found for file in where.NOTEBOOKS.glob(pattern)]


def write(pictures: dict, ledgers: dict, folder: Path) -> None:
    """Write the pages of the indexes and the index of the search into a folder; pictures are
    given by what there is to know about them.
    """
    course = lectures()
    shown = gallery(course, pictures)
    for name, ledger in ledgers.items():
        ledger["src"] = f"pictures/theorems/{name}.svg"
    faces, symbols, items = api.faces(course), notation(), api.taught(course)
    listed_theorems = theorem_index(course)
    listed = {
        "theorems": {"title": "Theorems", "theorems": listed_theorems, "ledgers": ledgers},
        "bounds": {"title": "All bounds", "bounds": bounds.bounds(listed_theorems, shown)},
        "glossary": {"title": "Glossary", "terms": terms(course)},
        "figures": {"title": "Figures", "figures": shown, "formats": FORMATS},
        "notation": {
            "title": "Notation",
            "groups": {g: [linked(row, course) for row in rows] for g, rows in symbols.items()},
        },
        "api": {
            "title": "Package",
            "faces": faces,
            "proved": [f"proofs.{name}" for name in ledgers],
            "item": items["WIN-A1"],
        },
    }
    for name, values in listed.items():
        page = pages.render(
            f"{name}.html.j2",
            href=f"{name}.html",
            contents=contents(name, course, values),
            picture=pages.picture,
            lowered=bounds.lowered,
            doc=partial(api.html, items=items),
            **values,
        )
        (folder / f"{name}.html").write_text(finished(page), encoding="utf-8")
    found = search.entries(course, statements(course), shown, symbols, faces)
    search.write(found, folder / "static/index.js")


def contents(name: str, course: list[Page], values: dict) -> list[dict]:
    """Return what an index has on its page: lectures, groups of symbols, or faces."""
    if name in ("bounds", "glossary"):
        return []
    if name == "notation":
        listed = {group.replace(" ", "-"): group for group in values["groups"]}
    elif name == "api":
        faces = [face.name or "olc_helpers" for face in values["faces"]]
        listed = {f"face-{face}": face for face in faces}
    else:
        shown = {entry.lecture.number for entry in values[name]}
        listed = {f"lecture-{k.number}": k.title for k in course if k.number in shown}
    return [{"id": key, "title": escape(title), "level": 2} for key, title in listed.items()]


def finished(page: str) -> str:
    """Return a page with its tables in frames and its formulas typeset."""
    soup = BeautifulSoup(page, "html.parser")
    for finish in (pages.tables, pages.code, katex.typeset_texts):
        finish(soup)
    return str(soup)
