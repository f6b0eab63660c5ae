"""Beyond one laptop: the gradebook on PostgreSQL, and nbgrader's exchange between accounts that
cannot read each other's homes.
"""

import os
import pwd
import re
import shlex
import shutil
import subprocess
import tempfile
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from coursework import PATH, ROOT, missing, postgres_server, submission
from sqlalchemy.exc import IntegrityError
from traitlets.config import PyFileConfigLoader

from grader.classroom import Classroom
from grader.grade import FORK
from grader.release import release
from grader.sandbox import Limits, NoSandbox

for late in (
    "http.cookies",
    "jupyter_core.migrate",
    "nbgrader.apps",
    "psycopg2",
    "sqlalchemy.dialects.sqlite",
    "sqlite3",
):
    import_module(late)  # in time: a student may not be able to read the folder of this Python
HW = "tiny"
PAGE = (ROOT / "grader/at_scale.md").read_text(encoding="utf-8")


# Processes of teachers and students ---------------------------------------------------------------


def work(person, folder, environment, function, arguments):
    """Becomes a person in a folder, with these settings and no others, and calls the function."""
    if os.getuid() != person.uid:
        os.setgroups([])
        os.setgid(person.gid)
        os.setuid(person.uid)
    os.umask(0o077)  # the strictest a system can have: what others must read, nbgrader must open
    os.chdir(folder)
    for name in [
        name for name in os.environ if re.match("GRADEBOOK|EXCHANGE|JUPYTER|IPYTHON|XDG|PG", name)
    ]:
        del os.environ[name]  # a teacher who runs the tests has a gradebook, too
    os.environ.update(environment, HOME=str(person.home), PATH=PATH)
    return function(*arguments)


def start(person, folder, function, *arguments, **environment):
    """Returns the future value of a function that a process of this person computes in a folder."""
    pool = ProcessPoolExecutor(1, FORK)  # a copy of this process, which has imported nbgrader
    future = pool.submit(work, person, folder, environment, function, arguments)
    pool.shutdown(wait=False)
    return future


def run(*arguments, **environment):
    return start(*arguments, **environment).result()


def nbgrader(command):
    from nbgrader.apps import NbGraderApp

    try:
        NbGraderApp.launch_instance(shlex.split(command))
    except SystemExit as end:
        if end.code:
            raise RuntimeError(f"nbgrader {command}: failed with {end.code}") from end


def gradebook():
    """Opens the gradebook of the course as nbgrader does in its folder `grader`."""
    from nbgrader.api import Gradebook
    from nbgrader.coursedir import CourseDirectory

    course = CourseDirectory(
        config=PyFileConfigLoader("nbgrader_config.py", path="grader").load_config()
    )
    return Gradebook(course.db_url, course.course_id)


def scores():
    """Returns {student: {question: (automatic points, points of the teacher, is one needed)}} and
    each one's seconds too late.
    """
    with gradebook() as book:
        submissions = book.assignment_submissions(HW)
        points = {
            each.student.id: {
                grade.name: (grade.auto_score, grade.manual_score, grade.needs_manual_grade)
                for grade in each.notebooks[0].grades
            }
            for each in submissions
        }
        return points, {each.student.id: each.total_seconds_late for each in submissions}


@pytest.fixture(scope="module")
def unsafe():
    """Whether there is no sandbox: then we grade without one, for these submissions are our own."""
    try:
        Classroom(ROOT).sandbox(Limits())
    except NoSandbox:
        return True
    return False


def make_grades(course, unsafe, due=None):
    """Does what make grade does."""
    from grader.grade import grade
    from grader.report import report

    assert grade(course, HW, 2, Limits(), unsafe, due=due) == 0 and report(course, [HW]) == 0


def automatic(points):
    return {
        student: sum(auto or 0 for auto, _, _ in questions.values())
        for student, questions in points.items()
    }


# A class on one machine ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scratch():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o711)
        yield Path(folder)


def owned(path, person):
    for each in (path, *path.rglob("*")):
        os.chown(each, person.uid, person.gid, follow_symlinks=False)
    return path


def new_course(folder, teacher, template):
    shutil.copytree(template / "notebooks/homework" / HW, folder / "notebooks/homework" / HW)
    (folder / "grader").mkdir()
    shutil.copy(ROOT / "grader/nbgrader_config.py", folder / "grader")
    owned(folder, teacher)
    (folder / "olc_helpers").symlink_to(ROOT / "olc_helpers")
    return folder


@pytest.fixture(scope="module")
def classroom(scratch, template, unsafe):
    """A teacher and two students at the end of an assignment: one has solved it, the other knows a
    visible test by heart.

    As root we play three accounts. They need not be able to start Python, so what starts programs
    is done by us, the grader.
    """
    others = [account for account in pwd.getpwall() if account.pw_uid]
    several = os.getuid() == 0 and len(others) >= 3  # then we may be anybody
    own = [account for account in pwd.getpwall() if account.pw_uid == os.getuid()]
    if not own:
        missing(
            "nbgrader's exchange needs an account, and this user has none; run the tests as a user "
            "who is in /etc/passwd"
        )
    accounts = others[:3] if several else own * 3
    everybody = [
        SimpleNamespace(
            name=account.pw_name, uid=account.pw_uid, gid=account.pw_gid, home=scratch / f"home{k}"
        )
        for k, account in enumerate(accounts)
    ]
    grader = SimpleNamespace(uid=os.getuid(), gid=os.getgid(), home=scratch)
    exchange = scratch / "exchange"
    exchange.mkdir()
    exchange.chmod(0o1777)
    for person in everybody:
        (person.home / ".jupyter").mkdir(parents=True, mode=0o700)
        person.home.chmod(0o700)
    teacher, ada, bob = everybody
    for student, name in ((ada, "ada"), (bob, "bob")):
        student.name = student.name if several else name
        (student.home / ".jupyter/nbgrader_config.py").write_text(
            "c.CourseDirectory.course_id = 'online-learning'\nc.Exchange.root ="
            f" {str(exchange)!r}\n"
        )
        owned(student.home, student)
    course = new_course(owned(teacher.home, teacher) / "course", teacher, template)
    shutil.copy(template / "gradebook.db", course)
    typed = []

    def teaches(*commands):
        typed.extend(commands)
        for command in commands:
            run(teacher, course / "grader", nbgrader, command, EXCHANGE=str(exchange))
        owned(course, teacher)

    def learns(student, *commands):
        typed.extend(commands)
        for command in commands:
            whose = "" if several or "submit" not in command else f" --student={student.name}"
            run(student, student.home, nbgrader, command + whose)

    assert run(grader, course, release, course, [HW]) == 0
    owned(course, teacher)
    teaches(
        f"release_assignment {HW}",
        f'db assignment add {HW} --duedate "2020-01-01 12:00 Europe/Berlin"',
    )
    fetched = {}
    by_heart = {"double": "def double(x):\n    return 4"}
    for student, answers in ((ada, {}), (bob, by_heart)):
        learns(student, "list", f"fetch_assignment {HW}")
        fetched[student.name] = (student.home / f"{HW}/{HW}.ipynb").read_text(encoding="utf-8")
        nbformat.write(submission(HW, answers), student.home / f"{HW}/{HW}.ipynb")
        learns(student, f"submit {HW}")
    teaches(f"collect {HW}")
    run(grader, course, make_grades, course, unsafe, EXCHANGE=str(exchange))
    owned(course, teacher)
    teaches(f"release_feedback {HW}")
    for student in (ada, bob):
        learns(student, f"fetch_feedback {HW}")
    return SimpleNamespace(
        teacher=teacher,
        grader=grader,
        students=[ada, bob],
        several=several,
        exchange=exchange,
        course=course,
        fetched=fetched,
        typed=typed,
        points={ada.name: 10, bob.name: 0},
    )


def test_students_get_no_solution_and_no_hidden_test(classroom):
    for text in classroom.fetched.values():
        assert not re.search("BEGIN|END|Rubric|Model solution|x \\+ x|answer=6", text)
        assert "raise NotImplementedError" in text and "answer=4" in text


def test_submissions_arrive_with_their_time(classroom):
    for student in classroom.students:
        folder = classroom.course / "submitted" / student.name / HW
        assert (folder / f"{HW}.ipynb").read_bytes() == (
            student.home / HW / f"{HW}.ipynb"
        ).read_bytes()
        assert re.fullmatch(
            r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6} UTC", (folder / "timestamp.txt").read_text()
        )


def test_grades_say_who_is_right_and_who_is_late(classroom):
    points, late = run(classroom.teacher, classroom.course, scores)
    assert automatic(points) == classroom.points
    now = datetime.now(UTC) - datetime(2020, 1, 1, 11, tzinfo=UTC)  # noon in Berlin
    assert all(
        now.total_seconds() - 600 < seconds < now.total_seconds() for seconds in late.values()
    )


def test_feedback_comes_back_to_its_student_alone(classroom):
    for student, slips in zip(classroom.students, (0, 1), strict=True):
        [page] = (student.home / HW / "feedback").glob(f"*/{HW}.html")
        text = page.read_text(encoding="utf-8")
        assert text == (classroom.course / "feedback" / student.name / HW / f"{HW}.html").read_text(
            encoding="utf-8"
        )
        assert (
            f"(Score: {classroom.points[student.name]}.0 / 15.0)" in text
            and text.count("Wrong answer: ") == slips
        )


def allowed(function, *arguments):
    """Returns whether this account may call a function of the system."""
    try:
        function(*arguments)
    except PermissionError:
        return False
    return True


def test_students_cannot_look_at_each_other(classroom):
    if not classroom.several:
        pytest.skip(
            "only root, on a machine with three other accounts, can become a student; "
            "run this test as root"
        )
    teacher, (ada, bob), folder = (
        classroom.teacher,
        classroom.students,
        classroom.exchange / "online-learning",
    )
    [sent] = (folder / "inbound").glob(f"{ada.name}+*")
    forbidden = [
        (os.listdir, folder / "inbound"),
        (os.listdir, folder / "feedback"),
        (os.listdir, classroom.course),
        (os.listdir, ada.home),
        (os.mkdir, folder / "outbound/hw9"),
        (os.rename, folder, classroom.exchange / "mine"),
        (os.truncate, sent / f"{HW}.ipynb", 0),
        (os.truncate, folder / f"outbound/{HW}/{HW}.ipynb", 0),
    ]
    assert [
        (name.__name__, path)
        for name, path, *more in forbidden
        if run(bob, "/", allowed, name, path, *more)
    ] == []
    assert run(bob, "/", allowed, os.listdir, folder / "outbound") and run(
        teacher, "/", allowed, os.listdir, folder / "inbound"
    )


# The gradebook ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "url"),
    [
        (None, None),
        ("", None),
        ("sqlite:///book.db", "sqlite:///COURSE/book.db"),
        ("sqlite:////srv/book.db", "sqlite:////srv/book.db"),
        ("postgresql://teacher@dbhost/course", "postgresql+psycopg2://teacher@dbhost/course"),
        ("postgres:///course", "postgresql+psycopg2:///course"),
        ("postgresql+psycopg:///course", "postgresql+psycopg:///course"),
    ],
)
@pytest.mark.parametrize(
    ("place", "exchange"),
    [(None, None), ("ours", "COURSE/ours"), ("/srv/exchange", "/srv/exchange")],
)
def test_two_settings(setting, url, place, exchange, monkeypatch, tmp_path):
    for name, value in (("GRADEBOOK", setting), ("EXCHANGE", place)):
        (
            monkeypatch.delenv(name, raising=False)
            if value is None
            else monkeypatch.setenv(name, value)
        )
    monkeypatch.chdir(tmp_path)
    folder = os.path.relpath(ROOT / "grader")
    config = PyFileConfigLoader("nbgrader_config.py", path=folder).load_config()
    wanted = [value and value.replace("COURSE", str(ROOT)) for value in (url, exchange)]
    assert [config.CourseDirectory.get("db_url"), config.Exchange.get("root")] == wanted


@pytest.fixture(scope="module")
def postgres():
    """Returns a function that creates a database and gives its address."""
    with postgres_server() as new:
        yield new


def grade(student, question, points):
    """Gives points for a question by hand, as the form of nbgrader does."""
    with gradebook() as book:
        book.find_grade(question, HW, HW, student).manual_score = points
        book.db.commit()


def enrol(prefix, number, student, question):
    """Adds students with a submission and a grade, one at a time, and each time one more point to a
    question of an old student.
    """
    for k in range(number):
        with gradebook() as book:
            book.update_or_create_student(f"{prefix}{k}")
            book.update_or_create_submission(HW, f"{prefix}{k}")
        grade(f"{prefix}{k}", question, k)
        grade(student, question, k)


@pytest.fixture(scope="module")
def graded(classroom, postgres, scratch, template, unsafe):
    """The address of a gradebook on PostgreSQL into which the class was graded, and the course
    folder.
    """
    url, course, grader = (
        postgres("course"),
        new_course(scratch / "postgres", classroom.grader, template),
        classroom.grader,
    )
    shutil.copytree(classroom.course / "submitted", course / "submitted")
    run(
        grader,
        course,
        make_grades,
        course,
        unsafe,
        "2020-01-01 12:00 Europe/Berlin",
        GRADEBOOK=url,
        EXCHANGE=str(classroom.exchange),
    )
    return url, course


def test_postgresql_has_the_same_grades(classroom, graded):
    url, course = graded
    assert list(course.rglob("*.db")) == [] and f"{HW}.csv" in os.listdir(course / "grades")
    points, late = run(classroom.grader, course, scores, GRADEBOOK=url)
    assert automatic(points) == classroom.points
    assert (points, late) == run(classroom.teacher, classroom.course, scores)


def test_two_processes_write_at_the_same_time_and_lose_nothing(classroom, graded):
    url, course = graded
    ada, number, questions = classroom.students[0].name, 8, ("why", "how")
    both = [
        start(classroom.grader, course, enrol, question, number, ada, question, GRADEBOOK=url)
        for question in questions
    ]
    assert [each.result() for each in both] == [None, None]
    points, _ = run(classroom.grader, course, scores, GRADEBOOK=url)
    assert len(points) == 2 + 2 * number
    assert all(
        points[f"{question}{k}"][question][1] == k for question in questions for k in range(number)
    )
    assert [points[ada][question][1] for question in questions] == [number - 1, number - 1]


# The page -----------------------------------------------------------------------------------------


def execute(code):
    exec(code, {})


def shell(command):
    subprocess.run(command, shell=True, check=True)


def test_page_moves_a_gradebook_from_sqlite_and_brings_it_back_from_a_copy(
    classroom, postgres, scratch
):
    [move] = re.findall(r"(?s)```python\n(.*?)```", PAGE)
    save, restore = (line.partition("#")[0] for line in re.findall(r"(?m)^pg_.*$", PAGE))
    teacher, moved, restored = classroom.teacher, postgres("moved"), postgres("restored")
    course = owned(shutil.copytree(classroom.course, scratch / "moving", symlinks=True), teacher)
    run(teacher, course, grade, classroom.students[0].name, "how", 2)
    before = run(teacher, course, scores)
    run(teacher, course, execute, move, GRADEBOOK=moved)
    run(teacher, course, shell, save, GRADEBOOK=moved)
    run(teacher, course, shell, restore, GRADEBOOK=restored)
    assert [run(teacher, course, scores, GRADEBOOK=url) for url in (moved, restored)] == [
        before,
        before,
    ]
    run(teacher, course, shell, restore, GRADEBOOK=restored)
    assert run(teacher, course, scores, GRADEBOOK=restored) == before
    with pytest.raises(IntegrityError):
        run(teacher, course, execute, move, GRADEBOOK=moved)


def test_class_has_typed_the_commands_of_the_page(classroom):
    blocks = "".join(re.findall(r"(?s)```sh\n(.*?)```", PAGE.replace("hw1_experts", HW)))
    lines = re.findall(r"(?m)^nbgrader (.+)$", blocks)
    named, typed = (
        {re.sub('".+"', "DATE", command) for command in commands}
        for commands in (lines, classroom.typed)
    )
    assert named == typed
