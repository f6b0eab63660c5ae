"""The Perceptron in any norm from adding to multiplying (lecture 18)."""

import numpy as np

from ..checks import check_count
from .geometry import Geometry, norm

__all__ = ["NormPerceptron"]


class NormPerceptron:
    """On a mistake add y x to theta, and predict the sign of w·x, where w is the mirror image of
    theta in the q-norm (MD-C1).

    With q = 2 it is the Perceptron; with q near 2 ln n it nearly multiplies.
    """

    inputs, labels = "real", "signs"

    def __init__(self, n: int, q: float = 2.0):
        self.n, self.q = check_count("n", n), q
        self.theta = np.zeros(self.n)
        self.w = self.geometry.primal(self.theta)

    @property
    def geometry(self) -> Geometry:
        """The geometry of half the squared p-norm, 1/p + 1/q = 1."""
        return norm(self.q)

    def predict(self, x):
        return int(np.sign(self.w @ x))

    def update(self, x, y):
        if y * (self.w @ x) <= 0:
            self.theta = self.theta + np.float64(y) * x
            self.w = self.geometry.primal(self.theta)
