"""What a learner may be given: numbers from the right space, so small that nothing overflows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import getdoc
from numbers import Real
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike

from . import sparse
from .losses import LOSSES
from .refusals import bad_entry, ragged, refuse_what_hides

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
    "records": (),  # names of other attributes that a Run keeps, such as ("eta",)
}
# What these may be.
CHOICES: dict[str, tuple] = {"loss": (*LOSSES,)}
CHOICES |= dict.fromkeys(("inputs", "labels"), (*SPACES, "anything"))
LARGEST = float(np.finfo(float).max)
LARGE = 2**22  # bytes from which a Run holds a view of the data instead of a copy
CHECKED = 2**16  # numbers that are checked at once, so that they stay in the cache


def trait(learner: object, name: str) -> Any:
    """Return what a learner says of itself in an attribute, or the default in TRAITS.

    >>> trait(object(), "loss")
    'mistake'
    """
    return getattr(learner, name, TRAITS[name])


def check_traits(learner: object) -> None:
    """Raise if a learner says something of itself that means nothing."""
    for name, choices in CHOICES.items():
        if str(said := trait(learner, name)) not in choices:
            raise ValueError(
                f"{type(learner).__name__}.{name} must be one of {', '.join(choices)}; it is"
                f" {said!r}"
            )
    records = trait(learner, "records")
    known = (isinstance(name, str) and hasattr(learner, name) for name in records)
    if not isinstance(records, tuple) or not all(known):
        raise ValueError(
            f"{type(learner).__name__}.records must be names of attributes that it has, such as"
            f" ('eta',); it is {records!r}"
        )
    if trait(learner, "n") is not None:
        check_count(f"{type(learner).__name__}.n", trait(learner, "n"))


def generator(rng: Any) -> "np.random.Generator":
    """Return the generator of random numbers, or that of a seed."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise ValueError(
            f"rng must be a seed, whole numbers >= 0, or a numpy Generator; got {rng!r}"
        ) from None


def check_count(name: str, n: Any, least: int = 1) -> int:
    """Return n as an int, or raise if it is not a whole number >= least."""
    whole = isinstance(n, Real) and not isinstance(n, bool) and n % 1 == 0
    if not whole or n < least:
        raise ValueError(f"{name} must be a whole number >= {least}; got {n!r}")
    return int(n)


def check_range(name: str, value: Any, accepts: Callable, expected: str) -> float:
    """Return the number as a float, or raise if it does not lie in the expected range."""
    if not isinstance(value, Real) or not accepts(value):
        raise ValueError(f"{name} must be {expected}; got {value}")
    return float(value)


def check_values(name: str, a: ArrayLike, space: str, limit: float = LARGEST) -> np.ndarray:
    """Return a as an array, or raise a ValueError that names the first entry outside."""
    return Given(name, as_array(name, a), space, limit).checked()


def is_sparse(a: Any) -> bool:
    """Return whether this is a table of scipy.sparse, in whatever format."""
    return hasattr(a, "tocsr")


def stored(a: Any) -> np.ndarray:
    """Return the numbers that are stored: all of an array, those other than 0 of a sparse table."""
    return a.data if is_sparse(a) else a


def dense(a: Any) -> Any:
    """Return rows with all their entries."""
    return a.toarray() if is_sparse(a) else a


def as_array(name: str, a: Any) -> np.ndarray:
    """Return a as an array, or say why it is none, or one whose entries can't all be read."""
    if type(a) not in (np.ndarray, list, tuple, float):
        refuse_what_hides(name, a)
    try:
        return np.asarray(a)
    except (ValueError, TypeError) as error:
        raise ValueError(ragged(name, a, error)) from None


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
        for start, part in parts(stored(self.a)):
            good = self.good(part)
            if not good.all():
                first, *rest = (int(i) for i in np.argwhere(~good)[0])
                place = sparse.place(self.a, start + first) if is_sparse(self.a) else None
                index = place or (start + first, *rest)
                raise ValueError(bad_entry(self, SPACES[self.space][0], index))
        return self.a

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
    if is_sparse(a):
        return sparse.own(a, LARGE)
    a = np.asarray(a)
    if space == "signs":
        a = a.astype(np.result_type(a, np.int64), copy=False)  # -1 times -128 is no int8
    return read_only(a if a.nbytes >= LARGE else a.copy())


def check_stream(
    learner: object, X: ArrayLike | None, y: ArrayLike | Callable | None, epochs: int = 1
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
    learner: object, X: ArrayLike | None, y: ArrayLike | Callable | None, epochs: int = 1
) -> Iterator[Given]:
    """Yield the rows and then the labels, if there are any: in the right shape, not yet checked."""
    check_traits(learner)
    who, allocation = type(learner).__name__, trait(learner, "loss") == "allocation"
    if allocation and y is not None:
        raise ValueError(f"{who} learns from losses alone: call play(learner, L) without y")
    if y is None and not allocation:
        raise ValueError(f"y is missing: {who} learns from labels, call play(learner, X, y)")
    if allocation:
        yield in_shape(learner, "L", X, trait(learner, "labels"), 2, epochs)
        return
    rows = in_shape(learner, "X", X, trait(learner, "inputs"), 2, epochs)
    yield rows
    if callable(y):
        return
    labels = in_shape(learner, "y", y, trait(learner, "labels"), 1, epochs)
    yield labels
    if rows.a.shape[0] != len(labels.a):
        raise ValueError(
            "X and y must have one row per trial each; "
            f"X has {rows.a.shape[0]} rows, y has {len(labels.a)}"
        )


def in_shape(learner: object, name: str, a: Any, space: str, ndim: int, epochs: int) -> "Given":
    """Return what is given as an array of the right shape, not yet checked."""
    if space == "anything":
        if not hasattr(a, "__len__"):
            raise TypeError(f"{name} must be a list with one entry for each trial; got {a!r}")
        a, ndim = np.fromiter(a, object, len(a)), 1
    table = is_sparse(a) and name == "X" and space != "signs"
    a = sparse.by_rows(name, a) if table else as_array(name, a)
    if a.ndim != ndim:
        raise ValueError(f"{name} must have {count(ndim, 'dimension')}; its shape is {a.shape}")
    trials = a.shape[0]
    if trials == 0:
        raise ValueError(f"{name} is empty: a stream needs at least one trial")
    n = trait(learner, "n")
    if ndim == 2 and n not in (None, a.shape[1]):
        raise ValueError(
            f"{name} must have n = {n} columns, one per expert or feature; it has {a.shape[1]}"
        )
    largest = LIMITS.get(space) if ndim == 2 else None
    limit = largest(learner, a.shape[1], epochs * trials) if largest else LARGEST
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


LIMITS = {"real": largest_input, "losses": largest_loss}


def _size(learner, name, least):
    """Return the size of the largest finite number in an attribute of a learner, or `least`."""
    try:
        a = np.abs(np.asarray(getattr(learner, name, least), float))
    except (TypeError, ValueError):  # a student may keep anything there
        return least
    return float(a.max(initial=least, where=np.isfinite(a)))


def count(number: float, noun: str) -> str:
    """Return a whole number and a noun, in the plural unless it is one."""
    return f"{number:.0f} {noun}{'' if number == 1 else 's'}"


def summary(thing: Any) -> str:
    """Return the first paragraph of a docstring in one line, or the name if there is none."""
    return " ".join((getdoc(thing) or thing.__name__).split("\n\n")[0].split())
