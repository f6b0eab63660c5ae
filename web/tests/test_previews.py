"""Terms and theorems that say what they mean, exercises in steps, and all bounds on one page."""

import json
import re

import bounds
import indexes
import lectures
import pages
import previews
import pytest
from bs4 import BeautifulSoup
from conftest import needs_katex


def soup_of(html):
    return BeautifulSoup(html, "html.parser")


def number(two):
    return next(each for each in lectures.lectures() if each.number == two)


def test_each_term_is_defined_once():
    rows = previews.glossary()
    names = [name for row in rows for name in [row["term"], *filter(None, row["also"].split("|"))]]
    assert len(rows) >= 40 and len(set(map(str.lower, names))) == len(names)
    known = {lecture.number for lecture in lectures.lectures()}
    for row in rows:
        assert row["lecture"] in known and row["definition"].endswith("."), row
        assert row["definition"].count("$") % 2 == 0, row


def test_each_term_is_used_by_its_lecture():
    for row in previews.glossary():
        text = " ".join(cell.source for cell in number(row["lecture"]).cells)
        assert re.search(row["names"], text, re.IGNORECASE), row["term"]


def test_the_first_use_of_a_term_is_a_link(monkeypatch):
    others = [row for row in previews.glossary() if row["lecture"] != "11"]
    monkeypatch.setattr(previews, "linked", lambda lecture: others)
    soup = soup_of(
        '<div class="cell text"><h2>Regret</h2><p>The regret of <code>Hedge</code> and '
        '<a href="#">Hedge</a>.</p><p>Its regret, by Randomised Weighted Majority or Hedge.</p>'
        '</div><div class="cell code"><p>Winnow</p></div>'
    )
    previews.mark(soup, number("11"))
    found = [(link["href"].partition("#")[2], link.string) for link in soup.select("a.term")]
    assert found == [
        ("regret", "regret"),
        ("Randomised-Weighted-Majority", "Randomised Weighted Majority"),
        ("Hedge", "Hedge"),
    ]
    assert soup.get_text().startswith("RegretThe regret of Hedge and Hedge.Its regret, by")
    again = soup_of('<div class="cell text"><p>no regret, the regrets of Winnow</p></div>')
    previews.mark(again, number("11"))
    assert [link.string for link in again.select("a.term")] == ["no regret"], "its own is no link"


@needs_katex
def test_a_page_has_what_its_links_mean(tmp_path):
    """The statements that its links lead to, typeset; and these are among what it is made of."""
    losses = number("08")
    page = soup_of(pages.page(losses, tmp_path))
    told = json.loads(page.find(id="told").string)
    assert set(told) <= {link["href"] for link in page.select("main a[href]")}
    assert set(told) <= {row["href"] for row in previews.linked(losses)}
    assert not [text for text in told.values() if "$" in text]
    novikoff = told["07_perceptron_proofs.html#theorem-block-1962-novikoff-1962"]
    assert "Novikoff 1962" in novikoff and 'class="katex"' in novikoff


@pytest.mark.parametrize(
    "answer, first",
    [
        ("Yes. Lines 1 to 4 do not change. Line 5 does.", "Yes. Lines 1 to 4 do not change."),
        ("Take <i>all n</i> of these points. Line 5 does.", "Take all n of these points."),
        ("One sentence only, however long it may be", None),
    ],
)
def test_the_first_step_of_an_answer(answer, first):
    begun, rest = pages.halves(soup_of(f"<li>{answer}</li>").li)
    assert "".join(each.get_text() for each in begun) == (first or answer)
    assert "".join(each.get_text() for each in rest) == ("Line 5 does." if first else "")


def test_exercises_are_followed_by_their_answers():
    soup = soup_of(
        '<ol><li id="exercise-1">Do it.</li><li id="exercise-2">Do that.</li></ol>'
        "<details><summary>Answers</summary><ol><li>It is done by induction on n. Then add.</li>"
        "<li>See above.</li></ol></details>"
    )
    pages.stepwise(soup)
    one, two = soup.select("li")
    assert [fold.summary.string for fold in one.select("details")] == ["First step", "The rest"]
    assert one.details.get_text().startswith("First stepIt is done by induction on n.")
    assert [fold.get_text() for fold in two.select("details")] == ["AnswerSee above."]
    assert not [fold for fold in soup.select("details") if fold.summary.string == "Answers"]


def test_no_link_leads_to_homework():
    soup = soup_of('<a href="homework/hw1/hw1.ipynb">hw1</a> <a href="items.csv">items</a>')
    pages.links(soup)
    assert [link.string for link in soup.find_all("a")] == ["items"] and "hw1" in soup.get_text()


def test_all_bounds_have_their_hypotheses_and_their_picture():
    course = lectures.lectures()
    entries = indexes.theorem_index(course)
    named = {name: {"name": name} for name in indexes.load()}
    found = bounds.bounds(entries, indexes.gallery(course, named))
    names = {each["proof"].name for each in found if each["proof"]}
    assert {"halving_bound", "wm_bound", "novikoff", "winnow_bound", "optimal_bound"} <= names
    assert "mirror_identity" not in names and "kernel_identity" not in names
    for each in found:
        assert each["shown"].lecture == each["theorem"].lecture
        assert each["theorem"].statement or each["doc"].strip() or each["proof"].formula
        assert each["used"] is None or 0 <= each["used"]["part"] <= 100
    shown = [each["shown"].name for each in found]
    assert len(set(shown)) > 0.9 * len(shown), "each has a picture of its own, nearly"
