"""The grader: a class with hostile members is graded as if they were not there, and they get what they deserve."""

import csv
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import homework
import nbformat
import numpy as np
import pytest
from conftest import ROOT
from grader import grade as grading
from grader import sandbox, wire
from grader.examine import Blueprint, is_test, mark, merge
from grader.report import report
from grader.sandbox import Limits, NoSandbox, Sandbox
from hostile import HOSTILE, WRONG_HEDGE

HW = "hw2_hedge"
LIMITS = Limits(cell=4, total=60, memory=700, processes=48, file=8, disk=32)


def copy_course(root):
    """Return a scratch copy of the course folder, as far as homework needs it."""
    for name in ("binder", "olc_helpers", "notebooks/homework", "tools"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("nbgrader_config.py", "pyproject.toml", "README.md", "LICENSE", "LICENSE-text"):
        shutil.copy(ROOT / name, root)
    return root


@pytest.fixture(scope="session")
def needs_sandbox():
    """Tests of the sandbox run wherever there is one; in CI there must be one."""
    try:
        return Sandbox(ROOT / "olc_helpers", LIMITS)
    except NoSandbox as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"there is no sandbox: {error}")


def submission(name, answers=(), solved=True):
    """Return a notebook: the release with the right answers, or with the given ones."""
    source = nbformat.read(ROOT / f"notebooks/homework/{name}/{name}.ipynb", 4)
    blueprint = Blueprint.read(ROOT / f"notebooks/homework/{name}/{name}.ipynb")
    for cell in source.cells:
        key = mark(cell).get("grade_id")
        if key and is_test(cell):
            cell.source = blueprint.visible[key]
        elif key:
            cell.source = dict(answers).get(key, cell.source if solved else blueprint.visible[key])
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return source


def hand_in(course, student, nb, name=HW, timestamp=None):
    folder = course / "submitted" / student / name
    folder.mkdir(parents=True)
    nbformat.write(nb, folder / f"{name}.ipynb")
    if timestamp:
        (folder / "timestamp.txt").write_text(timestamp)
    return folder / f"{name}.ipynb"


def fingerprint(*folders):
    """Return a digest of every file below the folders."""
    found = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        found.update(str(path).encode() + path.read_bytes())
    return found.hexdigest()


def table(course, name=HW):
    with open(course / f"grades/{name}.csv", encoding="utf-8", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


class Server(threading.Thread):
    """Listens on loopback until it is stopped, and remembers who came."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket, self.came = socket.create_server(("127.0.0.1", 0)), 0
        self.socket.settimeout(0.2)
        self.port, self.open = self.socket.getsockname()[1], True

    def run(self):
        while self.open:
            try:
                connection, _ = self.socket.accept()
            except TimeoutError:
                continue
            self.came += 1
            connection.close()
        self.socket.close()


@pytest.fixture(scope="module")
def graded(tmp_path_factory, needs_sandbox):
    """A class of honest, careless and hostile students, graded once."""
    course, neighbour = copy_course(tmp_path_factory.mktemp("course")), tmp_path_factory.mktemp("neighbour")
    (neighbour / "thesis.txt").write_text("irreplaceable")
    server = Server()
    server.start()
    due = "2026-03-01 12:00:00 UTC"
    hand_in(course, "solved", submission(HW), timestamp="2026-03-01 11:59:00 UTC")
    hand_in(course, "late", submission(HW), timestamp="2026-03-01 14:05:00 UTC")
    hand_in(course, "blank", submission(HW, solved=False), timestamp="2026-03-01 11:00:00 UTC")
    hand_in(course, "wrong", submission(HW, {"hedge": WRONG_HEDGE}))
    for student, answers in HOSTILE.items():
        answers = {key: code.replace("SCRATCH", repr([str(course), str(neighbour)])).replace("PORT", str(server.port))
                   for key, code in answers.items()}
        hand_in(course, student, submission(HW, answers))
    nb = submission(HW, {"hedge": WRONG_HEDGE})
    next(cell for cell in nb.cells if mark(cell).get("grade_id") == "hedge_check").source = "assert True"
    hand_in(course, "tampers", nb)
    nb = submission(HW)
    nb.cells = [cell for cell in nb.cells if not is_test(cell)]
    hand_in(course, "loses_cells", nb)
    hand_in(course, "corrupt", submission(HW)).write_text('{"cells": [{"cell_type": "code"')
    path = hand_in(course, "links", submission(HW))
    path.unlink()
    path.symlink_to(course / f"submitted/solved/{HW}/{HW}.ipynb")
    hand_in(course, "other_name", submission(HW)).rename(course / f"submitted/other_name/{HW}/homework.ipynb")
    kept = [course / name for name in ("binder", "notebooks", "olc_helpers", "tools", "submitted")] + [neighbour]
    before = fingerprint(*kept)
    os.environ["SECRET"] = "of the teacher"
    try:
        assert grading.grade(course, HW, 2, LIMITS, due=due) == 0
        assert report(course, []) == 0
    finally:
        del os.environ["SECRET"]
        server.open = False
        server.join()
    assert fingerprint(*kept) == before, "nothing but the results may change"
    return course, server


EXPECTED = {  # points for hedge_check (20) and expected_mistakes_check (15), status
    "solved": (20, 15, "ok"), "late": (20, 15, "late"), "blank": (0, 0, "blank"), "wrong": (0, 15, "no time"),
    "loops": (20, 0, "timed out"), "loops_and_ignores_the_end": (20, 15, "timed out"),
    "eats_memory": (20, 15, "out of memory"), "eats_memory_in_many_processes": (20, 15, "out of memory"),
    "starts_processes": (20, 15, "no time"), "exits": (20, 15, "crashed"), "exits_when_tested": (20, 0, "crashed"),
    "deletes": (20, 15, "no time"), "reads": (20, 0, "no time"), "patches": (0, 0, "no time"), "prints": (20, 15, "no time"),
    "writes": (20, 15, "no time"), "connects": (20, 15, "no time"), "forges": (20, 15, "crashed"),
    "tampers": (0, 15, "tampered test cell"), "loses_cells": (20, 15, "tampered test cell"),
    "corrupt": (0, 0, "unreadable"), "links": (0, 0, "unreadable"), "other_name": (0, 0, "unreadable"),
}


@pytest.mark.parametrize("student", EXPECTED)
def test_everybody_gets_the_points_and_the_status_they_deserve(graded, student):
    row = table(graded[0])[student]
    first, second, status = EXPECTED[student]
    assert (float(row["hedge_check"]), float(row["expected_mistakes_check"])) == (first, second), row["details"]
    assert row["status"].split("; ")[0] == status, row["details"]


def test_nobody_is_forgotten(graded):
    assert set(table(graded[0])) == set(EXPECTED) and set(HOSTILE) < set(EXPECTED)


def printed(course, student, question="figure"):
    nb = nbformat.read(course / f"autograded/{student}/{HW}/{HW}.ipynb", 4)
    cell = next(cell for cell in nb.cells if mark(cell).get("grade_id") == question)
    return "".join(output.get("text", "") + str(output.get("evalue", "")) for output in cell.outputs)
