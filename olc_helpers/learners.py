"""The algorithms of the course, from `learners.py` of each room.

An interrupt leaves every learner as it was before or after an update, never in between: an update
works out everything first and sets it in one statement at the end. CPython looks for an interrupt
at calls and at jumps back, and there are none between the stores of `self.c, self.w = c, w` or of
`self.rows[k:], self.alpha[k:] = [x], [y]`, which appends.
"""

from inspect import signature

from numpy import ndarray

from .experts import learners as experts
from .experts.learners import *
from .games import learners as games
from .games.learners import *
from .perceptron import learners as perceptron
from .perceptron.learners import *
from .gradients import learners as gradients
from .gradients.learners import *
from .voting import learners as voting
from .voting.learners import *
from .winnow import learners as winnow
from .winnow.learners import *
from .dnf import learners as dnf
from .dnf.learners import *
from .shifting import learners as shifting
from .shifting.learners import *
from .mirror import learners as mirror
from .mirror.learners import *


def _as_called(learner):
    """Return how a learner is made, as far as its attributes tell: `Hedge(n=4, eta=0.1)`."""
    parameters = signature(type(learner)).parameters.items()
    given = {name: getattr(learner, name, p.default) for name, p in parameters if name != "rng"}
    given = {k: v for k, v in given.items() if not (isinstance(v, ndarray) and (v == v[0]).all())}
    return f"{type(learner).__name__}({', '.join(f'{k}={v!r}' for k, v in given.items())})"


__all__ = [
    *experts.__all__,
    *games.__all__,
    *perceptron.__all__,
    *gradients.__all__,
    *voting.__all__,
    *winnow.__all__,
    *dnf.__all__,
    *shifting.__all__,
    *mirror.__all__,
]

for _cls in map(globals().get, __all__):
    setattr(_cls, "__repr__", _as_called)  # noqa: B010  (types call it a method)
