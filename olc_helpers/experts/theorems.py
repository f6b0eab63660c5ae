"""The theorems of lectures 01 to 04. Potentials are compared as logarithms, so that nothing
underflows.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import probabilities
from ..checks import Numbers, check_range
from ..ledger import (
    Proof,
    as_hypothesis,
    assume,
    assume_game,
    check_tuned,
    claim,
    parameter,
    theorem,
)
from ..losses import log_sum
from ..own_work import answer
from ..protocol import Run

__all__ = [
    "halving_bound",
    "wm_bound",
    "wm_constants",
    "wm_regret",
    "wm_two_regret",
    "rwma_bound",
    "rwma_no_regret",
    "wa_entropic",
    "wa_square",
    "wa_vovk",
    "hedge_bound",
    "hedge_hoeffding",
    "hedge_first_order",
]


# Halving ------------------------------------------------------------------------------------------


def halving_at_most(n: int) -> int:
    """Return ⌊lg n⌋ (HALV-T1)."""
    return n.bit_length() - 1


@theorem(
    r"M \le \lfloor \lg n \rfloor",
    items="HALV-T1 HALV-P1 HALV-Q1",
    lecture="01",
    learners="Halving",
)
def halving_bound(run: Run) -> Proof:
    """Halving's mistake bound.

    For every sequence of advice and labels in {0, 1} on which some expert is right on every trial.

    >>> X, y = streams.one_good_expert(T=12, n=64, rng=6)
    >>> halving_bound(play(Halving(64), X, y)).holds
    True
    """
    assume_game(run, "mistake", "bits")
    n, V, M = run.X.shape[1], run.weights.sum(axis=1), run.mistakes_before
    assume(
        run.best_loss == 0,
        f"some expert must be right on every trial; the best one, expert {run.best_expert + 1}, "
        f"is wrong on {run.best_loss:.0f} of {len(run)}",
    )
    yield claim(r"|V_1| = n", V[0], n).because("at the start every expert is trusted")
    yield claim(r"|V_{t+1}| \le |V_t|/2", V[1:], V[:-1] / 2, on=run.mistake).because(
        "on a mistake at least half of V_t was wrong, and leaves"
    )
    yield claim(r"|V_{t+1}| \le |V_t|", V[1:], V[:-1]).because("nobody comes back")
    yield claim(r"|V_t| \ge 1", V, 1).because("the expert that is always right stays")
    yield claim(r"|V_t| \le n\,2^{-M_t}", V, n * 2.0**-M).because(
        "lines 1 to 3, one mistake at a time"
    )
    yield claim(r"M \le \lfloor \lg n \rfloor", M[-1], halving_at_most(n)).because(
        "lines 4 and 5, and M is a whole number"
    )


# Weighted Majority --------------------------------------------------------------------------------


def wm_constants(beta: float) -> tuple[float, float]:
    """Return (a, b) such that Weighted Majority makes at most a·min_i M_i + b·ln n mistakes (WM-D1,
    WM-T1).
    """
    beta = check_range("beta", beta, lambda x: 0 < x < 1, "in (0, 1)")
    b = 1 / np.log(2 / (1 + beta))
    return float(np.log(1 / beta) * b), float(b)


def wm_at_most(m: Numbers, n: int, beta: float) -> Numbers:
    """Return the bound on Weighted Majority's mistakes if the best expert makes m (WM-T1)."""
    a, b = wm_constants(beta)
    return a * m + b * np.log(n)


@theorem(
    r"M \le \frac{\ln(1/\beta)\, M_i + \ln n}{\ln(2/(1+\beta))}",
    items="WM-T1 WM-P1 WM-D2",
    lecture="02",
    learners="WeightedMajority",
)
def wm_bound(run: Run, beta: float | None = None) -> Proof:
    """Weighted Majority's mistake bound.

    For 0 < β < 1, every sequence of advice and labels in {0, 1} and every expert i; the ledger
    takes the best one.

    >>> X, y = streams.noisy_experts(T=50, error=[0.1, 0.3, 0.4, 0.5])
    >>> wm_bound(play(WeightedMajority(4), X, y)).holds
    True
    """
    assume_game(run, "mistake", "bits")
    beta = parameter(run, "beta", beta)
    assume(
        0 < beta < 1,
        f"beta must be in (0, 1); it is {beta:g} (at 0 the algorithm is Halving: see"
        " halving_bound)",
    )
    n, M, m = run.X.shape[1], run.mistakes_before, run.cumulative_expert_losses[:, run.best_expert]
    lnW, shrink = log_sum(run.log_weights), np.log((1 + beta) / 2)
    side = np.einsum("ti,ti->t", run.probabilities[:-1], run.X == run.predictions[:, None])
    yield claim(r"\sum_{i:\,x_{t,i}=\hat y_t} w_{t,i} / W_t \ge \tfrac12", side, 0.5).because(
        "the prediction is the heavier side"
    )
    yield claim(r"\ln W_{t+1} \le \ln W_t", lnW[1:], lnW[:-1], on=~run.mistake).because(
        "no mistake: no weight grows"
    )
    yield claim(
        r"\ln W_{t+1} \le \ln W_t + \ln\tfrac{1+\beta}2", lnW[1:], lnW[:-1] + shrink, on=run.mistake
    ).because("a mistake: at least half of the weight is multiplied by β")
    yield claim(
        r"\ln W_t \le \ln n + M_t \ln\tfrac{1+\beta}2", lnW, np.log(n) + M * shrink
    ).because("lines 2 and 3, from W_1 = n")
    yield claim(r"\ln W_t \ge M_{t,i} \ln\beta", lnW, m * np.log(beta)).because(
        "the sum is at least its term i"
    )
    yield claim(
        r"M_i \ln\beta \le \ln n + M \ln\tfrac{1+\beta}2",
        m[-1] * np.log(beta),
        np.log(n) + M[-1] * shrink,
    ).because("lines 4 and 5 at the end")
    yield claim(
        r"M \le \frac{\ln(1/\beta)\, M_i + \ln n}{\ln(2/(1+\beta))}",
        M[-1],
        wm_at_most(m[-1], n, beta),
    ).because("solve for M")


@theorem(r"M - m \le (1+2\eta)\,m + \frac{2\ln n}{\eta}", items="WM-T3 WM-P2", lecture="02")
def wm_regret(run: Run, beta: float | None = None) -> Proof:
    """Weighted Majority's regret bound, for η = 1-β at most 1/2.

    For every sequence of advice and labels in {0, 1}.

    >>> X, y = streams.noisy_experts(T=50, error=[0.1, 0.3, 0.4, 0.5])
    >>> wm_regret(play(WeightedMajority(4, beta=0.8), X, y)).holds
    True
    """
    assume_game(run, "mistake", "bits")
    eta = 1 - parameter(run, "beta", beta)
    assume(0 < eta <= 0.5, f"eta = 1 - beta must be in (0, 1/2]; it is {eta:g}")
    n, M, m = run.X.shape[1], run.mistakes, run.best_loss
    yield claim(
        r"m\ln(1-\eta) \le \ln n + M\ln(1-\tfrac\eta2)",
        m * np.log(1 - eta),
        np.log(n) + M * np.log(1 - eta / 2),
    ).because("line 6 of the mistake bound, with β = 1-η")
    yield claim(r"\ln\tfrac1{1-\eta/2} \ge \tfrac\eta2", -np.log(1 - eta / 2), eta / 2).because(
        "-ln(1-x) ≥ x"
    )
    yield claim(r"-\ln(1-\eta) \le \eta + \eta^2", -np.log(1 - eta), eta + eta**2).because(
        "true for 0 ≤ η ≤ 1/2"
    )
    yield claim(
        r"\tfrac\eta2 M \le (\eta+\eta^2)\,m + \ln n", eta / 2 * M, (eta + eta**2) * m + np.log(n)
    ).because("lines 1 to 3")
    yield claim(
        r"M - m \le (1+2\eta)\,m + \frac{2\ln n}{\eta}",
        M - m,
        (1 + 2 * eta) * m + 2 * np.log(n) / eta,
    ).because("multiply by 2/η, subtract m")


@theorem(r"M - 2m \le 4\sqrt{T\ln n}", items="WM-Q2", lecture="02")
def wm_two_regret(run: Run, beta: float | None = None) -> Proof:
    """Weighted Majority's 2-regret, with β = 1-√(ln n / T).

    For n >= 2, T >= 4 ln n and every sequence of T trials with advice and labels in {0, 1}.

    >>> learner = WeightedMajority(2, beta=1 - np.sqrt(np.log(2) / 100))
    >>> wm_two_regret(adversaries.contrary(learner, T=100)).holds
    True
    """
    assume_game(run, "mistake", "bits")
    (T, n), M, m = run.X.shape, run.mistakes, run.best_loss
    eta, tuned = 1 - parameter(run, "beta", beta), np.sqrt(np.log(n) / T)
    assume(
        n >= 2 and tuned <= 0.5,
        f"T must be at least 4 ln n = {4 * np.log(n):.1f}, and n at least 2; T is {T}, n is {n}",
    )
    check_tuned("1 - beta", eta, tuned, "sqrt(ln n / T)")
    yield claim(
        r"M - 2m \le 2\eta m + \tfrac{2\ln n}\eta", M - 2 * m, 2 * eta * m + 2 * np.log(n) / eta
    ).because("the regret bound, m moved to the left")
    yield claim(r"m \le T", m, T).because("at most one mistake a trial")
    yield claim(r"M - 2m \le 4\sqrt{T\ln n}", M - 2 * m, 4 * np.sqrt(T * np.log(n))).because(
        "both terms are at most 2√(T ln n)"
    )


# Randomised Weighted Majority ---------------------------------------------------------------------


def rwma_at_most(m: Numbers, n: int, eta: float) -> Numbers:
    """Return the bound on the expected mistakes if the best expert makes m (RWMA-T1)."""
    return (1 + eta) * m + np.log(n) / eta


def rwma_regret_at_most(n: int, T: Numbers) -> Numbers:
    """Return the bound on the expected regret, with η = 1/√T (RWMA-T2)."""
    return np.sqrt(T) * (1 + np.log(n))


@theorem(
    r"\mathbb E[M] \le (1+\eta)\,m + \frac{\ln n}{\eta}",
    items="RWMA-T1 RWMA-P1",
    lecture="02",
    learners="RandomizedWeightedMajority",
)
def rwma_bound(run: Run, beta: float | None = None) -> Proof:
    """Randomised Weighted Majority's expected mistakes, for η = 1-β at most 1/2.

    For every sequence of advice and labels in {0, 1} that do not depend on the draws; this last
    hypothesis cannot be seen in a run.

    >>> X, y = streams.noisy_experts(T=50, error=[0.1, 0.3, 0.4, 0.5])
    >>> rwma_bound(play(RandomizedWeightedMajority(4, beta=0.8, rng=1), X, y)).holds
    True
    """
    assume_game(run, "mistake", "bits")
    eta = 1 - parameter(run, "beta", beta)
    assume(0 < eta <= 0.5, f"eta = 1 - beta must be in (0, 1/2]; it is {eta:g}")
    n, F, lnW = run.X.shape[1], run.expected_losses, log_sum(run.log_weights)
    EM, m = np.concatenate([[0], np.cumsum(F)]), run.cumulative_expert_losses[:, run.best_expert]
    yield claim(
        r"\ln W_{t+1} = \ln W_t + \ln(1-\eta F_t)", lnW[1:], lnW[:-1] + np.log(1 - eta * F)
    ).because("the wrong part F_t of the weight is multiplied by 1-η")
    yield claim(r"\ln W_t \le \ln n - \eta\sum_{s<t} F_s", lnW, np.log(n) - eta * EM).because(
        "ln(1-x) ≤ -x, from W_1 = n"
    )
    yield claim(r"\ln W_t \ge m_t\ln(1-\eta)", lnW, m * np.log(1 - eta)).because(
        "the sum is at least one term"
    )
    yield claim(
        r"\eta\,\mathbb E[M] \le \ln n - m\ln(1-\eta)",
        eta * EM[-1],
        np.log(n) - m[-1] * np.log(1 - eta),
    ).because("lines 2 and 3 at the end; E[M] is the sum of the F_t")
    yield claim(r"-\ln(1-\eta) \le \eta+\eta^2", -np.log(1 - eta), eta + eta**2).because(
        "true for 0 ≤ η ≤ 1/2"
    )
    yield claim(
        r"\mathbb E[M] \le (1+\eta)\,m + \frac{\ln n}{\eta}", EM[-1], rwma_at_most(m[-1], n, eta)
    ).because("divide by η")


@theorem(r"\mathbb E[M] - m \le \sqrt T\,(1+\ln n)", items="RWMA-T2 RWMA-Q1", lecture="02")
def rwma_no_regret(run: Run, beta: float | None = None) -> Proof:
    """Randomised Weighted Majority's regret for a known T, with β = 1-1/√T.

    For T >= 4 and every sequence of T trials with advice and labels in {0, 1} that do not depend on
    the draws; this last hypothesis cannot be seen in a run.

    >>> X, y = streams.noisy_experts(T=100, error=[0.1, 0.3, 0.4, 0.5])
    >>> rwma_no_regret(play(RandomizedWeightedMajority(4, beta=0.9, rng=1), X, y)).holds
    True
    """
    assume_game(run, "mistake", "bits")
    eta, n, T = 1 - parameter(run, "beta", beta), run.X.shape[1], len(run)
    assume(T >= 4, f"T must be at least 4, so that eta is at most 1/2; it is {T}")
    check_tuned("1 - beta", eta, 1 / np.sqrt(T), "1 / sqrt(T)")
    EM, m = run.expected_losses.sum(), run.best_loss
    yield claim(
        r"\mathbb E[M] - m \le \eta m + \tfrac{\ln n}\eta", EM - m, eta * m + np.log(n) / eta
    ).because("the bound above")
    yield claim(r"\eta m \le \sqrt T", eta * m, np.sqrt(T)).because("m ≤ T and η = 1/√T")
    yield claim(
        r"\mathbb E[M] - m \le \sqrt T\,(1+\ln n)", EM - m, rwma_regret_at_most(n, T)
    ).because("add up")


# Weighted Average ---------------------------------------------------------------------------------


def comparator(run: Run, u: ArrayLike | None) -> np.ndarray:
    """Return u, by default all weight on the best expert."""
    n = run.expert_losses.shape[1]
    with as_hypothesis():
        return probabilities("u", np.arange(n) == run.best_expert if u is None else u, n)


def divergence(run: Run, u: np.ndarray) -> np.ndarray:
    """Return d(u, v_t), the relative entropy of u to the weights, for t = 1 … T+1."""
    on = u > 0
    return u[on] @ np.log(u[on]) - run.log_probabilities[:, on] @ u[on]


def _average(losses, u):
    """Return u·l_t for every trial, where experts with u_i = 0 do not count even if their loss is
    infinite.
    """
    return losses[:, u > 0] @ u[u > 0]


@theorem(r"L_A - L_i \le \ln\frac1{v_{1,i}}", items="WA-T1 WA-T2 WA-P1 WA-D3", lecture="03")
def wa_entropic(run: Run, u: ArrayLike | None = None, eta: float | None = None) -> Proof:
    """Weighted Average's regret for the entropic loss, with η = 1.

    Advice and labels are in [0, 1], the prior is arbitrary; the expert compared with has a finite
    loss and a prior > 0.

    >>> X, y = streams.forecasts(T=60, n=8)
    >>> wa_entropic(play(WeightedAverage(8, loss="entropic"), X, y)).holds
    True
    """
    assume_game(run, "entropic", "unit")
    check_tuned("eta", parameter(run, "eta", eta), 1, "the number 1")
    u, binary = comparator(run, u), (run.y == 0) | (run.y == 1)
    L_u, d = _average(run.expert_losses, u), divergence(run, u)
    assume(
        np.isfinite(L_u).all() and np.isfinite(d[0]),
        "the expert compared with must have a finite loss and a prior > 0",
    )
    assume_digits(run)
    yield claim(
        r"L(y_t,\hat y_t) - u\cdot L(y_t,x_t) = d(u,v_t) - d(u,v_{t+1})",
        run.losses - L_u,
        d[:-1] - d[1:],
        on=binary,
    ).because("y_t is 0 or 1: the update divides by the probability of y_t")
    yield claim(
        r"L(y_t,\hat y_t) - u\cdot L(y_t,x_t) \le d(u,v_t) - d(u,v_{t+1})",
        run.losses - L_u,
        d[:-1] - d[1:],
        on=~binary,
    ).because("0 < y_t < 1: x ↦ x^y (1-x)^(1-y) is concave")
    yield claim(
        r"\sum_t [\ldots] \le d(u,v_1) - d(u,v_{T+1})", run.total_loss - L_u.sum(), d[0] - d[-1]
    ).because("the sum telescopes")
    yield claim(r"d(u,v_{T+1}) \ge 0", d[-1], 0).because("a relative entropy is never negative")
    yield claim(r"L_A - u\cdot L \le d(u,v_1)", run.total_loss - L_u.sum(), d[0]).because(
        "drop it; d(u,v_1) ≤ ln n from a uniform start"
    )


def assume_digits(run: Run) -> None:
    """Check that no prediction is so near to a wrong label that rounding it changes its loss."""
    v = run.probabilities[:-1]
    one, zero = np.einsum("ti,ti->t", v, run.X), np.einsum("ti,ti->t", v, 1 - run.X)
    near = np.flatnonzero((run.y > 0) & (one < 1e-300) | (run.y < 1) & (zero < 1e-6))
    assume(
        len(near) == 0,
        lambda: (
            "no prediction may be nearer to a wrong label than 1e-300 (to 0) or 1e-6 (to 1),"
            f" its loss would have too few digits; that of trial {near[0] + 1} is"
        ),
    )


def _mix_loss_proof(run, eta, why):
    """Yield the lines that both predictions for the square loss share: the mix loss g_t(y) = -(1/η)
    ln Σ v_i e^(-ηL_i).
    """
    i = run.best_expert
    lnW = log_sum(run.log_weights)
    mix = (lnW[:-1] - lnW[1:]) / eta
    g = -log_sum(run.log_probabilities[:-1] - eta * run.expert_losses) / eta
    start = -run.log_probabilities[0, i] / eta
    yield claim(r"L(y_t,\hat y_t) \le g_t(y_t)", run.losses, g).because(why)
    yield claim(r"g_t(y_t) = \tfrac1\eta(\ln W_t - \ln W_{t+1})", g, mix).because(
        "g_t sums the weights after the update"
    )
    yield claim(
        r"\sum_t g_t(y_t) \le L_i + \tfrac1\eta\ln\tfrac1{v_{1,i}}",
        mix.sum(),
        run.best_loss + start,
    ).because("the sum telescopes, and W_{T+1} is at least its term i")
    yield claim(r"L_A - L_i \le \tfrac1\eta\ln\tfrac1{v_{1,i}}", run.regret, start).because(
        "lines 1 to 3"
    )


def _square_rate(run, eta, prediction, largest):
    """Return η, after checking that the run is about the square loss, the prediction and a rate
    that the proof allows.
    """
    assume_game(run, "square", "unit")
    used = getattr(run.learner, "prediction", prediction)
    assume(used == prediction, f"the prediction must be {prediction}; it is {used}")
    eta = parameter(run, "eta", eta)
    assume(0 < eta <= largest, f"eta must be in (0, {largest:g}]; it is {eta:g}")
    return eta


@theorem(r"L_A - L_i \le \tfrac1\eta\ln\frac1{v_{1,i}}", items="WA-T1 WA-T2", lecture="03")
def wa_square(run: Run, eta: float | None = None) -> Proof:
    """Weighted Average's regret for the square loss, mean prediction, η at most 1/2.

    Advice and labels are in [0, 1], the prior is arbitrary, η > 0.

    >>> X, y = streams.forecasts(T=60, n=8)
    >>> wa_square(play(WeightedAverage(8), X, y)).holds
    True
    """
    eta = _square_rate(run, eta, "mean", 1 / 2)
    yield from _mix_loss_proof(run, eta, "x ↦ e^(-η(y-x)²) is concave on [0,1] for η ≤ 1/2: Jensen")


@theorem(r"L_A - L_i \le \tfrac1\eta\ln\frac1{v_{1,i}}", items="WA-C2", lecture="03")
def wa_vovk(run: Run, eta: float | None = None) -> Proof:
    """Vovk's prediction for the square loss, η at most 2.

    Advice and labels are in [0, 1], the prior is arbitrary, η > 0.

    >>> X, y = streams.forecasts(T=60, n=8)
    >>> wa_vovk(play(WeightedAverage(8, prediction="vovk"), X, y)).holds
    True
    """
    eta = _square_rate(run, eta, "vovk", 2)
    yield from _mix_loss_proof(
        run, eta, "ŷ = (g(0)-g(1)+1)/2 satisfies it for every y in [0,1] when η ≤ 2"
    )


# Hedge --------------------------------------------------------------------------------------------
# The two proofs differ in a constant c: 2, or 8 with Hoeffding's lemma.


@answer
def hedge_at_most(n: int, T: Numbers, eta: Numbers, B: float = 1.0, c: int = 2) -> Numbers:
    """Return the bound on Hedge's regret for any rate (HEDGE-T1, HEDGE-C3)."""
    return np.log(n) / eta + eta / c * T * B**2


@answer
def hedge_rate(n: int, T: Numbers, B: float = 1.0, c: int = 2) -> Numbers:
    """Return the rate that makes both terms of the bound equal."""
    return np.sqrt(c * np.log(n) / T) / B


@answer
def hedge_tuned_at_most(n: int, T: Numbers, B: float = 1.0, c: int = 2) -> Numbers:
    """Return the bound at that rate."""
    return B * np.sqrt(4 / c * T * np.log(n))


def _hedge_quantities(run, eta, B):
    """Return η, v_t·l_t and ln Z_t of every trial, after checking the losses."""
    assume_game(run, "allocation", "losses")
    eta, l = parameter(run, "eta", eta), run.y
    where = np.argwhere(l > B)
    assume(
        len(where) == 0,
        lambda: (
            f"losses must be at most B = {B:g}; the loss of expert {where[0][1] + 1} on trial "
            f"{where[0][0] + 1} is {l[tuple(where[0])]:g}"
        ),
    )
    return eta, run.expected_losses, log_sum(run.log_probabilities[:-1] - eta * l)


def _pays_the_average(run):
    """Return the line that ties the loss of the learner to its weights, unless it draws an
    expert.
    """
    return claim(
        r"\hat\ell_t = v_t\cdot\ell_t",
        run.losses,
        run.expected_losses,
        on=np.full(len(run), run.predictions.ndim == 2),
    ).because("one unit is spread as the weights say")


@theorem(
    r"\sum_t v_t\cdot\ell_t - \min_i L_i \le B\sqrt{2T\ln n}",
    items="HEDGE-T1 HEDGE-P1 HEDGE-Q1",
    lecture="04",
)
def hedge_bound(
    run: Run, u: ArrayLike | None = None, B: float = 1.0, eta: float | None = None
) -> Proof:
    """Hedge's regret bound for losses in [0, B].

    It starts from equal weights, with any η > 0; the last line needs η = √(2 ln n / T) / B.

    >>> losses = streams.coin_losses(T=100, means=[0.5, 0.45, 0.4, 0.5], rng=1)
    >>> hedge_bound(play(Hedge(4, eta=np.sqrt(2 * np.log(4) / 100)), losses)).holds
    True
    """
    eta, vl, lnZ = _hedge_quantities(run, eta, B)
    u, (T, n) = comparator(run, u), run.y.shape
    d, ul = divergence(run, u), run.y @ u
    second = np.einsum("ti,ti->t", run.probabilities[:-1], run.y**2)
    yield _pays_the_average(run)
    yield claim(
        r"d(u,v_t) - d(u,v_{t+1}) = -\eta\, u\cdot\ell_t - \ln Z_t", d[:-1] - d[1:], -eta * ul - lnZ
    ).because("v_{t+1,i} = v_{t,i} e^(-η l_i) / Z_t")
    yield claim(
        r"Z_t \le 1 - \eta\, v_t\cdot\ell_t + \tfrac{\eta^2}2 \sum_i v_{t,i}\ell_{t,i}^2",
        np.exp(lnZ),
        1 - eta * vl + eta**2 / 2 * second,
    ).because("e^(-x) ≤ 1 - x + x²/2 for x ≥ 0")
    yield claim(
        r"-\ln Z_t \ge \eta\, v_t\cdot\ell_t - \tfrac{\eta^2}2 \sum_i v_{t,i}\ell_{t,i}^2",
        -lnZ,
        eta * vl - eta**2 / 2 * second,
    ).because("ln(1+x) ≤ x")
    yield claim(
        r"v_t\cdot\ell_t - u\cdot\ell_t \le \tfrac1\eta[d(u,v_t)-d(u,v_{t+1})] + \tfrac\eta2\sum_i"
        r" v_{t,i}\ell_{t,i}^2",
        vl - ul,
        (d[:-1] - d[1:]) / eta + eta / 2 * second,
        unit=max(1.0, 1e-3 / eta),
    ).because("lines 2 and 4, divided by η")
    yield claim(
        r"\sum_t (v_t-u)\cdot\ell_t \le \tfrac{\ln n}\eta + \tfrac\eta2\sum_t\sum_i"
        r" v_{t,i}\ell_{t,i}^2",
        vl.sum() - ul.sum(),
        np.log(n) / eta + eta / 2 * second.sum(),
    ).because("the sum telescopes, d(u,v_1) ≤ ln n, d ≥ 0")
    yield claim(
        r"\sum_t (v_t-u)\cdot\ell_t \le \tfrac{\ln n}\eta + \tfrac\eta2 T B^2",
        vl.sum() - ul.sum(),
        hedge_at_most(n, T, eta, B),
    ).because("losses are at most B")
    if np.isclose(eta, hedge_rate(n, T, B), rtol=1e-9, atol=0):
        yield claim(
            r"\sum_t (v_t-u)\cdot\ell_t \le B\sqrt{2T\ln n}",
            vl.sum() - ul.sum(),
            hedge_tuned_at_most(n, T, B),
        ).because("η = √(2 ln n / T) / B makes both terms equal")


@theorem(
    r"\sum_t v_t\cdot\ell_t - \min_i L_i \le B\sqrt{\tfrac T2\ln n}", items="HEDGE-C3", lecture="04"
)
def hedge_hoeffding(run: Run, B: float = 1.0, eta: float | None = None) -> Proof:
    """Hedge's regret bound by Hoeffding's lemma, for losses in [0, B].

    It starts from equal weights, with any η > 0; the last line needs η = √(8 ln n / T) / B.

    >>> losses = streams.coin_losses(T=100, means=[0.5, 0.45, 0.4, 0.5], rng=1)
    >>> hedge_hoeffding(play(Hedge(4, eta=np.sqrt(8 * np.log(4) / 100)), losses)).holds
    True
    """
    eta, vl, lnZ = _hedge_quantities(run, eta, B)
    (T, n), best, lnW = run.y.shape, run.best_loss, log_sum(run.log_weights)
    yield _pays_the_average(run)
    yield claim(
        r"\ln Z_t \le -\eta\, v_t\cdot\ell_t + \tfrac{\eta^2 B^2}8",
        lnZ,
        -eta * vl + eta**2 * B**2 / 8,
    ).because("Hoeffding's lemma for a loss in [0, B]")
    yield claim(r"\ln W_{t+1} = \ln W_t + \ln Z_t", lnW[1:], lnW[:-1] + lnZ).because(
        "W_{t+1} is the total weight after the update"
    )
    yield claim(
        r"\ln W_{T+1} \ge -\eta\min_i L_i - \ln n", lnW[-1] - lnW[0], -eta * best - np.log(n)
    ).because("the sum is at least one term, W_1 = 1")
    yield claim(
        r"\sum_t v_t\cdot\ell_t - \min_i L_i \le \tfrac{\ln n}\eta + \tfrac\eta8 T B^2",
        vl.sum() - best,
        hedge_at_most(n, T, eta, B, c=8),
    ).because("sum over the trials, divide by η")
    if np.isclose(eta, hedge_rate(n, T, B, c=8), rtol=1e-9, atol=0):
        yield claim(
            r"\sum_t v_t\cdot\ell_t - \min_i L_i \le B\sqrt{\tfrac T2\ln n}",
            vl.sum() - best,
            hedge_tuned_at_most(n, T, B, c=8),
        ).because("η = √(8 ln n / T) / B makes both terms equal")


def small_losses_at_most(n: int, L: Numbers) -> Numbers:
    """Return the bound on Hedge's regret at its rate for a best loss of at most L (HEDGE-T5)."""
    return np.sqrt(2 * L * np.log(n)) + np.log(n)


def small_losses_rate(n: int, L: Numbers) -> Numbers:
    """Return that rate."""
    return np.log1p(np.sqrt(2 * np.log(n) / L))


@theorem(
    r"\sum_t v_t\cdot\ell_t \le \frac{\eta \min_i L_i + \ln n}{1 - e^{-\eta}}",
    items="HEDGE-T5",
    lecture="04",
)
def hedge_first_order(run: Run, most: float | None = None, eta: float | None = None) -> Proof:
    """Hedge's first-order bound for losses in [0, 1]: it grows with the best expert's loss, not
    with time.

    It starts from equal weights, with any η > 0. The last line needs a number `most` > 0 that the
    best expert's loss does not exceed, and η = ln(1 + √(2 ln n / most)).

    >>> losses = streams.coin_losses(T=100, means=[0.05, 0.1, 0.1, 0.1], rng=1)
    >>> rate = np.log(1 + np.sqrt(2 * np.log(4) / 8))
    >>> hedge_first_order(play(Hedge(4, eta=rate), losses), most=8).holds
    True
    """
    eta, vl, lnZ = _hedge_quantities(run, eta, 1.0)
    n, best, lnW, chord = run.y.shape[1], run.best_loss, log_sum(run.log_weights), -np.expm1(-eta)
    yield _pays_the_average(run)
    yield claim(r"Z_t \le 1 - (1-e^{-\eta})\, v_t\cdot\ell_t", np.exp(lnZ), 1 - chord * vl).because(
        "e^(-ηx) is convex, so it lies below its chord for 0 ≤ x ≤ 1"
    )
    yield claim(r"\ln Z_t \le -(1-e^{-\eta})\, v_t\cdot\ell_t", lnZ, -chord * vl).because(
        "ln(1+x) ≤ x"
    )
    yield claim(
        r"\ln W_{T+1} \le -(1-e^{-\eta}) \sum_t v_t\cdot\ell_t", lnW[-1] - lnW[0], -chord * vl.sum()
    ).because("add up the trials, from W_1 = 1")
    yield claim(
        r"\ln W_{T+1} \ge -\eta\min_i L_i - \ln n", lnW[-1] - lnW[0], -eta * best - np.log(n)
    ).because("the sum is at least one term")
    yield claim(
        r"\sum_t v_t\cdot\ell_t \le \frac{\eta \min_i L_i + \ln n}{1 - e^{-\eta}}",
        vl.sum(),
        (eta * best + np.log(n)) / chord,
    ).because("lines 4 and 5")
    if most is not None:
        assume(
            best <= most and most > 0,
            f"most must be > 0 and at least the loss of the best expert, {best:g}; it is {most:g}",
        )
        check_tuned("eta", eta, float(small_losses_rate(n, most)), "ln(1 + sqrt(2 ln n / most))")
        yield claim(
            r"\sum_t v_t\cdot\ell_t - \min_i L_i \le \sqrt{2 \bar{L} \ln n} + \ln n",
            vl.sum() - best,
            small_losses_at_most(n, most),
        ).because("η ≤ (e^η - e^(-η))/2, where e^η = 1 + √(2 ln n / L̄), and min_i L_i ≤ L̄")
