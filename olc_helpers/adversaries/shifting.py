"""A stream on which Fixed Share's bound is exact (lecture 11)."""

import numpy as np

from ..protocol import check_count
from ..sequences import count_sequences

__all__ = ["sharp_share"]


def sharp_share(T: int = 30, n: int = 5, k: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (X, y, sequence) on which Fixed Share with the entropic loss has the regret of its bound, for every alpha (TIGHT-12).

    The label is always 1. The expert of the sequence says 1, all others 0: only one sequence of experts survives, so the loss of
    the mixture is ln(1/prior) of that sequence.
    """
    if check_count("n", n) < 2:
        raise ValueError("n must be at least 2: Fixed Share needs another expert; got 1")
    count_sequences(T, n, k)  # k must fit into T
    sequence = np.arange(T) * (k + 1) // T % n
    return np.eye(n)[sequence], np.ones(T), sequence
