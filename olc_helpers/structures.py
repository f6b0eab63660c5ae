"""Tasks of the structured Perceptron (lecture 07): what is predicted, and how the best candidate is found."""

from .voting import structures
from .voting.structures import *

__all__ = structures.__all__
