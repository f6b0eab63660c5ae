"""Points, arrows and lines through the origin, for the figures in the plane."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..canvas import Panel, Point
from ..palette import BLACK, BLUE, FAINT, ORANGE, VERMILLION


def scene(ax: Panel, limit: float, labels: bool = True) -> None:
    """Make the axes a square around the origin."""
    ax.set(xlim=(-limit, limit), ylim=(-limit, limit), aspect="equal")
    ax.axhline(0, color=FAINT, linewidth=1, zorder=0)
    ax.axvline(0, color=FAINT, linewidth=1, zorder=0)
    ax.grid(False)
    if labels:
        ax.set(xlabel="$x_1$", ylabel="$x_2$")


def points(ax: Panel, X: ArrayLike, y: ArrayLike, size: float = 9) -> None:
    """Draw positive points as blue discs with a plus and negative ones as vermilion squares with
    a minus.
    """
    for label, colour, marker, sign in ((1, BLUE, "o", "+"), (-1, VERMILLION, "s", "_")):
        x1, x2 = np.asarray(X)[np.asarray(y) == label].T
        ax.dots(x1, x2, marker, colour, size, markeredgecolor="white", zorder=3)
        ax.dots(x1, x2, sign, "white", 0.5 * size, markeredgewidth=0.14 * size, zorder=3)


def ring(ax: Panel, x: np.ndarray) -> None:
    """Draw an orange ring around a point."""
    ax.dots(x[0], x[1], "o", ORANGE, 17, markerfacecolor="none", markeredgewidth=2)


def boundary(ax: Panel, w: ArrayLike, limit: float, shade: bool = True, **style: Any) -> None:
    """Draw the line w·x = 0, with its positive side shaded, or nothing if w = 0."""
    length = np.linalg.norm(w)
    if length == 0:
        return
    normal = np.asarray(w) / length
    ends = 3 * limit * np.outer([-1, 1], [-normal[1], normal[0]])
    ax.plot(*ends.T, **{"color": BLACK, "linewidth": 1.5, "zorder": 1, **style})
    if shade:
        corners = np.concatenate([ends, ends[::-1] + 3 * limit * normal])
        ax.fill(*corners.T, color=BLUE, alpha=0.08, linewidth=0, zorder=0)


def arrow(
    ax: Panel,
    tip: Point,
    start: Point = (0, 0),
    label: str = "",
    colour: str = BLACK,
    offset: Point = (5, 5),
    **style: Any,
) -> None:
    """Draw an arrow with a label at its tip; nothing if it has no length."""
    if np.allclose(tip, start):
        return
    look = dict(arrowstyle="-|>", color=colour, linewidth=2, shrinkA=0, shrinkB=0)
    ax.annotate("", tip, start, arrowprops=look | style, zorder=4)
    ax.note(label, tip, offset, colour, ha="center", va="center", zorder=5)
