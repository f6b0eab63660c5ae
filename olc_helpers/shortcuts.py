"""Which learners can be played in less time: a register that the rooms fill and `play` reads.

In its `learners.py` a room says which of its modules has the shortcuts; the first long play of such
a learner imports it. There they stand under `@shortcut` (see `fast`).
"""

from importlib import import_module
from typing import Any

from .checks import trait
from .own_work import AT_WORK

HOMES: dict[type, str] = {}  # class: the module that has its shortcut
SHORTCUTS: dict[type, Any] = {}
_AS_DEFINED: dict[type, dict[str, Any]] = {}


def shortcuts_in(module: str, *classes: type) -> None:
    """Note that a module has the shortcuts of these classes, as they are defined now."""
    for cls in classes:
        HOMES[cls] = module
        _AS_DEFINED[cls] = _members(cls)


def find(learner: object) -> Any:
    """Return the shortcut of a learner, None if there is none, or if the learner changes anything
    of its class: a method, a property or a constant, or wants more recorded; none while a
    student's code is at work, for a shortcut calls no method that could refuse.
    """
    cls = next((c for c in type(learner).__mro__ if c in HOMES), None)
    if cls is None or AT_WORK or trait(learner, "records"):
        return None
    now = _members(type(learner)) | vars(learner)
    if any(now[name] is not member for name, member in _AS_DEFINED[cls].items()):
        return None
    import_module(HOMES[cls])
    return SHORTCUTS[cls]


def _members(cls):
    """Return the methods, properties and constants of a class, inherited ones too, by name."""
    return {
        name: member
        for c in reversed(cls.__mro__)
        for name, member in vars(c).items()
        if not name.startswith("__")
    }
