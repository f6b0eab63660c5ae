"""Right code wins and no other, here and in the sandbox: what students would hand in."""

import contextlib
import os
import re
from pathlib import Path

import assignments
import pytest
from assignments import TESTS, graded
from olc_helpers import counterexamples
from planted import PLANTS, QUESTIONS

from grader.remote import Student

# Which seed the grader draws changes no points; OLC_FUZZ=1 tries more of them (minutes).
SEEDS = [str(seed) for seed in range(60 if os.environ.get("OLC_FUZZ") else 3)]
pytestmark = pytest.mark.usefixtures("one_play_for_all")
one_play_for_all = assignments.one_play_for_all  # a fixture


def said(error):
    """Returns the words of a slip, here or in the sandbox, or the error."""
    slip = type(error).__name__ == "Slip"
    return str(error) if slip else f"{type(error).__name__}: {error}"


def plants(**wanted):
    return [
        pytest.param(plant, id=f"{plant.question}-{plant.name}")
        for plant in PLANTS
        if all(bool(getattr(plant, key)) == value for key, value in wanted.items())
    ]


def test_every_coding_question_is_planted_often_enough():
    assert set(TESTS) == set(QUESTIONS)
    for question in QUESTIONS:
        verdicts = [bool(plant.words) for plant in PLANTS if plant.question == question]
        assert verdicts.count(True) >= 12 and verdicts.count(False) >= 8, question
    assert len({(plant.question, plant.name) for plant in PLANTS}) == len(PLANTS)


@pytest.mark.parametrize("plant", plants(words=False))
def test_right_answer_gets_all_points(plant, monkeypatch):
    for seed in SEEDS:
        monkeypatch.setenv("OLC_SEED", seed)
        assert graded(plant.question, plant.answer) is None, seed


@pytest.mark.parametrize("plant", plants(words=True, subtle=False))
def test_wrong_answer_loses_with_the_right_message(plant, capsys):
    assert said(graded(plant.question, plant.answer, visible=True)).startswith(plant.words)
    assert said(graded(plant.question, plant.answer)).startswith(plant.words)


@pytest.mark.parametrize("plant", plants(subtle=True))
def test_subtly_wrong_answer_passes_what_is_visible_and_loses(plant, monkeypatch):
    """Whatever seed the grader draws."""
    assert graded(plant.question, plant.answer, visible=True) is None
    assert said(graded(plant.question, plant.answer)).startswith(plant.words)
    monkeypatch.setattr(counterexamples, "EFFORT", 0)  # found is found: no need to make it smaller
    for seed in SEEDS:
        monkeypatch.setenv("OLC_SEED", seed)
        assert graded(plant.question, plant.answer) is not None, seed


def test_planted_answers_get_the_same_verdict_from_the_sandbox(needs_sandbox, capsys):
    """Code that lives in another process is told the same words: every eighth of them, and those
    that return or inherit from something unusual.
    """
    folder = Path(__file__).parent
    files = {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("planted/*.py")
    }
    student = Student(needs_sandbox, 0, files)
    try:
        assert student.run("import planted") == []
        student.set_time(needs_sandbox.limits.total)
        odd = [
            each
            for each in PLANTS
            if re.search("IsA|nBrackets|in_br|umber|Float|Col|raction", each.name)
        ]
        some = [each for each in PLANTS[::8] if "default_value" not in each.name]  # it remembers
        for plant in {*some, *odd}:
            student.run(f"answer = planted.{plant.question}.{plant.name}")
            error, here = (
                graded(plant.question, answer)
                for answer in (student.names(["answer"])["answer"], plant.answer)
            )
            assert bool(plant.words) == (error is not None), (plant.name, error)
            assert error is None or said(error) == said(here), plant.name
    finally:
        student.stop()


BEFORE = """
import copy, os, subprocess, sys, types
import numpy as np
import olc_helpers
from olc_helpers import Halving, booleans, dimensions, own_work, play, shortcuts
from olc_helpers.experts.theorems import hedge_rate
x, rows, C = np.array([0, 1, 1]), np.ones((100, 3), int), np.array([[0, 0], [0, 1], [1, 1]])
def made(cls, **attributes):
    thing = object.__new__(cls)
    vars(thing).update(attributes)
    return thing
"""
WAYS = {  # to have 1 from the package: what runs in a cell, and what a test calls
    "threshold": ("", "int(2 * booleans.threshold(booleans.Or(1), 1)[1] + 2)"),
    "rate": ("", "hedge_rate(2, 2 * np.log(2))"),
    "shortcut": ("h = made(Halving, n=3, w=x > 0)", "play(h, rows, rows[:, 0]).predictions[0]"),
    "property": (
        "c = made(dimensions.ConceptClass, everything=7, points=[4, 6])",
        "int(c._reaches(7, 1) and 1)",
    ),
    "no list": ("own_work.ANSWERS.clear()", "made(Halving, w=x > 0).predict(x)"),
    "no work": ("own_work.AT_WORK = shortcuts.AT_WORK = ()", "made(Halving, w=x > 0).predict(x)"),
    "copied code": (
        "f = types.FunctionType(Halving.predict.__code__, Halving.predict.__globals__)",
        "f(made(Halving, w=x > 0), x)",
    ),
    "source": (
        "space = {}\nsource = open(sys.modules[Halving.__module__].__file__).read()\n"
        "exec(source.replace('from ..', 'from olc_helpers.'), space)",
        "space['Halving'](3).predict(x)",
    ),
    "child": (
        "reads, writes = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    try:\n        os.write(writes, bytes([Halving(3).predict(x)]))\n"
        "    finally:\n        os._exit(0)\n"
        "os.close(writes)",
        "os.read(reads, 1)[0]",
    ),
    "program": (
        "",
        "int(subprocess.run([sys.executable, '-c', 'import numpy as n, olc_helpers as o;"
        "print(o.Halving(3).predict(n.ones(3, int)))'], capture_output=True).stdout)",
    ),
}


def test_what_a_question_asks_for_is_not_in_the_sandbox(needs_sandbox):
    """Whoever calls it, and however it was made; with the whole package each way leads there."""
    for whole in (True, False):
        student = Student(needs_sandbox, 0, {}, whole)
        try:
            everything = "import pkgutil, importlib, olc_helpers as o\nfor module in pkgutil."
            everything += (
                "walk_packages(o.__path__, 'olc_helpers.'):\n    if module.name[-5:] not in"
            )
            everything += " ('.fast', 'ain__'):\n        importlib.import_module(module.name)"
            assert student.run(everything) == [], "no module needs an answer to be imported"
            for way, (before, call) in WAYS.items():
                student.set_time(needs_sandbox.limits.cell)
                student.run(f"{BEFORE}\n{before}")
                assert student.run(f"def mine():\n    return {call}") == []
                found = None
                with contextlib.suppress(Exception):
                    found = student.names(["mine"])["mine"]()
                assert (found == 1) == whole, way
        finally:
            student.stop()


def test_a_submission_cannot_read_the_seed(needs_sandbox, monkeypatch):
    monkeypatch.setenv("OLC_SEED", "20260101")
    student = Student(needs_sandbox, 0, {})
    try:
        student.run("import os, pathlib\nseen = [*os.environ, *os.environ.values()]")
        student.run("seen += [pathlib.Path('/proc/self/environ').read_text()]")
        student.run(
            "parents = [p.read_bytes().decode() for p in pathlib.Path('/proc').glob('*/environ')"
            " if os.access(p, os.R_OK)]\nseen = ' '.join(seen + parents)"
        )
        seen = student.names(["seen"])["seen"]
    finally:
        student.stop()
    assert seen and "OLC_SEED" not in seen and "20260101" not in seen
