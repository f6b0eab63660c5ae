"""The graph of the lectures on the map: what builds on what, each box a link."""

import textwrap
from base64 import b64encode
from html import escape

import numpy as np

from ..canvas import Figure, caption_bundle, figure
from ..optional import needed_for
from ..palette import BLUE, DARK, GREEN, ORANGE, PURPLE

with needed_for("drawing the graph of the lectures"):
    from matplotlib.patches import FancyBboxPatch

BOX = 0.135, 0.082  # width and height of a box, in parts of the picture
MANY = 4
# The colours of the subjects; the text in a box tells them apart as well.
SUBJECTS = {
    "experts": (BLUE, {"01", "02", "03", "04", "05", "15"}),
    "linear classifiers": (GREEN, {"06", "07", "08", "09", "10"}),
    "sparse rules": (ORANGE, {"11", "12", "13", "14"}),
    "all of it": (PURPLE, {"16", "17", "18", "19", "20", "21"}),
}


def direct(parents: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the parents of each node without those that another parent builds on already; a node
    that looks back on more than MANY of them has none.

    >>> direct({"a": set(), "b": {"a"}, "c": {"a", "b"}})["c"]
    {'b'}
    """

    def below(node):
        return set().union(parents[node], *(below(each) for each in parents[node]))

    return {
        node: {each for each in known if not any(each in below(other) for other in known)}
        if len(known) <= MANY
        else set()
        for node, known in parents.items()
    }


def places(parents: dict[str, set[str]]) -> dict[str, tuple[float, float]]:
    """Return the middle of each box: a row below all its parents, there as far to the right as
    their mean. A node without parents and children stands in the last row.
    """
    row: dict[str, int] = {}
    across: dict[str, float] = {}
    for node, known in parents.items():
        row[node] = 1 + max((row[each] for each in known), default=-1)
    last = max(row.values())
    used = set().union(*parents.values())
    row |= {node: last for node in parents if not parents[node] and node not in used}
    for k in range(last + 1):
        nodes = [node for node in parents if row[node] == k]
        mean = {n: np.mean([across[p] for p in parents[n]] or [1.0]) for n in nodes}
        nodes.sort(key=lambda node: (mean[node], node))
        across |= {node: (i + 0.5) / len(nodes) for i, node in enumerate(nodes)}
    return {node: (across[node], 0.945 - 0.84 * row[node] / max(last, 1)) for node in parents}


class LinkedPicture:
    """A figure whose boxes are links: `links` has (left, bottom, width, height) in parts of the
    picture, the address and the text of each.
    """

    def __init__(self, fig: Figure, links: list[tuple[tuple, str, str]]):
        self.figure, self.links = fig, links

    def _repr_html_(self):
        picture = b64encode(self.figure.png()).decode()
        links = "".join(
            f'<a href="{address}" title="{escape(text)}" style="position:absolute;'
            f"left:{100 * x:.2f}%;top:{100 * (1 - y - height):.2f}%;width:{100 * width:.2f}%;"
            f'height:{100 * height:.2f}%;overflow:hidden;color:transparent">{escape(text)}</a> '
            for (x, y, width, height), address, text in self.links
        )
        return (
            f'<div class="olc-graph" style="position:relative;max-width:1000px">'
            f'<img style="width:100%" alt="{escape(self.figure.description)}"'
            f' src="data:image/png;base64,{picture}"/>{links}</div>'
            + caption_bundle(self.figure.caption, self.figure.description)["text/html"]
        )

    def __repr__(self):
        return self.figure.description


@figure(lecture="")
def lecture_graph(names: dict[str, str], parents: dict[str, set[str]]) -> Figure:
    """What builds on what: a box for each lecture, an arrow to each that needs it."""
    arrows, middle = direct(parents), places(direct(parents))
    fig = Figure(figsize=(8, 8.4))
    ax = fig.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.axis("off")
    width, height = BOX
    for node, (x, y) in middle.items():
        for parent in sorted(arrows[node]):
            px, py = middle[parent]
            leave = np.clip(x - px, -0.4 * width, 0.4 * width)  # past the box below the parent
            ax.annotate(
                "",
                (x, y + height / 2),
                (px + leave, py - height / 2),
                zorder=0,  # behind the boxes
                arrowprops=dict(arrowstyle="-|>", color=DARK, shrinkA=0, shrinkB=0, linewidth=1),
            )
    for colour, nodes in SUBJECTS.values():
        for node in sorted(nodes & set(middle)):
            x, y = middle[node]
            corner = (x - width / 2, y - height / 2)
            box = FancyBboxPatch(corner, width, height, "round,pad=0,rounding_size=0.012")
            box.set(facecolor="white", edgecolor=colour, linewidth=2)
            ax.add_patch(box)
            text = "\n".join(textwrap.wrap(f"{int(node)} · {names[node]}", 16))
            ax.text(x, y, text, ha="center", va="center", fontsize=8.6, linespacing=1.1)
    for k, (subject, (colour, _)) in enumerate(SUBJECTS.items()):
        ax.text(0.016 + 0.2 * k, 0.015, "■", color=colour, fontsize=11, va="center")
        ax.text(0.04 + 0.2 * k, 0.015, subject, fontsize=9.5, va="center")
    told = [
        f"{int(node)} builds on {' and '.join(str(int(each)) for each in sorted(known))}"
        for node, known in arrows.items()
        if known
    ]
    told += [
        f"{int(node)} looks back on {len(known)} lectures, without arrows"
        for node, known in parents.items()
        if known and not arrows[node]
    ]
    fig.caption = "An arrow leads to a lecture from what it needs. Each box opens its lecture."
    fig.description = (
        f"A graph of {len(names)} lectures, from top to bottom. "
        + "; ".join(told)
        + ". What follows from other arrows is left out."
    )
    return fig


def linked_graph(
    names: dict[str, str], parents: dict[str, set[str]], addresses: dict[str, tuple[str, str]]
) -> LinkedPicture:
    """Return the graph with a link in each box: an address, and the text of the link."""
    width, height = BOX
    links = [
        ((x - width / 2, y - height / 2, width, height), *addresses[node])
        for node, (x, y) in places(direct(parents)).items()
    ]
    return LinkedPicture(lecture_graph(names, parents), links)
