"""A deck for each lecture: headings, statements, proofs, pictures, ledgers, questions and short
programs become slides, and the prose becomes the speaker's notes.

A cell with the tag slide:skip is not in the deck; one with the tag slide:only is a slide, and
neither on the page nor in the PDF.
"""

import json
import re
import shutil
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

import pages
import where
from bs4 import BeautifulSoup, NavigableString, Tag
from lectures import Page
from pages import fragment

LEFT_OUT = re.compile("Sources|Appendix|What the notes say otherwise|Where to read")
SENTENCE = re.compile(r"(?<=[\w)”’][.?!])(?<!\b[A-Z]\.)(?:\s|$)")  # "J. Kivinen" goes on
LINES = 14  # of a program that fits on a slide
ROWS = 6  # of a ledger that fit on a slide
WORDS = 950  # letters of a proof that fit on a slide
CLOSED = ("title", "section", "question")  # behind these a picture is not for the slide before
SAID = 50  # letters that are enough below a heading
DRAWN = re.compile(r'(\bid="|\burl\(#|\bhref="#)(?=\w+[0-9a-f]{10}\b)')  # parts of drawings


@dataclass
class Slide:
    """What is shown below a title, and what the speaker says."""

    title: str
    kind: str
    body: list[Tag] = field(default_factory=list)
    notes: list[Tag] = field(default_factory=list)

    def html(self, number: int = 0) -> dict:
        """Return the parts as text; drawings keep to themselves, for a hatch that another slide
        defines is gone as soon as that one is hidden.
        """
        for note in self.notes:
            spoken(note)
        return {
            "title": self.title,
            "kind": self.kind,
            "body": DRAWN.sub(rf"\1s{number}-", "".join(map(str, self.body))),
            "notes": "".join(map(str, self.notes)),
        }


def copy_to(static: Path) -> None:
    """Copy what decks need of reveal.js."""
    dist, target = where.NODE_PACKAGES / "reveal.js/dist", static / "reveal"
    target.mkdir(parents=True, exist_ok=True)
    for file in ("reveal.css", "reveal.js", "plugin/notes.js"):
        shutil.copyfile(dist / file, target / Path(file).name)


def write(lecture: Page, out: Path, manifest: dict | None = None) -> None:
    """Write the deck of a lecture."""
    href = f"slides/{lecture.notebook.stem}.html"
    soup, scripts = pages.cells(lecture, out, manifest, deck=True)
    card = f"../cards/{max(lecture.number, '01')}.svg"  # the map has the one of the first lecture
    (out / href).parent.mkdir(parents=True, exist_ok=True)
    text = pages.render(
        "slides.html.j2",
        href=href,
        title=lecture.title,
        page=lecture.href,
        slides=[slide.html(number) for number, slide in enumerate(deck(soup, card))],
        scripts=scripts,
    )
    (out / href).write_text(text, encoding="utf-8")


def deck(soup: BeautifulSoup, card: str) -> list[Slide]:
    """Return the slides of a lecture, from the finished tree of its cells and its small picture."""
    strip(soup)
    slides = [Slide("", "title")]
    for cell in soup.select(".cell"):
        if "slide-only" in cell["class"]:
            slides.append(Slide(slides[-1].title, "text", blocks(cell)))
        elif "code" in cell["class"]:
            run(cell, slides)
        else:
            tell(cell, slides)
    kept = [slide for slide in slides if is_for_the_hall(slide)]
    illustrate(kept, card)
    return [part for slide in kept for part in split(slide)]


def illustrate(slides: list[Slide], card: str) -> None:
    """Let each slide that opens a section carry the first picture in it. If a question comes
    before, which that would answer, or there is no room, and on the title, there is the card of
    the lecture.
    """
    for k, slide in enumerate(slides):
        if slide.kind not in ("title", "section"):
            continue
        later = takewhile(lambda each: each.kind not in CLOSED, slides[k + 1 :])
        shown = (
            each.body[0].select_one("figure.picture :is(img, svg)") for each in later if each.body
        )
        room = slide.kind == "section" and len(slide.body) <= 2  # a sentence and a formula
        image = next(filter(None, shown), None) if room else None
        ahead = fragment(f'<div class="{"ahead picture" if image else "card"}"></div>')
        ahead.append(copy(image) if image else fragment(f'<img src="{card}" alt="">'))
        slide.body.append(ahead)


def is_for_the_hall(slide: Slide) -> bool:
    """Whether a slide is for the lecture: no heading alone, not its sources, nor how to solve its
    exercises.
    """
    title = plain(slide.title)
    alone = slide.kind == "section" and not slide.body
    solved = title.startswith("Exercises") and slide.kind != "list"
    return not (alone or solved or LEFT_OUT.match(title))


def strip(soup: BeautifulSoup) -> None:
    """Drop what a deck does not show, and lead its links one folder up."""
    for dropped in soup.select(".slide-skip, a.self, .description"):
        dropped.decompose()
    for tag in soup.find_all(["a", "img"]):
        for name in ("href", "src"):
            if name in tag.attrs and not re.match(r"[a-z]+:|#", tag[name]):
                tag[name] = f"../{tag[name]}"
        tag.attrs.pop("loading", None)
    for data in soup.select(".explorer script"):
        told = json.loads(data.string)
        told["frames"] = f"../{told['frames']}"
        data.string = json.dumps(told, ensure_ascii=False).replace("</", "<\\/")
    for game in soup.select(".game"):
        game.replace_with(game.figure.extract())
    for statement in soup.find_all("section"):  # reveal.js takes sections for slides
        statement.name, statement["role"] = "div", "group"


def blocks(cell: Tag) -> list[Tag]:
    """Return the paragraphs, lists, tables … of a cell."""
    return cell.find_all(True, recursive=False)


def plain(html: str) -> str:
    """Return HTML as text."""
    return BeautifulSoup(html, "html.parser").get_text()


# Cells with text


def tell(cell: Tag, slides: list[Slide]) -> None:
    """Add the slides of a text cell, and its prose to the notes."""
    proof = []
    for block in blocks(cell):
        if re.fullmatch("h[1-6]", block.name):
            kind = "title" if block.name == "h1" else "section"
            if kind == "section":
                slides.append(Slide("", kind))
            slides[-1].title = block.decode_contents()
            continue
        if proof or (ends_later(block) and begins(block)):
            proof.append(block)
            for line in block.find_all("li"):
                line["class"] = "fragment"
            if ends(block):
                show(slides, "proof", proof)
                proof = []
        elif "statement" in block.get("class", []):
            show(slides, "statement", [block])
        elif block.name in ("ol", "ul") or "scroll" in block.get("class", []):
            show(slides, "list" if block.name in ("ol", "ul") else "table", [block])
        elif block.name != "details":
            say(slides, block)


def begins(block: Tag) -> bool:
    """Whether a block can be the first one of a proof: its word, a lemma, a list of lines."""
    first = next((child for child in block.children if str(child).strip()), None)
    return block.name == "ol" or (isinstance(first, Tag) and first.name in ("em", "strong"))


def ends(block: Tag) -> bool:
    """Whether a block has the box that ends a proof."""
    return any(r"\square" in latex.get_text() for latex in block.find_all("annotation"))


def ends_later(block: Tag) -> bool:
    """Whether a proof ends in this block or a later one of the cell, before the next statement."""
    for later in [block, *block.find_next_siblings(True)]:
        if ends(later):
            return True
        if "statement" in later.get("class", []):
            return False
    return False


def show(slides: list[Slide], kind: str, body: list[Tag]) -> None:
    """Put blocks on a slide: that of the heading, if nothing is on it yet, or a new one; exercises
    are one list.
    """
    last = slides[-1]
    goes_on = last.kind == kind == "list" and plain(last.title).startswith("Exercises")
    if not goes_on and (last.kind != "section" or last.body):
        slides.append(Slide(last.title, kind))
    slides[-1].kind = kind
    slides[-1].body += body


def say(slides: list[Slide], block: Tag) -> None:
    """Add a paragraph to the notes; below a heading its first sentence and formulas are shown."""
    last = slides[-1]
    if last.kind == "title":
        strong = block.find_all("strong")
        if strong and not last.body:
            asked = next((each for each in strong if "?" in each.get_text()), strong[0])
            last.body.append(fragment(f'<p class="asked">{asked.decode_contents()}</p>'))
    elif last.kind == "section":
        if not last.notes:
            last.body.append(sentence(block))
        last.body += map(copy, block.select(".katex-display"))
    last.notes.append(block)


def sentence(block: Tag) -> Tag:
    """Return the first sentence of a paragraph that is not about the code beside it, or two if
    it is very short.
    """
    first = fragment('<p class="lead"></p>')
    for child in block.children:
        if isinstance(child, Tag):
            first.append(copy(child))
            if {"whole", "katex"} & {*child.get("class", [])} and stops(child):
                return first
            continue
        *whole, rest = SENTENCE.split(child)
        for piece in whole:
            first.append(NavigableString(piece + " "))
            if re.search(r"\bcell\b", first.get_text()):
                first.clear()
            elif len(first.get_text()) > SAID:
                return first
        first.append(NavigableString(rest))
    return first


def stops(formula: Tag) -> bool:
    """Whether a sentence ends with a formula: its mark stands behind it, or inside a long one."""
    latex = formula.find("annotation").get_text()
    return bool(re.search(r"[.?!]$", str(formula.contents[-1])) or re.search(r"{[.?!]}$", latex))


def spoken(note: Tag) -> None:
    """Make a block readable in the speaker's window, which has no style for formulas."""
    for formula in note.select(".katex"):
        math = formula.find("math")
        if math:
            math.annotation.decompose()
            formula.replace_with(math.extract())


# Cells with code


def run(cell: Tag, slides: list[Slide]) -> None:
    """Add what a code cell shows, and its program if it defines something and is short."""
    program, printed = cell.find(class_="source"), cell.find("pre", class_="printed")
    if program:
        lines = program.get_text().strip().splitlines()
        if len(lines) <= LINES and re.match("def |class ", lines[0]):
            slides.append(Slide(slides[-1].title, "program", [program]))
            if printed:
                slides[-1].body.append(printed.extract())
    for shown in cell.select(".shown"):
        kinds = [kind for kind in ("question", "ledger", "picture") if shown.select(f".{kind}")]
        for told in shown.select(".answer.good, .answer.number"):  # the next key opens it
            told["class"] = [*told.get_attribute_list("class"), "fragment", "custom"]
        for kind in kinds:
            slides.append(Slide(slides[-1].title, kind, [shown]))
    for printed in cell.select("pre.printed"):
        slides[-1].notes.append(printed)


# Slides that are too full


def split(slide: Slide) -> list[Slide]:
    """Return a slide, or several if its ledger has many lines or its proof many words."""
    if slide.kind == "ledger" and (rows := slide.body[0].select("tbody > tr")):
        parts = chunks(rows, lambda row: 1, ROWS)
        bodies = [[with_rows(slide.body[0], part)] for part in parts]
    elif slide.kind in ("proof", "list"):
        lines = [line for block in slide.body for line in numbered(block)]
        parts = chunks(lines, lambda line: len(words(line)) + 60, WORDS)
        bodies = [joined(part) for part in parts]
        for body in bodies:  # the first line is there at once
            begun = next((line for part in body for line in part.select(".fragment")), None)
            if begun and body[0].name == "ol":
                del begun["class"]
    else:
        return [slide]
    slides = [Slide(slide.title, slide.kind, body) for body in bodies]
    slides[0].notes = slide.notes
    return slides


def chunks(things: list, size: Callable, most: int) -> list[list]:
    """Cut a list into parts of about the same size, none larger than `most` if that is possible."""
    sizes = [size(thing) for thing in things]
    parts = -(-sum(sizes) // most)
    found, done = [[] for _ in range(parts)], 0
    for thing, part in zip(things, sizes, strict=True):
        found[(2 * done + part) * parts // (2 * sum(sizes))].append(thing)
        done += part
    return [part for part in found if part]


def words(block: Tag) -> str:
    """Return the text of a block, with its formulas once."""
    block = copy(block)
    for hidden in block.select(".katex-mathml"):
        hidden.decompose()
    return block.get_text()


def with_rows(shown: Tag, rows: list[Tag]) -> Tag:
    """Return a table with some of its rows."""
    made = copy(shown)
    made.tbody.clear()
    made.tbody.extend(map(copy, rows))
    return made


def numbered(block: Tag) -> list[Tag]:
    """Return the lines of a list as lists of one line each, other blocks as they are."""
    if block.name != "ol":
        return [block]
    found, first = [], int(block.get("start", 1))
    for number, line in enumerate(block.find_all("li", recursive=False), first):
        alone = fragment(f'<ol start="{number}"></ol>')
        alone.append(line)
        found.append(alone)
    return found


def joined(lines: list[Tag]) -> list[Tag]:
    """Return lines with those of the same list together again."""
    found = lines[:1]
    for line in lines[1:]:
        if line.name == found[-1].name == "ol":
            found[-1].extend(line.contents)
        else:
            found.append(line)
    return found
