"""What a worker does for a lecture: run its cells and draw what they show, or draw the frames of
one explorer.
"""

import contextlib
import gzip
import io
import json
import os
from base64 import b64encode
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from textwrap import fill

import cache
import numpy as np
import svg
from IPython.core.interactiveshell import InteractiveShell
from matplotlib.collections import QuadMesh
from matplotlib.transforms import Bbox
from traitlets.config import Config

from olc_helpers.canvas import Figure, styled
from olc_helpers.explorers import Explorer
from olc_helpers.figures import load

SETTLED = 40  # frames whose labels find their places: those between them have much the same
MARGIN = 2  # pixels that stay free around everything


def run(folder: Path, cells: list[tuple[str, str]], notebook: str) -> None:
    """Run the cells as a kernel would, and write all pictures that they show, and what there is to
    say about each.
    """
    os.chdir(Path(notebook).parent)
    shown, manifest = [], {}
    Figure._ipython_display_ = Explorer._ipython_display_ = lambda self: shown.append(self)
    Explorer._show = lambda self: None  # its picture is drawn here
    settings = Config(HistoryManager={"enabled": False}, InteractiveShell={"colors": "nocolor"})
    shell = InteractiveShell.instance(config=settings)
    for cell, source in cells:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            result = shell.run_cell(source)
        if not result.success:
            raise RuntimeError(f"cell {cell} of {notebook} fails:\n{printed.getvalue()}")
        for number, thing in enumerate(shown, 1):
            file = f"{cell}-{number}.svg"
            figure = pictured(thing)
            figure.save(folder / file, "svg")
            entry = described(thing) | {"svg": file, "drawing": "".join(svg.parts(figure))}
            entry["right"] = svg.right(figure)
            manifest.setdefault(cell, []).append(entry)
        shown.clear()
    cache.write(folder, manifest)


def pictured(thing: Figure | Explorer) -> Figure:
    """Return the figure of what a cell shows."""
    return thing if isinstance(thing, Figure) else thing._figure()


def described(thing: Figure | Explorer) -> dict:
    """Return what the manifest says about a figure, an explorer or a game."""
    entry = {"kind": "figure"} | about(pictured(thing))
    if isinstance(thing, Explorer):
        entry["kind"] = "explorer"
        entry["controls"] = [choices(*named) for named in thing._controls.items()]
        if thing._letters is not None:
            entry |= {"kind": "game", "buttons": thing._letters, "moves": thing._moves}
    return entry


def about(figure: Figure) -> dict:
    """Return the name of a figure, its size in pixels, and its texts."""
    width, height = (round(inches * figure.dpi) for inches in figure.get_size_inches())
    return {
        "name": figure.name,
        "width": width,
        "height": height,
        "heat": has_heat(figure),
        "caption": figure.caption,
        "description": figure.description,
    }


def choices(name: str, widget) -> dict:
    """Return all values that a control can have, and where it starts."""
    if hasattr(widget, "options"):
        kind, values = "menu", list(widget.options)
        labels = [str(value) for value in values]
    elif hasattr(widget, "step"):
        steps = round((widget.max - widget.min) / widget.step)
        kind, values = "range", [round(widget.min + i * widget.step, 10) for i in range(steps + 1)]
        labels = [f"{value:g}" for value in values]
    else:
        kind, values, labels = "check", [False, True], ["no", "yes"]
    start = values.index(round(widget.value, 10) if kind == "range" else widget.value)
    return {"name": name, "type": kind, "values": values, "labels": labels, "start": start}


def has_heat(figure: Figure) -> bool:
    """Whether brightness has a meaning in a figure, as in an image or a mesh."""
    meshes = [part for ax in figure.axes for part in ax.collections if isinstance(part, QuadMesh)]
    return bool(meshes) or any(ax.images for ax in figure.axes)


def film(folder: Path, name: str, start: dict, values: list[dict]) -> None:
    """Write the frames of a figure for all values into one file, as lists of the parts that they
    are drawn with; which frame belongs to which values; and the picture at the start. All frames
    have the same size, and in those of the same shape the axes stand at the same places.
    """
    function = load()[name]
    first = function(**start)
    figures = [drawn(function, each, first) for each in values]
    places = {}
    for number, figure in enumerate(figures):
        if number % (1 + len(figures) // SETTLED) == 0 or figure.shape not in places:
            settle(figure, places)
    size = np.max([figure.get_size_inches() for figure in figures], axis=0)
    parts, frames, which = {}, {}, []
    for figure in figures:
        move(figure, places)
        pad(figure, size)
        made = tuple(parts.setdefault(part, len(parts)) for part in svg.parts(figure))
        frame = made, figure.caption, figure.description
        which.append(frames.setdefault(frame, len(frames)))
    started = figures[values.index(start)]
    started.save(folder / "start.svg", "svg")
    texts = [texts for _, *texts in frames]
    found = {"parts": [*parts], "frames": [made for made, *_ in frames], "texts": texts}
    written = json.dumps(found | {"which": which}, ensure_ascii=False, separators=(",", ":"))
    packed = b64encode(gzip.compress(written.encode(), mtime=0)).decode()
    (folder / "frames.js").write_text(f'olcFrames="{packed}"', encoding="utf-8")
    heat = any(map(has_heat, figures))
    drawing = "".join(found["parts"][k] for k in found["frames"][which[values.index(start)]])
    film = {"name": name, "heat": heat, "drawing": drawing, "which": which, "texts": texts}
    film["right"] = svg.right(started)
    cache.write(folder, about(started) | film)


def drawn(function: Callable, values: dict, first: Figure) -> Figure:
    """Return the figure for these values; if it refuses them, a picture of the reason."""
    try:
        return function(**values)
    except ValueError as error:
        with styled():
            figure = Figure(figsize=first.get_size_inches())
            figure.caption = figure.description = f"This can't be drawn: {error}"
            figure.text(0.5, 0.5, fill(figure.caption, 60), ha="center", va="center")
        return figure


def settle(figure: Figure, places: dict) -> None:
    """Let the places of the axes shrink until the labels of this figure fit, too."""
    engine, known = figure.get_layout_engine(), places.get(figure.shape)
    if known:
        move(figure, places)
        if crowded(figure) <= known["crowded"]:
            return
        figure.set_layout_engine(engine)
        for ax in figure.axes:
            ax.set_in_layout(True)  # what was moved by hand is not laid out
    with styled():
        figure.lay_out()
    own = figure.places()
    if known:
        known["axes"] = [Bbox.intersection(*pair) for pair in zip(known["axes"], own, strict=True)]
    else:
        places[figure.shape] = {"axes": own, "crowded": crowded(figure)}


def move(figure: Figure, places: dict) -> None:
    """Move the axes of a figure where all figures of its shape have them."""
    figure.set_layout_engine("none")
    for ax, place in zip(figure.axes, places[figure.shape]["axes"], strict=True):
        ax.set_position(place)


def pad(figure: Figure, size: np.ndarray) -> None:
    """Make a figure larger; its axes keep their size and place, seen from its upper left corner."""
    share = figure.get_size_inches() / size
    for ax in figure.axes:
        (x0, y0), (x1, y1) = ax.get_position(original=True).get_points() * share
        lift = 1 - share[1]
        ax.set_position(Bbox.from_extents(x0, y0 + lift, x1, y1 + lift))
    figure.set_size_inches(size)


def crowded(figure: Figure) -> int:
    """Return how many axes run out of the figure with their labels, or into other axes."""
    with styled():
        boxes = [ax.get_tightbbox() for ax in figure.axes]
    paper = figure.bbox.padded(-MARGIN)
    out = [b for b in boxes if min(b.min - paper.min) < 0 or min(paper.max - b.max) < 0]
    return len(out) + sum(one.overlaps(other) for one, other in combinations(boxes, 2))
