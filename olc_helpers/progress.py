"""A progress bar for long plays."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any


def counted(
    steps: Iterable, trials: int, size: Callable[[Any], int] = lambda step: 1
) -> Iterator[Any]:
    """Yield the steps of a play under a progress bar for all trials, of which each step takes
    `size(step)`; without tqdm there is none.
    """
    try:
        from tqdm.auto import tqdm
    except ModuleNotFoundError:
        yield from steps  # a play needs no bar
        return
    with tqdm(total=trials, unit=" trials", unit_scale=True) as bar:
        for step in steps:
            yield step
            bar.update(size(step))
