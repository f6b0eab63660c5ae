"""Labelled vectors for the linear classifiers of lectures 06 to 10; labels are -1 and +1.

After the tables and random streams come those that are as bad for the Perceptron as its theorem
allows, or worse if a hypothesis fails (lecture 07).
"""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Seed, check_count, check_range, check_values, generator
from ..experts.worst_cases import WorstCase
from .margins import max_margin

# Ten points in the plane that a line through the origin separates (PERC-E1): the Perceptron updates
# five times in two passes.
TEN_POINTS = (
    np.array(
        [[-4, 8], [7, 2], [7, 7], [4, 9], [-9, 2], [-1, -6], [0, 8], [-6, 0], [-4, 3], [0, -10]]
    ),
    np.array([-1, 1, 1, 1, -1, -1, 1, -1, -1, -1]),
)

# Four points without labels, for the game in which the reader plays nature.
FOUR_POINTS = np.array([[6, 2], [3, 2], [-6, 2], [1, 6]])

# Exclusive or on {-1, +1}² (PERC-E2): +1 if the two coordinates differ.
XOR = (np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]]), np.array([-1, 1, 1, -1]))


def planted_margin(
    T: int, v: ArrayLike, gamma: float, rng: Seed = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): T random vectors of length 1 that v / ‖v‖ separates with a margin of at least
    gamma (PERC-D1).

    The distances to the hyperplane v·x = 0 are uniform in [gamma, 1], the labels fair coins.
    """
    v = check_values("v", v, "real") + 0.0
    gamma = check_range("gamma", gamma, lambda g: 0 <= g <= 1, "in [0, 1]")
    if v.ndim != 1 or len(v) < 2 or not v.any():
        raise ValueError(f"v must be a vector of at least 2 numbers, not all 0; got {v.tolist()}")
    rng, v = generator(rng), v / np.linalg.norm(v)
    distance, y = rng.uniform(gamma, 1, check_count("T", T)), rng.choice([-1, 1], T)
    aside = rng.standard_normal((T, len(v)))
    aside -= np.outer(aside @ v, v)
    axis = np.eye(len(v))[np.abs(v).argmin()]
    length = np.linalg.norm(aside, axis=1)
    along = length < 1e-9  # drawn in the direction of v: nothing is left
    aside[along] = axis - (axis @ v) * v
    length[along] = np.linalg.norm(aside[along], axis=1)
    aside *= (np.sqrt(1 - distance**2) / length)[:, None]
    aside += np.outer(y * distance, v)
    return aside, y


def off_centre(T: int, gap: float, rng: Seed = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): T points of the square [-1, 1]² with a constant feature, labelled by the line
    0.8x₁ + 0.6x₂ = 0.4.

    No point is nearer to that line than `gap`. The line misses the origin, so there are more
    negative points.
    """
    rng = generator(rng)
    gap = check_range("gap", gap, lambda g: 0 <= g <= 0.5, "in [0, 0.5]")
    X = np.empty((0, 2))
    while len(X) < check_count("T", T):
        more = rng.uniform(-1, 1, (2 * T, 2))
        X = np.concatenate([X, more[np.abs(more @ [0.8, 0.6] - 0.4) >= gap]])
    X = X[:T]
    return np.column_stack([X, np.ones(T)]), np.where(X @ [0.8, 0.6] > 0.4, 1, -1)


def odd_max_bit(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): all of {0,1}^n with a constant feature 1; +1 if the last 1 is at an odd place
    (PERC-C12).

    Places count from 1; the row without a 1 gets the label -1. All numbers are whole, so ties are
    exact.
    """
    bits = np.arange(2 ** check_count("n", n))[:, None] >> np.arange(n) & 1
    last = np.where(bits.any(axis=1), n - bits[:, ::-1].argmax(axis=1), 0)
    return np.column_stack([bits, np.ones(len(bits), int)]), np.where(last % 2 == 1, 1, -1)


# As bad as the theorem allows, or worse -----------------------------------------------------------


def perceptron_worst_case(X: ArrayLike) -> WorstCase:
    """Return the most mistakes that nature can force on the Perceptron with rows of X, repeated and
    labelled at will, as long as a hyperplane through the origin separates what it has shown.

    Depth-first search over everything nature can show. Trials without a mistake change nothing, so
    they are left out, and what can still happen depends only on w and on the examples used so far.
    Novikoff's bound makes the search finite; it is meant for a few rows of small whole numbers.
    """
    rows = check_values("X", X, "real")
    rows = np.concatenate([rows, -rows])

    @cache
    def separable(used):
        try:
            return max_margin(rows[sorted(used)], np.ones(len(used), int)).gamma > 0
        except ValueError:
            return False

    @cache
    def worst(w, used):
        best = 0, ()
        for i, x in enumerate(rows):
            if x @ w <= 0 and separable(used | {i}):
                mistakes, later = worst(tuple((w + x).tolist()), used | {i})
                best = max(best, (1 + mistakes, (i, *later)), key=lambda found: found[0])
        return best

    mistakes, path = worst((0,) * rows.shape[1], frozenset())
    y = np.where(np.array(path) < len(rows) // 2, 1, -1)
    return WorstCase(mistakes, y[:, None] * rows[list(path)], y)


def orthonormal(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): the n unit vectors, on each of which the Perceptron errs; n = (R/gamma)²
    (TIGHT-6).

    Here R = 1 and the largest margin is 1/√n, by v = (1, …, 1)/√n.
    """
    return np.eye(check_count("n", n)), np.ones(n, int)


def perpendicular(gaps: Sequence[float] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): unit vectors x_t in R³ with v·x_t = gaps[t], each at a right angle to the
    Perceptron's w_t, or raise.

    Then the Perceptron errs on every trial and ‖w‖² grows by 1, the most that Novikoff's proof
    allows. In the plane across v, w_t has a part p and x_t must have the part q with p·q = -(w_t·v)
    gaps[t]: there are two such q, or one, or none if v·w_{t+1} would exceed ‖w_{t+1}‖. The angle
    exceeds 90° by a hair, so that no rounding makes it less.
    """
    X, w = np.empty((len(gaps), 3)), np.zeros(3)
    for t, gap in enumerate(gaps):
        reach = math.sqrt(
            1 - check_range(f"gaps[{t}]", gap, lambda g: 0 <= g <= 1, "in [0, 1]") ** 2
        )
        p = math.hypot(w[0], w[1])
        need = w[2] * gap + 2e-15 * (1 + p) if t else 0.0
        if need > p * reach + 1e-6:
            raise ValueError(
                f"gaps[{t}] = {gap:g} is too large: no unit vector with that gap is at a right"
                " angle to w"
            )
        along = -need / p if p else 0.0
        across = math.sqrt(max(reach**2 - along**2, 0.0))
        direction = w[:2] / p if p else np.array([0.0, 1.0])
        X[t, :2] = along * direction + across * np.array([direction[1], -direction[0]])
        X[t, 2] = gap
        w += X[t]
    return X, np.ones(len(gaps), int)


def sharp_perceptron(gamma: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): unit vectors in R³ with margin gamma on which the Perceptron errs
    floor(1/gamma²) times (TIGHT-6).

    After M mistakes w·v = M gamma and ‖w‖² = M, so the next right angle exists as long as (M+1)²
    gamma² <= M+1.
    """
    gamma = check_range("gamma", gamma, lambda g: 0 < g <= 1, "in (0, 1]")
    return perpendicular(np.full(math.floor(1 / gamma**2 + 1e-9), gamma))


def see_saw(gamma: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): three vectors in the plane, at most 1 long, with margin gamma and 1 +
    floor(1/(2 gamma²)) mistakes (TIGHT-6).

    With c = √(1 - gamma²) they are (a, gamma), then (-c, gamma) and (c, gamma) in turn: the first
    coordinate of w jumps between a and a - c, both nearly c/2 in size. No stream of vectors of the
    plane, at most 1 long and with margin gamma, does better: let a be the size of the first
    coordinate after k >= 1 mistakes. The next mistake needs a c >= k gamma², and leaves a' <= c -
    k gamma²/c. The one after it needs a' c >= (k+1) gamma². Together 2(k+1) gamma² <= 1, and these
    were k + 2 mistakes. (For the second mistake, k = 1, already a <= c gives 2 gamma² <= 1.)
    """
    gamma = check_range("gamma", gamma, lambda g: 0 < g <= 1, "in (0, 1]")
    # Longer by a hair: ties stay ties.
    M, c = (1 + math.floor(1 / (2 * gamma**2) + 1e-9), math.sqrt(1 - gamma**2) * (1 + 1e-12))
    X = np.full((M, 2), gamma)
    X[:, 0] = c * (-1.0) ** np.arange(M)
    X[0, 0] = c / 2 + (-1) ** M * gamma**2 / (2 * c) if M > 1 else 0.0
    return X, np.ones(M, int)


def no_gap(T: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): T unit vectors in R³ with v·x_t = 1/(t+1) > 0, on each of which the Perceptron
    errs (PERC-T4).
    """
    return perpendicular(1 / np.arange(2, check_count("T", T) + 2))


def shrinking(T: int, angle: float = 20.0, ratio: float = 1 / 3) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): T vectors in the plane, of lengths 1, ratio, ratio², …, on each of which the
    Perceptron errs (PERC-C10).

    The first points to the right, the others to the left, all `angle` degrees above the horizon: v
    = (0, 1) separates their directions with the gap sin(angle). If each is a third as long as the
    one before, all later ones together are half as long as the first, too short to turn w round. In
    general it errs for ever if tan²(angle) <= 1 - 2·ratio, so that halving is too slow.
    """
    angle = np.radians(check_range("angle", angle, lambda a: 0 < a < 30, "in (0, 30) degrees"))
    ratio = check_range("ratio", ratio, lambda r: 0 < r < 1, "in (0, 1)")
    lengths = ratio ** np.arange(check_count("T", T))
    if lengths[-1] ** 2 == 0:
        raise ValueError(
            f"T = {T} is too large: the square of the last length, {ratio:g}^{T - 1}, is 0"
        )
    X = np.outer(lengths, [-np.cos(angle), np.sin(angle)])
    X[0, 0] = np.cos(angle)
    return X, np.ones(T, int)
