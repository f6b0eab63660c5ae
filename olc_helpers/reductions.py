"""Satisfiability, set cover and small disjunctions (lecture 09): each turned into the next, and exact solvers for small sizes."""

from .sparsity import reductions
from .sparsity.reductions import *

__all__ = reductions.__all__
