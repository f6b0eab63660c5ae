"""Build the reading site from the executed notebooks, without a network.

python web/build.py                      all of it, into site/
python web/build.py --only 02 --no-frames    one lecture, with the stored pictures
"""

import argparse
import shutil
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import katex
import pages

HERE = Path(__file__).parent


class Progress:
    """A bar on the terminal, or a line for each step where there is none."""

    def __init__(self, total: int):
        self.total, self.done, self.start = total, 0, time.monotonic()

    def step(self, what: str) -> None:
        self.done += 1
        bar = "#" * (30 * self.done // self.total)
        line = f"[{bar:30s}] {self.done}/{self.total} {what}"
        if sys.stderr.isatty():
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def close(self) -> None:
        seconds = time.monotonic() - self.start
        print(f"\n{self.total} steps in {seconds:.0f} s", file=sys.stderr)


def write_page(lecture: pages.Lecture, out: Path, manifest: dict) -> str:
    """Write the page of a lecture."""
    (out / lecture.href).write_text(pages.page(lecture, out, manifest), encoding="utf-8")
    return lecture.href


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
    out = chosen.out
    shutil.copytree(HERE / "static", out / "static", dirs_exist_ok=True)
    katex.copy_to(out / "static")
    progress = Progress(len(lectures))
    manifests = {lecture.number: {} for lecture in lectures}
    with ProcessPoolExecutor(chosen.jobs) as pool:
        waiting = [
            pool.submit(write_page, lecture, out, manifests[lecture.number]) for lecture in lectures
        ]
        for done in as_completed(waiting):
            progress.step(done.result())
    progress.close()


if __name__ == "__main__":
    main()
