"""The ledger: what a line compares, when it counts as violated, and how it reads."""

import ast
import inspect
import re
from doctest import DocTestFinder, DocTestRunner
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import olc_helpers
from olc_helpers import (
    HypothesisError,
    Ledger,
    assume,
    claim,
    errata,
    ledger,
    printed,
    proofs,
    relations,
    theorem,
    theorems,
)


@pytest.fixture
def registry(monkeypatch):
    """Leaves the theorems of the course alone."""
    for face, name in ((proofs, "THEOREMS"), (printed, "ERRATA")):
        monkeypatch.setattr(ledger, name, {})
        monkeypatch.setattr(face, name, getattr(ledger, name))


def made(*lines, name="A theorem", statement=r"a \le b"):
    return Ledger(name, statement, lines)


# Lines --------------------------------------------------------------------------------------------


def test_entries_are_trials_counted_from_1():
    line = claim("a", [1, 2, 3], [4, 4, 4]).because("why")
    assert (
        line.trials.tolist() == [1, 2, 3] and line.slack.tolist() == [3, 2, 1] and line.why == "why"
    )
    assert line.holds and line.first_violation is None and line.tightest == 2


def test_mask_leaves_out_trials():
    line = claim("a", [1, 9, 3, 9], [4, 4, 4, 4], on=[True, False, True, True])
    assert (
        line.trials.tolist() == [1, 3, 4]
        and line.lhs.tolist() == [1, 3, 9]
        and line.slack.tolist() == [3, 1, -5]
    )
    assert not line.holds and line.first_violation == 4


def test_numbers_speak_of_the_whole_run():
    line = claim("a", 5, 4)
    assert (
        line.lhs.tolist() == [5]
        and line.trials.tolist() == []
        and not line.holds
        and line.first_violation == 0
    )
    assert claim("a", 4, 5).first_violation is None


def test_a_number_is_compared_with_every_trial():
    assert claim("a", [1, 2, 3], 2).first_violation == 3
    assert claim("a", 2, [3, 1, 2]).first_violation == 2


def test_claim_on_no_trial_holds():
    line = claim("a", [9, 9], [1, 1], on=[False, False])
    assert line.holds and line.first_violation is None and line.tightest is None


def test_sides_with_one_number_per_expert_are_refused():
    with pytest.raises(
        ValueError, match=re.escape("one entry per trial; in a_i the shapes are (2, 3) and ()")
    ):
        claim("a_i", np.ones((2, 3)), 1)


def test_sides_must_fit():
    with pytest.raises(ValueError, match=re.escape("in a the shapes are (3,) and (2,)")):
        claim("a", [1, 2, 3], [1, 2])


@pytest.mark.parametrize(
    ("relation", "holds"),
    [
        ("<=", (True, True, False)),
        (">=", (False, True, True)),
        ("==", (False, True, False)),
        ("<", (True, False, False)),
        (">", (False, False, True)),
    ],
)
def test_relations(relation, holds):
    assert tuple(claim("a", left, 2, relation=relation).holds for left in (1, 2, 3)) == holds
    assert (
        tuple(claim("a", left, 2, relation=relation).slack[0] for left in (1, 2, 3))
        == {"<": (1, 0, -1), ">": (-1, 0, 1), "=": (-1, 0, -1)}[relation[0]]
    )


def test_a_strict_claim_fails_at_equality_and_shows_its_own_sides():
    less, more = claim("a", [3, 4], 4, relation="<"), claim("a", [5, 4], 4, relation=">")
    assert less.first_violation == more.first_violation == 2
    assert less.sides == "4 ≥ 4" and more.sides == "4 ≤ 4"
    assert claim("a", 3, 4, relation="<").sides == "3 < 4"
    assert claim("a", 5, 4, relation=">").sides == "5 > 4"
    assert claim("a", 5, 4, relation="<").sides == "5 ≥ 4"
    near = 1 + 0.9e-9
    assert not claim("a", 1, near, relation="<").holds
    assert not claim("a", near, 1, relation=">").holds
    assert claim("a", 1, 1 + 2.1e-9, relation="<").holds
    assert not claim("a", np.inf, np.inf, relation="<").holds
    assert claim("a", 1, np.inf, relation="<").holds


def test_other_relations_are_refused():
    with pytest.raises(ValueError, match="relation must be one of <=, >=, ==, <, >; in a it is ≤"):
        claim("a", 1, 2, relation="≤")


@pytest.mark.parametrize(
    ("latex", "relation"),
    [
        (r"M \le 3", "<="),
        (r"M \leq 3", "<="),
        (r"|V_t| \ge 1", ">="),
        (r"\|w_1\| = 0", "=="),
        ("M^- < 2 + 2M^+", "<"),
        ("W_t > 0", ">"),
        (r"M(N=8) > M(N=4)", ">"),
        (r"VC(C) = d \le \lg|C|", "<="),  # a chain says what its strictest sign says
        (r"a \le b < c \le d", "<"),
        (r"a = b = c", "=="),
        (r"a > b = c \ge d", ">"),
        (r"\sum_{i \le k} x_i \ge 1", ">="),  # what stands below a sum is no side
        (r"\ln W_t \ge \ln\sum_{s:\,s_t=i}^{\{j < n\}} \pi(s)", ">="),
        (r"\frac{a_{t=1}}{b_{s<t}} \le c", "<="),
        (r"|\{t: y_t\,w\cdot x_t \le 0\}| = 0", "=="),
        (r"1[x_t \le a_{t+1}] = y_t", "=="),
        (r"\hat y_t = [\,w_t\cdot x_t \ge N\,]", "=="),
        (r"P(h(x) \ne y) \le B/m", "<="),
        (r"w_i \ge 1 - \ell_i,\ i = s_t", ">="),  # nor what follows the formula
        (r"M < 2+3k,\ k = 1,\ N = 4", "<"),
        (r"w_i = 2^{c_i}; c_i > 0", "=="),
        (r"|S| \ge m \text{ for all } m < n", ">="),
        (r"\text{updates} \le R^2/\gamma^2", "<="),
        (r"a = \text{the cost} \le b", "<="),
        (r"\hat y = 0 \iff w\cdot x < N", "=="),  # both sides are equally true
        (r"\hat y \left( x \right) = 1", "=="),
        (r"\lfloor x \rfloor \le x", "<="),
        ("a", None),
        (r"f(x = 1)", None),
        (r"a \leftarrow b", None),
    ],
)
def test_the_relation_is_read_from_the_formula(latex, relation):
    assert relations.relation_of(latex) == relation
    assert claim(latex, 1, 2).relation == (relation or "<=")


def test_claims_of_the_course_name_a_relation_where_words_say_it_and_nowhere_else():
    named, silent, told = [], [], set()
    for file in Path(ledger.__file__).parent.glob("*/*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "claim":
                relation = [k.value.value for k in call.keywords if k.arg == "relation"]
                said = relations.relation_of(latex := formula(call.args[0]))
                told.add(said)
                if relation == [said]:
                    named.append(latex)
                elif not relation and said is None and latex:
                    silent.append(latex)
    assert told == {"<=", ">=", "==", "<", ">", None} and silent == []
    assert named == [r"\sum_i w^s_{t+1,i} = \sum_i w^m_{t,i}"]  # lecture 21 shows it in full


def formula(node):
    """The LaTeX as it stands in a call; what is computed is left out."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(formula, node.values))
    return getattr(node, "value", "") if isinstance(node, ast.Constant) else ""


def test_a_relation_that_contradicts_its_formula_is_refused():
    with pytest.raises(ValueError, match=re.escape(r"a \le b says <=, but relation='<': leave it")):
        claim(r"a \le b", 1, 2, relation="<")
    assert claim(r"a \le b", 1, 2, relation="<=").relation == "<="
    words = r"\text{updates on trials with } y\hat y \le 1"  # which are equal to others
    assert claim(words, 1, 2, relation="==").relation == "=="
    with pytest.raises(ValueError, match="a < b > c point both ways; claim them one by one"):
        claim("a < b > c", 1, 2)
    with pytest.raises(ValueError, match=r"no ledger evaluates the \\ne of a \\ne b: claim <=, <,"):
        claim(r"a \ne b", 1, 1)


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e6])
@pytest.mark.parametrize("relation", ["<=", "=="])
def test_violation_of_one_millionth_is_seen_and_rounding_is_not(relation, scale):
    big = max(1, scale)
    assert claim("a", scale + 1e-12 * big, scale, relation=relation).slack[0] == 0
    assert claim("a", scale - 1e-12 * big, scale, relation=relation).holds
    assert not claim("a", scale + 1e-6 * big, scale, relation=relation).holds
    assert not claim("a", scale + 2.1e-9 * big, scale, relation=relation).holds
    assert claim("a", scale + 0.9e-9 * big, scale, relation=relation).holds


def test_tolerance_is_relative_to_the_larger_side_but_never_below_1e_9():
    assert relations.TOLERANCE == 1e-9
    assert not claim("a", 1e-8, 0).holds and claim("a", 1e-10, 0).holds
    assert claim("a", 1e12 + 900, 1e12).holds and not claim("a", 1e12 + 2000, 1e12).holds


def test_infinity():
    inf = np.inf
    assert (
        claim("a", inf, inf).holds
        and claim("a", inf, inf, relation="==").holds
        and claim("a", -inf, -inf).slack[0] == 0
    )
    assert claim("a", 5, inf).slack[0] == inf and claim("a", -inf, 5).holds
    assert (
        not claim("a", inf, 5).holds
        and not claim("a", 5, -inf).holds
        and not claim("a", -inf, inf, relation=">=").holds
    )
    assert (
        not claim("a", inf, 5, relation="==").holds
        and not claim("a", inf, -inf, relation="==").holds
    )


def test_nan_is_a_violation():
    nan = np.nan
    for relation in ("<=", ">=", "==", "<", ">"):
        assert (
            not claim("a", nan, 1, relation=relation).holds
            and not claim("a", 1, nan, relation=relation).holds
        )
        holding = {"<": 0, ">": 2}.get(relation, 1)
        line = claim("a", [holding, nan, holding], 1, relation=relation)
        assert line.first_violation == 2 and line.tightest == 1
    assert "nan > 1" in repr(made(claim("a", nan, 1)))


# The tightest entry ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lhs", "rhs", "where"),
    [
        ([8, 8, 5, 3], [8, 8, 6, 5], "t = 3"),  # the start, and again before the first mistake
        ([0, 0, 2, 5], [0, 0, 3, 5], "t = 4"),  # 0 = 0, where nothing happened
        ([1, 0, 4], [3, 0, 5], "t = 3"),
        ([0, 1, 2], [3, 1, 2], "t = 2 and 1 more"),
        ([1, 2, 4, 5], [3, 2, 4, 7], "t = 2 and 1 more"),  # no start: trial 1 is not tight
        ([1, 5, 6], [2, 6, 9], "t = 1 and 1 more"),
        ([8, 8, 8], [8, 8, 8], "all 3"),  # nothing moves
        ([1, 0.5, 0], [1, 1, 1], "t = 2"),  # w_1 = 0 makes a line tight once
        ([1, 0, 1], [1, 1, 1], "t = 1 and 1 more"),  # R² does not start: it is a constant
        ([2, 1, 0, 0], 0, "t = 3 and 1 more"),  # nor does 0
        ([8, 4, 2], [8, 4, 2], "all 3"),
        ([8], [8], "t = 1"),
        ([2, 0], [2, 0], "all 2"),  # a start and 0 = 0: nothing else to show
        (0.1 * np.arange(1, 4), 0.1 * np.arange(1, 4) + 0.1, "all 3"),  # but for rounding
    ],
)
def test_tightest_entry_that_says_something(lhs, rhs, where):
    relation = "<=" if lhs[0] <= np.ravel(rhs)[0] else ">="
    line = claim("a", lhs, rhs, relation=relation)
    assert line.holds and line.where == where


def test_equality_shows_a_trial_after_the_start():
    line = claim("a", [0, 0, 7, 9], [0, 0, 7, 9], relation="==")
    assert line.where == "all 4" and line.sides == "7 = 7"


def test_trial_1_of_some_trials_is_a_start_if_it_alone_is_tight():
    line = claim("a", [4, 5, 1], [4, 9, 3], on=[True, False, True])
    assert line.where == "t = 3" and line.sides == "1 ≤ 3"
    line = claim("a", [4, 5, 1], [4, 9, 1], on=[True, False, True])
    assert line.where == "all 2" and line.sides == "4 ≤ 4"
    line = claim("a", [4, 5, 1], [4, 5, 3], on=[False, True, True])
    assert line.where == "t = 2"  # no start


def test_a_violation_is_always_shown():
    assert claim("a", [0, 5, 3], 0, relation="<").where == "t = 2"
    assert claim("a", [0, -3, -2], 0, relation="<").sides == "0 ≥ 0"
    assert claim("a", [8, 9, 2], [8, 5, 2]).sides == "9 > 5"
    assert claim("a", [3, 9, 9], [8, 5, 5]).where == "t = 2 and 1 more"


def test_entries_that_are_no_trials():
    line = claim("a", [1, 2, 9], 3, of="samples")
    assert line.where == "sample 3" and claim("a", 1, 2, of="samples").where == "in all"
    assert claim("a", [8, 4], [8, 6], of="steps").where == "step 2"
    assert claim("a", [8, 4], [8, 6], of="samples").where == "sample 1"  # no start
    assert claim("a", [1, 1], 3, of="clause").where == "all 2 clauses"
    assert claim("a", [1, 1], 3, on=[False, False], of="rows").where == "on no row"
    rows = [re.sub(" +", " ", row) for row in repr(made(line, claim("b", 1, 2))).splitlines()]
    assert rows[1:] == [
        "(1) a sample 3 9 > 3 slack -6 ✗ first at sample 3",
        "(2) b in all 1 ≤ 2 slack 1 ✓",
    ]


# Ledgers ------------------------------------------------------------------------------------------


def test_ledger_sums_up_its_lines():
    good, bad, last = claim("g", [1, 2], 3), claim("b", [1, 5, 6], 3), claim("l", 2, 7)
    book = made(good, bad, last)
    assert not book.holds and book.first_violation == (2, 2)
    assert (book.value, book.bound) == (2, 7) and type(book.value) is type(book.bound) is float
    assert made(good, last).holds and made(good, last).first_violation is None
    assert made(good, claim("w", 9, 1)).first_violation == (2, 0)


def test_last_entry_of_the_last_line_is_the_statement():
    book = made(claim("l", [1, 2, 3], [4, 5, 6]))
    assert (book.value, book.bound) == (3, 6)


def test_text():
    book = made(
        claim(r"W_t \ge 1", [2, 1.5], 1),
        claim(r"M \le 3", 5, 3),
        claim("e", [1, 1], 1, relation="=="),
        claim("none", [1], [0], on=[False]),
        claim("late", [0, 0, 9], 1),
    )
    rows = [re.sub(" +", " ", row) for row in repr(book).splitlines()]
    assert rows == [
        "A theorem: VIOLATED",
        r"(1) W_t \ge 1 t = 2 1.5 ≥ 1 slack 0.5 ✓",
        r"(2) M \le 3 whole run 5 > 3 slack -2 ✗ fails",
        "(3) e all 2 1 = 1 slack 0 ✓",
        "(4) none on no trial slack ✓",
        "(5) late t = 3 9 > 1 slack -8 ✗ first at t = 3",
    ]
    assert repr(made(claim("a", 1, 2))).startswith("A theorem: every line holds\n(1) a")


def test_html_is_a_table_with_everything_escaped():
    book = made(
        claim("a<b & c", [1.0, 2.0], 1.5, why='<script>"why"</script>'),
        name="<b>",
        statement="x < y",
    )
    html = book._repr_html_()
    assert (
        "<script>" not in html
        and "<b>" not in html
        and "a&lt;b &amp; c" in html
        and "x &lt; y" in html
    )
    table = ElementTree.fromstring(html)
    assert table.tag == "table" and "violated ✗" in table.find("caption").text
    assert [th.get("scope") for th in table.iter("th")] == ["col"] * 6
    assert [td.text for td in table.iter("td")] == [
        "(1)",
        "$a<b & c$",
        "t = 2",
        "2 ≥ 1.5",
        "-0.5",
        "✗ first at t = 2",
    ]
    assert [reason.text for reason in table.iter("div")] == ['<script>"why"</script>']
    assert "<div" not in made(claim("a", 1, 2))._repr_html_()
    assert "every line holds ✓" in made(claim("a", 1, 2))._repr_html_()


def test_a_bar_is_as_long_as_the_slack_in_parts_of_the_larger_side():
    lines = claim("a", 1, 4), claim("a", 2, 2), claim("b", 3, 1), claim("c", 0, 0)
    html = made(*lines)._repr_html_()
    bars = [span.attrib for span in ElementTree.fromstring(html).iter("span")]
    assert [bar["class"] for bar in bars] == ["olc-slack", "olc-slack", "olc-slack broken"]
    assert {bar["aria-hidden"] for bar in bars} == {"true"}
    hidden = [float(re.search(r"inset -([\d.]+)em", bar["style"])[1]) for bar in bars]
    assert hidden == [1.2, 4.7, 1.7]  # of five, with two digits; a stub where there is none
    assert "linear-gradient" not in bars[2]["style"]


def test_an_index_in_a_reason_or_a_name_stands_below_its_letter():
    reason = "w_{t,i} ≤ W_t, a < b, and a_word is none"
    html = made(claim("a", 1, 2, why=reason))._repr_html_()
    below = "w<sub>t,i</sub> ≤ W<sub>t</sub>, a &lt; b, and a_word"
    assert f"{below} is none</div>" in html
    assert "from w<sub>1</sub> = 0: $" in made(claim("a", 1, 2), name="from w_1 = 0")._repr_html_()


def test_plot_shows_both_sides_of_a_line():
    book = made(
        claim(r"M_t \le R_t", [1, 2, 3], [2, 2, 4]), claim("b", [0.5, 1], [1, 3]), claim("c", 1, 2)
    )
    fig = book.plot(1)
    left, right = fig.axes[0].get_lines()
    assert left.get_xdata().tolist() == [1, 2, 3] and left.get_ydata().tolist() == [1, 2, 3]
    assert right.get_ydata().tolist() == [2, 2, 4]
    assert {t.get_text() for t in fig.axes[0].texts} == {"$M_t$", "$R_t$"}
    assert fig.caption == "The line is tightest at t = 2: 2 ≤ 2."
    assert fig.description.startswith("A theorem, line 1, on 3 trials: the left side (solid blue)")
    # The last line about trials; its claim has no two sides to name.
    assert "line 2, on 2 trials" in book.plot().description
    assert {t.get_text() for t in book.plot().axes[0].texts} == {"left side", "right side"}
    failed = made(claim("a < b", [3, 9], 4, of="samples")).plot()
    assert failed.caption == "The line fails, most at sample 2: 9 ≥ 4."
    assert failed.axes[0].get_xlabel() == "sample"


@pytest.mark.parametrize("line", [2, None])
def test_a_line_about_the_whole_run_has_no_plot(line):
    with pytest.raises(ValueError, match="line 2 speaks of the whole run, not of single trials"):
        made(claim("a", [1], [2], on=[False]), claim("c", 1, 2)).plot(line)


# Theorems -----------------------------------------------------------------------------------------


def test_theorem_evaluates_every_claim(registry):
    @theorem(r"a \le b", items="X-T1 X-P1", lecture="01")
    def small(run, b=3):
        """Small is small.

        More about it.
        """
        assume(run > 0, f"run must be positive; it is {run}")
        yield claim("first", run, b)
        yield claim("second", [run, run], b)

    book = small(2)
    assert isinstance(book, Ledger) and book.holds and len(book.lines) == 2 and book.bound == 3
    assert (
        book.name == small.title == "Small is small"
        and book.statement == small.statement == r"a \le b"
    )
    assert book.items == small.items == ("X-T1", "X-P1") and small.lecture == "01"
    assert small(2, b=1).first_violation == (1, 0)
    assert theorems() == {"small": small} and errata() == {}


def test_hypothesis_that_fails_names_the_theorem_and_itself(registry):
    @theorem("s")
    def needs_positive(run):
        assume(run > 0, f"run must be positive; on trial 3 it is {run}")
        yield claim("a", 1, 1)

    with pytest.raises(
        HypothesisError,
        match="^needs_positive does not apply: run must be positive; on trial 3 it is -1$",
    ):
        needs_positive(-1)
    assert issubclass(HypothesisError, ValueError)


def test_other_errors_are_not_hidden(registry):
    @theorem("s")
    def broken(run):
        yield claim("a", run.nothing, 1)

    with pytest.raises(AttributeError):
        broken(1)


def test_errata_are_listed_apart(registry):
    @theorem("s", erratum="E9-99")
    def printed(run):
        yield claim("a", 1, 0)

    assert (
        theorems() == {}
        and errata() == {"printed": printed}
        and printed.erratum == "E9-99"
        and not printed(0).holds
    )


def test_lists_are_copies(registry):
    theorems()["x"] = errata()["x"] = None
    assert theorems() == errata() == {}


@pytest.mark.parametrize("name", theorems())
def test_every_theorem_says_for_what_it_holds(name):
    summary, *more = inspect.getdoc(theorems()[name]).split("\n\n")
    assert more and not more[0].startswith(">>>"), f"{name}: {summary} But under which hypotheses?"


def test_the_example_of_a_theorem_of_ones_own(monkeypatch):
    monkeypatch.setattr(ledger, "THEOREMS", dict(ledger.THEOREMS))
    (example,) = (test for test in DocTestFinder().find(ledger) if test.name.endswith(".theorem"))
    done = DocTestRunner().run(example)
    assert done.attempted == 3 and done.failed == 0
    assert ledger.THEOREMS["short_weights"].title == "The Perceptron's weights stay short"


def test_a_theorem_of_ones_own_in_five_minutes(monkeypatch):
    """The page of the package and `help(proofs)` show it: a learner, its theorem, a slip."""
    monkeypatch.setattr(ledger, "THEOREMS", dict(ledger.THEOREMS))
    (example,) = (test for test in DocTestFinder().find(proofs) if test.name == proofs.__name__)
    done = DocTestRunner().run(example, clear_globs=False)
    assert done.attempted == 11 and done.failed == 0
    learner, bound = (example.globs[name] for name in ("MyAdaHedge", "my_adahedge_bound"))
    for seed in range(20):
        losses = np.random.default_rng(seed).random((50, 2 + seed)) ** 4 * (1 + seed % 5)
        assert bound(olc_helpers.play(learner(2 + seed), losses)).holds
