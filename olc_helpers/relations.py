"""How two sides of a claim compare: the relation is read from its LaTeX."""

import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .checks import as_array

TOLERANCE = 1e-9  # two sides count as equal within TOLERANCE * max(unit, |left|, |right|)
# The relation, and its opposite where it fails.
SIGN = {"<=": "≤>", ">=": "≥<", "==": "=≠", "<": "<≥", ">": ">≤"}
_LATEX = {r"\le": "<=", r"\leq": "<=", r"\ge": ">=", r"\geq": ">=", r"\iff": "iff"}
_LATEX |= {"=": "==", "<": "<", ">": ">"}
_OTHER = re.compile(r"\\(?:neq?|approx|sim|simeq|equiv|ll|gg|in|notin|propto)(?![A-Za-z])")
_CHAINS = (("==",), ("==", "<=", "<"), ("==", ">=", ">"))  # from the weakest sign to the strictest
_OPEN, _CLOSE, _END = {"{", "(", "[", r"\{"}, {"}", ")", "]", r"\}"}, {",", ";"}


def near(a: ArrayLike, b: ArrayLike, unit: float = 1.0) -> np.ndarray:
    """Return where two sides count as equal; inf = inf, but no other number is near inf."""
    a, b = np.asarray(a), np.asarray(b)
    with np.errstate(invalid="ignore"):
        close = np.abs(a - b) <= TOLERANCE * np.maximum(unit, np.maximum(np.abs(a), np.abs(b)))
    return close & np.isfinite(a) & np.isfinite(b) | (a == b)


def _signs(latex):
    """Yield the signs between the sides of a formula, and none that stands in brackets, below a
    sum, or after the formula: behind a comma, or in words that follow.
    """
    depth, found, before = 0, False, ""
    for token in re.findall(r"\\[A-Za-z]+|\\?\S", latex):
        depth += (token in _OPEN) - (token in _CLOSE)
        if depth == 0:
            follows = token == r"\text" and before not in _LATEX
            if found and (token in _END or follows):
                return
            if token in _LATEX:
                found = True
                yield _LATEX[token]
        before = token


def relation_of(latex: str) -> str | None:
    r"""Return how the first side of a formula compares with the last: a = b \le c says a \le c.

    None if it has no relation; both sides of an \iff are equally true.
    """
    signs = list(_signs(latex))
    if "iff" in signs:
        return "=="
    for chain in _CHAINS:
        if set(signs) <= set(chain):
            return max(signs, key=chain.index, default=None)
    raise ValueError(f"the signs of {latex} point both ways; claim them one by one")


def chosen(latex: str, relation: str | None) -> str:
    """Return the relation of a claim: what its formula says, or what it is given if words say it;
    "<=" if nothing does.
    """
    if relation is None and (other := _OTHER.search(latex)) and relation_of(latex) is None:
        raise ValueError(f"no ledger evaluates the {other[0]} of {latex}: claim <=, <, = or >=, >")
    if relation is None:
        return relation_of(latex) or "<="
    if relation not in SIGN:
        raise ValueError(f"relation must be one of {', '.join(SIGN)}; in {latex} it is {relation}")
    said = None if r"\text" in latex else relation_of(latex)
    if said not in (None, relation):
        raise ValueError(
            f"the formula {latex} says {said}, but relation={relation!r}: leave it out"
        )
    return relation


def check_texts(*said: Any) -> None:
    """Raise if one of these is no text."""
    for each in said:
        if not isinstance(each, str):
            raise TypeError(f"the formula of a claim, its reason and `of` are texts; got {each!r}")


def side(latex: str, name: str, given: Any) -> np.ndarray:
    """Return a side of a claim as an array of floats, or raise if it is no number, nor a number for
    each trial.
    """
    plain = isinstance(given, np.generic | float | int) or type(given) is np.ndarray
    a = np.asarray(given) if plain else as_array(f"the {name} side of {latex}", given)
    try:
        if given is None:
            raise TypeError
        return a.astype(float, casting="unsafe" if a.dtype == object else "same_kind", copy=False)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"the {name} side of {latex} must be a number or a number for each trial; got {given!r}"
        ) from None
