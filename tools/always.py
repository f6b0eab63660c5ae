"""Which lines of the proofs hold not only on a run but always: a solver proves them.

    python tools/always.py                 prove everything and write olc_helpers/always.csv
    python tools/always.py novikoff        these theorems: each line, and what it rests on

A ledger evaluates the lines of a proof on a run. A certificate in tools/certificates says them once
more, about abstract quantities: inner products, masses, numbers. Each expression is read twice:
with symbols for the solver z3, which finds that the hypotheses and the opposite of the line have no
model, and with the numbers of a run, where both sides are those of the ledger. A line is

    step       of one trial, from the learner's rule
    algebra    from hypotheses and lines above
    sum        added up over the trials: true at the start, and after a trial if before it
    lemma      an inequality of analysis, which the certificate names
    computed   a finite search or count: the ledger itself is the proof
    open       none of these, and the certificate says why
"""

import csv
import re
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import z3

ROOT = Path(__file__).parents[1]
FOLDER, PRINTED = ROOT / "tools/certificates", ROOT / "tools/certificates/printed.false"
TABLE, REFUTED = ROOT / "olc_helpers/always.csv", ROOT / "olc_helpers/refuted.csv"
EFFORT = 5_000_000
EVER = "always", "start", "end"
SOLVED = "step", "algebra", "sum"  # and lemmas that the solver knows
TURNED = {"<=": ">", ">=": "<", "==": "<", "<": ">=", ">": "<="}
RELATION = re.compile(r"^(?!both|either)(.*?) (<=|>=|==|<|>) (.*)$")

# Lemmas: letters, where they hold, and what they say. The solver gets them for what a certificate
# puts in; those of one sentence speak of averages or of n numbers, for which it has no word, and
# are only named. `tests/test_always.py` has the proofs of the others.
LEMMAS = {
    "Cauchy–Schwarz": (
        "a b",
        "0 <= 1",
        "both(dot(a, a) >= 0, dot(a, b)*dot(a, b) <= dot(a, a)*dot(b, b))",
    ),
    "root": ("x", "x >= 0", "both(root(x)*root(x) == x, root(x) >= 0)"),
    "ln": (
        "x y z",
        "both(x > 0, y > 0)",
        "both(either(z != x*y, ln(z) == ln(x) + ln(y)), either(x*y != 1, ln(y) == -ln(x)),"
        " either(x > y, ln(x) <= ln(y)))",
    ),
    "ln x ≤ x-1": ("x", "x > 0", "both(ln(x) <= x - 1, either(x == 1, ln(x) < x - 1))"),
    "ln(1-x) ≥ -x-x²": ("x", "both(x >= 0, x <= 1/2)", "ln(1 - x) >= -x - x*x"),
    "powers of 2": (
        "x y",
        "0 <= 1",
        "both(two(x) > 0, either(x != 0, two(x) == 1), either(x != y, two(x) == two(y)),"
        " either(x != y + 1, two(x) == 2*two(y)), either(x <= y, two(x) > two(y)),"
        " either(x > y, two(-y)*two(x) <= 1))",
    ),
    "2x ≤ e^x - e^-x": (
        "x",
        "x >= 0",
        "both(2*x <= exp(x) - exp(-x), exp(x)*exp(-x) == 1, exp(x) > 0)",
    ),
    "averages": "an average lies between the smallest and the largest number",
    "Jensen": "a convex function of an average is at most the average of the function",
    "Hoeffding": "ln E e^(sX) ≤ s E X + s²B²/8 for X in an interval of length B (1963)",
    "relative entropy": "the sum of u ln(u/v) is at least 0 for two distributions (Gibbs)",
    "e^-x ≤ 1-x+x²/2": "for x ≥ 0, and so for averages",
    "factorials": "n(n-1)…(n-k+1) ≤ n^k, and k! ≥ (k/e)^k",
    "Vovk's substitution": "for η ≤ 2 the prediction (g(0) - g(1) + 1)/2 pays at most g(y) (1990)",
}


# Values that are read twice -----------------------------------------------------------------------


class Vector:
    """A combination of named vectors; the inner products of the names are numbers."""

    def __init__(self, parts):
        self.parts = parts

    def __add__(self, other):
        names = {**self.parts, **other.parts}
        return Vector({k: self.parts.get(k, 0) + other.parts.get(k, 0) for k in names})

    def __mul__(self, factor):
        return Vector({name: factor * each for name, each in self.parts.items()})

    __rmul__ = __mul__

    def __sub__(self, other):
        return self + -1 * other

    def __eq__(self, other):
        return self, other  # all inner products are equal


def _inner(a, b):
    pairs = [(f * g, *sorted((k, l))) for k, f in a.parts.items() for l, g in b.parts.items()]
    return z3.Sum([factor * z3.Real(f"{k}·{l}") for factor, k, l in pairs])


def _unknown(name):
    """A function of which the solver knows only what the lemmas say."""
    return lambda x: z3.Real(f"{name} {z3.simplify(z3.RealVal(0) + x, som=True)}")


def _columns(a, b):
    return (a * b).sum(axis=0)


SYMBOLIC = {"dot": _inner, "both": z3.And, "either": z3.Or}
SYMBOLIC |= {name: _unknown(name) for name in ("ln", "exp", "root", "two")}
NUMERIC = {
    "dot": _columns,
    "both": lambda *a: np.logical_and.reduce(np.broadcast_arrays(*a)),
    "either": lambda *a: np.logical_or.reduce(np.broadcast_arrays(*a)),
}
NUMERIC |= {"ln": np.log, "exp": np.exp, "root": np.sqrt, "two": np.exp2}


def _symbolic(lemma):
    """Whether the solver gets a lemma, for what is put in; others are only named."""
    return ": " in lemma and not isinstance(LEMMAS[lemma.partition(":")[0]], str)


def value(text, names):
    """What an expression is, in symbols or numbers."""
    return eval(text, {"__builtins__": {}}, names)


# Certificates -------------------------------------------------------------------------------------


@dataclass
class Certificate:
    """What a theorem says of abstract quantities, as it stands in a file of tools/certificates."""

    name: str
    vectors: dict = field(default_factory=dict)  # name: its value in the theorem
    numbers: dict = field(default_factory=dict)
    cases: dict = field(default_factory=dict)
    facts: list = field(default_factory=list)  # (when, relation)
    lines: dict = field(default_factory=dict)  # label: (kind, when, relation, lemmas)

    def solved(self, label):
        """Whether the solver proves a line, and does not only name a lemma or a reason."""
        kind, _, _, by = self.lines[label]
        return kind in SOLVED or kind == "lemma" and _symbolic(by[0])

    def symbols(self, after=False):
        """The names as symbols; `after` the trial, what changes is its name with a _."""

        def last(name):
            changes = after and (name + "_" in self.vectors or name + "_" in self.numbers)
            return name + "_" * changes

        return (
            SYMBOLIC
            | {name: Vector({last(name): 1}) for name in self.vectors}
            | {name: z3.Real(last(name)) for name in self.numbers}
        )

    def case(self, when):
        """In which trials something is said, as a formula."""
        said = [
            z3.Not(z3.Bool(each[4:])) if each.startswith("not ") else z3.Bool(each)
            for each in when.split(" and ")
            if each.removeprefix("not ") in self.cases
        ]
        return z3.And(said)

    def said(self, text, after=False, names=None):
        """A relation in symbols; one of vectors is one of all inner products."""
        said = value(text, names or self.symbols(after))
        if isinstance(said, tuple):
            a, b = said
            each = [Vector({name: 1}) for name in self.vectors]
            return z3.And([_inner(a, v) == _inner(b, v) for v in each])
        return said

    def lemma(self, text, after=False):
        """A lemma for what is put in, in symbols."""
        name, _, given = text.partition(": ")
        letters, domain, says = LEMMAS[name]
        put = [value(each, self.symbols(after)) for each in given.split(" | ")]
        put += put[-1:] * (len(letters.split()) - len(put))  # a letter left out is the last one
        names = SYMBOLIC | dict(zip(letters.split(), put, strict=True))
        return z3.Implies(self.said(domain, names=names), self.said(says, names=names))

    def known(self, number, at):
        """{name: formula} of what a line may rest on: at the "start", "now" in a trial or at the
        end, or in a "trial" that goes on to the next.
        """
        found = {}
        for when, text in self.facts:
            if when == "start" and at == "start" or when == "always":
                found[text] = self.said(text)
            elif when.startswith("from "):
                found[f"{text} ({when})"] = self.said(text)
            elif when == "end" and "end" in self.lines[number][1]:
                found[text] = self.said(text)
            elif when not in ("start", "end") and at != "start":
                found[f"{text} ({when})"] = z3.Implies(self.case(when), self.said(text))
        for above, (kind, when, text, _) in self.lines.items():
            if above == number:
                break
            later = "end" in when and "end" not in self.lines[number][1]
            if text and ("start" not in when or at == "start") and not later:
                found[f"line {above}"] = z3.Implies(self.case(when), self.said(text))
                if kind == "sum" and at == "trial":
                    found[f"line {above} after"] = self.said(text, after=True)
        for lemma in self.lines[number][3]:
            if not _symbolic(lemma):
                continue
            found[lemma] = self.lemma(lemma)
            if at == "trial":
                found[lemma + " after"] = self.lemma(lemma, after=True)
        return found

    def said_between(self, name):
        """What a proof rests on; of a line that the ledger does not have, what it says."""
        label = name.removeprefix("line ")
        return name if label.isdecimal() or label not in self.lines else self.lines[label][2]

    def tasks(self, number, text=None):
        """Yield (what is known, what is to be shown) for a line, or for a text in its place."""
        kind, when, said, _ = self.lines[number]
        text = text or said
        if kind != "sum":
            at = "start" if when == "start" else "now"
            yield self.known(number, at), z3.Implies(self.case(when), self.said(text))
            return
        yield self.known(number, "start"), self.said(text)
        known = self.known(number, "trial") | {"before": self.said(text)}
        yield known, self.said(text, after=True)

    def rests_on(self, number, text=None):
        """The names of all that a proof of the line rests on, none of which can be spared; or the
        solver's model, or its word, if there is no proof.
        """
        needed, here = set(), z3.Context()  # of its own: what was proved before changes nothing
        for known, goal in self.tasks(number, text):
            known = {k: v.translate(here) for k, v in known.items()}
            core = self.core(known, goal.translate(here))
            if not isinstance(core, list):
                return core
            needed |= set(core)
        return sorted(needed - {"before"})

    def core(self, known, goal):
        """What of the known is needed for the goal, as a list; else a model, or "unknown"."""
        needed = self.solve(known, goal, EFFORT)
        if not isinstance(needed, list):
            return needed
        for name in needed:  # facts before lines, so that a proof rests on lines where it can
            fewer = {k: known[k] for k in needed if k != name}
            if isinstance(self.solve(fewer, goal, EFFORT // 10), list):
                needed = list(fewer)
        return needed

    def solve(self, known, goal, effort):
        """What contradicts the opposite of the goal, as a list; else a model in which the known
        holds and the goal does not, or "unknown".
        """
        solver = z3.Solver(ctx=goal.ctx)
        solver.set("rlimit", effort)  # steps of the solver, the same on every machine
        solver.add(z3.Not(goal))
        solver.add(z3.Real(f"{v}·{v}", goal.ctx) >= 0 for v in self.vectors)
        for name, formula in known.items():
            solver.assert_and_track(formula, name)
        answer = solver.check()
        if answer == z3.unsat:
            found = {str(each) for each in solver.unsat_core()}
            return [name for name in known if name in found]
        return solver.model() if answer == z3.sat else "unknown"


def read(path):
    """Yield the certificates of a file: a name at the left edge, then indented `what: …; …`."""
    one = None
    text = re.sub(r"\n\s{8,}", " ", path.read_text(encoding="utf-8"))  # a long line goes on
    for row in text.splitlines():
        if not row.strip() or row.startswith("#"):
            continue
        if not row.startswith(" "):
            if one:
                yield one
            one = Certificate(row.strip())
            continue
        what, _, rest = row.strip().partition(": ")
        parts = [each.strip() for each in rest.split(";")]
        if what in ("vectors", "numbers", "cases"):
            for each in parts:
                name, _, expression = each.partition(" = ")
                names = getattr(one, what)
                names[name.rstrip("'")] = expression
                if name.endswith("'"):
                    names[name[:-1] + "_"] = f"({expression})[1:]"
        elif found := re.match(r"(\d+[a-z]?) (\w+)(?: (?:on|at) (.+))?$", what):
            text, *lemmas = [each.strip() for each in rest.split(" by ")]
            if found[2] not in (*SOLVED, "false"):
                by, _, text = rest.partition(" gives ")
                lemmas = [by]
            when = (found[3] or "").replace(" at ", " and ")
            one.lines[found[1]] = found[2], when, text, lemmas
        else:
            one.facts += [(what.removeprefix("on "), each) for each in parts]
    yield one


@cache
def certificates():
    """{name: certificate} of all theorems that have one."""
    return {each.name: each for path in sorted(FOLDER.glob("*.txt")) for each in read(path)}


# Numbers of a run ---------------------------------------------------------------------------------


def watched(theorem, *args, **kwargs):
    """(lines, variables): the lines of a proof, and all that its generators knew on the way."""
    proof, lines = theorem.__wrapped__(*args, **kwargs), []
    variables = dict(theorem.__wrapped__.__globals__)
    for line in proof:
        lines.append(line)
        inner = proof
        while inner is not None:
            variables |= inner.gi_frame.f_locals
            inner = inner.gi_yieldfrom
    return lines, variables


class Numbers:
    """The names of a certificate as the numbers of a run."""

    def __init__(self, certificate, variables):
        self.names = dict(NUMERIC)
        for name, text in certificate.vectors.items():
            rows = np.atleast_2d(np.asarray(eval(text, variables), float))
            self.names[name] = rows.T  # so that a number per trial multiplies each of its columns
        for name, text in certificate.numbers.items():
            self.names[name] = np.asarray(eval(text, variables), float)
        self.cases = {name: eval(text, variables) for name, text in certificate.cases.items()}
        long = [a.shape[-1] for a in self.names.values() if np.ndim(a) and a.shape[-1] > 1]
        self.count = min(long, default=1)  # of trials

    def at(self, trials):
        """The names on these trials, counted from 1; at the end, if there are None."""
        all_names = self.names

        class Lazy(dict):
            def __missing__(self, name):
                a = all_names[name]
                if callable(a) or a.ndim == 0 or a.shape[-1] == 1:
                    return a
                return a[..., -1:] if trials is None else a[..., trials - 1]

        return Lazy()

    def sides(self, text, trials):
        """The relation of a text, and both sides on these trials."""
        left, sign, right = RELATION.match(text).groups()
        names = self.at(trials)
        return sign, value(left, names), value(right, names)

    def trials(self, when):
        """The trials of a case, counted from 1."""
        if when == "start":
            return np.array([1])
        if "end" in when:
            return None
        on = np.ones(self.count, bool)
        for each in when.split(" and "):
            if each in self.cases:
                on = on & self.cases[each][: self.count]
            elif each.startswith("not "):
                on = on & ~self.cases[each[4:]][: self.count]
        return np.flatnonzero(on) + 1


# The table ----------------------------------------------------------------------------------------


def pretty(text):
    """An expression as a reader writes it."""
    text = re.sub(r"dot\((\w+), (\w+)\)", r"\1·\2", text)
    for old, new in (
        ("<=", "≤"),
        (">=", "≥"),
        ("==", "="),
        ("**2", "²"),
        ("*", " "),
        (" | ", ", "),
    ):
        text = text.replace(old, new)
    return re.sub(r"\b(\w+)_(?!\w)", r"\1′", text)


def proved(certificate):
    """{label: what the line rests on}; ends the program at a line that is not proved."""
    found = {}
    for label, (_, _, text, by) in certificate.lines.items():
        found[label] = certificate.rests_on(label) if certificate.solved(label) else by
        if not isinstance(found[label], list):
            sys.exit(f"line {label} of {certificate.name} is not proved: {text}\n{found[label]}")
    return found


def row(certificate, found):
    """The row of a theorem: its name, the kinds of its lines, and what each rests on."""
    kinds, texts = "", []
    for label in filter(str.isdecimal, found):
        kind, when, *_ = certificate.lines[label]
        named = kind == "lemma" and not certificate.solved(label)
        kinds += "L" if named else {"sum": "+"}.get(kind, kind[0])
        kinds = kinds[:-1] + "C" if kind == "computed" and when else kinds
        by = [certificate.said_between(each) for each in found[label]]
        texts.append(pretty("; ".join(by)))
    return [certificate.name, kinds, " | ".join(texts)]


def refuted():
    """Yield (number, kind, numbers) of each printed claim: what the solver found against it."""
    for each in read(PRINTED):
        model = each.rests_on("1")
        if isinstance(model, list | str):
            sys.exit(f"{each.name} is not refuted: {model}")
        named = ((name, model[z3.Real(name, model.ctx)]) for name in each.numbers)
        shown = [f"{name} = {found}" for name, found in named if found is not None]
        yield [each.name, "x", ", ".join(shown).replace("_", "′").replace("-", "−")]


def write(path, head, table):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *table])


def main(names):
    table = []
    for name, each in certificates().items():
        if names and name not in names:
            continue
        found = proved(each)
        table.append(row(each, found))
        used = {by for all in found.values() for by in all}
        facts = {
            text if when in ("always", "start", "end") else f"{text} ({when})"
            for when, text in each.facts
        }
        print(
            *table[-1][:2], " never needed:" * bool(facts - used), "; ".join(sorted(facts - used))
        )
        for label, by in found.items() if names else ():
            print(f"  {label:3} {each.lines[label][0]:8} {pretty('; '.join(by))}")
    if not names:
        write(TABLE, ["theorem", "kinds", "by"], table)
        write(REFUTED, ["erratum", "kinds", "by"], refuted())


if __name__ == "__main__":
    main(sys.argv[1:])
