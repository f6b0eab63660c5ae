"""Errors and remarks on the notes about losses and gradient descent (lectures 08 and 09)."""

import numpy as np

from .. import streams
from ..ledger import claim
from ..notes import erratum, remark
from ..protocol import play
from .learners import OnlineGradientDescent


def _loss(a):
    """Return the Perceptron's loss max(0, -a) of the score a = y w·x."""
    return np.maximum(0, -np.asarray(a, float))


# Errors -------------------------------------------------------------------------------------------


@erratum(
    "E2-19",
    severity="A",
    where="slide 44, the solution of the minimisation",
    lecture="09",
    printed=(
        r"\arg\min_w L_t(w) + \lambda\|w-w_t\|^2 \text{ is } w_t \text{ if } y_t\,w\cdot x_t > 1"
        r" \text{ and } w_t + \tfrac{y_t x_t}{2\lambda} \text{ if } y_t\,w\cdot x_t < 1"
    ),
    right=r"w_t + \min\big(\tfrac1{2\lambda}, \tfrac{L_t(w_t)}{\|x_t\|^2}\big)\,y_t x_t",
)
def exact_step():
    """With w_t = 0, x = y = 1 and λ = 0.1 the two printed solutions 0 and 5 cost 1 and 2.5; the
    minimum is 0.1, at w = 1, where the loss has its kink.
    """
    lam, grid = 0.1, np.linspace(-10, 10, 20001)

    def cost(w):
        return np.maximum(0, 1 - w) + lam * w**2

    step = play(OnlineGradientDescent(1, eta=1 / (2 * lam), exact=True), [[1.0]], [1])
    least = r"\le \min_w L_t(w) + \lambda\|w-w_t\|^2"
    return (
        claim(
            r"\text{cost of the better printed solution} " + least,
            min(cost(0.0), cost(1 / (2 * lam))),
            cost(grid).min(),
        ),
        claim(
            r"\text{cost of the exact step} " + least, cost(step.weights[-1, 0]), cost(grid).min()
        ),
    )


@erratum(
    "E2-21",
    severity="C",
    where="slide 49, step 3, against the algorithm on slide 45",
    lecture="09",
    printed=r"\text{update if } y\hat y \le 1",
    right=r"\text{update if } y\hat y < 1",
)
def update_at_the_kink():
    """The algorithm of slide 45 with η = 1 on x = y = 1, twice: after the first step y ŷ = 1, and
    it stays. There both 0 and −yx are subgradients, so the proof allows either.
    """
    run = play(OnlineGradientDescent(1), [[1.0], [1.0]], [1, 1])
    score, updates = run.y * run.predictions, np.diff(run.weights[:, 0]) != 0
    of_those = r"\text{updates on trials with } y\hat y"
    return (
        claim(rf"{of_those} \le 1", updates, score <= 1, relation="=="),
        claim(rf"{of_those} < 1", updates, score < 1, relation="=="),
    )


# Remarks ------------------------------------------------------------------------------------------


@remark(
    "E1-04",
    where="the objective function, second copy of the loss",
    lecture="08",
    says=r"\tilde F(w,x) = \max(0, f(x)\,w\cdot x) \text{ in our copy}",
    fair=(
        r"\text{a minus was lost on the way: the same line also has } \max(0, -y\,w\cdot x),"
        r" \text{ which is meant}"
    ),
)
def sign_of_the_loss():
    """A score y w·x of 1 is right and costs nothing."""
    return claim(r"\max(0, -y\,w\cdot x) = 0 \text{ at } y\,w\cdot x = 1", _loss(1), 0)


@remark(
    "E1-05",
    where="the objective function, the sentence on convexity",
    lecture="08",
    says=r"F \text{ is convex, therefore the Perceptron is subgradient descent on } F",
    fair=(
        r"\text{that it is follows from the computation on the next page, with } -yx \text{ chosen"
        r" at the kink; } F(0) = 0 \text{ is already minimal}"
    ),
)
def minimal_at_zero():
    """The mean loss of ten points is 0 at w = 0, and no loss is negative."""
    X, y = streams.TEN_POINTS
    return claim(r"F(0) = 0", _loss(y * (X @ np.zeros(2))).mean(), 0)


@remark(
    "E3-02",
    where="the Perceptron loss, last bullet",
    lecture="08",
    says=r"\text{the loss is linear in the weights}",
    fair=r"\text{on each side of its kink; the next slide says piecewise linear}",
)
def bent_loss():
    """Between the scores -1 and 1 the chord lies above the loss in the middle: 1 against 0."""
    return claim(r"L(1) + L(-1) \ge 2L(0)", _loss(1) + _loss(-1), 2 * _loss(0))


@remark(
    "E3-03",
    where="subgradient, first two bullets",
    lecture="08",
    says=r"\text{a tangent touches } f \text{ and lies below it}",
    fair=r"\text{for convex } f, \text{ such as the losses there; the set is the subdifferential}",
)
def tangent_below():
    """The tangent of the convex exp at 1 lies below exp on [-1, 3]."""
    z = np.linspace(-1, 3, 41)
    return claim(r"e^z \ge e + e\,(z-1)", np.exp(z), np.e * z, of="points")


@remark(
    "E3-04",
    where="subgradient, last bullet",
    lecture="08",
    says=r"\text{subgradient descent converges similarly to gradient descent}",
    fair=(
        r"\text{with shrinking steps or averaging, at the rate } 1/\sqrt T; \text{ single steps may"
        r" go uphill}"
    ),
)
def mean_over_a_kink():
    """From 1, 200 steps of 1/√200 on |x|: the mean of |x| over the steps is at most 1/√200."""
    T, x, path = 200, 1.0, []
    for _ in range(T):
        path.append(abs(x))
        x -= np.sign(x) / np.sqrt(T)
    return claim(r"\tfrac1T\sum_t |x_t| \le 1/\sqrt T", np.mean(path), 1 / np.sqrt(T))
