"""The theorems of lecture 05."""

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Numbers, check_values
from ..ledger import Proof, as_hypothesis, assume, assume_game, claim, theorem
from ..losses import log_sum
from ..protocol import Run
from .learners import AdaHedge

__all__ = ["adahedge_bound", "minimax_by_regret", "boosting_error"]


def adahedge_at_most(n: int, T: Numbers, B: float = 1.0) -> Numbers:
    """Return the bound on AdaHedge's regret if the losses of a trial differ by at most B
    (HEDGE-T6).
    """
    return B * np.sqrt(T * np.log(n)) + 2 * B


def adahedge_again(run: Run) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what AdaHedge pays on each trial of the run's losses, Delta_t, the sum of its
    mixability gaps before trial t, for t = 1 … T+1, and its rates eta_t = (ln n) / Delta_t.
    """
    again, paid, gaps, rates = AdaHedge(run.y.shape[1]), [], [0.0], [np.inf]
    for losses in run.y:
        paid.append(again.predict() @ losses)
        again.update(None, losses)
        gaps.append(again.gaps)
        rates.append(again.eta)
    return np.array(paid), np.array(gaps), np.array(rates)


@theorem(
    r"\sum_t v_t\cdot\ell_t - \min_i L_i \le 2\Delta_{T+1} \le B\sqrt{T\ln n} + 2B",
    items="HEDGE-T6",
    lecture="05",
    learners="AdaHedge",
)
def adahedge_bound(run: Run) -> Proof:
    """AdaHedge's regret bound, twice the sum of its mixability gaps.

    For every sequence of T vectors of losses >= 0. B is the largest difference of two losses of one
    trial; the learner needs to know neither B nor T.

    >>> losses = streams.coin_losses(T=100, means=[0.5, 0.45, 0.4, 0.5], rng=1)
    >>> adahedge_bound(play(AdaHedge(4), 7 * losses)).holds
    True
    """
    assume_game(run, "allocation", "losses")
    paid, gaps, rates = adahedge_again(run)
    (T, n), gap, finite = run.y.shape, np.diff(gaps), np.isfinite(rates[:-1])
    B, unit, regret = np.ptp(run.y, axis=1).max(), max(run.y.max(), 1e-290), run.regret
    with np.errstate(over="ignore", invalid="ignore"):
        allowed = rates[:-1] * B * B / 8
    yield claim(
        r"\hat\ell_t = \textstyle\sum_i e^{-\eta_t L_{t,i}}\, \ell_{t,i}\, /"
        r" \sum_i e^{-\eta_t L_{t,i}}",
        run.losses,
        paid,
        unit=unit,
    ).because("the weights are Hedge's, with η_t = (ln n)/Δ_t; even while Δ_t = 0")
    yield claim(r"\Delta_{t+1} - \Delta_t \le B", gap, B, unit=unit).because(
        "average and mix loss lie between the smallest loss and the largest"
    )
    yield claim(
        r"\Delta_{t+1} - \Delta_t \le \tfrac{\eta_t}8 B^2", gap, allowed, on=finite, unit=unit
    ).because("Hoeffding's lemma")
    yield claim(
        r"\sum_t v_t\cdot\ell_t - \Delta_{T+1} \le \min_i L_i + \Delta_T",
        run.total_loss - gaps[-1],
        run.best_loss + gaps[-2],
        unit=unit,
    ).because("the mix losses telescope, for the rate never grows; (ln n)/η_T = Δ_T")
    yield claim(
        r"\sum_t v_t\cdot\ell_t - \min_i L_i \le 2\Delta_{T+1}", regret, 2 * gaps[-1], unit=unit
    ).because("line 4, and Δ_T ≤ Δ_{T+1}")
    yield claim(
        r"\Delta_{T+1}^2 \le \tfrac{B^2}4 T \ln n + B \Delta_{T+1}",
        gaps[-1] ** 2,
        B**2 / 4 * T * np.log(n) + B * gaps[-1],
        unit=unit**2,
    ).because("add up Δ_{t+1}² - Δ_t² = 2Δ_t (Δ_{t+1} - Δ_t) + (Δ_{t+1} - Δ_t)², lines 2 and 3")
    yield claim(
        r"\sum_t v_t\cdot\ell_t - \min_i L_i \le B\sqrt{T\ln n} + 2B",
        regret,
        adahedge_at_most(n, T, B),
        unit=unit,
    ).because("solve line 6 for Δ_{T+1}, and put it into line 5")


@theorem(
    r"\max_j (\bar{p}\, C)_j - \min_i (C\, \bar{q})_i \le \frac{R_p + R_q}T",
    items="GAME-T1",
    lecture="05",
)
def minimax_by_regret(rows: Run, columns: Run, C: ArrayLike) -> Proof:
    """The minimax theorem: what the average plays of two learners guarantee is as near as their
    average regrets.

    On each trial the rows lose C q_t and the columns 1 - p_t C, as in `duel`; R_p and R_q are the
    regrets of the two, p and q with a bar their average weights.

    >>> C = np.array([[0.5, 0.75, 0], [0, 0.5, 1], [1, 0, 0.5]])
    >>> minimax_by_regret(*adversaries.duel(AdaHedge(3), AdaHedge(3), C, T=50), C).holds
    True
    """
    for run in (rows, columns):
        assume_game(run, "allocation", "losses")
    with as_hypothesis():
        C = check_values("C", C, "unit")
    T, p, q = len(rows), rows.probabilities, columns.probabilities
    p, q = p[:-1], q[:-1]
    assume(
        C.shape == (p.shape[1], q.shape[1]) and len(q) == T,
        f"C must have a row and a column for each weight; its shape is {C.shape}",
    )
    assume(
        np.allclose(rows.y, q @ C.T, atol=1e-9) and np.allclose(columns.y, 1 - p @ C, atol=1e-9),
        "the rows must lose C q, and the columns 1 - p C, on each trial",
    )
    pays, most, least = np.einsum("ti,ij,tj->t", p, C, q), p.mean(0) @ C, C @ q.mean(0)
    yield claim(r"\hat\ell_t = p_t\, C\, q_t", rows.losses, pays).because("the rows spread p_t")
    yield claim(r"1 - \hat\ell'_t = p_t\, C\, q_t", 1 - columns.losses, pays).because(
        "the columns spread q_t, and win what the rows lose"
    )
    yield claim(
        r"\tfrac1T \sum_t p_t\, C\, q_t = \min_i (C\, \bar{q})_i + \tfrac1T R_p",
        pays.mean(),
        least.min() + rows.regret / T,
    ).because("row i alone would have lost T (C q̄)_i")
    yield claim(
        r"\tfrac1T \sum_t p_t\, C\, q_t = \max_j (\bar{p}\, C)_j - \tfrac1T R_q",
        pays.mean(),
        most.max() - columns.regret / T,
    ).because("column j alone would have won T (p̄ C)_j")
    yield claim(
        r"\min_i (C\, \bar{q})_i \le \max_j (\bar{p}\, C)_j", least.min(), most.max()
    ).because("p̄ C q̄ is an average of both, so it lies between them")
    yield claim(
        r"\max_j (\bar{p}\, C)_j - \min_i (C\, \bar{q})_i \le \frac{R_p + R_q}T",
        most.max() - least.min(),
        (rows.regret + columns.regret) / T,
    ).because("lines 3 and 4: even with =")


@theorem(
    r"\tfrac1m\, |\{i : \text{wrong}\}| \le \prod_t 2\sqrt{\epsilon_t (1-\epsilon_t)}",
    items="BOOST-T1",
    lecture="05",
)
def boosting_error(run: Run) -> Proof:
    """AdaBoost's error on the m examples of its sample.

    The run is Hedge's with the rate 1: on round t the examples on which the rule is right lose c_t
    = ln((1-ε_t)/ε_t), the others 0, where the weighted error ε_t of the rule is between 0 and 1/2.
    The rules may be any.

    >>> X, y = np.arange(8)[:, None], np.array([1, 1, -1, -1, 1, 1, 1, -1])
    >>> boosting_error(play(Hedge(8, eta=1), boosting.boost(X, y, rounds=10)[1])).holds
    True
    """
    assume_game(run, "allocation", "losses")
    m, c, right = run.y.shape[1], run.y.max(axis=1), run.y > 0
    assume((run.y == right * c[:, None]).all(), "on each round an example loses 0 or c_t")
    eps = np.vecdot(run.probabilities[:-1], ~right)
    assume(
        ((eps > 0) & (eps < 0.5)).all() and np.allclose(c, np.log(1 / eps - 1), rtol=1e-6),
        "c_t must be ln((1-ε_t)/ε_t) > 0, where ε_t is the weight of the examples that lose 0",
    )
    lnZ, L = log_sum(run.log_probabilities[:-1] - run.y), run.y.sum(axis=0)
    half, lnW = c.sum() / 2, log_sum(-L)
    wrong = L <= half + 1e-9 * half
    yield claim(
        r"Z_t = \epsilon_t + (1-\epsilon_t)\, e^{-c_t}", np.exp(lnZ), eps + (1 - eps) * np.exp(-c)
    ).because("the weight of the examples on which the rule is right is multiplied by e^(-c_t)")
    yield claim(r"Z_t = 2\epsilon_t", np.exp(lnZ), 2 * eps).because("e^(-c_t) = ε_t/(1-ε_t)")
    yield claim(
        r"\textstyle\ln \sum_i e^{-L_i} = \ln m + \sum_t \ln 2\epsilon_t",
        lnW,
        np.log(m) + np.log(2 * eps).sum(),
    ).because("W_1 = m, and each round multiplies the total weight by Z_t")
    yield claim(r"L_i \le \tfrac12 \sum_t c_t", L, half, on=wrong, of="examples").because(
        "a vote that is wrong: at most half of the votes were right"
    )
    yield claim(
        r"|\{i : \text{wrong}\}| \le \textstyle\sum_i e^{\frac12 \sum_t c_t - L_i}",
        wrong.sum(),
        np.exp(half + lnW),
    ).because("by line 4 the terms of the examples on which the vote is wrong are at least 1")
    yield claim(
        r"\tfrac1m\, |\{i : \text{wrong}\}| \le \prod_t 2\sqrt{\epsilon_t (1-\epsilon_t)}",
        wrong.mean(),
        np.exp(np.log(4 * eps * (1 - eps)).sum() / 2),
    ).because("divide line 5 by m and put line 3 into it, with c_t = ln((1-ε_t)/ε_t)")
