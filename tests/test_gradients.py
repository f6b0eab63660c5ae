"""Gradient descent and its theorems: exact arithmetic, the minimiser by search, scikit-learn, and
runs that try to break a line.
"""

import re
from fractions import Fraction
from itertools import product
from math import comb, cos, pi, sin, sqrt

import numpy as np
import pytest
from conftest import replays
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from strategies import MODEST, SIGNS, against, sizes

from olc_helpers import (
    HypothesisError,
    OnlineGradientDescent,
    Perceptron,
    adversaries,
    descend,
    figures,
    play,
    proofs,
    streams,
)
from olc_helpers.gradients.figures import best_in_disc, means
from olc_helpers.gradients.theorems import any_data_at_most
from olc_helpers.protocol import hinge_loss

SIZES = sizes(20, 4)  # T, n
RATES = st.sampled_from([0.01, 0.3, 1.0, 7.0])
NUMBERS = st.integers(-3, 3).map(float) | st.floats(-3, 3)


def squared(a):
    return (a * a).sum(axis=-1)


@st.composite
def data(draw, elements=NUMBERS):
    """(X, y): rows at random or a few of them again and again, labels -1 or +1; never only zero
    vectors.
    """
    T, n = draw(SIZES)
    X = draw(arrays(float, (T, n), elements=elements))
    if draw(st.booleans()):
        X = np.resize(X[: draw(st.integers(1, T))], (T, n))
    assume(squared(X).max() > 1e-6)
    return X, draw(arrays(int, T, elements=SIGNS))


def played(learner, X, y, contrary):
    """Returns the Run on the labels y, or on those that the learner did not predict."""
    if not contrary:
        return play(learner, X, y)
    return against(learner, X, lambda x, prediction: -1 if prediction > 0 else 1)


@st.composite
def descents(draw, exact=False):
    """(run, u, U) of gradient descent with any rate or the tuned one, and u in the ball."""
    X, y = draw(data())
    T, n = X.shape
    U = draw(st.sampled_from([0.1, 1.0, 5.0]))
    eta = draw(RATES | st.just(U / sqrt(T * squared(X).max())))
    u = draw(arrays(float, n, elements=st.floats(-1, 1)))
    u = u * U / max(1.0, np.linalg.norm(u))
    return played(OnlineGradientDescent(n, eta=eta, exact=exact), X, y, draw(st.booleans())), u, U


# The learner --------------------------------------------------------------------------------------


def plain_descent(X, y, eta, exact):
    """The pseudo-code in exact fractions: predictions, losses and the last weights."""
    w, predictions, losses = [Fraction(0)] * X.shape[1], [], []
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        x = [Fraction(a) for a in row]
        score = sum(a * b for a, b in zip(w, x, strict=True))
        loss, x2 = max(Fraction(0), 1 - label * score), sum(a * a for a in x)
        predictions.append(score)
        losses.append(loss)
        if loss > 0 and x2 > 0:
            step = min(eta, loss / x2) if exact else eta
            w = [a + step * label * b for a, b in zip(w, x, strict=True)]
    return predictions, losses, w


@pytest.mark.parametrize("exact", [False, True])
@given(
    data(st.integers(-3, 3).map(float)),
    st.sampled_from([Fraction(1, 8), Fraction(1, 2), Fraction(3)]),
)
@MODEST
def test_descent_is_the_pseudo_code(exact, stream, eta):
    X, y = stream
    predictions, losses, w = plain_descent(X, y, eta, exact)
    run = play(OnlineGradientDescent(X.shape[1], eta=float(eta), exact=exact), X, y)
    if (
        exact
    ):  # its steps are quotients, which floats round; a loss of 1e-17 instead of 0 is such a step
        np.testing.assert_allclose(run.predictions, [float(p) for p in predictions], atol=1e-9)
        np.testing.assert_allclose(run.weights[-1], [float(a) for a in w], atol=1e-9)
    else:
        assert (
            run.predictions.tolist() == predictions
            and run.losses.tolist() == losses
            and run.weights[-1].tolist() == w
        )


def test_an_update_at_margin_just_below_1_and_none_at_1():
    learner = OnlineGradientDescent(1, eta=0.5)
    run = play(learner, [[1.0], [1.0], [1.0], [-2.0]], [1, 1, 1, -1])
    assert run.weights.ravel().tolist() == [0, 0.5, 1, 1, 1] and run.losses.tolist() == [
        1,
        0.5,
        0,
        0,
    ]
    assert repr(run) == "<Run of OnlineGradientDescent: 4 trials, loss 1.5>"


def test_hinge_loss_by_hand():
    assert hinge_loss([1, 1, 1, -1], np.array([-1.0, 0.25, 2.0, 0.5])).tolist() == [2, 0.75, 0, 1.5]


def test_zero_vectors_cost_1_and_change_nothing():
    for exact in (False, True):
        run = play(OnlineGradientDescent(2, exact=exact), np.zeros((3, 2)), [1, -1, 1])
        assert run.losses.tolist() == [1, 1, 1] and not run.weights.any()


@given(
    arrays(float, 3, elements=st.floats(-2, 2)),
    arrays(float, 3, elements=st.floats(-2, 2)),
    SIGNS,
    st.sampled_from([0.05, 0.5, 4.0]),
    arrays(float, (30, 3), elements=st.floats(-1, 1)),
)
@example(np.zeros(3), np.array([1.0, 0, 0]), 1, 0.1, np.zeros((30, 3)))
def test_the_exact_step_is_never_beaten(start, x, y, lam, moves):
    assume(squared(x) > 1e-6)
    learner = OnlineGradientDescent(3, eta=1 / (2 * lam), exact=True)
    learner.w = start

    def objective(w):
        return np.maximum(0, 1 - y * (w @ x)) + lam * squared(w - start)

    learner.update(x, y)
    line = start + np.linspace(0, 1 / (2 * lam) + 2 / squared(x), 200)[:, None] * y * x
    for scale in (1e-3, 1, 3):
        assert objective(learner.w) <= objective(learner.w + scale * moves).min() + 1e-9
    assert objective(learner.w) <= objective(line).min() + 1e-9


def test_scikit_learn_gives_the_same_weights():
    from sklearn.linear_model import SGDClassifier

    X, y = streams.noisy_margin(300, np.ones(5), 0.05, 0.2, rng=1)
    theirs = SGDClassifier(
        loss="hinge",
        penalty=None,
        learning_rate="constant",
        eta0=0.3,
        fit_intercept=False,
        shuffle=False,
        max_iter=1,
        tol=None,
    ).fit(X, y)
    ours = play(OnlineGradientDescent(5, eta=0.3), X, y)
    np.testing.assert_allclose(ours.weights[-1], theirs.coef_[0], rtol=1e-12)


@given(data(), RATES)
@MODEST
def test_a_rate_does_not_change_the_mistakes_of_conservative_descent(stream, eta):
    X, y = stream
    assume(((X == 0) | (np.abs(X) > 1e-150)).all())  # no product underflows

    class Conservative(Perceptron):
        def update(self, x, label):
            if label * (self.w @ x) <= 0:
                # A power of 2: no rounding.
                self.w = self.w + 2.0 ** round(np.log2(eta)) * label * x

    assert (
        play(Conservative(X.shape[1]), X, y).mistake.tolist()
        == play(Perceptron(X.shape[1]), X, y).mistake.tolist()
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: OnlineGradientDescent(0), "n must be a whole number >= 1; got 0"),
        (lambda: OnlineGradientDescent(2, eta=0), "eta must be a finite number > 0; got 0"),
        (
            lambda: OnlineGradientDescent(2, eta=float("inf")),
            "eta must be a finite number > 0; got inf",
        ),
        (
            lambda: play(OnlineGradientDescent(1), [[1.0]], [0]),
            r"y\[0\] is 0 \(these look like 0/1 labels: pass 2\*y - 1\)",
        ),
        (lambda: play(OnlineGradientDescent(2), [[1.0]], [1]), "X must have n = 2 columns"),
        (
            lambda: play(OnlineGradientDescent(1), [[1.0]], [1]).mistake,
            "pays a hinge loss: read run.losses",
        ),
        (lambda: streams.noisy_margin(5, [1, 1], 0.1, 1.5), r"noise must be in \[0, 1\]; got 1.5"),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_noise_turns_the_share_of_labels_that_it_says_wherever_they_are():
    X, y = streams.noisy_margin(4000, [3, 4], 0.1, 0.25, rng=0)
    clean, distance = np.sign(X @ [3, 4]), np.abs(X @ [0.6, 0.8])
    turned = clean != y
    assert 0.22 < turned.mean() < 0.28 and distance.min() >= 0.1 - 1e-12
    assert abs(turned[distance > 0.55].mean() - turned[distance <= 0.55].mean()) < 0.05


# The theorems -------------------------------------------------------------------------------------


@given(descents())
@MODEST
def test_no_run_breaks_the_regret_bound(case):
    run, u, U = case
    ledger = proofs.ogd_bound(run, u, U)
    assert ledger.holds, ledger


@st.composite
def convex_descents(draw):
    """(losses, w, z, u, η, U): each loss is the largest of a few affine functions, and z the slope
    of one that is largest at w; the start is anywhere.
    """
    T, n = draw(SIZES)
    pieces = draw(st.integers(1, 3))
    slopes = draw(arrays(float, (T, pieces, n), elements=NUMBERS))
    heights = draw(arrays(float, (T, pieces), elements=NUMBERS))
    w = [draw(arrays(float, n, elements=NUMBERS))]
    u, eta, z = draw(arrays(float, n, elements=NUMBERS)), draw(RATES), []
    for A, b in zip(slopes, heights, strict=True):
        z.append(A[(A @ w[-1] + b).argmax()])
        w.append(w[-1] - eta * z[-1])
    losses = [lambda v, A=A, b=b: (A @ v + b).max() for A, b in zip(slopes, heights, strict=True)]
    return losses, np.array(w), np.array(z), u, eta


@given(convex_descents(), st.sampled_from([1.0, 1.5]))
@MODEST
def test_no_descent_on_convex_losses_breaks_its_bound(case, wider):
    losses, w, z, u, eta = case
    ledger = proofs.descent_bound(losses, w, z, u, eta, U=wider * np.linalg.norm(w[0] - u))
    assert ledger.holds, ledger


def test_the_bound_for_convex_losses_is_that_of_the_hinge_loss_from_0():
    X, y = streams.noisy_margin(50, [1, 2], 0.1, 0.1, rng=0)
    R = sqrt(squared(X).max())
    run = play(OnlineGradientDescent(2, eta=2 / (R * sqrt(50))), X, y)
    z = np.where(y * run.predictions < 1, -y, 0)[:, None] * X
    losses = [
        lambda v, x=x, label=label: hinge_loss(label, v @ x) for x, label in zip(X, y, strict=True)
    ]
    general = proofs.descent_bound(losses, run.weights, z, [1, 0], run.learner.eta, U=2)
    special = proofs.ogd_bound(run, [1, 0], U=2)
    assert general.value == pytest.approx(special.value) and len(general.lines) == 8
    for a, b in zip(general.lines[1:], special.lines[1:], strict=True):
        np.testing.assert_allclose(a.lhs, b.lhs)
        np.testing.assert_allclose(a.rhs, b.rhs)


@pytest.mark.parametrize("T", [50, 200])
def test_a_walk_on_the_absolute_value_is_a_case_of_the_theorem(T):
    w = [1.0]
    for _ in range(T):
        w.append(w[-1] - np.sign(w[-1]) / sqrt(T))
    w = np.array(w)[:, None]
    absolute = [lambda v: abs(v[0])] * T
    ledger = proofs.descent_bound(absolute, w, np.sign(w[:-1]), [0], 1 / sqrt(T))
    assert ledger.holds and ledger.bound / T == pytest.approx(1 / sqrt(T))
    wrong = proofs.descent_bound(absolute, w, -np.sign(w[:-1]), [0], 1 / sqrt(T))
    assert wrong.first_violation == (1, 1)  # another direction than that of the walk
    bent = proofs.descent_bound([lambda v: -abs(v[0])] * T, w, np.sign(w[:-1]), [0.5], 1 / sqrt(T))
    assert bent.first_violation[0] == 2  # the loss is not convex


@given(descents(exact=True))
@MODEST
def test_no_run_breaks_the_bound_of_the_exact_step(case):
    run, u, U = case
    ledger = proofs.exact_step_bound(run, u, U)
    assert ledger.holds, ledger


@given(data(), st.data())
@MODEST
def test_no_run_breaks_the_bound_for_any_data(stream, more):
    X, y = stream
    u = more.draw(arrays(float, X.shape[1], elements=st.floats(-5, 5)))
    run = played(Perceptron(X.shape[1]), X, y, more.draw(st.booleans()))
    ledger = proofs.perceptron_any_data(run, u)
    assert ledger.holds, ledger


@pytest.mark.parametrize("H, RU", [*product([0, 1, 9, 400], [0, 1, 5])])
def test_the_bound_for_any_data_is_near_the_root_of_its_last_but_one_line(H, RU):
    """The most that M ≤ H + RU √M allows is the square of the larger root."""
    root = (RU + sqrt(RU**2 + 4 * H)) / 2
    assert 0 <= any_data_at_most(H, RU) - root**2 + 1e-9 <= RU**2 / 2 + 1e-8


@example(1, 2, 0.02, 257, 1.0)  # the only row is drawn along v
@given(
    st.integers(1, 60),
    st.integers(2, 5),
    st.sampled_from([0.02, 0.1, 0.5]),
    st.integers(0, 10**6),
    st.sampled_from([1.0, 1.7]),
)
@MODEST
def test_no_separable_run_breaks_novikoff_from_descent(T, n, gamma, seed, longer):
    v = np.random.default_rng(seed).standard_normal(n)
    X, y = streams.planted_margin(T, v, gamma, rng=seed)
    u = longer * v / (y * (X @ v)).min()
    run = play(Perceptron(n), X, y, epochs=3)
    ledger = proofs.perceptron_from_ogd(run, u)
    assert ledger.holds, ledger
    assert ledger.value == run.mistakes and ledger.bound == pytest.approx(
        squared(u) * squared(X).max()
    )


@pytest.mark.parametrize(
    "stream",
    [adversaries.see_saw(0.1), adversaries.sharp_perceptron(0.2), adversaries.orthonormal(9)],
)
def test_adversaries_come_near_the_bound_from_descent_and_do_not_break_it(stream):
    X, y = stream
    from olc_helpers import max_margin

    best = max_margin(X, y)
    run = play(Perceptron(X.shape[1]), X, y)
    ledger = proofs.perceptron_from_ogd(run, best.v / best.gamma)
    assert ledger.holds and run.mistakes == len(y) and ledger.bound / 2 <= ledger.value + 1


def test_the_last_line_of_the_bound_needs_the_tuned_rate():
    X, y = streams.noisy_margin(50, [1, 2], 0.1, 0.1, rng=0)
    R = sqrt(squared(X).max())
    tuned = play(OnlineGradientDescent(2, eta=2 / (R * sqrt(50))), X, y)
    assert (
        len(proofs.ogd_bound(tuned, [1, 0], U=2).lines) == 8
        and len(proofs.ogd_bound(tuned, [1, 0], U=3).lines) == 7
    )
    assert proofs.ogd_bound(tuned, [1, 0], U=2).bound == pytest.approx(2 * R * sqrt(50))


@pytest.mark.parametrize("prove", [proofs.ogd_bound, proofs.exact_step_bound])
@pytest.mark.parametrize(("T", "eta", "U"), [(50, 0.3, 2), (20, 5.0, 1)])
def test_the_bound_for_any_rate(prove, T, eta, U):
    X, y = streams.noisy_margin(T, [1, 2], 0.1, 0.1, rng=0)
    exact = prove is proofs.exact_step_bound
    ledger = prove(play(OnlineGradientDescent(2, eta=eta, exact=exact), X, y), [1, 0], U=U)
    R2 = squared(X).max()
    assert ledger.holds and ledger.bound == pytest.approx((U * U / eta + eta * T * R2) / 2)


def test_at_the_kink_of_the_loss_nothing_is_learnt_and_every_line_holds():
    run = play(OnlineGradientDescent(1), [[1.0], [1.0]], [1, 1])
    assert run.weights.tolist() == [[0], [1], [1]] and run.predictions[1] == 1
    assert proofs.ogd_bound(run, [2]).holds


class HalfStep(OnlineGradientDescent):
    def update(self, x, y):
        if y * (self.w @ x) < 1:
            self.w = self.w + self.eta / 2 * y * x


class Rounded(OnlineGradientDescent):
    def predict(self, x):
        return float(np.sign(self.w @ x))


class Eager(Perceptron):
    def update(self, x, y):
        self.w = self.w + y * x


class Blind(Perceptron):
    def predict(self, x):
        return -super().predict(x) or 1


@pytest.mark.parametrize(
    ("learner", "theorem", "line"),
    [
        (HalfStep(2, eta=0.3), proofs.ogd_bound, 3),
        (Rounded(2, eta=0.3), proofs.ogd_bound, 1),
        (OnlineGradientDescent(2, eta=0.9, exact=True), proofs.ogd_bound, 3),
        (OnlineGradientDescent(2, eta=0.9), proofs.exact_step_bound, 1),
        (Eager(2), proofs.perceptron_any_data, 1),
        (Eager(2), proofs.perceptron_from_ogd, 1),
        (Blind(2), proofs.perceptron_any_data, 1),
    ],
)
def test_a_broken_learner_breaks_the_right_line(learner, theorem, line):
    X, y = streams.planted_margin(40, [2, 1], 0.2, rng=4)
    u = np.array([2, 1]) / np.abs(X @ [2, 1]).min()
    ledger = theorem(play(learner, X, y), u)
    assert not ledger.holds and ledger.first_violation[0] == line, ledger


WALLS = [lambda v: abs(v[0]), lambda v: abs(v[0])]
RUN = play(OnlineGradientDescent(2, eta=0.1), [[1.0, 0.0], [0.0, 2.0]], [1, -1])
STEPS = play(Perceptron(2), [[1.0, 0.0], [0.0, 2.0]], [1, -1])


def started(at):
    learner = OnlineGradientDescent(1)
    learner.w = np.array([at])
    return play(learner, [[1.0]], [1])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: proofs.ogd_bound(RUN, [3, 4], U=4),
            "ogd_bound does not apply: u must be at most U = 4 long; its length is 5",
        ),
        (lambda: proofs.ogd_bound(RUN, [3, 4, 5]), "u must be a vector of 2 finite numbers"),
        (lambda: proofs.ogd_bound(RUN, [3, np.nan]), "u must be a finite number; u[1] is nan"),
        (lambda: proofs.ogd_bound(STEPS, [1, 0]), "the loss must be hinge; it is mistake"),
        (lambda: proofs.perceptron_any_data(RUN, [1, 0]), "the loss must be mistake; it is hinge"),
        (
            lambda: proofs.ogd_bound(started(1.0), [1]),
            "the learner must keep its weights in an attribute w, which is 0 at the start",
        ),
        (
            lambda: proofs.ogd_bound(
                play(OnlineGradientDescent(1), [[1.0]], [1], keep="last"), [1]
            ),
            "ogd_bound needs the weights of every trial: play with keep='all'",
        ),
        (
            lambda: proofs.ogd_bound(play(OnlineGradientDescent(1), [[0.0]], [1]), [1]),
            "some x_t must differ from 0",
        ),
        (
            lambda: proofs.perceptron_from_ogd(STEPS, [1, 0.5]),
            "u does not separate: y·(u·x) = -1 at row 1",
        ),
        (
            lambda: proofs.perceptron_from_ogd(STEPS, [1, -0.25]),
            "u must have y·(u·x) >= 1 on every row: y·(u·x) = 0.5 at row 1",
        ),
        (lambda: proofs.ogd_bound(RUN, [1, 0], eta=0), "eta must be a finite number > 0; it is 0"),
        (
            lambda: proofs.descent_bound(WALLS[:1], [[0.0], [0.0]], [[0.0]], [2], 1, U=1),
            "descent_bound does not apply: u must be at most U = 1 away from w_1; the distance is"
            " 2",
        ),
        (
            lambda: proofs.descent_bound(WALLS, [[0.0], [0.0]], [[0.0]], [2], 1),
            "there must be a row of w for w_1, …, w_{T+1}, a row of z for each of the T losses",
        ),
        (
            lambda: proofs.descent_bound(WALLS[:1], [[0.0], [0.0]], [[0.0]], [2], -1),
            "eta must be a finite number > 0; it is -1",
        ),
        (
            lambda: proofs.projected_bound(WALLS[:1], [[0.0], [0.0]], [[2.0]], [0], D=1, G=1),
            "projected_bound does not apply: no z_t may be longer than G = 1 > 0",
        ),
        (
            lambda: proofs.projected_bound(
                WALLS[:1], [[0.0], [0.0]], [[1.0]], [2], 1, project=lambda v: np.clip(v, -1, 1)
            ),
            "w_1 and u must lie in the set on which `project` projects",
        ),
        (
            lambda: proofs.projected_bound(WALLS[:1], [[0.0], [0.0]], [[1.0]], [0], D=0),
            "D must be a finite number > 0; it is 0",
        ),
        (
            lambda: proofs.strongly_convex_bound(WALLS[:1], [[0.0], [0.0]], [[1.0]], [0], alpha=0),
            "alpha must be a finite number > 0; it is 0",
        ),
    ],
)
def test_a_missing_hypothesis_is_named(call, message):
    with pytest.raises(HypothesisError) as error:
        call()
    assert message in str(error.value)


# How tight ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("T", "U", "R"), [(1, 1, 1), (4, 2, 1), (9, 0.5, 3), (16, 4, 0.25)])
def test_orthonormal_data_attain_the_regret_bound(T, U, R):
    X, y = adversaries.orthonormal(T)
    run = play(OnlineGradientDescent(T, eta=U / (R * sqrt(T))), R * X, y)
    ledger = proofs.ogd_bound(run, np.full(T, U / sqrt(T)))
    assert ledger.holds and len(ledger.lines) == 8
    if U * R <= sqrt(T):  # or else u has margins above 1, where the hinge loss is flat
        assert ledger.value == pytest.approx(ledger.bound, rel=1e-12)


def test_no_two_unit_vectors_of_the_plane_do_worse_than_orthonormal_ones():
    circle = [np.array([cos(a), sin(a)]) for a in np.arange(16) * pi / 8]
    rivals = np.array(
        [
            r * np.array([cos(a), sin(a)])
            for r in np.linspace(0, 1, 21)
            for a in np.arange(64) * pi / 32
        ]
    )
    worst = {}
    for x, label in product(circle, (-1, 1)):
        X, y = np.array([circle[0], x]), np.array([1, label])
        run = play(OnlineGradientDescent(2, eta=1 / sqrt(2)), X, y)
        angle = round(abs(X[0] @ X[1]), 6)
        regret = run.total_loss - hinge_loss(y[:, None], X @ rivals.T).sum(axis=0).min()
        worst[angle] = max(regret, worst.get(angle, 0))
    assert worst[0.0] == pytest.approx(sqrt(2)) and max(worst.values()) <= sqrt(2) + 1e-12


def test_coin_labels_in_one_dimension_enumerated():
    T, U = 8, 0.5
    regrets = []
    for y in product((-1, 1), repeat=T):
        run = play(OnlineGradientDescent(1, eta=U / sqrt(T)), np.ones((T, 1)), np.array(y))
        regrets.append(run.total_loss - T + U * abs(sum(y)))
    mean_walk = T * comb(T - 1, (T - 1) // 2) / 2 ** (T - 1)
    assert mean_walk == np.mean([abs(sum(y)) for y in product((-1, 1), repeat=T)])
    assert U * mean_walk - 1e-12 <= np.mean(regrets) and max(regrets) <= U * sqrt(T) + 1e-12


def test_noisy_perceptron_runs_come_near_the_first_bound():
    ratios, rng = [], np.random.default_rng(5)
    for _ in range(100):
        n, noise = int(rng.integers(2, 10)), rng.uniform(0, 0.3)
        run = play(Perceptron(n), *streams.noisy_margin(60, np.ones(n), 0.1, noise, rng))
        line = proofs.perceptron_any_data(run, np.full(n, rng.uniform(0.5, 4) / sqrt(n))).lines[4]
        ratios.append(line.lhs[0] / line.rhs[0])
    assert 0.8 < max(ratios) <= 1


# How long a step ----------------------------------------------------------------------------------

ROOMS = {  # projections on sets of diameter at most 6
    "ball": lambda v: v / max(1.0, float(np.linalg.norm(v)) / 3),
    "box": lambda v: np.clip(v, -1, 2),
    "half-ball": lambda v: ROOMS["ball"](np.append(v[:1].clip(0), v[1:])),
}


def nearest(room, w):
    """The nearest point of a room by alternating projections, from the constraints alone."""
    if room == "box":
        return np.array([min(max(a, -1.0), 2.0) for a in w])
    p, corrections = np.array(w, float), [np.zeros(len(w)), np.zeros(len(w))]
    for k in range(400):  # Dykstra's method
        before = p + corrections[k % 2]
        if k % 2 and room == "half-ball":
            p = np.append(max(before[0], 0.0), before[1:])
        elif k % 2 == 0:
            p = before * min(1.0, 3 / max(float(np.linalg.norm(before)), 1e-9))
        else:
            p = before
        corrections[k % 2] = before - p
    return p


@given(
    st.sampled_from(sorted(ROOMS)),
    arrays(float, 3, elements=st.floats(-9, 9)),
    arrays(float, 3, elements=st.floats(-9, 9)),
)
@MODEST
def test_a_projection_is_the_nearest_point_and_leads_away_from_none(room, w, u):
    p, u = ROOMS[room](w), ROOMS[room](u)
    np.testing.assert_allclose(p, nearest(room, w), atol=1e-4)
    assert squared(p - u) <= squared(w - u) - squared(w - p) + 1e-9


@pytest.mark.parametrize("shape", ["disc", "square", "circle without its inside"])
def test_only_the_set_with_a_hole_leads_away_from_the_rival(shape):
    places = product(np.arange(-8, 9) / 4, repeat=2)
    told = {figures.projection(shape, *at).caption.split(":")[0] for at in places if any(at)}
    away = "The projection leads farther away from u"
    assert (away in told) == shape.startswith("circle") and len(told) <= 2


@st.composite
def projected_descents(draw, alpha=0.0):
    """(losses, w, z, u, G, project) with steps 6/(G√t), or 1/(αt); the losses are the largest of
    affine functions, plus α‖v‖²/2, and nature may choose the slope after she has seen w.
    """
    T, n = draw(SIZES)
    room = draw(st.sampled_from(sorted(ROOMS)))
    project, slack = ROOMS[room], draw(st.sampled_from([1.0, 2.0]))
    slopes = draw(arrays(float, (T, 2, n), elements=NUMBERS))
    heights = draw(arrays(float, (T, 2), elements=NUMBERS))
    u, contrary = project(draw(arrays(float, n, elements=NUMBERS))), draw(st.booleans())
    # a bound on all slopes that this play can meet, so that the rates are known beforehand
    G = slack * (1e-3 + np.sqrt(squared(slopes)).max() + 3 * alpha * sqrt(n))
    w, z, losses = [project(draw(arrays(float, n, elements=NUMBERS)))], [], []
    for t, (A, b) in enumerate(zip(slopes, heights, strict=True), 1):
        if contrary:  # slopes that lead away from the rival
            A = np.where((A @ (w[-1] - u) < 0)[:, None], -A, A)
        z.append(A[(A @ w[-1] + b).argmax()] + alpha * w[-1])
        w.append(project(w[-1] - (1 / (alpha * t) if alpha else 6 / (G * sqrt(t))) * z[-1]))
        losses.append(lambda v, A=A, b=b: (A @ v + b).max() + alpha / 2 * squared(v))
    return losses, np.array(w), np.array(z), u, G, project


@given(projected_descents())
@MODEST
def test_no_projected_descent_breaks_its_bound(case):
    losses, w, z, u, G, project = case
    ledger = proofs.projected_bound(losses, w, z, u, 6, G, project)
    assert ledger.holds, ledger
    assert ledger.bound == pytest.approx(9 * G * sqrt(len(losses)))


@given(
    st.sampled_from([0.1, 1.0, 4.0]).flatmap(lambda a: st.tuples(st.just(a), projected_descents(a)))
)
@MODEST
def test_no_descent_on_curved_losses_breaks_its_bound(case):
    alpha, (losses, w, z, u, G, project) = case
    ledger = proofs.strongly_convex_bound(losses, w, z, u, alpha, G, project)
    assert ledger.holds, ledger
    assert ledger.bound == pytest.approx(G**2 * (1 + np.log(len(losses))) / (2 * alpha))


def on_an_interval(T, **broken):
    """A walk with steps 1/√t on [-½, ½] against hover_and_run, as projected_bound takes it."""
    w, z = adversaries.hover_and_run(T)
    return dict(
        losses=[lambda v, k=k: k * v[0] for k in z[:, 0]], w=w, z=z, u=[0.5], D=1, G=1,
        project=lambda v: np.clip(v, -0.5, 0.5),
    ) | broken  # fmt: skip


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        (dict(D=0.5), 1),  # other steps than those of the walk
        (dict(project=lambda v: np.clip(v, -0.6, 0.6)), 1),
        (dict(losses=[lambda v: -5 * v[0]] * 50), 2),  # z has the slopes of others
        ({}, None),
    ],
)
def test_the_line_that_breaks_is_named(broken, line):
    ledger = proofs.projected_bound(**on_an_interval(50, **broken))
    assert (ledger.first_violation or (None,))[0] == line, ledger


def test_a_room_that_is_too_large_breaks_line_5():
    w = np.array([[-0.5], [0.5], [0.5]])
    steps = dict(w=w, z=[[-1.0], [0.0]], u=[0.9], D=1, G=1, project=lambda v: np.minimum(v, 0.9))
    ledger = proofs.projected_bound([lambda v: -v[0], lambda v: 0.0], **steps)
    assert ledger.first_violation == (5, 1)  # -0.5 and 0.9 are 1.4 apart
    hole = dict(w=[[0.6], [1.0]], z=[[0.3]], u=[-1.0], D=2, G=2 / 3)
    ledger = proofs.projected_bound(
        [lambda v: 0.3 * v[0]], **hole | dict(w=[[1.0], [1.0]]), project=np.sign
    )
    assert ledger.first_violation == (3, 1)  # the points -1 and 1 are no convex set


def test_a_loss_that_curves_less_breaks_line_2():
    w = np.cumprod(np.append(1, 1 - 1 / (4 * np.arange(1, 50))))[:, None]  # believes that α = 4
    ledger = proofs.strongly_convex_bound([lambda v: v @ v / 2] * 49, w, w[:-1], [0], alpha=4)
    assert ledger.first_violation == (2, 1)
    true = np.array([[1.0]] + [[0.0]] * 49)
    assert proofs.strongly_convex_bound([lambda v: v @ v / 2] * 49, true, true[:-1], [0], 1).holds


@pytest.mark.parametrize(("T", "least"), [(4, 0.61), (100, 0.83), (10_000, 0.969)])
def test_hover_and_run_takes_nearly_all_of_the_bound(T, least):
    w, z = adversaries.hover_and_run(T)
    steps = np.clip(w[:-1] - z / np.sqrt(np.arange(1, T + 1))[:, None], -0.5, 0.5)
    assert (np.abs(z) == 1).all() and (w[1:] == steps).all()
    regret = (z * w[:-1]).sum() + abs(z.sum()) / 2
    assert least < regret / (1.5 * sqrt(T)) < 1
    if T == 100:
        assert proofs.projected_bound(**on_an_interval(T)).value == pytest.approx(regret)


def test_answers_one_step_ahead_attain_the_sum_of_the_curved_bound():
    T = 300
    w = np.append(0, np.cumsum(1 / np.arange(1, T + 1)))[:, None]
    y, z = w[:-1, 0] + 1, np.full((T, 1), -1.0)
    losses = [lambda v, c=c: (v[0] - c) ** 2 / 2 for c in y]
    ledger = proofs.strongly_convex_bound(losses, w, z, [y.mean()], alpha=1)
    assert ledger.holds and ledger.value == pytest.approx((1 / np.arange(1, T + 1)).sum() / 2)


def test_descend_is_gradient_descent_and_its_regret_on_squares_is_that_of_the_mean():
    X, y = streams.noisy_margin(50, [1, 2], 0.1, 0.1, rng=0)
    w, z = descend(
        lambda t, w: -y[t - 1] * X[t - 1] * (y[t - 1] * (w @ X[t - 1]) < 1), [0, 0], [0.3] * 50
    )
    np.testing.assert_array_equal(w, play(OnlineGradientDescent(2, eta=0.3), X, y).weights)
    assert len(z) == 50 and (w[1:] == w[:-1] - 0.3 * z).all()
    toss = np.random.default_rng(5).random((3, 40))
    t = np.arange(1, 41)
    before = np.column_stack([np.full(3, 0.5), (np.cumsum(toss, axis=1) / t)[:, :-1]])
    regret = np.cumsum((before - toss) ** 2 / (2 * t), axis=1)
    np.testing.assert_allclose(means(toss, lambda t: 1 / t), regret, atol=1e-12)


@replays("w9three1")
def test_on_coins_two_steps_grow_like_the_root_and_the_mean_does_not(seed):
    toss = (np.random.default_rng(seed).random((40, 10_000)) < 0.3).astype(float)
    sizes = (100, 1000, 10_000)
    known = [means(toss[:, :T], lambda t, T=T: 0.5 / sqrt(T))[:, -1].mean() for T in sizes]
    root, mean = (
        means(toss, step).mean(axis=0)[[99, 999, 9999]]
        for step in (lambda t: t**-0.5, lambda t: 1 / t)
    )
    for grown in (known, root):
        assert 0.4 < np.log10(grown[2] / grown[1]) < 0.6 and grown[2] > 3 * mean[2]
    assert known[0] < mean[0] < root[0] and np.log10(mean[2] / mean[1]) < 0.15


# What the lecture says of typical streams, on other streams and at other sizes --------------------


@pytest.mark.parametrize("U", [0.7, 2.0, 9.0])
def test_no_vector_of_the_disc_beats_the_best_one(U):
    angle, radius = np.random.default_rng(0).uniform([0, 0], [2 * pi, 1], (5000, 2)).T
    around = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    for seed in range(5):
        X, y = streams.noisy_margin(100, [2, 1], 0.1, 0.2, rng=seed)
        best = best_in_disc(X, y, U)
        others = np.concatenate([U * around, best + 0.1 * U * around])
        others = others[np.linalg.norm(others, axis=1) <= U]
        least = hinge_loss(y[:, None], X @ others.T).sum(axis=0).min()
        assert np.linalg.norm(best) <= U + 1e-12
        assert hinge_loss(y, X @ best).sum() <= least + 1e-3


@pytest.mark.parametrize(("T", "v"), [(200, [1, -3]), (800, [2, 1])])
def test_more_than_a_third_of_the_steps_lead_uphill_on_the_mean_loss(T, v):
    shares = []
    for seed in range(100, 120):
        X, y = streams.noisy_margin(T, v, 0.1, 0.1, rng=seed)
        run = play(OnlineGradientDescent(2, eta=3 / sqrt(T)), X, y)
        rises = np.diff(hinge_loss(y, run.weights @ X.T).mean(axis=1)) > 1e-12
        shares.append(rises.sum() / (run.losses > 0).sum())
    assert 1 / 3 < min(shares) and max(shares) < 1 / 2


@replays("c82b80fd", sets=1)
def test_on_a_noisy_half_plane_a_quarter_to_two_fifths_of_the_bound_and_the_share_falls(seed):
    """At the lengths of the lecture, and ten times as long."""
    shares, sizes = [], ((16, 80), (1024, 20), (10_240, 6))
    for T, runs in sizes if seed == 1 else sizes[:2]:
        ratios = []
        for k in range(runs):
            X, y = streams.noisy_margin(T, [1, -3], 0.1, 0.1, rng=[seed, T, k])
            run = play(OnlineGradientDescent(2, eta=3 / sqrt(T)), X, y, keep="last")
            u = best_in_disc(X, y, 3.0)
            ratios.append((run.total_loss - hinge_loss(y, X @ u).sum()) / (3 * sqrt(T)))
        shares.append((np.mean(ratios), np.std(ratios, ddof=1) / sqrt(runs)))
    (short, error), (long, other), *longer = shares
    assert 0.25 < long and short + error < 0.44, shares
    assert short - long > 3 * np.hypot(error, other)
    for share, third in longer:
        assert 0.25 < share - third and share < long + 2 * np.hypot(other, third)


@replays("fa114297")
def test_with_few_flipped_labels_the_perceptron_errs_more_than_twice_as_often(seed):
    told = figures.perceptron_noise(T=10_000 if seed == 3 else 1000, seed=seed).description
    shares = [
        tuple(map(float, row)) for row in re.findall(r"(\S+)% \(flipped (\d+)%, bound (\d+)%", told)
    ]
    assert [flipped for _, flipped, _ in shares] == list(range(0, 45, 5))
    assert all(flipped <= errs <= bound + 1 for errs, flipped, bound in shares)
    assert all(shares[k][0] > 2 * shares[k][1] for k in (1, 2))


def test_the_exact_step_pays_more_on_some_streams_and_less_on_others():
    sooner = []
    for seed in range(20):
        X, y = streams.noisy_margin(200, [2, 1], 0.1, 0.1, rng=seed)
        pays = [
            play(OnlineGradientDescent(2, eta=3 / sqrt(200), exact=exact), X, y).total_loss
            for exact in (False, True)
        ]
        sooner.append(pays[1] < pays[0])
    assert 0 < sum(sooner) < 20, sum(sooner)
