"""Answers for the number of sequences with k shifts (homework 5)."""

from collections import deque
from decimal import Decimal
from fractions import Fraction
from math import factorial

import numpy as np

from . import right, subtle, wrong


def _binomials(m):
    row = [1]
    for _ in range(m):
        row = [a + b for a, b in zip([0, *row], [*row, 0], strict=True)]
    return row


@right
def count_formula(T, n):
    return [b * n * (n - 1) ** k for k, b in enumerate(_binomials(T - 1))]


@right
def count_by_steps(length, experts):
    found = [experts]
    for _ in range(length - 1):
        stay, move = [*found, 0], [0, *found]
        found = [a + (experts - 1) * b for a, b in zip(stay, move, strict=True)]
    return np.array(found)


@wrong()
def count_places(T, n):
    return [b * n * (n - 1) ** k for k, b in enumerate(_binomials(T)[:T])]


@wrong()
def count_same_expert(T, n):
    return [b * n * n**k for k, b in enumerate(_binomials(T - 1))]


@wrong()
def count_without_the_first(T, n):
    return [b * (n - 1) ** k for k, b in enumerate(_binomials(T - 1))]


@wrong()
def count_orders(T, n):
    return [(T - 1) ** k * n * (n - 1) ** k for k in range(T)]


@wrong()
def count_too_short(T, n):
    return count_formula(T, n)[:-1]


@wrong()
def count_sum(T, n):
    return n**T


@wrong("Nothing comes back")
def count_prints(T, n):
    count_formula(T, n)


@subtle()
def count_hard_coded(T, n):
    return [2, 4, 2]


@right
def count_recursive(T, n):
    if T == 1:
        return [n]
    before = count_recursive(T - 1, n)
    return [
        (before[k] if k < T - 1 else 0) + (before[k - 1] * (n - 1) if k else 0) for k in range(T)
    ]


@right
def count_table(T, n):
    """How many sequences have k shifts and end with the first expert, times n."""
    table = np.zeros((T, T), object)
    table[0, 0] = 1
    for t in range(1, T):
        table[t] = table[t - 1] + (n - 1) * np.r_[0, table[t - 1, :-1]]
    return deque(n * table[-1])


@right
def count_polynomial(T, n):
    """The coefficients of n (1 + (n - 1) z)^(T - 1)."""
    answer = np.array([n])
    for _ in range(T - 1):
        answer = np.convolve(answer, [1, n - 1])
    return answer


@right
def count_fractions(T, n):
    """Each number from the one before."""
    found = [Fraction(n)]
    for k in range(1, T):
        found.append(found[-1] * (n - 1) * Fraction(T - k, k))
    return found


@right
def count_factorials(T, n):
    f = factorial
    places = [f(T - 1) // (f(k) * f(T - 1 - k)) for k in range(T)]
    return tuple(Decimal(places[k]) * n * Decimal(n - 1) ** k if k else n for k in range(T))


@right
def count_floats(T, n):
    return np.array(count_formula(T, n), float)


@subtle()
def count_two_experts(T, n):
    return count_formula(T, 2)


@subtle()
def count_three_trials(T, n):
    return (count_formula(min(T, 3), n) + [0] * T)[:T]


@subtle()
def count_other_experts(T, n):
    """The right factor is n - 1; for two experts it is n / 2, too."""
    return [b * n * (n / 2) ** k for k, b in enumerate(_binomials(T - 1))]


@subtle()
def count_small_integers(T, n):
    answer = np.array([n], np.int32)
    for _ in range(T - 1):
        answer = np.convolve(answer, np.array([1, n - 1], np.int32))
    return answer


@subtle()
def count_never_back(T, n):
    """Each shift to an expert that was not there before, but for the first."""
    answer, choices = [], 1
    for k, b in enumerate(_binomials(T - 1)):
        answer.append(b * n * choices)
        choices *= max(n - 1 - max(k - 1, 0), 0) if n > 2 else n - 1
    return answer


@wrong("Your code calls the package")
def count_by_the_package(T, n):
    from olc_helpers import sequences

    return [sequences.count_sequences(T, n, k) for k in range(T)]


@subtle()
def count_five_experts(T, n):
    return count_formula(T, min(n, 5))
