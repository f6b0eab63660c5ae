"""The grades of a class as tables, and a page of feedback for each student."""

import csv
import hashlib
import html
import json
import logging
import sys
from copy import deepcopy
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from nbformat.v4 import new_markdown_cell

from .examine import Blueprint
from .grade import FORK, Course

SAID = ("NotImplementedError", "NotRun")  # failures that the status explains
STYLE = """body {font: 16px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 100rem; padding: 0 1rem; color: #222}
table {border-collapse: collapse; margin: 1rem 0 2.5rem} caption {text-align: left; font-weight: 600; padding: .4rem 0}
th, td {padding: .25rem .6rem; border-bottom: 1px solid #ccc; text-align: right; vertical-align: top}
th:first-child, td:first-child, .words {text-align: left} thead th {border-bottom: 2px solid #555}
.note {color: #8a3b00; font-weight: 600} td.words {min-width: 22rem}
td.words span {display: block; font-size: .85rem; overflow-wrap: anywhere}"""


@dataclass
class Row:
    """One student's line: points per question (None: to be read by the teacher), the status and its details."""

    student: str
    status: list[str]
    details: list[str]
    points: dict[str, float | None]
    comments: dict[str, str]

    @property
    def to_read(self):
        return sum(points is None for points in self.points.values())

    @property
    def total(self):
        return sum(points or 0 for points in self.points.values())


def rows(course: Course, name: str) -> tuple[dict[str, float], list[Row]]:
    """Return the points of each question and a row for everybody who is in the gradebook or handed something in."""
    marks = [cell.metadata.nbgrader for cell in Blueprint.read(course.source(name)).marked.values()]
    most = {mark.grade_id: mark.points for mark in marks if mark.grade}
    with course.gradebook() as book:
        due, found = book.find_assignment(name).duedate, {}
        for submission in book.assignment_submissions(name):
            found[submission.student_id] = _row(course, name, submission, due)
        everybody = sorted({student.id for student in book.students} | set(course.submitted(name)))
    handed_in = course.submitted(name)
    return most, [found.get(student) or Row(student, ["not graded" if student in handed_in else "not handed in"], [], {}, {})
                  for student in everybody]


def _row(course, name, submission, due):
    student = submission.student_id
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    points = {grade.name: None if grade.auto_score is None and grade.manual_score is None else grade.score for grade in grades}
    try:
        record = json.loads(course.record(name, student).read_text())
    except (OSError, ValueError):
        return Row(student, ["not graded"], [f"grade it with make grade HW={name}"], {}, {})
    status = ["blank"] * record["blank"] + [kind for kind, *_ in record["troubles"]]
    details = [f"{kind} ({where}): {words}" for kind, where, words in record["troubles"]]
    details += [f"{question}: {words}" for question, words in record["failed"].items() if words.partition(":")[0] not in SAID]
    if submission.total_seconds_late > 0:
        status.append("late")
        details.append(f"late by {timedelta(seconds=round(submission.total_seconds_late))}")
    elif due and submission.timestamp is None:
        status.append("no timestamp")
    comments = {comment.name: comment.comment for notebook in submission.notebooks for comment in notebook.comments}
    return Row(student, list(dict.fromkeys(status)) or ["graded"], details, points, comments)


def write_csv(path: Path, most: dict, table: list[Row]):
    """Write one line per student; a question that waits for the teacher is empty."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["student", "status", "points", "of", "to_read", *most, "details"])
        for row in table:
            values = [_number(row.points.get(question)) for question in most]
            out.writerow([_plain(row.student), "; ".join(row.status), _number(row.total) if row.points else "",
                          _number(sum(most.values())), row.to_read, *values, _plain(" | ".join(row.details))])


def _number(value):
    return "" if value is None else f"{value:g}"


def _plain(text):
    """Return text that a spreadsheet does not take for a formula."""
    text = " ".join(text.split())
    return "'" + text if text.startswith(("=", "+", "-", "@")) else text


def as_html(course: Course, name: str, most: dict, table: list[Row]) -> str:
    """Return the table of an assignment, each student linked to the feedback."""
    def cell(value):
        return f"<td>{value}</td>"
    lines = []
    for row in table:
        page = course.root / "feedback" / row.student / name / f"{name}.html"
        student = html.escape(row.student)
        if page.is_file():
            student = f'<a href="../{html.escape(page.relative_to(course.root).as_posix())}">{student}</a>'
        mark = ' class="note"' if row.status != ["graded"] else ""
        words = "".join(f"<span>{html.escape(text)}</span>" for text in row.details)
        status = f"<b{mark}>{html.escape(', '.join(row.status))}</b>{words}"
        lines.append(f'<tr><th scope="row">{student}</th><td class="words">{status}</td>'
                     + cell(_number(row.total) if row.points else "–") + cell(row.to_read or "")
                     + "".join(cell(_number(row.points.get(q)) or "–") for q in most) + "</tr>")
    short = {q: html.escape(q).replace("_", "_<wbr>") for q in most}
    head = "".join(f'<th scope="col">{short[q]}<br>{_number(points)}</th>' for q, points in most.items())
    graded = [row.total for row in table if row.points]
    mean = f", mean {sum(graded) / len(graded):.1f} of {_number(sum(most.values()))} points" if graded else ""
    return (f'<h2>{html.escape(name)}</h2><p><a href="{html.escape(name)}.csv">{html.escape(name)}.csv</a></p><table>'
            f"<caption>{len(table)} students, {len(graded)} graded{mean}, {sum(row.to_read for row in table)} answers to read"
            f'</caption><thead><tr><th scope="col">student</th><th scope="col" class="words">status</th><th scope="col">points</th>'
            f'<th scope="col">to read</th>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table>')


def feedback(course: Course, name: str, row: Row) -> str:
    """Return what went wrong in writing the student's page, or nothing. A page that is up to date stays as it is."""
    from nbgrader.converters import GenerateFeedback
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor

    waiting = [question for question, points in row.points.items() if points is None]

    class Waiting(NbGraderPreprocessor):
        """Says which answers count 0 only because nobody has read them yet."""

        def preprocess(self, nb, resources):
            if waiting:
                words = f"**Your teacher has not read these answers yet**, and they count 0 until then: {', '.join(waiting)}"
                nb.cells.insert(0, new_markdown_cell(words, id="waiting"))
            return nb, resources

    record = course.record(name, row.student).with_suffix(".page")
    page = course.root / "feedback" / row.student / name / f"{name}.html"
    content = json.dumps([row.points, row.comments, hashlib.sha256(course.autograded(name, row.student).read_bytes()).hexdigest()])
    if page.is_file() and record.is_file() and record.read_text() == content:
        return ""
    config = deepcopy(course.config)
    config.CourseDirectory.update(assignment_id=name, student_id=row.student)
    logging.getLogger("traitlets").setLevel("ERROR")
    pages = GenerateFeedback(coursedir=CourseDirectory(config=config), config=config, force=True)
    pages.preprocessors = [GetGrades, Waiting, *pages.preprocessors[1:]]
    try:
        pages.start()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    record.write_text(content)
    return ""


def report(root: Path, names: list[str], jobs: int = 2) -> int:
    """Return 0 after writing grades/NAME.csv, grades/index.html and feedback/STUDENT/NAME/NAME.html."""
    course, failed, parts = Course(root), [], []
    for name in names:
        if name not in course.assignments:
            sys.exit(f"there is no assignment {name!r}; there are {', '.join(course.assignments)}")
    graded = [name for name in names or course.assignments if any((course.root / "grading" / name).glob("*.json"))]
    if not graded:
        sys.exit("nothing is graded yet: make grade HW=…")
    (course.root / "grades").mkdir(exist_ok=True)
    for name in graded:
        most, table = rows(course, name)
        ready = [row for row in table if row.points]
        with FORK.Pool(jobs) as pool:
            work = [pool.apply_async(feedback, (course, name, row)) for row in ready]
            for row, result in zip(ready, work, strict=True):
                error = result.get()
                failed += [row.student] if error else []
                page = f"NO FEEDBACK PAGE: {error}" if error else f"feedback/{row.student}/{name}/{name}.html"
                print(f"{name}  {row.student}  {page}", flush=True)
        write_csv(course.root / "grades" / f"{name}.csv", most, table)
        parts.append(as_html(course, name, most, table))
        print(f"{name}  grades/{name}.csv  {len(table)} students, {len(ready)} graded, "
              f"{sum(row.to_read for row in table)} answers to read", flush=True)
    page = (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Grades</title><style>{STYLE}</style></head>'
            f"<body><h1>Grades</h1>{''.join(parts)}</body></html>\n")
    (course.root / "grades" / "index.html").write_text(page, encoding="utf-8")
    print("grades/index.html", flush=True)
    return int(bool(failed))
