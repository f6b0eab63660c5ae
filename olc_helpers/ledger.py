"""The proof ledger: every line of a proof, evaluated on every trial of a run.

A theorem is a generator of claims. Each `yield claim(...).because(...)` is one line of the textbook
proof; calling the theorem on a run evaluates all of them and returns a Ledger. The last claim is
the statement itself. How a ledger is written down stands in `shown`.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from inspect import isfunction, signature
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike

from . import shown
from .arguments import check_argument
from .checks import check_range, check_values, summary, trait
from .relations import check_texts, chosen, near, side

if TYPE_CHECKING:
    from .canvas import Figure
    from .protocol import Run

P = ParamSpec("P")


# Hypotheses ---------------------------------------------------------------------------------------


class HypothesisError(ValueError):
    """A hypothesis of a theorem does not hold, so the theorem says nothing about the run."""


def assume(condition: Any, hypothesis: str | Callable[[], str]) -> None:
    """Raise HypothesisError unless the condition holds; `hypothesis` says what is needed, and where
    it fails (as a function, if that can only be said where it does).
    """
    if getattr(condition, "ndim", 0) or not (isinstance(hypothesis, str) or callable(hypothesis)):
        raise TypeError(
            "write assume(condition, hypothesis): True or False, as (…).all() is, and a text; got"
            f" {condition!r} and {hypothesis!r}"
        )
    if not condition:
        raise HypothesisError(hypothesis() if callable(hypothesis) else hypothesis)


@contextmanager
def as_hypothesis() -> Iterator[None]:
    """Turn a ValueError, which says what is wrong with what a theorem is given, into a
    HypothesisError.
    """
    try:
        yield
    except ValueError as error:
        raise HypothesisError(str(error)) from None


def assume_game(run: "Run", loss: str, space: str) -> None:
    """Check what was played: the price of a trial, numbers from the space, and weights that were
    recorded.
    """
    paid = trait(run.learner, "loss")
    assume(paid == loss, f"the loss must be {loss}; it is {paid}")
    assume(
        run.log_weights is not None,
        "the learner must keep its weights, all >= 0, in an attribute w",
    )
    with as_hypothesis():
        for name, a in (("X", run.X), ("y", run.y)) if run.X is not None else (("L", run.y),):
            check_values(name, a, space)


def parameter(run: "Run", name: str, value: float | None) -> float:
    """Return the value, by default the learner's attribute of that name; assume that there is
    one.
    """
    found: Any = getattr(run.learner, name, None) if value is None else value
    assume(found is not None, f"the learner has no attribute {name}; pass {name}=")
    with as_hypothesis():
        check_range(name, found, lambda q: 0 <= q < np.inf, "a finite number >= 0")
    return found


def check_tuned(name: str, value: float, tuned: float, formula: str) -> None:
    """Assume that a parameter has the value of the formula."""
    assume(
        np.isclose(value, tuned, rtol=1e-9, atol=0),
        f"{name} must be {formula} = {tuned:.6g}; it is {value:.6g}",
    )


# Claims -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Line:
    """One claim of a proof: both sides on the trials where it is made."""

    latex: str
    lhs: np.ndarray
    rhs: np.ndarray
    why: str
    relation: str  # "<=", ">=", "==", "<" or ">"
    trials: np.ndarray  # the trial of each entry; empty for a claim about the whole run
    of: str = "trial"  # what an entry is: a trial, a sample, a clause, …
    unit: float = 1.0  # sides that differ by this much times TOLERANCE count as equal

    def because(self, why: str) -> "Line":
        """Return the same claim with its reason."""
        check_texts(why)
        return replace(self, why=why)

    @cached_property
    def slack(self) -> np.ndarray:
        """How far each entry is from failing: 0 within the tolerance, negative if violated."""
        with np.errstate(invalid="ignore"):
            gap = {
                "<": self.rhs - self.lhs,
                ">": self.lhs - self.rhs,
                "=": -np.abs(self.lhs - self.rhs),
            }[self.relation[0]]
        return np.where(near(self.lhs, self.rhs, self.unit), 0.0, gap)

    @cached_property
    def violated(self) -> np.ndarray:
        """Which entries fail; a strict claim fails at slack 0 too, that is within the tolerance."""
        return ~(self.slack > 0 if self.relation in "<>" else self.slack >= 0)

    @property
    def holds(self) -> bool:
        """True if no entry is violated."""
        return not self.violated.any()

    @property
    def first_violation(self) -> int | None:
        """Trial of the first violated entry (0 for a claim about the whole run), None if the line
        holds.
        """
        bad = np.flatnonzero(self.violated)
        return None if len(bad) == 0 else int(self.trials[bad[0]]) if len(self.trials) else 0

    telling = cached_property(shown.telling)
    tightest = cached_property(shown.tightest)
    where = cached_property(shown.where)
    sides = property(shown.sides)


def claim(
    latex: str,
    lhs: ArrayLike,
    rhs: ArrayLike,
    why: str = "",
    on: ArrayLike | None = None,
    relation: str | None = None,
    of: str = "trials",
    unit: float = 1.0,
) -> Line:
    r"""Return one line of a proof: the relation of the formula between both sides, claimed on the
    trials of the mask `on`, or on all.

    The relation is read from the LaTeX: `\le`, `\ge`, `=`, `<` or `>` between its sides; pass
    `relation` ("<=", ">=", "==", "<", ">") only where words say it. Sides with T entries speak of
    trials 1 … T, with T+1 entries of w_1 … w_{T+1}; numbers speak of the whole run. Where the
    entries are no trials, `of` says what they are: "samples", "clauses", "points". Sides count as
    equal if they differ by 1e-9 of the larger one or of `unit`, which is larger than 1 where a side
    is a difference of much larger numbers.
    """
    check_texts(latex, why, of)
    if unit != 1:
        check_range("unit", unit, lambda u: 0 <= u < np.inf, "a finite number >= 0")
    sign, of = chosen(latex, relation), of.removesuffix("s")
    a, b = side(latex, "left", lhs), side(latex, "right", rhs)
    if max(a.ndim, b.ndim) > 1 or len({a.size, b.size} - {1}) > 1:
        raise ValueError(
            f"a side must be a number or have one entry per trial; in {latex} the shapes are"
            f" {a.shape} and {b.shape}"
        )
    left, right = np.broadcast_arrays(a, b)
    if on is not None and (np.shape(on) != left.shape or np.asarray(on).dtype != bool):
        raise ValueError(
            f"on must be a mask, one True or False for each of the {left.size} entries of {latex};"
            f" got {on!r}"
        )
    if left.ndim == 0:
        return Line(latex, left[None], right[None], why, sign, np.array([], int), of, unit)
    keep = np.ones(len(left), bool) if on is None else np.asarray(on)
    return Line(latex, left[keep], right[keep], why, sign, np.flatnonzero(keep) + 1, of, unit)


@dataclass(frozen=True, eq=False)
class Ledger:
    """A proof evaluated on a run: its lines with both sides, slack and whether each holds."""

    name: str
    statement: str
    lines: tuple[Line, ...]
    items: tuple[str, ...] = ()
    theorem: str = ""  # its name among the proofs

    @property
    def holds(self) -> bool:
        """True if every line holds on every trial."""
        return all(line.holds for line in self.lines)

    @property
    def value(self) -> float:
        """Left side of the theorem: what happened."""
        return float(self.lines[-1].lhs[-1])

    @property
    def bound(self) -> float:
        """Right side of the theorem: what the proof allows."""
        return float(self.lines[-1].rhs[-1])

    @property
    def first_violation(self) -> tuple[int, int] | None:
        """(line, trial) of the first violated line, counted from 1, or None."""
        failed = ((i, line.first_violation) for i, line in enumerate(self.lines, 1))
        return next(((i, t) for i, t in failed if t is not None), None)

    __repr__ = shown.text
    _repr_html_ = shown.html

    def plot(self, line: int | None = None) -> "Figure":
        """Return a figure of both sides of a line over the trials (counted from 1; by default the
        last about trials).
        """
        from .canvas import ledger_line

        if line not in (None, *range(1, len(self.lines) + 1)):
            raise ValueError(f"line must be one of 1 to {len(self.lines)}; got {line!r}")
        return ledger_line(self, line)


# Theorems -----------------------------------------------------------------------------------------


class Theorem(Protocol[P]):
    """A theorem: called on a run it returns the ledger of its proof."""

    __name__: str
    title: str
    statement: str
    items: tuple[str, ...]
    lecture: str
    erratum: str
    learners: tuple[str, ...]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Ledger: ...


Proof = Iterator[Line]
# Filled by the rooms; the faces `proofs` and `printed` load them all.
THEOREMS: dict[str, Theorem[...]] = {}
ERRATA: dict[str, Theorem[...]] = {}


def theorem(
    statement: str, items: str = "", lecture: str = "", erratum: str = "", learners: str = ""
) -> Callable[[Callable[P, Proof]], Theorem[P]]:
    r"""Make a generator of claims into a theorem: called on a run it returns the Ledger of all its
    lines.

    One of your own stands beside those of the course in `theorems()`, under a name that none of
    them has. A hypothesis is an `assume(condition, "what is needed")`. `help(proofs)` has one with
    its learner, and a slip that it catches.

    >>> from olc_helpers import Perceptron, Run, assume, claim, play, streams, theorem
    >>> @theorem(r"\|w_{T+1}\|^2 \le R^2 M")
    ... def short_weights(run: Run):
    ...     "The Perceptron's weights stay short."
    ...     assume(not run.weights[0].any(), "the weights must start at 0")
    ...     R2, length = (run.X**2).sum(axis=1).max(), (run.weights**2).sum(axis=1)
    ...     yield claim(
    ...         r"\|w_{t+1}\|^2 \le \|w_t\|^2 + R^2", length[1:], length[:-1] + R2, on=run.mistake
    ...     ).because("w·x and y differ in sign on a mistake")
    ...     yield claim(r"\|w_{T+1}\|^2 \le R^2 M", length[-1], R2 * run.mistakes).because(
    ...         "add line 1 over the mistakes"
    ...     )
    >>> short_weights(play(Perceptron(2), *streams.TEN_POINTS)).holds
    True

    `items` are inventory IDs. With `erratum` the claims are those of a printed statement that is
    false; they are listed by `errata()` instead of `theorems()`. `learners` names the classes of
    whose runs it speaks without further arguments: who plays them on data of their own sees it.
    """
    if not all(isinstance(said, str) for said in (statement, items, lecture, erratum, learners)):
        raise TypeError(f'write @theorem("…") with the statement in LaTeX; got {statement!r}')

    def decorate(prove: Callable[P, Proof]) -> Theorem[P]:
        if not isfunction(prove):
            raise TypeError(f"a theorem is a generator that yields claims; got {prove!r}")
        register, name = (ERRATA if erratum else THEOREMS), prove.__name__
        if name in register and register[name].__module__ != prove.__module__:
            raise ValueError(f"{name} is a theorem of {register[name].__module__}: rename yours")
        takes = signature(prove)

        @wraps(prove)
        def evaluate(*args: P.args, **kwargs: P.kwargs) -> Ledger:
            try:
                bound = takes.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(
                    f"{name}{takes.replace(return_annotation=Ledger)}: {error}"
                ) from None
            for parameter, given in list(bound.arguments.items()):
                kind = takes.parameters[parameter].annotation
                if not isinstance(kind, type) or not isinstance(given, kind):
                    check_argument(name, takes.parameters[parameter], given)
                if hasattr(given, "check_unchanged"):
                    given.check_unchanged()
                    bound.arguments[parameter] = given.dense()
                if getattr(given, "keep", "all") != "all":
                    raise HypothesisError(
                        f"{name} needs the weights of every trial: play with keep='all'"
                    )
            try:
                lines = tuple(_lines(name, prove(*bound.args, **bound.kwargs)))
            except HypothesisError as error:
                raise HypothesisError(f"{name} does not apply: {error}") from None
            return Ledger(proven.title, statement, lines, proven.items, name)

        proven = cast(Theorem[P], evaluate)
        proven.title, proven.statement = summary(prove).rstrip("."), statement
        proven.items, proven.learners = tuple(items.split()), tuple(learners.split())
        proven.lecture, proven.erratum = lecture, erratum
        vars(evaluate)["__signature__"] = takes.replace(return_annotation=Ledger)
        register[name] = proven
        return proven

    return decorate


def _lines(name, claims):
    """Yield what a generator of claims yields, or say what else it does."""
    number = 0
    for number, line in enumerate(claims if isinstance(claims, Iterable) else (), 1):
        if not isinstance(line, Line):
            raise TypeError(f"{name} must yield claims; line {number} is {line!r}")
        yield line
    if number == 0:
        raise TypeError(f"{name} has no line: write `yield claim(…)` for each line of the proof")
