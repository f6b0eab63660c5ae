"""Numpy is enough for learners, proofs and plays; what needs more says so in one line."""

import subprocess
import sys

import pytest

from olc_helpers import theorems

EXTRAS = ("matplotlib", "IPython", "ipywidgets", "tqdm", "sklearn", "scipy")


def without(modules, code, cwd):
    """What a Python in which these modules are missing prints, and the last line of its errors."""
    hidden = f"import sys\nfor name in {tuple(modules)!r}: sys.modules[name] = None\n"
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", hidden + code],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    return done.stdout, done.stderr.splitlines()[-1] if done.stderr else ""


@pytest.mark.parametrize(
    ("modules", "code", "line"),
    [
        (
            ["matplotlib"],
            "from olc_helpers import figures",
            "drawing a figure needs matplotlib, which is not installed: pip install matplotlib",
        ),
        (
            ["matplotlib"],
            "from olc_helpers import explore",
            "drawing a figure needs matplotlib, which is not installed: pip install matplotlib",
        ),
        (
            ["matplotlib"],
            (
                "from olc_helpers import Perceptron, play, proofs\n"
                "proofs.novikoff(play(Perceptron(1), [[1]], [1])).plot()"
            ),
            "drawing a figure needs matplotlib, which is not installed: pip install matplotlib",
        ),
        (
            ["matplotlib"],
            "from olc_helpers import streams; streams.trading_volume()",
            (
                "reading the trading volume needs matplotlib, which is not installed: "
                "pip install matplotlib"
            ),
        ),
        (
            ["ipywidgets"],
            "from olc_helpers import explore",
            "exploring a figure needs ipywidgets, which is not installed: pip install ipywidgets",
        ),
        (
            ["ipywidgets"],
            "from olc_helpers import ask",
            "asking a question needs ipywidgets, which is not installed: pip install ipywidgets",
        ),
        (
            ["IPython"],
            "from olc_helpers import game",
            "exploring a figure needs ipython, which is not installed: pip install ipython",
        ),
        (
            ["IPython"],
            "from olc_helpers.canvas import canvas\ncanvas()[0]._ipython_display_()",
            (
                "showing a figure in a notebook needs ipython, which is not installed: "
                "pip install ipython"
            ),
        ),
        (
            ["sklearn"],
            "from olc_helpers import streams; streams.digits()",
            (
                "reading the handwritten digits needs scikit-learn, "
                "which is not installed: pip install scikit-learn"
            ),
        ),
        (
            ["scipy"],
            "from olc_helpers import dimensions; dimensions.separator([[1]], [1])",
            "looking for a hyperplane needs scipy, which is not installed: pip install scipy",
        ),
    ],
)
def test_what_is_missing_is_said_in_one_line(tmp_path, modules, code, line):
    assert without(modules, code, tmp_path) == ("", f"olc_helpers.optional.MissingExtra: {line}")


def test_every_module_says_what_it_needs(tmp_path):
    """Whichever module is imported first."""
    code = """
import importlib, pkgutil, olc_helpers
for module in pkgutil.walk_packages(olc_helpers.__path__, "olc_helpers."):
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        print(type(error).__name__, error)
"""
    out, last = without(EXTRAS, code, tmp_path)
    told = "drawing a figure needs matplotlib, which is not installed: pip install matplotlib"
    asked = "asking a question needs ipython, which is not installed: pip install ipython"
    assert set(out.splitlines()) == {f"MissingExtra {told}", f"MissingExtra {asked}"} and last == ""


def test_it_is_an_import_error(tmp_path):
    code = """
try:
    import olc_helpers.figures
except ModuleNotFoundError as error:
    print(error.name)
"""
    assert without(["matplotlib"], code, tmp_path) == ("matplotlib\n", "")


def test_the_command_line_says_it_without_a_traceback(tmp_path):
    code = "from olc_helpers.__main__ import main; main(['figures', '--only', 'wm_run'])"
    out, last = without(EXTRAS, code, tmp_path)
    assert (
        out == ""
        and last
        == "python -m olc_helpers figures: error: drawing a figure needs matplotlib,"
        " which is "
        "not installed: pip install matplotlib"
    )
    assert list(tmp_path.iterdir()) == []  # nothing was written before


def test_figures_without_a_bar(tmp_path):
    arguments = ["figures", "--only", "halving_table", "--format", "svg", "--jobs", "1"]
    out, last = without(
        ["tqdm"], f"from olc_helpers.__main__ import main; main({arguments!r})", tmp_path
    )
    assert out == "1 figure as svg, listed in figures/index.html\n" and last == ""
    assert (tmp_path / "figures/halving_table.svg").exists()


@pytest.mark.parametrize("options", ["", ", progress=True", ", fast=False"])
def test_a_long_play_without_tqdm_shows_no_bar(tmp_path, options):
    code = (
        "import numpy as np\nfrom olc_helpers import Perceptron, play\n"
        f"print(play(Perceptron(1), np.ones((100_000, 1)), np.ones(100_000, int){options}))"
    )
    assert without(["tqdm"], code, tmp_path) == (
        "<Run of Perceptron: 100000 trials, 1 mistake>\n",
        "",
    )


def test_numpy_is_enough_for_learners_proofs_and_plays(tmp_path):
    """Every theorem but one is proved on its example, and data of one's own are played."""
    (tmp_path / "data.csv").write_text("1,2,1\n-1,1,-1\n", encoding="utf-8")
    code = """
import numpy as np
from olc_helpers import Perceptron, play, proofs, theorems
from olc_helpers.__main__ import main
for name in theorems():
    if name != "radon_bound":  # looks for a hyperplane by scipy
        main(["theorems", name, "--example"])
data = np.loadtxt("data.csv", delimiter=",")
print(proofs.novikoff(play(Perceptron(2), data[:, :-1], data[:, -1]), [1, 0]).holds)
"""
    out, last = without(EXTRAS, code, tmp_path)
    assert last == "" and out.count(": every line holds\n") == len(theorems()) - 1
    assert out.endswith("\nTrue\n")


def test_importing_the_package_is_quick(tmp_path):
    """It loads numpy, small modules of Python, and nothing that is used later, if at all."""
    code = (
        "import numpy, numpy.typing\nbefore = set(sys.modules)\nimport olc_helpers\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    loaded = without((), code, tmp_path)[0].split()
    assert "olc_helpers.protocol" in loaded
    slow = {"numpy.random", "numpy.linalg", "asyncio", "csv", "json", "subprocess", *EXTRAS}
    rooms = {name for name in loaded if name.endswith(("theorems", "nature", "figures", "errata"))}
    assert not rooms | slow & {*loaded}
