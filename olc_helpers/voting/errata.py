"""Errors and remarks on the notes about the voted Perceptron (lecture 10)."""

import numpy as np

from ..ledger import claim
from ..notes import remark
from ..protocol import play
from .learners import VotedPerceptron


@remark(
    "E3-07",
    where="the voted Perceptron, the count of a new vector",
    lecture="10",
    says=r"c_n = 0 \text{ for a new vector}",
    fair=(
        r"\text{a variant: it counts only the examples that the vector survives; Freund and"
        r" Schapire, who are cited there, start with 1}"
    ),
)
def count_of_a_new_vector():
    """Six orthonormal examples, one pass: with counts from 1 the vote is right on all; with counts
    from 0 no vector would have a vote.
    """
    X, y, learner = np.eye(6), np.array([1, -1, 1, 1, -1, -1]), VotedPerceptron(6)
    play(learner, X, y)
    return claim(
        r"\text{errors of the vote with } c_n = 1 \text{ at first} = 0",
        (learner.classify(X) != y).sum(),
        0,
    )
