"""Random formulas, examples of them, the concept of a cat, and an exact worst case (lecture 14)."""

from collections.abc import Callable, Iterable

import numpy as np

from ..checks import Seed, check_count, check_range, generator
from ..experts.worst_cases import WorstCase
from ..winnow.booleans import And, Formula, Or, check_formula, check_size, cube, formula
from .kernels import anova_kernel

# What a cat is, after an example of Lisa Hellerstein (DNF-D1).
CAT_FEATURES = (
    "pet",
    "purrs",
    "tail",
    "furry",
    "tapered_ears",
    "round_eyes",
    "sylvester",
    "chases_tweety",
)
CAT = formula(
    "pet purrs tail ∨ ¬tail furry tapered_ears round_eyes ∨ sylvester chases_tweety", CAT_FEATURES
)


def random_dnf(n: int, k: int, size: int, rng: Seed = 0) -> Or:
    """Return k different random terms of `size` variables out of n, joined by "or" (DNF-D1); none
    is negated.
    """
    rng, size = generator(rng), check_size(size, check_count("n", n))
    found: dict[tuple[int, ...], None] = {}
    for _ in range(1000 * check_count("k", k)):
        found[tuple(sorted((1 + rng.choice(n, size, replace=False)).tolist()))] = None
        if len(found) == k:
            return Or(*(And(*term) for term in found))
    raise ValueError(
        f"k must be at most the number of terms of {size} out of {n} variables; got {k}"
    )


def labelled(
    target: Formula, T: int, n: int, rng: Seed = 0, p: float = 0.5
) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): T rows of n bits that are 1 with probability p, independently, and the
    target's labels 0 or 1.
    """
    check_formula(target)
    p = check_range("p", p, lambda q: 0 <= q <= 1, "in [0, 1]")
    drawn = generator(rng).random((check_count("T", T), check_count("n", n)))
    X = (drawn < p).astype(int)
    return X, target(X)


def planted(target: Or, T: int, n: int, ones: int, rng: Seed = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): rows with `ones` random ones out of n, on half of which a random term of the
    target is made true.

    The target must be in disjunctive normal form. Rows stay sparse, and about half of the labels or
    more are 1.
    """
    rng, ones = generator(rng), check_size(ones, check_count("n", n))
    check_formula(target)
    for term in target.terms:
        if any(-literal in term for literal in term):
            raise ValueError(
                f"the term {And(*term)} can't be made true: it has a variable and its negation"
            )
    X = np.zeros((check_count("T", T), n), int)
    for x in X:
        x[rng.choice(n, ones, replace=False)] = 1
        if rng.random() < 0.5:
            literals = np.array(target.terms[rng.integers(len(target.terms))])
            x[np.abs(literals) - 1] = literals > 0
    return X, target(X)


# Three colours ------------------------------------------------------------------------------------

# The edges of two triangles, 1 2 3 and 4 5 6, whose corners are joined in pairs (NP-T5).
PRISM = ((1, 2), (2, 3), (1, 3), (4, 5), (5, 6), (4, 6), (1, 4), (2, 5), (3, 6))


def graph_examples(n: int, edges: Iterable[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) with n + |edges| examples that a DNF of three terms explains if and only if the
    graph with the vertices 1 … n has a proper colouring with three colours (NP-T5).

    A vertex is a positive example, all ones but for a 0 at its own place, and an edge a negative
    one, with a 0 at both ends.
    """
    vertices, edges = [(i,) for i in range(1, check_count("n", n) + 1)], [*edges]
    for edge in edges:
        if len(set(edge)) != 2 or not {*edge} <= set(range(1, n + 1)):
            raise ValueError(f"an edge must be two different vertices of 1 … {n}; got {edge}")
    zeros = vertices + edges
    X = np.ones((len(zeros), n), int)
    for x, places in zip(X, zeros, strict=True):
        x[np.array(places) - 1] = 0
    return X, np.repeat([1, 0], [n, len(edges)])


# A worst case -------------------------------------------------------------------------------------


def kernel_perceptron_on_formula(
    target: Formula, n: int, kernel: Callable = anova_kernel
) -> WorstCase:
    """Return the most mistakes of the kernel Perceptron if the target labels all rows of n bits
    (TIGHT-11).

    Exact: the state is how often each of the 2^n rows was a mistake. Level m has every state that m
    mistakes can lead to, and the last level that is not empty gives the worst case. n <= 3 takes
    milliseconds; n = 4 seconds for some targets, and for others more than the million states at
    which the search gives up.
    """
    X = cube(check_count("n", n))
    if n > 4:
        raise ValueError(f"n must be at most 4, more rows have too many states; got {n}")
    y = 2 * target(X) - 1
    gram = np.outer(y, y) * kernel(X, X)
    # A count per row, in whole 8-byte words.
    level = np.zeros((1, max(len(X), 8)), np.uint8)
    levels: list[tuple[np.ndarray, np.ndarray]] = []
    while len(level):
        if len(level) > 10**6:
            raise ValueError(
                f"the target {target} has more than a million states after {len(levels)} mistakes"
            )
        parent, row = np.nonzero(level[:, : len(X)] @ gram <= 0)
        after = level[parent]
        after[np.arange(len(row)), row] += 1
        words = after.view(np.uint64)
        order = np.lexsort(words.T)
        new = np.append(True, (words[order][1:] != words[order][:-1]).any(axis=1))[: len(order)]
        kept = order[new]
        levels.append((parent[kept], row[kept]))
        level = after[kept]
    chain, state = [], 0
    for parent, row in levels[-2::-1]:
        chain.append(row[state])
        state = parent[state]
    return WorstCase(len(chain), X[chain[::-1]], y[chain[::-1]])
