"""How rich is a class of concepts? The VC dimension, the optimal mistake bound, and half-spaces (lecture 13)."""

from .limits import dimensions
from .limits.dimensions import *

__all__ = dimensions.__all__
