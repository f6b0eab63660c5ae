"""What to mind in the notes on DNF and kernels (lecture 14)."""

from .. import streams
from ..notes import remark
from ..protocol import play
from .learners import MonomialWinnow
from .theorems import winnow_dnf


@remark(
    "E2-23",
    where="comparison of Perceptron and Winnow on DNF",
    lecture="14",
    says=(
        r"w_{t,i} = \exp(-\eta\sum_q \alpha_q\Phi(x_q)_i) \text{ for Winnow, and } \Omega(2^n M)"
        r" \text{ as its prediction time after } M \text{ mistakes}"
    ),
    fair=(
        r"\text{the sign depends on } \alpha_q: \text{ minus for } \hat y_q - y_q, \text{ plus for"
        r" } y_q - \hat y_q; \text{ a learner that stores its weights needs } 2^n \text{ steps a"
        r" trial}"
    ),
)
def sign_in_the_exponent():
    """Winnow on the 256 monomials of 8 variables, 200 trials, η = ln 2: the weights with plus and
    y - ŷ predict what it predicts.
    """
    target = streams.random_dnf(8, 2, 2, rng=0)
    run = play(MonomialWinnow(8), *streams.labelled(target, 200, 8))
    return winnow_dnf(run, target).lines[1]
