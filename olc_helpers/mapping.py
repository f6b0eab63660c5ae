"""The map of the course: tables made from the notebooks, the registries of theorems and figures,
and the learners.
"""

import csv
import json
import re
from dataclasses import dataclass
from html import escape
from inspect import Parameter, Signature, signature
from pathlib import Path

from .checks import summary
from .ledger import errata, theorems
from .table import Folded, Table

ITEM = re.compile(r"[A-Z0-9]+-[A-Z]?\d+")


@dataclass(frozen=True)
class Cell:
    """A cell of a lecture: its id, the heading above it, its tags, and its source if it is code."""

    id: str
    heading: str
    tags: frozenset[str]
    code: str


class Lecture:
    """A notebook: its title, what it promises in its first cell, and its cells."""

    def __init__(self, path: Path):
        self.number, self.file, self.cells = path.name[:2], path.name, []
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        opening = "".join(cells[0]["source"])
        self.title = self._found(r"# (\d+ · .+)", opening)
        self.learn = self._found(r"\*\*After this lecture you can\*\* (.+?)\.?\n", opening)
        self.builds_on = self._found(r"\*\*It builds on\*\* (.+?)\.? \*\*Time", opening)
        self.minutes = int(self._found(r"\*\*Time:\*\* (\d+) minutes", opening))
        heading = ""
        for cell in cells:
            source, is_code = "".join(cell["source"]), cell["cell_type"] == "code"
            if not is_code and (found := re.findall(r"(?m)^#{2,6} (.+)", source)):
                heading = found[0]
            self.cells.append(
                Cell(
                    cell["id"],
                    heading,
                    frozenset(cell["metadata"].get("tags", [])),
                    source * is_code,
                )
            )

    def _found(self, pattern, text):
        found = re.search(pattern, text)
        if not found:
            raise ValueError(f"the first cell of {self.file} must contain {pattern!r}")
        return found[1]

    def link(self, text: str = "", cell: Cell | None = None) -> str:
        """Return a link to the lecture, or to one of its cells."""
        anchor = f"#cell-id={cell.id}" if cell else ""
        return f'<a href="{self.file}{anchor}">{escape(text or self.title)}</a>'


class Course:
    """The lectures and the items in a folder, and the tables that show what they teach."""

    def __init__(self, folder: str | Path = "."):
        paths = sorted(Path(folder).glob("[0-9][0-9]_*.ipynb"))
        self.lectures = {path.name[:2]: Lecture(path) for path in paths if path.name[:2] != "00"}
        with open(Path(folder) / "items.csv", encoding="utf-8", newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.lecture_of = {row["id"]: row["lecture"] for row in self.rows}
        self.folder = Path(folder)

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

    def first(self, number: str, text: str, taught) -> str:
        """Return `text` as a link to the first cell of a lecture for which `taught` is true, or
        else to the lecture.
        """
        lecture = self.lectures.get(number)
        return (
            lecture.link(text, next(filter(taught, lecture.cells), None))
            if lecture
            else escape(text)
        )

    def numbered(self, number: str, text: str) -> str:
        """Return the text behind the number of its lecture, with a word if that lecture is not
        there yet.
        """
        return f"{int(number)} · {text}" + " (lecture planned)" * (number not in self.lectures)

    def reading_order(self) -> Table:
        """Return the lectures in their order: what they teach, what they build on, and how long
        they take.
        """
        rows = [
            (
                lecture.link(),
                _inline(lecture.learn),
                _inline(lecture.builds_on),
                f"{lecture.minutes}",
            )
            for lecture in self.lectures.values()
        ]
        total = sum(lecture.minutes for lecture in self.lectures.values())
        planned = ", ".join(map(str, self.planned()))
        return Table(
            f"Lectures in reading order, {total} minutes in all"
            + f"; planned: {planned}" * bool(planned),
            ("lecture", "after it you can", "it builds on", "minutes"),
            rows,
        )

    def notation(self) -> Folded:
        """Return one table per group of notation.csv: a symbol here, what it is, and what other
        texts write.
        """
        with open(self.folder / "notation.csv", encoding="utf-8", newline="") as file:
            entries = list(csv.DictReader(file))
        head = ("here", "what it is", "elsewhere", "lectures")
        rows = {}
        for entry in entries:
            group, *cells = entry.values()
            rows.setdefault(group, []).append(tuple(map(_inline, cells)))
        return Folded(
            {
                f"{group}: {len(table)} symbols": Table(f"Notation: {group.lower()}", head, table)
                for group, table in rows.items()
            }
        )

    def algorithms(self) -> Table:
        """Return the classes of `olc_helpers.learners`, with the first line of each docstring."""
        from . import learners

        rows = []
        for learner in (getattr(learners, name) for name in learners.__all__):
            line = summary(learner)
            item = ITEM.search(line)[0]
            what = (
                re.sub(rf" \({ITEM.pattern}(, {ITEM.pattern})*\)", "", line)
                .replace("`", "")
                .rstrip(".")
            )
            number = self.lecture_of[item]
            taught = self.first(
                number, self.numbered(number, what), lambda cell, item=item: item in cell.tags
            )
            rows.append((_call(learner), taught))
        return Table("Algorithms, in olc_helpers", ("class", "lecture · what it does"), rows)

    def theorems(self) -> Table:
        """Return the theorems: statement, where the proof stands, the ledger that checks it,
        figures about it.
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
            rows.append(
                (
                    self._evaluated(name, theorem),
                    f"${escape(theorem.statement)}$",
                    f"<code>{name}</code>",
                    ", ".join(f"<code>{figure}</code>" for figure in about),
                )
            )
        return Table(
            "Theorems, in olc_helpers.proofs",
            ("lecture · theorem", "statement", "ledger", "figures"),
            rows,
        )

    def printed_claims(self) -> Table:
        """Return the claims that are printed somewhere and fail, with the section that shows it."""
        rows = [
            (self._evaluated(name, claim), f"${escape(claim.statement)}$", f"<code>{name}</code>")
            for name, claim in _by_lecture(errata())
        ]
        return Table(
            "Printed claims that fail, in olc_helpers.proofs",
            ("lecture · claim", "as printed", "ledger"),
            rows,
        )

    def _evaluated(self, name, theorem):
        text = self.numbered(theorem.lecture, theorem.title)
        return self.first(theorem.lecture, text, lambda cell: re.search(rf"\b{name}\(", cell.code))

    def figures(self) -> Folded:
        """Return one table per lecture: the call of each figure with its defaults, and its title as
        a link to the picture.
        """
        from .figures import load

        rows = {}
        for name, figure in _by_lecture(load()):
            shown = self.first(
                figure.lecture,
                figure.title,
                lambda cell, name=name: re.search(rf"figures\.{name}\b", cell.code),
            )
            rows.setdefault(figure.lecture, []).append((_call(figure), shown))
        return self._folded("figures", ("figure", "what it shows"), rows)

    def items(self) -> Folded:
        """Return one table per lecture: its items, and the sections whose cells carry their
        tags.
        """
        rows = {
            number: [
                (row["id"], escape(row["title"]), "; ".join(self.sections(row["id"], number)))
                for row in self.rows
                if row["lecture"] == number
            ]
            for number in self.lectures
        }
        return self._folded("items", ("item", "title", "taught in"), rows)

    def _folded(self, what, head, rows):
        title = {number: lecture.title for number, lecture in self.lectures.items()}
        return Folded(
            {
                f"{title.get(number, f'{int(number)} · planned')}: {len(table)} {what}": Table(
                    f"The {what} of lecture {int(number)}", head, table
                )
                for number, table in rows.items()
                if table
            }
        )


def _by_lecture(registry):
    """Return the (name, function) pairs of a registry in the order of the lectures."""
    return sorted(registry.items(), key=lambda entry: entry[1].lecture)


def _call(function):
    """Return the call of a function with its defaults, as HTML."""
    plain = [p.replace(annotation=Parameter.empty) for p in signature(function).parameters.values()]
    return f"<code>{escape(f'{function.__name__}{Signature(plain)}')}</code>"


def _inline(markdown):
    """Return a sentence with markdown links and emphasis as HTML."""
    html = re.sub(r"\[([^]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', escape(markdown))
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", html)
