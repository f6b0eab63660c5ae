"""Errata of the notes on covers and small disjunctions (lecture 09)."""

import numpy as np

from .. import proofs, streams
from ..booleans import And
from ..clinic import erratum, wording
from ..ledger import claim
from .reductions import cover_to_disjunction, smallest_cover, smallest_disjunction


@erratum(
    "E2-25",
    severity="A",
    source="Herbster",
    lecture="09",
    printed=r"\|w\|_p \text{ as } p \to 0 \text{ counts the non-zero weights}",
    right=r"\|w\|_p^p \text{ does}",
)
def norm_that_explodes():
    """The vector (1, 1, 0) has two non-zero weights; p = 0.01."""
    w, p = np.array([1.0, 1.0, 0.0]), 0.01
    power = (w[w > 0] ** p).sum()
    return (
        proofs.printed_p_norm(w, [p]).lines[-1],
        claim(r"|\,\|w\|_p^p - 2\,| \le 0.01", abs(power - 2), 0.01, "each term tends to 1"),
    )


wording(
    "E2-26",
    severity="C",
    source="Herbster",
    lecture="09",
    printed=r"\{C_1,\dots,C_n\} \subseteq L,\ S_1,\dots,S_n \in \{S_1,\dots,S_n\}",
    right=r"C_j \subseteq L,\ S_{i_1},\dots,S_{i_k} \in \{S_1,\dots,S_n\}",
    example="Each clause is a set of literals; the chosen sets need indices of their own.",
)


@erratum(
    "E2-27",
    severity="C",
    source="Herbster",
    lecture="09",
    printed=r"S_i \text{ and } \bar S_i \text{ are never both in a cover}",
    right=r"\text{never both in a cover of } m \text{ sets}",
)
def both_literals_in_a_cover():
    """The unsatisfiable formula x1 ∧ ¬x1 is covered by its two sets, one more than m = 1; x1 alone
    by one.
    """
    return (
        proofs.printed_both_literals(And(1, -1), (0, 1)).lines[-1],
        proofs.assignment_from_cover(And(1), (0,)).lines[3],
    )


@erratum(
    "E2-28",
    severity="B",
    source="Herbster",
    lecture="09",
    printed=r"\text{positive examples alone: smallest disjunction} = \text{smallest cover}",
    right=r"\text{add a negative example of zeros if literals may be negated}",
)
def positive_examples_alone():
    """Twelve elements and six sets: x1 ∨ ¬x1 explains all positive rows; with a negative row of
    zeros 3 literals are needed.
    """
    A = streams.TWELVE_BY_SIX
    found = smallest_disjunction(*cover_to_disjunction(A, negations=True), negations=True)
    return (
        proofs.printed_all_positive(A).lines[-1],
        claim(
            r"\min \text{literals} = \min |\mathcal C|",
            len(found.parts),
            len(smallest_cover(A)),
            relation="==",
        ),
    )


wording(
    "E2-30",
    severity="C",
    source="Herbster",
    lecture="09",
    printed=r"\text{finding such disjunctions is NP-complete}",
    right=r"\text{finding is NP-hard, deciding is NP-complete}",
    example="NP-completeness speaks of questions that are answered by yes or no.",
)
