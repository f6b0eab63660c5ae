"""A line of a proof as a picture: both sides over the trials."""

import re
from typing import TYPE_CHECKING

from .figure import BLUE, LOOK, Figure, canvas, figure, label_ends

if TYPE_CHECKING:
    from .ledger import Ledger


def mathtext(latex: str) -> str:
    """Return LaTeX in the dialect that matplotlib can draw: braces around arguments, long names of
    relations, plain brackets.
    """
    argument = r"\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-z]+|\w)"

    def braces(match):
        return match[1] + "".join(a if a[0] == "{" else f"{{{a}}}" for a in match.groups()[1:])

    latex = re.sub(r"(\\frac)" + argument * 2, braces, latex.replace(r"\tfrac", r"\frac"))
    latex = re.sub(
        r"(\\(?:hat|mathbb|mathcal|sqrt))" + argument,
        braces,
        re.sub(r"\\[bB]igg?[lr]?(?![a-z])", "", latex),
    )
    return re.sub(r"\\([lg])e\b", r"\\\1eq", latex)


@figure(lecture="")
def ledger_line(ledger: "Ledger", line: int | None = None) -> Figure:
    """Both sides of a line of a proof over the trials."""
    number = line or max(
        (i for i, claim in enumerate(ledger.lines, 1) if len(claim.trials)),
        default=len(ledger.lines),
    )
    chosen = ledger.lines[number - 1]
    if len(chosen.trials) == 0:
        raise ValueError(
            f"line {number} speaks of the whole run, not of single trials; choose another line to"
            " plot"
        )
    fig, ax = canvas()
    marker = "o" if len(chosen.trials) < 60 else ""
    (left,) = ax.plot(chosen.trials, chosen.lhs, color=BLUE, marker=marker, markersize=4)
    (right,) = ax.plot(chosen.trials, chosen.rhs, **LOOK["bound"], marker=marker, markersize=4)
    sides = re.split(r"\\(?:le|ge)\b|[=<>]", chosen.latex)
    names = [f"${mathtext(side.strip())}$" for side in sides]
    if len(sides) != 2 or any(side.count("{") != side.count("}") for side in sides):
        names = "left side", "right side"
    label_ends(ax, [(left, names[0]), (right, names[1])])
    ax.set(
        xlabel="trial t" if chosen.of == "trial" else chosen.of,
        ylabel=f"both sides of line ({number})",
        title=f"${mathtext(chosen.latex)}$",
    )
    k = chosen.tightest
    place = ("on " if chosen.where.startswith("all") else "at ") + chosen.where
    found = "is tightest" if chosen.holds else "fails, most"
    fig.caption = f"The line {found} {place}: {chosen.sides}."
    fig.description = (
        f"{ledger.name}, line {number}, on {len(chosen.trials)} {chosen.of}s: the left side (solid"
        f" blue) goes from {chosen.lhs[0]:.4g} to {chosen.lhs[-1]:.4g}, the right side (dashed"
        f" grey) from {chosen.rhs[0]:.4g} to {chosen.rhs[-1]:.4g}. It {found} {place}, with the"
        f" slack {chosen.slack[k]:.4g}: {chosen.sides}."
    )
    return fig
