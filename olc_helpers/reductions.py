"""Satisfiability, covers and small disjunctions (lecture 13): see the room `sparsity`."""

from .sparsity import reductions
from .sparsity.reductions import *

__all__ = reductions.__all__
