"""`python -m olc_helpers play` lets a learner of the course play on a CSV file of one's own."""

import argparse
import csv
import math
from inspect import signature
from pathlib import Path

import numpy as np

from .. import learners
from ..checks import count, trait
from ..experts.learners import ExponentialWeights, Halving, WeightedMajority
from ..ledger import HypothesisError
from ..protocol import Run, play
from .reading import Data, column_of, read
from .words import UserError, nearest, value_of

KINDS = (".svg", ".pdf", ".png")
IN_PYTHON = {"KernelPerceptron": "a kernel", "StructuredPerceptron": "a task"}  # no option says
LEARNERS = [name for name in learners.__all__ if name not in IN_PYTHON]
EXPERTS = Halving, WeightedMajority, ExponentialWeights  # who listens to experts
EXAMPLES = f"""examples:
  python -m olc_helpers play data.csv --learner Perceptron --constant
  python -m olc_helpers play data.csv --learner OnlineGradientDescent --set eta=0.1 --label y
  python -m olc_helpers play advice.csv --learner WeightedMajority --set beta=0.7 --skip day
  python -m olc_helpers play losses.csv --learner Hedge --out predictions.csv --figure run.svg
  cat advice.csv | python -m olc_helpers play - --learner FixedShare --set alpha=0.1 --skip first

The file has one row for each trial, in their order, perhaps under a header. Its last column is the
label, or the one that --label names; the other columns are the features or, one column for each
expert, the advice. For Hedge there is no label: each column has the losses of an expert. Labels
0/1 and -1/+1 are turned into each other as the learner needs them. A prediction 0 of a Perceptron
is a tie, which counts as a mistake.

learners: {", ".join(LEARNERS)}
"""


def add_to(commands: argparse._SubParsersAction) -> argparse.ArgumentParser:
    """Add the command and its options."""
    command = commands.add_parser(
        "play",
        help="let a learner play on your own data, a CSV file",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add, many = command.add_argument, {"action": "append", "default": []}
    add("file", help="a CSV file, or - for the standard input")
    add("--learner", required=True, metavar="NAME", help="one of those listed below")
    add("--set", **many, metavar="ARG=VALUE", help="an argument of the learner")
    add("--label", metavar="COLUMN", help="name or number, first or last (default: last)")
    add("--skip", **many, metavar="COLUMN", help="a column to leave out, such as a date")
    add("--constant", action="store_true", help="append a constant feature 1 to each row")
    add("--out", type=Path, metavar="FILE", help="write predictions and losses to a CSV file")
    add("--figure", type=Path, metavar="FILE", help="draw the run as svg, pdf or png")
    return command


def run(options: argparse.Namespace) -> None:
    """Play, print what happened and what the theorem says, and write what was asked for."""
    check(options)
    if options.figure:
        from .picture import so_far  # before the play, in case that matplotlib is missing
    played, names, about = play_file(options)
    ledger, said = verdict(played, names)
    print("\n".join([*about, *best_expert(played, names), *said]))
    try:
        if options.out:
            write(options.out, played, names)
        if options.figure:
            figure = so_far(played, source(options), ledger)
            figure.save(options.figure, options.figure.suffix[1:])
            print(f"{options.figure}: {figure.caption}")
    except OSError as error:
        raise UserError(f"can't write {error.filename}: {error.strerror}") from None


def check(options: argparse.Namespace) -> None:
    """Raise a UserError if there is no such learner, or no file of such a name can be written."""
    name, written = options.learner, [path for path in (options.out, options.figure) if path]
    if name in IN_PYTHON:
        raise UserError(f"{name} needs {IN_PYTHON[name]}, so it plays in Python only")
    if name not in LEARNERS:
        raise UserError(f"there is no learner {name!r}; there are {', '.join(LEARNERS)}")
    if options.figure and options.figure.suffix not in KINDS:
        raise UserError(f"a figure must end in {', '.join(KINDS)}; got {str(options.figure)!r}")
    if Path(options.file).resolve() in [path.resolve() for path in written]:
        raise UserError(f"{options.file} is what is read: give what is written another name")


def source(options: argparse.Namespace) -> str:
    """Return what to call the data."""
    return "standard input" if options.file == "-" else Path(options.file).name


def play_file(options: argparse.Namespace) -> tuple[Run, list[str], list[str]]:
    """Return the run, the names of the columns that the learner saw, and what to say about both."""
    cls, data = getattr(learners, options.learner), read(options.file, options.skip)
    y, label = None, ""
    if trait(cls, "loss") != "allocation":
        column = column_of(options.label or "last", data.names, max(data.columns, default=0) + 1)
        if column not in data.columns:
            raise UserError("the label can't be skipped")
        y, turned = numbers(data.only([column]), cls.labels, f"{options.learner} needs as a label")
        y, label = y[:, 0], f"; label {data.name(column)}{turned}"
        data = data.only([c for c in data.columns if c != column])
    elif options.label or options.constant:
        raise UserError(f"{options.learner} learns from losses alone: no --label, no --constant")
    if not data.columns:
        raise UserError(f"there is no column left for {options.learner} to see")
    space = trait(cls, "labels" if trait(cls, "loss") == "allocation" else "inputs")
    X, turned = numbers(data, space, f"{options.learner} needs")
    names = [data.name(c) for c in data.columns]
    if options.constant:
        X, names = np.column_stack([X, np.ones(len(X), X.dtype)]), [*names, "constant"]
    arguments = arguments_of(cls, options.set, X)
    run = played(cls, arguments, X, y)
    kind = "expert" if isinstance(run.learner, EXPERTS) else "feature"
    seen = f"{count(len(run), 'trial')}; {count(len(names), kind)}{turned}{label}"
    values = {k: f"{v:.6g}" if isinstance(v, float) else v for k, v in arguments.items()}
    call = ", ".join(f"{k}={v}" for k, v in values.items())
    about = [f"{source(options)}: {seen}", f"{cls.__name__}({call}): {price(run, run.total_loss)}"]
    return run, names, about


def played(cls: type, arguments: dict, X: np.ndarray, y: np.ndarray | None) -> Run:
    """Return the Run of a new learner."""
    try:
        learner = cls(**arguments)
    except (TypeError, ValueError) as error:
        raise UserError(f"{cls.__name__} can't be made with {arguments}: {error}") from None
    try:
        return play(learner, X) if y is None else play(learner, X, y)
    except ValueError as error:
        raise UserError(f"{cls.__name__} can't play these data: {error}") from None


def numbers(data: Data, space: str, wanted: str) -> tuple[np.ndarray, str]:
    """Return the values in the space that a learner needs, and a remark if they were turned."""
    values, remark = data.values, ""
    if space in ("bits", "unit") and np.isin(values, (-1, 1)).all() and (values == -1).any():
        values, remark = (values + 1) / 2, ", -1/+1 read as 0/1"
    elif space == "signs" and np.isin(values, (0, 1)).all() and (values == 0).any():
        values, remark = 2 * values - 1, ", 0/1 read as -1/+1"
    data._replace(values=values).check(space, wanted)
    return values.astype(int) if space in ("bits", "signs") else values, remark


def arguments_of(cls: type, texts: list[str], X: np.ndarray) -> dict:
    """Return the arguments of a learner for the rows of X; the texts are ARG=VALUE."""
    known = signature(cls).parameters
    arguments = {"n": X.shape[1]} if "n" in known else {}
    if cls is learners.Hedge:
        arguments["eta"] = math.sqrt(2 * math.log(X.shape[1]) / len(X)) / (float(X.max()) or 1)
    if cls is learners.RandomizedWeightedMajority:
        arguments["rng"] = 0
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UserError(f"--set needs ARG=VALUE; got {text!r}")
        if name not in known:
            raise UserError(nearest(f"argument of {cls.__name__} called", name, known))
        arguments[name] = value_of(value)
    missing = [name for name, p in known.items() if p.default is p.empty and name not in arguments]
    if missing:
        raise UserError(f"{cls.__name__} needs --set {missing[0]}=VALUE")
    return arguments


def price(run: Run, loss: float) -> str:
    """Return a loss in words, as mistakes where these are counted."""
    kind = trait(run.learner, "loss")
    return count(round(loss), "mistake") if kind == "mistake" else f"{kind} loss {loss:.6g}"


def best_expert(run: Run, names: list[str]) -> list[str]:
    """Return a line about the best expert, if there are experts."""
    if not isinstance(run.learner, EXPERTS):
        return []
    return [f"best expert: {names[run.best_expert]}, {price(run, run.best_loss)}"]


def verdict(run: Run, names: list[str]) -> tuple:
    """Return the ledger of the learner's theorem, None if it does not apply, and what it says."""
    from .bounds import BOUNDS

    name = type(run.learner).__name__
    if name not in BOUNDS:
        return None, [f"bound: no theorem of the course speaks of {name} on data alone"]
    try:
        with np.errstate(over="raise", invalid="raise"):
            ledger, remark = BOUNDS[name](run, names)
    except HypothesisError as error:
        return None, [f"bound: {error}"]
    except ArithmeticError:
        return None, ["bound: the numbers are too large or too small for its proof"]
    said = f"bound: {ledger.name}: {ledger.lines[-1].sides}" + f" ({remark})" * bool(remark)
    if ledger.holds:
        return ledger, [said, f"proof: all {len(ledger.lines)} lines hold on every trial"]
    line, trial = ledger.first_violation
    why = ledger.lines[line - 1].why
    return ledger, [said, f"proof: line {line} fails on trial {trial}: {why}"]


def write(path: Path, run: Run, names: list[str]) -> None:
    """Write a row for each trial: the prediction or the share of each expert, label, loss."""
    columns = {"trial": range(1, len(run) + 1)}
    if run.predictions.ndim == 2:
        shares = run.predictions.T.tolist()
        columns |= {f"share of {name}": v for name, v in zip(names, shares, strict=True)}
    elif run.X is None:
        columns["expert"] = [names[i] for i in run.predictions]
    else:
        columns |= {"prediction": run.predictions.tolist(), "label": run.y.tolist()}
    columns["loss"] = run.losses.tolist()
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        out.writerows(zip(*columns.values(), strict=True))
