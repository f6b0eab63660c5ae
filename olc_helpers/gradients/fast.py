"""A compiled play of on-line gradient descent; without numba the loop plays it."""

import numpy as np

from ..checks import is_sparse
from ..compiled import Rows
from ..fast import chunks, in_floats, shortcut
from ..perceptron.fast import Descent, descend, sparse_descent
from .learners import OnlineGradientDescent


@shortcut(OnlineGradientDescent, sparse_too=True)
def _descent(learner, X, y, check):
    if is_sparse(X) and not learner.exact:
        return _sparse(learner, X, y)
    if learner.exact or is_sparse(X):
        return None
    return _descending(learner, X, y, check) if descend.pays_for_all(len(y)) else None


def _sparse(learner, X, y):
    for scores, _, holder, (w,) in sparse_descent(learner, X, y, 1.0, False, learner.eta):
        learner.w = w
        yield scores, holder


def _descending(learner, X, y, check):
    """The hinge loss is > 0 if the margin is < 1. The predictions are scores, so numpy takes them:
    `np.vecdot` adds up in the order of the loop.
    """
    descent = Descent(X, y, check, 1.0, False, learner.eta)
    for part, rows in in_floats(X, chunks(*X.shape)):
        W, _, after = descent.play(learner.w, part, rows)
        predictions = np.vecdot(W[np.append(0, after[:-1])], rows)
        learner.w = W[-1].copy()
        yield predictions, Rows(W, after)
