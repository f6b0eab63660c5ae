"""The figures of lecture 21."""

from collections import Counter

import numpy as np

from .. import clinic
from ..canvas import canvas, figure
from ..palette import BLUE, BROKEN, GREY, LOOK, ORANGE, VERMILLION, hatched


@figure(lecture="21")
def share_recovery(before: int = 20, alpha: float = 0.02):
    """Weight of an expert that is wrong at first and then right, with Fixed Share's update as it
    should be and as it is printed.
    """
    T, eta = 3 * before, 2
    least, needed = {}, {}
    fig, ax = canvas(height=3.4)
    for name, look, x, offset in (
        ("right", LOOK["Fixed Share"], 2 * before + 1, (6, -16)),
        ("printed", dict(color=BLUE, linestyle=BROKEN), 3 * before // 2, (12, -12)),
    ):
        w, seen = np.array([0.5, 0.5]), [0.5]
        for t in range(T):
            m = w * np.exp(-eta * np.array([t >= before, t < before]))
            others = alpha * (m.sum() - m)
            w = (1 - alpha) * m + others * (w if name == "printed" else 1)
            seen.append(w[1] / w.sum())
        needed[name] = int(np.argmax(np.array(seen[before:]) > 0.5 + 1e-9))
        least[name] = min(seen)
        ax.plot(range(1, T + 2), seen, **look)
        text = f"{name}: majority after {needed[name]}"
        ax.note(text, (x + 1, seen[x]), offset, look["color"])
    ax.axvline(before + 1, color=GREY, linewidth=1)
    ax.note("from here on it is right", (before + 1, least["printed"]), (8, -2), GREY)
    ax.frame("trial t", "its part of all weight", yscale="log", ylim=(None, 10))
    return fig.says(
        f"After {before} bad trials the expert gets the majority again: by the right update after"
        f" {needed['right']} good ones, by the printed after {needed['printed']}.",
        f"The second of two experts loses 1 on each of the first {before} trials and 0 afterwards,"
        f" the first one the other way round; η = {eta}, α = {alpha:g}. Its part of all weight, on"
        " a logarithmic axis: with the right share update (solid vermilion) it never falls below"
        f" {least['right']:.1e} and exceeds one half {needed['right']} trials after the"
        f" change. With the printed one (dashed blue) it falls to {least['printed']:.1e} and"
        f" needs {needed['printed']} trials.",
    )


@figure(lecture="21")
def slip_kinds():
    """What kinds of slips the errors are, with their grades; both are the course's own."""
    errors = [entry for entry in clinic.checks().values() if entry.kind == "error"]
    found = {
        kind: Counter(entry.severity for entry in errors if entry.number in numbers.split())
        for kind, numbers in clinic.SLIPS.items()
    }
    kinds = sorted(
        found, key=lambda kind: (-found[kind]["A"], -found[kind]["B"], -found[kind]["C"])
    )
    fig, ax = canvas(height=3.6)
    left = np.zeros(len(kinds))
    for grade, name, look in (
        ("A", "A: false as printed", dict(color=VERMILLION)),
        ("B", "B: a gap, a lost hypothesis", hatched(ORANGE, "...")),
        ("C", "C: a slip of the pen", hatched(BLUE, "///")),
    ):
        width = np.array([found[kind][grade] for kind in kinds])
        ax.barh(kinds, np.where(width, width, np.nan), left=left, label=name, **look)
        left += width
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.frame("errors", xticks=range(int(left.max()) + 1))
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    false, sign = sum(each["A"] for each in found.values()), found["<, ≤ or ="]["A"]
    told = [f"{kind}: " + ", ".join(f"{found[kind][g]} {g}" for g in "ABC") for kind in kinds]
    return fig.says(
        f"Sorted and graded by us: {false} of {len(errors)} errors are false as printed, of these"
        f" {sign} by a wrong <, ≤ or =.",
        f"{len(errors)} errors by kind of slip, with how many are false as printed (grade A), leave"
        " a gap or a hypothesis out (B), or are slips of the pen (C). Kinds and grades are our own."
        f" {'; '.join(told)}.",
    )
