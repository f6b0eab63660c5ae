"""Run the code cells of a lecture again and keep what they show: pictures as SVG, the frames of the
explorers as WebP, and a manifest that says what is where.

    from replay import replay
    manifest = replay(Path("notebooks/02_weighted_majority.ipynb"), out=Path("site"), jobs=2)

`explorers.csv` names the values that each explorer has on the page. What was drawn stays in
`.site-cache`, under a hash of the code and the values that made it.
"""

import csv
import hashlib
import io
import json
import math
import multiprocessing
import os
import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import product
from pathlib import Path
from textwrap import fill
from threading import Lock

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CACHE = ROOT / ".site-cache"
GRIDS = HERE / "explorers.csv"
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "TZ": "UTC"}
CHUNK = 24  # frames drawn by one process
MOST = 120  # frames of an explorer
Progress = Callable[[int, int], None]  # steps done so far, steps of this lecture


def replay(
    notebook: Path, out: Path, jobs: int = 2, frames: bool = True, progress: Progress | None = None
) -> dict:
    """Return {cell id: [what it shows, …]} of a lecture, with the files written below `out`.

    Threads may replay several lectures at once: they share the `jobs` processes of the first call.
    """
    lecture = notebook.name[:2]
    grids = grids_of(lecture) if frames else {}
    done, total = 0, 1 + sum(math.prod(map(len, grid.values())) for grid in grids.values())

    def step(count: int) -> None:
        nonlocal done
        done += count
        if progress:
            progress(min(done, total), total)

    cells = code_cells(notebook)
    kept = CACHE / "pictures" / digest(package(), cells)
    if not (kept / "manifest.json").exists():
        kept.mkdir(parents=True, exist_ok=True)
        pool(jobs).submit(run, cells, str(notebook.resolve()), str(kept)).result()
    step(1)
    manifest = json.loads((kept / "manifest.json").read_text(encoding="utf-8"))
    for cell, entries in manifest.items():
        for number, entry in enumerate(entries, 1):
            name = cell if number == 1 else f"{cell}-{number}"
            file = Path("pictures", lecture, f"{name}.svg")
            place(kept / entry["svg"], out / file)
            entry["svg"] = file.as_posix()
            if entry["kind"] == "explorer" and frames:
                folder = Path("frames", lecture, name)
                film = filmed(entry, grids.get(cell, {}), jobs, step)
                for picture in film.pop("folder").glob("*.webp"):
                    place(picture, out / folder / picture.name)
                entry |= film | {"frames": folder.as_posix() + "/"}
    return manifest


def filmed(entry: dict, grid: dict, jobs: int, step: Callable[[int], None]) -> dict:
    """Return the controls that an explorer has on the page, which frame belongs to which of their
    combinations, the texts of the frames, and the folder in the cache that has the pictures.
    """
    shown = [control | on_page(control, grid[control["name"]]) for control in entry["controls"]
             if control["name"] in grid]  # fmt: skip
    start = {control["name"]: control["values"][control["start"]] for control in entry["controls"]}
    names = [control["name"] for control in shown]
    combinations = [
        start | dict(zip(names, values, strict=True))
        for values in product(*(control["values"] for control in shown))
    ]
    kept = CACHE / "frames" / digest(package(), entry["name"], start, combinations)
    if not (kept / "film.json").exists():
        kept.mkdir(parents=True, exist_ok=True)
        chunks = [combinations[i : i + CHUNK] for i in range(0, len(combinations), CHUNK)]
        tasks = [pool(jobs).submit(draw, entry["name"], start, chunk) for chunk in chunks]
        numbers, which = {}, []
        for chunk, task in zip(chunks, tasks, strict=True):
            for frame in task.result():
                if frame not in numbers:
                    (kept / f"{len(numbers)}.webp").write_bytes(frame[0])
                which.append(numbers.setdefault(frame, len(numbers)))
            step(len(chunk))
        film = {
            "which": which,
            "texts": [texts for _, *texts, _ in numbers],
            "heat": any(heat for *_, heat in numbers),
        }
        write(kept / "film.json", film)
    else:
        step(len(combinations))
    return json.loads((kept / "film.json").read_text(encoding="utf-8")) | {
        "controls": shown,
        "folder": kept,
    }


def on_page(control: dict, wanted: list[str]) -> dict:
    """Return values, labels and start of a control with only the values that the table wants."""
    known = dict(zip(control["labels"], control["values"], strict=True))
    labels = [*known] if wanted == ["*"] else wanted
    missing = [label for label in labels if label not in known]
    if missing:
        raise ValueError(f"{control['name']} can't be {missing[0]}; it can be {', '.join(known)}")
    start = control["labels"][control["start"]]
    if start not in labels:
        raise ValueError(f"{control['name']} starts at {start}, which is not in the table")
    values = [known[label] for label in labels]
    return {"values": values, "labels": labels, "start": labels.index(start)}


@cache
def table() -> dict:
    """Return {(lecture, cell id): {control: its values as texts}} of explorers.csv."""
    grids = {}
    with GRIDS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            values = row["values"].split(";" if ";" in row["values"] else None)
            grid = grids.setdefault((row["lecture"], row["cell"]), {})
            grid[row["control"]] = [value.strip() for value in values]
    return grids


def grids_of(lecture: str) -> dict:
    """Return {cell id: {control: its values as texts}} of a lecture."""
    return {cell: grid for (number, cell), grid in table().items() if number == lecture}


def code_cells(notebook: Path) -> list[tuple[str, str]]:
    """Return (id, source) of the code cells of a notebook."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [(cell["id"], "".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]


# What the pictures depend on, and where they are kept


def digest(*values) -> str:
    """Return a short hash of values that JSON can write."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:20]


@cache
def package() -> str:
    """Return a hash of all code that draws: the package, this file, and the libraries."""
    import matplotlib
    import numpy
    import PIL

    files = [*sorted((ROOT / "olc_helpers").rglob("*.py")), Path(__file__)]
    versions = [matplotlib.__version__, numpy.__version__, PIL.__version__, sys.version]
    return digest(versions, [(file.name, file.read_text(encoding="utf-8")) for file in files])


def place(source: Path, target: Path) -> None:
    """Copy a file, unless the same is there already."""
    if not target.exists() or target.read_bytes() != source.read_bytes():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def write(file: Path, value: dict) -> None:
    """Write JSON at once, so that a broken run leaves no half of it."""
    part = file.with_suffix(".part")
    part.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    part.replace(file)


# What the processes do


POOLS, LOCK = {}, Lock()


def pool(jobs: int) -> ProcessPoolExecutor:
    """Return the processes of this run: each task gets a fresh one, forked from a process that has
    imported the package and done nothing else.
    """
    with LOCK:
        if not POOLS:
            os.environ |= ENVIRONMENT
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(["olc_helpers.exploring", "IPython", "PIL.Image"])
            POOLS[jobs] = ProcessPoolExecutor(jobs, context, max_tasks_per_child=1)
        return next(iter(POOLS.values()))


def run(cells: list[tuple[str, str]], notebook: str, folder: str) -> None:
    """Run the cells as a kernel would, and write the pictures and the manifest of what they show
    into a folder.
    """
    from IPython.core.interactiveshell import InteractiveShell

    from olc_helpers.exploring import Explorer
    from olc_helpers.figure import Figure

    os.chdir(Path(notebook).parent)
    manifest, shown = {}, []
    Figure._ipython_display_ = Explorer._ipython_display_ = lambda self: shown.append(self)
    shell = InteractiveShell.instance(colors="nocolor", history_length=0)
    for cell, source in cells:
        sys.stdout = io.StringIO()
        result = shell.run_cell(source)
        text, sys.stdout = sys.stdout.getvalue(), sys.__stdout__
        if not result.success:
            raise RuntimeError(f"cell {cell} of {notebook} fails:\n{text}")
        for number, thing in enumerate(shown):
            entry = described(thing)
            entry["svg"] = f"{cell}-{number}.svg"
            entry.pop("figure").save(Path(folder, entry["svg"]), "svg")
            manifest.setdefault(cell, []).append(entry)
        shown.clear()
    write(Path(folder, "manifest.json"), manifest)


def described(thing) -> dict:
    """Return what the manifest says about a figure, an explorer or a game, with its figure."""
    from olc_helpers.figure import Figure

    kind = "figure"
    more = {}
    if not isinstance(thing, Figure):
        kind = "explorer" if thing._letters is None else "game"
        more = {"controls": [choices(*item) for item in thing._controls.items()]}
        if kind == "game":
            more |= {"buttons": thing._letters, "moves": thing._moves}
        thing = thing._figure()
    width, height = (round(inches * thing.dpi) for inches in thing.get_size_inches())
    return {
        "kind": kind,
        "name": thing.name,
        "width": width,
        "height": height,
        "heat": has_heat(thing),
        "caption": thing.caption,
        "description": thing.description,
        "figure": thing,
    } | more


def choices(name: str, widget) -> dict:
    """Return all that a control can be, and where it starts."""
    if hasattr(widget, "options"):
        kind, values = "menu", list(widget.options)
        labels = [str(value) for value in values]
    elif hasattr(widget, "step"):
        kind, steps = "range", round((widget.max - widget.min) / widget.step)
        whole = isinstance(widget.value, int)
        values = [widget.min + i * widget.step for i in range(steps + 1)]
        values = values if whole else [round(value, 10) for value in values]
        labels = [f"{value:g}" for value in values]
    else:
        kind, values, labels = "check", [False, True], ["no", "yes"]
    start = min(range(len(values)), key=lambda i: abs(values[i] - widget.value)) \
        if kind == "range" else values.index(widget.value)  # fmt: skip
    return {"name": name, "type": kind, "values": values, "labels": labels, "start": start}


def has_heat(figure) -> bool:
    """Whether brightness has a meaning in a figure: in an image, a mesh, colours from a scale."""
    return any(
        ax.images or any(part.get_array() is not None for part in ax.collections)
        for ax in figure.axes
    )


def draw(name: str, start: dict, combinations: list[dict]) -> list[tuple]:
    """Return (WebP, caption, description, heat) of each combination of values of a figure."""
    from olc_helpers.figures import load

    function = load()[name]
    first = function(**start)
    first.lay_out()
    return [frame(function, first, values) for values in combinations]


def frame(function: Callable, first, values: dict) -> tuple:
    """Return (WebP, caption, description, heat) of a figure with its axes where the first one has
    them, if everything fits there; what it refuses becomes a picture of the reason.
    """
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    from olc_helpers.figure import styled

    try:
        figure = function(**values)
        texts = figure.caption, figure.description
    except ValueError as error:
        figure = type(first)(figsize=first.get_size_inches(), dpi=first.dpi)
        texts = (f"This can't be drawn: {error}",) * 2
        figure.text(0.5, 0.5, fill(texts[0], 60), ha="center", va="center", fontsize=12)
    canvas = FigureCanvasAgg(figure)
    with styled():
        if figure.shape == first.shape and figure.axes:
            engine = figure.get_layout_engine()
            figure.set_layout_engine("none")
            for ax, position in zip(figure.axes, first.places(), strict=True):
                ax.set_position(position)
            if not fits(figure):
                figure.set_layout_engine(engine)
        figure.lay_out()
        canvas.draw()
    file = io.BytesIO()
    pixels = np.asarray(canvas.buffer_rgba())[:, :, :3]
    Image.fromarray(pixels).save(file, "webp", lossless=True, quality=50, method=2)
    return file.getvalue(), *texts, has_heat(figure)


def fits(figure) -> bool:
    """Whether nothing of a figure runs out of it."""
    box = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    return box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height
