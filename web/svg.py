"""Figures as SVG for the page: text stays text, the colours of the palette are the page's own, and
what a picture is made of is a list of parts, most of which it shares with its neighbours.
"""

import io
import re
from collections.abc import Iterator
from functools import partial
from html import escape
from xml.etree import ElementTree as Tree

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.collections import QuadMesh
from matplotlib.text import Annotation

from olc_helpers import palette
from olc_helpers.canvas import Figure, styled

PHONE = 358  # pixels of a picture on a phone
BEHIND = "behind-"  # names of labels to the right of a panel
SHARP = 160  # dots per inch of the cells of a heat map, which stay a bitmap
# the page's type, beside that of the figure; a sentence in a figure is set as the text is
LARGER = {"word": 1.06, "small": 1.2, "capital": 0.98, "sentence": 1.2}
COLOURS = {
    colour.lower(): f"var(--{name.lower().replace('_', '-')},{colour.lower()})"
    for name, colour in vars(palette).items()
    if re.fullmatch("#[0-9A-F]{6}", str(colour))
} | {"#ffffff": "var(--paper,#ffffff)"}
COLOUR = re.compile("|".join(COLOURS))
FONT = re.compile(r"; font-family: .*?(?=;|$)|font-style: oblique; ")
LONG = re.compile(r"(-?\d+)\.(\d)(\d?)\d*")
SIZE = re.compile(r"[\d.]+(?=px)")
UNSAID = "Creator", "Date", "Format", "Type"


def inline(entry: dict) -> str:
    """Return the picture of an entry of the manifest as an element of a page."""
    width, height = entry["width"], entry["height"]  # at 120 dots per inch, drawn at 72
    least = min(0.62 * width, 660)  # on a phone it scrolls, so that its letters can be read
    return (
        f'<svg role="img" aria-label="{escape(entry["description"])}" width="{width}"'
        f' height="{height}" viewBox="0 0 {0.6 * width:.1f} {0.6 * height:.1f}"'
        f' style="min-width: {least:.0f}px; {narrow(entry)}">{entry["drawing"]}</svg>'
    )


def narrow(entry: dict) -> str:
    """Return what a phone must know of a picture with labels behind its lines: which part of it is
    shown there, and how much larger its letters are; without such labels, it scrolls.
    """
    if entry["right"] == 1:
        return ""
    letter = 11.6 * PHONE / (0.6 * entry["width"] * entry["right"])  # pixels of the larger ones
    return f"--right: {entry['right']:.3f}; --type: {max(1, 11.5 / letter):.2f}"


def right(figure: Figure) -> float:
    """Return which part of a figure's width its panels take, if there are labels behind it."""
    ends = {round(ax.get_position().x1, 2) for ax in figure.axes}
    return max(ends) + 0.02 if len(ends) == 1 and figure.findobj(behind) else 1


def behind(part: Artist) -> bool:
    """Whether something is a label to the right of its panel."""
    return (
        isinstance(part, Annotation) and "axes fraction" in part.xycoords and 1 < part.xy[0] < 1.02
    )


def parts(figure: Figure) -> list[str]:
    """Return the elements that a figure is made of, without groups that only name them."""
    for mesh in figure.findobj(QuadMesh):
        mesh.set_rasterized(True)
    for number, label in enumerate(figure.findobj(behind)):
        label.set_gid(f"{BEHIND}{number}")
    file, dpi, figure.dpi = io.StringIO(), figure.dpi, SHARP
    with styled(), mpl.rc_context({"svg.fonttype": "none"}):
        FigureCanvasSVG(figure).print_svg(file, metadata=dict.fromkeys(UNSAID))
    figure.dpi = dpi
    text = file.getvalue().replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)
    root = Tree.fromstring(text.replace("xlink:href", "href"))
    named = {*re.findall(r'(?:href="|url\()#([\w-]+)', text)}
    drawn = [Tree.tostring(part, "unicode") for part in leaves(root, named)]
    return [*drawn, *(trials(ax) for ax in figure.axes if counts(ax))]


def counts(ax: Axes) -> bool:
    """Whether the trials stand along these axes, or along those below that share their range."""
    names = [each.get_xlabel() for each in ax.get_shared_x_axes().get_siblings(ax)]
    return ax.get_xscale() == "linear" and any(name.startswith("trial") for name in names)


def trials(ax: Axes) -> str:
    """Return an area that cannot be seen: it says where a script finds a trial in the picture."""
    width, height = 72 * ax.get_figure().get_size_inches()
    x, y, wide, high = ax.get_position().bounds
    first, last = ax.get_xlim()
    return (
        f'<rect class="trials" data-low="{first:.4g}" data-high="{last:.4g}" fill="none"'
        f' x="{x * width:.1f}" y="{(1 - y - high) * height:.1f}" width="{wide * width:.1f}"'
        f' height="{high * height:.1f}" />'
    )


def leaves(group: Tree.Element, named: set[str]) -> Iterator[Tree.Element]:
    """Yield the elements of a group and of the groups in it, as plain as they can be."""
    for part in group:
        part.tail = None
        if part.get("id", "").startswith(BEHIND):
            part.set("class", "end")
        if part.get("id") not in named:
            part.attrib.pop("id", None)
        if part.tag == "g" and not part.attrib:
            yield from leaves(part, named)
        elif part.tag not in ("metadata", "style"):
            if len(part):
                part.text = None
                part[:] = words(part) if part.tag == "text" else leaves(part, named)
            if len(part) or part.tag != "defs":
                simplify(part)
                yield part


def simplify(part: Tree.Element) -> None:
    """Leave of the attributes what the page does not say, with the digits that can be seen."""
    if "fill" in part.attrib:
        part.set("style", f"fill: {part.attrib.pop('fill')}")
    for name, value in part.items():
        if value.startswith("rotate(-0 "):
            del part.attrib[name]
        elif name == "style":
            style = COLOUR.sub(lambda found: COLOURS[found[0]], FONT.sub("", value))
            if part.tag in ("text", "tspan"):
                if "font-style: italic" in style:
                    part.set("class", "sentence")
                style = SIZE.sub(partial(scaled, LARGER[part.get("class", "word")]), style)
            part.set(name, style)
        elif name not in ("href", "id", "class"):
            part.set(name, LONG.sub(digits, " ".join(value.split())))


def scaled(by: float, size: re.Match) -> str:
    """Return the size of a letter, larger."""
    return f"{by * float(size[0]):.3g}"


def digits(number: re.Match) -> str:
    """Return a number with one digit behind the point, or two if it is small."""
    whole, *behind = number.groups()
    return f"{whole}.{behind[0]}" if len(whole.lstrip("-")) > 1 else f"{whole}.{''.join(behind)}"


def words(formula: Tree.Element) -> Iterator[Tree.Element]:
    """Yield the letters of a formula, each of which has its place; those of a word together."""
    found, before = [], None
    for letter in sorted(formula, key=lambda each: float(each.get("x"))):
        style, letter.tail = letter.get("style"), None
        plain = re.fullmatch(r"[\w\s,.:;()’'-]", letter.text) and "oblique" not in style
        look = (letter.get("y"), style) if plain else None
        if plain and look == before:
            found[-1].text += letter.text
        elif letter.text.strip():
            if "oblique" in style:
                letter.set("class", "capital" if letter.text.isupper() else "small")
            found.append(letter)
        before = look if letter.text.strip() or look == before else None
    for word in found:
        simplify(word)
        yield word
