"""The explorers on the page: native controls above the picture, whose frames are in a file."""

import csv
import json
from functools import cache
from html import escape

import where
from bs4 import BeautifulSoup

FEW = 4  # values up to which a slider is a row of buttons
# these controls play
TIME = {"trial", "step", "mistakes", "before", "rounds", "examples", "shown", "epochs"}


def html(entry: dict, figure: str, root: str = "") -> str:
    """Return an explorer: its controls, its static figure, and what `explorers.js` must know.

    `root` leads from the page to the top of the site, where the folder of the frames is.
    """
    data = {
        "frames": root + entry["frames"],
        "labels": [control["labels"] for control in entry["controls"]],
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
    """Return what lets the time pass, if one of the controls is time."""
    times = [k for k, one in enumerate(controls) if one["name"] in TIME]
    if not times or len(controls[times[0]]["labels"]) <= FEW:
        return ""
    return (
        f'<span class="player" role="group" aria-label="Time" data-time="{times[0]}">'
        '<button class="tool" type="button" data-step="-1" aria-label="One step back">◂</button>'
        '<button class="tool play" type="button">▶ Play</button>'
        '<button class="tool" type="button" data-step="1" aria-label="One step on">▸</button>'
        '<select class="speed" aria-label="Speed"><option value="0.5">½ ×</option>'
        '<option value="1" selected>1 ×</option><option value="2">2 ×</option></select></span>'
    )


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


@cache
def shown() -> list[dict]:
    """Return the rows of ledgers.csv: which picture shows the run that a ledger speaks of."""
    with (where.WEB / "ledgers.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def lead(soup: BeautifulSoup, lecture: str) -> None:
    """Tell the script of the ledgers where it finds the trials of each."""
    for row in shown():
        ledger = soup.select_one(f"#cell-{row['cell']} .ledger") if row["lecture"] == lecture else 0
        if ledger:
            ledger["data-picture"] = row["picture"]
