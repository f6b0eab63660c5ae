"""The proofs of lecture 13. They speak of clauses, variables, rows or steps instead of trials.

h(e) is the number of chosen sets that hold the element e, τ_t the number of true literals of clause
t.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Numbers, check_values
from ..ledger import HypothesisError, Proof, as_hypothesis, assume, claim, theorem
from ..winnow.booleans import Formula, with_negations
from .reductions import greedy_cover, sat_to_cover, smallest_cover

__all__ = [
    "assignment_from_cover",
    "cover_from_assignment",
    "disjunction_from_cover",
    "greedy_cover_bound",
]


def _true_literals(cnf, x):
    """Return how many literals of each clause the assignment makes true; a repeated literal counts
    once.
    """
    return np.array(
        [
            sum((x[abs(literal) - 1] == 1) == (literal > 0) for literal in set(clause))
            for clause in cnf.clauses
        ]
    )


def _chosen(A, columns):
    """Return the 0/1 vector of the chosen columns, after checking them."""
    chosen = np.zeros(A.shape[1], int)
    try:
        chosen[list(columns)] = 1
    except IndexError:
        raise HypothesisError(
            f"the columns must be in 0 … {A.shape[1] - 1}; they are {list(columns)}"
        ) from None
    return chosen


def _assume_cover(A, chosen, names):
    left = np.flatnonzero(A @ chosen == 0)
    assume(
        len(left) == 0,
        f"the sets must cover every element; {', '.join(names[e] for e in left)} is not covered",
    )


@theorem(
    r"\text{satisfiable} \Rightarrow q \text{ sets cover}", items="NP-T2 NP-P1 NP-Q1", lecture="13"
)
def cover_from_assignment(cnf: Formula, x: ArrayLike) -> Proof:
    """From an assignment to a cover.

    For a CNF formula with q variables and r clauses, and an assignment that satisfies it: its q
    sets cover all r + q elements.

    >>> cnf = booleans.formula("(x1 ∨ x2) ∧ (¬x1 ∨ x3) ∧ (¬x2 ∨ ¬x3)")
    >>> cover_from_assignment(cnf, [1, 0, 1]).holds
    True
    """
    x = np.asarray(x)
    q, A = len(x), sat_to_cover(cnf, len(x)).A
    true, chosen = _true_literals(cnf, x), with_negations(x)
    false = np.flatnonzero(true == 0)
    assume(
        len(false) == 0,
        lambda: f"the assignment must satisfy the formula; clause {false[0] + 1} is false",
    )
    count = A @ chosen
    yield claim(r"|\mathcal C| = q", chosen.sum(), q).because(
        "one set for each variable: S_i if x_i = 1, else its twin"
    )
    yield claim(r"h(v_t) = 1", count[-q:], 1, of="variables").because(
        "variable t: both S_t and its twin hold v_t, one is chosen"
    )
    yield claim(r"h(c_t) = \tau_t", count[:-q], true, of="clauses").because(
        "clause t: a set is chosen if its literal is true, and τ_t counts the true literals of the"
        " clause"
    )
    yield claim(r"\tau_t \ge 1", true, 1, of="clauses").because("clause t is true")
    yield claim(r"\min_e h(e) \ge 1", count.min(), 1).because(
        "lines 2 to 4: every element is covered"
    )


@theorem(
    r"q \text{ sets cover} \Rightarrow \text{satisfiable}", items="NP-T2 NP-P1 NP-Q1", lecture="13"
)
def assignment_from_cover(cnf: Formula, columns: Iterable[int], q: int | None = None) -> Proof:
    """From a cover to an assignment.

    For a CNF formula with q variables, and at most q of the 2q sets that cover all elements.

    >>> cnf = booleans.formula("(x1 ∨ x2) ∧ (¬x1 ∨ x3) ∧ (¬x2 ∨ ¬x3)")
    >>> assignment_from_cover(cnf, reductions.assignment_to_cover([1, 0, 1])).holds
    True
    """
    problem = sat_to_cover(cnf, q)
    A, q = problem.A, problem.k
    chosen = _chosen(A, columns)
    _assume_cover(A, chosen, problem.elements)
    assume(chosen.sum() <= q, f"there must be at most q = {q} sets; there are {chosen.sum()}")
    count, x = A @ chosen, chosen[::2]
    true = _true_literals(cnf, x)
    yield claim(r"h(v_t) \ge 1", count[-q:], 1, of="variables").because(
        "variable t: v_t is covered"
    )
    yield claim(r"\sum_i h(v_i) = |\mathcal C|", count[-q:].sum(), chosen.sum()).because(
        "each set holds exactly one v"
    )
    yield claim(r"|\mathcal C| \le q", chosen.sum(), q).because("the size that was asked for")
    yield claim(r"h(v_t) = 1", count[-q:], 1, of="variables").because(
        "variable t: q numbers ≥ 1 with a sum ≤ q are all 1"
    )
    yield claim(r"\tau_t = h(c_t)", true, count[:-q], of="clauses").because(
        "clause t: x_i = 1 if S_i is chosen, by line 4 else 0 and its twin is chosen"
    )
    yield claim(r"\tau_t \ge 1", true, 1, of="clauses").because("clause t: c_t is covered")


@theorem(
    r"k \text{ sets cover} \Leftrightarrow \text{a disjunction of } k \text{ explains}",
    items="NP-T3",
    lecture="13",
)
def disjunction_from_cover(A: ArrayLike, columns: Iterable[int]) -> Proof:
    """A cover is a disjunction.

    The rows of a table of bits are positive examples, and the chosen columns cover all rows.

    >>> disjunction_from_cover(streams.TWELVE_BY_SIX, (2, 3, 4)).holds
    True
    """
    A = check_values("A", A, "bits").astype(int)
    u = _chosen(A, columns)
    _assume_cover(A, u, [f"row {e}" for e in range(len(A))])
    yield claim(
        r"u\cdot x_t = h(t)", A @ u, A[:, sorted(set(columns))].sum(axis=1), of="rows"
    ).because("row t: the chosen sets that hold element t")
    yield claim(r"u\cdot x_t \ge 1", A @ u, 1, of="rows").because(
        "row t: covered, so the disjunction is true, as the label"
    )
    yield claim(r"\|u\|^2 = |\mathcal C|", u @ u, len(set(columns))).because("u is 0 or 1")


def greedy_at_most(k: int, m: Numbers) -> Numbers:
    """Return the bound on the greedy cover of m elements if k sets cover them (NP-D4)."""
    return k * np.log(m) + 1


@theorem(r"|\mathcal G| \le k\ln m + 1", items="NP-D4 NP-E1", lecture="13")
def greedy_cover_bound(A: ArrayLike, ties: str = "first") -> Proof:
    """The size of the greedy cover, if k of the sets cover the m elements.

    There are m >= 1 elements, and all sets together cover them; k is the size of a smallest
    cover.

    >>> greedy_cover_bound(streams.TWELVE_BY_SIX).holds
    True
    """
    A = check_values("A", A, "bits").astype(bool)
    assume(len(A) > 0, "there must be an element to cover")
    with as_hypothesis():
        greedy, k = greedy_cover(A, ties), len(smallest_cover(A))
    chosen, m = [list(greedy[:t]) for t in range(len(greedy) + 1)], len(A)
    left = np.array([(~A[:, columns].any(axis=1)).sum() for columns in chosen])
    gain = left[:-1] - left[1:]
    yield claim(r"b_1 = m", left[0], m).because("at first nothing is covered")
    yield claim(r"g_t \ge b_t/k", gain, left[:-1] / k, of="steps").because(
        "step t: k sets cover what is left, so one of them covers a k-th of it"
    )
    yield claim(
        r"b_{t+1} \le (1-\tfrac1k)\,b_t", left[1:], (1 - 1 / k) * left[:-1], of="steps"
    ).because("step t: line 2")
    yield claim(
        r"b_t \le m\,e^{-(t-1)/k}", left, m * np.exp(-np.arange(len(left)) / k), of="steps"
    ).because("line 3 from b_1 = m, and 1 - 1/k ≤ e^(-1/k)")
    yield claim(r"b_{|\mathcal G|} \ge 1", left[-2], 1).because(
        "before its last step something was left"
    )
    yield claim(r"|\mathcal G| \le k\ln m + 1", len(greedy), greedy_at_most(k, m)).because(
        "lines 4 and 5: 1 ≤ m e^(-(|G|-1)/k), solve for |G|"
    )
