"""The expert algorithms against plain versions of their pseudo-code, exact enumeration, and extreme
losses.

All are played by the plain loop; test_fast.py compares the shortcuts with it.
"""

from fractions import Fraction
from functools import partial
from itertools import product
from math import exp, log

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from strategies import ENDS, MODEST, UNIT, sizes, tables, trials

from olc_helpers import (
    Halving,
    Hedge,
    RandomizedWeightedMajority,
    WeightedAverage,
    WeightedMajority,
    protocol,
)
from olc_helpers.protocol import Run, entropic_loss, mistake_loss
from olc_helpers.streams import forecasts

play = partial(protocol.play, fast=False)

HALF = Fraction(1, 2)
SHAPES = sizes(30, 6)
BITS = trials(SHAPES, ENDS, kind=float)
FORECASTS = trials(SHAPES, UNIT, kind=float)
INNER = trials(SHAPES, st.floats(0.001, 0.999), UNIT, kind=float)
MATRIX = tables(SHAPES, UNIT, kind=float)


class Script:
    """A generator of random numbers that draws what it was told, and remembers with which
    probability it would have.
    """

    def __init__(self, draws):
        self.draws, self.chance = list(draws), 1.0

    def choice(self, n, p):
        assert len(p) == n
        draw = self.draws.pop(0)
        self.chance *= p[draw]
        return draw


# The pseudo-code, written down once more ----------------------------------------------------------


def plain_halving(X, y):
    trusted, predictions = set(range(X.shape[1])), []
    for x, label in zip(X, y, strict=True):
        ones = sum(x[i] == 1 for i in trusted)
        predictions.append(1 if ones >= len(trusted) - ones else 0)
        trusted -= {i for i in trusted if x[i] != label}
    return predictions, trusted


def plain_weighted_majority(X, y, beta):
    """Exact if beta is a Fraction; yields each prediction, the weights before it, and how clear the
    vote was.
    """
    w = [Fraction(1)] * X.shape[1]
    for x, label in zip(X, y, strict=True):
        ones = sum(v for v, advice in zip(w, x, strict=True) if advice == 1)
        zeros = sum(v for v, advice in zip(w, x, strict=True) if advice == 0)
        yield int(ones >= zeros), list(w), abs(ones - zeros) / (ones + zeros)
        w = [v * beta if advice != label else v for v, advice in zip(w, x, strict=True)]


def plain_exponential(losses, eta, prior):
    """Yields v_1 … v_{T+1}: multiply by e^(-eta loss), then divide by the sum, on every trial."""
    v = list(prior)
    yield v
    for row in losses:
        v = [a * exp(-eta * loss) for a, loss in zip(v, row, strict=True)]
        v = [a / sum(v) for a in v]
        yield v


def plain_vovk(v, x, eta):
    g = [
        -log(sum(a * exp(-eta * (y - b) ** 2) for a, b in zip(v, x, strict=True))) / eta
        for y in (0, 1)
    ]
    return (g[0] - g[1] + 1) / 2


# The tables of the lectures -----------------------------------------------------------------------


def test_four_forecasters():
    """EXP-E1: the loss column of the table, and the losses of the experts."""
    X, predictions, y = (
        np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 1]]),
        [0, 1, 1],
        np.array([1, 0, 1]),
    )
    assert mistake_loss(y, predictions).tolist() == [1, 1, 0]
    run = Run.of(object(), X, y, predictions)
    assert run.losses.tolist() == [1, 1, 0] and run.cumulative_expert_losses[-1].tolist() == [
        2,
        0,
        2,
        1,
    ]
    assert (run.best_expert, run.best_loss, run.regret) == (1, 0, 2)


@MODEST
@given(arrays(int, (3, 8), elements=st.integers(0, 1)))
def test_eight_experts(X):
    """HALV-E1, whatever the experts say that were deleted before."""
    X[0] = [1, 1, 0, 0, 1, 1, 0, 0]
    X[1, [2, 3, 6, 7]] = [0, 1, 1, 1]
    X[2, [3, 6, 7]] = [1, 0, 0]
    run = play(Halving(8), X, np.array([0, 1, 1]))
    assert run.predictions.tolist() == [1, 1, 0] and run.losses.tolist() == [1, 0, 1]
    assert run.weights.sum(axis=1).tolist() == [8, 4, 3, 1] and np.flatnonzero(
        run.learner.w
    ).tolist() == [3]


# Against the pseudo-code --------------------------------------------------------------------------


@MODEST
@given(BITS)
def test_halving(stream):
    predictions, trusted = plain_halving(*stream)
    run = play(Halving(stream[0].shape[1]), *stream)
    assert run.predictions.tolist() == predictions and set(np.flatnonzero(run.learner.w)) == trusted


@MODEST
@given(BITS)
def test_weighted_majority_with_one_half_is_exact(stream):
    expected = list(plain_weighted_majority(*stream, HALF))
    run = play(WeightedMajority(stream[0].shape[1], beta=0.5), *stream)
    assert run.predictions.tolist() == [prediction for prediction, _, _ in expected]
    assert run.weights[:-1].tolist() == [[float(v) for v in w] for _, w, _ in expected]


@MODEST
@example(
    stream=(np.array([[0, 0, 0, 1, 1, 1], *2 * [[1, 1, 1, 0, 1, 1]]]), np.array([1, 0, 1])),
    beta=Fraction(1, 3),  # 1 against 3/9 + 2/3
)
@given(BITS, st.fractions(0, Fraction(49, 50), max_denominator=50))
def test_weighted_majority(stream, beta):
    """A tie is one of floats: 1/3 is none."""
    run = play(WeightedMajority(stream[0].shape[1], beta=float(beta)), *stream)
    for t, (prediction, w, clear) in enumerate(
        plain_weighted_majority(*stream, beta) if beta else []
    ):
        np.testing.assert_allclose(run.weights[t], [float(v) for v in w], rtol=1e-13)
        tie = clear == 0 and float(beta) == beta
        assert run.predictions[t] == prediction or (clear < 1e-12 and not tie)


@pytest.mark.parametrize(
    ("x", "prediction"), [([1, 0], 1), ([0, 1], 1), ([1, 0, 0, 1], 1), ([1, 0, 0], 0)]
)
def test_ties_give_1(x, prediction):
    assert (
        Halving(len(x)).predict(np.array(x))
        == WeightedMajority(len(x)).predict(np.array(x))
        == prediction
    )
    learner = WeightedMajority(3)
    learner.L = np.array([0.0, 1.0, 1.0])
    # 1 against 1/2 + 1/2.
    assert learner.predict(np.array([0, 1, 1])) == learner.predict(np.array([1, 0, 0])) == 1


@MODEST
@given(st.permutations([0, 1, 2, 3, 5]), st.floats(0.05, 0.95), st.integers(0, 10**6))
def test_a_tie_is_a_tie_whatever_the_order_of_the_experts(order, beta, before):
    learner = WeightedMajority(10, beta=beta)
    learner.L = np.array([0.0, 1, 2, 3, 5, *order]) + before
    assert learner.predict(np.repeat([1, 0], 5)) == learner.predict(np.repeat([0, 1], 5)) == 1


@MODEST
@given(BITS, st.integers(0, 5))
def test_weighted_majority_with_0_is_halving_on_realizable_data(stream, perfect):
    X = stream[0]
    y = X[:, perfect % X.shape[1]]
    wm, halving = play(WeightedMajority(X.shape[1], beta=0), X, y), play(Halving(X.shape[1]), X, y)
    assert (
        wm.predictions.tolist() == halving.predictions.tolist()
        and wm.weights.tolist() == halving.weights.tolist()
    )
    assert wm.probabilities.tolist() == halving.probabilities.tolist()


@MODEST
@given(MATRIX, st.floats(0.01, 5))
def test_hedge(L, eta):
    run = play(Hedge(L.shape[1], eta=eta), L)
    expected = np.array(list(plain_exponential(L, eta, [1 / L.shape[1]] * L.shape[1])))
    np.testing.assert_allclose(run.predictions, expected[:-1], rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(run.probabilities, expected, rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(run.losses, (expected[:-1] * L).sum(axis=1), rtol=1e-11)


@MODEST
@given(FORECASTS, st.floats(0.01, 4))
def test_weighted_average_for_the_square_loss(stream, eta):
    X, y = stream
    n = X.shape[1]
    v = list(plain_exponential((y[:, None] - X) ** 2, eta, [1 / n] * n))[:-1]
    mean, vovk = (
        play(WeightedAverage(n, eta=eta, prediction=rule), X, y) for rule in ("mean", "vovk")
    )
    np.testing.assert_allclose(
        mean.predictions, (np.array(v) * X).sum(axis=1), rtol=1e-11, atol=1e-12
    )
    np.testing.assert_allclose(
        vovk.predictions,
        [plain_vovk(a, x, eta) for a, x in zip(v, X, strict=True)],
        rtol=1e-10,
        atol=1e-11,
    )
    np.testing.assert_array_equal(mean.losses, (y - mean.predictions) ** 2)


@MODEST
@given(INNER, st.floats(0.01, 2))
def test_weighted_average_for_the_entropic_loss(stream, eta):
    X, y = stream
    n = X.shape[1]
    v = np.array(list(plain_exponential(entropic_loss(y[:, None], X), eta, [1 / n] * n)))
    run = play(WeightedAverage(n, eta=eta, loss="entropic"), X, y)
    np.testing.assert_allclose(run.predictions, (v[:-1] * X).sum(axis=1), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(
        run.losses, entropic_loss(y, (v[:-1] * X).sum(axis=1)), rtol=1e-8, atol=1e-10
    )


@MODEST
@given(FORECASTS, st.floats(0.1, 2))
def test_predictions_stay_where_the_experts_are(stream, eta):
    X, y = stream
    run = play(WeightedAverage(X.shape[1], eta=eta), X, y)
    assert (X.min(axis=1) <= run.predictions).all() and (run.predictions <= X.max(axis=1)).all()


@MODEST
@given(FORECASTS, st.floats(0.01, 2), st.floats(0, 1))
def test_vovks_prediction_is_as_good_as_the_mix_for_every_label(stream, eta, y):
    X = stream[0]
    run = play(WeightedAverage(X.shape[1], eta=eta, prediction="vovk"), *stream)
    mix = -np.log((run.probabilities[:-1] * np.exp(-eta * (y - X) ** 2)).sum(axis=1)) / eta
    assert (
        ((y - run.predictions) ** 2 <= mix + 1e-9).all()
        and (run.predictions >= 0).all()
        and (run.predictions <= 1).all()
    )


def test_default_rates_are_those_of_the_theorems():
    assert [
        WeightedAverage(2, loss=loss, prediction=rule).eta
        for loss, rule in (("square", "mean"), ("square", "vovk"), ("entropic", "mean"))
    ] == [0.5, 2, 1]


@MODEST
@given(MATRIX, st.floats(0.05, 0.95))
def test_hedge_and_weighted_majority_have_the_same_weights(L, beta):
    """With beta = e^-eta, and losses that are mistakes."""
    X, y = np.round(L), np.zeros(len(L))
    wm, hedge = (
        play(WeightedMajority(X.shape[1], beta), X, y),
        play(Hedge(X.shape[1], eta=-log(beta)), X),
    )
    np.testing.assert_allclose(wm.probabilities, hedge.probabilities, rtol=1e-11)
    np.testing.assert_allclose(wm.expected_losses, hedge.losses, rtol=1e-11)


# Priors -------------------------------------------------------------------------------------------


@MODEST
@given(FORECASTS, st.integers(1, 29), st.sampled_from(["mean", "vovk"]))
def test_weights_after_some_trials_are_the_prior_of_the_rest(stream, cut, rule):
    X, y = stream
    n = X.shape[1]
    assume(cut < len(X))
    whole = play(WeightedAverage(n, prediction=rule), X, y)
    rest = play(
        WeightedAverage(n, prediction=rule, prior=whole.probabilities[cut]), X[cut:], y[cut:]
    )
    np.testing.assert_allclose(rest.weights[0], whole.probabilities[cut], rtol=1e-12)
    np.testing.assert_allclose(rest.predictions, whole.predictions[cut:], rtol=1e-9, atol=1e-10)


def test_expert_without_prior_never_counts():
    run = play(WeightedAverage(2, prior=[0, 1]), np.array([[1, 0.25]] * 5), np.ones(5))
    assert (
        (run.predictions == 0.25).all()
        and (run.weights[:, 0] == 0).all()
        and (run.probabilities[:, 1] == 1).all()
    )


# Draws --------------------------------------------------------------------------------------------


def test_draws_have_the_frequencies_of_the_weights():
    """The same seed against n one-hot advices says which expert was drawn; chi-square with 3
    degrees at 1e-4 is 21.1.
    """
    N, counts, w = 4000, [], 0.5 ** np.array([0.0, 1, 2, 4])
    for advice in np.eye(4):
        learner = RandomizedWeightedMajority(4, beta=0.5, rng=7)
        learner.L = np.array([0.0, 1, 2, 4]) + 1e6
        counts.append(sum(learner.predict(advice) for _ in range(N)))
    expected = N * w / w.sum()
    assert sum(counts) == N and ((counts - expected) ** 2 / expected).sum() < 21.1


def test_same_seed_same_draws():
    X, y = np.random.default_rng(0).integers(0, 2, (2, 60, 3))
    runs = [
        play(RandomizedWeightedMajority(3, beta=0.9, rng=seed), X, y[:, 0]).predictions.tolist()
        for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1] != runs[2]
    assert play(
        RandomizedWeightedMajority(3, rng=np.random.default_rng(1)), X, y[:, 0]
    ).weights.shape == (61, 3)


TINY = (np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1]]), np.array([0, 1, 0, 1]))


def test_expected_mistakes_are_those_of_all_draws():
    """Every one of the 3^4 sequences of draws, with its exact probability (Fractions) and as the
    learner draws it.
    """
    X, y = TINY
    weights = [w for _, w, _ in plain_weighted_majority(X, y, HALF)]
    exact, played, chances = Fraction(0), 0.0, 0.0
    for draws in product(range(3), repeat=4):
        chance = Fraction(1)
        for w, i in zip(weights, draws, strict=True):
            chance *= w[i] / sum(w)
        exact += chance * sum(int(X[t, i] != y[t]) for t, i in enumerate(draws))
        learner = RandomizedWeightedMajority(3, beta=0.5)
        learner.rng = script = Script(draws)
        run = play(learner, X, y)
        assert run.predictions.tolist() == [X[t, i] for t, i in enumerate(draws)]
        played, chances = played + script.chance * run.mistakes, chances + script.chance
    np.testing.assert_allclose(
        [run.expected_losses.sum(), played, chances], [float(exact), float(exact), 1], rtol=1e-14
    )


def test_hedge_that_draws_pays_the_same_in_expectation():
    """HEDGE-D1: model 2 over all draws, and its mean over seeds, against model 1."""
    L = np.random.default_rng(3).random((5, 3))
    average, total = play(Hedge(3, eta=1.5), L), 0.0
    for draws in product(range(3), repeat=5):
        learner = Hedge(3, eta=1.5)
        learner.rng = script = Script(draws)
        run = play(learner, L)
        assert (
            run.predictions.tolist() == list(draws)
            and run.losses.tolist() == L[range(5), draws].tolist()
        )
        total += script.chance * run.total_loss
    np.testing.assert_allclose([total, run.expected_losses.sum()], average.total_loss, rtol=1e-13)
    sampled = [play(Hedge(3, eta=1.5, rng=seed), L).total_loss for seed in range(300)]
    assert 0 < abs(np.mean(sampled) - average.total_loss) < 4 * np.std(sampled) / np.sqrt(300)


# Nothing overflows, nothing is NaN ----------------------------------------------------------------

FAR = [1e6, 1e9, 1e12]


@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("make", [Hedge, WeightedAverage])
def test_exponential_weights_after_huge_losses(make, far):
    learner = make(3, eta=1.0)
    learner.L = far + np.array([0.0, 1.0, 3.0])
    np.testing.assert_allclose(
        learner.v, np.exp([0, -1, -3]) / np.exp([0, -1, -3]).sum(), rtol=far * 4e-16
    )
    assert learner.v.sum() == pytest.approx(1, rel=1e-14)
    assert np.isfinite(learner.log_w).all() and not np.isnan(learner.w).any()


@pytest.mark.parametrize("far", FAR)
def test_majority_after_huge_losses(far):
    learner = WeightedMajority(3, beta=0.5)
    learner.L = far + np.array([0.0, 1, 2])
    assert [learner.predict(np.array(x)) for x in ([1, 0, 0], [0, 1, 1], [0, 1, 0])] == [1, 0, 0]
    drawing = RandomizedWeightedMajority(3, beta=0.5)
    drawing.L, drawing.rng = learner.L, Script([2])
    assert drawing.predict(np.array([0, 0, 1])) == 1 and drawing.rng.chance == pytest.approx(
        1 / 7, rel=far * 4e-16
    )
    drawing.rng = np.random.default_rng(0)
    # 30 are expected.
    assert sum(drawing.predict(np.array([0, 1, 1])) for _ in range(70)) in range(15, 46)


@pytest.mark.parametrize("rng", [None, 0])
def test_hedge_with_losses_of_a_million(rng):
    L = np.random.default_rng(0).random((200, 5)) * 1e6
    run = play(Hedge(5, eta=1.0, rng=rng), L)
    for a in (
        run.predictions,
        run.losses,
        run.weights,
        run.log_weights,
        run.probabilities,
        run.expected_losses,
    ):
        assert np.isfinite(a).all()
    np.testing.assert_allclose(run.probabilities.sum(axis=1), 1, rtol=1e-12)
    leaders = run.cumulative_expert_losses[1:-1].argmin(axis=1)
    assert (run.probabilities[1:-1].argmax(axis=1) == leaders).all()


def test_long_play_outlives_the_exponent_of_a_float():
    T = 20_000
    L = np.ones((T, 2))
    L[::100, 0] = 0.99
    run = play(Hedge(2, eta=1.0), L)
    assert run.weights[-1].tolist() == [0, 0] and np.isfinite(run.log_weights).all()
    np.testing.assert_allclose(
        run.probabilities[-1], [1 / (1 + exp(-2)), 1 / (1 + exp(2))], rtol=1e-9
    )
    wm = play(WeightedMajority(2), 1 - L.round(), np.ones(T))
    assert (
        wm.mistakes == T
        and wm.log_weights[-1].tolist() == [T * log(0.5)] * 2
        and wm.probabilities[-1].tolist() == [0.5, 0.5]
    )


@MODEST
@given(trials(SHAPES, st.sampled_from([0.0, 1.0, 1e-300, 0.5]), kind=float))
@example((np.zeros((3, 2)), np.ones(3)))
def test_infinite_entropic_losses_never_give_nan(stream):
    X, y = stream
    run = play(WeightedAverage(X.shape[1], loss="entropic"), X, y)
    for a in (run.predictions, run.losses, run.weights, run.log_weights, run.probabilities):
        assert not np.isnan(a).any()
    np.testing.assert_allclose(run.probabilities.sum(axis=1), 1, rtol=1e-12)
    finite = np.isfinite(run.cumulative_expert_losses)
    assert (run.probabilities[~finite & finite.any(axis=1, keepdims=True)] == 0).all()


@pytest.mark.parametrize("eta", [1e-6, 2, 1e3, 1e6])
def test_vovks_prediction_at_extreme_rates(eta):
    X = np.array([[0, 0.5, 0.5], [0.5, 0.5, 0.5], [0.4, 0.5, 1]])
    run = play(WeightedAverage(3, eta=eta, prediction="vovk"), X, np.ones(3))
    assert ((run.predictions >= 0) & (run.predictions <= 1)).all() and run.predictions[
        1
    ] == pytest.approx(0.5, abs=1e-9)


# What lecture 3 says of typical streams, at other sizes and seeds than it shows -------------------


@pytest.mark.parametrize("n, T", [(8, 200), (16, 400)])
def test_typical_regret_of_forecasts(n, T):
    weather = [forecasts(T, n, rng=seed) for seed in range(200, 220)]

    def losses(*rule):
        return np.array([play(WeightedAverage(n, *rule), *days).total_loss for days in weather])

    def shares(eta, *rule):
        runs = [play(WeightedAverage(n, eta, *rule), *days) for days in weather]
        share = np.array([run.regret * eta / np.log(n) for run in runs])
        return share.mean(), share.std(ddof=1) / np.sqrt(len(share))

    entropic, entropic_error = shares(1, "entropic")
    mean, mean_error = shares(0.5, "square")
    assert entropic - 2 * entropic_error > 0.75 and mean + 2 * mean_error < 0.25
    gap = losses(2) - losses(2, "square", "vovk")
    assert abs(gap.mean()) < 0.1
