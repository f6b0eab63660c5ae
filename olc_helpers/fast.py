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

The shortcuts stand in `fast.py` of each room; `learners.py` there says so (see `shortcuts`).
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import shortcuts, sparse
from .checks import Given, given, is_sparse, parts
from .compiled import Kernel, Rows
from .losses import allocation_loss
from .progress import counted
from .protocol import Learner, Run, plain_pass

# Numbers in the rows that are worked on at once: 2 MB, so that they stay in the cache.
CHUNK = 2**18
FIRST = 64  # trials after which the rate of mistakes is first known, or a chunk if that is less
MANY = 1 / 12  # rate of mistakes from which looking ahead does not pay
LONG_PLAY = 1_000_000  # trials from which a progress bar is shown by default
# What is quick to test, and enough: no number is larger than the root of the sum of all squares.
# (On some processors np.vdot can't read numbers that are not aligned.)
QUICK: dict[str, Callable[[np.ndarray, float], Any]] = {
    "unit": lambda a, limit: a.min() >= 0 and a.max() <= 1,
    "losses": lambda a, limit: a.min() >= 0 and a.max() <= limit,
    "real": lambda a, limit: (
        a.dtype.kind == "f" and a.flags.aligned and np.vdot(a, a) <= min(limit, 1e150) ** 2
    ),
}
# Types all of whose numbers are in a space.
HARMLESS = {"real": "biu", "signs": "", "anything": "biufO"}


class Refused(Exception):
    """A row is not what the learner may be given; `Given.checked` says which one, and why."""


class Reading:
    """The check of rows when they are first read: they come from memory once, to be checked and
    played.
    """

    def __init__(self, rows: Given):
        self.rows, self.limit = rows, np.float64(rows.limit)
        harmless = rows.a.dtype.kind in HARMLESS.get(rows.space, "b") and rows.limit > 2**64
        if is_sparse(rows.a):
            harmless = self._pass(rows.a.data) or rows.checked() is not None
        self.good = rows.a.shape[0] if harmless else 0  # rows that are known to be good

    def __call__(self, stop: int) -> None:
        """Check the rows before `stop`: raise Refused if one is bad."""
        if self.good < stop:
            if not self._pass(self.rows.a[self.good : stop]):
                raise Refused
            self.good = stop

    def _pass(self, rows):
        quick, good = QUICK.get(self.rows.space), self.rows.good
        with np.errstate(over="ignore"):  # a sum of squares that is no float16 is looked at again
            return all(
                (quick and quick(part, self.limit)) or good(part).all() for _, part in parts(rows)
            )


@dataclass(frozen=True)
class Shortcut:
    """A way to play the learners of a class; `pieces` is a generator as described above."""

    pieces: Callable[..., Iterable | None]
    sparse_too: bool = False

    def start(
        self, learner: Learner, X: np.ndarray | None, y: np.ndarray, check: Reading
    ) -> Iterable | None:
        """Return the pieces of a play, or None if only the plain loop is sure to give the same."""
        # A long double has more digits.
        floats = all(a is None or a.dtype.itemsize <= 8 for a in (X, y))
        if is_sparse(X) and not self.sparse_too:
            return None
        draws = type(getattr(learner, "rng", None)) in (type(None), np.random.Generator)
        return self.pieces(learner, X, y, check) if floats and draws else None

    def __call__(
        self,
        learner: Learner,
        X: ArrayLike,
        y: ArrayLike | None,
        epochs: int,
        keep: str,
        progress: bool | None,
    ) -> Callable[[], Run] | None:
        """Return a function that plays a pass and returns its Run, or None if the stream does not
        fit the learner: the core says why.

        If a row is bad, the learner is set back to what it was. Its attributes are enough for that
        if they are replaced, not changed in place; if one could be, all rows are checked first.
        """
        try:
            rows, *labels = given(learner, X, y, epochs)
            for each in labels:
                each.checked()
            check = Reading(rows)
        except (TypeError, ValueError):
            return None
        inputs, outcomes = (rows, labels[0]) if labels else (None, rows)
        own = inputs and inputs.own()
        return partial(self._pass, learner, own, outcomes.own(), check, keep, progress)

    def _pass(self, learner, X, y, check, keep, progress):
        before = dict(vars(learner))
        replaced = all(isinstance(a, np.ndarray | Real | str | None) for a in before.values())
        try:
            pieces = self.start(learner, X, y, check)
            if pieces is None or not replaced:
                check(len(y))
            if pieces is None:
                return plain_pass(learner, X, y, keep, progress)
            if progress or (progress is None and len(y) >= LONG_PLAY):
                pieces = counted(pieces, len(y), lambda step: len(step[0]))
            return recorded(pieces, learner, X, y, keep)
        except Refused:
            vars(learner).update(before)
            check.rows.checked()
            raise


def shortcut(cls: type, sparse_too: bool = False) -> Callable[[Callable], Callable]:
    """Make a generator the shortcut of a class of learners, for which `shortcuts_in` names the
    module; `sparse_too` says that it reads sparse rows.
    """
    if cls not in shortcuts.HOMES:
        raise LookupError(f"{cls.__name__}: call shortcuts_in next to it, or nobody finds this")

    def register(pieces):
        shortcuts.SHORTCUTS[cls] = Shortcut(pieces, sparse_too)
        return pieces

    return register


def find(
    learner: Learner, X: np.ndarray | None, y: np.ndarray, check: Reading | None = None
) -> Iterable | None:
    """Return the pieces of a play on a checked stream, or None if only the plain loop is sure to
    give the same.
    """
    way = shortcuts.find(learner)
    return way and way.start(learner, X, y, check or Reading(Given("y", y, "anything")))


def recorded(
    pieces: Iterable, learner: Learner, X: np.ndarray | None, y: np.ndarray, keep: str
) -> Run:
    """Return the Run of the pieces of a shortcut; in an allocation game perhaps with the losses
    alone.
    """
    predictions, losses, t = None, [], 0
    history = History(learner, len(y), keep)
    for piece, holder in pieces:
        now = slice(t, t + len(piece))
        history.add(now, piece, y[now], holder)
        if piece.ndim == 2 and keep != "all":
            losses.append(allocation_loss(y[now], piece))
        else:
            if predictions is None:
                predictions = np.empty((len(y), *piece.shape[1:]), piece.dtype)
            predictions[now] = piece
        t = now.stop
    paid = np.concatenate(losses) if losses else None
    return Run.of(learner, X, y, predictions, history.of("w"), history.of("log_w"), paid, keep)


class History:
    """The weights `w` and `log_w` of a learner that has them, as far as `keep` asks for them."""

    def __init__(self, learner: Learner, T: int, keep: str):
        self.learner, self.keep = learner, keep
        names = [name for name in ("w", "log_w") if keep != "last" and hasattr(learner, name)]
        self.rows: dict[str, Any] = {name: self._start(getattr(learner, name), T) for name in names}

    def _start(self, w, T):
        if self.keep == "mistakes":
            return [np.array([w], float)]
        rows = np.empty((T + 1, len(w)))
        rows[0] = w
        return rows

    def add(self, now: slice, predictions: np.ndarray, labels: np.ndarray, holder: Any) -> None:
        """Record the weights after these trials: the holder has one row, or one for each."""
        for name, rows in self.rows.items():
            w = getattr(holder, name)
            if self.keep == "all":
                rows[now.start + 1 : now.stop + 1] = w
            else:
                wrong = predictions != labels
                rows.append(np.broadcast_to(w, (len(wrong), np.shape(w)[-1]))[wrong])

    def of(self, name: str) -> np.ndarray | None:
        """Return the recorded rows of `w` or `log_w`, None if the learner has no such attribute."""
        if self.keep == "last" and hasattr(self.learner, name):
            return np.array([getattr(self.learner, name)], float)
        rows = self.rows.get(name)
        return np.concatenate(rows) if isinstance(rows, list) else rows


def rows_at_once(n: int) -> int:
    """Return how many rows of n numbers make a chunk."""
    return max(8, CHUNK // n)


def chunks(T: int, n: int, start: int = 0, check: Reading | None = None) -> Iterator[slice]:
    """Yield slices that cover T trials from `start` on, each with about CHUNK numbers in rows
    of n; they are checked before.
    """
    step = rows_at_once(n)
    for t in range(start, T, step):
        part = slice(t, min(t + step, T))
        if check is not None:
            check(part.stop)
        yield part


def room(n: int, kind: type[np.floating] | type[float] = float) -> np.ndarray:
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


# Sparse rows, for learners whose weights change only where a row is not 0 -------------------------


def on_sparse_rows(
    X: Any,
    y: np.ndarray,
    state: tuple[np.ndarray, ...],
    kernel: Kernel,
    loop: Callable,
    learn: Callable,
    rule: Callable[..., tuple],
) -> Iterator[tuple[np.ndarray, tuple, sparse.Steps, tuple]]:
    """Yield (scores, rows, holder of the weights, state after them) chunk by chunk; the first array
    of a state is w. Kernel or loop change it in place, with `rule(trials in the chunk, *state)`, as
    `learn(rule, columns, numbers, label, *state)` does on a trial that changes it.

    The numbers of a row are added in another order than by the plain loop on rows with all entries.
    Where this could decide otherwise, they ask for the score of that.
    """
    for part, *stored in sparse.chunks(X, max(CHUNK, 4 * X.shape[1])):
        before, state = state, tuple(a.copy() for a in state)
        rows, trials = (*stored, y[part].astype(float)), part.stop - part.start
        scores, changed, settled = np.empty(trials), np.zeros(trials, bool), rule(trials, *state)
        played = *rows, *state, scores, changed

        def ask(i, start=part.start, w=state[0]):
            return float(w @ sparse.row(X, start + i))

        if kernel.pays(len(y) - part.start):
            i, known = 0, np.nan
            while (i := kernel(*played, i, known, *settled)) < trials:
                known = ask(i)
        else:
            kernel.missed(trials)
            loop(*played, ask, *settled)
        yield scores, rows, sparse.Steps(before, rows, changed, partial(learn, settled)), state


# Looking ahead, for learners that change on mistakes only -----------------------------------------


class LookAhead:
    """The pieces of a play that predicts many trials at once, up to the first mistake.

    The block doubles after one without a mistake and shrinks to twice the gap after a mistake.
    Where mistakes are so frequent that looking ahead does not pay, as on the first trials, `often`
    plays instead. From a rate of mistakes on, a kernel plays, if it is loaded or if that pays for
    the mistakes to come.
    """

    kernel: Kernel
    least = 0.0  # rate of mistakes from which the kernel plays
    kind: type = float  # of the rows

    def __init__(self, learner: Any, X: np.ndarray, y: np.ndarray, check: Reading):
        self.learner, self.check = learner, check
        self.X, self.y = X, y

    def ahead(self, x: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return the predictions for x with the weights of now; `rows` are x as floats."""
        raise NotImplementedError

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Learn from a mistake."""
        self.learner.update(x, y)

    def often(self, rows: np.ndarray, y: np.ndarray) -> Generator[Any, None, int] | None:
        """Return the pieces of a play trial by trial and the number of mistakes, None if looking
        ahead takes no longer.
        """
        return None

    def compiled(self, part: slice, rows: np.ndarray) -> Generator[Any, None, int]:
        """Return the pieces of a play by the kernel and the number of mistakes."""
        raise NotImplementedError

    def __iter__(self) -> Iterator:
        T, n = self.X.shape
        first, rate, block = min(FIRST, rows_at_once(n)), 1.0, 16
        slices = (slice(0, first), *chunks(T, n, first))
        for part, rows in in_floats(self.X, slices, self.kind):
            to_come = rate * (len(self.y) - part.start) if part.start else 0
            if rate >= self.least and self.kernel.pays(to_come):
                mistakes = yield from self.compiled(part, rows)
            else:
                self.check(part.stop)
                many = rate > MANY and rows.strides[1] > 0
                often = self.often(rows, self.y[part]) if many else None
                mistakes = yield from often or self._up_to_mistakes(part, rows, block)
                self.kernel.missed(mistakes)
            rate, block = mistakes / len(rows), max(8, len(rows) // (mistakes + 1))

    def _up_to_mistakes(self, part, rows, block):
        X, y = self.X[part], self.y[part]
        labels, predictions = y.astype(float), np.empty(len(y), int)
        wrong, w, i = [], [self.learner.w], 0
        while i < len(y):
            guesses = self.ahead(X[i : i + block], rows[i : i + block])
            missed = guesses != labels[i : i + block]
            gap = int(missed.argmax())
            if not missed[gap]:
                predictions[i : i + block] = guesses
                i, block = i + block, 2 * block
                continue
            predictions[i : i + gap + 1] = guesses[: gap + 1]
            i, block = i + gap, max(8, 2 * gap)
            self.learn(X[i], y[i])
            wrong.append(i)
            w.append(self.learner.w)
            i += 1
        yield predictions, Rows.between(w, wrong, len(y))
        return len(wrong)
