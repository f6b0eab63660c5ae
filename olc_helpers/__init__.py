"""Online learning whose proofs run: learners, one protocol, proof ledgers, figures and explorers."""

from importlib import import_module

__version__ = "0.1.0"

_HOME = {name: module for module, names in {
    "protocol": "play Run",
    "learners": "Halving WeightedMajority RandomizedWeightedMajority WeightedAverage Hedge",
    "ledger": "theorem claim assume Ledger HypothesisError theorems errata",
    "exploring": "explore game",
}.items() for name in names.split()}
_MODULES = ("adversaries", "figures", "learners", "ledger", "proofs", "protocol", "streams")

__all__ = [*_HOME, *_MODULES]


def __getattr__(name):
    """Import a public name when it is first asked for, so that the package itself needs numpy alone."""
    if name in _HOME:
        return getattr(import_module(f".{_HOME[name]}", __name__), name)
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"olc_helpers has no {name!r}; it has {', '.join(__all__)}")


def __dir__():
    return sorted(__all__)
