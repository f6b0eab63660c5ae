"""What the lamps of the course see: how long a lecture takes, which claims no cell computes, which
sections can't be run alone, which letters are used otherwise. The lectures are read as they are;
each lamp is tried on a small lecture with a planted defect.
"""

import re

import nbformat
import pytest
from conftest import ROOT
from execute import fold
from minutes import Time, said, time_of
from nbformat import v4
from notation import FOLDED, OTHERS, differences, symbols, table, used
from parts import LECTURES, called, in_parts, load
from sections import borrowed
from words import claims, length, numbers, rhythm, sentences


def found(look):
    """{lecture: what a lamp sees in it}, without those in which it sees nothing."""
    seen = {path.name[:2]: look(path) for path in LECTURES}
    return {number: what for number, what in seen.items() if what}


def test_lectures_say_how_long_they_take():
    def stale(path):
        opening = "".join(load(path)["cells"][0]["source"])
        return said(opening, time_of(load(path))) != opening

    assert found(stale) == {}, "run tools/minutes.py --write"


def test_the_map_and_the_readme_count_the_lectures():
    for path in (ROOT / "README.md", ROOT / "notebooks/00_map.ipynb"):
        assert "Twenty-one lectures" in path.read_text(encoding="utf-8")
    assert len(LECTURES) == 21


def test_halving_is_credited_to_those_whom_littlestone_credits():
    sources = load(LECTURES[0])["cells"][-1]["source"]
    assert re.search(
        r"Littlestone\*?.*he credits to J. Barzdin and R. Freivalds .* D. Angluin", "".join(sources)
    )


def test_sections_can_be_run_alone():
    assert found(lambda path: borrowed(in_parts(load(path)))) == {}


OTHERWISE = re.compile(
    r"\$(?:n|N|K|d|k|\\ell)\$[ -](?:trials|rounds)|\$(?:N|K|d|k|m)\$[ -](?:experts|dimensions)"
    r"|\\rho\b|m\^\{?[+-]|(?<![A-Za-z\\_{])t *= *y|(?i:margin)\*{0,2} \$t"
    r"|(?i:margin) (?:is )?(?:(?:below|at least|of) )?1\b"
)


def otherwise(parts):
    """What a letter counts, or is, in no lecture of the course, and what is no margin."""
    own = [FOLDED.sub("", part.text) for part in parts if not OTHERS.search(part.title)]
    return [hit for text in own for hit in OTHERWISE.findall(text)]


def test_letters_count_what_the_map_says():
    assert found(lambda path: otherwise(in_parts(load(path)))) == {}


def test_lectures_ask_and_hide_the_source_that_has_the_answer():
    def few_or_open(path):
        cells = [cell for cell in load(path)["cells"] if cell["cell_type"] == "code"]
        asked = [cell for cell in cells if called(cell, "ask", "guess")]
        seen = [c for c in asked if not c["metadata"].get("jupyter", {}).get("source_hidden")]
        return len(asked) < 3 or ["".join(cell["source"]) for cell in seen]

    assert found(few_or_open) == {}


def test_answers_and_plumbing_are_folded():
    """No output stands open under a question that it answers; `make execute` folds it."""

    def open_ones(path):
        nb = nbformat.read(path, 4)
        before = [dict(cell.metadata.get("jupyter", {})) for cell in nb.cells]
        fold(nb)
        after = [dict(cell.metadata.get("jupyter", {})) for cell in nb.cells]
        return [cell.id for cell, a, b in zip(nb.cells, before, after, strict=True) if a != b]

    assert found(open_ones) == {}


def test_the_outputs_after_a_question_are_folded_up_to_the_next_text():
    asked, shown = "ask('?', {})", v4.new_output("stream", text="8")
    cells = [
        v4.new_code_cell(asked),
        v4.new_code_cell("1 + 7", outputs=[shown]),
        v4.new_code_cell("8", outputs=[shown]),
        v4.new_markdown_cell("It is 8."),
        v4.new_code_cell("2", outputs=[shown]),
    ]
    nb = v4.new_notebook(cells=[v4.new_code_cell("import numpy"), *cells])
    fold(nb)
    assert [dict(cell.metadata.get("jupyter", {})) for cell in nb.cells] == [
        {"source_hidden": True},
        {"source_hidden": True},
        {"outputs_hidden": True},
        {"outputs_hidden": True},
        {},
        {},
    ]
    nb.cells.insert(2, v4.new_markdown_cell("## Next"))
    fold(nb)
    assert "jupyter" not in nb.cells[3].metadata


def test_what_stays_visible_of_a_folded_question_fits_a_narrow_window():
    def long(path):  # JupyterLab shows the first line, which makes the page as wide as it is
        cells = [cell for cell in load(path)["cells"] if called(cell, "ask", "guess")]
        firsts = ["".join(cell["source"]).splitlines()[0] for cell in cells]
        return [first for first in firsts if len(first) > 20]

    assert found(long) == {}


def test_the_table_of_symbols_is_numbered_and_gives_each_one_meaning_in_a_group():
    rows = table()
    assert len(rows) > 100 and all(all([*row.values()][:5]) for row in rows)
    lectures = re.compile(r"\d+(–\d+)?(, \d+(–\d+)?)*")
    assert [row for row in rows if not lectures.fullmatch(row["lectures"])] == []
    assert [row for row in rows for cell in row.values() if str(cell).count("$") % 2] == []
    meanings = [(row["group"], head) for row in rows for head in row["heads"]]
    assert len(set(meanings)) == len(meanings)


@pytest.fixture(scope="module")
def letters():
    return used()


def test_the_table_of_symbols_says_what_the_lectures_write(letters):
    assert differences(table(), letters) == []


@pytest.mark.parametrize(
    ("symbol", "old", "new", "says"),
    [
        ("$R$", {7}, set(), "lecture 7: R has no rows"),
        ("$U$", set(), {7}, "row $U$: lecture 7 has nothing of it"),
        (r"$\beta$", set(), {19}, r"row $\beta$: lecture 19 has nothing of it"),
        (r"$\kappa$", {7}, {9}, r"row $\kappa$: none of its lectures has \kappa"),
        (r"$L_{t,i}$", set(), {4}, "row $L_{t,i}$: lecture 4 has nothing of it"),
        ("$m$", set(), {16}, "lecture 16: m has 2 rows"),
    ],
)
def test_a_row_that_is_not_true_is_found(symbol, old, new, says, letters):
    rows = table()
    row = next(row for row in rows if row["symbol"] == symbol)
    row["numbers"] = row["numbers"] - old | new
    assert says in differences(rows, letters)


@pytest.mark.parametrize("formula", ["$N$", "$D = 2$", "$L = 3$", "$2^k$", r"$\delta$"])
def test_a_letter_used_otherwise_is_found(formula, letters):
    more = {each: letters.get(each, set()) | {5} for each in symbols(formula)}
    assert [each[:10] for each in differences(table(), letters | more)] == ["lecture 5:"]


# A small lecture, and what the lamps see in it ----------------------------------------------------


def markdown(text):
    return {"cell_type": "markdown", "source": text, "metadata": {}}


def code(source, *outputs):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": list(outputs)}


PICTURE = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo="}}
LEDGER = {"output_type": "execute_result", "data": {"text/html": "<td>✓</td>"}}
OPENING = "# 1 · Why?\n\n**It builds on** nothing. **Time:** 10 minutes."


def small():
    """197 words, a figure, a ledger, a formula, an explorer, a question, three exercises."""
    return {
        "cells": [
            markdown(OPENING),
            code("import numpy as np\nfrom olc_helpers import ask, explore, figures, play"),
            markdown("## Run\n\n" + "word " * 97 + "$a + b$.\n\n$$c = d$$"),
            code("run = 3\nfigures.wm_run()", PICTURE),
            code("print(run)", {"output_type": "stream", "text": "8 mistakes\n"}),
            markdown("The learner makes 8 mistakes."),
            markdown("## Play ★\n\n" + "word " * 80 + "<details>" + "more " * 20 + "</details>"),
            code("explore(figures.wm_run, n=(2, 9))", PICTURE),
            code('ask("How many?", {"8": "yes"}, right="8")', *9 * [LEDGER]),  # ✓ in its answer
            code("proofs = 1\nproofs", LEDGER),
            markdown(
                "## Exercises\n\n1. **One.** Do.\n2. **Two.** (25 minutes) Do\n   more.\n3. Think."
                "\n\n<details>\n\n1. Done.\n2. Done.\n</details>"
            ),
        ]
    }


def test_minutes_are_counted():
    # 197 words and those of the opening, 2 for the formula, 1 + 1 for figure and question, 3 for
    # the explorer, 2 for the ledger, 10 + 25 + 10 for the exercises: 55.
    assert time_of(small()) == Time(55, 45, 5)


@pytest.mark.parametrize(
    ("cell", "change", "minutes"),
    [
        (2, "word " * 1000, 60),
        (2, "\n\n$$e$$" * 5, 65),
        (6, "<details>" + "word " * 1000 + "</details>", 60),
        (8, "\nguess()\nguess()\nask()\nask()\nask()", 60),
        (7, "\ngame(figures.wm_game, {})\nexplore(figures.wm_run)", 60),
        (10, "\n\n4. Another.", 65),
    ],
    ids=["words", "formulas", "folded", "questions", "explorers", "exercise"],
)
def test_more_takes_longer(cell, change, minutes):
    nb = small()
    nb["cells"][cell]["source"] += change
    assert time_of(nb).minutes == minutes


@pytest.mark.parametrize(("output", "minutes"), [(PICTURE, 65), (LEDGER, 75)])
def test_ten_more_outputs_take_longer(output, minutes):
    nb = small()
    nb["cells"][9]["outputs"] += 10 * [output]
    assert time_of(nb).minutes == minutes


def test_folded_text_and_starred_sections_are_not_on_the_short_path():
    nb = small()
    nb["cells"][2]["source"] += "<details>" + "word " * 9000 + "</details>"
    nb["cells"][6]["source"] += "word " * 9000
    assert time_of(nb).short == 5
    nb["cells"][6]["source"] = nb["cells"][6]["source"].replace(" ★", "")
    assert time_of(nb).short is None


def test_the_first_cell_gets_the_minutes():
    text = said(OPENING, Time(55, 45, 60))
    assert text.endswith(
        "**Time:** 55 minutes, 45 of them for the exercises. "
        "**In an hour:** leave out the exercises and the sections marked ★."
    )
    assert said(text, Time(55, 45, 60)) == text
    assert "**In 40 minutes:**" in said(text, Time(55, 45, 40))
    assert said(OPENING, Time(10, 0, None)) == OPENING
    with pytest.raises(ValueError, match="there are none"):
        said(text, Time(55, 45, None))
    with pytest.raises(ValueError, match="must say"):
        said("# 1 · Why?", Time(55, 45, None))


def test_a_borrowed_name_is_found():
    assert borrowed(in_parts(small())) == []
    nb = small()
    nb["cells"][9]["source"] = "def f():\n    return run + later\n\nlater = np.pi\nrun = run + 1"
    assert borrowed(in_parts(nb)) == ["'Play ★', cell 9: Undefined name `run`"]
    nb["cells"][3]["source"] = "[run for run in range(3)]"
    assert borrowed(in_parts(nb))[0] == "'Run', cell 4: Undefined name `run`"


def test_a_claim_has_its_cell_or_is_unchecked():
    nb = small()
    assert claims(in_parts(nb)) == [(5, "The learner makes 8 mistakes.", "cell 4")]
    nb["cells"][5]["source"] = (
        "It makes eleven mistakes, as in lecture 11. It never sleeps. Is it 7?"
        " It makes 8 mistakes in 77 trials."
    )
    nb["cells"][7]["source"] += "\nassert True"
    assert claims(in_parts(nb)) == [
        (5, "It makes eleven mistakes, as in lecture 11.", ""),
        (5, "It never sleeps.", "cell 7 asserts"),
        (5, "It makes 8 mistakes in 77 trials.", ""),
    ]
    for share, cell in (("30 %", "cell 7"), ("30 of 31", ""), ("31 %", "")):
        nb["cells"][5]["source"] = f"It errs on {share} of the trials."
        nb["cells"][7]["source"] = "assert share == 0.3"
        assert claims(in_parts(nb))[0][2] == cell
    nb["cells"][4] = nb["cells"][8]
    nb["cells"][5]["source"] = "The learner makes 8 mistakes."
    assert claims(in_parts(nb)) == [(5, "The learner makes 8 mistakes.", "")]


def test_a_cause_is_found_outside_of_proofs():
    nb = small()
    nb["cells"][5]["source"] = (
        "It makes 8 mistakes.\n\n1. It is long, because it is.\n\nThe vote errs because of noise."
        " Is it, because of 7?"
    )
    assert claims(in_parts(nb), causes=True) == [
        (5, "The vote errs because of noise.", "cell 9 has a ledger")
    ]


def test_numbers_and_sentences_are_read_as_a_reader_does():
    assert numbers("Line 4 says $w_1 = 0.5$, two of 1000, see lectures 3 and 13.") == {
        0.5,
        1,
        2,
        1000,
    }
    text = (
        "> Quoted.\n\n## Head\n\nOne. *Two* is [here](a.md): $x_1$ and $y = 3$.\n- Three\n  lines"
    )
    assert sentences(text) == ["One.", "Two is here: $x$ and $x = 3$.", "Three lines"]
    assert length("Two is here: $x$ and $x = 3$.") == 7
    assert numbers("On slide 83 of P. Huang (1994), in 2004, formula (12): 3 and 1994 words") == {
        3,
        1994,
    }
    assert numbers("100 000 of 10**6, 65_536 on the IBM 704 (Gordan, 1873): the two agree") == {
        100_000,
        10**6,
        65_536,
    }
    assert sentences("It is by M. Herbster. It is good.") == [
        "It is by M. Herbster.",
        "It is good.",
    ]
    lengths, words, connectives = rhythm(
        in_parts({"cells": [markdown("So it is. But why? I know.")]})
    )
    assert (lengths, words, connectives) == ([3, 2, 2], 7, 2)


@pytest.mark.parametrize(
    "text",
    ["$N$ experts", "after $k$ trials", "the margin is below 1", "a margin $t$", r"$\rho > 0$",
     "$m^+ = 2$", "$t = y$"],
)  # fmt: skip
def test_a_letter_that_counts_something_else_is_found(text):
    nb = {"cells": [markdown(f"## Run\n\nWe have {text} here.")]}
    assert otherwise(in_parts(nb))
    nb["cells"][0]["source"] = f"## Run\n\n<details>We have {text} here.</details>"
    assert otherwise(in_parts(nb)) == []


@pytest.mark.parametrize(
    "text",
    [r"$n$ experts", r"$\mathbb N$ and $\text{No}$", r"$L_A - L^* \le L(y, x)$", "$2^n$",
     r"margin $\gamma$", r"$\sum_{t=1}^T m$", "the margin of 0.2"],
)  # fmt: skip
def test_a_letter_that_counts_as_said_is_not_found(text):
    assert otherwise(in_parts({"cells": [markdown(text)]})) == []
