"""The first minute: the front page plays, a guess comes before its answer, words are explained."""

import json

from conftest import LECTURES
from where import NOTEBOOKS, SITE

SECOND = "02_weighted_majority.html"
CLIP = "Number(document.querySelector('.hero clipPath rect').getAttribute('width'))"


def test_the_front_page_plays_until_it_is_stopped(fresh):
    page = fresh("index.html")
    button = page.locator(".play")
    first = page.evaluate(CLIP)
    page.wait_for_function(f"first => {CLIP} > first + 20", arg=first)
    assert button.get_attribute("aria-pressed") == "true"
    ends = page.locator(".end").all()
    for end in ends:  # the words stand where the lines are
        x, at = end.evaluate(
            "end => [Number(end.style.getPropertyValue('--x')), performance.now()]"
        )
        assert 0 < x < 1, at
    assert int(page.locator("[data-count=mistakes]").inner_text()) < 8
    button.press("Space")
    assert [end.evaluate("end => end.style.getPropertyValue('--x')") for end in ends] == ["1"] * 3
    assert ends[0].inner_text() == "8 mistakes allow this"
    full = page.evaluate(CLIP)
    page.wait_for_timeout(200)
    assert page.evaluate(CLIP) == full > 800
    page.locator(".player input").press("ArrowRight")
    assert "β = 0.55" in page.locator("#hero-said").inner_text()


def test_nothing_plays_for_who_wants_less_motion_and_a_still_is_there_without_scripts(fresh):
    page = fresh("index.html", reduced_motion="reduce")
    assert page.evaluate(CLIP) > 800 and page.locator(".play").inner_text() == "▶ Play"
    bare = fresh("index.html", java_script_enabled=False)
    assert bare.locator(".hero .line").count() == 3 and not bare.locator(".player").is_visible()
    words = page.locator(".end").all_inner_texts()
    assert words == bare.locator(".end").all_inner_texts() and words[0].startswith("8 mistakes")
    assert "You err 8 times" in bare.locator("#hero-said").inner_text()


def test_the_doors_and_a_card_for_each_lecture(fresh):
    page = fresh("index.html")
    assert page.locator(".doors h2").all_inner_texts() == ["Play", "Read", "Teach"]
    cards = page.locator(".cards > li")
    lectures = sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))[1:]
    assert cards.count() == len(lectures) == cards.locator("img").count()
    assert page.locator(".part h3").count() == 4
    assert all(text.endswith("?") for text in page.locator(".card-hook").all_inner_texts())
    assert all("min" in text for text in cards.locator(".card-minutes").all_inner_texts())
    games = page.locator(".doors section").first.locator("p a").all()
    assert len(games) > 5
    assert games[0].get_attribute("href").startswith("02_")


def test_the_menu_of_the_front_page_opens_on_a_phone(fresh):
    page = fresh("index.html", viewport={"width": 390, "height": 800})
    assert not page.locator("#course").is_visible()
    page.locator(".menu").press("Enter")
    assert page.locator("#course").is_visible()


def test_a_guess_comes_before_its_answer_and_is_kept_until_it_is_forgotten(fresh):
    page = fresh(SECOND)
    asked = page.locator(".question:has(.answer.number)").first
    folds = page.locator(".reveal")
    assert folds.count() > 3 and page.locator(".reveal[open]").count() == 0
    field, slider = asked.locator("[type=number]"), asked.locator("[type=range]")
    slider.press("ArrowRight")
    assert field.input_value() == slider.input_value()
    field.fill("1")
    assert slider.input_value() == "1"
    field.press("Enter")
    assert page.evaluate("document.activeElement.textContent").startswith("You said 1: ")
    heard = page.locator(".heard[role=status]")
    assert heard.inner_text().startswith("You said 1, it is ")
    shown = asked.locator(".scale b").all_inner_texts()
    assert shown[0] == "you 1" and shown[1].startswith("it is ")
    opened = page.locator(".reveal[open]")
    assert opened.count() == 1 and opened.locator("summary").inner_text() == "You said: 1"

    asked = page.locator(".question:not(:has(.number))").first
    asked.locator("summary").first.press("Enter")
    page.wait_for_function("document.querySelectorAll('.reveal[open]').length >= 2")
    assert heard.inner_text().startswith(asked.locator("summary").first.inner_text())
    page.goto(page.url.replace(SECOND, "index.html"))
    progress = page.locator("#progress")
    assert "of 2, read 0 of" in progress.inner_text()
    progress.get_by_role("button").press("Enter")
    page.wait_for_function("document.getElementById('progress')?.hidden")
    assert page.evaluate("localStorage.getItem('olc-known')") is None


def test_a_lecture_is_read_when_its_end_was_seen(fresh):
    page = fresh(SECOND)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.wait_for_function("(localStorage.getItem('olc-known') ?? '').includes('\"read\":{\"02_')")
    page.goto(page.url.replace(SECOND, "index.html"))
    assert "read 1 of" in page.locator("#progress").inner_text()
    assert page.locator(".cards > .read").count() == 1


def text_of(name):
    return (SITE / name).read_text(encoding="utf-8")


def test_yourself(fresh):
    page = fresh("test.html")
    shown = page.locator(".asked").and_(page.locator(":visible"))
    assert shown.count() == 1 < page.locator(".asked").count()
    first = shown.inner_text()
    page.locator(".draw button").press("Enter")
    assert shown.count() == 1 and shown.inner_text() != first
    drawn = page.locator(".asked > p a").evaluate_all("all => all.map(a => a.pathname.slice(1))")
    assert set(drawn) == {name for name in LECTURES[1:] if 'class="question"' in text_of(name)}
    assert len(set(drawn)) > 18
    bare = fresh("test.html", java_script_enabled=False)
    shown = bare.locator(".asked").and_(bare.locator(":visible"))
    assert shown.count() == bare.locator(".asked").count() > 50


def test_terms_and_theorems_say_what_they_mean(fresh):
    page = fresh("04_hedge.html")
    box, link = page.locator("#preview"), page.locator("a.term[href$='#regret']").first
    link.hover()
    box.wait_for()
    assert box.inner_text().startswith("regret Your loss minus the loss of the best")
    box.hover()
    page.wait_for_timeout(500)
    assert box.is_visible(), "it can be pointed at"
    page.keyboard.press("Escape")
    assert not box.is_visible()
    page.keyboard.press("Tab")
    link.evaluate("link => link.focus({focusVisible: true})")
    assert box.is_visible() and link.get_attribute("aria-describedby") == "preview"
    theorems = 0
    for name in LECTURES[1:]:
        text = (SITE / name).read_text(encoding="utf-8")
        told = json.loads(text.partition('id="told">')[2].partition("</script>")[0])
        assert all(f'href="{href}"' in text for href in told)
        theorems += sum("glossary.html" not in href for href in told)
    assert theorems > 5


def test_terms_stand_in_the_margin_of_a_wide_window(fresh):
    page = fresh("04_hedge.html", viewport={"width": 1600, "height": 900})
    note, text = page.locator(".note").first, page.locator("main p:has(.note)").first
    box = note.bounding_box()
    assert box["x"] > text.bounding_box()["x"] + text.bounding_box()["width"]
    assert box["x"] + box["width"] < page.locator(".contents").bounding_box()["x"]
    page.set_viewport_size({"width": 1280, "height": 900})
    assert not note.is_visible()


def test_a_picture_breaks_out_of_the_text_and_code_stands_below_it(fresh):
    page = fresh(SECOND)
    frame, text = page.locator("#figure-wm_weights .frame"), page.locator("main .cell.text p").first
    assert frame.bounding_box()["width"] == 800 and text.bounding_box()["width"] == 680
    assert page.locator(".plumbing + :is(.shown, .reveal, pre)").count() == 0


def test_exercises_open_in_steps(fresh):
    page = fresh(SECOND)
    exercise = page.locator("#exercise-2")
    rest = exercise.get_by_text("Line 5 becomes")
    assert not rest.is_visible()
    exercise.get_by_text("First step").press("Enter")
    assert exercise.get_by_text("Lines 1 to 4 do not change").is_visible() and not rest.is_visible()
    exercise.get_by_text("The rest").press("Enter")
    assert rest.is_visible()


def test_the_side_bar_is_where_the_reader_is(fresh):
    page = fresh(LECTURES[-1], viewport={"width": 1280, "height": 500})
    current = page.locator("#course [aria-current]").bounding_box()
    assert 50 < current["y"] < 480 and page.evaluate("scrollY") == 0
    page.locator(".contents a").nth(3).click()
    page.wait_for_function(
        "document.querySelectorAll('.contents a')[3].hasAttribute('aria-current')"
    )
    assert page.locator(".contents [aria-current]").count() == 1


def test_all_bounds_fit_on_one_sheet(fresh, tmp_path):
    from pypdf import PdfReader

    page = fresh("bounds.html")
    cards = page.locator(".bound-card")
    assert cards.count() > 40 and cards.locator("img").count() == cards.count()
    assert cards.locator(".where a").count() == cards.count()
    page.emulate_media(media="print")
    page.evaluate("document.images.forEach?.(image => { image.loading = 'eager'; })")
    page.pdf(path=tmp_path / "bounds.pdf", prefer_css_page_size=True)
    (sheet,) = PdfReader(tmp_path / "bounds.pdf").pages
    text = sheet.extract_text()
    assert all(name in text for name in ("Halving", "Weighted Majority", "Radon"))
