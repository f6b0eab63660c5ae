"""The figures of lecture 10."""

from functools import cache

import numpy as np

from .. import streams
from ..canvas import Figure, canvas, figure
from ..checks import check_count, check_range
from ..palette import (
    BLACK,
    BLUE,
    BOUND,
    DOTTED,
    GREY,
    LOOK,
    ORANGE,
    PALE,
    PALE_BLUE,
    PALE_VERMILLION,
    PURPLE,
    VERMILLION,
)
from ..protocol import play
from .learners import StructuredPerceptron
from .structures import Tagging, viterbi, widest_gap
from .theorems import structured_bound

QUESTIONS = {  # what to ask about a handwritten digit
    "odd?": lambda d: d % 2 == 1,
    "5 or more?": lambda d: d >= 5,
    "is it an 8?": lambda d: d == 8,
    "has it a loop?": lambda d: np.isin(d, (0, 6, 8, 9)),
}
TRAINING = 1200  # digits to learn from; the other 597 are the test
RULES = ("last", "voted", "averaged")
AGES = ((ORANGE, "s", "first half of the run"), (PURPLE, "o", "second half"))  # of the vectors
RULE_LOOK = {"last": LOOK["Perceptron"], "voted": LOOK["voted"], "averaged": LOOK["averaged"]}


_digits = cache(streams.digits)


def _asked(question, seed, noise=0.0):
    """Return (X, y, X_test, y_test): the digits in random order with the answers -1 or +1; each
    training label is flipped with probability `noise`.
    """
    if question not in QUESTIONS:
        raise ValueError(
            f"question must be one of {', '.join(map(repr, QUESTIONS))}; got {question!r}"
        )
    X, digit = _digits()
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(X))
    X, y = X[order], np.where(QUESTIONS[question](digit[order]), 1, -1)
    flips = np.where(rng.random(TRAINING) < noise, -1, 1)
    return X[:TRAINING], y[:TRAINING] * flips, X[TRAINING:], y[TRAINING:]


def _several(question, seeds, noise=0.0):
    """Return what `_asked` returns, for each of the seeds."""
    return map(np.array, zip(*(_asked(question, seed, noise) for seed in seeds), strict=True))


def perceptrons(X: np.ndarray, y: np.ndarray, epochs: int = 1) -> np.ndarray:
    """Return the Perceptron's weights after each trial of several streams, played side by side:
    streams x trials x features.
    """
    w, after = np.zeros(X[:, 0].shape), []
    for t in range(epochs * X.shape[1]):
        x, label = X[:, t % X.shape[1]], y[:, t % X.shape[1]]
        wrong = label * np.vecdot(w, x) <= 0
        w = w + (wrong * label)[:, None] * x
        after.append(w)
    return np.stack(after, axis=1)


def survivors(after: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the different weight vectors of a stream in their order, and how many trials each
    survived.
    """
    new = np.flatnonzero(np.append(True, (np.diff(after, axis=0) != 0).any(axis=1)))
    return after[new], np.diff(np.append(new, len(after)))


def errors_on(after: np.ndarray, times: np.ndarray, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the test error of the last vector, of the vote and of the average after so many
    trials: times x 3.
    """
    vectors, counts = survivors(after)
    scores, ends = vectors @ X.T, np.cumsum(counts)
    votes, errors = np.sign(scores), []
    for t in times:
        so_far = np.clip(t - (ends - counts), 0, counts)
        last = np.searchsorted(ends, t)
        said = scores[last], so_far @ votes, so_far @ scores
        errors.append([np.mean(np.where(score >= 0, 1, -1) != y) for score in said])
    return np.array(errors)


@cache
def _digit_errors(question, epochs, seeds, noise):
    """Return the test errors: seeds x epochs x 3 rules."""
    X, y, *tests = _several(question, range(seeds), noise)
    plays = zip(perceptrons(X, y, epochs), *tests, strict=True)
    times = TRAINING * np.arange(1, epochs + 1)
    return np.array([errors_on(after, times, *test) for after, *test in plays])


@figure(lecture="10")
def digit_weights(question="odd?", seed=4):
    """Some handwritten digits with their labels, and the weights that the Perceptron learns from
    them in one pass.
    """
    X, y, X_test, y_test = _asked(question, seed)
    after = perceptrons(X[None], y[None])[0]
    images, digit = _digits()
    fig = Figure(figsize=(9, 2.9), layout="constrained")
    grid = fig.add_gridspec(2, 9, width_ratios=[1, 1, 1, 1, 1, 0.25, 2, 0.2, 2])
    for k in range(10):
        ax, label = fig.add_subplot(grid[k // 5, k % 5]), 1 if QUESTIONS[question](k) else -1
        ax.imshow(images[digit == k][0, :64].reshape(8, 8), cmap="gray_r")
        ax.set_title(f"{label:+d}", color=BLUE if label > 0 else VERMILLION, loc="center", pad=3)
        ax.axis("off")
    errors = errors_on(after, [len(y)], X_test, y_test)[0]
    for place, name, w in ((6, "last", after[-1]), (8, "averaged", after.sum(axis=0))):
        ax, size = fig.add_subplot(grid[:, place]), np.abs(w[:64]).max()
        ax.imshow(w[:64].reshape(8, 8), cmap="PuOr", vmin=-size, vmax=size)
        title = f"{name}: error {errors[RULES.index(name)]:.1%}"
        ax.set_title(title, color=RULE_LOOK[name]["color"], loc="center")
        ax.axis("off")
    return fig.says(
        f"The weights look alike, but on new digits the last vector errs on {errors[0]:.1%}, the"
        f" average on {errors[2]:.1%}.",
        f'Left: one of each digit, labelled by the question "{question}". Right: the weights of the'
        f" 64 pixels after one pass over {len(y)} digits with {len(survivors(after)[0])} mistakes,"
        f" violet for positive and orange for negative. On {len(y_test)} new digits the last vector"
        f" errs on {errors[0]:.1%}, the average on {errors[2]:.1%}.",
    )


@figure(lecture="10")
def digit_errors(question="odd?", epochs=6, seeds=20, noise=0.0):
    """Test error of the last vector, the vote and the average on handwritten digits, after each
    pass.
    """
    epochs, seeds = check_count("epochs", epochs), check_count("seeds", seeds)
    noise = check_range("noise", noise, lambda p: 0 <= p <= 1, "in [0, 1]")
    table = 100 * _digit_errors(question, epochs, seeds, noise)
    mean, spread = table.mean(axis=0), table.std(axis=0, ddof=1)
    fig, ax = canvas(height=3.9)
    passes = np.arange(1, epochs + 1)
    for k, rule in enumerate(RULES):
        at, look = passes + 0.06 * (k - 1), RULE_LOOK[rule]
        ax.curve(at, mean[:, k], look, rule, "osD"[k])
        bars = dict(fmt="none", ecolor=look["color"], capsize=4, elinewidth=1.5)
        ax.errorbar(at, mean[:, k], spread[:, k], **bars)
    limits = 0, 1.2 * (mean + spread).max()
    ax.frame("passes over the training digits", "test error in %", ylim=limits, xticks=passes)
    ax.set_title(f"mean of {seeds} orders; bars: ± the deviation of one order from another")
    ax.ends()
    if (spread[:, 0] > 1.5 * spread[:, 2]).all():
        ax.corner("one vector alone is a gamble", 0.98, 0.96)
    first, ends = (
        ", ".join(f"{rule} {mean[t, k]:.1f} ± {spread[t, k]:.1f}" for k, rule in enumerate(RULES))
        for t in (0, -1)
    )
    return fig.says(
        f"After one pass the last vector errs on {mean[0, 0]:.1f}% of new digits, the vote on"
        f" {mean[0, 1]:.1f}%, the average on {mean[0, 2]:.1f}%.",
        f'"{question}", learned from {TRAINING} handwritten '
        f"digits{f' with {noise:.0%} of the labels flipped' if noise else ''}, tested on 597"
        " others. "
        f"Error in % after one pass: {first}; after {epochs}: {ends}. Mean ± deviation of"
        f" {seeds} random orders, each with its own 597 test digits; the standard error of a mean"
        f" is {1 / np.sqrt(seeds):.2g} of it.",
    )


@figure(lecture="10")
def survival(question="odd?", seed=4, orders=20):
    """How well the weight vectors do on new digits, by the time they survived and by their age: in
    one order of the digits, and on average over many.
    """
    edges, means = [1, 2, 4, 8, 16], []
    seeds = [seed, *range(100, 100 + check_count("orders", orders))]
    X, y, X_test, y_test = _several(question, seeds)
    fig, (left, right) = canvas(1, 2, width=9, height=3.9, sharey=True)
    aside = np.random.default_rng(0)  # so that dots do not hide each other
    for k, after in enumerate(perceptrons(X, y)):
        vectors, counts = survivors(after)
        wrong = np.where(vectors @ X_test[k].T >= 0, 1, -1) != y_test[k]
        error, late = 100 * wrong.mean(axis=1), np.arange(len(counts)) >= len(counts) / 2
        if k == 0:
            made, one = len(counts), error[counts == 1]
            for half, (colour, marker, _) in zip((~late, late), AGES, strict=True):
                spread = counts[half] * np.exp(aside.uniform(-0.1, 0.1, half.sum()))
                left.dots(spread, error[half], marker, colour, 4, alpha=0.6)
        else:
            kind = np.searchsorted(edges, counts, side="right") - 1
            groups = [[error[half & (kind == i)] for i in range(5)] for half in (~late, late)]
            means.append([[g.mean() if g.size else np.nan for g in row] for row in groups])
    centre, deviation = np.nanmean(means, axis=0), np.nanstd(means, axis=0) / np.sqrt(orders)
    for k, (colour, marker, label) in enumerate(AGES):
        bars = dict(fmt=f"{marker}-", color=colour, capsize=4, label=label)
        right.errorbar(edges, centre[k], deviation[k], **bars)
    for ax, title in ((left, "one order: each vector"), (right, f"mean of {orders} orders")):
        ax.frame("survival time $c_j$", title=title, xlog=2, ylim=(0, None))
    right.set_xticks(edges, ["1", "2–3", "4–7", "8–15", "16 or more"])
    left.set_ylabel("error on new digits in %")
    right.legend(loc="upper right")
    falls = (centre[:, 0] > centre[:, -1]).all()
    if falls:
        right.corner("who survives longer errs less", 0.03, 0.04)
    return fig.says(
        "A vector that errs at once may be good; on average survivors err"
        f" {'less' if falls else 'no less'}, early in a run and late.",
        f"Left: one pass over {TRAINING} digits made {made} vectors; those that erred on the very"
        f" next trial err on {one.min():.0f}% to {one.max():.0f}% of new digits. Right: the mean"
        f" over {orders} other orders, with its standard error. In the first half of a run vectors"
        f" with survival time 1 err on {centre[0, 0]:.1f}%, those with 16 or more on"
        f" {centre[0, -1]:.1f}%; in the second half {centre[1, 0]:.1f}% and {centre[1, -1]:.1f}%.",
    )


@figure(lecture="10")
def wrong_votes(question="odd?", seed=4):
    """Which share of the votes is wrong on each new digit, and what if all vectors erred on the
    same digits.
    """
    X, y, X_test, y_test = _asked(question, seed)
    vectors, counts = survivors(perceptrons(X[None], y[None])[0])
    scores = vectors @ X_test.T
    share = 100 * np.average(np.where(scores >= 0, 1, -1) != y_test, axis=0, weights=counts)
    lost = np.where(counts @ np.sign(scores) >= 0, 1, -1) != y_test  # by the vote
    order = np.lexsort((-share, ~lost))
    share, lost, x = share[order], lost[order], 100 * np.arange(len(share)) / len(share)
    alone, together, both = share.mean(), 100 * lost.mean(), share[lost].sum() / len(share)
    fig, ax = canvas(height=3.6)
    ax.fill_between(x, share, where=lost, step="post", color=PALE_VERMILLION)
    ax.fill_between(x, share, where=~lost, step="post", color=PALE_BLUE)
    ax.plot(x, share, color=BLACK, drawstyle="steps-post")
    ax.plot([0, alone, alone], [100, 100, 0], **DOTTED)
    ax.axhline(50, **BOUND)
    ax.see("half of the votes decide", (100, 50), (0, 5), ha="right")
    ax.note("if all erred on the same digits", (alone, 92), (6, 0), GREY, va="center")
    ax.note(f"outvoted: {alone - both:.1f}%", (alone, 6), (6, 0), BLUE)
    ax.word(together / 2, 6, f"{both:.1f}%", color=VERMILLION)
    ax.frame("new digits in %, the hardest first", "wrong votes in %", ylim=(0, 105))
    return fig.says(
        f"A vector errs on {alone:.1f}% of the new digits, weighted by survival; the vote errs on"
        f" {together:.1f}%.",
        f'"{question}": the share of votes that are wrong on each of {len(share)} new digits, in'
        f" falling order, after one pass over {TRAINING} digits with {len(counts)} mistakes. Its"
        f" mean is {alone:.1f}%. On {together:.1f}% of the digits the wrong votes win: there they"
        f" are {both:.1f} of the {alone:.1f}, and the other {alone - both:.1f} are outvoted."
        f" Dotted: if all vectors erred on the same {alone:.1f}% of the digits, none would be.",
    )


@cache
def _tagger():
    """Return the task of the made-up sentences, the run until nothing is wrong, and the vector with
    the widest gap.
    """
    X, y = streams.SENTENCES
    words, tags = ({each for row in rows for each in row} for rows in (X, y))
    task = Tagging(sorted(words), sorted(tags))
    run = play(StructuredPerceptron(task), X, y, epochs=100, until_consistent=True)
    return task, run, *widest_gap(task, X, y)


@figure(lecture="10")
def trellis(sentence="the old man the boats"):
    """The table of Viterbi's algorithm for a sentence: best score of a tagging that ends in each
    tag, and the best path.
    """
    task, run, _, _ = _tagger()
    x, w = tuple(sentence.split()), run.weights[-1]
    if not x:
        raise ValueError("sentence must have at least one word")
    score, follow = task.scores(w, x)
    table, came = [score[0]], []
    for row in score[1:]:
        total = table[-1][:, None] + follow
        came.append(total.argmax(axis=0))
        table.append(total.max(axis=0) + row)
    path = viterbi(score, follow)
    fig, ax = canvas(width=max(5.0, 1.5 * len(x) + 1), height=3.8)
    for i, back in enumerate(came, 1):
        for k, j in enumerate(back):
            best = path[i - 1] == j and path[i] == k
            colour, width = (VERMILLION, 3.5) if best else (PALE, 1)
            ax.plot([i - 1, i], [j, k], color=colour, linewidth=width, zorder=1)
    for i, row in enumerate(table):
        for k, value in enumerate(row):
            weight, inside, edge = "normal", "white", GREY
            if path[i] == k:
                weight, inside, edge = "bold", PALE_VERMILLION, VERMILLION
            circle = dict(boxstyle="circle,pad=0.35", facecolor=inside, edgecolor=edge)
            ax.word(i, k, f"{value:.0f}", zorder=3, fontweight=weight, bbox=circle)
    ax.bare(xlim=(-0.5, len(x) - 0.5), ylim=(len(task.tags) - 0.5, -0.5))
    ax.set_xticks(range(len(x)), x)
    ax.set_yticks(range(len(task.tags)), task.tags)
    ax.set_title("each circle keeps only its best line back")
    tags, number = " ".join(task.tags[k] for k in path), len(task.tags) ** len(x)
    sums = (len(x) - 1) * len(task.tags) ** 2
    return fig.says(
        f"The best tagging is {tags}, found with {sums} sums instead of {number} taggings.",
        "Best score of a tagging that ends in each tag, word by word; each node keeps one line"
        f' back. The best tagging of "{sentence}" is {tags} with score {table[-1].max():.0f}, the'
        f" thick vermilion path. It was found with {sums} sums instead of {number} taggings.",
    )


@figure(lecture="10")
def tagger_squeeze():
    """The length of the tagger's weight vector between its two bounds, against the number of
    mistakes.
    """
    task, run, v, gamma = _tagger()
    ledger = structured_bound(run, v)
    after = np.concatenate([[0], np.flatnonzero(run.mistake) + 1])
    length = np.linalg.norm(run.weights[after], axis=1)
    R, meet = np.sqrt(ledger.bound) * gamma, ledger.bound
    M, m = np.arange(1, len(after)), np.geomspace(1, 2 * meet, 200)
    fig, ax = canvas(height=3.6)
    ax.plot(m, R * np.sqrt(m), **BOUND, label=r"$R\,\sqrt{M}$")
    ax.plot(m, gamma * m, **DOTTED, label=r"$\gamma M$")
    ax.curve(M, length[1:], LOOK["Perceptron"], "", "o", 3)
    ax.dots(meet, R * np.sqrt(meet), "o", BLACK)
    ax.note(f"(R/γ)² = {meet:.0f}", (meet, R * np.sqrt(meet)), (0, 10), ha="right")
    text, colour = f"‖w‖, up to {run.mistakes} mistakes", LOOK["Perceptron"]["color"]
    ax.note(text, (M[0], length[1]), (0, -20), colour, ha="left")
    ax.corner("no room beyond the crossing", 0.97, 0.04)
    ax.frame("mistakes M", "length of w", xlog=10, ylog=10)
    ax.ends()
    passes = run.mistakes_per_pass
    return fig.says(
        f"The tagger is done after {run.mistakes} mistakes; the bounds on its length meet only at"
        f" {ledger.bound:.0f}.",
        f"The tagger learns {run.period} sentences in {len(passes)} passes with {run.mistakes}"
        f" mistakes. Then ‖w‖ = {length[-1]:.1f} lies between γM = {gamma * run.mistakes:.1f} and"
        f" R√M = {R * np.sqrt(run.mistakes):.1f}. The two bounds meet at (R/γ)² ="
        f" {ledger.bound:.0f} mistakes, with R = {R:.2f} and γ = {gamma:.3f}.",
    )
