"""The games of the lectures as widgets of a page, where static/games.js plays them."""

import hashlib
import json
from itertools import product
from pathlib import Path

import numpy as np

from olc_helpers import figures, streams

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".site-cache/games"


def html(entry: dict, static: str) -> str:
    """Return a game of the manifest around its static picture, which is all that a page without
    JavaScript shows.
    """
    text = json.dumps(data(entry), ensure_ascii=False).replace("<", "\\u003c")
    script = f'<script type="application/json">{text}</script>'
    return f'<div class="game" id="game-{entry["name"]}">{static}{script}</div>'


def data(entry: dict) -> dict:
    """Return what the browser must know to play a game."""
    seed_0 = {name: str(value) for name, value in np.random.PCG64(0).state["state"].items()}
    more = {
        "majority_game": {"random": seed_0},
        "shift_game": {"random": seed_0},
        "nature_game": {"points": streams.FOUR_POINTS.tolist()},
    }
    asked = {key: entry[key] for key in ("name", "controls", "buttons", "moves")}
    return asked | more.get(entry["name"], {}) | {"possible": possible(entry)}


def possible(entry: dict) -> list[float]:
    """Return the best possible score for each choice of the controls, the last one fastest; it is
    searched for once, as long as the package does not change.
    """
    names = [control["name"] for control in entry["controls"]]
    choices = list(product(*(control["values"] for control in entry["controls"])))
    code = [file.read_text(encoding="utf-8") for file in sorted(ROOT.glob("olc_helpers/**/*.py"))]
    key = json.dumps([entry["name"], names, choices, code, np.__version__])
    kept = CACHE / f"{hashlib.sha256(key.encode()).hexdigest()[:20]}.json"
    if not kept.exists():
        draw = getattr(figures, entry["name"])
        scores = [
            float(draw(moves="", **dict(zip(names, values, strict=True))).possible)
            for values in choices
        ]
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(scores), encoding="utf-8")
    return json.loads(kept.read_text(encoding="utf-8"))
