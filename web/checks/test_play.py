"""Explorers and games in a browser: what they show is what the Python says."""

import json
import random
from base64 import b64decode
from gzip import decompress

import explorers as explorers_on_page
import pytest
import replay
from conftest import LECTURES
from lectures import lectures
from where import SITE

from olc_helpers import figures
from olc_helpers.shifting import figures as shifting

MOVES = 9  # of a game
OPEN = """part => {
  for (let fold = part.closest("details"); fold; fold = fold.parentElement.closest("details"))
    fold.open = true;
}"""
POSITIONS = """explorer => [...explorer.querySelectorAll("form :is(fieldset, input, select)")]
  .filter(control => control.type != "radio" && !control.matches(".speed"))
  .map(control => control.type == "fieldset" ? Number(control.querySelector(":checked").value)
    : control.type == "checkbox" ? Number(control.checked)
    : control.type == "range" ? Number(control.value) : control.selectedIndex)"""


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
    return widget.locator("figcaption p:not(:has(a))").all_text_contents()


def film(file):
    """What a file of frames says, as the script reads it."""
    return json.loads(decompress(b64decode(file.read_text("utf-8").split('"')[1])))


def data(widget):
    """What the page tells the script of a widget."""
    return json.loads(widget.locator("script").text_content())


@pytest.mark.parametrize("name", LECTURES)
def test_frames_are_there_and_say_what_the_python_says(name, tmp_path):
    page = (SITE / name).read_text(encoding="utf-8")
    shown = explorers(number(name), tmp_path)
    assert page.count('class="explorer"') == len(shown) > 0
    for cell, entry in shown:
        given = film(SITE / f"frames/{number(name)}/{cell}.js")
        controls, _, values = replay.on_page(entry, replay.table()[number(name), cell])
        start = page.index(f'id="cell-{cell}"')
        text = page[page.index('<script type="application/json">', start) :].partition("</script>")
        labels = json.loads(text[0].partition(">")[2])["labels"]
        assert labels == [control["labels"] for control in controls]
        assert len(given["which"]) == len(values) and len(values) > 1
        assert set(given["which"]) == set(range(len(given["texts"])))
        assert len(given["frames"]) == len(given["texts"])
        for frame, value in zip(given["which"], values, strict=True):
            try:
                figure = getattr(figures, entry["name"])(**value)
                texts = [figure.caption, figure.description]
            except ValueError as error:
                assert type(error) is ValueError, "refused by a library, not in words of ours"
                texts = [f"This can't be drawn: {error}"] * 2
            assert given["texts"][frame] == texts, value


def test_all_frames_together_are_not_too_heavy():
    files = list(SITE.glob("frames/*/*.js"))
    assert len(files) == len(replay.table())
    assert sum(file.stat().st_size for file in files) <= 60e6


def test_controls_move_picture_and_caption(opened):
    explorers = opened.locator(".explorer").all()
    cells = {cell for lecture, cell in replay.table() if lecture == number(opened.name)}
    assert len(explorers) == (len(cells) if opened.name in LECTURES else 0)
    for explorer in explorers:
        given, svg = data(explorer), explorer.locator("figure svg")
        explorer.evaluate(OPEN)
        drawn, first = film(SITE / given["frames"]), (svg.inner_html(), told(explorer))
        for control in explorer.locator("fieldset, input:not([type=radio]), select").all():
            if control.get_attribute("class") == "speed":
                continue
            radio = control.locator("input:not(:checked)").first
            if control.evaluate("control => control.matches('fieldset')"):
                radio.evaluate("radio => radio.focus()")
                opened.keyboard.press("Space")
            else:
                key = "Space" if control.get_attribute("type") == "checkbox" else "ArrowRight"
                if control.evaluate("input => input.type == 'range' && input.value == input.max"):
                    key = "ArrowLeft"
                control.focus()
                opened.keyboard.press(key)
            place = 0
            for position, labels in zip(explorer.evaluate(POSITIONS), given["labels"], strict=True):
                place = place * len(labels) + position
            short, long = drawn["texts"][drawn["which"][place]]
            opened.wait_for_function(
                "([svg, text]) => svg.getAttribute('aria-label') == text",
                arg=[svg.element_handle(), long],
            )
            assert told(explorer)[0] == short
            if control.get_attribute("type") == "range":
                shown = control.get_attribute("aria-valuetext")
                assert shown in sum(given["labels"], [])
        explorer.get_by_role("button", name="Start again").press("Enter")
        opened.wait_for_function(
            "([caption, text]) => caption.textContent == text",
            arg=[explorer.locator("figcaption p").first.element_handle(), first[1][0]],
        )
        assert told(explorer) == first[1]


FILMS = {  # the six central proofs, and where they play
    "01_experts_and_halving.html": "halving_list",
    "02_weighted_majority.html": "wm_sinking",
    "06_perceptron.html": "perceptron_trace",
    "07_perceptron_proofs.html": "odd_max_bit_walk",
    "11_winnow.html": "winnow_account",
    "15_shifting_experts.html": "paths_meet",
}


@pytest.mark.parametrize("name", FILMS)
def test_a_proof_plays(name, fresh):
    page = fresh(name)
    box = page.locator(f".explorer:has(#explore-{FILMS[name]})")
    time, play = box.locator("input[type=range]").first, box.locator(".play")
    box.evaluate(OPEN)
    box.scroll_into_view_if_needed()
    if time.evaluate("time => time.value === time.max"):
        time.press("Home")
    start = int(time.input_value())
    time.press("Space")
    assert play.text_content() == "■ Stop"
    page.wait_for_function(
        "([time, start]) => Number(time.value) >= start + 2", arg=[time.element_handle(), start]
    )
    time.press("Space")
    assert play.text_content() == "▶ Play"
    rest = int(time.input_value())
    page.wait_for_timeout(800)
    assert int(time.input_value()) == rest, "stopped"
    box.get_by_role("button", name="One step back").press("Enter")
    assert int(time.input_value()) == rest - 1
    assert page.complaints == []


def test_nothing_plays_for_who_asked_for_less_motion(fresh):
    page = fresh("02_weighted_majority.html", reduced_motion="reduce")
    box = page.locator(".explorer:has(#explore-wm_sinking)")
    box.scroll_into_view_if_needed()
    assert not box.locator(".play").is_visible()
    box.get_by_role("button", name="One step on").press("Enter")
    time = box.locator("input[type=range]")
    assert time.input_value() == "3"  # from 2, the third value
    time.press("Space")
    page.wait_for_timeout(800)
    assert time.input_value() == "3"


LABELS = """() => [...document.querySelectorAll(".picture .end text")].map((text) => {
  const svg = text.closest("svg"), matrix = text.getScreenCTM();
  const at = text.getBoundingClientRect(), paper = svg.closest(".frame").getBoundingClientRect();
  const pixels = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(matrix.a, matrix.b);
  return [text.textContent, svg.style.length > 1, at.right <= paper.right + 1, pixels];
})"""


@pytest.mark.parametrize("name", ["02_weighted_majority.html", "03_weighted_average.html"])
def test_labels_of_lines_are_inside_the_picture_on_a_phone(name, fresh):
    page = fresh(name, viewport={"width": 390, "height": 850})
    labels = [rest for text, alone, *rest in page.evaluate(LABELS) if alone]
    assert labels and all(inside and pixels >= 11 for inside, pixels in labels), labels


@pytest.mark.parametrize("row", explorers_on_page.shown(), ids=lambda row: row["picture"])
def test_a_row_of_a_ledger_leads_to_its_trial_and_back(row, fresh):
    (name,) = (name for name in LECTURES if number(name) == row["lecture"])
    page = fresh(name)
    ledger = page.locator(f"#cell-{row['cell']} .ledger")
    ledger.scroll_into_view_if_needed()
    button = ledger.locator(".trial").first
    trial = button.text_content().removeprefix("t = ").split()[0]
    button.press("Enter")
    figure = page.locator(f"#{row['picture']}")
    figure.locator(".here").first.wait_for(state="attached")
    if "explore" in row["picture"]:
        time = page.locator(f".explorer:has(#{row['picture']}) input[type=range]").first
        assert time.get_attribute("aria-valuetext") == trial
    page.locator(".back").press("Enter")
    assert page.evaluate("document.activeElement.textContent") == button.text_content()
    assert page.locator(".back").count() == 0


def test_a_line_of_the_proof_lights_its_row(fresh):
    page = fresh("02_weighted_majority.html")
    line = page.locator("li", has_text="A sum is at least each of its terms")
    line.hover()
    lit = page.locator(".ledger tr.lit td:first-child").all_text_contents()
    assert lit == ["(5)"]


def test_games_say_what_the_python_says(opened, monkeypatch):
    monkeypatch.setattr(shifting, "best_lead", lambda alpha: 0)  # the search is slow
    for widget in opened.locator(".game").all():
        widget.evaluate(OPEN)
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
