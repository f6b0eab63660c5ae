"""How heavy the pages of the site are, and how soon one can read them.

python web/measure.py              weights, times and sliders of the site that `make site` built
python web/measure.py --only 02    of the pages whose names begin so

Goals: at most 300 kB a page without pictures and letters; formulas readable after 2 s here, and
after 6 s on "slow 4G" (1.6 Mbit/s, 150 ms) with a processor four times as slow; 50 ms from key to
picture.
"""

import argparse
import gzip
import statistics
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import sync_playwright
from where import CHROMIUM, SITE

FLAGS = "--no-sandbox --disable-gpu --no-proxy-server".split()
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
READABLE = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();  // the first layout asks for the letters
  await document.fonts.ready;
  await frame();
  await frame();  // what the one before has painted is on the screen
  return performance.now();
}"""
WATCH = """form => {
  const picture = form.closest(".explorer").querySelector("figure svg");
  window.waits = [];
  let pressed;
  form.addEventListener("keydown", () => { pressed = performance.now(); }, true);
  new MutationObserver(() => {
    requestAnimationFrame(() => setTimeout(() => waits.push(performance.now() - pressed)));
  }).observe(picture, {attributeFilter: ["data-frame"]});
}"""


class Server(SimpleHTTPRequestHandler):
    """Serves text compressed, as web servers do."""

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if path.suffix not in {".html", ".css", ".js", ".svg"} or not path.is_file():
            return super().do_GET()
        body = gzip.compress(path.read_bytes())
        self.send_response(200)
        for name, value in {
            "Content-Type": self.guess_type(str(path)),
            "Content-Encoding": "gzip",
            "Content-Length": str(len(body)),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def load(browser, address: str, slow: bool) -> tuple[float, float]:
    """Return the kilobytes that a page loads without its pictures, and the seconds until all of it
    is there and the formulas on the screen can be read; those further down are laid out as one
    scrolls.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page, weights = context.new_page(), []

    def weigh(response):
        if response.request.resource_type != "image":
            weights.append(int(response.headers.get("content-length", 0)))

    page.on("response", weigh)
    if slow:
        tools = context.new_cdp_session(page)
        tools.send("Network.enable")
        tools.send("Network.emulateNetworkConditions", SLOW)
        tools.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(address, wait_until="domcontentloaded")
    milliseconds = page.evaluate(READABLE)
    page.wait_for_load_state()
    context.close()
    return sum(weights) / 1e3, milliseconds / 1e3


def slider(browser, address: str) -> float:
    """Return the median time in ms from a key to the picture, which is on the screen by then."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    form = page.locator(".explorer form:has(input[type=range])").first
    form.evaluate("form => form.closest('details')?.setAttribute('open', '')")
    form.scroll_into_view_if_needed()
    form.evaluate(WATCH)
    form.locator("input[type=range]").last.focus()
    for key in ["Home", *["ArrowRight", "ArrowLeft"] * 10]:
        page.keyboard.press(key)
        page.wait_for_timeout(150)
    waits = page.evaluate("waits")
    page.close()
    return statistics.median(waits[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[""], help="beginnings of names of pages")
    chosen = parser.parse_args()
    pages = sorted(file.name for file in SITE.glob("*.html"))
    pages = [page for page in pages if page.startswith(tuple(chosen.only))]
    if not pages:
        sys.exit("There is no site to measure: run `make site` first.")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Server, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        print("| page | kB | readable here, s | slow 4G, CPU ÷ 4, s |\n|:---|---:|---:|---:|")
        for page in pages:
            (weight, here), (_, slow) = (
                statistics.median_low(load(browser, address + page, slow) for _ in range(3))
                for slow in (False, True)
            )
            print(f"| {page} | {weight:.0f} | {here:.1f} | {slow:.1f} |", flush=True)
        waits = [
            slider(browser, address + page)
            for page in pages
            if 'class="explorer"' in (SITE / page).read_text(encoding="utf-8")
        ]
        if waits:
            print(f"\nfrom key to picture: median {statistics.median(waits):.0f} ms,"
                  f" slowest lecture {max(waits):.0f} ms")  # fmt: skip
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
