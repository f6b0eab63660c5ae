"""The map of the course: tables made from the notebooks, the registries of theorems and figures,
and the learners.
"""

import csv
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING

from ..always import share
from ..checks import summary
from ..printed import checks, errata
from ..proofs import theorems
from ..table import Folded, Table, words

if TYPE_CHECKING:
    from .graph import LinkedPicture

PATHS = {  # goal: lectures in order, and what else there is to do
    "Understand regret": (
        "01 02 03 04",
        "why you need a coin or a number between 0 and 1, and then the"
        " best rate; with experts that change, go on to lecture 15",
    ),
    "Prove Novikoff four times": (
        "06 07",
        "one proof in four notations, each line evaluated; lecture"
        " 8 gets it a fifth time, from gradient descent",
    ),
    "Teach two weeks": (
        "01 02 03 04 06 07 11",
        "seven meetings, one lecture each, exercises at home; the first homework after lecture 2,"
        " the second after lecture 4, whose question on boosting says what it needs",
    ),
    "Assign homework": (
        "",
        "six assignments with solutions, rubrics and hidden tests:"
        " <code>make release</code>, then <code>make grade HW=hw1_experts</code>",
    ),
    "Use Winnow on your own data": (
        "11",
        "then <code>play(Winnow(n), X, y)</code> with X and y of 0"
        " and 1, which <code>np.loadtxt</code> reads from a CSV file",
    ),
}
ITEM = re.compile(r"[A-Z0-9]+-[A-Z]?\d+")


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook: its id, its source, whether it is code, its tags, and the heading that
    it stands under.
    """

    id: str
    source: str
    is_code: bool
    tags: frozenset[str] = frozenset()
    heading: str = ""

    @property
    def code(self) -> str:
        """Its source if it is code, or nothing."""
        return self.source * self.is_code


def cells_of(notebook: Path) -> Iterator[Cell]:
    """Yield the cells of a notebook in their order."""
    heading = ""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        source, is_code = "".join(cell["source"]), cell["cell_type"] == "code"
        if not is_code and (found := re.findall(r"(?m)^##+ (.+)", source)):
            heading = found[0]
        tags = frozenset(cell["metadata"].get("tags", []))
        yield Cell(cell["id"], source, is_code, tags, heading)


class Lecture:
    """A notebook: its title, what it promises in its first cell, and its cells."""

    def __init__(self, path: Path):
        self.number, self.file, self.cells = path.name[:2], path.name, [*cells_of(path)]
        opening = self.cells[0].source
        self.title = self._found(r"# (\d+ · .+)", opening)
        self.learn = self._found(r"\*\*After this lecture you can\*\* (.+?)\.?\n", opening)
        self.builds_on = self._found(r"\*\*It builds on\*\* (.+?)\.? \*\*Time", opening)
        self.minutes = int(self._found(r"\*\*Time:\*\* (\d+) minutes", opening))

    @property
    def subject(self) -> str:
        """The title without its number and its first half, which asks or teases."""
        half = re.split(r"[:?] ", self.title.partition(" · ")[2], maxsplit=1)[-1]
        return half[0].upper() + half[1:]

    def _found(self, pattern, text):
        found = re.search(pattern, text)
        if not found:
            raise ValueError(f"the first cell of {self.file} must contain {pattern!r}")
        return found[1]

    def link(self, text: str = "", cell: Cell | None = None) -> str:
        """Return a link to the lecture, or to one of its cells."""
        anchor = f"#cell-id={cell.id}" if cell else ""
        return f'<a href="{self.file}{anchor}">{words(text or self.title)}</a>'


class Course:
    """The lectures and the items in a folder, and the tables that show what they teach."""

    def __init__(self, folder: str | Path = "."):
        paths = sorted(Path(folder).glob("[0-9][0-9]_*.ipynb"))
        self.lectures = {path.name[:2]: Lecture(path) for path in paths if path.name[:2] != "00"}
        with open(Path(folder) / "items.csv", encoding="utf-8", newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.lecture_of = {row["id"]: row["lecture"] for row in self.rows}
        self.folder = Path(folder)

    def graph(self) -> "LinkedPicture":
        """Return the picture of what builds on what, in which each lecture is a link."""
        from .graph import linked_graph

        names = {number: lecture.subject for number, lecture in self.lectures.items()}
        parents = {
            number: {*re.findall(r"\((\d\d)_\w+\.ipynb", lecture.builds_on)} & {*self.lectures}
            for number, lecture in self.lectures.items()
        }
        addresses = {number: (each.file, each.title) for number, each in self.lectures.items()}
        return linked_graph(names, parents, addresses)

    def planned(self) -> list[int]:
        """Return the numbers of the lectures that have items but no notebook yet."""
        return sorted(int(number) for number in {*self.lecture_of.values()} - {*self.lectures})

    def sections(self, item: str, home: str = "") -> list[str]:
        """Return links to the sections that carry the item's tag; outside of lecture `home` its
        number is said.
        """
        links = {}
        for number, lecture in self.lectures.items():
            for cell in lecture.cells:
                text = f"{int(number)} · " * (number != home) + (cell.heading or "opening")
                if item in cell.tags and (number, text) not in links:
                    links[number, text] = lecture.link(text, cell)
        return list(links.values())

    def first(self, number: str, text: str, taught: Callable) -> str:
        """Return `text` as a link to the first cell of a lecture for which `taught` is true, or
        else to the lecture.
        """
        if number not in self.lectures:
            return words(text)
        lecture = self.lectures[number]
        return lecture.link(text, next(filter(taught, lecture.cells), None))

    def numbered(self, number: str, text: str) -> str:
        """Return the text behind the number of its lecture, with a word if that lecture is not
        there yet.
        """
        return f"{int(number)} · {text}" + " (lecture planned)" * (number not in self.lectures)

    def reading_order(self) -> Table:
        """Return the lectures in their order: what they teach, what they build on, and how long
        they take.
        """
        all_of_them = self.lectures.values()
        names = [f"{lecture.link()}, {lecture.minutes} minutes" for lecture in all_of_them]
        told = [(_inline(lecture.learn), _inline(lecture.builds_on)) for lecture in all_of_them]
        total = sum(lecture.minutes for lecture in all_of_them)
        planned = ", ".join(map(str, self.planned()))
        title = f"Lectures in reading order, {total} minutes in all"
        rows = [(name, *cells) for name, cells in zip(names, told, strict=True)]
        head = ("lecture", "after it you can", "it builds on")
        return Table(title + f"; planned: {planned}" * bool(planned), head, rows)

    def paths(self) -> Table:
        """Return a path through the course for each goal, with its minutes."""
        rows = []
        for goal, (numbers, more) in PATHS.items():
            chosen = [self.lectures[k] for k in numbers.split() if k in self.lectures]
            steps = [
                lecture.link(f"{int(lecture.number)}\u00a0· {lecture.subject}")
                for lecture in chosen
            ]
            minutes = f"{sum(lecture.minutes for lecture in chosen) or ''}"
            rows.append((goal, " <br/>".join([" → ".join(steps)] * bool(steps) + [more]), minutes))
        return Table("Paths by goal", ("you want to", "lectures, and what else", "minutes"), rows)

    def notation(self) -> Folded:
        """Return one table per group of notation.csv: a symbol here, what it is, and what other
        texts write.
        """
        with open(self.folder / "notation.csv", encoding="utf-8", newline="") as file:
            entries = list(csv.DictReader(file))
        head = ("here", "what it is", "elsewhere", "lectures")
        rows: dict[str, list[tuple]] = {}
        for entry in entries:
            group, *cells = entry.values()
            rows.setdefault(group, []).append(tuple(map(_inline, cells)))
        tables = {group: Table(f"Notation: {group.lower()}", head, rows[group]) for group in rows}
        return Folded({f"{group}: {len(rows[group])} symbols": tables[group] for group in rows})

    def algorithms(self) -> Folded:
        """Return the classes of `olc_helpers.learners`, with the first line of each docstring."""
        from .. import learners

        rows = []
        for learner in (getattr(learners, name) for name in learners.__all__):
            line = summary(learner)
            item = ITEM.findall(line)[0]
            what = re.sub(rf" \({ITEM.pattern}(, {ITEM.pattern})*\)|`", "", line).rstrip(".")
            number = self.lecture_of[item]
            text = self.numbered(number, what)
            taught = self.first(number, text, lambda cell, item=item: item in cell.tags)
            rows.append((_call(learner), taught))
        table = Table("Algorithms, in olc_helpers", ("class", "lecture · what it does"), rows)
        return Folded({f"{len(rows)} algorithms": table})

    def theorems(self) -> Folded:
        """Return the theorems: statement, where the proof stands, the ledger that checks it, how
        much of it a solver proved, figures about it.
        """
        rows = []
        for name, theorem in _by_lecture(theorems()):
            about = {
                figure: None
                for lecture in self.lectures.values()
                for cell in lecture.cells
                if cell.tags & {*theorem.items}
                for figure in re.findall(r"figures\.(\w+)", cell.code)
            }
            shown = ", ".join(f"<code>{figure}</code>" for figure in about)
            rows.append((*self._evaluated(name, theorem), share(name), shown))
        head = ("lecture · theorem", "statement", "ledger", "always", "figures")
        table = Table("Theorems, in olc_helpers.proofs", head, rows)
        return Folded({f"{len(rows)} theorems": table})

    def printed_claims(self) -> Folded:
        """Return the errors among printed claims, those that a ledger evaluates, with the section
        that shows it.
        """
        errors = {number for number, entry in checks().items() if entry.kind == "error"}
        named = _by_lecture(errata())
        rows = [self._evaluated(*each) for each in named if each[1].erratum in errors]
        head = ("lecture · claim", "as printed", "ledger")
        table = Table("Printed claims that fail, in olc_helpers.proofs", head, rows)
        return Folded({f"{len(rows)} printed claims that fail": table})

    def _evaluated(self, name, theorem):
        """Return where a theorem stands, what it says, and its ledger."""
        number, call = theorem.lecture, re.compile(rf"\b{name}\(")
        text = self.numbered(number, theorem.title)
        stands = self.first(number, text, lambda cell: call.search(cell.code))
        return stands, f"${escape(theorem.statement)}$", f"<code>{name}</code>"

    def figures(self) -> Folded:
        """Return one table per lecture: the call of each figure with its defaults, and its title as
        a link to the picture.
        """
        from ..figures import load

        rows: dict[str, list[tuple]] = {}
        for name, figure in _by_lecture(load()):
            number, call = figure.lecture, re.compile(rf"figures\.{name}\b")
            shown = self.first(number, figure.title, lambda cell, c=call: c.search(cell.code))
            rows.setdefault(number, []).append((_call(figure), shown))
        return self._folded("figures", ("figure", "what it shows"), rows)

    def items(self) -> Folded:
        """Return one table per lecture: its items, and the sections whose cells carry their
        tags.
        """
        rows: dict[str, list[tuple]] = {number: [] for number in self.lectures}
        for row in self.rows:
            sections = "; ".join(self.sections(row["id"], row["lecture"]))
            if row["lecture"] in rows:
                rows[row["lecture"]].append((row["id"], escape(row["title"]), sections))
        return self._folded("items", ("item", "title", "taught in"), rows)

    def _folded(self, what, head, rows):
        tables = {}
        for number, table in rows.items():
            planned = f"{int(number)} · planned"
            title = self.lectures[number].title if number in self.lectures else planned
            if table:
                caption = f"The {what} of lecture {int(number)}"
                tables[f"{title}: {len(table)} {what}"] = Table(caption, head, table)
        return Folded(tables)


def _by_lecture(registry):
    """Return the (name, function) pairs of a registry in the order of the lectures."""
    return sorted(registry.items(), key=lambda entry: entry[1].lecture)


def _call(function):
    """Return the call of a function with its defaults, as HTML."""
    plain = [p.replace(annotation=Parameter.empty) for p in signature(function).parameters.values()]
    return f"<code>{escape(f'{function.__name__}{Signature(plain)}')}</code>"


def _inline(markdown):
    """Return a sentence with markdown links and emphasis as HTML; formulas stay as they are."""
    html = re.sub(r"\[([^]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', escape(markdown))
    emphasis = re.compile(r"\$[^$]*\$|\*([^*]+)\*")
    return emphasis.sub(lambda found: f"<em>{found[1]}</em>" if found[1] else found[0], html)
