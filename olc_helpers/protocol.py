"""The protocol of every lecture: receive x_t, predict, receive y_t, pay, update."""

from collections.abc import Callable, Iterable
from copy import copy, deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from operator import length_hint
from typing import Any, Protocol, runtime_checkable
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike

from . import checks, shortcuts, sparse
from .checks import as_array, check_count, check_stream, count, own_array, read_only, trait
from .losses import (  # noqa: F401  (lectures take them from here)
    LOSSES,
    entropic_loss,
    hinge_loss,
    mistake_loss,
    square_loss,
)
from .progress import counted
from .refusals import check_learner, check_room
from .regret import AgainstExperts
from .watched import check_label, check_prediction, reacting

FEW = 64  # trials up to which no shortcut is looked for
LARGE_HISTORY = 2**27  # weights, a gigabyte, from which it is asked whether there is room for them
LONG_PLAY = 100_000  # trials from which a progress bar is shown by default


@runtime_checkable
class Learner(Protocol):
    """What can be played: any object with these two methods.

    What else it may say of itself, in attributes, stands in TRAITS with the defaults: what `inputs`
    and `labels` are, the `loss` of a trial, the number `n` of entries of a row. If it keeps its
    weights in `w` (or `log_w`), their history is recorded.
    """

    def predict(self, x: Any) -> Any:
        """Return the prediction for a row x, None in the allocation game."""

    def update(self, x: Any, y: Any) -> None:
        """Learn that y was the label of x, or in the allocation game the row of losses."""


def play(
    learner: Learner,
    X: ArrayLike | None = None,
    y: ArrayLike | Callable | None = None,
    *,
    nature: Callable | None = None,
    trials: int | None = None,
    epochs: int = 1,
    until_consistent: bool = False,
    keep: str = "all",
    fast: bool = True,
    progress: bool | None = None,
) -> "Run":
    """Return the Run of a learner on a stream (INT-D2, EXP-D2): T rows of X, one label in y for
    each.

    X may be a table of `scipy.sparse`: who changes w where a row is not 0 reads only that (the
    Perceptron and its relatives, gradient descent, Winnow), others get rows with all entries.
    In the allocation game there is no x: call `play(learner, L)` with one row of losses per trial.
    The learner is updated in place and can be played on: the Run keeps a copy of it. `epochs`
    repeats the stream that many times, and with `until_consistent` only until a pass makes no
    mistake. A progress bar appears on long plays; `progress` forces it on or off.

    `keep` says which weights are recorded: those of "all" trials, as proofs need them, w_1 and
    those after "mistakes", or the "last" (then an allocation game keeps its losses but no
    predictions). Where all do not fit into memory, a learner that changes on mistakes alone can be
    played again on these: `play(Perceptron(n), X[run.mistake], y[run.mistake])` errs each time.

    Where the learner has a shortcut (see `fast`), a longer play gives the results of the plain loop
    in less time, and with numba (`pip install olc-helpers[fast]`) in still less; `fast=False` plays
    the loop.

    Nature may watch: in `play(learner, X, nature=f)` the label of a trial is `f(x, prediction)`; in
    the allocation game `play(learner, nature=f, trials=T)` its losses are `f(v)`. They are checked
    as they come, and the Run holds them. Such a play always takes the plain loop. (A function may
    also stand for y.)

    >>> from olc_helpers import Halving, play
    >>> X = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]]
    >>> play(Halving(4), X, [1, 1, 0])
    <Run of Halving: 3 trials, 1 mistake>
    >>> run = play(Halving(4), X, lambda x, prediction: 1 - prediction)
    >>> run.mistakes, run.y.tolist()
    (3, [0, 0, 0])
    """
    epochs = _check_options(learner, X, epochs, keep)
    shape: tuple = getattr(X, "shape", ())
    if keep == "all" and len(shape) == 2 and epochs * shape[0] * shape[1] > LARGE_HISTORY:
        check_room(learner, epochs * shape[0] + 1, shape[1])
    if (nature, trials) != (None, None):
        X, y = reacting(learner, X, y, nature, trials)
    length = next(iter(getattr(X, "shape", ())), length_hint(X))
    quick = shortcuts.find(learner) if fast and not callable(y) and length > FEW else None
    one_pass = quick and quick(learner, X, y, epochs, keep, progress)
    if one_pass is None:
        watched = X is None and callable(y)
        rows, labels = (None, y) if watched else check_stream(learner, X, y, epochs)
        one_pass = partial(plain_pass, learner, rows, labels, keep, progress, trials)
    passes = [one_pass()]
    while len(passes) < epochs and not (until_consistent and passes[-1].mistakes == 0):
        passes.append(one_pass())
    run = passes[0] if len(passes) == 1 else Run.joined(passes)
    vars(run)["learner"] = as_it_is(learner)
    return run


def as_it_is(learner: Learner) -> Learner:
    """Return a copy of the learner, or itself if it can't be copied, as with an open file."""
    try:
        return deepcopy(learner)
    except Exception:  # the play is done: nothing of it may be lost
        return learner


def _check_options(learner, X, epochs, keep):
    """Return the number of epochs, or raise if this is no learner, no stream or no choice."""
    methods = (getattr(learner, name, None) for name in ("predict", "update"))
    if isinstance(learner, type) or not all(map(callable, methods)):
        check_learner(learner)
    if hasattr(X, "__next__"):
        raise TypeError(
            "play remembers the whole stream, so X must be an array; it is an iterator. "
            "play_chunks(learner, chunks) plays chunks one after the other and forgets them"
        )
    if keep not in ("all", "mistakes", "last"):
        raise ValueError(f"keep must be 'all', 'mistakes' or 'last'; got {keep!r}")
    if keep == "mistakes" and not counts_mistakes(learner):
        raise ValueError(
            "keep='mistakes' is for learners that predict a label; "
            f"{type(learner).__name__} pays a {trait(learner, 'loss')} loss"
        )
    return check_count("epochs", epochs)


def plain_pass(
    learner: Learner,
    X: np.ndarray | None,
    y: Any,
    keep: str = "all",
    progress: bool | None = None,
    T: int | None = None,
) -> "Run":
    """Return the Run of one pass over a checked stream: the protocol, trial by trial."""
    plain = () if trait(learner, "loss") in ("allocation", "entropic") else (int, float)
    names, history = ("w", "log_w", *trait(learner, "records")), {}
    for name in names:
        if hasattr(learner, name):
            history[name] = [copy(getattr(learner, name))]
    predictions, labels = [], []
    T = T or (y if X is None else X).shape[0]
    row = partial(sparse.row, X) if hasattr(X, "tocsr") else getattr(X, "__getitem__", None)
    trials: Iterable[int] = range(T)
    if progress or (progress is None and T >= LONG_PLAY):
        trials = counted(trials, T)
    t = 0
    try:
        for t in trials:
            x = row and row(t)
            prediction = copy(learner.predict(x))
            if type(prediction) not in plain or not -1e308 < prediction < 1e308:
                check_prediction(prediction, learner, y, t + 1)
            label = check_label(y(x, prediction), learner, t + 1, T) if callable(y) else y[t]
            learner.update(x, label)
            predictions.append(prediction)
            labels.append(label)
            if keep == "all" or (keep == "mistakes" and (t == 0 or np.any(prediction != label))):
                for name, rows in history.items():
                    rows.append(copy(getattr(learner, name)))
    except Exception as error:
        if not hasattr(error, "__notes__"):  # nobody has said yet where it happened
            error.add_note(f"this was on trial {t + 1} of {T}, played by {type(learner).__name__}")
        raise
    if keep == "last":
        history = {name: [getattr(learner, name, None)] for name in names}
    no_change = keep == "mistakes" and bool(np.all(predictions[0] == labels[0]))
    w, log_w, *more = (_together(name, history.get(name, [None]), no_change) for name in names)
    y = own_array(labels, trait(learner, "labels")) if callable(y) else y
    run = Run.of(learner, X, y, predictions, w, log_w, keep=keep)
    return replace(run, records=dict(zip(names[2:], more, strict=True))) if more else run


def _together(name, rows, no_change):
    """Return weights as one array, without those after trial 1 if it made no change. Those that
    come with the first update start at 0, and those that come later are not recorded.
    """
    first, *later = rows
    if any(w is None for w in later or rows):
        return None
    try:
        start = np.zeros(len(later[0])) if first is None else first
        weights = np.array([start, *later[no_change:]], float)
    except (TypeError, ValueError):
        weights = np.empty(0)
    if weights.ndim != 2 and (name in ("w", "log_w") or not weights.size):
        raise ValueError(
            f"a learner's {name} must be a vector of numbers that keeps its length, or None before"
            f" the first update; it was {first!r} first and {rows[-1]!r} last"
        )
    return weights


def counts_mistakes(learner: Learner) -> bool:
    """Return whether a trial costs a mistake or nothing."""
    return trait(learner, "loss") == "mistake"


def in_words(run: Any) -> str:
    """Return what was played, and what it cost."""
    mistakes = counts_mistakes(run.learner)
    paid = count(run.mistakes, "mistake") if mistakes else f"loss {run.total_loss:.4g}"
    return f"<Run of {type(run.learner).__name__}: {count(len(run), 'trial')}, {paid}>"


@dataclass(frozen=True, eq=False, repr=False)
class Run(AgainstExperts):
    """What happened in a play, trial by trial: figures, ledgers and tests read nothing else.

    How it compares with the experts, the regret for instance, stands in `regret`.
    """

    learner: Any  # a copy of the Learner as it was after the last trial
    X: np.ndarray | Any  # T rows; None in the allocation game; not copied if it is large
    y: np.ndarray  # T labels, or T rows of losses in the allocation game
    predictions: np.ndarray  # None in an allocation game, unless keep is "all"
    losses: np.ndarray  # what each trial cost
    weights: np.ndarray | Any  # T+1 rows: w_1 … w_{T+1}; fewer unless keep is "all"
    recorded_log_weights: np.ndarray | Any  # the same in the log domain, if the learner has them
    keep: str = "all"  # which weights were recorded
    period: int = 0  # trials of one pass, if the stream was repeated
    records: dict[str, np.ndarray | Any] = field(default_factory=dict)  # what the learner names

    @classmethod
    def of(
        cls,
        learner: Learner,
        X: np.ndarray | None,
        y: np.ndarray,
        predictions: Any,
        weights: np.ndarray | None = None,
        log_weights: np.ndarray | None = None,
        losses: np.ndarray | None = None,
        keep: str = "all",
    ) -> "Run":
        """Return the Run of recorded predictions and weights; the learner's `loss` names the price
        of a trial.
        """
        if losses is None:
            if y.dtype == object:
                predictions = np.fromiter(predictions, object, len(predictions))
            predictions = as_array("predictions", predictions)
            losses = LOSSES[trait(learner, "loss")](y, predictions)
        if keep != "all" and np.ndim(predictions) == 2:
            predictions = None
        predictions, paid = read_only(predictions), read_only(losses)
        return cls(
            learner, X, y, predictions, paid, read_only(weights), read_only(log_weights), keep
        )

    @staticmethod
    def joined(passes: "list[Run]") -> "Run":
        """Return the Run of several passes, one after the other; the weights before a pass are
        those after the last.
        """

        def join(arrays, overlap=0):
            first, *rest = arrays
            if first is None:
                return None
            if overlap and passes[0].keep == "last":
                return rest[-1]
            if not isinstance(first, np.ndarray):
                return sparse.stacked(arrays)
            return read_only(np.concatenate([first, *(a[overlap:] for a in rest)]))

        first, both = passes[0], {"weights": 1, "recorded_log_weights": 1}
        both |= dict.fromkeys(("X", "y", "predictions", "losses"), 0)
        data = {name: join([getattr(run, name) for run in passes], k) for name, k in both.items()}
        kept = {name: join([run.records[name] for run in passes], 1) for name in first.records}
        return replace(first, **data, period=len(first), records=kept)

    def __len__(self) -> int:
        return len(self.y)

    def __post_init__(self) -> None:
        vars(self)["_sums"] = self._checksums()  # large data are not copied: they could be changed

    def _checksums(self):
        """Return a checksum of some numbers of X and of y where they are large."""
        sums = {}
        for name, a in (("X", self.X), ("y", self.y)):
            a = a if a is None or isinstance(a, np.ndarray) else a.data
            if a is not None and a.dtype != object and a.nbytes >= checks.LARGE:
                sums[name] = crc32(a[:: 1 + a.size // 2**15].tobytes())
        return sums

    def check_unchanged(self) -> None:
        """Raise if large data, which a Run holds without a copy, were changed after the play."""
        for name, checksum in self._checksums().items():
            if checksum != vars(self)["_sums"].get(name):
                raise ValueError(
                    f"the entries of {name} were changed after the play: read the Run before you"
                    f" change them, or play a copy, {name}.copy()"
                )

    def dense(self) -> "Run":
        """Return the same Run with an array for X, if that is a sparse table."""
        return replace(self, X=checks.dense(self.X)) if checks.is_sparse(self.X) else self

    def __setstate__(self, state: dict) -> None:
        arrays = {name: read_only(a) for name, a in state.items() if isinstance(a, np.ndarray)}
        vars(self).update(state | arrays)

    @property
    def mistakes_per_pass(self) -> np.ndarray:
        """Mistakes of each pass over the stream; 0 at the end means that the last pass was
        consistent.
        """
        return self.mistake.reshape(-1, self.period or len(self)).sum(axis=1)

    def __repr__(self) -> str:
        return in_words(self)

    @cached_property
    def mistake(self) -> np.ndarray:
        """Mask of the trials on which the prediction was wrong."""
        if not counts_mistakes(self.learner):
            raise ValueError(
                f"{type(self.learner).__name__} pays a {trait(self.learner, 'loss')} loss: "
                "read run.losses, mistakes are counted for learners that predict a label"
            )
        return read_only(self.losses > 0)

    @property
    def mistakes(self) -> int:
        """Number of mistakes M."""
        return int(self.mistake.sum())

    @cached_property
    def mistakes_before(self) -> np.ndarray:
        """M_t, the mistakes before trial t, for t = 1 … T+1."""
        return read_only(np.concatenate([[0], np.cumsum(self.mistake)]))
