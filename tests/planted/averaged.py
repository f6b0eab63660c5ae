"""Answers for the averaged Perceptron (homework 6)."""

from fractions import Fraction

import numpy as np

from . import right, subtle, wrong


def _weights(X, y, mistake=lambda score: score <= 0):
    w = [np.zeros(X.shape[1])]
    for x, label in zip(X, y, strict=True):
        w.append(w[-1] + label * x if mistake(label * (w[-1] @ x)) else w[-1])
    return np.array(w)


@right
def averaged_history(X, y):
    return _weights(X, y)[:-1].mean(axis=0)


@right
def averaged_running(X, y):
    """A mean that is moved a little on each trial."""
    w, mean = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for t in range(len(y)):
        mean = mean + (w - mean) / (t + 1)
        if np.sign(w @ X[t]) != y[t]:
            w = w + y[t] * X[t]
    return mean


@right
def averaged_by_time(X, y):
    """The example of trial t is in the weights of the trials after it."""
    w, mean, T = np.zeros(X.shape[1]), np.zeros(X.shape[1]), len(y)
    for t, (x, label) in enumerate(zip(X, y, strict=True), 1):
        if label * (w @ x) <= 0:
            w = w + label * x
            mean += (T - t) / T * label * x
    return mean


@right
def averaged_fractions(X, y):
    w = total = [Fraction(0)] * len(X[0])
    for row, label in zip(X, y, strict=True):
        total = [a + b for a, b in zip(total, w, strict=True)]
        x = [Fraction(float(value)) for value in row]
        if int(label) * sum(a * b for a, b in zip(w, x, strict=True)) <= 0:
            w = [a + int(label) * b for a, b in zip(w, x, strict=True)]
    return [a / len(y) for a in total]


@wrong()
def averaged_after(X, y):
    return _weights(X, y)[1:].mean(axis=0)


@wrong()
def averaged_last(X, y):
    return _weights(X, y)[-1]


@wrong()
def averaged_all(X, y):
    return _weights(X, y).mean(axis=0)


@wrong()
def averaged_sum(X, y):
    return _weights(X, y)[:-1].sum(axis=0)


@subtle()
def averaged_of_different_ones(X, y):
    """Each weight vector once, however long it stayed."""
    w = _weights(X, y)[:-1]
    keep = [t == 0 or (w[t] != w[t - 1]).any() for t in range(len(w))]
    return w[keep].mean(axis=0)


@subtle()
def averaged_ties_are_right(X, y):
    """But for the start."""
    w = _weights(X[1:], y[1:], lambda score: score < 0) + y[0] * X[0]
    return np.vstack([np.zeros(X.shape[1]), w])[:-1].mean(axis=0)


@subtle()
def averaged_below_one(X, y):
    return _weights(X, y, lambda score: score < 1)[:-1].mean(axis=0)


@subtle()
def averaged_two_trials(X, y):
    return _weights(X[:2], y[:2])[:-1].mean(axis=0)


@wrong("Nothing comes back")
def averaged_prints(X, y):
    averaged_history(X, y)
