"""Each section of a lecture can be run alone, after the imports cell: a reader may jump.

    python tools/sections.py                        names that a section takes from another one
    python tools/sections.py notebooks/05*.ipynb    these lectures alone
    python tools/sections.py --run                  execute each section alone

A section is a `##` heading and what follows; the imports cell is the first code cell. Without --run
nothing is executed: ruff looks for names that nobody has defined where they are used.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from bisect import bisect
from itertools import accumulate
from pathlib import Path

from execute import CELL_TIMEOUT, ENVIRONMENT
from nbclient import NotebookClient
from nbformat import v4
from parts import LECTURES, Section, in_parts, load, of_lectures, to_do

RESET = "%reset -f"  # IPython forgets all names


def alone(parts: list[Section]) -> tuple[str, list[tuple[str, list[tuple[int, str]]]]]:
    """Return the imports cell, and for each section with other code its title and its code cells as
    (number of the cell, source).
    """
    cells = [
        (each.title, [(number, "".join(cell["source"])) for number, cell in each.code])
        for each in parts
        if each.code
    ]
    (_, imports), *opening = cells[0][1]
    return imports, [part for part in [("opening", opening), *cells[1:]] if part[1]]


def borrowed(parts: list[Section]) -> list[str]:
    """Return the names that a section uses and does not define before, with section and cell."""
    imports, by_section = alone(parts)
    with tempfile.TemporaryDirectory() as folder:
        for index, (_, cells) in enumerate(by_section):
            text = "\n".join([imports, *(source for _, source in cells)]) + "\n"
            Path(folder, f"{index}.py").write_text(text, encoding="utf-8")
        command = "check --isolated --no-cache --select F821 --output-format json".split()
        display = ["--config", 'builtins = ["display", "get_ipython"]']
        out = subprocess.run(
            [sys.executable, "-m", "ruff", *command, *display, folder],
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        if out.returncode not in (0, 1):
            raise RuntimeError(out.stderr)
    found = {}
    for each in json.loads(out.stdout):
        title, cells = by_section[int(Path(each["filename"]).stem)]
        ends = accumulate(source.count("\n") + 1 for source in [imports, *(s for _, s in cells)])
        where = bisect(list(ends), each["location"]["row"] - 1) - 1
        found[cells[where][0], title, each["message"]] = None
    return [f"{title!r}, cell {cell}: {message}" for cell, title, message in sorted(found)]


async def run(path: Path) -> list[str]:
    """Return what goes wrong when each section is executed alone, by a kernel that forgets."""
    imports, by_section = alone(in_parts(load(path)))
    nb, where = v4.new_notebook(), []
    for title, cells in by_section:
        for number, source in [("reset", RESET), ("imports", imports), *cells]:
            nb.cells.append(v4.new_code_cell(source))
            where.append(f"{title!r}, cell {number}")
    await NotebookClient(
        nb,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        allow_errors=True,
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    ).async_execute(env=os.environ | ENVIRONMENT)
    return [
        f"{place}: {output.ename}: {output.evalue}"
        for place, cell in zip(where, nb.cells, strict=True)
        for output in cell.outputs
        if output.output_type == "error"
    ]


def main(paths: list[Path], execute: bool) -> int:
    """Return the exit code: 1 if a section can't be run alone."""
    return to_do(
        paths, lambda path: asyncio.run(run(path)) if execute else borrowed(in_parts(load(path)))
    )


if __name__ == "__main__":
    parser = of_lectures(__doc__)
    parser.add_argument("--run", action="store_true", help="execute the sections")
    options = parser.parse_args()
    sys.exit(main(options.lectures or LECTURES, options.run))
