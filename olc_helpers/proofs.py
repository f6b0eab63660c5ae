r"""The theorems of the course, from the rooms; importing this module registers them all.

The printed claims that fail (`printed_…`), which stand in `errata.py` of the rooms, are shown too.

A theorem of your own takes five minutes. Here a learner is Hedge with a rate that nobody has to
choose: eta = (ln n)/Δ, where Δ starts at 1 and grows by what each trial costs more than its mix
loss -(1/eta) ln Σ v_i e^(-eta l_i). A Run keeps what the learner names in `records`.

>>> import numpy as np
>>> from olc_helpers import Run, assume, claim, play, streams, theorem
>>> class MyAdaHedge:
...     labels, loss, records = "losses", "allocation", ("gaps",)
...
...     def __init__(self, n):
...         self.n, self.L, self.gaps = n, np.zeros(n), 1.0
...
...     def predict(self, x=None):
...         w = np.exp(-np.log(self.n) / self.gaps * (self.L - self.L.min()))
...         return w / w.sum()
...
...     def update(self, x, losses):
...         eta, v = np.log(self.n) / self.gaps, self.predict()
...         mix = -np.log(v @ np.exp(-eta * losses)) / eta
...         self.L, self.gaps = self.L + losses, self.gaps + v @ losses - mix

Its theorem is a generator that yields the lines of the proof. What the proof needs is assumed; the
last line is the theorem, and the sign between its sides is read from the LaTeX.

>>> @theorem(r"\sum_t v_t\cdot\ell_t - \min_i L_i \le 2\Delta_{T+1} - 1")
... def my_adahedge_bound(run: Run):
...     "My AdaHedge: at most two gaps of regret."
...     assume("gaps" in run.records, "the learner must record its gaps")
...     gaps, paid = run.records["gaps"], np.cumsum(run.losses)
...     best = run.cumulative_expert_losses[1:].min(axis=1)
...     yield claim(r"\Delta_t \le \Delta_{t+1}", gaps[:-1], gaps[1:]).because(
...         "by Jensen the mix loss is at most v·l"
...     )
...     yield claim(
...         r"\sum_{s\le t} v_s\cdot\ell_s - \Delta_{t+1} + 1 \le \min_i L_{t,i} + \Delta_t",
...         paid - gaps[1:] + 1,
...         best + gaps[:-1],
...     ).because("mix losses telescope, as the rate never grows (line 1); (ln n)/eta_t = Δ_t")
...     yield claim(
...         r"\sum_t v_t\cdot\ell_t - \min_i L_i \le 2\Delta_{T+1} - 1",
...         run.regret,
...         2 * gaps[-1] - 1,
...     ).because("line 2, and line 1 for the last trial")

Each line is evaluated on each trial; in a notebook the ledger is a table.

>>> losses = streams.coin_losses(T=200, means=[0.3, 0.5, 0.5, 0.5], rng=1)
>>> ledger = my_adahedge_bound(play(MyAdaHedge(4), losses))
>>> print(f"{ledger.value:.2f} <= {ledger.bound:.2f}: {ledger.holds}")
3.70 <= 4.29: True

A slip is caught: the line, the trial, and the reason that no longer holds. Here the losses are
added too early.

>>> class Slip(MyAdaHedge):
...     def update(self, x, losses):
...         self.L = self.L + losses
...         eta, v = np.log(self.n) / self.gaps, self.predict()
...         self.gaps = self.gaps + v @ losses + np.log(v @ np.exp(-eta * losses)) / eta
>>> ledger = my_adahedge_bound(play(Slip(4), losses))
>>> line, trial = ledger.first_violation
>>> print(f"line {line} fails on trial {trial}: {ledger.lines[line - 1].why}")
line 2 fails on trial 6: mix losses telescope, as the rate never grows (line 1); (ln n)/eta_t = Δ_t
"""

from .experts import theorems as experts
from .experts.theorems import *
from .games import theorems as games
from .games.theorems import *
from .perceptron import theorems as perceptron
from .perceptron.theorems import *
from .gradients import theorems as gradients
from .gradients.theorems import *
from .voting import theorems as voting
from .voting.theorems import *
from .winnow import theorems as winnow
from .winnow.theorems import *
from .sparsity import theorems as sparsity
from .sparsity.theorems import *
from .dnf import theorems as dnf
from .dnf.theorems import *
from .shifting import theorems as shifting
from .shifting.theorems import *
from .batch import theorems as batch
from .batch.theorems import *
from .limits import theorems as limits
from .limits.theorems import *
from .samples import theorems as samples
from .samples.theorems import *
from .mirror import theorems as mirror
from .mirror.theorems import *
from .ledger import THEOREMS, Theorem

__all__ = [
    *experts.__all__,
    *games.__all__,
    *perceptron.__all__,
    *gradients.__all__,
    *voting.__all__,
    *winnow.__all__,
    *sparsity.__all__,
    *dnf.__all__,
    *shifting.__all__,
    *batch.__all__,
    *limits.__all__,
    *samples.__all__,
    *mirror.__all__,
]


def theorems() -> dict[str, Theorem[...]]:
    """Return every theorem of the course by name, each callable on a run."""
    return dict(THEOREMS)


def __getattr__(name: str) -> Theorem[...]:
    from .printed import errata  # which needs the rooms' streams and adversaries as well

    if not name.startswith("printed_") or name not in errata():
        raise AttributeError(f"there is no theorem {name!r}")
    return errata()[name]
