"""How long after a control has moved is the picture there? For every explorer and game of the
lectures.

    python bench/sliders.py              print the table
    python bench/sliders.py bench/SLIDERS.md    write it

Each control goes through its whole range, the others stay where they start, and each button of a
game is pressed in turn. What counts is the time of the kernel, from the new value to the encoded
picture, the first time that this value is seen: nothing is repeated until it is fast.
"""

import ast
import asyncio
import os
import platform
import sys
import time
from pathlib import Path

import matplotlib
import nbformat
import numpy as np

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
STEPS = 12  # values of a slider
PRESSES = 3  # of each button of a game
GOALS = {"median": 60, "90 %": 120, "largest": 200}  # milliseconds


def explorers():
    """The lecture and the explorer of each call of `explore` and `game` in the lectures."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        cells = [c.source for c in nbformat.read(path, 4).cells if c.cell_type == "code"]
        names = {}
        for source in cells:
            *before, last = ast.parse(source).body
            call = getattr(last, "value", None)
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") not in (
                "explore",
                "game",
            ):
                continue
            if not names:
                exec(cells[0], names)
            exec(compile(ast.Module(before, []), path.name, "exec"), names)
            yield path.name[:2], eval(compile(ast.Expression(call), path.name, "eval"), names)


def moves(explorer):
    """What can be done with an explorer: functions that each move one control or press a button."""
    for control in explorer._controls.values():
        start = control.value
        if hasattr(control, "max"):
            values = np.linspace(control.min, control.max, STEPS)
            values = dict.fromkeys(type(start)(value) for value in values)
        else:
            values = getattr(control, "options", (True, False))
        for value in (*values, start):
            if value != control.value:
                yield lambda control=control, value=value: setattr(control, "value", value)
    for button in explorer._buttons * PRESSES:
        yield button.click


async def measure(explorer):
    """Milliseconds of the kernel for each move; in a loop, as a kernel has it, for the sketches."""
    times = []
    for move in moves(explorer):
        start = time.process_time()
        move()
        times.append(1000 * (time.process_time() - start))
    explorer._come_to_rest()
    return times


def row(name, times):
    return (
        f"| {name} | {len(times)} | "
        + " | ".join(f"{value:.0f}" for value in figures(times))
        + " |"
    )


def figures(times):
    return np.median(times), np.quantile(times, 0.9), max(times)


def table():
    """The page."""
    rows, every, waiting = [], [], os.getloadavg()[0]
    for lecture, explorer in explorers():
        times = asyncio.run(measure(explorer))
        every += times
        rows.append(row(f"{lecture} `{explorer._draw.__name__}`", times))
        print(rows[-1], file=sys.stderr)
    goals = " | ".join(f"≤ {goal}" for goal in GOALS.values())
    return "\n".join(
        [
            "# How fast do the sliders follow?",
            "",
            "`python bench/sliders.py bench/SLIDERS.md` writes this page: milliseconds of processor"
            " time in the kernel, from a moved control or a pressed button to the encoded picture,"
            " each value the first time that it is seen. One BLAS thread, Python"
            f" {platform.python_version()}, matplotlib {matplotlib.__version__},"
            f" {platform.machine()}; processes waiting for its {os.cpu_count()} cores:"
            f" {waiting:.1f} at the start, {os.getloadavg()[0]:.1f} at the end.",
            "",
            "| explorer | moves | median | 90 % | largest |",
            "|---|---|---|---|---|",
            *rows,
            row("**all**", every),
            f"| *goal* | | {goals} |",
            "",
        ]
    )


if __name__ == "__main__":
    page = table()
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(page, encoding="utf-8")
    else:
        print(page)
