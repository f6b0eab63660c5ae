"""AdaBoost with decision stumps (lecture 05): see the room `games`."""

from .games import boosting
from .games.boosting import *

__all__ = boosting.__all__
