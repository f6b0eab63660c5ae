"""The pictures of the gallery and of the theorem index: what a worker draws, and where it goes."""

from pathlib import Path

import cache
import where
from filming import about
from PIL import Image
from replay import drawing_code, figure_code, task

from olc_helpers.canvas import Figure, canvas, styled
from olc_helpers.cli import proving
from olc_helpers.figures import load
from olc_helpers.ledger import Ledger
from olc_helpers.palette import BLUE, LOOK
from olc_helpers.proofs import theorems

FORMATS = ("svg", "pdf", "png")


def drawn(kind: str, names: list[str], folder: Path, jobs: int = 2) -> dict[str, dict]:
    """Return what there is to know about figures, or about the pictures of ledgers, by name, with
    their files in a folder; what the same code drew before is not drawn again.
    """
    code = {name: figure_code(name) if kind == "figure" else drawing_code() for name in names}
    stores = {name: where.CACHE / kind / cache.digest(code[name], name) for name in names}
    tasks = {name: task(kind, stores[name], jobs, name) for name in names}
    told = {name: future.result() for name, future in tasks.items()}
    for store in stores.values():
        for file in store.iterdir():
            if file.suffix != ".json":
                cache.place(file, folder / file.name)
    return told


def figure(folder: Path, name: str) -> None:
    """Write a figure of the course in all formats, and as a thumbnail."""
    made = load()[name]()
    for ending in FORMATS:
        made.save(folder / f"{name}.{ending}", ending)
    thumbnail(folder / f"{name}.png")
    cache.write(folder, about(made) | {"name": name})


def thumbnail(picture: Path, width: int = 640) -> None:
    """Write a small copy of a picture beside it."""
    with Image.open(picture) as image:
        small = image.convert("RGB").resize((width, round(width * image.height / image.width)))
        small.save(picture.with_suffix(".webp"), quality=80, method=4)


def ledger(folder: Path, name: str) -> None:
    """Write the picture of the ledger that the example of a theorem gives."""
    filled = proving.ledger_of(proving.example(theorems()[name]))
    made = ledger_picture(filled)
    made.save(folder / f"{name}.svg", "svg")
    cache.write(folder, about(made) | {"name": name, "html": filled._repr_html_()})


def ledger_picture(ledger: Ledger) -> Figure:
    """Return the picture of a ledger: a line of the proof over the trials, or both sides of all
    lines where none speaks of single trials.
    """
    if any(len(line.trials) for line in ledger.lines):
        return ledger.plot()
    with styled():
        return both_sides(ledger)


def both_sides(ledger: Ledger) -> Figure:
    """Return a picture of a proof whose lines speak of the whole run: both sides of each."""
    fig, ax = canvas(height=0.9 + 0.5 * len(ledger.lines))
    rows = range(len(ledger.lines), 0, -1)
    left, right = ([getattr(line, side)[0] for line in ledger.lines] for side in ("lhs", "rhs"))
    ax.hlines(rows, left, right, **LOOK["bound"])
    ax.plot(left, rows, "o", color=BLUE)
    ax.plot(right, rows, "|", color=LOOK["bound"]["color"], markersize=16, markeredgewidth=2)
    ax.set_yticks(rows, [f"line ({len(rows) + 1 - row})" for row in rows])
    ax.set(xlabel="left side (dot) and right side (bar)", ylim=(0.4, len(ledger.lines) + 0.6))
    ax.grid(axis="y", visible=False)
    last = ledger.lines[-1]
    fig.caption = f"The last line of {len(ledger.lines)}: {last.sides}."
    sides = "; ".join(f"line {k}: {line.sides}" for k, line in enumerate(ledger.lines, 1))
    fig.description = (
        f"{ledger.name}: for each line of the proof a blue dot at its left side and a grey bar at"
        f" its right side, joined by a dashed line. {sides}."
    )
    return fig
