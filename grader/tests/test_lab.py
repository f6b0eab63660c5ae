"""What a teacher types: JupyterLab with nbgrader's menus, and the targets of make."""

import os
import re
import shlex
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from coursework import ROOT, copy_of, hand_in, submission
from test_browser import (
    CHROMIUM,
    MAP,
    NBGRADER,
    browser,  # noqa: F401
    files,
    jupyterlab,
    make_lab,
    opened_map,
)

from grader.classroom import Classroom
from grader.grade import grade
from grader.report import rows
from grader.sandbox import Limits


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium; `tools/system.sh` installs it")
def test_teacher_has_nbgrader_and_sees_all_files(browser, tmp_path):  # noqa: F811
    with opened_map(browser, tmp_path, "TEACH=1") as (page, _, _):
        for text in NBGRADER:
            page.get_by_text(text, exact=True).first.wait_for()
        assert {MAP, "items.csv"} <= set(files(page))


BESIDE = """() => {
    const rubric = document.querySelector('.rubric').getBoundingClientRect()
    const answer = document.getElementById('why').closest('.panel').getBoundingClientRect()
    return rubric.left >= answer.right && rubric.width > 300 && rubric.height > 50
        && rubric.top < answer.bottom && answer.top < rubric.bottom
}"""


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium; `tools/system.sh` installs it")
def test_one_question_is_graded_for_the_whole_class_by_keys_alone(
    browser,  # noqa: F811
    tmp_path,
    template,
    tried_sandbox,
    monkeypatch,
):
    """As the README says it; the rubric is beside the answer, the formulas are there, nobody else
    is asked, also not by a student's picture.
    """
    course, name = copy_of(template, tmp_path), "tiny"
    for student in ("ada", "bob", "cem"):
        why = f"As $x + x = 2x$, says {student}. ![](http://192.0.2.1/pixel.png) ![](/logout)"
        hand_in(course, student, submission(name, {"why": why, "how": "so"}), name)
    assert grade(course, name, 2, Limits()) == 0
    monkeypatch.chdir(course)
    settings = {"JUPYTER_CONFIG_PATH": str(course / "grader")}
    with jupyterlab(course / "notebooks", tmp_path, settings) as address:
        page, asked, said = browser.new_page(), [], []
        page.set_default_timeout(120_000)
        base, _, token = address.partition("/lab/tree/{}?token=")
        page.goto(f"{base}/login?next=/api&token={token}")
        page.on("request", lambda request: asked.append(request))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{base}/formgrader/gradebook/{name}/{name}")
        page.locator("#main-table a").first.click()
        for points in "321":
            page.locator("#why.needs_manual_grade").wait_for()
            while page.evaluate("document.activeElement.id") != "why":  # the first time alone
                page.keyboard.press("Tab")
            assert page.evaluate(BESIDE) and page.locator("math").count() >= 1
            page.keyboard.type(points)
            page.keyboard.press("Tab")  # extra credit
            page.keyboard.press("Tab")
            page.keyboard.type(f"{points} of 3")
            at = page.url.partition("?")[0]
            page.keyboard.press("Control+.")
            page.wait_for_function(
                "at => location.href.split('?')[0] != at && document.readyState == 'complete'",
                arg=at,
            )
        page.close()
    sent = [request.url for request in asked if request.failure != "csp"]
    assert said == [] and {urlsplit(url).hostname for url in sent} == {"127.0.0.1"}
    assert not any("logout" in url for url in sent)
    found = rows(Classroom(course), name)[1]
    assert sorted(row.points["why"] for row in found) == [1, 2, 3]
    assert all(row.comments["why"] == f"{row.points['why']:g} of 3" for row in found)


def test_menus_of_nbgrader_find_the_course():
    """They look for the settings as an app of nbgrader does, in the folder where make starts it."""
    settings, _ = make_lab("TEACH=1")
    look = "from nbgrader.apps.baseapp import NbGrader as App; app = App(); app.load_config_file()"
    found = subprocess.check_output(
        [sys.executable, "-c", f"{look}; print(app.config.CourseDirectory.root)"],
        cwd=ROOT,
        env=os.environ | settings,
        text=True,
    )
    assert found == f"{ROOT}\n"


def called(*arguments):
    """Returns the words of the command that make would run in the course folder."""
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
    printed = subprocess.run(
        ["make", "-n", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    ).stdout.replace("\\\n", "")
    [command] = re.findall(r"cd \.\. && PYTHONPATH=grader .venv/bin/python -m grader (.*)", printed)
    return shlex.split(command)


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("release", "release"),
        ("release HW='hw1_experts hw2_hedge'", "release hw1_experts hw2_hedge"),
        ("-C grader validate NB='my hw1.ipynb'", "validate 'my hw1.ipynb'"),
        ("grade", "grade --jobs 2"),
        ("grade HW=tiny JOBS=8 FORCE=1", "grade --jobs 8 --force tiny"),
        ("grade HW=tiny TIMEOUT=60 MEMORY=4096", "grade --jobs 2 --timeout 60 --memory 4096 tiny"),
        ("grade HW=tiny DUE='2026-12-01 9:00'", "grade --jobs 2 --due '2026-12-01 9:00' tiny"),
        ("grade UNSAFE=1 SOLUTIONS=1 HW=tiny", "grade --jobs 2 --unsafe --solutions tiny"),
    ],
)
def test_make_hands_its_variables_over(typed, command):
    assert called(*shlex.split(typed)) == shlex.split(command)


def test_the_course_may_stand_in_a_folder_with_an_umlaut():
    """alembic, of the gradebook, reads paths in the encoding of the locale, which make sets."""
    [locale] = re.findall(r"(?m)export LC_ALL = (.+)$", (ROOT / "grader/Makefile").read_text())
    code = "import locale; print(locale.getencoding())"
    environment = os.environ | {"LC_ALL": locale}
    printed = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert printed.lower() == "utf-8\n"


def test_grader_knows_of_the_course_what_the_settings_say(tmp_path):
    sources = {path.name: path.read_text() for path in (ROOT / "grader/grader").glob("*.py")}
    assert len(sources) > 15
    assert [name for name, text in sources.items() if "olc_helpers" in text] == []
    with pytest.raises(SystemExit, match="there is no nbgrader_config.py in .*course folder"):
        Classroom(tmp_path)
    for folder, source in (("grader", "theirs"), (".", "ours")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "nbgrader_config.py").write_text(
            f"c = get_config()\nc.CourseDirectory.source_directory = {source!r}\n"
        )
        assert Classroom(tmp_path).source("hw1") == tmp_path / source / "hw1/hw1.ipynb"
