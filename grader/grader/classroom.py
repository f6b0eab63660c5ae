"""The folder of a course as the grader sees it: nbgrader's settings and gradebook, the assignments,
what was handed in, and where the results go.
"""

import functools
import os
import re
import sys
import warnings
from pathlib import Path

from .sandbox import Limits, Sandbox

SETTINGS = "nbgrader_config.py"


class Classroom:
    """A course folder with its settings, which are in it or in its folder `grader`."""

    def __init__(self, root: Path):
        from nbgrader.coursedir import CourseDirectory
        from traitlets.config import PyFileConfigLoader

        self.root = root.resolve()
        folders = [folder for folder in (self.root, self.root / "grader") if has_settings(folder)]
        if not folders:
            sys.exit(f"there is no {SETTINGS} in {self.root}: call the grader in the course folder")
        self.config = PyFileConfigLoader(SETTINGS, path=str(folders[0])).load_config()
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

    # The course -----------------------------------------------------------------------------------

    @property
    def package(self) -> Path:
        """The package that submissions import: the sandbox holds it."""
        return self.root / self.config.Grader.package

    def sandbox(self, limits: Limits, safe: bool = True) -> Sandbox:
        """Return a sandbox that holds the package, or raise NoSandbox."""
        told = self.config.Grader
        return Sandbox(self.package, limits, safe, tuple(told.answers), told.refuse)

    @property
    def assignments(self) -> list[str]:
        return sorted(
            path.stem
            for path in (self.root / self.folders.source_directory).glob("*/*.ipynb")
            if path.stem == path.parent.name
        )

    def require(self, *names: str):
        """Exit if one of the names is that of no assignment."""
        there = self.assignments
        for name in names:
            if name not in there:
                sys.exit(f"there is no assignment {name!r}; there are {', '.join(there)}")

    def source(self, name) -> Path:
        return self.root / self.folders.source_directory / name / f"{name}.ipynb"

    # Submissions ----------------------------------------------------------------------------------

    def submitted(self, name) -> dict[str, Path]:
        """Return the folder of each student who handed in something."""
        folders = sorted(self.root.glob(f"submitted/*/{name}"))
        return {
            folder.parent.name: folder
            for folder in folders
            if folder.is_dir()
            and not folder.is_symlink()
            and not folder.parent.name.startswith(".")
            and is_text(folder.parent.name)
        }

    def strays(self, name) -> list[Path]:
        """Return what looks like a submission of the assignment, but lies elsewhere."""
        found = [path for path in self.root.glob("submitted/*/*") if is_meant(path.stem, name)]
        return sorted(path for path in found if path.name != name and not path.is_symlink())

    def nameless(self, name) -> list[Path]:
        """Return the submissions in folders whose names no gradebook can hold."""
        found = self.root.glob(f"submitted/*/{name}")
        return sorted(path for path in found if not is_text(path.parent.name))

    def handed_in_at(self, name, student):
        """Return the time of a submission if nbgrader's exchange has it, too; a student can write
        any timestamp.txt.
        """
        from nbgrader.exchange.default.exchange import Exchange
        from nbgrader.utils import parse_utc

        exchange = Path(Exchange(config=self.config, coursedir=self.folders).root)
        try:
            with open(self.submitted(name)[student] / "timestamp.txt", encoding="utf-8") as file:
                time = file.read(100).strip()
            inbound = os.listdir(exchange / self.folders.course_id / "inbound")
            known = any(f"{each}+".startswith(f"{student}+{name}+{time}+") for each in inbound)
            return parse_utc(time) if known else None
        except Exception:
            return None

    # Results --------------------------------------------------------------------------------------

    def record(self, name, student) -> Path:
        """Return where the grader keeps what happened to a submission."""
        return self.root / "grading" / name / f"{student}.json"

    def autograded(self, name, student) -> Path:
        return self.root / "autograded" / student / name / f"{name}.ipynb"

    def page(self, name, student) -> Path:
        return self.root / "feedback" / student / name / f"{name}.html"


def has_settings(folder: Path) -> bool:
    """Return whether nbgrader's settings are in a folder."""
    return (folder / SETTINGS).is_file()


def is_text(name: str) -> bool:
    """Return whether a name of a file is UTF-8."""
    return os.fsencode(name).decode(errors="ignore") == name


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
