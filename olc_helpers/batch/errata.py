"""Errata of the notes on conversions to batch learning (lecture 16)."""

import numpy as np
from numpy.typing import ArrayLike

from .. import batch
from ..ledger import Proof, claim, theorem
from ..notes import erratum
from ..perceptron.learners import Perceptron
from ..protocol import Learner
from .training import Distribution


@theorem(r"M(S - x_i) \le M(S)", lecture="16", erratum="E1-10")
def printed_fewer_mistakes(learner: Learner, X: ArrayLike, y: ArrayLike, consistent: bool) -> Proof:
    """Fewer examples, fewer mistakes, as printed."""
    M = batch.trained(learner, X, y, consistent).mistakes
    fewer = [
        batch.trained(learner, np.delete(X, i, 0), np.delete(y, i), consistent).mistakes
        for i in range(np.size(y))
    ]
    yield claim(r"M(S - x_i) \le M(S)", fewer, M, of="examples").because(
        "as printed, for each example that is left out"
    )


@erratum(
    "E1-10",
    severity="A",
    where="proof of Theorem 8.9",
    lecture="16",
    printed=r"M(S - x) \le M(S) \text{ as the reason for } (m+1)\,R_{loo}(S) \le M(S)",
    right=(
        r"\text{left-out errors happen at update points only: } (m+1)\,R_{loo}(S) \le U(S) \le"
        r" M(S)"
    ),
)
def fewer_examples_more_mistakes():
    """(2, 3), (-1, 1), (3, 1), all positive: one mistake in a pass, and two without the first
    example (three until consistent). Then leave-one-out errors and update points.
    """
    X, y = np.array([[2, 3], [-1, 1], [3, 1]]), np.ones(3, int)
    whole = batch.trained(Perceptron(2), X, y, consistent=True)
    return (
        printed_fewer_mistakes(Perceptron(2), X, y, consistent=False).lines[-1],
        claim(
            r"\text{leave-one-out errors} \le U(S)",
            batch.leave_one_out(batch.until_consistent(Perceptron(2)), X, y).sum(),
            whole.updated.sum(),
        ),
    )


@theorem(r"\mathbb E[R(h_S)] \le \mathbb E[M(S)]/(m+1)", lecture="16", erratum="E1-11")
def printed_one_pass(learner: Learner, D: Distribution, m: int) -> Proof:
    """The expected error as printed, whatever the training: here a single pass."""
    risks, laws = batch.rounds(learner, D, m + 1)
    mistakes = sum(count * p for count, p in laws[m + 1].items())
    yield claim(
        r"\mathbb E[R(h_S)] \le \mathbb E[M(S)]/(m+1)",
        float(risks[m]),
        float(mistakes) / (m + 1),
        of="samples",
    ).because("as printed, for the Perceptron after one pass")


@erratum(
    "E1-11",
    severity="B",
    where="Theorem 8.9",
    lecture="16",
    printed=(
        r"\mathbb E[R(h_S)] \le \mathbb E[M(S)]/(m+1) \text{ for the hypothesis returned after"
        r" training, next to a pseudo-code of one pass}"
    ),
    right=(
        r"\mathbb E[R(h_S)] \le \mathbb E[U(S)]/(m+1) \le \mathbb E[M(S)]/(m+1) \text{ after"
        r" training until there is no error on } S;\ U \text{ examples caused updates, } M \text{"
        r" counts all passes}"
    ),
)
def one_pass_is_not_enough():
    """(1, 0) with probability 4/5, (-6, 1) with 1/5, both positive, m = 5: one pass, then until
    consistent.
    """
    D, m = batch.distribution([[1, 0], [-6, 1]], [1, 1], ["4/5", "1/5"]), 5
    rule = batch.until_consistent(Perceptron(2))
    points = batch.expectation(
        D, m + 1, lambda X, y: batch.trained(Perceptron(2), X, y, consistent=True).updated.sum()
    )
    return (
        printed_one_pass(Perceptron(2), D, m).lines[-1],
        claim(
            r"\mathbb E[R(h_S)] \le \mathbb E[U(S)]/(m+1)",
            float(batch.expectation(D, m, lambda X, y: batch.risk(rule(X, y), D))),
            float(points) / (m + 1),
        ),
    )
