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
    """Return the terms of the course in their order, each with its anchor and a pattern of all that
    it is called.
    """
    with (where.WEB / "glossary.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["id"] = row["term"].replace(" ", "-")
        names = [row["term"], *row["also"].split("|")]
        row["names"] = "|".join(sorted(filter(None, map(re.escape, names)), key=len, reverse=True))
    return rows


def mark(soup: BeautifulSoup, lecture: Page) -> None:
    """Lead the first use of each term of another lecture to the glossary."""
    terms = {row["id"]: row for row in glossary() if row["lecture"] != lecture.number}
    quiet = {id(text) for tag in soup.select(SILENT) for text in tag.find_all(string=True)}
    for cell in soup.select(".cell.text"):
        for text in cell.find_all(string=True):
            if id(text) not in quiet and text.find_parent(["p", "li"]):
                place(text, terms)


def place(text: NavigableString, terms: dict) -> None:
    """Make links of the terms in a text, and take them out of those that are still to be met."""
    names = sorted(terms.values(), key=lambda row: -len(row["term"]))  # long ones first
    pattern = "|".join(f"(?P<_{k}>{row['names']})" for k, row in enumerate(names))
    found = re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", text) if names else None
    if found:
        row = names[int(found.lastgroup[1:])]
        before, after = text[: found.start()], NavigableString(text[found.end() :])
        link = Tag(name="a", attrs={"class": "term", "href": f"glossary.html#{row['id']}"})
        link.string = found[0]
        del terms[row["id"]]
        text.replace_with(before, link, after)
        place(after, terms)


def linked(lecture: Page) -> dict[str, Statement]:
    """Return the statements that a lecture has links to, by the ends of their addresses."""
    stated = {f"cell-{s.cell.id}": s for s in reversed(everywhere())}
    text = "".join(cell.source for cell in lecture.cells if not cell.is_code)
    ids = re.findall(r"\.ipynb#cell-id=([\w-]+)\)", text)
    return {f"cell-{each}": stated[f"cell-{each}"] for each in ids if f"cell-{each}" in stated}


def told(soup: BeautifulSoup, lecture: Page) -> str:
    """Return as JSON what the links of a page to terms and theorems lead to."""
    stated = linked(lecture)
    meant = {f"glossary.html#{row['id']}": row for row in glossary()}
    found = {}
    for link in soup.find_all("a", href=True):
        href = link["href"]
        if row := meant.get(href):
            found[href] = f"<p><b>{row['term']}</b> {row['definition']}</p>"
        elif s := stated.get(href.partition("#")[2]):
            name = f" ({s.name})" if s.name else ""
            found[href] = f"<p><b>{s.kind}{name}</b></p>{s.html}"
    shown = "".join(f"<div>{html}</div>" for html in found.values())
    made = BeautifulSoup(shown, "html.parser")
    katex.typeset_texts(made)
    texts = [part.decode_contents() for part in made.find_all("div", recursive=False)]
    return json.dumps(dict(zip(found, texts, strict=True)), ensure_ascii=False).replace(
        "</", "<\\/"
    )
