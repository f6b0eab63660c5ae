"""Formulas as HTML and MathML, made by KaTeX when the site is built: pages need no script."""

import json
import re
import shutil
import subprocess
from html import escape
from pathlib import Path

import where
from bs4 import BeautifulSoup, NavigableString

# what is displayed, what is in the line, and the punctuation that must not be parted from it
FORMULA = re.compile(
    r"(?<!\\)\$\$(.+?)\$\$|(\(?)(?<![\\$])\$([^$]+?)(?<!\\)\$([.,;:)!?]*)", re.DOTALL
)
SHORT = 30  # letters of LaTeX that are not broken into two lines
BOX = re.compile(r"\s+(?=\$\\square\$)")  # before the box that ends a proof
LITERAL = {"pre", "code", "script", "style", "textarea"}


def typeset(formulas: list[tuple[str, bool]]) -> list[str]:
    """Return the HTML of (latex, displayed) formulas."""
    if not formulas:
        return []
    ran = subprocess.run(
        ["node", where.WEB / "katex.mjs"],
        input=json.dumps(formulas),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if ran.returncode:
        reason = next((line for line in ran.stderr.splitlines() if "Error: " in line), ran.stderr)
        raise ValueError(f"KaTeX can't typeset {reason.strip()}")
    return json.loads(ran.stdout)


def typeset_texts(soup: BeautifulSoup) -> None:
    """Typeset all formulas between dollar signs, in place, except in code."""
    found = []
    for node in soup.find_all(string=FORMULA):
        if not any(parent.name in LITERAL for parent in node.parents):
            text = BOX.sub("\N{NO-BREAK SPACE}", node)
            found.append((node, text, list(FORMULA.finditer(text))))
    formulas = [
        (match[1] or match[3] + inside(match), match[1] is not None)
        for _, _, matches in found
        for match in matches
    ]
    typeset_html = iter(typeset(formulas))
    for node, text, matches in found:
        pieces, end = [], 0
        for match in matches:
            pieces.append(NavigableString(text[end : match.start()]))
            html = next(typeset_html)
            if match[1] is None and short(match):
                html = f'<span class="whole">{escape(match[2])}{html}{escape(match[4])}</span>'
            elif match[1] is None:
                html = f"{escape(match[2])}{html}"
            else:  # too wide for a phone, it scrolls by keyboard
                html = html.replace("<span", '<span tabindex="0"', 1)
            pieces += list(BeautifulSoup(html, "html.parser").contents)
            end = match.end()
        node.replace_with(*pieces, NavigableString(text[end:]))


def short(match: re.Match) -> bool:
    """Whether a formula in the line stays in one line, together with its punctuation."""
    return len(match[3]) <= SHORT


def inside(match: re.Match) -> str:
    """Return the punctuation that becomes part of a long formula, which may break, so that it does
    not begin a line.
    """
    return "" if short(match) else "".join(f"{{{mark}}}" for mark in match[4])


def copy_to(static: Path) -> None:
    """Copy the style sheet and the fonts that it needs."""
    dist = where.NODE_PACKAGES / "katex/dist"
    (static / "katex").mkdir(parents=True, exist_ok=True)
    css = (dist / "katex.min.css").read_text(encoding="utf-8")
    # Browsers that show these pages all take woff2.
    css = re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("\w+"\)', "", css)
    (static / "katex/katex.min.css").write_text(css, encoding="utf-8")
    shutil.copytree(
        dist / "fonts",
        static / "katex/fonts",
        ignore=shutil.ignore_patterns("*.woff", "*.ttf"),
        dirs_exist_ok=True,
    )
