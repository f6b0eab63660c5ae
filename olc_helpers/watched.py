"""Who is watched while they play: nature whose labels or losses depend on the prediction, and
learners whose predictions are not plain numbers.
"""

from collections.abc import Callable
from copy import copy
from math import isfinite
from numbers import Integral
from typing import Any

import numpy as np

from .checks import SPACES, as_array, check_count, check_traits, in_shape, own_array, trait


def reacting(learner: object, X: Any, y: Any, nature: Any, trials: Any) -> tuple[Any, Callable]:
    """Return (X, y) for a nature that watches: y is a function of the row and the prediction."""
    check_traits(learner)
    allocation = trait(learner, "loss") == "allocation"
    fits = (X is None) == allocation and (allocation or trials is None)
    if not callable(nature) or y is not None or not fits:
        raise TypeError(
            "nature must be a function, of the row and the prediction in play(learner, X, nature=f)"
            f" and of v alone in play(learner, nature=f, trials=T); got {nature!r}"
        )
    if not allocation:
        return X, nature
    check_count("trials", trials)
    check_count(f"{type(learner).__name__}.n", trait(learner, "n"))
    return None, lambda x, v: nature(copy(v))  # the Run keeps v: nature must not write into it


def check_label(label: Any, learner: object, trial: int, trials: int) -> Any:
    """Return the label, or the losses, that nature gave on a trial, as `play` hands it on, or
    raise.
    """
    space = trait(learner, "labels")
    if trait(learner, "loss") == "allocation":
        row = as_array(f"the losses of trial {trial}", label)[None]
        return in_shape(learner, f"the losses of trial {trial}", row, space, 2, trials).checked()[0]
    if space == "anything":
        return label
    expected, test = SPACES[space]
    a = np.asarray(label if np.isscalar(label) or isinstance(label, np.ndarray) else None)
    if a.ndim or a.dtype.kind not in "biuf" or not test(a):
        raise ValueError(f"nature must answer {expected}; on trial {trial} it answered {label!r}")
    return own_array([a], space)[0]


def check_prediction(p: Any, learner: object, y: Any, trial: int) -> None:
    """Raise if a learner predicts what can't be paid for on a trial; in the allocation game y are
    the losses, or gives them.
    """
    loss, anything = trait(learner, "loss"), trait(learner, "labels") == "anything"
    if loss == "allocation":
        n = trait(learner, "n") or y.shape[1]
        expected = f"{n} numbers >= 0 that sum to 1, or the index of an expert, 0 to {n - 1}"
        good = _allocates(p, n)
    else:
        expected = SPACES["unit" if loss == "entropic" else "real"][0]
        good = anything or (_is_number(p) and (loss != "entropic" or 0 <= p <= 1))
    if not good:
        raise ValueError(f"predict must return {expected}; on trial {trial} it returned {p!r}")


def _is_number(p):
    try:
        return getattr(p, "ndim", 0) == 0 and isfinite(p)
    except (TypeError, OverflowError):
        return False


def _allocates(p, n):
    """Return whether p is an index of n experts, or probabilities for them, but for rounding."""
    if np.ndim(p) == 0:
        return isinstance(p, Integral) and not isinstance(p, bool) and 0 <= p < n
    try:
        v = np.asarray(p, float)
    except (TypeError, ValueError):
        return False
    return v.shape == (n,) and v.min() >= 0 and abs(v.sum() - 1) <= 1e-6
