"""Letters that a lecture uses otherwise than notebooks/notation.csv says.

    python tools/notation.py                          all lectures
    python tools/notation.py notebooks/05*.ipynb      these alone

RULES is a table of uses that a text on on-line learning falls into easily. Not looked at are folded
blocks (`<details>`), sections whose heading speaks of dialects or of what notes say, the sources,
and the errata clinic: there other people's letters are shown.
"""

import re
import sys
from pathlib import Path

from parts import FOLDED, LECTURES, Section, in_parts, load, of_lectures, to_do

ALONE = r"(?<![A-Za-z\\])%s(?![A-Za-z])"
COUNT = r"\$(?:%s)\$[ -](?:%s)"
RULES = [  # in formulas or in all text, pattern, lectures where it may be, what to say
    ("formula", ALONE % "N", {"14"}, "n counts experts and features; N those of an expanded space"),
    ("formula", ALONE % "D", {"09", "16", "18", "19"}, "D is the distribution; a radius is R"),
    ("formula", r"\\rho\b", {"16"}, "the margin is γ"),
    ("formula", r"\\delta\b", {"16", "18"}, "the margin is γ; δ is the probability of failing"),
    (
        "formula",
        r"(?<![A-Za-z\\])L(?=\$|\s*=|\s*[-+]\s*\d)",
        set(),
        "L is a loss, with an argument",
    ),
    ("formula", r"2\^\{?k|_\{k *\\l?e", set(), "k counts literals or shifts; number blocks by j"),
    (
        "formula",
        r"\d\^\{?m\b|(?<![A-Za-z\\])m_\{t",
        {"18"},
        "m is the best expert's mistakes or the sample's size",
    ),
    ("formula", r"(?<![A-Za-z\\])m\^\{?[+-]", set(), "your mistakes are M: M⁺ and M⁻"),
    ("formula", r"(?<![A-Za-z\\_{])t *= *y", set(), "t is a trial"),
    ("text", COUNT % (r"n|N|k|d|K|\\ell", "trials|rounds"), set(), "T counts trials"),
    ("text", COUNT % ("m", "trials|rounds"), {"16"}, "T counts trials, m the examples of a sample"),
    ("text", COUNT % ("N|K|d|k|m", "experts|features|dimensions"), {"14"}, "n counts them"),
    (
        "text",
        r"(?i)margin\*{0,2} \$t|margin (?:is )?(?:(?:below|at least|of) )?1\b",
        set(),
        "the margin is γ, of the data; y (w · x) is the score",
    ),
]
OTHERS = re.compile(r"dialect|the notes say|Sources and further reading")
FORMULA = re.compile(r"(?s)\$\$.+?\$\$|\$[^$]+?\$")
WORDS = re.compile(r"\\(?:mathbb|text|mathrm|operatorname|rm)\b *(?:\{[^}]*\}|[A-Z])?")


def otherwise(number: str, parts: list[Section]) -> list[str]:
    """The places in the sections of lecture `number` that break a rule, with what to say."""
    found = []
    for part in parts:
        if number == "21" or OTHERS.search(part.title):
            continue
        for cell, text in part.markdown:
            text = FOLDED.sub("", text)
            formulas = [(each, WORDS.sub("", each)) for each in FORMULA.findall(text)]
            for kind, pattern, allowed, say in RULES:
                if number in allowed:
                    continue
                places = formulas if kind == "formula" else [(text, text)]
                for shown, searched in places:
                    if hit := re.search(pattern, searched):
                        place = shown if kind == "formula" else hit[0]
                        found.append(f"cell {cell}: {' '.join(place.split())}: {say}")
    return found


def main(paths: list[Path]) -> int:
    """The exit code: 1 if a lecture uses a letter otherwise."""
    return to_do(paths, lambda path: otherwise(path.name[:2], in_parts(load(path))))


if __name__ == "__main__":
    sys.exit(main(of_lectures(__doc__).parse_args().lectures or LECTURES))
