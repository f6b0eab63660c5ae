"""nbval, and what stands beside it in the conftest.py of the course, notice each change of a
notebook; `make execute` makes none.
"""

import asyncio
import io
import os
import re
import subprocess
import sys
from base64 import b64decode, b64encode

import nbformat
import numpy as np
import pytest
from conftest import ROOT
from execute import PICTURE, TOLERANCE, WIDGETS, apart, execute, settled
from nbclient.exceptions import DeadKernelError
from nbformat import v4
from PIL import Image, ImageDraw

from olc_helpers import figures

IMPORTS = """
from IPython.display import HTML
from olc_helpers import WeightedMajority, explore, figures, guess, play, proofs, streams
"""


def execution(path, cells):
    """The text of a notebook with these cells, executed."""
    cells = [v4.new_code_cell(source.strip(), id=f"c{i}") for i, source in enumerate(cells)]
    nbformat.write(v4.new_notebook(cells=cells), path)
    return asyncio.run(execute(path))


def validated(path):
    """What nbval says of a notebook: {number of a cell that fails: why}."""
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "--rootdir", ROOT]
    command += ["-p", "conftest", "-p", "no:cacheprovider", "--color=no", "--nbval", path]
    run = subprocess.run(
        list(map(str, command)),
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tools'}"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    told = re.split(r"(?m)^Cell (\d+): ", run.stdout)
    assert re.search(r"\d+ (passed|failed)", run.stdout), run.stdout + run.stderr
    return {int(number): why for number, why in zip(told[1::2], told[2::2], strict=True)}


# Pictures ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def picture():
    """A figure of the course as PNG in base64."""
    return b64encode(figures.wm_run().png()).decode()


def altered(picture, change):
    """The PNG in base64 with its pixels changed."""
    image, file = Image.open(io.BytesIO(b64decode(picture))).convert("RGBA"), io.BytesIO()
    change(image)
    image.save(file, "png")
    return b64encode(file.getvalue()).decode()


def rounded(image):
    """Every seventh pixel is up to TOLERANCE levels darker."""
    levels = np.array(image)
    levels[::7, :, :3] = np.maximum(levels[::7, :, :3].astype(int) - TOLERANCE, 0)
    image.paste(Image.fromarray(levels))


def moved(image):
    """One column of pixels stands a pixel further to the right."""
    middle = image.width // 2
    image.paste(image.crop((middle, 0, middle + 1, image.height)), (middle + 1, 0))


def relabelled(image):
    ImageDraw.Draw(image).text((20, 20), "9", fill="black")


def recoloured(image):
    """The blue line gets another blue."""
    levels = np.array(image)
    levels[(levels[..., 2] > levels[..., 0] + 60), 2] -= 2 * TOLERANCE
    image.paste(Image.fromarray(levels))


def test_pictures_may_differ_by_the_tolerance_and_no_more(picture):
    assert apart(picture, altered(picture, rounded)) == TOLERANCE
    for change in (moved, relabelled, recoloured):
        assert apart(picture, altered(picture, change)) > TOLERANCE, change.__name__
    height = Image.open(io.BytesIO(b64decode(picture))).height
    assert apart(picture, altered(picture, lambda image: image.thumbnail((999, height - 1)))) == 256


# What nbval and the plugin find -------------------------------------------------------------------


def output(cell, kind):
    """The first output of a cell with that kind of data."""
    return next(each for each in cell.outputs if kind in each.get("data", {}))


def repaint(change):
    def plant(cell, nb):
        data = output(cell, "image/png").data
        data["image/png"] = altered(data["image/png"], change)

    return plant


def rewrite(kind, old, new):
    def plant(cell, nb):
        data = output(cell, kind).data
        assert old in data[kind]
        data[kind] = data[kind].replace(old, new, 1)

    return plant


def state(nb, model):
    """The stored states of all widgets of a kind."""
    stored = nb.metadata.widgets[WIDGETS].state.values()
    return [each for each in stored if each.model_name == model]


def digit(cell, nb):
    cell.outputs[0].text = "mistakes: 18\n"


def no_alt(cell, nb):
    output(cell, "image/png").metadata = {}


def other_slider(cell, nb):
    state(nb, "FloatSliderModel")[0].state.max = 0.95


def other_explorer(cell, nb):
    buffer = state(nb, "ImageModel")[1].buffers[0]
    buffer.data = altered(buffer.data, moved)


def other_question(cell, nb):
    state(nb, "IntSliderModel")[-1].state.value += 1


def other_kind(cell, nb):
    cell.outputs[0].update(output_type="display_data")
    del cell.outputs[0]["execution_count"]


def twice(cell, nb):
    cell.outputs.append(cell.outputs[-1])


def stripped(cell, nb):
    cell.outputs = []


def never_executed(cell, nb):
    cell.outputs, cell.execution_count = [], None


def miscounted(cell, nb):
    cell.execution_count += 1


def tagged(cell, nb):
    cell.metadata.tags = ["nbval-ignore-output"]


def expected_to_raise(cell, nb):
    cell.metadata.tags = ["raises-exception"]


def raising(cell, nb):
    cell.source = "1 / 0"


def unchanged(cell, nb):
    """Leave the cell as it is."""


LEDGER = "proofs.wm_bound(play(WeightedMajority(8), *streams.EIGHT_EXPERTS))"
EXPLORER = "explore(figures.wm_run, beta=(0.1, 0.9, 0.1))"
PLANTED = [  # the source of a cell, the change of what it stores
    (IMPORTS, unchanged),
    ("print('mistakes: 17')", digit),
    ("HTML('<table><td>17</td></table>')", rewrite("text/html", "17", "18")),
    (LEDGER, rewrite("text/html", "✓", "✗")),
    (LEDGER, rewrite("text/plain", "slack", "slick")),
    ("figures.wm_run()", repaint(moved)),
    ("figures.wm_run()", repaint(relabelled)),
    ("figures.wm_run()", repaint(recoloured)),
    ("figures.wm_run()", repaint(rounded)),
    ("figures.wm_run()", no_alt),
    ("figures.wm_run()", rewrite("text/html", "experts", "expert")),
    (EXPLORER, other_slider),
    (EXPLORER, other_explorer),
    (EXPLORER, unchanged),
    ("guess('How many?', 0, 20, 17)", other_question),
    ("1 + 1", other_kind),
    ("1 + 1", twice),
    ("print('mistakes: 17')", stripped),
    ("print('mistakes: 17')", never_executed),
    ("x = 1", never_executed),
    ("x = 1", miscounted),
    ("print('mistakes: 17')", tagged),
    ("x = 1", expected_to_raise),
    ("x = 1", raising),
    ("x + 1", unchanged),
]
KEPT = (unchanged, PLANTED[8][1])


@pytest.fixture(scope="module")
def planted(tmp_path_factory, only_pinned):
    """What is said of a notebook with all these changes, cell by cell."""
    path = tmp_path_factory.mktemp("planted") / "planted.ipynb"
    nb = nbformat.reads(execution(path, [source for source, _ in PLANTED]), 4)
    for cell, (_, plant) in zip(nb.cells, PLANTED, strict=True):
        plant(cell, nb)
    nbformat.write(nb, path)
    return validated(path)


@pytest.mark.parametrize("number", range(len(PLANTED)))
def test_a_changed_cell_is_named_and_no_other(planted, number):
    assert (number in planted) == (PLANTED[number][1] not in KEPT), planted.get(number)


def test_a_widget_too_many_is_noticed(tmp_path, only_pinned):
    path = tmp_path / "widgets.ipynb"
    nb = nbformat.reads(execution(path, [IMPORTS, "guess('How many?', 0, 20, 17)", "x = 1"]), 4)
    stored = nb.metadata.widgets[WIDGETS].state
    stored["f" * 32] = list(stored.values())[-1]
    nbformat.write(nb, path)
    assert list(validated(path)) == [2]


def test_a_model_solution_that_fails_is_noticed(tmp_path):
    [source] = ROOT.glob("notebooks/homework/hw1_experts/*.ipynb")
    nb = nbformat.read(source, 4)
    solved = [cell for cell in nb.cells if "### BEGIN SOLUTION" in cell.source]
    nb.cells = nb.cells[: nb.cells.index(solved[0]) + 3]
    solved[0].source = solved[0].source.replace("self.w", "self.v")
    path = tmp_path / source.name
    nbformat.write(nb, path)
    assert validated(path)


def test_every_notebook_is_validated():
    """In `make test`, in CI, and by plain pytest; no option or file takes a notebook out."""
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--nbval", "--collect-only", "notebooks"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    ).stdout
    for path in sorted(ROOT.glob("notebooks/**/*.ipynb")):
        cells = [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
        name = path.relative_to(ROOT).as_posix()
        assert listed.count(f"{name}::Cell ") == len(cells) > 0, name
    assert listed.count("::Cell ") > 500


# make execute ------------------------------------------------------------------------------------


def stored_with(*pictures):
    cells = [
        v4.new_code_cell(
            "draw()", id=f"c{i}", outputs=[v4.new_output("display_data", {"image/png": each})]
        )
        for i, each in enumerate(pictures)
    ]
    return nbformat.writes(v4.new_notebook(cells=cells))


def test_a_picture_that_looks_like_a_stored_one_is_kept(picture):
    first, second = picture, altered(picture, lambda image: image.paste(image.rotate(180)))
    stored = stored_with(first, second)
    now = stored_with(second, altered(picture, moved), altered(picture, rounded))
    assert PICTURE.findall(settled(now, stored)) == [second, altered(picture, moved), first]


def test_a_kernel_that_dies_is_noticed(tmp_path):
    with pytest.raises(DeadKernelError):
        execution(tmp_path / "dies.ipynb", ["import os\nos._exit(3)"])


def test_widgets_execute_to_the_same_bytes(tmp_path):
    source = (
        "print('a', end='')\nprint('b')\nwidgets.VBox([widgets.IntSlider(3),"
        " widgets.Image(value=b'picture', layout={'width': '9em'})])"
    )
    path = tmp_path / "widgets.ipynb"
    first = execution(path, ["import ipywidgets as widgets", source])
    path.write_text(first, encoding="utf-8")
    assert asyncio.run(execute(path)) == first
    nb = nbformat.reads(first, 4)
    assert [each.output_type for each in nb.cells[1].outputs] == ["stream", "execute_result"]
    models = nb.metadata.widgets[WIDGETS].state
    assert list(models) == [f"{i:032x}" for i in range(1, len(models) + 1)]
    view = nb.cells[1].outputs[1].data["application/vnd.jupyter.widget-view+json"]
    children = models[view.model_id].state.children
    names = [models[child.removeprefix("IPY_MODEL_")].model_name for child in children]
    assert names == ["IntSliderModel", "ImageModel"]
    assert "version" not in nb.metadata.language_info
