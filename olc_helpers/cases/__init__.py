"""Does it work? (lecture 20): four cases of real data, plain rivals, and twenty orders of each.

The room offers the names of `contests.py`.
"""

from . import contests
from .contests import *

__all__ = contests.__all__
