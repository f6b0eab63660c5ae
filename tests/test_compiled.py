"""With numba the results are the same, bit for bit: the tests of the shortcuts and of interrupts
run here once more, on compiled loops, and some that only these need.
"""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_fast import (  # noqa: F401  (collected, to run here again)
    KINDS,
    NEAR_TIES,
    ODD,
    SIGNS,
    nearly_same,
    one_order,
    same,
    streams,
    test_a_bad_entry_is_found_when_it_is_read_and_the_learner_is_set_back,
    test_a_learner_with_more_state_keeps_it,
    test_a_play_goes_on_where_the_last_one_ended,
    test_keep,
    test_keep_over_several_passes,
    test_kernel_perceptron,
    test_kernel_perceptron_beyond_the_digits_of_a_float,
    test_kernel_perceptron_goes_on_and_plays_other_kernels_from_memory,
    test_kernel_perceptron_on_whole_blocks,
    test_kernel_perceptron_remembers_scores_that_floats_get_wrong,
    test_long_streams,
    test_odd_arrays,
    test_perceptron_on_bits,
    test_perceptron_on_floats_with_near_ties,
    test_perceptron_on_whole_numbers,
    test_perceptron_on_wide_rows_with_near_ties,
    test_shares,
    test_shares_on_a_long_stream_with_shifts,
    test_shares_where_weights_underflow,
    test_the_ends_of_every_type_count_as_the_numbers_that_they_are,
    test_the_last_weights_need_little_memory,
    test_wide_rows_need_little_memory,
    test_winnow,
    test_winnow_where_rounding_decides,
    test_winnow_with_weights_of_its_own,
)
from test_interrupts import (  # noqa: F401  (collected, to run here again)
    LEARNERS,
    stream,
    test_interrupt_at_any_line,
    test_interrupt_at_any_time,
)

from olc_helpers import (
    AveragedPerceptron,
    FixedShare,
    OnlineGradientDescent,
    Perceptron,
    VotedPerceptron,
    Winnow,
    checks,
    compiled,
    fast,
    play,
    play_many,
    protocol,
    replications,
)
from olc_helpers.perceptron import fast as perceptron_fast
from olc_helpers.winnow import fast as winnow_fast

numba = pytest.importorskip(
    "numba", reason="the compiled loops are an optional extra: pip install .[fast]"
)
DESCEND = [VotedPerceptron, AveragedPerceptron, OnlineGradientDescent]


@pytest.fixture(scope="module", autouse=True)
def always_compiled():
    """Kernels play every chunk, of a few trials each. They are compiled first: a tracer that counts
    lines would count forever.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protocol, "FEW", 0)
        patch.setattr(fast, "CHUNK", 1)
        patch.setattr(winnow_fast, "RARE", 0)
        patch.setattr(compiled, "LONG", 0)
        for make in LEARNERS.values():
            learner = make()
            play(learner, *stream(learner, 9))
        yield


@pytest.fixture
def calls(monkeypatch):
    """The kernels that were called, by name."""
    names, call = [], compiled.Kernel.__call__

    def counted(kernel, *arguments):
        names.append(kernel.function.__name__)
        return call(kernel, *arguments)

    monkeypatch.setattr(compiled.Kernel, "__call__", counted)
    return names


@pytest.mark.parametrize(
    ("name", "kernels"),
    {
        "Perceptron": {"descend"},
        "VotedPerceptron": {"descend"},
        "AveragedPerceptron": {"descend", "add_late"},
        "OnlineGradientDescent": {"descend"},
        "Winnow": {"multiply"},
        "FixedShare": {"share"},
        "VariableShare": {"share"},
        "KernelPerceptron": {"recall"},
    }.items(),
)
def test_who_is_played_by_a_kernel(calls, name, kernels):
    learner = LEARNERS[name]()
    play(learner, *stream(learner, 100))
    assert set(calls) == kernels


# The same bits ------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", DESCEND)
@settings(max_examples=60)
@example(stream=(np.array([[1e150, 1e150], [-1e150, 1e150]]), np.array([1, -1])))
@given(stream=streams(NEAR_TIES, SIGNS))
def test_relatives_of_the_perceptron_with_near_ties(cls, stream):
    X, y = stream
    same(cls(X.shape[1]), X, y)
    same(cls(X.shape[1]), np.asfortranarray(X), y.astype(float), epochs=2)


@one_order
@settings(max_examples=60)
@given(
    streams(st.integers(-3, 3), SIGNS),
    st.sampled_from([np.int8, np.int64, np.float16, float]),
    st.sampled_from([1, 0.1, 1 / 3, 7e10]),
)
def test_gradient_descent_where_margins_are_nearly_1(stream, kind, eta):
    X, y = stream
    same(OnlineGradientDescent(X.shape[1], eta), X.astype(kind), y)


@one_order
@pytest.mark.parametrize("cls", DESCEND)
@pytest.mark.parametrize("name", ODD)
def test_odd_arrays_of_relatives(monkeypatch, tmp_path, cls, name):
    monkeypatch.setattr(checks, "LARGE", 0)
    rng = np.random.default_rng(0)
    X, y = ODD[name](rng.integers(0, 2, (90, 33)) * 1.0, tmp_path), rng.choice([-1, 1], 90)
    same(cls(33), X, y)
    if X.dtype == float:
        same(cls(33), ODD[name](rng.integers(-20, 21, (90, 33)) * 0.1, tmp_path), y)


@pytest.mark.parametrize("n", [1, 3, 8])
@pytest.mark.parametrize("unit", [1, 0.1, 1 / 3, 1e-160, 2.0**-537])
def test_scores_that_are_0_but_for_rounding(calls, unit, n):
    """Rows that come back with both labels: many scores are exact ties, or would be without
    rounding, also where products underflow.
    """
    rng = np.random.default_rng(n)
    X = rng.integers(-2, 3, (6, n))[rng.integers(0, 6, 400)] * unit
    y = rng.choice([-1, 1], 400)
    for cls in (Perceptron, VotedPerceptron, AveragedPerceptron):
        same(cls(n), X, y)
    parts = 3 * len(list(fast.chunks(400, n)))
    assert (calls.count("descend") > parts) == (unit != 1)  # it stopped and asked


@pytest.mark.parametrize("n", [64, 100])
def test_products_below_the_smallest_number(n):
    """They are quarters of it. Some processors round each, others their sums alone."""
    rng = np.random.default_rng(n)
    X, y = rng.integers(-3, 4, (600, n)) * 2.0**-538, rng.choice([-1, 1], 600)
    for cls in (Perceptron, AveragedPerceptron):
        same(cls(n), X, y)


def test_ties_of_whole_numbers_are_decided_by_the_kernel(calls):
    """But not above 2^52, where sums are rounded, and not if only the weights are whole."""
    X, y = np.ones((400, 3)), np.tile([1, -1], 200)
    run = same(Perceptron(3), X, y)
    assert 0 in run.predictions and len(calls) == len(list(fast.chunks(400, 3)))
    calls.clear()
    learner = Perceptron(3)
    learner.w[:] = 2.0**60, 1, -(2.0**60)
    same(learner, X, y)
    assert len(calls) > 400
    calls.clear()
    learner = Perceptron(3)
    learner.w[:] = 1, 1, -1
    run = same(learner, X * [0.1, 0.2, 0.3], np.ones(400, int))
    assert run.mistakes == 0 and len(calls) > 400


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("factor", [2, 4, 1.5, 3, 1.0001, 1e200])
def test_winnow_at_ties(factor, strict):
    """n = 16: sums of weights that are exactly n are common."""
    rng = np.random.default_rng(0)
    X, y = rng.random((400, 16)) < 0.2, rng.integers(0, 2, 400)
    same(Winnow(16, factor, strict), X, y)
    same(Winnow(16, factor, strict), X.astype(float), X[:, :2].any(axis=1), epochs=3)


def test_winnow_with_weights_that_are_nearly_lost(calls):
    """Two weights, 2^60 apart: their sum is rounded, so the plain loop is asked."""
    learner, X, y = Winnow(4), np.tile([1, 1, 0, 0], (70, 1)), np.ones(70, int)
    learner.c = np.array([2, -60, 0, 0])
    learner.w = 2.0**learner.c
    same(learner, X, y)
    assert len(calls) > 70
    demoted = Winnow(2)
    demoted.c, demoted.w = np.array([-5000, 0]), np.array([0.0, 1])
    same(demoted, np.tile([[1, 0], [1, 1], [0, 1]], (30, 1)), np.tile([1, 0, 1], 30))


# When, and where it is kept -----------------------------------------------------------------------

CODE = """
import sys
import numpy as np
from olc_helpers import Perceptron, compiled, play
X, y = np.ones((150_000, 1)), np.ones(150_000, int)
play(Perceptron(1), X, y, progress=False, keep="last")
print("numba" in sys.modules)
y[::2] = -1
play(Perceptron(1), X[:9000], y[:9000], keep="last")
print("numba" in sys.modules)
compiled.LONG = 50_000
run = play(Perceptron(1), X, y, progress=False, keep="last")
print("numba" in sys.modules, run.mistakes)
"""
MANY = """
import sys
import numpy as np
from olc_helpers import Perceptron, compiled, play, play_many
compiled.LONG = 20_000
X, y = np.ones((3000, 1)), np.tile([1, -1], 1500)
HOW
print("numba" in sys.modules)
"""


@pytest.mark.parametrize(
    ("how", "loaded"),
    [
        ("for _ in range(3): play(Perceptron(1), X, y)", False),
        ("for _ in range(12): play(Perceptron(1), X, y)", True),
        ("play(Perceptron(1), X, y, epochs=12)", True),
        ("play_many(lambda i: Perceptron(1), [(X, y)] * 80)", True),
    ],
)
def test_work_is_counted_through_all_plays(how, loaded):
    code = MANY.replace("HOW", how)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert done.stdout == f"{loaded}\n", done.stderr


def test_numba_is_imported_when_it_pays():
    """Not for few mistakes, nor for a short play."""
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.split() == ["False", "False", "True", "150000"]


@pytest.mark.parametrize("loaded", [True, False])
def test_many_runs_are_played_in_step_unless_the_kernel_is_loaded(calls, monkeypatch, loaded):
    monkeypatch.setattr(compiled, "LONG", 1e9)
    if not loaded:
        monkeypatch.delitem(vars(perceptron_fast.descend), "compiled")
    X, y = np.random.default_rng(0).standard_normal((70, 3)), np.tile([1, -1], 35)
    runs = play_many(lambda i: Perceptron(3), [(X, y)] * replications.IN_STEP)
    alone = play(Perceptron(3), X, y).mistakes
    assert [run.mistakes for run in runs] == [alone] * replications.IN_STEP
    assert (calls.count("descend") > replications.IN_STEP) == loaded


def test_without_numba_nothing_changes(monkeypatch):
    monkeypatch.setattr(compiled, "_numba", lambda: None)
    learner = AveragedPerceptron(3)
    assert fast.find(learner, np.ones((2, 3)), np.ones(2)) is None
    X, y = np.random.default_rng(0).standard_normal((99, 3)), np.tile([1, -1, 1], 33)
    same(Perceptron(3), X, y)
    nearly_same(FixedShare(3, alpha=0.1), X > 0, y > 0)


def test_a_kernel_is_kept_on_disk_or_at_least_compiled(monkeypatch, tmp_path):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert compiled.Kernel(doubling())(2) == 4 and list(tmp_path.rglob("*.nbi"))
    monkeypatch.setattr(numba.core.caching.CacheImpl, "_locator_classes", [])
    assert compiled.Kernel(doubling())(2) == 4


def doubling():
    def double(number):
        return 2 * number

    return double
