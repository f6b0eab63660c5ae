"""Pins, Binder, conda, make and the package's imports agree with each other."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import defects
import matrix
import portable
import pytest
import yaml
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pins import pins, unpinned

pytestmark = pytest.mark.usefixtures("outside_make")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = PYPROJECT["project"]
PYTHON = (ROOT / "binder/runtime.txt").read_text().strip().removeprefix("python-")
TARGETS = set(
    "setup lab test check fuzz defects minutes words sections notation portable matrix figures "
    "execute bench release validate grade grades lint system badge pins clean "
    "site site-serve site-check pdf slides".split()
)


def run(*command, cwd=ROOT, check=True):
    """The finished process, with stdout and stderr as one text."""
    process = subprocess.run(
        command, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert not check or process.returncode == 0, process.stdout
    return process


@pytest.fixture(scope="module")
def committed():
    """The files of the repository, as paths relative to its root."""
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip(
            "no git repository: install git and `git clone` the course to see which files belong"
            " to it"
        )
    return matrix.files()


@pytest.fixture
def copy(tmp_path, committed):
    """A clean copy of the repository."""
    return matrix.copy(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems name their locales otherwise")
def test_the_course_may_stand_in_a_folder_with_an_umlaut():
    """alembic, of the gradebook, reads paths in the encoding of the locale, which make sets."""
    [locale] = re.findall(r"(?m)export LC_ALL = (.+)$", (ROOT / "Makefile").read_text())
    code = "import locale; print(locale.getencoding())"
    assert run("env", f"LC_ALL={locale}", sys.executable, "-c", code).stdout.lower() == "utf-8\n"


@pytest.mark.parametrize("name", ["binder/requirements.txt", "requirements-dev.txt"])
def test_pins_are_names_and_versions_only(name):
    lines = (ROOT / name).read_text().splitlines()
    if name == "requirements-dev.txt":
        assert lines.pop(0) == "-r binder/requirements.txt"
    bad = [
        line
        for line in lines
        if not re.fullmatch(r"[a-z0-9.-]+==[0-9][0-9a-z.]*( ; [\w' .<>=!()]+)?", line)
    ]
    assert lines and bad == []


def test_pins_satisfy_the_ranges_of_the_package():
    text = (ROOT / "binder/requirements.txt").read_text() + (
        ROOT / "requirements-dev.txt"
    ).read_text()
    pinned = dict(re.findall(r"(?m)^([\w.-]+)==(\S+)", text))
    extras = PROJECT["optional-dependencies"]
    wanted = PROJECT["dependencies"] + extras["course"] + extras["dev"]
    ranges = map(Requirement, wanted + PYPROJECT["tool"]["uv"]["constraint-dependencies"])
    assert [
        str(range) for range in ranges if pinned.get(range.name, "0") not in range.specifier
    ] == []


def test_the_package_itself_needs_numpy_alone():
    assert [Requirement(line).name for line in PROJECT["dependencies"]] == ["numpy"]


def test_installed_versions_are_the_pins():
    if os.environ.get("OLC_UNPINNED") == "1":
        pytest.skip("OLC_UNPINNED=1: other versions than the pins are wanted")
    assert unpinned() == [], "run `make setup`"


def test_pins_are_complete(only_pinned):
    here = [Requirement(line) for name in pins() for line in requires(name) or []]
    needed = {
        canonicalize_name(need.name)
        for need in here
        if need.marker is None or need.marker.evaluate({"extra": ""})
    }
    assert needed - set(pins()) == set()


def test_conda_uses_the_pins_of_binder():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert environment["dependencies"] == [
        f"python={PYTHON}",
        "pip",
        {"pip": ["-r binder/requirements.txt", "-e ."]},
    ]


def test_the_python_of_binder_is_supported():
    assert PYTHON in Requirement("python" + PROJECT["requires-python"]).specifier


def test_binder_builds_what_we_mean(copy):
    printed = run(
        sys.executable, "-m", "repo2docker", "--no-build", "--debug", ".", cwd=copy
    ).stdout
    assert f"Building conda environment for python={PYTHON}\n" in printed
    assert 'bin/pip install --no-cache-dir -r "binder/requirements.txt"' in printed
    # The owner is whoever calls it.
    copies = re.search(r"COPY --chown=\d+:\d+ src/ \$\{REPO_DIR\}/", printed)
    assert copies.start() < printed.index("RUN ./binder/postBuild")


def test_binder_installs_the_package():
    script = ROOT / "binder/postBuild"
    assert os.access(script, os.X_OK)
    assert script.read_text().splitlines()[:2] == ["#!/usr/bin/env bash", "set -e"]
    assert "pip install --no-deps --no-cache-dir -e ." in script.read_text()


def test_binder_opens_without_a_question_about_news(tmp_path):
    """What postBuild does after the installation, with a Python that lives in a folder of its
    own.
    """
    run(sys.executable, "-m", "venv", "--without-pip", str(tmp_path))
    after = (ROOT / "binder/postBuild").read_text().partition("# No question")[2]
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    run("env", f"PATH={path}", "bash", "-ec", "#" + after)
    written = json.loads((tmp_path / "etc/jupyter/labconfig/page_config.json").read_text())
    assert written["disabledExtensions"]["@jupyterlab/apputils-extension:announcements"] is True


def test_no_address_or_machine_in_a_committed_file(committed):
    forbidden = re.compile(
        r"https?://\S+\.(?:whl|tar\.gz|zip)\b|pythonhosted|--hash|--(?:extra-)?index-url|--find-links"
        r"|(?<![\w/+.])/(?:root|home|work|opt|Users)/\w"
    )
    others = [path for path in committed if path.name != Path(__file__).name]
    found = {
        path: forbidden.findall((ROOT / path).read_text(encoding="utf-8", errors="replace"))
        for path in others
    }
    assert {path: hits for path, hits in found.items() if hits} == {}


def test_only_a_lock_file_without_addresses_is_committed(committed):
    locks = [path for path in committed if path.suffix == ".lock" or path.stem.endswith("-lock")]
    assert locks == [Path("web/package-lock.json")]
    text = (ROOT / locks[0]).read_text(encoding="utf-8")
    assert '"integrity"' in text and '"resolved"' not in text


def test_make_lists_every_target():
    listed = dict(line.split(maxsplit=2)[1:] for line in run("make").stdout.splitlines())
    phony = re.search(r"\.PHONY: (.*)", (ROOT / "Makefile").read_text())[1].split()
    assert set(listed) == set(phony) == TARGETS | {"help"}


def test_a_second_run_sets_nothing_up(copy):
    stamp = copy / ".venv/.installed"
    assert run("make", "-q", "setup", cwd=copy, check=False).returncode == 1
    stamp.parent.mkdir()
    stamp.touch()
    assert run("make", "-q", "setup", cwd=copy, check=False).returncode == 0
    for name in ("pyproject.toml", "binder/requirements.txt", "requirements-dev.txt"):
        newer = run("make", "-q", "-W", name, "setup", cwd=copy, check=False)
        assert newer.returncode == 1, name


def test_badge_fills_in_the_repository_again_and_again(copy):
    for repository in ("me/course", "you/other-course"):
        run("make", "badge", f"REPO={repository}", cwd=copy)
        assert f"https://github.com/{repository}" in (copy / "CITATION.cff").read_text()
        readme, site = (copy / "README.md").read_text(), repository.replace("/", ".github.io/")
        assert f"mybinder.org/v2/gh/{repository}/" in readme and f"https://{site}/" in readme
    left = (copy / "README.md").read_text() + (copy / "CITATION.cff").read_text()
    assert not re.search(r"\bme(\.github\.io)?/course|OWNER|REPOSITORY", left)
    assert run("make", "badge", cwd=copy, check=False).returncode != 0


def test_ci_gets_all_programs_and_runs_the_tests():
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    assert script.read_text().splitlines() == [
        "#!/usr/bin/env bash",
        "set -euo pipefail",
        'cd "$(dirname "$0")/.."',
        "make system",
        "make setup web/node_modules/.package-lock.json",
        "make test",
        'make portable CPUS="Prescott/v2 Haswell/v3"',
    ]


@pytest.mark.parametrize("newest", [True, False], ids=["AVX-512", "no AVX-512"])
def test_portable_plays_each_processor_once_and_none_that_it_cannot(newest, monkeypatch):
    from numpy._core import _multiarray_umath as numpy

    taken = {"Zen": "Haswell", "SkylakeX": "SkylakeX" * newest}
    monkeypatch.setattr(portable, "loops", lambda core: taken.get(core, core))
    monkeypatch.setattr(numpy, "__cpu_dispatch__", ["X86_V3", "X86_V4"])
    monkeypatch.setattr(numpy, "__cpu_features__", {"X86_V3": True, "X86_V4": newest})
    found = portable.processors()
    cores = {"Prescott", "Nehalem", "Sandybridge", "Haswell"} | ({"SkylakeX"} if newest else set())
    assert {each["OPENBLAS_CORETYPE"] for each in found.values()} == cores
    assert {"Prescott/v2", "Haswell/v3×2"} < set(found)
    assert len(found) == len(set(map(str, found.values()))) == len(cores) * (2 + newest) * 2


def test_workflow_runs_what_make_matrix_runs():
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())
    # YAML reads the key `on` as True.
    assert set(workflow[True]) == {"push", "pull_request", "schedule"}
    jobs = workflow["jobs"]
    assert ".ci/run" in [step.get("run") for step in jobs["pinned"]["steps"]]
    pinned = {
        python: (python, matrix.PINS) for python in jobs["pinned"]["strategy"]["matrix"]["python"]
    }
    unpinned = {
        row["name"]: (row["python"], ["--resolution", row["resolution"], "-e", ".[course,dev]"])
        for row in jobs["unpinned"]["strategy"]["matrix"]["include"]
    }
    assert pinned | unpinned | {"binder": ("3.11", [])} == matrix.ROWS
    assert jobs["unpinned"]["env"] == {"OLC_UNPINNED": "1"}
    assert jobs["weekly"]["strategy"]["matrix"]["run"] == [
        "make portable",
        "make fuzz",
        "make sections",
        "make matrix ROWS=binder",
    ]


def test_the_site_is_published_only_after_its_checks():
    workflow = yaml.safe_load((ROOT / ".github/workflows/site.yml").read_text())
    steps = [
        step.get("run", step.get("uses", "")).partition("@")[0]
        for step in workflow["jobs"]["build"]["steps"]
    ]
    wanted = ["make site", "make pdf", "make site-check", "actions/upload-pages-artifact"]
    assert steps[-len(wanted) :] == wanted
    assert workflow["jobs"]["build"]["steps"][-1]["with"] == {"path": "site"}
    publish = workflow["jobs"]["publish"]
    assert publish["needs"] == "build" and "has_pages" in publish["if"]
    assert publish["permissions"] == {"pages": "write", "id-token": "write"}
    assert workflow["permissions"] == {"contents": "read"}


def test_classifiers_name_the_pythons_that_are_tried():
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert set(named) == {python for python, _ in matrix.ROWS.values()}


def test_base_image_of_binder_is_read_from_repo2docker():
    versions = dict(line.split("==") for line in matrix.base_versions().splitlines())
    assert set(matrix.BASE) - {"jupyter-server"} <= set(versions) and "jupyter_server" in versions


def test_import_needs_numpy_alone():
    heavy = {"matplotlib", "ipywidgets", "scipy", "IPython", "tqdm", "pandas", "numba"}
    code = "import json, sys, olc_helpers; olc_helpers.play; print(json.dumps(list(sys.modules)))"
    imported = set(json.loads(run(sys.executable, "-c", code).stdout))
    assert {"olc_helpers.protocol", "numpy"} <= imported and imported & heavy == set()


def test_every_defect_can_still_be_planted_and_core_and_rooms_have_some():
    planted = list(defects.defects())
    rooms = {path.parent.name for path in (ROOT / "olc_helpers").glob("*/__init__.py")} - {"cli"}
    core = {"protocol.py", "checks.py", "losses.py", "ledger.py", "fast.py", "feedback.py"}
    assert rooms | core <= {defect.file.split("/")[1] for defect in planted}
    assert len(set(planted)) == len(planted) >= 60
    for defect in planted:
        assert defect.wrong != defect.right
        assert all((ROOT / test.partition("::")[0]).is_file() for test in defect.tests), defect
