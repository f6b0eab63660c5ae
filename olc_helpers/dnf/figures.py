"""The figures of lecture 10."""

from itertools import combinations
from operator import attrgetter

import numpy as np

from .. import adversaries, streams
from ..booleans import cube, formula
from ..canvas import canvas, figure, label_ends
from ..checks import count
from ..many import play_many
from ..palette import BLACK, BLUE, GREY, LIGHT, LOOK, MID, PALE, VERMILLION
from ..protocol import play
from ..winnow.theorems import winnow_refined_at_most
from .kernels import AnovaKernel, anova_kernel
from .learners import KernelPerceptron, Memory, MonomialWinnow, SparseMonomialWinnow
from .theorems import kernel_perceptron_at_most

KERNEL, WINNOW, MEMORY = LOOK["Perceptron"], LOOK["Winnow"], LOOK["memorising"]


def _bare(ax):
    ax.bare()
    ax.set(xticks=[], yticks=[])


# The concept of a cat -----------------------------------------------------------------------------


@figure(lecture="10")
def cat_network(
    pet=True,
    purrs=True,
    tail=True,
    furry=True,
    tapered_ears=False,
    round_eyes=False,
    sylvester=False,
    chases_tweety=False,
):
    """The concept of a cat as a network with one hidden layer: a unit for each term, and one that
    joins them.
    """
    from matplotlib.patches import Circle

    bits = np.array(
        [pet, purrs, tail, furry, tapered_ears, round_eyes, sylvester, chases_tweety]
    ).astype(int)
    terms, cat = streams.CAT.terms, int(streams.CAT(bits))
    fig, ax = canvas(height=4.2)
    true = [all((bits[abs(i) - 1] == 1) == (i > 0) for i in term) for term in terms]
    heights = [1.2, 3.5, 6.2]
    for height, term, on in zip(heights, terms, true, strict=True):
        for i in term:
            holds = (bits[abs(i) - 1] == 1) == (i > 0)
            ax.plot(
                [0.15, 3.75],
                [abs(i) - 1, height],
                color=BLUE if holds else MID,
                linewidth=2 if holds else 1.2,
                linestyle="-" if i > 0 else "--",
                zorder=1,
            )
        ax.plot(
            [4.25, 6.75],
            [height, 3.6],
            color=VERMILLION if on else MID,
            linewidth=2 if on else 1.2,
            zorder=1,
        )
        ax.add_patch(
            Circle(
                (4, height),
                0.42,
                facecolor=VERMILLION if on else "white",
                edgecolor=BLACK,
                zorder=2,
            )
        )
        ax.word(4, height, "∧", fontsize=13, color="white" if on else BLACK, zorder=3)
    for i, name in enumerate(streams.CAT_FEATURES):
        ax.add_patch(
            Circle((0, i), 0.3, facecolor=BLUE if bits[i] else "white", edgecolor=BLACK, zorder=2)
        )
        ax.word(0, i, f"{bits[i]}", fontsize=10, color="white" if bits[i] else BLACK, zorder=3)
        ax.text(-0.55, i, name.replace("_", " "), ha="right", va="center")
    ax.add_patch(
        Circle((7, 3.6), 0.5, facecolor=VERMILLION if cat else "white", edgecolor=BLACK, zorder=2)
    )
    ax.word(7, 3.6, "∨", fontsize=15, color="white" if cat else BLACK, zorder=3)
    ax.text(7.7, 3.6, "a cat" if cat else "no cat", va="center", fontsize=12, fontweight="bold")
    ax.set(xlim=(-3.6, 9.4), ylim=(7.6, -0.6), aspect="equal")
    _bare(ax)
    has = (
        ", ".join(
            name.replace("_", " ")
            for name, bit in zip(streams.CAT_FEATURES, bits, strict=True)
            if bit
        )
        or "nothing"
    )
    return fig.says(
        f"{sum(true)} of the three kinds of cat {'fits' if sum(true) == 1 else 'fit'}, so this is"
        f" {'a cat' if cat else 'no cat'}.",
        "Eight features, three terms, one disjunction; a dashed line is a negated literal. With"
        f" {has}, {sum(true)} of 3 terms {'is' if sum(true) == 1 else 'are'} true:"
        f" {'a cat' if cat else 'no cat'}. Of the 256 possible animals"
        f" {int(streams.CAT(cube(8)).sum())} are cats.",
    )


# Monomials ----------------------------------------------------------------------------------------


@figure(lecture="10")
def monomial_lattice(x=0b1101, z=0b0111):
    """The 16 monomials of four variables, and those that are 1 on x, on z, and on both."""
    from matplotlib.collections import LineCollection, PolyCollection

    x, z = (np.array([int(b) for b in f"{v:04b}"]) if 0 <= v < 16 else _refuse(v) for v in (x, z))
    fig, ax = canvas(height=4.6)
    spots = {}
    for size in range(5):
        sets = list(combinations(range(4), size))
        for j, s in enumerate(sets):
            spots[s] = 2.15 * (j - (len(sets) - 1) / 2), -1.35 * size
    links = [
        (spots[s], spots[tuple(sorted((*s, i)))]) for s in spots for i in set(range(4)) - set(s)
    ]
    ax.add_collection(LineCollection(links, colors=PALE, linewidths=1, zorder=1))
    on_x, on_z = (np.array([all(bits[list(s)]) for s in spots]) for bits in (x, z))
    both, places = on_x & on_z, np.array(list(spots.values()))[:, None]
    half = np.array([[0, -0.34], [0.95, -0.34], [0.95, 0.34], [0, 0.34]])
    for corners, look in (
        (half - (0.95, 0), dict(facecolors=np.where(on_x, BLUE, LIGHT))),
        (half, dict(facecolors=np.where(on_z, VERMILLION, LIGHT))),
        (
            half * (2, 1) - (0.95, 0),
            dict(
                facecolors="none",
                edgecolors=np.where(both, BLACK, MID),
                linewidths=np.where(both, 2.2, 0.8),
            ),
        ),
    ):
        ax.add_collection(PolyCollection(places + corners, zorder=2, **look))
    for s, (a, b) in spots.items():
        label = "".join(f"x_{i + 1}" for i in s) or "1"
        ax.word(
            a,
            b,
            f"${label}$",
            zorder=4,
            fontsize=11,
            bbox=dict(boxstyle="round,pad=0.12", fc="white", ec="none"),
        )
    ax.set(xlim=(-6.6, 6.6), ylim=(-5.9, 0.7))
    _bare(ax)
    ax.text(-6.5, 0.15, f"blue: 1 on x = {''.join(map(str, x))}", color=BLUE)
    ax.text(6.5, 0.15, f"vermilion: 1 on z = {''.join(map(str, z))}", color=VERMILLION, ha="right")
    return fig.says(
        f"{x @ z} common ones have {count(both.sum(), 'subset')}: just these monomials, in thick"
        " frames, are 1 on both inputs.",
        "The monomials of four variables, from the constant 1 to the product of all. On x ="
        f" {''.join(map(str, x))} there are {2 ** x.sum()} that are 1, on z ="
        f" {''.join(map(str, z))} there are {2 ** z.sum()}. The rows have {x @ z} common ones, so"
        f" they share {count(both.sum(), 'monomial')} (thick frames), which is 2 to the power"
        f" {x @ z}.",
    )


def _refuse(v):
    raise ValueError(f"x and y must be in 0 … 15, four bits; got {v}")


# Races --------------------------------------------------------------------------------------------


def _curve(ax, run, look):
    return ax.plot(np.arange(len(run) + 1), run.mistakes_before, **look)[0]


@figure(lecture="10")
def dnf_race(n=16, k=2, size=2, T=800, seed=0):
    """Cumulative mistakes of the kernel Perceptron, of Winnow on all monomials, and of
    memorising.
    """
    if n > 20:
        raise ValueError(f"n must be at most 20 for this figure: Winnow keeps 2^n weights; got {n}")
    target = streams.random_dnf(n, k, size, rng=seed)
    X, y = streams.labelled(target, T, n, rng=seed + 1)
    runs = {
        "memorising": play(Memory(), X, 2 * y - 1),
        "kernel Perceptron": play(KernelPerceptron(anova_kernel), X, 2 * y - 1),
        "Winnow": play(MonomialWinnow(n), X, y),
    }
    fig, ax = canvas()
    lines = [
        (_curve(ax, run, {"memorising": MEMORY, "Winnow": WINNOW}.get(name, KERNEL)), name)
        for name, run in runs.items()
    ]
    highest = 2.2 * max(runs["kernel Perceptron"].mistakes, runs["Winnow"].mistakes)
    ax.frame("trials", "mistakes so far", ylim=(0, highest))
    bound = winnow_refined_at_most(2**n, k)
    if bound < highest:
        lines.append(
            (ax.plot([0, T], [bound, bound], **LOOK["bound"])[0], f"Winnow's bound {bound}")
        )
    if runs["memorising"].mistakes > highest:
        lines[0] = (ax.plot([], [])[0], "")
        ax.note("memorising", (0.8 * highest, 0.8 * highest), (8, 0), MEMORY["color"], va="center")
    label_ends(ax, [pair for pair in lines if pair[1]])
    counts = ", ".join(f"{name} {run.mistakes}" for name, run in runs.items())
    late = {name: int(run.mistake[T // 2 :].sum()) for name, run in runs.items()}
    return fig.says(
        f"In the second half the kernel Perceptron errs {count(late['kernel Perceptron'], 'time')},"
        f" Winnow {count(late['Winnow'], 'time')}, and memorising on nearly every trial."
        if runs["memorising"].mistakes > 0.9 * T
        else "In the second half the kernel Perceptron errs"
        f" {count(late['kernel Perceptron'], 'time')}, Winnow {count(late['Winnow'], 'time')},"
        f" memorising {count(late['memorising'], 'time')}.",
        f"Target: {target}, {n} variables, {T} random rows, {y.mean():.0%} positive. Mistakes:"
        f" {counts}. In the second half of the trials the kernel Perceptron still makes"
        f" {late['kernel Perceptron']}, Winnow {late['Winnow']}; its bound is {bound}.",
    )


@figure(lecture="10")
def degree_limit(n=60, T=400, repeats=12, seed=0):
    """Mistakes of the kernel Perceptron when only monomials up to a degree are features: means of
    several streams, with their standard errors.
    """
    degrees = [1, 2, 3, 4, 6, None]
    targets = [streams.random_dnf(n, 2, 2, rng=seed + s) for s in range(repeats)]
    data = [streams.labelled(target, T, n, rng=seed + s + 1000) for s, target in enumerate(targets)]
    counts = np.array(
        [
            play_many(
                lambda i, d=d: KernelPerceptron(AnovaKernel(d)),
                [(X, 2 * y - 1) for X, y in data],
                read=attrgetter("mistakes"),
            )
            for d in degrees
        ]
    )
    mean, error = counts.mean(axis=1), counts.std(axis=1, ddof=1) / np.sqrt(repeats)
    best = int(mean.argmin())
    more = counts - counts[best]  # stream by stream
    doubt = 3 * more.std(axis=1, ddof=1) / np.sqrt(repeats)
    names = [*map(str, degrees[:-1]), f"all {n}"]
    good = [name for name, m, d in zip(names, more.mean(axis=1), doubt, strict=True) if m <= d]
    fig, ax = canvas()
    x = np.arange(len(degrees))
    ax.errorbar(x, mean, error, color=KERNEL["color"], fmt="o-", capsize=4)
    ax.set_xticks(x, names)
    ax.frame(
        "degree: variables in a monomial, at most",
        f"mistakes in {T} trials",
        ylim=(0, 1.15 * (mean + error).max()),
    )
    values = ", ".join(
        f"{m:.1f} ± {e:.1f} at {name}" for name, m, e in zip(names, mean, error, strict=True)
    )
    return fig.says(
        f"Degree {good[0]} is best; with all monomials the few that matter drown in the others."
        if len(good) == 1
        else f"Degrees {good[0]} to {good[-1]} can't be told apart; with all monomials the few that"
        " matter drown in the others.",
        f"Targets of two terms with two of {n} variables each, {T} random rows, {repeats} streams."
        f" Mean number of mistakes with its standard error, by degree: {values}. Within three"
        f" standard errors of the best, stream by stream: {', '.join(good)}.",
    )


# How tight? ---------------------------------------------------------------------------------------

SMALL = (
    "x1",
    "x1 x2",
    "x1 ∨ x2",
    "x1 x2 x3",
    "x1 x2 ∨ x3",
    "x1 x2 ∨ x1 x3",
    "x1 ∨ x2 ∨ x3",
    "x1 x2 ∨ x2 x3 ∨ x1 x3",
)


@figure(lecture="10")
def kernel_tightness(n=3, orders=10, seed=0):
    """The kernel Perceptron's bound, its exact worst case over all sequences of inputs with the
    target's labels, typical mistakes, and memorising, for small DNFs.
    """
    rng, X = np.random.default_rng(seed), cube(n)
    rows = []
    for text in SMALL:
        target = formula(text)
        if target.n > n:
            continue
        labels = 2 * target(X) - 1
        typical = []
        for _ in range(orders):
            order = rng.permutation(len(X))
            run = play(
                KernelPerceptron(anova_kernel),
                X[order],
                labels[order],
                epochs=40,
                until_consistent=True,
            )
            typical.append(run.mistakes)
        k = len(target.terms)
        rows.append(
            (
                text,
                kernel_perceptron_at_most(2**n, k),
                adversaries.kernel_perceptron_on_formula(target, n).mistakes,
                np.mean(typical),
            )
        )
    names, bound, exact, mean = zip(*rows, strict=True)
    fig, ax = canvas(height=0.9 + 0.42 * len(rows))
    at = np.arange(len(rows))
    ax.dots(bound, at, "|", GREY, 14, markeredgewidth=2.5, label="bound $(4k+1)\\,2^n$")
    ax.dots(exact, at, "o", BLACK, 7, label="exact worst case")
    ax.dots(mean, at, "x", KERNEL["color"], 8, markeredgewidth=2, label="typical")
    ax.axvline(
        2**n,
        color=MEMORY["color"],
        linestyle=MEMORY["linestyle"],
        label=f"memorising: $2^n$ = {2**n}",
    )
    ax.frame("mistakes", xlog=2, ylim=(len(rows) - 0.4, -0.6))
    ax.set_yticks(at, names)
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    ratio = np.divide(bound, exact)
    above = sum(e > 2**n for e in exact)
    return fig.says(
        f"For {above} of {len(rows)} targets some sequence of inputs makes the kernel Perceptron"
        " err more often than memorising can.",
        f"Monotone DNFs of {n} variables. Exact worst cases, over all sequences of inputs in any"
        f" order with the target's labels, lie between {min(exact)} and"
        f" {max(exact)} mistakes, bounds between {min(bound)} and {max(bound)}, which is"
        f" {ratio.min():.1f} to {ratio.max():.1f} times as much, and memorising"
        f" never makes more than {2**n}. Typical: rows in random order, pass after pass until no"
        f" mistake, mean of {orders} orders, between {min(mean):.1f} and {max(mean):.1f}.",
    )


# Time against mistakes ----------------------------------------------------------------------------


@figure(lecture="10")
def time_against_mistakes(T=500, seed=0):
    """Mistakes and counted operations per trial of both algorithms, as the number of variables
    grows.
    """
    target, sizes = formula("x1 x2 ∨ x3 x4"), [4, 8, 12, 16, 20, 40, 60, 80]
    kernel, winnow = [], []
    for n in sizes:
        X, y = streams.labelled(target, T, n, rng=seed)
        run = play(KernelPerceptron(anova_kernel), X, 2 * y - 1)
        kernel.append((n * run.mistakes_before[:-1].mean(), run.mistakes))
        if n <= 20:
            winnow.append(((2.0 ** X.sum(axis=1)).mean(), play(MonomialWinnow(n), X, y).mistakes))
    fig, ax = canvas(height=4.2)
    for points, look, marker, name in (
        (kernel, KERNEL, "o", "kernel Perceptron"),
        (winnow, WINNOW, "s", "Winnow on monomials"),
    ):
        a, b = np.array(points).T
        ax.plot(a, b, **look, marker=marker, markersize=6, label=name)
        for n, u, v in zip(sizes, a, b, strict=False):
            if name[0] == "k" and n in (8, 16, 60):
                continue  # there is no room for them
            below = (n == 20 or n == 80) if name[0] == "k" else n != 12
            ax.note(
                f"{n}",
                (u, v),
                (5, -13) if below else (-6, 5),
                look["color"],
                ha="right" if name[0] == "k" and not below else "left",
                fontsize=9,
            )
    more = np.arange(4, 41, 4)
    ax.plot(
        1.5**more, 3 * 2 * more + 1, **LOOK["bound"], label="Winnow's bound $3kn + 1$, to n = 40"
    )
    ax.note("40", (1.5**40, 241), (0, -15), GREY, fontsize=9)
    ax.set_xscale("log")
    ax.frame(
        "operations per trial: kernel n·(mistakes so far), Winnow the active monomials",
        f"mistakes in {T} trials",
        ylog=10,
        ylim=(5, 400),
    )
    ax.legend(loc="lower right")
    cheaper = [n for n, k, w in zip(sizes, kernel, winnow, strict=False) if w < k]
    return fig.says(
        f"Up to n = {cheaper[-1]} Winnow needs fewer operations and makes fewer mistakes; then its"
        " work explodes, and the kernel Perceptron's mistakes grow.",
        f"Target {target} with n variables (numbers at the points), {T} random rows. From n = 4 to"
        f" {sizes[-1]} the kernel Perceptron goes from {kernel[0][1]} to {kernel[-1][1]} mistakes"
        f" and from {kernel[0][0]:.0f} to {kernel[-1][0]:.0f} operations per trial. From n = 4 to"
        f" 20 Winnow goes from {winnow[0][1]} to {winnow[-1][1]} mistakes and from"
        f" {winnow[0][0]:.0f} to {winnow[-1][0]:.0f} operations, half as much again with each"
        " variable.",
    )


@figure(lecture="10")
def intersections(n=60, ones=6, T=300, dense=18, seed=0):
    """Terms in the expansion of Winnow's score over intersections of mistakes, for sparse and for
    dense rows.
    """
    target = formula("x1 x2 ∨ x3 x4")
    fig, ax = canvas()
    shown, lines = {}, []
    for name, (X, y), look in (
        (f"sparse: {ones} of {n}", streams.planted(target, T, n, ones, rng=seed), WINNOW),
        (
            f"dense: half of {dense}",
            streams.labelled(target, T, dense, rng=seed),
            dict(color=BLACK),
        ),
    ):
        learner, terms = SparseMonomialWinnow(X.shape[1]), [1]
        for x, label in zip(X, y, strict=True):
            before = learner.f
            learner.update(x, label)
            if learner.f is not before:
                terms.append(len(learner.f))
        lines.append(ax.plot(np.arange(len(terms)), terms, **look)[0])
        shown[name] = terms
        ax.note(
            name,
            (len(terms) - 1, terms[-1]),
            (0, 7) if lines[1:] == [] else (7, -3),
            lines[-1].get_color(),
            ha="right" if lines[1:] == [] else "left",
        )
    steps = np.arange(14)
    ax.plot(steps, 2.0**steps, **LOOK["bound"])
    ax.note("$2^M$", (12, 2.0**12), (6, 0), GREY)
    ax.set_yscale("log")
    ax.frame("mistakes M", "different intersections")
    early = min(12, *(len(terms) - 1 for terms in shown.values()))
    said = (
        f"For {name.replace(':', ' rows with ones in')} variables it has {terms[early]} terms after"
        f" {early} mistakes and {terms[-1]} after {len(terms) - 1}."
        for name, terms in shown.items()
    )
    return fig.says(
        "On sparse rows the expansion stays short, so Winnow can run on all monomials; on dense"
        " rows it grows much faster with each mistake."
        if np.less(*(terms[early] for terms in shown.values()))
        else "Here the expansion is no shorter on sparse rows than on dense ones.",
        "Winnow's score as a sum over intersections of mistakes. "
        + " ".join(said)
        + " Each mistake can at most double their number.",
    )
