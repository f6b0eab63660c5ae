"""What the commands of `python -m olc_helpers` share: how they say that something can't be done."""

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(ValueError):
    """What was asked for on the command line can't be done; the message says why."""


def nearest(what: str, name: str, names: Iterable[str]) -> str:
    """Return the message for a name that does not exist."""
    near = ", ".join(get_close_matches(name, names, n=3, cutoff=0))
    found = f"the nearest names are: {near}" if near else "there is none at all"
    return f"there is no {what} {name!r}; {found}"
