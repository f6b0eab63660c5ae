"""Tables of which only the entries other than 0 are stored, those of `scipy.sparse`: what differs
when they are read. Who brings one has scipy; nobody else needs it.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


def _locked(a):
    a = a.view()
    a.flags.writeable = False
    return a


def by_rows(name: str, a: Any) -> Any:
    """Return a sparse table as its rows, each entry once and in order, or say what is wrong."""
    a = a.tocsr()
    try:
        a.check_format(full_check=True)
    except ValueError as error:
        raise ValueError(f"{name} is no valid table of scipy.sparse: {error}") from None
    if not a.has_canonical_format:
        a = a.copy()
        a.sum_duplicates()
    return a


def row(X: Any, t: int) -> np.ndarray:
    """Return row t of a sparse table with all its entries; it can't be written to."""
    x, part = np.zeros(X.shape[1], X.dtype), slice(X.indptr[t], X.indptr[t + 1])
    x[X.indices[part]] = X.data[part]
    return _locked(x)


def place(a: Any, k: int) -> tuple[int, int]:
    """Return row and column of the stored number k."""
    return int(np.searchsorted(a.indptr, k, side="right")) - 1, int(a.indices[k])


def own(a: Any, large: int) -> Any:
    """Return a read-only copy of rows, or a view of large ones."""
    own = type(a)(a, copy=a.data.nbytes < large)
    own.data = _locked(own.data)
    return own


def stacked(passes: list) -> Any:
    """Return the rows of several sparse tables, one after the other."""
    from scipy.sparse import vstack

    return vstack(passes, format="csr")


def chunks(X: Any, size: int) -> Iterator[tuple[slice, Any, np.ndarray, np.ndarray]]:
    """Yield (trials, bounds, columns, numbers) for parts of about `size` stored numbers: row t of a
    part has those from bounds[t] to bounds[t + 1], as floats.
    """
    start, T = 0, X.shape[0]
    while start < T:
        stop = int(np.searchsorted(X.indptr, X.indptr[start] + size, side="right")) - 1
        stop = min(max(stop, start + 1), T)
        first, last = X.indptr[start], X.indptr[stop]
        bounds = (X.indptr[start : stop + 1] - first).astype(np.int64)
        columns, numbers = X.indices[first:last], np.array(X.data[first:last], float, copy=None)
        yield slice(start, stop), bounds, _locked(columns), _locked(numbers)
        start = stop


class Steps:
    """A holder of weights that changed on some trials of a part: these are learned from once more
    when all weights are asked for.
    """

    def __init__(self, before: tuple, rows: tuple, changed: np.ndarray, learn: Callable):
        self.before, self.rows, self.changed, self.learn = before, rows, changed, learn

    @property
    def w(self) -> np.ndarray:
        """The weights after each trial."""
        bounds, columns, numbers, labels = self.rows
        state = [a.copy() for a in self.before]
        history = np.empty((len(self.changed), len(state[0])))
        for t, changed in enumerate(self.changed):
            if changed:
                part = slice(bounds[t], bounds[t + 1])
                self.learn(columns[part], numbers[part], labels[t], *state)
            history[t] = state[0]
        return history
