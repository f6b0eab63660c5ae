"""Errata of the notes on sequences of experts (lecture 11)."""

import numpy as np

from .. import adversaries, proofs, streams
from ..clinic import erratum, wording
from ..experts.learners import WeightedAverage
from ..ledger import claim
from ..losses import square_loss
from ..protocol import play
from .learners import FixedShare, VariableShare
from .sequences import all_sequences, best_shift_losses, count_sequences, log_prior


def _sharp_run():
    """Return the Run of Fixed Share on the stream that attains its bound (5 experts, 30 trials, 3
    shifts), and the sequence.
    """
    X, y, sequence = adversaries.sharp_share()
    return play(FixedShare(5, alpha=3 / 29, loss="entropic"), X, y), sequence


@erratum(
    "E2-01",
    severity="A",
    source="Herbster",
    lecture="11",
    printed=(
        r"w^s_{t+1,i} = (1-\alpha)w^m_{t,i} + \tfrac1{n-1}w^s_{t,i}(\mathrm{pool} - \alpha"
        r" w^m_{t,i})"
    ),
    right=r"w^s_{t+1,i} = (1-\alpha)w^m_{t,i} + \tfrac1{n-1}(\mathrm{pool} - \alpha w^m_{t,i})",
)
def fixed_share_loses_weight():
    """Two experts, ten trials: the factor w^s too many makes the shared weight vanish; without it
    the sum is kept.
    """
    run = play(FixedShare(2, alpha=0.1), np.tile([0.0, 0.5], (10, 1)), np.linspace(0, 1, 10))
    after = run.weights[:-1] * np.exp(-run.learner.eta * run.expert_losses)
    return (
        proofs.printed_fixed_share(run).lines[-1],
        claim(
            r"\sum_i w^s_{t+1,i} = \sum_i w^m_{t,i}",
            run.weights[1:].sum(axis=1),
            after.sum(axis=1),
            relation="==",
        ),
    )


@erratum(
    "E2-02",
    severity="A",
    source="Herbster",
    lecture="11",
    printed=r"\ldots + \tfrac1{n-1}w^s_{t,i}\big(\mathrm{pool} - (1-(1-\alpha)^{\ell_i})\big)",
    right=r"\ldots + \tfrac1{n-1}\big(\mathrm{pool} - (1-(1-\alpha)^{\ell_i})\,w^m_{t,i}\big)",
)
def variable_share_goes_negative():
    """Two experts, one trial with the losses 0 and 1, α = 1/2, η = 2: the second weight is -0.199
    as printed, 0.034 if right.
    """
    run = play(VariableShare(2, alpha=0.5, prediction="vovk"), [[0, 1]], [0])
    return (
        proofs.printed_variable_share(run).lines[-1],
        claim(r"\min_i w^s_{t+1,i} \ge 0", run.weights[1:].min(axis=1), 0, relation=">="),
    )


@erratum(
    "E2-03",
    severity="A",
    source="Herbster",
    lecture="11",
    printed=r"H(p) = \tfrac1p\ln\tfrac1p + \tfrac1{1-p}\ln\tfrac1{1-p}",
    right=r"H(p) = p\ln\tfrac1p + (1-p)\ln\tfrac1{1-p}",
)
def entropy_upside_down():
    """ln(1/prior) of a sequence with 3 shifts in 30 trials among 5 experts, against the bracket of
    the bound.
    """
    run, sequence = _sharp_run()
    return (
        proofs.printed_share_entropy(run, sequence).lines[-1],
        proofs.fixed_share_bound(run, sequence).lines[5],
    )


@erratum(
    "E2-04",
    severity="A",
    source="Herbster",
    lecture="11",
    printed=r"T^n \text{ sequences of experts}",
    right=r"n^T \text{ sequences of experts}",
)
def number_of_all_sequences():
    """All sequences of 3 experts on 6 trials, written out: 729, not 216."""
    written = len(all_sequences(6, 3))
    return claim(r"\text{number} = T^n", written, 6**3, relation="=="), claim(
        r"\text{number} = n^T", written, 3**6, relation="=="
    )


@erratum(
    "E2-05",
    severity="A",
    source="Herbster",
    lecture="11",
    printed=r"O\big((nT/k)^k\big) \text{ sequences with } k \text{ shifts}",
    right=r"\tbinom{T-1}k\,n\,(n-1)^k \le n\,\big(e\,n\,(T-1)/k\big)^k",
)
def number_of_sequences_with_k_shifts():
    """T = 800, k = 3: divided by (nT/k)^k, the number of sequences is 33 for n = 10 and 4453 for n
    = 1000; it is not bounded.
    """
    n = np.array([10, 64, 100, 1000])
    count = np.array([count_sequences(800, int(m), 3) for m in n], float)
    ratio = count / (n * 800 / 3) ** 3
    return (
        claim(r"\text{number}/(nT/k)^k \text{ does not grow with } n", ratio[-1], ratio[0]),
        claim(
            r"\ln\text{number} \le \ln n + k\ln(e\,n\,(T-1)/k)",
            np.log(count),
            np.log(n) + 3 * np.log(np.e * n * 799 / 3),
        ),
    )


@erratum(
    "E2-07",
    severity="B",
    source="Herbster",
    lecture="11",
    printed=r"\alpha = 0.024 \text{ for } k = 3,\ T = 800",
    right=r"\alpha = k/(T-1) = 0.00375",
)
def share_rate_of_the_experiment():
    """ln(1/prior) of a sequence with 3 shifts among 64 experts is 47.1 at α = 0.024 and 36.3 at
    k/(T-1), the least of all.
    """
    least = min(-log_prior(800, 64, 3, alpha) for alpha in np.linspace(0.0001, 0.1, 1000))
    return (
        claim(
            r"\ln\tfrac1\pi(0.024) \le \min_\alpha \ln\tfrac1\pi(\alpha)",
            -log_prior(800, 64, 3, 0.024),
            least,
        ),
        claim(
            r"\ln\tfrac1\pi(\tfrac3{799}) \le \min_\alpha \ln\tfrac1\pi(\alpha)",
            -log_prior(800, 64, 3, 3 / 799),
            least,
        ),
    )


@erratum(
    "E2-08",
    severity="B",
    source="Herbster",
    lecture="11",
    printed=r"\text{loss per trial } \tfrac1{12} \text{ and } \tfrac1{120}",
    right=r"\ldots,\ \text{outcome } 0,\ x_i \sim U[0, \tfrac12],\ \text{best } U[0, \sqrt{1/40}]",
)
def losses_per_trial_are_not_enough():
    """With outcome 1/2 the errors cancel: the plain average of all 64 experts beats the best
    sequence with 3 shifts.
    """
    sides = []
    for outcome in (0.5, 0.0):
        X, y, _ = streams.shifting_experts(outcome=outcome)
        sides.append(
            (
                best_shift_losses(square_loss(y[:, None], X), 3)[3],
                square_loss(y, X.mean(axis=1)).sum(),
            )
        )
    return (
        claim(r"L^* \le L_{\mathrm{average}},\ \text{outcome } \tfrac12", *sides[0]),
        claim(r"L^* \le L_{\mathrm{average}},\ \text{outcome } 0", *sides[1]),
    )


@erratum(
    "E2-35",
    severity="B",
    source="Herbster",
    lecture="11",
    printed=r"\eta = \tfrac12,\ c = 2 \text{ for advice in } [-4, 4]",
    right=r"\eta = \tfrac1{2B^2},\ c = 2B^2 \text{ on a range } B",
)
def constants_on_another_range():
    """On a range of 8, two experts say always -4 and 0, the label is 4 twice: measured in units of
    8, η = 1/2 is η = 32.
    """
    X, y = np.tile([0.0, 0.5], (2, 1)), np.ones(2)
    fast, slow = (64 * play(WeightedAverage(2, eta=eta), X, y).regret for eta in (32, 0.5))
    return (
        claim(r"L_A - L_i \le 2\ln n", fast, 2 * np.log(2)),
        claim(r"L_A - L_i \le 2B^2\ln n", slow, 128 * np.log(2)),
    )


wording(
    "E2-34",
    severity="C",
    source="Herbster",
    lecture="11",
    printed=r"\text{sequences written as sets } \{i_1, \ldots\};\ k = \sum_k",
    right=r"(i_1, \ldots, i_T),\ k = \#\{t < T : i_t \ne i_{t+1}\}",
    example="A set forgets the order, and k can't be the index of the sum that defines it.",
)
wording(
    "E2-39",
    severity="C",
    source="Herbster",
    lecture="11",
    printed=r"\tfrac1{n-1} \text{ for every } n",
    right=r"n \ge 2",
    example="A single expert has nobody to share with: 1/(n-1) divides by 0.",
)
