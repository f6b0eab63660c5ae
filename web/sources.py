"""Which files of the package a piece of code needs, found by reading it: what was drawn by it must
be drawn again when one of them changes, and only then.
"""

import ast
import re
from functools import cache
from pathlib import Path

import where

# What these files show, they gather from all rooms as they run.
GATHERING = {where.PACKAGE / "clinic/figures.py", where.PACKAGE / "overview/course.py"}
DEFINITION = re.compile(r"^(?:(?:def|class) (\w+)|(\w+(?:, \w+)*) = )", re.MULTILINE)


def needed(code: str) -> list[Path]:
    """Return the files of the package that a notebook's code needs, directly or through others."""
    found, waiting = set(), set(uses(code, where.ROOT))
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting.update(file.parent.glob("fast.py"))  # a room's shortcuts register themselves
            waiting |= uses(file.read_text(encoding="utf-8"), file.parent)
    return sorted(where.PACKAGE.rglob("*.py") if found & GATHERING else found)


@cache
def uses(code: str, folder: Path) -> set[Path]:
    """Return the files to which the imports of code in this folder lead. Of a face, which shows
    names of many rooms, only the files count that define the names taken from it.
    """
    tree, files, from_faces = ast.parse(code), set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            base = [folder, *folder.parents][max(node.level - 1, 0)]
            base = base.joinpath(*(node.module or "").split("."))
            for alias in node.names:
                file = module(base / alias.name) or module(base)
                if file in faces():
                    from_faces.add(alias.name)
                elif file:
                    files.add(file)
    taken = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in from_faces
    }
    return files.union(*(definitions().get(name, ()) for name in from_faces | taken))


def module(path: Path) -> Path | None:
    """Return the file of a module of the package."""
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_relative_to(where.PACKAGE) and file.is_file():
            return file
    return None


@cache
def faces() -> set[Path]:
    """Return the modules beside the rooms that take names from them."""
    rooms = "|".join(file.parent.name for file in where.PACKAGE.glob("*/__init__.py"))
    takes = re.compile(rf"^from \.({rooms})\b|import_module", re.MULTILINE)
    return {file for file in where.PACKAGE.glob("*.py") if takes.search(file.read_text("utf-8"))}


@cache
def definitions() -> dict[str, set[Path]]:
    """Return the files that define each name of the package."""
    found = {}
    for file in where.PACKAGE.rglob("*.py"):
        for one, some in DEFINITION.findall(file.read_text(encoding="utf-8")):
            for name in [one] if one else some.split(", "):
                found.setdefault(name, set()).add(file)
    return found
