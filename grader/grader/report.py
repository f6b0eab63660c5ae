"""The grades of a class as tables, and a page of feedback for each student."""

import csv
import hashlib
import html
import json
import logging
import os
import re
import shutil
import sys
import time
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.connection import wait
from pathlib import Path
from urllib.parse import quote

import nbformat
from nbformat.v4 import new_markdown_cell, new_notebook

from olc_helpers.table import cell, html_table

from .examine import Blueprint
from .formulas import typeset
from .grade import FORK, Course, confine, plain

PAGE_TIME, PAGE_MEMORY = 60, 2048  # seconds and megabytes to write a page
# Nothing is loaded and no script runs; fonts for formulas, some of which every system has; columns
# keep apart, and what is long does not make the page wide.
HEAD = """<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<style>math {font-family: "Cambria Math", "STIX Two Math", "Latin Modern Math",
  "DejaVu Math TeX Gyre", math}
body table {margin: .5em 0 1em} body td, body th {padding: .15em .6em; vertical-align: top}
body pre, body code {white-space: pre-wrap; overflow-wrap: anywhere}
.output_area {overflow-x: auto}</style>"""
SAID = ("NotImplementedError", "NotRun")  # failures that the status explains
STYLE = """body {font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 100rem;
  padding: 0 1rem; color: #222}
table {border-collapse: collapse; margin: 1rem 0 2.5rem}
caption {text-align: left; font-weight: 600; padding: .4rem 0}
th, td {padding: .25rem .45rem; border-bottom: 1px solid #ccc; text-align: right;
  vertical-align: top}
th:first-child, td:first-child, .words {text-align: left} thead th {border-bottom: 2px solid #555}
.note {color: #8a3b00; font-weight: 600} td.words {min-width: 15rem}
td.words span {display: block; font-size: .85rem; overflow-wrap: anywhere}"""


@dataclass
class Row:
    """One student's line: points per question (None: to be read by the teacher), the status and its
    details.
    """

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
    """Return the points of each question and a row for everybody who is in the gradebook or handed
    something in.
    """
    marks = [cell.metadata.nbgrader for cell in Blueprint.read(course.source(name)).marked.values()]
    most = {mark.grade_id: mark.points for mark in marks if mark.grade}
    with course.gradebook() as book:
        due, found = book.find_assignment(name).duedate, {}
        for submission in book.assignment_submissions(name):
            found[submission.student_id] = _row(course, name, submission, due)
        everybody = sorted({student.id for student in book.students} | set(course.submitted(name)))
    handed_in = course.submitted(name)
    return most, [
        found.get(student)
        or Row(student, ["not graded" if student in handed_in else "not handed in"], [], {}, {})
        for student in everybody
    ]


def _row(course, name, submission, due):
    student = submission.student_id
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    points = {
        grade.name: None if grade.auto_score is None and grade.manual_score is None else grade.score
        for grade in grades
    }
    try:
        record = json.loads(course.record(name, student).read_text())
    except (OSError, ValueError):
        return Row(student, ["not graded"], [f"grade it with make grade HW={name}"], {}, {})
    status = ["blank"] * record["blank"] + [kind for kind, *_ in record["troubles"]]
    details = [f"{kind} ({where}): {words}" for kind, where, words in record["troubles"]]
    details += [
        f"{question}: {words}"
        for question, words in record["failed"].items()
        if words.partition(":")[0] not in SAID
    ]
    if submission.total_seconds_late > 0:
        status.append("late")
        details.append(f"late by {timedelta(seconds=round(submission.total_seconds_late))}")
    elif due and submission.timestamp is None:
        status.append("no timestamp")
    comments = {
        comment.name: comment.comment
        for notebook in submission.notebooks
        for comment in notebook.comments
    }
    return Row(student, list(dict.fromkeys(status)) or ["graded"], details, points, comments)


def write_csv(path: Path, most: dict, table: list[Row]):
    """Write one line per student; a question that waits for the teacher is empty."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, quoting=csv.QUOTE_ALL)  # so a ; or a tab in a field starts no other
        out.writerow(["student", "status", "points", "of", "to_read", *most, "details"])
        for row in table:
            values = [_number(row.points.get(question)) for question in most]
            out.writerow(
                [
                    _plain(row.student),
                    "; ".join(row.status),
                    _number(row.total) if row.points else "",
                    _number(sum(most.values())),
                    row.to_read,
                    *values,
                    _plain(" | ".join(row.details)),
                ]
            )


def _number(value):
    return "" if value is None else f"{value:g}"


def _plain(text):
    """Return text that a spreadsheet does not take for a formula, whatever it takes for a
    separator.
    """
    text = " ".join(plain(text).split())
    return "'" + text if re.search(r"(^|[;,|:\t])\s*['\"]*[=+@-]", text) else text


def as_html(course: Course, name: str, most: dict, table: list[Row]) -> str:
    """Return the table of an assignment, each student linked to the feedback."""
    lines = []
    for row in table:
        page = course.root / "feedback" / row.student / name / f"{name}.html"
        student = html.escape(plain(row.student))
        if page.is_file():
            student = (
                f'<a href="../{quote(os.fsencode(page.relative_to(course.root)))}">{student}</a>'
            )
        mark = ' class="note"' if row.status != ["graded"] else ""
        words = "".join(f"<span>{html.escape(plain(text))}</span>" for text in row.details)
        status = f"<b{mark}>{html.escape(', '.join(row.status))}</b>{words}"
        lines.append(
            [
                cell(student, 'scope="row"', "th"),
                cell(status, 'class="words"'),
                cell(_number(row.total) if row.points else "–"),
                cell(row.to_read or ""),
                *(cell(_number(row.points.get(q)) or "–") for q in most),
            ]
        )
    short = {q: html.escape(q).replace("_", "_<wbr>") for q in most}
    head = [
        cell("student", 'scope="col"', "th"),
        cell("status", 'scope="col" class="words"', "th"),
        *(cell(title, 'scope="col"', "th") for title in ("points", "to read")),
        *(
            cell(f"{short[q]}<br>{_number(points)}", 'scope="col"', "th")
            for q, points in most.items()
        ),
    ]
    graded = [row.total for row in table if row.points]
    mean = (
        f", mean {sum(graded) / len(graded):.1f} of {_number(sum(most.values()))} points"
        if graded
        else ""
    )
    caption = (
        f"{len(table)} students, {len(graded)} graded{mean},"
        f" {sum(row.to_read for row in table)} answers to read"
    )
    name = html.escape(name)
    return (
        f'<h2>{name}</h2><p><a href="{name}.csv">{name}.csv</a></p>'
        f"{html_table(caption, head, lines, look='')}"
    )


def write_index(course: Course, tables: dict):
    """Write the tables of all assignments to one page."""
    parts = [as_html(course, name, most, table) for name, (most, table) in tables.items()]
    page = (
        '<!doctype html><html lang="en"><head><meta'
        f' charset="utf-8"><title>Grades</title><style>{STYLE}</style></head>'
        f"<body><h1>Grades</h1>{''.join(parts)}</body></html>\n"
    )
    (course.root / "grades" / "index.html").write_text(page, encoding="utf-8")


def exporter(course: Course):
    """Return what turns a notebook into a page with nbgrader's template, which is compiled
    already.
    """
    from nbconvert import HTMLExporter
    from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
    from nbgrader.converters import GenerateFeedback

    logging.getLogger("traitlets").setLevel("ERROR")
    made = HTMLExporter(
        config=GenerateFeedback(coursedir=course.folders, config=course.config).config
    )
    made.register_preprocessor(CSSHTMLHeaderPreprocessor, enabled=True)
    nothing = {"notebook": "", "score": 0, "max_score": 0, "late_penalty": 0}
    made.from_notebook_node(new_notebook(), {"nbgrader": nothing})
    return made


def offline(page: str) -> str:
    """Return a page that asks nobody for anything: formulas are MathML, scripts and fonts are gone,
    and the browser refuses what is left.
    """
    page = re.sub(r"(?s)<script\b.*?</script\s*>|@font-face\s*\{[^}]*\}", "", page)
    return typeset(page.replace("<head>", f"<head>{HEAD}", 1))


def feedback(course: Course, name: str, row: Row, pages, solutions: bool = False):
    """Write the student's page, with the model solutions if the teacher says so. A page that is up
    to date stays as it is.
    """
    from nbgrader.preprocessors import GetGrades

    source, record = (
        course.autograded(name, row.student),
        course.record(name, row.student).with_suffix(".page"),
    )
    page = course.root / "feedback" / row.student / name / f"{name}.html"
    content = json.dumps(
        [row.points, row.comments, hashlib.sha256(source.read_bytes()).hexdigest(), solutions]
    )
    if page.is_file() and record.is_file() and record.read_text() == content:
        return
    resources = {
        "unique_key": name,
        "metadata": {"name": name},
        "nbgrader": {
            "assignment": name,
            "notebook": name,
            "student": row.student,
            "db_url": course.folders.db_url,
        },
    }
    nb, resources = GetGrades(config=course.config).preprocess(nbformat.read(source, 4), resources)
    if not solutions:
        nb.cells = [cell for cell in nb.cells if "olc_solution" not in cell.metadata]
    titles = Blueprint.read(course.source(name)).titles
    unread = [question for question, points in row.points.items() if points is None]
    waiting = ", ".join(titles.get(question, question) for question in unread)
    if waiting:
        words = (
            "**Your teacher has not read these answers yet**, and they count 0 until then:"
            f" {waiting}"
        )
        nb.cells.insert(0, new_markdown_cell(words, id="waiting"))
    text, _ = pages.from_notebook_node(nb, resources)
    text = re.sub(
        r'<a href="#(\w+)">(Test cell|Written response|Coding free-response)</a>',  # say which
        lambda link: f'<a href="#{link[1]}">{html.escape(titles.get(link[1], link[2]))}</a>',
        text,
    )
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(offline(text), encoding="utf-8")
    page.chmod(0o644)  # its student will read it
    for extra in source.parent.glob("*.txt"):  # nbgrader's exchange needs them
        shutil.copy(extra, page.parent)
    record.write_text(content)


def write_pages(
    course: Course, name: str, ready: list[Row], pages, jobs: int, solutions: bool = False
) -> dict[str, str]:
    """Return for each student whose page could not be written why; each is written by a process
    with limits.
    """
    waiting, running, errors = list(ready), {}, {}

    def work(row, send):
        confine(PAGE_MEMORY)
        try:
            feedback(course, name, row, pages, solutions)
            send.send("")
        except BaseException as error:
            send.send(plain(f"{type(error).__name__}: {error}")[:300])

    while waiting or running:
        while waiting and len(running) < jobs:
            row, (receive, send) = waiting.pop(0), FORK.Pipe(duplex=False)
            process = FORK.Process(target=work, args=(row, send))
            process.start()
            send.close()
            running[receive] = row, process, time.monotonic() + PAGE_TIME
        heard = wait(list(running), timeout=0.5)
        for receive in [
            one for one, (*_, end) in running.items() if one in heard or time.monotonic() > end
        ]:
            row, process, _ = running.pop(receive)
            try:
                error = (
                    receive.recv() if receive in heard else f"it took more than {PAGE_TIME} seconds"
                )
            except EOFError:
                error = "the process that wrote it has died"
            process.kill()
            process.join()
            errors |= {row.student: error} if error else {}
    return errors


def report(root: Path, names: list[str], jobs: int = 2, solutions: bool = False) -> int:
    """Return 0 after writing grades/NAME.csv, grades/index.html and
    feedback/STUDENT/NAME/NAME.html.
    """
    course, failed = Course(root), []
    for name in names:
        if name not in course.assignments:
            sys.exit(f"there is no assignment {name!r}; there are {', '.join(course.assignments)}")
    graded = [
        name
        for name in names or course.assignments
        if any((course.root / "grading" / name).glob("*.json"))
    ]
    if not graded:
        sys.exit("nothing is graded yet: make grade HW=…")
    (course.root / "grades").mkdir(exist_ok=True)
    tables = {name: rows(course, name) for name in graded}
    for name, (most, table) in tables.items():
        write_csv(course.root / "grades" / f"{name}.csv", most, table)
    write_index(course, tables)
    pages = exporter(course)
    for name, (_, table) in tables.items():
        ready = [row for row in table if row.points]
        errors = write_pages(course, name, ready, pages, jobs, solutions)
        failed += errors
        for row in ready:
            page = f"feedback/{row.student}/{name}/{name}.html"
            print(
                plain(
                    f"{name}  {row.student}  NO FEEDBACK PAGE: {errors[row.student]}"
                    if row.student in errors
                    else f"{name}  {row.student}  {page}"
                ),
                flush=True,
            )
        print(
            f"{name}  grades/{name}.csv  {len(table)} students, {len(ready)} graded, "
            f"{sum(row.to_read for row in table)} answers to read",
            flush=True,
        )
    write_index(course, tables)  # now with the pages
    print("grades/index.html", flush=True)
    return int(bool(failed))
