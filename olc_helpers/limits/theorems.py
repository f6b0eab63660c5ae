"""The theorems of lecture 17: what no learner can do, and what the best one can. Most speak of a
class C instead of a run.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import indices
from ..checks import check_count
from ..ledger import Proof, as_hypothesis, assume, claim, theorem
from ..protocol import Run
from .dimensions import (
    ConceptClass,
    check_class,
    halfspace_count,
    halfspace_labellings,
    radon,
    separator,
    shattered,
    shattered_set,
    threshold_functions,
)
from .nature import NestedIntervals, class_sizes

__all__ = [
    "counting_bound",
    "dimension_chain",
    "never_pinned_down",
    "optimal_bound",
    "radon_bound",
    "shattered_bound",
    "vc_below_log",
]


def _bits(labels):
    return (np.asarray(labels) == 1).astype(int)


@theorem(r"VC(C) \le \lg|C|", items="VC-T2", lecture="17")
def vc_below_log(C: ArrayLike) -> Proof:
    """A shattered set of d points needs 2^d concepts.

    For every finite class C.

    >>> vc_below_log(dimensions.disjunctions(4, 2)).holds
    True
    """
    C = check_class(C)
    points = list(shattered_set(C))
    d, patterns = len(points), len(np.unique(C[:, points], axis=0))
    yield claim(r"L = 2^d", patterns, 2**d, of="concepts").because(
        "L counts the labellings of a largest shattered set, of d points"
    )
    yield claim(r"L \le |C|", patterns, len(C), of="concepts").because(
        "a concept labels the points in one way only"
    )
    yield claim(r"VC(C) = d \le \lg|C|", d, np.log2(len(C)), of="concepts").because(
        "lines 1 and 2, logarithm"
    )


@theorem(r"VC(C) \le M", items="VC-T3 VC-P1", lecture="17")
def shattered_bound(run: Run, C: ArrayLike, points: Sequence[int]) -> Proof:
    """Nature contradicts on a shattered set, and some concept agrees with all its labels.

    C shatters the points, nature shows each of them once, and the learner is deterministic.

    >>> C = dimensions.products(dimensions.singletons(2), dimensions.singletons(2))
    >>> run = adversaries.always_wrong(Halving(len(C)), C.T[[0, 2]])
    >>> shattered_bound(run, C, [0, 2]).holds
    True
    """
    C = check_class(C)
    points = indices("points", points, C.shape[1]).tolist()
    d = len(points)
    assume(shattered(C, points), f"C must shatter the points {points}")
    assume(
        len(run) == d, f"the run must show each of the {d} points once; it has {len(run)} trials"
    )
    agrees = np.cumprod(C[:, points] == _bits(run.y), axis=1).sum(axis=0)
    yield claim(r"\ell_t = 1", run.losses, 1).because("nature answers what was not predicted")
    yield claim(r"|V_{t+1}| \ge 2^{d-t}", agrees, 2.0 ** (d - 1 - np.arange(d))).because(
        "V: the concepts that agree so far. The other points can still be labelled in every way"
    )
    yield claim(r"|V_{d+1}| \ge 1", agrees[-1], 1).because("line 2 at the end: there is a target")
    yield claim(r"VC(C) = d \le M", d, run.mistakes).because("line 1 on d trials, and line 3")


@theorem(r"M \le \mathrm{Ldim}(C)", items="VC-T3 VC-C2", lecture="17")
def optimal_bound(run: Run, C: ArrayLike) -> Proof:
    """Littlestone's optimal algorithm: each mistake costs one level of the tree.

    C is finite, some concept is right on every trial, and the learner is the optimal algorithm,
    which keeps all concepts that are still possible.

    >>> C = dimensions.disjunctions(4, 2)
    >>> optimal_bound(adversaries.walk_down(dimensions.OptimalLearner(C), C), C).holds
    True
    """
    concepts = ConceptClass(C)
    assume(
        run.weights is not None and run.weights.shape[1] == len(concepts.C),
        f"the learner must keep in w which of the {len(concepts.C)} concepts are still possible",
    )
    opt = np.array(
        [concepts.opt(sum(1 << i for i in np.flatnonzero(w).tolist())) for w in run.weights]
    )
    target = (run.X == run.y[:, None]).all(axis=0)
    assume(target.any(), "some concept must be right on every trial")
    yield claim(r"\mathrm{Ldim}(V_1) = \mathrm{Ldim}(C)", opt[0], concepts.opt()).because(
        "at first every concept is possible"
    )
    yield claim(
        r"\mathrm{Ldim}(V_{t+1}) \le \mathrm{Ldim}(V_t) - 1", opt[1:], opt[:-1] - 1, on=run.mistake
    ).because("a mistake: the other label leaves no more, and both can't leave Ldim(V_t)")
    yield claim(r"\mathrm{Ldim}(V_{t+1}) \le \mathrm{Ldim}(V_t)", opt[1:], opt[:-1]).because(
        "fewer concepts have no deeper tree"
    )
    yield claim(r"\mathrm{Ldim}(V_t) \ge 0", opt, 0).because("the target stays, V is not empty")
    yield claim(
        r"\mathrm{Ldim}(V_t) \le \mathrm{Ldim}(C) - M_t", opt, concepts.opt() - run.mistakes_before
    ).because("lines 1 to 3, one trial at a time")
    yield claim(r"M \le \mathrm{Ldim}(C)", run.mistakes, concepts.opt()).because(
        "lines 4 and 5 at the end"
    )


@theorem(
    r"VC(C) \le opt(C) \le \lfloor\lg|C|\rfloor", items="VC-C2 VC-T2 VC-T3 TIGHT-10", lecture="17"
)
def dimension_chain(C: ArrayLike) -> Proof:
    """The chain from the VC dimension to the logarithm of the class.

    For every finite class C.

    >>> dimension_chain(dimensions.disjunctions(4, 2)).holds
    True
    """
    sizes = class_sizes(C)
    lg, opt = sizes.lg, sizes.opt
    yield claim(r"VC(C) \le opt(C)", sizes.vc, opt, of="concepts").because(
        "nature contradicts on a shattered set"
    )
    yield claim(r"opt(C) \le H(C)", opt, sizes.halving, of="concepts").because(
        "H is the worst case of Halving, opt the least of all algorithms"
    )
    yield claim(r"H(C) \le \lfloor\lg|C|\rfloor", sizes.halving, lg, of="concepts").because(
        "lecture 1: a mistake halves the class"
    )
    yield claim(r"opt(C) \le \lfloor\lg|C|\rfloor", opt, lg, of="concepts").because("lines 2 and 3")


@theorem(r"VC(\text{half-spaces in } R^n) < n + 2", items="VC-T1 VC-E2", lecture="17")
def radon_bound(X: ArrayLike) -> Proof:
    """Radon's theorem: n + 2 points in n dimensions are not shattered by half-spaces.

    For any n + 2 points.

    >>> radon_bound([[0, 0], [4, 0], [0, 4], [1, 2]]).holds
    True
    """
    with as_hypothesis():
        lam = radon(X)
    X, weight = np.asarray(X, float), np.array([float(v) for v in lam])
    up, down = weight.clip(0), (-weight).clip(0)
    y = np.where(weight > 0, 1, -1)
    yield claim(r"\sum_i \lambda_i = 0", float(sum(lam)), 0).because(
        "n + 1 equations in n + 2 unknowns have a solution"
    )
    yield claim(r"\sum_i \lambda_i x_i = 0", weight @ X, 0, of="coordinates").because(
        "the same equations, a coordinate each"
    )
    yield claim(r"z_+ = z_-", up @ X / up.sum(), down @ X / down.sum(), of="coordinates").because(
        "the averages of the points with λ > 0 and with λ < 0, weighted by |λ|: a point in both"
        " hulls"
    )
    yield claim(r"\text{separators} = 0", separator(X, y) is not None, 0).because(
        "a half-space with the first points and without the others would contain z and not"
        " contain it"
    )
    yield claim(
        r"\text{labellings} \le 2^{n+2} - 2", len(halfspace_labellings(X)), 2 ** len(X) - 2
    ).because("that labelling and its opposite are missing")


@theorem(r"M = T", items="VC-C1 VC-E1", lecture="17")
def never_pinned_down(hidden: NestedIntervals) -> Proof:
    """Thresholds on the line: every trial is a mistake, and some target agrees with every label.

    The learner is deterministic, and nature answers in nested intervals of (0, 1).

    >>> class AlwaysOne:
    ...     inputs, labels = "anything", "bits"
    ...     def predict(self, x): return 1
    ...     def update(self, x, y): pass
    >>> never_pinned_down(adversaries.nested_intervals(AlwaysOne(), T=10)).holds
    True
    """
    run, (low, high) = hidden.run, np.array(hidden.intervals, dtype=object).T
    x, y = run.X, run.y
    widths = high - low
    yield claim(r"\ell_t = 1", run.losses, 1).because("nature answers what was not predicted")
    yield claim(r"a_t \le a_{t+1}", low[:-1].astype(float), low[1:].astype(float)).because(
        "the intervals are nested: left ends"
    )
    yield claim(r"b_{t+1} \le b_t", high[1:].astype(float), high[:-1].astype(float)).because(
        "and right ends"
    )
    yield claim(
        r"\frac{b_{t+1} - a_{t+1}}{b_t - a_t} \ge \frac{1}{3}",
        (widths[1:] / widths[:-1]).astype(float),
        1 / 3,
    ).because("each is closed and keeps a third of the length")
    yield claim(
        r"1[x_t \le a_{t+1}] = y_t", [int(p <= a) for p, a in zip(x, low[1:], strict=True)], y
    ).because("the left end gives the label of x_t, and so do all later intervals")
    yield claim(
        r"1[x_t \le b_{t+1}] = y_t", [int(p <= b) for p, b in zip(x, high[1:], strict=True)], y
    ).because("the right end gives it too, so the whole interval does")
    yield claim(r"M = T", run.mistakes, len(run)).because(
        "line 1; a target is in all intervals, by lines 2 to 6"
    )


@theorem(r"\lfloor\lg|C_n|\rfloor \le n^2", items="VC-C3", lecture="17")
def counting_bound(n: int) -> Proof:
    """There are at most 2^(n²) boolean threshold functions of n ≥ 2 variables.

    For every n >= 2.

    >>> counting_bound(3).holds
    True
    """
    assume(check_count("n", n) >= 2, f"n must be at least 2; got {n}")
    size, most = len(threshold_functions(n)), halfspace_count(2**n, n)
    yield claim(r"|C_n| \le 2\sum_{i\le n}\binom{2^n-1}{i}", size, most, of="functions").because(
        "half-spaces cut 2^n points of R^n in no more ways"
    )
    yield claim(
        r"2\sum_{i\le n}\binom{2^n-1}{i} \le 2^{n^2}", most, 2**n**2, of="functions"
    ).because("elementary, for n ≥ 2")
    yield claim(
        r"\lfloor\lg|C_n|\rfloor \le n^2", size.bit_length() - 1, n**2, of="functions"
    ).because("lines 1 and 2, logarithm")
