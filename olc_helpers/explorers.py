"""Figures with controls: `explore` moves a figure's arguments, `game` lets the reader choose what
happens next.

The picture follows the hand: while a control moves, the kernel sketches it with everything at the
places of the last exact picture, and draws the exact one as soon as the hand rests. Values that the
hand has passed while the kernel was busy are dropped by the browser, which sends the last one.
Each sketch is garbage as soon as it is shown, and collected then: to look through all that Python
had before takes longer than a sketch, and waits until the hand rests.
"""

import asyncio
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import signature
from typing import Any

from .canvas import caption_bundle, picture_bundle
from .optional import needed_for

with needed_for("exploring a figure"):
    from IPython.display import display
    from ipywidgets import HTML, Button, HBox, Image, Layout, VBox, interactive


RECORDS: dict[
    tuple, float
] = {}  # the best score of each game, for the values of its controls, as long as Python runs
REST = 0.3  # seconds without a move after which the hand rests


class Explorer(VBox):
    """Controls above a picture that is redrawn when they move; its caption is shown below, as for
    every figure.
    """

    def __init__(
        self, draw: Callable, controls: dict, buttons: dict | None = None, start: dict | None = None
    ):
        self._draw, self._letters, self._texts = draw, buttons, None
        self._places: dict = {}  # of the axes, by the shape of the figure
        self._rest: asyncio.TimerHandle | None = None  # while the hand moves
        start = start or {}
        begin = self._begin([*controls, *(["moves"] if buttons else [])], start)
        self._moves = start.get("moves", "")
        self._controls = {k: self._control(k, spec, begin[k]) for k, spec in controls.items()}
        for name in start.keys() & controls.keys():
            if self._controls[name].value != start[name]:
                raise ValueError(f"{name} can't start at {start[name]!r} in {controls[name]!r}")
        look = Layout(width="auto", max_width="100%", object_fit="contain")
        self._image = Image(format="png", layout=look)
        super().__init__([*self._controls.values(), *self._row_of_buttons(), self._image])
        self.add_class("olc-game" if buttons else "olc-explorer")
        self._show()

    def _begin(self, moved, start):
        """Return where the arguments begin: at their defaults, or where `start` says."""
        begin = {name: p.default for name, p in signature(self._draw).parameters.items()}
        for name in moved:
            if name not in begin:
                raise ValueError(
                    f"{self._draw.__name__} has no argument {name!r}; it has {', '.join(begin)}"
                )
        for name in start:
            if name not in moved:
                raise ValueError(f"start has {name!r}, but only {', '.join(moved)} can be moved")
        return begin | start

    def _row_of_buttons(self):
        """Return the buttons and the score of a game, nothing for an explorer."""
        if not self._letters:
            return []
        moves = self._letters | {"undo": None, "start again": ""}
        buttons = [self._button(label, move) for label, move in moves.items()]
        self._score = HTML()
        return [HBox(buttons, layout=Layout(flex_flow="row wrap")), self._score]

    def _control(self, name, spec, begin):
        try:
            control = interactive.widget_from_abbrev(spec, begin)
        except ValueError:  # low > high
            control = None
        if control is None:
            raise ValueError(
                f"no control can be made of {name}={spec!r}; give (low, high), (low, high, step) or"
                " a list"
            )
        control.description, control.style.description_width = name, "7em"
        control.layout.width = "min(30em, 100% - 4px)"  # its border is in sight, too
        control.observe(self.redraw, "value")
        return control

    def _button(self, label, move):
        def press(_):
            self._moves = self._moves[:-1] if move is None else move and self._moves + move
            self.redraw()

        button = Button(description=label, layout=Layout(width="auto"))
        button.on_click(press)
        return button

    def redraw(self, _change: Any = None) -> None:
        """Draw the figure again from the controls: a sketch if there is a loop that can draw the
        exact picture when the hand rests.
        """
        loop = running_loop()
        if self._rest:
            self._rest.cancel()
        if loop is None:
            self._show()
            return
        with collected():
            self._show(sketch=True)
        self._rest = loop.call_later(REST, self._show)

    def _show(self, sketch=False):
        """Show picture and texts; a combination that the figure refuses is said in the caption."""
        try:
            figure = self._figure()
        except ValueError as error:
            self._show_texts(f"This can't be drawn: {error}")
            return
        if not hasattr(figure, "places"):
            raise TypeError(f"{self._draw.__name__} must return a figure; it returned {figure!r}")
        places = self._places.get(figure.shape)
        if sketch and places:
            self._image.value = figure.sketch(places)
        else:
            self._image.value = figure.png()
            self._places[figure.shape] = figure.places()
        self._show_texts(figure.caption, figure.description)
        if self._letters and figure.possible is not None:
            self._show_score(figure)

    def _show_score(self, figure):
        played = (self._draw.__name__, *(control.value for control in self._controls.values()))
        if figure.score is not None:
            RECORDS[played] = max(figure.score, RECORDS.get(played, figure.score))
        scores = {
            "Your score": figure.score,
            "your best so far": RECORDS.get(played),
            figure.goal: figure.possible,
        }
        self._score.value = " · ".join(
            f"{name}: {'–' if score is None else f'{score:.4g}'}" for name, score in scores.items()
        )

    def _figure(self):
        values = {name: control.value for name, control in self._controls.items()}
        return self._draw(**values, **({"moves": self._moves} if self._letters is not None else {}))

    def _show_texts(self, caption, description=""):
        self.caption, self.description = caption, description or caption
        if self._texts:
            self._texts.update(caption_bundle(self.caption, self.description), raw=True)

    def _ipython_display_(self):
        picture, metadata = picture_bundle(self._image.value, self.description)
        display({**self._repr_mimebundle_(), **picture}, metadata=metadata, raw=True)
        texts = caption_bundle(self.caption, self.description)
        self._texts = display(texts, raw=True, display_id=True)


@contextmanager
def collected() -> Iterator[None]:
    """Collect the garbage of what happens inside, and no other: all that is new stays young."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.collect(0)
        if enabled:
            gc.enable()


def running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that runs in this thread, as in a kernel, if there is one."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def explore(draw: Callable, start: dict | None = None, **controls) -> Explorer:
    """Return an explorer of a figure function: `explore(fn, n=(2, 64), beta=(0.1, 0.9, 0.1),
    loss=["square", "entropic"])`.

    (low, high[, step]) makes a slider, a list a menu, True or False a check box; they start at the
    function's defaults, or where `start` says: `start=dict(beta=0.5)`.
    """
    if not callable(draw) or not isinstance(start or {}, dict):
        raise TypeError(
            "explore draws a function, such as figures.wm_run, and `start` is a dict of its"
            f" arguments; got {draw!r} and {start!r}"
        )
    return Explorer(draw, controls, start=start)


def game(draw: Callable, buttons: dict, start: dict | None = None, **controls) -> Explorer:
    """Return a game: each button appends its letter to the argument `moves` of the figure function,
    which redraws; `start` says where the controls, or `moves`, begin. If the figure has a score, it
    is shown with the reader's best and the best possible one.
    """
    return Explorer(draw, controls, buttons, start)
