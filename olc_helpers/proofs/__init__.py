"""The theorems of the course, one generator of claims each; importing this package registers them all."""

from . import experts, gradient, perceptron, winnow
from .experts import *
from .gradient import *
from .perceptron import *
from .winnow import *

__all__ = [*experts.__all__, *perceptron.__all__, *gradient.__all__, *winnow.__all__]
