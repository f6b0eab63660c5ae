"""The theorems of lecture 19: the identity behind five algorithms, and what follows from it."""

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import vector
from ..ledger import Proof, as_hypothesis, assume, claim, theorem
from ..protocol import Run
from .geometry import Path, path_of

__all__ = ["mirror_bound", "mirror_identity", "norm_perceptron_bound"]


def _compared(path, u):
    """Return u after checking that it is a point of the space of the weights."""
    with as_hypothesis():
        u = vector("u", u, path.w.shape[1])
    if path.geometry.name.startswith("entropy"):
        assume((u >= 0).all(), "u must have no entry below 0: logarithms are taken")
        assume((path.w > 0).all(), "all weights must be > 0: logarithms are taken")
    if path.geometry.p == 1:
        assume(abs(u.sum() - 1) < 1e-9, "the entries of u must sum to 1, as the weights do")
    return u


def _along(path, u):
    """Return D(u, w_t) for t = 1 … T+1, D(w_t, w_{t+1}), and η g_t·(w_t-u)."""
    D = path.geometry.divergence
    return (
        D(u, path.w),
        D(path.w[:-1], path.w[1:]),
        path.eta * np.sum(path.g * (path.w[:-1] - u), axis=1),
    )


@theorem(
    r"\eta\sum_t g_t\cdot(w_t-u) = D(u,w_1) - D(u,w_{T+1}) + \sum_t D(w_t,w_{t+1})",
    items="MD-T1 MD-D1",
    lecture="19",
)
def mirror_identity(run: Run | Path, u: ArrayLike) -> Proof:
    """The identity behind five algorithms of the course: what mirror descent pays, against any u.

    The learner is a case of mirror descent in a geometry ψ with gradients g_t, whatever these are.
    u is any point at which ψ is finite; where the weights sum to 1, so does u.

    >>> run = play(Perceptron(2), streams.FOUR_POINTS, [1, 1, 1, 1])
    >>> mirror_identity(run, [1, 1]).holds
    True
    """
    path = path_of(run)
    point = _compared(path, u)
    apart, steps, paid = _along(path, point)
    turned = path.geometry.dual(path.w[:-1]) - path.geometry.dual(path.w[1:])
    unit = 1 + float(np.abs(apart).max() + np.abs(turned * (path.w[:-1] - point)).sum(axis=1).max())
    yield claim(
        r"\eta\,g_t\cdot(w_t-u) = (\nabla\psi(w_t)-\nabla\psi(w_{t+1}))\cdot(w_t-u)",
        paid,
        np.sum(turned * (path.w[:-1] - point), axis=1),
        unit=unit,
    ).because("the update; to divide by the sum adds a constant, and w_t - u sums to 0 then")
    yield claim(
        r"\eta\,g_t\cdot(w_t-u) = D(u,w_t) - D(u,w_{t+1}) + D(w_t,w_{t+1})",
        paid,
        apart[:-1] - apart[1:] + steps,
        unit=unit,
    ).because("put the definition of D into the right side: ψ cancels")
    yield claim(
        r"\eta\sum_t g_t\cdot(w_t-u) = D(u,w_1) - D(u,w_{T+1}) + \sum_t D(w_t,w_{t+1})",
        paid.sum(),
        apart[0] - apart[-1] + steps.sum(),
        unit=unit * len(steps),
    ).because("the sum telescopes")


@theorem(
    r"\sum_t g_t\cdot(w_t-u) \le \frac{D(u,w_1)}\eta + \frac\eta{2\sigma}\sum_t\|g_t\|_*^2",
    items="MD-T1 MD-C1",
    lecture="19",
)
def mirror_bound(run: Run | Path, u: ArrayLike) -> Proof:
    r"""Mirror descent's regret for linear losses, in the norm in which ψ is σ-strongly convex.

    ψ is σ-strongly convex in a norm (Euclid's potential in its own with σ = 1, the entropy on the
    simplex in the 1-norm with σ = 1, half the squared p-norm, p ≤ 2, with σ = p - 1), ‖·‖_* is
    its dual norm. u is as in the identity.

    >>> losses = streams.coin_losses(50, [0.3, 0.5], rng=0)
    >>> mirror_bound(play(Hedge(2, eta=0.2), losses), [1, 0]).holds
    True
    """
    path = path_of(run)
    geometry, eta = path.geometry, path.eta
    assume(geometry.p, f"ψ must be strongly convex in a norm; {geometry.name} is in none")
    apart, steps, paid = _along(path, _compared(path, u))
    sigma, moved = geometry.strength, path.w[:-1] - path.w[1:]
    length = np.linalg.norm(moved, geometry.p, axis=1)
    dual = np.linalg.norm(path.g, geometry.q, axis=1)
    back = geometry.divergence(path.w[1:], path.w[:-1])
    unit = 1 + float(np.abs(geometry.potential(path.w)).max())
    earned = eta * np.sum(path.g * moved, axis=1)
    yield claim(
        r"D(w_{t+1},w_t) \ge \tfrac\sigma2\|w_t-w_{t+1}\|^2", back, sigma / 2 * length**2, unit=unit
    ).because("ψ is σ-strongly convex")
    yield claim(
        r"D(w_t,w_{t+1}) + D(w_{t+1},w_t) = \eta\,g_t\cdot(w_t-w_{t+1})",
        steps + back,
        earned,
        unit=unit,
    ).because("the identity, with w_{t+1} for u")
    yield claim(
        r"\eta\,g_t\cdot(w_t-w_{t+1}) \le \tfrac{\eta^2}{2\sigma}\|g_t\|_*^2"
        r" + \tfrac\sigma2\|w_t-w_{t+1}\|^2",
        earned,
        eta**2 / (2 * sigma) * dual**2 + sigma / 2 * length**2,
        unit=unit,
    ).because("what a dual norm is, and 2cd ≤ c² + d²")
    yield claim(
        r"D(w_t,w_{t+1}) \le \tfrac{\eta^2}{2\sigma}\|g_t\|_*^2",
        steps,
        eta**2 / (2 * sigma) * dual**2,
        unit=unit,
    ).because("lines 1 to 3")
    yield claim(
        r"\sum_t g_t\cdot(w_t-u) \le \frac{D(u,w_1)}\eta + \frac\eta{2\sigma}\sum_t\|g_t\|_*^2",
        paid.sum() / eta,
        apart[0] / eta + eta / (2 * sigma) * np.sum(dual**2),
        unit=unit * len(steps),
    ).because("the identity over η, without -D(u,w_{T+1}), which is at most 0; line 4")


@theorem(r"M \le (q-1)\,\max_t\|x_t\|_q^2\,\|u\|_p^2", items="MD-C1 MD-E1", lecture="19")
def norm_perceptron_bound(run: Run, u: ArrayLike) -> Proof:
    """The Perceptron's mistakes in any norm, from Novikoff's bound, q = 2, to a logarithm.

    The learner is the Perceptron or NormPerceptron(n, q), 1/p + 1/q = 1, and u has
    y_t (u·x_t) ≥ 1 on all trials.

    >>> run = play(NormPerceptron(2, q=3), np.eye(2), [1, 1])
    >>> norm_perceptron_bound(run, [1, 1]).holds
    True
    """
    path = path_of(run)
    geometry, on = path.geometry, run.mistake
    assume(geometry.p > 1, "the learner must be the Perceptron or a NormPerceptron")
    v = _compared(path, u)
    assume((run.y * (run.X @ v) >= 1 - 1e-9).all(), "u must have y (u·x) ≥ 1 on every trial")
    X2 = float((np.linalg.norm(run.X, geometry.q, axis=1) ** 2).max())
    c = X2 / geometry.strength
    apart, steps, paid = _along(path, c * v)
    yield claim(r"g_t\cdot(w_t-cu) \ge c", paid, c, on=on).because(
        "on a mistake g_t = -y_t x_t, y_t (w_t·x_t) ≤ 0 and y_t (u·x_t) ≥ 1"
    )
    yield claim(r"D(w_t,w_{t+1}) \le \tfrac c2", steps, c / 2, on=on).because(
        "line 4 of the regret bound, with c = (q-1) max ‖x_t‖_q²"
    )
    yield claim(
        r"c\,M \le D(cu,w_1) + \tfrac c2 M", c * run.mistakes, apart[0] + c / 2 * run.mistakes
    ).because("the identity, with cu for u, lines 1 and 2; D(cu,w_{T+1}) ≥ 0")
    yield claim(
        r"M \le (q-1)\,\max_t\|x_t\|_q^2\,\|u\|_p^2",
        run.mistakes,
        c * np.linalg.norm(v, geometry.p) ** 2,
    ).because("w_1 = 0, so D(cu,w_1) = c²‖u‖_p²/2; divide by c/2")
