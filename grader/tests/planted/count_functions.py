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


@right
def functions_powers(n):
    return pow(3, n) + 1, pow(3, n) + 1, pow(2, pow(2, n))


@right
def functions_in_a_loop(n):
    terms, rows = 1, 1
    for _ in range(n):
        terms, rows = 3 * terms, 2 * rows
    functions = 1
    for _ in range(rows):
        functions *= 2
    return [terms + 1] * 2 + [functions]


@right
def functions_of_words(n):
    """A variable is there, negated, or not there: numbers with digits 0, 1, 2."""
    largest = int("2" * n, 3)
    return largest + 2, largest + 2, int("1" + "0" * 2**n, 2)


@right
def functions_dual(n):
    """Clauses are the negated terms."""
    terms = 1 + np.prod([3] * n, dtype=object)
    return terms, terms, 4 ** (2**n // 2)


@subtle()
def functions_up_to_three(n):
    return functions_by_size(min(n, 3))


@wrong()
def functions_no_empty_term(n):
    return 3**n - 1, 3**n - 1, 2**2**n


@subtle()
def functions_clauses_otherwise(n):
    return 3**n + 1, 2 * n + 2, 2**2**n


@subtle()
def functions_up_to_six(n):
    return functions_by_size(min(n, 6))


@subtle()
def functions_of_64_bits(n):
    return 3**n + 1, 3**n + 1, 2 ** min(2**n, 64)
