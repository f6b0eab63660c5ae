"""How long after a key is the picture there? For every explorer and game of the lectures.

    python bench/sliders.py 01 02      print the table of these lectures
    python bench/sliders.py --write    write that of all into bench/SLIDERS.md (minutes)

In a JupyterLab as `make lab` starts it each control gets some keys, each when the picture before
has come to rest. What counts is the time from the key to the frame with the new picture, and of it
the processor time of the kernel, from the new value to the encoded picture. After that the kernel
draws empty axes of the same size with plain matplotlib, for comparison.
"""

import argparse
import io
import json
import os
import platform
import struct
import sys
import tempfile
import time
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

ROOT = Path(__file__).parents[1]
KEYS = {  # of each kind of control
    "[role=slider]": [*["ArrowRight"] * 4, "Home", *["ArrowRight"] * 4],
    "select": ["ArrowDown", "ArrowUp"],
    "input[type=checkbox], button": ["Space"],
}
IN_KERNEL = """async code => {
  const { sessionContext } = jupyterapp.shell.currentWidget;
  await sessionContext.ready;
  const future = sessionContext.session.kernel.requestExecute({ code });
  let printed = "";
  future.onIOPub = ({ content }) => { printed += content.text ?? ""; };
  await future.done;
  return printed;
}"""
WATCH = """widget => {
  let pressed;
  widget.addEventListener("keydown", (event) => { pressed = event.timeStamp; wait = null; }, true);
  widget.querySelector("img").addEventListener("load", () => {
    const painted = () => { wait ??= performance.now() - pressed; };
    requestAnimationFrame(() => setTimeout(painted));
  });
}"""
RESTS = """async image => {
  const bytes = await (await fetch(image.src)).arrayBuffer();
  return new Uint8Array(bytes)[25] == 6 && wait;  // with transparency, which a sketch has not
}"""


def watch():
    """In a kernel: from now on each redrawn explorer prints its name and how long it took, and how
    long empty axes take.
    """
    from olc_helpers.explorers import Explorer

    def timed(self, change=None):
        times = [time.process_time()]
        redraw(self, change)
        times.append(time.process_time())
        size = struct.unpack(">II", self._image.value[16:24])
        fig = Figure([side / 120 for side in size], dpi=120)
        fig.subplots()
        FigureCanvasAgg(fig).print_png(io.BytesIO())
        times.append(time.process_time())
        TIMES.append([self._draw.__name__, *1000 * np.diff(times)])

    redraw, Explorer.redraw = Explorer.redraw, timed


TIMES = []


def press(page, widget):
    """Milliseconds from each key to its frame, for the keys that change the picture."""
    widget.evaluate(WATCH)
    for kind, keys in KEYS.items():
        for control in widget.locator(kind).all():
            for key in keys:
                control.press(key)
                for _ in range(40):
                    page.wait_for_timeout(50)
                    if wait := widget.locator("img").evaluate(RESTS):
                        yield wait
                        break


def measured(lectures):
    """For each explorer its lecture, its name, and milliseconds: from key to frame, of the kernel,
    and of empty axes.
    """
    sys.path.insert(0, str(ROOT / "tests"))
    from playwright.sync_api import sync_playwright
    from test_browser import CHROMIUM, QUIET, RUN_ALL, opened_map

    start = f"import sys; sys.path.append({str(ROOT / 'bench')!r}); import sliders; sliders.watch()"
    told = "import json; print(json.dumps(sliders.TIMES)); sliders.TIMES.clear()"
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        with opened_map(browser, Path(folder)) as (page, *_):
            for lecture in lectures:
                page.locator(".jp-DirListing-item", has_text=lecture).dblclick()
                page.locator(f".lm-TabBar-tab.lm-mod-current[title*='{lecture}']").wait_for()
                page.evaluate(IN_KERNEL, start)
                assert page.evaluate(RUN_ALL, lecture) == []
                closed = page.locator(".olc-closed .jp-Cell-outputWrapper")
                closed.evaluate_all("all => all.forEach(each => each.click())")
                for widget in page.locator(":is(.olc-explorer, .olc-game):visible").all():
                    screen = list(press(page, widget))
                    (name, *_), *kernel = zip(
                        *json.loads(page.evaluate(IN_KERNEL, told)), strict=True
                    )
                    yield lecture[:2], name, screen, *kernel
                page.evaluate("jupyterapp.serviceManager.sessions.shutdownAll()")


def row(name, screen, kernel, empty):
    """A row of the table."""
    times = [f"{np.quantile(each, q):.0f}" for each in (screen, kernel) for q in (0.5, 0.9, 1)]
    ratio = np.median(np.divide(kernel, empty))
    return f"| {name} | {len(screen)} | {' | '.join(times)} | {ratio:.2f} |"


def table(lectures):
    """The page."""
    rows, every, waiting = [], ([], [], []), os.getloadavg()[0]
    for lecture, name, *times in measured(lectures):
        rows.append(row(f"{lecture} `{name}`", *times))
        print(rows[-1], file=sys.stderr)
        for all_of_them, more in zip(every, times, strict=True):
            all_of_them.extend(more)
    return "\n".join(
        [
            "# How fast do the sliders follow?",
            "",
            f"`python bench/sliders.py {' '.join(name[:2] for name in lectures)} --write` has"
            " written this page; without numbers it measures all lectures. On the screen:"
            " milliseconds from a"
            " key to the frame with the new picture, in Chromium, in a JupyterLab as `make lab`"
            " starts it. In the kernel: milliseconds of processor time from the new value to the"
            " encoded picture; the last column divides by what plain matplotlib takes beside it for"
            f" empty axes of the same size. Python {platform.python_version()}, matplotlib"
            f" {matplotlib.__version__}, {platform.machine()}; processes waiting for its"
            f" {os.cpu_count()} cores: {waiting:.1f} at the start, {os.getloadavg()[0]:.1f} at the"
            " end.",
            "",
            "| explorer | keys | screen: median | 90 % | largest"
            " | kernel: median | 90 % | largest | ÷ empty axes |",
            "|---|---|---|---|---|---|---|---|---|",
            *rows,
            row("**all**", *every),
            "| *goal* | | ≤ 150 | ≤ 300 | | | | | ≤ 2 |",
            "",
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lectures", nargs="*", help="their numbers, such as 02; without, all")
    parser.add_argument("--write", action="store_true", help="write bench/SLIDERS.md")
    asked = parser.parse_args()
    names = sorted(path.name for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
    page = table([name for name in names if name[:2] in (asked.lectures or name)])
    if asked.write:
        Path(ROOT, "bench/SLIDERS.md").write_text(page, encoding="utf-8")
    else:
        print(page)
