"""Everything that the README and the map tell you to type works, and what they show is what you
get.
"""

import re
import shlex
import shutil
import subprocess
import sys

import nbformat
import pytest
from conftest import ROOT

from olc_helpers import theorems
from olc_helpers.figures import load
from olc_helpers.mapping import Course

pytestmark = pytest.mark.usefixtures("outside_make")
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAP = "\n".join(cell.source for cell in nbformat.read(ROOT / "notebooks/00_map.ipynb", 4).cells)
REPOSITORY = re.search(
    r'(?m)^repository-code: "(.+)"', (ROOT / "CITATION.cff").read_text(encoding="utf-8")
)[1]
EXAMPLES = re.findall(r"(?s)```python\n(.*?)```\n\n```text\n(.*?)```", README)
COMMANDS = [
    line.partition("#")[0].strip()
    for block in re.findall(r"(?s)```sh\n(.*?)```", README + MAP)
    for line in block.splitlines()
]
COMMANDS += re.findall(r"`((?:make|conda|\.venv/bin/python -m) [^`]+)`", README)
HOME = f"{REPOSITORY}/blob/HEAD/"
FIGURE = re.search(r"!\[([^]]+)\]\(\S+?/HEAD/(\S+?/(\w+)\.svg)\)\n\n\*(.+)\*\n", README)
ANNEXES = "bench", "grader", "web"  # may be left out


def run(*command, cwd=ROOT):
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout


def test_every_block_is_an_example_or_a_command():
    kinds = re.findall(r"(?m)^```(\w*)\n", README)
    assert len(EXAMPLES) == kinds.count("python") == 2
    assert kinds.count("text") == 2 and set(kinds) == {"", "bat", "python", "text", "sh"}
    assert {"make lab", "make test"} <= set(COMMANDS)


def test_three_lines_install_without_make_what_conda_installs():
    [block] = re.findall(r"(?s)```bat\n(.*?)```", README)
    make, *installs, lab = block.replace("\\Scripts\\", "/").splitlines()
    conda = (ROOT / "environment.yml").read_text(encoding="utf-8")
    wanted = re.findall(r"(?m)^ +- (-[re] .+)$", conda)
    assert [line.removeprefix(".venv/pip install ") for line in installs] == [
        wanted[0],
        f"--no-deps {wanted[1]}",
    ]
    assert make == "python -m venv .venv" and lab.startswith(".venv/jupyter lab ")
    extensions, opened = lab.split()[2:]
    assert (ROOT / extensions.partition("=")[2] / "olc-lab/package.json").is_file()
    assert (ROOT / opened).is_file()


def test_examples_print_what_is_shown(tmp_path):
    assert any("savetxt(" in code for code, _ in EXAMPLES), "one writes a file"
    for code, printed in EXAMPLES:
        assert run(sys.executable, "-X", "utf8", "-c", code, cwd=tmp_path) == printed


@pytest.mark.parametrize("command", dict.fromkeys(COMMANDS))
def test_command(command, tmp_path):
    """Commands of the package are run. Of a make target we see that make knows it, of the others
    that what they name is there.
    """
    program, *arguments = shlex.split(command)
    if program == "make":
        if sys.platform == "win32" or not shutil.which("make"):
            pytest.skip("the Makefile needs make and a shell")
        if all((ROOT / annex).is_dir() for annex in ANNEXES):  # targets may call theirs
            run("make", "-n", *arguments)
        assert re.search(rf"(?m)^{arguments[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"))
    elif arguments[:3] == ["-m", "olc_helpers", "theorems"]:
        named = set(arguments) & set(theorems())
        printed = run(sys.executable, "-X", "utf8", *arguments, cwd=tmp_path)
        assert all(f"{theorems()[name].title}: every line holds" in printed for name in named)
        assert named or all(name in printed for name in theorems())
    elif program.endswith("python"):
        assert arguments[:3] == ["-m", "olc_helpers", "figures"]
        run(sys.executable, *arguments, cwd=tmp_path)
        name, formats = (
            re.search(rf"--{option} (\S+)", command)[1] for option in ("only", "format")
        )
        wanted = {f"{name}.{kind}" for kind in formats.split(",")} | {"index.html"}
        assert {path.name for path in (tmp_path / "figures").iterdir()} == wanted
    elif program == "conda":
        assert (ROOT / arguments[arguments.index("-f") + 1]).is_file()
    else:
        assert command in (f"git clone {REPOSITORY} course", "cd course")


def test_lecture_table_agrees_with_the_lectures():
    row = rf"(?m)^\| \[(.+?)\]\({re.escape(HOME)}notebooks/(\w+\.ipynb)\) \| (.+?) \| (\d+) \|$"
    rows = re.findall(row, README)
    lectures = Course(ROOT / "notebooks").lectures.values()
    assert [(title, file, int(minutes)) for title, file, _, minutes in rows] == [
        (l.title, l.file, l.minutes) for l in lectures
    ]


def test_the_figure_is_the_one_that_the_package_draws(tmp_path, only_pinned):
    alt, file, name, caption = FIGURE.groups()
    figure = load()[name]()
    assert (alt, caption) == (figure.description, figure.caption)
    if sys.platform == "linux":  # others may round a coordinate otherwise
        figure.save(tmp_path / "drawn.svg", "svg")
        drawn = (tmp_path / "drawn.svg").read_bytes()
        assert (ROOT / file).read_bytes() == drawn, f"draw {file} again"


def test_links_lead_somewhere_where_a_package_index_shows_them_too():
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert [target for target in targets if not target.startswith("https://")] == []
    named = [t.removeprefix(HOME) for t in targets if t.startswith(HOME)]
    here = [path for path in named if (ROOT / path.split("/")[0]).exists()]
    assert len(here) >= 20 and [path for path in here if not (ROOT / path).is_file()] == []
    assert {path.split("/")[0] for path in set(named) - set(here)} <= set(ANNEXES)
    raw = HOME.replace("github.com", "raw.githubusercontent.com").replace("blob/", "")
    others = {target.split("/")[2] for target in targets if not target.startswith((HOME, raw))}
    site = re.sub(r"https://github.com/(.+)/.+", r"\1.github.io", REPOSITORY)
    assert others == {"mybinder.org", site, "nbgrader.readthedocs.io", "nbval.readthedocs.io"}


def test_the_button_opens_the_map():
    badge = re.search(
        r"https://mybinder\.org/v2/gh/(\S+?)/HEAD\?urlpath=lab/tree/([^)]+)\)", README
    )
    assert f"https://github.com/{badge[1]}" == REPOSITORY and (ROOT / badge[2]).is_file()
