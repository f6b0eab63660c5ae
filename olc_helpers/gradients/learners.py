"""On-line gradient descent on the hinge loss (lecture 08), and with any steps (lecture 09)."""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import flag
from ..checks import check_count, check_range
from ..losses import hinge_loss
from ..own_work import answer
from ..shortcuts import shortcuts_in

__all__ = ["OnlineGradientDescent"]


@answer
class OnlineGradientDescent:
    """Predict w·x; if the hinge loss max(0, 1 - y (w·x)) is > 0, add eta y x to w (OGD-A1).

    `exact=True` minimises loss(w) + ‖w - w_t‖² / (2 eta) instead of its linearisation: the step is
    eta, or what brings y (w·x) up to 1 if that is less (OGD-L1).
    """

    inputs, labels, loss = "real", "signs", "hinge"

    def __init__(self, n: int, eta: float = 1.0, exact: bool = False):
        self.n, self.exact = check_count("n", n), flag("exact", exact)
        self.eta = check_range("eta", eta, lambda e: 0 < e < np.inf, "a finite number > 0")
        self.w = np.zeros(self.n)

    def predict(self, x):
        return float(self.w @ x)

    def update(self, x, y):
        x = np.asarray(x, float)
        loss, x2 = hinge_loss(y, self.w @ x), x @ x
        if loss > 0:
            step = loss / x2 if self.exact and self.eta * x2 > loss else self.eta
            self.w = self.w + step * y * x


def descend(
    slope: Callable, w: ArrayLike, steps: Iterable[float], project: Callable = np.asarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (w, z): the walk from w against the slopes z_t = slope(t, w_t), t = 1, 2, …, with a
    length for each step, and projected after each of them (OGD-T5).
    """
    if not callable(slope) or not np.iterable(steps):
        raise TypeError(f"descend needs a function and a list of steps; got {slope!r}, {steps!r}")
    path, slopes = [np.array(w, float)], []
    for t, step in enumerate(steps, 1):
        slopes.append(slope(t, path[-1]))
        path.append(project(path[-1] - step * slopes[-1]))
    return np.array(path), np.array(slopes)


shortcuts_in("olc_helpers.gradients.fast", OnlineGradientDescent)
