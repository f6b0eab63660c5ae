"""Classes that students write (lectures 11 and 12): Winnow, Exponentiated Gradient."""

import numpy as np

from ..feedback import TASKS, Task
from .booleans import Or
from .learners import ExponentiatedGradient, Winnow
from .nature import disjunction
from .theorems import eg_bound, winnow_bound


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


def noisy_mixture(seed):
    """Six features anywhere in [0, 1]; the label is near to the mean of the first two."""
    rng, u = np.random.default_rng(seed), np.array([0.5, 0.5, 0, 0, 0, 0])
    X = rng.random((40, 6))
    return X, 0.9 * X @ u + 0.1 * rng.random(40), {"u": u}


def any_features(rng, n, T):
    """Features and labels anywhere in [0, 1], some of them 0 or 1."""
    X, y = (np.clip(rng.random(shape) * 1.4 - 0.2, 0, 1) for shape in ((T, n), T))
    return {"eta": float(rng.choice([0.25, 0.5, 1.5]))}, X, y


TASKS.update(
    winnow=Task(
        Winnow,
        {},
        two_of_eight,
        any_bits,
        winnow_bound,
        "bits",
        lambda w, x: w @ x == len(x),
        "w·x = n; the rule is to predict 1 if w·x >= n",
    ),
    exponentiated_gradient=Task(
        ExponentiatedGradient, {"eta": 1.0}, noisy_mixture, any_features, eg_bound, "unit"
    ),
)
