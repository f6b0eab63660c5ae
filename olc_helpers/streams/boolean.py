"""Boolean examples for lectures 08 to 10: disjunctions, counts, and rows of signs."""

import numpy as np

from ..booleans import check_size, cube
from ..protocol import check_count, check_range

__all__ = ["FOUR_VARIABLES", "at_least", "disjunction", "first_coordinate", "hadamard"]

# Four trials of four variables with labels that no disjunction of two variables explains (BOOL-E1).
FOUR_VARIABLES = (np.array([[1, 1, 0, 0],
                            [1, 0, 1, 0],
                            [0, 1, 1, 1],
                            [0, 1, 0, 0]]), np.array([0, 1, 0, 1]))


def disjunction(T: int, n: int, k: int, rng=0, p: float | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): bits that are 1 with probability p, independently, and the labels of x_1 ∨ … ∨ x_k (WIN-X1).

    Without p it is 1 - 2^(-1/k): then all k bits are 0 with probability 1/2, and the labels are balanced.
    """
    k = check_size(k, check_count("n", n))
    p = 1 - 2 ** (-1 / k) if p is None else check_range("p", p, lambda q: 0 <= q <= 1, "in [0, 1]")
    X = (np.random.default_rng(rng).random((check_count("T", T), n)) < p).astype(int)
    return X, X[:, :k].max(axis=1)


def at_least(r: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): all rows of n bits, labelled 1 if at least r of the bits are 1 (WIN-C3)."""
    X = cube(n)
    return X, (X.sum(axis=1) >= check_size(r, n)).astype(int)


def hadamard(n: int) -> np.ndarray:
    """Return n rows of n signs that are orthogonal to each other, n a power of 2 (DISJ-C2)."""
    if check_count("n", n) & (n - 1):
        raise ValueError(f"n must be a power of 2, so that the rows can be built by doubling; got {n}")
    H = np.ones((1, 1), int)
    while len(H) < n:
        H = np.block([[H, H], [H, -H]])
    return H


def first_coordinate(T: int, n: int, rng=0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): rows of n fair signs -1 or +1, labelled with their first entry."""
    X = np.random.default_rng(rng).choice((-1, 1), (check_count("T", T), check_count("n", n)))
    return X, X[:, 0]
