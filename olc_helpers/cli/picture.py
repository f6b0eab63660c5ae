"""A picture of a run: what it cost so far, against the best expert and the bound."""

import re

import numpy as np

from ..figure import BLUE, LOOK, canvas, figure, label_ends
from .playing import EXPERTS

FAR = 4  # a bound this many times above everything else is not drawn


@figure(lecture="")
def so_far(run, file, ledger=None):
    """Mistakes or losses so far."""
    name = re.sub("(?<=[a-z])(?=[A-Z])", " ", type(run.learner).__name__)
    paid = (
        "mistakes"
        if getattr(run.learner, "loss", "mistake") == "mistake"
        else f"{run.learner.loss} loss"
    )
    t, total = np.arange(len(run) + 1), run.total_loss
    fig, ax = canvas()
    (line,) = ax.plot(t, np.append(0, np.cumsum(run.losses)), **LOOK.get(name, {"color": BLUE}))
    labels, texts = (
        [(line, name)],
        [f"{name} on {file}: {paid} {total:.4g} after {len(run)} trials"],
    )
    if isinstance(run.learner, EXPERTS):
        (best,) = ax.plot(
            t, run.cumulative_expert_losses[:, run.best_expert], **LOOK["best expert"]
        )
        labels.append((best, "best expert"))
        texts.append(f"the best expert {run.best_loss:.4g}")
    if ledger is not None:
        drawn = (
            run.expected_losses.sum() if getattr(run.learner, "rng", None) is not None else total
        )
        most = drawn - ledger.value + ledger.bound
        texts.append(f"the bound allows {most:.4g}")
        if most <= FAR * ax.get_ylim()[1]:
            labels.append((ax.plot(t[[0, -1]], [most, most], **LOOK["bound"])[0], "bound"))
        else:
            texts[-1] += ", far above the picture"
    label_ends(ax, labels)
    ax.set(xlabel="trial t", ylabel=f"{paid} so far")
    fig.caption = "; ".join(texts) + "."
    return fig
