"""Errata of the notes on sparsity and DNF (lectures 09 and 10)."""

import numpy as np

from .. import adversaries, proofs, streams
from ..booleans import And
from ..kernels import anova_kernel
from ..learners import KernelPerceptron, MonomialWinnow
from ..ledger import claim
from ..protocol import play
from ..reductions import cover_to_disjunction, smallest_cover, smallest_disjunction
from . import erratum, wording


@erratum("E2-25", severity="A", source="Herbster", lecture="09",
         printed=r"\|w\|_p \text{ as } p \to 0 \text{ counts the non-zero weights}", right=r"\|w\|_p^p \text{ does}")
def norm_that_explodes():
    """The vector (1, 1, 0) has two non-zero weights; p = 0.01."""
    w, p = np.array([1.0, 1.0, 0.0]), 0.01
    power = (w[w > 0] ** p).sum()
    return (proofs.printed_p_norm(w, [p]).lines[-1],
            claim(r"|\,\|w\|_p^p - 2\,| \le 0.01", abs(power - 2), 0.01, "each term tends to 1"))


wording("E2-26", severity="C", source="Herbster", lecture="09",
        printed=r"\{C_1,\dots,C_n\} \subseteq L,\ S_1,\dots,S_n \in \{S_1,\dots,S_n\}",
        right=r"C_j \subseteq L,\ S_{i_1},\dots,S_{i_k} \in \{S_1,\dots,S_n\}",
        example="Each clause is a set of literals; the chosen sets need indices of their own.")


@erratum("E2-27", severity="C", source="Herbster", lecture="09",
         printed=r"S_i \text{ and } \bar S_i \text{ are never both in a cover}",
         right=r"\text{never both in a cover of } m \text{ sets}")
def both_literals_in_a_cover():
    """The unsatisfiable formula x1 ∧ ¬x1 is covered by its two sets, one more than m = 1; x1 alone by one."""
    return (proofs.printed_both_literals(And(1, -1), (0, 1)).lines[-1],
            proofs.assignment_from_cover(And(1), (0,)).lines[3])


@erratum("E2-28", severity="B", source="Herbster", lecture="09",
         printed=r"\text{positive examples alone: smallest disjunction} = \text{smallest cover}",
         right=r"\text{add a negative example of zeros if literals may be negated}")
def positive_examples_alone():
    """Twelve elements and six sets: x1 ∨ ¬x1 explains all positive rows; with a negative row of zeros 3 literals are needed."""
    A = streams.TWELVE_BY_SIX
    found = smallest_disjunction(*cover_to_disjunction(A, negations=True), negations=True)
    return (proofs.printed_all_positive(A).lines[-1],
            claim(r"\min \text{literals} = \min |\mathcal C|", len(found.parts), len(smallest_cover(A)), relation="=="))


wording("E2-30", severity="C", source="Herbster", lecture="09",
        printed=r"\text{finding such disjunctions is NP-complete}", right=r"\text{finding is NP-hard, deciding is NP-complete}",
        example="NP-completeness speaks of questions that are answered by yes or no.")


@erratum("E2-23", severity="B", source="Herbster", lecture="10",
         printed=r"w_{t,i} = \exp(-\eta\sum_q \alpha_q\Phi(x_q)_i)", right=r"w_{t,i} = \exp(+\ln 2\sum_q \alpha_q\Phi(x_q)_i)")
def sign_in_the_exponent():
    """Winnow on the 256 monomials of 8 variables, 200 trials: its predictions from the weights of the formula."""
    target = streams.random_dnf(8, 2, 2, rng=0)
    run = play(MonomialWinnow(8), *streams.labelled(target, 200, 8))
    return proofs.printed_winnow_weights(run).lines[-1], proofs.winnow_dnf(run, target).lines[1]


wording("E2-31", severity="B", source="Herbster", lecture="10",
        printed=r"\text{whether DNF can be learned under the uniform distribution is open}",
        right=r"\text{open for random examples, known with membership queries}",
        example="J. Jackson's algorithm of 1994 learns DNF under the uniform distribution if it may ask for labels.")


@erratum("E2-32", severity="B", source="Herbster", lecture="10",
         printed=r"M = O(k\,2^n)", right=r"M \le (4k+1)\,2^n, \text{ worse than memorising}")
def order_without_constant():
    """The term x1 ∧ x2 of two variables: nature forces 9 mistakes, more than k 2^n = 4, which memorising needs."""
    target = And(1, 2)
    worst = adversaries.kernel_perceptron_on_formula(target, 2)
    run = play(KernelPerceptron(anova_kernel), worst.X, worst.y)
    return proofs.printed_order(run, target).lines[-1], proofs.kernel_perceptron_dnf(run, target).lines[-1]
