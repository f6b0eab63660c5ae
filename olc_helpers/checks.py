"""What a learner may be given: numbers from the right space, so small that nothing overflows."""

from collections.abc import Callable, Iterator, Sequence
from inspect import getdoc
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from .protocol import Learner

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

# What is quick to test, and enough: no number is larger than the root of the sum of all squares.
# (On some processors np.vdot can't read numbers that are not aligned.)
QUICK = {
    "unit": lambda a, limit: a.min() >= 0 and a.max() <= 1,
    "losses": lambda a, limit: a.min() >= 0 and a.max() <= limit,
    "real": lambda a, limit: (
        a.dtype.kind == "f" and a.flags.aligned and np.vdot(a, a) <= min(limit, 1e150) ** 2
    ),
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
LARGEST = np.finfo(float).max
LARGE = 2**22  # bytes from which a Run holds a view of the data instead of a copy
CHECKED = 2**16  # numbers that are checked at once, so that they stay in the cache


def trait(learner: "Learner", name: str) -> Any:
    """Return what a learner says of itself in an attribute, or the default in TRAITS.

    >>> trait(object(), "loss")
    'mistake'
    """
    return getattr(learner, name, TRAITS[name])


def check_count(name: str, n: Any) -> int:
    """Return n as an int, or raise if it is not a whole number >= 1."""
    if isinstance(n, bool) or not isinstance(n, Real) or n % 1 != 0 or n < 1:
        raise ValueError(f"{name} must be a whole number >= 1; got {n!r}")
    return int(n)


def check_range(name: str, value: Any, accepts: Callable, expected: str) -> float:
    """Return the number as a float, or raise if it does not lie in the expected range."""
    if not isinstance(value, Real) or not accepts(value):
        raise ValueError(f"{name} must be {expected}; got {value}")
    return float(value)


def check_values(name: str, a: ArrayLike, space: str, limit: float = LARGEST) -> np.ndarray:
    """Return a as an array, or raise a ValueError that names the first entry outside."""
    a = np.asarray(a)
    check_numbers(name, a)
    Checks(name, a, space, limit)(len(a))
    return a


def check_numbers(name: str, a: np.ndarray) -> None:
    """Raise a ValueError if the array holds anything but numbers."""
    if a.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold numbers; its dtype is {a.dtype}")


class Checks:
    """The checks of the values of an array, made when its rows are first read: they come from
    memory once, to be checked and played.
    """

    def __init__(self, name: str, a: np.ndarray, space: str, limit: float = LARGEST):
        self.name, self.a, self.space, self.limit = name, a, space, np.float64(limit)
        harmless = {"real": "biu", "signs": "", "anything": "biufO"}.get(space, "b")
        # How many rows are known to be good.
        self.good = len(a) if a.dtype.kind in harmless and limit > 2**64 else 0
        self.undo = lambda: None  # is called before a refusal

    def __call__(self, stop: int) -> None:
        """Check the rows before `stop`: raise a ValueError that names the first entry outside."""
        if self.good >= stop:
            return
        for start, part in parts(self.a[self.good : stop]):
            good = self._good(part)
            if not good.all():
                self.undo()
                first, *rest = (int(i) for i in np.argwhere(~good)[0])
                self._refuse((self.good + start + first, *rest))
        self.good = stop

    def _good(self, part):
        with np.errstate(over="ignore"):  # a sum of squares that is no float16 is looked at again
            if self.space in QUICK and QUICK[self.space](part, self.limit):
                return np.array(True)
        good = SPACES[self.space][1](part)
        if self.limit < LARGEST:
            good &= (part <= self.limit) & (part >= -self.limit)
        return good

    def _refuse(self, index):
        name, a, space, (expected, _) = self.name, self.a, self.space, SPACES[self.space]
        hint = ""
        if self.limit < abs(float(a[index])) < np.inf:
            expected = f"{expected}, at most {self.limit:.3g}{' in size' * (space == 'real')}"
            hint = " (with larger ones the numbers of this play could overflow)"
        if space == "bits" and np.isin(a, (-1, 1)).all():
            hint = " (these look like -1/+1 labels: pass (y + 1) // 2)"
        if space == "signs" and np.isin(a, (0, 1)).all():
            hint = " (these look like 0/1 labels: pass 2*y - 1)"
        raise ValueError(
            f"every entry of {name} must be {expected}; "
            f"{name}[{', '.join(map(str, index))}] is {a[index].item()!r}{hint}"
        )


def parts(a: ArrayLike) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (start, rows) for parts of the array that fit into the cache, so that a long one takes
    little memory.
    """
    a = np.atleast_1d(a)
    step = max(1, CHECKED * len(a) // max(1, a.size))
    return ((start, a[start : start + step]) for start in range(0, len(a), step))


def read_only(a: np.ndarray) -> np.ndarray:
    """Return a view of the array that can't be written to."""
    a = a.view()
    a.flags.writeable = False
    return a


def largest_input(learner: "Learner", n: int, trials: int) -> float:
    """Return how large the n entries of a row may be so that no w·x overflows in that many trials.

    If w starts with entries up to W and the rows have entries up to m, a trial adds at most eta m
    to an entry of w. So w stays below W + trials eta m, and each sum in w·x below n m times that:
    it is enough that n W m, n trials eta m² and trials eta m are at most 5e307.
    """
    gains = 5e307 / (n * trials) / _size(learner, "eta", 1.0)
    return min(gains, gains**0.5, 5e307 / n / _size(learner, "w", 1.0))


def largest_loss(learner: "Learner", n: int, trials: int) -> float:
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


def check_stream(
    learner: "Learner", X: ArrayLike, y: ArrayLike | Callable | None, epochs: int = 1
) -> tuple[np.ndarray | None, np.ndarray | Callable]:
    """Return (X, y) as read-only arrays that fit the learner; a y that is a function stays one.

    In the allocation game X is None and y the losses. Numbers so large that those of the learner
    could overflow in so many passes are refused.
    """
    X, y, check = start_checks(learner, X, y, epochs)
    check(len(y) if X is None else len(X))
    return X, y


def start_checks(
    learner: "Learner", X: ArrayLike, y: ArrayLike | Callable | None, epochs: int = 1
) -> tuple[np.ndarray | None, np.ndarray | Callable, Checks]:
    """Return (X, y) as `check_stream` does, and what remains to be done: the Checks of the rows."""
    who, inputs, labels = type(learner).__name__, trait(learner, "inputs"), trait(learner, "labels")
    allocation = trait(learner, "loss") == "allocation"
    if allocation and y is not None:
        raise ValueError(f"{who} learns from losses alone: call play(learner, L) without y")
    if y is None and not allocation:
        raise ValueError(f"y is missing: {who} learns from labels, call play(learner, X, y)")
    if allocation:
        return None, *_start(learner, "L", X, labels, 2, epochs)
    X, check = _start(learner, "X", X, inputs, 2, epochs)
    if callable(y):
        return X, y, check
    try:
        y, check_labels = _start(learner, "y", y, labels, 1, epochs)
        check_labels(len(y))
        if len(X) != len(y):
            raise ValueError(
                f"X and y must have one row per trial each; X has {len(X)} rows, y has {len(y)}"
            )
    except ValueError:
        check(len(X))  # what is wrong in X is said first
        raise
    return X, y, check


def _start(learner, name, a, space, ndim, epochs):
    """Return the stream a as an array of its own and the checks of its values, or raise if its
    shape does not fit.
    """
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
    if space == "anything":
        return own_array(a, space), Checks(name, a, space)
    check_numbers(name, a)
    largest = LIMITS.get((name, space), lambda *_: LARGEST)
    limit = largest(learner, a.shape[-1], epochs * len(a))
    return own_array(a, space), Checks(name, a, space, limit)


def check_label(label: Any, space: str, trial: int) -> Any:
    """Return the label that nature gave on a trial, as `play` hands it on, or raise."""
    if space == "anything":
        return label
    expected, test = SPACES[space]
    a = np.asarray(label if np.isscalar(label) or isinstance(label, np.ndarray) else None)
    if a.ndim or a.dtype.kind not in "biuf" or not test(a):
        raise ValueError(f"nature must answer {expected}; on trial {trial} it answered {label!r}")
    return own_array([a], space)[0]


def own_array(a: ArrayLike, space: str) -> np.ndarray:
    """Return a read-only copy, or a view of large data; sentences and taggings stay as they are."""
    if space == "anything":
        return read_only(np.fromiter(a, object, len(a)))
    a = np.asarray(a)
    if space == "signs":
        a = a.astype(np.result_type(a, np.int64), copy=False)  # -1 times -128 is no int8
    return read_only(a if a.nbytes >= LARGE else a.copy())


def count(number: float, noun: str) -> str:
    """Return a whole number and a noun, in the plural unless it is one."""
    return f"{number:.0f} {noun}{'' if number == 1 else 's'}"


def summary(thing: Any) -> str:
    """Return the first paragraph of a docstring in one line, or the name if there is none."""
    return " ".join((getdoc(thing) or thing.__name__).split("\n\n")[0].split())
