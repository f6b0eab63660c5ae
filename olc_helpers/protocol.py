"""The protocol of every lecture: receive x_t, predict, receive y_t, pay, update."""

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from numbers import Real

import numpy as np

# What the entries of X or y may be: how to say it, and how to test it. "anything" (sentences, taggings) is not tested.
SPACES = {
    "bits": ("0 or 1", lambda a: (a == 0) | (a == 1)),
    "signs": ("-1 or +1", lambda a: (a == -1) | (a == 1)),
    "unit": ("a number in [0, 1]", lambda a: (a >= 0) & (a <= 1)),
    "losses": ("a finite number >= 0", lambda a: np.isfinite(a) & (a >= 0)),
    "real": ("a finite number", np.isfinite),
}
# What is quick to test, and enough: no number is larger than the root of the sum of all squares.
QUICK = {
    "unit": lambda a, limit: a.min() >= 0 and a.max() <= 1,
    "losses": lambda a, limit: a.min() >= 0 and a.max() <= limit,
    "real": lambda a, limit: a.dtype.kind == "f" and np.vdot(a, a) <= min(limit, 1e150) ** 2,
}
LARGEST = np.finfo(float).max
LONG_PLAY = 100_000  # trials from which a progress bar is shown by default
LARGE = 2**24        # bytes from which a Run holds a view of the data instead of a copy
CHECKED = 2**16      # numbers that are checked at once, so that they stay in the cache


def _log_ratio(a, b):
    """Return a ln(a/b) with 0 ln 0 = 0, and infinity where b = 0 < a."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(a > 0, a * (np.log(a) - np.log(b)), 0.0)


def mistake_loss(y, p):
    """Return 1 where the prediction differs from the label, else 0 (EXP-D2)."""
    return (np.asarray(p) != y).astype(float)


def square_loss(y, p):
    """Return (y - p)² (WA-D1)."""
    return (np.asarray(y, float) - p) ** 2


def entropic_loss(y, p):
    """Return y ln(y/p) + (1-y) ln((1-y)/(1-p)) with 0 ln 0 = 0 (WA-D1)."""
    y, p = np.asarray(y, float), np.asarray(p, float)
    return _log_ratio(y, p) + _log_ratio(1 - y, 1 - p)


def allocation_loss(losses, p):
    """Return v_t·l_t for allocations v_t, or the loss of the drawn expert for indices (HEDGE-D1)."""
    if p.ndim == 2:
        return np.vecdot(p, losses)
    return losses[np.arange(len(losses)), p].astype(float)


def hinge_loss(y, p):
    """Return max(0, 1 - y p) for a label y of -1 or +1 (OGD-D1)."""
    return np.maximum(0, 1 - np.asarray(y) * p)


LOSSES = {"mistake": mistake_loss, "square": square_loss, "entropic": entropic_loss, "allocation": allocation_loss,
          "hinge": hinge_loss}


def check_count(name: str, n) -> int:
    """Return n as an int, or raise if it is not a whole number >= 1."""
    if isinstance(n, bool) or not isinstance(n, Real) or n % 1 != 0 or n < 1:
        raise ValueError(f"{name} must be a whole number >= 1; got {n!r}")
    return int(n)


def check_range(name: str, value, accepts, expected: str) -> float:
    """Return the number as a float, or raise if it does not lie in the expected range."""
    if not isinstance(value, Real) or not accepts(value):
        raise ValueError(f"{name} must be {expected}; got {value}")
    return float(value)


def check_values(name: str, a, space: str, limit: float = LARGEST) -> np.ndarray:
    """Return a as an array, or raise a ValueError that names the first entry outside."""
    a, limit = np.asarray(a), np.float64(limit)
    expected, test = SPACES[space]
    if a.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold numbers; its dtype is {a.dtype}")
    if a.dtype.kind in {"real": "biu", "signs": ""}.get(space, "b") and limit > 2**64:
        return a
    for start, part in parts(a):
        with np.errstate(over="ignore"):  # a sum of squares that is no float16 is looked at again
            if space in QUICK and QUICK[space](part, limit):
                continue
        good = test(part)
        if limit < LARGEST:
            good &= (part <= limit) & (part >= -limit)
        if good.all():
            continue
        first, *rest = (int(i) for i in np.argwhere(~good)[0])
        index = (start + first, *rest)
        hint = ""
        if limit < abs(float(a[index])) < np.inf:
            expected = f"{expected}, at most {limit:.3g}{' in size' * (space == 'real')}"
            hint = " (with larger ones the numbers of this play could overflow)"
        if space == "bits" and np.isin(a, (-1, 1)).all():
            hint = " (these look like -1/+1 labels: pass (y + 1) // 2)"
        if space == "signs" and np.isin(a, (0, 1)).all():
            hint = " (these look like 0/1 labels: pass 2*y - 1)"
        raise ValueError(f"every entry of {name} must be {expected}; "
                         f"{name}[{', '.join(map(str, index))}] is {a[index].item()!r}{hint}")
    return a


def parts(a):
    """Yield (start, rows) for parts of the array that fit into the cache, so that a long one takes little memory."""
    a = np.atleast_1d(a)
    step = max(1, CHECKED * len(a) // max(1, a.size))
    return ((start, a[start:start + step]) for start in range(0, len(a), step))


def log_sum(log_w: np.ndarray) -> np.ndarray:
    """Return ln of the sum of e^log_w along the last axis; nothing underflows."""
    return np.logaddexp.reduce(log_w, axis=-1)


def normalised(log_w: np.ndarray) -> np.ndarray:
    """Return ln(w / sum(w)) along the last axis from ln w; weights that are all 0 count as equal."""
    log_w = _relative(log_w)
    return log_w - log_sum(log_w)[..., None]


def distribution(log_w: np.ndarray, out=None) -> np.ndarray:
    """Return w / sum(w) along the last axis from ln w; weights that are all 0 count as equal. `out` may be log_w."""
    w = _relative(log_w, out)
    np.exp(w, out=w)
    w /= w.sum(axis=-1, keepdims=True)
    return w


def _relative(log_w, out=None):
    """Return ln w minus its largest entry along the last axis, so that the sum is 1 even where all weights are tiny."""
    largest = log_w.max(axis=-1, keepdims=True)
    if (largest > -np.inf).all():
        return np.subtract(log_w, largest, out=out)
    return np.where(largest > -np.inf, log_w - np.maximum(largest, -1e308), 0.0)


def _read_only(a):
    a = a.view()
    a.flags.writeable = False
    return a


def largest_input(learner, n: int, trials: int) -> float:
    """Return how large the n entries of a row may be so that no w·x overflows in that many trials.

    If w starts with entries up to W and the rows have entries up to m, a trial adds at most eta m
    to an entry of w. So w stays below W + trials eta m, and each sum in w·x below n m times that:
    it is enough that n W m, n trials eta m² and trials eta m are at most 5e307.
    """
    gains = 5e307 / (n * trials) / _size(learner, "eta", 1.0)
    return min(gains, gains**0.5, 5e307 / n / _size(learner, "w", 1.0))


def largest_loss(learner, n: int, trials: int) -> float:
    """Return how large losses may be so that eta L does not overflow in that many trials."""
    room = 1e308 / _size(learner, "eta", 1.0) - _size(learner, "L", 0.0)
    return max(0.0, room / trials)


LIMITS = {("X", "real"): largest_input, ("L", "losses"): largest_loss}


def _size(learner, name, least):
    """Return the size of the largest finite number in an attribute of a learner, or `least`."""
    try:
        a = np.abs(np.asarray(getattr(learner, name, least), float))
    except (TypeError, ValueError):  # a student may keep anything there
        return least
    return float(a.max(initial=least, where=np.isfinite(a)))


def check_stream(learner, X, y, epochs: int = 1):
    """Return (X, y) as read-only arrays that fit the learner.

    In the allocation game X is None and y the losses. Numbers so large that those of the learner
    could overflow in so many passes are refused.
    """
    allocation = getattr(learner, "loss", None) == "allocation"
    if allocation and y is not None:
        raise ValueError(f"{type(learner).__name__} learns from losses alone: call play(learner, L) without y")
    if allocation:
        X, y = None, X
    elif y is None:
        raise ValueError(f"y is missing: {type(learner).__name__} learns from labels, call play(learner, X, y)")
    for name, a, space, ndim in (("X", X, getattr(learner, "inputs", "real"), 2),
                                 ("L" if X is None else "y", y, getattr(learner, "labels", "real"), 2 if X is None else 1)):
        if a is None:
            continue
        a = np.fromiter(a, object, len(a)) if space == "anything" else np.asarray(a)
        ndim = 1 if space == "anything" else ndim
        if a.ndim != ndim:
            raise ValueError(f"{name} must have {ndim} dimension{'s' * (ndim > 1)}; its shape is {a.shape}")
        if len(a) == 0:
            raise ValueError(f"{name} is empty: a stream needs at least one trial")
        if ndim == 2 and a.shape[1] != getattr(learner, "n", a.shape[1]):
            raise ValueError(f"{name} must have n = {learner.n} columns, one per expert or feature; it has {a.shape[1]}")
        if space != "anything":
            largest = LIMITS.get((name, space), lambda *_: LARGEST)
            check_values(name, a, space, largest(learner, a.shape[-1], epochs * len(a)))
    if X is not None and len(X) != len(y):
        raise ValueError(f"X and y must have one row per trial each; X has {len(X)} rows, y has {len(y)}")
    X = None if X is None else _own_array(X, getattr(learner, "inputs", "real"))
    return X, _own_array(y, getattr(learner, "labels", "real"))


def _own_array(a, space):
    """Return a read-only copy, or a view of large data; sentences and taggings stay the objects that they are."""
    if space == "anything":
        return _read_only(np.fromiter(a, object, len(a)))
    a = np.asarray(a)
    if space == "signs":
        a = a.astype(np.result_type(a, np.int64), copy=False)  # -1 times -128 is no int8
    return _read_only(a if a.nbytes >= LARGE else a.copy())


def play(learner, X, y=None, *, epochs: int = 1, until_consistent: bool = False, keep: str = "all", fast: bool = True,
         progress: bool | None = None) -> "Run":
    """Return the Run of a learner on a stream (INT-D2, EXP-D2): T rows of X, one label in y for each.

    A learner is any object with `predict(x)` and `update(x, y)`. If it keeps its weights in `w`, their history
    is recorded. In the allocation game there is no x: call `play(learner, L)` with one row of losses per trial.
    The learner is updated in place. `epochs` repeats the stream that many times, and with `until_consistent` only
    until a pass makes no mistake. A progress bar appears on long plays; `progress` forces it on or off.

    `keep` says which weights are recorded: those of "all" trials, w_1 and those after "mistakes", or the "last" (then an
    allocation game keeps its losses but no predictions). Where `fast.py` has a shortcut for the learner, it gives the
    results of the plain loop in less time; `fast=False` plays the loop.
    """
    if keep not in ("all", "mistakes", "last"):
        raise ValueError(f"keep must be 'all', 'mistakes' or 'last'; got {keep!r}")
    epochs = check_count("epochs", epochs)
    X, y = check_stream(learner, X, y, epochs)
    passes = []
    for _ in range(epochs):
        passes.append(_one_pass(learner, X, y, keep, fast, progress))
        if until_consistent and passes[-1].mistakes == 0:
            break
    return passes[0] if len(passes) == 1 else Run.joined(passes)


def _one_pass(learner, X, y, keep, fast, progress):
    from .fast import find, take
    weights, shortcut = Weights(learner, y, keep), find(learner, X, y) if fast else None
    if shortcut is None:
        predictions, losses = _loop(learner, X, y, weights, progress), None
    else:
        predictions, losses = take(shortcut, y, weights, progress)
    return Run.of(learner, X, y, predictions, weights.of("w"), weights.of("log_w"), losses, keep)


def _loop(learner, X, y, weights, progress):
    """Return the predictions of a learner: the protocol, trial by trial."""
    predictions = []
    bar = progress_bar(len(y), progress, LONG_PLAY)
    for t in range(len(y)):
        x = None if X is None else X[t]
        predictions.append(copy(learner.predict(x)))
        learner.update(x, y[t])
        weights.add(predictions[-1:], learner)
        if bar is not None:
            bar.update()
    if bar is not None:
        bar.close()
    return predictions


class Weights:
    """A record of the weights `w` and `log_w` of a learner, as far as it has them and `keep` asks for them."""

    def __init__(self, learner, y, keep):
        self.learner, self.y, self.keep, self.t = learner, y, keep, 0
        self.names = [name for name in ("w", "log_w") if hasattr(learner, name)]
        rows = len(y) + 1 if keep == "all" else 1
        self.rows = {name: np.empty((rows, len(learner.w))) for name in self.names}
        for name in self.names:
            self.rows[name][0] = getattr(learner, name)
        if keep == "mistakes":
            if getattr(learner, "loss", "mistake") != "mistake":
                raise ValueError(f"keep='mistakes' is for learners that predict a label; {type(learner).__name__} "
                                 f"pays a {learner.loss} loss")
            self.rows = {name: [rows] for name, rows in self.rows.items()}

    def add(self, predictions, holder):
        """Record the weights after the next trials: the holder has one row, or one for each."""
        start, self.t = self.t, self.t + len(predictions)
        if self.keep == "last":
            return
        for name in self.names:
            w = getattr(holder, name)
            if self.keep == "all":
                self.rows[name][start + 1:self.t + 1] = w
            else:
                wrong = np.asarray(predictions) != self.y[start:self.t]
                self.rows[name].append(np.broadcast_to(w, (len(wrong), np.shape(w)[-1]))[wrong])

    def of(self, name):
        """Return the recorded rows of `w` or `log_w`, None if the learner has no such attribute."""
        if name not in self.names:
            return None
        if self.keep == "last":
            self.rows[name][0] = getattr(self.learner, name)
        return np.concatenate(self.rows[name]) if self.keep == "mistakes" else self.rows[name]


def _check_predictions(predictions, y):
    """Return the predictions as one array, or raise for the first that is no number (or no row of n allocations)."""
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
            raise ValueError(f"predict must return {'a number' if y.ndim == 1 else 'one number per expert, or an index'}; "
                             f"on trial {t} it returned {p.tolist()!r}")
    return np.array(predictions)


def progress_bar(T: int, progress: bool | None, long: int):
    """Return a progress bar for T trials if it is asked for, or if nothing is said and there are `long` or more; else None."""
    if progress or (progress is None and T >= long):
        from tqdm.auto import tqdm
        return tqdm(total=T, unit=" trials", unit_scale=True)


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """What happened in a play, trial by trial: figures, ledgers and tests read nothing else."""

    learner: object              # as it was after the last trial
    X: np.ndarray | None         # T rows; None in the allocation game
    y: np.ndarray                # T labels, or T rows of losses in the allocation game
    predictions: np.ndarray      # None in an allocation game, unless keep is "all"
    losses: np.ndarray           # what each trial cost
    weights: np.ndarray | None   # T+1 rows: w_1 … w_{T+1}; fewer unless keep is "all"
    recorded_log_weights: np.ndarray | None  # the same in the log domain, if the learner has them
    keep: str = "all"            # which weights were recorded
    period: int = 0              # trials of one pass, if the stream was repeated

    @classmethod
    def of(cls, learner, X, y, predictions, weights=None, log_weights=None, losses=None, keep="all"):
        """Return the Run of recorded predictions and weights; the learner's `loss` names the price of a trial."""
        if losses is None:
            predictions = _check_predictions(predictions, y)
            losses = LOSSES[getattr(learner, "loss", "mistake")](y, predictions)
        if keep != "all" and np.ndim(predictions) == 2:
            predictions = None
        arrays = [None if a is None else _read_only(a) for a in (predictions, losses, weights, log_weights)]
        return cls(learner, X, y, *arrays, keep)

    @classmethod
    def joined(cls, passes):
        """Return the Run of several passes, one after the other; the weights before a pass are those after the last."""
        def join(name, overlap=0):
            parts = [getattr(run, name) for run in passes]
            return None if parts[0] is None else _read_only(np.concatenate([parts[0], *(p[overlap:] for p in parts[1:])]))
        first, last = passes[0], passes[-1]
        weights = [getattr(last, name) if first.keep == "last" else join(name, 1) for name in ("weights", "recorded_log_weights")]
        return cls(first.learner, join("X"), join("y"), join("predictions"), join("losses"), *weights, first.keep, len(first))

    def __len__(self):
        return len(self.y)

    @property
    def mistakes_per_pass(self) -> np.ndarray:
        """Mistakes of each pass over the stream; 0 at the end means that the last pass was consistent."""
        return self.mistake.reshape(-1, self.period or len(self)).sum(axis=1)

    def __repr__(self):
        def count(number, noun):
            return f"{number} {noun}{'s' * (number != 1)}"
        paid = count(self.mistakes, "mistake") if self._counts_mistakes else f"loss {self.total_loss:.4g}"
        return f"<Run of {type(self.learner).__name__}: {count(len(self), 'trial')}, {paid}>"

    @property
    def _counts_mistakes(self):
        return getattr(self.learner, "loss", "mistake") == "mistake"

    @cached_property
    def mistake(self) -> np.ndarray:
        """Mask of the trials on which the prediction was wrong."""
        if not self._counts_mistakes:
            raise ValueError(f"{type(self.learner).__name__} pays a {self.learner.loss} loss: read run.losses, "
                             "mistakes are counted for learners that predict a label")
        return _read_only(self.losses > 0)

    @property
    def mistakes(self) -> int:
        """Number of mistakes M."""
        return int(self.mistake.sum())

    @cached_property
    def mistakes_before(self) -> np.ndarray:
        """M_t, the mistakes before trial t, for t = 1 … T+1."""
        return _read_only(np.concatenate([[0], np.cumsum(self.mistake)]))

    @property
    def total_loss(self) -> float:
        """L_A(S), the sum of the losses (EXP-D3)."""
        return float(self.losses.sum())

    @cached_property
    def log_weights(self) -> np.ndarray | None:
        """The weights in the log domain, where nothing underflows; None if some are negative."""
        if self.recorded_log_weights is not None or self.weights is None or not (self.weights >= 0).all():
            return self.recorded_log_weights
        with np.errstate(divide="ignore"):
            return _read_only(np.log(self.weights))

    @cached_property
    def log_probabilities(self) -> np.ndarray:
        """ln v_t, where v_t are the weights divided by their sum, for t = 1 … T+1."""
        if self.log_weights is None:
            raise ValueError(f"{type(self.learner).__name__} has no weights >= 0 in an attribute w to divide by their sum")
        return _read_only(normalised(self.log_weights))

    @cached_property
    def probabilities(self) -> np.ndarray:
        """v_t, the weights divided by their sum, for t = 1 … T+1."""
        return _read_only(np.exp(self.log_probabilities))

    @cached_property
    def expert_losses(self) -> np.ndarray:
        """Loss of each expert on each trial, T rows of n (EXP-D3)."""
        return _read_only(self._expert_losses(slice(None)))

    def _expert_losses(self, trials):
        if self.X is None:
            return self.y[trials]
        if self.X[trials].min() < 0 or self.X[trials].max() > 1:
            raise ValueError("the rows of X are not expert advice in [0, 1], so no expert has a loss")
        return LOSSES[getattr(self.learner, "loss", "mistake")](self.y[trials, None], self.X[trials])

    @cached_property
    def cumulative_expert_losses(self) -> np.ndarray:
        """Loss of each expert before trial t, for t = 1 … T+1."""
        losses = self.expert_losses
        start = np.zeros(losses.shape[1])
        return _read_only(np.vstack([start, np.cumsum(losses, axis=0, dtype=float)]))

    @cached_property
    def total_expert_losses(self) -> np.ndarray:
        """L_i(S), the loss of each expert in the whole run, summed in the order of the trials."""
        total = np.zeros((self.y if self.X is None else self.X).shape[1])
        for start, part in parts(self.y if self.X is None else self.X):
            total = np.vstack([total, self._expert_losses(slice(start, start + len(part)))]).sum(axis=0)
        return _read_only(total)

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
            raise ValueError("the expected losses need the weights of every trial: play with keep='all'")
        return _read_only(np.vecdot(self.probabilities[:-1], self.expert_losses))
