"""How large numbers may be so that nothing overflows in a play; `checks` refuses larger ones."""

import numpy as np

LARGEST = float(np.finfo(float).max)


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
