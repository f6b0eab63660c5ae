"""Every figure of the course: described by its data, readable, the same bytes each time; and what
all figures share.
"""

import io
import re
import sys
from functools import lru_cache
from inspect import signature
from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from IPython import display
from matplotlib.cbook import STEP_LOOKUP_MAP
from matplotlib.mathtext import MathTextParser
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from olc_helpers import (
    Halving,
    Hedge,
    RandomizedWeightedMajority,
    WeightedAverage,
    WeightedMajority,
    canvas,
    errata,
    figures,
    palette,
    play,
    proofs,
    streams,
    theorems,
)
from olc_helpers.canvas import mathtext
from olc_helpers.checks import generator

NAMES = sorted(figures.load())
every_figure = pytest.mark.parametrize("name", NAMES, scope="module")  # all tests of one together
SMALLEST_FONT = 8
TOO_FAINT = {c.lower() for c in (palette.LIGHT, palette.FAINT, palette.PALE, palette.MID)}


def saved(fig, kind):
    file = io.BytesIO()
    fig.save(file, kind)
    return file.getvalue()


def placed(fig):
    """Lays a figure out and returns the texts that are drawn into it, with their boxes in
    pixels.
    """
    texts, draw = {}, Text.draw

    def noting(self, renderer, *args, **kwargs):
        if self.get_visible() and self.get_text().strip():
            texts[self] = self.get_window_extent(renderer)
        return draw(self, renderer, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch, figures.styled():
        patch.setattr(Text, "draw", noting)
        fig.lay_out()
        fig.draw_without_rendering()
    return texts.items()


def plain(value):
    """Returns arrays, outlines and lists of them as bytes, other values in words."""
    if isinstance(value, Path):
        value = value.vertices
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value.tobytes() if isinstance(value, np.ndarray) else repr(value)


def contents(fig):
    """Returns the numbers, texts and colours of all artists of a figure; that is quick, it draws
    nothing.
    """
    named = (
        "xydata",
        "data",
        "array",
        "offsets",
        "coordinates",
        "paths",
        "path",
        "color",
        "facecolor",
        "edgecolor",
        "linestyle",
    )
    return [
        (name, plain(getattr(artist, f"get_{name}")()))
        for artist in fig.findobj()
        for name in (*named, *["text"] * isinstance(artist, Text))
        if hasattr(artist, f"get_{name}")
        # The paths of a mesh are thousands, which its coordinates tell.
        and not (name == "paths" and hasattr(artist, "get_coordinates"))
    ]


def drawn(draw):
    """Returns a figure, and what draws for it: the seed, the function that uses it, and what that
    was given.
    """
    made, found = np.random.default_rng, set()

    def watched(seed=None):
        if seed is not None and not isinstance(seed, np.random.Generator):
            frame, state = sys._getframe(1), made(seed).bit_generator.state["state"]["state"]
            frame = frame.f_back if frame.f_code is generator.__code__ else frame
            found.add((state, frame.f_code, repr(frame.f_locals)))
        return made(seed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np.random, "default_rng", watched)
        return draw(), found


@lru_cache(1)  # a hundred figures would be many objects
def first(name):
    """Returns a figure with its defaults, its contents, its texts, and what draws for it."""
    fig, found = drawn(figures.FIGURES[name])
    return fig, contents(fig), placed(fig), found


def beside(value):
    """Returns values of an argument other than its default."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [n for n in (value // 2, value - 1, value + 1, 2 * value) if n != value]
    if isinstance(value, float):
        return [0.9 * value, 1.1 * value]
    # Moves of a game, or another hypothesis.
    return [value[1:], "1", "A", "‖v‖ = 1"] if isinstance(value, str) else []


@pytest.fixture
def small(monkeypatch):
    """A registered figure of our own."""
    monkeypatch.setattr(canvas, "FIGURES", {})
    monkeypatch.setattr(figures, "FIGURES", canvas.FIGURES)

    @figures.figure(lecture="01")
    def parabola(n=5, title="parabola"):
        """Squares of whole numbers."""
        fig, ax = figures.canvas()
        (line,) = ax.plot(np.arange(n), np.arange(n) ** 2)
        figures.label_ends(ax, [(line, "squares")])
        ax.set(title=title)
        fig.caption = "Squares grow & <more> follow."
        fig.description = (
            f"The squares of 0 to {n - 1}; the largest is {(n - 1) ** 2} & <not> more."
        )
        return fig

    return parabola


# Every figure -------------------------------------------------------------------------------------


def test_there_are_figures():
    assert len(NAMES) >= 4


@every_figure
def test_description_tells_the_data_and_caption_the_finding(name):
    fig = first(name)[0]
    assert len(fig.description) >= 40 and re.search(r"\d", fig.description)
    for text in (fig.caption, fig.description):
        assert text == text.strip() and text.endswith((".", "!", "?"))
        assert not re.search(r"\b(nan|inf|None)\b|[$\\]|array\(", text), text
    words, numbers = len(fig.caption.split()), len(re.findall(r"\d[\d.,]*", fig.caption))
    assert words <= 25 and numbers <= 3, f"{words} words, {numbers} numbers: {fig.caption}"


@every_figure
def test_same_contents_when_drawn_again(name):
    """The bytes of its picture are compared where a lecture shows it."""
    fig, shown, *_ = first(name)
    again = figures.FIGURES[name]()
    assert again.description == fig.description and contents(again) == shown


@every_figure
def test_texts_are_inside_the_picture_and_large_enough(name):
    fig, _, texts, _ = first(name)
    assert texts
    width, height = fig.bbox.size
    for text, box in texts:
        assert text.get_fontsize() >= SMALLEST_FONT, (
            f"{text.get_text()!r} has {text.get_fontsize()} points"
        )
        assert mpl.colors.to_hex(text.get_color()) not in TOO_FAINT, f"{text.get_text()!r} is faint"
        # Boxes have a little air.
        inside = box.x0 > -2 and box.y0 > -2 and box.x1 < width + 2 and box.y1 < height + 2
        assert inside, f"{text.get_text()!r} leaves the picture: {box} in {fig.bbox.size}"


def drawn_through(line, box):
    """Whether a line, as it is drawn, runs through a box in pixels."""
    steps = STEP_LOOKUP_MAP[line.get_drawstyle()](*line.get_xydata().T)
    seen = Path(line.get_transform().transform(np.transpose(steps)))
    return seen.cleaned().intersects_bbox(Bbox.intersection(box, line.axes.bbox), filled=False)


@every_figure
def test_no_line_runs_through_a_sentence(name):
    for text, box in first(name)[2]:
        if text.get_style() == "italic" and not text.get_bbox_patch():
            for line in text.axes.lines:
                crossed = line.get_linestyle() != "None" and box.overlaps(line.axes.bbox)
                assert not (crossed and drawn_through(line, box)), text.get_text()


@every_figure
def test_different_draws_have_different_seeds(name):
    """The same stream may be played twice, as in a comparison of two learners."""
    seeds = [seed for seed, *_ in first(name)[3]]
    again = name == "majority_game"  # the advice once more, for the score
    assert len(set(seeds)) == len(seeds) - again, [where for _, *where in first(name)[3]]


def test_two_draws_from_one_seed_are_found():
    _, found = drawn(lambda: (np.random.default_rng(0), streams.coin_losses(5, [0.5])))
    assert len({seed for seed, *_ in found}) == 1 and len(found) == 2


@every_figure
def test_every_argument_has_a_default_and_every_figure_a_lecture(name):
    draw = figures.FIGURES[name]
    assert all(p.default is not p.empty for p in signature(draw).parameters.values())
    assert re.fullmatch(r"\d\d", draw.lecture) and len(draw.title) > 10 and draw.title != name


@every_figure
def test_description_changes_with_the_arguments(name):
    draw, told = figures.FIGURES[name], first(name)[0].description

    def tells(argument, value):
        try:
            return draw(**{argument: value}).description != told
        except ValueError:
            return False

    arguments = sorted(signature(draw).parameters.values(), key=lambda p: p.name != "seed")
    others = [(p.name, value) for p in arguments for value in beside(p.default)]  # cheapest first
    assert not arguments or any(tells(*other) for other in others)


# What the checks see ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda fig: fig.axes[0].lines[0].set_ydata([0, 1, 4, 9, 16 + 1e-9]),
        lambda fig: fig.axes[0].set_title("other"),
        lambda fig: fig.axes[0].lines[0].set_color("red"),
        lambda fig: fig.axes[0].lines[0].set_linestyle(":"),
        lambda fig: fig.axes[0].scatter([1], [2]),
        lambda fig: fig.axes[0].set_xlim(0, 7),
    ],
    ids=["number", "text", "colour", "style", "point", "limits"],
)
def test_contents_see_a_change(small, change):
    fig = small()
    before = contents(fig)
    assert contents(small()) == before
    change(fig)
    assert contents(fig) != before


def test_contents_see_the_corners_of_a_mesh():
    def mesh(middle):
        fig, ax = figures.canvas()
        ax.pcolormesh([0, middle, 2], [0, 1], [[1, 2]])
        return contents(fig)

    assert mesh(1) == mesh(1) != mesh(1.5)


def test_checks_see_a_text_outside_and_a_tiny_one(small):
    fig = small()
    fig.text(0.99, 0.5, "this runs over the edge")
    fig.text(0.1, 0.1, "tiny", fontsize=5)
    boxes = {text.get_text(): (text.get_fontsize(), box) for text, box in placed(fig)}
    assert (
        boxes["this runs over the edge"][1].x1 > fig.bbox.width + 2
        and boxes["tiny"][0] < SMALLEST_FONT
    )
    assert boxes["squares"][1].x1 < fig.bbox.width and boxes["parabola"][0] >= SMALLEST_FONT


# What all figures share ---------------------------------------------------------------------------


def test_registry(small):
    assert (
        figures.FIGURES == {"parabola": small}
        and small.lecture == "01"
        and small.title == "Squares of whole numbers"
    )
    assert "parabola" in dir(figures) and figures.parabola is small
    with pytest.raises(AttributeError, match="there is no figure 'parabel'"):
        figures.parabel  # noqa: B018


def test_figure_without_caption_is_refused(small):
    @figures.figure(lecture="01")
    def silent():
        return figures.canvas()[0]

    with pytest.raises(ValueError, match="the figure silent has no caption"):
        silent()


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_bytes_depend_on_nothing_but_the_arguments(small, kind):
    """Not on what was saved before, nor on the reader's own settings, nor on the time."""
    expected = saved(small(), kind)
    fig = small()
    for other in ("png", "pdf", "svg"):
        saved(fig, other)
    assert saved(fig, kind) == expected
    with mpl.rc_context(
        {
            "font.size": 30,
            "axes.facecolor": "black",
            "savefig.dpi": 50,
            "svg.hashsalt": None,
            "figure.dpi": 30,
        }
    ):
        assert saved(small(), kind) == expected
    assert saved(small(n=6), kind) != expected
    assert expected[:5] == {"svg": b"<?xml", "pdf": b"%PDF-", "png": b"\x89PNG\r"}[kind]


def test_other_formats_are_refused(small):
    with pytest.raises(ValueError, match="format must be svg, pdf or png; got 'gif'"):
        small().save(io.BytesIO(), "gif")


def test_png_has_the_size_of_the_figure(small):
    # 7.5 x 3.8 inches at 120 dots.
    assert np.frombuffer(small().png()[16:24], ">u4").tolist() == [900, 456]


def test_notebook_shows_picture_and_caption(small, monkeypatch):
    shown = []
    monkeypatch.setattr(
        display,
        "display",
        lambda data, metadata=None, raw=False: shown.append((data, metadata, raw)),
    )
    fig = small()
    fig._ipython_display_()
    (picture, metadata, raw), (caption, _, _) = shown
    assert (
        raw
        and set(picture) == {"image/png", "text/plain"}
        and metadata == {"image/png": {"alt": fig.description}}
    )
    assert (
        caption["text/plain"] == fig.caption
        and "<em>Squares grow &amp; &lt;more&gt; follow.</em>" in caption["text/html"]
        and "16 &amp; &lt;not&gt; more.</details>" in caption["text/html"]
    )


def test_concepts_under_a_tree_of_mistakes_do_not_touch():
    boxes = [
        box
        for text, box in placed(figures.mistake_tree("intervals", N=8))
        if re.fullmatch("[01]{8}", text.get_text())
    ]
    assert len(boxes) == 16
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


@pytest.mark.parametrize("order", range(21))
def test_every_walk_of_the_perceptron_stays_in_the_picture(order):
    fig = figures.perceptron_trace(step=9, order=order)
    walk = np.array(next(line for line in fig.axes[1].lines if line.get_marker() == "o").get_data())
    assert np.abs(walk).max() < 0.95 * min(fig.axes[0].get_xlim()[1], fig.axes[1].get_xlim()[1])


@pytest.mark.parametrize("score", [0.9, 1.0, 1.5])
def test_labels_of_the_steps_stay_right_of_the_axis(score):
    fig = figures.step_tradeoff(lam=2.0, score=score)
    names = ("exact", "linearised", "both steps")
    boxes = [box for text, box in placed(fig) if text.axes and text.get_text() in names]
    assert boxes and all(box.x0 > fig.axes[0].bbox.x0 for box in boxes)


@pytest.mark.parametrize(("slope", "found"), [(0.3, False), (-1.1, False), (-0.5, True)])
def test_the_fan_is_shown_once_a_subgradient_is_found(slope, found):
    fig = figures.subgradient_fan(slope=slope)
    assert (len(fig.axes[0].lines) > 3) == ("fan" in fig.description) == found


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("hedge_game", {"moves": "A"}, "After 1 trial nature"),
        ("never_found", {"moves": "1"}, "1 prediction, 1 mistake, and"),
        ("mistake_tree", {"N": 1}, "goes down: 1 mistake, while"),
        ("halving_run", {"n": 2, "adversary": True}, "1 of at most 1 mistake:"),
    ],
)
def test_one_is_no_plural(name, arguments, words):
    assert words in figures.load()[name](**arguments).caption


def test_labels_at_the_ends_of_lines_keep_their_distance():
    with figures.styled():
        fig, ax = figures.canvas()
        lines = [(ax.plot([0, 1], [0, y])[0], f"line {y}") for y in (1, 1.01, 1.02, 0)]
        figures.label_ends(ax, lines)
    boxes = sorted(
        (box.y0, box.y1, text.get_text())
        for text, box in placed(fig)
        if text.get_text().startswith("line")
    )
    assert [name for _, _, name in boxes] == ["line 0", "line 1", "line 1.01", "line 1.02"]
    assert all(below[1] <= above[0] + 1 for below, above in zip(boxes, boxes[1:], strict=False))
    assert [text.get_color() for text in ax.texts] == [
        line.get_color() for line, _ in (lines[3], *lines[:3])
    ]


# The words that the figures share ----------------------------------------------------------------


@pytest.fixture
def panel():
    with figures.styled():
        yield figures.canvas()[1]


def test_frame_names_scales_and_counts(panel):
    panel.plot([1, 1024], [1, 2])
    panel.frame("trials", "mistakes", "a title", xlog=2, whole="y", xlim=(1, 2048))
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("trials", "mistakes")
    assert (panel.get_title(loc="left"), panel.get_xlim()) == ("a title", (1, 2048))
    assert (panel.xaxis.get_transform().base, panel.get_yscale()) == (2, "linear")
    assert panel.xaxis.get_major_formatter()(1024) == "1024"
    assert all(tick == int(tick) for tick in panel.get_yticks())
    panel.frame(ylog=10)
    assert panel.get_yscale() == "log" and panel.get_xlabel() == "trials"


def test_ends_write_the_labels_so_far_and_leave_later_ones_to_the_legend(panel):
    panel.curve([0, 1], [0, 1], palette.BOUND, "bound")
    panel.plot([0, 1], [1, 0], label="regret")
    panel.plot([0, 1], [2, 2])
    panel.ends()
    panel.crosses([0.5], [0.5], palette.BLACK, label="mistake")
    named = [text.get_text() for text in panel.legend().get_texts()]
    assert [text.get_text() for text in panel.texts] == ["regret", "bound"]
    assert named == ["mistake"]
    assert panel.texts[1].get_color() == palette.GREY


def test_curve_has_its_look_and_markers_only_if_asked(panel):
    plain, marked = (
        panel.curve([0, 1], [0, 1], palette.LOOK["Winnow"], "name", *more) for more in ((), "o")
    )
    assert plain.get_color() == marked.get_color() == palette.VERMILLION
    assert (plain.get_marker(), marked.get_marker()) == ("", "o") and plain.get_label() == "name"
    dots = panel.dots([0, 1], [0, 1], "s", palette.BLUE, 4)
    assert (dots.get_linestyle(), dots.get_marker(), dots.get_markersize()) == ("None", "s", 4)


def test_band_lies_between_the_least_and_the_largest(panel):
    line = panel.band([0, 1], np.array([[0, 4], [2, 5], [7, 3]]), palette.LOOK["Winnow"])
    corners = {tuple(corner) for corner in panel.collections[0].get_paths()[0].vertices.tolist()}
    assert corners == {(0, 0), (0, 7), (1, 3), (1, 5)}
    assert line.get_ydata().tolist() == [3, 4]


@pytest.mark.parametrize(("dx", "side"), [(5, "left"), (-5, "right"), (0, "center")])
def test_note_stands_on_the_side_of_its_offset(panel, dx, side):
    note = panel.note("here", (0.5, 0.5), (dx, 3), palette.BLUE)
    assert (note.get_ha(), note.xyann, note.get_color()) == (side, (dx, 3), palette.BLUE)
    assert panel.note("here", (0.5, 0.5), (dx, 3), ha="center").get_ha() == "center"


def test_words_tiles_and_nodes_stand_around_their_point(panel):
    panel.set(xlim=(0, 4), ylim=(0, 4))
    panel.tile(1, 2, 0.5, 1, palette.BLUE)
    panel.node(3, 2, 0.5, "∧", facecolor=palette.SKY)
    word = panel.word(2, 2, "word", box="white")
    for shape, (x, y, width, height) in zip(
        panel.patches, ((0.75, 1.5, 0.5, 1), (2.5, 1.5, 1, 1)), strict=True
    ):
        box = shape.get_path().transformed(shape.get_patch_transform()).get_extents()
        assert box.bounds == pytest.approx((x, y, width, height))
    assert [text.get_position() for text in panel.texts] == [(3, 2), (2, 2)]
    assert {text.get_ha() + text.get_va() for text in panel.texts} == {"centercenter"}
    assert word.get_bbox_patch().get_facecolor() == (1, 1, 1, 1)


def test_bare_panels_have_neither_grid_nor_border(panel):
    panel.bare(xticks=[1])
    assert not any(spine.get_visible() for spine in panel.spines.values())
    tick = panel.xaxis.get_major_ticks()[0]
    assert not tick.gridline.get_visible() and tick.tick1line.get_markersize() == 0
    assert panel.get_xticks().tolist() == [1]


def test_figure_says_its_texts(small):
    fig = figures.canvas()[0]
    assert fig.says("short", "long") is fig and (fig.caption, fig.description) == ("short", "long")
    assert fig.says("both").description == "both"


def test_sums_so_far_begin_before_the_first_trial():
    assert canvas.so_far([1, 0, 2]).tolist() == [0, 1, 1, 3]


def test_looks_of_the_expert_lectures_can_be_told_apart():
    names = [
        "Halving",
        "Weighted Majority",
        "Randomised Weighted Majority",
        "Weighted Average",
        "Vovk",
        "Hedge",
        "best expert",
        "expert",
        "bound",
        "exact worst case",
    ]
    looks = {(figures.LOOK[name]["color"], str(figures.LOOK[name]["linestyle"])) for name in names}
    assert len(looks) == len(names) and figures.LOOK["bound"]["linestyle"] == "--"


@pytest.mark.parametrize(
    "latex", sorted({t.statement for t in (*theorems().values(), *errata().values())})
)
def test_statements_can_be_drawn(latex):
    assert MathTextParser("path").parse(f"${mathtext(latex)}$").width > 10


X, Y = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 1]]), np.array([1, 1, 0, 1])


@pytest.mark.parametrize(
    "book",
    [
        proofs.halving_bound(play(Halving(3), X, X[:, 2])),
        proofs.wm_bound(play(WeightedMajority(3), X, Y)),
        proofs.rwma_bound(play(RandomizedWeightedMajority(3, rng=0), X, Y)),
        proofs.wa_square(play(WeightedAverage(3), X, Y)),
        proofs.wa_entropic(play(WeightedAverage(3, loss="entropic"), X / 2 + 0.25, Y)),
        proofs.hedge_bound(play(Hedge(3, eta=1), X)),
        proofs.hedge_hoeffding(play(Hedge(3, eta=1), X)),
    ],
    ids=lambda book: book.name,
)
def test_every_line_about_trials_can_be_plotted(book):
    lines = [i for i, line in enumerate(book.lines, 1) if len(line.trials)]
    assert lines
    for i in lines:
        fig = book.plot(i)
        assert fig.axes[0].get_ylabel() == f"both sides of line ({i})"
        assert f"line {i}, on" in fig.description and "tightest" in fig.caption
        fig.lay_out()  # reads the formulas
        assert MathTextParser("path").parse(f"${mathtext(book.lines[i - 1].latex)}$").width > 10
