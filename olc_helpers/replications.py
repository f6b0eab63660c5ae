"""Many independent plays: what figures with error bands are made of."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import islice
from operator import length_hint
from typing import Any

import numpy as np

from . import shortcuts
from .checks import given, is_sparse
from .chunks import data_of, several
from .compiled import Kernel
from .fast import Reading, Refused, find, recorded
from .protocol import Learner, Run, play

GROUP = 128  # runs that are played together, or sent to a worker together
IN_STEP = 32  # runs from which it pays to play them in step
MISTAKES = 1 / 4  # of the trials, by which the work of plays in step is counted

_PLAYERS: dict[type, tuple[Callable, Kernel]] = {}


def in_step(cls: type, kernel: Kernel) -> Callable:
    """Make a function the player of many learners of a class, all in step; once its kernel is
    loaded, they are played faster one by one.

    It is given the learners, pairs (x, y) with a row and a label for each of them, one pair a
    trial, and the number of trials. It yields the predictions trial by trial and sets the learners
    at the end; if they can't be played together, it returns None instead.
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
    there. The results are the same in all cases. If a play is interrupted or fails, the results
    before it are in the attribute `finished` of the exception (`sys.last_value.finished`).
    """
    for name, function in {"make_learner": make_learner, "read": read or len}.items():
        if not callable(function):
            raise TypeError(f"{name} must be a function; got {function!r}")
    several("streams", streams)
    if not hasattr(executor, "submit") and executor is not None:
        raise TypeError(
            f"executor must have a method submit, as in concurrent.futures; got {executor!r}"
        )
    todo = _groups(make_learner, iter(streams), read, {"keep": keep, **options}, executor)
    done: list[Any] = []
    try:
        for group in todo if executor is None else list(todo):
            done += group()
    except BaseException as error:
        vars(error)["finished"] = done + getattr(error, "finished", [])
        raise
    return done


def _groups(make_learner, streams, read, options, executor):
    """Yield for each group a function that returns its results, which an executor works out from
    now on.
    """
    first, call = 0, partial if executor is None else executor.submit
    while group := list(islice(streams, GROUP)):
        learners = [_learner(make_learner, first + i) for i in range(len(group))]
        if len({id(learner) for learner in learners}) < len(learners):
            raise ValueError("make_learner must return a new learner for each run; one came twice")
        task = call(_play_group, first, learners, group, read, options)
        yield task if executor is None else task.result
        first += len(group)


def _learner(make_learner, i):
    try:
        return make_learner(i)
    except Exception as error:
        error.add_note(f"this was make_learner({i})")
        raise


def _play_group(first, learners, streams, read, options):
    streams = (data_of(stream() if callable(stream) else stream) for stream in streams)
    runs, done = None, []
    try:
        if len(learners) >= IN_STEP and options == {"keep": "last"}:
            pairs = list(streams)
            streams = iter(pairs)
            if _pays_in_step(learners[0], pairs):
                runs = _in_step(learners, pairs)
        for i, learner in enumerate(learners):
            run = runs[i] if runs else play(learner, *next(streams), **options)
            done.append(run if read is None else read(run))
    except BaseException as error:
        error.add_note(f"this was run {first + len(done)}; those before are in error.finished")
        vars(error)["finished"] = done
        raise
    return done


def _pays_in_step(learner, streams):
    shortcuts.find(learner)  # where it stands, there is the player
    _, kernel = _PLAYERS.get(type(learner), (None, None))
    trials = sum(length_hint(y) for _, *labels in streams for y in labels)
    return kernel is not None and not kernel.pays_for_all(MISTAKES * trials)


def _in_step(learners, streams):
    """Return the Runs of learners that can play in step, or None."""
    if not all(len(stream) == 2 and not callable(stream[1]) for stream in streams):
        return None
    try:
        games = zip(learners, streams, strict=True)
        streams = [_checked(*given(learner, *stream)) for learner, stream in games]
    except (TypeError, ValueError, Refused):
        return None  # one by one, who is wrong is told
    Xs, ys = zip(*streams, strict=True)
    predictions = together(learners, Xs, ys)
    if predictions is None:
        return None
    return [
        recorded([(p, learner)], learner, X, y, "last")
        for learner, (X, y), p in zip(learners, streams, predictions, strict=True)
    ]


def _checked(rows, labels):
    """Return what `check_stream` does; the entries of types that hold no others are not read."""
    labels.checked()
    Reading(rows)(len(labels.a))
    return rows.own(), labels.own()


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
    scattered = any(is_sparse(X) or X.strides[1] != X.itemsize for X in Xs)
    trials = player(learners, _trials(Xs, ys), len(ys[0])) if player and not scattered else None
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
