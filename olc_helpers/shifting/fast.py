"""A shortcut of Fixed Share and Variable Share."""

from copy import copy
from functools import cached_property

import numpy as np

from ..compiled import Kernel
from ..experts.fast import mean_prediction, vovk_prediction
from ..fast import chunks, rows_at_once, shortcut
from ..losses import LOSSES, across, log_sum
from .learners import FixedShare, VariableShare


@shortcut(FixedShare)
@shortcut(VariableShare)
def _share(learner, X, y, check):
    return _sharing(learner, X, y, check) if 0 < learner.alpha <= 1 / 2 else None


@Kernel
def share(w, keep, give, unit):
    """Set the rows of w after the first: what each expert keeps, and the sum of what is given.

    Every 32 trials the weights are divided by their sum, and its logarithm goes into `unit`.
    """
    T, n = keep.shape
    for t in range(T):
        given, total = 0.0, 0.0
        for i in range(n):
            given += w[t, i] * give[t, i]
        for i in range(n):
            w[t + 1, i] = w[t, i] * keep[t, i] + given
        if t % 32 == 31 or t == T - 1:
            for i in range(n):
                total += w[t + 1, i]
            for i in range(n):
                w[t + 1, i] /= total
            unit[t + 1] += np.log(total)


def _share_row_by_row(w, keep, give, unit):
    for start in range(0, len(keep), 32):
        for now, after, kept, given in zip(
            w[start : start + 32], w[start + 1 :], keep[start:], give[start:], strict=False
        ):
            np.multiply(now, kept, after)
            after += now.dot(given)
        total = after.sum()
        after /= total
        unit[min(start + 32, len(keep))] += np.log(total)


class After:
    """A holder of the weights after each trial of a chunk: logarithms, which take as long as the
    play, are taken if they are asked for.
    """

    def __init__(self, learner, w, unit):
        self.learner, self.weights, self.units = copy(learner), w, np.cumsum(unit, axis=0)

    def L(self, trials):
        """Return the L of the learner after these trials of the chunk."""
        logs = np.log(self.weights[1:][trials]) + self.units[1:][trials]
        return (np.log(self.learner.prior) - logs) / self.learner.eta

    @cached_property
    def rows(self):
        """The learner with one row of L for each trial."""
        self.learner.L = self.L(slice(None))
        return self.learner

    @property
    def w(self):
        return self.rows.w

    @property
    def log_w(self):
        return self.rows.log_w


def _sharing(learner, X, y, check):
    """Weights as numbers, not as logarithms: e^(-eta l) and what is given away are known for a
    chunk before it is played.

    Then a trial takes two steps: what each expert keeps, and the sum of what is given, which is the
    same for all. With alpha <= 1/2 no term is negative, so nothing cancels. Should a weight nearly
    underflow, the learner plays the chunk.
    """
    eta, n = learner.eta, learner.n
    wide = 4 * n  # numbers of a trial that are worked on at once
    room = np.empty((3, min(rows_at_once(wide), len(X)) + 1, n))  # again and again
    for part in chunks(len(X), wide, check=check):
        x, losses = X[part], LOSSES[learner.loss](y[part, None], X[part])
        w, keep, give = room[0, : len(x) + 1], room[1, : len(x)], room[2, : len(x)]
        power = losses if isinstance(learner, VariableShare) else np.ones((1, 1))
        best = across(np.minimum, losses)
        with np.errstate(divide="ignore", invalid="ignore"):
            np.subtract(losses, best, out=keep)
            keep *= -eta
            np.exp(keep, out=keep)
            np.multiply(keep, -np.expm1(power * np.log1p(-learner.alpha)) / (n - 1), out=give)
            keep -= np.multiply(give, n, out=w[1:])
            # ln of what a weight of 1 stands for.
            w[0], unit = (learner.v, np.vstack([log_sum(learner.log_w), -eta * best]))
            if share.pays(len(y) - part.start):
                share(w, keep, give, unit)
            else:
                share.missed(len(x))
                _share_row_by_row(w, keep, give, unit)
        if w.min() > 1e-290 and power.max() <= 1:
            v = np.divide(w[:-1], across(np.add, w[:-1]), out=give)
            mean = learner.prediction == "mean"
            predictions = mean_prediction(v, x) if mean else vovk_prediction(learner, np.log(v), x)
            after = After(learner, w, unit)
            learner.L = after.L(slice(-1, None))[0]
            yield predictions, after
        else:
            for row, label in zip(x, y[part], strict=True):
                prediction = learner.predict(row)
                learner.update(row, label)
                yield np.array([prediction]), learner
