"""The lectures and the homework as the indexes read them: cells with their source, tags and
headings.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"


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
    """A notebook: its number, the name of its page without the ending, its title, its cells."""

    number: str
    stem: str
    title: str
    cells: list[Cell] = field(repr=False)

    @property
    def href(self) -> str:
        """Where the page of the lecture is."""
        return "index.html" if self.number == "00" else f"{self.stem}.html"

    def at(self, cell: Cell) -> str:
        """Return where a cell is on the site."""
        return f"{self.href}#cell-{cell.id}"

    def using(self, pattern: str) -> Cell | None:
        """Return the first code cell that a pattern is found in."""
        return next((c for c in self.cells if c.is_code and re.search(pattern, c.source)), None)


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


def lectures(folder: Path = NOTEBOOKS) -> list[Lecture]:
    """Return the map and the lectures in a folder, in their order."""
    found = []
    for path in sorted(folder.glob("[0-9][0-9]_*.ipynb")):
        cells = list(cells_of(path))
        title = re.match(r"# (.+)", cells[0].source)[1]
        found.append(Lecture(path.name[:2], path.stem, title, cells))
    return found


def homework(folder: Path = NOTEBOOKS) -> list[Question]:
    """Return the questions of all homework, in their order."""
    questions = []
    for path in sorted(folder.glob("homework/*/*.ipynb")):
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
