"""Streams whose best expert changes (lecture 15), and one on which Fixed Share's bound is exact."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Seed, check_count, check_range, generator
from ..optional import needed_for
from .sequences import count_sequences

# Four trials of four experts with real-valued advice (SHIFT-E1): advice, what the master said, what
# happened.
FOUR_MODELS = (
    np.array([[0.5, 0.75, -1.5, 0.75], [3, -1.5, 3, -1.3], [2, -1, 2, 1.5], [1, -2, -4, 1.5]]),
    np.array([0, 1.5, 1.5, 0.75]),
    np.array([0.75, -1.5, 2, 1]),
)


def _starts(T, k, starts):
    """Return the trials, from 0, on which a new segment begins: k of them, evenly spread unless
    they are given.
    """
    starts = (
        np.arange(1, k + 1) * T // (k + 1) if starts is None else np.sort(np.asarray(starts, int))
    )
    if len(starts) and not (0 < starts[0] and starts[-1] < T and (np.diff(starts) > 0).all()):
        raise ValueError(
            f"starts must be different trials from 1 to T - 1 = {T - 1}; got {starts.tolist()}"
        )
    return starts


def shifting_experts(
    T: int = 800,
    n: int = 64,
    k: int = 3,
    rng: Seed = 0,
    *,
    typical: float = 1 / 12,
    best: float = 1 / 120,
    outcome: float = 0.0,
    starts: ArrayLike | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (X, y, sequence): the outcome is constant, and in each of k + 1 segments one expert is
    better (SHIFT-X1).

    Advice is uniform around the outcome, from 0 up for outcome 0; its square loss is `typical` on
    average, and `best` for the expert that the sequence names. New segments begin on the trials
    `starts`, counted from 0.
    """
    rng, n = generator(rng), check_count("n", n)
    first = _starts(check_count("T", T), k, starts)
    if n < 2 and len(first):
        raise ValueError("n must be at least 2: a shift needs another expert; got 1")
    # Never the same twice in a row.
    experts = np.cumsum(np.append(rng.integers(n), rng.integers(1, max(n, 2), len(first)))) % n
    sequence = np.repeat(experts, np.diff(np.concatenate([[0], first, [T]])))
    width = np.full((T, n), np.sqrt(3 * typical))
    width[np.arange(T), sequence] = np.sqrt(3 * best)
    X = outcome + width * (rng.random((T, n)) if outcome == 0 else rng.uniform(-1, 1, (T, n)))
    if X.min() < 0 or X.max() > 1:
        raise ValueError(
            f"advice must stay in [0, 1]; around the outcome {outcome:g} a loss of {typical:.4g}"
            f" needs advice from {X.min():.3g} to {X.max():.3g}"
        )
    return X, np.full(T, float(outcome)), sequence


def packet_gaps(
    T: int = 600, n: int = 11, rng: Seed = 0, noise: float = 0.08
) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): gaps between packets of a link that is busy, quiet or idle in turn, and n
    constant forecasts (SHIFT-C2).

    A gap from 0.1 ms to 10 s is written as a number in [0, 1]: 0.1 ms is 0, each factor of 10 adds
    0.2.
    """
    T, n, rng = check_count("T", T), check_count("n", n), generator(rng)
    noise = check_range("noise", noise, lambda s: s >= 0, "a number >= 0")
    lengths = np.diff(np.round(np.linspace(0, T, 6)).astype(int))
    gaps = np.repeat([0.2, 0.7, 0.2, 0.9, 0.4], lengths) + noise * rng.standard_normal(T)
    return np.tile(np.linspace(0, 1, n), (T, 1)), np.clip(gaps, 0, 1)


def trading_volume(
    levels: int = 10, windows: Sequence[int] = (1, 5, 20, 60)
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (X, y, dates): how much Google stock was traded each day from 2004 to 2008, and
    forecasts made the day before.

    The series comes with matplotlib. A volume is written as a number in [0, 1]: a million shares is
    0, a hundred million is 1. The experts are constant `levels`, then the means of the last days,
    as many as `windows` says or as there are.
    """
    with needed_for("reading the trading volume"):
        from matplotlib.cbook import get_sample_data
    sample: Any = get_sample_data("goog.npz")
    with sample as file:
        days = file["price_data"]
    volume = (np.log10(days["volume"]) - 6) / 2
    total, today = np.concatenate([[0], np.cumsum(volume)]), np.arange(1, len(volume))
    means = [
        (total[today] - total[np.maximum(today - m, 0)]) / np.minimum(today, m) for m in windows
    ]
    constants = np.tile((np.arange(levels) + 0.5) / max(levels, 1), (len(today), 1))
    return np.column_stack([constants, *means]), volume[1:], days["date"][1:]


# A stream that makes a bound sharp ----------------------------------------------------------------


def sharp_share(T: int = 30, n: int = 5, k: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (X, y, sequence) on which Fixed Share with the entropic loss and eta = 1 has the
    regret of its bound, for every alpha (TIGHT-12).

    The label is always 1. The expert of the sequence says 1, all others 0: only one sequence of
    experts survives, so the loss of the mixture is ln(1/prior) of that sequence.
    """
    if check_count("n", n) < 2:
        raise ValueError("n must be at least 2: Fixed Share needs another expert; got 1")
    count_sequences(T, n, k)  # k must fit into T
    sequence = np.arange(T) * (k + 1) // T % n
    return np.eye(n)[sequence], np.ones(T), sequence
