"""Execute notebooks in place, to the same bytes every time.

    python tools/execute.py notebooks/*.ipynb            write the executed notebooks
    python tools/execute.py --check notebooks/*.ipynb    write nothing, exit 1 and name those that would change
"""

import argparse
import asyncio
import os
import re
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

CELL_TIMEOUT = 120
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "TZ": "UTC"}
KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {"file_extension": ".py", "mimetype": "text/x-python", "name": "python", "pygments_lexer": "ipython3"}
WIDGETS = "application/vnd.jupyter.widget-state+json"


def canonical(nb: nbformat.NotebookNode) -> str:
    """The text of a notebook without what differs from machine to machine: kernel, timing, random widget ids."""
    widgets = nb.metadata.get("widgets", {})
    nb.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": LANGUAGE})
    if widgets:
        nb.metadata["widgets"] = widgets
    for cell in nb.cells:
        for key in ("execution", "trusted", "collapsed"):
            cell.metadata.pop(key, None)
    text = nbformat.writes(nb)
    number = {model: f"{i:032x}" for i, model in enumerate(widgets.get(WIDGETS, {}).get("state", {}), 1)}
    if number:
        text = re.sub("|".join(number), lambda found: number[found[0]], text)
        text = nbformat.writes(nbformat.reads(text, 4))
    return text.rstrip("\n") + "\n"


async def execute(path: Path) -> str:
    """The canonical text of the notebook at `path`, executed from top to bottom in its own directory."""
    nb = nbformat.read(path, 4)
    nb.metadata.pop("widgets", None)
    await NotebookClient(
        nb,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    ).async_execute(env=os.environ | ENVIRONMENT)
    return canonical(nb)


async def main(paths: list[Path], check: bool, jobs: int) -> int:
    """The exit code: 1 if a notebook failed or (with `check`) would change."""
    places = asyncio.Semaphore(jobs)

    async def one(path: Path) -> bool:
        async with places:
            start = time.perf_counter()
            try:
                text = await execute(path)
            except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
                print(f"{path}  FAILED\n{error}", file=sys.stderr, flush=True)
                return False
        changed = text != path.read_text(encoding="utf-8")
        if changed and not check:
            path.write_text(text, encoding="utf-8", newline="\n")
        verdict = ("would change" if check else "written") if changed else "unchanged"
        print(f"{path}  {time.perf_counter() - start:.1f} s  {verdict}", flush=True)
        return not (changed and check)

    return 0 if all(await asyncio.gather(*map(one, paths))) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks executed at the same time")
    options = parser.parse_args()
    sys.exit(asyncio.run(main(options.notebooks, options.check, options.jobs)))
