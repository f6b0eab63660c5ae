"""The ANOVA kernel and the monomials that it never writes down (lecture 14): see the room `dnf`."""

from .dnf import kernels
from .dnf.kernels import *

__all__ = kernels.__all__
