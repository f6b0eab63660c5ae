"""A process that draws for `replay`: it has imported the libraries, and forks for each task.

python web/worker.py    reads tasks, a line of JSON each: what to draw, the folder for it, arguments
"""

import json
import os
import sys
from pathlib import Path
from traceback import print_exc

import filming
import pictures

TASKS = {
    "run": filming.run,
    "film": filming.film,
    "figure": pictures.figure,
    "ledger": pictures.ledger,
}


def main() -> None:
    """Do the tasks that come on standard input, and answer each with 0 if it went well."""
    pictures.load()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever else is printed is no answer
    for line in sys.stdin:
        name, folder, *arguments = json.loads(line)
        child = os.fork()
        if not child:
            try:
                TASKS[name](Path(folder), *arguments)
                os._exit(0)
            except BaseException:
                print_exc()
                os._exit(1)
        print(os.waitpid(child, 0)[1], file=answers, flush=True)


if __name__ == "__main__":
    main()
