"""Many independent plays: what figures with error bands are made of."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from itertools import count, islice
from typing import Any

import numpy as np

from . import shortcuts
from .checks import check_stream
from .compiled import Kernel
from .fast import find, recorded
from .protocol import Learner, Run, play

GROUP = 128  # runs that are played together, or sent to a worker together
IN_STEP = 32  # runs from which it pays to play them in step

_PLAYERS: dict[type, tuple[Callable, Kernel]] = {}


def in_step(cls: type, kernel: Kernel) -> Callable:
    """Make a function the player of many learners of a class, all in step; once its kernel is
    loaded, they are played faster one by one.

    It is given the learners and pairs (x, y) with a row and a label for each of them, one pair a
    trial. It yields the predictions trial by trial and sets the learners at the end; if they can't
    be played together, it returns None instead.
    """

    def register(player):
        _PLAYERS[cls] = player, kernel
        return player

    return register


def play_many(
    make_learner: Callable[[int], Learner],
    streams: Iterable,
    *,
    read: Callable[[Run], object] | None = None,
    executor: Executor | None = None,
    keep: str = "last",
    **options,
) -> list:
    """Return the Runs of many plays: run i is that of the learner make_learner(i) on stream i, for
    i = 0, 1, …

    A stream is a pair (X, y), or in the allocation game an array of losses, or a function without
    arguments that returns one of these. The number i may serve as the seed of a learner that draws.
    `read(run)` says what to return instead of each Run, for instance
    `attrgetter("mistakes_before")`: the curves, without the data. The other arguments are those of
    `play`.

    Many runs of equal size with the Perceptron or with Winnow are played in step, all trials t at
    once, unless compiled loops are at hand. An `executor` as in `concurrent.futures` (processes,
    dask.distributed) plays groups of runs elsewhere; a stream that is a function is then called
    there. The results are the same in all cases.
    """
    numbers, streams = count(), iter(streams)
    results: list[Any] = []
    while group := list(islice(streams, GROUP)):
        task = [make_learner(next(numbers)) for _ in group], group, read, {"keep": keep, **options}
        results.append(
            _play_group(*task) if executor is None else executor.submit(_play_group, *task)
        )
    return [run for result in results for run in (result if executor is None else result.result())]


def _play_group(learners, streams, read, options):
    streams = (stream() if callable(stream) else stream for stream in streams)
    streams = (stream if isinstance(stream, tuple) else (stream,) for stream in streams)
    runs = None
    if len(learners) >= IN_STEP and options == {"keep": "last"} and _pays_in_step(learners[0]):
        streams = list(streams)
        runs = _in_step(learners, streams)
    if runs is None:
        runs = (
            play(learner, *stream, **options)
            for learner, stream in zip(learners, streams, strict=True)
        )
    return [run if read is None else read(run) for run in runs]


def _pays_in_step(learner):
    shortcuts.find(learner)  # where it stands, there is the player
    _, kernel = _PLAYERS.get(type(learner), (None, None))
    return kernel is not None and not kernel.pays(0)


def _in_step(learners, streams):
    """Return the Runs of learners that can play in step, or None."""
    if not all(len(stream) == 2 and not callable(stream[1]) for stream in streams):
        return None
    streams = [
        check_stream(learner, *stream) for learner, stream in zip(learners, streams, strict=True)
    ]
    Xs, ys = zip(*streams, strict=True)
    predictions = together(learners, Xs, ys)
    if predictions is None:
        return None
    return [
        recorded([(p, learner)], learner, X, y, "last")
        for learner, (X, y), p in zip(learners, streams, predictions, strict=True)
    ]


def together(
    learners: Sequence[Learner], Xs: Sequence[np.ndarray], ys: Sequence[np.ndarray]
) -> np.ndarray | None:
    """Return the predictions of all learners on their streams, trial by trial in step, or None.

    They must all be of one class that has a player, on streams of one shape and type. No row may be
    scattered in memory: stacked, it could have another dot product.
    """
    games = list(zip(learners, Xs, ys, strict=True))
    kinds = {(type(learner), X.shape, X.dtype, y.dtype) for learner, X, y in games}
    if len(kinds) > 1 or any(find(*game) is None for game in games):
        return None
    player, _ = _PLAYERS.get(type(learners[0]), (None, None))
    scattered = any(X.strides[1] != X.itemsize for X in Xs)
    trials = player(learners, _trials(Xs, ys)) if player and not scattered else None
    if trials is None:
        return None
    predictions = np.empty((len(ys[0]), len(ys)), int)
    for t, now in enumerate(trials):
        predictions[t] = now
    return predictions.T


def _trials(Xs, ys):
    """Yield (x, y) for each trial: the rows of all streams, as floats, and their labels."""
    y = np.stack(ys, axis=1)
    for t in range(len(y)):
        if t % 16 == 0:
            X = np.stack([X[t : t + 16] for X in Xs], axis=1)
        yield X[t % 16].astype(float), y[t]
