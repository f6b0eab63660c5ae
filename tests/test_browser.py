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
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
LECTURE = "02_weighted_majority.ipynb"
MAP, TITLE = "00_map.ipynb", "A course whose proofs run"
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
    " --disable-background-networking --disable-component-update --disable-sync --no-proxy-server"
).split()
RUN_ALL = """async () => {
    await jupyterapp.restored
    const panel = jupyterapp.shell.currentWidget
    await panel.context.ready
    await panel.sessionContext.ready
    await jupyterapp.commands.execute('notebook:run-all-cells')
    return panel.content.model.toJSON().cells.flatMap(c => c.outputs || [])
        .filter(o => o.output_type == 'error')
}"""
BYTES = "async img => Array.from(new Uint8Array(await (await fetch(img.src)).arrayBuffer())).join()"

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium: browser tests left out; `make system` installs it"
)


def make_lab(*arguments):
    """(environment, options) with which `make lab` starts JupyterLab."""
    printed = subprocess.run(
        ["make", "-n", "lab", *arguments], cwd=NOTEBOOKS.parent, capture_output=True, text=True
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
    settings = home / "settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"windowingMode": "none"}')  # cells out of sight stay in the page
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
    with open(home / "log", "w") as log:
        server = subprocess.Popen(
            command, env=os.environ | own | (environment or {}), stdout=log, stderr=log
        )
    try:
        for _ in range(1200):  # two minutes, for a machine with other work
            assert server.poll() is None, (home / "log").read_text()
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/lab/tree/{{}}?token={token}"
    finally:
        server.terminate()
        server.wait(30)


class Moving:
    """An explorer or a game on the page: its picture and its caption."""

    def __init__(self, page, css_class):
        self.widget = page.locator(css_class).first
        self.caption = (
            page.locator(".jp-CodeCell").filter(has=self.widget).locator(".olc-caption").first
        )
        self.page = page

    def seen(self):
        return self.widget.locator("img").evaluate(BYTES), self.caption.inner_text()

    def after(self, action):
        """What is seen once `action` has changed both the picture and the caption and the sketch
        has given way to the exact picture.
        """
        picture, caption = self.seen()
        action()
        for _ in range(150):
            now = self.seen()
            exact = now[0].split(",")[25] == "6"  # with transparency, which a sketch has not
            if exact and now[0] != picture and now[1] != caption:
                return now
            self.page.wait_for_timeout(200)
        raise AssertionError(
            f"the picture changed: {now[0] != picture}, the caption changed: {now[1] != caption}"
        )


def check_in_browser(lecture, folder, home):
    """Runs the lecture in JupyterLab, moves its first slider, plays its game, and looks at what the
    browser did.
    """
    from playwright.sync_api import sync_playwright

    complaints, outside = [], []

    def local(route):
        if urlsplit(route.request.url).hostname == "127.0.0.1":
            route.continue_()
        else:
            outside.append(route.request.url)
            route.abort()

    with jupyterlab(folder, home) as address, sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET).new_page()
        page.on(
            "console", lambda message: message.type == "error" and complaints.append(message.text)
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "websocket",
            lambda socket: (
                urlsplit(socket.url).hostname == "127.0.0.1" or outside.append(socket.url)
            ),
        )
        page.route("**/*", local)
        page.goto(address.format(lecture))
        page.wait_for_function(
            "window.jupyterapp && jupyterapp.shell.currentWidget?.sessionContext", timeout=60_000
        )
        assert page.evaluate(RUN_ALL) == []

        explorer = Moving(page, ".olc-explorer")
        start, slider = explorer.seen(), explorer.widget.get_by_role("slider").first
        slider.focus()
        explorer.after(lambda: page.keyboard.press("ArrowRight"))
        assert explorer.after(lambda: page.keyboard.press("ArrowLeft")) == start

        game = Moving(page, ".olc-game")
        seen = [game.seen()]
        labels = game.widget.get_by_role("button").all_inner_texts()
        assert len(labels) >= 4 and labels[-2:] == ["undo", "start again"]
        for label in labels[:-2]:
            button = game.widget.get_by_role("button", name=label, exact=True)
            seen.append(game.after(lambda button=button: button.press("Enter")))
        assert game.after(game.widget.get_by_text("undo").click) == seen[-2]
        assert game.after(game.widget.get_by_text("start again").click) == seen[0]

        asked = page.locator(".olc-ask").first
        before = asked.inner_text()
        for button in asked.get_by_role("button").all():
            button.press("Space")
        asked.get_by_text("✓").or_(asked.get_by_text("✗")).wait_for(timeout=5000)
        assert asked.inner_text().startswith(before)

        page.goto(address.format(MAP))
        page.get_by_role("heading", name=TITLE).first.wait_for(timeout=60_000)
        page.locator(f".olc-graph a[title^='{int(lecture[:2])} · ']").click()
        page.locator(f".lm-TabBar-tab.lm-mod-current[title*='{lecture}']").wait_for()
        if "OLC_LAB" in os.environ:
            assert page.get_by_text("Jupyter news").count() == 0, "binder/postBuild switches it off"

    assert outside == []
    assert complaints == []


def test_lecture_runs_and_moves(tmp_path):
    shutil.copytree(NOTEBOOKS, tmp_path / "notebooks")
    assert (tmp_path / "notebooks" / LECTURE).exists(), f"there is no {LECTURE}"
    check_in_browser(LECTURE, tmp_path / "notebooks", tmp_path)


@pytest.mark.parametrize("teach", [False, True], ids=["reader", "teacher"])
def test_a_reader_sees_no_clutter_and_a_teacher_has_nbgrader(teach, tmp_path):
    from playwright.sync_api import sync_playwright

    if "OLC_LAB" in os.environ:
        pytest.skip("another environment has no nbgrader; unset OLC_LAB to try `make lab`")
    shutil.copytree(NOTEBOOKS, tmp_path / "notebooks")
    environment, options = make_lab(*["TEACH=1"] * teach)
    # The question about news is asked at the first start, unless it is switched off.
    with (
        jupyterlab(tmp_path / "notebooks", tmp_path, environment, options) as address,
        sync_playwright() as playwright,
    ):
        page = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET).new_page()
        page.goto(address.format(MAP))
        page.get_by_role("heading", name=TITLE).first.wait_for(timeout=60_000)
        page.locator(".jp-DirListing-item", has_text=LECTURE[:2]).first.wait_for()
        page.wait_for_timeout(3_000)
        listed = page.locator(".jp-DirListing-itemText").all_inner_texts()
        for text in ("Create Assignment", "Nbgrader", "Validate"):
            assert (page.get_by_text(text, exact=True).count() > 0) == teach, text
        assert page.get_by_text("Jupyter news").count() == 0
        assert ("items.csv" in listed) == teach and MAP in listed
