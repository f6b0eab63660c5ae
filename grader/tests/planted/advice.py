"""Answers for the advice that forces mistakes (homework 1)."""

import numpy as np

from . import right, subtle, wrong

NOBODY = "AssertionError: with n = "


@right
def advice_digits(labels, n):
    return [i // 2 ** len(labels) % 2 for i in range(n)]


@right
def advice_splits(labels, n):
    """It follows the group of clean experts."""
    group = list(range(2 ** (n.bit_length() - 1)))
    for label in labels:
        half = len(group) // 2
        group = group[half:] if label else group[:half]
    return np.isin(np.arange(n), group[len(group) // 2 :]).astype(int)


@right
def advice_words(labels, n):
    width = n.bit_length()
    return tuple(int(f"{i:0{width}b}"[width - 1 - len(labels)]) for i in range(n))


@right
def advice_recursive(labels, n):
    if not labels:
        return np.arange(n) % 2
    return np.repeat(advice_recursive(labels[1:], (n + 1) // 2), 2)[:n]


@wrong(NOBODY)
def advice_zeros(labels, n):
    return [0] * n


@wrong(NOBODY)
def advice_same_halves(labels, n):
    """The halves of all experts, not of the clean ones."""
    return [i < n // 2 for i in range(n)]


@subtle(NOBODY)
def advice_ones_first(labels, n):
    return np.arange(n) <= len(labels)


@wrong("AssertionError: advice for n = 4 must be 4 numbers 0 or 1")
def advice_signs(labels, n):
    return 2 * (np.arange(n) >> len(labels) & 1) - 1


@wrong("AssertionError: advice for n = 4 must be 4 numbers 0 or 1")
def advice_short(labels, n):
    return (np.arange(n) >> len(labels) & 1)[:-1]


@wrong("AssertionError: advice for n = 4 must be 4 numbers 0 or 1")
def advice_numbers(labels, n):
    return np.arange(n) >> len(labels)


@subtle(NOBODY)
def advice_highest_digit_first(labels, n):
    """Right for powers of two."""
    width = int(np.ceil(np.log2(n)))
    return np.arange(n) >> (width - 1 - len(labels)) & 1


@subtle(NOBODY)
def advice_two_trials(labels, n):
    return np.arange(n) >> len(labels) % 2 & 1


@subtle(NOBODY)
def advice_eight_bits(labels, n):
    """The number of an expert does not fit."""
    return np.arange(n).astype(np.int8) % 100 >> len(labels) & 1


@subtle(NOBODY)
def advice_rounded_halves(labels, n):
    """The larger part says 1, so that the zeros run out."""
    group = list(range(n))
    for label in labels:
        half = len(group) // 3 if len(group) > 4 else len(group) // 2
        group = group[half:] if label else group[:half]
    half = len(group) // 3 if len(group) > 4 else len(group) // 2
    return np.isin(np.arange(n), group[half:])


@right
def advice_mirrored(labels, n):
    """Zeros and ones may change places."""
    return 1 - (np.arange(n) >> len(labels) & 1)


@right
def advice_bytes(labels, n):
    return bytearray(i >> len(labels) & 1 for i in range(n))


@right
def advice_booleans(labels, n):
    return (np.arange(n) // 2 ** len(labels)) % 2 == 1


@right
def advice_from_above(labels, n):
    """The digits of the first experts from the left, all others idle."""
    digits = n.bit_length() - 1
    return [i >> (digits - 1 - len(labels)) & 1 if i < 2**digits else 0 for i in range(n)]


@subtle(NOBODY)
def advice_for_four(labels, n):
    return [i >> len(labels) & 1 if i < 4 else 0 for i in range(n)]


@wrong(NOBODY)
def advice_follows_ones(labels, n):
    """Whoever said 0 last is never asked again."""
    return [i >> len(labels) & 1 if not labels or labels[-1] or i < 2 else 0 for i in range(n)]


@right
def advice_by_fractions(labels, n):
    return np.arange(n) * 2 ** (len(labels) + 1) // n % 2
