"""The grader: a class with hostile members is graded as if they were not there, and they get what
they deserve.
"""

import csv
import hashlib
import html
import json
import os
import re
import shutil
import socket
import threading
import time
from array import array
from collections import deque
from dataclasses import replace
from decimal import Decimal
from html.parser import HTMLParser
from urllib.parse import quote
from xml.dom import minidom

import hypothesis.extra.numpy as hnp
import nbformat
import numpy as np
import pytest
from coursework import ROOT, copy_of, hand_in, submission, table
from hostile import HOSTILE, LIMITED, RIGHT_HEDGE, WRONG_HEDGE
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.utils import determine_grade
from olc_helpers import counterexamples, play
from olc_helpers.feedback import width
from olc_helpers.grading import TASKS, Slip, check

from grader import examine, sandbox, wire
from grader import grade as grading
from grader.examine import Blueprint, beside, is_read, is_test, mark, merge
from grader.formulas import FORMULA, Unknown, mathml, typeset
from grader.remote import Died, Remote, Student
from grader.report import Row, offline, report, write_csv
from grader.sandbox import Limits, NoSandbox, Sandbox
from grader.sanitize import bound, disarm, render

HW = "hw2_hedge"
LIMITS = Limits(cell=4, total=60, memory=450, processes=48, file=8, disk=32)


def fingerprint(*folders):
    """Return a digest of every file below the folders."""
    found = hashlib.sha256()
    files = [
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    for path in sorted(files):
        found.update(
            os.fsencode(path)
            + (
                path.read_bytes()
                if path.stat().st_size < 2**30 and os.access(path, os.R_OK)
                else b""
            )
        )
    return found.hexdigest()


class Server(threading.Thread):
    """Listens on loopback until it is stopped, and remembers who came."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket, self.came = socket.create_server(("127.0.0.1", 0)), 0
        self.socket.settimeout(0.2)
        self.port, self.open = self.socket.getsockname()[1], True

    def run(self):
        while self.open:
            try:
                connection, _ = self.socket.accept()
            except TimeoutError:
                continue
            self.came += 1
            connection.close()
        self.socket.close()


@pytest.fixture(scope="module")
def graded(tmp_path_factory, template, needs_sandbox):
    """A class of honest, careless and hostile students, graded once."""
    course, neighbour = (
        copy_of(template, tmp_path_factory.mktemp("class")),
        tmp_path_factory.mktemp("neighbour"),
    )
    (neighbour / "thesis.txt").write_text("irreplaceable")
    server = Server()
    server.start()
    socket.create_connection(("127.0.0.1", server.port)).close()
    due = "2026-03-01 12:00:00 UTC"
    hand_in(course, "solved", submission(HW), HW, timestamp="2026-03-01 11:59:00 UTC")
    hand_in(course, "late", submission(HW), HW, timestamp="2026-03-01 14:05:00 UTC")
    hand_in(course, "blank", submission(HW, solved=False), HW, timestamp="2026-03-01 11:00:00 UTC")
    hand_in(course, "wrong", submission(HW, {"hedge": WRONG_HEDGE}), HW)
    nb = submission(
        HW, {"figure": "import mine\nprint(mine.answer, len(open('data/noise.bin', 'rb').read()))"}
    )
    folder = hand_in(course, "brings_files", nb, HW).parent
    (folder / "mine.py").write_text("answer = 42")
    (folder / "data").mkdir()
    (folder / "data/noise.bin").write_bytes(bytes(range(256)) * 2**15)  # 8 MB
    figure = "h = Halving(3)\nprint(ledger.holds, h.predict(np.ones(3, int)))"
    nb = submission(
        HW, {"figure": figure, "hedge": "from olc_helpers import Halving\n" + RIGHT_HEDGE}
    )
    hand_in(course, "draws_with_the_package", nb, HW)
    for student, answers in HOSTILE.items():
        answers = {
            key: (
                code.replace("SCRATCH", repr([str(course), str(neighbour)])).replace(
                    "PORT", str(server.port)
                )
            )
            for key, code in answers.items()
        }
        hand_in(course, student, submission(HW, answers), HW)
    nb = submission(HW, {"hedge": WRONG_HEDGE})
    next(
        cell for cell in nb.cells if mark(cell).get("grade_id") == "hedge_check"
    ).source = "assert True"
    hand_in(course, "tampers", nb, HW)
    nb = submission(HW)
    nb.cells = [cell for cell in nb.cells if not is_test(cell)]
    hand_in(course, "loses_cells", nb, HW)
    hand_in(course, "corrupt", submission(HW), HW).write_text('{"cells": [{"cell_type": "code"')
    path = hand_in(course, "links", submission(HW), HW)
    path.unlink()
    path.symlink_to(course / f"submitted/solved/{HW}/{HW}.ipynb")
    hand_in(course, "other_name", submission(HW), HW).rename(
        course / f"submitted/other_name/{HW}/homework.ipynb"
    )
    nb = submission(HW, {"hedge": HOSTILE["loops_and_ignores_the_end"]["figure"]})
    next(cell for cell in nb.cells if mark(cell).get("grade_id") == "hedge_check").source = HOSTILE[
        "exits"
    ]["hedge"]
    hand_in(course, "ends_twice", nb, HW)
    for student, said in (("lies", "9" * 400), ("backdates", "2026-03-01 11:00:00 UTC")):
        hand_in(course, student, submission(HW), HW).with_name("timestamp.txt").write_text(said)
    shorter = hand_in(course, "shortens", submission(HW), HW, timestamp="2026-03-01 14:05:00 UTC")
    shorter.with_name("timestamp.txt").write_text("2026-03-01")
    hand_in(course, os.fsdecode(b"\xff\xfe"), submission(HW), HW)
    with open(hand_in(course, "huge", submission(HW), HW).with_name("data.bin"), "wb") as file:
        file.truncate(2**40)  # a terabyte of nothing, which takes no room on the disk
    (course / "submitted/borrows").mkdir()
    (course / f"submitted/borrows/{HW}").symlink_to(course / f"submitted/solved/{HW}")
    hand_in(course, "looks_around_too", submission(HW, HOSTILE["looks_around"]), HW)
    odd = course / f"submitted/odd_characters/{HW}/{HW}.ipynb"
    text = json.loads(odd.read_text())
    for cell in text["cells"]:
        cell["id"] = "no id at all!"
    odd.write_text(json.dumps(text))
    with open(os.fsencode(odd.parent) + b"/\xff\xfe.txt", "wb"):
        pass
    odd.with_name("secret.txt").touch(0)
    hand_in(course, "Zoë #1 [x]", submission(HW), HW)
    hand_in(course, "downloads", submission(HW), HW).rename(
        course / f"submitted/downloads/{HW}/HW2_Hedge (1).ipynb"
    )
    hand_in(course, "astray", submission(HW), HW).rename(course / f"submitted/astray/{HW}.ipynb")
    (course / f"submitted/astray/{HW}").rmdir()
    kept = [
        course / name for name in ("binder", "notebooks", "olc_helpers", "grader", "submitted")
    ] + [neighbour]
    before = fingerprint(*kept)
    os.environ.update(SECRET="of the teacher", EXCHANGE="exchange")
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(grading, "SHOW", 2)
            patch.setattr(
                counterexamples, "SIZES", counterexamples.SIZES[:8]
            )  # this class doesn't go wrong later
            assert grading.grade(course, HW, 6, LIMITS, due=due) == 0
        assert report(course, []) == 0
    finally:
        del os.environ["SECRET"], os.environ["EXCHANGE"]
        server.open = False
        server.join()
    assert fingerprint(*kept) == before, "nothing but the results may change"
    return course, server


EXPECTED = {  # points for hedge_check (20) and expected_mistakes_check (15), status
    "solved": (20, 15, "graded"),
    "late": (20, 15, "late"),
    "blank": (0, 0, "blank"),
    "wrong": (0, 15, "no timestamp"),
    "loops": (20, 0, "timed out"),
    "loops_and_ignores_the_end": (20, 15, "timed out"),
    "eats_memory": (20, 15, "out of memory"),
    "out_of_time_while_it_tells": (20, 15, "out of memory"),
    "eats_memory_in_many_processes": (20, 15, "out of memory"),
    "exits": (0, 15, "crashed"),
    "exits_when_tested": (20, 0, "crashed"),
    "forges": (20, 15, "crashed"),
    "ends_twice": (0, 15, "tampered test cell"),
    "starts_processes": (20, 15, "no timestamp"),
    "deletes": (20, 15, "no timestamp"),
    "reads": (20, 0, "no timestamp"),
    "patches": (0, 0, "no timestamp"),
    "prints": (20, 15, "no timestamp"),
    "writes": (20, 15, "no timestamp"),
    "connects": (20, 15, "no timestamp"),
    "draws_with_the_package": (20, 15, "no timestamp"),
    "brings_files": (20, 15, "no timestamp"),
    "scripts": (20, 15, "out of memory"),
    "tampers": (0, 15, "tampered test cell"),
    "loses_cells": (20, 15, "tampered test cell"),
    "waits": (20, 15, "no timestamp"),
    "fills_the_tests": (0, 15, "no timestamp"),
    "shows_a_lot": (20, 15, "no timestamp"),
    "slow_to_show": (20, 15, "no timestamp"),
    "odd_characters": (
        20,
        15,
        "unreadable file" if os.getuid() else "no timestamp",
    ),  # root can read it
    "looks_around": (20, 15, "no timestamp"),
    "looks_around_too": (20, 15, "no timestamp"),
    "trickles": (20, 15, "out of memory"),
    "delegates": (0, 15, "no timestamp"),
    "inherits": (0, 15, "no timestamp"),
    "Zoë #1 [x]": (20, 15, "no timestamp"),
    "downloads": (20, 15, "no timestamp"),
    "corrupt": (0, 0, "unreadable"),
    "huge": (0, 0, "unreadable"),
    "lies": (20, 15, "no timestamp"),
    "backdates": (20, 15, "no timestamp"),
    "shortens": (20, 15, "no timestamp"),
    "prints_and_crashes": (20, 15, "timed out"),
    "shows_and_crashes": (20, 15, "crashed"),
    "shows_and_ends": (20, 15, "crashed"),
    "links": (0, 0, "no notebook"),
    "other_name": (0, 0, "no notebook"),
}


@pytest.mark.parametrize("student", EXPECTED)
def test_everybody_gets_the_points_and_the_status_they_deserve(graded, student):
    row = table(graded[0], HW)[student]
    first, second, status = EXPECTED[student]
    assert (float(row["hedge_check"]), float(row["expected_mistakes_check"])) == (first, second), (
        row["details"]
    )
    assert row["status"].removeprefix("graded; ").split("; ")[0] == status, row["details"]


def test_nobody_is_forgotten(graded):
    assert set(table(graded[0], HW)) == set(EXPECTED) and set(HOSTILE) < set(EXPECTED)


def printed(course, student, question="figure"):
    nb = nbformat.read(course / f"autograded/{student}/{HW}/{HW}.ipynb", 4)
    cell = next(cell for cell in nb.cells if mark(cell).get("grade_id") == question)
    return "".join(
        output.get("text", "") + str(output.get("evalue", "")) for output in cell.outputs
    )


def test_what_lies_in_the_wrong_place_is_named(graded):
    classroom, submitted = grading.Classroom(graded[0]), graded[0] / "submitted"
    assert classroom.strays(HW) == [submitted / f"astray/{HW}.ipynb"]
    assert classroom.nameless(HW) == [submitted / os.fsdecode(b"\xff\xfe") / HW]


def test_other_submissions_and_uncounted_memory_are_out_of_reach(graded):
    one, two = (printed(graded[0], student) for student in ("looks_around", "looks_around_too"))
    for name in ("memfd", "shmget", "unshare", "keyctl", "clone"):
        assert f"{name} -1 Operation not permitted" in one
    assert "shared []" in one
    if os.getuid() == 0:
        assert one.rpartition("uid")[2] != two.rpartition("uid")[2]


def test_memory_is_counted_by_the_clock_where_there_is_no_control_group(needs_sandbox, monkeypatch):
    monkeypatch.setattr(sandbox.Group, "make", lambda *_: None)
    limits = replace(LIMITS, cell=LIMITED)  # to fill the memory may take seconds of the processor
    student = Student(grading.Classroom(ROOT).sandbox(limits), 0, {})
    student.set_time(limits.cell)
    with pytest.raises(Died, match="all processes together held more than 450 MB and were ended"):
        student.run("import numpy as np\n" + HOSTILE["trickles"]["figure"])


def test_the_secret_seed_is_gone_after_grading(graded):
    assert "OLC_SEED" not in os.environ


def test_time_is_the_processor_s(graded):
    assert printed(graded[0], "waits") == "done\n"


def test_busy_machine_gives_more_time_by_the_clock(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    for load, factor in ((0.5, 2), (2, 2), (16, 16)):
        monkeypatch.setattr(os, "getloadavg", lambda load=load: (load, 0, 0))
        assert sandbox.by_the_clock(3) == 3 * factor


SHY = """
class Shy:
    def __init__(self):
        self.t = 0
    def update(self, step):
        self.t += step
        return self.t
    @property
    def w(self):
        if self.t == 2:
            raise ValueError("not on trial 2")
        return self.t
"""


def test_weights_come_with_the_answer_to_a_call(needs_sandbox):
    """Asked for after each call, they cost no request of their own, and are never old."""
    student = Student(needs_sandbox, 0, {})
    student.set_time(LIMITS.cell)
    try:
        assert student.run(SHY) == []
        learner, other = (student.names(["Shy"])["Shy"]() for _ in range(2))
        assert learner.w == 0
        before = student.count
        for t in (1, 3, 4, 5):
            assert learner.update(1 + (t == 3)) == t and learner.w == t
        assert student.count == before + 4, "the names of the methods came with the object"
        assert other.w == 0 and other.update(2) == 2
        with pytest.raises(ValueError, match="not on trial 2"):
            other.w  # noqa: B018
        other.update(1)
        assert (learner.w, other.w) == (5, 3)
    finally:
        student.stop()


def test_who_calls_the_package_is_told_so(graded):
    for student in ("delegates", "inherits"):
        words = printed(graded[0], student, "hedge_check")
        assert re.search(
            "Your (code calls the package|class is built on the one of the package)", words
        )


def test_a_figure_may_use_what_an_answer_may_not(graded):
    assert printed(graded[0], "draws_with_the_package") == "True 1\n"


def test_pages_stay_small_and_say_that_they_were_cut(graded):
    path = graded[0] / f"autograded/shows_a_lot/{HW}/{HW}.ipynb"
    assert path.stat().st_size < 3 * 2**20
    text = path.read_text()
    outputs = next(
        cell.outputs
        for cell in nbformat.reads(text, 4).cells
        if mark(cell).get("grade_id") == "figure"
    )
    assert len(outputs) == 102, "100, the error, and the words"
    assert (
        "characters are shown" in text
        and "100 of 513 outputs are shown" in text
        and "ValueError" in text
    )
    page = (graded[0] / f"feedback/slow_to_show/{HW}/{HW}.html").read_text()
    assert "it took too long to format" in page


def test_test_that_failed_gives_no_points_whatever_became_of_its_message(blueprint, monkeypatch):
    tester = examine.Tester.__new__(examine.Tester)
    tester.own, tester.student = set(), None

    class Quiet:
        user_ns, error = {}, MemoryError()
        transform_cell = staticmethod(lambda source: source)

        def run(self, source):
            return [{"output_type": "error", "ename": 1, "evalue": [], "traceback": "no list"}]

    tester.shell = Quiet()
    tester.student = type("Nobody", (), {"names": lambda self, wanted: {}})()
    (error,) = tester.run("x = 1")
    assert (error.output_type, error.ename) == ("error", "MemoryError")


def test_processes_are_limited_for_root_too(graded):
    text = printed(graded[0], "starts_processes")
    assert (
        "stopped by BlockingIOError" in text
        and 5 < int(re.search(r"started (\d+)", text)[1]) < LIMITS.processes
    )


def test_files_are_limited_one_by_one_and_together(graded):
    largest, together = map(int, re.findall(r"\d+", printed(graded[0], "writes")))
    assert largest == LIMITS.file and LIMITS.file < together <= LIMITS.disk


def test_nothing_of_the_teacher_can_be_read(graded):
    assert printed(graded[0], "reads") == "found [] False\n"  # neither files nor the environment
    assert printed(graded[0], "reads", "expected_mistakes_check") == "the test let me see []"


def test_a_class_that_looks_at_the_tests_would_see_them_in_the_same_process():
    names = {"np": np}
    exec(HOSTILE["reads"]["hedge"], names)
    check(names["MyHedge"], "hedge", 3)
    assert names["MyHedge"].seen == {3}


def test_nobody_gets_out(graded):
    course, server = graded
    assert re.fullmatch(r"(refused \w+Error\n){2}", printed(course, "connects"))
    assert server.came == 1, "the test itself came once"


def test_files_of_a_submission_are_there(graded):
    assert printed(graded[0], "brings_files") == "42 8388608\n"


def test_long_output_is_cut(graded):
    assert "cut: a cell may print" in printed(graded[0], "prints")
    assert (graded[0] / f"autograded/prints/{HW}/{HW}.ipynb").stat().st_size < 400_000


def test_what_goes_wrong_again_after_a_crash_is_said(graded):
    details = table(graded[0], HW)["prints_and_crashes"]["details"]
    assert re.search(r"crashed \(rate_and_bound\).*timed out \(run again after rate_and_b", details)
    assert "a cell may show 15 MB" in printed(graded[0], "shows_and_crashes", "hedge")


def test_error_of_a_student_is_shown_as_it_is(graded):
    nb = nbformat.read(graded[0] / f"autograded/reads/{HW}/{HW}.ipynb", 4)
    cell = next(
        cell for cell in nb.cells if mark(cell).get("grade_id") == "expected_mistakes_check"
    )
    (error,) = cell.outputs
    assert (
        error.ename == "ValueError"
        and "remote.py" not in "".join(error.traceback)
        and "let me see" in "".join(error.traceback)
    )


def test_summary_says_what_happened_to_whom(graded):
    course, _ = graded
    rows, page = table(course, HW), (course / "grades/index.html").read_text()
    for student, row in rows.items():
        assert f'<a href="../feedback/{quote(student)}/{HW}/{HW}.html">{student}</a>' in page
        assert (course / f"feedback/{student}/{HW}/{HW}.html").is_file()
        assert all(html.escape(detail) in page for detail in row["details"].split(" | "))
        assert (row["points"] == "0") <= bool(row["details"] or row["status"] == "blank"), (
            "never a silent 0"
        )
    assert rows["late"]["details"] == "late by 2:05:00"
    assert (
        "hedge_check: Slip: Missing update: self.w is the same after every trial."
        in rows["wrong"]["details"]
    )
    assert f"<caption>{len(EXPECTED)} students, {len(EXPECTED)} graded, mean " in page
    assert (
        rows["solved"]["to_read"] == "5"
        and rows["solved"]["fair_draw"] == ""
        and rows["blank"]["to_read"] == "0"
    )


def test_feedback_pages_say_it_to_the_student(graded):
    course, _ = graded
    for student, words in (
        ("exits", "the code ended its own process"),
        ("corrupt", "is not a notebook"),
        ("tampers", "it is not the released one; the true test was run"),
        ("wrong", "Missing update"),
    ):
        assert words in (course / f"feedback/{student}/{HW}/{HW}.html").read_text(), student
    page = (course / f"feedback/solved/{HW}/{HW}.html").read_text()
    assert "What the grader noticed" not in page and "rubric" not in page
    assert (
        "Model solution and rubric" in (course / f"autograded/solved/{HW}/{HW}.ipynb").read_text()
    )
    assert '<a href="#hedge_check">1 · ' in page and ">Test cell<" not in page
    titles = Blueprint.read(ROOT / f"notebooks/homework/{HW}/{HW}.ipynb").titles
    unread = ", ".join(titles[name] for name in ("fair_draw", "losses_up_to_b", "lower_bound"))
    assert f"not read these answers yet</strong>, and they count 0 until then: {unread}" in page


class Active(HTMLParser):
    """Collects what a browser would run."""

    def __init__(self, page):
        super().__init__()
        self.inside, self.found, self.leads = "", [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.inside = tag
        anchor = ("class", "anchor-link") in attributes  # of a heading
        self.leads += [pair for pair in attributes if pair[0] in ("href", "src") and not anchor]
        self.found += [
            value
            for name, value in attributes
            if name.startswith("on")
            or re.match("javascript:", re.sub(r"[\x00-\x20]", "", value or ""), re.IGNORECASE)
        ]

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        self.found += [data] if self.inside == "script" else []


def test_no_script_of_a_student_runs_where_the_teacher_reads(graded):
    page = (graded[0] / f"feedback/scripts/{HW}/{HW}.html").read_text() + (
        graded[0] / "grades/index.html"
    ).read_text()
    assert [code for code in Active(page).found if "evil" in code] == []
    assert (
        len(
            [
                code
                for code in Active("<script>evil(1)</script><p onclick='evil(2)'>").found
                if "evil" in code
            ]
        )
        == 2
    )
    assert (
        "<td>kept</td>" in page
        and "<mi>a</mi><mo>&lt;</mo><mi>b</mi>" in page
        and "evil(1)" in page
    )


HARMFUL = [
    "[click](javascript:evil(1))",
    "[click](JaVa\tscript:evil(1))",
    "[click](java&#115;cript:evil(1))",
    "![x](javascript:evil(1))",
    "[a][b]\n\n[b]: javascript:evil(1)",
    "<javascript:evil(1)>",
    "<a href='javascript:evil(1)'>x</a>",
    "[x](data:text/html,evil)",
    "[x](vbscript:evil)",
    r"$\href{javascript:evil(1)}{x}$",
    r"&#36;\hr&#101;f{javascript:evil(1)}{x}&#36;",
    "```mermaid\nx\n```",
    "<iframe srcdoc='evil'>",
    "\\<img src=x onerror=evil(1)>",
    "![x](attachment:gone.png)",
    "![x][y]\n\n[y]: attachment:gone.png",
    "![evil](/logout)",
    "![evil](http://127.0.0.1:9/pixel.png)",
    "![evil](//host/pixel.png)",
    "![evil](<https://example.org/a b.png>)",
    "![evil][b]\n\n[b]: /logout",
    "![evil](data:image/svg+xml;base64,PHN2Zz4=)",
    "[evil](../../../submitted/NAME/hw1_experts/evil.html)",
    "[evil](//host/share)",
    "[evil](https:evil.html)",
    "[evil](http:///evil.html)",
    "[evil](\\\\host\\share)",
    "[evil](file:///evil.html)",
    "[evil](mailto:)",
    "[evil](#top)",
    "[evil][b]\n\n[b]: evil.html",
    r"$\mmlToken{mi}[href='javascript:evil(1)']{x}$",
]
FINE = [
    "[a page](https://example.org/x?y=1)",
    "<b>bold</b>",
    "mail [me](mailto:me@example.org)",
    "`calls[i](x)` and ![mine](attachment:mine.png)",
    r"$w \cdot x < 1$",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "![mine](attachment:mine.png)",
    "## 2: the data: x, y",
]


@pytest.mark.parametrize("source", HARMFUL + FINE)
def test_written_answers_keep_their_form_and_lose_what_runs(source):
    picture = {"mine.png": {"image/png": 'iVBO"><script>', "text/html": "<script>"}}
    cell = new_markdown_cell(source, attachments=picture)
    disarm(nbformat.v4.new_notebook(cells=[cell]))
    page = render(cell.source, cell.attachments)
    assert (
        Active(page).found == []
        and "<script" not in page
        and "evil" in cell.source
        or "evil" not in source
    )
    assert "<iframe" not in page and 'class="mermaid' not in page
    for kind, address in Active(page).leads:
        assert re.match({"href": r"https?://\w|mailto:\w", "src": "data:image/png;"}[kind], address)
    assert source in HARMFUL or not cell.source.startswith("**Shown as it was typed")
    assert "{javascript:" not in source or cell.source.startswith("**Shown as it was typed"), (
        "MathJax follows \\href"
    )
    assert cell.attachments == {"mine.png": {"image/png": "iVBOscript"}}
    assert (
        source not in HARMFUL
        or not re.match(r"!?\[\w+\]\([^<>`#\s]*\)$", source)
        or ("left out" in cell.source and "as it was typed" not in cell.source)
    ), "a link or picture alone becomes its text"
    if source == "![mine](attachment:mine.png)":
        assert 'src="data:image/png;base64,iVBOscript"' in page


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=evil(1)>",
        "[evil](javascript:evil(1))",
        "`![evil](/logout)`",
        r"$$\href{x}$$",
    ],
)
def test_what_the_grader_noticed_is_text(text):
    """A name of a file comes from the student as well as an error does."""
    nb = nbformat.v4.new_notebook()
    grading.note(nb, [("unreadable file", text, "x"), ("out of memory", "cell 1", text)])
    page = render(nb.cells[0].source, {})
    assert Active(page).found == [] and not re.search(r"<(img|a) |\$|\\", page)
    assert page.count(html.escape(text.strip("`$\\"), quote=False)) == 2 or "$" in text


def test_texts_of_the_teacher_are_not_looked_at_again():
    evil = r"$\href{javascript:evil(1)}{x}$"
    nb = nbformat.v4.new_notebook(cells=[new_markdown_cell("<b>ours</b>"), new_markdown_cell(evil)])
    disarm(nb, trusted={"<b>ours</b>"})
    assert nb.cells[0].source == "<b>ours</b>"
    assert nb.cells[1].source.startswith("**Shown as it was typed")


def test_figures_and_formulas_of_a_student_stay():
    data = {
        "image/svg+xml": "<svg onload='evil()'><path/></svg>",
        "text/latex": "$x$",
        "text/plain": "x",
    }
    cell = new_code_cell(outputs=[nbformat.v4.new_output("display_data", data)])
    disarm(nbformat.v4.new_notebook(cells=[cell]))
    kept = cell.outputs[0].data
    assert kept["text/latex"] == "$x$" and kept["text/html"].startswith(
        '<img alt="a drawing" src="data:image/svg+xml;base64,'
    )
    cell.outputs = [
        nbformat.v4.new_output("display_data", {"text/latex": text})
        for text in (r"$\href{javascript:x}{y}$", "<b>")
    ]
    disarm(nbformat.v4.new_notebook(cells=[cell]))
    assert [output.data for output in cell.outputs] == [{}, {}]


def test_everything_that_is_shown_has_a_bound():
    picture = nbformat.v4.new_output("display_data", {"image/png": "x" * 3 * 2**20})
    many = [nbformat.v4.new_output("display_data", {"image/png": "x" * 2**20}) for _ in range(20)]
    nb = nbformat.v4.new_notebook(
        cells=[new_code_cell("x" * 10**6, outputs=[picture]), new_code_cell(outputs=many)]
    )
    nb.metadata["widgets"] = "</script>"
    found = bound(nb)
    assert (
        "a picture of more than 2 MB was left out" in str(found.cells[0].outputs)
        and len(found.cells[0].source) < 120_000
    )
    assert "left out: the outputs of a notebook may have 8 MB" in str(found.cells[1].outputs)
    assert "widgets" not in found.metadata and len(nbformat.writes(found)) < 200_000


def test_no_spreadsheet_takes_a_field_for_a_formula(tmp_path):
    row = Row("x;=1+1", ["graded"], ["a\t=1+1", "\x1b[2J", "b,@SUM(1)"], {"q": 1.0}, {})
    write_csv(tmp_path / "grades.csv", {"q": 1}, [row, Row("=1", ["late"], [], {}, {})])
    text = (tmp_path / "grades.csv").read_text()
    assert "\x1b" not in text
    for separator in ",;\t|":
        fields = [
            field for line in csv.reader(text.splitlines(), delimiter=separator) for field in line
        ]
        assert [field for field in fields if field.startswith(("=", "+", "-", "@"))] == []


# Formulas -----------------------------------------------------------------------------------------


def test_every_formula_of_the_homework_and_of_its_ledgers_becomes_mathml():
    sources = [path.read_text() for path in (ROOT / "notebooks/homework").rglob("*.ipynb")]
    cells = [cell for text in sources for cell in nbformat.reads(text, 4).cells]
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    found = [match for text in texts for match in FORMULA.finditer(text)]
    ledgers = [task.theorem(play_of(task), **task.stream(0)[2]) for task in TASKS.values()]
    lines = [line.latex for ledger in ledgers for line in ledger.lines]
    assert len(found) > 400 and len(lines) > 40
    for latex in [match[1] or match[2] for match in found] + lines:
        minidom.parseString(mathml(latex))
        minidom.parseString(mathml(latex, display=True))


def play_of(task):
    X, y, _ = task.stream(0)
    learner = task.reference(width(X, y), *task.arguments.values())
    return play(learner, y) if X is None else play(learner, X, y)


def test_formulas_keep_their_parts():
    text = mathml(r"\frac12 \le \sum_{i=1}^n w_i'^2, a<b")
    assert "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac><mo>≤</mo>" in text
    assert re.search(r"<msubsup><mrow><mo>∑</mo></mrow>.*<mn>1</mn>.*<mi>n</mi>.*</msubsup>", text)
    assert "<munderover>" in mathml(r"\sum_{i=1}^n i", display=True)
    assert "<mo>&lt;</mo>" in text and "ℝ" in mathml(r"\mathbb R") and "𝔼" in mathml(r"\mathbb{E}")


@pytest.mark.parametrize(
    "latex", [r"\href{javascript:x}{y}", r"\begin{a}", "{" * 50 + "}" * 50, "x" * 6000, "x^", "}"]
)
def test_formula_that_is_not_understood_is_shown_as_it_was_typed(latex):
    with pytest.raises(Unknown):
        mathml(latex)
    assert typeset(f"<p>${latex}$</p>") == f"<p><code>{html.escape(latex)}</code></p>"


def test_page_is_typeset_where_it_shows_no_code():
    code = "<pre>$x$</pre><code>$x$</code><style>$x$</style><!-- $x$ --><a title='$x$'>b</a>"
    assert typeset(code) == code
    assert typeset("<p>$a&lt;b$, 5 $ and 6 $</p>").count("<math") == 1
    page = offline("<head></head><script>x</script><style>@font-face {src: url(x)} p {}</style>")
    assert not re.search("<script|url", page) and "default-src 'none'" in page


# Without a sandbox --------------------------------------------------------------------------------


def test_without_a_sandbox_nothing_runs_unless_it_is_asked_for(
    tmp_path, template, monkeypatch, capsys
):
    course = copy_of(template, tmp_path)
    hand_in(course, "solved", submission(HW), HW)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(
        SystemExit,
        match="(?s)NO SANDBOX: bubblewrap .*would run as you.*make grade HW=hw2_hedge UNSAFE=1",
    ):
        grading.grade(course, HW, 1, LIMITS)
    assert not (course / "autograded").exists()
    assert grading.grade(course, HW, 1, LIMITS, unsafe=True) == 0
    said = capsys.readouterr()
    assert "UNSAFE: the submissions run as you" in said.err
    assert re.search(r"solved  60 of 60 automatic points, 5 answers to read  graded", said.out)


def test_sandbox_that_does_not_start_is_none(monkeypatch, needs_sandbox):
    monkeypatch.setattr(sandbox, "VISIBLE", ("__init__",))
    with pytest.raises(NoSandbox, match="(?s)bubblewrap does not work here.*: .*grader.student"):
        Sandbox(ROOT / "olc_helpers", LIMITS)


# What crosses between the processes ---------------------------------------------------------------

numbers = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.fractions()
)
arrays = hnp.arrays(
    st.sampled_from([bool, np.int8, np.int64, np.float32, np.float64, np.complex128]),
    hnp.array_shapes(min_dims=0),
    elements={"allow_nan": False},
)
values = st.recursive(
    numbers | arrays,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
)


def same(a, b):
    if isinstance(a, np.ndarray | np.generic):
        return type(a) is type(b) and a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


@given(values)
def test_plain_data_arrives_as_it_was(value):
    assert same(value, wire.unpack(json.loads(json.dumps(wire.pack(value, None))), None))


class Own:
    """A sequence of a student's own."""

    def __len__(self):
        return 2

    def __getitem__(self, k):
        return [1, 2][k]


@pytest.mark.parametrize(
    ("value", "arrives"),
    [
        ({1, 2}, {1, 2}),
        (range(1, 9, 2), range(1, 9, 2)),
        (1 + 2j, 1 + 2j),
        (np.float32(0.1), np.float32(0.1)),
        (deque([1, 2]), [1, 2]),
        (array("d", [0.5]), [0.5]),
        (bytearray(b"\1\0"), [1, 0]),
        (Decimal("0.1"), Decimal("0.1")),
        (Own(), [1, 2]),
        (np.array(["a", None], object), ["a", None]),
        (Slip, "handle"),
        (type("Pair", (tuple,), {})((1, 2)), (1, 2)),
    ],
)
def test_other_data(value, arrives):
    found = wire.unpack(
        json.loads(json.dumps(wire.pack(value, lambda v: "handle"))), lambda handle: handle
    )
    assert (
        found.tolist() == arrives
        if isinstance(found, np.ndarray)
        else found == arrives and isinstance(found, type(arrives))
    )


def test_read_only_array_stays_read_only():
    frozen = np.arange(3)
    frozen.flags.writeable = False
    assert not wire.unpack(wire.pack(frozen, None), None).flags.writeable


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", wire.Closed),
        (b"\xff\xff\xff\xff", wire.Broken),
        (b"\0\0\0\x02[]", wire.Broken),
        (b"\0\0\0\x02{{", wire.Broken),
        (b"\0\0\0\x08[1,2,3,4", wire.Broken),
        (b"\0\0\0\x09{}", wire.Closed),
    ],
)
def test_broken_messages(data, error, monkeypatch):
    monkeypatch.setattr(wire, "PARTS", 3)
    reads, writes = os.pipe()
    os.write(writes, data)
    os.close(writes)
    with pytest.raises(error):
        wire.Channel(reads, -1).receive(time.monotonic() + 5)
    os.close(reads)


def test_silence_is_noticed():
    reads, writes = os.pipe()
    watched = []
    with pytest.raises(wire.Slow):
        wire.Channel(reads, -1).receive(time.monotonic() + 0.5, lambda: watched.append(1))
    assert watched
    os.close(reads), os.close(writes)


def test_somebody_watches_also_while_bytes_come():
    reads, writes = os.pipe()
    os.write(writes, b"\0\0\0\x02{}")
    watched = []
    assert (
        wire.Channel(reads, -1).receive(time.monotonic() + 5, lambda: watched.append(1)) == {}
        and watched
    )
    os.close(reads), os.close(writes)


@pytest.mark.parametrize(
    "packed",
    [
        {"array": ["O", [1], "AAAA", False, True]},
        {"array": ["<f8", [99], "", False, True]},
        {"array": []},
        {"exec": []},
        {"handle": [1]},
        {"a": 1, "b": 2},
        {"fraction": [1, 0]},
        {"dict": [[], 1]},
    ],
)
def test_forged_values_end_the_student_and_nobody_else(packed):
    student = Student.__new__(Student)
    student.process, student.lost = None, {}
    with pytest.raises(Died):
        student.unpack(packed)
    assert list(student.lost) == ["crashed"]


def test_tests_cannot_change_what_belongs_to_the_student():
    with pytest.raises(TypeError, match="a test cannot set attributes of a student's object: w"):
        Remote(None, 1, "learner", "m").w = 3
    with pytest.raises(
        TypeError, match="a test can pass numbers, arrays and containers; got object"
    ):
        student = Student.__new__(Student)
        student.then, student.ahead = None, ()
        student.call(Remote(None, 1, "f", "m"), None, [object()], {})


# Putting the true tests back ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def blueprint():
    return Blueprint.read(ROOT / f"notebooks/homework/{HW}/{HW}.ipynb")


def ids(nb):
    return [mark(cell).get("grade_id") for cell in nb.cells if mark(cell)]


def test_blueprint_has_the_hidden_tests_and_no_solution(blueprint):
    text = "\n".join(cell.source for cell in blueprint.cells)
    assert "HIDDEN TESTS" in text and "SOLUTION" not in text and "Model solution" not in text
    assert not re.search("HIDDEN|for seed", "\n".join(blueprint.visible.values()))


def test_untouched_submission_gets_the_true_tests_and_no_reproach(blueprint):
    examined, said = merge(blueprint, submission(HW))
    assert (
        examined.troubles == []
        and not examined.blank
        and ids(examined.nb) == list(blueprint.marked)
    )
    assert all(
        cell.source == blueprint.marked[mark(cell)["grade_id"]].source
        for cell in examined.nb.cells
        if is_test(cell)
    )
    assert said == {
        name: blueprint.visible[name] for name, cell in blueprint.marked.items() if is_test(cell)
    }
    assert merge(blueprint, submission(HW, solved=False))[0].blank


def test_answer_in_a_cell_of_one_s_own_is_read(blueprint):
    """It waits for the teacher, as the answers in other sections that are blank do not."""
    nb = submission(HW, solved=False)
    names = [mark(cell).get("grade_id") for cell in nb.cells]
    nb.cells.insert(names.index("lower_bound") + 1, new_markdown_cell("By the coin of trial 1."))
    examined, _ = merge(blueprint, nb)
    waits = [
        mark(cell)["grade_id"]
        for cell in examined.nb.cells
        if is_read(cell) and determine_grade(cell)[0] is None
    ]
    assert waits == ["lower_bound"] and not examined.blank


def test_model_solution_and_rubric_stand_beside_what_the_teacher_reads(blueprint):
    nb = submission(HW, solved=False)
    nb.cells[0].metadata["olc_solution"] = "forged"
    beside(nb, blueprint.solutions)
    assert "olc_solution" not in nb.cells[0].metadata
    for cell, below in zip(nb.cells, nb.cells[1:], strict=False):
        assert is_read(cell) == ("olc_solution" in below.metadata)
        if is_read(cell):
            assert below.source.startswith("<details open") and "Rubric." in below.source
            assert "BEGIN SOLUTION" not in below.source
    text = "".join(str(cell) for cell in blueprint.cells) + str(blueprint.visible)
    assert "Rubric" not in text, "students and sandbox get the blueprint without them"


def test_last_copy_of_a_cell_counts(blueprint):
    nb = submission(HW)
    copy = nbformat.from_dict(
        next(cell for cell in nb.cells if mark(cell).get("grade_id") == "hedge")
    )
    copy.source = "x = 1"
    nb.cells.append(copy)
    examined, _ = merge(blueprint, nb)
    assert sorted(ids(examined.nb)) == sorted(blueprint.marked)
    assert [cell.source for cell in examined.nb.cells if mark(cell).get("grade_id") == "hedge"] == [
        "x = 1"
    ]


def test_missing_cells_go_back_to_their_place(blueprint):
    nb = submission(HW)
    nb.cells = [
        cell
        for cell in nb.cells
        if mark(cell).get("grade_id") not in ("hedge", "hedge_check", "fair_draw")
    ]
    examined, said = merge(blueprint, nb)
    # An answer that is gone stays away.
    assert ids(examined.nb) == [name for name in blueprint.marked if name != "hedge"]
    assert [trouble[:2] for trouble in examined.troubles] == [
        ("tampered test cell", "hedge_check")
    ] and "hedge_check" not in said


def test_metadata_of_a_student_is_not_believed(blueprint):
    nb = submission(HW, {"hedge": WRONG_HEDGE})
    for cell in nb.cells:
        if mark(cell):
            cell.metadata.nbgrader.update(points=1000, grade=True, solution=False, locked=False)
    nb.cells[0].metadata["nbgrader"] = "nonsense"
    nb.cells[1].metadata["nbgrader"] = {"grade_id": "invented", "grade": True, "points": 50}
    examined, _ = merge(blueprint, nb)
    assert {mark(cell)["grade_id"]: mark(cell) for cell in examined.nb.cells if mark(cell)} == {
        name: cell.metadata.nbgrader for name, cell in blueprint.marked.items()
    }


def test_type_of_a_cell_is_put_right(blueprint):
    nb = submission(HW)
    for cell in nb.cells:
        if mark(cell).get("grade_id") in ("hedge", "hedge_check", "fair_draw"):
            cell.update(
                {"code": new_markdown_cell, "markdown": new_code_cell}[cell.cell_type](
                    cell.source, metadata=cell.metadata
                )
            )
            cell.pop("outputs" if cell.cell_type == "markdown" else "attachments", None)
    examined, _ = merge(blueprint, nb)
    assert all(
        cell.cell_type == blueprint.marked[mark(cell)["grade_id"]].cell_type
        for cell in examined.nb.cells
        if mark(cell)
    )
    nbformat.validate(examined.nb)
