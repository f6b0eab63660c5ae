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
    of a plane, or at random.
    """
    X = rng.integers(-40, 41, (T, n)) / 8 if rng.random() < 0.5 else rng.integers(-2, 3, (T, n)) / 2
    y = np.where(X @ rng.integers(-3, 4, n) > 0, 1, -1)
    return {}, X, np.where(rng.random(T) < rng.choice([0, 0.3]), -y, y)


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
