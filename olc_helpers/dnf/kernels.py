"""Dot products of monomials (lecture 14): the ANOVA kernel, and the 2^n monomials that it never
writes down.

A monomial is a product of some of the variables x_1 … x_n, a term without negations; the empty
product is 1.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import flag
from ..checks import check_count, check_values
from ..winnow.booleans import And

__all__ = ["AnovaKernel", "anova_kernel", "monomials", "terms"]

LARGEST = 2**27  # entries of an expansion from which `monomials` refuses


@dataclass(frozen=True)
class AnovaKernel:
    """The dot product Φ(x)·Φ(y) of all monomials, (1 + x_1 y_1) ⋯ (1 + x_n y_n), in n steps instead
    of 2^n (DNF-L1).

    With `degree` d only products of at most d variables count. With `negations` the features are
    all terms, with x_i or ¬x_i or neither; then the rows must hold bits. kernel(x, y) is a number,
    kernel(X, y) has an entry for each row of X, and kernel(X, Y) is a matrix.

    Two rows of bits with s common ones share the 2^s monomials of these, and Σ_{l≤d} C(s, l) up to
    degree d; with negations s counts where they agree. Such values are exact: Python integers where
    64 bits can't hold them.
    """

    degree: int | None = None
    negations: bool = False

    def __post_init__(self):
        flag("negations", self.negations)
        if self.degree is not None:
            check_count("degree", self.degree)

    def __call__(self, X, Y) -> np.ndarray:
        X, Y = (a if type(a) is np.ndarray else check_values("X", a, "real") for a in (X, Y))
        if X.shape[-1:] != Y.shape[-1:]:
            raise ValueError(
                f"X and Y must have equally many columns; their shapes are {X.shape} and {Y.shape}"
            )
        if _bits(X) and _bits(Y):
            return self.counts(X.shape[-1])[self.common(X, Y)]
        if self.negations:
            check_values("X", X, "bits"), check_values("Y", Y, "bits")
        return self._of_reals(X, Y)

    def counts(self, n: int) -> np.ndarray:
        """Return the kernel of rows of n bits with s common ones, for s = 0 … n; the last is the
        largest value.
        """
        return _counts(n, self.degree)

    def common(self, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
        """Return the number of common ones of rows of bits, with negations of places where they
        agree.
        """
        common = (X.astype(np.float32) @ Y.astype(np.float32).T).astype(int)  # exact below 2^24
        if not self.negations:
            return common
        return X.shape[-1] - np.add.outer(X.sum(axis=-1), Y.sum(axis=-1)).astype(int) + 2 * common

    def _of_reals(self, X, Y):
        """Return the sum of the elementary symmetric polynomials of x_i y_i, up to the degree."""
        sums = [1.0, *([0.0] * min(self.degree or 1, X.shape[-1]))]
        for i in range(X.shape[-1]):
            z = np.multiply.outer(X[..., i], Y[..., i], dtype=np.result_type(X, Y, float))
            if self.degree is None:
                sums[0] = sums[0] * (1 + z)
            else:
                for d in range(len(sums) - 1, 0, -1):
                    sums[d] = sums[d] + z * sums[d - 1]
        return sum(sums)


def _bits(a):
    return bool(((a == 0) | (a == 1)).all())


@cache
def _counts(n, degree):
    counts = [
        2**s if degree is None or degree >= s else sum(comb(s, d) for d in range(degree + 1))
        for s in range(n + 1)
    ]
    return np.array(counts, np.int64 if counts[-1] < 2**63 else object)


anova_kernel = AnovaKernel()


def monomials(X: ArrayLike, degree: int | None = None, negations: bool = False) -> np.ndarray:
    """Return Φ(x) for each row of X: the values of all monomials, one column each, in the order of
    `terms` (DNF-D2).

    The first column is the constant 1. With n variables there are 2^n columns, with `negations`
    3^n, less with a `degree`.
    """
    X = check_values("X", X, "bits" if negations else "real")
    n, base = X.shape[-1], 3 if negations else 2
    if base**n * max(X.size, 1) > LARGEST * max(n, 1):
        raise ValueError(
            f"X has {n} columns, so each row has {base}^{n} monomials: too many to write down "
            "(a kernel needs none of them: see anova_kernel)"
        )
    features = np.ones((*X.shape[:-1], 1), X.dtype if X.dtype.kind == "f" else int)
    for i in range(n):
        x = X[..., i, None]
        factors = [features, features * x] + [features * (1 - x)] * negations
        features = np.stack(factors, axis=-1).reshape(*X.shape[:-1], -1)
    return (
        features
        if degree is None
        else features[..., _sizes(n, negations) <= check_count("degree", degree)]
    )


def _sizes(n, negations):
    sizes = np.zeros(1, int)
    for _ in range(n):
        sizes = np.add.outer(sizes, [0, 1, 1] if negations else [0, 1]).ravel()
    return sizes


def terms(n: int, degree: int | None = None, negations: bool = False) -> list[And]:
    """Return the monomials of n variables as terms, in the order of the columns of `monomials`
    (DNF-D2).
    """
    degree = n if degree is None else check_count("degree", degree)
    if (3 if negations else 2) ** check_count("n", n) > LARGEST:
        raise ValueError(f"n must be smaller: {n} variables have too many terms to write down")
    choices = [(0, i, -i) if negations else (0, i) for i in range(1, n + 1)]
    every = (And(*filter(None, chosen)) for chosen in product(*choices))
    return [term for term in every if len(term.parts) <= degree]
