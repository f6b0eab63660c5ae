"""Execute notebooks in place, to the same bytes every time.

    python tools/execute.py notebooks/*.ipynb

Text is the same on every machine. A picture may differ by a few grey levels in a few pixels where
another processor rounds otherwise: the stored one is kept as long as no pixel is further away than
TOLERANCE. `pytest --nbval notebooks` compares without writing.
"""

import argparse
import ast
import asyncio
import io
import os
import re
import sys
import time
from base64 import b64decode
from functools import lru_cache
from pathlib import Path

import nbformat
import numpy as np
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from PIL import Image

CELL_TIMEOUT = 120
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "TZ": "UTC"}
# Levels of 255 that a colour of a pixel may differ: nobody sees it, and every moved line is more.
TOLERANCE = 8
KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "pygments_lexer": "ipython3",
}
WIDGETS = "application/vnd.jupyter.widget-state+json"
PICTURE = re.compile(r"iVBORw0KGgo[\w+/]*=*")  # a PNG in base64


def canonical(nb: nbformat.NotebookNode) -> str:
    """The text of a notebook without what differs from machine to machine: kernel, timing, random
    widget ids.
    """
    widgets = nb.metadata.get("widgets", {})
    nb.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": LANGUAGE})
    if widgets:
        nb.metadata["widgets"] = widgets
    for cell in nb.cells:
        for key in ("execution", "trusted", "collapsed"):
            cell.metadata.pop(key, None)
    text = nbformat.writes(nb)
    number = {
        model: f"{i:032x}" for i, model in enumerate(widgets.get(WIDGETS, {}).get("state", {}), 1)
    }
    if number:
        text = re.sub("|".join(number), lambda found: number[found[0]], text)
        text = nbformat.writes(nbformat.reads(text, 4))
    return text.rstrip("\n") + "\n"


def is_plumbing(source: str) -> bool:
    """Whether a cell only imports something, or asks for a picture or an answer."""
    body = ast.parse(source).body
    calls = r"(explore|game|ask|guess|figures\.\w+)\("
    return all(
        isinstance(line, ast.Import | ast.ImportFrom)
        or (isinstance(line, ast.Expr) and re.match(calls, ast.unparse(line)))
        for line in body
    )


def fold(nb: nbformat.NotebookNode) -> None:
    """Fold the plumbing of a lecture, and the outputs that answer a question, up to the next text:
    its reader answers first.
    """
    asked = told = False
    for cell in nb.cells:
        if cell.cell_type != "code":
            asked = asked and not told and not re.match("##? ", cell.source)
            continue
        jupyter = cell.metadata.pop("jupyter", {})
        jupyter.pop("outputs_hidden", None)
        question = cell.source.startswith(("ask(", "guess("))
        if is_plumbing(cell.source):
            jupyter["source_hidden"] = True
        if asked and cell.outputs and not question:
            jupyter["outputs_hidden"] = told = True
        if jupyter:
            cell.metadata["jupyter"] = jupyter
        if question:
            asked, told = True, False


async def execute(path: Path) -> str:
    """The canonical text of the notebook at `path`, executed from top to bottom in its own
    directory.
    """
    nb = nbformat.read(path, 4)
    nb.metadata.pop("widgets", None)
    await NotebookClient(
        nb,
        kernel_name="python3",
        timeout=CELL_TIMEOUT,
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    ).async_execute(cleanup_kc=True, env=os.environ | ENVIRONMENT)
    if not any("nbgrader" in cell.metadata for cell in nb.cells):  # a lecture
        fold(nb)
    return canonical(nb)


@lru_cache(maxsize=200)
def pixels(picture: str) -> np.ndarray:
    """The pixels of a PNG in base64: rows, columns, red-green-blue-alpha."""
    return np.array(Image.open(io.BytesIO(b64decode(picture))).convert("RGBA")).astype(np.int16)


def apart(one: str, other: str) -> int:
    """The largest difference of two PNGs in one colour of one pixel, 0 … 255; 256 if their sizes
    differ.
    """
    if one == other:
        return 0
    a, b = pixels(one), pixels(other)
    return int(np.abs(a - b).max()) if a.shape == b.shape else 256


def settled(text: str, stored: str) -> str:
    """The text of an executed notebook, with each picture that looks like a stored one replaced by
    that one.
    """
    known = dict.fromkeys(PICTURE.findall(stored))

    def keep(found):
        if found[0] in known:
            return found[0]
        return next((old for old in known if apart(old, found[0]) <= TOLERANCE), found[0])

    return PICTURE.sub(keep, text)


async def main(paths: list[Path], jobs: int) -> int:
    """The exit code: 1 if a notebook failed."""
    places = asyncio.Semaphore(jobs)

    async def one(path: Path) -> bool:
        async with places:
            start = time.perf_counter()
            try:
                text = await execute(path)
            except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
                print(f"{path}  FAILED\n{error}", file=sys.stderr, flush=True)
                return False
        stored = path.read_text(encoding="utf-8")
        text = settled(text, stored)
        if text != stored:
            path.write_text(text, encoding="utf-8", newline="\n")
        verdict = "unchanged" if text == stored else "written"
        print(f"{path}  {time.perf_counter() - start:.1f} s  {verdict}", flush=True)
        return True

    return 0 if all(await asyncio.gather(*map(one, paths))) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--jobs", type=int, default=2, help="notebooks executed at the same time")
    options = parser.parse_args()
    sys.exit(asyncio.run(main(options.notebooks, options.jobs)))
