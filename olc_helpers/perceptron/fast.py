"""Shortcuts of the Perceptron, which changes on mistakes only: look ahead, play many in step, or
play a compiled loop, which the other learners that add rows to w share.
"""

from functools import cached_property

import numpy as np

from ..checks import is_sparse
from ..compiled import Kernel, Rows, readable
from ..fast import LookAhead, Reading, on_sparse_rows, room, shortcut
from ..replications import in_step
from .learners import Perceptron


@Kernel
def descend(rows, labels, W, signs, after, i, k, known, least, ties, eta, limit):
    """Play on from trial i with the weights W[k], and return (i, k) at the end, or at a trial
    whose score must be known: `known` is the score of trial i, NaN if it was not asked for. So it
    does at a row whose squares have a sum above the limit, or none: it may not be good.

    A margin y (w·x) that is less than `least`, or equal if `ties` says so, adds eta y x to w: a row
    of W for each such trial. The sum of n products is off by at most n 2^-53 times the sum of their
    sizes, in any order; a margin as near as twice that, and a bit, is left to the plain loop unless
    all numbers are whole: then both sums are exact.
    """
    n = rows.shape[1]
    while i < len(rows):
        score, size, squares = 0.0, 0.0, 0.0
        if known == known:
            score, known = known, np.nan
        else:
            for j in range(n):
                term = W[k, j] * rows[i, j]
                score += term
                size += abs(term)
                squares += rows[i, j] * rows[i, j]
            if not squares <= limit:
                return i, k
            if abs(labels[i] * score - least) <= 5e-16 * (n + 9) * (size + least) + n * 1e-322:
                if size > 2.0**52:
                    return i, k
                for j in range(n):
                    if not (W[k, j] == 0.0 or W[k, j] % 1 == rows[i, j] % 1 == 0.0):
                        return i, k
        margin = labels[i] * score
        signs[i] = (score > 0.0) - (score < 0.0)
        if margin < least or (ties and margin == least):
            step = eta * labels[i]
            for j in range(n):
                W[k + 1, j] = W[k, j] + step * rows[i, j]
            k += 1
        after[i] = k
        i += 1
    return i, k


class Descent:
    """Compiled plays, chunk by chunk, of a learner that adds eta y x to w where a margin is small
    (see `descend`).
    """

    def __init__(
        self,
        X: np.ndarray,
        y: np.ndarray,
        check: Reading,
        least: float = 0.0,
        ties: bool = True,
        eta: float = 1.0,
    ):
        self.X, self.y, self.check = X, y, check
        self.rule = least, ties, eta
        self.memory = room(X.shape[1])

    def play(self, w: np.ndarray, part: slice, rows: np.ndarray) -> tuple:
        """Return (W, signs, after): the weights before and after each change in a chunk, the signs
        of the scores, and after each trial the row of W that holds.

        The chunk is checked on the way. The next chunk is written over W.
        """
        W, labels, rows = self.memory[: len(rows) + 1], self.y[part].astype(float), readable(rows)
        signs, after = np.empty((2, len(rows)), int)
        W[0], limit = w, min(self.check.limit, 1e150) ** 2
        i, k, known = 0, 0, np.nan
        while True:
            i, k = descend(rows, labels, W, signs, after, i, k, known, *self.rule, limit)
            if i == len(rows):
                self.check.good = max(self.check.good, part.start + i)
                return W[: k + 1], signs, after
            self.check(part.start + i + 1)
            known = float(W[k].copy() @ self.X[part.start + i])


@Kernel
def descend_sparse(
    bounds, columns, numbers, labels, w, scores, changed, i, known, least, ties, eta, far
):
    """Play on as `descend` does, on rows of which some numbers are stored, and return i at the end,
    or at a trial whose score must be known; w changes in place. Only a margin within `far` is
    looked at twice.
    """
    while i < len(labels):
        first, last, score, size = bounds[i], bounds[i + 1], 0.0, 0.0
        if known == known:
            score, known = known, np.nan
        else:
            for j in range(first, last):
                score += w[columns[j]] * numbers[j]
            if abs(labels[i] * score - least) <= far:
                for j in range(first, last):
                    size += abs(w[columns[j]] * numbers[j])
            near = 5e-16 * (last - first + 9) * (size + least) + (last - first) * 1e-322
            if abs(labels[i] * score - least) <= min(near, far):
                if size > 2.0**52:
                    return i
                for j in range(first, last):
                    here = w[columns[j]]
                    if not (here == 0.0 or here % 1 == numbers[j] % 1 == 0.0):
                        return i
        margin = labels[i] * score
        scores[i] = score
        if margin < least or (ties and margin == least):
            changed[i] = True
            for j in range(first, last):
                w[columns[j]] += eta * labels[i] * numbers[j]
        i += 1
    return i


def _descend_row_by_row(
    bounds, columns, numbers, labels, w, scores, changed, ask, least, ties, eta, far
):
    bounds = bounds.tolist()
    for i, label in enumerate(labels.tolist()):
        part = slice(bounds[i], bounds[i + 1])
        where, x = columns[part], numbers[part]
        here = w[where]
        score = float(here.dot(x))
        if abs(label * score - least) <= far:
            whole = not (here % 1).any() and not (x[here != 0] % 1).any()
            if not (whole and np.abs(here).dot(np.abs(x)) <= 2.0**52):
                score = ask(i)
        scores[i] = score
        if label * score < least or (ties and label * score == least):
            changed[i] = True
            w[where] = here + eta * label * x


def _add(rule, where, x, label, w):
    (_, _, eta, _) = rule
    w[where] += eta * label * x


def sparse_descent(learner, X, y, least=0.0, ties=True, eta=1.0):
    """Return what `on_sparse_rows` yields for a learner that adds eta y x (see `Descent`)."""
    longest = np.diff(X.indptr).max()
    tallest = max(float(X.data.max(initial=0)), -float(X.data.min(initial=0)))

    def rule(trials, w):
        """No weight gets larger in so many trials; that bounds the rounding error of a margin."""
        largest = np.abs(w).max() + eta * tallest * trials
        far = 5e-16 * (longest + 9) * (longest * tallest * largest + least) + longest * 1e-322
        return least, ties, eta, far

    state = (np.asarray(learner.w, float),)
    return on_sparse_rows(X, y, state, descend_sparse, _descend_row_by_row, _add, rule)


@shortcut(Perceptron, sparse_too=True)
def _perceptron(learner, X, y, check):
    return _sparse(learner, X, y) if is_sparse(X) else _Perceptron(learner, X, y, check)


def _sparse(learner, X, y):
    for scores, _, holder, (w,) in sparse_descent(learner, X, y):
        learner.w = w
        yield np.sign(scores).astype(int), holder


class _Perceptron(LookAhead):
    kernel = descend

    def ahead(self, x, rows):
        return np.sign(np.vecdot(rows, self.learner.w))

    def often(self, rows, y):
        """The loop, with one dot product a trial instead of two.

        It is `dot`, which is `@` in less time, unless the columns run backwards.
        """
        predictions, wrong, scores = y.astype(int), [], []
        w = [self.learner.w]
        for i, (row, label) in enumerate(zip(rows, y.tolist(), strict=True)):
            score = w[-1].dot(row)
            if label * score <= 0:
                w.append(w[-1] + row if label > 0 else w[-1] - row)
                wrong.append(i)
                scores.append(score)
        predictions[wrong] = np.sign(scores)
        self.learner.w = w[-1]
        yield predictions, Rows.between(w, wrong, len(y))
        return len(wrong)

    @cached_property
    def descent(self):
        return Descent(self.X, self.y, self.check)

    def compiled(self, part, rows):
        W, signs, after = self.descent.play(self.learner.w, part, rows)
        self.learner.w = W[-1].copy()
        yield signs, Rows(W, after)
        return len(W) - 1


@in_step(Perceptron, descend)
def _perceptrons(learners, trials, _):
    W = np.array([learner.w for learner in learners])
    for x, y in trials:
        predictions = np.sign(np.vecdot(W, x))
        wrong = np.flatnonzero(predictions != y)
        W[wrong] += x[wrong] * y[wrong, None]
        yield predictions
    for learner, w in zip(learners, W, strict=True):
        learner.w = w.copy()
