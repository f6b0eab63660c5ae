"""Figures as functions: the arguments are the sliders, the defaults are the picture in the lecture.

Each function returns a Figure that carries a caption computed from its data. A notebook shows the caption under the
picture and stores it as alt text. `FIGURES` lists all functions; `python -m olc_helpers figures` draws them to files.
"""

import io
from base64 import b64encode
from functools import wraps
from html import escape
from importlib import import_module
from inspect import getdoc

import matplotlib as mpl
import matplotlib.figure
import matplotlib.style
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

FIGURES = {}
PARTS = (  # one module per lecture
    "experts_and_halving", "weighted_majority", "weighted_average_and_hedge", "perceptron",
    "perceptron_proofs", "losses_and_gradients", "voted_averaged_structured", "winnow", "sparsity_is_hard",
    "dnf_anova_kernel", "shifting_experts", "online_to_batch", "limits", "errata_clinic")

BLUE, VERMILLION, GREEN, PURPLE, SKY, ORANGE, BLACK, GREY = (  # Okabe and Ito's colours, and grey for bounds
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#767676")
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
    "Fixed Share": dict(color=VERMILLION, linestyle="-"),
    "Variable Share": dict(color=GREEN, linestyle=(0, (6, 1))),
    "best sequence": dict(color=BLACK, linestyle=(0, (1, 1))),
    "memorising": dict(color=PURPLE, linestyle=(0, (3, 1, 1, 1))),
    "least squares": dict(color=GREEN, linestyle=(0, (3, 1, 1, 1))),
    "nearest neighbour": dict(color=PURPLE, linestyle=(0, (1, 1))),
    "best expert": dict(color=BLACK, linestyle=(0, (3, 1, 1, 1))),
    "expert": dict(color="#B0B0B0", linestyle="-", linewidth=1),
    "bound": dict(color=GREY, linestyle="--"),
    "exact worst case": dict(color=BLACK, linestyle="-"),
}
STYLE = {
    "figure.dpi": 120, "savefig.dpi": 120, "figure.facecolor": "white", "savefig.facecolor": "white",
    "font.size": 11, "axes.titlesize": 12, "axes.labelsize": 11, "legend.fontsize": 10, "legend.frameon": False,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#E4E4E4",
    "axes.axisbelow": True, "axes.titlelocation": "left", "lines.linewidth": 2,
    "svg.hashsalt": "olc", "image.cmap": "cividis",
}


def styled():
    """Return a context in which matplotlib has the style of the course, whatever the user's settings are."""
    return mpl.style.context(["default", STYLE])


class Figure(mpl.figure.Figure):
    """A matplotlib figure with a caption that says what it shows; notebooks display both."""

    caption = ""

    def save(self, file, format: str):
        """Write the picture as svg, pdf or png; the same figure always gives the same bytes."""
        dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
        with styled():
            self.lay_out()
            if format == "png":  # savefig would draw it twice
                FigureCanvasAgg(self).print_png(file, metadata=dates[format])
            else:
                self.savefig(file, format=format, metadata=dates[format])

    def lay_out(self):
        """Place everything once for all formats, each of which would move it by a hair; fixed shapes take two passes."""
        engine = self.get_layout_engine()
        if engine is not None:
            for _ in range(1 + any(ax.get_aspect() != "auto" for ax in self.axes)):
                engine.execute(self)
            self.set_layout_engine("none")

    def png(self) -> bytes:
        """Return the picture as PNG."""
        file = io.BytesIO()
        self.save(file, "png")
        return file.getvalue()

    def _ipython_display_(self):
        from IPython.display import display
        data, metadata = picture_bundle(self.png(), self.caption)
        display(data, metadata=metadata, raw=True)
        display(caption_bundle(self.caption), raw=True)


def picture_bundle(png: bytes, caption: str) -> tuple[dict, dict]:
    """Return a picture as a Jupyter mime bundle and its metadata, with the caption as alt text."""
    data = {"image/png": b64encode(png).decode(), "text/plain": "<Figure with the caption below>"}
    return data, {"image/png": {"alt": caption}}


def caption_bundle(caption: str) -> dict:
    """Return a caption as a Jupyter mime bundle."""
    return {"text/html": f'<p class="olc-caption" style="max-width:50em"><em>{escape(caption)}</em></p>', "text/plain": caption}


def figure(lecture: str):
    """Register a figure function of a lecture: it is drawn in the style of the course and must set a caption."""
    def decorate(draw):
        @wraps(draw)
        def drawn(*args, **kwargs) -> Figure:
            with styled():
                fig = draw(*args, **kwargs)
            if not fig.caption:
                raise ValueError(f"the figure {draw.__name__} has no caption")
            return fig
        drawn.lecture, drawn.title = lecture, (getdoc(draw) or draw.__name__).split("\n")[0].rstrip(".")
        if lecture:
            taken = FIGURES.get(draw.__name__)
            if taken and taken.__module__ != draw.__module__:
                raise ValueError(f"two figures are called {draw.__name__}: in {taken.__module__} and in {draw.__module__}")
            FIGURES[draw.__name__] = drawn
        return drawn
    return decorate


def canvas(rows: int = 1, cols: int = 1, width: float = 7.5, height: float = 3.8, **options):
    """Return (figure, axes) like pyplot.subplots, without pyplot."""
    fig = Figure(figsize=(width, height), layout="constrained")
    return fig, fig.subplots(rows, cols, **options)


def label_ends(ax, labels, gap: float = 0.075):
    """Write each text of (line, text) pairs where its line ends, moved apart by `gap` of the axis height if needed."""
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
        ax.annotate(text, (1.01, y), xycoords="axes fraction", color=line.get_color(), va="center", fontsize=10,
                    annotation_clip=False)


def load() -> dict:
    """Return all figure functions of the course by name."""
    for part in PARTS:
        import_module(f".{part}", __name__)
    return FIGURES


def __getattr__(name):
    if name.startswith("_") or name not in load():
        raise AttributeError(f"there is no figure {name!r}")
    return FIGURES[name]


def __dir__():
    return sorted(load())
