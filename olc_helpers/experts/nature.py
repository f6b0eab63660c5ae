"""Advice, losses and labels for lectures 01 to 04: streams, and adversaries that watch a learner.

First the tables of the sources and random streams. Then streams that make a bound sharp. Then
adversaries that answer a learner; they return the Run, so that ledgers and figures read it. The
learner that is passed in is copied and never changed.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np

from ..checks import Seed, check_count, check_range, check_values, generator, trait
from ..protocol import Learner, Run, play
from ..refusals import check_learner
from .worst_cases import _budget, _check_bit, _no_draws

# Three days of four forecasters (EXP-E1): advice, what the master said, what happened.
FOUR_FORECASTERS = (
    np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 1]]),
    np.array([0, 1, 1]),
    np.array([1, 0, 1]),
)

# Eight experts and three labels (HALV-E1). The advice of experts that were deleted before does not
# matter; it is 0.
EIGHT_EXPERTS = (
    np.array([[1, 1, 0, 0, 1, 1, 0, 0], [0, 0, 0, 1, 0, 0, 1, 1], [0, 0, 0, 1, 0, 0, 0, 0]]),
    np.array([0, 1, 1]),
)


def noisy_experts(T: int, error: Sequence[float], rng: Seed = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): T fair coin labels, and experts that are wrong independently with
    probabilities `error`.
    """
    rng, error = generator(rng), _chances("error", error)
    y = rng.integers(0, 2, check_count("T", T))
    return np.where(rng.random((T, len(error))) < error, 1 - y[:, None], y[:, None]), y


def _chances(name, p):
    """Return one probability for each expert, or raise."""
    p = check_values(name, p, "unit")
    if p.ndim != 1 or p.size == 0:
        raise ValueError(f"{name} must have one number for each expert; its shape is {p.shape}")
    return p


def one_good_expert(T: int, n: int, rng: Seed = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): n experts that toss coins, one of which, drawn at random, is always right."""
    rng = generator(rng)
    X = rng.integers(0, 2, (check_count("T", T), check_count("n", n)))
    return X, X[:, rng.integers(n)]


def divided_experts(T: int, n: int, rng: Seed = 0) -> np.ndarray:
    """Return X: T rows of advice, drawn at random from those on which the n >= 2 experts do not all
    agree.
    """
    n = check_count("n", n, 2)
    patterns = generator(rng).integers(1, 2**n - 1, check_count("T", T))
    return patterns[:, None] >> np.arange(n) & 1


def forecasts(T: int, n: int, rng: Seed = 0, noise: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y): n forecasts of a probability that wanders, each with its own error up to
    `noise`, and 0/1 labels.
    """
    rng, noise = generator(rng), check_range("noise", noise, lambda s: s >= 0, "a number >= 0")
    p = 0.5 + 0.4 * np.sin(np.arange(check_count("T", T)) / 15 + rng.uniform(0, 2 * np.pi))
    spread = np.linspace(0.02, noise, check_count("n", n))
    X = np.clip(p[:, None] + spread * rng.standard_normal((T, n)), 0.01, 0.99)
    return X, (rng.random(T) < p).astype(int)


def coin_losses(T: int, means: Sequence[float], rng: Seed = 0) -> np.ndarray:
    """Return a T x n matrix of losses 0 or 1: expert i loses with probability means[i] on each
    trial.
    """
    means = _chances("means", means)
    return (generator(rng).random((check_count("T", T), len(means))) < means).astype(float)


# Streams that make a bound sharp ------------------------------------------------------------------


def sharp_entropic(n: int, T: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) on which Weighted Average with the entropic loss has regret ln n - ln(1 +
    (n-1)/2^T) (TIGHT-4).

    The label is always 1; one expert says 1, the others 1/2. The regret tends to the bound ln n.
    """
    X = np.full((check_count("T", T), check_count("n", n)), 0.5)
    X[:, 0] = 1
    return X, np.ones(T)


def sharp_square(n: int, eps: float, eta: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) on which Weighted Average with the square loss has regret -> (ln n)/eta as eps
    -> 0 (TIGHT-4).

    The label is always 1; one expert says a + eps, the others a = 1 - 1/sqrt(2 eta). There e^(-eta
    (1-x)²) has its inflection point, so averaging the experts loses O(eps³) per trial, and after T
    = O(1/eps) trials all weight is on the best one (the others share 1e-9). eta = 1/2 is for the
    mean (a = 0), eta = 2 for Vovk's rule (a = 1/2).
    """
    n = check_count("n", n)
    eta = check_range("eta", eta, lambda e: 0.5 <= e < math.inf, "a finite number >= 1/2")
    a = 1 - 1 / math.sqrt(2 * eta)
    eps = check_range("eps", eps, lambda e: 0 < e <= 1 - a, f"in (0, {1 - a:g}]")
    T = math.ceil(math.log(1e9 * n) / (eta * ((1 - a) ** 2 - (1 - a - eps) ** 2)))
    X = np.full((T, n), a)
    X[:, 0] = a + eps
    return X, np.ones(T)


def sharp_hedge(T: int, eta: float, parts: int = 1) -> np.ndarray:
    """Return the T x 2 losses, multiples of 1/parts, on which Hedge has the largest regret
    (TIGHT-5).

    The first expert loses x, then the second and the first lose 1 in turn, then the one that is
    behind loses until the end. Why: let D_t be the gap of the experts' losses before trial t, with
    its sign. Hedge's regret is (|D_{T+1}| - sum_t tanh(eta D_t/2) (D_{t+1} - D_t)) / 2. A zigzag
    between x and x - 1 earns (tanh(eta x/2) + tanh(eta (1-x)/2)) / 2 in two trials.

    Exact for parts = 1, the losses 0 and 1: let p(d) = 1/(1 + e^(eta d)) be Hedge's share of the
    one behind. A trial that widens the gap from d brings regret p(d), one that closes it from d+1
    brings -p(d+1), any other 0. Two such trials bring p(d) - p(d+1), most at d = 0 because p is
    convex there; the trials without a partner widen the gap from 0. For more parts no proof is
    known here: `hedge_worst_case(2, T, eta, parts)` searches all of these losses, and wherever the
    tests compare the two, it finds no more.
    """
    eta = check_range("eta", eta, lambda e: 0 < e < math.inf, "a finite number > 0")
    T, parts = check_count("T", T), check_count("parts", parts)
    x, turns = np.arange(1, parts + 1)[:, None] / parts, np.arange(T)
    climb, odd = T - 1 - turns, turns % 2 == 1

    def drag(gap):
        """What a climb from this gap loses in 0, 1, … trials."""
        steps = np.tanh(eta * (gap + np.arange(T - 1)) / 2)
        return np.hstack([np.zeros((parts, 1)), np.cumsum(steps, axis=1)])[:, climb]

    zigzag = (turns + 1) // 2 * np.tanh(eta * x / 2) + turns // 2 * np.tanh(eta * (1 - x) / 2)
    regret = zigzag + np.where(odd, 1 - x - drag(1 - x), x - drag(x)) + climb
    k, z = np.unravel_index(regret.argmax(), regret.shape)
    losses = np.zeros((T, 2))
    losses[0, 0] = x[k, 0]
    losses[np.arange(1, z + 1), np.arange(1, z + 1) % 2] = 1
    losses[z + 1 :, z % 2] = 1
    return losses


def erring_in_turn(n: int, cycles: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) with label 0 on which expert 1, 2, …, n, 1, 2, … is the only wrong one
    (E0-01).
    """
    n, cycles = check_count("n", n), check_count("cycles", cycles)
    return np.tile(np.eye(n, dtype=int), (cycles, 1)), np.zeros(n * cycles, int)


# Adversaries that watch a learner -----------------------------------------------------------------


class Opponent:
    """Nature that answers a label that the learner did not predict, and then chooses the next x.

    `trial(x)` shows x to a copy of the learner and returns the label; `run()` returns the Run of
    another copy on the trials so far. A learner that draws at random is copied with its generator:
    nature sees the draws. (Where all x are known before, `play` with a function for y is enough.)
    """

    @staticmethod
    def other_label(learner: Learner, x: Any, prediction: Any) -> int:
        """Return a label that the learner did not predict on x."""
        if trait(learner, "labels") == "signs":
            return -1 if prediction > 0 else 1
        return 1 - _check_bit(learner, x, prediction)

    def __init__(self, learner: Learner, n: int | None = None):
        check_learner(learner)
        if n is not None and trait(learner, "n") not in (None, n):
            raise ValueError(f"learner.n must be {n}, as nature's; it is {trait(learner, 'n')}")
        self.learner, self.rival = learner, deepcopy(learner)
        self.X: list[Any] = []
        self.y: list[int] = []

    def trial(self, x: Any) -> int:
        """Return the label of the next trial, on which the learner is shown x."""
        y = self.other_label(self.rival, x, self.rival.predict(x))
        self.rival.update(x, y)
        self.X.append(x)
        self.y.append(y)
        return y

    def run(self) -> Run:
        """Return the Run of the learner on the trials so far."""
        return play(deepcopy(self.learner), np.array(self.X), np.array(self.y))


def split_in_half(learner: Learner, n: int) -> Run:
    """Return the Run against nature that splits the perfect experts in half until one is left
    (HALV-Q2).

    The learner errs on every trial and at least half of the perfect experts, rounded down, stay
    perfect: every deterministic learner errs floor(lg n) times or more although one expert is
    perfect. The other experts say 0.
    """
    if check_count("n", n) < 2:
        raise ValueError(f"n must be at least 2, or there is nothing to split; got {n}")
    nature, perfect = Opponent(learner, n), np.arange(n)
    while len(perfect) > 1:
        x = np.zeros(n, int)
        x[perfect[: len(perfect) // 2]] = 1
        y = nature.trial(x)
        perfect = perfect[x[perfect] == y]
    return nature.run()


def contrary(learner: Learner, T: int) -> Run:
    """Return the Run of T trials with two experts, always 0 and always 1, and the label not
    predicted (WM-C3, RWMA-C2).

    The learner errs T times. One of the experts is right whenever the other is wrong, so the best
    errs at most floor(T/2) times: the regret of every deterministic learner is at least T/2. A
    randomised learner does not escape from nature that sees its draws; on the stream of this Run,
    but with other draws, it errs about T/2 times.
    """
    advice = np.tile([0, 1], (check_count("T", T), 1))
    return play(deepcopy(learner), advice, partial(Opponent.other_label, learner))


def greedy(learner: Learner, n: int, budget: int) -> Run:
    """Return the Run against nature that makes Weighted Majority err on every trial with few wrong
    experts (E0-01).

    The label is 0. The experts with the fewest mistakes so far say 1, as few of them as it takes;
    when that would bring every expert above the budget, the best one is spared. No exact worst
    case, but good for thousands of experts.
    """
    _no_draws(learner)
    nature, errors = Opponent(learner, n), np.zeros(check_count("n", n), int)
    budget = _budget(budget)

    def advice(k, order):
        x = np.zeros(n, int)
        x[order[:k]] = 1
        return x

    def smallest(order):
        return advice(
            1 + bisect_left(range(1, n), 1, key=lambda k: nature.rival.predict(advice(k, order))),
            order,
        )

    while True:
        order = errors.argsort(kind="stable")
        x = smallest(order)
        if (errors + x).min() > budget:
            x = smallest(np.roll(order, -1))
        if (errors + x).min() > budget:
            return nature.run()
        if nature.trial(x) == 1:
            raise ValueError(
                f"learner must follow a majority; {type(learner).__name__} predicts 0 on"
                f" {x.tolist()}"
            )
        errors += x


def c_regret(run: Run, c: float) -> float:
    """Return L_A - c min_i L_i (WM-Q1).

    On `contrary(learner, T)` it is at least (1 - c/2) T for every deterministic learner: linear in
    T for c < 2.
    """
    return run.total_loss - check_range("c", c, np.isfinite, "a finite number") * run.best_loss
