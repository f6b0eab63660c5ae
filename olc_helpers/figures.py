"""Figures as functions: the arguments are the sliders, the defaults are the picture in the lecture.

Each function returns a Figure that carries a caption computed from its data. A notebook shows the
caption under the picture and stores it as alt text. `FIGURES` lists all functions; `python -m
olc_helpers figures` draws them to files.
"""

from importlib import import_module

from .canvas import (  # noqa: F401
    FIGURES,
    STYLE,
    Drawing,
    Figure,
    canvas,
    caption_bundle,
    figure,
    label_ends,
    picture_bundle,
    styled,
)
from .palette import BLACK, BLUE, GREEN, GREY, LOOK, ORANGE, PURPLE, SKY, VERMILLION  # noqa: F401

PARTS = (  # one module per lecture
    "experts.figures.experts_and_halving",
    "experts.figures.weighted_majority",
    "experts.figures.weighted_average",
    "experts.figures.hedge",
    "games.figures",
    "perceptron.figures.perceptron",
    "perceptron.figures.perceptron_proofs",
    "gradients.figures",
    "voting.figures",
    "winnow.figures",
    "sparsity.figures",
    "dnf.figures",
    "shifting.figures",
    "batch.figures",
    "limits.figures",
    "samples.figures",
    "mirror.figures",
    "cases.figures",
    "clinic.figures",
)


def load() -> dict[str, Drawing]:
    """Return all figure functions of the course by name."""
    for part in PARTS:
        import_module(f".{part}", __package__)
    return FIGURES


def __getattr__(name: str) -> Drawing:
    if name.startswith("_") or name not in load():
        raise AttributeError(f"there is no figure {name!r}")
    return FIGURES[name]


def __dir__() -> list[str]:
    return sorted(load())
