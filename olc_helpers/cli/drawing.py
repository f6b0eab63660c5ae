"""`python -m olc_helpers figures` draws figures to files, with a page that lists them."""

import argparse
from ast import literal_eval
from html import escape
from inspect import signature
from itertools import groupby
from pathlib import Path
from typing import Any

from ..checks import count
from . import UserError, nearest

FORMATS = ("svg", "pdf", "png")
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Figures of the course</title>
<style>
body {{ max-width: 56rem; margin: 2rem auto; padding: 0 1rem;
       font: 1rem/1.5 system-ui, sans-serif; }}
figure {{ margin: 0 0 3rem; }}
img {{ max-width: 100%; }}
</style>
</head>
<body>
<main>
<h1>Figures of the course</h1>
{sections}
</main>
</body>
</html>
"""


def draw(job: tuple) -> tuple[str, str]:
    """Write one figure in every format and return its caption and its description.

    A job is (name, arguments, formats, folder).
    """
    from ..figures import load

    name, arguments, formats, folder = job
    try:
        figure = load()[name](**arguments)
    except (TypeError, ValueError) as error:
        if not arguments:
            raise
        raise UserError(f"{name} can't be drawn with {arguments}: {error}") from None
    for kind in formats:
        with open(folder / f"{name}.{kind}", "wb") as file:  # the same line ends everywhere
            figure.save(file, kind)
    return figure.caption, figure.description


def draw_all(jobs: list, processes: int) -> list[tuple]:
    """Return the texts of all jobs, done by several processes and counted by a progress bar."""
    try:
        from tqdm import tqdm
    except ModuleNotFoundError:

        def tqdm(texts, **bar):
            return texts  # without tqdm there is no bar

    bar = {"total": len(jobs), "unit": " figures", "desc": "drawing"}
    if min(processes, len(jobs)) < 2:
        return list(tqdm(map(draw, jobs), **bar))
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(processes) as pool:
        return list(tqdm(pool.map(draw, jobs), **bar))


def index(figures: list, formats: tuple) -> str:
    """Return the page that shows figures, given as (name, title, lecture, texts), by lecture."""

    def entry(name, title, texts):
        caption, description = map(escape, texts)
        shown = next((kind for kind in formats if kind != "pdf"), None)
        picture = f'<img src="{name}.{shown}" alt="{description}">\n' if shown else ""
        links = ", ".join(f'<a href="{name}.{kind}">{name}.{kind}</a>' for kind in formats)
        return (
            f'<h3 id="{name}">{escape(title)}</h3>\n<figure>\n{picture}'
            f"<figcaption>{caption} <br>{links}</figcaption>\n</figure>"
        )

    sections = []
    for lecture, group in groupby(sorted(figures, key=lambda f: f[2]), key=lambda f: f[2]):
        sections += [
            f"<h2>Lecture {escape(lecture)}</h2>",
            *(entry(name, title, texts) for name, title, _, texts in group),
        ]
    return PAGE.format(sections="\n".join(sections))


def settings(texts: list[str], chosen: dict) -> dict:
    """Return {figure: {argument: value}} from texts NAME.ARG=VALUE, or say what is wrong."""
    values: dict[str, dict] = {name: {} for name in chosen}
    for text in texts:
        target, equals, value = text.partition("=")
        name, dot, argument = target.partition(".")
        if not (equals and dot):
            raise UserError(f"--set needs NAME.ARG=VALUE; got {text!r}")
        if name not in chosen:
            raise UserError(nearest("figure to draw called", name, chosen))
        arguments = signature(chosen[name]).parameters
        if argument not in arguments:
            raise UserError(nearest(f"argument of {name} called", argument, arguments))
        values[name][argument] = value_of(value)
    return values


def value_of(text: str) -> Any:
    """Return the number, list, … that a text writes down, or else the text."""
    try:
        return literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def kinds(text: str) -> tuple[str, ...]:
    """Return the formats of a list like svg,png."""
    if not set(text.split(",")) <= set(FORMATS):
        raise argparse.ArgumentTypeError(
            f"formats are {', '.join(FORMATS)}, separated by commas; got {text!r}"
        )
    return tuple(kind for kind in FORMATS if kind in text.split(","))


def add_to(commands: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Add the command and its options."""
    command = commands.add_parser("figures", help="draw the figures of the course to files")
    command.add_argument(
        "--only", nargs="+", metavar="NAME", help="names of figures (default: all)"
    )
    command.add_argument(
        "--format", type=kinds, default=FORMATS, metavar="LIST", help="default: svg,pdf,png"
    )
    command.add_argument(
        "--out", type=Path, default=Path("figures"), metavar="DIR", help="default: figures"
    )
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME.ARG=VALUE",
        help="an argument of a figure",
    )
    command.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: 2)")
    return command


def run(options: argparse.Namespace) -> None:
    """Draw the figures that were asked for, and write the page that lists them."""
    from ..figures import load

    figures = load()
    for name in options.only or ():
        if name not in figures:
            raise UserError(nearest("figure", name, figures))
    chosen = {name: figures[name] for name in options.only or figures}
    values = settings(options.set, chosen)
    options.out.mkdir(parents=True, exist_ok=True)
    jobs = [(name, values[name], options.format, options.out) for name in chosen]
    texts = draw_all(jobs, options.jobs)
    listed = [
        (name, figure.title, figure.lecture, told)
        for (name, figure), told in zip(chosen.items(), texts, strict=True)
    ]
    page = options.out / "index.html"
    page.write_text(index(listed, options.format), encoding="utf-8", newline="\n")
    told = f"{count(len(chosen), 'figure')} as {', '.join(options.format)}"
    print(f"{told}, listed in {page.as_posix()}")
