"""What nbval does not see in a notebook, checked on the outputs of the execution that it made.

`pytest --nbval notebooks` compares the text of each cell with what is stored. Beside it stand
here: cells that were never executed or that a marker keeps from being compared, pictures (their
pixels within a tolerance), alt texts, the kind and order of outputs, and the state of sliders and
questions. With other versions of the packages than the pins, pictures and sliders may differ.
"""

import json
import os
import re
from base64 import b64encode

import pytest
from execute import ENVIRONMENT, PICTURE, TOLERANCE, WIDGETS, apart
from pins import other_versions

VIEW = "application/vnd.jupyter.widget-view+json"  # with the random id of a model
for name, value in ENVIRONMENT.items():
    os.environ.setdefault(name, value)  # the kernels inherit it


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Look at a cell once nbval has let it pass."""
    if not hasattr(item, "test_outputs"):
        return (yield)
    models = watched(item.parent)
    first = len(models)
    result = yield
    for problem in unseen(item, list(models)[first:]):
        item.raise_cell_error(problem)
    return result


def watched(notebook) -> dict[str, dict]:
    """The widgets of which the kernel has told by now, {id: state}; nbval passes them over."""
    if not hasattr(notebook, "models"):
        notebook.models, receive = {}, notebook.get_kernel_message

        def get_kernel_message(*args, **kwargs):
            message = receive(*args, **kwargs)
            content = message["content"]
            if message["msg_type"].startswith("comm") and "state" in content["data"]:
                state = notebook.models.setdefault(content["comm_id"], {})
                state |= content["data"]["state"]
                for path, data in zip(
                    content["data"]["buffer_paths"], message["buffers"], strict=True
                ):
                    state[path[0]] = b64encode(data).decode()
            return message

        notebook.get_kernel_message = get_kernel_message
    return notebook.models


def unseen(item, new: list[str]):
    """Yield what is wrong with a cell that nbval lets pass; it made the `new` widgets."""
    cell, notebook = item.cell, item.parent
    if cell.execution_count != item.cell_num + 1:
        yield f"the stored execution count is {cell.execution_count}: run `make execute`"
    if item.options["check_exception"] or not item.options["check"]:
        yield "a marker keeps the cell from being compared"
    yield from differences(item, outputs(cell.outputs), outputs(item.test_outputs))
    last = cell is [each for each in notebook.nb.cells if each.cell_type == "code"][-1]
    if (new or last) and not other_versions():
        stored, made = states(stored_models(notebook.nb)), states(notebook.models)
        end = None if last else len(made)
        first = len(made) - len(new)
        yield from differences(item, stored[first:end], made[first:])


def differences(item, stored: list, now: list):
    """Yield how the stored outputs or widgets of a cell differ from those of now, in words."""
    stored, now = json.dumps(stored, sort_keys=True), json.dumps(now, sort_keys=True)
    if PICTURE.sub("", stored) != PICTURE.sub("", now):
        yield f"what it shows was stored as\n{stored}\nand is now\n{now}"
    pairs = zip(PICTURE.findall(stored), PICTURE.findall(now), strict=False)
    levels = max((apart(*pair) for pair in pairs), default=0)
    item.user_properties.append(("levels", levels))  # for the table of tools/portable.py
    if levels > TOLERANCE and not other_versions():
        yield f"a picture differs by {levels} of 255 levels from the stored one"


def outputs(cell_outputs: list) -> list[dict]:
    """The outputs of a cell without what differs each time: counts, and ids of widgets."""

    def plain(output):
        data = {kind: text for kind, text in output.get("data", {}).items() if kind != VIEW}
        return {**output, "data": data, "execution_count": None}

    return [plain(output) for output in cell_outputs]


def stored_models(nb) -> dict[str, dict]:
    """The widgets that are stored in a notebook, {id: state}."""
    stored = nb.metadata.get("widgets", {}).get(WIDGETS, {}).get("state", {})
    return {
        model: each.state | {buffer.path[0]: buffer.data for buffer in each.get("buffers", ())}
        for model, each in stored.items()
    }


def states(models: dict[str, dict]) -> list[dict]:
    """The states of widgets, which name each other by number instead of by their random ids."""
    number = {model: str(i) for i, model in enumerate(models)}
    text = json.dumps(list(models.values()))
    return json.loads(re.sub("|".join(number) or "$^", lambda found: number[found[0]], text))
