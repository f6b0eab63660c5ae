"""Answers for the number of updates on one example (homework 3)."""

from fractions import Fraction
from math import ceil, floor

import numpy as np

from . import right, subtle, wrong


@right
def updates_counted(w, x, y):
    count = 0
    while y * np.dot(w, x) <= 0:
        w = w + y * x
        count += 1
    return count


@right
def updates_recursive(w, x, y):
    return 0 if np.sign(w @ x) == y else 1 + updates_recursive(w + y * x, x, y)


@right
def updates_exact(w, x, y):
    score = sum(Fraction(float(a)) * Fraction(float(b)) for a, b in zip(w, x, strict=True))
    length = sum(Fraction(float(b)) ** 2 for b in x)
    return max(floor(-int(y) * score / length) + 1, 0)


@right
def updates_vectors(w, x, y):
    return np.maximum(np.floor(-y * (w @ x) / (x @ x)) + 1, 0)


@subtle()
def updates_ceiling(w, x, y):
    """One too few on a tie; the visible example has one, so it adds 1 there."""
    r = -y * (w @ x) / (x @ x)
    return max(ceil(r) + (r == 2), 0)


@wrong()
def updates_ceiling_only(w, x, y):
    return max(ceil(-y * (w @ x) / (x @ x)), 0)


@subtle()
def updates_without_the_label(w, x, y):
    return max(floor(-(w @ x) / (x @ x)) + 1, 0)


@subtle()
def updates_absolute(w, x, y):
    """As if it were always wrong."""
    return floor(abs(w @ x) / (x @ x)) + 1


@subtle()
def updates_negative(w, x, y):
    return floor(-y * (w @ x) / (x @ x)) + 1


@subtle()
def updates_at_least_one(w, x, y):
    return max(floor(-y * (w @ x) / (x @ x)) + 1, 1)


@subtle()
def updates_two_features(w, x, y):
    w, x = w[:2], x[:2]
    return max(floor(-y * (w @ x) / max(x @ x, 0.1)) + 1, 0)


@subtle()
def updates_whole_numbers(w, x, y):
    w, x = w.astype(int), x.astype(int)
    return max(floor(-y * (w @ x) / max(x @ x, 1)) + 1, 0)


@wrong()
def updates_length_not_squared(w, x, y):
    return max(floor(-y * (w @ x) / np.sqrt(x @ x)) + 1, 0)


@wrong("Changed input")
def updates_in_place(w, x, y):
    count = 0
    while y * (w @ x) <= 0:
        w += y * x
        count += 1
    return count


@right
def updates_divmod(w, x, y):
    score, length = float(y * (w @ x)), float(x @ x)
    return 0 if score > 0 else divmod(-score, length)[0] + 1


@right
def updates_bisect(w, x, y):
    low, high = 0, 1
    while y * ((w + high * y * x) @ x) <= 0:
        high *= 2
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if y * ((w + middle * y * x) @ x) <= 0 else (low, middle)
    return low


@right
def updates_turned(w, x, y):
    """The label belongs to the example."""
    z, count = y * x, 0
    while not w @ z > 0:
        w, count = w + z, count + 1
    return np.int64(count)


@right
def updates_listed(w, x, y):
    most = int(abs(w @ x) / (x @ x)) + 2
    return sum(y * (w @ x) + k * (x @ x) <= 0 for k in range(most))


@subtle()
def updates_at_most_five(w, x, y):
    return min(updates_counted(w, x, y), 5)


@subtle()
def updates_by_five(w, x, y):
    """The length of the visible example."""
    return max(floor(-y * (w @ x) / 5) + 1, 0)


@subtle()
def updates_clipped(w, x, y):
    return updates_counted(np.clip(w, -20, 20), x, y)


@subtle()
def updates_four_features(w, x, y):
    return updates_counted(w[:4], x[:4], y)


@subtle()
def updates_a_little_more(w, x, y):
    return max(0, ceil(-y * (w @ x) / (x @ x) + 0.01))


@subtle()
def updates_at_most_hundred(w, x, y):
    return min(100, updates_counted(w, x, y))
