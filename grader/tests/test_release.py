"""What students get, and what the checks of a notebook say."""

import copy
import re
import zipfile

import nbformat
import pytest
from assignments import SOURCES, STUB, cells, hidden, mark, released
from coursework import PLOT, ROOT, copy_of
from nbformat.v4 import new_code_cell

from grader.release import release
from grader.validate import validate


@pytest.fixture(scope="module")
def course(tmp_path_factory, template):
    """A course folder in which all assignments are released."""
    return copy_of(template, tmp_path_factory.mktemp("homework"))


def in_release(course, name):
    return nbformat.read(course / f"release/{name}/{name}.ipynb", 4).cells


@pytest.mark.parametrize("name", SOURCES)
def test_release_is_the_source_without_solutions_and_hidden_tests(course, name):
    pairs = list(zip(cells(name), in_release(course, name), strict=True))
    for source, given in pairs:
        if source.cell_type == "markdown":
            assert given.source == ("YOUR ANSWER HERE" if mark(source).solution else source.source)
        else:
            assert given.source == released(source.source) and given.outputs == []
    text = "\n".join(given.source for _, given in pairs)
    assert not re.search("BEGIN|END|Rubric|Model solution", text)
    kept = {
        line.strip()
        for source, given in pairs
        if mark(source).solution and source.cell_type == "code"
        for line in given.source.splitlines()
    } - {"", *STUB.split("\n")}
    assert [
        line for line in kept if not re.fullmatch(r"(class|def) .+:|(labels, )?loss = .+", line)
    ] == []
    secret = {line.strip() for cell in cells(name) for line in hidden(cell.source).splitlines()}
    public = {line.strip() for line in text.splitlines()}
    assert len(secret) >= 4 and secret & public <= {""}


def test_release_can_be_repeated(course, capsys):
    target = course / "release/hw1_experts.zip"
    before, other = target.read_bytes(), (course / "release/hw2_hedge.zip").stat().st_mtime_ns
    assert release(course, ["hw1_experts"]) == 0
    assert (
        target.read_bytes() == before
        and (course / "release/hw2_hedge.zip").stat().st_mtime_ns == other
    )
    said = capsys.readouterr()
    assert re.fullmatch(
        r"hw1_experts  \d+ cells, 100 points  release/hw1_experts.zip \d+ kB\n", said.out
    )
    assert "holds the solutions and the hidden tests in notebooks/homework" in said.err
    with pytest.raises(SystemExit, match="there is no assignment 'hw9'; there are hw1_experts, "):
        release(course, ["hw9"])


def test_zip_holds_the_assignment_and_its_environment_and_no_solution(course):
    with zipfile.ZipFile(course / "release/hw2_hedge.zip") as archive:
        names = set(archive.namelist())
        assert {
            "hw2_hedge/hw2_hedge.ipynb",
            "binder/requirements.txt",
            "binder/runtime.txt",
            "binder/postBuild",
            "pyproject.toml",
            "olc_helpers/grading.py",
        } <= names
        readme = archive.read("README.md").decode()
        assert (
            len(readme.split("\n- ")) == 4
            and "hw2_hedge/hw2_hedge.ipynb" in readme
            and "solution" not in readme.lower()
        )
        assert (
            archive.read("binder/requirements.txt")
            == (ROOT / "binder/requirements.txt").read_bytes()
        )
        assert archive.getinfo("binder/postBuild").external_attr >> 16 & 0o100
        assert not any(name.startswith(("notebooks", "tests")) for name in names)
        assert b"Model solution" not in archive.read("hw2_hedge/hw2_hedge.ipynb")


def test_validate_says_what_is_right_wrong_and_not_done(tmp_path, course, capsys, monkeypatch):
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))  # a home may be read-only
    nb = nbformat.read(course / "release/hw1_experts/hw1_experts.ipynb", 4)
    source = {mark(cell).grade_id: cell for cell in copy.deepcopy(cells("hw1_experts"))}
    wrong = source["weighted_majority"].source.replace(">=", ">")
    written = {
        "halving": "class MyHalving:\n    pass",
        "weighted_majority": wrong,
        "c_regret": "Two experts.",
        "figure": "print('a picture')",
    }
    for cell in nb.cells:
        cell.source = written.get(mark(cell).grade_id, cell.source.replace(PLOT, ""))
    left = ("halving_bound", "nobody_better", "toss_a_coin")
    nb.cells = [cell for cell in nb.cells if mark(cell).grade_id not in left]
    again = source["halving_check"]
    again.id = again.metadata.nbgrader.grade_id = "again_check"
    nb.cells += [new_code_cell(source["halving"].source), again]
    nbformat.write(nb, tmp_path / "mine.ipynb")
    assert validate(tmp_path / "mine.ipynb") == 1
    printed = capsys.readouterr().out
    assert [line[:25].split() for line in printed.splitlines() if re.match("[✓✗·?] ", line)] == [
        ["✗", "halving_check"],
        ["·", "advice_check"],
        ["✗", "weighted_majority_check"],
        ["?", "c_regret"],
        ["·", "tune_beta"],
        ["?", "figure"],
        ["·", "explore"],
        ["✓", "again_check"],
    ]
    assert "    TypeError: MyHalving() takes no arguments" in printed
    assert (
        "    Slip: Wrong tie: on trial 1 both sides have the same weight; a tie gives 1. You"
        " predict 0." in printed
    )
    assert "    Weighted Majority's mistake bound: every line holds" in printed
    assert printed.endswith("1 right, 2 wrong, 3 not done, 2 for your teacher\n")
    with pytest.raises(SystemExit, match="there is no notebook"):
        validate(tmp_path / "other.ipynb")
