"""Feedback on homework: the tasks of the rooms, and what checks and hidden tests call."""

from .experts.task import TASKS as EXPERTS
from .feedback import Slip, Task, check_class, expect
from .ledger import Ledger
from .perceptron.task import TASKS as PERCEPTRON
from .searching import agree, search_class
from .shifting.task import TASKS as SHIFTING
from .winnow.task import TASKS as WINNOW

__all__ = ["Slip", "agree", "check", "expect", "search"]
TASKS = EXPERTS | PERCEPTRON | WINNOW | SHIFTING


def task(name: str) -> Task:
    """Return the task of that name."""
    if name not in TASKS:
        raise ValueError(f"task must be one of {', '.join(TASKS)}; got {name!r}")
    return TASKS[name]


def check(student: type, name: str, seed: int = 0) -> Ledger:
    """Return the proof ledger of a right class; show that of a wrong one and raise a Slip that says
    what is wrong.

    `name` is that of the algorithm, a key of TASKS such as winnow.
    """
    return check_class(student, task(name), seed)


def search(student: type, name: str, seed: int | None = None) -> None:
    """Raise a Slip if the class differs from the algorithm on one of many streams, with the
    smallest such stream that was found; without a seed they are those of the grader.
    """
    search_class(student, task(name), seed)
