"""Cover problems and random formulas for lecture 13."""

import numpy as np

from ..checks import Seed, check_count, generator
from ..winnow.booleans import And, Or, check_size

# Twelve elements (rows) and six sets P1 … P6 (columns); as examples, all rows are positive (NP-E1).
TWELVE_BY_SIX = np.array(
    [
        [1, 0, 1, 0, 0, 0],
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
        [0, 0, 0, 0, 1, 1],
    ]
)


def greedy_trap(j: int) -> np.ndarray:
    """Return a cover problem that two sets solve while the greedy cover takes j, one per column
    block (NP-D4).

    Two rows of 2^j - 1 elements each are the first two sets. The others are blocks of 2^(j-1), …,
    2, 1 places across both rows: the next block always holds one element more than what is left of
    a row.
    """
    blocks = np.repeat(np.arange(check_count("j", j)), 2 ** np.arange(j)[::-1])
    place, row = np.tile(blocks, 2), np.repeat([0, 1], len(blocks))
    return np.column_stack([row == 0, row == 1, place[:, None] == np.arange(j)]).astype(int)


def random_cnf(q: int, clauses: int, width: int = 3, rng: Seed = 0) -> And:
    """Return a formula of random clauses with `width` different variables of q each, negated or not
    (NP-D3).
    """
    rng, width = generator(rng), check_size(width, check_count("q", q))

    def clause():
        variables = 1 + rng.choice(q, width, replace=False)
        return Or(*sorted((variables * rng.choice((-1, 1), width)).tolist(), key=abs))

    return And(*(clause() for _ in range(check_count("clauses", clauses))))
