"""Tables that a notebook shows as HTML and a terminal as lines of text."""

import re
from dataclasses import dataclass
from html import escape, unescape

LEFT = 'style="text-align:left;vertical-align:top;font-weight:normal"'


@dataclass(frozen=True)
class Table:
    """Rows of HTML cells under a caption; without HTML the same as lines of text."""

    caption: str
    head: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def _repr_html_(self):
        head = "".join(
            f'<th scope="col" style="text-align:left">{title}</th>' for title in self.head
        )
        body = "".join(
            f'<tr><th scope="row" {LEFT}>{first}</th>'
            + "".join(f"<td {LEFT}>{cell}</td>" for cell in rest)
            + "</tr>"
            for first, *rest in self.rows
        )
        return (
            f'<table><caption style="caption-side:top;text-align:left">{self.caption}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )

    def __repr__(self):
        lines = [
            " | ".join(unescape(re.sub("<[^>]+>", "", cell)) for cell in row)
            for row in [self.head, *self.rows]
        ]
        return "\n".join([self.caption, *lines])


class Folded(dict):
    """Tables by title; a click on a title opens its table."""

    def _repr_html_(self):
        return "".join(
            f"<details><summary>{escape(title)}</summary>{table._repr_html_()}</details>"
            for title, table in self.items()
        )

    def __repr__(self):
        return "\n\n".join(f"{title}\n{table!r}" for title, table in self.items())
