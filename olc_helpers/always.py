"""Which lines of a theorem hold not only on a run but always: what a solver proved of each.

`always.csv` is written by tools/always.py and made anew by a test; nothing here needs the solver.
"""

import csv
from fractions import Fraction
from functools import cache
from pathlib import Path

MARKS = {  # the letter in the table, its mark, and what it means
    "s": ("✓", "always: the solver proved it for one trial, any one"),
    "a": ("✓", "always: the solver proved it from what stands above"),
    "+": ("✓", "always: the solver proved the start, and one trial more"),
    "l": ("✓", "always: the solver proved it from a lemma"),
    "L": ("L", "always: a lemma, which is named and not proved here"),
    "c": ("∎", "computed: a count or a search, on this ledger"),
    "C": ("∎", "computed, if the last pass was clean"),
    "o": ("–", "not proved by the solver"),
}
LEGEND = "✓ always: proved by a solver · L a lemma · ∎ counted here · – by the text alone"


@cache
def table(name: str) -> dict[str, tuple[str, list[str]]]:
    """Return {name: (the kind of each line, what each rests on)} of a file beside this one."""
    with open(Path(__file__).with_name(name), encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return {name: (kinds, by.split(" | ")) for name, kinds, by in rows}


def of(theorem: str, count: int) -> list[tuple[str, str]]:
    """Return (mark, its meaning and what the line rests on) for each of the `count` lines of a
    ledger; nothing for a theorem that is not one of the course.
    """
    kinds, by = table("always.csv").get(theorem, ("", []))
    found = [(k, f"{MARKS[k][1]}: {b}") for k, b in zip(kinds, by, strict=True)]
    if count < len(found):  # some lines are left out where they don't apply, mostly the last ones
        found = [each for each in found if each[0] != "C"]
    return [(MARKS[kind][0], why) for kind, why in found[:count]]


def share(theorem: str) -> str:
    """Return how much of a proof is machine-checked, as "5 of 6 lines"."""
    kinds, _ = table("always.csv").get(theorem, ("", []))
    return f"{sum(MARKS[kind][0] == '✓' for kind in kinds)} of {len(kinds)} lines"


def counterexample(name: str) -> dict[str, float]:
    """Return {quantity: value}: what the solver found against a claim."""
    _, (text,) = table("refuted.csv")[name]
    pairs = (each.split(" = ") for each in text.replace("−", "-").split(", "))
    return {quantity: float(Fraction(number)) for quantity, number in pairs}
