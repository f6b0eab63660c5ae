"""Nature against any learner of a class (lecture 13): shattered sets, trees of mistakes, and thresholds that are never found."""

from copy import deepcopy
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np

from ..checks import check_count, check_range, trait
from ..protocol import Run, play
from .dimensions import ConceptClass, check_class, vc_dimension


class ClassSizes(NamedTuple):
    """The number of concepts, floor(lg) of it, VC dimension, optimal mistake bound, and Halving's exact worst case."""

    concepts: int
    lg: int
    vc: int
    opt: int
    halving: int


class NestedIntervals(NamedTuple):
    """A Run on thresholds x <= a, and the closed interval of the targets a that nature keeps, before and after each trial."""

    run: Run
    intervals: list[tuple[Fraction, Fraction]]


def _other_label(learner, x):
    """Return a label that the learner does not predict on x."""
    prediction = learner.predict(x)
    if trait(learner, "labels") == "signs":
        return -1 if prediction > 0 else 1
    return 1 - int(prediction)


def always_wrong(learner, X) -> Run:
    """Return the Run on the rows of X, each with a label that the learner does not predict (VC-P1).

    If the rows are shattered by a class, some concept of it gives these labels: len(X) mistakes for every learner.
    """
    rival, y = deepcopy(learner), []
    for x in X:
        y.append(_other_label(rival, x))
        rival.update(x, y[-1])
    return play(deepcopy(learner), X, np.array(y))


def walk_down(learner, C, X=None) -> Run:
    """Return the Run against nature that walks down the deepest tree of mistakes of a class: opt(C) mistakes (VC-T3).

    The learner sees the column of a point as the advice of the concepts, or the row of X that belongs to the point.
    """
    concepts, rival, rows, y = ConceptClass(C), deepcopy(learner), [], []
    X, V = concepts.C.T if X is None else np.asarray(X), concepts.everything
    while concepts.opt(V) > 0:
        point = concepts.split(V)
        rows.append(X[point])
        y.append(_other_label(rival, rows[-1]))
        rival.update(rows[-1], y[-1])
        V &= concepts.points[point] if y[-1] == 1 else ~concepts.points[point]
    if not rows:
        raise ValueError("C must have two concepts or more, or nature can't make anybody err")
    return play(deepcopy(learner), np.array(rows), np.array(y))


def nested_intervals(learner, T: int, keep=Fraction(1, 3)) -> NestedIntervals:
    """Return T trials with thresholds x <= a on (0, 1), on each of which the learner errs, in exact fractions (VC-C1).

    Nature keeps a closed interval [low, high] of targets, at first [1/4, 3/4], and shows its midpoint x. After the label 1,
    which means a >= x, it keeps the upper third, after the label 0 the lower one: x is never in it. So each end gives all
    labels so far, and by Cantor's theorem some a is in all intervals and gives all labels for ever. With keep = 1/2 nature
    keeps a whole half (E4-12): then x is an end of the next interval, and there may be no such a.
    """
    keep = Fraction(keep)
    check_range("keep", keep, lambda k: 0 < k <= Fraction(1, 2), "in (0, 1/2]")
    rival, xs, y, intervals = deepcopy(learner), [], [], [(Fraction(1, 4), Fraction(3, 4))]
    for _ in range(check_count("T", T)):
        low, high = intervals[-1]
        xs.append((low + high) / 2)
        y.append(_other_label(rival, xs[-1]))
        rival.update(xs[-1], y[-1])
        part = keep * (high - low)
        intervals.append((high - part, high) if y[-1] == 1 else (low, low + part))
    return NestedIntervals(play(deepcopy(learner), xs, np.array(y)), intervals)


def halving_on_class(C) -> int:
    """Return the most mistakes of Halving on targets in the class, whatever the points (TIGHT-10).

    Exact: the state is the set V of the concepts still possible. Each point that splits V makes it smaller, with a mistake if
    the majority, 1 on a tie, leaves. A set that allows floor(lg |V|) mistakes is searched no further.
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


def class_sizes(C) -> ClassSizes:
    """Return |C|, floor(lg |C|), VC(C), opt(C) and Halving's worst case (TIGHT-10): VC <= opt <= Halving <= floor(lg |C|)."""
    C = check_class(C)
    return ClassSizes(len(C), len(C).bit_length() - 1, vc_dimension(C), ConceptClass(C).opt(), halving_on_class(C))
