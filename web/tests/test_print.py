"""Decks and the book that becomes the PDF, as far as they can be checked without a browser."""

import json
import re
from collections import Counter
from copy import copy

import lectures
import nbformat
import pages
import pdf
import pytest
import slides
from bs4 import BeautifulSoup
from conftest import needs_katex
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

pytestmark = needs_katex
ANSWER = (
    "<div><p><b>How many?</b></p><details><summary>Answer</summary>It is <b>41</b>.</details></div>"
)
OFFER = (
    "<div><p><b>Which?</b></p><ul><li>this</li><li>that</li></ul><details><summary>Answer</summary>"
    "<ul><li>this ✓ Right.</li><li>that ✗ Wrong.</li></ul></details></div>"
)
EXERCISES = """## Exercises

1. Do it.
2. See [the start](#The-start) and [lecture 2](02_weighted_majority.ipynb#Toss-a-coin).

<details><summary>Answers</summary>

1. Done with $z$.

</details>"""
PROOF = "\n".join(
    f"{i}. The line number {i} says $x_{{{i}}} \\le {i}$, because of the one above it."
    for i in range(1, 21)
)


def ledger(rows):
    titles = ("line", "claim", "tightest at", "both sides there", "slack", "holds")
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    lines = "".join(f"<tr><td>({i})</td>{'<td>1</td>' * 5}</tr>" for i in range(1, rows + 1))
    caption = "<caption>A bound: every line holds</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def shows(html, source="show()"):
    return new_code_cell(source, outputs=[new_output("display_data", {"text/html": html})])


def tagged(cell, tag):
    cell.metadata["tags"] = [tag]
    return cell


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A lecture with one thing of each kind."""
    cells = [
        new_markdown_cell("# 1 · A small lecture\n\n**Text** first. **What is asked?** And more."),
        new_markdown_cell("## The start\n\nA first sentence with $x$ that is long enough to stand"
                          " alone. A second one.\n\n$$a \\le b$$"),  # fmt: skip
        new_markdown_cell("> **Theorem (Small).** *It holds that $a \\le b$.*\n\nSo it does."),
        new_markdown_cell(f"*Proof.* Line by line.\n\n{PROOF}\n21. That is all. $\\square$"),
        tagged(new_markdown_cell("## Not here\n\nThis is for the page alone."), "slide:skip"),
        tagged(new_markdown_cell("For the hall **alone**."), "slide:only"),
        new_code_cell("def short():\n    return 1"),
        new_code_cell("x = 1"),
        shows(ledger(15)),
        shows(ANSWER),
        shows(OFFER),
        new_markdown_cell(EXERCISES),
        new_code_cell("def solved():\n    return 2"),
        new_markdown_cell("## Sources and further reading\n\nA book."),
    ]  # fmt: skip
    file = tmp_path_factory.mktemp("small") / "01_small.ipynb"
    nbformat.write(new_notebook(cells=cells), file)
    return lectures.read(file)


@pytest.fixture(scope="module")
def deck(small):
    soup, _ = pages.cells(small, small.notebook.parent, deck=True)
    return slides.deck(soup, "../cards/01.svg")


@pytest.fixture(scope="module")
def book(small):
    made = pdf.book([small, lectures.lectures()[2]], small.notebook.parent, {})
    return BeautifulSoup(made, "html.parser")


class TestDecks:
    def test_what_becomes_a_slide(self, deck):
        kinds = " ".join(dict.fromkeys(slide.kind for slide in deck))
        assert kinds == "title section statement proof text program ledger question list"
        numbers = Counter(slide.kind for slide in deck)
        assert numbers["program"] == numbers["text"] == numbers["list"] == 1
        assert (numbers["ledger"], numbers["question"]) == (3, 2)
        assert [slide.title for slide in deck[1:4]] == ["The start"] * 3

    def test_the_title_asks_and_a_section_begins_with_a_sentence(self, deck):
        title, section = deck[:2]
        assert title.body[0].get_text() == "What is asked?"
        lead = section.body[0].get_text()
        assert lead.startswith("A first sentence") and "second" not in lead
        assert len(section.body[1:]) == 2 and "katex-display" in section.body[1]["class"]

    def test_title_and_sections_carry_a_picture(self, deck):
        shown = [slide.body[-1].img for slide in deck if slide.kind in ("title", "section")]
        assert [image["src"] for image in shown] == ["../cards/01.svg"] * 2

    def test_a_section_shows_its_picture_unless_a_question_comes_first(self):
        def made(kind):
            html = f'<div><figure class="picture"><img alt="{kind}"></figure></div>'
            return slides.Slide("", kind, [BeautifulSoup(html, "html.parser").div])

        for before, told in (("picture", "picture"), ("question", "")):
            opening = slides.Slide("", "section")
            slides.illustrate([opening, made(before), made("picture")], "card.svg")
            assert opening.body[-1].img["alt"] == told

    def test_each_slide_has_the_parts_of_its_drawings_itself(self):
        drawn = '<svg><clipPath id="p0123456789"/><g clip-path="url(#p0123456789)"/></svg>'
        body = [BeautifulSoup(drawn, "html.parser").svg]
        one, two = (slides.Slide("", "picture", body).html(k)["body"] for k in (1, 2))
        assert one.count("s1-p0123456789") == two.count("s2-p0123456789") == 2

    def test_a_sentence_does_not_end_with_an_initial(self):
        text = "<p>Now larger sizes. J. Kivinen, M. Warmuth and P. Auer compared two. Not so.</p>"
        first = slides.sentence(BeautifulSoup(text, "html.parser").p).get_text()
        assert first.strip() == text[3:].partition(" Not")[0]

    @pytest.mark.parametrize("formula", ["x_1", "x_1 + x_2 + x_3 + x_4 + x_5 + x_6 + x_7 + x_8"])
    def test_a_sentence_may_end_with_a_formula(self, formula):
        text = (
            f"<p>The first of two sentences, which is long enough, has ${formula}$. Not $k!$.</p>"
        )
        soup = BeautifulSoup(text, "html.parser")
        pages.katex.typeset_texts(soup)
        assert "Not" not in slides.sentence(soup.p).get_text()
        soup = BeautifulSoup("<p>A factorial $k!$ does not end one. Not $x$.</p>", "html.parser")
        pages.katex.typeset_texts(soup)
        assert "does not end one." in slides.sentence(soup.p).get_text()

    def test_a_long_proof_is_split_and_every_line_keeps_its_number(self, deck):
        numbers = []
        proofs = [slide for slide in deck if slide.kind == "proof"]
        assert len(proofs) > 1
        for slide in proofs:
            assert sum(len(slides.words(block)) for block in slide.body) < slides.WORDS
            for listed in slide.body:
                lines = listed.find_all("li") if listed.name == "ol" else []
                first = int(listed.get("start", 1))
                numbers += range(first, first + len(lines))
                later = lines[1:] if listed is slide.body[0] else lines  # no slide begins empty
                assert all("fragment" in line["class"] for line in later)
                assert later == lines or "class" not in lines[0].attrs
        assert numbers == list(range(1, 22))

    def test_a_long_ledger_is_split_with_its_head(self, deck):
        parts = [slide.body[0] for slide in deck if slide.kind == "ledger"]
        for part in parts:
            assert part.find("caption") and len(part.select("th")) == 6
            assert len(part.select("tbody tr")) <= slides.ROWS
        told = [row.td.get_text() for part in parts for row in part.select("tbody tr")]
        assert told == [f"({i})" for i in range(1, 16)]

    def test_tags(self, deck, small):
        out = small.notebook.parent
        text = "".join(slide.html()["body"] + slide.html()["notes"] for slide in deck)
        assert "for the page alone" not in text and "For the hall" in text
        page, _ = pages.cells(small, out)
        for html in (str(page), pdf.book([small], out, {})):
            assert "for the page alone" in html and "For the hall" not in html

    def test_no_solutions_and_no_sources(self, deck):
        text = "".join(map(str, (block for slide in deck for block in slide.body)))
        assert "solved" not in text and "Done with" not in text and "A book" not in text
        assert "short" in text

    def test_notes_have_the_prose_with_formulas_that_need_no_style(self, deck):
        notes = BeautifulSoup("".join(slide.html()["notes"] for slide in deck), "html.parser")
        assert "A second one." in notes.get_text() and notes.find("math")
        assert not notes.select(".katex, annotation")

    def test_explorers_find_their_frames(self):
        told = json.dumps({"frames": "frames/02/abc/"})
        html = f'<div class="explorer"><script type="application/json">{told}</script></div>'
        soup = BeautifulSoup(html, "html.parser")
        slides.strip(soup)
        assert json.loads(soup.script.string)["frames"] == "../frames/02/abc/"


class TestBook:
    def test_anchors_are_unique_and_links_lead_to_them(self, book):
        anchors = Counter(tag["id"] for tag in book.select("[id]:not(svg *)"))
        assert max(anchors.values()) == 1
        links = {link["href"][1:] for link in book.select("a[href^='#']")}
        assert {"l01-The-start", "l02-Toss-a-coin"} <= links
        missing = {link for link in links - set(anchors) if link.startswith(("l01", "l02"))}
        assert not missing

    def test_answers_stand_at_the_end(self, book):
        first = copy(book.find(id="l01"))
        answers = first.select_one("section.answers").extract()
        assert "41" not in first.get_text() and "Right." not in first.get_text()
        assert "Done with" not in first.get_text() and "Which?" in first.get_text()
        assert [box["id"] for box in answers.select(".told")] == [
            f"l01-answer-{i}" for i in (1, 2, 3)
        ]
        one, two, three = (box.get_text(" ", strip=True) for box in answers.select(".told"))
        assert "It is 41" in re.sub(r"\s+", " ", one) and "this : ✓ Right." in two
        assert "Done with" in three and [offer.get_text() for offer in first.select(".offer")] == [
            "this", "that"
        ]  # fmt: skip
        for box in answers.select(".told"):
            back = box.select_one(".leap a")["href"][1:]
            assert first.find(id=back).a["href"] == f"#{box['id']}"

    def test_nothing_is_folded_or_late(self, book):
        assert not book.select(".plumbing, .description, [loading], .katex-mathml, [tabindex]")
        assert not book.select(".katex-html[aria-hidden]")
        assert len(book.select("#l02 img[alt]")) == len(book.select("#l02 figure")) > 8

    def test_explorers_and_games_say_that_they_move(self, book):
        for kind, told in (("explore", "It moves"), ("game", "You can play it")):
            found = book.select(f"figure[id^='l02-{kind}-']")
            assert found and all(told in figure.figcaption.get_text() for figure in found)

    def test_drawings_find_their_parts(self):
        html = '<p id="a"><svg><path id="m0123456789"/><use href="#m0123456789"/></svg></p>'
        soup = BeautifulSoup(html, "html.parser")
        pdf.links(soup, "l01", {})
        assert soup.p["id"] == "l01-a" and soup.path["id"] == "m0123456789"

    def test_the_tables_of_the_map_come_last(self):
        html = "".join(
            f'<div class="cell">{cell}</div>'
            for cell in ("first", '<h2 id="l00-Appendix:-x">Appendix: x</h2>', "table", "start")
        )
        soup = BeautifulSoup(f"<main>{html}</main>", "html.parser")
        assert pdf.tables(soup).get_text(" ").split()[-3:] == ["Appendix:", "x", "table"]
        assert soup.get_text() == "firststart"

    def test_contents_list_all_sections(self, book):
        listed = [link["href"] for link in book.select(".listed ol ol a")]
        assert listed == [f"#{heading['id']}" for heading in book.select(".lecture h2")]
        assert len(book.select(".listed .page")) == len(listed) + 2


def test_names_in_tables_break_after_underscores_alone():
    soup = BeautifulSoup(
        "<table><td><code>wm_two_regret</code></td><td><code>play</code></td></table>"
        "<p><code>wm_run</code></p>",
        "html.parser",
    )
    pdf.names(soup)
    told = [code.decode_contents() for code in soup.find_all("code")]
    assert told == ["wm_<wbr/>two_<wbr/>regret", "play", "wm_run"]


def test_an_item_is_not_torn():
    table = "<table><tr><th>HALV-A1</th><td>on-line</td><td>TIGHT-13</td></tr></table>"
    soup = BeautifulSoup(table, "html.parser")
    pages.tables(soup)
    assert [cell.get_text() for cell in soup.select(".short")] == ["HALV-A1", "TIGHT-13"]
