"""What the commands share: messages for slips, and values that are set on the command line."""

from ast import literal_eval
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class UserError(ValueError):
    """What was asked for on the command line can't be done; the message says why."""


def nearest(what: str, name: str, names: Iterable[str]) -> str:
    """Return the message for a name that does not exist."""
    near = ", ".join(get_close_matches(name, names, n=3, cutoff=0))
    found = f"the nearest names are: {near}" if near else "there is none at all"
    return f"there is no {what} {name!r}; {found}"


def value_of(text: str) -> Any:
    """Return the number, list, … that a text writes down, or else the text."""
    try:
        return literal_eval(text)
    except (SyntaxError, ValueError):
        return text
