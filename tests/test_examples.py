"""Hypothesis tries the same examples every time, and with a seed fresh ones, ten times as many."""

import sys

import conftest
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def examples():
    """The examples of a property, in words."""
    seen = []

    @given(st.floats(), st.integers())
    def try_one(x, n):
        seen.append((x, n))

    try_one()
    return repr(seen)


@pytest.mark.skipif(conftest.FUZZ is not None, reason="a seed is set: `make test` runs this")
def test_examples_do_not_depend_on_what_is_imported(monkeypatch, tmp_path):
    before = examples()
    numbers = [(k * 1.7, k * 10**6 + 7) for k in range(500)]
    (tmp_path / "full_of_numbers.py").write_text(f"NUMBERS = {numbers}", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "full_of_numbers", raising=False)
    __import__("full_of_numbers")
    assert examples() == before


@settings(max_examples=7)
@given(st.integers())
def seven(n):
    """A property with its own number of examples."""


@given(st.integers())
def usual(n):
    """A property with the usual number."""


def test_a_seed_gives_ten_times_the_examples(monkeypatch, request):
    def numbers():
        return [test._hypothesis_internal_use_settings.max_examples for test in (seven, usual)]

    assert conftest.FUZZ or settings.default.derandomize and settings.default.database is None
    tests = [
        pytest.Function.from_parent(request.node.parent, name=test.__name__, callobj=test)
        for test in (seven, usual)
    ]
    before = numbers()
    monkeypatch.setattr(conftest, "FUZZ", None)
    conftest.pytest_collection_modifyitems([*tests, request.node])
    assert numbers() == before
    monkeypatch.setattr(conftest, "FUZZ", "1")
    conftest.pytest_collection_modifyitems([*tests, *tests, request.node])
    assert numbers() == [10 * n for n in before]
    assert {test._hypothesis_internal_use_seed for test in (seven, usual)} == {"1"}
