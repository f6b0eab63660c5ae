"""Hedge that finds its rate while it plays (lecture 05)."""

import numpy as np

from ..checks import check_count
from ..losses import distribution, log_sum
from ..own_work import answer

__all__ = ["AdaHedge"]


@answer
class AdaHedge:
    """Spread as Hedge does, with the rate (ln n) / gaps, where gaps is the sum of the mixability
    gaps so far; that is infinite until two experts lose differently (HEDGE-T6).

    The losses may have any size >= 0, which need not be known: if all are multiplied by one number,
    the rate is divided by it and the weights are the same.
    """

    labels, loss, records = "losses", "allocation", ("eta",)

    def __init__(self, n: int):
        self.n = check_count("n", n)
        self.L = np.zeros(self.n)
        self.gaps = 0.0

    @property
    def eta(self) -> float:
        """Return the rate of the next trial, perhaps infinite."""
        with np.errstate(divide="ignore", over="ignore"):
            return np.log(self.n) / np.float64(self.gaps) if self.gaps > 0 else np.inf

    @property
    def log_w(self) -> np.ndarray:
        """Return the logarithms of the weights e^(-eta L), relative to the leaders'."""
        return self._log_weights(self.L)

    def _log_weights(self, L):
        """Return -eta (L - min L), which is 0 for the leaders also where eta is infinite."""
        behind = L - L.min()
        with np.errstate(invalid="ignore", over="ignore"):
            return np.where(behind > 0, -self.eta * behind, 0.0)

    def predict(self, x=None):
        return distribution(self.log_w)

    def update(self, x, losses):
        gap = self.mixability_gap(losses)
        self.L, self.gaps = self.L + losses, self.gaps + gap

    def mixability_gap(self, losses: np.ndarray) -> float:
        """Return by how much v·l is more than the mix loss -(1/eta) ln sum_i v_i e^(-eta l_i),
        which for an infinite rate is the growth of min_i L_i.
        """
        behind, above = self.L - self.L.min(), losses - losses.min()  # the gap is the same
        before, after = self.log_w, self._log_weights(behind + above)
        mix = (behind + above).min() + (log_sum(before) - log_sum(after)) / self.eta
        return float(distribution(before) @ above - mix)
