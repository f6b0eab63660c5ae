"""Questions to the reader without a browser: what is offered, what each answer brings up, what
stands there without widgets.
"""

import re

import pytest
from ipywidgets import FloatSlider, IntSlider

from olc_helpers import ask, guess, questions

WIDGET = "application/vnd.jupyter.widget-view+json"
TREE = {
    "3": "No: too few.",
    "8": "Each halves the list.",
    "$2^8$": "That is the list, not $M < 9$.",
}


@pytest.fixture
def shown(monkeypatch):
    """Records what is displayed."""
    calls = []
    monkeypatch.setattr(questions, "display", lambda data, raw: calls.append(data))
    return calls


def chosen(asked, label):
    """What the reader sees who presses a button; the link does in the browser what is done here."""
    asked.buttons.value = label
    (source, source_name), (target, target_name) = asked._link.source, asked._link.target
    setattr(target, target_name, getattr(source, source_name))
    assert target is asked.verdict
    return text(asked.verdict.children[asked.verdict.selected_index].value)


def text(html):
    return re.sub("<[^>]+>", "", html)


def test_nothing_is_told_before_the_reader_answers():
    for asked in (ask("How many?", TREE, right="8"), guess("How many?", 0, 20, answer=8)):
        assert asked.buttons.index is None and asked.verdict.selected_index is None


def test_short_answers_are_buttons_and_each_has_its_verdict():
    asked = ask("How many?", {"3": "Too few.", "8": "Each halves."}, right="8")
    assert asked.buttons.options == ("3", "8")
    assert chosen(asked, "3") == "✗ Too few." and chosen(asked, "8") == "✓ Each halves."


def test_answers_with_formulas_or_many_words_are_a_list_and_their_letters_are_buttons():
    for answers in (TREE, {"a word " * 9: "No.", "b": "Yes."}):
        asked = ask("How many?", answers, right=list(answers)[1])
        assert asked.buttons.options == ("a", "b", "c")[: len(answers)]
        assert re.findall("<li>(.*?)</li>", asked.children[1].value) == list(answers)
        assert chosen(asked, "b").startswith("✓") and chosen(asked, "a").startswith("✗")


def test_guess_says_how_far_it_is():
    asked = guess("How many?", 0, 20, answer=8, told="Each halves $W$.")
    assert isinstance(asked.slider, IntSlider) and asked.slider.value == 10
    assert chosen(asked, "that is my guess") == "It is 8. Each halves $W$."  # without a kernel
    for value, how in ((5, "3 too little"), (8, "exactly"), (20, "12 too much")):
        asked.slider.value = value
        told = text(asked.verdict.children[0].value)
        assert told.startswith(f"You said {value}: {how}. It is 8. Each halves $W$.")
        assert f"you {value}" in told and told.endswith("it is 8"), "a line shows both"
        places = re.findall(r"left:([\d.]+)%", asked.verdict.children[0].value)
        assert [float(place) for place in places] == [5 * value, 40]


@pytest.mark.parametrize("answer, start", [(0, 50), (40, 50), (41, 0), (50, 0), (60, 50)])
def test_guess_does_not_open_on_its_answer(answer, start):
    assert guess("How many?", 0, 100, answer).slider.value == start


def test_guess_of_a_fraction():
    asked = guess("Which share?", 0, 1, answer=0.25)
    assert isinstance(asked.slider, FloatSlider) and asked.slider.step == 0.01
    asked.slider.value = 0.75
    told = text(asked.verdict.children[0].value)
    assert told.startswith("You said 0.75: 0.5 too much. It is 0.25.")


def test_without_widgets_the_answer_is_folded_and_all_is_said(shown):
    ask("How many of $n$?", TREE, right="8")._ipython_display_()
    guess("How many?", 0, 20, answer=8, told="Each halves.")._ipython_display_()
    for data in shown:
        assert WIDGET in data
        open_text, folded = re.split("<details[^>]*>", data["text/html"])
        assert "How many" in open_text and data["text/plain"] in open_text
        assert "halves" not in open_text and "halves" in folded and "</details>" in folded
        # The same text on every execution.
        assert not re.search("0x[0-9a-f]+|IPY_MODEL", data["text/plain"] + data["text/html"])
    assert all(f"<li>{answer}</li>" in shown[0]["text/html"] for answer in TREE)


def test_texts_are_texts(shown):
    ask("Is $a<b$ & so on?", {"$a<b$": "<i>", "no": "&"}, right="no")._ipython_display_()
    (data,) = shown
    assert "Is $a&lt;b$ &amp; so on?" in data["text/html"] and "<i>" not in data["text/html"]
    assert data["text/plain"] == "Is $a<b$ & so on?"


@pytest.mark.parametrize(
    "answers, right, message",
    [
        ({"3": "Too few."}, "3", "answers must be at least two, each with what to tell"),
        (["3", "8"], "8", r"answers must be at least two.*got \['3', '8'\]"),
        ({"3": "a", "8": "b"}, "9", r"right must be one of the answers \['3', '8'\]; got '9'"),
        ({"3": "a", 8: "b"}, 8, "answers and what to tell about them are texts; got 8"),
        ({"3": "a", "8": None}, "8", "answers and what to tell about them are texts; got None"),
    ],
)
def test_answers_that_make_no_question(answers, right, message):
    with pytest.raises(ValueError, match=message):
        ask("How many?", answers, right)


@pytest.mark.parametrize(
    "low, high, answer, message",
    [
        (5, 5, 5, "low must be less than high; got low=5 and high=5"),
        (0, 5, 8, "the answer must be between 0 and 5; got 8"),
        (0, 5, float("nan"), "the answer must be between 0 and 5; got nan"),
    ],
)
def test_numbers_that_make_no_question(low, high, answer, message):
    with pytest.raises(ValueError, match=message):
        guess("How many?", low, high, answer)
