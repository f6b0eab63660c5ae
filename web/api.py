"""The public names of the package, for the API page: signatures and docstrings as they are written,
read by griffe without running anything.

Griffe and not pdoc: a signature is shown as the source has it (`X: ArrayLike`), where a live object
would say what numpy makes of it, seven lines long.
"""

import ast
import re
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from itertools import takewhile

import griffe
import where
from lectures import Cell, Page
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonConsoleLexer

import olc_helpers
from olc_helpers.figures import load
from olc_helpers.overview.course import ITEM

# What users write, in the order of the page; the first one is the package itself.
FACES = (
    "",
    "learners",
    "proofs",
    "streams",
    "adversaries",
    "figures",
    "losses",
    "booleans",
    "kernels",
    "reductions",
    "sequences",
    "structures",
    "dimensions",
    "batch",
    "clinic",
)
LONG = 80  # characters from which a signature has a line for each argument


@dataclass(frozen=True)
class Name:
    """A public name: what a user writes, what it is, how it is called, its docstring, the lecture
    and the cell that use it first, and, for a class, its own names.
    """

    written: str
    kind: str
    call: str
    doc: str
    lecture: Page | None = None
    cell: Cell | None = None
    members: list["Name"] = field(default_factory=list)

    @property
    def summary(self) -> str:
        """The first sentence of the docstring."""
        return " ".join(self.doc.partition("\n\n")[0].split())


@dataclass(frozen=True)
class Face:
    """A module that users import names from."""

    name: str
    doc: str
    names: list[Name]


def faces(course: list[Page]) -> list[Face]:
    """Return the faces of the package with their public names. A name that the package itself has
    too is written without its face.
    """
    used, items = uses(course), taught(course)
    package = griffe.load("olc_helpers", search_paths=[str(where.ROOT)], resolve_aliases=True)
    found, taken = [], set()
    for face in FACES[1:]:
        names = public(face)
        found.append(Face(face, doc_of(package[face]), [
            described(package, face, name, used, items) for name in names
        ]))  # fmt: skip
        taken |= {*names}
    own = [n for n in olc_helpers.NAMES if n not in taken and n not in FACES]
    names = [described(package, "", name, used, items) for name in own]
    return [Face("", doc_of(package), names), *found]


def public(face: str) -> list[str]:
    """Return the public names of a face: those that it lists, those that it registers, or those
    that it defines.
    """
    module = import_module(f"olc_helpers.{face}")
    if face == "figures":
        return [name for name, _ in sorted(load().items(), key=lambda item: item[1].lecture)]
    if hasattr(module, "__all__"):
        return list(module.__all__)
    return [
        name
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__ and not name.startswith("_")
    ]


def described(package, face: str, name: str, used: dict, items: dict) -> Name:
    """Return what there is to know about a public name. It is taught where its own lecture uses it,
    or else the first that does, or else with the items that its docstring names.
    """
    value = getattr(import_module(f"olc_helpers.{face}".rstrip(".")), name)
    known = package[face].members if face else package.members
    if name in known:
        thing = known[name]
    else:  # it is imported when it is asked for
        thing = package[f"{value.__module__}.{value.__name__}".partition(".")[2]]
    thing = thing.final_target if thing.is_alias else thing
    written = name if not face or name in olc_helpers.NAMES else f"{face}.{name}"
    places = used.get(written, []) + used.get(f"{face}.{name}", [])
    places.sort(key=lambda place: place[0].number != getattr(value, "lecture", place[0].number))
    places += [items[item] for item in ITEM.findall(doc_of(thing)) if item in items]
    lecture, cell = next(iter(places), (None, None))
    members = []
    if thing.is_class:
        members = [
            Name(f"{written}.{part}", kind_of(m), call(m, part), doc_of(m))
            for part, m in thing.all_members.items()
            for m in [m.final_target if m.is_alias else m]
            if not part.startswith("_") and m.docstring
        ]
    return Name(written, kind_of(thing), call(thing, name), doc_of(thing), lecture, cell, members)


def kind_of(thing) -> str:
    """Return what a name is, in a word."""
    if "property" in thing.labels:
        return "property"
    return "constant" if thing.kind.value == "attribute" else thing.kind.value


def doc_of(thing) -> str:
    """Return the docstring of a name, without its indentation."""
    if thing.docstring:
        return thing.docstring.value.strip()
    return comment_above(thing) if thing.is_attribute else ""


def comment_above(thing) -> str:
    """Return the comment that stands above a constant."""
    before = thing.filepath.read_text(encoding="utf-8").splitlines()[: thing.lineno - 1]
    lines = list(takewhile(lambda line: line.startswith("# "), reversed(before)))
    return "\n".join(line[2:] for line in reversed(lines))


def call(thing, name: str) -> str:
    """Return how a name is written in code: a call with its arguments, or a value."""
    if thing.is_class:
        start = thing.all_members.get("__init__")
        if start is None:
            return name
        start = start.final_target if start.is_alias else start
        return wrapped(start.signature(name=name, return_type=False))
    if thing.is_function:
        return wrapped(thing.signature(name=name))
    if thing.is_attribute and "property" not in thing.labels and thing.value is not None:
        value = str(thing.value)
        return f"{name} = {value if len(value) < 2 * LONG else value[: 2 * LONG] + ' …'}"
    return name


def wrapped(signature: str) -> str:
    """Return a long signature with a line for each argument."""
    if len(signature) <= LONG:
        return signature
    tree = ast.parse(f"def {signature}: ...").body[0]
    opening, closing = signature.index("("), signature.rindex(")")
    if tree.returns is not None:
        closing = signature.rindex(") ->")
    return (
        signature[: opening + 1]
        + "".join(f"\n    {part}," for part in arguments(signature[opening + 1 : closing]))
        + "\n"
        + signature[closing:]
    )


def arguments(text: str) -> list[str]:
    """Return the arguments of a signature, split at the commas outside of brackets and quotes.

    >>> arguments("a: dict[str, int], b=(1, 2), *, c=', '")
    ['a: dict[str, int]', 'b=(1, 2)', '*', "c=', '"]
    """
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if letter in "\"'" and (not quote or quote == letter):
            quote = "" if quote else letter
        depth += 0 if quote else (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def uses(course: list[Page]) -> dict[str, list[tuple[Page, Cell]]]:
    """Return for each name that lectures import and use, such as `play`, or attribute of one, such
    as `proofs.novikoff`, the first cell that uses it in each of them. The map is left out.
    """
    used = {}
    for lecture in course[1:]:
        code = [(c, list(ast.walk(ast.parse(c.source)))) for c in lecture.code]
        written = {}  # how the API page writes what the lecture imports
        for _, nodes in code:
            for node in nodes:
                if isinstance(node, ast.ImportFrom) and node.module.startswith("olc_helpers"):
                    face = node.module.removeprefix("olc_helpers").lstrip(".")
                    written |= {a.name: f"{face}.{a.name}".lstrip(".") for a in node.names}
        first = {}
        for cell, nodes in code:
            for node in nodes:
                if isinstance(node, ast.Name) and node.id in written:
                    first.setdefault(written[node.id], (lecture, cell))
                elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    first.setdefault(f"{node.value.id}.{node.attr}", (lecture, cell))
        for name, place in first.items():
            used.setdefault(name, []).append(place)
    return used


def taught(course: list[Page]) -> dict[str, tuple[Page, Cell]]:
    """Return the lecture and the first cell that teach an item of the inventory."""
    places = {}
    for lecture in course:
        for cell in lecture.cells:
            for item in cell.tags:
                places.setdefault(item, (lecture, cell))
    return places


def html(doc: str, items: dict[str, tuple[Page, Cell]]) -> str:
    """Return a docstring as HTML: paragraphs, lists, code, examples; `items` says where an item of
    the inventory is taught.
    """
    parts = []
    for part in re.split(r"\n\s*\n", doc):
        if part.lstrip().startswith(">>>"):
            code = highlight(part, PythonConsoleLexer(), HtmlFormatter())
            parts.append(code.replace("<pre>", '<pre tabindex="0">'))
        elif part.startswith("- "):
            rows = re.split(r"\n- ", part[2:])
            parts.append(
                "<ul>" + "".join(f"<li>{inline(row, items)}</li>" for row in rows) + "</ul>"
            )
        elif part:
            parts.append(f"<p>{inline(part, items)}</p>")
    return "\n".join(parts)


def inline(text: str, items: dict[str, tuple[Page, Cell]]) -> str:
    """Return a sentence of a docstring as HTML."""
    code = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(" ".join(text.split()), quote=False))

    def link(match):
        if match[0] not in items:
            return match[0]
        lecture, cell = items[match[0]]
        return f'<a href="{lecture.at(cell)}">{match[0]}</a>'

    return ITEM.sub(link, code)
