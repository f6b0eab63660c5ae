"""A copy of the package that submissions import, without the code of what they have to write."""

import ast
import compileall
import shutil
import tempfile
from functools import cache
from pathlib import Path


@cache
def unanswered(package: Path, answers: tuple[str, ...], refuse: str) -> Path:
    """Return a copy of a package in which the answers do nothing but call `refuse`: functions and
    classes with a decorator "@name", and whole files "folder/name.py". It lives as long as this
    process.
    """
    folder = tempfile.TemporaryDirectory(prefix="unanswered-")
    COPIES.append(folder)
    copy = Path(shutil.copytree(package, Path(folder.name) / package.name))
    for path in copy.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        asked = [tree] if any(map(path.relative_to(copy).match, answers)) else []
        asked += [node for node in ast.walk(tree) if {*_decorators(node)} & {*answers}]
        for node in asked:
            for each in ast.walk(node):
                if isinstance(each, ast.FunctionDef):
                    module = refuse.rpartition(".")[0]
                    each.body = ast.parse(f"import {module}\n{refuse}()").body
        if asked:
            path.write_text(ast.unparse(tree), encoding="utf-8")
    compileall.compile_dir(copy, quiet=2)
    return copy


COPIES: list[tempfile.TemporaryDirectory] = []


def _decorators(node: ast.AST) -> list[str]:
    return [f"@{ast.unparse(each)}" for each in getattr(node, "decorator_list", [])]
