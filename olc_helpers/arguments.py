"""What the functions of the rooms are given besides a stream: each kind of argument is checked in
one place, so that numpy need not say in its own words what is wrong.
"""

from inspect import Parameter
from numbers import Real
from types import UnionType
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike

from .checks import Given, as_array, check_values, is_sparse
from .sparse import by_rows

# How what a theorem reads is called, by the class that it is annotated with.
CALLED = {"Run": "a Run, which play(learner, X, y) returns", "float": "a number", "int": "a number"}
CALLED |= {"Formula": "a formula, which booleans.formula(text) returns", "Callable": "a function"}
CALLED |= {"Distribution": "a Distribution, which batch.distribution(X, y) returns"}
CALLED |= {"Learner": "a learner, with the methods predict(x) and update(x, y)"}


def check_argument(who: str, parameter: Parameter, given: Any) -> None:
    """Raise if a theorem is given something else than what its parameter is annotated with."""
    expected = parameter.annotation
    kinds = get_args(expected) if isinstance(expected, UnionType) else (expected,)
    if not any(_is(given, kind) for kind in kinds):
        name = getattr(kinds[0], "__name__", kinds[0])
        raise TypeError(
            f"{who} reads {CALLED.get(name, f'a {name}')}; {parameter.name} is a"
            f" {type(given).__name__}"
        )


def _is(given, kind):
    """Return whether something is of a class; what is annotated with no class may be anything."""
    if getattr(kind, "__name__", kind) == "Run":  # in a notebook it may be the text "Run"
        return hasattr(given, "keep")
    kind = Real if kind in (int, float) else kind
    return not isinstance(kind, type) or kind is Parameter.empty or isinstance(given, kind)


def flag(name: str, given: Any) -> bool:
    """Return True or False, or raise if this is neither: a text such as "no" would be true."""
    if not isinstance(given, bool | np.bool):
        raise ValueError(f"{name} must be True or False; got {given!r}")
    return bool(given)


def examples(
    X: ArrayLike, y: ArrayLike, inputs: str = "real", labels: str = "signs"
) -> tuple[np.ndarray, np.ndarray]:
    """Return rows, a table of scipy.sparse as such, and their labels as an array, or raise if they
    don't belong together.
    """
    table = is_sparse(X)
    X = Given("X", by_rows("X", X), inputs).checked() if table else check_values("X", X, inputs)
    y = check_values("y", y, labels)
    if X.ndim != 2 or y.shape != X.shape[:1] or 0 in X.shape:
        raise ValueError(
            f"X must have one row per label in y; their shapes are {X.shape} and {y.shape}"
        )
    return X, y


def vector(name: str, v: ArrayLike, n: int) -> np.ndarray:
    """Return a vector of n finite numbers as an array, or raise if it is none."""
    v = check_values(name, v, "real") + 0.0
    if v.shape != (n,):
        raise ValueError(f"{name} must be a vector of {n} finite numbers; its shape is {v.shape}")
    return v


def probabilities(name: str, p: ArrayLike, n: int) -> np.ndarray:
    """Return n probabilities as an array, or raise if they are none."""
    p = check_values(name, p, "unit") + 0.0
    if p.shape != (n,) or abs(p.sum() - 1) > 1e-9:
        raise ValueError(
            f"{name} must be {n} probabilities that sum to 1; its shape is {p.shape}, its sum"
            f" {p.sum():g}"
        )
    return p


def indices(name: str, chosen: Any, n: int) -> np.ndarray:
    """Return indices of n things as an array, or raise if one of them is none."""
    a = as_array(name, chosen if np.iterable(chosen) else [chosen])
    a = a if a.size else a.astype(int)
    if a.dtype.kind not in "iu" or ((a < 0) | (a >= n)).any():
        raise ValueError(f"{name} must be whole numbers from 0 to {n - 1}; got {a.tolist()}")
    return a
