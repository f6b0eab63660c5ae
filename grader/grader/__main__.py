"""Release the assignments to students, run the visible checks of one notebook, grade a class. Call
it in the course folder.

python -m grader release [hw1_experts …]   student versions and zip files into release/
python -m grader validate path/to.ipynb    what the checks say, one line per question
python -m grader grade hw1_experts         submitted/ into the gradebook and autograded/, then:
python -m grader fill hw1_experts their.csv  their grade table with our points into grades/
python -m grader grade                     tables and pages of all grades into grades/ and feedback/
"""

import argparse
import sys
from pathlib import Path


def options(arguments: list[str] | None) -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(
        "grader", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("release").add_argument("names", nargs="*")
    commands.add_parser("validate").add_argument("notebook", type=Path)
    fill = commands.add_parser("fill")
    fill.add_argument("name")
    fill.add_argument("table", type=Path)
    fill.add_argument("--column", default="Grade", help="where the points belong")
    grade = commands.add_parser("grade")
    add = grade.add_argument
    add("name", nargs="?", help="grade this assignment before the tables and pages are written")
    add("--jobs", type=int, default=2, help="submissions at the same time")
    add(
        "--timeout",
        type=float,
        default=20,
        help="seconds for a cell; a submission has three times as long",
    )
    add("--memory", type=int, default=2048, help="megabytes for a submission")
    add("--due", help='"2026-12-01 23:59 UTC"; what was handed in later is marked late')
    add("--force", action="store_true", help="grade again what is graded already")
    add("--unsafe", action="store_true", help="grade without a sandbox, as yourself")
    add("--solutions", action="store_true", help="model solutions and rubrics on the pages, too")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Return the exit code of the command."""
    asked, here = options(arguments), Path.cwd()
    if asked.command == "release":
        from .release import release

        return release(here, asked.names)
    if asked.command == "validate":
        from .validate import validate

        return validate(asked.notebook)
    if asked.command == "fill":
        from .lms import fill

        fill(here, asked.name, asked.table, asked.column)
        return 0
    from .grade import INTERRUPTED, grade
    from .report import report
    from .sandbox import Limits

    failed, limits = 0, Limits(asked.timeout, 3 * asked.timeout, asked.memory)
    if asked.name:
        failed = grade(here, asked.name, asked.jobs, limits, asked.unsafe, asked.force, asked.due)
    if failed == INTERRUPTED:
        return failed
    return report(here, [asked.name] if asked.name else [], asked.jobs, asked.solutions) or failed


if __name__ == "__main__":
    sys.exit(main())
