"""What makes the grader fast changes no verdict: calls that are announced, and matplotlib that is
imported when it is first used.
"""

import json
import re

import numpy as np
import pytest
from olc_helpers import counterexamples, feedback
from olc_helpers.grading import TASKS, check, search

from grader.remote import Student
from grader.sandbox import Limits


@pytest.fixture(scope="module")
def student(needs_sandbox):
    student = Student(needs_sandbox, 0, {})
    student.set_time(Limits().cell)
    yield student
    student.stop()


# Announced calls ----------------------------------------------------------------------------------

RIGHT = """
import numpy as np
class Mine:
    t = 0
    def __init__(self, n):
        self.w = np.ones(n)
    def predict(self, x):
        return int(2 * self.w @ x >= self.w.sum())
    def update(self, x, y):
        self.w = self.w * (x == y)
        self.t += 1
"""
ODD = {  # what happens within a play: lines of another predict or update
    "right": "",
    "predict changes x": "predict: x[0] = 1 - x[0]",
    "predict turns x around": "predict: x[:] = 1 - x",
    "update changes x": "update: x[:] = 1",
    "predict fails": "predict: assert self.t < 3, 'on trial 4'",
    "update fails": "update: assert self.t < 3, 'on trial 3'",
    "update takes w away": "update: del self.w",
    "w gets another shape": "update: self.w = self.w[1:] if self.t == 3 else self.w",
    "predict learns": "predict: self.w = self.w * (x == 1)",
    "the answer is no number": "predict: return [self] if self.t == 2 else 1",
    "predict is replaced": "update: self.predict = lambda x: self.t % 2",
}


def written(odd):
    """Return a class that does something odd in one of its methods, as it always did otherwise."""
    method, _, line = odd.partition(": ")
    arguments = {"predict": "self, x", "update": "self, x, y"}.get(method)
    if not odd:
        return RIGHT
    return (
        f"{RIGHT}\nclass Mine(Mine):\n    def {method}({arguments}):\n        answer ="
        f" super().{method}({arguments[6:]})\n        {line}\n        return answer\n"
    )


def verdict(judge, cls, *arguments):
    """Return what is said of a class: the kind of the error, its words and its notes."""
    try:
        return str(judge(cls, *arguments))
    except Exception as error:
        words = re.sub(r"<(.*?)( object.*?| of the student)>", "<…>", str(error))
        return type(error).__name__, words, getattr(error, "__notes__", [])


@pytest.mark.parametrize("judge", [check, search])
@pytest.mark.parametrize("odd", ODD)
def test_class_in_the_sandbox_gets_the_verdict_that_it_gets_here(student, judge, odd, monkeypatch):
    monkeypatch.setattr(counterexamples, "SIZES", [(2, 2), (3, 6), (4, 8)])
    source, here = written(ODD[odd]), {"__name__": "__main__"}
    exec(source, here)
    assert student.run(source) == []
    there = student.names(["Mine"])["Mine"]
    assert verdict(judge, there, "halving") == verdict(judge, here["Mine"], "halving")


def test_play_is_two_messages(student, monkeypatch):
    """One makes the learner, one plays: the weights and the answers come with it."""
    student.run(RIGHT)
    cls, sent = student.names(["Mine"])["Mine"], []
    honest = student.channel.send
    monkeypatch.setattr(student.channel, "send", lambda *a: (sent.append(a), honest(*a)))
    X, y, _ = TASKS["halving"].stream(0)
    for _ in range(2):  # in the first, the sandbox learns that the tests read w
        sent.clear()
        feedback.compare(cls, TASKS["halving"], {}, X, y)
    assert [next(iter(message)) for message, *_ in sent] == ["call", "calls"]


@pytest.mark.parametrize(
    "other",
    [
        lambda a, b, x: a.update(x, 1),
        lambda a, b, x: a.predict(x.copy()),
        lambda a, b, x: b.predict(x),
        lambda a, b, x: a.t,
    ],
)
def test_calls_that_were_announced_have_to_be_made(student, other):
    """The learner is ahead of the tests: they must not see it in a state that comes later."""
    student.run(RIGHT)
    mine, another = (student.names(["Mine"])["Mine"](2) for _ in range(2))
    x = np.array([0, 1])
    with (
        pytest.raises(RuntimeError, match="announced"),
        student.announced(mine, [("predict", x), ("predict", x)], "w"),
    ):
        assert mine.predict(x) == 1 and list(mine.w) == [1, 1]
        other(mine, another, x)
    assert mine.predict(x) == 1, "after that, everything is as before"


def test_forged_answers_to_announced_calls_cost_nobody_but_the_student(student, monkeypatch):
    student.run(RIGHT)
    mine = student.names(["Mine"])["Mine"](2)
    monkeypatch.setattr(student, "ask", lambda *_: {"replies": [1]})
    monkeypatch.setattr(student, "stop", lambda: None)
    with pytest.raises(Exception, match="an answer that is none"):
        student.announced(mine, [("predict", 1)], "w").__enter__()
    assert student.lost.pop("crashed")


# Matplotlib ---------------------------------------------------------------------------------------

STATE = "import sys; print(*(type(sys.modules[m]).__name__ for m in ('matplotlib', PYPLOT)))"
USES = {  # a cell, and whether it needs the package and pyplot
    "import matplotlib.pyplot as plt": (False, False),
    "import matplotlib": (False, False),
    "from matplotlib import pyplot": (True, False),
    "import matplotlib.colors": (True, False),
    "from matplotlib.pyplot import *; plot": (True, True),
    "import matplotlib; assert matplotlib.__version__": (True, False),
    "import matplotlib; matplotlib.use('agg')": (True, True),
    "import matplotlib.pyplot as p; p.show = 3; assert p.plot and p.show == 3": (True, True),
    "import matplotlib.pyplot as p; assert len(dir(p)) > 200": (True, True),
    "import matplotlib.pyplot as p; assert p is sys.modules[PYPLOT] and p.gcf": (True, True),
}


COPY = """
import json, os
def in_a_copy(source):  # of this process, in which nothing is imported by then
    reads, writes = os.pipe()
    if os.fork() == 0:
        os.write(writes, json.dumps(get_ipython().run(source), default=str).encode())
        os._exit(0)
    os.close(writes)
    with open(reads) as answer:
        return answer.read()
"""


@pytest.fixture(scope="module")
def in_a_copy(needs_sandbox):
    """Run a cell in a copy of a fresh process, and return its outputs."""
    student = Student(needs_sandbox, 0, {})
    student.set_time(Limits().cell)
    assert student.run(COPY) == []
    yield lambda source: json.loads(student.run(f"print(in_a_copy({source!r}))")[0]["text"])
    student.stop()


@pytest.mark.parametrize("source", USES)
def test_matplotlib_is_there_when_it_is_used(in_a_copy, source):
    (output,) = in_a_copy(f"import sys; PYPLOT = 'matplotlib.pyplot'\n{source}\n{STATE}")
    kinds = ["module" if used else "Later" for used in USES[source]]
    assert output.get("text", output) == " ".join(kinds) + "\n"


def test_picture_is_shown_below_its_cell_and_an_error_says_what_it_always_said(student):
    assert student.run("import matplotlib.pyplot as plt") == []
    (error,) = student.run("plt.plott([1, 2])")
    assert error["ename"] == "AttributeError" and "plott" in error["evalue"]
    shown = student.run("plt.plot([1, 2]);")
    assert ["image/png" in output.get("data", {}) for output in shown] == [True]
    assert student.run("import matplotlib.nothing")[0]["ename"] == "ModuleNotFoundError"
