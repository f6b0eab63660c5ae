"""The theorem of lecture 10: the structured Perceptron's mistakes."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..ledger import Proof, assume, claim, theorem
from ..perceptron.margins import squares
from ..protocol import Run

__all__ = ["structured_bound"]


@theorem(r"M \le (R/\gamma)^2", items="STRUCT-P1", lecture="10")
def structured_bound(run: Run, v: ArrayLike) -> Proof:
    """The structured Perceptron's mistake bound, from w_1 = 0.

    On every trial v, which is scaled to length 1, must score y_t above every other candidate by at
    least γ > 0; R is the length of the longest Δ_t = f(x_t, y_t) - f(x_t, ŷ_t) of a mistake.

    >>> task = structures.Listed(4, lambda x, y: np.eye(4)[2 * x + y], lambda x: (0, 1))
    >>> run = play(StructuredPerceptron(task), [0, 1, 0, 1], [0, 1, 0, 1])
    >>> structured_bound(run, v=[1, -1, -1, 1]).holds
    True
    """
    task: Any = getattr(run.learner, "task", None)
    w, M, on = run.weights, run.mistakes_before, run.mistake
    assume(
        task is not None and w is not None and not w[0].any(),
        "the learner must keep its task in an attribute task, and its weights in an attribute w,"
        " which is 0 at the start",
    )
    v = np.asarray(v, float)
    assume(
        v.shape == (task.size,) and v.any(), f"v must be a vector of {task.size} numbers, not all 0"
    )
    v = v / np.linalg.norm(v)
    right = np.array([task.features(x, y) for x, y in zip(run.X, run.y, strict=True)])
    said = np.array([task.features(x, y) for x, y in zip(run.X, run.predictions, strict=True)])
    gaps = [
        f @ v - task.features(x, task.rival(v, x, y)) @ v
        for f, x, y in zip(right, run.X, run.y, strict=True)
    ]
    gamma, worst = min(gaps), int(np.argmin(gaps))
    assume(
        gamma > 1e-12,
        f"v must score each y above all other candidates; on trial {worst + 1} it scores"
        f" {run.y[worst]!r} above {task.rival(v, run.X[worst], run.y[worst])!r} by {gamma:.4g}",
    )
    D = right - said
    D2, along, size = squares(D), w @ v, squares(w)
    R2, score = max(D2[on], default=0.0), (w[:-1] * D).sum(axis=1)
    yield claim(
        r"\|w_{t+1} - w_t - \Delta_t\| = 0", np.sqrt(squares(np.diff(w, axis=0) - D)), 0
    ).because("the update adds Δ_t = f(x_t,y_t) - f(x_t,ŷ_t), which is 0 without a mistake")
    yield claim(r"w_t\cdot \Delta_t \le 0", score, 0, on=on).because(
        "a mistake: ŷ_t scored at least as high as y_t"
    )
    yield claim(
        r"w_{t+1}\cdot \Delta_t = w_t\cdot \Delta_t + \|\Delta_t\|^2",
        (w[1:] * D).sum(axis=1),
        score + D2,
        on=on,
    ).because("the update moves y_t up against ŷ_t")
    yield claim(
        r"\|w_{t+1}\|^2 \le \|w_t\|^2 + \|\Delta_t\|^2", size[1:], size[:-1] + D2, on=on
    ).because("expand the square, line 2")
    yield claim(r"\|w_t\|^2 \le M_t R^2", size, M * R2).because(
        "no Δ_t of a mistake is longer than R; nothing changes between mistakes"
    )
    yield claim(
        r"w_{t+1}\cdot v \ge w_t\cdot v + \gamma", along[1:], along[:-1] + gamma, on=on
    ).because("v scores y_t above ŷ_t by γ or more")
    yield claim(r"w_t\cdot v \ge M_t\,\gamma", along, M * gamma).because("one mistake at a time")
    yield claim(r"(M\gamma)^2 \le M R^2", (M[-1] * gamma) ** 2, M[-1] * R2).because(
        "Cauchy–Schwarz, ‖v‖ = 1, lines 5 and 7 at the end"
    )
    yield claim(r"M \le (R/\gamma)^2", M[-1], R2 / gamma**2).because("divide by M γ²")
