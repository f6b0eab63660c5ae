"""Fast plays with the results of the plain loop in `protocol.py`.

Two facts do the work. Perceptron and Winnow change on mistakes only, so the scores of many trials
ahead can be taken at once, up to the first mistake; `np.vecdot` takes for every row the very dot
product that the loop takes, so no near tie is decided otherwise. (Both call one routine: so numpy
is built, though it promises nothing, and the tests would tell. OpenBLAS's routine for Prescott adds
up in an order that depends on the address of a row: there a near tie may be decided otherwise.) And
the weights of experts depend on their losses so far alone, so cumulative sums, added in the order
of the loop, give the weights of many trials. Where mistakes are many, loops that numba compiles
help, if it is installed (`compiled.py`).

A shortcut is a generator. It plays a learner and yields the predictions of the next trials with a
holder of the weights after them: the learner itself if they are the same for all, else a copy of it
that has one row for each trial. The learner is set in one statement: whenever a play is
interrupted, the learner is in a state that the plain loop passes through, and can be played on. It
reads the rows in chunks, in order, each after `check(stop)` of the rows before `stop`; a compiled
loop may look at them itself.

A shortcut is used for a class as the course defines it: a learner that changes anything of it, a
method, a property or a constant, is played by the plain loop. The shortcuts stand in `fast.py` of
each room, next to their learners.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from numbers import Real

import numpy as np

from .checks import Checks
from .compiled import Kernel, Rows
from .losses import allocation_loss
from .protocol import LONG_PLAY, Learner, Weights, progress_bar

# Numbers in the rows that are worked on at once: 2 MB, so that they stay in the cache.
CHUNK = 2**18
FIRST = 64  # trials after which the rate of mistakes is first known, or a chunk if that is less
MANY = 1 / 12  # rate of mistakes from which looking ahead does not pay
_SHORTCUTS = {}


def shortcut(cls: type) -> Callable:
    """Make a generator function the shortcut of a class of learners."""

    def register(player):
        _SHORTCUTS[cls] = player
        return player

    return register


def find(
    learner: Learner, X: np.ndarray | None, y: np.ndarray, check: Checks | None = None
) -> Iterator | None:
    """Return the shortcut of a learner on a stream, or None if only the plain loop is sure to give
    the same. Without `check` the rows are taken to be good.

    If an entry is bad, the learner is set back to what it was. Its attributes are enough for that
    if they are replaced, not changed in place; if one could be, all rows are checked first.
    """
    from . import shortcuts  # noqa: F401  (importing the shortcuts registers them)
    from .learners import AS_DEFINED, members

    cls = next((c for c in type(learner).__mro__ if c in _SHORTCUTS), None)
    if cls is None:
        return None
    before = dict(vars(learner))
    now = {**members(type(learner)), **before}
    same = all(now[name] is member for name, member in AS_DEFINED[cls].items())
    # A long double has more digits.
    floats = all(a is None or a.dtype.itemsize <= 8 for a in (X, y))
    draws = type(getattr(learner, "rng", None)) in (type(None), np.random.Generator)
    if not (same and floats and draws):
        return None
    check = check or Checks("y", y, "anything")
    if all(isinstance(a, np.ndarray | Real | str | None) for a in before.values()):
        check.undo = partial(vars(learner).update, before)
    else:
        check(len(y))
    return _SHORTCUTS[cls](learner, X, y, check)


def take(pieces: Iterator, y: np.ndarray, weights: Weights, progress: bool | None) -> tuple:
    """Return (predictions, losses) of a shortcut and record its weights; of an allocation game
    perhaps the losses alone.

    A shortcut is fast: without being asked, it shows a progress bar from ten times as many trials
    on as the plain loop.
    """
    predictions, losses, t = None, [], 0
    bar = progress_bar(len(y), progress, 10 * LONG_PLAY)
    for piece, holder in pieces:
        if weights.keep != "last":
            weights.add(piece, y[t : t + len(piece)], holder)
        if piece.ndim == 2 and weights.keep != "all":
            losses.append(allocation_loss(y[t : t + len(piece)], piece))
        else:
            if predictions is None:
                predictions = np.empty((len(y), *piece.shape[1:]), piece.dtype)
            predictions[t : t + len(piece)] = piece
        t += len(piece)
        if bar is not None:
            bar.update(len(piece))
    if bar is not None:
        bar.close()
    return predictions, np.concatenate(losses) if losses else None


def rows_at_once(n: int) -> int:
    """Return how many rows of n numbers make a chunk."""
    return max(8, CHUNK // n)


def chunks(T: int, n: int, start: int = 0, check: Checks | None = None) -> Iterator[slice]:
    """Yield slices that cover T trials from `start` on, each with about CHUNK numbers in rows
    of n; they are checked before.
    """
    step = rows_at_once(n)
    for t in range(start, T, step):
        part = slice(t, min(t + step, T))
        if check is not None:
            check(part.stop)
        yield part


def room(n: int, kind: type = float) -> np.ndarray:
    """Return memory for the rows of a chunk and one more, to be used again and again: it stays in
    the cache, and the system need not hand out fresh pages.
    """
    return np.empty((rows_at_once(n) + 1, n), kind)


def in_floats(
    X: np.ndarray, slices: Iterable[slice], kind: type = float
) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield (slice, rows as floats); the next rows are written over them."""
    floats = None if X.dtype == kind else room(X.shape[1], kind)
    for part in slices:
        rows = X[part]
        if floats is not None:
            floats[: len(rows)] = rows
            rows = floats[: len(rows)]
        yield part, rows


# Looking ahead, for learners that change on mistakes only -----------------------------------------


def gallop(
    learner: Learner,
    X: np.ndarray,
    y: np.ndarray,
    check: Checks,
    ahead: Callable,
    learn: Callable,
    often: Callable | None,
    compiled: tuple[Kernel, Callable, float],
    kind: type = float,
) -> Iterator:
    """Look ahead: `ahead(learner, x, rows)` predicts many trials at once, and `learn(learner, x,
    y)` learns from the first mistake; `rows` are the rows x as floats of a kind.

    The block doubles after one without a mistake and shrinks to twice the gap after a mistake.
    Where mistakes are so frequent that looking ahead does not pay, as on the first trials, `often`
    plays instead. From a rate of mistakes on, a kernel plays, if it is loaded or if that pays for
    the mistakes to come.
    """
    kernel, play, least = compiled
    rate, block, first = 1.0, 16, min(FIRST, rows_at_once(X.shape[1]))
    for part, rows in in_floats(X, (slice(0, first), *chunks(*X.shape, start=first)), kind):
        to_come = rate * (len(y) - part.start) if part.start else 0
        if rate >= least and kernel.pays(to_come):
            mistakes = yield from play(learner, X, y, part, rows, check)
        else:
            check(part.stop)
            if often and rate > MANY and rows.strides[1] > 0:
                mistakes = yield from often(learner, rows, y[part])
            else:
                mistakes = yield from _ahead(learner, X[part], rows, y[part], ahead, learn, block)
        rate, block = mistakes / len(rows), max(8, len(rows) // (mistakes + 1))


def _ahead(learner, X, rows, y, ahead, learn, block):
    labels, predictions, wrong, w, i = y.astype(float), np.empty(len(y), int), [], [learner.w], 0
    while i < len(y):
        guesses = ahead(learner, X[i : i + block], rows[i : i + block])
        missed = guesses != labels[i : i + block]
        gap = int(missed.argmax())
        if not missed[gap]:
            predictions[i : i + block] = guesses
            i, block = i + block, 2 * block
            continue
        predictions[i : i + gap + 1] = guesses[: gap + 1]
        i, block = i + gap, max(8, 2 * gap)
        learn(learner, X[i], y[i])
        wrong.append(i)
        w.append(learner.w)
        i += 1
    yield predictions, Rows.between(w, wrong, len(y))
    return len(wrong)
