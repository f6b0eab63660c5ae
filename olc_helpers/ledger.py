"""The proof ledger: every line of a proof, evaluated on every trial of a run.

A theorem is a generator of claims. Each `yield claim(...)` is one line of the textbook proof;
calling the theorem on a run evaluates all of them and returns a Ledger. The last claim is the
statement itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .checks import check_values, summary, trait
from .table import HEAD, cell, html_table, words

if TYPE_CHECKING:
    from .canvas import Figure
    from .protocol import Run

TOLERANCE = 1e-9  # two sides count as equal within TOLERANCE * max(unit, |left|, |right|)
_THEOREMS, _ERRATA = {}, {}


class HypothesisError(ValueError):
    """A hypothesis of a theorem does not hold, so the theorem says nothing about the run."""


def assume(condition: Any, hypothesis: str) -> None:
    """Raise HypothesisError unless the condition holds; `hypothesis` says what is needed, and where
    it fails.
    """
    if not condition:
        raise HypothesisError(hypothesis)


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
    try:
        for name, a in (("X", run.X), ("y", run.y)) if run.X is not None else (("L", run.y),):
            check_values(name, a, space)
    except ValueError as error:
        raise HypothesisError(str(error)) from None


def parameter(run: "Run", name: str, value: Any) -> Any:
    """Return the value, by default the learner's attribute of that name; assume that there is
    one.
    """
    value = getattr(run.learner, name, None) if value is None else value
    assume(value is not None, f"the learner has no attribute {name}; pass {name}=")
    return value


def check_tuned(name: str, value: float, tuned: float, formula: str) -> None:
    """Assume that a parameter has the value of the formula."""
    assume(
        np.isclose(value, tuned, rtol=1e-9, atol=0),
        f"{name} must be {formula} = {tuned:.6g}; it is {value:.6g}",
    )


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

    @property
    def slack(self) -> np.ndarray:
        """How far each entry is from failing: 0 within the tolerance, negative if violated."""
        with np.errstate(invalid="ignore"):
            gap = {
                "<": self.rhs - self.lhs,
                ">": self.lhs - self.rhs,
                "=": -np.abs(self.lhs - self.rhs),
            }[self.relation[0]]
        return np.where(_near(self.lhs, self.rhs, self.unit), 0.0, gap)

    @property
    def violated(self) -> np.ndarray:
        """Which entries fail; a strict claim fails at slack 0 too, that is within the tolerance."""
        return ~(self.slack > 0 if self.relation in "<>" else self.slack >= 0)

    @property
    def holds(self) -> bool:
        """True if no entry is violated."""
        return not self.violated.any()

    @property
    def telling(self) -> np.ndarray:
        """Which entries say something: the violated ones, if there are any.

        Otherwise all but two kinds, which are passed over if another entry is left: equality at
        trial 1, if it is the only one or if both sides move from there on in a claim on all trials,
        for that says only where they start; and 0 = 0 where both sides move, for there nothing
        happened.
        """
        if self.violated.any():
            return self.violated
        start = _near(self.lhs, self.lhs[:1]), _near(self.rhs, self.rhs[:1])
        moving, tight = not (start[0].all() or start[1].all()), self.slack == 0
        empty = _near(self.lhs, 0) & _near(self.rhs, 0) & moving
        if self.of in ("trial", "round", "step") and 1 in self.trials[:1] and tight[0]:
            if tight.sum() == 1:
                empty[0] = True
            elif moving and self.trials[-1] == len(self.trials):
                empty |= start[0] & start[1]
        return empty if empty.all() else ~empty

    @property
    def tightest(self) -> int | None:
        """Index of the telling entry with the least slack, None if there is no entry."""
        if not self.slack.size:
            return None
        return int(np.flatnonzero(self.telling)[self.slack[self.telling].argmin()])

    @property
    def where(self) -> str:
        """The tightest entry in words, and how many more of the telling ones have its slack."""
        k = self.tightest
        if k is None:
            return f"on no {self.of}"
        if len(self.trials) == 0:
            return "whole run" if self.of == "trial" else "in all"
        same = _near(self.slack, self.slack[k])
        if same.all() and len(same) > 1:
            return f"all {len(same)}" + f" {self.of}s" * (self.of != "trial")
        more = int((same & self.telling).sum()) - 1
        return self.entry(self.trials[k]) + f" and {more} more" * (more > 0)

    def entry(self, number: int) -> str:
        """Return what the entry of that number is called."""
        return f"t = {number}" if self.of == "trial" else f"{self.of} {number}"

    @property
    def sides(self) -> str:
        """Both sides where they are closest, or where the claim fails most, with the relation that
        holds there.
        """
        k = self.tightest
        if k is None:
            return ""
        sign = _SIGN[self.relation][int(self.violated[k])]
        return f"{_number(self.lhs[k])} {sign} {_number(self.rhs[k])}"

    @property
    def first_violation(self) -> int | None:
        """Trial of the first violated entry (0 for a claim about the whole run), None if the line
        holds.
        """
        bad = np.flatnonzero(self.violated)
        return None if len(bad) == 0 else int(self.trials[bad[0]]) if len(self.trials) else 0


def claim(
    latex: str,
    lhs: ArrayLike,
    rhs: ArrayLike,
    why: str = "",
    on: ArrayLike | None = None,
    relation: str = "<=",
    of: str = "trials",
    unit: float = 1.0,
) -> Line:
    """Return one line of a proof: `lhs relation rhs`, claimed on the trials of the mask `on`, or on
    all.

    The relation is "<=", ">=", "==", or strict: "<", ">". Sides with T entries speak of trials
    1 … T, with T+1 entries of w_1 … w_{T+1}; numbers speak of the whole run. Where the entries are
    no trials, `of` says what they are: "samples", "clauses", "points". Sides count as
    equal if they differ by 1e-9 of the larger one or of `unit`, which is larger than 1 where a side
    is a difference of much larger numbers.
    """
    if relation not in _SIGN:
        raise ValueError(f"relation must be one of {', '.join(_SIGN)}; in {latex} it is {relation}")
    of = of.removesuffix("s")
    lhs, rhs = np.broadcast_arrays(np.asarray(lhs, float), np.asarray(rhs, float))
    if lhs.ndim > 1:
        raise ValueError(
            f"a side must be a number or have one entry per trial; in {latex} the shape is"
            f" {lhs.shape}"
        )
    if lhs.ndim == 0:
        return Line(latex, lhs[None], rhs[None], why, relation, np.array([], int), of, unit)
    keep = np.ones(len(lhs), bool) if on is None else np.asarray(on, bool)
    return Line(latex, lhs[keep], rhs[keep], why, relation, np.flatnonzero(keep) + 1, of, unit)


@dataclass(frozen=True, eq=False)
class Ledger:
    """A proof evaluated on a run: its lines with both sides, slack and whether each holds."""

    name: str
    statement: str
    lines: tuple[Line, ...]
    items: tuple[str, ...] = field(default=())

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
        return next(
            ((i, line.first_violation) for i, line in enumerate(self.lines, 1) if not line.holds),
            None,
        )

    def _rows(self):
        runs = all(line.of == "trial" for line in self.lines)
        for i, line in enumerate(self.lines, 1):
            slack = "" if line.tightest is None else _number(line.slack[line.tightest])
            where = line.where if runs else line.where.replace("whole run", "in all")
            mark = "✓"
            if not line.holds:
                t = line.first_violation
                mark = f"✗ first at {line.entry(t)}" if t else "✗ fails"
            yield i, line, where, line.sides, slack, mark

    def __repr__(self):
        latex = max(len(line.latex) for line in self.lines)
        place = max(len(line.where) for line in self.lines)
        rows = [
            f"({i}) {line.latex:{latex}}  {where:>{place}}  {sides:>22}  slack {slack:>8}  {mark}"
            for i, line, where, sides, slack, mark in self._rows()
        ]
        found = "every line holds" if self.holds else "VIOLATED"
        return "\n".join([f"{self.name}: {found}", *rows])

    def _repr_html_(self):
        names = ("line", "claim", "tightest at", "both sides there", "slack", "holds")
        head = [cell(name, HEAD, "th") for name in names]
        narrow, rows = 'style="text-align:left;white-space:nowrap"', []
        for i, line, where, sides, slack, mark in self._rows():
            why = 'style="max-width:26em;white-space:normal;opacity:0.8"'
            said = f"${escape(line.latex)}$" + cell(words(line.why), why, "div") * bool(line.why)
            rows.append(
                [cell(c, narrow) for c in (f"({i})", said, where, escape(sides), slack, mark)]
            )
        found = "every line holds ✓" if self.holds else "violated ✗"
        title = f"{words(self.name)}: ${escape(self.statement)}$ — {found}"
        return html_table(title, head, rows)

    def plot(self, line: int | None = None) -> "Figure":
        """Return a figure of both sides of a line over the trials (counted from 1; by default the
        last about trials).
        """
        from .canvas import ledger_line

        return ledger_line(self, line)


# The relation, and its opposite where it fails.
_SIGN = {"<=": "≤>", ">=": "≥<", "==": "=≠", "<": "<≥", ">": ">≤"}


def _near(a, b, unit=1.0):
    """Return where two sides count as equal; inf = inf, but no other number is near inf."""
    with np.errstate(invalid="ignore"):
        near = np.abs(a - b) <= TOLERANCE * np.maximum(unit, np.maximum(np.abs(a), np.abs(b)))
    return near & np.isfinite(a) & np.isfinite(b) | (a == b)


def _number(a):
    return f"{0 if abs(a) < TOLERANCE else a:.4g}"


def theorem(
    statement: str, items: str = "", lecture: str = "", erratum: str = "", learners: str = ""
) -> Callable[[Callable], Callable[..., Ledger]]:
    """Make a generator of claims into a theorem: called on a run it returns the Ledger of all its
    lines.

    `items` are inventory IDs. With `erratum` the claims are those of a printed statement that is
    false; they are listed by `errata()` instead of `theorems()`. `learners` names the classes of
    whose runs it speaks without further arguments: who plays them on data of their own sees it.
    """

    def decorate(prove):
        name, tags = summary(prove).rstrip("."), tuple(items.split())

        @wraps(prove)
        def evaluate(*args, **kwargs) -> Ledger:
            if any(getattr(run, "keep", "all") != "all" for run in args):
                raise HypothesisError(
                    f"{prove.__name__} needs the weights of every trial: play with keep='all'"
                )
            try:
                lines = tuple(prove(*args, **kwargs))
            except HypothesisError as error:
                raise HypothesisError(f"{prove.__name__} does not apply: {error}") from None
            return Ledger(name, statement, lines, tags)

        evaluate.title, evaluate.statement, evaluate.items = name, statement, tags
        evaluate.lecture, evaluate.erratum = lecture, erratum
        evaluate.learners = tuple(learners.split())
        (_ERRATA if erratum else _THEOREMS)[prove.__name__] = evaluate
        return evaluate

    return decorate


def theorems() -> dict[str, Callable[..., Ledger]]:
    """Return every theorem of the course by name, each callable on a run."""
    from . import proofs  # noqa: F401  (importing the proofs registers them)

    return dict(_THEOREMS)


def errata() -> dict[str, Callable[..., Ledger]]:
    """Return every false printed claim that the course evaluates, by name, each callable on a
    run.
    """
    from . import clinic, proofs  # noqa: F401  (the printed claims stand beside their errata)

    clinic.checks()
    return dict(_ERRATA)
