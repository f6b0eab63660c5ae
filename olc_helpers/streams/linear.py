"""Labelled vectors for the linear classifiers of lectures 04 to 07; labels are -1 and +1."""

import numpy as np

from ..protocol import check_count, check_range, check_values

__all__ = ["FOUR_POINTS", "TEN_POINTS", "XOR", "odd_max_bit", "off_centre", "planted_margin"]

# Ten points in the plane that a line through the origin separates (PERC-E1): the Perceptron updates five times in two passes.
TEN_POINTS = (np.array([[-4, 8], [7, 2], [7, 7], [4, 9], [-9, 2], [-1, -6], [0, 8], [-6, 0], [-4, 3], [0, -10]]),
              np.array([-1, 1, 1, 1, -1, -1, 1, -1, -1, -1]))

# Four points without labels, for the game in which the reader plays nature.
FOUR_POINTS = np.array([[6, 2], [3, 2], [-6, 2], [1, 6]])

# Exclusive or on {-1, +1}² (PERC-E2): +1 if the two coordinates differ.
XOR = (np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]]), np.array([-1, 1, 1, -1]))


def planted_margin(T: int, v, gamma: float, rng=0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): T random vectors of length 1 that v / ‖v‖ separates with a margin of at least gamma (PERC-D1).

    The distances to the hyperplane v·x = 0 are uniform in [gamma, 1], the labels fair coins.
    """
    v, gamma = check_values("v", v, "real") + 0.0, check_range("gamma", gamma, lambda g: 0 <= g <= 1, "in [0, 1]")
    if v.ndim != 1 or len(v) < 2 or not v.any():
        raise ValueError(f"v must be a vector of at least 2 numbers, not all 0; got {v.tolist()}")
    rng, v = np.random.default_rng(rng), v / np.linalg.norm(v)
    distance, y = rng.uniform(gamma, 1, check_count("T", T)), rng.choice([-1, 1], T)
    aside = rng.standard_normal((T, len(v)))
    aside -= np.outer(aside @ v, v)
    axis = np.eye(len(v))[np.abs(v).argmin()]
    along = np.linalg.norm(aside, axis=1) < 1e-9  # drawn in the direction of v: nothing is left
    aside[along] = axis - (axis @ v) * v
    aside *= (np.sqrt(1 - distance**2) / np.linalg.norm(aside, axis=1))[:, None]
    return aside + np.outer(y * distance, v), y


def off_centre(T: int, gap: float, rng=0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): T points of the square [-1, 1]² with a constant feature, labelled by the line 0.8x₁ + 0.6x₂ = 0.4.

    No point is nearer to that line than `gap`. The line misses the origin, so there are more negative points.
    """
    rng, gap = np.random.default_rng(rng), check_range("gap", gap, lambda g: 0 <= g <= 0.5, "in [0, 0.5]")
    X = np.empty((0, 2))
    while len(X) < check_count("T", T):
        more = rng.uniform(-1, 1, (2 * T, 2))
        X = np.concatenate([X, more[np.abs(more @ [0.8, 0.6] - 0.4) >= gap]])
    X = X[:T]
    return np.column_stack([X, np.ones(T)]), np.where(X @ [0.8, 0.6] > 0.4, 1, -1)


def odd_max_bit(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): all of {0,1}^n with a constant feature 1; +1 if the last 1 is at an odd place (PERC-C12).

    Places count from 1; the row without a 1 gets the label -1. All numbers are whole, so ties are exact.
    """
    bits = np.arange(2 ** check_count("n", n))[:, None] >> np.arange(n) & 1
    last = np.where(bits.any(axis=1), n - bits[:, ::-1].argmax(axis=1), 0)
    return np.column_stack([bits, np.ones(len(bits), int)]), np.where(last % 2 == 1, 1, -1)
