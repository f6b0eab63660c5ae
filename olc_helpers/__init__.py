"""Online learning whose proofs run: learners, one protocol, proof ledgers, figures and
explorers.

To read it, begin with the core, in this order; each module uses those before it and what is left
aside, and none of them a room.

What happens, in an hour: `losses` (what a trial costs), `checks` (what a learner may be given),
`protocol` (a play, and the Run that remembers it), `ledger` (a proof, evaluated line by line on a
Run).

What is left aside: `relations` (the sign of a claim, read from its LaTeX), `always` (what a solver
proved of it), `table` and `shown` (how a proof is written down), `refusals` (what is said of data
that can't be played), `sparse` (rows of which only some entries are stored), `arguments` (what else
functions are given), `watched` (nature that reacts), `progress` (a bar on long plays), `regret` (a
Run against its experts), `own_work` (what a student's code may not call), `shortcuts` (who can be
played in less time), `compiled` and `fast` (how).

How it is shown, when you need it: `optional`, `sketching` (in a hurry, while a slider moves),
`palette`, `canvas` (a picture with its texts), `explorers` (sliders), `questions`.

How a student's answer is judged: `feedback` (the first difference from the course's own, in
words), `counterexamples` (a small stream on which there is one).

What several rooms share: `chunks` (streams that don't fit into memory), `replications` (plays by
the hundred), `adapters` (models of other packages), `notes` (errors and remarks on what
others wrote).

Then a room for each topic, from `experts` to `clinic`.
"""

import sys
from importlib import import_module

from . import learners
from .learners import *
from .ledger import HypothesisError, Ledger, assume, claim, theorem
from .protocol import Learner, Run, play

__version__ = "0.1.0"
_MODULES = (
    "adversaries",
    "batch",
    "booleans",
    "boosting",
    "cases",
    "clinic",
    "dimensions",
    "figures",
    "kernels",
    "proofs",
    "reductions",
    "samples",
    "sequences",
    "streams",
    "structures",
)
_LISTS = {"theorems": "proofs", "errata": "printed"}  # name: the face that loads what it lists
_LAZY = {  # name: its module
    "play_many": "replications",
    "play_chunks": "chunks",
    "as_learner": "adapters",
    "ask": "questions",
    "guess": "questions",
    "explore": "explorers",
    "game": "explorers",
    "margin": "perceptron.margins",
    "max_margin": "perceptron.margins",
    "descend": "gradients.learners",
    "with_negations": "winnow.booleans",
    "sat_to_cover": "sparsity.reductions",
    "cover_to_disjunction": "sparsity.reductions",
    "AnovaKernel": "dnf.kernels",
    "anova_kernel": "dnf.kernels",
    "monomials": "dnf.kernels",
    "best_shift_sequence": "shifting.sequences",
    "leave_one_out": "batch",
    "vc_dimension": "limits.dimensions",
    "littlestone_dimension": "limits.dimensions",
}
__all__ = [
    "play",
    "Learner",
    "Run",
    *learners.__all__,
    "theorem",
    "claim",
    "assume",
    "Ledger",
    "HypothesisError",
    "learners",
]
NAMES = [*__all__[:-1], *_LISTS, "learners", *_MODULES, *_LAZY]  # all that can be imported


def __getattr__(name):
    """Import what needs more than numpy, or more time, when it is first asked for. Who looks around
    (hasattr, help, completion) is told by an AttributeError what is missing, who imports it by an
    ImportError.
    """
    if name not in NAMES:
        raise AttributeError(f"olc_helpers has no {name!r}; it has {', '.join(NAMES)}")
    home = (_LISTS | _LAZY).get(name)
    try:
        module = import_module(f".{home or name}", __name__)
    except ModuleNotFoundError as error:  # it says what is missing
        if sys._getframe(1).f_code.co_name == "_handle_fromlist":
            raise
        raise AttributeError(str(error)) from None
    return getattr(module, name) if home else module


def __dir__():
    return sorted(NAMES)
