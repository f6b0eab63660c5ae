"""Streams that do not fit into memory, or never end: they come in chunks, which are forgotten."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .checks import trait
from .protocol import Learner, counts_mistakes, in_words, play


@dataclass(frozen=True, eq=False, repr=False)
class Totals:
    """What is left of a play whose trials came in chunks and were forgotten."""

    learner: Learner  # a copy of it as it was after the last trial
    trials: int
    total_loss: float
    weights: np.ndarray | None  # one row: those after the last trial

    def __len__(self) -> int:
        return self.trials

    def __repr__(self) -> str:
        return in_words(self)

    @property
    def mistakes(self) -> int:
        """Number of mistakes M."""
        if not counts_mistakes(self.learner):
            raise ValueError(
                f"{type(self.learner).__name__} pays a {trait(self.learner, 'loss')} loss: "
                "read total_loss"
            )
        return int(self.total_loss)


def several(name: str, streams: Any) -> Iterable:
    """Return the streams, or raise if there are not several."""
    if not isinstance(streams, Iterable):
        raise TypeError(f"{name} must be a list or a generator of pairs (X, y); got {streams!r}")
    return streams


def data_of(stream: Any) -> tuple:
    """Return what `play` is given of a stream: a pair (X, y), or losses alone."""
    data = stream if isinstance(stream, tuple) else (stream,)
    if len(data) not in (1, 2):
        raise ValueError(
            f"a stream is a pair (X, y), or in the allocation game an array; got {len(data)} things"
        )
    return data


def play_chunks(learner: Learner, chunks: Iterable, *, fast: bool = True) -> Totals:
    """Return the Totals of a play of pairs (X, y), or of arrays of losses, one after the other.

    `chunks` gives one of them at a time, as a generator does; each is played as by `play` and
    forgotten.

    >>> import numpy as np
    >>> from olc_helpers import Perceptron, play_chunks
    >>> days = ((np.full((8, 2), day), np.ones(8)) for day in range(1, 4))
    >>> play_chunks(Perceptron(2), days)
    <Run of Perceptron: 24 trials, 1 mistake>
    """
    trials, loss = 0, 0.0
    for number, chunk in enumerate(several("chunks", chunks), 1):
        try:
            run = play(learner, *data_of(chunk), keep="last", fast=fast, progress=False)
        except Exception as error:
            error.add_note(f"this was in chunk {number}")
            raise
        trials, loss = trials + len(run), loss + run.total_loss
    if trials == 0:
        raise ValueError("there was no chunk: a stream needs at least one trial")
    return Totals(run.learner, trials, loss, run.weights)
