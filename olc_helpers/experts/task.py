"""Classes that students write (lectures 1 to 4): Halving, Weighted Majority, Hedge."""

import numpy as np

from ..feedback import TASKS, Task
from . import theorems
from .learners import Halving, Hedge, WeightedMajority
from .nature import noisy_experts

# Every stream of a check holds a tie, if the task has them, and a trial of each kind. No stream
# holds one that rounding decides.


def perfect_expert(seed):
    """Sixteen experts; half leave on trial 1, four by trial 6, three on trial 8, and they are
    mostly wrong from then on.
    """
    rng, t = np.random.default_rng(seed), np.arange(12)[:, None]
    leaves = rng.permutation([*[0] * 8, *rng.integers(1, 6, 4), 7, 7, 7, 99])
    wrong = (t == leaves) | (t > leaves) & ((rng.random((12, 16)) < 0.8) | (t == 8) & (leaves == 7))
    y = rng.integers(0, 2, 12)
    return np.where(wrong, 1 - y[:, None], y[:, None]), y, {}


def any_perfect_expert(rng, n, T):
    """One expert is always right, another one in the first half, the others sometimes or mostly;
    of many experts the first ones are the worst, and the majority is large. On a longer stream all
    err in the end, and nobody is left.
    """
    y = rng.integers(0, 2, T)
    often = 0.9 * (1 - np.arange(n) / n) ** 2 if n > T else rng.choice([0.2, 0.5])
    wrong = rng.random((T, n)) < often
    perfect, late = rng.permutation(n)[:2]
    wrong[:, perfect] = False
    wrong[: T // 2, late] = False
    wrong[rng.integers(T // 2, T), late] = True
    wrong[T - 3 : T - 2] = T > 3
    return {}, np.where(wrong, 1 - y[:, None], y[:, None]), y


def six_experts(seed):
    """Six experts that err on 30% of the trials, and disagree in halves on the first."""
    X, y = noisy_experts(T=40, error=6 * [0.3], rng=seed)
    X[0] = np.roll([0, 0, 0, 1, 1, 1], seed)
    return without_near_ties(X, y, 0.5), y, {}


def without_near_ties(X, y, beta):
    """Return the advice, but where rounding may decide a tie everybody says 1: in a tie that is
    left all weights are 1, or there are two and they are equal.
    """
    X, errors = X.copy(), np.zeros(X.shape[1], int)
    for x, label in zip(X, y, strict=True):
        w = beta**errors
        exact = len(set(errors)) == 1 and (len(x) == 2 or not errors.any())
        if not exact and np.isclose(w @ x, w @ (1 - x), rtol=1e-6, atol=0):
            x[:] = 1
        errors += x != label
    return X


def any_experts(rng, n, T):
    """Advice and labels at random; all err on the first trial, so that two have the same
    weight in a tie on the second. Of 17 experts the first weighs a little more than the others.
    """
    beta = float(rng.choice([0.5, 0.25, 0.75, 0.3, 0.9] if T < 100 else [0.3]))
    X, y = rng.integers(0, 2, (T, n)), rng.integers(0, 2, T)
    X[0], X[1] = 1 - y[0], np.arange(n) % 2
    if n == 17:
        beta, i = 0.5, np.arange(n)
        X[:n] = [np.where(i > t, 1 - label, label) for t, label in enumerate(y[: n - 1])] + [i > 0]
    return {"beta": beta}, without_near_ties(X, y, beta), y


def four_losses(seed):
    """Losses of four experts, uniform up to 0.9, 0.7, 0.4 and 1."""
    rng = np.random.default_rng(seed)
    return None, rng.random((30, 4)) * [0.9, 0.7, 0.4, 1.0], {}


def any_losses(rng, n, T):
    """Losses at random, some of them 0 or 1, of 40 experts at most: a slow loop is right, too. A
    long stream is played with a large rate.
    """
    losses = np.clip(rng.random((T, min(n, 40))) * 1.4 - 0.2, 0, 1)
    eta = rng.choice([0.1, 0.5, 1, 2]) if T < 100 else 2
    return {"eta": float(eta)}, None, losses


def _tie(w, x):
    return w @ x == w @ (1 - x)


TASKS.update(
    halving=Task(
        Halving,
        {},
        perfect_expert,
        any_perfect_expert,
        theorems.halving_bound,
        "bits",
        _tie,
        "as many trusted experts say 1 as say 0; a tie gives 1",
    ),
    weighted_majority=Task(
        WeightedMajority,
        {"beta": 0.5},
        six_experts,
        any_experts,
        theorems.wm_bound,
        "bits",
        _tie,
        "both sides have the same weight; a tie gives 1",
    ),
    hedge=Task(
        Hedge,
        {"eta": 0.5},
        four_losses,
        any_losses,
        theorems.hedge_bound,
        "allocation",
        any_scale=True,
    ),
)
