"""Pictures while a slider moves: what two of them have in common, axes and formulas, is drawn once.

A sketch takes a third of the time of the exact picture, and looks like it.
"""

import struct
from functools import cache, partial
from typing import Any
from zlib import compress, crc32

import numpy as np

from .optional import needed_for

with needed_for("drawing a figure"):
    from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
    from matplotlib.figure import Figure

FORMULAS = RendererAgg(1, 1, 72).mathtext_parser  # it remembers what they look like
STAMPS: dict[tuple, np.ndarray] = {}
MOST_STAMPS = 24  # of a megabyte each


class Paper(FigureCanvasAgg):
    """A canvas that shares with all others what each formula looks like."""

    def get_renderer(self) -> RendererAgg:
        """Return what draws pixels."""
        renderer = super().get_renderer()
        renderer.mathtext_parser = FORMULAS
        return renderer


def sketched(fig: Figure, places: list) -> bytes:
    """Return a figure as PNG, with its axes at the places."""
    fig.set_layout_engine("none")
    axis: Any
    for ax, place in zip(fig.axes, places, strict=True):
        ax.set_position(place)
        for axis in (ax.xaxis, ax.yaxis):
            axis.draw = partial(stamp, axis)
    paper = sketch_paper(*map(int, fig.bbox.size), fig.dpi)
    paper.clear()
    fig.draw(paper)
    return quick_png(np.asarray(paper.buffer_rgba())[:, :, :3])


def fresh_paper(width: int, height: int, dpi: float) -> RendererAgg:
    """Return what draws pixels, on which formulas look as on all others."""
    paper = RendererAgg(width, height, dpi)
    paper.mathtext_parser = FORMULAS
    return paper


# The paper for all sketches of a size: it remembers how large each text is.
sketch_paper = cache(fresh_paper)


def stamp(axis: Any, renderer: RendererAgg) -> None:
    """Draw an axis with its ticks, labels and grid, which take half of the time of a picture, or
    what was drawn when one had the same.
    """
    labels = [tick.label1 for tick in vars(axis).get("majorTicks", [])]
    look = (
        axis.axis_name,
        axis.get_scale(),
        axis.get_label_text(),
        str(axis.get_tick_params()),
        *axis.get_view_interval(),
        *axis.axes.bbox.bounds,
        *axis.get_majorticklocs(),
        *axis.major.formatter.format_ticks(axis.get_majorticklocs()),
        *((label.get_color(), label.get_fontsize(), label.get_fontweight()) for label in labels),
        *(renderer.width, renderer.height),
    )
    if look not in STAMPS:
        paper = fresh_paper(renderer.width, renderer.height, renderer.dpi)
        type(axis).draw(axis, paper)
        while len(STAMPS) >= MOST_STAMPS:
            STAMPS.pop(next(iter(STAMPS)))
        STAMPS[look] = np.array(paper.buffer_rgba())[::-1]
    renderer.draw_image(renderer.new_gc(), 0, 0, STAMPS[look])


def quick_png(pixels: np.ndarray) -> bytes:
    """Return rows of red-green-blue pixels as PNG, without the filters that take most of the time
    and gain nothing in pictures with large areas of one colour.
    """

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(kind + data))

    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each begins with 0: no filter
    rows[:, 1:] = pixels.reshape(height, -1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = {b"IHDR": head, b"IDAT": compress(rows.tobytes(), 1), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*each) for each in chunks.items())
