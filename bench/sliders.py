"""How long after a control has moved is the picture there? For every explorer and game of the
lectures.

    python bench/sliders.py              print the table
    python bench/sliders.py bench/SLIDERS.md    write it

Each control goes through its whole range, the others stay where they start, and each button of a
game is pressed in turn. What counts is the time of the kernel, from the new value to the encoded
picture, the first time that this value is seen: nothing is repeated until it is fast. Each lecture
has a process of its own, as it has a kernel of its own: the explorers of other lectures would be
looked through whenever Python collects its garbage.
"""

import ast
import asyncio
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

import matplotlib
import numpy as np

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
STEPS = 12  # values of a slider
PRESSES = 3  # of each button of a game
GOALS = {"median": 60, "90 %": 120, "largest": 200}  # milliseconds


def explorers(lecture):
    """The explorer of each call of `explore` and `game` in a lecture."""
    cells = json.loads(lecture.read_text(encoding="utf-8"))["cells"]
    imports, *code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    names = {}
    exec(imports, names)
    for source in code:
        *before, last = ast.parse(source).body
        call = getattr(last, "value", None)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("explore", "game"):
            exec(compile(ast.Module(before, []), lecture.name, "exec"), names)
            yield eval(compile(ast.Expression(call), lecture.name, "eval"), names)


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


def measured(lecture):
    """The name and the times of each explorer of a lecture, from a process of its own."""
    run = [sys.executable, __file__, "--lecture", str(lecture)]
    return json.loads(subprocess.run(run, stdout=subprocess.PIPE, check=True).stdout)


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
    for lecture in sorted(NOTEBOOKS.glob("*.ipynb")):
        for name, times in measured(lecture):
            every += times
            rows.append(row(f"{lecture.name[:2]} `{name}`", times))
            print(rows[-1], file=sys.stderr)
    goals = " | ".join(f"≤ {goal}" for goal in GOALS.values())
    return "\n".join(
        [
            "# How fast do the sliders follow?",
            "",
            "`python bench/sliders.py bench/SLIDERS.md` writes this page: milliseconds of processor"
            " time in the kernel, from a moved control or a pressed button to the encoded picture,"
            " each value the first time that it is seen. One process per lecture, one BLAS"
            " thread, Python"
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


if __name__ == "__main__" and sys.argv[1:2] == ["--lecture"]:
    times = [(e._draw.__name__, asyncio.run(measure(e))) for e in explorers(Path(sys.argv[2]))]
    print(json.dumps(times))
elif __name__ == "__main__":
    page = table()
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(page, encoding="utf-8")
    else:
        print(page)
