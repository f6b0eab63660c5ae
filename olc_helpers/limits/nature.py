"""Nature against any learner of a class (lecture 17): shattered sets, trees of mistakes, and
thresholds that are never found.
"""

from copy import deepcopy
from fractions import Fraction
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..checks import check_count, check_range
from ..experts.nature import Opponent
from ..protocol import Learner, Run, play
from .dimensions import ConceptClass, check_class, vc_dimension


class ClassSizes(NamedTuple):
    """The number of concepts, floor(lg) of it, VC dimension, optimal mistake bound, and Halving's
    exact worst case.
    """

    concepts: int
    lg: int
    vc: int
    opt: int
    halving: int


class NestedIntervals(NamedTuple):
    """A Run on thresholds x <= a, and the closed interval of the targets a that nature keeps,
    before and after each trial.
    """

    run: Run
    intervals: list[tuple[Fraction, Fraction]]


def always_wrong(learner: Learner, X: ArrayLike) -> Run:
    """Return the Run on the rows of X, each with a label that the learner does not predict (VC-P1).

    If the rows are shattered by a class, some concept of it gives these labels: len(X) mistakes for
    every learner.
    """
    return play(deepcopy(learner), X, partial(Opponent.other_label, learner))


def walk_down(learner: Learner, C: ArrayLike, X: ArrayLike | None = None) -> Run:
    """Return the Run against nature that walks down the deepest tree of mistakes of a class: opt(C)
    mistakes (VC-T3).

    The learner sees the column of a point as the advice of the concepts, or the row of X that
    belongs to the point.
    """
    concepts, nature = ConceptClass(C), Opponent(learner)
    X, V = concepts.C.T if X is None else np.asarray(X), concepts.everything
    while concepts.opt(V) > 0:
        point = concepts.split(V)
        ones = concepts.points[point]
        V &= ones if nature.trial(X[point]) == 1 else ~ones
    if not nature.y:
        raise ValueError("C must have two concepts or more, or nature can't make anybody err")
    return nature.run()


def nested_intervals(learner: Learner, T: int, keep: Fraction = Fraction(1, 3)) -> NestedIntervals:
    """Return T trials with thresholds x <= a on (0, 1), on each of which the learner errs, in exact
    fractions (VC-C1).

    Nature keeps a closed interval [low, high] of targets, at first [1/4, 3/4], and shows its
    midpoint x. After the label 1, which means a >= x, it keeps the upper third, after the label 0
    the lower one: x is never in it. So each end gives all labels so far, and by Cantor's theorem
    some a is in all intervals and gives all labels for ever. With keep = 1/2 nature keeps a whole
    half (E4-12): then x is an end of the next interval, and there may be no such a.
    """
    keep = Fraction(keep)
    check_range("keep", keep, lambda k: 0 < k <= Fraction(1, 2), "in (0, 1/2]")
    nature, intervals = Opponent(learner), [(Fraction(1, 4), Fraction(3, 4))]
    for _ in range(check_count("T", T)):
        low, high = intervals[-1]
        y, part = nature.trial((low + high) / 2), keep * (high - low)
        intervals.append((high - part, high) if y == 1 else (low, low + part))
    return NestedIntervals(nature.run(), intervals)


def halving_on_class(C: ArrayLike) -> int:
    """Return the most mistakes of Halving on targets in the class, whatever the points (TIGHT-10).

    Exact: the state is the set V of the concepts still possible. Each point that splits V makes it
    smaller, with a mistake if the majority, 1 on a tie, leaves. A set that allows floor(lg |V|)
    mistakes is searched no further.
    """
    concepts = ConceptClass(C)

    @cache
    def worst(V):
        best, bound = 0, V.bit_count().bit_length() - 1
        for p in concepts.points:
            ones, zeros = V & p, V & ~p
            if best < bound and ones and zeros:
                says_one = ones.bit_count() >= zeros.bit_count()
                best = max(best, worst(ones) + (not says_one), worst(zeros) + says_one)
        return best

    return worst(concepts.everything)


def class_sizes(C: ArrayLike) -> ClassSizes:
    """Return |C|, floor(lg |C|), VC(C), opt(C) and Halving's worst case (TIGHT-10): VC <= opt <=
    Halving <= floor(lg |C|).
    """
    C = check_class(C)
    return ClassSizes(
        len(C), len(C).bit_length() - 1, vc_dimension(C), ConceptClass(C).opt(), halving_on_class(C)
    )
