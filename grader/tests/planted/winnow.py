"""Answers for Winnow (homework 4)."""

from array import array
from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np

from . import Row, right, stops, subtle, wrong


@right
class WinnowVectors:
    def __init__(self, n):
        self.n, self.w = n, np.ones(n)

    def predict(self, x):
        return int(self.w @ x >= self.n)

    def update(self, x, y):
        self.w = self.w * 2.0 ** ((y - self.predict(x)) * x)


@right
class WinnowRemembers(WinnowVectors):
    def predict(self, x):
        self.said = super().predict(x)
        return self.said

    def update(self, x, y):
        if self.said != y:
            self.w = np.where(x == 1, self.w * (2 if y else 0.5), self.w)


@right
class WinnowDecimal(WinnowVectors):
    def __init__(self, n):
        self.n, self.w = n, deque([Decimal(1)] * n)

    def predict(self, x):
        return int(sum(w for w, bit in zip(self.w, x, strict=True) if bit) >= self.n)

    def update(self, x, y):
        factor = Decimal(2) ** int(y - self.predict(x))
        self.w = deque(w * factor if bit else w for w, bit in zip(self.w, x, strict=True))


@right
class WinnowLoop:
    def __init__(self, n):
        self.w = [1.0] * n

    def predict(self, x):
        return int(sum(weight for weight, bit in zip(self.w, x, strict=True) if bit) >= len(self.w))

    def update(self, x, y):
        said = self.predict(x)
        if said == y:
            return
        for i in range(len(x)):
            if x[i]:
                self.w[i] = self.w[i] * 2 if y == 1 else self.w[i] / 2


@right
class WinnowInPlace(WinnowVectors):
    def predict(self, x):
        return np.sum(self.w[x == 1]) >= self.n

    def update(self, x, y):
        if self.predict(x) and not y:
            self.w[x == 1] /= 2
        elif y and not self.predict(x):
            self.w[x == 1] *= 2


@wrong("Wrong tie: on trial 1 w·x = n; the rule is to predict 1 if w·x >= n")
class WinnowStrict(WinnowVectors):
    def predict(self, x):
        return int(self.w @ x > self.n)


@wrong("Update too many: trial")
class WinnowAlways(WinnowVectors):
    def update(self, x, y):
        self.w = self.w * np.where(x == 1, 2.0 if y else 0.5, 1)


@wrong("Missing update: trial")
class WinnowNeverDemotes(WinnowVectors):
    def update(self, x, y):
        if y == 1:
            super().update(x, y)


@wrong("Wrong update: after trial")
class WinnowEliminates(WinnowVectors):
    def update(self, x, y):
        if y == 0 and self.predict(x) == 1:
            self.w = self.w * (1 - x)
        else:
            super().update(x, y)


@wrong("Wrong update: after trial")
class WinnowAllWeights(WinnowVectors):
    def update(self, x, y):
        self.w = self.w * 2.0 ** (y - self.predict(x))


@wrong("Missing update: self.w is the same")
class WinnowNever(WinnowVectors):
    def update(self, x, y):
        w = self.w
        w = w * 2.0 ** ((y - self.predict(x)) * x)


@wrong("Wrong label alphabet: predict must return 0 or 1; on trial")
class WinnowSigns(WinnowVectors):
    def predict(self, x):
        return 1 if self.w @ x >= self.n else -1

    def update(self, x, y):
        self.w = self.w * 2.0 ** ((y - (self.predict(x) > 0)) * x)


@wrong("Changed input: on trial")
class WinnowWrites(WinnowVectors):
    def update(self, x, y):
        x *= y - self.predict(x)
        self.w = self.w * 2.0**x


@wrong("Wrong prediction: on trial")
class WinnowHalf(WinnowVectors):
    def predict(self, x):
        return int(self.w @ x >= self.n / 2)

    def update(self, x, y):
        self.w = self.w * 2.0 ** ((y - int(self.w @ x >= self.n)) * x)


@right
class WinnowExponents(WinnowVectors):
    """It keeps how often each weight was doubled."""

    def __init__(self, n):
        self.n, self.power = n, np.zeros(n, int)

    @property
    def w(self):
        return 2.0**self.power

    def update(self, x, y):
        self.power += (y - self.predict(x)) * x


@right
class WinnowFractions(WinnowLoop):
    def __init__(self, n):
        self.w = [Fraction(1)] * n


@right
class WinnowArray(WinnowLoop):
    def __init__(self, n):
        self.w = array("d", [1.0] * n)


@right
class WinnowRow(WinnowLoop):
    def __init__(self, n):
        self.w = Row([1.0] * n)

    def update(self, x, y):
        factor = 2.0 ** int(y - self.predict(x))
        self.w = Row(w * factor if bit else w for w, bit in zip(self.w, x, strict=True))


@right
class WinnowObjects(WinnowVectors):
    def __init__(self, n):
        self.n, self.w = n, np.array([Decimal(1)] * n, object)

    def predict(self, x):
        return int(sum(self.w * x.astype(object)) >= self.n)

    def update(self, x, y):
        self.w = np.where(x == 1, self.w * Decimal(2) ** int(y - self.predict(x)), self.w)


@right
class WinnowRecursive(WinnowLoop):
    def predict(self, x):
        def total(i):
            return (self.w[i] if x[i] else 0) + total(i + 1) if i < len(self.w) else 0

        return int(total(0) >= len(self.w))


@subtle("Wrong tie")
class WinnowEight(WinnowVectors):
    """The threshold is that of the visible check."""

    def predict(self, x):
        return int(self.w @ x >= 8)


@wrong("Wrong prediction: on trial 31")
class WinnowTieOnTrialOne(WinnowVectors):
    first = True

    def predict(self, x):
        score = self.w @ x
        return int(score > self.n or self.first and score == self.n)

    def update(self, x, y):
        super().update(x, y)
        self.first = False


@subtle("Wrong update")
class WinnowCapped(WinnowVectors):
    """No weight above n: right for powers of two."""

    def update(self, x, y):
        super().update(x, y)
        self.w = np.minimum(self.w, self.n)


@subtle("Missing update")
class WinnowSixtyTrials(WinnowVectors):
    t = 0

    def update(self, x, y):
        self.t += 1
        if self.t <= 60:
            super().update(x, y)


@subtle("Wrong update")
class WinnowSmallIntegers(WinnowVectors):
    """Doubled weights are kept in a type that ends at 127."""

    def update(self, x, y):
        super().update(x, y)
        self.w = np.where(self.w > 1, self.w.astype(int).astype(np.int8), self.w)


@subtle("Two learners of your class get into each other's way")
class WinnowClassAttribute(WinnowLoop):
    w = []

    def __init__(self, n):
        self.w[:] = [1.0] * n


@subtle("Two learners of your class get into each other's way")
class WinnowDefaultValue(WinnowLoop):
    def __init__(self, n, w=[]):  # noqa: B006
        w[:] = [1.0] * n
        self.w = w


@subtle("Two learners of your class get into each other's way")
class WinnowGlobal(WinnowVectors):
    def __init__(self, n):
        GLOBAL["w"], self.n = np.ones(n), n

    w = property(lambda self: GLOBAL["w"])

    def update(self, x, y):
        GLOBAL["w"] = self.w * 2.0 ** ((y - self.predict(x)) * x)


GLOBAL = {}


@subtle("Wrong update: after trial")
class WinnowWholeNumbers(WinnowVectors):
    def update(self, x, y):
        super().update(x, y)
        self.w = self.w.astype(int)


@subtle("Wrong update")
class WinnowFloors(WinnowVectors):
    def update(self, x, y):
        super().update(x, y)
        self.w = np.maximum(self.w, 1e-4)


@subtle("Wrong update")
class WinnowDrops(WinnowVectors):
    def update(self, x, y):
        super().update(x, y)
        self.w = np.where(self.w < 1e-6, 0, self.w)


@subtle("Wrong")
class WinnowHalfBelow(WinnowVectors):
    def predict(self, x):
        return int(self.w @ x >= self.n - 0.5)


@subtle("Wrong")
class WinnowOneBelow(WinnowVectors):
    def predict(self, x):
        return int(self.w @ x > self.n - 1)


WinnowVectors100 = stops(WinnowVectors, 100)


@subtle("Wrong")
class WinnowThousandthBelow(WinnowVectors):
    def predict(self, x):
        return int(self.w @ x >= self.n - 0.001)


@subtle("Wrong")
class WinnowRoundedScore(WinnowVectors):
    def predict(self, x):
        return int(round(float(self.w @ x), 2) >= self.n)


@right
class WinnowCapsTwice(WinnowVectors):
    """No weight reaches 2n anyway."""

    def update(self, x, y):
        super().update(x, y)
        self.w = np.minimum(self.w, 2 * self.n)


@right
class WinnowOthers(WinnowVectors):
    def update(self, x, y):
        if self.predict(x) > y:
            self.w = self.w * 2.0 ** (1 - x) / 2
        elif self.predict(x) < y:
            self.w = self.w * (1 + x)
