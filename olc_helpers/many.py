"""Many independent plays: what figures with error bands are made of."""

from itertools import count, islice

from .fast import together
from .protocol import Run, Weights, check_stream, play

GROUP = 128   # runs that are played together, or sent to a worker together
IN_STEP = 32  # runs from which it pays to play them in step


def play_many(make_learner, streams, *, read=None, executor=None, keep: str = "last", **options) -> list:
    """Return the Runs of many plays: run i is that of the learner make_learner(i) on stream i, for i = 0, 1, …

    A stream is a pair (X, y), or in the allocation game an array of losses, or a function without arguments that returns
    one of these. The number i may serve as the seed of a learner that draws. `read(run)` says what to return instead of
    each Run, for instance `attrgetter("mistakes_before")`: the curves, without the data. The other arguments are those
    of `play`.

    Many runs of equal size with the Perceptron or with Winnow are played in step, all trials t at once. An `executor` as in
    `concurrent.futures` (processes, dask.distributed) plays groups of runs elsewhere; a stream that is a function is then
    called there. The results are the same in all cases.
    """
    numbers, streams, results = count(), iter(streams), []
    while group := list(islice(streams, GROUP)):
        task = [make_learner(next(numbers)) for _ in group], group, read, {"keep": keep, **options}
        results.append(_play_group(*task) if executor is None else executor.submit(_play_group, *task))
    return [run for result in results for run in (result if executor is None else result.result())]


def _play_group(learners, streams, read, options):
    streams = [stream() if callable(stream) else stream for stream in streams]
    streams = [stream if isinstance(stream, tuple) else (stream,) for stream in streams]
    runs = _in_step(learners, streams) if options == {"keep": "last"} else None
    if runs is None:
        runs = (play(learner, *stream, **options) for learner, stream in zip(learners, streams, strict=True))
    return [run if read is None else read(run) for run in runs]


def _in_step(learners, streams):
    """Return the Runs of learners that can play in step, or None."""
    if len(learners) < IN_STEP or any(len(stream) != 2 for stream in streams):
        return None
    streams = [check_stream(learner, *stream) for learner, stream in zip(learners, streams, strict=True)]
    predictions = together(learners, *zip(*streams, strict=True))
    if predictions is None:
        return None
    weights = (Weights(learner, y, "last") for learner, (_, y) in zip(learners, streams, strict=True))
    return [Run.of(learner, X, y, p, w.of("w"), w.of("log_w"), keep="last")
            for learner, (X, y), p, w in zip(learners, streams, predictions, weights, strict=True)]
