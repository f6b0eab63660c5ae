"""What a word or a theorem means, shown beside the link that leads to it: the glossary, and what
the lectures state in blocks.
"""

import csv
import json
import re
from dataclasses import dataclass
from functools import cache

import katex
import pages
import where
from bs4 import BeautifulSoup, NavigableString, Tag
from lectures import Cell, Page, lectures
from nbconvert.filters import markdown2html

PROVED = {"Theorem", "Lemma", "Corollary", "Proposition"}
STATED_AS = re.compile(rf"({'|'.join(PROVED)}|Definition)(?: \((.*)\))?\.?$")
PROPER = r"(?:[A-Z]\w+ ?)+"
SILENT = "a, code, pre, details, em, strong, .katex, .statement"  # where words are no links


@dataclass(frozen=True)
class Statement:
    """A theorem or a definition as a lecture states it, with its anchor on the page."""

    kind: str
    name: str
    html: str  # what follows its name; formulas between dollar signs
    lecture: Page
    cell: Cell
    anchor: str

    @property
    def href(self) -> str:
        """Where it stands on the site."""
        return f"{self.lecture.href}#{self.anchor}"


def statements(course: list[Page]) -> list[Statement]:
    """Return all that the lectures state in blocks, with the anchors that their pages have."""
    found = []
    for lecture in course:
        cells = {c.id: c for c in lecture.cells if not c.is_code and "> **" in c.source}
        shown = (f'<div id="{c.id}">{markdown2html(c.source)}</div>' for c in cells.values())
        soup = BeautifulSoup("".join(shown), "html.parser")
        pages.statements(soup)
        for block in soup.select(".statement"):
            if head := STATED_AS.match(block.strong.get_text()):
                cell = cells[block.find_parent("div")["id"]]
                block.strong.extract()
                html = block.decode_contents().strip()
                found.append(Statement(head[1], head[2] or "", html, lecture, cell, block["id"]))
    return found


@cache
def everywhere() -> list[Statement]:
    """Return what all lectures state."""
    return statements(lectures())


@cache
def glossary() -> list[dict]:
    """Return the terms of the course in their order, each with its anchor, a pattern of all that it
    is called, and what it says.
    """
    with (where.WEB / "glossary.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["id"] = row["term"].replace(" ", "-")
        row["href"] = f"glossary.html#{row['id']}"
        names = [row["term"], *row["also"].split("|")]
        row["names"] = "|".join(sorted(filter(None, map(re.escape, names)), key=len, reverse=True))
        row["html"] = f"<p><b>{row['term']}</b> {row['definition']}</p>"
    return rows


@cache
def named() -> list[dict]:
    """Return the theorems and lemmas that have a proper name, in the form of terms: "Novikoff's
    theorem", "Hoeffding's lemma", "Winnow's bound".
    """
    rows = []
    for s in everywhere():
        names = [re.sub(r" \d+", "", name).strip() for name in s.name.split(",")]
        if s.kind in ("Theorem", "Lemma") and all(re.fullmatch(PROPER, name) for name in names):
            called = f"(?:{'|'.join(names)})['’]s (?:mistake |regret )?(?:theorem|lemma|bound)"
            html = f"<p><b>{s.kind} ({s.name})</b></p>{s.html}"
            rows.append(
                {"href": s.href, "names": called, "html": html, "lecture": s.lecture.number}
            )
    return rows


def linked(lecture: Page) -> list[dict]:
    """Return those terms and theorems of other lectures that a lecture may speak of."""
    text = "".join(cell.source for cell in lecture.cells if not cell.is_code)
    rows = [row for row in [*named(), *glossary()] if row["lecture"] != lecture.number]
    return [row for row in rows if re.search(row["names"], text)]


def mark(soup: BeautifulSoup, lecture: Page) -> None:
    """Lead the first use of each term or theorem of another lecture to where it is explained."""
    terms = {row["href"]: row for row in linked(lecture)}
    quiet = {id(text) for tag in soup.select(SILENT) for text in tag.find_all(string=True)}
    for cell in soup.select(".cell.text"):
        for text in cell.find_all(string=True):
            if id(text) not in quiet and text.find_parent(["p", "li"]):
                place(text, terms)


def place(text: NavigableString, terms: dict) -> None:
    """Make links of the terms in a text, and take them out of those that are still to be met."""
    rows = list(terms.values())  # theorems first, whose names begin with a term; then long ones
    rows.sort(key=lambda row: ("term" in row, -len(row["names"])))
    pattern = "|".join(f"(?P<_{k}>{row['names']})" for k, row in enumerate(rows))
    found = re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", text) if rows else None
    if found:
        row = rows[int(found.lastgroup[1:])]
        before, after = text[: found.start()], NavigableString(text[found.end() :])
        link = Tag(name="a", attrs={"class": "term", "href": row["href"]})
        link.string = found[0]
        del terms[row["href"]]
        text.replace_with(before, link, after)
        place(after, terms)


def told(soup: BeautifulSoup) -> str:
    """Return as JSON what the links of a page to terms and theorems lead to."""
    meant = {row["href"]: row["html"] for row in [*named(), *glossary()]}
    hrefs = dict.fromkeys(link["href"] for link in soup.find_all("a", href=True))
    found = [href for href in hrefs if href in meant]
    made = BeautifulSoup("".join(f"<div>{meant[href]}</div>" for href in found), "html.parser")
    katex.typeset_texts(made)
    texts = [part.decode_contents() for part in made.find_all("div", recursive=False)]
    return json.dumps(dict(zip(found, texts, strict=True)), ensure_ascii=False).replace(
        "</", "<\\/"
    )
