"""The proof ledger: every line of a proof, evaluated on every trial of a run.

A theorem is a generator of claims. Each `yield claim(...)` is one line of the textbook proof;
calling the theorem on a run evaluates all of them and returns a Ledger. The last claim is the
statement itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from .checks import check_values, summary, trait

if TYPE_CHECKING:
    from .figure import Figure
    from .protocol import Run

TOLERANCE = 1e-9  # two sides count as equal within TOLERANCE * max(1, |left|, |right|)
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
    relation: str  # "<=", ">=" or "=="
    trials: np.ndarray  # the trial of each entry; empty for a claim about the whole run

    @property
    def slack(self) -> np.ndarray:
        """How far each entry is from failing: 0 within the tolerance, negative if violated."""
        with np.errstate(invalid="ignore"):
            gap = {
                "<=": self.rhs - self.lhs,
                ">=": self.lhs - self.rhs,
                "==": -np.abs(self.lhs - self.rhs),
            }[self.relation]
            near = np.abs(gap) <= TOLERANCE * np.maximum(
                1, np.maximum(np.abs(self.lhs), np.abs(self.rhs))
            )
        # inf = inf holds, inf <= 1 does not.
        return np.where(near & np.isfinite(gap) | (self.lhs == self.rhs), 0.0, gap)

    @property
    def holds(self) -> bool:
        """True if no entry is violated."""
        return bool((self.slack >= 0).all())

    @property
    def tightest(self) -> int | None:
        """Index of the entry with the least slack, None if the claim is made on no trial."""
        return int(self.slack.argmin()) if self.slack.size else None

    @property
    def sides(self) -> str:
        """Both sides where they are closest, or where the claim fails most, with the relation that
        holds there.
        """
        k = self.tightest
        if k is None:
            return ""
        return (
            f"{_number(self.lhs[k])} {_SIGN[self.relation][int(not self.slack[k] >= 0)]}"
            f" {_number(self.rhs[k])}"
        )

    @property
    def first_violation(self) -> int | None:
        """Trial of the first violated entry (0 for a claim about the whole run), None if the line
        holds.
        """
        bad = np.flatnonzero(~(self.slack >= 0))
        return None if len(bad) == 0 else int(self.trials[bad[0]]) if len(self.trials) else 0


def claim(
    latex: str,
    lhs: ArrayLike,
    rhs: ArrayLike,
    why: str = "",
    on: ArrayLike | None = None,
    relation: str = "<=",
) -> Line:
    """Return one line of a proof: `lhs relation rhs`, claimed on the trials of the mask `on`, or on
    all.

    Sides with T entries speak of trials 1 … T, with T+1 entries of w_1 … w_{T+1}; numbers speak of
    the whole run.
    """
    lhs, rhs = np.broadcast_arrays(np.asarray(lhs, float), np.asarray(rhs, float))
    if lhs.ndim > 1:
        raise ValueError(
            f"a side must be a number or have one entry per trial; in {latex} the shape is"
            f" {lhs.shape}"
        )
    if lhs.ndim == 0:
        return Line(latex, lhs[None], rhs[None], why, relation, np.array([], int))
    keep = np.ones(len(lhs), bool) if on is None else np.asarray(on, bool)
    return Line(latex, lhs[keep], rhs[keep], why, relation, np.flatnonzero(keep) + 1)


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
        for i, line in enumerate(self.lines, 1):
            k = line.tightest
            if k is None:
                yield i, line, "on no trial", "", "", "✓"
                continue
            where = f"t = {line.trials[k]}" if len(line.trials) else "whole run"
            if len(line.trials) > 1 and (line.slack == line.slack[k]).all():
                where = f"all {len(line.trials)}"
            yield (
                i,
                line,
                where,
                line.sides,
                _number(line.slack[k]),
                "✓" if line.holds else f"✗ {_trial(line.first_violation)}",
            )

    def __repr__(self):
        width = max(len(line.latex) for line in self.lines)
        rows = [
            f"({i}) {line.latex:{width}}  {where:>9}  {sides:>22}  slack {slack:>8}  {mark}"
            for i, line, where, sides, slack, mark in self._rows()
        ]
        return "\n".join(
            [f"{self.name}: {'every line holds' if self.holds else 'VIOLATED'}", *rows]
        )

    def _repr_html_(self):
        from html import escape

        cell = '<td style="text-align:left;white-space:nowrap">'
        head = "".join(
            f'<th scope="col" style="text-align:left">{h}</th>'
            for h in ("line", "claim", "tightest at", "both sides there", "slack", "holds", "why")
        )
        body = "".join(
            f"<tr>{cell}({i})</td>{cell}${escape(line.latex)}$</td>{cell}{where}</td>{cell}{escape(sides)}</td>{cell}{slack}</td>{cell}{mark}</td><td"
            f" style='text-align:left'>{escape(line.why)}</td></tr>"
            for i, line, where, sides, slack, mark in self._rows()
        )
        title = (
            f"{escape(self.name)}: ${escape(self.statement)}$ —"
            f" {'every line holds ✓' if self.holds else 'violated ✗'}"
        )
        return (
            f'<table><caption style="caption-side:top;text-align:left">{title}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )

    def plot(self, line: int | None = None) -> "Figure":
        """Return a figure of both sides of a line over the trials (counted from 1; by default the
        last about trials).
        """
        from .figure import ledger_line

        return ledger_line(self, line)


_SIGN = {"<=": "≤>", ">=": "≥<", "==": "=≠"}  # the relation, and its opposite where it fails


def _trial(t):
    return f"first at t = {t}" if t else "fails"


def _number(a):
    return f"{0 if abs(a) < TOLERANCE else a:.4g}"


def theorem(statement: str, items: str = "", lecture: str = "", erratum: str = "") -> Callable:
    """Make a generator of claims into a theorem: called on a run it returns the Ledger of all its
    lines.

    `items` are inventory IDs. With `erratum` the claims are those of a printed statement that is
    false; they are listed by `errata()` instead of `theorems()`.
    """

    def decorate(prove):
        name = summary(prove).rstrip(".")

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
            return Ledger(name, statement, lines, tuple(items.split()))

        evaluate.title, evaluate.statement, evaluate.items, evaluate.lecture = (
            name,
            statement,
            tuple(items.split()),
            lecture,
        )
        evaluate.erratum = erratum
        (_ERRATA if erratum else _THEOREMS)[prove.__name__] = evaluate
        return evaluate

    return decorate


def theorems() -> dict:
    """Return every theorem of the course by name, each callable on a run."""
    from . import proofs  # noqa: F401  (importing the proofs registers them)

    return dict(_THEOREMS)


def errata() -> dict:
    """Return every false printed claim that the course evaluates, by name, each callable on a
    run.
    """
    from . import proofs  # noqa: F401

    return dict(_ERRATA)
