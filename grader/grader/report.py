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
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from multiprocessing.connection import wait
from pathlib import Path
from urllib.parse import quote

import nbformat
from nbformat.v4 import new_markdown_cell, new_notebook

from .classroom import Classroom, plain
from .copies import side_by_side
from .examine import UNWRITTEN, Blueprint
from .formulas import typeset
from .grade import FORK, confine, recorded

PAGE_TIME, PAGE_MEMORY = 20, 2048  # seconds and megabytes to write a page
# Nothing is loaded and no script runs; fonts for formulas, some of which every system has; columns
# keep apart, and what is long does not make the page wide.
HEAD = """<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<style>math {font-family: "Cambria Math", "STIX Two Math", "Latin Modern Math",
  "DejaVu Math TeX Gyre", math}
body table {margin: .5em 0 1em} body td, body th {padding: .15em .6em; vertical-align: top}
body pre, body code {white-space: pre-wrap; overflow-wrap: anywhere}
.output_area {overflow-x: auto}</style>"""
WORDS = 'class="words"'  # a column with sentences
SAID = (*UNWRITTEN, "NotRun")  # failures that the status explains
STYLE = """:root {color-scheme: light dark}
body {font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 100rem; padding: 0 1rem}
table {border-collapse: collapse; margin: 1rem 0 2.5rem}
caption {text-align: left; font-weight: 600; padding: .4rem 0}
th, td {padding: .25rem .7rem; border-bottom: 1px solid #8888; text-align: right;
  vertical-align: top}
th:first-child, td:first-child, .words {text-align: left} thead th {border-bottom: 2px solid}
.note {color: light-dark(#8a3b00, #ffb070); font-weight: 600} td.words {min-width: 15rem}
td.words span {display: block; font-size: .85rem; overflow-wrap: anywhere}
pre {white-space: pre-wrap; overflow-wrap: anywhere; margin: 0} td.answer {width: 50%}"""


@dataclass
class Row:
    """One student's line: points per question (None: to be read by the teacher), the status and its
    details, what each failed test said, and what a late submission loses.
    """

    student: str
    status: list[str]
    details: list[str] = field(default_factory=list)
    points: dict[str, float | None] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    penalty: float = 0

    @property
    def to_read(self):
        return sum(points is None for points in self.points.values())

    @property
    def total(self):
        return sum(points or 0 for points in self.points.values()) - self.penalty


def rows(classroom: Classroom, name: str) -> tuple[dict[str, float], list[Row]]:
    """Return the points of each question and a row for everybody of this class who is in the
    gradebook or handed something in.
    """
    blueprint, handed_in = (Blueprint.find(classroom, name), classroom.submitted(name))
    marks = [cell.metadata.nbgrader for cell in blueprint.marked.values()]
    most = {mark.grade_id: mark.points for mark in marks if mark.grade}
    with classroom.gradebook() as book:
        due, found = book.find_assignment(name).duedate, {}
        for submission in book.assignment_submissions(name):
            found[submission.student_id] = _row(classroom, name, submission, due)
        everybody = {student.id for student in book.students} | set(handed_in)
    return most, [
        found.get(student)
        or Row(student, ["not graded" if student in handed_in else "not handed in"])
        for student in sorted(everybody - earlier(classroom))
    ]


def earlier(classroom: Classroom) -> set[str]:
    """Return who was graded, but has no folder any more: the students of an earlier class."""
    here = {path.parent.name for path in classroom.root.glob("submitted/*/*")}
    with classroom.gradebook() as book:
        graded = {
            submission.student_id
            for name in classroom.assignments
            for submission in book.assignment_submissions(name)
        }
    return graded - here if here else set()


def _row(classroom, name, submission, due):
    student = submission.student_id
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    points = {
        grade.name: None if grade.auto_score is None and grade.manual_score is None else grade.score
        for grade in grades
    }
    record = recorded(classroom, name, student)
    if record is None:
        return Row(student, ["not graded"], [f"grade it with make grade HW={name}"])
    penalty = submission.late_submission_penalty or 0
    status = ["blank"] * record["blank"] + [kind for kind, *_ in record["troubles"]] or ["graded"]
    details = [f"{kind} ({where}): {words}" for kind, where, words in record["troubles"]]
    details += [
        f"{question}: {words}"
        for question, words in record["failed"].items()
        if words.partition(":")[0] not in SAID
    ]
    if submission.total_seconds_late > 0:
        status.append("late")
        by = f"late by {timedelta(seconds=round(submission.total_seconds_late))}"
        details.append(by + f", {penalty:g} points less" * (penalty > 0))
    elif due and submission.timestamp is None:
        status.append("no timestamp")
    comments = {
        comment.name: comment.comment
        for notebook in submission.notebooks
        for comment in notebook.comments
    }
    status = list(dict.fromkeys(status))
    return Row(student, status, details, points, comments, record["failed"], penalty)


def penalize(classroom: Classroom, name: str):
    """Let nbgrader take off what the settings say for a late submission, now that it may have been
    read, or have another due date.
    """
    from nbgrader.preprocessors import AssignLatePenalties

    with classroom.gradebook() as book:
        late = [
            submission.student_id
            for submission in book.assignment_submissions(name)
            if submission.total_seconds_late > 0 or submission.late_submission_penalty
        ]
    for student in late:
        where = {"notebook": name, "assignment": name, "student": student}
        resources = {"nbgrader": where | {"db_url": classroom.folders.db_url}}
        AssignLatePenalties(config=classroom.config).preprocess(new_notebook(), resources)


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


def tag(kind: str, content: object, attributes: str = "") -> str:
    """Return an element of HTML."""
    return f"<{kind}{' ' * bool(attributes)}{attributes}>{content}</{kind}>"


def as_html(classroom: Classroom, name: str, most: dict, table: list[Row]) -> str:
    """Return the table of an assignment, each student linked to the feedback."""
    short = {question: html.escape(question).replace("_", "_<wbr>") for question in most}
    titles = [f"{short[question]}<br>{_number(points)}" for question, points in most.items()]
    head = [
        tag("th", "student", 'scope="col"'),
        tag("th", "status", f'scope="col" {WORDS}'),
        *(tag("th", title, 'scope="col"') for title in ("points", "to read", *titles)),
    ]
    parts = [
        tag("caption", caption(most, table)),
        tag("thead", tag("tr", "".join(head))),
        tag("tbody", "".join(html_row(classroom, name, most, row) for row in table)),
    ]
    by_question = question_table(Blueprint.find(classroom, name).titles, most, table)
    name = html.escape(name)
    link = f'<a href="{name}.csv">{name}.csv</a>'
    if (classroom.root / "grades" / f"{name}_similar.html").is_file():
        link += f' · <a href="{name}_similar.html">similar answers</a>'
    return f"<h2>{name}</h2><p>{link}</p>{tag('table', ''.join(parts))}{by_question}"


def question_table(titles: dict, most: dict, table: list[Row]) -> str:
    """Return for each question of an assignment how many solved it, and what their tests said."""
    head = ("question", "", "points", "mean", "all points", "most often wrong")
    looks = ("", WORDS, "", "", "", WORDS)
    lines = []
    for question, points in most.items():
        got = [row.points[question] for row in table if row.points.get(question) is not None]
        slips = Counter(slip(row.failed[question]) for row in table if question in row.failed)
        cells = [
            html.escape(question),
            typeset(html.escape(titles[question])),
            _number(points),
            f"{sum(got) / len(got):.1f}" if got else "–",
            f"{sum(score >= points for score in got)} of {len(got)}" if got else "–",
            "".join(
                tag("span", f"{n} × {html.escape(words)}")
                for words, n in slips.most_common(3)
                if words not in SAID
            ),
        ]
        lines.append(tag("tr", "".join(map(tag, ["td"] * 6, cells, looks))))
    first = tag("tr", "".join(map(tag, ["th"] * 6, head, looks)))
    parts = tag("caption", "By question"), tag("thead", first), tag("tbody", "".join(lines))
    return tag("table", "".join(parts))


def slip(words: str) -> str:
    """Return what a failed test said without its example, so that equal slips are counted."""
    kind, _, rest = plain(words).partition(": ")
    return kind if kind in SAID else f"{kind}: {re.split('[:;,.] | on trial ', rest)[0]}"[:80]


def caption(most: dict, table: list[Row]) -> str:
    """Return how many students there are, how many are graded, and their mean."""
    graded = [row.total for row in table if row.points]
    words = f"{len(table)} students, {len(graded)} graded"
    if graded:
        words += f", mean {sum(graded) / len(graded):.1f} of {_number(sum(most.values()))} points"
    return f"{words}, {sum(row.to_read for row in table)} answers to read"


def html_row(classroom: Classroom, name: str, most: dict, row: Row) -> str:
    """Return a student's row of HTML."""
    page, student = classroom.page(name, row.student), html.escape(plain(row.student))
    if page.is_file():
        address = quote(os.fsencode(page.relative_to(classroom.root)))
        student = f'<a href="../{address}">{student}</a>'
    status = html.escape(", ".join(row.status))
    words = "".join(tag("span", html.escape(plain(text))) for text in row.details)
    cells = [
        tag("th", student, 'scope="row"'),
        tag("td", tag("b", status, 'class="note"' * (row.status != ["graded"])) + words, WORDS),
        tag("td", _number(row.total) if row.points else "–"),
        tag("td", row.to_read or ""),
        *(tag("td", _number(row.points.get(question)) or "–") for question in most),
    ]
    return tag("tr", "".join(cells))


def write_index(classroom: Classroom, tables: dict):
    """Write the tables of all assignments to one page."""
    parts = [as_html(classroom, name, most, table) for name, (most, table) in tables.items()]
    if left := sorted(map(plain, earlier(classroom))):
        words = f"Not of this class, for they have no folder in submitted/: {', '.join(left)}."
        parts.append(tag("p", html.escape(words)))
    page = (
        '<!doctype html><html lang="en"><head><meta'
        f' charset="utf-8"><title>Grades</title><style>{STYLE}</style></head>'
        f"<body><h1>Grades</h1>{''.join(parts)}</body></html>\n"
    )
    (classroom.root / "grades" / "index.html").write_text(page, encoding="utf-8")


def exporter(classroom: Classroom):
    """Return what turns a notebook into a page with nbgrader's template, which is compiled
    already.
    """
    from nbconvert import HTMLExporter
    from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
    from nbgrader.converters import GenerateFeedback

    logging.getLogger("traitlets").setLevel("ERROR")
    config = GenerateFeedback(coursedir=classroom.folders, config=classroom.config).config
    made = HTMLExporter(config=config, template_file="index.html.j2")  # Formgrader has another
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


def feedback(classroom: Classroom, name: str, row: Row, pages, solutions: bool = False):
    """Write the student's page, with the model solutions if the teacher says so. A page that is up
    to date stays as it is.
    """
    source, page = classroom.autograded(name, row.student), classroom.page(name, row.student)
    record = classroom.record(name, row.student).with_suffix(".page")
    notebook = hashlib.sha256(source.read_bytes()).hexdigest()
    content = json.dumps([row.points, row.comments, row.penalty, notebook, solutions])
    if page.is_file() and record.is_file() and record.read_text() == content:
        return
    nb, resources = with_grades(classroom, name, row.student)
    if not solutions:
        nb.cells = [cell for cell in nb.cells if "olc_solution" not in cell.metadata]
    titles = Blueprint.find(classroom, name).titles
    unread = [titles.get(question, question) for question, n in row.points.items() if n is None]
    if unread:
        words = "**Your teacher has not read these answers yet**, and they count 0 until then: "
        nb.cells.insert(0, new_markdown_cell(words + ", ".join(unread), id="waiting"))
    text, _ = pages.from_notebook_node(nb, resources)
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(offline(titled(text, titles)), encoding="utf-8")
    page.chmod(0o644)  # its student will read it
    for extra in source.parent.glob("*.txt"):  # nbgrader's exchange needs them
        shutil.copy(extra, page.parent)
    record.write_text(content)


def with_grades(classroom: Classroom, name: str, student: str):
    """Return a graded notebook with the points and comments of the gradebook, and what nbgrader's
    template knows of it.
    """
    from nbgrader.preprocessors import GetGrades

    where = {"assignment": name, "notebook": name, "student": student}
    resources = {
        "unique_key": name,
        "metadata": {"name": name},
        "nbgrader": where | {"db_url": classroom.folders.db_url},
    }
    nb = nbformat.read(classroom.autograded(name, student), 4)
    return GetGrades(config=classroom.config).preprocess(nb, resources)


def titled(page: str, titles: dict[str, str]) -> str:
    """Return a page whose table of contents says which test or answer a link leads to."""
    return re.sub(
        r'<a href="#(\w+)">(Test cell|Written response|Coding free-response)</a>',
        lambda link: f'<a href="#{link[1]}">{html.escape(titles.get(link[1], link[2]))}</a>',
        page,
    )


def write_pages(
    classroom: Classroom, name: str, ready: list[Row], pages, jobs: int, solutions: bool = False
) -> dict[str, str]:
    """Return for each student whose page could not be written why; each is written by a process
    with limits.
    """
    waiting, running, errors = list(ready), {}, {}

    def work(row, send):
        confine(PAGE_MEMORY)
        try:
            feedback(classroom, name, row, pages, solutions)
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
    """Return 0 after writing grades/index.html with all grades, and for the assignments of these
    names, or for all, grades/NAME.csv and feedback/STUDENT/NAME/NAME.html.
    """
    classroom, failed = Classroom(root), False
    classroom.require(*names)
    records = classroom.root / "grading"
    graded = [name for name in classroom.assignments if any((records / name).glob("*.json"))]
    for name in graded:
        penalize(classroom, name)
    tables = {name: rows(classroom, name) for name in graded}
    wanted = {name: tables[name] for name in names or tables if name in tables}
    if not wanted:
        sys.exit("nothing is graded yet: make grade HW=…")
    (classroom.root / "grades").mkdir(exist_ok=True)
    for name, (most, table) in wanted.items():
        write_csv(classroom.root / "grades" / f"{name}.csv", most, table)
        if pairs := side_by_side(classroom, name, STYLE):
            print(f"{name}  grades/{name}_similar.html  {pairs} pairs of similar answers")
    write_index(classroom, tables)
    pages = exporter(classroom)
    for name, (_, table) in wanted.items():
        ready = [row for row in table if row.points]
        errors = write_pages(classroom, name, ready, pages, jobs, solutions)
        failed |= bool(errors)
        for row in ready:
            page = f"feedback/{row.student}/{name}/{name}.html"
            if row.student in errors:
                page = f"NO FEEDBACK PAGE: {errors[row.student]}"
            print(plain(f"{name}  {row.student}  {page}"), flush=True)
        to_read = sum(row.to_read for row in table)
        print(
            f"{name}  grades/{name}.csv  {len(table)} students, {len(ready)} graded,"
            f" {to_read} answers to read",
            flush=True,
        )
    write_index(classroom, tables)  # now with the pages
    print("grades/index.html", flush=True)
    return int(failed)
