"""The figures of lecture 06."""

from math import comb
from operator import attrgetter

import numpy as np

from .. import adversaries, streams
from ..canvas import canvas, figure, label_ends
from ..checks import check_range, count
from ..experts.learners import Hedge
from ..experts.theorems import hedge_bound
from ..losses import hinge_loss
from ..many import play_many
from ..palette import BLACK, BLUE, GREEN, GREY, LOOK, MID, ORANGE, PURPLE, VERMILLION
from ..perceptron.learners import Perceptron
from ..perceptron.plane import arrow
from ..protocol import play
from .learners import OnlineGradientDescent
from .theorems import (
    any_data_at_most,
    descent_at_most,
    descent_tuned_at_most,
    ogd_bound,
    perceptron_any_data,
)

# Five examples with one feature and a constant one, whose weight is fixed to 1: feature, label
# (PERC-F5).
FIVE = (np.array([2.0, 1.0, -2.0, -2 / 3, -0.5]), np.array([1, 1, -1, 1, 1]))


def _after(losses):
    """Return the sums after 0, 1, …, T trials."""
    return np.concatenate([[0], np.cumsum(losses)])


@figure(lecture="06")
def margin_losses(h=1.0):
    """The 0/1 loss, the Perceptron's loss and the hinge loss against the score y (w·x)."""
    h = check_range("h", h, lambda a: a >= 0, "at least 0")
    t = np.linspace(-2, 2.5, 451)  # scores of the right label
    fig, ax = canvas(height=3.6)
    for side in (t[t <= 0], t[t > 0]):
        ax.plot(side, (side <= 0).astype(float), color=BLACK)
    ax.dots(0, 1, "o", BLACK)
    ax.dots(0, 0, "o", BLACK, markerfacecolor="white")
    ax.plot(t, np.maximum(0, -t), **LOOK["Perceptron"])
    ax.plot(t, np.maximum(0, h - t), **LOOK["gradient descent"])
    ax.note("0/1 loss", (-1.9, 1.0), (0, -14), ha="left")
    ax.note(
        "Perceptron: hinge at 0", (-0.4, 0.4), (-10, -4), LOOK["Perceptron"]["color"], va="center"
    )
    ax.note(f"hinge at {h:g}", (-0.6, h + 0.6), (10, 4), LOOK["gradient descent"]["color"])
    ax.frame(
        "score of the right label  $y\\,(w\\cdot x)$", "loss", ylim=(-0.12, 3.05), xlim=(-2, 2.5)
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


@figure(lecture="06")
def loss_surfaces():
    """The mean 0/1 loss, Perceptron loss and hinge loss of ten points, over all weights in a
    square.
    """
    X, y = streams.TEN_POINTS
    steps = np.arange(-125, 126)  # of 1/50; products of whole numbers, so that ties are exact
    grid, W = steps / 50, np.stack(np.meshgrid(steps, steps), axis=-1)
    t = W @ (X * y[:, None]).T / 500
    fig, axes = canvas(1, 3, width=9.6, height=3.9, sharey=True)
    surfaces = [
        ("0/1 loss: flat pieces", (t <= 0).mean(axis=-1)),
        ("Perceptron: a cone", np.maximum(0, -t).mean(axis=-1)),
        ("hinge at 1", np.maximum(0, 1 - t).mean(axis=-1)),
    ]
    solved = t.min(axis=-1) > 0
    for ax, (title, F) in zip(axes, surfaces, strict=True):
        mesh = ax.pcolormesh(grid, grid, F, rasterized=True, vmin=0)
        if ax is not axes[0]:
            ax.contour(grid, grid, F, levels=8, colors="white", linewidths=0.6, alpha=0.7)
        ax.contour(grid, grid, solved, levels=[0.5], colors="white", linewidths=2.2)
        ax.dots(0, 0, "o", "white", 7, markeredgecolor=BLACK)
        ax.frame("first weight", title=title, aspect="equal")
        ax.grid(False)
        fig.colorbar(
            mesh, ax=ax, orientation="horizontal", shrink=0.85, pad=0.02, label="mean loss"
        )
    axes[0].set_ylabel("second weight")
    i, j = np.unravel_index(surfaces[2][1].argmin(), solved.shape)
    return fig.says(
        f"At w = 0, the white dot, the Perceptron's loss is {surfaces[1][1][125, 125]:g}, its"
        f" minimum, although nothing is classified; the hinge loss is {surfaces[2][1][125, 125]:g}"
        " there.",
        "Mean losses of ten separable points for weights between -2.5 and 2.5. The white wedge,"
        f" {solved.mean():.1%} of the square, holds the weights without a mistake. At w = 0 (white"
        f" dot) the losses are {surfaces[0][1][125, 125]:g}, {surfaces[1][1][125, 125]:g} and"
        f" {surfaces[2][1][125, 125]:g}: the Perceptron's loss is at its minimum there, the hinge"
        f" loss is not; it falls to {surfaces[2][1].min():.3f} at ({grid[j]:.1f}, {grid[i]:.1f}).",
    )


@figure(lecture="06")
def objective_on_a_line():
    """The Perceptron's loss of five examples along a line of weights, and their mean with its flat
    floor.
    """
    x, y = FIVE
    s = np.linspace(-2, 4, 601)
    losses = np.maximum(0, -y * (s[:, None] * x + 1))
    F = losses.mean(axis=1)
    fig, axes = canvas(1, 2, width=9, height=3.5)
    styles = ("-", (0, (6, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 2, 1, 2)))
    for i, (colour, style) in enumerate(
        zip((BLUE, VERMILLION, GREEN, PURPLE, ORANGE), styles, strict=True)
    ):
        axes[0].plot(
            s, losses[:, i], color=colour, linestyle=style, label=f"x = {x[i]:.2g}, y = {y[i]:+d}"
        )
        axes[0].dots(-1 / x[i], 0, "o", colour)
    axes[0].legend(loc="upper center", fontsize=9)
    floor = s[F <= 1e-12]
    axes[1].axvspan(floor[0], floor[-1], color=GREY, alpha=0.25, linewidth=0)
    axes[1].plot(s, F, **LOOK["Perceptron"])
    axes[1].dots(-1 / x, np.interp(-1 / x, s, F), "o", LOOK["Perceptron"]["color"])
    axes[1].annotate("no\nmistakes", (floor.mean(), 0.9), ha="center", color=BLACK)
    axes[0].frame("weight s of the feature", "loss", "each example has one kink")
    axes[1].frame("weight s of the feature", "F(s)", "their mean has them all, and a floor")
    kinks = ", ".join(f"{k:.2g}" for k in sorted(-1 / x))
    return fig.says(
        "The mean loss bends at the kink of each example, and it is 0 from"
        f" {floor[0]:g} to {floor[-1]:g}.",
        "Perceptron loss max(0, -y (s x + 1)) of five examples: zero on one side of a kink, a"
        f" straight line on the other. The kinks are at s = {kinks}. The mean is 0 exactly from"
        f" {floor[0]:.2f} to {floor[-1]:.2f}, where no example is misclassified.",
    )


@figure(lecture="06")
def subgradient_fan(slope=-0.5):
    """The supporting lines of the Perceptron's loss at its kink, and one line of your choice."""
    t, f = np.linspace(-2, 2, 401), np.maximum(0, -np.linspace(-2, 2, 401))
    fig, ax = canvas(height=3.6)
    supports = (f >= slope * t - 1e-12).all()
    for g in np.linspace(-1, 0, 9) if supports else []:  # the answer, once you have found one
        ax.plot(t, g * t, color=MID, linewidth=1, zorder=1)
    ax.plot(t, f, **LOOK["Perceptron"], zorder=2)
    ax.plot(t, slope * t, color=BLACK if supports else VERMILLION, linestyle=(0, (6, 1)), zorder=3)
    over = f < slope * t - 1e-12
    if over.any():
        ax.fill_between(t, f, slope * t, where=over, color=VERMILLION, alpha=0.3, zorder=1)
    ax.dots(0, 0, "o", BLACK, zorder=4)
    ax.note("max(0, -a)", (-1.5, 1.5), (10, 4), LOOK["Perceptron"]["color"])
    ax.note(
        f"slope {slope:g}",
        (-1.2, -1.2 * slope),
        (0, -18),
        BLACK if supports else VERMILLION,
        bbox=dict(facecolor="white", edgecolor="none", pad=1),
    )
    ax.frame("score a of the right label", "loss", xlim=(-2, 2), ylim=(-1.6, 2.1))
    verdict = (
        f"never rises above the loss, so {slope:g} is a subgradient"
        if supports
        else f"rises above the loss by up to {(slope * t - f).max():.2g}, so {slope:g} is none"
    )
    return fig.says(
        f"The line with slope {slope:g} {verdict}.",
        f"The line with slope {slope:g} through the kink {verdict}."
        f"{' The grey fan shows all of them, the slopes from -1 to 0.' if supports else ''}",
    )


@figure(lecture="06")
def subgradient_steps(step=0.3, T=40):
    """Gradient descent on a parabola against subgradient descent on a kink, and a step that goes
    uphill.
    """
    fig, axes = canvas(1, 2, width=9, height=3.7)
    t = np.arange(1, T + 2)
    smooth = (1 - step) ** np.arange(T + 1.0)
    kink, fading = [1.0], [1.0]
    for k in range(1, T + 1):
        kink.append(kink[-1] - step * np.sign(kink[-1]))
        fading.append(fading[-1] - step / np.sqrt(k) * np.sign(fading[-1]))
    labels = []
    for name, xs, style in (
        ("$|x|$", kink, "-"),
        (r"$|x|$, step $\propto 1/\sqrt{t}$", fading, (0, (1, 1))),
    ):
        (line,) = axes[0].plot(t, np.maximum(np.abs(xs), 1e-16), color=VERMILLION, linestyle=style)
        labels.append((line, name))
    axes[0].plot(t, np.maximum(smooth, 1e-16), color=GREEN)
    low = np.abs(smooth - 0.01).argmin()
    axes[0].note(r"$\frac{1}{2}x^2$", (t[low], smooth[low]), (-8, -14), GREEN)
    axes[0].set_yscale("log")
    axes[0].frame(
        "step t", "distance |x| to the minimum", f"from x = 1 with step {step:g}", ylim=(1e-4, 2)
    )
    label_ends(axes[0], labels)
    grid = np.linspace(-1.6, 1.6, 161)
    A, B = np.meshgrid(grid, grid)
    axes[1].contour(
        A, B, np.abs(A) + 2 * np.abs(B), levels=[0.5, 1, 1.5, 2, 3], colors=GREY, linewidths=1
    )
    start, end = np.array([1.0, 0.0]), np.array([1.0, 0.0]) - step * np.array([1.0, 2.0])
    arrow(axes[1], end, start, colour=VERMILLION)
    axes[1].dots(*start, "o", BLACK)
    axes[1].dots(0, 0, "*", BLACK, 11)
    axes[1].frame("a", "b", "$|a| + 2|b|$: a step uphill", aspect="equal")
    axes[1].grid(False)
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


@figure(lecture="06")
def step_tradeoff(lam=0.1, score=0.0, length=1.0):
    """Loss plus penalty along the direction of the new example, and both steps against λ."""
    lam = check_range("lam", lam, lambda a: a > 0, "greater than 0")
    length = check_range("length", length, lambda a: a > 0, "greater than 0")
    x2, loss = length**2, float(hinge_loss(1, score))
    exact, linear = min(1 / (2 * lam), loss / x2), 1 / (2 * lam) if loss > 0 else 0.0

    def objective(tau):
        return np.maximum(0, loss - tau * x2) + lam * tau**2 * x2

    fig, axes = canvas(1, 2, width=9, height=3.8)
    tau = np.linspace(0, max(1.15 * linear, 1.5), 401)
    axes[0].plot(tau, np.maximum(0, loss - tau * x2), color=BLACK, linestyle=":", label="loss")
    axes[0].plot(tau, lam * tau**2 * x2, color=BLACK, linestyle="-.", label="penalty λ‖w − w$_t$‖²")
    axes[0].plot(tau, objective(tau), color=MID, linewidth=5, zorder=1, label="their sum")
    far = linear > 0.3 * tau[-1]
    offsets = ((12, 24), "left"), ((-8, 4), "right")
    if not far:
        offsets = ((4, 54), "left"), ((8, 34), "left")
    if far and linear - exact < 0.2 * tau[-1]:
        offsets = ((-10, 24), "right"), ((10, -4), "left")
    if linear == exact:
        axes[0].note("both steps", (exact, objective(exact)), (0, 14), ha="left")
    for name, at, marker, text, (offset, side) in (
        ("exact step", exact, "o", "exact", offsets[0]),
        ("gradient descent", linear, "s", "linearised", offsets[1]),
    ):
        if linear > exact:
            axes[0].note(
                text,
                (at, objective(at)),
                offset,
                LOOK[name]["color"],
                ha=side,
                arrowprops=dict(arrowstyle="-", color=LOOK[name]["color"]),
            )
        axes[0].plot(
            at,
            objective(at),
            marker,
            color=LOOK[name]["color"],
            markersize=9,
            markeredgecolor="white",
            zorder=4,
        )
    axes[0].legend(loc="upper left" if linear > 2 * exact else "upper center")
    if linear <= 2 * exact:  # room for the legend above the valley
        axes[0].set_ylim(top=1.4 * objective(tau).max())
    axes[0].frame(
        r"step $\tau$ in $w_t + \tau\,y_t x_t$", "loss, penalty and their sum", f"λ = {lam:g}"
    )
    lams = np.geomspace(0.02, 5, 200)
    if loss > 0:
        (upper,) = axes[1].plot(lams, 1 / (2 * lams), **LOOK["gradient descent"])
        (lower,) = axes[1].plot(lams, np.minimum(1 / (2 * lams), loss / x2), **LOOK["exact step"])
        axes[1].dots([lam, lam], [exact, linear], "o", BLACK, 5)
        axes[1].note("linearised: 1/(2λ)", (0.045, 1 / 0.09), (8, 4), upper.get_color())
        axes[1].note(
            "exact", (0.03, min(1 / 0.06, loss / x2)), (0, -16), lower.get_color(), ha="left"
        )
    else:
        axes[1].note("no loss, no step", (0.02, 1), (20, 0))
    axes[1].frame(
        "λ: how much you hold on to $w_t$",
        r"step $\tau$",
        "the larger λ, the smaller the step",
        xlog=10,
        ylog=10,
        xlim=(0.018, 5.5),
        ylim=(0.01, 40),
    )
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


def best_in_disc(X: np.ndarray, y: np.ndarray, U: float) -> np.ndarray:
    """Return the vector of the plane, at most U long, with the least hinge loss: a square grid,
    drawn back into the disc, closes in on it six times.
    """
    side, best, reach = np.linspace(-1, 1, 41), np.zeros(2), U
    square = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    for _ in range(6):
        grid = best + reach * square
        grid *= U / np.maximum(U, np.linalg.norm(grid, axis=1, keepdims=True))
        best, reach = grid[hinge_loss(y[:, None], X @ grid.T).sum(axis=0).argmin()], reach / 4
    return best


@figure(lecture="06")
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
    fig, axes = canvas(1, 2, width=9, height=4, width_ratios=[1, 1.05])
    low, high = np.minimum(w.min(axis=0), u) - 0.6, np.maximum(w.max(axis=0), u) + 0.6
    a, b = np.meshgrid(np.linspace(low[0], high[0], 90), np.linspace(low[1], high[1], 90))
    axes[0].contour(
        a, b, mean_loss(np.stack([a, b], axis=-1)), levels=16, colors=GREY, linewidths=0.6
    )
    for chosen, colour, width in ((moved & ~uphill, GREEN, 1.3), (uphill, VERMILLION, 2.6)):
        for before, after in zip(w[:-1][chosen], w[1:][chosen], strict=True):
            axes[0].plot(*np.transpose([before, after]), color=colour, linewidth=width)
    axes[0].dots(0, 0, "o", BLACK)
    axes[0].dots(*u, "*", BLACK, 13, zorder=4)
    axes[0].note("start", (0, 0), (6, -14))
    axes[0].note("u", tuple(u), (9, 4))
    axes[0].frame(
        "first weight",
        "second weight",
        "thin green: downhill; thick vermilion: uphill",
        aspect="equal",
    )
    axes[0].grid(False)
    distance = ((w - u) ** 2).sum(axis=1)
    axes[1].plot(np.arange(T + 1), distance, **LOOK["gradient descent"])
    axes[1].frame("trials", "squared distance to u", "but nearer to u", ylim=(0, None))
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


@figure(lecture="06")
def ogd_regret(rate=1.0, U=3.0, noise=0.1, T=200, seed=0):
    """Gradient descent's regret to the best vector in a disc of radius U, and its bound, over the
    trials.
    """
    X, y = streams.noisy_margin(T, [2, 1], 0.1, noise, rng=seed)
    eta = rate * U / np.sqrt(T)
    run, u = play(OnlineGradientDescent(2, eta=eta), X, y), best_in_disc(X, y, U)
    fig, ax = canvas()
    t = np.arange(T + 1)
    (bound,) = ax.plot(t, descent_at_most(U, 1, t, eta), **LOOK["bound"], label="bound")
    (regret,) = ax.plot(
        t, _after(run.losses - hinge_loss(y, X @ u)), **LOOK["gradient descent"], label="regret"
    )
    ax.axhline(0, color=BLACK, linewidth=0.8)
    ax.frame(
        "trials",
        "regret so far",
        ylim=(min(-2, 1.1 * regret.get_ydata().min()), 1.1 * bound.get_ydata()[-1]),
    )
    ax.ends()
    paid, best = run.total_loss, hinge_loss(y, X @ u).sum()
    return fig.says(
        f"The regret after {T} trials is {paid - best:.1f}; the bound for this rate is"
        f" {bound.get_ydata()[-1]:.1f}.",
        f"Hinge loss on {T} trials with {noise:.0%} flipped labels: gradient descent with η ="
        f" {eta:.3g} pays {paid:.1f}, the best vector of length at most {U:g} pays {best:.1f}, so"
        f" the regret is {paid - best:.1f}. The bound is U²/(2η) + ηTR²/2 ="
        f" {bound.get_ydata()[-1]:.1f}; at the best rate, η = {U / np.sqrt(T):.3g}, it is UR√T ="
        f" {descent_tuned_at_most(U, 1, T):.1f}.",
    )


@figure(lecture="06")
def two_potentials(T=200, seed=0):
    """Two proofs side by side: what gradient descent and Hedge pay, and the potential that pays for
    it.
    """
    X, y = streams.noisy_margin(T, [2, 1], 0.1, 0.1, rng=seed)
    U, n = 3.0, 8
    descent = play(OnlineGradientDescent(2, eta=U / np.sqrt(T)), X, y)
    hedge = play(
        Hedge(n, eta=np.sqrt(2 * np.log(n) / T)),
        streams.coin_losses(T, np.linspace(0.3, 0.6, n), rng=seed),
    )
    u, vertex = best_in_disc(X, y, U), np.eye(n)[hedge.best_expert]
    distance = ((descent.weights - u) ** 2).sum(axis=1) / (2 * descent.learner.eta)
    entropy = -hedge.log_probabilities @ vertex / hedge.learner.eta
    fig, axes = canvas(1, 2, width=9, height=3.7)
    t, ends = np.arange(T + 1), []
    for ax, run, potential, ledger, line, title, look in (
        (
            axes[0],
            descent,
            distance,
            ogd_bound(descent, u),
            1,
            "gradient descent",
            LOOK["gradient descent"],
        ),
        (axes[1], hedge, entropy, hedge_bound(hedge), 4, "Hedge", LOOK["Hedge"]),
    ):
        regret = _after(
            run.losses - (hinge_loss(y, X @ u) if run is descent else run.expert_losses @ vertex)
        )
        ax.plot(t, potential, color=BLACK, linestyle="-.", label="potential")
        ax.plot(t, regret, **look, label="regret")
        (allowed,) = ax.plot(t, _after(ledger.lines[line].rhs), **LOOK["bound"], label="allowed")
        ax.axhline(0, color=BLACK, linewidth=0.8)
        ax.frame("trials", title=title)
        ax.ends()
        ends.append((potential[0], potential[-1], regret[-1], allowed.get_ydata()[-1]))
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


@figure(lecture="06")
def ogd_tightness(U=3.0, runs=10, seed=0):
    """Gradient descent's regret divided by its bound on orthonormal and on typical data, and what
    no algorithm can avoid.
    """
    sizes, rng = np.array([16, 64, 256]), np.random.default_rng(seed)
    sharp, typical = [], []
    for T in sizes.tolist():
        eta, bound = U / np.sqrt(T), descent_tuned_at_most(U, 1, T)
        sharp.append(
            ogd_bound(
                play(OnlineGradientDescent(T, eta=eta), *adversaries.orthonormal(T)),
                np.full(T, eta),
            ).value
            / bound
        )
        data = [streams.noisy_margin(T, [2, 1], 0.1, 0.1, rng) for _ in range(runs)]
        paid = play_many(
            lambda i, eta=eta: OnlineGradientDescent(2, eta=eta),
            data,
            read=attrgetter("total_loss"),
        )
        some = [
            (loss - hinge_loss(y, X @ best_in_disc(X, y, U)).sum()) / bound
            for loss, (X, y) in zip(paid, data, strict=True)
        ]
        typical.append((np.mean(some), np.std(some)))
    every = np.arange(16, 257)
    coins = [comb(T - 1, (T - 1) // 2) / 2 ** (T - 1) * np.sqrt(T) for T in every.tolist()]
    fig, ax = canvas(height=3.6)
    ax.plot(sizes, sharp, "D-", color=BLACK, markersize=8, label="orthonormal data")
    ax.plot(every, coins, color=GREY, linestyle=":", label="coins: every algorithm")
    mean, spread = np.transpose(typical)
    ax.errorbar(
        sizes,
        mean,
        spread,
        fmt="x",
        color=LOOK["gradient descent"]["color"],
        markersize=9,
        capsize=4,
        markeredgewidth=2,
    )
    ax.axhline(1, **LOOK["bound"], zorder=0)
    ax.frame("trials T", "regret / bound", xlog=2, ylim=(0, 1.15), xticks=sizes)
    ax.ends()
    ax.note(
        f"typical: a noisy half-plane,\nmean ± deviation of {runs} runs",
        (64, mean[1] - spread[1]),
        (0, -6),
        LOOK["gradient descent"]["color"],
        va="top",
    )
    return fig.says(
        f"Orthonormal examples attain the bound; on a noisy half-plane the regret is"
        f" {mean.min():.0%} to {mean.max():.0%} of it on average.",
        f"Regret divided by the bound UR√T, U = {U:g}. Orthonormal data: {sharp[0]:.3f} at T ="
        f" {sizes[0]} and {sharp[-1]:.3f} at T = {sizes[-1]}. A half-plane with 10% noise:"
        f" {mean[0]:.2f} and {mean[-1]:.2f} on average. Coin labels on one number with U ≤ 1: every"
        f" algorithm has an expected regret of at least {coins[0]:.3f} and {coins[-1]:.3f} of the"
        " bound.",
    )


@figure(lecture="06")
def perceptron_noise(noise=0.1, T=1000, n=10, seed=0):
    """Mistakes of the Perceptron on noisy labels, and the bound that needs no separator."""
    v = np.ones(n) / np.sqrt(n)
    X, y = streams.noisy_margin(T, v, 0.1, noise, rng=seed)
    run = play(Perceptron(n), X, y)
    lengths = np.linspace(0.2, 10, 50)
    H = np.cumsum(hinge_loss(y[:, None], np.outer(X @ v, lengths)), axis=0)
    bounds = any_data_at_most(H, lengths)
    best = lengths[bounds[-1].argmin()]
    ledger = perceptron_any_data(run, best * v)
    fig, ax = canvas()
    t = np.arange(1, T + 1)
    ax.plot(t, bounds.min(axis=1), **LOOK["bound"], label="bound")
    ax.plot(t, run.mistakes_before[1:], **LOOK["Perceptron"], label="Perceptron")
    (wrong,) = ax.plot(t, np.cumsum(y * (X @ v) <= 0), **LOOK["best expert"], label="the planted v")
    ax.frame("trials", "mistakes so far", ylim=(0, 1.08 * max(ledger.bound, 1)))
    ax.ends()
    return fig.says(
        f"The Perceptron errs {count(run.mistakes, 'time')}, the planted v"
        f" {count(wrong.get_ydata()[-1], 'time')}; the bound allows {ledger.bound:.0f}.",
        f"Each label is flipped with probability {noise:.0%}. In {T} trials the Perceptron errs"
        f" {count(run.mistakes, 'time')}, the planted v {count(wrong.get_ydata()[-1], 'time')}."
        " Dashed: the bound with the best multiple of v at each time, of length 0.2 to 10; at the"
        f" end it is {ledger.bound:.0f}, with u = {best:.1f} v.",
    )
