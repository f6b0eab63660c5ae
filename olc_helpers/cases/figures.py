"""The figures of lecture 20."""

from functools import cache

import numpy as np

from .. import streams
from ..canvas import canvas, figure
from ..checks import check_range
from ..experts.learners import WeightedAverage
from ..palette import BLACK, BLUE, BOUND, DOTTED, GREEN, GREY, LOOK, MID, ORANGE, hatched
from ..protocol import play
from ..shifting.learners import FixedShare
from ..winnow.theorems import winnow_noise_at_most
from . import contests
from .contests import JUNK, QUESTIONS, mean_and_error

STATIC, SHARE = LOOK["Weighted Average"], LOOK["Fixed Share"]
REGRESSION = dict(color=GREEN, linestyle=(0, (3, 1, 1, 1)))


@figure(lecture="20")
def ten_digits(runs=20):
    """Errors on new digits of four rules, and on digits that stand together in the file."""
    drawn, cut = contests.digit_contest(runs), contests.digit_neighbours(runs)
    percent = {name: 100 * shares for name, shares in drawn.items()}
    promise = 2 * percent["stream"].mean()
    fig, (ax, side) = canvas(1, 2, width=9.5, height=4.1, sharey=True, width_ratios=(1.5, 1))
    looks = LOOK["Perceptron"], LOOK["voted"], LOOK["averaged"], LOOK["nearest neighbour"]
    rules, aside = ("last", "voted", "averaged", "nearest neighbour"), np.linspace(-0.2, 0.2, runs)
    for place, (rule, look) in enumerate(zip(rules, looks, strict=True)):
        ax.dots(place + aside, percent[rule], ".", look["color"], 5)
        mean, error = mean_and_error(percent[rule])
        ax.plot([place - 0.3, place + 0.3], [mean, mean], color=BLACK)
        ax.note(f"{mean:.1f} ± {error:.1f}", (place, percent[rule].max()), (0, 7), fontsize=9)
    ax.plot([0.6, 1.4], [promise, promise], **BOUND)
    ax.note(f"vote, at most {promise:.0f}", (1.4, promise), (4, -4), GREY)
    names = ["last\nweights", "vote", "average", "nearest\nneighbour"]
    ax.set(xticks=range(4), xticklabels=names, xlim=(-0.5, 3.5))
    ticks = dict(ylog=10, yticks=[1, 2, 5, 10, 20, 50], ylim=(0.5, 70))
    ax.frame("", "wrong in %, of 597", "digits drawn at random", **ticks)
    ax.minorticks_off()
    pairs = (percent["averaged"], 100 * cut[:, 0]), (percent["nearest neighbour"], 100 * cut[:, 1])
    for place, (pair, look) in enumerate(zip(pairs, looks[2:], strict=True)):
        for step, (shares, marker) in enumerate(zip(pair, (".", "x"), strict=True)):
            at = 2 * place + step
            side.dots(at + aside, shares, marker, look["color"], 5)
            side.plot([at - 0.3, at + 0.3], 2 * [shares.mean()], color=BLACK)
            side.note(("random", "together")[step], (at, shares.max()), (0, 7), fontsize=9)
    side.set(xticks=[0.5, 2.5], xticklabels=["average", "nearest\nneighbour"])
    side.frame("", "", "or standing together in the file")
    side.minorticks_off()
    told = ", ".join(
        "{} {:.1f} ± {:.1f}".format(rule, *mean_and_error(percent[rule])) for rule in rules
    )
    return fig.says(
        f"The average errs on {percent['averaged'].mean():.1f}% of new digits, the nearest"
        f" neighbour on {percent['nearest neighbour'].mean():.1f}%.",
        f"Errors in % on 597 handwritten digits after one pass over 1200 others, {runs} random"
        f" orders as dots, their means as lines, ± the standard error: {told}. Theory promises that"
        f" the vote errs on at most {promise:.1f} on average, twice the share of mistakes on the"
        f" stream. If the 597 stand together in the file, wherever it is cut, the average errs on"
        f" {pairs[0][1].min():.1f} to {pairs[0][1].max():.1f} (mean {pairs[0][1].mean():.1f}), the"
        f" nearest neighbour on {pairs[1][1].min():.1f} to {pairs[1][1].max():.1f} (mean"
        f" {pairs[1][1].mean():.1f}).",
    )


def _losses(X, y, alpha):
    """Return the runs with static weights and with Fixed Share."""
    return [
        play(learner, X, y)
        for learner in (
            WeightedAverage(X.shape[1], prediction="vovk"),
            FixedShare(X.shape[1], alpha=alpha, prediction="vovk"),
        )
    ]


@cache
def _shuffled(alpha, runs):
    """Return the losses from ten levels, static and with sharing, if the days come in random
    order.
    """
    X, y, _ = streams.trading_volume()
    days = contests.orders(len(y), runs)
    return np.array([[run.total_loss for run in _losses(X[:, :10], y[o], alpha)] for o in days])


@figure(lecture="20")
def traded_shares(alpha=0.01, runs=20):
    """Forecasts of how much Google stock is traded each day, static and with sharing, from teams of
    experts that learn nothing or something by themselves.
    """
    alpha = check_range("alpha", alpha, lambda a: 0 <= a <= 1, "in [0, 1]")
    X, y, dates = streams.trading_volume()
    regression = contests.forecast_by_regression(X[:, 10:], y)
    plain = ((regression - y) ** 2).sum()
    teams = X[:, :10], X, np.column_stack([X, regression])
    runs_of = [_losses(team, y, alpha) for team in teams]
    shuffled = _shuffled(alpha, runs)
    lost = np.array([shuffled.mean(axis=0), *([r.total_loss for r in pair] for pair in runs_of)]).T
    fig, (ax, side) = canvas(1, 2, width=10, height=4.2, width_ratios=(1.7, 1))
    ax.dots(dates, y, ".", MID, 3, label="volume")
    for run, look, name in zip(runs_of[0], (STATIC, SHARE), ("static", "sharing"), strict=True):
        ax.plot(dates, run.predictions, **look | {"linewidth": 1.6}, label=name)
    years = np.arange("2005", "2009", dtype="M8[Y]")
    ax.set(xticks=years.astype("M8[D]"), xticklabels=years.astype(str))
    ax.set(yticks=[0, 0.25, 0.5, 0.75, 1], yticklabels=["1", "3.2", "10", "32", "100"])
    ax.frame("", "million shares that day", "forecasts from ten constant levels", ylim=(0, 1))
    ax.legend(loc="lower left", ncols=3, columnspacing=1)
    place, looks = np.arange(4), (dict(color=STATIC["color"]), hatched(SHARE["color"], "//"))
    for j, (look, label) in enumerate(zip(looks, ("static", "sharing"), strict=True)):
        bars = side.bar(place + 0.4 * j - 0.2, lost[j], 0.38, label=label, **look)
        side.bar_label(bars, fmt="%.1f", padding=2, fontsize=9)
    side.axhline(plain, **DOTTED, label="regression alone")
    names = ["levels,\ndays\nshuffled", "levels", "and\nmeans", "and re-\ngression"]
    side.set(xticks=place, xticklabels=names)
    side.frame(title="losses", ylim=(0, 1.2 * lost.max()))
    side.legend(loc="upper right", fontsize=9)
    saved, spread = mean_and_error(shuffled[:, 0] - shuffled[:, 1])
    return fig.says(
        f"From constant levels sharing loses {lost[1, 1]:.1f} instead of {lost[0, 1]:.1f}; with"
        f" experts that follow the series both lose about {lost[0, 2]:.1f}.",
        f"{len(y)} days of Google stock. Losses with static weights and with Fixed Share, α ="
        f" {alpha:g}: from ten constant levels {lost[0, 1]:.2f} and {lost[1, 1]:.2f}; with means of"
        f" the last 1, 5, 20 and 60 days {lost[0, 2]:.2f} and {lost[1, 2]:.2f}; with a regression"
        f" on these means, too, {lost[0, 3]:.2f} and {lost[1, 3]:.2f}. The regression alone loses"
        f" {plain:.2f}. If the days come in random order, sharing saves {saved:.2f} ± {spread:.2f}"
        f" of {lost[0, 0]:.1f} (mean and standard error of {runs} orders).",
    )


@figure(lecture="20")
def names_with_junk(runs=20):
    """Mistakes of Winnow and of the Perceptron on names of characters with useless coins added."""
    rows, kinds, words = contests.names_of_characters()
    n, drawn = len(words), contests.orders(len(rows), runs)[:, :1000]
    capital = (rows == words.index("CAPITAL")).any(axis=1)
    errors = (capital != np.isin(kinds, QUESTIONS["a capital letter?"]))[drawn].sum(axis=1).mean()
    fig, axes = canvas(1, 2, width=9.5, height=4)
    told, finding = [], []
    for ax, question in zip(axes, QUESTIONS, strict=True):
        made = np.array([contests.name_race(question, junk, runs=runs) for junk in JUNK])
        mean, error = mean_and_error(made.swapaxes(0, 1))
        at = np.arange(len(JUNK))
        for i, name in enumerate(("Winnow", "Perceptron")):
            ax.band(at, made[:, :, i].T, LOOK[name], marker="o", label=name)
        rarer = min(mean[0, 2], 1000 - mean[0, 2])
        most = 1.1 * max(made[:, :, :2].max(), rarer if rarer < 200 else 0)
        no = "no" if rarer == mean[0, 2] else "yes"
        if rarer < most:
            ax.plot(
                at,
                np.full(len(at), rarer),
                **LOOK["expert"] | {"color": GREY},
                label=f"always {no}",
            )
        if question == "a capital letter?":
            bound = [winnow_noise_at_most(n + junk, 1, errors) for junk in JUNK]
            ax.plot(at, bound, **BOUND, label="Winnow's bound")
        ax.frame("useless coins added to each name", "", question, ylim=(0, most))
        ax.set(xticks=at, xticklabels=JUNK)
        ax.ends()
        pairs = [
            f"{a:.0f} ± {e:.0f} and {b:.0f} ± {f:.0f} with {junk}"
            for junk, (a, b, _), (e, f, _) in zip(JUNK, mean, error, strict=True)
        ]
        told.append(f'"{question}" {"; ".join(pairs)}; the rarer label is that of {rarer:.0f}')
        finding.append((mean[0], mean[-1]))
    axes[0].frame(ylabel="mistakes on 1000 names")
    axes[0].corner("useless features hurt who adds", 0.02, 0.98)
    (_, last), (first, _) = finding
    return fig.says(
        f"Is it a letter? Multiplying costs {first[0]:.0f} mistakes, adding {first[1]:.0f}, until"
        " useless features are added to the names.",
        f"Mistakes of Winnow and of the Perceptron on 1000 of {len(rows)} names of characters, n ="
        f" {n} words, with so many fair coins added: {'. '.join(told)}. Means of {runs} orders ±"
        f" standard errors, bands from the least to the most. For capital letters Winnow's theorem"
        f" with the one word CAPITAL allows {bound[-1]:.0f} on average, with {JUNK[-1]} coins.",
    )


@figure(lecture="20")
def tumour_rounds(noise=0.0, runs=20):
    """AdaBoost on tumours, stump by stump, beside logistic regression."""
    noise = check_range("noise", noise, lambda p: 0 <= p < 0.5, "in [0, 0.5)")
    found = {name: 100 * each for name, each in contests.tumour_contest(noise, 100, runs).items()}
    rounds = np.arange(1, 101)
    fig, ax = canvas(height=4)
    mean, error = mean_and_error(found["AdaBoost"])
    ax.fill_between(rounds, mean - 2 * error, mean + 2 * error, color=BLUE, alpha=0.25, linewidth=0)
    ax.plot(rounds, mean, color=BLUE, label="AdaBoost")
    ax.plot(
        rounds,
        found["sample"].mean(axis=0),
        color=ORANGE,
        linestyle=(0, (6, 1)),
        label="in its sample",
    )
    ax.plot(rounds, found["bound"].mean(axis=0), **BOUND, label="bound, sample")
    plain, doubt = mean_and_error(found["logistic regression"])
    band = [plain - 2 * doubt] * 2, [plain + 2 * doubt] * 2
    ax.fill_between([1, 100], *band, color=REGRESSION["color"], alpha=0.2, linewidth=0)
    ax.plot(rounds, np.full(100, plain), **REGRESSION, label="logistic regression")
    top = 25 if noise else 14
    ax.frame(
        "stumps (logarithmic)", "wrong in %", xlog=10, xticks=[1, 3, 10, 30, 100], ylim=(0, top)
    )
    ax.minorticks_off()
    ax.ends()
    ax.corner("shaded: two standard errors", 0.02, 0.03)
    gap, unsure = mean_and_error(found["AdaBoost"][:, -1] - found["logistic regression"])
    always = found["always benign"].mean()
    return fig.says(
        f"On other tumours a hundred stumps err on {mean[-1]:.1f}%, logistic regression on"
        f" {plain:.1f}%; one stump on {mean[0]:.1f}%.",
        f"{runs} random orders of the tumours, 379 to learn from"
        f"{f', {noise:.0%} of their labels flipped' if noise else ''}, 190 others as the test."
        f" Errors in %, mean ± standard error: one stump {mean[0]:.1f} ± {error[0]:.1f}, thirty"
        f" {mean[29]:.1f} ± {error[29]:.1f}, a hundred {mean[-1]:.1f} ± {error[-1]:.1f}, logistic"
        f" regression {plain:.1f} ± {doubt:.1f}, always benign {always:.1f}. AdaBoost minus"
        f" logistic regression is {gap:.1f} ± {unsure:.1f}. In its sample AdaBoost errs on"
        f" {found['sample'][:, -1].mean():.1f} after a hundred stumps, at most"
        f" {found['bound'][:, -1].mean():.1f}. Shaded: two standard errors.",
    )
