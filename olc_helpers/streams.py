"""Data for the lectures: the tables of the sources, and seeded random streams."""

import numpy as np

# Three days of four forecasters (EXP-E1): advice, what the master said, what happened.
FOUR_FORECASTERS = (np.array([[1, 1, 0, 0],
                              [1, 0, 1, 0],
                              [0, 1, 1, 1]]), np.array([0, 1, 1]), np.array([1, 0, 1]))

# Eight experts and three labels (HALV-E1). The advice of experts that were deleted before does not matter; it is 0.
EIGHT_EXPERTS = (np.array([[1, 1, 0, 0, 1, 1, 0, 0],
                           [0, 0, 0, 1, 0, 0, 1, 1],
                           [0, 0, 0, 1, 0, 0, 0, 0]]), np.array([0, 1, 1]))


def noisy_experts(T: int, error, rng=0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): T fair coin labels, and experts that are wrong independently with probabilities `error`."""
    rng = np.random.default_rng(rng)
    y = rng.integers(0, 2, T)
    return np.where(rng.random((T, len(error))) < error, 1 - y[:, None], y[:, None]), y


def one_good_expert(T: int, n: int, rng=0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): n experts that toss coins, one of which, drawn at random, is always right."""
    rng = np.random.default_rng(rng)
    X = rng.integers(0, 2, (T, n))
    return X, X[:, rng.integers(n)]


def forecasts(T: int, n: int, rng=0, noise=0.3) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): n forecasts of a probability that wanders, each with its own error up to `noise`, and 0/1 labels."""
    rng = np.random.default_rng(rng)
    p = 0.5 + 0.4 * np.sin(np.arange(T) / 15 + rng.uniform(0, 2 * np.pi))
    spread = np.linspace(0.02, noise, n)
    X = np.clip(p[:, None] + spread * rng.standard_normal((T, n)), 0.01, 0.99)
    return X, (rng.random(T) < p).astype(int)


def coin_losses(T: int, means, rng=0) -> np.ndarray:
    """Return a T x n matrix of losses 0 or 1: expert i loses with probability means[i] on each trial."""
    return (np.random.default_rng(rng).random((T, len(means))) < means).astype(float)
