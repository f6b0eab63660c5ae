"""Satisfiability, set cover and small disjunctions (lecture 13): each turned into the next, and
exact solvers for small sizes.

A formula in conjunctive normal form is an `And` of `Or`s from `booleans`. A cover problem is a
matrix A of bits: row e is an element, column s a set, and the entry is 1 if the set holds the
element. A cover is a tuple of columns. A disjunction that explains rows with labels is an `Or` of
literals, or None if there is none.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import indices
from ..checks import check_count, check_values
from ..winnow.booleans import Formula, Or, check_formula, check_size, cube, with_negations

__all__ = [
    "Cover",
    "assignment_to_cover",
    "brute_force_assignment",
    "cover_to_assignment",
    "cover_to_disjunction",
    "disjunction_to_cover",
    "find_assignment",
    "find_cover",
    "find_disjunction",
    "greedy_cover",
    "sat_to_cover",
    "smallest_cover",
    "smallest_disjunction",
]


class Cover(NamedTuple):
    """A set cover problem (NP-D4): do k of the sets, the columns of A, hold all elements, its
    rows?
    """

    A: np.ndarray
    k: int
    elements: tuple[str, ...]
    sets: tuple[str, ...]


# Satisfiability -----------------------------------------------------------------------------------


def _clauses(cnf: Formula, q: int | None):
    """Return the clauses of a formula and its number of variables, or raise for a variable beyond
    x_q.
    """
    check_formula(cnf)
    clauses, q = cnf.clauses, check_count("q", max(cnf.n, 1) if q is None else q)
    for j, clause in enumerate(clauses, 1):
        unknown = [abs(literal) for literal in clause if abs(literal) > q]
        if unknown:
            raise ValueError(
                f"clause {j}, {Or(*clause)}, speaks of x{unknown[0]}, but there are only q = {q}"
                " variables"
            )
    return clauses, q


def find_assignment(cnf: Formula, q: int | None = None) -> np.ndarray | None:
    """Return bits for x_1 … x_q that make the formula true, or None if it is unsatisfiable (NP-D3).

    Take a shortest clause. If one literal is left in it, that must be true; else both values are
    tried. What is decided is struck out, and an empty clause means a dead end (the method of Davis,
    Putnam, Logemann and Loveland).
    """
    clauses, q = _clauses(cnf, q)

    def search(clauses, true):
        if not clauses:
            return true
        shortest = min(clauses, key=len)
        choices = [shortest[0], -shortest[0]][: len(shortest)] if shortest else []
        for choice in choices:
            left = [
                [literal for literal in clause if literal != -choice]
                for clause in clauses
                if choice not in clause
            ]
            if (found := search(left, [*true, choice])) is not None:
                return found
        return None

    true = search([list(dict.fromkeys(clause)) for clause in clauses], [])
    return None if true is None else np.array([int(i in true) for i in range(1, q + 1)])


def brute_force_assignment(cnf: Formula, q: int | None = None) -> np.ndarray | None:
    """Return the first row of all 2^q assignments that makes the formula true, or None (NP-D3)."""
    _, q = _clauses(cnf, q)
    X = cube(q)
    true = np.flatnonzero(cnf(X))
    return X[true[0]] if len(true) else None


# From a formula to a cover and back ---------------------------------------------------------------


def sat_to_cover(cnf: Formula, q: int | None = None) -> Cover:
    """Return the cover problem that has a cover of q sets if and only if the formula is satisfiable
    (NP-T2).

    Its sets are the literals x1, ¬x1, x2, ¬x2, …; its elements are the clauses c_j and the
    variables v_i. A literal holds the clauses in which it occurs, and its own variable.
    """
    clauses, q = _clauses(cnf, q)
    literals = [s * i for i in range(1, q + 1) for s in (1, -1)]
    in_clause = [[int(literal in clause) for literal in literals] for clause in clauses]
    of_variable = [[int(abs(literal) == i) for literal in literals] for i in range(1, q + 1)]
    elements = [f"c{j}" for j in range(1, len(clauses) + 1)] + [f"v{i}" for i in range(1, q + 1)]
    return Cover(
        np.array(in_clause + of_variable),
        q,
        tuple(elements),
        tuple(str(Or(literal)) for literal in literals),
    )


def assignment_to_cover(x: ArrayLike) -> tuple[int, ...]:
    """Return the columns of the true literals: x_i if x_i = 1, else ¬x_i (NP-P1)."""
    return tuple(np.flatnonzero(with_negations(x)).tolist())


def cover_to_assignment(columns: Iterable[int], q: int) -> np.ndarray:
    """Return the assignment that makes the literals of a cover true; for each variable it must have
    one of the two (NP-P1).
    """
    columns = indices("columns", columns, 2 * check_count("q", q))
    chosen = np.isin(np.arange(2 * q), columns).reshape(q, 2)
    for i, count in enumerate(chosen.sum(axis=1), 1):
        if count != 1:
            raise ValueError(
                f"columns must hold one of x{i} and ¬x{i}; they hold"
                f" {'both' if count else 'neither'}"
            )
    return chosen[:, 0].astype(int)


# Covers -------------------------------------------------------------------------------------------


def _matrix(A) -> np.ndarray:
    A = check_values("A", A, "bits")
    if A.ndim != 2:
        raise ValueError(
            f"A must have a row for each element and a column for each set; its shape is {A.shape}"
        )
    return A.astype(bool)


def _check_coverable(A):
    alone = np.flatnonzero(~A.any(axis=1))
    if len(alone):
        raise ValueError(
            f"row {alone[0]} of A is 0: the element is in no set, so nothing covers it"
        )


def find_cover(A: ArrayLike, k: int) -> tuple[int, ...] | None:
    """Return at most k columns of A that cover all rows, or None if there are none (NP-D4).

    Some set must hold the first element that is not covered, so each set that does is tried in
    turn. Elements that few sets hold come first. k sets that are too small for what is left are
    given up at once.
    """
    A = _matrix(A)
    k = check_count("k", k, 0)
    sets = [sum(1 << e for e in np.flatnonzero(column).tolist()) for column in A.T]
    order = np.argsort(A.sum(axis=1), kind="stable").tolist()
    largest = int(A.sum(axis=0).max(initial=0))

    def search(left, k):
        if not left:
            return ()
        if left.bit_count() > k * largest:
            return None
        element = next(e for e in order if left >> e & 1)
        for s in np.flatnonzero(A[element]).tolist():
            if (rest := search(left & ~sets[s], k - 1)) is not None:
                return (s, *rest)
        return None

    found = search((1 << len(A)) - 1, k)
    return None if found is None else tuple(sorted(found))


def smallest_cover(A: ArrayLike) -> tuple[int, ...]:
    """Return a cover with as few columns of A as possible; exact, so the time may grow
    exponentially (NP-D4).
    """
    A = _matrix(A)
    _check_coverable(A)
    return next(cover for k in range(A.shape[1] + 1) if (cover := find_cover(A, k)) is not None)


def greedy_cover(A: ArrayLike, ties: str = "first") -> tuple[int, ...]:
    """Return a cover in the order in which it is built: always the column with most uncovered rows
    (NP-D4).

    Of several such columns it takes the first, or the last with ties="last".
    """
    A = _matrix(A)
    _check_coverable(A)
    if ties not in ("first", "last"):
        raise ValueError(f"ties must be 'first' or 'last'; got {ties!r}")
    left = np.ones(len(A), bool)
    cover: list[int] = []
    while left.any():
        gain = A[left].sum(axis=0)
        cover.append(int(np.flatnonzero(gain == gain.max())[0 if ties == "first" else -1]))
        left &= ~A[:, cover[-1]]
    return tuple(cover)


# From a cover to a disjunction and back -----------------------------------------------------------


def cover_to_disjunction(A: ArrayLike, negations: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return examples (X, y) that a disjunction of k variables explains if and only if k columns
    cover A (NP-T3).

    The rows of A are positive examples. If the disjunction may use negated literals, a negative
    example of zeros is needed: each ¬x_i is true on it, so none can be used.
    """
    A = _matrix(A).astype(int)
    if not negations:
        return A, np.ones(len(A), int)
    return np.vstack([A, np.zeros(A.shape[1], int)]), np.append(np.ones(len(A), int), 0)


def disjunction_to_cover(X: ArrayLike, y: ArrayLike) -> np.ndarray:
    """Return the matrix A whose covers are the monotone disjunctions that explain the labels,
    column i for x_{i+1} (NP-T3).

    Its rows are the positive examples. A variable that is 1 on a negative example can't be used:
    its column is 0.
    """
    X, y = check_values("X", X, "bits"), check_values("y", y, "bits")
    if X.ndim != 2 or y.shape != (len(X),):
        raise ValueError(
            f"X must have a row for each label; X has the shape {X.shape}, y {y.shape}"
        )
    return X[y == 1].astype(int) * (X[y == 0] == 0).all(axis=0)


def find_disjunction(X: ArrayLike, y: ArrayLike, k: int, negations: bool = False) -> Or | None:
    """Return a disjunction of at most k literals that explains the labels, or None if there is none
    (NP-D2).
    """
    check_size(k, np.shape(X)[-1] * (1 + negations))
    columns = find_cover(disjunction_to_cover(with_negations(X) if negations else X, y), k)
    return None if columns is None else _disjunction(columns, negations)


def smallest_disjunction(X: ArrayLike, y: ArrayLike, negations: bool = False) -> Or:
    """Return a disjunction of as few literals as possible that explains the labels (NP-D2); exact,
    exponential at worst.
    """
    A = disjunction_to_cover(with_negations(X) if negations else X, y)
    alone = np.flatnonzero(np.asarray(y) == 1)[~A.any(axis=1)]
    if len(alone):
        raise ValueError(
            f"no disjunction explains the labels: every literal that is true in row {alone[0]} of"
            " X, which is positive, is true in some negative row too"
        )
    return _disjunction(smallest_cover(A), negations)


def _disjunction(columns, negations):
    return Or(*((c // 2 + 1) * (1 - 2 * (c % 2)) if negations else c + 1 for c in columns))
