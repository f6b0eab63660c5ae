"""Errata of the notes on the VC dimension and what no learner can do (lecture 17)."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
from numpy.typing import ArrayLike

from .. import adversaries, dimensions
from ..ledger import Proof, claim, theorem
from ..notes import erratum, remark

LINE, TRIANGLE = np.array([[0, 0], [1, 1], [2, 2]]), np.array([[0, 0], [1, 0], [0, 1]])


class Stubborn:
    """Says 1 once, and then 0 for ever, whatever happens."""

    inputs, labels, said = "anything", "bits", False

    def predict(self, x):
        return int(not self.said)

    def update(self, x, y):
        self.said = True


@theorem(r"\text{labellings of any 3 points} = 8", lecture="17", erratum="E4-10")
def printed_any_triple(X: ArrayLike) -> Proof:
    """Lines give any three points any labels, as printed."""
    yield claim(
        r"\text{labellings} = 2^3", len(dimensions.halfspace_labellings(X)), 8, of="points"
    ).because("as printed, for any three points")


@erratum(
    "E4-10",
    severity="A",
    where="section 3.3, Example 2",
    lecture="17",
    printed=r"\text{lines give any 3 points of the plane any labels}",
    right=r"\text{they do so for some 3 points, as Definition 1 asks}",
)
def three_points_on_a_line():
    """How many of the 8 labellings lines give to three points on a line, and to a triangle."""
    return (
        printed_any_triple(LINE).lines[-1],
        claim(
            r"\text{labellings of a triangle} = 2^3",
            len(dimensions.halfspace_labellings(TRIANGLE)),
            8,
        ),
    )


@erratum(
    "E4-11",
    severity="B",
    where="section 3.3, Example 2",
    lecture="17",
    printed=r"\text{one set of } d \text{ points that is not shattered (a square) shows } VC < d",
    right=r"\text{no set of 4 points is shattered (Radon)}",
)
def one_bad_set_proves_nothing():
    """By that argument three points on a line give VC < 3, but a triangle is shattered. Of the 126
    sets of four points in a 3 by 3 grid none is.
    """
    shattered = [len(X) for X in (LINE, TRIANGLE) if len(dimensions.halfspace_labellings(X)) == 8]
    grid = list(product(range(3), repeat=2))
    counts = [len(dimensions.halfspace_labellings(X)) for X in combinations(grid, 4)]
    return (
        claim(r"VC < 3", max(shattered), 3),
        claim(r"\text{labellings of 4 points} \le 14", counts, 14, of="sets").because(
            "Radon's labelling and its opposite are missing"
        ),
    )


@remark(
    "E4-12",
    where="section 3.2, before Assumption 6",
    lecture="17",
    says=(
        r"\text{nature shows some } x \text{ in the region of uncertainty and contradicts, for"
        r" ever}"
    ),
    fair=(
        r"\text{true; choose } x \text{ so that a closed part without } x \text{ remains, else no"
        r" target may be left in the end}"
    ),
)
def limit_of_the_thirds():
    """The learner says 1, then always 0, for 60 trials; nature keeps a closed third without the
    point. The target a = 5/12 agrees with all labels.
    """
    run = adversaries.nested_intervals(Stubborn(), 60).run
    return claim(r"1[x_t \le \tfrac5{12}] = y_t", [int(x <= Fraction(5, 12)) for x in run.X], run.y)
