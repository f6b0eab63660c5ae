"""Try the course with other Pythons, other versions of its packages, and as Binder installs it.

    python tools/matrix.py                    every row
    python tools/matrix.py 3.12 oldest        these alone

Each row gets a copy of the course in a scratch folder, an environment of its own by uv, and runs
the tests that promise to hold there. The row `binder` starts from the versions of Binder's base
image, which repo2docker lists, adds binder/requirements.txt and postBuild, and opens the map and a
lecture in a browser.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
PINS = ["-r", "requirements-dev.txt"]
PACKAGES = ["-e", ".[course,dev]", "-e", "./grader[dev]"]
ROWS = {  # Python, what to install
    "3.11": ("3.11", PINS),
    "3.12": ("3.12", PINS),
    "3.13": ("3.13", PINS),
    "oldest": ("3.11", ["--resolution", "lowest-direct", *PACKAGES]),
    "newest": ("3.13", ["--resolution", "highest", *PACKAGES]),
    "binder": ("3.11", []),
}
BASE = (
    "ipywidgets",
    "jupyter-offlinenotebook",
    "jupyter-resource-usage",
    "jupyter-server",
    "jupyterhub",
    "jupyterlab",
    "notebook",
)


def with_all_pythons() -> dict:
    """The environment, in which pyenv, if it is there, offers all its Pythons."""
    if not shutil.which("pyenv"):
        return dict(os.environ)
    listed = subprocess.run(
        ["pyenv", "versions", "--bare"], capture_output=True, text=True
    ).stdout.split()
    return os.environ | {
        "PYENV_VERSION": ":".join(
            name for name in reversed(listed) if re.fullmatch(r"3\.\d+\.\d+", name)
        )
    }


def files() -> list[Path]:
    """What belongs to the course: the files that git knows and new ones, relative to its folder."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    return [
        Path(name) for name in filter(None, listed.stdout.split("\0")) if (ROOT / name).is_file()
    ]


def copy(folder: Path) -> Path:
    """Copies the course into the folder."""
    for path in files():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, folder / path)
    return folder


def base_versions() -> str:
    """The versions in Binder's base image for Python 3.11, as lines name==version."""
    home = Path(find_spec("repo2docker").origin).parent / "buildpacks/conda"
    lock = (home / "environment.py-3.11-linux-64.lock").read_text()
    found = re.findall(r"(?m)/([a-z0-9_.-]+)-([0-9][0-9a-z.]*)-[^/-]+\.(?:conda|tar\.bz2)", lock)
    versions = {name.replace("jupyterhub-base", "jupyterhub"): version for name, version in found}
    return "".join(
        f"{name}=={version}\n" for name, version in versions.items() if not name.startswith("_")
    )


def set_up(folder: Path, python: str, packages: list[str], run) -> None:
    """Makes an environment in the folder with these packages and the course."""
    run("uv", "venv", "-q", "--python", python, ".venv")
    if packages:
        run("uv", "pip", "install", "-q", "--python", ".venv/bin/python", *packages)
        run("uv", "pip", "install", "-q", "--python", ".venv/bin/python", "--no-deps", "-e", ".")
    else:
        (folder / "base.txt").write_text(base_versions())
        run(
            "uv",
            "pip",
            "install",
            "-q",
            "--no-config",  # what our pyproject.toml asks of uv, Binder does not know
            "--python",
            ".venv/bin/python",
            "pip",
            *BASE,
            "-c",
            "base.txt",
        )
        run(".venv/bin/python", "-m", "pip", "install", "-q", "-r", "binder/requirements.txt")
        run("env", f"PATH={folder / '.venv/bin'}:{os.environ['PATH']}", "bash", "binder/postBuild")
        run(".venv/bin/python", "-m", "pip", "check")
    (folder / ".venv/.installed").touch()


def row(name: str, jobs: int) -> tuple[str, float]:
    """What came out of a row, in words, and the seconds it took."""
    python, packages = ROWS[name]
    start, log = time.perf_counter(), ROOT / f".matrix/{name}.log"
    log.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, log.open("w") as out:
        os.chmod(folder, 0o755)  # some tests become other users, who must be able to read it
        folder = copy(Path(folder))

        def run(*command, **environment):
            print(">", *command, file=out, flush=True)
            subprocess.run(
                command,
                cwd=folder,
                env=with_all_pythons() | environment,
                stdout=out,
                stderr=out,
                check=True,
            )

        try:
            set_up(folder, python, packages, run)
            if name == "binder":
                run(
                    sys.executable,
                    "-m",
                    "pytest",
                    "-q",
                    "tests/test_browser.py",
                    OLC_LAB=str(folder / ".venv/bin/python"),
                )
            else:
                for course in ((), ("-C", "grader")):
                    unpinned = str(int(packages != PINS))
                    run("make", *course, "test", f"JOBS={jobs}", OLC_UNPINNED=unpinned)
        except subprocess.CalledProcessError as error:
            print(error, file=out)
    text = log.read_text(errors="replace")
    counts = re.findall(r"(?m)^=*\s*(\d+ (?:passed|failed).*?)(?: in .*)?$", text)
    return (
        counts[-1] if counts else f"could not be set up: see {log.relative_to(ROOT)}"
    ), time.perf_counter() - start


def main(names: list[str], jobs: int) -> int:
    """The exit code: 1 if a row failed."""
    if unknown := sorted(set(names) - set(ROWS)):
        sys.exit(f"There is no row {', '.join(unknown)}; there are {', '.join(ROWS)}.")
    if not shutil.which("uv"):
        sys.exit("uv is missing, which finds other Pythons and installs quickly: pip install uv")
    results = {}
    for name in names or ROWS:
        results[name], seconds = row(name, jobs)
        print(f"{name:8}{ROWS[name][0]:6}{seconds:6.0f} s   {results[name]}", flush=True)
    bad = [
        name
        for name, result in results.items()
        if not re.match(r"\d+ passed", result) or "error" in result
    ]
    return 1 if bad else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", nargs="*", metavar="row", help=", ".join(ROWS))
    parser.add_argument("--jobs", type=int, default=2, help="tests at the same time")
    options = parser.parse_args()
    sys.exit(main(options.rows, options.jobs))
