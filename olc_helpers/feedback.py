"""Feedback on what a student writes: it plays next to the course's own, the first difference is put
into words. `searching` looks for a stream on which there is one.
"""

from collections.abc import Callable
from contextlib import nullcontext
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from .ledger import HypothesisError, Ledger
from .protocol import Run
from .refusing import written_out


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


def width(X: np.ndarray | None, y: np.ndarray) -> int:
    """Return the number of experts or features in a stream."""
    return (y if X is None else X).shape[1]


def _near(a, b):
    return np.allclose(a, b, rtol=1e-9, atol=1e-12)


def _near_rows(a, b):
    """Return for each row of two arrays of the same shape whether it is near to the other."""
    near = np.isclose(a, b, rtol=1e-9, atol=1e-12)
    return near.all(axis=tuple(range(1, near.ndim)))


def _numbers(a):
    if np.ndim(a) == 0:
        return f"{a:.4g}"
    shown = [f"{value:.4g}" for value in np.ravel(a)[:12]]
    return f"[{', '.join(shown + ['…'] * (np.size(a) > 12))}]"


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
    rule = f"predict must return {expected}"
    for t, p in enumerate(mine.predictions, 1):
        if np.asarray(p).dtype.kind not in "biuf" or not accepts(p, n):
            if task.predicts == "allocation" and np.shape(p) == (n,) and np.min(p) >= 0:
                return f"Wrong normalisation: {rule}; on trial {t} they sum to {np.sum(p):.4g}."
            return f"Wrong label alphabet: {rule}; on trial {t} it returned {p!r}."
    said = {float(p) for p in mine.predictions} if task.predicts == "signs" else set()
    if said == {0, 1} and -1 in right.predictions:
        return f"Wrong label alphabet: {rule}; yours says 0 where it should say -1."
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
    shifts = {-1: "the weights of the trial before", 1: "the weights after the update"}
    for shift, words in shifts.items():
        other = [copy(states[max(t + shift, 0)]).predict(x) for t, x in enumerate(rows)]
        if all(_near(p, q) for p, q in zip(mine.predictions, other, strict=True)):
            return f"Wrong order of predict and update: your predictions use {words}."
    return ""


def _difference(task, fresh, mine, right, X, y):
    """Return the first difference between the two plays in words, or nothing; `fresh` is the
    course's own learner, before the first trial.
    """
    a, b = mine.weights, right.weights
    if task.any_scale:
        a, b = (w / w.sum(axis=1, keepdims=True) for w in (a, b))
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
    """Return what is wrong with the weights a after trial t; b are the right ones."""
    mine, right = _numbers(a[t]), _numbers(b[t])
    if _near(a[t], a[t - 1]):
        return f"Missing update: trial {t} leaves self.w at {mine}; it should become {right}."
    if _near(b[t], b[t - 1]):
        return f"Update too many: trial {t} should leave self.w at {right}; yours becomes {mine}."
    if a[t].sum() > 0 and b[t].sum() > 0 and _near(a[t] / a[t].sum(), b[t] / b[t].sum()):
        rule = "divides them by their sum" if _near(b.sum(axis=1), 1) else "does not rescale them"
        return (
            f"Wrong normalisation: after trial {t} your weights are those of the algorithm times "
            f"{a[t].sum() / b[t].sum():.4g}; it {rule}."
        )
    return f"Wrong update: after trial {t} self.w is {mine}; it should be {right}."


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


def written_by_hand(student: type) -> None:
    """Raise a Slip if the class is built on one of the package."""
    if any(cls.__module__.startswith("olc_helpers") for cls in student.__mro__):
        raise Slip(
            "Your class is built on the one of the package. Write it out from the pseudo-code."
        )


def compare(
    student: type,
    task: Task,
    arguments: dict | None,
    X: np.ndarray | None,
    y: np.ndarray,
    crowd: bool = False,
) -> tuple[Played, str]:
    """Return what the class did, and the first slip in words, or nothing; in a crowd another
    learner of the class plays the same stream while this one waits.
    """
    n = width(X, y)
    fresh = task.make(task.reference, n, arguments)
    right = _watch(deepcopy(fresh), X, y)
    with written_out():
        learner = task.make(student, n, arguments)
        if crowd:
            _watch(task.make(student, n, arguments), X, y, task.any_scale)
        mine = _watch(learner, X, y, task.any_scale)
    slip = mine.slip or _alphabet(task, mine, right)
    return mine, slip or _difference(task, fresh, mine, right, X, y)


def _show(ledger):
    try:
        from IPython.display import display
    except ImportError:
        display = print
    display(ledger)


def check_class(student: type, task: Task, seed: int = 0) -> Ledger:
    """Return the proof ledger of a right class; show that of a wrong one and raise a Slip that says
    what is wrong.
    """
    written_by_hand(student)
    X, y, hypotheses = task.stream(seed)
    mine, slip = compare(student, task, None, X, y)
    ledger = None
    try:
        reference = task.make(task.reference, width(X, y))
        ledger = task.theorem(Run.of(reference, X, y, mine.predictions, mine.weights), **hypotheses)
    except HypothesisError as error:  # such as weights below 0
        slip = slip or str(error)
    except (ValueError, TypeError, IndexError):
        assert slip, "predictions that are no numbers are a slip"
    if ledger is None:
        raise Slip(slip)
    if slip or not ledger.holds:
        _show(ledger)
        raise Slip(f"{slip}\n{_verdict(ledger)}".lstrip())
    return ledger


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
