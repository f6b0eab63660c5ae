"""The theorems of the course, one generator of claims each; importing this package registers them all."""

from . import experts
from .experts import *

__all__ = [*experts.__all__]
