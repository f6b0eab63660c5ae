"""Lecture 17: dimensions against their definitions, half-spaces against exact arithmetic,
adversaries, theorems, errata.
"""

from copy import deepcopy
from fractions import Fraction as F
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from strategies import MODEST, sizes, tables

from olc_helpers import (
    AveragedPerceptron,
    Halving,
    HypothesisError,
    Perceptron,
    WeightedMajority,
    Winnow,
    adversaries,
    clinic,
    littlestone_dimension,
    max_margin,
    play,
    proofs,
    vc_dimension,
)
from olc_helpers.booleans import cube
from olc_helpers.limits import dimensions as dim
from olc_helpers.limits import figures as pictures
from olc_helpers.limits.errata import Stubborn

CLASSES = tables(sizes(9, 5))
SETS = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=4, unique=True
)
SMALL = {
    "thresholds": dim.thresholds(6),
    "one of five": dim.singletons(5),
    "rays": dim.two_sided_rays(4),
    "intervals": dim.intervals(4),
    "exactly 2 of 4": dim.disjunctions(4, 2),
    "at most 2 of 3": dim.disjunctions(3, 2, True),
}


def vc_by_definition(C):
    sizes = [
        d
        for d in range(C.shape[1] + 1)
        for S in combinations(range(C.shape[1]), d)
        if {tuple(row) for row in C[:, list(S)].tolist()} == set(product((0, 1), repeat=d))
    ]
    return max(sizes)


def opt_by_definition(C):
    """The value of the game, from its rules alone: nature asks, the learner predicts, nature
    answers consistently.
    """
    C = [tuple(row) for row in np.unique(C, axis=0).tolist()]
    points = range(len(C[0]))
    memory = {}

    def value(V):
        if V not in memory:
            memory[V] = 0
            best = 0
            for x in points:
                after = {label: frozenset(c for c in V if c[x] == label) for label in (0, 1)}
                if after[0] and after[1]:
                    best = max(
                        best,
                        min(max(value(after[y]) + (y != said) for y in (0, 1)) for said in (0, 1)),
                    )
            memory[V] = best
        return memory[V]

    return value(frozenset(C))


def halving_by_playing(C):
    """The most mistakes of Halving itself, tried on all questions and answers."""
    best = 0

    def search(learner, V, mistakes):
        nonlocal best
        best = max(best, mistakes)
        for x in C.T:
            for y in (0, 1):
                left = V & (x == y)
                if left.any() and (left != V).any():
                    after = deepcopy(learner)
                    wrong = after.predict(x) != y
                    after.update(x, y)
                    search(after, left, mistakes + wrong)

    search(Halving(len(C)), np.ones(len(C), bool), 0)
    return best


def separable_exactly(X, y):
    """Whether a line separates, in fractions: there is none exactly if a point, a segment or a
    triangle of one colour meets one of the other, which for few points is a search over small
    systems.
    """
    positive, negative = ([p for p, label in zip(X, y, strict=True) if label == s] for s in (1, -1))
    return not any(
        _hulls_meet(a, b)
        for i in (1, 2, 3)
        for j in (1, 2, 3)
        for a in combinations(positive, i)
        for b in combinations(negative, j)
    )


def _hulls_meet(a, b):
    """Whether convex weights on a and on b give the same point, for affinely independent a and b,
    by solving the equations.
    """
    rows = [[F(p[k]) for p in a] + [F(-p[k]) for p in b] + [F(0)] for k in (0, 1)]
    rows += [[F(1)] * len(a) + [F(0)] * len(b) + [F(1)], [F(0)] * len(a) + [F(1)] * len(b) + [F(1)]]
    solution = _solve(rows, len(a) + len(b))
    return solution is not None and all(v >= 0 for v in solution)


def _solve(rows, n):
    """The unique solution of the equations, or None if there is none or more than one (a smaller
    subset then meets).
    """
    rows, pivots = [row[:] for row in rows], 0
    for column in range(n):
        k = next((k for k in range(pivots, len(rows)) if rows[k][column]), None)
        if k is None:
            return None
        rows[pivots], rows[k] = rows[k], rows[pivots]
        rows[pivots] = [v / rows[pivots][column] for v in rows[pivots]]
        for r in range(len(rows)):
            if r != pivots:
                rows[r] = [
                    v - rows[r][column] * q for v, q in zip(rows[r], rows[pivots], strict=True)
                ]
        pivots += 1
    return None if any(row[-1] for row in rows[n:]) else [rows[k][-1] for k in range(n)]


# Dimensions ---------------------------------------------------------------------------------------


@MODEST
@given(CLASSES)
def test_dimensions_against_their_definitions(C):
    assert vc_dimension(C) == vc_by_definition(C)
    assert littlestone_dimension(C) == opt_by_definition(C)
    S = dim.shattered_set(C)
    assert len(S) == vc_dimension(C) and dim.shattered(np.unique(C, axis=0), S)


@settings(max_examples=25)
@given(CLASSES.filter(lambda C: len(C) <= 7 and C.shape[1] <= 4))
def test_halving_on_a_class_against_playing_it(C):
    C = dim.check_class(C)
    assert adversaries.halving_on_class(C) == halving_by_playing(C)


@MODEST
@given(CLASSES)
def test_the_chain_holds(C):
    ledger = proofs.dimension_chain(C)
    assert len(ledger.lines) == 4 and ledger.holds, f"\n{ledger}"
    assert proofs.vc_below_log(C).holds


TABLE = {  # class: |C|, floor(lg), VC, opt, Halving (TIGHT-10)
    "exactly 2 of 5": (dim.disjunctions(5, 2), (10, 3, 2, 3, 3)),
    "exactly 3 of 5": (dim.disjunctions(5, 3), (10, 3, 2, 2, 2)),
    "exactly 3 of 6": (dim.disjunctions(6, 3), (20, 4, 3, 3, 4)),
    "at most 4 of 4": (dim.disjunctions(4, 4, True), (16, 4, 4, 4, 4)),
    "at most 5 of 5": (dim.disjunctions(5, 5, True), (32, 5, 5, 5, 5)),
    "thresholds on 15": (dim.thresholds(15), (16, 4, 1, 4, 4)),
    "one of 8": (dim.singletons(8), (8, 3, 1, 1, 1)),
    "side by side": (dim.products(dim.thresholds(3), dim.singletons(4)), (16, 4, 2, 3, 3)),
}


@pytest.mark.parametrize("name", TABLE)
def test_table_of_small_classes(name):
    C, expected = TABLE[name]
    assert adversaries.class_sizes(C) == expected


def test_halving_is_not_optimal_for_three_of_six():
    """The claim of the table, played: a stream on which Halving errs 4 times, the optimal learner 3
    times at most.
    """
    C = dim.disjunctions(6, 3)
    questions, seen, front = np.unique(C.T, axis=0), set(), [[]]
    while front:
        stream = front.pop()
        learner = Halving(20)
        mistakes = (
            play(learner, *(np.array(part) for part in zip(*stream, strict=True))).mistakes
            if stream
            else 0
        )
        if mistakes == 4:
            break
        for x, y in product(questions, (0, 1)):
            left = learner.w & (x == y)
            key = left.tobytes(), mistakes + (learner.predict(x) != y)
            if left.sum() >= 2 ** (4 - key[1]) and (left != learner.w).any() and key not in seen:
                seen.add(key)
                front.append([*stream, (x, y)])
    X, y = (np.array(part) for part in zip(*stream, strict=True))
    assert play(Halving(20), X, y).mistakes == 4 and (X == y[:, None]).all(axis=0).any()
    assert play(dim.OptimalLearner(C), X, y).mistakes <= 3


@pytest.mark.parametrize("N", [1, 2, 3, 7, 8, 20])
def test_families_have_known_dimensions(N):
    assert (
        vc_dimension(dim.thresholds(N)) == 1
        and littlestone_dimension(dim.thresholds(N)) == (N + 1).bit_length() - 1
    )
    assert vc_dimension(dim.two_sided_rays(N)) == min(N, 2) and len(dim.two_sided_rays(N)) == 2 * N
    assert (
        vc_dimension(dim.intervals(N)) == min(N, 2)
        and len(dim.intervals(N)) == N * (N + 1) // 2 + 1
    )
    assert (
        vc_dimension(dim.singletons(N)) == min(N - 1, 1) == littlestone_dimension(dim.singletons(N))
    )


def test_products_add_up():
    for A, B in combinations(SMALL.values(), 2):
        AB = dim.products(A, B)
        assert vc_dimension(AB) == vc_dimension(A) + vc_dimension(B)
    A, B = SMALL["thresholds"], SMALL["exactly 2 of 4"]
    assert littlestone_dimension(dim.products(A, B)) == littlestone_dimension(
        A
    ) + littlestone_dimension(B)


def test_equal_rows_count_once_and_the_order_stays():
    C = np.array([[1, 0], [0, 1], [1, 0]])
    assert (
        dim.check_class(C).tolist() == [[1, 0], [0, 1]] and adversaries.class_sizes(C).concepts == 2
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: vc_dimension([[0, 2]]), r"must be 0 or 1; C\[0, 1\] is 2"),
        (lambda: littlestone_dimension([0, 1]), r"C must be a table .*; its shape is \(2,\)"),
        (lambda: vc_dimension(np.zeros((0, 3), int)), r"at least one.*its shape is \(0, 3\)"),
        (lambda: dim.threshold_functions(5), "n must be at most 4.*got 5"),
        (
            lambda: dim.radon(np.eye(2)),
            r"at least n \+ 2 rows in n dimensions; its shape is \(2, 2\)",
        ),
        (
            lambda: adversaries.nested_intervals(Stubborn(), 3, keep=F(3, 4)),
            r"keep must be in \(0, 1/2\]; got 3/4",
        ),
        (lambda: adversaries.walk_down(Halving(1), [[0, 1]]), "C must have two concepts or more"),
        (lambda: dim.disjunctions(3, 4), "k must be at most n = 3"),
        (lambda: pictures.shattering(points=5), "points must be 3 or 4; got 5"),
        (lambda: pictures.never_found(moves="1x"), "letters 0 and 1, your predictions; got '1x'"),
        (lambda: pictures.threshold_tree("012"), "letters 0 and 1, your predictions; got '012'"),
        (
            lambda: pictures.mistake_tree(family="lines"),
            "family must be one of thresholds, .*; got 'lines'",
        ),
        (lambda: pictures.mistake_tree(N=31), "the tree has 5 levels, and 4 can be read"),
        (lambda: pictures.mistake_tree("2 of n", 2), "N must be larger: the class has a single"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# Half-spaces --------------------------------------------------------------------------------------


@MODEST
@example([(1, 1), (1, -1), (1, -2), (3, -4)])  # a row that is chosen gets the weight 0
@given(SETS)
def test_linear_program_against_exact_arithmetic_and_the_largest_margin(points):
    X = np.array(points)
    possible = {tuple(y) for y in dim.halfspace_labellings(X).tolist()}
    for y in product((1, -1), repeat=len(points)):
        assert (y in possible) == separable_exactly(points, y)
        try:
            gap = max_margin(np.column_stack([X, np.ones(len(X))]), np.array(y)).gamma > 0
        except ValueError:
            gap = False
        assert gap == (y in possible)


def test_separator_separates():
    X = np.random.default_rng(0).standard_normal((6, 3))
    for y in dim.halfspace_labellings(X):
        *w, b = dim.separator(X, y)
        assert (y * (X @ w + b) >= 1 - 1e-7).all()


@MODEST
@given(
    arrays(
        int,
        st.tuples(st.integers(3, 6), st.integers(1, 3)).filter(lambda s: s[0] >= s[1] + 2),
        elements=st.integers(-3, 3),
    )
)
def test_radon_partitions(X):
    lam = dim.radon(X)
    assert any(lam) and sum(lam) == 0
    assert all(sum(v * int(x) for v, x in zip(lam, column, strict=True)) == 0 for column in X.T)


@settings(max_examples=15)
@given(arrays(int, (4, 2), elements=st.integers(-5, 5)))
def test_radon_bound(X):
    ledger = proofs.radon_bound(X)
    assert len(ledger.lines) == 5 and ledger.holds, f"\n{ledger}"


def test_radon_bound_needs_enough_points():
    with pytest.raises(
        HypothesisError, match=r"radon_bound does not apply: X must have at least n \+ 2 rows"
    ):
        proofs.radon_bound(np.eye(3))


@pytest.mark.parametrize("N", [1, 2, 3])
def test_half_spaces_have_vc_dimension_n_plus_1(N):
    simplex = np.vstack([np.zeros(N), np.eye(N)])
    assert len(dim.halfspace_labellings(simplex)) == 2 ** (N + 1)
    more = np.random.default_rng(N).standard_normal((N + 2, N))
    assert len(dim.halfspace_labellings(more)) == dim.halfspace_count(N + 2, N) == 2 ** (N + 2) - 2


def test_counts_of_threshold_functions():
    tables = [dim.threshold_functions(n) for n in (1, 2, 3, 4)]
    assert [len(t) for t in tables] == [4, 14, 104, 1882]
    assert len(dim.halfspace_labellings(cube(3))) == 104  # the linear program
    assert [vc_dimension(t) for t in tables] == [2, 3, 4, 5]
    assert [littlestone_dimension(t) for t in tables] == [2, 3, 6, 9]
    every = {tuple(row) for row in tables[1].tolist()}
    assert {(0, 1, 1, 0), (1, 0, 0, 1)} == set(
        product((0, 1), repeat=4)
    ) - every  # exclusive or, and its opposite
    assert [dim.halfspace_count(2**n, n) for n in (1, 2, 3, 4)] == [4, 14, 128, 3882]
    assert all(dim.halfspace_count(2**n, n) <= 2**n**2 for n in range(2, 30))
    assert [int(f).bit_length() - 1 for f in pictures.KNOWN] == [16, 23, 32, 43]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_counting_bound(n):
    assert proofs.counting_bound(n).holds
    with pytest.raises(HypothesisError, match="n must be at least 2; got 1"):
        proofs.counting_bound(1)


# Adversaries --------------------------------------------------------------------------------------

LEARNERS = {
    "Halving": lambda C: Halving(len(C)),
    "Weighted Majority": lambda C: WeightedMajority(len(C), beta=0.5),
    "optimal": dim.OptimalLearner,
}


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("learner", LEARNERS)
def test_nature_forces_opt_mistakes_on_every_learner(name, learner):
    C = SMALL[name]
    run = adversaries.walk_down(LEARNERS[learner](C), C)
    assert run.mistakes == len(run) == littlestone_dimension(C)
    assert (run.X == run.y[:, None]).all(axis=0).any()  # some concept is right on every trial
    points = list(dim.shattered_set(C))
    run = adversaries.always_wrong(LEARNERS[learner](C), C.T[points])
    ledger = proofs.shattered_bound(run, C, points)
    assert (
        len(ledger.lines) == 4 and ledger.holds and ledger.value == ledger.bound == vc_dimension(C)
    )


@pytest.mark.parametrize("learner", [Winnow(5), Perceptron(5), AveragedPerceptron(5)])
def test_nobody_escapes_from_a_shattered_set(learner):
    X, C = np.eye(5, dtype=int), dim.disjunctions(5, 5, at_most=True)
    points = [2 ** (4 - i) for i in range(5)]
    assert (cube(5)[points] == X).all()
    run = adversaries.always_wrong(learner, X)
    ledger = proofs.shattered_bound(run, C, points)
    assert run.mistakes == 5 and ledger.holds and ledger.lines[1].lhs.tolist() == [16, 8, 4, 2, 1]
    assert set(run.y.tolist()) <= ({-1, 1} if learner.labels == "signs" else {0, 1})


def test_winnow_walks_down_with_its_own_rows():
    C = dim.disjunctions(4, 2)
    run = adversaries.walk_down(Winnow(4), C, cube(4))
    assert run.mistakes == littlestone_dimension(C) and run.X.shape[1] == 4


def test_shattered_bound_sees_a_set_that_is_not_shattered_and_a_kind_nature():
    C = dim.thresholds(4)
    run = adversaries.always_wrong(Halving(5), C.T[[0, 1]])
    with pytest.raises(HypothesisError, match=r"C must shatter the points \[0, 1\]"):
        proofs.shattered_bound(run, C, [0, 1])
    C = dim.disjunctions(2, 2, at_most=True)
    kind = play(Halving(4), C.T[[1, 2]], C[3][[1, 2]])
    assert proofs.shattered_bound(kind, C, [1, 2]).first_violation == (1, 1)


@MODEST
@given(CLASSES, st.integers(0, 8), st.lists(st.integers(0, 4), min_size=1, max_size=12))
def test_optimal_learner_keeps_its_bound(C, target, points):
    C = dim.check_class(C)
    points = [k % C.shape[1] for k in points]
    run = play(dim.OptimalLearner(C), C.T[points], C[target % len(C)][points])
    ledger = proofs.optimal_bound(run, C)
    assert len(ledger.lines) == 6 and ledger.holds, f"\n{ledger}"


def test_optimal_learner_says_1_on_a_tie():
    learner = dim.OptimalLearner(dim.singletons(2))
    assert [learner.predict(x) for x in dim.singletons(2).T] == [1, 1]


def test_optimal_bound_catches_a_learner_that_follows_the_smaller_tree():
    class Contrary(dim.OptimalLearner):
        def predict(self, x):
            return 1 - super().predict(x)

    C = dim.singletons(6)
    run = play(Contrary(C), C.T[[0, 1, 2]], C[5][[0, 1, 2]])
    ledger = proofs.optimal_bound(run, C)
    assert run.mistakes == 3 and ledger.first_violation == (2, 1)
    with pytest.raises(HypothesisError, match="some concept must be right on every trial"):
        proofs.optimal_bound(play(Contrary(C), C.T[[0, 1]], np.array([1, 1])), C)


# Thresholds on the line ---------------------------------------------------------------------------


class Bisect:
    inputs, labels = "anything", "bits"

    def __init__(self, share):
        self.low, self.high, self.share = F(0), F(1), share

    def predict(self, x):
        return int(x <= self.low + self.share * (self.high - self.low))

    def update(self, x, y):
        self.low, self.high = (
            (max(self.low, x), self.high) if y == 1 else (self.low, min(self.high, x))
        )


@pytest.mark.parametrize(
    "learner",
    [
        Stubborn(),
        *(Bisect(F(k, 4)) for k in range(5)),
        *(pictures.Scripted(f"{k:08b}" * 8) for k in (0, 1, 77, 170, 255)),
    ],
)
def test_no_learner_finds_the_threshold(learner):
    hidden = adversaries.nested_intervals(learner, 60)
    ledger = proofs.never_pinned_down(hidden)
    assert len(ledger.lines) == 7 and ledger.holds and hidden.run.mistakes == 60
    low, high = hidden.intervals[-1]
    assert F(0) < low < high < F(1) and high - low == F(1, 2) / 3**60
    for a in (low, (low + high) / 2, high):
        assert all(int(x <= a) == y for x, y in zip(hidden.run.X, hidden.run.y, strict=True))


def test_midpoints_leave_no_target():
    halves = adversaries.nested_intervals(Stubborn(), 60, keep=F(1, 2))
    assert halves.run.mistakes == 60 and halves.run.y.tolist() == [0] + [1] * 59
    # They tend to 1/2.
    assert [F(1, 2) - x for x in halves.run.X] == [0, *(F(1, 2 ** (t + 2)) for t in range(1, 60))]
    assert proofs.never_pinned_down(halves).first_violation == (6, 1)
    thirds = adversaries.nested_intervals(Stubborn(), 60)
    assert all(low <= F(5, 12) <= high for low, high in thirds.intervals)


# Errata and figures -------------------------------------------------------------------------------


def test_printed_claims_fail_where_they_should():
    assert not proofs.printed_any_triple(np.array([[0, 0], [1, 1], [2, 2]])).holds
    assert proofs.printed_any_triple(np.array([[0, 0], [1, 0], [0, 1]])).holds
    with pytest.raises(HypothesisError, match="n must be at least 2; got 1"):
        proofs.counting_bound(1)
    assert [proofs.counting_bound(n).holds for n in (2, 3, 4)] == [True] * 3


def test_lines_say_no_less_than_they_could():
    """A side that gives away more than need be would hold, too: here each is met by the other."""
    square = [[0, 0], [1, 0], [0, 1], [1, 1]]
    assert proofs.radon_bound(square).lines[4].slack == 0
    everything, points = cube(3), [0, 1, 2]
    run = adversaries.always_wrong(Halving(8), everything.T[points])
    assert not proofs.shattered_bound(run, everything, points).lines[1].slack.any()
    C = SMALL["thresholds"]
    walk = adversaries.walk_down(dim.OptimalLearner(C), C)
    assert proofs.optimal_bound(walk, C).lines[-1].slack == 0


def test_clinic_has_the_errata_of_lectures_16_and_17():
    mine = {e.number: e.kind for e in clinic.checks().values() if e.lecture in ("16", "17")}
    assert mine.keys() == {"E1-10", "E1-11", "E1-13", "E4-10", "E4-11", "E4-12"}
    assert [number for number, kind in mine.items() if kind == "remark"] == ["E4-12"]
    line, grid = clinic.checks()["E4-11"].evaluate()
    assert line.sides == "3 ≥ 3" and grid.lhs.size == 126


@pytest.mark.parametrize(
    ("w", "b", "area"),
    [
        ((1, 0), 0, 2),
        ((1, 1), 0, 2),
        ((0, -1), 0.5, 3),
        ((1, 1), -1, 0.5),
        ((1, 0), 5, 4),
        ((1, 0), -5, 0),
    ],
)
def test_half_planes_are_clipped_to_the_box(w, b, area):
    x, y = pictures._clipped(np.array(w), b).T
    assert abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2 == pytest.approx(area)


def test_figures_show_the_exact_numbers():
    assert "gives 8 of them. The 3 points are shattered" in pictures.shattering().description
    assert "gives 6 of them; the others" in pictures.shattering(y=-0.6).description
    assert "gives 14 of them" in pictures.shattering(points=4, x=0.1, y=-0.1).description
    assert "a line separates" in pictures.four_labels(C=True).description
    assert "no line separates" in pictures.four_labels().description
    assert "you made 70 mistakes" in pictures.never_found(moves="10" * 35).description
    assert (
        "10 concepts, VC dimension 2" in (fig := pictures.mistake_tree("2 of n", 5)).description
        and "3 mistakes" in fig.description
    )
    assert "intervals at 16: 2 ≤ 6 ≤ 7" in pictures.class_chain().description
    assert "4, 14, 104, 1882 for n = 1 to 4" in pictures.threshold_counts().description


def test_nine_mistakes_on_each_path_of_the_tree_of_thresholds():
    """Each of the 512 histories ends at weights that give all nine labels of nine points, and what
    is left is counted from all functions.
    """
    asked, left, ends = pictures.tree_of_thresholds()
    X, functions = cube(4), dim.threshold_functions(4)
    assert [len(row) for row in asked] == [2**t for t in range(9)] and len(ends) == 512
    for leaf, (*w, cut) in enumerate(ends):
        labels = [int(bit) for bit in f"{leaf:09b}"]
        nodes = [leaf >> (9 - t) for t in range(10)]
        points = [asked[t][k] for t, k in enumerate(nodes[:9])]
        agree = (functions[:, points] == labels).cumprod(axis=1).sum(axis=0)
        assert [left[t][k] for t, k in enumerate(nodes)] == [1882, *agree] and len(set(points)) == 9
        assert (X[points] @ w > cut).astype(int).tolist() == labels


def test_the_tree_that_is_shown_is_halvings_path():
    C = dim.threshold_functions(4)
    walk = adversaries.walk_down(Halving(len(C)), C)
    moves = "".join(map(str, walk.predictions.astype(int)))
    fig = pictures.threshold_tree()
    assert fig.description == pictures.threshold_tree(moves + "101").description
    assert "1[−2x₁ + 3x₂ − x₃ + 2x₄ > 0] gives all these labels" in fig.description
    assert "1 of the 1882 threshold functions is left" in fig.caption
    assert "1[0 > −1]" in pictures.threshold_tree("0" * 9).description
    assert "Next it asks 0001" in pictures.threshold_tree("1").description


@pytest.mark.parametrize("n", [2, 3])
def test_the_middle_of_the_counting_bound_is_2_to_the_square(n):
    assert proofs.counting_bound(n).lines[1].rhs == {2: 16, 3: 512}[n]
