"""Feedback on what a student writes: it plays next to the course's own, the first difference is put
into words. `counterexamples` looks for a stream on which there is one.
"""

from collections.abc import Callable
from contextlib import nullcontext
from copy import copy, deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from .checks import trait
from .ledger import HypothesisError, Ledger
from .own_work import Slip, explain, in_words, written_out
from .protocol import Learner, Run, play
from .relations import SIGN
from .shown import unicode
from .watched import check_prediction


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

    def scaled(self, w: Any) -> np.ndarray:
        """Return weights, or rows of them, without the factor that is free."""
        return w / w.sum(axis=-1, keepdims=True) if self.any_scale else w


Case: TypeAlias = tuple[dict, Any, np.ndarray]  # arguments, X, y
TASKS: dict[str, Task] = {}  # by the name of the algorithm; the rooms register them

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


def _near(a, b, atol=1e-12):
    return np.allclose(a, b, rtol=1e-9, atol=atol)


def _near_rows(a, b, atol=1e-12):
    """Return for each row of two arrays of the same shape whether it is near to the other."""
    near = np.isclose(a, b, rtol=1e-9, atol=atol)
    return near.all(axis=tuple(range(1, near.ndim)))


def _numbers(a, digits=4):
    if np.ndim(a) == 0:
        return "about 0" if 0 < abs(float(a)) < 1e-12 else f"{float(a):.{digits}g}"
    shown = [_numbers(value, digits) for value in np.ravel(a)[:12]]
    return f"[{', '.join(shown + ['…'] * (np.size(a) > 12))}]"


# Watching a learner -------------------------------------------------------------------------------


def played(learner: Learner, X: np.ndarray | None, y: np.ndarray) -> Run:
    """Return the Run of a learner by the plain loop; X is None in the allocation game."""
    return play(learner, y, fast=False) if X is None else play(learner, X, y, fast=False)


def game_of(own: Learner) -> dict[str, Any]:
    """Return what a learner says of the game that it plays, for one that plays in its place."""
    return {name: trait(own, name) for name in ("inputs", "labels", "loss")}


class Watched:
    """A student's learner in the place of the course's own one: it gets arrays of its own to spoil.
    The first slip against the protocol is kept; one after which there is no Run is raised.
    """

    w: np.ndarray

    def __init__(self, learner: Any, own: Learner, case: Case, task: Task):
        arguments, self.X, self.y = case
        vars(self).update(game_of(own) | arguments)  # theorems read the arguments
        self.learner, self.task = learner, task
        rows = [None] * len(self.y) if self.X is None else self.X
        self.given = [(copy(x), copy(label)) for x, label in zip(rows, self.y, strict=True)]
        self.t, self.slip, self.odd = 0, "", ""  # the slips: of the protocol, of a prediction

    def play(self) -> Run:
        """Return the Run of the student's learner."""
        self.w, n = _weights(self.learner), width(self.X, self.y)
        if self.w.shape != (n,):
            raise Slip(f"self.w must hold n = {n} numbers; its shape is {self.w.shape}.")
        calls = [each for x, label in self.given for each in (("predict", x), ("update", x, label))]
        # Just these, and self.w is read after each: the grader, where the learner lives in another
        # process, has them done with one message.
        announce = getattr(type(self.learner), "_announce_", lambda *_: nullcontext())
        with announce(self.learner, calls, "w"):
            return played(self, self.X, self.y)

    def predict(self, x: Any) -> Any:
        """Return what the student's learner predicts, and see whether it may."""
        said, w = self._call("predict", self.given[self.t][0])
        said = _plain(said)
        if not self._same(w, self.w):
            self.slip = self.slip or (
                f"Wrong order: predict changes self.w on trial {self.t + 1}. It is called before"
                " the label is known; what you learn belongs into update."
            )
        self.odd = self.odd or _alphabet(self.task, said, len(self.w), self.t + 1)
        number = np.asarray(said).dtype.kind in "biuf"
        if not number or np.shape(said) != np.shape(self.y[self.t]):
            raise Slip(self.slip or self.odd)
        if self.odd:
            try:
                check_prediction(said, self, self.y, self.t + 1)
            except ValueError:
                raise Slip(self.slip or self.odd) from None
        return said

    def update(self, x: Any, y: Any) -> None:
        """Let the student's learner learn, and see what it changes."""
        given = self.given[self.t]
        _, w = self._call("update", *given)
        self.t += 1
        if any(not np.array_equal(a, b) for a, b in zip(given, (x, y), strict=True)):
            self.slip = self.slip or (
                f"Changed input: on trial {self.t} your code writes into the array it was given."
                " It belongs to the protocol; compute a new array, or work on a copy."
            )
        if w.shape != self.w.shape:
            raise Slip(
                f"update changes the shape of self.w on trial {self.t}, from {self.w.shape} to"
                f" {w.shape}."
            )
        self.w = w

    def _same(self, a, b):
        free = self.task.any_scale and a.shape == b.shape
        return np.array_equal(a, b) or free and _near(self.task.scaled(a), self.task.scaled(b))

    def _call(self, name, *arguments):
        """Return what a method of the student's learner returns, and the weights after it."""
        method = getattr(self.learner, name)
        try:
            said = method(*arguments)
        except Exception as error:
            error.add_note(f"It happened in {name}, on trial {self.t + 1}.")
            explain(error, name)
            raise
        return said, _weights(self.learner)


def _weights(learner):
    try:
        return np.array(learner.w, float)
    except AttributeError:
        raise Slip(
            "Your class has no attribute w. Keep the weights in self.w: the proof ledger reads them"
            " there."
        ) from None


def _plain(said: Any) -> Any:
    """Return fractions, decimals and numbers of a student's own as those of numpy; what is none
    stays what it is.
    """
    found = np.asarray(said)
    if found.dtype.kind != "O":
        return said
    try:
        return np.reshape([float(each) for each in found.flat], found.shape)[()]
    except (TypeError, ValueError):
        return said


class Shifted:
    """The course's own learner: it notes what it would predict from the weights of the trial
    before, and from those after the update.
    """

    def __init__(self, own: Learner):
        vars(self).update(game_of(own))
        self.own, self.before = own, deepcopy(own)
        self.late: list[Any] = []
        self.early: list[Any] = []

    def predict(self, x: Any) -> Any:
        """Return what the course's own learner predicts."""
        self.late.append(copy(self.before.predict(x)))
        return self.own.predict(x)

    def update(self, x: Any, y: Any) -> None:
        """Let the course's own learner learn."""
        self.before = deepcopy(self.own)
        self.own.update(x, y)
        self.early.append(copy(self.own.predict(x)))


# Putting the difference into words ----------------------------------------------------------------


def _alphabet(task, p, n, t):
    """Return what is wrong with the kind of the prediction p on trial t, or nothing."""
    expected, accepts = ANSWERS[task.predicts]
    rule = f"predict must return {expected}"
    if p is None:
        return (
            f"Nothing comes back: {rule}; on trial {t} it returned None. Is there a return? What"
            " print shows does not come back."
        )
    if np.asarray(p).dtype.kind in "biuf" and accepts(p, n):
        return ""
    if task.predicts == "allocation" and np.shape(p) == (n,) and np.min(p) >= 0:
        kind = np.asarray(p).dtype
        if kind.kind == "f" and kind.itemsize < 8:
            return f"Too few digits: {rule}; numbers of the type {kind} can't. Use float64."
        return f"Wrong normalisation: {rule}; on trial {t} they sum to {np.sum(p):.12g}."
    return f"Wrong label alphabet: {rule}; on trial {t} it returned {p!r}."


@dataclass(frozen=True)
class Pair:
    """The plays of a student's learner and of the course's own, which is still `fresh`."""

    task: Task
    fresh: Learner
    right: Run
    mine: Run
    learner: Any  # the student's, after the play
    arguments: dict

    @cached_property
    def weights(self) -> tuple[Any, Any]:
        """The weights of both before each trial and at the end."""
        return self.task.scaled(self.mine.weights), self.task.scaled(self.right.weights)

    @property
    def tiny(self) -> float:
        """What counts as nothing in a weight: of weights that are never 0 the smallest counts."""
        return 1e-12 * (self.task.predicts == "signs")

    @cached_property
    def end(self) -> int:
        """The first trial, from 1, after which the weights differ, or the last one."""
        same = _near_rows(*self.weights, self.tiny)
        return len(same) - 1 if same.all() else int(same.argmin())

    @cached_property
    def differ(self) -> list[int]:
        """The trials, from 0, on which right weights give another prediction."""
        near = _near_rows(self.mine.predictions, self.right.predictions)
        return [t for t in range(self.end) if not near[t]]

    @cached_property
    def ties(self) -> list[int]:
        """The trials, from 0, on which right weights tie."""
        X, w = self.right.X, np.array(self.right.weights)
        return [t for t in range(self.end) if X is not None and self.task.tie(w[t], X[t])]


def _zero(pair):
    said = set(pair.mine.predictions.tolist()) if pair.task.predicts == "signs" else set()
    if said == {0, 1} and -1 in pair.right.predictions:
        rule = f"predict must return {ANSWERS['signs'][0]}"
        return f"Wrong label alphabet: {rule}; yours says 0 where it should say -1."


def _start(pair):
    a, b = pair.weights
    if not _near(a[0], b[0]):
        return (
            f"Wrong start: self.w is {_numbers(pair.mine.weights[0])} before the first trial; "
            f"it should be {_numbers(pair.right.weights[0])}."
        )


def _idle(pair):
    a, b = pair.weights
    if (a == a[0]).all() and not (b == b[0]).all():
        signs = pair.task.predicts == "signs"
        hint = f" And mind ties: on trial 1 {pair.task.tie_rule}." if signs else ""
        return (
            "Missing update: self.w is the same after every trial. Does update assign to"
            f" self.w?{hint}"
        )


def _update(pair):
    (a, b), t = pair.weights, pair.end
    if pair.differ or _near(a[t], b[t], pair.tiny):
        return None
    mine, right = _numbers(a[t]), _numbers(b[t])
    if mine == right:
        mine, right = (_numbers(each, 15) for each in (a[t], b[t]))
    if _near(a[t], a[t - 1], pair.tiny):
        return f"Missing update: trial {t} leaves self.w at {mine}; it should become {right}."
    if _near(b[t], b[t - 1], pair.tiny):
        return f"Update too many: trial {t} should leave self.w at {right}; yours becomes {mine}."
    if a[t].sum() > 0 and b[t].sum() > 0 and _near(a[t] / a[t].sum(), b[t] / b[t].sum()):
        rule = "divides them by their sum" if _near(b.sum(axis=1), 1) else "does not rescale them"
        factor = a[t].sum() / b[t].sum()
        return (
            f"Wrong normalisation: after trial {t} your weights are those of the algorithm times "
            f"{factor:.4g}{_named(factor, pair.arguments)}; it {rule}. Only this factor is wrong."
        )
    cut = ""
    if getattr(pair.learner.w, "dtype", np.dtype(float)).kind in "iu":
        cut = " It holds whole numbers, so fractions are cut off: start with floats, as np.ones(n)."
    return f"Wrong update: after trial {t} self.w is {mine}; it should be {right}.{cut}"


def _named(factor, arguments):
    """Return what a factor is in the letters of the pseudo-code, if it is that of one parameter."""
    for name, value in arguments.items():
        forms = {name: value, f"1/{name}": 1 / value, f"1 - {name}": 1 - value}
        forms |= {f"e^{name}": np.exp(value), f"e^-{name}": np.exp(-value)}
        for words, number in forms.items():
            if _near(factor, number):
                return f" = {words}"
    return ""


def _tie(pair):
    differ, right = pair.differ, pair.right.predictions
    if differ and differ == [t for t in pair.ties if t in differ or right[t] == 1]:
        said = _numbers(pair.mine.predictions[differ[0]])
        return f"Wrong tie: on trial {differ[0] + 1} {pair.task.tie_rule}. You predict {said}."


def _order(pair):
    if pair.differ and len(pair.mine) > 5:  # on few trials it may be a coincidence
        shifted = Shifted(deepcopy(pair.fresh))
        played(shifted, pair.right.X, pair.right.y)
        rule = "Wrong order of predict and update: your predictions use the weights"
        if _near(pair.mine.predictions, shifted.late):
            return f"{rule} of the trial before."
        if _near(pair.mine.predictions, shifted.early):
            return f"{rule} after the update."


def _prediction(pair):
    if pair.differ:
        t = next((t for t in pair.differ if t not in pair.ties), pair.differ[0])
        return (
            f"Wrong prediction: on trial {t + 1} the weights are right, but you predict "
            f"{_numbers(pair.mine.predictions[t])}; it should be"
            f" {_numbers(pair.right.predictions[t])}."
        )


# Tried in turn: what the first one says is told.
DIAGNOSES = _zero, _start, _idle, _update, _tie, _order, _prediction


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
        f"The proof breaks first at line ({number}){f', on trial {t}' if t else ''}:"
        f" {unicode(line.latex)}, but {_numbers(line.lhs[k])} is not {SIGN[line.relation][0]}"
        f" {_numbers(line.rhs[k])}. It needs: {unicode(line.why)}."
    )


def written_by_hand(student: type) -> None:
    """Raise a Slip if the class is built on one of the package."""
    if any(cls.__module__.startswith("olc_helpers") for cls in student.__mro__):
        raise Slip(
            "Your class is built on the one of the package. Write it out from the pseudo-code."
        )


def compare(
    student: type, task: Task, arguments: dict, X: Any, y: np.ndarray, crowd: bool = False
) -> tuple[Run, str]:
    """Return the Run of a class, and the first slip in words, or nothing; in a crowd another
    learner of the class plays the same stream while this one waits.
    """
    told = width(X, y), *arguments.values()
    fresh = task.reference(*told)
    right = played(deepcopy(fresh), X, y)
    with written_out():
        with in_words("__init__"):
            learners = [student(*told) for _ in range(1 + crowd)]
        watched = [Watched(learner, fresh, (arguments, X, y), task) for learner in learners]
        mine = [each.play() for each in reversed(watched)][-1]
    pair = Pair(task, fresh, right, mine, watched[0].learner, arguments)
    slips = (diagnosis(pair) for diagnosis in DIAGNOSES)
    return mine, watched[0].slip or watched[0].odd or next(filter(None, slips), "")


def _show(ledger):
    try:
        from IPython.display import display
    except ImportError:
        display = print
    display(ledger)


def task_of(name: str) -> Task:
    """Return the task of that name."""
    if name not in TASKS:
        raise ValueError(f"task must be one of {', '.join(TASKS)}; got {name!r}")
    return TASKS[name]


def check(student: type, name: str, seed: int = 0) -> Ledger:
    """Return the proof ledger of a right class; show that of a wrong one and raise a Slip that says
    what is wrong.

    `name` is that of the algorithm, a key of TASKS such as winnow.
    """
    task = task_of(name)
    written_by_hand(student)
    X, y, hypotheses = task.stream(seed)
    run, slip = compare(student, task, task.arguments, X, y)
    try:
        ledger = task.theorem(run, **hypotheses)
    except HypothesisError as error:  # such as weights below 0
        raise Slip(slip or str(error)) from None
    if slip or not ledger.holds:
        _show(ledger)
        raise Slip(f"{slip}\n{_verdict(ledger)}".lstrip())
    return ledger


def expect(function: Callable, *arguments, answer: Any) -> None:
    """Raise a Slip unless the function returns the answer, up to rounding, and leaves its arguments
    as they are.
    """
    given = deepcopy(arguments)
    with written_out(), in_words(function.__name__):
        found = function(*given)
    call = f"{function.__name__}({', '.join(_short(a) for a in arguments)})"
    if found is None:
        raise Slip(
            f"Nothing comes back: {call} returns None. Is there a return? What print shows"
            " does not come back."
        )
    if any(not np.array_equal(a, b) for a, b in zip(given, arguments, strict=True)):
        raise Slip(
            f"Changed input: {function.__name__} writes into an array it was given; work on a copy."
        )
    try:
        mine, ours = np.array(found, float), np.array(answer, float)
        tiny = 1e-9 * min(1, np.max(abs(ours), initial=0) or 1)
        right = mine.shape == ours.shape and _near(mine, ours, tiny)
    except (TypeError, ValueError):
        right = False
    if not right:
        shapes = f"shape {np.shape(found)}", f"shape {np.shape(answer)}"
        said = (_short(found), _short(answer)) if _short(found) != _short(answer) else shapes
        raise Slip(f"Wrong answer: {call} returns {said[0]}; it should be {said[1]}.")


def _short(a):
    text = " ".join(str(_bare(a)).split())
    return text if len(text) <= 80 else text[:77] + "..."


def _bare(a):
    """Return numbers without the names of their types."""
    if isinstance(a, np.ndarray | np.generic):
        return a.tolist()
    return type(a)(map(_bare, a)) if type(a) in (list, tuple) else a
