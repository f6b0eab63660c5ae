"""The lectures and the homework: cells with their source, tags and headings."""

import math
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import where

from olc_helpers.overview.course import Cell, cells_of
from olc_helpers.overview.graph import SUBJECTS


@dataclass(frozen=True)
class Page:
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
        return f"{self.notebook.stem}.html"

    @property
    def part(self) -> int:
        """The part of the course, from 1, whose colour it has; 0 for the map."""
        parts = [numbers for _, numbers in SUBJECTS.values()]
        return next((k for k, numbers in enumerate(parts, 1) if self.number in numbers), 0)

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


def read(notebook: Path) -> Page:
    """Return the lecture that a notebook holds."""
    return Page(notebook, list(cells_of(notebook)))


@cache
def lectures() -> list[Page]:
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
