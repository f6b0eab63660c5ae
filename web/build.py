"""Build the reading site from the executed notebooks, without a network.

python web/build.py                      all of it, into site/
python web/build.py --only 02 --no-frames    one lecture, with the stored pictures
"""

import argparse
import csv
import json
import os
import re
import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path

import cache
import fonts
import games
import katex
import pages
import previews
import replay
import slides
import where
from lectures import Page, lectures
from tqdm import tqdm


def asked(doc: str, arguments: list[str] | None = None) -> argparse.Namespace:
    """Return what a command is asked for, its lectures included, when all that it needs is there
    and the files that all pages share stand in their folder.
    """
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", metavar="NN", help="numbers of lectures: 02 05")
    parser.add_argument("--no-frames", action="store_true", help="take the stored pictures")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=where.SITE)
    chosen = parser.parse_args(arguments)
    if not (where.NODE and where.NODE_PACKAGES.is_dir()):
        sys.exit("The site needs Node.js and its packages: install node, then `npm ci` in web/.")
    os.environ |= replay.ENVIRONMENT
    chosen.lectures = [each for each in lectures() if not chosen.only or each.number in chosen.only]
    static = chosen.out / "static"
    shutil.copytree(where.WEB / "static", static, dirs_exist_ok=True)
    katex.copy_to(static)
    fonts.copy_to(static)
    slides.copy_to(static)
    return chosen


def made_of(lecture: Page, manifest: dict) -> str:
    """Return a hash of all that the page and the deck of a lecture are made of."""
    course = [(each.notebook.name, each.title) for each in lectures()]
    shown = [entry for entries in manifest.values() for entry in entries]
    played = [games.key(entry) for entry in shown if entry["kind"] == "game"]
    text = lecture.notebook.read_text(encoding="utf-8")
    linked = [(row["href"], row["html"]) for row in previews.linked(lecture)]
    return cache.digest(cache.site_code(), course, text, manifest, played, linked)


def write(lecture: Page, manifest: dict, folder: Path) -> None:
    """Write the page and the deck of a lecture, and the pictures that only its notebook has."""
    (folder / lecture.href).write_text(pages.page(lecture, folder, manifest), encoding="utf-8")
    slides.write(lecture, folder, manifest)


MOVED = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Moved</title>
<link rel="canonical" href="{first}">
<script>location.replace(({later}[location.hash] || "{first}") + location.hash)</script>
<noscript><meta http-equiv="refresh" content="0; url={first}"></noscript>
<p>This lecture has moved: <a href="{first}">here it is</a>."""


def forward(folder: Path) -> None:
    """Write a page at each old address that leads to the new one, or to that with its anchor."""
    with (where.WEB / "moved.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            first, *others = (f"{name}.html" for name in row["new"].split())
            later = {
                f"#{name}": page
                for page in reversed(others)
                for name in re.findall(r' id="([^"]+)"', (folder / page).read_text("utf-8"))
            }
            kept = re.findall(r' id="([^"]+)"', (folder / first).read_text("utf-8"))
            later = {anchor: page for anchor, page in later.items() if anchor[1:] not in kept}
            text = MOVED.format(first=first, later=json.dumps(later, separators=(",", ":")))
            (folder / f"{row['old']}.html").write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> None:
    """Build the site, or the part that was asked for."""
    start, chosen = time.time(), asked(__doc__, arguments)
    out, jobs = chosen.out, chosen.jobs
    seldom = 0.1 if sys.stderr.isatty() else 30
    replay.BAR = bar = tqdm(total=0, unit="", mininterval=seldom)

    def manifest(lecture: Page) -> dict:
        return {} if chosen.no_frames else replay.replay(lecture, out, jobs)

    with ThreadPoolExecutor(len(chosen.lectures)) as threads:
        manifests = list(threads.map(manifest, chosen.lectures))
    with ProcessPoolExecutor(jobs) as pool:
        tasks = [
            pool.submit(cache.kept, "pages", made_of(each, shown), partial(write, each, shown))
            for each, shown in zip(chosen.lectures, manifests, strict=True)
        ]
        bar.total += len(tasks)
        for task in as_completed(tasks):
            cache.place_all(task.result(), out)
            bar.update()
    if not chosen.only:
        import home  # and with it the whole package
        import indexes

        indexes.build(out, jobs)
        home.write(out)
        home.test_yourself(out)
        forward(out)
        cache.sweep(out)
        cache.prune(start)
    bar.close()


if __name__ == "__main__":
    main()
