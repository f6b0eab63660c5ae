"""Errata of the notes on experts (lectures 01 to 03)."""

import numpy as np

from .. import adversaries, proofs, streams
from ..clinic import erratum, remark, wording
from ..ledger import claim, theorem
from ..protocol import play
from ..winnow.learners import Winnow
from .learners import Hedge, RandomizedWeightedMajority, WeightedAverage, WeightedMajority


@erratum(
    "E0-01",
    severity="A",
    source="Kitani",
    lecture="02",
    printed=r"\mathbb E[M] - m \le \eta m + \frac{\log n}\eta",
    right=r"\ldots \text{ with } \ln \text{ and } \eta \le \tfrac12",
)
def regret_for_every_rate():
    """Ten experts err in turn, ten times each, with η = 0.9; then the same with η = 1/2."""
    X, y = adversaries.erring_in_turn(10, 10)
    fast, slow = (
        play(RandomizedWeightedMajority(10, beta=beta, rng=0), X, y) for beta in (0.1, 0.5)
    )
    return proofs.printed_rwma_regret(fast).lines[-1], proofs.rwma_bound(slow).lines[-1]


@erratum(
    "E0-02",
    severity="B",
    source="Kitani",
    lecture="02",
    printed=r"\text{randomisation halves the mistakes}",
    right=r"\text{it halves the bound}",
)
def randomisation_halves_the_bound():
    """Sixteen experts that are right on 60 % of 500 trials: randomised voting makes more mistakes,
    not half as many.
    """
    X, y = streams.noisy_experts(500, [0.4] * 16, rng=0)
    vote, draw = (
        play(learner(16, beta=0.9), X, y)
        for learner in (WeightedMajority, RandomizedWeightedMajority)
    )
    m, eta = vote.best_loss, 0.1
    return (
        claim(
            r"\mathbb E[M_{RWMA}] \le \tfrac12 M_{WMA}",
            draw.expected_losses.sum(),
            vote.mistakes / 2,
        ),
        claim(
            r"\text{bound of RWMA} = \tfrac12\,\text{bound of WMA}",
            (1 + eta) * m + np.log(16) / eta,
            (2 * (1 + eta) * m + 2 * np.log(16) / eta) / 2,
            relation="==",
        ),
    )


@erratum(
    "E0-03",
    severity="B",
    source="Kitani",
    lecture="02",
    printed=r"\text{the bound is linear, so WMA has regret}",
    right=r"\text{some sequence gives regret} \ge T/2",
)
def linear_bound_proves_nothing():
    """The bound grows linearly also where one expert is perfect and WMA hardly errs; a lower bound
    needs an adversary.
    """
    benign = play(WeightedMajority(2, beta=0.5), np.tile([0, 1], (1000, 1)), np.zeros(1000, int))
    hostile = adversaries.contrary(WeightedMajority(2, beta=0.5), 1000)
    return (
        claim(r"M - m \ge T/2 \text{ on every sequence}", benign.regret, 500, relation=">="),
        claim(r"M - m \ge T/2 \text{ on the contrary one}", hostile.regret, 500, relation=">="),
    )


@erratum(
    "E0-04",
    severity="B",
    source="Kitani",
    lecture="02",
    printed=r"\eta = 1/\sqrt T \text{ is the tuning}",
    right=r"\eta = \sqrt{\ln n/T} \text{ gives } 2\sqrt{T\ln n}",
)
def tuning_of_the_rate():
    """n = 1000 and T = 10 000: the two guarantees side by side."""
    n, T = 1000, 10**4
    plain, tuned = np.sqrt(T) * (1 + np.log(n)), 2 * np.sqrt(T * np.log(n))
    return (
        claim(r"\sqrt T(1+\ln n) \le 2\sqrt{T\ln n}", plain, tuned),
        claim(r"2\sqrt{T\ln n} \le \sqrt T(1+\ln n)", tuned, plain, "1 + a² ≥ 2a"),
    )


@erratum(
    "E0-31",
    severity="B",
    source="Kitani",
    lecture="01",
    printed=r"\text{the bounds suit a criterion that evolves}",
    right=r"\text{they hold for one fixed target}",
)
def target_that_moves():
    """The relevant variable of 16 changes every 100 of 4000 trials; Winnow against its bound for a
    fixed target.
    """
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (4000, 16))
    moving, fixed = X[np.arange(4000), np.arange(4000) // 100 % 16], X[:, 0]
    return (
        claim(
            r"M \le 2 + 3(\lg n + 1)", play(Winnow(16), X, moving).mistakes, 17, "the target moves"
        ),
        claim(
            r"M \le 2 + 3(\lg n + 1)", play(Winnow(16), X, fixed).mistakes, 17, "the target stays"
        ),
    )


@remark(
    "E2-06",
    source="Herbster",
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
    return proofs.wa_vovk(
        play(WeightedAverage(2, eta=2, prediction="vovk"), [[0, 0.5]] * 2, [1, 1])
    ).lines[-1]


@theorem(r"v_{t+1,i} = v_{t,i} / Z_t", lecture="03", erratum="E2-09")
def printed_hedge_update(run):
    """Hedge's update as printed in a line of the proof, without the factor e^(-η l)."""
    Z = np.einsum("ti,ti->t", run.probabilities[:-1], np.exp(-run.learner.eta * run.y))
    yield claim(
        r"\sum_i v_{t,i} / Z_t = 1", 1 / Z, 1, "the weights it gives must sum to 1", relation="=="
    )


@erratum(
    "E2-09",
    severity="C",
    source="Herbster",
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
        claim(r"\sum_i v_{2,i} = 1", run.probabilities[1].sum(), 1, relation="=="),
    )


@remark(
    "E2-11",
    source="Herbster",
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
    "E2-36",
    severity="B",
    source="Herbster",
    lecture="01",
    printed=r"\text{any algorithm errs } \lg n \text{ times}",
    right=r"\text{a randomised one } \tfrac12\lg n \text{ times in expectation}",
)
def randomised_lower_bound():
    """Exact value of the game with 16 experts, one of them perfect, against a randomised
    learner.
    """
    value = float(adversaries.realizable_minimax(16))
    return (
        claim(r"\text{value} \ge \lg n", value, 4, relation=">="),
        claim(r"\text{value} \ge \tfrac12\lfloor\lg n\rfloor", value, 2, relation=">="),
    )


wording(
    "E0-05",
    severity="C",
    source="Kitani",
    lecture="02",
    printed=r"h \sim \text{Multinomial, then } h_i(x)",
    right=r"\text{one categorical draw; the drawn index is the one used}",
)
wording(
    "E0-32",
    severity="B",
    source="Kitani",
    lecture="01",
    printed=r"\text{“sampled learning” on a subset of states}",
    right=r"\text{both are full-information on-line protocols}",
)
wording(
    "E2-10",
    severity="C",
    source="Herbster",
    where="slide 16",
    lecture="03",
    printed=r"\text{the right side } o(T) \text{ is the regret}",
    right=r"\text{the left side } L_A - \min_i L_i \text{ is, as the later slides say}",
    example="The left side is what happened, the right side bounds it.",
)
wording(
    "E2-14",
    severity="C",
    source="Herbster",
    lecture="02",
    printed=r"a = b = 2.63",
    right=r"2.63237\ldots, \text{ rounded up } 2.64",
)
wording(
    "E2-15",
    severity="C",
    source="Herbster",
    lecture="02",
    printed=r"\beta = 0 \text{ in } \ln(1/\beta)",
    right=r"\text{read it as Halving: valid if } M_i = 0",
)
wording(
    "E2-16",
    severity="C",
    source="Herbster",
    where="slide 18",
    lecture="03",
    printed=r"w_{t,i} = e^{-\eta L_{t,i}}, \text{ so } w_{1,i} = 1, \text{ and } w_{1,i} = 1/n",
    right=r"\text{harmless: } v_t \text{ is the same after normalising}",
    example="Both give the same weights v, because they are divided by their sum.",
)
wording(
    "E2-38",
    severity="C",
    source="Herbster",
    lecture="02",
    printed=r"\text{“argue … argue”, “Schwartz”, “linearly threshold”}",
    right=r"\text{argue, Schwarz, linear threshold}",
)
