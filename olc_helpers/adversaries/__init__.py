"""Nature as a program: exact worst cases for small sizes, and adversaries to play against, one module per part."""

from . import experts, perceptron, winnow
from .experts import *
from .perceptron import *
from .winnow import *

__all__ = [*experts.__all__, *perceptron.__all__, *winnow.__all__]
