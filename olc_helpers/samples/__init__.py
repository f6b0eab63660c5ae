"""Samples and error (lecture 18): how many random examples make a rule that fits them a good one.

The room offers the names of `counting.py`: labellings, what a sample leaves possible, greedy rules.
"""

from . import counting
from .counting import *

__all__ = counting.__all__
