"""Tables that a notebook shows as HTML and a terminal as lines of text; ledgers and grades are
built of the same pieces.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape, unescape

TOP = 'style="caption-side:top;text-align:left"'
HEAD = 'scope="col" style="text-align:left"'
LEFT = 'style="text-align:left;vertical-align:top;font-weight:normal"'
# an index in words: the t+1 of w_{t+1}, the i of x_i
INDEX = re.compile(r"(?<=\w)_(?:\{([^}]*)\}|(\w)\b)")


def words(text: str) -> str:
    """Return words as HTML, an index below its letter."""
    return INDEX.sub(r"<sub>\1\2</sub>", escape(text))


def _line(html: str) -> str:
    """Return HTML with each index as it is written in a line of text."""
    return re.sub(r"<sub>(\w)</sub>", r"_\1", re.sub(r"<sub>(\w[^<]+)</sub>", r"_{\1}", html))


def cell(content: object, look: str = "", kind: str = "td") -> str:
    """Return a cell of HTML, or another element; `look` are its attributes."""
    return f"<{kind}{' ' * bool(look)}{look}>{content}</{kind}>"


def html_table(
    caption: str, head: Iterable[str], rows: Iterable[Iterable[str]], look: str = TOP
) -> str:
    """Return a table as HTML from the cells of its head and of its rows; `look` is that of the
    caption.
    """
    body = "".join(cell("".join(row), kind="tr") for row in rows)
    return (
        f"<table>{cell(caption, look, 'caption')}<thead><tr>{''.join(head)}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


@dataclass(frozen=True)
class Table:
    """Rows of HTML cells under a caption; without HTML the same as lines of text."""

    caption: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def _repr_html_(self) -> str:
        head = (cell(title, HEAD, "th") for title in self.head)
        rows = (
            (cell(first, f'scope="row" {LEFT}', "th"), *(cell(entry, LEFT) for entry in rest))
            for first, *rest in self.rows
        )
        return html_table(self.caption, head, rows)

    def __repr__(self) -> str:
        lines = [
            " | ".join(unescape(re.sub("<[^>]+>", "", _line(entry))) for entry in row)
            for row in [self.head, *self.rows]
        ]
        return "\n".join([self.caption, *lines])


class Folded(dict):
    """Tables by title; a click on a title opens its table."""

    def _repr_html_(self) -> str:
        return "".join(
            f"<details><summary>{escape(title)}</summary>{table._repr_html_()}</details>"
            for title, table in self.items()
        )

    def __repr__(self) -> str:
        return "\n\n".join(f"{title}\n{table!r}" for title, table in self.items())
