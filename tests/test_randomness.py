"""What is drawn at random in cells and streams: no two draws that should be independent have the
same seed, and noise knows nothing of the data. Of figures `test_figures.py` sees it.
"""

import ast
from inspect import signature

import nbformat
import numpy as np
import pytest
from conftest import ROOT

from olc_helpers import adversaries, streams

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


@pytest.mark.parametrize("seed", range(20))
def test_noise_knows_nothing_of_the_data(seed):
    """Its correlation with a distance, an advice or a level is that of independent numbers."""
    T, v = 4000, np.array([0.6, 0.8])
    X, y = streams.noisy_margin(T, v, 0.05, 0.2, rng=seed)
    right = np.sign(X @ v)
    advice, truth = streams.noisy_experts(T, [0.2, 0.2, 0.3], rng=seed)
    wrong = advice != truth[:, None]
    pairs = [(y != right, np.abs(X @ v)), (y != right, right), (wrong[:, 0], wrong[:, 1])]
    pairs += [(wrong[:, k], truth) for k in range(3)]
    for noise, data in pairs:
        assert abs(np.corrcoef(noise, data)[0, 1]) < 5 / np.sqrt(T)
