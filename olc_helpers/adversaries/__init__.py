"""Nature as a program: exact worst cases for small sizes, and adversaries to play against, one module per part."""

from . import experts, kernel, limits, perceptron, shifting, winnow
from .experts import *
from .kernel import *
from .limits import *
from .perceptron import *
from .shifting import *
from .winnow import *

__all__ = [*experts.__all__, *perceptron.__all__, *winnow.__all__, *kernel.__all__, *shifting.__all__, *limits.__all__]
