"""What a student's code may not call: while it is at work, the package refuses its own answers."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import FunctionType


def _refuse(*arguments, **named):
    """Stand in for a function of the package, with the names of its module: so nothing but the
    import is global.
    """
    from olc_helpers.feedback import Slip

    raise Slip("Your code calls the package for what it should do itself. Write it out.")


@cache
def _answers() -> list[FunctionType]:
    """Return the functions and methods of the package that would answer a question."""
    from . import dimensions, learners, sequences

    written = [getattr(learners, name) for name in learners.__all__]
    classes = {c for cls in [*written, dimensions.ConceptClass] for c in cls.__mro__}
    methods = {
        member
        for cls in classes
        for name, member in vars(cls).items()
        if name in ("__init__", "predict", "update") and isinstance(member, FunctionType)
    }
    functions = {dimensions.shattered, dimensions.shattered_set, dimensions.vc_dimension}
    functions |= {dimensions.littlestone_dimension, sequences.count_sequences, sequences.log_prior}
    return [answer for answer in methods | functions if not answer.__code__.co_freevars]


@contextmanager
def written_out() -> Iterator[None]:
    """Let the package refuse its answers with a Slip as long as a student's code is at work."""
    codes = [(answer, answer.__code__) for answer in _answers()]
    try:
        for answer, _ in codes:  # the code, so that a method which somebody holds is changed, too
            answer.__code__ = _refuse.__code__
        yield
    finally:
        for answer, code in codes:
            answer.__code__ = code
