"""Cut a student's notebook to a bearable size, and take its teeth out before a teacher opens it in
a browser.
"""

import base64
import html
import json
import re
from html.parser import HTMLParser

import nbformat
import nh3

from .classroom import plain
from .examine import is_test, mark

TEXT = 110_000  # characters of a source, of a text and of a traceback
PICTURE = 2 * 2**20  # characters of a picture
OUTPUTS = 100  # of a cell
NOTEBOOK = 8 * 2**20  # characters of all outputs and pictures
PICTURES = ("image/png", "image/jpeg")
TAGS = {
    *"b br caption code div em h1 h2 h3 h4 i li ol p pre span strong sub sup table tbody td th"
    " thead tr ul".split()
}
ATTRIBUTES = {"td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan", "scope"}}
MACROS = re.compile(r"\\(href|url|class|cssId|style|require|unicode|mmlToken|html\w*)\b")
LINK = re.compile(r"(!?)\[([^][\n]*)\]\(((?:[^()\n]|\([^()\n]*\))*)\)")
LEADS = {  # where a link and a picture of a student may lead: not to a page of the teacher's server
    "href": r"https?://\w|mailto:[^@?#/]+@\w",
    "src": r"data:image/(png|jpeg);",
}
METADATA = {
    "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
    "language_info": {"name": "python"},
}


# Size ---------------------------------------------------------------------------------------------


def shorten(text, most=TEXT) -> str:
    """Return a text of at most so many characters, which says that it was cut."""
    text = (
        text
        if isinstance(text, str)
        else "".join(map(str, text))
        if isinstance(text, list)
        else str(text)
    )
    return (
        text
        if len(text) <= most
        else f"{text[:most]}\n… cut: {most} of {len(text)} characters are shown\n"
    )


def _output(output):
    """Return an output with bounded parts."""
    if output.output_type == "stream":
        return output | {"text": shorten(output.text)}
    if output.output_type == "error":
        lines = shorten("\n".join(map(str, output.traceback))).split("\n")
        return output | {
            "ename": shorten(output.ename, 100),
            "evalue": shorten(output.evalue, 10_000),
            "traceback": lines,
        }
    data = {
        mime: shorten(text, PICTURE if mime.startswith("image/") else TEXT)
        for mime, text in output.data.items()
    }
    for mime in [mime for mime in data if mime.startswith("image/") and len(data[mime]) > PICTURE]:
        del data[mime]  # half a picture is none
        data["text/plain"] = f"a picture of more than {PICTURE // 2**20} MB was left out"
    return output | {"data": data}


def bound(nb):
    """Return the notebook without what no page can show: no cell, text, picture or list of outputs
    is without end.
    """
    room = NOTEBOOK
    for cell in nb.cells:
        cell.source = shorten(cell.source)
        cell.metadata = {"nbgrader": mark(cell)} if mark(cell) else {}
        for part in (cell.get("attachments") or {}).values():
            room -= sum(map(len, part.values()))
        if room < 0:
            cell.pop("attachments", None)
        if cell.cell_type != "code":
            continue
        kept = [nbformat.from_dict(_output(output)) for output in cell.outputs[:OUTPUTS]]
        for output in kept:
            room -= len(json.dumps(output))
        errors = [output for output in kept if output.output_type == "error"]
        if room < 0:
            kept = [
                *errors,
                _said(f"left out: the outputs of a notebook may have {NOTEBOOK // 2**20} MB"),
            ]
        elif len(cell.outputs) > OUTPUTS:
            errors = [] if errors else [o for o in cell.outputs if o.output_type == "error"][:1]
            kept += [
                *(_output(o) for o in errors),
                _said(f"cut: {OUTPUTS} of {len(cell.outputs)} outputs are shown"),
            ]
        cell.outputs = kept
    for number, cell in enumerate(nb.cells):
        cell.id = f"cell-{number}"
    nb.metadata, nb.nbformat_minor = METADATA, 5
    # Half a character is a question mark.
    text = json.dumps(nb, ensure_ascii=False).encode("utf-8", "replace")
    return nbformat.from_dict(json.loads(text))


def _said(text):
    """Return a remark; in a test cell nbgrader takes what stands in stderr for a failure."""
    return nbformat.v4.new_output("stream", name="stdout", text=f"… {text}\n")


# Scripts ------------------------------------------------------------------------------------------


class Dangers(HTMLParser):
    """Finds in a page what could run a script: now, or when somebody clicks."""

    def __init__(self, page: str):
        super().__init__()
        self.found = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag in (
            "script",
            "style",
            "iframe",
            "object",
            "embed",
            "form",
            "base",
            "meta",
            "link",
            "svg",
            "math",
        ):
            self.found.append(tag)
        for name, value in attributes:
            address = re.sub(r"[\x00-\x20]", "", value or "").lower()
            astray = name in LEADS and not re.match(LEADS[name], address)
            if astray or "mermaid" in address or re.match("on|srcdoc|(form)?action", name):
                self.found.append(f"{name}={value}")

    def handle_data(self, data):
        self.found += [match[0] for match in MACROS.finditer(data) if self.cdata_elem is None]


def render(source: str, attachments: dict) -> str:
    """Return a Markdown text as the pages of nbgrader will show it."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    renderer = IPythonRenderer(escape=False, attachments=attachments, exclude_anchor_links=True)
    return MarkdownWithMath(renderer=renderer).render(source)


def dangers(source: str, attachments: dict) -> list[str]:
    """Return what is dangerous in a Markdown text."""
    try:
        return Dangers(render(source, attachments)).found
    except Exception as error:
        return [type(error).__name__]


def quoted(text) -> str:
    """Return a text to stand between two `: there nothing is a link, a tag or a formula."""
    return plain(text).translate(str.maketrans("`$\\", "'＄∖"))


def verbatim(source: str, why: str) -> str:
    """Return Markdown that shows a text as it was typed."""
    fence = "`" * (3 + max(map(len, re.findall("`+", source)), default=0))
    return f"**Shown as it was typed: {why}.**\n\n{fence}\n{source}\n{fence}"


def _markdown(cell):
    """Change a written answer so that it holds text, formulas, tables, pictures and links, and
    nothing that runs.
    """
    pictures = {
        str(name): {mime: _base64(parts[mime]) for mime in PICTURES if mime in parts}
        for name, parts in (cell.pop("attachments", None) or {}).items()
        if isinstance(parts, dict)
    }
    if cell.cell_type == "markdown" and pictures:
        cell.attachments = pictures
    # No tag any more, and the same formula.
    cell.source = re.sub(r"<(?=[A-Za-z/!?])", "< ", cell.source)
    if dangers(cell.source, pictures):
        cell.source = LINK.sub(lambda link: _led(link, pictures), cell.source)
    if found := dangers(cell.source, pictures):
        cell.source = verbatim(cell.source, f"it holds {shorten(html.escape(found[0]), 60)!r}")


def _led(link: re.Match, pictures: dict) -> str:
    """Return a link or a picture, or its text if it leads where none may lead."""
    picture, text, address = link.groups()
    kept = picture and address.removeprefix("attachment:") in pictures
    if kept or re.match(LEADS["src" if picture else "href"], address):
        return link[0]
    return f"{text} (left out: `{quoted(address)}`)"


def _base64(text) -> str:
    return re.sub(r"[^A-Za-z0-9+/=]", "", shorten(text, PICTURE))


def _html(text):
    cleaned = nh3.clean(text, tags=TAGS, attributes=ATTRIBUTES)
    return "" if Dangers(cleaned).found else cleaned


def _latex(text):
    return "" if Dangers(text).found or "<" in text else text


def _svg(text):
    """Return a drawing as a picture: there no script runs."""
    return (
        '<img alt="a drawing"'
        f' src="data:image/svg+xml;base64,{base64.b64encode(text.encode()).decode()}">'
    )


KEPT = {  # the kinds of output that stay: what they become, and how
    "text/plain": ("text/plain", str),
    "text/html": ("text/html", _html),
    "text/latex": ("text/latex", _latex),
    "image/svg+xml": ("text/html", _svg),
    "image/png": ("image/png", _base64),
    "image/jpeg": ("image/jpeg", _base64),
}


def disarm(nb, trusted=()):
    """Change the notebook so that no script of a student runs: text stays text, tables stay tables,
    active contents go. Texts of the teacher, `trusted`, stay as they are.
    """
    for cell in nb.cells:
        if cell.cell_type != "code":
            if cell.source not in trusted or "attachments" in cell:
                _markdown(cell)
        elif not is_test(cell):
            for output in cell.outputs:
                if "data" in output:
                    made = {
                        new: make(output.data[mime])
                        for mime, (new, make) in KEPT.items()
                        if mime in output.data
                    }
                    output.data, output.metadata = (
                        {mime: text for mime, text in made.items() if text},
                        {},
                    )


def undress(nb):
    """Change the notebook to plain text: for one that took too long to disarm."""
    for cell in nb.cells:
        if cell.cell_type != "code":
            cell.pop("attachments", None)
            cell.source = verbatim(cell.source, "it took too long to format")
        elif not is_test(cell):
            cell.outputs = [output for output in cell.outputs if "data" not in output]
