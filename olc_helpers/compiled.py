"""Loops that numba compiles, if it is installed: `pip install olc-helpers[fast]`.

Nothing here is needed: without numba the plays take other ways to the same results. Numba is
imported when the plays of this process have so much work that this pays, and never before; after
`compiled.LONG = 0`, with the next play. The machine code is kept on disk, next to the package or,
if that can't be written to, in the user's folder for caches (the variable NUMBA_CACHE_DIR names
another). If there is neither, each process compiles anew.

A compiled sum is added in another order than the plain loop's, so the two may differ by rounding.
They decide alike because a kernel stops where rounding could matter, and is told the score that
the plain loop takes.
"""

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import numpy as np

from .checks import read_only

# Trials or mistakes ahead from which it pays to load numba: as long takes Python for so many.
LONG = 50_000


@cache
def _numba():
    """Return numba, or None if it is not installed or too old for the numpy that is."""
    try:
        import numba
    except ImportError:
        return None
    return numba


class Kernel:
    """A function that is compiled when it is first called; sums may be added in any order."""

    def __init__(self, function: Callable):
        self.function, self.__doc__ = function, function.__doc__
        self.done = 0.0  # trials or mistakes that Python took one by one, in all plays so far

    def pays(self, work: float) -> bool:
        """Return whether to call it for so many trials or mistakes that Python would take one by
        one, after those that it took in this process.
        """
        long = self.done + work >= LONG
        return ("compiled" in vars(self) or long) and _numba() is not None

    def pays_for_all(self, work: float) -> bool:
        """Return whether it pays, if Python takes all else."""
        pays = self.pays(work)
        self.done += 0 if pays else work
        return pays

    def missed(self, work: float) -> None:
        """Count trials or mistakes that Python takes one by one."""
        self.done += work

    @cached_property
    def compiled(self) -> Callable:
        """The function as machine code, from the cache on disk if it is there."""
        try:
            return _numba().njit(cache=True, fastmath={"reassoc"})(self.function)
        except RuntimeError:  # no folder can be written to
            return _numba().njit(fastmath={"reassoc"})(self.function)

    def __call__(self, *arguments: Any) -> Any:
        return self.compiled(*arguments)


def readable(rows: np.ndarray) -> np.ndarray:
    """Return floats as a kernel wants them: in order, and of one type, which is read-only."""
    return read_only(np.require(rows, float, ["C", "A"]))


class Rows:
    """A holder of weights: row `after[t]` of W is w after trial t of a chunk."""

    def __init__(self, W: np.ndarray | list, after: np.ndarray):
        self.W, self.after = W, after

    @classmethod
    def between(cls, W: list, wrong: list[int], T: int) -> "Rows":
        """Return the holder of weights that changed after the trials in `wrong`, of T trials."""
        return cls(W, np.searchsorted(wrong, np.arange(T), side="right"))

    @property
    def w(self) -> np.ndarray:
        return np.asarray(self.W)[self.after]
