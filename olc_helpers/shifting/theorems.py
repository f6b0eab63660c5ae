"""The theorems of lecture 15: regret to a sequence of experts. Losses stand in nats, so c = 1/η
multiplies them.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..checks import Numbers, trait
from ..experts.theorems import assume_digits
from ..ledger import Proof, as_hypothesis, assume, assume_game, claim, parameter, theorem
from ..losses import log_ratio, log_sum
from ..protocol import Run
from .sequences import MOST, all_sequences, log_prior, mixture_of_sequences, sequence_loss, shifts

__all__ = [
    "fixed_share_bound",
    "fixed_share_tuned",
    "share_is_mixture",
    "share_entropy",
    "variable_share_bound",
]

# The largest that the proofs allow.
RATES = {("square", "mean"): 1 / 2, ("square", "vovk"): 2.0, ("entropic", "mean"): 1.0}


def share_entropy(p: float) -> float:
    """Return H(p) = p ln(1/p) + (1-p) ln(1/(1-p)), in nats (SHIFT-T1)."""
    return float(-log_ratio(p, 1.0) - log_ratio(1.0 - p, 1.0))


def _divergence(p, q):
    """Return d(p‖q) = p ln(p/q) + (1-p) ln((1-p)/(1-q))."""
    return float(
        log_ratio(np.float64(p), np.float64(q)) + log_ratio(np.float64(1 - p), np.float64(1 - q))
    )


def _share(run, eta, alpha) -> tuple[float, float]:
    """Return (η, α), after checking that the run is about a loss, a prediction and a rate that the
    proof allows.
    """
    loss, prediction = trait(run.learner, "loss"), getattr(run.learner, "prediction", "mean")
    assume(
        (loss, prediction) in RATES,
        "the loss and the prediction must be square and mean, square and vovk, or entropic and "
        f"mean; they are {loss} and {prediction}",
    )
    assume_game(run, loss, "unit")
    eta, alpha = parameter(run, "eta", eta), parameter(run, "alpha", alpha)
    assume(
        0 < eta <= RATES[loss, prediction],
        f"eta must be in (0, {RATES[loss, prediction]:g}]; it is {eta:g}",
    )
    n = run.X.shape[1]
    assume(
        0 <= alpha <= 1 and n >= 2,
        f"alpha must be in [0, 1] and n at least 2; they are {alpha:g} and {n}",
    )
    if loss == "entropic":
        assume_digits(run)
    return eta, alpha


def _followed(run, sequence) -> np.ndarray:
    """Return the sequence as an array, after checking that it names one expert with a finite loss
    for each trial.
    """
    with as_hypothesis():
        loss = sequence_loss(run.expert_losses, sequence)
    assume(np.isfinite(loss), "the sequence compared with must have a finite loss")
    return np.asarray(sequence)


def _potential_lines(run, eta):
    """Yield the two lines that all shares have in common; the potential is ln W_t."""
    lnW = log_sum(run.log_weights)
    g = -log_sum(run.log_probabilities[:-1] - eta * run.expert_losses) / eta
    yield claim(r"L(y_t,\hat y_t) \le g_t(y_t)", run.losses, g).because("lecture 3")
    yield claim(r"\ln W_{t+1} = \ln W_t - \eta\,g_t(y_t)", lnW[1:], lnW[:-1] - eta * g).because(
        "sharing loses no weight"
    )


# Fixed Share --------------------------------------------------------------------------------------


@theorem(
    r"L_A - L^* \le \tfrac1\eta\big[(T-1)\big(H(\alpha^*) + d(\alpha^*\|\alpha)\big) + k\ln(n-1) +"
    r" \ln n\big]",
    items="SHIFT-T1 SHIFT-P1",
    lecture="15",
)
def fixed_share_bound(
    run: Run, sequence: ArrayLike, alpha: float | None = None, eta: float | None = None
) -> Proof:
    """Fixed Share's regret to a sequence of experts with k shifts, for any α.

    Advice and labels are in [0, 1], n >= 2 and 0 <= α <= 1; the loss is square with the mean
    and 0 < η <= 1/2, square with Vovk's prediction and 0 < η <= 2, or entropic with the mean
    and 0 < η <= 1. The sequence has a finite loss.

    >>> X, y, best = streams.shifting_experts(T=80, n=8, k=2)
    >>> fixed_share_bound(play(FixedShare(8, alpha=0.05), X, y), best).holds
    True
    """
    eta, alpha = _share(run, eta, alpha)
    sequence, lnw, (T, n) = _followed(run, sequence), run.log_weights, run.X.shape
    k, L, t = shifts(sequence), sequence_loss(run.expert_losses, sequence), np.arange(T - 1)
    m = lnw[t, sequence[:-1]] - eta * run.expert_losses[t, sequence[:-1]]
    after, shift = lnw[t + 1, sequence[1:]], sequence[1:] != sequence[:-1]
    price, best = -log_prior(T, n, k, alpha), k / max(T - 1, 1)
    yield from _potential_lines(run, eta)
    with np.errstate(divide="ignore"):
        stay, leave = np.log1p(-alpha), np.log(alpha) - np.log(n - 1)
    yield claim(
        r"\ln w_{t+1,i_{t+1}} \ge \ln\tilde{w}_{t,i_t} + \ln(1-\alpha)", after, m + stay, on=~shift
    ).because("no shift: a part is kept")
    yield claim(
        r"\ln w_{t+1,i_{t+1}} \ge \ln\tilde{w}_{t,i_t} + \ln\tfrac\alpha{n-1}",
        after,
        m + leave,
        on=shift,
    ).because("a shift: a part is received")
    yield claim(
        r"\ln W_{T+1} \ge -\eta L^* - \ln\tfrac1\pi", log_sum(lnw[-1]), -eta * L - price
    ).because("from 1/n along the sequence")
    bracket = (T - 1) * (share_entropy(best) + _divergence(best, alpha)) if T > 1 else 0.0
    bracket += k * np.log(n - 1) + np.log(n)
    yield claim(r"\ln\tfrac1\pi = (T-1)(H + d) + k\ln(n-1) + \ln n", price, bracket).because(
        "H = H(α*), d = d(α*‖α): collect"
    )
    yield claim(
        r"L_A - L^* \le \tfrac1\eta\ln\tfrac1\pi", run.total_loss - L, bracket / eta
    ).because("lines 1, 2 and 5")


@theorem(
    r"L_A - L^* \le \tfrac1\eta\big[k\ln\tfrac{T-1}k + k\ln(n-1) + \ln n + k\big]",
    items="SHIFT-T2",
    lecture="15",
)
def fixed_share_tuned(
    run: Run, sequence: ArrayLike, alpha: float | None = None, eta: float | None = None
) -> Proof:
    """Fixed Share's regret to every sequence with at most k shifts, with α = k/(T-1).

    Hypotheses as in `fixed_share_bound`; sequences with fewer than k shifts need α <= 1 - 1/n.

    >>> X, y, best = streams.shifting_experts(T=80, n=8, k=2)
    >>> fixed_share_tuned(play(FixedShare(8, alpha=2 / 79), X, y), best).holds
    True
    """
    eta, alpha = _share(run, eta, alpha)
    sequence, (T, n) = _followed(run, sequence), run.X.shape
    k, made = round(alpha * (T - 1)), shifts(sequence)
    regret = run.total_loss - sequence_loss(run.expert_losses, sequence)
    assume(
        np.isclose(alpha * (T - 1), k, rtol=1e-9, atol=1e-9),
        f"alpha must be k/(T-1) for a whole number k; alpha (T-1) is {alpha * (T - 1):.6g}",
    )
    assume(
        made == k or made < k and alpha <= 1 - 1 / n,
        f"the sequence must have k = alpha (T-1) = {k} shifts, or fewer if alpha "
        f"is at most 1 - 1/n; it has {made}, alpha is {alpha:g}",
    )
    entropy, counting = (T - 1) * share_entropy(alpha), k * np.log(n - 1) + np.log(n)
    rest = float(log_ratio(np.float64(T - 1 - k), np.float64(T - 1))) if T > 1 else 0.0
    first = float(log_ratio(np.float64(k), np.float64(T - 1))) if T > 1 else 0.0
    yield claim(
        r"L_A - L^* \le \tfrac1\eta[(T-1)H(\alpha) + P]", regret, (entropy + counting) / eta
    ).because("D = 0, fewer shifts cost less")
    yield claim(r"(T-1-k)\ln\tfrac{T-1}{T-1-k} \le k", -rest, k).because("ln(1+x) ≤ x")
    yield claim(r"(T-1)H(\alpha) \le k\ln\tfrac{T-1}k + k", entropy, k - first).because(
        "line 2 is the second term of H"
    )
    yield claim(
        r"L_A - L^* \le \tfrac1\eta[k\ln\tfrac{T-1}k + k + P]", regret, (k - first + counting) / eta
    ).because("lines 1 and 3")


@theorem(
    r"\hat y_t = \hat y_t(\text{Weighted Average on all } n^T \text{ sequences})",
    items="SHIFT-P1 SHIFT-Q2",
    lecture="15",
)
def share_is_mixture(run: Run, alpha: float | None = None, eta: float | None = None) -> Proof:
    """Fixed Share is Weighted Average on all sequences of experts.

    Hypotheses as in `fixed_share_bound`. All n^T sequences are written out, so T is small.

    >>> X, y = streams.forecasts(T=6, n=3)
    >>> share_is_mixture(play(FixedShare(3, alpha=0.2), X, y)).holds
    True
    """
    eta, alpha = _share(run, eta, alpha)
    T, n = run.X.shape
    assume(
        n**T <= MOST,
        f"all n^T sequences must be written out, at most {MOST:,}; there are {n}^{T} = {n**T:,}",
    )
    learner, sequences = run.learner, all_sequences(T, n)
    mixture = mixture_of_sequences(
        run.X, run.y, alpha, eta, learner.loss, getattr(learner, "prediction", "mean")
    )
    ending = np.array(
        [
            [log_sum(row[s == i]) for i in range(n)]
            for row, s in zip(mixture.log_weights, sequences.T, strict=False)
        ]
    )
    worst = np.nan_to_num(np.abs(run.log_weights[:-1] - ending)).argmax(axis=1)
    t = np.arange(T)
    yield claim(r"\sum_s \pi(s) = 1", mixture.weights[0].sum(), 1).because(
        "a walker must go somewhere"
    )
    yield claim(
        r"\ln w_{t,i} = \ln\sum_{s:\,s_t=i} \pi(s)\,e^{-\eta L_{s,t}}",
        run.log_weights[t, worst],
        ending[t, worst],
    ).because("induction: loss, then stay or move")
    yield claim(
        r"\hat y_t = \hat y_t(\text{all sequences})", run.predictions, mixture.predictions
    ).because("if s_t = i, then s says x_i")


# Variable Share -----------------------------------------------------------------------------------


def variable_share_at_most(L: Numbers, k: int, n: int, alpha: Numbers, eta: float) -> Numbers:
    """Return the bound on Variable Share's regret to k shifts and the loss L (SHIFT-A2)."""
    with np.errstate(divide="ignore"):
        A = eta + np.log(n - 1) - np.log(alpha)
    return (-np.log1p(-alpha) * L + (k * A if k else 0.0) + np.log(n)) / eta


def segments_of(sequence: ArrayLike) -> list[tuple[int, int]]:
    """Return (first, last + 1) of each segment."""
    sequence = np.asarray(sequence)
    ends = [0, *(np.flatnonzero(np.diff(sequence)) + 1), len(sequence)]
    return list(zip(ends[:-1], ends[1:], strict=True))


def _without_idle_shifts(losses, sequence):
    """Return the sequence without shifts away from an expert that loses less than 1 in the next
    segment.
    """
    kept = sequence.copy()
    for start, end in segments_of(sequence)[1:]:
        if np.cumsum(losses[start:end, kept[start - 1]])[-1] < 1:
            kept[start:end] = kept[start - 1]
    return kept


@theorem(
    r"L_A - L^* \le \tfrac\lambda\eta L^* + k + \tfrac1\eta\big[k\ln\tfrac{n-1}\alpha + \ln n\big],"
    r"\ \lambda = \ln\tfrac1{1-\alpha}",
    items="SHIFT-A2",
    lecture="15",
)
def variable_share_bound(
    run: Run, sequence: ArrayLike, alpha: float | None = None, eta: float | None = None
) -> Proof:
    """Variable Share's regret to a sequence of experts with k shifts: the number of trials does not
    enter.

    Hypotheses as in `fixed_share_bound`, all losses in [0, 1], and α <= 1 - 1/n.

    >>> X, y, best = streams.shifting_experts(T=80, n=8, k=2)
    >>> variable_share_bound(play(VariableShare(8, alpha=0.5), X, y), best).holds
    True
    """
    eta, alpha = _share(run, eta, alpha)
    sequence, (T, n) = _followed(run, sequence), run.X.shape
    losses, lnw = run.expert_losses, run.log_weights
    assume(losses.max() <= 1, f"losses must be in [0, 1]; the largest is {losses.max():g}")
    assume(alpha <= 1 - 1 / n, f"alpha must be at most 1 - 1/n = {1 - 1 / n:g}; it is {alpha:g}")
    kept, t = _without_idle_shifts(losses, sequence), np.arange(T)
    k, L = shifts(sequence), sequence_loss(losses, sequence)
    k_kept, L_kept = shifts(kept), sequence_loss(losses, kept)
    rate = eta - np.log1p(-alpha)
    with np.errstate(divide="ignore"):
        A = eta + np.log(n - 1) - np.log(alpha)
    yield from _potential_lines(run, eta)
    yield claim(r"L_{s'} \le L^* + k - k'", L_kept, L + k - k_kept).because("omit idle shifts")
    yield claim(
        r"\ln w_{t+1,i} \ge \ln w_{t,i} - (\eta+\lambda)\,\ell_{t,i},\ i = s'_t",
        lnw[t + 1, kept],
        lnw[t, kept] - rate * losses[t, kept],
    ).because("it keeps the part (1-α)^l")
    got, start, at = np.zeros(T), np.zeros(T), np.zeros(T, bool)
    for r, end in segments_of(kept)[1:]:
        i, j = kept[r - 1], kept[r]
        q = r + int(np.argmax(np.cumsum(losses[r:end, i]) >= 1))
        at[q], got[q] = True, lnw[q + 1, j]
        start[q] = lnw[r, i] - A - rate * losses[r : q + 1, j].sum()
    yield claim(
        r"\ln w_{\tau+1,j} \ge \ln w_{r,i} - \mu - (\eta+\lambda)\sum_{t=r}^\tau \ell_{t,j}",
        got,
        start,
        on=at,
    ).because("from r to τ, i loses 1: the lemma")
    yield claim(
        r"\ln W_{T+1} \ge -(\eta+\lambda)L_{s'} - k'\mu - \ln n",
        log_sum(lnw[-1]),
        -rate * L_kept - (k_kept * A if k_kept else 0.0) - np.log(n),
    ).because("from w_1 = 1/n along s'")
    yield claim(
        r"L_A - L^* \le \tfrac1\eta[\lambda L^* + k\mu + \ln n]",
        run.total_loss - L,
        variable_share_at_most(L, k, n, alpha, eta),
    ).because("lines 1 to 3 and 6, and λ ≤ μ - η")
    if k and np.isclose(alpha, k / (k + L), rtol=1e-9, atol=0):
        yield claim(
            r"L_A - L^* \le k + \tfrac1\eta[k\ln\tfrac{L^*+k}k + k + P]",
            run.total_loss - L,
            k + (k * np.log((L + k) / k) + k * np.log(n - 1) + np.log(n) + k) / eta,
        ).because("α = k/(k+L*): λL* ≤ k")
