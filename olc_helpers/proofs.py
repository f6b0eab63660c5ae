"""The theorems of the course, from the rooms; importing this module registers them all."""

from .experts import theorems as experts
from .experts.theorems import *
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

__all__ = [
    *experts.__all__,
    *perceptron.__all__,
    *gradients.__all__,
    *voting.__all__,
    *winnow.__all__,
    *sparsity.__all__,
    *dnf.__all__,
    *shifting.__all__,
    *batch.__all__,
    *limits.__all__,
]
