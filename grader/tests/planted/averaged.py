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


@right
def averaged_survivors(X, y):
    """Each weight vector once, with the number of trials that it lasted."""
    kept, lasted = [np.zeros(X.shape[1])], [0]
    for x, label in zip(X, y, strict=True):
        lasted[-1] += 1
        if label * (kept[-1] @ x) <= 0:
            kept.append(kept[-1] + label * x)
            lasted.append(0)
    return np.average(kept, axis=0, weights=lasted)


@right
def averaged_dual(X, y):
    """Weights as sums of examples: the scores need their products alone."""
    products, alpha, total = X @ X.T, np.zeros(len(y)), np.zeros(len(y))
    for t in range(len(y)):
        total += alpha
        alpha[t] = y[t] if y[t] * (products[t] @ alpha) <= 0 else 0
    return total @ X / len(y)


@right
def averaged_in_lists(X, y):
    w, sums = [0.0] * len(X[0]), [0.0] * len(X[0])
    for x, label in zip(X.tolist(), y.tolist(), strict=True):
        sums = [a + b for a, b in zip(sums, w, strict=True)]
        if label * sum(a * b for a, b in zip(w, x, strict=True)) <= 0:
            w = [a + label * b for a, b in zip(w, x, strict=True)]
    return tuple(a / len(y) for a in sums)


@right
def averaged_recursive(X, y):
    def rest(w, t):
        if t == len(y):
            return 0 * w
        return w + rest(w + y[t] * X[t] if y[t] * (w @ X[t]) <= 0 else w, t + 1)

    return rest(np.zeros(X.shape[1]), 0) / len(y)


@subtle()
def averaged_forgets_the_label(X, y):
    w = [np.zeros(X.shape[1])]
    for x, label in zip(X, y, strict=True):
        w.append(w[-1] + x if label * (w[-1] @ x) <= 0 else w[-1])
    return np.mean(w[:-1], axis=0)


@subtle()
def averaged_whole_numbers(X, y):
    return _weights(X, y)[:-1].astype(int).mean(axis=0)


@wrong()
def averaged_over_mistakes(X, y):
    w = _weights(X, y)
    return w[:-1].sum(axis=0) / (w[1:] != w[:-1]).any(axis=1).sum()


@wrong("Your code calls the package")
def averaged_by_the_package(X, y):
    from olc_helpers import Perceptron, play

    return play(Perceptron(X.shape[1]), X, y).weights[:-1].mean(axis=0)


@subtle()
def averaged_almost_zero(X, y):
    return _weights(X, y, lambda score: score < 0.05)[:-1].mean(axis=0)
