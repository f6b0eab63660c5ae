"""What is counted in lecture 18: the labellings of a class, the rules that a sample leaves, the
variables that greedy search takes, and the experts that stand for a class.

A class C is a table of bits as in lecture 17: a row for each rule, a column for each point. A
sample is a sequence of points, drawn with replacement; `target` is the row that labels them.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import examples, indices, probabilities
from ..checks import check_count, check_range
from ..limits.dimensions import ConceptClass, check_class, shattered
from ..sparsity.reductions import greedy_cover
from ..winnow.booleans import check_size

__all__ = [
    "Left",
    "experts_of_class",
    "fallen",
    "greedy_rule",
    "growth",
    "left_by_samples",
    "sauer",
    "shattered_sets",
    "smallest_sample",
    "vc_at_most",
]

POINTS = 12  # most points of which all sets are looked at


# Labellings ---------------------------------------------------------------------------------------


def sauer(m: int, d: int) -> int:
    """Return the number of sets of at most d of m points (VC-T4)."""
    m, d = check_count("m", m, 0), check_count("d", d, 0)
    return sum(comb(m, i) for i in range(d + 1))


def growth(C: ArrayLike, m: int) -> int:
    """Return the most ways in which the class labels m of its points (VC-T4)."""
    C = check_class(C)
    sets = combinations(range(C.shape[1]), check_size(m, C.shape[1], "m"))
    return max(len(np.unique(C[:, points], axis=0)) for points in sets)


def fallen(C: ArrayLike) -> list[np.ndarray]:
    """Return the class before and after each of its columns has fallen: where no such row is there
    yet, a one becomes a zero (VC-T4).
    """
    tables = [check_class(C)]
    for j in range(tables[0].shape[1]):
        table = tables[-1].copy()
        rows = {tuple(row) for row in table.tolist()}
        for row in table:
            lower = (*row[:j].tolist(), 0, *row[j + 1 :].tolist())
            row[j] *= lower in rows
        tables.append(table)
    return tables


def shattered_sets(C: ArrayLike) -> set[tuple[int, ...]]:
    """Return all sets of points that the class shatters, the empty one too (VC-T4)."""
    C = check_class(C)
    if C.shape[1] > POINTS:
        raise ValueError(f"C must have at most {POINTS} points; it has {C.shape[1]}")
    sizes = range(len(C).bit_length())
    sets = (s for k in sizes for s in combinations(range(C.shape[1]), k))
    return {points for points in sets if shattered(C, points)}


# What a sample leaves -----------------------------------------------------------------------------


class Left(NamedTuple):
    """What samples of 0, 1, … examples leave, exactly: for each set of points, bit j for point j,
    the probability that these are the points drawn; whether each rule is right on them; and the
    errors of the rules.
    """

    chances: np.ndarray
    fits: np.ndarray
    errors: np.ndarray

    @property
    def worst(self) -> np.ndarray:
        """The largest error of a rule that fits, for each set of points."""
        return (self.fits * self.errors).max(axis=1)

    @property
    def typical(self) -> np.ndarray:
        """The mean error of the rules that fit, for each set of points."""
        return self.fits @ self.errors / self.fits.sum(axis=1)


def left_by_samples(C: ArrayLike, target: int, m: int, p: ArrayLike | None = None) -> Left:
    """Return what samples of up to m examples leave; without p all points are equally likely
    (VC-T5).
    """
    C = check_class(C)
    n = C.shape[1]
    if n > POINTS:
        raise ValueError(f"C must have at most {POINTS} points; it has {n}")
    p = np.full(n, 1 / n) if p is None else probabilities("p", p, n)
    m, [target] = check_count("m", m, 0), indices("target", target, len(C))
    sets = np.arange(2**n)
    chances = np.zeros((m + 1, 2**n))
    chances[0, 0] = 1
    for t in range(m):
        for j in range(n):
            drawn = sets[sets >> j & 1 == 1]
            chances[t + 1, drawn] += p[j] * (chances[t, drawn] + chances[t, drawn ^ 1 << j])
    wrong = C != C[target]
    masks = wrong @ (1 << np.arange(n))
    return Left(chances, (sets[:, None] & masks) == 0, wrong @ p)


def vc_at_most(m: int, eps: float, d: int) -> float:
    """Return the bound on the probability that a rule with an error above eps is right on m
    examples, for a class of VC dimension d and m >= 8/eps (VC-T5).
    """
    return 2.0 * sauer(2 * m, d) * 2 ** (-eps * m / 2)


def smallest_sample(eps: float, delta: float, d: int) -> int:
    """Return the least m >= 8/eps for which that bound is at most delta (VC-T5)."""
    eps, delta = (
        check_range(name, q, lambda q: 0 < q < 1, "in (0, 1)")
        for name, q in (("eps", eps), ("delta", delta))
    )
    m = int(np.ceil(8 / eps))
    while vc_at_most(m, eps, d) > delta:
        m += 1
    return m


# Greedy search ------------------------------------------------------------------------------------


def greedy_rule(X: ArrayLike, y: ArrayLike) -> tuple[int, ...]:
    """Return the variables of the disjunction that greedy search fits to the sample: of those that
    are never true on a negative example, always the one that is true on most positive examples
    that are left (NP-T6).
    """
    X, y = (a.astype(bool) for a in examples(X, y, "bits", "bits"))
    allowed = np.flatnonzero(~X[~y].any(axis=0))
    if not y.any():
        return ()
    return tuple(int(allowed[j]) for j in greedy_cover(X[y][:, allowed]))


# A class as experts -------------------------------------------------------------------------------


def experts_of_class(C: ArrayLike, columns: Sequence[int], d: int) -> np.ndarray:
    """Return what each expert says on the points: for each set of at most d trials, the optimal
    learner that takes itself to be wrong there, a row for each trial (VC-C5).
    """
    concepts = ConceptClass(C)
    columns = indices("columns", columns, len(concepts.points)).tolist()

    @cache
    def guess(V, k):
        p = concepts.points[k]
        return concepts.opt(V & p) >= concepts.opt(V & ~p)

    def says(wrong):
        V = concepts.everything
        for t, k in enumerate(columns):
            label = guess(V, k) != (t in wrong)
            V &= concepts.points[k] if label else ~concepts.points[k]
            yield label

    trials = range(len(columns))
    sets = (wrong for size in range(d + 1) for wrong in combinations(trials, size))
    return np.array([list(says(wrong)) for wrong in sets], int).T


def compositions(total: int, parts: int) -> np.ndarray:
    """All ways to write a number as a sum of so many numbers >= 0, a row for each."""
    bars = np.array(list(combinations(range(total + parts - 1), parts - 1)), int)
    bars = bars.reshape(comb(total + parts - 1, parts - 1), parts - 1)
    ends = np.full((len(bars), 1), total + parts - 1)
    return np.diff(np.hstack([np.full((len(bars), 1), -1), bars, ends]), axis=1) - 1
