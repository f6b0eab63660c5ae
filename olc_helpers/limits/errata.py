"""Errata of the notes on the VC dimension and what no learner can do (lecture 13)."""

from fractions import Fraction

import numpy as np

from .. import adversaries, dimensions, proofs
from ..clinic import erratum
from ..ledger import claim

RIVEST = "Rivest"


class Stubborn:
    """Says 1 once, and then 0 for ever, whatever happens."""

    inputs, labels, said = "anything", "bits", False

    def predict(self, x):
        return int(not self.said)

    def update(self, x, y):
        self.said = True


LINE, TRIANGLE = np.array([[0, 0], [1, 1], [2, 2]]), np.array([[0, 0], [1, 0], [0, 1]])


@erratum(
    "E4-10",
    severity="A",
    source=RIVEST,
    lecture="13",
    printed=r"\text{any 3 points of the plane are shattered by lines}",
    right=r"\text{some 3 points are}",
)
def three_points_on_a_line():
    """The labels +, -, + of three points on a line; then the corners of a triangle."""
    return (
        proofs.printed_any_triple(LINE).lines[-1],
        claim(
            r"\text{labellings of a triangle} = 2^3",
            len(dimensions.halfspace_labellings(TRIANGLE)),
            8,
            relation="==",
        ),
    )


@erratum(
    "E4-11",
    severity="B",
    source=RIVEST,
    lecture="13",
    printed=r"\text{a square is not shattered, so } VC < 4",
    right=r"\text{no 4 points are shattered, by Radon}",
)
def one_bad_set_proves_nothing():
    """By that argument the three points on a line would give VC < 3. Of 20 random sets of four
    points none is shattered.
    """
    rng = np.random.default_rng(0)
    shattered = [len(X) for X in (LINE, TRIANGLE) if len(dimensions.halfspace_labellings(X)) == 8]
    counts = [len(dimensions.halfspace_labellings(rng.standard_normal((4, 2)))) for _ in range(20)]
    return (
        claim(r"\text{a line of 3 is not shattered, so } VC < 3", max(shattered), 2),
        claim(
            r"\text{labellings of 4 points} \le 14",
            counts,
            14,
            "Radon's labelling and its opposite are missing",
        ),
    )


@erratum(
    "E4-12",
    severity="B",
    source=RIVEST,
    lecture="13",
    printed=r"\text{nature halves the interval, and some } a \text{ agrees with all labels}",
    right=r"\text{nature keeps a closed part without } x_t",
)
def limit_of_the_midpoints():
    """The learner says 1, then always 0. The midpoints tend to a = 1/2, which is itself a negative
    point; the thirds to 5/12.
    """
    half = adversaries.nested_intervals(Stubborn(), 60, keep=Fraction(1, 2)).run
    third = adversaries.nested_intervals(Stubborn(), 60).run

    def disagreements(run, a):
        return sum(int(x <= a) != y for x, y in zip(run.X, run.y, strict=True))

    return (
        claim(
            r"|\{t: 1[x_t \le a] \ne y_t\}| = 0 \text{ at the limit } a = 1/2",
            disagreements(half, Fraction(1, 2)),
            0,
            relation="==",
        ),
        claim(
            r"|\{t: 1[x_t \le a] \ne y_t\}| = 0 \text{ at the limit } a = 5/12",
            disagreements(third, Fraction(5, 12)),
            0,
            relation="==",
        ),
    )


@erratum(
    "E4-13",
    severity="B",
    source=RIVEST,
    lecture="13",
    printed=r"\lfloor\lg|C_n|\rfloor \le n^2 \text{ for all } n",
    right=r"\lfloor\lg|C_n|\rfloor \le n^2 \text{ for } n \ge 2",
)
def threshold_functions_of_one_variable():
    """All 4 functions of one variable are threshold functions, and lg 4 = 2 > 1; then n = 3 with
    its 104 functions.
    """
    return proofs.printed_counting(1).lines[-1], proofs.counting_bound(3).lines[-1]
