"""What every figure is made of: the palette, a look for each algorithm, a Figure with its texts.

The caption states the finding, and a notebook shows it under the picture; the description tells
everything that is to be seen, is the picture's alt text, and unfolds under the caption.
`@figure(lecture=…)` makes a function one of the figures of the course; the rooms do so in their
`figures`.
"""

import io
from base64 import b64encode
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import cached_property, wraps
from html import escape
from os import PathLike
from typing import Any, BinaryIO

import numpy as np

from .checks import summary
from .optional import needed_for
from .sketching import Paper, sketched

with needed_for("drawing a figure"):
    import matplotlib as mpl
    import matplotlib.figure
    import matplotlib.style
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.lines import Line2D

FIGURES = {}
# Okabe and Ito's colours
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, ORANGE, BLACK = "#56B4E9", "#E69F00", "#000000"
# greys, from light to dark: areas, grids, bars, lines in the background, bounds, texts
LIGHT, FAINT, PALE = "#EEEEEE", "#E4E4E4", "#CACACA"
MID, GREY, DARK = "#B0B0B0", "#767676", "#505050"
# areas behind what has the full colour
PALE_BLUE, PALE_VERMILLION, PALE_ORANGE = "#DDE9F2", "#FBE8DB", "#FBF0D5"
LOOK = {  # one look per algorithm in the whole course, told apart in grey by the line style too
    "Halving": dict(color=BLUE, linestyle="-"),
    "Weighted Majority": dict(color=VERMILLION, linestyle="-"),
    "Randomised Weighted Majority": dict(color=GREEN, linestyle=(0, (6, 1))),
    "Weighted Average": dict(color=SKY, linestyle="-"),
    "Vovk": dict(color=ORANGE, linestyle=(0, (6, 1))),
    "Hedge": dict(color=PURPLE, linestyle="-"),
    "Perceptron": dict(color=BLUE, linestyle="-"),
    "gradient descent": dict(color=GREEN, linestyle="-"),
    "exact step": dict(color=ORANGE, linestyle=(0, (6, 1))),
    "voted": dict(color=PURPLE, linestyle=(0, (6, 1))),
    "averaged": dict(color=VERMILLION, linestyle=(0, (3, 1, 1, 1))),
    "random stop": dict(color=GREEN, linestyle=(0, (1, 1))),
    "Winnow": dict(color=VERMILLION, linestyle=(0, (6, 1))),
    "Exponentiated Gradient": dict(color=PURPLE, linestyle=(0, (1, 1))),
    "Fixed Share": dict(color=VERMILLION, linestyle="-"),
    "Variable Share": dict(color=GREEN, linestyle=(0, (6, 1))),
    "best sequence": dict(color=BLACK, linestyle=(0, (1, 1))),
    "memorising": dict(color=PURPLE, linestyle=(0, (3, 1, 1, 1))),
    "least squares": dict(color=GREEN, linestyle=(0, (3, 1, 1, 1))),
    "nearest neighbour": dict(color=PURPLE, linestyle=(0, (1, 1))),
    "best expert": dict(color=BLACK, linestyle=(0, (3, 1, 1, 1))),
    "expert": dict(color=MID, linestyle="-", linewidth=1),
    "bound": dict(color=GREY, linestyle="--"),
    "exact worst case": dict(color=BLACK, linestyle="-"),
}
STYLE = {
    "figure.dpi": 120,
    "savefig.dpi": 120,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "font.size": 11,
    "axes.titlesize": 12,
    "axes.labelsize": 11,
    "legend.fontsize": 10,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": FAINT,
    "axes.axisbelow": True,
    "axes.titlelocation": "left",
    "axes.titley": 1.0,  # to find a free place, each drawing would lay out the axes
    "lines.linewidth": 2,
    "svg.hashsalt": "olc",
    "image.cmap": "cividis",
}


def styled() -> AbstractContextManager:
    """Return a context in which matplotlib has the style of the course, whatever the user's
    settings are.
    """
    return mpl.style.context(["default", STYLE])


class Figure(mpl.figure.Figure):
    """A matplotlib figure that says what it shows: in short in its caption, in full in its
    description; one that sets only one of them has it for both. Its name is that of the function
    that drew it. The figure of a game also has the score of the moves, and the best that is
    possible, or known.
    """

    name = caption = description = ""
    score = possible = None
    goal = "the best possible"  # what `possible` is

    def save(self, file: str | PathLike | BinaryIO, format: str) -> None:
        """Write the picture as svg, pdf or png; the same figure always gives the same bytes."""
        with styled():
            self.lay_out()
            write, dated = writer(self, format)  # savefig would draw it twice
            dpi = self.dpi
            write(file, metadata={dated: None})
            self.dpi = dpi  # svg and pdf set their own

    @cached_property
    def paper(self) -> FigureCanvasAgg:
        """What the figure is laid out and drawn on: how large each text is, is found out once."""
        return Paper(self)

    def lay_out(self) -> None:
        """Place everything once for all formats, each of which would move it by a hair; fixed
        shapes take two passes.
        """
        engine = self.get_layout_engine()
        if engine is not None:
            self.set_canvas(self.paper)
            for _ in range(1 + any(ax.get_aspect() != "auto" for ax in self.axes)):
                engine.execute(self)
            self.set_layout_engine("none")

    @property
    def shape(self) -> tuple:
        """What two figures have in common if everything may stand at the same places in both."""
        return (*self.get_size_inches(), *(ax.get_aspect() for ax in self.axes))

    def places(self) -> list:
        """Return where the axes are."""
        return [ax.get_position(original=True).frozen() for ax in self.axes]

    def sketch(self, places: list) -> bytes:
        """Return the picture as PNG in a third of the time, with its axes at the places that a
        figure of the same shape gave them; long labels may run out of it.
        """
        with styled():
            return sketched(self, places)

    def png(self) -> bytes:
        """Return the picture as PNG."""
        file = io.BytesIO()
        self.save(file, "png")
        return file.getvalue()

    def _ipython_display_(self):
        with needed_for("showing a figure in a notebook"):
            from IPython.display import display
        data, metadata = picture_bundle(self.png(), self.description)
        display(data, metadata=metadata, raw=True)
        display(caption_bundle(self.caption, self.description), raw=True)


def writer(fig: Figure, format: str) -> tuple[Callable, str]:
    """Return the function that writes a figure as svg, pdf or png, and what must not stand in the
    file, because it changes from day to day or from one version of matplotlib to the next.
    """
    if format == "svg":
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        return FigureCanvasSVG(fig).print_svg, "Date"
    if format == "pdf":
        from matplotlib.backends.backend_pdf import FigureCanvasPdf

        return FigureCanvasPdf(fig).print_pdf, "CreationDate"
    if format == "png":
        fig.set_canvas(fig.paper)
        return fig.paper.print_png, "Software"
    raise ValueError(f"format must be svg, pdf or png; got {format!r}")


def picture_bundle(png: bytes, description: str) -> tuple[dict, dict]:
    """Return a picture as a Jupyter mime bundle, and its metadata with the alt text."""
    data = {"image/png": b64encode(png).decode(), "text/plain": "<Figure with the caption below>"}
    return data, {"image/png": {"alt": description}}


def caption_bundle(caption: str, description: str) -> dict:
    """Return the texts of a picture as a Jupyter mime bundle: the caption, and the description
    folded under it.
    """
    shown = f'<p class="olc-caption" style="max-width:50em"><em>{escape(caption)}</em></p>'
    if description != caption:
        shown += (
            '<details class="olc-description" style="max-width:50em">'
            f"<summary>Description of the picture</summary>{escape(description)}</details>"
        )
    return {"text/html": shown, "text/plain": caption}


def figure(lecture: str) -> Callable[[Callable], Callable[..., Figure]]:
    """Register a figure function of a lecture: it is drawn in the style of the course and must set
    a caption.
    """

    def decorate(draw):
        @wraps(draw)
        def drawn(*args, **kwargs) -> Figure:
            with styled():
                fig = draw(*args, **kwargs)
            if not (fig.caption or fig.description):
                raise ValueError(f"the figure {draw.__name__} has no caption")
            fig.name = draw.__name__
            fig.caption = fig.caption or fig.description
            fig.description = fig.description or fig.caption
            return fig

        drawn.lecture, drawn.title = (lecture, summary(draw).rstrip("."))
        if lecture:
            taken = FIGURES.get(draw.__name__)
            if taken and taken.__module__ != draw.__module__:
                raise ValueError(
                    f"two figures are called {draw.__name__}: in {taken.__module__} and in"
                    f" {draw.__module__}"
                )
            FIGURES[draw.__name__] = drawn
        return drawn

    return decorate


def canvas(
    rows: int = 1, cols: int = 1, width: float = 7.5, height: float = 3.8, **options
) -> tuple[Figure, Any]:
    """Return (figure, axes) like pyplot.subplots, without pyplot."""
    fig = Figure(figsize=(width, height), layout="constrained")
    return fig, fig.subplots(rows, cols, **options)


def label_ends(ax: Axes, labels: Iterable[tuple[Line2D, str]], gap: float = 0.075) -> None:
    """Write each text of (line, text) pairs where its line ends, moved apart by `gap` of the axis
    height if needed.
    """

    def height(line):
        y = ax.transAxes.inverted().transform(ax.transData.transform((0, line.get_ydata()[-1])))[1]
        return min(max(float(y), 0.0), 1.0)

    ax.margins(x=0.02)
    ax.get_ylim()  # settles the limits, on which the heights depend
    placed = sorted(((height(line), line, text) for line, text in labels), key=lambda p: p[0])
    ys = np.array([p[0] for p in placed])
    for _ in range(100):  # push neighbours apart until all are readable
        close = np.flatnonzero(np.diff(ys) < gap - 1e-6)
        if len(close) == 0:
            break
        for i in close:
            push = (gap - (ys[i + 1] - ys[i])) / 2
            ys[i], ys[i + 1] = ys[i] - push, ys[i + 1] + push
    for y, (_, line, text) in zip(ys, placed, strict=True):
        ax.annotate(
            text,
            (1.01, y),
            xycoords="axes fraction",
            color=GREY if line.get_color() == MID else line.get_color(),  # words need contrast
            va="center",
            fontsize=10,
            annotation_clip=False,
        )


def note(ax: Axes, text: str, at: tuple, offset: tuple, colour: str = BLACK, **style) -> None:
    """Write a text next to a point, `offset` away in points."""
    ax.annotate(text, at, xytext=offset, textcoords="offset points", color=colour, **style)
