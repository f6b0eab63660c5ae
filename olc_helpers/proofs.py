"""The theorems of the course, from the rooms; importing this module registers them all.

The printed claims that fail (`printed_…`), which stand in `errata.py` of the rooms, are shown too.
"""

from .experts import theorems as experts
from .experts.theorems import *
from .games import theorems as games
from .games.theorems import *
from .perceptron import theorems as perceptron
from .perceptron.theorems import *
from .gradients import theorems as gradients
from .gradients.theorems import *
from .voting import theorems as voting
from .voting.theorems import *
from .winnow import theorems as winnow
from .winnow.theorems import *
from .sparsity import theorems as sparsity
from .sparsity.theorems import *
from .dnf import theorems as dnf
from .dnf.theorems import *
from .shifting import theorems as shifting
from .shifting.theorems import *
from .batch import theorems as batch
from .batch.theorems import *
from .limits import theorems as limits
from .limits.theorems import *
from .samples import theorems as samples
from .samples.theorems import *
from .mirror import theorems as mirror
from .mirror.theorems import *
from .ledger import THEOREMS, Theorem

__all__ = [
    *experts.__all__,
    *games.__all__,
    *perceptron.__all__,
    *gradients.__all__,
    *voting.__all__,
    *winnow.__all__,
    *sparsity.__all__,
    *dnf.__all__,
    *shifting.__all__,
    *batch.__all__,
    *limits.__all__,
    *samples.__all__,
    *mirror.__all__,
]


def theorems() -> dict[str, Theorem[...]]:
    """Return every theorem of the course by name, each callable on a run."""
    return dict(THEOREMS)


def __getattr__(name: str) -> Theorem[...]:
    from .printed import errata  # which needs the rooms' streams and adversaries as well

    if not name.startswith("printed_") or name not in errata():
        raise AttributeError(f"there is no theorem {name!r}")
    return errata()[name]
