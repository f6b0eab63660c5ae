"""Errata of the notes on experts (lectures 01 to 04)."""

import numpy as np

from .. import adversaries, streams
from ..ledger import Proof, claim, theorem
from ..notes import erratum, remark
from ..protocol import Run, play
from .learners import Hedge, RandomizedWeightedMajority, WeightedAverage, WeightedMajority
from .theorems import wa_vovk, wm_constants

# Lecture 02 ---------------------------------------------------------------------------------------


@theorem(r"M - m \le (1+2\eta)\,m + \frac{2\ln n}{\eta}", lecture="02", erratum="E0-01")
def printed_wm_regret(run: Run) -> Proof:
    """Weighted Majority's regret bound as printed, for every η in (0, 1)."""
    eta, n = 1 - run.learner.beta, run.X.shape[1]
    M, m = run.mistakes, run.best_loss
    yield claim(
        r"M - m \le (1+2\eta)\,m + \frac{2\ln n}{\eta}",
        M - m,
        (1 + 2 * eta) * m + 2 * np.log(n) / eta,
    ).because("as printed")


@theorem(r"\mathbb E[M] - m \le \eta\, m + \frac{\ln n}{\eta}", lecture="02", erratum="E0-01")
def printed_rwma_regret(run: Run) -> Proof:
    """Randomised Weighted Majority's regret bound as printed, for every η in (0, 1)."""
    eta, n = 1 - run.learner.beta, run.X.shape[1]
    EM, m = run.expected_losses.sum(), run.best_loss
    yield claim(
        r"\mathbb E[M] - m \le \eta\, m + \frac{\ln n}{\eta}", EM - m, eta * m + np.log(n) / eta
    ).because("as printed")


@erratum(
    "E0-01",
    severity="B",
    where="section 1, formulas (3) and (5)",
    lecture="02",
    printed=r"\mathbb E[R] \le \eta m + \frac{\ln N}\eta \text{ for a penalty parameter } \eta",
    right=r"\text{the same for } 0 < \eta \le \tfrac12",
)
def regret_for_every_rate():
    """Ten experts err in turn, ten times each, with η = 0.9; then the same with η = 1/2."""
    X, y = adversaries.erring_in_turn(10, 10)
    fast, slow = (
        play(RandomizedWeightedMajority(10, beta=beta, rng=0), X, y) for beta in (0.1, 0.5)
    )
    return printed_rwma_regret(fast).lines[-1], printed_rwma_regret(slow).lines[-1]


@remark(
    "E0-02",
    where="section 1.2",
    lecture="02",
    says=r"\text{randomisation cuts the number of mistakes by a half}",
    fair=r"\text{it halves the bound and the worst case; on every stream } "
    r"\mathbb E[M_{RWMA}] \ge \tfrac12 M_{WMA}",
)
def randomisation_halves_the_bound():
    """Sixteen experts that are right on 60% of 500 trials: there the draw makes more mistakes than
    the vote.
    """
    X, y = streams.noisy_experts(500, [0.4] * 16, rng=0)
    vote = play(WeightedMajority(16, beta=0.9), X, y)
    return claim(
        r"\mathbb E[M_{RWMA}] \ge \tfrac12 M_{WMA}", vote.expected_losses.sum(), vote.mistakes / 2
    ).because("on a mistake of the vote at least half of the weight is wrong")


@remark(
    "E0-03",
    where="section 1.1",
    lecture="02",
    says=r"\text{no “no-regret” algorithm: the bound on the average regret does not tend to } 0",
    fair=r"\text{true; the proof is a sequence with } M - m \ge T/2",
)
def linear_regret_of_weighted_majority():
    """Two experts that always say 0 and 1, and labels that contradict each of 1000 predictions."""
    run = adversaries.contrary(WeightedMajority(2, beta=0.5), 1000)
    return claim(r"M - m \ge T/2", run.regret, len(run) / 2)


@remark(
    "E2-14",
    where="the last slide on the mistakes of Weighted Majority, and Problems 2",
    lecture="02",
    says=r"M \le 2.63\min_i M_i + 2.63\ln n \text{ for } \beta = 1/e",
    fair=r"2.632\ldots, \text{ rounded to three digits}",
)
def constants_at_one_over_e():
    """Both constants at β = 1/e against the printed three digits."""
    a, _ = wm_constants(1 / np.e)
    return claim(r"|a - 2.63| \le 0.005", abs(a - 2.63), 0.005)


# Lecture 03 ---------------------------------------------------------------------------------------


@remark(
    "E2-06",
    where="slides 83 and 88",
    lecture="03",
    says=r"c = \tfrac12,\ \eta = 2 \text{ for the square loss, near a box that predicts } v\cdot x",
    fair=(
        r"\text{they go with Vovk's prediction, which the experiment used; the mean has }"
        r" c = 2,\ \eta = \tfrac12"
    ),
)
def constants_of_two_predictions():
    """Two experts that always say 0 and 1/2, two outcomes 1: Vovk's prediction with η = 2."""
    return wa_vovk(
        play(WeightedAverage(2, eta=2, prediction="vovk"), [[0, 0.5]] * 2, [1, 1])
    ).lines[-1]


@theorem(r"v_{t+1,i} = v_{t,i} / Z_t", lecture="03", erratum="E2-09")
def printed_hedge_update(run: Run) -> Proof:
    """Hedge's update as printed in a line of the proof, without the factor e^(-η l)."""
    Z = np.einsum("ti,ti->t", run.probabilities[:-1], np.exp(-run.learner.eta * run.y))
    yield claim(r"\sum_i v_{t,i} / Z_t = 1", 1 / Z, 1).because("the weights it gives must sum to 1")


@erratum(
    "E2-09",
    severity="C",
    where="slide 26",
    lecture="03",
    printed=r"v_{t+1,i} = v_{t,i}/Z_t",
    right=(
        r"v_{t+1,i} = v_{t,i}\,e^{-\eta\ell_{t,i}}/Z_t,"
        r" \text{ as the box and the next line have it}"
    ),
)
def update_without_its_factor():
    """One trial with losses 0, 1/2 and 1: the new weights must sum to 1."""
    run = play(Hedge(3, eta=0.8), [[0, 0.5, 1]])
    return (
        printed_hedge_update(run).lines[-1],
        claim(r"\sum_i v_{2,i} = 1", run.probabilities[1].sum(), 1),
    )


@remark(
    "E2-11",
    where="slide 16",
    lecture="03",
    says=r"L_A/T \le \min_i L_i/T \text{ as } T\to\infty, \text{ in the limit}",
    fair=r"\limsup\, (L_A - \min_i L_i)/T \le 0 \text{ (in expectation if randomised)}",
)
def limit_of_averages():
    """Hedge on its worst losses 0 or 1, T = 16, 64, 256: the difference of the averages is above 0
    and goes to 0 like its bound.
    """
    T = np.array([16, 64, 256])
    rates = np.sqrt(8 * np.log(2) / T)
    regret = [
        play(Hedge(2, eta=rate), adversaries.sharp_hedge(t, rate)).regret
        for t, rate in zip(T.tolist(), rates.tolist(), strict=True)
    ]
    return claim(
        r"(L_A - \min_i L_i)/T \le \sqrt{\ln n/(2T)}", regret / T, np.sqrt(np.log(2) / 2 / T)
    )


@erratum(
    "E2-16",
    severity="C",
    where="slide 18",
    lecture="03",
    printed=r"w_{t,i} = e^{-\eta L_{t,i}}, \text{ so } w_{1,i} = 1, \text{ and } w_{1,i} = 1/n",
    right=r"\text{harmless: } v_t \text{ is the same after normalising}",
)
def two_starts():
    """Four experts, η = ½, losses 1, 0, 2, 1 so far. The two starts differ by the factor 4 for
    ever; divided by their sums, the weights are the same.
    """
    decay = np.exp(-0.5 * np.array([1, 0, 2, 1]))
    one, other = decay, decay / 4
    return (
        claim(r"e^{-\eta L_{t,i}} = \tfrac1n e^{-\eta L_{t,i}}", one, other),
        claim(
            r"\text{the same } v_{t,i} \text{ from both}",
            one / one.sum(),
            other / other.sum(),
            relation="==",
        ),
    )
