"""Grade a class of thirty here and with plain nbgrader: seconds per student, and the same points.
Grade a large class that is killed and resumed.

.venv/bin/python grader/bench.py               thirty students here, two with plain nbgrader
.venv/bin/python grader/bench.py --everybody   thirty students with both (minutes)
.venv/bin/python grader/bench.py --loops       thirty students, three of whose classes never end
.venv/bin/python grader/bench.py --resume 300  three hundred with a small assignment, killed twice
                                               and resumed, on SQLite and PostgreSQL (minutes)
"""

import argparse
import inspect
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "tests")]

import nbformat  # noqa: E402
import psutil  # noqa: E402
from coursework import course_folder, hand_in, postgres_server, submission, tiny  # noqa: E402
from planted import PLANTS  # noqa: E402

from grader import grade as grading  # noqa: E402
from grader.remote import Student  # noqa: E402
from grader.report import rows  # noqa: E402
from grader.sandbox import Limits  # noqa: E402

HW, STUDENTS = "hw1_experts", 30
CLASSES = {"halving": "MyHalving", "weighted_majority": "MyWeightedMajority"}
PLANTED = {
    task: [
        (plant.answer, plant.words)
        for plant in PLANTS
        if plant.question == task and not plant.subtle and "Row" not in plant.name
    ]
    for task in CLASSES
}


def written(cls, name):
    """Return the source of a planted class and of its bases, under the name that is asked for."""
    module = inspect.getsource(sys.modules[cls.__module__]).splitlines()
    imports = [line for line in module if line.startswith(("from ", "import "))]
    imports = [line for line in imports if not line.startswith("from . ")]
    sources = [inspect.getsource(c).partition("class ") for c in reversed(cls.__mro__[:-1])]
    classes = [keyword + rest for _, keyword, rest in sources]
    return "\n\n".join(["\n".join(imports), *classes, f"{name} = {cls.__name__}"])


def points(course, name=HW):
    return {row.student: row.points for row in rows(grading.Classroom(course), name)[1]}


class Meter:
    """Counts the seconds of the processor that are used by this process, those that it starts, and
    the sandboxes, which end without a word.
    """

    def __init__(self, log: Path):
        self.log, stop = log, Student.stop

        def noted(student):
            if student.process:
                with open(log, "a") as file:
                    file.write(f"{student.sandbox.used(student.process.pid)[0]}\n")
            stop(student)

        Student.stop = noted
        self.began = self._own()

    def _own(self):
        used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(each.ru_utime + each.ru_stime for each in used)

    @property
    def seconds(self):
        return self._own() - self.began + sum(map(float, self.log.read_text().split()))


# A class of thirty --------------------------------------------------------------------------------


def thirty(everybody: bool):
    """Print the seconds per student of both."""
    with tempfile.TemporaryDirectory() as folder:
        course = course_folder(Path(folder) / "course")
        course.parent.chmod(0o755)  # root grades as another user
        deserved = {
            f"student{k:02}": {task: planted[k % len(planted)] for task, planted in PLANTED.items()}
            for k in range(STUDENTS)
        }
        for student, plants in deserved.items():
            answers = {task: written(cls, CLASSES[task]) for task, (cls, _) in plants.items()}
            hand_in(course, student, submission(HW, answers | {"figure": "pass"}, draws=True), HW)
        grading.prepare(grading.Classroom(course), HW, None)  # the release is not measured
        meter, began = Meter(Path(folder) / "sandboxes"), time.monotonic()
        assert grading.grade(course, HW, 2, Limits()) == 0
        ours, found = (time.monotonic() - began) / STUDENTS, points(course)
        processor = meter.seconds / STUDENTS
        for student, plants in deserved.items():
            failed = json.loads((course / f"grading/{HW}/{student}.json").read_text())["failed"]
            for task, (_, words) in plants.items():
                assert found[student][f"{task}_check"] == (0 if words else 20), (student, task)
                said = failed.get(f"{task}_check", "")
                assert said.startswith(f"Slip: {words}"[:200] if words else ""), (student, said)
        began = time.monotonic()
        students = "student*" if everybody else "student[01]0"
        subprocess.run(
            [sys.executable, "-m", "nbgrader", "autograde", HW, "--force", "--student", students],
            cwd=course / "grader",
            check=True,
            capture_output=True,
            env=os.environ | {"PYTHONPATH": str(course)},
        )
        theirs = (time.monotonic() - began) / (STUDENTS if everybody else 2)
        assert points(course) == found
    print(
        f"seconds per student: {ours:.2f} here ({processor:.2f} of the processor),"
        f" {theirs:.2f} with plain nbgrader, the same points"
    )


LOOP = "class MyHalving:\n    def __init__(self, n):\n        while True:\n            pass"


def looping():
    """Print what a class of thirty takes, three of whom never come to an end."""
    with tempfile.TemporaryDirectory() as folder:
        course = course_folder(Path(folder) / "course")
        course.parent.chmod(0o755)  # root grades as another user
        for k in range(STUDENTS):
            nb = submission(HW, {"halving": LOOP} if k % 10 == 3 else {})
            hand_in(course, f"student{k:02}", nb, HW)
        grading.prepare(grading.Classroom(course), HW, None)
        began = time.monotonic()
        assert grading.grade(course, HW, 2, Limits()) == 0
        lost = sum(not each["halving_check"] for each in points(course).values())
        print(f"{STUDENTS} students, {lost} never end: {time.monotonic() - began:.0f} s")


# A large class, killed and resumed ----------------------------------------------------------------

ANSWERS = [  # the code, and the points it deserves
    ("def double(x):\n    return 2 * x", 10),
    ("def double(x):\n    return 4", 0),  # by heart
    ("def double(x):\n    import os\n    os._exit(1)", 0),
    ("double = lambda x: x << 1", 10),
]


def resumed(students: int, where: str, address: str, folder: Path):
    """Return everybody's points after a grading that was killed at a third and at two thirds, and
    print what it took.
    """
    os.environ["GRADEBOOK"] = address
    course = course_folder(folder / where)
    (course / "notebooks/homework/tiny").mkdir()
    nbformat.write(tiny(), course / "notebooks/homework/tiny/tiny.ipynb")
    for k in range(students):
        answer = {"double": ANSWERS[k % len(ANSWERS)][0]}
        hand_in(course, f"student{k:03}", submission("tiny", answer), "tiny")
    began, sizes, done = time.monotonic(), {}, {}
    for part in (1, 2, 3):
        command = [sys.executable, "-m", "grader", "grade", "tiny", "--jobs", "2"]
        path = {"PYTHONPATH": str(HERE)}
        process = subprocess.Popen(
            command, cwd=course, env=os.environ | path, stdout=subprocess.PIPE, text=True
        )
        try:
            for line in process.stdout:
                if re.match(r"\[ *\d+/", line):
                    sizes[part, len(sizes)] = psutil.Process(process.pid).memory_info().rss // 2**20
                if part < 3 and len(sizes) >= part * students // 3:
                    break
            else:
                process.wait()
        finally:
            process.kill()  # it has ended by itself in the last part
            process.wait()
        records = {
            path.stem: path.stat().st_mtime_ns for path in course.glob("grading/tiny/*.json")
        }
        assert done.items() <= records.items(), "what was graded is not graded again"
        done = records
    assert process.returncode == 0
    found = points(course, "tiny")
    assert [found[f"student{k:03}"]["double_check"] for k in range(students)] == [
        ANSWERS[k % len(ANSWERS)][1] for k in range(students)
    ]
    last = [size for (part, _), size in sizes.items() if part == 3]
    print(
        f"{students} students on {where}, killed twice: {time.monotonic() - began:.0f} s,"
        f" {len(sizes) - students} graded twice; the last grader had {last[len(last) // 10]} MB"
        f" after a tenth and {last[-1]} MB at the end",
        flush=True,
    )
    return found


def killed(students: int):
    """Grade the class on both databases, with the same points."""
    with tempfile.TemporaryDirectory() as folder, postgres_server() as new:
        Path(folder).chmod(0o755)
        places = {"SQLite": "sqlite:///gradebook.db", "PostgreSQL": new("course")}
        found = [resumed(students, *place, Path(folder)) for place in places.items()]
    assert found[0] == found[1]
    print("the same points on both")


def main():
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--everybody", action="store_true", help="grade all thirty with plain nbgrader, too"
    )
    parser.add_argument("--loops", action="store_true", help="three of the thirty never end")
    parser.add_argument("--resume", type=int, metavar="STUDENTS", help="kill and resume a class")
    options = parser.parse_args()
    if options.loops:
        looping()
    else:
        killed(options.resume) if options.resume else thirty(options.everybody)


if __name__ == "__main__":
    main()
