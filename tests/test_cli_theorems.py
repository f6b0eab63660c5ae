"""The command `theorems`: the list, what a theorem says, and its proof on an example."""

import doctest
import os
import re
import shlex
import subprocess
import sys

import numpy as np
import pytest

import olc_helpers
from olc_helpers import (
    Halving,
    HypothesisError,
    Perceptron,
    errata,
    play,
    proofs,
    streams,
    theorems,
)
from olc_helpers.__main__ import main
from olc_helpers.cli.proving import EXAMPLES, hypotheses

XOR, TEN = play(Perceptron(2), *streams.XOR), play(Perceptron(2), *streams.TEN_POINTS)


def printed(capsys, *arguments):
    main(["theorems", *arguments])
    return capsys.readouterr().out


def refused(capsys, *arguments):
    with pytest.raises(SystemExit) as end:
        main(["theorems", *arguments])
    assert end.value.code == 2
    return (
        capsys.readouterr()
        .err.splitlines()[-1]
        .removeprefix("python -m olc_helpers theorems: error: ")
    )


def test_the_list_has_each_theorem_once_under_its_lecture(capsys):
    lecture, found = None, {}
    for line in printed(capsys).splitlines():
        if line.startswith("lecture"):
            lecture = f"{int(line.split()[1]):02d}"
        else:
            name, statement, items = re.fullmatch(r"  (\w+) +(.+)  \((.+)\)", line).groups()
            assert name not in found
            found[name] = lecture, statement, tuple(items.split(", "))
    assert found == {name: (t.lecture, t.statement, t.items) for name, t in theorems().items()}
    lectures = [lecture for lecture, *_ in found.values()]
    assert lectures == sorted(lectures)


def test_a_theorem_is_explained(capsys):
    assert (
        printed(capsys, "wm_bound")
        == r"""proofs.wm_bound(run, beta=None): lecture 2, WM-T1, WM-P1, WM-D2

  M \le \frac{\ln(1/\beta)\, M_i + \ln n}{\ln(2/(1+\beta))}

Weighted Majority's mistake bound.

For 0 < β < 1, every sequence of advice and labels in {0, 1} and every expert i; the ledger
takes the best one.

Where a hypothesis fails, its error says:
- the loss must be mistake
- the learner must keep its weights, all >= 0, in an attribute w
- the learner has no attribute beta
- beta must be in (0, 1)

A solver proved 7 of 7 lines, for always.

Its proof on an example: python -m olc_helpers theorems wm_bound --example
"""
    )


def test_a_printed_claim_is_explained(capsys):
    text = printed(capsys, "printed_progress")
    assert "A printed claim that fails (E0-11): lecture 21 shows where." in text
    assert "--example" not in text


@pytest.mark.parametrize("name", {**theorems(), **errata()})
def test_every_theorem_can_be_explained(capsys, name):
    theorem = {**theorems(), **errata()}[name]
    text = printed(capsys, name)
    assert theorem.title in " ".join(text.split())
    assert theorem.statement in text and ">>>" not in text


@pytest.mark.parametrize("name", theorems())
def test_every_theorem_has_an_example_that_holds(capsys, name):
    text = printed(capsys, name, "--example")
    code, ledger = text.split("\n\n")
    assert f"proofs.{name}(" in code.splitlines()[-1] and ">>>" not in code
    assert ledger.startswith(f"{theorems()[name].title}: every line holds\n(1) ")
    names = {}
    exec("\n".join([*code.splitlines()[:-1], f"ledger = {code.splitlines()[-1]}"]), names)
    assert repr(names["ledger"]) + "\n" == ledger


@pytest.mark.parametrize("name", theorems())
def test_the_docstring_prints_what_it_says(name):
    parsed = doctest.DocTestParser().get_doctest(theorems()[name].__doc__, {}, name, None, None)
    used = set(re.findall(r"\b[A-Za-z]\w*", parsed.docstring)) & {*olc_helpers.NAMES}
    parsed.globs.update(np=np, **{name: theorems()[name]})
    parsed.globs.update({word: getattr(olc_helpers, word) for word in used})
    result = doctest.DocTestRunner(verbose=False).run(parsed)
    assert result.attempted >= 1 and result.failed == 0
    assert parsed.examples[-1].source.endswith(".holds\n") and parsed.examples[-1].want == "True\n"


@pytest.mark.parametrize(
    ("prove", "arguments"),
    [
        (proofs.wm_bound, (play(Halving(3), [[0, 1, 1]], [1]),)),
        (proofs.halving_bound, (play(Halving(2), [[0, 0]], [1]),)),
        (proofs.wa_vovk, (play(Halving(3), [[0, 1, 1]], [1]),)),
        (proofs.novikoff, (XOR, [1, 1])),
        (proofs.novikoff_comparator, (TEN, TEN.weights[-1], 1e6)),
        (proofs.perceptron_from_ogd, (TEN, [1e-6, 1e-6])),
        (proofs.ogd_bound, (TEN, [1, 1])),
        (proofs.counting_bound, (1,)),
    ],
)
def test_an_error_says_one_of_the_hypotheses(prove, arguments):
    with pytest.raises(HypothesisError) as error:
        prove(*arguments)
    said = str(error.value).partition("does not apply: ")[2]
    patterns = [re.escape(words).replace("…", ".+") for words in hypotheses(prove)]
    assert [pattern for pattern in patterns if re.match(pattern, said)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["novikof"],
            (
                "there is no theorem 'novikof'; the nearest names are: "
                "novikoff, novikoff_cosine, novikoff_quadratic"
            ),
        ),
        (["--example"], "--example needs the name of a theorem: theorems wm_bound --example"),
        (
            ["printed_wm_regret", "--example"],
            "printed_wm_regret has no example; call it in Python: proofs.printed_wm_regret(run)",
        ),
    ],
)
def test_slips_are_explained(capsys, arguments, message):
    assert refused(capsys, *arguments) == message


def test_examples_of_the_help_run(capsys):
    commands = [line.strip() for line in EXAMPLES.splitlines()[1:]]
    with pytest.raises(SystemExit):
        main(["theorems", "--help"])
    shown = capsys.readouterr().out
    for command in commands:
        assert command in shown
        assert printed(capsys, *shlex.split(command)[4:])
    assert len(commands) == 3


def test_bad_commands_say_what_there_is(capsys):
    with pytest.raises(SystemExit) as end:
        main(["plya"])
    message = capsys.readouterr().err
    assert end.value.code == 2 and all(name in message for name in ("plya", "figures", "theorems"))


def test_a_terminal_without_all_letters_shows_question_marks():
    command = [sys.executable, "-m", "olc_helpers", "theorems", "wm_bound", "--example"]
    done = subprocess.run(
        command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "latin-1"}
    )
    assert done.returncode == 0 and done.stderr == b"" and b"0.5 ? 0.5" in done.stdout


def test_whoever_reads_may_stop_early():
    with subprocess.Popen(
        [sys.executable, "-m", "olc_helpers", "theorems"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as listing:
        listing.stdout.close()
        assert listing.stderr.read() == b"" and listing.wait() == 0
