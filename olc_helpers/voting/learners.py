"""Relatives of the Perceptron (lecture 10).

The voted and the averaged Perceptron learn like the Perceptron, then let all its weight vectors
speak. The structured Perceptron predicts the candidate with the best score.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..checks import check_count, check_values, is_sparse
from ..own_work import answer
from ..shortcuts import shortcuts_in

__all__ = ["AveragedPerceptron", "VotedPerceptron", "StructuredPerceptron"]


def _labels(scores):
    """Return the labels -1 or +1 of scores; at test time a score of 0 counts as +1."""
    return np.where(np.asarray(scores) >= 0, 1, -1)


def _rows(learner, X):
    """Return rows of n numbers, or raise."""
    X = X.tocsr() if is_sparse(X) else check_values("X", X, "real")
    if X.shape[-1:] != (learner.n,):
        raise ValueError(f"X must have n = {learner.n} columns; its shape is {X.shape}")
    return X


@answer
class VotedPerceptron:
    """A Perceptron that keeps every weight vector and how many trials it survived, to let them vote
    (VOTE-A1).

    `predict` and `update` are the Perceptron's. `classify(X)` takes the vote; a vector with w·x = 0
    abstains.
    """

    inputs, labels = "real", "signs"

    def __init__(self, n: int):
        self.n = check_count("n", n)
        self.vectors, self.counts = [np.zeros(self.n)], [0]

    @property
    def w(self) -> np.ndarray:
        """The last weight vector, with which the Perceptron goes on."""
        return self.vectors[-1]

    def predict(self, x):
        return int(np.sign(self.w @ x))

    def update(self, x, y):
        if y * (self.w @ x) <= 0:
            k = len(self.vectors)
            self.vectors[k:], self.counts[k:] = [self.w + np.float64(y) * x], [1]
        else:
            self.counts[-1] += 1

    def classify(self, X: ArrayLike) -> np.ndarray:
        """Return the label of each row of X by the vote of all vectors, each with its count."""
        return _labels(np.sign(_rows(self, X) @ np.transpose(self.vectors)) @ self.counts)


@answer
class AveragedPerceptron:
    """A Perceptron that also keeps the sum of its weight vectors over all trials (AVG-A1).

    The sum is lazy: w changes on mistakes only, and a change on trial s takes part in the sum t - s
    + 1 times by trial t.
    """

    inputs, labels = "real", "signs"

    def __init__(self, n: int):
        self.n, self.t = check_count("n", n), 0
        self.w, self.late = np.zeros(self.n), np.zeros(self.n)

    def predict(self, x):
        return int(np.sign(self.w @ x))

    def update(self, x, y):
        t, w, late = self.t + 1, self.w, self.late
        if y * (w @ x) <= 0:
            gain = np.float64(y) * x
            w, late = w + gain, late + t * gain
        self.t, self.w, self.late = t, w, late

    @property
    def total(self) -> np.ndarray:
        """The sum of the weight vectors after each trial so far, which is the sum of count times
        vector.
        """
        return (self.t + 1) * self.w - self.late

    def classify(self, X: ArrayLike) -> np.ndarray:
        """Return the label of each row of X by the sum of all vectors; the average has the same
        signs.
        """
        return _labels(_rows(self, X) @ self.total)


@answer
class StructuredPerceptron:
    """Predict the candidate with the best score w·f(x, y); on a mistake add f(x, y) - f(x, ŷ) to w
    (STRUCT-A1).

    A task says what is to be predicted: `olc_helpers.structures` has some.
    """

    inputs = labels = "anything"

    def __init__(self, task):
        if missing := [m for m in ("best", "features", "size") if not hasattr(task, m)]:
            raise TypeError(
                f"task must be one of olc_helpers.structures, or have their methods; {task!r} has"
                f" no {missing[0]}"
            )
        self.task, self.w = task, np.zeros(task.size)

    def predict(self, x):
        return self.task.best(self.w, x)

    def update(self, x, y):
        guess = self.predict(x)
        if guess != y:
            self.w = self.w + self.task.features(x, y) - self.task.features(x, guess)


shortcuts_in("olc_helpers.voting.fast", VotedPerceptron, AveragedPerceptron)
