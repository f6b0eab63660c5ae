"""The figures of lecture 05."""

from functools import cache

import numpy as np

from .. import streams
from ..canvas import canvas, figure
from ..checks import check_count, check_range, count
from ..experts.figures.hedge import hedge_regret, regret_so_far
from ..experts.learners import Hedge
from ..experts.theorems import hedge_at_most, hedge_rate
from ..palette import (
    BLACK,
    BLUE,
    BOUND,
    BROKEN,
    DOTTED,
    GREY,
    LOOK,
    MID,
    ORANGE,
    PALE_BLUE,
    PALE_VERMILLION,
    VERMILLION,
)
from ..protocol import play
from .boosting import boost, learning_curves, vote
from .learners import AdaHedge
from .nature import duel
from .theorems import adahedge_again, adahedge_at_most

HEDGE, ADA = LOOK["Hedge"], LOOK["AdaHedge"]
_tumours = cache(streams.tumours)


# AdaHedge -----------------------------------------------------------------------------------------


@figure(lecture="05")
def adahedge_rates(lead=0.2, T=400, draws=20, seed=0):
    """Regret of Hedge against its rate, and of AdaHedge, on coins with one better route and on
    routes that lose in turn.
    """
    check_range("lead", lead, lambda x: 0 <= x <= 0.5, "in [0, 1/2]")
    rates, tuned = np.geomspace(0.01, 10, 40), hedge_rate(4, T, c=8)
    coins = np.random.default_rng(seed).random((draws, T, 4)) < [0.5 - lead, 0.5, 0.5, 0.5]
    cases = (
        (f"coins; route 1 is better by {lead:g}", coins.astype(float)),
        ("the routes lose in turn", np.resize(np.eye(4), (1, T, 4))),
    )
    fig, axes = canvas(1, 2, width=9, height=4, sharey=True)
    told = []
    for ax, (title, L) in zip(axes, cases, strict=True):
        fixed = np.array([hedge_regret(L, rate) for rate in rates]).mean(axis=1)
        ada = np.array([play(AdaHedge(4), each).regret for each in L])
        best = fixed.argmin()
        error = ada.std(ddof=1) / np.sqrt(len(ada)) if len(ada) > 1 else 0.0
        ax.axvline(tuned, **DOTTED)
        ax.plot(rates, fixed, **HEDGE, label="Hedge")
        ax.plot(rates, np.full(40, ada.mean()), **ADA, label="AdaHedge")
        ax.dots([rates[best]], [fixed[best]], "o", HEDGE["color"])
        ax.frame("rate η of Hedge", "", title, xlog=10, ylim=(0, 40))
        at_tuned = hedge_regret(L, tuned).mean()
        told.append((fixed[best], rates[best], at_tuned, ada.mean(), error))
    axes[0].set_ylabel("regret")
    axes[0].note("for T", (tuned, 38), (4, 0), GREY)
    axes[0].see("told no rate", (rates[0], told[0][3]), (2, 5))
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    (fixed, rate, known, ada, error), (other, slow, still, turned, _) = told
    return fig.says(
        f"At the best of these rates Hedge's mean regret on the coins is {fixed:.1f}; AdaHedge,"
        f" which is told no rate, has {ada:.1f}.",
        f"Four routes, {T} trials. Left, {count(draws, 'stream')} of coins on which route 1 loses"
        f" with probability {0.5 - lead:g}, the others with 0.5: Hedge's mean regret is least,"
        f" {fixed:.2f}, at the rate {rate:.2g}, and {known:.2f} at the rate for T, {tuned:.2f}"
        f" (dotted). AdaHedge's is {ada:.2f} (standard error {error:.2f}). Right, the"
        f" routes lose 1 in turn: Hedge's least regret is {other:.2f} at the rate {slow:.2g}, at"
        f" that for T it is {still:.2f}, AdaHedge's is {turned:.2f}.",
    )


@figure(lecture="05")
def adahedge_run(turns=100, T=200):
    """AdaHedge's regret under what its gaps allow, and its rate, while two experts lose in turn and
    then one of them to the end.
    """
    check_range("turns", turns, lambda k: 0 <= k <= T, f"between 0 and T = {T}")
    losses = np.zeros((T, 2))
    losses[np.arange(turns), np.arange(turns) % 2] = 1
    losses[turns:, 0] = 1
    run = play(AdaHedge(2), losses)
    _, gaps, rates = adahedge_again(run)
    t, tuned = np.arange(T + 1), hedge_rate(2, T, c=8)
    fig, (ax, side) = canvas(1, 2, width=9, height=3.9)
    ax.plot(t, adahedge_at_most(2, t), **DOTTED, label=r"$\sqrt{t\,\ln 2}+2$")
    ax.plot(t, 2 * gaps, **BOUND, label=r"$2\Delta$")
    ax.plot(t, regret_so_far(run), **ADA, label="regret")
    ax.frame("trials t", "", "regret, and twice the gaps", ylim=(0, None))
    ax.ends()
    known = rates[:-1] < 20
    side.plot(t[:-1][known], rates[:-1][known], **ADA, label="AdaHedge")
    side.plot([0, T], [tuned, tuned], **HEDGE, label="Hedge, T known")
    side.frame("trial t", title="rate η", ylim=(0, None), xlim=(0, T))
    side.ends()
    turn = f"from trial {turns + 1} on one expert leads" if turns < T else "they lose in turn"
    ax.corner(turn, 0.02, 0.99)
    seen = "Once one expert leads for good the gaps hardly grow"
    if turns == T:
        seen = "While the experts lose in turn the gaps grow"
    return fig.says(
        f"{seen}: at the end the regret is {run.regret:.1f}, twice their sum {2 * gaps[-1]:.1f}.",
        f"Two experts lose 1 in turn for {turns} of {T} trials, then the first one to the end. The"
        f" rate is infinite until the first gap and {rates[-1]:.3f} at the end; with T known it"
        f" would be {tuned:.3f}. In the end the regret is {run.regret:.2f}, twice the sum of the"
        f" gaps {2 * gaps[-1]:.2f}, of which {2 * gaps[turns]:.2f} in the first {turns} trials; the"
        f" bound for all losses is {adahedge_at_most(2, T):.2f}.",
    )


# Two players --------------------------------------------------------------------------------------


def bent(bend):
    """Return what the row player loses at rock, paper, scissors, where rock against paper loses
    only `bend`.
    """
    check_range("bend", bend, lambda b: 0.5 <= b <= 1, "in [1/2, 1]")
    return np.array([[0.5, bend, 0], [0, 0.5, 1], [1, 0, 0.5]])


CORNERS = np.array([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]])  # rock, paper, scissors


@figure(lecture="05")
def two_players(bend=0.75, eta=0.3, T=1000):
    """Hedge against Hedge at rock, paper, scissors: the weights of the row player go round, their
    average comes to rest, and what both averages guarantee meets at the value.
    """
    C = bent(bend)
    rows, columns = duel(Hedge(3, eta=eta), Hedge(3, eta=eta), C, check_count("T", T))
    p, q = rows.probabilities[:-1], columns.probabilities[:-1]
    t = np.arange(1, T + 1)
    mean_p, mean_q = (np.cumsum(v, axis=0) / t[:, None] for v in (p, q))
    best = np.linalg.inv(C).sum(axis=0)  # all three plays are of use: the columns are indifferent
    value, best = 1 / best.sum(), best / best.sum()
    lower, upper = (mean_q @ C.T).min(axis=1), (mean_p @ C).max(axis=1)
    fig, (ax, side) = canvas(1, 2, width=9, height=4.2, width_ratios=(1, 1.1))
    ax.plot(*CORNERS[[0, 1, 2, 0]].T, color=MID, linewidth=1)
    ax.plot(*(p @ CORNERS).T, color=HEDGE["color"], linewidth=0.8)
    ax.plot(*(mean_p @ CORNERS).T, color=BLACK, linewidth=1.6)
    ax.dots(*(best @ CORNERS)[:, None], "*", ORANGE, 14, markeredgecolor=BLACK)
    for name, (x, y), dy in zip(("rock", "paper", "scissors"), CORNERS, (-14, -14, 5), strict=True):
        ax.note(name, (x, y), (0, dy), GREY)
    ax.bare(aspect="equal", xticks=[], yticks=[], xlim=(-0.12, 1.12), ylim=(-0.12, 0.98))
    ax.set_title("the row player's weights")
    ax.see("black: their average", (0.5, 0), (0, -14))
    side.plot(t, upper, color=VERMILLION, label="the rows lose at most")
    side.plot(t, np.full(T, value), **DOTTED, label="value")
    side.plot(t, lower, color=BLUE, linestyle=BROKEN, label="the columns win at least")
    side.frame("trials T", "", "what the averages guarantee", xlog=10, xlim=(10, T))
    side.set_ylim(value - 0.15, value + 0.15)
    fig.legend(*side.get_legend_handles_labels(), loc="outside lower right", ncols=3)
    allowed = 2 * hedge_at_most(3, T, eta, c=8) / T
    seen, do = "The weights go round, their averages come to rest", "circle"
    if np.allclose(p, best):
        seen, do = "Equal weights are the best play here, and both stay there", "stay at one point"
    return fig.says(
        f"{seen}: after {T} trials they guarantee {lower[-1]:.3f} and {upper[-1]:.3f}.",
        f"Hedge against Hedge at the rate {eta:g}; rock against paper loses {bend:g}. The weights"
        f" of the row player (purple) {do} in the triangle of all weights, their average (black)"
        f" ends at {_three(mean_p[-1])} for rock, paper, scissors, the best play (star) is"
        f" {_three(best)}. With its average the row player loses at most {upper[-1]:.4f} a trial,"
        f" with its own the column player wins at least {lower[-1]:.4f}; the value {value:.4f} is"
        f" between them, and the bound for their distance is {allowed:.4f}.",
    )


def _three(p):
    return ", ".join(f"{each:.3f}" for each in p)


# Boosting -----------------------------------------------------------------------------------------

PLANE = 27, 21  # worst concave points and worst texture


@figure(lecture="05")
def boosting_plane(rounds=8):
    """The vote of the first stumps in the plane of two measurements, and the weights of the
    examples after them.
    """
    X, y = _tumours()
    X = X[:, PLANE]
    rules, losses = boost(X, y, check_count("rounds", rounds))
    run = play(Hedge(len(y), eta=1), losses)
    grid = np.meshgrid(*(np.linspace(*_span(column), 160) for column in X.T))
    ground = vote(rules, losses, np.column_stack([axis.ravel() for axis in grid]))[-1]
    v, wrong = run.probabilities[-1], y * vote(rules, losses, X)[-1] <= 0
    fig, ax = canvas(width=7.5, height=4.6)
    colours = [PALE_BLUE, PALE_VERMILLION]
    ax.contourf(*grid, ground.reshape(160, 160), [-np.inf, 0, np.inf], colors=colours)
    for label, marker, colour, name in (
        (-1, "o", BLUE, "benign"),
        (1, "^", VERMILLION, "malignant"),
    ):
        of = y == label
        size = 8000 * v[of] / (1 + 40 * v[of])
        ax.scatter(*X[of].T, size, marker=marker, facecolor="none", edgecolor=colour, label=name)
    names = [f"{streams.TUMOUR_FEATURES[k]}" for k in PLANE]
    ax.frame(*names, xlim=_span(X[:, 0]), ylim=_span(X[:, 1]))
    ax.corner("the larger, the more weight", 0.02, 0.98)
    handles = ax.legend(loc="lower right").legend_handles
    for handle in handles:
        handle.set_sizes([30])
    heavy = np.sort(v)[::-1][:57].sum()
    return fig.says(
        f"After {count(len(rules), 'stump')} the vote errs on {wrong.sum()} tumours; the"
        f" heaviest tenth of all has {100 * heavy:.0f} % of the weight.",
        f"{len(y)} tumours, {(y > 0).sum()} of them malignant (triangles), by two measurements. The"
        f" larger a marker, the larger its weight after {count(len(rules), 'stump')}. The vote,"
        f" shaded, errs on {wrong.sum()}; these have {100 * v[wrong].sum():.1f} % of the weight,"
        f" and the heaviest 57 tumours {100 * heavy:.1f} %. The last stump had the weighted error"
        f" {run.probabilities[-2] @ (losses[-1] == 0):.3f}.",
    )


def _span(column):
    room = 0.04 * np.ptp(column)
    return column.min() - room, column.max() + room


@cache
def _curves(rounds, splits, seed):
    return learning_curves(*_tumours(), rounds, splits, rng=seed)


@figure(lecture="05")
def boosting_curves(rounds=100, splits=20, seed=0):
    """Training error of AdaBoost, its bound, and the error on other tumours, against the rounds."""
    inside, outside, bound = _curves(rounds, splits, seed)
    t = np.arange(1, rounds + 1)
    fig, ax = canvas(width=8, height=4)
    ax.plot(t, 100 * bound.mean(axis=0), **BOUND, label="bound")
    ax.band(t, 100 * outside, {"color": BLUE, "linestyle": "--"}, 0.15, label="other tumours")
    ax.band(t, 100 * inside, {"color": VERMILLION, "linestyle": "-"}, label="in the sample")
    ax.frame("rounds T", "errors in %", xlog=10, ylim=(-1, 30), xlim=(1, rounds))
    ax.ends()
    ax.corner(f"shaded: from the least to the most of {splits}", 0.98, 0.97)
    first, last = outside[:, 0], outside[:, -1]
    right = 1 + np.cumprod(inside > 0, axis=1).sum(axis=1)
    slips = rounds - (inside[:, ::-1] > 0).argmax(axis=1)
    error = (first - last).std(ddof=1) / np.sqrt(splits)
    return fig.says(
        f"In the sample the vote makes no error after round {slips.max()}; on other"
        f" tumours it errs on {100 * last.mean():.1f} % in the end.",
        f"{splits} random splits of the tumours into 379 to learn from and 190 others, mean and"
        f" range. In the sample the errors fall from {100 * inside[:, 0].mean():.1f} % after one"
        f" stump to 0, first after {right.min()} to {right.max()}, with the last slip on round"
        f" {slips.min()} to {slips.max()}; the bound is"
        f" {100 * bound[:, min(29, rounds - 1)].mean():.1f} % after {min(30, rounds)} and"
        f" {100 * bound[:, -1].mean():.2f} % after {rounds}. On others they fall from"
        f" {100 * first.mean():.1f} % to {100 * last.mean():.1f} %, by"
        f" {100 * (first - last).mean():.1f} points with a standard error of {100 * error:.1f}.",
    )
