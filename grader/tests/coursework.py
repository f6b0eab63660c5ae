"""What the tests of the homework share: a released course, a tiny assignment, submissions."""

import csv
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from grader.classroom import Classroom
from grader.examine import Blueprint, is_test, mark
from grader.release import release
from grader.sandbox import Limits, NoSandbox, Sandbox

ROOT = Path(__file__).parents[2]  # the course
ASSIGNMENTS = [
    "hw1_experts",
    "hw2_hedge",
    "hw3_perceptron",
    "hw4_winnow",
    "hw5_shifting",
    "hw6_batch_and_limits",
]
PLOT = "import matplotlib.pyplot as plt\n"
PATH = os.pathsep.join(
    [
        str(Path(sys.executable).parent),
        os.environ["PATH"],
        *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)),
    ]
)


def missing(reason):
    """Skip the test for a reason that names the remedy; in CI nothing may be missing."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def needs_sandbox():
    """Tests of the sandbox run wherever there is one."""
    try:
        return Classroom(ROOT).sandbox(Limits())
    except NoSandbox as error:
        missing(f"there is no sandbox: {error}")


@pytest.fixture(scope="module")
def tried_sandbox(needs_sandbox):
    """There is a sandbox, and the grader need not try it before each class."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sandbox, "_try", lambda self: None)
        yield


# Assignments --------------------------------------------------------------------------------------


def tiny():
    """Return an assignment that is graded in a moment: a function for 10 points, two answers."""

    def marked(new, source, name, points, solution):
        nbgrader = {
            "schema_version": 3,
            "grade_id": name,
            "grade": points > 0,
            "solution": solution,
            "locked": not solution,
            "task": False,
            "points": points,
            "cell_type": "code" if new is new_code_cell else "markdown",
        }
        return new(
            source,
            metadata={
                "nbgrader": {
                    key: value for key, value in nbgrader.items() if points or key != "points"
                }
            },
        )

    hidden = "### BEGIN HIDDEN TESTS\nexpect(double, 3, answer=6)\n### END HIDDEN TESTS"
    return new_notebook(
        cells=[
            new_code_cell("import numpy as np\nfrom olc_helpers.grading import expect"),
            marked(
                new_code_cell,
                "def double(x):\n    ### BEGIN SOLUTION\n    return x + x\n    ### END SOLUTION",
                "double",
                0,
                True,
            ),
            marked(
                new_code_cell, f"expect(double, 2, answer=4)\n{hidden}", "double_check", 10, False
            ),
            marked(
                new_markdown_cell, "**Model solution.** Twice.\n\nRubric. 3: why", "why", 3, True
            ),
            marked(new_markdown_cell, "**Model solution.** So.\n\nRubric. 2: how", "how", 2, True),
        ]
    )


def course_folder(course):
    """Return the folder, filled with what homework needs of the course."""
    for name in ("binder", "notebooks/homework", "grader/grader"):
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, course / name, ignore=unwanted)
    for name in "grader/nbgrader_config.py pyproject.toml README.md LICENSE LICENSE-text".split():
        shutil.copy(ROOT / name, course / name)
    (course / "olc_helpers").symlink_to(ROOT / "olc_helpers")
    return course


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """A copy of the course folder in which all assignments are released: once in a test run."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    root = base / "released"
    with open(base / "released.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the other worker waits
        if not root.exists():
            course = course_folder(base / "releasing")
            (course / "notebooks/homework/tiny").mkdir()
            nbformat.write(tiny(), course / "notebooks/homework/tiny/tiny.ipynb")
            assert release(course, []) == 0
            course.rename(root)
    return root


def copy_of(template, folder):
    """Return a course folder of one's own."""
    return shutil.copytree(template, folder / "course", symlinks=True)


# Submissions --------------------------------------------------------------------------------------


def submission(name, answers=(), solved=True, draws=False):
    """Return the release with the right or the given answers, without what draws if not asked."""
    source = (
        tiny()
        if name == "tiny"
        else nbformat.read(ROOT / f"notebooks/homework/{name}/{name}.ipynb", 4)
    )
    visible = Blueprint.of(name, nbformat.from_dict(source)).visible
    answers = dict(answers) if draws else {"figure": "pass"} | dict(answers)
    for cell in source.cells:
        key = mark(cell).get("grade_id")
        if key and (is_test(cell) or not solved):
            cell.source = visible[key]
        elif key:
            cell.source = answers.get(key, cell.source)
        if cell.cell_type == "code":
            cell.source = cell.source if draws else cell.source.replace(PLOT, "")
            cell.outputs, cell.execution_count = [], None
    return source


def hand_in(course, student, nb, name, timestamp=None):
    folder = course / "submitted" / student / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.ipynb").write_text(json.dumps(nb))  # also what nbformat would not write
    if timestamp:  # as nbgrader's exchange does
        (folder / "timestamp.txt").write_text(timestamp)
        inbound = course / "exchange/online-learning/inbound"
        (inbound / f"{student}+{name}+{timestamp}+123456").mkdir(parents=True)
    return folder / f"{name}.ipynb"


def table(course, name):
    with open(course / f"grades/{name}.csv", encoding="utf-8", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


# PostgreSQL ---------------------------------------------------------------------------------------


@contextmanager
def postgres_server():
    """Yield a function that creates a database on a server of our own and gives its address."""
    programs = ("initdb", "postgres", "createdb", "pg_dump", "pg_restore")
    absent = [name for name in programs if not shutil.which(name, path=PATH)]
    if absent:
        missing(
            f"PostgreSQL is not installed (no {', '.join(absent)}); 'tools/system.sh' installs it"
        )
    initdb, server, createdb = (shutil.which(name, path=PATH) for name in programs[:3])
    nobody = {}
    if os.getuid() == 0:  # the server refuses to run as root
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
    dies_with_us = ["setpriv", "--pdeathsig", "INT"] if shutil.which("setpriv") else []
    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/log", "w+") as log:
        os.chmod(folder, 0o711)
        os.mkdir(f"{folder}/server", 0o755)
        if nobody:
            shutil.chown(f"{folder}/server", 65534)
        options = {"cwd": folder, "stdout": log, "stderr": log} | nobody
        subprocess.run(
            [initdb, "-D", "server/data", "-U", "teacher", "-A", "trust", "-E", "UTF8", "-N"],
            check=True,
            **options,
        )
        # A socket in our folder, no network.
        process = subprocess.Popen(
            [
                *dies_with_us,
                server,
                "-D",
                "server/data",
                "-k",
                f"{folder}/server",
                "-F",
                "-c",
                "listen_addresses=",
            ],
            **options,
        )

        def new(name):
            for _ in range(100):
                made = subprocess.run(
                    [createdb, "-h", f"{folder}/server", "-U", "teacher", name],
                    capture_output=True,
                    text=True,
                )
                if made.returncode == 0:
                    return f"postgresql://teacher@/{name}?host={folder}/server"
                assert process.poll() is None, Path(log.name).read_text()
                time.sleep(0.1)
            pytest.fail(made.stderr)

        try:
            yield new
        finally:
            process.send_signal(signal.SIGINT)  # end now, whoever is connected
            process.wait(30)
