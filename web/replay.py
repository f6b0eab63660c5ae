"""Run the code cells of a lecture again and keep what they show: pictures as SVG, the frames of the
explorers, and a manifest that says what is where.

    from replay import replay
    manifest = replay(lecture, out=Path("site"), jobs=2)

`explorers.csv` names the values that each explorer has on the page; a control that is not in the
table stays where it starts. What was drawn is kept in `.site-cache`, under a hash of the code and
the values that made it.
"""

import csv
import json
import os
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from importlib.metadata import version
from itertools import product
from pathlib import Path
from threading import Lock, local

import sources
import where
from cache import digest, is_complete, place, read
from lectures import Page
from tqdm import tqdm

ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "TZ": "UTC"}
MOST = 450  # frames of an explorer
LOCK, THREAD = Lock(), local()
POOLS = []  # that of the first call, which all others share
BAR = tqdm(total=0, disable=True)  # moves with each task that is done; a build has one that is seen


def replay(lecture: Page, out: Path, jobs: int = 2, frames: bool = True) -> dict:
    """Return {cell id: [what it shows, …]} of a lecture, with the files written below `out`.

    Threads may replay several lectures at once: they share the `jobs` processes of the first call.
    """
    cells = [(cell.id, cell.source) for cell in lecture.code]
    code = drawing_code("\n".join(source for _, source in cells))
    pictures = where.CACHE / "pictures" / digest(code, cells)
    manifest = task("run", pictures, jobs, cells, str(lecture.notebook.resolve())).result()
    films = []
    for cell, entries in manifest.items():
        for number, entry in enumerate(entries, 1):
            name = cell if number == 1 else f"{cell}-{number}"
            drawn = pictures / entry["svg"]
            entry["svg"] = f"pictures/{lecture.number}/{name}.svg"
            if entry["kind"] != "explorer" or not frames:
                place(drawn, out / entry["svg"])
            else:
                entry["frames"] = f"frames/{lecture.number}/{name}.js"
                films.append((entry, *filmed(entry, table().get((lecture.number, cell), {}), jobs)))
    for entry, film, drawing in films:
        entry |= drawing.result()
        place(film / "start.svg", out / entry["svg"])
        place(film / "frames.js", out / entry["frames"])
    return manifest


def filmed(entry: dict, grid: dict, jobs: int) -> tuple[Path, Future]:
    """Leave the controls of an explorer with the values that they have on the page, and return the
    folder that will have its frames, and what there will be to know about them.
    """
    entry["controls"], start, values = on_page(entry, grid)
    film = where.CACHE / "frames" / digest(figure_code(entry["name"]), entry["name"], start, values)
    return film, task("film", film, jobs, entry["name"], start, values)


def on_page(entry: dict, grid: dict) -> tuple[list[dict], dict, list[dict]]:
    """Return the controls of an explorer on the page, where all of its controls start, and all
    combinations of their values, the last control fastest.
    """
    start = {one["name"]: one["values"][one["start"]] for one in entry["controls"]}
    unknown = grid.keys() - start.keys()
    if unknown:
        raise ValueError(f"{entry['name']} has no control {min(unknown)}; see explorers.csv")
    shown = [chosen(one, grid[one["name"]]) for one in entry["controls"] if one["name"] in grid]
    names = [one["name"] for one in shown]
    values = [
        start | dict(zip(names, each, strict=True))
        for each in product(*(one["values"] for one in shown))
    ]
    if len(values) > MOST:
        raise ValueError(f"{entry['name']} has {len(values)} frames in explorers.csv, above {MOST}")
    return shown, start, values


def chosen(control: dict, wanted: list[str]) -> dict:
    """Return a control with only the values that the table wants."""
    known = dict(zip(control["labels"], control["values"], strict=True))
    labels = [*known] if wanted == ["*"] else wanted
    start = control["labels"][control["start"]]
    for label in labels:
        if label not in known:
            raise ValueError(f"{control['name']} can't be {label}; it can be {', '.join(known)}")
    if start not in labels:
        raise ValueError(f"{control['name']} starts at {start}, which explorers.csv leaves out")
    values = [known[label] for label in labels]
    return control | {"values": values, "labels": labels, "start": labels.index(start)}


@cache
def table() -> dict:
    """Return {(lecture, cell id): {control: its values as texts}} of explorers.csv."""
    grids = {}
    with (where.WEB / "explorers.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            grid = grids.setdefault((row["lecture"], row["cell"]), {})
            grid[row["control"]] = row["values"].split()
    return grids


@cache
def drawing_code(code: str | None = None) -> str:
    """Return a hash of all that the pictures of a notebook's code depend on: the files of the
    package that it needs, or all of them, what a worker does, and the libraries.
    """
    files = sources.needed(code) if code else sorted(where.PACKAGE.rglob("*.py"))
    own = [where.WEB / f"{name}.py" for name in ("filming", "pictures", "svg")]
    texts = [file.read_text(encoding="utf-8") for file in (*files, *sources.tables(), *own)]
    libraries = map(version, ("numpy", "matplotlib", "pillow", "scikit-learn"))
    return digest(sys.version, *libraries, texts)


def figure_code(name: str) -> str:
    """Return a hash of all that a figure of the course depends on."""
    return drawing_code(f"from olc_helpers import figures\nfigures.{name}")


def task(name: str, folder: Path, jobs: int, *arguments) -> Future:
    """Return the future of what a worker says about the pictures that it draws into a folder of the
    cache; they are there already if the folder is complete.
    """
    with LOCK:
        if not POOLS:
            POOLS.append(ThreadPoolExecutor(jobs))
        BAR.total += 1
        future = POOLS[0].submit(finish, name, folder, arguments)
    future.add_done_callback(lambda _: BAR.update())
    return future


def worker() -> subprocess.Popen:
    """Return the process of this thread, which has imported the libraries and forks for each
    task.
    """
    if not hasattr(THREAD, "worker"):
        THREAD.worker = subprocess.Popen(
            [sys.executable, where.WEB / "worker.py"],
            env=os.environ | ENVIRONMENT | {"IPYTHONDIR": str(where.CACHE / "ipython")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
    return THREAD.worker


def finish(name: str, folder: Path, arguments: tuple) -> dict:
    """Let the worker of this thread do a task, unless it was done before, and return what it says
    about its pictures.
    """
    if not is_complete(folder):
        folder.mkdir(parents=True, exist_ok=True)
        print(json.dumps([name, str(folder), *arguments]), file=worker().stdin, flush=True)
        if worker().stdout.readline().strip() != "0":
            raise RuntimeError("a picture of the site could not be drawn; the reason is above")
    return read(folder)
