"""What a student's code may not call: while it is at work, the answers of the package refuse.

Rooms mark them by `@answer`. They lose their code for that time, so that a method which somebody
holds refuses, too, and a play of every other time goes through nothing but the learner.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import TypeVar

Answer = TypeVar("Answer", bound=Callable)
ANSWERS: dict[FunctionType, CodeType] = {}  # with the code that is its own
AT_WORK: list[str] = []  # holds something while a student's code is at work, in whatever thread


class Slip(AssertionError):
    """What is wrong with a student's answer, in words for its author; a notebook shows the words
    and no traceback.
    """

    def _render_traceback_(self):
        return str(self).splitlines()


def refuse(*arguments, **named):
    """Stand in for an answer, with the names of its module: so nothing but the import is global."""
    from olc_helpers.own_work import Slip

    raise Slip("Your code calls the package for what it should do itself. Write it out.")


def answer(thing: Answer) -> Answer:
    """Return what answers a question, a function or a class with all its methods, which from now on
    refuses while a student's code is at work, whoever holds it and however it was made.
    """
    for each in vars(thing).values() if isinstance(thing, type) else [thing]:
        each = getattr(each, "fget", getattr(each, "func", each))  # of a property
        if isinstance(each, FunctionType) and not each.__code__.co_freevars:  # else it asks others
            ANSWERS[each] = each.__code__
            if AT_WORK:  # a student's code imports it right now
                each.__code__ = refuse.__code__
    return thing


@contextmanager
def written_out(answers: dict = ANSWERS, at_work: list = AT_WORK) -> Iterator[None]:
    """Let the package refuse its answers with a Slip as long as a student's code is at work."""
    at_work.append("a student's code")
    try:
        for each in answers:
            each.__code__ = refuse.__code__
        yield
    finally:
        at_work.pop()
        if not at_work:  # the last one has come home
            for each, code in answers.items():
                each.__code__ = code


class NotWritten(Slip, NotImplementedError):
    """A method or a function that still raises what stood in its place."""


def explain(error: Exception, name: str) -> None:
    """Raise a Slip if there is a sentence for an error that beginners meet: the body that is not
    written yet, and fractions in an array of whole numbers.
    """
    if isinstance(error, NotImplementedError):
        raise NotWritten(f"You have not written {name} yet.") from None
    if str(error).startswith("Cannot cast ufunc"):
        raise Slip(
            f"Whole numbers: {name} puts fractions into an array that holds integers. Start with"
            " floats, such as np.ones(n) or np.zeros(n) without int."
        ) from None


@contextmanager
def in_words(name: str) -> Iterator[None]:
    """Let what happens inside be explained to beginners."""
    try:
        yield
    except Exception as error:
        explain(error, name)
        raise
