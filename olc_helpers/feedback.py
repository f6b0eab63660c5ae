"""Feedback on what a student writes: it plays next to the course's own, the first difference is put
into words, on the smallest example that was found.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from copy import copy, deepcopy
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from .ledger import HypothesisError, Ledger
from .protocol import Run


class Slip(AssertionError):
    """What is wrong with a learner, in words for its author; a notebook shows the words and no
    traceback.
    """

    def _render_traceback_(self):
        return str(self).splitlines()


@dataclass(frozen=True)
class Task:
    """A class to write: the course's own one, the arguments after n, a stream for each seed with
    the proof that reads the run, and streams of every size for the search.
    """

    reference: Callable  # n and the arguments -> a learner
    arguments: dict
    stream: Callable  # seed -> (X, y, arguments of the theorem); X is None in the allocation game
    draw: Callable  # (rng, n, T) -> (arguments, X, y); ties in them don't depend on rounding
    theorem: Callable
    predicts: str  # a key of ANSWERS
    tie: Callable = lambda w, x: False
    tie_rule: str = ""
    any_scale: bool = False  # weights count up to a common factor

    def make(self, cls, n: int, arguments: dict | None = None) -> Any:
        """Return a learner of the class for n experts or features."""
        return cls(n, *(self.arguments if arguments is None else arguments).values())


# What predict may return: in words, and as a test of one prediction for n experts.
ANSWERS = {
    "bits": ("0 or 1", lambda p, n: np.ndim(p) == 0 and p in (0, 1)),
    "signs": ("-1, 0 or +1, the sign of w·x", lambda p, n: np.ndim(p) == 0 and p in (-1, 0, 1)),
    "unit": ("a number in [0, 1]", lambda p, n: np.ndim(p) == 0 and 0 <= p <= 1 + 1e-9),
    "allocation": (
        "n probabilities that sum to 1",
        lambda p, n: np.shape(p) == (n,) and np.min(p) >= 0 and _near(np.sum(p), 1),
    ),
}


def _near(a, b):
    return np.allclose(a, b, rtol=1e-9, atol=1e-12)


def _near_rows(a, b):
    """Return for each row of two arrays of the same shape whether it is near to the other."""
    near = np.isclose(a, b, rtol=1e-9, atol=1e-12)
    return near.all(axis=tuple(range(1, near.ndim)))


def _numbers(a, most=12):
    if np.ndim(a) == 0:
        return f"{a:.4g}"
    shown = [f"{value:.4g}" for value in np.ravel(a)[:most]]
    return f"[{', '.join(shown + ['…'] * (np.size(a) > most))}]"


# Watching a learner -------------------------------------------------------------------------------


@dataclass
class Played:
    """What a learner did on a stream, and the first slip against the protocol."""

    predictions: list
    weights: np.ndarray
    slip: str


def _weights(learner):
    try:
        w = learner.w
    except AttributeError:
        raise Slip(
            "Your class has no attribute w. Keep the weights in self.w: the proof ledger reads them"
            " there."
        ) from None
    return np.array(w, float)


def _call(method, t, *arguments):
    try:
        return method(*arguments)
    except Exception as error:
        error.add_note(f"It happened in {method.__name__}, on trial {t}.")
        raise


def _refuse(*arguments, **named):
    """Stand in for a function of the package, with the names of its module: so nothing but the
    import is global.
    """
    from olc_helpers.feedback import Slip

    raise Slip("Your code calls the package for what it should do itself. Write it out.")


@cache
def _answers() -> list[FunctionType]:
    """Return the functions and methods of the package that would answer a question."""
    from .learners import AS_DEFINED
    from .limits import dimensions
    from .shifting import sequences

    classes = {c for cls in [*AS_DEFINED, dimensions.ConceptClass] for c in cls.__mro__}
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


def _announced(learner, calls):
    """Return a context in which just these calls are made, and self.w is read after each: the
    grader, where the learner lives in another process, has them done with one message.
    """
    announce = getattr(type(learner), "_announce_", None)
    return nullcontext() if announce is None else announce(learner, calls, "w")


def _watch(learner, X, y, any_scale=False) -> Played:
    def same(a, b):
        return (
            np.array_equal(a, b)
            or any_scale
            and a.shape == b.shape
            and _near(a / a.sum(), b / b.sum())
        )

    predictions, weights, slips = [], [_weights(learner)], []
    given = [(None if X is None else copy(X[t]), copy(label)) for t, label in enumerate(y)]
    calls = [call for x, label in given for call in (("predict", x), ("update", x, label))]
    with _announced(learner, calls):
        for t, (x, label) in enumerate(given, 1):
            predictions.append(copy(_call(learner.predict, t, x)))
            if not same(_weights(learner), weights[-1]):
                slips.append(
                    f"Wrong order: predict changes self.w on trial {t}. It is called before the"
                    " label is known; what you learn belongs into update."
                )
            _call(learner.update, t, x, label)
            if not (np.array_equal(label, y[t - 1]) and (X is None or np.array_equal(x, X[t - 1]))):
                slips.append(
                    f"Changed input: on trial {t} your code writes into the array it was given. "
                    "It belongs to the protocol; compute a new array, or work on a copy."
                )
            weights.append(_weights(learner))
            if weights[-1].shape != weights[0].shape:
                raise Slip(
                    f"update changes the shape of self.w on trial {t}, from {weights[0].shape} to"
                    f" {weights[-1].shape}."
                )
    return Played(predictions, np.array(weights), slips[0] if slips else "")


# Putting the difference into words ----------------------------------------------------------------


def _alphabet(task, mine, right):
    """Return what is wrong with the kind of the predictions, or nothing."""
    (expected, accepts), n = ANSWERS[task.predicts], right.weights.shape[1]
    for t, p in enumerate(mine.predictions, 1):
        if np.asarray(p).dtype.kind not in "biuf" or not accepts(p, n):
            if task.predicts == "allocation" and np.shape(p) == (n,) and np.min(p) >= 0:
                return (
                    f"Wrong normalisation: predict must return {expected}; on trial {t} they sum to"
                    f" {np.sum(p):.4g}."
                )
            return (
                f"Wrong label alphabet: predict must return {expected}; on trial {t} it returned"
                f" {p!r}."
            )
    said = {float(p) for p in mine.predictions} if task.predicts == "signs" else set()
    if said == {0, 1} and -1 in right.predictions:
        return (
            f"Wrong label alphabet: predict must return {expected}; yours says 0 where it should"
            " say -1."
        )
    return ""


def _order(learner, mine, X, y):
    """Return what is wrong if all predictions are those of the weights one trial earlier or later,
    or nothing; `learner` is the course's own, before the first trial.
    """
    rows = [None] * len(y) if X is None else X
    states = [deepcopy(learner)]  # before each trial, and at the end
    for x, label in zip(rows, y, strict=True):
        learner.predict(x)
        learner.update(x, label)
        states.append(deepcopy(learner))
    for shift, words in (
        (-1, "the weights of the trial before"),
        (1, "the weights after the update"),
    ):
        other = [copy(states[max(t + shift, 0)]).predict(x) for t, x in enumerate(rows)]
        if all(_near(p, q) for p, q in zip(mine.predictions, other, strict=True)):
            return f"Wrong order of predict and update: your predictions use {words}."
    return ""


def _difference(task, fresh, mine, right, X, y):
    """Return the first difference between the two plays in words, or nothing; `fresh` is the
    course's own learner, before the first trial.
    """
    scaled = [
        w / w.sum(axis=1, keepdims=True) if task.any_scale else w
        for w in (mine.weights, right.weights)
    ]
    a, b = scaled
    if a.shape != b.shape:
        return f"self.w must hold n = {b.shape[1]} numbers; its shape is {mine.weights.shape[1:]}."
    if not _near(a[0], b[0]):
        return (
            f"Wrong start: self.w is {_numbers(mine.weights[0])} before the first trial; "
            f"it should be {_numbers(right.weights[0])}."
        )
    if (a == a[0]).all() and not (b == b[0]).all():
        hint = f" And mind ties: on trial 1 {task.tie_rule}." if task.predicts == "signs" else ""
        return (
            "Missing update: self.w is the same after every trial. Does update assign to"
            f" self.w?{hint}"
        )
    same = _near_rows(a, b)
    # The first trial whose update is wrong, if there is one.
    end = len(same) - 1 if same.all() else int(same.argmin())
    near = _near_rows(*(np.array(each.predictions, float) for each in (mine, right)))
    differ = [t for t in range(end) if not near[t]]
    ties = [t for t in range(end) if X is not None and task.tie(right.weights[t], X[t])]
    if not differ:
        return "" if same.all() else _wrong_update(end, a, b)
    if differ == [t for t in ties if t in differ or right.predictions[t] == 1]:
        return (
            f"Wrong tie: on trial {differ[0] + 1} {task.tie_rule}. You predict"
            f" {_numbers(mine.predictions[differ[0]])}."
        )
    t = next((t for t in differ if t not in ties), differ[0])
    late = _order(fresh, mine, X, y) if len(y) > 5 else ""  # on few it may be a coincidence
    return late or (
        f"Wrong prediction: on trial {t + 1} the weights are right, but you predict "
        f"{_numbers(mine.predictions[t])}; it should be {_numbers(right.predictions[t])}."
    )


def _wrong_update(t, a, b):
    if _near(a[t], a[t - 1]):
        return (
            f"Missing update: trial {t} leaves self.w at {_numbers(a[t])}; it should become"
            f" {_numbers(b[t])}."
        )
    if _near(b[t], b[t - 1]):
        return (
            f"Update too many: trial {t} should leave self.w at {_numbers(b[t])}; yours becomes"
            f" {_numbers(a[t])}."
        )
    if a[t].sum() > 0 and b[t].sum() > 0 and _near(a[t] / a[t].sum(), b[t] / b[t].sum()):
        rule = "divides them by their sum" if _near(b.sum(axis=1), 1) else "does not rescale them"
        return (
            f"Wrong normalisation: after trial {t} your weights are those of the algorithm times "
            f"{a[t].sum() / b[t].sum():.4g}; it {rule}."
        )
    return (
        f"Wrong update: after trial {t} self.w is {_numbers(a[t])}; it should be {_numbers(b[t])}."
    )


def _verdict(ledger):
    """Return the first broken line of the proof in words, with its numbers."""
    if ledger.holds:
        return (
            "No line of the proof breaks on this stream: the algorithm is another one than the one"
            " asked for."
        )
    number, t = ledger.first_violation
    line = ledger.lines[number - 1]
    k = int(np.flatnonzero(line.trials == t)[0]) if t else 0
    return (
        f"The proof breaks first at line ({number}){f', on trial {t}' if t else ''}: {line.latex},"
        f" but {line.lhs[k]:.4g} is not {line.relation} {line.rhs[k]:.4g}. It needs: {line.why}."
    )


def _written_by_hand(student):
    if any(cls.__module__.startswith("olc_helpers") for cls in student.__mro__):
        raise Slip(
            "Your class is built on the one of the package. Write it out from the pseudo-code."
        )


def _compare(student, task, arguments, X, y, crowd=False):
    """Return what the class did, and the first slip in words, or nothing; in a crowd another
    learner of the class plays the same stream while this one waits.
    """
    n = (y if X is None else X).shape[1]
    fresh = task.make(task.reference, n, arguments)
    right = _watch(deepcopy(fresh), X, y)
    with written_out():
        learner = task.make(student, n, arguments)
        if crowd:
            _watch(task.make(student, n, arguments), X, y, task.any_scale)
        mine = _watch(learner, X, y, task.any_scale)
    return mine, (
        mine.slip or _alphabet(task, mine, right) or _difference(task, fresh, mine, right, X, y)
    )


def check_class(student: type, task: Task, seed: int = 0) -> Ledger:
    """Return the proof ledger of a right class; show that of a wrong one and raise a Slip that says
    what is wrong.
    """
    _written_by_hand(student)
    X, y, hypotheses = task.stream(seed)
    mine, slip = _compare(student, task, None, X, y)
    ledger = None
    try:
        reference = task.make(task.reference, (y if X is None else X).shape[1])
        ledger = task.theorem(Run.of(reference, X, y, mine.predictions, mine.weights), **hypotheses)
    except HypothesisError as error:  # such as weights below 0
        slip = slip or str(error)
    except (ValueError, TypeError, IndexError):
        assert slip, "predictions that are no numbers are a slip"
    if slip:
        if ledger is not None:
            _show(ledger)
        raise Slip(f"{slip}\n{_verdict(ledger)}" if ledger is not None else slip)
    if not ledger.holds:
        _show(ledger)
        raise Slip(_verdict(ledger))
    return ledger


# Looking for an example on which an answer is wrong -----------------------------------------------

# Experts or features, and trials: from small to large, because the first that fails is shown.
SIZES = [
    *[(2, 2)] * 4,
    *[(2, 6)] * 4,
    *[(3, 6)] * 6,
    *[(4, 8)] * 6,
    *[(6, 12)] * 4,
    *[(9, 20)] * 3,
    (5, 80),
    (300, 12),
]
CROWDED = 8  # trials up to which a second learner of the class is at work
EFFORT = 3000  # trials that are spent on making an example smaller,
PLAY = 8  # to start a play counting as so many
LONGEST = 2000  # letters of an example


def secret_seed() -> int:
    """Return the seed of the hidden tests: the grader draws it and keeps it, elsewhere it is 0."""
    return int(os.environ.get("OLC_SEED", "0"))


def search_class(student: type, task: Task, seed: int | None = None) -> None:
    """Raise a Slip if the class differs from the algorithm on one of many streams of several sizes
    and parameters; it shows the smallest such stream that was found.
    """
    _written_by_hand(student)
    rng = np.random.default_rng(secret_seed() if seed is None else seed)
    for n, T in SIZES:
        case = task.draw(rng, n, T)
        crowd = T <= CROWDED
        if not _slip_on(student, task, case, crowd):
            continue
        if crowd and not _slip_on(student, task, case, False):
            raise Slip(
                "Two learners of your class get into each other's way: what one of them learns"
                " changes the other. Keep what belongs to a learner in self, not in the class, a"
                " default value or a global name."
            )
        case = _smallest(lambda case: _slip_on(student, task, case, False), case)
        arguments, X, y = case
        given = ", ".join([str((y if X is None else X).shape[1]), *map(str, arguments.values())])
        data = f"losses = {_rows(y)}" if X is None else f"y = {_rows(y)}, X = {_rows(X)}"
        data = data if len(data) <= LONGEST else data[:LONGEST] + " …"
        raise Slip(
            f"{_slip_on(student, task, case, False)}\nThe smallest stream found on which this"
            f" happens: {student.__name__}({given}) on {data}"
        )


def _slip_on(student, task, case, crowd):
    try:
        return _compare(student, task, *case, crowd)[1]
    except Slip as slip:
        return str(slip)


def _smallest(fails, case):
    """Return a case that fails, too, with fewer trials and columns and plainer numbers, if there is
    one.
    """
    effort = EFFORT

    def smaller(arguments, X, y):
        """Yield plainer cases, the largest steps first."""
        T, n = len(y), (y if X is None else X).shape[1]
        rows = [np.arange(T // 2), np.arange(T // 2, T)] if T > 2 else []
        rows += [np.arange(T - 2**k) for k in (4, 3, 2, 1) if T > 3 * 2**k]
        rows += [np.delete(np.arange(T), t) for t in range(T - 1, -1, -1)] if T > 1 else []
        for keep in rows:
            yield arguments, None if X is None else X[keep], y[keep]
        columns = [np.arange(n // 2), np.arange(n // 2, n)] if n > 3 else []
        columns += [np.delete(np.arange(n), i) for i in range(n - 1, -1, -1)] if n > 2 else []
        for keep in columns:
            yield (arguments, None if X is None else X[:, keep], y if X is not None else y[:, keep])
        for plain in (np.trunc, np.round):
            yield arguments, None if X is None else plain(X), y if X is not None else plain(y)

    progress = True
    while progress:
        progress = False
        for other in smaller(*case):
            effort -= PLAY + len(other[2])
            if effort < 0:
                return case
            if _size(other) < _size(case) and fails(other):
                case, progress = other, True
                break
    return case


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


def _show(ledger):
    try:
        from IPython.display import display
    except ImportError:
        display = print
    display(ledger)


def expect(function: Callable, *arguments, answer: Any) -> None:
    """Raise a Slip unless the function returns the answer, up to rounding, and leaves its arguments
    as they are.
    """
    given = deepcopy(arguments)
    with written_out():
        found = function(*given)
    call = f"{function.__name__}({', '.join(_short(a) for a in arguments)})"
    if found is None:
        raise Slip(f"Nothing comes back: {call} returns None. Is there a return?")
    if any(not np.array_equal(a, b) for a, b in zip(given, arguments, strict=True)):
        raise Slip(
            f"Changed input: {function.__name__} writes into an array it was given; work on a copy."
        )
    try:
        right = np.shape(found) == np.shape(answer) and np.allclose(
            np.array(found, float), np.array(answer, float), rtol=1e-9, atol=1e-9
        )
    except (TypeError, ValueError):
        right = False
    if not right:
        shapes = f"shape {np.shape(found)}", f"shape {np.shape(answer)}"
        said = (_short(found), _short(answer)) if _short(found) != _short(answer) else shapes
        raise Slip(f"Wrong answer: {call} returns {said[0]}; it should be {said[1]}.")


def _short(a):
    text = " ".join(str(a.tolist() if isinstance(a, np.ndarray) else a).split())
    return text if len(text) <= 80 else text[:77] + "..."
