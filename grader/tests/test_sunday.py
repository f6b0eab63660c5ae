"""What a teacher does with a graded class: read the tables, look for copies, write to the LMS."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from contextlib import suppress

import nbformat
import numpy as np
import pytest
from coursework import ASSIGNMENTS, ROOT, copy_of, hand_in, submission, table
from olc_helpers.grading import Slip, check

from grader import __main__ as command
from grader import grade as grading
from grader import report as reporting
from grader.classroom import Classroom
from grader.copies import similar
from grader.lms import fill
from grader.report import Row, question_table, report, slip
from grader.sandbox import Limits

LIMITS, NAME = Limits(), "tiny"
pytestmark = pytest.mark.usefixtures("tried_sandbox")
IN_TIME, LATE = "2026-03-01 11:00:00 UTC", "2026-03-02 13:00:00 UTC"
DUE = "2026-03-01 12:00 UTC"


@pytest.fixture
def course(tmp_path, template, monkeypatch):
    """A class of two: one in time, the other 25 hours late, both right."""
    monkeypatch.setenv("EXCHANGE", "exchange")
    course = copy_of(template, tmp_path)
    hand_in(course, "ada", submission(NAME), NAME, IN_TIME)
    hand_in(course, "bob", submission(NAME), NAME, LATE)
    return course


def read_everything(course, points):
    """Do what a teacher does in Formgrader: give these points to each answer."""
    with Classroom(course).gradebook() as book:
        for submitted in book.assignment_submissions(NAME):
            for grade in submitted.notebooks[0].grades:
                if grade.needs_manual_grade:
                    grade.manual_score, grade.needs_manual_grade = points, False
        book.db.commit()


PENALTY = """
from nbgrader.plugins import LateSubmissionPlugin

class TenthADay(LateSubmissionPlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return score * min(1, 0.1 * (total_seconds_late // 86400 + 1))

c.AssignLatePenalties.plugin_class = TenthADay
"""


def test_late_penalty_counts_what_was_read_since_and_follows_the_due_date(course):
    with open(course / "grader/nbgrader_config.py", "a") as settings:
        settings.write(PENALTY)
    assert grading.grade(course, NAME, 2, LIMITS, due=DUE) == 0 and report(course, []) == 0
    found = table(course, NAME)
    assert [found[who]["points"] for who in ("ada", "bob")] == ["10", "8"]  # two days begun
    assert found["bob"]["status"] == "graded; late"
    assert found["bob"]["details"] == "late by 1 day, 1:00:00, 2 points less"
    read_everything(course, 1)
    report(course, [])
    found = table(course, NAME)
    assert [found[who]["points"] for who in ("ada", "bob")] == ["12", "9.6"]
    page = (course / f"feedback/bob/{NAME}/{NAME}.html").read_text()
    assert "2.4" in page, "the student sees what is taken off"
    grading.grade(course, NAME, 2, LIMITS, due="2026-03-03 12:00 UTC")
    report(course, [])
    assert table(course, NAME)["bob"]["points"] == "12"


def test_without_a_penalty_late_costs_nothing_and_a_grade_stands_beside_no_timestamp(course):
    hand_in(course, "cem", submission(NAME), NAME)
    assert grading.grade(course, NAME, 2, LIMITS, due=DUE) == 0 and report(course, []) == 0
    found = table(course, NAME)
    status = {who: (row["status"], row["points"]) for who, row in found.items()}
    assert status == {
        "ada": ("graded", "10"),
        "bob": ("graded; late", "10"),
        "cem": ("graded; no timestamp", "10"),
    }


def test_students_of_an_earlier_class_leave_the_table_and_are_named(course):
    assert grading.grade(course, NAME, 2, LIMITS) == 0
    with Classroom(course).gradebook() as book:
        book.add_student("eve")  # who has not handed in anything yet
    (course / "submitted/bob").rename(course / "away")
    report(course, [])
    assert set(table(course, NAME)) == {"ada", "eve"}
    page = (course / "grades/index.html").read_text()
    assert "they have no folder in submitted/: bob." in page


def test_table_by_question_counts_who_solved_it_and_the_typical_slips():
    said = "Slip: Wrong tie: on trial {} a tie gives 1. You predict 0."
    table = [
        Row("a", ["graded"], points={"q": 10, "text": 2}),
        Row("b", ["graded"], points={"q": 0, "text": None}, failed={"q": said.format(3)}),
        Row("c", ["graded"], points={"q": 0, "text": 1}, failed={"q": said.format(17)}),
        Row("d", ["blank"], points={"q": 0, "text": 0}, failed={"q": "NotImplementedError: "}),
        Row("e", ["not handed in"]),
    ]
    html = question_table({"q": "1 · <T>", "text": r"2 · $\beta$"}, {"q": 10, "text": 2}, table)
    text = re.sub(r"(<[^>]+>)+", "|", re.sub("<math.*?</math>", "β", html))
    assert "q|1 · &lt;T&gt;|10|2.5|1 of 4|2 × Slip: Wrong tie|" in text
    assert "text|2 · β|2|1.0|1 of 3|" in text
    assert slip("AssertionError: with n = 4, nobody") == "AssertionError: with n = 4"
    assert slip("ZeroDivisionError: division by zero") == "ZeroDivisionError: division by zero"


LONG = """def double(x):
    # {comment}
    {total} = 0
    for {k} in range(2):
        {total} = {total} + x
    if {total} != x + x:
        raise ValueError("no {word}")
    return {total}
"""
SCRIPT = f"<script>alert(1)</script> {' '.join(f'word{k}' for k in range(30))}"
WHY = "It holds for the number one and then for each further number by what was said before it"


def test_answers_that_are_the_same_up_to_names_and_comments_are_shown_side_by_side(course):
    mine = LONG.format(comment="mine", total="total", k="k", word="way")
    copied = LONG.format(comment="I wrote this", total="s", k="_", word="way")
    other = "def double(x):\n    return np.add(*(x, x)) if x is not None else np.add(x, x) + 0 * x"
    given = {
        "ada": {"double": mine, "why": f"{WHY} {WHY[::-1]}"},
        "bob": {"double": copied, "why": SCRIPT},
        "cem": {"double": other, "why": "Because."},
        "dan": {"why": f"{SCRIPT} I say."},
        "eli": {"why": "Because."},
    }
    everybody = {"how": f"{WHY}, {WHY[::-1]}, and {WHY}"}  # from the blackboard
    for student, answers in given.items():
        hand_in(course, student, submission(NAME, everybody | answers), NAME)
    earlier = course / "earlier/2025/autograded/zoe"
    assert grading.grade(course, NAME, 2, LIMITS) == 0
    earlier.mkdir(parents=True)
    (course / "autograded/cem/tiny").rename(earlier / "tiny")  # as if cem had been here last year
    hand_in(course, "cem", submission(NAME, everybody | given["cem"]), NAME)
    assert grading.grade(course, NAME, 2, LIMITS) == 0 and report(course, []) == 0
    found = {(q, a, b) for _, _, q, (a, _), (b, _) in similar(Classroom(course), NAME)}
    assert found == {("double", "ada", "bob"), ("double", "cem", "2025/zoe"), ("why", "bob", "dan")}
    page = (course / f"grades/{NAME}_similar.html").read_text()
    assert (
        "ada" in page and "2025/zoe" in page and "&lt; script&gt;" in page and "<script" not in page
    )
    assert f'href="{NAME}_similar.html"' in (course / "grades/index.html").read_text()


NIGHT = {
    "not_yet": ("raise NotImplementedError()", "NotWritten: You have not written __init__ yet."),
    "in_place": (
        "self.w, self.beta = np.ones(n, int), beta",
        "Slip: Whole numbers: update puts fractions into an array that holds integers. Start with"
        " floats, such as np.ones(n) or np.zeros(n) without int.",
    ),
    "factor": (
        "self.w, self.beta = np.ones(n), 3 * beta",
        "Slip: Wrong update: after trial 1 self.w is [",
    ),
}
CLASS = """class MyWeightedMajority:
    def __init__(self, n, beta):
        {}

    def predict(self, x):
        return int(self.w @ x >= self.w @ (1 - x))

    def update(self, x, y):
        self.w[x != y] *= self.beta
"""


def test_a_student_reads_in_the_notebook_what_the_grader_says(course):
    name = ASSIGNMENTS[0]
    for student, (first, _) in NIGHT.items():
        answers = {"weighted_majority": CLASS.format(first)}
        hand_in(course, student, submission(name, answers), name)
    assert grading.grade(course, name, 2, LIMITS) == 0
    for student, (first, words) in NIGHT.items():
        names = {"np": np}
        exec(CLASS.format(first), names)
        with pytest.raises(Slip) as error:
            check(names["MyWeightedMajority"], "weighted_majority")
        here = f"{type(error.value).__name__}: {error.value}".partition("\n")[0]
        record = json.loads((course / f"grading/{name}/{student}.json").read_text())
        assert here.startswith(words) and record["failed"]["weighted_majority_check"] == here[:200]


def test_limits_add_up_to_three_minutes_a_student():
    """With the defaults, whatever a student does, where the machine is not busy."""
    from grader import sandbox

    stages = sandbox.WALL * LIMITS.total, grading.OVERTIME, grading.SHOW, reporting.PAGE_TIME
    assert sum(stages) == 180
    asked = command.options(["grade"])
    assert (asked.timeout, asked.memory) == (LIMITS.cell, LIMITS.memory)
    assert LIMITS.total == 3 * LIMITS.cell
    readme = (ROOT / "grader/README.md").read_text()
    assert f"| processor time of a cell | {LIMITS.cell} s |" in readme
    assert "| **all together, for one student** | **3 min** |" in readme


# What grader/class.md says, as it stands there ----------------------------------------------------

PAGE = (ROOT / "grader/class.md").read_text()
MAKE = 'make() { [ "$1" = -C ] && shift 2; command make -s -C grader "$@"; }\nset -e\n'


def block(words, page=PAGE):
    """Return the first commands on a page in which these words stand, of the tiny assignment."""
    blocks = re.findall(r"(?s)```sh\n(.*?)```", page)
    return next(each for each in blocks if words in each).replace("hw1_experts", NAME)


def typed(course, commands):
    """Return what is printed when somebody types these commands in the folder of a course."""
    shutil.copy(ROOT / "grader/Makefile", course / "grader")
    with suppress(FileExistsError):
        (course / ".venv").symlink_to(sys.prefix)
    path = f"{course}/.venv/bin:{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(course / "grader")}
    done = subprocess.run(
        ["bash", "-c", MAKE + commands], cwd=course, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


WORKSHEET = """Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments
Participant 4711,"Lovelace, Ada",ada@x.org,Submitted,,15.00,
Participant 4712,Bob B.,bob@x.org,Submitted,,15.00,"=HYPERLINK(1)"
Participant 15,Cem C.,cem@x.org,No submission,,15.00,
"""
CANVAS = """Student,ID,SIS Login ID,Homework 1 (8844),Final Score
    Points Possible,,,15,(read only)
"Lovelace, Ada",4711,ada,,17
"Bob",4712,bob,,4711
"""


def test_moodle_and_canvas_come_in_and_their_tables_go_out(course):
    shutil.rmtree(course / "submitted")
    archive = course / f"downloaded/{NAME}/archive"
    archive.mkdir(parents=True)
    right, blank = (json.dumps(submission(NAME, solved=solved)) for solved in (True, False))
    with zipfile.ZipFile(archive / "CS101-Homework 1-99.zip", "w") as moodle:
        moodle.writestr(f"Ada Lovelace_4711_assignsubmission_file_/{NAME}.ipynb", right)
        moodle.writestr(f"Bob B._4712_assignsubmission_file_/{NAME} (1).ipynb", blank)
        moodle.writestr("Eve_4713_assignsubmission_onlinetext_/onlinetext.html", "<p>none</p>")
    with zipfile.ZipFile(archive / "submissions.zip", "w") as canvas:
        canvas.writestr(f"doedan_5001_98765_{NAME}.ipynb", right)
        canvas.writestr(f"doejane_LATE_5002_98766_{NAME}-1.ipynb", right)
    typed(course, block("zip_collect"))
    found = {who: row["double_check"] for who, row in table(course, NAME).items()}
    assert found == {"4711": "10", "4712": "0", "5001": "10", "5002": "10"}
    (course / "Grades-CS101.csv").write_text(WORKSHEET, encoding="utf-8-sig")
    (course / "canvas.csv").write_text(CANVAS)
    said = typed(course, block("make -C grader fill"))
    assert "left out, answers to read: 4711, 5001, 5002" in said
    filled = (course / "grades/filled_Grades-CS101.csv").read_text()
    assert filled.count("Submitted,,15.00") == 1 and filled.count("Submitted,0,15.00") == 1
    read_everything(course, 1)
    said = typed(course, block("make -C grader fill"))
    assert "2 of 4 graded students have points" in said
    assert "left out, not in this table: 5001, 5002" in said
    filled = (course / "grades/filled_Grades-CS101.csv").read_text().replace("\r\n", "\n")
    expected = WORKSHEET.replace("Submitted,,", "Submitted,12,", 1)
    assert filled == expected.replace("Submitted,,", "Submitted,0,", 1).replace(
        '"=HYPERLINK(1)"', "=HYPERLINK(1)"
    )
    filled = (course / "grades/filled_canvas.csv").read_text().splitlines()
    assert filled[2:] == ['"Lovelace, Ada",4711,ada,12,17', "Bob,4712,bob,0,4711"]
    with pytest.raises(SystemExit, match="no column 'Note' in canvas.csv; there are Student, ID"):
        fill(course, NAME, course / "canvas.csv", "Note")


def test_github_classroom_and_mail_come_in_and_links_do_not_lead_out(course):
    shutil.rmtree(course / "submitted")
    for folder in (
        f"{NAME}-submissions/{NAME}-ada-l",
        f"{NAME}-submissions/{NAME}-eve",
        "mail/bob",
    ):
        (course / folder).mkdir(parents=True)
        (course / folder / f"{NAME}.ipynb").write_text(json.dumps(submission(NAME)))
    link = course / f"{NAME}-submissions/{NAME}-eve/{NAME}.ipynb"
    link.unlink()
    link.symlink_to(ROOT / f"notebooks/homework/{ASSIGNMENTS[0]}/{ASSIGNMENTS[0]}.ipynb")
    loop = block("##*/hw1_experts-")
    typed(course, loop)
    assert "`mail/*` and `${repository##*/}`" in PAGE
    mail = loop.replace(f"{NAME}-submissions/{NAME}-*", "mail/*").replace(f"##*/{NAME}-", "##*/")
    typed(course, mail)
    assert grading.grade(course, NAME, 2, LIMITS) == 0 and report(course, []) == 0
    found = {who: row["status"] for who, row in table(course, NAME).items()}
    assert found == {"ada-l": "graded", "bob": "graded", "eve": "no notebook"}


def test_student_is_removed_and_a_new_class_begins(course):
    hand_in(course, "ada.byron", submission(NAME), NAME)
    assert grading.grade(course, NAME, 2, LIMITS) == 0 and report(course, []) == 0
    typed(course, block("student remove"))
    assert set(table(course, NAME)) == {"ada.byron", "bob"}
    assert [path for path in course.rglob("ada") if "exchange" not in path.parts] == []
    assert (course / f"grading/{NAME}/ada.byron.json").is_file()
    typed(course, block("mkdir -p earlier"))
    hand_in(course, "cem", submission(NAME), NAME)
    assert grading.grade(course, NAME, 2, LIMITS) == 0 and report(course, []) == 0
    assert set(table(course, NAME)) == {"cem"}
    assert similar(Classroom(course), NAME) == [] and (course / "earlier/2026/autograded").is_dir()


def test_rule_for_late_submissions_is_that_of_the_page():
    assert PENALTY.split() == re.search(r"(?s)```python\n(.*?)```", PAGE)[1].split()


OWN, MY = (ROOT / "grader/own_assignment.md").read_text(), "hw7_mittelwert"
KINDS = {  # in nbgrader's side bar: grade, solution, locked
    "–": None,
    "Autograded answer": (False, True, False),
    "Autograder tests": (True, False, True),
    "Manually graded answer": (True, True, False),
}
CELL = (
    r"(?ms)^(Code|Markdown) cell, kind \*(.+?)\*(?:, ID `(\w+)`)?(?:, (\d+) points)?:\n\n"
    r"```\w+\n(.*?)\n```"
)


def written_by_a_teacher():
    """Return the notebook that somebody has who types what the page says."""
    nb = nbformat.v4.new_notebook()
    for kind, role, name, points, source in re.findall(CELL, OWN):
        new = nbformat.v4.new_code_cell if kind == "Code" else nbformat.v4.new_markdown_cell
        nb.cells.append(new(source))
        if KINDS[role]:
            marks = dict(zip(("grade", "solution", "locked"), KINDS[role], strict=True))
            marks |= {"schema_version": 3, "grade_id": name, "task": False}
            marks |= {"points": int(points)} if points else {}
            nb.cells[-1].metadata.nbgrader = marks
    return nb


def test_teacher_who_follows_the_page_has_an_assignment_in_another_language(course):
    folder = course / "notebooks/homework" / MY
    folder.mkdir()
    nbformat.write(written_by_a_teacher(), folder / f"{MY}.ipynb")
    with open(course / "grader/nbgrader_config.py", "a") as settings:
        settings.write(re.search(r"(?s)```python\n(.*?)```", OWN)[1])
    said = typed(course, block("submitted/model", OWN))
    [line] = re.findall("It prints `(.+?)`", OWN)
    assert line in said, said
    assert f"{MY}  8 cells, 13 points" in said
    released = nbformat.read(course / f"release/{MY}/{MY}.ipynb", 4)
    text = "\n".join(cell.source for cell in released.cells)
    assert text.count("HIER DEINE ANTWORT") == 1 and "    # HIER DEIN CODE\n    raise Not" in text
    assert "HIDDEN" not in text and "Lösung" not in text and "YOUR" not in text
    parts = "def mittelwert(a):\n    return np.mean(a) if a[0] < 4 else np.int64(0)"
    for student, code in (("blank", None), ("partly", parts)):
        nb = nbformat.from_dict(released)
        for cell in nb.cells:
            if code and cell.metadata.get("nbgrader", {}).get("grade_id") == "mittelwert":
                cell.source = code
        hand_in(course, student, nb, MY)
    typed(course, f"make grade HW={MY}")
    found = table(course, MY)
    assert found["blank"]["status"] == "blank" and found["blank"]["points"] == "0"
    partly = {name: found["partly"][f"mittelwert_{name}"] for name in ("zahlen", "leer", "mehr")}
    assert partly == {"zahlen": "4", "leer": "0", "mehr": "2"}
