"""Modules that are imported when they are first used: every assignment begins with
`import matplotlib.pyplot as plt`, and most answers draw nothing.
"""

import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from threading import RLock
from types import ModuleType

LOCK = RLock()  # of several threads one imports, and the others wait


class Later(ModuleType):
    """A module whose code has not run yet; whoever asks for one of its names, or sets one, runs
    it, and it is a module like any other from then on.
    """

    def __getattr__(self, name):
        load(self)
        return ModuleType.__getattribute__(self, name)

    def __setattr__(self, name, value):
        load(self)
        ModuleType.__setattr__(self, name, value)

    def __dir__(self):
        load(self)
        return ModuleType.__dir__(self)


def put_off(package: str, module: str):
    """Let `import package.module` wait, and `import package`; any other module of the package
    needs it at once.
    """
    spec = PathFinder.find_spec(package)
    if spec is None:  # the import will say so
        return
    inner = PathFinder.find_spec(f"{package}.{module}", spec.submodule_search_locations)
    for each in (spec, inner):
        made = sys.modules[each.name] = module_from_spec(each)
        made.__class__ = Later
        vars(made)["_waits"] = True
    # without a path, whoever looks for another module in the package has to load it first
    del vars(sys.modules[package])["__path__"]
    vars(sys.modules[package])[module] = made


def load(module: Later):
    """Run the code of a module, unless it runs or has run already."""
    with LOCK:
        if not vars(module).pop("_waits", False):
            return
        if folders := module.__spec__.submodule_search_locations:
            vars(module)["__path__"] = folders
        try:
            module.__spec__.loader.exec_module(module)
            object.__setattr__(module, "__class__", ModuleType)
        except BaseException:  # such as the end of its time: the next one tries again
            vars(module)["_waits"] = True
            raise
