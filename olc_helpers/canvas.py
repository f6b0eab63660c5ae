"""What every figure is made of: a Figure with its texts, and Panels with the words that the
figures share.

The caption states the finding, and a notebook shows it under the picture; the description tells
everything that is to be seen, is the picture's alt text, and unfolds under the caption.
`@figure(lecture=…)` makes a function one of the figures of the course; the rooms do so in their
`figures`.
"""

import io
import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import cached_property, wraps
from html import escape
from inspect import signature
from numbers import Real
from os import PathLike
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike

from .checks import summary
from .optional import needed_for
from .palette import BLACK, BLUE, BOUND, DARK, FAINT, GREY, MID, PAPER, Look
from .sketching import Paper, sketched

with needed_for("drawing a figure"):
    import matplotlib as mpl
    import matplotlib.figure
    import matplotlib.style
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.lines import Line2D
    from matplotlib.patches import Circle, Rectangle
    from matplotlib.text import Annotation, Text
    from matplotlib.transforms import Bbox

if TYPE_CHECKING:
    from .ledger import Ledger

FIGURES: dict[str, "Drawing"] = {}
Point: TypeAlias = tuple[Any, Any]
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


def styled() -> AbstractContextManager[None]:
    """Return a context in which matplotlib has the style of the course, whatever the user's
    settings are.
    """
    return mpl.style.context(["default", STYLE])


class Panel(Axes):
    """The axes of a figure of the course, with the words that its figures share."""

    def frame(
        self,
        xlabel: str = "",
        ylabel: str = "",
        title: str = "",
        xlog: int = 0,
        ylog: int = 0,
        whole: str = "",
        **more: Any,
    ) -> None:
        """Say what the axes are: their names, the base of logarithmic ones, which of them count
        ("x", "y" or "xy"), and what else `Axes.set` knows.
        """
        if xlog:
            self.set_xscale("log", base=xlog)
            self.xaxis.set_major_formatter("{x:g}")
        if ylog:
            self.set_yscale("log", base=ylog)
            self.yaxis.set_major_formatter("{x:g}")
        names = {"xlabel": xlabel, "ylabel": ylabel, "title": title}
        self.set(**{name: text for name, text in names.items() if text}, **more)
        for axis in whole:
            getattr(self, f"{axis}axis").get_major_locator().set_params(integer=True)

    def bare(self, **more: Any) -> None:
        """Leave out grid, border and ticks: a drawing, no diagram."""
        self.grid(False)
        self.spines[:].set_visible(False)
        self.tick_params(length=0)
        self.set(**more)

    def curve(
        self,
        x: ArrayLike,
        y: ArrayLike,
        look: Look,
        label: str = "",
        marker: str = "",
        size: float = 6,
        **style: Any,
    ) -> Line2D:
        """Draw a line, with a label for `ends` or `legend`, and a marker at each point if given."""
        more = {"label": label} if label else {}
        return self.plot(x, y, marker=marker, markersize=size, **look | more | style)[0]

    def dots(
        self, x: ArrayLike, y: ArrayLike, marker: str, colour: str, size: float = 6, **style: Any
    ) -> Line2D:
        """Draw a marker at each point, and no line."""
        return self.plot(x, y, marker, color=colour, markersize=size, **style)[0]

    def crosses(
        self, x: ArrayLike, y: ArrayLike, colour: str, size: float = 8, **style: Any
    ) -> Line2D:
        """Draw a cross for each mistake."""
        return self.dots(x, y, "X", colour, size, markeredgecolor="white", **style)

    def band(
        self, x: ArrayLike, samples: np.ndarray, look: Look, alpha: float = 0.25, **style: Any
    ) -> Line2D:
        """Draw the mean of the samples, a row for each, in the area from the least to the
        largest.
        """
        low, high = samples.min(axis=0), samples.max(axis=0)
        self.fill_between(x, low, high, color=look["color"], alpha=alpha, linewidth=0)
        return self.curve(x, samples.mean(axis=0), look, **style)

    def note(
        self, text: str, at: Point, offset: Point, colour: str = BLACK, **style: Any
    ) -> Annotation:
        """Write a text next to a point, `offset` away in points, on the side of the offset."""
        side = "left" if offset[0] > 0 else "right" if offset[0] < 0 else "center"
        style = {"xytext": offset, "textcoords": "offset points", "ha": side} | style
        return self.annotate(text, at, color=colour, **style)

    def see(
        self, text: str, at: Point, offset: Point = (0, 0), paper: bool = False, **style: Any
    ) -> Annotation:
        """Write in italics, next to a point, what there is to see: one sentence in a figure; on
        paper, if lines may pass behind it.
        """
        look = dict(colour=DARK, style="italic", bbox=PAPER if paper else None)
        return self.note(text, at, offset, **look | style)

    def corner(
        self, text: str, x: float, y: float, paper: bool = False, **style: Any
    ) -> Annotation:
        """Write in italics what there is to see in a corner of the panel, at fractions of it."""
        side = dict(ha="right" if x > 0.5 else "left", va="top" if y > 0.5 else "bottom")
        return self.see(text, (x, y), (0, 0), paper, xycoords="axes fraction", **side | style)

    def word(self, x: float, y: float, text: str, box: str = "", **style: Any) -> Text:
        """Write a text around a point, on a box of a colour."""
        if box:
            style["bbox"] = dict(boxstyle="round,pad=0.15", facecolor=box, edgecolor="none")
        return self.text(x, y, text, **dict(ha="center", va="center") | style)

    def tile(
        self, x: float, y: float, width: float, height: float, colour: str, **style: Any
    ) -> None:
        """Draw a rectangle around a point."""
        corner = x - width / 2, y - height / 2
        self.add_patch(Rectangle(corner, width, height, facecolor=colour, **style))

    def node(
        self,
        x: float,
        y: float,
        radius: float,
        text: str,
        ink: str = BLACK,
        size: float = 11,
        **face: Any,
    ) -> None:
        """Draw a disc around a point, with a text in it."""
        self.add_patch(Circle((x, y), radius, **{"edgecolor": BLACK, "zorder": 2} | face))
        self.word(x, y, text, color=ink, fontsize=size)

    def ends(self, gap: float = 0.075) -> None:
        """Write the labels of the lines so far where they end; a legend names what comes later."""
        labels = [(line, str(line.get_label())) for line in self.lines]
        named = [(line, label) for line, label in labels if not label.startswith("_")]
        label_ends(self, named, gap)
        for line, _ in named:
            line.set_label("_")


class Figure(mpl.figure.Figure):
    """A matplotlib figure that says what it shows: in short in its caption, in full in its
    description; one that sets only one of them has it for both. Its name is that of the function
    that drew it. The figure of a game also has the score of the moves, and the best that is
    possible, or known.
    """

    name = caption = description = ""
    score: float | None = None
    possible: float | None = None
    goal = "the best possible"  # what `possible` is

    def says(self, caption: str, description: str = "") -> "Figure":
        """Return the figure with its texts: the finding, and everything that is to be seen."""
        self.caption, self.description = caption, description or caption
        return self

    def add_subplot(self, *args: Any, **options: Any) -> Any:
        """Return a new panel."""
        return super().add_subplot(*args, **{"axes_class": Panel} | options)

    def save(self, file: str | PathLike[str] | BinaryIO, format: str) -> None:
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
    def shape(self) -> tuple[Any, ...]:
        """What two figures have in common if everything may stand at the same places in both."""
        return (*self.get_size_inches(), *(ax.get_aspect() for ax in self.axes))

    def places(self) -> list[Bbox]:
        """Return where the axes are."""
        return [ax.get_position(original=True).frozen() for ax in self.axes]

    def sketch(self, places: list[Bbox]) -> bytes:
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

    def _ipython_display_(self) -> None:
        with needed_for("showing a figure in a notebook"):
            from IPython.display import display
        data, metadata = picture_bundle(self.png(), self.description)
        display(data, metadata=metadata, raw=True)
        display(caption_bundle(self.caption, self.description), raw=True)


def writer(fig: Figure, format: str) -> tuple[Callable[..., None], str]:
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


def picture_bundle(png: bytes, description: str) -> tuple[dict[str, str], dict[str, Any]]:
    """Return a picture as a Jupyter mime bundle, and its metadata with the alt text."""
    data = {"image/png": b64encode(png).decode(), "text/plain": "<Figure with the caption below>"}
    return data, {"image/png": {"alt": description}}


def caption_bundle(caption: str, description: str) -> dict[str, str]:
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


class Drawing(Protocol):
    """A figure function of the course: it knows its lecture, and the first line of its docstring
    is its title.
    """

    lecture: str
    title: str
    __name__: str

    def __call__(self, *args: Any, **kwargs: Any) -> Figure: ...


def figure(lecture: str) -> Callable[[Callable[..., Figure]], Drawing]:
    """Register a figure function of a lecture: it is drawn in the style of the course and must set
    a caption.
    """

    def decorate(draw: Callable[..., Figure]) -> Drawing:
        takes = signature(draw)

        @wraps(draw)
        def styled_draw(*args: Any, **kwargs: Any) -> Figure:
            try:
                given = takes.bind(*args, **kwargs).arguments
            except TypeError as error:
                raise TypeError(f"{draw.__name__}{takes}: {error}") from None
            for name, value in given.items():
                number = isinstance(takes.parameters[name].default, Real)
                if number and name != "seed" and not isinstance(value, Real | np.bool):
                    raise ValueError(f"{name} must be a number; got {value!r}")
            with styled():
                fig = draw(*args, **kwargs)
            if not (fig.caption or fig.description):
                raise ValueError(f"the figure {draw.__name__} has no caption")
            fig.name = draw.__name__
            fig.caption = fig.caption or fig.description
            fig.description = fig.description or fig.caption
            return fig

        drawn = cast(Drawing, styled_draw)
        drawn.lecture, drawn.title = lecture, summary(draw).rstrip(".")
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
    rows: int = 1, cols: int = 1, width: float = 7.5, height: float = 3.8, **options: Any
) -> tuple[Figure, Any]:
    """Return (figure, panels) like pyplot.subplots, without pyplot."""
    fig = Figure(figsize=(width, height), layout="constrained")
    return fig, fig.subplots(rows, cols, **options)


def so_far(values: ArrayLike) -> np.ndarray:
    """Return the sums after 0, 1, …, T trials."""
    return np.append(0, np.cumsum(values))


def label_ends(ax: Axes, labels: Iterable[tuple[Line2D, str]], gap: float = 0.075) -> None:
    """Write each text of (line, text) pairs where its line ends, moved apart by `gap` of the axis
    height if needed.
    """

    def height(line: Line2D) -> float:
        pixel = ax.transData.transform((0, np.asarray(line.get_ydata())[-1]))
        _, y = np.asarray(ax.transAxes.inverted().transform(pixel))
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


# A line of a proof as a picture: both sides over the trials ---------------------------------------


def mathtext(latex: str) -> str:
    """Return LaTeX in the dialect that matplotlib can draw: braces around arguments, long names of
    relations, plain brackets.
    """
    argument = r"\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-z]+|\w)"

    def braces(match: re.Match[str]) -> str:
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
    looks = {"color": BLUE}, BOUND
    sides = re.split(r"\\(?:le|ge)\b|[=<>]", chosen.latex)
    names: Iterable[str] = [f"${mathtext(side.strip())}$" for side in sides]
    if len(sides) != 2 or any(side.count("{") != side.count("}") for side in sides):
        names = "left side", "right side"
    for values, look, name in zip((chosen.lhs, chosen.rhs), looks, names, strict=True):
        ax.plot(chosen.trials, values, **look, marker=marker, markersize=4, label=name)
    ax.ends()
    ax.frame(
        "trial t" if chosen.of == "trial" else chosen.of,
        f"both sides of line ({number})",
        f"${mathtext(chosen.latex)}$",
    )
    k = chosen.tightest
    place = ("on " if chosen.where.startswith("all") else "at ") + chosen.where
    found = "is tightest" if chosen.holds else "fails, most"
    return fig.says(
        f"The line {found} {place}: {chosen.sides}.",
        f"{ledger.name}, line {number}, on {len(chosen.trials)} {chosen.of}s: the left side (solid"
        f" blue) goes from {chosen.lhs[0]:.4g} to {chosen.lhs[-1]:.4g}, the right side (dashed"
        f" grey) from {chosen.rhs[0]:.4g} to {chosen.rhs[-1]:.4g}. It {found} {place}, with the"
        f" slack {chosen.slack[k]:.4g}: {chosen.sides}.",
    )
