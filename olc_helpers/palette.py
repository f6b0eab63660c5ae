"""The colours of the course, and a look for each algorithm and each bound."""

from typing import Any, TypeAlias

Look: TypeAlias = dict[str, Any]  # what matplotlib draws something with

# Okabe and Ito's colours
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, ORANGE, BLACK = "#56B4E9", "#E69F00", "#000000"
# greys, from light to dark: areas, grids, bars, lines in the background, bounds, texts
LIGHT, FAINT, PALE = "#EEEEEE", "#E4E4E4", "#CACACA"
MID, GREY, DARK = "#B0B0B0", "#767676", "#505050"
# areas behind what has the full colour
PALE_BLUE, PALE_VERMILLION, PALE_ORANGE = "#DDE9F2", "#FBE8DB", "#FBF0D5"
# line styles that can be told apart in grey
BROKEN, DOTS, DASH_DOTS = (0, (6, 1)), (0, (1, 1)), (0, (3, 1, 1, 1))
# one look per algorithm in the whole course
LOOK: dict[str, Look] = {
    "Halving": dict(color=BLUE, linestyle="-"),
    "Weighted Majority": dict(color=VERMILLION, linestyle="-"),
    "Randomised Weighted Majority": dict(color=GREEN, linestyle=BROKEN),
    "Weighted Average": dict(color=SKY, linestyle="-"),
    "Vovk": dict(color=ORANGE, linestyle=BROKEN),
    "Hedge": dict(color=PURPLE, linestyle="-"),
    "AdaHedge": dict(color=VERMILLION, linestyle="-"),
    "Perceptron": dict(color=BLUE, linestyle="-"),
    "gradient descent": dict(color=GREEN, linestyle="-"),
    "exact step": dict(color=ORANGE, linestyle=BROKEN),
    "voted": dict(color=PURPLE, linestyle=BROKEN),
    "averaged": dict(color=VERMILLION, linestyle=DASH_DOTS),
    "random stop": dict(color=GREEN, linestyle=DOTS),
    "Winnow": dict(color=VERMILLION, linestyle=BROKEN),
    "Exponentiated Gradient": dict(color=PURPLE, linestyle=DOTS),
    "Fixed Share": dict(color=VERMILLION, linestyle="-"),
    "Variable Share": dict(color=GREEN, linestyle=BROKEN),
    "best sequence": dict(color=BLACK, linestyle=DOTS),
    "memorising": dict(color=PURPLE, linestyle=DASH_DOTS),
    "least squares": dict(color=GREEN, linestyle=DASH_DOTS),
    "nearest neighbour": dict(color=PURPLE, linestyle=DOTS),
    "best expert": dict(color=BLUE, linestyle=DASH_DOTS),
    "expert": dict(color=MID, linestyle="-", linewidth=1),
    "bound": dict(color=GREY, linestyle="--"),
    "exact worst case": dict(color=BLACK, linestyle="-"),
}
BOUND, BEST = LOOK["bound"], LOOK["best expert"]
DOTTED = BOUND | {"linestyle": ":"}  # a second bound beside the dashed one, or one from below
PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 1}  # behind words on a drawing


def hatched(colour: str, hatch: str = "////") -> dict[str, str]:
    """Return the look of bars that are hatched in a colour, beside filled ones."""
    return {"color": "white", "edgecolor": colour, "hatch": hatch}
