"""The walk of CONTRIBUTING, followed in a copy of the course: each block goes into the file that it
names.
"""

import ast
import os
import re
import subprocess
import sys

import always
import nbformat
import pytest
from conftest import ROOT

WALK = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## A walk")[2]
STEPS = re.findall(r"(?ms)^```\w+ (\S+)\n(.*?)^```", WALK)
TRY = """
import re
import numpy as np
from olc_helpers import Majority, figures, play, proofs, streams, theorems
from olc_helpers.grading import check, search
from olc_helpers.mapping import Course

run = play(Majority(5), *streams.noisy_experts(50, 5 * [0.4], rng=0))
ledger = proofs.majority_bound(run)
assert ledger.holds and 0 < run.mistakes <= ledger.bound and "majority_bound" in theorems()
figure = figures.majority_run()
assert figure.caption == figures.majority_run().caption != figures.majority_run(seed=1).caption
run = play(Majority(9), *streams.noisy_experts(60, 9 * [0.3], rng=0))
assert f"{run.mistakes} mistakes" in figure.caption and figure.description != figure.caption
assert f"grow to {run.mistakes}, " in figure.description
assert len(figure.caption.split()) <= 25 and len(re.findall(r"\\d[\\d.,]*", figure.caption)) <= 3
assert figure.png()[:4] == b"\\x89PNG"
assert "Majority" in str(Course("notebooks").algorithms())


class Minority:
    def __init__(self, n):
        self.n, self.w = n, np.ones(n)
    def predict(self, x):
        return int(2 * self.w @ x < self.n)
    def update(self, x, y):
        pass

for test in (check, search):
    try:
        test(Minority, "majority")
    except AssertionError as error:
        print(error)
"""


def add_names(path, block):
    """Puts the names that a block defines into __all__."""
    text = path.read_text(encoding="utf-8")
    names = [
        node.name
        for node in ast.parse(block).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    ]
    if names and re.search(r"(?m)^__all__ = \[", text):
        text = re.sub(r"(?m)^__all__ = \[", f"__all__ = [*{names!r}, ", text, count=1)
    path.write_text(f"{text}\n\n{block}", encoding="utf-8")


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """A copy of package, notebooks and tests in which the walk was followed."""
    folder = tmp_path_factory.mktemp("walk")
    for name in ("olc_helpers", "notebooks", "tests", "tools/certificates"):
        for path in (ROOT / name).rglob("*"):
            if path.suffix in (".py", ".csv", ".toml", ".ipynb", ".txt"):
                (folder / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
                (folder / path.relative_to(ROOT)).write_bytes(path.read_bytes())
    for name, block in STEPS:
        path = folder / name
        assert path.is_file(), f"the walk names {name}, which is not there"
        if path.suffix == ".ipynb":
            nb = nbformat.read(path, 4)
            nb.cells.append(
                nbformat.v4.new_code_cell(block, metadata={"tags": ["MAJ-A1", "MAJ-T1"]})
            )
            nbformat.write(nb, path)
        elif path.suffix in (".csv", ".txt"):
            path.write_text(path.read_text(encoding="utf-8") + block, encoding="utf-8")
        else:
            if name.endswith("task.py"):
                block = f"from .learners import Majority\n\n\n{block}"
            if "figures" in name:
                block = f"from ..learners import Majority\n\n\n{block}"
            if path.parent.name == "tests":
                block = f"from olc_helpers import Majority\n\n\n{block}"
            add_names(path, block)
    return folder


def run(folder, *arguments):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ
        | {
            "PYTHONPATH": f"{folder}{os.pathsep}{ROOT / 'tools'}",
            "PYTHONUTF8": "1",
            "MPLBACKEND": "agg",
        },
    )


def test_the_walk_touches_few_files():
    assert len(STEPS) == 8 and len({name.rpartition("/")[0] for name, _ in STEPS}) <= 5
    assert max(len(line) for _, block in STEPS for line in block.splitlines()) <= 100
    for name in set(re.findall(r"`((?:olc_helpers|tests)/[\w/]+\.py)`", WALK)):
        assert (ROOT / name).is_file(), f"the walk names {name}, which is not there"


def test_what_the_walk_adds_works_everywhere(walked):
    done = run(walked, "-c", TRY)
    assert done.returncode == 0, done.stderr
    assert "The proof breaks first at line (1)" in done.stdout, done.stdout
    assert "The smallest stream found on which this happens: Minority(2)" in done.stdout


def test_the_test_of_the_walk_passes_and_can_fail(walked):
    command = (
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        "test_majority_bound",
        "tests/test_proofs_experts.py",
    )
    done = run(walked, *command)
    assert "1 passed" in done.stdout, done.stdout
    path = walked / "olc_helpers/experts/learners.py"
    right = path.read_text(encoding="utf-8")
    path.write_text(
        right.replace("2 * self.w @ x >= self.n", "2 * self.w @ x < self.n"), encoding="utf-8"
    )
    done = run(walked, *command)
    path.write_text(right, encoding="utf-8")
    assert "1 failed" in done.stdout, done.stdout


def test_every_new_item_is_taught(walked):
    nb = nbformat.read(walked / "notebooks/01_experts_and_halving.ipynb", 4)
    tags = {tag for cell in nb.cells for tag in cell.metadata.get("tags", [])}
    new = re.findall(
        r"(?m)^(MAJ-\w+),01,", (walked / "notebooks/items.csv").read_text(encoding="utf-8")
    )
    assert len(new) == 2 and set(new) <= tags


def test_the_solver_proves_what_the_walk_adds(walked):
    added = list(always.read(walked / "tools/certificates/experts.txt"))[-1]
    assert added.name == "majority_bound" and always.proved(added)["2"] == ["line 2a"]
    added.facts = [fact for fact in added.facts if fact[0] != "start"]
    with pytest.raises(SystemExit, match="line 2a of majority_bound is not proved"):
        always.proved(added)
