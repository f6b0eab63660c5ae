"""The protocol of every lecture: receive x_t, predict, receive y_t, pay, update."""

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import length_hint
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from . import shortcuts
from .checks import (
    check_count,
    check_label,
    check_predictions,
    check_stream,
    count,
    own_array,
    read_only,
    trait,
)
from .losses import (  # noqa: F401  (lectures take them from here)
    LOSSES,
    entropic_loss,
    hinge_loss,
    mistake_loss,
    square_loss,
)
from .progress import counted
from .regret import AgainstExperts

FEW = 64  # trials up to which no shortcut is looked for
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
    X: ArrayLike,
    y: ArrayLike | Callable | None = None,
    *,
    epochs: int = 1,
    until_consistent: bool = False,
    keep: str = "all",
    fast: bool = True,
    progress: bool | None = None,
) -> "Run":
    """Return the Run of a learner on a stream (INT-D2, EXP-D2): T rows of X, one label in y for
    each.

    In the allocation game there is no x: call `play(learner, L)` with one row of losses per trial.
    The learner is updated in place. `epochs` repeats the stream that many times, and with
    `until_consistent` only until a pass makes no mistake. A progress bar appears on long plays;
    `progress` forces it on or off.

    `keep` says which weights are recorded: those of "all" trials, w_1 and those after "mistakes",
    or the "last" (then an allocation game keeps its losses but no predictions). Where the learner
    has a shortcut (see `fast`), a longer play gives the results of the plain loop in less time, and
    with numba (`pip install olc-helpers[fast]`) in still less; `fast=False` plays the loop.

    Nature may watch: if y is a function, the label of a trial is `y(x, prediction)`, checked as it
    comes, and the Run holds the labels that nature gave. Such a play always takes the plain loop.

    >>> from olc_helpers import Halving, play
    >>> X = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]]
    >>> play(Halving(4), X, [1, 1, 0])
    <Run of Halving: 3 trials, 1 mistake>
    >>> run = play(Halving(4), X, lambda x, prediction: 1 - prediction)
    >>> run.mistakes, run.y.tolist()
    (3, [0, 0, 0])
    """
    epochs = _check_options(learner, X, epochs, keep)
    quick = shortcuts.find(learner) if fast and not callable(y) and length_hint(X) > FEW else None
    one_pass = quick and quick(learner, X, y, epochs, keep, progress)
    if one_pass is None:
        rows, labels = check_stream(learner, X, y, epochs)
        one_pass = partial(plain_pass, learner, rows, labels, keep, progress)
    passes = [one_pass()]
    while len(passes) < epochs and not (until_consistent and passes[-1].mistakes == 0):
        passes.append(one_pass())
    return passes[0] if len(passes) == 1 else Run.joined(passes)


def _check_options(learner, X, epochs, keep):
    """Return the number of epochs, or raise if this is no learner, no stream or no choice."""
    if missing := [name for name in ("predict", "update") if not hasattr(learner, name)]:
        raise TypeError(
            "a learner has the methods predict(x) and update(x, y); "
            f"{type(learner).__name__} has no {' and no '.join(missing)} "
            "(as_learner plays models of scikit-learn and river)"
        )
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
    learner: Learner, X: np.ndarray | None, y: Any, keep: str = "all", progress: bool | None = None
) -> "Run":
    """Return the Run of one pass over a checked stream: the protocol, trial by trial."""
    names = ("w", "log_w")
    history = {name: [copy(getattr(learner, name))] for name in names if hasattr(learner, name)}
    predictions, labels = [], []
    T = len(y if X is None else X)
    trials: Iterable[int] = range(T)
    if progress or (progress is None and T >= LONG_PLAY):
        trials = counted(trials, T)
    for t in trials:
        x = None if X is None else X[t]
        prediction = copy(learner.predict(x))
        label = check_label(y(x, prediction), learner, t + 1) if callable(y) else y[t]
        learner.update(x, label)
        predictions.append(prediction)
        labels.append(label)
        if keep == "all" or (keep == "mistakes" and (t == 0 or np.any(prediction != label))):
            for name, rows in history.items():
                rows.append(copy(getattr(learner, name)))
    if keep == "last":
        history = {name: [getattr(learner, name, None)] for name in names}
    no_change = keep == "mistakes" and bool(np.all(predictions[0] == labels[0]))
    w, log_w = (_together(history.get(name, [None]), no_change) for name in names)
    y = own_array(labels, trait(learner, "labels")) if callable(y) else y
    return Run.of(learner, X, y, predictions, w, log_w, keep=keep)


def _together(rows, no_change):
    """Return weights as one array, without those after trial 1 if it made no change. Those that
    come with the first update start at 0, and those that come later are not recorded.
    """
    first, *later = rows
    if any(w is None for w in later or rows):
        return None
    start = np.zeros(len(later[0])) if first is None else first
    return np.array([start, *later[no_change:]], float)


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

    learner: Learner  # as it was after the last trial
    X: np.ndarray | None  # T rows; None in the allocation game
    y: np.ndarray  # T labels, or T rows of losses in the allocation game
    predictions: np.ndarray  # None in an allocation game, unless keep is "all"
    losses: np.ndarray  # what each trial cost
    weights: np.ndarray | None  # T+1 rows: w_1 … w_{T+1}; fewer unless keep is "all"
    recorded_log_weights: np.ndarray | None  # the same in the log domain, if the learner has them
    keep: str = "all"  # which weights were recorded
    period: int = 0  # trials of one pass, if the stream was repeated

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
            predictions = check_predictions(predictions, y)
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

        def join(name, overlap=0):
            first, *rest = (getattr(run, name) for run in passes)
            if first is None:
                return None
            return read_only(np.concatenate([first, *(a[overlap:] for a in rest)]))

        first, last = passes[0], passes[-1]
        data = {name: join(name) for name in ("X", "y", "predictions", "losses")}
        for name in ("weights", "recorded_log_weights"):
            data[name] = getattr(last, name) if first.keep == "last" else join(name, 1)
        return replace(first, **data, period=len(first))

    def __len__(self) -> int:
        return len(self.y)

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
