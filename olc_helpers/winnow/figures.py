"""The figures of lectures 11 and 12."""

from itertools import count as count_from
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from .. import adversaries, streams
from ..canvas import canvas, figure, label_ends
from ..checks import Seed, check_count, check_range, count
from ..palette import BLACK, BOUND, DOTTED, GREY, LOOK, MID, hatched
from ..perceptron.learners import Perceptron
from ..protocol import play
from .booleans import Or, check_size
from .learners import ExponentiatedGradient, Winnow
from .theorems import (
    attribute_errors,
    eg_bound,
    perceptron_disjunction_at_most,
    promotions,
    winnow_at_most,
    winnow_noise_at_most,
    winnow_quantities,
    winnow_refined_at_most,
)

RIVALS = "Winnow", "Perceptron"
WINNOW, PERCEPTRON = (LOOK[name] for name in RIVALS)


def with_bias(X: ArrayLike) -> np.ndarray:
    """Return the rows (x, 1)."""
    rows = np.asarray(X)
    return np.column_stack([rows, np.ones(len(rows), int)])


# Thousands of variables: only the active ones are drawn and looked at -----------------------------


def random_active_columns(T: int, n: int, p: float, rng: np.random.Generator) -> list[np.ndarray]:
    """Return the columns of the ones in each of T rows of n bits that are 1 with probability p.

    From a 1 to the next, row after row, it is a geometric number of steps: far fewer draws than
    bits.
    """
    steps = rng.geometric(p, int(T * n * p + 6 * np.sqrt(T * n * p) + 10))
    rows, columns = np.divmod(np.cumsum(steps) - 1, n)
    ends = np.searchsorted(rows, np.arange(T + 1))
    return [columns[start:end] for start, end in pairwise(ends.tolist())]


def race(rows: list[np.ndarray], n: int, k: int) -> np.ndarray:
    """Return the trials on which Winnow and the Perceptron err, a column for each, if row t has
    ones in the columns rows[t] and the target is x_1 ∨ … ∨ x_k.
    """
    w, v, bias = np.ones(n), np.zeros(n), 0
    wrong = np.zeros((len(rows), 2), bool)
    for t, x in enumerate(rows):
        label = len(x) > 0 and x[0] < k
        sign = 1 if label else -1
        if (np.add.reduce(w[x]) >= n) != label:
            w[x] *= 2.0**sign
            wrong[t, 0] = True
        if sign * (np.add.reduce(v[x]) + bias) <= 0:
            v[x] += sign
            bias += sign
            wrong[t, 1] = True
    return wrong


def balanced_race(T: int, n: int, k: int, rng: Seed) -> np.ndarray:
    """Return `race` on T random rows with balanced labels."""
    p = 1 - 2 ** (-1 / check_size(k, n))
    return race(random_active_columns(T, n, p, np.random.default_rng(rng)), n, k)


def race_totals(runs: int, T: int, n: int, k: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Return how often Winnow and the Perceptron err in each of several races."""
    return [balanced_race(T, n, k, rng).sum(axis=0) for _ in range(runs)]


# Winnow -------------------------------------------------------------------------------------------


@figure(lecture="11")
def winnow_weights(n=40, k=3, T=400, seed=1, factor=2.0, strict=False):
    """Winnow's weights from mistake to mistake."""
    run = play(Winnow(n, factor, strict), *streams.disjunction(T, n, k, rng=seed))
    wrong = np.flatnonzero(run.mistake)
    steps, log_w = np.arange(len(wrong) + 1), run.log_weights[[*wrong, len(run)]] / np.log(2)
    low, high = log_w.min() - 1.2, max(log_w.max(), np.log2(n)) + 1
    fig, ax = canvas(height=4.2)
    ax.axhline(np.log2(n), **BOUND)
    shift = np.linspace(-0.12, 0.12, n)  # equal weights stay visible
    others = ax.plot(steps, log_w[:, k:] + shift[k:], color=MID, linewidth=0.8)
    relevant = ax.plot(steps, log_w[:, :k] + shift[:k], color=WINNOW["color"], linewidth=2.2)
    for kind, name, change, marker, fill in (
        (1, "positive", ": doubled", "^", "full"),
        (0, "negative", ": halved", "v", "none"),
    ):
        at = np.flatnonzero(run.y[wrong] == kind)
        label = f"{len(at)} {name}" + change * (factor == 2)
        ax.dots(at + 0.5, np.full(len(at), low), marker, BLACK, 7, fillstyle=fill, label=label)
    ax.note("alone it predicts 1: $\\lg n$", (0, np.log2(n)), (4, 4), GREY)
    below = dict(loc="upper left", bbox_to_anchor=(0, -0.14), alignment="left", ncols=2)
    ax.legend(title="mistakes on examples that are", **below)
    ax.frame("mistakes so far", "$\\lg w_i$", whole="x", ylim=(low - 0.6, high))
    label_ends(ax, [(relevant[0], "relevant"), *((line, "others") for line in others[-1:])])
    top, rest = 2.0 ** log_w[-1, :k], 2.0 ** log_w[-1, k:].max(initial=-np.inf)
    return fig.says(
        f"After {count(len(wrong), 'mistake')} the lightest relevant weight is {top.min():.3g}, the"
        f" heaviest of the others {rest:.3g}: the chaff has flown away."
        if top.min() > rest
        else f"After {count(len(wrong), 'mistake')} some irrelevant weight is still as heavy as the"
        " lightest relevant one.",
        f"Winnow with {n} variables, {k} of them relevant, {T} trials:"
        f" {count(len(wrong), 'mistake')}, {np.sum(run.y[wrong] == 1)} on positive and"
        f" {np.sum(run.y[wrong] == 0)} on negative examples. At the end the smallest relevant"
        f" weight is {top.min():.3g}, the largest of the {n - k} others {rest:.3g}. A weight of {n}"
        " or more predicts 1 alone.",
    )


def _from_mistake_to_mistake(n, k, T, seed):
    """Return what Winnow's proof speaks of, and the trials of the mistakes and the end."""
    run = play(Winnow(n), *streams.disjunction(T, n, k, rng=seed))
    return winnow_quantities(run, Or(*range(1, k + 1)), 2), [*np.flatnonzero(run.mistake), T]


@figure(lecture="11")
def winnow_account(mistakes=None, n=40, k=3, T=400, seed=1):
    """Winnow's total weight as a bank account: what each mistake pays in or takes out; all of them,
    or the first few.
    """
    q, at = _from_mistake_to_mistake(n, k, T, seed)
    W, up, down = q.W[at], q.up[at], q.down[at]
    allowed, last = n + n * up - n / 2 * down, len(at) - 1
    many = last if mistakes is None else mistakes
    check_range("mistakes", many, lambda m: 0 <= m <= last, f"between 0 and {last}")
    fig, ax = canvas(width=9, height=3.9)
    ax.plot(allowed, **BOUND, alpha=0.3)
    ax.set(xlim=(-0.7, last + 0.7), ylim=(-0.03 * allowed.max(), 1.05 * allowed.max()))
    W, up, down = W[: many + 1], up[: many + 1], down[: many + 1]
    steps, change, missed = np.arange(many + 1), np.diff(W), np.diff(up) == 1
    bars = (missed, dict(color=WINNOW["color"])), (~missed, hatched(WINNOW["color"], "///"))
    paid, taken = change[missed], -change[~missed]
    most = f", at most {paid.max():g} each" if missed.any() else ""
    names = f"missed alarm: a deposit, at most {n}", f"false alarm: at least {n / 2:g} taken out"
    for (kind, look), name in zip(bars, names, strict=True):
        some = np.append(np.nan, np.where(kind, change, np.nan))  # for the legend, if there is none
        ax.bar(steps - 0.5, some, 0.8, np.append(0, W[:-1]), **look, label=name)
    ax.plot(steps, allowed[: many + 1], **BOUND, label="what it could hold at most")
    ax.axhline(0, color=BLACK)
    ax.note("never below 0", (0, 0), (4, 5))
    ax.frame("mistakes so far", "total weight", whole="x")
    ax.legend(loc="upper left")
    return fig.says(
        f"After {count(up[-1], 'deposit')} and {count(down[-1], 'withdrawal')} the account still"
        f" holds {W[-1]:g}.",
        f"Winnow's total weight on {T} trials with {n} variables, {k} of them relevant, as an"
        f" account: a bar for each of {many} mistakes. {count(up[-1], 'missed alarm')} pay in"
        f" {paid.sum():g}{most}; {count(down[-1], 'false alarm')} take out"
        f" {taken.sum():g}."
        f" The dashed line is what the account could hold if each deposit were {n} and each"
        f" withdrawal {n / 2:g}; it stands at {allowed[many]:g}.",
    )


@figure(lecture="11")
def winnow_proof(n=40, k=3, T=400, seed=1):
    """The half of Winnow's proof on missed alarms: a staircase with ks steps."""
    q, at = _from_mistake_to_mistake(n, k, T, seed)
    steps, S, up, L = np.arange(len(at)), q.log_w.sum(axis=1)[at], q.up[at], promotions(n)
    fig, ax = canvas(height=3.6)
    ax.plot(steps, np.full(len(at), k * L), **BOUND, label="$ks$")
    ax.plot(steps, S, color=WINNOW["color"], label=r"$\Lambda$")
    ax.plot(steps, up, color=BLACK, drawstyle="steps-post", label="$M^+$")
    ax.frame("mistakes so far", "doublings of relevant weights", whole="xy", ylim=(0, 1.12 * k * L))
    ax.ends()
    ax.corner("each missed alarm doubles a relevant weight", 0.98, 0.04)
    return fig.says(
        f"Only {k * L} doublings fit under the ceiling, and each of the {up[-1]} positive mistakes"
        " needs one.",
        f"Winnow on {T} trials with {n} variables, {k} of them relevant, from mistake to mistake."
        f" The positive mistakes, {up[-1]} at the end, stay below Λ, the doublings of relevant"
        f" weights, {S[-1]:g} at the end, and Λ stays below ks = {k} times {L} = {k * L}.",
    )


# Winnow and the Perceptron ------------------------------------------------------------------------


@figure(lecture="11")
def winnow_race(n=200, k=20, T=4000, seed=0):
    """Mistakes of Winnow and of the Perceptron on one stream, trial by trial."""
    counts = np.vstack([[0, 0], balanced_race(T, n, k, seed).cumsum(axis=0)])
    winnow, perceptron = counts[-1]
    bound = winnow_at_most(n, k)
    fig, ax = canvas()
    for name, made in zip(RIVALS, counts.T, strict=True):
        ax.plot(made, **LOOK[name], label=f"{name} {made[-1]}")
    if bound < 1.5 * counts.max():
        ax.plot([0, T], [bound, bound], **BOUND, label="Winnow's bound")
    ax.frame("trials so far", "mistakes", ylim=(0, None))
    ax.ends()
    if counts[T // 2, 0] == winnow > counts.max() / 8:
        ax.see("nothing left to learn", (0.75 * T, winnow), (0, -16))
    ahead = "Winnow" if winnow < perceptron else "the Perceptron"
    return fig.says(
        f"With {k} relevant variables of {n} "
        + (f"{ahead} is ahead" if winnow != perceptron else "the two are level")
        + f" after {T} trials.",
        f"{n} variables, {k} relevant, each bit 1 with probability {1 - 2 ** (-1 / k):.4f} so that"
        f" half of the labels are 1, {T} trials: Winnow makes {count(winnow, 'mistake')} (at most"
        f" {bound:.0f}), the Perceptron {perceptron} (at most"
        f" {perceptron_disjunction_at_most(n, k)}).",
    )


@figure(lecture="11")
def winnow_growth(k=20, trials_per_variable=4, runs=20, seed=0):
    """How the mistakes grow with the number of variables."""
    sizes, rng = np.array([100, 200, 400, 800]), np.random.default_rng(seed)
    counts = np.array([race_totals(runs, trials_per_variable * n, n, k, rng) for n in sizes])
    winnow, perceptron = counts.mean(axis=1).T
    fig, axes = canvas(1, 2, width=9)
    for ax, shown in zip(axes, ((1, 0), (0,)), strict=True):
        for i in shown:
            look = LOOK[RIVALS[i]]
            ax.dots(np.repeat(sizes, runs), counts[:, :, i].ravel(), ".", look["color"])
            ax.plot(sizes, counts[:, :, i].mean(axis=1), **look)
        ax.frame("variables n (logarithmic)", xlog=2, xticks=sizes)
    axes[0].frame("", "mistakes (logarithmic)", "both", ylog=10, yticks=[100, 200, 500, 1000])
    axes[0].minorticks_off()
    axes[1].frame("", "mistakes", "Winnow alone", ylim=(0, 1.15 * counts[:, :, 0].max()))
    axes[0].note("Perceptron", (sizes[2], perceptron[2]), (-8, 8), PERCEPTRON["color"])
    axes[0].note("Winnow", (sizes[2], winnow[2]), (0, -18), WINNOW["color"])
    slope, step = np.polyfit(np.log(sizes), np.log(perceptron), 1)[0], np.diff(winnow).mean()
    axes[1].corner(f"twice the variables, about {step:.0f} more", 0.03, 0.95)
    return fig.says(
        f"When the variables double, the Perceptron's mistakes grow {2**slope:.1f}-fold here;"
        f" Winnow's grow by {step:.0f}.",
        f"{k} relevant variables, n from {sizes[0]} to {sizes[-1]}, {trials_per_variable} n trials"
        f" each, dots for {runs} streams and lines for their means. The Perceptron's mistakes grow"
        f" from {perceptron[0]:.0f} to {perceptron[-1]:.0f}, like n to the power {slope:.2f};"
        f" Winnow's from {winnow[0]:.0f} to {winnow[-1]:.0f}, by {step:.0f} on average each time"
        " that n doubles.",
    )


@figure(lecture="11")
def sparse_or_dense(n=100, trials_per_variable=10, runs=20, seed=0):
    """Mistakes against the number of relevant variables: who wins when the target is dense?"""
    sizes = np.unique(np.linspace(1, check_count("n", n), 6).round().astype(int))
    rng, T = np.random.default_rng(seed), trials_per_variable * n
    counts = np.array([race_totals(runs, T, n, int(k), rng) for k in sizes])
    fig, ax = canvas()
    for i, name in enumerate(RIVALS):
        ax.band(sizes, counts[:, :, i].T, LOOK[name], marker="o", label=name)
    ax.frame(f"relevant variables k, of n = {n}", f"mistakes in {T} trials", ylim=(0, None))
    ax.ends()
    mean, low, high = (f(counts, axis=1) for f in (np.mean, np.min, np.max))
    winnow, perceptron = sizes[high[:, 0] < low[:, 1]], sizes[low[:, 0] > high[:, 1]]
    if len(winnow) and len(perceptron):
        ax.corner("few matter: multiply", 0.02, 0.95)
        ax.corner("most matter: add", 0.98, 0.04)
    return fig.says(
        f"Winnow is better on every stream up to k = {winnow[-1]}, the Perceptron from k ="
        f" {perceptron[0]} on."
        if len(winnow) and len(perceptron)
        else "Here neither of the two is better on all streams of some size and worse on others.",
        f"{n} variables, balanced labels, means of {runs} streams of {T} trials, with bands from"
        f" the smallest to the largest count. With {sizes[0]} relevant variable Winnow makes"
        f" {mean[0, 0]:.0f} mistakes and the Perceptron {mean[0, 1]:.0f}; with all {n} relevant"
        f" {mean[-1, 0]:.0f} and {mean[-1, 1]:.0f}.",
    )


# Worst cases --------------------------------------------------------------------------------------


@figure(lecture="11")
def winnow_tightness(largest=7, strict=False, runs=20, seed=0):
    """Winnow's bounds, its exact worst case split in two kinds of mistakes, and its typical
    mistakes.
    """
    rng, sizes = np.random.default_rng(seed), range(2, largest + 1)

    def typical_mistakes(n, k):
        drawn = (streams.disjunction(60, n, k, rng) for _ in range(runs))
        return np.mean([play(Winnow(n, strict=strict), X, y).mistakes for X, y in drawn])

    fig, axes = canvas(1, 2, width=9, sharey=True)
    told = []
    for ax, k in zip(axes, (1, 2), strict=True):
        worst = [adversaries.winnow_on_disjunctions(n, k, strict=strict) for n in sizes]
        typical = [typical_mistakes(n, k) for n in sizes]
        up, down = np.array([(w.positive, w.negative) for w in worst]).T
        bound = [winnow_at_most(n, k) for n in sizes]
        refined = [winnow_refined_at_most(n, k, strict) for n in sizes]
        ax.bar(sizes, up, 0.6, color=WINNOW["color"], label="exact: on positive examples")
        look = hatched(WINNOW["color"], "///")
        ax.bar(sizes, down, 0.6, bottom=up, **look, label="exact: on negative examples")
        ax.plot(sizes, bound, **BOUND, label="$2 + 3k(\\lg n + 1)$")
        ax.step(sizes, refined, where="mid", **DOTTED, label="$3ks + 1$")
        ax.dots(sizes, typical, "x", BLACK, markeredgewidth=2, label="mean of random streams")
        ax.frame("variables n", title=f"k = {k}", xticks=sizes)
        told.append(
            f"k = {k}: {worst[-1].mistakes} = {up[-1]} + {down[-1]}, bounds {bound[-1]:.1f} and"
            f" {refined[-1]}, typical {typical[-1]:.1f}"
        )
    axes[0].frame(ylabel="mistakes")
    axes[0].legend(loc="upper left")
    return fig.says(
        "Over all sequences, positive mistakes reach their bound; the slack is in the hatched"
        " negative ones.",
        "Winnow's exact worst case over all sequences of bits that a disjunction of k of the n"
        f" variables labels, on positive plus on negative examples, rule"
        f" {'>' if strict else '≥'} n, beside its bounds and the mean over {runs} random streams of"
        f" 60 trials. At n = {largest}, {'; '.join(told)}.",
    )


def noisy_mistakes(
    noise: float, n: int, k: int, T: int, factor: float, rng: np.random.Generator
) -> tuple[int, int]:
    """Return Winnow's mistakes on T trials on which each label is flipped with a probability, and
    the attribute errors of the disjunction that gave the labels (WIN-T4).
    """
    X, y = streams.disjunction(T, n, k, rng)
    y = np.where(rng.random(T) < noise, 1 - y, y)
    errors = attribute_errors(X, y, Or(*range(1, k + 1)))
    return play(Winnow(n, factor), X, y).mistakes, int(errors.sum())


@figure(lecture="11")
def winnow_noise(factor=2.0, n=100, k=3, T=400, runs=20, seed=0):
    """Winnow's mistakes and its bound when more and more labels are flipped."""
    levels, rng = np.array([0, 5, 10, 15, 20]), np.random.default_rng(seed)
    made = [[noisy_mistakes(p / 100, n, k, T, factor, rng) for _ in range(runs)] for p in levels]
    mistakes, errors = np.array(made).transpose(2, 1, 0)
    most = winnow_noise_at_most(n, k, errors.mean(axis=0), factor)
    fig, ax = canvas()
    ax.plot(levels, most, **BOUND, label="bound")
    ax.band(levels, mistakes, WINNOW, marker="o", label="Winnow")
    ax.plot(levels, errors.mean(axis=0), **DOTTED, label="attribute\nerrors")
    ax.frame("labels that are flipped (%)", f"number in {T} trials", xticks=levels, ylim=(0, 550))
    ax.ends()
    ax.corner("the bound pays for each attribute error", 0.02, 0.97)
    mean, error = mistakes.mean(axis=0), mistakes.std(axis=0, ddof=1) / np.sqrt(runs)
    return fig.says(
        f"With the factor {factor:g} Winnow errs {mean[0]:.0f} times without noise and"
        f" {mean[-1]:.0f} times when a fifth of the labels are flipped.",
        f"Winnow with the factor {factor:g} on {T} trials with {n} variables, {k} of them relevant;"
        f" means of {runs} streams, with bands from the smallest to the largest count. "
        + "; ".join(
            f"{p} % flipped: {m:.1f} ± {e:.1f} mistakes, {A:.1f} attribute errors, bound {b:.0f}"
            for p, m, e, A, b in zip(levels, mean, error, errors.mean(axis=0), most, strict=True)
        )
        + ".",
    )


@figure(lecture="11")
def winnow_cycle(r=3, n=4, passes=30):
    """Mistakes on "at least r of n", which Winnow with factor 2 may never learn."""
    X, y = streams.at_least(r, n)
    winnow = play(Winnow(n), X, y, epochs=passes)
    perceptron = play(Perceptron(n + 1), with_bias(X), 2 * y - 1, epochs=passes)
    fig, ax = canvas()
    for name, run in zip(RIVALS, (winnow, perceptron), strict=True):
        ax.plot([0, *np.cumsum(run.mistakes_per_pass)], **LOOK[name], label=name)
    name = "Winnow's bound\nfor disjunctions"
    ax.plot([0, passes], [winnow_at_most(n, n)] * 2, **BOUND, label=name)
    ax.frame(f"passes over all {len(y)} rows", "mistakes so far")
    ax.ends(gap=0.1)
    ax.corner("no disjunction: its bound does not hold", 0.02, 0.95)
    clean = np.flatnonzero(perceptron.mistakes_per_pass == 0)
    shown = ", ".join(map(str, winnow.mistakes_per_pass[-6:]))
    caption = "Winnow has a pass without mistakes"
    if winnow.mistakes_per_pass.all():
        caption = f"Winnow goes round in circles and errs in each of {passes} passes"
    also, then = "; so does the Perceptron.", ""
    if len(clean):
        also = f", the Perceptron is done after {clean[0]}."
        then = f" and none from pass {clean[0] + 1} on"
    return fig.says(
        caption + also,
        f"At least {r} of {n}: Winnow makes {count(winnow.mistakes, 'mistake')} in {passes}"
        f" passes, in the last six {shown}. The Perceptron makes {perceptron.mistakes}{then}.",
    )


# Learners that see only dot products --------------------------------------------------------------


@figure(lecture="12")
def orthogonal_mistakes(n=64, runs=20, seed=0):
    """Mistakes on orthogonal rows with random signs, labelled by their first entry."""
    rng, counts = np.random.default_rng(seed), np.empty((runs, 3, n + 1))
    for made in counts:
        X, y = streams.orthogonal_signs(n, rng)
        bits = (X + 1) // 2
        made[0] = play(Perceptron(n), X, y).mistakes_before
        made[1] = play(Perceptron(n + 1), with_bias(bits), y).mistakes_before
        made[2] = play(Winnow(n), bits, (y + 1) // 2).mistakes_before
    names = "Perceptron on signs", "Perceptron on bits", "Winnow on bits"
    looks = PERCEPTRON, PERCEPTRON | {"linestyle": ":"}, WINNOW
    fig, ax = canvas()
    for i, (name, look) in enumerate(zip(names, looks, strict=True)):
        ax.band(np.arange(n + 1), counts[:, i], look, 0.2, label=name)
    ax.frame("trials so far", "mistakes", ylim=(0, None))
    ax.ends()
    ax.corner("at right angles, nothing carries over", 0.02, 0.95)
    last = counts[:, :, -1].astype(int)
    return fig.says(
        f"On {n} orthogonal rows the Perceptron learns nothing from one row about the next; Winnow"
        f" errs {last[:, 2].min()} to {last[:, 2].max()} times.",
        f"{n} orthogonal rows of signs, each multiplied with a random sign and labelled with its"
        f" first entry; {runs} streams, lines are means and bands go from the smallest to the"
        " largest count. "
        + "; ".join(
            f"{name}: {column.min()} to {column.max()} mistakes, mean {column.mean():.1f}"
            for name, column in zip(names, last.T, strict=True)
        )
        + f". Winnow's bound is {winnow_at_most(n, 1):.0f}.",
    )


def _online_examples(n, winnow, rng, runs, error):
    """Return how many examples Winnow or the Perceptron needs until its mean error on fresh rows is
    small.
    """

    def features(x):
        return (x + 1) / 2 if winnow else x

    Z, w = rng.choice((-1.0, 1.0), (runs, 100, n)), np.full((runs, n), float(winnow))
    level = n if winnow else 0
    fresh = features(Z)
    for m in count_from(1):
        x = rng.choice((-1.0, 1.0), (runs, n))
        sign, score = x[:, 0], np.einsum("rn,rn->r", w, features(x)) - level
        bad = (score >= 0) != (sign > 0) if winnow else sign * score <= 0
        step = sign[bad, None] * features(x[bad])
        w[bad] = w[bad] * 2**step if winnow else w[bad] + step
        if np.mean((np.einsum("rtn,rn->rt", fresh, w) >= level) != (Z[:, :, 0] > 0)) <= error:
            return m


def _batch_examples(n, fit, rng, runs, error):
    """Return how many examples a batch method needs until its mean error on fresh rows is small, by
    bisection.
    """

    def too_few(m):
        X, Z = rng.choice((-1.0, 1.0), (runs, m, n)), rng.choice((-1.0, 1.0), (runs, 100, n))
        return np.mean((fit(X, Z) >= 0) != (Z[:, :, 0] > 0)) > error

    low, high = 0, 1
    while too_few(high):
        low, high = high, 2 * high
    while high - low > max(1, high // 50):
        middle = (low + high) // 2
        low, high = (middle, high) if too_few(middle) else (low, middle)
    return high


def _least_squares(X, Z):
    return np.einsum("rtn,rn->rt", Z, np.einsum("rnm,rm->rn", np.linalg.pinv(X), X[:, :, 0]))


def _nearest_neighbour(X, Z):
    return np.take_along_axis(X[:, :, 0], (Z @ X.transpose(0, 2, 1)).argmax(axis=2), axis=1)


@figure(lecture="12")
def examples_needed(error=0.1, runs=30, seed=0):
    """Examples needed to learn the first of n random signs, by four methods."""
    rng, few = np.random.default_rng(seed), [4, 8, 16, 32, 48]
    methods = [
        ("Perceptron", "o", [*few, 64, 96], _online_examples, False),
        ("Winnow", "s", [*few, 64, 96], _online_examples, True),
        ("least squares", "D", few, _batch_examples, _least_squares),
        ("nearest neighbour", "^", [2, 4, 6, 8, 10, 12], _batch_examples, _nearest_neighbour),
    ]
    fig, axes = canvas(1, 2, width=9, height=4.2)
    told = []
    for name, marker, sizes, needed, rule in methods:
        m = [needed(n, rule, rng, runs, error) for n in sizes]
        for ax in axes:
            ax.plot(sizes, m, **LOOK[name], marker=marker, label=name)
        told.append(f"{name} {m[0]} at n = {sizes[0]} and {m[-1]} at n = {sizes[-1]}")
    title = "a straight line is {} growth".format
    axes[0].frame("signs n", "examples needed", title("linear"), ylim=(0, 200))
    axes[1].frame("signs n", "examples needed (logarithmic)", title("exponential"), ylog=10)
    axes[1].legend(loc="lower right")
    for ax in axes:
        ax.set_xlim(0, 100)
    return fig.says(
        "Three laws for one coordinate: logarithmic for Winnow, linear for the Perceptron and least"
        " squares, exponential for the nearest neighbour.",
        f"Examples after which the mean error on fresh rows is at most {error:.0%}; the label is"
        f" the first of n fair signs; {runs} runs. {'; '.join(told)}.",
    )


def descent(X: np.ndarray, y: np.ndarray, eta: float) -> np.ndarray:
    """Return the square losses of gradient descent from equal weights, which adds what
    Exponentiated Gradient multiplies by.
    """
    w, losses = np.full(X.shape[1], 1 / X.shape[1]), []
    for x, label in zip(X, y, strict=True):
        error = w @ x - label
        losses.append(error**2)
        w = w - eta * 2 * error * x
    return np.array(losses)


@figure(lecture="12")
def multiply_or_add(k=2, trials_per_variable=8, seed=0):
    """Total square loss of Exponentiated Gradient and of gradient descent, for more and more
    features.
    """
    k = int(check_range("k", k, lambda k: k in range(1, 8), "a whole number from 1 to 7"))
    sizes, rows = 2 ** np.arange(3, 9), []
    for n in sizes:
        X = np.random.default_rng([seed, n]).integers(0, 2, (trials_per_variable * n, n)) * 1.0
        u = (np.arange(n) < k) / k
        book = eg_bound(play(ExponentiatedGradient(n), X, X @ u), u)
        R2 = (X**2).sum(axis=1).max()
        added = descent(X, X @ u, 1 / (4 * R2)).sum()
        rows.append([[added, 2 * R2 * ((u - 1 / n) ** 2).sum()], [book.value, book.bound]])
    added, multiplied = np.array(rows).transpose(1, 2, 0)
    gd, gd_most = added
    eg, eg_most = multiplied
    fig, ax = canvas()
    ax.plot(sizes, gd_most, **BOUND, label="bound, add")
    ax.curve(sizes, gd, LOOK["gradient descent"], "gradient descent", "s")
    ax.plot(sizes, eg_most, **BOUND, label="bound, multiply")
    ax.curve(sizes, eg, LOOK["Exponentiated Gradient"], "Exp. Gradient", "o")
    ax.frame("features n", "total square loss", xlog=2, xticks=sizes, yscale="log")
    ax.ends()
    ax.see("adding pays for each feature", (sizes[-1], gd[-1]), (0, -66), ha="right")
    return fig.says(
        f"With {sizes[-1]} features adding costs {gd[-1]:.1f} and multiplying {eg[-1]:.1f}: one"
        " grows like n, the other like its logarithm.",
        f"Rows of n fair bits, {trials_per_variable} n of them; the label is the mean of the first"
        f" {k}. From n = {sizes[0]} to {sizes[-1]} the total square loss of gradient descent (green"
        f" squares) grows from {gd[0]:.2f} to {gd[-1]:.1f}, below its bound of {gd_most[0]:.1f} to"
        f" {gd_most[-1]:.0f}; that of Exponentiated Gradient (purple dots) from {eg[0]:.2f} to"
        f" {eg[-1]:.2f}, below {eg_most[0]:.2f} to {eg_most[-1]:.2f}. Both axes are logarithmic,"
        " bounds are dashed.",
    )


@figure(lecture="12")
def two_geometries(k=4, n=64, T=512, seed=0):
    """Total square loss of adding and of multiplying, for rows with more and more ones."""
    k = int(check_range("k", k, lambda k: k in range(1, n), f"a whole number from 1 to {n - 1}"))
    u, ones, rows = (np.arange(n) < k) / k, 2 ** np.arange(int(np.log2(n))), []
    for r in ones:
        X = np.random.default_rng([seed, r]).permuted(np.tile(np.arange(n) < r, (T, 1)), axis=1)
        added = descent(X, X @ u, 1 / (4 * r)).sum()
        multiplied = play(ExponentiatedGradient(n), X * 1.0, X @ u).total_loss
        rows.append([added, 2 * r * (1 / k - 1 / n), multiplied, np.log(n / k)])
    gd, gd_most, eg, eg_most = np.array(rows).T
    fig, ax = canvas()
    for made, most, name, marker in (
        (gd, gd_most, "gradient descent", "s"),
        (eg, eg_most, "Exponentiated Gradient", "o"),
    ):
        ax.plot(ones, most, **BOUND)
        ax.curve(ones, made, LOOK[name], name.replace("onentiated", "."), marker)
    ax.frame("ones in each row, r", "total square loss", xlog=2, xticks=ones, ylog=10)
    ax.frame(ylim=(0.01, 100), title=f"{k} of {n} features matter; bounds are dashed")
    ax.ends()
    add, multiply = ones[gd < eg], ones[gd > eg]
    if len(add) and len(multiply):
        ax.corner("dense rows: multiply", 0.98, 0.04)
        ax.corner("sparse rows: add", 0.02, 0.04 if gd[0] > 0.05 else 0.95)
    found = [f"adding is cheaper up to {count(add[-1], 'one')} in a row"] * (len(add) > 0)
    found += [f"multiplying is cheaper from {multiply[0]} on"] * (len(multiply) > 0)
    return fig.says(
        f"When {count(k, 'feature')} decide{'s' * (k == 1)}, " + ", ".join(found) + ".",
        f"{T} rows of {n} bits, each with r ones; the label is the mean of the"
        f" first {k} features. "
        + "; ".join(
            f"r = {r}: gradient descent {a:.2f} (bound {b:.2f}), Exponentiated Gradient {c:.2f}"
            f" (bound {d:.2f})"
            for r, a, b, c, d in zip(ones, *np.array(rows).T, strict=True)
        )
        + ". Both axes are logarithmic.",
    )
