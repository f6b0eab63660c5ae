"""The class that students write (lecture 15): Fixed Share."""

import numpy as np

from ..feedback import TASKS, Task
from .learners import FixedShare
from .theorems import fixed_share_bound


def two_shifts(seed):
    """Four experts; one is near to the label, the others to its opposite, and twice another one
    becomes the good one.
    """
    rng = np.random.default_rng(seed)
    y, sequence = rng.random(41), np.repeat(rng.permutation(4)[:3], [14, 14, 13])
    said = np.where(np.arange(4) == sequence[:, None], y[:, None], y[:, None] < 0.5)
    return 0.9 * said + 0.1 * rng.random((41, 4)), y, {"sequence": sequence}


def any_advice(rng, n, T):
    """Advice of 40 experts at most and labels, anywhere in [0, 1]."""
    arguments = {"eta": float(rng.choice([0.5, 1, 2])), "alpha": float(rng.choice([0.01, 0.25]))}
    return arguments, rng.random((T, min(n, 40))), rng.random(T)


TASKS.update(
    fixed_share=Task(
        lambda n, eta, alpha: FixedShare(n, eta, alpha=alpha),
        {"eta": 0.5, "alpha": 0.05},
        two_shifts,
        any_advice,
        fixed_share_bound,
        "unit",
    )
)
