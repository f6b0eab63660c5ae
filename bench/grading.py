"""Grade a class of thirty here and with plain nbgrader: seconds per student, and the same points.

.venv/bin/python bench/grading.py               thirty students here, two with plain nbgrader
.venv/bin/python bench/grading.py --everybody   thirty students with both (minutes)
"""

import argparse
import inspect
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]

from coursework import course_folder, hand_in, submission  # noqa: E402
from grader import grade as grading  # noqa: E402
from grader.report import rows  # noqa: E402
from grader.sandbox import Limits  # noqa: E402
from planted import PLANTS  # noqa: E402

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


def points(course):
    return {row.student: row.points for row in rows(grading.Course(course), HW)[1]}


def main():
    """Print the seconds per student of both."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--everybody", action="store_true", help="grade all thirty with plain nbgrader, too"
    )
    everybody = parser.parse_args().everybody
    with tempfile.TemporaryDirectory() as folder:
        course = course_folder(Path(folder) / "course")
        course.parent.chmod(0o755)  # root grades as another user
        deserved = {
            f"student{k:02}": {task: planted[k % len(planted)] for task, planted in PLANTED.items()}
            for k in range(STUDENTS)
        }
        for student, plants in deserved.items():
            answers = {task: written(cls, CLASSES[task]) for task, (cls, _) in plants.items()}
            hand_in(course, student, submission(HW, answers, draws=True), HW)
        grading.prepare(grading.Course(course), HW, None)  # the release is not measured
        began = time.monotonic()
        assert grading.grade(course, HW, 2, Limits()) == 0
        ours, found = (time.monotonic() - began) / STUDENTS, points(course)
        for student, plants in deserved.items():
            failed = json.loads((course / f"grading/{HW}/{student}.json").read_text())["failed"]
            for task, (_, words) in plants.items():
                assert found[student][f"{task}_check"] == (0 if words else 20), (student, task)
                said = failed.get(f"{task}_check", "")
                assert said.startswith(f"Slip: {words}"[:200] if words else ""), (student, said)
        began = time.monotonic()
        subprocess.run(
            [
                sys.executable,
                "-m",
                "nbgrader",
                "autograde",
                HW,
                "--force",
                "--student",
                "student*" if everybody else "student[01]0",
            ],
            cwd=course,
            check=True,
            capture_output=True,
            env=os.environ | {"PYTHONPATH": str(course)},
        )
        theirs = (time.monotonic() - began) / (STUDENTS if everybody else 2)
        assert points(course) == found
    print(
        f"seconds per student: {ours:.2f} here, {theirs:.2f} with plain nbgrader, the same points"
    )


if __name__ == "__main__":
    main()
