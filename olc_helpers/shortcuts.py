"""The fast plays of the course, from the rooms; importing this module registers them all."""

from .experts import fast as experts
from .perceptron import fast as perceptron
from .gradients import fast as gradients
from .voting import fast as voting
from .winnow import fast as winnow
from .dnf import fast as dnf
from .shifting import fast as shifting

__all__ = ["experts", "perceptron", "gradients", "voting", "winnow", "dnf", "shifting"]
