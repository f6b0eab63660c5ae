"""The protocol of every lecture: receive x_t, predict, receive y_t, pay, update."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from .checks import (  # noqa: F401  (a reader of the lectures finds checks and losses here, too)
    SPACES,
    TRAITS,
    check_count,
    check_label,
    check_range,
    check_stream,
    check_values,
    count,
    largest_input,
    largest_loss,
    own_array,
    parts,
    read_only,
    start_checks,
    trait,
)
from .losses import (  # noqa: F401
    LOSSES,
    allocation_loss,
    distribution,
    entropic_loss,
    hinge_loss,
    log_sum,
    mistake_loss,
    normalised,
    square_loss,
)

if TYPE_CHECKING:
    from .many import Totals

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
) -> "Run | Totals":
    """Return the Run of a learner on a stream (INT-D2, EXP-D2): T rows of X, one label in y for
    each.

    In the allocation game there is no x: call `play(learner, L)` with one row of losses per trial.
    The learner is updated in place. `epochs` repeats the stream that many times, and with
    `until_consistent` only until a pass makes no mistake. A progress bar appears on long plays;
    `progress` forces it on or off.

    `keep` says which weights are recorded: those of "all" trials, w_1 and those after "mistakes",
    or the "last" (then an allocation game keeps its losses but no predictions). Where `fast.py` has
    a shortcut for the learner, it gives the results of the plain loop in less time; `fast=False`
    plays the loop. With numba (`pip install olc-helpers[fast]`) long plays with many mistakes take
    compiled loops, with the same results again.

    Nature may watch: if y is a function, the label of a trial is `y(x, prediction)`, checked as it
    comes, and the Run holds the labels that nature gave. Such a play always takes the plain loop.

    A stream that does not fit into memory may come in chunks: if X is an iterator of pairs (X, y),
    or of arrays of losses, the play forgets each chunk and returns the Totals.

    >>> from olc_helpers import Halving, play
    >>> X = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]]
    >>> play(Halving(4), X, [1, 1, 0])
    <Run of Halving: 3 trials, 1 mistake>
    >>> run = play(Halving(4), X, lambda x, prediction: 1 - prediction)
    >>> run.mistakes, run.y.tolist()
    (3, [0, 0, 0])
    """
    if missing := [name for name in ("predict", "update") if not hasattr(learner, name)]:
        raise TypeError(
            "a learner has the methods predict(x) and update(x, y); "
            f"{type(learner).__name__} has no {' and no '.join(missing)} "
            "(as_learner plays models of scikit-learn and river)"
        )
    if keep not in ("all", "mistakes", "last"):
        raise ValueError(f"keep must be 'all', 'mistakes' or 'last'; got {keep!r}")
    epochs = check_count("epochs", epochs)
    if hasattr(X, "__next__"):
        if keep != "last" or epochs > 1 or until_consistent or y is not None:
            raise ValueError(
                "chunks are not kept: play with keep='last', once, and with the labels in the"
                " pairs (X, y)"
            )
        from .many import play_chunks

        return play_chunks(learner, X, fast)
    X, y, check = start_checks(learner, X, y, epochs)
    passes = []
    for _ in range(epochs):
        passes.append(_one_pass(learner, X, y, check, keep, fast, progress))
        if until_consistent and passes[-1].mistakes == 0:
            break
    return passes[0] if len(passes) == 1 else Run.joined(passes)


def _one_pass(learner, X, y, check, keep, fast, progress):
    from .fast import find, take

    T = len(y if X is None else X)
    weights = Weights(learner, T, keep)
    shortcut = find(learner, X, y, check) if fast and not callable(y) else None
    if shortcut is None:
        check(T)
        (predictions, y), losses = _loop(learner, X, y, weights, progress), None
    else:
        predictions, losses = take(shortcut, y, weights, progress)
    return Run.of(learner, X, y, predictions, weights.of("w"), weights.of("log_w"), losses, keep)


def _loop(learner, X, y, weights, progress):
    """Return the predictions of a learner and the labels: the protocol, trial by trial."""
    predictions, labels, space = [], [], trait(learner, "labels")
    bar = progress_bar(weights.T, progress, LONG_PLAY)
    for t in range(weights.T):
        x = None if X is None else X[t]
        predictions.append(copy(learner.predict(x)))
        labels.append(check_label(y(x, predictions[t]), space, t + 1) if callable(y) else y[t])
        learner.update(x, labels[t])
        weights.add(predictions[t:], labels[t:], learner)
        if bar is not None:
            bar.update()
    if bar is not None:
        bar.close()
    return predictions, own_array(labels, space) if callable(y) else y


class Weights:
    """A record of the weights `w` and `log_w` of a learner that has them, as far as `keep` asks."""

    def __init__(self, learner: Learner, T: int, keep: str):
        self.learner, self.T, self.keep, self.t = learner, T, keep, 0
        self.space, loss = trait(learner, "labels"), trait(learner, "loss")
        if keep == "mistakes" and loss != "mistake":
            raise ValueError(
                "keep='mistakes' is for learners that predict a label; "
                f"{type(learner).__name__} pays a {loss} loss"
            )
        names = [name for name in ("w", "log_w") if hasattr(learner, name)]
        self.rows = {name: self._start(getattr(learner, name)) for name in names}

    def _start(self, w):
        """Return room for the rows, the first of them w; None if there are no weights yet."""
        if w is None or self.keep == "last":
            return None
        if self.keep == "mistakes":
            return [np.array([w], float)]
        rows = np.empty((self.T + 1, len(w)))
        rows[0] = w
        return rows

    def add(self, predictions: ArrayLike, labels: ArrayLike, holder: Learner) -> None:
        """Record the weights after the next trials: the holder has one row, or one for each."""
        start, self.t = self.t, self.t + len(predictions)
        if self.keep == "last":
            return
        for name in self.rows:
            w = getattr(holder, name)
            if start == 0 and self.rows[name] is None and w is not None:
                self.rows[name] = self._start(np.zeros(len(w)))
            rows = self.rows[name]
            if self.keep == "all" and rows is not None:
                rows[start + 1 : self.t + 1] = w
            elif rows is not None:
                wrong = own_array(predictions, self.space) != own_array(labels, self.space)
                rows.append(np.broadcast_to(w, (len(wrong), np.shape(w)[-1]))[wrong])

    def of(self, name: str) -> np.ndarray | None:
        """Return the recorded rows of `w` or `log_w`, None if the learner has no such attribute."""
        rows, w = self.rows.get(name), getattr(self.learner, name, None)
        if self.keep == "last" and w is not None:
            return np.array([w], float)
        return np.concatenate(rows) if self.keep == "mistakes" and rows is not None else rows


def _check_predictions(predictions, y):
    """Return the predictions as one array, or raise for the first that is no number (or no row of n
    allocations).
    """
    if y.dtype == object:
        return np.fromiter(predictions, object, len(predictions))
    try:
        array = np.asarray(predictions)
        if array.dtype.kind in "biuf" and array.shape[1:] in ((), y.shape[1:]):
            return array
    except ValueError:
        pass  # rows of different lengths
    for t, p in enumerate(map(np.asarray, predictions), 1):
        if p.dtype.kind not in "biuf" or p.shape not in ((), y.shape[1:]):
            raise ValueError(
                "predict must return"
                f" {'a number' if y.ndim == 1 else 'one number per expert, or an index'}; on trial"
                f" {t} it returned {p.tolist()!r}"
            )
    return np.array(predictions)


def progress_bar(T: int, progress: bool | None, long: int) -> Any:
    """Return a progress bar for T trials if it is asked for, else None; without tqdm there is none.

    If nothing is said, there is one for `long` trials or more.
    """
    if progress or (progress is None and T >= long):
        try:
            from tqdm.auto import tqdm
        except ModuleNotFoundError:
            return None  # a play needs no bar
        return tqdm(total=T, unit=" trials", unit_scale=True)


def counts_mistakes(learner: Learner) -> bool:
    """Return whether a trial costs a mistake or nothing."""
    return trait(learner, "loss") == "mistake"


def in_words(run: "Run | Totals") -> str:
    """Return what was played, and what it cost."""
    mistakes = counts_mistakes(run.learner)
    paid = count(run.mistakes, "mistake") if mistakes else f"loss {run.total_loss:.4g}"
    return f"<Run of {type(run.learner).__name__}: {count(len(run), 'trial')}, {paid}>"


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """What happened in a play, trial by trial: figures, ledgers and tests read nothing else."""

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
        predictions: ArrayLike | None,
        weights: np.ndarray | None = None,
        log_weights: np.ndarray | None = None,
        losses: np.ndarray | None = None,
        keep: str = "all",
    ) -> "Run":
        """Return the Run of recorded predictions and weights; the learner's `loss` names the price
        of a trial.
        """
        if losses is None:
            predictions = _check_predictions(predictions, y)
            losses = LOSSES[trait(learner, "loss")](y, predictions)
        if keep != "all" and np.ndim(predictions) == 2:
            predictions = None
        arrays = [
            None if a is None else read_only(a) for a in (predictions, losses, weights, log_weights)
        ]
        return cls(learner, X, y, *arrays, keep)

    @classmethod
    def joined(cls, passes: "list[Run]") -> "Run":
        """Return the Run of several passes, one after the other; the weights before a pass are
        those after the last.
        """

        def join(name, overlap=0):
            first, *rest = (getattr(run, name) for run in passes)
            if first is None:
                return None
            return read_only(np.concatenate([first, *(a[overlap:] for a in rest)]))

        first, last = passes[0], passes[-1]
        weights = [
            getattr(last, name) if first.keep == "last" else join(name, 1)
            for name in ("weights", "recorded_log_weights")
        ]
        data = [join(name) for name in ("X", "y", "predictions", "losses")]
        return cls(first.learner, *data, *weights, first.keep, len(first))

    def __len__(self) -> int:
        return len(self.y)

    @property
    def mistakes_per_pass(self) -> np.ndarray:
        """Mistakes of each pass over the stream; 0 at the end means that the last pass was
        consistent.
        """
        return self.mistake.reshape(-1, self.period or len(self)).sum(axis=1)

    def __repr__(self):
        return in_words(self)

    @cached_property
    def mistake(self) -> np.ndarray:
        """Mask of the trials on which the prediction was wrong."""
        if not counts_mistakes(self.learner):
            raise ValueError(
                f"{type(self.learner).__name__} pays a {self.learner.loss} loss: read run.losses, "
                "mistakes are counted for learners that predict a label"
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

    @property
    def total_loss(self) -> float:
        """L_A(S), the sum of the losses (EXP-D3)."""
        return float(self.losses.sum())

    @cached_property
    def log_weights(self) -> np.ndarray | None:
        """The weights in the log domain, where nothing underflows; None if some are negative."""
        if self.recorded_log_weights is not None:
            return self.recorded_log_weights
        if self.weights is None or not (self.weights >= 0).all():
            return None
        with np.errstate(divide="ignore"):
            return read_only(np.log(self.weights))

    @cached_property
    def log_probabilities(self) -> np.ndarray:
        """ln v_t, where v_t are the weights divided by their sum, for t = 1 … T+1."""
        if self.log_weights is None:
            raise ValueError(
                f"{type(self.learner).__name__} has no weights >= 0 in an attribute w to divide by"
                " their sum"
            )
        return read_only(normalised(self.log_weights))

    @cached_property
    def probabilities(self) -> np.ndarray:
        """v_t, the weights divided by their sum, for t = 1 … T+1."""
        return read_only(np.exp(self.log_probabilities))

    @cached_property
    def expert_losses(self) -> np.ndarray:
        """Loss of each expert on each trial, T rows of n (EXP-D3)."""
        return read_only(self._expert_losses(slice(None)))

    def _expert_losses(self, trials):
        if self.X is None:
            return self.y[trials]
        if self.X[trials].min() < 0 or self.X[trials].max() > 1:
            raise ValueError(
                "the rows of X are not expert advice in [0, 1], so no expert has a loss"
            )
        return LOSSES[trait(self.learner, "loss")](self.y[trials, None], self.X[trials])

    @cached_property
    def cumulative_expert_losses(self) -> np.ndarray:
        """Loss of each expert before trial t, for t = 1 … T+1."""
        losses = self.expert_losses
        start = np.zeros(losses.shape[1])
        return read_only(np.vstack([start, np.cumsum(losses, axis=0, dtype=float)]))

    @cached_property
    def total_expert_losses(self) -> np.ndarray:
        """L_i(S), the loss of each expert in the whole run, summed in the order of the trials."""
        rows = self.y if self.X is None else self.X
        total = np.zeros(rows.shape[1])
        for start, part in parts(rows):
            losses = self._expert_losses(slice(start, start + len(part)))
            total = np.vstack([total, losses]).sum(axis=0)
        return read_only(total)

    @property
    def best_expert(self) -> int:
        """Index of the expert with the smallest total loss, the first of several."""
        return int(self.total_expert_losses.argmin())

    @property
    def best_loss(self) -> float:
        """min_i L_i(S), the loss of the best expert."""
        return float(self.total_expert_losses.min())

    @property
    def regret(self) -> float:
        """L_A(S) - min_i L_i(S) (REG-D1)."""
        return self.total_loss - self.best_loss

    @cached_property
    def expected_losses(self) -> np.ndarray:
        """v_t·l_t, the loss of trial t in expectation over a draw from v_t (RWMA-A1, HEDGE-D1)."""
        if self.keep != "all":
            raise ValueError(
                "the expected losses need the weights of every trial: play with keep='all'"
            )
        return read_only(np.vecdot(self.probabilities[:-1], self.expert_losses))
