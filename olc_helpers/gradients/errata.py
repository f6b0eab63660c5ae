"""Errata of the notes on losses and gradient descent (lecture 06)."""

import numpy as np

from .. import proofs, streams
from ..clinic import erratum, wording
from ..ledger import claim
from ..perceptron.learners import Perceptron
from ..protocol import play
from .learners import OnlineGradientDescent

NOTES, SLIDES, HERBSTER = "Notes after Mohri et al.", "Slides on linear models", "Herbster"


def _loss(t):
    """Return the Perceptron's loss max(0, -t) of a margin t."""
    return np.maximum(0, -np.asarray(t, float))


def _wrong(w):
    """Return how many of the ten points w does not classify; a score of 0 is no classification."""
    X, y = streams.TEN_POINTS
    return int((y * (X @ w) <= 0).sum())


# Losses and subgradients --------------------------------------------------------------------------


@erratum(
    "E1-04",
    severity="A",
    source=NOTES,
    lecture="06",
    printed=r"\tilde F(w,x) = \max(0, y\,w\cdot x)",
    right=r"\tilde F(w,x) = \max(0, -y\,w\cdot x)",
)
def sign_of_the_loss():
    """An example with margin y w·x = 1 is classified correctly, so its loss must be 0; the printed
    one is 1.
    """
    return (
        claim(r"\max(0, y\,w\cdot x) = 0", max(0, 1.0), 0, relation="=="),
        claim(r"\max(0, -y\,w\cdot x) = 0", _loss(1.0), 0, relation="=="),
    )


@erratum(
    "E1-05",
    severity="B",
    source=NOTES,
    lecture="06",
    printed=r"F \text{ is convex, so its minimiser is the separator that the Perceptron seeks}",
    right=(
        r"F(0) = 0 = \min F: \text{ the Perceptron moves because it picks } -yx \text{ at the kink}"
    ),
)
def minimiser_separates():
    """w = 0 minimises the mean loss of ten separable points, F(0) = 0, and classifies none of
    them.
    """
    X, y = streams.TEN_POINTS
    return (
        claim(
            r"|\{t: y_t\,w\cdot x_t \le 0\}| = 0 \text{ at the minimiser } w = 0",
            _wrong(np.zeros(2)),
            0,
            relation="==",
        ),
        claim(r"F(0) = 0 = \min F", _loss(y * (X @ np.zeros(2))).mean(), 0, relation="=="),
    )


wording(
    "E1-06",
    severity="C",
    source=NOTES,
    lecture="06",
    printed=r"\nabla\tilde F = 0 \text{ if } -y\,w\cdot x \le 0",
    right=r"\nabla\tilde F = 0 \text{ if } -y\,w\cdot x < 0",
    example="Where there is a gradient, w·x is not 0.",
)
wording(
    "E1-07",
    severity="C",
    source=NOTES,
    lecture="06",
    printed=r"F \text{ has kinks at points } x \text{ with } w\cdot x = 0",
    right=(
        r"F \text{ has kinks at those } w \text{ with } w\cdot x_t = 0 \text{ for some } x_t \ne 0"
    ),
    example="F is a function of w; the x are data.",
)


@erratum(
    "E3-02",
    severity="C",
    source=SLIDES,
    lecture="06",
    printed=r"\text{the loss is a linear function of the weights}",
    right=r"\text{it is convex and piecewise linear}",
)
def linear_loss():
    """Along a line of weights L(1) + L(-1) = 1, but 2 L(0) = 0."""
    ends, middle = _loss(1) + _loss(-1), 2 * _loss(0)
    return (
        claim(r"L(1) + L(-1) = 2L(0)", ends, middle, relation="=="),
        claim(r"L(1) + L(-1) \ge 2L(0)", ends, middle, relation=">="),
    )


@erratum(
    "E3-03",
    severity="C",
    source=SLIDES,
    lecture="06",
    printed=r"\text{a tangent of } f \text{ lies below } f",
    right=(
        r"\text{a tangent of a convex } f \text{ lies below } f; \text{ the set of subgradients is"
        r" the subdifferential}"
    ),
)
def tangent_below():
    """The tangent of sin at 1 lies above sin at 2; that of the convex exp at 1 lies below exp."""
    z = np.linspace(-1, 3, 41)
    return (
        claim(
            r"\sin z \ge \sin 1 + (z-1)\cos 1",
            np.sin(z),
            np.sin(1) + (z - 1) * np.cos(1),
            relation=">=",
        ),
        claim(r"e^z \ge e + e\,(z-1)", np.exp(z), np.e * z, relation=">="),
    )


@erratum(
    "E3-04",
    severity="B",
    source=SLIDES,
    lecture="06",
    printed=r"\text{subgradient descent converges like gradient descent}",
    right=r"\tfrac1T\sum_t f(x_t) - \min f \le 1/\sqrt T \text{ with the step } 1/\sqrt T",
)
def descent_on_a_kink():
    """200 steps of 0.3 from 1: gradient descent on x²/2 ends at 1e-31, on |x| the walker is 0.2
    away for ever.
    """
    T, kink, parabola, x, path = 200, 1.0, 1.0, 1.0, []
    for _ in range(T):
        kink, parabola = kink - 0.3 * np.sign(kink), parabola - 0.3 * parabola
        path.append(abs(x))
        x -= np.sign(x) / np.sqrt(T)
    return (
        claim(
            r"|x_{201}| \text{ on } |x| \le |x_{201}| \text{ on } x^2/2", abs(kink), abs(parabola)
        ),
        claim(r"\tfrac1T\sum_t |x_t| \le 1/\sqrt T", np.mean(path), 1 / np.sqrt(T)),
    )


@erratum(
    "E3-10",
    severity="B",
    source=SLIDES,
    lecture="06",
    printed=r"\text{a ball dropped on } F \text{ rolls to the solution}",
    right=(
        r"\text{dropped at } w = 0 \text{ it lies at a minimum; the update } yx \text{ gets away"
        r" from there}"
    ),
)
def rolling_ball():
    """Dropped at w = 0 the ball lies still, because F >= 0 = F(0), and all ten points stay
    unclassified.
    """
    end = play(Perceptron(2), *streams.TEN_POINTS, epochs=9, until_consistent=True).weights[-1]
    return (
        claim(
            r"\text{unclassified points where the ball rests} = 0",
            _wrong(np.zeros(2)),
            0,
            relation="==",
        ),
        claim(
            r"\text{unclassified points where the Perceptron stops} = 0",
            _wrong(end),
            0,
            relation="==",
        ),
    )


# Gradient descent ---------------------------------------------------------------------------------


@erratum(
    "E2-19",
    severity="A",
    source=HERBSTER,
    lecture="06",
    printed=(
        r"\arg\min_w L_t(w) + \lambda\|w-w_t\|^2 = w_t + \tfrac{y_t x_t}{2\lambda} \text{ if }"
        r" y_t\,w\cdot x_t < 1"
    ),
    right=r"w_t + \min\big(\tfrac1{2\lambda}, \tfrac{L_t(w_t)}{\|x_t\|^2}\big)\,y_t x_t",
)
def exact_step():
    """w_t = 0, x = y = 1, λ = 0.1: the printed step 5 has the objective 2.5, the exact step 1 has
    0.1.
    """
    w = np.linspace(-10, 10, 20001)
    least = (np.maximum(0, 1 - w) + 0.1 * w**2).min()

    def value(exact):
        end = play(OnlineGradientDescent(1, eta=1 / (2 * 0.1), exact=exact), [[1.0]], [1]).weights[
            -1, 0
        ]
        return max(0, 1 - end) + 0.1 * end**2

    return (
        claim(
            r"L(w_{t+1}) + \lambda\|w_{t+1}-w_t\|^2 \le \min_w[\ldots] \text{ for the printed"
            r" step}",
            value(False),
            least,
        ),
        claim(
            r"L(w_{t+1}) + \lambda\|w_{t+1}-w_t\|^2 \le \min_w[\ldots] \text{ for the exact step}",
            value(True),
            least,
        ),
    )


@erratum(
    "E2-20",
    severity="A",
    source=HERBSTER,
    lecture="06",
    printed=r"\sum_t L_t(w_t) - L_t(u) \le UR\sqrt T \text{ for any } u",
    right=r"\sum_t L_t(w_t) - L_t(u) \le UR\sqrt T \text{ for } \|u\| \le U",
)
def regret_of_a_long_comparator():
    """U = 0.1, 100 examples x = y = 1: the regret against u = 1 is 50.5, the bound is 1."""
    run = play(
        OnlineGradientDescent(1, eta=0.1 / np.sqrt(100)), np.ones((100, 1)), np.ones(100, int)
    )
    return (
        proofs.printed_ogd_any_u(run, [1.0], U=0.1).lines[-1],
        proofs.ogd_bound(run, [0.1], U=0.1).lines[-1],
    )


wording(
    "E2-21",
    severity="C",
    source=HERBSTER,
    lecture="06",
    printed=r"\text{update if } y\hat y \le 1",
    right=r"\text{update if } y\hat y < 1",
    example=(
        "The algorithm has <, a remark ≤; at y ŷ = 1 both 0 and -yx are subgradients, so the proof"
        " allows either."
    ),
)
