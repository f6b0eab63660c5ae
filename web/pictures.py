"""The pictures of the gallery and of the theorem index, drawn once: they stay in `.site-cache`,
under a hash of the code that draws them.
"""

import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import kept
from filming import has_heat
from replay import digest, drawing_code, place, write

from olc_helpers.canvas import Figure, canvas, styled
from olc_helpers.cli import proving
from olc_helpers.figures import load
from olc_helpers.ledger import Ledger, theorems
from olc_helpers.palette import BLUE, LOOK

FORMATS = ("svg", "pdf", "png")
Progress = Callable[[int, int], None]  # pictures done so far, all pictures


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


def draw(kind: str, name: str, folder: str) -> dict:
    """Write a figure of the course in all formats and as a thumbnail, or the picture of a ledger,
    and return what there is to know about it.
    """
    if kind == "ledger":
        theorem = theorems()[name]
        ledger = proving.ledger_of(proving.example(theorem))
        figure, formats, more = ledger_picture(ledger), ("svg",), {"html": ledger._repr_html_()}
    else:
        figure, formats, more = load()[name](), FORMATS, {}
    for ending in formats:
        figure.save(Path(folder, f"{name}.{ending}"), ending)
    if kind == "figure":
        thumbnail(Path(folder, f"{name}.png"))
    width, height = (round(inches * figure.dpi) for inches in figure.get_size_inches())
    return more | {
        "name": name,
        "width": width,
        "height": height,
        "heat": has_heat(figure),
        "caption": figure.caption,
        "description": figure.description,
    }


def thumbnail(picture: Path, width: int = 640) -> None:
    """Write a small copy of a picture beside it."""
    from PIL import Image

    with Image.open(picture) as image:
        small = image.convert("RGB").resize((width, round(width * image.height / image.width)))
        small.save(picture.with_suffix(".webp"), quality=80, method=4)


def drawn(
    kind: str, names: list[str], folder: Path, jobs: int = 2, progress: Progress | None = None
) -> dict[str, dict]:
    """Return what there is to know about pictures, by name, with the files in a folder; what the
    same code drew before is not drawn again.
    """
    own = Path(__file__).read_text(encoding="utf-8")
    store = kept.CACHE / kind / digest(drawing_code(), own)
    store.mkdir(parents=True, exist_ok=True)
    missing = [name for name in names if not (store / f"{name}.json").exists()]
    if progress:
        progress(len(names) - len(missing), len(names))
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        tasks = {pool.submit(draw, kind, name, str(store)): name for name in missing}
        for done, task in enumerate(as_completed(tasks), len(names) - len(missing) + 1):
            write(store / f"{tasks[task]}.json", task.result())
            if progress:
                progress(done, len(names))
    folder.mkdir(parents=True, exist_ok=True)
    for file in kept.use(store).iterdir():
        if file.suffix != ".json":
            place(file, folder / file.name)
    told = {name: store / f"{name}.json" for name in names}
    return {name: json.loads(file.read_text(encoding="utf-8")) for name, file in told.items()}
