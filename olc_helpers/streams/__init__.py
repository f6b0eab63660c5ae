"""Data for the lectures: the tables of the sources, and seeded random streams, one module per part."""

from . import boolean, experts, formulas, linear, linear_family, shifting
from .boolean import *
from .experts import *
from .formulas import *
from .linear import *
from .linear_family import *
from .shifting import *

__all__ = [*experts.__all__, *linear.__all__, *linear_family.__all__, *boolean.__all__, *formulas.__all__,
           *shifting.__all__]
