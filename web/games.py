"""The games of the lectures as widgets of a page, where static/games.js plays them."""

import json
from itertools import product
from pathlib import Path

import cache
from replay import figure_code


def html(entry: dict, static: str) -> str:
    """Return a game of the manifest around its static picture, which is all that a page without
    JavaScript shows.
    """
    text = json.dumps(data(entry), ensure_ascii=False).replace("<", "\\u003c")
    return f'<div class="game">{static}<script type="application/json">{text}</script></div>'


def data(entry: dict) -> dict:
    """Return what the browser must know to play a game; it is computed once, as long as the code
    does not change.
    """

    def compute(folder):
        cache.write(folder, what_nature_has(entry["name"]) | best_scores(entry))

    asked = {key: entry[key] for key in ("name", "controls", "buttons", "moves")}
    return asked | cache.read(cache.kept("games", key(entry), compute))


def key(entry: dict) -> str:
    """Return a hash of what is computed for a game, and of the code that computes it."""
    own = Path(__file__).read_text(encoding="utf-8")
    return cache.digest(figure_code(entry["name"]), own, entry["name"], entry["controls"])


def what_nature_has(name: str) -> dict:
    """Return the data of a game: where numpy's random numbers start, the points, or the tree."""
    import numpy as np

    from olc_helpers import streams
    from olc_helpers.limits.figures import tree_of_thresholds

    if name == "nature_game":
        return {"points": streams.FOUR_POINTS.tolist()}
    if name == "threshold_tree":
        return tree_of_thresholds()._asdict()
    if name in ("majority_game", "shift_game"):
        return {"random": {k: str(v) for k, v in np.random.PCG64(0).state["state"].items()}}
    return {}


def best_scores(entry: dict) -> dict:
    """Return the best possible score for each choice of the controls, the last one fastest, and
    what it is called.
    """
    from olc_helpers import figures

    draw = getattr(figures, entry["name"])
    names = [control["name"] for control in entry["controls"]]
    possible = []
    for values in product(*(control["values"] for control in entry["controls"])):
        figure = draw(moves="", **dict(zip(names, values, strict=True)))
        possible.append(float(figure.possible))
    return {"goal": figure.goal, "possible": possible}
