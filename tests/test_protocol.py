"""The protocol: what a Run records, what a learner may be, and the errors that people get for bad
input.
"""

import re
import tomllib
from dataclasses import FrozenInstanceError
from doctest import DocTestFinder, DocTestRunner
from functools import partial
from importlib import import_module
from inspect import isclass, isfunction, ismethod, signature, unwrap
from pathlib import Path

import numpy as np
import pytest
import tqdm.auto
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from strategies import BITS, sizes, trials

from olc_helpers import (
    AdaHedge,
    AveragedPerceptron,
    Halving,
    Hedge,
    KernelPerceptron,
    Learner,
    OnlineGradientDescent,
    Perceptron,
    RandomizedWeightedMajority,
    StructuredPerceptron,
    VotedPerceptron,
    WeightedAverage,
    WeightedMajority,
    Winnow,
    checks,
    chunks,
    learners,
    play,
    play_chunks,
    play_many,
    proofs,
    protocol,
)
from olc_helpers.structures import Listed

CORE = (
    "adapters canvas checks chunks counterexamples explorers fast ledger losses palette progress"
    " protocol replications shortcuts sketching"
).split()
X = np.array([[1, 1, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1]])
Y = np.array([1, 0, 0, 1])
ADVICE = trials(sizes(8, 5), BITS)


class Copycat:
    """A learner as a student might write it: two methods, nothing else. It says what the first
    expert says.
    """

    def predict(self, x):
        return x[0]

    def update(self, x, y):
        pass


class Tally(Copycat):
    """Keeps a weight per expert, changed in place."""

    def __init__(self):
        self.w = np.ones(3)

    def update(self, x, y):
        self.w[x != y] /= 2


class Spread:
    """An allocation learner that hands out its own array and changes it in place."""

    loss = "allocation"

    def __init__(self):
        self.v = np.full(2, 0.5)

    def predict(self, x):
        assert x is None
        return self.v

    def update(self, x, losses):
        self.v *= np.exp(-losses)
        self.v /= self.v.sum()


# What a Run records -------------------------------------------------------------------------------


def test_run_records_a_play_by_hand():
    run = play(WeightedMajority(3, beta=0.5), X, Y)
    # 2 against 1, 1 against 3/2, 2 against 0, 1/4 against 3/4.
    assert run.predictions.tolist() == [1, 0, 1, 0]
    assert run.losses.tolist() == [0, 0, 1, 1]
    assert run.mistake.tolist() == [False, False, True, True]
    assert run.mistakes == 2 and isinstance(run.mistakes, int)
    assert run.mistakes_before.tolist() == [0, 0, 0, 1, 2]
    assert run.weights.tolist() == [
        [1, 1, 1],
        [1, 1, 0.5],
        [1, 0.5, 0.5],
        [0.5, 0.25, 0.25],
        [0.25, 0.125, 0.25],
    ]
    np.testing.assert_allclose(run.log_weights, np.log(run.weights), rtol=1e-15)
    np.testing.assert_allclose(run.probabilities.sum(axis=1), 1, rtol=1e-15)
    np.testing.assert_allclose(run.probabilities[2], [1 / 2, 1 / 4, 1 / 4], rtol=1e-15)
    assert run.expert_losses.tolist() == [[0, 0, 1], [0, 1, 0], [1, 1, 1], [1, 1, 0]]
    assert run.cumulative_expert_losses.tolist() == [
        [0, 0, 0],
        [0, 0, 1],
        [0, 1, 1],
        [1, 2, 2],
        [2, 3, 2],
    ]
    assert (run.best_expert, run.best_loss, run.total_loss, run.regret) == (0, 2, 2, 0)
    np.testing.assert_allclose(run.expected_losses, [1 / 3, 1 / 2.5, 1, 0.75], rtol=1e-15)
    assert len(run) == 4 and repr(run) == "<Run of WeightedMajority: 4 trials, 2 mistakes>"


@given(ADVICE)
def test_shapes_and_counts_fit_for_every_stream(stream):
    x, y = stream
    T, n = x.shape
    run = play(WeightedMajority(n), x, y)
    assert run.X.shape == (
        T,
        n,
    ) and run.predictions.shape == run.losses.shape == run.mistake.shape == run.y.shape == (T,)
    assert run.weights.shape == run.log_weights.shape == run.probabilities.shape == (T + 1, n)
    assert run.expert_losses.shape == (T, n) and run.cumulative_expert_losses.shape == (T + 1, n)
    assert (
        run.mistakes_before.shape == (T + 1,)
        and run.mistakes_before[-1] == run.mistakes == (run.predictions != y).sum()
    )
    wrong = [(x[:, i] != y).sum() for i in range(n)]
    assert run.best_loss == min(wrong) and run.best_expert == wrong.index(min(wrong))


def test_allocation_game_has_losses_for_labels():
    L = np.array([[0.0, 1.0], [0.5, 0.5]])
    run = play(Hedge(2, eta=1), L)
    assert run.X is None and run.y.tolist() == run.expert_losses.tolist() == L.tolist()
    assert run.predictions.shape == (
        2,
        2,
    ) and run.losses.tolist() == run.expected_losses.tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="Hedge pays a allocation loss: read run.losses"):
        run.mistake  # noqa: B018
    assert repr(run) == "<Run of Hedge: 2 trials, loss 1>"


@pytest.mark.parametrize(
    "name",
    [
        "X",
        "y",
        "predictions",
        "losses",
        "mistake",
        "weights",
        "log_weights",
        "probabilities",
        "mistakes_before",
        "expert_losses",
        "cumulative_expert_losses",
        "expected_losses",
    ],
)
def test_every_array_of_a_run_is_read_only(name):
    run = play(WeightedMajority(3), X, Y)
    with pytest.raises(ValueError, match="read-only"):
        getattr(run, name)[0] = 0


def test_run_is_immutable_and_keeps_its_own_data():
    x, y = X.copy(), Y.copy()
    run = play(WeightedMajority(3), x, y)
    for name in ("X", "y", "predictions", "losses", "weights", "mistakes"):
        with pytest.raises((FrozenInstanceError, AttributeError)):
            setattr(run, name, 0)
    x[:], y[:] = 1, 1
    assert (run.X == X).all() and (run.y == Y).all() and run.mistakes == 2


# What a learner may be ----------------------------------------------------------------------------


def test_two_methods_make_a_learner():
    run = play(Copycat(), X, Y)
    assert (
        run.predictions.tolist() == [1, 0, 1, 0]
        and run.mistakes == 2
        and run.weights is None
        and run.log_weights is None
    )
    assert run.best_loss == 2 and run.regret == 0
    with pytest.raises(ValueError, match="Copycat has no weights >= 0 in an attribute w"):
        run.probabilities  # noqa: B018


def test_weights_in_w_are_recorded_even_if_changed_in_place():
    run = play(Tally(), X, Y)
    assert run.weights.tolist() == [
        [1, 1, 1],
        [1, 1, 0.5],
        [1, 0.5, 0.5],
        [0.5, 0.25, 0.25],
        [0.25, 0.125, 0.25],
    ]
    np.testing.assert_array_equal(run.log_weights, np.log(run.weights))


def test_predictions_are_recorded_even_if_changed_in_place():
    run = play(Spread(), np.array([[0.0, 1.0], [1.0, 0.0]]))
    p = np.e / (1 + np.e)
    np.testing.assert_allclose(run.predictions, [[0.5, 0.5], [p, 1 - p]], rtol=1e-15)
    np.testing.assert_allclose(run.losses, [0.5, p], rtol=1e-15)


def test_negative_weights_are_recorded_but_have_no_logarithm():
    learner = Tally()
    learner.w -= 3
    run = play(learner, X, Y)
    assert run.weights[0].tolist() == [-2, -2, -2] and run.log_weights is None


def test_learner_can_not_change_the_stream():
    class Vandal(Copycat):
        def predict(self, x):
            x[0] = 1
            return 1

    with pytest.raises(ValueError, match="read-only"):
        play(Vandal(), X, Y)


def test_learner_is_updated_in_place_and_sees_the_label_after_predicting():
    heard = []

    class Witness(Copycat):
        def predict(self, x):
            heard.append(("x", x.tolist()))
            return 0

        def update(self, x, y):
            heard.append(("y", int(y)))

    play(Witness(), X[:2], Y[:2])
    assert heard == [("x", [1, 1, 0]), ("y", 1), ("x", [0, 1, 0]), ("y", 0)]


def test_a_run_stays_as_it_was_when_its_learner_is_played_on():
    """Also by a learner that writes into its arrays, and one that can't be copied."""

    class InPlace(Copycat):
        w = records = None

        def __init__(self):
            self.w, self.seen, self.records = np.zeros(3), [], ("w",)

        def update(self, x, y):
            self.w += x
            self.seen.append(y)

    learner = InPlace()
    first = play(learner, X, Y)
    state, recorded = (learner.w.copy(), [*learner.seen]), first.weights.copy()
    second = play(learner, X, Y)
    assert second.learner.seen == 2 * state[1] and learner.w.tolist() == (2 * state[0]).tolist()
    np.testing.assert_array_equal(first.learner.w, state[0])
    np.testing.assert_array_equal(first.weights, recorded)
    np.testing.assert_array_equal(first.records["w"], recorded)
    assert first.learner.seen == state[1] and second.learner is not learner

    hedge, losses = Hedge(3, eta=0.5), np.random.default_rng(0).random((99, 3))
    run, totals = play(hedge, losses), play_chunks(hedge, [losses, losses])
    told, L = repr(proofs.hedge_bound(run)), totals.learner.L.copy()
    hedge.eta = 9.0
    play(hedge, losses)
    assert repr(proofs.hedge_bound(run)) == told and totals.learner.L.tolist() == L.tolist()

    stuck = InPlace()
    stuck.source = (i for i in range(3))  # a generator can't be copied
    assert play(stuck, X, Y).learner is stuck


def test_nature_can_not_write_into_what_the_run_keeps():
    def greedy(v):
        v[0] = 9
        return np.zeros(3)

    run = play(Hedge(3, eta=1), nature=greedy, trials=2)
    np.testing.assert_allclose(run.predictions, 1 / 3)


@pytest.mark.parametrize(("returned", "shown"), [(None, "None"), ([1], "[1]"), ("1", "'1'")])
def test_prediction_that_is_no_number_names_the_trial(returned, shown):
    class Odd(Copycat):
        def predict(self, x):
            return 0 if x[0] else returned

    with pytest.raises(
        ValueError, match=re.escape(f"must return a finite number; on trial 2 it returned {shown}")
    ):
        play(Odd(), X, Y)


@pytest.mark.parametrize("wrap", [bool, float, np.bool_, np.int8, np.array])
def test_predictions_of_any_number_type_count(wrap):
    class Typed(Copycat):
        def predict(self, x):
            return wrap(x[0])

    assert play(Typed(), X, Y).mistake.tolist() == [False, False, True, True]


def test_streams_may_be_lists_or_bool():
    expected = play(WeightedMajority(3), X, Y)
    for run in (
        play(WeightedMajority(3), X.tolist(), Y.tolist()),
        play(WeightedMajority(3), X == 1, Y == 1),
        play(WeightedMajority(3), X.astype(np.uint8), Y.astype(float)),
    ):
        assert (run.predictions == expected.predictions).all() and (
            run.weights == expected.weights
        ).all()


# Bad input ----------------------------------------------------------------------------------------


def refuses(message, call):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)


def changed(a, index, value):
    a = np.array(a, float)
    a[index] = value
    return a


@pytest.mark.parametrize("learner", [Halving, WeightedMajority, RandomizedWeightedMajority])
@pytest.mark.parametrize(
    ("row", "value", "shown"),
    [(1, 2, "2.0"), (2, 0.5, "0.5"), (3, np.nan, "nan"), (0, np.inf, "inf")],
)
def test_bits_are_required_by_halving_and_weighted_majority(learner, row, value, shown):
    refuses(
        f"every entry of X must be 0 or 1; X[{row}, 1] is {shown}",
        lambda: play(learner(3), changed(X, (row, 1), value), Y),
    )
    refuses(
        f"every entry of y must be 0 or 1; y[{row}] is {shown}",
        lambda: play(learner(3), X, changed(Y, row, value)),
    )


@pytest.mark.parametrize("loss", ["square", "entropic"])
@pytest.mark.parametrize(
    ("row", "value", "shown"),
    [(1, 1.1, "1.1"), (2, -1e-9, "-1e-09"), (3, np.nan, "nan"), (0, np.inf, "inf")],
)
def test_probabilities_are_required_by_weighted_average(loss, row, value, shown):
    refuses(
        f"every entry of X must be a number in [0, 1]; X[{row}, 2] is {shown}",
        lambda: play(WeightedAverage(3, loss=loss), changed(X, (row, 2), value), Y),
    )
    refuses(
        f"every entry of y must be a number in [0, 1]; y[{row}] is {shown}",
        lambda: play(WeightedAverage(3, loss=loss), X, changed(Y, row, value)),
    )


@pytest.mark.parametrize(("value", "shown"), [(-0.1, "-0.1"), (np.nan, "nan"), (np.inf, "inf")])
def test_finite_losses_are_required_by_hedge(value, shown):
    refuses(
        f"every entry of L must be a finite number >= 0; L[2, 0] is {shown}",
        lambda: play(Hedge(3, eta=1), changed(X, (2, 0), value)),
    )


def test_nan_is_refused_for_a_students_learner_too():
    refuses(
        "every entry of X must be a finite number; X[1, 0] is nan",
        lambda: play(Copycat(), changed(X, (1, 0), np.nan), Y),
    )
    refuses(
        "every entry of y must be a finite number; y[3] is inf",
        lambda: play(Copycat(), X, changed(Y, 3, np.inf)),
    )


LARGE = [
    lambda: Perceptron(2),
    lambda: VotedPerceptron(2),
    lambda: AveragedPerceptron(2),
    lambda: OnlineGradientDescent(2),
    lambda: OnlineGradientDescent(2, 1e200),
    lambda: OnlineGradientDescent(2, 1e200, exact=True),
    lambda: Started(1e30),
    lambda: Started(1e300),
    lambda: Adds(8, 1.0),
    lambda: Adds(8, 1e308),
]


class Adds(Perceptron):
    """Adds eta y x on each trial: its weights grow as much as those of any learner."""

    def __init__(self, n, eta):
        super().__init__(n)
        self.eta = eta

    def update(self, x, y):
        self.w = self.w + self.eta * y * x


class Started(Perceptron):
    """A Perceptron that starts with large weights."""

    def __init__(self, w):
        super().__init__(2)
        self.w = np.array([w, -w])


@pytest.mark.parametrize("make", LARGE)
@pytest.mark.parametrize("quick", [True, False])
def test_what_is_accepted_does_not_overflow(make, quick):
    """Entries as large as the limit, with the signs that let w grow on each trial."""
    trials, epochs, rng, learner = 40, 3, np.random.default_rng(0), make()
    limit = checks.largest_input(learner, learner.n, trials * epochs)
    x = limit * rng.choice([-1, 1, 0.5], (trials, learner.n))
    y = rng.choice([-1, 1], trials)
    if isinstance(learner, Adds):
        x[:], y[:] = limit, 1
        y[-1] = -1
    with np.errstate(over="raise", invalid="raise"):
        run = play(learner, x, y, epochs=epochs, fast=quick)
    for a in (run.weights, run.predictions, run.losses):
        assert np.isfinite(a).all()
    assert run.losses.any()


@pytest.mark.parametrize("make", LARGE)
def test_data_that_could_overflow_are_refused(make):
    n = make().n
    limit = checks.largest_input(make(), n, 4 * 5)
    x, y = np.full((4, n), limit / 10), np.array([1, -1, 1, 1])
    for value in (1.01 * limit, -1.01 * limit):
        x[2, 1] = value
        refuses(
            f"every entry of X must be a finite number, at most {limit:.3g} in size; "
            f"X[2, 1] is {value!r} (with larger ones the numbers of this play could overflow)",
            lambda: play(make(), x, y, epochs=5),
        )
        assert len(play(make(), x / 2, y, epochs=5)) == 20


def test_the_limit_leaves_room_for_what_is_in_use():
    rows = [[1e150, -1e150], [-1e150, 5e-324], [-0.0, 1e-310]]
    assert play(Perceptron(2), rows, [1, -1, 1]).mistakes > 0
    assert checks.largest_input(Perceptron(1000), 1000, 10**9) > 1e147
    for value, shown in ((1e170, "1e+170"), (-np.finfo(float).max, "-1.7976931348623157e+308")):
        stream = changed(X, (1, 0), value), Y
        refuses(f"X[1, 0] is {shown}", partial(play, Copycat(), *stream))
        refuses(f"X[1, 0] is {shown}", partial(play_many, lambda i: Copycat(), [stream]))
    started = Started(1e295)
    refuses(f"X[0, 0] is {2**60}", lambda: play(started, [[2**60, 0]], [1]))  # whole, and too large
    assert play(started, [[2**30, 0]], [1]).mistakes == 0


@pytest.mark.parametrize("strange", [None, "w", [1, [2]], np.array([np.inf, np.nan]), {}])
def test_a_student_may_keep_anything_in_the_names_that_the_limit_reads(strange):
    learner = Copycat()
    learner.eta = learner.L = strange
    assert play(learner, X, Y).mistakes == 2
    spread = Spread()
    spread.eta = spread.L = strange
    assert len(play(spread, X[:, :2])) == 4


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize(
    ("eta", "start"), [(1, 0), (1e-5, 1e307), (1, 9e307), (1e9, 0), (1e9, 9e298)]
)
def test_losses_stay_finite(eta, start, quick):
    def hedge():
        learner = Hedge(3, eta=eta)
        learner.L += start
        return learner

    limit, losses = checks.largest_loss(hedge(), 3, 8), np.ones((4, 3))
    with np.errstate(over="raise", invalid="raise"):
        run = play(hedge(), losses * limit, epochs=2, fast=quick)
        for a in (run.learner.L * eta, run.log_weights, run.cumulative_expert_losses):
            assert np.isfinite(a).all()
    assert np.isfinite(run.total_loss) and run.total_loss > 0
    refuses(
        f"every entry of L must be a finite number >= 0, at most {limit:.3g}; L[3, 1] is ",
        lambda: play(hedge(), changed(losses, (3, 1), limit * 1.01), epochs=2, fast=quick),
    )


def test_small_floats_and_whole_numbers_as_losses_add_up():
    for kind in (np.float16, np.uint8):
        losses = np.full((3000, 2), 200, kind)
        for rng in (0, None):
            run = play(Hedge(2, eta=1, rng=rng), losses)
            assert run.total_loss == run.best_loss == run.cumulative_expert_losses[-1, 0] == 600_000


@pytest.mark.parametrize(
    ("kernel", "shown"),
    [
        (lambda A, x: A @ x * 1e300, "inf"),
        (lambda A, x: A @ x * np.nan, "nan"),
        (lambda A, x: A @ x + 1e308, "1e+308"),
    ],
)
def test_a_kernel_that_overflows_is_named(kernel, shown):
    x, y = np.full((4, 2), 1e5), np.array([1, -1, 1, -1])
    with np.errstate(over="ignore"):
        refuses(
            f"kernels K(x_j, x) must not overflow; the largest in size is {shown}",
            lambda: play(KernelPerceptron(kernel), x, y),
        )


def test_a_kernel_may_return_the_ends_of_int64():
    run = play(KernelPerceptron(lambda A, x: np.full(len(A), -(2**63))), [[1], [2], [3]], [1, 1, 1])
    assert run.predictions.tolist() == [0, -1, -1]


def test_other_alphabet_is_recognised():
    refuses(
        "every entry of y must be 0 or 1; y[1] is -1 (these look like -1/+1 labels: pass (y + 1)"
        " // 2)",
        lambda: play(Halving(3), X, 2 * Y - 1),
    )

    class Signed(Copycat):
        labels = "signs"

    refuses(
        "every entry of y must be -1 or +1; y[1] is 0 (these look like 0/1 labels: pass 2*y - 1)",
        lambda: play(Signed(), X, Y),
    )
    assert play(Signed(), X, 2 * Y - 1).mistakes == 3
    refuses("y[1] is False", lambda: play(Signed(), X, Y == 1))


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (X, Y[:3], "X and y must have one row per trial each; X has 4 rows, y has 3"),
        (X[:2], Y, "X and y must have one row per trial each; X has 2 rows, y has 4"),
        (X[:0], Y[:0], "X is empty: a stream needs at least one trial"),
        (X, Y[:0], "y is empty: a stream needs at least one trial"),
        ([], [], "X must have 2 dimensions; its shape is (0,)"),
        (X[:, 0], Y, "X must have 2 dimensions; its shape is (4,)"),
        (np.array(1.0), Y, "X must have 2 dimensions; its shape is ()"),
        (X[None], Y, "X must have 2 dimensions; its shape is (1, 4, 3)"),
        (X, Y[:, None], "y must have 1 dimension; its shape is (4, 1)"),
        (X, 1, "y must have 1 dimension; its shape is ()"),
        (X[:, :2], Y, "X must have n = 3 columns, one per expert or feature; it has 2"),
        (X.astype(str), Y, "X must hold numbers; its dtype is <U21"),
        (X.astype(object), Y, "X must hold numbers; its dtype is object"),
        (X + 0j, Y, "X must hold numbers; its dtype is complex128"),
        (X, ["0", "1", "1", "1"], "y must hold numbers; its dtype is <U1"),
        (X, [0, None, 1, 1], "y must hold numbers; its dtype is object"),
        (X, None, "y is missing: Halving learns from labels, call play(learner, X, y)"),
    ],
)
def test_streams_of_the_wrong_form(x, y, message):
    refuses(message, lambda: play(Halving(3), x, y))


@pytest.mark.parametrize(
    ("L", "message"),
    [
        (X[0], "L must have 2 dimensions; its shape is (3,)"),
        (1.0, "L must have 2 dimensions; its shape is ()"),
        (X[None], "L must have 2 dimensions; its shape is (1, 4, 3)"),
        (X[:0], "L is empty: a stream needs at least one trial"),
        (X[:, :2], "L must have n = 3 columns, one per expert or feature; it has 2"),
        (X.astype(object), "L must hold numbers; its dtype is object"),
    ],
)
def test_losses_of_the_wrong_form(L, message):
    refuses(message, lambda: play(Hedge(3, eta=1), L))


def test_hedge_takes_no_labels():
    refuses(
        "Hedge learns from losses alone: call play(learner, L) without y",
        lambda: play(Hedge(3, eta=1), X, Y),
    )


@pytest.mark.parametrize(
    "make",
    [
        Halving,
        WeightedMajority,
        RandomizedWeightedMajority,
        WeightedAverage,
        lambda n: Hedge(n, eta=1),
    ],
)
@pytest.mark.parametrize("n", [0, -1, 2.5, np.nan, np.inf, "3", None, True, [3], 1j])
def test_n_is_a_whole_number(make, n):
    refuses(f"n must be a whole number >= 1; got {n!r}", lambda: make(n))
    assert make(np.int64(3)).n == make(3.0).n == 3


@pytest.mark.parametrize("make", [WeightedMajority, RandomizedWeightedMajority])
@pytest.mark.parametrize("beta", [1, 1.5, -0.1, np.nan, np.inf, "0.5", None, [0.5]])
def test_beta_is_in_0_1(make, beta):
    refuses(f"beta must be in [0, 1); got {beta}", lambda: make(3, beta=beta))


@pytest.mark.parametrize("make", [WeightedAverage, Hedge])
@pytest.mark.parametrize("eta", [0, -1, np.nan, np.inf, "1", [1.0]])
def test_eta_is_positive(make, eta):
    refuses(f"eta must be a finite number > 0; got {eta}", lambda: make(3, eta=eta))


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ([0.5, 0.6], "prior must be 2 probabilities that sum to 1; its shape is (2,), its sum 1.1"),
        ([0.5, 0.5 + 1e-6], "prior must be 2 probabilities that sum to 1"),
        ([1.0], "prior must be 2 probabilities that sum to 1; its shape is (1,), its sum 1"),
        ([1.5, -0.5], "every entry of prior must be a number in [0, 1]; prior[0] is 1.5"),
        ([0.5, np.nan], "every entry of prior must be a number in [0, 1]; prior[1] is nan"),
        (["a", "b"], "prior must hold numbers; its dtype is <U1"),
    ],
)
def test_prior_is_a_distribution(prior, message):
    refuses(message, lambda: WeightedAverage(2, prior=prior))


@pytest.mark.parametrize(
    ("loss", "prediction"), [("absolute", "mean"), ("square", "median"), ("entropic", "vovk")]
)
def test_loss_and_prediction_are_known(loss, prediction):
    refuses(
        f"got {loss} and {prediction}", lambda: WeightedAverage(2, loss=loss, prediction=prediction)
    )


@given(arrays(float, (4, 3), elements=st.floats(0, 1)), arrays(float, 4, elements=st.floats(0, 1)))
def test_nothing_is_clipped(x, y):
    """The numbers in a Run are exactly those that were given."""
    run = play(WeightedAverage(3), x, y)
    assert (run.X == x).all() and (run.y == y).all()
    np.testing.assert_array_equal(run.losses, (y - run.predictions) ** 2)


def test_every_algorithm_of_the_course_is_a_learner():
    for name in learners.__all__:
        assert issubclass(getattr(learners, name), Learner), name
    assert isinstance(Copycat(), Learner) and not isinstance(object(), Learner)


def test_what_is_no_learner_is_told_so():
    class Silent:
        def update(self, x, y):
            pass

    with pytest.raises(TypeError, match=r"Silent has no predict \(as_learner"):
        play(Silent(), X, Y)
    with pytest.raises(TypeError, match=r"object has no predict and no update \(as_learner"):
        play(object(), X, Y)


def test_traits_have_their_defaults_in_one_place():
    traits = {name: checks.trait(Copycat(), name) for name in checks.TRAITS}
    assert traits == {
        "inputs": "real",
        "labels": "real",
        "loss": "mistake",
        "n": None,
        "w": None,
        "log_w": None,
        "records": (),
    }
    hedge = Hedge(2, eta=1)
    said = [checks.trait(hedge, name) for name in ("labels", "loss", "n")]
    assert said == ["losses", "allocation", 2]
    with pytest.raises(KeyError):
        checks.trait(Copycat(), "beta")
    package = Path(protocol.__file__).parent
    stray = re.compile(r"getattr\([\w.]+, ['\"](inputs|labels|loss|n|w|log_w)['\"],")
    files = [(str(file), file.read_text(encoding="utf-8")) for file in package.rglob("*.py")]
    assert len(files) > 50 and [name for name, text in files if stray.search(text)] == []


def test_type_checkers_find_the_types_of_an_installed_package():
    package = Path(protocol.__file__).parent
    settings = tomllib.loads(
        (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    )
    assert "py.typed" in settings["tool"]["setuptools"]["package-data"]["olc_helpers"]
    assert (package / "py.typed").is_file()


@pytest.mark.parametrize("module", CORE)
def test_every_public_function_of_the_core_says_its_types(module):
    named = vars(import_module(f"olc_helpers.{module}")).items()
    mine = {
        name: a
        for name, a in named
        if name[0] != "_" and getattr(a, "__module__", "") == f"olc_helpers.{module}"
    }
    for name, a in list(mine.items()):
        if isclass(a):
            mine |= {f"{name}.{m}": getattr(a, m) for m in vars(a) if m[0] != "_"}
    functions = {
        name: unwrap(a)
        for name, a in mine.items()
        if (isfunction(a) or ismethod(a)) and a.__module__ == f"olc_helpers.{module}"
    }
    assert functions
    for name, function in functions.items():
        signed = signature(function)
        named = [
            p
            for p in signed.parameters.values()
            if p.name not in ("self", "args", "kwargs", "options", "controls", "style")
        ]
        untyped = [p.name for p in named if p.annotation is p.empty]
        assert untyped == [] and signed.return_annotation is not signed.empty, f"{module}.{name}"


class Late(Copycat):
    """Has weights from the k-th update on."""

    def __init__(self, k):
        self.w, self.k = None, k

    def update(self, x, y):
        self.k -= 1
        if self.k <= 0:
            self.w = x + 1.0


@pytest.mark.parametrize(
    ("keep", "rows"), [("all", [0, 1, 2, 3, 4]), ("mistakes", [0, 3, 4]), ("last", [4])]
)
def test_weights_that_come_with_the_first_update_start_at_0(keep, rows):
    run = play(Late(1), X, Y, keep=keep)
    assert run.weights.tolist() == np.vstack([np.zeros(3), X + 1.0])[rows].tolist()
    assert np.array_equal(play(Late(1), X, Y, epochs=2).weights[5:], X + 1.0)


@pytest.mark.parametrize("keep", ["all", "mistakes"])
def test_weights_that_come_later_or_never_are_not_recorded(keep):
    assert play(Late(2), X, Y, keep=keep).weights is None
    assert play(Late(9), X, Y, keep=keep).weights is None
    assert play(Late(9), X, Y, keep="last").weights is None


# Nature that watches ------------------------------------------------------------------------------

SIGNS = 2 * Y - 1
# Two labels, as numbers or as pairs, with one weight for each of them and each column.
TASK = Listed(6, lambda x, y: np.kron(np.eye(2)[y], x), lambda x: (0, 1))
PAIRS = Listed(6, lambda x, y: np.kron(y, x), lambda x: [(0, 1), (1, 0)])
GAMES = {
    "Copycat": (Copycat, Y),
    "Tally": (Tally, Y),
    "Halving": (partial(Halving, 3), Y),
    "WeightedMajority": (partial(WeightedMajority, 3), Y),
    "RandomizedWeightedMajority": (partial(RandomizedWeightedMajority, 3, rng=1), Y),
    "WeightedAverage": (partial(WeightedAverage, 3), Y / 2),
    "Perceptron": (partial(Perceptron, 3), SIGNS),
    "OnlineGradientDescent": (partial(OnlineGradientDescent, 3), SIGNS),
    "Winnow": (partial(Winnow, 3), Y),
    "StructuredPerceptron": (partial(StructuredPerceptron, TASK), Y.tolist()),
    "StructuredPerceptron, pairs": (
        partial(StructuredPerceptron, PAIRS),
        [(1, 0) if label else (0, 1) for label in Y],
    ),
    "KernelPerceptron": (partial(KernelPerceptron, np.dot), SIGNS),
}


def stored(y):
    """Nature that knows its labels in advance, for any number of passes."""
    answers = iter([label for _ in range(3) for label in y])
    return lambda x, prediction: next(answers)


def assert_same_run(a, b):
    for name in ("X", "y", "predictions", "losses", "weights", "recorded_log_weights"):
        one, two = getattr(a, name), getattr(b, name)
        assert (one is None) == (two is None), name
        if one is not None:
            assert one.dtype == two.dtype, name
            np.testing.assert_array_equal([*one], [*two], err_msg=name)
    assert (a.keep, a.period) == (b.keep, b.period)


@pytest.mark.parametrize("keep", ["all", "mistakes", "last"])
@pytest.mark.parametrize("game", GAMES)
def test_nature_that_returns_stored_labels_gives_the_same_run(game, keep):
    make, y = GAMES[game]
    if keep == "mistakes" and checks.trait(make(), "loss") != "mistake":
        with pytest.raises(ValueError, match="is for learners that predict a label"):
            play(make(), X, stored(y), keep=keep)
        return
    for epochs in (1, 3):
        watched = play(make(), X, stored(y), keep=keep, epochs=epochs)
        assert_same_run(watched, play(make(), X, y, keep=keep, epochs=epochs))


@given(ADVICE, st.sampled_from([bool, np.int8, np.uint8, int, np.float32, float]))
def test_stored_labels_give_the_same_run_in_every_type(stream, dtype):
    x, y = stream
    n = x.shape[1]
    signs, y = (2 * y - 1).astype(dtype), y.astype(dtype)
    for make in (WeightedMajority, Winnow, WeightedAverage):
        assert_same_run(play(make(n), x, stored(y)), play(make(n), x, y))
    if np.dtype(dtype).kind in "if":
        y = signs
        assert_same_run(play(Perceptron(n), x, stored(y)), play(Perceptron(n), x, y))


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float32, float])
def test_the_learner_is_given_the_label_in_the_type_of_a_stored_one(dtype):
    class Types(Copycat):
        labels = "signs"

        def __init__(self):
            self.types = []

        def update(self, x, y):
            self.types.append(type(y))

    y = SIGNS.astype(dtype)
    types = [play(Types(), X, labels).learner.types for labels in (y, stored(y))]
    # -1 times -128 is no int8.
    assert types[0] == types[1] and types[0][0] in (np.int64, np.float64)


@given(ADVICE)
def test_nature_sees_the_row_and_the_prediction_before_the_update(stream):
    seen = []

    class Watched(WeightedMajority):
        def update(self, x, y):
            seen.append("update")
            super().update(x, y)

    def nature(x, prediction):
        seen.append((x.tolist(), prediction))
        return 1 - prediction

    run = play(Watched(stream[0].shape[1]), stream[0], nature)
    assert run.mistake.all() and (run.y == 1 - run.predictions).all()
    assert seen[0::2] == list(zip(stream[0].tolist(), run.predictions.tolist(), strict=True))
    assert set(seen[1::2]) == {"update"}


def test_nature_plays_on_until_a_pass_is_clean():
    answers = [1, 1, 0, 0] + [0, 1, 0, 0] + [0, 0, 0, 0]
    given = iter(answers)
    run = play(
        Copycat(),
        np.zeros((4, 1)),
        lambda x, prediction: next(given),
        epochs=5,
        until_consistent=True,
    )
    assert run.y.tolist() == answers and run.mistakes_per_pass.tolist() == [2, 1, 0]


def test_nature_is_never_played_by_a_shortcut():
    def nature(x, prediction):
        return 1 if prediction <= 0 else -1

    assert play(Perceptron(2), np.ones((500, 2)), nature, fast=True).mistakes == 500


def test_losses_may_react_to_the_allocation():
    """Nature gives all loss to the heaviest expert: the same as playing these losses again."""

    def nature(v):
        return np.eye(3)[v.argmax()]

    run = play(Hedge(3, eta=0.5), nature=nature, trials=20)
    assert_same_run(run, play(Hedge(3, eta=0.5), run.y, fast=False))
    assert run.losses.min() >= 1 / 3 and run.X is None and run.y.shape == (20, 3)
    last = play(Hedge(3, eta=0.5), nature=nature, trials=20, keep="last")
    assert last.predictions is None and last.total_loss == run.total_loss
    both = play(Hedge(3, eta=0.5), nature=nature, trials=10, epochs=2)
    np.testing.assert_array_equal(both.y, run.y)
    signs = play(Perceptron(3), X, nature=lambda x, p: 1 if p <= 0 else -1)
    assert_same_run(signs, play(Perceptron(3), X, lambda x, p: 1 if p <= 0 else -1))


@pytest.mark.parametrize(("keep", "kept"), [("all", range(9)), ("last", [8])])
def test_a_run_records_what_the_learner_names(keep, kept):
    class Rated(Hedge):
        records = ("eta",)

        def update(self, x, losses):
            super().update(x, losses)
            self.eta = self.eta / 2

    run = play(Rated(3, eta=1.0), np.ones((4, 3)), keep=keep, epochs=2)
    assert run.records["eta"].tolist() == [0.5**t for t in kept]
    assert play(Hedge(3, eta=1), np.ones((99, 3))).records == {}
    again = play(AdaHedge(3), np.eye(3)[np.arange(99) % 3])
    assert again.records["eta"][0] == np.inf and again.records["eta"][-1] == again.learner.eta


def test_what_is_recorded_takes_no_shortcut():
    class Rated(Perceptron):
        records = ("n",)

    x, y = np.ones((99, 2)), np.ones(99)
    assert play(Rated(2), x, y).records["n"].tolist() == 100 * [2]


@pytest.mark.parametrize(
    ("learner", "shown"),
    [
        (Hedge(3, eta=0.5, rng=1), "Hedge(n=3, eta=0.5)"),
        (Winnow(9, strict=True), "Winnow(n=9, factor=2.0, strict=True)"),
        (WeightedAverage(2), "WeightedAverage(n=2, eta=0.5, loss='square', prediction='mean')"),
    ],
)
def test_a_learner_says_how_it_is_made(learner, shown):
    assert repr(learner) == shown


def test_many_plays_against_nature():
    opposite = (X, lambda x, prediction: 1 - prediction)
    runs = play_many(lambda i: Winnow(3), [opposite] * 40)
    assert [run.mistakes for run in runs] == [4] * 40


@pytest.mark.parametrize(
    "bad", [2, -1, 0.5, np.nan, None, "1", [1], np.ones(1), [[1], [1, 2]], 10**400]
)
def test_a_label_that_nature_may_not_give_is_refused_with_its_trial(bad):
    answers = iter([0, 1, bad])
    told = "nature must answer 0 or 1; on trial 3 it answered " + re.escape(repr(bad))
    with pytest.raises(ValueError, match=told):
        play(Halving(3), X, lambda x, prediction: next(answers))


def test_nature_speaks_the_language_of_the_learner():
    with pytest.raises(ValueError, match=r"nature must answer -1 or \+1; on trial 1 it answered 0"):
        play(Perceptron(3), X, lambda x, prediction: 0)
    with pytest.raises(ValueError, match="answer a finite number; on trial 1 it answered inf"):
        play(Copycat(), X, lambda x, prediction: np.inf)
    with pytest.raises(ValueError, match="Hedge learns from losses alone"):
        play(Hedge(3, eta=1), X, lambda x, prediction: 0)
    assert play(Halving(3), X, lambda x, prediction: np.array(1)).y.tolist() == [1, 1, 1, 1]


def test_examples_in_the_docstrings():
    for module, least in ((protocol, 5), (checks, 1), (chunks, 4)):
        results = [DocTestRunner().run(test) for test in DocTestFinder().find(module)]
        assert sum(r.attempted for r in results) >= least and sum(r.failed for r in results) == 0


# Losses -------------------------------------------------------------------------------------------


def test_entropic_loss_at_the_ends():
    loss = protocol.entropic_loss
    assert loss(0, 0) == loss(1, 1) == loss(0.5, 0.5) == 0
    assert loss(1, 0) == loss(0, 1) == loss(0.5, 0) == loss(0.5, 1) == np.inf
    np.testing.assert_allclose(
        [loss(1, 0.25), loss(0, 0.25), loss(0.5, 0.25)],
        [np.log(4), np.log(4 / 3), 0.5 * np.log(2) + 0.5 * np.log(2 / 3)],
        rtol=1e-15,
    )


# Progress -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("long", "progress", "shown"),
    [(4, None, True), (5, None, False), (5, True, True), (4, False, False)],
)
def test_progress_bar_on_long_plays(monkeypatch, long, progress, shown):
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

    monkeypatch.setattr(protocol, "LONG_PLAY", long)
    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    assert play(Copycat(), X, Y, progress=progress).mistakes == 2
    assert bars == ([[4, 4, "closed"]] if shown else [])


def test_bar_is_off_for_the_plays_of_a_lecture(capsys):
    assert protocol.LONG_PLAY >= 10_000
    play(Copycat(), X, Y)
    assert capsys.readouterr() == ("", "")
    play(Copycat(), X, Y, progress=True)
    assert "4/4" in re.sub(r"\.0\d*", "", capsys.readouterr().err)
