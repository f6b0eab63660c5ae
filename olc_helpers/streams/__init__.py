"""Data for the lectures: the tables of the sources, and seeded random streams, one module per part."""

from . import boolean, experts, linear, linear_family
from .boolean import *
from .experts import *
from .linear import *
from .linear_family import *

__all__ = [*experts.__all__, *linear.__all__, *linear_family.__all__, *boolean.__all__]
