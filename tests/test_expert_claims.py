"""What lectures 1 to 4 say beyond their theorems: what is typical, what a figure computes, and
the doubling trick; each at a second size and with other seeds than the lecture shows.
"""

import math
import re

import numpy as np
import pytest
from conftest import replays
from hypothesis import given
from hypothesis import strategies as st

from olc_helpers import (
    Halving,
    Hedge,
    RandomizedWeightedMajority,
    WeightedAverage,
    WeightedMajority,
    adversaries,
    figures,
    play,
    streams,
)
from olc_helpers.experts.figures.experts_and_halving import expected_on_coins
from olc_helpers.experts.figures.weighted_majority import averages_on_coins, worst_regret_of_two

GREY = (0xEE / 255,) * 3  # where a bar began


def mean_and_error(values):
    return np.mean(values), np.std(values, ddof=1) / math.sqrt(len(values))


# Lecture 1 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "seed"), [(3, 0), (8, 1), (50, 2)])
def test_halving_on_coins_makes_the_expected_mistakes(n, seed):
    rng = np.random.default_rng(seed)
    mistakes = [
        play(Halving(n), *streams.one_good_expert(40, n, rng)).mistakes for _ in range(1500)
    ]
    mean, error = mean_and_error(mistakes)
    assert abs(mean - expected_on_coins(n)[n]) < 4 * error


def test_expected_mistakes_on_coins_by_hand():
    """With two experts one trial in two separates them, on every second tie wrongly: 1/2. With
    three, 2/3: from (1 + 2 (0 + 1/2)) / 4 mistakes on a trial, 3/4 of which change the list.
    """
    assert expected_on_coins(3)[1:].tolist() == pytest.approx([0, 1 / 2, 2 / 3])


def test_coins_cost_halving_less_than_half_of_lg_n():
    share = expected_on_coins(1024)[3:] / np.log2(np.arange(3, 1025))
    assert 0.41 < share.min() and share.max() < 0.45


@pytest.mark.parametrize("n", [2, 3, 11, 16, 31])
def test_the_tree_tells_both_plays(n):
    told = figures.halving_tree(n).caption
    assert f"nature gets {n.bit_length() - 1} out of Halving" in told
    assert f"and {(n - 1).bit_length()} out of a stubborn learner" in told


@pytest.mark.parametrize("n", [3, 11, 16, 29])
def test_both_plays_walk_from_node_to_node_down_to_one_expert(n):
    ax = figures.halving_tree(n).axes[0]
    nodes = {text.get_position(): text.get_text() for text in ax.texts if text.get_text().isdigit()}
    ways = [line.get_xydata() for line in ax.lines if line.get_linewidth() == 4]
    assert len(ways) == 2
    for way in ways:
        left = [
            int(size)
            for x, depth in way
            for (at, level), size in nodes.items()
            if level == depth and abs(at - x) < 0.3
        ]
        assert len(left) == len(way) and (left[0], left[-1]) == (n, 1)
        assert all(a // 2 <= b <= (a + 1) // 2 for a, b in zip(left, left[1:], strict=False))


def test_a_tree_that_cannot_be_read_is_refused():
    with pytest.raises(ValueError, match="n must be between 2 and 32"):
        figures.halving_tree(33)


# Lecture 2 ----------------------------------------------------------------------------------------


@replays("fe42831e")
@pytest.mark.parametrize("n", [4, 8])
@pytest.mark.parametrize("beta", [1 / math.e, 0.5, 0.8])
def test_on_coins_a_mistake_of_the_best_expert_costs_about_one(n, seed, beta):
    (first, last), (e, f) = averages_on_coins(n, beta, [0, 6], 100, np.random.default_rng(seed))
    assert 0.9 < (last - first) / 6 < 1.3 and math.hypot(e, f) / 6 < 0.05


@pytest.mark.parametrize("beta", [1 / math.e, 0.5, 0.8])
def test_in_the_worst_case_it_costs_about_two(beta):
    for n in (3, 4, 5):
        none, six = (adversaries.wm_worst_case(n, m, beta) for m in (0, 6))
        assert 1.9 < (six - none) / 6 < 2.4


@pytest.mark.parametrize(("n", "beta", "seed"), [(10, 0.5, 0), (7, 0.3, 4), (16, 0.9, 5)])
def test_weights_sink_lie_down_and_are_squeezed(n, beta, seed):
    """The bars, the length of the line and the dot are the weights, their sum and its logarithm;
    after a trial nothing hollow is left of them.
    """
    kept = n
    for trial in range(1, 13):
        fig = figures.wm_sinking(trial, n=n, beta=beta, T=12, seed=seed)
        bars, line, log = fig.axes
        parts = [bar for bar in bars.patches if bar.get_facecolor()[:3] != GREY]
        laid = [bar for bar in line.patches if bar.get_facecolor()[:3] != GREY]
        hollow = sum(bar.get_height() for bar in parts if bar.get_facecolor()[:3] == (1, 1, 1))
        total = sum(bar.get_height() for bar in parts)
        assert total == pytest.approx(kept) and laid[-1].get_x() + laid[-1].get_width() == (
            pytest.approx(total)
        )
        cursor = [mark for mark in log.lines if mark.get_markersize() == 12]
        assert cursor[0].get_ydata()[0] == pytest.approx(math.log(total))
        wrong = hollow / (1 - beta) / total
        assert f"{wrong:.0%} of the weight" in fig.caption
        falls = "a mistake. The ceiling falls" in fig.caption
        assert falls if wrong > 0.5 + 1e-9 else wrong > 0.5 - 1e-9 or not falls
        kept = total - hollow


@replays("51158eb4")
@pytest.mark.parametrize("T", [250, 500])
@pytest.mark.parametrize("n", [8, 16])
@pytest.mark.parametrize("mediocre", [True, False])
def test_on_benign_streams_the_draw_makes_more_mistakes_than_the_vote(T, seed, n, mediocre):
    rng, error = np.random.default_rng(seed), [0.4] * n if mediocre else [0.2] + [0.5] * (n - 1)
    runs = [
        play(WeightedMajority(n, 0.9), *streams.noisy_experts(T, error, rng)) for _ in range(20)
    ]
    mean, deviation = mean_and_error([run.expected_losses.sum() - run.mistakes for run in runs])
    assert mean > 4 * deviation


@given(
    X=st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=1, max_size=30),
    labels=st.integers(0, 2**30),
    beta=st.floats(0.05, 0.95),
)
def test_a_draw_never_makes_less_than_half_of_the_mistakes_of_the_vote(X, labels, beta):
    y = np.array([labels >> t & 1 for t in range(len(X))])
    run = play(WeightedMajority(3, beta), np.array(X), y)
    assert run.expected_losses.sum() >= run.mistakes / 2 - 1e-9


@pytest.mark.parametrize("T", [4, 16, 36, 100])
def test_worst_regret_of_two_experts_is_what_the_search_finds(T):
    assert worst_regret_of_two(T) == pytest.approx(
        adversaries.rwma_worst_case(2, T, T**-0.5), rel=1e-12
    )


def test_worst_regret_falls_like_one_over_the_root_of_T():
    T = np.array([4, 36, 100, 625, 2500, 10_000])
    rate = np.array([worst_regret_of_two(int(k)) for k in T]) / T
    slopes = np.diff(np.log(rate)) / np.diff(np.log(T))
    assert (np.diff(slopes) < 0).all() and abs(slopes[-1] + 0.5) < 0.01
    assert (rate * np.sqrt(T) < (1 + math.log(2)) / 2).all()


@pytest.mark.parametrize("eta", [0.684, 0.7, 0.9])
def test_beyond_the_lemma_many_experts_that_err_in_turn_break_the_bound(eta):
    """A round of all costs more than 1 + η where -ln(1-η) > η + η², and the rounds are alike."""
    n = 200_000
    weights = n - eta * np.arange(n)  # in all, before each trial of a round
    assert (1 / weights).sum() == pytest.approx(-math.log(1 - eta) / eta, rel=1e-4)
    assert (1 / weights).sum() > 1 + eta > 1 + 0.6838 and math.log(1 - 0.68) > -0.68 - 0.68**2


def test_beyond_the_lemma_the_bound_fails_on_a_run():
    eta, n, rounds = 0.7, 200, 700
    run = play(
        RandomizedWeightedMajority(n, 1 - eta, rng=0), *adversaries.erring_in_turn(n, rounds)
    )
    assert run.best_loss == rounds
    assert run.expected_losses.sum() > (1 + eta) * rounds + math.log(n) / eta


class Doubling(RandomizedWeightedMajority):
    """The learner of lecture 2 that is not told T."""

    t = 0

    def update(self, x, y):
        super().update(x, y)
        self.t += 1
        if self.t + 1 in 2 ** np.arange(30):
            self.L, self.beta = 0 * self.L, 1 - min(0.5, (self.t + 1) ** -0.5)


def assert_no_regret(X, y):
    run, n = play(Doubling(X.shape[1], rng=0), X, y), X.shape[1]
    regret = np.cumsum(run.expected_losses) - run.cumulative_expert_losses[1:].min(axis=1)
    trials = np.arange(1, len(X) + 1)
    assert (regret <= (2 + math.sqrt(2)) * (1 + math.log(n)) * np.sqrt(trials) + 1e-9).all()


@given(n=st.integers(1, 5), T=st.integers(1, 80), seed=st.integers(0, 2**32))
def test_doubling_has_no_regret(n, T, seed):
    rng = np.random.default_rng(seed)
    assert_no_regret((rng.random((T, n)) < rng.random(n)).astype(int), rng.integers(0, 2, T))


def test_doubling_has_no_regret_where_following_the_leader_has():
    X, y = adversaries.erring_in_turn(2, 1000)
    assert_no_regret(X, y)
    leader = play(WeightedMajority(2, 1e-9), X, y)
    assert leader.expected_losses.sum() - leader.best_loss > 6 * math.sqrt(len(X))


# Lecture 3 ----------------------------------------------------------------------------------------


def regrets(seed, eta, loss="square", prediction="mean"):
    """Regrets of Weighted Average on twenty streams of forecasts."""
    weather = [streams.forecasts(T=200, n=8, rng=[seed, i]) for i in range(20)]
    return np.array(
        [play(WeightedAverage(8, eta, loss, prediction), *days).regret for days in weather]
    )


@replays("f072e629")
def test_forecasts_cost_nine_tenths_of_the_entropic_bound_and_little_of_the_square(seed):
    assert 0.8 < regrets(seed, 1, "entropic").mean() / math.log(8) < 1
    assert regrets(seed, 0.5).mean() / (2 * math.log(8)) < 0.25


@replays("w3vovk02")
@pytest.mark.parametrize("eta", [0.5, 2])
def test_at_the_same_rate_mean_and_vovk_cost_nearly_the_same(seed, eta):
    mean, error = mean_and_error(regrets(seed, eta) - regrets(seed, eta, prediction="vovk"))
    assert abs(mean) < 0.1 and error < 0.05


@pytest.mark.parametrize("T", [200, 2000])
def test_how_near_the_regret_comes_to_ln_n_depends_on_the_stream(T):
    """Never above it; where two forecasters are the same it ends below ln 8 - ln 2."""
    ends = []
    for seed in range(2, 8):
        X, y = streams.forecasts(T, n=8, rng=seed)
        ends.append(play(WeightedAverage(8, loss="entropic"), X, y).regret)
        X[:, 1] = X[:, 0]
        if (twins := play(WeightedAverage(8, loss="entropic"), X, y)).best_expert < 2:
            assert twins.regret < math.log(4) + 1e-9
    assert max(ends) <= math.log(8) + 1e-9
    assert T > 200 or max(ends) - min(ends) > 0.2


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_trial_with_a_gain_costs_the_best_expert_weight_if_the_label_is_0_or_1(seed):
    """For labels in between it may gain some all the same."""
    rng, both = np.random.default_rng(seed), []
    for labels in (rng.integers(0, 2, 200), rng.random(200)):
        X = rng.uniform(0.05, 0.95, (200, 4))
        run = play(WeightedAverage(4, loss="entropic"), X, labels)
        gain = run.losses < run.expert_losses[:, run.best_expert]
        more = np.diff(np.log(run.probabilities[:, run.best_expert])) > 1e-12
        both.append((gain & more).sum())
    assert both[0] == 0 < both[1]


@replays("w3vovk02")
@pytest.mark.parametrize("T", [200, 2000])
def test_on_forecasts_the_slow_rate_costs_less_at_ten_times_the_length_too(seed, T):
    weather = [streams.forecasts(T, n=8, rng=[seed, i]) for i in range(100)]
    slow, fast = (
        np.array([play(WeightedAverage(8, eta), *days).regret for days in weather])
        for eta in (0.5, 2)
    )
    mean, error = mean_and_error(fast - slow)
    assert abs(mean - 0.15) < 4 * error and (mean > error or T > 200)


@pytest.mark.parametrize(
    ("eta", "prediction", "best"), [(0.5, "mean", 0.0), (2, "vovk", 0.5)], ids=["mean", "vovk"]
)
@pytest.mark.parametrize("n", [3, 10])
def test_a_good_expert_a_tiny_step_better_makes_each_square_bound_sharp(eta, prediction, best, n):
    """Wherever the others are; sooner where the curve is straight."""
    share = {}
    for a in (best, 0.3):
        for eps in (0.1, 0.02):
            X = np.full((int(20 / eps / eta / (1 - a)), n), a)
            X[:, 0] += eps
            run = play(WeightedAverage(n, eta, prediction=prediction), X, np.ones(len(X)))
            share[a, eps] = run.regret * eta / math.log(n)
    assert all(share[a, 0.1] < share[a, 0.02] < 1 for a in (best, 0.3))
    assert share[0.3, 0.02] > 0.99 and share[best, 0.02] > max(0.9995, share[0.3, 0.02])


@pytest.mark.parametrize(
    ("loss", "prediction", "limit", "a", "factor"),
    [
        ("entropic", "mean", 1, 0.5, 1),
        ("square", "mean", 0.5, 0, 1),
        ("square", "vovk", 2, 0.5, 1 / 4),
    ],
)
@pytest.mark.parametrize("over", [0.02, 0.1, 1])
def test_above_its_rate_the_regret_of_each_rule_grows_with_every_pair(
    loss, prediction, limit, a, factor, over
):
    eps, eta = 0.02 * over, limit * (1 + over)
    X = a + eps * np.array([[0, 1], [1, 0]] * 4000)
    short, long = (
        play(WeightedAverage(2, eta, loss, prediction), X[:T], np.ones(T)).regret
        for T in (800, 8000)
    )
    assert long == pytest.approx(10 * short, rel=1e-4)
    assert long == pytest.approx(4000 * factor * (eta - limit) * eps**2, rel=0.1)


@pytest.mark.parametrize("T", [2, 6, 10])
def test_coins_force_a_root_of_T_for_the_absolute_loss(T):
    """Over all sequences of labels, whatever the learner says."""
    labels = np.arange(2**T)[:, None] >> np.arange(T) & 1
    best = np.minimum(labels.sum(axis=1), T - labels.sum(axis=1))
    paid = [
        abs(y - play(WeightedAverage(2, 0.7), np.tile([0, 1], (T, 1)), y).predictions).sum()
        for y in labels
    ]
    forced = T / 2 * math.comb(T, T // 2) / 2**T
    assert np.mean(paid) == pytest.approx(T / 2) and np.mean(paid - best) == pytest.approx(forced)


# Lecture 4 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("eta", [0.1, 0.5, 2.0])
@pytest.mark.parametrize("most", [0, 1, 5, 20])
def test_what_nature_can_force_if_the_best_expert_loses_little(most, eta):
    """By dynamic programming over the gap, for each loss that the leader has left."""
    far = int(40 / eta)
    share = 1 / (1 + np.exp(eta * np.arange(far + 1)))  # of the one behind by the gap
    value = np.cumsum(share[::-1])[::-1]
    for _ in range(most):
        more = value.copy()
        for gap in range(far - 1, 0, -1):
            more[gap] = max(share[gap] + more[gap + 1], value[gap - 1] - share[gap])
        more[0] = share[0] + more[1]
        value = more
    assert value[0] == pytest.approx(most / 2 * math.tanh(eta / 2) + share.sum(), rel=1e-9)


@replays("l4small2", "l4small3", "l4small8")
def test_small_losses_make_a_small_regret_at_either_rate(seed):
    rng = np.random.default_rng([4, seed])
    rates = math.sqrt(8 * math.log(8) / 1000), math.log(1 + math.sqrt(2 * math.log(8) / 20))
    paid = []
    for _ in range(20):
        L = (rng.random((1000, 8)) < 0.02).astype(float)
        paid.append([play(Hedge(8, eta=eta), L).regret for eta in rates])
    mean, error = mean_and_error(np.subtract(*np.transpose(paid)))
    assert 4 < np.mean(paid) < 8 and abs(mean) < 4 * error


def test_rates_of_decay_belong_to_no_length():
    """Ten times as long, the slopes of regret per trial are nearer to -1/2 and -1."""
    for longest in (1024, 16384):
        caption = figures.average_regret(longest=longest).caption
        hedge, average = (float(each) for each in re.findall(r"slope -(\d\.\d+)", caption))
        assert abs(hedge - 0.5) < (0.031 if longest == 1024 else 0.026) and abs(average - 1) < 0.02
