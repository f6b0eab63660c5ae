"""VC dimension, optimal mistake bound and half-spaces (lecture 17): see the room `limits`."""

from .limits import dimensions
from .limits.dimensions import *

__all__ = dimensions.__all__
