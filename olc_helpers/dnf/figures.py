"""The figures of lecture 14."""

from itertools import combinations
from operator import attrgetter

import numpy as np

from .. import adversaries, streams
from ..canvas import canvas, figure
from ..checks import count
from ..palette import BLACK, BLUE, BOUND, GREEN, GREY, LIGHT, LOOK, MID, ORANGE, PALE, VERMILLION
from ..protocol import play
from ..replications import play_many
from ..winnow.booleans import And, Or, cube, formula
from ..winnow.theorems import winnow_refined_at_most
from .kernels import AnovaKernel, anova_kernel
from .learners import KernelPerceptron, Memory, MonomialWinnow, SparseMonomialWinnow
from .theorems import kernel_perceptron_at_most

KERNEL, WINNOW, MEMORY = LOOK["Perceptron"], LOOK["Winnow"], LOOK["memorising"]


# The concept of a cat -----------------------------------------------------------------------------


def _unit(ax, x, y, radius, text, size, colour, on):
    """Draw a unit of a network, filled if it is on."""
    fill, ink = (colour, "white") if on else ("white", BLACK)
    ax.node(x, y, radius, text, ink, size, facecolor=fill)


def _wire(ax, x, y, colour, on, style="-"):
    """Draw what leads from unit to unit, in its colour if it carries a 1."""
    colour, width = (colour, 2) if on else (MID, 1.2)
    ax.plot(x, y, color=colour, linewidth=width, linestyle=style, zorder=1)


def _network(ax, bits, names):
    """Draw the network on an animal; return which of its terms are true."""
    true = []
    for height, term in zip((1.2, 3.5, 6.2), streams.CAT.terms, strict=True):
        holds = [bits[abs(i) - 1] == (i > 0) for i in term]
        true.append(all(holds))
        for i, on in zip(term, holds, strict=True):
            _wire(ax, (0.15, 3.75), (abs(i) - 1, height), BLUE, on, "-" if i > 0 else "--")
        _wire(ax, (4.25, 6.75), (height, 3.6), VERMILLION, true[-1])
        _unit(ax, 4, height, 0.42, "∧", 13, VERMILLION, true[-1])
    for i, name in enumerate(names):
        _unit(ax, 0, i, 0.3, f"{bits[i]}", 10, BLUE, bits[i])
        ax.text(-0.55, i, name, ha="right", va="center")
    _unit(ax, 7, 3.6, 0.5, "∨", 15, VERMILLION, any(true))
    return true


@figure(lecture="14")
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
    bits = np.array([pet, purrs, tail, furry, tapered_ears, round_eyes, sylvester, chases_tweety])
    bits = bits.astype(int)
    names = [name.replace("_", " ") for name in streams.CAT_FEATURES]
    fig, ax = canvas(height=4.2)
    true = _network(ax, bits, names)
    verdict = "a cat" if any(true) else "no cat"
    ax.text(7.7, 3.6, verdict, va="center", fontsize=12, fontweight="bold")
    ax.bare(xlim=(-3.6, 9.4), ylim=(7.6, -0.6), aspect="equal", xticks=[], yticks=[])
    has = ", ".join(name for name, bit in zip(names, bits, strict=True) if bit) or "nothing"
    return fig.says(
        f"{sum(true)} of the three kinds of cat {'fits' if sum(true) == 1 else 'fit'}, so this is"
        f" {verdict}.",
        "Eight features, three terms, one disjunction; a dashed line is a negated literal. With"
        f" {has}, {sum(true)} of 3 terms {'is' if sum(true) == 1 else 'are'} true: {verdict}. Of"
        f" the 256 possible animals {int(streams.CAT(cube(8)).sum())} are cats.",
    )


# Monomials ----------------------------------------------------------------------------------------


@figure(lecture="14")
def monomial_lattice(x=0b1101, z=0b0111):
    """The 16 monomials of four variables, and those that are 1 on x, on z, and on both."""
    from matplotlib.collections import LineCollection, PolyCollection

    for v in (x, z):
        if not 0 <= v < 16:
            raise ValueError(f"x and y must be in 0 … 15, four bits; got {v}")
    name_x, name_z = f"{x:04b}", f"{z:04b}"
    x, z = (np.array([int(b) for b in name]) for name in (name_x, name_z))
    spots = {}
    for size in range(5):
        sets = list(combinations(range(4), size))
        for j, s in enumerate(sets):
            spots[s] = 2.15 * (j - (len(sets) - 1) / 2), -1.35 * size
    pairs = combinations(spots, 2)
    links = [(spots[s], spots[r]) for s, r in pairs if len(r) == len(s) + 1 and {*s} < {*r}]
    on_x, on_z = (np.array([all(bits[list(s)]) for s in spots]) for bits in (x, z))
    both, places = on_x & on_z, np.array(list(spots.values()))[:, None]
    half = np.array([[0, -0.34], [0.95, -0.34], [0.95, 0.34], [0, 0.34]])
    border = dict(edgecolors=np.where(both, BLACK, MID), linewidths=np.where(both, 2.2, 0.8))
    fig, ax = canvas(height=4.6)
    ax.add_collection(LineCollection(links, colors=PALE, linewidths=1, zorder=1))
    for corners, colours, look in (
        (half - (0.95, 0), np.where(on_x, BLUE, LIGHT), {}),
        (half, np.where(on_z, VERMILLION, LIGHT), {}),
        (half * (2, 1) - (0.95, 0), "none", border),
    ):
        ax.add_collection(PolyCollection(places + corners, facecolors=colours, zorder=2, **look))
    box = dict(boxstyle="round,pad=0.12", fc="white", ec="none")
    for s, at in spots.items():
        label = "".join(f"x_{i + 1}" for i in s) or "1"
        ax.word(*at, f"${label}$", zorder=4, bbox=box)
    ax.bare(xlim=(-6.6, 6.6), ylim=(-5.9, 0.7), xticks=[], yticks=[])
    ax.text(-6.5, 0.15, f"blue: 1 on x = {name_x}", color=BLUE)
    ax.text(6.5, 0.15, f"vermilion: 1 on z = {name_z}", color=VERMILLION, ha="right")
    return fig.says(
        f"{x @ z} common ones have {count(both.sum(), 'subset')}: just these monomials, in thick"
        " frames, are 1 on both inputs.",
        "The monomials of four variables, from the constant 1 to the product of all. On x ="
        f" {name_x} there are {2 ** x.sum()} that are 1, on z = {name_z} there are {2 ** z.sum()}."
        f" The rows have {x @ z} common ones, so they share {count(both.sum(), 'monomial')} (thick"
        f" frames), which is 2 to the power {x @ z}.",
    )


# Races --------------------------------------------------------------------------------------------


@figure(lecture="14")
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
    memorised, kernel, winnow = (run.mistakes for run in runs.values())
    highest = 2.2 * max(kernel, winnow)
    bound = winnow_refined_at_most(2**n, k)
    fig, ax = canvas()
    for (name, run), look in zip(runs.items(), (MEMORY, KERNEL, WINNOW), strict=True):
        ax.plot(run.mistakes_before, **look, label=name)
    if bound < highest:
        ax.plot([0, T], [bound, bound], **BOUND, label=f"Winnow's bound {bound}")
    if memorised > highest:  # its line ends above the picture
        ax.lines[0].set_label("_")
        ax.note("memorising", (0.8 * highest, 0.8 * highest), (8, 0), MEMORY["color"], va="center")
    ax.frame("trials", "mistakes so far", ylim=(0, highest))
    ax.ends()
    counts = ", ".join(f"{name} {run.mistakes}" for name, run in runs.items())
    late = {name: int(run.mistake[T // 2 :].sum()) for name, run in runs.items()}
    often = {name: count(number, "time") for name, number in late.items()}
    others = f" Winnow {often['Winnow']}, memorising {often['memorising']}."
    if memorised > 0.9 * T:
        others = f" Winnow {often['Winnow']}, and memorising on nearly every trial."
    return fig.says(
        f"In the second half the kernel Perceptron errs {often['kernel Perceptron']},{others}",
        f"Target: {target}, {n} variables, {T} random rows, {y.mean():.0%} positive. Mistakes:"
        f" {counts}. In the second half of the trials the kernel Perceptron still makes"
        f" {late['kernel Perceptron']}, Winnow {late['Winnow']}; its bound is {bound}.",
    )


@figure(lecture="14")
def degree_limit(n=60, T=400, repeats=20, seed=0):
    """Mistakes of the kernel Perceptron when only monomials up to a degree are features: means of
    several streams, with their standard errors.
    """
    degrees = [1, 2, 3, 4, None]
    data = []
    for s in range(seed, seed + repeats):
        X, y = streams.labelled(streams.random_dnf(n, 2, 2, rng=s), T, n, rng=s + 1000)
        data.append((X, 2 * y - 1))

    def mistakes(degree):
        kernel = AnovaKernel(degree)
        return play_many(lambda i: KernelPerceptron(kernel), data, read=attrgetter("mistakes"))

    counts = np.array([mistakes(degree) for degree in degrees])
    mean, error = counts.mean(axis=1), counts.std(axis=1, ddof=1) / np.sqrt(repeats)
    more = counts - counts[mean.argmin()]  # stream by stream
    doubt = 3 * more.std(axis=1, ddof=1) / np.sqrt(repeats)
    names = [*map(str, degrees[:-1]), f"all {n}"]
    good = [name for name, m, d in zip(names, more.mean(axis=1), doubt, strict=True) if m <= d]
    at = range(len(degrees))
    fig, ax = canvas()
    ax.errorbar(at, mean, error, color=KERNEL["color"], fmt="o-", capsize=4)
    ax.frame("degree: variables in a monomial, at most", f"mistakes in {T} trials")
    ax.set(xticks=at, xticklabels=names, ylim=(0, 1.15 * (mean + error).max()))
    told = zip(names, mean, error, strict=True)
    values = ", ".join(f"{m:.1f} ± {e:.1f} at {name}" for name, m, e in told)
    return fig.says(
        f"Degree {names[mean.argmin()]} makes fewest mistakes on average; with degree"
        f" {' or '.join(name for name in names if name not in good)} there are clearly more.",
        f"Targets of two terms with two of {n} variables each, {T} random rows, {repeats} streams."
        f" Mean number of mistakes with its standard error, by degree: {values}. Within three"
        f" standard errors of the best, stream by stream: {', '.join(good)}.",
    )


# Three colours ------------------------------------------------------------------------------------

# Where the corners of PRISM stand: a triangle in a triangle.
CORNERS = np.array([[0, 2], [-1.75, -1], [1.75, -1], [0, 0.62], [-0.54, -0.31], [0.54, -0.31]])


@figure(lecture="14")
def coloured_terms(sixth=1):
    """A graph with three colours, and the three terms that they are: a term is true on the vertices
    that it leaves out. The sixth vertex may have any colour.
    """
    if sixth not in (1, 2, 3):
        raise ValueError(f"the colour of the sixth vertex must be 1, 2 or 3; got {sixth}")
    X, y = streams.graph_examples(6, streams.PRISM)
    colour = np.array([1, 2, 3, 2, 3, sixth])
    terms = [And(*(np.flatnonzero(colour != r) + 1).tolist()) for r in (1, 2, 3)]
    wrong = [edge for edge in streams.PRISM if len({*colour[np.array(edge) - 1]}) == 1]
    looks = (BLUE, "white"), (ORANGE, BLACK), (GREEN, "white")
    fig, axes = canvas(1, 4, height=2.1)
    titles = "$T_1 ∨ T_2 ∨ T_3$", *(" ".join(f"$x_{i}$" for i in t.parts) for t in terms)
    for r, (ax, title) in enumerate(zip(axes, titles, strict=True)):
        for i, j in streams.PRISM:
            bad = (i, j) in wrong and r in (0, colour[i - 1])
            line = dict(color=VERMILLION, linewidth=4) if bad else dict(color=MID, linewidth=1.2)
            ax.plot(*CORNERS[[i - 1, j - 1]].T, zorder=1, **line)
        for i, (at, c) in enumerate(zip(CORNERS, colour, strict=True), 1):
            face, ink = looks[c - 1] if r in (0, c) else ("white", GREY)
            ax.node(*at, 0.3, f"{i}", ink, facecolor=face)
        ax.bare(xlim=(-2.1, 2.1), ylim=(-1.35, 2.35), aspect="equal", xticks=[], yticks=[])
        ax.set_title(f"$T_{r}$ = {title}" if r else title, loc="center", fontsize=11)
    said = "; ".join(
        f"{t} is true on {', '.join(map(str, np.flatnonzero(t(X[:6])) + 1))}" for t in terms
    )
    right = int((Or(*terms)(X) == y).sum())
    return fig.says(
        "Each term is true on the vertices that it leaves out, and no edge joins two of these: so"
        " the three explain all examples."
        if not wrong
        else "An edge joins two vertices of one colour, so their term is true on it, and it should"
        " not be.",
        "Six vertices in two triangles, whose corners are joined in pairs; each vertex has one of"
        f" three colours. {said}. As a formula they are right on {right} of 15 examples: 6 vertices"
        " and 9 edges.",
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


@figure(lecture="14")
def kernel_tightness(n=3, orders=20, seed=0):
    """The kernel Perceptron's bound, its exact worst case over all sequences of inputs with the
    target's labels, typical mistakes, and memorising, for small DNFs.
    """
    rng, X = np.random.default_rng(seed), cube(n)
    until = dict(epochs=40, until_consistent=True)

    def typical(target):
        rows = [rng.permutation(len(X)) for _ in range(orders)]
        plays = [(X[order], 2 * target(X[order]) - 1) for order in rows]
        runs = [play(KernelPerceptron(anova_kernel), *each, **until) for each in plays]
        return np.mean([run.mistakes for run in runs])

    targets = {text: formula(text) for text in SMALL if formula(text).n <= n}
    bound = [kernel_perceptron_at_most(2**n, len(f.terms)) for f in targets.values()]
    exact = [adversaries.kernel_perceptron_on_formula(f, n).mistakes for f in targets.values()]
    mean = [typical(f) for f in targets.values()]
    at = np.arange(len(targets))
    fig, ax = canvas(height=0.9 + 0.42 * len(targets))
    ax.dots(bound, at, "|", GREY, 14, markeredgewidth=2.5, label="bound $(4k+1)\\,2^n$")
    ax.dots(exact, at, "o", BLACK, 7, label="exact worst case")
    ax.dots(mean, at, "x", KERNEL["color"], 8, markeredgewidth=2, label="typical")
    ax.axvline(2**n, **MEMORY, label=f"memorising: $2^n$ = {2**n}")
    ax.frame("mistakes", xlog=2, ylim=(len(at) - 0.4, -0.6), yticks=at, yticklabels=list(targets))
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    ax.corner("right of the line: worse\nthan memorising", 1.03, 0.1, ha="left")
    ratio = np.divide(bound, exact)
    above = sum(e > 2**n for e in exact)
    return fig.says(
        f"For {above} of {len(targets)} targets some sequence of inputs makes the kernel Perceptron"
        " err more often than memorising can.",
        f"Monotone DNFs of {n} variables. Exact worst cases, over all sequences of inputs in any"
        f" order with the target's labels, lie between {min(exact)} and"
        f" {max(exact)} mistakes, bounds between {min(bound)} and {max(bound)}, which is"
        f" {ratio.min():.1f} to {ratio.max():.1f} times as much, and memorising"
        f" never makes more than {2**n}. Typical: rows in random order, pass after pass until no"
        f" mistake, mean of {orders} orders, between {min(mean):.1f} and {max(mean):.1f}.",
    )


# Time against mistakes ----------------------------------------------------------------------------


@figure(lecture="14")
def time_against_mistakes(T=500, seed=0):
    """Mistakes and counted operations per trial of both algorithms, as the number of variables
    grows.
    """
    target, sizes = formula("x1 x2 ∨ x3 x4"), [4, 8, 12, 16, 20, 40, 60, 80]
    kernel, winnow = [], []
    for n in sizes:
        X, y = streams.labelled(target, T, n, rng=[seed, n])
        run = play(KernelPerceptron(anova_kernel), X, 2 * y - 1)
        kernel.append((n * run.mistakes_before[:-1].mean(), run.mistakes))
        if n <= 20:
            winnow.append(((2.0 ** X.sum(axis=1)).mean(), play(MonomialWinnow(n), X, y).mistakes))
    above, beside, below = ((-6, 5), "right"), ((-6, 5), "left"), ((5, -13), "left")
    places = {4: above, 12: above, 20: below, 40: above, 80: below}  # no room for the others
    under = {4: below, 8: below, 12: beside, 16: below, 20: below}
    fig, ax = canvas(height=4.2)
    for points, look, marker, name, sides in (
        (kernel, KERNEL, "o", "kernel Perceptron", places),
        (winnow, WINNOW, "s", "Winnow on monomials", under),
    ):
        ax.plot(*np.transpose(points), **look, marker=marker, markersize=6, label=name)
        at = dict(zip(sizes, points, strict=False))
        for n, (offset, side) in sides.items():
            ax.note(f"{n}", at[n], offset, look["color"], ha=side, fontsize=9)
    more = np.arange(4, 41, 4)
    ax.plot(1.5**more, 6 * more + 1, **BOUND, label="Winnow's bound $3kn + 1$, to n = 40")
    ax.note("40", (1.5**40, 241), (0, -15), GREY, fontsize=9)
    name = "operations per trial: kernel n·(mistakes so far), Winnow the active monomials"
    ax.frame(name, f"mistakes in {T} trials", ylog=10, ylim=(5, 400), xscale="log")
    ax.legend(loc="lower right")
    ax.corner("numbers at the points: variables n", 0.02, 0.95)
    both = zip(sizes, kernel, winnow, strict=False)
    cheaper = [n for n, k, w in both if w[0] < k[0] and w[1] < k[1]]
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


@figure(lecture="14")
def intersections(n=60, ones=6, T=300, dense=18, seed=0):
    """Terms in the expansion of Winnow's score over intersections of mistakes, for sparse and for
    dense rows.
    """
    target = formula("x1 x2 ∨ x3 x4")
    few = streams.planted(target, T, n, ones, rng=seed)
    half = streams.labelled(target, T, dense, rng=[seed, 1])
    shown = {}
    fig, ax = canvas()
    for name, (X, y), look, offset, side in (
        (f"sparse: {ones} of {n}", few, WINNOW, (0, 7), "right"),
        (f"dense: half of {dense}", half, dict(color=BLACK), (7, -3), "left"),
    ):
        learner, terms = SparseMonomialWinnow(X.shape[1]), [1]
        for x, label in zip(X, y, strict=True):
            before = learner.f
            learner.update(x, label)
            if learner.f is not before:
                terms.append(len(learner.f))
        shown[name] = terms
        ax.plot(terms, **look)
        ax.note(name, (len(terms) - 1, terms[-1]), offset, look["color"], ha=side)
    ax.plot(2.0 ** np.arange(14), **BOUND)
    ax.note("$2^M$", (12, 2.0**12), (6, 0), GREY)
    ax.frame("mistakes M", "different intersections", yscale="log")
    ax.corner("each mistake at most doubles them", 0.98, 0.04)
    early = min(12, *(len(terms) - 1 for terms in shown.values()))
    said = " ".join(
        f"For {name.replace(':', ' rows with ones in')} variables it has {terms[early]} terms after"
        f" {early} mistakes and {terms[-1]} after {len(terms) - 1}."
        for name, terms in shown.items()
    )
    return fig.says(
        "On sparse rows the expansion stays short, so Winnow can run on all monomials; on dense"
        " rows it grows faster with each mistake."
        if np.less(*(terms[early] for terms in shown.values()))
        else "Here the expansion is no shorter on sparse rows than on dense ones.",
        f"Winnow's score as a sum over intersections of mistakes. {said} Each mistake can at most"
        " double their number.",
    )
