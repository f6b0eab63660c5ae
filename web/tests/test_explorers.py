"""Explorers: the values that they have on the page, their frames, and what is kept of them."""

import csv
import json
import re
import sys
from base64 import b64decode
from gzip import decompress
from pathlib import Path
from types import SimpleNamespace

import cache
import explorers
import filming
import lectures
import nbformat
import numpy as np
import pytest
import replay
import sources
import svg
import where
from bs4 import BeautifulSoup
from matplotlib.backends.backend_agg import FigureCanvasAgg

import olc_helpers
from olc_helpers import figures
from olc_helpers.canvas import canvas, styled
from olc_helpers.explorers import Explorer

SLOPES = "-1.5 -1 0 0.3 0.5".split()


@figures.figure(lecture="")
def growing(label="a", limit=3):
    """A line whose label grows, up to a limit."""
    if len(label) > limit:
        raise ValueError(f"label must have at most {limit} letters; got {len(label)}")
    fig, axes = canvas(1, 2, width=7, height=3)
    for ax in axes:
        ax.set(ylabel="\n".join(label), xlabel=label)
        ax.text(1.02, 0.5, label * 3, transform=ax.transAxes)
    fig.caption = f"The label is {label}."
    return fig


def unpacked(file):
    """What a file of frames says, as the script reads it."""
    return json.loads(decompress(b64decode(file.read_text("utf-8").split('"')[1])))


def labels(drawing):
    """The words of a drawing, as a set."""
    soup = BeautifulSoup("".join(drawing), "html.parser")
    return {text.get_text().strip() for text in soup.select("text")}


def picture_of(made):
    """The pixels of a figure as matplotlib draws it where its axes are."""
    paper = FigureCanvasAgg(made)
    with styled():
        paper.draw()
    return np.asarray(paper.buffer_rgba())[:, :, :3].astype(int)


class TestExplorers:
    # what the lectures ask the reader to do
    NAMED = {
        ("01", "halving_run", "adversary"): "yes",
        ("02", "wm_run", "beta"): "0.5 0.9",
        ("02", "wm_run", "adversary"): "yes",
        ("04", "hedge_eta", "T"): "16 64",
        ("04", "hedge_eta", "eta"): "0.6 0.3",  # near the best rates for these T
        ("06", "perceptron_trace", "order"): "0 4 19",
        ("07", "quantity_hunt", "longest"): "no yes",
        ("08", "ogd_regret", "rate"): "1 4",
        ("09", "projection", "x"): "0.5",
        ("09", "projection", "y"): "0",
        ("09", "step_tradeoff", "score"): "0.7 0.8 0.9 1",
        ("10", "digit_errors", "noise"): "0.2",
        ("11", "winnow_race", "n"): "200 400",
        ("11", "winnow_race", "k"): "100",
        ("13", "sparsity_penalties", "p"): "0.55 0.6",
        ("14", "cat_network", "tail"): "no yes",
        ("14", "dnf_race", "k"): "4",
        ("15", "recovery", "shift"): "100 150",
        ("15", "paths_meet", "alpha"): "0",
        ("16", "one_pass_error", "K"): "3 4 6",
        ("16", "one_pass_error", "eps"): "0.1 0.2",
        ("16", "left_out", "consistent"): "yes",
        ("17", "shattering", "points"): "3 4",
        ("17", "shattering", "y"): "-0.6",  # on a line with the other two
        ("17", "four_labels", "y"): "-0.9 0",  # outside and inside of the triangle
        ("17", "mistake_tree", "family"): "singletons",
        ("21", "share_recovery", "alpha"): "0",
    }
    # a slider of each central explorer, on which something happens between any two values
    MAIN = (
        ("halving_run", "n"),
        ("wm_run", "beta"),
        ("wm_sinking", "trial"),
        ("hedge_eta", "eta"),
        ("radius_and_margin", "angle"),
        ("perceptron_trace", "order"),
        ("subgradient_fan", "slope"),
        ("ogd_regret", "rate"),
        ("winnow_race", "k"),
        ("two_geometries", "k"),
    )
    SEEDS = {"seed", "order"}  # their ends are values like all others

    @pytest.fixture(scope="class")
    @classmethod
    def shown(cls):
        """{(lecture, cell id): the entry of its explorer, with all values of its controls}."""
        found = {}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Explorer, "_show", lambda self: None)
            for lecture in lectures.lectures():
                for cell in lecture.code:
                    if not re.search(r"^explore\(", cell.source, re.MULTILINE):
                        continue
                    names = {name: getattr(olc_helpers, name) for name in olc_helpers.NAMES}
                    names["np"] = np
                    exec(re.sub(r"^explore\(", "shown = explore(", cell.source, flags=re.M), names)
                    entry = filming.described(names["shown"])
                    found[lecture.number, cell.id] = entry
        return found

    @pytest.fixture(scope="class")
    @classmethod
    def site(cls, tmp_path_factory):
        """(folder, manifest) of a small lecture that was replayed."""
        out = tmp_path_factory.mktemp("site")
        notebook = out / "99_small.ipynb"
        cells = {
            "imports": "from olc_helpers import explore, figures, game",
            "both": "from IPython.display import display\n"
            "display(figures.segments())\nfigures.loss_curves()",
            "moved": "explore(figures.subgradient_fan, slope=(-1.5, 0.5, 0.1),"
            " start=dict(slope=0.3))",
            "played": "game(figures.never_found, {'say 1': '1', 'say 0': '0'})",
            "printed": "print(1)",
        }
        made = [nbformat.v4.new_code_cell(source, id=cell) for cell, source in cells.items()]
        nbformat.write(nbformat.v4.new_notebook(cells=made), notebook)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(where, "CACHE", out / "cache")
            patch.setattr(replay, "table", lambda: {("99", "moved"): {"slope": SLOPES}})
            manifest = replay.replay(lectures.read(notebook), out)
            patch.setattr(replay, "worker", None)  # what is kept needs none
            assert replay.replay(lectures.read(notebook), out) == manifest
        return out, manifest

    def test_every_explorer_has_its_grid(self, shown):
        assert replay.table().keys() == shown.keys()
        with (where.WEB / "explorers.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                assert shown[row["lecture"], row["cell"]]["name"] == row["figure"], row

    def test_grids_are_small_and_have_starts_and_ends(self, shown):
        for place, entry in shown.items():
            controls, start, values = replay.on_page(entry, replay.table()[place])
            assert 2 <= len(values) <= replay.MOST and start in values, place
            assert len({json.dumps(each) for each in values}) == len(values), place
            full = {control["name"]: control["values"] for control in entry["controls"]}
            for control in controls:
                name, on_page = control["name"], control["values"]
                assert on_page == [value for value in full[name] if value in on_page], name
                if control["type"] == "range" and name not in self.SEEDS:
                    assert (on_page[0], on_page[-1]) == (full[name][0], full[name][-1]), name

    def test_what_the_text_asks_for_can_be_done(self, shown):
        for (lecture, name, control), values in self.NAMED.items():
            (place,) = (p for p, entry in shown.items() if (p[0], entry["name"]) == (lecture, name))
            controls, *_ = replay.on_page(shown[place], replay.table()[place])
            labels = next(one["labels"] for one in controls if one["name"] == control)
            assert set(values.split()) <= set(labels), (lecture, name, control)

    @pytest.mark.parametrize(
        "grid, reason",
        [
            ({"slope": ["0.3", "0.33"]}, "slope can't be 0.33; it can be -1.5, -1.4"),
            ({"slope": ["-1.5", "0.5"]}, "slope starts at 0.3, which explorers.csv leaves out"),
            ({"angle": ["1"]}, "subgradient_fan has no control angle"),
        ],
    )
    def test_a_wrong_grid_is_refused(self, shown, grid, reason):
        with pytest.raises(ValueError, match=re.escape(reason)):
            replay.on_page(shown["08", "640e8920"], grid)

    def test_too_many_frames_are_refused(self, shown):
        with pytest.raises(ValueError, match="halving_run has 9690 frames"):
            replay.on_page(shown["01", "e9031d56"], {"n": ["*"], "T": ["*"]})

    def test_central_explorers_have_sliders(self, shown):
        names = {}
        for place, entry in shown.items():
            controls, *_ = replay.on_page(entry, replay.table()[place])
            names |= {(entry["name"], one["name"]): len(one["values"]) for one in controls}
        assert {main: names[main] for main in self.MAIN if names[main] < 20} == {}

    def test_manifest_says_what_the_cells_show(self, site):
        out, manifest = site
        kinds = {cell: [e["kind"] for e in entries] for cell, entries in manifest.items()}
        assert kinds == {"both": ["figure"] * 2, "moved": ["explorer"], "played": ["game"]}
        first, second = manifest["both"]
        assert (first["name"], second["name"]) == ("segments", "loss_curves")
        assert first["heat"] and not second["heat"]  # an image, and lines
        assert first["svg"] == "pictures/99/both.svg" and second["svg"] == "pictures/99/both-2.svg"
        drawn = figures.loss_curves()
        assert (second["caption"], second["description"]) == (drawn.caption, drawn.description)
        assert (second["width"], second["height"]) == tuple(drawn.get_size_inches() * 120)
        game_entry = manifest["played"][0]
        assert game_entry["buttons"] == {"say 1": "1", "say 0": "0"} and game_entry["moves"] == ""
        for entry in (first, second, *manifest["moved"], game_entry):
            assert (out / entry["svg"]).read_text(encoding="utf-8").startswith("<?xml")

    def test_a_bar_says_how_many_tasks_are_done(self, tmp_path, monkeypatch):
        done = []
        bar = SimpleNamespace(total=0, update=lambda: done.append(1))
        monkeypatch.setattr(replay, "BAR", bar)
        for _ in range(2):
            cache.write(tmp_path, {"name": "known"})
            assert replay.task("film", tmp_path, 1).result() == {"name": "known"}
        assert bar.total == 2 and len(done) == 2

    def test_what_gathers_from_all_rooms_is_there(self):
        assert all(file.is_file() for file in sources.GATHERING)

    def test_frames_are_those_of_the_python(self, site):
        out, manifest = site
        (entry,) = manifest["moved"]
        (control,) = entry["controls"]
        assert control["labels"] == SLOPES and control["start"] == SLOPES.index("0.3")
        assert len(entry["which"]) == len(SLOPES)
        film = unpacked(out / entry["frames"])
        assert film["which"] == entry["which"] and film["texts"] == entry["texts"]
        for label, number in zip(SLOPES, entry["which"], strict=True):
            drawn = figures.subgradient_fan(slope=float(label))
            assert film["texts"][number] == [drawn.caption, drawn.description]
            frame = [film["parts"][part] for part in film["frames"][number]]
            assert labels(svg.parts(drawn)) == labels(frame)
        assert len({*map(tuple, film["frames"])}) == len(SLOPES)
        assert len(film["parts"]) < sum(map(len, film["frames"])) / 2  # they share what is equal
        start = film["frames"][entry["which"][control["start"]]]
        assert entry["drawing"] == "".join(film["parts"][part] for part in start)

    def test_equal_frames_are_stored_once(self, tmp_path):
        values = [{"step": step, "order": 4} for step in (1, 2, 3)]  # w is in the cone at once
        filming.film(tmp_path, "perceptron_trace", values[0], values)
        film = cache.read(tmp_path)
        assert film["which"] == [0, 0, 0] and len(film["texts"]) == 1
        assert len(unpacked(tmp_path / "frames.js")["frames"]) == 1

    def test_axes_stay_and_labels_fit(self):
        made = [growing(label) for label in ("a", "bbb", "cc")]
        places = {}
        for each in made:
            filming.settle(each, places)
        for each in made:
            filming.move(each, places)
            assert filming.crowded(each) == 0
            assert [str(place) for place in each.places()] == [str(p) for p in made[0].places()]
        alone = growing("a")
        alone.lay_out()
        filming.move(made[1], {alone.shape: {"axes": alone.places()}})
        assert filming.crowded(made[1])  # the places of the first would not do

    def test_frames_have_one_size(self, tmp_path):
        values = [{"points": 3, "x": 0, "y": 0}, {"points": 4, "x": 0, "y": 0}]
        filming.film(tmp_path, "shattering", values[0], values)
        film = cache.read(tmp_path)
        large, small = (figures.shattering(**each) for each in values)
        sizes = [each.get_size_inches() * 120 for each in (large, small)]
        assert [film["width"], film["height"]] == np.max(sizes, axis=0).tolist()

    def test_a_padded_figure_looks_the_same(self):
        made, again = growing("bb"), growing("bb")
        made.lay_out(), again.lay_out()
        filming.pad(made, np.array([8, 4.5]))
        small, large = picture_of(again), picture_of(made)
        height, width, _ = small.shape
        assert large.shape == (540, 960, 3) and (large[height:] == 255).all()
        assert np.abs(large[:height, :width] - small).mean() < 1

    def test_text_stays_text_and_colours_are_those_of_the_page(self):
        drawn = svg.parts(figures.wm_envelopes())
        sentence = "each × is a mistake: the ceiling drops"
        assert {"trial t", "logarithm of the weight", sentence, "0", "60"} <= labels(drawn)
        (said,) = (part for part in drawn if sentence in part)
        assert 'class="sentence"' in said
        text = "".join(drawn)
        assert "font-family" not in text and "<style" not in text and "patch_" not in text
        bare = set(re.findall("(?<!,)#[0-9a-f]{6}", text))
        assert not bare and "var(--vermillion,#d55e00)" in text
        css = (where.WEB / "static/figures.css").read_text(encoding="utf-8")
        for variable in re.findall(r"var\((--[\w-]+),", "".join(svg.COLOURS.values())):
            assert re.search(rf"^  {variable}: ", css, re.MULTILINE), variable

    def test_a_phone_knows_the_labels_behind_the_lines(self):
        labelled, plain = figures.wm_envelopes(), figures.log_inequalities()
        drawn, others = svg.parts(labelled), svg.parts(plain)
        assert sum('class="end"' in part for part in drawn) == 3
        assert 0.7 < svg.right(labelled) < 0.9
        assert svg.right(plain) == 1 and not any('class="end"' in part for part in others)

    def test_letters_of_a_word_stay_together_and_in_order(self):
        made, ax = canvas()
        ax.set_title("penalty $w_t + x$, right here")
        (title,) = (text for text in svg.parts(made) if "penalty" in text)
        spans = BeautifulSoup(title, "html.parser").select("tspan")
        said = [" ".join(span.get_text().split()) for span in spans]
        assert said == ["penalty", "w", "t", "+", "x", ", right here"]
        assert [span.get("class") for span in spans if span.get("class")] == [["small"]] * 3

    def test_a_picture_knows_where_its_trials_are(self):
        made = figures.wm_envelopes()
        (area,) = BeautifulSoup("".join(svg.parts(made)), "html.parser").select(".trials")
        ax = made.axes[0]
        low, high, x, wide = (float(area[k]) for k in ("data-low", "data-high", "x", "width"))
        at = ax.transData.transform((30, 0))[0] * 72 / made.dpi
        assert abs(x + wide * (30 - low) / (high - low) - at) < 0.5
        assert "trials" not in "".join(svg.parts(figures.hedge_eta()))

    @pytest.mark.parametrize(
        "draw, heat", [("imshow", True), ("pcolormesh", True), ("contour", False), ("plot", False)]
    )
    def test_brightness_has_a_meaning_in_images_and_meshes(self, draw, heat):
        made, ax = canvas()
        getattr(ax, draw)([[1, 2], [3, 4]])
        assert filming.has_heat(made) is heat

    def test_what_a_figure_refuses_says_why(self):
        refused = filming.drawn(growing, {"label": "abcd"}, growing())
        reason = "This can't be drawn: label must have at most 3 letters; got 4"
        assert refused.caption == refused.description == reason
        assert (picture_of(refused) < 128).any()
        assert refused.get_size_inches().tolist() == [7, 3]

    def test_page_has_controls_and_the_static_figure(self, site):
        _, manifest = site
        controls = [
            *manifest["moved"][0]["controls"],
            {"name": "two_words", "type": "check", "labels": ["no", "yes"], "start": 1},
            {"name": "set", "type": "menu", "labels": ["a < b", "</script>"], "start": 1},
        ]
        entry = manifest["moved"][0] | {"id": "explore-x", "controls": controls}
        entry["texts"] = [["</script><b>", "β"]]
        page = BeautifulSoup(explorers.html(entry, "<figure></figure>", "../"), "html.parser")
        box = page.select_one("div.explorer")
        assert [child.name for child in box.children] == ["form", "figure", "script"]
        slider, check = box.select("input")
        start = str(SLOPES.index("0.3"))
        assert (slider["type"], slider["max"], slider["value"]) == ("range", "4", start)
        assert slider["aria-valuetext"] == "0.3" == box.select_one(".value").get_text()
        assert box.select_one(f"label[for={slider['id']}]").get_text() == "slope"
        assert check.has_attr("checked") and check.parent.get_text().strip() == "two words"
        chosen = [option.has_attr("selected") for option in box.select("option")]
        assert chosen == [False, True]
        data = json.loads(box.script.string)
        assert data["frames"] == "../frames/99/moved.js"
        assert data["labels"][2] == ["a < b", "</script>"] and not box.select(".player")

    @pytest.mark.parametrize(
        "name",
        "halving_tree perceptron_trace subgradient_fan trellis share_pool four_labels".split(),
    )
    def test_code_that_runs_is_code_that_counts(self, name):
        """What draws a figure is part of the hash under which it is kept."""
        ran, figure_function = set(), figures.load()[name]
        sys.settrace(lambda frame, event, value: ran.add(frame.f_code.co_filename))
        try:
            figure_function()
        finally:
            sys.settrace(None)
        files = {file for file in map(Path, ran) if file.is_relative_to(where.PACKAGE)}
        needed = set(sources.needed(f"from olc_helpers import figures\nfigures.{name}"))
        assert files and files <= needed | sources.faces()  # faces only show names

    def test_a_room_that_is_not_used_does_not_count(self):
        needed = set(sources.needed("from olc_helpers import figures\nfigures.wm_run()"))
        assert where.PACKAGE / "experts/figures/weighted_majority.py" in needed
        assert where.PACKAGE / "canvas.py" in needed
        assert where.PACKAGE / "shifting/figures.py" not in needed

    @pytest.mark.parametrize("name, count, plays", [("trial", 9, 1), ("trial", 2, 0), ("k", 9, 0)])
    def test_what_is_time_plays(self, name, count, plays):
        time = {"name": name, "type": "range", "start": 0, "labels": [*map(str, range(count))]}
        text = explorers.html({"id": "x", "name": "x", "frames": "", "controls": [time]}, "")
        page = BeautifulSoup(text, "html.parser")
        assert len(page.select(".player[data-time='0'] .play")) == plays
        assert [label.get_text().strip() for label in page.select(".few label")] == (
            ["0", "1"] if count == 2 else []
        )

    def test_a_ledger_leads_to_a_picture_of_its_run(self):
        for row in explorers.shown():
            (lecture,) = (each for each in lectures.lectures() if each.number == row["lecture"])
            assert any(cell.id == row["cell"] for cell in lecture.code)
            name = row["picture"].partition("-")[2]
            assert lecture.using(rf"figures\.{name}\b"), row
            assert any(map(svg.counts, figures.load()[name]().axes)), row
