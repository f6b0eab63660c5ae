"""Grade the submissions of a class, several at a time, into nbgrader's gradebook."""

import ast
import contextlib
import ctypes
import fcntl
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
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import wait
from pathlib import Path

import matplotlib
import nbformat
from nbformat.v4 import new_markdown_cell

from .classroom import Classroom, plain
from .examine import Blueprint, Examined, beside, error_output, examine, is_test, merge
from .release import release
from .sandbox import Limits, NoSandbox, Sandbox, by_the_clock
from .sanitize import bound, disarm, quoted, undress
from .submission import Unreadable, digest, read

OVERTIME = 20  # seconds after the time of a submission, in which its tests must have come to an end
SHOW = 20  # seconds to take the teeth out of a notebook
FORK = multiprocessing.get_context("fork")
INTERRUPTED = 130  # the exit code after Ctrl-C


# One submission -----------------------------------------------------------------------------------


def grade_one(blueprint: Blueprint, folder: Path, sandbox: Sandbox, slot: int) -> Examined:
    """Return the examined notebook of a submission, an empty one if there is none."""
    try:
        nb, files, unreadable = read(folder, blueprint.name)
    except Unreadable as error:
        return not_run(blueprint, *error.args)
    except OSError as error:
        words = f"{error.strerror}: {Path(error.filename or '').name}"
        return not_run(blueprint, "unreadable", words)
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
    examined.troubles = [(kind, blueprint.name, words)]
    examined.blank = False
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
        """Return whether the job is over after its next message: the graded notebook, then the one
        that is safe to show.
        """
        try:
            text, *rest = self.result.recv()
            nb = nbformat.reads(text, 4)
        except Exception:  # it has died
            return True
        if self.examined is None:
            self.examined = Examined(nb, *rest)
            self.until = time.monotonic() + SHOW
            return False
        self.shown = nb
        return True

    def end(self, sandbox: Sandbox):
        """End the process and what it left."""
        self.process.kill()
        self.process.join()
        sandbox.forget(self.slot)


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


# Its result ---------------------------------------------------------------------------------------


def failures(nb) -> dict[str, str]:
    """Return for each failed test the first line of what it says."""
    found = {}
    for cell in filter(is_test, nb.cells):
        error = next((output for output in cell.outputs if output.output_type == "error"), None)
        if error is not None:
            words = f"{error.ename}: {error.evalue}".partition("\n")[0]
            found[cell.metadata.nbgrader.grade_id] = words[:200]
    return found


def recorded(classroom: Classroom, name: str, student: str) -> dict | None:
    """Return the record of a submission that was graded."""
    try:
        return json.loads(classroom.record(name, student).read_text())
    except (OSError, ValueError):
        return None


def again(record: dict | None, fingerprint: str, scores: dict) -> list:
    """Return the troubles that the same submission got other points before."""
    if record is None or record["digest"] != fingerprint:
        return []
    before = record["scores"]
    return [
        (
            "other points than before",
            question,
            f"{before[question]:g}, now {points:g} points for the same answer: does it draw lots?",
        )
        for question, points in scores.items()
        if points != before[question]
    ]


def save(classroom: Classroom, blueprint, job: Job, examined: Examined, shown, fingerprint: str):
    """Write the scores into the gradebook, the notebook to autograded/ and last of all the record
    that all is done.
    """
    from nbgrader.utils import determine_grade

    name, student = blueprint.name, job.student
    enter(classroom, name, student, examined)
    scores = {
        cell.metadata.nbgrader.grade_id: determine_grade(cell)[0]
        for cell in filter(is_test, examined.nb.cells)
    }
    examined.troubles += again(recorded(classroom, name, student), fingerprint, scores)
    beside(shown, blueprint.solutions)
    note(shown, examined.troubles)
    keep(classroom, name, student, shown)
    record = classroom.record(name, student)
    record.parent.mkdir(parents=True, exist_ok=True)
    partial = record.with_suffix(".partial")
    said = {
        "digest": fingerprint,
        "blank": examined.blank,
        "troubles": examined.troubles,
        "scores": scores,
        "failed": failures(examined.nb),
    }
    partial.write_text(json.dumps(said, indent=1))
    partial.replace(record)


def enter(classroom: Classroom, name: str, student: str, examined: Examined):
    """Enter a submission into the gradebook with its scores."""
    from nbgrader.preprocessors import SaveAutoGrades

    at = classroom.handed_in_at(name, student)
    with classroom.gradebook() as book:
        book.update_or_create_student(student)
        book.update_or_create_submission(name, student, **({"timestamp": at} if at else {}))
    where = {"notebook": name, "assignment": name, "student": student}
    resources = {"nbgrader": where | {"db_url": classroom.folders.db_url}}
    saved = SaveAutoGrades(config=classroom.config).preprocess(examined.nb, resources)
    examined.nb = saved[0]


def note(shown, troubles: list):
    """Say at the top of a notebook what the grader noticed."""
    lines = [f"- **{kind}** (`{quoted(w)}`): `{quoted(text)}`" for kind, w, text in troubles]
    if lines:
        text = "\n".join(["**What the grader noticed**\n", *lines])
        shown.cells.insert(0, new_markdown_cell(text, id="noticed"))


def keep(classroom: Classroom, name: str, student: str, shown):
    """Write the notebook that the teacher reads to autograded/."""
    from nbgrader.preprocessors import LimitOutput

    target = classroom.autograded(name, student)
    shutil.rmtree(target.parent, ignore_errors=True)
    target.parent.mkdir(parents=True)
    nbformat.write(LimitOutput(config=classroom.config).preprocess(shown, {})[0], target)
    for extra in ("timestamp.txt", "submission_secret.txt"):  # nbgrader's exchange needs them
        path = classroom.submitted(name)[student] / extra
        if path.is_file() and not path.is_symlink():
            shutil.copy(path, target.parent)


# A class ------------------------------------------------------------------------------------------


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
    classroom = Classroom(root)
    blueprint = prepare(classroom, name, due)
    try:
        sandbox = classroom.sandbox(limits, safe=not unsafe)
    except NoSandbox as error:
        sys.exit(
            f"NO SANDBOX: {error}.\nThe submissions would run as you, with your files and your"
            f" network. If you trust every one of them:\n    make grade HW={name} UNSAFE=1"
        )
    if not unsafe:
        print(f"sandbox: {sandbox.guard}", flush=True)
    else:
        warn(
            "UNSAFE: the submissions run as you, with your files and your network; only time and"
            " memory are limited."
        )
    folder = classroom.root / "grading" / name
    folder.mkdir(parents=True, exist_ok=True)
    with seeded(hidden_seed(folder)), open(folder / ".lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit(f"{name} is being graded by another process; wait for it")
        return Queue.of(classroom, blueprint, sandbox, jobs, force).work_off()


def warn(words: str):
    print(words, file=sys.stderr, flush=True)


def prepare(classroom: Classroom, name: str, due: str | None) -> Blueprint:
    """Return the blueprint of an assignment that the gradebook knows in just this form."""
    classroom.require(name)
    blueprint = Blueprint.find(classroom, name)
    true = {key: cell.metadata.nbgrader.checksum for key, cell in blueprint.marked.items()}
    if in_gradebook(classroom, name) != true and release(classroom.root, [name]):
        sys.exit(1)
    if due:
        date = parse_date(due)
        print(f"due: {date:%A}, {date.day} {date:%B %Y, %H:%M} UTC", flush=True)
        with classroom.gradebook() as book:
            book.update_or_create_assignment(name, duedate=date)
    return blueprint


def in_gradebook(classroom: Classroom, name: str) -> dict[str, str] | None:
    """Return the checksums of the cells of an assignment, None if the gradebook has it not."""
    from nbgrader.api import MissingEntry

    with classroom.gradebook() as book:
        try:
            cells = book.find_notebook(name, name).source_cells
            return {cell.name: cell.checksum for cell in cells}
        except MissingEntry:
            return None


def parse_date(due: str):
    """Return the time that is meant, in UTC; exit if it could be read in two ways."""
    from nbgrader.utils import parse_utc

    try:
        if not re.match(r"\d{4}-\d\d-\d\d\b", due):  # 1.12.2026, 12/1/2026: which is the month?
            raise ValueError
        return parse_utc(due)
    except (ValueError, OverflowError):
        sys.exit(
            'DUE must be a date such as "2026-12-01 23:59 Europe/Berlin", the year first; got'
            f" {due!r}"
        )


def hidden_seed(folder: Path) -> int:
    """Return the seed of the hidden tests of an assignment: drawn once, the same for everybody."""
    path = folder / "seed"
    if not path.exists():
        path.write_text(f"{secrets.randbits(32)}\n")
    return int(path.read_text())


@contextlib.contextmanager
def seeded(seed: int):
    """Let the hidden tests search with this seed, and nobody afterwards."""
    os.environ["OLC_SEED"] = str(seed)
    try:
        yield
    finally:
        del os.environ["OLC_SEED"]


@dataclass
class Queue:
    """The submissions of an assignment: those that wait, those that are being graded, what came
    out.
    """

    classroom: Classroom
    blueprint: Blueprint
    sandbox: Sandbox
    found: dict[str, Path]  # the folder of each student
    prints: dict[str, str]  # a fingerprint of each submission
    waiting: list[str]
    free: list[int]  # slots
    running: list[Job] = field(default_factory=list)
    finished: int = 0
    failed: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, classroom: Classroom, blueprint: Blueprint, sandbox: Sandbox, jobs: int, force):
        """Return the queue of all that is not graded as it is now; with `force`, of all."""
        name, found = blueprint.name, classroom.submitted(blueprint.name)
        for path in classroom.strays(name):
            warn(
                f"NOT GRADED, it lies in the wrong place: {plain(path.relative_to(classroom.root))}"
                f"; it belongs to submitted/{plain(path.parent.name)}/{name}/{name}.ipynb"
            )
        for path in classroom.nameless(name):
            warn(
                f"NOT GRADED, its name is not UTF-8: submitted/{plain(path.parent.name)}; rename it"
            )
        if not found:
            sys.exit(f"nothing to grade: there is no folder submitted/STUDENT/{name}/")
        code = digest(sandbox.package, "*.py"), digest(Path(__file__).parent, "*.py")
        prints = {
            student: digest(folder, "*", blueprint.cells, asdict(sandbox.limits), code)
            for student, folder in found.items()
        }
        done = set() if force else are_done(classroom, name, prints)
        if done:
            print(
                f"{len(done)} of {len(found)} are graded already (FORCE=1 grades them again)",
                flush=True,
            )
        waiting = [student for student in found if student not in done]
        return cls(classroom, blueprint, sandbox, found, prints, waiting, list(range(jobs)))

    def work_off(self) -> int:
        """Return 0 after grading all, 1 if the grader failed with some, or INTERRUPTED."""
        preload(self.blueprint)
        began, total = time.monotonic(), len(self.waiting)
        with interruptible() as interrupted:
            while (self.waiting or self.running) and not interrupted:
                self.fill()
                for job in self.over():
                    self.finish(job, total)
            for job in self.running:
                job.end(self.sandbox)
        if interrupted:
            print(
                f"\nInterrupted: {self.finished} of {total} are graded, and the same command goes"
                " on from there.",
                flush=True,
            )
            return INTERRUPTED
        seconds = time.monotonic() - began
        each = f", {seconds / total:.2f} s each" if total else ""
        print(f"{self.finished} graded in {seconds:.1f} s{each}", flush=True)
        if self.failed:
            warn(
                f"NOT GRADED, the grader itself failed: {plain(', '.join(self.failed))}. "
                "The same command tries them again."
            )
        return int(bool(self.failed))

    def fill(self):
        """Start the jobs for which there is a free slot."""
        while self.waiting and self.free:
            student, slot = self.waiting.pop(0), self.free.pop()
            folder = self.found[student]
            self.running.append(start(self.blueprint, student, folder, self.sandbox, slot))

    def over(self) -> list[Job]:
        """Return the jobs that are over, or too late, after waiting a moment for them."""
        ready = wait([job.result for job in self.running], timeout=0.5)
        return [
            job
            for job in self.running
            if job.result in ready and job.hear() or time.monotonic() > job.until
        ]

    def finish(self, job: Job, total: int):
        """Save the result of a job that is over, and say what came out."""
        died = job.result.poll()  # the end of the pipe can be read
        job.end(self.sandbox)
        words = None if job.examined is None and died else self.result(job)
        self.running.remove(job)
        self.free.append(job.slot)
        self.finished += 1
        self.failed += [] if words else [job.student]
        number = f"[{self.finished:{len(str(total))}}/{total}]"
        student = f"{plain(job.student):{max(map(len, self.found))}}"
        print(f"{number} {student}  {words or 'NOT GRADED'}", flush=True)

    def result(self, job: Job) -> str | None:
        """Return what to say of a job after saving its result, None if that failed."""
        examined = job.examined or not_run(
            self.blueprint, "timed out", "it kept the tests busy for too long"
        )
        shown = job.shown or nbformat.from_dict(examined.nb)
        if job.examined and not job.shown:
            undress(shown)
        try:
            fingerprint = self.prints[job.student]
            save(self.classroom, self.blueprint, job, examined, shown, fingerprint)
        except Exception:
            traceback.print_exc()  # of this student alone
            return None
        return summary(examined)


def are_done(classroom: Classroom, name: str, prints: dict[str, str]) -> set[str]:
    """Return whose submission was graded as it is now, and the gradebook and autograded/ still have
    it.
    """
    with classroom.gradebook() as book:
        known = {submission.student_id for submission in book.assignment_submissions(name)}
    return {
        student
        for student, fingerprint in prints.items()
        if (recorded(classroom, name, student) or {}).get("digest") == fingerprint
        and student in known
        and classroom.autograded(name, student).is_file()
    }


def summary(examined: Examined) -> str:
    """Return the points of a graded notebook and what happened, in a line."""
    from nbgrader.utils import determine_grade, is_grade

    grades = [determine_grade(cell) for cell in examined.nb.cells if is_grade(cell)]
    got, most = (sum(grade[k] for grade in grades if grade[0] is not None) for k in (0, 1))
    to_read = sum(score is None for score, _ in grades)
    happened = ["blank"] * examined.blank + [kind for kind, *_ in examined.troubles]
    status = ", ".join(dict.fromkeys(happened)) or "graded"
    return f"{got:g} of {most:g} automatic points, {to_read} answers to read  {status}"


def preload(blueprint: Blueprint):
    """Import what the assignment imports: each submission is graded by a copy of this process,
    which has it then.
    """
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
