"""The figures of lecture 03."""

import numpy as np

from ... import adversaries, streams
from ...canvas import canvas, figure, so_far
from ...checks import count
from ...losses import entropic_loss, square_loss
from ...palette import BLACK, BOUND, BROKEN, GREY, LOOK, SKY, VERMILLION, hatched
from ...protocol import play
from ..learners import WeightedAverage
from ..theorems import wa_entropic, wa_square, wa_vovk

WA, VOVK = LOOK["Weighted Average"], LOOK["Vovk"]


def _regret(run):
    """Return L_A - min_i L_i after 0, 1, …, T trials."""
    return so_far(run.losses) - run.cumulative_expert_losses.min(axis=1)


@figure(lecture="03")
def loss_curves():
    """Entropic and square loss of a prediction, for three labels."""
    p = np.linspace(0.0025, 0.9975, 400)
    ticks = [0, 0.25, 0.5, 0.75, 1]
    fig, axes = canvas(1, 2, height=3.4, sharey=True)
    for ax, name, loss in zip(
        axes, ("entropic", "square"), (entropic_loss, square_loss), strict=True
    ):
        for label, colour, style in ((1, BLACK, "-"), (0.5, BLACK, ":"), (0, GREY, BROKEN)):
            look = dict(color=colour, linestyle=style)
            ax.curve(p, loss(label, p), look, f"y = {label:g}")
        ax.frame("prediction p", title=f"{name} loss", ylim=(0, 4), xlim=(0, 1), xticks=ticks)
        ax.xaxis.set_major_formatter("{x:g}")
    axes[0].set_ylabel("loss L(y, p)")
    axes[1].legend(loc="upper center")
    axes[0].see("sure and wrong: no limit", (0.5, 3.5))
    return fig.says(
        f"On a rainy day a forecast of 0.02 costs {entropic_loss(1, 0.02):.2f} with the entropic"
        f" loss, but only {square_loss(1, 0.02):.2f} with the square loss.",
        f"For the label 1 a prediction of 0.5 costs {entropic_loss(1, 0.5):.2f} (entropic) or"
        f" {square_loss(1, 0.5):.2f} (square), a prediction of 0.02 costs"
        f" {entropic_loss(1, 0.02):.2f} or {square_loss(1, 0.02):.2f}. The entropic loss has no"
        " upper limit, the square loss is at most 1.",
    )


@figure(lecture="03")
def wa_weights(n=8, T=200, seed=1, loss="entropic"):
    """Weights of Weighted Average over the trials: the best expert, the early favourite, the
    others.
    """
    run = play(WeightedAverage(n, loss=loss), *streams.forecasts(T, n, rng=seed))
    v, t = run.probabilities, np.arange(1, T + 2)
    best, early = run.best_expert, T // 10
    favourite = v[early].argmax()
    fig, ax = canvas(height=3.6)
    ax.plot(t, v, **LOOK["expert"])
    ax.plot(t, v[:, best], **WA, label=f"expert {best + 1}")
    if favourite != best:
        early_look = dict(color=VERMILLION, linestyle=BROKEN)
        ax.curve(t, v[:, favourite], early_look, f"expert {favourite + 1}")
        lead = v[: T // 4, favourite].argmax()
        ax.see("early luck, soon forgotten", (t[lead], v[lead, favourite]), (8, 2))
    ax.frame("trial t", "weight $v_{t,i}$", xlim=(1, T + 1), ylim=(0, 1))
    ax.ends()
    return fig.says(
        f"After {early} trials expert {favourite + 1} leads; in the end expert {best + 1} has"
        " the most weight."
        if favourite != best
        else f"Expert {best + 1} leads after {early} trials and has the least loss in the end.",
        f"Weights of {n} experts ({loss} loss, η = {run.learner.eta:g}). All start at"
        f" {v[0, best]:.3f}. Expert {best + 1} is the best in the end: its weight is"
        f" {v[early, best]:.2f} after {early} trials, {v[T // 4, best]:.2f} after {T // 4} and"
        f" {v[-1, best]:.2f} after {T}. After {early} trials expert {favourite + 1} leads with"
        f" {v[early].max():.2f}; in the end it has {v[-1, favourite]:.2f}. The others are grey.",
    )


@figure(lecture="03")
def wa_regret(n=8, T=200, seed=1, noise=0.3):
    """Regret of Weighted Average over the trials under its bounds, for both losses."""
    X, y = streams.forecasts(T, n, rng=seed, noise=noise)
    entropic = play(WeightedAverage(n, loss="entropic"), X, y)
    mean, vovk = play(WeightedAverage(n), X, y), play(WeightedAverage(n, prediction="vovk"), X, y)
    fig, axes = canvas(1, 2, width=9, height=3.6)
    told = []
    for ax, run, bound, name, at_most, look in (
        (axes[0], entropic, wa_entropic(entropic).bound, "WA", "ln n", WA),
        (axes[1], mean, wa_square(mean).bound, "WA", "2 ln n", WA),
        (axes[1], vovk, wa_vovk(vovk).bound, "Vovk", "½ ln n", VOVK),
    ):
        ax.plot(np.arange(T + 1), np.full(T + 1, bound), **BOUND, label=at_most)
        ax.plot(np.arange(T + 1), _regret(run), **look, label=name)
        told.append(f"{run.regret:.2f} (at most {bound:.2f})")
    for ax, title in zip(axes, ("entropic loss", "square loss"), strict=True):
        top = 1.08 * ax.lines[0].get_ydata()[0]
        ax.frame("trials", title=title, ylim=(min(0, ax.get_ylim()[0]), top))
        ax.ends()
    axes[0].set_ylabel("regret so far")
    if _regret(mean).max() < wa_vovk(vovk).bound:
        axes[1].see("with Vovk's prediction a quarter", (T, wa_vovk(vovk).bound), (-2, 6))
    return fig.says(
        f"After {T} trials the regret for the entropic loss is {entropic.regret:.2f}, and"
        f" it can never exceed {np.log(n):.2f}, however long you play.",
        f"Regret to the best of {n} forecasters after {T} trials: entropic loss {told[0]}; square"
        f" loss with the mean {told[1]}, with Vovk's prediction {told[2]}. No curve ever"
        " crosses its dashed bound.",
    )


@figure(lecture="03")
def wa_progress(n=4, T=16, seed=3):
    """Both sides of the progress line of the proof, trial by trial, for labels 0/1 and for labels
    in between.
    """
    X, y = streams.forecasts(T, n, rng=seed)
    share = np.random.default_rng([seed, 1]).random(T)
    fig, axes = canvas(2, 1, height=4.6, sharex=True)
    t, room = np.arange(1, T + 1), []
    panels = ((y, 0, "labels 0 or 1: equal"), (share, 1, "labels in between: progress is larger"))
    for ax, (labels, k, title) in zip(axes, panels, strict=True):
        line = wa_entropic(play(WeightedAverage(n, loss="entropic"), X, labels)).lines[k]
        ax.bar(t - 0.2, line.lhs, 0.4, color=SKY, label="regret of the trial")
        ax.bar(t + 0.2, line.rhs, 0.4, **hatched(BLACK), label="progress $d(u,v_t)-d(u,v_{t+1})$")
        ax.axhline(0, color=BLACK, linewidth=0.8)
        ax.frame(title=title, ylabel="nats")
        room.append(line.rhs - line.lhs)
    axes[1].frame("trial t", xticks=t)
    axes[0].legend(loc="upper right", ncols=2)
    axes[0].margins(y=0.4)
    return fig.says(
        "For labels 0 and 1 regret and progress are equal on each trial; for labels in between the"
        " progress is larger.",
        f"Regret against the best of {n} experts and progress towards it on each of {T} trials."
        f" With labels 0 or 1 the difference is at most {max(abs(room[0]).max(), 1e-12):.0e}. With"
        f" labels drawn from [0, 1] the progress is larger by {room[1].min():.4f} to"
        f" {room[1].max():.4f}.",
    )


@figure(lecture="03")
def exp_concavity(eta=2.0, vovk_eta=8.0):
    """Why the mean needs a rate of at most 1/2 and Vovk's prediction one of at most 2."""
    x = np.linspace(0, 1, 401)
    fig, axes = canvas(1, 2, width=9, height=3.9)
    black = dict(color=BLACK, linestyle="-")
    for rate, look in ((0.5, WA), (eta, black)):
        y, chord = np.exp(-rate * (1 - x) ** 2), dict(color=look["color"], linestyle="--")
        axes[0].plot(x, y, **look)
        axes[0].curve(x[[0, 200]], y[[0, 200]], chord, "", "o", 5, linewidth=1)
        axes[0].note(f"η = {rate:g}", (0.2, np.exp(-rate * 0.8**2)), (-2, 16), look["color"])
    axes[0].frame("advice x", title="$e^{-\\eta(1-x)^2}$ against the advice x", ylim=(0, 1.05))
    for rate, look in ((2.0, VOVK), (vovk_eta, black)):
        a, b = np.exp(-rate * x**2), np.exp(-rate * (1 - x) ** 2)
        chord = dict(color=look["color"], linestyle="--")
        axes[1].plot(a, b, **look)
        axes[1].curve(a[[0, -1]], b[[0, -1]], chord, "", "o", 5, linewidth=1)
        axes[1].note(f"η = {rate:g}", (a[200], b[200]), (9, 9), look["color"])
    axes[1].frame("$e^{-\\eta x^2}$", "$e^{-\\eta(1-x)^2}$", xlim=(-0.02, 1.05), ylim=(-0.02, 1.05))
    axes[1].set_title("$e^{-\\eta L}$ for the label 1 against label 0")
    chord, curve = (1 + np.exp(0.75 * eta)) / 2 * np.exp(-eta), np.exp(-eta * 0.75**2)
    if chord > curve:
        axes[0].corner("below its chord: η is too large", 0.97, 0.05)
    middle, bend = (1 + np.exp(-vovk_eta)) / 2, np.exp(-vovk_eta / 4)
    return fig.says(
        f"At η = {eta:g} the chord lies {'above' if chord > curve else 'below'} the mean's curve on"
        " the left, but below Vovk's curve on the right.",
        f"Left: advice 0 and 1/2, label 1. At η = {eta:g} the middle of the chord is at"
        f" {chord:.3f}, the curve at {curve:.3f}; at η = 0.5 the curve is concave. Right: the"
        f" experts that say 0 and 1. At η = {vovk_eta:g} the middle of the chord is at"
        f" {middle:.3f}, the curve at {bend:.3f}; at η = 2 the curve is concave.",
    )


@figure(lecture="03")
def wa_tightness(n=10, eps=0.05):
    """Regret of Weighted Average along three streams that make its bounds sharp, as a share of the
    bound.
    """
    cases = (
        ("entropic, η = 1", dict(loss="entropic"), wa_entropic, dict(color=BLACK)),
        ("square, mean, η = 1/2", dict(), wa_square, WA),
        ("square, Vovk, η = 2", dict(prediction="vovk"), wa_vovk, VOVK),
    )
    data = (
        adversaries.sharp_entropic(n, 1000),
        adversaries.sharp_square(n, eps),
        adversaries.sharp_square(n, eps, 2),
    )
    fig, ax = canvas()
    ax.axhline(1, **BOUND)
    ends = []
    for (name, options, prove, look), stream in zip(cases, data, strict=True):
        run = play(WeightedAverage(n, **options), *stream)
        share = _regret(run)[1:] / prove(run).bound
        ax.plot(np.arange(1, len(run) + 1), share, **look, label=name)
        ends.append((share[-1], f"{share[-1]:.5f} for {name} in {count(len(run), 'trial')}"))
    ax.frame("trials t", "regret so far / bound", xlog=10, ylim=(0, 1.05))
    ax.legend(loc="lower right")
    ax.corner("each climbs\nto its bound", 0.02, 0.92)
    least = np.floor(100 * min(share for share, _ in ends))
    return fig.says(
        f"On streams made for it each regret climbs to more than {least:.0f}% of its bound.",
        f"Regret so far divided by the bound (ln n)/η, n = {n} experts, on one sharp stream for"
        f" each rule (steps of {eps:g} for the square loss). At the end: "
        + "; ".join(text for _, text in ends)
        + ".",
    )
