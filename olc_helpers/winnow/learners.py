"""Winnow: one weight per feature, multiplicative updates (lecture 08)."""

import numpy as np

from ..checks import check_count, check_range

__all__ = ["Winnow"]


class Winnow:
    """Predict 1 if w·x >= n; on a mistake multiply or divide the active weights by `factor`
    (WIN-A1).

    `strict=True` predicts 1 only if w·x > n (WIN-A2). Labels are 0 and 1. Each weight is factor^c,
    where c counts its promotions minus its demotions: a weight that was demoted a million times is
    not lost.
    """

    inputs = labels = "bits"

    def __init__(self, n: int, factor: float = 2, strict: bool = False):
        self.n, self.strict = check_count("n", n), strict
        self.factor = check_range("factor", factor, lambda f: 1 < f < np.inf, "a finite number > 1")
        self.c = np.zeros(self.n, int)
        self.w = np.ones(self.n)

    def predict(self, x):
        total = self.w @ x
        return int(total > self.n if self.strict else total >= self.n)

    def update(self, x, y):
        gain = int(y) - self.predict(x)
        if gain:
            c = self.c + gain * (x == 1)
            self.c, self.w = c, self.factor**c
