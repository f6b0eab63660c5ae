"""The explorers on the page: native controls above the picture, the frames in files beside it."""

import json
from html import escape

FEW = 4  # values up to which a slider is a row of buttons
TIME = {"t", "step", "trial", "before", "trials", "mistakes"}  # controls that are time: they play


def html(entry: dict, figure: str, root: str = "") -> str:
    """Return an explorer: its controls, its static figure, and what `explorers.js` must know.

    `root` leads from the page to the top of the site, where the folder of the frames is.
    """
    data = {
        "frames": root + entry["frames"],
        "labels": [control["labels"] for control in entry["controls"]],
        "which": entry["which"],
        "texts": entry["texts"],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    controls = "".join(control(entry["id"], one) for one in entry["controls"])
    controls += player(entry["controls"]) + '<button class="tool" type="reset">Start again</button>'
    return (
        f'<div class="explorer"><form autocomplete="off" aria-label="Controls of the picture'
        f' {entry["name"]}">{controls}</form>'
        f'{figure}<script type="application/json">{text}</script></div>'
    )


def player(controls: list[dict]) -> str:
    """Return a button that lets the time pass, if one of the controls is time."""
    times = [k for k, one in enumerate(controls) if one["name"] in TIME]
    if not times or len(controls[times[0]]["labels"]) <= FEW:
        return ""
    return f'<button class="tool play-time" type="button" data-time="{times[0]}">▶ Play</button>'


def first(entry: dict) -> str:
    """Return the frame that an explorer starts with: it has the size of all the others."""
    place = 0
    for one in entry["controls"]:
        place = place * len(one["values"]) + one["start"]
    return f"{entry['frames']}{entry['which'][place]}.webp"


def control(explorer: str, one: dict) -> str:
    """Return a control as HTML; a slider moves along the list of its values."""
    name, labels, start = one["name"].replace("_", " "), one["labels"], one["start"]
    identity = f"{explorer}-{one['name']}"
    if one["type"] == "check":
        ticked = " checked" if start else ""
        return f'<label class="check"><input type="checkbox"{ticked}> {name}</label>'
    if one["type"] == "range" and len(labels) <= FEW:
        choices = "".join(
            f'<label><input type="radio" name="{identity}" value="{number}"'
            f"{' checked' * (number == start)}> {escape(label)}</label>"
            for number, label in enumerate(labels)
        )
        return f'<fieldset class="few"><legend>{name}</legend>{choices}</fieldset>'
    if one["type"] == "menu":
        options = "".join(
            f"<option{' selected' * (number == start)}>{escape(label)}</option>"
            for number, label in enumerate(labels)
        )
        return f'<label class="menu">{name} <select>{options}</select></label>'
    return (
        f'<span class="range"><label for="{identity}">{name}</label>'
        f' <span class="value" aria-hidden="true">{labels[start]}</span>'
        f'<input id="{identity}" type="range" max="{len(labels) - 1}" value="{start}"'
        f' aria-valuetext="{labels[start]}"></span>'
    )
