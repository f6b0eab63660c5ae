"""What there is to read, and how far an example walks: the numbers of a house that stays thin.

`tools/weight.py` prints them as a table, `tools/weight.py play check` some of its rows.
"""

import ast
import os
import re
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from tokenize import COMMENT, DEDENT, ENDMARKER, INDENT, NEWLINE, NL, generate_tokens
from types import FrameType

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "olc_helpers"
HOUR = "losses checks protocol ledger".split()


def text(path: Path) -> str:
    """Return what a file holds."""
    return path.read_text(encoding="utf-8")


# Lines --------------------------------------------------------------------------------------------


def code_lines(path: Path) -> int:
    """Return the number of lines of a Python file without blanks, comments and docstrings."""
    passed = (COMMENT, NL, NEWLINE, INDENT, DEDENT, ENDMARKER)
    tokens = [t for t in generate_tokens(StringIO(text(path)).readline) if t.type not in passed]
    lines = {line for t in tokens for line in range(t.start[0], t.end[0] + 1)}
    for node in ast.walk(ast.parse(text(path))):
        kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(node, kinds) and ast.get_docstring(node):
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(lines)


def all_code_lines(*folders: str) -> int:
    """Return the number of code lines in all Python files of these folders."""
    return sum(code_lines(path) for name in folders for path in (ROOT / name).rglob("*.py"))


# Walks --------------------------------------------------------------------------------------------


def walk(call: Callable) -> tuple[int, int]:
    """Return how many modules of the package a call goes through, and how often it goes from one to
    another: on a function call whose module is not that of the call before.
    """
    walked: list[str] = []

    def note(frame: FrameType, event: str, argument: object) -> None:
        name = frame.f_globals.get("__name__", "")
        inside = event == "call" and name.startswith("olc_helpers")
        if inside and (not walked or walked[-1] != name):
            walked.append(name)

    call()  # imports are no part of the walk
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return len(set(walked)), max(0, len(walked) - 1)


def play_walk() -> tuple[int, int]:
    """Return the walk of a play of 50 trials, the longer one of two learners'."""
    import numpy as np

    from olc_helpers import Perceptron, WeightedMajority, play

    rng = np.random.default_rng(0)
    advice, labels = rng.integers(0, 2, (50, 4)), rng.integers(0, 2, 50)
    walks = [
        walk(lambda: play(WeightedMajority(4), advice, labels)),
        walk(lambda: play(Perceptron(4), advice, 2 * labels - 1)),
    ]
    return max(modules for modules, _ in walks), max(switches for _, switches in walks)


def check_walk() -> tuple[int, int]:
    """Return the walk of the feedback on a student's right answer."""
    import numpy as np

    from olc_helpers.grading import check

    class Majority:
        def __init__(self, n, beta):
            self.w, self.beta = np.ones(n), beta

        def predict(self, x):
            return int(self.w[x == 1].sum() >= self.w[x == 0].sum())

        def update(self, x, y):
            self.w = np.where(x == y, self.w, self.w * self.beta)

    return walk(lambda: check(Majority, "weighted_majority"))


# Imports ------------------------------------------------------------------------------------------


def module_name(path: Path) -> str:
    """Return the name under which a file of the package is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path, known: set[str]) -> set[str]:
    """Return the modules that a file imports, also inside functions, but not for types alone."""
    name = module_name(path)
    home = name if path.stem == "__init__" else name.rpartition(".")[0]
    found = set()
    for node in statements(ast.parse(text(path))):
        if isinstance(node, ast.ImportFrom):
            parts = home.split(".")
            start = ".".join(parts[: len(parts) + 1 - node.level]) if node.level else ""
            source = ".".join(filter(None, (start, node.module)))
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                found.add(inner if inner in known else source)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & known - {name}


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes of a tree but those under `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield node
            yield from statements(node)


def cycles() -> list[set[str]]:
    """Return the sets of modules of the package that import each other in a circle."""
    paths = {module_name(path): path for path in PACKAGE.rglob("*.py")}
    graph = {name: imported(path, set(paths)) for name, path in paths.items()}
    reach = {name: reached(graph, name) for name in graph}
    circles = {frozenset(n for n in reach[name] if name in reach[n]) for name in graph}
    return [set(circle) for circle in circles if circle]


def reached(graph: dict[str, set[str]], start: str) -> set[str]:
    """Return what can be reached from a module in one step or more."""
    found, ahead = set(), [start]
    while ahead:
        new = graph[ahead.pop()] - found
        found |= new
        ahead += new
    return found


# The table ----------------------------------------------------------------------------------------


def make_targets() -> int:
    """Return the number of targets that `make help` shows."""
    return len(re.findall(r"(?m)^[a-z-]+:.*## ", text(ROOT / "Makefile")))


def named(circles: list[set[str]]) -> str:
    """Return circles in words."""
    inside = "; ".join(", ".join(sorted(circle)) for circle in circles)
    return f"{len(circles)} ({inside.replace('olc_helpers.', '')})" if circles else "0"


ROWS: dict[str, Callable[[], object]] = {
    "core, read in an hour, raw lines": lambda: sum(
        len(text(PACKAGE / f"{name}.py").splitlines()) for name in HOUR
    ),
    "olc_helpers, code lines": lambda: all_code_lines("olc_helpers"),
    "Python code lines behind make test": lambda: all_code_lines("olc_helpers", "tests", "tools"),
    "play: modules, switches": lambda: "{}, {}".format(*play_walk()),
    "check: modules, switches": lambda: "{}, {}".format(*check_walk()),
    "import cycles, also through functions": lambda: named(cycles()),
    "documented make targets": make_targets,
}


def table(words: list[str]) -> Iterator[str]:
    """Yield the lines of the table, or of those rows that have one of the words."""
    for name, measure in ROWS.items():
        if not words or any(word in name for word in words):
            yield f"{name:40} {measure()}"


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for line in table(sys.argv[1:]):
        print(line, flush=True)
