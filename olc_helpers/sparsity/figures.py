"""The figures of lecture 13."""

from collections import Counter

import numpy as np

from .. import streams
from ..canvas import canvas, figure
from ..palette import (
    BLACK,
    BLUE,
    BOUND,
    BROKEN,
    DASH_DOTS,
    FAINT,
    GREEN,
    GREY,
    LOOK,
    MID,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
)
from ..perceptron.learners import Perceptron
from ..protocol import play
from ..winnow.booleans import And, Or, cube, threshold
from ..winnow.booleans import formula as parse
from ..winnow.learners import Winnow
from .reductions import assignment_to_cover, greedy_cover, sat_to_cover, smallest_cover
from .theorems import greedy_at_most

COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)


# Penalties ----------------------------------------------------------------------------------------


@figure(lecture="13")
def boolean_thresholds():
    """Or, and, and exclusive or on the corners of a square, with the lines that represent them."""
    X, ends = cube(2), np.array([-0.45, 1.45])
    functions = Or(1, 2), And(1, 2), Or(And(1, -2), And(-1, 2))
    titles = "$x_1 ∨ x_2$", "$x_1 ∧ x_2$", "exactly one of them"
    square = dict(xlim=ends, ylim=ends, xticks=(0, 1), yticks=(0, 1), aspect="equal")
    fig, axes = canvas(1, 3, height=3.25, sharey=True)
    found = []
    for ax, f, title in zip(axes, functions, titles, strict=True):
        value = f(X)
        if value.sum() != 2:
            u, b = threshold(f)
            line = (-b - u[0] * ends) / u[1]
            ax.fill_between(ends, line, ends[1], color=BLUE, alpha=0.12, linewidth=0)
            ax.plot(ends, line, color=BLACK)
            right = np.sum((X @ u + b > 0) == value)
            found.append(f"{f}: u = ({u[0]:g}, {u[1]:g}), b = {b:g}, right on {right} of 4 corners")
        for x, true in zip(X, value, strict=True):
            face = dict(facecolor=BLUE if true else "white", edgecolor=BLUE, linewidth=2)
            ax.node(*x, 0.16, f"{true}", "white" if true else BLUE, **face)
        ax.frame("$x_1$", title=title, **square)
    axes[2].see("no line\ndoes it", (0.5, 0.5), va="center")
    axes[0].frame(ylabel="$x_2$")
    return fig.says(
        "A line cuts off “or”, another one “and”; for “exactly one of them” no line does it.",
        "Filled corners are true. The line is u·x + b = 0, and the shaded side is true. "
        + "; ".join(found)
        + ". No line separates the corners where exactly one variable is 1 from the 2 others.",
    )


@figure(lecture="13")
def sparsity_penalties(p=0.5):
    """How |w|^p turns into a count of non-zero weights, and which of two solutions it prefers."""
    fig, (left, right) = canvas(1, 2, height=3.6)
    w, powers = np.linspace(-1.5, 1.5, 601), np.linspace(0.01, 1.2, 200)
    for power, style in ((2, ":"), (1, "--"), (0.1, DASH_DOTS)):
        if power != p:
            look = dict(color=GREY, linestyle=style, linewidth=1.5)
            left.plot(w, np.abs(w) ** power, **look, label=f"p = {power}")
    left.plot(w, np.abs(w) ** p, color=BLUE, label=f"p = {p:g}")
    left.frame("one weight w", "$|w|^p$", "penalty of one weight", ylim=(0, 2.3))
    left.legend(loc="upper center", ncols=2, fontsize=9)
    value = 3 * 0.5**p
    right.plot(powers, 3 * 0.5**powers, color=VERMILLION)
    right.plot(powers, np.full(len(powers), 2.0), color=BLUE, linestyle=BROKEN)
    right.dots([p, p], [value, 2], "o", BLACK)
    right.frame("p", "$\\sum_i |w_i|^p$", "penalty of two solutions", ylim=(1.2, 3.2))
    right.text(0.16, 2.78, "(½, ½, ½)", color=VERMILLION)
    right.text(0.95, 2.07, "(1, 1, 0)", color=BLUE)
    right.corner("left of the crossing\nsparse is cheaper", 0.04, 0.03)
    winner = "the dense solution" if value < 2 else "the sparse solution"
    return fig.says(
        f"At p = {p:g} {winner} is cheaper"
        + (", and that is the wrong one." if value < 2 else ", as a count would have it.")
        if abs(value - 2) > 1e-9
        else f"At p = {p:g} both solutions cost the same.",
        "As p falls, the penalty of a weight tends to 1 if it is not 0. Both (½, ½, ½) and (1, 1,"
        f" 0) solve the problem with three elements and three sets of two. At p = {p:g} their"
        f" penalties are {value:.2f} and 2.00, so {winner} wins; the curves cross at p ="
        f" {np.log2(1.5):.3f}.",
    )


# Covers -------------------------------------------------------------------------------------------


def _verdict(ax, x, row, covered, number="", **style):
    """Write whether the element of a row is covered."""
    sign, ink = ("✓", BLACK) if covered else ("✗", VERMILLION)
    ax.word(x, row, f"{sign}{number}", color=ink, fontfamily="DejaVu Sans", **style)


@figure(lecture="13")
def cover_grid(P1=False, P2=False, P3=True, P4=True, P5=True, P6=False):
    """Twelve elements and six sets, as a table of bits and as points; the chosen sets are
    coloured.
    """
    from matplotlib.patches import Wedge

    A, chosen = streams.TWELVE_BY_SIX, [c for c, on in enumerate((P1, P2, P3, P4, P5, P6)) if on]
    count = A[:, chosen].sum(axis=1)
    alone = dict(facecolor="white", edgecolor=VERMILLION, linewidth=2, linestyle="--")
    fig, (table, points) = canvas(1, 2, height=4.2, width_ratios=(1.15, 1))
    for e, s in np.argwhere(A):
        table.tile(s, e, 0.92, 0.88, COLOURS[s] if s in chosen else FAINT)
    for e in range(12):
        _verdict(table, 6.1, e, count[e])
        at = e % 3, e // 3
        holders = [s for s in chosen if A[e, s]]
        for i, s in enumerate(holders):
            slice_ = 90 + 360 * np.array([i, i + 1]) / len(holders)
            points.add_patch(Wedge(at, 0.36, *slice_, facecolor=COLOURS[s], edgecolor="white"))
        if not holders:
            points.add_patch(Wedge(at, 0.36, 0, 360, **alone))
        points.word(*at, f"{e + 1}", fontsize=10, fontweight="bold", box="white")
    table.bare(xlim=(-0.6, 6.6), ylim=(11.6, -0.6), xticks=[*range(6), 6.1], yticks=range(12))
    sets, elements = [f"$P_{s}$" for s in range(1, 7)], [f"$x_{{{e}}}$" for e in range(1, 13)]
    table.set(xticklabels=[*sets, "covered"], yticklabels=elements)
    table.tick_params(top=False, labeltop=True, labelbottom=False)
    points.bare(xlim=(-0.5, 2.5), ylim=(3.5, -0.5), aspect="equal", xticks=[], yticks=[])
    names = ", ".join(f"P{s + 1}" for s in chosen) or "none"
    missing = ", ".join(f"x{e + 1}" for e in np.flatnonzero(count == 0))
    finding = f"{len(chosen)} sets leave {np.sum(count == 0)} of 12 elements uncovered."
    told = f"Not covered: {missing}."
    if not missing:
        fewest = len(smallest_cover(A))
        fewer = f"{fewest} would be enough" if len(chosen) > fewest else "no smaller cover exists"
        finding = f"{len(chosen)} sets cover all 12 elements; {fewer}."
        told = (
            f"All 12 elements are covered by {len(chosen)} sets; the fewest possible are {fewest}."
        )
    return fig.says(
        finding,
        f"Twelve elements, six sets; chosen: {names}. On the right, the slices of a point are the"
        f" chosen sets that hold it. {told}",
    )


@figure(lecture="13")
def sat_cover(formula="(x1 ∨ x2) ∧ (¬x1 ∨ x3) ∧ (¬x2 ∨ ¬x3)", x1=True, x2=False, x3=True):
    """A formula as a cover problem: the assignment chooses one set of each pair, and covers the
    clauses that it makes true.
    """
    cnf, x = parse(formula), [int(v) for v in (x1, x2, x3)]
    problem, clauses = sat_to_cover(cnf, 3), cnf.clauses
    A, m, elements = problem.A, problem.k, problem.elements
    chosen = assignment_to_cover(x)
    count = A[:, chosen].sum(axis=1)
    where = [s + 0.5 * (s // 2) for s in range(2 * m)]  # a gap between the pairs
    last = where[-1] + 1.6
    fig, ax = canvas(height=1.4 + 0.36 * len(elements))
    for e, s in np.argwhere(A):
        colour = BLUE if e < len(clauses) else SKY
        ax.tile(where[s], e, 0.92, 0.88, colour if s in chosen else FAINT)
    for e, number in enumerate(count):
        _verdict(ax, last, e, number, f" {number}", fontweight="bold")
    ax.axhline(len(clauses) - 0.5, color=MID, linewidth=0.8)
    ax.xaxis.tick_top()
    ax.bare(xlim=(-0.7, last + 0.8), ylim=(len(elements) - 0.4, -0.6), xticks=[*where, last])
    rows = [f"$c_{j}$:  {Or(*clause)}" for j, clause in enumerate(clauses, 1)]
    rows += [f"$v_{i}$" for i in range(1, m + 1)]
    ax.set(yticks=range(len(rows)), yticklabels=rows)
    ax.set_xticklabels([*problem.sets, "chosen sets\nthat hold it"])
    for s, label in enumerate(ax.get_xticklabels()[:-1]):
        weight, ink = ("bold", BLACK) if s in chosen else ("normal", GREY)
        label.set(fontweight=weight, color=ink)
    true = int((count[: len(clauses)] > 0).sum())
    missing = [e for e, c in zip(elements, count, strict=True) if c == 0]
    return fig.says(
        f"This assignment covers every row with {m} sets, so every clause is true."
        if not missing
        else f"{true} of {len(clauses)} clauses are true, and {' and '.join(missing)}"
        f" stay{'s' * (len(missing) == 1)} uncovered.",
        f"x1 = {x[0]}, x2 = {x[1]}, x3 = {x[2]} chooses {m} sets. It makes {true} of {len(clauses)}"
        f" clauses true, and the sets cover {len(elements) - len(missing)} of {len(elements)}"
        " elements" + (f", all but {', '.join(missing)}." if missing else ": a cover."),
    )


@figure(lecture="13")
def weights_on_cover():
    """What Winnow and the Perceptron make of the twelve positive rows."""
    A, ones = streams.TWELVE_BY_SIX, np.ones(12, int)
    best = smallest_cover(A)
    runs = {"Winnow": play(Winnow(6), A, ones), "Perceptron": play(Perceptron(6), A, ones)}
    shown = {name: ", ".join(f"{v:g}" for v in run.weights[-1]) for name, run in runs.items()}
    names = [f"$P_{s}$" for s in range(1, 7)]
    fig, axes = canvas(1, 2, height=3.2)
    for ax, (name, run) in zip(axes, runs.items(), strict=True):
        w, colour = run.weights[-1], LOOK[name]["color"]
        fill = [colour if s in best else FAINT for s in range(6)]
        bars = ax.bar(names, w, color=fill, edgecolor=colour, linewidth=1.2)
        ax.bar_label(bars, fmt="{:g}", fontsize=10)
        found = "coloured: in the smallest disjunction"
        ax.frame(found, "weight", f"{name}: {run.mistakes} mistakes", ylim=(0, 1.15 * w.max()))
    return fig.says(
        "Neither algorithm finds the smallest disjunction (coloured bars): no weight is 0, and P1,"
        " which it does not use, is among the heaviest.",
        f"Weights after one pass over the twelve positive rows: Winnow ({shown['Winnow']}),"
        f" Perceptron ({shown['Perceptron']}). Coloured bars are the variables of the smallest"
        f" disjunction, {', '.join(f'P{s + 1}' for s in best)}. The smallest weight is"
        f" {min(run.weights[-1].min() for run in runs.values()):g}.",
    )


# Greedy -------------------------------------------------------------------------------------------


def random_cover(elements: int, sets: int, rng: np.random.Generator) -> np.ndarray:
    """Return a cover problem in which a set holds an element with probability 1/5, and each element
    is in one more set, so that there is a cover.
    """
    A = rng.random((elements, sets)) < 0.2
    A[np.arange(elements), rng.integers(0, sets, elements)] = True
    return A


@figure(lecture="13")
def greedy_against_optimum(instances=150, seed=0):
    """Greedy covers against smallest covers: random problems, and a trap."""
    rng = np.random.default_rng(seed)
    problems = (random_cover(24, 16, rng) for _ in range(instances))
    sizes = Counter((len(smallest_cover(A)), len(greedy_cover(A))) for A in problems)
    best, greedy = np.array(list(sizes)).T
    ends = np.array([best.min() - 0.6, best.max() + 0.6])
    areas = [30 + 500 * c / instances for c in sizes.values()]
    j = np.arange(2, 9)
    m = 2 * (2**j - 1)
    found = [len(greedy_cover(streams.greedy_trap(int(i)))) for i in j]
    fig, (left, right) = canvas(1, 2, height=3.8)
    left.plot(ends, ends, color=GREY, linewidth=1, linestyle=":")
    left.scatter(best, greedy, s=areas, color=BLUE, alpha=0.8)
    for pair, c in sizes.items():
        left.note(f"{c}", pair, (12, 0), va="center", fontsize=9)
    left.set(xticks=np.unique(best), yticks=np.arange(best.min(), greedy.max() + 1))
    left.frame("smallest cover", "greedy cover", f"{instances} random problems")
    left.set(xlim=ends, ylim=(ends[0], greedy.max() + 0.6))
    left.corner("on the line greedy is best", 0.97, 0.03, fontsize=10)
    right.plot(m, greedy_at_most(2, m), **BOUND, label="bound\n$2\\ln m + 1$")
    right.plot(m, found, "o-", color=VERMILLION, markersize=5, label="greedy")
    right.plot(m, np.full(len(j), 2), color=BLACK, label="smallest")
    right.set_xscale("log", base=2)
    right.frame("elements m", "sets", "a trap: two sets are enough", ylim=(0, 14))
    right.ends(gap=0.12)
    same = sum(c for (b, g), c in sizes.items() if b == g)
    worst = max(g - b for b, g in sizes)
    return fig.says(
        f"Greedy finds a smallest cover in {same} of {instances} random problems, but in the trap"
        f" it takes {found[-1]} sets instead of two.",
        f"Left: on {instances} random problems with 24 elements and 16 sets the greedy cover is"
        f" smallest in {same} of them and at most {worst} sets larger; numbers count problems."
        f" Right: in the trap with {m[-1]} elements greedy takes {found[-1]} sets where 2 are"
        f" enough; the bound is {greedy_at_most(2, m[-1]):.1f}.",
    )


# Short rules --------------------------------------------------------------------------------------


def consistent_rules(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return all monotone disjunctions that explain the labels, a row of bits for each (NP-D2)."""
    allowed, table = np.flatnonzero((X[y == 0] == 0).all(axis=0)), X[y == 1]
    if len(allowed) > 18:
        raise ValueError(f"{len(allowed)} variables may be used: too many rules to list them all")
    holds = [sum(1 << e for e in np.flatnonzero(table[:, i]).tolist()) for i in allowed]
    covered = np.zeros(1, object)
    for rows in holds:
        covered = np.concatenate([covered, covered | rows])
    rules = np.flatnonzero(covered == (1 << len(table)) - 1)
    chosen = np.zeros((len(rules), X.shape[1]), int)
    chosen[:, allowed] = rules[:, None] >> np.arange(len(allowed)) & 1
    return chosen


def rule_errors(rules: np.ndarray, k: int, p: float) -> np.ndarray:
    """Return the exact error of each disjunction (a row of bits) if the target is x_1 ∨ … ∨ x_k and
    the bits are 1 with probability p, independently.
    """
    right, size = rules[:, :k].sum(axis=1), rules.sum(axis=1)
    false_alarm = (1 - p) ** k * (1 - (1 - p) ** (size - right))
    missed = (1 - p) ** size * (1 - (1 - p) ** (k - right))
    return false_alarm + missed


@figure(lecture="13")
def short_rules(n=60, k=3, examples=20, seed=3):
    """All disjunctions that explain the same examples: their error against their size."""
    X, y = streams.disjunction(examples, n, k, rng=seed)
    rules = consistent_rules(X, y)
    size, error = rules.sum(axis=1), 100 * rule_errors(rules, k, 1 - 2 ** (-1 / k))
    (s, e), number = np.unique(np.stack([size, error.round(6)]), axis=1, return_counts=True)
    sizes = np.unique(size)
    mean = [error[size == j].mean() for j in sizes]
    fig, ax = canvas()
    ax.plot(sizes, mean, **BOUND, label="mean")
    ax.scatter(s, e, s=20 + 8 * number, color=BLUE, alpha=0.7, linewidth=0)
    name = "variables in a disjunction that explains all examples"
    ax.frame(name, "error on new examples, in %", whole="x", ylim=(-3, 55))
    ax.set_xlim(sizes[0] - 0.5, sizes[-1] + 0.5)
    ax.ends()
    if mean[-1] > mean[0]:
        ax.corner("longer rules err more, on average", 0.97, 0.03)
    shortest = error[size == sizes[0]]
    sample = f"{examples} examples of a disjunction of {k} out of {n} variables; "
    if len(rules) == 1:
        return fig.says(
            f"One rule is left, and it errs on {error[0]:.0f}% of new examples.",
            f"{sample}one disjunction, of {sizes[0]} variables, explains them all. Its exact error"
            f" on new examples is {error[0]:.1f}%.",
        )
    worst = f"; the worst of the shortest on {shortest.max():.0f}%" if np.ptp(shortest) else ""
    return fig.says(
        f"The shortest rules err on {mean[0]:.0f}% of new examples on average, the longest on"
        f" {mean[-1]:.0f}%{worst}.",
        f"{sample}{len(rules)} disjunctions of {sizes[0]} to {sizes[-1]} variables explain them"
        " all, larger dots for more rules. Their exact errors on new examples:"
        f" {len(shortest)} of {sizes[0]} variables with {shortest.min():.1f} to"
        f" {shortest.max():.1f}%, on average {mean[0]:.1f}%; the longest one, of {sizes[-1]}"
        f" variables, {mean[-1]:.1f}%.",
    )
