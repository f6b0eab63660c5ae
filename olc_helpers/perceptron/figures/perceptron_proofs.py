"""The figures of lecture 07."""

import numpy as np

from ... import adversaries, always, streams
from ...canvas import canvas, figure
from ...checks import check_range, count
from ...palette import BLACK, BLUE, BOUND, BROKEN, DOTTED, GREEN, GREY, LOOK, ORANGE, VERMILLION
from ...protocol import Run, play
from ..learners import Perceptron
from ..margins import margin, max_margin
from ..plane import arrow, boundary, points, scene
from ..theorems import novikoff
from .perceptron import draw_walk, trace, wrong_points

TURN = np.linspace(0, 2 * np.pi, 200)
NATURES = ("random", "worst in R³", "worst in the plane")


def natures_run(nature: str, gamma: float, T: int, seed: int) -> tuple[Run, np.ndarray]:
    """Return (run, v) of the Perceptron against a random stream with a planted margin, or one of
    the worst streams.
    """
    if nature not in NATURES:
        raise ValueError(f"nature must be one of {', '.join(NATURES)}; got {nature!r}")
    if nature == "random":
        v = np.eye(3)[2]
        X, y = streams.planted_margin(T, v, gamma, rng=seed)
    elif nature == "worst in R³":
        X, y, v = *adversaries.sharp_perceptron(gamma), np.eye(3)[2]
    else:
        X, y, v = *adversaries.see_saw(gamma), np.eye(2)[1]
    return play(Perceptron(len(v)), X, y), v


# One of the two longest sequences of mistakes on the ten points, counted from 1 (lecture 06).
LONGEST = np.array([7, 1, 7, 1, 7, 1, 7, 1, 7, 1, 10, 1])
HUNTED = {  # what might tell that the Perceptron gets on, and whether it should rise or fall
    "number of wrong points": (-1, lambda w, v: wrong_points(w)),
    "angle between w and v": (
        -1,
        lambda w, v: np.degrees(np.arccos(min(1.0, w @ v / np.linalg.norm(w)))),
    ),
    "length of w": (1, lambda w, v: np.linalg.norm(w)),
    "w·v": (1, lambda w, v: w @ v),
}


@figure(lecture="07")
def quantity_hunt(quantity="number of wrong points", longest=True):
    """The walk of w on ten points, in nature's longest sequence or pass by pass, and a quantity
    after each mistake: does it move in one direction only?
    """
    if quantity not in HUNTED:
        raise ValueError(f"quantity must be one of {', '.join(HUNTED)}; got {quantity!r}")
    (X, y), at = streams.TEN_POINTS, LONGEST - 1
    run, updates = trace()
    if longest:
        run, updates = play(Perceptron(2), X[at], y[at]), np.arange(len(at))
    (wish, value), v = HUNTED[quantity], max_margin(X, y).v
    fig, (ax, hunt) = canvas(1, 2, width=9.4, height=4.4)
    walk = draw_walk(ax, run, updates, len(updates), 26, half=False)
    ax.set(xlim=(-3, 27), ylim=(-12, 13))
    arrow(ax, 26 * v, colour=GREEN, label="v", offset=(0, 8))
    values = np.array([value(w, v) for w in walk[1:]], float)
    M = np.arange(1, len(walk))
    hunt.curve(M, values, LOOK["Perceptron"], marker="o")
    back = np.flatnonzero(wish * np.diff(values) < -1e-9)
    for k in back:
        hunt.plot(M[k : k + 2], values[k : k + 2], color=VERMILLION, linewidth=5, zorder=1)
    hunt.frame("mistakes", quantity + ", in degrees" * quantity.startswith("angle"), whole="x")
    hunt.set_ylim(0, None)
    lost = f"{len(back) or 'none'} go{'es' * (len(back) < 2)} the wrong way"
    return fig.says(
        f"{quantity[0].upper() + quantity[1:]}: of {len(M) - 1} steps from mistake to mistake,"
        f" {lost}.",
        "Left: the walk of w in the plane of the weights, with the green cone of all separators of"
        " the ten points and v, the one with the largest margin. Right:"
        f" {quantity} after each of {len(M)} mistakes, {', '.join(f'{a:.3g}' for a in values)}. It"
        f" should {'fall' if wish < 0 else 'rise'}; of {len(M) - 1} steps {lost} (thick"
        " vermilion).",
    )


@figure(lecture="07")
def norm_squeeze(nature="random", gamma=0.1, T=1000, seed=0):
    """The length of w between the two sides of Novikoff's proof, mistake by mistake."""
    run, v = natures_run(nature, gamma, T, seed)
    w = run.weights[np.append(True, run.mistake)]  # w after 0, 1, …, M mistakes
    M, least = np.arange(len(w)), margin(run.X, run.y, v)
    R, bound = float(np.linalg.norm(run.X, axis=1).max()), novikoff(run, v).bound
    fig, ax = canvas()
    m = np.linspace(0, bound * 1.08, 300)
    ax.plot(m, np.sqrt(m) * R, **BOUND, label="$\\sqrt{M}\\,R$")
    ax.plot(m, m * least, **DOTTED, label="$M\\,\\gamma$")
    ax.frame("mistakes", "length", ylim=(0, None))
    ax.ends()
    ax.plot(M, np.linalg.norm(w, axis=1), **LOOK["Perceptron"], label="$\\|w\\|$")
    ax.plot(M, w @ v, color=GREEN, linestyle=(0, (3, 1)), label="$w\\cdot v$")
    ax.legend(loc="upper left", fontsize=12)
    ax.axvline(bound, color=GREY, linewidth=1)
    ax.note(f"$(R/\\gamma)^2$ = {bound:.4g}", (bound, 0), (-5, 5), GREY)
    ax.see("no room for a mistake beyond", (bound, 0), (-5, 24))
    return fig.says(
        f"After {run.mistakes} mistakes w is {np.linalg.norm(w[-1]):.2f} long, between the two"
        f" sides of the proof, which meet at {bound:.4g} mistakes.",
        f"A stream ({nature}) with margin {least:.3g} and R = {R:.3g}: the Perceptron made"
        f" {run.mistakes} mistakes. The length of w, {np.linalg.norm(w[-1]):.2f} at the end, stays"
        f" between Mγ = {M[-1] * least:.2f} and √M·R = {np.sqrt(M[-1]) * R:.2f}. The two sides meet"
        f" at (R/γ)² = {bound:.4g} mistakes: there is no room for more.",
    )


@figure(lecture="07")
def cosine_climb(gamma=0.1, T=1000, seed=0):
    """The cosine of the angle between w and v, and its lower bound, mistake by mistake, on three
    streams.
    """
    fig, ax = canvas()
    bound = 1 / gamma**2
    ax.axhline(1, color=GREY, linewidth=1)
    told, above = [], []
    looks = (
        dict(color=BLUE, marker="x"),
        dict(color=BLACK, marker="o", linestyle=""),
        dict(color=VERMILLION, linestyle=BROKEN),
    )
    for nature, look in zip(NATURES, looks, strict=True):
        run, v = natures_run(nature, gamma, T, seed)
        w = run.weights[1:][run.mistake]
        made, cosines = np.arange(1, len(w) + 1), w @ v / np.linalg.norm(w, axis=1)
        ax.plot(made, cosines, markersize=4, markevery=max(1, len(w) // 30), label=nature, **look)
        told.append(f"{nature}: {len(w)} mistakes, last cosine {cosines[-1]:.3f}")
        above.append(np.max(cosines - np.sqrt(made) * gamma))
    m = np.linspace(0, bound, 200)
    ax.plot(m, np.sqrt(m) * gamma, label=r"the bound $\sqrt{M}\,\gamma/R$", **BOUND)
    ax.legend(loc="lower right")
    ax.frame("mistakes", "cos(w, v)", ylim=(0, 1.12))
    ax.see("no cosine exceeds 1", (bound, 1), (0, 5), ha="right")
    return fig.says(
        f"On the worst stream in R³ the cosine stays within {max(above[1], 1e-6):.6f} of its bound,"
        f" on random data it is up to {above[0]:.2f} above.",
        f"The cosine of the angle between w and v after each mistake, for margin {gamma:g}. It"
        f" never falls below the dashed √M·γ/R, which reaches 1 at {bound:.0f} mistakes."
        f" {'; '.join(told)}.",
    )


@figure(lecture="07")
def double_wedge(gamma=0.3):
    """The gap of size γ in the unit circle, and the double wedge of separators that are good
    enough.
    """
    if not 0 < gamma < 1:
        raise ValueError(f"gamma must be in (0, 1); got {gamma}")
    reach = np.sqrt(1 - gamma**2)
    fig, ax = canvas(width=5.6, height=4.9)
    scene(ax, 1.3, labels=False)
    circle = np.linspace(0, 2 * np.pi, 300)
    ax.plot(np.cos(circle), np.sin(circle), color=BLACK, linewidth=1.2)
    low, high = np.arcsin(gamma), np.pi - np.arcsin(gamma)
    for a, b, colour in ((low, high, BLUE), (low + np.pi, high + np.pi, VERMILLION)):
        arc = np.linspace(a, b, 100)
        ax.plot(np.cos(arc), np.sin(arc), color=colour, linewidth=6, solid_capstyle="butt")
    for side in (1, -1):
        x, y = [0, side * reach, side * reach], [0, gamma, -gamma]
        ax.plot([-reach, reach], [side * gamma] * 2, **BOUND)
        ax.fill(x, y, color=GREEN, alpha=0.2, linewidth=0)
        ax.plot([-reach, reach], [-side * gamma, side * gamma], color=GREEN, linewidth=1.5)
    boundary(ax, np.array([0, 1.0]), 1.0, shade=False)
    for name, x, y in (("A", -1, 1), ("B", 1, 1), ("C", 1, -1), ("D", -1, -1)):
        look = dict(ha="center", va="center", fontweight="bold")
        ax.note(name, (x * reach, y * gamma), (12 * x, 0), **look)
    arrow(ax, (0, 1), label="v", offset=(0, 10))
    arrow(ax, (0.12, gamma), (0.12, 0), "γ", GREY, offset=(9, -9))
    ax.see("each line in the green separates", (0, -0.55), paper=True)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    return fig.says(
        f"With the gap γ = {gamma:g} every w within {np.degrees(low):.1f}° of v is right about"
        " every example.",
        f"Unit vectors with a gap γ = {gamma:g}: positive examples lie on the blue arc, negative"
        " ones on the vermilion arc, none between the dashed chords AB and DC. Every line through"
        " the origin in the green double wedge between AC and BD separates them, that is every w"
        f" within {np.degrees(low):.1f}° of v. The Perceptron errs at most 1/γ² ="
        f" {1 / gamma**2:.1f} times.",
    )


def on_random_streams(gamma: float, T: int, runs: int, seed: int = 0) -> np.ndarray:
    """Return the mistakes of the Perceptron on `runs` random streams of T unit vectors in R¹⁰."""
    seeds = ([seed, T, round(1 / gamma), i] for i in range(runs))
    data = (streams.planted_margin(T, np.eye(10)[0], gamma, each) for each in seeds)
    return np.array([play(Perceptron(10), *stream, keep="last").mistakes for stream in data])


@figure(lecture="07")
def margin_law(runs=20, T=800, times=10):
    """Mistakes against the margin in logarithmic scales: the bound, the worst streams, and random
    streams of T vectors and of several times as many.
    """
    gammas = 0.5 ** np.arange(1, 6)
    space = [play(Perceptron(3), *adversaries.sharp_perceptron(g)).mistakes for g in gammas]
    plane = [play(Perceptron(2), *adversaries.see_saw(g)).mistakes for g in gammas]
    fig, ax = canvas(height=4.4)
    ax.plot(gammas, 1 / gammas**2, **BOUND, label="bound $1/\\gamma^2$")
    told, means = [], []
    for length, marker, style in ((times * T, "x", "-"), (T, "+", ":")):
        made = np.array([on_random_streams(g, length, runs) for g in gammas])
        mean, error = made.mean(axis=1), made.std(axis=1, ddof=1) / np.sqrt(runs)
        ax.errorbar(gammas, mean, error, fmt="none", ecolor=BLUE, capsize=3)
        look = dict(color=BLUE, linestyle=style)
        ax.curve(gammas, mean, look, f"{length:,} random\nvectors in R¹⁰", marker, 8)
        told.append(
            f"{length:,} vectors {mean[0]:.1f} ± {error[0]:.1f} and {mean[-1]:.1f} ±"
            f" {error[-1]:.1f}"
        )
        means.append(mean[-1])
    ax.invert_xaxis()
    ax.frame("margin γ (R = 1)", "mistakes", xscale="log", yscale="log")
    ax.set_xticks(gammas, [f"1/{1 / g:.0f}" for g in gammas])
    ax.minorticks_off()
    ax.ends(gap=0.09)
    ax.dots(gammas, space, "o", BLACK)
    ax.note("worst in R³", (gammas[2], space[2]), (-8, 6))
    ax.dots(gammas, plane, "s", VERMILLION)
    ax.note("worst in\nthe plane", (gammas[3], plane[3]), (9, -5), VERMILLION, va="center")
    if means[0] > means[1]:
        ax.corner("random looks kinder, until it is longer", 0.98, 0.04)
    return fig.says(
        f"At the smallest margin the worst case is {space[-1]} mistakes; random streams look much"
        f" kinder ({means[1]:.0f}) until they are longer ({means[0]:.0f}).",
        f"From γ = 1/2 to γ = 1/32 the bound grows from 4 to {1 / gammas[-1] ** 2:.0f}. The worst"
        f" stream in R³ makes {space[0]} and {space[-1]} mistakes, the worst in the plane"
        f" {plane[0]} and {plane[-1]}, both the most of all streams of vectors at most 1 long with"
        f" that margin. Random streams in R¹⁰, means of {runs} with their standard errors: with"
        f" {', with '.join(told)}.",
    )


@figure(lecture="07")
def what_breaks(T=150):
    """Mistakes over the trials when a hypothesis of the theorem fails, and when it is repaired."""
    one, (X, y) = np.ones((T, 1)), adversaries.shrinking(T)
    scaled = X / np.linalg.norm(X, axis=1, keepdims=True)
    gap = _repeat(adversaries.sharp_perceptron(0.1), T)
    cases = (
        ("labels contradict", (one, (-1) ** np.arange(T)), "one label", (one, np.ones(T, int))),
        ("no gap: $v\\cdot x_t = 1/(t+1)$", adversaries.no_gap(T), "gap 0.1", gap),
        ("each a third as long", (X, y), "all of length 1", (scaled, y)),
    )
    fig, axes = canvas(1, 3, width=9.6, height=3.4, sharey=True)
    told, counts = [], []
    for ax, (broken, bad, repaired, good) in zip(axes, cases, strict=True):
        runs = [play(Perceptron(stream[0].shape[1]), *stream) for stream in (bad, good)]
        for run, colour, style, text in (
            (runs[0], VERMILLION, "-", "broken"),
            (runs[1], BLUE, BROKEN, repaired),
        ):
            ax.plot(run.mistakes_before, color=colour, linestyle=style)
            below = 0.3 * T < run.mistakes < T
            side, up = ("top", -5) if below else ("bottom", 4)
            look = dict(va=side, ha="right", fontsize=10)
            ax.note(f"{text}: {run.mistakes}", (len(run), run.mistakes), (0, up), colour, **look)
        ax.set_title(broken, fontsize=11)
        ax.frame("trials")
        counts.append([run.mistakes for run in runs])
        told.append(f"{runs[0].mistakes} against {runs[1].mistakes}")
    axes[0].frame(ylabel="mistakes", ylim=(0, 1.12 * T))
    without, kept = np.transpose(counts)
    return fig.says(
        f"Take a hypothesis away, and {'all' if without.min() == T else f'{without.min()} of'} {T}"
        f" trials are mistakes; keep it, and at most {kept.max()} are.",
        f"Each hypothesis of the theorem is needed: mistakes in {T} trials without and with it."
        f" Contradicting labels on one point: {told[0]}. Unit vectors in R³ without a gap and with"
        f" gap 0.1, where the bound is 100: {told[1]}. Vectors of which each is a third as long"
        f" as the one before, and the same scaled to length 1: {told[2]}.",
    )


def _repeat(stream, T):
    """Return the stream repeated up to T trials."""
    return tuple(np.resize(a, (T, *a.shape[1:])) for a in stream)


@figure(lecture="07")
def odd_max_bit_walk(step=57, n=5):
    """The Perceptron on odd-max-bit, update by update: its weights on their way to the sizes that
    every separator of whole numbers has.
    """
    X, y = streams.odd_max_bit(n)
    run = play(Perceptron(n + 1), X, y, epochs=10**6, until_consistent=True)
    w = run.weights[[*np.flatnonzero(run.mistake), -1]]
    last = len(w) - 1
    k = int(check_range("step", step, lambda k: 0 <= k <= last, f"between 0 and {last}"))
    needed, place = [2, 2], np.arange(1, n + 1)
    while len(needed) < n:
        needed.append(needed[-1] + needed[-2])
    signed = np.array(needed[:n]) * (-1) ** (place + 1)
    wrong = int((y * (X @ w[k]) <= 0).sum())
    fig, (bars, ax) = canvas(1, 2, 8.5, 3.8)
    bars.bar(place, signed, 0.8, color="none", edgecolor=GREY, linestyle="--", linewidth=1.5)
    bars.bar(place, w[k, :n], 0.55, color=LOOK["Perceptron"]["color"])
    bars.axhline(0, color=BLACK, linewidth=1)
    high = 1.1 * np.abs(w[:, :n]).max()
    bars.frame("place of the bit", "weight", f"after {count(k, 'update')}", xticks=place)
    bars.set(ylim=(-high, high))
    bars.corner("dashed: the least that separates", 0.02, 0.99)
    size = np.abs(w[:, n - 1])
    ax.plot(size, **LOOK["Perceptron"] | {"alpha": 0.3})
    ax.plot(size[: k + 1], **LOOK["Perceptron"])
    ax.axhline(needed[n - 1], **BOUND)
    ax.axvline(k, color=BLACK, linewidth=1)
    ax.note(f"at least {needed[n - 1]}", (0, needed[n - 1]), (4, 5), GREY)
    ax.frame("updates", title="size of the last weight", whole="xy", ylim=(0, high))
    return fig.says(
        f"After {count(k, 'update')} the last weight is {w[k, n - 1]:.0f}; every separator of whole"
        f" numbers needs at least {needed[n - 1]}.",
        f"The Perceptron passes over the {2**n} rows of odd-max-bit on {n} bits in order and needs"
        f" {last} updates. On the left a bar for each bit, after {count(k, 'update')}:"
        f" {', '.join(f'{a:.0f}' for a in w[k, :n])}; the dashed frames are the least sizes of"
        f" whole numbers that separate, {', '.join(map(str, signed))}. On the right the size of the"
        f" last weight, which an update moves by at most 1: now {size[k]:.0f}, at least"
        f" {needed[n - 1]} are needed, {size[-1]:.0f} at the end. {count(wrong, 'row')} of"
        f" {2**n} not yet on the right side.",
    )


@figure(lecture="07")
def not_the_svm(distance=2.0):
    """Two positive points: where the Perceptron stops, and the separator with the largest
    margin.
    """
    near, far = 2 - distance / 2, 2 + distance / 2
    X, y = np.array([[near, far], [far, near]]), np.ones(2, int)
    v, best, _ = max_margin(X, y)
    run = play(Perceptron(2), X, y, epochs=20, until_consistent=True)
    w = run.weights[-1]
    cosine = float(w @ v / np.linalg.norm(w))
    fig, ax = canvas(width=5.6, height=4.7)
    scene(ax, 4)
    boundary(ax, w, 4, shade=False, **LOOK["Perceptron"])
    boundary(ax, v, 4, shade=False, color=GREEN, linestyle=(0, (5, 1)), linewidth=2)
    points(ax, X, y, size=12)
    arrow(ax, w, label="w", colour=BLUE, offset=(-10, 8))
    arrow(ax, 2 * v, label="v", colour=GREEN, offset=(9, 3))
    if run.mistakes and cosine < 1 - 1e-9:
        ax.corner("it stops at w,\nand never turns", 0.03, 0.03)
    return fig.says(
        f"The Perceptron stops after {run.mistakes} update{'s' * (run.mistakes > 1)} with margin"
        f" {margin(X, y, w):.3f}; the largest is {best:.3f}.",
        f"Two positive points. The Perceptron stops after {run.mistakes}"
        f" update{'s' * (run.mistakes > 1)} at w = ({w[0]:g}, {w[1]:g}), whose margin is"
        f" {margin(X, y, w):.3f}. The largest margin is {best:.3f}, along v. The cosine of the"
        f" angle between them is {cosine:.3f}, and no further pass will change it.",
    )


# What a line of the proof needs, the line that fails without it, and what it compares.
NEEDED = {
    "y w·x ≤ 0": ("mistake", 4, "‖w + y x‖²", "‖w‖² + ‖x‖²"),
    "‖x‖ ≤ R": ("radius", 5, "‖w + y x‖²", "‖w‖² + R²"),
    "y v·x ≥ γ": ("margin", 8, "(w + y x)·v", "w·v + γ"),
    "‖v‖ = 1": ("length", 10, "w·v", "‖w‖"),
}


@figure(lecture="07")
def without_hypothesis(dropped="y w·x ≤ 0"):
    """Novikoff's proof without one of its hypotheses: numbers that the solver found, for which a
    line is false.
    """
    if dropped not in NEEDED:
        raise ValueError(f"dropped must be one of {', '.join(NEEDED)}; got {dropped!r}")
    name, line, left, right = NEEDED[dropped]
    found = always.counterexample(f"without {name}")
    w, x, v = (np.array([found.get(f"{k}1", 0), found.get(f"{k}2", 0)]) for k in "wxv")
    fig, ax = canvas(width=6, height=5.6)
    scene(ax, 2.6, labels=False)
    arrow(ax, w, label="w", colour=BLACK, offset=(8, -9))
    if x.any():
        arrow(ax, w + x, label="w + y x", colour=BLUE, offset=(-30, 6))
        arrow(ax, w + x, w, colour=ORANGE)
        ax.note("y x", w + x / 2, (22, -2), ORANGE, ha="center", va="center")
    arrow(ax, v, label="v", colour=GREEN, offset=(8, 8))
    if name == "radius":
        ax.plot(*np.array([np.cos(TURN), np.sin(TURN)]), **BOUND)
        ax.note("R = 1", (-0.72, 0.72), (-16, 6), BOUND["color"])
    sign = ">" if found["left"] > found["right"] else "<"
    numbers = f"{found['left']:g} {sign} {found['right']:g}"
    ax.corner(f"line {line} fails: {left} {sign} {right}", 0.02, 0.98, paper=True)
    vectors = ", ".join(
        f"{k} = ({a[0]:g}, {a[1]:g})" for k, a in (("w", w), ("x", x), ("v", v)) if a.any()
    )
    return fig.says(
        f"Without it line {line} is false: {left} {sign} {right}, for {numbers}.",
        f"Numbers that the solver found when {dropped} was not among the hypotheses, with y = 1:"
        f" {vectors}. Line {line} compares {left}, which is {found['left']:g}, with {right}, which"
        f" is {found['right']:g}. The arrows start at the origin, that of y x at the tip of w.",
    )
