"""The command `play`: what is printed and written, and the messages for bad files."""

import csv
import io
import re
import shlex
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from olc_helpers import Hedge, Perceptron, WeightedMajority, learners, play, proofs, streams
from olc_helpers.__main__ import main
from olc_helpers.booleans import Or
from olc_helpers.cli.bounds import BOUNDS
from olc_helpers.cli.playing import EXAMPLES, IN_PYTHON, LEARNERS

ADVICE, RAIN = streams.noisy_experts(T=30, error=[0.4, 0.3, 0.1, 0.5], rng=2)
POINTS, SIDES = streams.TEN_POINTS
LOSSES = streams.coin_losses(T=40, means=[0.5, 0.4, 0.6], rng=1) / 2
BITS, OR = streams.disjunction(T=60, n=6, k=2, rng=3)


def text_of(rows, header=""):
    return "".join(
        f"{line}\n"
        for line in [header] * bool(header) + [",".join(f"{v:g}" for v in row) for row in rows]
    )


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """A folder with data: points with labels, dated advice, losses without a header, bits."""
    monkeypatch.chdir(tmp_path)
    days = [f"2024-03-{day:02d}," for day in range(1, 31)]
    advice = text_of(np.column_stack([ADVICE, RAIN])).splitlines()
    (tmp_path / "advice.csv").write_text(
        "day,anna,bob,carl,dora,rain\n"
        + "".join(f"{day}{row}\n" for day, row in zip(days, advice, strict=True))
    )
    (tmp_path / "data.csv").write_text(text_of(np.column_stack([POINTS, SIDES]), "x1,x2,y"))
    (tmp_path / "losses.csv").write_text(text_of(LOSSES))
    (tmp_path / "bits.csv").write_text(text_of(np.column_stack([BITS, OR])))


def printed(capsys, *arguments):
    main(["play", *arguments])
    return capsys.readouterr().out.splitlines()


def refused(capsys, *arguments):
    with pytest.raises(SystemExit) as end:
        main(["play", *arguments])
    out, err = capsys.readouterr()
    assert end.value.code == 2 and out == ""
    return err.splitlines()[-1].removeprefix("python -m olc_helpers play: error: ")


# What is printed ----------------------------------------------------------------------------------


def test_perceptron(capsys):
    run = play(Perceptron(2), POINTS, SIDES)
    bound = proofs.novikoff(run).bound
    assert printed(capsys, "data.csv", "--learner", "Perceptron") == [
        "data.csv: 10 trials; 2 features; label y",
        f"Perceptron(n=2): {run.mistakes} mistakes",
        f"bound: Novikoff's mistake bound: the norm squeeze: {run.mistakes} ≤ {bound:.4g}",
        "proof: all 12 lines hold on every trial",
    ]


def test_constant_feature(capsys):
    X = np.column_stack([POINTS, np.ones(10)])
    lines = printed(capsys, "data.csv", "--learner", "Perceptron", "--constant")
    assert lines[0].startswith("data.csv: 10 trials; 3 features;")
    assert lines[1] == f"Perceptron(n=3): {play(Perceptron(3), X, SIDES).mistakes} mistakes"


def test_experts_by_name_without_the_dates(capsys):
    run = play(WeightedMajority(4, beta=0.7), ADVICE, RAIN)
    bound = proofs.wm_bound(run).bound
    assert printed(
        capsys, "advice.csv", "--learner", "WeightedMajority", "--set", "beta=0.7", "--skip", "day"
    ) == [
        "advice.csv: 30 trials; 4 experts; label rain",
        f"WeightedMajority(n=4, beta=0.7): {run.mistakes} mistakes",
        f"best expert: carl, {run.best_loss:.0f} mistakes",
        f"bound: Weighted Majority's mistake bound: {run.mistakes} ≤ {bound:.4g}",
        "proof: all 7 lines hold on every trial",
    ]


def test_hedge_takes_losses_and_the_rate_of_its_theorem(capsys):
    eta = np.sqrt(2 * np.log(3) / 40) / 0.5
    run = play(Hedge(3, eta), LOSSES)
    ledger = proofs.hedge_bound(run, B=0.5)
    assert ledger.lines[-1].latex == r"\sum_t (v_t-u)\cdot\ell_t \le B\sqrt{2T\ln n}"
    assert printed(capsys, "losses.csv", "--learner", "Hedge") == [
        "losses.csv: 40 trials; 3 experts",
        f"Hedge(n=3, eta={eta:.6g}): allocation loss {run.total_loss:.6g}",
        f"best expert: column {run.best_expert + 1}, allocation loss {run.best_loss:.6g}",
        (
            f"bound: Hedge's regret bound for losses in [0, B]: {ledger.lines[-1].sides} "
            "(the losses are at most B = 0.5)"
        ),
        "proof: all 8 lines hold on every trial",
    ]


def test_winnow_finds_the_disjunction(capsys):
    run = play(learners.Winnow(6), BITS, OR)
    lines = printed(capsys, "bits.csv", "--learner", "Winnow")
    bound = proofs.winnow_bound(run, Or(1, 2)).bound
    assert lines[2:] == [
        (
            f"bound: Winnow's mistake bound: {run.mistakes} ≤ {bound:.4g} "
            "(the label is column 1 or column 2)"
        ),
        "proof: all 15 lines hold on every trial",
    ]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["data.csv", "--learner", "OnlineGradientDescent", "--set", "eta=0.01"],
            "compared with the weights after the last",
        ),
        (
            ["data.csv", "--learner", "OnlineGradientDescent", "--set", "exact=True"],
            "The exact step from w_1 = 0 has gradient descent's",
        ),
        (["data.csv", "--learner", "VotedPerceptron"], "Novikoff's mistake bound"),
        (["data.csv", "--learner", "AveragedPerceptron"], "Novikoff's mistake bound"),
        (
            ["advice.csv", "--skip", "1", "--learner", "RandomizedWeightedMajority"],
            "Randomised Weighted Majority's expected",
        ),
        (
            ["advice.csv", "--skip", "1", "--learner", "WeightedAverage"],
            "Weighted Average's regret for the square loss",
        ),
        (
            [
                "advice.csv",
                "--skip",
                "1",
                "--learner",
                "WeightedAverage",
                "--set",
                "prediction=vovk",
            ],
            "Vovk's prediction",
        ),
        (
            ["advice.csv", "--skip", "1", "--learner", "FixedShare", "--set", "alpha=0.1"],
            "with at most 3 shifts loses 1",
        ),
        (
            ["advice.csv", "--skip", "1", "--learner", "VariableShare", "--set", "alpha=0.5"],
            "with at most 10 shifts loses 0",
        ),
        (
            ["bits.csv", "--learner", "Winnow", "--set", "factor=1.5"],
            "Winnow's mistake bound for any factor a > 1",
        ),
        (
            ["advice.csv", "--skip", "1", "--learner", "ExponentiatedGradient", "--set", "eta=0.5"],
            "alone)",
        ),
    ],
)
def test_the_theorem_that_speaks_of_the_learner_holds(capsys, arguments, line):
    lines = printed(capsys, *arguments)
    assert line in lines[-2] and re.fullmatch(
        r"proof: all \d+ lines hold on every trial", lines[-1]
    )


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["advice.csv", "--skip", "day", "--learner", "Halving"],
            (
                "bound: halving_bound does not apply: some expert must be right on every trial; "
                "the best one, expert 3, is wrong"
            ),
        ),
        (
            ["advice.csv", "--skip", "day", "--learner", "Winnow"],
            "bound: winnow_bound does not apply: no disjunction of features explains the labels",
        ),
        (
            ["advice.csv", "--skip", "day", "--learner", "WeightedAverage", "--set", "eta=1"],
            "bound: wa_square does not apply: eta must be in (0, 0.5]; it is 1",
        ),
        (
            [
                "advice.csv",
                "--skip",
                "day",
                "--learner",
                "WeightedAverage",
                "--set",
                "loss=entropic",
            ],
            "bound: wa_entropic does not apply: the expert compared with must have a finite loss",
        ),
        (
            ["advice.csv", "--skip", "day", "--learner", "Perceptron"],
            "bound: novikoff does not apply: nothing separates the data",
        ),
        (
            ["losses.csv", "--learner", "Hedge", "--set", "eta=1e300"],
            "bound: the numbers are too large or too small for its proof",
        ),
        (
            ["bits.csv", "--learner", "Memory"],
            "bound: no theorem of the course speaks of Memory on data alone",
        ),
    ],
)
def test_a_theorem_that_does_not_apply_says_why(capsys, arguments, line):
    assert printed(capsys, *arguments)[-1].startswith(line)


def test_a_proof_that_fails_is_said(capsys, monkeypatch):
    ledger = proofs.printed_wm_regret(play(WeightedMajority(4), ADVICE, RAIN))
    broken = SimpleNamespace(
        name="A claim", lines=ledger.lines, holds=False, first_violation=(1, 7)
    )
    monkeypatch.setitem(BOUNDS, "WeightedMajority", lambda run, names: (broken, ""))
    lines = printed(capsys, "advice.csv", "--learner", "WeightedMajority", "--skip", "day")
    assert lines[-1] == "proof: line 1 fails on trial 7: as printed"


def test_every_learner_can_be_asked_for(capsys):
    assert {*LEARNERS} | {*IN_PYTHON} == {*learners.__all__} and not {*LEARNERS} & {*IN_PYTHON}
    assert {*LEARNERS} - {*BOUNDS} == {"Memory", "MonomialWinnow", "SparseMonomialWinnow"}, (
        "a theorem names its `learners`, or BOUNDS of olc_helpers/cli/bounds.py names it"
    )
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    shown = capsys.readouterr().out
    assert [name for name in LEARNERS if name not in shown] == []


# Labels -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("learner", "labels", "remark"),
    [
        ("Perceptron", "0 1", ", 0/1 read as -1/+1"),
        ("Perceptron", "-1 1", ""),
        ("Perceptron", "1 1", ""),
        ("Winnow", "-1 1", ", -1/+1 read as 0/1"),
        ("Winnow", "0 1", ""),
        ("Winnow", "1 1", ""),
        ("WeightedAverage", "-1 1", ", -1/+1 read as 0/1"),
        ("WeightedAverage", "0.5 1", ""),
    ],
)
def test_labels_are_turned_where_the_meaning_is_clear(capsys, tmp_path, learner, labels, remark):
    first, second = labels.split()
    (tmp_path / "two.csv").write_text(f"0,1,{first}\n1,1,{second}\n1,0,{first}\n")
    assert printed(capsys, "two.csv", "--learner", learner, "--out", "out.csv")[0].endswith(
        f"label column 3{remark}"
    )
    low = {"0/1": 0, "-1/+1": -1}[remark.rpartition(" ")[2]] if remark else float(first)
    with open("out.csv", newline="") as file:
        assert [float(row["label"]) for row in csv.DictReader(file)] == [low, float(second), low]


def test_advice_is_turned_too(capsys, tmp_path):
    (tmp_path / "signs.csv").write_text(text_of(np.column_stack([2 * ADVICE - 1, RAIN])))
    lines = printed(capsys, "signs.csv", "--learner", "WeightedMajority")
    assert lines[0] == "signs.csv: 30 trials; 4 experts, -1/+1 read as 0/1; label column 5"
    assert lines[1:] == [
        line.replace("carl", "column 3")
        for line in printed(capsys, "advice.csv", "--learner", "WeightedMajority", "--skip", "day")[
            1:
        ]
    ]


@pytest.mark.parametrize("label", ["first", "1", "y"])
def test_the_label_may_stand_anywhere(capsys, tmp_path, label):
    (tmp_path / "front.csv").write_text(text_of(np.column_stack([SIDES, POINTS]), "y,x1,x2"))
    lines = printed(capsys, "front.csv", "--learner", "Perceptron", "--label", label)
    assert (
        lines[0].endswith("label y")
        and lines[1:] == printed(capsys, "data.csv", "--learner", "Perceptron")[1:]
    )


def test_a_column_called_last_is_meant(capsys, tmp_path):
    (tmp_path / "odd.csv").write_text("last,x\n1,2\n-1,3\n")
    assert printed(capsys, "odd.csv", "--learner", "Perceptron", "--label", "last")[0].endswith(
        "label last"
    )


# Files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(",", ";"),
        lambda text: text.replace(",", "\t"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\n" + text.replace("\n", "\n\n,,\n"),
        lambda text: text.removesuffix("\n"),
        lambda text: re.sub(r"(?<!x)(-?\d+),", r'"\1" ,', text),
    ],
)
def test_files_as_other_programs_write_them(capsys, tmp_path, change):
    text, both = (tmp_path / "data.csv").read_text(), (["data.csv"], ["data.csv", "--skip", "x1"])
    usual = [printed(capsys, *arguments, "--learner", "Perceptron") for arguments in both]
    (tmp_path / "data.csv").write_bytes(change(text).encode())
    assert [printed(capsys, *arguments, "--learner", "Perceptron") for arguments in both] == usual


def test_standard_input(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(
        sys, "stdin", SimpleNamespace(buffer=io.BytesIO((tmp_path / "data.csv").read_bytes()))
    )
    lines = printed(capsys, "-", "--learner", "Perceptron")
    assert lines[0] == "standard input: 10 trials; 2 features; label y"
    assert lines[1:] == printed(capsys, "data.csv", "--learner", "Perceptron")[1:]


GOOD = "x1,x2,y\n" + "1,2,1\n" * 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad.csv is empty"),
        ("\n ,\n", "bad.csv is empty"),
        ("x1,x2,y\n", "bad.csv has a header, but no data"),
        (GOOD + "1,abc,1\n", "row 7, column 2 (x2): 'abc' is no number"),
        (GOOD + "1,,1\n", "row 7, column 2 (x2): there is nothing"),
        (GOOD + "\n1,2,no\n", "row 8, column 3 (y): 'no' is no number"),
        (GOOD + "1,nan,1\n", "row 7, column 2 (x2): 'nan' is no finite number"),
        (GOOD + "-inf,0,1\n", "row 7, column 1 (x1): '-inf' is no finite number"),
        (GOOD + "1e400,0,1\n", "row 7, column 1 (x1): '1e400' is no finite number"),
        (GOOD + "1,2\n", "row 7 has 2 columns, row 1 has 3"),
        (GOOD + "1,2,3,1\n", "row 7 has 4 columns, row 1 has 3"),
        (
            GOOD + "1,2,2\n",
            "row 7, column 3 (y): 2 is not -1 or +1, which Perceptron needs as a label",
        ),
        (
            GOOD + "1,2,0\n1,2,-1\n",
            "row 7, column 3 (y): 0 is not -1 or +1, which Perceptron needs as a label",
        ),
        (
            "1,2,1\n1,2,0.5\n",
            "row 2, column 3: 0.5 is not -1 or +1, which Perceptron needs as a label",
        ),
        ("1,x,1\n", "row 1, column 2: 'x' is no number (a row with a number in it is no header)"),
        ("y\n1\n-1\n", "there is no column left for Perceptron to see"),
        (
            "1e200,1\n1e200,1\n",
            "Perceptron can't play these data: every entry of X must be a finite number, at most",
        ),
        ('x,y\n"1', "row 2 has 1 columns, row 1 has 2"),
        (
            b"x,y\n1,1\n\xe4,1\n",
            "bad.csv is not UTF-8: row 3 holds the byte 0xe4; save it as CSV UTF-8",
        ),
        (
            b"\xef\xbb\xbfx,y\n1,1\n\xff,1\n",
            "bad.csv is not UTF-8: row 3 holds the byte 0xff; save it as CSV UTF-8",
        ),
        (
            "x,y\n1,1\n".encode("utf-16"),
            "bad.csv is not UTF-8: row 1 holds the byte 0xff; save it as CSV UTF-8",
        ),
        (b"x,y\n1," + b"1" * 200_000, "bad.csv is no CSV file: field larger than field limit"),
    ],
)
def test_bad_files_are_refused_with_row_and_column(capsys, tmp_path, text, message):
    (tmp_path / "bad.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert refused(capsys, "bad.csv", "--learner", "Perceptron", "--out", "out.csv").startswith(
        message
    )
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("text", "learner", "message"),
    [
        (
            "0,1,1\n0,2,1\n",
            "WeightedMajority",
            "row 2, column 2: 2 is not 0 or 1, which WeightedMajority needs",
        ),
        ("0,1,1\n0,-1,1\n", "Winnow", "row 2, column 2: -1 is not 0 or 1, which Winnow needs"),
        (
            "0,1.5,1\n",
            "WeightedAverage",
            "row 1, column 2: 1.5 is not a number in [0, 1], which WeightedAverage needs",
        ),
        (
            "5\n3\n",
            "Hedge",
            (
                "Hedge can't be made with {'n': 1, 'eta': 0.0}: "
                "eta must be a finite number > 0; got 0.0"
            ),
        ),
        (
            "1e-320,0\n",
            "Hedge",
            (
                "Hedge can't be made with {'n': 2, 'eta': inf}: "
                "eta must be a finite number > 0; got inf"
            ),
        ),
        (
            "0,1\n0,-1\n",
            "Hedge",
            "row 2, column 2: -1 is not a finite number >= 0, which Hedge needs",
        ),
    ],
)
def test_numbers_that_are_no_advice_and_no_losses(capsys, tmp_path, text, learner, message):
    (tmp_path / "bad.csv").write_text(text)
    assert refused(capsys, "bad.csv", "--learner", learner) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.csv", "--learner", "Perceptron"], "can't read none.csv: No such file or directory"),
        ([".", "--learner", "Perceptron"], "can't read .: Is a directory"),
        (
            ["data.csv", "--learner", "Perceptrn"],
            f"there is no learner 'Perceptrn'; there are {', '.join(LEARNERS)}",
        ),
        (
            ["data.csv", "--learner", "KernelPerceptron"],
            "KernelPerceptron needs a kernel, so it plays in Python only",
        ),
        (["bits.csv", "--learner", "FixedShare"], "FixedShare needs --set alpha=VALUE"),
        (
            ["data.csv", "--learner", "Perceptron", "--label", "z"],
            "there is no column 'z'; the nearest names are: ",
        ),
        (
            ["data.csv", "--learner", "Perceptron", "--label", "4"],
            "there is no column '4'; give first, last or a number, 1 to 3",
        ),
        (
            ["bits.csv", "--learner", "Winnow", "--label", "y"],
            (
                "there is no column 'y' (the file has no header with names); "
                "give first, last or a number, 1 to 7"
            ),
        ),
        (
            ["data.csv", "--learner", "Perceptron", "--skip", "x3"],
            "there is no column 'x3'; the nearest names are: ",
        ),
        (
            ["data.csv", "--learner", "Perceptron", "--label", "y", "--skip", "y"],
            "the label can't be skipped",
        ),
        (
            ["losses.csv", "--learner", "Hedge", "--label", "1"],
            "Hedge learns from losses alone: no --label, no --constant",
        ),
        (
            ["losses.csv", "--learner", "Hedge", "--constant"],
            "Hedge learns from losses alone: no --label, no --constant",
        ),
        (["data.csv", "--learner", "Perceptron", "--set", "n"], "--set needs ARG=VALUE; got 'n'"),
        (
            ["bits.csv", "--learner", "Winnow", "--set", "factr=3"],
            "there is no argument of Winnow called 'factr'; the nearest names are: factor",
        ),
        (
            ["bits.csv", "--learner", "Winnow", "--set", "factor=1"],
            (
                "Winnow can't be made with {'n': 6, 'factor': 1}: "
                "factor must be a finite number > 1; got 1"
            ),
        ),
        (
            ["bits.csv", "--learner", "Winnow", "--set", "n=5"],
            "Winnow can't play these data: X must have n = 5 columns",
        ),
        (
            ["data.csv", "--learner", "Perceptron", "--figure", "run.jpg"],
            "a figure must end in .svg, .pdf, .png; got 'run.jpg'",
        ),
        (
            ["data.csv", "--learner", "Perceptron", "--out", "./data.csv"],
            "data.csv is what is read: give what is written another name",
        ),
    ],
)
def test_slips_are_explained(capsys, tmp_path, arguments, message):
    before = (tmp_path / "data.csv").read_bytes()
    assert refused(capsys, *arguments).startswith(message)
    assert (tmp_path / "data.csv").read_bytes() == before


@pytest.mark.parametrize("option", ["--out", "--figure"])
def test_a_file_that_cannot_be_written(capsys, option):
    with pytest.raises(SystemExit) as end:
        main(["play", "data.csv", "--learner", "Perceptron", option, "nowhere/run.svg"])
    assert end.value.code == 2
    assert capsys.readouterr().err.endswith(
        "error: can't write nowhere/run.svg: No such file or directory\n"
    )


def test_two_columns_of_one_name(capsys, tmp_path):
    (tmp_path / "two.csv").write_text("x,x,y\n1,2,1\n")
    message = refused(capsys, "two.csv", "--learner", "Perceptron", "--label", "x")
    assert message == "2 columns are called 'x': give the number, 1 to 3"


def test_skipped_columns_may_hold_anything_and_the_last_of_the_rest_is_the_label(capsys, tmp_path):
    (tmp_path / "notes.csv").write_text("x,y,note\n1,1,good\n2,1,\n")
    lines = printed(capsys, "notes.csv", "--learner", "Perceptron", "--skip", "note")
    assert (
        lines[0] == "notes.csv: 2 trials; 1 feature; label y"
        and lines[1] == "Perceptron(n=1): 1 mistake"
    )


# What is written ----------------------------------------------------------------------------------


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_predictions_and_losses_are_written(capsys):
    printed(
        capsys, "advice.csv", "--learner", "WeightedAverage", "--skip", "day", "--out", "out.csv"
    )
    run = play(learners.WeightedAverage(4), ADVICE.astype(float), RAIN.astype(float))
    head, *body = rows("out.csv")
    assert head == ["trial", "prediction", "label", "loss"]
    assert np.array(body, float).T.tolist() == [
        list(range(1, 31)),
        run.predictions.tolist(),
        RAIN.tolist(),
        run.losses.tolist(),
    ]


def test_the_shares_of_hedge_are_written(capsys):
    printed(capsys, "losses.csv", "--learner", "Hedge", "--set", "eta=0.5", "--out", "out.csv")
    run = play(Hedge(3, 0.5), LOSSES)
    head, *body = rows("out.csv")
    assert head == ["trial", *(f"share of column {i}" for i in (1, 2, 3)), "loss"]
    assert (
        np.array(body, float)[:, 1:].tolist()
        == np.column_stack([run.predictions, run.losses]).tolist()
    )


def test_the_experts_that_hedge_draws_are_written(capsys):
    printed(
        capsys,
        "losses.csv",
        "--learner",
        "Hedge",
        "--set",
        "eta=0.5",
        "--set",
        "rng=3",
        "--out",
        "out.csv",
    )
    run = play(Hedge(3, 0.5, rng=3), LOSSES)
    assert rows("out.csv")[:2] == [
        ["trial", "expert", "loss"],
        ["1", f"column {run.predictions[0] + 1}", f"{run.losses[0]}"],
    ]


@pytest.mark.parametrize(
    ("kind", "start"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")]
)
def test_a_picture_is_drawn(capsys, tmp_path, kind, start):
    lines = printed(capsys, "data.csv", "--learner", "Perceptron", "--figure", f"run.{kind}")
    assert (tmp_path / f"run.{kind}").read_bytes().startswith(start)
    assert lines[-1].startswith(f"run.{kind}: Perceptron on data.csv: mistakes ")


def drawn(learner, *stream, ledger=None):
    from olc_helpers.cli.picture import so_far

    run = play(learner, *stream)
    figure = so_far(run, "my.csv", ledger and ledger(run))
    (ax,) = figure.axes
    return (
        run,
        figure.caption,
        [line.get_ydata().tolist() for line in ax.lines],
        [text.get_text() for text in ax.texts],
    )


def test_the_picture_shows_learner_best_expert_and_bound():
    run, caption, curves, labels = drawn(WeightedMajority(4), ADVICE, RAIN, ledger=proofs.wm_bound)
    bound = proofs.wm_bound(run).bound
    assert curves == [
        run.mistakes_before.tolist(),
        run.cumulative_expert_losses[:, 2].tolist(),
        [bound, bound],
    ]
    assert set(labels) == {"Weighted Majority", "best expert", "bound"}
    assert (
        caption
        == f"Weighted Majority on my.csv: mistakes {run.mistakes} after 30 trials; the best expert "
        f"{run.best_loss:.0f}; the bound allows {bound:.4g}."
    )


@pytest.mark.parametrize(
    ("learner", "stream", "prove", "most"),
    [
        (Hedge(3, 0.5), (LOSSES,), proofs.hedge_bound, lambda run, bound: run.best_loss + bound),
        (
            Hedge(3, 0.5, rng=0),
            (LOSSES,),
            proofs.hedge_bound,
            lambda run, bound: run.best_loss + bound,
        ),
        (
            learners.RandomizedWeightedMajority(4, rng=0),
            (ADVICE, RAIN),
            proofs.rwma_bound,
            lambda run, bound: bound,
        ),
    ],
)
def test_a_bound_on_the_regret_is_drawn_above_the_best_expert(learner, stream, prove, most):
    run, _, curves, _ = drawn(learner, *stream, ledger=prove)
    assert curves[-1] == pytest.approx([most(run, prove(run).bound)] * 2)


def test_a_bound_far_away_is_only_said():
    _, caption, curves, labels = drawn(Perceptron(2), POINTS, SIDES, ledger=proofs.novikoff)
    assert len(curves) == 1 and labels == ["Perceptron"]
    assert caption.endswith("; the bound allows 26.56, far above the picture.")


def test_an_infinite_loss_is_not_drawn(capsys, tmp_path):
    with pytest.raises(SystemExit) as end:
        main(
            [
                "play",
                "advice.csv",
                "--skip",
                "day",
                "--learner",
                "WeightedAverage",
                "--set",
                "loss=entropic",
                "--figure",
                "run.svg",
            ]
        )
    assert end.value.code == 2 and capsys.readouterr().err.endswith(
        "a run of infinite loss can't be drawn\n"
    )
    assert not (tmp_path / "run.svg").exists()


# The help -----------------------------------------------------------------------------------------


def test_examples_of_the_help_run(capsys, tmp_path, monkeypatch):
    commands = re.findall(r"(?m)^  (?:cat (\S+) \| )?(python -m olc_helpers .+)$", EXAMPLES)
    assert len(commands) == 5
    for given, command in commands:
        if given:
            monkeypatch.setattr(
                sys, "stdin", SimpleNamespace(buffer=io.BytesIO((tmp_path / given).read_bytes()))
            )
        program, m, package, play_, *arguments = shlex.split(command)
        assert (program, m, package, play_) == ("python", "-m", "olc_helpers", "play")
        assert any(line.startswith("proof: all") for line in printed(capsys, *arguments))
    assert (tmp_path / "predictions.csv").exists() and (tmp_path / "run.svg").exists()
