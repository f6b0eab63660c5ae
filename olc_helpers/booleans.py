"""Boolean formulas and features (lectures 08 to 10): see the room `winnow`."""

from .winnow import booleans
from .winnow.booleans import *

__all__ = booleans.__all__
