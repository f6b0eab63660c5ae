"""Every slide of every deck, as a hall sees it: nothing runs out, nothing is too small to read,
nothing is missing.
"""

import re

import pytest
from conftest import barriers
from where import SITE

DECKS = sorted(path.name for path in (SITE / "slides").glob("*.html"))
SCREEN = {"width": 1280, "height": 720}
READABLE = 0.6  # of the usual size: 17 of 720 lines
# What is wrong with the slide that is shown, all its lines and answers open.
LOOK = """smallest => {
    const slide = deck.getCurrentSlide(), body = slide.querySelector(".body"), wrong = [];
    slide.querySelectorAll(".fragment").forEach(line => line.classList.add("visible"));
    const inside = box => box.left >= -1 && box.top >= -1 && box.right <= 1281 && box.bottom <= 721;
    if (body.scrollHeight > body.clientHeight + 1) wrong.push("too high");
    if (body.scrollWidth > body.clientWidth + 1) wrong.push("too wide");
    if (parseFloat(body.style.fontSize) < smallest) wrong.push("type of " + body.style.fontSize);
    const parts = "h1, h2, p, li, td, pre, figure :is(img, svg), .katex-html";
    for (const part of slide.querySelectorAll(parts))
        if (part.checkVisibility() && !inside(part.getBoundingClientRect()))
            wrong.push("runs out: " + part.textContent.slice(0, 40));
    for (const list of slide.querySelectorAll("ul, ol")) {
        const {paddingLeft, fontSize} = getComputedStyle(list);
        if (parseFloat(paddingLeft) < 1.9 * parseFloat(fontSize)) wrong.push("no room for numbers");
    }
    if (!body.textContent.trim() && !body.querySelector("figure svg")) wrong.push("empty");
    for (const image of slide.querySelectorAll(".card img, .ahead :is(img, svg)"))
        if (image.naturalWidth === 0 || image.getBoundingClientRect().height < 150)
            wrong.push("section without its picture");
    for (const part of slide.querySelectorAll("svg [id]"))
        if (document.getElementById(part.id) !== part)
            wrong.push("a drawing with parts of another slide: " + part.id);
    for (const image of slide.querySelectorAll("figure :is(img, svg)")) {
        const said = image.alt ?? image.getAttribute("aria-label");
        if (said.length < 20) wrong.push("picture without words: " + said);
        if (image.naturalWidth === 0) wrong.push("picture that is not there: " + said);
        if (image.getBoundingClientRect().height < 250) wrong.push("small picture: " + said);
    }
    return wrong;
}"""


@pytest.fixture(params=DECKS)
def deck(request, fresh):
    page = fresh(f"slides/{request.param}", viewport=SCREEN)
    page.wait_for_function("() => typeof deck !== 'undefined' && deck.isReady()")
    page.name = request.param
    return page


def test_every_slide(deck):
    slides = deck.evaluate("() => deck.getTotalSlides()")
    assert slides > 8
    wrong = {}
    for number in range(slides):
        deck.evaluate("number => deck.slide(number)", number)
        deck.evaluate("""async () => {
            const slide = deck.getCurrentSlide(), images = [...slide.querySelectorAll("img")];
            await Promise.all(images.map(image => image.decode().catch(() => 0)));
            for (const folded of slide.querySelectorAll("details")) folded.open = true;
            await new Promise(then => setTimeout(then, 30));  // until "toggle" has come
        }""")
        if found := deck.evaluate(LOOK, READABLE):
            wrong[number + 1] = found
    assert not wrong
    assert not deck.complaints and not deck.outside


def test_what_a_deck_has(deck):
    kinds = set(re.findall(r'class="slide of-(\w+)', deck.content()))
    back = deck.locator("a.back").get_attribute("href")
    assert back.startswith("../")
    page = (SITE / back[3:]).read_text(encoding="utf-8")
    boxes = {kind for kind in ("statement", "question") if f'class="{kind}' in page}
    assert {"title", "section", "picture"} | boxes <= kinds
    words = deck.evaluate("""() => {
        const slides = document.querySelector(".slides").cloneNode(true);
        slides.querySelectorAll("annotation, pre, code").forEach(part => part.remove());
        return slides.textContent;
    }""")
    assert not re.findall(r"\$|\\[a-zA-Z]+", words)


def test_a_question_pauses_and_nothing_begins_empty(deck):
    """The next key opens the answer; the first line of a proof is there at once; sections carry
    pictures.
    """
    hidden = """() => [...document.querySelectorAll("section.of-proof")].filter(slide =>
        [...slide.querySelectorAll(".body > *, .body li")].every(part =>
            part.matches(".fragment") || part.matches("ol:not(:has(> :not(.fragment)))"))).length"""
    assert deck.evaluate(hidden) == 0
    at = deck.evaluate("""() => [...document.querySelectorAll("section.slide")]
        .findIndex(slide => slide.querySelector(".question"))""")
    if at >= 0:
        deck.evaluate("number => deck.slide(number, 0, -1)", at)
        open_now = "() => deck.getCurrentSlide().querySelectorAll('details[open]').length"
        assert deck.evaluate(open_now) == 0
        deck.evaluate("deck.next()")
        assert deck.evaluate("deck.getIndices().h") == at and deck.evaluate(open_now) == 1
    for slide in deck.locator(":is(.of-title, .of-section) .body").all():
        assert slide.locator(":is(.ahead, .card) > :is(img, svg)").count() == 1


def test_notes(deck):
    """The notes have the prose, with formulas that need no style."""
    notes = deck.locator("aside.notes")
    assert notes.count() > 8
    assert sum(map(len, notes.all_text_contents())) > 2000
    assert deck.locator("aside.notes .katex, aside.notes annotation").count() == 0


def test_as_pdf(fresh):
    """?print-pdf makes a page of each slide, on which nothing is cut off."""
    page = fresh(f"slides/{DECKS[2]}?print-pdf", viewport=SCREEN)
    page.wait_for_selector(".pdf-page")
    page.wait_for_function("() => document.querySelectorAll('.body[style]').length > 20")
    full = page.evaluate("""() => [...document.querySelectorAll("section.slide .body")]
        .filter(({scrollHeight, clientHeight, scrollWidth, clientWidth}) =>
            scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1).length""")
    assert full == 0 and not page.complaints


def test_the_speaker_sees_the_notes(fresh):
    page = fresh(f"slides/{DECKS[2]}#/1", viewport=SCREEN)
    page.wait_for_function("() => typeof deck !== 'undefined' && deck.isReady()")
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    speaker = opened.value
    speaker.wait_for_selector(".speaker-controls-notes .value *")
    spoken = page.locator("section.present aside.notes").text_content()
    assert (
        speaker.locator(".speaker-controls-notes .value").text_content().strip() == spoken.strip()
    )
    assert not page.outside


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", DECKS)
def test_axe_has_nothing_to_say(fresh, name, theme):
    """All slides of a deck at once, as they are printed."""
    page = fresh(f"slides/{name}?print-pdf", viewport=SCREEN)
    page.evaluate("theme => localStorage.setItem('olc-theme', theme)", theme)
    page.reload()
    page.wait_for_selector(".pdf-page")
    assert barriers(page, "html") == []


def test_an_explorer_moves(fresh):
    """A slider moved by the keyboard changes picture and caption, and not the slide."""
    moved, captions = 0, 0
    for name in DECKS:
        page = fresh(f"slides/{name}", viewport=SCREEN)
        page.wait_for_function("() => typeof deck !== 'undefined' && deck.isReady()")
        at = page.evaluate("""() => [...document.querySelectorAll("section.slide")]
            .findIndex(slide => slide.querySelector(".explorer input[type=range]"))""")
        if at < 0:
            continue
        page.evaluate("number => deck.slide(number)", at)
        shown = page.locator("section.present")
        caption = shown.locator("figcaption > p")
        before = caption.text_content(), shown.locator("figure svg").inner_html()
        slider = shown.locator("input[type=range]").first
        slider.focus()
        at_end = slider.evaluate("slider => slider.value === slider.max")
        page.keyboard.press("ArrowLeft" if at_end else "ArrowRight")
        page.wait_for_function(
            "([svg, before]) => svg.innerHTML !== before",
            arg=[shown.locator("figure svg").element_handle(), before[1]],
        )
        assert page.evaluate("() => deck.getIndices().h") == at
        captions += caption.text_content() != before[0]  # a step may be too small for its words
        assert not page.complaints
        moved += 1
    assert captions > 0.8 * moved > 0 or not (SITE / "frames").exists()
