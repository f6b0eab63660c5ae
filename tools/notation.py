"""Every symbol in the formulas of two lectures or more, with what it means in each.

    python tools/notation.py

Says also where notebooks/notation.csv and the lectures differ. A symbol is a letter with its accent
and sign. A row speaks of its symbol with all indices and arguments that a lecture adds; of two rows
that which says more is meant, so $L_A$ is not $L_i$, but $w_{t,i}$ is a $w$. Each symbol of two
lectures needs one row in each of them, and a row names the lectures that have its symbol, no
others. Read are text and ledgers. Not read are folded blocks (`<details>`), sections whose heading
speaks of dialects or of what notes say, the sources, and the errata clinic: there other people's
letters are shown. A row in words, such as a tie rule, names its lectures unchecked.
"""

import csv
import html
import re
import sys

from parts import FOLDED, LECTURES, ROOT, in_parts, load

OTHERS = re.compile(r"dialect|the notes say|Sources and further reading")
FORMULA = re.compile(r"(?s)\$\$.+?\$\$|\$[^$]+?\$")
WORDS = re.compile(
    r"\\(?:mathbb|text|mathrm|operatorname|rm|begin|end)\b\*? *(?:\{[^}]*\}|[A-Z])?"
    r"|\b(?:VC|opt|sh)\b|\\le_p"
)
GREEK = (
    "alpha|beta|gamma|delta|epsilon|varepsilon|eta|theta|kappa|lambda|mu|pi|rho|sigma|tau|phi"
    "|varphi|psi|Gamma|Delta|Theta|Lambda|Pi|Sigma|Phi|Psi|Omega|ell|ln|lg"
)
LETTER = rf"(?:\\(?:hat|bar|tilde|mathcal) *\{{?)?(?:\\(?:{GREEK})(?![A-Za-z])|[A-Za-z])"
SCRIPTS = r"\}?((?:_(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|.)|\^(?:\{[*+-]\}|[*+-])|')*)(\(?)"
SYMBOL = re.compile(rf"({LETTER}){SCRIPTS}|\\[A-Za-z]+")  # or a command, which is none
INDEX = dict.fromkeys("tTsr0123456789", "t") | {"j": "i"}  # trials are one index, experts another

Symbol = tuple[str, frozenset[str]]  # the letter; its indices, and the bracket of its argument


def symbols(formula: str) -> list[Symbol]:
    """Return the symbols of a formula."""
    found = []
    for letter, scripts, bracket in SYMBOL.findall(WORDS.sub(" ", formula)):
        if letter:
            sign = "".join(re.findall(r"\^\{?([*+-])", scripts))
            more = {INDEX.get(each, each) for each in re.findall(r"[A-Za-z]+|\d|,", scripts)}
            found.append((re.sub(r"[ {]", "", letter) + sign, frozenset({*more, bracket} - {""})))
    return found


def used() -> dict[Symbol, set[int]]:
    """Return the lectures in whose formulas each symbol stands."""
    found: dict[Symbol, set[int]] = {}
    for path in LECTURES[:-1]:
        for part in in_parts(load(path)):
            outputs = [out for _, cell in part.code for out in cell.get("outputs", [])]
            ledgers = ["".join(out.get("data", {}).get("text/html", "")) for out in outputs]
            text = FOLDED.sub("", part.text) + html.unescape("".join(ledgers))
            for symbol in symbols(" ".join(FORMULA.findall(text))):
                if not OTHERS.search(part.title):
                    found.setdefault(symbol, set()).add(int(path.name[:2]))
    return found


def table() -> list[dict]:
    """Return the rows of the table with their symbols and the numbers of their lectures."""
    with open(ROOT / "notebooks/notation.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        heads = [h for f in re.findall(r"\$(.+?)\$", row["symbol"]) for h in f.split(r",\ ")]
        row["heads"] = [symbols(head)[0] for head in heads]
        ends = re.findall(r"(\d+)(?:–(\d+))?", row["lectures"])
        row["numbers"] = {k for a, b in ends for k in range(int(a), int(b or a) + 1)}
    return rows


def meant(symbol: Symbol, number: int, rows: list[dict]) -> list[tuple[int, Symbol]]:
    """Return the heads that say most of a symbol in a lecture, each with its place in the table."""
    fit = [
        ((len(head[1] - {"("}), len(head[1])), (place, head))
        for place, row in enumerate(rows)
        for head in row["heads"]
        if number in row["numbers"] and head[0] == symbol[0] and head[1] <= symbol[1]
    ]
    return [where for size, where in fit if size == max(fit)[0]]


def differences(rows: list[dict], found: dict[Symbol, set[int]]) -> list[str]:
    """Return where the rows differ from the formulas of the lectures."""
    wrong, said = set(), set()
    for symbol, numbers in found.items():
        several = len(set().union(*(found[each] for each in found if each[0] == symbol[0]))) > 1
        for number in numbers:
            own = meant(symbol, number, rows)
            said |= {(*where, number) for where in own}
            if len(own) > 1 or (several and not own):
                wrong.add(f"lecture {number}: {symbol[0]} has {len(own) or 'no'} rows")
    for place, row in enumerate(rows):
        for head in row["heads"]:
            if not any((place, head, number) in said for number in row["numbers"]):
                wrong.add(f"row {row['symbol']}: none of its lectures has {head[0]}")
        for number in row["numbers"]:
            if row["heads"] and not any((place, head, number) in said for head in row["heads"]):
                wrong.add(f"row {row['symbol']}: lecture {number} has nothing of it")
    return sorted(wrong)


def main() -> int:
    """Print the symbols of two lectures or more with their meanings, then the differences; return
    the exit code, 1 if there are any.
    """
    rows, found = table(), used()
    for letter in sorted({each for each, _ in found}, key=lambda each: each.lstrip("\\").lower()):
        if len(set().union(*(found[symbol] for symbol in found if symbol[0] == letter))) > 1:
            print(letter)
            for row in rows:
                if letter in dict(row["heads"]):
                    print(f"    {row['lectures']}: {row['symbol']}, {row['what it is']}")
    wrong = differences(rows, found)
    print(*wrong, f"{len(wrong)} differences", sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
