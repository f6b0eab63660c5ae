"""Build the reading site from the executed notebooks, without a network.

python web/build.py                      all of it, into site/
python web/build.py --only 02 --no-frames    one lecture, with the stored pictures
"""

import argparse
import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from threading import Lock

import games
import katex
import kept
import pages
import slides
from replay import replay

HERE = Path(__file__).parent


class Progress:
    """A bar on the terminal, or a line for each tenth where there is none."""

    def __init__(self):
        self.parts, self.lock, self.told, self.start = {}, Lock(), -1, time.monotonic()

    def show(self, part: str, done: int, total: int) -> None:
        """Say how far a part is; the bar sums all parts."""
        with self.lock:
            self.parts[part] = done, total
            done, total = map(sum, zip(*self.parts.values(), strict=True))
            line = f"[{'#' * (30 * done // total):30s}] {done}/{total} {part}"
            if sys.stderr.isatty():
                print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
            elif 10 * done // total > self.told:
                self.told = 10 * done // total
                print(line, file=sys.stderr, flush=True)

    def close(self, what: str) -> None:
        """Say how long it took."""
        print(f"\n{what} in {time.monotonic() - self.start:.0f} s", file=sys.stderr)


def made_of(lecture: pages.Lecture, manifest: dict) -> str:
    """Return a hash of all that the page and the deck of a lecture are made of."""
    course = [(each.notebook.name, each.title) for each in pages.course()]
    shown = [entry for entries in manifest.values() for entry in entries]
    played = [games.known(entry).name for entry in shown if entry["kind"] == "game"]
    text = lecture.notebook.read_text(encoding="utf-8")
    return kept.digest(kept.site_code(), course, text, manifest, played)


def write(lecture: pages.Lecture, manifest: dict, folder: Path) -> None:
    """Write the page and the deck of a lecture, and the pictures that only its notebook has."""
    (folder / lecture.href).write_text(pages.page(lecture, folder, manifest), encoding="utf-8")
    slides.write(lecture, folder, manifest)


def main(arguments: list[str] | None = None) -> None:
    """Build the site, or the part that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="NN", help="numbers of lectures: 02 05")
    parser.add_argument("--no-frames", action="store_true", help="leave out what explorers show")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=HERE.parent / "site")
    chosen = parser.parse_args(arguments)
    if not shutil.which("node") or not (HERE / "node_modules/katex").is_dir():
        sys.exit("The site needs Node.js and its packages: install node, then `npm ci` in web/.")
    lectures = [each for each in pages.course() if not chosen.only or each.number in chosen.only]
    out, progress, start = chosen.out, Progress(), time.time()
    shutil.copytree(HERE / "static", out / "static", dirs_exist_ok=True)
    katex.copy_to(out / "static")
    slides.copy_to(out / "static")

    def manifest(lecture: pages.Lecture) -> dict:
        if chosen.no_frames:
            return {}
        tell = partial(progress.show, f"pictures of lecture {lecture.number}")
        return replay(lecture.notebook, out, chosen.jobs, progress=tell)

    with ThreadPoolExecutor(len(lectures)) as threads:
        manifests = list(threads.map(manifest, lectures))
    with ProcessPoolExecutor(chosen.jobs) as pool:
        tasks = [
            pool.submit(kept.kept, "pages", made_of(each, shown), partial(write, each, shown))
            for each, shown in zip(lectures, manifests, strict=True)
        ]
        for done, task in enumerate(as_completed(tasks), 1):
            kept.place_all(task.result(), out)
            progress.show("pages", done, len(tasks))
    if not chosen.only:
        import indexes  # and with it the whole package

        indexes.build(out, chosen.jobs, partial(progress.show, "indexes"))
        kept.sweep(out)
        kept.prune(start)
    progress.close(f"{len(lectures)} lectures")


if __name__ == "__main__":
    main()
