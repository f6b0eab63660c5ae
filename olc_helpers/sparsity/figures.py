"""The figures of lecture 09."""

from itertools import accumulate

import numpy as np

from .. import streams
from ..booleans import Or
from ..booleans import formula as parse
from ..figure import (
    BLACK,
    BLUE,
    FAINT,
    GREEN,
    GREY,
    LOOK,
    MID,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    canvas,
    figure,
    label_ends,
)
from ..perceptron.learners import Perceptron
from ..protocol import play
from ..winnow.learners import Winnow
from .reductions import (
    assignment_to_cover,
    find_assignment,
    greedy_cover,
    sat_to_cover,
    smallest_cover,
    smallest_disjunction,
)

COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)


def _tile(ax, column, row, colour):
    from matplotlib.patches import Rectangle

    ax.add_patch(
        Rectangle((column - 0.46, row - 0.44), 0.92, 0.88, facecolor=colour, edgecolor="none")
    )


def _bare(ax):
    ax.grid(False)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)


# Penalties ----------------------------------------------------------------------------------------


@figure(lecture="09")
def sparsity_penalties(p=0.5):
    """How |w|^p turns into a count of non-zero weights, and which of two solutions it prefers."""
    fig, (left, right) = canvas(1, 2, height=3.6)
    w = np.linspace(-1.5, 1.5, 601)
    for power, style in ((2, ":"), (1, "--"), (0.1, (0, (3, 1, 1, 1)))):
        left.plot(
            w, np.abs(w) ** power, color=GREY, linestyle=style, linewidth=1.5, label=f"p = {power}"
        )
    left.plot(w, np.abs(w) ** p, color=BLUE, label=f"p = {p:g}")
    left.set(xlabel="one weight w", ylabel="$|w|^p$", ylim=(0, 2.3), title="penalty of one weight")
    left.legend(loc="upper center", ncols=2, fontsize=9)
    powers = np.linspace(0.01, 1.2, 200)
    (dense,) = right.plot(powers, 3 * 0.5**powers, color=VERMILLION)
    (sparse,) = right.plot(powers, np.full(len(powers), 2.0), color=BLUE, linestyle=(0, (6, 1)))
    value = 3 * 0.5**p
    right.plot([p, p], [value, 2], "o", color=BLACK, markersize=6)
    right.set(
        xlabel="p", ylabel="$\\sum_i |w_i|^p$", ylim=(1.2, 3.2), title="penalty of two solutions"
    )
    for line, text, at in ((dense, "(½, ½, ½)", (0.16, 2.78)), (sparse, "(1, 1, 0)", (0.95, 2.07))):
        right.annotate(text, at, color=line.get_color(), fontsize=11)
    winner = "the dense solution (½, ½, ½)" if value < 2 else "the sparse solution (1, 1, 0)"
    fig.description = (
        "As p falls, the penalty of a weight tends to 1 if it is not 0. Both (½, ½, ½) and (1, 1,"
        f" 0) solve the problem with three elements and three sets of two. At p = {p:g} their"
        f" penalties are {value:.2f} and 2.00, so {winner} wins; the curves cross at p ="
        f" {np.log2(1.5):.3f}."
    )
    return fig


# Covers -------------------------------------------------------------------------------------------


@figure(lecture="09")
def cover_grid(P1=False, P2=False, P3=True, P4=True, P5=True, P6=False):
    """Twelve elements and six sets, as a table of bits and as points; the chosen sets are
    coloured.
    """
    from matplotlib.patches import Wedge

    A, chosen = streams.TWELVE_BY_SIX, [c for c, on in enumerate((P1, P2, P3, P4, P5, P6)) if on]
    count = A[:, chosen].sum(axis=1)
    fig, (table, points) = canvas(1, 2, height=4.2, width_ratios=(1.15, 1))
    for e, s in np.ndindex(A.shape):
        if A[e, s]:
            _tile(table, s, e, COLOURS[s] if s in chosen else FAINT)
    for e in range(12):
        table.text(
            6.1,
            e,
            "✓" if count[e] else "✗",
            ha="center",
            va="center",
            fontsize=11,
            fontfamily="DejaVu Sans",
            color=BLACK if count[e] else VERMILLION,
        )
    table.set(
        xlim=(-0.6, 6.6),
        ylim=(11.6, -0.6),
        yticks=range(12),
        yticklabels=[f"$x_{{{e}}}$" for e in range(1, 13)],
    )
    table.set_xticks([*range(6), 6.1], [*(f"$P_{s}$" for s in range(1, 7)), "covered"])
    table.tick_params(top=False, labeltop=True, labelbottom=False)
    for e in range(12):
        x, y = e % 3, e // 3
        holders = [s for s in chosen if A[e, s]]
        for i, s in enumerate(holders):
            slice_ = 90 + 360 * np.array([i, i + 1]) / len(holders)
            points.add_patch(Wedge((x, y), 0.36, *slice_, facecolor=COLOURS[s], edgecolor="white"))
        if not holders:
            points.add_patch(
                Wedge(
                    (x, y),
                    0.36,
                    0,
                    360,
                    facecolor="white",
                    edgecolor=VERMILLION,
                    linewidth=2,
                    linestyle="--",
                )
            )
        points.text(
            x,
            y,
            f"{e + 1}",
            ha="center",
            va="center",
            fontsize=10,
            fontweight="bold",
            bbox=dict(boxstyle="round,pad=0.15", fc="white", ec="none"),
        )
    points.set(xlim=(-0.5, 2.5), ylim=(3.5, -0.5), aspect="equal", xticks=[], yticks=[])
    _bare(table)
    _bare(points)
    names = ", ".join(f"P{s + 1}" for s in chosen) or "none"
    missing = ", ".join(f"x{e + 1}" for e in np.flatnonzero(count == 0))
    fig.description = (
        f"Twelve elements, six sets; chosen: {names}. On the right, the slices of a point are the"
        " chosen sets that hold it. "
        + (
            f"Not covered: {missing}."
            if missing
            else (
                f"All 12 elements are covered by {len(chosen)} sets; the "
                f"fewest possible are {len(smallest_cover(A))}."
            )
        )
    )
    return fig


@figure(lecture="09")
def sat_cover(formula="(x1 ∨ x2) ∧ (¬x1 ∨ x3) ∧ (¬x2 ∨ ¬x3)", x1=True, x2=False, x3=True):
    """A formula as a cover problem: the assignment chooses one set of each pair, and covers the
    clauses that it makes true.
    """
    cnf, x = parse(formula), [int(v) for v in (x1, x2, x3)]
    A, m, elements, sets = sat_to_cover(cnf, 3)
    chosen = assignment_to_cover(x)
    count, clauses = A[:, chosen].sum(axis=1), cnf.clauses
    fig, ax = canvas(height=1.4 + 0.36 * len(elements))
    where = [s + 0.5 * (s // 2) for s in range(2 * m)]  # a gap between the pairs
    for e, s in np.ndindex(A.shape):
        if A[e, s]:
            _tile(ax, where[s], e, FAINT if s not in chosen else BLUE if e < len(clauses) else SKY)
    for e in range(len(elements)):
        ax.text(
            where[-1] + 1.6,
            e,
            f"✓ {count[e]}" if count[e] else "✗ 0",
            ha="center",
            va="center",
            fontfamily="DejaVu Sans",
            color=BLACK if count[e] else VERMILLION,
            fontweight="bold",
        )
    words = [f"$c_{j}$:  {Or(*clause)}" for j, clause in enumerate(clauses, 1)]
    ax.set(
        xlim=(-0.7, where[-1] + 2.4),
        ylim=(len(elements) - 0.4, -0.6),
        yticks=range(len(elements)),
        yticklabels=words + [f"$z_{i}$" for i in range(1, m + 1)],
    )
    ax.axhline(len(clauses) - 0.5, color=MID, linewidth=0.8)
    ax.xaxis.tick_top()
    ax.set_xticks([*where, where[-1] + 1.6], [*sets, "chosen sets\nthat hold it"])
    for label, s in zip(ax.get_xticklabels(), range(2 * m), strict=False):
        label.set(
            fontweight="bold" if s in chosen else "normal", color=BLACK if s in chosen else GREY
        )
    _bare(ax)
    true, found = int((count[: len(clauses)] > 0).sum()), find_assignment(cnf, m)
    missing = [e for e, c in zip(elements, count, strict=True) if c == 0]
    solution = (
        "no assignment covers all"
        if found is None
        else f"one that covers all: {', '.join(f'x{i} = {b}' for i, b in enumerate(found, 1))}"
    )
    fig.description = (
        f"x1 = {x[0]}, x2 = {x[1]}, x3 = {x[2]} chooses {m} sets. It makes {true} of {len(clauses)}"
        f" clauses true, and the sets cover {len(elements) - len(missing)} of {len(elements)}"
        " elements" + (f", all but {', '.join(missing)}; {solution}." if missing else ": a cover.")
    )
    return fig


@figure(lecture="09")
def weights_on_cover():
    """What Winnow and the Perceptron make of the twelve positive rows."""
    A = streams.TWELVE_BY_SIX
    best = smallest_cover(A)
    runs = {
        "Winnow": play(Winnow(6), A, np.ones(12, int)),
        "Perceptron": play(Perceptron(6), A, np.ones(12, int)),
    }
    fig, axes = canvas(1, 2, height=3.2)
    for ax, (name, run) in zip(axes, runs.items(), strict=True):
        w = run.weights[-1]
        for s in range(6):
            ax.bar(
                s,
                w[s],
                color=LOOK[name]["color"] if s in best else FAINT,
                edgecolor=LOOK[name]["color"],
                linewidth=1.2,
            )
            ax.text(s, w[s], f"{w[s]:g}", ha="center", va="bottom", fontsize=10)
        ax.set(
            title=f"{name}: {run.mistakes} mistakes",
            xlabel="variable",
            ylabel="weight",
            ylim=(0, 1.15 * w.max()),
        )
        ax.set_xticks(range(6), [f"$P_{s}$" for s in range(1, 7)])
    shown = {name: ", ".join(f"{v:g}" for v in run.weights[-1]) for name, run in runs.items()}
    fig.description = (
        f"Weights after one pass over the twelve positive rows: Winnow ({shown['Winnow']}),"
        f" Perceptron ({shown['Perceptron']}). Filled bars are the variables of the smallest"
        f" disjunction, {', '.join(f'P{s + 1}' for s in best)}. Neither algorithm sets any of the 6"
        " weights to 0."
    )
    return fig


# Greedy -------------------------------------------------------------------------------------------


@figure(lecture="09")
def greedy_against_optimum(instances=150, seed=0):
    """Greedy covers against smallest covers: random problems, and a trap."""
    rng = np.random.default_rng(seed)
    sizes = {}
    for _ in range(instances):
        A = rng.random((24, 16)) < 0.2
        A[np.arange(24), rng.integers(0, 16, 24)] = True
        pair = len(smallest_cover(A)), len(greedy_cover(A))
        sizes[pair] = sizes.get(pair, 0) + 1
    fig, (left, right) = canvas(1, 2, height=3.8)
    best, greedy = np.array(list(sizes)).T
    ends = np.array([best.min() - 0.6, best.max() + 0.6])
    left.plot(ends, ends, color=GREY, linewidth=1, linestyle=":")
    left.scatter(
        best, greedy, s=[30 + 500 * c / instances for c in sizes.values()], color=BLUE, alpha=0.8
    )
    for (b, g), c in sizes.items():
        left.annotate(
            f"{c}", (b, g), xytext=(12, 0), textcoords="offset points", va="center", fontsize=9
        )
    left.set(
        xlabel="smallest cover",
        ylabel="greedy cover",
        title=f"{instances} random problems",
        xlim=ends,
        ylim=(ends[0], greedy.max() + 0.6),
        xticks=np.unique(best),
        yticks=np.arange(best.min(), greedy.max() + 1),
    )
    j = np.arange(2, 9)
    m = 2 * (2**j - 1)
    found = [len(greedy_cover(streams.greedy_trap(int(i)))) for i in j]
    (bound,) = right.plot(m, 2 * np.log(m) + 1, **LOOK["bound"])
    (taken,) = right.plot(m, found, "o-", color=VERMILLION, markersize=5)
    (fewest,) = right.plot(m, np.full(len(j), 2), color=BLACK)
    right.set_xscale("log", base=2)
    right.set(xlabel="elements m", ylabel="sets", ylim=(0, 14), title="a trap: two sets are enough")
    label_ends(
        right, [(bound, "bound\n$2\\ln m + 1$"), (taken, "greedy"), (fewest, "smallest")], gap=0.12
    )
    same = sum(c for (b, g), c in sizes.items() if b == g)
    worst = max(g - b for b, g in sizes)
    fig.description = (
        f"Left: on {instances} random problems with 24 elements and 16 sets the greedy cover is"
        f" smallest in {same} of them and at most {worst} sets larger; numbers count problems."
        f" Right: in the trap with {m[-1]} elements greedy takes {found[-1]} sets where 2 are"
        f" enough; the bound is {2 * np.log(m[-1]) + 1:.1f}."
    )
    return fig


# Short rules --------------------------------------------------------------------------------------


@figure(lecture="09")
def short_rules(n=60, k=3, examples=20, seed=0):
    """Test error of disjunctions that explain the same examples, against their size."""
    X, y = streams.disjunction(examples + 5000, n, k, rng=seed)
    (train, labels), (test, truth) = (X[:examples], y[:examples]), (X[examples:], y[examples:])
    smallest = sorted(literal - 1 for literal in smallest_disjunction(train, labels).literals)
    allowed = [i for i in range(n) if i not in smallest and not train[labels == 0, i].any()]
    rng = np.random.default_rng(seed)

    def error(columns):
        return np.mean(test[:, columns].max(axis=1) != truth)

    paths = [
        list(accumulate(map(lambda i: [i], rng.permutation(allowed).tolist()), initial=smallest))
        for _ in range(12)
    ]
    fig, ax = canvas()
    for path in paths:
        ax.plot(
            [len(rule) for rule in path],
            [100 * error(rule) for rule in path],
            color=MID,
            linewidth=1,
        )
    ends = error(smallest), error(paths[0][-1])
    ax.plot(len(smallest), 100 * ends[0], "*", color=BLUE, markersize=17)
    ax.plot(len(paths[0][-1]), 100 * ends[1], "X", color=VERMILLION, markersize=11)
    ax.annotate(
        "smallest",
        (len(smallest), 100 * ends[0]),
        xytext=(12, -4),
        textcoords="offset points",
        color=BLUE,
    )
    ax.annotate(
        "largest",
        (len(paths[0][-1]), 100 * ends[1]),
        xytext=(-10, 6),
        textcoords="offset points",
        ha="right",
        color=VERMILLION,
    )
    ax.set(
        xlabel="variables in a disjunction that explains all examples",
        ylabel="test error in %",
        ylim=(-0.04 * 100 * ends[1] - 1, 112 * max(ends[1], 0.02)),
    )
    ax.xaxis.get_major_locator().set_params(integer=True)
    fig.description = (
        f"{examples} examples of a disjunction of {k} out of {n} variables. Along each grey line"
        " one allowed variable after the other is added to the smallest disjunction, which has"
        f" {len(smallest)}; all of them explain the examples. Errors on 5000 new examples: smallest"
        f" {ends[0]:.1%}, largest with {len(paths[0][-1])} variables {ends[1]:.1%}."
    )
    return fig
