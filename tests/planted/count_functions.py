"""Answers for the number of terms, clauses and functions (homework 4)."""

from decimal import Decimal
from itertools import product
from math import comb

import numpy as np

from . import right, subtle, wrong


@right
def functions_by_size(n):
    """Terms by their number of literals."""
    terms = sum(comb(n, k) * 2**k for k in range(n + 1)) + 1
    return [terms, terms, 1 << (1 << n)]


@right
def functions_listed(n):
    terms = len(list(product((-1, 0, 1), repeat=n))) + 1
    return terms, terms, 2 ** (2**n)


@right
def functions_decimal(n):
    return Decimal(3) ** n + 1, Decimal(3) ** n + 1, Decimal(2) ** 2**n


@right
def functions_recursive(n):
    if n == 0:
        return np.array([2.0, 2.0, 2.0])
    terms, _, functions = functions_recursive(n - 1)
    return np.array([3 * terms - 2, 3 * terms - 2, functions**2])


@wrong()
def functions_without_contradiction(n):
    return 3**n, 3**n, 2**2**n


@wrong()
def functions_two_to_the_n(n):
    return 3**n + 1, 3**n + 1, 2**n


@wrong()
def functions_monotone(n):
    return 2**n + 1, 2**n + 1, 2**2**n


@subtle()
def functions_literals(n):
    """Any set of the 2n literals."""
    return 4**n, 4**n, 2**2**n


@subtle()
def functions_square(n):
    return 3**n + 1, 3**n + 1, 4**n


@subtle()
def functions_one_literal(n):
    return 2 * n + 2, 2 * n + 2, 2**2**n


@subtle()
def functions_double(n):
    return 3 * n + 1, 3 * n + 1, 2 ** (2 * n)


@subtle()
def functions_more_contradictions(n):
    return 3**n + n, 3**n + n, 2**2**n


@subtle()
def functions_small_integers(n):
    return 3**n + 1, 3**n + 1, int(np.array(1).astype(np.int32) << np.int32(min(2**n, 31)))
