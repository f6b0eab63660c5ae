"""From on-line to batch (lecture 16): what a learner that makes few mistakes does on new examples.

The room offers the names of `training.py`: finite distributions, exact expectations, and the
leave-one-out error.
"""

from . import training
from .training import *

__all__ = training.__all__
