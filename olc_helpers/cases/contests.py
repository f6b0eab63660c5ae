"""The contests of lecture 20: learners of the course and plain rivals on real data, in many orders.

Independent orders have independent seeds, [20, k] for order k.
"""

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from .. import streams
from ..arguments import examples
from ..checks import check_count, check_range, check_values
from ..games.boosting import boost, vote
from .nature import character_names

__all__ = [
    "digit_contest",
    "digit_neighbours",
    "forecast_by_regression",
    "logistic",
    "mean_and_error",
    "name_race",
    "nearest",
    "one_pass",
    "orders",
    "percent",
    "tumour_contest",
]

LEARNED = 1200  # digits to learn from; the other 597 are the test
SAMPLE = 379  # tumours, likewise; the other 190 are the test
JUNK = (0, 16, 64, 256)  # coins added to each name
QUESTIONS = {  # what to ask about a character, and the kinds that answer yes
    "a capital letter?": ("Lu",),
    "a letter?": ("Lu", "Ll", "Lt", "Lm", "Lo"),
}


@cache
def orders(size: int, runs: int = 20) -> np.ndarray:
    """Return random orders of `size` things, a row each."""
    size, runs = check_count("size", size), check_count("runs", runs)
    return np.array([np.random.default_rng([20, k]).permutation(size) for k in range(runs)])


def mean_and_error(runs: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean over independent runs, a row each, and its standard error."""
    runs = check_values("runs", runs, "real")
    if runs.ndim == 0 or len(runs) < 2:
        raise ValueError(f"runs must have at least 2 rows, one a run; its shape is {runs.shape}")
    return runs.mean(axis=0), runs.std(axis=0, ddof=1) / np.sqrt(len(runs))


def percent(shares: ArrayLike) -> str:
    """Return the mean of some shares and its standard error in percent, as "6.3 ± 0.2"."""
    mean, error = mean_and_error(shares)
    return f"{100 * mean:.1f} ± {100 * error:.1f}"


# Plain rivals -------------------------------------------------------------------------------------


def nearest(X: np.ndarray, labels: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return for each new row the label of the nearest old one."""
    return labels[((X**2).sum(axis=1) - 2 * new @ X.T).argmin(axis=1)]


def logistic(X: np.ndarray, y: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return the labels -1 or +1 that logistic regression gives to new rows.

    Features are scaled to the mean 0 and the deviation 1, the weights are those with the least sum
    of log losses and half their squared length, the bias apart; Newton's method finds them.
    """
    X, y = examples(X, y)
    centre, spread = X.mean(axis=0), X.std(axis=0)
    rows, new_rows = (np.insert((each - centre) / spread, 0, 1, axis=1) for each in (X, new))
    w, decay = np.zeros(rows.shape[1]), np.diag(np.append(0.0, np.ones(X.shape[1])))
    for _ in range(20):
        doubt = 1 / (1 + np.exp(y * (rows @ w)))  # probability of the wrong label
        slope = decay @ w - rows.T @ (y * doubt)
        curvature = decay + (rows.T * (doubt * (1 - doubt))) @ rows
        w = w - np.linalg.solve(curvature, slope)
    return np.where(new_rows @ w > 0, 1, -1)


def forecast_by_regression(X: np.ndarray, y: np.ndarray, decay: float = 0.1) -> np.ndarray:
    """Return a forecast in [0, 1] for each day, by least squares on the days before it."""
    X, y = examples(X, y, labels="real")
    rows = np.insert(X, 0, 1, axis=1)
    A, b, said = decay * np.eye(rows.shape[1]), np.zeros(rows.shape[1]), []
    for x, label in zip(rows, y, strict=True):
        said.append(x @ np.linalg.solve(A, b))
        A, b = A + np.outer(x, x), b + label * x
    return np.clip(said, 0, 1)


# Handwritten digits -------------------------------------------------------------------------------


def one_pass(X: np.ndarray, digit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights before each trial and after the last of a Perceptron with a row of weights
    for each of ten digits, and the trials on which it errs.
    """
    W, mistake = np.zeros((len(X) + 1, 10, X.shape[1])), np.zeros(len(X), bool)
    for t, (x, right) in enumerate(zip(X, digit, strict=True)):
        said = (W[t] @ x).argmax()
        W[t + 1] = W[t]
        mistake[t] = said != right
        if mistake[t]:
            W[t + 1, right] += x
            W[t + 1, said] -= x
    return W, mistake


def _vote(W, mistake, new):
    """Return how many of the vectors before a trial vote for each digit, on each new row."""
    starts = np.append(0, np.flatnonzero(mistake) + 1)
    lives, votes = np.diff(np.append(starts, len(mistake))), np.zeros((len(new), 10))
    for start, life in zip(starts, lives, strict=True):
        votes[np.arange(len(new)), (new @ W[start].T).argmax(axis=1)] += life if life > 0 else 0
    return votes


@cache
def digit_contest(runs: int = 20) -> dict[str, np.ndarray]:
    """Return the share of errors in each order of the digits: on the stream, and on the test of the
    last vectors, the vote, the average and the nearest neighbour.
    """
    X, digit = streams.digits()
    found: dict[str, list[float]] = {
        name: [] for name in ("stream", "last", "voted", "averaged", "nearest neighbour")
    }
    for order in orders(len(X), runs):
        known, new = order[:LEARNED], order[LEARNED:]
        W, mistake = one_pass(X[known], digit[known])
        votes = _vote(W, mistake, X[new])
        said = (X[new] @ W[-1].T, votes, X[new] @ W.sum(axis=0).T)
        wrong = [(scores.argmax(axis=1) != digit[new]).mean() for scores in said]
        wrong.append((nearest(X[known], digit[known], X[new]) != digit[new]).mean())
        for name, share in zip(found, [mistake.mean(), *wrong], strict=True):
            found[name].append(share)
    return {name: np.array(shares) for name, shares in found.items()}


@cache
def digit_neighbours(cuts: int = 20) -> np.ndarray:
    """Return the share of errors on 597 digits that stand together in the file, wherever the file
    is cut, of the average and of the nearest neighbour, learned from the others (cuts x 2).
    """
    X, digit = streams.digits()
    found = []
    for k in range(cuts):
        turned = np.roll(np.arange(len(X)), -(k * len(X)) // cuts)
        known, new = (
            np.random.default_rng([20, k, 2]).permutation(turned[:LEARNED]),
            turned[LEARNED:],
        )
        average = one_pass(X[known], digit[known])[0].sum(axis=0)
        said = (X[new] @ average.T).argmax(axis=1), nearest(X[known], digit[known], X[new])
        found.append([(each != digit[new]).mean() for each in said])
    return np.array(found)


# Names as documents -------------------------------------------------------------------------------

names_of_characters = cache(character_names)


@cache
def _coins(junk, T, runs):
    """Return the coins that are tossed for each name (T x runs x junk)."""
    if not junk:
        return np.zeros((T, runs, 0))
    seeds = ([20, k, junk] for k in range(runs))
    tossed = [np.random.default_rng(seed).integers(0, 2, (T, junk)) for seed in seeds]
    return np.array(tossed, float).swapaxes(0, 1)


@cache
def name_race(
    question: str = "a capital letter?",
    junk: int = 0,
    T: int = 1000,
    runs: int = 20,
    threshold: float | None = None,
) -> np.ndarray:
    """Return how often Winnow and the Perceptron with a bias err on the first T names in each
    order, and how often the label is yes (runs x 3). The question may also be a word: whether the
    name has it. Winnow's threshold is its number of features, if none is given.

    `junk` fair coins that have nothing to do with the label are further features of each name. All
    orders are played side by side; sums of powers of 2 and of whole numbers are exact.
    """
    rows, kinds, words = names_of_characters()
    n, label = len(words), np.isin(kinds, QUESTIONS.get(question, ()))
    if question not in (*QUESTIONS, *words):
        raise ValueError(f"question must be one of {[*QUESTIONS]} or a word; got {question!r}")
    if question not in QUESTIONS:
        label = (rows == words.index(question)).any(axis=1)
    drawn = orders(len(rows), runs)[:, :T]
    limit = n + junk if threshold is None else threshold
    w, v = np.ones((runs, n + 1 + junk)), np.zeros((runs, n + 1 + junk))
    first = (n + 1 + junk) * np.arange(runs)[:, None]  # where the weights of a run begin
    w[:, n], bias, made = 0, np.zeros(runs), np.zeros((runs, 2), int)  # n fills rows up
    for names, ticks in zip(drawn.T, _coins(junk, T, runs), strict=True):
        x, yes = rows[names], label[names]
        alarm = w.take(x + first).sum(axis=1) + np.vecdot(w[:, n + 1 :], ticks) >= limit
        for i in np.flatnonzero(alarm != yes):
            w[i, x[i]] *= 2.0 if yes[i] else 0.5
            w[i, n + 1 :] *= (2.0 if yes[i] else 0.5) ** ticks[i]
        sign = np.where(yes, 1, -1)
        score = v.take(x + first).sum(axis=1) + np.vecdot(v[:, n + 1 :], ticks) + bias
        for i in np.flatnonzero(sign * score <= 0):
            v[i, x[i]] += sign[i]
            v[i, n] = 0
            v[i, n + 1 :] += sign[i] * ticks[i]
            bias[i] += sign[i]
            made[i, 1] += 1
        made[:, 0] += alarm != yes
    return np.column_stack([made, label[drawn].sum(axis=1)])


# Tumours ------------------------------------------------------------------------------------------


@cache
def tumour_contest(noise: float = 0.0, rounds: int = 100, runs: int = 20) -> dict[str, np.ndarray]:
    """Return the share of errors in each order of the tumours: AdaBoost's after 1 … `rounds`
    stumps, in its sample, the bound on that, and on the test, where logistic regression and always
    "benign" are tried, too. Each label to learn from is flipped with probability `noise`, no label
    of the test is.
    """
    X, y = streams.tumours()
    check_range("noise", noise, lambda p: 0 <= p <= 1, "in [0, 1]")
    found: dict[str, list] = {
        name: [] for name in ("sample", "bound", "AdaBoost", "logistic regression", "always benign")
    }
    for k, order in enumerate(orders(len(X), runs)):
        known, new = order[:SAMPLE], order[SAMPLE:]
        flipped = np.random.default_rng([20, k, 1]).random(SAMPLE) < noise
        labels = np.where(flipped, -y[known], y[known])
        rules, losses = boost(X[known], labels, rounds)
        error = 1 / (1 + np.exp(losses.max(axis=1)))
        inside, outside = (vote(rules, losses, X[part]) for part in (known, new))
        curves = (
            (inside * labels <= 0).mean(axis=1),
            np.cumprod(2 * np.sqrt(error * (1 - error))),
            (outside * y[new] <= 0).mean(axis=1),
            (logistic(X[known], labels, X[new]) != y[new]).mean(),
            (y[new] == 1).mean(),
        )
        for name, curve in zip(found, curves, strict=True):
            found[name].append(curve)
    return {name: np.array(curves) for name, curves in found.items()}
