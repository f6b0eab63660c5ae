"""Nature as a program: exact worst cases for small sizes, and adversaries to play against, one module per part."""

from . import experts
from .experts import *

__all__ = [*experts.__all__]
