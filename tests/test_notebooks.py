"""The lectures as files: executed, described, tagged, short.

A check takes a notebook and returns its problems in words; the second half plants each defect and
sees it found.
"""

import ast
import html
import re
from copy import deepcopy
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbformat import v4

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
ITEM = re.compile(r"[A-Z0-9]+-[A-Z]?\d+")
LONGEST_CELL = 25
WIDGET = "application/vnd.jupyter.widget-view+json"


def code_cells(nb):
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def code_lines(cell):
    return [line for line in cell.source.splitlines() if line.strip()]


def prose(nb):
    return [cell.source for cell in nb.cells if cell.cell_type == "markdown"]


def tags(nb):
    return {
        tag for cell in nb.cells for tag in cell.metadata.get("tags", []) if ITEM.fullmatch(tag)
    }


def pictures(cell):
    return [output for output in cell.outputs if "image/png" in output.get("data", {})]


def shows_something(cell):
    """Whether the code prints, or ends in an expression."""
    body = ast.parse(cell.source).body
    hidden = (ast.FunctionDef, ast.ClassDef)
    calls = [
        node
        for part in body
        if not isinstance(part, hidden)
        for node in ast.walk(part)
        if isinstance(node, ast.Call)
    ]
    if any(isinstance(call.func, ast.Name) and call.func.id == "print" for call in calls):
        return True
    return bool(body) and isinstance(body[-1], ast.Expr) and "assert_" not in ast.unparse(body[-1])


def unexecuted(nb):
    counts = [cell.execution_count for cell in code_cells(nb)]
    expected = range(1, len(counts) + 1)
    return [
        f"code cell {i} has execution count {count}"
        for i, count in zip(expected, counts, strict=True)
        if i != count
    ]


def errors(nb):
    return [
        f"code cell {i} stores the error {output.ename}"
        for i, cell in enumerate(code_cells(nb), 1)
        for output in cell.outputs
        if output.output_type == "error"
    ]


def stripped(nb):
    return [
        f"code cell {i} shows something but stores no output: {cell.source.splitlines()[-1]}"
        for i, cell in enumerate(code_cells(nb), 1)
        if shows_something(cell) and not cell.outputs
    ]


def pictureless(nb):
    return [] if any(map(pictures, code_cells(nb))) else ["no picture is stored"]


def repeated(nb):
    """Pictures that were shown before: an explorer opens on another setting than the figure above
    it.
    """
    shown = [
        (output.data["image/png"], i)
        for i, cell in enumerate(code_cells(nb), 1)
        for output in pictures(cell)
    ]
    first = dict(reversed(shown))
    again = [here for k, here in enumerate(shown) if here[0] in dict(shown[:k])]
    return [
        f"code cell {i} shows the picture of code cell {first[picture]} again"
        for picture, i in again
    ]


def undescribed(nb):
    problems = []
    for i, cell in enumerate(code_cells(nb), 1):
        shown = [output.data for output in cell.outputs if "text/html" in output.get("data", {})]
        visible = [
            html.unescape(re.sub("<[^>]+>", "", data["text/html"]))
            for data in shown
            if WIDGET not in data
        ]
        for output in pictures(cell):
            alt = output.metadata.get("image/png", {}).get("alt", "")
            if len(alt) < 40 or not re.search(r"\d", alt):
                problems.append(
                    f"code cell {i}: alt text of 40 characters with a number expected, found"
                    f" {alt!r}"
                )
            elif not any(alt in text for text in visible):
                problems.append(
                    f"code cell {i}: the alt text is not visible in an HTML output: {alt!r}"
                )
    return problems


def long_cells(nb):
    sizes = enumerate(map(len, map(code_lines, code_cells(nb))), 1)
    return [
        f"code cell {i} has {size} lines, {LONGEST_CELL} are allowed"
        for i, size in sizes
        if size > LONGEST_CELL
    ]


def headings_out_of_order(nb):
    text = re.sub(r"(?ms)^```.*?^```", "", "\n\n".join(prose(nb)))
    found = re.findall(r"(?m)^(#{1,6}) +(.*)", text)
    levels = [len(marks) for marks, _ in found]
    problems = (
        []
        if levels[:1] == [1] and levels.count(1) == 1
        else ["one title (#) expected, as the first heading"]
    )
    jumps = [
        title
        for before, after, (_, title) in zip(levels, levels[1:], found[1:], strict=False)
        if after > before + 1
    ]
    return problems + [f"the heading {title!r} skips a level" for title in jumps]


def imports_not_first(nb):
    first = code_cells(nb)[0]
    statements, lines = ast.parse(first.source).body, code_lines(first)
    only = all(isinstance(statement, ast.Import | ast.ImportFrom) for statement in statements)
    return (
        []
        if only and len(statements) <= 3 and len(lines) <= 6 and max(map(len, lines)) <= 100
        else ["the first code cell must be at most three imports, six lines and 100 columns"]
    )


CHECKS = [
    unexecuted,
    errors,
    stripped,
    pictureless,
    repeated,
    undescribed,
    long_cells,
    headings_out_of_order,
    imports_not_first,
]


def style(name, nb):
    """One line of numbers to compare with the admired notebooks."""
    lines = [len(code_lines(cell)) for cell in code_cells(nb)]
    words = sum(len(text.split()) for text in prose(nb))
    median, most = np.percentile(lines, [50, 90])
    ratio = len(prose(nb)) / len(lines)
    return (
        f"{name:34}{len(lines):10}{median:15.0f}{most:5.0f}{ratio:16.2f}{words / sum(lines):16.1f}"
    )


def read(path):
    nb = nbformat.read(path, 4)
    nbformat.validate(nb)
    return nb


def test_there_are_lectures():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_structure(path, check):
    assert check(read(path)) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_style_report(path, record_property):
    record_property("style", style(path.stem, read(path)))


def test_items_are_unique_and_named(items):
    ids = [row["id"] for row in items]
    assert len(set(ids)) == len(ids) and all(map(ITEM.fullmatch, ids))
    assert all(row["title"].strip() for row in items)


def test_every_item_tag_is_known(items):
    known = {row["id"] for row in items}
    assert {path.stem: unknown for path in NOTEBOOKS if (unknown := tags(read(path)) - known)} == {}


def test_every_item_of_the_existing_lectures_is_taught(items):
    numbers = {int(path.name[:2]) for path in NOTEBOOKS}
    due = {
        row["id"] for row in items if row["lecture"].isdigit() and int(row["lecture"]) in numbers
    }
    assert due
    assert sorted(due - set.union(*map(tags, map(read, NOTEBOOKS)))) == []


ALT = "After 40 trials the learner made 3 mistakes & the bound is 7."


@pytest.fixture
def lecture():
    """A small notebook without any defect."""
    picture = v4.new_output(
        "display_data", {"image/png": "iVBORw0KGgo="}, metadata={"image/png": {"alt": ALT}}
    )
    caption = v4.new_output(
        "display_data", {"text/html": f'<p class="olc-caption">{html.escape(ALT)}</p>'}
    )
    printed = v4.new_output("stream", text="3\n")
    return v4.new_notebook(
        cells=[
            v4.new_markdown_cell("# Title\n\n## Part\n\n```\n# no heading\n```"),
            v4.new_code_cell("import numpy as np", execution_count=1),
            v4.new_code_cell("print(3)", execution_count=2, outputs=[printed]),
            v4.new_code_cell(
                "draw()",
                execution_count=3,
                outputs=[picture, caption],
                metadata={"tags": ["WM-T1", "wide"]},
            ),
        ]
    )


def plant_unexecuted(nb):
    nb.cells[2].execution_count = None


def plant_wrong_order(nb):
    nb.cells[2].execution_count, nb.cells[3].execution_count = 3, 2


def plant_error(nb):
    nb.cells[2].outputs.append(v4.new_output("error", ename="ValueError", evalue="", traceback=[]))


def plant_stripped(nb):
    for cell in code_cells(nb):
        cell.outputs = []


def plant_stripped_print(nb):
    nb.cells[2].source, nb.cells[2].outputs = "for i in range(3):\n    print(i)\nx = 1", []


def plant_no_picture(nb):
    nb.cells[3].outputs.pop(0)


def plant_picture_again(nb):
    nb.cells[3].outputs.append(nb.cells[3].outputs[0])


def plant_picture_in_another_cell(nb):
    nb.cells[2].outputs.append(nb.cells[3].outputs[0])


def plant_no_alt(nb):
    nb.cells[3].outputs[0].metadata = {}


def plant_alt_without_number(nb):
    nb.cells[3].outputs[0].metadata["image/png"]["alt"] = (
        "The learner made few mistakes, the bound is larger."
    )


def plant_hidden_caption(nb):
    nb.cells[3].outputs.pop(1)


def plant_caption_behind_widget(nb):
    nb.cells[3].outputs[1].data[WIDGET] = {"model_id": "1"}


def plant_long_cell(nb):
    nb.cells[2].source = "\n".join(["print(3)"] * 30)


def plant_two_titles(nb):
    nb.cells.append(v4.new_markdown_cell("# Another title"))


def plant_skipped_level(nb):
    nb.cells.append(v4.new_markdown_cell("#### Too deep"))


def plant_code_among_imports(nb):
    nb.cells[1].source += "\nx = 1"


def plant_four_imports(nb):
    nb.cells[1].source = "import os\n" * 4


def plant_wide_import(nb):
    nb.cells[1].source = f"import {', '.join(['numpy'] * 15)}"


def plant_long_import(nb):
    nb.cells[1].source = "from numpy import (\n    abs,\n    all,\n    any,\n    max,\n    min,\n)"


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_good_notebook_passes(lecture, check):
    assert check(lecture) == []


@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (plant_unexecuted, unexecuted),
        (plant_wrong_order, unexecuted),
        (plant_error, errors),
        (plant_stripped, stripped),
        (plant_stripped, pictureless),
        (plant_stripped_print, stripped),
        (plant_no_picture, pictureless),
        (plant_picture_again, repeated),
        (plant_picture_in_another_cell, repeated),
        (plant_no_alt, undescribed),
        (plant_alt_without_number, undescribed),
        (plant_hidden_caption, undescribed),
        (plant_caption_behind_widget, undescribed),
        (plant_long_cell, long_cells),
        (plant_two_titles, headings_out_of_order),
        (plant_skipped_level, headings_out_of_order),
        (plant_code_among_imports, imports_not_first),
        (plant_four_imports, imports_not_first),
        (plant_wide_import, imports_not_first),
        (plant_long_import, imports_not_first),
    ],
    ids=lambda function: function.__name__,
)
def test_a_planted_defect_is_found(lecture, plant, check):
    broken = deepcopy(lecture)
    plant(broken)
    assert check(broken)


def test_tags_that_look_like_items_are_found(lecture):
    assert tags(lecture) == {"WM-T1"}
