"""Answers for Halving (homework 1)."""

from array import array
from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np

from . import Number, Row, right, stops, subtle, wrong


@right
class HalvingMask:
    def __init__(self, n):
        self.w = np.ones(n, bool)

    def predict(self, x):
        return int(2 * x[self.w].sum() >= self.w.sum())

    def update(self, x, y):
        self.w = self.w & (x == y)


@right
class HalvingLoop:
    def __init__(self, how_many):
        self.w = [1] * how_many

    def predict(self, advice):
        ones = zeros = 0
        for trusted, said in zip(self.w, advice, strict=True):
            ones += trusted and said == 1
            zeros += trusted and said == 0
        return 1 if ones >= zeros else 0

    def update(self, advice, label):
        for i, said in enumerate(advice):
            if said != label:
                self.w[i] = 0


@right
class HalvingBytes(HalvingLoop):
    def __init__(self, n):
        self.w = bytearray([1] * n)


@right
class HalvingInPlace(HalvingMask):
    def predict(self, x):
        return self.w @ x >= self.w @ (1 - x)  # a truth value is 0 or 1

    def update(self, x, y):
        self.w &= x == y


@wrong("Wrong label alphabet: predict must return 0 or 1; on trial")
class HalvingSigns(HalvingMask):
    def predict(self, x):
        return 2 * super().predict(x) - 1


@wrong("Missing update: self.w is the same after every trial")
class HalvingLost(HalvingMask):
    def update(self, x, y):
        w = self.w & (x == y)  # noqa: F841


@wrong("Wrong tie: on trial 1 as many trusted experts say 1 as say 0")
class HalvingTie(HalvingMask):
    def predict(self, x):
        return int(2 * x[self.w].sum() > self.w.sum())


@wrong("Wrong order of predict and update: your predictions use the weights of the trial before")
class HalvingLate(HalvingMask):
    def __init__(self, n):
        super().__init__(n)
        self.old = self.w

    def predict(self, x):
        return int(2 * x[self.old].sum() >= self.old.sum())

    def update(self, x, y):
        self.old = self.w
        super().update(x, y)


@wrong("Wrong order: predict changes self.w on trial 2")
class HalvingLearnsInPredict(HalvingMask):
    last = None

    def predict(self, x):
        if self.last is not None:
            HalvingMask.update(self, *self.last)
        return super().predict(x)

    def update(self, x, y):
        self.last = x.copy(), y


@wrong("Changed input: on trial")
class HalvingWrites(HalvingMask):
    def update(self, x, y):
        x -= y
        self.w = self.w & (x == 0)


@wrong("Update too many: trial 2")
class HalvingForgives(HalvingMask):
    def update(self, x, y):
        self.w = x == y


@wrong("Wrong update: after trial 1")
class HalvingDeletesTheRight(HalvingMask):
    def update(self, x, y):
        self.w = self.w & (x != y)


@wrong("Missing update: trial")
class HalvingOnMistakes(HalvingMask):
    def update(self, x, y):
        if self.predict(x) != y:
            super().update(x, y)


@wrong("Wrong start")
class HalvingForgetsOne(HalvingMask):
    def __init__(self, n):
        self.w = np.arange(n) > 0


@wrong("Wrong prediction: on trial")
class HalvingCountsAll(HalvingMask):
    def predict(self, x):
        return int(2 * x.sum() >= len(x))


@right
class HalvingSet(HalvingLoop):
    """It remembers who left."""

    def __init__(self, n):
        self.n, self.gone = n, set()

    @property
    def w(self):
        return [i not in self.gone for i in range(self.n)]

    def update(self, advice, label):
        self.gone |= {i for i, said in enumerate(advice) if said != label}


@right
class HalvingDeque(HalvingLoop):
    def __init__(self, n):
        self.w = deque([1] * n)


@right
class HalvingArray(HalvingLoop):
    def __init__(self, n):
        self.w = array("b", [1] * n)


@right
class HalvingDecimal(HalvingLoop):
    def __init__(self, n):
        self.w = [Decimal(1)] * n


@right
class HalvingRow(HalvingLoop):
    def __init__(self, n):
        self.w = Row([Fraction(1)] * n)

    def update(self, advice, label):
        self.w = Row(w * (said == label) for w, said in zip(self.w, advice, strict=True))


@right
class HalvingObjects(HalvingMask):
    def __init__(self, n):
        self.w = np.ones(n, object)

    def predict(self, x):
        return 1 if sum(self.w * (2 * x - 1)) >= 0 else 0

    def update(self, x, y):
        self.w = self.w * (x == y)


@right
class HalvingRemembersTheAdvice(HalvingMask):
    def predict(self, x):
        self.advice = np.array(x)
        return super().predict(x)

    def update(self, x, y):
        super().update(self.advice, y)


@right
class HalvingRecursive(HalvingLoop):
    def predict(self, advice):
        def lead(i):
            return self.w[i] * (1 if advice[i] else -1) + lead(i + 1) if i < len(self.w) else 0

        return int(lead(0) >= 0)


@subtle("Two learners of your class get into each other's way")
class HalvingClassAttribute(HalvingLoop):
    w = []

    def __init__(self, n):
        self.w[:] = [1] * n


@subtle("Two learners of your class get into each other's way")
class HalvingDefaultValue(HalvingLoop):
    def __init__(self, n, w=[]):  # noqa: B006
        w[:] = [1] * n
        self.w = w


@subtle("Two learners of your class get into each other's way")
class HalvingGlobal(HalvingMask):
    def __init__(self, n):
        GLOBAL["w"] = np.ones(n, bool)

    @property
    def w(self):
        return GLOBAL["w"]

    def update(self, x, y):
        GLOBAL["w"] = GLOBAL["w"] & (x == y)


GLOBAL = {}


@subtle("Wrong prediction")
class HalvingSixteen(HalvingMask):
    """Its threshold is right for 16 experts."""

    def __init__(self, n):
        super().__init__(n)
        self.gone = 0

    def predict(self, x):
        return int(2 * x[self.w].sum() >= 16 - self.gone)

    def update(self, x, y):
        super().update(x, y)
        self.gone = np.sum(~self.w)


@subtle("Wrong prediction")
class HalvingFirstSixteen(HalvingMask):
    def predict(self, x):
        return int(2 * x[:16][self.w[:16]].sum() >= self.w[:16].sum())


@subtle("Wrong tie")
class HalvingTieOnTrialOne(HalvingMask):
    first = True

    def predict(self, x):
        return int(2 * x[self.w].sum() + self.first > self.w.sum())

    def update(self, x, y):
        super().update(x, y)
        self.first = False


@subtle("Missing update")
class HalvingTwelveTrials(HalvingMask):
    t = 0

    def update(self, x, y):
        self.t += 1
        if self.t <= 12:
            super().update(x, y)


@subtle("Wrong prediction")
class HalvingSmallIntegers(HalvingMask):
    def predict(self, x):
        ones, zeros = (side[self.w].sum(dtype=np.int8) for side in (x, 1 - x))
        return int(ones >= zeros)


@subtle("Missing update")
class HalvingKeepsTheLast(HalvingMask):
    def update(self, x, y):
        if (self.w & (x == y)).any():
            super().update(x, y)


@subtle("Wrong tie")
class HalvingNobody(HalvingMask):
    def predict(self, x):
        return int(self.w.any() and super().predict(x))


HalvingMask100 = stops(HalvingMask, 100)


@right
class HalvingIsAList(HalvingMask, list):
    def __init__(self, n):
        list.__init__(self, [n])
        super().__init__(n)


@right
class HalvingNumber(HalvingMask):
    def predict(self, x):
        return Number(super().predict(x))


@wrong("Wrong label alphabet: predict must return 0 or 1; on trial 1 it returned array([")
class HalvingInBrackets(HalvingMask):
    def predict(self, x):
        return np.array([super().predict(x)])


@wrong("self.w must hold n = 16 numbers; its shape is (1, 16)")
class HalvingRow1(HalvingMask):
    def __init__(self, n):
        self.w = np.ones((1, n), bool)
