"""Questions to the reader, before the cell that answers them: `ask` offers answers, `guess` a
slider. The browser alone tells what each answer is worth, so that they work without a kernel, too;
where there are no widgets either, the answer is folded under the question.
"""

from html import escape

from .optional import needed_for

with needed_for("asking a question"):
    from IPython.display import display
    from ipywidgets import (
        FloatSlider,
        HTMLMath,
        IntSlider,
        Layout,
        Stack,
        ToggleButtons,
        VBox,
        jslink,
    )

SHORT = 40  # letters that fit on a button
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Question(VBox):
    """A question, what the reader moves or presses, and the text that this brings up."""

    def __init__(self, kind: str, question: str, rows: list, labels: list, told: list, folded: str):
        if not isinstance(question, str):
            raise TypeError(f"a question is a text; got {question!r}")
        buttons = ToggleButtons(options=labels, value=None, layout=Layout(width="auto"))
        buttons.style.button_width = "auto"
        verdict = Stack([paragraph(text) for text in told])
        # In the browser, which needs no kernel for it.
        self._link = jslink((buttons, "index"), (verdict, "selected_index"))
        self.buttons, self.verdict, self._folded = buttons, verdict, folded
        self.question = question
        super().__init__([paragraph(f"<b>{escape(question)}</b>"), *rows, buttons, verdict])
        self.add_class(f"olc-{kind}")

    def _ipython_display_(self):
        shown = (
            f'<div style="max-width:50em"><p><b>{escape(self.question)}</b></p>{self._folded}</div>'
        )
        text = {"text/html": shown, "text/plain": self.question}
        display({**self._repr_mimebundle_(), **text}, raw=True)


def paragraph(html: str) -> HTMLMath:
    """Return a text, with formulas between dollar signs, as a widget."""
    return HTMLMath(f'<div style="max-width:50em; line-height:1.5">{html}</div>')


def items(texts: list) -> str:
    """Return texts as a list with the letters that the buttons have, or dots where a page allows no
    styles.
    """
    rows = "".join(f"<li>{text}</li>" for text in texts)
    return f'<ul style="list-style-type:lower-alpha; margin:0 0 0.5em">{rows}</ul>'


def folded(html: str, data: str = "") -> str:
    """Return a text that unfolds when the reader asks for it."""
    return f"<details{data}><summary>Answer</summary>{html}</details>"


def scale(low: float, high: float, said: float, right: float) -> str:
    """Return as HTML a line from `low` to `high` with two marks: what the reader said, and what is
    right.
    """
    marks = [
        f'<span style="position:absolute; left:{100 * (value - low) / (high - low):.4g}%; {where}'
        f' transform:translateX(-50%); white-space:nowrap">{text}</span>'
        for value, where, text in (
            (said, "bottom:50%; color:#d55e00; font-weight:600;", f"you {said:g}<br>▼"),
            (right, "top:50%;", f"▲<br>it is {right:g}"),
        )
    ]
    return (
        '<div aria-hidden="true" style="position:relative; height:6em; max-width:26em;'
        " margin:0 3em; text-align:center; background:linear-gradient(currentColor, currentColor)"
        f' 0 50% / 100% 1px no-repeat">{"".join(marks)}</div>'
    )


def ask(question: str, answers: dict, right: str) -> Question:
    """Return a question with a button for each answer: `ask("How many?", {"4": "why not", "8":
    "why"}, right="8")`.

    Each answer comes with what to tell the reader who chooses it; formulas stand between dollar
    signs.
    """
    if not isinstance(answers, dict) or not 2 <= len(answers) <= len(LETTERS):
        raise ValueError(
            'answers must be at least two, each with what to tell: {"4": "too few: …", "8": "yes,'
            f' because …"}}; got {answers!r}'
        )
    for each in (*answers, *answers.values()):
        if not isinstance(each, str):
            raise ValueError(f"answers and what to tell about them are texts; got {each!r}")
    if right not in answers:
        raise ValueError(f"right must be one of the answers {list(answers)}; got {right!r}")
    plain = all("$" not in answer and len(answer) <= SHORT for answer in answers)
    labels = list(answers) if plain else list(LETTERS[: len(answers)])
    offered = items([escape(answer) for answer in answers])
    told = [f"{'✓' if answer == right else '✗'} {escape(why)}" for answer, why in answers.items()]
    because = items(
        [f"{escape(answer)} {verdict}" for answer, verdict in zip(answers, told, strict=True)]
    )
    rows = [] if plain else [paragraph(offered)]
    return Question("ask", question, rows, labels, told, offered + folded(because))


def guess(question: str, low: float, high: float, answer: float, told: str = "") -> Question:
    """Return a question whose answer is a number, with a slider from `low` to `high` to guess it;
    `told` says more about the answer. It opens in the middle, or at `low` if the answer
    is near the middle.
    """
    if not low < high:
        raise ValueError(f"low must be less than high; got low={low} and high={high}")
    if not low <= answer <= high:
        raise ValueError(f"the answer must be between {low} and {high}; got {answer}")
    whole = all(float(number).is_integer() for number in (low, high, answer))
    middle = (low + high) // 2 if whole else (low + high) / 2
    start = low if abs(middle - answer) < (high - low) / 10 else middle
    slider = (IntSlider if whole else FloatSlider)(min=low, max=high, value=start)
    slider.step = 1 if whole else (high - low) / 100
    slider.layout.width = "min(30em, 100% - 4px)"
    is_it = f"It is <b>{answer:g}</b>. {escape(told)}".rstrip()
    data = f' data-guess="{low:g} {high:g} {slider.step:g} {start:g} {answer:g}"'  # for the site
    asked = Question(
        "guess", question, [slider], ["that is my guess"], [is_it], folded(is_it, data)
    )

    def compare(_change=None):
        off = slider.value - answer
        how = "exactly" if off == 0 else f"{abs(off):g} too {'much' if off > 0 else 'little'}"
        asked.verdict.children[0].value = paragraph(
            f"You said {slider.value:g}: {how}. {is_it}{scale(low, high, slider.value, answer)}"
        ).value

    slider.observe(compare, "value")
    asked.slider = slider
    return asked
