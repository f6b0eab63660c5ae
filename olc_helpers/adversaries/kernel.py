"""Worst cases for learning DNF with a kernel (lecture 10)."""

import numpy as np

from ..booleans import Formula, cube
from ..kernels import anova_kernel
from ..protocol import check_count
from .experts import WorstCase

__all__ = ["kernel_perceptron_on_formula"]


def kernel_perceptron_on_formula(target: Formula, n: int, kernel=anova_kernel) -> WorstCase:
    """Return the most mistakes of the kernel Perceptron if the target labels all rows of n bits (TIGHT-11).

    Exact: the state is how often each of the 2^n rows was a mistake. Level m has every state that m mistakes can lead to, and
    the last level that is not empty gives the worst case. n <= 3 takes milliseconds; n = 4 seconds for some targets, and
    for others more than the million states at which the search gives up.
    """
    X = cube(check_count("n", n))
    if n > 4:
        raise ValueError(f"n must be at most 4, more rows have too many states; got {n}")
    y = 2 * target(X) - 1
    gram = np.outer(y, y) * kernel(X, X)
    level, levels = np.zeros((1, max(len(X), 8)), np.uint8), []  # a count per row, in whole 8-byte words
    while len(level):
        if len(level) > 10**6:
            raise ValueError(f"the target {target} has more than a million states after {len(levels)} mistakes")
        parent, row = np.nonzero(level[:, :len(X)] @ gram <= 0)
        after = level[parent]
        after[np.arange(len(row)), row] += 1
        words = after.view(np.uint64)
        order = np.lexsort(words.T)
        new = np.append(True, (words[order][1:] != words[order][:-1]).any(axis=1))[:len(order)]
        kept = order[new]
        levels.append((parent[kept], row[kept]))
        level = after[kept]
    chain, state = [], 0
    for parent, row in levels[-2::-1]:
        chain.append(row[state])
        state = parent[state]
    return WorstCase(len(chain), X[chain[::-1]], y[chain[::-1]])
