"""The Perceptron: one weight per feature, additive updates (lectures 06 to 10)."""

import numpy as np

from ..checks import check_count
from ..own_work import answer
from ..shortcuts import shortcuts_in

__all__ = ["Perceptron"]


@answer
class Perceptron:
    """Predict the sign of w·x; on a mistake, y (w·x) <= 0, add y x to w (PERC-A1). A tie counts as
    a mistake.
    """

    inputs, labels = "real", "signs"

    def __init__(self, n: int):
        self.n = check_count("n", n)
        self.w = np.zeros(self.n)

    def predict(self, x):
        return int(np.sign(self.w @ x))

    def update(self, x, y):
        if y * (self.w @ x) <= 0:
            self.w = self.w + np.float64(y) * x


shortcuts_in("olc_helpers.perceptron.fast", Perceptron)
