"""The index of the search: sections, theorems, figures, symbols and names, as plain text in one
script, which `static/search.js` reads; it works from files.
"""

import json
import re
import unicodedata
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup
from lectures import Page
from previews import glossary

if TYPE_CHECKING:
    from api import Face
    from indexes import Shown, Statement

# kind, title, address, lecture, text
Entry = tuple[str, str, str, str, str]

SIGNS = {
    "le": "≤", "ge": "≥", "ne": "≠", "neq": "≠", "in": "∈", "cdot": "·", "times": "×", "pm": "±",
    "infty": "∞", "sum": "∑", "prod": "∏", "to": "→", "rightarrow": "→", "leftarrow": "←",
    "Rightarrow": "⇒", "Leftrightarrow": "⇔", "vee": "∨", "wedge": "∧", "neg": "¬", "cup": "∪",
    "cap": "∩", "subseteq": "⊆", "setminus": "∖", "emptyset": "∅", "forall": "∀", "exists": "∃",
    "approx": "≈", "sim": "∼", "ell": "ℓ", "sqrt": "√", "dots": "…", "ldots": "…", "cdots": "⋯",
    "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "lVert": "‖", "rVert": "‖",
    "Vert": "‖", "|": "‖", "mid": "|", "square": "", "langle": "⟨", "rangle": "⟩", "perp": "⊥",
    "ln": "ln ", "lg": "lg ", "log": "log ", "min": "min ", "max": "max ", "exp": "exp ",
    "Pr": "Pr ", "cos": "cos ", "sin": "sin ", "lim": "lim ", "operatorname": "", "{": "{",
    "}": "}", "%": "%", "#": "#", "varepsilon": "ε", "vartheta": "ϑ", "phi": "φ", "varphi": "φ",
}  # fmt: skip
ARGUMENT = r"\s*(?:\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}|(\\[A-Za-z]+|[^\s\\{}]))"


def symbol(match: re.Match) -> str:
    """Return a command of LaTeX as a letter or a sign, or nothing if it only says how to set it."""
    name = match[1]
    if name in SIGNS:
        return SIGNS[name]
    size = "SMALL" if name[0].islower() else "CAPITAL"
    letter = {"lambda": "lamda", "Lambda": "lamda"}.get(name, name)
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {letter.upper()}")
    except KeyError:
        return ""


def formula(latex: str) -> str:
    r"""Return a formula as plain text, as one would type it.

    >>> formula(r"M \le \frac{\ln\frac1\beta}{2}\, m, \quad (R/\gamma)^2, w_{t+1}")
    'M ≤ (ln 1/β)/2 m, (R/γ)^2, w_t+1'
    """
    latex = re.sub(
        r"\\(?:begin|end)\{\w+\}(?:\{\w*\})?|\\(?:[bB]igg?[lrm]?|left|right)(?![A-Za-z])", "", latex
    )
    latex = re.sub(
        r"\\(?:text|mathrm|mathbb|mathcal|mathbf|rm|hat|bar|tilde|vec)(?![A-Za-z])\s*", "", latex
    )
    latex = re.sub(r"\\\\|\\[,;:! ]|\\q?quad|\\displaystyle|~|&", " ", latex)
    while found := re.search(rf"\\sqrt(?![A-Za-z]){ARGUMENT}", latex):
        root = formula(found[1] or found[2])
        root = f"({root})" if re.search(r"\W", root) else root
        latex = f"{latex[: found.start()]}√{root}{latex[found.end() :]}"
    while found := re.search(rf"\\[td]?(frac|binom)(?![A-Za-z]){ARGUMENT}{ARGUMENT}", latex):
        top, bottom = (formula(found[k] or found[k + 1]) for k in (2, 4))
        top, bottom = (f"({a})" if re.search(r"\W", a) else a for a in (top, bottom))
        latex = latex[: found.start()] + (
            f"{top}/{bottom}" if found[1] == "frac" else f"C({top},{bottom})"
        ) + latex[found.end() :]  # fmt: skip
    plain = re.sub(r"\\([A-Za-z]+|[|{}%#])", symbol, latex.replace("^*", "∗"))
    return " ".join(re.sub(r"(?<!\\)[{}]", "", plain).split())


def plain(markdown: str) -> str:
    """Return markdown as plain text, with its formulas and its folded parts."""
    text = re.sub(r"\$\$(.+?)\$\$|\$([^$]+?)\$",
                  lambda m: f" {formula(unescape(m[1]))} " if m[1] else formula(unescape(m[2])),
                  markdown, flags=re.DOTALL)  # fmt: skip
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"</?(?:details|summary)[^>]*>", " ", text)
    text = re.sub(r"(?m)^\s*(?:>|[-*] |\d+\. |\|[-:| ]+\|$)\s?|\|", " ", text)
    text = re.sub(r"(?<=\S)\*+|\*+(?=\S)|`", "", text)
    return " ".join(unescape(text).split())


def sections(lecture: Page) -> list[Entry]:
    """Return the sections of a lecture: heading, anchor, text."""
    found = [["section", plain(lecture.title), lecture.href, lecture.number, ""]]
    for cell in lecture.cells:
        if cell.is_code:
            continue
        for part in re.split(r"(?m)^(?=##+ )", cell.source):
            head, _, body = part.partition("\n")
            if match := re.match(r"##+ (.+)", head):
                where = f"{lecture.href}#{match[1].replace(' ', '-')}"
                found.append(["section", plain(match[1]).rstrip(" ★"), where, lecture.number, body])
            else:
                found[-1][4] += "\n" + part.removeprefix("# " + lecture.title)
    return [(*entry, plain(text)) for *entry, text in found]


def entries(
    course: list[Page],
    statements: list["Statement"],
    figures: list["Shown"],
    symbols: dict[str, list[dict]],
    faces: list["Face"],
) -> list[Entry]:
    """Return all that can be found."""
    found = [entry for lecture in course for entry in sections(lecture)]
    for s in statements:
        name = plain(s.name) or plain(s.cell.heading).rstrip(" ★")
        name = name[0].upper() + name[1:]
        text = plain(BeautifulSoup(s.html, "html.parser").get_text())
        found.append((s.kind.lower(), name, s.href, s.lecture.number, text))
    for f in figures:
        text = f"{f.picture['caption']} figures.{f.name}"
        found.append(("figure", f.title, f.href, f.lecture.number, text))
    for row in glossary():
        found.append(("term", row["term"], row["href"], row["lecture"], plain(row["definition"])))
    for group, rows in symbols.items():
        for row in rows:
            text = plain(f"{row['what it is']} ({group.lower()}; elsewhere {row['elsewhere']})")
            found.append(("symbol", plain(row["symbol"]), f"notation.html#{row['id']}", "", text))
    for face in faces:
        for name in face.names:
            number = name.lecture.number if name.lecture else ""
            found.append(("name", name.written, f"api.html#{name.written}", number, name.summary))
    return found


def write(found: list[Entry], file: Path) -> None:
    """Write the index as a script that sets a global, because a page opened as a file may load
    scripts, but no data.
    """
    rows = ",\n".join(
        json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in found
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"window.OLC_INDEX = [\n{rows}\n];\n", encoding="utf-8")
