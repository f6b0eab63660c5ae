"""Learners that follow the best sequence of experts (lecture 15): each trial moves a little weight
between the experts.

Their state is the L of Weighted Average, so that w = e^(-eta L) / n. Sharing lowers L where an
expert receives weight: L_i is then a soft minimum of the losses of all sequences of experts that
end with expert i.
"""

import numpy as np

from ..checks import check_range
from ..experts.learners import WeightedAverage
from ..losses import LOSSES
from ..own_work import answer
from ..shortcuts import shortcuts_in

__all__ = ["FixedShare", "VariableShare"]


@answer
class FixedShare(WeightedAverage):
    """Weighted Average in which each expert gives the part alpha of its weight to the others
    (SHIFT-A1).

    For at most k shifts in T trials choose alpha = k/(T-1).
    """

    def __init__(
        self,
        n: int,
        eta: float | None = None,
        *,
        alpha: float,
        loss: str = "square",
        prediction: str = "mean",
    ):
        super().__init__(n, eta, loss, prediction)
        if self.n < 2:
            raise ValueError(
                "n must be at least 2: an expert gives weight to the n - 1 others; got 1"
            )
        self.alpha = check_range("alpha", alpha, lambda a: 0 <= a <= 1, "in [0, 1]")

    def update(self, x, y):
        losses = LOSSES[self.loss](y, x)
        log_m = self.log_w - self.eta * losses
        with np.errstate(divide="ignore", invalid="ignore"):
            power = self.power(losses)
            log_keep = np.where(power > 0, power * np.log1p(-self.alpha), 0.0)
            log_give = np.log(-np.expm1(log_keep))
        received = log_sum_of_others(log_m + log_give) - np.log(self.n - 1)
        self.L = (np.log(self.prior) - np.logaddexp(log_m + log_keep, received)) / self.eta

    def power(self, losses: np.ndarray) -> np.ndarray:
        """Return p for each expert: it keeps (1 - alpha)^p of its weight and gives away the
        rest.
        """
        return np.ones(self.n)


@answer
class VariableShare(FixedShare):
    """Fixed Share in which an expert with loss l gives away 1 - (1 - alpha)^l, so a good one keeps
    its weight (SHIFT-A2).

    Losses must be in [0, 1]. For sequences of loss L with k shifts choose alpha = k/(k + L).
    """

    def power(self, losses: np.ndarray) -> np.ndarray:
        worst = losses.argmax()
        if losses[worst] > 1:
            raise ValueError(
                f"Variable Share needs losses in [0, 1]; the {self.loss} loss of expert {worst + 1}"
                f" is {losses[worst]:g} (FixedShare takes any loss)"
            )
        return losses


def log_sum_of_others(log_a: np.ndarray) -> np.ndarray:
    """Return ln of the sum of all e^log_a but the i-th, for each i; nothing underflows or
    cancels.
    """
    before = np.logaddexp.accumulate(np.append(-np.inf, log_a[:-1]))
    after = np.logaddexp.accumulate(np.append(-np.inf, log_a[:0:-1]))[::-1]
    return np.logaddexp(before, after)


shortcuts_in("olc_helpers.shifting.fast", FixedShare, VariableShare)
