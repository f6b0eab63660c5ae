"""Which claims that only words make have a cell that computes them; and how the prose sounds.

    python tools/words.py                          a table of all lectures
    python tools/words.py notebooks/05*.ipynb      these, and each sentence with what speaks for it
    python tools/words.py --causes                 each cause that is given, with its cell
    python tools/words.py --at e25772a             the table as it was at a commit

A sentence makes a claim if it has a number above 1 in digits or words, apart from years and numbers
of lectures and lines, or a word such as always, never, every, twice, faster, exact, best. Its
evidence is looked for in the two code cells before and the two after it: each of its numbers must
stand in what they show (captions included) or in their source, as a setting or in an assert; 70 %
may stand there as 0.7. A claim without a number has evidence if one of these cells asserts
something or shows a ledger; a question to the reader is no evidence. Not looked at are the first
cell, headings, quotation blocks (their ledgers check them), questions, exercises, sources, "the
two", which counts nothing, and formulas other than "symbol = number". "unchecked" asks the reader
of the table, it is no verdict.

A cause is a sentence with because, due to, the reason, therefore or thanks to, outside of proofs
(□, a numbered line, a quotation): it is shown by taking it away, or it says what is seen.

To compare the rhythm: of the sentences in Distill's article on momentum 8 % have at most 6 words,
their median is 15, and 2.5 words of 100 connect; in five lectures of QuantEcon's introduction 18 %,
12 and 2.5; in six of P. Norvig's pytudes 15 %, 14 and 2.8.
"""

import json
import re
import subprocess
from html import unescape
from pathlib import Path
from statistics import median

from parts import (
    DISPLAYED,
    FOLDED,
    INLINE,
    LECTURES,
    ROOT,
    Section,
    called,
    in_parts,
    load,
    of_lectures,
)

NUMBERS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred"
    " thousand million"
).split()
VALUE = dict(zip(NUMBERS, [*range(2, 20), *range(20, 100, 10), 100, 1000, 10**6], strict=True))
UNIVERSAL = (
    "always|never|every|each time|nobody|half|halves|twice|doubles?|times as|faster|slower|fewer|"
    "exact|exactly|best|worst|largest|smallest"
)
USUAL = re.compile(r"\b(?:the )?(?:best|worst|exact) (?:expert|case|worst case)s?\b", re.I)  # names
CLAIM = re.compile(rf"\b(?:{UNIVERSAL})\b", re.I)
REFERENCE = re.compile(  # a place in a text, a year, a type such as IBM 704, things named before
    r"\b(?:lectures?|lines?|exercises?|chapters?|sections?|cells?|equations?|steps?|problems?|"
    r"slides?|formulas?|lemmas?|theorems?) \(?\d+\)?(?:(?:,| and| to|–) ?\d+)*"
    r"|(?:\b(?:in|of|to|from|since|around|until|by|(?-i:[A-Z][a-z]+),?) |\()(?:1[89]|20)\d\d\b"
    r"|\b(?-i:[A-Z]{2,}) \d+|\bthe two\b",
    re.I,
)
CAUSE = re.compile(r"\b(?:because|due to|the reason|therefore|thanks to|that is why)\b", re.I)
CONNECTIVES = re.compile(
    r"\b(?:because|so|but|although|though|since|therefore|hence|thus|while|whereas|however|unless|"
    r"if|when|instead|otherwise|yet|then|that is why|even|still)\b",
    re.I,
)
GIVEN = re.compile(r"(?:=|\\approx|\$) *-?\d[\d.,{}\\]*%?\$$")  # a formula that ends in a number
LEFT_OUT = ("Sources and further reading", "Exercises")


def _number(formula):
    """A formula that ends in a number, without the rest; any other is $x$."""
    found = GIVEN.search(formula[0])
    return "$x$" if not found else found[0] if found[0][0] == "$" else f"$x {found[0]}"


def plain(markdown: str) -> str:
    """The prose of a markdown text, without headings, tables, quotation blocks, code and tags; a
    formula that gives a number stays, any other is the word $x$.
    """
    text = re.sub(r"(?ms)^```.*?^```", " ", DISPLAYED.sub(" … ", markdown))
    text = re.sub(r"(?m)^(?:#|>|\|).*$", " ", text)
    text = INLINE.sub(_number, text)
    return unescape(re.sub(r"<[^>]+>|\]\([^)]*\)|[*`\[]", "", text))


def sentences(markdown: str) -> list[str]:
    """The sentences of a markdown text; an entry of a list is at least one."""
    found = []
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", plain(markdown)):
        text = re.sub(r"^\s*(?:[-*]|\d+\.) ", "", " ".join(block.split()))
        found += re.split(r"(?<![ (][A-Z]\.)(?<=[.!?])[\"”)]? +(?=[\"“(A-Z$0-9])", text)
    return [each for each in found if re.search(r"[a-z]{2}", each)]


def length(sentence: str) -> int:
    return len(re.findall(r"[\w$][^\s—–]*", sentence))


def numbers(text: str) -> set[float]:
    """The numbers in a text, as digits or words, without references to lectures and lines."""
    text = REFERENCE.sub(" ", text).replace("−", "-").replace("\\,", "").replace("{,}", "")
    text = re.sub(r"(?<=\d)(?:_(?=\d)| (?=000\b))", "", text)  # 65_536, 100 000
    text = re.sub(r"\b10\*\*(\d{1,2})\b", lambda found: str(10 ** int(found[1])), text)
    digits = re.findall(r"(?<![\w.])\d+(?:\.\d+)?", re.sub(r"[\\{}_^/]", " ", text))
    spelled = [VALUE[word] for word in re.findall(r"[a-z]+", text.lower()) if word in VALUE]
    return {float(each) for each in digits} | set(map(float, spelled))


def shown(cell: dict) -> str:
    """The text that a code cell prints or shows, captions and descriptions included."""
    texts = []
    for output in cell["outputs"]:
        data = output.get("data", {})
        for text in (output.get("text", ""), data.get("text/plain", ""), data.get("text/html", "")):
            texts.append(re.sub("<[^>]+>", " ", unescape("".join(text))))
    return "\n".join(texts)


def evidence(sentence: str, cells: list[tuple[int, dict]]) -> str:
    """What speaks for a sentence, in words, or nothing."""
    wanted, where = numbers(sentence) - {0.0, 1.0}, []
    percent = set(map(float, re.findall(r"(\d+(?:\.\d+)?) ?%", sentence)))
    if not wanted:
        for number, cell in cells:
            if "assert " in "".join(cell["source"]):
                return f"cell {number} asserts"
            if re.search("[✓✗]|every line holds", shown(cell)):
                return f"cell {number} has a ledger"
    for number, cell in cells:
        there = numbers(shown(cell)) | numbers("".join(cell["source"]))
        if both := wanted & (there | percent & {round(100 * each, 9) for each in there}):
            where.append(f"{number}")
            wanted -= both
    return f"cell {', '.join(where)}" if where and not wanted else ""


def claims(parts: list[Section], causes: bool = False) -> list[tuple[int, str, str]]:
    """(number of the cell, sentence, evidence) of all sentences that make a claim, or that give a
    cause.
    """
    _, *code = [pair for each in parts for pair in each.code]  # without the imports
    code = [(number, cell) for number, cell in code if not called(cell, "ask", "guess")]
    found = []
    for part in parts:
        if part.title.removesuffix(" ★") in LEFT_OUT:
            continue
        for number, text in part.markdown[part.title == "opening" :]:
            before = [pair for pair in code if pair[0] < number][-2:][::-1]
            after = [pair for pair in code if pair[0] > number][:2]
            near = [pair for both in zip(after, before, strict=False) for pair in both]
            near += [pair for pair in after + before if pair not in near]
            if causes:
                text = re.sub(r"(?m)^\d+\. .*$", "", FOLDED.sub(" ", text).split("square$")[-1])
            for sentence in sentences(text):
                told = numbers(sentence) - {0.0, 1.0} or CLAIM.search(USUAL.sub(" ", sentence))
                told = CAUSE.search(sentence) if causes else told
                if told and not sentence.endswith("?"):
                    found.append((number, sentence, evidence(sentence, near)))
    return found


def rhythm(parts: list[Section]) -> tuple[list[int], int, int]:
    """The lengths of the sentences, the words, and the connectives; folded text included."""
    told = [
        sentence
        for part in parts
        if part.title not in LEFT_OUT[:1]
        for _, text in part.markdown
        for sentence in sentences(FOLDED.sub(lambda found: f"\n\n{found[0]}\n\n", text))
    ]
    lengths = [length(each) for each in told]
    return lengths, sum(lengths), sum(len(CONNECTIVES.findall(each)) for each in told)


def row(name: str, found: list, sound: tuple[list[int], int, int]) -> str:
    lengths, total, connectives = sound
    open_ = sum(not why for *_, why in found)
    share = f"{100 * open_ / max(1, len(found)):.0f} %"
    short = f"{100 * sum(each <= 6 for each in lengths) / len(lengths):.0f} %"
    return (
        f"{name:32}{len(found):8}{open_:11}{share:>7}{len(lengths):12}{short:>12}"
        f"{median(lengths):9g}{100 * connectives / total:13.1f}"
    )


def at(commit: str, path: Path) -> dict:
    """A notebook as it was at a commit."""
    name = path.relative_to(ROOT).as_posix()
    out = subprocess.run(
        ["git", "show", f"{commit}:{name}"], cwd=ROOT, capture_output=True, check=True
    )
    return json.loads(out.stdout)


def main(paths: list[Path], commit: str | None, details: bool, causes: bool) -> None:
    if causes:
        for path in paths:
            for cell, sentence, why in claims(in_parts(load(path)), causes=True):
                print(f"{path.stem[:2]}:{cell:<3} {why or 'unchecked':24}  {sentence}")
        return
    head = "claims  unchecked  share   sentences  ≤ 6 words   median  connectives/100 words"
    print(f"{'':34}{head}")
    everything, lengths, total, connectives = [], [], 0, 0
    for path in paths:
        parts = in_parts(at(commit, path) if commit else load(path))
        found, sound = claims(parts), rhythm(parts)
        print(row(path.stem, found, sound))
        everything += found
        lengths, total, connectives = (lengths + sound[0], total + sound[1], connectives + sound[2])
        for cell, sentence, why in found if details else ():
            print(f"  {cell:3}  {why or 'unchecked':24}  {sentence}")
    if len(paths) > 1:
        print(row("the course", everything, (lengths, total, connectives)))


if __name__ == "__main__":
    parser = of_lectures(__doc__)
    parser.add_argument("--at", metavar="COMMIT", help="read the lectures of a commit")
    parser.add_argument("--causes", action="store_true", help="list the causes that are given")
    options = parser.parse_args()
    chosen = [path.resolve() for path in options.lectures] or LECTURES
    main(chosen, options.at, bool(options.lectures), options.causes)
