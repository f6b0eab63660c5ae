"""Figures with controls: `explore` moves a figure's arguments, `game` lets the reader choose what
happens next.
"""

from collections.abc import Callable
from inspect import signature
from typing import Any

from .extras import needed_for
from .figure import caption_bundle, picture_bundle

with needed_for("exploring a figure"):
    from IPython.display import display
    from ipywidgets import Button, HBox, Image, Layout, VBox, interactive


class Explorer(VBox):
    """Controls above a picture that is redrawn when they move; its caption is shown below, as for
    every figure.
    """

    def __init__(
        self, draw: Callable, controls: dict, buttons: dict | None = None, start: dict | None = None
    ):
        begin = {name: p.default for name, p in signature(draw).parameters.items()}
        moved = [*controls, *(["moves"] if buttons else [])]
        for name in moved:
            if name not in begin:
                raise ValueError(
                    f"{draw.__name__} has no argument {name!r}; it has {', '.join(begin)}"
                )
        for name in start or {}:
            if name not in moved:
                raise ValueError(f"start has {name!r}, but only {', '.join(moved)} can be moved")
        begin |= {"moves": ""} | (start or {})
        self._draw, self._moves, self._texts = draw, begin["moves"], None
        self._controls = {
            name: self._control(name, spec, begin[name]) for name, spec in controls.items()
        }
        for name in start or {}:
            if name in controls and self._controls[name].value != start[name]:
                raise ValueError(f"{name} can't start at {start[name]!r} in {controls[name]!r}")
        self._image = Image(
            format="png", layout=Layout(width="auto", max_width="100%", object_fit="contain")
        )
        rows = [*self._controls.values()]
        if buttons:
            rows.append(
                HBox(
                    [self._button(label, move) for label, move in buttons.items()]
                    + [self._button("undo", None), self._button("start again", "")],
                    layout=Layout(flex_flow="row wrap"),
                )
            )
        super().__init__([*rows, self._image])
        self.add_class("olc-game" if buttons else "olc-explorer")
        self._takes_moves = buttons is not None
        self.redraw()

    def _control(self, name, spec, default):
        control = interactive.widget_from_abbrev(spec, default)
        if control is None:
            raise ValueError(
                f"no control can be made of {name}={spec!r}; give (low, high), (low, high, step) or"
                " a list"
            )
        control.description, control.style.description_width = name, "7em"
        if hasattr(control, "continuous_update"):
            control.continuous_update = False
        control.layout.width = "min(30em, 100%)"
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
        """Draw the figure again from the controls; a combination that the figure refuses is said in
        the caption.
        """
        values = {name: control.value for name, control in self._controls.items()}
        if self._takes_moves:
            values["moves"] = self._moves
        try:
            figure = self._draw(**values)
        except ValueError as error:
            self._show_texts(f"This can't be drawn: {error}")
            return
        self._image.value = figure.png()
        self._show_texts(figure.caption, figure.description)

    def _show_texts(self, caption, description=""):
        self.caption, self.description = caption, description or caption
        if self._texts:
            self._texts.update(caption_bundle(self.caption, self.description), raw=True)

    def _ipython_display_(self):
        picture, metadata = picture_bundle(self._image.value, self.description)
        display({**self._repr_mimebundle_(), **picture}, metadata=metadata, raw=True)
        texts = caption_bundle(self.caption, self.description)
        self._texts = display(texts, raw=True, display_id=True)


def explore(draw: Callable, start: dict | None = None, **controls) -> Explorer:
    """Return an explorer of a figure function: `explore(fn, n=(2, 64), beta=(0.1, 0.9, 0.1),
    loss=["square", "entropic"])`.

    (low, high[, step]) makes a slider, a list a menu, True or False a check box; they start at the
    function's defaults, or where `start` says: `start=dict(beta=0.5)`.
    """
    return Explorer(draw, controls, start=start)


def game(draw: Callable, buttons: dict, start: dict | None = None, **controls) -> Explorer:
    """Return a game: each button appends its letter to the argument `moves` of the figure function,
    which redraws; `start` says where the controls, or `moves`, begin.
    """
    return Explorer(draw, controls, buttons, start)
