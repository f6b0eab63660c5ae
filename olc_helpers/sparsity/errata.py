"""Remarks on notes about covers and small disjunctions (lecture 09)."""

import numpy as np

from ..clinic import remark
from ..ledger import claim


@remark(
    "E2-25",
    source="Herbster",
    where="slide 63",
    lecture="09",
    says=r"\text{minimise the hinge losses} + \lambda\|w\|_p \text{ as } p \to 0",
    fair=(
        r"\text{the number of weights that are not 0 is the limit of } \|w\|_p^p \text{, without"
        r" the root; for } \lambda \to 0 \text{ both have the same minimisers}"
    ),
)
def limit_of_the_power():
    """The vector (3, -0.2, 0) has two weights that are not 0; p is 0.1, 0.01 and 0.001."""
    p = np.array([0.1, 0.01, 0.001])
    return claim(r"|\,\|w\|_p^p - 2\,| \le p", np.abs(3**p + 0.2**p - 2), p, of="powers")


remark(
    "E2-26",
    source="Herbster",
    where="slide 67",
    lecture="09",
    says=r"\{C_1,\dots,C_n\} \subseteq L",
    fair=r"\text{each clause is a set of literals: } C_j \subseteq L",
)
remark(
    "E2-30",
    source="Herbster",
    where="case study of DNF, first slide",
    lecture="09",
    says=r"\text{finding such disjunctions is NP-complete}",
    fair=r"\text{deciding is NP-complete, finding is NP-hard; the next slides say it so}",
)
