"""Answers for Weighted Majority (homework 1)."""

from array import array
from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np

from . import Row, right, stops, subtle, wrong


@right
class MajorityVectors:
    def __init__(self, n, beta):
        self.w, self.beta = np.ones(n), beta

    def predict(self, x):
        return int(self.w @ x >= self.w.sum() / 2)

    def update(self, x, y):
        self.w = self.w * np.where(x == y, 1, self.beta)


@right
class MajorityLoop:
    def __init__(self, count, factor):
        self.w, self.factor = [1.0] * count, factor

    def predict(self, x):
        sides = {0: 0.0, 1: 0.0}
        for weight, said in zip(self.w, x, strict=True):
            sides[int(said)] += weight
        return max((1, 0), key=sides.get)

    def update(self, x, y):
        self.w = [
            weight if said == y else weight * self.factor
            for weight, said in zip(self.w, x, strict=True)
        ]


@right
class MajorityCounts:
    def __init__(self, n, beta):
        self.errors, self.b = np.zeros(n), beta

    @property
    def w(self):
        return self.b**self.errors

    def predict(self, x):
        return np.int64(self.w[x == 1].sum() >= self.w[x == 0].sum())

    def update(self, x, y):
        self.errors += np.abs(x - y)


@wrong("Wrong label alphabet: predict must return 0 or 1; on trial")
class MajoritySigns(MajorityVectors):
    def predict(self, x):
        return 1 if super().predict(x) else -1


@wrong("Wrong tie: on trial 1 both sides have the same weight")
class MajorityTie(MajorityVectors):
    def predict(self, x):
        return int(self.w @ x > self.w.sum() / 2)


@wrong("Missing update: trial")
class MajorityOnMistakes(MajorityVectors):
    def update(self, x, y):
        if self.predict(x) != y:
            super().update(x, y)


@wrong("Missing update: self.w is the same after every trial")
class MajorityNever(MajorityVectors):
    def update(self, x, y):
        self.w * np.where(x == y, 1, self.beta)


@wrong("Wrong update: after trial 1")
class MajorityPunishesTheRight(MajorityVectors):
    def update(self, x, y):
        self.w = self.w * np.where(x == y, self.beta, 1)


@wrong("Wrong update: after trial 1")
class MajorityPunishesAll(MajorityVectors):
    def update(self, x, y):
        self.w = self.w * np.full(len(x), self.beta)


@wrong("Wrong update: after trial 1")
class MajorityOtherFactor(MajorityVectors):
    def update(self, x, y):
        self.w = self.w * np.where(x == y, 1, 1 - self.beta / 2)


@wrong("Wrong normalisation: after trial 1")
class MajorityNormalises(MajorityVectors):
    def update(self, x, y):
        super().update(x, y)
        self.w = len(x) * self.w / self.w.sum()


@wrong("Changed input: on trial")
class MajorityWrites(MajorityVectors):
    def predict(self, x):
        answer = super().predict(x)
        x[:] = 2 * x - 1
        return answer

    def update(self, x, y):
        super().update((x + 1) // 2, y)


@wrong("Wrong order: predict changes self.w on trial 1")
class MajorityPunishesInPredict(MajorityVectors):
    def predict(self, x):
        answer = super().predict(x)
        self.w = self.w * np.where(x == answer, 1, self.beta)
        return answer

    def update(self, x, y):
        pass


@wrong("Wrong prediction: on trial")
class MajorityLeader(MajorityVectors):
    def predict(self, x):
        return int(x[::-1][self.w[::-1].argmax()])


@right
class MajorityDeque(MajorityLoop):
    def __init__(self, n, beta):
        self.w, self.factor = deque([1.0] * n), beta

    def update(self, x, y):
        for said in x:
            weight = self.w.popleft()
            self.w.append(weight if said == y else weight * self.factor)


@right
class MajorityArray(MajorityLoop):
    def __init__(self, n, beta):
        self.w, self.factor = array("d", [1.0] * n), beta

    def update(self, x, y):
        for i, said in enumerate(x):
            self.w[i] *= 1 if said == y else self.factor


@right
class MajorityFractions(MajorityLoop):
    def __init__(self, n, beta):
        self.w, self.factor = [Fraction(1)] * n, Fraction(beta)

    def predict(self, x):
        ones = sum(w for w, said in zip(self.w, x, strict=True) if said)
        return int(2 * ones >= sum(self.w))


@right
class MajorityDecimal(MajorityFractions):
    def __init__(self, n, beta):
        self.w, self.factor = [Decimal(1)] * n, Decimal(beta)


@right
class MajorityRow(MajorityFractions):
    def __init__(self, n, beta):
        self.w, self.factor = Row([1.0] * n), beta

    def update(self, x, y):
        super().update(x, y)
        self.w = Row(self.w)


@right
class MajorityObjects(MajorityVectors):
    def __init__(self, n, beta):
        self.w, self.beta = np.ones(n, object), beta


@right
class MajorityRemembers(MajorityVectors):
    """It keeps the advice and changes what is wrong in place."""

    def predict(self, x):
        self.advice = np.array(x)
        return super().predict(x) == 1

    def update(self, x, y):
        self.w[self.advice != y] *= self.beta


@right
class MajorityRecursive(MajorityLoop):
    def predict(self, x):
        def lead(i):
            return self.w[i] * (2 * int(x[i]) - 1) + lead(i + 1) if i < len(self.w) else 0

        return int(lead(0) >= 0)


@subtle("Two learners of your class get into each other's way")
class MajorityClassAttribute(MajorityVectors):
    def __init__(self, n, beta):
        MajorityClassAttribute.w, self.beta = np.ones(n), beta

    def update(self, x, y):
        MajorityClassAttribute.w = self.w * np.where(x == y, 1, self.beta)


@subtle("Two learners of your class get into each other's way")
class MajorityDefaultValue(MajorityArray):
    def __init__(self, n, beta, w=array("d")):  # noqa: B008
        w[:] = array("d", [1.0] * n)
        self.w, self.factor = w, beta


@subtle("Two learners of your class get into each other's way")
class MajorityGlobal(MajorityVectors):
    def __init__(self, n, beta):
        GLOBAL.update(w=np.ones(n), beta=beta)

    w = property(lambda self: GLOBAL["w"])

    def update(self, x, y):
        GLOBAL["w"] = GLOBAL["w"] * np.where(x == y, 1, GLOBAL["beta"])


GLOBAL = {}


@subtle("Wrong normalisation")
class MajorityHalf(MajorityVectors):
    """The factor is that of the visible check."""

    def __init__(self, n, beta):
        super().__init__(n, 0.5)


@subtle("Wrong normalisation")
class MajorityComplement(MajorityVectors):
    """The same at one half only."""

    def __init__(self, n, beta):
        super().__init__(n, 1 - beta)


@subtle("Wrong prediction")
class MajoritySix(MajorityVectors):
    def predict(self, x):
        return int(self.w[:6] @ x[:6] >= self.w[:6].sum() / 2)


@subtle("Wrong tie")
class MajorityTieOnTrialOne(MajorityVectors):
    first = True

    def predict(self, x):
        ones = self.w @ x
        return int(ones > self.w.sum() / 2 or self.first and ones == self.w.sum() / 2)

    def update(self, x, y):
        super().update(x, y)
        self.first = False


@subtle("Missing update")
class MajorityFortyTrials(MajorityVectors):
    t = 0

    def update(self, x, y):
        self.t += 1
        if self.t <= 40:
            super().update(x, y)


@subtle("Wrong normalisation")
class MajorityFloat32(MajorityVectors):
    def __init__(self, n, beta):
        self.w, self.beta = np.ones(n, np.float32), np.float32(beta)


@wrong("Wrong update: after trial 1")
class MajorityWholeNumbers(MajorityVectors):
    def update(self, x, y):
        super().update(x, y)
        self.w = self.w.astype(int)


@right
class MajorityLogarithms(MajorityVectors):
    def __init__(self, n, beta):
        self.log_w, self.cost = np.zeros(n), np.log(beta)

    w = property(lambda self: np.exp(self.log_w))

    def update(self, x, y):
        self.log_w = self.log_w + self.cost * (x != y)


@subtle("Wrong update")
class MajorityFloors(MajorityVectors):
    def update(self, x, y):
        super().update(x, y)
        self.w = np.maximum(self.w, 1e-12)


@subtle("Missing update")
class MajorityAllWrong(MajorityVectors):
    """When all experts err, it changes nothing."""

    def update(self, x, y):
        if (x == y).any():
            super().update(x, y)


MajorityVectors100 = stops(MajorityVectors, 100)


@subtle("Wrong prediction")
class MajorityAlmostEqual(MajorityVectors):
    def predict(self, x):
        return int(self.w @ x >= 0.999 * (self.w @ (1 - x)))


@subtle("Wrong prediction")
class MajorityRoundsToThousandths(MajorityVectors):
    def predict(self, x):
        return int(round(self.w @ x, 3) >= round(self.w @ (1 - x), 3))


@right
class MajorityDict(MajorityVectors):
    def __init__(self, n, beta):
        self.of, self.beta = dict.fromkeys(range(n), 1.0), beta

    w = property(lambda self: np.array(list(self.of.values())))

    def update(self, x, y):
        for i in self.of:
            self.of[i] *= 1 if x[i] == y else self.beta
