"""An interrupted play leaves a learner that the plain loop passes through and that can go on."""

import gc
import signal
import sys
from copy import deepcopy
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import olc_helpers
from olc_helpers import (
    AnovaKernel,
    FixedShare,
    Hedge,
    KernelPerceptron,
    Memory,
    RandomizedWeightedMajority,
    StructuredPerceptron,
    VariableShare,
    WeightedAverage,
    compiled,
    fast,
    learners,
    play,
    protocol,
    shortcuts,
)
from olc_helpers.dnf import fast as dnf_fast
from olc_helpers.structures import Listed

PACKAGE = str(Path(olc_helpers.__file__).parent)
# Two labels, with one weight for each of them and each column.
TASK = Listed(6, lambda x, y: np.kron(np.eye(2)[y], x), lambda x: (0, 1))
LEARNERS = {  # those that need more than n, or are tested with more; the others get n = 3
    "WeightedAverage, Vovk": lambda: WeightedAverage(3, prediction="vovk"),
    "RandomizedWeightedMajority": lambda: RandomizedWeightedMajority(3, rng=1),
    "Hedge": lambda: Hedge(3, eta=1),
    "Hedge, drawing": lambda: Hedge(3, eta=1, rng=1),
    "FixedShare": lambda: FixedShare(3, alpha=0.1),
    "VariableShare": lambda: VariableShare(3, alpha=0.1),
    "StructuredPerceptron": lambda: StructuredPerceptron(TASK),
    "KernelPerceptron": lambda: KernelPerceptron(AnovaKernel()),
    "Memory": Memory,
}
for name in learners.__all__:
    LEARNERS.setdefault(name, partial(getattr(learners, name), 3))
LEFT = 64  # trials that Perceptron and Winnow play before their first chunk


def stream(learner, T):
    """A stream of bits with noisy labels, as the learner wants it."""
    rng = np.random.default_rng(T)
    X, y = rng.integers(0, 2, (T, 3)), rng.integers(0, 2, T)
    if getattr(learner, "loss", "") == "allocation":
        return (X,)
    if isinstance(learner, StructuredPerceptron):
        return list(X), [int(label) for label in y]
    return X, 2 * y - 1 if learner.labels == "signs" else y


def state(learner):
    """All that a learner remembers, its generator as the state of that."""

    def of(value):
        draws = isinstance(value, np.random.Generator)
        return value.bit_generator.state if draws else deepcopy(value)

    return {name: of(value) for name, value in vars(learner).items() if name != "task"}


def same(one, two):
    """Whether two states are equal; numbers to 12 digits, as the shares work with other numbers."""

    def equal(a, b):
        if isinstance(b, np.ndarray | list):
            return len(a) == len(b) and (
                np.array_equal(a, b) or np.allclose(a, b, rtol=1e-12, atol=0)
            )
        return type(a) is type(b) and a == b

    return one.keys() == two.keys() and all(equal(one[name], two[name]) for name in two)


def passed_through(learner, *data):
    """[(trials done, learner, its state)] after each prediction and after each update of the plain
    loop.
    """
    X, y = data if len(data) == 2 else ([None] * len(data[0]), data[0])
    states = [(0, deepcopy(learner), state(learner))]
    for t in range(len(y)):
        learner.predict(X[t])
        states.append((t, deepcopy(learner), state(learner)))
        learner.update(X[t], y[t])
        states.append((t + 1, deepcopy(learner), state(learner)))
    return states


class Interrupt:
    """Raise KeyboardInterrupt at the k-th line of the package that a pass runs; count the lines."""

    def __init__(self, k):
        self.k, self.lines, self.playing = k, 0, False

    def __call__(self, frame, event, argument):
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        self.playing |= frame.f_code.co_name in ("_pass", "plain_pass")
        if event == "line" and self.playing:
            self.lines += 1
            if self.lines == self.k:
                raise KeyboardInterrupt
        return self


def interrupted(k, *game, **options):
    """Play up to the k-th line; return the number of lines that were run."""
    tracer, before = Interrupt(k), sys.gettrace()
    sys.settrace(tracer)
    try:
        play(*game, **options)
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    return tracer.lines


def goes_on(learner, states, data, **options):
    """Assert that the loop passes through this state, and that the learner goes on as it does."""
    now = state(learner)
    found = next(((t, deepcopy(loop)) for t, loop, then in states if same(now, then)), None)
    assert found, now
    t, loop = found
    rest = [a[t:] for a in data]
    if len(rest[-1]):
        a, b = play(learner, *rest, **options), play(loop, *rest, fast=False)
        assert len(a) == len(b) and np.allclose(a.losses, b.losses, rtol=1e-12, atol=1e-14)
        assert same(state(learner), state(loop))


def test_all_learners_are_here():
    assert {type(make()).__name__ for make in LEARNERS.values()} == set(learners.__all__)


def has_shortcut(name):
    return any(cls in shortcuts.HOMES for cls in type(LEARNERS[name]()).__mro__)


@pytest.mark.parametrize(
    ("name", "quick"),
    [
        *((name, False) for name in LEARNERS),
        *((name, True) for name in LEARNERS if has_shortcut(name)),
    ],
)
def test_interrupt_at_any_line(monkeypatch, name, quick):
    monkeypatch.setattr(protocol, "FEW", 0)
    monkeypatch.setattr(fast, "CHUNK", 1)
    monkeypatch.setattr(dnf_fast, "BLOCK", 5)
    monkeypatch.setattr(compiled.Kernel, "pays", lambda *_: False)  # its lines are not Python's
    make = LEARNERS[name]
    T = 9 if not quick else LEFT + 18 if name in ("Perceptron", "Winnow") else 18
    data = stream(make(), T)
    states, seen = passed_through(make(), *data), []
    lines = interrupted(None, make(), *data, fast=quick)
    for k in range(1, lines + 1, 1 + lines // 300):
        learner = make()
        assert interrupted(k, learner, *data, fast=quick) == k
        now = state(learner)
        if not any(same(now, known) for known in reversed(seen)):
            seen.append(now)
            goes_on(learner, states, data, fast=quick)
    assert len(seen) > 1


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no alarm that interrupts")
@pytest.mark.parametrize(
    "name", ["Perceptron", "Winnow", "VotedPerceptron", "KernelPerceptron", "Hedge, drawing"]
)
def test_interrupt_at_any_time(monkeypatch, name):
    """A real signal comes anywhere, not only where a line begins."""
    monkeypatch.setattr(protocol, "FEW", 0)
    monkeypatch.setattr(fast, "CHUNK", 1)
    make, rng, hits = LEARNERS[name], np.random.default_rng(0), 0
    data = stream(make(), 200)
    states = passed_through(make(), *data)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    gc.disable()  # whoever is told of collections would swallow an interrupt
    try:
        for delay in rng.uniform(5e-5, 4e-3, 12):
            learner = make()
            try:
                signal.setitimer(signal.ITIMER_REAL, delay)
                play(learner, *data, fast=bool(rng.integers(2)))
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                hits += 1
                goes_on(learner, states, data)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()
    assert hits
