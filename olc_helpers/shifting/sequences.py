"""Sequences of experts (lecture 15): who is followed on each trial. A shift is a trial after which
the expert changes.

A sequence is an array of T indices, one expert for each trial; k shifts make k + 1 segments.
"""

from itertools import product
from math import comb
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import indices
from ..checks import as_array, check_count, check_range
from ..experts.learners import WeightedAverage
from ..own_work import answer
from ..protocol import Run, play

__all__ = [
    "all_sequences",
    "best_shift_losses",
    "best_shift_sequence",
    "count_sequences",
    "mixture_of_sequences",
    "log_prior",
    "sequence_loss",
    "shifts",
]

MOST = 10**5  # sequences that are written out


def shifts(sequence: ArrayLike) -> int:
    """Return the number of trials after which the expert changes (SHIFT-D2)."""
    sequence = as_array("sequence", sequence)
    if sequence.ndim != 1:
        raise ValueError(f"sequence must have one expert a trial; its shape is {sequence.shape}")
    return int(np.count_nonzero(np.diff(sequence)))


def sequence_loss(losses: ArrayLike, sequence: ArrayLike) -> float:
    """Return the loss of a sequence of experts: on each trial that of its expert (SHIFT-D2)."""
    losses, _ = _loss_matrix(losses, 0)
    T, n = losses.shape
    sequence = indices("sequence", sequence, n)
    if sequence.shape != (T,):
        raise ValueError(f"sequence must name an expert for each of {T} trials; got {sequence}")
    return float(losses[np.arange(T), sequence].sum())


def _check_shifts(k, T):
    if isinstance(k, bool) or not isinstance(k, Real) or k % 1 != 0 or not 0 <= k < T:
        raise ValueError(
            f"k must be a whole number from 0 to T - 1 = {T - 1}: T trials have no more shifts;"
            f" got {k}"
        )


def _forward(losses, k):
    """Return the least losses of sequences with at most 0 … k shifts that end with each expert, and
    whom they followed before.
    """
    T, n = losses.shape
    least, before = (
        np.tile(losses[0], (k + 1, 1)),
        np.tile(np.arange(n, dtype=np.int32), (T, k + 1, 1)),
    )
    for t in range(1, T):
        best = least[:-1].argmin(axis=1)[:, None]
        shifted = np.take_along_axis(least[:-1], best, axis=1)
        better = shifted < least[1:]
        before[t, 1:] = np.where(better, best, before[t, 1:])
        least[1:] = np.where(better, shifted, least[1:])
        least += losses[t]
    return least, before


def _loss_matrix(losses, k) -> tuple[np.ndarray, int]:
    losses = as_array("losses", losses).astype(float)
    if losses.ndim != 2 or losses.size == 0:
        raise ValueError(
            "losses must have one row per trial and one column per expert; its shape is"
            f" {losses.shape}"
        )
    bad = np.argwhere(~(losses >= 0))
    if len(bad):
        raise ValueError(
            "every loss must be a number >= 0, or infinite; "
            f"losses[{bad[0][0]}, {bad[0][1]}] is {losses[tuple(bad[0])]:g}"
        )
    _check_shifts(k, len(losses))
    return losses, int(k)


def best_shift_losses(losses: ArrayLike, k: int) -> np.ndarray:
    """Return the losses of the best sequences with at most 0, 1, …, k shifts, from a T x n matrix
    of losses (SHIFT-D2).
    """
    least, _ = _forward(*_loss_matrix(losses, k))
    return least.min(axis=1)


def best_shift_sequence(losses: ArrayLike, k: int) -> np.ndarray:
    """Return a sequence of experts of least loss with at most k shifts, by dynamic programming in
    O(T k n) (SHIFT-D2).
    """
    losses, k = _loss_matrix(losses, k)
    least, before = _forward(losses, k)
    sequence = np.full(len(losses), least[k].argmin())
    for t in range(len(losses) - 1, 0, -1):
        sequence[t - 1] = before[t, k, sequence[t]]
        k -= int(sequence[t - 1] != sequence[t])
    return sequence


@answer
def count_sequences(T: int, n: int, k: int) -> int:
    """Return how many sequences of T of n experts have exactly k shifts: C(T-1, k) n (n-1)^k
    (SHIFT-Q1).
    """
    T, n = check_count("T", T), check_count("n", n)
    _check_shifts(k, T)
    return comb(T - 1, int(k)) * n * (n - 1) ** int(k)


@answer
def log_prior(T: int, n: int, k: ArrayLike, alpha: float) -> np.ndarray:
    """Return ln of the prior of a sequence with k shifts, (1/n) (1-alpha)^(T-1-k) (alpha/(n-1))^k
    (SHIFT-P1).
    """
    alpha, k = check_range("alpha", alpha, lambda a: 0 <= a <= 1, "in [0, 1]"), np.asarray(k)
    if check_count("n", n) == 1 or not ((k >= 0) & (k < T)).all():
        raise ValueError(f"k must be from 0 to T - 1 = {T - 1}, and n at least 2; got {k} and {n}")
    stays = T - 1 - k
    with np.errstate(divide="ignore", invalid="ignore"):
        stay, shift = np.log1p(-alpha), np.log(alpha) - np.log(n - 1)
        return np.where(stays > 0, stays * stay, 0.0) + np.where(k > 0, k * shift, 0.0) - np.log(n)


def all_sequences(T: int, n: int) -> np.ndarray:
    """Return all n^T sequences of T of n experts, one a row (SHIFT-Q2)."""
    if check_count("n", n) ** check_count("T", T) > MOST:
        raise ValueError(
            f"n**T must be at most {MOST:,}: so many sequences can be written out; {n}**{T} is"
            f" {n**T:,}"
        )
    return np.array(list(product(range(n), repeat=T)))


def mixture_of_sequences(
    X: ArrayLike,
    y: ArrayLike,
    alpha: float,
    eta: float | None = None,
    loss: str = "square",
    prediction: str = "mean",
) -> Run:
    """Return the Run of Weighted Average whose experts are all n^T sequences, with the prior of
    Fixed Share (SHIFT-Q2).
    """
    X, _ = _loss_matrix(X, 0)
    T, n = X.shape
    sequences = all_sequences(T, n)
    k = np.count_nonzero(np.diff(sequences, axis=1), axis=1)
    learner = WeightedAverage(n**T, eta, loss, prediction, prior=np.exp(log_prior(T, n, k, alpha)))
    return play(learner, X[np.arange(T), sequences].T, y)
