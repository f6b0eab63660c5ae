"""The whole course as one PDF: all lectures on one page, which Chromium prints with bookmarks, tags
and page numbers.

python web/pdf.py                  all of it, as site/course.pdf, and all bounds, as site/bounds.pdf
python web/pdf.py --only 02 --out /tmp/try    one lecture
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import build
import home
import pages
import where
from bs4 import BeautifulSoup, Tag
from lectures import Page, lectures
from pages import fragment
from replay import replay

FIT = """() => {
    // What runs out of the column gets smaller type; what is still too wide is told.
    const edge = document.querySelector(".lecture").getBoundingClientRect().right + 0.5;
    const wide = box => {
        const {left, width} = box.getBoundingClientRect();
        return left + Math.max(width, box.scrollWidth) > edge;
    };
    const boxes = document.querySelectorAll(".lecture :is(table, .katex-display, pre, p, li)");
    const told = [];
    for (const box of boxes) {
        const size = parseFloat(getComputedStyle(box).fontSize);
        for (let part = 0.95; wide(box) && part > 0.5; part -= 0.05)
            box.style.fontSize = `${part * size}px`;
        if (wide(box)) told.push(box.closest("[id]").id + ": " + box.textContent.slice(0, 60));
    }
    return told;
}"""
LOADED = """() => Promise.all([...document.images].map(image => {
    image.loading = "eager";
    return image.decode();
}))"""
LINES = 12  # of a program that keeps together
TOLD = ("Answer", "Answers")  # what stands on folded blocks that go to the end
NUMBER = """pages => document.querySelectorAll(".listed .page").forEach(
    (place, i) => { place.textContent = pages[i]; })"""


def main(arguments: list[str] | None = None) -> None:
    """Write the PDF, of all lectures or of those that were asked for."""
    chosen, manifests = build.asked(__doc__, arguments), {}
    for lecture in [] if chosen.no_frames else chosen.lectures:
        print(f"pictures of lecture {lecture.number}", file=sys.stderr)
        manifests[lecture.number] = replay(lecture, chosen.out, chosen.jobs, frames=False)
    write(chosen.lectures, chosen.out, manifests)
    print(f"wrote {chosen.out / 'course.pdf'}", file=sys.stderr)
    if not chosen.only and (chosen.out / "bounds.html").is_file():
        sheet(chosen.out)


def sheet(out: Path) -> None:
    """Print the page of all bounds."""
    with printer(out / "bounds.html") as page:
        page.evaluate(LOADED)
        page.pdf(path=out / "bounds.pdf", **OPTIONS)


def write(course: list[Page], out: Path, manifests: dict) -> None:
    """Write course.pdf below `out`; `manifests` says for each number what `replay` found."""
    source = out / "course-to-print.html"  # beside the pictures and styles that it shows
    source.write_text(book(course, out, manifests), encoding="utf-8")
    try:
        with printer(source) as page:
            too_wide = page.evaluate(FIT)
            if too_wide:
                raise ValueError("wider than a page of the PDF: " + "; ".join(too_wide))
            # The first print says on which page each heading is, the second one writes it down.
            page.pdf(path=out / "course.pdf", **OPTIONS)
            page.evaluate(NUMBER, numbers(out / "course.pdf"))
            page.pdf(path=out / "course.pdf", **OPTIONS)
    finally:
        source.unlink()


OPTIONS = {"outline": True, "tagged": True, "prefer_css_page_size": True, "print_background": True}


@contextmanager
def printer(source: Path) -> Iterator:
    """Open a page in Chromium as it will be printed, with all pictures loaded."""
    from playwright.sync_api import sync_playwright

    if where.CHROMIUM is None:
        sys.exit("The PDF needs Chromium: `tools/system.sh` installs it.")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"]
        browser = playwright.chromium.launch(executable_path=where.CHROMIUM, args=flags)
        # As wide as the text on a page, 170 mm: else FIT would measure another column.
        page = browser.new_page(viewport={"width": 642, "height": 1123})
        page.set_default_timeout(600_000)
        page.emulate_media(media="print", color_scheme="light")
        page.goto(source.resolve().as_uri())
        page.evaluate("() => document.fonts.ready")
        yield page
        browser.close()


def numbers(pdf: Path) -> list[int]:
    """Return the page of each title in the contents: the upper two levels of bookmarks."""
    from pypdf import PdfReader

    reader = PdfReader(pdf)
    _, *marks = bookmarks(reader.outline, 2)  # the first one is that of the contents themselves
    return [reader.get_destination_page_number(mark) + 1 for mark in marks]


def bookmarks(outline: list, depth: int) -> Iterator:
    """Yield the bookmarks of an outline down to a depth, in their order."""
    for entry in outline:
        if not isinstance(entry, list):
            yield entry
        elif depth > 1:
            yield from bookmarks(entry, depth - 1)


# The page that is printed


def book(course: list[Page], out: Path, manifests: dict) -> str:
    """Return the HTML of the whole course."""
    addresses = {each.href: f"l{each.number}" for each in lectures()}
    parts, last = [], []
    for lecture in course:
        soup, _ = pages.cells(lecture, out, manifests.get(lecture.number))
        for dropped in soup.select(".plumbing, .description, .olc-description"):
            dropped.decompose()
        for program in soup.select(".source"):  # a long one may go on on the next page
            program["class"] += ["long"] * (program.get_text().count("\n") > LINES)
        for finish in (pictures, formulas, names, answers):
            finish(soup)
        links(soup, f"l{lecture.number}", addresses)
        if lecture.number == "00" and len(course) > 1:
            last.append(part("tables", "Tables of the whole course", tables(soup)))
        parts.append(part(f"l{lecture.number}", lecture.title, soup))
    return pages.render("pdf.html.j2", parts=parts + last, **home.still())


def part(name: str, title: str, soup: BeautifulSoup) -> dict:
    """Return a part of the book: its anchor, its title, its HTML, and its sections."""
    sections = [(heading["id"], heading.decode_contents()) for heading in soup.find_all("h2")]
    return {"name": name, "title": title, "body": str(soup), "sections": sections}


def tables(soup: BeautifulSoup) -> BeautifulSoup:
    """Take the appendices out of the map, all but its last line, and return them: nobody reads 35
    pages of tables before the first lecture.
    """
    made = fragment('<div><h1 id="all-tables">Tables of the whole course</h1></div>')
    first = soup.select_one('.cell:has(h2[id*="-Appendix"])')
    made.extend([first, *first.find_next_siblings(class_="cell")][:-1])
    return made


def pictures(soup: BeautifulSoup) -> None:
    """Leave of each figure, explorer and game the picture and its caption."""
    for moving in soup.select(".explorer, .game"):
        moving.replace_with(moving.figure.extract())
    for figure in soup.select("figure.picture"):
        image = figure.find(["img", "svg"])
        image.attrs.pop("loading", None)
        figure.find("div", class_="frame").replace_with(image)
        kind = figure.get("id", "").partition("-")[0]
        told = {"explore": "It moves", "game": "You can play it"}.get(kind)
        if told:
            note = f'<span class="moves"> {told} on the page of this lecture.</span>'
            figure.figcaption.p.append(fragment(note))


def formulas(soup: BeautifulSoup) -> None:
    """Keep of each formula what is seen: the MathML behind it would be printed as well."""
    for formula in soup.select(".katex"):
        formula.find(class_="katex-mathml").decompose()
        del formula.find(class_="katex-html")["aria-hidden"]


def names(soup: BeautifulSoup) -> None:
    """Let a long name in a table break after its underscores, and nowhere else."""
    for text in soup.select("td code"):
        for part in text.find_all(string=re.compile("_")):
            pieces = [piece for word in part.split("_") for piece in (word + "_", "wbr")]
            pieces[-2:] = [pieces[-2][:-1]]
            part.replace_with(*(soup.new_tag(p) if p == "wbr" else p for p in pieces))


def answers(soup: BeautifulSoup) -> None:
    """Move the answers of exercises and questions to the end, with links there and back."""
    end = soup.new_tag("section", attrs={"class": "answers"})
    for box in soup.select(".question, details:not(.reveal)"):
        asked = "question" in box.get("class", [])
        if not asked and (box.parent is None or box.summary.get_text(strip=True) not in TOLD):
            continue
        number = len(end.contents) + 1
        there, back = f"answer-{number}", f"asked-{number}"
        answer = soup.new_tag("div", id=there, attrs={"class": "told"})
        answer.append(fragment(f'<p class="leap"><a href="#{back}">Answer {number}</a></p>'))
        answer.extend(offers(box) if asked else rest(box))
        end.append(answer)
        link = fragment(f'<p class="leap" id="{back}"><a href="#{there}">Answer {number}</a></p>')
        box.append(link) if asked else box.replace_with(link)
    if end.contents:
        end.insert(0, fragment('<h2 id="answers">Answers</h2>'))
        soup.append(end)


def offers(question: Tag) -> list[Tag]:
    """Take what each offered answer is worth out of a question, and return it."""
    found = []
    for folded in question.find_all("details"):
        offered = folded.summary.extract()
        if "answer" in folded.get("class", []) and folded.p:
            offered.name = "p"
            offered["class"] = "offer"
            folded.replace_with(offered)
            found.append(
                fragment(f"<p><b>{offered.decode_contents()}</b>: {folded.p.decode_contents()}</p>")
            )
        else:
            found.append(fragment(f"<p>{folded.extract().decode_contents()}</p>"))
    return found


def rest(folded: Tag) -> list:
    """Return what a folded block has below its first line."""
    folded.summary.decompose()
    return list(folded.contents)


def links(soup: BeautifulSoup, prefix: str, addresses: dict) -> None:
    """Make the anchors of a lecture its own, and lead links between lectures to them."""
    for tag in soup.select("[id]:not(svg *)"):  # the parts of a drawing find each other
        tag["id"] = f"{prefix}-{tag['id']}"
    for own in soup.select("a.self"):
        own.decompose()
    for link in soup.find_all("a", href=True):
        target, _, anchor = link["href"].partition("#")
        if target in addresses or not target:
            place = addresses.get(target, prefix)
            link["href"] = f"#{place}-{anchor}" if anchor else f"#{place}"
    for scrolls in soup.find_all(tabindex=True):
        del scrolls["tabindex"]


if __name__ == "__main__":
    main()
