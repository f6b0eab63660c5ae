"""Pins, Binder, conda, make and the package's imports agree with each other."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import requires, version
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import defects
import portable
import pytest
import yaml
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pins import pins, unpinned

import olc_helpers

pytestmark = pytest.mark.usefixtures("outside_make")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
PYTHON = (ROOT / "binder/runtime.txt").read_text(encoding="utf-8").strip().removeprefix("python-")
TARGETS = set("setup lab test figures site release grade execute bench".split())
MAKE = pytest.mark.skipif(
    sys.platform == "win32" or not shutil.which("make"),
    reason="the Makefile needs make and a shell",
)
BASH = pytest.mark.skipif(
    sys.platform == "win32" or not shutil.which("bash"), reason="a script of bash, not of Windows"
)


def run(*command, cwd=ROOT, check=True):
    """The finished process, with stdout and stderr as one text."""
    process = subprocess.run(
        command,
        cwd=cwd,
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert not check or process.returncode == 0, process.stdout
    return process


@pytest.fixture(scope="module")
def noxfile():
    """The module noxfile.py, which may change the environment."""
    pytest.importorskip("nox", reason="nox is not installed")
    spec = spec_from_file_location("noxfile", ROOT / "noxfile.py")
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYENV_VERSION", "")
        spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def committed(noxfile):
    """The files of the repository, as paths relative to its root."""
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip(
            "no git repository: install git and `git clone` the course to see which files belong"
            " to it"
        )
    return noxfile.files()


@pytest.fixture
def copy(tmp_path, committed, noxfile):
    """A clean copy of the repository."""
    return noxfile.copy(tmp_path)


@pytest.mark.parametrize("name", ["binder/requirements.txt", "requirements-dev.txt"])
def test_pins_are_names_and_versions_only(name):
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    if name == "requirements-dev.txt":
        assert lines.pop(0) == "-r binder/requirements.txt"
    bad = [
        line
        for line in lines
        if not re.fullmatch(r"[a-z0-9.-]+==[0-9][0-9a-z.]*( ; [\w' .<>=!()]+)?", line)
    ]
    assert lines and bad == []


def test_pins_satisfy_the_ranges_of_the_package():
    text = (ROOT / "binder/requirements.txt").read_text(encoding="utf-8") + (
        ROOT / "requirements-dev.txt"
    ).read_text(encoding="utf-8")
    pinned = dict(re.findall(r"(?m)^([\w.-]+)==(\S+)", text))
    extras = PROJECT["optional-dependencies"]
    wanted = PROJECT["dependencies"] + extras["course"] + extras["dev"]
    for path in ROOT.glob("*/pyproject.toml"):  # a folder with dependencies of its own
        own = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        wanted += own["dependencies"] + sum(own["optional-dependencies"].values(), [])
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
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert environment["dependencies"] == [
        f"python={PYTHON}",
        "pip",
        {"pip": ["-r binder/requirements.txt", "-e ."]},
    ]


def test_the_python_of_binder_is_supported():
    assert PYTHON in Requirement("python" + PROJECT["requires-python"]).specifier


@pytest.mark.skipif(sys.platform == "win32", reason="repo2docker does not run on Windows")
def test_binder_builds_what_we_mean(copy):
    printed = run(
        sys.executable, "-m", "repo2docker", "--no-build", "--debug", ".", cwd=copy
    ).stdout
    assert f"Building conda environment for python={PYTHON}\n" in printed
    assert 'bin/pip install --no-cache-dir -r "binder/requirements.txt"' in printed
    # The owner is whoever calls it.
    copies = re.search(r"COPY --chown=\d+:\d+ src/ \$\{REPO_DIR\}/", printed)
    assert copies.start() < printed.index("RUN ./binder/postBuild")


@BASH
def test_binder_installs_the_package():
    script = ROOT / "binder/postBuild"
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").splitlines()[:2] == ["#!/usr/bin/env bash", "set -e"]
    assert "pip install --no-deps --no-cache-dir -e ." in script.read_text(encoding="utf-8")


@BASH
def test_binder_opens_as_make_lab_does(tmp_path):
    """What postBuild does after the installation, with a Python that lives in a folder of its
    own.
    """
    run(sys.executable, "-m", "venv", "--without-pip", str(tmp_path))
    after = (ROOT / "binder/postBuild").read_text(encoding="utf-8").partition("# JupyterLab")[2]
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    run("env", f"PATH={path}", "bash", "-ec", "#" + after)
    copied = tmp_path / "share/jupyter/labextensions/olc-lab"
    assert (copied / "static/remoteEntry.js").is_file()
    package = json.loads((copied / "package.json").read_text(encoding="utf-8"))
    unasked = "@jupyterlab/apputils-extension:announcements"
    assert package["jupyterlab"]["disabledExtensions"] == [unasked], "no question about news"


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


def test_only_the_site_has_a_lock_file(committed):
    locks = [path for path in committed if path.suffix == ".lock" or path.stem.endswith("-lock")]
    assert [path for path in locks if path.parts[0] != "web"] == []


@MAKE
def test_make_lists_every_target():
    listed = dict(line.split(maxsplit=2)[1:] for line in run("make").stdout.splitlines())
    phony = re.search(r"\.PHONY: (.*)", (ROOT / "Makefile").read_text(encoding="utf-8"))[1].split()
    assert set(listed) == set(phony) == TARGETS | {"help"}


@MAKE
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
    badge = sys.executable, "tools/badge.py"
    files = [copy / name for name in ("README.md", "CITATION.cff", "pyproject.toml")]
    for repository in ("me/course", "you/other-course"):
        run(*badge, repository, cwd=copy)
        readme, citation, project = (path.read_text(encoding="utf-8") for path in files)
        site = repository.replace("/", ".github.io/")
        for text in (readme, citation, project):
            assert f"https://github.com/{repository}" in text
        assert f"mybinder.org/v2/gh/{repository}/" in readme and f"https://{site}/" in readme
        assert f'Course = "https://{site}/"' in project
        assert not re.search(r"OWNER|REPOSITORY", readme + citation + project)
    assert not re.search(r"\bme(\.github\.io)?/course", readme + citation + project)
    assert run(*badge, cwd=copy, check=False).returncode != 0
    assert run(*badge, "course", cwd=copy, check=False).returncode != 0


@BASH
def test_ci_gets_all_programs_and_runs_the_tests():
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").splitlines() == [
        "#!/usr/bin/env bash",
        "set -euo pipefail",
        'cd "$(dirname "$0")/.."',
        "tools/system.sh",
        "make test",
        ".venv/bin/python tools/portable.py Prescott/v2 Haswell/v3",
        ".venv/bin/nox -s extras types",
        "make -C grader test",
        "npm ci --prefix web",
        ".venv/bin/pytest -q -n 2 --dist loadscope web/tests",
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


def workflow(name):
    """(what starts a workflow, its jobs)"""
    text = (ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8")
    read = yaml.safe_load(text)
    return read[True], read["jobs"]  # YAML reads the key `on` as True


def commands(job):
    return [step["run"] for step in job["steps"] if "run" in step]


def test_workflow_tests_the_course_on_every_system_as_the_readme_installs_it(noxfile):
    started, jobs = workflow("test")
    assert set(started) == {"push", "pull_request", "schedule", "workflow_dispatch"}
    assert started["push"] == {"branches": ["main"]}  # a pull request is tested once
    rows = [
        (row["system"], row["python"]) for row in jobs["course"]["strategy"]["matrix"]["include"]
    ]
    assert sorted(rows) == sorted(
        [("ubuntu", python) for python in noxfile.PYTHONS]
        + [("macos", noxfile.PYTHONS[0]), ("windows", noxfile.PYTHONS[0])]
    )
    steps = commands(jobs["course"])
    assert steps[-1] == "python -m pytest -q --nbval -n 2 --dist loadscope notebooks tests"
    assert not [step for step in steps if re.search(r"\b(make|bash|sudo)\b|\.sh", step)]


def test_workflow_tests_the_annexes_after_the_course_then_other_versions(noxfile):
    jobs = workflow("test")[1]
    assert tuple(jobs["annexes"]["strategy"]["matrix"]["annex"]) == noxfile.ANNEXES
    assert commands(jobs["annexes"])[-1].endswith(" ${{ matrix.annex }}/tests")
    assert jobs["annexes"]["needs"] == jobs["sessions"]["needs"] == "course"
    now = {*jobs["sessions"]["strategy"]["matrix"]["session"]}
    weekly = jobs["weekly"]["strategy"]["matrix"]["run"]
    later = {run.removeprefix("nox -s ") for run in weekly if run.startswith("nox")}
    listed = run(sys.executable, "-m", "nox", "--list", "--json", "-f", str(ROOT / "noxfile.py"))
    names = {each["name"] for each in json.loads(listed.stdout)}
    assert now | later | {"pinned"} == names and not now & later
    assert [run.split()[:2] for run in weekly if not run.startswith("nox")] == [
        ["python", "tools/portable.py"],
        ["pytest", "-q"],
        ["pytest", "-q"],
        ["python", "tools/sections.py"],
    ]
    assert commands(jobs["processors"])[-1] == (
        "python tools/portable.py --jobs 2 Prescott/v2 Haswell/v3"
    )


def test_workflows_make_the_same_numbers_as_nox(noxfile):
    for name in ("test", "site", "release"):
        text = (ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8")
        read = yaml.safe_load(text)
        for job in read["jobs"].values() if name == "test" else [{}]:
            said = read["env"] | {k: v for k, v in job.get("env", {}).items() if k != "OLC_FUZZ"}
            said["LC_ALL"] = said["LC_ALL"].rpartition("||")[2].strip(" '}")
            assert said == noxfile.SAME


def test_actions_are_pinned_by_hash_and_say_their_version():
    used = [
        line.partition("uses: ")[2]
        for path in (ROOT / ".github/workflows").glob("*.yml")
        for line in path.read_text(encoding="utf-8").splitlines()
        if "uses: " in line
    ]
    pinned = re.compile(r"[\w/-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+")
    assert used and [line for line in used if not pinned.fullmatch(line)] == []
    names = [line.partition("@")[0] for line in set(used)]
    assert len(names) == len(set(names)), "one version of each action"


def test_a_release_is_checked_and_published_only_if_somebody_turned_it_on():
    started, jobs = workflow("release")
    assert started == {"push": {"tags": ["v*"]}, "workflow_dispatch": None}
    steps = "\n".join(commands(jobs["build"]))
    order = ["python -m build", "twine check --strict", "GITHUB_REF_NAME#v", "*.whl", "*.tar.gz"]
    assert sorted(map(steps.index, order)) == list(map(steps.index, order))
    assert "pytest -q --nbval -n 2 --dist loadscope notebooks tests" in steps
    publish = jobs["publish"]
    assert publish["needs"] == "build" and "vars.PUBLISH == 'true'" in publish["if"]
    assert publish["permissions"] == {"id-token": "write"} and publish["environment"] == "pypi"
    assert "id-token" not in str(jobs["build"]) and "secrets" not in str(jobs)


def test_an_sdist_has_the_course_without_its_annexes(committed):
    lines = (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines()
    taken = [line.split()[1:] for line in lines if line.startswith(("graft ", "include "))]
    always = {"LICENSE", "LICENSE-text", "README.md", "olc_helpers", "pyproject.toml"}
    given = {path.parts[0] for path in committed} - {"bench", "grader", "web"}
    assert {name for names in taken for name in names} | always == given


def test_the_version_stands_in_one_place():
    assert PROJECT["dynamic"] == ["version"] and "version" not in PROJECT
    attribute = PYPROJECT["tool"]["setuptools"]["dynamic"]["version"]
    assert attribute == {"attr": "olc_helpers.__version__"}
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"(?m)^## (\S+?),", changes)[1]
    assert newest == citation["version"] == olc_helpers.__version__ == version("olc-helpers")


def test_before_a_commit_ruff_is_the_pinned_one_and_lectures_are_executed(committed):
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    check, layout, executed = hooks["repos"][0]["hooks"]
    pinned = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
    for hook in (check, layout):
        assert hook["language"] == "python" and hook["additional_dependencies"][0] in pinned
    lectures = [path for path in committed if re.search(executed["files"], path.as_posix())]
    assert len(lectures) >= 20 and executed["language"] == "pygrep"
    for path in lectures:
        text = (ROOT / path).read_text(encoding="utf-8")
        cleared = text.replace('"execution_count": 1,', '"execution_count": null,')
        assert not re.search(executed["entry"], text), path
        assert re.search(executed["entry"], cleared), path


def test_a_checkout_has_the_same_bytes_on_every_system(committed):
    rules = (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
    assert "* text=auto eol=lf" in rules
    texts = {path: data for path in committed if b"\0" not in (data := (ROOT / path).read_bytes())}
    assert [path for path, text in texts.items() if b"\r\n" in text] == []
    folded = [str(path).lower() for path in committed]
    assert len(set(folded)) == len(folded), "Windows and macOS take two of these for one"
    refused = re.compile(r'[<>:"|?*\\]|[ .](?:/|$)|(?:^|/)(?:aux|con|nul|prn)(?:\.|/|$)')
    assert [path for path in committed if refused.search(path.as_posix().lower())] == []


TEXT = {"read_text": 0, "write_text": 1, "open": 1}  # without an encoding, so many arguments


def unsaid(call):
    """Whether a call reads or writes text in an encoding that depends on the machine."""
    said = {keyword.arg: keyword.value for keyword in call.keywords}
    if None in said or "encoding" in said:
        return False
    if getattr(said.get("text"), "value", None) is True:
        return True
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name == "open":
        own = isinstance(call.func, ast.Name)
        mode = said.get("mode", call.args[own] if len(call.args) > own else None)
        return own and "b" not in getattr(mode, "value", "")
    return name in TEXT and len(call.args) <= TEXT[name]


def test_text_is_utf8_on_every_system():
    found = []
    for folder in ("olc_helpers", "tests", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and unsaid(node):
                    found.append(f"{path.relative_to(ROOT).as_posix()}:{node.lineno}")
    assert found == [], 'say encoding="utf-8"'


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("open(p)", True),
        ("open(p, 'w')", True),
        ("open(p, 'rb')", False),
        ("open(p, mode='wb')", False),
        ("open(p, encoding='utf-8')", False),
        ("Image.open(p)", False),
        ("p.read_text()", True),
        ("p.read_text('utf-8')", False),
        ("p.write_text(t)", True),
        ("p.write_text(t, encoding='utf-8')", False),
        ("run(c, text=True)", True),
        ("new_output('stream', text='3')", False),
        ("run(c, text=True, encoding='utf-8')", False),
    ],
)
def test_an_encoding_that_is_not_said_is_found(code, wrong):
    assert unsaid(ast.parse(code).body[0].value) == wrong


@pytest.mark.parametrize("name", ["test", "site", "release"])
def test_a_workflow_may_read_only(name):
    text = (ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8")
    assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


def test_classifiers_name_the_pythons_that_are_tried(noxfile):
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert set(named) == set(noxfile.PYTHONS)
    assert {python for python, _ in noxfile.UNPINNED.values()} <= set(noxfile.PYTHONS)
    assert "Typing :: Typed" in PROJECT["classifiers"]


def test_extras_are_tried_with_the_pinned_versions(noxfile, monkeypatch):
    pinned = noxfile.pin("requirements-bench.txt", *noxfile.EXTRAS)
    assert [line.partition("==")[0] for line in pinned] == sorted(noxfile.EXTRAS)
    extras = PROJECT["optional-dependencies"]
    wanted = {Requirement(line).name for line in extras["cluster"] + extras["fast"]}
    assert wanted <= set(noxfile.EXTRAS)
    monkeypatch.chdir(ROOT)
    names = [Path(path).name for path in noxfile.skipping()]
    assert names == ["test_adapters.py", "test_compiled.py", "test_fast.py", "test_sparse_rows.py"]


def test_each_tool_is_told():
    page = (ROOT / "tools/README.md").read_text(encoding="utf-8")
    there = {f"tools/{path.name}" for path in (ROOT / "tools").glob("*.*")}
    assert set(re.findall(r"tools/\w+\.\w+", page)) == there - {"tools/README.md"}


def test_base_image_of_binder_is_read_from_repo2docker(noxfile):
    versions = dict(line.split("==") for line in noxfile.base_versions().splitlines())
    assert set(noxfile.BASE) - {"jupyter-server"} <= set(versions) and "jupyter_server" in versions


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
