"""Execute all lectures, homework and README examples as other processors would, and compare with
what is stored.

    python tools/portable.py                     every processor that this machine can play
    python tools/portable.py Prescott/v2 Haswell/v3×2   these alone

OpenBLAS picks its loops by OPENBLAS_CORETYPE, numpy by NPY_DISABLE_CPU_FEATURES: /v3 has no
AVX-512, /v2 no AVX2 either. ×2 is two threads. Near ties fall as the loops round, so a number that
rests on one differs. A cell of the table says: what nbval finds equal or not, and the largest
difference of a picture in levels of 255.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

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
        [sys.executable, "-c", PROBE], env=environment, capture_output=True, encoding="utf-8"
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


def played(environment: dict, jobs: int) -> dict[str, tuple[int, int, int]]:
    """Run nbval on the notebooks, and the examples of the README, with that environment.

    Returns {name: (cells, cells that differ, largest difference of a picture in levels)}.
    """
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "--nbval", "--color=no", "--tb=short"]
        command += ["-n", str(jobs), "--dist", "loadscope", f"--junitxml={report}"]
        run = subprocess.run(
            [*command, "notebooks", "tests/test_readme.py", "-k", "Cell or examples_print"],
            cwd=ROOT,
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
    for case in cases:
        name = case.get("classname").split(".")[-2 if case.get("name").startswith("Cell") else -1]
        levels = [int(each.get("value")) for each in case.iter("property")]
        bad = case.find("failure") is not None or case.find("error") is not None
        cells, different, far = found.get(name, (0, 0, 0))
        found[name] = cells + 1, different + bad, max([far, *levels])
    if run.returncode or not found:
        print(run.stdout[-6000:], flush=True)
    return found


def main(names: list[str], jobs: int) -> int:
    """The exit code: 1 if a text differs or a picture is further than the tolerance from the stored
    one.
    """
    known = processors()
    if unknown := sorted(set(names) - set(known)):
        sys.exit(f"This machine can't play {', '.join(unknown)}; it can play {', '.join(known)}.")
    table = {}
    for name in names or known:
        table[name] = played(known[name], jobs)
        print(f"{name}: {sum(cells for cells, _, _ in table[name].values())} cells", flush=True)
    rows = sorted({row for column in table.values() for row in column})
    width = max(len(name) for name in table) + 3
    print("\n" + " " * 30 + "".join(f"{name:>{width}}" for name in table))
    results = {
        (row, name): column.get(row, (0, 1, 0)) for row in rows for name, column in table.items()
    }
    for row in rows:
        shown = (
            f"{'DIFFERS' if results[row, name][1] else 'equal'} {results[row, name][2]}"
            for name in table
        )
        print(f"{row:30}" + "".join(f"{each:>{width}}" for each in shown))
    bad = sum(different > 0 for _, different, _ in results.values())
    print(f"{len(results) - bad} passed, {bad} failed")
    return 1 if bad or not results else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("processors", nargs="*", help="such as Prescott/v2 or Haswell×2")
    parser.add_argument("--jobs", type=int, default=2, help="notebooks executed at the same time")
    options = parser.parse_args()
    sys.exit(main(options.processors, options.jobs))
