"""Noisy labels for lecture 08."""

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Seed, check_range
from ..perceptron.nature import planted_margin


def noisy_margin(
    T: int, v: ArrayLike, gamma: float, noise: float, rng: Seed = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) of `planted_margin`, with each label flipped with probability `noise`."""
    noise = check_range("noise", noise, lambda p: 0 <= p <= 1, "in [0, 1]")
    rng = np.random.default_rng(rng)
    X, y = planted_margin(T, v, gamma, rng)
    return X, np.where(rng.random(T) < noise, -y, y)
