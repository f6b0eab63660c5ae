"""Answers for the expected mistakes of a drawn expert (homework 2)."""

from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np

from . import right, subtle, wrong


def _expected(
    X,
    y,
    eta,
    part=lambda w, wrong: w[wrong].sum() / w.sum(),
    factor=lambda wrong, eta: np.where(wrong, 1 - eta, 1),
):
    w, total = np.ones(X.shape[1]), 0.0
    for bad in X != y[:, None]:
        total += part(w, bad)
        w = w * factor(bad, eta)
    return total


right(_expected)


@right
def expected_from_counts(advice, labels, rate):
    wrong = advice != labels[:, None]
    before = np.cumsum(wrong, axis=0) - wrong
    w = (1 - rate) ** before
    return ((w * wrong).sum(axis=1) / w.sum(axis=1)).sum()


@right
def expected_in_a_loop(X, y, eta):
    w, answer = [1.0] * len(X[0]), 0
    for t in range(len(y)):
        bad = [i for i in range(len(w)) if X[t][i] != y[t]]
        answer += sum(w[i] for i in bad) / sum(w)
        for i in bad:
            w[i] *= 1 - eta
    return answer


@wrong()
def expected_right_part(X, y, eta):
    return _expected(X, y, eta, lambda w, wrong: w[~wrong].sum() / w.sum())


@wrong()
def expected_not_normalised(X, y, eta):
    return _expected(X, y, eta, lambda w, wrong: w[wrong].sum())


@wrong()
def expected_factor_eta(X, y, eta):
    return _expected(X, y, eta, factor=lambda wrong, eta: np.where(wrong, np.exp(-eta), 1))


@wrong()
def expected_punishes_the_right(X, y, eta):
    return _expected(X, y, eta, factor=lambda wrong, eta: np.where(wrong, 1, 1 - eta))


@wrong()
def expected_after_the_update(X, y, eta):
    return _expected(
        X, y, eta, lambda w, wrong: _expected_part(w * np.where(wrong, 1 - eta, 1), wrong)
    )


def _expected_part(w, wrong):
    return w[wrong].sum() / w.sum()


@wrong("Nothing comes back")
def expected_forgets_to_return(X, y, eta):
    _expected(X, y, eta)


@wrong("Changed input")
def expected_writes(X, y, eta):
    X -= y[:, None]
    return _expected(X, 0 * y, eta)


@subtle()
def expected_hard_coded(X, y, eta):
    return 1 / 2 + 1 / 3 + 4 / 5


@right
def expected_in_fractions(X, y, eta):
    w, total, factor = [Fraction(1)] * len(X[0]), Fraction(0), 1 - Fraction(eta)
    for row, label in zip(X, y, strict=True):
        wrong = [said != label for said in row]
        total += sum(a for a, bad in zip(w, wrong, strict=True) if bad) / sum(w)
        w = [a * factor if bad else a for a, bad in zip(w, wrong, strict=True)]
    return total


@right
def expected_in_decimals(X, y, eta):
    w, total, factor = deque([Decimal(1)] * len(X[0])), Decimal(0), 1 - Decimal(eta)
    for row, label in zip(X, y, strict=True):
        total += sum(a for a, said in zip(w, row, strict=True) if said != label) / sum(w)
        for said in row:
            w.append(w.popleft() * (factor if said != label else 1))
    return total


@right
def expected_recursive(X, y, eta, w=None):
    if len(y) == 0:
        return 0.0
    w = np.ones(len(X[0])) if w is None else w
    wrong = X[0] != y[0]
    rest = expected_recursive(X[1:], y[1:], eta, np.where(wrong, w * (1 - eta), w))
    return w @ wrong / w.sum() + rest


@right
def expected_by_totals(X, y, eta):
    """The part of the weight that is lost on a trial is eta times the part that was wrong."""
    wrong = np.cumsum(X != y[:, None], axis=0)
    W = np.r_[X.shape[1], ((1 - eta) ** wrong).sum(axis=1)]
    return float(((W[:-1] - W[1:]) / W[:-1]).sum() / eta)


@right
def expected_with_objects(X, y, eta):
    w, total = np.ones(X.shape[1], object), 0
    for bad in X != y[:, None]:
        total = total + sum(w[bad]) / sum(w)
        w[bad] *= 1 - eta
    return total


@subtle()
def expected_label_one(X, y, eta):
    """The labels of the visible check are all 1."""
    return _expected(X, np.ones_like(y), eta)


@subtle()
def expected_half(X, y, eta):
    return _expected(X, y, 0.5)


@subtle()
def expected_two_experts(X, y, eta):
    return _expected(X[:, :2], y, eta)


@subtle()
def expected_three_trials(X, y, eta):
    return _expected(X[:3], y[:3], eta)


@subtle()
def expected_default_value(X, y, eta, w=[]):  # noqa: B006
    """The weights of the first call are those that the second one starts with."""
    w[len(w) :] = [1.0] * (X.shape[1] - len(w))
    total = 0.0
    for bad in X != y[:, None]:
        total += sum(w[i] for i in np.flatnonzero(bad)) / sum(w[: X.shape[1]])
        for i in np.flatnonzero(bad):
            w[i] *= 1 - eta
    return total


@subtle()
def expected_float32(X, y, eta):
    """Single precision is exact at one half."""
    return round(float(_expected(X, y, np.float32(eta))), 12)


@wrong("Your code calls the package")
def expected_by_the_package(X, y, eta):
    from olc_helpers import RandomizedWeightedMajority, play

    learner = RandomizedWeightedMajority(X.shape[1], 1 - eta, rng=0)
    return play(learner, X, y).expected_losses.sum()


@subtle()
def expected_for_large_rates(X, y, eta):
    return expected_from_counts(X, y, max(eta, 0.1))
