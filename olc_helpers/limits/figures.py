"""The figures of lecture 17."""

from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from .. import adversaries, streams
from ..canvas import canvas, figure
from ..checks import check_count, check_range, count
from ..palette import BLACK, BLUE, BOUND, GREEN, GREY, LIGHT, LOOK, MID, PALE, SKY, VERMILLION
from ..perceptron import plane
from ..perceptron.margins import max_margin
from ..winnow.booleans import cube
from .dimensions import (
    ConceptClass,
    disjunctions,
    halfspace_labellings,
    intervals,
    littlestone_dimension,
    radon,
    separator,
    singletons,
    threshold_functions,
    thresholds,
    vc_dimension,
)

CORNERS = np.array([[-0.7, -0.6], [0.7, -0.6], [0.0, 0.75]])
BOX = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
FAMILIES = {  # small classes by size
    "thresholds": lambda N: thresholds(N),
    "singletons": lambda N: singletons(N),
    "intervals": lambda N: intervals(N),
    "2 of n": lambda n: disjunctions(n, 2),
}
# Threshold functions of 5 to 8 variables, counted by others (VC-C3).
KNOWN = (94572, 15028134, 8378070864, 17561539552946)


def _coordinate(name, value):
    return check_range(name, value, lambda v: -1 <= v <= 1, "in [-1, 1]")


def _half_plane(X, y):
    """Return (w, b) of a line that keeps away from the points, or None if no line separates
    them.
    """
    if separator(X, y) is None:
        return None
    v = max_margin(np.column_stack([X, np.full(len(X), 10.0)]), y).v
    return v[:-1], 10 * v[-1]


def _clipped(w, b):
    """Return the part of the box where w·x + b >= 0, as a polygon."""
    corners, box = [], np.column_stack([BOX, BOX @ w + b])  # with the height over the line
    for p, q in zip(box, np.roll(box, -1, axis=0), strict=True):
        if p[2] >= 0:
            corners.append(p)
        if p[2] * q[2] < 0:
            corners.append(p + p[2] / (p[2] - q[2]) * (q - p))
    return np.reshape(corners, (-1, 3))[:, :2]


@figure(lecture="17")
def shattering(points=3, x=0.0, y=0.75):
    """All labellings of three or four points in the plane, each with a line that gives it, or a
    cross.
    """
    if points not in (3, 4):
        raise ValueError(f"points must be 3 or 4; got {points!r}")
    cols, size = (4, 10) if points == 3 else (8, 8)
    width, height = (7.5, 3.9) if points == 3 else (9, 3.1)
    X = np.array([*CORNERS[: points - 1], [_coordinate("x", x), _coordinate("y", y)]])
    signs = 1 - 2 * cube(points)
    half = [_half_plane(X, labels) for labels in signs[: len(signs) // 2]]
    half += [line and (-line[0], -line[1]) for line in half[::-1]]  # the opposite labels
    possible = sum(line is not None for line in half)
    fig, ax = canvas(width=width, height=height)
    shifts = 2.25 * np.array([(k % cols, -(k // cols)) for k in range(len(signs))])
    for line, shift in zip(half, shifts, strict=True):
        ax.fill(*(BOX + shift).T, color="white" if line else LIGHT, edgecolor=MID, linewidth=1)
        if line:
            ax.fill(*(_clipped(*line) + shift).T, color=SKY, alpha=0.35, linewidth=0)
        else:
            ax.word(*(shift + (0.82, 0.78)), "✗", fontsize=15)
    everywhere = np.concatenate(X + shifts[:, None])
    plane.points(ax, everywhere, signs.ravel(), size=size)
    ax.bare(aspect="equal", xticks=[], yticks=[])
    ax.set_title(f"{possible} of {len(signs)} labellings are possible")
    verdict = "shattered" if possible == len(signs) else "not shattered"
    others = "; the others are marked ✗" if possible < len(signs) else ""
    return fig.says(
        f"Half-planes give these {points} points {possible} of {len(signs)} labellings: they are"
        f" {verdict}.",
        f"The {len(signs)} labellings of {points} points, the last of which is at ({x:g}, {y:g}). A"
        f" half-plane, in blue, gives {possible} of them{others}. The {points} points are"
        f" {verdict}.",
    )


@figure(lecture="17")
def four_labels(A=True, B=True, C=False, D=False, x=0.2, y=-0.9):
    """Four points with chosen labels: a line that separates them, or the point that lies in both
    hulls.
    """
    from matplotlib.patheffects import withStroke

    X = np.array([*CORNERS, [_coordinate("x", x), _coordinate("y", y)]])
    labels = np.where([A, B, C, D], 1, -1)
    found, lam = _half_plane(X, labels), np.array(radon(X), float)
    fig, ax = canvas(width=6, height=4.4)
    for label, colour, style in ((1, BLUE, "-"), (-1, VERMILLION, "--")):
        for pair in combinations(X[labels == label], 2):
            ax.plot(*np.transpose(pair), color=colour, linestyle=style)
    plane.points(ax, X, labels, size=14)
    for name, p in zip("ABCD", X, strict=True):
        halo = [withStroke(linewidth=3, foreground="white")]  # a line may pass behind the name
        ax.note(name, p, (12, 8), path_effects=halo)
    seen = "a line separates them" if found else "★ lies in the hull of either kind"
    ax.frame("$x_1$", "$x_2$", seen, aspect="equal", xlim=(-1.15, 1.15), ylim=(-1.05, 1.05))
    said = "".join("+" if label > 0 else "−" for label in labels)
    if found:
        ax.fill(*_clipped(*found).T, color=SKY, alpha=0.35, linewidth=0)
        told = finding = "a line separates the positive points from the negative ones"
    else:
        meet = lam.clip(0) @ X / lam.clip(0).sum()
        ax.dots(*meet, "*", BLACK, 17, markeredgecolor="white", zorder=5)
        point = f"the point ({meet[0]:.2f}, {meet[1]:.2f}), marked ★, lies in both hulls"
        told = f"no line separates them: {point}"
        finding = "no line separates them, because the star lies in the hull of either kind"
    return fig.says(
        f"With the labels {said} for A to D, {finding}.",
        f"Labels of A, B, C, D: {said}. With D at ({x:g}, {y:g}), {told}. "
        f"Half-planes give these four points {len(halfspace_labellings(X))} of 16 labellings.",
    )


class Scripted:
    """A learner that says what is written down, one letter a trial."""

    inputs, labels = "anything", "bits"

    def __init__(self, moves: str):
        self.moves, self.t = moves, 0

    def predict(self, x):
        return int(self.moves[self.t])

    def update(self, x, y):
        self.t += 1


@figure(lecture="17")
def never_found(moves="10010"):
    """Nature hides a threshold: the interval that it keeps, each row a magnified third of the row
    above.
    """
    if set(moves) - set("01"):
        raise ValueError(
            f"moves must be a text of the letters 0 and 1, your predictions; got {moves!r}"
        )
    # One more, to know where nature asks next.
    kept = adversaries.nested_intervals(Scripted(moves + "1"), len(moves) + 1)
    spans, asked, answers = kept.intervals[: len(moves) + 1], kept.run.X, kept.run.y
    first = max(0, len(moves) - 5)
    butt = dict(solid_capstyle="butt")
    fig, ax = canvas(width=8, height=0.62 * (len(spans) - first) + 0.7)
    for t in range(first, len(spans)):
        ax.plot([0, 1], [-t, -t], color=BLACK, **butt)
        ax.dots([0, 1], [-t, -t], "|", BLACK, 12)
        ax.dots(0.5, -t, "o", VERMILLION, 8, zorder=4)
        shown = str(asked[t]) if len(str(asked[t])) < 16 else f"{float(asked[t]):.10f}"
        ax.note(f"$x_{{{t + 1}}}$ = {shown}", (0.5, -t), (0, 7), VERMILLION, zorder=5)
        turn = "your turn"
        if t < len(moves):
            turn = f"you say {moves[t]}, nature says {answers[t]}"
            a, b = (2 / 3, 1) if answers[t] else (0, 1 / 3)
            ax.plot([a, b], [-t, -t], color=BLUE, linewidth=7, zorder=3, **butt)
            ax.fill([a, b, 1, 0], [-t, -t, -t - 1, -t - 1], color=SKY, alpha=0.25, linewidth=0)
        ax.text(1.04, -t, turn, va="center")
    ax.bare(xlim=(-0.02, 1.5), ylim=(-len(spans) + 0.6, -first + 0.7), yticks=[], xticks=[])
    low, high = spans[-1]
    right = sum(move == str(answer) for move, answer in zip(moves, answers, strict=False))
    fig.score, fig.possible = right, 0  # nature contradicts each prediction
    number, wrong = count(len(moves), "prediction"), count(len(moves), "mistake")
    return fig.says(
        f"{number}, {wrong}, and still a whole interval of thresholds agrees with everything that"
        " nature said."
        if moves
        else "Say what you like: nature will contradict, and thresholds are left that agree.",
        f"After {number} ({moves or 'none yet'}) you made {wrong}. The thresholds that agree with"
        f" all of nature's answers start at {float(low):.8g} and still fill a length of"
        f" {float(high - low):.2g}. A point x is positive, label 1, if it is not above the"
        " threshold.",
    )


# Trees of mistakes --------------------------------------------------------------------------------


def _bits(row):
    return "".join(map(str, row))


def _walk(concepts, question):
    """Return the points that nature asks in the deepest tree of mistakes, level by level from left
    (label 0) to right, and the sets of concepts that are left under it.

    `question(V, more)` is the point asked of the concepts V before this many more mistakes.
    """
    level, asked = [concepts.everything], []
    for more in reversed(range(concepts.opt())):
        asked.append([question(V, more) for V in level])
        halves = [(V, concepts.points[k]) for V, k in zip(level, asked[-1], strict=True)]
        level = [part for V, p in halves for part in (V & ~p, V & p)]
    return asked, level


def _first_question(concepts, V, more):
    """Return the first point both of whose labels leave nature this many mistakes."""
    halves = ((V & p, V & ~p) for p in concepts.points)
    return next(k for k, each in enumerate(halves) if min(map(concepts.opt, each)) >= more)


def _names(family, N, concepts):
    """Return what a concept and what a question is called, one text for each."""
    if family == "2 of n":
        pairs = combinations(range(1, N + 1), 2)
        return ["∨".join(map(str, pair)) for pair in pairs], [_bits(row) for row in cube(N)]
    names = [_bits(row) for row in concepts.C]
    if len(concepts.points) > 8:
        names = [f"c{i + 1}" for i in range(len(names))]
    return names, [f"$x_{{{k + 1}}}$?" for k in range(len(concepts.points))]


def _across(level):
    """Return where the nodes of a level stand, between 0 and 1."""
    return (np.arange(2**level) + 0.5) / 2**level


@figure(lecture="17")
def mistake_tree(family="thresholds", N=7):
    """The deepest tree of mistakes of a small class: nature asks, contradicts, and goes down."""
    from matplotlib.collections import LineCollection

    if family not in FAMILIES:
        raise ValueError(f"family must be one of {', '.join(FAMILIES)}; got {family!r}")
    concepts = ConceptClass(FAMILIES[family](check_count("N", N)))
    depth = concepts.opt()
    if depth == 0:
        raise ValueError("N must be larger: the class has a single concept, so nobody need err")
    if depth > 4:
        raise ValueError(f"N must be smaller: the tree has {depth} levels, and 4 can be read")
    asked, leaves = _walk(concepts, lambda V, more: _first_question(concepts, V, more))
    names, questions = _names(family, N, concepts)
    box = dict(boxstyle="round,pad=0.3", fc="white", ec=BLACK)
    under = dict(ha="center", va="top", family="monospace", fontsize=10)
    fig, ax = canvas(width=9, height=0.95 * depth + 1.1)
    for level, row in enumerate(asked):
        for x, k in zip(_across(level), row, strict=True):
            ax.word(x, -level, questions[k], bbox=box, zorder=3)
    for i, (x, V) in enumerate(zip(_across(depth), leaves, strict=True)):
        name = names[(V & -V).bit_length() - 1]
        long = 0.6 * 10 * (len(name) + 1) > 72 * 9 / 2**depth  # points
        lower = 0.22 * (long and i % 2)  # every other one
        ax.text(x, -depth - 0.12 - lower, name, **under)
    tops = np.array([(x, -level) for level in range(depth) for x in _across(level)])
    below = np.array([(x, -level) for level in range(1, depth + 1) for x in _across(level)])
    for label, colour, style in ((1, BLUE, "-"), (0, VERMILLION, "--")):
        ends = below[label::2]
        look = dict(colors=colour, linestyles=style, linewidths=1.5)
        ax.add_collection(LineCollection(np.stack([tops, ends], axis=1), zorder=1, **look))
        places = (0.6 * tops + 0.4 * ends).T
        ax.dots(*places, "o", "white", 15)
        sign = dict(marker=f"${label}$", markersize=7, markeredgewidth=0)
        ax.plot(*places, color=BLACK, linestyle="", **sign)
    ax.dots(_across(depth), np.full(2**depth, -depth), "s", GREY, 7)
    ax.bare(xlim=(0, 1), ylim=(-depth - 0.45, 0.35), xticks=[], yticks=[])
    what = f"{family} with N = {N}" if family != "2 of n" else f"disjunctions of 2 of {N} variables"
    vc = vc_dimension(concepts.C)
    return fig.says(
        f"Whatever you predict, nature contradicts and goes down: {count(depth, 'mistake')}, while"
        f" only {vc} {'point' if vc == 1 else 'points'} can be shattered.",
        f"The class of {what}: {len(concepts.C)} concepts, VC dimension {vc}. Nature asks the point"
        " in the box, answers the label that you did not predict (solid 1, dashed 0), and goes"
        f" down: {count(depth, 'mistake')}. Under each leaf is a concept that gives all the labels"
        " above it.",
    )


class Tree(NamedTuple):
    """The deepest tree of mistakes of the threshold functions of four variables, level by level,
    from the label 0 on the left to 1 on the right: the points asked, as rows of cube(4), how many
    functions are left, and for each leaf small weights of one of them, with its threshold.
    """

    asked: list[list[int]]
    left: list[list[int]]
    ends: list[list[int]]


@cache
def tree_of_thresholds() -> Tree:
    """Return the tree in which `threshold_tree` walks."""
    concepts = ConceptClass(threshold_functions(4))
    asked, leaves = _walk(concepts, lambda V, more: concepts.split(V))
    levels = [[concepts.everything]]
    for row in asked:
        halves = [(V, concepts.points[k]) for V, k in zip(levels[-1], row, strict=True)]
        levels.append([part for V, p in halves for part in (V & ~p, V & p)])
    weights = sorted(product(range(-3, 4), repeat=4), key=lambda w: sum(map(abs, w)))
    formulas = [[*w, cut] for w in weights for cut in sorted(range(-13, 13), key=abs)]
    w, cut = np.split(np.array(formulas), [4], axis=1)
    first = np.unique(w @ cube(4).T > cut, axis=0, return_index=True)[1]  # the smallest of each
    ends = [min(k for i, k in enumerate(first.tolist()) if V >> i & 1) for V in leaves]
    left = [[V.bit_count() for V in level] for level in levels]
    return Tree(asked, left, [formulas[k] for k in ends])


def _formula(w, cut):
    """Return 1[w·x > cut] as a text."""
    terms = [(v, f"{abs(v) if abs(v) > 1 else ''}x{'₁₂₃₄'[i]}") for i, v in enumerate(w) if v]
    text = "".join(f" {'+' if v > 0 else '−'} {term}" for v, term in terms) or " + 0"
    return f"1[{text.removeprefix(' + ').replace(' − ', '−', text[1] == '−')} > {cut}]".replace(
        "-", "−"
    )


@figure(lecture="17")
def threshold_tree(moves="100110011"):
    """Nature walks down the deepest tree of mistakes of the threshold functions of four variables:
    you answer nine times, and it contradicts.
    """
    from matplotlib.collections import LineCollection

    if set(moves) - set("01"):
        raise ValueError(
            f"moves must be a text of the letters 0 and 1, your predictions; got {moves!r}"
        )
    asked, left, ends = tree_of_thresholds()
    depth = len(asked)
    said = [int(move) for move in moves[:depth]]
    nodes = [0]
    for move in said:
        nodes.append(2 * nodes[-1] + 1 - move)
    number = [left[t][k] for t, k in enumerate(nodes)]
    points = [cube(4)[asked[t][k]] for t, k in enumerate(nodes[:depth])]
    end = ends[nodes[-1]] if len(said) == depth else None
    fig, ax = canvas(width=9.5, height=4.6)
    fan = [
        [(x, -t), (_across(t + 1)[2 * k + y], -t - 1)]
        for t in range(depth)
        for k, x in enumerate(_across(t))
        for y in (0, 1)
    ]
    ax.add_collection(LineCollection(fan, colors=PALE, linewidths=0.6))
    x = [_across(t)[k] for t, k in enumerate(nodes)]
    told = []
    for t, point in enumerate(points):
        ax.text(1.06, -t, _bits(point), family="monospace", va="center")
        if t == len(said):
            ax.text(1.26, -t, "your turn", va="center")
            told.append(f"Next it asks {_bits(point)}.")
            break
        y = 1 - said[t]
        look = dict(color=BLUE) if y else dict(color=VERMILLION, linestyle="--")
        ax.plot(x[t : t + 2], [-t, -t - 1], linewidth=3, **look)
        score = f": {point @ end[:4]} {'>' if y else '≤'} {end[4]}" if end else ""
        answer = f"you {said[t]}, nature {y}{score}".replace("-", "−")
        ax.text(1.26, -t, answer, va="center")
        told.append(f"{_bits(point)}: {answer}; {number[t + 1]} left.")
    ax.dots(x, -np.arange(len(x)), "o", BLACK, 5)
    for t, functions in enumerate(number):
        length = 0.045 * np.log2(functions)
        ax.barh(-t, length, 0.55, left=1.95, color=SKY)
        ax.note(f"{functions}", (1.95 + length, -t), (4, 0), va="center")
    ax.plot([1.95 + 0.045 * depth, 1.95], [0, -depth], **BOUND)
    for place, text in ((0.5, "histories"), (1.06, "asked"), (1.95, "left (dashed: needed)")):
        ax.text(place, 0.8, text, ha="center" if place < 1 else "left", fontweight="bold")
    if end:
        formula = _formula(end[:4], end[4])
        ax.text(1.06, -depth, f"agrees: {formula}", va="center")
        told.append(f"{formula} gives all these labels.")
    ax.bare(xlim=(0, 2.7), ylim=(-depth - 0.5, 1.2), xticks=[], yticks=[])
    fig.score, fig.possible = 0, 0  # nature contradicts each prediction
    functions = f"{number[-1]} of the {number[0]} threshold functions"
    return fig.says(
        f"{count(len(said), 'answer')}, none right: {functions}"
        f" {'is' if number[-1] == 1 else 'are'} left."
        if said
        else f"Nature asks, you answer, nature contradicts: {functions} are left.",
        "Nature asks for labels of points of four bits. "
        + " ".join(told)
        + f" On the left the path through the {2**depth - 1} questions of the tree, solid for the"
        " label 1, dashed for 0. On the right the functions that are left, on a logarithmic"
        f" scale; the dashed line is what {depth}, {depth - 1}, … more mistakes need.",
    )


@cache
def _sizes(family, N):
    """Return ⌊lg|C|⌋, the VC dimension and the optimal mistake bound of a small class."""
    C = FAMILIES[family](N)
    return len(C).bit_length() - 1, vc_dimension(C), littlestone_dimension(C)


@figure(lecture="17")
def class_chain(largest=16):
    """VC dimension, optimal mistake bound and lg |C| of four families of classes, against their
    size.
    """
    check_range("largest", largest, lambda n: 3 <= n <= 40, "a whole number from 3 to 40")
    fig, axes = canvas(1, 4, width=9.5, height=3.4, sharey=True)
    told = []
    for ax, family in zip(axes, FAMILIES, strict=True):
        name, last = ("n", min(largest, 6)) if family == "2 of n" else ("N", largest)
        sizes = np.arange(2, last + 1)
        lg, vc, opt = np.array([_sizes(family, int(N)) for N in sizes]).T
        ax.step(sizes, lg, where="mid", **BOUND, label=r"$\lfloor\lg|C|\rfloor$")
        ax.dots(sizes, vc, "s", BLUE, 8, markerfacecolor="white", label="VC")
        ax.dots(sizes, opt, "o", BLACK, 5, label="opt")  # in the square, if they coincide
        ax.frame(name, title=family)
        told.append(f"{family} at {sizes[-1]}: {vc[-1]} ≤ {opt[-1]} ≤ {lg[-1]}")
    axes[0].frame(ylabel="mistakes")
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return fig.says(
        "The number of mistakes that nature can force may lie at either end of the chain, or in"
        " between.",
        "VC dimension ≤ optimal mistake bound ≤ lg of the number of concepts, rounded down."
        f" {'; '.join(told)}.",
    )


@figure(lecture="17")
def threshold_counts(largest=8):
    """What is known about learning boolean threshold functions: lg of their number, n², and the
    Perceptron's bound.
    """
    check_range("largest", largest, lambda n: 4 <= n <= 8, "a whole number from 4 to 8")
    n = np.arange(1, largest + 1)
    exact = [len(threshold_functions(int(k))) for k in n[:4]]
    lg = [(c.bit_length() - 1) for c in [*exact, *KNOWN][:largest]]
    gap = [(k + 1) / max_margin(*streams.odd_max_bit(int(k))).gamma ** 2 for k in n]
    limits = 0.8, 2 * max(gap)
    fig, ax = canvas()
    ax.plot(n, gap, **LOOK["Perceptron"], marker="D", markersize=6)
    ax.plot(n, n**2, **BOUND)
    ax.dots(n[:4], lg[:4], "o", BLACK, 8)
    ax.dots(n[4:], lg[4:], "o", BLACK, 8, markerfacecolor="white")
    ax.dots(n, n + 1, "s", GREEN)
    ax.frame("variables n", "mistakes", ylog=10, xticks=n, xlim=(0.7, largest + 0.3), ylim=limits)
    look = dict(ha="left", va="center", fontsize=10, annotation_clip=False)
    for height, text, colour, up in (
        (gap[-1], "Perceptron's bound\nfor one bad function", BLUE, 0),
        (largest**2, "$n^2$", GREY, 7),
        (lg[-1], "lg of the number\nof functions", BLACK, -12),
        (largest + 1, "VC dimension $n+1$", GREEN, 0),
    ):
        ax.note(text, (1.01, height), (0, up), colour, xycoords=("axes fraction", "data"), **look)
    ax.corner("open circles: counted by others", 0.02, 0.97)
    return fig.says(
        "From n = 2 on Halving's bound stays below n²; the Perceptron's for one bad function"
        f" reaches {gap[-1]:.0f} at n = {largest}.",
        f"Boolean threshold functions of n variables. There are {', '.join(map(str, exact))} for n"
        " = 1 to 4 (filled circles; open ones are taken from the literature), so Halving makes at"
        f" most {', '.join(map(str, lg))} mistakes, no more than n² from n = 2 on. The Perceptron's"
        f" bound for the odd-max-bit function is {gap[-1]:.0f} at n = {largest}.",
    )
