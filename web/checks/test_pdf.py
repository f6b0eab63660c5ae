"""The whole course as a PDF: bookmarks, tags, alt texts, links, and nothing outside its pages."""

import os
import re
import unicodedata
from collections import Counter
from functools import cache
from statistics import median

import nbformat
import pdf
import pytest
from where import NOTEBOOKS, SITE

PDF = SITE / "course.pdf"
pytestmark = pytest.mark.skipif(
    not PDF.exists() and os.environ.get("CI") != "true",
    reason="no course.pdf in the site: `python web/pdf.py` writes it",
)
POINTS = 72 / 25.4  # in a millimetre
A4 = 210 * POINTS, 297 * POINTS
MARGIN = 18 * POINTS  # a little less than what print.css sets


@cache
def course():
    from pypdf import PdfReader

    return PdfReader(PDF)


@cache
def lectures():
    return [nbformat.read(path, 4) for path in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))]


def plain(title):
    """A title without ligatures, spaces and dollars: formulas are set with spaces of their own."""
    return re.sub(r"[\s$]", "", unicodedata.normalize("NFKC", title))


def placed(page):
    """The texts of a page, and where each begins, in points from the lower left corner."""
    found = []

    def look(text, cm, tm, *_):
        if text.strip():
            x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
            y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
            found.append((text, x, y))

    page.extract_text(visitor_text=look)
    return found


@cache
def texts(number):
    return placed(course().pages[number - 1])


def page_of(mark):
    return course().get_destination_page_number(mark) + 1


def test_bookmarks_are_the_headings():
    expected, last = ["Contents"], ["Tables of the whole course"]
    for number, lecture in enumerate(lectures()):
        text = "\n".join(cell.source for cell in lecture.cells if cell.cell_type == "markdown")
        for title in re.findall(r"^#{1,6} (.+)$", text, re.MULTILINE):
            (expected if number or not title.startswith("Appendix") else last).append(title)
        code = "\n".join(cell.source for cell in lecture.cells if cell.cell_type == "code")
        if "<summary>Answers" in text or re.search(r"^(ask|guess)\(", code, re.MULTILINE):
            expected.append("Answers")
    expected += last
    found = [mark.title.strip() for mark in pdf.bookmarks(course().outline, 9)]
    assert list(map(plain, found)) == list(map(plain, expected))
    for title, told in zip(expected, found, strict=True):
        assert "$" in title or told == title  # no space is lost where a title breaks


def test_contents_say_the_right_page():
    contents, *marks = pdf.bookmarks(course().outline, 2)
    listed = course().pages[page_of(contents) - 1 : page_of(marks[0]) - 1]
    text, at = plain("".join(page.extract_text() for page in listed)), 0
    titles = re.findall(r"#+ (.*)", "\n".join(c.source for nb in lectures() for c in nb.cells))
    before = {plain(title): title.partition("$")[0] for title in titles}
    for mark in marks:  # a formula's letters may come later
        words = plain(re.match(r"[^\[({$]*", before.get(plain(mark.title), mark.title))[0])
        gap = "" if words == plain(mark.title) else ".{0,30}?"
        found = re.compile(f"{re.escape(words)}{gap}{page_of(mark)}").search(text, at)
        assert found, f"{mark.title} is on page {page_of(mark)}"
        at = found.end()


def test_tagged_in_english():
    root = course().trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"].value is True and root["/Lang"].startswith("en")
    kinds, _ = tags()
    for kind in "H1 H2 H3 P L LI Table TH TD Caption Figure Link Code".split():
        assert kinds[f"/{kind}"], kind


@cache
def tags():
    """How often each kind of tag occurs, and all alt texts."""
    kinds, alts, waiting = Counter(), [], [course().trailer["/Root"]["/StructTreeRoot"]]
    while waiting:
        node = waiting.pop().get_object()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict):
            kinds[node.get("/S")] += 1
            alts += [str(node["/Alt"])] if "/Alt" in node else []
            waiting += [node["/K"]] if "/K" in node else []
    return kinds, alts


def test_every_picture_has_its_alt_text():
    stored = [
        output.metadata["image/png"]["alt"]
        for lecture in lectures()
        for cell in lecture.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    _, alts = tags()
    assert len(stored) > 100
    assert not Counter(stored) - Counter(alts)


def test_the_cover_has_a_picture():
    assert "8 mistakes allow this" in course().pages[0].extract_text()


def test_no_page_is_half_empty():
    """Only before a lecture, and before the graph of the map, which needs a page, may more than a
    third of a page stay free: figures, tables and programs leave no larger gap before them.
    """
    first, *others = [page_of(mark) for mark in pdf.bookmarks(course().outline, 1)][1:]
    free = {}
    for number in range(first + 1, len(course().pages)):
        empty = min(y for _, _, y in texts(number) if y > 20 * POINTS) - 22 * POINTS
        if number + 1 not in others and empty > A4[1] / 3:
            free[number] = f"{empty / A4[1]:.0%}"
    assert not free


def test_nothing_stays_folded():
    """The tables of the map, which are folded on its page, are printed with all their rows."""
    marks = {mark.title: page_of(mark) for mark in pdf.bookmarks(course().outline, 2)}
    start, end = (marks[f"Appendix: {what}"] for what in ("figures", "everything that is taught"))
    text = "".join(text for number in range(start, end + 1) for text, _, _ in texts(number))
    for number in range(1, len(lectures())):
        assert f"Thefiguresoflecture{number}" in plain(text)


def test_links_lead_somewhere():
    inside, outside = Counter(), []
    for page in course().pages:
        for note in page.get("/Annots", ()):
            note = note.get_object()
            if "/Dest" in note:
                inside[str(note["/Dest"]).lstrip("/")] += 1
            elif "/A" in note:
                outside.append(str(note["/A"].get_object()["/URI"]))
    known = {name.lstrip("/") for name in course().named_destinations}
    assert len(inside) > 300 and not set(inside) - known
    assert not [link for link in outside if not link.startswith("https://")]
    there = {name for name in inside if re.search(r"-answer-\d+$", name)}
    assert there and {name.replace("answer", "asked") for name in there} <= set(inside)


@pytest.mark.parametrize("part", range(10))
def test_nothing_outside_the_pages(part):
    """Everything begins between the margins, on pages of one size."""
    outside = []
    for number in range(part + 1, len(course().pages) + 1, 10):
        box = course().pages[number - 1].mediabox
        assert all(abs(a - b) < 1 for a, b in zip(box[2:], A4, strict=True))
        for text, x, y in texts(number):
            if not (MARGIN < x < A4[0] - MARGIN and 8 * POINTS < y < A4[1] - 8 * POINTS):
                outside.append((number, text[:40], round(x), round(y)))
    assert not outside


def test_the_pages_are_not_shrunk():
    """Chromium makes the whole document smaller if something is wider than its pages, and cuts off
    what is still too wide.
    """
    scales, pages = [], course().pages
    pages[len(pages) // 2].extract_text(
        visitor_text=lambda text, cm, tm, *_: text.strip() and scales.append(tm[0] * cm[0])
    )
    assert median(scales) == pytest.approx(72 / 96, rel=1e-4)


def test_all_bounds_fill_one_sheet():
    from pypdf import PdfReader

    (sheet,) = PdfReader(SITE / "bounds.pdf").pages
    assert abs(sheet.mediabox.width - 2 * A4[0]) < 2 and abs(sheet.mediabox.height - A4[1]) < 1
    heights = [y for _, _, y in placed(sheet)]
    assert len(heights) > 400 and 5 * POINTS < min(heights) < 50 * POINTS
    assert 'href="bounds.pdf"' in (SITE / "bounds.html").read_text(encoding="utf-8")


def test_what_is_too_wide_gets_smaller_or_is_told(browser):
    """The builder measures what it prints: here a table fits with smaller type, another can't."""
    page = browser.new_page(viewport={"width": 794, "height": 1123})
    row = "<table><tr><td style='white-space: nowrap'>{}</td></tr></table>"
    page.set_content(
        "<!doctype html><style>.lecture { width: 640px; font: 16px monospace }</style>"
        "<div class='lecture'>"
        f"<div id='fits'>{row.format('x' * 80)}</div><div id='never'>{row.format('x' * 400)}</div>"
        f"<ul id='indented'><li style='margin-left: 100px'>{row.format('x' * 62)}</li></ul>"
        "<p id='plain'>Short.</p></div>"
    )
    told = page.evaluate(pdf.FIT)
    assert [line.partition(":")[0] for line in told] == ["never"]
    size = "id => parseFloat(getComputedStyle(document.querySelector(id)).fontSize)"
    assert 8 < page.evaluate(size, "#fits table") < 16
    assert 8 < page.evaluate(size, "#indented table") < 16
    assert page.evaluate(size, "#plain") == 16
    page.close()
