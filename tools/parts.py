"""What the tools that read lectures share: a lecture in its parts, and the command line."""

import argparse
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
LECTURES = sorted(ROOT.glob("notebooks/[0-9][0-9]_*.ipynb"))[1:]
FOLDED = re.compile(r"(?s)<details\b.*?</details>")
DISPLAYED = re.compile(r"(?s)\$\$.+?\$\$")
INLINE = re.compile(r"(?s)\$[^$]+?\$")


@dataclass
class Section:
    """A part of a lecture under one `##` heading: its markdown, and its code cells."""

    title: str
    markdown: list[tuple[int, str]] = field(default_factory=list)  # (number of the cell, text)
    code: list[tuple[int, dict]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n\n".join(text for _, text in self.markdown)

    @property
    def starred(self) -> bool:
        return self.title.endswith(" ★")

    @property
    def exercises(self) -> bool:
        return self.title.removesuffix(" ★") == "Exercises"


def in_parts(notebook: dict) -> list[Section]:
    """Return the sections of a notebook; what stands before the first heading is the opening."""
    found = [Section("opening")]
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            found[-1].code.append((number, cell))
            continue
        for part in re.split(r"(?m)^(?=## )", "".join(cell["source"])):
            if heading := re.match(r"## (.+)", part):
                found.append(Section(heading[1].strip()))
            if part.strip():
                found[-1].markdown.append((number, part))
    return found


def called(cell: dict, *names: str) -> int:
    """Return how often a code cell calls one of the functions."""
    return len(re.findall(rf"(?<![\w.])(?:{'|'.join(names)})\(", "".join(cell["source"])))


def load(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def of_lectures(description: str) -> argparse.ArgumentParser:
    """Return the parser of a tool that reads all lectures, or those that are named."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lectures", nargs="*", type=Path)
    return parser


def to_do(paths: list[Path], problems: Callable[[Path], list[str]]) -> int:
    """Print the problems of each lecture, and return the exit code: 1 if there is one."""
    bad = 0
    for path in paths:
        found = problems(path)
        print(f"{path.stem}: {len(found) or 'nothing'} to do", *found, sep="\n  ", flush=True)
        bad += bool(found)
    return int(bad > 0)
