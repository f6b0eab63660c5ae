"""How rich is a class of concepts? The VC dimension, the optimal mistake bound, and half-spaces
(lecture 17).

A finite class C is a table of zeros and ones: a row for each concept, a column for each point. To
the on-line protocol the concepts are experts: the column of a point is the advice x, so that
`play(Halving(len(C)), C.T[points], labels)` learns it.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import examples, indices
from ..checks import check_count, check_values
from ..optional import needed_for
from ..own_work import answer
from ..winnow.booleans import check_size, cube, disjunction_advice

__all__ = [
    "ConceptClass",
    "OptimalLearner",
    "disjunctions",
    "halfspace_count",
    "halfspace_labellings",
    "intervals",
    "littlestone_dimension",
    "products",
    "radon",
    "separator",
    "shattered",
    "shattered_set",
    "singletons",
    "threshold_functions",
    "thresholds",
    "two_sided_rays",
    "vc_dimension",
]


def check_class(C: ArrayLike) -> np.ndarray:
    """Return C as a table of bits, the first of equal rows alone, or raise if it is no class of
    concepts.
    """
    C = check_values("C", C, "bits")
    if C.ndim != 2 or len(C) == 0:
        raise ValueError(
            "C must be a table with a row for each concept, at least one, and a column for each"
            f" point; its shape is {C.shape}"
        )
    return C[np.sort(np.unique(C, axis=0, return_index=True)[1])].astype(int)


# Shattering ---------------------------------------------------------------------------------------


@answer
def shattered(C: ArrayLike, points: Iterable[int]) -> bool:
    """Return whether the concepts label the points, some columns of C, in all 2^d ways (VC-D1)."""
    C = check_class(C)
    chosen = indices("points", points, C.shape[-1])
    if 2 ** len(chosen) > len(C):
        return False
    codes = C[:, chosen] @ (1 << np.arange(len(chosen)))
    return bool(np.bincount(codes, minlength=2 ** len(chosen)).all())


@answer
def shattered_set(C: ArrayLike) -> tuple[int, ...]:
    """Return a largest set of columns that C shatters, the first one in the order of the columns.

    A subset of a shattered set is shattered, so sets grow by one point at a time.
    """
    concepts = ConceptClass(C)
    # Each with the concepts that give each of its labellings.
    sets: dict[tuple[int, ...], list[int]] = {(): [concepts.everything]}
    while bigger := {
        (*s, x): [part for V in parts for part in (V & p, V & ~p)]
        for s, parts in sets.items()
        for x, p in enumerate(concepts.points)
        if x > max(s, default=-1) and all(V & p and V & ~p for V in parts)
    }:
        sets = bigger
    return next(iter(sets))


@answer
def vc_dimension(C: ArrayLike) -> int:
    """Return the size of the largest set of points that the class shatters (VC-D1), by brute
    force.
    """
    return len(shattered_set(C))


# The optimal mistake bound ------------------------------------------------------------------------


def as_number(bits: np.ndarray) -> int:
    """Return the set of the places where there is a 1 as a whole number, bit i for place i."""
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


@answer
class ConceptClass:
    """A finite class with the search for its optimal mistake bound; a set V of its concepts is a
    whole number, bit i for row i.

    opt(V) is the depth of the deepest tree of mistakes: a point, and below it, for each label, a
    tree for the concepts of V that give this label. Only sets that a search meets are looked at,
    and each once.
    """

    def __init__(self, C):
        self.C = check_class(C)
        self.everything = (1 << len(self.C)) - 1
        self.points = [as_number(column) for column in self.C.T]

    @cached_property
    def _tests(self):
        """The points without repetition, up to a swap of the labels."""
        return sorted({min(p, self.everything & ~p) for p in self.points} - {0})

    @cached_property
    def _reaches(self):
        @cache
        def reaches(V, depth):
            """Whether V has a tree of mistakes of this depth: it takes 2^depth concepts and depth
            points that split V.
            """
            size, need = V.bit_count(), int(2**depth)  # none for a tree of depth -1
            half = need // 2
            if size < need or depth <= 1:
                return size >= need
            sides = [(a.bit_count(), a) for a in (V & p for p in self._tests)]
            splits = [(k, a) for k, a in sides if 0 < k < size]
            few = [
                (k, a) if 2 * k <= size else (size - k, V ^ a)
                for k, a in splits
                if half <= k <= size - half
            ]
            few.sort(key=lambda side: -side[0])
            return len(splits) >= depth and any(
                reaches(a, depth - 1) and reaches(V ^ a, depth - 1) for _, a in few
            )

        return reaches

    def opt(self, V: int | None = None) -> int:
        """Return the mistakes that nature can force if the target is in V (all concepts by
        default); -1 if V is empty.
        """
        V = self.everything if V is None else V
        depth = -1
        while V and self._reaches(V, depth + 1):
            depth += 1
        return depth

    def split(self, V: int) -> int:
        """Return the first point on which nature does best against V: both labels leave opt(V) - 1
        mistakes.
        """
        left = self.opt(V) - 1
        return next(
            k
            for k, p in enumerate(self.points)
            if self._reaches(V & p, left) and self._reaches(V & ~p, left)
        )


@answer
def littlestone_dimension(C: ArrayLike) -> int:
    """Return opt(C), the fewest mistakes that a deterministic learner can ensure on every target in
    C (VC-T3).

    Exact, by a search for the deepest tree of mistakes (Littlestone). Up to about 100 concepts take
    moments.
    """
    return ConceptClass(C).opt()


@answer
class OptimalLearner:
    """Predict the label that leaves the larger opt among the concepts still possible, 1 on a tie;
    then drop the wrong ones.

    This is Littlestone's standard optimal algorithm: its mistakes on targets in C are at most
    opt(C). x is a column of C.
    """

    inputs = labels = "bits"

    def __init__(self, C):
        self.concepts = ConceptClass(C)
        self.n, self.w = len(self.concepts.C), np.ones(len(self.concepts.C), bool)

    def opt(self, consistent: np.ndarray) -> int:
        """Return the optimal mistake bound of the concepts in a mask."""
        return self.concepts.opt(as_number(consistent))

    def predict(self, x):
        return int(self.opt(self.w & (x == 1)) >= self.opt(self.w & (x == 0)))

    def update(self, x, y):
        self.w = self.w & (x == y)


# Half-spaces --------------------------------------------------------------------------------------


def separator(X: ArrayLike, y: ArrayLike) -> np.ndarray | None:
    """Return (w, b) with y (w·x + b) >= 1 on every row, by linear programming, or None if no
    hyperplane separates.
    """
    with needed_for("looking for a hyperplane"):
        from scipy.optimize import linprog
    X, y = examples(X, y)
    A = y[:, None] * np.column_stack([X, np.ones(len(X))])
    found = linprog(
        np.zeros(A.shape[1]), A_ub=-A, b_ub=-np.ones(len(A)), bounds=(None, None), method="highs"
    )
    return found.x if found.status == 0 else None


def halfspace_labellings(X: ArrayLike) -> np.ndarray:
    """Return the labellings of the rows of X, one in each row, that some half-space gives them
    (VC-E2).

    With a labelling its opposite is possible too, so half of the 2^m linear programs are enough.
    """
    X, y = examples(X, np.ones(np.shape(X)[:1]))
    signs = 1 - 2 * cube(len(y))
    possible = np.array([separator(X, y) is not None for y in signs[: len(signs) // 2]])
    return signs[np.concatenate([possible, possible[::-1]])]


def radon(X: ArrayLike) -> list[Fraction]:
    """Return numbers λ, not all 0, with Σ λ_i = 0 and Σ λ_i x_i = 0, for n + 2 points or more in n
    dimensions (VC-T1).

    The points with λ > 0 and those with λ < 0 are a Radon partition: their convex hulls meet, so no
    hyperplane separates them.
    """
    X = check_values("X", X, "real")
    if X.ndim != 2 or len(X) < X.shape[1] + 2:
        raise ValueError(f"X must have at least n + 2 rows in n dimensions; its shape is {X.shape}")
    rows = [[Fraction(v) for v in row] for row in [*X.T.tolist(), [1] * len(X)]]
    pivots: list[int] = []
    for column in range(len(X)):  # Gauss and Jordan, in fractions
        row = next((r for r in rows[len(pivots) :] if r[column]), None)
        if row is None:
            break
        rows.remove(row)
        row = [v / row[column] for v in row]
        rows = [[a - r[column] * b for a, b in zip(r, row, strict=True)] for r in rows]
        rows.insert(len(pivots), row)
        pivots.append(column)
    free = len(pivots)
    return (
        [-rows[k][free] for k in range(free)] + [Fraction(1)] + [Fraction(0)] * (len(X) - free - 1)
    )


def halfspace_count(m: int, n: int) -> int:
    """Return 2 Σ_{i <= n} C(m - 1, i), the most labellings of m points in n dimensions by
    half-spaces (VC-C3).
    """
    m, n = check_count("m", m), check_count("n", n, 0)
    return 2 * sum(comb(m - 1, i) for i in range(n + 1))


@cache
def threshold_functions(n: int) -> np.ndarray:
    """Return the table of the boolean functions 1[w·x > θ] of n <= 4 variables, with a column for
    each row of cube(n) (VC-C3).

    The weights are tried from -3 to 3. That no function is missed is checked: each of the others
    has two positive points and two negative ones with the same sum, a + b = c + d, and then w·a >
    θ, w·b > θ gives w·c > θ or w·d > θ.
    """
    if check_count("n", n) > 4:
        raise ValueError(f"n must be at most 4, there are 2^(2^n) functions; got {n}")
    X, every = cube(n), cube(2**n)
    scores = np.array(list(product(range(-3, 4), repeat=n))) @ X.T
    levels = np.arange(scores.min() - 1, scores.max() + 1)[:, None]
    found = every[np.unique((scores[:, None] > levels) @ (1 << np.arange(2**n)[::-1]))]
    if len(found) != np.sum(~_summable(every.astype(bool), X)):
        raise AssertionError("a threshold function needs larger weights")
    found.flags.writeable = False
    return found


def _summable(tables, X):
    """Return for each table whether f(a) = f(b) = 1 and f(c) = f(d) = 0 for points with a + b = c +
    d.
    """
    sums = {}
    for a, b in combinations(range(len(X)), 2):
        sums.setdefault(tuple(X[a] + X[b]), []).append((a, b))
    bad = np.zeros(len(tables), bool)
    for pairs in sums.values():
        ones = np.array([tables[:, a] & tables[:, b] for a, b in pairs])
        zeros = np.array([~tables[:, a] & ~tables[:, b] for a, b in pairs])
        bad |= ones.any(axis=0) & zeros.any(axis=0)
    return bad


# Classes ------------------------------------------------------------------------------------------


def thresholds(N: int) -> np.ndarray:
    """Return the class of thresholds x <= a on N points of a line: N + 1 concepts (VC-E1)."""
    return np.tri(check_count("N", N) + 1, N, -1, dtype=int)


def singletons(N: int) -> np.ndarray:
    """Return the class of N concepts, each of which contains one of N points."""
    return np.eye(check_count("N", N), dtype=int)


def two_sided_rays(N: int) -> np.ndarray:
    """Return the class of rays on N points of a line, to the left or to the right: half-spaces in
    one dimension (VC-T1).
    """
    return np.unique(np.concatenate([thresholds(N), 1 - thresholds(N)]), axis=0)


def intervals(N: int) -> np.ndarray:
    """Return the class of intervals on N points of a line, with the empty one."""
    points = np.arange(check_count("N", N))
    return np.unique(
        [(a <= points) & (points < b) for a in range(N + 1) for b in range(a, N + 1)], axis=0
    ).astype(int)


def disjunctions(n: int, k: int, at_most: bool = False) -> np.ndarray:
    """Return the class of monotone disjunctions of k, or of at most k, out of n variables; the
    points are {0,1}^n (TIGHT-10).

    "At most" counts the empty disjunction, which is never true.
    """
    X, k = cube(n), check_size(k, n)
    if not at_most:
        return disjunction_advice(X, k).T
    return np.vstack(
        [np.zeros((1, 2**n), int), *(disjunction_advice(X, j).T for j in range(1, k + 1))]
    )


def products(A: ArrayLike, B: ArrayLike) -> np.ndarray:
    """Return the class of pairs of concepts, one of A and one of B, on the points of both: VC and
    opt are the sums.
    """
    A, B = check_class(A), check_class(B)
    return np.hstack([np.repeat(A, len(B), axis=0), np.tile(B, (len(A), 1))])
