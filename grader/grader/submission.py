"""What a student handed in, as it lies in its folder."""

import contextlib
import hashlib
import json
import os
from pathlib import Path

import nbformat

from .classroom import is_meant, plain

LARGEST = 20 * 2**20  # bytes of a submission


class Unreadable(Exception):
    """Why a submission is no notebook, and in a word: "no notebook" or "unreadable"."""


def read(folder: Path, name: str) -> tuple[nbformat.NotebookNode, dict[str, bytes], list[str]]:
    """Return the notebook of a submission, its other files, and the names of those that cannot be
    read.

    A link is no file: it may lead to somebody else's.
    """
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    path = notebook(files, folder / f"{name}.ipynb")
    if sum(each.stat().st_size for each in files) > LARGEST:
        raise Unreadable("unreadable", f"the submission is larger than {LARGEST // 2**20} MB")
    nb, others = parse(path), [each for each in files if each != path]
    readable = [other for other in others if os.access(other, os.R_OK)]
    return (
        nb,
        {str(other.relative_to(folder)): other.read_bytes() for other in readable},
        [plain(other.name) for other in others if other not in readable],
    )


def notebook(files: list[Path], path: Path) -> Path:
    """Return the notebook among the files: the one of this path, or the only one that means it."""
    if path in files:
        return path
    notebooks = [other for other in files if other.suffix.lower() == ".ipynb"]
    meant = [other for other in notebooks if is_meant(other.stem, path.stem)]
    if len(meant) != 1:
        there = ", ".join(other.name for other in files)[:300] or "nothing"
        raise Unreadable("no notebook", f"there is no file {path.name}; there is {there}")
    return meant[0]


def parse(path: Path) -> nbformat.NotebookNode:
    """Return the notebook in a file, whose cells are cells."""
    try:
        nb = nbformat.reads(path.read_text(encoding="utf-8"), 4)
        for cell in nb.cells:
            known = cell.cell_type in ("code", "markdown", "raw")
            if not known or not isinstance(cell.metadata, dict):
                raise ValueError("a cell is none")
            cell.source = cell.source if isinstance(cell.source, str) else "".join(cell.source)
    except Exception as error:
        words = f"{path.name} is not a notebook: {type(error).__name__}: {error}"
        raise Unreadable("unreadable", words[:300]) from None
    return nb


def digest(folder: Path, pattern: str, *rest) -> str:
    """Return a fingerprint of the files of a folder, and of the rest."""
    found = hashlib.sha256(json.dumps(rest).encode())
    for path in sorted(folder.rglob(pattern)):
        if path.is_file() and not path.is_symlink():
            size = path.stat().st_size  # of what is too large to be graded, the size is enough
            found.update(os.fsencode(path.relative_to(folder)) + f"\0{size}\0".encode())
            with contextlib.suppress(OSError):  # what nobody can read
                found.update(path.read_bytes() if size <= LARGEST else b"")
    return found.hexdigest()
