"""What a question asks for can't be had from the package while a student's code is at work, whoever
calls it and however it was made.
"""

import subprocess
import sys
import threading
from copy import deepcopy
from functools import partial

import numpy as np
import pytest

from olc_helpers import (
    FixedShare,
    Halving,
    Hedge,
    Winnow,
    booleans,
    dimensions,
    learners,
    own_work,
    play,
    sequences,
)
from olc_helpers.dimensions import ConceptClass
from olc_helpers.grading import Slip, check, expect

X = np.array([1, 0, 1])
C = np.array([[0, 0], [0, 1], [1, 1]])
HELD, OPT, READY = Halving.predict, ConceptClass.opt, Winnow(3)  # before a student's code starts


class Copied:
    """A student's object with the attributes of one of the package."""

    n, w = 3, np.ones(3, bool)


def empty(cls, **attributes):
    """Return an instance of a class that was never started."""
    made = object.__new__(cls)
    vars(made).update(attributes)
    return made


ways = {  # to an answer
    "make a learner": partial(Halving, 3),
    "make one without its start": lambda: empty(Halving, w=Copied.w).predict(X),
    "use one that was made before": lambda: READY.predict(X),
    "teach one that was made before": lambda: READY.update(X, 1),
    "copy one": lambda: deepcopy(READY).predict(X),
    "lend a method": lambda: Halving.predict(Copied(), X),
    "hold a method": lambda: HELD(Copied(), X),
    "inherit": lambda: type("Mine", (Hedge,), {})(3, 0.5),
    "play one that was made before": lambda: play(READY, X[None], [0], fast=False),
    "write a threshold": lambda: booleans.threshold(booleans.Or(1, 2), 3),
    "count sequences": lambda: sequences.count_sequences(3, 2, 1),
    "weigh sequences": lambda: sequences.log_prior(3, 2, 1, 0.5),
    "shatter": lambda: dimensions.shattered(C, [0]),
    "shatter all": lambda: dimensions.shattered_set(C),
    "look up a dimension": lambda: dimensions.vc_dimension(C),
    "look up a bound": lambda: dimensions.littlestone_dimension(C),
    "search a class": lambda: ConceptClass(C),
    "search without a start": lambda: OPT(empty(ConceptClass, everything=7, points=[4, 6])),
}


@pytest.mark.parametrize("way", ways)
def test_package_refuses_its_answers(way):
    def mine():
        return ways[way]()

    with pytest.raises(Slip, match="Your code calls the package for what it should do itself"):
        expect(mine, answer=1)
    mine()  # otherwise they are there


def test_shortcuts_stand_in_for_nobody_who_is_refused():
    """They never call predict; the plain loop does."""
    with pytest.raises(Slip), own_work.written_out():
        play(READY, np.tile(X, (100, 1)), np.ones(100, int))


def test_every_learner_is_an_answer():
    for cls in (getattr(learners, name) for name in learners.__all__):
        for method in (cls.predict, cls.update):
            with pytest.raises(Slip), own_work.written_out():
                method()
    for make in (partial(Hedge, 2, 1.0), partial(FixedShare, 2, alpha=0.1), partial(Winnow, 2)):
        with pytest.raises(Slip), own_work.written_out():
            make()


def test_an_answer_that_is_imported_at_work_is_refused():
    code = """if True:
        from olc_helpers.own_work import Slip, written_out
        try:
            with written_out():
                from olc_helpers import dimensions
                print(dimensions.vc_dimension([[0], [1]]))
        except Slip:
            print("refused", dimensions.vc_dimension([[0], [1]]))
        """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "refused 1\n", done.stdout + done.stderr


def test_what_a_question_gives_is_not_refused():
    formula = booleans.And(1, -2)
    expect(lambda: formula(booleans.cube(2)), answer=[0, 0, 1, 0])
    expect(lambda: sequences.all_sequences(2, 2), answer=[[0, 0], [0, 1], [1, 0], [1, 1]])


def test_other_threads_are_refused_too():
    seen = []

    def ask():
        try:
            seen.append(HELD(Copied(), X))
        except Slip as slip:
            seen.append(type(slip))

    with own_work.written_out():
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
    assert seen == [Slip]


def test_another_list_changes_nothing(monkeypatch):
    monkeypatch.setattr(own_work, "ANSWERS", {})
    with pytest.raises(Slip), own_work.written_out():
        Halving(3)


def test_work_within_work_ends_with_the_outer_one():
    with own_work.written_out():
        with own_work.written_out():
            pass
        with pytest.raises(Slip):
            Halving(3)
    assert Halving(3).n == 3


def test_a_check_within_a_check_refuses_still():
    class Nested:
        def __init__(self, n):
            self.w = np.ones(n, bool)

        def predict(self, x):
            expect(abs, -1, answer=1)
            return HELD(self, x)

        def update(self, x, y):
            pass

    with pytest.raises(Slip, match="calls the package") as slip:
        check(Nested, "halving")
    assert slip.value.__notes__ == ["It happened in predict, on trial 1."]
