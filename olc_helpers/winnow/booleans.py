"""Boolean formulas and features (lectures 11 to 14). True is 1, false is 0; x_i is column i of X,
counted from 1.

A literal is a whole number: i stands for x_i and -i for its negation ¬x_i. `And` and `Or` join
literals and formulas: `And(1, -2)` is a term, `Or(1, 3)` a clause, an `Or` of terms is in
disjunctive normal form (DNF), an `And` of clauses in conjunctive normal form (CNF). A formula is a
function of the rows of X, and prints as it is written on paper.
"""

import re
from collections.abc import Callable, Sequence
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..checks import check_count, check_values
from ..own_work import answer

__all__ = [
    "And",
    "Formula",
    "Or",
    "cube",
    "disjunction_advice",
    "formula",
    "short_terms",
    "threshold",
    "with_negations",
]


class Formula:
    """Literals and formulas joined by "and" or "or" (BOOL-D1, BOOL-D2); use the subclasses And and
    Or.
    """

    _sign: str
    _empty: str
    _join: Callable[..., Any]

    def __init__(self, *parts: "int | Formula"):
        for part in parts:
            if not isinstance(part, Formula) and (
                isinstance(part, bool) or not isinstance(part, int | np.integer) or part == 0
            ):
                raise ValueError(
                    "a part of a formula must be a formula or a literal, i for x_i or -i for its"
                    f" negation with i = 1, 2, …; got {part!r}"
                )
        self.parts = tuple(part if isinstance(part, Formula) else int(part) for part in parts)

    def __call__(self, X: ArrayLike) -> np.ndarray:
        """Return the value, 0 or 1, on each row of X, or on one row."""
        X = check_values("X", X, "bits")
        if self.n > X.shape[-1]:
            raise ValueError(
                f"the formula speaks of x{self.n}, but X has only {X.shape[-1]} columns"
            )
        values = np.empty((len(self.parts), *X.shape[:-1]), bool)
        for k, part in enumerate(self.parts):
            values[k] = (
                part(X) if isinstance(part, Formula) else X[..., abs(part) - 1] == (part > 0)
            )
        return self._join(values, axis=0).astype(int)

    @property
    def literals(self) -> frozenset[int]:
        """All literals that occur in the formula."""
        return frozenset().union(
            *(part.literals if isinstance(part, Formula) else {part} for part in self.parts)
        )

    @property
    def n(self) -> int:
        """The largest index of a variable in the formula, 0 if there is none."""
        return max(map(abs, self.literals), default=0)

    @property
    def monotone(self) -> bool:
        """True if no literal is negated (BOOL-D2)."""
        return all(literal > 0 for literal in self.literals)

    def show(self, names: Sequence[str] | None = None) -> str:
        """Return the formula as text, with the given names of the variables instead of x1, x2, …"""

        def text(part):
            if isinstance(part, Formula):
                shown = part.show(names)
                return f"({shown})" if isinstance(part, Or) and len(part.parts) > 1 else shown
            name = f"x{abs(part)}" if names is None else names[abs(part) - 1]
            return "¬" * (part < 0) + name

        return f" {self._sign} ".join(map(text, self.parts)) or self._empty

    __str__ = show

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(repr, self.parts))})"

    def __eq__(self, other):
        return type(self) is type(other) and self.parts == other.parts

    def __hash__(self):
        return hash((type(self), self.parts))

    def __invert__(self) -> "Formula":
        """Return the negation, moved to the literals by De Morgan's laws."""
        dual = Or if isinstance(self, And) else And
        return dual(*(~part if isinstance(part, Formula) else -part for part in self.parts))

    @property
    def terms(self) -> tuple[tuple[int, ...], ...]:
        """The literals of each term of a formula in disjunctive normal form (DNF-D1)."""
        return self._groups(Or, And, "disjunctive normal form")

    @property
    def clauses(self) -> tuple[tuple[int, ...], ...]:
        """The literals of each clause of a formula in conjunctive normal form (NP-D3)."""
        return self._groups(And, Or, "conjunctive normal form")

    def _groups(self, outer, inner, name):
        groups = []
        for part in self.parts if isinstance(self, outer) else (self,):
            group = part if isinstance(part, Formula) else inner(part)
            if not isinstance(group, inner) or any(isinstance(p, Formula) for p in group.parts):
                raise ValueError(f"the formula {self} is not in {name}")
            groups.append(group.parts)
        return tuple(groups)


class And(Formula):
    """True if every part is true: a term if the parts are literals. `And()` is always true."""

    _sign, _empty, _join = "∧", "true", staticmethod(np.all)


class Or(Formula):
    """True if some part is true: a clause if the parts are literals. `Or()` is always false."""

    _sign, _empty, _join = "∨", "false", staticmethod(np.any)


def formula(text: str, names: Sequence[str] | None = None) -> Formula:
    """Return the formula that a text such as "x1 ∧ ¬x2 ∨ x3" means (BOOL-D2).

    "and" is ∧, & or nothing ("x1 x2"), "or" is ∨ or |, "not" is ¬, ~ or !; "and" binds stronger
    than "or", and parentheses work. With `names` the variables are these words instead of x1, x2,
    …; variable i is the i-th name.
    """
    if not isinstance(text, str) or isinstance(names, str) or not np.iterable(names or ""):
        raise TypeError(f"formula needs a text, and names in a list; got {text!r} and {names!r}")
    tokens = re.findall(r"\w+|\S", text.translate(str.maketrans("&|~!", "∧∨¬¬")))[::-1]

    def variable(word):
        if names is None and re.fullmatch(r"x[1-9]\d*", word):
            return int(word[1:])
        if names is not None and word in names:
            return list(names).index(word) + 1
        known = "x1, x2, …" if names is None else ", ".join(names)
        raise ValueError(f"unknown variable {word!r} in {text!r}; the variables are {known}")

    def disjunction():
        parts = [conjunction()]
        while tokens and tokens[-1] == "∨":
            tokens.pop()
            parts.append(conjunction())
        return parts[0] if len(parts) == 1 else Or(*parts)

    def conjunction():
        parts = [factor()]
        while tokens and tokens[-1] not in "∨)":
            if tokens[-1] == "∧":
                tokens.pop()
            parts.append(factor())
        return parts[0] if len(parts) == 1 else And(*parts)

    def factor():
        token = tokens.pop() if tokens else "its end"
        if token == "¬":
            part = factor()
            return ~part if isinstance(part, Formula) else -part
        if token == "(":
            part = disjunction()
            if not tokens or tokens.pop() != ")":
                raise ValueError(f"a closing parenthesis is missing in {text!r}")
            return part
        if not re.fullmatch(r"\w+", token):
            raise ValueError(f"a variable, ¬ or ( was expected in {text!r}; found {token}")
        return variable(token)

    whole = disjunction()
    if tokens:
        raise ValueError(f"{text!r} has a closing parenthesis too many")
    return whole if isinstance(whole, Formula) else Or(whole)


def check_formula(target: Any) -> None:
    """Raise if this is no formula."""
    if not isinstance(target, Formula):
        raise TypeError(f"a formula is what booleans.formula(text) returns; got {target!r}")


def cube(n: int) -> np.ndarray:
    """Return all 2^n rows of zeros and ones, in the order of counting."""
    if check_count("n", n) > 24:
        raise ValueError(f"n must be at most 24: 2^{n} rows do not fit into memory")
    return np.arange(2**n)[:, None] >> np.arange(n)[::-1] & 1


def with_negations(X: ArrayLike) -> np.ndarray:
    """Return (x_1, 1-x_1, …, x_n, 1-x_n) for each row of X (BOOL-D4): each negated literal becomes
    a variable.
    """
    X = check_values("X", X, "bits").astype(int)
    return np.stack([X, 1 - X], axis=-1).reshape(*X.shape[:-1], -1)


@answer
def threshold(formula: Formula, n: int | None = None) -> tuple[np.ndarray, float]:
    """Return (u, b) such that a term or clause is true on x in {0,1}^n if u·x + b > 0, else u·x + b
    < 0 (BOOL-Q2).

    The number of true literals is u·x + (number of negated ones). A clause needs 1 of them, a term
    all k.
    """
    check_formula(formula)
    if any(isinstance(part, Formula) for part in formula.parts):
        raise ValueError(
            "formula must be a term or a clause, literals joined by one kind of sign; got"
            f" {formula}"
        )
    n = check_count("n", max(formula.n, 1) if n is None else n)
    if formula.n > n:
        raise ValueError(f"n must be at least {formula.n}, the largest index in {formula}; got {n}")
    u, literals = np.zeros(n), formula.literals
    for literal in literals:
        u[abs(literal) - 1] += np.sign(literal)
    needed = 1 if isinstance(formula, Or) else len(literals)
    return u, sum(literal < 0 for literal in literals) - needed + 0.5


def check_size(k: int, n: int, name: str = "k") -> int:
    """Return k, or raise if there is no set of k out of n variables, or points."""
    if check_count(name, k) > n:
        raise ValueError(f"{name} must be at most n = {n}: {k} different ones are needed; got {k}")
    return int(k)


def disjunction_advice(X: ArrayLike, k: int) -> np.ndarray:
    """Return what each of the C(n, k) monotone disjunctions of k variables says on each row of X
    (DISJ-T1).

    The columns are in the order of `itertools.combinations(range(n), k)`.
    """
    X = check_values("X", X, "bits")
    n = X.shape[-1]
    sets = np.fromiter(combinations(range(n), check_size(k, n)), (int, k), comb(n, k))
    return X[..., sets].any(axis=-1).astype(int)


def short_terms(n: int, k: int) -> list[And]:
    """Return the terms of 1 to k literals of different variables out of n: sum of C(n, j) 2^j for j
    <= k (WIN-C5).
    """
    k = check_size(k, check_count("n", n))
    return [
        And(*(i * s for i, s in zip(chosen, signs, strict=True)))
        for j in range(1, k + 1)
        for chosen in combinations(range(1, n + 1), j)
        for signs in product((1, -1), repeat=j)
    ]
