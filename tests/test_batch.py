"""Lecture 16: exact expectations against independent counts, the theorems on random distributions,
the errata.
"""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from conftest import replays
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from olc_helpers import (
    Halving,
    HypothesisError,
    OnlineGradientDescent,
    Perceptron,
    RandomizedWeightedMajority,
    VotedPerceptron,
    WeightedAverage,
    batch,
    play,
    proofs,
    streams,
)
from olc_helpers.batch import figures as pictures
from olc_helpers.dimensions import thresholds

FEW = settings(max_examples=25)


def perceptron(X, y, passes):
    """Weights, mistakes and update points of the Perceptron, from the pseudo-code, in whole
    numbers; passes=None: until clean.
    """
    w, mistakes, updated = [0] * (len(X[0]) if X else 2), 0, set()
    while passes is None or passes > 0:
        clean = True
        for i, (x, label) in enumerate(zip(X, y, strict=True)):
            if label * sum(a * b for a, b in zip(w, x, strict=True)) <= 0:
                w, clean = [a + label * b for a, b in zip(w, x, strict=True)], False
                mistakes += 1
                updated.add(i)
        passes = None if passes is None else passes - 1
        if clean:
            break
    return w, mistakes, updated


def wrong(w, x, label):
    return label * sum(a * b for a, b in zip(w, x, strict=True)) <= 0


@st.composite
def separable(draw, largest=3):
    """A distribution on a few points of the plane with whole coordinates that some v separates, and
    its probabilities.
    """
    v = draw(st.tuples(st.integers(-3, 3), st.integers(-3, 3)).filter(any))
    points = draw(
        st.lists(
            st.tuples(st.integers(-4, 4), st.integers(-4, 4)),
            min_size=1,
            max_size=largest,
            unique=True,
        )
    )
    points = [x for x in points if x[0] * v[0] + x[1] * v[1]]
    assume(points)
    labels = [1 if x[0] * v[0] + x[1] * v[1] > 0 else -1 for x in points]
    weights = draw(st.lists(st.integers(1, 5), min_size=len(points), max_size=len(points)))
    return batch.distribution(points, labels, [F(k, sum(weights)) for k in weights])


def by_hand(D, m, f):
    """E[f(sample)] over all index tuples, without the package."""
    total = F(0)
    for chosen in product(range(len(D.p)), repeat=m):
        p = F(1)
        for k in chosen:
            p *= D.p[k]
        total += p * f([D.X[k].tolist() for k in chosen], [int(D.y[k]) for k in chosen])
    return total


# Helpers ------------------------------------------------------------------------------------------


@FEW
@given(separable(), st.integers(0, 3), st.booleans())
def test_expectation_of_the_error_against_a_plain_perceptron(D, m, consistent):
    def error(X, y):
        w, _, _ = perceptron(X, y, None if consistent else 1)
        return sum(
            p
            for x, label, p in zip(D.X.tolist(), D.y.tolist(), D.p, strict=True)
            if wrong(w, x, label)
        )

    rule = (batch.until_consistent if consistent else batch.one_pass)(Perceptron(2))
    assert batch.expectation(D, m, lambda X, y: batch.risk(rule(X, y), D)) == by_hand(D, m, error)


@FEW
@given(separable(), st.integers(1, 4))
def test_rounds_against_enumeration(D, m):
    risks, laws = batch.rounds(Perceptron(2), D, m)
    for t in range(m + 1):
        assert risks[t] == batch.expectation(
            D, t, lambda X, y: batch.risk(batch.one_pass(Perceptron(2))(X, y), D)
        )
        counts = {}
        for p, X, y in batch.samples(D, t):
            M = perceptron(X.tolist(), y.tolist(), 1)[1]
            counts[M] = counts.get(M, 0) + p
        assert laws[t] == counts


@FEW
@given(separable(), st.lists(st.integers(0, 2), min_size=1, max_size=7), st.booleans())
def test_trained_and_leave_one_out_against_a_plain_perceptron(D, chosen, consistent):
    chosen = [k % len(D.p) for k in chosen]
    X, y, passes = D.X[chosen], D.y[chosen], None if consistent else 1
    w, mistakes, updated = perceptron(X.tolist(), y.tolist(), passes)
    done = batch.trained(Perceptron(2), X, y, consistent)
    assert (
        (done.hypothesis.w == w).all()
        and done.mistakes == mistakes
        and set(np.flatnonzero(done.updated)) == updated
    )
    rule = (batch.until_consistent if consistent else batch.one_pass)(Perceptron(2))
    for i, left_out in enumerate(batch.leave_one_out(rule, X, y)):
        others = [k for k in range(len(y)) if k != i]
        w = perceptron(X[others].tolist(), y[others].tolist(), passes)[0]
        assert left_out == wrong(w, X[i].tolist(), y[i])


def test_training_does_not_change_the_learner():
    learner = Perceptron(2)
    batch.trained(learner, np.eye(2), np.ones(2, int), consistent=True)
    batch.leave_one_out(batch.one_pass(learner), np.eye(2), np.ones(2, int))
    batch.rounds(learner, batch.distribution(np.eye(2), [1, 1]), 2)
    assert (learner.w == 0).all()
    hs = batch.hypotheses(learner, np.eye(2), np.ones(2, int))
    assert [h.w.tolist() for h in hs] == [[0, 0], [1, 0], [1, 1]]


def test_random_stop_of_the_lecture():
    """Halving on eight thresholds, seven points of which three are positive: the two index ranges,
    and B/m = 0.25.
    """
    D = pictures.lecture_example()
    first, second = (float(batch.random_stop(Halving(8), D, 12, first=k)) for k in (0, 1))
    assert (round(first, 4), round(second, 4)) == (0.0779, 0.0679)
    assert batch.random_stop(Halving(8), D, 1) == F(1, 7)
    mistakes = sum(k * p for k, p in batch.rounds(Halving(8), D, 12).laws[12].items())
    assert mistakes / 12 == batch.random_stop(Halving(8), D, 12)


@pytest.mark.parametrize("N", [2, 3, 5])
def test_orthonormal_examples_have_closed_forms(N):
    D, miss = batch.distribution(np.eye(N), np.ones(N, int)), 1 - F(1, N)
    assert batch.rounds(Perceptron(N), D, 6).risks == [miss**t for t in range(7)]
    for m in (1, 4):
        assert batch.random_stop(Perceptron(N), D, m) == N * (1 - miss**m) / m
        M = batch.expectation(
            D, m + 1, lambda X, y: batch.trained(Perceptron(N), X, y, consistent=True).mistakes
        )
        assert M == N * (1 - miss ** (m + 1))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: batch.distribution([[1]], [1], [0.8]),
            "sum 1, exactly; the smallest is .*float like 0.8 is not 4/5",
        ),
        (lambda: batch.distribution([[1], [2]], [1, 1], ["3/2", "-1/2"]), "the smallest is -1/2"),
        (
            lambda: batch.distribution([[1], [2]], [1, 1], ["1"]),
            "one probability per row of X; it has 1, X has 2 rows",
        ),
        (
            lambda: batch.distribution([[1], [2]], [1]),
            r"one row per example, at least one; their shapes are \(2, 1\)",
        ),
        (
            lambda: list(batch.samples(batch.distribution(np.eye(10), np.ones(10)), 7)),
            "m = 7 gives 10\\^7 samples, too many",
        ),
        (
            lambda: batch.rounds(
                RandomizedWeightedMajority(1, rng=0), batch.distribution([[1]], [1]), 2
            ),
            "must be deterministic",
        ),
        (
            lambda: batch.trained(
                Perceptron(1), np.ones((2, 1)), np.array([1, -1]), consistent=True
            ),
            "still errs after 10000 passes",
        ),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# Theorems -----------------------------------------------------------------------------------------


def proved(ledger, lines):
    assert len(ledger.lines) == lines and ledger.holds, f"\n{ledger}"
    return ledger


@FEW
@given(separable(), st.integers(1, 4), st.integers(0, 2))
def test_random_stop_bound(D, m, first):
    B = max(batch.rounds(Perceptron(2), D, first + m).laws[-1])
    ledger = proved(proofs.random_stop_bound(Perceptron(2), D, m, B, first), 4)
    assert ledger.value == pytest.approx(float(batch.random_stop(Perceptron(2), D, m, first)))
    if B:
        with pytest.raises(
            HypothesisError, match=f"B must bound the mistakes in {first + m} rounds; {B} mistakes"
        ):
            proofs.random_stop_bound(Perceptron(2), D, m, B - 1, first)


@FEW
@given(separable(), st.integers(1, 4), st.booleans())
def test_leave_one_out_lemma(D, m, consistent):
    rule = (batch.until_consistent if consistent else batch.one_pass)(Perceptron(2))
    ledger = proved(proofs.leave_one_out_lemma(rule, D, m), 5)
    loo = batch.expectation(D, m, lambda X, y: F(int(batch.leave_one_out(rule, X, y).sum()), m))
    assert loo == batch.expectation(D, m - 1, lambda X, y: batch.risk(rule(X, y), D))
    assert ledger.value == pytest.approx(float(loo))


def test_leave_one_out_lemma_holds_for_a_rule_that_sees_the_order_and_one_that_cheats():
    """The lemma asks nothing of the rule: here it follows the first label, or the rarer one."""

    class Says:
        def __init__(self, label):
            self.label = label

        def predict(self, x):
            return self.label

    D = batch.distribution([[0], [0]], [0, 1], ["1/3", "2/3"])
    for rule in (
        lambda X, y: Says(y[0] if len(y) else 0),
        lambda X, y: Says(int(np.sum(y) < len(y) / 2)),
    ):
        proved(proofs.leave_one_out_lemma(rule, D, 4), 5)
    assert not batch.leave_one_out(rule, np.zeros((4, 1)), np.array([0, 1, 1, 0])).any()


@settings(max_examples=12)
@given(separable(), st.integers(1, 3))
def test_expected_error(D, m):
    ledger = proved(proofs.expected_error(Perceptron(2), D, m), 7)
    mistakes = by_hand(D, m + 1, lambda X, y: perceptron(X, y, None)[1])
    assert ledger.bound == pytest.approx(float(mistakes) / (m + 1))


def test_expected_error_is_asymptotically_sharp():
    ledger = proofs.expected_error(
        Perceptron(12), batch.distribution(np.eye(12), np.ones(12, int)), 1
    )
    assert ledger.value == pytest.approx(11 / 12) and ledger.bound == pytest.approx(23 / 24)


def test_expected_error_needs_a_separator():
    with pytest.raises(
        HypothesisError, match="expected_error does not apply: nothing separates the data"
    ):
        proofs.expected_error(Perceptron(1), batch.distribution([[1], [1]], [1, -1]), 2)


@FEW
@given(separable(largest=8), st.integers(0, 10**6))
def test_update_points(D, seed):
    chosen = np.random.default_rng(seed).integers(0, len(D.p), 8)
    run = play(Perceptron(2), D.X[chosen], D.y[chosen], epochs=2000, until_consistent=True)
    ledger = proved(proofs.update_points(run), 5)
    assert ledger.bound == run.mistakes / 8 and ledger.lines[3].rhs == run.mistakes


def test_update_points_sees_one_pass_and_learners_that_are_not_conservative():
    X, y = np.array([[1, 0], [1, 0], [-10, 1]]), np.ones(3, int)
    with pytest.raises(
        HypothesisError, match="until a pass has no mistake; the last pass of this run has 2"
    ):
        proofs.update_points(play(Perceptron(2), X, y))

    class Cautious(Perceptron):
        def update(self, x, y):
            if y * (self.w @ x) <= 0.3:
                self.w = self.w + y * x

    X, y = streams.planted_margin(12, [0, 1], 0.1, rng=1)
    run = play(Cautious(2), X, y, epochs=50, until_consistent=True)
    assert proofs.update_points(run).first_violation[0] == 1


@FEW
@given(separable(), st.integers(1, 4))
def test_vote_and_average(D, m):
    ledger = proved(proofs.vote_bound(Perceptron(2), D, m), 4)
    expected = sum(k * p for k, p in batch.rounds(Perceptron(2), D, m).laws[m].items())
    assert ledger.bound == pytest.approx(2 * float(expected) / m)

    def wrong_share(X, y):
        """The probability that the vote of the hypotheses so far errs or ties on one more x."""
        voters = batch.hypotheses(Perceptron(2), X, y)[:-1]
        errors = [
            sum(h.predict(x) != label for h in voters) for x, label, _ in zip(*D, strict=True)
        ]
        return sum(p for count, p in zip(errors, D.p, strict=True) if 2 * count >= m)

    assert ledger.value == pytest.approx(float(batch.expectation(D, m, wrong_share)))
    proved(proofs.averaging_bound(OnlineGradientDescent(2, eta=0.5), D, m), 3)


@pytest.mark.parametrize("loss", ["square", "entropic"])
def test_average_of_forecasts(loss):
    D = batch.distribution([[0.2, 0.7], [0.9, 0.4], [0.5, 0.1]], [0, 1, 1], ["1/4", "1/2", "1/4"])
    proved(proofs.averaging_bound(WeightedAverage(2, loss=loss), D, 5), 3)
    with pytest.raises(
        HypothesisError,
        match="must be convex in the prediction: .*; this learner has the mistake loss",
    ):
        proofs.averaging_bound(Perceptron(2), D, 2)


def test_vote_of_the_theorem_is_that_of_lecture_07_one_round_later():
    """VotedPerceptron counts h_1, …, h_m; the theorem h_0, …, h_{m-1}."""
    X, y = streams.noisy_margin(60, [0, 0, 1], 0.05, 0.1, rng=3)
    voted = VotedPerceptron(3)
    W = play(voted, X, y).weights
    new = np.random.default_rng(0).standard_normal((200, 3))
    votes = np.sign(new @ W[1:].T).sum(axis=1)
    assert (voted.classify(new) == np.where(votes >= 0, 1, -1)).all()


# Errata -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("K", "m", "eps", "error", "printed"),
    [(100, 5, F(1, 5), 0.6034, 0.5644), (100, 10, F(1, 10), 0.6211, 0.4828)],
)
def test_one_pass_exceeds_the_printed_bound(K, m, eps, error, printed):
    D = batch.distribution([[1, 0], [-K, 1]], [1, 1], [1 - eps, eps])
    ledger = proofs.printed_one_pass(Perceptron(2), D, m)
    assert (round(ledger.value, 4), round(ledger.bound, 4)) == (error, printed) and not ledger.holds


def test_until_consistent_repairs_it():
    D = batch.distribution([[1, 0], [-6, 1]], [1, 1], ["4/5", "1/5"])
    error = float(
        batch.expectation(
            D, 5, lambda X, y: batch.risk(batch.until_consistent(Perceptron(2))(X, y), D)
        )
    )
    assert error == pytest.approx(0.8**5 * 0.2 + 0.2**5 * 0.8)
    points = batch.expectation(
        D, 6, lambda X, y: batch.trained(Perceptron(2), X, y, consistent=True).updated.sum()
    )
    assert error <= float(points) / 6 < 0.75


def test_one_pass_breaks_the_implication_and_until_consistent_never():
    """Wrong when left out, but no update point: happens after one pass only."""
    X, y = np.array([[1, 0], [1, 0], [-10, 1]]), np.ones(3, int)
    assert batch.leave_one_out(batch.one_pass(Perceptron(2)), X, y).sum() == 3
    assert batch.leave_one_out(batch.until_consistent(Perceptron(2)), X, y).sum() == 1
    failures = np.zeros(2, int)
    for seed in range(60):
        X, y = streams.planted_margin(12, [0.6, 0.8], 0.05, rng=seed)
        for k, rule in enumerate((batch.one_pass, batch.until_consistent)):
            done = batch.trained(Perceptron(2), X, y, consistent=bool(k))
            failures[k] += (batch.leave_one_out(rule(Perceptron(2)), X, y) & ~done.updated).any()
    assert failures[0] > 5 and failures[1] == 0


def test_fewer_examples_more_mistakes():
    X, y = np.array([[2, 3], [-1, 1], [3, 1]]), np.ones(3, int)
    for consistent, most in ((True, 3), (False, 2)):
        ledger = proofs.printed_fewer_mistakes(Perceptron(2), X, y, consistent)
        assert (
            ledger.first_violation == (1, 1)
            and ledger.lines[0].lhs.max() == most
            and ledger.bound == 1
        )


class Gambler:
    """Says 1 for m days, and then that it is time for a 0."""

    labels, n = "bits", 1

    def __init__(self, m: int):
        self.m, self.day = m, 0

    def predict(self, x):
        return int(self.day < self.m)

    def update(self, x, y):
        self.day += 1


@pytest.mark.parametrize("m", [1, 4, 9])
def test_gambler_is_tested_in_the_round_after_the_last(m):
    D = batch.distribution([[1]], [1])
    assert proofs.random_stop_bound(Gambler(m), D, m, 0).value == 0
    sharp = proofs.random_stop_bound(Gambler(m), D, m, 1, first=1)
    assert sharp.value == sharp.bound == pytest.approx(1 / m)
    with pytest.raises(HypothesisError, match="1 mistakes are possible, B is 0"):
        proofs.random_stop_bound(Gambler(m), D, m, 0, first=1)


# Figures ------------------------------------------------------------------------------------------


def test_figures_show_the_exact_numbers():
    assert "for m = 5 to 14, 23 to 30." in pictures.one_pass_error().description
    assert "holds after one pass for all" in pictures.one_pass_error(K=1).caption
    assert "0.0779 and the bound 0.2500" in pictures.mistake_rounds().description
    assert (
        "5 are wrong (green crosses), 4 of them no update point"
        in pictures.left_out(consistent=False).description
    )
    for seed in range(5):
        assert "none of them outside the circles" in pictures.left_out(seed=seed).description
    with pytest.raises(ValueError, match="target must be a whole number from 0 to 7"):
        pictures.mistake_rounds(target=8)


def test_lecture_example_is_a_threshold():
    D = pictures.lecture_example(target=5)
    assert (
        D.y.tolist() == [1] * 5 + [0] * 2
        and (D.X == thresholds(7).T).all()
        and set(D.p) == {F(1, 7)}
    )


# What lecture 16 says of one pass and of typical data ---------------------------------------------


@pytest.mark.parametrize(
    ("K", "fails"), [(10, [*range(5, 15), *range(23, 31)]), (20, [*range(5, 26)]), (3, [])]
)
def test_after_one_pass_the_bound_fails_and_holds_by_turns(K, fails):
    D = batch.distribution([[1, 0], [-K, 1]], [1, 1], ["4/5", "1/5"])
    risks, laws = batch.rounds(Perceptron(2), D, 33)
    bounds = [sum(count * p for count, p in law.items()) / max(t, 1) for t, law in enumerate(laws)]
    assert [m for m in range(1, 33) if risks[m] > bounds[m + 1]] == fails
    assert all(bounds[m + 1] == sum(risks[: m + 1]) / (m + 1) for m in range(33))


@replays("1e70c946")
@pytest.mark.parametrize(("n", "m", "noise"), [(20, 400, 0.1), (10, 200, 0.2)])
def test_vote_and_average_beat_the_last_and_a_random_hypothesis_on_noisy_data(n, m, noise, seed):
    """Means over 20 samples, each difference at least two standard errors."""
    errors = []
    for i in range(20):
        X, y = streams.noisy_margin(m, np.eye(n)[0], 0.05, noise, rng=[seed, i, 0])
        new, label = streams.planted_margin(500, np.eye(n)[0], 0.05, rng=[seed, i, 1])
        scores = new @ play(Perceptron(n), X, y).weights.T
        rules = (np.sign(scores[:, :-1]).sum(axis=1), scores[:, :-1].sum(axis=1), scores[:, -1])
        vote, average, last = (np.mean(rule * label <= 0) for rule in rules)
        errors.append((vote, average, last, np.mean(np.sign(scores[:, :-1]) != label[:, None])))
    vote, average, last, stop = np.array(errors).T
    for better in (vote, average):
        for worse in (last, stop):
            gap = worse - better
            assert gap.mean() > 2 * gap.std(ddof=1) / np.sqrt(len(gap))


@replays("5f8fc1c5")
@pytest.mark.parametrize(("m", "n", "gamma"), [(15, 3, 0.1), (40, 6, 0.05)])
def test_typical_samples_are_far_from_sharp(m, n, gamma, seed):
    rows = []
    for i in range(20):
        X, y = streams.planted_margin(m, np.eye(n)[0], gamma=gamma, rng=[seed, i])
        done = batch.trained(Perceptron(n), X, y, consistent=True)
        wrong = batch.leave_one_out(batch.until_consistent(Perceptron(n)), X, y)
        rows.append((wrong.sum(), done.updated.sum(), done.mistakes))
    wrong, U, M = np.mean(rows, axis=0)
    assert 2 * wrong < U < M


def short_and_long(height, draws):
    """The errors of the Perceptron's hypotheses on short and long examples, by counting: it knows
    the short mistakes s and the long ones l, and its weights are (s - 10 l, height l).
    """
    s, l, errors = 0, 0, []
    for is_long in draws:
        wrong = s - 10 * l <= 0, height**2 * l - 10 * (s - 10 * l) <= 0
        errors.append(0.8 * wrong[0] + 0.2 * wrong[1])
        s, l = s + (wrong[0] and not is_long), l + (wrong[1] and is_long)
    return np.array(errors), s + l


def fails(errors):
    """The sizes m for which the error of h_m is above the average of h_0, …, h_m."""
    return np.flatnonzero(errors > np.cumsum(errors) / np.arange(1, len(errors) + 1) + 1e-12)


def test_turns_fade_in_random_order_alone():
    """The cause is the random length of the cycles: without it the turns last until training is
    over, and an end that is far away changes nothing.
    """
    strict, mistakes = short_and_long(0.5, 1000 * [False, False, False, False, True])
    assert mistakes == 452 and strict[-1] == 0 and fails(strict)[-1] == 616
    D = batch.distribution([[1, 0], [-10, 0.5]], [1, 1], ["4/5", "1/5"])
    exact = np.array(batch.rounds(Perceptron(2), D, 160).risks, float)
    assert fails(exact)[-1] == 156
    rng = np.random.default_rng(160)
    runs = [short_and_long(0.5, rng.random(60) < 0.2)[0] for _ in range(2000)]
    assert np.abs(np.mean(runs, axis=0) - exact[:60]).max() < 4 * 0.45 / 2000**0.5


def test_picture_of_the_turns_is_exact_below_and_drawn_above():
    fig = pictures.out_of_step()
    assert "spans 0.196, over the last 35 0.001" in fig.description
    rows = np.random.default_rng(0).random((40, 120)) < 0.2
    dark = np.array([short_and_long(1, row)[0] >= 0.8 for row in rows])
    assert f"After 5 examples {dark[:, 5].mean():.0%} of the samples are dark" in fig.description
    shades = np.asarray(fig.axes[0].images[0].get_array())[:, 1:120]
    assert sorted((shades == 0).sum(axis=1)) == sorted(dark[:, 1:].sum(axis=1))
    with pytest.raises(ValueError, match="T must be at least 60"):
        pictures.out_of_step(T=40)


@pytest.mark.parametrize("q", [F(1, 20), F(1, 10), F(1, 7)])
def test_in_the_end_halving_waits_for_the_first_negative_point(q):
    """If it is rarer than the two before it together: there a tie is right, on it it is wrong."""
    rest = (1 - q - F(1, 20)) / 5
    D = batch.distribution(
        thresholds(7).T, thresholds(7)[3], [rest, rest, F(1, 20), q, rest, rest, rest]
    )
    risks = batch.rounds(Halving(8), D, 81).risks
    assert abs(float(risks[81] / risks[80]) - (1 - q)) < 0.002


def test_in_whatever_order_there_are_122_mistakes():
    done, ahead = {}, {(0, 0)}
    for made in range(200):
        steps = set()
        for s, l in ahead:
            wrong = s - 10 * l <= 0, l - 10 * (s - 10 * l) <= 0
            steps |= {(s + wrong[0], l), (s, l + wrong[1])} - {(s, l)}
            if not any(wrong):
                done[made] = done.get(made, 0) + 1
        ahead = steps
    assert set(done) == {122} and not ahead


@pytest.mark.parametrize("eps", [0.1, 0.15, 0.2, 0.25, 0.3, 0.5])
def test_how_the_first_stripe_depends_on_the_long_example(eps):
    """What the lecture says of the explorer, with the law of (short, long) mistakes by hand."""
    widths = []
    for K in (1, 2, 3, 4, 6, 10, 20, 40):
        law, errors = {(0, 0): 1.0}, []
        for _ in range(60):
            after, error = {}, 0.0
            for (s, l), p in law.items():
                wrong = s - K * l <= 0, l - K * (s - K * l) <= 0
                error += p * ((1 - eps) * wrong[0] + eps * wrong[1])
                for key, q in (((s + wrong[0], l), 1 - eps), ((s, l + wrong[1]), eps)):
                    after[key] = after.get(key, 0.0) + p * q
            law, errors = after, [*errors, error]
        failing = set(fails(np.array(errors)).tolist())
        first = min(failing, default=0)
        widths.append(next(k for k in range(60) if first + k not in failing))
    if eps == 0.5:
        assert widths == 8 * [0]
    else:
        assert widths[:3] == [0, 0, 0] and (np.diff(widths[2:]) > 0).all()
