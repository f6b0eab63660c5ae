"""Margins: how far a separator stays from the data, and the separator that stays farthest (lectures
06 and 07).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import examples
from ..checks import check_values, dense, is_sparse

__all__ = ["MaxMargin", "margin", "max_margin"]

PRECISION = 1e-12  # of the largest margin, relative to the longest row


class MaxMargin(NamedTuple):
    """The largest margin gamma, its separator v of length 1, and weights with sum 1 of the rows
    such that Σ weight·y·x = gamma·v.

    The rows with a weight > 0 are the support vectors, and u = v / gamma is the hard-margin support
    vector machine.
    """

    v: np.ndarray
    gamma: float
    weights: np.ndarray


def _signed_rows(X, y) -> Any:
    """Return the rows y·x, or raise if X and y are no labelled data."""
    X, y = examples(X, y)
    return X.multiply(y[:, None]).tocsr() if is_sparse(X) else y[:, None] * (X + 0.0)


def _length(name, v, n):
    """Return the length of v > 0, or raise if it is no vector of n numbers."""
    v = check_values(name, v, "real")
    if v.shape != (n,) or not v.any():
        raise ValueError(f"{name} must be a vector of {n} numbers, not all 0; got {v.tolist()}")
    return float(np.linalg.norm(v))


def margin(X: ArrayLike, y: ArrayLike, v: ArrayLike) -> float:
    """Return the margin of v, min y·(v·x)/‖v‖ (PERC-D1): the least distance to v·x = 0, negative if
    v does not separate.
    """
    rows = _signed_rows(X, y)
    length = _length("v", v, rows.shape[1])
    return float((rows @ v).min() / length)


def max_margin(X: ArrayLike, y: ArrayLike) -> MaxMargin:
    """Return the separator through the origin with the largest margin (PERC-Q3), or raise if
    nothing separates the data.

    The largest margin is the distance from the origin to the convex hull of the rows y·x, and v
    points to the nearest point z: every v has min y·(v·x) <= v·z <= ‖z‖. Wolfe's active set method
    finds z in finitely many steps.
    """
    rows = _signed_rows(X, y)
    lengths = np.sqrt(squares(rows))
    if not lengths.all():
        raise ValueError(
            f"nothing separates the data: row {lengths.argmin()} of X is the zero vector, y·(v·x)"
            " is 0 for every v"
        )
    chosen, weights = _nearest_to_origin(rows, lengths)
    z = weights @ dense(rows[chosen])
    gamma = float(np.linalg.norm(z))
    if gamma <= 1e-10 * lengths.max():
        parts = sorted((i, a) for i, a in zip(chosen, weights, strict=True) if a > PRECISION)
        certificate = " + ".join(f"{a:.3g}·y[{i}]·x[{i}]" for i, a in parts)
        constant = not is_sparse(X) and (np.asarray(X) == np.asarray(X)[0]).all(axis=0).any()
        hint = "" if constant else " (a constant feature would allow hyperplanes off the origin)"
        raise ValueError(f"nothing separates the data{hint}: 0 = {certificate}")
    everywhere = np.zeros(rows.shape[0])
    everywhere[chosen] = weights
    return MaxMargin(z / gamma, float((rows @ z).min() / gamma), everywhere)


def _nearest_to_origin(P, lengths):
    """Return (rows, weights) of the point in the convex hull of the rows of P that is nearest to
    the origin.

    Some rows are chosen, and z is the nearest point of their hull. If a row p has p·z < z·z, then
    moving towards p brings z nearer: choose it too. Rows whose weight would fall below 0 are let go
    on the way.
    """
    chosen, weights = [int(lengths.argmin())], np.ones(1)
    while True:
        z = weights @ dense(P[chosen])
        scores = P @ z
        new = int(scores.argmin())
        if z @ z - scores[new] <= PRECISION * lengths.max() * np.linalg.norm(z) or new in chosen:
            return chosen, weights
        before = chosen, weights
        chosen, weights = chosen + [new], np.append(weights, 0.0)
        while ((target := _affine_weights(dense(P[chosen]))) <= 0).any():
            falls = target <= 0
            # A new row that is not needed goes from 0 to 0: let it go at once.
            step = (weights / np.maximum(weights - target, 1e-300))[falls].min()
            weights = weights + step * (target - weights)
            weights[weights == weights[falls].min()] = 0.0
            chosen, weights = (
                [i for i, a in zip(chosen, weights, strict=True) if a > 0],
                weights[weights > 0],
            )
        weights = target
        if np.linalg.norm(weights @ dense(P[chosen])) >= np.linalg.norm(
            z
        ):  # no progress beyond rounding
            return before


def _affine_weights(Q):
    """Return the weights with sum 1, of any sign, of the rows of Q that give the point nearest to
    the origin.
    """
    steps = np.linalg.lstsq((Q[1:] - Q[0]).T, -Q[0], rcond=None)[0]
    return np.append(1 - steps.sum(), steps)


def squares(A: Any) -> np.ndarray:
    """Return ‖a‖² for each row a of A, which may be sparse."""
    return A.multiply(A).sum(axis=1) if is_sparse(A) else np.einsum("ti,ti->t", A, A)
