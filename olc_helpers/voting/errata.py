"""Errata of the notes on voted and structured Perceptrons (lecture 07)."""

import numpy as np

from .. import proofs
from ..clinic import erratum, wording
from ..ledger import claim
from ..protocol import play
from .learners import StructuredPerceptron, VotedPerceptron
from .structures import Listed

SLIDES = "Slides on linear models"
ORDERS = ("man", "bites", "dog"), ("dog", "bites", "man")


# Voted and structured Perceptrons -----------------------------------------------------------------


@erratum(
    "E3-07",
    severity="A",
    source=SLIDES,
    lecture="07",
    printed=r"c_n = 0 \text{ for a new vector}",
    right=r"c_n = 1 \text{ for a new vector}",
)
def count_of_a_new_vector():
    """Six orthonormal examples: all printed counts are 0, so nobody votes and the three labels -1
    are missed.
    """
    X, y, learner = np.eye(6), np.array([1, -1, 1, 1, -1, -1]), VotedPerceptron(6)
    play(learner, X, y)
    right = (learner.classify(X) != y).sum()
    learner.counts = [0] + [count - 1 for count in learner.counts[1:]]
    printed = (learner.classify(X) != y).sum()
    return (
        claim(
            r"\text{errors of the vote with } c_n = 0 \text{ at first} = 0",
            printed,
            0,
            relation="==",
        ),
        claim(
            r"\text{errors of the vote with } c_n = 1 \text{ at first} = 0", right, 0, relation="=="
        ),
    )


wording(
    "E3-08",
    severity="C",
    source=SLIDES,
    lecture="07",
    printed=r"u_i = w\cdot x_i,\ \textstyle\sum_{n=0}^N",
    right=r"u_i = w_n\cdot x_i,\ \textstyle\sum_{n=0}^M",
    example="n counts examples in one line and vectors in the next.",
)


def _headline(features, size):
    """Return the Run of 100 trials on which the second of two word orders is right."""
    learner = StructuredPerceptron(Listed(size, features, lambda x: ORDERS))
    return play(learner, ["headline"] * 100, [ORDERS[1]] * 100)


@erratum(
    "E3-11",
    severity="B",
    source=SLIDES,
    lecture="07",
    printed=(
        r"\text{each update raises } w\cdot(f(x,y) - f(x,\hat y)) \text{ by } \|\Delta\|^2, \text{"
        r" so it gets positive}"
    ),
    right=(
        r"\text{it does if some } u \text{ scores } y \text{ above every other candidate by }"
        r" \delta > 0"
    ),
)
def same_features():
    """Two word orders with the same bag of words: Δ = 0, and the learner errs on 100 of 100
    trials.
    """

    def bag(x, y):
        return np.array([float(y.count(word)) for word in sorted(ORDERS[0])])

    def first_word(x, y):
        return np.array([float(y[0] == "man"), float(y[0] == "dog")])

    bound = proofs.structured_bound(_headline(first_word, 2), [-1, 1]).bound
    return (
        claim(
            r"M \le 99 \text{ of } 100 \text{ repetitions, with the bag of words}",
            _headline(bag, 3).mistakes,
            99,
        ),
        claim(
            r"M \le (R/\delta)^2, \text{ with a feature that differs}",
            _headline(first_word, 2).mistakes,
            bound,
        ),
    )
