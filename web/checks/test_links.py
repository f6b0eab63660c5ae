"""Every link, picture, script and anchor of the site leads to something that is there."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from bs4 import BeautifulSoup
from conftest import LECTURES, PAGES
from where import NOTEBOOKS, SITE

ATTRIBUTES = {"href", "src", "poster", "data", "popovertarget", "for"}
TOLD = {"name": "description", "property": "og:image", "rel": "icon"}
BRIEF = {("11", 3), ("13", 4), ("21", 3)}  # exercises with one word of help
LISTS = {"aria-labelledby", "aria-describedby", "aria-controls"}


class Addresses(HTMLParser):
    """The anchors of a page and everything that it points to, as (tag, attribute, target)."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.targets, self.told = [], [], {}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        for name, value in TOLD.items():
            if named.get(name) == value:
                self.told[value] = named.get("content") or named["href"]
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            elif name in {"popovertarget", "for"}:
                self.targets.append((tag, name, f"#{value}"))
            elif name in LISTS:
                self.targets += [(tag, name, f"#{each}") for each in value.split()]
            elif name in ATTRIBUTES:
                self.targets.append((tag, name, value))


@pytest.fixture(scope="module")
def pages():
    """All pages of the site by their paths."""
    return {path: Addresses(path) for path in sorted(SITE.rglob("*.html"))}


def test_no_anchor_is_there_twice(pages):
    for path, page in pages.items():
        twice = {each for each in page.ids if page.ids.count(each) > 1}
        assert twice == set(), path.relative_to(SITE)


def test_every_link_resolves(pages):
    dead = []
    for path, page in pages.items():
        for tag, _, target in page.targets:
            url = urlsplit(target)
            if url.scheme or url.netloc:
                continue
            there = (path.parent / unquote(url.path)).resolve() if url.path else path
            if not there.is_relative_to(SITE) or not there.is_file():
                dead.append(f"{path.name}: {tag} {target}: no such file")
            elif url.fragment and there in pages and unquote(url.fragment) not in pages[there].ids:
                dead.append(f"{path.name}: {tag} {target}: no such anchor")
    assert not dead, "\n".join(dead)


def test_what_the_search_finds_is_there(pages):
    text = (SITE / "static/index.js").read_text(encoding="utf-8")
    entries = json.loads(text[text.index("[") : text.rindex("]") + 1])
    assert len(entries) > 500
    for _, title, target, _, _ in entries:
        path, _, anchor = target.partition("#")
        assert SITE / path in pages, (title, target)
        assert not anchor or anchor in pages[SITE / path].ids, (title, target)


def test_only_links_leave_the_site(pages):
    for path, page in pages.items():
        for tag, name, target in page.targets:
            url = urlsplit(target)
            if url.scheme not in ("", "data"):
                assert (tag, name) == ("a", "href"), f"{path.name} loads {target}"
                assert url.scheme in ("https", "mailto"), f"{path.name}: {target}"


def test_lectures_link_to_their_notebook_to_binder_and_to_their_slides(pages):
    for path, page in pages.items():
        if path.name in LECTURES and path.parent == SITE:
            links = [target for tag, _, target in page.targets if tag == "a"]
            assert any(each.endswith(f"notebooks/{path.stem}.ipynb") for each in links)
            assert any("mybinder.org" in each and path.stem in each for each in links)
            assert f"slides/{path.name}" in links and f"course.pdf#l{path.name[:2]}" in links


def test_nothing_leads_to_the_solved_homework(pages):
    """Which stands beside the lectures in the repository."""
    links = [target for page in pages.values() for _, _, target in page.targets]
    assert len(links) > 1000
    assert [
        target for target in links if "homework" in target and "#A-homework" not in target
    ] == []


def test_no_page_has_what_solves_the_homework(pages):
    """Neither what marks a solution, nor one that is long enough to be nobody else's."""
    begin, end = "### BEGIN SOLUTION", "### END SOLUTION"
    solved = []
    for file in NOTEBOOKS.glob("homework/*/*.ipynb"):
        for cell in nbformat.read(file, 4).cells:
            parts = [part.partition(end)[0] for part in cell.source.split(begin)[1:]]
            solved += [line.strip() for part in parts for line in part.splitlines()]
    ours = "".join(path.read_text(encoding="utf-8") for path in NOTEBOOKS.glob("[0-9]*.ipynb"))
    ours = ours.replace('\\"', '"')
    own = {line for line in solved if len(line) > 40 and line not in ours}
    assert len(own) > 50
    for path in [*pages, SITE / "static/index.js"]:
        text = unescape(re.sub(r"<[^>]+>", "", path.read_text(encoding="utf-8")))
        assert begin not in text, path.name
        assert [line for line in own if line in text] == [], path.name


def test_each_page_has_a_description_an_icon_and_a_picture_to_share(pages):
    for name in PAGES:
        told = pages[SITE / name].told
        assert set(told) == set(TOLD.values()) and len(told["description"]) > 40, name
        assert (SITE / name).parent.joinpath(told["icon"]).is_file()
    shared = SITE / told["og:image"].partition("cards/")[1] / "social.png"
    assert shared.read_bytes()[16:24] == bytes.fromhex("000004b000000276"), "1200 x 630"


def test_each_exercise_opens_in_steps():
    for name in LECTURES[1:]:
        page = BeautifulSoup((SITE / name).read_text(encoding="utf-8"), "html.parser")
        for number, exercise in enumerate(page.select("[id^=exercise-]"), 1):
            after = exercise.find_parent("ol").find_next_sibling("details")
            steps = exercise.find_all("details")
            if after and not steps:
                steps = [after, *after.find_all("details")]
            assert len(steps) >= (1 if (name[:2], number) in BRIEF else 2), (name, number)


def test_each_section_has_a_link_to_report_what_is_wrong(pages):
    for path, page in pages.items():
        if path.name in LECTURES and path.parent == SITE:
            links = [unquote(target) for _, _, target in page.targets if "issues/new" in target]
            assert len(links) > 4
            named = {link.rpartition("#")[2] for link in links if "#" in link}
            assert len(named) == len(links) - 1 and named <= set(page.ids), path.name
