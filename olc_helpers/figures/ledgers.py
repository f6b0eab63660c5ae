"""The picture of one line of a proof ledger."""

import re

from . import BLUE, LOOK, canvas, figure, label_ends


def mathtext(latex: str) -> str:
    """Return LaTeX in the dialect that matplotlib can draw: braces around arguments, long names of relations, plain brackets."""
    argument = r"\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-z]+|\w)"

    def braces(match):
        return match[1] + "".join(a if a[0] == "{" else f"{{{a}}}" for a in match.groups()[1:])
    latex = re.sub(r"(\\frac)" + argument * 2, braces, latex.replace(r"\tfrac", r"\frac"))
    latex = re.sub(r"(\\(?:hat|mathbb|mathcal|sqrt))" + argument, braces, re.sub(r"\\[bB]igg?[lr]?(?![a-z])", "", latex))
    return re.sub(r"\\([lg])e\b", r"\\\1eq", latex)


@figure(lecture="")
def ledger_line(ledger, line=None):
    """Both sides of a line of a proof over the trials."""
    number = line or max((i for i, claim in enumerate(ledger.lines, 1) if len(claim.trials)), default=len(ledger.lines))
    chosen = ledger.lines[number - 1]
    if len(chosen.trials) == 0:
        raise ValueError(f"line {number} speaks of the whole run, not of single trials; choose another line to plot")
    fig, ax = canvas()
    marker = "o" if len(chosen.trials) < 60 else ""
    left, = ax.plot(chosen.trials, chosen.lhs, color=BLUE, marker=marker, markersize=4)
    right, = ax.plot(chosen.trials, chosen.rhs, **LOOK["bound"], marker=marker, markersize=4)
    label_ends(ax, [(left, "left side"), (right, "right side")])
    ax.set(xlabel="trial t", ylabel="value", title=f"line ({number}):  ${mathtext(chosen.latex)}$")
    k = chosen.tightest
    fig.caption = (f"{ledger.name}, line {number}, on {len(chosen.trials)} trials: the least slack is {chosen.slack[k]:.4g}, "
                   f"at trial {chosen.trials[k]}, where the left side is {chosen.lhs[k]:.4g} and the right side "
                   f"{chosen.rhs[k]:.4g}.")
    return fig
