"""The search and the indexes in a browser: with keys alone, from files, without scripts."""

import json
import re

import pytest
from conftest import barriers, watched
from where import SITE

WANTED = {  # what is looked for, and a place that must be among the first three
    "Novikoff": "07_perceptron_proofs.html#theorem-block-1962-novikoff-1962",
    "β": "notation.html#symbol-",
    "beta": "notation.html#symbol-",
    "R/γ": "#theorem-block-1962-novikoff-1962",
    "fixed share": "15_shifting_experts.html#theorem-fixed-share",
    "halving": "01_experts_and_halving.html",
    "margin": "",
    "ANOVA": "14_dnf_anova_kernel.html#theorem-anova-kernel",
    "Littlestone": "17_limits.html#theorem-littlestone",
    "regret": "03_weighted_average.html#theorem-regret",
    "conservative": "",
    "weighted maj": "02_weighted_majority.html",
    "VC dimension": "17_limits.html",
    "leave one out": "16_online_to_batch.html",
    "set cover": "13_sparsity_is_hard.html",
    "WeightedMajority": "api.html",
    "winnow vs perceptron": "11_winnow.html#Winnow-or-the-Perceptron",
    "regrett": "#theorem-regret",
    "novikof": "#theorem-block-1962-novikoff-1962",
    "mixability": "glossary.html#mixability-gap",
    "how many mistakes": "01_experts_and_halving.html#A-million-forecasters,-nineteen-mistakes",
    "how many examples do I need?": "18_enough_examples.html",
    "how do I choose the rate?": "05_hedge_at_work.html",
}


@pytest.fixture
def searching(fresh):
    """A lecture with the search open."""
    page = fresh("02_weighted_majority.html")
    page.keyboard.press("/")
    page.wait_for_selector("#search[open]")
    return page


def test_the_index_comes_only_when_it_is_asked_for(fresh):
    page = fresh("02_weighted_majority.html")
    asked = (
        "performance.getEntriesByType('resource').filter(r => r.name.includes('index.js')).length"
    )
    assert page.evaluate(asked) == 0
    page.locator("#search-open").click()
    page.wait_for_selector("#search[open]")
    assert page.evaluate(asked) == 1


@pytest.mark.parametrize("query", WANTED)
def test_the_search_finds_and_leads_there(query, searching):
    searching.keyboard.type(query)
    found = searching.evaluate(f"Search.find({json.dumps(query)}).slice(0, 3).map(e => e.href)")
    assert found and any(WANTED[query] in href for href in found), found
    options = searching.locator("#search [role=option]")
    assert options.first.locator("mark").count() > 0
    assert searching.locator("#search [role=status]").inner_text().endswith("found")
    place = next(k for k, href in enumerate(found) if WANTED[query] in href)
    for step in range(place):
        searching.keyboard.press("ArrowDown")
        assert options.nth(step + 1).get_attribute("aria-selected") == "true"
    searching.keyboard.press("Enter")
    searching.wait_for_url(re.compile(re.escape(found[place].partition("#")[0])))
    assert searching.complaints == []


def test_arrows_move_enter_goes_and_escape_closes(searching):
    page, chosen = searching, "#search [aria-selected=true]"
    page.keyboard.type("fixed share")
    first = page.locator(chosen).inner_text()
    page.keyboard.press("ArrowDown")
    second = page.locator(chosen).inner_text()
    box = page.locator("#search input")
    assert second != first and box.get_attribute("aria-activedescendant") == "found-1"
    page.keyboard.press("ArrowUp")
    assert page.locator(chosen).inner_text() == first
    page.keyboard.press("ArrowUp")
    assert page.locator(chosen).get_attribute("id") == "found-29", "round to the last one"
    box.fill("xyzzyx")
    page.get_by_text("Nothing found. The nearest three:").wait_for()
    assert page.locator("#search [role=option]").count() == 3
    page.keyboard.press("Escape")
    assert not page.locator("#search").is_visible()
    page.locator("#search-open").press("Enter")
    page.keyboard.type("halving theorem")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"01_experts_and_halving\.html#theorem-halving$"))
    assert (page.complaints, page.outside) == ([], [])


def test_a_slash_that_is_typed_stays_a_slash(searching):
    searching.keyboard.type("R/γ")
    assert searching.locator("#search input").input_value() == "R/γ"


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_search_has_no_barriers(system, fresh):
    page = fresh("theorems.html", color_scheme=system, viewport={"width": 390, "height": 844})
    page.keyboard.press("/")
    page.wait_for_selector("#search[open]")
    page.keyboard.type("margin")
    assert barriers(page, "#search") == []
    box = page.locator("#search").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390


def test_the_search_works_from_files(browser):
    context = browser.new_context()
    page = watched(context)
    page.goto((SITE / "api.html").as_uri())
    page.keyboard.press("/")
    page.wait_for_selector("#search[open]")
    page.keyboard.type("greedy cover")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"13_sparsity_is_hard\.html#"))
    assert page.complaints == []
    context.close()


def test_an_address_that_names_a_proof_unfolds_it(fresh):
    page = fresh("theorems.html#wm_bound")
    assert page.locator("#wm_bound table").is_visible()
    assert not page.locator("#halving_bound table").is_visible()
    assert page.locator("#wm_bound img").evaluate("image => image.decode().then(() => true)")


def test_the_gallery_shows_one_lecture_or_all_without_scripts(fresh):
    page = fresh("figures.html", java_script_enabled=False)
    figures = page.locator(".card").and_(page.locator(":visible"))
    everything = figures.count()
    assert everything == page.locator(".card").count()
    page.locator("#only-03").check()
    assert figures.count() == page.locator("#lecture-03 .card").count() < everything
    page.locator("#only-all").check()
    assert figures.count() == everything


def test_every_figure_can_be_downloaded(fresh):
    page = fresh("figures.html")
    names = page.eval_on_selector_all(".card a[download]", "all => all.map(a => a.pathname)")
    assert len(names) == 3 * page.locator(".card").count()
    empty = [name for name in names if (SITE / name.lstrip("/")).stat().st_size < 1000]
    assert empty == []
