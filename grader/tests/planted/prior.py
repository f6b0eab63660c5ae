"""Answers for the prior on sequences (homework 5)."""

from decimal import Decimal
from fractions import Fraction
from math import exp, log

import numpy as np

from . import right, subtle, wrong


@right
def prior_matrix(s, n, alpha):
    p = np.full((n, n), alpha / (n - 1))
    np.fill_diagonal(p, 1 - alpha)
    return p[s[:-1], s[1:]].prod() / n


@right
def prior_recursive(s, n, alpha):
    if len(s) == 1:
        return 1 / n
    return prior_recursive(s[:-1], n, alpha) * (1 - alpha if s[-1] == s[-2] else alpha / (n - 1))


@right
def prior_fractions(s, n, alpha):
    p, alpha = Fraction(1, n), Fraction(alpha)
    for i, j in zip(s, s[1:], strict=False):
        p *= alpha / (n - 1) if i != j else 1 - alpha
    return p


@right
def prior_decimals(s, n, alpha):
    alpha, shifts = Decimal(alpha), int(np.count_nonzero(np.diff(s)))
    return (1 - alpha) ** (len(s) - 1 - shifts) * (alpha / (n - 1)) ** shifts / n


@right
def prior_logarithms(s, n, alpha):
    costs = [
        log(1 - alpha) if i == j else log(alpha / (n - 1)) for i, j in zip(s, s[1:], strict=False)
    ]
    return exp(sum(costs) - log(n))


def _prior(s, n, alpha, stay=None, move=None):
    p = 1 / n
    for i, j in zip(s, s[1:], strict=False):
        p *= (
            (1 - alpha if stay is None else stay)
            if i == j
            else (alpha / (n - 1) if move is None else move)
        )
    return p


@subtle()
def prior_to_one(s, n, alpha):
    """All of alpha to the next expert; right for two."""
    return _prior(s, n, alpha, move=alpha)


@subtle()
def prior_two(s, n, alpha):
    return _prior(s, 2, alpha)


@subtle()
def prior_three(s, n, alpha):
    return _prior(s[:3], n, alpha)


@subtle()
def prior_one_shift(s, n, alpha):
    shifts = int(len(set(s)) > 1)
    return (1 - alpha) ** (len(s) - 1 - shifts) * (alpha / (n - 1)) ** shifts / n


@subtle()
def prior_quarter(s, n, alpha):
    return _prior(s, n, 0.25)


@subtle()
def prior_different_experts(s, n, alpha):
    """It counts the experts, not the shifts; a return is free."""
    shifts = len(set(s)) - 1
    return (1 - alpha) ** (len(s) - 1 - shifts) * (alpha / (n - 1)) ** shifts / n


@wrong()
def prior_to_all(s, n, alpha):
    return _prior(s, n, alpha, stay=1 - alpha + alpha / n, move=alpha / n)


@wrong()
def prior_without_the_first(s, n, alpha):
    return n * _prior(s, n, alpha)


@subtle()
def prior_exchanged(s, n, alpha):
    return _prior(s, n, 1 - alpha)


@wrong()
def prior_sum(s, n, alpha):
    return sum(1 - alpha if i == j else alpha for i, j in zip(s, s[1:], strict=False)) / n


@wrong("Your code calls the package")
def prior_by_the_package(s, n, alpha):
    from olc_helpers.sequences import log_prior, shifts

    return np.exp(log_prior(len(s), n, shifts(s), alpha))


@right
def prior_of_pairs(s, n, alpha):
    chances = {True: 1 - alpha, False: alpha / (n - 1)}
    answer = 1 / n
    for t in range(1, len(s)):
        answer *= chances[s[t] == s[t - 1]]
    return answer


@right
def prior_backwards(s, n, alpha):
    if len(s) == 1:
        return 1 / n
    return prior_backwards(s[:-1], n, alpha) * (1 - alpha if s[-1] == s[-2] else alpha / (n - 1))


@right
def prior_by_blocks(s, n, alpha):
    shifts = int(np.count_nonzero(np.diff(s)))
    return np.float64(1 / n) * (alpha / (n - 1)) ** shifts * (1 - alpha) ** (len(s) - shifts - 1)


@subtle()
def prior_from_end_to_end(s, n, alpha):
    return prior_by_blocks(s[:1] * (len(s) - 1) + [s[-1]], n, alpha)


@subtle()
def prior_five_shifts(s, n, alpha):
    shifts = min(5, int(np.count_nonzero(np.diff(s))))
    return (1 - alpha) ** (len(s) - 1 - shifts) * (alpha / (n - 1)) ** shifts / n


@subtle()
def prior_fifteen_trials(s, n, alpha):
    return prior_matrix(s[:15], n, alpha)


@subtle()
def prior_five_experts(s, n, alpha):
    return _prior(s, min(n, 5), alpha)
