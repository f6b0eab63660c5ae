"""A picture of a run: what it cost so far, against the best expert and the bound."""

import re

import numpy as np

from ..canvas import canvas, figure, label_ends
from ..checks import count, trait
from ..palette import BLUE, LOOK
from .playing import EXPERTS
from .words import UserError

FAR = 4  # a bound this many times above everything else is not drawn


@figure(lecture="")
def so_far(run, file, ledger=None):
    """Mistakes or losses so far."""
    if not np.isfinite(run.total_loss):
        raise UserError("a run of infinite loss can't be drawn")
    name = re.sub("(?<=[a-z])(?=[A-Z])", " ", type(run.learner).__name__)
    name = name.replace("Randomized", "Randomised")  # as in the lectures
    kind = trait(run.learner, "loss")
    paid = "mistakes" if kind == "mistake" else f"{kind} loss"
    texts = [f"{name} on {file}: {paid} {run.total_loss:.4g} after {count(len(run), 'trial')}"]
    t = np.arange(len(run) + 1)
    fig, ax = canvas()
    lines = ax.plot(t, np.append(0, np.cumsum(run.losses)), **LOOK.get(name, {"color": BLUE}))
    labels = [name]
    if isinstance(run.learner, EXPERTS) and np.isfinite(run.best_loss):
        best = run.cumulative_expert_losses[:, run.best_expert]
        lines += ax.plot(t, best, **LOOK["best expert"])
        labels.append("best expert")
        texts.append(f"the best expert {run.best_loss:.4g}")
    if ledger is not None:
        draws = getattr(run.learner, "rng", None) is not None  # its bound is on what it expects
        total = run.expected_losses.sum() if draws else run.total_loss
        most = total - ledger.value + ledger.bound
        texts.append(f"the bound allows {most:.4g}")
        if most <= FAR * ax.get_ylim()[1]:
            lines += ax.plot(t[[0, -1]], [most, most], **LOOK["bound"])
            labels.append("bound")
        else:
            texts[-1] += ", far above the picture"
    label_ends(ax, zip(lines, labels, strict=True))
    ax.set(xlabel="trial t", ylabel=f"{paid} so far")
    fig.caption = "; ".join(texts) + "."
    return fig
