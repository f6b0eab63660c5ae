"""The theorems of lecture 07: Novikoff's mistake bound for the Perceptron, in the four
dialects of the notes.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..checks import check_range, check_values
from ..ledger import Proof, as_hypothesis, assume, claim, theorem
from ..protocol import Run
from .margins import margin, max_margin, squares

__all__ = [
    "cauchy_schwarz",
    "novikoff",
    "novikoff_comparator",
    "novikoff_cosine",
    "novikoff_quadratic",
]


def _separator(run, v) -> np.ndarray:
    """Return v, by default the one with the largest margin; assume that weights, signs and a vector
    are there.
    """
    assume(run.weights is not None, "the learner must keep its weights in an attribute w")
    columns, entries = run.X.shape[1], run.weights.shape[1]
    assume(
        entries == columns,
        "w must have one entry for each column of X; "
        f"X has {columns} columns, w has {entries} entries",
    )
    with as_hypothesis():
        check_values("y", run.y, "signs")
        v = max_margin(run.X, run.y).v if v is None else np.asarray(v, float)
        margin(run.X, run.y, v)
    return v


def _direction(run, v) -> np.ndarray:
    """Return the same vector, scaled to length 1."""
    v = _separator(run, v)
    return v / np.linalg.norm(v)


def assume_scores(run: Run, name: str, v: np.ndarray, least: float = 0.0) -> float:
    """Assume y·(v·x) > 0, or >= least if that is given, on every row; return the smallest."""
    scores = run.y * (run.X @ v)
    row = int(scores.argmin())
    found = f"y·({name}·x) = {scores[row]:.4g} at row {row}"
    assume(scores[row] > 0, f"{name} does not separate: {found}")
    assume(
        scores[row] >= least * (1 - 1e-9),
        f"{name} must have y·({name}·x) >= {least:g} on every row: {found}",
    )
    return float(scores[row])


def novikoff_at_most(X: ArrayLike, y: ArrayLike) -> float:
    """Return (R/γ)² of labelled rows, with their longest R and their largest margin γ (PERC-T2)."""
    return float(squares(np.asarray(X)).max() / max_margin(X, y).gamma ** 2)


def _cosines(run, v):
    """Return the cosine of the angle between w_t and v; 0 where w_t = 0, which has no direction."""
    lengths = np.linalg.norm(run.weights, axis=1)
    return run.weights @ v / np.where(lengths > 0, lengths, 1.0) / np.linalg.norm(v)


@theorem(r"w\cdot v \le \|w\|", items="PERC-L1", lecture="07")
def cauchy_schwarz(run: Run, v: ArrayLike | None = None) -> Proof:
    """The Cauchy–Schwarz inequality, for the weights of a run and a vector v of length 1.

    For all real vectors w, and v with ‖v‖ = 1.

    >>> cauchy_schwarz(play(Perceptron(2), *streams.TEN_POINTS)).holds
    True
    """
    v = _direction(run, v)
    w, along, on = run.weights, run.weights @ v, run.weights.any(axis=1)
    yield claim(
        r"\|w_t\|^2 = (w_t\cdot v)^2 + \|w_t - (w_t\cdot v)\,v\|^2",
        squares(w),
        along**2 + squares(w - np.outer(along, v)),
        on=on,
    ).because("Pythagoras: the part along v and the rest")
    yield claim(r"(w_t\cdot v)^2 \le \|w_t\|^2", along**2, squares(w), on=on).because(
        "a square is at least 0"
    )
    yield claim(r"w_t\cdot v \le \|w_t\|", along, np.linalg.norm(w, axis=1), on=on).because(
        "take the root"
    )


@theorem(
    r"M \le (R/\gamma)^2",
    items="PERC-T2 PERC-P1 PERC-L2 PERC-L3 PERC-L4",
    lecture="07",
    learners="Perceptron VotedPerceptron AveragedPerceptron",
)
def novikoff(run: Run, v: ArrayLike | None = None) -> Proof:
    """Novikoff's mistake bound: the norm squeeze.

    Hypotheses: labels -1 and +1; w_1 = 0; w_{t+1} = w_t + y_t x_t on a mistake, a tie being one,
    and w_{t+1} = w_t otherwise; no x_t longer than R, here the longest; y_t (v·x_t) >= γ > 0 for
    all t with ‖v‖ = 1. A v of another length is scaled; without v it is the one with the largest
    margin.

    >>> novikoff(play(Perceptron(2), *streams.TEN_POINTS, epochs=2)).holds
    True
    """
    v = _direction(run, v)
    gamma = assume_scores(run, "v", v)
    w, X, y = run.weights, run.X, run.y
    M, on, score = run.mistakes_before, run.mistake, y * np.einsum("ti,ti->t", w[:-1], X)
    size, along, x2 = squares(w), w @ v, squares(X)
    R2 = x2.max()
    yield claim(r"\|w_1\| = 0", np.sqrt(size[0]), 0).because("the start")
    yield claim(
        r"\|w_{t+1} - w_t\| = 0", np.linalg.norm(np.diff(w, axis=0), axis=1), 0, on=~on
    ).because("no mistake: nothing changes")
    yield claim(
        r"\|w_{t+1}\|^2 = \|w_t\|^2 + 2y_t\,w_t\cdot x_t + \|x_t\|^2",
        size[1:],
        size[:-1] + 2 * score + x2,
        on=on,
    ).because("a mistake: w_{t+1} = w_t + y_t x_t, expand the square")
    yield claim(
        r"\|w_{t+1}\|^2 \le \|w_t\|^2 + \|x_t\|^2", size[1:], size[:-1] + x2, on=on
    ).because("on a mistake y_t w_t·x_t ≤ 0")
    yield claim(r"\|w_{t+1}\|^2 \le \|w_t\|^2 + R^2", size[1:], size[:-1] + R2, on=on).because(
        "no x_t is longer than R"
    )
    yield claim(r"\|w_t\|^2 \le M_t R^2", size, M * R2, on=M > 0).because(
        "lines 1, 2 and 5, one mistake at a time"
    )
    yield claim(
        r"w_{t+1}\cdot v = w_t\cdot v + y_t\,x_t\cdot v", along[1:], along[:-1] + y * (X @ v), on=on
    ).because("a mistake: multiply the update by v")
    yield claim(
        r"w_{t+1}\cdot v \ge w_t\cdot v + \gamma", along[1:], along[:-1] + gamma, on=on
    ).because("v has margin γ")
    yield claim(r"w_t\cdot v \ge M_t \gamma", along, M * gamma, on=M > 0).because(
        "lines 1, 2 and 8, one mistake at a time"
    )
    yield claim(r"w_t\cdot v \le \|w_t\|", along, np.sqrt(size), on=M > 0).because(
        "Cauchy–Schwarz, ‖v‖ = 1"
    )
    yield claim(r"(M\gamma)^2 \le M R^2", (M[-1] * gamma) ** 2, M[-1] * R2).because(
        "lines 9, 10 and 6 at the end; γ > 0"
    )
    yield claim(r"M \le (R/\gamma)^2", M[-1], R2 / gamma**2).because("divide by M γ²")


@theorem(r"M \le r^2/\rho^2", items="PERC-T2 PERC-P3", lecture="07")
def novikoff_quadratic(run: Run, v: ArrayLike | None = None) -> Proof:
    """Novikoff's mistake bound: the quadratic form, for v of any length.

    Hypotheses as in `novikoff`, with y_t (v·x_t) >= ρ‖v‖ for a ρ > 0, and r for R.

    >>> novikoff_quadratic(play(Perceptron(2), *streams.TEN_POINTS, epochs=2)).holds
    True
    """
    v = _separator(run, v)
    length = np.linalg.norm(v)
    rho = assume_scores(run, "v", v) / length
    M, on, r2 = run.mistakes_before, run.mistake, squares(run.X).max()
    size, along = squares(run.weights), run.weights @ v
    yield claim(r"\|w_{t+1}\|^2 \le \|w_t\|^2 + r^2", size[1:], size[:-1] + r2, on=on).because(
        "a mistake: the cross term is ≤ 0, ‖x_t‖ ≤ r"
    )
    yield claim(r"\|w_t\|^2 \le M_t\, r^2", size, M * r2, on=M > 0).because(
        "line 1 along the updates, from w_1 = 0"
    )
    yield claim(
        r"w_{t+1}\cdot v \ge w_t\cdot v + \rho\,\|v\|", along[1:], along[:-1] + rho * length, on=on
    ).because("a mistake: y_t v·x_t ≥ ρ‖v‖")
    yield claim(r"w_t\cdot v / \|v\| \ge M_t\,\rho", along / length, M * rho, on=M > 0).because(
        "line 3 along the updates, from w_1 = 0"
    )
    yield claim(
        r"M_t^2\rho^2 \le (w_t\cdot v)^2/\|v\|^2", (M * rho) ** 2, (along / length) ** 2, on=M > 0
    ).because("square line 4, both sides are ≥ 0")
    yield claim(
        r"(w_t\cdot v)^2/\|v\|^2 \le \|w_t\|^2", (along / length) ** 2, size, on=M > 0
    ).because("Cauchy–Schwarz")
    yield claim(r"M^2\rho^2 \le M\,r^2", (M[-1] * rho) ** 2, M[-1] * r2).because(
        "lines 5, 6 and 2 at the end"
    )
    yield claim(r"M \le r^2/\rho^2", M[-1], r2 / rho**2).because("divide by M ρ²")


@theorem(r"M \le (R/\gamma)^2", items="PERC-T2 PERC-T4 PERC-P2 PERC-C11", lecture="07")
def novikoff_cosine(run: Run, v: ArrayLike | None = None) -> Proof:
    """Novikoff's mistake bound: the cosine of the angle between w and v (1/γ² for unit vectors with
    gap γ).

    Hypotheses as in `novikoff`; the cosine is taken from the first mistake on, where w ≠ 0.

    >>> novikoff_cosine(play(Perceptron(2), *streams.TEN_POINTS, epochs=2)).holds
    True
    """
    v = _direction(run, v)
    gamma = assume_scores(run, "v", v)
    M, on, R = run.mistakes_before, run.mistake, np.sqrt(squares(run.X).max())
    size, along, cosine = squares(run.weights), run.weights @ v, _cosines(run, v)
    yield claim(
        r"w_{t+1}\cdot v \ge w_t\cdot v + \gamma", along[1:], along[:-1] + gamma, on=on
    ).because("a mistake raises the numerator")
    yield claim(r"\|w_{t+1}\|^2 \le \|w_t\|^2 + R^2", size[1:], size[:-1] + R**2, on=on).because(
        "and the squared denominator, at most by this"
    )
    yield claim(
        r"\cos(w_t, v) \ge \sqrt{M_t}\,\gamma/R", cosine, np.sqrt(M) * gamma / R, on=M > 0
    ).because("divide, from the first update on: before it w = 0")
    yield claim(r"\cos(w_t, v) \le 1", cosine, 1, on=M > 0).because("it is a cosine")
    yield claim(r"\sqrt{M}\,\gamma/R \le 1", np.sqrt(M[-1]) * gamma / R, 1).because(
        "lines 3 and 4 at the end"
    )
    yield claim(r"M \le (R/\gamma)^2", M[-1], (R / gamma) ** 2).because("square and solve")


@theorem(r"M \le (RB/\rho)^2", items="PERC-T3 PERC-C5", lecture="07")
def novikoff_comparator(run: Run, u: ArrayLike | None = None, rho: float = 1.0) -> Proof:
    """Novikoff's mistake bound: a vector u with y(u·x) ≥ ρ and length B, by default the shortest
    one.

    Hypotheses as in `novikoff`, with y_t (u·x_t) >= ρ > 0 and ‖u‖ = B. If the last pass was clean,
    a line says that the final w is right about every example.

    >>> novikoff_comparator(play(Perceptron(2), *streams.TEN_POINTS, epochs=2)).holds
    True
    """
    rho = check_range("rho", rho, lambda r: 0 < r < np.inf, "a finite number > 0")
    v = _separator(run, u)
    u = v * rho / assume_scores(run, "v", v) if u is None else v
    assume_scores(run, "u", u, rho)
    w, M, on = run.weights, run.mistakes_before, run.mistake
    B, R = np.linalg.norm(u), np.sqrt(squares(run.X).max())
    along, length = w @ u, np.sqrt(squares(w))
    yield claim(
        r"w_{t+1}\cdot u \ge w_t\cdot u + \rho", along[1:], along[:-1] + rho, on=on
    ).because("a mistake: y_t u·x_t ≥ ρ")
    yield claim(r"w_t\cdot u \ge M_t\,\rho", along, M * rho, on=M > 0).because(
        "line 1 along the updates, from w_1 = 0"
    )
    yield claim(r"\|w_t\| \le \sqrt{M_t}\,R", length, np.sqrt(M) * R, on=M > 0).because(
        "the Pythagorean lemma along the updates"
    )
    yield claim(r"w_t\cdot u \le \|w_t\|\,B", along, length * B, on=M > 0).because(
        "Cauchy–Schwarz, ‖u‖ = B"
    )
    yield claim(r"M\rho \le \sqrt M\,R\,B", M[-1] * rho, np.sqrt(M[-1]) * R * B).because(
        "lines 2, 4 and 3 at the end"
    )
    if run.mistakes_per_pass[-1] == 0:
        yield claim(
            r"|\{t: y_t\,w_{T+1}\cdot x_t \le 0\}| = 0", np.sum(run.y * (run.X @ w[-1]) <= 0), 0
        ).because("the last pass changed nothing and made no mistake")
    yield claim(r"M \le (RB/\rho)^2", M[-1], (R * B / rho) ** 2).because(
        "square line 5 and divide by M ρ²"
    )
