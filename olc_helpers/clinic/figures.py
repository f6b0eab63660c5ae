"""The figures of lecture 14."""

import numpy as np

from .. import clinic
from ..canvas import canvas, figure
from ..palette import BLUE, GREY, LOOK, VERMILLION


@figure(lecture="14")
def share_recovery(before: int = 20, alpha: float = 0.02):
    """Weight of an expert that is wrong at first and then right, with Fixed Share's update as it
    should be and as it is printed.
    """
    T, eta, part, needed = 3 * before, 2, {}, {}
    for name in ("right", "printed"):
        w, seen = np.array([0.5, 0.5]), [0.5]
        for t in range(T):
            m = w * np.exp(-eta * np.array([t >= before, t < before]))
            others = alpha * (m.sum() - m)
            w = (1 - alpha) * m + others * (w if name == "printed" else 1)
            seen.append(w[1] / w.sum())
        part[name] = np.array(seen)
        needed[name] = int(np.argmax(part[name][before:] > 0.5 + 1e-9))
    fig, ax = canvas(height=3.4)
    looks = {"right": LOOK["Fixed Share"], "printed": dict(color=BLUE, linestyle=(0, (6, 1)))}
    places = {"right": (2 * before + 1, (6, -16)), "printed": (3 * before // 2, (12, -12))}
    for name, values in part.items():
        ax.semilogy(range(1, T + 2), values, **looks[name])
        at, offset = places[name]
        text = f"{name}: majority after {needed[name]}"
        ax.note(text, (at + 1, values[at]), offset, looks[name]["color"])
    ax.axvline(before + 1, color=GREY, linewidth=1)
    ax.note("from here on it is right", (before + 1, part["printed"].min()), (8, -2), GREY)
    ax.frame("trial t", "its part of all weight")
    ax.set_ylim(top=10)
    return fig.says(
        f"After {before} bad trials the expert gets the majority again: by the right update after"
        f" {needed['right']} good ones, by the printed after {needed['printed']}.",
        f"The second of two experts loses 1 on each of the first {before} trials and 0 afterwards,"
        f" the first one the other way round; η = {eta}, α = {alpha:g}. Its part of all weight, on"
        " a logarithmic axis: with the right share update (solid vermilion) it never falls below"
        f" {part['right'].min():.1e} and exceeds one half {needed['right']} trials after the"
        f" change. With the printed one (dashed blue) it falls to {part['printed'].min():.1e} and"
        f" needs {needed['printed']} trials.",
    )


@figure(lecture="14")
def slip_kinds():
    """What kinds of slips the errors are, and how many of each kind make a statement false or leave
    a gap.
    """
    errors = [entry for entry in clinic.checks().values() if entry.kind == "error"]
    grades = {
        kind: [entry.severity for entry in errors if entry.number in numbers.split()]
        for kind, numbers in clinic.SLIPS.items()
    }
    matter = {kind: sum(grade in "AB" for grade in found) for kind, found in grades.items()}
    rate = {kind: matter[kind] / len(found) for kind, found in grades.items()}
    kinds = sorted(grades, key=lambda kind: (-rate[kind], -len(grades[kind])))
    heavy = np.array([matter[kind] for kind in kinds])
    light = np.array([len(grades[kind]) for kind in kinds]) - heavy
    fig, ax = canvas(height=3.6)
    ax.barh(kinds, heavy, color=VERMILLION, label="false, or a gap")
    look = dict(color="white", edgecolor=BLUE, hatch="///", label="a slip of the pen")
    ax.barh(kinds, np.where(light, light, np.nan), left=heavy, **look)
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.frame("errors", xticks=range(max(heavy + light) + 1))
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    strict = "<, ≤ or ="
    return fig.says(
        f"A lost hypothesis matters in {rate['lost hypothesis']:.0%} of the cases, a wrong"
        f" {strict} in {rate[strict]:.0%}.",
        f"{len(errors)} errors by kind of slip, and how many of each kind make a statement false or"
        " leave a gap; the others are slips of the pen: "
        + "; ".join(f"{kind}: {matter[kind]} of {len(grades[kind])}" for kind in kinds)
        + ".",
    )
