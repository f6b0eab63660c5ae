"""The kernel Perceptron, and Winnow on all monomials (lecture 14)."""

from math import fsum

import numpy as np

from ..checks import check_count
from ..own_work import answer
from ..shortcuts import shortcuts_in

__all__ = ["KernelPerceptron", "Memory", "MonomialWinnow", "SparseMonomialWinnow"]


def exact_score(alpha: np.ndarray, K: np.ndarray) -> float:
    """Return Σ_j alpha_j K_j, with the right sign: whole numbers are added exactly, other numbers
    rounded once at the end.
    """
    if K.dtype.kind == "f":
        return fsum(alpha * K)
    if K.dtype.kind != "i" or max(int(K.max()), -int(K.min())) * len(K) >= 2**63:
        return sum(int(a) * int(k) for a, k in zip(alpha, K, strict=True))
    return int(alpha @ K)


@answer
class KernelPerceptron:
    """The Perceptron on features Φ(x) of which only the kernel K(x, x') = Φ(x)·Φ(x') is known
    (DNF-A1).

    Its weights are w = Σ_j y_j Φ(x_j), a sum over its mistakes, so it keeps these instead of w: the
    rows x_j in `rows`, the labels y_j in `alpha`. `kernel(A, x)` must return K(a, x) for each row a
    of the matrix A.
    """

    inputs, labels = "real", "signs"

    def __init__(self, kernel):
        if not callable(kernel):
            raise ValueError(
                "kernel must be a function of a matrix and a row, such as anova_kernel; got"
                f" {kernel!r}"
            )
        self.kernel = kernel
        self.rows, self.alpha = [], []

    def score(self, x: np.ndarray) -> float:
        """Return w·Φ(x) = Σ_j y_j K(x_j, x)."""
        if not self.rows:
            return 0
        K = np.asarray(self.kernel(np.array(self.rows), x))
        if K.shape != (len(self.rows),) or K.dtype.kind not in "biufO":
            raise ValueError(
                f"kernel must return one number for each of the {len(self.rows)} rows; it returned"
                f" shape {K.shape} of {K.dtype}"
            )
        largest = np.abs(K).max() if K.dtype.kind == "f" else 0
        if not largest <= 1e308 / len(K):
            raise ValueError(
                f"the sum of {len(K)} kernels K(x_j, x) must not overflow; "
                f"the largest in size is {largest:g}"
            )
        return exact_score(np.array(self.alpha), K)

    def predict(self, x):
        score = self.score(x)
        return int(score > 0) - int(score < 0)

    def update(self, x, y):
        if self.predict(x) != y:
            k = len(self.rows)
            self.rows[k:], self.alpha[k:] = [np.array(x)], [int(y)]


@answer
class Memory:
    """Remember every input and its label; on a new one predict 0, which is always a mistake
    (DNF-T1).
    """

    inputs, labels = "real", "signs"

    def __init__(self):
        self.known = {}

    def predict(self, x):
        return self.known.get(tuple(x.tolist()), 0)

    def update(self, x, y):
        self.known[tuple(x.tolist())] = int(y)


@answer
class MonomialWinnow:
    """Winnow on all N = 2^n monomials of n bits: predict 1 if w·Φ(x) >= N, double or halve active
    weights (DNF-T2).

    The weights are an array of shape 2 x … x 2, with index 1 on axis i if x_i is in the monomial.
    The monomials that are 1 on x have any index where x_i = 1, and index 0 where x_i = 0: slicing
    finds them without looking at the others.
    """

    inputs = labels = "bits"

    def __init__(self, n: int):
        self.n = check_count("n", n)
        if self.n > 26:
            raise ValueError(
                f"n must be at most 26: 2^{n} weights do not fit into memory (SparseMonomialWinnow"
                " keeps none)"
            )
        self.W = np.ones((2,) * self.n)

    def _active(self, x):
        return tuple(slice(None) if bit else 0 for bit in x)

    def predict(self, x):
        active, N = self.W[self._active(x)], 2**self.n
        excess = active.sum() - N
        if abs(excess) <= 1e-9 * N:  # rounding could decide
            excess = fsum([*active.flat, -N])
        return int(excess >= 0)

    def update(self, x, y):
        gain = int(y) - self.predict(x)
        if gain:
            self.W[self._active(x)] *= 2.0**gain


@answer
class SparseMonomialWinnow:
    """MonomialWinnow from its mistakes alone, for any n: fast while few sets are intersections of
    mistakes (DNF-C2).

    A mistake multiplies the weight of each monomial s ⊆ x by 1 + g, with g = 1 or -1/2. Multiply
    out: the weight of s is the sum, over all sets Q of mistakes that all hold s, of the product of
    their g. So w·Φ(x) = Σ_I f(I) 2^|I ∩ x|, where I runs over the intersections of mistakes and
    f(I) adds these products up. `f` holds f(I) 2^shift, which is a whole number.
    """

    inputs = labels = "bits"

    def __init__(self, n: int):
        self.n, self.shift = check_count("n", n), 0
        self.f = {_number(np.ones(self.n, int)): 1}

    def predict(self, x):
        x = _number(x)
        total = sum(f << (I & x).bit_count() for I, f in self.f.items())
        return int(total >= 1 << (self.n + self.shift))

    def update(self, x, y):
        gain = int(y) - self.predict(x)
        if gain:
            x, scale = _number(x), 1 if gain > 0 else 2
            after = {I: scale * f for I, f in self.f.items()}
            for I, f in self.f.items():
                after[I & x] = after.get(I & x, 0) + gain * f
            after = {I: f for I, f in after.items() if f}
            self.f, self.shift = after, self.shift + (gain < 0)


def _number(x):
    """Return the set of the ones of x as the bits of a whole number."""
    return int.from_bytes(np.packbits(np.asarray(x, bool)).tobytes(), "big")


shortcuts_in("olc_helpers.dnf.fast", KernelPerceptron, MonomialWinnow)
