"""The map of the course (lecture 00): see the room `overview`."""

from .overview.course import Course

__all__ = ["Course"]
