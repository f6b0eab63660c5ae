"""Mirror descent (lecture 19): geometries, and the path that a learner of the course takes in
one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..checks import check_count, check_range
from ..experts.learners import Hedge
from ..gradients.learners import OnlineGradientDescent
from ..ledger import HypothesisError
from ..losses import hinge_loss
from ..perceptron.learners import Perceptron
from ..protocol import Run
from ..winnow.learners import ExponentiatedGradient, Winnow

Map = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Geometry:
    """A potential ψ, its gradient, which leads to the dual space, and the way back (MD-D1).

    ψ is σ-strongly convex in the p-norm, with σ = `strength`; on no norm it is, if p is 0.
    """

    name: str
    potential: Map
    dual: Map
    primal: Map
    p: float = 0
    strength: float = 1

    @property
    def q(self) -> float:
        """The exponent of the dual norm."""
        return np.inf if self.p == 1 else self.p / (self.p - 1)

    def divergence(self, u: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Return D(u, w) = ψ(u) - ψ(w) - ∇ψ(w)·(u - w), for single vectors or row by row."""
        return self.potential(u) - self.potential(w) - np.sum(self.dual(w) * (u - w), axis=-1)


def _entropy(w):
    """Return the sum of w ln w - w, with 0 ln 0 = 0."""
    return np.sum(w * np.log(np.where(w > 0, w, 1)) - w, axis=-1)


def _log(w):
    with np.errstate(divide="ignore"):
        return np.log(w)


def _softmax(theta):
    w = np.exp(theta - theta.max(axis=-1, keepdims=True))
    return w / w.sum(axis=-1, keepdims=True)


def _towards(w, p):
    """Return the gradient of half the squared p-norm, without an overflow for large p."""
    size = np.linalg.norm(w, p, axis=-1, keepdims=True)
    return np.sign(w) * (np.abs(w) / np.where(size > 0, size, 1)) ** (p - 1) * size


def norm(q: float) -> Geometry:
    """Return the geometry of half the squared p-norm with 1/p + 1/q = 1: from Euclid's, at q = 2,
    to one that nearly multiplies, at q = 2 ln n (MD-C1).
    """
    q = check_range("q", q, lambda q: 2 <= q < np.inf, "a finite number >= 2")
    p = q / (q - 1)
    return Geometry(
        f"{q:g}-norm",
        lambda w: np.linalg.norm(w, p, axis=-1) ** 2 / 2,
        lambda w: _towards(w, p),
        lambda theta: _towards(theta, q),
        p,
        p - 1,
    )


def same(w: np.ndarray) -> np.ndarray:
    """Return w."""
    return w


EUCLID = Geometry("Euclid", lambda w: np.sum(w * w, axis=-1) / 2, same, same, 2)
ENTROPY = Geometry("entropy", _entropy, _log, np.exp)
SIMPLEX = Geometry("entropy, sum 1", _entropy, _log, _softmax, 1)


@dataclass(frozen=True)
class Path:
    """The weights w_1 … w_{T+1} of mirror descent, and the gradients of its T steps."""

    geometry: Geometry
    w: np.ndarray
    g: np.ndarray
    eta: float


def mirror_descent(
    geometry: Geometry,
    gradient: Callable[[int, np.ndarray], np.ndarray],
    w: Any,
    T: int,
    eta: float = 1.0,
) -> Path:
    """Return the path ∇ψ(w_{t+1}) = ∇ψ(w_t) - η g_t from w_1 = w, with g_t = gradient(t, w_t) for
    t = 0 … T-1 (MD-A1).

    >>> mirror_descent(EUCLID, lambda t, w: w, [1.0, 2.0], T=2, eta=0.5).w[-1].tolist()
    [0.25, 0.5]
    """
    weights, gradients = [np.asarray(w, float)], []
    for t in range(check_count("T", T)):
        gradients.append(gradient(t, weights[-1]))
        theta = geometry.dual(weights[-1]) - eta * gradients[-1]
        weights.append(geometry.primal(theta))
    return Path(geometry, np.array(weights), np.array(gradients, float), eta)


def path_of(run: Run | Path) -> Path:
    """Return the path of mirror descent that a learner of the course took (MD-E1, MD-E2)."""
    if isinstance(run, Path):
        return run
    learner, missed = run.learner, run.y - run.predictions
    if isinstance(learner, Perceptron):
        return Path(EUCLID, run.weights, -(run.mistake * run.y)[:, None] * run.X, 1)
    if isinstance(learner, OnlineGradientDescent) and not learner.exact:
        felt = hinge_loss(run.y, run.predictions) > 0
        return Path(EUCLID, run.weights, -(felt * run.y)[:, None] * run.X, learner.eta)
    if isinstance(learner, Hedge):
        return Path(SIMPLEX, run.probabilities, run.y, learner.eta)
    if isinstance(learner, ExponentiatedGradient):
        return Path(SIMPLEX, run.weights, -2 * missed[:, None] * run.X, learner.eta)
    if isinstance(learner, Winnow):
        return Path(ENTROPY, run.weights, -missed[:, None] * run.X, np.log(learner.factor))
    if geometry := getattr(learner, "geometry", None):
        return Path(geometry, run.weights, -(run.mistake * run.y)[:, None] * run.X, 1)
    raise HypothesisError(
        "the learner must be a Perceptron, OnlineGradientDescent, ExponentiatedGradient, Winnow,"
        f" Hedge or NormPerceptron; it is {type(learner).__name__}"
    )
