"""The theorems of the course, one generator of claims each; importing this package registers them all."""

from .experts import *  # noqa: F403
