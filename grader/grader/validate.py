"""Run the visible checks of one notebook, as its student does: without a sandbox."""

import asyncio
import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from .examine import UNWRITTEN

STUB = re.compile(r"raise NotImplementedError|YOUR ANSWER HERE")
MARKS = {"right": "✓", "wrong": "✗", "not done": "·", "for your teacher": "?"}


async def execute(path: Path) -> nbformat.NotebookNode:
    """Return the notebook executed from top to bottom; a cell that fails does not stop the
    others.
    """
    nb = nbformat.read(path, 4)
    await NotebookClient(
        nb,
        timeout=60,
        kernel_name="python3",
        allow_errors=True,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    ).async_execute()
    return nb


def verdict(cell, error) -> str:
    """Return what is to be said of an executed cell that gives points, as a key of MARKS."""
    if cell.metadata.nbgrader.get("solution"):
        if STUB.search(cell.source):
            return "not done"
        return "wrong" if error else "for your teacher"
    if error is None:
        return "right"
    return "not done" if error.ename in UNWRITTEN else "wrong"


def questions(nb: nbformat.NotebookNode) -> list[tuple[str, float, str, str]]:
    """Return (id, points, verdict, details) of each graded cell."""
    found = []
    for cell in nb.cells:
        mark = cell.metadata.get("nbgrader", {})
        if not mark.get("grade"):
            continue
        outputs = cell.get("outputs", [])
        error = next((output for output in outputs if output.output_type == "error"), None)
        said, details = verdict(cell, error), []
        if said == "wrong":
            shown = [output.data.get("text/plain", "") for output in outputs if "data" in output]
            details = [f"{error.ename}: {error.evalue}", *shown]
        found.append((mark["grade_id"], mark["points"], said, "\n".join(details)))
    return found


def validate(path: Path) -> int:
    """Return 0 if no check of the notebook fails; print what each one says."""
    if not path.is_file():
        sys.exit(f"there is no notebook {path}; make -C grader validate NB=path/to.ipynb")
    found = questions(asyncio.run(execute(path)))
    for name, points, said, details in found:
        print(f"{MARKS[said]} {name:24} {points:3g} points   {said}")
        for line in details.splitlines():
            print(f"    {line}")
    verdicts = [said for _, _, said, _ in found]
    print(", ".join(f"{verdicts.count(kind)} {kind}" for kind in MARKS))
    return int("wrong" in verdicts or "not done" in verdicts)
