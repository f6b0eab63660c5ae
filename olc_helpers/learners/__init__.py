"""The algorithms of the course, one module per part.

An interrupt leaves every learner as it was before or after an update, never in between: an update
works out everything first and sets it in one statement at the end. CPython looks for an interrupt
at calls and at jumps back, and there are none between the stores of `self.c, self.w = c, w` or of
`self.rows[k:], self.alpha[k:] = [x], [y]`, which appends.
"""

from . import experts, gradient, kernel, perceptron, shifting, structured, voted, winnow
from .experts import *
from .gradient import *
from .kernel import *
from .perceptron import *
from .shifting import *
from .structured import *
from .voted import *
from .winnow import *

__all__ = [*experts.__all__, *perceptron.__all__, *gradient.__all__, *voted.__all__, *structured.__all__, *winnow.__all__,
           *kernel.__all__, *shifting.__all__]


def members(cls: type) -> dict:
    """Return the methods, properties and constants of a class, inherited ones too, by name."""
    return {name: member for c in reversed(cls.__mro__) for name, member in vars(c).items() if not name.startswith("__")}


AS_DEFINED = {globals()[name]: members(globals()[name]) for name in __all__}  # shortcuts are for these, unchanged
