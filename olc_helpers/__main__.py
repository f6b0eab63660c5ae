"""The command line of the course: `python -m olc_helpers` with `figures` or `theorems`.

Each command is a module with `add_to(commands)`, which names its options and returns its parser,
and `run(options)`, which raises a UserError for what can't be done as asked.
"""

import argparse
import io
import os
import sys
from errno import EINVAL, EPIPE

from .cli import UserError, drawing, proving
from .optional import MissingExtra


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m olc_helpers", description="Tools of the online learning course."
    )
    commands = parser.add_subparsers(required=True, metavar="command", dest="command")
    for module in (drawing, proving):
        command = module.add_to(commands)
        command.set_defaults(run=module.run, parser=command)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except (UserError, MissingExtra) as error:
        options.parser.error(str(error))


if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that can't show ≤ shows ?
    try:
        main()
        sys.stdout.flush()
    except OSError as error:  # whoever reads the output, such as head, has seen enough
        if error.errno not in (EPIPE, EINVAL):  # Windows says the latter
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
