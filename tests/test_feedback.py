"""Feedback watches `play`: what a check plays, and in which order its diagnoses speak."""

from dataclasses import replace

import numpy as np
import pytest

from olc_helpers import WeightedMajority, feedback, protocol
from olc_helpers.grading import TASKS, Slip, check
from olc_helpers.shown import unicode


class Mine:
    """Weighted Majority from its pseudo-code, for others to go wrong in one place."""

    def __init__(self, n, beta):
        self.w, self.beta = np.ones(n), beta

    def predict(self, x):
        return int(self.w @ x >= self.w @ (1 - x))

    def update(self, x, y):
        self.w = np.where(x == y, self.w, self.beta * self.w)


def test_check_plays_both_learners_by_the_plain_loop_and_the_theorem_reads_it(monkeypatch):
    plays, read, task = [], [], TASKS["weighted_majority"]

    def watched(*arguments, **options):
        assert options == {"fast": False}
        plays.append(protocol.play(*arguments, **options))
        return plays[-1]

    def theorem(run):
        read.append(run)
        return task.theorem(run)

    monkeypatch.setattr(feedback, "play", watched)
    monkeypatch.setitem(TASKS, "weighted_majority", replace(task, theorem=theorem))
    assert check(Mine, "weighted_majority").holds
    assert [type(run.learner) for run in plays] == [WeightedMajority, feedback.Watched]
    assert read == plays[1:] and read[0].learner.beta == 0.5


def slip(**methods):
    """Return what is said first of a class with other methods."""
    X, y, _ = TASKS["weighted_majority"].stream(0)
    cls, task = type("Wrong", (Mine,), methods), TASKS["weighted_majority"]
    return feedback.compare(cls, task, task.arguments, X, y)[1]


def punished(self, x, y):
    self.w = np.where(x == y, self.w, 0.4 * self.w)


def signed(self, x):
    return 2 * Mine.predict(self, x) - 1


def learned(self, x):
    self.w = self.w * 0.5
    return signed(self, x)


def spoiled(self, x, y):
    punished(self, x, y)
    x[:] = 0


def test_the_first_diagnosis_that_fits_is_told():
    """Each class has the slip of the one before, and one that is told in its place."""
    assert slip() == ""
    assert slip(update=punished).startswith("Wrong update: after trial 1")
    assert slip(update=lambda self, x, y: None).startswith("Missing update: self.w is the same")
    other = {"__init__": lambda self, n, beta: setattr(self, "w", np.full(n, 2.0))}
    idle = slip(**other, update=lambda self, x, y: None)
    assert idle.startswith("Wrong start: self.w is [2, 2, 2")
    assert slip(**other, update=punished, predict=signed).startswith("Wrong label alphabet")
    assert slip(**other, update=spoiled, predict=signed).startswith("Changed input: on trial 1")
    assert slip(**other, update=spoiled, predict=learned).startswith("Wrong order: predict changes")


def test_slips_after_which_there_is_no_run():
    with pytest.raises(Slip, match=r"self.w must hold n = 6 numbers; its shape is \(1, 6\)"):
        slip(__init__=lambda self, n, beta: setattr(self, "w", np.ones((1, n))))
    with pytest.raises(Slip, match=r"the shape of self.w on trial 1, from \(6,\) to \(1,\)"):
        slip(update=lambda self, x, y: setattr(self, "w", self.w[:1]))
    with pytest.raises(Slip, match=r"predict must return 0 or 1; on trial 1 it returned \[1\]"):
        slip(predict=lambda self, x: [1])
    with pytest.raises(Slip, match="Wrong order"):  # what comes first is told
        slip(predict=lambda self, x: setattr(self, "w", 2 * self.w))


def test_an_error_in_w_is_no_error_in_the_call_before():
    def w(self):
        return 1 / 0

    with pytest.raises(ZeroDivisionError) as error:
        slip(w=property(w, lambda self, value: None))
    assert not hasattr(error.value, "__notes__")


def test_what_a_beginner_meets_at_eleven_at_night_is_a_sentence():
    def not_yet(self, *_):
        raise NotImplementedError()

    def whole(self, n, beta):
        self.w, self.beta = np.ones(n, int), beta

    def in_place(self, x, y):
        self.w[x != y] *= self.beta

    def assigned(self, x, y):
        self.w[x != y] = self.beta * self.w[x != y]

    for name in ("__init__", "predict", "update"):
        with pytest.raises(Slip, match=f"^You have not written {name} yet."):
            slip(**{name: not_yet})
    with pytest.raises(Slip, match="^Whole numbers: update puts fractions into .* np.ones"):
        slip(__init__=whole, update=in_place)
    assert slip(__init__=whole, update=assigned).endswith("start with floats, as np.ones(n).")
    assert "whole" not in slip(update=punished)
    with pytest.raises(Slip, match="^Nothing comes back: predict must return 0 or 1; .* None"):
        slip(predict=lambda self, x: None)
    with pytest.raises(Slip, match="^You have not written not_yet yet.$"):
        feedback.expect(not_yet, 1, answer=1)


@pytest.mark.parametrize(
    ("update", "factor"),
    [
        (lambda self, x, y: setattr(self, "w", self.w * np.where(x == y, 2, 1)), "2 = 1/beta"),
        (lambda self, x, y: setattr(self, "w", np.where(x == y, 3, 1.5) * self.w), "3"),
    ],
)
def test_a_right_idea_with_a_factor_is_told_as_what_it_is(update, factor):
    assert slip(update=update) == (
        "Wrong normalisation: after trial 1 your weights are those of the algorithm times"
        f" {factor}; it does not rescale them. Only this factor is wrong."
    )


def test_words_of_a_check_hold_no_latex_and_no_rounding_noise():
    """In every line of a proof that homework asks for."""
    for task in TASKS.values():
        X, y, hypotheses = task.stream(0)
        learner = task.reference(feedback.width(X, y), *task.arguments.values())
        for line in task.theorem(feedback.played(learner, X, y), **hypotheses).lines:
            said = unicode(line.latex) + unicode(line.why)
            assert not set(said) & set("\\{}$") and "  " not in said, said
    assert unicode(r"\|w_{t+1}\|^2 = \tilde{w}_{t,i} + \frac{b_t^2}{1-\eta/2}") == (
        "‖wₜ₊₁‖² = w̃ₜ,ᵢ + (bₜ²/(1-η/2))"
    )
    tiny = slip(update=lambda self, x, y: setattr(self, "w", np.where(x == y, self.w, 2.2e-16)))
    assert "[about 0, about 0" in tiny and "e-16" not in tiny
    close = slip(update=lambda self, x, y: setattr(self, "w", np.where(x == y, self.w, 0.5 + 1e-8)))
    assert "0.50000001" in close, "numbers that differ are shown so that they do"
