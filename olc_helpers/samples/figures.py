"""The figures of lecture 18."""

from collections.abc import Sequence
from functools import cache
from math import comb, log

import numpy as np

from ..canvas import canvas, figure
from ..checks import check_count, check_range, count
from ..experts.learners import Hedge
from ..experts.theorems import hedge_rate
from ..limits.dimensions import (
    halfspace_count,
    intervals,
    singletons,
    thresholds,
    two_sided_rays,
    vc_dimension,
)
from ..palette import (
    BLACK,
    BLUE,
    BOUND,
    DOTTED,
    GREEN,
    GREY,
    LIGHT,
    LOOK,
    ORANGE,
    PURPLE,
    VERMILLION,
)
from ..protocol import play
from .counting import fallen, greedy_rule, left_by_samples, sauer, shattered_sets, smallest_sample
from .theorems import greedy_error, margin_at, noisy_at_most

WORST = LOOK["exact worst case"]


# A sample and what it leaves ----------------------------------------------------------------------


def one_or_none(N: int) -> np.ndarray:
    """Return the class of the rules that are true on one of N points, or on none."""
    return np.vstack([np.zeros((1, N), int), singletons(N)])


FAMILIES = {  # a class on N points, and the row that labels
    "thresholds": (thresholds, 5),
    "intervals": (intervals, 0),
    "one point or none": (one_or_none, 0),
}


@cache
def _left(family, largest):
    make, target = FAMILIES[family]
    C = make(10)
    left = left_by_samples(C, target, largest)
    order = np.argsort(left.worst, kind="stable")
    sums = np.cumsum(left.chances[:, order], axis=1)
    worst = left.worst[order][(sums < 0.9 - 1e-12).sum(axis=1)]  # reached in 90 % of the samples
    return len(C), vc_dimension(C), worst, left.chances @ left.typical


def vc_error(m: int, d: int, delta: float) -> float:
    """Return the error that the double sample promises for m examples: 1 if it is none."""
    eps = 2 / m * np.log2(2 * sauer(2 * m, d) / delta)
    return min(float(max(eps, 8 / m)), 1.0)


@figure(lecture="18")
def learning_curves(family="thresholds", largest=160):
    """Error of rules that fit m examples, on ten points: a typical one, the worst of them, and what
    two theorems promise.
    """
    if family not in FAMILIES:
        raise ValueError(f"family must be one of {', '.join(FAMILIES)}; got {family!r}")
    size, d, worst, typical = _left(family, check_count("largest", largest))
    m = np.arange(1, largest + 1)
    occam = 1 - (0.1 / size) ** (1 / m)
    vc = [vc_error(each, d, 0.1) for each in m.tolist()]
    fig, ax = canvas(height=4)
    ax.plot(m, vc, **DOTTED, label="double sample")
    ax.plot(m, occam, **BOUND, label="Occam")
    ax.plot(m, worst[1:], **WORST, label="worst that fits")
    ax.plot(m, typical[1:], color=BLUE, label="typical")
    ax.frame("examples m", "error", ylim=(0, 1.03))
    ax.ends()
    none = int((worst > 0).sum())
    at = min(20, largest)
    return fig.says(
        f"After {at} examples Occam's bound promises an error of at most {occam[at - 1]:.2f}; the"
        f" worst rule that fits has {worst[at]:.2f}.",
        f"{size} rules on ten points, all alike ({family}), VC dimension {d}; for 90% of the"
        f" samples of 1 to {largest} examples. After {at} examples a rule that fits has on average"
        f" the error {typical[at]:.3f}, the worst of them at most {worst[at]:.1f} (solid black,"
        f" exact); Occam's bound (dashed) allows {occam[at - 1]:.3f}, the double sample (dotted)"
        f" {vc[at - 1]:.3f}. From {none} examples on no wrong rule fits 90% of the samples.",
    )


@figure(lecture="18")
def coupon_collector(points=20, delta=0.1):
    """One point or none: how many examples are needed until no wrong rule fits, against Occam's
    bound.
    """
    N = check_count("points", points)
    delta = check_range("delta", delta, lambda q: 0 < q < 1, "in (0, 1)")
    sizes = np.arange(2, N + 1)
    exact = np.array([needed_draws(n, delta) for n in sizes.tolist()])
    bound = np.array([occam_sample(n + 1, 1 / n, delta) for n in sizes.tolist()])
    double = np.array([smallest_sample(1 / n, delta, 1) for n in sizes.tolist()])
    fig, ax = canvas(height=4)
    ax.plot(sizes, double, **DOTTED, label="double sample")
    ax.plot(sizes, bound, **BOUND, label="Occam")
    ax.plot(sizes, exact, **WORST, label="needed")
    ax.frame("points", "examples", ylog=10, whole="x")
    ax.ends()
    if (bound < 1.2 * exact).all():
        ax.corner("here Occam's bound is nearly exact", 0.97, 0.05)
    return fig.says(
        f"For {N} points {exact[-1]} examples are needed, and Occam's bound asks for {bound[-1]}.",
        f"The rules are true on one of the points or on none; the labels are all 0. Each wrong rule"
        f" errs on one point. With probability {1 - delta:g} none of them fits after {exact[0]}"
        f" examples for 2 points and after {exact[-1]} for {N} (solid); Occam's bound (dashed)"
        f" asks for {bound[0]} and {bound[-1]}, the double sample (dotted) for {double[0]} and"
        f" {double[-1]}.",
    )


def needed_draws(N: int, delta: float) -> int:
    """Return the least number of draws after which all N points were drawn with probability at
    least 1 - delta.
    """
    seen, m = np.eye(N + 1)[0], 0  # the law of the number of points that were drawn
    k = np.arange(N + 1)
    while seen[-1] < 1 - delta:
        seen = seen * k / N + np.append(0, (seen * (N - k) / N)[:-1])
        m += 1
    return m


def occam_sample(size: int, eps: float, delta: float) -> int:
    """Return the least m with size · (1 - eps)^m <= delta."""
    return int(np.ceil(log(delta / size) / log(1 - eps) - 1e-12))


# Labellings ---------------------------------------------------------------------------------------


@figure(lecture="18")
def growth_functions(largest=20):
    """Labellings of m points by thresholds, intervals and half-planes, and the bounds of Sauer and
    Shelah.
    """
    m = np.arange(1, check_count("largest", largest) + 1)
    counts = {
        "all labellings": (2.0**m, dict(color=BLACK)),
        "half-planes": ([halfspace_count(each, 2) for each in m.tolist()], dict(color=GREEN)),
        "intervals": (1 + m * (m + 1) // 2, dict(color=VERMILLION)),
        "thresholds": (m + 1, dict(color=BLUE)),
    }
    fig, ax = canvas(height=4)
    for d in (1, 2, 3):
        ax.plot(m, [sauer(each, d) for each in m.tolist()], **BOUND)
    bounds = [sauer(largest, d) for d in (1, 2, 3)]
    for name, (values, look) in counts.items():
        ax.curve(m, values, look, name, "o", 3)
    ax.frame("points m", "labellings", ylog=10, whole="x", ylim=(1, 1e5))
    ax.ends()
    ax.note("bound for d = 3", (largest * 0.8, sauer(int(largest * 0.8), 3)), (-4, 8), GREY)
    ax.corner("a finite VC dimension bends the line", 0.98, 0.03)
    half = halfspace_count(largest, 2)
    return fig.says(
        f"Half-planes label {largest} points in at most {half} ways; all labellings are"
        f" {2**largest}.",
        f"Labellings of m points, on a logarithmic scale. Of {largest} points: thresholds"
        f" {largest + 1}, intervals {1 + largest * (largest + 1) // 2}, half-planes {half}, of"
        f" {2**largest} in all. The bounds of Sauer and Shelah (dashed) for VC dimension 1, 2, 3"
        f" are {bounds[0]}, {bounds[1]} and {bounds[2]}; thresholds and intervals attain theirs.",
    )


TABLES = {
    "intervals": lambda: intervals(5),
    "both rays": lambda: two_sided_rays(5),
    "thresholds": lambda: thresholds(5),
}


@figure(lecture="18")
def falling_ones(family="intervals", step=2):
    """A class whose ones fall, column by column, and the sets that it shatters."""
    if family not in TABLES:
        raise ValueError(f"family must be one of {', '.join(TABLES)}; got {family!r}")
    tables = fallen(TABLES[family]())
    m, size = tables[0].shape[1], len(tables[0])
    step = int(check_range("step", step, lambda k: k in range(m + 1), f"0 to {m}"))
    table, sets = tables[step], shattered_sets(tables[step])
    fell = tables[step - 1] > table if step else np.zeros(table.shape, bool)
    fig, (ax, side) = canvas(1, 2, width=9, height=4.2, width_ratios=(1, 1.4))
    for row, values in enumerate(table):
        for j, value in enumerate(values):
            colour = BLUE if value else ORANGE if fell[row, j] else LIGHT
            ax.tile(j + 1, size - row, 0.85, 0.8, colour)
    ax.bare(
        xlim=(0.4, m + 0.6),
        ylim=(0.4, size + 0.6),
        xticks=range(1, m + 1),
        yticks=[],
        xlabel="points",
        title=f"{size} rows, {table.sum()} ones",
    )
    sizes = np.arange(m + 1)
    have = np.bincount([len(each) for each in sets], minlength=m + 1)
    before = np.bincount([len(each) for each in shattered_sets(tables[0])], minlength=m + 1)
    rows = np.bincount(table.sum(axis=1), minlength=m + 1)
    side.bar(sizes - 0.27, [comb(m, k) for k in sizes.tolist()], 0.25, color=LIGHT, edgecolor=GREY)
    side.bar(sizes, have, 0.25, color=PURPLE)
    side.bar(sizes + 0.27, rows, 0.25, color=BLUE)
    side.frame("size", "how many", f"{len(sets)} shattered sets", whole="xy")
    for text, colour, y in (
        ("all sets", GREY, 0.93),
        ("shattered", PURPLE, 0.85),
        ("rows with so many ones", BLUE, 0.77),
    ):
        side.text(0.97, y, text, color=colour, ha="right", transform=side.transAxes)
    return fig.says(
        f"After {count(step, 'column')} have fallen the class still has {size} rows, and shatters"
        f" {len(sets)} sets.",
        f"The class ({family} on {m} points) has {size} rows and shatters {before.sum()} sets, by"
        f" size {_list(before)}. After {count(step, 'column')} {table.sum()} ones are left of"
        f" {tables[0].sum()}; {fell.sum()} fell in the last (orange). Now it shatters"
        f" {len(sets)} sets, by size {_list(have)}; its rows have by the number of their ones"
        f" {_list(rows)}.",
    )


def _list(numbers):
    return ", ".join(map(str, np.trim_zeros(numbers, "b").tolist()))


# A second sample ----------------------------------------------------------------------------------


@figure(lecture="18")
def swapped_pairs(errors=6, toss=0):
    """Two samples of 20 as pairs: a coin for each pair says which example stands in S, and where a
    rule errs.
    """
    errors = int(check_range("errors", errors, lambda k: k in range(21), "0 to 20"))
    where = np.random.default_rng(0).permutation(20)[:errors]
    coins = np.random.default_rng([1, check_count("toss", toss + 1)]).random(20) < 0.5
    up = coins[where]  # the error stands in S
    fig, ax = canvas(width=8, height=2.4)
    for x in range(20):
        for y in (0, 1):
            ax.tile(x, y, 0.8, 0.7, LIGHT)
    ax.crosses(where[up], np.ones(up.sum()), VERMILLION, 13)
    ax.crosses(where[~up], np.zeros((~up).sum()), BLUE, 13)
    ax.bare(
        xlim=(-0.7, 19.7),
        ylim=(-0.6, 1.6),
        xticks=[],
        yticks=[0, 1],
        yticklabels=["new: S'", "sample: S"],
    )
    odds = 2**errors
    return fig.says(
        f"This toss puts {count(up.sum(), 'error')} into S; that it puts none there has"
        f" probability 1/{odds}.",
        f"20 pairs of examples; a rule errs on one example of {count(errors, 'pair')}. The coins"
        f" put {up.sum()} of the errors into the sample S (vermilion crosses) and {(~up).sum()}"
        f" into the second sample S' (blue). The rule fits S only if all lie in S', which of"
        f" {odds} equally likely tosses one does.",
    )


# With high probability ----------------------------------------------------------------------------


@cache
def perceptron_excess(noise: float, m: int, samples: int, seed: int) -> np.ndarray:
    """Return, for each of many samples, the average error of the Perceptron's hypotheses minus its
    rate of mistakes. Points on the circle, a line through the origin, labels wrong at the rate
    `noise`; the errors are exact.
    """
    rng = np.random.default_rng([18, seed])
    angles = rng.uniform(0, 2 * np.pi, (samples, m))
    y = np.where(rng.random((samples, m)) < noise, -1, 1) * np.where(np.cos(angles) > 0, 1, -1)
    w, mistakes, errors = np.zeros((samples, 2)), np.zeros(samples), np.zeros(samples)
    for t in range(m):
        x = np.column_stack([np.cos(angles[:, t]), np.sin(angles[:, t])])
        apart = np.abs(np.arctan2(w[:, 1], w[:, 0])) / np.pi  # of w from (1, 0): where both differ
        risk = noise + (1 - 2 * noise) * apart
        errors += np.where(w.any(axis=1), risk, 1.0)  # the zero vector says nothing
        wrong = y[:, t] * (w * x).sum(axis=1) <= 0
        mistakes += wrong
        w += (wrong * y[:, t])[:, None] * x
    return (errors - mistakes) / m


@figure(lecture="18")
def excess_of_error(noise=0.2, delta=0.1, m=200, samples=2000, seed=0):
    """How far the average error exceeds the rate of mistakes, in 2000 samples, and what Azuma's
    inequality allows.
    """
    noise = check_range("noise", noise, lambda p: 0 <= p <= 0.5, "in [0, 0.5]")
    delta = check_range("delta", delta, lambda q: 0 < q < 1, "in (0, 1)")
    excess = perceptron_excess(noise, check_count("m", m), check_count("samples", samples), seed)
    allowed = margin_at(m, delta)
    beyond = int((excess > allowed).sum())
    fig, ax = canvas(height=3.8)
    ax.hist(excess, np.linspace(-0.16, 0.16, 49), color=BLUE)
    ax.axvline(allowed, **BOUND)
    told = f"δ = {delta:g}: {beyond / samples:.1%}\nlie beyond"
    ax.see(told, (allowed, ax.get_ylim()[1]), (5, -4), va="top")
    ax.frame("average error minus M/m", "samples", xlim=(-0.16, 0.16))
    return fig.says(
        f"In {beyond} of {samples} samples the average error exceeds M/m by more than"
        f" {allowed:.3f}.",
        f"The Perceptron on {samples} samples of {m} points of a circle, {noise:.0%} of the labels"
        f" wrong. The average error of its hypotheses minus its rate of mistakes lies between"
        f" {excess.min():.3f} and {excess.max():.3f}, standard deviation {excess.std():.4f}. It is"
        f" above {allowed:.4f} (dashed) in {beyond} samples, {beyond / samples:.1%}, where the"
        f" theorem allows {delta:.0%}.",
    )


# Greedy rules -------------------------------------------------------------------------------------


DECOY = 0.02  # how often a decoy is true on a negative example


@cache
def rule_errors(n: int, k: int, m: int, runs: int, first: int = 0) -> np.ndarray:
    """Return for each run the exact errors of greedy's rule and of the longest rule that fits, and
    how many variables greedy takes. The label is 1 if one of the first k variables is true, which
    has probability 1/2; the others are decoys, true on every second positive example and on one of
    50 negative ones.
    """
    p = 1 - 0.5 ** (1 / k)
    rows = []
    for run in range(first, first + runs):
        rng = np.random.default_rng([run, n, k, m])
        relevant = rng.random((m, k)) < p
        y = relevant.any(axis=1)
        decoys = rng.random((m, n - k)) < np.where(y, 0.5, DECOY)[:, None]
        X = np.hstack([relevant, decoys])
        found = greedy_rule(X, y)
        longest = np.flatnonzero(~X[~y].any(axis=0)).tolist()
        rows.append((decoy_error(found, k), decoy_error(longest, k), len(found)))
    return np.array(rows)


def decoy_error(rule: Sequence[int], k: int) -> float:
    """Return the probability that a disjunction is wrong on a new example of that kind."""
    right = sum(j < k for j in rule)
    decoys, silent = len(rule) - right, 0.5 ** (right / k)  # no chosen relevant variable is true
    return 0.5 * (1 - (1 - DECOY) ** decoys) + (silent - 0.5) * 0.5**decoys


@figure(lecture="18")
def greedy_errors(k=2, m=300, runs=30):
    """Error of greedy's rule, and of the longest rule that fits, against the number of
    variables.
    """
    k, m = check_count("k", k), check_count("m", m)
    n = [16, 64, 256, 1024, 4096]
    table = np.array([rule_errors(each, k, m, check_count("runs", runs)) for each in n])
    means, off = table.mean(axis=1), table.std(axis=1, ddof=1) / np.sqrt(runs)
    bound = [min(greedy_error(each, k, m, 0.1), 1) for each in n]
    fig, ax = canvas(height=4)
    ax.plot(n, bound, **BOUND, label="greedy, bound")
    for column, colour, name in ((1, ORANGE, "longest rule"), (0, BLUE, "greedy")):
        ax.errorbar(n, means[:, column], 2 * off[:, column], color=colour, marker="o", label="_")
        ax.curve(n, means[:, column], dict(color=colour), name)
    ax.frame("variables n", "error", xlog=4, ylim=(-0.01, None), xticks=n)
    ax.ends()
    ax.corner("both explain the whole sample", 0.02, 0.97)
    at = "; ".join(
        f"{each} variables: greedy {a:.4f} ± {da:.4f} with {size:.1f} variables, longest"
        f" {b:.4f} ± {db:.4f}, bound {most:.3f}"
        for each, (a, b, size), (da, db, _), most in zip(n, means, off, bound, strict=True)
    )
    return fig.says(
        f"Of {n[-1]} variables greedy's rule errs on {means[-1, 0]:.1%}, the longest rule that"
        f" fits on {means[-1, 1]:.0%}.",
        f"{count(k, 'relevant variable')}, and decoys that are true on half of the positive"
        f" examples and on 2% of the others; {m} examples, means and standard errors of {runs}"
        f" samples. {at[0].upper() + at[1:]}.",
    )


# Noise, on-line -----------------------------------------------------------------------------------


@figure(lecture="18")
def one_lie(lies=1, T=200):
    """One point or none, and some wrong labels: mistakes of the optimal learner alone, and of Hedge
    over its copies that take themselves to be wrong once.
    """
    t, T = np.arange(1, check_count("T", T) + 1), T
    lies = int(check_range("lies", lies, lambda k: k in range(T // 2), f"0 to {T // 2 - 1}"))
    x = np.where(t % 2 == 0, 0, t)  # the target in every second trial, otherwise a new point
    y = (x == 0) | (t < 2 * lies)
    # Column e: wrong in trial e. If no rule is left then, it may say anything: 1 on its point.
    says = (x[:, None] == x) & (t[:, None] >= t)
    experts = np.hstack([says, np.zeros((T, 1), bool)])
    hedge = play(Hedge(T + 1, eta=hedge_rate(T + 1, T, c=8)), (experts != y[:, None]).astype(float))
    alone = ((says[:, y.argmax()] & (t > y.argmax() + 1)) != y).cumsum()
    best, paid = (y != (x == 0)).cumsum(), hedge.losses.cumsum()
    bound = noisy_at_most(1, T)
    fig, ax = canvas(height=4)
    ax.plot([1, T], [lies + bound] * 2, **BOUND, label="best + bound")
    ax.curve(t, alone, dict(color=ORANGE), "optimal alone")
    ax.curve(t, paid, LOOK["Hedge"], "Hedge")
    ax.curve(t, best, LOOK["best expert"], "best rule")
    ax.frame("trials", "mistakes", ylim=(0, max(1.1 * (lies + bound), alone[-1])))
    ax.ends()
    if lies and alone[-1] > T / 4:
        ax.corner("after a lie it never recovers", 0.02, 0.95)
    return fig.says(
        f"After {count(lies, 'lie')} the optimal learner alone makes {alone[-1]} mistakes, Hedge"
        f" over its copies {paid[-1]:.1f}.",
        f"One point or none, {T} trials; every second one is the target, the others are new points,"
        f" the first {lies} of which are labelled 1 as well. The optimal learner alone makes"
        f" {alone[-1]} mistakes, Hedge over its {T + 1} copies {paid[-1]:.2f} on average, the best"
        f" rule {best[-1]}; the bound allows Hedge {lies + bound:.2f} (dashed).",
    )
