"""Errata of the notes on conversions to batch learning (lecture 12)."""

import numpy as np

from .. import batch, proofs, streams
from ..clinic import erratum, wording
from ..ledger import claim
from ..perceptron.learners import Perceptron
from ..perceptron.margins import max_margin

MOHRI = "Notes after Mohri et al."


class Gambler:
    """Says 1 for m days, and then that it is time for a 0."""

    labels, n = "bits", 1

    def __init__(self, m: int):
        self.m, self.day = m, 0

    def predict(self, x):
        return int(self.day < self.m)

    def update(self, x, y):
        self.day += 1


@erratum(
    "E1-10",
    severity="A",
    source=MOHRI,
    lecture="12",
    printed=r"M(S - x) \le M(S)",
    right=r"(m+1)\,R_{loo}(S) \le U(S) \le M(S)",
)
def fewer_examples_more_mistakes():
    """(2, 3), (-1, 1), (3, 1), all positive: one mistake until consistent; without the first
    example there are three.
    """
    X, y = np.array([[2, 3], [-1, 1], [3, 1]]), np.ones(3, int)
    whole = batch.trained(Perceptron(2), X, y, consistent=True)
    return (
        proofs.printed_fewer_mistakes(Perceptron(2), X, y).lines[-1],
        claim(
            r"\text{leave-one-out errors} \le U(S)",
            batch.leave_one_out(batch.until_consistent(Perceptron(2)), X, y).sum(),
            whole.updated.sum(),
        ),
    )


@erratum(
    "E1-11",
    severity="A",
    source=MOHRI,
    lecture="12",
    printed=r"\mathbb E[R(h_S)] \le \mathbb E[M(S)]/(m+1) \text{ after training}",
    right=r"\ldots \text{ after training until no error on } S",
)
def one_pass_is_not_enough():
    """(1, 0) with probability 4/5, (-6, 1) with 1/5, both positive. One pass over m = 5; then until
    consistent, over m = 3.
    """
    D = batch.distribution([[1, 0], [-6, 1]], [1, 1], ["4/5", "1/5"])
    return (
        proofs.printed_one_pass(Perceptron(2), D, 5).lines[-1],
        proofs.expected_error(Perceptron(2), D, 3).lines[-1],
    )


@erratum(
    "E1-12",
    severity="B",
    source=MOHRI,
    lecture="12",
    printed=r"\min(M(S), r_S^2/\rho_S^2) \text{ improves on } M(S)",
    right=r"M(S) \le r_S^2/\rho_S^2 \text{ always}",
)
def minimum_of_two_bounds():
    """Forty random samples of 15 examples, trained until consistent: the smaller of the two is the
    number of mistakes each time.
    """
    pairs = []
    for seed in range(40):
        X, y = streams.planted_margin(15, [0, 0, 1], 0.1, rng=seed)
        pairs.append(
            (
                batch.trained(Perceptron(3), X, y, consistent=True).mistakes,
                1 / max_margin(X, y).gamma ** 2,
            )
        )
    M, bound = np.array(pairs).T
    return (
        claim(
            r"\text{samples with } r_S^2/\rho_S^2 < M(S) \ge 1", np.sum(bound < M), 1, relation=">="
        ),
        claim(r"M(S) \le r_S^2/\rho_S^2", M, bound, "Novikoff's theorem, for all passes together"),
    )


wording(
    "E1-13",
    severity="C",
    source=MOHRI,
    lecture="12",
    printed=r"\text{linearity of expectation, } S|x \sim D^m",
    right=(
        r"\text{linearity, then exchangeability: } S - x_i \sim D^{m-1} \text{ and } x_i \sim D"
        r" \text{ for each } i"
    ),
)


@erratum(
    "E2-29",
    severity="B",
    source="Herbster",
    lecture="12",
    printed=(
        r"t \in \{1,\ldots,m\}:\ P(h_t(x')\ne y') \le B/m \text{ if } B \text{ bounds the mistakes"
        r" in } m \text{ rounds}"
    ),
    right=r"t \in \{0,\ldots,m-1\}, \text{ or } B \text{ for } m + 1 \text{ rounds}",
)
def round_after_the_last():
    """A gambler says 1 for four days and 0 on the fifth; the label is always 1. h_4 is tested in
    round 5, which B = 0 forgets.
    """
    D = batch.distribution([[1]], [1])
    return (
        proofs.printed_random_stop(Gambler(4), D, 4, 0).lines[-1],
        proofs.random_stop_bound(Gambler(4), D, 4, 0).lines[-1],
    )
