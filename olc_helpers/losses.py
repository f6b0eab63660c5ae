"""What a prediction costs, and weights as logarithms, so that nothing underflows."""

from functools import reduce

import numpy as np
from numpy.typing import ArrayLike


def log_ratio(a: ArrayLike, b: ArrayLike) -> np.ndarray:
    """Return a ln(a/b) with 0 ln 0 = 0, and infinity where b = 0 < a."""
    a, b = np.asarray(a), np.asarray(b)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(a > 0, a * (np.log(a) - np.log(b)), 0.0)


def mistake_loss(y: ArrayLike, p: ArrayLike) -> np.ndarray:
    """Return 1 where the prediction differs from the label, else 0 (EXP-D2)."""
    losses = np.empty(np.broadcast_shapes(np.shape(y), np.shape(p)))
    return np.not_equal(p, y, out=losses)[()]  # no second array: there may be millions of trials


def square_loss(y: ArrayLike, p: ArrayLike) -> np.ndarray:
    """Return (y - p)² (WA-D1)."""
    return (np.asarray(y, float) - p) ** 2


def entropic_loss(y: ArrayLike, p: ArrayLike) -> np.ndarray:
    """Return y ln(y/p) + (1-y) ln((1-y)/(1-p)) with 0 ln 0 = 0 (WA-D1)."""
    y, p = np.asarray(y, float), np.asarray(p, float)
    return log_ratio(y, p) + log_ratio(1 - y, 1 - p)


def allocation_loss(losses: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return v_t·l_t for allocations v_t, or the loss of the drawn expert for indices
    (HEDGE-D1).
    """
    if p.ndim == 2:
        return np.vecdot(p, losses)
    return losses[np.arange(len(losses)), p].astype(float)


def hinge_loss(y: ArrayLike, p: ArrayLike) -> np.ndarray:
    """Return max(0, 1 - y p) for a label y of -1 or +1 (OGD-D1)."""
    return np.maximum(0, 1 - np.asarray(y) * p)


LOSSES = {
    "mistake": mistake_loss,
    "square": square_loss,
    "entropic": entropic_loss,
    "allocation": allocation_loss,
    "hinge": hinge_loss,
}


def log_sum(log_w: np.ndarray) -> np.ndarray:
    """Return ln of the sum of e^log_w along the last axis; nothing underflows."""
    return np.logaddexp.reduce(log_w, axis=-1)


def normalised(log_w: np.ndarray) -> np.ndarray:
    """Return ln(w / sum(w)) along the last axis from ln w; weights that are all 0 count as
    equal.
    """
    log_w = _relative(log_w)
    return log_w - log_sum(log_w)[..., None]


def distribution(log_w: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Return w / sum(w) along the last axis from ln w; weights that are all 0 count as equal. `out`
    may be log_w.
    """
    w = _relative(log_w, out)
    np.exp(w, out=w)
    w /= across(np.add, w)
    return w


def across(ufunc: np.ufunc, a: np.ndarray) -> np.ndarray:
    """Return the sum, or the largest, along the last axis, which stays.

    Few columns are taken one by one in less time; up to 7 of them are added in the same order.
    """
    if a.ndim == 2 and a.shape[1] < (8 if ufunc is np.add else 32):
        return reduce(ufunc, a.T)[:, None]
    return ufunc.reduce(a, axis=-1, keepdims=True)


def _relative(log_w, out=None):
    """Return ln w minus its largest entry along the last axis, so that the sum is 1 even where all
    weights are tiny.
    """
    largest = across(np.maximum, log_w)
    if (largest > -np.inf).all():
        return np.subtract(log_w, largest, out=out)
    return np.where(largest > -np.inf, log_w - np.maximum(largest, -1e308), 0.0)
