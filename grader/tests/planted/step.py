"""Answers for one step of gradient descent (homework 3)."""

from fractions import Fraction

import numpy as np

from . import right, subtle, wrong


def _step(w, x, y, lam, below=lambda score: score < 1, rate=lambda lam: 1 / (2 * lam)):
    return w + rate(lam) * y * x if below(y * (w @ x)) else w


@right
def step_with_a_subgradient(w, x, y, lam):
    z = -y * x if 1 - y * np.dot(w, x) > 0 else 0 * x
    return w - z / lam / 2


@right
def step_loop(w, x, y, lam):
    score = sum(a * b for a, b in zip(w, x, strict=True))
    return [a + (score * y < 1) * y * b / (2 * lam) for a, b in zip(w, x, strict=True)]


@right
def step_fractions(w, x, y, lam):
    w, x = ([Fraction(float(a)) for a in v] for v in (w, x))
    if int(y) * sum(a * b for a, b in zip(w, x, strict=True)) >= 1:
        return w
    return [a + int(y) * b / (2 * Fraction(lam)) for a, b in zip(w, x, strict=True)]


@right
def step_where(w, x, y, lam):
    return np.where(y * (w @ x) < 1, w + y * x * (0.5 / lam), w)


@subtle()
def step_on_mistakes(w, x, y, lam):
    """The Perceptron's test."""
    return _step(w, x, y, lam, below=lambda score: score <= 0)


@subtle()
def step_always(w, x, y, lam):
    return _step(w, x, y, lam, below=lambda score: True)


@subtle()
def step_on_the_kink(w, x, y, lam):
    return _step(w, x, y, lam, below=lambda score: score <= 1)


@subtle()
def step_rate_half(w, x, y, lam):
    return _step(w, x, y, lam, rate=lambda lam: 1)


@subtle()
def step_rate_lambda(w, x, y, lam):
    return _step(w, x, y, lam, rate=lambda lam: 2 * lam)


@subtle()
def step_without_the_label(w, x, y, lam):
    return w + x / (2 * lam) if y * (w @ x) < 1 else w


@wrong()
def step_exact(w, x, y, lam):
    """With the hinge loss itself."""
    loss = max(0, 1 - y * (w @ x))
    return w + min(1 / (2 * lam), loss / max(x @ x, 0.01)) * y * x


@subtle()
def step_two_features(w, x, y, lam):
    return _step(w[:2], x[:2], y, lam)


@wrong()
def step_uphill(w, x, y, lam):
    return _step(w, x, -y, lam)


@wrong()
def step_without_the_two(w, x, y, lam):
    return _step(w, x, y, lam, rate=lambda lam: 1 / lam)


@right
def step_by_parts(w, x, y, lam):
    moved = np.array(w, float)
    if not y * w.dot(x) >= 1:
        moved += y / (lam + lam) * x
    return moved


@right
def step_with_a_derivative(w, x, y, lam):
    """The zero of the derivative, z + 2 lam (w' - w)."""
    z = np.zeros(len(x)) if np.sum(y * w * x) >= 1 else np.negative(y * x)
    return (2 * lam * w - z) / (2 * lam)


@right
def step_as_tuple(w, x, y, lam):
    active = float(y * (w @ x) < 1)
    return tuple(float(a) + active * y * float(b) / 2 / lam for a, b in zip(w, x, strict=True))


@right
def step_heaviside(w, x, y, lam):
    return w + np.heaviside(1 - y * (w @ x), 0) * y * x / (2 * lam)


@subtle()
def step_whole_weights(w, x, y, lam):
    return np.trunc(_step(w, x, y, lam))


@subtle()
def step_of_the_first_feature(w, x, y, lam):
    return w + y * x / (2 * lam) if y * w[0] * x[0] < 1 else w


@subtle()
def step_for_small_rates(w, x, y, lam):
    return step_with_a_subgradient(w, x, y, min(lam, 5))


@subtle()
def step_five_features(w, x, y, lam):
    return np.append(step_with_a_subgradient(w[:5], x[:5], y, lam), w[5:])


@subtle()
def step_below_one(w, x, y, lam):
    return step_with_a_subgradient(w, x, y, lam) if y * (w @ x) < 0.95 else w


@subtle()
def step_almost_one(w, x, y, lam):
    return _step(w, x, y, lam, below=lambda score: score < 0.995)


@subtle()
def step_small_weights(w, x, y, lam):
    return np.clip(_step(w, x, y, lam), -20, 20)


@subtle()
def step_not_too_wrong(w, x, y, lam):
    return _step(w, x, y, lam, below=lambda score: -20 < score < 1)
