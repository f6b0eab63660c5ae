"""Try the course with other Pythons, other versions of its packages, and as Binder installs it.

    nox                        every session (with uv, if it is there, which finds other Pythons)
    nox -s pinned-3.12 types   these alone
    nox -s binder -- -x        options after -- go to pytest

Each session gets a copy of the files that belong to the course and an environment of its own.
"""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import nox

ROOT = Path(__file__).parent
PYTHONS = "3.11", "3.12", "3.13"
UNPINNED = {"oldest": ("3.11", "lowest-direct"), "newest": ("3.13", "highest")}
ANNEXES = "grader", "web"  # with tests of their own, which come after those of the course
PACKAGES = ".[course,dev]", "./grader[dev]"
EXTRAS = "distributed", "numba", "river"
PYTEST = "pytest", "-q", "-n", "2", "--dist", "loadscope"
BASE = (  # what Binder's base image has, as repo2docker installs it
    "ipywidgets",
    "jupyter-offlinenotebook",
    "jupyter-resource-usage",
    "jupyter-server",
    "jupyterhub",
    "jupyterlab",
    "notebook",
)
SAME = {  # the same numbers and pictures on every machine
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "LC_ALL": "C.UTF-8",
    "PYTHONUTF8": "1",
    "TZ": "UTC",
}

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "uv|virtualenv"
if shutil.which("pyenv"):  # it offers only the Pythons that are asked for
    listed = subprocess.run(["pyenv", "versions", "--bare"], capture_output=True, text=True).stdout
    found = [name for name in listed.split() if re.fullmatch(r"3\.\d+\.\d+", name)]
    os.environ["PYENV_VERSION"] = ":".join(reversed(found))


def files() -> list[Path]:
    """Return what belongs to the course: the files that git knows and new ones, by their paths."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    paths = map(Path, filter(None, listed.stdout.split("\0")))
    return [path for path in paths if (ROOT / path).is_file()]


def copy(folder: Path) -> Path:
    """Copy the course into the folder, and return it."""
    for path in files():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, folder / path)
    return folder


def enter(session: nox.Session) -> None:
    """Go on in a fresh copy of the course."""
    folder = Path(session.create_tmp())
    shutil.rmtree(folder)
    session.chdir(copy(folder))
    session.env.update(SAME)


def pin(name: str, *wanted: str) -> list[str]:
    """Return the lines of a list of pins that name these packages."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.partition("==")[0] in wanted]


def install_pins(session: nox.Session) -> None:
    session.install("-r", "requirements-dev.txt")
    session.install("--no-deps", "-e", ".")


def test(session: nox.Session, **environment: str) -> None:
    """Run the tests of the course, then those of its annexes, if they are there."""
    if Path("web").is_dir() and shutil.which("npm"):
        session.run("npm", "ci", "--prefix", "web", "--no-fund", "--no-audit", external=True)
    session.run(*PYTEST, "--nbval", *session.posargs, "notebooks", "tests", env=environment)
    for annex in filter(os.path.isdir, ANNEXES):
        session.run(*PYTEST, *session.posargs, f"{annex}/tests", env=environment)


@nox.session(python=PYTHONS)
def pinned(session):
    """The pinned versions."""
    enter(session)
    install_pins(session)
    test(session)


def unpinned(session, resolution):
    if session.venv_backend != "uv":
        session.error("uv is missing, which can choose other versions: pip install uv")
    enter(session)
    packages = [f"-e{each}" for each in PACKAGES if Path(each.partition("[")[0]).is_dir()]
    session.install("--resolution", resolution, *packages)
    test(session, OLC_UNPINNED="1")


@nox.session(python=UNPINNED["oldest"][0])
def oldest(session):
    """The oldest versions that pyproject.toml allows."""
    unpinned(session, UNPINNED["oldest"][1])


@nox.session(python=UNPINNED["newest"][0])
def newest(session):
    """The newest versions that there are."""
    unpinned(session, UNPINNED["newest"][1])


def skipping() -> list[str]:
    """Return the files with tests that are left out where an extra is missing."""
    asks = re.compile(rf'importorskip\(\s*f?"(?:{"|".join(EXTRAS)})')
    tests = sorted(Path("tests").glob("test_*.py"))
    return [str(path) for path in tests if asks.search(path.read_text(encoding="utf-8"))]


@nox.session(python="3.11")
def extras(session):
    """The compiled loops, many processes and models of river: what is left out without them."""
    enter(session)
    install_pins(session)
    session.install(*pin("requirements-bench.txt", *EXTRAS))
    session.run("python", "-c", f"import {', '.join(EXTRAS)}")  # without them tests are left out
    session.run(*PYTEST, *session.posargs, *skipping())


@nox.session(python="3.11")
def types(session):
    """The types that the package promises."""
    enter(session)
    install_pins(session)
    session.run("mypy")
    session.run("mypy", "--strict", "--follow-imports=silent", "tests/typed.py")


def base_versions() -> str:
    """Return the versions in Binder's base image for Python 3.11, as lines name==version."""
    home = Path(find_spec("repo2docker").origin).parent / "buildpacks/conda"
    lock = (home / "environment.py-3.11-linux-64.lock").read_text(encoding="utf-8")
    found = re.findall(r"(?m)/([a-z0-9_.-]+)-([0-9][0-9a-z.]*)-[^/-]+\.(?:conda|tar\.bz2)", lock)
    versions = {name.replace("jupyterhub-base", "jupyterhub"): version for name, version in found}
    return "".join(
        f"{name}=={version}\n" for name, version in versions.items() if not name.startswith("_")
    )


@nox.session(python="3.11")
def binder(session):
    """As Binder installs it: the browser tests, and each lecture compared with what is stored."""
    enter(session)
    Path("base.txt").write_text(base_versions(), encoding="utf-8")
    own = ["--no-config"] if session.venv_backend == "uv" else []  # Binder knows no pyproject.toml
    session.install(*own, "pip", *BASE, "-c", "base.txt")
    pip = "python", "-m", "pip"
    session.run(*pip, "install", "-q", "-r", "binder/requirements.txt")
    session.run("bash", "binder/postBuild", external=True)
    session.run(*pip, "check")
    python = shutil.which("python", path=os.pathsep.join(session.virtualenv.bin_paths))
    browser = "-m", "pytest", "-q", *session.posargs, "tests/test_browser.py"
    session.run(sys.executable, *browser, external=True, env={"OLC_LAB": python})
    session.run("pytest", "--nbval", *session.posargs, "notebooks")
