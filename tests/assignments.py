"""The assignments as tests read them: their cells, what students get of them, and what a test cell
says of an answer, here, without the grader.
"""

import functools
import pickle
import re
from pathlib import Path
from types import SimpleNamespace

import matplotlib
import nbformat
import pytest

from olc_helpers import feedback
from olc_helpers.grading import TASKS, check

ROOT = Path(__file__).parents[1]
SOURCES = {path.stem: path for path in sorted((ROOT / "notebooks/homework").glob("*/*.ipynb"))}
STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
CLASSES = {task: f"My{task.title().replace('_', '')}" for task in TASKS}


@functools.cache
def cells(name):
    return nbformat.read(SOURCES[name], 4).cells


def mark(cell):
    """Returns what nbgrader knows of a cell."""
    return SimpleNamespace(
        **{"grade": False, "solution": False, "grade_id": "", "points": 0}
        | cell.metadata.get("nbgrader", {})
    )


def model(name, question):
    """Returns the model solution of a question."""
    return next(cell.source for cell in cells(name) if mark(cell).grade_id == question)


def code(cells):
    return [cell.source for cell in cells if cell.cell_type == "code"]


# What students get --------------------------------------------------------------------------------


def hidden(source):
    return "".join(
        re.findall(r"(?ms)^ *### BEGIN HIDDEN TESTS\n(.*?)^ *### END HIDDEN TESTS\n?", source)
    )


def without_hidden(source):
    return re.sub(
        r"(?ms)^ *### BEGIN HIDDEN TESTS\n.*?^ *### END HIDDEN TESTS(\n|\Z)", "", source
    ).rstrip("\n")


def without_solutions(source):
    def stub(region):
        return "".join(f"{region[1]}{line}\n" for line in STUB.split("\n"))

    return re.sub(
        r"(?ms)^( *)### BEGIN SOLUTION\n.*?^ *### END SOLUTION(\n|\Z)", stub, source
    ).rstrip("\n")


def released(source):
    """Returns the source of a code cell as students get it."""
    return without_hidden(without_solutions(source))


# What is said of an answer ------------------------------------------------------------------------


def execute(sources, names=None):
    """Returns the errors of the code cells, executed one after the other; an error does not stop
    the others.
    """
    matplotlib.use("Agg")
    names, errors = {"display": print} if names is None else names, []
    for source in sources:
        try:
            exec(compile(source, "cell", "exec"), names)
        except Exception as error:
            errors.append(error)
        matplotlib.pyplot.close("all")
    return errors


TESTS = {
    mark(cell).grade_id.removesuffix("_check"): (name, cell.source)
    for name in SOURCES
    for cell in cells(name)
    if mark(cell).grade and not mark(cell).solution
}
PRACTICE = ["exponentiated_gradient"]  # a lecture asks for it, and no assignment
for task in PRACTICE:
    assert task not in TESTS, f"an assignment asks for {task}: it is no longer practice"
    mine = f"{CLASSES[task]}, {task!r}"
    search_too = f"### BEGIN HIDDEN TESTS\nsearch({mine})\n### END HIDDEN TESTS\n"
    TESTS[task] = "hw4_winnow", f"check({mine})\n{search_too}"


@functools.cache
def verdict(answer, task, seed=0):
    """Returns the ledger and the error of a check, which depend on nothing but these."""
    try:
        return check(answer, task, seed), None
    except Exception as error:
        return None, error


def checked(answer, task, seed=0):
    ledger, error = verdict(answer, task, seed)
    if error is not None:
        raise error
    return ledger


@functools.cache
def given(name):
    """Returns the names of the first code cell of an assignment; each check is made once."""
    names = {}
    assert execute([code(cells(name))[0]], names) == []
    return names | {"display": lambda *_: None, "check": checked}


def graded(question, answer, visible=False):
    """Returns the error that the whole test cell of a question raises for an answer, or what the
    student sees of it, or None.
    """
    homework_name, source = TESTS[question]
    names = dict(given(homework_name))
    names[CLASSES.get(question, question)] = answer
    return next(iter(execute([without_hidden(source) if visible else source], names)), None)


@pytest.fixture(scope="module")
def one_play_for_all():
    """The course's own learner does the same for every answer: it plays each stream once."""
    play, plays = feedback.played, {}

    def played(learner, X, y):
        if isinstance(learner, feedback.Watched | feedback.Shifted):
            return play(learner, X, y)
        key = pickle.dumps((learner, X, y))
        if key not in plays:
            plays[key] = play(learner, X, y)
        return plays[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feedback, "played", played)
        yield
