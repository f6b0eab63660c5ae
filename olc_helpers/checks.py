"""What a learner may be given: numbers from the right space, so small that nothing overflows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import getdoc
from numbers import Real
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike

Numbers = float | np.ndarray
# What random streams are drawn from; a text, because numpy loads its generators when they are used.
Seed: TypeAlias = "int | Sequence[int] | np.random.Generator | None"
# What the entries of X or y may be: how to say it, and how to test it. "anything" (sentences,
# taggings) is not tested.
SPACES: dict[str, tuple[str, Callable]] = {
    "bits": ("0 or 1", lambda a: (a == 0) | (a == 1)),
    "signs": ("-1 or +1", lambda a: (a == -1) | (a == 1)),
    "unit": ("a number in [0, 1]", lambda a: (a >= 0) & (a <= 1)),
    "losses": ("a finite number >= 0", lambda a: np.isfinite(a) & (a >= 0)),
    "real": ("a finite number", np.isfinite),
}
# What a learner may say of itself in attributes, and what holds if it says nothing.
TRAITS = {
    "inputs": "real",  # what the entries of a row x are: a name in SPACES, or "anything"
    "labels": "real",  # what a label is, likewise
    "loss": "mistake",  # what a trial costs: a name in LOSSES
    "n": None,  # how many entries a row has; None: any number
    "w": None,  # the weights; None before the first update: then w_1 = 0
    "log_w": None,  # their logarithms, where the weights themselves could underflow
}
LARGEST = float(np.finfo(float).max)
LARGE = 2**22  # bytes from which a Run holds a view of the data instead of a copy
CHECKED = 2**16  # numbers that are checked at once, so that they stay in the cache


def trait(learner: object, name: str) -> Any:
    """Return what a learner says of itself in an attribute, or the default in TRAITS.

    >>> trait(object(), "loss")
    'mistake'
    """
    return getattr(learner, name, TRAITS[name])


def check_count(name: str, n: Any) -> int:
    """Return n as an int, or raise if it is not a whole number >= 1."""
    whole = isinstance(n, Real) and not isinstance(n, bool) and n % 1 == 0
    if not whole or n < 1:
        raise ValueError(f"{name} must be a whole number >= 1; got {n!r}")
    return int(n)


def check_range(name: str, value: Any, accepts: Callable, expected: str) -> float:
    """Return the number as a float, or raise if it does not lie in the expected range."""
    if not isinstance(value, Real) or not accepts(value):
        raise ValueError(f"{name} must be {expected}; got {value}")
    return float(value)


def check_values(name: str, a: ArrayLike, space: str, limit: float = LARGEST) -> np.ndarray:
    """Return a as an array, or raise a ValueError that names the first entry outside."""
    return Given(name, np.asarray(a), space, limit).checked()


@dataclass(frozen=True)
class Given:
    """An array that a learner is given, and what its entries may be."""

    name: str
    a: np.ndarray
    space: str
    limit: float = LARGEST

    def __post_init__(self):
        if self.space != "anything" and self.a.dtype.kind not in "biuf":
            raise ValueError(f"{self.name} must hold numbers; its dtype is {self.a.dtype}")

    def good(self, part: np.ndarray) -> np.ndarray:
        """Return which entries of a part are what they may be."""
        if self.space == "anything":
            return np.ones(len(part), bool)
        good, limit = SPACES[self.space][1](part), np.float64(self.limit)
        return good if limit >= LARGEST else good & (part <= limit) & (part >= -limit)

    def checked(self) -> np.ndarray:
        """Return the array, or raise a ValueError that names the first entry outside."""
        for start, part in parts(self.a):
            good = self.good(part)
            if not good.all():
                first, *rest = (int(i) for i in np.argwhere(~good)[0])
                raise ValueError(self._wrong((start + first, *rest)))
        return self.a

    def _wrong(self, index):
        name, a, space = self.name, self.a, self.space
        expected, hint = SPACES[space][0], ""
        if self.limit < abs(float(a[index])) < np.inf:
            expected = f"{expected}, at most {self.limit:.3g}{' in size' * (space == 'real')}"
            hint = " (with larger ones the numbers of this play could overflow)"
        if space == "bits" and np.isin(a, (-1, 1)).all():
            hint = " (these look like -1/+1 labels: pass (y + 1) // 2)"
        if space == "signs" and np.isin(a, (0, 1)).all():
            hint = " (these look like 0/1 labels: pass 2*y - 1)"
        return (
            f"every entry of {name} must be {expected}; "
            f"{name}[{', '.join(map(str, index))}] is {a[index].item()!r}{hint}"
        )

    def own(self) -> np.ndarray:
        """Return a read-only copy of the array, or a view of large data."""
        return own_array(self.a, self.space)


def parts(a: ArrayLike) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (start, rows) for parts of the array that fit into the cache, so that a long one takes
    little memory.
    """
    a = np.atleast_1d(a)
    step = max(1, CHECKED * len(a) // max(1, a.size))
    return ((start, a[start : start + step]) for start in range(0, len(a), step))


@overload
def read_only(a: np.ndarray) -> np.ndarray: ...
@overload
def read_only(a: None) -> None: ...
def read_only(a: np.ndarray | None) -> np.ndarray | None:
    """Return a view of the array that can't be written to; None stays None."""
    if a is None:
        return None
    a = a.view()
    a.flags.writeable = False
    return a


def own_array(a: Any, space: str) -> np.ndarray:
    """Return a read-only copy, or a view of large data; sentences and taggings stay as they are."""
    if space == "anything":
        return read_only(np.fromiter(a, np.dtype(object), len(a)))
    a = np.asarray(a)
    if space == "signs":
        a = a.astype(np.result_type(a, np.int64), copy=False)  # -1 times -128 is no int8
    return read_only(a if a.nbytes >= LARGE else a.copy())


def check_stream(
    learner: object, X: ArrayLike, y: ArrayLike | Callable | None, epochs: int = 1
) -> tuple[np.ndarray | None, np.ndarray | Callable]:
    """Return (X, y) as read-only arrays that fit the learner; a y that is a function stays one.

    In the allocation game X is None and y the losses. Numbers so large that those of the learner
    could overflow in so many passes are refused.
    """
    checked = [(each.checked(), each.own()) for each in given(learner, X, y, epochs)]
    (_, rows), *labels = checked
    if trait(learner, "loss") == "allocation":
        return None, rows
    return rows, y if callable(y) else labels[0][1]


def given(
    learner: object, X: ArrayLike, y: ArrayLike | Callable | None, epochs: int = 1
) -> Iterator[Given]:
    """Yield the rows and then the labels, if there are any: in the right shape, not yet checked."""
    who, allocation = type(learner).__name__, trait(learner, "loss") == "allocation"
    if allocation and y is not None:
        raise ValueError(f"{who} learns from losses alone: call play(learner, L) without y")
    if y is None and not allocation:
        raise ValueError(f"y is missing: {who} learns from labels, call play(learner, X, y)")
    if allocation:
        yield _in_shape(learner, "L", X, trait(learner, "labels"), 2, epochs)
        return
    rows = _in_shape(learner, "X", X, trait(learner, "inputs"), 2, epochs)
    yield rows
    if callable(y):
        return
    labels = _in_shape(learner, "y", y, trait(learner, "labels"), 1, epochs)
    yield labels
    if len(rows.a) != len(labels.a):
        raise ValueError(
            "X and y must have one row per trial each; "
            f"X has {len(rows.a)} rows, y has {len(labels.a)}"
        )


def _in_shape(learner, name, a, space, ndim, epochs):
    if space == "anything":
        a, ndim = np.fromiter(a, object, len(a)), 1
    a = np.asarray(a)
    if a.ndim != ndim:
        raise ValueError(f"{name} must have {count(ndim, 'dimension')}; its shape is {a.shape}")
    if len(a) == 0:
        raise ValueError(f"{name} is empty: a stream needs at least one trial")
    n = trait(learner, "n")
    if ndim == 2 and n not in (None, a.shape[1]):
        raise ValueError(
            f"{name} must have n = {n} columns, one per expert or feature; it has {a.shape[1]}"
        )
    largest = LIMITS.get((name, space))
    limit = largest(learner, a.shape[1], epochs * len(a)) if largest else LARGEST
    return Given(name, a, space, limit)


def largest_input(learner: object, n: int, trials: int) -> float:
    """Return how large the n entries of a row may be so that no w·x overflows in that many trials.

    If w starts with entries up to W and the rows have entries up to m, a trial adds at most eta m
    to an entry of w. So w stays below W + trials eta m, and each sum in w·x below n m times that:
    it is enough that n W m, n trials eta m² and trials eta m are at most 5e307.
    """
    gains = 5e307 / (n * trials) / _size(learner, "eta", 1.0)
    return min(gains, gains**0.5, 5e307 / n / _size(learner, "w", 1.0))


def largest_loss(learner: object, n: int, trials: int) -> float:
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


def check_label(label: Any, learner: object, trial: int) -> Any:
    """Return the label that nature gave on a trial, as `play` hands it on, or raise."""
    space = trait(learner, "labels")
    if space == "anything":
        return label
    expected, test = SPACES[space]
    a = np.asarray(label if np.isscalar(label) or isinstance(label, np.ndarray) else None)
    if a.ndim or a.dtype.kind not in "biuf" or not test(a):
        raise ValueError(f"nature must answer {expected}; on trial {trial} it answered {label!r}")
    return own_array([a], space)[0]


def check_predictions(predictions: Any, y: np.ndarray) -> np.ndarray:
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


def count(number: float, noun: str) -> str:
    """Return a whole number and a noun, in the plural unless it is one."""
    return f"{number:.0f} {noun}{'' if number == 1 else 's'}"


def summary(thing: Any) -> str:
    """Return the first paragraph of a docstring in one line, or the name if there is none."""
    return " ".join((getdoc(thing) or thing.__name__).split("\n\n")[0].split())
