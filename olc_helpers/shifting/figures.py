"""The figures of lecture 15. Square loss is played with Vovk's prediction and η = 2, unless a
figure says otherwise.
"""

from functools import cache
from itertools import pairwise, product
from operator import attrgetter

import numpy as np

from .. import adversaries, streams
from ..canvas import canvas, figure, so_far
from ..checks import check_count, check_range, count
from ..experts.learners import WeightedAverage
from ..losses import log_sum
from ..palette import (
    BEST,
    BLACK,
    BLUE,
    BOUND,
    BROKEN,
    DASH_DOTS,
    DOTTED,
    GREEN,
    GREY,
    LIGHT,
    LOOK,
    MID,
    ORANGE,
    PALE,
    PAPER,
    PURPLE,
    VERMILLION,
    hatched,
)
from ..protocol import play
from ..replications import play_many
from .learners import FixedShare, VariableShare
from .sequences import (
    all_sequences,
    best_shift_losses,
    best_shift_sequence,
    log_prior,
    sequence_loss,
    shifts,
)
from .theorems import segments_of, variable_share_at_most, variable_share_bound

NAMES = "static weights", "Fixed Share", "Variable Share"
FIXED, VARIABLE, SEQUENCE = (LOOK[name] for name in (*NAMES[1:], "best sequence"))
LOOKS = LOOK["Weighted Average"], FIXED, VARIABLE
BORDER, THIN = DOTTED | {"linewidth": 1}, BOUND | {"linewidth": 1.2}
# The colours of the experts that are best in some segment.
EXPERTS = (BLUE, ORANGE, GREEN, PURPLE, VERMILLION, BLACK)
ROUND = 11  # moves of the game
HATCHES = ("", "//", "..", "\\\\", "xx", "--")


def _vovk(learner, n, **options):
    return learner(n, prediction="vovk", **options)


def _runs(X, y, *alphas):
    """Return the runs of static weights, Fixed Share and Variable Share, of the last two if there
    are rates for them.
    """
    shares = zip((FixedShare, VariableShare), alphas, strict=False)
    n = X.shape[1]
    learners = _vovk(WeightedAverage, n), *(_vovk(share, n, alpha=a) for share, a in shares)
    return [play(learner, X, y) for learner in learners]


def _prices(sequence, n, alpha):
    """Return the bound in nats for what a sequence of experts costs before trial 1, 2, …, T+1."""
    made = so_far(np.diff(sequence) != 0)  # shifts
    return np.array([0, *(-log_prior(t, n, m, alpha) for t, m in enumerate(made, 1))])


def _followed(losses, sequence):
    """Return the losses of a sequence of experts, trial by trial."""
    return losses[np.arange(len(sequence)), sequence]


def _bar(ax, sequence, names=None):
    """Draw the segments of a sequence as coloured, hatched pieces of a bar, with the name of the
    expert in each.
    """
    ends = [0, *(np.flatnonzero(np.diff(sequence)) + 1), len(sequence)]
    order = list(dict.fromkeys(sequence.tolist()))
    for start, end in pairwise(ends):
        i = order.index(sequence[start]) % 6
        look = dict(color=EXPERTS[i], hatch=HATCHES[i], edgecolor="white", alpha=0.8)
        ax.barh(0.5, end - start, 1, left=start + 0.5, **look)
        if end - start >= len(sequence) / 16:
            text = names[sequence[start]] if names else f"expert {sequence[start] + 1}"
            ax.word((start + end + 1) / 2, 0.5, text, fontsize=10, box="white")
    ax.set(ylim=(0, 1), yticks=[])
    ax.grid(False)
    ax.spines["left"].set_visible(False)


def _log_axis(ax):
    """Make the axis of weights logarithmic, from 10^-12 to 1."""
    ax.set(yscale="log", ylim=(1e-12, 3))
    ax.set_yticks(10.0 ** -np.arange(0, 13, 3), ["1", "10⁻³", "10⁻⁶", "10⁻⁹", "10⁻¹²"])
    ax.set_yticks([], minor=True)


# The setting --------------------------------------------------------------------------------------


@figure(lecture="15")
def segments(T=60, n=6, k=3, seed=3):
    """Losses of the experts, and the best sequence with k shifts in the coloured bar above them."""
    X, y, planned = streams.shifting_experts(T, n, k, rng=seed)
    losses = (X - y[:, None]) ** 2
    found = best_shift_sequence(losses, k)
    edges = np.flatnonzero(np.diff(found)) + 1.5
    fig, (top, ax) = canvas(2, 1, height=4.2, sharex=True, height_ratios=(1, 4))
    _bar(top, found)
    top.set_title(f"the best sequence with at most {count(k, 'shift')}")
    area = (0.5, T + 0.5, n + 0.5, 0.5)
    image = ax.imshow(losses.T, aspect="auto", extent=area, cmap="Greys", vmin=0)
    fig.colorbar(image, ax=ax, label="loss")
    starts, rows = np.arange(T + 1) + 0.5, np.append(found, found[-1]) + 1
    ax.step(starts, rows, where="post", color=VERMILLION, linewidth=2.5)
    ax.frame("trial t", "expert", yticks=np.arange(1, n + 1), xlim=(0.5, T + 0.5))
    ax.grid(False)
    single = losses.sum(axis=0)
    right = (found == planned).sum()
    return fig.says(
        f"With {count(shifts(found), 'shift')} you could lose {sequence_loss(losses, found):.2f}"
        f" where the best single expert loses {single.min():.2f}.",
        f"Square losses of {n} experts on {T} trials (dark: large). The best single expert,"
        f" {single.argmin() + 1}, loses {single.min():.2f}. The best sequence with at most {k}"
        f" shifts loses {sequence_loss(losses, found):.2f}: it shifts after trials"
        f" {', '.join(str(int(e)) for e in edges) or 'none'}, and on {right} of {T} trials it"
        " follows the expert that was made good.",
    )


@figure(lecture="15")
def best_shifts(k=10, seed=0):
    """Loss of the best sequence against the number of shifts, and Fixed Share's bound tuned
    for it.
    """
    X, y, _ = streams.shifting_experts(rng=seed)
    least = best_shift_losses((X - y[:, None]) ** 2, check_count("k", k))
    T, n = X.shape
    number = np.arange(k + 1)
    price = np.array([-log_prior(T, n, j, j / (T - 1)) for j in number]) / 2
    fig, ax = canvas()
    ax.curve(number, least + price, BOUND, "bound for Fixed Share", "s", 5)
    ax.curve(number, least, SEQUENCE, "best sequence", "o", 5)
    ax.frame("number of shifts k", "loss", ylim=(0, None), xticks=number)
    ax.ends()
    j = int((least + price).argmin())
    if j < k:
        ax.see("more shifts cost more than they save", (j, (least + price)[j]), (6, -18))
    return fig.says(
        f"The bound is smallest at {j} shift{'s' * (j != 1)}: each further one costs more than it"
        " saves."
        if j < k and (np.diff(least + price)[j:] > 0).all()
        else f"The bound is smallest at {count(j, 'shift')}."
        if j < k
        else "Up to here each further shift saves more than it costs.",
        f"The best sequence loses {least[0]:.1f} without a shift"
        + "".join(f", {least[i]:.1f} with {i}" for i in number[1 : min(k, 4) + 1])
        + f". The bound of Fixed Share, tuned for k, is {least[0] + price[0]:.1f} at k = 0 and"
        f" smallest at k = {j}: {least[j] + price[j]:.1f}.",
    )


@figure(lecture="15")
def recovery(shift=150, T=400, n=8, alpha=0.01, seed=1):
    """Weights of the old and of the new best expert around a shift, static and with sharing."""
    X, y, sequence = streams.shifting_experts(T, n, 1, rng=seed, starts=[shift])
    old, new = int(sequence[0]), int(sequence[-1])
    runs = _runs(X, y, alpha)
    titles = "static weights", f"Fixed Share, α = {alpha:g}"
    fig, axes = canvas(1, 2, width=8.5, height=3.8, sharey=True)
    t, back, low = np.arange(1, T + 2), [], []
    for ax, run, title in zip(axes, runs, titles, strict=True):
        v = run.probabilities
        ax.plot(t, v[:, old], color=BLUE, label="good before the shift")
        ax.plot(t, v[:, new], color=VERMILLION, linestyle=BROKEN, label="good after the shift")
        ax.axvline(shift + 0.5, **BORDER)
        ax.frame("trial t", title=title)
        above = np.flatnonzero(v[shift:, new] > v[shift:, old])
        back.append(count(above[0], "trial") if len(above) else "more than the rest of the trials")
        low.append(v[shift, new])
    _log_axis(axes[0])
    axes[0].frame(ylabel="weight $v_{t,i}$")
    axes[1].legend(loc="lower center")
    if low[0] < 1e-4:
        axes[0].see("climbs back from here", (shift, low[0]), (8, -12), fontsize=10)
    return fig.says(
        f"After {shift} trials underground the new best expert needs {back[0]} to come up with"
        f" static weights, {back[1]} with sharing.",
        f"The best of {n} experts changes after trial {shift}. At that moment the static weight of"
        f" the new one is {low[0]:.0e}, with Fixed Share (α = {alpha:g}) it is {low[1]:.0e}. To"
        f" overtake the old one takes {back[0]} with static weights, {back[1]} with sharing."
        f" Losses: {runs[0].total_loss:.1f} and {runs[1].total_loss:.1f}.",
    )


# The algorithm ------------------------------------------------------------------------------------


@figure(lecture="15")
def share_pool(alpha=0.3, eta=1.0, variable=False):
    """One trial of a share algorithm: loss update, pool, what each expert gets back."""
    w, losses = np.array([0.55, 0.25, 0.12, 0.06, 0.02]), np.array([0.8, 0.5, 0.9, 0.3, 0.0])
    learner = (VariableShare if variable else FixedShare)(5, eta=eta, alpha=alpha)
    m = w * np.exp(-eta * losses)
    given = m * -np.expm1(learner.power(losses) * np.log1p(-min(alpha, 1 - 1e-12)))
    kept, received = m - given, (given.sum() - given) / 4
    after = kept + received
    fig, axes = canvas(1, 3, width=9, height=3.6, sharey=True)
    i = np.arange(1, 6)
    axes[0].bar(i, w, color="white", edgecolor=GREY, linestyle="--")
    axes[0].bar(i, m, color=BLUE)
    for k in range(5):
        axes[0].note(f"loss\n{losses[k]:g}", (i[k], max(w[k], m[k])), (0, 3), fontsize=9)
    for ax in axes[1:]:
        ax.bar(i, kept, color=BLUE, label="kept")
    axes[1].bar(i, given, bottom=kept, **hatched(VERMILLION), label="given to the pool")
    axes[2].bar(i, received, bottom=kept, color=VERMILLION, label="received from the others")
    pool = f"2. the pool: {given.sum():.3f}"
    titles = "1. losses shrink the weights", pool, "3. each gets a share"
    for ax, title in zip(axes, titles, strict=True):
        ax.frame("expert", title=title, xticks=i, ylim=(0, 0.68))
    axes[0].frame(ylabel="weight")
    for ax in axes[1:]:
        ax.legend(loc="upper right")
    return fig.says(
        f"Expert 5 had no loss and {'gives nothing' if variable else 'almost no weight'}; the pool"
        f" lifts it from {m[4]:.3f} to {after[4]:.3f}.",
        f"{'Variable' if variable else 'Fixed'} Share with α = {alpha:g}, η = {eta:g}. The losses"
        f" shrink the total weight from {w.sum():.3f} to {m.sum():.3f}; {given.sum():.3f} go"
        f" through the pool, and the total stays {after.sum():.3f}. Expert 5, with loss 0, had"
        f" {w[4]:.3f}, gives {given[4]:.3f} and receives {received[4]:.3f}.",
    )


def _strands(paths):
    """Return the heights of paths, one a row: those through a dot lie side by side, by where they
    end, until they meet in their last dot.
    """
    T = paths.shape[1]
    heights = paths + 1.0
    order = np.lexsort((*paths.T[:-1], paths[:, -1]))
    for column, dots in zip(heights.T[: T - 1], paths.T, strict=False):
        for i in np.unique(dots):
            here = order[dots[order] == i]
            column[here] += (np.arange(len(here)) + 0.5) / len(here) / 2 - 0.25
    return heights


def _share_step(ax, t, top, alpha):
    """Draw where the weights of three experts go after trial t, and write it beside the arrows that
    leave one of them.
    """
    for i, j in product(range(3), repeat=2):
        part, name = (1 - alpha, "1 − α") if i == j else (alpha / 2, "α/2")
        look = dict(arrowstyle="-|>", shrinkA=19, shrinkB=7, linewidth=0.8 + 3 * part, zorder=2)
        look |= dict(color=BLACK if i == top else MID, alpha=float(part > 0))
        ax.annotate("", (t + 1, j + 1), (t, i + 1), arrowprops=look)
        if i == top:
            at, up = (t + 0.56, 1 + i + 0.56 * (j - i)), -0.14 * (i == j)
            ax.word(at[0], at[1] + up, f"{name} = {part:.3g}", "white", fontsize=9, zorder=5)


@figure(lecture="15")
def paths_meet(trial=4, alpha=0.1, seed=6):
    """Sequences of three experts as paths through dots: those that meet in one share a weight."""
    from matplotlib.collections import LineCollection

    T, n = 6, 3
    t = int(check_range("trial", trial, lambda t: 1 <= t <= T, f"between 1 and {T}"))
    X, y, _ = streams.shifting_experts(T, n, 1, rng=seed, typical=1 / 3)
    run = play(_vovk(FixedShare, n, alpha=alpha), X, y)
    v, losses = run.probabilities[t - 1], run.expert_losses
    paths = all_sequences(t, n)
    moves = np.count_nonzero(np.diff(paths, axis=1), axis=1)
    lost = losses[np.arange(t - 1), paths[:, :-1]].sum(axis=1)
    weights = np.exp(log_prior(t, n, moves, alpha) - 2 * lost)
    met = np.bincount(paths[:, -1], weights)
    assert np.allclose(met / met.sum(), v), "what meets in a dot is its weight in Fixed Share"
    fig, ax = canvas(width=8.5, height=4.2)
    faint = np.clip(7 / n ** (t - 1), 0.08, 0.6)
    strength = np.where(weights > 0, np.maximum(np.sqrt(weights / weights.max()), faint), 0)
    colours = np.array(EXPERTS)[paths[:, -1]]
    strands = np.stack(np.broadcast_arrays(np.arange(1, t + 1), _strands(paths)), axis=2)
    ax.add_collection(LineCollection(strands, colors=colours, alpha=strength, linewidths=0.8))
    rows, top = np.arange(1, n + 1), int(v.argmax())
    for s in range(t, T):
        for i in rows:
            ax.plot([s, s + 1], [[i, i, i], rows], color=PALE, linewidth=1, zorder=0)
    for s in range(t + 1, T + 1):
        ax.dots([s] * n, rows, "o", "white", 11, markeredgecolor=MID)
    if t < T:
        _share_step(ax, t, top, alpha)
    for i in range(n):
        ring = dict(markeredgecolor=EXPERTS[i], markeredgewidth=2.5, zorder=4)
        ax.dots(t, i + 1, "o", "white", 29, **ring)
        ax.word(t, i + 1, f"{v[i]:.2f}", zorder=5, fontsize=10)
        ax.note(f"loss {losses[t - 1, i]:.2f}", (t, i + 1), (0, -31), GREY, fontsize=9, bbox=PAPER)
    ax.bare(xlim=(0.7, T + 0.3), ylim=(n + 0.45, 0.55), xticks=range(1, T + 1), yticks=rows)
    many, each = count(n**t, "path"), count(n ** (t - 1), "path")
    title = f"{many}, {each} to a dot, {n} weights" if alpha else f"{n} of {many} with a weight"
    ax.frame("trial", "expert", f"before trial {t}: {title}")
    told = ", ".join(f"{x:.3f}" for x in v)
    step = (
        f" After the losses of trial {t} each weight goes on along three arrows: the part"
        f" {1 - alpha:.3g} stays, {alpha / 2:.3g} goes to each other expert."
    )
    return fig.says(
        f"So far {many}, {n ** (t - 1)} to each dot, and {n} weights: from a dot on, the past is"
        " forgotten."
        if alpha
        else f"Of {many} only the {n} straight ones have a weight: with α = 0 nobody moves.",
        f"Three experts in rows, {T} trials in columns. The {many} up to trial {t} are thin lines,"
        f" the stronger the heavier, with the colour of the expert in which they end; {each} to"
        f" each, and there they meet in one weight: {told} of the whole with α = {alpha:g}, the"
        f" same as in Fixed Share.{step if t < T else ''}",
    )


# The bound ----------------------------------------------------------------------------------------


@figure(lecture="15")
def share_tightness(T=30, n=5, k=3, alpha=3 / 29):
    """Regret of Fixed Share with the entropic loss on the stream that attains its bound, and on a
    random stream.
    """

    def run(X, y):
        return play(FixedShare(n, alpha=alpha, loss="entropic"), X, y)

    X, y, sequence = adversaries.sharp_share(T, n, k)
    regret, bound = so_far(run(X, y).losses), _prices(sequence, n, alpha)
    rng, usual = np.random.default_rng(0), np.empty((100, T + 1))
    p = np.where(np.arange(n) == sequence[:, None], 0.9, 0.5)
    for row in usual:
        Z = np.clip(p + 0.05 * rng.standard_normal((T, n)), 0.05, 0.95)
        drawn = run(Z, (rng.random(T) < 0.9).astype(int))
        row[:] = so_far(drawn.losses - _followed(drawn.expert_losses, sequence))
    error = usual[:, -1].std(ddof=1) / np.sqrt(len(usual))
    usual = usual.mean(axis=0)
    t = np.arange(T + 1)
    fig, ax = canvas(width=8)
    ax.curve(t, regret, FIXED, "sharp stream", "o", 4)
    ax.plot(t, bound, **BOUND, label="bound", zorder=3)
    first = np.flatnonzero(np.diff(sequence))[1]
    ax.see("each jump is a shift", (first + 1, bound[first]), (-8, 22))
    ax.plot(t, usual, **FIXED | {"linestyle": ":"}, label="100 random streams, mean")
    ax.frame("trials t", "regret to the sequence, in nats", ylim=(min(0, usual.min()), None))
    ax.ends()
    return fig.says(
        "On the sharp stream the regret is the bound, trial by trial; on random streams with the"
        f" same shifts it is {usual[-1] / bound[-1]:.0%} of it.",
        f"Fixed Share with {n} experts, entropic loss, α = {alpha:.4f}: on the sharp stream with"
        f" {count(k, 'shift')} in {T} trials the regret is {regret[-1]:.5f}, the bound"
        f" {bound[-1]:.5f}; they never differ by more than"
        f" {max(abs(regret - bound).max(), 1e-12):.0e}. A shift costs"
        f" {-np.log(alpha / (n - 1)):.2f}, a trial without one {-np.log1p(-alpha):.3f}. On random"
        f" streams with the same shifts the mean regret is {usual[-1]:.2f}, with a standard error"
        f" of {error:.2f}.",
    )


@figure(lecture="15")
def variable_share_proof(alpha=0.4, seed=4):
    """The proof of Variable Share's bound: the weight of the expert that is followed never falls
    below a floor, which sinks with its losses and once at each shift.
    """
    T, n, k = 150, 6, 2
    X, y, sequence = streams.shifting_experts(T, n, k, rng=seed)
    run = play(_vovk(VariableShare, n, alpha=alpha), X, y)
    proof = variable_share_bound(run, sequence)
    lnw, losses = run.log_weights, run.expert_losses
    rate, A = 2 - np.log1p(-alpha), 2 + np.log((n - 1) / alpha)
    followed = np.concatenate([lnw[[0], sequence[:1]], lnw[np.arange(T) + 1, sequence]])
    height, lasted = -np.log(n), []
    fig, ax = canvas(width=8.5, height=4.2)
    t = np.arange(1, T + 2)
    ax.plot(t, log_sum(lnw), color=BLACK, linewidth=1.2, label="$\\ln W_t$, all weights")
    for r, end in segments_of(sequence):
        i = sequence[r]
        if r:
            q = r + int(np.argmax(np.cumsum(losses[r:end, sequence[r - 1]]) >= 1))
            height -= A + rate * losses[r : q + 1, i].sum()
            ax.axvspan(r + 1, q + 2, color=LIGHT, zorder=0)
            if not lasted:
                marked = r + 1, q + 1
            lasted.append(count(q + 1 - r, "trial"))
            r = q + 1
        steps = height - rate * so_far(losses[r:end, i])
        ax.plot(np.arange(r, end + 1) + 1, steps, **BOUND)
        height = steps[-1]
    ax.lines[-1].set_label("floor")
    ax.plot(t, followed, **VARIABLE, label="the expert followed")
    assert np.isclose(height, proof.lines[5].rhs[0]), "the floor is line 6 of the proof"
    first, full = marked
    for x, letter, side in ((first, "r", -4), (full + 1, r"\tau", 4)):
        ax.note(f"${letter}$", (x, 0.3), (side, 0), va="center", fontsize=13)
    for x, name, up in ((first - 30, "expert i", -24), (full + 18, "expert j", -20)):
        ax.note(name, (x, followed[x - 1]), (0, up), VARIABLE["color"], fontsize=10)
    ax.frame("trial t", "logarithm of a weight", xlim=(1, T + 1))
    ax.ends()
    ax.corner("shaded: it gives\nits weight away", 0.02, 0.04)
    return fig.says(
        "The floor sinks with the losses of the expert that is followed, and at each shift once"
        " more, however long the segments are.",
        f"Variable Share, α = {alpha:g}, Vovk's prediction, {n} experts, {T} trials,"
        f" {count(k, 'shift')}. The logarithm of the total weight falls to {log_sum(lnw[-1]):.2f}."
        " Below it that of the expert that is followed, and dashed the floor of the proof: it"
        f" starts at {-np.log(n):.2f}, sinks by {rate:.2f} for each unit of loss, and by {A:.2f}"
        " more at each shift, in the shaded time in which the expert before loses 1 and gives"
        f" weight away ({', '.join(lasted)}). At the first shift, from expert i to expert j, it"
        f" begins with trial r = {first} and ends with τ = {full}. The floor ends at {height:.2f}.",
    )


# The simulation -----------------------------------------------------------------------------------


@cache
def _simulated(learner, seeds, **options):
    """Return the losses before each trial of an algorithm in the simulation, a row for each
    seed.
    """
    data = [streams.shifting_experts(rng=seed)[:2] for seed in seeds]
    losses = play_many(lambda i: _vovk(learner, 64, **options), data, read=attrgetter("losses"))
    return np.array([so_far(each) for each in losses])


@cache
def _simulated_best(seed):
    """Return the losses before each trial of a typical expert, the best expert, and the best
    sequence with 3 shifts.
    """
    X, y, _ = streams.shifting_experts(rng=seed)
    losses = (X - y[:, None]) ** 2
    return (
        so_far(losses.mean(axis=1)),
        so_far(losses[:, losses.sum(axis=0).argmin()]),
        so_far(_followed(losses, best_shift_sequence(losses, 3))),
    )


@figure(lecture="15")
def share_losses(alpha=3 / 799, variable_alpha=0.31, seeds=20):
    """Cumulative losses in the simulation: a typical expert, the best one, static weights, both
    shares, the best sequence.
    """
    T, n = 800, 64
    if check_count("seeds", seeds) < 2:
        raise ValueError("seeds must be at least 2: one stream has no standard error")
    runs = range(seeds)
    typical, single, sequence = np.array([_simulated_best(s) for s in runs]).swapaxes(0, 1)
    curves = {
        "typical expert": typical,
        "best expert": single,
        "static weights": _simulated(WeightedAverage, runs),
        "Fixed Share": _simulated(FixedShare, runs, alpha=alpha),
        "Variable Share": _simulated(VariableShare, runs, alpha=variable_alpha),
        "best sequence": sequence,
    }
    final = {name: each[:, -1] for name, each in curves.items()}
    bound = final["best sequence"].mean() - log_prior(T, n, 3, alpha) / 2
    looks = LOOK["expert"], BEST, *LOOKS, SEQUENCE
    t = np.arange(T + 1)
    fig, ax = canvas(width=8.5, height=4.4)
    for (name, each), look in zip(curves.items(), looks, strict=True):
        label = f"{name} {final[name].mean():.1f}"
        if name in ("typical expert", "best expert"):
            ax.plot(t, each.mean(axis=0), **look, label=label)
        else:
            ax.band(t, each, look, label=label)
    ax.plot([0.9 * T, T], [bound, bound], **BOUND, label=f"bound for Fixed Share {bound:.1f}")
    for start in (200, 400, 600):
        ax.axvline(start + 0.5, **BORDER)
    ax.frame("trials t", "loss so far", ylim=(0, 70))
    ax.ends(gap=0.07)
    ax.corner("dotted: another expert becomes the best", 0.02, 0.97, paper=True)
    spread = {
        name: f"{end.mean():.2f} ± {end.std(ddof=1) / np.sqrt(seeds):.2f}"
        f" ({end.min():.2f} to {end.max():.2f})"
        for name, end in final.items()
    }
    return fig.says(
        f"Static weights lose {final['static weights'].mean():.1f}, Fixed Share"
        f" {final['Fixed Share'].mean():.1f}, Variable Share {final['Variable Share'].mean():.1f}:"
        " after a shift the shares find the new expert.",
        f"Mean ± standard error (range) over {seeds} streams after {T} trials with 3 shifts among"
        f" {n} experts; the bands are the ranges: best"
        f" sequence {spread['best sequence']}, Variable Share (α = {variable_alpha:g})"
        f" {spread['Variable Share']}, Fixed Share (α = {alpha:.4f}) {spread['Fixed Share']}, best"
        f" expert {spread['best expert']}, static weights {spread['static weights']}, typical"
        f" expert {spread['typical expert']}.",
    )


@figure(lecture="15")
def share_weights(alpha=3 / 799, variable_alpha=0.31, seed=0):
    """Weights over time in the simulation: static, Fixed Share, Variable Share."""
    X, y, sequence = streams.shifting_experts(rng=seed)
    good = list(dict.fromkeys(sequence.tolist()))
    t = np.arange(1, len(X) + 2)
    rates = "", f", α = {alpha:.4f}", f", α = {variable_alpha:g}"
    looks = list(zip(good, EXPERTS, ("-", BROKEN, DASH_DOTS, ":"), strict=False))
    weights = [run.probabilities for run in _runs(X, y, alpha, variable_alpha)]
    fig, axes = canvas(3, 1, width=8, height=6.6, sharex=True, sharey=True)
    for ax, v, name, rate in zip(axes, weights, NAMES, rates, strict=True):
        others = np.delete(v, good, axis=1)
        low, high = others.min(axis=1), others.max(axis=1)
        ax.fill_between(t, low, high, color=PALE, linewidth=0, label="all others")
        for i, colour, style in looks:
            look = dict(color=colour, linestyle=style, linewidth=1.6)
            ax.plot(t, v[:, i], **look, label=f"expert {i + 1}")
        ax.frame(title=name + rate, ylabel="weight")
    _log_axis(axes[0])
    axes[-1].frame("trial t", xlim=(1, len(X) + 1))
    axes[1].corner("with sharing nobody sinks far", 0.5, 0.1)
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside right center")
    peaks = [[v[1:][sequence == i, i].max() for i in good] for v in weights]
    lowest, level = np.array([v[[600, -1], good[-1]] for v in weights]).T
    tops = ", ".join(f"{p:.2g}" for p in peaks[0])
    return fig.says(
        f"On this stream the last expert gets no more than {peaks[0][-1]:.1%} of the static weight"
        f" in its own segment; with sharing it gets {min(peaks[1][-1], peaks[2][-1]):.0%}.",
        f"The largest static weight of each of the {len(good)} experts inside its own segment:"
        f" {tops}. Before its segment begins at trial 601, expert {good[-1] + 1} has the weight"
        f" {lowest[0]:.0e} (static), {lowest[1]:.0e} (Fixed Share) or {lowest[2]:.0e} (Variable"
        f" Share); at the end {level[0]:.0e}, {level[1]:.2f} or {level[2]:.2f}. The grey band holds"
        " the experts that are never the best.",
    )


@figure(lecture="15")
def share_alpha(seed=0):
    """Losses of both share algorithms in the simulation against α, with Fixed Share's bound."""

    def lost(learner, *alphas):
        return {a: _simulated(learner, (seed,), alpha=a)[0, -1] for a in alphas}

    fixed = lost(FixedShare, 0.0003, 0.001, 3 / 799, 0.01, 0.024, 0.05, 0.1, 0.3)
    variable = lost(VariableShare, 0.001, 3 / 799, 0.024, 0.1, 0.237, 0.5, 0.9)
    late = [variable[x] for x in (0.237, 0.5, 0.9)]
    best = _simulated_best(seed)[2][-1]
    a = np.geomspace(0.0003, 0.98, 200)
    bound = best - np.array([log_prior(800, 64, 3, x) for x in a]) / 2
    variable_bound = best + variable_share_at_most(best, 3, 64, a, 2)
    fig, ax = canvas(width=8, height=4.2)
    for x, text in ((3 / 799, "3/799"), (3 / (3 + best), "3/(3+L*)")):
        ax.axvline(x, color=PALE, linewidth=1)
        ax.text(x, 1.01, text, transform=ax.get_xaxis_transform(), ha="center", fontsize=10)
    ax.plot(a, bound, **BOUND)
    ax.plot(a, variable_bound, **DOTTED)
    ax.curve(list(fixed), list(fixed.values()), FIXED, "", "o", 5)
    ax.curve(list(variable), list(variable.values()), VARIABLE, "", "s", 5)
    for text, at, offset, colour in (
        ("bound, Fixed Share", (0.05, bound[np.searchsorted(a, 0.05)]), (-8, 4), GREY),
        ("bound, Variable Share", (a[0], variable_bound[0]), (0.1, 6), GREY),
        ("Fixed Share", (0.1, fixed[0.1]), (8, -6), FIXED["color"]),
        ("Variable Share", (0.1, variable[0.1]), (0, -16), VARIABLE["color"]),
    ):
        ax.note(text, at, offset, colour, fontsize=10)
    if max(late) < fixed[0.1]:
        ax.corner("Variable Share forgives a large α", 0.98, 0.04, paper=True)
    ax.frame("α", "loss after 800 trials", xlog=10, ylim=(0, 60), xlim=(0.00025, 1))
    return fig.says(
        f"At α = 0.1 Fixed Share loses {fixed[0.1]:.1f}, Variable Share {variable[0.1]:.1f}: its"
        " experts give much away only where they lose much.",
        f"Fixed Share (solid) loses {fixed[3 / 799]:.1f} at α = 3/799, {fixed[0.024]:.1f} at 0.024"
        f" and {fixed[0.1]:.1f} at 0.1; Variable Share (broken) {variable[3 / 799]:.1f},"
        f" {variable[0.024]:.1f} and {variable[0.1]:.1f}, and between {min(late):.1f} and"
        f" {max(late):.1f} at 0.237, 0.5 and 0.9. The bounds (dashed for Fixed"
        f" Share, dotted for Variable Share) are smallest at {a[bound.argmin()]:.4f} and"
        f" {a[variable_bound.argmin()]:.2f}. The best sequence with 3 shifts loses {best:.1f}.",
    )


# Data ---------------------------------------------------------------------------------------------


@figure(lecture="15")
def packet_gaps(alpha=0.03, variable_alpha=0.4, seed=0):
    """Forecasts of the time to the next packet, static and with sharing."""
    X, y = streams.packet_gaps(rng=seed)
    T, n = X.shape
    runs = dict(zip(("static", *NAMES[1:]), _runs(X, y, alpha, variable_alpha), strict=True))
    fig, ax = canvas(width=8.5)
    t = np.arange(1, T + 1)
    ax.dots(t, y, ".", MID, 4)
    for (name, run), look in zip(runs.items(), LOOKS, strict=True):
        ax.plot(t, run.predictions, **look, label=f"{name}\nloss {run.total_loss:.1f}")
    times = ["0.1 ms", "1 ms", "10 ms", "0.1 s", "1 s", "10 s"]
    ax.set(yticks=np.arange(6) / 5, yticklabels=times)
    ax.frame("packet", "time to the next packet", ylim=(0, 1.02))
    ax.ends(gap=0.14)
    ax.see("static weights\nsettle", (T / 2, runs["static"].predictions[T // 2]), (0, 13))
    least = best_shift_losses(runs["static"].expert_losses, 4)
    paid = ", ".join(f"{name} {run.total_loss:.1f}" for name, run in runs.items())
    more = runs["static"].total_loss / runs["Fixed Share"].total_loss
    return fig.says(
        "Sharing follows the link from busy to quiet and back; static weights settle early and"
        f" lose {more:.1f} times as much as Fixed Share.",
        f"Time to the next packet (dots) on a link that is busy and quiet in turn, {T} packets, and"
        f" three forecasts from {n} constants. Losses: {paid}; best constant {least[0]:.1f}, best"
        f" sequence with 4 shifts {least[4]:.1f}.",
    )


# Play ---------------------------------------------------------------------------------------------


def _race(X, y, sequence, alpha, variable_alpha, names):
    """Return a figure of the segments, of Fixed Share's weights, and of three regrets to the
    sequence under the bound.
    """
    T, n = X.shape
    best = _followed((X - y[:, None]) ** 2, sequence)
    paid = [run.losses - best for run in _runs(X, y, alpha, variable_alpha)]
    regrets = {name: float(each.sum()) for name, each in zip(NAMES, paid, strict=True)}
    with np.errstate(divide="ignore"):
        bound = _prices(sequence, n, alpha) / 2
    fig, (top, ax) = canvas(2, 1, width=8.5, height=4.6, sharex=True, height_ratios=(1, 5))
    _bar(top, sequence, names=names)
    top.set_title("the best expert")
    ax.plot(bound, **BOUND, label="bound, Fixed Share")
    for name, each, look in zip(NAMES, paid, LOOKS, strict=True):
        ax.plot(so_far(each), **look, label=name)
    worst = max(regrets.values())
    low, high = min(0, *regrets.values()), max(1, worst, min(bound[-1], 2 * worst))
    ax.frame("trials t", "regret to the sequence", xlim=(0.5, T + 0.5))
    ax.set_ylim(low - 0.02 * high, 1.05 * high)
    ax.ends(gap=0.085)
    return fig, regrets, bound[-1]


def _game_advice(blocks):
    """Return the advice of four experts in blocks of ten trials, before one of them is the best."""
    return 0.9 * np.random.default_rng(0).random((blocks, 10, 4))


@cache
def best_lead(alpha: float, width: int = 60) -> float:
    """Return the best score that is known for a round of the game: in each block the `width` best
    plays with each number of shifts are continued in all ways: those that are ahead in the middle
    of a round often have more shifts than those that win it.
    """
    lead, w = np.zeros(1), np.full((2, 1, 4), 1 / 4)  # of static weights and of Fixed Share
    last, made = np.zeros(1, int), np.zeros(1, int)  # the best expert, and the shifts so far
    for number, block in enumerate(_game_advice(ROUND + 1)):
        experts = range(4 if number else 1)
        plays = [_play_block(lead, w, block, best, alpha) for best in experts]
        made = np.concatenate([made + (last != best) for best in experts])
        last = np.repeat(experts, len(last))
        lead = np.concatenate([each[0] for each in plays])
        order = np.argsort(-lead, kind="stable")
        kept = np.concatenate([order[made[order] == k][:width] for k in range(number + 1)])
        lead, w = lead[kept], np.concatenate([each[1] for each in plays], axis=1)[:, kept]
        last, made = last[kept], made[kept]
    return float(lead.max())


def _play_block(lead, w, block, best, alpha):
    """Return by how much static weights pay more than Fixed Share, and the weights of both, after a
    block in which one expert is the best and the label is always 0.
    """
    for x in block * np.where(np.arange(4) == best, 0.2, 1):
        m, other = w * np.exp(-2 * x**2), w * np.exp(-2 * (1 - x) ** 2)
        vovk = 1 / 2 + np.log(other.sum(axis=2) / m.sum(axis=2)) / 4
        lead = lead + vovk[0] ** 2 - vovk[1] ** 2
        w = m / m.sum(axis=2, keepdims=True)
        w[1] = (1 - alpha) * w[1] + alpha * (1 - w[1]) / 3
    return lead, w


@figure(lecture="15")
def shift_game(moves="AAABBBBCCCC", alpha=0.03):
    """The reader is nature: each move makes one of four experts the best for ten trials; the first
    block is A's.
    """
    if set(moves) - set("ABCD"):
        raise ValueError(
            "moves must be a text of the letters A, B, C and D, the best expert of each block; got"
            f" {moves!r}"
        )
    blocks = "A" + moves
    best = np.repeat(["ABCD".index(block) for block in blocks], 10)
    T = len(best)
    X = _game_advice(len(blocks)).reshape(T, 4)
    X[np.arange(T), best] *= 0.2
    fig, regrets, bound = _race(X, np.zeros(T), best, alpha, 0.3, names="ABCD")
    lead = regrets["static weights"] - regrets["Fixed Share"]
    over = len(moves) == ROUND
    fig.score, fig.possible = lead if over else None, best_lead(alpha)
    fig.goal = "the best known"
    finding = f"{'Your score' if over else 'So far'}, static minus Fixed Share: {lead:.2f}."
    return fig.says(
        finding,
        f"{blocks}: {len(blocks)} block{'s' * (T > 10)} of ten trials, {shifts(best)}"
        f" shift{'s' * (shifts(best) != 1)}, α = {alpha:g}. Regrets: static weights"
        f" {regrets['static weights']:.2f}, Fixed Share {regrets['Fixed Share']:.2f} (bound"
        f" {bound:.2f}), Variable Share {regrets['Variable Share']:.2f}. {finding}",
    )
