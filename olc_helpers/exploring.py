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

    def __init__(self, draw: Callable, controls: dict, buttons: dict | None = None):
        defaults = {name: p.default for name, p in signature(draw).parameters.items()}
        for name in [*controls, *(["moves"] if buttons else [])]:
            if name not in defaults:
                raise ValueError(
                    f"{draw.__name__} has no argument {name!r}; it has {', '.join(defaults)}"
                )
        self._draw, self._moves, self._texts = draw, "", None
        self._controls = {
            name: self._control(name, spec, defaults[name]) for name, spec in controls.items()
        }
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


def explore(draw: Callable, **controls) -> Explorer:
    """Return an explorer of a figure function: `explore(fn, n=(2, 64), beta=(0.1, 0.9, 0.1),
    loss=["square", "entropic"])`.

    (low, high[, step]) makes a slider, a list a menu, True or False a check box; they start at the
    function's defaults.
    """
    return Explorer(draw, controls)


def game(draw: Callable, buttons: dict, **controls) -> Explorer:
    """Return a game: each button appends its letter to the argument `moves` of the figure function,
    which redraws.
    """
    return Explorer(draw, controls, buttons)
