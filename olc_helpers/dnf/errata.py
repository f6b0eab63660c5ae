"""Errata of the notes on DNF and kernels (lecture 10)."""

from .. import adversaries, proofs, streams
from ..booleans import And
from ..clinic import erratum, wording
from ..protocol import play
from .kernels import anova_kernel
from .learners import KernelPerceptron, MonomialWinnow


@erratum(
    "E2-23",
    severity="B",
    source="Herbster",
    lecture="10",
    printed=r"w_{t,i} = \exp(-\eta\sum_q \alpha_q\Phi(x_q)_i)",
    right=r"w_{t,i} = \exp(+\ln 2\sum_q \alpha_q\Phi(x_q)_i)",
)
def sign_in_the_exponent():
    """Winnow on the 256 monomials of 8 variables, 200 trials: its predictions from the weights of
    the formula.
    """
    target = streams.random_dnf(8, 2, 2, rng=0)
    run = play(MonomialWinnow(8), *streams.labelled(target, 200, 8))
    return proofs.printed_winnow_weights(run).lines[-1], proofs.winnow_dnf(run, target).lines[1]


wording(
    "E2-31",
    severity="B",
    source="Herbster",
    lecture="10",
    printed=r"\text{whether DNF can be learned under the uniform distribution is open}",
    right=r"\text{open for random examples, known with membership queries}",
    example=(
        "J. Jackson's algorithm of 1994 learns DNF under the uniform distribution if it may ask for"
        " labels."
    ),
)


@erratum(
    "E2-32",
    severity="B",
    source="Herbster",
    lecture="10",
    printed=r"M = O(k\,2^n)",
    right=r"M \le (4k+1)\,2^n, \text{ worse than memorising}",
)
def order_without_constant():
    """The term x1 ∧ x2 of two variables: nature forces 9 mistakes, more than k 2^n = 4, which
    memorising needs.
    """
    target = And(1, 2)
    worst = adversaries.kernel_perceptron_on_formula(target, 2)
    run = play(KernelPerceptron(anova_kernel), worst.X, worst.y)
    return (
        proofs.printed_order(run, target).lines[-1],
        proofs.kernel_perceptron_dnf(run, target).lines[-1],
    )
