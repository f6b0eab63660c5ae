"""Execute all lectures, homework and README examples as other processors would, and compare with
what is stored.

    python tools/portable.py                     every processor that this machine can play
    python tools/portable.py Prescott/v2 Haswell/v3×2   these alone

OpenBLAS picks its loops by OPENBLAS_CORETYPE, numpy by NPY_DISABLE_CPU_FEATURES: /v3 has no
AVX-512, /v2 no AVX2 either. ×2 is two threads. Near ties fall as the loops round, so a number that
rests on one differs. A cell of the table says: text equal or not, and the largest difference of a
picture in levels of 255.
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

from execute import PICTURE, TOLERANCE, apart, changes, execute

ROOT = Path(__file__).parents[1]
CORES = ("Prescott", "Nehalem", "Sandybridge", "Haswell", "Zen", "SkylakeX")
PROBE = """
import numpy as np
from threadpoolctl import threadpool_info
np.ones((9, 9)) @ np.ones((9, 9))
print(*{each["architecture"] for each in threadpool_info() if each["internal_api"] == "openblas"})
"""


def loops(core: str) -> str:
    """The name of the loops that OpenBLAS takes when it is told that the processor is a `core`, or
    nothing if this machine cannot run them.
    """
    environment = os.environ | {"OPENBLAS_CORETYPE": core}
    return subprocess.run(
        [sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True
    ).stdout.strip()


def processors() -> dict[str, dict]:
    """{name: environment} of the processors that this machine can play, one for each set of
    loops.
    """
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    fast = [name for name in __cpu_dispatch__ if __cpu_features__[name]]
    newer = [name for name in fast if name == "X86_V4" or "512" in name]
    levels = ({"": []} if newer else {}) | {"/v3": newer, "/v2": fast}
    known, found = {}, {}
    for core in CORES:
        if not (taken := loops(core)):
            print(f"This machine lacks instructions of a {core}.")
            continue
        if taken in known:
            print(f"{core} takes the loops of {known[taken]} here.")
            continue
        known[taken] = core
        for (level, disabled), (mark, threads) in product(
            levels.items(), {"": "1", "×2": "2"}.items()
        ):
            found[core + level + mark] = {
                "OPENBLAS_CORETYPE": core,
                "NPY_DISABLE_CPU_FEATURES": " ".join(disabled),
                "OPENBLAS_NUM_THREADS": threads,
            }
    return found


async def lecture(path: Path, environment: dict) -> tuple[list[str], int]:
    """What differs in the text of an executed notebook, and how far its pictures are from the
    stored ones.
    """
    stored, now = path.read_text(encoding="utf-8"), await execute(path, environment)
    differences = changes(PICTURE.sub("", now), PICTURE.sub("", stored))
    pairs = zip(PICTURE.findall(stored), PICTURE.findall(now), strict=False)
    return differences, max((apart(old, new) for old, new in pairs), default=0)


async def readme(path: Path, environment: dict) -> tuple[list[str], int]:
    """What the examples of the README print otherwise."""
    examples = re.findall(
        r"(?s)```python\n(.*?)```\n\n```text\n(.*?)```", path.read_text(encoding="utf-8")
    )
    differences = []
    with tempfile.TemporaryDirectory() as scratch:  # an example may write files
        for code, printed in examples:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-X",
                "utf8",
                "-c",
                code,
                cwd=scratch,
                env=os.environ | environment,
                stdout=asyncio.subprocess.PIPE,
            )
            out = (await process.communicate())[0].decode()
            differences += [f"{printed} is now {out}"] * (out != printed)
    return differences, 0


async def main(names: list[str], jobs: int) -> int:
    """The exit code: 1 if a text differs or a picture is further than the tolerance from the stored
    one.
    """
    known = processors()
    if unknown := sorted(set(names) - set(known)):
        sys.exit(f"This machine can't play {', '.join(unknown)}; it can play {', '.join(known)}.")
    played = {name: known[name] for name in names or known}
    paths = [
        ROOT / "README.md",
        *sorted(ROOT.glob("notebooks/*.ipynb")),
        *sorted(ROOT.glob("notebooks/homework/*/*.ipynb")),
    ]
    places, table, bad = asyncio.Semaphore(jobs), {}, []

    async def one(path, name, environment):
        async with places:
            try:
                differences, far = await (readme if path.suffix == ".md" else lecture)(
                    path, environment
                )
            except Exception as error:
                differences, far = [f"{type(error).__name__}: {str(error)[-600:]}"], 0
        good = not differences and far <= TOLERANCE
        table[path, name] = f"{'equal' if not differences else 'TEXT'} {far}"
        if not good:
            bad.append((path, name))
            print(
                f"\n{path.stem} as {name}:",
                *differences[:5],
                f"pictures are {far} levels apart",
                sep="\n  ",
                flush=True,
            )
        else:
            print(".", end="", flush=True)

    await asyncio.gather(*(one(path, name, env) for path in paths for name, env in played.items()))
    width = max(len(name) for name in played) + 3
    print("\n\n" + " " * 30 + "".join(f"{name:>{width}}" for name in played))
    for path in paths:
        print(f"{path.stem:30}" + "".join(f"{table[path, name]:>{width}}" for name in played))
    print(f"{len(table) - len(bad)} passed, {len(bad)} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("processors", nargs="*", help="such as Prescott/v2 or Haswell×2")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks executed at the same time")
    options = parser.parse_args()
    sys.exit(asyncio.run(main(options.processors, options.jobs)))
