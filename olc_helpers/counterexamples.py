"""Looking for an example on which an answer is wrong, and for a smaller one, which is shown."""

import os
from collections.abc import Callable
from copy import deepcopy

import numpy as np

from .feedback import Case, Task, compare, expect, task_of, width, written_by_hand
from .own_work import Slip

# Experts or features, and trials: from small to large, because the first that fails is shown.
SIZES = [
    *[(2, 2)] * 4,
    *[(2, 6)] * 4,
    *[(3, 6)] * 6,
    *[(4, 8)] * 6,
    *[(6, 12)] * 4,
    *[(9, 20)] * 3,
    (17, 40),
    (5, 400),
    (300, 12),
]
CROWDED = 8  # trials up to which a second learner of the class is at work
EFFORT = 3000  # trials that are spent on making an example smaller,
PLAY = 8  # to start a play counting as so many
LONGEST = 2000  # letters of an example


def secret_seed() -> int:
    """Return the seed of the hidden tests: the grader draws it and keeps it, elsewhere it is 0."""
    return int(os.environ.get("OLC_SEED", "0"))


def search(student: type, name: str, seed: int | None = None) -> None:
    """Raise a Slip if the class differs from the algorithm on one of many streams, with the
    smallest such stream that was found; without a seed they are those of the grader.
    """
    task = task_of(name)
    written_by_hand(student)
    rng = np.random.default_rng(secret_seed() if seed is None else seed)
    for n, T in SIZES:
        case = task.draw(rng, n, T)
        crowd = T <= CROWDED
        if not slip_on(student, task, case, crowd):
            continue
        if crowd and not slip_on(student, task, case):
            raise Slip(
                "Two learners of your class get into each other's way: what one of them learns"
                " changes the other. Keep what belongs to a learner in self, not in the class, a"
                " default value or a global name."
            )
        case = _smallest(lambda case: slip_on(student, task, case), case)
        arguments, X, y = case
        given = ", ".join(map(str, [width(X, y), *arguments.values()]))
        data = f"losses = {_rows(y)}" if X is None else f"y = {_rows(y)}, X = {_rows(X)}"
        data = data if len(data) <= LONGEST else data[:LONGEST] + " …"
        raise Slip(
            f"{slip_on(student, task, case)}\nThe smallest stream found on which this"
            f" happens: {student.__name__}({given}) on {data}"
        )


def slip_on(student: type, task: Task, case: Case, crowd: bool = False) -> str:
    """Return what is wrong with the class on a case (arguments, X, y), or nothing."""
    try:
        return compare(student, task, *case, crowd)[1]
    except Slip as slip:
        return str(slip)


def _smallest(fails, case):
    """Return a case that fails, too, with fewer trials and columns and plainer numbers, if there is
    one.
    """
    effort = EFFORT
    while True:
        for other in _plainer(*case):
            effort -= PLAY + len(other[2])
            if effort < 0:
                return case
            if _size(other) < _size(case) and fails(other):
                case = other
                break
        else:
            return case


def _plainer(arguments, X, y):
    """Yield plainer cases, the largest steps first."""
    T, n, wide = len(y), width(X, y), y if X is None else X

    def with_columns(a):
        return (arguments, None, a) if X is None else (arguments, a, y)

    rows = [np.arange(T // 2), np.arange(T // 2, T)] if T > 2 else []
    rows += [np.arange(T - 2**k) for k in (4, 3, 2, 1) if T > 3 * 2**k]
    rows += [np.delete(np.arange(T), t) for t in range(T - 1, -1, -1)] if T > 1 else []
    for keep in rows:
        yield arguments, None if X is None else X[keep], y[keep]
    columns = [np.arange(n // 2), np.arange(n // 2, n)] if n > 3 else []
    columns += [np.delete(np.arange(n), i) for i in range(n - 1, -1, -1)] if n > 2 else []
    for keep in columns:
        yield with_columns(wide[:, keep])
    for plain in (np.trunc, np.round):
        yield with_columns(plain(wide))


def _size(case):
    _, X, y = case
    numbers = y if X is None else np.column_stack([X, y])
    return numbers.size, int((numbers != np.trunc(numbers)).sum())


def _rows(a):
    return f"[{', '.join(map(_rows, a))}]" if np.ndim(a) else f"{a:.4g}"


def agree(function: Callable, reference: Callable, draw: Callable, seed: int | None = None) -> None:
    """Raise a Slip unless the function returns what the reference does, on arguments
    `draw(rng, size)` of sizes 1 to 40: the first that fails is small.
    """
    rng = np.random.default_rng(secret_seed() if seed is None else seed)
    for size in range(1, 41):
        arguments = draw(rng, size)
        expect(function, *arguments, answer=reference(*deepcopy(arguments)))
