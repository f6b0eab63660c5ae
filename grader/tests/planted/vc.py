"""Answers for the VC dimension of a table (homework 6)."""

from itertools import combinations, product
from math import log2

import numpy as np

from . import Number, right, subtle, wrong


def _patterns(C, s):
    return {tuple(row) for row in np.asarray(C)[:, list(s)].tolist()}


@right
def vc_sets(C):
    sizes = range(len(C[0]) + 1)
    return max(
        d for d in sizes for s in combinations(range(len(C[0])), d) if len(_patterns(C, s)) == 2**d
    )


@right
def vc_from_above(C):
    for d in range(C.shape[1], 0, -1):
        for s in combinations(range(C.shape[1]), d):
            if len(_patterns(C, s)) == 2**d:
                return np.int64(d)
    return 0


@right
def vc_grows(C):
    """A set is shattered only if its subsets are."""
    shattered, d = {()}, 0
    while True:
        larger = {(*s, i) for s in shattered for i in range(max(s, default=-1) + 1, C.shape[1])}
        shattered = {s for s in larger if len(_patterns(C, s)) == 2 ** len(s)}
        if not shattered:
            return d
        d += 1


@right
def vc_recursive(C, rows=None):
    """Both halves of a column must have the same rest shattered."""

    def shatters(rows, s):
        if not s:
            return len(rows) > 0
        sides = [[row for row in rows if row[s[0]] == bit] for bit in (0, 1)]
        return all(shatters(side, s[1:]) for side in sides)

    rows, n = C.tolist(), C.shape[1]
    return sum(any(shatters(rows, s) for s in combinations(range(n), d)) for d in range(1, n + 1))


@subtle()
def vc_logarithm(C):
    """An upper bound."""
    return int(log2(len(_patterns(C, range(C.shape[1])))))


@subtle()
def vc_first_columns(C):
    return max(d for d in range(C.shape[1] + 1) if len(_patterns(C, range(d))) == 2**d)


@subtle()
def vc_neighbours(C):
    n = C.shape[1]
    return max(
        d
        for d in range(n + 1)
        for i in range(n - d + 1)
        if len(_patterns(C, range(i, i + d))) == 2**d
    )


@subtle()
def vc_at_most_two(C):
    return min(vc_sets(C), 2)


@subtle()
def vc_columns_with_both(C):
    """Columns in which both bits occur, but for one."""
    both = sum(len(_patterns(C, [i])) == 2 for i in range(C.shape[1]))
    return max(both - 1, min(both, 1)) if len(C) < 2**both else both


@subtle()
def vc_at_least_one(C):
    return max(vc_sets(C), 1)


@wrong()
def vc_all_sets(C):
    """Every set of that size must be shattered."""
    n = C.shape[1]
    return max(
        d
        for d in range(n + 2)
        if all(len(_patterns(C, s)) == 2**d for s in combinations(range(n), d))
    )


@wrong()
def vc_of_points(C):
    return vc_sets(C.T) + 1


@wrong("Nothing comes back")
def vc_prints(C):
    vc_sets(C)


@right
def vc_masks(C):
    """Rows and sets of columns as whole numbers."""
    n = C.shape[1]
    rows = [sum(int(bit) << i for i, bit in enumerate(row)) for row in C]
    sizes = [s.bit_count() for s in range(2**n) if len({r & s for r in rows}) == 2 ** s.bit_count()]
    return max(sizes)


@right
def vc_every_pattern(C):
    found = 0
    for d in range(C.shape[1] + 1):
        for s in combinations(range(C.shape[1]), d):
            wanted = product((0, 1), repeat=d)
            if all((C[:, list(s)] == pattern).all(axis=1).any() for pattern in wanted):
                found = d
    return found


@right
def vc_words(C):
    words = ["".join(map(str, row)) for row in C.tolist()]
    d = 0
    for s in combinations(range(C.shape[1]), 1):
        d = max(d, int(len({word[s[0]] for word in words}) == 2))
    while any(
        len({"".join(word[i] for i in s) for word in words}) == 2 ** (d + 1)
        for s in combinations(range(C.shape[1]), d + 1)
    ):
        d += 1
    return float(d)


@right
def vc_bisects(C):
    """Subsets of shattered sets are shattered: half of the sizes can be left out."""
    low, high = 0, C.shape[1]
    while low < high:
        d = (low + high + 1) // 2
        some = any(len(_patterns(C, s)) == 2**d for s in combinations(range(C.shape[1]), d))
        low, high = (d, high) if some else (low, d - 1)
    return low


@subtle()
def vc_half_the_rows(C):
    return len(C) // 2


@wrong("Your code calls the package")
def vc_by_the_package(C):
    from olc_helpers import dimensions

    return dimensions.vc_dimension(C)


@wrong("Your code calls the package")
def vc_by_its_helper(C):
    from olc_helpers.limits.dimensions import shattered

    sizes = range(C.shape[1] + 1)
    return max(d for d in sizes for s in combinations(range(C.shape[1]), d) if shattered(C, s))


@wrong("Wrong answer: vc_in_brackets([[0, 0], [0, 1], [1, 1]]) returns [1]; it should be 1.")
def vc_in_brackets(C):
    return np.array([vc_sets(C)])


@right
def vc_number(C):
    return Number(vc_sets(C))


@subtle()
def vc_six_columns(C):
    return vc_sets(C[:, :6])


@subtle()
def vc_greedy(C):
    """From each point onwards, and backwards: what can be added, is added."""

    def grown(columns):
        s = []
        for j in columns:
            s += [j] if len(_patterns(C, [*s, j])) == 2 ** (len(s) + 1) else []
        return len(s)

    n = C.shape[1]
    orders = [np.roll(np.arange(n)[::step], k) for k in range(n) for step in (1, -1)]
    return max(map(grown, orders))


@subtle()
def vc_at_most_four(C):
    return min(vc_sets(C), 4)
