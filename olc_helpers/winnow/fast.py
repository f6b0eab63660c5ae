"""Shortcuts of Winnow, which changes on mistakes only: look ahead, play many in step, or play a
compiled loop.
"""

from functools import cached_property

import numpy as np

from ..checks import is_sparse
from ..compiled import Kernel, Rows, readable
from ..fast import LookAhead, on_sparse_rows, room, shortcut
from ..replications import in_step
from .learners import Winnow

RARE = 1 / 200  # rate of mistakes up to which looking ahead pays more than a compiled loop


@Kernel
def multiply(rows, labels, W, c, powers, low, guesses, after, i, k, known, strict, binary):
    """Play on from trial i with the weights W[k] = factor^c, and return (i, k) at the end, or at a
    trial whose score must be known: `known` is the score of trial i, NaN if it was not asked for.

    `powers` holds factor^low and so on; the first is 0, or no c falls below. Each mistake is a row
    of W. The rounding error of a sum of n weights is at most n 2^-53 times the sum; a score that is
    as near to n as twice that, and a bit, is left to the plain loop, unless all weights are powers
    of 2 (`binary`) so near to each other that both sums are exact.
    """
    n = rows.shape[1]
    while i < len(rows):
        score = 0.0
        if known == known:
            score, known = known, np.nan
        else:
            for j in range(n):
                score += W[k, j] * rows[i, j]
            if abs(score - n) <= 5e-16 * (n + 9) * (score + n):
                least = np.inf
                for j in range(n):
                    if rows[i, j] == 1.0:
                        least = min(least, W[k, j])
                if not binary or score > 2.0**52 * least:
                    return i, k
        guesses[i] = score > n if strict else score >= n
        gain = labels[i] - guesses[i]
        if gain != 0:
            for j in range(n):
                if rows[i, j] == 1.0:
                    c[j] += gain
                W[k + 1, j] = powers[min(len(powers) - 1, max(0, c[j] - low))]
            k += 1
        after[i] = k
        i += 1
    return i, k


@Kernel
def multiply_sparse(
    bounds, columns, numbers, labels, w, c, scores, changed, i, known, powers, low, near, rule
):
    """Play on as `multiply` does, on rows of which some numbers are stored, and return i at the
    end, or at a trial whose score must be known; w and c change in place.
    """
    (strict, binary), n = rule, len(w)
    while i < len(labels):
        first, last, score = bounds[i], bounds[i + 1], 0.0
        if known == known:
            score, known = known, np.nan
        else:
            for j in range(first, last):
                score += w[columns[j]] * numbers[j]
            if abs(score - n) <= near:
                least = np.inf
                for j in range(first, last):
                    if numbers[j] == 1.0:
                        least = min(least, w[columns[j]])
                if not binary or score > 2.0**52 * least:
                    return i
        scores[i] = score > n if strict else score >= n
        gain = int(labels[i] - scores[i])
        if gain != 0:
            changed[i] = True
            for j in range(first, last):
                here = columns[j]
                if numbers[j] == 1.0:
                    c[here] += gain
                    w[here] = powers[min(len(powers) - 1, max(0, c[here] - low))]
        i += 1
    return i


def _multiply_row_by_row(
    bounds, columns, numbers, labels, w, c, scores, changed, ask, powers, low, near, rule
):
    (strict, binary), n, bounds = rule, len(w), bounds.tolist()
    for i, label in enumerate(labels.tolist()):
        part = slice(bounds[i], bounds[i + 1])
        where, x = columns[part], numbers[part]
        here = w[where]
        score = float(here.dot(x))
        if abs(score - n) <= near and not (binary and score <= 2.0**52 * here[x == 1].min()):
            score = ask(i)
        scores[i] = guess = score > n if strict else score >= n
        if guess != label:
            changed[i] = True
            _multiply((powers, low), where, x, label, w, c)


def _multiply(rule, where, x, label, w, c):
    (powers, low, *_), active = rule, where[x == 1]
    c[active] = now = c[active] + (1 if label else -1)
    w[active] = powers.take(now - low, mode="clip")


def _sparse(learner, X, y):
    factor, longest = learner.factor, int(np.diff(X.indptr).max())
    near = 2e-15 * learner.n * (longest + 9)  # as in `multiply`, where a score is below 3 n
    kind = bool(learner.strict), bool(np.frexp(factor)[0] == 0.5)

    def rule(trials, w, c):
        low, powers = all_powers(factor, c, trials)
        return powers, low, near, kind

    for guesses, _, holder, (w, c) in on_sparse_rows(
        X, y, (learner.w, learner.c), multiply_sparse, _multiply_row_by_row, _multiply, rule
    ):
        learner.c, learner.w = c, w
        yield guesses.astype(int), holder


def all_powers(factor: float, c: np.ndarray, trials: int) -> tuple[int, np.ndarray]:
    """Return (low, factor^low and so on) for all c that so many trials can lead to; the first is 0
    if others are below it, the last infinite if others are above.
    """
    lost = int(800 / np.log(factor)) + 1  # factor^lost is infinite
    low = max(int(c.min()) - trials, -lost)
    high = min(max(low, int(c.max()) + trials), lost)
    with np.errstate(over="ignore"):
        return low, factor ** np.arange(low, high + 1)


@shortcut(Winnow, sparse_too=True)
def _winnow(learner, X, y, check):
    if not is_sparse(X):
        return _Winnow(learner, X, y, check)
    own = not np.array_equal(learner.factor**learner.c, learner.w)
    return None if own else _sparse(learner, X, y)


class _Winnow(LookAhead):
    """Half as many digits are had in half the time, and are enough for bits of small types: a sum
    of n weights is then off by at most n 2^-24 of it, and by as much again because the weights are;
    where that could matter, all digits are taken.
    """

    kernel = multiply

    def __init__(self, learner, X, y, check):
        super().__init__(learner, X, y, check)
        self.least, self.kind = RARE, np.float32 if X.dtype.itemsize < 8 else float
        self.own = not np.array_equal(learner.factor**learner.c, learner.w)

    def ahead(self, x, rows):
        if self.kind is float:
            return self._in_all_digits(rows)
        n = self.learner.n
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            scores = rows @ self.learner.w.astype(np.float32)
            far = np.abs(scores - n) > 3e-7 * (n + 9) * (scores + n)
            guesses = scores >= n
        if not far.all():
            guesses[~far] = self._in_all_digits(x[~far].astype(float))
        return guesses

    def _in_all_digits(self, rows):
        scores = np.vecdot(rows, self.learner.w)
        return scores > self.learner.n if self.learner.strict else scores >= self.learner.n

    def learn(self, x, y):
        """Learn from a mistake: only the active weights change, unless all have values of their
        own.
        """
        learner = self.learner
        if self.own:
            learner.update(x, y)
            return
        c, w, active = learner.c.copy(), learner.w.copy(), np.flatnonzero(x)
        c[active] += 1 if y else -1
        w[active] = learner.factor ** c[active]
        learner.c, learner.w = c, w

    @cached_property
    def memory(self):
        """Room for the weights after each trial of a chunk."""
        return room(self.learner.n)

    def compiled(self, part, rows):
        self.check(part.stop)
        learner, W, rows = self.learner, self.memory[: len(rows) + 1], readable(rows)
        guesses, after = np.empty((2, len(rows)), int)
        W[0], c, labels = learner.w, learner.c.copy(), self.y[part].astype(int)
        low, powers = all_powers(learner.factor, c, len(rows))
        with np.errstate(over="ignore"):
            own = np.array_equal(learner.factor**c, learner.w)
        binary = own and np.frexp(learner.factor)[0] == 0.5
        strict = bool(learner.strict)
        i, k, known = 0, 0, np.nan
        while True:
            i, k = multiply(
                rows, labels, W, c, powers, low, guesses, after, i, k, known, strict, binary
            )
            if i == len(rows):
                break
            known = float(W[k].copy() @ self.X[part.start + i])
        learner.c, learner.w = c, W[k].copy()
        yield guesses, Rows(W, after)
        return k


@in_step(Winnow, multiply)
def _winnows(learners, trials, T):
    kinds = {(learner.strict, learner.factor) for learner in learners}
    return _trial_by_trial(learners, trials, T, *kinds.pop()) if len(kinds) == 1 else None


def _trial_by_trial(learners, trials, T, strict, factor):
    C, W = (np.array([getattr(learner, name) for learner in learners]) for name in ("c", "w"))
    n, (low, powers) = learners[0].n, all_powers(factor, C, T)
    for x, y in trials:
        scores = np.vecdot(W, x)
        predictions = scores > n if strict else scores >= n
        wrong = np.flatnonzero(predictions != y)
        C[wrong] += np.where(y[wrong, None], 1, -1) * (x[wrong] == 1)
        W[wrong] = powers.take(C[wrong] - low, mode="clip")
        yield predictions
    for learner, c, w in zip(learners, C, W, strict=True):
        learner.c, learner.w = c.copy(), w.copy()
