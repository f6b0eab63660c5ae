"""Dot products of monomials (lecture 10): the ANOVA kernel, and the 2^n monomials that it never writes down."""

from .dnf import kernels
from .dnf.kernels import *

__all__ = kernels.__all__
