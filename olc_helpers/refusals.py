"""What is said of learners and data that can't be played: `play` and `checks` refuse them."""

from operator import length_hint
from typing import Any

import numpy as np


def check_learner(learner: Any) -> None:
    """Raise if this can't be played."""
    if isinstance(learner, type):
        name = learner.__name__
        raise TypeError(f"play needs a learner, such as {name}(…); got the class {name} itself")
    methods = ("predict", "update")
    if missing := [name for name in methods if not callable(getattr(learner, name, None))]:
        raise TypeError(
            "a learner has the methods predict(x) and update(x, y); "
            f"{type(learner).__name__} has no {' and no '.join(missing)} "
            "(as_learner plays models of scikit-learn and river)"
        )


def check_room(learner: Any, rows: int, n: int) -> None:
    """Raise if there is no memory for so many rows of n weights."""
    try:
        np.empty((rows, n))
    except (MemoryError, ValueError):
        if hasattr(learner, "w") or hasattr(learner, "log_w"):
            raise MemoryError(
                f"the weights of all trials, {rows:,} x {n:,} numbers, do not fit into memory: play"
                " with keep='last', or with keep='mistakes'"
            ) from None


def refuse_what_hides(name: str, a: Any) -> None:
    """Raise if numpy would read something else than what is there."""
    if hasattr(a, "__next__"):
        raise TypeError(f"{name} must be an array; it is an iterator: pass list({name})")
    if hasattr(a, "tocsr"):
        raise TypeError(f"{name} is sparse, which can't be read here: pass {name}.toarray()")
    if hasattr(a, "filled") and np.any(a.mask):
        where = ", ".join(map(str, np.argwhere(np.broadcast_to(a.mask, a.shape))[0]))
        raise ValueError(
            f"every entry of {name} must be there; {name}[{where}] is masked: leave such rows out,"
            f" or say what they hold by {name}.filled(…)"
        )


def ragged(name: str, a: Any, error: Exception) -> str:
    """Return what is wrong with rows of which numpy makes no array."""
    sizes = [length_hint(row) for row in a]
    odd = next((i for i, size in enumerate(sizes) if size != sizes[0]), 0)
    where = f"{name}[{odd}] has length {sizes[odd]}, {name}[0] {sizes[0]}" if odd else error
    return f"the rows of {name} must be equally long; {where}"


def bad_entry(given: Any, expected: str, index: tuple) -> str:
    """Return what is wrong with an entry of what is `Given`."""
    name, a, space, hint = given.name, given.a, given.space, ""
    index, values = index[: a.ndim], a.data if hasattr(a, "tocsr") else a
    if given.limit < abs(float(a[index])) < np.inf:
        expected = f"{expected}, at most {given.limit:.3g}{' in size' * (space == 'real')}"
        hint = " (with larger ones the numbers of this play could overflow)"
    if space == "bits" and np.isin(values, (-1, 1)).all():
        hint = " (these look like -1/+1 labels: pass (y + 1) // 2)"
    if space == "signs" and np.isin(values, (0, 1)).all():
        hint = " (these look like 0/1 labels: pass 2*y - 1)"
    entry = f"{name}[{', '.join(map(str, index))}]" if index else name
    return f"every entry of {name} must be {expected}; {entry} is {a[index].item()!r}{hint}"
