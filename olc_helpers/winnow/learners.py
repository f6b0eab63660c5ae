"""Winnow and Exponentiated Gradient: weights that are multiplied (lectures 11 and 12)."""

import numpy as np

from ..arguments import flag
from ..checks import check_count, check_range
from ..losses import normalised
from ..own_work import answer
from ..shortcuts import shortcuts_in

__all__ = ["Winnow", "ExponentiatedGradient"]


@answer
class Winnow:
    """Predict 1 if w·x >= n; on a mistake multiply or divide the active weights by `factor`
    (WIN-A1).

    `strict=True` predicts 1 only if w·x > n (WIN-A2). Labels are 0 and 1. Each weight is factor^c,
    where c counts its promotions minus its demotions: a weight that was demoted a million times is
    not lost.
    """

    inputs = labels = "bits"

    def __init__(self, n: int, factor: float = 2, strict: bool = False):
        self.n, self.strict = check_count("n", n), flag("strict", strict)
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


@answer
class ExponentiatedGradient:
    """Predict w·x; multiply each weight by e^(-2 eta (w·x - y) x_i) and divide by the sum (EG-A1).

    The weights start equal and always sum to 1; the exponent is -eta times the derivative of the
    square loss.
    """

    inputs = labels = "unit"
    loss = "square"

    def __init__(self, n: int, eta: float = 1.0):
        self.n = check_count("n", n)
        self.eta = check_range("eta", eta, lambda e: 0 < e < np.inf, "a finite number > 0")
        self.log_w = np.full(self.n, -np.log(self.n))

    @property
    def w(self) -> np.ndarray:
        """Return the weights."""
        return np.exp(self.log_w)

    def predict(self, x):
        return float(self.w @ x)

    def update(self, x, y):
        gradient = 2 * (self.predict(x) - y) * x
        self.log_w = normalised(self.log_w - self.eta * gradient)


shortcuts_in("olc_helpers.winnow.fast", Winnow)
