"""Errata of the notes on sequences of experts (lecture 15)."""

import numpy as np
from numpy.typing import ArrayLike

from .. import streams
from ..experts.learners import WeightedAverage
from ..ledger import Proof, check_tuned, claim, theorem
from ..notes import erratum, remark
from ..protocol import Run, play
from .learners import FixedShare, VariableShare
from .sequences import all_sequences, count_sequences, shifts
from .theorems import share_entropy


def _after_losses(run):
    """Return w^m: the weights of each trial after the loss update."""
    return run.weights[:-1] * np.exp(-run.learner.eta * run.expert_losses)


@theorem(
    r"w^s_{t+1,i} = (1-\alpha)w^m_{t,i} + \tfrac1{n-1}w^s_{t,i}(\mathrm{pool} - \alpha w^m_{t,i})",
    lecture="15",
    erratum="E2-01",
)
def printed_fixed_share(run: Run) -> Proof:
    """Fixed Share's update as printed, with a factor too many."""
    w, m = run.weights[:-1], _after_losses(run)
    alpha, n = run.learner.alpha, run.X.shape[1]
    printed = (1 - alpha) * m + w * (alpha * m.sum(axis=1, keepdims=True) - alpha * m) / (n - 1)
    yield claim(
        r"\sum_i w^s_{t+1,i} = \sum_i w^m_{t,i}", printed.sum(axis=1), m.sum(axis=1)
    ).because("sharing must not lose weight")


@erratum(
    "E2-01",
    severity="A",
    source="Herbster",
    where="slide 83",
    lecture="15",
    printed=(
        r"w^s_{t+1,i} = (1-\alpha)w^m_{t,i} + \tfrac1{n-1}w^s_{t,i}(\mathrm{pool} - \alpha"
        r" w^m_{t,i})"
    ),
    right=(
        r"w^s_{t+1,i} = (1-\alpha)w^m_{t,i} + \tfrac1{n-1}(\mathrm{pool} - \alpha w^m_{t,i}),"
        r" \text{ as the picture on the next slide shows}"
    ),
)
def fixed_share_loses_weight():
    """Two experts, ten trials: with the factor wˢ the sum of the weights shrinks when they are
    shared; without it the sum is kept.
    """
    run = play(FixedShare(2, alpha=0.1), np.tile([0.0, 0.5], (10, 1)), np.linspace(0, 1, 10))
    return (
        printed_fixed_share(run).lines[-1],
        claim(
            r"\sum_i w^s_{t+1,i} = \sum_i w^m_{t,i}",
            run.weights[1:].sum(axis=1),
            _after_losses(run).sum(axis=1),
            relation="==",
        ),
    )


@theorem(
    r"w^s_{t+1,i} = (1-\alpha)^{\ell}w^m_{t,i} + \tfrac1{n-1}w^s_{t,i}(\mathrm{pool} -"
    r" (1-(1-\alpha)^{\ell}))",
    lecture="15",
    erratum="E2-02",
)
def printed_variable_share(run: Run) -> Proof:
    """Variable Share's update as printed, with a factor too many and one too few."""
    w, m = run.weights[:-1], _after_losses(run)
    alpha, n = run.learner.alpha, run.X.shape[1]
    keep = (1 - alpha) ** run.expert_losses
    printed = keep * m + w * (((1 - keep) * m).sum(axis=1, keepdims=True) - (1 - keep)) / (n - 1)
    yield claim(r"\min_i w^s_{t+1,i} \ge 0", printed.min(axis=1), 0).because(
        "a weight is never negative"
    )


@erratum(
    "E2-02",
    severity="A",
    where="slide 83",
    lecture="15",
    printed=r"\ldots + \tfrac1{n-1}w^s_{t,i}\big(\mathrm{pool} - (1-(1-\alpha)^{\ell_i})\big)",
    right=r"\ldots + \tfrac1{n-1}\big(\mathrm{pool} - (1-(1-\alpha)^{\ell_i})\,w^m_{t,i}\big)",
)
def variable_share_goes_negative():
    """Two experts, one trial with the losses 0 and 1, α = 1/2, η = 2: the second weight is -0.199
    as printed, 0.034 if right.
    """
    run = play(VariableShare(2, eta=2, alpha=0.5), [[0, 1]], [0])
    return (
        printed_variable_share(run).lines[-1],
        claim(r"\min_i w^s_{t+1,i} \ge 0", run.weights[1:].min(axis=1), 0),
    )


@theorem(
    r"(T-1)\,H(\alpha) + k\ln(n-1) + \ln n \le k\ln\tfrac{T-1}k + k\ln(n-1) + \ln n + k,\ H(p) ="
    r" \tfrac1p\ln\tfrac1p + \tfrac1{1-p}\ln\tfrac1{1-p}",
    lecture="15",
    erratum="E2-03",
)
def printed_share_entropy(run: Run, sequence: ArrayLike) -> Proof:
    """The bracket of Fixed Share's bound with the entropy as printed, and what should bound it."""
    (T, n), k, alpha = run.X.shape, shifts(sequence), run.learner.alpha
    check_tuned("alpha", alpha, k / (T - 1), "k/(T-1)")
    H = np.log(1 / alpha) / alpha + np.log(1 / (1 - alpha)) / (1 - alpha)
    names = k * np.log(n - 1) + np.log(n)
    yield claim(
        r"(T-1)\,H(\alpha) + k\ln(n-1) + \ln n \le k\ln\tfrac{T-1}k + k\ln(n-1) + \ln n + k",
        (T - 1) * H + names,
        k * np.log((T - 1) / k) + names + k,
    ).because("as printed, for α = k/(T-1)")


@erratum(
    "E2-03",
    severity="A",
    where="slide 85",
    lecture="15",
    printed=(
        r"H(p) = \tfrac1p\ln\tfrac1p + \tfrac1{1-p}\ln\tfrac1{1-p}, \text{ and then }"
        r" (T-1)\,H(\alpha) \le k\ln\tfrac{T-1}k + k"
    ),
    right=(
        r"H(p) = p\ln\tfrac1p + (1-p)\ln\tfrac1{1-p}; \text{ the first bound is true even as"
        r" printed, the second step is not}"
    ),
)
def entropy_upside_down():
    """The numbers of the notes' own simulation, 800 trials, 3 shifts, 64 experts: the bracket of
    the first bound, and the simpler one that should be larger.
    """
    X, y, sequence = streams.shifting_experts(T=800, n=64, k=3)
    run = play(FixedShare(64, alpha=3 / 799), X, y)
    rest = 3 * np.log(63) + np.log(64)
    return (
        printed_share_entropy(run, sequence).lines[-1],
        claim(
            r"(T-1)\,H(\alpha) + k\ln(n-1) + \ln n \le k\ln\tfrac{T-1}k + k\ln(n-1) + \ln n + k",
            799 * share_entropy(3 / 799) + rest,
            3 * np.log(799 / 3) + rest + 3,
        ),
    )


@erratum(
    "E2-04",
    severity="C",
    where="slides 86 and 87",
    lecture="15",
    printed=r"T^n \text{ weights}",
    right=r"n^T \text{ weights, as the index set on the same line says}",
)
def number_of_all_sequences():
    """All sequences of 3 experts on 6 trials, written out: 729, not 216."""
    written = len(all_sequences(6, 3))
    return (
        claim(r"\text{number} = T^n", written, 6**3),
        claim(r"\text{number} = n^T", written, 3**6),
    )


@remark(
    "E2-05",
    where="slide 82",
    lecture="15",
    says=r"O\big((nT/k)^k\big) \text{ sequences; slide 85 defines } k \text{ as the shifts}",
    fair=(
        r"\text{right for } k \text{ segments; for } k \text{ shifts there is one more factor } n:"
        r" \tbinom{T-1}k\,n\,(n-1)^k \le n\,\big(e\,n\,(T-1)/k\big)^k"
    ),
)
def number_of_sequences_with_k_shifts():
    """T = 800, k = 3 shifts, n = 10, 64, 100 and 1000: the number of sequences, counted, against
    the estimate with the factor n.
    """
    n = np.array([10, 64, 100, 1000])
    count = np.array([count_sequences(800, int(experts), 3) for experts in n], float)
    return claim(
        r"\ln\text{number} \le \ln n + k\ln(e\,n\,(T-1)/k)",
        np.log(count),
        np.log(n) + 3 * np.log(np.e * n * 799 / 3),
        of="sizes",
    )


@remark(
    "E2-35",
    where="review at the start of Part III",
    lecture="15",
    says=(
        r"\text{a table with numbers from } {-4} \text{ to } 3, \text{ then } L_A \le L_i + c\ln n"
        r" \text{ with an unspecified } c"
    ),
    fair=r"c \text{ belongs to a range: } 2 \text{ on } [0,1], \text{ and } 2B^2 \text{ on } [0,B]",
)
def constants_on_another_range():
    """Range B = 8: two experts say always -4 and 0, the label is 4 twice; the mean with the rate
    η = 1/(2B²).
    """
    X, y = np.tile([0.0, 0.5], (2, 1)), np.ones(2)
    regret = 64 * play(WeightedAverage(2, eta=0.5), X, y).regret
    return claim(r"L_A - L_i \le 2B^2\ln n", regret, 128 * np.log(2))
