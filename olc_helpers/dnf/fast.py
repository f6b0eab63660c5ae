"""A shortcut of the kernel Perceptron: one matrix product takes the kernels of many trials."""

from copy import copy

import numpy as np

from ..checks import parts
from ..fast import shortcut
from .learners import KernelPerceptron

BLOCK = 64  # trials of which the kernel Perceptron takes the scores at once


@shortcut(KernelPerceptron)
def _kernel_perceptron(learner, X, y):
    from .kernels import AnovaKernel

    bits = X.dtype == bool or all(((part == 0) | (part == 1)).all() for _, part in parts(X))
    return (
        _anova_perceptron(learner, X, y)
        if type(learner.kernel) is AnovaKernel and bits and X.shape[1] < 1000
        else None
    )


def _anova_perceptron(learner, X, y):
    """One matrix product gives the kernel of a block of trials with all mistakes and with each
    other, as floats.

    A score is a sum of whole numbers, exact below 2^53. Beyond, the learner itself adds up again,
    in whole numbers, where a margin y_t w·Φ(x_t) is so small that rounding could change its sign.
    """
    counts, mistakes = learner.kernel.counts(X.shape[1]).astype(float), len(learner.rows) + len(y)
    rounding = 0.0 if counts[-1] * mistakes < 2**53 else 2e-16 * (mistakes + 9)
    rows, signs = np.array(learner.rows, X.dtype).reshape(-1, X.shape[1]), y.astype(float)
    now = copy(learner)  # is ahead of the learner, by up to a block
    now.rows, now.alpha = list(learner.rows), list(learner.alpha)
    for start in range(0, len(y), BLOCK):
        x, sign = X[start : start + BLOCK], signs[start : start + BLOCK]
        K = counts.take(learner.kernel.common(x, np.vstack([rows, x])))
        K, new = K[:, : len(rows)], K[:, len(rows) :] * sign * sign[:, None]
        margins, unsure = sign * (K @ np.array(now.alpha, float)), rounding * K.sum(axis=1)
        predictions, label, wrong, i = sign.astype(int), [int(s) for s in sign], [], 0
        while i < len(x):
            stop = margins[i:] <= unsure[i:]
            gap = int(stop.argmax())
            if not stop[gap]:
                break
            i += gap
            sure = rounding == 0 or margins[i] < -unsure[i]
            guess = predictions[i] = label[i] * np.sign(margins[i]) if sure else now.predict(x[i])
            if guess != label[i]:
                now.rows.append(x[i])
                now.alpha.append(label[i])
                wrong.append(i)
                margins += new[i]
                if rounding:
                    unsure += rounding * np.abs(new[i])
            i += 1
        known = len(rows)
        learner.rows[known:], learner.alpha[known:] = now.rows[known:], now.alpha[known:]
        yield predictions, learner
        rows = np.vstack([rows, x[wrong]])
