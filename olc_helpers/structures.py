"""Tasks of the structured Perceptron (lecture 10): see the room `voting`."""

from .voting import structures
from .voting.structures import *

__all__ = structures.__all__
