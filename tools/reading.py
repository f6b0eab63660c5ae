"""How long a lecture takes, counted, and written where it is said.

    python tools/reading.py                          what each lecture takes, and why
    python tools/reading.py notebooks/05*.ipynb      these alone
    python tools/reading.py --write                  into first cells and README (`make minutes`)

A minute is 200 words of prose, one figure, or one question (`ask`, `guess`); a displayed formula
or a ledger, which displays those of a proof, takes two minutes, an explorer or a game three. A
formula inside a sentence is a word. Code and what it prints is not counted: it is read with the
prose around it. An exercise takes ten minutes, or as many as it says: "3. **Ties.** (5 minutes) …";
answers are not counted.

The time of a lecture is that of everything in it. The short path leaves out the exercises, what is
folded (`<details>`), and the sections whose heading ends in ★. All is rounded to five minutes.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
LECTURES = sorted(ROOT.glob("notebooks/[0-9][0-9]_*.ipynb"))[1:]
COST = {
    "words": 1 / 200,
    "figures": 1,
    "questions": 1,
    "formulas": 2,
    "ledgers": 2,
    "explorers": 3,
    "exercises": 1,  # they are counted in minutes
}
FOLDED = re.compile(r"(?s)<details\b.*?</details>")
DISPLAYED = re.compile(r"(?s)\$\$.+?\$\$")
INLINE = re.compile(r"(?s)\$[^$]+?\$")
TIME = re.compile(r"\*\*Time:\*\* \d+ minutes(, \d+ of them for the exercises)?\.")
SHORT = re.compile(
    r"\*\*In (?:an hour|\d+ minutes):\*\* leave out (?:the exercises and )?the sections marked ★\."
)
ROW = r"(?m)^(\| \[.+?\]\(notebooks/{file}\) \| .+? \| )[^|]+( \|)$"


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


def sections(notebook: dict) -> list[Section]:
    """The sections of a notebook in their order; what stands before the first is the opening."""
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


def words(markdown: str) -> int:
    """The words of a text in which formulas are words, without headings, links and tags."""
    text = INLINE.sub("x", DISPLAYED.sub(" ", markdown))
    text = re.sub(r"(?m)^#+ .*$|<[^>]+>|\]\([^)]*\)|```\w*", " ", text)
    return len(re.findall(r"\w[\w'’.,-]*", text))


def called(cell: dict, *names: str) -> int:
    """How often a code cell calls one of the functions."""
    return len(re.findall(rf"(?<![\w.])(?:{'|'.join(names)})\(", "".join(cell["source"])))


def outputs(section: Section) -> list[dict]:
    """What the code cells of a section show, by type; explorers and questions are counted by their
    calls.
    """
    return [
        output["data"]
        for _, cell in section.code
        if not called(cell, "explore", "game", "ask", "guess")
        for output in cell["outputs"]
        if "data" in output
    ]


def exercise_minutes(section: Section) -> int:
    """The minutes of the exercises: ten for each number of the list, or what it says."""
    text = FOLDED.sub("", section.text)
    found = re.findall(r"(?ms)^\d+\. (.+?)(?=^\d+\. |\Z)", text)
    said = [re.search(r"\((\d+) minutes\)", each) for each in found]
    return sum(int(each[1]) if each else 10 for each in said)


def counts(section: Section, short: bool = False) -> dict[str, int]:
    """What there is to read and to do in a section."""
    if section.exercises:
        return dict.fromkeys(COST, 0) | {"exercises": 0 if short else exercise_minutes(section)}
    if short and section.starred:
        return dict.fromkeys(COST, 0)
    text = FOLDED.sub("", section.text) if short else section.text
    shown, code = outputs(section), [cell for _, cell in section.code]
    return {
        "words": words(text),
        "figures": sum("image/png" in data for data in shown),
        "questions": sum(called(cell, "ask", "guess") for cell in code),
        "formulas": len(DISPLAYED.findall(text)),
        "ledgers": sum(bool(re.search("[✓✗]", str(data.get("text/html")))) for data in shown),
        "explorers": sum(called(cell, "explore", "game") for cell in code),
        "exercises": 0,
    }


def rounded(minutes: float) -> int:
    """The nearest multiple of five."""
    return 5 * round(minutes / 5)


@dataclass(frozen=True)
class Reading:
    """The minutes of a lecture, rounded: all, those of its exercises, and the short path."""

    minutes: int
    exercises: int
    short: int | None  # None if no section is marked ★

    def time(self) -> str:
        """What the first cell says."""
        return f"**Time:** {self.minutes} minutes" + (
            f", {self.exercises} of them for the exercises." if self.exercises else "."
        )

    def short_path(self) -> str:
        """What the first cell says about the short path."""
        told = "an hour" if self.short == 60 else f"{self.short} minutes"
        return f"**In {told}:** leave out the exercises and the sections marked ★."


def total(parts: list[Section], short: bool = False) -> dict[str, int]:
    """What there is to read and to do in all sections."""
    counted = [counts(each, short) for each in parts]
    return {kind: sum(each[kind] for each in counted) for kind in COST}


def minutes(counted: dict[str, int]) -> float:
    return sum(COST[kind] * number for kind, number in counted.items())


def reading(notebook: dict) -> Reading:
    """The minutes of a notebook."""
    parts = sections(notebook)
    short = any(each.starred for each in parts if not each.exercises)
    return Reading(
        rounded(minutes(total(parts))),
        rounded(total(parts)["exercises"]),
        rounded(minutes(total(parts, short=True))) if short else None,
    )


def said(opening: str, now: Reading) -> str:
    """The first cell of a lecture with the minutes that it takes now."""
    text, found = TIME.subn(now.time(), opening)
    if not found:
        raise ValueError('the first cell must say "**Time:** 60 minutes."')
    if now.short is None:
        if SHORT.search(text):
            raise ValueError("the first cell speaks of sections marked ★, and there are none")
        return text
    if not SHORT.search(text):
        text = text.replace(now.time(), f"{now.time()} {now.short_path()}")
    return SHORT.sub(now.short_path(), text)


def load(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path) -> None:
    """Writes the minutes of a lecture into its first cell and into the README."""
    notebook = load(path)
    now, first = reading(notebook), notebook["cells"][0]
    text = said("".join(first["source"]), now)
    if text != "".join(first["source"]):
        first["source"] = text.splitlines(keepends=True)
        stored = json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)
        path.write_text(stored + "\n", encoding="utf-8", newline="\n")
    readme = ROOT / "README.md"
    row = re.compile(ROW.format(file=re.escape(path.name)))
    table, found = row.subn(rf"\g<1>{now.minutes}\2", readme.read_text(encoding="utf-8"))
    if found != 1:
        raise ValueError(f"the table of README.md must have one row for {path.name}")
    readme.write_text(table, encoding="utf-8", newline="\n")


def main(paths: list[Path], store: bool) -> None:
    print(f"{'':32}" + "".join(f"{kind:>10}" for kind in COST) + "   minutes  short path")
    for path in paths:
        notebook = load(path)
        now, counted = reading(notebook), total(sections(notebook))
        numbers = "".join(f"{number:10}" for number in counted.values())
        print(f"{path.stem:32}{numbers}{now.minutes:10}{now.short or '':>12}")
        if store:
            try:
                write(path)
            except ValueError as error:
                sys.exit(f"{path.name}: {error}")


def of_lectures(description: str) -> argparse.ArgumentParser:
    """Return the parser of a tool that reads all lectures, or those that are named."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lectures", nargs="*", type=Path)
    return parser


def to_do(paths: list[Path], problems: Callable[[Path], list[str]]) -> int:
    """Print the problems of each lecture; the exit code: 1 if there is one."""
    bad = 0
    for path in paths:
        found = problems(path)
        print(f"{path.stem}: {len(found) or 'nothing'} to do", *found, sep="\n  ", flush=True)
        bad += bool(found)
    return int(bad > 0)


if __name__ == "__main__":
    parser = of_lectures(__doc__)
    parser.add_argument("--write", action="store_true", help="say it in first cells and README")
    options = parser.parse_args()
    main(options.lectures or LECTURES, options.write)
