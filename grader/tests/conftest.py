"""What the tests of the grader share: the same examples every time, no settings of a teacher."""

import gc
import os

from coursework import needs_sandbox, template, tried_sandbox  # noqa: F401  (fixtures)
from hypothesis import settings

for setting in ("GRADEBOOK", "EXCHANGE"):
    os.environ.pop(setting, None)  # a teacher who runs the tests has a gradebook, too

settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.register_profile("fuzz", max_examples=1000, deadline=None)
settings.load_profile("same")

# What takes longest comes first, so that no worker is left with it when the others have finished.
FIRST = [f"test_{name}.py" for name in ("scale", "class", "grader", "planted")]


def pytest_configure(config):
    """Let xdist keep this order, in which the files with most tests would come first."""
    config.option.loadscopereorder = False


def pytest_collection_modifyitems(items):
    rank = {name: number for number, name in enumerate(FIRST)}
    items.sort(key=lambda item: rank.get(item.path.name, len(FIRST)))


def pytest_collection_finish():
    """What is loaded by now stays: the garbage collector need not look at it again and again."""
    gc.freeze()
