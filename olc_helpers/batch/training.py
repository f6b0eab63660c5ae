"""From on-line to batch (lecture 16): finite distributions, exact expectations in fractions, and
the leave-one-out error.

A sample is drawn with replacement, and its order matters: S in D^m is a sequence of m examples. A
*hypothesis* is a learner that has finished learning, of which only `predict` is used. A *rule* is a
function of a sample (X, y) that returns one.
"""

import pickle
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..checks import as_array, check_count
from ..protocol import Learner, play
from ..refusals import check_learner

__all__ = [
    "Distribution",
    "Rounds",
    "Trained",
    "distribution",
    "expectation",
    "hypotheses",
    "leave_one_out",
    "one_pass",
    "random_stop",
    "risk",
    "rounds",
    "samples",
    "trained",
    "until_consistent",
]

PASSES = 10_000  # passes after which training until consistent gives up
SAMPLES = 10**6  # samples that are enumerated at most


class Distribution(NamedTuple):
    """A finite distribution of labelled examples: row x_k with label y_k has the probability p_k, a
    fraction.
    """

    X: np.ndarray
    y: np.ndarray
    p: tuple[Fraction, ...]


class Trained(NamedTuple):
    """What training on a sample gives: the hypothesis, the mistakes of all passes, and which
    examples caused one.
    """

    hypothesis: Any
    mistakes: int
    updated: np.ndarray


class Rounds(NamedTuple):
    """T rounds of a learner on a distribution: E[R(h_t)] and the law {mistakes: probability} of
    M_t, both for t = 0 … T.
    """

    risks: list[Fraction]
    laws: list[dict[int, Fraction]]


def distribution(X: ArrayLike, y: ArrayLike, p: Sequence | None = None) -> Distribution:
    """Return the distribution of the rows of X with labels y; the probabilities p are fractions or
    texts like "4/5".

    Without p all rows are equally likely.
    """
    X, y = as_array("X", X), as_array("y", y)
    if X.shape[:1] != y.shape or y.size == 0:
        raise ValueError(
            "X and y must have one row per example, at least one; their shapes are"
            f" {X.shape} and {y.shape}"
        )
    p = tuple(map(Fraction, [Fraction(1, len(X))] * len(X) if p is None else p))
    if len(p) != len(X):
        raise ValueError(
            f"p must have one probability per row of X; it has {len(p)}, X has {len(X)} rows"
        )
    if min(p) < 0 or sum(p) != 1:
        raise ValueError(
            f"p must be probabilities >= 0 with sum 1, exactly; the smallest is {min(p)}, the sum"
            f" {sum(p)} (give fractions such as '4/5': a float like 0.8 is not 4/5)"
        )
    return Distribution(X, y, p)


def samples(D: Distribution, m: int) -> Iterator[tuple[Fraction, np.ndarray, np.ndarray]]:
    """Yield (probability, X, y) for every sample of m examples, in order."""
    if len(D.p) ** m > SAMPLES:
        raise ValueError(
            f"m = {m} gives {len(D.p)}^{m} samples, too many to enumerate; at most {SAMPLES} are"
            " tried"
        )
    for chosen in map(list, product(range(len(D.p)), repeat=m)):
        yield prod((D.p[k] for k in chosen), start=Fraction(1)), D.X[chosen], D.y[chosen]


def expectation(D: Distribution, m: int, f: Callable) -> Fraction:
    """Return E[f(X, y)] over samples of m examples, exactly, by enumeration."""
    return sum((p * Fraction(f(X, y)) for p, X, y in samples(D, m)), Fraction(0))


def risk(hypothesis: Learner, D: Distribution) -> Fraction:
    """Return R(h), the probability that the hypothesis errs on one more example (LOO-L1)."""
    return sum((p for x, y, p in zip(*D, strict=True) if hypothesis.predict(x) != y), Fraction(0))


def trained(learner: Learner, X: ArrayLike, y: ArrayLike, consistent: bool = False) -> Trained:
    """Return what a copy of the learner becomes by one pass over the sample, or by passes until one
    has no mistake.
    """
    learner, y = deepcopy(learner), np.asarray(y)
    if len(y) == 0:
        return Trained(learner, 0, np.zeros(0, bool))
    run = play(
        learner,
        X,
        y,
        epochs=PASSES if consistent else 1,
        until_consistent=consistent,
        progress=False,
    )
    if consistent and run.mistakes_per_pass[-1]:
        raise ValueError(
            f"{type(learner).__name__} still errs after {PASSES} passes: nothing it can learn fits"
            " the sample"
        )
    updated = np.asarray(run.mistake.reshape(-1, len(y)).any(axis=0))
    return Trained(learner, run.mistakes, updated)


def one_pass(learner: Learner) -> Callable:
    """Return the rule that plays a copy of the learner once over the sample."""
    return lambda X, y: trained(learner, X, y).hypothesis


def until_consistent(learner: Learner) -> Callable:
    """Return the rule that repeats passes of a copy of the learner until one has no mistake."""
    return lambda X, y: trained(learner, X, y, consistent=True).hypothesis


def leave_one_out(rule: Callable, X: ArrayLike, y: ArrayLike) -> np.ndarray:
    """Return for each example whether the hypothesis of all *others* errs on it; the mean is R_loo
    (LOO-D1).
    """
    X, y = np.asarray(X), np.asarray(y)
    if not callable(rule) or X.shape[:1] != y.shape:
        raise ValueError(
            "leave_one_out needs a function rule(X, y) and one label a row;"
            f" got {rule!r}, {X.shape} and {y.shape}"
        )
    others = ~np.eye(len(y), dtype=bool)
    return np.array(
        [
            rule(X[keep], y[keep]).predict(x) != label
            for keep, x, label in zip(others, X, y, strict=True)
        ]
    )


def hypotheses(learner: Learner, X: ArrayLike, y: ArrayLike) -> list:
    """Return h_0, h_1, …, h_m: copies of the learner before the first example and after each
    one.
    """
    check_learner(learner)
    copies = [deepcopy(learner)]
    for x, label in zip(np.asarray(X), np.asarray(y), strict=True):
        copies.append(deepcopy(copies[-1]))
        copies[-1].update(x, label)
    return copies


def rounds(learner: Learner, D: Distribution, T: int) -> Rounds:
    """Return the exact risks E[R(h_t)] and the laws of the mistakes M_t in t rounds, t = 0 … T
    (O2B-P1).

    h_t has learned from t examples, so E[R(h_t)] is also the probability of a mistake in round t +
    1. Not all sequences are enumerated: those that lead a learner to the same attributes and the
    same number of mistakes are joined, and what an example does to a learner is found out once.
    """
    if any(isinstance(a, np.random.Generator) for a in vars(learner).values()):
        raise ValueError(f"learner must be deterministic; {type(learner).__name__} draws at random")

    @cache
    def learnt(look):
        """What each example does to the learner of these attributes: a mistake, new attributes."""
        results = []
        for x, y in zip(D.X, D.y, strict=True):
            new = deepcopy(looks[look])
            wrong = bool(new.predict(x) != y)
            new.update(x, y)
            results.append((wrong, pickle.dumps(vars(new))))
            looks[results[-1][1]] = new
        return results

    start = pickle.dumps(vars(learner))
    looks, states = {start: learner}, {(start, 0): 1}  # by attributes and mistakes
    unit = lcm(*(q.denominator for q in D.p))  # at time t all are multiples of unit ** -t
    units = [int(q * unit) for q in D.p]
    risks, laws = [], []
    for t in range(check_count("T", T) + 1):
        expected: int = 0
        after: dict[tuple[bytes, int], int] = {}
        law: dict[int, int] = {}
        for (look, mistakes), p in states.items():
            law[mistakes] = law.get(mistakes, 0) + p
            for (wrong, new), q in zip(learnt(look), units, strict=True):
                expected += p * q * wrong
                key = new, mistakes + wrong
                after[key] = after.get(key, 0) + p * q
        risks.append(Fraction(expected, unit ** (t + 1)))
        laws.append({mistakes: Fraction(p, unit**t) for mistakes, p in law.items()})
        states = after
    return Rounds(risks, laws)


def random_stop(learner: Learner, D: Distribution, m: int, first: int = 0) -> Fraction:
    """Return the error of the hypothesis h_t for t drawn uniformly from first, …, first + m - 1
    (O2B-T1), exactly.
    """
    return sum(rounds(learner, D, first + check_count("m", m)).risks[first:-1], Fraction(0)) / m
