"""Shortcuts of the Perceptron, which changes on mistakes only: look ahead, play many in step, or
play a compiled loop, which the other learners that add rows to w share.
"""

from functools import cached_property

import numpy as np

from ..compiled import Kernel, Rows, readable
from ..fast import LookAhead, Reading, room, shortcut
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


@shortcut(Perceptron)
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
                w.append(w[-1] + label * row)
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
def _perceptrons(learners, trials):
    W = np.array([learner.w for learner in learners])
    for x, y in trials:
        predictions = np.sign(np.vecdot(W, x))
        wrong = np.flatnonzero(predictions != y)
        W[wrong] += x[wrong] * y[wrong, None]
        yield predictions
    for learner, w in zip(learners, W, strict=True):
        learner.w = w.copy()
