"""AdaBoost: Hedge on the examples of a sample, with decision stumps as its rules (lecture 05)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import examples, vector
from ..checks import Seed, check_count, generator
from ..experts.learners import Hedge
from ..protocol import play

__all__ = ["Stump", "Stumps", "boost", "learning_curves", "vote"]


class Stump(NamedTuple):
    """A rule that looks at one feature: `sign` above the threshold, -sign up to it."""

    feature: int
    threshold: float
    sign: int

    def __call__(self, X: ArrayLike) -> np.ndarray:
        """Return the labels -1 or +1 of the rows of X."""
        return np.where(np.asarray(X)[:, self.feature] > self.threshold, self.sign, -self.sign)


class Stumps:
    """All stumps on a sample (X, y) with labels -1 and +1; the columns are sorted once."""

    def __init__(self, X: ArrayLike, y: ArrayLike):
        X, self.y = examples(X, y)
        self.order = X.argsort(axis=0, kind="stable")
        self.values = np.take_along_axis(X, self.order, axis=0)

    def best(self, v: ArrayLike) -> tuple[Stump, float]:
        """Return the stump with the least error on examples of weights v, and that error.

        If y·v sums to s up to a threshold and to S in all, the stump that says +1 above it is right
        on a weight of (1 + S - 2s)/2. No rounding decides between equal stumps.
        """
        below = np.cumsum((vector("v", v, len(self.y)) * self.y)[self.order], axis=0)
        edge = np.where(self.values[:-1] < self.values[1:], below[-1] - 2 * below[:-1], 0.0)
        k, j = np.unravel_index(np.abs(edge).round(12).argmax(), edge.shape)
        middle = float(self.values[k : k + 2, j].mean())
        return Stump(int(j), middle, 1 if edge[k, j] > 0 else -1), (1 - abs(edge[k, j])) / 2


def boost(X: ArrayLike, y: ArrayLike, rounds: int) -> tuple[list[Stump], np.ndarray]:
    """Return AdaBoost's stumps, and what each example loses on each round: c = ln((1-e)/e) if the
    stump, whose weighted error is e, is right there, else 0 (BOOST-T1).

    On these losses Hedge with the rate 1 has AdaBoost's weights. It stops before a round on which
    the best stump is no better than a coin, or makes no error and needs no vote.
    """
    stumps, L, rules, losses = Stumps(X, y), np.zeros(len(np.asarray(y))), [], []
    for _ in range(check_count("rounds", rounds)):
        v = np.exp(L.min() - L)
        rule, error = stumps.best(v / v.sum())
        if not 1e-12 < error < 0.5 - 1e-12:
            break
        rules.append(rule)
        losses.append(np.log((1 - error) / error) * (rule(X) == y))
        L = L + losses[-1]
    return rules, np.reshape(losses, (-1, len(L)))


def vote(rules: list[Stump], losses: np.ndarray, X: ArrayLike) -> np.ndarray:
    """Return the sums of c_t h_t(x) after 1, 2, … rounds for the rows x of X; the sign of a sum is
    the label, and 0 is an error.
    """
    return np.cumsum(
        [c * rule(X) for c, rule in zip(losses.max(axis=1), rules, strict=True)], axis=0
    )


def learning_curves(
    X: np.ndarray, y: np.ndarray, rounds: int, splits: int, rng: Seed = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return AdaBoost's errors after 1 … `rounds` rounds, a row for each random split: in a sample
    of two thirds of the examples, on the others, and the bound on the former.
    """
    rng, curves, kept = generator(rng), [], 2 * len(y) // 3
    for _ in range(splits):
        order = rng.permutation(len(y))
        sample, others = order[:kept], order[kept:]
        rules, losses = boost(X[sample], y[sample], rounds)
        inside, outside = (
            (y[part] * vote(rules, losses, X[part]) <= 0).mean(axis=1) for part in (sample, others)
        )
        v = play(Hedge(kept, eta=1), losses).probabilities[:-1]
        error = np.vecdot(v, losses == 0)
        curves.append((inside, outside, np.cumprod(2 * np.sqrt(error * (1 - error)))))
    inside, outside, bound = np.array(curves).transpose(1, 0, 2)
    return inside, outside, bound
