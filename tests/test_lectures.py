"""Every lecture and homework, executed once: each cell shows what is stored, and each picture looks
as stored.

The second half plants changes in stored notebooks and sees them found.
"""

import asyncio
import io
import os
import re
import subprocess
import sys
from base64 import b64encode

import nbformat
import numpy as np
import pytest
from conftest import ROOT
from execute import PICTURE, TOLERANCE, apart, changes, execute, settled
from jupyter_client import AsyncKernelManager
from nbclient.exceptions import DeadKernelError
from nbformat import v4
from PIL import Image, ImageDraw
from warm import Forked, Warm

from olc_helpers import figures

NOTEBOOKS = sorted(ROOT.glob("notebooks/*.ipynb")) + sorted(
    ROOT.glob("notebooks/homework/*/*.ipynb")
)
WIDGET = "application/vnd.jupyter.widget-view+json"


def shown(text):
    """What other versions of the packages must show as well: all cells, without pictures and the
    state of widgets.
    """
    nb = nbformat.reads(PICTURE.sub("", text), 4)
    nb.metadata = {}
    return nbformat.writes(nb)


class Lecture:
    """A class of its own for each notebook, so that the workers share them."""

    path = None

    def test_shows_what_is_stored(self, unpinned):
        stored, now = self.path.read_text(encoding="utf-8"), asyncio.run(execute(self.path))
        if os.environ.get("OLC_UNPINNED") == "1" or unpinned:
            stored, now = shown(stored), shown(now)
        assert changes(settled(now, stored), stored)[:3] == [], (
            "look at the change, then run `make execute`"
        )


for path in NOTEBOOKS:
    globals()[f"Test_{path.stem}"] = type(f"Test_{path.stem}", (Lecture,), {"path": path})


def test_there_are_lectures_and_homework():
    assert len(NOTEBOOKS) >= 20
    assert "Test_02_weighted_majority" in globals() and "Test_hw1_experts" in globals()


# What the comparison finds -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def picture():
    """A figure of the course as pixels."""
    return Image.open(io.BytesIO(figures.wm_run().png())).convert("RGBA")


def base64(image):
    file = io.BytesIO()
    image.save(file, "png")
    return b64encode(file.getvalue()).decode()


def altered(image, change):
    image = image.copy()
    change(image)
    return base64(image)


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


def stored_with(*pictures):
    cells = [
        v4.new_code_cell(
            "draw()", id=f"c{i}", outputs=[v4.new_output("display_data", {"image/png": each})]
        )
        for i, each in enumerate(pictures)
    ]
    return nbformat.writes(v4.new_notebook(cells=cells))


def test_a_picture_that_another_processor_rounds_otherwise_is_kept(picture):
    stored = stored_with(base64(picture), "iVBORw0KGgo=")
    now = stored_with(altered(picture, rounded), "iVBORw0KGgo=")
    assert now != stored and settled(now, stored) == stored
    assert apart(base64(picture), altered(picture, rounded)) == TOLERANCE


@pytest.mark.parametrize(
    "change", [moved, relabelled, recoloured], ids=lambda change: change.__name__
)
def test_a_picture_that_looks_otherwise_is_a_change(picture, change):
    stored, now = stored_with(base64(picture)), stored_with(altered(picture, change))
    assert settled(now, stored) == now
    assert re.fullmatch(
        r"cell 1: a picture differs by \d+ of 255 levels from the stored one", *changes(now, stored)
    )


def test_a_picture_of_another_size_is_a_change(picture):
    assert (
        apart(base64(picture), base64(picture.resize((picture.width, picture.height + 1)))) == 256
    )


def test_a_picture_is_found_again_where_cells_were_inserted(picture):
    first, second = base64(picture), base64(picture.transpose(Image.Transpose.ROTATE_180))
    stored = stored_with(first, second)
    now = stored_with(second, altered(picture, moved), altered(picture, rounded))
    assert PICTURE.findall(settled(now, stored)) == [second, altered(picture, moved), first]


@pytest.mark.parametrize(
    ("plant", "where"),
    [
        (lambda nb: nb.cells[1].outputs[0].update(text="4\n"), "cell 2"),
        (lambda nb: nb.cells[1].outputs.clear(), "cell 2"),
        (lambda nb: nb.cells[0].update(source="print(4)"), "cell 1"),
        (lambda nb: nb.metadata.widgets["state"].update(value=8), "cell 2"),
    ],
    ids=["printed", "stripped", "source", "slider"],
)
def test_a_changed_line_is_named(plant, where):
    printed = v4.new_output("stream", text="3\n")
    cells = [
        v4.new_code_cell("x = 3", id="a"),
        v4.new_code_cell("print(x)", id="b", outputs=[printed]),
    ]
    nb = v4.new_notebook(cells=cells, metadata={"widgets": {"state": {"value": 7}}})
    stored = nbformat.writes(nb)
    plant(nb)
    assert changes(nbformat.writes(nb), stored)[0].startswith(where)


def test_other_versions_must_show_the_same_text():
    nb = nbformat.read(NOTEBOOKS[2], 4)
    stored = shown(nbformat.writes(nb))
    nb.metadata.widgets = {}
    next(
        output
        for cell in nb.cells
        for output in cell.get("outputs", ())
        if "image/png" in output.get("data", {})
    ).data["image/png"] = "iVBORw0KGgo="
    assert shown(nbformat.writes(nb)) == stored
    next(
        output for cell in nb.cells for output in cell.get("outputs", ()) if "text" in output
    ).text += "1"
    assert shown(nbformat.writes(nb)) != stored


def test_a_forked_kernel_is_as_good_as_a_fresh_one(tmp_path):
    cells = [
        "import os, sys\nprint(os.getcwd(), sys.path, hash('a'), len(sys.argv), sorted(globals()))",
        "assert 'olc_helpers' not in sys.modules and not hasattr(os, 'seen')\nos.seen = 1",
        "import matplotlib\nprint(matplotlib.get_backend(), matplotlib.rcParams['figure.dpi'])",
        "os.environ['MPLBACKEND'], os.environ['PYTHONHASHSEED'], os.environ['TZ']",
    ]
    path = tmp_path / "kernel.ipynb"
    nbformat.write(
        v4.new_notebook(cells=[v4.new_code_cell(c, id=f"c{i}") for i, c in enumerate(cells)]), path
    )
    fresh = asyncio.run(execute(path, {"OLC_TEST": "1"}))
    assert str(tmp_path) in fresh
    assert asyncio.run(execute(path)) == asyncio.run(execute(path)) == fresh


def test_a_kernel_that_dies_is_noticed(tmp_path):
    path = tmp_path / "dies.ipynb"
    nbformat.write(v4.new_notebook(cells=[v4.new_code_cell("import os\nos._exit(3)")]), path)
    with pytest.raises(DeadKernelError):
        asyncio.run(execute(path))


def test_a_kernel_that_has_ended_meanwhile_can_be_ended():
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    warm = Warm(parent=AsyncKernelManager(kernel_name="python3"))
    warm.process, warm.pid, warm.pgid = Forked(gone.pid), gone.pid, gone.pid
    for end in (warm.terminate, warm.kill):
        asyncio.run(end())
    assert asyncio.run(warm.poll()) == 0


def test_widgets_execute_to_the_same_bytes(tmp_path):
    source = (
        "print('a', end='')\nprint('b')\nwidgets.VBox([widgets.IntSlider(3),"
        " widgets.Image(value=b'picture', layout={'width': '9em'})])"
    )
    cells = [
        v4.new_code_cell("import ipywidgets as widgets", id="one"),
        v4.new_code_cell(source, id="two"),
    ]
    path = tmp_path / "widgets.ipynb"
    nbformat.write(v4.new_notebook(cells=cells), path)
    first = asyncio.run(execute(path))
    path.write_text(first, encoding="utf-8")
    assert asyncio.run(execute(path)) == first
    nb = nbformat.reads(first, 4)
    state = nb.metadata.widgets["application/vnd.jupyter.widget-state+json"].state
    box = nb.cells[1].outputs[1].data[WIDGET].model_id
    assert [output.output_type for output in nb.cells[1].outputs] == ["stream", "execute_result"]
    assert list(state) == [f"{i:032x}" for i in range(1, len(state) + 1)]
    assert [
        state[child.removeprefix("IPY_MODEL_")].model_name for child in state[box].state.children
    ] == ["IntSliderModel", "ImageModel"]
    assert "version" not in nb.metadata.language_info
