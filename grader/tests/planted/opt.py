"""Answers for the optimal mistake bound of a table (homework 6)."""

from functools import cache
from math import log2

import numpy as np

from . import right, subtle, wrong


def _opt(C, value):
    C, best = np.unique(C, axis=0), 0
    for column in C.T:
        if 0 < column.sum() < len(column):
            best = max(best, value(*(_opt(C[column == bit], value) for bit in (0, 1))))
    return best


@right
def opt_short(C):
    """The maximum over the sides is already in the other columns."""
    return _opt(C, lambda a, b: max(1 + min(a, b), a, b))


@right
def opt_sets(C):
    rows = frozenset(map(tuple, C.tolist()))

    @cache
    def solve(rows):
        values = [0]
        for i in range(len(next(iter(rows)))):
            sides = [frozenset(row for row in rows if row[i] == bit) for bit in (0, 1)]
            if all(sides):
                a, b = map(solve, sides)
                values.append(max(a + 1, b + 1) if a == b else max(a, b))
        return max(values)

    return solve(rows)


@right
def opt_trees(C):
    """The deepest complete tree whose branches are all in the class."""

    def has(rows, depth):
        if depth == 0:
            return len(rows) > 0
        return any(
            has(rows[rows[:, i] == 0], depth - 1) and has(rows[rows[:, i] == 1], depth - 1)
            for i in range(rows.shape[1])
        )

    depth = 0
    while has(C, depth + 1):
        depth += 1
    return depth


@right
def opt_as_an_array(C):
    return np.array(opt_short(C), float)


@subtle()
def opt_halving(C):
    """The logarithm is an upper bound."""
    return int(log2(len(np.unique(C, axis=0))))


@wrong()
def opt_longest(C):
    """The worst learner."""
    return _opt(C, lambda a, b: 1 + max(a, b))


@wrong()
def opt_sum(C):
    return _opt(C, lambda a, b: 1 + a + b)


@wrong()
def opt_without_one(C):
    return _opt(C, lambda a, b: max(a, b))


@subtle()
def opt_first_column(C):
    column = C[:, 0]
    if len(np.unique(C, axis=0)) == 1:
        return 0
    if column.all() or not column.any():
        return opt_first_column(C[:, 1:])
    a, b = (opt_first_column(C[column == bit]) for bit in (0, 1))
    return max(1 + min(a, b), a, b)


@subtle()
def opt_one_level(C):
    return int(len(np.unique(C, axis=0)) > 1)


@subtle()
def opt_counts_rows_twice(C):
    return int(log2(len(C)))


@subtle()
def opt_columns(C):
    """Columns that are not constant; at most the logarithm of the rows."""
    both = sum(0 < column.sum() < len(column) for column in C.T)
    return min(both, int(log2(len(np.unique(C, axis=0)))))


@wrong("Nothing comes back")
def opt_prints(C):
    opt_short(C)


@right
def opt_lists(C):
    def solve(rows):
        best = 0
        for i in range(len(rows[0])):
            sides = [[row for row in rows if row[i] == bit] for bit in (0, 1)]
            if all(sides):
                a, b = sorted(map(solve, sides))
                best = max(best, a + 1, b)
        return best

    return solve([list(row) for row in {tuple(row) for row in C.tolist()}])


@right
def opt_masks(C):
    """Sets of rows as whole numbers."""
    rows = sorted({tuple(row) for row in C.tolist()})
    columns = [sum(bit << k for k, bit in enumerate(column)) for column in zip(*rows, strict=True)]

    @cache
    def solve(V):
        sides = [(V & c, V & ~c) for c in columns if V & c and V & ~c]
        return max((max(1 + min(p), *p) for p in (tuple(map(solve, s)) for s in sides)), default=0)

    return solve(2 ** len(rows) - 1)


@right
def opt_stops_early(C):
    """Nobody can force more mistakes than Halving makes."""
    C, best = np.unique(C, axis=0), 0
    for column in C.T:
        if best < int(log2(len(C))) and column.min() < column.max():
            a, b = sorted(opt_stops_early(C[column == bit]) for bit in (0, 1))
            best = max(best, a + 1, b)
    return best


@right
def opt_without_the_column(C):
    """A column that was asked for is constant on both sides."""
    C, values = np.unique(C, axis=0), [0]
    for i in range(C.shape[1]):
        sides = [np.delete(C[C[:, i] == bit], i, axis=1) for bit in (0, 1)]
        if min(map(len, sides)):
            a, b = map(opt_without_the_column, sides)
            values.append(a + 1 if a == b else max(a, b))
    return np.max(values)


@subtle()
def opt_smallest_column(C):
    """The learner chooses the column."""
    C = np.unique(C, axis=0)
    columns = [column for column in C.T if 0 < column.sum() < len(column)]
    sides = [[opt_smallest_column(C[column == bit]) for bit in (0, 1)] for column in columns]
    return min((max(1 + min(a, b), a, b) for a, b in sides), default=0)


@subtle()
def opt_at_most_two(C):
    return min(opt_short(C), 2)


@wrong("Your code calls the package")
def opt_by_the_package(C):
    from olc_helpers import dimensions

    return dimensions.littlestone_dimension(C)


@wrong("Your code calls the package")
def opt_by_its_class(C):
    from olc_helpers.dimensions import ConceptClass

    return ConceptClass(C).opt()


@subtle()
def opt_eight_rows(C):
    return opt_short(np.unique(C, axis=0)[:8])


@subtle()
def opt_most_balanced(C):
    C = np.unique(C, axis=0)
    best = C[:, abs(C.mean(axis=0) - 0.5).argmin()]
    if len(C) == 1:
        return 0
    a, b = (opt_most_balanced(C[best == bit]) for bit in (0, 1))
    return max(1 + min(a, b), a, b)


@subtle()
def opt_of_halving(C):
    """The mistakes that nature forces on Halving."""
    C, most = np.unique(C, axis=0), 0
    for column in C.T:
        if 0 < column.sum() < len(column):
            sides = sorted((C[column == bit] for bit in (0, 1)), key=len)
            small, large = map(opt_of_halving, sides)
            tie = len(sides[0]) == len(sides[1])
            most = max(most, large, 1 + (max(small, large) if tie else small))
    return most
