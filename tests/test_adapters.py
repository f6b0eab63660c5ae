"""Models of scikit-learn and of river play in the protocol, and ledgers read their runs."""

import warnings
from copy import deepcopy
from dataclasses import replace
from doctest import DocTestFinder, DocTestRunner

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import MiniBatchKMeans
from sklearn.linear_model import LogisticRegression, SGDClassifier, SGDRegressor
from sklearn.linear_model import Perceptron as SklearnPerceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from strategies import SIGNS, sizes, trials

from olc_helpers import (
    HypothesisError,
    Perceptron,
    WeightedAverage,
    adapters,
    as_learner,
    play,
    proofs,
    streams,
)
from olc_helpers.losses import entropic_loss

X, Y = streams.TEN_POINTS
WHOLE = trials(sizes(12, 4), st.integers(-4, 4), SIGNS)


def river(name):
    """Return a module of river, or skip."""
    reason = "river is an optional extra: pip install .[bench]"
    return pytest.importorskip(f"river.{name}", reason=reason)


def with_constant(X):
    """Return the rows with a constant feature 1 at their end."""
    return np.column_stack([X, np.ones(len(X), int)])


def same(run, other):
    """True if two runs predict, pay and weigh the same, number for number."""
    return all(
        np.array_equal(getattr(run, name), getattr(other, name))
        for name in ("y", "predictions", "losses", "weights")
    )


def no_intercept():
    return as_learner(SklearnPerceptron(fit_intercept=False, eta0=1))


# scikit-learn -------------------------------------------------------------------------------------


@given(WHOLE, st.integers(1, 3))
@settings(max_examples=40)
def test_perceptron_of_scikit_learn_is_ours(stream, epochs):
    X, y = stream
    n = X.shape[1]
    assert same(play(no_intercept(), X, y, epochs=epochs), play(Perceptron(n), X, y, epochs=epochs))
    with_bias = play(as_learner(SklearnPerceptron()), X, y, epochs=epochs)
    assert same(with_bias, play(Perceptron(n + 1), with_constant(X), y, epochs=epochs))


@pytest.mark.parametrize("rows", [X, -X, X[::-1], 3 * X])
def test_novikoff_holds_on_the_perceptron_of_scikit_learn(rows):
    y = np.where(rows @ [-1, 2] > 0, 1, -1)
    run = play(no_intercept(), rows, y, epochs=50, until_consistent=True)
    assert run.mistakes > 0 and run.mistakes_per_pass[-1] == 0
    ledger = proofs.novikoff(run)
    assert ledger.holds and ledger.lines[-1].lhs == run.mistakes


def test_ledger_catches_models_that_are_no_perceptron():
    for model in (
        SklearnPerceptron(fit_intercept=False, eta0=0.5),
        SGDClassifier(fit_intercept=False, alpha=0.01, random_state=0),
    ):
        ledger = proofs.novikoff(play(as_learner(model), X, Y, epochs=3))
        assert not ledger.lines[2].holds  # the update is not y x


def test_intercept_is_the_weight_of_a_constant_feature():
    run = play(as_learner(SklearnPerceptron()), X, Y, epochs=9)
    model = run.learner.model
    assert run.weights[-1].tolist() == [*model.coef_[0], *model.intercept_]
    with pytest.raises(HypothesisError, match="X has 2 columns, w has 3 entries"):
        proofs.novikoff(run)
    assert proofs.novikoff(replace(run, X=with_constant(run.X))).holds


def test_before_the_first_update_there_is_a_tie():
    for labels, tie in (("signs", 0), ("bits", 0.5)):
        for label in {"signs": (-1, 1), "bits": (0, 1)}[labels]:
            learner = as_learner(SklearnPerceptron(fit_intercept=False), labels=labels)
            assert learner.w is None and learner.n is None
            run = play(learner, X[:1], [label])
            assert run.predictions == tie and run.mistakes == 1
            assert run.weights[0].tolist() == [0, 0] and run.weights[1].any() and learner.n == 2
    assert play(as_learner(SGDRegressor()), X, Y).predictions[0] == 0


@given(WHOLE)
@settings(max_examples=20)
def test_labels_0_and_1_play_as_minus_1_and_1(stream):
    X, y = stream
    signs = play(no_intercept(), X, y)
    bits = play(as_learner(SklearnPerceptron(fit_intercept=False), labels="bits"), X, (y + 1) // 2)
    assert np.array_equal(bits.losses, signs.losses)
    assert np.array_equal(bits.weights, signs.weights)
    assert np.array_equal(2 * bits.predictions - 1, signs.predictions)


def test_wrong_labels_are_refused():
    with pytest.raises(ValueError, match=r"must be -1 or \+1; y\[0\] is 0 .*2\*y - 1"):
        play(no_intercept(), X, (Y + 1) // 2)
    with pytest.raises(ValueError, match=r"must be 0 or 1; y\[\d\] is -1 .*\(y \+ 1\) // 2"):
        play(as_learner(SklearnPerceptron(), labels="bits"), X, Y)


def test_a_fitted_model_goes_on():
    model = SklearnPerceptron(fit_intercept=False)
    play(as_learner(model), X, Y)
    ours = Perceptron(2)
    play(ours, X, Y)
    assert same(play(as_learner(model), X[::-1], Y[::-1]), play(ours, X[::-1], Y[::-1]))
    with pytest.raises(ValueError, match="X must have n = 2 columns"):
        play(as_learner(model), np.eye(3), [1, 1, 1])
    bits = SklearnPerceptron().partial_fit(X, (Y + 1) // 2, classes=[0, 1])
    assert as_learner(bits).labels == "bits"
    with pytest.raises(ValueError, match=r"fitted to the 2 classes 0, 1; .* are -1 and \+1"):
        as_learner(bits, labels="signs")


def test_models_without_weights_or_scores_play():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one class of two was seen; one step is too few
        bayes = play(as_learner(GaussianNB()), X, Y, epochs=2)
        net = play(as_learner(MLPRegressor(hidden_layer_sizes=4, random_state=0)), X, Y)
    assert bayes.weights is None and net.weights is None
    assert set(bayes.predictions[1:].tolist()) == {-1, 1} and bayes.mistakes < len(X)
    assert net.learner.loss == "square" and net.total_loss > 0


@pytest.mark.parametrize("keep", ["mistakes", "last"])
def test_weights_are_kept_as_asked(keep):
    run, ours = (play(learner, X, Y, keep=keep) for learner in (no_intercept(), Perceptron(2)))
    assert same(run, ours)


def test_copies_are_independent():
    learner = no_intercept()
    play(learner, X, Y)
    twin = deepcopy(learner)
    play(twin, X, -Y)
    assert learner.w.tolist() != twin.w.tolist()


def test_what_cannot_be_played_says_why():
    three = SklearnPerceptron().fit(np.eye(3), [0, 1, 2])
    named = SklearnPerceptron().fit(np.eye(2), ["no", "yes"])
    for model, why in (
        (LogisticRegression(), "LogisticRegression can't be played: it has neither partial_fit"),
        (make_pipeline(StandardScaler(), SklearnPerceptron()), "play its last step"),
        (three, "fitted to the 3 classes 0, 1, 2; .* two"),
        (named, "fitted to the 2 classes no, yes"),
        (MiniBatchKMeans(), "neither a classifier nor a regressor"),
        (SklearnPerceptron, r"needs a model, Perceptron\(…\)"),
        (3, "int can't be played"),
    ):
        with pytest.raises((TypeError, ValueError), match=why):
            as_learner(model)
    with pytest.raises(ValueError, match="labels must be 'signs'"):
        as_learner(SklearnPerceptron(), labels="unit")
    with pytest.raises(ValueError, match="loss must be 'mistake'"):
        as_learner(SGDRegressor(), loss="hinge")
    with pytest.raises(ValueError, match="its loss is mistake; got loss='square'"):
        as_learner(SklearnPerceptron(), loss="square")
    with pytest.raises(ValueError, match="labels are real; got labels='bits'"):
        as_learner(SGDRegressor(), labels="bits")
    with pytest.raises(TypeError, match="Perceptron has no update .as_learner plays models"):
        play(SklearnPerceptron(), X, Y)


def test_a_learner_stays_what_it_is():
    learner = Perceptron(2)
    assert as_learner(learner) is learner


# river --------------------------------------------------------------------------------------------


def test_perceptron_of_river_is_ours():
    linear_model = river("linear_model")
    rng = np.random.default_rng(0)
    for _ in range(20):
        rows = rng.integers(-4, 5, (rng.integers(1, 12), rng.integers(1, 5)))
        y = rng.choice([-1, 1], len(rows))
        run = play(as_learner(linear_model.Perceptron()), rows, y, epochs=2)
        ours = play(Perceptron(rows.shape[1] + 1), with_constant(rows), y, epochs=2)
        assert same(run, ours)
        bits = as_learner(linear_model.Perceptron(), labels="bits")
        assert np.array_equal(play(bits, rows, (y + 1) // 2, epochs=2).weights, ours.weights)


def test_novikoff_holds_on_the_perceptron_of_river():
    linear_model, optim = river("linear_model"), river("optim")
    run = play(as_learner(linear_model.Perceptron()), X, Y, epochs=9, until_consistent=True)
    assert run.mistakes_per_pass[-1] == 0
    with pytest.raises(HypothesisError, match="X has 2 columns, w has 3 entries"):
        proofs.novikoff(run)
    assert proofs.novikoff(replace(run, X=with_constant(run.X))).holds
    plain = linear_model.LogisticRegression(optim.SGD(1), optim.losses.Hinge(0), intercept_lr=0)
    run = play(as_learner(plain), X, Y, epochs=9)
    assert same(run, play(Perceptron(2), X, Y, epochs=9)) and proofs.novikoff(run).holds


def test_other_models_of_river_play():
    linear_model, tree, preprocessing = river("linear_model"), river("tree"), river("preprocessing")
    bits = (Y + 1) // 2
    grown = play(as_learner(tree.HoeffdingTreeClassifier(), labels="bits"), X, bits)
    assert grown.predictions[0] == 0.5 and grown.mistakes < len(X) and grown.weights is None
    chain = play(as_learner(preprocessing.StandardScaler() | linear_model.Perceptron()), X, Y)
    assert chain.weights is None and chain.mistakes < len(X)
    line = play(as_learner(linear_model.LinearRegression()), X, Y)
    assert line.predictions[0] == 0 and line.weights[-1].any() and line.learner.loss == "square"
    soft = play(as_learner(linear_model.SoftmaxRegression()), X, Y)
    assert soft.weights is None and soft.mistakes < len(X)
    careful = play(as_learner(linear_model.PAClassifier(learn_intercept=False)), X, Y)
    assert careful.weights.shape == (11, 2)


def test_a_fitted_model_of_river_goes_on_or_says_why():
    linear_model, anomaly = river("linear_model"), river("anomaly")
    model = linear_model.Perceptron()
    play(as_learner(model), X, Y)
    run, ours = play(as_learner(model), X, Y), play(Perceptron(3), with_constant(X), Y, epochs=2)
    assert np.array_equal(run.weights, ours.weights[len(X) :])
    named = linear_model.Perceptron()
    named.learn_one({"age": 1.0}, True)
    with pytest.raises(ValueError, match="starts with weights of age and the intercept 1"):
        as_learner(named)
    with pytest.raises(ValueError, match="starts with no weights and the intercept 2"):
        as_learner(linear_model.LinearRegression(intercept_init=2.0))
    with pytest.raises(TypeError, match="HalfSpaceTrees can't be played"):
        as_learner(anomaly.HalfSpaceTrees())


def ensemble_of_experts(n, weights=None, **options):
    """Return river's exponentially weighted average of n experts, whose advice are the features."""
    base, ensemble = river("base"), river("ensemble")

    class Expert(base.Regressor):
        def __init__(self, i):
            self.i = i

        def learn_one(self, x, y):
            pass

        def predict_one(self, x):
            return x[self.i]

    model = ensemble.EWARegressor([Expert(i) for i in range(n)], **options)
    model.weights = weights or model.weights
    return model


def test_expert_ledger_finds_that_rivers_first_prediction_is_no_average():
    """River's ensemble starts with weights 1, not 1/n, and scales them to sum 1 after each trial.

    So its first prediction is the sum of the advice, and line 1 of the proof for the square loss
    fails on trial 1 alone. Started with 1/n it is our Weighted Average; line 2, which speaks of the
    total weight W_t, still can't be read, because river throws W_t away.
    """
    advice, y = streams.forecasts(40, 4)
    run = play(as_learner(ensemble_of_experts(4, learning_rate=0.5)), advice, y)
    first = proofs.wa_square(run, eta=0.5).lines[0]
    assert run.predictions[0] == pytest.approx(advice[0].sum(), rel=1e-12)
    assert first.trials[first.slack < 0].tolist() == [1]

    mended = play(as_learner(ensemble_of_experts(4, [0.25] * 4, learning_rate=0.5)), advice, y)
    ours = play(WeightedAverage(4, eta=0.5), advice, y)
    np.testing.assert_allclose(mended.predictions, ours.predictions, rtol=0, atol=1e-12)
    np.testing.assert_allclose(mended.probabilities, ours.probabilities, rtol=0, atol=1e-12)
    ledger = proofs.wa_square(mended, eta=0.5)
    assert [line.holds for line in ledger.lines] == [True, False, True, True]


def test_expert_ledger_holds_on_a_river_model():
    """The proof for the entropic loss reads shares of the weight alone: every line holds."""

    def entropic(y_true, y_pred):
        return float(entropic_loss(y_true, y_pred))

    advice, y = streams.forecasts(40, 4)
    model = ensemble_of_experts(4, [0.25] * 4, loss=entropic, learning_rate=1)
    ledger = proofs.wa_entropic(play(as_learner(model, loss="entropic"), advice, y), eta=1)
    assert ledger.holds and len(ledger.lines) == 5


# The example --------------------------------------------------------------------------------------


def test_example_in_the_docstring():
    results = [DocTestRunner().run(test) for test in DocTestFinder().find(adapters)]
    assert sum(r.attempted for r in results) >= 4 and sum(r.failed for r in results) == 0
