"""The theorems of lectures 11 and 12: disjunctions, with and without noise; what only dot products
see; Exponentiated Gradient.
"""

from math import comb, lgamma
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import check_values
from ..experts.theorems import comparator, divergence, wm_bound, wm_constants
from ..ledger import Proof, as_hypothesis, assume, assume_game, claim, parameter, theorem
from ..losses import log_sum
from ..protocol import Run
from .booleans import Formula, Or

__all__ = [
    "attribute_errors",
    "eg_bound",
    "orthogonal_rows_bound",
    "perceptron_disjunction",
    "promotions",
    "winnow_bound",
    "winnow_refined",
    "winnow_with_noise",
    "wm_disjunctions",
]


def _variables(target):
    """Return the columns of the target's variables, after checking that it is a disjunction."""
    parts = target.parts if isinstance(target, Or) else ()
    clause = parts and not any(isinstance(part, Formula) for part in parts)
    assume(
        clause and target.monotone,
        f"the target must be a monotone disjunction, such as Or(1, 3); it is {target!r}",
    )
    return sorted(literal - 1 for literal in target.literals)


def assume_labels(target: Formula, X: ArrayLike, y: np.ndarray, labels: np.ndarray) -> None:
    """Assume that the target says y, which is what the labels mean, on every row of bits."""
    with as_hypothesis():
        wrong = np.flatnonzero(target(check_values("X", X, "bits")) != y)
    assume(
        len(wrong) == 0,
        lambda: (
            f"the labels must be those of {target}; on trial {wrong[0] + 1} the label is"
            f" {labels[wrong[0]]}"
        ),
    )


def winnow_quantities(
    run: Run, target: Formula, factor: float, noise: bool = False
) -> SimpleNamespace:
    """Return what the proofs about Winnow speak of; mistakes on positive and on negative examples
    are counted apart. Without noise the labels are those of the target.
    """
    relevant = _variables(target)
    if not noise:
        assume_labels(target, run.X, run.y, run.y)
    assume(run.log_weights is not None, "the learner must keep weights > 0 in an attribute w")
    positive, negative = run.mistake & (run.y == 1), run.mistake & (run.y == 0)
    up, down = (np.concatenate([[0], np.cumsum(kind)]) for kind in (positive, negative))
    log_w = run.log_weights / np.log(factor)
    return SimpleNamespace(
        n=run.X.shape[1],
        k=len(relevant),
        x=run.X[:, relevant],
        log_w=log_w[:, relevant],
        heaviest=np.where(run.X == 1, log_w[:-1], -np.inf).max(axis=1),
        W=run.weights.sum(axis=1),
        positive=positive,
        negative=negative,
        up=up,
        down=down,
    )


def _factor_two(run):
    factor = getattr(run.learner, "factor", 2)
    assume(
        factor == 2, f"the factor must be 2; it is {factor:g} (for others see winnow_with_noise)"
    )


def promotions(n: int, factor: float = 2, strict: bool = False) -> int:
    """Return how often a weight can be promoted before it predicts 1 alone (WIN-L3): ⌈lg n⌉, or ⌊lg
    n⌋ + 1 if strict.
    """
    c = 0
    while factor**c <= n if strict else factor**c < n:
        c += 1
    return c


def attribute_errors(X: ArrayLike, y: ArrayLike, target: Formula) -> np.ndarray:
    """Return how many bits of each row must change before the target, a monotone disjunction, gives
    its label (WIN-T4): for the label 0 the active variables of the target, for 1 one if there are
    none.
    """
    active = np.asarray(X)[:, _variables(target)].sum(axis=1)
    return np.where(np.asarray(y) == 1, active == 0, active)


# Winnow -------------------------------------------------------------------------------------------


def winnow_at_most(n: int, k: int) -> float:
    """Return the bound on Winnow's mistakes for k of n variables (WIN-T1)."""
    return 2 + 3 * k * (np.log2(n) + 1)


def winnow_refined_at_most(n: int, k: int, strict: bool = False) -> int:
    """Return the refined bound."""
    return 3 * k * promotions(n, 2, strict) + 1


def winnow_noise_at_most(n: int, k: int, A: Any, a: float = 2, strict: bool = False) -> Any:
    """Return the bound for A attribute errors and the factor a; Winnow makes fewer mistakes
    (WIN-T4).
    """
    return a / (a - 1) + (a + 1) * (k * promotions(n, a, strict) + A)


@theorem(r"M \le 2 + 3k(\lg n + 1)", items="WIN-T1 WIN-P1 WIN-L2 WIN-L3", lecture="11")
def winnow_bound(run: Run, target: Formula) -> Proof:
    """Winnow's mistake bound.

    Labels are those of a monotone disjunction of k >= 1 of the n variables; Winnow starts from
    equal weights 1, its factor is 2 and its threshold n, with either rule on ties.

    >>> X, y = streams.disjunction(T=100, n=40, k=3, rng=1)
    >>> winnow_bound(play(Winnow(40), X, y), booleans.Or(1, 2, 3)).holds
    True
    """
    _factor_two(run)
    q = winnow_quantities(run, target, 2)
    n, k, lg_n = q.n, q.k, np.log2(q.n)
    W, lg_w = q.W, q.log_w
    yield claim(r"\sum_{i\in\mathcal T} x_{t,i} \ge 1", q.x.sum(axis=1), 1, on=q.positive).because(
        "positive mistake: the target is true, so a relevant variable is active"
    )
    yield claim(
        r"\Lambda_{t+1} \ge \Lambda_t + 1",
        lg_w[1:].sum(axis=1),
        lg_w[:-1].sum(axis=1) + 1,
        on=q.positive,
    ).because(
        "positive mistake: its weight doubles; Λ_t counts the doublings of the target's weights"
    )
    yield claim(
        r"\min_{i\in\mathcal T} w_{t+1,i}/w_{t,i} \ge 1", 2 ** np.diff(lg_w, axis=0).min(axis=1), 1
    ).because("relevant weights never fall: on negative examples their variables are 0")
    yield claim(
        r"\max_{i:\,x_{t,i}=1} \lg w_{t,i} \le \lg n", q.heaviest, lg_n, on=q.positive
    ).because("positive mistake: each active weight is at most w·x, which is at most n")
    yield claim(
        r"\max_{i\in\mathcal T} \lg w_{t,i} \le \lg n + 1", lg_w.max(axis=1), lg_n + 1
    ).because("a weight that doubled was at most n before, by line 4")
    yield claim(r"M^+_t \le \Lambda_t", q.up, lg_w.sum(axis=1)).because(
        "lines 2 and 3, from Λ_1 = 0"
    )
    yield claim(r"M^+ \le k(\lg n + 1)", q.up[-1], k * (lg_n + 1)).because(
        "lines 5 and 6: k weights"
    )
    yield claim(r"W_1 = n", W[0], n).because("n weights that are 1")
    yield claim(r"W_{t+1} \le W_t + n", W[1:], W[:-1] + n, on=q.positive).because(
        "positive mistake: w·x is added, which is at most n"
    )
    yield claim(r"W_{t+1} \le W_t - n/2", W[1:], W[:-1] - n / 2, on=q.negative).because(
        "negative mistake: half of w·x is lost, and w·x is at least n"
    )
    yield claim(r"W_{t+1} = W_t", W[1:], W[:-1], on=~run.mistake).because(
        "no mistake: nothing changes"
    )
    yield claim(
        r"W_t \le n + n\,M^+_t - \tfrac n2 M^-_t", W, n + n * q.up - n / 2 * q.down
    ).because("lines 8 to 11, one mistake at a time")
    yield claim(r"W_t > 0", W, 0).because("weights stay positive")
    yield claim(r"M^- < 2 + 2M^+", q.down[-1], 2 + 2 * q.up[-1]).because(
        "lines 12 and 13 at the end, divided by n/2"
    )
    yield claim(r"M \le 2 + 3k(\lg n + 1)", run.mistakes, winnow_at_most(n, k)).because(
        "M = M⁺ + M⁻, lines 14 and 7"
    )


def _ceiling_lines(q, s, log):
    """Yield why no relevant weight is promoted more than s times; `log` is the logarithm."""
    seen = q.positive & np.isfinite(q.heaviest)
    yield claim(
        rf"\max_{{i:\,x_{{t,i}}=1}} {log} w_{{t,i}} \le s - 1", q.heaviest, s - 1, on=seen
    ).because("positive mistake: no active weight predicts 1 alone")
    yield claim(rf"\max_{{i\in\mathcal T}} {log} w_{{t,i}} \le s", q.log_w.max(axis=1), s).because(
        "one promotion more"
    )


@theorem(r"M \le 3ks + 1", items="WIN-T1 WIN-L2 WIN-L3", lecture="11")
def winnow_refined(run: Run, target: Formula) -> Proof:
    """Winnow's refined mistake bound.

    Hypotheses as in `winnow_bound`.

    s = ⌈lg n⌉ is how often a relevant weight can be promoted; with the strict rule it is ⌊lg n⌋ +
    1.

    >>> X, y = streams.disjunction(T=100, n=40, k=3, rng=1)
    >>> winnow_refined(play(Winnow(40), X, y), booleans.Or(1, 2, 3)).holds
    True
    """
    _factor_two(run)
    q = winnow_quantities(run, target, 2)
    k, strict = q.k, getattr(run.learner, "strict", False)
    s = promotions(q.n, 2, strict)
    yield from _ceiling_lines(q, s, r"\lg")
    yield claim(r"M^+_t \le \Lambda_t", q.up, q.log_w.sum(axis=1)).because(
        "each positive mistake promotes a relevant weight; Λ_t is the sum of their lg w_{t,i}"
    )
    yield claim(r"M^+ \le ks", q.up[-1], k * s).because("lines 2 and 3")
    yield claim(r"M^- \le 2M^+ + 1", q.down[-1], 2 * q.up[-1] + 1).because(
        "0 < W gives M⁻ < 2 + 2M⁺, and both are whole numbers"
    )
    most = winnow_refined_at_most(q.n, k, strict)
    yield claim(r"M \le 3ks + 1", run.mistakes, most).because("lines 4 and 5")


@theorem(r"M < \frac a{a-1} + (a+1)(ks + A)", items="WIN-T4 WIN-T2 WIN-A2", lecture="11")
def winnow_with_noise(run: Run, target: Formula, factor: float | None = None) -> Proof:
    """Winnow's mistake bound with any labels and any factor a > 1.

    For every sequence of bits and every monotone disjunction of k >= 1 of the n variables; A are
    its attribute errors, the bits that must change before it gives all labels. Winnow starts from
    equal weights 1, its threshold is n, with either rule on ties.

    s = ⌈log_a n⌉ is how often a weight can be promoted before it predicts 1 alone; with the strict
    rule it is ⌊log_a n⌋ + 1.

    >>> X, y = streams.disjunction(T=100, n=40, k=3, rng=1)
    >>> winnow_with_noise(play(Winnow(40, factor=1.5), X, 1 - y), booleans.Or(1, 2, 3)).holds
    True
    """
    a: Any = getattr(run.learner, "factor", None) if factor is None else factor
    assume(a is not None and a > 1, f"the factor of the updates must be > 1; it is {a}")
    q = winnow_quantities(run, target, a, noise=True)
    n, k, W, strict = q.n, q.k, q.W, getattr(run.learner, "strict", False)
    s, S = promotions(n, a, strict), q.log_w.sum(axis=1)
    errors = attribute_errors(run.X, run.y, target)
    so_far, A = np.concatenate([[0], np.cumsum(errors)]), int(errors.sum())
    yield claim(
        r"\Lambda_{t+1} \ge \Lambda_t + 1 - A_t", S[1:], S[:-1] + 1 - errors, on=q.positive
    ).because(
        "positive mistake: a relevant weight is promoted, or none is active and A_t = 1; Λ_t is the"
        " sum of log_a w_{t,i} over the relevant variables"
    )
    yield claim(r"\Lambda_{t+1} = \Lambda_t - A_t", S[1:], S[:-1] - errors, on=q.negative).because(
        "negative mistake: the A_t relevant weights that are active are demoted"
    )
    yield from _ceiling_lines(q, s, r"\log_a")
    yield claim(r"M^+_t \le \Lambda_t + \textstyle\sum_{r<t} A_r", q.up, S + so_far).because(
        "lines 1 and 2, from Λ_1 = 0"
    )
    yield claim(r"M^+ \le ks + A", q.up[-1], k * s + A).because("lines 4 and 5: k weights")
    yield claim(r"W_{t+1} \le W_t + (a-1)\,n", W[1:], W[:-1] + (a - 1) * n, on=q.positive).because(
        "positive mistake: (a-1) w·x is added"
    )
    yield claim(
        r"W_{t+1} \le W_t - (1-\tfrac1a)\,n", W[1:], W[:-1] - (1 - 1 / a) * n, on=q.negative
    ).because("negative mistake: (1-1/a) w·x is lost")
    yield claim(
        r"W_t/n \le 1 + (a-1)\,M^+_t - (1-\tfrac1a)\,M^-_t",
        W / n,
        1 + (a - 1) * q.up - (1 - 1 / a) * q.down,
    ).because("lines 7 and 8, from W_1 = n")
    yield claim(r"M^- < \tfrac a{a-1} + a\,M^+", q.down[-1], a / (a - 1) + a * q.up[-1]).because(
        "0 < W, divided by 1-1/a"
    )
    yield claim(
        r"M < \tfrac a{a-1} + (a+1)(ks + A)", run.mistakes, winnow_noise_at_most(n, k, A, a, strict)
    ).because("lines 6 and 10")


# The Perceptron, Weighted Majority, and all that see only dot products ----------------------------


def perceptron_disjunction_at_most(n: int, k: int) -> int:
    """Return the bound on the Perceptron's mistakes for k of n variables (DISJ-T2)."""
    return (4 * k + 1) * (n + 1)


@theorem(r"M \le (4k+1)(n+1)", items="DISJ-T2 DISJ-P1", lecture="11")
def perceptron_disjunction(run: Run, target: Formula) -> Proof:
    """The Perceptron's mistake bound on disjunctions, with the features (x, 1).

    Labels are those of a monotone disjunction of k >= 1 of the n variables, as -1 and +1; the
    Perceptron starts at w_1 = 0.

    >>> X, y = streams.disjunction(T=100, n=10, k=3, rng=1)
    >>> run = play(Perceptron(11), np.column_stack([X, np.ones(100, int)]), 2 * y - 1)
    >>> perceptron_disjunction(run, booleans.Or(1, 2, 3)).holds
    True
    """
    n, y = run.X.shape[1] - 1, run.y
    assume((run.X[:, -1] == 1).all(), "the last column of X must be the constant 1")
    relevant = _variables(target)
    assume_labels(target, run.X[:, :-1], (y == 1).astype(int), y)
    assume(run.weights is not None, "the learner must keep its weights in an attribute w")
    assume(np.isin(y, (-1, 1)).all(), "labels must be -1 or +1")
    k, M, R2 = len(relevant), run.mistakes, np.square(run.X).sum(axis=1)
    u = np.zeros(n + 1)
    u[relevant], u[-1] = 2, -1
    score, along = run.X @ u, run.weights @ u
    yield claim(r"u\cdot(x_t,1) \ge 1", score, 1, on=y == 1).because("positive: 2·(at least 1) - 1")
    yield claim(r"u\cdot(x_t,1) = -1", score, -1, on=y == -1).because(
        "negative: no relevant variable is 1"
    )
    yield claim(r"\|u\|^2 = 4k + 1", u @ u, 4 * k + 1).because("k times 2², and (-1)²")
    yield claim(r"\|(x_t,1)\|^2 \le n + 1", R2, n + 1).because("n + 1 entries of 0 or 1")
    yield claim(r"w_t\cdot u \ge M_t", along, run.mistakes_before).because(
        "each mistake adds y u·(x,1) ≥ 1"
    )
    yield claim(
        r"\|w_t\|^2 \le M_t\,(n+1)",
        np.square(run.weights).sum(axis=1),
        run.mistakes_before * (n + 1),
    ).because("each mistake adds at most ‖(x,1)‖²: line 4")
    yield claim(
        r"M^2 \le \|w_{T+1}\|^2\,\|u\|^2", M**2, run.weights[-1] @ run.weights[-1] * (u @ u)
    ).because("line 5 and Cauchy–Schwarz")
    most = perceptron_disjunction_at_most(n, k)
    yield claim(r"M \le (4k+1)(n+1)", M, most).because("lines 3, 6 and 7, divided by M")


@theorem(r"M \le 2.632\,m + 2.632\,k\ln\frac{ne}k", items="DISJ-T1 DISJ-L1", lecture="11")
def wm_disjunctions(run: Run, n: int, k: int) -> Proof:
    """Weighted Majority over all disjunctions of k of n variables, β = 1/e.

    For every sequence of bits, 1 <= k <= n; m are the mistakes of the best of the C(n, k)
    disjunctions.

    >>> X, y = streams.disjunction(T=100, n=10, k=2)
    >>> advice = booleans.disjunction_advice(X, k=2)
    >>> wm_disjunctions(play(WeightedMajority(45, beta=np.exp(-1)), advice, y), n=10, k=2).holds
    True
    """
    assume(1 <= k <= n, f"k must be in 1 … n = {n}; it is {k}")
    experts, beta = run.X.shape[1], getattr(run.learner, "beta", None)
    assume(
        experts == comb(n, k), f"there must be C(n, k) = {comb(n, k)} experts; there are {experts}"
    )
    assume(
        beta is not None and np.isclose(beta, np.exp(-1), rtol=1e-9),
        f"beta must be 1/e; it is {beta}",
    )
    b, m, log_count = wm_constants(np.exp(-1))[1], run.best_loss, np.log(experts)
    yield claim(
        r"\ln\tbinom nk \le k\ln n - \ln k!", log_count, k * np.log(n) - lgamma(k + 1)
    ).because("n(n-1)…(n-k+1) is at most n^k")
    yield claim(r"\ln k! \ge k\ln k - k", lgamma(k + 1), k * np.log(k) - k).because(
        "k^k/k! is a term of the series of e^k"
    )
    yield claim(r"\ln\tbinom nk \le k\ln\tfrac{ne}k", log_count, k * np.log(n * np.e / k)).because(
        "lines 1 and 2"
    )
    yield claim(r"M \le b\,m + b\ln\tbinom nk", run.mistakes, wm_bound(run).bound).because(
        f"Weighted Majority's bound, b = 1/ln(2/(1+1/e)) = {b:.4f}"
    )
    yield claim(
        r"M \le b\,m + b\,k\ln\tfrac{ne}k", run.mistakes, b * m + b * k * np.log(n * np.e / k)
    ).because("lines 3 and 4")


@theorem(r"M \ge n \text{ on } n \text{ orthogonal rows}", items="DISJ-C2", lecture="12")
def orthogonal_rows_bound(run: Run) -> Proof:
    """A lower bound for learners that see only dot products.

    The learner is deterministic and sees only dot products: w_t is a combination of the rows
    before trial t. The rows are orthogonal, as n rows of signs can be if n is a power of 2.

    >>> orthogonal_rows_bound(adversaries.orthogonal_rows(Perceptron(16), 16)).holds
    True
    """
    G = run.X @ run.X.T
    assume(run.weights is not None, "the learner must keep its weights in an attribute w")
    yield claim(r"\max_{s<t} |x_s\cdot x_t| = 0", np.abs(np.tril(G, -1)).max(axis=1), 0).because(
        "the rows are orthogonal"
    )
    inside = np.einsum("ti,ti->t", run.weights[:-1], run.X)
    yield claim(r"w_t\cdot x_t = 0", inside, 0).because("w_t is a combination of earlier rows")
    yield claim(
        r"\#\{i : x_{t,i} = y_t \text{ for all } t\} \ge 1",
        (run.X == run.y[:, None]).all(axis=0).sum(),
        1,
    ).because("one literal is always right")
    yield claim(r"M \ge n", run.mistakes, len(run)).because(
        "line 2: the score says nothing, and the label was chosen last"
    )


# Exponentiated Gradient ---------------------------------------------------------------------------


@theorem(r"L_A \le \frac{L_u}{1-\eta/2} + \frac{d(u,w_1)}\eta", items="EG-T1", lecture="12")
def eg_bound(run: Run, u: ArrayLike | None = None, eta: float | None = None) -> Proof:
    """Exponentiated Gradient's square loss against that of every mixture u of the features.

    Features and labels lie in [0, 1], 0 < η < 2, and w_1 is positive wherever u is. Here u are n
    probabilities, by default all of it on the best feature, and L_u is the square loss of u·x_t.

    >>> X, u = np.random.default_rng(0).random((50, 4)), [0.5, 0.5, 0, 0]
    >>> eg_bound(play(ExponentiatedGradient(4), X, X @ u), u).holds
    True
    """
    assume_game(run, "square", "unit")
    eta, u = parameter(run, "eta", eta), comparator(run, u)
    assume(0 < eta < 2, f"eta must be > 0 and < 2; it is {eta:g}")
    d, keep = divergence(run, u), 1 - eta / 2
    assume(np.isfinite(d[0]), "every feature that has weight in u must start with a weight > 0")
    a, b, fall = run.predictions - run.y, run.X @ u - run.y, d[:-1] - d[1:]
    lnZ = log_sum(run.log_probabilities[:-1] - 2 * eta * a[:, None] * run.X)
    yield claim(r"\sum_i w_{t,i} = 1", run.weights.sum(axis=1), 1).because(
        "the update divides by the sum"
    )
    yield claim(
        r"\hat y_t = w_t\cdot x_t", run.predictions, np.vecdot(run.weights[:-1], run.X)
    ).because("the prediction")
    yield claim(
        r"d(u,w_t) - d(u,w_{t+1}) = -2\eta\,a_t\,u\cdot x_t - \ln Z_t",
        fall,
        -2 * eta * a * (run.X @ u) - lnZ,
    ).because("w_{t+1,i} = w_{t,i} e^(-2η a_t x_i) / Z_t with a_t = ŷ_t - y_t")
    yield claim(
        r"\ln Z_t \le -2\eta\,a_t\,\hat y_t + \tfrac{\eta^2}2 a_t^2",
        lnZ,
        -2 * eta * a * run.predictions + eta**2 / 2 * a**2,
    ).because(
        "Hoeffding's lemma: the exponents lie in an interval of length 2η|a_t|, their mean is"
        " -2η a_t w_t·x_t"
    )
    yield claim(
        r"d(u,w_t) - d(u,w_{t+1}) \ge 2\eta\,a_t(a_t-b_t) - \tfrac{\eta^2}2 a_t^2",
        fall,
        2 * eta * a * (a - b) - eta**2 / 2 * a**2,
    ).because("lines 3 and 4; ŷ_t - u·x_t = a_t - b_t with b_t = u·x_t - y_t")
    yield claim(
        r"2a_tb_t \le (1-\tfrac\eta2)\,a_t^2 + \frac{b_t^2}{1-\eta/2}",
        2 * a * b,
        keep * a**2 + b**2 / keep,
    ).because("a square is ≥ 0, and η < 2")
    yield claim(
        r"a_t^2 \le \frac{b_t^2}{1-\eta/2} + \tfrac1\eta[d(u,w_t) - d(u,w_{t+1})]",
        a**2,
        b**2 / keep + fall / eta,
    ).because("lines 5 and 6, divided by η")
    yield claim(
        r"L_A \le \frac{L_u}{1-\eta/2} + \frac{d(u,w_1)}\eta",
        run.total_loss,
        (b**2).sum() / keep + d[0] / eta,
    ).because("the sum telescopes, d ≥ 0")
