"""The Perceptron in any norm from adding to multiplying (lecture 19)."""

import numpy as np

from ..checks import check_count
from ..own_work import answer
from .geometry import Geometry, norm

__all__ = ["NormPerceptron"]
TIE = 1e-12  # of the sum of the sizes


@answer
class NormPerceptron:
    """On a mistake add y x to theta, and predict the sign of w·x, where w is the mirror image of
    theta in the q-norm (MD-C1).

    With q = 2 it is the Perceptron; with q near 2 ln n it nearly multiplies. Scores that differ
    from 0 by rounding alone are ties.
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
        score = self.w @ x
        tie = abs(score) <= TIE * (np.abs(self.w) @ np.abs(x))
        return 0 if tie else int(np.sign(score))

    def update(self, x, y):
        if self.predict(x) != y:
            theta = self.theta + np.float64(y) * x
            self.theta, self.w = theta, self.geometry.primal(theta)
