"""Answers for the DNF of a table (homework 4)."""

from collections import deque
from fractions import Fraction
from itertools import product

import numpy as np

from . import right, subtle, wrong


def _cube(n):
    return np.arange(2**n)[:, None] >> np.arange(n)[::-1] & 1


@right
def dnf_vectors(values, n):
    return (2 * _cube(n)[values == 1] - 1) * (1 + np.arange(n))


@right
def dnf_loop(values, n):
    terms = []
    for value, x in zip(values, _cube(n), strict=True):
        if value:
            terms.append([i + 1 if x[i] else -i - 1 for i in range(n)])
    return np.array(terms).reshape(-1, n)


@right
def dnf_where(table, number):
    rows = np.flatnonzero(table)
    names = np.arange(1, number + 1)
    return np.where(_cube(number)[rows], names, -names)


@wrong()
def dnf_where_false(values, n):
    return dnf_vectors(1 - values, n)


@wrong()
def dnf_from_zero(values, n):
    return (2 * _cube(n)[values == 1] - 1) * np.arange(n)


@wrong()
def dnf_negated(values, n):
    return -dnf_vectors(values, n)


@wrong()
def dnf_bits(values, n):
    return _cube(n)[values == 1]


@wrong()
def dnf_backwards(values, n):
    return dnf_vectors(values, n)[::-1]


@subtle()
def dnf_without_shape(values, n):
    return np.array([row for row in dnf_vectors(values, n)])


@wrong("Nothing comes back")
def dnf_prints(values, n):
    dnf_vectors(values, n)


@wrong("Changed input")
def dnf_writes(values, n):
    values[:] = values == 1
    terms = dnf_vectors(values, n)
    values[:] = 0
    return terms


@subtle()
def dnf_hard_coded(values, n):
    return [[-1, 2], [1, -2]]


@right
def dnf_recursive(values, n):
    """The terms without x1, then those with it."""
    if n == 0:
        return np.zeros((int(values[0]), 0))
    half = len(values) // 2
    parts = []
    for sign, part in ((-1, values[:half]), (1, values[half:])):
        rest = dnf_recursive(part, n - 1)
        rest = rest + np.sign(rest)
        parts.append(np.column_stack([np.full(len(rest), sign), rest]))
    return np.vstack(parts)


@right
def dnf_binary(values, n):
    """It reads the number of a row in base two."""
    rows = [
        [i if bit == "1" else -i for i, bit in enumerate(f"{number:0{n}b}", 1)]
        for number, value in enumerate(values)
        if value
    ]
    return np.array(rows, object).reshape(len(rows), n)


@right
def dnf_fractions(values, n):
    rows = [deque(map(Fraction, row)) for row in dnf_vectors(values, n).tolist()]
    return rows if rows else np.empty((0, n))


@right
def dnf_product(values, n):
    signs = product((-1, 1), repeat=n)
    rows = [s for s, value in zip(signs, values, strict=True) if value == 1]
    return np.array(rows, float).reshape(-1, n) * range(1, n + 1)


@right
def dnf_masks(values, n):
    answer = np.zeros((int(np.sum(values)), n), np.int8)
    for i in range(n):
        answer[:, i] = [
            (i + 1) * (1 if r >> (n - 1 - i) & 1 else -1) for r in np.flatnonzero(values)
        ]
    return answer


@subtle("IndexError")
def dnf_two_variables(values, n):
    return dnf_vectors(values[:4], 2)


@wrong()
def dnf_other_order(values, n):
    """The first variable changes fastest."""
    return (2 * _cube(n)[:, ::-1][values == 1] - 1) * (1 + np.arange(n))


@right
def dnf_sorted(values, n):
    """The order of the inputs is that of the terms as lists of numbers."""
    return np.array(sorted(dnf_vectors(values, n).tolist())).reshape(-1, n)


@subtle()
def dnf_flat_if_never(values, n):
    """A table without ones gives a list without shape."""
    return dnf_vectors(values, n).tolist()


@subtle()
def dnf_at_most_two_terms(values, n):
    return dnf_vectors(values, n)[:2]


@subtle()
def dnf_first_variables(values, n):
    """It names variables beyond the second like the second."""
    return np.clip(dnf_vectors(values, n), -2, 2)
