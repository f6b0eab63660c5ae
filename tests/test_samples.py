"""Lecture 18: labellings and samples against counting by hand, the theorems on random classes,
figures against their formulas.
"""

from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from conftest import replays
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import sizes, tables

from olc_helpers import (
    Halving,
    HypothesisError,
    Perceptron,
    batch,
    dimensions,
    littlestone_dimension,
    proofs,
    samples,
    streams,
    vc_dimension,
)
from olc_helpers.samples import counting
from olc_helpers.samples import figures as pictures
from olc_helpers.samples import theorems as bounds

CLASSES = tables(sizes(9, 5))
FEW = settings(max_examples=30)


def rows_of(C):
    return {tuple(row) for row in np.asarray(C).tolist()}


# Labellings ---------------------------------------------------------------------------------------


@given(CLASSES)
def test_what_falls_is_a_down_set_of_the_same_size_and_shatters_nothing_new(C):
    tables = samples.fallen(C)
    last, before = rows_of(tables[-1]), rows_of(C)
    assert len(last) == len(before)
    for row in last:
        assert all((*row[:j], 0, *row[j + 1 :]) in last for j in range(len(row)))
    after = {tuple(np.flatnonzero(row).tolist()) for row in last}
    assert samples.shattered_sets(tables[-1]) == after <= samples.shattered_sets(C)
    assert proofs.sauer_shelah(C).holds


@given(CLASSES)
def test_shattered_sets_by_definition(C):
    found = {
        points
        for k in range(C.shape[1] + 1)
        for points in combinations(range(C.shape[1]), k)
        if {tuple(row) for row in C[:, list(points)].tolist()} == set(product((0, 1), repeat=k))
    }
    assert samples.shattered_sets(C) == found
    assert max(map(len, found)) == vc_dimension(C)


def test_growth_functions_of_the_lecture():
    for m in range(1, 7):
        assert samples.growth(dimensions.thresholds(8), m) == m + 1 == samples.sauer(m, 1)
        assert samples.growth(dimensions.intervals(8), m) == 1 + comb(m + 1, 2)
        assert samples.growth(dimensions.two_sided_rays(8), m) == 2 * m
    few = [row for row in product((0, 1), repeat=6) if sum(row) <= 3]
    assert vc_dimension(few) == 3 and len(few) == samples.sauer(6, 3) == 42
    assert proofs.sauer_shelah(few).lines[-1].slack == 0


def test_the_sum_is_below_the_power():
    for m, d in product(range(1, 40), range(1, 40)):
        if d <= m:
            assert samples.sauer(m, d) <= (np.e * m / d) ** d


# What a sample leaves -----------------------------------------------------------------------------


@FEW
@given(tables(sizes(5, 3)), st.integers(0, 4), st.integers(1, 5), st.data())
def test_what_a_sample_leaves_by_enumeration(C, target, m, data):
    C = np.array(sorted(rows_of(C)))
    target, n = target % len(C), C.shape[1]
    p = np.array(data.draw(st.lists(st.integers(1, 4), min_size=n, max_size=n)), float)
    p /= p.sum()
    left, errors = samples.left_by_samples(C, target, m, p), (C != C[target]) @ p
    worst = typical = chance = 0.0
    for drawn in product(range(n), repeat=m):
        fits = (C[:, drawn] == C[target, drawn]).all(axis=1)
        q = p[list(drawn)].prod()
        worst, typical = worst + q * errors[fits].max(), typical + q * errors[fits].mean()
        chance += q * (errors[fits] > 0.3).any()
    assert np.isclose(left.chances[m] @ left.worst, worst)
    assert np.isclose(left.chances[m] @ left.typical, typical)
    if (errors > 0.3).any():
        ledger = proofs.occam_bound(C, target, m, 0.3, p)
        assert ledger.holds and np.isclose(ledger.value, chance)
    else:
        with pytest.raises(HypothesisError, match="some rule must have an error above 0.3"):
            proofs.occam_bound(C, target, m, 0.3, p)


@settings(max_examples=15)
@example(dimensions.thresholds(3), 0, 0.3, 1)
@given(
    tables(sizes(6, 3)), st.integers(0, 5), st.sampled_from([0.25, 0.3, 0.45]), st.integers(0, 3)
)
def test_double_sample_bound(C, target, eps, extra):
    C = np.unique(C, axis=0)
    target, m = target % len(C), int(np.ceil(8 / eps)) + extra
    if ((C != C[target]).mean(axis=1) > eps).any():
        assert proofs.double_sample_bound(C, target, m, eps, rng=extra).holds


def test_double_sample_needs_its_length_and_few_points():
    with pytest.raises(HypothesisError, match="m must be at least 8/eps = 20; it is 19"):
        proofs.double_sample_bound(dimensions.thresholds(4), 2, 19, 0.4)
    with pytest.raises(HypothesisError, match="too many second samples"):
        proofs.double_sample_bound(dimensions.thresholds(10), 5, 80, 0.1)


def test_second_sample_by_drawing():
    """P(B) of the ledger, against 20000 drawn pairs of samples, for a class on three points."""
    C, target, m, eps = dimensions.thresholds(3), 0, 27, 0.3
    p = np.array([0.69, 0.155, 0.155])
    ledger = proofs.double_sample_bound(C, target, m, eps, p=p)
    rng, wrong = np.random.default_rng(1), C != C[target]
    S, S2 = rng.choice(3, (20_000, m), p=p), rng.choice(3, (20_000, m), p=p)
    both = [
        (~wrong[h][S].any(axis=1)) & (wrong[h][S2].sum(axis=1) >= eps * m / 2)
        for h in np.flatnonzero(wrong @ p > eps)
    ]
    assert ledger.holds and abs(np.any(both, axis=0).mean() - ledger.lines[4].lhs[0]) < 0.002


def test_tosses_one_by_one():
    """Line 3 against all tosses of the pairs that the ledger draws."""
    C, p, m, eps, seen = dimensions.thresholds(3), np.array([0.35, 0.2, 0.45]), 10, 0.85, 0
    coins = (np.arange(2**m)[:, None] >> np.arange(m) & 1).astype(bool)
    for seed in range(20):
        ledger = proofs.double_sample_bound(C, 0, m, eps, rng=seed, p=p)
        pairs = np.random.default_rng(seed).choice(3, (m, 2), p=p)
        shares = set()
        for wrong in C[:, pairs].astype(bool):
            mine = np.where(coins, wrong[:, 0], wrong[:, 1])
            new = np.where(coins, wrong[:, 1], wrong[:, 0])
            shares.add((~mine.any(axis=1) & (new.sum(axis=1) >= eps * m / 2)).mean())
        assert set(ledger.lines[2].lhs.tolist()) == shares and ledger.lines[2].holds
        seen += max(shares) > 0
    assert seen >= 3


def test_sizes_of_samples():
    assert samples.vc_at_most(60, 0.4, 1) == 2 * (1 + 120) / 2**12
    for eps, delta, d in product((0.02, 0.1, 0.5), (0.01, 0.2), (1, 2, 7)):
        m = samples.smallest_sample(eps, delta, d)
        assert m >= 8 / eps and samples.vc_at_most(m, eps, d) <= delta
        assert m == int(np.ceil(8 / eps)) or samples.vc_at_most(m - 1, eps, d) > delta
        said = max(4 / eps * np.log2(2 / delta), 8 * d / eps * np.log2(13 / eps))
        for more in (1, 1.5, 4, 100):  # the second statement, and it stays true
            length = int(np.ceil(more * said))
            assert length >= 8 / eps and np.log2(2 / delta) <= eps * length / 4 + 1e-9
            assert d * np.log2(2 * np.e * length / d) <= eps * length / 4


def test_points_are_limited():
    with pytest.raises(ValueError, match="at most 12 points; it has 13"):
        samples.left_by_samples(dimensions.thresholds(13), 0, 2)
    with pytest.raises(ValueError, match="at most 12 points; it has 13"):
        samples.shattered_sets(dimensions.thresholds(13))


def test_compositions():
    found = counting.compositions(5, 3)
    assert (found.sum(axis=1) == 5).all() and (found >= 0).all()
    assert len(rows_of(found)) == len(found) == comb(7, 2)
    assert counting.compositions(4, 1).tolist() == [[4]]


# High probability ---------------------------------------------------------------------------------


@FEW
@given(st.sampled_from([0.05, 0.2, 0.5]), st.integers(1, 6), st.integers(0, 3), st.booleans())
def test_high_probability(delta, m, target, linear):
    if linear:
        D = batch.distribution([[2, 1], [-1, 2], [1, -3]], [1, 1, -1], ["1/2", "1/3", "1/6"])
        learner = Perceptron(2)
    else:
        C = dimensions.thresholds(3)
        learner, D = Halving(4), batch.distribution(C.T, C[target])
    ledger = proofs.high_probability(learner, D, m, delta)
    assert ledger.holds
    beyond = 0
    for p, X, y in batch.samples(D, m):
        hs = batch.hypotheses(learner, X, y)
        made = sum(h.predict(x) != label for h, x, label in zip(hs, X, y, strict=False))
        mean = sum(batch.risk(h, D) for h in hs[:-1]) / m
        beyond += p * (float(mean) >= made / m + np.sqrt(np.log(1 / delta) / 2 / m) - 1e-12)
    assert np.isclose(ledger.value, float(beyond))


def test_what_azuma_allows():
    assert np.isclose(200 * bounds.margin_at(200, 0.1), 10 * np.log(10) ** 0.5)


def test_errors_on_the_circle_are_exact():
    """The angle of the weights gives the error: against 200000 points."""
    x = np.random.default_rng(3).normal(size=(200_000, 2))
    for w in ([1, 2], [-1, 0.3], [0.1, -4]):
        off = np.mean(np.sign(x @ w) != np.sign(x[:, 0]))
        assert abs(off - abs(np.arctan2(w[1], w[0])) / np.pi) < 0.005


@replays("s18runs", "s18explore5")
def test_the_bound_fails_for_few_of_other_samples(seed):
    """The more labels are wrong, the more often; on coins as often as the binomial says."""
    shares = []
    for noise in (0, 0.2, 0.5):
        excess = pictures.perceptron_excess(noise, 200, 2000, seed)
        shares.append((excess > bounds.margin_at(200, 0.1)).mean())
        assert abs(excess.mean()) < 4 * excess.std() / 2000**0.5
    assert shares[0] < shares[1] < shares[2] and abs(shares[2] - 0.0165) < 0.013


# Greedy search ------------------------------------------------------------------------------------


@FEW
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(1, 3), st.integers(60, 200))
def test_greedy_learns(seed, n, k, m):
    rng = np.random.default_rng(seed)
    X = rng.random((m, n)) < rng.choice([0.1, 0.3, 0.5])
    relevant = rng.choice(n, min(k, n), replace=False).tolist()
    y = X[:, relevant].any(axis=1)
    if bounds.greedy_error(n, len(relevant), m, 0.1) < 1:
        assert proofs.greedy_learns(X, y, relevant, delta=0.1).holds
    rule = samples.greedy_rule(X, y)
    assert (X[:, list(rule)].any(axis=1) == y).all() and len(rule) <= k * np.log(m) + 1


def test_greedy_refuses_other_labels_and_short_samples():
    X, y = streams.disjunction(T=60, n=30, k=2, rng=0)
    with pytest.raises(HypothesisError, match="the disjunction of the relevant variables"):
        proofs.greedy_learns(X, 1 - y, [0, 1], delta=0.1)
    with pytest.raises(HypothesisError, match="m = 20 is too small"):
        proofs.greedy_learns(X[:20], y[:20], [0, 1], delta=0.1)


@pytest.mark.parametrize("rule", [(), (0,), (0, 1), (0, 5), (4, 5, 6), (0, 1, 2, 7)])
def test_error_of_a_rule_among_decoys(rule):
    k, m = 3, 200_000
    rng = np.random.default_rng([7, len(rule)])
    relevant = rng.random((m, k)) < 1 - 0.5 ** (1 / k)
    y = relevant.any(axis=1)
    decoys = rng.random((m, 5)) < np.where(y, 0.5, pictures.DECOY)[:, None]
    X = np.hstack([relevant, decoys])
    off = np.mean(X[:, list(rule)].any(axis=1) != y)
    assert abs(off - pictures.decoy_error(rule, k)) < 0.005


@replays("s18explore4")
def test_sentences_about_decoys_survive_other_samples(seed):
    table = pictures.rule_errors(4096, 2, 300, 20, 100 * seed)
    assert 0.45 < table[:, 1].mean() <= 0.5
    assert table[:, 0].mean() < pictures.greedy_error(4096, 2, 300, 0.1) / 5
    assert 2 <= table[:, 2].mean() < 3.6


# A class as experts -------------------------------------------------------------------------------


@FEW
@given(tables(sizes(6, 4)), st.lists(st.integers(0, 3), min_size=3, max_size=7), st.data())
def test_copies_of_the_optimal_learner(C, columns, data):
    C = np.unique(C, axis=0)
    columns, d = [k % C.shape[1] for k in columns], littlestone_dimension(C)
    y = data.draw(st.lists(st.integers(0, 1), min_size=len(columns), max_size=len(columns)))
    says = samples.experts_of_class(C, columns, d)
    assert rows_of(C[:, columns]) <= rows_of(says.T)
    for wrong, column in zip(((), (0,), (1,)), says.T, strict=False):
        learner, said = dimensions.OptimalLearner(C), []
        for t, x in enumerate(C.T[columns]):
            said.append(int(learner.predict(x) != (t in wrong)))
            learner.update(x, said[-1])
        assert d == 0 or said == column.tolist()
    if d:
        assert proofs.noisy_class_bound(C, columns, y).holds
    else:
        with pytest.raises(HypothesisError, match="Littlestone dimension, 0"):
            proofs.noisy_class_bound(C, columns, y)


def test_copies_for_one_point_or_none():
    """In the picture they are written down without a table: expert e says 1 on the point of trial
    e, from then on.
    """
    columns = [2, 0, 2, 1, 3, 2, 0]
    says = samples.experts_of_class(pictures.one_or_none(6), columns, 1)
    x, t = np.array(columns), np.arange(7)
    short = np.hstack([np.zeros((7, 1), bool), (x[:, None] == x) & (t[:, None] >= t)])
    rules_left = [
        0,
        *(e + 1 for e in range(7) if x[e] not in x[:e]),
    ]  # elsewhere it may say anything
    assert (says == short)[:, rules_left].all() and not (says == short).all()


# Figures ------------------------------------------------------------------------------------------


def test_collectors():
    """P(all seen) by inclusion and exclusion."""
    for N in (2, 5, 12):
        m = pictures.needed_draws(N, 0.1)
        for length, enough in ((m, True), (m - 1, False)):
            seen = sum((-1) ** k * comb(N, k) * (1 - k / N) ** length for k in range(N + 1))
            assert (seen >= 0.9) == enough
        asked = pictures.occam_sample(N + 1, 1 / N, 0.1)
        assert 0 <= asked - m <= 2
        assert (N + 1) * (1 - 1 / N) ** asked <= 0.1 < (N + 1) * (1 - 1 / N) ** (asked - 1)


def test_learning_curves_against_drawn_samples():
    rng = np.random.default_rng(2)
    for family, (make, target) in pictures.FAMILIES.items():
        C = make(10)
        errors = (C != C[target]).mean(axis=1)
        _, _, worst, typical = pictures._left(family, 30)
        for m in (1, 8, 25):
            S = rng.integers(10, size=(4000, m))
            fits = (C[:, S] == C[target][S]).all(axis=2).T
            drawn = (fits * errors).max(axis=1)
            assert (drawn <= worst[m] + 1e-9).mean() > 0.885
            assert (drawn < worst[m] - 1e-9).mean() < 0.915
            assert abs((fits @ errors / fits.sum(axis=1)).mean() - typical[m]) < 0.01


def test_the_error_of_the_double_sample():
    for m, d in ((50, 1), (160, 2), (1000, 3)):
        eps = pictures.vc_error(m, d, 0.1)
        assert eps == 1 or (eps * m >= 8 and samples.vc_at_most(m, eps, d) <= 0.1 + 1e-9)


def test_pictures_tell_their_numbers():
    assert (
        "thresholds 21, intervals 211, half-planes 382" in pictures.growth_functions().description
    )
    assert "has 10 rows and shatters 16 sets" in pictures.falling_ones("both rays").description
    assert "shatters 10 sets." in pictures.falling_ones("both rays", step=5).caption
    assert "probability 1/64" in pictures.swapped_pairs().caption
    assert "optimal learner alone makes 101 mistakes" in pictures.one_lie().caption
    for call in (
        lambda: pictures.learning_curves("circles"),
        lambda: pictures.falling_ones("circles"),
        lambda: pictures.falling_ones(step=6),
        lambda: pictures.swapped_pairs(errors=21),
        lambda: pictures.one_lie(lies=100),
    ):
        with pytest.raises(ValueError, match="must be"):
            call()
