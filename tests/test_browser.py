"""The map and lecture 02 in a real browser: it runs, its slider and its game move, and nothing
leaves this machine.
"""

import os
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
LECTURE = "02_weighted_majority.ipynb"
MAP, TITLE = "00_map.ipynb", "A course whose proofs run"
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
QUIET = [
    *"--headless --no-sandbox --disable-gpu --disable-software-rasterizer --disable-quic".split(),
    *"--no-first-run --disable-background-networking --disable-component-update".split(),
    *"--disable-sync --no-proxy-server".split(),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # there is no other machine
]
NBGRADER = ("Create Assignment", "Nbgrader", "Validate")
RUN_ALL = """async name => {
    await jupyterapp.restored
    const panel = jupyterapp.shell.currentWidget
    await panel.context.ready
    if (!panel.context.path.endsWith(name)) return panel.context.path
    await panel.sessionContext.ready
    await jupyterapp.commands.execute('notebook:run-all-cells')
    return panel.content.model.toJSON().cells.flatMap(c => c.outputs || [])
        .filter(o => o.output_type == 'error')
}"""
PLACE = """() => [jupyterapp.shell.currentWidget.content.activeCellIndex,
    jupyterapp.shell.currentWidget.node.querySelector('.jp-WindowedPanel-outer').scrollTop]"""
CUT = """() => [...document.querySelectorAll('.jp-DirListing-itemText')]
    .filter(name => name.scrollWidth > name.clientWidth || name.clientHeight > 40
        || name.getBoundingClientRect().right > name.closest('li').getBoundingClientRect().right)
    .map(name => name.textContent)"""
SLABS = """() => [...document.querySelectorAll('.jp-OutputArea img')]
    .filter(image => getComputedStyle(image).filter == 'none').length"""
BYTES = "async img => Array.from(new Uint8Array(await (await fetch(img.src)).arrayBuffer())).join()"

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium: browser tests left out; `tools/system.sh` installs it"
)


def make_lab(*arguments):
    """(environment, options) with which `make lab` starts JupyterLab."""
    printed = subprocess.run(
        ["make", "-n", "lab", *arguments],
        cwd=NOTEBOOKS.parent,
        capture_output=True,
        encoding="utf-8",
    ).stdout
    words = shlex.split(printed[printed.index("JUPYTER_CONFIG_PATH=") :])
    given = [re.match(r"(--)?([\w.]+)=(.*)", word) for word in words]
    return (
        {found[2]: found[3] for found in given if found and not found[1]},
        {found[2]: found[3] for found in given if found and found[1]},
    )


@contextmanager
def jupyterlab(folder, home, environment=None, more=None):
    """The address of a JupyterLab that serves `folder` to this machine alone and keeps its own
    files in `home`, with an environment and more options.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex()
    own = {
        f"JUPYTER_{kind}_DIR": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")
    }
    own |= {
        f"JUPYTERLAB_{kind}_DIR": str(home / kind.lower()) for kind in ("SETTINGS", "WORKSPACES")
    }
    options = (more or {}) | {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.open_browser": False,
        "ServerApp.allow_root": True,
        "ServerApp.root_dir": folder,
        "IdentityProvider.token": token,
        "LabApp.expose_app_in_browser": True,
        "LabApp.extension_manager": "readonly",
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
    }
    # That of another environment, such as Binder's.
    python = os.environ.get("OLC_LAB", sys.executable)
    command = [
        python,
        "-m",
        "jupyterlab",
        *(f"--{name}={value}" for name, value in options.items()),
    ]
    with open(home / "log", "w", encoding="utf-8") as log:
        server = subprocess.Popen(
            command, env=os.environ | own | (environment or {}), stdout=log, stderr=log
        )
    try:
        for _ in range(1200):  # two minutes, for a machine with other work
            assert server.poll() is None, (home / "log").read_text(encoding="utf-8")
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/lab/tree/{{}}?token={token}"
    finally:
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(15)
        server.kill()  # a worker thread of its libraries may keep it when all is closed
        server.wait()


class Moving:
    """An explorer or a game on the page: its picture and its caption."""

    def __init__(self, notebook, css_class):
        self.widget = notebook.locator(css_class).first
        cell = notebook.locator(".jp-CodeCell").filter(has=notebook.page.locator(css_class)).first
        self.caption = cell.locator(".olc-caption").first

    def seen(self):
        return self.widget.locator("img").evaluate(BYTES), self.caption.text_content()

    def after(self, action):
        """What is seen once `action` has changed both the picture and the caption and the sketch
        has given way to the exact picture.
        """
        picture, caption = self.seen()
        action()
        for _ in range(300):  # half a minute
            now = self.seen()
            exact = now[0].split(",")[25] == "6"  # with transparency, which a sketch has not
            if exact and now[0] != picture and now[1] != caption:
                return now
            self.widget.page.wait_for_timeout(100)
        raise AssertionError(
            f"the picture changed: {now[0] != picture}, the caption changed: {now[1] != caption}"
        )


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)


@contextmanager
def opened_map(browser, folder, *arguments):
    """The map as `make lab`, with arguments, opens it on a copy of the lectures, with what the page
    complained about and whom it asked outside of this machine.
    """
    shutil.copytree(NOTEBOOKS, folder / "notebooks")
    # Another environment has no `make lab`.
    settings = () if "OLC_LAB" in os.environ else make_lab(*arguments)
    complaints, outside = [], []

    def asks(request):
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "127.0.0.1":
            outside.append(request.url)

    with jupyterlab(folder / "notebooks", folder, *settings) as address:
        page = browser.new_page(reduced_motion="reduce")
        page.set_default_timeout(120_000)  # for a machine with other work
        page.on(
            "console", lambda message: message.type == "error" and complaints.append(message.text)
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", asks)
        page.on("websocket", asks)
        page.goto(address.format(MAP))
        page.get_by_role("heading", name=TITLE).first.wait_for()
        page.locator(".jp-DirListing-item", has_text=LECTURE[:2]).first.wait_for()
        yield page, complaints, outside
        page.close()


def files(page):
    return page.locator(".jp-DirListing-itemText").all_inner_texts()


def test_reader_opens_a_lecture_from_the_map_runs_it_and_moves_what_moves(browser, tmp_path):
    with opened_map(browser, tmp_path) as (page, complaints, outside):
        page.locator(f".olc-graph a[title^='{int(LECTURE[:2])} · ']").click()
        page.locator(f".lm-TabBar-tab.lm-mod-current[title*='{LECTURE}']").wait_for()
        assert page.evaluate(RUN_ALL, LECTURE) == []
        page.wait_for_timeout(500)
        assert page.evaluate(PLACE) == [0, 0], "run-all leaves the reader at the top"

        lecture = page.locator(".jp-NotebookPanel:visible")
        closed = lecture.locator(".olc-closed")
        before, seen = closed.count(), closed.locator(".jp-OutputArea, .jp-OutputPlaceholder")
        assert before > 3 and not any(part.is_visible() for part in seen.all()), "also when it ran"
        assert not closed.get_by_text("assert", exact=True).first.is_visible(), "nor what it says"
        asked = lecture.locator(".olc-ask").first
        question = asked.text_content()
        asked.get_by_role("button").first.focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        asked.get_by_text("✓").or_(asked.get_by_text("✗")).wait_for(timeout=5000)
        assert asked.text_content().startswith(question)
        assert closed.count() == before - 1, "and opens when it is answered"
        closed.locator(".jp-Cell-outputWrapper").first.click()
        assert closed.count() == before - 2, "or with a click"
        for name in (MAP, LECTURE):
            page.locator(f".lm-DockPanel-tabBar .lm-TabBar-tab[title*='{name}']").click()
        page.wait_for_timeout(500)
        assert closed.count() == before - 2, "also when the reader comes back"

        explorer = Moving(lecture, ".olc-explorer")
        start, slider = explorer.seen(), explorer.widget.get_by_role("slider").first
        slider.focus()
        explorer.after(lambda: page.keyboard.press("ArrowRight"))
        assert explorer.after(lambda: page.keyboard.press("ArrowLeft")) == start

        game = Moving(lecture, ".olc-game")
        seen = [game.seen()]
        labels = game.widget.get_by_role("button").all_text_contents()
        assert len(labels) >= 4 and labels[-2:] == ["undo", "start again"]
        for label in labels[:-2]:
            button = game.widget.get_by_role("button", name=label, exact=True)
            seen.append(game.after(lambda button=button: button.press("Enter")))
        assert game.after(game.widget.get_by_text("undo").click) == seen[-2]
        assert game.after(game.widget.get_by_text("start again").click) == seen[0]

        # By now everything that JupyterLab shows by itself is there: no clutter, no question about
        # news, which is asked at the first start unless it is switched off.
        assert [text for text in NBGRADER if page.get_by_text(text, exact=True).count()] == []
        assert page.get_by_text("Jupyter news").count() == 0
        assert MAP in files(page)
        assert "items.csv" not in files(page) or "OLC_LAB" in os.environ
        assert page.evaluate(CUT) == [], "names of lectures are not cut and take two lines at most"

        heard = [explorer.widget.get_by_role("slider").nth(1)]
        heard[0].focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(100)
            heard.append(heard[0].get_attribute("aria-valuetext"))
        assert heard[1:] == ["0.52", "0.54", "0.56"], "not 0.5600000000000001"

        page.evaluate(
            """jupyterapp.commands.execute(
                'apputils:change-theme', {theme: 'JupyterLab Dark'})"""
        )
        page.wait_for_selector("[data-jp-theme-light=false]", state="attached")
        assert page.locator(".jp-OutputArea img").count() > 8 and page.evaluate(SLABS) == 0
        assert 0 < lecture.locator(".olc-paper").count() < 8, "brightness keeps its meaning"
        page.set_viewport_size({"width": 900, "height": 800})
        page.on("dialog", lambda dialog: dialog.accept())
        page.reload()
        page.wait_for_function("window.jupyterapp?.shell.leftCollapsed")
        page.locator(".olc-paper").first.wait_for(state="attached")
        assert page.evaluate(SLABS) == 0, "also those that are stored"
    assert outside == []
    assert complaints == []
