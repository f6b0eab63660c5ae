"""Plant the small defects of `tools/defects.txt`, one by one, in a copy of the course: each must
make a test fail. With words, only those in files whose path has one of them: `… winnow dnf/nature`.
"""

import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Defect(NamedTuple):
    """A defect: in which file what becomes what, and the tests that must notice it."""

    file: str
    right: str
    wrong: str
    tests: tuple[str, ...]


def defects() -> Iterator[Defect]:
    """Yield the defects of the list; raise if one of them does not fit one place of its file."""
    for line in (ROOT / "tools/defects.txt").read_text(encoding="utf-8").splitlines():
        if head := re.fullmatch(r"(\S+\.py): (.+)", line):
            file = f"olc_helpers/{head[1]}"
            tests = tuple(f"tests/test_{name}.py" for name in head[2].split())
            text = (ROOT / file).read_text(encoding="utf-8")
        elif line and not line.startswith("#"):
            right, _, wrong = line.partition(" => ")
            if not wrong or text.count(right) != 1:
                raise ValueError(f"{text.count(right)} places of {file} fit: {line}")
            yield Defect(file, right, wrong, tests)


def pytest_collection_modifyitems(items):
    """Run the tests first that speak of what is broken: this file is a plugin of pytest, too."""
    items.sort(key=lambda item: os.environ["BROKEN"] not in inspect.getsource(item.function))


def noticed(course: Path, defect: Defect) -> str:
    """Return the test that fails in a copy of the course that has the defect, "" if none does."""
    path = course / defect.file
    text = path.read_text(encoding="utf-8")
    before = text.partition(defect.right)[0]
    name = (re.findall(r"(?m)^(?:def |class )?(\w+)", before) or ["?"])[-1]
    path.write_text(text.replace(defect.right, defect.wrong), encoding="utf-8")
    done = subprocess.run(
        [
            sys.executable,
            *"-m pytest -qx -n0 -p no:cacheprovider -p defects".split(),
            *defect.tests,
        ],
        cwd=course,
        env={**os.environ, "PYTHONPATH": "tools", "BROKEN": name},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    path.write_text(text, encoding="utf-8")
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{defect.file}: {defect.wrong}\n{done.stdout}{done.stderr}")
    failed = re.search(r"(?m)^(?:FAILED|ERROR) (\S+)", done.stdout)
    return failed[1] if failed else ""


def main(words: list[str]) -> int:
    """Try the defects, say of each whether it was noticed, and return how many were not."""
    chosen = [d for d in defects() if not words or any(word in d.file for word in words)]
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder) / "course"
        shutil.copytree(ROOT, course, ignore=shutil.ignore_patterns(".*"))
        for number, defect in enumerate(chosen, 1):
            test = noticed(course, defect)
            missed += not test
            print(f"{number}/{len(chosen)} {defect.file}: {defect.right} => {defect.wrong}")
            print(f"    {test or 'NOT NOTICED'}", flush=True)
    print(f"{len(chosen)} defects, {missed} missed")
    return missed


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
