"""Explorers and games without a browser: what they show, and what a moved control or a pressed
button changes.
"""

import asyncio
import base64
import gc
import io
import re
import weakref
from collections import Counter
from functools import cache
from itertools import product

import numpy as np
import PIL.Image
import pytest
from ipywidgets import Button, Checkbox, Dropdown, FloatSlider, IntSlider
from matplotlib.transforms import Bbox

from olc_helpers import canvas, explore, explorers, figures, game, sketching
from olc_helpers.experts.figures import hedge as hedge_figures
from olc_helpers.shifting import figures as shifting

GAMES = [
    figures.majority_game,
    figures.hedge_game,
    figures.nature_game,
    figures.shift_game,
    figures.never_found,
    figures.threshold_tree,
]
WIDGET = "application/vnd.jupyter.widget-view+json"


@figures.figure(lecture="")
def steps(n=3, scale=1.0, shape="up", grid=True, moves=""):
    """Steps."""
    if n == 13:
        raise ValueError("n must not be 13; got 13")
    fig, ax = figures.canvas(width=3, height=2)
    ax.step(np.arange(n), scale * np.arange(n) * (1 if shape == "up" else -1))
    ax.grid(grid)
    fig.caption = f"{n} steps of {scale:g}, {shape}, after {len(moves)} moves: {moves}."
    return fig


@pytest.fixture
def shown(monkeypatch):
    """Records what is displayed and what is updated."""
    calls = []

    class Handle:
        def update(self, data, raw=False):
            calls.append(("update", data, None))

    def display(data, metadata=None, raw=False, display_id=False):
        assert raw
        calls.append(("display", data, metadata))
        return Handle() if display_id else None

    monkeypatch.setattr(explorers, "display", display)
    return calls


def controls(explorer):
    return {
        child.description: child
        for child in explorer.children
        if hasattr(child, "value") and hasattr(child, "description")
    }


def press(explorer, label):
    row = next(
        child
        for child in explorer.children
        if any(isinstance(b, Button) for b in getattr(child, "children", ()))
    )
    next(button for button in row.children if button.description == label).click()


def test_specs_make_controls_that_start_at_the_defaults():
    made = controls(
        explore(steps, n=(2, 9), scale=(0.5, 2.0, 0.25), shape=["up", "down"], grid=True)
    )
    assert [type(control) for control in made.values()] == [
        IntSlider,
        FloatSlider,
        Dropdown,
        Checkbox,
    ]
    assert {name: control.value for name, control in made.items()} == {
        "n": 3,
        "scale": 1.0,
        "shape": "up",
        "grid": True,
    }
    assert (made["n"].min, made["n"].max, made["scale"].step) == (2, 9, 0.25) and made[
        "shape"
    ].options == ("up", "down")
    assert made["n"].continuous_update and made["scale"].continuous_update  # follow the hand


def test_first_picture_is_the_figure_with_its_defaults():
    explorer = explore(steps, n=(2, 9))
    assert explorer._image.value == steps().png() and explorer.caption == steps().caption
    assert explorer.children[-1] is explorer._image and explorer._image.format == "png"


def test_moving_a_control_changes_picture_and_caption():
    explorer = explore(steps, n=(2, 9), shape=["up", "down"])
    controls(explorer)["n"].value = 7
    assert (
        explorer.caption.startswith("7 steps of 1, up")
        and explorer._image.value == steps(n=7).png() != steps().png()
    )
    controls(explorer)["shape"].value = "down"
    assert (
        explorer.caption.startswith("7 steps of 1, down")
        and explorer._image.value == steps(n=7, shape="down").png()
    )


def test_notebook_gets_widget_picture_alt_text_and_visible_caption(shown):
    explorer = explore(steps, n=(2, 9))
    explorer._ipython_display_()
    (_, data, metadata), (_, caption, _) = shown
    assert (
        data[WIDGET]["model_id"] == explorer.model_id
        and base64.b64decode(data["image/png"]) == steps().png()
    )
    assert metadata == {"image/png": {"alt": explorer.description}}
    # The same text on every execution.
    assert not re.search("0x[0-9a-f]+|IPY_MODEL", data["text/plain"])
    assert caption["text/plain"] == explorer.caption and explorer.caption in caption["text/html"]


def test_visible_caption_follows_the_control(shown):
    explorer = explore(steps, n=(2, 9))
    explorer._ipython_display_()
    controls(explorer)["n"].value = 5
    kind, data, _ = shown[-1]
    assert kind == "update" and data["text/plain"] == explorer.caption == steps(n=5).caption


def test_values_that_the_figure_refuses_are_said_in_the_caption(shown):
    explorer = explore(steps, n=(2, 20))
    explorer._ipython_display_()
    before = explorer._image.value
    controls(explorer)["n"].value = 13
    assert (
        explorer.caption
        == "This can't be drawn: n must not be 13; got 13"
        == shown[-1][1]["text/plain"]
    )
    assert explorer._image.value == before
    controls(explorer)["n"].value = 14
    assert explorer.caption == steps(n=14).caption and explorer._image.value == steps(n=14).png()


def test_controls_start_where_start_says(shown):
    explorer = explore(steps, n=(2, 9), shape=["up", "down"], start=dict(n=7, shape="down"))
    explorer._ipython_display_()
    picture = steps(n=7, shape="down")
    assert base64.b64decode(shown[0][1]["image/png"]) == picture.png() == explorer._image.value
    assert explorer.caption == picture.caption and controls(explorer)["n"].value == 7


@pytest.mark.parametrize(
    "start, message",
    [
        (dict(m=3), "start has 'm', but only n, shape can be moved"),
        (dict(scale=2.0), "start has 'scale', but only n, shape can be moved"),
        (dict(moves="r"), "start has 'moves', but only n, shape can be moved"),
        (dict(n=10), "n can't start at 10 in (2, 9)"),
        (dict(shape="flat"), "shape can't start at 'flat' in ['up', 'down']"),
    ],
)
def test_start_that_the_controls_do_not_have(start, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        explore(steps, n=(2, 9), shape=["up", "down"], start=start)


def test_game_starts_with_its_moves():
    played = game(steps, {"rain": "r"}, n=(2, 9), start=dict(n=4, moves="rr"))
    assert played.caption == steps(n=4, moves="rr").caption
    press(played, "undo")
    assert played.caption == steps(n=4, moves="r").caption


def test_unknown_argument():
    with pytest.raises(
        ValueError, match="steps has no argument 'm'; it has n, scale, shape, grid, moves"
    ):
        explore(steps, m=(1, 2))


@pytest.mark.parametrize("spec", [object(), (1, 2, 3, 4), (5, 1), None])
def test_spec_that_makes_no_control(spec):
    with pytest.raises(ValueError):
        explore(steps, n=spec)


def test_spec_without_meaning_is_explained():
    with pytest.raises(
        ValueError, match=re.escape("no control can be made of n=(1, 2, 3, 4); give (low, high)")
    ):
        explore(steps, n=(1, 2, 3, 4))


# Sketches while the hand moves --------------------------------------------------------------------


def pixels(png):
    return np.asarray(PIL.Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


@pytest.fixture
def drawn(monkeypatch):
    """Counts exact pictures and sketches, and lets the hand rest after ten milliseconds."""
    counts = Counter()
    for name in ("png", "sketch"):
        real = getattr(canvas.Figure, name)

        def counted(self, *args, name=name, real=real):
            counts[name] += 1
            return real(self, *args)

        monkeypatch.setattr(canvas.Figure, name, counted)
    monkeypatch.setattr(explorers, "REST", 0.01)
    return counts


def test_moving_hand_gets_sketches_and_a_resting_one_the_exact_picture(drawn):
    async def drag():
        explorer = explore(steps, n=(2, 9))
        for n in (4, 5, 6, 7):
            controls(explorer)["n"].value = n
            assert explorer.caption == steps(n=n).caption and explorer._image.value
        assert drawn == {"png": 1, "sketch": 4}
        await asyncio.sleep(0.1)
        assert drawn == {"png": 2, "sketch": 4}
        assert explorer._image.value == steps(n=7).png()

    asyncio.run(drag())


def test_rest_after_a_refused_value(drawn):
    async def drag():
        explorer = explore(steps, n=(2, 20))
        for n in (12, 13):
            controls(explorer)["n"].value = n
        await asyncio.sleep(0.1)
        assert explorer.caption == "This can't be drawn: n must not be 13; got 13"
        controls(explorer)["n"].value = 14
        await asyncio.sleep(0.1)
        assert explorer._image.value == steps(n=14).png()

    asyncio.run(drag())


@pytest.fixture(params=[True, False], ids=["collecting", "not collecting"])
def collecting(request):
    """Whether Python itself collects garbage, now and then."""
    (gc.enable if request.param else gc.disable)()
    yield request.param
    gc.enable()


def test_garbage_of_sketches_is_collected_at_once_and_all_other_later(drawn, collecting):
    sketched = []

    async def drag():
        explorer = explore(lambda n=3: sketched.append(weakref.ref(f := steps(n))) or f, n=(2, 9))
        old = weakref.ref(cyclic := Cycle())
        controls(explorer)["n"].value = 4
        del cyclic
        controls(explorer)["n"].value = 5
        assert gc.isenabled() == collecting and old()
        assert [alive() for alive in sketched[1:]] == [None, None]
        await asyncio.sleep(0.1)
        gc.collect()
        assert not old()

    asyncio.run(drag())


class Cycle:
    """Only a look through all objects finds that nobody needs it."""

    def __init__(self):
        self.itself = self


def test_figure_of_another_shape_is_drawn_exactly_at_once(drawn):
    @figures.figure(lecture="")
    def growing(rows=1):
        """Rows."""
        fig, _ = figures.canvas(rows, height=2 * rows)
        fig.caption = f"{rows} rows."
        return fig

    async def drag():
        explorer = explore(growing, rows=(1, 3))
        for rows in (2, 1, 2):
            controls(explorer)["rows"].value = rows
            assert pixels(explorer._image.value).shape == pixels(growing(rows).png()).shape

    asyncio.run(drag())
    assert drawn["sketch"] == 2


@pytest.mark.parametrize("again", [False, True], ids=["first", "stamped"])
def test_sketch_looks_like_the_picture(again):
    sketching.STAMPS.clear()
    exact = steps(n=5)
    png, places = exact.png(), exact.places()
    for _ in range(1 + again):
        sketch = steps(n=5).sketch(places)
    assert np.abs(pixels(sketch) - pixels(png)).max() <= 8


def bent(ax):
    """Gives an axis another scale, with the same ticks and limits."""
    limits = ax.get_ylim()
    ax.set_yscale("function", functions=(np.arcsinh, np.sinh))
    ax.set_ylim(limits)


@pytest.mark.parametrize(
    "change",
    [
        lambda ax: ax.set_ylim(-0.5, 3.5),  # with the same ticks
        lambda ax: ax.set_yscale("symlog"),
        bent,
        lambda ax: ax.set_xlabel("other"),
        lambda ax: ax.set_xticks([0, 1, 2, 3], list("abcd")),
        lambda ax: ax.get_xticklabels()[1].set_color("red"),
        lambda ax: ax.set_aspect(2),
        lambda ax: ax.tick_params(length=0, labelsize=8),
        lambda ax: ax.grid(False),
    ],
    ids=["limits", "scale", "bent", "label", "ticks", "colour", "aspect", "parameters", "grid"],
)
def test_stamp_of_another_axis_is_not_used(change):
    sketching.STAMPS.clear()
    places = [Bbox([[0.3, 0.3], [0.9, 0.9]])]
    before = steps(n=4).sketch(places)

    def changed():
        fig = steps(n=4)
        with canvas.styled():
            change(fig.axes[0])
        return fig.sketch(places)

    seen = changed()
    sketching.STAMPS.clear()
    assert seen == changed()
    assert seen != before


def test_what_sketches_take_for_granted_of_matplotlib(monkeypatch):
    """It promises none of this; without it, sketches are slow or wrong, and this says why."""
    drawn, parsed, fig = [], [], steps(n=3)
    ax, parse = fig.axes[0], sketching.FORMULAS.parse
    monkeypatch.setattr(
        sketching.FORMULAS, "parse", lambda *a, **k: (parsed.append(a[0]), parse(*a, **k))[1]
    )
    ax.set_ylabel("$n^2$")
    ax.xaxis.draw = drawn.append
    paper = sketching.fresh_paper(*map(int, fig.bbox.size), fig.dpi)
    fig.draw(paper)
    assert drawn == [paper], "a picture draws each axis by its attribute `draw`: a stamp stands in"
    assert "$n^2$" in parsed, "paper asks its `mathtext_parser` for formulas: all papers share one"
    ticks = vars(ax.yaxis).get("majorTicks")
    assert ticks and ticks[0].label1.get_color(), "an axis keeps in `majorTicks` what a stamp reads"
    for covered in (255, 0):
        opacity = np.asarray(paper.buffer_rgba())[..., 3]
        assert opacity.max() == covered, "`clear` wipes a paper clean for the next sketch"
        paper.clear()


def test_stamps_are_few(monkeypatch):
    monkeypatch.setattr(sketching, "MOST_STAMPS", 6)
    places = steps().places()
    for n in range(2, 10):
        steps(n=n).sketch(places)
    assert len(sketching.STAMPS) == 6


@pytest.mark.parametrize("size", [(1, 1), (7, 5), (60, 90)])
def test_quick_png_is_a_png_of_the_pixels(size):
    colours = np.random.default_rng(3).integers(0, 256, (*size, 3), dtype=np.uint8)
    assert np.array_equal(pixels(sketching.quick_png(colours)), colours)


# Games --------------------------------------------------------------------------------------------


def test_buttons_play_undo_and_start_again():
    played = game(steps, {"rain": "r", "sun": "s"}, n=(2, 9))
    captions = [played.caption]
    for label in ("rain", "sun", "rain", "undo", "sun", "start again", "undo", "sun"):
        press(played, label)
        captions.append(played.caption)
    assert [re.search(r"moves: (\w*)\.", caption)[1] for caption in captions] == [
        "",
        "r",
        "rs",
        "rsr",
        "rs",
        "rss",
        "",
        "",
        "s",
    ]


def test_game_keeps_its_moves_when_a_control_moves():
    played = game(steps, {"rain": "r"}, n=(2, 9))
    press(played, "rain")
    controls(played)["n"].value = 6
    assert (
        played.caption == steps(n=6, moves="r").caption
        and played._image.value == steps(n=6, moves="r").png()
    )


def test_game_and_explorer_can_be_told_apart():
    assert (
        "olc-game" in game(steps, {"rain": "r"})._dom_classes
        and "olc-explorer" in explore(steps)._dom_classes
    )


@figures.figure(lecture="")
def climb(moves="", height=3):
    """A climb whose score is the number of u, counted only if nobody fell."""
    fig, _ = figures.canvas(width=2, height=2)
    fig.caption = f"{len(moves)} steps."
    fig.score, fig.possible = None if "x" in moves else moves.count("u"), height
    return fig


def test_game_says_the_score_the_best_so_far_and_the_best_possible(monkeypatch):
    monkeypatch.setattr(explorers, "RECORDS", {})
    played = game(climb, {"up": "u", "stay": "s", "fall": "x"}, height=(1, 9))
    told = []
    for label in ("up", "up", "undo", "stay", "fall", "start again"):
        press(played, label)
        told.append(re.findall(r": ([\d–]+)", played._score.value))
    expected = ["113", "223", "123", "123", "–23", "023"]
    assert ["".join(scores) for scores in told] == expected
    controls(played)["height"].value = 5  # another game, another record
    assert played._score.value == "Your score: 0 · your best so far: 0 · the best possible: 5"
    again = game(climb, {"up": "u"}, height=(1, 9))  # as when a cell is run again
    assert again._score.value == "Your score: 0 · your best so far: 2 · the best possible: 3"


def test_figure_without_score_shows_none():
    assert game(steps, {"rain": "r"})._score.value == ""


@pytest.mark.parametrize("draw", GAMES, ids=lambda draw: draw.__name__)
def test_games_of_the_course_say_the_best_possible_score(draw):
    fig = draw(moves="")
    assert fig.possible is not None and (fig.score is None or fig.score <= fig.possible)


def test_best_scores_are_reached():
    assert figures.majority_game("0011001").score == figures.majority_game().possible == 6
    round_ = figures.shift_game("AABBBCCCDDD")
    assert round_.score == pytest.approx(round_.possible, rel=1e-12)
    assert round_.goal == "the best known"  # by a search, not by a proof
    assert figures.shift_game("AABBBCCCDD").score is None  # the round is not over
    assert figures.never_found("10").score == figures.never_found("01").possible == 0


def test_no_short_play_of_hedge_game_is_better(monkeypatch):
    monkeypatch.setattr(hedge_figures, "ROUND", 3)
    scores = [figures.hedge_game("".join(moves), 2.0).score for moves in product("ABab", repeat=3)]
    assert max(scores) == pytest.approx(figures.hedge_game("", 2.0).possible, rel=1e-12)


def test_no_short_play_of_shift_game_is_better(monkeypatch):
    monkeypatch.setattr(shifting, "ROUND", 3)
    # Only the scores are looked at: all plays are drawn on one paper.
    monkeypatch.setattr(shifting, "canvas", cache(figures.canvas))
    plays = ["".join(moves) for moves in product("ABCD", repeat=3)]
    # Without the cached result, which is that of the whole round.
    possible = shifting.best_lead.__wrapped__(0.2)
    assert max(figures.shift_game(moves, 0.2).score for moves in plays) == pytest.approx(possible)


def test_a_play_that_is_behind_for_long_is_found_in_the_shift_game():
    """The 1000 best plays of each block, whatever their shifts, do not lead to this one."""
    played = figures.shift_game("AABBCCCDDDB", 0.335)
    assert played.score <= played.possible + 1e-12


def test_figure_of_a_game_takes_moves():
    @figures.figure(lecture="")
    def still(n=2):
        return steps(n)

    with pytest.raises(ValueError, match="still has no argument 'moves'; it has n"):
        game(still, {"rain": "r"})
