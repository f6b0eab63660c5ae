"""The command line of the course: `python -m olc_helpers` with `figures`, `theorems` or `play`.

Each command is a module with `add_to(commands)`, which names its options and returns its parser,
and `run(options)`, which raises a ValueError for what can't be done as asked.
"""

import argparse

from ..optional import MissingExtra
from . import drawing, playing, proving
from .words import UserError


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m olc_helpers", description="Tools of the online learning course."
    )
    commands = parser.add_subparsers(required=True, metavar="command", dest="command")
    for module in (drawing, proving, playing):
        command = module.add_to(commands)
        command.set_defaults(run=module.run, parser=command)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except (UserError, MissingExtra) as error:
        options.parser.error(str(error))
