"""The figures of lecture 02."""

import math
from functools import cache

import numpy as np

from ... import adversaries, streams
from ...canvas import Figure, canvas, figure
from ...checks import check_range, count
from ...palette import BEST, BLACK, BLUE, BOUND, BROKEN, DOTTED, GREY, LIGHT, LOOK, VERMILLION
from ...protocol import Run, play
from ..learners import RandomizedWeightedMajority, WeightedMajority
from ..theorems import rwma_at_most, rwma_regret_at_most, wm_at_most, wm_bound, wm_constants

WM, RWMA = LOOK["Weighted Majority"], LOOK["Randomised Weighted Majority"]


def good_expert_run(
    n: int, beta: float, T: int, noise: float, seed: int, adversary: bool = False
) -> Run:
    """Return the Run of Weighted Majority on one expert that errs with probability `noise` and n -
    1 that toss coins.

    With `adversary` the advice stays, but nature always answers the label that was not predicted.
    """
    X, y = streams.noisy_experts(T, [noise] + [0.5] * (n - 1), rng=seed)
    learner = WeightedMajority(n, beta)
    return adversaries.always_wrong(learner, X) if adversary else play(learner, X, y)


@figure(lecture="02")
def wm_weights(n=10, beta=0.5, T=60, noise=0.1, seed=0):
    """Each expert's share of the weight over the trials, with one good expert."""
    run = good_expert_run(n, beta, T, noise, seed)
    total = run.cumulative_expert_losses[-1]
    order, share = np.argsort(total, kind="stable"), run.probabilities[:-1]
    fig, ax = canvas(height=3.9)
    edges = np.arange(T + 1) + 0.5, np.arange(n + 1)
    mesh = ax.pcolormesh(*edges, share[:, order].T, vmin=0, vmax=1, rasterized=True)
    fig.colorbar(mesh, ax=ax, label="share of the weight", pad=0.02)
    strip = -0.07 * n  # above the experts, for the mistakes
    wrong = np.flatnonzero(run.mistake) + 1
    ax.crosses(wrong, np.full(len(wrong), strip), WM["color"], clip_on=False)
    ax.frame("trial t", "expert (mistakes in total)", xlim=(0.5, T + 0.5), ylim=(n, 2 * strip))
    rows = np.arange(n) if n <= 16 else np.linspace(0, n - 1, 9).astype(int)
    names = [f"{order[i] + 1} ({total[order[i]]:.0f})" for i in rows]
    ax.set_yticks([strip, *(rows + 0.5)], ["mistakes of WM", *names])
    ax.tick_params(length=0)
    ax.grid(False)
    best, early, late = run.best_expert, T // 4, T // 2
    alone = 1 + np.flatnonzero(np.append(0, share[:, best]) <= 0.5)[-1]
    return fig.says(
        f"From trial {alone} on expert {best + 1} holds more than half of the weight and decides"
        " alone."
        if alone <= T
        else "No expert holds more than half of the weight at the end: none decides alone.",
        f"Weighted Majority with {n} experts and β = {beta:g}; bright means much weight. Expert"
        f" {best + 1}, the best with {count(run.best_loss, 'mistake')} in {T} trials, holds"
        f" {share[0, best]:.1%} of the weight on trial 1, {share[early, best]:.1%} on trial"
        f" {early + 1} and {share[late, best]:.1%} on trial {late + 1}. The crosses are the"
        f" {count(run.mistakes, 'mistake')} of Weighted Majority.",
    )


@figure(lecture="02")
def wm_run(n=10, beta=0.5, T=60, noise=0.1, seed=0, adversary=False):
    """Mistakes of Weighted Majority, of the experts, and the bound over the trials."""
    run = good_expert_run(n, beta, T, noise, seed, adversary)
    experts, t = run.cumulative_expert_losses, np.arange(T + 1)
    best = experts.min(axis=1)
    bound, (a, b) = wm_at_most(best, n, beta), wm_constants(beta)
    fig, ax = canvas()
    ax.plot(t, experts, **LOOK["expert"])
    ax.plot(t, bound, **BOUND, label="bound")
    ax.plot(t, best, **BEST, label="best expert")
    ax.plot(t, run.mistakes_before, **WM, label="Weighted\nMajority")
    top = max(bound[-1], run.mistakes, 4)
    ax.frame("trials so far", "mistakes", whole="y", ylim=(-0.05 * top, 1.2 * top))
    ax.ends(gap=0.13)
    ax.corner("the bound rises only when the best expert errs", 0.02, 0.985, paper=True)
    nature = f"lets expert 1 err on {noise:.0%} of the trials"
    if adversary:
        nature = "answers the opposite of each prediction"
    return fig.says(
        f"Weighted Majority makes {count(run.mistakes, 'mistake')} where the best expert makes"
        f" {best[-1]:.0f}; the bound allows {bound[-1]:.1f}.",
        f"Weighted Majority with {n} experts (grey) and β = {beta:g}; nature {nature}. After {T}"
        f" trials it has made {count(run.mistakes, 'mistake')}, the best expert {best[-1]:.0f}."
        f" The bound is {a:.2f} · {best[-1]:.0f} + {b:.2f} · ln {n} = {bound[-1]:.1f};"
        " it rises when the best expert errs.",
    )


@figure(lecture="02")
def wm_envelopes(n=10, beta=0.5, T=60, noise=0.1, seed=0):
    """ln W_t between its two envelopes: the proof of Weighted Majority's bound in one picture."""
    run = good_expert_run(n, beta, T, noise, seed)
    fig, ax = canvas()
    below, lnW, above = _squeezed(ax, run)
    ax.ends(gap=0.1)
    wrong = np.flatnonzero(run.mistake)
    ax.crosses(wrong + 1, lnW[wrong], WM["color"])
    ax.corner("each × is a mistake: the ceiling drops", 0.98, 0.99)
    return fig.says(
        f"Your {count(run.mistakes, 'mistake')} lower the ceiling, the {run.best_loss:.0f} of the"
        " best expert the floor, and the weight stays between them.",
        f"The logarithm of the total weight of {n} experts, β = {beta:g}. Each mistake of Weighted"
        f" Majority, {run.mistakes} in all, lowers the ceiling by {-np.log((1 + beta) / 2):.3f};"
        f" each mistake of the best expert, {run.best_loss:.0f} in all, lowers the floor by"
        f" {-np.log(beta):.3f}. At the end: {below[-1]:.2f} ≤ {lnW[-1]:.2f} ≤ {above[-1]:.2f}.",
    )


def _squeezed(ax, run, now=None):
    """Draw ln W_t between floor and ceiling, and return the three; what comes after trial `now` is
    pale.
    """
    check_range("beta", run.learner.beta, lambda b: 0 < b < 1, "in (0, 1)")
    ceiling, floor = wm_bound(run).lines[3:5]
    t, now = np.arange(1, len(run) + 2), now or len(run) + 1
    name = "ceiling\n$\\ln n + M_t\\,\\ln((1+\\beta)/2)$"
    ax.fill_between(t, floor.rhs, ceiling.rhs, color=LIGHT, step="post")
    for values, look, label in (
        (ceiling.rhs, BOUND, name),
        (ceiling.lhs, WM, r"weight $\ln W_t$"),
        (floor.rhs, DOTTED | {"color": BLUE}, r"floor $M_{t,i}\,\ln\beta$"),
    ):
        ax.step(t[:now], values[:now], where="post", **look)
        ax.step(t[now - 1 :], values[now - 1 :], where="post", **look, alpha=0.35, label=label)
    ax.frame("trial t", "logarithm of the weight")
    ax.margins(x=0.02, y=0.08)
    return floor.rhs, ceiling.lhs, ceiling.rhs


@figure(lecture="02")
def wm_sinking(trial=3, n=10, beta=0.5, T=60, noise=0.1, seed=0):
    """The proof as it happens: weights sink, are laid end to end, and the logarithm of their sum is
    squeezed between ceiling and floor.
    """
    k = int(check_range("trial", trial, lambda t: 1 <= t <= T, f"between 1 and {T}")) - 1
    run = good_expert_run(n, beta, T, noise, seed)
    fig, (bars, line, log) = canvas(3, 1, 8, 6.8, height_ratios=[2.2, 1, 4])
    below, lnW, above = _squeezed(log, run, k + 1)
    w, wrong, floor = run.weights[k], run.expert_losses[k] > 0, DOTTED | {"color": BLUE}
    share, expert, foot, left = w @ wrong / w.sum(), np.arange(1, n + 1), np.zeros(n), 0.0
    bars.bar(expert, np.ones(n), 0.94, color=LIGHT)
    line.barh(0, n, color=LIGHT)
    for part, inside, edge, hatch in (
        (w * ~wrong, BLUE, "white", ""),
        (beta * w * wrong, VERMILLION, "white", "////"),
        ((1 - beta) * w * wrong, "white", VERMILLION, ""),
    ):
        look = dict(color=inside, edgecolor=edge, hatch=hatch, linewidth=0.7)
        on = part > 0
        bars.bar(expert[on], part[on], 0.94, foot[on], **look)
        line.barh(0 * part[on], part[on], 0.8, (left + np.cumsum(part) - part)[on], **look)
        foot, left = foot + part, left + part.sum()
    bars.axhline(np.exp(below[k]), **floor)
    for level, look in ((above, BOUND), (below, floor)):
        line.plot(np.exp(level[[k, k]]), [-0.55, 0.55], **look)
    line.dots(w.sum() / 2, -0.58, "^", BLACK, clip_on=False)
    line.note("half", (w.sum() / 2, -0.58), (6, 0), va="center")
    past = np.flatnonzero(run.mistake[:k])
    log.axvline(k + 1, color=BLACK, linewidth=1)
    log.crosses(past + 1, lnW[past], WM["color"])
    middle = T // 2, above[T // 2 - 1]
    log.note("ceiling", middle, (0, 6), GREY)
    log.note(r"weight $\ln W_t$", (T // 3, lnW[T // 3 - 1]), (4, 5), VERMILLION)
    log.note("floor", (1, below[0]), (4, -13), BLUE)
    sign = "X" if run.mistake[k] else "o"
    log.dots(k + 1, lnW[k], sign, VERMILLION, 12, markeredgecolor="white")
    many = f"trial {k + 1}: {wrong.sum()} of {n} experts"
    bars.bare(
        xlim=(0.5, n + 0.5), ylim=(0, 1), yticks=[0, 1], title=f"{many} err; what is hollow sinks"
    )
    summed = f"laid end to end, their weights are one number: {w.sum():.3g}"
    line.bare(xlim=(0, n), ylim=(-0.8, 0.6), xticks=[], yticks=[], title=summed)
    bars.set_xticks(expert if n <= 16 else [1, n])
    log.set_title("its logarithm, between ceiling and floor (× is a mistake)")
    falls = [
        f"the {name} falls" if level[k + 1] < level[k] else f"the {name} stays"
        for name, level in (("ceiling", above), ("floor", below))
    ]
    return fig.says(
        f"Trial {k + 1}: {share:.0%} of the weight is wrong,"
        f" {'a' if run.mistake[k] else 'no'} mistake. {falls[0].capitalize()}, {falls[1]}.",
        f"Weighted Majority, β = {beta:g}, {many} err. Above, a bar for the weight of each: what a"
        " wrong one loses is hollow, what it keeps is hatched, the others are blue. In the middle"
        f" the same bars lie end to end, the wrong ones last. Their sum is {w.sum():.3g}, and"
        f" {share:.1%} of it is wrong; more than half is a mistake, less is none. Below, the"
        f" logarithm of the sum, now {lnW[k]:.2f}, over {count(T, 'trial')}. Each mistake of expert"
        f" {run.best_expert + 1} lowers the floor by {-np.log(beta):.3f}, now {below[k] + 0:.2f};"
        f" each mistake of Weighted Majority lowers the ceiling by {-np.log((1 + beta) / 2):.3f},"
        f" now {above[k]:.2f}. At the end: {below[-1]:.2f} ≤ {lnW[-1]:.2f} ≤ {above[-1]:.2f}.",
    )


@figure(lecture="02")
def wm_tradeoff(largest=0.99):
    """The two constants of Weighted Majority's bound against β."""
    beta = np.linspace(0.01, largest, 400)
    a, b = np.array([wm_constants(x) for x in beta]).T
    fig, ax = canvas()
    ax.axhline(2, **BOUND | {"linewidth": 1})
    ax.annotate("2", (1.005, 2), xycoords=("axes fraction", "data"), va="center", color=GREY)
    ax.plot(beta, a, color=VERMILLION)
    ax.plot(beta, b, color=BLUE, linestyle=BROKEN)
    crossing = wm_constants(1 / math.e)[0]
    ax.dots(1 / math.e, crossing, "o", BLACK)
    text = rf"$\beta = 1/e$:  $a = b = {crossing:.3f}$"
    line = dict(arrowstyle="-", color=GREY)
    ax.annotate(text, (1 / math.e, crossing), xytext=(0.45, 1.35), arrowprops=line)
    ax.see("no β makes both small", (1 / math.e, crossing), (0, 60))
    ax.text(0.06, 6, r"$a$: per mistake of the best expert", color=VERMILLION)
    ax.text(0.84, 13, r"$b$: times $\ln n$", color=BLUE, ha="right")
    ax.frame(r"$\beta$", "constant", ylog=10, xlim=(0, 1), ylim=(1, 300))
    shown = "; ".join(
        "{:g}: a = {:.3f}, b = {:.2f}".format(x, *wm_constants(x)) for x in (0.5, 0.8, 0.99)
    )
    return fig.says(
        "As β grows, the price a of the best expert's mistakes falls to 2, but the price b of not"
        " knowing it has no limit.",
        f"The constants of the bound a · M_i + b · ln n for β up to {largest:g}. "
        f"They cross at β = 1/e, where both are {crossing:.5f}. "
        f"At β = {shown}. As β grows to 1, a falls to 2 and b grows without limit.",
    )


@figure(lecture="02")
def log_inequalities(largest=0.85):
    """The two inequalities for the logarithm that turn the mistake bound into a regret bound."""
    eta, root, gap = np.linspace(0, largest, 300), logarithm_limit(), 0.75 - math.log(2)
    fig, axes = canvas(1, 2, width=8.2, height=3.4)
    fails = dict(color=VERMILLION, alpha=0.6, hatch="///", edgecolor="white")
    for ax, excess, title in (
        (axes[0], eta + eta**2 + np.log(1 - eta), r"$(\eta + \eta^2) - (-\ln(1-\eta))$"),
        (axes[1], -np.log(1 - eta / 2) - eta / 2, r"$-\ln(1-\eta/2) - \eta/2$"),
    ):
        ax.axvspan(0, 0.5, color=LIGHT)
        ax.axhline(0, color=BLACK, linewidth=1)
        ax.plot(eta, excess, color=BLUE)
        ax.fill_between(eta, excess, 0, where=excess < 0, **fails)
        ax.set_title(title, pad=10)
        ax.frame(r"$\eta$", xlim=(0, largest))
    axes[0].set_ylim(-0.18, 0.08)
    axes[0].dots([0.5, root], [gap, 0], "o", BLACK)
    axes[0].see("shaded: the theorems' η", (0.25, -0.1))
    axes[0].note(f"{root:.4f}", (root, 0), (5, 5))
    axes[0].note(f"{gap:.4f}", (0.5, gap), (0, 7))
    return fig.says(
        f"The first inequality holds up to η = {root:.4f}, so the theorems' η ≤ ½ is safe; the"
        " second holds everywhere.",
        f"Larger side minus smaller side of two inequalities for η up to {largest:g}: they hold"
        f" where the curve is not below 0. The first holds up to η = {root:.4f}, and its room is"
        f" largest at η = 1/2, where it is {gap:.4f}. The second always holds. The theorems ask for"
        " η ≤ 1/2, the shaded part.",
    )


def logarithm_limit() -> float:
    """Return the largest η with -ln(1-η) <= η + η², by bisection (WM-P2)."""
    low, high = 0.5, 0.9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if -math.log(1 - middle) <= middle + middle**2 else (low, middle)
    return low


@figure(lecture="02")
def wm_tightness(n=4, largest=6, runs=50, seed=0):
    """Weighted Majority: bound, exact worst case, minimax value and average number of mistakes."""
    budgets, rng = np.arange(largest + 1), np.random.default_rng(seed)
    minimax = [adversaries.minimax_mistakes(n, L) for L in budgets]
    fig, axes = canvas(1, 3, width=8.4, height=3.7, sharey=True)
    told, climbs, best = [], [], dict(color=BLUE, linestyle=":")
    for ax, beta, name in zip(axes, (1 / math.e, 0.5, 0.8), ("1/e", "0.5", "0.8"), strict=True):
        bound = np.floor(wm_at_most(budgets, n, beta))
        exact = [adversaries.wm_worst_case(n, L, beta) for L in budgets]
        mean, error = averages_on_coins(n, beta, budgets, runs, rng)
        ax.curve(budgets, bound, BOUND, "bound, rounded down")
        ax.curve(budgets, exact, LOOK["exact worst case"], "exact worst case", "o", 5)
        ax.curve(budgets, minimax, best, "best learner's worst case", "s", 4)
        ax.errorbar(budgets, mean, 2 * error, fmt="_", color=WM["color"], label="mean on coins")
        ax.frame("mistakes of the best expert", title=rf"$\beta = {name}$", xticks=budgets[::2])
        told.append(f"{bound[-1]:.0f}, {exact[-1]} and {mean[-1]:.1f} for β = {name}")
        climbs.append(((exact[-1] - exact[0]) / largest, (mean[-1] - mean[0]) / largest))
    axes[0].set_ylabel("mistakes")
    axes[0].legend(loc="upper left", fontsize=9, handlelength=1.6)
    axes[1].see("coins are kinder", (largest, 0), ha="right", fontsize=10)
    (low, _), (high, typical) = np.min(climbs, axis=0), np.max(climbs, axis=0)
    return fig.says(
        f"For each mistake of the best expert the exact worst case climbs by {low:.1f} to"
        f" {high:.1f}, the mean on coins by at most {typical:.1f}.",
        f"Weighted Majority with {n} experts. Bound and exact worst case over all sequences on"
        f" which the best expert makes at most {largest} mistakes, and mean of {runs} streams of 40"
        f" trials on which expert 1 makes exactly {largest} and the others toss coins (bars: two"
        f" standard errors): {'; '.join(told)}. The best deterministic learner has worst case"
        f" {minimax[-1]}.",
    )


def averages_on_coins(
    n: int, beta: float, budgets: np.ndarray, runs: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean number of mistakes of Weighted Majority, and its standard error, on streams
    on which expert 1 errs exactly as often as each of the budgets says and the others toss coins.
    """

    def made(L):
        data = _erring_exactly(L, n, rng)
        return play(WeightedMajority(n, beta), *data, keep="last").mistakes

    mistakes = np.array([[made(L) for _ in range(runs)] for L in budgets])
    return mistakes.mean(axis=1), mistakes.std(axis=1, ddof=1) / math.sqrt(runs)


def _erring_exactly(L, n, rng, T=40):
    """Return (X, y): T trials on which expert 1 errs exactly L times and the others toss coins."""
    y = rng.integers(0, 2, T)
    X = rng.integers(0, 2, (T, n))
    X[:, 0] = y ^ (rng.permutation(T) < L)
    return X, y


@figure(lecture="02")
def rwma_draws(n=16, eta=0.1, T=200, noise=0.2, draws=20, seed=0):
    """Randomised Weighted Majority: mistakes of single plays, their expectation, and the bound."""
    X, y = streams.noisy_experts(T, [noise] + [0.5] * (n - 1), rng=seed)
    runs = [
        play(RandomizedWeightedMajority(n, 1 - eta, rng=[seed, 1, k]), X, y) for k in range(draws)
    ]
    t, expected = np.arange(T + 1), np.append(0, np.cumsum(runs[0].expected_losses))
    best = runs[0].cumulative_expert_losses.min(axis=1)
    bound = rwma_at_most(best, n, eta)
    fig, ax = canvas()
    for run in runs:
        ax.plot(t, run.mistakes_before, color=RWMA["color"], alpha=0.25, linewidth=1)
    ax.plot(t, bound, **BOUND, label="bound")
    ax.plot(t, expected, **RWMA, label="expected (exact);\nthin: single plays")
    ax.plot(t, best, **BEST, label="best expert")
    ax.frame("trials so far", "mistakes", ylim=(0, None))
    ax.ends(gap=0.13)
    counts = [run.mistakes for run in runs]
    above = sum(made > bound[-1] for made in counts)
    if above:
        ax.corner("single plays may cross the bound", 0.03, 0.95)
    return fig.says(
        f"Single plays scatter around the exact expectation of {expected[-1]:.1f} mistakes; {above}"
        f" of {draws} end above the bound, which speaks of the expectation.",
        f"Randomised Weighted Majority with {n} experts and η = {eta:g} on one stream of {T}"
        f" trials. {draws} plays make {min(counts)} to {max(counts)} mistakes,"
        f" {np.mean(counts):.1f} on average; the exact expectation is {expected[-1]:.1f}. The best"
        f" expert makes {best[-1]:.0f}, the bound on the expectation is {bound[-1]:.1f}.",
    )


@figure(lecture="02")
def no_regret(largest=10_000):
    """Average regret against the number of trials, for Weighted Majority and its randomised
    version.
    """
    T = np.array([k for k in (4, 16, 36, 100, 400, 900, 2500, 10_000) if k <= largest])
    pairs = [adversaries.contrary(WeightedMajority(2, 1 - k**-0.5), int(k)) for k in T]
    wm = [run.regret / len(run) for run in pairs]
    same = [(run.expected_losses.sum() - run.best_loss) / len(run) for run in pairs]
    worst = np.array([worst_regret_of_two(int(k)) for k in T]) / T
    bound = rwma_regret_at_most(2, T) / T
    fig, ax = canvas(height=4.2)
    hollow, name = RWMA | {"markerfacecolor": "white"}, "randomised,\nlabels that\ncontradict WM"
    ax.curve(T, bound, BOUND, r"$(1+\ln 2)/\sqrt{T}$")
    ax.curve(T, wm, WM, "Weighted\nMajority,\ncontradicted", "o")
    ax.curve(T, worst, RWMA, "randomised,\nexact worst\ncase", "D")
    ax.curve(T, same, hollow, name, "D")
    ax.frame("trials T", "regret / T", xlog=10, ylog=10)
    ax.ends(gap=0.2)
    ax.see(f"{wm[-1]:.2g} a trial, however long the play", (T[-1], wm[-1]), (-6, 8))
    return fig.says(
        f"Weighted Majority's regret stays at {wm[-1]:.2f} a trial; the worst case of the"
        f" randomised version falls like one over √T, to {worst[-1]:.3f}.",
        "Two experts. Against nature that contradicts it, Weighted Majority has regret"
        f" {wm[-1]:.2f} per trial, however long the play. The exact worst regret of the randomised"
        f" version with η = 1/√T, over all sequences of T trials, is {worst[0]:.3f} per trial at"
        f" T = {T[0]} and {worst[-1]:.4f} at T = {T[-1]}, that is {worst[0] / bound[0]:.2f} and"
        f" {worst[-1] / bound[-1]:.2f} times the bound. On the labels that contradict Weighted"
        f" Majority it is {same[-1]:.4f} at T = {T[-1]}.",
    )


def worst_regret_of_two(T: int) -> float:
    """Return the largest E[M] - m of randomised Weighted Majority with η = 1/√T over all sequences
    of T trials with two experts; `rwma_worst_case` without the search.
    """
    eta = T**-0.5
    losses = adversaries.sharp_hedge(T, -math.log(1 - eta)).astype(int)
    run = play(WeightedMajority(2, 1 - eta), losses, np.zeros(T, int))
    return float(run.expected_losses.sum() - run.best_loss)


def _paid(run):
    """Return the mistakes of the best expert, of Weighted Majority, and those that its randomised
    version expects.
    """
    return run.best_loss, run.mistakes, run.expected_losses.sum()


@figure(lecture="02")
def half_the_mistakes(T=500, eta=0.1, runs=20, seed=0):
    """Does randomisation halve the mistakes? One adversarial and two benign streams."""
    rng, more = np.random.default_rng(seed), []

    def averages(noise):
        data = [streams.noisy_experts(T, noise, rng) for _ in range(runs)]
        paid = [_paid(play(WeightedMajority(16, 1 - eta), *stream)) for stream in data]
        extra = np.diff(paid, axis=1)[:, 1]
        more.append((extra.mean(), extra.std(ddof=1) / math.sqrt(runs)))
        return np.mean(paid, axis=0)

    rows = {
        "two constant experts,\nnature contradicts WM": _paid(
            adversaries.contrary(WeightedMajority(2, 1 - eta), T)
        ),
        "one expert right in 80%,\n15 toss coins": averages([0.2] + [0.5] * 15),
        "16 experts,\neach right in 60%": averages([0.4] * 16),
    }
    fig, ax = canvas(height=3.3)
    shown = (
        ("best expert", BEST, "s"),
        ("Weighted Majority", WM, "o"),
        ("randomised (expected)", RWMA, "D"),
    )
    for k, (name, look, marker) in enumerate(shown):
        values, height = [paid[k] for paid in rows.values()], np.arange(3) + 0.2 * (k - 1)
        ax.hlines(height, 0, values, color=look["color"], linewidth=2)
        ax.dots(values, height, marker, look["color"], 7, label=name)
        for v, h in zip(values, height, strict=True):
            ax.note(f"{v:.0f}", (v, h), (7, 0), look["color"], va="center", fontsize=9)
    ax.set_yticks(range(3), rows)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.frame(f"mistakes in {T} trials", ylim=(2.5, -0.5), xlim=(0, 1.08 * T))
    ax.legend(loc="lower right")
    (_, w0, r0), (_, w1, r1), _ = rows.values()
    ax.see("the coin helps only here", (r0, 0.2), (34, 0), va="center")
    less = "" if min(mean - 2 * error for mean, error in more) > 0 else "not clearly "
    told = " and ".join(f"{mean:.1f} ± {error:.1f}" for mean, error in more)
    return fig.says(
        "Where nature contradicts the vote, the coin nearly halves the mistakes; on both benign"
        f" kinds it makes {less}more: {r1:.0f} for {w1:.0f} in the middle row.",
        f"Mistakes in {T} trials with η = {eta:g}. On the adversarial pair Weighted Majority makes"
        f" {w0:.0f} and the randomised version {r0:.1f} in expectation, about half. On benign data"
        f" (means of {runs} streams, ± standard error) it makes {less}more than Weighted Majority,"
        f" by {told}.",
    )


@figure(lecture="02")
def majority_game(moves="", n=4, beta=0.5, seed=0):
    """The game: you choose the label of each trial, Weighted Majority predicts."""
    if set(moves) - set("01"):
        raise ValueError(f"moves must hold one 0 or 1 per trial; got {moves!r}")
    X = streams.divided_experts(len(moves) + 1, n, rng=seed)
    learner, M, best = WeightedMajority(n, beta), [0], [0]
    for x, y in zip(X, map(int, moves), strict=False):
        M.append(M[-1] + (learner.predict(x) != y))
        learner.update(x, y)
        best.append(int(learner.L.min()))
    x, guess, t = X[-1], learner.predict(X[-1]), np.arange(len(M))
    bound = wm_at_most(np.array(best), n, beta)
    over, score = best[-1] > 2, max(m for m, k in zip(M, best, strict=True) if k <= 2)
    fig = Figure(figsize=(8.2, 5.6), layout="constrained")
    ax = fig.subplot_mosaic(
        [["advice", "count"], ["curve", "curve"]], width_ratios=[3, 2], height_ratios=[5, 6]
    )
    _advice(ax["advice"], x, learner.w / learner.w.sum(), guess, len(M))
    _counts(ax["count"], M[-1], learner.L)
    so_far = ax["curve"]
    so_far.fill_between(t, best, M, color=LIGHT)
    so_far.curve(t, bound, BOUND, f"bound {bound[-1]:.1f}", ".")
    so_far.curve(t, M, WM, f"Weighted Majority {M[-1]}", "o", 5)
    so_far.curve(t, best, BEST, f"best expert {best[-1]}", "s", 4)
    if over:
        end, where = best.index(3), ("data", "axes fraction")
        so_far.axvline(end, color=GREY, linewidth=1)
        so_far.note("end of the round", (end, 0.98), (-4, 0), GREY, xycoords=where, va="top")
    if not moves:
        so_far.text(5, 2, "each label that you choose adds a point", ha="center", color=GREY)
    limits = (-0.3, max(10, len(moves)) + 0.3), (-0.5, 1.2 * max(8, bound[-1], M[-1]))
    so_far.frame("trials played", "mistakes so far", whole="x", xlim=limits[0], ylim=limits[1])
    so_far.legend(loc="lower left", bbox_to_anchor=(0, 0.99), ncols=3)
    wrong = [np.flatnonzero(x != label) + 1 for label in (0, 1)]
    wrong = [f"expert{'s' * (len(who) > 1)} {', '.join(map(str, who))}" for who in wrong]
    told = f"you have forced {count(M[-1], 'mistake')}; the best expert has made {best[-1]}."
    if over:
        told = f"the round is over, and your score is {score}."
    fig.score, fig.possible = score, best_score(n, beta, seed)
    return fig.says(
        f"After {count(len(moves), 'trial')} {told}",
        f"{count(len(moves), 'trial')} played. Weighted Majority has made"
        f" {count(M[-1], 'mistake')}, the experts {', '.join(f'{l:.0f}' for l in learner.L)}; the"
        f" regret is {M[-1] - best[-1]} and the bound {bound[-1]:.1f}."
        f" {'The round is over, your score is' if over else 'Your score so far is'} {score}. Next"
        f" it will say {guess}: label {1 - guess} is a mistake for it and for {wrong[1 - guess]};"
        f" label {guess} only for {wrong[guess]}.",
    )


@cache
def best_score(n: int, beta: float, seed: int, T: int = 30) -> int:
    """Return the most mistakes that can be forced in the game before every expert has erred three
    times, within T trials.
    """
    X, w = streams.divided_experts(T, n, rng=seed).tolist(), (beta ** np.arange(T + 1.0)).tolist()

    def predict(losses, x):  # as Weighted Majority does, without arrays
        least, sides = min(losses), ([], [])
        for loss, bit in zip(losses, x, strict=True):
            sides[bit].append(w[loss - least])
        return int(math.fsum(sides[1]) >= math.fsum(sides[0]))

    @cache
    def most(losses, t):
        guess, found = predict(losses, X[t]), 0
        for label in (0, 1):
            after = tuple([loss + (x != label) for loss, x in zip(losses, X[t], strict=True)])
            if min(after) <= 2:
                later = most(after, t + 1) if t + 1 < T else 0
                found = max(found, int(guess != label) + later)
        return found

    return most((0,) * n, 0)


def _advice(ax, x, share, guess, trial):
    """Draw the weights as bars with the advice above; the side that the algorithm follows is
    filled.
    """
    expert = np.arange(1, len(x) + 1)
    inside = np.where(x == guess, WM["color"], "white")
    ax.bar(expert, share, width=0.7, color=inside, edgecolor=WM["color"], linewidth=1.5)
    for i, bit, height in zip(expert, x, share, strict=True):
        said = f"says {bit}" if len(x) < 6 else f"{bit}"
        ax.note(said, (i, height), (0, 3), fontweight="bold")
    title, top = f"trial {trial}: Weighted Majority will say {guess}", max(share.max(), 0.4)
    ax.frame("expert", "share of the weight", title, xticks=expert, ylim=(0, 1.15 * top))
    ax.grid(axis="x", visible=False)


def _counts(ax, M, L):
    """Draw the mistakes of the algorithm and of each expert as horizontal bars; the best experts
    are blue.
    """
    values, names = [M, *L], ["WM", *(f"expert {i}" for i in range(1, len(L) + 1))]
    colours = [WM["color"], *np.where(L == L.min(), BLUE, LOOK["expert"]["color"])]
    ax.barh(range(len(values)), values, color=colours, height=0.7)
    for row, value in enumerate(values):
        ax.note(f"{value:.0f}", (value, row), (4, 0), va="center")
    limits = (0, 1.15 * max(5, *values)), (len(L) + 0.6, -0.6)
    ax.frame(title="mistakes so far", whole="x", xlim=limits[0], ylim=limits[1])
    ax.set_yticks(range(len(values)), names)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
