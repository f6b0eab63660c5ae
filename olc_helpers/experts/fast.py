"""Shortcuts of the expert learners: their weights depend on the losses so far alone."""

from copy import copy, deepcopy
from itertools import pairwise

import numpy as np

from ..fast import chunks, shortcut
from ..losses import LOSSES, distribution, log_sum, normalised, square_loss
from .learners import Halving, Hedge, RandomizedWeightedMajority, WeightedAverage, WeightedMajority

WIDE = 100  # columns up to which np.cumsum takes less time than adding row by row


@shortcut(Halving)
def _halving(learner, X, y, check):
    """An expert is trusted until its first mistake; those who are not trusted at the start of a
    chunk are left out.
    """
    holder = copy(learner)
    for part in chunks(*X.shape, check=check):
        trusted = np.flatnonzero(learner.w)
        advice = X[part, trusted] == 1
        before = np.logical_and.accumulate(
            np.vstack([np.ones(len(trusted), bool), advice == y[part, None]])
        )
        before, after = before[:-1], before[1:]
        holder.w = np.zeros((len(advice), learner.n), bool)
        holder.w[:, trusted] = after
        predictions = (2 * (advice & before).sum(axis=1) >= before.sum(axis=1)).astype(int)
        learner.w = holder.w[-1].copy()
        yield predictions, holder


def _running(learner, shape, check, losses, predict):
    """Play a learner whose state L sums up losses: predict(now, part, room), a row of now.L per
    trial. The room has the shape of now.L; what is there may be yielded, and is then written over.

    `now` draws from a copy of the generator. The learner gets the copy together with L, and then
    its own back, which others may use, too: setting the state of that takes several steps.
    """
    now, rng, buffers = copy(learner), getattr(learner, "rng", None), None
    if rng is not None:
        now.rng = deepcopy(rng)
    for part in chunks(*shape, check=check):
        rows = part.stop - part.start + 1
        buffers = np.empty((2, rows, learner.n)) if buffers is None else buffers
        L, room = buffers[:, :rows]
        L[0], L[1:] = learner.L, losses(part)
        # Two experts at once, added in the order of the loop.
        sums = L.view(complex) if learner.n % 2 == 0 else L
        if sums.shape[1] <= WIDE:
            np.cumsum(sums, axis=0, out=sums)
        else:
            for before, after in pairwise(L):
                after += before
        now.L = L[:-1]
        predictions, now.L = predict(now, part, room[:-1]), L[1:]
        if rng is None:
            learner.L = L[-1].copy()
        else:
            learner.L, learner.rng = L[-1].copy(), now.rng
            rng.bit_generator.state = now.rng.bit_generator.state
            learner.rng = rng
        yield predictions, now


def _log_w(learner, out):
    """Return learner.log_w for the rows of L, written into `out`."""
    prior = learner.prior
    if (prior == prior[0]).all():
        prior = prior[0]  # one number is added in less time than a row
    np.multiply(learner.L, -learner.eta, out=out)
    with np.errstate(divide="ignore"):
        out += np.log(prior)
    return out


def _draw(rng, p):
    """Return an index for each row of probabilities: what rng.choice(n, p=row) draws row by row.
    p is written over.
    """
    cdf = p.cumsum(axis=1, out=p)
    cdf /= cdf[:, -1:]
    return (cdf <= rng.random((len(p), 1))).sum(axis=1)


@shortcut(WeightedMajority)
def _weighted_majority(learner, X, y, check):
    # beta^tiny changes no sum.
    tiny = np.ceil(100 / -np.log(learner.beta)) if learner.beta > 0 else 1

    def predict(now, part, room):
        x, L, one = X[part], now.L, copy(now)
        w = learner.beta ** np.minimum(L - L.min(axis=1, keepdims=True), tiny)
        lead = 2 * np.vecdot(w, x == 1) - w.sum(axis=1)
        predictions = (lead >= 0).astype(int)
        for t in np.flatnonzero(
            np.abs(lead) <= 1e-15 * learner.n * w.sum(axis=1)
        ):  # a tie, or rounding makes it one
            one.L = L[t]
            predictions[t] = one.predict(x[t])
        return predictions

    return _running(learner, X.shape, check, lambda part: X[part] != y[part, None], predict)


@shortcut(RandomizedWeightedMajority)
def _randomized_weighted_majority(learner, X, y, check):
    def predict(now, part, room):
        drawn = _draw(now.rng, distribution(now.log_w, out=room))
        return X[part][np.arange(len(drawn)), drawn].astype(int)

    return _running(learner, X.shape, check, lambda part: X[part] != y[part, None], predict)


@shortcut(WeightedAverage)
def _weighted_average(learner, X, y, check):
    def predict(now, part, room):
        if now.prediction == "vovk":
            return vovk_prediction(now, normalised(now.log_w), X[part])
        return mean_prediction(distribution(_log_w(now, room), out=room), X[part])

    return _running(
        learner, X.shape, check, lambda part: LOSSES[learner.loss](y[part, None], X[part]), predict
    )


def mean_prediction(v: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return v·x for each row, an average, also after rounding: that is sure where it lies between
    the first few pieces of advice, and there is no need to look at all.
    """
    mean, few = np.vecdot(v, x), x[:, :8].T.copy()
    rows = np.flatnonzero((mean < few.min(axis=0)) | (mean > few.max(axis=0)))
    mean[rows] = np.clip(mean[rows], x[rows].min(axis=1), x[rows].max(axis=1))
    return mean


def vovk_prediction(learner: WeightedAverage, log_v: np.ndarray, x: np.ndarray) -> np.ndarray:
    eta = learner.eta
    g0, g1 = (-log_sum(log_v - eta * square_loss(label, x)) / eta for label in (0, 1))
    return np.clip((g0 - g1 + 1) / 2, 0.0, 1.0)


@shortcut(Hedge)
def _hedge(learner, X, y, check):
    def predict(now, part, room):
        v = distribution(_log_w(now, room), out=room)
        return v if now.rng is None else _draw(now.rng, v)

    return _running(learner, y.shape, check, lambda part: y[part], predict)
