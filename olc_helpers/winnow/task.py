"""Classes that students write (lectures 11 and 12): Winnow, Exponentiated Gradient."""

import numpy as np

from ..feedback import TASKS, Task
from .booleans import Or, cube
from .learners import ExponentiatedGradient, Winnow
from .nature import disjunction
from .theorems import eg_bound, winnow_bound


def two_of_eight(seed):
    """A disjunction of two of eight variables; on the first trial all of them are 1, a tie."""
    X, y = disjunction(T=60, n=8, k=2, rng=seed)
    X[0], y[0] = 1, 1
    return X, y, {"target": Or(1, 2)}


def barely_below(order):
    """The first feature climbs to n - 1, a power of two, the others fall to 1/2, 1/4, …: at the end
    they weigh n - 2^(1-n) in all.
    """
    n, rows, y = len(order), [], []
    for k in range(1, n):
        climbs = 1 if k > 1 else int(np.log2(n - 1)) + 1
        rows += [order == 0] * climbs + [(order == 0) | (order >= k)]
        y += [1] * climbs + [0]
    return np.array([*rows, *[order >= 0] * 4], int), np.array([*y, 0, 0, 0, 0])


def any_bits(rng, n, T):
    """Few or many ones, at times the same two rows again and again, so that weights grow; the
    labels of a disjunction, or at random; every third score is as near to n as can be. In a long
    stream one weight is halved again and again. With many features three are active, always.
    """
    if n == 17:
        return {}, *barely_below(rng.permutation(n))
    if n > T:
        rare = np.isin(np.arange(n), rng.choice(n, 3, replace=False))
        return {}, np.tile(rare.astype(int), (T, 1)), np.ones(T, int)
    X = (rng.random((T, n)) < rng.choice([0.5, min(0.5, 3 / n), 0.9])).astype(int)
    X = X[rng.integers(0, rng.choice([2, T]), T)]
    clean = X[:, : rng.integers(1, n + 1)].any(axis=1)
    noise = rng.choice([0, 0.4] if T < 100 else [0.4])
    y = np.where(rng.random(T) < noise, ~clean, clean).astype(int)
    learner, rows = Winnow(n), cube(n)[1:]
    for t in range(T):
        if 40 < t < T // 2:  # the second feature climbs, and the first falls with it
            X[t] = np.arange(n) == 1 if learner.w[1] < n else np.arange(n) < 2
            y[t] = learner.w[1] < n
        elif t % 3 == 2:  # just below the threshold, or just not
            score = rows @ learner.w
            X[t] = rows[np.where((score < n) == y[t], abs(score - n), np.inf).argmin()]
        learner.update(X[t], y[t])
    return {}, X, y


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
