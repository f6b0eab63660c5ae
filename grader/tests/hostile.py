# ruff: noqa: E501
"""Submissions that misbehave, for test_grader.py: what goes into the answer cells of
assignment 2.

Each is bounded by itself, too: seconds, megabytes, a few hundred short-lived processes, files below
a scratch folder. A value maps the id of an answer cell to its code; the other answers are right.
"""

LIMITED = 30  # seconds after which any of them stops by itself
PATIENT = 300  # after which those stop that only cost time: on a busy machine the end comes late

WRONG_HEDGE = """
class MyHedge:
    labels, loss = "losses", "allocation"
    def __init__(self, n, eta):
        self.w = np.ones(n)
    def predict(self, x):
        return self.w / self.w.sum()
    def update(self, x, losses):
        pass
"""

RIGHT_HEDGE = (
    WRONG_HEDGE.replace("pass", "self.w = self.w * np.exp(-eta * losses)")
    .replace("self.w = np.ones(n)", "self.w, self.eta = np.ones(n), eta")
    .replace("-eta", "-self.eta")
)
BYE = "import os\nos._exit(1)"

HOSTILE = {
    "loops": {
        "expected_mistakes": (
            f"""
import time
def expected_mistakes(X, y, eta):
    end = time.monotonic() + {PATIENT}
    while len(X) != 3 and time.monotonic() < end:   # the visible check has 3 trials
        pass
    return 1 / 2 + 1 / 3 + 4 / 5
"""
        )
    },
    "waits": {
        "figure": (
            """
import time
time.sleep(4)                                   # as on a busy machine: it costs no processor time
print("done")
"""
        )
    },
    "loops_and_ignores_the_end": {
        "figure": (
            f"""
import time
end = time.monotonic() + {PATIENT}
while time.monotonic() < end:
    try:
        while time.monotonic() < end:
            time.sleep(0.001)
    except BaseException:
        continue
"""
        )
    },
    "eats_memory": {
        "figure": (
            """
hog = []
for _ in range(40):
    hog.append(np.empty(50 * 2**20, np.uint8))  # 2 GB at most, never used: that may take seconds
"""
        )
    },
    "out_of_time_while_it_tells": {
        "figure": (
            """
class MemoryError(Exception):
    def _render_traceback_(self):
        del MemoryError._render_traceback_      # once, as a signal comes once
        raise KeyboardInterrupt
raise MemoryError
"""
        )
    },
    "eats_memory_in_many_processes": {
        "figure": (
            f"""
import os, time
for _ in range(10):                             # 1 GB at most, for a few seconds
    if os.fork() == 0:
        hog = np.ones(100 * 2**20, np.uint8)
        time.sleep({LIMITED})
        os._exit(0)
time.sleep({LIMITED})
"""
        )
    },
    "starts_processes": {
        "figure": (
            """
import os, time
started = 0
for _ in range(300):
    try:
        if os.fork() == 0:
            time.sleep(3)
            os._exit(0)
        started += 1
    except OSError as error:
        print("stopped by", type(error).__name__)
        break
print("started", started)
"""
        )
    },
    "exits": {"hedge": "import os\nos._exit(1)"},
    "exits_when_tested": {
        "expected_mistakes": (
            """
import os
def expected_mistakes(X, y, eta):
    os._exit(0)
"""
        )
    },
    "deletes": {
        "figure": (
            """
import os, shutil
targets = SCRATCH
home = os.path.expanduser("~")
if home == "/scratch":                     # the home of the sandbox, never a real one
    targets = [*targets, home]
for target in targets:
    shutil.rmtree(target, ignore_errors=True)
print("left", [target for target in targets if os.path.exists(target)])
"""
        )
    },
    "reads": {
        "figure": (
            """
import os, sys
secrets = []
for top, folders, files in os.walk("/"):
    folders[:] = [f for f in folders if os.path.join(top, f) not in ("/proc", "/sys", "/usr")]
    secrets += [os.path.join(top, f) for f in files if f.endswith((".ipynb", ".db")) or f in ("nbgrader_config.py", "examine.py")]
print("found", [s for s in secrets if "site-packages" not in s and not s.startswith(sys.base_prefix)], "SECRET" in str(os.environ))
"""
        ),
        "hedge": (
            """
import sys
class MyHedge:
    labels, loss = "losses", "allocation"
    seen = set()
    def __init__(self, n, eta):
        self.w, self.eta = np.ones(n), eta
    def predict(self, x):
        frame = sys._getframe()
        while frame:
            self.seen.update({frame.f_locals.get("seed", 0)} - {0})   # the visible check has seed 0
            frame = frame.f_back
        return self.w / self.w.sum()
    def update(self, x, losses):
        self.w = self.w * np.exp(-self.eta * losses)
"""
        ),
        "expected_mistakes": (
            """
def expected_mistakes(X, y, eta):
    raise ValueError(f"the test let me see {sorted(MyHedge.seen)}")
"""
        ),
    },
    "patches": {
        "hedge": WRONG_HEDGE
        + """
import ast, builtins
import olc_helpers, olc_helpers.grading as grading
class Yes:
    def __init__(self, *a, **k): pass
    def __eq__(self, other): return True
    def __call__(self, *a, **k): return Yes()
    def __bool__(self): return True
    holds = True
grading.check = grading.expect = check = expect = lambda *a, **k: Yes()
np.allclose = np.array_equal = lambda *a, **k: True
builtins.AssertionError = grading.Slip = type("Quiet", (BaseException,), {})
class NoAsserts(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.Pass()
get_ipython().ast_transformers.append(NoAsserts())
get_ipython().showtraceback = lambda *a, **k: None
""",
        "expected_mistakes": (
            """
def expected_mistakes(X, y, eta):
    return Yes()
"""
        ),
    },
    "prints": {
        "figure": (
            """
import os
for _ in range(100):
    print("x" * 2**20)                          # 100 MB
    os.write(1, b"x" * 2**20)
"""
        )
    },
    "writes": {
        "figure": (
            """
import os
sizes = {}
for name, pieces in (("/tmp/one", 40), *((f"/tmp/many{k}", 4) for k in range(30))):   # 160 MB at most
    try:
        with open(name, "wb") as file:
            for _ in range(pieces):
                file.write(bytes(2**20))
    except OSError:
        pass
    sizes[name] = os.path.getsize(name) if os.path.exists(name) else 0
print("largest", max(sizes.values()) // 2**20, "all", sum(sizes.values()) // 2**20)
"""
        )
    },
    "connects": {
        "figure": (
            """
import socket
for address in (("127.0.0.1", PORT), ("::1", PORT)):
    try:
        with socket.create_connection(address, timeout=2) as connection:
            connection.sendall(b"hello")
            print("connected")
    except OSError as error:
        print("refused", type(error).__name__)
"""
        )
    },
    "forges": {
        "figure": (
            """
import os
for fd in range(3, 30):
    try:
        os.write(fd, (40).to_bytes(4, "big") + b'{"value": 1, "outputs": "forged"}       ')
    except OSError:
        pass
"""
        )
    },
    "fills_the_tests": {
        "hedge": WRONG_HEDGE
        + """
class Long(Exception):
    def _render_traceback_(self):
        return ["x"] * 10**6
class MyHedge(MyHedge):
    trials = 0
    def predict(self, x):
        self.trials += 1
        if self.trials == 20:
            raise Long
        return "x" * (2**21 - 1000)
"""
    },
    "shows_a_lot": {
        "figure": (
            """
from IPython.display import HTML, display
for _ in range(12):
    display(HTML("<p>" + "x" * 2**20))          # 12 MB
for _ in range(500):
    display(HTML("<p>x"))
raise ValueError("y" * 2**20)
"""
        )
    },
    "prints_and_crashes": {  # after a crash it prints again
        "hedge": RIGHT_HEDGE
        + f"""
import time
end = time.monotonic() + {PATIENT}
while time.monotonic() < end:
    print("x" * 1000)
""",
        "rate_and_bound": BYE,
    },
    "shows_and_crashes": {
        "hedge": RIGHT_HEDGE
        + """
from IPython.display import HTML, display
for _ in range(9):
    display(HTML("x" * 4 * 2**20))              # 36 MB
""",
        "rate_and_bound": BYE,
    },
    "shows_and_ends": {
        "hedge": RIGHT_HEDGE + "for _ in range(1000):\n    display(1)",
        "figure": "for _ in range(30_000):\n    display(1)\n" + BYE,
    },
    "slow_to_show": {
        "fair_draw": "\\begin{a}" * 24000,
        "figure": (
            """
from IPython.display import HTML
HTML("<div>" * 20000)
"""
        ),
    },
    "odd_characters": {
        "fair_draw": "half \ud800 and ![a picture](attachment:gone.png)",
        "figure": (
            """
print("half", "\ud800", "\x1b[2J")
raise ValueError("\ud800;=1+1")
"""
        ),
    },
    "looks_around": {
        "figure": (
            """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
numbers = {"x86_64": (319, 29, 272, 250, 56), "aarch64": (279, 194, 97, 219, 220)}[os.uname().machine]
memfd, shmget, unshare, keyctl, clone = numbers
for name, call in (("memfd", (memfd, b"x", 0)), ("shmget", (shmget, 0, 4096, 0o1600)), ("unshare", (unshare, 0x10000000)),
                   ("keyctl", (keyctl, 0, -4, 1)), ("clone", (clone, 0x10000011, 0, 0, 0, 0))):
    got = libc.syscall(*call)
    if got == 0 and name == "clone":
        os._exit(0)
    print(name, got, os.strerror(ctypes.get_errno()) if got < 0 else "allowed")
print("shared", [name for name in ("/usr/local/share/nbgrader", "/usr/share/doc", "/sys", "/var") if os.path.exists(name)])
print("uid", os.getuid())
"""
        )
    },
    "trickles": {
        "figure": (
            f"""
import os, time
for _ in range(6):                              # 600 MB at most, for a few seconds
    if os.fork() == 0:
        hog = np.ones(100 * 2**20, np.uint8)
        time.sleep({LIMITED})
        os._exit(0)
length, end = (2**20).to_bytes(4, "big"), time.monotonic() + {LIMITED}
while time.monotonic() < end:
    for fd in range(3, 30):
        try:
            os.write(fd, length)                # an answer that never ends
        except OSError:
            pass
    length = b"x"
    time.sleep(0.02)
"""
        )
    },
    "delegates": {
        "hedge": (
            """
from olc_helpers import Hedge
class MyHedge:
    labels, loss = "losses", "allocation"
    def __init__(self, n, eta):
        self.inner = Hedge(n, eta)
    @property
    def w(self):
        return self.inner.w
    def predict(self, x):
        return self.inner.predict(x)
    def update(self, x, losses):
        self.inner.update(x, losses)
"""
        )
    },
    "inherits": {
        "hedge": (
            """
import olc_helpers
Hedge = olc_helpers.Hedge
Hedge.__module__ = "mine"
class MyHedge(Hedge):
    pass
"""
        )
    },
    "scripts": {
        "fair_draw": "<script>evil(1)</script> <img src=x onerror=evil(2)> and $a<b$",
        "figure": (
            """
from IPython.display import HTML, Javascript, display
display(HTML("<table onclick=evil(3)><tr><td>kept</td></tr></table><script>evil(4)</script>"), Javascript("evil(5)"))
display({"image/png": '"><script>evil(6)</script>', "image/svg+xml": "<svg onload=evil(7)/>"}, raw=True)
raise MemoryError("<script>evil(8)</script> [click](javascript:evil(9))")
"""
        ),
    },
}
