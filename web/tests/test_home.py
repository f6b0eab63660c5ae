"""The front page and the page of questions."""

import json
import re

import home
import lectures
import numpy as np
import pages
import pytest
from bs4 import BeautifulSoup
from conftest import needs_katex

from olc_helpers import figures
from olc_helpers.experts.figures.weighted_majority import good_expert_run
from olc_helpers.overview.graph import SUBJECTS
from olc_helpers.proofs import wm_bound


def heights(path):
    """The heights between which a line of the picture steps."""
    return [float(y) for y in re.findall(r"(?:^M0 |V)([-\d.]+)", path)]


@pytest.mark.parametrize("beta", [0.05, 0.5, 0.95])
def test_the_picture_is_the_proof(beta):
    """The lines are those of the ledger, and the weight stays between them."""
    made = home.film(beta)
    run = good_expert_run(home.EXPERTS, beta, home.TRIALS, 0.1, 0)
    book = wm_bound(run)
    over, weight, under = (heights(made[name]) for name in ("ceiling", "weight", "floor"))
    assert len(over) == len(weight) == len(under) == home.TRIALS + 1
    assert all(a <= b + 0.1 and b <= c + 0.1 for a, b, c in zip(over, weight, under, strict=True))
    top, low = book.lines[3].rhs[0], book.lines[4].rhs.min()
    right = (top - book.lines[3].rhs) / (top - low) * home.HIGH
    assert np.allclose(over, right, atol=0.06)
    assert len(made["crosses"]) == made["mistakes"] == run.mistakes
    assert made["best"] == run.best_loss


def test_a_stamp_has_no_words():
    fig = home.bare(figures.wm_run())
    assert not any(ax.texts or ax.get_legend() or ax.get_title() for ax in fig.axes)
    assert all(ax.lines for ax in fig.axes) and not any(ax.axison for ax in fig.axes)


@needs_katex
def test_the_front_page_has_a_card_for_each_lecture(tmp_path, monkeypatch):
    monkeypatch.setattr(home.cache, "kept", lambda *_: tmp_path)
    monkeypatch.setattr(home.cache, "place_all", lambda *_: None)
    home.write(tmp_path)
    page = BeautifulSoup((tmp_path / "index.html").read_text(encoding="utf-8"), "html.parser")
    links = [card.a["href"] for card in page.select(".cards > li")]
    assert sorted(links) == [each.href for each in lectures.lectures()[1:]]
    assert page.select_one(".cards img")["src"] == "cards/01.svg"
    films = json.loads(page.select_one(".hero script").string)
    assert len(films) >= 19 and films["0.5"]["weight"] == page.select_one("[data-line=weight]")["d"]
    assert list(home.PARTS) == list(SUBJECTS)
    assert [part["class"][1] for part in page.select(".part")] == [f"part-{k}" for k in range(1, 5)]


def test_each_card_asks_in_twelve_words_and_says_no_number_of_its_own():
    rows = home.chosen()
    assert [*sorted(rows)] == [each.number for each in lectures.lectures()[1:]]
    for page in lectures.lectures()[1:]:
        hook = rows[page.number]["hook"]
        assert hook.endswith("?") and len(hook.split()) <= 12, hook
        text = "".join(cell.source for cell in page.cells)
        assert all(number in text for number in re.findall(r"\d+", hook)), hook


@needs_katex
def test_what_answers_a_question_is_folded_behind_it(tmp_path):
    """In the lecture, and in the deck of slides it is not."""
    lecture = next(each for each in lectures.lectures() if each.number == "02")
    soup, _ = pages.cells(lecture, tmp_path)
    folds = soup.select(".reveal")
    assert folds and not soup.select(".reveal[open]")
    for fold in folds:
        assert fold.find_previous(class_="question") and fold.select(".shown, .printed, .picture")
        assert not fold.select(".source"), "the program is no answer"
    assert len(soup.select(".plumbing > .source")) > len(folds)
    assert not pages.cells(lecture, tmp_path, deck=True)[0].select(".reveal, .plumbing")


@needs_katex
def test_a_guess_says_what_the_page_must_know(tmp_path):
    lecture = next(each for each in lectures.lectures() if each.number == "02")
    numbers = pages.cells(lecture, tmp_path)[0].select(".answer.number")
    assert numbers
    for number in numbers:
        low, high, step, start, answer = map(float, number["data-guess"].split())
        assert low <= start <= high and low <= answer <= high and 0 < step <= high - low
        assert f"{answer:g}" in number.get_text()


@needs_katex
def test_the_page_of_questions_leads_back(tmp_path, monkeypatch):
    course = [each for each in lectures.lectures() if each.number in ("00", "02")]
    monkeypatch.setattr(home, "lectures", lambda: course)
    (tmp_path / course[1].href).write_text(pages.page(course[1], tmp_path), encoding="utf-8")
    home.test_yourself(tmp_path)
    page = BeautifulSoup((tmp_path / "test.html").read_text(encoding="utf-8"), "html.parser")
    asked = page.select(".asked")
    written = [c for c in course[1].code if c.source.startswith(("ask(", "guess("))]
    assert len(asked) == len(written) > 1
    for one, cell in zip(asked, written, strict=True):
        assert one.select_one(".question")["data-of"] == f"cell-{cell.id}"
        assert one.select("a")[-1]["href"] == course[1].at(cell)
