"""The figures of lecture 01."""

from operator import attrgetter

import numpy as np

from ... import adversaries, streams
from ...figure import BLACK, BLUE, LIGHT, LOOK, VERMILLION, canvas, figure, label_ends
from ...many import play_many
from ...protocol import play
from ..learners import Halving


def lg_floor(n: int) -> int:
    """Return the whole part of the binary logarithm of n."""
    return n.bit_length() - 1


@figure(lecture="01")
def halving_table():
    """Halving on the eight experts of the table, trial by trial."""
    X, y = streams.EIGHT_EXPERTS
    run = play(Halving(8), X, y)
    fig, ax = canvas(height=2.6)
    for t in range(len(run)):
        for i in range(8):
            trusted, wrong = run.weights[t, i], X[t, i] != y[t]
            colour = LIGHT if not trusted else VERMILLION if wrong else BLUE
            ax.add_patch(_tile(i, t, colour, hatch="///" if trusted and wrong else None))
            if trusted:
                ax.text(
                    i,
                    t,
                    f"{X[t, i]}",
                    ha="center",
                    va="center",
                    color="white",
                    fontweight="bold",
                    bbox=dict(boxstyle="round,pad=0.15", fc=colour, ec="none"),
                )
        for column, value in ((9, run.predictions[t]), (10.3, y[t]), (11.6, int(run.losses[t]))):
            ax.text(column, t, f"{value}", ha="center", va="center", fontweight="bold")
    ax.set(
        xlim=(-0.6, 12.3),
        ylim=(2.6, -0.6),
        yticks=range(3),
        yticklabels=["trial 1", "trial 2", "trial 3"],
    )
    ax.set_xticks(
        [*range(8), 9, 10.3, 11.6],
        [*(f"$E_{i}$" for i in range(1, 9)), "predicts", "label", "loss"],
    )
    ax.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    ax.grid(False)
    ax.spines[:].set_visible(False)
    left = ", ".join(f"{v:.0f}" for v in run.weights.sum(axis=1))
    fig.description = (
        "Halving with eight experts. Blue tiles are right, hatched orange ones are wrong and"
        f" leave, grey ones left before. Trusted before each trial and at the end: {left}."
        f" Mistakes: {run.mistakes} of {len(run)} trials; expert {run.best_expert + 1} is never"
        " wrong."
    )
    return fig


def _tile(i, t, colour, hatch=None):
    from matplotlib.patches import Rectangle

    return Rectangle(
        (i - 0.47, t - 0.45), 0.94, 0.9, facecolor=colour, hatch=hatch, edgecolor="white"
    )


@figure(lecture="01")
def halving_run(n=64, T=12, seed=6, adversary=False):
    """Experts that Halving still trusts, and the bound n/2^M, over the trials."""
    if adversary:
        run = adversaries.split_in_half(Halving(n), n)
    else:
        run = play(Halving(n), *streams.one_good_expert(T, n, rng=seed))
    V, t = run.weights.sum(axis=1), np.arange(1, len(run) + 2)
    fig, ax = canvas()
    (bound,) = ax.step(t, n * 2.0**-run.mistakes_before, where="post", **LOOK["bound"])
    (trusted,) = ax.step(t, V, where="post", **LOOK["Halving"])
    wrong = np.flatnonzero(run.mistake)
    ax.plot(
        t[wrong],
        V[wrong],
        "X",
        color=VERMILLION,
        markersize=10,
        markeredgecolor="white",
        label="mistake",
    )
    ax.legend(loc="upper right")
    ax.set_yscale("log", base=2)
    ax.set(xlabel="trial t", ylabel="experts", xlim=(0.5, len(t) + 0.5), ylim=(0.7, 1.6 * n))
    ax.yaxis.set_major_formatter("{x:.0f}")
    label_ends(ax, [(trusted, "trusted $|V_t|$"), (bound, r"bound $n\,2^{-M_t}$")])
    nature = (
        "an adversary that splits them in half"
        if adversary
        else "coins, with one expert always right"
    )
    fig.description = (
        f"Halving with {n} experts against {nature}: {run.mistakes} mistakes in {len(run)} trials,"
        f" at most {lg_floor(n)} are possible. Experts still trusted at the end: {V[-1]:.0f}."
    )
    return fig


@figure(lecture="01")
def halving_tightness(largest=64, runs=200, seed=0):
    """Halving's bound, exact worst case and typical number of mistakes against the number of
    experts.
    """
    n = np.arange(2, largest + 1)
    bound = [lg_floor(int(k)) for k in n]
    exact = [adversaries.halving_worst_case(int(k)) for k in n]
    sizes = [8, 64, 1024]
    rng = np.random.default_rng(seed)
    counts = [
        play_many(
            lambda i, k=k: Halving(k),
            (streams.one_good_expert(40, k, rng) for _ in range(runs)),
            read=attrgetter("mistakes"),
        )
        for k in sizes
    ]
    mean, spread = np.mean(counts, axis=1), np.std(counts, axis=1)
    fig, ax = canvas()
    more = 2 ** np.arange(lg_floor(largest) + 1, 12)
    ax.step([*n, *more], [*bound, *map(lg_floor, more.tolist())], where="post", **LOOK["bound"])
    ax.plot(n, exact, ".", color=BLACK, markersize=5)
    ax.errorbar(
        sizes,
        mean,
        spread,
        fmt="x",
        color=LOOK["Halving"]["color"],
        markersize=9,
        capsize=4,
        markeredgewidth=2,
    )
    ax.set_xscale("log", base=2)
    ax.set(xlabel="experts n", ylabel="mistakes", ylim=(0, 11), xlim=(1.8, 2048))
    ax.xaxis.set_major_formatter("{x:.0f}")
    ax.annotate(
        r"bound $\lfloor\lg n\rfloor$",
        (256, 8),
        xytext=(-8, 2),
        textcoords="offset points",
        ha="right",
        color=LOOK["bound"]["color"],
    )
    ax.annotate(
        f"exact worst case, every n ≤ {largest}",
        (64, 6),
        xytext=(10, -16),
        textcoords="offset points",
    )
    ax.annotate(
        f"typical: mean ± deviation\nof {runs} random streams",
        (sizes[-1], mean[-1] - spread[-1]),
        xytext=(0, -8),
        textcoords="offset points",
        ha="center",
        va="top",
        color=LOOK["Halving"]["color"],
    )
    typical = ", ".join(f"{m:.2f} at n = {k}" for k, m in zip(sizes, mean, strict=True))
    equal = "equals" if bound == exact else "differs from"
    fig.description = (
        f"The bound on Halving's mistakes {equal} the exact worst case for every n from 2 to"
        f" {largest}. On random streams Halving makes far fewer mistakes on average: {typical}."
    )
    return fig


@figure(lecture="01")
def realizable_minimax(largest=16):
    """Expected mistakes of the best randomised play against the best nature, with a perfect
    expert.
    """
    n = np.arange(2, largest + 1)
    value = [adversaries.realizable_minimax(int(k)) for k in n]
    fig, ax = canvas()
    ax.plot(n, np.log2(n) / 2, **LOOK["bound"], label=r"$\frac{1}{2}\lg n$")
    ax.plot(n, [float(v) for v in value], "o-", color=BLACK, markersize=5, label="exact value")
    ax.step(
        n,
        [lg_floor(int(k)) / 2 for k in n],
        where="post",
        **{**LOOK["bound"], "linestyle": ":"},
        label=r"$\frac{1}{2}\lfloor\lg n\rfloor$",
    )
    for k in (5, 8, 16):
        if k <= largest:
            ax.annotate(
                str(value[k - 2]),
                (k, float(value[k - 2])),
                xytext=(0, 9),
                textcoords="offset points",
                ha="center",
            )
    ax.legend(loc="lower right", fontsize=12)
    ax.set(xlabel="experts n", ylabel="expected mistakes", ylim=(0.4, 2.25))
    shown = ", ".join(
        f"{v} at n = {k}" for k, v in zip(n, value, strict=True) if k in (2, 3, 4, 5, 8, 16)
    )
    fig.description = (
        f"Exact value of the game with a perfect expert and a randomised learner: {shown}. "
        "It lies between half the whole part of lg n and half of lg n."
    )
    return fig
