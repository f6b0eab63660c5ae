"""The class that students write (lecture 6): the Perceptron."""

import numpy as np

from ..feedback import TASKS, Task
from .learners import Perceptron
from .theorems import novikoff


def integer_points(seed):
    """Sixty points with whole coordinates, separated by a plane through the origin."""
    rng = np.random.default_rng(seed)
    X, v = rng.integers(-4, 5, (200, 4)), np.array([3, -2, 1, -4])
    X = X[X @ v != 0][:60]
    return X, np.where(X @ v > 0, 1, -1), {"v": v}


def any_points(rng, n, T):
    """Eighths, or halves so near to 0 that ties are frequent: every sum of them is exact. Labels
    of a plane, or at random; every third score is as small as can be found, and on a long stream
    a row comes twice in a row at times, and the last one is a large mistake.
    """
    X = rng.integers(-40, 41, (T, n)) / 8 if rng.random() < 0.5 else rng.integers(-2, 3, (T, n)) / 2
    y = np.where(X @ rng.integers(-3, 4, n) > 0, 1, -1)
    y = np.where(rng.random(T) < rng.choice([0, 0.3] if T < 100 else [0.3]), -y, y)
    learner = Perceptron(n)
    for t in range(T):
        if t % 3 == 2:  # a small score that is not 0
            rows = np.vstack([X, rng.integers(-40, 41, (50, n)) / 8])
            score = rows @ learner.w
            X[t] = rows[np.where(score == 0, np.inf, abs(score)).argmin()]
        elif T >= 100 and t % 7 == 6:
            X[t] = X[t - 1]
        if t == T - 1 >= 99:
            X[t], y[t] = 40, -1 if learner.w.sum() > 0 else 1
        learner.update(X[t], y[t])
    return {}, X, y


TASKS.update(
    perceptron=Task(
        Perceptron,
        {},
        integer_points,
        any_points,
        novikoff,
        "signs",
        lambda w, x: w @ x == 0,
        "w·x = 0; the prediction is 0, and a tie counts as a mistake",
    )
)
