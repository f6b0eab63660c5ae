"""Packages beyond numpy: what needs one says so in one line, with the command to install it."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

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


def data_of_sklearn(name: str, what: str) -> Path:
    """Return a file of data that comes with scikit-learn; to import it would take two seconds."""
    with needed_for(what):
        package = find_spec("sklearn")
        if package is None or package.origin is None:
            raise ModuleNotFoundError(name="sklearn")
    return Path(package.origin).with_name("datasets") / "data" / name
