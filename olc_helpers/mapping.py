"""The map of the course: tables made from the notebooks, the registries of theorems and figures, and the learners."""

import csv
import json
import re
from dataclasses import dataclass
from html import escape, unescape
from inspect import Parameter, Signature, getdoc, signature
from pathlib import Path
from urllib.parse import quote

from . import learners
from .ledger import errata, theorems

ITEM = re.compile(r"[A-Z0-9]+-[A-Z]?\d+")
LEFT = 'style="text-align:left;vertical-align:top;font-weight:normal"'


@dataclass(frozen=True)
class Table:
    """Rows of HTML cells under a caption; without HTML the same as lines of text."""

    caption: str
    head: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def _repr_html_(self):
        head = "".join(f'<th scope="col" style="text-align:left">{title}</th>' for title in self.head)
        body = "".join(f'<tr><th scope="row" {LEFT}>{first}</th>' + "".join(f"<td {LEFT}>{cell}</td>" for cell in rest) + "</tr>"
                       for first, *rest in self.rows)
        return (f'<table><caption style="caption-side:top;text-align:left">{self.caption}</caption>'
                f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")

    def __repr__(self):
        lines = [" | ".join(unescape(re.sub("<[^>]+>", "", cell)) for cell in row) for row in [self.head, *self.rows]]
        return "\n".join([self.caption, *lines])


class Folded(list):
    """Tables that a click on their caption opens."""

    def _repr_html_(self):
        return "".join(f"<details><summary>{table.caption}</summary>{table._repr_html_()}</details>" for table in self)

    def __repr__(self):
        return "\n\n".join(map(repr, self))


@dataclass(frozen=True)
class Cell:
    """A cell of a lecture: the heading above it, its tags, and its source if it is code."""

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
            self.cells.append(Cell(heading, frozenset(cell["metadata"].get("tags", [])), source * is_code))

    def _found(self, pattern, text):
        found = re.search(pattern, text)
        if not found:
            raise ValueError(f"the first cell of {self.file} must contain {pattern!r}")
        return found[1]

    def link(self, heading: str = "", text: str = "") -> str:
        """Return a link to the lecture, or to the section under a heading of it."""
        anchor = "#" + quote(heading.replace(" ", "-")) if heading else ""
        return f'<a href="{self.file}{anchor}">{escape(text or heading or self.title)}</a>'


class Course:
    """The lectures and the items in a folder, and the tables that show what they teach."""

    def __init__(self, folder: str | Path = "."):
        paths = sorted(Path(folder).glob("[0-9][0-9]_*.ipynb"))
        self.lectures = {path.name[:2]: Lecture(path) for path in paths if path.name[:2] != "00"}
        with open(Path(folder) / "items.csv", encoding="utf-8", newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.lecture_of = {row["id"]: row["lecture"] for row in self.rows}

    def sections(self, taught) -> list[str]:
        """Return links to the sections with a cell for which `taught` is true, in the order of the course."""
        links = {lecture.link(cell.heading, f"{int(number)} · {cell.heading or 'opening'}"): None
                 for number, lecture in self.lectures.items() for cell in lecture.cells if taught(cell)}
        return list(links)

    def _first(self, number, taught):
        """Return the first such link, else one to the lecture; a lecture that is not there yet gets no link."""
        lecture = self.lectures.get(number)
        return next(iter(self.sections(taught)), lecture.link() if lecture else f"lecture {int(number)} (planned)")

    def reading_order(self) -> Table:
        """Return the lectures in their order: what they teach, what they build on, and how long they take."""
        rows = [(lecture.link(), escape(lecture.learn), escape(lecture.builds_on), f"{lecture.minutes}")
                for lecture in self.lectures.values()]
        total = sum(lecture.minutes for lecture in self.lectures.values())
        return Table(f"Lectures in reading order, {total} minutes in all",
                     ("lecture", "after it you can", "it builds on", "minutes"), rows)

    def algorithms(self) -> Table:
        """Return the classes of `olc_helpers.learners`, with the first line of each docstring."""
        rows = []
        for learner in (getattr(learners, name) for name in learners.__all__):
            line = (getdoc(learner) or "").split("\n")[0]
            item = ITEM.search(line)[0]
            what = re.sub(rf" \({ITEM.pattern}(, {ITEM.pattern})*\)", "", line)
            taught = self._first(self.lecture_of[item], lambda cell, item=item: item in cell.tags)
            rows.append((_code(learner), escape(what), taught))
        return Table("Algorithms, in olc_helpers", ("class", "what it does", "taught in"), rows)

    def theorems(self) -> Table:
        """Return the theorems: statement, where the proof stands, the ledger that checks it, figures about it."""
        rows = []
        for name, theorem in theorems().items():
            about = {figure: None for lecture in self.lectures.values() for cell in lecture.cells
                     if cell.tags & {*theorem.items} for figure in re.findall(r"figures\.(\w+)", cell.code)}
            rows.append((escape(theorem.title), f"${escape(theorem.statement)}$", self._calls(theorem.lecture, name),
                         _code(theorem), ", ".join(f"<code>{figure}</code>" for figure in about)))
        return Table("Theorems, in olc_helpers.proofs", ("theorem", "statement", "proof", "ledger", "figures"), rows)

    def printed_claims(self) -> Table:
        """Return the claims that are printed somewhere and fail, with the section that shows it."""
        rows = [(escape(claim.title), f"${escape(claim.statement)}$", self._calls(claim.lecture, name), _code(claim))
                for name, claim in errata().items()]
        return Table("Printed claims that fail, in olc_helpers.proofs",
                     ("claim", "as printed", "shown failing in", "ledger"), rows)

    def figures(self) -> Table:
        """Return the figures: name with arguments, title, and the section that shows it."""
        from .figures import load
        rows = [(_code(figure), escape(figure.title),
                 self._first(figure.lecture, lambda cell, name=name: re.search(rf"figures\.{name}\b", cell.code)))
                for name, figure in load().items()]
        return Table("Figures, in olc_helpers.figures", ("figure", "what it shows", "shown in"), rows)

    def items(self) -> Folded:
        """Return one table per lecture: its items, and the sections whose cells carry their tags."""
        return Folded(Table(f"{escape(lecture.title)}: {len(rows)} items", ("item", "title", "taught in"), rows)
                      for number, lecture in self.lectures.items()
                      if (rows := [(row["id"], escape(row["title"]), "<br>".join(self._teaching(row["id"])))
                                   for row in self.rows if row["lecture"] == number]))

    def _teaching(self, item):
        return self.sections(lambda cell: item in cell.tags)

    def _calls(self, number, name):
        return self._first(number, lambda cell: re.search(rf"\b{name}\(", cell.code))


def _code(function):
    """Return the call of a function with its defaults, as HTML."""
    plain = [p.replace(annotation=Parameter.empty) for p in signature(function).parameters.values()]
    return f"<code>{escape(f'{function.__name__}{Signature(plain)}')}</code>"
