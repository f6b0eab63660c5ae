"""Answers for the weights of AdaBoost (homework 2)."""

from fractions import Fraction
from functools import reduce
from math import log

import numpy as np

from . import right, subtle, wrong


def _boosted(right, factor=lambda e: e / (1 - e), error=lambda v, row: v[row == 0].sum()):
    v = np.full(right.shape[1], 1 / right.shape[1])
    for row in right:
        v = np.where(row == 1, v * factor(error(v, row)), v)
        v = v / v.sum()
    return v


@right
def boosted_halves(right):
    """Both sides weigh one half afterwards."""
    v = np.full(right.shape[1], 1 / right.shape[1])
    for row in right.astype(bool):
        v[row] /= 2 * v[row].sum()
        v[~row] /= 2 * v[~row].sum()
    return v


@right
def boosted_at_the_end(right):
    w = np.ones(right.shape[1])
    for row in right:
        w = w * (w[row == 0].sum() / w[row == 1].sum()) ** row
    return w / w.sum()


@right
def boosted_by_losses(right):
    L = np.zeros(right.shape[1])
    for row in right:
        v = np.exp(-L) / np.exp(-L).sum()
        e = v @ (1 - row)
        L += np.log((1 - e) / e) * row
    return np.exp(-L) / np.exp(-L).sum()


@right
def boosted_both_ways(right):
    """Half of the vote up for the wrong, half of it down for the right."""
    v = np.ones(right.shape[1]) / right.shape[1]
    for row in right:
        vote = log(1 / (v * (row == 0)).sum() - 1) / 2
        v = v * np.exp(-vote * (2 * row - 1))
        v /= v.sum()
    return v


@right
def boosted_raises_the_wrong(right):
    v = np.full(right.shape[1], 1 / right.shape[1])
    for row in right:
        e = v[row == 0].sum()
        v = np.where(row == 1, v, v * (1 - e) / e)
        v = v / v.sum()
    return tuple(v)


@right
def boosted_fractions(right):
    v = [Fraction(1, len(right[0]))] * len(right[0])
    for row in right.tolist()[:60]:
        sides = [2 * sum(a for a, b in zip(v, row, strict=True) if b == bit) for bit in (0, 1)]
        v = [(a / sides[b]).limit_denominator(10**40) for a, b in zip(v, row, strict=True)]
    return v


@right
def boosted_recursive(right):
    if len(right) == 0:
        return np.full(right.shape[1], 1 / right.shape[1])
    v, row = boosted_recursive(right[:-1]), right[-1]
    return v / 2 / np.where(row, v @ row, v @ (1 - row))


@right
def boosted_reduced(right):
    def step(w, row):
        return w * np.where(row == 1, w @ (row == 0), w @ (row == 1))

    w = reduce(lambda w, row: step(w, row) / step(w, row).max(), right, np.ones(right.shape[1]))
    return w / sum(w)


@right
def boosted_other_side(right):
    """Right and wrong exchanged: both sides weigh one half all the same."""
    return _boosted(1 - right)


@wrong()
def boosted_upside_down(right):
    return _boosted(right, lambda e: (1 - e) / e)


@wrong()
def boosted_square_root(right):
    """Half of the vote, and only for the right."""
    return _boosted(right, lambda e: np.sqrt(e / (1 - e)))


@wrong()
def boosted_with_the_error(right):
    return _boosted(right, lambda e: e)


@wrong()
def boosted_with_the_vote(right):
    return _boosted(right, lambda e: abs(np.log((1 - e) / e)))


@wrong()
def boosted_not_divided(right):
    v = np.full(right.shape[1], 1 / right.shape[1])
    for row in right:
        e = v[row == 0].sum() / v.sum()
        v = np.where(row == 1, v * e / (1 - e), v)
    return v


@subtle()
def boosted_counts(right):
    """The error counts the examples, whatever they weigh."""
    return _boosted(right, error=lambda v, row: np.mean(row == 0))


@subtle()
def boosted_divides_at_the_end(right):
    """The weights are not divided by their sum before they are an error."""
    w = np.full(right.shape[1], 1 / right.shape[1])
    for row in right:
        e = min(w[row == 0].sum(), 0.999)
        w = np.where(row == 1, w * e / (1 - e), w)
    return w / w.sum()


@subtle()
def boosted_last_round(right):
    return _boosted(right[-1:])


@subtle()
def boosted_first_round(right):
    return _boosted(right[:1])


@subtle()
def boosted_good_rules(right):
    """It leaves rules out that are worse than a coin."""
    return _boosted(right, lambda e: min(1, e / (1 - e)))


@subtle()
def boosted_turns_bad_rules(right):
    return _boosted(right, lambda e: min(e, 1 - e) / max(e, 1 - e))


@subtle()
def boosted_ten_rounds(right):
    return _boosted(right[:10])


@subtle()
def boosted_thirty_rounds(right):
    return _boosted(right[:30])


@subtle()
def boosted_floors(right):
    v = np.maximum(_boosted(right), 1e-3)
    return v / v.sum()


@subtle()
def boosted_errors_kept_away_from_one(right):
    return _boosted(right, error=lambda v, row: np.clip(v[row == 0].sum(), 0.1, 0.9))


@subtle()
def boosted_of_the_first_rule(right):
    """All rounds have the vote of the first."""
    e = np.mean(right[0] == 0)
    w = np.prod(np.where(right == 1, e / (1 - e), 1), axis=0)
    return w / w.sum()


@wrong("Nothing comes back")
def boosted_prints(right):
    _boosted(right)


@wrong("Changed input")
def boosted_writes(right):
    v = _boosted(right)
    right[:] = 0
    return v


@wrong("Your code calls the package")
def boosted_by_the_package(right):
    from olc_helpers import Hedge

    hedge = Hedge(right.shape[1], eta=1)
    for row in right:
        e = hedge.v[row == 0].sum()
        hedge.update(None, row * np.log((1 - e) / e))
    return hedge.v
