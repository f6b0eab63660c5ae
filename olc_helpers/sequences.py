"""Sequences of experts and their shifts (lecture 15): see the room `shifting`."""

from .shifting import sequences
from .shifting.sequences import *

__all__ = sequences.__all__
