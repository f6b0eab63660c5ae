"""The figures of lecture 06."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from ... import adversaries, streams
from ...canvas import canvas, figure
from ...checks import check_count, count
from ...palette import (
    BLACK,
    BLUE,
    BOUND,
    GREEN,
    GREY,
    LOOK,
    ORANGE,
    PALE,
    PALE_BLUE,
    PALE_ORANGE,
    PALE_VERMILLION,
    PAPER,
    VERMILLION,
)
from ...protocol import play
from ..learners import Perceptron
from ..margins import margin, max_margin
from ..plane import arrow, boundary, points, ring, scene
from ..theorems import novikoff_at_most

GOOD = dict(color=GREEN, alpha=0.25, linewidth=0)  # the cone of the separators


def pair(a: Sequence[float]) -> str:
    """Return a vector of the plane as text."""
    return f"({a[0]:g}, {a[1]:g})"


def label_text(y: int) -> str:
    """Return a label as +1 or −1."""
    return "+1" if y > 0 else "−1"


@figure(lecture="06")
def threshold_device(x1=1.0, x2=-0.5, x3=2.0, theta=1.0):
    """The perceptron as a device: a weighted sum of the inputs, compared with a threshold."""
    x, w = np.array([x1, x2, x3]), np.array([0.5, 1.0, 0.75])
    total = float(w @ x)
    output = 1 if total > theta else -1
    fig, ax = canvas(height=3.0)
    ax.set(xlim=(0, 10.5), ylim=(-0.1, 4.1), aspect="equal")
    ax.axis("off")
    for i, (value, weight, height) in enumerate(zip(x, w, (3.45, 2.0, 0.55), strict=True), 1):
        arrow(ax, (4.1, 2 + 0.3 * (height - 2)), (1.6, height), colour=GREY)
        _node(ax, 1, height, 0.6, BLUE, f"$x_{i}$\n{value:g}")
        middle, box = 2 + 0.66 * (height - 2), PAPER | {"pad": 2}
        ax.word(2.85, middle, f"$w_{i}$ = {weight:g}", fontsize=10, zorder=6, bbox=box)
    _node(ax, 4.8, 2, 0.75, GREEN, f"$\\Sigma$\n{total:g}")
    arrow(ax, (6.5, 2), (5.55, 2), colour=GREY)
    square = dict(boxstyle="square,pad=0.6", facecolor=PALE_ORANGE, edgecolor=ORANGE)
    ax.word(7.4, 2, f"> $\\Theta$ = {theta:g} ?", fontsize=12, bbox=square)
    arrow(ax, (9.2, 2), (8.3, 2), colour=GREY)
    says = dict(fontsize=17, fontweight="bold", color=BLUE if output > 0 else VERMILLION)
    ax.word(9.75, 2, label_text(output), **says)
    side = "above" if output > 0 else "not above"
    return fig.says(
        f"The weighted sum {total:g} is {side} the threshold {theta:g}, so the device says"
        f" {label_text(output)}.",
        f"A threshold device with three inputs. The weighted sum is 0.5·({x1:g}) + 1·({x2:g}) +"
        f" 0.75·({x3:g}) = {total:g}. It is {side} the threshold {theta:g}, so the device says"
        f" {label_text(output)}.",
    )


def _node(ax, x, y, radius, colour, text):
    ax.node(x, y, radius, text, facecolor=(colour, 0.15), edgecolor=colour, linewidth=1.5)


@figure(lecture="06")
def linear_boundary(w0=-1.0, w1=2.0, w2=1.0):
    """A linear function in the plane: its boundary, its sides, and the probabilities of logistic
    regression.
    """
    w = np.array([w1, w2])
    length = float(np.linalg.norm(w))
    if length == 0:
        raise ValueError("w1 and w2 must not both be 0: then every point has the same score")
    fig, ax = canvas(width=5.6, height=4.6)
    grid = np.linspace(-2, 2, 101)
    g = w0 + w1 * grid[None, :] + w2 * grid[:, None]
    ax.contourf(grid, grid, g, levels=[-99, 0, 99], colors=[PALE_VERMILLION, PALE_BLUE])
    look = dict(colors=[VERMILLION, BLACK, BLUE], linestyles=["--", "-", "--"])
    probability = ax.contour(grid, grid, 1 / (1 + np.exp(-g)), levels=[0.1, 0.5, 0.9], **look)
    ax.clabel(probability, fmt="p = %.1f", fontsize=9)
    scene(ax, 2)
    foot = -w0 * w / length**2
    arrow(ax, foot + 0.7 * w / length, foot, "w", offset=(-2, 11))
    return fig.says(
        f"The boundary is at a right angle to w and {abs(w0) / length:.3g} from the origin;"
        " logistic regression has the same boundary.",
        f"The function g(x) = {w0:g} + {w1:g}·x₁ + {w2:g}·x₂. The line g = 0 is at a right angle to"
        f" w and at distance |w₀|/‖w‖ = {abs(w0) / length:.3g} from the origin; g is positive on"
        " the blue side. Logistic regression with these weights gives probability 0.5 on the same"
        f" line, and 0.9 and 0.1 on parallels at distance {np.log(9) / length:.3g}.",
    )


@figure(lecture="06")
def radius_and_margin(angle=14):
    """The radius of ten points, and the road that a separator keeps free, which can be turned."""
    X, y = streams.TEN_POINTS
    v = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    gamma, best = margin(X, y, v), max_margin(X, y).gamma
    R = float(np.linalg.norm(X, axis=1).max())
    fig, ax = canvas(width=5.6, height=4.9)
    scene(ax, 12)
    boundary(ax, v, 12, shade=False)
    if gamma > 0:
        along = np.array([-v[1], v[0]])
        corners = [30 * s * along + t * gamma * v for s, t in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
        ax.fill(*np.transpose(corners), color=GREEN, alpha=0.15, linewidth=0)
        arrow(ax, gamma * v + 7.4 * along, 7.4 * along, "γ", GREEN, offset=(6, -9))
        bound = R**2 / gamma**2
        caption = (
            f"At {angle}° the road reaches {gamma:.2f} to either side, and the Perceptron errs at"
            f" most {bound:.1f} times."
        )
        told = f"margin γ = {gamma:.2f}, so M ≤ (R/γ)² = {bound:.1f}"
    else:
        caption = f"At {angle}° v does not separate the points, and the theorem says nothing."
        told = f"margin {gamma:.2f}: v does not separate, the theorem says nothing"
    arrow(ax, 4.5 * v, label="v", offset=(8, 6))
    ax.set_title("no point stands on the road" if gamma > 0 else "v is wrong about a point")
    circle = np.linspace(0, 2 * np.pi, 200)
    ax.plot(R * np.cos(circle), R * np.sin(circle), **BOUND)
    ax.note("R", R * np.array([np.cos(-0.7), np.sin(-0.7)]), (8, -4), GREY)
    points(ax, X, y)
    ring(ax, X[np.argmin(y * (X @ v))])
    return fig.says(
        caption,
        f"Ten points in a circle of radius R = {R:.3g} and the separator v at {angle}°: {told}. The"
        f" ring marks the nearest point, or the one that v gets most wrong. The best direction has"
        f" margin {best:.2f} and the bound {R**2 / best**2:.1f}.",
    )


# The trace ----------------------------------------------------------------------------------------


def trace(order: int = 0) -> tuple:
    """Return (run, trials of the updates) of the Perceptron on the ten points, shuffled if order >
    0, until it is consistent.
    """
    X, y = streams.TEN_POINTS
    shuffled = np.random.default_rng(order).permutation(len(X)) if order else np.arange(len(X))
    run = play(Perceptron(2), X[shuffled], y[shuffled], epochs=60, until_consistent=True)
    return run, np.flatnonzero(run.mistake)


def wrong_points(w: np.ndarray) -> int:
    """Return how many of the ten points w gets wrong."""
    X, y = streams.TEN_POINTS
    return int(np.sum(y * (X @ w) <= 0))


def _draw_update(ax, run, updates, step, limit=17, labels=True):
    """Draw the points, and what update number `step` does to w; step 0 is the start."""
    X, y = streams.TEN_POINTS
    scene(ax, limit, labels)
    if step:
        t = updates[step - 1]
        before, after = run.weights[t : t + 2]
        boundary(ax, before, limit, shade=False, color=GREY, linestyle="--", linewidth=1.2)
        boundary(ax, after, limit)
        arrow(ax, before, colour=GREY, linestyle="--")
        arrow(ax, after, before, colour=ORANGE)
        arrow(ax, after, label="w", offset=_beyond(after))
        ring(ax, run.X[t])
    points(ax, X, y)


def cone(X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Return the angles between which every w is right about all points of the plane."""
    v, rows = max_margin(X, y).v, y[:, None] * X
    turned = rows @ np.column_stack([v, [-v[1], v[0]]])
    angles = np.arctan2(turned[:, 1], turned[:, 0])
    middle = np.arctan2(v[1], v[0])
    return middle + angles.max() - np.pi / 2, middle + angles.min() + np.pi / 2


def _draw_cone(ax, X, y, limit):
    """Draw the plane of w: a line for each example, and the cone of the w that are right about all
    of them; return the angles of its edges.
    """
    scene(ax, limit, labels=False)
    ax.frame("first weight", "second weight")
    for x in X:
        boundary(ax, x, limit, shade=False, color=PALE, linewidth=1)
    low, high = cone(X, y)
    edge = 3 * limit * np.exp(1j * np.linspace(low, high, 9))
    ax.fill(*zip((0, 0), *zip(edge.real, edge.imag, strict=True), strict=True), **GOOD)
    return low, high


def draw_walk(ax, run, updates, step, limit=17, half=True):
    """Draw the plane of w: a line for each of the ten points, the cone of all separators, and the
    walk of w up to update number `step`; return the walk.

    With `half` the example of that update shades the half where w is right about it.
    """
    X, y = streams.TEN_POINTS
    _draw_cone(ax, X, y, limit)
    walk = run.weights[np.append(0, updates[:step] + 1)]
    if step and half:
        t = updates[step - 1]
        boundary(ax, run.y[t] * run.X[t], limit)
    for before, after in zip(walk, walk[1:], strict=False):
        arrow(ax, after, before, colour=ORANGE)
    ax.dots(*walk.T, "o", BLACK, 5, zorder=5)
    return walk


@figure(lecture="06")
def two_planes(shown=3, angle=60):
    """A vector w of a given angle, in the plane of the first `shown` of the ten points and in the
    plane of the weights, where each of them is a line.
    """
    X, y = (each[: check_count("shown", shown)] for each in streams.TEN_POINTS)
    w = 12 * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    fig, (ax, weights) = canvas(1, 2, width=9.4, height=4.7)
    scene(ax, 17)
    boundary(ax, w, 17)
    points(ax, X, y)
    low, high = _draw_cone(weights, X, y, 17)
    wrong = y * (X @ w) < 1e-9
    for x in X[wrong]:
        boundary(weights, x, 17, shade=False, color=VERMILLION, linestyle="--")
    boundary(weights, y[-1] * X[-1], 17, color=ORANGE, linewidth=2)
    ring(ax, X[-1])
    for each in (ax, weights):
        arrow(each, w, label="w", offset=_beyond(w, 12))
    ax.set_title(f"the points: {len(y)} of 10")
    weights.set_title("the weights: in the green all are right")
    right = f"{(~wrong).sum()} of them" if wrong.any() else "all, so it is in the cone"
    return fig.says(
        f"After {count(len(y), 'point')} the cone is {np.degrees(high - low):.0f}° wide; w is right"
        f" about {right}.",
        f"On the left the first {count(len(y), 'point')} and the line of w, which points to"
        f" {angle}°. On the right each of these points is a line: it is at a right angle to the"
        " point, and on its good side are the w that are right about the point. The newest one,"
        f" {pair(X[-1])} with label {label_text(y[-1])}, is ringed on the left and orange on the"
        " right, with its good side shaded; w is"
        f" {'wrong' if wrong[-1] else 'right'} about it. The lines of the other points about which"
        " it is wrong are dashed vermilion. The green"
        f" cone, the good side of all lines, goes from {np.degrees(low):.0f}° to"
        f" {np.degrees(high):.0f}°.",
    )


@figure(lecture="06")
def weight_space():
    """The plane of w: ten half-planes, the cone that they share, and the walk of the Perceptron
    into it.
    """
    run, updates = trace()
    fig, ax = canvas(width=6, height=5.2)
    walk = draw_walk(ax, run, updates, len(updates), half=False)
    offsets = (-8, 9), (0, -12), (10, -7), (-9, 9), (12, -6), (11, 6)
    for k, (w, offset) in enumerate(zip(walk, offsets, strict=True)):
        ax.note(f"{k}", w, offset, ha="center", va="center", zorder=6)
    low, high = np.degrees(cone(*streams.TEN_POINTS))
    ax.see("right about all ten", (16.6, 10.5), colour=GREEN, ha="right", paper=True)
    return fig.says(
        f"Each example is a half-plane of good w; {len(updates)} updates lead from 0 into the cone"
        " where all of them meet.",
        "The plane of the weights. Each of the ten points is a grey line through the"
        " origin: on one side of it w is right about that point, on the other wrong. On the right"
        f" side of all ten lines lies the green cone, from {low:.0f}° to {high:.1f}°. The walk of"
        f" the Perceptron, numbered by updates: {', '.join(pair(w) for w in walk)}. Each orange"
        " step is y·x, at a right angle to the line of its example.",
    )


def _beyond(tip, reach=10):
    return tuple(reach * np.asarray(tip) / max(np.linalg.norm(tip), 1e-9))


@figure(lecture="06")
def perceptron_frames():
    """The Perceptron on ten points: the start and five updates."""
    run, updates = trace()
    fig, axes = canvas(2, 3, width=9, height=6.3)
    wrong = []
    for step, ax in enumerate(axes.flat):
        _draw_update(ax, run, updates, step, labels=False)
        trial = updates[step - 1] + 1 if step else 0
        w, name = run.weights[trial], f"trial {trial}" if step else "start"
        wrong.append(wrong_points(w))
        ax.set_title(f"{name}: w = {pair(w)}", fontsize=11)
        ax.tick_params(labelsize=8)
    k = next(k for k in range(1, len(wrong)) if wrong[k] > wrong[k - 1])
    return fig.says(
        f"Update {k} raises the number of points on the wrong side from {wrong[k - 1]} to"
        f" {wrong[k]}; the next one ends at none.",
        "Six frames of the Perceptron on ten points. The ring is the example that it gets wrong,"
        " the orange arrow is what it adds to w, the dashed line is the old boundary, the shaded"
        " side is the new positive one. Points on the wrong side in each frame:"
        f" {', '.join(map(str, wrong))}.",
    )


@figure(lecture="06")
def perceptron_trace(step=3, order=0):
    """One update of the Perceptron, seen twice: in the plane of the ten points, and in the plane of
    w.
    """
    run, updates = trace(order)
    step = min(step, len(updates))
    limit = max(17.0, 1.12 * np.abs(run.weights).max())
    fig, (ax, weights) = canvas(1, 2, width=9.4, height=4.7)
    _draw_update(ax, run, updates, step, limit)
    walk = draw_walk(weights, run, updates, step, limit)
    ax.set_title("the points: you err on the ringed one" if step else "the points")
    weights.set_title("the weights: on their way into the green")
    wrong = [wrong_points(w) for w in walk]
    total = f"In this order the Perceptron needs {len(updates)} update{'s' * (len(updates) > 1)}."
    if step == 0:
        return fig.says(
            f"The start: every score is 0, and all {wrong[0]} points count as wrong.",
            f"Before the first update w = (0, 0): every score is 0 and all {wrong[0]} points count"
            f" as wrong. {total}",
        )
    t = updates[step - 1]
    x, y = run.X[t], run.y[t]
    before, after = run.weights[t : t + 2]
    return fig.says(
        f"Update {step}: points on the wrong side {wrong[-2]} before, {wrong[-1]} after"
        f"{', and w is in the cone.' if step == len(updates) else '.'}",
        f"Update {step} of {len(updates)}, on trial {t + 1}: the ringed point {pair(x)} has label"
        f" {label_text(y)} and y(w·x) = {y * (before @ x):g}. Adding {pair(y * x)} gives w ="
        f" {pair(after)}, and y(w·x) = {y * (after @ x):g}. Points on the wrong side:"
        f" {wrong[-2]} before, {wrong[-1]} after. On the right w stands before the update on the"
        " unshaded side of the line that belongs to this point, or on it, and the orange step goes"
        f" away from the line at a right angle. {total}",
    )


@figure(lecture="06")
def two_updates(length=0.8):
    """What an update does to the boundary: a positive example that was missed, and a negative
    one.
    """
    fig, axes = canvas(1, 2, width=8.6, height=4.2)
    told = []
    for ax, x, y, w in zip(
        axes, ((-0.6, 0.8), (0.8, 0.6)), (1, -1), ((1.0, 0.3), (0.4, 1.0)), strict=True
    ):
        x, w = length * np.array(x), np.array(w)
        after = w + y * x
        scene(ax, 1.9)
        boundary(ax, w, 1.9, shade=False, color=GREY, linestyle="--")
        boundary(ax, after, 1.9)
        points(ax, [x], [y], size=12)
        arrow(ax, w, label="$w$", colour=GREY, offset=_beyond(w, 12))
        arrow(ax, after, w, colour=ORANGE)
        arrow(ax, after, label="$w'$", offset=_beyond(after, 12))
        ax.set_title(f"a {'positive' if y > 0 else 'negative'} example was missed")
        told.append((y * (w @ x), y * (after @ x)))
    (a, b), (c, d) = told
    fixed = [side for side, (_, after) in zip(("left", "right"), told, strict=True) if after > 0]
    return fig.says(
        f"Each update raises y(w·x) by ‖x‖² = {length**2:.2g}; that corrects"
        f" {' and '.join(f'the {side} example' for side in fixed) or 'neither example'}"
        f"{' but not the right one' if fixed == ['left'] else ''}.",
        "Dashed: the old boundary; solid: the new one; orange: what is added to w, +x on the left"
        f" and −x on the right. On the left y(w·x) rises from {a:.2g} to {b:.2g}, on the right from"
        f" {c:.2g} to {d:.2g}. It rises by ‖x‖² = {length**2:.2g}, which"
        f" {'corrects' if d > 0 else 'does not yet correct'} the example on the right.",
    )


# XOR and the order of the examples ----------------------------------------------------------------


@figure(lecture="06")
def xor_feature(passes=12):
    """XOR in the plane, the Perceptron's mistakes per pass with and without the feature x₁x₂, and
    XOR with that feature.
    """
    X, y = streams.XOR
    plain = np.column_stack([X, np.ones(4)])
    lifted = np.column_stack([plain, X[:, 0] * X[:, 1]])
    lost = play(Perceptron(3), plain, y, epochs=passes).mistakes_per_pass
    won = play(Perceptron(4), lifted, y, epochs=passes)
    fig, (left, middle, right) = canvas(1, 3, width=9.6, height=3.5, width_ratios=[1, 1.15, 1])
    for ax, Z, name in ((left, X, "$x_2$"), (right, lifted[:, [0, 3]], "$x_1x_2$")):
        scene(ax, 1.7)
        points(ax, Z, y, size=13)
        ax.frame(xticks=[-1, 0, 1], yticks=[-1, 0, 1], ylabel=name)
    left.set_title("no line separates XOR")
    boundary(right, np.array([0, -1.0]), 1.7)
    right.set_title("the feature does")
    t = np.arange(1, passes + 1)
    for text, made, colour, style in (
        ("$(x_1, x_2, 1)$", lost, VERMILLION, "--"),
        ("with $x_1x_2$", won.mistakes_per_pass, BLUE, "-"),
    ):
        middle.plot(t, made, marker="o", color=colour, linestyle=style)
        middle.note(text, (t[-1], made[-1]), (0, 9), colour, ha="right")
    middle.frame("pass", whole="x", title="mistakes per pass", ylim=(-0.3, 5), yticks=range(5))
    return fig.says(
        f"On XOR the Perceptron makes {lost.sum()} mistakes in {4 * passes} trials; with the"
        f" feature x₁x₂ it makes {won.mistakes}.",
        f"XOR: the label is +1 where the coordinates differ. In {passes} passes over the four"
        f" points the Perceptron on (x₁, x₂, 1) makes {lost.sum()} mistakes, {lost[-1]} in the last"
        f" pass. With x₁x₂ as a fourth feature it makes {won.mistakes} mistakes, then none: the"
        " label is −x₁x₂.",
    )


def _learned(X, y, order):
    """Return (updates until no example is wrong, share of wrong examples after one pass) in the
    given order.
    """
    run = play(Perceptron(X.shape[1]), X[order], y[order], epochs=400, until_consistent=True)
    return run.mistakes, float(np.mean(y * (X @ run.weights[len(y)]) <= 0))


@figure(lecture="06")
def order_of_examples(orders=40, T=100, gap=0.05, seed=8):
    """Updates until the Perceptron is consistent, and its error after one pass: sorted by label,
    and in random orders.
    """
    X, y = streams.off_centre(T, gap, rng=[seed, 0])
    rng = np.random.default_rng([seed, 1])
    in_blocks = _learned(X, y, np.argsort(-y, kind="stable"))
    shuffled = np.array([_learned(X, y, rng.permutation(T)) for _ in range(orders)])
    fig, axes = canvas(1, 2, width=9, height=3.3)
    titles = "updates until no example is wrong", "share of wrong examples after one pass"
    for ax, values, alone, title in zip(axes, shuffled.T, in_blocks, titles, strict=True):
        value = np.sort(values)
        height = 1 + np.arange(orders) - np.searchsorted(value, value)  # stack equal numbers
        ax.dots(value, height, "o", LOOK["Perceptron"]["color"], markeredgecolor="white")
        ax.axvline(alone, color=VERMILLION, linewidth=2.5)
        above = dict(transform=ax.get_xaxis_transform(), ha="center", color=VERMILLION)
        ax.text(alone, 1.02, "sorted by label", **above)
        end = 1.15 * max(alone, values.max())
        ax.frame(title, yticks=[], ylim=(0, height.max() + 1), xlim=(-0.02 * end, end))
    axes[0].set_ylabel(f"{orders} random orders")
    updates, wrong = shuffled.T
    more, bound = int((updates > in_blocks[0]).sum()), novikoff_at_most(X, y)
    return fig.says(
        f"Sorted by label, {in_blocks[1]:.0%} of the examples are wrong after one pass; in random"
        f" order {wrong.mean():.1%} on average.",
        f"{T} examples. Sorted by label the Perceptron needs {in_blocks[0]} updates; {orders}"
        f" random orders need {updates.min():.0f} to {updates.max():.0f}, {updates.mean():.1f} on"
        f" average; {more} of them need more than the sorted one. Novikoff's bound for every order"
        f" is {bound:.0f}. After one pass the sorted order leaves {in_blocks[1]:.0%} of the"
        f" examples wrong, a random one {wrong.mean():.1%} on average.",
    )


# The game -----------------------------------------------------------------------------------------


@cache
def best_play() -> float:
    """Return the most mistakes that can be scored in the game."""
    return adversaries.perceptron_worst_case(streams.FOUR_POINTS).mistakes


@figure(lecture="06")
def nature_game(moves=""):
    """Nature against the Perceptron: the examples shown so far, w, the best separator, and mistakes
    against the bound and the best possible play.
    """
    P, names = streams.FOUR_POINTS, "ABCD"
    unknown = set(moves.upper()) - set(names)
    if unknown:
        raise ValueError(
            f"moves are the letters ABCD for label +1 and abcd for label -1; got {sorted(unknown)}"
        )
    chosen = [names.index(move.upper()) for move in moves]
    X, y = P[chosen], np.array([1 if move.isupper() else -1 for move in moves], int)
    bounds, v = [], None
    for k in range(1, len(moves) + 1):
        try:
            v, gamma, _ = max_margin(X[:k], y[:k])
            bounds.append(novikoff_at_most(X[:k], y[:k]))
        except ValueError:
            v = None
            break
    over = len(bounds) < len(moves)
    run = play(Perceptron(2), X, y) if len(moves) else None
    w, made = (run.weights[-1], run.mistakes_before) if run else (np.zeros(2), np.zeros(1))
    fig, (ax, race) = canvas(1, 2, width=9.2, height=4.3, width_ratios=[1, 1.1])
    scene(ax, 9)
    boundary(ax, w, 9)
    if v is not None and not over:
        boundary(ax, v, 9, shade=False, color=GREEN, linestyle="--")
        across = 6.5 * np.array([v[1], -v[0]])
        ax.word(*across, "best separator", color=GREEN, fontsize=9, bbox=PAPER)
    ax.plot(*P.T, "o", markersize=13, markerfacecolor="white", markeredgecolor=GREY)
    points(ax, X, y, size=13)
    for name, p in zip(names, P, strict=True):
        ax.note(name, p, (0, 13), fontsize=11)
    shown = w / max(1, np.linalg.norm(w) / 8)
    arrow(ax, shown, label="w", offset=_beyond(shown, 9))
    ax.set_title(f"w = {pair(w)}")
    t = np.arange(len(made))
    race.step(t, made, where="post", marker="o", markersize=4, **LOOK["Perceptron"])
    race.plot(t[1 : len(bounds) + 1], bounds, **BOUND, marker=".")
    best, end = best_play(), max(8, len(moves)) + 0.4
    fig.score, fig.possible = int(made[len(bounds)]), best
    race.axhline(best, color=GREEN, linestyle=":", linewidth=1.5)
    race.note(f"best possible: {best}", (end, best), (-2, 4), GREEN, fontsize=10)
    race.set_yscale("symlog", linthresh=20)
    top = max([12, *bounds, made[-1]]) * 1.2
    ticks = [tick for tick in (0, 5, 10, 15, 20, 50, 100, 200, 500, 1000) if tick <= top]
    race.set_yticks(ticks, ticks)
    race.frame("your moves", whole="x", xlim=(-0.2, end), ylim=(-0.3, top))
    bound = "no bound left" if over else f"bound {bounds[-1]:.1f}" if bounds else "no bound yet"
    race.set_title(f"M = {made[-1]:.0f} (solid), {bound} (dashed)", fontsize=11)
    if over:
        return fig.says(
            "Game over: no line through the origin separates your examples any more. You had"
            f" {count(made[len(bounds)], 'mistake')}.",
            f"Game over on move {len(bounds) + 1}: no line through the origin separates your"
            " examples any more. The theorem is silent, the Perceptron may err for ever. Mistakes"
            f" before that move: {made[len(bounds)]:.0f}.",
        )
    if not moves:
        race.word(end / 2, 4, "each mistake is a step up;\nyou choose what is shown", color=GREY)
        return fig.says(
            "You are nature: show a point with a label, and see whether w is wrong about it.",
            "You are nature. Four points A, B, C, D wait; each button shows one of them with a"
            " label. The Perceptron starts at w = (0, 0), where every score is 0. The best possible"
            f" play makes {best} mistakes.",
        )
    last, R = "wrong" if run.mistake[-1] else "right", np.linalg.norm(X, axis=1).max()
    return fig.says(
        f"The Perceptron was {last}. Mistakes so far: {run.mistakes}; Novikoff allows at most"
        f" {bounds[-1]:.1f}.",
        f"Move {len(moves)}: {names[chosen[-1]]} with label {label_text(y[-1])}; the Perceptron was"
        f" {last}. Mistakes so far: {run.mistakes}. Your examples have margin γ = {gamma:.3g} and R"
        f" = {R:.3g}, so Novikoff allows at most (R/γ)² = {bounds[-1]:.1f} mistakes.",
    )
