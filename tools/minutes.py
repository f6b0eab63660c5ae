"""How long a lecture takes, counted, and written where it is said.

    python tools/minutes.py                          what each lecture takes, and why
    python tools/minutes.py notebooks/05*.ipynb      these alone
    python tools/minutes.py --write                  into first cells and README

A minute is 200 words of prose, one figure, or one question (`ask`, `guess`); a displayed formula
or a ledger, which displays those of a proof, takes two minutes, an explorer or a game three. A
formula inside a sentence is a word. Code and what it prints is not counted: it is read with the
prose around it. An exercise takes ten minutes, or as many as it says: "3. **Ties.** (5 minutes) …";
answers are not counted.

The time of a lecture is that of everything in it. The short path leaves out the exercises, what is
folded (`<details>`), and the sections whose heading ends in ★. All is rounded to five minutes.
"""

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from parts import (
    DISPLAYED,
    FOLDED,
    INLINE,
    LECTURES,
    ROOT,
    Section,
    called,
    in_parts,
    load,
    of_lectures,
)

COST = {
    "words": 1 / 200,
    "figures": 1,
    "questions": 1,
    "formulas": 2,
    "ledgers": 2,
    "explorers": 3,
    "exercises": 1,  # they are counted in minutes
}
TIME = re.compile(r"\*\*Time:\*\* \d+ minutes(, \d+ of them for the exercises)?\.")
SHORT = re.compile(
    r"\*\*In (?:an hour|\d+ minutes):\*\* leave out (?:the exercises and )?the sections marked ★\."
)
ROW = r"(?m)^(\| \[.+?\]\(\S*notebooks/{file}\) \| .+? \| )[^|]+( \|)$"


def word_count(markdown: str) -> int:
    """Return the words of a text in which formulas are words, without headings, links and tags."""
    text = INLINE.sub("x", DISPLAYED.sub(" ", markdown))
    text = re.sub(r"(?m)^#+ .*$|<[^>]+>|\]\([^)]*\)|```\w*", " ", text)
    return len(re.findall(r"\w[\w'’.,-]*", text))


def outputs(section: Section) -> list[dict]:
    """Return what the code cells of a section show, by type, without explorers and questions, which
    are counted by their calls.
    """
    return [
        output["data"]
        for _, cell in section.code
        if not called(cell, "explore", "game", "ask", "guess")
        for output in cell["outputs"]
        if "data" in output
    ]


def exercise_minutes(section: Section) -> int:
    """Return the minutes of the exercises: ten for each number of the list, or what it says."""
    text = FOLDED.sub("", section.text)
    found = re.findall(r"(?ms)^\d+\. (.+?)(?=^\d+\. |\Z)", text)
    said = [re.search(r"\((\d+) minutes\)", each) for each in found]
    return sum(int(each[1]) if each else 10 for each in said)


def counts(section: Section, short: bool = False) -> dict[str, int]:
    """Return what there is to read and to do in a section."""
    if section.exercises:
        return dict.fromkeys(COST, 0) | {"exercises": 0 if short else exercise_minutes(section)}
    if short and section.starred:
        return dict.fromkeys(COST, 0)
    text = FOLDED.sub("", section.text) if short else section.text
    shown, code = outputs(section), [cell for _, cell in section.code]
    return {
        "words": word_count(text),
        "figures": sum("image/png" in data for data in shown),
        "questions": sum(called(cell, "ask", "guess") for cell in code),
        "formulas": len(DISPLAYED.findall(text)),
        "ledgers": sum(bool(re.search("[✓✗]", str(data.get("text/html")))) for data in shown),
        "explorers": sum(called(cell, "explore", "game") for cell in code),
        "exercises": 0,
    }


def rounded(minutes: float) -> int:
    """Return the nearest multiple of five."""
    return 5 * round(minutes / 5)


@dataclass(frozen=True)
class Time:
    """Return the minutes of a lecture, rounded: all, those of its exercises, and the short path."""

    minutes: int
    exercises: int
    short: int | None  # None if no section is marked ★

    def time(self) -> str:
        """Return what the first cell says."""
        return f"**Time:** {self.minutes} minutes" + (
            f", {self.exercises} of them for the exercises." if self.exercises else "."
        )

    def short_path(self) -> str:
        """Return what the first cell says about the short path."""
        told = "an hour" if self.short == 60 else f"{self.short} minutes"
        return f"**In {told}:** leave out the exercises and the sections marked ★."


def total(parts: list[Section], short: bool = False) -> dict[str, int]:
    """Return what there is to read and to do in all sections."""
    counted = [counts(each, short) for each in parts]
    return {kind: sum(each[kind] for each in counted) for kind in COST}


def cost(counted: dict[str, int]) -> float:
    return sum(COST[kind] * number for kind, number in counted.items())


def time_of(notebook: dict) -> Time:
    """Return the minutes of a notebook."""
    parts = in_parts(notebook)
    short = any(each.starred for each in parts if not each.exercises)
    return Time(
        rounded(cost(total(parts))),
        rounded(total(parts)["exercises"]),
        rounded(cost(total(parts, short=True))) if short else None,
    )


def said(opening: str, now: Time) -> str:
    """Return the first cell of a lecture with the minutes that it takes now."""
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


def write(path: Path) -> None:
    """Write the minutes of a lecture into its first cell and into the README."""
    notebook = load(path)
    now, first = time_of(notebook), notebook["cells"][0]
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
        now, counted = time_of(notebook), total(in_parts(notebook))
        numbers = "".join(f"{number:10}" for number in counted.values())
        print(f"{path.stem:32}{numbers}{now.minutes:10}{now.short or '':>12}")
        if store:
            try:
                write(path)
            except ValueError as error:
                sys.exit(f"{path.name}: {error}")


if __name__ == "__main__":
    parser = of_lectures(__doc__)
    parser.add_argument("--write", action="store_true", help="say it in first cells and README")
    options = parser.parse_args()
    main(options.lectures or LECTURES, options.write)
