"""Remarks on notes about covers and small disjunctions (lecture 13)."""

import numpy as np

from ..ledger import claim
from ..notes import remark


@remark(
    "E2-25",
    where="slide 63",
    lecture="13",
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
