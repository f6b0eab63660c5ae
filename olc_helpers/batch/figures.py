"""The figures of lecture 16."""

from fractions import Fraction
from functools import cache

import numpy as np

from .. import batch, streams
from ..canvas import canvas, figure
from ..checks import check_count, check_range, count
from ..experts.learners import Halving
from ..palette import BLACK, BOUND, GREEN, GREY, LIGHT, LOOK, VERMILLION
from ..perceptron import plane
from ..perceptron.learners import Perceptron
from ..protocol import play


def lecture_example(target: int = 3) -> batch.Distribution:
    """Return the distribution of the lecture: 7 points of a line, equally likely, labelled by the
    threshold x <= target.
    """
    C = np.tri(8, 7, -1, dtype=int)  # the threshold x <= a is row a
    if target not in range(8):
        raise ValueError(
            f"target must be a whole number from 0 to 7, the points with label 1; got {target!r}"
        )
    return batch.distribution(C.T, C[target])


@cache
def _threshold_rounds(target, T):
    return batch.rounds(Halving(8), lecture_example(target), T)


def _mean(law):
    return sum(made * p for made, p in law.items())


@figure(lecture="16")
def mistake_rounds(target=3, m=12):
    """Probability of a mistake in each round, for Halving on eight thresholds; their average is the
    error of a random stop.
    """
    risks, laws = _threshold_rounds(target, check_count("m", m))
    chance, most = np.array(risks[:m], float), max(laws[m])
    mean, bound = chance.mean(), 3 / m
    t = np.arange(1, m + 1)
    fig, ax = canvas()
    ax.bar(t, chance, color=LOOK["Halving"]["color"])
    ax.axhline(mean, color=BLACK)
    ax.axhline(bound, **BOUND)
    text = f"average {mean:.4f} = error of a random stop"
    ax.note(text, (m + 0.5, mean), (0, 4), ha="right")
    ax.note(f"bound $B/m$ = 3/{m}", (m + 0.5, bound), (0, 4), GREY, ha="right")
    ax.frame("round t + 1, which tests $h_t$", "probability of a mistake", xticks=t[:: 1 + m // 25])
    ax.set(xlim=(0.3, m + 0.7), ylim=(0, 1.2 * max(bound, chance.max())))
    return fig.says(
        f"On average a round errs with probability {chance.mean():.3f}, which is the error of a"
        f" random stop; the theorem allows {3 / m:.3f}.",
        f"Halving on eight thresholds, examples drawn from 7 points of a line of which {target} are"
        f" positive. A mistake has the probability {chance[0]:.3f} in round 1 and {chance[-1]:.3f}"
        f" in round {m}; the average over the {m} rounds is {chance.mean():.4f} and the bound"
        f" {3 / m:.4f}. On the worst sequence there are {count(most, 'mistake')},"
        f" {float(_mean(laws[m])):.3f} on average.",
    )


@figure(lecture="16")
def stopping_error(target=3, largest=40):
    """Error of a random stop and of the last hypothesis against the number of examples, with the
    bound B/m.
    """
    risks = np.array(_threshold_rounds(target, check_count("largest", largest)).risks, float)
    m = np.arange(1, largest + 1)
    stop = np.cumsum(risks[:-1]) / m
    least = max(risks[-1] / 2, 1e-6)
    fig, ax = canvas()
    ax.plot(m, np.minimum(3 / m, 1), **BOUND, label="bound $B/m$")
    ax.plot(m, stop, **LOOK["random stop"], label="random stop")
    ax.plot(m, risks[1:], **LOOK["Halving"], label="last, $h_m$")
    ax.frame("examples m", "probability of an error", yscale="log", ylim=(least, 1.3))
    ax.ends()
    if risks[-1] < stop[-1] / 4:
        ax.see("here the last one is best", (largest, np.sqrt(stop[-1] * risks[-1])), ha="right")
    return fig.says(
        f"After {largest} examples the last hypothesis errs with probability {risks[-1]:.2g}, a"
        f" random stop with {stop[-1]:.2g}.",
        f"Halving on eight thresholds with {target} of 7 points positive, exact. With {largest}"
        f" examples a random stop errs with probability {stop[-1]:.4f}, at most {3 / largest:.4f}"
        f" by the theorem; the last hypothesis with {risks[-1]:.2g}.",
    )


def _in_the_square(m, gamma, seed):
    """Return (X, y): m points of [-1, 1]² that the line 0.6x₁ + 0.8x₂ = 0 separates with a margin
    of at least gamma.
    """
    X = np.random.default_rng(seed).uniform(-1, 1, (20 * m, 2))
    X = X[np.abs(X @ [0.6, 0.8]) >= gamma][:m]
    return X, np.where(X @ [0.6, 0.8] > 0, 1, -1)


@figure(lecture="16")
def left_out(m=24, gamma=0.05, seed=16, consistent=True):
    """A sample in the plane: examples that caused an update, and examples that are misclassified
    when they are left out.
    """
    m = check_count("m", m)
    gamma = check_range("gamma", gamma, lambda g: 0 < g <= 0.5, "in (0, 0.5]")
    X, y = _in_the_square(m, gamma, seed)
    rule = batch.until_consistent if consistent else batch.one_pass
    trained = batch.trained(Perceptron(2), X, y, consistent)
    wrong = batch.leave_one_out(rule(Perceptron(2)), X, y)
    elsewhere = wrong & ~trained.updated
    fig, ax = canvas(width=7.5, height=4.6)
    plane.scene(ax, 1.15)
    plane.points(ax, X, y)
    plane.boundary(ax, trained.hypothesis.w, 1.15, color=LOOK["Perceptron"]["color"])
    hollow = dict(markerfacecolor="none", markeredgewidth=1.5)
    ax.dots(*X[trained.updated].T, "o", BLACK, 16, **hollow, label="caused an update")
    ax.dots(*X[wrong].T, "x", GREEN, 21, markeredgewidth=2.5, zorder=2, label="wrong when left out")
    finding, where = ", and each of them caused an update.", "none of them outside the circles"
    if elsewhere.any():
        ax.dots(*X[elsewhere].T, "s", GREY, 22, **hollow, label="wrong, but no update")
        finding = f"; {elsewhere.sum()} of them never caused an update."
        where = f"{elsewhere.sum()} of them no update point"
    ax.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), labelspacing=1.4)
    way = "passes until consistent" if consistent else "a single pass"
    return fig.says(
        f"Of {m} examples {wrong.sum()} are wrong when left out{finding}",
        f"The Perceptron on {m} examples with margin at least {gamma:g}, trained by {way}:"
        f" {count(trained.mistakes, 'mistake')}, caused by"
        f" {count(trained.updated.sum(), 'example')} (circles). Left out and classified by the"
        f" others, {wrong.sum()} are wrong (green crosses), {where}. The line is the hypothesis of"
        f" all {m}.",
    )


@cache
def _two_points(eps, K, T):
    D = batch.distribution([[1, 0], [-K, 1]], [1, 1], [1 - eps, eps])
    return batch.rounds(Perceptron(2), D, T)


def _spans(numbers):
    """Return whole numbers in words: 5 to 9, 12."""
    starts = [k for k in numbers if k - 1 not in numbers]
    ends = [k for k in numbers if k + 1 not in numbers]
    pairs = zip(starts, ends, strict=True)
    return ", ".join(f"{a} to {b}" if a < b else f"{a}" for a, b in pairs)


@figure(lecture="16")
def one_pass_error(eps=0.2, K=10, largest=32):
    """Expected error of the Perceptron after one pass, and the bound for training until consistent,
    which is then the average error of all hypotheses so far.
    """
    eps = Fraction(check_range("eps", eps, lambda e: 0 < e < 1, "in (0, 1)"))
    eps = eps.limit_denominator(1000)
    m = np.arange(1, check_count("largest", largest) + 1)
    risks, laws = _two_points(eps, check_count("K", K), largest + 1)
    bounds = [_mean(laws[k + 1]) / (k + 1) for k in m.tolist()]
    fails = [k for k in m.tolist() if risks[k] > bounds[k - 1]]
    error, bound = np.array(risks[1:-1], float), np.array(bounds, float)
    fig, ax = canvas(width=8, height=4)
    for k in fails:
        ax.axvspan(k - 0.5, k + 0.5, color=LIGHT, linewidth=0, zorder=0)
    ax.curve(m, error, LOOK["Perceptron"], "last, $h_m$", "o", 4)
    ax.plot(m, bound, "s--", color=VERMILLION, markersize=4, label="$E[M(S)]/(m+1)$")
    ax.frame("examples m, one pass", "probability of an error", ylim=(0, 1.02))
    ax.ends()
    if fails:
        ax.corner("shaded: the bound fails", 0.97, 0.02)
    return fig.says(
        f"After one pass the bound fails for {len(fails)} of {largest} sample sizes, the first of"
        f" which is {fails[0]}."
        if fails
        else f"Here the bound holds after one pass for all sample sizes up to {largest}.",
        f"(1, 0) has probability {float(1 - eps):g} and (-{K}, 1) probability {float(eps):g}, both"
        " are positive; exact. After one pass over m examples the Perceptron errs with a larger"
        " probability than the expected mistakes on m + 1 examples divided by m + 1 (grey stripes)"
        f" for m = {_spans(fails) or 'none'}. It errs with probability {error[0]:.4f} for m = 1"
        f" and {error[-1]:.4f} for m = {largest}, where the bound is {bound[-1]:.4f}.",
    )


@cache
def _conversions(noise, n, m, seeds):
    """Return the test errors of random stop, last, vote and average after 1 … m examples: seeds x 4
    x m.
    """
    table = np.empty((seeds, 4, m))
    for seed in range(seeds):
        v = np.eye(n)[0]
        X, y = streams.noisy_margin(m, v, 0.05, noise, rng=seed)
        new, label = streams.planted_margin(300, v, 0.05, rng=1000 + seed)
        scores = new @ play(Perceptron(n), X, y).weights.T  # a column for each of h_0, …, h_m
        signs, label = np.sign(scores), label[:, None]
        errors = np.mean(signs[:, :-1] != label, axis=0)
        sums = (np.cumsum(each[:, :-1], axis=1) for each in (signs, scores))
        table[seed, 0] = np.cumsum(errors) / np.arange(1, m + 1)
        table[seed, 1:] = [np.mean(g * label <= 0, axis=0) for g in (signs[:, 1:], *sums)]
    return table


@figure(lecture="16")
def conversions(noise=0.1, n=20, m=400, seeds=20):
    """Error on new examples of four ways to turn the Perceptron's hypotheses into one."""
    noise = check_range("noise", noise, lambda p: 0 <= p <= 0.5, "in [0, 0.5]")
    n, m, seeds = check_count("n", n), check_count("m", m), check_count("seeds", seeds)
    tables = 100 * _conversions(noise, n, m, seeds)
    table, off = tables.mean(axis=0), tables[..., -1].std(axis=0) / np.sqrt(max(seeds - 1, 1))
    names = "random stop", "last", "voted", "averaged"
    looks = LOOK | {"last": LOOK["Perceptron"] | {"linewidth": 1}}
    fig, ax = canvas(height=4)
    for k in (1, 0, 2, 3):
        ax.plot(np.arange(1, m + 1), table[k], **looks[names[k]], label=names[k])
    ax.frame("examples m", "error on new examples in %", ylim=(0, 52))
    ax.ends()
    ax.corner("the last vector jumps about", 0.97, 0.95)
    at = ", ".join(f"{name} {table[k, -1]:.1f} ± {off[k]:.1f}" for k, name in enumerate(names))
    return fig.says(
        f"With noisy labels the last vector errs on {table[1, -1]:.0f}% of new examples, the vote"
        f" on {table[2, -1]:.0f}%, the average on {table[3, -1]:.0f}%.",
        f"One pass of the Perceptron over {m} examples in {n} dimensions, {noise:.0%} of whose"
        " labels are wrong. Error in % on new examples with clean labels at the end, mean and"
        f" standard error of {seeds} samples: {at}.",
    )


@figure(lecture="16")
def sharp_conversions(n=20, largest=80):
    """Orthonormal examples: both theorems against the exact errors, for every number of
    examples.
    """
    n, largest = check_count("n", n), check_count("largest", largest)
    m, miss = np.arange(1, largest + 1), 1 - 1 / n
    stop, last = n * (1 - miss**m) / m, miss**m
    trained = n * (1 - miss ** (m + 1)) / (m + 1)
    fig, (left, right) = canvas(1, 2, width=9, height=3.8, sharey=True)
    left.plot(m, np.minimum(n / m, 1), **BOUND, label="bound $B/m$")
    left.plot(m, stop, **LOOK["random stop"], label="random stop, exact")
    left.frame("examples m", "probability of an error", "stop at a random time", ylim=(0, 1.05))
    right.plot(m, trained, **BOUND, label="bound $E[M(S)]/(m+1)$")
    right.plot(m, last, **LOOK["Perceptron"], label="until consistent, exact")
    right.frame("examples m", title="train until consistent", ylim=(0, 1.05))
    for ax in (left, right):
        ax.legend(loc="upper right")
    if stop[-1] > 0.9 * n / largest:
        left.corner("they meet: the bound is sharp", 0.97, 0.03)
    return fig.says(
        f"After {largest} draws of {n} orthonormal examples the error of a random stop is"
        f" {stop[-1] / min(n / largest, 1):.0%} of its bound.",
        f"The Perceptron on {n} orthonormal examples, equally likely. With m = {largest} a random"
        f" stop errs with probability {stop[-1]:.4f}, bound {min(n / largest, 1):.4f}. With m = 1"
        f" and training until consistent the error is {last[0]:.4f}, bound"
        f" {n * (1 - miss**2) / 2:.4f}.",
    )


@figure(lecture="16")
def out_of_step(samples=40, T=120, seed=0):
    """Why the oscillation dies: one pass over many samples, each in cycles of random length, and
    their mean.
    """
    samples = check_count("samples", samples)
    T = int(check_range("T", T, lambda k: k >= 60, "at least 60"))
    risks = np.array(_two_points(Fraction(1, 5), 10, T).risks, float)
    long = np.random.default_rng(seed).random((samples, T)) < 0.2
    w, lost = np.zeros((samples, 2)), []
    for t in range(T + 1):
        lost.append(w[:, 0] <= 0)  # wrong on the short example
        if t < T:
            x = np.where(long[:, t, None], (-10, 1), (1, 0))
            w = w + ((w * x).sum(axis=1) <= 0)[:, None] * x
    lost = np.array(lost)[:, np.argsort((long.cumsum(axis=1) < 1).sum(axis=1), kind="stable")]
    fig, (top, ax) = canvas(2, 1, width=8, height=5.2, sharex=True, height_ratios=(1.5, 1))
    top.imshow(
        ~lost.T, cmap="gray", vmin=-1.2, vmax=1, aspect="auto", interpolation="none",
        extent=(-0.5, T + 0.5, 0, samples),
    )  # fmt: skip
    top.frame(ylabel="samples", yticks=[], title="dark: wrong on the short example")
    top.grid(False)
    ax.curve(np.arange(T + 1), risks, LOOK["Perceptron"])
    ax.axhline(risks[-40:].mean(), **BOUND)
    ax.frame("examples m, one pass", "mean error", ylim=(0, 1.02))
    early, late = np.ptp(risks[10:45]), np.ptp(risks[-35:])
    if late < early / 4:
        ax.see("out of step, their mean is at rest", (T, risks[-1]), (0, -18), ha="right")
    return fig.says(
        f"At first all samples are in step, and their mean error spans {early:.2f}; in the end"
        f" {late:.3f}, though each goes on.",
        f"Above, {samples} samples of short and long examples, a row each; a cell is dark while the"
        " Perceptron is wrong on the short example, on its way back after a mistake on the long"
        f" one. After 5 examples {lost[5].mean():.0%} of the samples are dark, after 20"
        f" {lost[20].mean():.0%}, after {T} {lost[-1].mean():.0%}. Below, the exact mean error of"
        f" all samples: between 10 and 44 examples it spans {early:.3f}, over the last 35"
        f" {late:.3f}.",
    )
