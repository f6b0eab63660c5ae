"""Shortcuts of the kernel Perceptron on bits: one matrix product takes the kernels of many trials,
or a compiled loop counts common ones in whole words.
"""

from copy import copy

import numpy as np

from ..checks import parts
from ..compiled import Kernel
from ..fast import rows_at_once, shortcut
from .learners import KernelPerceptron

BLOCK = 64  # trials of which one product takes the kernels
PER_TRIAL = 1000  # kernels of a product that take as long as a trial in Python


@shortcut(KernelPerceptron)
def _kernel_perceptron(learner, X, y, _):
    from .kernels import AnovaKernel

    bits = X.dtype == bool or all(((part == 0) | (part == 1)).all() for _, part in parts(X))
    return (
        _anova_perceptron(learner, X, y)
        if type(learner.kernel) is AnovaKernel and bits and X.shape[1] < 1000
        else None
    )


def _anova_perceptron(learner, X, y):
    """A score is a sum of whole numbers, exact below 2^53. Beyond, where it is so small that
    rounding could change its sign, the learner itself adds up again, in whole numbers.
    """
    (T, n), known = X.shape, len(learner.rows)
    counts, labels = learner.kernel.counts(n).astype(float), y.astype(float)
    rounding = 0.0 if counts[-1] * (known + T) < 2**53 else 2e-16 * (known + T + 9)
    rows, start = np.array(learner.rows, X.dtype).reshape(-1, n), 0
    while start < T:
        rate = (len(rows) - known) / max(start, 1)
        kernels_to_come = (T - start) * (len(rows) + rate * (T - start) / 2)
        compiled = recall.pays(kernels_to_come / PER_TRIAL)
        part = slice(start, start + (rows_at_once(n) if compiled else BLOCK))
        take = _by_recall if compiled else _by_product
        predictions, wrong = take(learner, X[part], labels[part], rows, counts, rounding)
        new, k = X[part][wrong], len(rows)
        learner.rows[k:], learner.alpha[k:] = list(new), labels[part][wrong].astype(int).tolist()
        yield predictions, learner
        rows, start = np.vstack([rows, new]), part.stop


def _in_whole_numbers(learner, x, labels, wrong, i):
    """Return the prediction on trial i of a block, on which the trials in `wrong` were mistakes."""
    now = copy(learner)
    now.rows = [*learner.rows, *x[wrong]]
    now.alpha = [*learner.alpha, *labels[wrong].astype(int).tolist()]
    return now.predict(x[i])


def _by_product(learner, x, labels, rows, counts, rounding):
    """Return the predictions for a block and its mistakes: one product gives the kernels of its
    trials with all mistakes before and with each other.
    """
    K = counts.take(learner.kernel.common(x, np.vstack([rows, x])))
    K, new = K[:, : len(rows)], K[:, len(rows) :] * labels * labels[:, None]
    margins, unsure = labels * (K @ np.array(learner.alpha, float)), rounding * K.sum(axis=1)
    predictions, wrong, i = labels.astype(int), [], 0
    while i < len(x):
        stop = margins[i:] <= unsure[i:]
        gap = int(stop.argmax())
        if not stop[gap]:
            break
        i += gap
        if rounding == 0 or margins[i] < -unsure[i]:
            predictions[i] *= np.sign(margins[i])
        else:
            predictions[i] = _in_whole_numbers(learner, x, labels, wrong, i)
        if predictions[i] != labels[i]:
            wrong.append(i)
            margins += new[i]
            if rounding:
                unsure += rounding * np.abs(new[i])
        i += 1
    return predictions, wrong


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


def _by_recall(learner, x, labels, rows, counts, rounding):
    """Return the predictions for a chunk and its mistakes, from a compiled loop."""
    negations, before = learner.kernel.negations, len(rows)
    words, guesses = _words(x, negations), np.empty(len(x), int)
    rows = np.vstack([_words(rows, negations), words])
    alpha = np.append(np.array(learner.alpha, float), labels)
    i, k, known = 0, before, np.nan
    while True:
        i, k = recall(words, labels, rows, alpha, counts, guesses, i, k, known, rounding)
        wrong = np.flatnonzero(guesses[:i] != labels[:i])
        if i == len(x):
            return guesses, wrong
        known = float(_in_whole_numbers(learner, x, labels, wrong, i))


def _words(x, negations):
    """Return rows of bits as words of 64; two rows agree where they have common ones in x or ¬x."""
    x = x == 1
    x = np.hstack([x, ~x]) if negations else x
    bits = np.pad(x, ((0, 0), (0, -x.shape[1] % 64)))
    return np.ascontiguousarray(np.packbits(bits, axis=1)).view(np.uint64)
