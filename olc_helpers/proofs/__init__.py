"""The theorems of the course, one generator of claims each; importing this package registers them all."""

from . import batch, experts, gradient, kernel, limits, perceptron, reductions, shifting, winnow
from .batch import *
from .experts import *
from .gradient import *
from .kernel import *
from .limits import *
from .perceptron import *
from .reductions import *
from .shifting import *
from .winnow import *

__all__ = [*experts.__all__, *perceptron.__all__, *gradient.__all__, *winnow.__all__,
           *reductions.__all__, *kernel.__all__, *shifting.__all__,
           *batch.__all__, *limits.__all__]
