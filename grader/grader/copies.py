"""Answers that are much the same up to names and comments, side by side: a teacher judges why."""

import html
import io
import keyword
import re
import tokenize
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

import nbformat

from .classroom import Classroom, plain
from .examine import Blueprint, mark
from .formulas import typeset

RUN = 5  # words in a row are compared
FEW = 3  # students, or a tenth of them: what more have in common comes from the course
LEAST, SAME = 20, 0.6  # of so many runs in the shorter answer this part is shared
PAIRS = 100  # are shown


def words(cell) -> list[str]:
    """Return the words of an answer: of code without comments, and a name is the number of its
    first appearance.
    """
    if cell.cell_type == "code":
        numbers = defaultdict(lambda: f"#{len(numbers)}")
        kinds = (tokenize.NAME, tokenize.NUMBER, tokenize.OP, tokenize.STRING)
        try:
            return [
                numbers[token.string]
                if token.type == tokenize.NAME and not keyword.iskeyword(token.string)
                else token.string
                for token in tokenize.generate_tokens(io.StringIO(cell.source).readline)
                if token.type in kinds
            ]
        except (tokenize.TokenError, SyntaxError):
            pass  # no Python
    return re.findall(r"\w+", cell.source.casefold())


def runs(cell) -> set[tuple]:
    """Return all runs of words in an answer."""
    found = words(cell)
    return {tuple(found[k : k + RUN]) for k in range(len(found) - RUN + 1)}


def answers(path: Path) -> dict:
    """Return the answers in a graded notebook by their id."""
    cells = nbformat.read(path, 4).cells
    return {mark(cell)["grade_id"]: cell for cell in cells if mark(cell).get("solution")}


def similar(classroom: Classroom, name: str) -> list[tuple]:
    """Return (runs in common, runs of the shorter one, question, who and what, who and what) for
    each pair of similar answers, the longest first.

    Those in earlier/*/autograded/ are compared with this class, and not with each other.
    """
    given = Blueprint.find(classroom, name).marked
    found = defaultdict(dict)  # question -> who -> answer
    for path in sorted(classroom.root.glob(f"autograded/*/{name}/{name}.ipynb")):
        for question, cell in answers(path).items():
            found[question][path.parent.parent.name] = cell
    for path in sorted(classroom.root.glob(f"earlier/*/autograded/*/{name}/{name}.ipynb")):
        for question, cell in answers(path).items():
            found[question][f"{path.parents[3].name}/{path.parent.parent.name}"] = cell
    pairs = []
    for question, cells in found.items():
        own = runs(given[question]) if question in given else set()
        mine = {who: runs(cell) - own for who, cell in cells.items()}
        having = defaultdict(list)
        for who, each in mine.items():
            for run in each:
                having[run].append(who)
        few = max(FEW, len(cells) // 10)
        shared = Counter(
            pair for who in having.values() if len(who) <= few for pair in combinations(who, 2)
        )
        for pair, n in shared.items():
            least = min(len(mine[who]) for who in pair)
            if least >= LEAST and n >= SAME * least and not all("/" in who for who in pair):
                pairs.append((n, least, question, *((who, cells[who].source) for who in pair)))
    return sorted(pairs, key=lambda pair: pair[0], reverse=True)


def side_by_side(classroom: Classroom, name: str, style: str) -> int:
    """Return how many pairs of similar answers there are, after writing them to a page."""
    pairs, titles = (similar(classroom, name), Blueprint.find(classroom, name).titles)
    parts = []
    for n, least, question, *both in pairs[:PAIRS]:
        heads = "".join(
            f'<th scope="col" class="words">{html.escape(plain(who))}</th>' for who, _ in both
        )
        texts = "".join(
            f'<td class="words answer"><pre>{html.escape(text[:10_000])}</pre></td>'
            for _, text in both
        )
        title = typeset(html.escape(titles.get(question, question)))
        caption = f"{title}: {n} of {least} runs of {RUN} words in common"
        parts.append(f"<table><caption>{caption}</caption><tr>{heads}</tr><tr>{texts}</tr></table>")
    said = (
        f"{len(pairs)} pairs of answers to {html.escape(name)} that few others share, the longest"
        " first. Names and comments in code don't count. Short right answers look alike, and"
        " friends may work together where you allow it: judge yourself."
    )
    (classroom.root / "grades" / f"{name}_similar.html").write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Similar answers</title>'
        f"<style>{style}</style></head><body><h1>Similar answers</h1><p>{said}</p>{''.join(parts)}"
        "</body></html>\n",
        encoding="utf-8",
    )
    return len(pairs)
