"""The figure of lecture 14."""

import numpy as np

from .. import clinic
from ..figure import BLUE, GREY, VERMILLION, canvas, figure


@figure(lecture="14")
def errata_counts():
    """How many errata of each grade each source has."""
    entries = clinic.checks().values()
    sources = sorted(
        {entry.source for entry in entries},
        key=lambda s: -sum(entry.source == s for entry in entries),
    )
    counts = {
        g: np.array([sum(e.source == s and e.severity == g for e in entries) for s in sources])
        for g in "ABC"
    }
    fig, ax = canvas(height=2.9)
    left = np.zeros(len(sources))
    looks = {
        "A": (VERMILLION, "", "A: false as printed"),
        "B": (BLUE, "///", "B: gap or missing hypothesis"),
        "C": (GREY, "...", "C: slip of the pen"),
    }
    for grade, (colour, hatch, text) in looks.items():
        ax.barh(
            sources,
            counts[grade],
            left=left,
            color=colour,
            hatch=hatch,
            edgecolor="white",
            label=text,
        )
        for y, (start, count) in enumerate(zip(left, counts[grade], strict=True)):
            if count:
                ax.text(
                    start + count / 2,
                    y,
                    count,
                    ha="center",
                    va="center",
                    fontsize=10,
                    bbox=dict(boxstyle="round,pad=0.15", fc="white", ec="none"),
                )
        left = left + counts[grade]
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="errata")
    ax.legend(loc="lower right")
    total = {grade: int(count.sum()) for grade, count in counts.items()}
    run = sum(entry.check is not None for entry in entries)
    fig.description = (
        f"{sum(total.values())} errata in {len(sources)} sets of notes: {total['A']} statements"
        f" that are false as printed, {total['B']} gaps or missing hypotheses, {total['C']} slips."
        f" For {run} of them a counterexample runs."
    )
    return fig
