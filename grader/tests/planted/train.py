"""Answers for training until a pass is clean (homework 3)."""

from array import array
from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np

from . import right, subtle, wrong


def _train(
    X,
    y,
    limit=1000,
    mistake=lambda score: score <= 0,
    step=lambda x, label: label * x,
    start=0,
    counts_clean=1,
):
    w = np.full(X.shape[1], float(start))
    for passes in range(1, limit + 1):
        before = w
        for x, label in zip(X, y, strict=True):
            if mistake(label * (w @ x)):
                w = w + step(x, label)
        if w is before:
            return np.append(w, passes - 1 + counts_clean)
    return np.append(w, limit)


right(_train)


@right
def train_in_place(points, signs, limit=1000):
    w, passes, errors = np.zeros(points.shape[1]), 0, 1
    while errors and passes < limit:
        passes, errors = passes + 1, 0
        for i in range(len(signs)):
            if np.sign(w.dot(points[i])) != signs[i]:
                w += signs[i] * points[i]
                errors += 1
    return [*w, passes]


@right
def train_signed(X, y, limit=1000):
    Z, w, errors = X * y[:, None], np.zeros(X.shape[1]), []
    while not errors or errors[-1] and len(errors) < limit:
        errors.append(0)
        for z in Z:
            if z @ w <= 0:
                w, errors[-1] = w + z, 1
    return np.r_[w, len(errors)]


@wrong()
def train_strict(X, y, limit=1000):
    return _train(X, y, limit, mistake=lambda score: score < 0)


@wrong()
def train_one_pass(X, y, limit=1000):
    return _train(X, y, 1)


@wrong()
def train_without_the_clean_pass(X, y, limit=1000):
    return _train(X, y, limit, counts_clean=0)


@wrong()
def train_adds_x(X, y, limit=1000):
    return _train(X, y, min(limit, 50), step=lambda x, label: x)


@wrong()
def train_margin(X, y, limit=1000):
    return _train(X, y, limit, mistake=lambda score: score <= 1)


@wrong()
def train_other_start(X, y, limit=1000):
    return _train(X, y, limit, start=1)


@subtle()
def train_ignores_the_limit(X, y, limit=1000):
    return _train(X, y, 1000)


@wrong("Changed input")
def train_writes(X, y, limit=1000):
    X *= y[:, None]
    return _train(X, np.ones(len(y)), limit)


@subtle()
def train_hard_coded(X, y, limit=1000):
    return np.array([1, 2, 2])


def _train_numbers(number, X, y, limit):
    rows = [[number(float(value)) for value in x] for x in X]
    w, passes, clean = [number(0)] * len(rows[0]), 0, False
    while not clean and passes < limit:
        passes, clean = passes + 1, True
        for x, label in zip(rows, map(int, y), strict=True):
            if label * sum(a * b for a, b in zip(w, x, strict=True)) <= 0:
                w, clean = [a + label * b for a, b in zip(w, x, strict=True)], False
    return w, passes


@right
def train_in_fractions(X, y, limit=1000):
    w, passes = _train_numbers(Fraction, X, y, limit)
    return array("d", [*w, passes])


@right
def train_in_decimals(X, y, limit=1000):
    w, passes = _train_numbers(Decimal, X, y, limit)
    return deque([*map(float, w), passes])


@right
def train_recursive(X, y, limit=1000, passes=1, start=None):
    w = start = np.zeros(X.shape[1]) if start is None else start
    for x, label in zip(X, y, strict=True):
        w = w + label * x if label * np.dot(w, x) <= 0 else w
    if w is start or passes == limit:
        return np.append(w, passes)
    return train_recursive(X, y, limit, passes + 1, w)


@right
def train_dual(X, y, limit=1000):
    """It counts the mistakes on each example."""
    counts, gram = np.zeros(len(y)), X @ X.T
    for passes in range(1, limit + 1):
        before = counts.sum()
        for i in range(len(y)):
            counts[i] += y[i] * (gram[i] @ (counts * y)) <= 0
        if counts.sum() == before or passes == limit:
            return np.append((counts * y) @ X, passes)


@right
def train_endless_stream(X, y, limit=1000):
    """It stops after as many right answers in a row as there are examples, at the end of a pass."""
    w, last = np.zeros(X.shape[1]), 0
    for t in range(limit * len(y)):
        i = t % len(y)
        if np.sign(X[i] @ w) != y[i]:
            w, last = w + y[i] * X[i], t // len(y) + 1
        if i == len(y) - 1 and last <= t // len(y):
            break
    return [*w, t // len(y) + 1]


@subtle()
def train_two_features(X, y, limit=1000):
    w, passes = _train_numbers(float, X[:, :2], y, limit)
    return [*w, passes]


@subtle()
def train_below_one(X, y, limit=1000):
    return _train(X, y, limit, mistake=lambda score: score < 1)


@subtle()
def train_whole_weights(X, y, limit=1000):
    return _train(X, y, limit, step=lambda x, label: label * np.trunc(x))


@subtle()
def train_ties_at_the_start(X, y, limit=1000):
    """A tie is a mistake only on the first example."""
    w, passes, clean = y[0] * X[0].astype(float), 0, False
    while not clean and passes < limit:
        passes, clean = passes + 1, passes > 0
        for x, label in zip(X, y, strict=True):
            if label * (w @ x) < 0:
                w, clean = w + label * x, False
    return np.append(w, passes)


@subtle()
def train_default_value(X, y, limit=1000, kept={}):  # noqa: B006
    """It goes on with the weights of the call before."""
    w, passes, clean = kept.get("w", np.zeros(X.shape[1])), 0, False
    w = np.resize(w, X.shape[1])
    while not clean and passes < limit:
        passes, clean = passes + 1, True
        for x, label in zip(X, y, strict=True):
            if label * (w @ x) <= 0:
                w, clean = w + label * x, False
    kept["w"] = w
    return np.append(w, passes)


@subtle()
def train_one_pass_too_many(X, y, limit=1000):
    """Without a clean pass it says limit + 1."""
    answer = _train(X, y, limit)
    w, passes = answer[:-1], answer[-1]
    clean = (y * (X @ w) > 0).all()
    return np.append(w, passes if clean else passes + 1)


@subtle()
def train_first_two_examples(X, y, limit=1000):
    return _train(X[:2], y[:2], limit)


@wrong("Your code calls the package")
def train_by_the_package(X, y, limit=1000):
    from olc_helpers import Perceptron, play

    run = play(Perceptron(X.shape[1]), X, y, epochs=limit, until_consistent=True)
    return [*run.weights[-1], len(run) // len(y)]


@subtle()
def train_eight_passes(X, y, limit=1000):
    return _train(X, y, min(limit, 8))


@subtle()
def train_thirty_passes(X, y, limit=1000):
    return _train(X, y, min(limit, 30))


@subtle()
def train_ten_rows(X, y, limit=1000):
    return _train(X[:10], y[:10], limit)


@subtle()
def train_four_features(X, y, limit=1000):
    found = _train(X[:, :4], y, limit)
    return np.concatenate([found[:-1], 0 * X[0, 4:], found[-1:]])


@subtle()
def train_almost_zero(X, y, limit=1000):
    return _train(X, y, limit, mistake=lambda score: score < 0.05)


@subtle()
def train_at_most_forty_passes(X, y, limit=1000):
    return _train(X, y, min(limit, 40))


@subtle()
def train_twenty_rows(X, y, limit=1000):
    return _train(X[:20], y[:20], limit)


@right
def train_as_one_stream(X, y, limit=1000):
    """It stops when as many examples as there are went by without a mistake."""
    w, m, clean = np.zeros(X.shape[1]), len(y), 0
    for t in range(m * limit):
        if y[t % m] * (w @ X[t % m]) <= 0:
            w, clean = w + y[t % m] * X[t % m], 0
        else:
            clean += 1
        if clean == m:
            return np.append(w, t // m + 1)
    return np.append(w, limit)
