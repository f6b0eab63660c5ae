"""Grade the submissions of a class, several at a time, into nbgrader's gradebook."""

import ast
import contextlib
import ctypes
import fcntl
import functools
import hashlib
import json
import multiprocessing
import os
import re
import resource
import secrets
import shutil
import signal
import sys
import time
import traceback
import warnings
from dataclasses import asdict, dataclass
from multiprocessing.connection import wait
from pathlib import Path

import matplotlib
import nbformat
from nbformat.v4 import new_markdown_cell

from .examine import Blueprint, Examined, beside, error_output, examine, is_test, merge
from .harmless import bound, disarm, undress
from .sandbox import Limits, NoSandbox, Sandbox, by_the_clock

LARGEST = 20 * 2**20  # bytes of a submission
OVERTIME = 60  # seconds after the time of a submission, in which its tests must have come to an end
SHOW = 20  # seconds to make a notebook harmless
FORK = multiprocessing.get_context("fork")


class Unreadable(Exception):
    """Why a submission is no notebook, and in a word: "no notebook" or "unreadable"."""


class Course:
    """A course folder: nbgrader's settings, folders and gradebook."""

    def __init__(self, root: Path):
        from nbgrader.coursedir import CourseDirectory
        from traitlets.config import PyFileConfigLoader

        self.root = root.resolve()
        self.config = PyFileConfigLoader("nbgrader_config.py", path=str(self.root)).load_config()
        self.config.CourseDirectory.root = str(self.root)
        self.folders = CourseDirectory(config=self.config)
        # nbgrader calls alembic.
        os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

    def gradebook(self):
        """Return the open gradebook; use it in a `with`."""
        from nbgrader import api

        if not hasattr(api.create_engine, "cache_info"):
            api.create_engine = functools.cache(api.create_engine)  # it keeps compiled queries
        # nbgrader's own, of no consequence.
        warnings.filterwarnings("ignore", message="(?s).*not in session, add operation")
        return api.Gradebook(self.folders.db_url, self.folders.course_id)

    @property
    def assignments(self) -> list[str]:
        return sorted(
            path.stem
            for path in self.root.glob("notebooks/homework/*/*.ipynb")
            if path.stem == path.parent.name
        )

    def source(self, name):
        return self.root / "notebooks/homework" / name / f"{name}.ipynb"

    def submitted(self, name) -> dict[str, Path]:
        """Return the folder of each student who handed in something."""
        folders = sorted(self.root.glob(f"submitted/*/{name}"))
        return {
            folder.parent.name: folder
            for folder in folders
            if folder.is_dir()
            and not folder.is_symlink()
            and not folder.parent.name.startswith(".")
        }

    def record(self, name, student):
        """Return where the grader keeps what happened to a submission."""
        return self.root / "grading" / name / f"{student}.json"

    def autograded(self, name, student):
        return self.root / "autograded" / student / name / f"{name}.ipynb"

    def handed_in_at(self, name, student):
        """Return the time of a submission if nbgrader's exchange has it, too; a student can write
        any timestamp.txt.
        """
        from nbgrader.exchange.default.exchange import Exchange
        from nbgrader.utils import parse_utc

        inbound = (
            Path(Exchange(config=self.config, coursedir=self.folders).root)
            / self.folders.course_id
            / "inbound"
        )
        try:
            with open(self.submitted(name)[student] / "timestamp.txt", encoding="utf-8") as file:
                time = file.read(100).strip()
            known = any(each.startswith(f"{student}+{name}+{time}") for each in os.listdir(inbound))
            return parse_utc(time) if known else None
        except Exception:
            return None

    def strays(self, name) -> list[Path]:
        """Return what looks like a submission of the assignment, but lies elsewhere."""
        found = [path for path in self.root.glob("submitted/*/*") if is_meant(path.stem, name)]
        return sorted(path for path in found if path.name != name and not path.is_symlink())


def is_meant(stem: str, name: str) -> bool:
    """Return whether a file name means the assignment: "HW1_Experts (1)", "hw1_experts-Copy1"."""
    return (
        re.fullmatch(re.escape(name) + r"([ _-]*(copy *)?\(?\d*\)?)", stem, re.IGNORECASE)
        is not None
    )


def plain(text) -> str:
    """Return a text for a terminal or a table: no control characters, nothing that turns the line
    around.
    """
    return "".join(c if c.isprintable() else " " for c in str(text))


def quoted(text) -> str:
    """Return a text to stand between two `: there Markdown takes nothing for a link or a tag."""
    return plain(text).replace("`", "'")


def read(folder: Path, name: str) -> tuple[nbformat.NotebookNode, dict[str, bytes], list[str]]:
    """Return the notebook of a submission, its other files, and the names of those that cannot be
    read.

    A link is no file: it may lead to somebody else's.
    """
    path = folder / f"{name}.ipynb"
    files = [
        other for other in sorted(folder.rglob("*")) if other.is_file() and not other.is_symlink()
    ]
    if path not in files:
        meant = [
            other
            for other in files
            if other.suffix.lower() == ".ipynb" and is_meant(other.stem, name)
        ]
        if len(meant) != 1:
            there = ", ".join(other.name for other in files)[:300]
            raise Unreadable(
                "no notebook", f"there is no file {path.name}; there is {there or 'nothing'}"
            )
        path = meant[0]
    others = [other for other in files if other != path]
    if path.stat().st_size + sum(other.stat().st_size for other in others) > LARGEST:
        raise Unreadable("unreadable", f"the submission is larger than {LARGEST // 2**20} MB")
    try:
        nb = nbformat.reads(path.read_text(encoding="utf-8"), 4)
        for cell in nb.cells:
            if cell.cell_type not in ("code", "markdown", "raw") or not isinstance(
                cell.metadata, dict
            ):
                raise ValueError("a cell is none")
            cell.source = cell.source if isinstance(cell.source, str) else "".join(cell.source)
    except Exception as error:
        raise Unreadable(
            "unreadable", f"{path.name} is not a notebook: {type(error).__name__}: {error}"[:300]
        ) from None
    readable = [other for other in others if os.access(other, os.R_OK)]
    return (
        nb,
        {str(other.relative_to(folder)): other.read_bytes() for other in readable},
        [plain(other.name) for other in others if other not in readable],
    )


def digest(folder: Path, pattern: str, *rest) -> str:
    """Return a fingerprint of the files of a folder, and of the rest."""
    found = hashlib.sha256(json.dumps(rest).encode())
    for path in sorted(folder.rglob(pattern)):
        if path.is_file() and not path.is_symlink():
            size = path.stat().st_size  # of what is too large to be graded, the size is enough
            found.update(os.fsencode(path.relative_to(folder)) + f"\0{size}\0".encode())
            with contextlib.suppress(OSError):  # what nobody can read
                found.update(path.read_bytes() if size <= LARGEST else b"")
    return found.hexdigest()


def grade_one(blueprint: Blueprint, folder: Path, sandbox: Sandbox, slot: int) -> Examined:
    """Return the examined notebook of a submission, an empty one if there is none."""
    try:
        nb, files, unreadable = read(folder, blueprint.name)
    except Unreadable as error:
        return not_run(blueprint, *error.args)
    except OSError as error:
        return not_run(
            blueprint, "unreadable", f"{error.strerror}: {Path(error.filename or '').name}"
        )
    examined = examine(blueprint, nb, files, sandbox, slot)
    examined.troubles += [
        ("unreadable file", name, "nobody may read it; it was left out") for name in unreadable
    ]
    return examined


def not_run(blueprint: Blueprint, kind: str, words: str) -> Examined:
    """Return an empty notebook whose tests fail for the reason that is given."""
    nb = nbformat.from_dict(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": blueprint.cells}
    )
    examined, _ = merge(blueprint, nb)
    for cell in filter(is_test, nb.cells):
        cell.outputs = [error_output("NotRun", words)]
    examined.troubles, examined.blank = [(kind, blueprint.name, words)], False
    return examined


@dataclass
class Job:
    """A submission that is being graded in a process of its own."""

    student: str
    slot: int
    process: FORK.Process
    result: object
    until: float
    examined: Examined | None = None
    shown: nbformat.NotebookNode | None = None

    def hear(self) -> bool:
        """Return whether the job is over after its next message: the graded notebook, then the
        harmless one.
        """
        try:
            text, *rest = self.result.recv()
            nb = nbformat.reads(text, 4)
        except Exception:  # it has died
            return True
        if self.examined is None:
            self.examined, self.until = Examined(nb, *rest), time.monotonic() + SHOW
            return False
        self.shown = nb
        return True


def confine(megabytes: int):
    """Give this process, a copy of the one that was called, a limit of memory and the fate of its
    parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    if sys.platform == "linux":
        # PR_SET_PDEATHSIG: end with the parent, however it ends.
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_AS, 2 * (megabytes * 2**20,))


def start(blueprint, student, folder, sandbox, slot) -> Job:
    """Return the job of grading one submission."""
    receive, send = FORK.Pipe(duplex=False)

    def work():
        confine(sandbox.limits.memory + 2048)  # what a student returns lives here, too
        matplotlib.rcParams["backend"] = "module://matplotlib_inline.backend_inline"
        examined = grade_one(blueprint, folder, sandbox, slot)
        nb = bound(examined.nb)
        send.send((nbformat.writes(nb), examined.troubles, examined.blank))
        disarm(nb, {cell.source for cell in blueprint.cells})
        send.send([nbformat.writes(nb)])

    process = FORK.Process(target=work)
    process.start()
    send.close()
    until = time.monotonic() + by_the_clock(sandbox.limits.total) + OVERTIME
    return Job(student, slot, process, receive, until)


def failures(nb) -> dict[str, str]:
    """Return for each failed test the first line of what it says."""
    found = {}
    for cell in filter(is_test, nb.cells):
        error = next((output for output in cell.outputs if output.output_type == "error"), None)
        if error is not None:
            found[cell.metadata.nbgrader.grade_id] = f"{error.ename}: {error.evalue}".partition(
                "\n"
            )[0][:200]
    return found


def again(course: Course, name: str, student: str, fingerprint: str, scores: dict) -> list:
    """Return the trouble that the same submission got other points before."""
    try:
        record = json.loads(course.record(name, student).read_text())
    except (OSError, ValueError):
        return []
    before = record.get("scores") if record["digest"] == fingerprint else scores
    differ = [question for question in scores if scores[question] != before.get(question)]
    return [
        (
            "other points than before",
            question,
            (
                f"{before.get(question):g}, now {scores[question]:g} points for the same "
                "answer: does it draw lots?"
            ),
        )
        for question in differ
    ]


def save(course: Course, blueprint, student: str, examined: Examined, shown, fingerprint: str):
    """Write the scores into the gradebook, the notebook to autograded/ and last of all the record
    that all is done.
    """
    from nbgrader import preprocessors
    from nbgrader.utils import determine_grade

    name = blueprint.name
    folder, target = course.submitted(name)[student], course.autograded(name, student)
    submitted = course.handed_in_at(name, student)
    with course.gradebook() as book:
        book.update_or_create_student(student)
        book.update_or_create_submission(
            name, student, **({"timestamp": submitted} if submitted else {})
        )
    resources = {
        "nbgrader": {
            "notebook": name,
            "assignment": name,
            "student": student,
            "db_url": course.folders.db_url,
        }
    }
    for step in ("SaveAutoGrades", "AssignLatePenalties"):
        examined.nb, resources = getattr(preprocessors, step)(config=course.config).preprocess(
            examined.nb, resources
        )
    scores = {
        cell.metadata.nbgrader.grade_id: determine_grade(cell)[0]
        for cell in filter(is_test, examined.nb.cells)
    }
    examined.troubles += again(course, name, student, fingerprint, scores)
    if examined.troubles:
        words = "\n".join(
            f"- **{kind}** ({where}): `{quoted(text)}`" for kind, where, text in examined.troubles
        )
        shown.cells.insert(
            0, new_markdown_cell(f"**What the grader noticed**\n\n{words}", id="noticed")
        )
    beside(shown, blueprint.solutions)
    shutil.rmtree(target.parent, ignore_errors=True)
    target.parent.mkdir(parents=True)
    nbformat.write(preprocessors.LimitOutput(config=course.config).preprocess(shown, {})[0], target)
    for extra in (
        folder / "timestamp.txt",
        folder / "submission_secret.txt",
    ):  # nbgrader's exchange needs them
        if extra.is_file() and not extra.is_symlink():
            shutil.copy(extra, target.parent)
    record = course.record(name, student)
    record.parent.mkdir(parents=True, exist_ok=True)
    partial = record.with_suffix(".partial")
    partial.write_text(
        json.dumps(
            {
                "digest": fingerprint,
                "blank": examined.blank,
                "troubles": examined.troubles,
                "scores": scores,
                "failed": failures(examined.nb),
            },
            indent=1,
        )
    )
    partial.replace(record)


def is_done(course, name, student, fingerprint, known) -> bool:
    """Return whether the submission was graded as it is now, and the gradebook and autograded/
    still have it.
    """
    try:
        record = json.loads(course.record(name, student).read_text())
    except (OSError, ValueError):
        return False
    return (
        record["digest"] == fingerprint
        and student in known
        and course.autograded(name, student).is_file()
    )


def prepare(course: Course, name: str, due: str | None) -> Blueprint:
    """Return the blueprint of an assignment that the gradebook knows in just this form."""
    from nbgrader.api import MissingEntry
    from nbgrader.utils import parse_utc

    if name not in course.assignments:
        sys.exit(
            f"there is no assignment {name!r}; there are {', '.join(course.assignments)}: make"
            " grade HW=…"
        )
    blueprint = Blueprint.read(course.source(name))
    true = {key: cell.metadata.nbgrader.checksum for key, cell in blueprint.marked.items()}
    with course.gradebook() as book:
        try:
            known = {
                cell.name: cell.checksum for cell in book.find_notebook(name, name).source_cells
            }
        except MissingEntry:
            known = None
    if known != true:
        import homework

        if homework.release(course.root, [name]):
            sys.exit(1)
    if due:
        try:
            if not re.match(r"\d{4}-\d\d-\d\d\b", due):  # 1.12.2026, 12/1/2026: which is the month?
                raise ValueError
            due = parse_utc(due)
        except (ValueError, OverflowError):
            sys.exit(
                'DUE must be a date such as "2026-12-01 23:59 Europe/Berlin", the year first; got'
                f" {due!r}"
            )
        print(f"due: {due:%A}, {due.day} {due:%B %Y, %H:%M} UTC", flush=True)
        with course.gradebook() as book:
            book.update_or_create_assignment(name, duedate=due)
    return blueprint


def hidden_seed(course: Course, name: str) -> int:
    """Return the seed of the hidden tests of an assignment: drawn once, the same for everybody."""
    path = course.root / "grading" / name / "seed"
    if not path.exists():
        path.write_text(f"{secrets.randbits(32)}\n")
    return int(path.read_text())


def grade(
    root: Path,
    name: str,
    jobs: int,
    limits: Limits,
    unsafe: bool = False,
    force: bool = False,
    due: str | None = None,
) -> int:
    """Return 0 after grading all of submitted/*/NAME that is not graded yet; what goes wrong with
    one stops no other.
    """
    if jobs < 1:
        sys.exit(f"JOBS must be a number of submissions to grade at the same time; got {jobs}")
    course = Course(root)
    blueprint = prepare(course, name, due)
    try:
        sandbox = Sandbox(course.root / "olc_helpers", limits, safe=not unsafe)
    except NoSandbox as error:
        sys.exit(
            f"NO SANDBOX: {error}.\nThe submissions would run as you, with your files and your"
            f" network. If you trust every one of them:\n    make grade HW={name} UNSAFE=1"
        )
    if not unsafe:
        print(f"sandbox: {sandbox.guard}", flush=True)
    else:
        print(
            "UNSAFE: the submissions run as you, with your files and your network; only time and"
            " memory are limited.",
            file=sys.stderr,
            flush=True,
        )
    (course.root / "grading" / name).mkdir(parents=True, exist_ok=True)
    with (
        seeded(hidden_seed(course, name)),
        open(course.root / "grading" / name / ".lock", "w") as lock,
    ):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit(f"{name} is being graded by another process; wait for it")
        return _grade_all(course, blueprint, sandbox, jobs, force)


@contextlib.contextmanager
def seeded(seed: int):
    """Let the hidden tests search with this seed, and nobody afterwards."""
    os.environ["OLC_SEED"] = str(seed)
    try:
        yield
    finally:
        del os.environ["OLC_SEED"]


def _grade_all(course, blueprint, sandbox, jobs, force):
    name, found = blueprint.name, course.submitted(blueprint.name)
    for path in course.strays(name):
        print(
            f"NOT GRADED, it lies in the wrong place: {plain(path.relative_to(course.root))}; "
            f"it belongs to submitted/{plain(path.parent.name)}/{name}/{name}.ipynb",
            file=sys.stderr,
            flush=True,
        )
    if not found:
        sys.exit(f"nothing to grade: there is no folder submitted/STUDENT/{name}/")
    code = digest(sandbox.package, "*.py"), digest(Path(__file__).parent, "*.py")
    prints = {
        student: digest(folder, "*", blueprint.cells, asdict(sandbox.limits), code)
        for student, folder in found.items()
    }
    with course.gradebook() as book:
        known = {submission.student_id for submission in book.assignment_submissions(name)}
    waiting = [
        student
        for student in found
        if force or not is_done(course, name, student, prints[student], known)
    ]
    if len(waiting) < len(found):
        print(
            f"{len(found) - len(waiting)} of {len(found)} are graded already (FORCE=1 grades them"
            " again)",
            flush=True,
        )
    preload(blueprint)
    total, width = len(waiting), max(map(len, found))
    running, free, finished, failed, began = [], list(range(jobs)), 0, [], time.monotonic()
    with interruptible() as interrupted:
        while (waiting or running) and not interrupted:
            while waiting and free:
                student = waiting.pop(0)
                running.append(start(blueprint, student, found[student], sandbox, free.pop()))
            ready = wait([job.result for job in running], timeout=0.5)
            for job in [
                job
                for job in running
                if job.result in ready and job.hear() or time.monotonic() > job.until
            ]:
                words = _finish(course, blueprint, sandbox, job, prints[job.student])
                running.remove(job)
                free.append(job.slot)
                finished += 1
                failed += [] if words else [job.student]
                who = f"[{finished:{len(str(total))}}/{total}] {plain(job.student):{width}}"
                print(f"{who}  {words or 'NOT GRADED'}", flush=True)
        for job in running:
            job.process.kill()
            job.process.join()
            sandbox.forget(job.slot)
    if interrupted:
        print(
            f"\nInterrupted: {finished} of {total} are graded, and the same command goes on from"
            " there.",
            flush=True,
        )
        return 130
    seconds = time.monotonic() - began
    print(
        f"{finished} graded in {seconds:.1f} s"
        + (f", {seconds / total:.2f} s each" if total else ""),
        flush=True,
    )
    if failed:
        print(
            f"NOT GRADED, the grader itself failed: {plain(', '.join(failed))}. "
            "The same command tries them again.",
            file=sys.stderr,
        )
    return int(bool(failed))


def preload(blueprint: Blueprint):
    """Import what the tests need, and what the assignment imports: each submission is graded by a
    copy of this process, which has it then.
    """
    import olc_helpers.grading  # noqa: F401

    for cell in blueprint.given:
        with contextlib.suppress(SyntaxError, ImportError):  # they stay what they are
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.Import | ast.ImportFrom):
                    exec(compile(ast.Module([node], []), "<given>", "exec"), {})


@contextlib.contextmanager
def interruptible():
    """Yield a list that is no longer empty after the first Ctrl-C, so that no result is lost half
    written.
    """
    interrupted = []

    def stop(number, frame):
        interrupted.append(number)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # the second one ends at once

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def _finish(course, blueprint, sandbox, job, fingerprint):
    """Return the line for a finished job after saving its result, or None if it has none."""
    from nbgrader.utils import determine_grade, is_grade

    died = job.result.poll()  # the end of the pipe can be read
    job.process.kill()
    job.process.join()
    sandbox.forget(job.slot)
    if job.examined is None and died:
        return None
    examined = job.examined or not_run(
        blueprint, "timed out", "it kept the tests busy for too long"
    )
    shown = job.shown or nbformat.from_dict(examined.nb)
    if job.examined and not job.shown:
        undress(shown)
    try:
        save(course, blueprint, job.student, examined, shown, fingerprint)
    except Exception:
        traceback.print_exc()  # of this student alone
        return None
    grades = [determine_grade(cell) for cell in examined.nb.cells if is_grade(cell)]
    got, most = (sum(grade[k] for grade in grades if grade[0] is not None) for k in (0, 1))
    to_read = sum(score is None for score, _ in grades)
    status = (
        ", ".join(
            dict.fromkeys([*["blank"] * examined.blank, *(kind for kind, *_ in examined.troubles)])
        )
        or "graded"
    )
    return f"{got:g} of {most:g} automatic points, {to_read} answers to read  {status}"
