"""Expert advice, losses and labels for lectures 01 to 03."""

import numpy as np

__all__ = ["FOUR_FORECASTERS", "EIGHT_EXPERTS", "noisy_experts", "one_good_expert", "divided_experts",
           "forecasts", "coin_losses"]

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


def divided_experts(T: int, n: int, rng=0) -> np.ndarray:
    """Return X: T rows of advice, drawn at random from those on which the n >= 2 experts do not all agree."""
    patterns = np.random.default_rng(rng).integers(1, 2**n - 1, T)
    return patterns[:, None] >> np.arange(n) & 1


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
