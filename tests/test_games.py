"""AdaHedge, two players and boosting: the room of lecture 5."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from conftest import replays
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog
from strategies import MODEST, SIGNS, UNIT, sizes, tables

from olc_helpers import (
    AdaHedge,
    FixedShare,
    Hedge,
    HypothesisError,
    adversaries,
    boosting,
    figures,
    play,
    proofs,
    streams,
)
from olc_helpers.games.figures import bent

LOSSES = tables(sizes(25, 5), UNIT, float)


def mean_and_error(values):
    return np.mean(values), np.std(values, ddof=1) / math.sqrt(len(values))


# AdaHedge -----------------------------------------------------------------------------------------


def precisely(L):
    """AdaHedge's allocations by the formulas as they stand, with 80 digits; None where it is too
    close to a tie to tell.
    """
    with localcontext() as context:
        context.prec = 80
        n, total, gaps, plays = L.shape[1], [Fraction(0)] * L.shape[1], Decimal(0), []
        for row in L:
            least = min(total)
            behind = [Decimal((x - least).numerator) / (x - least).denominator for x in total]
            loss = [Decimal(float(x)) for x in row]
            eta = Decimal(n).ln() / gaps if gaps else None
            w = [(-eta * d).exp() if gaps else Decimal(d == 0) for d in behind]
            v = [each / sum(w) for each in w]
            plays.append([float(p) for p in v])
            if gaps:
                mix = -sum(p * (-eta * x).exp() for p, x in zip(v, loss, strict=True)).ln() / eta
            else:
                mix = min(d + x for d, x in zip(behind, loss, strict=True))
            gap = sum(p * x for p, x in zip(v, loss, strict=True)) - mix
            if Decimal("1e-60") < abs(gap) < Decimal("1e-9"):
                return None
            gaps += gap if gap > Decimal("1e-60") else 0
            total = [x + Fraction(float(y)) for x, y in zip(total, row, strict=True)]
        return np.array(plays)


@MODEST
@given(tables(sizes(12, 4), st.integers(0, 8), int))
def test_adahedge_plays_what_its_formulas_say(L):
    L = L / 8
    plays = precisely(L)
    if plays is not None:
        np.testing.assert_allclose(play(AdaHedge(L.shape[1]), L).predictions, plays, atol=1e-9)


@given(LOSSES, st.sampled_from([1.0, 7.0, 2.0**-300, 2.0**300]))
@example(np.zeros((5, 3)), 1.0)
@example(np.full((9, 3), 0.1), 1.0)  # ties that rounding must not break
@example(np.tile([[0.1, 0.2], [0.2, 0.1]], (9, 1)), 1.0)
@example(np.ones((4, 1)), 1.0)
@example(np.full((1, 2), 5e-324), 7.0)
@example(np.array([[0, 5e-324], [1.0, 0]]), 7.0)
@example(np.array([[1e-300, 0], [0, 1.0], [1.0, 0]]), 1.0)  # the second rate is 1e300
@example(np.array([[0, 1.0], [1.0, 0], [1e-9, 0]]), 2.0**300)
def test_adahedge(L, scale):
    with np.errstate(all="raise", under="ignore"):
        run = play(AdaHedge(L.shape[1]), scale * L)
        assert np.isfinite(run.predictions).all()
        assert np.allclose(run.predictions.sum(axis=1), 1)
    book = proofs.adahedge_bound(run)
    assert len(book.lines) == 7 and book.holds, f"\n{book}"
    B = np.ptp(scale * L, axis=1).max()
    assert book.bound == pytest.approx(B * (math.sqrt(len(L) * math.log(L.shape[1])) + 2), rel=1e-9)


@given(LOSSES, st.integers(0, 64))
def test_adahedge_knows_neither_unit_nor_toll(L, toll):
    L = np.round(64 * L)  # so that no sum is rounded
    plain = play(AdaHedge(L.shape[1]), L).predictions
    np.testing.assert_array_equal(play(AdaHedge(L.shape[1]), 2.0**40 * L).predictions, plain)
    np.testing.assert_allclose(
        play(AdaHedge(L.shape[1]), L + toll).predictions, plain, rtol=1e-9, atol=1e-12
    )


def test_the_rate_is_infinite_until_two_lose_differently():
    learner = AdaHedge(3)
    for loss in (0.0, 0.1, 0.2):  # sums on which rounding could break a tie
        assert learner.eta == np.inf and learner.predict().tolist() == [1 / 3] * 3
        learner.update(None, np.full(3, loss))
    assert learner.gaps == 0
    learner.update(None, np.array([0, 0, 3.0]))
    assert learner.gaps == pytest.approx(1) and learner.eta == pytest.approx(math.log(3))


class Impatient(AdaHedge):
    """Its rate is twice as large."""

    @property
    def eta(self):
        return 2 * super().eta


class Leader(AdaHedge):
    """Its rate is infinite for ever."""

    eta = np.inf


class Drifting(AdaHedge):
    """Forgets half of the gaps."""

    def update(self, x, losses):
        before = self.gaps
        super().update(x, losses)
        self.gaps = (before + self.gaps) / 2


@pytest.mark.parametrize("learner", [Impatient, Leader, Drifting])
def test_other_rates_break_the_first_line(learner):
    L = streams.coin_losses(50, (0.4, 0.5, 0.5), rng=1)
    book = proofs.adahedge_bound(play(learner(3), L))
    assert book.first_violation and book.first_violation[0] == 1
    assert proofs.hedge_bound(play(AdaHedge(3), L)).first_violation[0] == 2  # Hedge has one rate


def forced(T):
    """The most that nature can get out of AdaHedge with two experts if one of them loses 1 on each
    trial, by two numbers a sequence: the gap of the losses and the sum of the mixability gaps.
    """
    most = 0.0
    for moves in product((1, -1), repeat=T - 1):
        lead, gaps, paid = 0, 0.0, 0.0  # by which the first has lost more
        for move in (1, *moves):
            behind = lead * move  # of the one that loses now
            if gaps:
                eta = math.log(2) / gaps
                share = 1 / (1 + math.exp(eta * behind))
                gap = share + math.log1p(share * math.expm1(-eta)) / eta
            else:
                share = 0.5 if behind == 0 else float(behind < 0)
                gap = share - (behind < 0)
            lead, gaps, paid = lead + move, gaps + gap, paid + share
        most = max(most, paid - (T - abs(lead)) / 2)
    return most


@pytest.mark.parametrize(("T", "most"), [(4, 1.089), (6, 1.341), (8, 1.677), (10, 1.932)])
def test_what_nature_can_force(T, most):
    assert round(forced(T), 3) == most < math.sqrt(T * math.log(2)) + 2
    assert forced(T) > adversaries.hedge_minimax(2, T)


@replays("l5rate3")
def test_adahedge_pays_less_than_half_where_one_route_is_better(seed):
    rng, eta, paid = np.random.default_rng([5, seed]), math.sqrt(8 * math.log(4) / 400), []
    for _ in range(20):
        L = streams.coin_losses(400, (0.3, 0.5, 0.5, 0.5), rng)
        paid.append((play(AdaHedge(4), L).regret, play(Hedge(4, eta=eta), L).regret))
    ada, hedge = np.transpose(paid)
    mean, error = mean_and_error(hedge - 2 * ada)
    assert mean > 0 and (ada < hedge).all() and mean_and_error(hedge - ada)[0] > 4 * error


# Two players --------------------------------------------------------------------------------------


def value(C):
    """The value of a game, and the best play of the rows, by linear programming."""
    rows, columns = C.shape
    best = linprog(
        np.r_[np.zeros(rows), 1],
        A_ub=np.c_[C.T, -np.ones(columns)],
        b_ub=np.zeros(columns),
        A_eq=[np.r_[np.ones(rows), 0]],
        b_eq=[1],
        bounds=[*[(0, None)] * rows, (None, None)],
    )
    return best.x[-1], best.x[:-1]


@MODEST
@given(tables(sizes(4, 4), UNIT, float), st.integers(1, 60), st.booleans())
@example(np.array([[1, 0], [1, 0.8], [1, 0.6], [1, 0.5]]), 60, True)  # where 1 - p C < 0
def test_two_players(C, T, adaptive):
    rows, columns = (AdaHedge(k) if adaptive else Hedge(k, eta=0.3) for k in C.shape)
    runs = adversaries.duel(rows, columns, C, T)
    book = proofs.minimax_by_regret(*runs, C)
    assert len(book.lines) == 6 and book.holds, f"\n{book}"
    p, q = (run.probabilities[:-1].mean(axis=0) for run in runs)
    assert (C @ q).min() - 1e-7 <= value(C)[0] <= (p @ C).max() + 1e-7
    assert rows.L.tolist() == [0] * len(C)  # the learners themselves have not played


@pytest.mark.parametrize("bend", [0.5, 0.6, 0.75, 0.9, 1.0])
def test_bent_game_has_a_best_play_with_all_three(bend):
    C = bent(bend)
    (game, p), (_, q) = value(C), value(1 - C.T)
    assert np.linalg.solve(C.T, np.ones(3)) / np.linalg.solve(C.T, np.ones(3)).sum() == (
        pytest.approx(p)
    )
    assert 1 / np.linalg.inv(C).sum() == pytest.approx(game) and min(*p, *q) > 0.1
    assert f"the value {game:.4f}" in figures.two_players(bend=bend, T=20).description
    if bend < 1:
        assert p[0] > 1 / 3 > p[2] and q[1] > 1 / 3 > q[2]  # more rock, and more paper


@replays("l5game8")
def test_weights_go_round_in_wider_circles_and_averages_come_to_rest(seed):
    C = bent(np.random.default_rng(seed).uniform(0.55, 0.95))
    best, runs = value(C)[1], adversaries.duel(Hedge(3, eta=0.1), Hedge(3, eta=0.1), C, 2000)
    p = runs[0].probabilities[:-1]
    apart = np.abs(p - best).max(axis=1)
    assert apart[1500:].max() > apart[500:1000].max() > apart[200:500].max()
    averages = np.cumsum(p, axis=0) / np.arange(1, 2001)[:, None]
    assert np.abs(averages[1000:] - best).max() < 0.05


def wrong_table(C):
    return proofs.minimax_by_regret(*adversaries.duel(AdaHedge(2), AdaHedge(2), C, 9), 1 - C)


@pytest.mark.parametrize(
    ("prove", "message"),
    [
        (lambda: wrong_table(np.array([[0, 1], [1, 0.5]])), "the rows must lose C q"),
        (lambda: wrong_table(np.ones((3, 3))[:2, :2] / 4), "the rows must lose C q"),
        (
            lambda: proofs.minimax_by_regret(
                *adversaries.duel(AdaHedge(2), AdaHedge(2), np.eye(2), 9), np.eye(3)
            ),
            "C must have a row and a column for each weight; its shape is (3, 3)",
        ),
        (
            lambda: proofs.minimax_by_regret(
                *[play(FixedShare(2, alpha=0.1), np.eye(2), [0, 1])] * 2, np.eye(2)
            ),
            "the loss must be allocation",
        ),
        (
            lambda: proofs.adahedge_bound(play(FixedShare(2, alpha=0.1), np.eye(2), [0, 1])),
            "the loss must be allocation",
        ),
        (
            lambda: proofs.boosting_error(play(Hedge(3, eta=1), np.array([[1, 2, 0]]))),
            "on each round an example loses 0 or c_t",
        ),
        (
            lambda: proofs.boosting_error(play(Hedge(3, eta=1), np.array([[1, 1, 0]]))),
            "c_t must be ln((1-ε_t)/ε_t) > 0",
        ),
        (
            lambda: proofs.boosting_error(play(Hedge(2, eta=1), np.array([[1, 0]]))),
            "c_t must be ln((1-ε_t)/ε_t) > 0",
        ),
    ],
)
def test_hypotheses_are_named(prove, message):
    with pytest.raises(HypothesisError) as error:
        prove()
    assert message in str(error.value)


def test_numbers_outside_the_unit_interval_are_refused():
    with pytest.raises(ValueError, match=r"every entry of C must be a number in \[0, 1\]"):
        adversaries.duel(AdaHedge(2), AdaHedge(2), 2 * np.eye(2), 9)


# Boosting -----------------------------------------------------------------------------------------


def test_tumours_are_those_of_scikit_learn():
    from sklearn.datasets import load_breast_cancer

    theirs, (X, y) = load_breast_cancer(), streams.tumours()
    np.testing.assert_array_equal(X, theirs.data)
    np.testing.assert_array_equal(y, np.where(theirs.target == 0, 1, -1))
    names = [name.replace(" error", "") for name in theirs.feature_names]
    ours = [name.replace("s.e. of ", "") for name in streams.TUMOUR_FEATURES]
    assert ours == names and theirs.target_names[0] == "malignant"


@st.composite
def samples(draw, most=12):
    m, n = draw(st.integers(2, most)), draw(st.integers(1, 3))
    X = draw(arrays(float, (m, n), elements=st.integers(0, 5)))
    return X, draw(arrays(int, m, elements=SIGNS))


@given(samples(), st.integers(0, 2**32))
def test_best_stump_is_the_best_of_all(sample, seed):
    (X, y), v = sample, np.random.default_rng(seed).dirichlet(np.ones(len(sample[1])))
    rule, error = boosting.Stumps(X, y).best(v)
    rivals = [
        v[np.where(X[:, j] > middle, sign, -sign) != y].sum()
        for j in range(X.shape[1])
        for middle in np.arange(0.5, 5)
        for sign in (1, -1)
        if 0 < (X[:, j] > middle).sum() < len(y)
    ]
    if rivals:
        assert error == pytest.approx(v[rule(X) != y].sum(), abs=1e-12)
        assert error == pytest.approx(min(rivals), abs=1e-12)


@given(samples(), st.integers(1, 12))
def test_boosting(sample, rounds):
    X, y = sample
    rules, losses = boosting.boost(X, y, rounds)
    if not rules:
        error = boosting.Stumps(X, y).best(np.full(len(y), 1 / len(y)))[1]
        assert error == pytest.approx(0, abs=1e-12) or error == pytest.approx(0.5)
        return
    run = play(Hedge(len(y), eta=1), losses)
    book = proofs.boosting_error(run)
    assert len(book.lines) == 6 and book.holds, f"\n{book}"
    sums = boosting.vote(rules, losses, X)
    assert book.value == pytest.approx((y * sums[-1] <= 1e-9).mean())
    for v, rule, loss in zip(run.probabilities, rules, losses, strict=False):
        assert boosting.Stumps(X, y).best(v)[1] == pytest.approx(v[rule(X) != y].sum())
        assert loss.max() == pytest.approx(math.log(1 / v[rule(X) != y].sum() - 1))


def test_scikit_learn_boosts_alike():
    """For six rounds, until Gini's index, by which its trees split, prefers another stump."""
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    X, y = streams.tumours()
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=6).fit(X, y)
    rules, losses = boosting.boost(X, y, rounds=6)
    np.testing.assert_allclose(losses.max(axis=1), theirs.estimator_weights_, rtol=1e-6)
    assert [rule.feature for rule in rules] == [
        tree.tree_.feature[0] for tree in theirs.estimators_
    ]
    np.testing.assert_array_equal(np.sign(boosting.vote(rules, losses, X)[-1]), theirs.predict(X))


def test_an_edge_for_every_weighting_makes_no_error_after_that_many_rounds():
    """The exercise: more than (ln m) / (2 γ²) rounds."""
    X, y = streams.tumours()
    X, y = X[:60], y[:60]
    rules, losses = boosting.boost(X, y, rounds=100)
    v = play(Hedge(60, eta=1), losses).probabilities[:-1]
    gamma = 0.5 - np.vecdot(v, losses == 0)
    T = next(t for t in range(1, 101) if t > math.log(60) / 2 / gamma[:t].min() ** 2)
    assert T < 100 and (y * boosting.vote(rules, losses, X)[T - 1] > 0).all()


@replays("l5test3", "l5test5")
def test_the_vote_goes_on_to_improve_on_other_tumours(seed):
    inside, outside, bound = boosting.learning_curves(*streams.tumours(), 100, 20, rng=[5, seed])
    done = (inside == 0).argmax(axis=1)
    assert done.max() < 36 and (inside <= bound + 1e-12).all() and (inside[:, 50:] == 0).all()
    mean, error = mean_and_error(outside[np.arange(20), done] - outside[:, -1])
    assert mean > 2 * error > 0


def test_a_sample_that_is_right_may_be_wrong_again():
    inside, *_ = boosting.learning_curves(*streams.tumours(), 100, 20)
    first = (inside == 0).argmax(axis=1)
    last = max(t + 1 for errors in inside for t in range(100) if errors[t])
    assert first.max() + 1 == 27 < last == 34
    assert f"no error after round {last};" in figures.boosting_curves().caption


def test_captions_at_the_ends_of_the_sliders():
    assert "While the experts lose in turn" in figures.adahedge_run(200).caption
    assert "Once one expert leads" in figures.adahedge_run(190).caption
    still = figures.two_players(bend=1, T=50)
    assert "both stay there" in still.caption and "stay at one point" in still.description
    p = adversaries.duel(Hedge(3, eta=0.3), Hedge(3, eta=0.3), bent(1), 50)[0].probabilities
    assert np.allclose(p, 1 / 3) and "go round" in figures.two_players(bend=0.95, T=50).caption
