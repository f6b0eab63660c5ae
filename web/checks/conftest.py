"""What the checks of the built site share: a server for this machine alone, a browser for each
worker, and each page loaded once for many checks.
"""

import threading
import time
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from where import CHROMIUM, NODE_PACKAGES, SITE

AXE = NODE_PACKAGES / "axe-core/axe.min.js"
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
    " --disable-background-networking --disable-component-update --disable-sync --no-proxy-server"
).split()
PAGES = sorted(
    path.relative_to(SITE).as_posix()
    for path in SITE.rglob("*.html")
    if path.relative_to(SITE).parts[0] != "slides"  # test_slides.py looks at decks
    and "<title>Moved</title>" not in path.read_text(encoding="utf-8")
)
LECTURES = [page for page in PAGES if page[:2].isdigit()]  # and the map
SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => shifts.push(...list.getEntries().map(({value, sources}) =>
  [value, sources.map(({node}) => (node?.outerHTML ?? "").slice(0, 80)).join(" and ")])))
  .observe({type: "layout-shift", buffered: true});
"""
SCROLL = """async () => {
  const step = innerHeight * 0.9, frame = () => new Promise(requestAnimationFrame);
  for (let y = 0; y < document.documentElement.scrollHeight; y += step) {
    scrollTo({top: y, behavior: "instant"});
    await frame();
    await frame();
  }
  await Promise.all([...document.images].filter(image => image.checkVisibility())
    .map(image => image.decode().catch(() => {})));
  await frame();
  scrollTo({top: 0, behavior: "instant"});
}"""


def pytest_configure(config):
    if not PAGES:
        pytest.exit(f"There is no site to check in {SITE.name}/: run `make site` first.", 2)
    if CHROMIUM is None:
        pytest.exit("The checks need chromium: `tools/system.sh` installs it.", 2)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Give each worker all checks of a page, or of a file."""
    for item in items:
        values = item.callspec.params if hasattr(item, "callspec") else {}
        group = next(filter(None, map(values.get, ("opened", "name", "deck"))), item.path.name)
        item.add_marker(pytest.mark.xdist_group(group))


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a log; fonts and pictures come late, so that what they move is seen."""

    def do_GET(self):
        if self.path.endswith((".woff2", ".svg", ".webp")):
            time.sleep(0.2)
        with suppress(BrokenPipeError):  # a page is closed before its frames have come
            super().do_GET()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def address():
    """Where the site is served, to this machine alone, until the checks end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


def watched(context):
    """A page of a context, which keeps its complaints and what it asked of other hosts."""
    page = context.new_page()
    page.complaints, page.outside = [], []

    def local(route):
        url = urlsplit(route.request.url)
        if url.scheme in ("file", "data", "blob") or url.hostname == "127.0.0.1":
            route.continue_()
        else:
            page.outside.append(route.request.url)
            route.abort()

    page.route("**/*", local)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on(
        "console",
        lambda message: (
            message.type in ("error", "warning")
            and page.complaints.append(f"{message.text} {message.location.get('url', '')}")
        ),
    )
    page.on(
        "requestfailed",  # a reader who goes on does not wait for letters
        lambda request: (
            "ERR_ABORTED" not in (request.failure or "")
            and page.complaints.append(f"no answer: {request.url}")
        ),
    )
    return page


def barriers(page, part, **options):
    """What axe-core finds in a part of a page, a line for each kind of violation."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    options = {"resultTypes": ["violations"]} | options
    found = page.evaluate("([part, options]) => axe.run(part, options)", [part, options])
    return [
        f"{each['id']} ({len(each['nodes'])}): {each['help']}: {each['nodes'][0]['html'][:150]}"
        f" {each['nodes'][0]['failureSummary']}"
        for each in found["violations"]
    ]


@pytest.fixture
def fresh(browser, address):
    """Opens a page of the site in a context of its own; options are those of the context."""
    contexts = []

    def open_page(name, **options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
        contexts.append(context)
        page = watched(context)
        page.goto(address + name)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session", params=PAGES)
def opened(request, browser, address):
    """A page as a reader meets it: loaded once and scrolled from top to bottom."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    page = watched(context)
    page.add_init_script(SHIFTS)
    page.goto(address + request.param)
    page.evaluate(SCROLL)
    page.name = request.param
    yield page
    context.close()
