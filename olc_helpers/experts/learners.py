"""Learners that combine the advice of n experts (lectures 01 to 04).

Halving keeps a set of experts. The others keep one weight per expert; their state is the vector L
of the experts' losses so far, because w = beta^L or e^(-eta L) underflows after long plays while L
does not. Predictions use the weights relative to the best expert, which changes no prediction.
"""

from math import fsum

import numpy as np

from ..arguments import probabilities
from ..checks import check_count, check_range, generator
from ..losses import LOSSES, distribution, log_sum, normalised, square_loss
from ..own_work import answer
from ..shortcuts import shortcuts_in

__all__ = ["Halving", "WeightedMajority", "RandomizedWeightedMajority", "WeightedAverage", "Hedge"]


@answer
class Halving:
    """Predict with the majority of the experts that were never wrong; a tie gives 1 (HALV-A1)."""

    inputs = labels = "bits"

    def __init__(self, n: int):
        self.n = check_count("n", n)
        self.w = np.ones(self.n, bool)

    def predict(self, x):
        votes = x[self.w] == 1
        return int(2 * votes.sum() >= len(votes))

    def update(self, x, y):
        self.w = self.w & (x == y)


@answer
class WeightedMajority:
    """Predict with the heavier side; multiply the weights of the wrong experts by beta (WM-A1)."""

    inputs = labels = "bits"

    def __init__(self, n: int, beta: float = 0.5):
        self.n = check_count("n", n)
        self.beta = check_range("beta", beta, lambda b: 0 <= b < 1, "in [0, 1)")
        self.L = np.zeros(self.n)

    @property
    def w(self) -> np.ndarray:
        """Return the weights beta^L."""
        return self.beta**self.L

    @property
    def log_w(self) -> np.ndarray:
        """Return the logarithms of the weights."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.L > 0, self.L * np.log(self.beta), 0.0)

    def predict(self, x):
        w = self.beta ** (self.L - self.L.min())
        # Exact sums: a tie is a tie in every order of the experts.
        return int(fsum(w[x == 1]) >= fsum(w[x == 0]))

    def update(self, x, y):
        self.L = self.L + (x != y)


@answer
class RandomizedWeightedMajority(WeightedMajority):
    """Follow one expert, drawn with probability w_i / W; update as Weighted Majority does
    (RWMA-A1).
    """

    def __init__(self, n: int, beta: float = 0.5, rng=None):
        super().__init__(n, beta)
        self.rng = generator(rng)

    def predict(self, x):
        return int(x[self.rng.choice(self.n, p=distribution(self.log_w))])


@answer
class ExponentialWeights:
    """What WeightedAverage and Hedge share: w = prior * e^(-eta L) and v = w / sum(w)."""

    def __init__(self, n: int, eta: float, prior=None):
        self.n = check_count("n", n)
        self.eta = check_range("eta", eta, lambda e: 0 < e < np.inf, "a finite number > 0")
        equal = np.full(self.n, 1 / self.n)
        self.prior = equal if prior is None else probabilities("prior", prior, self.n)
        self.L = np.zeros(self.n)

    @property
    def log_w(self) -> np.ndarray:
        """Return ln prior - eta L."""
        with np.errstate(divide="ignore"):
            return np.log(self.prior) - self.eta * self.L

    @property
    def w(self) -> np.ndarray:
        """Return the weights prior * e^(-eta L)."""
        return np.exp(self.log_w)

    @property
    def v(self) -> np.ndarray:
        """Return the weights divided by their sum."""
        return distribution(self.log_w)


@answer
class WeightedAverage(ExponentialWeights):
    """Predict v·x, or with Vovk's rule, from advice in [0, 1]; w_i = prior_i e^(-eta L_i) (WA-A1,
    WA-C2).

    Without `eta` it uses the largest rate that the theorems allow: 1/2 for the square loss with the
    mean, 2 for the square loss with Vovk's prediction, 1 for the entropic loss. The regret is then
    at most (ln n)/eta.
    """

    inputs = labels = "unit"

    def __init__(
        self,
        n: int,
        eta: float | None = None,
        loss: str = "square",
        prediction: str = "mean",
        prior=None,
    ):
        rates = {("square", "mean"): 1 / 2, ("square", "vovk"): 2.0, ("entropic", "mean"): 1.0}
        if (loss, prediction) not in [*rates]:
            raise ValueError(
                "loss and prediction must be square and mean, square and vovk, or entropic and"
                f" mean (there the mean is Vovk's prediction); got {loss} and {prediction}"
            )
        super().__init__(n, rates[loss, prediction] if eta is None else eta, prior)
        self.loss, self.prediction = loss, prediction

    def predict(self, x):
        if self.prediction == "vovk":
            log_v = normalised(self.log_w)
            g0, g1 = (-log_sum(log_v - self.eta * square_loss(y, x)) / self.eta for y in (0, 1))
            return min(max((g0 - g1 + 1) / 2, 0.0), 1.0)  # always in [0, 1] for eta <= 2
        return float(min(max(self.v @ x, x.min()), x.max()))  # an average, also after rounding

    def update(self, x, y):
        self.L = self.L + LOSSES[self.loss](y, x)


@answer
class Hedge(ExponentialWeights):
    """Spread one unit over n experts, v_i proportional to e^(-eta L_i), and pay v·l (HEDGE-A1).

    With `rng` it draws one expert from v instead and pays that expert's loss (HEDGE-A2).
    """

    labels, loss = "losses", "allocation"

    def __init__(self, n: int, eta: float, rng=None):
        super().__init__(n, eta)
        self.rng = None if rng is None else generator(rng)

    def predict(self, x=None):
        return self.v if self.rng is None else int(self.rng.choice(self.n, p=self.v))

    def update(self, x, losses):
        self.L = self.L + losses


shortcuts_in(
    "olc_helpers.experts.fast",
    Halving,
    WeightedMajority,
    RandomizedWeightedMajority,
    WeightedAverage,
    Hedge,
)
