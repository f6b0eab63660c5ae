"""The pins of binder/requirements.txt, and what is installed instead."""

import os
import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]


def pins() -> dict[str, str]:
    """{package: version} of the pins that apply to this machine."""
    lines = (ROOT / "binder/requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = [pin for pin in map(Requirement, lines) if pin.marker is None or pin.marker.evaluate()]
    return {pin.name: re.fullmatch("==(.+)", str(pin.specifier))[1] for pin in wanted}


@cache
def unpinned() -> list[str]:
    """The installed packages that differ from the pins, in words."""

    def installed(name):
        try:
            return version(name)
        except PackageNotFoundError:
            return "missing"

    return [
        f"{name} is {installed(name)}, not {pin}"
        for name, pin in pins().items()
        if installed(name) != pin
    ]


def other_versions() -> bool:
    """Whether other versions than the pins are installed, or meant to be."""
    return os.environ.get("OLC_UNPINNED") == "1" or bool(unpinned())
