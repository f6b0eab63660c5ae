"""The clinic: the printed claim of an error fails on its counterexample and the right one holds; a
remark has nothing that fails.
"""

import re

import numpy as np
import pytest

from olc_helpers import FixedShare, claim, clinic, errata, figures, notes, play, printed

ENTRIES = clinic.checks()
ERRORS = {number: entry for number, entry in ENTRIES.items() if entry.kind == "error"}
REMARKS = {number: entry for number, entry in ENTRIES.items() if entry.kind == "remark"}


@pytest.fixture
def registry(monkeypatch):
    """Leaves the entries of the course alone."""
    monkeypatch.setattr(notes, "ENTRIES", {})
    monkeypatch.setattr(printed, "ENTRIES", notes.ENTRIES)


@pytest.mark.parametrize("number", [number for number, entry in ERRORS.items() if entry.check])
def test_printed_claim_fails_and_right_claim_holds(number):
    printed, right = ERRORS[number].evaluate()
    assert not printed.holds, f"{number}: the printed claim holds on its counterexample"
    assert right.holds, f"{number}: the right claim fails: {right.lhs} against {right.rhs}"
    assert printed.lhs.size and right.lhs.size, f"{number}: a claim about no trial"


@pytest.mark.parametrize("number", [number for number, entry in REMARKS.items() if entry.check])
def test_a_remark_has_nothing_that_fails(number):
    (line,) = REMARKS[number].evaluate()
    assert line.holds and line.lhs.size, f"{number}: {line.lhs} against {line.rhs}"


def test_numbers_that_an_example_tells_are_those_of_its_claim():
    told = REMARKS["E0-09"]
    (line,) = told.evaluate()
    assert told.example.endswith("{:.0f}, {:.0f} and {:.0f} updates.".format(*line.lhs))


def test_left_out_errors_are_compared_with_the_update_points():
    """(2, 3) causes the only update: afterwards all three points are right."""
    _, right = ERRORS["E1-10"].evaluate()
    assert right.rhs == 1


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_entries_are_complete(entry):
    assert re.fullmatch(r"E[0-4]-\d\d", entry.number) and entry.lecture.isdigit()
    assert entry.printed and entry.right and entry.where
    assert entry.source == clinic.SOURCES[entry.number[1]]
    assert not entry.check or len(entry.example) >= 20
    if entry.kind == "error":
        assert entry.severity in ("A", "B", "C")
    else:
        assert entry.kind == "remark" and entry.severity == ""


# How entries are registered and shown ------------------------------------------------------------

PLACE = dict(source="Herbster", where="slide 83", lecture="15")


def test_an_error_shows_both_claims_with_their_marks(registry):
    @clinic.erratum("E2-99", severity="A", printed="M < 3", right=r"M \le 3", **PLACE)
    def three_mistakes():
        """Three mistakes on three trials."""
        return claim("M < 3", 3, 3), claim(r"M \le 3", 3, 3)

    entry = clinic.checks()["E2-99"]
    assert entry.check is three_mistakes and entry.example == "Three mistakes on three trials."
    assert [line.holds for line in entry.evaluate()] == [False, True]
    shown = clinic.table("error")
    assert shown.rows == [
        (
            "E2-99 A",
            "Herbster, slide 83; lecture 15",
            "$M &lt; 3$<br>✗ 3 ≥ 3",
            r"$M \le 3$<br>✓ 3 ≤ 3<br> <em>Three mistakes on three trials.</em>",
        )
    ]
    assert shown.caption == "All sources: 1 error" and clinic.table("remark").rows == []


def test_an_error_of_wording_has_no_claims(registry):
    clinic.wording("E2-98", severity="C", printed="a", right="b", example="Read it.", **PLACE)
    entry = clinic.checks()["E2-98"]
    assert entry.evaluate() == () and entry.kind == "error"
    assert clinic.table().rows[0][1:] == (
        "Herbster, slide 83; lecture 15",
        "$a$",
        "$b$<br> <em>Read it.</em>",
    )


def test_a_remark_has_no_mark(registry):
    clinic.remark("E2-97", says="a", fair="b", **PLACE)

    @clinic.remark("E2-96", says="M", fair=r"M \le 3", **PLACE)
    def at_most_three():
        """Three mistakes on three trials."""
        return claim(r"M \le 3", 3, 3)

    assert [len(entry.evaluate()) for entry in clinic.checks().values()] == [1, 0]
    assert {entry.kind for entry in clinic.checks().values()} == {"remark"}
    shown = clinic.table("remark")
    assert shown.caption == "All sources: 2 remarks" and clinic.table().rows == []
    assert not re.search("[✗✓]", shown._repr_html_())
    assert shown.rows[0][1:] == (
        "Herbster, slide 83; lecture 15",
        "$M$",
        r"$M \le 3$<br> <em>Three mistakes on three trials.</em>",
    )


def test_a_table_can_be_of_one_source_or_lecture(registry):
    for number, source, lecture in (("E2-95", "Herbster", "11"), ("E3-95", "slides", "05")):
        clinic.remark(number, source=source, where="p. 1", lecture=lecture, says="a", fair="b")

    def numbers(**options):
        return [row[0] for row in clinic.table("remark", **options).rows]

    assert numbers() == ["E3-95", "E2-95"]  # by lecture
    assert numbers(source="slides") == ["E3-95"]
    assert numbers(lecture="11") == ["E2-95"] and numbers(source="slides", lecture="11") == []


@pytest.mark.parametrize("kind", ["error", "remark"])
def test_words_of_an_example_show_an_index_below_its_letter(kind):
    examples = re.findall("(?s)<em>.*?</em>", clinic.table(kind)._repr_html_())
    assert len(examples) > 20
    assert not [example for example in examples if re.search(r"\w_\w|\w\^\w", example)]


def test_an_entry_shows_its_code(registry):
    @clinic.remark("E2-94", says="a", fair="b", **PLACE)
    def one():
        """One is one, as everybody knows."""
        return claim("1 = 1", 1, 1)

    entry = clinic.checks()["E2-94"]
    assert entry.code.startswith('@clinic.remark("E2-94"') and entry.code.endswith(
        'claim("1 = 1", 1, 1)'
    )
    clinic.remark("E2-93", says="a", fair="b", **PLACE)
    assert clinic.checks()["E2-93"].code == ""


# The figures of lecture 21 ------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "alpha"), [(20, 0.02), (5, 0.1), (60, 0.0)])
def test_recovery_is_that_of_fixed_share(before, alpha):
    fig = figures.share_recovery(before, alpha)
    right, printed = (line.get_ydata() for line in fig.axes[0].get_lines()[:2])
    second = np.arange(3 * before) >= before
    X = np.stack([second, ~second], axis=1).astype(float)
    run = play(FixedShare(2, eta=2, alpha=alpha), X, np.zeros(len(X)))
    assert right == pytest.approx(run.weights[:, 1] / run.weights.sum(axis=1))
    assert (right == pytest.approx(printed)) == (alpha == 0)
    waits = [int(np.flatnonzero(v[before:] > 0.5 + 1e-9)[0]) for v in (right, printed)]
    said = f"{waits[0]} good ones, by the printed after {waits[1]}."
    assert fig.caption.endswith(said) and waits[1] >= waits[0]


def test_a_claim_that_fails_belongs_to_an_error():
    for name, claimed in errata().items():
        assert claimed.erratum in ERRORS, name


def test_kinds_of_slips():
    numbers = " ".join(clinic.SLIPS.values()).split()
    assert len(numbers) == len(set(numbers))
    assert set(numbers) == ERRORS.keys(), "clinic.SLIPS says what kind of slip each error is"
    fig = figures.slip_kinds()
    assert "lost hypothesis: 1 A, 4 B, 0 C" in fig.description
    assert "names and references: 0 A, 0 B, 3 C" in fig.description
    # what the lecture says about the picture
    for told in (
        "all, some, or only those: 3 A",
        "symbol lost or left over: 3 A",
        "<, ≤ or =: 1 A, 0 B, 6 C",
        "index or start: 0 A, 0 B, 5 C",
    ):
        assert told in fig.description
    assert "10 of 39 errors are false as printed, of these 1 by" in fig.caption
    assert "%" not in fig.caption
