"""Run the code cells of a lecture again and keep what they show: pictures as SVG, the frames of the
explorers as WebP, and a manifest that says what is where.

    from replay import replay
    manifest = replay(Path("notebooks/02_weighted_majority.ipynb"), out=Path("site"), jobs=2)

`explorers.csv` names the values that each explorer has on the page; a control that is not in the
table stays where it starts. What was drawn is kept in `.site-cache`, under a hash of the code and
the values that made it.
"""

import csv
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from importlib.metadata import version
from itertools import product
from pathlib import Path
from threading import Lock, local

import kept
import sources
from kept import HERE, digest, place, use

ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "TZ": "UTC"}
MOST = 120  # frames of an explorer
POOLS, LOCK, THREAD = [], Lock(), local()


def replay(
    notebook: Path,
    out: Path,
    jobs: int = 2,
    frames: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> dict:
    """Return {cell id: [what it shows, …]} of a lecture, with the files written below `out`;
    `progress` is told how many steps of how many are done: the run is one, each frame is one.

    Threads may replay several lectures at once: they share the `jobs` processes of the first call.
    """
    lecture, cells = notebook.name[:2], code_cells(notebook)
    progress = progress or (lambda done, total: None)
    code = drawing_code("\n".join(source for _, source in cells))
    pictures = kept.CACHE / "pictures" / digest(code, cells)
    task("run", pictures, jobs, cells, str(notebook.resolve())).result()
    manifest, films = read(use(pictures)), []
    for cell, entries in manifest.items():
        for number, entry in enumerate(entries, 1):
            name = cell if number == 1 else f"{cell}-{number}"
            drawn, entry["svg"] = pictures / entry["svg"], f"pictures/{lecture}/{name}.svg"
            if entry["kind"] != "explorer" or not frames:
                place(drawn, out / entry["svg"])
            else:
                entry["frames"] = f"frames/{lecture}/{name}/"
                films.append((entry, *filmed(entry, table().get((lecture, cell), {}), jobs)))
    done, total = 1, 1 + sum(frames_of(entry) for entry, *_ in films)
    for entry, film, drawing in films:
        progress(done, total)
        drawing.result()
        entry |= read(use(film))
        place(film / "start.svg", out / entry["svg"])
        names = [f"{number}.webp" for number in range(len(entry["texts"]))]
        for old in (out / entry["frames"]).glob("*.webp"):
            if old.name not in names:
                old.unlink()
        for name in names:
            place(film / name, out / entry["frames"] / name)
        done += frames_of(entry)
    progress(done, total)
    return manifest


def filmed(entry: dict, grid: dict, jobs: int) -> tuple[Path, Future]:
    """Leave the controls of an explorer with the values that they have on the page, and return the
    folder that will have its frames, and when.
    """
    entry["controls"], start, values = on_page(entry, grid)
    code = drawing_code(f"from olc_helpers import figures\nfigures.{entry['name']}")
    film = kept.CACHE / "frames" / digest(code, entry["name"], start, values)
    return film, task("film", film, jobs, entry["name"], start, values)


def frames_of(entry: dict) -> int:
    """Return how many combinations the controls of an explorer have on the page."""
    return math.prod(len(control["values"]) for control in entry["controls"])


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
    with (HERE / "explorers.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            grid = grids.setdefault((row["lecture"], row["cell"]), {})
            grid[row["control"]] = row["values"].split()
    return grids


def code_cells(notebook: Path) -> list[tuple[str, str]]:
    """Return (id, source) of the code cells of a notebook."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return [(cell["id"], "".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]


@cache
def drawing_code(code: str | None = None) -> str:
    """Return a hash of all that the pictures of a notebook's code depend on: the files of the
    package that it needs, or all of them, `filming`, and the libraries.
    """
    files = sources.needed(code) if code else sorted(sources.PACKAGE.rglob("*.py"))
    texts = [file.read_text(encoding="utf-8") for file in (*files, HERE / "filming.py")]
    libraries = map(version, ("numpy", "matplotlib", "pillow", "scikit-learn"))
    return digest(sys.version, *libraries, texts)


def read(folder: Path) -> dict:
    """Return what a task wrote about its pictures."""
    return json.loads((folder / "done.json").read_text(encoding="utf-8"))


def write(file: Path, found: dict) -> None:
    """Write what was found as JSON, at once: a run that is stopped leaves no half of it."""
    part = file.with_suffix(".part")
    part.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    part.replace(file)


def task(name: str, folder: Path, jobs: int, *arguments) -> Future:
    """Return the future of a function of `filming` that draws into a folder of the cache; it is
    there already if the folder has its last file.
    """
    with LOCK:
        if not POOLS:
            POOLS.append(ThreadPoolExecutor(jobs))
        return POOLS[0].submit(finish, name, folder, arguments)


def worker() -> subprocess.Popen:
    """Return the process of this thread, which has imported the libraries and forks for each
    task.
    """
    if not hasattr(THREAD, "worker"):
        THREAD.worker = subprocess.Popen(
            [sys.executable, HERE / "filming.py"],
            env=os.environ | ENVIRONMENT | {"IPYTHONDIR": str(kept.CACHE / "ipython")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
    return THREAD.worker


def finish(name: str, folder: Path, arguments: tuple) -> None:
    """Let the worker of this thread do a task, unless it was done before."""
    if (folder / "done.json").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    print(json.dumps([name, str(folder), *arguments]), file=worker().stdin, flush=True)
    if worker().stdout.readline().strip() != "0":
        raise RuntimeError("a picture of the site could not be drawn; the reason is above")
