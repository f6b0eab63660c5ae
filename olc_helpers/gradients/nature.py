"""Noisy labels for lecture 08, and slopes against shrinking steps for lecture 09."""

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Seed, check_count, check_range, generator
from ..perceptron.nature import planted_margin


def noisy_margin(
    T: int, v: ArrayLike, gamma: float, noise: float, rng: Seed = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) of `planted_margin`, with each label flipped with probability `noise`."""
    noise = check_range("noise", noise, lambda p: 0 <= p <= 1, "in [0, 1]")
    rng = generator(rng)
    X, y = planted_margin(T, v, gamma, rng)
    return X, np.where(rng.random(T) < noise, -y, y)


def hover_and_run(T: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (w, z): slopes ±1 against the steps 1/√t on [-½, ½], and the walk that they make. It
    hovers within a step of the left end, and in the last √T trials runs to the right (OGD-T5).
    """
    w, z, last = [-0.5], [], check_count("T", T) - int(np.sqrt(T))
    for t in range(1, T + 1):
        step = 1 / np.sqrt(t)
        z.append(-1.0 if t > last or w[-1] < -0.5 + step else 1.0)
        w.append(min(max(w[-1] - step * z[-1], -0.5), 0.5))
    return np.array(w)[:, None], np.array(z)[:, None]
