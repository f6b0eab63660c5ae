"""Sequences of experts (lecture 11): who is followed on each trial. A shift is a trial after which the expert changes."""

from .shifting import sequences
from .shifting.sequences import *

__all__ = sequences.__all__
