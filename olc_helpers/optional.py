"""Packages beyond numpy: what needs one says so in one line, with the command to install it."""

from collections.abc import Iterator
from contextlib import contextmanager

PACKAGES = {"sklearn": "scikit-learn", "IPython": "ipython"}  # whose name is not that of the module


class MissingExtra(ModuleNotFoundError):
    """A package is missing that only figures, sliders or data need."""


@contextmanager
def needed_for(what: str) -> Iterator[None]:
    """Make a failing import inside say for what the package is needed, and how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        package = PACKAGES.get(module, module)
        raise MissingExtra(
            f"{what} needs {package}, which is not installed: pip install {package}", name=module
        ) from None
