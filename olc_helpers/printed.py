"""What is printed in the notes and evaluated here: the errata and remarks of all rooms; importing
this module registers them.

Those that no computation can decide stand in `printed.toml`.
"""

import tomllib
from pathlib import Path

from .experts import errata as experts
from .perceptron import errata as perceptron
from .gradients import errata as gradients
from .voting import errata as voting
from .winnow import errata as winnow
from .sparsity import errata as sparsity
from .dnf import errata as dnf
from .shifting import errata as shifting
from .batch import errata as batch
from .limits import errata as limits
from .ledger import ERRATA, Theorem
from .notes import ENTRIES, Entry, remark, wording

__all__ = [
    "experts",
    "perceptron",
    "gradients",
    "voting",
    "winnow",
    "sparsity",
    "dnf",
    "shifting",
    "batch",
    "limits",
]

TABLE = Path(__file__).with_suffix(".toml")
for number, entry in tomllib.loads(TABLE.read_text(encoding="utf-8")).items():
    (wording if "severity" in entry else remark)(number, **entry)


def errata() -> dict[str, Theorem[...]]:
    """Return every false printed claim that the course evaluates, by name, each callable on a
    run.
    """
    return dict(ERRATA)


def checks() -> dict[str, Entry]:
    """Return all errors and remarks by number, in the order of the sources."""
    return dict(sorted(ENTRIES.items()))
