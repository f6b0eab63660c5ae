"""The figures of lecture 19."""

from functools import cache

import numpy as np

from .. import streams
from ..canvas import canvas, figure, so_far
from ..checks import check_range
from ..experts.learners import Hedge
from ..palette import BLACK, BLUE, BOUND, BROKEN, DOTTED, GREY, MID, ORANGE, VERMILLION
from ..perceptron.learners import Perceptron
from ..protocol import play
from ..winnow.learners import Winnow
from .geometry import ENTROPY, EUCLID, path_of

SPARSE, DENSE = {"color": VERMILLION, "linestyle": "-"}, {"color": BLUE, "linestyle": BROKEN}
RUNS = 20


@figure(lecture="19")
def mirror_steps(across=0.3, eta=0.25):
    """One gradient, two geometries: where a step of mirror descent leads from each point."""
    across = check_range("across", across, lambda a: -1 <= a <= 1, "in [-1, 1]")
    down, side = -np.array([1.0, across]), np.array([0.15, 0.45, 0.75, 1.05])
    start = np.array(np.meshgrid(side, side)).reshape(2, -1).T
    fig, axes = canvas(1, 2, height=3.6, sharey=True)
    told = []
    for ax, geometry, colour in zip(axes, (EUCLID, ENTROPY), (BLUE, VERMILLION), strict=True):
        end = geometry.primal(geometry.dual(start) - eta * down)
        for a, b in zip(start, end, strict=True):
            ax.annotate("", b, a, arrowprops={"arrowstyle": "->", "color": colour, "lw": 1.6})
        ax.dots(*start.T, "o", GREY, 3)
        ax.frame("$w_1$", xlim=(-0.05, 1.6), ylim=(-0.05, 1.6), aspect="equal")
        near, far = np.linalg.norm(end - start, axis=1)[[0, -1]]
        told.append(f"{near:.2f} from (0.15, 0.15) and {far:.2f} from (1.05, 1.05)")
    axes[0].frame(ylabel="$w_2$", title="Euclid: add")
    axes[1].frame(title="entropy: multiply")
    axes[0].corner("all steps alike", 0.03, 0.98)
    axes[1].corner("small weights move little", 0.03, 0.98)
    return fig.says(
        "The same gradient at 16 points: who adds moves all weights alike, who multiplies moves"
        " small weights little.",
        f"Each arrow is one step with the gradient (-1, {-across:g}) and the rate {eta:g}, from 16"
        f" points of the plane of two weights. Lengths of the steps: adding (left, blue) {told[0]};"
        f" multiplying (right, vermilion) {told[1]}.",
    )


@figure(lecture="19")
def tangent_gap(u=1.6, w=0.4):
    """Bregman divergences: by how much the tangent at w passes below the potential at u."""
    u, w = (
        check_range(name, v, lambda v: 0.05 <= v <= 2, "from 0.05 to 2")
        for name, v in (("u", u), ("w", w))
    )
    x = np.linspace(0.01, 2.1, 210)
    fig, axes = canvas(1, 2, height=3.5)
    gaps = []
    for ax, geometry, name in zip(
        axes, (EUCLID, ENTROPY), ("$w^2/2$", "$w\\ \\ln w - w$"), strict=True
    ):
        top, touch, curve = (geometry.potential(np.reshape(v, (-1, 1))) for v in (u, w, x))
        tangent = touch + geometry.dual(np.array(w)) * (x - w)
        gaps.append(geometry.divergence(np.array([u]), np.array([w])) + 1e-9)  # no tie is rounded
        ax.plot(x, curve, color=BLUE)
        ax.plot(x, tangent, **BOUND)
        ax.plot([u, u], [top[0] - gaps[-1], top[0]], color=VERMILLION, linewidth=4)
        ax.dots(w, touch, "o", BLACK)
        ax.note("w", (w, touch[0]), (0, 10))
        ax.note("u", (u, top[0]), (0, 8), VERMILLION)
        ax.frame(
            "weight", title=f"{name}:  D(u, w) = {gaps[-1]:.2f}", xlim=(0, 2.1), ylim=(-6.2, 2.5)
        )
        ax.corner("thick: the gap at u", 0.03, 0.03)
    return fig.says(
        f"The gap at u is {gaps[0]:.2f} for half the square and {gaps[1]:.2f} for the entropy.",
        f"Two potentials (blue), their tangents at w = {w:g} (dashed), and how far below the"
        f" potential these pass at u = {u:g} (vermilion, thick): D(u, w) = {gaps[0]:.3f} for half"
        f" the square, on the left, and {gaps[1]:.3f} for the entropy. The other way round"
        f" D(w, u) = {gaps[0]:.3f} and"
        f" {ENTROPY.divergence(np.array([w]), np.array([u])):.3f}.",
    )


# The dial -----------------------------------------------------------------------------------------


def _examples(n, k, T, rng, sparse):
    """Return signs and labels: dense rows and the majority of k entries, or the other way round."""
    few = np.zeros((RUNS, T, n), np.float32)
    if sparse:
        few[:, 0, :k] = 1
        few[:] = few[:, :1]
    else:
        chosen = rng.random((RUNS, T, n)).argpartition(k, axis=2)[:, :, :k]
        np.put_along_axis(few, chosen, 1, axis=2)
    many = rng.choice(np.float32([-1, 1]), (RUNS, T, n))
    hidden = np.ones((RUNS, 1, n)) if sparse else rng.choice([-1.0, 1.0], (RUNS, 1, n))
    X = many if sparse else many * few
    return X, np.sign((X * few * hidden).sum(axis=2))


@cache
def dial_mistakes(n: int, k: int, T: int, seed: int, sparse: bool, exponents: tuple) -> np.ndarray:
    """Return the mistakes of NormPerceptron with each exponent, a row for each of 20 streams."""
    X, y = _examples(n, k, T, np.random.default_rng([seed, sparse]), sparse)
    q = np.array(exponents)[:, None, None]
    theta, w = np.zeros((len(exponents), RUNS, n)), np.zeros((len(exponents), RUNS, n))
    mistakes = np.zeros((len(exponents), RUNS), int)
    for t in range(T):
        wrong = y[:, t] * np.einsum("qrn,rn->qr", w, X[:, t]) <= 1e-9
        mistakes += wrong
        at, run = np.nonzero(wrong)
        theta[at, run] += y[run, t, None] * X[run, t]
        a = theta[at, run]
        top = np.abs(a).max(axis=1, keepdims=True)
        power = (np.abs(a) / np.where(top > 0, top, 1)) ** (q[at, 0] - 1)
        w[at, run] = np.sign(a) * power  # up to a positive factor
    return mistakes.T


@figure(lecture="19")
def geometry_dial(q=4.0, n=64, k=7, T=3000, seed=0):
    """Who wins on which data: mistakes against the dial from adding to multiplying."""
    top = 2 * np.log(n)
    q = check_range("q", q, lambda q: 2 <= q <= 30, "from 2 to 30")
    exponents = tuple(np.round(np.geomspace(2, max(top, 2.5), 9), 3))
    fig, ax = canvas()
    told, ends = [], []
    for sparse, look, name in ((True, SPARSE, "few matter"), (False, DENSE, "all matter a bit")):
        made = dial_mistakes(n, k, T, seed, sparse, exponents)
        mean, error = made.mean(axis=0), made.std(axis=0, ddof=1) / np.sqrt(RUNS)
        ax.curve(exponents, mean, look, name, "o", 5)
        ax.fill_between(
            exponents, mean - 2 * error, mean + 2 * error, color=look["color"], alpha=0.2
        )
        dial = np.linspace(2, exponents[-1], 100)
        a, b = (n, k) if sparse else (k, n)
        bound = (dial - 1) * a ** (2 / dial) * b ** (2 - 2 / dial)
        ax.curve(dial, bound, BOUND if sparse else DOTTED, f"bound, {name}")
        at_q = np.interp(q, exponents, mean)
        ends.append(at_q)
        told.append(
            f"{name}: from {mean[0]:.0f} ± {error[0]:.1f} at q = 2 to {mean[-1]:.0f} ±"
            f" {error[-1]:.1f} at q = {exponents[-1]:.1f}, {at_q:.0f} at q = {q:g}"
        )
    ax.axvline(min(q, exponents[-1]), color=MID, linewidth=1)
    ax.frame("q: from adding (2) to multiplying (2 ln n)", "mistakes", ylog=10)
    ax.set(ylim=(min(ends) / 2, None))
    ax.ends()
    if ends[0] < ends[1]:
        ax.corner("few matter: multiply;\nall matter: add", 0.02, 0.97, paper=True)
    return fig.says(
        f"At q = {q:g} the sparse target costs {ends[0]:.0f} mistakes, the dense one"
        f" {ends[1]:.0f}.",
        f"{n} features, {T} trials, means of {RUNS} streams with two standard errors. Sparse target"
        f" (vermilion): rows of signs, the label is the majority of {k} of them. Dense target"
        f" (blue, dashed): rows with {k} signs, the rest 0, the label is the sign of their sum,"
        f" each times the hidden sign of its feature. {'; '.join(told)}. Grey: their"
        " bounds (q-1)‖x‖²‖u‖², dashed and dotted, which meet at q = 2.",
    )


# The account --------------------------------------------------------------------------------------


def _cases(T, seed):
    """Yield (name, path, u) of a Perceptron, a Hedge and a Winnow on streams of their own."""
    seeds = np.random.SeedSequence(seed).spawn(3)
    v = np.ones(5) / np.sqrt(5)
    run = play(Perceptron(5), *streams.planted_margin(T, v, 0.1, rng=seeds[0]))
    yield "Perceptron", path_of(run), run.X[0].size * v
    game = play(Hedge(4, eta=0.2), streams.coin_losses(T, [0.3, 0.5, 0.5, 0.5], rng=seeds[1]))
    yield "Hedge", path_of(game), np.eye(4)[game.best_expert]
    alarm = play(Winnow(20), *streams.disjunction(T, 20, 2, rng=seeds[2]))
    yield "Winnow", path_of(alarm), 20.0 * (np.arange(20) < 2)


@figure(lecture="19")
def mirror_account(T=80, seed=1):
    """The identity as an account, for three learners: what is paid is progress plus steps."""
    fig, axes = canvas(1, 3, width=9, height=3.6)
    told = []
    for ax, (name, path, u) in zip(axes, _cases(T, seed), strict=True):
        D = path.geometry.divergence
        apart = D(u, path.w)
        paid = so_far(path.eta * np.sum(path.g * (path.w[:-1] - u), axis=1))
        steps = so_far(D(path.w[:-1], path.w[1:]))
        ax.plot(np.full(T + 1, apart[0]), **BOUND, label="distance at the start")
        ax.curve(range(T + 1), paid, SPARSE, label="paid")
        ax.curve(
            range(T + 1), apart[0] - apart, {"color": BLUE, "linestyle": BROKEN}, label="progress"
        )
        ax.curve(range(T + 1), steps, {"color": ORANGE, "linestyle": ":"}, label="steps")
        ax.frame("trials", title=name)
        told.append(
            f"{name}: paid {paid[-1]:.2f} = progress {apart[0] - apart[-1]:.2f} + steps"
            f" {steps[-1]:.2f}, D(u,w_1) = {apart[0]:.2f}"
        )
    axes[0].frame(ylabel="in units of ψ")
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig.says(
        "In each geometry what is paid is the progress, never more than the dashed distance at the"
        " start, plus the price of the steps.",
        f"{T} trials each. Vermilion: the sum of η g·(w-u); blue, dashed: D(u,w_1) - D(u,w_t);"
        f" orange, dotted: the sum of D(w_t,w_t+1); dashed grey: D(u,w_1). {'; '.join(told)}.",
    )
