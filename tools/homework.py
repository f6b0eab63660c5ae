"""Release the assignments to students, run the visible checks of one notebook, grade a class.

python tools/homework.py release [hw1_experts …]     student versions and zip files into release/
python tools/homework.py validate path/to.ipynb      what the checks say, one line per question
python tools/homework.py grade hw1_experts           submitted/ into the gradebook and autograded/
python tools/homework.py grades [hw1_experts …]      tables and pages into grades/ and feedback/
"""

import argparse
import asyncio
import re
import sys
import zipfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

# What Binder and pip need.
PACKAGE = "olc_helpers/**/*.py", "olc_helpers/*.toml"
ENVIRONMENT = ("binder/*", "pyproject.toml", "LICENSE*", *PACKAGE)
README = """# {name}

- Start: `python3 -m venv .venv`, `.venv/bin/pip install -r binder/requirements.txt .`,
  `.venv/bin/jupyter lab {name}/{name}.ipynb`.
- Check: run the cells below your answers; they say what is wrong. Before you hand in,
  *Restart Kernel and Run All Cells*.
- Hand in: `{name}.ipynb` under this name, and files that it reads.
  Leave the check cells as they are.
"""
SECRET = """The course folder holds the solutions and the hidden tests in notebooks/homework.
Give students the zip files, and keep the repository private, or publish a copy of it
without notebooks/homework."""
STUB = re.compile(r"raise NotImplementedError|YOUR ANSWER HERE")


def release(root: Path, names: list[str]) -> int:
    """Return 0 after writing release/NAME/ and release/NAME.zip for each assignment, or 1 if
    nbgrader refuses one.
    """
    from grader.grade import Course
    from nbgrader.apps import NbGraderAPI

    course, failed = Course(root), 0
    for name in names:
        if name not in course.assignments:
            sys.exit(f"there is no assignment {name!r}; there are {', '.join(course.assignments)}")
    nbgrader = NbGraderAPI(course.folders, config=course.config)
    for name in names or course.assignments:
        result = nbgrader.generate_assignment(name, force=True, create=True)
        if not result["success"]:
            print(
                f"{name}  FAILED\n{result.get('error') or result.get('log')}",
                file=sys.stderr,
                flush=True,
            )
            failed = 1
            continue
        folder = root / "release" / name
        cells = [cell for path in folder.glob("*.ipynb") for cell in nbformat.read(path, 4).cells]
        points = sum(
            cell.metadata.nbgrader.points
            for cell in cells
            if cell.metadata.get("nbgrader", {}).get("grade")
        )
        size = pack(root, folder)
        print(
            f"{name}  {len(cells)} cells, {points:g} points  release/{name}.zip"
            f" {size / 1024:.0f} kB",
            flush=True,
        )
    print(SECRET, file=sys.stderr, flush=True)
    return failed


def pack(root: Path, folder: Path) -> int:
    """Return the size of the zip of a released folder with the environment, which has the same
    bytes every time.
    """
    files = {path.relative_to(folder.parent): path for path in folder.rglob("*") if path.is_file()}
    files |= {
        path.relative_to(root): path
        for pattern in ENVIRONMENT
        for path in root.glob(pattern)
        if path.is_file()
    }
    target = folder.with_name(folder.name + ".zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        start = zipfile.ZipInfo("README.md", (1980, 1, 1, 0, 0, 0))
        archive.writestr(start, README.format(name=folder.name), zipfile.ZIP_DEFLATED)
        for name, path in sorted(files.items()):
            entry = zipfile.ZipInfo(name.as_posix(), (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (path.stat().st_mode & 0o777) << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return target.stat().st_size


async def execute(path: Path) -> nbformat.NotebookNode:
    """Return the notebook executed from top to bottom; a cell that fails does not stop the
    others.
    """
    nb = nbformat.read(path, 4)
    await NotebookClient(
        nb,
        timeout=60,
        kernel_name="python3",
        allow_errors=True,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    ).async_execute()
    return nb


def questions(nb: nbformat.NotebookNode) -> list[tuple[str, float, str, str]]:
    """Return (id, points, verdict, details) of each graded cell: right, wrong, not done, or for
    your teacher.
    """
    found = []
    for cell in nb.cells:
        grader = cell.metadata.get("nbgrader", {})
        if not grader.get("grade"):
            continue
        outputs = cell.get("outputs", [])
        error = next((output for output in outputs if output.output_type == "error"), None)
        if grader.get("solution"):
            verdict = (
                "not done" if STUB.search(cell.source) else "wrong" if error else "for your teacher"
            )
        else:
            verdict = (
                "right"
                if error is None
                else "not done"
                if error.ename == "NotImplementedError"
                else "wrong"
            )
        shown = [output.data.get("text/plain", "") for output in outputs if "data" in output]
        details = (
            "\n".join([f"{error.ename}: {error.evalue}", *shown]) if verdict == "wrong" else ""
        )
        found.append((grader["grade_id"], grader["points"], verdict, details))
    return found


def validate(path: Path) -> int:
    """Return 0 if no check of the notebook fails; print what each one says."""
    if not path.is_file():
        sys.exit(f"there is no notebook {path}; call it as make validate NB=path/to.ipynb")
    marks = {"right": "✓", "wrong": "✗", "not done": "·", "for your teacher": "?"}
    found = questions(asyncio.run(execute(path)))
    for name, points, verdict, details in found:
        print(f"{marks[verdict]} {name:24} {points:3g} points   {verdict}")
        if details:
            print("\n".join(f"    {line}" for line in details.splitlines()))
    print(
        ", ".join(f"{sum(verdict == kind for _, _, verdict, _ in found)} {kind}" for kind in marks)
    )
    return int(any(verdict in ("wrong", "not done") for _, _, verdict, _ in found))


def main() -> int:
    """Return the exit code of the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("release").add_argument("names", nargs="*")
    commands.add_parser("validate").add_argument("notebook", type=Path)
    one = commands.add_parser("grade")
    one.add_argument("name")
    one.add_argument("--jobs", type=int, default=2, help="submissions at the same time")
    one.add_argument(
        "--timeout",
        type=float,
        default=30,
        help="seconds for a cell; a submission has ten times as long",
    )
    one.add_argument("--memory", type=int, default=2048, help="megabytes for a submission")
    one.add_argument(
        "--due", help='"2026-12-01 23:59 UTC"; what was handed in later is marked late'
    )
    one.add_argument("--force", action="store_true", help="grade again what is graded already")
    one.add_argument("--unsafe", action="store_true", help="grade without a sandbox, as yourself")
    many = commands.add_parser("grades")
    many.add_argument("names", nargs="*")
    many.add_argument("--jobs", type=int, default=2)
    many.add_argument(
        "--solutions", action="store_true", help="model solutions and rubrics on the pages, too"
    )
    options = parser.parse_args()
    if options.command == "release":
        return release(Path.cwd(), options.names)
    if options.command == "validate":
        return validate(options.notebook)
    if options.command == "grade":
        from grader.grade import grade
        from grader.sandbox import Limits

        limits = Limits(cell=options.timeout, total=10 * options.timeout, memory=options.memory)
        return grade(
            Path.cwd(),
            options.name,
            options.jobs,
            limits,
            options.unsafe,
            options.force,
            options.due,
        )
    from grader.report import report

    return report(Path.cwd(), options.names, options.jobs, options.solutions)


if __name__ == "__main__":
    sys.exit(main())
