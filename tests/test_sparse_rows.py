"""Rows of which only some numbers are stored, as in scipy.sparse: the same plays as with all of
them, in memory of the order of what is stored.
"""

import subprocess
import sys

import numpy as np
import pytest
from test_fast import peak, same_state

from olc_helpers import (
    AveragedPerceptron,
    Halving,
    Hedge,
    NormPerceptron,
    OnlineGradientDescent,
    Perceptron,
    VotedPerceptron,
    WeightedAverage,
    WeightedMajority,
    Winnow,
    compiled,
    fast,
    margin,
    max_margin,
    play,
    play_chunks,
    play_many,
    proofs,
)

sparse = pytest.importorskip("scipy.sparse", reason="who has sparse rows has scipy")
UNITS = [1, 0.1, 1 / 3, 1e-160]
SIGNED = {
    "Perceptron": Perceptron,
    "averaged": AveragedPerceptron,
    "voted": VotedPerceptron,
    "gradient descent": OnlineGradientDescent,
    "gradient descent, 1/3": lambda n: OnlineGradientDescent(n, 1 / 3),
}


@pytest.fixture(params=["loop", "kernel"], autouse=True)
def small_parts(request, monkeypatch):
    """Parts of a few trials, played by loops or by kernels."""
    monkeypatch.setattr(fast, "CHUNK", 100)
    if request.param == "kernel":
        pytest.importorskip("numba", reason="the compiled loops are an optional extra")
        monkeypatch.setattr(compiled, "LONG", 0)
    else:
        monkeypatch.setattr(compiled, "_numba", lambda: None)


def reals(seed, unit=1.0, T=150, n=30):
    """Return many zeros among whole numbers times a unit, so that ties are common, and labels."""
    rng = np.random.default_rng([seed, T])
    return (rng.random((T, n)) < 0.2) * rng.integers(-3, 4, (T, n)) * unit, rng.choice([-1, 1], T)


def bits(seed, T=150, n=30):
    rng = np.random.default_rng([seed, T])
    return (rng.random((T, n)) < 0.3) * 1, rng.integers(0, 2, T)


def same(make, X, y, keep="all"):
    """The plain loop on all numbers and a play of sparse rows: predictions, weights and learners;
    predictions that are scores may differ by rounding.
    """
    one = play(make(X.shape[1]), X, y, epochs=2, keep=keep, fast=False)
    other = play(make(X.shape[1]), sparse.csr_array(X), y, epochs=2, keep=keep)
    np.testing.assert_allclose(other.predictions, one.predictions, rtol=1e-12, atol=1e-13)
    if one.predictions.dtype.kind != "f":
        np.testing.assert_array_equal(other.predictions, one.predictions)
    np.testing.assert_array_equal(other.weights, one.weights)
    np.testing.assert_array_equal(other.X.toarray(), one.X)
    same_state(other.learner, one.learner)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("name", SIGNED)
def test_learners_that_add(name, unit):
    for seed in range(4):
        same(SIGNED[name], *reals(seed, unit))


@pytest.mark.parametrize("keep", ["mistakes", "last"])
def test_keep(keep):
    for make in (Perceptron, VotedPerceptron, AveragedPerceptron):
        same(make, *reals(5), keep)
    same(Winnow, *bits(5), keep)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("factor", [2, 4, 1.5, 3, 1.0001, 1e200])
def test_winnow(factor, strict):
    for seed in range(3):
        same(lambda n: Winnow(n, factor, strict), *bits(seed))


def test_winnow_at_ties():
    """Sums of weights that are exactly n, and weights nearly lost."""
    rng = np.random.default_rng(0)
    X = (rng.random((300, 16)) < 0.2) * 1
    same(Winnow, X, X[:, :2].any(axis=1) * 1)
    same(Winnow, np.tile([1, 1, 0, 0], (90, 1)), np.ones(90, int))


def test_winnow_where_rounding_decides():
    """Two weights of 10, nine of 1 and ten of 0.1 make 30, or a bit more in some orders."""
    for seed in range(40):
        c = np.random.default_rng(seed).permutation(np.repeat([1, 0, -1, 2], [2, 9, 10, 9]))

        def make(n, c=c):
            learner = Winnow(n, 10, strict=True)
            learner.c, learner.w = c, 10.0**c
            return learner

        X = np.zeros((70, 30), int)
        X[-1] = c < 2
        same(make, X, np.zeros(70, int))


@pytest.mark.parametrize("lowest", [-2, 0])
def test_near_ties_are_decided_as_with_all_numbers(lowest):
    """Rows that come back with both labels: many scores are ties but for rounding."""
    rng = np.random.default_rng(1)
    for n in (3, 8, 40):
        X = (rng.integers(lowest, 3, (6, n)) * -0.1)[rng.integers(0, 6, 400)]
        for make in SIGNED.values():
            same(make, X, rng.choice([-1, 1], 400))


@pytest.mark.parametrize(
    "make",
    [Halving, WeightedMajority, NormPerceptron, lambda n: OnlineGradientDescent(n, exact=True)],
)
def test_others_are_given_all_numbers_of_a_row(make):
    X, y = bits(0)
    y = y if make(30).labels == "bits" else 2 * y - 1
    one, other = play(make(30), X, y), play(make(30), sparse.csr_array(X), y)
    np.testing.assert_array_equal(one.predictions, other.predictions)
    np.testing.assert_array_equal(one.weights, other.weights)


def test_a_student_is_given_rows_that_are_arrays():
    class Stubborn(Perceptron):
        def update(self, x, y):
            assert type(x) is np.ndarray and not x.flags.writeable

    assert play(Stubborn(30), sparse.csr_array(reals(0)[0]), reals(0)[1]).mistakes == 150


@pytest.mark.parametrize("form", ["csr_matrix", "csc_array", "coo_array", "lil_array"])
@pytest.mark.parametrize("kind", [float, np.float32, np.int8, np.int64])
def test_every_format_and_type(form, kind):
    X, y = reals(0)
    X = X.astype(kind)
    one = play(Perceptron(30), X, y)
    other = play(Perceptron(30), getattr(sparse, form)(X), y)
    np.testing.assert_array_equal(one.weights, other.weights)


def test_entries_that_come_twice_are_added_and_the_table_stays_as_it_was():
    X = sparse.csr_array(([1.0, 2, 3, 4], [2, 0, 2, 1], [0, 3, 4]), shape=(2, 3))
    many, y = sparse.vstack([X] * 50).tocsr(), np.tile([1, -1], 50)
    run = play(Perceptron(3), many, y)
    np.testing.assert_array_equal(run.weights, play(Perceptron(3), many.toarray(), y).weights)
    assert run.X[[0]].toarray().tolist() == [[2, 0, 4]] and X.data.tolist() == [1, 2, 3, 4]
    with pytest.raises((ValueError, RuntimeError), match="read-only"):
        run.X.data[0] = 9


def test_chunks_and_many_plays():
    X, y = reals(0, T=200)
    whole = play(Perceptron(30), X, y)
    parts = ((sparse.csr_array(X[t : t + 70]), y[t : t + 70]) for t in range(0, 200, 70))
    np.testing.assert_array_equal(play_chunks(Perceptron(30), parts).weights, whole.weights[-1:])
    runs = play_many(lambda i: Perceptron(30), [(sparse.csr_array(X), y)] * 40)
    assert {run.mistakes for run in runs} == {whole.mistakes}


def test_ledgers_read_sparse_rows():
    X, y = reals(0)
    X[:, 0] = 2 * y  # separable
    dense, run = play(Perceptron(30), X, y), play(Perceptron(30), sparse.csr_array(X), y)
    assert repr(proofs.novikoff(run)) == repr(proofs.novikoff(dense))
    X, y = bits(1)
    dense, run = play(Winnow(30), X, y), play(Winnow(30), sparse.csr_array(X), y)
    assert run.regret == dense.regret and run.best_expert == dense.best_expert
    np.testing.assert_array_equal(run.expert_losses, dense.expert_losses)


def test_labels_of_sparse_rows():
    X, y = reals(0)
    for make in (AveragedPerceptron, VotedPerceptron):
        learner = play(make(30), sparse.csr_array(X), y).learner
        expected = learner.classify(X)
        np.testing.assert_array_equal(learner.classify(sparse.csr_array(X)), expected)


def changed(a, index, value):
    a = a.copy()
    a[index] = value
    return a


@pytest.mark.parametrize(
    ("make", "X", "y", "told"),
    [
        (Perceptron, changed(reals(0)[0], (70, 3), np.nan), None, r"number.*X\[70, 3\] is nan"),
        (
            Perceptron,
            changed(reals(0)[0], (70, 3), 1e200),
            None,
            r"at most .*X\[70, 3\] is 1e\+200",
        ),
        (Winnow, changed(bits(0)[0], (99, 5), 2), bits(0)[1], r"0 or 1; X\[99, 5\] is 2"),
        (Winnow, bits(0)[0][:, :9], bits(0)[1], "X must have n = 30 columns"),
        (Winnow, bits(0)[0][:80], bits(0)[1], "X has 80 rows, y has 150"),
        (Winnow, bits(0)[0][:0], bits(0)[1], "X is empty"),
        (Winnow, bits(0)[0] * 1j, bits(0)[1], "X must hold numbers; its dtype is complex128"),
    ],
)
def test_what_is_wrong_is_said_as_for_arrays(make, X, y, told):
    y = reals(0)[1] if y is None else y
    for quick in (True, False):
        learner = make(30)
        with pytest.raises(ValueError, match=told):
            play(learner, sparse.csr_array(X), y, fast=quick)
        same_state(learner, make(30))


def test_a_broken_table_is_refused():
    X = sparse.csr_array(bits(0)[0])
    X.indices[7] = 99
    with pytest.raises(ValueError, match="X is no valid table of scipy.sparse"):
        play(Winnow(30), X, bits(0)[1])
    with pytest.raises(TypeError, match="L is sparse, which can't be read here: pass L.toarray()"):
        play(Hedge(30, eta=1), sparse.csr_array(bits(0)[0]))


def test_memory_is_that_of_what_is_stored(monkeypatch):
    """20 000 x 100 000 with 10 ones a row: 16 GB as an array of floats."""
    monkeypatch.undo()
    monkeypatch.setattr(compiled, "_numba", lambda: None)
    rng, T, n = np.random.default_rng(0), 20_000, 100_000
    columns = np.sort(rng.integers(0, n, (T, 10)), axis=1)
    X = sparse.csr_array((np.ones(10 * T), columns.ravel(), np.arange(0, 10 * T + 1, 10)), (T, n))
    X.sum_duplicates()
    X.data[:] = 1
    y = np.where(X @ (rng.random(n) < 0.1) > 1, 1, -1)
    for make, labels in ((Perceptron, y), (AveragedPerceptron, y), (Winnow, (y + 1) // 2)):
        assert peak(lambda: play(make(n), X, labels, keep="last", progress=False)) < 25  # noqa: B023


def wide(T, n):
    """Ten ones a row, without any memory for zeros."""
    columns = np.sort(np.random.default_rng(0).integers(0, n, (T, 10)), axis=1)
    X = sparse.csr_array((np.ones(10 * T), columns.ravel(), np.arange(0, 10 * T + 1, 10)), (T, n))
    X.sum_duplicates()
    X.data[:] = 1
    return X


def test_margins_and_regret_take_the_memory_of_what_is_stored():
    X = wide(20_000, 100_000)  # 16 GB as an array of floats
    u = (np.random.default_rng(1).random(100_000) < 0.1) - 0.07
    y = np.where(X @ u > 0, 1, -1)
    run = play(Winnow(100_000), X, (y + 1) // 2, keep="last", progress=False)
    assert peak(lambda: run.regret) < 40
    assert peak(lambda: margin(X, y, u)) < 40


def test_margins_are_those_of_all_numbers():
    X, y = reals(3, T=20)
    X[:, 0] = 2 * y
    v = np.arange(30.0) - 15
    assert margin(sparse.csr_array(X), y, v) == pytest.approx(margin(X, y, v), rel=1e-12)
    one, other = max_margin(X, y), max_margin(sparse.coo_array(X), y)
    np.testing.assert_allclose(other.v, one.v, rtol=1e-9, atol=1e-12)
    with pytest.raises(ValueError, match="nothing separates the data"):
        max_margin(sparse.csr_array(np.vstack([X, -X])), np.concatenate([y, y]))
    run = play(WeightedAverage(30), sparse.csr_array(X > 0) * 1, (y + 1) / 2)
    expected = play(WeightedAverage(30), (X > 0) * 1, (y + 1) / 2).total_expert_losses
    np.testing.assert_allclose(run.total_expert_losses, expected, rtol=1e-12)


def test_weights_that_do_not_fit_into_memory_are_refused_in_a_sentence(monkeypatch):
    def empty(shape, *rest, real=np.empty, **more):
        if np.prod(shape) > 2**30:
            raise MemoryError("Unable to allocate")
        return real(shape, *rest, **more)

    monkeypatch.setattr(np, "empty", empty)
    X, y = wide(20_000, 100_000), np.ones(20_000, int)
    with pytest.raises(MemoryError, match="all trials, 20,001 x 100,000 numbers, do not fit .* ke"):
        play(Perceptron(100_000), X, y)
    assert play(Perceptron(100_000), X, y, keep="last").mistakes


def test_the_trials_with_mistakes_alone_are_proved():
    """What `play` says of weights that do not fit into memory."""
    X, y = reals(0)
    X[:, 0] = 2 * y
    for make in (Perceptron, lambda n: Winnow(n, strict=True)):
        rows, labels = (X, y) if make is Perceptron else bits(4)
        whole = play(make(30), sparse.csr_array(rows), labels, keep="last", epochs=1)
        run = play(make(30), sparse.csr_array(rows)[whole.mistake], labels[whole.mistake])
        assert run.mistakes == len(run) == whole.mistakes < len(whole)
        np.testing.assert_array_equal(run.weights[-1:], whole.weights)
        if make is Perceptron:
            assert proofs.novikoff(run, v=np.eye(30)[0]).holds


def test_scipy_is_never_imported():
    code = (
        "import sys, numpy as np\nfrom olc_helpers import *\nplay(Perceptron(2), np.ones((99, 2)),"
    )
    code += " np.ones(99))\nprint('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert done.stdout == "False\n"
