"""Errata of the notes on conversions to batch learning and on the VC dimension (lectures 12 and 13)."""

from fractions import Fraction

import numpy as np

from .. import adversaries, batch, dimensions, proofs, streams
from ..learners import Perceptron
from ..ledger import claim
from ..margins import max_margin
from . import erratum, wording

MOHRI, RIVEST = "Notes after Mohri et al.", "Rivest"


class Gambler:
    """Says 1 for m days, and then that it is time for a 0."""

    labels, n = "bits", 1

    def __init__(self, m: int):
        self.m, self.day = m, 0

    def predict(self, x):
        return int(self.day < self.m)

    def update(self, x, y):
        self.day += 1


class Stubborn:
    """Says 1 once, and then 0 for ever, whatever happens."""

    inputs, labels, said = "anything", "bits", False

    def predict(self, x):
        return int(not self.said)

    def update(self, x, y):
        self.said = True


@erratum("E1-10", severity="A", source=MOHRI, lecture="12", printed=r"M(S - x) \le M(S)",
         right=r"(m+1)\,R_{loo}(S) \le U(S) \le M(S)")
def fewer_examples_more_mistakes():
    """(2, 3), (-1, 1), (3, 1), all positive: one mistake until consistent; without the first example there are three."""
    X, y = np.array([[2, 3], [-1, 1], [3, 1]]), np.ones(3, int)
    whole = batch.trained(Perceptron(2), X, y, consistent=True)
    return (proofs.printed_fewer_mistakes(Perceptron(2), X, y).lines[-1],
            claim(r"\text{leave-one-out errors} \le U(S)",
                  batch.leave_one_out(batch.until_consistent(Perceptron(2)), X, y).sum(), whole.updated.sum()))


@erratum("E1-11", severity="A", source=MOHRI, lecture="12",
         printed=r"\mathbb E[R(h_S)] \le \mathbb E[M(S)]/(m+1) \text{ after training}",
         right=r"\ldots \text{ after training until no error on } S")
def one_pass_is_not_enough():
    """(1, 0) with probability 4/5, (-6, 1) with 1/5, both positive. One pass over m = 5; then until consistent, over m = 3."""
    D = batch.distribution([[1, 0], [-6, 1]], [1, 1], ["4/5", "1/5"])
    return (proofs.printed_one_pass(Perceptron(2), D, 5).lines[-1], proofs.expected_error(Perceptron(2), D, 3).lines[-1])


@erratum("E1-12", severity="B", source=MOHRI, lecture="12",
         printed=r"\min(M(S), r_S^2/\rho_S^2) \text{ improves on } M(S)", right=r"M(S) \le r_S^2/\rho_S^2 \text{ always}")
def minimum_of_two_bounds():
    """Forty random samples of 15 examples, trained until consistent: the smaller of the two is the number of mistakes each time."""
    pairs = []
    for seed in range(40):
        X, y = streams.planted_margin(15, [0, 0, 1], 0.1, rng=seed)
        pairs.append((batch.trained(Perceptron(3), X, y, consistent=True).mistakes, 1 / max_margin(X, y).gamma ** 2))
    M, bound = np.array(pairs).T
    return (claim(r"\text{samples with } r_S^2/\rho_S^2 < M(S) \ge 1", np.sum(bound < M), 1, relation=">="),
            claim(r"M(S) \le r_S^2/\rho_S^2", M, bound, "Novikoff's theorem, for all passes together"))


wording("E1-13", severity="C", source=MOHRI, lecture="12", printed=r"\text{linearity of expectation, } S|x \sim D^m",
        right=r"\text{linearity, then exchangeability: } S - x_i \sim D^{m-1} \text{ and } x_i \sim D \text{ for each } i")


@erratum("E2-29", severity="B", source="Herbster", lecture="12",
         printed=r"t \in \{1,\ldots,m\}:\ P(h_t(x')\ne y') \le B/m \text{ if } B \text{ bounds the mistakes in } m \text{ rounds}",
         right=r"t \in \{0,\ldots,m-1\}, \text{ or } B \text{ for } m + 1 \text{ rounds}")
def round_after_the_last():
    """A gambler says 1 for four days and 0 on the fifth; the label is always 1. h_4 is tested in round 5, which B = 0 forgets."""
    D = batch.distribution([[1]], [1])
    return proofs.printed_random_stop(Gambler(4), D, 4, 0).lines[-1], proofs.random_stop_bound(Gambler(4), D, 4, 0).lines[-1]


LINE, TRIANGLE = np.array([[0, 0], [1, 1], [2, 2]]), np.array([[0, 0], [1, 0], [0, 1]])


@erratum("E4-10", severity="A", source=RIVEST, lecture="13", printed=r"\text{any 3 points of the plane are shattered by lines}",
         right=r"\text{some 3 points are}")
def three_points_on_a_line():
    """The labels +, -, + of three points on a line; then the corners of a triangle."""
    return (proofs.printed_any_triple(LINE).lines[-1],
            claim(r"\text{labellings of a triangle} = 2^3", len(dimensions.halfspace_labellings(TRIANGLE)), 8, relation="=="))


@erratum("E4-11", severity="B", source=RIVEST, lecture="13",
         printed=r"\text{a square is not shattered, so } VC < 4", right=r"\text{no 4 points are shattered, by Radon}")
def one_bad_set_proves_nothing():
    """By that argument the three points on a line would give VC < 3. Of 20 random sets of four points none is shattered."""
    rng = np.random.default_rng(0)
    shattered = [len(X) for X in (LINE, TRIANGLE) if len(dimensions.halfspace_labellings(X)) == 8]
    counts = [len(dimensions.halfspace_labellings(rng.standard_normal((4, 2)))) for _ in range(20)]
    return (claim(r"\text{a line of 3 is not shattered, so } VC < 3", max(shattered), 2),
            claim(r"\text{labellings of 4 points} \le 14", counts, 14, "Radon's labelling and its opposite are missing"))


@erratum("E4-12", severity="B", source=RIVEST, lecture="13",
         printed=r"\text{nature halves the interval, and some } a \text{ agrees with all labels}",
         right=r"\text{nature keeps a closed part without } x_t")
def limit_of_the_midpoints():
    """The learner says 1, then always 0. The midpoints tend to a = 1/2, which is itself a negative point; the thirds to 5/12."""
    half = adversaries.nested_intervals(Stubborn(), 60, keep=Fraction(1, 2)).run
    third = adversaries.nested_intervals(Stubborn(), 60).run

    def disagreements(run, a):
        return sum(int(x <= a) != y for x, y in zip(run.X, run.y, strict=True))
    return (claim(r"|\{t: 1[x_t \le a] \ne y_t\}| = 0 \text{ at the limit } a = 1/2", disagreements(half, Fraction(1, 2)), 0,
                  relation="=="),
            claim(r"|\{t: 1[x_t \le a] \ne y_t\}| = 0 \text{ at the limit } a = 5/12", disagreements(third, Fraction(5, 12)), 0,
                  relation="=="))


@erratum("E4-13", severity="B", source=RIVEST, lecture="13", printed=r"\lfloor\lg|C_n|\rfloor \le n^2 \text{ for all } n",
         right=r"\lfloor\lg|C_n|\rfloor \le n^2 \text{ for } n \ge 2")
def threshold_functions_of_one_variable():
    """All 4 functions of one variable are threshold functions, and lg 4 = 2 > 1; then n = 3 with its 104 functions."""
    return proofs.printed_counting(1).lines[-1], proofs.counting_bound(3).lines[-1]
