"""What is made of a submission outside the sandbox has limits, too: of time, of memory, of size."""

import html
import shutil
import time
from xml.dom import minidom

import nbformat
import numpy as np
import pytest
from coursework import copy_of, hand_in, submission, table
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from grader import grade as grading
from grader import report as reporting
from grader.formulas import DEEPEST, Unknown, mathml, typeset
from grader.sandbox import Limits
from grader.sanitize import NOTEBOOK, OUTPUTS, PICTURE, TEXT, bound

LIMITS = Limits(cell=5, total=60, memory=700)
NAME, LONG = "tiny", "it took too long to format"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def course_of_two(template, folder):
    """Return a course with two submissions, both right; the other one is bob's."""
    course = copy_of(template, folder)
    for student in ("ada", "bob"):
        hand_in(course, student, submission(NAME, {"why": f"says {student}"}), NAME)
    return course


@pytest.fixture
def two(tmp_path, template, tried_sandbox):
    return course_of_two(template, tmp_path)


@pytest.fixture(scope="module")
def graded_once(tmp_path_factory, template, tried_sandbox):
    course = course_of_two(template, tmp_path_factory.mktemp("two"))
    assert grading.grade(course, NAME, 2, LIMITS) == 0
    return course


@pytest.fixture
def two_graded(graded_once):
    """The two are graded, and nothing is reported yet."""
    for folder in ("grades", "feedback"):
        shutil.rmtree(graded_once / folder, ignore_errors=True)
    return graded_once


def too_much(megabytes):
    """Ask for more memory than there may be; where nothing limits it, nothing is used either."""
    assert np.empty(megabytes * 2**20, np.uint8).size


# Time and memory ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "trouble",
    [lambda: time.sleep(60), lambda: too_much(LIMITS.memory + 2100)],
    ids=["time", "memory"],
)
def test_notebook_that_is_hard_to_disarm_is_shown_as_plain_text(two, trouble, monkeypatch):
    honest = grading.disarm

    def hard(nb, trusted):
        if "says bob" in str(nb):
            trouble()
        honest(nb, trusted)

    monkeypatch.setattr(grading, "disarm", hard)
    monkeypatch.setattr(grading, "SHOW", 3)
    assert grading.grade(two, NAME, 2, LIMITS) == 0
    shown = {s: (two / f"autograded/{s}/{NAME}/{NAME}.ipynb").read_text() for s in ("ada", "bob")}
    assert LONG in shown["bob"] and LONG not in shown["ada"]
    assert reporting.report(two, [NAME]) == 0
    found = table(two, NAME)
    assert {row["double_check"] for row in found.values()} == {"10"}, "nobody loses a point"


def test_page_that_takes_too_much_memory_is_left_out_and_named(two_graded, monkeypatch, capsys):
    honest = reporting.feedback

    def large(course, name, row, *rest):
        if row.student == "bob":
            too_much(reporting.PAGE_MEMORY + 100)
        honest(course, name, row, *rest)

    monkeypatch.setattr(reporting, "feedback", large)
    assert reporting.report(two_graded, [NAME]) == 1
    assert "bob  NO FEEDBACK PAGE: " in capsys.readouterr().out
    assert [page.parts[-3] for page in two_graded.glob("feedback/*/*/*.html")] == ["ada"]


def test_tables_are_there_before_the_first_page(two_graded, monkeypatch):
    def look(course, name, row, *_):
        assert set(table(course.root, name)) == {"ada", "bob"}
        assert "ada" in (course.root / "grades/index.html").read_text()

    monkeypatch.setattr(reporting, "feedback", look)
    assert reporting.report(two_graded, [NAME]) == 0


@pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium: browser tests left out; `tools/system.sh` installs it"
)
def test_page_is_as_wide_as_its_window_and_columns_keep_apart(tmp_path, template, tried_sandbox):
    from playwright.sync_api import sync_playwright

    course = copy_of(template, tmp_path)
    formula, line = "$" + r"\sqrt" * 900 + "x$", "x" * 1000
    why = f"| one | two |\n|---|---|\n| 1 | 2 |\n\n{formula}\n\n`{line}`"
    wide = f"\nprint({line!r})\nfrom IPython.display import HTML\n"
    wide += "HTML('<table><tr>' + '<td>wide</td>' * 90)"
    answer = {"why": why, "double": "def double(x):\n    return 2 * x" + wide}
    hand_in(course, "ada", submission(NAME, answer), NAME)
    assert grading.grade(course, NAME, 1, LIMITS) == 0 and reporting.report(course, [NAME]) == 0
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 800, "height": 600})
        tab.goto((course / f"feedback/ada/{NAME}/{NAME}.html").as_uri())
        assert tab.evaluate("() => document.documentElement.scrollWidth") == 800
        padding = "e => parseFloat(getComputedStyle(e).paddingRight)"
        cells = tab.query_selector_all("td, th")
        assert len(cells) == 94 and min(cell.evaluate(padding) for cell in cells) > 5
        browser.close()


# Size ---------------------------------------------------------------------------------------------


def error(**parts):
    return new_output("error", **{"ename": "E", "evalue": "v", "traceback": ["t"]} | parts)


def shown(mime):
    return lambda text: new_output("display_data", {mime: text})


KINDS = {  # a kind of output: how to make it of a text, and how many characters may be left of it
    "printed": (lambda text: new_output("stream", name="stdout", text=text), TEXT),
    "text": (shown("text/plain"), TEXT),
    "html": (shown("text/html"), TEXT),
    "latex": (shown("text/latex"), TEXT),
    "other": (shown("application/javascript"), TEXT),
    "png": (shown("image/png"), 100),
    "svg": (shown("image/svg+xml"), 100),
    "kind of an error": (lambda text: error(ename=text), 100),
    "words of an error": (lambda text: error(evalue=text), 10_000),
    "long line of a traceback": (lambda text: error(traceback=[text]), TEXT),
    "many lines of a traceback": (
        lambda text: error(traceback=["x" * 10] * (1 + len(text) // 100)),
        TEXT,
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_output_is_cut_and_says_so(kind):
    make, most = KINDS[kind]
    nb = bound(new_notebook(cells=[new_code_cell(outputs=[make("x" * (PICTURE + 1))])]))
    text = nbformat.writes(nb)
    assert text.count("x") <= most + 10 and ("characters are shown" in text or "left out" in text)
    assert not nbformat.validator.validate(nb)


def test_small_outputs_stay_as_they_are():
    outputs = [make("x" * 50) for make, _ in KINDS.values()]
    pictures = [shown("image/png")("x" * PICTURE)]
    nb = new_notebook(cells=[new_code_cell(outputs=outputs), new_code_cell(outputs=pictures)])
    assert [cell.outputs for cell in bound(nb).cells] == [outputs, pictures]


@pytest.mark.parametrize("at", [0, OUTPUTS + 50])
def test_cell_keeps_a_hundred_outputs_and_its_error(at):
    outputs = [shown("text/plain")(str(k)) for k in range(OUTPUTS + 100)]
    outputs.insert(at, error())
    kept = bound(new_notebook(cells=[new_code_cell(outputs=outputs)])).cells[0].outputs
    assert [o.output_type for o in kept].count("error") == 1
    assert len(kept) == OUTPUTS + 1 + (at > OUTPUTS)
    assert f"cut: {OUTPUTS} of {OUTPUTS + 101} outputs are shown" in kept[-1].text


def test_notebook_has_a_bound_over_all_cells_and_keeps_the_errors():
    megabyte = shown("image/png")("x" * 2**20)
    cells = [new_code_cell(outputs=[megabyte, error()]) for _ in range(20)]
    nb = bound(new_notebook(cells=cells))
    texts = [nbformat.writes(new_notebook(cells=[cell])) for cell in nb.cells]
    assert [len(text) > 2**20 for text in texts] == [True] * 7 + [False] * 13
    assert all('"ename": "E"' in text for text in texts)
    assert all("left out: the outputs of a notebook may have 8 MB" in text for text in texts[7:])


def test_pictures_in_written_answers_count_too():
    picture = {"a.png": {"image/png": "x" * 2**20}}
    answers = [new_markdown_cell("![a](attachment:a.png)", attachments=picture) for _ in range(20)]
    after = new_code_cell(outputs=[shown("text/plain")("y")])
    nb = bound(new_notebook(cells=[*answers, after]))
    assert sum("attachments" in cell for cell in nb.cells) == NOTEBOOK // 2**20
    assert "left out" in nb.cells[-1].outputs[-1].text


def test_written_answer_and_code_are_cut():
    cells = [new(f"{'z' * TEXT}and more") for new in (new_code_cell, new_markdown_cell)]
    for cell in bound(new_notebook(cells=cells)).cells:
        assert f"cut: {TEXT} of {TEXT + 8} characters are shown" in cell.source
        assert "and more" not in cell.source


# Formulas -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "latex",
    [
        r"\text{<script>evil()</script>}",
        r"\operatorname{<b>}",
        r"\mathrm{a&b}",
        '"><script>',
        "a<b>c & d" + r"\&",
        r"\left<script\right>",
        r"\mathbf{<}",
        r"\#\%\$\&",
    ],
)
@pytest.mark.parametrize("display", [False, True])
def test_formula_brings_no_tag_of_its_own(latex, display):
    try:
        elements = minidom.parseString(mathml(latex, display)).getElementsByTagName("*")
        assert {e.tagName[0] for e in elements} == {"m"}, "math, mrow, mi and their like"
        assert all(set(e.attributes.keys()).isdisjoint({"href", "onclick"}) for e in elements)
    except Unknown:
        page = typeset(f"<p>${html.escape(latex)}$</p>")
        assert [e.tagName for e in minidom.parseString(page).getElementsByTagName("*")] == [
            "p",
            "code",
        ]


def test_depth_of_a_formula_is_bounded_and_that_of_the_course_is_allowed():
    assert mathml("{" * (DEEPEST - 1) + "x" + "}" * (DEEPEST - 1))
    for opening, closing in (("{", "}"), (r"\sqrt{", "}"), (r"\frac{1}{", "}"), ("x^{", "}")):
        with pytest.raises(Unknown):
            mathml(opening * 5 * DEEPEST + "x" + closing * 5 * DEEPEST)


def test_commands_in_a_row_are_no_depth_that_hurts():
    """Each of them takes the next one for its argument."""
    for command in (r"\sqrt", r"\bar", r"\frac1", "x^", r"\binom1"):
        latex = command * 600 + "x"
        assert typeset(f"<p>${latex}$</p>").startswith("<p><")


def test_two_marks_of_a_kind_are_not_taken_for_one():
    for latex in ("x_1_2", "x^1^2"):
        with pytest.raises(Unknown):
            mathml(latex)
    assert mathml("x'^2").count("<msup>") == 1


def test_page_of_feedback_is_typeset():
    page = reporting.offline("<html><head></head><body><p>$x_1$</p></body></html>")
    assert "<msub>" in page and "$" not in page
