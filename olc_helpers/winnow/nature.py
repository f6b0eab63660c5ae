"""Bits, signs and disjunctions for lecture 08, and exact worst cases with their sequences."""

import math
import pickle
from copy import deepcopy
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Seed, check_count, check_range
from ..experts.worst_cases import DEPTH, WorstCase, deepest
from ..protocol import Learner, Run, play
from .booleans import check_size, cube, disjunction_advice
from .learners import Winnow

# Four trials of four variables with labels that no disjunction of two variables explains (BOOL-E1).
FOUR_VARIABLES = (
    np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 1], [0, 1, 0, 0]]),
    np.array([0, 1, 0, 1]),
)


def disjunction(
    T: int, n: int, k: int, rng: Seed = 0, p: float | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): bits that are 1 with probability p, independently, and the labels of x_1 ∨ … ∨
    x_k (WIN-X1).

    Without p it is 1 - 2^(-1/k): then all k bits are 0 with probability 1/2, and the labels are
    balanced.
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
        raise ValueError(
            f"n must be a power of 2, so that the rows can be built by doubling; got {n}"
        )
    H = np.ones((1, 1), int)
    while len(H) < n:
        H = np.block([[H, H], [H, -H]])
    return H


def orthogonal_signs(n: int, rng: Seed = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): n orthogonal rows of n signs, each multiplied with a random sign, labelled
    with their first entry (DISJ-C2); n is a power of 2.
    """
    X = hadamard(n) * np.random.default_rng(rng).choice((-1, 1), (n, 1))
    return X, X[:, 0]


def first_coordinate(T: int, n: int, rng: Seed = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): rows of n fair signs -1 or +1, labelled with their first entry."""
    X = np.random.default_rng(rng).choice((-1, 1), (check_count("T", T), check_count("n", n)))
    return X, X[:, 0]


# Worst cases --------------------------------------------------------------------------------------


class DisjunctionWorstCase(NamedTuple):
    """The most mistakes, those on positive and on negative examples apart, and a stream that
    attains them.
    """

    mistakes: int
    positive: int
    negative: int
    X: np.ndarray
    y: np.ndarray


def _longest_chain(X, signs, k, n, weights, wrong):
    """Return the examples of a longest sequence of mistakes of a learner that is wrong about a
    score w·x, with the weights w of its state, and whose update is state + sign * x.

    Only mistakes change the state, so these are all the states there are. They are searched level
    by level: level m has every state that m mistakes can lead to. The k variables of the target can
    be renamed, and so can the n - k others: of states that differ in names only the sorted one is
    kept. The last level that is not empty gives the worst case, which the mistake bound makes
    finite; then a path to it is traced back and played with real names.
    """

    def named_alike(states):
        return np.hstack([np.sort(states[:, :k]), np.sort(states[:, k:n]), states[:, n:]])

    def successors(states):
        w = weights(states)
        for x, s in zip(X, signs, strict=True):
            bad = wrong(w @ x, s)
            yield bad, states[bad] + s * x

    level, levels = np.zeros((1, X.shape[1]), int), []
    while len(level):
        levels.append(level)
        after = named_alike(np.concatenate([states for _, states in successors(level)]))
        keys = (after - after.min(initial=0)) @ (
            np.ptp(after) + 1 if after.size else 1
        ) ** np.arange(X.shape[1])
        level = after[np.unique(keys, return_index=True)[1]]

    path = [levels[-1][:1]]
    for level in levels[-2::-1]:
        path.append(
            next(
                level[bad][hit][:1]
                for bad, states in successors(level)
                if (hit := (named_alike(states) == path[-1]).all(axis=1)).any()
            )
        )
    chain, state = [], path[-1]
    for _, goal in pairwise(path[::-1]):
        i = next(
            i
            for i, (bad, after) in enumerate(successors(state))
            if bad[0] and (named_alike(after) == goal).all()
        )
        state = state + signs[i] * X[i]
        chain.append(i)
    return chain


def _labelled_cube(n, k):
    X = cube(n)
    return X, X[:, : check_size(k, n)].max(axis=1)


def winnow_on_disjunctions(
    n: int, k: int, factor: float = 2, strict: bool = False
) -> DisjunctionWorstCase:
    """Return the most mistakes of Winnow on any sequence of n bits with the labels of a monotone
    disjunction of k of them (TIGHT-9).

    Exact: the state is the vector of exponents of the weights, and a mistake adds x to it or
    subtracts x. n <= 7 takes a fifth of a second, n = 8 up to 4 seconds.
    """
    X, y = _labelled_cube(check_count("n", n), k)
    learner = Winnow(n, factor, strict)

    def wrong(total, sign):
        return (total > n if strict else total >= n) != (sign > 0)

    chain = _longest_chain(X, 2 * y - 1, k, n, lambda exponents: learner.factor**exponents, wrong)
    positive = int(y[chain].sum())
    return DisjunctionWorstCase(len(chain), positive, len(chain) - positive, X[chain], y[chain])


def perceptron_on_disjunctions(n: int, k: int) -> WorstCase:
    """Return the most mistakes of the Perceptron on any sequence of rows (x, 1), x of n bits, with
    the labels of a disjunction of k of them (TIGHT-8).

    Exact: the weights are whole numbers, and a mistake adds (x, 1) to them or subtracts it. The
    rows of the stream have n + 1 entries, its labels are -1 and +1. n <= 5 takes a tenth of a
    second.
    """
    X, y = _labelled_cube(check_count("n", n), k)
    X, signs = np.hstack([X, np.ones((2**n, 1), int)]), 2 * y - 1
    chain = _longest_chain(X, signs, k, n, np.asarray, lambda score, sign: sign * score <= 0)
    return WorstCase(len(chain), X[chain], signs[chain])


def experts_on_disjunctions(n: int, k: int, beta: float = 0.0, T: int = 6) -> int:
    """Return the most mistakes of Weighted Majority with all disjunctions of k of n variables as
    experts (TIGHT-7).

    One of them is always right. beta = 0 is Halving. Exact for streams of at most T trials: nature
    may also show trials without a mistake, which change the weights too. All losses that nature can
    reach in t trials are kept, each with the most mistakes on the way; by symmetry the target is
    the disjunction of the first k variables.
    """
    X, y = _labelled_cube(check_count("n", n), k)
    beta, base = (
        check_range("beta", beta, lambda b: 0 <= b < 1, "in [0, 1)"),
        check_count("T", T) + 1,
    )
    table = np.unique(np.column_stack([disjunction_advice(X, k), y]), axis=0)
    advice, y, experts = table[:, :-1], table[:, -1], table.shape[1] - 1
    if (experts + 1) * math.log2(base) > 62:
        raise ValueError(
            f"n = {n}, k = {k}, T = {T} is too much for an exact search: {experts} experts with up"
            f" to {T} losses each"
        )
    losses, mistakes, powers = (
        np.zeros((1, experts), int),
        np.zeros(1, int),
        base ** np.arange(experts),
    )
    for _ in range(T):
        # Equal sums tie, in whatever order they were added.
        lead = np.round(beta**losses @ (2 * advice - 1).T, 12)
        after = np.minimum(losses[:, None] + (advice != y[:, None]), 1 if beta == 0 else T)
        count = mistakes[:, None] + ((lead >= 0) != y)
        # The same losses stand together, most mistakes first.
        codes = np.unique(after @ powers * base + T - count)
        codes = codes[np.diff(codes // base, prepend=-1) > 0]
        losses, mistakes = codes[:, None] // base // powers % base, T - codes % base
    return int(mistakes.max())


def table_worst_case(learner: Learner, X: ArrayLike, y: ArrayLike) -> WorstCase:
    """Return the most mistakes that nature can force with the examples (X, y), in any order and as
    often as it likes.

    Depth-first search over copies of the learner; exact for conservative learners, which change
    only on a mistake. A state that comes back can come back for ever: the answer is then math.inf,
    with a stream into the circle and around. A learner with a chain of DEPTH mistakes and no state
    twice is given up.
    """
    X, y = np.asarray(X), np.asarray(y)

    def answers(learner):
        for i in range(len(y)):
            after = deepcopy(learner)
            if after.predict(X[i]) != y[i]:
                after.update(X[i], y[i])
                yield i, True, (after,)

    tired = (
        f"{type(learner).__name__} can make {DEPTH} mistakes and never be in the same state twice:"
        " perhaps no number bounds its mistakes on these examples"
    )
    mistakes, chain = deepest(
        (learner,), lambda learner: pickle.dumps(vars(learner)), answers, tired
    )
    return WorstCase(mistakes, X[chain], y[chain])


def orthogonal_rows(learner: Learner, n: int) -> Run:
    """Return the Run on n orthogonal rows of signs, labelled with their first entry, a literal
    (DISJ-C2).

    A learner that sees only the dot products of the rows cannot tell a row from its negative,
    because all dot products with earlier rows are 0. Nature shows the one on which the learner
    errs: n mistakes, n a power of 2.
    """
    rival, rows = deepcopy(learner), []
    for row in hadamard(n):
        x = -row if rival.predict(row) == row[0] else row
        rows.append(x)
        rival.update(x, x[0])
    X = np.array(rows)
    return play(deepcopy(learner), X, X[:, 0])
