"""What a build keeps for the next one in `.site-cache`: each thing in a folder of its own, under a
hash of all that it was made of. So what is found there is never old; what the last few builds did
not look for is removed.
"""

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from filecmp import cmp
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from tempfile import mkdtemp

import where

BUILDS = 3  # a thing stays as long as one of so many complete builds has used it
PLACED = set()  # files of the site that this build has written, or found as they should be


def digest(*values) -> str:
    """Return a short hash of values that JSON can write."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:20]


def texts(files: Iterable[Path]) -> list[tuple[str, str]]:
    """Return files as (path, text), for a hash."""
    return [
        (file.relative_to(where.ROOT).as_posix(), file.read_text("utf-8")) for file in sorted(files)
    ]


def site_files() -> list[Path]:
    """Return the files that every page is made with: the code and the templates of the site, the
    list of node packages, and where the course is published.
    """
    patterns = "*.py *.mjs *.json ledgers.csv glossary.csv template/*.j2 template/*/*.j*".split()
    found = [file for each in patterns for file in where.WEB.glob(each)]
    return [*found, where.ROOT / "CITATION.cff"]


@cache
def site_code() -> str:
    """Return a hash of these files and of all libraries."""
    return digest(sys.version, libraries(), texts(site_files()))


@cache
def libraries() -> list[tuple[str, str]]:
    """Return the names and versions of all installed packages."""
    return sorted((each.name, each.version) for each in distributions())


def use(folder: Path) -> Path:
    """Return a folder of the cache, which now counts as used."""
    os.utime(folder)
    return folder


def write(folder: Path, found: dict) -> None:
    """Write as JSON what a folder is about, at once and last: a folder that has it is complete."""
    part = folder / "done.part"
    part.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    part.replace(folder / "done.json")


def is_complete(folder: Path) -> bool:
    """Whether a folder has all that it is to have."""
    return (folder / "done.json").exists()


def read(folder: Path) -> dict:
    """Return what was written about a folder, which now counts as used."""
    return json.loads((use(folder) / "done.json").read_text(encoding="utf-8"))


def kept(kind: str, key: str, make: Callable[[Path], None]) -> Path:
    """Return a folder with what `make` writes into it; it is made once for each key."""
    folder = where.CACHE / kind / key
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = Path(mkdtemp(dir=folder.parent))
        make(part)
        part.rename(folder)  # complete at once, or not at all
    return use(folder)


def place(source: Path, target: Path) -> None:
    """Copy a file into the site, unless it is there. Its time is that of the copy: a browser that
    asks for what is newer must also get a page that is as it was long ago.
    """
    PLACED.add(target.resolve())
    if not target.exists() or not cmp(source, target, shallow=False):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def place_all(folder: Path, out: Path) -> None:
    """Copy all files of a folder into the site."""
    for file in folder.rglob("*"):
        if file.is_file():
            place(file, out / file.relative_to(folder))


def sweep(out: Path) -> None:
    """Remove from the site what the last complete build wrote and this one did not."""
    listed, top = out / ".built.json", out.resolve()
    now = {str(file.relative_to(top)) for file in PLACED if file.is_relative_to(top)}
    before = json.loads(listed.read_text(encoding="utf-8")) if listed.exists() else []
    for name in {*before} - now:
        (out / name).unlink(missing_ok=True)
    listed.write_text(json.dumps(sorted(now)), encoding="utf-8")


def prune(start: float) -> None:
    """Remove from the cache what the last complete builds did not use; the newest began at
    `start`.
    """
    told = where.CACHE / "builds.json"
    starts = json.loads(told.read_text(encoding="utf-8")) if told.exists() else []
    starts = [*starts, start][-BUILDS:]
    told.write_text(json.dumps(starts), encoding="utf-8")
    for thing in where.CACHE.glob("*/*"):
        if len(starts) == BUILDS and thing.stat().st_mtime < starts[0]:
            shutil.rmtree(thing) if thing.is_dir() else thing.unlink()
