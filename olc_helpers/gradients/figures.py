"""The figures of lectures 08 and 09."""

from collections.abc import Callable
from functools import partial
from math import comb
from operator import attrgetter

import numpy as np

from .. import adversaries, streams
from ..canvas import canvas, figure, so_far
from ..checks import check_count, check_range
from ..experts.learners import Hedge
from ..experts.theorems import hedge_bound
from ..losses import hinge_loss
from ..palette import (
    BLACK,
    BLUE,
    BOUND,
    BROKEN,
    DASH_DOTS,
    DOTS,
    DOTTED,
    GREEN,
    GREY,
    LIGHT,
    LOOK,
    MID,
    ORANGE,
    PAPER,
    PURPLE,
    VERMILLION,
)
from ..perceptron.plane import arrow
from ..protocol import play
from ..replications import play_many
from .learners import OnlineGradientDescent
from .theorems import (
    any_data_at_most,
    any_time_at_most,
    curved_at_most,
    descent_at_most,
    descent_tuned_at_most,
    ogd_bound,
)

PERCEPTRON, DESCENT, EXACT = LOOK["Perceptron"], LOOK["gradient descent"], LOOK["exact step"]
# Five examples with one feature and a constant one, whose weight is fixed to 1: feature, label
# (PERC-F5).
FIVE = (np.array([2.0, 1.0, -2.0, -2 / 3, -0.5]), np.array([1, 1, -1, 1, 1]))


@figure(lecture="08")
def margin_losses(h=1.0):
    """The 0/1 loss, the Perceptron's loss and the hinge loss against the score y (w·x)."""
    h = check_range("h", h, lambda a: a >= 0, "at least 0")
    t = np.linspace(-2, 2.5, 451)  # scores of the right label
    fig, ax = canvas(height=3.6)
    for side in (t[t <= 0], t[t > 0]):
        ax.plot(side, (side <= 0).astype(float), color=BLACK)
    ax.dots(0, 1, "o", BLACK)
    ax.dots(0, 0, "o", BLACK, markerfacecolor="white")
    ax.plot(t, np.maximum(0, -t), **PERCEPTRON)
    ax.plot(t, np.maximum(0, h - t), **DESCENT)
    ax.note("0/1 loss", (-1.9, 1.0), (0, -14), ha="left")
    perceptron = "Perceptron: hinge at 0"
    ax.note(perceptron, (-0.4, 0.4), (-10, -4), PERCEPTRON["color"], va="center")
    ax.note(f"hinge at {h:g}", (-0.6, h + 0.6), (10, 4), DESCENT["color"])
    if h >= 1:
        ax.corner("green never falls below black", 0.98, 0.95)
    ax.frame(
        "score of the right label  $y\\,(w\\cdot x)$", "loss", xlim=(-2, 2.5), ylim=(-0.12, 3.05)
    )
    above = "lies" if (np.maximum(0, h - t) >= (t <= 0)).all() else "does not lie"
    return fig.says(
        f"The hinge at {h:g} {above} above the 0/1 loss everywhere; the Perceptron's loss does"
        " not.",
        f"At the score -1 of the right label the losses are 1 (0/1), 1 (Perceptron) and {h + 1:g}"
        f" (hinge at {h:g}); at 0.5 they are 0, 0 and {max(0, h - 0.5):g}. The green hinge at {h:g}"
        f" {above} above the 0/1 loss everywhere; the Perceptron's blue loss does not: it is 0.5 at"
        " the score -0.5.",
    )


@figure(lecture="08")
def loss_surfaces():
    """The mean 0/1 loss, Perceptron loss and hinge loss of ten points, over all weights in a
    square.
    """
    X, y = streams.TEN_POINTS
    steps = np.arange(-125, 126)  # of 1/50; products of whole numbers, so that ties are exact
    grid, W = steps / 50, np.stack(np.meshgrid(steps, steps), axis=-1)
    t = W @ (X * y[:, None]).T / 500
    fig, axes = canvas(1, 3, width=9.6, height=3.9, sharey=True)
    surfaces = {
        "0/1 loss: flat pieces": (t <= 0).mean(axis=-1),
        "Perceptron: a cone": np.maximum(0, -t).mean(axis=-1),
        "hinge at 1": np.maximum(0, 1 - t).mean(axis=-1),
    }
    solved, below = t.min(axis=-1) > 0, dict(orientation="horizontal", shrink=0.85, pad=0.02)
    for ax, (title, F) in zip(axes, surfaces.items(), strict=True):
        mesh = ax.pcolormesh(grid, grid, F, rasterized=True, vmin=0)
        if ax is not axes[0]:
            ax.contour(grid, grid, F, levels=8, colors="white", linewidths=0.6, alpha=0.7)
        ax.contour(grid, grid, solved, levels=[0.5], colors="white", linewidths=2.2)
        ax.dots(0, 0, "o", "white", 7, markeredgecolor=BLACK)
        ax.frame("first weight", title=title, aspect="equal")
        ax.grid(False)
        fig.colorbar(mesh, ax=ax, label="mean loss", **below)
    axes[0].set_ylabel("second weight")
    zero_one, cone, hinge = surfaces.values()
    i, j = np.unravel_index(hinge.argmin(), solved.shape)
    return fig.says(
        f"At w = 0, the white dot, the Perceptron's loss is {cone[125, 125]:g}, its minimum,"
        f" although nothing is classified; the hinge loss is {hinge[125, 125]:g} there.",
        "Mean losses of ten separable points for weights between -2.5 and 2.5. The white wedge,"
        f" {solved.mean():.1%} of the square, holds the weights without a mistake. At w = 0 (white"
        f" dot) the losses are {zero_one[125, 125]:g}, {cone[125, 125]:g} and"
        f" {hinge[125, 125]:g}: the Perceptron's loss is at its minimum there, the hinge"
        f" loss is not; it falls to {hinge.min():.3f} at ({grid[j]:.1f}, {grid[i]:.1f}).",
    )


@figure(lecture="08")
def objective_on_a_line():
    """The Perceptron's loss of five examples along a line of weights, and their mean with its flat
    floor.
    """
    x, y = FIVE
    s = np.linspace(-2, 4, 601)
    losses = np.maximum(0, -y * (s[:, None] * x + 1))
    F = losses.mean(axis=1)
    fig, (left, right) = canvas(1, 2, width=9, height=3.5)
    colours = BLUE, VERMILLION, GREEN, PURPLE, ORANGE
    styles = "-", BROKEN, DASH_DOTS, DOTS, (0, (8, 2, 1, 2))
    for i, (colour, style) in enumerate(zip(colours, styles, strict=True)):
        left.plot(s, losses[:, i], color=colour, linestyle=style)
        left.dots(-1 / x[i], 0, "o", colour)
        end, away = (0, -6) if losses[0, i] else (-1, 6)
        name = f"({x[i]:.2g}, {y[i]:+d})"
        left.note(name, (s[end], losses[end, i]), (away, 0), colour, va="center", fontsize=9)
    left.frame("weight s of the feature", "loss", "each example (x, y) has one kink")
    left.set(xticks=range(-2, 5), xlim=(-4, 6.2))
    floor = s[F <= 1e-12]
    right.axvspan(floor[0], floor[-1], color=GREY, alpha=0.25, linewidth=0)
    right.plot(s, F, **PERCEPTRON)
    right.dots(-1 / x, np.interp(-1 / x, s, F), "o", PERCEPTRON["color"])
    right.text(floor.mean(), 0.9, "no\nmistakes", ha="center")
    right.frame("weight s of the feature", "F(s)", "their mean has them all, and a floor")
    kinks = ", ".join(f"{k:.2g}" for k in sorted(-1 / x))
    return fig.says(
        "The mean loss bends at the kink of each example, and it is 0 from"
        f" {floor[0]:g} to {floor[-1]:g}.",
        "Perceptron loss max(0, -y (s x + 1)) of five examples: zero on one side of a kink, a"
        f" straight line on the other. The kinks are at s = {kinks}. The mean is 0 exactly from"
        f" {floor[0]:.2f} to {floor[-1]:.2f}; between them no example is misclassified.",
    )


@figure(lecture="08")
def subgradient_fan(slope=-0.5):
    """The supporting lines of the Perceptron's loss at its kink, and one line of your choice."""
    t = np.linspace(-2, 2, 401)
    f, line = np.maximum(0, -t), slope * t
    fig, ax = canvas(height=3.6)
    supports, over = (f >= line - 1e-12).all(), f < line - 1e-12
    colour = BLACK if supports else VERMILLION
    for g in np.linspace(-1, 0, 9) if supports else []:  # the answer, once you have found one
        ax.plot(t, g * t, color=MID, linewidth=1, zorder=1)
    ax.plot(t, f, **PERCEPTRON, zorder=2)
    ax.plot(t, line, color=colour, linestyle=BROKEN, zorder=3)
    if over.any():
        ax.fill_between(t, f, line, where=over, color=VERMILLION, alpha=0.3, zorder=1)
    ax.dots(0, 0, "o", BLACK, zorder=4)
    ax.note("max(0, -a)", (-1.5, 1.5), (10, 4), PERCEPTRON["color"])
    ax.note(f"slope {slope:g}", (-1.2, -1.2 * slope), (0, -18), colour, bbox=PAPER)
    ax.frame("score a of the right label", "loss", xlim=(-2, 2), ylim=(-1.6, 2.1))
    ax.corner("never above the loss" if supports else "above the loss: shaded", 0.98, 0.97)
    verdict = f"rises above the loss by up to {(line - f).max():.2g}, so {slope:g} is none"
    if supports:
        verdict = f"never rises above the loss, so {slope:g} is a subgradient"
    return fig.says(
        f"The line with slope {slope:g} {verdict}.",
        f"The line with slope {slope:g} through the kink {verdict}."
        f"{' The grey fan shows all of them, the slopes from -1 to 0.' if supports else ''}",
    )


@figure(lecture="08")
def subgradient_steps(step=0.3, T=40):
    """Gradient descent on a parabola against subgradient descent on a kink, and a step that goes
    uphill.
    """
    fig, (left, right) = canvas(1, 2, width=9, height=3.7)
    t = np.arange(1, T + 2)
    smooth = (1 - step) ** np.arange(T + 1.0)
    kink, fading = [1.0], [1.0]
    for k in range(1, T + 1):
        kink.append(kink[-1] - step * np.sign(kink[-1]))
        fading.append(fading[-1] - step / np.sqrt(k) * np.sign(fading[-1]))
    for name, xs, style in (
        ("$|x|$", kink, "-"),
        (r"$|x|$, step $\propto 1/\sqrt{t}$", fading, DOTS),
    ):
        distance = np.maximum(np.abs(xs), 1e-16)
        left.plot(t, distance, color=VERMILLION, linestyle=style, label=name)
    left.plot(t, np.maximum(smooth, 1e-16), color=GREEN)
    low = np.abs(smooth - 0.01).argmin()
    left.note(r"$\frac{1}{2}x^2$", (t[low], smooth[low]), (-8, -14), GREEN)
    left.frame("step t", "distance |x| to the minimum", yscale="log", ylim=(1e-4, 2))
    left.set_title(f"from x = 1 with step {step:g}")
    left.ends()
    left.see("hovers, however long", (T, np.abs(kink[-2:]).max()), (0, 6), ha="right")
    A, B = np.meshgrid(np.linspace(-1.6, 1.6, 161), np.linspace(-1.6, 1.6, 161))
    levels = [0.5, 1, 1.5, 2, 3]
    right.contour(A, B, np.abs(A) + 2 * np.abs(B), levels=levels, colors=GREY, linewidths=1)
    start = np.array([1.0, 0.0])
    end = start - step * np.array([1.0, 2.0])
    arrow(right, end, start, colour=VERMILLION)
    right.dots(*start, "o", BLACK)
    right.dots(0, 0, "*", BLACK, 11)
    right.frame("a", "b", "$|a| + 2|b|$: a step uphill", aspect="equal")
    right.grid(False)
    height = abs(end[0]) + 2 * abs(end[1])
    uphill, nearer = height > 1, np.hypot(*end) < 1
    return fig.says(
        f"Fixed steps settle on the parabola and hover about the kink; right, a step"
        f" {'uphill' if uphill else 'downhill'} that comes {'nearer' if nearer else 'no nearer'}.",
        f"Left: after {T} steps of size {step:g}, gradient descent on x²/2 is {smooth[-1]:.1g} from"
        f" its minimum, subgradient descent on |x| is {abs(kink[-1]):.2g} away and was"
        f" {abs(kink[-2]):.2g} away one step before; with steps that shrink like 1/√t it is"
        f" {abs(fading[-1]):.2g} away. Right: from (1, 0) a step along the negative of the"
        f" subgradient (1, 2) raises |a| + 2|b| from 1 to {height:.2g}, yet it comes nearer to the"
        f" minimum: the distance falls from 1 to {np.hypot(*end):.2f}.",
    )


def best_in_disc(X: np.ndarray, y: np.ndarray, U: float) -> np.ndarray:
    """Return the vector of the plane, at most U long, with the least hinge loss: a square grid,
    drawn back into the disc, closes in on it six times.
    """
    side, best, reach = np.linspace(-1, 1, 41), np.zeros(2), U
    square = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    for _ in range(6):
        grid = best + reach * square
        grid *= U / np.maximum(U, np.linalg.norm(grid, axis=1, keepdims=True))
        short = 1 - (y[:, None] * X) @ grid.T
        best, reach = grid[np.maximum(short, 0, out=short).sum(axis=0).argmin()], reach / 4
    return best


@figure(lecture="08")
def descent_walk(rate=1.0, U=3.0, noise=0.1, T=200, seed=0):
    """Gradient descent's walk over the mean hinge loss of all examples, and its distance to the
    best vector in a disc.
    """
    X, y = streams.noisy_margin(T, [2, 1], 0.1, noise, rng=seed)
    run = play(OnlineGradientDescent(2, eta=rate * U / np.sqrt(T)), X, y)
    w, u = run.weights, best_in_disc(X, y, U)

    def mean_loss(v):
        return hinge_loss(y, v @ X.T).mean(axis=-1)

    height, moved = mean_loss(w), (np.diff(w, axis=0) != 0).any(axis=1)
    uphill = moved & (np.diff(height) > 0)
    fig, (left, right) = canvas(1, 2, width=9, height=4, width_ratios=[1, 1.05])
    low, high = np.minimum(w.min(axis=0), u) - 0.6, np.maximum(w.max(axis=0), u) + 0.6
    a, b = np.meshgrid(np.linspace(low[0], high[0], 90), np.linspace(low[1], high[1], 90))
    surface = mean_loss(np.stack([a, b], axis=-1))
    left.contour(a, b, surface, levels=16, colors=GREY, linewidths=0.6)
    for chosen, colour, width in ((moved & ~uphill, GREEN, 1.3), (uphill, VERMILLION, 2.6)):
        for before, after in zip(w[:-1][chosen], w[1:][chosen], strict=True):
            left.plot(*np.transpose([before, after]), color=colour, linewidth=width)
    left.dots(0, 0, "o", BLACK)
    left.dots(*u, "*", BLACK, 13, zorder=4)
    left.note("start", (0, 0), (6, -14))
    left.note("u", tuple(u), (9, 4))
    left.frame("first weight", "second weight", aspect="equal")
    left.set_title("thin green: downhill; thick vermilion: uphill")
    left.grid(False)
    distance = ((w - u) ** 2).sum(axis=1)
    right.plot(np.arange(T + 1), distance, **DESCENT)
    right.frame("trials", "squared distance to u", "but nearer to u", ylim=(0, None))
    nearer = moved & (np.diff(distance) < 0)
    return fig.says(
        f"Of {moved.sum()} steps {uphill.sum()} lead uphill on the mean loss, and yet the walk ends"
        f" {np.sqrt(distance[-1]):.2f} away from u.",
        f"Left: level lines of the mean hinge loss of {T} examples with {noise:.0%} flipped labels,"
        f" and the path of gradient descent from 0; u, the star, is the best vector of length at"
        f" most {U:g}. Of {moved.sum()} steps {uphill.sum()} lead uphill (vermilion). The mean loss"
        f" falls from {height[0]:.2f} to {height[-1]:.2f}. Right: the squared distance to u goes"
        f" from {distance[0]:.2f} to {distance[-1]:.2f}; {nearer.sum()} steps come nearer, the"
        " others lead away.",
    )


@figure(lecture="08")
def ogd_regret(rate=1.0, U=3.0, noise=0.1, T=200, seed=0):
    """Gradient descent's regret to the best vector in a disc of radius U, and its bound, over the
    trials.
    """
    X, y = streams.noisy_margin(T, [2, 1], 0.1, noise, rng=seed)
    eta = rate * U / np.sqrt(T)
    run, u = play(OnlineGradientDescent(2, eta=eta), X, y), best_in_disc(X, y, U)
    t, best = np.arange(T + 1), hinge_loss(y, X @ u)
    bound, regret = descent_at_most(U, 1, t, eta), so_far(run.losses - best)
    fig, ax = canvas()
    ax.plot(t, bound, **BOUND, label="bound")
    ax.plot(t, regret, **DESCENT, label="regret")
    ax.axhline(0, color=BLACK, linewidth=0.8)
    if bound[0] > 1.5 * regret.max():
        ax.see("the price of starting at 0", (0, bound[0]), (4, -18))
    limits = min(-2, 1.1 * regret.min()), 1.1 * bound[-1]
    ax.frame("trials", "regret so far", ylim=limits)
    ax.ends()
    paid, least = run.total_loss, best.sum()
    return fig.says(
        f"The regret after {T} trials is {paid - least:.1f}; the bound for this rate is"
        f" {bound[-1]:.1f}.",
        f"Hinge loss on {T} trials with {noise:.0%} flipped labels: gradient descent with η ="
        f" {eta:.3g} pays {paid:.1f}, the best vector of length at most {U:g} pays {least:.1f}, so"
        f" the regret is {paid - least:.1f}. The bound is U²/(2η) + ηTR²/2 ="
        f" {bound[-1]:.1f}; at the best rate, η = {U / np.sqrt(T):.3g}, it is UR√T ="
        f" {descent_tuned_at_most(U, 1, T):.1f}.",
    )


@figure(lecture="08")
def two_potentials(T=200, seed=0):
    """Two proofs side by side: what gradient descent and Hedge pay, and the potential that pays for
    it.
    """
    X, y = streams.noisy_margin(T, [2, 1], 0.1, 0.1, rng=seed)
    U, n = 3.0, 8
    descent = play(OnlineGradientDescent(2, eta=U / np.sqrt(T)), X, y)
    losses = streams.coin_losses(T, np.linspace(0.3, 0.6, n), rng=[seed, 1])
    hedge = play(Hedge(n, eta=np.sqrt(2 * np.log(n) / T)), losses)
    u, vertex = best_in_disc(X, y, U), np.eye(n)[hedge.best_expert]
    distance = ((descent.weights - u) ** 2).sum(axis=1) / (2 * descent.learner.eta)
    entropy = -hedge.log_probabilities @ vertex / hedge.learner.eta
    more = descent.losses - hinge_loss(y, X @ u), hedge.losses - hedge.expert_losses @ vertex
    room = ogd_bound(descent, u).lines[1].rhs, hedge_bound(hedge).lines[4].rhs
    fig, axes = canvas(1, 2, width=9, height=3.7)
    t, ends, names = np.arange(T + 1), [], ("gradient descent", "Hedge")
    for ax, name, potential, *sums in zip(
        axes, names, (distance, entropy), more, room, strict=True
    ):
        regret, allowed = map(so_far, sums)
        ax.plot(t, potential, color=BLACK, linestyle="-.", label="potential")
        ax.plot(t, regret, **LOOK[name], label="regret")
        ax.plot(t, allowed, **BOUND, label="allowed")
        ax.axhline(0, color=BLACK, linewidth=0.8)
        ax.frame("trials", title=name, ylim=(None, 1.2 * max(allowed[-1], potential[0])))
        ax.ends()
        ax.corner("as the potential falls, regret may grow", 0.98, 0.99)
        ends.append((potential[0], potential[-1], regret[-1], allowed[-1]))
    axes[0].set_ylabel("loss")
    (a, b, c, d), (e, f, g, h) = ends
    return fig.says(
        "Both regrets, solid, stay below what the fall of the potential and small second-order"
        " terms allow, dashed.",
        f"Gradient descent: the potential ‖w-u‖²/(2η) goes from {a:.1f} to {b:.1f}, the regret is"
        f" {c:.1f}, its proof allows {d:.1f}. Hedge: the potential d(u,v)/η goes from {e:.1f} to"
        f" {f:.1f}, the regret is {g:.1f}, its proof allows {h:.1f}. Allowed is the fall of the"
        " potential plus the second-order terms so far.",
    )


def _descent(i, eta):
    return OnlineGradientDescent(2, eta=eta)


@figure(lecture="08")
def ogd_tightness(U=3.0, runs=20, seed=0):
    """Gradient descent's regret divided by its bound on orthonormal and on typical data, and what
    no algorithm can avoid.
    """
    sizes, rng = np.array([16, 128, 1024]), np.random.default_rng(seed)
    sharp, typical = [], []
    for T in sizes.tolist():
        eta, bound = U / np.sqrt(T), descent_tuned_at_most(U, 1, T)
        run = play(OnlineGradientDescent(T, eta=eta), *adversaries.orthonormal(T))
        sharp.append(ogd_bound(run, np.full(T, eta)).value / bound)
        data = [streams.noisy_margin(T, [2, 1], 0.1, 0.1, rng) for _ in range(runs)]
        learners = partial(_descent, eta=eta)
        paid = play_many(learners, data, read=attrgetter("total_loss"))
        best = [hinge_loss(y, X @ best_in_disc(X, y, U)).sum() for X, y in data]
        some = (np.array(paid) - best) / bound
        typical.append((np.mean(some), np.std(some, ddof=1) / np.sqrt(runs)))
    every = np.arange(16, 1025)
    coins = [comb(T - 1, (T - 1) // 2) / 2 ** (T - 1) * np.sqrt(T) for T in every.tolist()]
    fig, ax = canvas(height=3.6)
    ax.curve(sizes, sharp, dict(color=BLACK), "orthonormal data", "D", 8)
    ax.plot(every, coins, color=GREY, linestyle=":", label="coins: every algorithm")
    mean, spread = np.transpose(typical)
    crosses = dict(fmt="x", markersize=9, markeredgewidth=2, capsize=4)
    ax.errorbar(sizes, mean, spread, color=DESCENT["color"], **crosses)
    ax.axhline(1, **BOUND, zorder=0)
    ax.frame("trials T", "regret / bound", xlog=2, ylim=(0, 1.15), xticks=sizes)
    ax.ends()
    text = f"typical: a noisy half-plane,\nmean ± standard error of {runs} runs"
    ax.note(text, (128, mean[1] - spread[1]), (0, -6), DESCENT["color"], va="top")
    ax.see("no room at all", (128, 1), (40, 5))
    return fig.says(
        f"Orthonormal examples attain the bound; on a noisy half-plane the regret is"
        f" {mean.min():.0%} to {mean.max():.0%} of it on average.",
        f"Regret divided by the bound UR√T, U = {U:g}. Orthonormal data: {sharp[0]:.3f} at T ="
        f" {sizes[0]} and {sharp[-1]:.3f} at T = {sizes[-1]}. A half-plane with 10% noise:"
        f" {mean[0]:.2f} and {mean[-1]:.2f} on average of {runs} runs (standard error at most"
        f" {spread.max():.2f}). Coin labels on one number with U ≤ 1: every"
        f" algorithm has an expected regret of at least {coins[0]:.3f} and {coins[-1]:.3f} of the"
        " bound.",
    )


@figure(lecture="08")
def perceptron_noise(T=1000, n=10, runs=20, seed=0):
    """Share of mistakes of the Perceptron against the share of flipped labels, and the bound that
    needs no separator.
    """
    levels, v = np.arange(9) / 20, np.ones(n) / np.sqrt(n)
    rng, lengths, shares = np.random.default_rng(seed), np.linspace(0.2, 10, 50), []
    for noise in levels.tolist():
        X, y = zip(*(streams.noisy_margin(T, v, 0.1, noise, rng) for _ in range(runs)), strict=True)
        w, mistakes = np.zeros((runs, n)), np.zeros(runs)
        for x, label in zip(np.swapaxes(X, 0, 1), np.transpose(y), strict=True):
            wrong = label * np.vecdot(w, x) <= 0
            w, mistakes = w + (wrong * label)[:, None] * x, mistakes + wrong
        scores = np.array(X) @ v * np.array(y)
        H = [np.maximum(0, 1 - k * scores).sum(axis=1) for k in lengths]
        bound = any_data_at_most(np.array(H), lengths[:, None]).min(axis=0)
        shares.append((mistakes / T, bound / T))
    (errs, allowed), x = 100 * np.moveaxis(shares, 0, 2).mean(axis=1), 100 * levels
    error = 100 * np.std([s for s, _ in shares], axis=1, ddof=1).max() / np.sqrt(runs)
    fig, ax = canvas(height=3.6)
    ax.plot(x, allowed, **BOUND, label="bound")
    ax.curve(x, errs, PERCEPTRON, "Perceptron", "o", 5)
    ax.plot(x, x, **DOTTED, label="flipped")
    each = (errs[1] - errs[0]) / x[1]
    ax.corner(f"a flipped label costs about {each:.1f} mistakes at first", 0.02, 0.95)
    ax.frame("flipped labels in %", "mistakes in % of the trials", ylim=(0, 100))
    ax.ends()
    return fig.says(
        f"With {x[2]:.0f}% flipped labels the Perceptron errs on {errs[2]:.0f}% of the trials; the"
        f" bound allows {allowed[2]:.0f}%.",
        f"Mean of {runs} runs of {T} trials at each level of noise, with a standard error of at"
        f" most {error:.1f} percentage points. The Perceptron errs on "
        + ", ".join(
            f"{e:.1f}% (flipped {k:.0f}%, bound {a:.0f}%)"
            for k, e, a in zip(x, errs, allowed, strict=True)
        )
        + ". The bound uses the best multiple of the planted v, of length 0.2 to 10.",
    )


# How long a step ----------------------------------------------------------------------------------

SHAPES = {  # how to find the nearest point of the set
    "disc": lambda v: v / max(1.0, float(np.linalg.norm(v))),
    "square": lambda v: np.clip(v, -1, 1),
    "circle without its inside": lambda v: v / float(np.linalg.norm(v)),
}
SHRINKING, CURVED = dict(color=VERMILLION, linestyle=BROKEN), dict(color=BLUE, linestyle=DASH_DOTS)


@figure(lecture="09")
def projection(shape="disc", x=1.5, y=1.0):
    """A point, the nearest point of a set, and how far both are from a rival in the set."""
    w, u = np.array([x, y], float), np.array([-0.8, 0.6])
    if not w.any():
        w = np.array([1e-9, 0])  # all points of the circle are as near
    if shape not in SHAPES:
        raise ValueError(f"shape must be one of {', '.join(map(repr, SHAPES))}; got {shape!r}")
    p = SHAPES[shape](w)
    before, after = np.linalg.norm(w - u), np.linalg.norm(p - u)
    fig, ax = canvas(width=5.5, height=4.6)
    turn = np.linspace(0, 2 * np.pi, 200)
    edge = np.array([np.cos(turn), np.sin(turn)])
    if shape == "square":
        edge = np.array([[1, 1, -1, -1, 1], [-1, 1, 1, -1, -1]], float)
    if shape.startswith("circle"):
        ax.plot(*edge, color=GREY, linewidth=3)
    else:
        ax.fill(*edge, facecolor=LIGHT, edgecolor=GREY)
    ax.plot(*np.transpose([u, w]), color=BLACK, linestyle=":")
    nearer = after <= before + 1e-9
    ax.plot(*np.transpose([u, p]), color=GREEN if nearer else VERMILLION)
    if np.linalg.norm(w - p) > 1e-6:
        arrow(ax, p, w, colour=BLACK)
    ax.dots(*w, "o", BLACK)
    ax.dots(*p, "s", GREEN if nearer else VERMILLION, 8)
    ax.dots(*u, "*", BLACK, 13)
    ax.note("w", tuple(w), (8, 6))
    ax.note("Π(w)", tuple(p), (8, -16), GREEN if nearer else VERMILLION, bbox=PAPER)
    ax.note("u", tuple(u), (-8, 6))
    ax.frame("first weight", "second weight", xlim=(-2.2, 2.4), ylim=(-2.2, 2.2), aspect="equal")
    ax.grid(False)
    verdict = "no farther from" if nearer else "farther away from"
    ax.set_title(f"Π(w) is {verdict} u than w")
    return fig.says(
        f"The projection leads {verdict} u: the distance was {before:.2f} and is {after:.2f}.",
        f"The set is a {shape} of half-width 1. The point w = ({x:g}, {y:g}) is {before:.2f} away"
        f" from the rival u = (-0.8, 0.6); the nearest point of the set, ({p[0]:.2f},"
        f" {p[1]:.2f}), is {after:.2f} away: {verdict} u.",
    )


@figure(lecture="09")
def shrinking_steps(T=100):
    """The walk with steps 1/√t that nature makes pay the most that we know, and its bound."""
    w, z = adversaries.hover_and_run(T)
    u = -0.5 * np.sign(z.sum())
    regret, t = so_far((z * (w[:-1] - u)).ravel()), np.arange(T + 1)
    fig, (left, right) = canvas(1, 2, width=9, height=3.6)
    left.plot(t + 1, w.ravel(), color=SHRINKING["color"], linewidth=1)
    for wall in (-0.5, 0.5):
        left.axhline(wall, color=BLACK, linewidth=1)
    left.note(f"u = {u:g}", (T / 2, u), (0, 3))
    left.frame("trials", "$w_t$", "hover at one end, then run", ylim=(-0.6, 0.68))
    right.plot(t, any_time_at_most(1, 1, t), **BOUND, label="bound")
    right.plot(t, regret, color=SHRINKING["color"], linewidth=1, label="regret")
    right.frame("trials", f"regret to u = {u:g}")
    right.ends()
    bound = any_time_at_most(1, 1, T)
    return fig.says(
        f"After {T} trials the regret is {regret[-1]:.1f}; the bound allows {bound:.1f}.",
        f"Left: with steps 1/√t on the interval from -0.5 to 0.5 the weight hovers within a step of"
        f" the left end, and in the last {int(np.sqrt(T))} trials runs to {w[-1, 0]:.2f}. Right:"
        f" the regret to u = {u:g} rises to {regret[-1]:.2f}, which is {regret[-1] / bound:.1%} of"
        f" the bound (3/2)√T = {bound:.1f}.",
    )


def means(y: np.ndarray, step: Callable) -> np.ndarray:
    """Return the regret after each trial, for losses (w - y_t)²/2 and w_1 = ½; rows are runs."""
    w, paid = np.full(len(y), 0.5), np.empty(y.shape)
    t = np.arange(1, y.shape[1] + 1)
    for k, eta in enumerate(np.broadcast_to(step(t), t.shape).tolist()):
        paid[:, k] = (w - y[:, k]) ** 2 / 2
        w = w + eta * (y[:, k] - w)
    squared, total = np.cumsum(y**2, axis=1), np.cumsum(y, axis=1)
    return np.cumsum(paid, axis=1) - (squared - total**2 / t) / 2


@figure(lecture="09")
def three_rates(p=0.3, runs=40, T=10_000, seed=0):
    """The regret of three step lengths on coins, their bounds, and the worst that we know."""
    T = int(check_range("T", T, lambda T: T >= 100, "at least 100"))
    y = (np.random.default_rng(seed).random((check_count("runs", runs), T)) < p).astype(float)
    sizes = np.unique(np.geomspace(10, T, 7).astype(int))
    t, harmonic = np.arange(10, T + 1), np.cumsum(1 / np.arange(1, T + 1))
    fixed = [means(y[:, :k], lambda _, k=k: 0.5 / np.sqrt(k))[:, -1] for k in sizes.tolist()]
    shrunk, curved = means(y, lambda t: t**-0.5), means(y, lambda t: 1 / t)
    found = [_worst(k) for k in sizes.tolist()]
    root, descent = np.sqrt(sizes) / 2, LOOK["gradient descent"]
    kinds = (  # name, look, bound, typical: a row for each run, worst at the sizes
        ("T known", descent, np.sqrt(t) / 2, np.transpose(fixed), root),
        (r"$1/\sqrt{t}$", SHRINKING, any_time_at_most(1, 1, t), shrunk, found),
        (r"$1/(\alpha t)$", CURVED, curved_at_most(1, 1, t), curved, harmonic[sizes - 1] / 2),
    )
    fig, ax = canvas(width=8, height=4.6)
    told = []
    for name, look, bound, typical, worst in kinds:
        ax.plot(t, bound, **BOUND)
        ax.dots(sizes, worst, "D", look["color"], 5)
        at = sizes if typical.shape[1] == len(sizes) else t
        mean = typical.mean(axis=0)[-len(at) :]
        ax.plot(at, mean, **look, label=name)
        error = typical[:, -1].std(ddof=1) / np.sqrt(runs)
        (a, b, c) = (float(np.interp(k, at, mean)) for k in (T / 100, T / 10, T))
        told.append((bound[-1], worst[-1], c, error, np.log10(b / a), np.log10(c / b)))
    ax.frame("trials T", "regret", xlog=10, ylog=10)
    ax.ends()
    ax.set_title("dashed: bounds; diamonds: the worst that we know; lines: coins")
    for (*_, bound, _, _), text, k, away in (
        (kinds[0], r"$T$ known: $\sqrt{T}/2$", T // 20, (-8, 8)),
        (kinds[1], r"$1/\sqrt{t}$: $3\sqrt{T}/2$", T // 20, (-8, 8)),
        (kinds[2], r"$1/(\alpha t)$: $(1+\ln T)/2$", 30, (0, -22)),
    ):
        ax.note(text, (t[k], bound[k]), away, GREY, fontsize=9)
    names = "the step 1/(2√T)", "steps 1/√t", "steps 1/t"
    return fig.says(
        f"On coins the three steps end with the regrets {told[0][2]:.1f}, {told[1][2]:.1f} and"
        f" {told[2][2]:.1f}.",
        f"Losses (w - y)²/2 on coins that show 1 with probability {p:g}, mean of {runs} runs, after"
        f" {T} trials. "
        + "; ".join(
            f"{name}: regret {c:.2f} ± {e:.2f} (standard error), slope {s:.2f} over the last"
            f" tenfold and {r:.2f} over the one before, bound {b:.1f}, worst known {d:.1f}"
            for name, (b, d, c, e, r, s) in zip(names, told, strict=True)
        )
        + ".",
    )


def _worst(T):
    """Return the regret that `hover_and_run` makes, to the better end."""
    w, z = adversaries.hover_and_run(T)
    return float((z * w[:-1]).sum() + abs(z.sum()) / 2)


@figure(lecture="09")
def step_tradeoff(lam=0.1, score=0.0, length=1.0):
    """Loss plus penalty along the direction of the new example, and both steps against λ."""
    lam = check_range("lam", lam, lambda a: a > 0, "greater than 0")
    length = check_range("length", length, lambda a: a > 0, "greater than 0")
    x2, loss = length**2, float(hinge_loss(1, score))
    linear = 1 / (2 * lam) if loss > 0 else 0.0
    exact = min(1 / (2 * lam), loss / x2)

    def objective(tau):
        return np.maximum(0, loss - tau * x2) + lam * tau**2 * x2

    fig, (left, right) = canvas(1, 2, width=9, height=3.8)
    tau = np.linspace(0, max(1.15 * linear, 1.5), 401)
    left.plot(tau, np.maximum(0, loss - tau * x2), color=BLACK, linestyle=":", label="loss")
    left.plot(tau, lam * tau**2 * x2, color=BLACK, linestyle="-.", label="penalty λ‖w − w$_t$‖²")
    left.plot(tau, objective(tau), color=MID, linewidth=5, zorder=1, label="their sum")
    far = linear > 0.3 * tau[-1]
    offsets = ((12, 24), (-8, 4)) if far else ((4, 54), (8, 34))
    if far and linear - exact < 0.2 * tau[-1]:
        offsets = (-10, 24), (10, -4)
    if linear == exact:
        left.note("both steps", (exact, objective(exact)), (0, 14), ha="left")
    for name, at, marker, look, offset in (
        ("exact", exact, "o", EXACT, offsets[0]),
        ("linearised", linear, "s", DESCENT, offsets[1]),
    ):
        place, colour = (at, objective(at)), look["color"]
        if linear > exact:
            pointer = dict(arrowstyle="-", color=colour)
            left.note(name, place, offset, colour, arrowprops=pointer)
        left.dots(*place, marker, colour, 9, markeredgecolor="white", zorder=4)
    left.legend(loc="upper left" if linear > 2 * exact else "upper center")
    if linear <= 2 * exact:  # room for the legend above the valley
        left.set_ylim(top=1.4 * objective(tau).max())
    left.frame(
        r"step $\tau$ in $w_t + \tau\,y_t x_t$", "loss, penalty and their sum", f"λ = {lam:g}"
    )
    lams = np.geomspace(0.02, 5, 200)
    if loss > 0:
        right.plot(lams, 1 / (2 * lams), **DESCENT)
        right.plot(lams, np.minimum(1 / (2 * lams), loss / x2), **EXACT)
        right.dots([lam, lam], [exact, linear], "o", BLACK, 5)
        right.note("linearised: 1/(2λ)", (0.045, 1 / 0.09), (8, 4), DESCENT["color"])
        low = min(1 / 0.06, loss / x2)
        right.note("exact", (0.03, low), (0, -16), EXACT["color"], ha="left")
    else:
        right.note("no loss, no step", (0.02, 1), (20, 0))
    right.frame("λ: how much you hold on to $w_t$", r"step $\tau$", xlog=10, ylog=10)
    right.set(xlim=(0.018, 5.5), ylim=(0.01, 40), title="the larger λ, the smaller the step")
    return fig.says(
        f"With λ = {lam:g} the linearised step overshoots: it pays {objective(linear):.3g}, the"
        f" exact step {objective(exact):.3g}."
        if linear > exact * (1 + 1e-9)
        else f"With λ = {lam:g} both steps are the same.",
        f"With λ = {lam:g}, a score of {score:g} for the right label and ‖x‖ = {length:g}: the"
        f" exact step is {exact:.4g}, where loss plus penalty is {objective(exact):.4g}. The"
        f" linearised step 1/(2λ) is {linear:.4g} and pays"
        f" {objective(linear):.4g}{'' if linear > exact else ', the same'}.",
    )
