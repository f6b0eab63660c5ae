"""Explorers and games in a browser: what they show is what the Python says."""

import json
import random

import pytest
import replay
from conftest import LECTURES
from lectures import lectures
from PIL import Image
from where import SITE

from olc_helpers import figures
from olc_helpers.shifting import figures as shifting

MOVES = 9  # of a game


def number(name):
    """The number of the lecture of a page."""
    return name[:2]


def explorers(lecture, folder):
    """[(cell, entry)] of the explorers of a lecture, from what the build has kept."""
    (read,) = (each for each in lectures() if each.number == lecture)
    manifest = replay.replay(read, folder, jobs=1, frames=False)
    shown = [(cell, entry) for cell, entries in manifest.items() for entry in entries]
    return [(cell, entry) for cell, entry in shown if entry["kind"] == "explorer"]


def told(widget):
    """The caption and the description that a widget shows."""
    return widget.locator("figcaption p").all_text_contents()


def data(widget):
    """What the page tells the script of a widget."""
    return json.loads(widget.locator("script").text_content())


@pytest.mark.parametrize("name", LECTURES)
def test_frames_are_there_and_say_what_the_python_says(name, tmp_path):
    page = (SITE / name).read_text(encoding="utf-8")
    shown = explorers(number(name), tmp_path)
    assert page.count('class="explorer"') == len(shown) > 0
    for cell, entry in shown:
        frames = SITE / f"frames/{number(name)}/{cell}"
        controls, _, values = replay.on_page(entry, replay.table()[number(name), cell])
        start = page.index(f'id="cell-{cell}"')
        text = page[page.index('<script type="application/json">', start) :].partition("</script>")
        given = json.loads(text[0].partition(">")[2])
        assert given["labels"] == [control["labels"] for control in controls]
        assert len(given["which"]) == len(values) and len(values) > 1
        assert set(given["which"]) == set(range(len(given["texts"])))
        sizes = {Image.open(frames / f"{k}.webp").size for k in range(len(given["texts"]))}
        assert len(sizes) == 1, "pictures don't jump"
        assert sorted(path.name for path in frames.iterdir()) == sorted(
            f"{k}.webp" for k in range(len(given["texts"]))
        )
        for frame, value in zip(given["which"], values, strict=True):
            try:
                figure = getattr(figures, entry["name"])(**value)
                texts = [figure.caption, figure.description]
            except ValueError as error:
                assert type(error) is ValueError, "refused by a library, not in words of ours"
                texts = [f"This can't be drawn: {error}"] * 2
            assert given["texts"][frame] == texts, value


def test_all_frames_together_are_not_too_heavy():
    frames = list(SITE.glob("frames/*/*/*.webp"))
    assert len(frames) > 1000
    assert sum(frame.stat().st_size for frame in frames) <= 50e6


def test_controls_move_picture_and_caption(opened):
    explorers = opened.locator(".explorer").all()
    cells = {cell for lecture, cell in replay.table() if lecture == number(opened.name)}
    assert len(explorers) == (len(cells) if opened.name in LECTURES else 0)
    for explorer in explorers:
        given, image = data(explorer), explorer.locator("img")
        first = image.get_attribute("src"), told(explorer)
        for control in explorer.locator("input, select").all():
            key = "Space" if control.get_attribute("type") == "checkbox" else "ArrowRight"
            if control.evaluate("input => input.type == 'range' && input.value == input.max"):
                key = "ArrowLeft"
            control.focus()
            opened.keyboard.press(key)
            at = explorer.evaluate(
                """explorer => [...explorer.querySelectorAll("input, select")].map(control =>
                    control.type == "checkbox" ? Number(control.checked)
                    : control.type == "range" ? Number(control.value) : control.selectedIndex)"""
            )
            place = 0
            for position, labels in zip(at, given["labels"], strict=True):
                place = place * len(labels) + position
            frame = given["which"][place]
            src = f"{given['frames']}{frame}.webp"
            opened.wait_for_function(
                "([image, src]) => image.src.endsWith(src)", arg=[image.element_handle(), src]
            )
            assert told(explorer)[0] == given["texts"][frame][0]
            assert image.get_attribute("alt") == given["texts"][frame][1]
            if control.get_attribute("type") == "range":
                shown = control.get_attribute("aria-valuetext")
                assert shown in sum(given["labels"], [])
        explorer.get_by_role("button", name="Start again").press("Enter")
        opened.wait_for_function(
            "([caption, text]) => caption.textContent == text",
            arg=[explorer.locator("figcaption p").first.element_handle(), first[1][0]],
        )
        assert told(explorer) == first[1]


def test_games_say_what_the_python_says(opened, monkeypatch):
    monkeypatch.setattr(shifting, "best_lead", lambda alpha: 0)  # the search is slow
    for widget in opened.locator(".game").all():
        game = data(widget)
        values = {one["name"]: one["values"][one["start"]] for one in game["controls"]}
        letters, moves = game["buttons"], game["moves"]
        rng = random.Random(game["name"])

        def agrees(moves, game=game, widget=widget, values=values):
            figure = getattr(figures, game["name"])(moves=moves, **values)
            assert told(widget) == [figure.caption, figure.description], (game["name"], moves)
            label = widget.locator("svg[role=img]").get_attribute("aria-label")
            assert label == figure.description

        agrees(moves)
        for turn in range(MOVES):
            label = rng.choice([*letters])
            button = widget.get_by_role("button", name=label, exact=True)
            button.click() if turn % 2 else button.press("Enter")
            moves += letters[label]
        agrees(moves)
        for slider, control in zip(
            widget.locator("input[type=range]").all(), game["controls"], strict=True
        ):
            step = -1 if control["start"] else 1
            slider.press("ArrowLeft" if step < 0 else "ArrowRight")
            values[control["name"]] = control["values"][control["start"] + step]
            agrees(moves)
        widget.get_by_role("button", name="undo").press("Space")
        agrees(moves[:-1])
        widget.get_by_role("button", name="start again").click()
        agrees("")
    written = (SITE / opened.name).read_text(encoding="utf-8").count('class="game"')
    assert opened.locator(".game .moves").count() == written


def test_the_six_games_are_on_the_pages():
    pages = [(SITE / name).read_text(encoding="utf-8") for name in LECTURES]
    assert sum(page.count('class="game"') for page in pages) == 6
