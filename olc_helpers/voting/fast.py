"""Compiled plays of the voted and the averaged Perceptron; without numba the loop plays them."""

import numpy as np

from ..compiled import Kernel, Rows, readable
from ..fast import chunks, in_floats, shortcut
from ..perceptron.fast import Descent, descend
from .learners import AveragedPerceptron, VotedPerceptron


@shortcut(VotedPerceptron)
def _voted(learner, X, y, check):
    return _voting(learner, X, y, check) if descend.pays(len(y)) else None


def _voting(learner, X, y, check):
    descent = Descent(X, y, check)
    for part, rows in in_floats(X, chunks(*X.shape)):
        W, signs, after = descent.play(learner.w, part, rows)
        survived = np.bincount(after, minlength=len(W)).tolist()
        k, vectors = len(learner.vectors), list(W[1:].copy())
        counts = [learner.counts[-1] + survived[0], *survived[1:]]
        learner.vectors[k:], learner.counts[k - 1 :] = vectors, counts
        yield signs, Rows(W, after)


@shortcut(AveragedPerceptron)
def _averaged(learner, X, y, check):
    return _averaging(learner, X, y, check) if descend.pays(len(y)) else None


@Kernel
def add_late(late, rows, labels, after, t):
    """Add t y x to `late` for each trial t that changed w, the first of them after t others."""
    k = 0
    for i in range(len(rows)):
        if after[i] > k:
            for j in range(rows.shape[1]):
                late[j] += (t + i + 1) * (labels[i] * rows[i, j])
            k = after[i]


def _averaging(learner, X, y, check):
    descent = Descent(X, y, check)
    for part, rows in in_floats(X, chunks(*X.shape)):
        W, signs, after = descent.play(learner.w, part, rows)
        w, late, t = W[-1].copy(), learner.late.copy(), learner.t + len(rows)
        add_late(late, readable(rows), y[part].astype(float), after, learner.t)
        learner.t, learner.w, learner.late = t, w, late
        yield signs, Rows(W, after)
