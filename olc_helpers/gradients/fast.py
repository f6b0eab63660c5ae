"""A compiled play of on-line gradient descent; without numba the loop plays it."""

import numpy as np

from ..compiled import Rows
from ..fast import chunks, in_floats, shortcut
from ..perceptron.fast import Descent, descend
from .learners import OnlineGradientDescent


@shortcut(OnlineGradientDescent)
def _descent(learner, X, y, check):
    return _descending(learner, X, y, check) if not learner.exact and descend.pays(len(y)) else None


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
