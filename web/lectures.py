"""The lectures and the homework: cells with their source, tags and headings."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import where


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


@dataclass(frozen=True)
class Lecture:
    """A notebook of the course and its page."""

    notebook: Path
    cells: list[Cell] = field(repr=False, compare=False)

    @property
    def number(self) -> str:
        """The two digits that its name begins with; 00 is the map."""
        return self.notebook.name[:2]

    @property
    def title(self) -> str:
        """The heading of its first cell."""
        return re.match(r"# (.+)", self.cells[0].source)[1]

    @property
    def href(self) -> str:
        """Where the page of the lecture is."""
        return "index.html" if self.number == "00" else f"{self.notebook.stem}.html"

    @property
    def code(self) -> list[Cell]:
        """Its code cells."""
        return [cell for cell in self.cells if cell.is_code]

    def at(self, cell: Cell) -> str:
        """Return where a cell is on the site."""
        return f"{self.href}#cell-{cell.id}"

    def place(self, cell: Cell | None) -> tuple[str, float]:
        """Return where a cell stands in the course, to sort by; None is behind all of a lecture."""
        return self.number, self.cells.index(cell) if cell else math.inf

    def using(self, pattern: str) -> Cell | None:
        """Return the first code cell that a pattern is found in."""
        return next((cell for cell in self.code if re.search(pattern, cell.source)), None)


@dataclass(frozen=True)
class Question:
    """A question of the homework: where it stands, what it is called, its cells."""

    place: str
    title: str
    cells: list[Cell] = field(repr=False)

    @property
    def tags(self) -> set[str]:
        """The items that it is about."""
        return set().union(*(cell.tags for cell in self.cells))

    @property
    def code(self) -> str:
        """All that it says, as one text."""
        return "\n".join(cell.source for cell in self.cells)


def cells_of(notebook: Path) -> Iterator[Cell]:
    """Yield the cells of a notebook in their order."""
    heading = ""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        source, is_code = "".join(cell["source"]), cell["cell_type"] == "code"
        if not is_code and (found := re.findall(r"(?m)^##+ (.+)", source)):
            heading = found[0]
        tags = frozenset(cell["metadata"].get("tags", []))
        yield Cell(cell["id"], source, is_code, tags, heading)


def read(notebook: Path) -> Lecture:
    """Return the lecture that a notebook holds."""
    return Lecture(notebook, list(cells_of(notebook)))


@cache
def lectures() -> list[Lecture]:
    """Return the map and the lectures, in their order."""
    return [read(path) for path in sorted(where.NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))]


def homework() -> list[Question]:
    """Return the questions of all homework, in their order."""
    questions = []
    for path in sorted(where.NOTEBOOKS.glob("homework/*/*.ipynb")):
        cells = list(cells_of(path))
        number = re.match(r"# Homework (\d+)", cells[0].source)[1]
        for cell in cells:
            if not cell.is_code and (
                start := re.match(r"## (\d+) · (.+?) \(\d+ point", cell.source)
            ):
                place = f"Homework {number}, question {start[1]}"
                questions.append(Question(place, start[2], []))
            if questions and questions[-1].place.startswith(f"Homework {number},"):
                questions[-1].cells.append(cell)
    return questions
