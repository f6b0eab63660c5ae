"""What a student's code may not call: while it is at work, the answers of the package refuse."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar

Answer = TypeVar("Answer", bound=Callable)
AT_WORK: list[Any] = []  # holds something while a student's code is at work, in whatever thread


class Slip(AssertionError):
    """What is wrong with a student's answer, in words for its author; a notebook shows the words
    and no traceback.
    """

    def _render_traceback_(self):
        return str(self).splitlines()


@contextmanager
def written_out(at_work: list[Any] = AT_WORK) -> Iterator[None]:
    """Let the package refuse its answers with a Slip as long as a student's code is at work."""
    at_work.append("a student's code")
    try:
        yield
    finally:
        at_work.pop()


def answer(thing: Answer) -> Answer:
    """Return what answers a question, a function or a class with all its methods, so that it
    refuses while a student's code is at work, whoever holds it and however it was made.
    """
    if not isinstance(thing, type):
        return _guarded(thing, AT_WORK)
    for name, member in [*vars(thing).items()]:
        if isinstance(member, FunctionType):
            setattr(thing, name, _guarded(member, AT_WORK))
    return thing


def _guarded(function, at_work):
    @wraps(function)
    def guarded(*arguments, **named):
        if at_work:
            raise Slip("Your code calls the package for what it should do itself. Write it out.")
        return function(*arguments, **named)

    return guarded
