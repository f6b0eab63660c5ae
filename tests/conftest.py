"""What all tests share: reproducible examples, the pins, and the style report at the end."""

import os
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from hypothesis import settings
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]

for setting in ("GRADEBOOK", "EXCHANGE"):
    os.environ.pop(setting, None)  # a teacher who runs the tests has a gradebook, too
settings.register_profile("course", derandomize=True, deadline=None)
settings.load_profile("course")


def pins() -> dict[str, str]:
    """{package: version} of the pins in binder/requirements.txt that apply to this machine."""
    lines = (ROOT / "binder/requirements.txt").read_text().splitlines()
    wanted = [pin for pin in map(Requirement, lines) if pin.marker is None or pin.marker.evaluate()]
    return {pin.name: re.fullmatch("==(.+)", str(pin.specifier))[1] for pin in wanted}


@pytest.fixture(scope="session")
def unpinned() -> list[str]:
    """The installed packages that differ from the pins, in words."""

    def installed(name):
        try:
            return version(name)
        except PackageNotFoundError:
            return "missing"

    return [f"{name} is {installed(name)}, not {pin}" for name, pin in pins().items() if installed(name) != pin]


@pytest.fixture
def only_pinned(unpinned):
    """Skips a test that holds for the pinned versions alone."""
    if os.environ.get("OLC_UNPINNED") == "1" or unpinned:
        pytest.skip("the installed versions are not the pins of binder/requirements.txt")


def pytest_terminal_summary(terminalreporter):
    reports = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    lines = [line for report in reports for key, line in report.user_properties if key == "style"]
    if lines:
        terminalreporter.section("style of the lectures")
        terminalreporter.write_line(f"{'':34}code cells  lines: median  90%  prose per cell  words per line")
        for line in sorted(set(lines)):
            terminalreporter.write_line(line)
    for line in [line for report in reports for key, line in report.user_properties if key == "measured"]:
        terminalreporter.section("measured")
        terminalreporter.write_line(line)
