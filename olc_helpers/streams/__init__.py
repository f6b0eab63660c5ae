"""Data for the lectures: the tables of the sources, and seeded random streams, one module per part."""

from . import experts
from .experts import *

__all__ = [*experts.__all__]
