"""The class that students write (lecture 8): Winnow."""

import numpy as np

from ..booleans import Or
from ..feedback import Task
from .learners import Winnow
from .nature import disjunction
from .theorems import winnow_bound


def two_of_eight(seed):
    """A disjunction of two of eight variables; on the first trial all of them are 1, a tie."""
    X, y = disjunction(T=60, n=8, k=2, rng=seed)
    X[0], y[0] = 1, 1
    return X, y, {"target": Or(1, 2)}


def any_bits(rng, n, T):
    """Few or many ones, at times the same two rows again and again, so that weights grow; the
    labels of a disjunction, or at random. With many features three of them are active, always.
    """
    if n > T:
        rare = np.isin(np.arange(n), rng.choice(n, 3, replace=False))
        return {}, np.tile(rare.astype(int), (T, 1)), np.ones(T, int)
    X = (rng.random((T, n)) < rng.choice([0.5, min(0.5, 3 / n), 0.9])).astype(int)
    X = X[rng.integers(0, rng.choice([2, T]), T)]
    clean = X[:, : rng.integers(1, n + 1)].any(axis=1)
    return {}, X, np.where(rng.random(T) < rng.choice([0, 0.4]), ~clean, clean).astype(int)


TASKS = {
    "winnow": Task(
        Winnow,
        {},
        two_of_eight,
        any_bits,
        winnow_bound,
        "bits",
        lambda w, x: w @ x == len(x),
        "w·x = n; the rule is to predict 1 if w·x >= n",
    )
}
