"""Points, arrows and lines through the origin, for the figures in the plane."""

import numpy as np
from numpy.typing import ArrayLike

from ..canvas import Axes
from ..palette import BLACK, BLUE, FAINT, ORANGE, VERMILLION


def scene(ax: Axes, limit: float, labels: bool = True) -> None:
    """Make the axes a square around the origin."""
    ax.set(xlim=(-limit, limit), ylim=(-limit, limit), aspect="equal")
    ax.axhline(0, color=FAINT, linewidth=1, zorder=0)
    ax.axvline(0, color=FAINT, linewidth=1, zorder=0)
    ax.grid(False)
    if labels:
        ax.set(xlabel="$x_1$", ylabel="$x_2$")


def points(ax: Axes, X: ArrayLike, y: ArrayLike, size: float = 9) -> None:
    """Draw positive points as blue discs with a plus and negative ones as vermilion squares with
    a minus.
    """
    for label, colour, marker, sign in ((1, BLUE, "o", "+"), (-1, VERMILLION, "s", "_")):
        here = np.asarray(X)[np.asarray(y) == label].T
        ax.plot(*here, marker, color=colour, markersize=size, markeredgecolor="white", zorder=3)
        ax.plot(
            *here, sign, color="white", markersize=0.5 * size, markeredgewidth=0.14 * size, zorder=3
        )


def ring(ax: Axes, x: np.ndarray) -> None:
    """Draw an orange ring around a point."""
    ax.plot(
        *x, "o", markersize=17, markerfacecolor="none", markeredgecolor=ORANGE, markeredgewidth=2
    )


def boundary(ax: Axes, w: ArrayLike, limit: float, shade: bool = True, **style) -> None:
    """Draw the line w·x = 0, with its positive side shaded, or nothing if w = 0."""
    length = np.linalg.norm(w)
    if length == 0:
        return
    normal = np.asarray(w) / length
    ends = 3 * limit * np.outer([-1, 1], [-normal[1], normal[0]])
    ax.plot(*ends.T, **{"color": BLACK, "linewidth": 1.5, "zorder": 1, **style})
    if shade:
        ax.fill(
            *np.concatenate([ends, ends[::-1] + 3 * limit * normal]).T,
            color=BLUE,
            alpha=0.08,
            linewidth=0,
            zorder=0,
        )


def arrow(
    ax: Axes,
    tip: ArrayLike,
    start: ArrayLike = (0, 0),
    label: str = "",
    colour: str = BLACK,
    offset: ArrayLike = (5, 5),
    **style,
) -> None:
    """Draw an arrow with a label at its tip; nothing if it has no length."""
    if np.allclose(tip, start):
        return
    look = {
        "arrowstyle": "-|>",
        "color": colour,
        "linewidth": 2,
        "shrinkA": 0,
        "shrinkB": 0,
        **style,
    }
    ax.annotate("", tip, start, arrowprops=look, zorder=4)
    ax.annotate(
        label,
        tip,
        xytext=offset,
        textcoords="offset points",
        color=colour,
        ha="center",
        va="center",
        zorder=5,
    )
