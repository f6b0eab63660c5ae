"""A whole class: all assignments, interruptions, second submissions."""

import contextlib
import fcntl
import os
import resource
import shutil
import signal
import sys
import time
from types import SimpleNamespace

import nbformat
import psutil
import pytest
from coursework import ASSIGNMENTS, ROOT, copy_of, hand_in, submission, table

from grader import __main__ as command
from grader import grade as grading
from grader import report as reporting
from grader.report import report, rows
from grader.sandbox import Limits

LIMITS = Limits()
pytestmark = pytest.mark.usefixtures("tried_sandbox")


# Solved and blank ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def everything(tmp_path_factory, template):
    """All assignments, handed in solved and blank, and graded."""
    course = copy_of(template, tmp_path_factory.mktemp("class"))
    for name in ASSIGNMENTS:
        hand_in(course, "solved", submission(name, draws=True), name)
        hand_in(course, "blank", submission(name, solved=False), name)
        assert grading.grade(course, name, 2, LIMITS) == 0
    return course


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_solved_gets_all_automatic_points_and_blank_none(everything, name):
    found = {row.student: row for row in rows(grading.Classroom(everything), name)[1]}
    solved, blank = found["solved"], found["blank"]
    tests = [key for key in solved.points if key.endswith("_check")]
    most = {
        cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader.points
        for cell in nbformat.read(ROOT / f"notebooks/homework/{name}/{name}.ipynb", 4).cells
        if cell.metadata.get("nbgrader", {}).get("grade")
    }
    assert tests and {key: solved.points[key] for key in tests} == {key: most[key] for key in tests}
    assert solved.status == ["graded"] and solved.to_read == len(most) - len(tests)
    assert blank.status == ["blank"] and blank.points == dict.fromkeys(most, 0)


@pytest.fixture
def tables_alone(monkeypatch):
    """The report writes its tables and no pages."""
    monkeypatch.setattr(reporting, "write_pages", lambda *_: {})


@pytest.mark.usefixtures("tables_alone")
def test_solved_gets_everything_once_the_teacher_has_read_it(everything):
    course, name = grading.Classroom(everything), "hw5_shifting"
    with course.gradebook() as book:
        for grade in book.find_submission_notebook(name, name, "solved").grades:
            if grade.needs_manual_grade:
                grade.manual_score, grade.needs_manual_grade = grade.max_score, False
        book.db.commit()
    assert report(everything, [name]) == 0
    index = (everything / "grades/index.html").read_text()
    assert all(f"<h2>{each}</h2>" in index for each in ASSIGNMENTS), "the others stay in it"
    assert (
        table(everything, name)["solved"]["points"],
        table(everything, name)["solved"]["to_read"],
    ) == ("100", "0")


@pytest.mark.usefixtures("tables_alone")
def test_who_is_missing_and_who_is_not_graded_yet(everything):
    name = "hw4_winnow"
    with grading.Classroom(everything).gradebook() as book:
        book.add_student("eve")
    hand_in(everything, "fay", submission(name), name)
    hand_in(everything, "=cmd", submission(name), name)
    assert report(everything, [name]) == 0
    found = table(everything, name)
    assert (found["eve"]["status"], found["eve"]["points"]) == ("not handed in", "")
    assert (found["fay"]["status"], found["fay"]["points"]) == ("not graded", "")
    assert "'=cmd" in found, "a name is no formula"


CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
DOLLARS = """() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = []
    while (texts.nextNode()) {
        const {data, parentElement} = texts.currentNode
        if (data.includes('$') && !parentElement.closest('pre, code')) found.push(data)
    }
    return found
}"""
WIDTHS = "() => Array.from(document.querySelectorAll('math'), m => m.getBoundingClientRect().width)"


@pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium: browser tests left out; `tools/system.sh` installs it"
)
def test_pages_show_formulas_and_pictures_and_ask_nobody(everything):
    """With the model solutions: these have most formulas."""
    from playwright.sync_api import sync_playwright

    assert report(everything, [], 2, solutions=True) == 0
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab, asked = browser.new_context(offline=True).new_page(), []
        tab.on("request", lambda request: asked.append(request.url))
        for name in ASSIGNMENTS:
            asked.clear()
            address = (everything / f"feedback/solved/{name}/{name}.html").as_uri()
            tab.goto(address)
            assert [url for url in asked if not url.startswith("data:")] == [address]
            widths = tab.evaluate(WIDTHS)
            assert len(widths) > 40 and min(widths) > 3 and tab.evaluate(DOLLARS) == []
            assert tab.evaluate("() => document.querySelector('img').naturalWidth > 100")
        browser.close()


def test_page_that_takes_too_long_is_left_out_and_named(three_graded, monkeypatch, capsys):
    course, name = three_graded
    shutil.rmtree(course / "feedback", ignore_errors=True)

    def slow(course, name, row, *rest):
        """A page that takes no time, on a busy machine neither, or too much."""
        time.sleep(60 if row.student == "bob" else 0)
        page = course.root / "feedback" / row.student / name / f"{name}.html"
        page.parent.mkdir(parents=True)
        page.touch()

    monkeypatch.setattr(reporting, "feedback", slow)
    monkeypatch.setattr(reporting, "PAGE_TIME", 3)
    assert report(course, [name]) == 1
    assert "bob  NO FEEDBACK PAGE: it took more than 3 seconds" in capsys.readouterr().out
    pages = {page.parent.parent.name for page in course.glob("feedback/*/*/*.html")}
    assert pages == {"ada", "cem"} and table(course, name)["bob"]["status"] == "blank"


# Interrupted, repeated, handed in again -----------------------------------------------------------


def class_of_three(template, folder):
    course, name = copy_of(template, folder), "tiny"
    for student in ("ada", "bob", "cem"):
        hand_in(course, student, submission(name, solved=student == "ada"), name)
    return course, name


@pytest.fixture
def three(tmp_path, template):
    return class_of_three(template, tmp_path)


@pytest.fixture(scope="module")
def three_graded(tmp_path_factory, template):
    course, name = class_of_three(template, tmp_path_factory.mktemp("three"))
    assert grading.grade(course, name, 2, LIMITS) == 0
    return course, name


def points(course, name):
    return {row.student: row.points for row in rows(grading.Classroom(course), name)[1]}


def records(course, name):
    return {
        path.stem: path.stat().st_mtime_ns for path in (course / "grading" / name).glob("*.json")
    }


@contextlib.contextmanager
def grading_process(course, name):
    """Yield a process that does what make grade does, and what it prints."""

    def work():
        os.chdir(course)
        sys.stdout = open(writes, "w")
        sys.exit(command.main(["grade", name, "--jobs", "1"]))

    reads, writes = os.pipe()
    process = grading.FORK.Process(target=work)
    process.start()
    os.close(writes)
    with open(reads) as printed:
        yield process, printed


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_grading_goes_on_where_it_was(three, blow, capsys):
    course, name = three
    with grading_process(course, name) as (process, printed):
        for line in printed:
            if line.startswith("[1/3]"):
                break
        while len(family := psutil.Process(process.pid).children(recursive=True)) < 3:
            time.sleep(0.01)  # the second one is about to run
        os.kill(process.pid, blow)
        rest = printed.read()
        process.join(60)
    before = records(course, name)
    assert 1 <= len(before) < 3
    if blow == signal.SIGINT:
        assert process.exitcode == 130 and f"Interrupted: {len(before)} of 3 are graded" in rest
    assert psutil.wait_procs(family, 20)[1] == []
    assert grading.grade(course, name, 2, LIMITS) == 0
    assert f"{len(before)} of 3 are graded already" in capsys.readouterr().out
    after = records(course, name)
    assert set(after) == {"ada", "bob", "cem"} and before.items() <= after.items()
    status = {row.student: row.status for row in rows(grading.Classroom(course), name)[1]}
    assert status == {"ada": ["graded"], "bob": ["blank"], "cem": ["blank"]}


def test_model_solutions_are_on_the_pages_if_the_teacher_says_so(three_graded):
    course, name = three_graded
    page = course / f"feedback/bob/{name}/{name}.html"
    for solutions in (False, True, False):
        assert report(course, [name], 2, solutions) == 0
        assert ("Model solution and rubric" in page.read_text()) == solutions
        assert ("Rubric. 3: why" in page.read_text()) == solutions


def test_workers_end_with_their_parent_however_it_ends(monkeypatch):
    monkeypatch.setattr(grading, "grade_one", lambda *arguments: time.sleep(60))
    receive, send = grading.FORK.Pipe(duplex=False)

    def parent():
        send.send(grading.start(None, "ada", None, SimpleNamespace(limits=LIMITS), 0).process.pid)
        time.sleep(60)

    process = grading.FORK.Process(target=parent)
    process.start()
    worker = psutil.Process(receive.recv())
    before = resource.getrlimit(resource.RLIMIT_AS)
    while worker.rlimit(psutil.RLIMIT_AS) == before:
        time.sleep(0.01)  # its limit is the last thing that it sets
    process.kill()
    process.join()
    end = time.monotonic() + 10
    while worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < end
        time.sleep(0.1)


def test_only_what_changed_is_graded_again_and_the_teacher_s_points_stay(three, capsys):
    course, name = three
    hand_in(course, "dan", submission(name), "TINY").rename(course / "submitted/dan/TINY (2).ipynb")
    (course / "submitted/dan/TINY").rmdir()
    assert grading.grade(course, name, 2, LIMITS, due="2026-12-01 23:59 Europe/Berlin") == 0
    said = capsys.readouterr()
    assert "due: Tuesday, 1 December 2026, 22:59 UTC" in said.out and "limited by" in said.out
    assert (
        "NOT GRADED, it lies in the wrong place: submitted/dan/TINY (2).ipynb; it belongs to"
        " submitted/dan/tiny/" in said.err
    )
    before = records(course, name)
    assert grading.grade(course, name, 2, LIMITS) == 0
    assert (
        "3 of 3 are graded already (FORCE=1 grades them again)\n0 graded in"
        in capsys.readouterr().out
    )
    with grading.Classroom(course).gradebook() as book:
        book.find_grade("why", name, name, "ada").manual_score = 3
        book.db.commit()
    hand_in(course, "bob", submission(name), name)
    (course / f"autograded/cem/{name}/{name}.ipynb").unlink()
    assert grading.grade(course, name, 2, LIMITS) == 0
    changed = {
        student for student, when in records(course, name).items() if when != before[student]
    }
    assert changed == {"bob", "cem"} and "1 of 3 are graded already" in capsys.readouterr().out
    record = grading.Classroom(course).record(name, "cem")
    record.write_text(record.read_text().replace('"double_check": 0', '"double_check": 10'))
    assert grading.grade(course, name, 2, LIMITS, force=True) == 0
    lots = {
        row.student: row.details
        for row in rows(grading.Classroom(course), name)[1]
        if "other points than before" in row.status
    }
    assert lots == {
        "cem": [
            "other points than before (double_check): 10, now 0 points for the same answer: does it"
            " draw lots?"
        ]
    }
    assert all(when != before[student] for student, when in records(course, name).items())
    scores = points(course, name)
    assert scores["ada"] == {"double_check": 10, "why": 3, "how": None}
    assert scores["bob"] == {"double_check": 10, "why": None, "how": None}


def test_command_writes_tables_and_pages_and_without_a_name_nothing_else(three, monkeypatch):
    course, name = three
    monkeypatch.chdir(course)
    assert command.main(["grade", name]) == 0
    page = course / f"feedback/ada/{name}/{name}.html"
    assert table(course, name)["ada"]["points"] == "10" and "10.0 / 15.0" in page.read_text()
    with grading.Classroom(course).gradebook() as book:
        book.find_grade("why", name, name, "ada").manual_score = 3
        book.db.commit()
    hand_in(course, "dan", submission(name), name)
    assert command.main(["grade"]) == 0
    assert table(course, name)["ada"]["points"] == "13" and "13.0 / 15.0" in page.read_text()
    assert table(course, name)["dan"]["status"] == "not graded"


def test_wrong_calls_say_what_is_expected(tmp_path, three):
    course, name = three
    with pytest.raises(SystemExit, match="there is no assignment 'hw9'; there are hw1_experts, "):
        grading.grade(course, "hw9", 2, LIMITS)
    with pytest.raises(
        SystemExit, match="nothing to grade: there is no folder submitted/STUDENT/hw1_experts/"
    ):
        grading.grade(course, "hw1_experts", 2, LIMITS)
    with pytest.raises(SystemExit, match="nothing is graded yet: make grade HW="):
        report(course, [])
    with pytest.raises(SystemExit, match="there is no assignment 'hw9'"):
        report(course, ["hw9"])
    with pytest.raises(
        SystemExit, match="JOBS must be a number of submissions to grade at the same time; got 0"
    ):
        grading.grade(course, name, 0, LIMITS)
    with pytest.raises(
        SystemExit, match='DUE must be a date such as "2026-12-01 23:59 Europe/Berlin", the year'
    ):
        grading.grade(course, name, 2, LIMITS, due="soon")
    for ambiguous in ("1.12.2026 23:59", "12/01/2026 23:59 UTC"):
        with pytest.raises(SystemExit, match="the year first; got '1"):
            grading.grade(course, name, 2, LIMITS, due=ambiguous)
    (course / "grading" / name).mkdir(parents=True, exist_ok=True)
    with open(course / "grading" / name / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(SystemExit, match="is being graded by another process"):
            grading.grade(course, name, 2, LIMITS)


def test_grader_that_fails_says_so_and_stops_nobody(three, monkeypatch, capsys):
    course, name = three
    honest = grading.grade_one

    def fails(blueprint, folder, sandbox, slot):
        if folder.parent.name == "cem":
            os._exit(1)
        return honest(blueprint, folder, sandbox, slot)

    monkeypatch.setattr(grading, "grade_one", fails)
    assert grading.grade(course, name, 2, LIMITS) == 1
    said = capsys.readouterr()
    assert (
        "cem  NOT GRADED" in said.out and "NOT GRADED, the grader itself failed: cem." in said.err
    )
    assert set(records(course, name)) == {"ada", "bob"}
    monkeypatch.setattr(grading, "grade_one", lambda *arguments: time.sleep(60))
    monkeypatch.setattr(grading, "OVERTIME", 0.1)
    assert grading.grade(course, name, 3, Limits(total=0.1)) == 0 and "cem" in records(course, name)
    found = rows(grading.Classroom(course), name)[1]
    assert {tuple(row.status) for row in found} == {("timed out",)}
