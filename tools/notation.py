"""Every symbol in the formulas of two lectures or more, with what it means in each.

    python tools/notation.py

Says also where notebooks/notation.csv and the lectures differ. A symbol is a letter with its accent
and sign. A row speaks of its symbol with all indices and arguments that a lecture adds; of two rows
that which says more is meant, so $L_A$ is not $L_i$, but $w_{t,i}$ is a $w$. Each symbol of two
lectures needs one row in each of them, unless it stands in a single section there and means nothing
else in that part of the course; and a row names the lectures that have its symbol, no others.
Read are text and ledgers. Not read are folded blocks (`<details>`), sections whose heading speaks
of dialects or of what notes say, the sources, and the errata clinic: there other people's letters
are shown.
"""

import csv
import html
import re
import sys
from collections import defaultdict
from itertools import chain

from parts import FOLDED, LECTURES, ROOT, Section, in_parts, load

PARTS = {1, 2, 3, 4, 5, 15}, {6, 7, 8, 9, 10}, {11, 12, 13, 14}, {16, 17, 18}, {19}, {20}
OTHERS = re.compile(r"dialect|the notes say|Sources and further reading")
FORMULA = re.compile(r"(?s)\$\$.+?\$\$|\$[^$]+?\$")
WORDS = re.compile(
    r"\\(?:mathbb|text|mathrm|operatorname|rm|begin|end)\b\*? *(?:\{[^}]*\}|[A-Z])?"
    r"|\b(?:VC|opt|sh)\b"
)
GREEK = (
    "alpha|beta|gamma|delta|epsilon|varepsilon|eta|theta|kappa|lambda|mu|pi|rho|sigma|tau|phi"
    "|varphi|psi|Gamma|Delta|Theta|Lambda|Pi|Sigma|Phi|Psi|Omega|ell"
)
LETTER = rf"(?:\\(?:hat|bar|tilde|mathcal) *\{{?)?(?:\\(?:{GREEK})(?![A-Za-z])|[A-Za-z])"
SCRIPTS = r"\}?((?:_(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|.)|\^(?:\{[*+-]\}|[*+-])|')*)(\(?)"
SYMBOL = re.compile(rf"({LETTER}){SCRIPTS}|\\[A-Za-z]+")  # or a command, which is none
# indices of trials are one, and so are those of experts
INDEX = dict.fromkeys("tTsr0123456789", "t") | {"j": "i"}


def symbols(formula: str) -> list[tuple[str, frozenset[str]]]:
    """Return the symbols of a formula, each with its indices and the bracket of its argument."""
    found = []
    for letter, scripts, bracket in SYMBOL.findall(WORDS.sub(" ", formula)):
        if letter:
            sign = "".join(re.findall(r"\^\{?([*+-])", scripts))
            more = {INDEX.get(each, each) for each in re.findall(r"[A-Za-z]+|\d|,", scripts)}
            found.append((re.sub(r"[ {]", "", letter) + sign, frozenset({*more, bracket} - {""})))
    return found


def table() -> list[dict]:
    """Return the rows of the table with their symbols, if they have one of their own, and the
    numbers of their lectures.
    """
    with open(ROOT / "notebooks/notation.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        each = chain.from_iterable(f.split(r",\ ") for f in re.findall(r"\$(.+?)\$", row["symbol"]))
        heads = [re.split(r" (?:=|>|\\in) ", one)[0] for one in each]
        alone = rf"{LETTER}{SCRIPTS}(?:[^()]*\))?"
        row["symbols"] = [symbols(head)[0] for head in heads if re.fullmatch(alone, head)]
        ends = re.findall(r"(\d+)(?:–(\d+))?", row["lectures"])
        row["numbers"] = {k for a, b in ends for k in range(int(a), int(b or a) + 1)}
    return rows


def used(lectures: dict[int, list[Section]]) -> dict[str, dict[int, set[tuple]]]:
    """Return {letter: {lecture: {(what is written at it, title of the section)}}}."""
    found = defaultdict(lambda: defaultdict(set))
    for number, parts in lectures.items():
        for part in parts:
            outputs = [out for _, cell in part.code for out in cell.get("outputs", [])]
            ledgers = ["".join(out.get("data", {}).get("text/html", "")) for out in outputs]
            text = FOLDED.sub("", part.text) + html.unescape("".join(ledgers))
            for formula in FORMULA.findall(text) * (not OTHERS.search(part.title)):
                for letter, more in symbols(formula):
                    found[letter][number].add((more, part.title))
    return found


def meant(letter: str, more: frozenset, number: int, rows: list[dict]) -> list[dict]:
    """Return the rows that say most of a symbol in a lecture."""
    fit = [
        ((len(most - {"("}), len(most)), row)
        for row in rows
        for named, most in row["symbols"]
        if named == letter and most <= more and number in row["numbers"]
    ]
    return [row for size, row in fit if size == max(fit, key=lambda each: each[0])[0]]


def differences(rows: list[dict], found: dict[str, dict[int, set[tuple]]]) -> list[str]:
    """Return where the rows and the symbols that lectures use differ."""
    wrong, seen = [], set()
    for letter, by_lecture in found.items():
        for number, uses in by_lecture.items():
            [part] = [part for part in PARTS if number in part]
            open_ = {}
            for more, title in uses:
                own = meant(letter, more, number, rows)
                seen |= {(row["symbol"], row["what it is"], number) for row in own}
                if len(own) > 1:
                    wrong.append(f"lecture {number}: {letter} has {len(own)} rows")
                near = any(meant(letter, more, other, rows) for other in part)
                if not own:
                    open_[title] = near or open_.get(title)
            if len(by_lecture) > 1 and (len(open_) > 1 or any(open_.values())):
                wrong.append(f"lecture {number}: {letter} has no row ({', '.join(open_)})")
    for row in rows:
        for number in sorted(row["numbers"]) * bool(row["symbols"]):
            if (row["symbol"], row["what it is"], number) not in seen:
                wrong.append(f"lecture {number} does not use {row['symbol']} ({row['what it is']})")
    return wrong


def main() -> int:
    """Print the symbols and the differences; return the exit code, 1 if there are any."""
    rows = table()
    found = used({int(path.name[:2]): in_parts(load(path)) for path in LECTURES[:-1]})
    for letter in sorted(found, key=lambda each: (each.lstrip("\\").lower(), each)):
        if len(found[letter]) > 1:
            print(letter)
            for row in rows:
                if letter in dict(row["symbols"]):
                    print(f"    {row['lectures']}: {row['symbol']} {row['what it is']}")
    wrong = differences(rows, found)
    print(f"{len(wrong)} differences", *sorted(wrong), sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
