"""Boolean formulas and features (lectures 11 to 14): see the room `winnow`."""

from .winnow import booleans
from .winnow.booleans import *

__all__ = booleans.__all__
