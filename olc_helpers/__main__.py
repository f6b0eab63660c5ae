"""`python -m olc_helpers`: the command line of the course."""

import os
import sys

from .cli import main

if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # a terminal that can't show ≤ shows ?
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads the output, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
