"""Formulas and examples for lectures 09 and 10: a cover problem, random formulas, the concept of a cat."""

import numpy as np

from ..booleans import And, Formula, Or, check_size, formula
from ..protocol import check_count, check_range

__all__ = ["CAT", "CAT_FEATURES", "TWELVE_BY_SIX", "greedy_trap", "labelled", "planted", "random_cnf", "random_dnf"]

# Twelve elements (rows) and six sets P1 … P6 (columns); as examples, all rows are positive (NP-E1).
TWELVE_BY_SIX = np.array([[1, 0, 1, 0, 0, 0],
                          [1, 0, 0, 1, 0, 0],
                          [1, 0, 0, 0, 1, 0],
                          [1, 0, 1, 1, 0, 0],
                          [1, 1, 0, 1, 0, 0],
                          [1, 1, 0, 0, 1, 0],
                          [0, 0, 1, 1, 0, 0],
                          [0, 1, 0, 1, 0, 0],
                          [0, 1, 0, 0, 1, 0],
                          [0, 0, 1, 0, 0, 1],
                          [0, 0, 0, 1, 0, 1],
                          [0, 0, 0, 0, 1, 1]])

# What a cat is, after an example of Lisa Hellerstein (DNF-D1).
CAT_FEATURES = ("pet", "purrs", "tail", "furry", "tapered_ears", "round_eyes", "sylvester", "chases_tweety")
CAT = formula("pet purrs tail ∨ ¬tail furry tapered_ears round_eyes ∨ sylvester chases_tweety", CAT_FEATURES)


def greedy_trap(j: int) -> np.ndarray:
    """Return a cover problem that two sets solve while the greedy cover takes j, one per column block (NP-D4).

    Two rows of 2^j - 1 elements each are the first two sets. The others are blocks of 2^(j-1), …, 2, 1 places across both
    rows: the next block always holds one element more than what is left of a row.
    """
    blocks = np.repeat(np.arange(check_count("j", j)), 2 ** np.arange(j)[::-1])
    place, row = np.tile(blocks, 2), np.repeat([0, 1], len(blocks))
    return np.column_stack([row == 0, row == 1, place[:, None] == np.arange(j)]).astype(int)


def random_cnf(m: int, clauses: int, width: int = 3, rng=0) -> And:
    """Return a formula of random clauses with `width` different variables of m each, negated or not (NP-D3)."""
    rng, width = np.random.default_rng(rng), check_size(width, check_count("m", m))
    def clause():
        variables = 1 + rng.choice(m, width, replace=False)
        return Or(*sorted((variables * rng.choice((-1, 1), width)).tolist(), key=abs))
    return And(*(clause() for _ in range(check_count("clauses", clauses))))


def random_dnf(n: int, k: int, size: int, rng=0) -> Or:
    """Return k different random terms of `size` variables out of n, joined by "or" (DNF-D1); none is negated."""
    rng, size = np.random.default_rng(rng), check_size(size, check_count("n", n))
    found = {}
    for _ in range(1000 * check_count("k", k)):
        found[tuple(sorted((1 + rng.choice(n, size, replace=False)).tolist()))] = None
        if len(found) == k:
            return Or(*(And(*term) for term in found))
    raise ValueError(f"k must be at most the number of terms of {size} out of {n} variables; got {k}")


def labelled(target: Formula, T: int, n: int, rng=0, p: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): T rows of n bits that are 1 with probability p, independently, and the target's labels 0 or 1."""
    p = check_range("p", p, lambda q: 0 <= q <= 1, "in [0, 1]")
    X = (np.random.default_rng(rng).random((check_count("T", T), check_count("n", n))) < p).astype(int)
    return X, target(X)


def planted(target: Or, T: int, n: int, ones: int, rng=0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): rows with `ones` random ones out of n, on half of which a random term of the target is made true.

    The target must be in disjunctive normal form. Rows stay sparse, and about half of the labels or more are 1.
    """
    rng, ones = np.random.default_rng(rng), check_size(ones, check_count("n", n))
    for term in target.terms:
        if any(-literal in term for literal in term):
            raise ValueError(f"the term {And(*term)} can't be made true: it has a variable and its negation")
    X = np.zeros((check_count("T", T), n), int)
    for x in X:
        x[rng.choice(n, ones, replace=False)] = 1
        if rng.random() < 0.5:
            literals = np.array(target.terms[rng.integers(len(target.terms))])
            x[np.abs(literals) - 1] = literals > 0
    return X, target(X)
