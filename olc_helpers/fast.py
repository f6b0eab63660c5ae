"""Fast plays with the results of the plain loop in `protocol.py`.

Two facts do the work. Perceptron and Winnow change on mistakes only, so the scores of many trials ahead can be taken
at once, up to the first mistake; `np.vecdot` takes for every row the very dot product that the loop takes, so no near
tie is decided otherwise. (Both call one routine: so numpy is built, though it promises nothing,
and the tests would tell.) And the weights of experts depend on their losses so far alone, so
cumulative sums, added in the order of the loop, give the weights of many trials.

A shortcut is a generator. It plays a learner and yields the predictions of the next trials with a
holder of the weights after them: the learner itself if they are the same for all, else a copy of it
that has one row for each trial. The learner is set in one statement before the yield: whenever a
play is interrupted, the learner is in a state that the plain loop passes through, and can be played
on.

A shortcut is used for a class as the course defines
it: a learner that changes anything of it, a method, a property or a constant, is played by the plain loop.
"""

from copy import copy, deepcopy

import numpy as np

from .learners import (
    AS_DEFINED,
    FixedShare,
    Halving,
    Hedge,
    KernelPerceptron,
    Perceptron,
    RandomizedWeightedMajority,
    VariableShare,
    WeightedAverage,
    WeightedMajority,
    Winnow,
    members,
)
from .protocol import (
    LONG_PLAY,
    LOSSES,
    allocation_loss,
    distribution,
    log_sum,
    normalised,
    parts,
    progress_bar,
    square_loss,
)

CHUNK = 2**16  # numbers in the rows that are worked on at once: 512 kB, so that they stay in the cache
MANY = 1 / 12  # rate of mistakes from which looking ahead does not pay
BLOCK = 64     # trials of which the kernel Perceptron takes the scores at once

_SHORTCUTS = {}


def shortcut(cls):
    """Make a generator function the shortcut of a class of learners."""
    def register(player):
        _SHORTCUTS[cls] = player
        return player
    return register


def find(learner, X, y):
    """Return the shortcut of a learner on a stream, or None if only the plain loop is sure to give the same."""
    cls = next((c for c in type(learner).__mro__ if c in _SHORTCUTS), None)
    if cls is None:
        return None
    now = {**members(type(learner)), **vars(learner)}
    same = all(now[name] is member for name, member in AS_DEFINED[cls].items())
    floats = all(a is None or a.dtype.itemsize <= 8 for a in (X, y))  # a long double has more digits
    draws = type(getattr(learner, "rng", None)) in (type(None), np.random.Generator)
    return _SHORTCUTS[cls](learner, X, y) if same and floats and draws else None


def take(pieces, y, weights, progress):
    """Return (predictions, losses) of a shortcut and record its weights; of an allocation game perhaps the losses alone.

    A shortcut is fast: without being asked, it shows a progress bar from ten times as many trials on as the plain loop.
    """
    predictions, losses, t = [], [], 0
    bar = progress_bar(len(y), progress, 10 * LONG_PLAY)
    for piece, holder in pieces:
        if weights.keep != "last":
            weights.add(piece, holder)
        if piece.ndim == 2 and weights.keep != "all":
            losses.append(allocation_loss(y[t:t + len(piece)], piece))
        else:
            predictions.append(piece)
        t += len(piece)
        if bar is not None:
            bar.update(len(piece))
    if bar is not None:
        bar.close()
    return (None, np.concatenate(losses)) if losses else (np.concatenate(predictions), None)


def chunks(T: int, n: int, start: int = 0):
    """Yield slices that cover T trials from `start` on, each with about CHUNK numbers in rows of n."""
    step = max(8, CHUNK // n)
    return (slice(t, min(t + step, T)) for t in range(start, T, step))


# Learners that change on mistakes only ------------------------------------------------------------------------------

def gallop(learner, X, y, decide, often=None):
    """Look ahead: `decide(scores)` predicts many trials at once, and the learner learns from the first mistake.

    The block doubles after one without a mistake and shrinks to twice the gap after a mistake. Where mistakes are so
    frequent that looking ahead does not pay, as on the first trials, `often` plays instead.
    """
    labels, rate, block, floats = y.astype(float), 1.0, 16, None
    for part in (slice(0, 64), *chunks(*X.shape, start=64)):
        rows = X[part]
        if X.dtype != float:  # into the same memory again and again: that is in the cache
            floats = np.empty(rows.shape) if floats is None or len(floats) < len(rows) else floats[:len(rows)]
            floats[:] = rows
            rows = floats
        if often and rate > MANY and rows.strides[1] > 0:
            mistakes = yield from often(learner, rows, y[part])
        else:
            mistakes = yield from _ahead(learner, X[part], rows, y[part], labels[part], decide, block)
        rate, block = mistakes / len(rows), max(8, len(rows) // (mistakes + 1))


def _ahead(learner, X, rows, y, labels, decide, block):
    predictions, mistakes, start, i = np.empty(len(y), int), 0, 0, 0
    while i < len(y):
        ahead = decide(np.vecdot(rows[i:i + block], learner.w))
        wrong = ahead != labels[i:i + block]
        gap = int(wrong.argmax())
        if not wrong[gap]:
            predictions[i:i + block] = ahead
            i, block = i + block, 2 * block
            continue
        predictions[i:i + gap + 1] = ahead[:gap + 1]
        i, block = i + gap, max(8, 2 * gap)
        if i > start:
            yield predictions[start:i], learner
        learner.update(X[i], y[i])
        mistakes, start, i = mistakes + 1, i, i + 1
    yield predictions[start:], learner
    return mistakes


@shortcut(Perceptron)
def _perceptron(learner, X, y):
    return gallop(learner, X, y, np.sign, _perceptron_often)


def _perceptron_often(learner, rows, y):
    """The loop, with one dot product a trial instead of two.

    It is `dot`, which is `@` in less time, unless the columns run backwards.
    """
    predictions, wrong, scores, w, holder = y.astype(int), [], [], [learner.w], copy(learner)
    for i, (row, label) in enumerate(zip(rows, y.tolist(), strict=True)):
        score = w[-1].dot(row)
        if label * score <= 0:
            w.append(w[-1] + label * row)
            wrong.append(i)
            scores.append(score)
    predictions[wrong] = np.sign(scores)
    holder.w = np.array(w)[np.searchsorted(wrong, np.arange(len(y)), side="right")]
    learner.w = w[-1]
    yield predictions, holder
    return len(wrong)


@shortcut(Winnow)
def _winnow(learner, X, y):
    return gallop(learner, X, y, lambda scores: scores > learner.n if learner.strict else scores >= learner.n)


@shortcut(KernelPerceptron)
def _kernel_perceptron(learner, X, y):
    from .kernels import AnovaKernel
    bits = X.dtype == bool or all(((part == 0) | (part == 1)).all() for _, part in parts(X))
    return _anova_perceptron(learner, X, y) if type(learner.kernel) is AnovaKernel and bits and X.shape[1] < 1000 else None


def _anova_perceptron(learner, X, y):
    """One matrix product gives the kernel of a block of trials with all mistakes and with each other, as floats.

    A score is a sum of whole numbers, exact below 2^53. Beyond, the learner itself adds up again, in whole numbers, where a
    margin y_t w·Φ(x_t) is so small that rounding could change its sign.
    """
    counts, mistakes = learner.kernel.counts(X.shape[1]).astype(float), len(learner.rows) + len(y)
    rounding = 0.0 if counts[-1] * mistakes < 2**53 else 2e-16 * (mistakes + 9)
    rows, signs = np.array(learner.rows, X.dtype).reshape(-1, X.shape[1]), y.astype(float)
    now = copy(learner)  # is ahead of the learner, by up to a block
    now.rows, now.alpha = list(learner.rows), list(learner.alpha)
    for start in range(0, len(y), BLOCK):
        x, sign = X[start:start + BLOCK], signs[start:start + BLOCK]
        K = counts.take(learner.kernel.common(x, np.vstack([rows, x])))
        K, new = K[:, :len(rows)], K[:, len(rows):] * sign * sign[:, None]
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


# Learners whose weights depend on the losses so far -----------------------------------------------------------------

@shortcut(Halving)
def _halving(learner, X, y):
    """An expert is trusted until its first mistake; those who are not trusted at the start of a chunk are left out."""
    holder = copy(learner)
    for part in chunks(*X.shape):
        trusted = np.flatnonzero(learner.w)
        advice = X[part, trusted] == 1
        before = np.logical_and.accumulate(np.vstack([np.ones(len(trusted), bool), advice == y[part, None]]))
        before, after = before[:-1], before[1:]
        holder.w = np.zeros((len(advice), learner.n), bool)
        holder.w[:, trusted] = after
        predictions = (2 * (advice & before).sum(axis=1) >= before.sum(axis=1)).astype(int)
        learner.w = holder.w[-1].copy()
        yield predictions, holder


def _running(learner, shape, losses, predict):
    """Play a learner whose state L sums up losses: predict(now, part), a row of now.L per trial.

    `now` draws from a copy of the generator. The learner gets the copy together with L, and then
    its own back, which others may use, too: setting the state of that takes several steps.
    """
    now, rng, buffer = copy(learner), getattr(learner, "rng", None), None
    if rng is not None:
        now.rng = deepcopy(rng)
    for part in chunks(*shape):
        buffer = np.empty((part.stop - part.start + 1, learner.n)) if buffer is None else buffer
        L = buffer[:part.stop - part.start + 1]
        L[0], L[1:] = learner.L, losses(part)
        sums = L.view(complex) if learner.n % 2 == 0 else L  # two experts at once, added in the order of the loop
        np.cumsum(sums, axis=0, out=sums)
        now.L = L[:-1]
        predictions, now.L = predict(now, part), L[1:]
        if rng is None:
            learner.L = L[-1].copy()
        else:
            learner.L, learner.rng = L[-1].copy(), now.rng
            rng.bit_generator.state = now.rng.bit_generator.state
            learner.rng = rng
        yield predictions, now


def _v(learner):
    """Return learner.v for the rows of L."""
    log_w = learner.L * -learner.eta
    with np.errstate(divide="ignore"):
        log_w += np.log(learner.prior)
    return distribution(log_w, out=log_w)


def _draw(rng, p):
    """Return an index for each row of probabilities: what rng.choice(n, p=row) draws row by row."""
    cdf = p.cumsum(axis=1)
    cdf /= cdf[:, -1:]
    return (cdf <= rng.random((len(p), 1))).sum(axis=1)


@shortcut(WeightedMajority)
def _weighted_majority(learner, X, y):
    tiny = np.ceil(100 / -np.log(learner.beta)) if learner.beta > 0 else 1  # beta^tiny changes no sum

    def predict(now, part):
        x, L, one = X[part], now.L, copy(now)
        w = learner.beta ** np.minimum(L - L.min(axis=1, keepdims=True), tiny)
        lead = 2 * np.vecdot(w, x == 1) - w.sum(axis=1)
        predictions = (lead >= 0).astype(int)
        for t in np.flatnonzero(np.abs(lead) <= 1e-15 * learner.n * w.sum(axis=1)):  # a tie, or rounding makes it one
            one.L = L[t]
            predictions[t] = one.predict(x[t])
        return predictions

    return _running(learner, X.shape, lambda part: X[part] != y[part, None], predict)


@shortcut(RandomizedWeightedMajority)
def _randomized_weighted_majority(learner, X, y):
    def predict(now, part):
        drawn = _draw(now.rng, distribution(now.log_w))
        return X[part][np.arange(len(drawn)), drawn].astype(int)

    return _running(learner, X.shape, lambda part: X[part] != y[part, None], predict)


@shortcut(WeightedAverage)
def _weighted_average(learner, X, y):
    def predict(now, part):
        if now.prediction == "vovk":
            return _vovk(now, normalised(now.log_w), X[part])
        return _mean(_v(now), X[part])

    return _running(learner, X.shape, lambda part: LOSSES[learner.loss](y[part, None], X[part]), predict)


def _mean(v, x):
    return np.clip(np.vecdot(v, x), x.min(axis=1), x.max(axis=1))


def _vovk(learner, log_v, x):
    eta = learner.eta
    g0, g1 = (-log_sum(log_v - eta * square_loss(label, x)) / eta for label in (0, 1))
    return np.clip((g0 - g1 + 1) / 2, 0.0, 1.0)


@shortcut(Hedge)
def _hedge(learner, X, y):
    return _running(learner, y.shape, lambda part: y[part],
                    lambda now, part: _v(now) if now.rng is None else _draw(now.rng, _v(now)))


@shortcut(FixedShare)
@shortcut(VariableShare)
def _share(learner, X, y):
    return _sharing(learner, X, y) if 0 < learner.alpha <= 1 / 2 else None


def _sharing(learner, X, y):
    """Weights as numbers, not as logarithms: e^(-eta l) and what is given away are known for a chunk before it is played.

    Then a trial takes two steps: what each expert keeps, and the sum of what is given, which is the same for all. With
    alpha <= 1/2 no term is negative, so nothing cancels. Should a weight nearly underflow, the learner plays the chunk.
    """
    eta, n = learner.eta, learner.n
    for part in chunks(*X.shape):
        x, losses = X[part], LOSSES[learner.loss](y[part, None], X[part])
        power = losses if isinstance(learner, VariableShare) else np.ones((1, 1))
        best, w = losses.min(axis=1, keepdims=True), np.empty((len(x) + 1, n))
        with np.errstate(divide="ignore", invalid="ignore"):
            keep = np.exp(-eta * (losses - best))
            give = keep * -np.expm1(power * np.log1p(-learner.alpha)) / (n - 1)
            keep -= n * give
            w[0], unit = learner.v, np.vstack([log_sum(learner.log_w), -eta * best])  # ln of what a weight of 1 stands for
            for start in range(0, len(x), 32):
                for now, after, kept, given in zip(w[start:start + 32], w[start + 1:], keep[start:], give[start:], strict=False):
                    np.multiply(now, kept, after)
                    after += now.dot(given)
                total = after.sum()
                after /= total
                unit[min(start + 32, len(x))] += np.log(total)
        if w.min() > 1e-290 and power.max() <= 1:
            v = w[:-1] / w[:-1].sum(axis=1, keepdims=True)
            mean = learner.prediction == "mean"
            predictions = _mean(v, x) if mean else _vovk(learner, np.log(v), x)
            holder = copy(learner)
            holder.L = (np.log(learner.prior) - np.log(w[1:]) - np.cumsum(unit, axis=0)[1:]) / eta
            learner.L = holder.L[-1].copy()
            yield predictions, holder
        else:
            for row, label in zip(x, y[part], strict=True):
                prediction = learner.predict(row)
                learner.update(row, label)
                yield np.array([prediction]), learner


# Many runs in step --------------------------------------------------------------------------------------------------

def together(learners, Xs, ys):
    """Return the predictions of each learner on its stream, all taken trial by trial in step, or None if they can't be.

    They must all be Perceptrons or all Winnows of the same kind, on streams of one shape and type.
    No row may be scattered in memory: stacked, it could have another dot product.
    """
    cls = type(learners[0])
    kinds = {(type(learner), X.shape, X.dtype, y.dtype, getattr(learner, "strict", None), getattr(learner, "factor", None))
             for learner, X, y in zip(learners, Xs, ys, strict=True)}
    scattered = any(X.strides[1] != X.itemsize for X in Xs)
    if cls not in (Perceptron, Winnow) or len(kinds) > 1 or scattered:
        return None
    if any(find(*game) is None for game in zip(learners, Xs, ys, strict=True)):
        return None
    y, W = np.stack(ys, axis=1), np.array([learner.w for learner in learners])
    predictions = np.empty(y.shape, int)
    if cls is Winnow:
        C, n, factor, strict = np.array([learner.c for learner in learners]), learners[0].n, learners[0].factor, learners[0].strict
    for t in range(len(y)):
        if t % 16 == 0:
            X = np.stack([X[t:t + 16] for X in Xs], axis=1)
        x = X[t % 16].astype(float)
        scores = np.vecdot(W, x)
        predictions[t] = np.sign(scores) if cls is Perceptron else scores > n if strict else scores >= n
        wrong = np.flatnonzero(predictions[t] != y[t])
        x, label = x[wrong], y[t, wrong, None]
        if cls is Perceptron:
            x *= label
            W[wrong] += x
        else:
            C[wrong] += np.where(label, 1, -1) * (x == 1)
            W[wrong] = factor ** C[wrong]
    for i, learner in enumerate(learners):
        if cls is Winnow:
            learner.c, learner.w = C[i].copy(), W[i].copy()
        else:
            learner.w = W[i].copy()
    return predictions.T
