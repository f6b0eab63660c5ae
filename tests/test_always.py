"""What a solver proves of the theorems is what their ledgers evaluate, and no more than is true."""

import ast
import csv
import doctest
from dataclasses import replace
from inspect import signature

import always
import numpy as np
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import BITS, sizes, tables, trials

import olc_helpers
from olc_helpers import (
    AdaHedge,
    Hedge,
    HypothesisError,
    Perceptron,
    RandomizedWeightedMajority,
    WeightedMajority,
    Winnow,
    adversaries,
    play,
    proofs,
    streams,
    theorems,
)
from olc_helpers import always as shown_always
from olc_helpers.booleans import Or

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
    known = {each: getattr(olc_helpers, each) for each in olc_helpers.NAMES} | {"np": np}
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
    args, kwargs = example(name, seed)
    look_at(name, *args, **kwargs)


def look_at(name, *args, **kwargs):
    """Both sides of each line, and all hypotheses, with the numbers of a run."""
    certificate = CERTIFICATES[name]
    try:
        lines, variables = always.watched(getattr(proofs, name), *args, **kwargs)
    except HypothesisError:
        return
    numbers = always.Numbers(certificate, variables)
    labels = [each for each in certificate.lines if each.isdecimal()]
    if len(lines) < len(labels):
        labels = [each for each in labels if certificate.lines[each][1] != "clean"]
    assert len(lines) <= len(labels), "each line has its kind"
    for number, line in zip(labels, lines, strict=False):
        kind, when, text, _ = certificate.lines[number]
        if not text:
            continue
        on = np.array([1]) if when == "start" else line.trials if line.trials.size else None
        sign, left, right = numbers.sides(text, on)
        assert sign == line.relation, number
        assert near(left, line.lhs) and near(right, line.rhs), (number, left, line.lhs)
        if line.trials.size and when not in ("", "start"):
            assert set(line.trials) - {numbers.count + 1} <= set(numbers.trials(when)), number
    for when, text in certificate.facts:
        assert holds(numbers, text, numbers.trials(when)), text


FEW = settings(max_examples=25)


@FEW
@given(trials(sizes(9, 4).filter(lambda s: min(s) > 1), BITS), st.sampled_from([0.5, 0.75, 0.9]))
def test_it_is_the_same_on_any_bits(stream, beta):
    n = stream[0].shape[1]
    look_at("wm_bound", play(WeightedMajority(n, beta), *stream))
    look_at("rwma_bound", play(RandomizedWeightedMajority(n, beta, rng=1), *stream))
    losses, eta = stream[0] * stream[1][:, None] / 2, 2 * (1 - beta)
    for name in ("hedge_bound", "hedge_hoeffding", "hedge_first_order"):
        look_at(name, play(Hedge(n, eta=eta), losses))
    look_at("adahedge_bound", play(AdaHedge(n), losses))
    look_at("winnow_with_noise", play(Winnow(n), *stream), Or(1, 2))
    labels = stream[0][:, :2].max(axis=1)
    for name in ("winnow_bound", "winnow_refined"):
        look_at(name, play(Winnow(n), stream[0], labels), Or(1, 2))


@FEW
@given(tables(sizes(9, 3).filter(lambda s: min(s) > 1), st.integers(-3, 3)))
def test_it_is_the_same_on_any_separable_points(X):
    u = np.arange(1, X.shape[1] + 1)
    X = X[X @ u != 0]
    if len(X) > 1:
        run = play(Perceptron(len(u)), X, np.sign(X @ u), epochs=2)
        for name in ("novikoff", "novikoff_quadratic", "novikoff_cosine"):
            look_at(name, run, u)
        look_at("novikoff_comparator", run, u)
        look_at("perceptron_any_data", run, u)
        look_at("mirror_identity", run, u)


class UpToRounding(ast.NodeTransformer):
    """Comparisons as calls that allow for rounding."""

    def visit_Compare(self, node):
        sign = ast.Constant(type(node.ops[0]).__name__)
        sides = [self.visit(node.left), self.visit(node.comparators[0])]
        return ast.Call(ast.Name("compare", ast.Load()), [sign, *sides], [])


def compare(sign, a, b):
    same = np.isclose(a, b, rtol=1e-7, atol=1e-7)
    signs = {"Lt": a < b, "LtE": same | (a < b), "Gt": a > b, "GtE": same | (a > b)}
    return (signs | {"Eq": same, "NotEq": ~same})[sign]


def holds(numbers, text, on):
    """Whether a hypothesis is true on these trials, up to rounding."""
    names = numbers.at(on)
    names["compare"] = compare
    none = on is not None and not len(on)
    return none or eval_near(text, names)


def eval_near(text, names):
    call = UpToRounding().visit(ast.parse(text, mode="eval"))
    return np.all(eval(compile(ast.fix_missing_locations(call), text, "eval"), {}, names))


LINES = [
    (name, label)
    for name, certificate in CERTIFICATES.items()
    for label, (kind, *_) in certificate.lines.items()
    if kind in always.SOLVED
]


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
    assert proved == [], "the line says less than it could"


@pytest.mark.parametrize("path", [always.TABLE, always.REFUTED], ids=lambda path: path.stem)
def test_a_table_is_what_the_solver_finds(path, only_pinned):
    with open(path, encoding="utf-8", newline="") as file:
        _, *stored = csv.reader(file)
    proved = (always.row(each, always.proved(each)) for each in CERTIFICATES.values())
    assert stored == list(always.refuted() if path == always.REFUTED else proved)


def test_every_line_of_every_theorem_has_its_kind():
    """The examples above show all lines but those of special cases, which may come last."""
    assert set(CERTIFICATES) == set(theorems())
    solved = [c.solved(label) for c in CERTIFICATES.values() for label in c.lines]
    kinds = [kind for c in CERTIFICATES.values() for kind, *_ in c.lines.values()]
    assert kinds.count("open") <= 0.1 * (sum(solved) + kinds.count("open"))


# Lemmas -------------------------------------------------------------------------------------------


def never(*facts):
    """Whether the facts contradict each other."""
    solver = z3.Solver()
    solver.add(*facts)
    return solver.check() == z3.unsat


def test_lemmas_of_analysis_follow_from_a_value_and_a_derivative():
    """Each is an equality at one point; from there the difference of its sides has a derivative of
    the right sign. E is e^x, of which only the sign and a lemma above are used.
    """
    x, E = z3.Reals("x E")
    # x - 1 - ln x at 1, with the derivative 1 - 1/x
    assert never(x > 0, x < 1, 1 - 1 / x >= 0) and never(x > 1, 1 - 1 / x <= 0)
    # ln(1-x) + x + x² at 0
    assert never(x > 0, x <= 0.5, -1 / (1 - x) + 1 + 2 * x < 0)
    # e^x - e^-x - 2x at 0
    assert never(E > 0, E + 1 / E - 2 < 0)
    # 1 - x + x²/2 - e^-x at 0: e^-x >= 1 - x is the first lemma at e^-x
    assert never(E < 0, E >= 0) and never(x >= 0, E >= 1 - x, -1 + x + E < 0)


def test_cauchy_schwarz_follows_from_a_square():
    """Of a times b·b minus b times a·b; if b·b is 0, of a minus b times a large number."""
    aa, ab, bb, s = z3.Reals("aa ab bb s")

    def square(f, g):
        return f * f * aa + 2 * f * g * ab + g * g * bb

    wrong = aa >= 0, bb >= 0, ab * ab > aa * bb
    assert never(*wrong, bb > 0, square(bb, -ab) >= 0)
    assert never(*wrong, bb == 0, s * ab == aa + 1, square(1, -s) >= 0)


@given(st.floats(-8, 8), st.floats(-8, 8))
def test_lemmas_hold_for_numbers(a, b):
    """A slip in writing one down would show."""
    for letters, domain, says in (each for each in always.LEMMAS.values() if len(each) == 3):
        x, y = (abs(a) + 0.01, abs(b) + 0.01) if "ln" in says or "root" in says else (a, b)
        names = dict(zip(letters.split(), (x, y, x * y), strict=False)) | always.NUMERIC
        names |= {"a": np.array([[a], [1.0]]), "b": np.array([[b], [2.0]]), "compare": compare}
        if eval_near(domain, names):
            assert eval_near(says, names), says


def test_a_ledger_says_of_each_line_whether_it_holds_always():
    for epochs, clean in ((1, False), (9, True)):
        run = play(Perceptron(2), *streams.TEN_POINTS, epochs=epochs, until_consistent=clean)
        ledger = proofs.novikoff_comparator(run)
        marks = [mark for mark, _ in shown_always.of(ledger.theorem, len(ledger.lines))]
        assert marks == ["✓"] * 5 + ["∎"] * clean + ["✓"]
        assert (run.mistakes_per_pass[-1] == 0) == clean
    assert ledger._repr_html_().count(' title="always: the solver proved') == 6
    assert "always" not in replace(ledger, theorem="mine")._repr_html_()
    assert shown_always.share("novikoff_comparator") == "6 of 7 lines"
