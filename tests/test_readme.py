"""Everything that the README and the map tell you to type works, and what they show is what you
get.
"""

import re
import shlex
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
SHOWN = dict(re.findall(r"(?s)```sh\n([^\n]+)\n```\n\n```text\n(.*?)```", README))
COMMANDS = [
    line.partition("#")[0].strip()
    for block in re.findall(r"(?s)```sh\n(.*?)```", README + MAP)
    for line in block.splitlines()
]
COMMANDS += re.findall(r"`((?:make|conda|\.venv/bin/python -m) [^`]+)`", README)
FIGURE = re.search(r"!\[([^]]+)\]\((docs/(\w+)\.svg)\)\n\n\*(.+)\*\n", README)


def run(*command, cwd=ROOT):
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout


def test_every_block_is_an_example_or_a_command():
    kinds = re.findall(r"(?m)^```(\w*)\n", README)
    assert len(EXAMPLES) == kinds.count("python") == 2
    assert len(SHOWN) == kinds.count("text") - 2 == 1
    assert set(kinds) == {"", "python", "text", "sh"}
    assert {"make lab", "make test", *SHOWN} <= set(COMMANDS)


def test_examples_print_what_is_shown(tmp_path):
    assert any("savetxt(" in code for code, _ in EXAMPLES), "one writes a file"
    for code, printed in EXAMPLES:
        assert run(sys.executable, "-X", "utf8", "-c", code, cwd=tmp_path) == printed


@pytest.mark.parametrize("command", dict.fromkeys(COMMANDS))
def test_command(command, tmp_path):
    """Commands of the package are run, after the example that writes their data.

    Of a make target we see that make knows it, of the others that what they name is there.
    """
    program, *arguments = shlex.split(command)
    if program == "make":
        run("make", "-n", *arguments)
    elif arguments[:3] == ["-m", "olc_helpers", "theorems"]:
        named = set(arguments) & set(theorems())
        printed = run(sys.executable, "-X", "utf8", *arguments, cwd=tmp_path)
        assert all(f"{theorems()[name].title}: every line holds" in printed for name in named)
        assert named or all(name in printed for name in theorems())
    elif command in SHOWN:
        run(sys.executable, "-X", "utf8", "-c", EXAMPLES[1][0], cwd=tmp_path)
        assert run(sys.executable, "-X", "utf8", *arguments, cwd=tmp_path) == SHOWN[command]
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
    rows = re.findall(r"(?m)^\| \[(.+?)\]\(notebooks/(\w+\.ipynb)\) \| (.+?) \| (\d+) \|$", README)
    lectures = Course(ROOT / "notebooks").lectures.values()
    assert [(title, file, int(minutes)) for title, file, _, minutes in rows] == [
        (l.title, l.file, l.minutes) for l in lectures
    ]


def test_the_figure_is_the_one_that_the_package_draws(tmp_path, only_pinned):
    alt, file, name, caption = FIGURE.groups()
    figure = load()[name]()
    figure.save(tmp_path / "drawn.svg", "svg")
    assert (ROOT / file).read_bytes() == (tmp_path / "drawn.svg").read_bytes(), f"draw {file} again"
    assert (alt, caption) == (figure.description, figure.caption)


def test_links_inside_the_repository_lead_somewhere():
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", README) if "://" not in target]
    assert targets and [target for target in targets if not (ROOT / target).is_file()] == []


def test_the_button_opens_the_map():
    badge = re.search(
        r"https://mybinder\.org/v2/gh/(\S+?)/HEAD\?urlpath=lab/tree/([^)]+)\)", README
    )
    assert f"https://github.com/{badge[1]}" == REPOSITORY and (ROOT / badge[2]).is_file()
