"""The figures of lecture 04."""

from functools import cache

import numpy as np

from ... import adversaries, streams
from ...canvas import canvas, figure, so_far
from ...checks import count
from ...palette import BLACK, BOUND, DOTTED, GREY, LIGHT, LOOK, MID, PALE
from ...protocol import play
from ..learners import Hedge, WeightedAverage
from ..theorems import (
    hedge_at_most,
    hedge_bound,
    hedge_rate,
    hedge_tuned_at_most,
    small_losses_at_most,
    small_losses_rate,
    wa_entropic,
)

WA, VOVK, HEDGE = LOOK["Weighted Average"], LOOK["Vovk"], LOOK["Hedge"]
HOEFFDING, WORST = BOUND | {"linestyle": "-."}, LOOK["exact worst case"]
ROUND = 16  # trials of the game
LAYERS = (LIGHT, GREY, PALE, MID)


def regret_so_far(run):
    """Return L_A - min_i L_i after 0, 1, …, T trials."""
    return so_far(run.losses) - run.cumulative_expert_losses.min(axis=1)


def hedge_regret(L, eta):
    """Return Hedge's regret on loss matrices L (… x T x n), many at once."""
    after = np.cumsum(L, axis=-2)
    before = after - L
    w = np.exp(-eta * (before - before.min(axis=-1, keepdims=True)))
    return ((w * L).sum(axis=-1) / w.sum(axis=-1)).sum(axis=-1) - after[..., -1, :].min(axis=-1)


@figure(lecture="04")
def hedge_models(T=200, seed=4, draws=20):
    """Regret of Hedge in both models of play: spreading one unit, and drawing an expert."""
    L = streams.coin_losses(T, (0.3, 0.4, 0.5, 0.6), rng=seed)
    n, eta, t = 4, hedge_rate(4, T), np.arange(T + 1)
    spread = play(Hedge(n, eta=eta), L)
    rng = np.random.default_rng([seed, 1])
    drawn = [play(Hedge(n, eta=eta, rng=rng), L) for _ in range(draws)]
    fig, ax = canvas()
    for run in drawn:
        ax.plot(t, regret_so_far(run), color=HEDGE["color"], linewidth=0.7, alpha=0.35)
    ax.plot(t, regret_so_far(spread), **HEDGE, label="you spread\na unit")
    ax.plot(t, hedge_at_most(n, t, eta), **BOUND, label=r"$\frac{\ln n}{\eta}+\frac{\eta}{2}t$")
    ax.frame("trials t", "regret so far", ylim=(-2.5, None))
    ax.ends()
    thin = dict(color=HEDGE["color"], linewidth=0.9, alpha=0.6)
    ax.plot([], [], **thin, label=f"you draw one expert: {draws} plays")
    ax.legend(loc="upper left")
    ax.corner("what you spread is what drawing costs on average", 0.97, 0.02)
    final = np.array([run.regret for run in drawn])
    return fig.says(
        f"Plays that draw end between {final.min():.0f} and {final.max():.0f}; spreading costs"
        f" {spread.regret:.1f}, their expectation.",
        f"Hedge with {n} experts and η = {eta:.3f}: after {T} trials the regret is"
        f" {spread.regret:.2f} if it spreads, {final.mean():.2f} on average if it draws"
        f" ({final.min():.0f} to {final.max():.0f} in {draws} plays, standard error"
        f" {final.std(ddof=1) / np.sqrt(draws):.2f}). The bound is"
        f" {np.log(n) / eta + eta * T / 2:.2f}.",
    )


@figure(lecture="04")
def hedge_layers(T=200, seed=4):
    """Where the bound of Hedge gives room away: each inequality of the proof is a layer above the
    regret.
    """
    L = streams.coin_losses(T, (0.3, 0.4, 0.5, 0.6), rng=seed)
    eta = hedge_rate(4, T)
    run = play(Hedge(4, eta=eta), L)
    lines = {claim.why: claim for claim in hedge_bound(run).lines}
    parabola, logarithm = lines["e^(-x) ≤ 1 - x + x²/2 for x ≥ 0"], lines["ln(1+x) ≤ x"]
    v, t = run.probabilities, np.arange(1, T + 1)
    regret = np.cumsum(run.losses - L[:, run.best_expert])
    first = np.cumsum(np.log(parabola.rhs) - np.log(parabola.lhs)) / eta
    layers = {
        "$d(u,v_{t+1}) \\geq 0$": -run.log_probabilities[1:, run.best_expert] / eta,
        "$e^{-x} \\leq 1-x+x^2/2$": first,
        "$\\ln(1+x) \\leq x$": np.cumsum(logarithm.lhs - logarithm.rhs) / eta - first,
        "$\\ell^2 \\leq 1$": np.cumsum(eta / 2 * (1 - np.einsum("ti,ti->t", v[:-1], L**2))),
    }
    fig, ax = canvas(width=8, height=4.2)
    ax.plot(t, regret, **HEDGE, label="regret")
    ax.plot(t, hedge_at_most(4, t, eta), **BOUND, label="bound")
    floor = regret
    for colour, (name, layer) in zip(LAYERS, layers.items(), strict=True):
        ax.fill_between(t, floor, floor + layer, color=colour, linewidth=0)
        ax.plot([T], [floor[-1] + layer[-1] / 2], color=BLACK, linestyle="", label=name)
        floor = floor + layer
    ax.frame("trials t", "regret to the best expert")
    ax.ends(gap=0.07)
    names = "d(u,v) ≥ 0", "e^(-x) ≤ 1-x+x²/2", "ln(1+x) ≤ x", "ℓ² ≤ 1"
    lost = [layer[-1] for layer in layers.values()]
    parts = ", ".join(f"{loss:.2f} ({name})" for loss, name in zip(lost, names, strict=True))
    most, thickest = max(zip(lost, names, strict=True))
    if thickest == "ℓ² ≤ 1":
        ax.see("most room is lost here", (T, floor[-1] - 0.65 * most), (-8, 0), colour=BLACK)
    return fig.says(
        f"Of the room of {floor[-1] - regret[-1]:.1f} between regret and bound"
        f" {most:.1f} is lost in a single inequality, {thickest}.",
        f"After {T} trials the regret is {regret[-1]:.2f} and the bound {floor[-1]:.2f}. The room"
        f" between them is what the inequalities of the proof give away: {parts}.",
    )


@cache
def _worst(T, eta, parts=1):
    """Return the regret of nature's best known play against two experts; exact for losses 0 or
    1.
    """
    return float(hedge_regret(adversaries.sharp_hedge(T, eta, parts), eta))


@cache
def _coins(T, draws, seed):
    return np.random.default_rng(seed).integers(0, 2, (draws, T, 2)).astype(float)


@cache
def _rate_curves(T, draws, seed):
    """Return rates, and for each the worst regret for losses 0 or 1, for losses in tenths, and the
    mean on coins.
    """
    rates = np.geomspace(0.02, 4, 40)
    typical = [hedge_regret(_coins(T, draws, seed), rate).mean() for rate in rates]
    whole, tenths = ([_worst(T, rate, parts) for rate in rates] for parts in (1, 10))
    return rates, *np.array([whole, tenths, typical])


@figure(lecture="04")
def hedge_eta(eta=0.2, T=32, streams_drawn=200, seed=0):
    """Regret of Hedge with two experts against the rate: the bounds, the worst case for losses 0 or
    1 and for losses in [0, 1], coins.
    """
    rates, whole, tenths, typical = _rate_curves(T, streams_drawn, seed)
    fig, ax = canvas(width=8, height=4.4)
    ax.plot(rates, np.log(2) / rates, **DOTTED)
    ax.plot(rates, rates * T / 2, **DOTTED)
    terms = r"\frac{\ln 2}{\eta}+\frac{\eta}"
    ax.plot(rates, hedge_at_most(2, T, rates), **BOUND, label=f"bound ${terms}{{2}}T$")
    hoeffding = hedge_at_most(2, T, rates, c=8)
    ax.plot(rates, hoeffding, **HOEFFDING, label=f"Hoeffding ${terms}{{8}}T$")
    ax.plot(rates, tenths, color=BLACK, linestyle=(0, (3, 1)), label="losses in tenths")
    ax.plot(rates, whole, **WORST, label="losses 0 or 1")
    ax.plot(rates, typical, **HEDGE, label="coins, mean")
    here = [
        hedge_at_most(2, T, eta),
        hedge_at_most(2, T, eta, c=8),
        _worst(T, eta, 10),
        _worst(T, eta),
        hedge_regret(_coins(T, streams_drawn, seed), eta).mean(),
    ]
    ax.axvline(eta, color=BLACK, linewidth=0.8)
    ax.dots([eta] * 5, here, "o", BLACK, 5)
    ax.note(r"$\frac{\ln 2}{\eta}$", (2.2, np.log(2) / 2.2), (0, 5), GREY, fontsize=14, ha="left")
    ax.note(r"$\frac{\eta}{2}T$", (0.03, 0.03 * T / 2), (-14, 6), GREY, fontsize=14, ha="left")
    if T >= 16:
        ax.see("too slow", (0.028, 0.45 * whole[0]), paper=True)
        ax.see("too bold", (2.6, 0.45 * whole[-1]), paper=True)
    top = 1.8 * hedge_tuned_at_most(2, T)
    ax.frame("rate η", "regret", xlog=10, xlim=(0.02, 4), ylim=(0, top))
    ax.set_xticks([0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4])
    ax.xaxis.set_minor_formatter("")
    fig.legend(loc="outside upper center", ncols=5, columnspacing=1, handlelength=1.8)
    best = rates[tenths.argmin()]
    return fig.says(
        f"At η = {eta:g} nature can force {here[2]:.2f}; the bound allows {here[0]:.2f}."
        " A small rate learns too slowly, a large one trusts too soon.",
        f"Two experts, T = {T}, η = {eta:g}: the terms of the bound are {np.log(2) / eta:.2f} and"
        f" {eta * T / 2:.2f}, together {here[0]:.2f} (Hoeffding {here[1]:.2f}). The worst case is"
        f" {here[3]:.2f} over losses 0 or 1 (exact) and {here[2]:.2f} over losses in tenths, the"
        f" most that a search found, so at least as much over [0, 1]; {streams_drawn} streams of"
        f" coins cost {here[4]:.2f} on average. The sum is smallest at η = {hedge_rate(2, T):.2f},"
        f" Hoeffding's at {hedge_rate(2, T, c=8):.2f}, the worst case near η = {best:.2f}.",
    )


@figure(lecture="04")
def small_losses(n=8, T=1000, draws=20, seed=0):
    """Hedge's regret against the loss of the best expert, at the rate for the number of trials and
    at that for small losses, with both bounds.
    """
    chance = np.array([0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5])
    rng = np.random.default_rng(seed)
    streams_of = [(rng.random((draws, T, n)) < p).astype(float) for p in chance]
    best = np.array([L.sum(axis=1).min(axis=1).mean() for L in streams_of])
    rates = (hedge_rate(n, T, c=8), small_losses_rate(n, T * chance))
    paid = [
        np.array([hedge_regret(L, eta) for L, eta in zip(streams_of, all_rates, strict=True)])
        for all_rates in np.broadcast_arrays(*rates)
    ]
    fig, ax = canvas(width=8)
    flat = hedge_tuned_at_most(n, T, c=8)
    ax.plot(best, np.full(len(best), flat), **BOUND, label="bound for T")
    ax.plot(best, small_losses_at_most(n, T * chance), **DOTTED, label="first-order bound")
    for look, marker, values, name in (
        (HEDGE, "o", paid[0], "rate for T"),
        (HEDGE | {"linestyle": "--"}, "x", paid[1], "rate for small losses"),
    ):
        ax.curve(best, values.mean(axis=1), look, name, marker)
    ax.frame("loss of the best expert, mean", "regret", xlog=10, ylim=(0, 1.6 * flat))
    ax.ends()
    ax.see("where the best loses little, so do you", (best[0], 0.55 * flat), (4, 0))
    means = [values.mean(axis=1) for values in paid]
    error = max(values.std(axis=1, ddof=1).max() for values in paid) / np.sqrt(draws)
    return fig.says(
        f"Small losses, small regret, at either rate: {means[0][2]:.1f} where the best expert loses"
        f" {best[2]:.0f}; the bound for T is {flat:.1f}.",
        f"{n} experts that lose 1 with the same chance, {T} trials, {draws} streams each. Where the"
        f" best expert loses {best[0]:.1f}, {best[2]:.1f} or {best[-1]:.0f} on average, the regret"
        f" is {means[0][0]:.1f}, {means[0][2]:.1f} or {means[0][-1]:.1f} at the rate for T, and"
        f" {means[1][0]:.1f}, {means[1][2]:.1f} or {means[1][-1]:.1f} at that for small losses"
        f" (standard errors at most {error:.2f}). The bound for T stays at {flat:.1f}, the"
        f" first-order bound rises from {small_losses_at_most(n, T * chance[0]):.1f} to"
        f" {small_losses_at_most(n, T * chance[-1]):.1f}.",
    )


@figure(lecture="04")
def hedge_tightness(n=2, longest=64, streams_drawn=300, seed=0):
    """Hedge's bounds, its exact worst cases for losses 0 or 1, the minimax value and typical regret
    against the number of trials.
    """
    T = [t for t in (1, 2, 4, 8, 12, 16, 24, 32, 48, 64) if t <= longest]
    rng = np.random.default_rng(seed)
    bound, hoeffding = (hedge_tuned_at_most(n, np.array(T), c=c) for c in (2, 8))
    worst, sharp = (
        [adversaries.hedge_worst_case(n, t, hedge_rate(n, t, c=c)) for t in T] for c in (2, 8)
    )
    minimax = [adversaries.hedge_minimax(n, t) for t in T]
    typical = [
        hedge_regret(rng.integers(0, 2, (streams_drawn, t, n)) + 0.0, hedge_rate(n, t, c=8)).mean()
        for t in T
    ]
    fig, ax = canvas(width=8.5, height=4.4)
    ax.plot(T, bound, **BOUND, label=r"bound $\sqrt{2T\,\ln n}$")
    ax.plot(T, worst, **WORST, label="its worst case, losses 0/1")
    ax.plot(T, hoeffding, **HOEFFDING, label=r"Hoeffding $\sqrt{\frac{1}{2}T\,\ln n}$")
    ax.curve(T, sharp, HEDGE, "its worst case, losses 0/1", "o", 4)
    ax.dots(T, minimax, "s", BLACK, 5, label="best learner (minimax)")
    ax.curve(T, typical, HEDGE | {"linestyle": ":"}, "Hedge on coins, mean", "x")
    ax.ends(gap=0.065)
    ax.frame("trials T", "regret", ylim=(0, None))
    ax.corner("with Hoeffding's rate hardly any room is left", 0.02, 0.95)
    return fig.says(
        f"Hedge's worst case with Hoeffding's rate, {sharp[-1]:.2f} after {T[-1]} trials, almost"
        f" touches its bound of {hoeffding[-1]:.2f}.",
        f"{n} experts, T = {T[-1]}. Rate of the proof: bound {bound[-1]:.2f}, exact worst case"
        f" {worst[-1]:.2f} over losses 0 or 1. Rate of Hoeffding: bound {hoeffding[-1]:.2f}, exact"
        f" worst case {sharp[-1]:.2f} over losses 0 or 1. The best learner can hold nature to"
        f" {minimax[-1]:.2f}, for all losses in [0, 1]. On coins Hedge's regret is"
        f" {typical[-1]:.2f} on average.",
    )


@figure(lecture="04")
def average_regret(longest=16384):
    """Regret per trial against the number of trials, on logarithmic axes: Hedge's exact worst case
    for losses 0 or 1, and Weighted Average on a sharp stream.
    """
    T = 2 ** np.arange(2, int(np.log2(longest)) + 1)
    hedge = np.array([_worst(int(t), hedge_rate(2, t, c=8)) for t in T]) / T
    plays = [
        play(WeightedAverage(2, loss="entropic"), *adversaries.sharp_entropic(2, t))
        for t in T.tolist()
    ]
    wa = np.array([run.regret for run in plays]) / T
    fig, ax = canvas(width=8)
    ax.plot(T, hedge_tuned_at_most(2, T, c=8) / T, **BOUND, label="Hedge, bound")
    ax.curve(T, hedge, HEDGE, "Hedge, worst, 0/1", "o", 4)
    ax.plot(T, wa_entropic(plays[-1]).bound / T, **BOUND, label="WA, bound")
    ax.curve(T, wa, WA, "WA, sharp stream", "s", 4)
    ax.frame("trials T", "regret / T", xlog=2, yscale="log")
    ax.ends()
    ax.see(r"falls like $1/\sqrt{T}$", (T[6], hedge[6]), (0, 12), ha="left")
    ax.see("falls like $1/T$", (T[6], wa[6]), (8, 2))
    slopes = [np.polyfit(np.log(T), np.log(y), 1)[0] for y in (hedge, wa)]
    return fig.says(
        f"Hedge's worst regret per trial falls with slope {slopes[0]:.2f} on logarithmic axes, that"
        f" of Weighted Average with slope {slopes[1]:.2f}.",
        "Average regret with two experts, Hedge with Hoeffding's rate on its worst losses 0 or 1,"
        f" Weighted Average on the stream that makes its bound sharp. From T = {T[0]} to T ="
        f" {T[-1]} it falls from {hedge[0]:.3f} to {hedge[-1]:.5f} for Hedge (like 1/√T) and from"
        f" {wa[0]:.3f} to {wa[-1]:.5f} for Weighted Average with the entropic loss (like 1/T).",
    )


@figure(lecture="04")
def hedge_game(moves="ABABABABABAAAAAA", eta=0.5):
    """Nature against Hedge with two experts: the regret so far, what is possible with whole and
    with half losses, and the weights.
    """
    if set(moves) - set("ABab"):
        raise ValueError(
            "moves must be a text of the letters A and B, who loses 1 on each trial, or a and b,"
            f" who loses 1/2; got {moves!r}"
        )
    losses = np.array([[m == "A", m == "B"] for m in moves.upper()], float).reshape(-1, 2)
    losses /= np.array([1 + m.islower() for m in moves]).reshape(-1, 1)
    total = losses.sum(axis=0)
    run = play(Hedge(2, eta=eta), losses) if moves else None
    regret = regret_so_far(run) if moves else np.zeros(1)
    v = run.probabilities[-1] if moves else np.full(2, 0.5)
    horizon = np.arange(max(ROUND, len(moves)) + 1)
    whole, halves = (
        np.array([0, *(_worst(int(t), eta, parts) for t in horizon[1:])]) for parts in (1, 2)
    )
    fig, (ax, side) = canvas(1, 2, width=8.5, height=4.1, width_ratios=(3, 1))
    bound, name = np.log(2) / eta + eta / 8 * horizon, r"bound $\frac{\ln 2}{\eta}+\frac{\eta}{8}t$"
    ax.plot(horizon, bound, **BOUND, label=name)
    if (halves > whole + 1e-9).any():
        ax.plot(horizon, halves, color=BLACK, linestyle=(0, (3, 1)), label="best with halves")
    ax.plot(horizon, whole, **WORST, label="best with losses 0 or 1")
    ax.curve(np.arange(len(regret)), regret, HEDGE, "regret so far", "o", 5)
    ax.frame("trials t", "regret of Hedge", ylim=(0, None))
    fig.legend(loc="outside upper center", ncols=4)
    side.bar(["A", "B"], v, color=HEDGE["color"], hatch=["", "//"], edgecolor="white")
    for i in (0, 1):
        side.note(f"{v[i]:.2f}", (i, v[i]), (0, 3))
    side.frame(title="Hedge's next weights", ylim=(0, 1.1), xticks=[0, 1])
    side.set_xticklabels([f"A\nlost {total[0]:g}", f"B\nlost {total[1]:g}"])
    here = whole[len(moves)]
    fig.score, fig.possible = regret[: ROUND + 1][-1], halves[ROUND]
    return fig.says(
        f"After {count(len(moves), 'trial')} nature has forced a regret of {regret[-1]:.2f}; with"
        f" losses zero or one {here:.2f} is the most."
        if moves
        else f"The most that nature can force in {horizon[-1]} trials is {whole[-1]:.2f} with whole"
        f" losses, {halves[-1]:.2f} with halves.",
        f"After {count(len(moves), 'trial')} ({moves or 'none yet'}) with η = {eta:g} the regret of"
        f" Hedge is {regret[-1]:.3f}. The best play with losses 0 or 1 reaches {here:.3f} in as"
        f" many trials, with losses 1/2 as well {halves[len(moves)]:.3f}; the bound allows"
        f" {bound[len(moves)]:.3f}. Next weights: A {v[0]:.2f}, B {v[1]:.2f}.",
    )
