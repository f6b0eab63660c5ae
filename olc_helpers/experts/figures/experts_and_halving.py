"""The figures of lecture 01."""

import numpy as np

from ... import adversaries, streams
from ...canvas import canvas, figure
from ...checks import check_range, count
from ...palette import BLACK, BLUE, BOUND, DOTTED, GREY, LIGHT, LOOK, VERMILLION
from ...protocol import play
from ..learners import Halving
from ..theorems import halving_at_most, halving_bound


@figure(lecture="01")
def halving_table():
    """Halving on the eight experts of the table, trial by trial."""
    X, y = streams.EIGHT_EXPERTS
    run = play(Halving(8), X, y)
    fig, ax = canvas(height=2.6)
    columns = [*range(8), 9, 10.3, 11.6]
    names = [*(f"$E_{i}$" for i in range(1, 9)), "predicts", "label", "loss"]
    for t in range(len(run)):
        for i in range(8):
            trusted, wrong = run.weights[t, i], X[t, i] != y[t]
            colour = LIGHT if not trusted else VERMILLION if wrong else BLUE
            hatch = "///" if trusted and wrong else None
            ax.tile(i, t, 0.94, 0.9, colour, hatch=hatch, edgecolor="white")
            if trusted:
                ax.word(i, t, f"{X[t, i]}", color="white", fontweight="bold", box=colour)
        found = run.predictions[t], y[t], int(run.losses[t])
        for column, value in zip(columns[8:], found, strict=True):
            ax.word(column, t, f"{value}", fontweight="bold")
    ax.bare(xlim=(-0.6, 12.3), ylim=(2.6, -0.6), yticks=range(3), xticks=columns)
    ax.set(xticklabels=names, yticklabels=["trial 1", "trial 2", "trial 3"])
    ax.tick_params(top=False, labeltop=True, labelbottom=False)
    left = ", ".join(f"{v:.0f}" for v in run.weights.sum(axis=1))
    return fig.says(
        f"After {count(run.mistakes, 'mistake')} in {count(len(run), 'trial')} only expert"
        f" {run.best_expert + 1} is still trusted.",
        "Halving with eight experts. Blue tiles are right, hatched vermilion ones are wrong and"
        f" leave, grey ones left before. Trusted before each trial and at the end: {left}."
        f" Mistakes: {run.mistakes} of {count(len(run), 'trial')}; expert {run.best_expert + 1} is"
        " never wrong.",
    )


@figure(lecture="01")
def halving_run(n=64, T=12, seed=6, adversary=False):
    """Experts that Halving still trusts, and the bound n/2^M, over the trials."""
    if adversary:
        run = adversaries.split_in_half(Halving(n), n)
    else:
        run = play(Halving(n), *streams.one_good_expert(T, n, rng=seed))
    V, t, ledger = run.weights.sum(axis=1), np.arange(1, len(run) + 2), halving_bound(run)
    fig, ax = canvas()
    ax.step(t, ledger.lines[4].rhs, where="post", **BOUND, label=r"bound $n\,2^{-M_t}$")
    ax.step(t, V, where="post", **LOOK["Halving"], label="trusted $|V_t|$")
    ax.frame("trial t", "experts", ylog=2, whole="x", xlim=(0.5, len(t) + 0.5), ylim=(0.7, 1.6 * n))
    ax.ends()
    ax.crosses(t[:-1][run.mistake], V[:-1][run.mistake], VERMILLION, 10)
    if run.mistakes:
        ax.corner("each × is a mistake: the ceiling halves", 0.98, 0.98)
    nature = "coins, with one expert always right"
    if adversary:
        nature = "an adversary that splits them in half"
    return fig.says(
        f"Halving makes {run.mistakes} of at most {count(ledger.bound, 'mistake')}: the trusted"
        " set stays under a line that each mistake halves.",
        f"Halving with {n} experts against {nature}: {count(run.mistakes, 'mistake')} in"
        f" {count(len(run), 'trial')}, at most {ledger.bound:.0f} are possible. Experts still"
        f" trusted at the end: {V[-1]:.0f}.",
    )


@figure(lecture="01")
def halving_list(trial=3, n=64, T=12, seed=6):
    """The proof as it happens: who is on Halving's list, who leaves, and the line that each mistake
    halves.
    """
    k = int(check_range("trial", trial, lambda t: 1 <= t <= T, f"between 1 and {T}")) - 1
    X, y = streams.one_good_expert(T, n, rng=seed)
    run = play(Halving(n), X, y)
    listed, wrong, V = run.weights[k] > 0, X[k] != y[k], run.weights.sum(axis=1)
    bound, t = halving_bound(run).lines[4].rhs, np.arange(1, T + 2)
    fig, (tiles, ax) = canvas(1, 2, 8.5, 4.2, width_ratios=[1, 1.25])
    wide = int(np.ceil(np.sqrt(n)))
    for i in range(n):
        leaves = listed[i] and wrong[i]
        colour = VERMILLION if leaves else BLUE if listed[i] else LIGHT
        hatch = "////" if leaves else None
        tiles.tile(i % wide, i // wide, 0.9, 0.9, colour, hatch=hatch, edgecolor="white")
    tiles.set_aspect("equal")
    title = f"trial {k + 1}: {V[k]:.0f} on the list, {(listed & wrong).sum()} leave"
    tiles.bare(xlim=(-0.6, wide - 0.4), ylim=(wide - 0.4, -0.6), xticks=[], yticks=[], title=title)
    for line, look in ((bound, BOUND), (V, LOOK["Halving"])):
        ax.step(t, line, where="post", **look | {"alpha": 0.3})
        ax.step(t[: k + 2], line[: k + 2], where="post", **look)
    past = np.flatnonzero(run.mistake[: k + 1])
    ax.axvline(k + 1, color=BLACK, linewidth=1)
    ax.crosses(past + 1, V[past], VERMILLION, 10)
    ax.note("$n\\,2^{-M_t}$", (T, bound[-1]), (0, 8), GREY)
    ax.note("on the list", (T, V[-1]), (0, 6), BLUE)
    limits = dict(xlim=(0.5, T + 1.5), ylim=(0.7, 1.6 * n))
    ax.frame("trial t", title="how many are on the list", ylog=2, whole="x", **limits)
    ax.corner("each × halves the ceiling", 0.98, 0.98, paper=True)
    half = f"a mistake, so at least half of the {V[k]:.0f} leave"
    return fig.says(
        f"Trial {k + 1}: {half if run.mistake[k] else 'no mistake'}; {count(V[k + 1], 'expert')}"
        f" stay{'s' if V[k + 1] == 1 else ''} on the list.",
        f"Halving with {n} experts, trial {k + 1} of {T}. On the left a tile for each expert: blue"
        f" ones are on the list and right, {(listed & ~wrong).sum()} of them, hatched vermilion"
        f" ones are on it and wrong and leave, {(listed & wrong).sum()} of them, grey ones left"
        f" before. On the right the length of the list over the trials, now {V[k]:.0f}, below the"
        f" dashed line, now {bound[k]:g}, which each mistake halves;"
        f" {count(run.mistake[: k + 1].sum(), 'mistake')} so far. At the end {V[-1]:.0f} ≤"
        f" {bound[-1]:g}.",
    )


def expected_on_coins(n: int) -> np.ndarray:
    """Return the expected mistakes of Halving with 0, 1, …, n experts on `streams.one_good_expert`,
    played until one expert is left.

    Exact: of c trusted experts `stay` agree with the perfect one, and the others leave, with the
    probability that stay - 1 of c - 1 coins fall the same way. Halving errs if they were the
    minority, and on every second tie.
    """
    expected, chance = np.zeros(n + 1), np.ones(1)
    for c in range(2, n + 1):
        chance = (np.append(chance, 0) + np.append(0, chance)) / 2
        stay = np.arange(1, c)
        cost = np.heaviside(c - 2 * stay, 0.5) + expected[stay]
        expected[c] = chance[:-1] @ cost / (1 - chance[-1])
    return expected


@figure(lecture="01")
def halving_tightness(largest=256):
    """Halving's bound, its exact worst case and its expected mistakes on coins against the number
    of experts.
    """
    n = np.arange(2, largest + 1)
    bound = [halving_at_most(int(k)) for k in n]
    exact = [adversaries.halving_worst_case(int(k)) for k in n]
    coins = expected_on_coins(largest)[2:]
    fig, ax = canvas()
    name = "bound $\\lfloor\\lg n\\rfloor$\n(dots: exact\nworst case)"
    ax.step(n, bound, where="post", **BOUND, label=name)
    ax.dots(n, exact, ".", BLACK, 4)
    ax.plot(n, coins, **LOOK["Halving"], label="expected\non coins")
    ax.frame("experts n", "mistakes", xlog=2, ylim=(0, bound[-1] + 0.5))
    ax.ends()
    if bound == exact:
        ax.corner("no room between bound and worst case", 0.03, 0.95)
    equal = "equals" if bound == exact else "differs from"
    shares = coins / np.log2(n)
    return fig.says(
        f"The bound {equal} the exact worst case for every n up to {largest}; on coins Halving"
        f" expects {coins[-1]:.1f} mistakes there, not {exact[-1]}.",
        f"The bound on Halving's mistakes {equal} the exact worst case over all sequences with a"
        f" perfect expert, for every n from 2 to {largest}. Where the other experts toss coins, the"
        f" expected number of mistakes is {coins[0]:.2f} at n = 2 and {coins[-1]:.2f} at n ="
        f" {largest}, between {shares.min():.2f} and {shares.max():.2f} times lg n.",
    )


class _AlwaysOne:
    """A learner that predicts 1 and never changes."""

    def predict(self, x):
        return 1

    def update(self, x, y):
        pass


@figure(lecture="01")
def halving_tree(n=11):
    """Nature splits the perfect experts in half: every way down the tree is a play, every step a
    mistake.
    """
    if not 2 <= n <= 32:
        raise ValueError(f"n must be between 2 and 32, or the tree cannot be read; got {n}")
    split, stubborn = (adversaries.split_in_half(each, n) for each in (Halving(n), _AlwaysOne()))
    fig, ax = canvas(height=4.2)
    _branch(ax, 0, n, 0)
    ends = {}
    for name, run, colour, style, shift in (
        ("Halving", split, BLUE, "-", -0.08),
        ("always 1", stubborn, VERMILLION, (0, (2, 1)), 0.08),
    ):
        x, low, size = [(n - 1) / 2], 0, n
        for label in run.y:
            low, size = (low, size // 2) if label else (low + size // 2, size - size // 2)
            x.append(low + (size - 1) / 2)
        at = np.array(x) + shift * n / 11, np.arange(len(x))
        ax.plot(*at, color=colour, linestyle=style, linewidth=4)
        ends[x[-1]] = ("both", run, BLACK) if x[-1] in ends else (name, run, colour)
    for end, (name, run, colour) in ends.items():
        text, right = f"{name}:\n{count(run.mistakes, 'mistake')}", end > n / 2
        offset, side = (12, "right") if right else (-12, "left")
        ax.note(text, (end, len(run)), (offset, -13), colour, va="top", ha=side)
    ax.corner("each step down is a mistake", 0.01, 0.98)
    ax.note("label 1", ((n - 1) / 2, 0), (-30, 4), GREY)
    ax.note("label 0", ((n - 1) / 2, 0), (30, 4), GREY)
    deepest = max(len(split), len(stubborn))
    ax.frame(ylabel="mistakes so far", xlim=(-0.8, n - 0.2), ylim=(deepest + 0.75, -0.4))
    ax.set(xticks=[], yticks=range(deepest + 1))
    ax.grid(False)
    ax.spines["bottom"].set_visible(False)
    return fig.says(
        f"Each step down is a mistake: with {n} experts nature gets {split.mistakes} out of"
        f" Halving and {stubborn.mistakes} out of a stubborn learner.",
        f"A tree over {n} experts that were never wrong. Each node holds the number that are left;"
        " those in the left branch say 1, those in the right branch 0, as equal as possible, and"
        " nature answers the label that was not predicted. Every step is a mistake, and no way down"
        f" is shorter than {halving_at_most(n)}. Halving, in blue, makes {split.mistakes}; a"
        f" learner that always says 1, in vermilion, makes {stubborn.mistakes}.",
    )


def _branch(ax, low, size, depth):
    """Draw the node of the experts low … low + size - 1, and the tree below it."""
    x = low + (size - 1) / 2
    for start, part in ((low, size // 2), (low + size // 2, size - size // 2)) * (size > 1):
        ax.plot([x, start + (part - 1) / 2], [depth, depth + 1], color=GREY, linewidth=1, zorder=0)
        _branch(ax, start, part, depth + 1)
    circle = dict(boxstyle="circle,pad=0.25", fc="white", ec=GREY)
    ax.word(x, depth, f"{size}", bbox=circle, zorder=3)


@figure(lecture="01")
def realizable_minimax(largest=16):
    """Expected mistakes of the best randomised play against the best nature, with a perfect
    expert.
    """
    n = np.arange(2, largest + 1)
    value = [adversaries.realizable_minimax(int(k)) for k in n]
    fig, ax = canvas()
    half = [halving_at_most(int(k)) / 2 for k in n]
    ax.plot(n, np.log2(n) / 2, **BOUND, label=r"$\frac{1}{2}\lg n$")
    ax.plot(n, [float(v) for v in value], "o-", color=BLACK, markersize=5, label="exact value")
    ax.step(n, half, where="post", **DOTTED, label=r"$\frac{1}{2}\lfloor\lg n\rfloor$")
    exact = dict(zip(n.tolist(), value, strict=True))
    for k, offset in ((5, (18, -10)), (8, (0, 9)), (16, (0, 9))):
        if k in exact:
            ax.note(str(exact[k]), (k, float(exact[k])), offset, ha="center")
    ax.see("at powers of 2 all three meet", (8, 1.5), (-22, 12))
    ax.legend(loc="lower right", fontsize=12)
    ax.frame("experts n", "expected mistakes", ylim=(0.4, 2.25))
    shown = ", ".join(f"{v} at n = {k}" for k, v in exact.items() if k in (2, 3, 4, 5, 8, 16))
    return fig.says(
        "A coin halves what nature can force: the exact value lies between half the whole part of"
        " lg n and half of lg n.",
        "Expected mistakes of the best randomised learner against the best nature, with a perfect"
        f" expert, exact: {shown}. The value lies between half the whole part of lg n and half of"
        " lg n, and equals both where n is a power of 2.",
    )
