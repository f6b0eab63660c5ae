"""What is drawn at random in cells and streams: no two draws that should be independent have the
same seed, and noise knows nothing of the data. Of figures `test_figures.py` sees it.
"""

import ast
import re
from inspect import signature

import nbformat
import numpy as np
import pytest
from conftest import ROOT

from olc_helpers import adversaries, streams
from olc_helpers.cases import contests
from olc_helpers.voting import figures as voting

# Cells in which two things draw from one seed on purpose.
THE_SAME = {
    "e79b0b01": "the lines of the lecture draw as the package does",
    "eed8898d": "two names of one algorithm draw the same experts",
}
SEEDED = {  # functions that draw from the seed 0 if they are told no other
    name
    for module in (streams, adversaries)
    for name in module.__all__
    if callable(getattr(module, name))
    and "rng" in (asked := signature(getattr(module, name)).parameters)
    and asked["rng"].default == 0
}


def calls(source):
    """Yields (seed, call) of what draws in a cell, as they are written."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            told = [each.value for each in call.keywords if each.arg == "rng"]
            told += call.args[:1] if name == "default_rng" else []
            shown = ast.unparse(call.func).startswith("figures.")
            if told or name in SEEDED and not shown:
                yield ast.unparse(told[0]) if told else "0", ast.unparse(call)


def shared(source):
    """Returns the seeds from which different calls of a cell draw; a generator is no seed."""
    by_seed = {}
    for seed, call in calls(source):
        by_seed.setdefault(seed, set()).add(call)
    return {seed: them for seed, them in by_seed.items() if len(them) > 1 and seed[:3] != "rng"}


@pytest.mark.parametrize("path", sorted(ROOT.glob("notebooks/**/*.ipynb")), ids=lambda p: p.stem)
def test_different_draws_of_a_cell_have_different_seeds(path):
    cells = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
    assert {cell.id: shared(cell.source) for cell in cells if shared(cell.source)}.keys() <= (
        THE_SAME.keys()
    )


@pytest.mark.parametrize(
    "source, number",
    [
        ("a = streams.coin_losses(5, [0.5]); b = np.random.default_rng(0)", 1),
        ("a = streams.digits(); b = np.random.default_rng(0)", 0),
        ("a = streams.disjunction(9, 5, 2, rng=s); b = streams.disjunction(8, 5, 2, rng=s)", 1),
        ("a = streams.disjunction(9, 5, 2, rng=s); b = streams.disjunction(9, 5, 2, rng=s)", 0),
    ],
)
def test_shared_seeds_of_a_cell_are_found(source, number):
    assert len(shared(source)) == number


def noises(seed, T=4000):
    """Yields for each stream with noise what is drawn for itself: the noise, and then the data."""
    v = np.array([0.6, 0.8])
    X, y = streams.noisy_margin(T, v, 0.05, 0.2, rng=seed)
    yield [np.sign(X @ v) != y], [np.abs(X @ v), np.sign(X @ v)]
    X, y = streams.noisy_experts(T, [0.2, 0.2, 0.3], rng=seed)
    yield (X != y[:, None]).T, [y]
    X, y = streams.forecasts(T, 8, rng=seed)  # the first forecaster knows the chance, nearly
    yield [y - X[:, 0]], [X[:, 7] - X[:, 0], X[:, 0]]
    X, _, best = streams.shifting_experts(T, 3, 39, rng=seed)
    here = best[:, None] == np.arange(3)
    yield (X / np.where(here, 1, np.sqrt(10))).T, here.T
    _, y = streams.packet_gaps(T, rng=seed)
    levels = np.repeat([0.2, 0.7, 0.2, 0.9, 0.4], T // 5)
    yield [y - levels], [levels]
    X, y, *_ = voting._asked("odd?", seed, 0.2)
    right = voting._asked("odd?", seed)[1]
    yield [y != right], [right, X.sum(axis=1)]
    rows, kinds, _ = contests.names_of_characters()
    order = contests.orders(len(rows))[seed, :1000]
    yield contests._coins(4, 1000, 20)[:, seed].T, [np.char.startswith(kinds[order], "L")]


@pytest.mark.parametrize("seed", range(20))
def test_noise_knows_nothing_of_the_data(seed):
    """Its correlation with distances, advice, chances, levels and labels, and of one noise with
    another, is that of independent numbers.
    """
    for noise, data in noises(seed):
        for number, one in enumerate(noise):
            for other in [*noise[:number], *data]:
                assert abs(np.corrcoef(one, other)[0, 1]) < 5 / np.sqrt(len(one))


# Averages that no test replays, and why.
NOT_REPLAYED = {
    "7e99e1df": "the exact expectation stands beside it",
    "dbc940a9": "the exact expectation stands beside it",
    "eaf1fcfe": "no sentence rests on it",
    "l5tight4": "no sentence rests on it",
    "l5mini4": "no sentence rests on it",
    "17e0549c": "one data set, says the text; 4a46407b has forty",
    "3023b51b": "no sentence rests on it",
    "w9exe001": "each sample is compared with the exact solver",
    "97efb0f1": "no sentence rests on it",
    "20900f8e": "all samples there are",
    "b12step2": "the exact mean stands below it",
    "13ex4": "the exact value stands beside it",
    "s18guess1": "a probability in words",
    "s18line2": "the exact value stands beside it",
    "m18tight": "no sentence rests on it",
}
AVERAGE = re.compile(
    r"±|standard error|\b\d\d+ (?:random |other )?(?:streams|orders|runs|samples|splits|plays)\b"
)


def test_each_average_is_replayed_with_other_seeds():
    """A cell that shows one is named by a test in `replays`, or there is a reason why not."""
    tests = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/test_*.py"))
    replayed = re.findall(r'"([^"]+)"', "".join(re.findall(r"@replays\(([^)]*)\)", tests)))
    cells, averages = {}, set()
    for path in sorted(ROOT.glob("notebooks/*.ipynb"))[1:]:
        for cell in nbformat.read(path, 4).cells:
            cells[cell.id] = cell
            told = re.sub("<[^>]+>", "", str(cell.get("outputs", "")))
            by_seed = re.search(r"\bseed\b", cell.source) and "mean(" in cell.source
            if cell.cell_type == "code" and (AVERAGE.search(told) or by_seed):
                averages.add(cell.id)
    assert sorted(averages - {*replayed} - NOT_REPLAYED.keys()) == []
    assert {*replayed} <= cells.keys() and NOT_REPLAYED.keys() <= averages - {*replayed}
