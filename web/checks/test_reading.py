"""Reading the site: from files, without JavaScript, in the dark, on a phone with a keyboard."""

import re

import nbformat
import pytest
from conftest import LECTURES, PAGES, watched
from where import NOTEBOOKS, SITE

DARK = "getComputedStyle(document.body).backgroundColor"
STATIC = """() => [...document.querySelectorAll("figure.picture")].map(figure => {
  const [image, caption] = [":is(img, svg)", "figcaption p"]
    .map(part => figure.querySelector(part));
  const seen = part => part.checkVisibility({checkOpacity: true});
  return {
    id: figure.id, closed: !!figure.closest("details:not([open])"), picture: seen(image),
    caption: seen(caption) ? caption.textContent.trim() : "",
  };
})"""


@pytest.fixture
def phone(fresh):
    return fresh("02_weighted_majority.html", viewport={"width": 390, "height": 844})


@pytest.mark.parametrize("name", PAGES)
def test_pages_work_opened_as_files(name, browser):
    context = browser.new_context()
    page = watched(context)
    page.goto((SITE / name).as_uri())
    assert (page.outside, page.complaints) == ([], [])
    assert page.locator("#theme").is_visible(), "site.js ran"
    context.close()


@pytest.mark.parametrize("name", LECTURES)
def test_nothing_is_lost_without_javascript(name, fresh):
    page = fresh(name, java_script_enabled=False)
    notebook = name.removesuffix(".html")
    cells = nbformat.read(NOTEBOOKS / f"{notebook}.ipynb", 4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    drawn = [output for output in outputs if "image/png" in output.get("data", {})]
    figures = page.evaluate(STATIC)
    assert len(figures) == len(drawn)
    for figure in figures:
        assert figure["closed"] or figure["picture"], figure
        assert figure["closed"] or len(figure["caption"]) > 20, figure

    shown = "".join(output.get("data", {}).get("text/html", "") for output in outputs)
    assert page.locator(".question").count() == shown.count("<summary>Answer</summary>") > 0
    answer = page.locator(".question details").first
    answer.scroll_into_view_if_needed()
    told = answer.evaluate("details => details.textContent")
    folded = answer.inner_text()
    answer.locator("summary").press("Enter")
    assert len(folded) + 20 < len(answer.inner_text()) and len(told) > len(folded) + 20
    assert (
        page.locator("#theme, #search-open, .copy, .explorer form")
        .and_(page.locator(":visible"))
        .count()
        == 0
    )
    assert page.complaints == []


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_theme_is_that_of_the_system_until_it_is_switched(system, fresh):
    page = fresh("02_weighted_majority.html", color_scheme=system)
    first = page.evaluate(DARK)
    assert (first == "rgb(251, 250, 246)") == (system == "light")
    page.locator("#theme").press("Enter")
    switched = page.evaluate(DARK)
    assert switched != first
    page.reload()
    assert page.evaluate(DARK) == switched
    page.locator("main [rel=next]").first.click()
    page.wait_for_url("**/03_*.html")
    assert page.evaluate(DARK) == switched, "remembered on the next page"
    page.locator("#theme").press("Enter")
    assert page.evaluate(DARK) == first


def test_only_pictures_whose_brightness_means_something_stay_light_in_the_dark(fresh):
    page = fresh("02_weighted_majority.html", color_scheme="dark")
    filters = "element => getComputedStyle(element).filter"
    for image in page.locator("figure.picture img").all():
        heat = image.evaluate("image => image.closest('figure').classList.contains('heat')")
        assert (image.evaluate(filters) == "none") == heat
    assert page.locator("#figure-wm_weights.heat").count() == 1


def test_the_menu_on_a_phone_works_by_keyboard(phone):
    menu, course = phone.locator(".top .menu"), phone.locator("#course")
    assert menu.is_visible() and not course.is_visible()
    menu.press("Enter")
    assert course.is_visible()
    phone.keyboard.press("Tab")
    assert phone.evaluate("document.activeElement.closest('#course') != null")
    phone.keyboard.press("Escape")
    assert not course.is_visible()
    assert phone.evaluate("document.activeElement.matches('.menu')"), "the focus comes back"
    menu.press("Space")
    course.get_by_role("link", name=re.compile("^3 · ")).press("Enter")
    phone.wait_for_url("**/03_weighted_average.html")


def test_the_first_tab_skips_to_the_text(fresh):
    page = fresh("02_weighted_majority.html")
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    assert skip.inner_text() == "Skip to the text"
    box = skip.bounding_box()
    assert box["x"] >= 0 and box["y"] >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') != null")


def test_code_is_copied(fresh):
    page = fresh("02_weighted_majority.html", permissions=["clipboard-read", "clipboard-write"])
    source = page.locator(".cell > .source").first
    source.get_by_role("button", name="Copy").press("Enter")
    source.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    first = next(
        cell.source
        for cell in nbformat.read(NOTEBOOKS / "02_weighted_majority.ipynb", 4).cells
        if cell.cell_type == "code" and "source_hidden" not in cell.metadata.get("jupyter", {})
    )
    assert copied.strip() == first


@pytest.mark.parametrize("name", LECTURES)
def test_links_lead_to_their_headings(name, fresh):
    """Also over cells that were not laid out before."""
    page = fresh(name)
    links = page.locator(".contents a").all()
    for part in (0.6, 0.2, 0.4):  # far down, back, and between
        link = links[int(part * len(links))]
        link.evaluate("link => link.click()")
        page.wait_for_timeout(300)
        heading = "link => document.getElementById(decodeURIComponent(link.hash.slice(1)))"
        top = link.evaluate(f"link => ({heading})(link).getBoundingClientRect().top")
        assert 40 < top < 100, link.inner_text()


@pytest.mark.parametrize("name", LECTURES)
def test_formulas_scroll_in_their_own_frame_on_a_phone(name, fresh):
    page = fresh(name, viewport={"width": 390, "height": 844})
    cut = """() => [...document.querySelectorAll(".katex")].filter(formula => {
      const box = formula.getBoundingClientRect();
      if (!box.width || box.right <= innerWidth) return false;
      for (let e = formula; e; e = e.parentElement)
        if (/auto|scroll/.test(getComputedStyle(e).overflowX)) return false;
      return true;
    }).map(formula => formula.querySelector("annotation").textContent)"""
    assert page.evaluate(cut) == []
