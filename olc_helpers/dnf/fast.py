"""Shortcuts of the kernel Perceptron on bits: one matrix product takes the kernels of many trials,
or a compiled loop counts common ones in whole words. Winnow on monomials predicts once a trial.
"""

from copy import copy
from functools import partial
from math import sqrt

import numpy as np

from ..checks import parts, read_only
from ..compiled import Kernel
from ..fast import chunks, rows_at_once, shortcut
from .learners import KernelPerceptron, MonomialWinnow

BLOCK = 128  # trials of which one product takes the kernels
PER_TRIAL = 1000  # kernels of a product that take as long as a trial in Python


@shortcut(KernelPerceptron)
def _kernel_perceptron(learner, X, y, _):
    from .kernels import AnovaKernel

    n, rows = X.shape[1], np.array(learner.rows or X[:0])
    alike = type(learner.kernel) is AnovaKernel and rows.shape[1] == n < 1000
    if alike and _bits(X) and _bits(rows):
        return _anova_perceptron(learner, X, y, rows)
    alike = rows.dtype == X.dtype and rows.shape[1:] == X.shape[1:]
    return _any_kernel_perceptron(learner, X, y, rows) if alike else None


def _any_kernel_perceptron(learner, X, y, rows):
    """The plain loop, but the mistakes stand in arrays with room for more, the kernel is taken once
    a trial, and a sum that is far from 0 is not taken exactly.
    """
    k, t = len(rows), 0
    alpha = np.resize(np.array(learner.alpha or [0.0], float), k + 64)
    rows = np.resize(rows, (k + 64, X.shape[1]))
    mistakes = read_only(rows[:k]), alpha[:k]
    try:
        for part in chunks(*X.shape):
            predictions = np.empty(len(y[part]), int)
            for t, (x, label) in enumerate(zip(X[part], y[part], strict=True), part.start):
                score = _score(learner, *mistakes, x) if k else 0
                predictions[t - part.start] = guess = int(score > 0) - int(score < 0)
                if guess != label:
                    if k == len(rows):
                        rows, alpha = np.resize(rows, (2 * k, X.shape[1])), np.resize(alpha, 2 * k)
                    rows[k], alpha[k] = x, label
                    learner.rows[k:], learner.alpha[k:] = [np.array(x)], [int(label)]
                    k += 1
                    mistakes = read_only(rows[:k]), alpha[:k]
            yield predictions, learner
    except Exception as error:
        error.add_note(f"this was on trial {t + 1} of {len(y)}, played by KernelPerceptron")
        raise


def _score(learner, rows, alpha, x):
    """Return the score, perhaps rounded where it is far from 0: the sizes of k kernels add up to
    √(k Σ K²) at most.
    """
    K = np.asarray(learner.kernel(rows, x))
    if K.shape == alpha.shape and K.dtype == float:
        score, squares = float(alpha.dot(K)), float(K.dot(K))
        far = 3e-16 * (len(K) + 9) * sqrt(len(K) * squares) < abs(score)
        if far and 1e-290 < squares < 1e300:
            return score
    return learner.score(x)


def _bits(a):
    return a.dtype == bool or all(((part == 0) | (part == 1)).all() for _, part in parts(a))


def _anova_perceptron(learner, X, y, rows):
    """A score is a sum of whole numbers, exact below 2^53. Beyond, where it is so small that
    rounding could change its sign, the learner itself adds up again, in whole numbers.
    """
    (T, n), known, negations = X.shape, len(rows), learner.kernel.negations
    counts, labels = learner.kernel.counts(n).astype(float), y.astype(float)
    rounding = 0.0 if counts[-1] * (known + T) < 2**53 else 2e-16 * (known + T + 9)
    rows, alpha, start = _literals(rows, negations), np.array(learner.alpha, float), 0
    while start < T:
        rate = (len(rows) - known) / max(start, 1)
        kernels_to_come = (T - start) * (len(rows) + rate * (T - start) / 2)
        compiled = recall.pays(kernels_to_come / PER_TRIAL)
        part = slice(start, start + (rows_at_once(n) if compiled else BLOCK))
        x, signs, k = _literals(X[part], negations), labels[part], len(rows)
        decide = partial(_in_whole_numbers, learner, X[part], signs)
        take = _by_recall if compiled else _by_product
        if not compiled:
            recall.missed(len(x) * len(rows) / PER_TRIAL)
        predictions, wrong = take(x, signs, rows, alpha, counts, rounding, decide)
        new = signs[wrong].astype(int).tolist()
        learner.rows[k:], learner.alpha[k:] = list(X[part][wrong]), new
        yield predictions, learner
        rows, alpha = np.vstack([rows, x[wrong]]), np.append(alpha, signs[wrong])
        start = part.stop


def _literals(x, negations):
    """Return rows of bits as floats, with their negations if these count: two rows agree where they
    have common ones in x or ¬x.
    """
    x = (x == 1).astype(np.float32)
    return np.hstack([x, 1 - x]) if negations else x


def _in_whole_numbers(learner, x, labels, wrong, i):
    """Return the prediction on trial i of a block, on which the trials in `wrong` were mistakes."""
    now = copy(learner)
    now.rows = [*learner.rows, *x[wrong]]
    now.alpha = [*learner.alpha, *labels[wrong].astype(int).tolist()]
    return now.predict(x[i])


def _common(x, rows):
    """Return how many common ones the rows of x have with others; floats are exact below 2^24."""
    return (x @ rows.T).astype(np.int32)


def _by_product(x, labels, rows, alpha, counts, rounding, decide):
    """Return the predictions for a block and its mistakes: a product gives the kernels of its
    trials with all mistakes before, and another those with each other.
    """
    margins, unsure, wrong = np.zeros(len(x)), np.zeros(len(x)), []
    for part in chunks(len(rows), 2 * len(x)):  # their counts and kernels stay in the cache
        K = counts.take(_common(x, rows[part]))
        margins += labels * (K @ alpha[part])
        if rounding:
            unsure += rounding * (K @ abs(alpha[part]))
    new = counts.take(_common(x, x)) * labels * labels[:, None]
    for i in range(len(x)):
        if rounding and abs(margins[i]) <= unsure[i]:
            margins[i] = labels[i] * decide(wrong, i)
        if margins[i] <= 0:
            wrong.append(i)
            margins[i + 1 :] += new[i, i + 1 :]
            if rounding:
                unsure[i + 1 :] += rounding * np.abs(new[i, i + 1 :])
    return (labels * np.sign(margins)).astype(int), wrong


@Kernel
def recall(words, labels, rows, alpha, counts, guesses, i, k, known, rounding):
    """Play on from trial i with k rows of mistakes, and return (i, k) at the end, or at a trial
    whose prediction must be known: `known` is that of trial i, NaN if it was not asked for.

    The common ones of two words of 64 bits are counted in pairs, then fours, then bytes, and the
    bytes are added by a product.
    """
    pairs, fours = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
    eights, ones = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
    while i < len(words):
        score, size = 0.0, 0.0
        if known == known:
            score, known = known, np.nan
        else:
            for q in range(k):
                common = np.uint64(0)
                for j in range(words.shape[1]):
                    both = words[i, j] & rows[q, j]
                    both -= (both >> np.uint64(1)) & pairs
                    both = (both & fours) + ((both >> np.uint64(2)) & fours)
                    both = (both + (both >> np.uint64(4))) & eights
                    common += (both * ones) >> np.uint64(56)
                score += alpha[q] * counts[common]
                size += counts[common]
            if rounding > 0.0 and abs(score) <= rounding * size:
                return i, k
        guesses[i] = (score > 0.0) - (score < 0.0)
        if guesses[i] != labels[i]:
            rows[k], alpha[k] = words[i], labels[i]
            k += 1
        i += 1
    return i, k


def _by_recall(x, labels, rows, alpha, counts, rounding, decide):
    """Return the predictions for a chunk and its mistakes, from a compiled loop."""
    words, guesses = _words(x), np.empty(len(x), int)
    i, k, known = 0, len(rows), np.nan
    rows, alpha = np.vstack([_words(rows), words]), np.append(alpha, labels)
    while True:
        i, k = recall(words, labels, rows, alpha, counts, guesses, i, k, known, rounding)
        wrong = np.flatnonzero(guesses[:i] != labels[:i])
        if i == len(x):
            return guesses, wrong
        known = float(decide(wrong, i))


def _words(x):
    """Return rows of bits as words of 64."""
    bits = np.pad(x == 1, ((0, 0), (0, -x.shape[1] % 64)))
    return np.ascontiguousarray(np.packbits(bits, axis=1)).view(np.uint64)


@shortcut(MonomialWinnow)
def _monomial_winnow(learner, X, y, check):
    """The plain loop but for the updates after right predictions, which only predict once more."""
    check(len(X))  # W changes in place: no bad row could set it back
    for part in chunks(*X.shape):
        predictions = []
        for x, label in zip(X[part], y[part], strict=True):
            predictions.append(learner.predict(x))
            if predictions[-1] != label:
                learner.update(x, label)
        yield np.array(predictions), learner
