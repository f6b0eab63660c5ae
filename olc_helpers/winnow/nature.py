"""Bits, signs and disjunctions for lectures 11 and 12, and exact worst cases."""

import math
import pickle
from collections.abc import Callable
from copy import deepcopy
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Seed, check_count, check_range, generator, given
from ..experts.worst_cases import DEPTH, WorstCase, deepest
from ..protocol import Learner, Run, play
from ..refusals import check_learner
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
    X = (generator(rng).random((check_count("T", T), n)) < p).astype(int)
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
    X = hadamard(n) * generator(rng).choice((-1, 1), (n, 1))
    return X, X[:, 0]


def first_coordinate(T: int, n: int, rng: Seed = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): rows of n fair signs -1 or +1, labelled with their first entry."""
    X = generator(rng).choice((-1, 1), (check_count("T", T), check_count("n", n)))
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


class _Chains:
    """The sequences of mistakes of a learner whose update on a mistake is state + sign * x.

    Only mistakes change the state, so these are all the states there are. `weights` are those of a
    state, and `wrong(score, sign)` says where the learner errs at a score w·x. The first k of the n
    variables, which are those of the target, can be renamed, and so can the others: of states that
    differ in names only the sorted one is kept. The last entry of a state is at most `most`.
    """

    def __init__(
        self,
        X: np.ndarray,
        signs: np.ndarray,
        n: int,
        k: int,
        weights: Callable,
        wrong: Callable,
        most: float = math.inf,
    ):
        self.X, self.signs = X, signs
        self.n, self.k, self.most = n, k, most
        self.weights, self.wrong = weights, wrong

    def alike(self, states):
        """Return the states with sorted names."""
        target, others, rest = np.split(states, [self.k, self.n], axis=1)
        return np.hstack([np.sort(target), np.sort(others), rest])

    def after(self, states):
        """Yield for each example which of the states err on it, and what they become."""
        w = self.weights(states)
        for x, sign in zip(self.X, self.signs, strict=True):
            bad = self.wrong(w @ x, sign) & (states[:, -1] + sign * x[-1] <= self.most)
            yield bad, states[bad] + sign * x

    def levels(self):
        """Return the states that 0, 1, 2, … mistakes can lead to; there is a last level, because
        the mistake bound makes it finite.
        """
        found, level = [], np.zeros((1, self.X.shape[1]), int)
        while len(level):
            found.append(level)
            level = _distinct(self.alike(np.concatenate([after for _, after in self.after(level)])))
        return found

    def longest(self) -> list[int]:
        """Return the examples of a longest sequence: a path to the last level is traced back, and
        played with real names.
        """
        *earlier, last = self.levels()
        path = [last[:1]]
        for level in reversed(earlier):
            path.append(self._before(level, path[-1]))
        state, chain = path.pop(), []
        while path:
            i, state = self._step(state, path.pop())
            chain.append(i)
        return chain

    def _before(self, level, goal):
        """Return a state of the level that a mistake leads to the goal."""
        for bad, after in self.after(level):
            hit = (self.alike(after) == goal).all(axis=1)
            if hit.any():
                return level[bad][hit][:1]

    def _step(self, state, goal):
        """Return the example on which a mistake leads from the state to the goal, and what the
        state becomes, with its own names.
        """
        for i, (bad, after) in enumerate(self.after(state)):
            if bad[0] and (self.alike(after) == goal).all():
                return i, after


def _distinct(states):
    """Return each of the states once; a state is written as a number with its entries as digits."""
    if len(states) == 0:
        return states
    digits, base = states - states.min(), np.ptp(states) + 1
    numbers = digits @ base ** np.arange(states.shape[1])
    return states[np.unique(numbers, return_index=True)[1]]


def _labelled_cube(n, k):
    X = cube(n)
    return X, X[:, : check_size(k, n)].max(axis=1)


def winnow_on_disjunctions(
    n: int, k: int, factor: float = 2, strict: bool = False, errors: int = 0
) -> DisjunctionWorstCase:
    """Return the most mistakes of Winnow on any sequence of n bits with the labels of a monotone
    disjunction of k of them, but for some attribute errors (TIGHT-9, WIN-T4).

    Exact: the state is the vector of exponents of the weights, and a mistake adds x to it or
    subtracts x; its last entry counts the errors. n <= 7 takes a fifth of a second without errors,
    n = 8 up to 4 seconds.
    """
    X, y = _labelled_cube(check_count("n", n), k)
    active, learner = X[:, :k].sum(axis=1), Winnow(n, factor, strict)
    X, y = np.vstack([X, X]), np.concatenate([y, 1 - y])
    paid = np.where(np.arange(len(X)) < 2**n, 0, np.tile(np.maximum(active, 1), 2))
    X, y, paid = (each[paid <= errors] for each in (X, y, paid))

    def wrong(total, sign):
        return (total > n if strict else total >= n) != (sign > 0)

    def weights(states):
        return learner.factor**states * (np.arange(n + 1) < n)

    signs = 2 * y - 1
    rows = np.column_stack([X, signs * paid])
    chain = _Chains(rows, signs, n, k, weights, wrong, errors).longest()
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

    def wrong(score, sign):
        return sign * score <= 0

    chain = _Chains(X, signs, n, k, np.asarray, wrong).longest()
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
    beta = check_range("beta", beta, lambda b: 0 <= b < 1, "in [0, 1)")
    base = check_count("T", T) + 1
    table = np.unique(np.column_stack([disjunction_advice(X, k), y]), axis=0)
    advice, y, experts = table[:, :-1], table[:, -1], table.shape[1] - 1
    if (experts + 1) * math.log2(base) > 62:
        raise ValueError(
            f"n = {n}, k = {k}, T = {T} is too much for an exact search: {experts} experts with up"
            f" to {T} losses each"
        )
    losses, mistakes = np.zeros((1, experts), int), np.zeros(1, int)
    powers = base ** np.arange(experts)
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
    check_learner(learner)
    rows, labels = (each.checked() for each in given(learner, X, y))

    def answers(learner):
        for i in range(len(labels)):
            after = deepcopy(learner)
            if after.predict(rows[i]) != labels[i]:
                after.update(rows[i], labels[i])
                yield i, True, (after,)

    tired = (
        f"{type(learner).__name__} can make {DEPTH} mistakes and never be in the same state twice:"
        " perhaps no number bounds its mistakes on these examples"
    )
    mistakes, chain = deepest(
        (learner,), lambda learner: pickle.dumps(vars(learner)), answers, tired
    )
    return WorstCase(mistakes, rows[chain], labels[chain])


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
