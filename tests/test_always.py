"""What a solver proves of the theorems is what their ledgers evaluate, and no more than is true."""

import ast
import csv
import doctest
from inspect import signature

import always
import numpy as np
import pytest

import olc_helpers
from olc_helpers import HypothesisError, adversaries, proofs, streams, theorems

CERTIFICATES = always.certificates()


class Other:
    """The streams with another seed."""

    def __init__(self, module, seed):
        self.module, self.seed = module, seed

    def __getattr__(self, name):
        draw = getattr(self.module, name)
        if self.seed is None or not callable(draw) or "rng" not in signature(draw).parameters:
            return draw
        return lambda *args, **kwargs: draw(*args, **kwargs | {"rng": [self.seed, 7]})


def example(name, seed=None):
    """What the example of a theorem is called with, on streams with another seed."""
    found, doc = [], getattr(proofs, name).__doc__
    known = {each: getattr(olc_helpers, each) for each in olc_helpers.__all__} | {"np": np}
    known |= {"streams": Other(streams, seed), "adversaries": Other(adversaries, seed)}

    class Asked:
        holds = True

        def __init__(self, *args, **kwargs):
            found.append((args, kwargs))

    known[name] = Asked
    for each in doctest.DocTestParser().get_doctest(doc, {}, name, None, None).examples:
        exec(each.source, known)
    return found[-1]


def near(a, b):
    return np.allclose(a, b, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
@pytest.mark.parametrize("name", CERTIFICATES)
def test_it_is_the_same_inequality(name, seed):
    """Both sides of each line, and all hypotheses, with the numbers of a run."""
    certificate = CERTIFICATES[name]
    args, kwargs = example(name, seed)
    try:
        lines, variables = always.watched(getattr(proofs, name), *args, **kwargs)
    except HypothesisError:
        return
    numbers = always.Numbers(certificate, variables)
    for number, line in enumerate(lines, 1):
        kind, when, text, _ = certificate.lines[str(number)]
        if not text:
            continue
        trials = np.array([1]) if when == "start" else line.trials if line.trials.size else None
        sign, left, right = numbers.sides(text, trials)
        assert sign == line.relation, number
        assert near(left, line.lhs) and near(right, line.rhs), (number, left, line.lhs)
        if line.trials.size and when not in ("", "start"):
            assert set(line.trials) - {numbers.count + 1} <= set(numbers.trials(when)), number
    for when, text in certificate.facts:
        assert holds(numbers, text, numbers.trials(when)), text


class UpToRounding(ast.NodeTransformer):
    """Comparisons as calls that allow for rounding."""

    def visit_Compare(self, node):
        sign = ast.Constant(type(node.ops[0]).__name__)
        sides = [self.visit(node.left), self.visit(node.comparators[0])]
        return ast.Call(ast.Name("compare", ast.Load()), [sign, *sides], [])


def compare(sign, a, b):
    some = 1e-7 * np.maximum(1, np.maximum(abs(a), abs(b)))
    gap = {"L": b - a, "G": a - b, "E": some - abs(a - b), "N": abs(a - b) - some}[sign[0]]
    return gap > 0 if sign in ("Lt", "Gt") else gap >= -some


def holds(numbers, text, trials):
    """Whether a hypothesis is true on these trials, up to rounding."""
    call = UpToRounding().visit(ast.parse(text, mode="eval"))
    names = numbers.at(trials)
    names["compare"] = compare
    none = trials is not None and not len(trials)
    return none or np.all(eval(compile(ast.fix_missing_locations(call), text, "eval"), {}, names))


LINES = [
    (name, label)
    for name, certificate in CERTIFICATES.items()
    for label, (kind, *_) in certificate.lines.items()
    if kind in always.SOLVED
]
# Lines that are true with half of the constant, or turned, too: they say less than they could.
LESS = {}


def weakened(text):
    """Other claims that look like a line: its relation turned, its constant halved."""
    if not (found := always.RELATION.match(text)):
        return
    left, sign, right = found.groups()
    yield f"{left} {always.TURNED[sign]} {right}"
    if sign == "==":
        yield f"{left} > {right}"
    elif right != "0":
        yield f"{left} {sign} ({right})/2" if sign[0] == "<" else f"({left})/2 {sign} {right}"


@pytest.mark.parametrize("name, label", LINES)
def test_what_is_not_true_is_not_proved(name, label):
    certificate = CERTIFICATES[name]
    text = certificate.lines[label][2]
    proved = [w for w in weakened(text) if isinstance(certificate.rests_on(label, w), list)]
    assert proved == LESS.get((name, label), [])


def test_the_table_is_what_the_solver_proves():
    with open(always.TABLE, encoding="utf-8", newline="") as file:
        stored = list(csv.DictReader(file))
    assert stored == [dict(zip(stored[0], row, strict=True)) for row in always.rows()]


def test_every_line_of_every_theorem_has_its_kind():
    assert set(CERTIFICATES) == set(theorems())
