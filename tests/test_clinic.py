"""Every erratum of the clinic: the printed claim fails on its counterexample, the right one
holds.
"""

import pytest

from olc_helpers import clinic

CHECKS = clinic.checks()


@pytest.mark.parametrize("number", [number for number, entry in CHECKS.items() if entry.check])
def test_printed_claim_fails_and_right_claim_holds(number):
    printed, right = CHECKS[number].evaluate()
    assert not printed.holds, f"{number}: the printed claim holds on its counterexample"
    assert right.holds, f"{number}: the right claim fails: {right.lhs} against {right.rhs}"
    assert printed.lhs.size and right.lhs.size, f"{number}: a claim about no trial"


@pytest.mark.parametrize("entry", CHECKS.values(), ids=CHECKS)
def test_entries_are_complete(entry):
    assert (
        entry.severity in "ABC"
        and entry.lecture.isdigit()
        and entry.printed
        and entry.right
        and entry.source
    )
    assert not entry.check or len(entry.example) >= 20
