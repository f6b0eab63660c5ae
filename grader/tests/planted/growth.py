"""Answers for the number of labellings (homework 6)."""

from itertools import combinations, product
from math import comb

import numpy as np

from . import Number, right, subtle, wrong


def _patterns(C, s):
    return len({tuple(row) for row in C[:, list(s)].tolist()})


def _growth(C, best=max, sets=combinations):
    N = C.shape[1]
    return [best(_patterns(C, s) for s in sets(range(N), m)) for m in range(N + 1)]


def _neighbours(columns, m):
    return [columns[i : i + m] for i in range(len(columns) - m + 1)]


@right
def growth_of_sets(C):
    return _growth(C)


@right
def growth_unique(C):
    g = [1]
    for m in range(1, C.shape[1] + 1):
        sets = combinations(range(C.shape[1]), m)
        g.append(max(len(np.unique(C[:, s], axis=0)) for s in map(list, sets)))
    return np.array(g)


@right
def growth_masks(C):
    g = [0] * (C.shape[1] + 1)
    for mask in product((0, 1), repeat=C.shape[1]):
        m = sum(mask)
        g[m] = max(g[m], len({tuple(row) for row in (C * mask).tolist()}))
    return g


@right
def growth_downwards(C):
    """Fewer and fewer columns, each set once."""
    N = C.shape[1]
    sets, g = {tuple(range(N))}, []
    while sets:
        g.append(max(_patterns(C, s) for s in sets))
        sets = {s[:k] + s[k + 1 :] for s in sets for k in range(len(s))}
    return tuple(g[::-1])


@right
def growth_strings(C):
    rows = ["".join(map(str, row)) for row in C.tolist()]
    return [
        max(len({"".join(row[i] for i in s) for row in rows}) for s in combinations(range(N), m))
        for N in [len(rows[0])]
        for m in range(N + 1)
    ]


@right
def growth_recursive(C):
    """Each column is in the set or not."""

    def rest(columns, kept):
        if not columns:
            return {len(kept): _patterns(C, kept)}
        without, having = rest(columns[1:], kept), rest(columns[1:], [*kept, columns[0]])
        sizes = {*without, *having}
        return {m: max(without.get(m, 0), having.get(m, 0)) for m in sizes}

    return [most for _, most in sorted(rest(list(range(C.shape[1])), []).items())]


@right
def growth_numbers(C):
    return [Number(each) for each in _growth(C)]


@right
def growth_sorted(C):
    return np.array([sorted(each)[-1] for each in _growth(C, best=list)], float)


@right
def growth_without_equal_rows(C):
    return np.array(_growth(np.unique(C, axis=0)))


@wrong()
def growth_without_nothing(C):
    return _growth(C)[1:]


@wrong()
def growth_zero_of_nothing(C):
    return [0, *_growth(C)[1:]]


@wrong()
def growth_of_all(C):
    """What could be, with so many points."""
    return 2 ** np.arange(C.shape[1] + 1)


@wrong()
def growth_smallest_rows(C):
    return [len(C)] * (C.shape[1] + 1)


@wrong()
def growth_summed(C):
    return _growth(C, best=sum)


@wrong()
def growth_only_shattered(C):
    return [2**m if most == 2**m else 0 for m, most in enumerate(_growth(C))]


@wrong("Nothing comes back")
def growth_prints(C):
    _growth(C)


@subtle()
def growth_least(C):
    return _growth(C, best=min)


@subtle()
def growth_first_columns(C):
    return [_patterns(C, range(m)) for m in range(C.shape[1] + 1)]


@subtle()
def growth_neighbours(C):
    return _growth(C, sets=_neighbours)


@subtle()
def growth_of_the_rows(C):
    """2^m, or as many as there are functions."""
    return np.minimum(2 ** np.arange(C.shape[1] + 1), len(np.unique(C, axis=0)))


@subtle()
def growth_of_all_rows(C):
    return [min(2**m, len(C)) for m in range(C.shape[1] + 1)]


@subtle()
def growth_of_sauer(C):
    """The bound in place of the number."""
    g = _growth(C)
    d = max(m for m, most in enumerate(g) if most == 2**m)
    return [sum(comb(m, i) for i in range(d + 1)) for m in range(len(g))]


@subtle()
def growth_one_more(C):
    """Linear, as thresholds are."""
    return [min(m + 1, len(C)) for m in range(C.shape[1] + 1)]


@subtle()
def growth_greedy(C):
    """The best set of m - 1 columns and the best one more."""
    s, g = [], [1]
    while len(g) <= C.shape[1]:
        others = [j for j in range(C.shape[1]) if j not in s]
        s.append(max(others, key=lambda j: _patterns(C, [*s, j])))
        g.append(_patterns(C, s))
    return g


@subtle()
def growth_four_columns(C):
    g = _growth(C)
    return g[:5] + [max(g[:5])] * (len(g) - 5)


@subtle()
def growth_eight_rows(C):
    return _growth(C[:8])


@subtle()
def growth_mean(C):
    return _growth(C, best=lambda each: np.mean(list(each)))


@subtle()
def growth_of_sums(C):
    """Rows with equally many ones count as the same."""
    N = C.shape[1]
    return [
        max(len(set(C[:, list(s)].sum(axis=1).tolist())) for s in combinations(range(N), m))
        for m in range(N + 1)
    ]
