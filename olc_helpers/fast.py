"""Fast plays with the results of the plain loop in `protocol.py`.

Two facts do the work. Perceptron and Winnow change on mistakes only, so the scores of many trials ahead can be taken
at once, up to the first mistake; `np.vecdot` takes for every row the very dot product that the loop takes, so no near
tie is decided otherwise. And the weights of experts depend on their losses so far alone, so cumulative sums, added in
the order of the loop, give the weights of many trials.

A shortcut is a generator. It plays a learner and yields the predictions of the next trials, while the learner holds the
weights after them: one row if they are the same, or one row for each trial. It is used for a class as the course defines
it: a learner that changes anything of it, a method, a property or a constant, is played by the plain loop.
"""

from time import perf_counter

import numpy as np

from .learners import Halving, Hedge, Perceptron, RandomizedWeightedMajority, WeightedAverage, WeightedMajority, Winnow
from .protocol import LOSSES, allocation_loss, distribution, log_sum, normalised

CHUNK = 2**15  # numbers in the rows that are worked on at once: 256 kB, so that they stay in the cache
MANY = 1 / 8   # rate of mistakes from which looking ahead does not pay

_SHORTCUTS = {}


def _members(cls):
    return {name: member for c in reversed(cls.__mro__) for name, member in vars(c).items() if not name.startswith("__")}


def shortcut(cls):
    """Make a generator function the shortcut of a class of learners, as the class is now."""
    def register(player):
        _SHORTCUTS[cls] = player, _members(cls)
        return player
    return register


def find(learner, X, y):
    """Return the shortcut for a learner and a stream, or None if only the plain loop is sure to give the same."""
    cls = next((c for c in type(learner).__mro__ if c in _SHORTCUTS), None)
    if cls is None:
        return None
    player, members = _SHORTCUTS[cls]
    now = {**_members(type(learner)), **vars(learner)}
    same = all(now[name] is member for name, member in members.items())
    floats = all(a is None or a.dtype.itemsize <= 8 for a in (X, y))  # a long double has more digits
    draws = type(getattr(learner, "rng", None)) in (type(None), np.random.Generator)
    return player if same and floats and draws else None


def take(pieces, y, weights, progress):
    """Return (predictions, losses) of a shortcut and record its weights; of an allocation game perhaps the losses alone."""
    predictions, losses, t, bar = [], [], 0, _Bar(len(y), progress)
    for piece in pieces:
        weights.add(piece)
        bar.update(len(piece))
        if piece.ndim == 2 and weights.keep != "all":
            losses.append(allocation_loss(y[t:t + len(piece)], piece))
        else:
            predictions.append(piece)
        t += len(piece)
    return (None, np.concatenate(losses)) if losses else (np.concatenate(predictions), None)


class _Bar:
    """A progress bar that appears when a play takes longer than a second, or at once if `progress` is true."""

    def __init__(self, T, progress):
        self.T, self.done, self.bar = T, 0, None
        self.since = perf_counter() + (0 if progress else 1 if progress is None else np.inf)

    def update(self, trials):
        self.done += trials
        if self.bar is not None:
            self.bar.update(trials)
        elif perf_counter() > self.since:
            from tqdm.auto import tqdm
            self.bar = tqdm(total=self.T, initial=self.done, unit=" trials", unit_scale=True)


def chunks(T: int, n: int):
    """Yield slices that cover T trials, each with about CHUNK numbers in rows of n."""
    step = max(16, CHUNK // n)
    return (slice(start, min(start + step, T)) for start in range(0, T, step))


# Learners that change on mistakes only ------------------------------------------------------------------------------

def gallop(learner, X, y, mistaken):
    """Look ahead: `mistaken(scores, labels)` finds the next mistake among many trials, and the learner plays that one.

    The block doubles after one without a mistake and shrinks to twice the gap after a mistake. While mistakes are
    frequent, the scores are taken one by one instead.
    """
    rate = 0
    for part in chunks(*X.shape):
        rows = X[part] if X.dtype == float else X[part].astype(float, order="C")
        mistakes = yield from (_one_by_one if rate > MANY else _ahead)(learner, X[part], rows, y[part], mistaken)
        rate = mistakes / len(rows)


def _ahead(learner, X, rows, y, mistaken):
    predictions, mistakes, start, i, block = y.astype(int), 0, 0, 0, 16
    while i < len(y):
        wrong = mistaken(np.vecdot(rows[i:i + block], learner.w), y[i:i + block])
        gap = int(wrong.argmax())
        if not wrong[gap]:
            i, block = i + len(wrong), 2 * block
            continue
        i, block = i + gap, max(8, 2 * gap)
        if i > start:
            yield predictions[start:i]
        predictions[i] = learner.predict(X[i])
        learner.update(X[i], y[i])
        mistakes, start, i = mistakes + 1, i, i + 1
    yield predictions[start:]
    return mistakes


def _one_by_one(learner, X, rows, y, mistaken):
    predictions, mistakes, start = y.astype(int), 0, 0
    w = learner.w
    for i, label in enumerate(y):
        if mistaken(w @ rows[i], label):
            if i > start:
                yield predictions[start:i]
            predictions[i] = learner.predict(X[i])
            learner.update(X[i], label)
            mistakes, start, w = mistakes + 1, i, learner.w
    yield predictions[start:]
    return mistakes


@shortcut(Perceptron)
def _perceptron(learner, X, y):
    return gallop(learner, X, y, lambda scores, labels: labels * scores <= 0)


@shortcut(Winnow)
def _winnow(learner, X, y):
    if learner.strict:
        return gallop(learner, X, y, lambda scores, labels: (scores > learner.n) != labels)
    return gallop(learner, X, y, lambda scores, labels: (scores >= learner.n) != labels)


# Learners whose weights depend on the losses so far -----------------------------------------------------------------

@shortcut(Halving)
def _halving(learner, X, y):
    """An expert is trusted until its first mistake; those who are not trusted at the start of a chunk are left out."""
    for part in chunks(*X.shape):
        trusted = np.flatnonzero(learner.w)
        advice = X[part, trusted] == 1
        before = np.logical_and.accumulate(np.vstack([np.ones(len(trusted), bool), advice == y[part, None]]))
        before, after = before[:-1], before[1:]
        learner.w = np.zeros((len(advice), learner.n), bool)
        learner.w[:, trusted] = after
        yield (2 * (advice & before).sum(axis=1) >= before.sum(axis=1)).astype(int)
        learner.w = learner.w[-1].copy()


def _cumulative(learner, losses, chunk, predict):
    """Yield predict(chunk), made while the learner's L has one row for each trial of the chunk, then move on."""
    L = np.vstack([learner.L, losses])
    np.cumsum(L, axis=0, out=L)
    learner.L = L[:-1]
    predictions = predict(chunk)
    learner.L = L[1:]
    yield predictions
    learner.L = L[-1].copy()


def _draw(rng, p):
    """Return an index for each row of probabilities: what rng.choice(n, p=row) draws row by row."""
    cdf = p.cumsum(axis=1)
    cdf /= cdf[:, -1:]
    return (cdf <= rng.random((len(p), 1))).sum(axis=1)


@shortcut(WeightedMajority)
def _weighted_majority(learner, X, y):
    tiny = np.ceil(100 / -np.log(learner.beta)) if learner.beta > 0 else 1  # beta^tiny changes no sum

    def predict(part):
        x, L = X[part], learner.L
        w = learner.beta ** np.minimum(L - L.min(axis=1, keepdims=True), tiny)
        lead = 2 * np.vecdot(w, x == 1) - w.sum(axis=1)
        predictions = (lead >= 0).astype(int)
        for t in np.flatnonzero(np.abs(lead) <= 1e-15 * learner.n * w.sum(axis=1)):  # a tie, or rounding makes it one
            learner.L = L[t]
            predictions[t] = learner.predict(x[t])
        return predictions

    for part in chunks(*X.shape):
        yield from _cumulative(learner, X[part] != y[part, None], part, predict)


@shortcut(RandomizedWeightedMajority)
def _randomized_weighted_majority(learner, X, y):
    def predict(part):
        drawn = _draw(learner.rng, distribution(learner.log_w))
        return X[part][np.arange(len(drawn)), drawn].astype(int)

    for part in chunks(*X.shape):
        yield from _cumulative(learner, X[part] != y[part, None], part, predict)


@shortcut(WeightedAverage)
def _weighted_average(learner, X, y):
    def predict(part):
        x = X[part]
        if learner.prediction == "vovk":
            v = normalised(learner.log_w)
            g0, g1 = (-log_sum(v - learner.eta * (label - x) ** 2) / learner.eta for label in (0, 1))
            return np.clip((g0 - g1 + 1) / 2, 0.0, 1.0)
        return np.clip(np.vecdot(learner.v, x), x.min(axis=1), x.max(axis=1))

    for part in chunks(*X.shape):
        yield from _cumulative(learner, LOSSES[learner.loss](y[part, None], X[part]), part, predict)


@shortcut(Hedge)
def _hedge(learner, X, y):
    for part in chunks(*y.shape):
        yield from _cumulative(learner, y[part], part,
                               lambda _: learner.v if learner.rng is None else _draw(learner.rng, learner.v))
