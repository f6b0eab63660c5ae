"""Compiled plays of the voted and the averaged Perceptron; without numba the loop plays them."""

import numpy as np

from ..checks import is_sparse
from ..compiled import Kernel, Rows, readable
from ..fast import chunks, in_floats, shortcut
from ..perceptron.fast import Descent, descend, sparse_descent
from .learners import AveragedPerceptron, VotedPerceptron


@shortcut(VotedPerceptron, sparse_too=True)
def _voted(learner, X, y, check):
    if is_sparse(X):
        return _sparse_voting(learner, X, y)
    return _voting(learner, X, y, check) if descend.pays_for_all(len(y)) else None


def _voting(learner, X, y, check):
    descent = Descent(X, y, check)
    for part, rows in in_floats(X, chunks(*X.shape)):
        W, signs, after = descent.play(learner.w, part, rows)
        learn(learner, W[1:].copy(), after)
        yield signs, Rows(W, after)


def _sparse_voting(learner, X, y):
    for scores, _, holder, _ in sparse_descent(learner, X, y):
        learn(learner, holder.w[holder.changed], np.cumsum(holder.changed))
        yield np.sign(scores).astype(int), holder


def learn(learner, vectors, after):
    """Add vectors to those of a voted Perceptron, with the number of trials that each survived:
    `after` says how many of them there were after each trial.
    """
    survived = np.bincount(after, minlength=len(vectors) + 1).tolist()
    k, counts = len(learner.vectors), [learner.counts[-1] + survived[0], *survived[1:]]
    learner.vectors[k:], learner.counts[k - 1 :] = list(vectors), counts


@shortcut(AveragedPerceptron, sparse_too=True)
def _averaged(learner, X, y, check):
    if is_sparse(X):
        return _sparse_averaging(learner, X, y)
    return _averaging(learner, X, y, check) if descend.pays_for_all(len(y)) else None


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


def _sparse_averaging(learner, X, y):
    for scores, rows, holder, (w,) in sparse_descent(learner, X, y):
        bounds, columns, numbers, labels = rows
        late, t = learner.late.copy(), learner.t + np.arange(1, len(scores) + 1)
        new = np.repeat(holder.changed, np.diff(bounds))
        times, signs = (np.repeat(a, np.diff(bounds))[new] for a in (t, labels))
        np.add.at(late, columns[new], times * (signs * numbers[new]))  # one after the other
        learner.t, learner.w, learner.late = learner.t + len(scores), w, late
        yield np.sign(scores).astype(int), holder
