"""The algorithms of the course, one module per part."""

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
