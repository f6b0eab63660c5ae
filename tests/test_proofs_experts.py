"""The theorems of lectures 01 to 04: no run breaks a line, no hypothesis is missing, broken
learners break the right line.
"""

from copy import deepcopy
from math import e, log, sqrt

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from strategies import BITS, MODEST, UNIT, against, forecasts, sizes

from olc_helpers import (
    Halving,
    Hedge,
    HypothesisError,
    RandomizedWeightedMajority,
    WeightedAverage,
    WeightedMajority,
    adversaries,
    errata,
    play,
    theorems,
)
from olc_helpers.experts import theorems as proofs
from olc_helpers.experts.errata import printed_hedge_update, printed_rwma_regret, printed_wm_regret

SIZES = sizes(25, 6)  # T, n


# Streams ------------------------------------------------------------------------------------------


@st.composite
def advice(draw):
    """T x n bits: at random, the same on every trial, or one expert against all others, in turn."""
    T, n = draw(SIZES)
    if draw(st.booleans()):
        return draw(arrays(int, (T, n), elements=BITS))
    rows = draw(
        st.sampled_from(
            [
                np.zeros((1, n), int),
                np.ones((1, n), int),
                np.arange(n)[None] % 2,
                np.eye(n, dtype=int),
            ]
        )
    )
    return np.resize(rows, (T, n))


def met(learner, X, nature, draws):
    """Returns the Run of a learner on labels that were drawn, or against its predictions, or
    against all experts that nature can make wrong.
    """
    if nature == "random":
        return play(learner, X, draws)
    if nature == "contrary":
        return against(learner, X, lambda x, prediction: float(prediction < 0.5))
    return against(learner, X, lambda x, prediction: float(np.mean(x) < 0.5))


NATURES = st.sampled_from(["random", "contrary", "against the experts"])


@st.composite
def mistake_runs(draw, make):
    """A Run of make(n, T) on bits."""
    X = draw(advice())
    return met(make(X.shape[1], len(X)), X, draw(NATURES), draw(arrays(int, len(X), elements=BITS)))


@st.composite
def average_runs(draw, elements=UNIT, **options):
    """A Run of WeightedAverage on advice from the elements and labels in [0, 1], with a uniform or
    another prior.
    """
    X = draw(forecasts(SIZES, elements))
    n, prior = X.shape[1], None
    if draw(st.booleans()):
        prior = draw(arrays(float, n, elements=st.floats(0.01, 1)))
        prior /= prior.sum()
    options = {name: draw(value) for name, value in options.items()}
    return met(
        WeightedAverage(n, prior=prior, **options),
        X,
        draw(NATURES),
        draw(arrays(float, len(X), elements=UNIT)),
    )


@st.composite
def losses(draw, B):
    """T x n losses in [0, B]: at random, all equal, or B for the expert in turn."""
    T, n = draw(SIZES)
    return B * draw(
        st.sampled_from([np.zeros((T, n)), np.ones((T, n)), np.resize(np.eye(n), (T, n))])
        | arrays(float, (T, n), elements=UNIT)
    )


def hedge_against_itself(n, T, eta, B):
    """Returns the losses that hit the expert in which Hedge trusts most, and no other."""
    learner, L = Hedge(n, eta=eta), np.zeros((T, n))
    for row in L:
        row[learner.v.argmax()] = B
        learner.update(None, row)
    return L


def proved(book, lines):
    """Asserts that a ledger has that many lines and that all hold."""
    assert len(book.lines) == lines and book.holds, f"\n{book}"
    return book


# No run breaks a line -----------------------------------------------------------------------------


@MODEST
@given(advice(), st.integers(0, 5), st.booleans())
@example(np.ones((1, 1), int), 0, False)
def test_halving(X, perfect, hostile):
    """Nature contradicts Halving while some perfect expert does, or keeps one expert perfect."""
    learner, y = Halving(X.shape[1]), X[:, perfect % X.shape[1]].copy()
    if hostile:
        rival = deepcopy(learner)
        for t, x in enumerate(X):
            guess = rival.predict(x)
            y[t] = 1 - guess if (x[rival.w] != guess).any() else guess
            rival.update(x, y[t])
    run = play(learner, X, y)
    book = proved(proofs.halving_bound(run), 6)
    assert (book.value, book.bound) == (run.mistakes, int(np.log2(X.shape[1])))


@pytest.mark.parametrize("n", [2, 3, 7, 8, 64, 1000])
def test_halving_bound_is_attained(n):
    book = proved(proofs.halving_bound(adversaries.split_in_half(Halving(n), n)), 6)
    assert book.value == book.bound == n.bit_length() - 1


@MODEST
@given(st.data(), st.floats(0.01, 0.99))
def test_weighted_majority(data, beta):
    run = data.draw(mistake_runs(lambda n, T: WeightedMajority(n, beta)))
    book = proved(proofs.wm_bound(run), 7)
    n, m = run.X.shape[1], min((run.X[:, i] != run.y).sum() for i in range(run.X.shape[1]))
    assert book.value == run.mistakes and book.bound == pytest.approx(
        (log(1 / beta) * m + log(n)) / log(2 / (1 + beta)), rel=1e-12
    )


@MODEST
@given(st.data(), st.floats(0.5, 0.999))
@example(None, 0.5)
def test_weighted_majority_regret(data, beta):
    run = (
        adversaries.greedy(WeightedMajority(16, beta), 16, 4)
        if data is None
        else data.draw(mistake_runs(lambda n, T: WeightedMajority(n, beta)))
    )
    book = proved(proofs.wm_regret(run), 5)
    eta, m = 1 - beta, run.best_loss
    assert book.value == run.mistakes - m
    assert book.bound == pytest.approx((1 + 2 * eta) * m + 2 * log(run.X.shape[1]) / eta, rel=1e-12)


@MODEST
@given(st.data())
def test_weighted_majority_two_regret(data):
    run = data.draw(
        mistake_runs(lambda n, T: WeightedMajority(n, min(max(1 - sqrt(log(n) / T), 0), 0.99)))
    )
    T, n = run.X.shape
    assume(n >= 2 and T >= 4 * log(n))
    book = proved(proofs.wm_two_regret(run), 3)
    assert book.value == run.mistakes - 2 * run.best_loss and book.bound == pytest.approx(
        4 * sqrt(T * log(n)), rel=1e-12
    )


@MODEST
@given(st.data(), st.floats(0.5, 0.999))
def test_randomised_weighted_majority(data, beta):
    run = data.draw(mistake_runs(lambda n, T: RandomizedWeightedMajority(n, beta, rng=0)))
    book = proved(proofs.rwma_bound(run), 6)
    eta, m = 1 - beta, run.best_loss
    assert book.value == pytest.approx(run.expected_losses.sum(), rel=1e-12)
    assert book.bound == pytest.approx((1 + eta) * m + log(run.X.shape[1]) / eta, rel=1e-12)


@MODEST
@given(st.data())
def test_randomised_weighted_majority_has_no_regret(data):
    run = data.draw(
        mistake_runs(lambda n, T: RandomizedWeightedMajority(n, 1 - 1 / sqrt(T), rng=0))
    )
    T, n = run.X.shape
    assume(T >= 4)
    book = proved(proofs.rwma_no_regret(run), 3)
    assert book.value == pytest.approx(
        run.expected_losses.sum() - run.best_loss, rel=1e-12, abs=1e-12
    )
    assert book.bound == pytest.approx(sqrt(T) * (1 + log(n)), rel=1e-12)


@MODEST
@given(average_runs(eta=st.floats(0.01, 0.5)))
def test_weighted_average_square(run):
    book = proved(proofs.wa_square(run), 4)
    assert (book.value, book.bound) == (
        run.regret,
        pytest.approx(-log(run.learner.prior[run.best_expert]) / run.learner.eta),
    )


@MODEST
@given(average_runs(eta=st.floats(0.01, 2), prediction=st.just("vovk")))
def test_weighted_average_vovk(run):
    book = proved(proofs.wa_vovk(run), 4)
    assert (book.value, book.bound) == (
        run.regret,
        pytest.approx(-log(run.learner.prior[run.best_expert]) / run.learner.eta),
    )


@MODEST
@given(average_runs(st.floats(0.001, 0.999), loss=st.just("entropic")), st.data())
def test_weighted_average_entropic(run, data):
    book = proved(proofs.wa_entropic(run), 5)
    assert book.value == pytest.approx(run.regret, rel=1e-9, abs=1e-9)
    assert book.bound == pytest.approx(-log(run.learner.prior[run.best_expert]))
    u = data.draw(
        arrays(float, run.X.shape[1], elements=st.floats(0, 1)).filter(lambda u: u.sum() > 0.1)
    )
    proved(proofs.wa_entropic(run, u=u / u.sum()), 5)


@MODEST
@example(play(WeightedAverage(2, loss="entropic"), [[1, 0.25]] * 11, [1] * 10 + [0]))
@given(average_runs(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), loss=st.just("entropic")))
def test_weighted_average_entropic_with_experts_that_are_certain(run):
    """Experts that say 0 or 1 may have an infinite loss; the theorem speaks of the others, and
    refuses a loss that has too few digits.
    """
    assume(np.isfinite(run.best_loss))
    try:
        book = proofs.wa_entropic(run)
    except HypothesisError as refusal:
        assert "too few digits" in str(refusal) and run.losses.max() > 13
    else:
        proved(book, 5)


@pytest.mark.parametrize(
    "book",
    [
        proofs.wa_entropic(
            play(WeightedAverage(7, loss="entropic"), *adversaries.sharp_entropic(7, 60))
        ),
        proofs.wa_square(play(WeightedAverage(7), *adversaries.sharp_square(7, 0.02))),
        proofs.wa_vovk(
            play(WeightedAverage(7, prediction="vovk"), *adversaries.sharp_square(7, 0.02, eta=2))
        ),
    ],
)
def test_weighted_average_bounds_are_nearly_attained(book):
    assert book.holds and 0.97 < book.value / book.bound <= 1 + 1e-12


@MODEST
@given(st.data(), st.floats(0.01, 3), st.sampled_from([1.0, 5.0, 1e6]), st.booleans())
def test_hedge(data, eta, B, draws):
    check_hedge(data.draw(losses(B)), eta, B, draws, data.draw)


def test_hedge_with_large_losses_that_do_not_come():
    """Rounding of the divergences, divided by a tiny rate, is no violation."""
    u = np.array([0.015625, *5 * [0.5]])
    for B in (1e3, 1e6, 1e9):
        check_hedge(np.zeros((4, 6)), 0.125, B, False, lambda _: u)
        check_hedge(np.random.default_rng(0).random((40, 6)), 0.01, B, False, lambda _: u)


def check_hedge(L, eta, B, draws, draw):
    run = play(Hedge(L.shape[1], eta=eta / B, rng=0 if draws else None), L)
    T, n = L.shape
    book = proved(proofs.hedge_bound(run, B=B), 7)
    regret = run.expected_losses.sum() - L.sum(axis=0).min()
    assert book.value == pytest.approx(regret, rel=1e-9, abs=1e-9 * B)
    assert book.bound == pytest.approx(B * (log(n) / eta + eta * T / 2), rel=1e-12)
    book = proved(proofs.hedge_hoeffding(run, B=B), 5)
    assert book.value == pytest.approx(regret, rel=1e-9, abs=1e-9 * B)
    assert book.bound == pytest.approx(B * (log(n) / eta + eta * T / 8), rel=1e-12)
    u = draw(arrays(float, n, elements=st.floats(0, 1)).filter(lambda u: u.sum() > 0.1))
    proved(proofs.hedge_bound(run, u=u / u.sum(), B=B), 7)


@given(losses(1.0), st.floats(0.01, 50), st.booleans(), st.floats(0, 9))
def test_hedge_where_the_best_expert_loses_little(L, eta, draws, spare):
    n, best = L.shape[1], L.sum(axis=0).min()
    book = proved(proofs.hedge_first_order(play(Hedge(n, eta, rng=0 if draws else None), L)), 6)
    assert book.bound == pytest.approx((eta * best + log(n)) / (1 - e**-eta), rel=1e-9)
    if n > 1 and best + spare > 0.01:
        most = best + spare
        tuned = log(1 + sqrt(2 * log(n) / most))
        book = proved(proofs.hedge_first_order(play(Hedge(n, tuned), L), most=most), 7)
        assert book.bound == pytest.approx(sqrt(2 * most * log(n)) + log(n), rel=1e-9)


@pytest.mark.parametrize("B", [1.0, 5.0])
@pytest.mark.parametrize(("T", "n"), [(1, 2), (50, 2), (400, 10)])
def test_hedge_with_the_best_rate(T, n, B):
    for c, theorem, lines, bound in (
        (2, proofs.hedge_bound, 8, sqrt(2 * T * log(n))),
        (8, proofs.hedge_hoeffding, 6, sqrt(T * log(n) / 2)),
    ):
        eta = sqrt(c * log(n) / T) / B
        for L in (
            hedge_against_itself(n, T, eta, B),
            B * np.random.default_rng(T).integers(0, 2, (T, n)),
        ):
            assert proved(theorem(play(Hedge(n, eta=eta), L), B=B), lines).bound == pytest.approx(
                B * bound, rel=1e-12
            )


def test_rate_that_is_almost_the_best_proves_less():
    """Also where rates are tiny because losses are huge: the last line is claimed for the best rate
    alone.
    """
    T, n, B = 50, 2, 1e6
    for c, theorem, lines in ((2, proofs.hedge_bound, 7), (8, proofs.hedge_hoeffding, 5)):
        eta = 1.001 * sqrt(c * log(n) / T) / B
        proved(theorem(play(Hedge(n, eta=eta), hedge_against_itself(n, T, eta, B)), B=B), lines)


def test_lines_say_no_less_than_they_could():
    """A right side that is larger than need be would hold, too: here each is met by its left side,
    or as nearly as its lemma allows.
    """
    run = play(WeightedMajority(4), np.tile([0, 1, 1, 1], (5, 1)), np.zeros(5, int))
    ceiling = proofs.wm_bound(run).lines[3]
    assert run.mistake[0] and ceiling.slack[0] == 0  # W_1 = n, before any mistake

    run = play(WeightedAverage(3, loss="entropic"), np.tile([0.2, 0.5, 0.9], (9, 1)), np.ones(9))
    telescope = proofs.wa_entropic(run).lines[2]
    assert telescope.slack == pytest.approx(0, abs=1e-12)  # labels are 0 or 1

    for B in (1.0, 3.0):  # two equal weights and losses 0 and B: equal up to the fourth order
        small = play(Hedge(2, eta=0.01 / B), [[0, B]])
        lemma = proofs.hedge_hoeffding(small, B=B).lines[1]
        assert 0 <= lemma.slack[0] < 0.01**4


def test_long_runs_lose_no_digits():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (3000, 4)), rng.integers(0, 2, 3000)
    proved(proofs.wm_bound(play(WeightedMajority(4, 0.1), X, y)), 7)
    proved(proofs.rwma_bound(play(RandomizedWeightedMajority(4, 0.5, rng=0), X, y)), 6)
    proved(proofs.wa_square(play(WeightedAverage(4), X, y)), 4)
    proved(proofs.hedge_bound(play(Hedge(4, eta=3.0), X)), 7)


@pytest.mark.parametrize(
    ("beta", "a", "b"),
    [
        (0.5, 2.4094, 3.4761),
        (0.8, 2.1179, 9.4912),
        (0.99, 2.0050, 199.50),
        (1 / e, 2.63237, 2.63237),
    ],
)
def test_constants_of_weighted_majority(beta, a, b):
    assert proofs.wm_constants(beta) == (pytest.approx(a, rel=3e-5), pytest.approx(b, rel=3e-5))


# Hypotheses ---------------------------------------------------------------------------------------

X, Y = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 1]]), np.array([1, 1, 0, 1])
L = X / 2


class Bare:
    """A learner that says 1 and has what the keywords give it."""

    def __init__(self, **attributes):
        vars(self).update(attributes)

    def predict(self, x):
        return 1 if getattr(self, "loss", None) != "allocation" else np.full(3, 1 / 3)

    def update(self, x, y):
        pass


def wa(X=X, y=Y, **options):
    return play(WeightedAverage(3, **options), X, y)


@pytest.mark.parametrize(
    ("theorem", "run", "options", "message"),
    [
        (
            "halving_bound",
            play(Halving(3), X, 1 - Y),
            {},
            "must be right on every trial; the best one, expert 1, is wrong on 1 of 4",
        ),
        (
            "halving_bound",
            play(Hedge(3, eta=1), L),
            {},
            "the loss must be mistake; it is allocation",
        ),
        (
            "halving_bound",
            play(Bare(), X, Y),
            {},
            "the learner must keep its weights, all >= 0, in an attribute w",
        ),
        (
            "halving_bound",
            play(Bare(w=[1, -1, 1]), X, Y),
            {},
            "the learner must keep its weights, all >= 0, in an attribute w",
        ),
        (
            "wm_bound",
            play(Bare(w=[1, np.nan, 1], beta=0.5), X, Y),
            {},
            "the learner must keep its weights, all >= 0, in an",
        ),
        (
            "wm_bound",
            play(Bare(w=[1, 1, 1], beta=0.5), X / 2, Y),
            {},
            "every entry of X must be 0 or 1; X[0, 1] is 0.5",
        ),
        (
            "wm_bound",
            play(Bare(w=[1, 1, 1], beta=0.5), X, 2 * Y - 1),
            {},
            "every entry of y must be 0 or 1; y[2] is -1",
        ),
        (
            "wm_bound",
            play(WeightedMajority(3, 0), X, Y),
            {},
            "beta must be in (0, 1); it is 0 (at 0 the algorithm is Halving",
        ),
        (
            "wm_bound",
            play(WeightedMajority(3), X, Y),
            {"beta": 1},
            "beta must be in (0, 1); it is 1",
        ),
        ("wm_bound", play(Halving(3), X, Y), {}, "the learner has no attribute beta; pass beta="),
        ("wm_bound", wa(), {}, "the loss must be mistake; it is square"),
        (
            "wm_regret",
            play(WeightedMajority(3, 0.4), X, Y),
            {},
            "eta = 1 - beta must be in (0, 1/2]; it is 0.6",
        ),
        (
            "wm_two_regret",
            play(WeightedMajority(3, 1 - sqrt(log(3) / 4)), X, Y),
            {},
            "T must be at least 4 ln n = 4.4, and n at",
        ),
        (
            "wm_two_regret",
            play(WeightedMajority(1, 0.5), X[:, :1], Y),
            {},
            "n at least 2; T is 4, n is 1",
        ),
        (
            "wm_two_regret",
            play(WeightedMajority(2, 0.6), X[:, :2], Y),
            {},
            "1 - beta must be sqrt(ln n / T) = 0.416277; it is 0.4",
        ),
        (
            "rwma_bound",
            play(RandomizedWeightedMajority(3, 0.4), X, Y),
            {},
            "eta = 1 - beta must be in (0, 1/2]; it is 0.6",
        ),
        ("rwma_bound", play(Hedge(3, eta=1), L), {}, "the loss must be mistake; it is allocation"),
        (
            "rwma_no_regret",
            play(RandomizedWeightedMajority(3, 1 - 1 / sqrt(3)), X[:3], Y[:3]),
            {},
            "T must be at least 4",
        ),
        (
            "rwma_no_regret",
            play(RandomizedWeightedMajority(3, 0.6), X, Y),
            {},
            "1 - beta must be 1 / sqrt(T) = 0.5; it is 0.4",
        ),
        ("wa_entropic", wa(), {}, "the loss must be entropic; it is square"),
        (
            "wa_entropic",
            wa(loss="entropic", eta=0.5),
            {},
            "eta must be the number 1 = 1; it is 0.5",
        ),
        (
            "wa_entropic",
            wa(y=1 - Y, loss="entropic"),
            {},
            "the expert compared with must have a finite loss and a prior > 0",
        ),
        (
            "wa_entropic",
            wa(L + 0.25, loss="entropic", prior=[0, 0, 1]),
            {"u": [1, 0, 0]},
            "must have a finite loss and a prior > 0",
        ),
        (
            "wa_entropic",
            wa(L + 0.25, loss="entropic"),
            {"u": [0.5, 0.6, 0]},
            "u must be 3 probabilities that sum to 1",
        ),
        (
            "wa_entropic",
            wa(L + 0.25, loss="entropic"),
            {"u": [1, 0]},
            "u must be 3 probabilities that sum to 1",
        ),
        (
            "wa_entropic",
            wa(np.array([[1, 1, 1 - 1e-9]]), np.zeros(1), loss="entropic"),
            {},
            "that of trial 1 is",
        ),
        ("wa_square", wa(eta=0.51), {}, "eta must be in (0, 0.5]; it is 0.51"),
        ("wa_square", wa(prediction="vovk"), {}, "the prediction must be mean; it is vovk"),
        ("wa_square", wa(loss="entropic"), {}, "the loss must be square; it is entropic"),
        (
            "wa_square",
            play(Bare(w=[1, 1, 1], loss="square"), X, Y),
            {},
            "the learner has no attribute eta; pass eta=",
        ),
        (
            "wa_square",
            play(Bare(w=[1, 1, 1], loss="square", eta=0.5), X, 2 * Y),
            {},
            "must be a number in [0, 1]; y[0] is 2",
        ),
        ("wa_vovk", wa(eta=2.1, prediction="vovk"), {}, "eta must be in (0, 2]; it is 2.1"),
        ("wa_vovk", wa(), {}, "the prediction must be vovk; it is mean"),
        (
            "hedge_bound",
            play(Hedge(3, eta=1), 3 * L),
            {},
            "losses must be at most B = 1; the loss of expert 2 on trial 1 is 1.5",
        ),
        (
            "hedge_bound",
            play(Hedge(3, eta=1), L),
            {"u": [1, 1, 1]},
            "u must be 3 probabilities that sum to 1",
        ),
        ("hedge_bound", play(Halving(3), X, Y), {}, "the loss must be allocation; it is mistake"),
        (
            "hedge_bound",
            play(Bare(w=[1, 1, 1], loss="allocation", eta=1), L - 1),
            {},
            "must be a finite number >= 0; L[0, 0] is -1",
        ),
        (
            "hedge_bound",
            play(Bare(w=[1, 1, 1], loss="allocation"), L),
            {},
            "the learner has no attribute eta; pass eta=",
        ),
        (
            "hedge_hoeffding",
            play(Hedge(3, eta=1), 3 * L),
            {"B": 1.2},
            "at most B = 1.2; the loss of expert 2 on trial 1 is 1.5",
        ),
        (
            "hedge_hoeffding",
            play(Bare(loss="allocation", eta=1), L),
            {},
            "the learner must keep its weights, all >= 0, in an",
        ),
        ("hedge_first_order", play(Hedge(3, eta=1), 3 * L), {}, "losses must be at most B = 1"),
        (
            "hedge_first_order",
            play(Hedge(3, eta=1), L),
            {"most": 0.5},
            "at least the loss of the best expert, 1; it is 0.5",
        ),
        (
            "hedge_first_order",
            play(Hedge(3, eta=1), L),
            {"most": 4},
            "eta must be ln(1 + sqrt(2 ln n / most)) = 0.55",
        ),
    ],
)
def test_hypothesis_that_fails_is_named(theorem, run, options, message):
    with pytest.raises(HypothesisError) as error:
        getattr(proofs, theorem)(run, **options)
    assert str(error.value).startswith(f"{theorem} does not apply: ") and message in str(
        error.value
    )


def test_every_theorem_has_a_hypothesis_test():
    marks = test_hypothesis_that_fails_is_named.pytestmark[0].args[1]
    ours = {name for name in theorems() if hasattr(proofs, name)}
    assert {mark[0] for mark in marks} == ours and len(ours) == 12


def test_parameters_of_a_students_learner_can_be_passed():
    learner = Weights(3)
    learner.beta = None
    run = play(learner, X, 1 - Y)
    with pytest.raises(HypothesisError, match="pass beta="):
        proofs.wm_bound(run)
    assert proofs.wm_bound(run, beta=0.5).holds and not proofs.wm_bound(run, beta=0.3).holds
    run = play(Exponential(3, "square", None, sign=-0.5, rate=1.0), X, Y)
    assert proofs.wa_square(run, eta=0.5).holds and not proofs.wa_square(run, eta=0.4).holds


# Broken learners break the line that fails --------------------------------------------------------


class Students:
    """Halving as students hand it in."""

    class Right:
        def __init__(self, n):
            self.w = np.ones(n, bool)

        def predict(self, x):
            return int(2 * x[self.w].sum() >= self.w.sum())

        def update(self, x, y):
            self.w = self.w & (x == y)

    class StartsWithSome(Right):
        def __init__(self, n):
            self.w = np.arange(n) % 4 > 0

    class NeverDeletes(Right):
        def update(self, x, y):
            pass

    class Minority(Right):
        def predict(self, x):
            return 1 - super().predict(x)

    class DeletesTheRight(Right):
        def update(self, x, y):
            self.w = self.w & (x != y)

    class Forgives(Right):
        def update(self, x, y):
            self.w = x == y

    class DeletesTooMany(Right):
        def update(self, x, y):
            self.w = self.w & (x == y)
            self.w[-1] = False


@pytest.mark.parametrize(
    ("learner", "line"),
    [
        ("Right", None),
        ("StartsWithSome", 1),
        ("NeverDeletes", 2),
        ("Minority", 2),
        ("DeletesTheRight", 2),
        ("Forgives", 3),
        ("DeletesTooMany", 4),
    ],
)
def test_broken_halving(learner, line):
    x = np.array(
        [
            [0, 0, 0, 1, 0, 1, 1, 1],
            [1, 0, 0, 0, 1, 0, 0, 1],
            [0, 1, 1, 1, 0, 0, 0, 1],
            [1, 0, 0, 0, 0, 0, 0, 1],
        ]
    )
    y = np.ones(4, int)
    y[0] = 0 if learner in ("Minority", "DeletesTheRight") else 1
    if learner == "Forgives":
        x[:2] = [[1, 1, 1, 1, 1, 0, 0, 1], [1, 1, 1, 1, 1, 1, 1, 1]]
    x[:, 7] = y  # the last expert is always right
    broken = proofs.halving_bound(play(getattr(Students, learner)(8), x, y)).first_violation
    assert (broken and broken[0]) == line, broken


class Weights:
    """Weighted Majority with an exchangeable prediction and update; says beta = 1/2 whatever it
    does.
    """

    beta = 0.5

    def __init__(
        self,
        n,
        factor=lambda wrong: np.where(wrong, 0.5, 1),
        lighter=False,
        tie=1,
        only_on_mistakes=False,
    ):
        self.w, self.factor, self.lighter, self.tie, self.lazy = (
            np.ones(n),
            factor,
            lighter,
            tie,
            only_on_mistakes,
        )

    def predict(self, x):
        ones, zeros = self.w[x == 1].sum(), self.w[x == 0].sum()
        return self.tie if ones == zeros else int((ones > zeros) != self.lighter)

    def update(self, x, y):
        if not self.lazy or self.predict(x) != y:
            self.w = self.w * self.factor(x != y)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({}, None),
        ({"tie": 0}, None),  # the proof allows every tie rule
        ({"only_on_mistakes": True}, None),  # and this variant
        ({"lighter": True}, 1),
        ({"factor": lambda wrong: np.where(wrong, 0.5, 1.5)}, 2),  # rewards the right
        ({"factor": lambda wrong: np.where(wrong, 1, 0.5)}, 3),  # beta on the wrong side
        ({"factor": lambda wrong: np.ones(len(wrong))}, 3),  # never learns
        ({"factor": lambda wrong: np.where(wrong, 0.7, 1)}, 3),  # another beta, too mild
        ({"factor": lambda wrong: np.where(wrong, 0.3, 1)}, 5),  # another beta, too harsh
        ({"factor": lambda wrong: np.full(len(wrong), 0.5)}, 5),  # punishes everybody
    ],
)
def test_broken_weighted_majority(options, line):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 80)
    x = np.where(rng.random((80, 5)) < [0.1, 0.3, 0.4, 0.5, 0.5], 1 - y[:, None], y[:, None])
    run = play(Weights(5, **options), x, y)
    broken = proofs.wm_bound(run).first_violation
    assert (broken and broken[0]) == line, broken
    if not options:
        assert run.predictions.tolist() == play(WeightedMajority(5), x, y).predictions.tolist()


@pytest.mark.parametrize(
    ("factor", "line"),
    [
        (lambda wrong: np.where(wrong, 0.5, 1), None),
        (lambda wrong: np.where(wrong, 1, 0.5), 1),
        (lambda wrong: np.where(wrong, 0.6, 1), 1),
    ],
)
def test_broken_randomised_weighted_majority(factor, line):
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 2, (30, 4)), rng.integers(0, 2, 30)
    broken = proofs.rwma_bound(play(Weights(4, factor=factor), x, y)).first_violation
    assert broken == (line and (line, 1))


def test_bound_alone_names_its_first_line():
    """The theorems that start from another one's last line break there."""
    run = play(
        Weights(2, factor=lambda wrong: np.where(wrong, 1, 0.5)),
        np.tile([0, 1], (200, 1)),
        np.zeros(200, int),
    )
    beta = 1 - sqrt(log(2) / 200)
    assert [
        theorem(run, beta=b).first_violation
        for theorem, b in (
            (proofs.wm_regret, 0.5),
            (proofs.wm_two_regret, beta),
            (proofs.rwma_no_regret, 1 - 1 / sqrt(200)),
        )
    ] == [(1, 0)] * 3


class Exponential:
    """Weighted Average or Hedge with an exchangeable update and prediction."""

    def __init__(
        self, n, loss, eta, sign=-1, rate=1.0, normalise=True, late=False, prediction=None
    ):
        self.loss, self.eta, self.step, self.normalise, self.late = (
            loss,
            eta,
            sign * rate * (eta or 1),
            normalise,
            late,
        )
        self.w = self.before = np.full(n, 1 / n)
        if prediction:
            self.predict = lambda x: prediction(self.w, x)

    def predict(self, x):
        w = self.before if self.late else self.w
        v = w / w.sum() if self.normalise else w
        return v if self.loss == "allocation" else v @ x

    def update(self, x, y):
        loss = (
            y
            if self.loss == "allocation"
            else (y - x) ** 2
            if self.loss == "square"
            else -np.log(np.where(y == 1, x, 1 - x))
        )
        self.before, self.w = self.w, self.w * np.exp(self.step * loss)


BROKEN = [({}, None), ({"sign": 1}, 2), ({"rate": 2}, 2), ({"rate": 0}, 2), ({"rate": 0.5}, 2)]


@pytest.mark.parametrize(
    ("options", "line"),
    [*BROKEN, ({"normalise": False}, 1), ({"prediction": lambda w, x: x[w.argmin()]}, 1)],
)
def test_broken_weighted_average(options, line):
    rng = np.random.default_rng(2)
    y = rng.random(40)
    x = np.clip(y[:, None] + np.array([0.02, 0.3, 0.5]) * rng.standard_normal((40, 3)), 0, 1)
    broken = proofs.wa_square(play(Exponential(3, "square", 0.5, **options), x, y)).first_violation
    assert (broken and broken[0]) == line, broken


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({}, None),
        ({"sign": 1}, 1),
        ({"rate": 2}, 1),
        ({"rate": 0}, 1),
        ({"late": True}, 1),
        ({"normalise": False}, 1),
        ({"prediction": lambda w, x: x[w.argmax()]}, 1),
    ],
)
def test_broken_weighted_average_entropic(options, line):
    rng = np.random.default_rng(3)
    x, y = rng.uniform(0.05, 0.95, (40, 3)), rng.integers(0, 2, 40)
    broken = proofs.wa_entropic(
        play(Exponential(3, "entropic", 1.0, **options), x, y)
    ).first_violation
    assert (broken and broken[0]) == line, broken


@pytest.mark.parametrize("theorem", [proofs.hedge_bound, proofs.hedge_hoeffding])
@pytest.mark.parametrize(
    ("options", "line"),
    [*BROKEN, ({"late": True}, 1), ({"prediction": lambda w, x: np.full(3, 1 / 3)}, 1)],
)
def test_broken_hedge(theorem, options, line):
    losses = np.random.default_rng(5).random((40, 3)) * [0.4, 0.9, 1]
    broken = theorem(play(Exponential(3, "allocation", 0.4, **options), losses)).first_violation
    # There the identity of the update is line 3.
    line = 3 if theorem is proofs.hedge_hoeffding and line == 2 else line
    assert (broken and broken[0]) == line, broken


def test_mean_instead_of_vovks_prediction_breaks_the_first_line():
    run = play(Exponential(2, "square", 2.0), np.tile([0, 0.5], (2, 1)), np.ones(2))
    assert proofs.wa_vovk(run).first_violation == (1, 1)


# Printed claims that fail -------------------------------------------------------------------------


def test_errata_are_those_of_the_lectures():
    ours = {
        name: claim for name, claim in errata().items() if claim.lecture in ("01", "02", "03", "04")
    }
    assert {name: claim.erratum for name, claim in ours.items()} == {
        "printed_wm_regret": "E0-01",
        "printed_rwma_regret": "E0-01",
        "printed_hedge_update": "E2-09",
    }


@pytest.mark.parametrize(
    ("n", "eta", "cycles", "expected", "allowed"),
    [(10, 0.9, 10, 21.780, 21.558), (20, 0.75, 156, 277.01, 276.99), (100, 0.99, 3, 12.70, 10.62)],
)
def test_rwma_without_a_condition_on_eta(n, eta, cycles, expected, allowed):
    x, y = adversaries.erring_in_turn(n, cycles)
    run = play(RandomizedWeightedMajority(n, 1 - eta, rng=0), x, y)
    book = printed_rwma_regret(run)
    assert not book.holds
    assert (book.value + cycles, book.bound + cycles) == (
        pytest.approx(expected, abs=5e-3),
        pytest.approx(allowed, abs=5e-3),
    )
    with pytest.raises(HypothesisError):
        proofs.rwma_bound(run)
    run = play(RandomizedWeightedMajority(n, 0.5, rng=0), x, y)
    assert proofs.rwma_bound(run).holds and printed_rwma_regret(run).holds


@pytest.mark.parametrize(
    ("n", "eta", "budget", "mistakes", "allowed"),
    [(64, 0.99, 10, 65, 48.20), (64, 0.95, 20, 90, 86.76), (4096, 0.9999, 20, 251, 96.63)],
)
def test_weighted_majority_without_a_condition_on_eta(n, eta, budget, mistakes, allowed):
    run = adversaries.greedy(WeightedMajority(n, 1 - eta), n, budget)
    book = printed_wm_regret(run)
    m = run.best_loss
    assert m <= budget and not book.holds
    assert book.value + m >= mistakes and book.bound + m == pytest.approx(allowed, abs=5e-3)
    assert proofs.wm_bound(run).holds
    with pytest.raises(HypothesisError):
        proofs.wm_regret(run)
    if n == 64:
        assert proofs.wm_regret(adversaries.greedy(WeightedMajority(n, 0.5), n, budget)).holds


def test_mean_prediction_with_vovks_rate():
    """The bound of the rate 2 needs Vovk's prediction: with the mean two trials break it."""
    x, y = np.tile([0, 0.5], (2, 1)), np.ones(2)
    run = play(WeightedAverage(2, eta=2), x, y)
    assert run.losses.tolist() == [0.5625, pytest.approx(0.3495, abs=5e-5)]
    assert run.regret == pytest.approx(0.4120, abs=5e-5) and run.regret > log(2) / 2
    with pytest.raises(HypothesisError):
        proofs.wa_square(run)
    assert proofs.wa_vovk(play(WeightedAverage(2, prediction="vovk"), x, y)).holds
    assert proofs.wa_square(play(WeightedAverage(2), x, y)).holds


def test_progress_is_larger_than_regret_for_labels_between_0_and_1():
    x = np.random.default_rng(0).uniform(0.1, 0.9, (30, 4))
    run = play(WeightedAverage(4, loss="entropic"), x, np.arange(30) / 29)
    equal, larger = proofs.wa_entropic(run).lines[:2]
    assert equal.trials.tolist() == [1, 30] and (larger.slack > 1e-4).all()


def test_hedges_update_without_the_factor():
    """Two experts with losses 1 and 0: v/Z sums to 2 / (1 + e^-eta) = 1.4621 for eta = 1; the right
    update sums to 1.
    """
    run = play(Hedge(2, eta=1.0), np.array([[1.0, 0.0]]))
    book = printed_hedge_update(run)
    assert (
        not book.holds
        and book.value == pytest.approx(2 / (1 + 1 / e), rel=1e-12)
        and book.bound == 1
    )
    assert (
        run.probabilities[1].sum() == pytest.approx(1, rel=1e-15) and proofs.hedge_bound(run).holds
    )
