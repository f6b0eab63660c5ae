"""Right code wins and no other, here and in the sandbox: what students would hand in."""

from pathlib import Path

import assignments
import pytest
from assignments import TESTS, graded
from olc_helpers import counterexamples
from planted import PLANTS, QUESTIONS

from grader.remote import Student

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
    for seed in ("0", "1"):
        monkeypatch.setenv("OLC_SEED", seed)
        assert graded(plant.question, plant.answer) is None


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
    for seed in ("1", "2"):
        monkeypatch.setenv("OLC_SEED", seed)
        assert graded(plant.question, plant.answer) is not None, seed


def test_planted_answers_get_the_same_verdict_from_the_sandbox(needs_sandbox, capsys):
    """Code that lives in another process is told the same words: every eighth of them."""
    folder = Path(__file__).parent
    files = {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("planted/*.py")
    }
    student = Student(needs_sandbox, 0, files)
    try:
        assert student.run("import planted") == []
        student.set_time(needs_sandbox.limits.total)
        for plant in PLANTS[::8]:
            student.run(f"answer = planted.{plant.question}.{plant.name}")
            error = graded(plant.question, student.names(["answer"])["answer"])
            assert bool(plant.words) == (error is not None), (plant.name, error)
            assert error is None or said(error).startswith(plant.words), plant.name
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
