"""How a proof is shown: where each of its lines is tightest, and all lines as text and as HTML.

Nothing here decides whether a line holds.
"""

import re
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING
from unicodedata import lookup, normalize

import numpy as np

from . import always
from .relations import SIGN, TOLERANCE, near
from .table import HEAD, cell, html_table, words

if TYPE_CHECKING:
    from .ledger import Ledger, Line

SEQUENCES = ("trial", "round", "step")  # entries that follow each other, so the first is a start
NARROW = 'style="text-align:left;white-space:nowrap"'
SLACK = (
    'aria-hidden="true" class="olc-slack{}" style="display:block;width:5em;height:0.5em;'
    "border-radius:0.3em;background:{};box-shadow:inset -{:.2g}em 0;"
    'color:var(--jp-border-color2,#DDD)"'
)
REASON = 'style="max-width:26em;white-space:normal;opacity:0.8"'


def _number(a: float) -> str:
    return f"{0 if abs(a) < TOLERANCE else a:.4g}"


# Where a line is tightest -------------------------------------------------------------------------


def telling(line: "Line") -> np.ndarray:
    """Return which entries say something: the violated ones, if there are any.

    Otherwise all but two kinds, which are passed over if another entry is left: those that say only
    where the sides start, and those on which nothing happened.
    """
    if line.violated.any():
        return line.violated
    passed = _only_a_start(line) | _nothing_happened(line)
    return passed if passed.all() else ~passed


def _at_start(line):
    """Return where each side has still its first value."""
    return near(line.lhs, line.lhs[:1]), near(line.rhs, line.rhs[:1])


def _moves(line):
    """Return whether neither side keeps its first value; the ends tell that of most."""
    return not any(
        near(side.min(), side[0]) and near(side.max(), side[0]) and near(side, side[:1]).all()
        for side in (line.lhs, line.rhs)
    )


def _nothing_happened(line):
    """Return where it says 0 = 0 though both sides move."""
    nothing = near(line.lhs, 0)
    return nothing & near(line.rhs, 0) & _moves(line) if nothing.any() else nothing


def _only_a_start(line):
    """Return where it says no more than equality at trial 1: there, if it is tight nowhere else; or
    as long as neither side has moved, if both do and the claim is on all trials.
    """
    tight, first = line.slack == 0, np.arange(len(line.slack)) == 0
    if line.of not in SEQUENCES or 1 not in line.trials[:1] or not tight[0]:
        return np.zeros_like(first)
    if tight.sum() == 1:
        return first
    if line.trials[-1] != len(line.trials) or not _moves(line):
        return np.zeros_like(first)
    left, right = _at_start(line)
    return left & right


def tightest(line: "Line") -> int | None:
    """Return the index of the telling entry with the least slack, None if there is no entry."""
    if not line.slack.size:
        return None
    entries = np.flatnonzero(line.telling)
    return int(entries[line.slack[entries].argmin()])


def where(line: "Line") -> str:
    """Return the tightest entry in words, and how many more of the telling ones have its slack."""
    k = line.tightest
    if k is None:
        return f"on no {line.of}"
    if len(line.trials) == 0:
        return "whole run" if line.of == "trial" else "in all"
    same = near(line.slack, line.slack[k])
    if same.all() and len(same) > 1:
        return f"all {len(same)}" + f" {line.of}s" * (line.of != "trial")
    more = int((same & line.telling).sum()) - 1
    return _entry(line, line.trials[k]) + f" and {more} more" * (more > 0)


def _entry(line, number):
    return f"t = {number}" if line.of == "trial" else f"{line.of} {number}"


def sides(line: "Line") -> str:
    """Return both sides where they are closest, or where the claim fails most, with the relation
    that holds there.
    """
    k = line.tightest
    if k is None:
        return ""
    sign = SIGN[line.relation][int(line.violated[k])]
    return f"{_number(line.lhs[k])} {sign} {_number(line.rhs[k])}"


# All lines ----------------------------------------------------------------------------------------


def _rows(ledger: "Ledger") -> Iterator[tuple[str, "Line", str, str, str, str]]:
    runs = all(line.of == "trial" for line in ledger.lines)
    for i, line in enumerate(ledger.lines, 1):
        slack = "" if line.tightest is None else _number(line.slack[line.tightest])
        place = line.where if runs else line.where.replace("whole run", "in all")
        mark = "✓"
        if not line.holds:
            t = line.first_violation
            mark = f"✗ first at {_entry(line, t)}" if t else "✗ fails"
        yield f"({i})", line, place, line.sides, slack, mark


ARGUMENT = r"\s*(\{[^{}]*\}|\\[a-z]+|\w)"
INDEX = str.maketrans("0123456789+-aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
POWER = str.maketrans("0123456789+-n*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ*")
SYMBOLS = {"le": " ≤ ", "ge": " ≥ ", "in": "∈", "cdot": "·", "sum": "Σ", "ell": "ℓ", "|": "‖"}
SYMBOLS |= {"lfloor": "⌊", "rfloor": "⌋", "ln": "ln ", "lg": "lg ", "min": "min ", "max": "max "}
SYMBOLS |= {"lambda": "λ", "Lambda": "Λ", "mathcal": ""}  # LAMDA in Unicode
ABOVE = {"hat": "\u0302", "tilde": "\u0303"}


def unicode(latex: str) -> str:
    r"""Return a formula as a line of text.

    >>> unicode(r"\ln W_{t+1} \le \ln W_t + \ln\tfrac{1+\beta}2")
    'ln Wₜ₊₁ ≤ ln Wₜ + ln ((1+β)/2)'
    >>> unicode(r"\sum_{i\in\mathcal T} \lg w_{t,i} = \Lambda_t")
    'Σ_(i∈T) lg wₜ,ᵢ = Λₜ'
    """

    def symbol(match):
        name = match[1]
        small = "SMALL" if name.islower() else "CAPITAL"
        return SYMBOLS[name] if name in SYMBOLS else lookup(f"GREEK {small} LETTER {name.upper()}")

    def script(match):
        table, inner = (INDEX if match[1] == "_" else POWER), match[2].strip("{}")
        if set(inner) <= {*map(chr, table), ","}:
            return inner.translate(table)
        return f"{match[1]}({inner})" if len(inner) > 1 else match[0]

    def fraction(match):
        above, below = (
            f"({part})" if re.search("[-+*/ ]", part) else part
            for part in (each.strip("{}") for each in match.groups())
        )
        return f"({above}/{below})"

    text = re.sub(r"\\[,;:!]", " ", latex)
    for name, mark in ABOVE.items():
        text = re.sub(rf"\\{name}\s*\{{?(\\[a-z]+|\w)\}}?", rf" \1{mark}", text)
    text = re.sub(r"\\(?![td]?frac)([A-Za-z]+|\|)(?: (?![=<>+-]))?", symbol, text)
    while (simpler := re.sub(r"([_^])(\{[^{}]*\}|\w|[+*-])", script, text)) != text:
        text = simpler
    text = re.sub(r"\\[td]?frac" + ARGUMENT * 2, fraction, text)
    return normalize("NFC", " ".join(text.split())).replace(" _(", "_(")


def room(line: "Line") -> str:
    """Return a bar for the slack of a line where it is tightest, in parts of the larger side."""
    from .palette import GREEN, MID, VERMILLION

    k = line.tightest
    largest = 0 if k is None else max(abs(line.lhs[k]), abs(line.rhs[k]))
    if not 0 < largest < np.inf:
        return ""
    short = 5 - 5 * min(1, max(0.06, float(abs(line.slack[k])) / largest))
    look = "", f"linear-gradient(to right,{VERMILLION},{MID} 40%,{GREEN})"
    if not line.holds:
        look = " broken", VERMILLION
    return cell("", SLACK.format(*look, short), "span")


def text(ledger: "Ledger") -> str:
    """Return a row of text for each line of a ledger."""
    latex = max(len(line.latex) for line in ledger.lines)
    width = max(len(line.where) for line in ledger.lines)
    rows = [
        f"{i} {line.latex:{latex}}  {place:>{width}}  {both:>22}  slack {slack:>8}  {mark}"
        for i, line, place, both, slack, mark in _rows(ledger)
    ]
    found = "every line holds" if ledger.holds else "VIOLATED"
    return "\n".join([f"{ledger.name}: {found}", *rows])


def html(ledger: "Ledger") -> str:
    """Return the same as a table, with the reasons."""
    names = ["line", "claim", "tightest at", "both sides there", "slack", "holds"]
    rows = []
    for i, line, place, both, slack, mark in _rows(ledger):
        why = cell(words(line.why), REASON, "div") * bool(line.why)
        said = f"${escape(line.latex)}${why}"
        row = i, said, place, escape(both), slack + room(line), mark
        rows.append([cell(each, NARROW) for each in row])
    if proved := always.of(ledger.theorem, len(ledger.lines)):
        names.append(cell("always", f'title="{always.LEGEND}"', "span"))
        for entries, (mark, why) in zip(rows, proved, strict=True):
            entries.append(cell(mark, f'{NARROW} title="{escape(why)}"'))
    found = "every line holds ✓" if ledger.holds else "violated ✗"
    title = f"{words(ledger.name)}: ${escape(ledger.statement)}$ — {found}"
    return html_table(title, [cell(name, HEAD, "th") for name in names], rows)
