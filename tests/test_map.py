"""The map of the course: complete, without dead links, readable without eyes, and honest about what
is not there yet.
"""

import csv
import json
import re
import subprocess
import sys
from xml.etree import ElementTree

import nbformat
import pytest
from conftest import ROOT

from olc_helpers import errata, figures, learners, theorems
from olc_helpers.checks import summary
from olc_helpers.overview.course import ITEM, PATHS, Course
from olc_helpers.overview.graph import BOX, MANY, direct, places
from olc_helpers.table import Table, words

FOLDER = ROOT / "notebooks"
OURS = ("TIGHT-", "EG-")  # families of items that stand in none of the sources
TABLES = [
    "graph",
    "paths",
    "reading_order",
    "algorithms",
    "theorems",
    "printed_claims",
    "figures",
    "items",
]


@pytest.fixture(scope="module")
def course():
    return Course(FOLDER)


@pytest.fixture(scope="module")
def items(items):
    """The rows of notebooks/items.csv by ID."""
    return {row["id"]: row for row in items}


def parsed(course, name):
    """The table as a tree; this fails if a tag is not closed or a character not escaped."""
    return ElementTree.fromstring(f"<div>{getattr(course, name)()._repr_html_()}</div>")


def cells(course, name, column):
    """The texts in one column of the body of a table."""
    return ["".join(row[column].itertext()) for row in parsed(course, name).iterfind(".//tbody/tr")]


def write_lecture(folder, name, *sections, opening=None):
    """A lecture with sections (heading, tags, code) under the usual first cell."""
    opening = opening or (
        f"# {int(name[:2])} · Why? <A & B>\n\n**After this lecture you can** ask *why* if $a <"
        " b$.\n**It builds on** [lecture 1](01_a.ipynb) alone. **Time:** 20 minutes."
    )
    parts = [("markdown", opening, [])]
    for heading, tags, code in sections:
        parts += [("markdown", f"## {heading}", tags), ("code", code, tags)]
    written = [
        {
            "cell_type": kind,
            "id": f"{i}",
            "source": source.splitlines(keepends=True),
            "metadata": {"tags": tags},
        }
        for i, (kind, source, tags) in enumerate(parts)
    ]
    (folder / f"{name}.ipynb").write_text(json.dumps({"cells": written}), encoding="utf-8")


@pytest.fixture
def small(tmp_path):
    """A course of lectures 01 and 02 in which lecture 03 is planned."""
    (tmp_path / "items.csv").write_text(
        "id,lecture,title\nHALV-A1,01,Halving & more\nWM-A1,02,Weights\nREG-D1,03,Regret\n",
        encoding="utf-8",
    )
    write_lecture(tmp_path, "00_map", opening="# The map has no promise")
    write_lecture(
        tmp_path,
        "01_a",
        ("The setting: $n$ experts", ["HALV-A1"], "from olc_helpers.proofs import halving_bound"),
        (
            "Proof",
            ["HALV-P1"],
            "halving_bound(run)\nprinted_wm_regret(run)\nfigures.halving_run(n=3)",
        ),
    )
    write_lecture(
        tmp_path, "02_b", ("Again", ["HALV-A1", "other"], "pass"), ("Again", ["HALV-A1"], "pass")
    )
    return tmp_path


def test_every_item_of_the_sources_is_listed(items):
    ours = {item for item in items if item.startswith(OURS)}
    assert {item for item in ours if "TIGHT" in item} == {f"TIGHT-{k}" for k in range(1, 14)}
    assert len(items) - len(ours) == 247, "does no source have the new item? Its family is of OURS"
    assert all(map(ITEM.fullmatch, items))
    assert {row["lecture"] for row in items.values()} == {f"{k:02d}" for k in range(1, 20)}


def test_titles_of_items_are_short_plain_and_different(items):
    titles = [row["title"] for row in items.values()]
    assert [title for title in titles if not 3 <= len(title.split()) <= 11] == []
    assert [
        title
        for title in titles
        if re.search(r"[$\\]|\bS\d\b|\bE\d-\d", title) or title != title.strip()
    ] == []
    assert len(set(titles)) == len(titles)


def test_learners_and_theorems_name_known_items(items):
    lines = {name: summary(getattr(learners, name)) for name in learners.__all__}
    assert {
        name for name, line in lines.items() if not set(ITEM.findall(line)) & set(items)
    } == set()
    for name, theorem in theorems().items():
        assert {items[item]["lecture"] for item in theorem.items} == {theorem.lecture}, name


@pytest.mark.parametrize("name", TABLES)
def test_no_link_is_dead(course, name):
    cells_of = {
        path.name: {cell.id for cell in nbformat.read(path, 4).cells}
        for path in FOLDER.glob("*.ipynb")
    }
    links = [link.get("href").partition("#") for link in parsed(course, name).iter("a")]
    assert links and [link for link in links if link[0] not in cells_of] == []
    assert [
        link
        for link in links
        if link[2] and link[2].removeprefix("cell-id=") not in cells_of[link[0]]
    ] == []


@pytest.mark.parametrize("name", [*TABLES[1:], "notation"])
def test_tables_can_be_read_aloud(course, name):
    tree = parsed(course, name)
    for table in tree.iter("table"):
        columns = [th.get("scope") for th in table.iterfind("thead/tr/th")]
        assert table.find("caption").text and set(columns) == {"col"}
        rows = table.findall("tbody/tr")
        assert rows and all(
            row[0].tag == "th" and row[0].get("scope") == "row" and len(row) == len(columns)
            for row in rows
        )


def test_the_tables_are_complete(course, items):
    assert cells(course, "reading_order", 0) == [
        f"{lecture.title}, {lecture.minutes} minutes" for lecture in course.lectures.values()
    ]
    assert [call.partition("(")[0] for call in cells(course, "algorithms", 0)] == learners.__all__
    assert sorted(cells(course, "theorems", 2)) == sorted(theorems())
    assert sorted(cells(course, "printed_claims", 2)) == sorted(errata())
    assert sorted(call.partition("(")[0] for call in cells(course, "figures", 0)) == sorted(
        figures.load()
    )
    assert cells(course, "items", 0) == [
        item for item, row in items.items() if row["lecture"] in course.lectures
    ]


def test_the_notation_is_that_of_the_file(course):
    with open(FOLDER / "notation.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert cells(course, "notation", 0) == [row["symbol"] for row in rows]
    assert cells(course, "notation", 2) == [row["elsewhere"] for row in rows]
    assert [title.partition(":")[0] for title in course.notation()][0] == "Everywhere"


def test_every_lecture_is_a_box_that_opens_it(course):
    links = [(link.get("href"), link.text) for link in parsed(course, "graph").iter("a")]
    assert sorted(links) == [(each.file, each.title) for each in course.lectures.values()]
    boxes = [box for box, *_ in course.graph().links]
    apart = [
        abs(x - u) >= w or abs(y - v) >= h
        for i, (x, y, w, h) in enumerate(boxes)
        for u, v, *_ in boxes[:i]
    ]
    assert all(apart) and all(x > 0 and y > 0 and x + w < 1 and y + h < 1 for x, y, w, h in boxes)


def test_the_text_of_a_box_stands_in_it(course):
    fig = course.graph().figure
    fig.draw_without_rendering()
    size = fig.bbox.size
    texts = [text.get_window_extent() for text in fig.axes[0].texts if " · " in text.get_text()]
    assert len(texts) == len(course.lectures)
    assert all(box.width / size[0] < BOX[0] and box.height / size[1] < BOX[1] for box in texts)


def test_arrows_are_what_the_lectures_say_they_build_on(course):
    told = course.graph().figure.description
    for number, lecture in course.lectures.items():
        named = {int(k) for k in re.findall(r"\]\((\d\d)_", lecture.builds_on)}
        shown = re.search(rf"\b{int(number)} builds on ([\d and]+)", told)
        assert {int(k) for k in re.findall(r"\d+", shown[1] if shown else "")} <= named, number
        assert bool(shown) == (0 < len(named) <= MANY), number
        assert (f"{int(number)} looks back on {len(named)} lectures" in told) == (len(named) > MANY)


def test_a_box_stands_below_what_it_builds_on():
    parents = {"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": set(), "e": {"b"}}
    at = places(direct(parents))
    assert direct(parents)["c"] == {"b"}
    assert at["a"][1] > at["b"][1] > at["c"][1] == at["e"][1] == at["d"][1]


def test_paths_name_lectures_in_an_order_that_can_be_read(course):
    for numbers, _ in PATHS.values():
        assert numbers.split() == sorted(numbers.split()) and {*numbers.split()} <= {
            *course.lectures
        }
    minutes = dict(zip(cells(course, "paths", 0), cells(course, "paths", 2), strict=True))
    assert minutes["Use Winnow on your own data"] == f"{course.lectures['11'].minutes}"
    assert minutes["Assign homework"] == ""


def test_every_item_of_a_lecture_has_a_section(course):
    assert [
        item
        for item, where in zip(cells(course, "items", 0), cells(course, "items", 2), strict=True)
        if not where
    ] == []


@pytest.mark.parametrize("name", ["algorithms", "theorems", "figures"])
def test_what_a_lecture_should_show_is_in_one_of_its_cells(course, name):
    assert [
        link.text for link in parsed(course, name).iter("a") if "#" not in link.get("href")
    ] == []


def test_lectures_that_do_not_exist_are_planned(small):
    course = Course(small)
    assert list(course.lectures) == ["01", "02"] and course.planned() == [3]
    assert (
        course.reading_order().caption == "Lectures in reading order, 40 minutes in all; planned: 3"
    )
    rows = dict(zip(cells(course, "theorems", 2), cells(course, "theorems", 0), strict=True))
    assert rows["halving_bound"] == "1 · Halving's mistake bound"
    assert rows["wa_entropic"].startswith("3 · ") and rows["wa_entropic"].endswith(
        " (lecture planned)"
    )
    assert [title for title in course.figures() if title.startswith("3 · planned: ")]


def test_links_lead_to_the_cell(small):
    course = Course(small)
    assert course.sections("HALV-A1", home="01") == [
        '<a href="01_a.ipynb#cell-id=1">The setting: $n$ experts</a>',
        '<a href="02_b.ipynb#cell-id=1">2 · Again</a>',
    ]
    assert course.lectures["01"].link() == '<a href="01_a.ipynb">1 · Why? &lt;A &amp; B&gt;</a>'
    assert (
        course.first("01", "x", lambda cell: "HALV-P1" in cell.tags)
        == '<a href="01_a.ipynb#cell-id=3">x</a>'
    )
    assert (
        course.first("02", "x", lambda cell: "HALV-P1" in cell.tags) == '<a href="02_b.ipynb">x</a>'
    )


def test_a_theorem_is_where_it_is_called_and_a_figure_where_it_is_drawn(small):
    course = Course(small)
    links = {
        link.text: link.get("href")
        for name in ("theorems", "figures")
        for link in parsed(course, name).iter("a")
    }
    assert (
        links["1 · Halving's mistake bound"]
        == links[figures.halving_run.title]
        == "01_a.ipynb#cell-id=4"
    )


def test_signs_in_titles_are_escaped(small):
    assert cells(Course(small), "items", 1) == ["Halving & more", "Weights"]
    assert list(Course(small).items()) == ["1 · Why? <A & B>: 1 items", "2 · Why? <A & B>: 1 items"]


def test_figures_of_a_theorem_share_an_item_with_it(small):
    rows = dict(
        zip(cells(Course(small), "theorems", 2), cells(Course(small), "theorems", 4), strict=True)
    )
    assert rows["halving_bound"] == "halving_run" and rows["wm_bound"] == ""


def test_the_promise_of_a_lecture_is_shown_as_it_is_meant(small):
    lecture, learn, builds_on = Course(small).reading_order().rows[0]
    assert learn == "ask <em>why</em> if $a &lt; b$" and lecture.endswith("</a>, 20 minutes")
    assert builds_on == '<a href="01_a.ipynb">lecture 1</a> alone'


def test_a_lecture_without_its_minutes_is_named(small):
    write_lecture(
        small,
        "03_c",
        opening="# 3 · Title\n\n**After this lecture you can** ask.\n**It builds on** nothing.",
    )
    with pytest.raises(ValueError, match="03_c.ipynb"):
        Course(small)


def test_only_the_folder_matters(course, monkeypatch):
    monkeypatch.chdir(FOLDER)
    for name in TABLES:
        here, there = getattr(Course(), name)(), getattr(course, name)()
        assert here._repr_html_() == there._repr_html_() and repr(here) == repr(there)


@pytest.mark.parametrize("name", TABLES)
def test_the_text_says_the_same(course, name):
    text = repr(getattr(course, name)())
    assert not re.search(r"</?(?:td|th|tr|a|code|details)\b|&amp;|&lt;", text)
    text = re.sub("[_{}]", "", text)  # an index has no mark in a cell
    assert all(re.sub("[_{}]", "", cell) in text for cell in cells(course, name, 0))


def test_the_map_needs_no_matplotlib():
    code = (
        "import sys; from olc_helpers.mapping import Course; Course().items(); print('matplotlib'"
        " in sys.modules)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=FOLDER, capture_output=True, encoding="utf-8", check=True
    )
    assert process.stdout == "False\n"


def test_links_between_lectures_carry_the_title_of_the_lecture(course):
    titles = {lecture.file: lecture.title for lecture in course.lectures.values()}
    assert len(titles) >= 14
    for file in sorted(FOLDER.glob("*.ipynb")):
        text = "\n".join(
            cell.source for cell in nbformat.read(file, 4).cells if cell.cell_type == "markdown"
        )
        for shown, target in re.findall(r"\[([^\]]+)\]\((\d\d_\w+\.ipynb)\)", text):
            assert (FOLDER / target).is_file(), f"{file.name} links to {target}, which is not there"
            if re.match(r"\d+ ·", shown):
                assert shown == titles[target], f"{file.name} calls {target} {shown!r}"
    last = max(titles)
    for file in titles:
        if file != last:
            assert "**Next:**" in (FOLDER / file).read_text(encoding="utf-8"), (
                f"{file} does not say what comes next"
            )


def test_an_index_stands_below_its_letter_in_html_and_behind_it_in_text():
    table = Table("", ("",), [(words("w_1 < w_{t+1,i} of wm_bound"),)])
    assert "w<sub>1</sub> &lt; w<sub>t+1,i</sub> of wm_bound" in table._repr_html_()
    assert repr(table).endswith("w_1 < w_{t+1,i} of wm_bound")
