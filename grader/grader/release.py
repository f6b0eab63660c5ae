"""Write the student versions of the assignments, and zip files with what they need to run."""

import sys
import zipfile
from pathlib import Path

import nbformat

from .classroom import Classroom

# What Binder and pip need, besides the package.
ENVIRONMENT = ("binder/*", "pyproject.toml", "LICENSE*")
README = """# {name}

- Start: `python3 -m venv .venv`, `.venv/bin/pip install -r binder/requirements.txt .`,
  `.venv/bin/jupyter lab {name}/{name}.ipynb`.
- Check: run the cells below your answers; they say what is wrong. Before you hand in,
  *Restart Kernel and Run All Cells*.
- Hand in: `{name}.ipynb` under this name, and files that it reads.
  Leave the check cells as they are.
"""
SECRET = """The course folder holds the solutions and the hidden tests in {source}.
Give students the zip files, and keep the repository private, or publish a copy of it
without {source}."""
START = (1980, 1, 1, 0, 0, 0)  # the time of everything in a zip: the same bytes every time


def release(root: Path, names: list[str]) -> int:
    """Return 0 after writing release/NAME/ and release/NAME.zip for each assignment, or 1 if
    nbgrader refuses one.
    """
    from nbgrader.apps import NbGraderAPI

    classroom, failed = Classroom(root), 0
    classroom.require(*names)
    nbgrader = NbGraderAPI(classroom.folders, config=classroom.config)
    for name in names or classroom.assignments:
        result = nbgrader.generate_assignment(name, force=True, create=True)
        if result["success"]:
            print(described(classroom, name), flush=True)
        else:
            why = result.get("error") or result.get("log")
            print(f"{name}  FAILED\n{why}", file=sys.stderr, flush=True)
            failed = 1
    secret = SECRET.format(source=classroom.folders.source_directory)
    print(secret, file=sys.stderr, flush=True)
    return failed


def described(classroom: Classroom, name: str) -> str:
    """Return what is in the release of an assignment, after packing it."""
    folder = classroom.root / "release" / name
    cells = [cell for path in folder.glob("*.ipynb") for cell in nbformat.read(path, 4).cells]
    marks = [cell.metadata.get("nbgrader", {}) for cell in cells]
    points = sum(mark["points"] for mark in marks if mark.get("grade"))
    size = pack(classroom, folder) / 1024
    return f"{name}  {len(cells)} cells, {points:g} points  release/{name}.zip {size:.0f} kB"


def pack(classroom: Classroom, folder: Path) -> int:
    """Return the size of the zip of a released folder with the environment."""
    root, code = classroom.root, f"{classroom.config.Grader.package}/**/*.py"
    files = {path.relative_to(folder.parent): path for path in folder.rglob("*")}
    for pattern in (*ENVIRONMENT, code):
        files |= {path.relative_to(root): path for path in root.glob(pattern)}
    target = folder.with_name(folder.name + ".zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        start = zipfile.ZipInfo("README.md", START)
        archive.writestr(start, README.format(name=folder.name), zipfile.ZIP_DEFLATED)
        for name, path in sorted(files.items()):
            if path.is_file():
                entry = zipfile.ZipInfo(name.as_posix(), START)
                entry.external_attr = (path.stat().st_mode & 0o777) << 16
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return target.stat().st_size
