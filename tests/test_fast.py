"""Shortcuts give the results of the plain loop: the same bits, in less time and memory."""

import subprocess
import sys
import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from functools import partial
from multiprocessing import get_context
from operator import attrgetter
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest
import tqdm.auto
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from strategies import BITS, SIGNS

from olc_helpers import (
    AnovaKernel,
    AveragedPerceptron,
    FixedShare,
    Halving,
    Hedge,
    HypothesisError,
    KernelPerceptron,
    MonomialWinnow,
    OnlineGradientDescent,
    Perceptron,
    RandomizedWeightedMajority,
    StructuredPerceptron,
    VariableShare,
    VotedPerceptron,
    WeightedAverage,
    WeightedMajority,
    Winnow,
    checks,
    compiled,
    fast,
    play,
    play_chunks,
    play_many,
    protocol,
    replications,
)
from olc_helpers.dnf import fast as dnf_fast
from olc_helpers.proofs import halving_bound, wm_bound
from olc_helpers.streams import noisy_experts
from olc_helpers.structures import Listed

CLASSES = [
    FixedShare,
    Halving,
    Hedge,
    KernelPerceptron,
    MonomialWinnow,
    Perceptron,
    RandomizedWeightedMajority,
    VariableShare,
    WeightedAverage,
    WeightedMajority,
    Winnow,
]


def order_depends_on_memory():
    """True if a dot product is rounded otherwise where a row begins elsewhere in memory."""
    rng, room = np.random.default_rng(0), np.empty(34)
    pairs = rng.standard_normal((20, 2, 33))
    for x, _ in pairs:
        room[1:] = x
        if any(w @ x != w @ room[1:] for _, w in pairs):
            return True
    return False


one_order = pytest.mark.skipif(
    order_depends_on_memory(),
    reason="this BLAS adds up a row in an order that depends on its address, so that play and the"
    " loop may decide a near tie otherwise; that for Prescott does: unset OPENBLAS_CORETYPE",
)


@pytest.fixture(scope="module", autouse=True)
def short_chunks():
    """Shortcuts for the shortest plays, chunks of a few trials, so that short streams have several,
    and no compiled loops: those are in test_compiled.py.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol, "FEW", 0)
        patch.setattr(fast, "CHUNK", 1)
        patch.setattr(compiled.Kernel, "pays", lambda kernel, work: False)
        yield


def same(learner, X, y=None, exact=True, **options):
    """Play the shortcut and the loop; assert that both give the same, and return the Run of the
    shortcut.
    """
    slow = deepcopy(learner)
    assert fast.find(learner, *checks.check_stream(learner, X, y)) is not None
    a, b = play(learner, X, y, **options), play(slow, X, y, fast=False, **options)
    for name in ("predictions", "losses", "weights", "log_weights"):
        one, two = getattr(a, name), getattr(b, name)
        assert (one is None) == (two is None), name
        if one is not None:
            assert one.shape == two.shape and one.dtype == two.dtype, name
            if exact:
                np.testing.assert_array_equal(one, two, err_msg=name)
            else:
                np.testing.assert_allclose(one, two, rtol=1e-12, atol=0, err_msg=name)
    same_state(learner, slow)
    return a


def same_state(one, two):
    assert vars(one).keys() == vars(two).keys()
    for name, value in vars(two).items():
        if name == "rng":
            # Both have drawn equally often.
            assert value is None or value.random() == one.rng.random()
        else:
            np.testing.assert_array_equal(getattr(one, name), value, err_msg=name)
            assert np.shape(getattr(one, name)) == np.shape(value), name


def streams(inputs, labels, smallest=1):
    """Streams of up to 70 trials with up to 5 columns: rows of the inputs, or a few of them again
    and again.
    """

    def of(n):
        row = arrays(float, n, elements=inputs)
        rows = st.one_of(
            st.lists(row, min_size=1, max_size=70),
            st.lists(row, min_size=1, max_size=3).flatmap(
                lambda few: st.lists(st.sampled_from(few), min_size=1, max_size=70)
            ),
        )
        return rows.flatmap(
            lambda X: st.tuples(
                st.just(np.array(X)),
                st.lists(labels, min_size=len(X), max_size=len(X)).map(np.array),
            )
        )

    return st.integers(smallest, 5).flatmap(of)


NEAR_TIES = st.one_of(
    st.integers(-20, 20).map(lambda k: k * 0.1),
    st.integers(-9, 9).map(lambda k: k / 3),
    st.sampled_from([0.0, -0.0, 1e-170, 1e150, -1e150, 5e-324, 1 + 2**-52]),
)
TYPES = [bool, np.int8, np.uint8, np.int64, np.uint64, np.float16, np.float32]
KINDS = st.sampled_from([*TYPES, float])


# The same bits ------------------------------------------------------------------------------------


@example((np.array([[1e150, 1e150], [-1e150, 1e150]]), np.array([1, -1])))
@given(streams(NEAR_TIES, SIGNS))
def test_perceptron_on_floats_with_near_ties(stream):
    X, y = stream
    same(Perceptron(X.shape[1]), X, y)
    same(Perceptron(X.shape[1]), np.asfortranarray(X), y.astype(float))
    same(Perceptron(X.shape[1]), np.hstack([X, X])[:, ::2], y)


@one_order
@pytest.mark.parametrize(
    "many", [fast.MANY, 2]
)  # a rate of 2 is never reached: look ahead even where it does not pay
@pytest.mark.parametrize("n", [7, 16, 33, 100])
@pytest.mark.parametrize("unit", [0.1, 1 / 3])
def test_perceptron_on_wide_rows_with_near_ties(monkeypatch, unit, n, many):
    """Sums of many tenths or thirds that should be 0 depend on the order in which they are
    added.
    """
    monkeypatch.setattr(fast, "MANY", many)
    monkeypatch.setattr(checks, "LARGE", 0)  # as large data, they stay as they lie in memory
    rng = np.random.default_rng(n)
    X, y = rng.integers(-1, 2, (300, n)) * unit, rng.choice([-1, 1], 300)
    same(Perceptron(n), X, y)
    same(Perceptron(n), np.asfortranarray(X), y)
    same(Perceptron(n), X.repeat(2, axis=1)[:, ::2], y)
    same(Perceptron(n), X[:, ::-1].copy()[:, ::-1], y)
    few = rng.choice(X[:5], 300)
    same(
        Perceptron(n), few, np.where(rng.random(300) < 0.03, -1, 1) * np.where(few[:, 0] > 0, 1, -1)
    )


@settings(max_examples=50)
@given(
    streams(st.integers(-3, 3), SIGNS), st.sampled_from([np.int8, np.int64, np.float16, np.float32])
)
def test_perceptron_on_whole_numbers(stream, kind):
    X, y = stream
    same(Perceptron(X.shape[1]), X.astype(kind), y.astype(kind))


EXTREMES = {
    kind: [np.iinfo(kind).min, np.iinfo(kind).max, 0, 1, np.iinfo(kind).max // 3]
    for kind in (np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64)
}
EXTREMES |= {
    kind: [info.max, info.min, info.smallest_subnormal, -0.0, 1]
    for kind, info in ((kind, np.finfo(kind)) for kind in (np.float16, np.float32))
}


@one_order
@pytest.mark.parametrize("kind", EXTREMES)
def test_the_ends_of_every_type_count_as_the_numbers_that_they_are(kind):
    """-1 times -128 is 128, though not as int8; and a sum of float16 is no float16."""
    rng = np.random.default_rng(0)
    X = rng.choice(np.array(EXTREMES[kind], kind), (60, 3))
    y = np.append([-1, 1], rng.choice([-1, 1], 58))
    small = y if np.dtype(kind).kind == "u" else y.astype(kind)
    runs = [same(Perceptron(3), X, small), same(Perceptron(3), X.astype(float), y)]
    assert runs[0].mistakes > 5
    np.testing.assert_array_equal(runs[0].weights, runs[1].weights)
    for learner in (
        VotedPerceptron(3),
        AveragedPerceptron(3),
        OnlineGradientDescent(3, 0.1),
        OnlineGradientDescent(3, 0.1, exact=True),
        KernelPerceptron(AnovaKernel()),
    ):
        of_kind, of_floats = deepcopy(learner), deepcopy(learner)
        runs = [play(of_kind, X, small), play(of_floats, X.astype(float), y)]
        np.testing.assert_array_equal(runs[0].predictions, runs[1].predictions)
        same_state(of_kind, of_floats)


@settings(max_examples=50)
@given(streams(BITS, SIGNS), KINDS)
def test_perceptron_on_bits(stream, kind):
    X, y = stream
    same(Perceptron(X.shape[1]), X.astype(kind), y)


@given(streams(BITS, BITS), KINDS, st.sampled_from([2, 1.1, 4 / 3, 1 + 2**-30]), st.booleans())
def test_winnow(stream, kind, factor, strict):
    X, y = stream
    same(Winnow(X.shape[1], factor, strict), X.astype(kind), y.astype(kind))


def test_winnow_with_weights_of_its_own():
    """The first mistake sets all weights to factor^c, whatever they were."""
    rng = np.random.default_rng(0)
    for w in ([0.1, 5, 3.3], [3.3, 0.1, 5], [np.nextafter(3, 0), 1, 1]) * 5:
        learner = Winnow(3)
        learner.w = np.array(w)
        same(learner, rng.integers(0, 2, (90, 3)), rng.integers(0, 2, 90))


@one_order
@pytest.mark.parametrize("off", [0, 1e-16, -1e-16, 1e-8, -1e-8])
@pytest.mark.parametrize("kind", [bool, float])
def test_winnow_where_rounding_decides(kind, off):
    """Weights whose sum is n but for rounding: with half the digits, or added in another order, it
    is often on the other side.
    """
    rng = np.random.default_rng(0)
    for n in rng.integers(60, 140, 40):
        learner = Winnow(n)
        learner.w = rng.random(n)
        learner.w *= n / learner.w.sum() * (1 + off)
        same(learner, np.ones((3, n), kind), [1, 0, 1])


@given(streams(BITS, BITS), KINDS)
def test_monomial_winnow(stream, kind):
    X, y = stream
    same(MonomialWinnow(X.shape[1]), X.astype(kind), y.astype(kind), epochs=2)


@settings(max_examples=50)
@given(
    streams(BITS, SIGNS),
    KINDS,
    st.sampled_from([None, 1, 2]),
    st.booleans(),
    st.sampled_from([1, 3, 128]),
)
def test_kernel_perceptron(stream, kind, degree, negations, block):
    X, y = stream
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dnf_fast, "BLOCK", block)
        same(KernelPerceptron(AnovaKernel(degree, negations)), X.astype(kind), y)


@pytest.mark.parametrize(("n", "ones"), [(60, 0.9), (60, 1.0), (120, 0.95), (200, 0.5)])
def test_kernel_perceptron_beyond_the_digits_of_a_float(monkeypatch, n, ones):
    """Kernels up to 2^200: close scores, also exact ties far above 2^53, have the sign of their sum
    in whole numbers.
    """
    monkeypatch.setattr(dnf_fast, "BLOCK", 16)
    rng = np.random.default_rng(n)
    few = rng.random((9, n)) < ones
    X = few[rng.integers(0, 9, 120)]
    same(KernelPerceptron(AnovaKernel()), X, rng.choice([-1, 1], 120))
    tie = np.ones((4, n), bool)
    tie[2, 0] = tie[3, 1] = False
    run = same(
        KernelPerceptron(AnovaKernel()),
        tie[[0, 0, 2, 3, 0, 2, 3]],
        np.array([1, -1, 1, -1, 1, 1, 1]),
    )
    assert run.predictions.tolist() == [0, 1, 0, 1, 0, 1, 1]


def test_kernel_perceptron_remembers_scores_that_floats_get_wrong():
    """Kernels 2^100 and -2^100 cancel; of the ±1 that are added between them floats keep none."""
    rng, x = np.random.default_rng(0), np.ones((1, 100), bool)
    for _ in range(30):
        learner, order = KernelPerceptron(AnovaKernel()), rng.permutation(40)
        rows, alpha = np.repeat([x[0], ~x[0]], [2, 38], axis=0), [1, -1, *rng.choice([-1, 1], 38)]
        learner.rows, learner.alpha = list(rows[order]), [int(alpha[q]) for q in order]
        same(learner, x, [rng.choice([-1, 1])])
        X = np.arange(100) < rng.choice([0, 1, 2, 100], (60, 1))  # and mistakes of the same block
        wrong = play(KernelPerceptron(AnovaKernel()), X, lambda x, p: -p or rng.choice([-1, 1]))
        same(KernelPerceptron(AnovaKernel()), X, wrong.y)


def test_kernel_perceptron_goes_on_and_plays_other_kernels_from_memory():
    rng = np.random.default_rng(0)
    X, y = rng.random((80, 9)) < 0.5, rng.choice([-1, 1], 80)
    learner = KernelPerceptron(AnovaKernel())
    runs = play(learner, X[:50], y[:50]), same(learner, X[50:], y[50:])
    whole = play(KernelPerceptron(AnovaKernel()), X, y)
    np.testing.assert_array_equal(
        np.concatenate([run.predictions for run in runs]), whole.predictions
    )
    for kernel, x in ((lambda A, x: A @ x, X), (AnovaKernel(), X / 2)):
        assert same(KernelPerceptron(kernel), x, y).mistakes > 0


@pytest.mark.parametrize("unit", [1, 0.1, 1e-170])
def test_kernels_of_ones_own(unit):
    """Sums that are 0 but for rounding, or underflow; a play goes on; a failure says where."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(-2, 3, (6, 4))[rng.integers(0, 6, 300)] * unit, rng.choice([-1, 1], 300)
    for kernel in (lambda A, x: A @ x, lambda A, x: (A @ x) ** 2, lambda A, x: (A @ x) ** 3 + 1e99):
        learner = KernelPerceptron(kernel)
        same(learner, X[:100], y[:100])
        same(learner, X[100:], y[100:], epochs=2)
    same(KernelPerceptron(lambda A, x: (A @ x).astype(int)), np.rint(X), y)
    broken = KernelPerceptron(lambda A, x: A @ x if len(A) < 70 else (A @ x)[1:])
    with pytest.raises(ValueError, match="one number for each of the 70 rows") as error:
        play(broken, X, y)
    assert "of 300, played by KernelPerceptron" in error.value.__notes__[0]


def test_kernel_perceptron_that_remembers_other_rows_than_bits_is_played_by_the_loop():
    rng = np.random.default_rng(0)
    learner = KernelPerceptron(AnovaKernel())
    play(learner, rng.normal(size=(30, 4)), rng.choice([-1, 1], 30))
    X, y = rng.random((50, 4)) < 0.5, rng.choice([-1, 1], 50)
    slow = deepcopy(learner)
    runs = play(learner, X, y), play(slow, X, y, fast=False)
    np.testing.assert_array_equal(runs[0].predictions, runs[1].predictions)
    learner = KernelPerceptron(AnovaKernel())
    play(learner, X, y)
    with pytest.raises(ValueError, match="equally many columns"):
        play(learner, X[:, :2], y)


@pytest.mark.parametrize(("n", "negations"), [(20, False), (20, True), (200, False), (999, True)])
def test_kernel_perceptron_on_whole_blocks(n, negations):
    """Two whole blocks and an odd rest; rows of ones have the largest numbers in common."""
    rng, T = np.random.default_rng(n), 2 * dnf_fast.BLOCK + 7
    X = rng.random((T, n)) < rng.choice([0.5, 0.99, 1.1], (T, 1))
    same(KernelPerceptron(AnovaKernel(2, negations)), X, rng.choice([-1, 1], T))


FOLDED = {  # what they are given, and an entry that they can't take
    "Perceptron": (Perceptron, "signs", np.nan),
    "Winnow": (Winnow, "bits", 2.0),
    "WeightedAverage": (WeightedAverage, "bits", -0.5),
    "FixedShare": (partial(FixedShare, alpha=0.1), "bits", 1.5),
    "Hedge": (partial(Hedge, eta=1), None, np.inf),
    "Hedge, drawing": (partial(Hedge, eta=1, rng=0), None, -1.0),
    "RandomizedWeightedMajority": (partial(RandomizedWeightedMajority, rng=0), "bits", 0.5),
    "KernelPerceptron": (lambda n: KernelPerceptron(AnovaKernel()), "signs", np.inf),
    "MonomialWinnow": (MonomialWinnow, "bits", 2.0),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("at", [(0, 0), (63, 1), (64, 2), (299, 2)])
@pytest.mark.parametrize("name", FOLDED)
def test_a_bad_entry_is_found_when_it_is_read_and_the_learner_is_set_back(monkeypatch, name, at):
    """The rows are checked a few at a time while they are played. Nothing of a play that ends at a
    bad entry is left, and its message is that of a check before the play.
    """
    monkeypatch.setattr(checks, "CHECKED", 24)
    make, labels, bad = FOLDED[name]
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (300, 3)) * 1.0, rng.integers(0, 2, 300)
    rest = {"signs": [2 * y - 1], "bits": [y], None: []}[labels]
    learner = make(3)
    play(learner, X, *rest)
    before, X[at], X[299, 2] = deepcopy(learner), bad, bad
    with pytest.raises(ValueError) as folded:
        play(learner, X, *rest, epochs=2)
    same_state(learner, before)
    with pytest.raises(ValueError) as checked_before:
        play(before, X, *rest, epochs=2, fast=False)
    assert str(folded.value) == str(checked_before.value)
    assert f"[{at[0]}, {at[1]}] is {bad}" in str(folded.value)


def test_rows_are_checked_before_they_are_played(monkeypatch):
    """Once, not all of them before the play, and none after it was read."""
    monkeypatch.setattr(checks, "CHECKED", 9)
    seen, vecdot, (expected, test) = [], np.vecdot, checks.SPACES["bits"]

    def noted(what, function, a, *rest):
        if a.ndim == 2:  # not the labels
            seen.append((what, len(a)))
        return function(a, *rest)

    monkeypatch.setitem(checks.SPACES, "bits", (expected, partial(noted, "check", test)))
    monkeypatch.setattr(np, "vecdot", partial(noted, "play", vecdot))
    X, y = np.ones((300, 3)), np.full(300, True)
    assert play(Winnow(3), X, y, epochs=2).mistakes == 0
    checked = played = ahead = 0
    for what, rows in seen:
        checked, played = checked + rows * (what == "check"), played + rows * (what == "play")
        assert checked >= min(played, 300)
        ahead = max(ahead, checked - played)
    assert (checked, played) == (300, 600) and ahead < 100


def test_what_is_wrong_in_X_is_said_before_what_is_wrong_in_y():
    X = np.array([[0.0, np.nan]])
    with pytest.raises(ValueError, match=r"X\[0, 1\] is nan"):
        play(Perceptron(2), X, [1, 1])
    with pytest.raises(ValueError, match="X has 1 rows, y has 2"):
        play(Perceptron(2), [[0, 1]], [1, 1])


@settings(max_examples=50)
@given(streams(BITS, BITS), KINDS)
def test_halving(stream, kind):
    X, y = stream
    same(Halving(X.shape[1]), X.astype(kind), y.astype(kind))


@settings(max_examples=50)
@given(streams(BITS, BITS), KINDS, st.sampled_from([0, 0.1, 1 / 3, 0.5, 0.9]))
def test_weighted_majority(stream, kind, beta):
    X, y = stream
    same(WeightedMajority(X.shape[1], beta), X.astype(kind), y.astype(kind))


@pytest.mark.parametrize("beta", [0.3, 0.7, 0.9])
def test_weighted_majority_at_ties(beta):
    """Experts in pairs of equal weight: at times all pairs disagree, and both sides weigh the same
    in every order.
    """
    rng = np.random.default_rng(0)
    for T in range(1, 60):
        half = rng.integers(0, 2, (T, 20))
        X = np.vstack([np.hstack([half, half]), np.hstack([half[-1], 1 - half[-1]])])
        assert same(WeightedMajority(40, beta), X, rng.integers(0, 2, T + 1)).predictions[-1] == 1


@settings(max_examples=50)
@given(streams(BITS, BITS), KINDS, st.sampled_from([0, 1 / 3, 0.5, 0.9]), st.integers(0, 99))
def test_randomized_weighted_majority_draws_the_same_experts(stream, kind, beta, seed):
    X, y = stream
    same(RandomizedWeightedMajority(X.shape[1], beta, rng=seed), X.astype(kind), y.astype(kind))


@pytest.mark.parametrize(
    ("loss", "prediction"), [("square", "mean"), ("square", "vovk"), ("entropic", "mean")]
)
@settings(max_examples=40)
@example(stream=(np.full((1, 3), 0.109375), np.zeros(1)), eta=None)  # the mean was a float16
@given(stream=streams(st.floats(0, 1), st.floats(0, 1)), eta=st.sampled_from([None, 1e-3, 2, 50]))
def test_weighted_average(loss, prediction, stream, eta):
    X, y = stream
    same(WeightedAverage(X.shape[1], eta, loss, prediction), X, y, exact=False)
    X, y = X.astype(np.float16), y.astype(np.float32)
    same(WeightedAverage(X.shape[1], eta, loss, prediction), X, y, exact=False)


def test_weighted_average_from_a_prior_with_zeros():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (50, 3)), rng.random(50)
    same(WeightedAverage(3, loss="entropic", prior=[0.5, 0.5, 0]), X, y, exact=False)
    same(WeightedAverage(3, prior=[0, 0, 1]), X == 1, y, exact=False)


@given(
    st.integers(1, 5).flatmap(
        lambda n: arrays(
            float,
            st.tuples(st.integers(1, 60), st.just(n)),
            elements=st.one_of(st.floats(0, 1), st.floats(0, 1e6)),
        )
    ),
    st.sampled_from([1e-6, 0.1, 3]),
    st.sampled_from([None, 0, 1]),
)
def test_hedge(L, eta, seed):
    same(Hedge(L.shape[1], eta, rng=seed), L, exact=False)


def test_weighted_average_lies_between_the_advice_of_many_experts():
    """Equal advice, where rounding must not leave it, and extreme advice of the last experts."""
    rng = np.random.default_rng(0)
    X, y = rng.random((200, 20)).round(1), rng.random(200)
    X[::3] = X[::3, :1]
    X[1::3, :8] = rng.integers(0, 2, (67, 1))
    run = same(WeightedAverage(20), X, y)
    assert (X.min(axis=1) <= run.predictions).all() and (run.predictions <= X.max(axis=1)).all()
    assert (run.predictions != np.vecdot(run.probabilities[:-1], X)).any()


def nearly_same(learner, X, y, **options):
    """Play the shortcut and the loop, which works with logarithms; assert that they agree to 12
    digits.
    """
    slow = deepcopy(learner)
    assert fast.find(learner, *checks.check_stream(learner, X, y)) is not None
    a, b = play(learner, X, y, **options), play(slow, X, y, fast=False, **options)
    np.testing.assert_allclose(a.weights, b.weights, rtol=1e-12, atol=0)
    # Vovk's is a difference of numbers near 1.
    np.testing.assert_allclose(a.predictions, b.predictions, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(a.log_weights, b.log_weights, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(learner.L, slow.L, rtol=1e-12, atol=1e-12 / learner.eta)
    assert learner.L.shape == slow.L.shape


@pytest.mark.parametrize("cls", [FixedShare, VariableShare])
@pytest.mark.parametrize(
    ("loss", "prediction"), [("square", "mean"), ("square", "vovk"), ("entropic", "mean")]
)
@settings(max_examples=25)
@given(
    stream=streams(st.floats(0, 1), st.floats(0, 1), smallest=2),
    eta=st.sampled_from([None, 0.1, 10]),
    alpha=st.sampled_from([1e-9, 0.01, 0.3, 0.5]),
)
def test_shares(cls, loss, prediction, stream, eta, alpha):
    X, y = stream
    if loss == "entropic":
        X, y = 0.3 + 0.4 * X, 0.3 + 0.4 * y  # Variable Share needs losses of at most 1
    nearly_same(cls(X.shape[1], eta, alpha=alpha, loss=loss, prediction=prediction), X, y)


@pytest.mark.parametrize("cls", [FixedShare, VariableShare])
def test_shares_on_a_long_stream_with_shifts(monkeypatch, cls):
    monkeypatch.setattr(fast, "CHUNK", 2**14)
    X = np.random.default_rng(0).random((1500, 20))
    nearly_same(cls(20, alpha=0.01), X, np.concatenate([X[:500, 0], X[500:1000, 1], X[1000:, 2]]))


def test_shares_where_weights_underflow():
    """An expert without loss keeps all of its weight, and what the others share dies out: the
    learner plays by itself.
    """
    X, y = np.tile([0.0, 1, 1], (400, 1)), np.zeros(400)
    learner = VariableShare(3, 2, alpha=0.1)
    run = play(learner, X, y)
    assert run.log_weights.min() < -700 and np.isfinite(run.log_weights).all()
    np.testing.assert_allclose(
        run.log_weights,
        play(VariableShare(3, 2, alpha=0.1), X, y, fast=False).log_weights,
        rtol=1e-12,
    )
    infinite = np.array([[0.0, 1, 0.5]] * 20)
    a, b = (
        play(FixedShare(3, alpha=0.1, loss="entropic"), infinite, np.tile([0.0, 1], 10), fast=quick)
        for quick in (True, False)
    )
    np.testing.assert_allclose(a.predictions, b.predictions, rtol=1e-12)


@pytest.mark.parametrize("alpha", [0, 0.6, 1])
@pytest.mark.parametrize("cls", [FixedShare, VariableShare])
def test_shares_that_could_lose_digits_are_played_by_the_loop(cls, alpha):
    assert fast.find(cls(3, alpha=alpha), X, Y) is None


def test_variable_share_refuses_a_large_loss_as_the_loop_does():
    x, y = np.array([[0.5, 0.5], [0.5, 0.01]]), np.array([1, 1])
    for quick in (True, False):
        with pytest.raises(
            ValueError, match=r"needs losses in \[0, 1\]; the entropic loss of expert 2 is 4.6"
        ):
            play(VariableShare(2, alpha=0.1, loss="entropic"), x, y, fast=quick)


# Odd arrays ---------------------------------------------------------------------------------------


def misaligned(a, folder):
    """The same numbers at odd addresses."""
    b = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape)
    b[:] = a
    return b


def mapped(a, folder):
    """The same numbers in a file."""
    file = Path(mkdtemp(dir=folder)) / "a.npy"
    np.save(file, a)
    return np.load(file, mmap_mode="r")


def read_only(a, folder):
    a.flags.writeable = False
    return a


ODD = {kind.__name__: lambda a, folder, kind=kind: a.astype(kind) for kind in TYPES}
ODD |= {
    "big-endian": lambda a, folder: a.astype(">f8"),
    "big-endian int": lambda a, folder: a.astype(">i4"),
    "read-only": read_only,
    "memory-mapped": mapped,
    "misaligned": misaligned,
    "Fortran": lambda a, folder: np.asfortranarray(a),
    "every second column": lambda a, folder: a.repeat(2, axis=-1)[..., ::2],
    "every second row": lambda a, folder: a.repeat(2, axis=0)[::2],
    "columns backwards": lambda a, folder: a[..., ::-1].copy()[..., ::-1],
    "rows backwards": lambda a, folder: a[::-1].copy()[::-1],
    "all backwards": lambda a, folder: np.flip(np.flip(a).copy()),
    "one row again and again": lambda a, folder: np.broadcast_to(a[0], a.shape),
    "one column again and again": lambda a, folder: np.broadcast_to(a[..., :1], a.shape),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_arrays(monkeypatch, tmp_path, name):
    """All types and all ways to lie in memory: the shortcut reads what the loop reads."""
    monkeypatch.setattr(checks, "LARGE", 0)  # as large data, they stay as they are
    rng = np.random.default_rng(0)
    bits, labels = rng.integers(0, 2, (90, 5)).astype(float), rng.integers(0, 2, 90).astype(float)
    X, y = ODD[name](bits, tmp_path), ODD[name](labels, tmp_path)
    signs = 2 * labels - 1 if X.dtype.kind in "bu" else ODD[name](2 * labels - 1, tmp_path)
    for cls in set(CLASSES) - {Hedge, KernelPerceptron, FixedShare, VariableShare}:
        run = same(cls(5), X, signs if cls is Perceptron else y, exact=cls is not WeightedAverage)
        assert np.shares_memory(run.X, X)
    same(KernelPerceptron(AnovaKernel()), X, signs)
    same(Hedge(5, 0.3), X, exact=False)
    same(Hedge(5, 0.3, rng=1), X, exact=False)
    nearly_same(FixedShare(5, alpha=0.1), X, y)
    if X.dtype == float:
        X = ODD[name](rng.integers(-20, 21, (90, 5)) * 0.1, tmp_path)
        same(Perceptron(5), X, signs)


@one_order
@pytest.mark.parametrize("n", [1, 3, 8, 33, 100])
@pytest.mark.parametrize("name", ODD)
def test_vecdot_takes_the_dot_products_of_the_loop(tmp_path, name, n):
    """On this rests the Perceptron's shortcut, and numpy does not promise it."""
    rng = np.random.default_rng(n)
    rows, w = ODD[name](rng.integers(-20, 21, (40, n)) * 0.1, tmp_path), rng.standard_normal(n)
    floats = rows if rows.dtype == float else rows.astype(float)
    expected = [w @ row for row in rows]
    assert np.vecdot(floats, w).tolist() == expected
    assert np.vecdot(np.tile(w, (40, 1)), floats).tolist() == expected  # many plays in step
    if rows.strides[1] > 0:
        assert [w.dot(row) for row in floats] == expected


def test_many_experts_as_half_precision_floats():
    """A sum of 3000 ones is no float16."""
    X = np.ones((2, 6001), np.float16)
    X[:, :3001] = 0
    assert same(Halving(6001), X, np.array([0, 0])).predictions.tolist() == [0, 0]


# Long streams -------------------------------------------------------------------------------------


def long_streams(T=1000, n=40):
    """Streams of a thousand trials: few and many mistakes, with real numbers and with bits."""
    rng = np.random.default_rng(7)
    X, v = rng.standard_normal((T, n)), rng.standard_normal(n)
    easy, noise = np.where(X @ v > 0, 1, -1), rng.choice([-1, 1], T)
    B = rng.random((T, n)) < 0.3
    disjunction = B[:, :3].any(axis=1)
    both = np.where(np.arange(T) < 400, noise, easy)
    for name, x, y in (
        ("easy", X, easy),
        ("noise", X, noise),
        ("noise, then easy", X, both),
        ("tenths", X.round(1), easy),
    ):
        yield pytest.param(Perceptron(n), x, y, id=f"Perceptron, {name}")
    for name, y in (("disjunction", disjunction), ("noise", noise > 0)):
        for learner in (
            Winnow(n),
            Winnow(n, 1.5),
            Halving(n),
            WeightedMajority(n, 0.8),
            RandomizedWeightedMajority(n, 0.8, rng=1),
        ):
            yield pytest.param(learner, B, y, id=f"{type(learner).__name__}, {name}")


@pytest.mark.parametrize("chunk", [1, 2**16])
@pytest.mark.parametrize(("learner", "X", "y"), list(long_streams()))
def test_long_streams(monkeypatch, chunk, learner, X, y):
    monkeypatch.setattr(fast, "CHUNK", chunk)
    same(deepcopy(learner), X, y, epochs=2)


# From 101 columns or 202 experts on, losses are added up row by row.
@pytest.mark.parametrize("n", [1, 7, 100, 101, 202])
def test_exponential_weights_on_long_streams(n):
    rng = np.random.default_rng(n)
    X, y = rng.random((700, n)), rng.random(700)
    for learner in (
        WeightedAverage(n),
        WeightedAverage(n, prediction="vovk"),
        WeightedAverage(n, loss="entropic"),
    ):
        same(learner, X, y, exact=False)
    same(Hedge(n, 0.3), 1e6 * X, exact=False)
    same(Hedge(n, 1e-5, rng=3), 1e6 * X, exact=False)


def test_a_play_goes_on_where_the_last_one_ended():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 2, (100, 4)), rng.integers(0, 2, 100)
    for learner in (
        Halving(4),
        WeightedMajority(4),
        RandomizedWeightedMajority(4, rng=0),
        Winnow(4),
    ):
        whole, parts = deepcopy(learner), deepcopy(learner)
        run, first, second = (
            play(whole, X, y),
            play(parts, X[:37], y[:37]),
            play(parts, X[37:], y[37:]),
        )
        np.testing.assert_array_equal(run.weights, np.vstack([first.weights, second.weights[1:]]))
        np.testing.assert_array_equal(
            run.predictions, np.concatenate([first.predictions, second.predictions])
        )


def test_hedge_is_finite_after_a_million_trials_with_losses_of_a_million(monkeypatch):
    monkeypatch.setattr(fast, "CHUNK", 2**16)
    L = np.random.default_rng(0).random((10**6, 3)) * 1e6
    run = play(Hedge(3, eta=1), L, keep="last")
    assert np.isfinite(run.losses).all() and run.predictions is None
    np.testing.assert_allclose(run.learner.v.sum(), 1, rtol=1e-15)
    assert run.best_loss == np.cumsum(L, axis=0)[-1].min()
    # The learner follows the best expert from the second trial on.
    assert 0 <= run.regret <= np.log(3) + 10**12


# Who gets a shortcut ------------------------------------------------------------------------------


def found(learner, n=3):
    X, y = np.zeros((2, n)), np.ones(2, int)
    return (
        fast.find(learner, *((None, X) if getattr(learner, "loss", "") == "allocation" else (X, y)))
        is not None
    )


def make(cls):
    arguments = {
        Hedge: {"n": 3, "eta": 1},
        FixedShare: {"n": 3, "alpha": 0.1},
        KernelPerceptron: {"kernel": AnovaKernel()},
    }
    return cls(
        **next(
            (options for known, options in arguments.items() if issubclass(cls, known)), {"n": 3}
        )
    )


@pytest.mark.parametrize("cls", CLASSES)
def test_every_class_of_this_file_has_a_shortcut(cls):
    assert found(make(cls)) and found(
        make(type("Renamed", (cls,), {"__doc__": "Changes nothing.", "colour": "red"}))
    )


@pytest.mark.parametrize(
    ("cls", "name"),
    [(cls, name) for cls in CLASSES for name in dir(cls) if not name.startswith("__")],
)
def test_a_subclass_that_changes_anything_is_played_by_the_loop(cls, name):
    member = getattr(cls, name)
    changed = (
        str(member) + "…" if isinstance(member, str) else (lambda self, *args: member(self, *args))
    )
    assert not found(make(type("Changed", (cls,), {name: changed})))
    grandchild = type("Grandchild", (type("Changed", (cls,), {name: changed}),), {})
    assert not found(make(grandchild))


@pytest.mark.parametrize("name", ["predict", "update"])
def test_a_method_replaced_on_one_learner_or_on_the_class_is_played_by_the_loop(monkeypatch, name):
    learner = Perceptron(3)
    setattr(learner, name, lambda *args: 1)
    assert not found(learner) and found(Perceptron(3))
    monkeypatch.setattr(Perceptron, name, lambda self, *args: 1)
    assert not found(Perceptron(3))


def test_a_class_that_was_changed_before_the_first_play_is_played_by_the_loop():
    code = (
        "import olc_helpers, sys; olc_helpers.Perceptron.update = lambda self, x, y: None; "
        "assert 'olc_helpers.fast' not in sys.modules; "
        "print(olc_helpers.play(olc_helpers.Perceptron(1), [[1.0]] * 99, [1] * 99).mistakes)"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
        ).stdout
        == "99\n"
    )


def test_students_are_played_as_they_wrote_it():
    class FollowTheFirst(Halving):
        def predict(self, x):
            return int(x[self.w.argmax()])

    class Stubborn(Perceptron):
        def update(self, x, y):
            pass

    class Average(Hedge):
        @property
        def v(self):
            return np.full(self.n, 1 / self.n)

    X, y = np.array([[1, 0, 0], [0, 1, 1], [1, 1, 1]]), np.array([0, 1, 1])
    assert (
        play(FollowTheFirst(3), X, y).predictions.tolist()
        == [1, 1, 1]
        != play(Halving(3), X, y).predictions.tolist()
    )
    assert play(Stubborn(3), X, 2 * y - 1).mistakes == 3
    np.testing.assert_array_equal(play(Average(3, eta=1), X).predictions, np.full((3, 3), 1 / 3))


def test_a_learner_with_more_state_keeps_it():
    class Named(Perceptron):
        def __init__(self, n, name):
            super().__init__(n)
            self.name, self.w = name, np.ones(n)

    X, y = np.random.default_rng(0).standard_normal((40, 3)), np.tile([1, -1], 20)
    run = same(Named(3, "Frank"), X, y)
    assert run.learner.name == "Frank" and run.weights[0].tolist() == [1, 1, 1]


def test_other_random_sources_and_long_doubles_are_played_by_the_loop():
    class Last:
        def choice(self, n, p):
            return n - 1

    learner = RandomizedWeightedMajority(2, rng=0)
    learner.rng = Last()
    assert play(learner, [[0, 1], [1, 0]], [1, 1]).predictions.tolist() == [1, 0]
    if np.dtype(np.longdouble).itemsize > 8:
        assert fast.find(Perceptron(2), np.ones((2, 2), np.longdouble), np.ones(2)) is None


# What is kept -------------------------------------------------------------------------------------

X, Y = np.array([[1, 1, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1]]), np.array([1, 0, 0, 1])


@pytest.mark.parametrize("shortcut", [True, False])
@pytest.mark.parametrize(
    "make", [lambda: WeightedMajority(3), lambda: Winnow(3), lambda: Halving(3)]
)
def test_keep(make, shortcut):
    every, mistakes, last = (
        play(make(), X, Y, keep=keep, fast=shortcut) for keep in ("all", "mistakes", "last")
    )
    after = np.flatnonzero(every.mistake) + 1
    assert every.keep == "all" and mistakes.keep == "mistakes" and last.keep == "last"
    for name in ("weights", "log_weights"):
        rows = getattr(every, name)
        np.testing.assert_array_equal(getattr(mistakes, name), rows[[0, *after]])
        np.testing.assert_array_equal(getattr(last, name), rows[-1:])
    for run in (mistakes, last):
        np.testing.assert_array_equal(run.predictions, every.predictions)
        assert (run.mistakes, run.best_loss, run.regret) == (
            every.mistakes,
            every.best_loss,
            every.regret,
        )


@pytest.mark.parametrize("shortcut", [True, False])
def test_keep_over_several_passes(shortcut):
    every, mistakes, last = (
        play(Perceptron(3), X, 2 * Y - 1, epochs=3, keep=keep, fast=shortcut)
        for keep in ("all", "mistakes", "last")
    )
    np.testing.assert_array_equal(
        mistakes.weights, every.weights[[0, *np.flatnonzero(every.mistake) + 1]]
    )
    np.testing.assert_array_equal(last.weights, every.weights[-1:])
    assert len(last) == 12 and last.mistakes_per_pass.tolist() == every.mistakes_per_pass.tolist()


@pytest.mark.parametrize("shortcut", [True, False])
def test_allocation_game_without_history(shortcut):
    every, last = (play(Hedge(3, eta=1), X, keep=keep, fast=shortcut) for keep in ("all", "last"))
    np.testing.assert_allclose(last.losses, every.losses, rtol=1e-15)
    assert last.predictions is None and last.weights.shape == (1, 3) and last.regret == every.regret
    drawn = play(Hedge(3, eta=1, rng=0), X, keep="last", fast=shortcut)
    np.testing.assert_array_equal(drawn.predictions, play(Hedge(3, eta=1, rng=0), X).predictions)
    with pytest.raises(
        ValueError,
        match="keep='mistakes' is for learners that predict a label; Hedge pays a allocation loss",
    ):
        play(Hedge(3, eta=1), X, keep="mistakes", fast=shortcut)


def test_keep_is_one_of_three():
    with pytest.raises(ValueError, match="keep must be 'all', 'mistakes' or 'last'; got 'some'"):
        play(Halving(3), X, Y, keep="some")


@pytest.mark.parametrize("keep", ["mistakes", "last"])
def test_a_proof_needs_all_weights(keep):
    run = play(WeightedMajority(3), X, Y, keep=keep)
    with pytest.raises(
        HypothesisError, match="wm_bound needs the weights of every trial: play with keep='all'"
    ):
        wm_bound(run)
    with pytest.raises(
        HypothesisError,
        match="halving_bound needs the weights of every trial: play with keep='all'",
    ):
        halving_bound(run)
    with pytest.raises(
        ValueError,
        match="the expected losses need the weights of every trial: play with keep='all'",
    ):
        run.expected_losses  # noqa: B018


# Memory -------------------------------------------------------------------------------------------


def peak(call):
    """Return the megabytes that a call needs at most, above what was there before."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


def stream_of(labels, T, n=6):
    """Return T rows of bits with labels."""
    rng = np.random.default_rng(T)
    return rng.random((T, n)) < 0.4, rng.choice(labels, T)


@pytest.mark.parametrize("cls", [Perceptron, Winnow, Halving, WeightedMajority, WeightedAverage])
def test_the_last_weights_need_little_memory(monkeypatch, cls):
    """T = 6000, n = 1000 booleans: 6 MB of data, a history of 48 MB, chunks of less than 1 MB."""
    monkeypatch.setattr(fast, "CHUNK", 2**16)
    monkeypatch.setattr(checks, "LARGE", 2**22)
    rng = np.random.default_rng(0)
    x = rng.random((6000, 1000)) < 0.5
    y = x[:, 0] if cls is not Perceptron else 2 * x[:, 0].astype(int) - 1
    run = play(cls(1000), x[:100], y[:100], keep="last")  # whatever is imported or made once
    assert peak(lambda: play(cls(1000), x, y, keep="last")) < 5
    run = play(cls(1000), x, y, keep="last")
    if cls is not Perceptron:
        assert peak(lambda: run.best_loss) < 5 and run.best_loss == 0
    assert np.shares_memory(run.X, x) and not run.X.flags.writeable


@pytest.mark.parametrize("cls", [Perceptron, Winnow])
def test_wide_rows_need_little_memory(cls):
    """64 rows of 100 000 booleans are 6 MB; 64 rows of weights would be 51 MB."""
    x, y = np.zeros((64, 100_000), bool), np.ones(64, int)
    x[np.arange(64), np.arange(64)] = True
    play(cls(100_000), x[:1], y[:1], keep="last")
    assert peak(lambda: play(cls(100_000), x, y, keep="last")) < 30
    assert play(cls(100_000), x, y, keep="last").mistakes == 64


CHUNKED = {
    "Perceptron": (lambda: Perceptron(6), partial(stream_of, (-1, 1))),
    "Winnow": (lambda: Winnow(6), partial(stream_of, (0, 1))),
    "Averaged": (lambda: AveragedPerceptron(6), partial(stream_of, (-1, 1))),
    "Fixed Share": (lambda: FixedShare(6, alpha=0.1), partial(stream_of, (0, 1))),
    "Hedge": (lambda: Hedge(6, eta=0.1), lambda T: (stream_of((0, 1), T)[0] / 3,)),
}


@pytest.mark.parametrize("name", CHUNKED)
def test_chunks_are_played_as_the_whole(name):
    make_learner, make_stream = CHUNKED[name]
    data = make_stream(90)
    whole = play(make_learner(), *data, keep="last")
    chunks = [tuple(a[i : i + 25] for a in data) for i in range(0, 90, 25)]
    chunks = chunks if len(data) == 2 else [losses for (losses,) in chunks]
    totals = play_chunks(make_learner(), iter(chunks))
    np.testing.assert_allclose(totals.weights, whole.weights, rtol=1e-12)
    np.testing.assert_allclose(totals.total_loss, whole.total_loss, rtol=1e-12)
    assert len(totals) == len(whole) == 90 and repr(totals) == repr(whole)
    if whole.learner.labels in ("bits", "signs"):
        assert totals.mistakes == whole.mistakes


def test_chunks_need_the_memory_of_one():
    def chunks(many):
        return (stream_of((-1, 1), 2000) for _ in range(many))

    play_chunks(Perceptron(6), chunks(2))
    few, many = (
        peak(lambda: play_chunks(Perceptron(6), chunks(count)))  # noqa: B023
        for count in (3, 60)
    )
    assert many < 1.1 * few


def test_chunks_say_what_is_wrong_and_where():
    one = stream_of((0, 1), 9)
    with pytest.raises(TypeError, match=r"an iterator\. play_chunks\(learner, chunks\) plays"):
        play(Winnow(6), iter([one]), keep="last")
    with pytest.raises(TypeError, match="it is an iterator"):
        play(Winnow(6), (x for x in one[0]), one[1])
    with pytest.raises(ValueError, match="there was no chunk: a stream needs at least one trial"):
        play_chunks(Winnow(6), [])
    with pytest.raises(ValueError, match=r"X\[0, 0\] is 2") as error:
        play_chunks(Winnow(6), [one, (np.full((1, 6), 2), [1])])
    assert error.value.__notes__ == ["this was in chunk 2"]
    with pytest.raises(ValueError, match="FixedShare pays a square loss"):
        chunk = stream_of((0, 1), 9)
        play_chunks(FixedShare(6, alpha=0.1), [chunk]).mistakes  # noqa: B018


def test_a_file_of_bytes_is_read_part_by_part(tmp_path):
    """200 000 × 100 bytes: 20 MB that never are in memory at once, nor as floats."""
    rng = np.random.default_rng(0)
    file = np.memmap(tmp_path / "bytes", np.int8, "w+", shape=(200_000, 100))
    for start in range(0, len(file), 10_000):
        file[start : start + 10_000] = rng.integers(-100, 100, (10_000, 100), np.int8)
    y = np.where(file[:, 0] > 0, 1, -1).astype(np.int8)
    file.flush()
    file = np.memmap(tmp_path / "bytes", np.int8, "r", shape=(200_000, 100))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast, "CHUNK", 2**16)
        used = peak(lambda: play(Perceptron(100), file, y, keep="last", progress=False))
        parts = ((file[i : i + 9000], y[i : i + 9000]) for i in range(0, len(y), 9000))
        assert used < 40 * len(y) / 2**20 + 3  # labels, predictions and losses
        assert peak(lambda: play_chunks(Perceptron(100), parts)) < 5


def test_small_data_are_copied_and_large_data_are_not(monkeypatch):
    x, y = X.copy(), Y.copy()
    run = play(Halving(3), x, y)
    assert not np.shares_memory(run.X, x) and not np.shares_memory(run.y, y)
    monkeypatch.setattr(checks, "LARGE", x.nbytes)
    run = play(Halving(3), x, y)
    assert np.shares_memory(run.X, x) and not np.shares_memory(run.y, y)
    x[0] = 0  # the data are still the caller's
    with pytest.raises(ValueError, match="read-only"):
        run.X[0] = 0


@settings(max_examples=30)
@given(st.integers(0, 199), st.integers(0, 2))
def test_a_bad_entry_is_named_wherever_it_is(row, column):
    x = np.zeros((200, 3))
    x[row, column] = 2
    with (
        pytest.MonkeyPatch.context() as patch,
        pytest.raises(ValueError, match=rf"X\[{row}, {column}\] is 2.0"),
    ):
        patch.setattr(checks, "CHECKED", 8)
        play(Halving(3), x, np.zeros(200, int))


# Progress -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("progress", "long", "shown"),
    [(None, 81, False), (None, 80, True), (True, 81, True), (False, 80, False)],
)
def test_progress_bar_when_a_shortcut_has_many_trials(monkeypatch, progress, long, shown):
    bars = []

    class Bar:
        def __init__(self, total, **options):
            bars.append([total, 0])

        def update(self, trials):
            bars[0][1] += trials

        def __enter__(self):
            return self

        def __exit__(self, *error):
            bars[0].append("closed")

    monkeypatch.setattr(fast, "LONG_PLAY", long)
    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    play(WeightedMajority(3), np.tile(X, (20, 1)), np.tile(Y, 20), progress=progress)
    assert bars == ([[80, 80, "closed"]] if shown else [])


# Many plays ---------------------------------------------------------------------------------------


def stream(seed, labels=(0, 1), T=40, n=6):
    """Return bits and labels."""
    rng = np.random.default_rng(seed)
    return rng.random((T, n)) < 0.4, rng.choice(labels, T)


def real_stream(seed):
    rng = np.random.default_rng(seed)
    return rng.integers(-20, 21, (40, 6)) * 0.1, rng.choice([-1, 1], 40)


def losses(seed):
    return np.random.default_rng(seed).random((30, 3))


GAMES = {
    "Perceptron, reals": (lambda i: Perceptron(6), real_stream),
    "Perceptron, bits": (lambda i: Perceptron(6), partial(stream, labels=(-1, 1))),
    "Winnow": (lambda i: Winnow(6), stream),
    "Winnow, strict": (lambda i: Winnow(6, 1.5, strict=True), stream),
    "Winnow, different ones": (lambda i: Winnow(6, 1.5 + i), stream),
    "Perceptron, streams of different lengths": (
        lambda i: Perceptron(6),
        lambda i: stream(i, (-1, 1), T=10 + i),
    ),
    "Randomised Weighted Majority": (lambda i: RandomizedWeightedMajority(6, rng=i), stream),
    "Hedge": (lambda i: Hedge(3, eta=1, rng=i), losses),
}


@pytest.mark.parametrize("name", GAMES)
def test_play_many_is_play_again_and_again(monkeypatch, name):
    monkeypatch.setattr(replications, "GROUP", 5)
    monkeypatch.setattr(replications, "IN_STEP", 2)
    make_learner, make_stream = GAMES[name]
    runs = play_many(make_learner, (make_stream(i) for i in range(12)))
    assert len(runs) == 12
    for i, run in enumerate(runs):
        given = make_stream(i)
        one = play(make_learner(i), *(given if isinstance(given, tuple) else (given,)), fast=False)
        for field in ("predictions", "losses", "y"):
            a, b = getattr(run, field), getattr(one, field)
            assert a.dtype == b.dtype
            np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(run.weights, one.weights[-1:])
        (
            np.testing.assert_array_equal(run.log_weights, one.log_weights[-1:])
            if "Winnow" in name
            else None
        )
        assert run.keep == "last" and run.learner is not runs[i - 1].learner
        same_state(run.learner, one.learner)


def test_play_many_in_step_goes_on_from_the_state_of_the_learners(monkeypatch):
    monkeypatch.setattr(replications, "IN_STEP", 2)

    def taught(i):
        learner = Winnow(6)
        play(learner, *stream(100 + i))
        return learner

    for i, run in enumerate(play_many(taught, map(stream, range(4)))):
        same_state(run.learner, play(taught(i), *stream(i), fast=False).learner)


@pytest.mark.parametrize("name", ["Fortran", "every second column", "columns backwards", "float32"])
def test_play_many_in_step_on_odd_arrays(monkeypatch, tmp_path, name):
    monkeypatch.setattr(replications, "IN_STEP", 2)
    monkeypatch.setattr(checks, "LARGE", 0)
    rng = np.random.default_rng(0)
    streams = [
        (ODD[name](rng.integers(-1, 2, (200, 33)) * 0.1, tmp_path), rng.choice([-1, 1], 200))
        for _ in range(5)
    ]
    for run, stream in zip(play_many(lambda i: Perceptron(33), streams), streams, strict=True):
        one = play(Perceptron(33), *stream, fast=False, keep="last")
        np.testing.assert_array_equal(run.predictions, one.predictions)
        np.testing.assert_array_equal(run.weights, one.weights)


@pytest.mark.parametrize(
    ("make", "labels", "in_step"),
    [
        (lambda i: Perceptron(6), (-1, 1), True),
        (lambda i: Winnow(6), (0, 1), True),
        (lambda i: Winnow(6, 1.5 + i), (0, 1), False),
        (lambda i: Halving(6), (0, 1), False),
    ],
)
def test_who_is_played_in_step(make, labels, in_step):
    learners, streams = [make(i) for i in range(3)], [stream(i, labels) for i in range(3)]
    pairs = zip(learners, streams, strict=True)
    checked = [checks.check_stream(learner, *data) for learner, data in pairs]
    assert (replications.together(learners, *zip(*checked, strict=True)) is not None) == in_step


def test_play_many_of_structures(monkeypatch):
    monkeypatch.setattr(replications, "IN_STEP", 2)
    task = Listed(2, lambda x, y: np.array([x == y, x != y], float), lambda x: "ab")
    given = ["a", "b", "b"], ["a", "b", "a"]
    one = play(StructuredPerceptron(task), *given)
    for run in play_many(lambda i: StructuredPerceptron(task), [given] * 3):
        assert run.predictions.tolist() == one.predictions.tolist()


def test_play_many_of_students(monkeypatch):
    monkeypatch.setattr(replications, "IN_STEP", 2)

    class Stubborn(Perceptron):
        def update(self, x, y):
            pass

    runs = play_many(lambda i: Stubborn(6), [stream(i, (-1, 1)) for i in range(3)])
    assert [run.mistakes for run in runs] == [40, 40, 40]


def test_play_many_reads_what_is_asked_for_and_takes_the_options_of_play():
    curves = play_many(
        lambda i: Perceptron(6), map(real_stream, range(4)), read=attrgetter("mistakes_before")
    )
    later = play_many(
        lambda i: Perceptron(6),
        [partial(real_stream, i) for i in range(4)],
        read=attrgetter("mistakes_before"),
    )
    assert np.shape(curves) == (4, 41) and np.array_equal(curves, later)
    every = play_many(lambda i: WeightedMajority(6), map(stream, range(3)), keep="all", epochs=2)
    assert [run.weights.shape for run in every] == [(81, 6)] * 3 and all(
        wm_bound(run).holds for run in every
    )
    assert play_many(lambda i: Perceptron(6), []) == []


def test_play_many_names_the_bad_entry():
    X, y = stream(0)
    good, bad = (X.astype(int), y), (np.full((40, 6), 2), y)
    for others in (1, replications.IN_STEP):
        with pytest.raises(ValueError, match=r"every entry of X must be 0 or 1; X\[0, 0\] is 2"):
            play_many(lambda i: Winnow(6), [*[good] * others, bad])


def same_elsewhere(executor):
    """Plays with an executor, data made here and data made there, give the results of plays
    without.
    """
    replications.GROUP, group = 3, replications.GROUP
    try:
        for make_learner in (lambda i: RandomizedWeightedMajority(6, rng=i), lambda i: Winnow(6)):
            streams = [partial(noisy_experts, 40, [0.4] * 6, rng=i) for i in range(8)]
            here = play_many(make_learner, streams)
            data = play_many(make_learner, (make() for make in streams), executor=executor)
            functions = play_many(make_learner, streams, executor=executor)
            curves = play_many(
                make_learner, streams, read=attrgetter("mistakes_before"), executor=executor
            )
            for i, run in enumerate(here):
                for other in (data[i], functions[i]):
                    np.testing.assert_array_equal(other.predictions, run.predictions)
                    np.testing.assert_array_equal(other.weights, run.weights)
                    np.testing.assert_array_equal(other.X, run.X)
                np.testing.assert_array_equal(curves[i], run.mistakes_before)
    finally:
        replications.GROUP = group


def test_play_many_in_processes():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        same_elsewhere(executor)


def test_play_many_on_a_cluster():
    distributed = pytest.importorskip(
        "distributed", reason="dask.distributed is an optional extra: pip install .[cluster]"
    )
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert {worker["host"] for worker in client.scheduler_info()["workers"].values()} == {
            "127.0.0.1"
        }
        assert len(client.scheduler_info()["workers"]) == 2
        same_elsewhere(client.get_executor())
