"""What all tests share: reproducible examples, the pins, and the style report at the end."""

import csv
import gc
import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import seed, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from pins import other_versions

ROOT = Path(__file__).parents[1]

# The same examples every time; with a seed fresh ones, and those that fail are kept.
FUZZ = os.environ.get("OLC_FUZZ")
FOUND = ROOT / ".hypothesis/found"
settings.register_profile("course", derandomize=True, database=None, deadline=None)
settings.register_profile("fuzz", database=DirectoryBasedExampleDatabase(FOUND), deadline=None)
settings.load_profile("fuzz" if FUZZ else "course")

# Hypothesis mixes numbers from the source of imported modules into its examples, which would then
# depend on the choice of tests, their order and the worker. Versions before 6.131 do not do it.
with suppress(ImportError, AttributeError):
    from hypothesis.internal.conjecture import providers

    providers._get_local_constants = lambda none=providers._local_constants: none


def replays(*cells: str, sets: int = 3):
    """Marks a test that replays what these cells of lectures say of an average, with a seed that no
    lecture shows: three of them, or as many as `sets` says for a dear test; thirty once a week.
    """
    seeds = pytest.mark.parametrize("seed", range(1, 1 + (30 if FUZZ else sets)))
    return lambda test: pytest.mark.hypothesis(seeds(test))


# The files of tests that take longest come first, so that no worker is left with one of them when
# the others have nothing to do any more.
LONG = "browser homework always lectures figures".split()
FIRST = [f"test_{name}.py" for name in LONG]


def pytest_configure(config):
    """Let xdist keep this order, in which the files with most tests would come first."""
    config.option.loadscopereorder = False


def pytest_collection_modifyitems(items):
    """Sort the tests; give every property test the seed and ten times its examples, if there is
    a seed.
    """
    rank = {name: number for number, name in enumerate(FIRST)}
    last = {".ipynb": len(FIRST)}  # after them the notebooks
    items.sort(key=lambda item: rank.get(item.path.name, last.get(item.path.suffix, 999)))
    tests = {item.function for item in items if isinstance(item, pytest.Function)}
    for test in tests if FUZZ else ():
        if not getattr(test, "is_hypothesis_test", False):
            continue
        usual = test._hypothesis_internal_use_settings
        more = settings(usual, max_examples=10 * usual.max_examples)
        test._hypothesis_internal_use_settings = more
        seed(FUZZ)(test)


def pytest_collection_finish():
    """What is loaded by now stays: the garbage collector need not look at it again and again."""
    gc.freeze()


def pytest_report_header():
    return f"OLC_FUZZ={FUZZ} repeats this run" if FUZZ else None


@pytest.fixture(scope="session")
def only_pinned():
    """Skips a test that holds for the pinned versions alone."""
    if other_versions():
        pytest.skip("the installed versions are not the pins of binder/requirements.txt")


@pytest.fixture(scope="session")
def items() -> list[dict[str, str]]:
    """The rows of notebooks/items.csv."""
    with open(ROOT / "notebooks/items.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def outside_make(monkeypatch):
    """The make that runs the tests leaves no flags to the makes that they run."""
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        monkeypatch.delenv(name, raising=False)


def pytest_terminal_summary(terminalreporter):
    reports = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    lines = [line for report in reports for key, line in report.user_properties if key == "style"]
    if lines:
        terminalreporter.section("style of the lectures")
        terminalreporter.write_line(
            f"{'':34}code cells  lines: median  90%  prose per cell  words per line"
        )
        for line in sorted(set(lines)):
            terminalreporter.write_line(line)
