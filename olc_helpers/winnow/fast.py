"""Shortcuts of Winnow, which changes on mistakes only: look ahead, play many in step."""

import numpy as np

from ..fast import gallop, shortcut
from ..many import in_step
from .learners import Winnow


@shortcut(Winnow)
def _winnow(learner, X, y):
    return gallop(
        learner, X, y, lambda scores: scores > learner.n if learner.strict else scores >= learner.n
    )


@in_step(Winnow)
def _winnows(learners, trials):
    kinds = {(learner.strict, learner.factor) for learner in learners}
    return _trial_by_trial(learners, trials, *kinds.pop()) if len(kinds) == 1 else None


def _trial_by_trial(learners, trials, strict, factor):
    C, W = (np.array([getattr(learner, name) for learner in learners]) for name in ("c", "w"))
    n = learners[0].n
    for x, y in trials:
        scores = np.vecdot(W, x)
        predictions = scores > n if strict else scores >= n
        wrong = np.flatnonzero(predictions != y)
        C[wrong] += np.where(y[wrong, None], 1, -1) * (x[wrong] == 1)
        W[wrong] = factor ** C[wrong]
        yield predictions
    for learner, c, w in zip(learners, C, W, strict=True):
        learner.c, learner.w = c.copy(), w.copy()
