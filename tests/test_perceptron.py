"""Lectures 06 and 07: the Perceptron, margins, Novikoff's theorem in four dialects, its worst
streams, and the figures.
"""

import math
import re
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from conftest import replays
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog, lsq_linear, minimize
from sklearn.linear_model import Perceptron as Oracle
from strategies import MODEST, SIGNS, sizes, trials

from olc_helpers import (
    HypothesisError,
    Perceptron,
    adversaries,
    errata,
    figures,
    margin,
    max_margin,
    play,
    streams,
    theorems,
)
from olc_helpers.perceptron import theorems as proofs
from olc_helpers.perceptron.figures.perceptron import cone, wrong_points
from olc_helpers.perceptron.figures.perceptron_proofs import LONGEST, on_random_streams

NOVIKOFF = (
    proofs.novikoff,
    proofs.novikoff_quadratic,
    proofs.novikoff_cosine,
    proofs.novikoff_comparator,
)
SHAPES = sizes(25, 5)
GAMMAS = st.floats(0.04, 1)
ALTERNATING = np.ones((6, 1)), np.array([1, -1, 1, -1, 1, -1])


def whole_numbers():
    """(X, y) of small whole numbers, with any labels: ties, zero vectors, contradictions."""
    return trials(SHAPES, st.integers(-4, 4), SIGNS)


@st.composite
def separable(draw):
    """(X, y, v) of whole numbers that v separates, some of them by as little as 1/‖v‖."""
    T, n = draw(SHAPES)
    v = draw(arrays(int, n, elements=st.integers(-3, 3)))
    X = draw(arrays(int, (T, n), elements=st.integers(-6, 6)))
    scores = X @ v
    assume(scores.any())
    return X[scores != 0], np.sign(scores[scores != 0]), v.astype(float)


# The learner --------------------------------------------------------------------------------------


def plain(X, y):
    """Yields prediction and weights after each trial, in exact arithmetic."""
    w = [Fraction(0)] * X.shape[1]
    for x, label in zip(X.tolist(), y.tolist(), strict=True):
        score = sum(a * Fraction(b) for a, b in zip(w, x, strict=True))
        if label * score <= 0:
            w = [a + label * Fraction(b) for a, b in zip(w, x, strict=True)]
        yield (score > 0) - (score < 0), [float(a) for a in w]


@MODEST
@given(whole_numbers())
def test_learner_follows_the_pseudo_code(stream):
    run = play(Perceptron(stream[0].shape[1]), *stream)
    predictions, weights = zip(*plain(*stream), strict=True)
    assert run.predictions.tolist() == list(predictions)
    assert run.weights[0].tolist() == [0] * stream[0].shape[1] and run.weights[1:].tolist() == list(
        weights
    )
    assert run.mistake.tolist() == [
        p != y for p, y in zip(predictions, stream[1].tolist(), strict=True)
    ]


@MODEST
@given(whole_numbers())
def test_all_positive_and_dual_form_give_the_same_weights(stream):
    X, y = stream
    run = play(Perceptron(X.shape[1]), X, y)
    positive = play(Perceptron(X.shape[1]), y[:, None] * X, np.ones(len(y), int))
    assert (run.weights == positive.weights).all() and (run.mistake == positive.mistake).all()
    before = np.tril(np.ones((len(y), len(y))), -1) * run.mistake
    assert (np.sign((before * (X @ X.T)) @ y) == run.predictions).all()


@pytest.mark.parametrize(("n", "T"), [(2, 50), (10, 400), (40, 1000)])
@pytest.mark.parametrize("noise", [0, 0.1])
def test_one_pass_equals_scikit_learn(n, T, noise):
    rng = np.random.default_rng(n)
    X, y = streams.planted_margin(T, rng.standard_normal(n), 0.01, rng)
    y = np.where(rng.random(T) < noise, -y, y)
    run = play(Perceptron(n), X, y)
    oracle = Oracle(fit_intercept=False, shuffle=False, max_iter=1, tol=None).fit(X, y)
    assert np.abs(oracle.coef_[0] - run.weights[-1]).max() < 1e-12


@pytest.mark.parametrize(
    ("w", "x", "repeats"),
    [((-10, 4), (5, 1), 2), ((-10, 4), (2, 1), 4), ((-10, 0), (1, 2), 3), ((0, 0), (1, 1), 1)],
)
def test_repeats_until_one_example_is_right(w, x, repeats):
    learner = Perceptron(2)
    learner.w = np.array(w, float)
    run = play(learner, np.tile(x, (20, 1)), np.ones(20, int))
    assert run.mistakes == repeats == abs(np.dot(w, x)) // np.dot(x, x) + 1
    assert run.mistake[:repeats].all()


def test_trace_of_the_ten_points():
    run = play(Perceptron(2), *streams.TEN_POINTS, epochs=9, until_consistent=True)
    assert (np.flatnonzero(run.mistake) + 1).tolist() == [
        1,
        3,
        7,
        11,
        17,
    ] and run.mistakes_per_pass.tolist() == [3, 2, 0]
    assert run.weights[np.append(0, np.flatnonzero(run.mistake) + 1)].tolist() == [
        [0, 0],
        [4, -8],
        [11, -1],
        [11, 7],
        [15, -1],
        [15, 7],
    ]


def test_xor_needs_the_product():
    X, y = streams.XOR
    plain_features = np.column_stack([X, np.ones(4)])
    assert play(Perceptron(3), plain_features, y, epochs=50).mistakes == 200
    with pytest.raises(
        ValueError,
        match=re.escape("0 = 0.25·y[0]·x[0] + 0.25·y[1]·x[1] + 0.25·y[2]·x[2] + 0.25·y[3]·x[3]"),
    ):
        max_margin(plain_features, y)
    lifted = np.column_stack([plain_features, X.prod(axis=1)])
    assert play(
        Perceptron(4), lifted, y, epochs=9, until_consistent=True
    ).mistakes_per_pass.tolist() == [4, 0]


# Margins ------------------------------------------------------------------------------------------


def certificate(X, y, best):
    """Asserts that a margin is the largest: v attains it, and an average of the rows y·x is no
    longer.
    """
    rows = y[:, None] * X
    assert (
        abs(np.linalg.norm(best.v) - 1) < 1e-12
        and best.weights.min() >= 0
        and abs(best.weights.sum() - 1) < 1e-12
    )
    R = np.linalg.norm(rows, axis=1).max()
    assert abs(margin(X, y, best.v) - best.gamma) <= 1e-14 * R
    assert np.linalg.norm(best.weights @ rows) <= best.gamma + 1e-10 * R
    assert np.abs((rows @ best.v)[best.weights > 0] - best.gamma).max() <= 1e-9 * R


def least_distance(A):
    """Returns the shortest u with A u >= 1, by Lawson and Hanson's reduction to non-negative least
    squares. (scipy's nnls may stop before the end.)
    """
    E = np.vstack([A.T, np.ones(len(A))])
    found = lsq_linear(E, np.eye(len(E))[-1], (0, np.inf), method="bvls", tol=1e-14)
    return found.fun[:-1] / -found.fun[-1]


NEARLY_EQUAL_ROWS = np.full((5, 5), 5)
NEARLY_EQUAL_ROWS[[0, 0, 1, 2, 3], [1, 3, 0, 1, 4]] = 4, -5, 1, -3, -1
EQUAL_ROWS = np.full((12, 4), -2)
EQUAL_ROWS[[3, 5, 11], [0, 2, 2]], EQUAL_ROWS[1, 3] = 6, -1


@settings(max_examples=150)
@example((EQUAL_ROWS, np.where(EQUAL_ROWS.max(axis=1) == 6, 1, -1), np.array([1.0, 0, 1, 1])))
@example((NEARLY_EQUAL_ROWS, np.sign(-NEARLY_EQUAL_ROWS[:, 3]), np.array([0.0, 0, 0, -1, 0])))
@given(separable())
def test_max_margin_is_certified_and_agrees_with_least_squares(stream):
    X, y, v = stream
    best = max_margin(X, y)
    certificate(X, y, best)
    assert best.gamma >= margin(X, y, v) - 1e-12
    u = least_distance(y[:, None] * X)
    assert math.isclose(1 / np.linalg.norm(u), best.gamma, rel_tol=1e-7)


@settings(max_examples=150)
@given(whole_numbers())
@example(ALTERNATING)
@example((np.array([[2, 0], [0, 0]]), np.array([1, 1])))
def test_max_margin_exists_exactly_where_a_linear_program_says(stream):
    X, y = stream
    found = linprog(
        np.zeros(X.shape[1]), A_ub=-(y[:, None] * X), b_ub=-np.ones(len(y)), bounds=(None, None)
    )
    if found.status == 0:
        certificate(X, y, max_margin(X, y))
    else:
        with pytest.raises(ValueError, match="nothing separates the data"):
            max_margin(X, y)


@pytest.mark.parametrize("n", [3, 30, 100])
def test_max_margin_on_many_rows(n):
    X, y = streams.planted_margin(3000, np.ones(n), 0.02, rng=n)
    certificate(X, y, max_margin(X, y))


def test_margin_is_signed_and_ignores_the_length_of_v():
    X, y = np.array([[3, 4], [0, -2]]), np.array([1, -1])
    assert margin(X, y, [0, 1]) == margin(X, y, [0, 7.5]) == 2 and margin(X, y, [0, -1]) == -4


@pytest.mark.parametrize(
    ("X", "y", "v", "message"),
    [
        (
            [[1, 2], [3, 4]],
            [1, 0],
            [1, 1],
            (
                "every entry of y must be -1 or +1; y[1] is 0 (these look like 0/1 labels: pass 2*y"
                " - 1)"
            ),
        ),
        (
            [[1, 2], [3, np.nan]],
            [1, 1],
            [1, 1],
            "every entry of X must be a finite number; X[1, 1] is nan",
        ),
        (
            [[1, 2], [3, 4]],
            [1, 1, 1],
            [1, 1],
            "X must have one row per label in y; their shapes are (2, 2) and (3,)",
        ),
        (
            [[1, 2], [3, 4]],
            [1, 1],
            [1, 1, 1],
            "v must be a vector of 2 numbers, not all 0; got [1, 1, 1]",
        ),
        (
            [[1, 2], [3, 4]],
            [1, 1],
            [0, 0],
            "v must be a vector of 2 numbers, not all 0; got [0, 0]",
        ),
    ],
)
def test_margin_says_what_is_wrong(X, y, v, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        margin(X, y, v)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (
            [[1, 2], [0, 0]],
            [1, -1],
            "nothing separates the data: row 1 of X is the zero vector, y·(v·x) is 0 for every v",
        ),
        (
            [[1, 2], [2, 4]],
            [1, -1],
            (
                "(a constant feature would allow hyperplanes off the origin): "
                "0 = 0.667·y[0]·x[0] + 0.333·y[1]·x[1]"
            ),
        ),
        ([[1], [1]], [1, -1], "nothing separates the data: 0 = 0.5·y[0]·x[0] + 0.5·y[1]·x[1]"),
    ],
)
def test_max_margin_proves_that_nothing_separates(X, y, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        max_margin(X, y)


# The theorems -------------------------------------------------------------------------------------


def novikoff_runs(X, y):
    """The Run of one pass, and of passes until one is clean."""
    return (
        play(Perceptron(X.shape[1]), X, y),
        play(Perceptron(X.shape[1]), X, y, epochs=2000, until_consistent=True),
    )


@MODEST
@given(separable(), st.floats(0.01, 100))
def test_no_line_fails_and_the_four_bounds_are_one_number(stream, scale):
    X, y, v = stream
    for run in novikoff_runs(X, y):
        u = v / (y * (X @ v)).min()
        given_v = [prove(run, v) for prove in NOVIKOFF[:3]]
        given_v += [
            proofs.novikoff_quadratic(run, scale * v),
            proofs.novikoff_comparator(run, scale * u, rho=scale),
        ]
        best_v = [prove(run) for prove in NOVIKOFF]
        for ledger in [*given_v, *best_v, proofs.cauchy_schwarz(run, v)]:
            assert ledger.holds, ledger
        bound, best = given_v[0].bound, best_v[0].bound
        assert all(math.isclose(ledger.bound, bound, rel_tol=1e-9) for ledger in given_v)
        assert all(
            math.isclose(ledger.bound, best, rel_tol=1e-9) for ledger in best_v
        ) and best <= bound * (1 + 1e-9)


@pytest.mark.parametrize("prove", NOVIKOFF)
@pytest.mark.parametrize(
    "stream",
    [
        adversaries.orthonormal(7),
        adversaries.sharp_perceptron(0.1),
        adversaries.sharp_perceptron(0.37),
        adversaries.see_saw(0.1),
        adversaries.no_gap(300),
        adversaries.shrinking(12),
        streams.TEN_POINTS,
        streams.odd_max_bit(5),
    ],
)
def test_no_line_fails_on_the_worst_streams(prove, stream):
    for run in novikoff_runs(*stream):
        assert prove(run).holds, prove(run)


def test_clean_last_pass_is_part_of_the_ledger():
    once, clean = novikoff_runs(*streams.TEN_POINTS)
    assert (
        len(proofs.novikoff_comparator(clean).lines)
        == len(proofs.novikoff_comparator(once).lines) + 1
    )
    assert "w_{T+1}" in proofs.novikoff_comparator(clean).lines[-2].latex


class Strict(Perceptron):
    def update(self, x, y):
        if y * (self.w @ x) < 0:
            self.w = self.w + y * x


class Eager(Perceptron):
    def update(self, x, y):
        if y * (self.w @ x) <= 1:
            self.w = self.w + y * x


class Elsewhere(Perceptron):
    def __init__(self, n):
        super().__init__(n)
        self.w = np.ones(n)


class Forgetful(Perceptron):
    def update(self, x, y):
        super().update(x, y)
        self.w = 0.9 * self.w


class TooLong(Perceptron):
    def update(self, x, y):
        if y * (self.w @ x) <= 0:
            self.w = self.w + 2 * y * x


class OneSided(Perceptron):
    def predict(self, x):
        return 1 if self.w @ x >= 0 else -1


@pytest.mark.parametrize(
    ("learner", "line", "trial"),
    [
        (Strict, 3, 1),
        (Eager, 2, 2),
        (Elsewhere, 1, 0),
        (Forgetful, 2, 2),
        (TooLong, 3, 1),
        (OneSided, 2, 1),
    ],
)
def test_broken_learners_break_the_right_line(learner, line, trial):
    X, y = (
        np.array([[0.5, 0], [0.6, 0.1], [-0.5, 0.8], [-0.9, 0.3], [0.9, 0.3]]),
        np.array([1, 1, 1, 1, 1]),
    )
    assert proofs.novikoff(play(Perceptron(2), X, y)).holds
    assert proofs.novikoff(play(learner(2), X, y)).first_violation == (line, trial)


class NoWeights:
    def predict(self, x):
        return 1

    def update(self, x, y):
        pass


@pytest.mark.parametrize("prove", [*NOVIKOFF, proofs.cauchy_schwarz])
def test_theorems_say_which_hypothesis_fails(prove):
    name = prove.__name__
    with pytest.raises(
        HypothesisError, match=f"^{name} does not apply: nothing separates the data: 0 = "
    ):
        prove(play(Perceptron(1), *ALTERNATING))
    with pytest.raises(
        HypothesisError, match=f"^{name} does not apply: .* must be a vector of 2 numbers"
    ):
        prove(play(Perceptron(2), *streams.TEN_POINTS), [1.0, 0.0, 0.0])
    with pytest.raises(
        HypothesisError,
        match=f"^{name} does not apply: the learner must keep its weights in an attribute w",
    ):
        prove(play(NoWeights(), *streams.TEN_POINTS))
    with pytest.raises(
        HypothesisError,
        match=f"^{name} does not apply: every entry of y must be -1 or \\+1; y\\[1\\] is 0",
    ):
        prove(play(NoWeights2(), np.ones((2, 1)), np.array([1, 0])))


class NoWeights2(NoWeights):
    w = np.zeros(1)


@pytest.mark.parametrize("prove", NOVIKOFF)
def test_wrong_separator_is_reported_with_its_row(prove):
    X = np.ones((20, 2))
    X[17] = -0.2, 3.0
    run = play(Perceptron(2), X, np.ones(20, int))
    with pytest.raises(HypothesisError, match=re.escape("·x) = -0.2 at row 17")):
        prove(run, [1.0, 0.0])
    X[17] = 0.0, 3.0
    with pytest.raises(HypothesisError, match="does not separate: y·[(].·x[)] = 0 at row 17"):
        prove(play(Perceptron(2), X, np.ones(20, int)), [1.0, 0.0])


def test_comparator_needs_its_rho():
    run = play(Perceptron(2), *streams.TEN_POINTS)
    with pytest.raises(
        HypothesisError,
        match=re.escape("u must have y·(u·x) >= 9 on every row: y·(u·x) = 8 at row 0"),
    ):
        proofs.novikoff_comparator(run, [4.0, 1.0], rho=9)
    assert proofs.novikoff_comparator(run, [4.0, 1.0], rho=8).holds
    with pytest.raises(ValueError, match="rho must be a finite number > 0; got 0"):
        proofs.novikoff_comparator(run, rho=0)


def test_registered_with_items():
    taught = {
        name: theorem.items for name, theorem in theorems().items() if theorem.lecture == "07"
    }
    assert {f.__name__ for f in NOVIKOFF} | {"cauchy_schwarz"} <= set(taught)
    assert {"PERC-T2", "PERC-T3", "PERC-T4", "PERC-P1", "PERC-P2", "PERC-P3"} <= {
        i for items in taught.values() for i in items
    }
    assert errata()["printed_progress"].erratum == "E0-11"


def test_printed_progress_fails_where_the_learner_is_right():
    ten = play(Perceptron(2), *streams.TEN_POINTS)
    ledger = errata()["printed_progress"](ten, np.array([4.0, 1.0]))
    assert ledger.first_violation == (1, 2) and not ten.mistake[1]


@pytest.mark.parametrize("rho", [1, 0.1, 7])
def test_the_bound_with_a_comparison_vector_does_not_depend_on_rho(rho):
    narrow = play(Perceptron(2), np.array([[10, 1], [-10, 1]]), np.ones(2, int), epochs=3)
    assert narrow.mistakes == 2
    assert abs(proofs.novikoff_comparator(narrow, rho=rho).bound - 101) < 1e-9


# Streams ------------------------------------------------------------------------------------------


@MODEST
@given(st.integers(2, 8), st.floats(0, 0.9), st.integers(0, 9))
def test_planted_margin_keeps_its_promise(n, gamma, seed):
    v = np.random.default_rng(seed).standard_normal(n)
    X, y = streams.planted_margin(60, v, gamma, rng=seed)
    assert np.abs(np.linalg.norm(X, axis=1) - 1).max() < 1e-12 and margin(X, y, v) >= gamma - 1e-12
    assert set(y) == {-1, 1} and np.allclose(
        streams.planted_margin(60, 5 * v, gamma, rng=seed)[0], X, atol=1e-12
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((10, [1.0, 0.0], 1.5), "gamma must be in [0, 1]; got 1.5"),
        ((10, [1.0], 0.1), "v must be a vector of at least 2 numbers"),
        ((10, [0.0, 0.0], 0.1), "not all 0; got [0.0, 0.0]"),
        ((0, [1.0, 0.0], 0.1), "T must be a whole number >= 1; got 0"),
    ],
)
def test_planted_margin_says_what_is_wrong(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        streams.planted_margin(*arguments)


def test_off_centre_is_labelled_by_its_line():
    X, y = streams.off_centre(500, 0.1, rng=1)
    signed = X @ [0.8, 0.6, -0.4]
    assert (
        X.shape == (500, 3) and (np.sign(signed) == y).all() and 0.1 <= np.abs(signed).min() < 0.11
    )
    assert np.abs(X).max() <= 1 and (y == -1).sum() > 300


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_odd_max_bit_by_its_definition(n):
    X, y = streams.odd_max_bit(n)
    seen = {}
    for x, label in zip(X, y, strict=True):
        bits = tuple(int(b > 0) for b in x[:-1])
        seen[bits] = label
        places = [i for i, bit in enumerate(bits, 1) if bit]
        assert label == (1 if places and places[-1] % 2 else -1)
        assert x.dtype == int and x[-1] == 1
    assert set(seen) == set(product((0, 1), repeat=n))


def test_fibonacci_numbers_separate_odd_max_bit():
    """The support vector machine is 2F_1, -2F_2, 2F_3, … and -1; squares of Fibonacci numbers sum
    to F_n F_{n+1}.
    """
    F = [1, 1]
    while len(F) < 11:
        F.append(F[-1] + F[-2])
    for n in range(2, 11):
        X, y = streams.odd_max_bit(n)
        best = max_margin(X, y)
        signs = np.where(np.arange(n) % 2 == 0, 2, -2)
        np.testing.assert_allclose(best.v / best.gamma, [*signs * F[:n], -1], atol=1e-9)
        assert np.isclose(best.gamma**-2, 4 * F[n - 1] * F[n] + 1, rtol=1e-9)


def test_the_other_odd_max_bit_has_the_same_margin_for_odd_n():
    """Where the first 1 decides; for even n its margin is another one."""
    for n in range(2, 8):
        X, y = streams.odd_max_bit(n)
        bits = X[:, :-1]
        other = np.where(bits.any(axis=1) & (bits.argmax(axis=1) % 2 == 0), 1, -1)
        same = np.isclose(max_margin(X, other).gamma, max_margin(X, y).gamma, rtol=1e-6)
        assert same == (n % 2 == 1), n


@replays("b9f0bbb3")
def test_whole_weights_for_odd_max_bit_are_no_smaller_than_fibonaccis(seed):
    """So any order takes at least 2F_n updates: each of them moves a weight by at most 1."""
    F = [1, 1, 2, 3, 5, 8, 13]
    for n in range(2, 8):
        X, y = streams.odd_max_bit(n)
        order = np.random.default_rng([seed, n]).permutation(len(y))
        run = play(Perceptron(n + 1), X[order], y[order], epochs=10**4, until_consistent=True)
        assert (np.abs(run.weights[-1][:n]) >= 2 * np.array(F[:n])).all()
        assert run.mistakes >= 2 * F[n - 1]


def test_updates_on_odd_max_bit():
    """In whole numbers: fractions give the same count."""
    X, y = streams.odd_max_bit(5)
    w, updates, wrong = [Fraction(0)] * 6, 0, True
    while wrong:
        wrong = False
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            if label * sum(a * b for a, b in zip(w, x, strict=True)) <= 0:
                w, updates, wrong = (
                    [a + label * b for a, b in zip(w, x, strict=True)],
                    updates + 1,
                    True,
                )
    run = play(Perceptron(6), X, y, epochs=1000, until_consistent=True)
    assert run.mistakes == updates == 137 and run.mistakes_per_pass[-1] == 0


# The worst streams --------------------------------------------------------------------------------


def all_wrong(stream):
    run = play(Perceptron(stream[0].shape[1]), *stream)
    assert run.mistakes == len(run)
    return run


@given(GAMMAS)
@example(0.2)
@example(0.1)
@example(0.05)
@example(1 / math.sqrt(3))
@example(1.0)
def test_three_dimensions_attain_the_bound(gamma):
    assume((math.floor(1 / gamma**2 + 1e-9) + 1) * gamma**2 > 1 + 1e-5)
    run = all_wrong(adversaries.sharp_perceptron(gamma))
    assert len(run) == math.floor(1 / gamma**2 + 1e-9)
    assert (
        np.abs(np.linalg.norm(run.X, axis=1) - 1).max() < 1e-9
        and abs(margin(run.X, run.y, [0, 0, 1]) - gamma) < 1e-12
    )
    with pytest.raises(ValueError, match=re.escape(f"gaps[{len(run)}]")):
        adversaries.perpendicular(np.full(len(run) + 1, gamma))


@given(GAMMAS)
@example(0.5)
@example(0.2)
@example(0.1)
@example(0.7)
@example(1.0)
def test_see_saw_attains_the_bound_of_the_plane(gamma):
    run = all_wrong(adversaries.see_saw(gamma))
    assert len(run) == 1 + math.floor(1 / (2 * gamma**2) + 1e-9)
    assert (
        np.linalg.norm(run.X, axis=1).max() < 1 + 1e-11
        and abs(margin(run.X, run.y, [0, 1]) - gamma) < 1e-15
    )
    assert len(np.unique(run.X, axis=0)) <= 3


@MODEST
@given(
    st.floats(0.15, 0.9),
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.1)), min_size=30, max_size=30),
)
def test_nobody_beats_the_see_saw_in_the_plane(gamma, choices):
    w, mistakes = np.zeros(2), 0
    for share, extra in choices:
        height = min(gamma + extra * gamma * (extra > 0.05), 1.0)
        reach = math.sqrt(1 - height**2)
        least = 0.0 if mistakes == 0 else height * w[1] / max(abs(w[0]), 1e-9)
        if least > reach:
            break
        side = -np.sign(w[0]) if mistakes else 1
        w, mistakes = w + [side * (least + share * (reach - least)), height], mistakes + 1
    assert mistakes <= 1 + math.floor(1 / (2 * gamma**2) + 1e-6)


def test_slope_of_the_worst_case_is_minus_two():
    gammas = np.array([0.2, 0.1, 0.05, 0.025])
    made = [len(adversaries.sharp_perceptron(g)[0]) for g in gammas]
    assert made == [25, 100, 400, 1600]
    assert abs(np.polyfit(np.log(gammas), np.log(made), 1)[0] + 2) < 1e-9


@pytest.mark.parametrize("n", [1, 2, 9, 50])
def test_orthonormal_data_attain_the_bound(n):
    run = all_wrong(adversaries.orthonormal(n))
    assert abs(proofs.novikoff(run).bound - n) < 1e-9
    assert not proofs.novikoff_cosine(run).lines[2].slack.any(), "the cosine is √M γ/R throughout"


def test_streams_without_a_hypothesis_err_for_ever():
    run = all_wrong(adversaries.no_gap(3000))
    assert np.allclose(np.linalg.norm(run.X, axis=1), 1) and np.allclose(
        run.X[:, 2], 1 / np.arange(2, 3002)
    )
    run = all_wrong(adversaries.shrinking(300))
    lengths = np.linalg.norm(run.X, axis=1)
    assert np.allclose(lengths, 3.0 ** -np.arange(300), rtol=1e-12, atol=0)
    assert np.allclose(run.X[:, 1] / lengths, np.sin(np.radians(20)))
    assert play(Perceptron(2), run.X / lengths[:, None], run.y).mistakes == 2


@pytest.mark.parametrize("angle", [5, 15, 20, 29])
@pytest.mark.parametrize("ratio", [1 / 5, 1 / 4, 1 / 3, 0.4, 0.45, 1 / 2, 2 / 3])
def test_shrinking_examples_err_for_ever_below_their_threshold(angle, ratio):
    X, y = adversaries.shrinking(150, angle, ratio)
    endless = math.tan(math.radians(angle)) ** 2 <= 1 - 2 * ratio
    assert (play(Perceptron(2), X, y).mistakes == 150) == endless


def test_half_as_long_is_not_short_enough():
    assert play(Perceptron(2), *adversaries.shrinking(60, ratio=1 / 2)).mistakes == 4


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: adversaries.sharp_perceptron(0), "gamma must be in (0, 1]; got 0"),
        (lambda: adversaries.see_saw(1.2), "gamma must be in (0, 1]; got 1.2"),
        (lambda: adversaries.shrinking(5, angle=45), "angle must be in (0, 30) degrees; got 45"),
        (lambda: adversaries.shrinking(5, ratio=1), "ratio must be in (0, 1); got 1"),
        (lambda: adversaries.shrinking(400), "T = 400 is too large: the square of the last length"),
        (lambda: adversaries.perpendicular([0.5, -0.1]), "gaps[1] must be in [0, 1]; got -0.1"),
        (
            lambda: adversaries.perpendicular([0.9, 0.9]),
            "gaps[1] = 0.9 is too large: no unit vector with that gap is at a right ang",
        ),
    ],
)
def test_worst_streams_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def most_mistakes(rows, T):
    """The most mistakes in T trials over all sequences of rows, as long as some direction of many
    separates them.
    """
    angle = np.linspace(0, 2 * np.pi, 721)
    right = np.column_stack([np.cos(angle), np.sin(angle)]) @ rows.T > 1e-9
    paths = np.array(list(product(range(len(rows)), repeat=T)))
    paths = paths[np.logical_and.reduce([right[:, i] for i in paths.T]).any(axis=0)]
    w, mistakes = np.zeros((len(paths), 2)), np.zeros(len(paths), int)
    for x in rows[paths.T]:
        wrong = (w * x).sum(axis=1) <= 0
        w[wrong] += x[wrong]
        mistakes += wrong
    worst = mistakes.argmax()
    run = play(Perceptron(2), rows[paths[worst]], np.ones(T, int))
    assert run.mistakes == mistakes[worst]
    return run.mistakes


@pytest.mark.parametrize(
    ("points", "T"),
    [([[3, 1], [-3, 1]], 4), ([[4, 3], [0, 5], [5, 0]], 5), ([[2, 1], [0, 1], [-2, 1]], 5)],
)
def test_exact_worst_case_equals_enumeration(points, T):
    points = np.array(points)
    worst = adversaries.perceptron_worst_case(points)
    run = play(Perceptron(2), worst.X, worst.y)
    assert run.mistakes == len(run) == worst.mistakes < T and max_margin(worst.X, worst.y).gamma > 0
    assert {tuple(x) for x in worst.X} <= {tuple(x) for x in points}
    assert worst.mistakes == most_mistakes(np.concatenate([points, -points]), T)


def most_mistakes_from(w, rows, known):
    """The most mistakes from w on over all sequences of the rows, all positive: depth first."""
    if w not in known:
        known[w] = max(
            (
                1 + most_mistakes_from((w[0] + a, w[1] + b), rows, known)
                for a, b in rows
                if w[0] * a + w[1] * b <= 0
            ),
            default=0,
        )
    return known[w]


def longest_from(w, rows, known):
    """All sequences, counted from 1, with the most mistakes from w on."""
    most = most_mistakes_from(w, rows, known)
    if most == 0:
        return [[]]
    return [
        [i, *rest]
        for i, (a, b) in enumerate(rows, 1)
        if w[0] * a + w[1] * b <= 0
        and most_mistakes_from((w[0] + a, w[1] + b), rows, known) == most - 1
        for rest in longest_from((w[0] + a, w[1] + b), rows, known)
    ]


def test_worst_sequence_of_the_ten_points():
    """There are two; the support vectors are points 1 and 7, and point 10 lies behind 7."""
    X, y = streams.TEN_POINTS
    rows = (y[:, None] * X).tolist()
    assert most_mistakes_from((0, 0), rows, {}) == 12
    two = longest_from((0, 0), rows, {})
    assert two == [[1, 7, *LONGEST[2:]], [*LONGEST]] and LONGEST[:2].tolist() == [7, 1]
    assert (np.flatnonzero(max_margin(X, y).weights) + 1).tolist() == [1, 7]
    left = [
        most_mistakes_from((0, 0), [rows[i] for i in kept], {}) for kept in ([0, 6], range(1, 10))
    ]
    assert left == [11, 3]
    rng = np.random.default_rng(0)
    shown = rng.integers(0, 10, (300, 60))
    assert max(play(Perceptron(2), X[i], y[i]).mistakes for i in shown) <= 12


def test_with_a_bias_margin_and_support_vectors_are_others():
    """Through the origin the ten points have the margin 1.940 and two support vectors."""
    X, y = streams.TEN_POINTS
    free = {"type": "ineq", "fun": lambda u: y * (X @ u[:2] + u[2]) - 1}
    best = minimize(lambda u: u[:2] @ u[:2], [1.0, 0.5, 0.0], constraints=free, tol=1e-12).x
    through = max_margin(X, y)
    assert abs(1 / math.hypot(*best[:2]) - 1.952) < 5e-4 and abs(through.gamma - 1.940) < 5e-4
    assert (free["fun"](best) < 1e-6).sum() == 3 and (through.weights > 0).sum() == 2


def test_game_scores_by_labels():
    """All 16 ways to label the four points; a line through the origin allows eight."""
    best = {}
    for signs in product((1, -1), repeat=4):
        rows = np.array(signs)[:, None] * streams.FOUR_POINTS
        found = linprog(np.zeros(2), A_ub=-rows, b_ub=-np.ones(4), bounds=(None, None))
        if found.status == 0:
            best[signs] = most_mistakes_from((0, 0), rows.tolist(), {})
    assert len(best) == 8 and best[1, 1, 1, 1] == 5 and max(best.values()) == 11


# What is typical: on fresh seeds, and at other lengths --------------------------------------------


def order_differences(T, seed, sets):
    """Sorted minus random, of (updates, passes, share wrong after one pass), per data set."""

    def learn(X, y, order):
        run = play(Perceptron(3), X[order], y[order], epochs=2000, until_consistent=True)
        wrong = np.mean(y * (X @ run.weights[T]) <= 0)
        return np.array([run.mistakes, len(run) / T, wrong])

    for i in range(sets):
        rng = np.random.default_rng([seed, T, i])
        X, y = streams.off_centre(T, 0.05, rng)
        shuffled = np.mean([learn(X, y, rng.permutation(T)) for _ in range(3)], axis=0)
        yield learn(X, y, np.argsort(-y, kind="stable")) - shuffled


@replays("4a46407b")
@pytest.mark.parametrize(("T", "sets"), [(100, 40), (1000, 20)])
def test_order_changes_passes_and_first_pass_but_not_updates(T, sets, seed):
    found = np.array(list(order_differences(T, seed, sets)))
    mean, error = found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(sets)
    assert abs(mean[0]) < 4 * error[0]
    assert mean[1] > 3 * error[1] and mean[2] > 8 * error[2] and mean[2] > 0.1


def on_random(T, gamma, seed):
    """The average of the mistakes on 20 random streams in R¹⁰."""
    made = on_random_streams(gamma, T, 20, seed)
    return made.mean()


@replays("08dedc04", "law-check-2")
def test_how_kind_random_streams_are_belongs_to_their_length(seed):
    narrow = [on_random(T, 1 / 32, seed) for T in (800, 8000)]
    assert 2.5 * narrow[0] < narrow[1] < 32**2 / 8
    factors = [64 / on_random(T, 1 / 8, seed) for T in (200, 2000, 20_000)]
    assert factors[0] > 1.3 * factors[1] and factors[1] > 1.1 * factors[2] > 2.5


@replays("747fb8ba")
@pytest.mark.parametrize(("n", "T", "runs"), [(5, 2000, 20), (20, 2000, 20), (5, 20_000, 4)])
def test_a_wrong_label_costs_between_two_and_three_mistakes(n, T, runs, seed):
    """At a margin of 0.1 and a twentieth of wrong labels, at ten times the length, too; if the
    flips follow the data, it seems to be one and a half.
    """
    wrong = made = 0
    for i in range(runs):
        rng = np.random.default_rng([seed, n, T, i])
        X, y = streams.planted_margin(T, np.eye(n)[0], 0.1, rng)
        flip = rng.random(T) < 0.05
        wrong += flip.sum()
        made += play(Perceptron(n), X, np.where(flip, -y, y)).mistakes
    assert 2.4 < made / wrong < 3
    X, y = streams.planted_margin(T, np.eye(n)[0], 0.1, seed)
    flip = np.random.default_rng(seed).random(T) < 0.05
    assert play(Perceptron(n), X, np.where(flip, -y, y)).mistakes < 1.8 * flip.sum()


@replays("4c94bdf4")
@pytest.mark.parametrize("m", [50, 100])
def test_one_pass_leaves_errors_in_most_runs(m, seed):
    left = 0
    for i in range(200):
        X, y = streams.planted_margin(m, [1, 0, 0], 0.05, rng=[seed, m, i])
        left += (y * (X @ play(Perceptron(3), X, y).weights[-1]) <= 0).any()
    assert 120 < left < 180


SHARES = st.tuples(st.floats(0, 1), st.floats(-1, 1))


@given(st.floats(0.708, 1), st.tuples(SHARES, SHARES))
def test_two_mistakes_in_the_plane_need_a_small_margin(gamma, shares):
    """The case M = 2 of exercise 4: with 2γ² > 1 no two examples can be at 90° or more."""
    heights = [gamma + up * (1 - gamma) for up, _ in shares]
    X = [(aside * math.sqrt(1 - h * h), h) for h, (_, aside) in zip(heights, shares, strict=True)]
    assert play(Perceptron(2), np.array(X), np.ones(2, int)).mistakes == 1


# The figures --------------------------------------------------------------------------------------


def test_best_play_of_the_game():
    worst = adversaries.perceptron_worst_case(streams.FOUR_POINTS)
    assert worst.mistakes == 11
    letters = ["ABCD"[(streams.FOUR_POINTS == x).all(axis=1).argmax()] for x in worst.X]
    moves = "".join(c if y > 0 else c.lower() for c, y in zip(letters, worst.y, strict=True))
    assert "Mistakes so far: 11." in figures.nature_game(moves).description
    assert (
        "Mistakes so far: 5. Your examples have margin γ = 2 and R = 6.32, so Novikoff allows at"
        " most (R/γ)² = 10.0" in (figures.nature_game("BCACA").description)
    )


def test_game_ends_when_nothing_separates():
    assert "Game over on move 4" in figures.nature_game("ABCa").description
    assert "Mistakes before that move: 2." in figures.nature_game("ABCa").description
    with pytest.raises(
        ValueError, match="moves are the letters ABCD for label .1 and abcd for label -1; got .'X'."
    ):
        figures.nature_game("AX")


@given(st.floats(-30, 30), st.floats(-30, 30))
def test_the_cone_holds_the_separators_and_nothing_else(a, b):
    low, high = cone(*streams.TEN_POINTS)
    angle = math.atan2(b, a)
    assume(min(abs(angle - low), abs(angle - high)) > 1e-6 and (a or b))
    assert (wrong_points(np.array([a, b])) == 0) == (low < angle < high)


def test_the_cone_shrinks_line_by_line():
    """Counted on a circle of directions."""
    angles = np.radians(np.arange(0, 360, 0.1) + 0.05)
    W = np.column_stack([np.cos(angles), np.sin(angles)])
    X, y = streams.TEN_POINTS
    widths = []
    for shown in range(1, 11):
        right = ((W @ X[:shown].T) * y[:shown] > 0).all(axis=1)
        caption = figures.two_planes(shown, 14).caption
        assert (
            f"the cone is {right.mean() * 360:.0f}° wide" in caption and "is in the cone" in caption
        )
        widths.append(right.sum())
    assert [k for k in range(2, 11) if widths[k - 1] < widths[k - 2]] == [2, 3, 4, 6, 7]
    with pytest.raises(ValueError, match="shown must be a whole number >= 1; got 0"):
        figures.two_planes(0)


@pytest.mark.parametrize(
    ("quantity", "lost"),
    [("number of wrong points", 3), ("angle between w and v", 4), ("length of w", 2), ("w·v", 0)],
)
def test_only_one_quantity_moves_in_one_direction(quantity, lost):
    told = f"of 11 steps from mistake to mistake, {lost or 'none'} go"
    assert told in figures.quantity_hunt(quantity).caption
    assert "of 4 steps" in figures.quantity_hunt(quantity, longest=False).caption


def test_trace_can_be_stepped_through():
    captions = [figures.perceptron_trace(step).description for step in range(7)]
    assert (
        captions[0].startswith("Before the first update w = (0, 0)") and captions[6] == captions[5]
    )
    wrong = [re.search(r"wrong side: (\d+) before, (\d+) after", c).groups() for c in captions[1:6]]
    assert wrong == [("10", "5"), ("5", "2"), ("2", "1"), ("1", "2"), ("2", "0")]
    assert figures.perceptron_trace(1, order=3).description != captions[1]


@pytest.mark.parametrize(
    ("draw", "told"),
    [
        (
            lambda: figures.norm_squeeze("worst in R³", 0.1),
            "made 100 mistakes. The length of w, 10.00 at the end",
        ),
        (lambda: figures.norm_squeeze("worst in the plane", 0.1), "made 51 mistakes"),
        (lambda: figures.radius_and_margin(40), "v does not separate, the theorem says nothing"),
        (lambda: figures.margin_law(runs=2, T=80), "stream in R³ makes 4 and 1024 mistakes"),
        (lambda: figures.what_breaks(), "with gap 0.1, where the bound is 100: 150 against 100"),
        (
            lambda: figures.threshold_device(theta=1.5),
            "It is not above the threshold 1.5, so the device says −1",
        ),
        (lambda: figures.two_updates(1.0), "which corrects the example on the right"),
        (
            lambda: figures.not_the_svm(),
            (
                "stops after 1 update at w = (1, 3), whose margin is 1.897. The largest margin is"
                " 2.828"
            ),
        ),
        (
            lambda: figures.xor_feature(20),
            "In 20 passes over the four points the Perceptron on (x₁, x₂, 1) makes 80 mistakes",
        ),
    ],
)
def test_captions_tell_what_happened(draw, told):
    assert told in draw().description


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (
            lambda: figures.norm_squeeze("kind"),
            "nature must be one of random, worst in R³, worst in the plane; got 'kind'",
        ),
        (lambda: figures.double_wedge(1.0), "gamma must be in (0, 1); got 1.0"),
        (lambda: figures.linear_boundary(1, 0, 0), "w1 and w2 must not both be 0"),
    ],
)
def test_figures_say_what_is_wrong(draw, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        draw()
