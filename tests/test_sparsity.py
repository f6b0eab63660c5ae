"""Lecture 13: formulas, covers and short disjunctions against brute force, both ways; the proofs;
greedy; bad input.
"""

from itertools import combinations, islice, product

import numpy as np
import pytest
from conftest import replays
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from strategies import BITS, MODEST, sizes, tables

from olc_helpers import (
    HypothesisError,
    Winnow,
    cover_to_disjunction,
    play,
    proofs,
    reductions,
    sat_to_cover,
    streams,
)
from olc_helpers.booleans import And, Or, cube
from olc_helpers.sparsity import figures as pictures

A12 = streams.TWELVE_BY_SIX


@st.composite
def formulas(draw, largest=4):
    """(CNF, m): up to 12 clauses of up to 3 literals, repeated and opposite ones and empty clauses
    among them.
    """
    m = draw(st.integers(1, largest))
    literals = st.integers(1, m).flatmap(lambda i: st.sampled_from([i, -i]))
    clauses = draw(st.lists(st.lists(literals, max_size=3), max_size=12))
    return And(*(Or(*clause) for clause in clauses)), m


MATRICES = tables(sizes(7, 6))


def truth(cnf, x):
    """The value of a formula, clause by clause, from its literals alone."""
    return all(
        any((x[abs(literal) - 1] == 1) == (literal > 0) for literal in clause)
        for clause in cnf.clauses
    )


def satisfying(cnf, m):
    return [x for x in product((0, 1), repeat=m) if truth(cnf, x)]


def covers(A, k):
    return [
        c for c in combinations(range(A.shape[1]), k) if all(any(row[s] for s in c) for row in A)
    ]


def fewest(A):
    return next((k for k in range(A.shape[1] + 1) if covers(A, k)), None)


# Satisfiability and covers ------------------------------------------------------------------------


@MODEST
@given(formulas())
@example((And(), 1))
@example((And(Or()), 2))
def test_solvers_of_formulas_agree_with_truth_tables(case):
    cnf, m = case
    every = satisfying(cnf, m)
    for found in (reductions.find_assignment(cnf, m), reductions.brute_force_assignment(cnf, m)):
        assert (found is None) == (not every)
        assert found is None or tuple(found.tolist()) in every


@MODEST
@given(formulas())
def test_a_formula_is_satisfiable_iff_m_sets_cover(case):
    cnf, m = case
    A, k, elements, sets = sat_to_cover(cnf, m)
    assert A.shape == (len(elements), len(sets)) == (len(cnf.clauses) + m, 2 * m) and k == m
    every = satisfying(cnf, m)
    assert {tuple(reductions.cover_to_assignment(c, m).tolist()) for c in covers(A, m)} == set(
        every
    )
    assert sorted(map(reductions.assignment_to_cover, every)) == sorted(covers(A, m))
    assert not any(covers(A, k) for k in range(m))


def test_600_random_formulas_agree_along_the_whole_chain():
    rng, satisfiable = np.random.default_rng(1), {1: [], 2: [], 3: []}
    for _ in range(600):
        m, width = int(rng.integers(3, 6)), int(rng.integers(1, 4))
        cnf = streams.random_cnf(m, int(rng.integers(1, 6 * width * m // 2)), width, rng)
        assert {len(clause) for clause in cnf.clauses} == {width}
        x, A = reductions.find_assignment(cnf, m), sat_to_cover(cnf, m).A
        rule = reductions.find_disjunction(*cover_to_disjunction(A), k=m)
        assert (x is None) == (rule is None)
        if rule is not None:
            columns = sorted(i - 1 for i in rule.literals)
            assert truth(cnf, x) and truth(cnf, reductions.cover_to_assignment(columns, m))
            assert len(columns) == m
        satisfiable[width].append(rule is not None)
    assert all(40 < sum(found) < len(found) - 40 for found in satisfiable.values())


def test_the_table_of_a_formula():
    A, k, elements, sets = sat_to_cover(And(Or(1, -2), 2))
    assert A.tolist() == [[1, 0, 0, 1], [0, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 1]]
    assert (k, elements, sets) == (2, ("c1", "c2", "v1", "v2"), ("x1", "¬x1", "x2", "¬x2"))


@MODEST
@given(MATRICES)
def test_cover_solvers_agree_with_brute_force(A):
    k = fewest(A)
    for size in range(A.shape[1] + 1):
        found = reductions.find_cover(A, size)
        assert (found is None) == (k is None or size < k)
        assert found is None or (len(found) <= size and A[:, list(found)].any(axis=1).all())
    if k is not None:
        assert len(reductions.smallest_cover(A)) == k
        for ties in ("first", "last"):
            greedy = reductions.greedy_cover(A, ties)
            assert len(set(greedy)) == len(greedy) and A[:, list(greedy)].any(axis=1).all()


def test_greedy_takes_the_largest_gain():
    A = np.array([[1, 0, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0]])
    assert reductions.greedy_cover(A) == (0, 1) and reductions.greedy_cover(A, "last") == (2, 1, 0)


def test_twelve_elements_and_six_sets():
    assert covers(A12, 2) == [] and covers(A12, 3) == [(2, 3, 4)] == [
        reductions.smallest_cover(A12)
    ]
    assert (0, 1, 3, 5) in covers(A12, 4) and not any(set(c) < {0, 1, 3, 5} for c in covers(A12, 3))
    assert len(reductions.greedy_cover(A12)) == 4 and len(reductions.greedy_cover(A12, "last")) == 3
    run = play(Winnow(6), A12, np.ones(12, int))
    assert run.mistakes == 7 and run.weights[-1].tolist() == [8, 4, 8, 8, 4, 2]


@pytest.mark.parametrize("j", [1, 2, 3, 5, 7])
def test_the_trap_for_greedy(j):
    A = streams.greedy_trap(j)
    assert A.shape == (2 * (2**j - 1), j + 2) and reductions.find_cover(A, 2) is not None
    assert reductions.greedy_cover(A) == (tuple(range(2, j + 2)) if j > 1 else (2,))
    assert A[:, [0, 1]].sum() == len(A) and A[:, 2:].sum() == len(A)


# Disjunctions -------------------------------------------------------------------------------------


@MODEST
@given(MATRICES, st.data())
def test_smallest_disjunctions_agree_with_brute_force(X, data):
    X, y = X[:, :4], data.draw(arrays(int, len(X), elements=BITS))
    n = X.shape[1]
    for negations, literals in (
        (False, range(1, n + 1)),
        (True, [s * i for i in range(1, n + 1) for s in (1, -1)]),
    ):
        sizes = [
            k
            for k in range(len(literals) + 1)
            if any((Or(*c)(X) == y).all() for c in combinations(literals, k))
        ]
        for k in range(1, n + 1):
            found = reductions.find_disjunction(X, y, k, negations)
            assert (found is None) == (not sizes or k < sizes[0])
            assert found is None or ((found(X) == y).all() and len(found.parts) <= k)
        if sizes:
            assert len(reductions.smallest_disjunction(X, y, negations).parts) == sizes[0]
        else:
            with pytest.raises(
                ValueError,
                match="no disjunction explains the labels: every literal that is true in row",
            ):
                reductions.smallest_disjunction(X, y, negations)


@MODEST
@given(MATRICES)
def test_covers_are_disjunctions_with_and_without_negations(A):
    k = fewest(A)
    for negations in (False, True):
        X, y = cover_to_disjunction(A, negations)
        rule = None if k in (0, None) else reductions.smallest_disjunction(X, y, negations)
        if rule is not None:
            assert len(rule.parts) == k and rule.monotone
        for size in range(1, A.shape[1] + 1):
            assert (reductions.find_disjunction(X, y, size, negations) is None) == (
                k is None or size < k
            )


# Proofs -------------------------------------------------------------------------------------------


@MODEST
@given(formulas())
def test_proof_of_set_cover_both_ways(case):
    cnf, m = case
    for x in satisfying(cnf, m):
        book = proofs.cover_from_assignment(cnf, x)
        assert len(book.lines) == 5 and book.holds, f"\n{book}"
    for columns in covers(sat_to_cover(cnf, m).A, m):
        book = proofs.assignment_from_cover(cnf, columns, m)
        assert len(book.lines) == 6 and book.holds, f"\n{book}"


@MODEST
@given(MATRICES)
def test_proofs_about_covers(A):
    if fewest(A) is None:
        with pytest.raises(HypothesisError, match="is in no set"):
            proofs.greedy_cover_bound(A)
        return
    for ties in ("first", "last"):
        book = proofs.greedy_cover_bound(A, ties)
        assert len(book.lines) == 6 and book.holds, f"\n{book}"
        assert book.value == len(reductions.greedy_cover(A, ties)) and book.bound == pytest.approx(
            fewest(A) * np.log(len(A)) + 1
        )
        left, k = book.lines[3].lhs, fewest(A)
        assert book.lines[2].rhs == pytest.approx(left[:-1] * (k - 1) / k)
        assert book.lines[3].rhs == pytest.approx(
            [len(A) / np.e ** (t / k) for t in range(len(left))]
        )
    book = proofs.disjunction_from_cover(A, reductions.smallest_cover(A))
    assert len(book.lines) == 3 and book.holds


def test_a_worse_than_greedy_cover_breaks_the_line_of_the_gain(monkeypatch):
    """A search that takes the set with the least gain that is not 0."""

    def modest(A, ties):
        left, cover = np.ones(len(A), bool), []
        while left.any():
            gain = A[left].sum(axis=0)
            cover.append(int(np.flatnonzero(gain == gain[gain > 0].min())[0]))
            left &= ~A[:, cover[-1]]
        return tuple(cover)

    A = np.hstack([np.eye(9, dtype=int), np.ones((9, 1), int)])
    monkeypatch.setattr("olc_helpers.sparsity.theorems.greedy_cover", modest)
    book = proofs.greedy_cover_bound(A)
    assert book.first_violation == (2, 1) and not book.lines[-1].holds


def test_hypotheses_of_the_proofs():
    f = And(Or(1, 2), -1)
    with pytest.raises(HypothesisError, match="must satisfy the formula; clause 2 is false"):
        proofs.cover_from_assignment(f, [1, 1])
    with pytest.raises(HypothesisError, match="c1, v2 is not covered"):
        proofs.assignment_from_cover(f, (1,))
    with pytest.raises(HypothesisError, match="at most q = 2 sets; there are 3"):
        proofs.assignment_from_cover(f, (0, 1, 2))
    with pytest.raises(HypothesisError, match=r"columns must be in 0 … 3; they are \[4\]"):
        proofs.assignment_from_cover(f, (4,))
    with pytest.raises(HypothesisError, match="row 0 is not covered"):
        proofs.disjunction_from_cover([[0, 1], [1, 1]], (0,))


# Figures ------------------------------------------------------------------------------------------


def test_thresholds_keep_off_the_edges_of_their_picture():
    """Titles and axes stand at least four pixels inside; the corners are those of the functions."""
    fig = pictures.boolean_thresholds()
    fig.png()
    width, height = fig.bbox.size
    for ax in fig.axes:
        box = ax.get_tightbbox(fig.paper.get_renderer())
        assert 4 <= box.x0 and box.x1 <= width - 4 and 4 <= box.y0 and box.y1 <= height - 4
    shown = [[text.get_text() for text in ax.texts[:4]] for ax in fig.axes]
    assert shown == [list("0111"), list("0001"), list("0110")]


@MODEST
@given(MATRICES, st.data())
def test_all_consistent_rules_are_listed(X, data):
    y = data.draw(arrays(int, len(X), elements=BITS))
    n = X.shape[1]
    listed = {tuple(rule.tolist()) for rule in pictures.consistent_rules(X, y)}
    assert listed == {u for u in product((0, 1), repeat=n) if ((X @ u > 0) == y).all()}


@pytest.mark.parametrize("p", [0.5, 0.2])
def test_errors_of_rules_are_exact(p):
    X = cube(5)
    weight = np.prod(np.where(X == 1, p, 1 - p), axis=1)
    truth = X[:, :2].max(axis=1)
    expected = [weight[(X @ u > 0) != truth].sum() for u in X]
    assert pictures.rule_errors(X, 2, p) == pytest.approx(expected)


@replays("w9gen002")
@pytest.mark.parametrize(("n", "examples"), [(60, 20), (40, 16)])
def test_longer_rules_err_more_on_average(n, examples, seed):
    """The mean error of the shortest rules that explain the examples against that of the longest
    one, over 30 samples; with fewer than nine negative examples there are too many rules.
    """
    gaps, samples = [], (streams.disjunction(examples, n, 3, rng=[seed, i]) for i in range(200))
    for X, y in islice((sample for sample in samples if (sample[1] == 0).sum() > 8), 30):
        rules = pictures.consistent_rules(X, y)
        size, error = rules.sum(axis=1), pictures.rule_errors(rules, 3, 1 - 2 ** (-1 / 3))
        gaps.append(error[size == size.max()].mean() - error[size == size.min()].mean())
    assert np.mean(gaps) > 3 * np.std(gaps, ddof=1) / np.sqrt(30)


@replays("a13a3490")
@pytest.mark.parametrize(("elements", "sets"), [(24, 16), (40, 20)])
def test_greedy_is_often_but_not_always_smallest(elements, sets, seed):
    rng, found = np.random.default_rng(seed), []
    for _ in range(60):
        A = pictures.random_cover(elements, sets, rng)
        found.append(len(reductions.greedy_cover(A)) - len(reductions.smallest_cover(A)))
    assert 0.3 < np.mean(np.array(found) == 0) < 0.95 and max(found) <= 3


# Bad input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: sat_to_cover(And(1, Or(2, -7)), 5),
            r"clause 2, x2 ∨ ¬x7, speaks of x7, but there are only q = 5 variables",
        ),
        (
            lambda: reductions.find_assignment(And(3), 2),
            r"clause 1, x3, speaks of x3, but there are only q = 2",
        ),
        (lambda: sat_to_cover(Or(And(1, 2), 3)), r"is not in conjunctive normal form"),
        (lambda: reductions.find_disjunction(A12, np.ones(12, int), 7), r"k must be at most n = 6"),
        (
            lambda: reductions.find_disjunction(A12, np.ones(12, int), 0),
            r"k must be a whole number >= 1; got 0",
        ),
        (
            lambda: reductions.find_disjunction(2 * A12, np.ones(12, int), 3),
            r"every entry of X must be 0 or 1; X\[0, 0\] is 2",
        ),
        (
            lambda: reductions.find_disjunction(A12, -np.ones(12, int), 3),
            r"every entry of y must be 0 or 1; y\[0\] is -1 \(these look",
        ),
        (
            lambda: reductions.smallest_disjunction(A12, np.ones(3, int)),
            r"X must have a row for each label; X has the shape \(12, 6\)",
        ),
        (
            lambda: reductions.smallest_disjunction([[1, 0], [1, 0]], [0, 1]),
            r"every literal that is true in row 1 of X",
        ),
        (
            lambda: reductions.smallest_cover([[1, 0], [0, 0]]),
            r"row 1 of A is 0: the element is in no set, so nothing covers it",
        ),
        (lambda: reductions.greedy_cover([[0]]), r"row 0 of A is 0"),
        (
            lambda: reductions.greedy_cover(A12, "middle"),
            r"ties must be 'first' or 'last'; got 'middle'",
        ),
        (lambda: reductions.find_cover(A12, -1), r"k must be a whole number >= 0; got -1"),
        (
            lambda: reductions.find_cover(A12[0], 1),
            r"a row for each element and a column for each set; its shape is \(6,\)",
        ),
        (
            lambda: reductions.cover_to_assignment((0, 1), 1),
            r"columns must hold one of x1 and ¬x1; they hold both",
        ),
        (
            lambda: reductions.cover_to_assignment((0,), 2),
            r"columns must hold one of x2 and ¬x2; they hold neither",
        ),
        (
            lambda: reductions.cover_to_assignment((5,), 2),
            r"columns must be whole numbers from 0 to 3; got \[5\]",
        ),
        (lambda: streams.random_cnf(2, 3, width=3), r"k must be at most n = 2"),
        (lambda: streams.greedy_trap(0), r"j must be a whole number >= 1"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_random_formulas_have_the_shape_that_was_asked_for():
    cnf = streams.random_cnf(6, 20, 3, rng=0)
    assert (
        len(cnf.clauses) == 20
        and all(len({abs(i) for i in clause}) == 3 for clause in cnf.clauses)
        and cnf.n <= 6
    )
    assert any(i < 0 for clause in cnf.clauses for i in clause) and cnf == streams.random_cnf(
        6, 20, 3, rng=0
    )
    assert (
        cnf != streams.random_cnf(6, 20, 3, rng=1)
        and (cnf(cube(6)) == [truth(cnf, x) for x in cube(6)]).all()
    )
