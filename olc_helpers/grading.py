"""Feedback on a learner written by a student: it plays next to the course's own, the first
difference is put into words.
"""

from collections.abc import Callable
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import dataclass
from types import FunctionType

import numpy as np

from . import learners, proofs, streams
from .booleans import Or
from .ledger import HypothesisError, Ledger
from .protocol import Run

__all__ = ["Slip", "check", "expect"]


class Slip(AssertionError):
    """What is wrong with a learner, in words for its author; a notebook shows the words and no
    traceback.
    """

    def _render_traceback_(self):
        return str(self).splitlines()


@dataclass(frozen=True)
class Task:
    """A class to write: the course's own one, the arguments after n, a stream for each seed, and
    the proof that reads the run.
    """

    reference: type
    arguments: dict
    stream: Callable  # seed -> (X, y, arguments of the theorem); X is None in the allocation game
    theorem: Callable
    predicts: str  # a key of ANSWERS
    tie: Callable = lambda w, x: False
    tie_rule: str = ""
    any_scale: bool = False  # weights count up to a common factor

    def make(self, cls, n):
        """Return a learner of the class for n experts or features."""
        return cls(n, *self.arguments.values())


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


def _numbers(a):
    return f"[{', '.join(f'{value:.4g}' for value in np.ravel(a))}]" if np.ndim(a) else f"{a:.4g}"


# The streams: every one holds a tie, if the task has them, and a trial of each kind ---------------


def _perfect_expert(seed):
    """Sixteen experts; half leave on trial 1, four by trial 6, three on trial 8, and they are
    mostly wrong from then on.
    """
    rng, t = np.random.default_rng(seed), np.arange(12)[:, None]
    leaves = rng.permutation([*[0] * 8, *rng.integers(1, 6, 4), 7, 7, 7, 99])
    wrong = (t == leaves) | (t > leaves) & ((rng.random((12, 16)) < 0.8) | (t == 8) & (leaves == 7))
    y = rng.integers(0, 2, 12)
    return np.where(wrong, 1 - y[:, None], y[:, None]), y, {}


def _noisy_experts(seed):
    X, y = streams.noisy_experts(T=40, error=6 * [0.3], rng=seed)
    X[0] = np.roll([0, 0, 0, 1, 1, 1], seed)
    return X, y, {}


def _losses(seed):
    rng = np.random.default_rng(seed)
    return None, rng.random((30, 4)) * [0.9, 0.7, 0.4, 1.0], {}


def _integer_points(seed):
    rng = np.random.default_rng(seed)
    X, v = rng.integers(-4, 5, (200, 4)), np.array([3, -2, 1, -4])
    X = X[X @ v != 0][:60]
    return X, np.where(X @ v > 0, 1, -1), {"v": v}


def _disjunction(seed):
    X, y = streams.disjunction(T=60, n=8, k=2, rng=seed)
    X[0], y[0] = 1, 1
    return X, y, {"target": Or(1, 2)}


def _shifting(seed):
    """Four experts; one is near to the label, the others to its opposite, and twice another one
    becomes the good one.
    """
    rng = np.random.default_rng(seed)
    y, sequence = rng.random(41), np.repeat(rng.permutation(4)[:3], [14, 14, 13])
    said = np.where(np.arange(4) == sequence[:, None], y[:, None], y[:, None] < 0.5)
    return 0.9 * said + 0.1 * rng.random((41, 4)), y, {"sequence": sequence}


TASKS = {
    "halving": Task(
        learners.Halving,
        {},
        _perfect_expert,
        proofs.halving_bound,
        "bits",
        lambda w, x: w @ x == w @ (1 - x),
        "as many trusted experts say 1 as say 0; a tie gives 1",
    ),
    "weighted_majority": Task(
        learners.WeightedMajority,
        {"beta": 0.5},
        _noisy_experts,
        proofs.wm_bound,
        "bits",
        lambda w, x: w @ x == w @ (1 - x),
        "both sides have the same weight; a tie gives 1",
    ),
    "hedge": Task(
        learners.Hedge, {"eta": 0.5}, _losses, proofs.hedge_bound, "allocation", any_scale=True
    ),
    "perceptron": Task(
        learners.Perceptron,
        {},
        _integer_points,
        proofs.novikoff,
        "signs",
        lambda w, x: w @ x == 0,
        "w·x = 0; the prediction is 0, and a tie counts as a mistake",
    ),
    "winnow": Task(
        learners.Winnow,
        {},
        _disjunction,
        proofs.winnow_bound,
        "bits",
        lambda w, x: w @ x == len(x),
        "w·x = n; the rule is to predict 1 if w·x >= n",
    ),
    "fixed_share": Task(
        lambda n, eta, alpha: learners.FixedShare(n, eta, alpha=alpha),
        {"eta": 0.5, "alpha": 0.05},
        _shifting,
        proofs.fixed_share_bound,
        "unit",
    ),
}


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
    """Stand in for a method of the package, with the names of its module: so nothing but the import
    is global.
    """
    from olc_helpers.grading import Slip

    raise Slip("Your class calls a learner of the package. Write it out from the pseudo-code.")


@contextmanager
def written_out():
    """Let the learners of the package raise a Slip as long as a student's class is at work."""
    methods = {
        member
        for cls in learners.AS_DEFINED
        for c in cls.__mro__
        for name, member in vars(c).items()
        if name in ("__init__", "predict", "update") and isinstance(member, FunctionType)
    }
    codes = {method: method.__code__ for method in methods if not method.__code__.co_freevars}
    try:
        for method in codes:  # the code, so that a method which somebody holds is changed, too
            method.__code__ = _refuse.__code__
        yield
    finally:
        for method, code in codes.items():
            method.__code__ = code


def _watch(learner, X, y, any_scale=False) -> Played:
    def same(a, b):
        return (
            np.array_equal(a, b)
            or any_scale
            and a.shape == b.shape
            and _near(a / a.sum(), b / b.sum())
        )

    predictions, weights, slips = [], [_weights(learner)], []
    for t, label in enumerate(y, 1):
        x = None if X is None else X[t - 1]
        given, told = copy(x), copy(label)
        predictions.append(copy(_call(learner.predict, t, given)))
        if not same(_weights(learner), weights[-1]):
            slips.append(
                f"Wrong order: predict changes self.w on trial {t}. It is called before the label"
                " is known; what you learn belongs into update."
            )
        _call(learner.update, t, given, told)
        if not (np.array_equal(given, x) and np.array_equal(told, label)):
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


def _order(task, mine, X, y):
    """Return what is wrong if all predictions are those of the weights one trial earlier or later,
    or nothing.
    """
    rows = [None] * len(y) if X is None else X
    learner = task.make(task.reference, mine.weights.shape[1])
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


def _difference(task, mine, right, X, y):
    """Return the first difference between the two plays in words, or nothing."""
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
    if (a == a[0]).all():
        hint = f" And mind ties: on trial 1 {task.tie_rule}." if task.predicts == "signs" else ""
        return (
            "Missing update: self.w is the same after every trial. Does update assign to"
            f" self.w?{hint}"
        )
    same = np.array([_near(u, v) for u, v in zip(a, b, strict=True)])
    # The first trial whose update is wrong, if there is one.
    end = len(same) - 1 if same.all() else int(same.argmin())
    differ = [t for t in range(end) if not _near(mine.predictions[t], right.predictions[t])]
    ties = [t for t in range(end) if X is not None and task.tie(right.weights[t], X[t])]
    if not differ:
        return "" if same.all() else _wrong_update(end, a, b)
    if differ == [t for t in ties if t in differ or right.predictions[t] == 1]:
        return (
            f"Wrong tie: on trial {differ[0] + 1} {task.tie_rule}. You predict"
            f" {_numbers(mine.predictions[differ[0]])}."
        )
    t = next((t for t in differ if t not in ties), differ[0])
    return _order(task, mine, X, y) or (
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
        return (
            f"Wrong normalisation: after trial {t} your weights are those of the algorithm times "
            f"{a[t].sum() / b[t].sum():.4g}; it does not rescale them."
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


def check(student: type, task: str, seed: int = 0) -> Ledger:
    """Return the proof ledger of a right class; show that of a wrong one and raise a Slip that says
    what is wrong.

    `task` names the algorithm: halving, weighted_majority, hedge, perceptron, winnow or
    fixed_share.
    """
    if task not in TASKS:
        raise ValueError(f"task must be one of {', '.join(TASKS)}; got {task!r}")
    task = TASKS[task]
    if any(cls.__module__.startswith("olc_helpers") for cls in student.__mro__):
        raise Slip(
            "Your class is built on the one of the package. Write it out from the pseudo-code."
        )
    X, y, hypotheses = task.stream(seed)
    n = (y if X is None else X).shape[1]
    reference = task.make(task.reference, n)
    right = _watch(reference, X, y)
    with written_out():
        mine = _watch(task.make(student, n), X, y, task.any_scale)
    slip = mine.slip or _alphabet(task, mine, right) or _difference(task, mine, right, X, y)
    ledger = None
    try:
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


def _show(ledger):
    try:
        from IPython.display import display
    except ImportError:
        display = print
    display(ledger)


def expect(function: Callable, *arguments, answer):
    """Raise a Slip unless the function returns the answer, up to rounding, and leaves its arguments
    as they are.
    """
    given = deepcopy(arguments)
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
            found, answer, rtol=1e-9, atol=1e-9
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
