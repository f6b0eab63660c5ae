"""Answers as students hand them in, one module for each coding question; PLANTS holds them all."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

PLANTS = []


@dataclass(frozen=True)
class Plant:
    """An answer, how the message starts that it deserves (nothing if it is right), and whether the
    student sees it, too: the visible check lets a subtle one pass.
    """

    answer: object
    words: str = ""
    subtle: bool = False

    @property
    def question(self):
        return self.answer.__module__.rpartition(".")[2]

    @property
    def name(self):
        return self.answer.__name__


def _plant(**verdict):
    return lambda answer: PLANTS.append(Plant(answer, **verdict)) or answer


def right(answer):
    """Plant an answer that gets all points."""
    return _plant()(answer)


def wrong(words="Wrong answer"):
    """Plant an answer that the visible check refuses with these words."""
    return _plant(words=words)


def subtle(words="Wrong answer"):
    """Plant an answer that only the hidden tests refuse, with these words."""
    return _plant(words=words, subtle=True)


def stops(answer, trials):
    """Plant a class that learns like a right one, but not for ever."""

    class Stops(answer):
        t = 0

        def update(self, x, y):
            self.t += 1
            if self.t <= trials:
                super().update(x, y)

    Stops.__name__, Stops.__module__ = f"{answer.__name__}{trials}", answer.__module__
    return subtle("Missing update")(Stops)


class Row:
    """A sequence of a student's own."""

    def __init__(self, numbers):
        self.numbers = list(numbers)

    def __len__(self):
        return len(self.numbers)

    def __getitem__(self, k):
        return self.numbers[k]


class Number:
    """A number of a student's own."""

    def __init__(self, value):
        self.value = value

    def __float__(self):
        return float(self.value)


QUESTIONS = sorted(
    path.stem for path in Path(__file__).parent.glob("*.py") if path.stem != "__init__"
)
for question in QUESTIONS:
    import_module(f"{__name__}.{question}")
