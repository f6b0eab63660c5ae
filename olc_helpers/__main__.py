"""Command line of the course: `python -m olc_helpers figures` draws every figure to files."""

import argparse
from ast import literal_eval
from difflib import get_close_matches
from html import escape
from inspect import signature
from itertools import groupby
from pathlib import Path

FORMATS = ("svg", "pdf", "png")
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Figures of the course</title>
<style>
body {{ max-width: 56rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }}
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


class BadValue(ValueError):
    """A figure refused an argument that was set on the command line."""


def draw(job: tuple) -> str:
    """Write one figure in every format and return its caption; a job is (name, arguments, formats, folder)."""
    from .figures import load
    name, arguments, formats, folder = job
    try:
        figure = load()[name](**arguments)
    except (TypeError, ValueError) as error:
        if not arguments:
            raise
        raise BadValue(f"{name} can't be drawn with {arguments}: {error}") from None
    for kind in formats:
        figure.save(folder / f"{name}.{kind}", kind)
    return figure.caption


def draw_all(jobs: list, processes: int) -> list[str]:
    """Return the captions of all jobs, done by several processes and counted by a progress bar."""
    from tqdm import tqdm
    bar = {"total": len(jobs), "unit": " figures", "desc": "drawing"}
    if min(processes, len(jobs)) < 2:
        return list(tqdm(map(draw, jobs), **bar))
    from concurrent.futures import ProcessPoolExecutor
    with ProcessPoolExecutor(processes) as pool:
        return list(tqdm(pool.map(draw, jobs), **bar))


def index(figures: list, formats: tuple) -> str:
    """Return the page that shows the figures, given as (name, title, lecture, caption), under their lectures."""
    def entry(name, title, caption):
        shown = next((kind for kind in formats if kind != "pdf"), None)
        picture = f'<img src="{name}.{shown}" alt="{escape(caption)}">\n' if shown else ""
        links = ", ".join(f'<a href="{name}.{kind}">{name}.{kind}</a>' for kind in formats)
        return (f'<h3 id="{name}">{escape(title)}</h3>\n<figure>\n{picture}'
                f"<figcaption>{escape(caption)} <br>{links}</figcaption>\n</figure>")
    sections = []
    for lecture, group in groupby(sorted(figures, key=lambda f: f[2]), key=lambda f: f[2]):
        sections += [f"<h2>Lecture {escape(lecture)}</h2>", *(entry(name, title, caption) for name, title, _, caption in group)]
    return PAGE.format(sections="\n".join(sections))


def nearest(what: str, name: str, names) -> str:
    """Return the message for a name that does not exist."""
    near = ", ".join(get_close_matches(name, names, n=3, cutoff=0))
    return f"there is no {what} {name!r}; " + (f"the nearest names are: {near}" if near else "there is none at all")


def settings(texts: list[str], chosen: dict) -> dict:
    """Return {figure: {argument: value}} from texts NAME.ARG=VALUE, or raise a ValueError that says what is wrong."""
    values = {name: {} for name in chosen}
    for text in texts:
        target, equals, value = text.partition("=")
        name, dot, argument = target.partition(".")
        if not (equals and dot):
            raise ValueError(f"--set needs NAME.ARG=VALUE; got {text!r}")
        if name not in chosen:
            raise ValueError(nearest("figure to draw called", name, chosen))
        arguments = signature(chosen[name]).parameters
        if argument not in arguments:
            raise ValueError(nearest(f"argument of {name} called", argument, arguments))
        try:
            values[name][argument] = literal_eval(value)
        except (SyntaxError, ValueError):
            values[name][argument] = value
    return values


def kinds(text: str) -> tuple[str, ...]:
    """Return the formats of a list like svg,png."""
    if not set(text.split(",")) <= set(FORMATS):
        raise argparse.ArgumentTypeError(f"formats are {', '.join(FORMATS)}, separated by commas; got {text!r}")
    return tuple(kind for kind in FORMATS if kind in text.split(","))


def main(arguments: list[str] | None = None):
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m olc_helpers", description="Tools of the online learning course.")
    command = parser.add_subparsers(required=True, metavar="command").add_parser(
        "figures", help="draw the figures of the course to files, with an index page")
    command.add_argument("--only", nargs="+", metavar="NAME", help="names of figures (default: all)")
    command.add_argument("--format", type=kinds, default=FORMATS, metavar="LIST", help="default: svg,pdf,png")
    command.add_argument("--out", type=Path, default=Path("figures"), metavar="DIR", help="default: figures")
    command.add_argument("--set", action="append", default=[], metavar="NAME.ARG=VALUE", help="an argument of a figure")
    command.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: 2)")
    options = parser.parse_args(arguments)

    from .figures import load
    figures = load()
    try:
        for name in options.only or ():
            if name not in figures:
                raise ValueError(nearest("figure", name, figures))
        chosen = {name: figures[name] for name in options.only or figures}
        values = settings(options.set, chosen)
    except ValueError as error:
        command.error(str(error))
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        captions = draw_all([(name, values[name], options.format, options.out) for name in chosen], options.jobs)
    except BadValue as error:
        command.error(str(error))
    listed = [(name, f.title, f.lecture, caption) for (name, f), caption in zip(chosen.items(), captions, strict=True)]
    (options.out / "index.html").write_text(index(listed, options.format), encoding="utf-8")
    print(f"{len(chosen)} figures as {', '.join(options.format)}, listed in {options.out / 'index.html'}")


if __name__ == "__main__":
    main()
