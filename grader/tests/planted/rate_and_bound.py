"""Answers for Hedge with losses up to B (homework 2)."""

from decimal import Decimal
from math import log, sqrt

import numpy as np

from . import right, subtle, wrong


@right
def rate_from_the_bound(T, n, B):
    bound = B * sqrt(2 * T * log(n))
    return [bound / (T * B**2), bound]


@right
def rate_by_powers(T, n, B):
    L = log(n)
    return np.array([(2 * L / (T * B * B)) ** 0.5, (2 * L * T * B * B) ** 0.5])


@right
def rate_in_decimals(T, n, B):
    L, B = Decimal(n).ln(), Decimal(B)
    return (2 * L / T).sqrt() / B, B * (2 * T * L).sqrt()


@right
def rate_by_units(T, n, B):
    rate, bound = np.sqrt(2 * np.log(n)) * np.array([T**-0.5, T**0.5])
    return rate / B, bound * B


def _pair(T, n, B, rate=-1, bound=1, logarithm=np.log):
    L = logarithm(n)
    return np.sqrt(2 * L / T) * B**rate, np.sqrt(2 * T * L) * B**bound


@subtle()
def rate_unchanged(T, n, B):
    return _pair(T, n, B, rate=0)


@subtle()
def rate_times_b(T, n, B):
    return _pair(T, n, B, rate=1)


@subtle()
def rate_with_a_square(T, n, B):
    return _pair(T, n, B, rate=-2)


@subtle()
def bound_unchanged(T, n, B):
    return _pair(T, n, B, bound=0)


@subtle()
def bound_with_a_square(T, n, B):
    return _pair(T, n, B, bound=2)


@subtle()
def bound_with_a_root(T, n, B):
    return _pair(T, n, B, bound=0.5)


@subtle()
def rate_of_the_visible_check(T, n, B):
    return _pair(200, 4, B)


@wrong()
def rate_base_two(T, n, B):
    return _pair(T, n, B, logarithm=np.log2)


@wrong()
def rate_bound_first(T, n, B):
    return _pair(T, n, B)[::-1]


@wrong("Nothing comes back")
def rate_prints(T, n, B):
    _pair(T, n, B)


@right
def rate_from_two_parts(T, n, B):
    """Both parts of ln n / η + η T B² / 2 are the same at the best η."""
    rate = sqrt(log(n) / (T * B**2 / 2))
    return rate, log(n) / rate + rate * T * B**2 / 2


@right
def rate_by_logarithms(T, n, B):
    half = 0.5 * (log(2) + np.log(np.log(n)))
    return np.exp([half - 0.5 * log(T) - log(B), half + 0.5 * log(T) + log(B)])


@right
def rate_in_a_dict(T, n, B):
    answer = {"rate": np.sqrt(2 * np.log(n) / T) / B, "bound": B * np.sqrt(2 * T * np.log(n))}
    return list(answer.values())


@right
def rate_in_bits(T, n, B):
    L = np.log2(n) / np.log2(np.e)
    return np.array([[1 / B, B]])[0] * [np.sqrt(2 * L / T), np.sqrt(2 * L * T)]


@subtle()
def rate_for_small_b(T, n, B):
    return _pair(T, n, min(B, 1))


@subtle()
def rate_of_whole_b(T, n, B):
    return _pair(T, n, max(int(B), 1))


@subtle()
def rate_for_few_trials(T, n, B):
    return rate_from_the_bound(min(T, 300), n, B)


@subtle()
def rate_for_forty_experts(T, n, B):
    return rate_from_the_bound(T, min(n, 40), B)


@subtle()
def rate_up_to_ten(T, n, B):
    return rate_from_the_bound(T, n, min(B, 10))


@subtle()
def bound_at_most_everything(T, n, B):
    rate, bound = _pair(T, n, B)
    return rate, min(bound, T * B)
