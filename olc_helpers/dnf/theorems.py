"""The theorems of lecture 14: the kernel identity, DNF by the kernel Perceptron and by Winnow on
all monomials, and three terms as three colours.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import check_values
from ..ledger import Proof, as_hypothesis, assume, claim, theorem
from ..protocol import Run
from ..winnow.booleans import And, Formula, Or
from ..winnow.learners import Winnow
from ..winnow.theorems import (
    assume_labels,
    winnow_at_most,
    winnow_quantities,
    winnow_refined_at_most,
)
from .kernels import AnovaKernel, anova_kernel, monomials, terms
from .learners import exact_score
from .nature import graph_examples

__all__ = [
    "colouring_from_terms",
    "kernel_identity",
    "kernel_perceptron_dnf",
    "terms_from_colouring",
    "winnow_dnf",
]


@theorem(r"\Phi(x)\cdot\Phi(z) = \prod_i (1 + x_i z_i)", items="DNF-L1", lecture="14")
def kernel_identity(X: ArrayLike, Z: ArrayLike) -> Proof:
    """The kernel identity.

    For all real x and z.

    It is evaluated for each row of X and the same row of Z.

    >>> kernel_identity(booleans.cube(4), booleans.cube(4)[::-1]).holds
    True
    """
    X, Z = check_values("X", X, "bits"), check_values("Z", Z, "bits")
    assume(
        X.ndim == 2 and X.shape == Z.shape,
        f"X and Z must be matrices of one shape; they have {X.shape} and {Z.shape}",
    )
    both = (monomials(X) * monomials(Z)).sum(axis=1)
    one_by_one = np.ones((len(X), 1))
    for i in range(X.shape[1]):
        one_by_one = np.hstack([one_by_one, one_by_one * (X * Z)[:, i, None]])
    yield claim(
        r"\Phi(x)\cdot\Phi(z) = \sum_I \prod_{i\in I} x_i z_i",
        both,
        one_by_one.sum(axis=1),
        of="rows",
    ).because("the product of two monomials of S is the monomial of the products")
    yield claim(
        r"\sum_I \prod_{i\in I} x_i z_i = \prod_i (1 + x_i z_i)",
        one_by_one.sum(axis=1),
        np.prod(1 + X * Z, axis=1),
        of="rows",
    ).because("multiply out: from each factor take 1, or x_i z_i for i in I")
    yield claim(
        r"\prod_i (1 + x_i z_i) = 2^{x\cdot z}",
        np.prod(1 + X * Z, axis=1),
        2.0 ** (X * Z).sum(axis=1),
        of="rows",
    ).because("for bits: a factor is 2 if both are 1, else 1")


def _features(run, target, kernel, n):
    """Return the terms of a target that are features of the kernel, after checking that it labels
    the rows.
    """
    assume(isinstance(kernel, AnovaKernel), f"the kernel must be an AnovaKernel; it is {kernel!r}")
    with as_hypothesis():
        found = {frozenset(term) for term in target.terms}
    assume_labels(target, run.X, run.y == 1, run.y)
    features = [And(*sorted(term, key=lambda literal: (abs(literal), -literal))) for term in found]
    for term, shown in zip(found, features, strict=True):
        assume(term, "the target must not contain the empty term, which is always true")
        assume(
            kernel.negations or shown.monotone,
            f"the term {shown} is no feature: it needs negations=True",
        )
        assume(not any(-literal in term for literal in term), f"the term {shown} can't be true")
        assume(
            kernel.degree is None or len(term) <= kernel.degree,
            f"the term {shown} has more than {kernel.degree} literals",
        )
    return features


def _scores(run, kernel):
    """Return w_t·Φ(x_t) for t = 1 … T and ‖w_t‖² for t = 1 … T+1, where w_t adds up y Φ(x) over the
    mistakes before t.
    """
    wrong = np.flatnonzero(run.mistake)
    rows, alpha = run.X[wrong], run.y[wrong].astype(int)
    before = run.mistakes_before
    score = [
        exact_score(alpha[:m], kernel(rows[:m], x)) if m else 0
        for x, m in zip(run.X, before[:-1], strict=True)
    ]
    gram = kernel(rows, rows).astype(object) * np.outer(alpha, alpha)
    size = [0, *np.cumsum(np.cumsum(gram, axis=0), axis=1).diagonal()] if len(wrong) else [0]
    return np.array(score, float), np.array([float(size[m]) for m in before])


def kernel_perceptron_at_most(N: float, k: int) -> float:
    """Return the bound on the kernel Perceptron's mistakes for k of N features (DNF-T1)."""
    return (4 * k + 1) * N


@theorem(r"M \le (4k+1)\,2^n", items="DNF-T1 DNF-A1", lecture="14")
def kernel_perceptron_dnf(run: Run, target: Formula) -> Proof:
    """The kernel Perceptron's mistake bound on a DNF of k terms.

    Labels are those of a DNF with k terms, as -1 and +1; no term is empty, and each is a
    feature of the kernel: without negations and of at most its degree, unless the kernel has
    them. The Perceptron starts at w_1 = 0.

    N is the largest value of K, 2^n without a degree.

    >>> target = booleans.formula("x1 x2 ∨ x3 x4")
    >>> X, y = streams.labelled(target, T=60, n=6)
    >>> kernel_perceptron_dnf(play(KernelPerceptron(anova_kernel), X, 2 * y - 1), target).holds
    True
    """
    kernel: Any = getattr(run.learner, "kernel", None)
    n, y, on = run.X.shape[1], run.y, run.mistake
    features = _features(run, target, kernel, n)
    k, N, M = len(features), float(kernel.counts(n)[-1]), run.mistakes_before
    score, size = _scores(run, kernel)
    true = sum((term(run.X) for term in features), np.zeros(len(run), int))
    along = np.append(0, np.cumsum(np.where(on, y * (2 * true - 1), 0)))
    yield claim(r"u\cdot\Phi(x_t) \ge 1", 2 * true - 1, 1, on=y == 1).because(
        "positive: 2 for each true term, at least one, and -1"
    )
    yield claim(r"u\cdot\Phi(x_t) = -1", 2 * true - 1, -1, on=y == -1).because(
        "negative: no term is true"
    )
    yield claim(
        r"\hat y_t = \mathrm{sign}(\sum_j y_j K(x_j,x_t))", run.predictions, np.sign(score)
    ).because("w_t·Φ(x_t) by the kernel, summed over the mistakes before t")
    yield claim(r"y_t\,w_t\cdot\Phi(x_t) \le 0", y * score, 0, on=on).because("a mistake")
    yield claim(r"K(x_t,x_t) \le N", [float(kernel(x, x)) for x in run.X], N).because(
        "no input makes more than N features 1"
    )
    yield claim(r"\|w_t\|^2 \le M_t\,N", size, M * N).because(
        "each mistake adds 2 y w·Φ(x) ≤ 0 and K(x,x): lines 4 and 5"
    )
    yield claim(r"w_t\cdot u \ge M_t", along, M).because(
        "each mistake adds y u·Φ(x) ≥ 1: lines 1 and 2"
    )
    yield claim(r"M^2 \le \|w_{T+1}\|^2\,(4k+1)", M[-1] ** 2, size[-1] * (4 * k + 1)).because(
        "Cauchy–Schwarz; ‖u‖² = 4k + 1: 2 for each of k terms, -1 for the constant"
    )
    most = kernel_perceptron_at_most(N, k)
    yield claim(r"M \le (4k+1)\,N", M[-1], most).because("lines 6 and 8, divided by M")


def _expanded(run):
    """Return the run on all monomials, with the weights that the mistakes give: lg w_t = Σ_j (y_j -
    ŷ_j) Φ(x_j).
    """
    assume(
        run.X.shape[1] <= 12,
        "the proof writes down 2^n weights for each trial: n must be at most 12; it is"
        f" {run.X.shape[1]}",
    )
    with as_hypothesis():
        check_values("X", run.X, "bits"), check_values("y", run.y, "bits")
    Phi = monomials(run.X).astype(int)
    gain = np.where(run.mistake, 2 * run.y.astype(int) - 1, 0)
    lg_w = np.vstack([np.zeros(Phi.shape[1]), np.cumsum(gain[:, None] * Phi, axis=0)])
    return Run.of(Winnow(Phi.shape[1]), Phi, run.y, run.predictions, 2.0**lg_w, np.log(2) * lg_w)


@theorem(r"M \le 2 + 3k(n+1)", items="DNF-T2 DNF-C2", lecture="14")
def winnow_dnf(run: Run, target: Formula) -> Proof:
    """Winnow's mistake bound on a monotone DNF of k terms.

    Labels are those of a DNF with k terms, none of them empty and all without negations; Winnow
    starts from equal weights 1, its factor is 2 and its threshold N.

    Its features are the N = 2^n monomials.

    >>> target = booleans.formula("x1 x2 ∨ x3 x4")
    >>> X, y = streams.labelled(target, T=60, n=6)
    >>> winnow_dnf(play(MonomialWinnow(6), X, y), target).holds
    True
    """
    n, expanded = run.X.shape[1], _expanded(run)
    columns = [terms(n).index(term) for term in _features(run, target, anova_kernel, n)]
    q, N = winnow_quantities(expanded, Or(*(c + 1 for c in columns)), 2), 2.0**n
    W, k, M = q.W, q.k, run.mistakes
    yield claim(r"\max_{i\in \mathcal T} \Phi_i(x_t) = y_t", q.x.max(axis=1), run.y).because(
        "the target is a disjunction of k monomials, the set T"
    )
    yield claim(
        r"\hat y_t = [\,w_t\cdot\Phi(x_t) \ge N\,]",
        run.predictions,
        np.einsum("ti,ti->t", expanded.weights[:-1], expanded.X) >= N,
    ).because("the rule; lg w_t = Σ (y_j - ŷ_j) Φ(x_j) over the mistakes before t")
    yield claim(r"M^+_t \le \Lambda_t", q.up, q.log_w.sum(axis=1)).because(
        "Λ_t = Σ lg w over T: a positive mistake doubles one of these weights, a negative one"
        " halves none"
    )
    yield claim(r"\max_{i\in \mathcal T} \lg w_{t,i} \le n", q.log_w.max(axis=1), n).because(
        "a weight that doubles was below N = 2^n, so at most N/2"
    )
    yield claim(r"M^+ \le kn", q.up[-1], k * n).because("lines 3 and 4: k weights")
    yield claim(r"W_{t+1} \le W_t + N", W[1:], W[:-1] + N, on=q.positive).because(
        "positive mistake: w·Φ is added, which is below N"
    )
    yield claim(r"W_{t+1} \le W_t - N/2", W[1:], W[:-1] - N / 2, on=q.negative).because(
        "negative mistake: half of w·Φ is lost, which is at least N/2"
    )
    yield claim(r"M^- \le 2M^+ + 1", q.down[-1], 2 * q.up[-1] + 1).because(
        "0 < W ≤ N + N M⁺ - (N/2) M⁻, and these are whole numbers"
    )
    yield claim(r"M \le 3kn + 1", M, winnow_refined_at_most(2**n, k)).because("lines 5 and 8")
    yield claim(r"M \le 2 + 3k(n+1)", M, winnow_at_most(N, k)).because(
        "Winnow's bound with lg N = n; line 9 is sharper"
    )


# Three terms and three colours --------------------------------------------------------------------


def _on(terms, X):
    """Return which terms, a column each, are true on the rows of X."""
    return np.stack([term(X) for term in terms], axis=1)


@theorem(
    r"\text{three colours} \Rightarrow \text{three terms explain}", items="NP-T5", lecture="14"
)
def terms_from_colouring(n: int, edges: Iterable[tuple[int, int]], colours: Sequence[int]) -> Proof:
    """From a colouring with three colours to a DNF of three terms.

    No edge joins two vertices of the same colour, 1, 2 or 3. The term T_r is the "and" of the
    variables of the vertices that don't have colour r.

    >>> terms_from_colouring(6, streams.PRISM, [1, 2, 3, 2, 3, 1]).holds
    True
    """
    edges, c = [*edges], np.asarray(colours)
    with as_hypothesis():
        X, y = graph_examples(n, edges)
    assume(c.shape == (n,) and np.isin(c, (1, 2, 3)).all(), f"{n} colours must be 1, 2 or 3")
    for i, j in edges:
        assume(c[i - 1] != c[j - 1], f"the edge {(i, j)} must not join two vertices of one colour")
    left = c[:, None] != [1, 2, 3]  # is x_i in T_r?
    terms = [And(*(np.flatnonzero(column) + 1)) for column in left.T]
    ends = np.array(edges, int).reshape(-1, 2) - 1
    yield claim(
        r"T_{c(i)}(a_i) = 1", _on(terms, X[:n])[np.arange(n), c - 1], 1, of="vertices"
    ).because("vertex i: the only 0 of a_i is x_i, and the term of its colour leaves x_i out")
    yield claim(
        r"\min_r |\{i,j\}\cap T_r| \ge 1",
        left[ends].sum(axis=1).min(axis=1, initial=3),
        1,
        of="edges",
    ).because("edge {i, j}: r differs from c(i) or from c(j), so x_i or x_j is in T_r")
    yield claim(r"\max_r T_r(a_{ij}) = 0", _on(terms, X[n:]).max(axis=1), 0, of="edges").because(
        "edge {i, j}: line 2, and x_i = x_j = 0 in its example"
    )
    yield claim(r"(T_1 \vee T_2 \vee T_3)(x_t) = y_t", Or(*terms)(X), y, of="examples").because(
        "lines 1 and 3"
    )


@theorem(
    r"\text{three terms explain} \Rightarrow \text{three colours}", items="NP-T5", lecture="14"
)
def colouring_from_terms(n: int, edges: Iterable[tuple[int, int]], target: Formula) -> Proof:
    """From a DNF of three terms to a colouring with three colours.

    The DNF has at most three terms, with negations or without, and explains the examples of the
    graph. The colour c(i) is the number of the first term that is true on a_i.

    >>> found = booleans.formula("x2 x3 x4 x5 ∨ x1 x3 x5 x6 ∨ x1 x2 x4 x6")
    >>> colouring_from_terms(6, streams.PRISM, found).holds
    True
    """
    edges = [*edges]
    with as_hypothesis():
        X, y = graph_examples(n, edges)
        terms = [And(*term) for term in target.terms]
    assume(1 <= len(terms) <= 3, f"there must be one to three terms; there are {len(terms)}")
    assume_labels(target, X, y, y)
    on = _on(terms, X)
    c, ends = on[:n].argmax(axis=1) + 1, np.array(edges, int).reshape(-1, 2) - 1
    yield claim(r"\max_r T_r(a_i) = 1", on[:n].max(axis=1), 1, of="vertices").because(
        "vertex i: a_i is positive, so some term is true on it, and c(i) is the first one"
    )
    yield claim(
        r"\max_r\,[T_r(a_i) + T_r(a_j) - T_r(a_{ij})] \le 1",
        (on[ends].sum(axis=1) - on[n:]).max(axis=1),
        1,
        of="edges",
    ).because(
        "edge {i, j}: a term that is true on a_i and on a_j has no negation and neither x_i nor"
        " x_j, so it is true on the example of the edge"
    )
    yield claim(r"\max_r T_r(a_{ij}) = 0", on[n:].max(axis=1), 0, of="edges").because(
        "edge {i, j}: its example is negative, so no term is true on it"
    )
    yield claim(r"|c(i) - c(j)| \ge 1", abs(np.diff(c[ends]))[:, 0], 1, of="edges").because(
        "edge {i, j}: lines 2 and 3: no term is true on a_i and on a_j"
    )
