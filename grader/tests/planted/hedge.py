"""Answers for Hedge (homework 2)."""

from array import array
from collections import deque
from decimal import Decimal
from math import exp

import numpy as np

from . import Number, Row, right, stops, subtle, wrong


@right
class HedgeWeights:
    def __init__(self, n, eta):
        self.w, self.eta = np.ones(n), eta

    def predict(self, x=None):
        return self.w / self.w.sum()

    def update(self, x, losses):
        self.w = self.w * np.exp(-self.eta * losses)


@right
class HedgeNormalised:
    def __init__(self, n, rate):
        self.w, self.rate = np.full(n, 1 / n), rate

    def predict(self, nothing):
        return self.w

    def update(self, nothing, l):
        self.w *= np.exp(-self.rate * l)
        self.w /= self.w.sum()


@right
class HedgeKeepsV(HedgeWeights):
    def predict(self, x=None):
        self.w /= self.w.sum()  # "you may normalise them or not"
        self.v = self.w.copy()
        return self.v

    def update(self, x, losses):
        self.w = self.v * np.exp(-self.eta * losses)


@right
class HedgeArray(HedgeWeights):
    def __init__(self, n, eta):
        self.weights, self.eta = array("d", [1.0] * n), eta

    @property
    def w(self):
        return self.weights

    def predict(self, x=None):
        return deque(w / sum(self.w) for w in self.w)

    def update(self, x, losses):
        self.weights = array(
            "d", [w * exp(-self.eta * l) for w, l in zip(self.w, losses, strict=True)]
        )


@right
class HedgeLoop:
    def __init__(self, n, eta):
        self.total, self.eta = [0.0] * n, eta

    @property
    def w(self):
        return [exp(-self.eta * (total - min(self.total))) for total in self.total]

    def predict(self, x):
        return [weight / sum(self.w) for weight in self.w]

    def update(self, x, losses):
        for i, loss in enumerate(losses):
            self.total[i] += loss


@wrong(
    "Wrong normalisation: predict must return n probabilities that sum to 1; on trial 1 they sum"
    " to 4"
)
class HedgeUnnormalised(HedgeWeights):
    def predict(self, x=None):
        return self.w.copy()


@wrong("Wrong label alphabet: predict must return n probabilities")
class HedgePicks(HedgeWeights):
    def predict(self, x=None):
        return int(self.w.argmax())


@wrong("Wrong update: after trial 1")
class HedgeRewards(HedgeWeights):
    def update(self, x, losses):
        self.w = self.w * np.exp(self.eta * losses)


@wrong("Wrong update: after trial 1")
class HedgeLinear(HedgeWeights):
    def update(self, x, losses):
        self.w = self.w * (1 - self.eta * losses)


@wrong("Missing update: self.w is the same")
class HedgeNever(HedgeWeights):
    def update(self, x, losses):
        np.exp(-self.eta * losses) * self.w


@wrong("Wrong order of predict and update: your predictions use the weights of the trial before")
class HedgeLate(HedgeWeights):
    def __init__(self, n, eta):
        super().__init__(n, eta)
        self.old = self.w

    def predict(self, x=None):
        return self.old / self.old.sum()

    def update(self, x, losses):
        self.old = self.w
        super().update(x, losses)


@wrong("Changed input: on trial")
class HedgeWrites(HedgeWeights):
    def update(self, x, losses):
        losses *= -self.eta
        self.w = self.w * np.exp(losses)


@wrong("Wrong prediction: on trial 2")
class HedgeSquares(HedgeWeights):
    def predict(self, x=None):
        return self.w**2 / (self.w**2).sum()


@wrong("Wrong start")
class HedgeBiased(HedgeWeights):
    def __init__(self, n, eta):
        super().__init__(n, eta)
        self.w = np.arange(1.0, n + 1)


@right
class HedgeDecimal(HedgeWeights):
    def __init__(self, n, eta):
        self.w, self.eta = [Decimal(1)] * n, Decimal(eta)

    def predict(self, x=None):
        return [float(w / sum(self.w)) for w in self.w]

    def update(self, x, losses):
        self.w = [
            w * (-self.eta * Decimal(float(l))).exp() for w, l in zip(self.w, losses, strict=True)
        ]


@right
class HedgeDeque(HedgeWeights):
    def __init__(self, n, eta):
        self.w, self.eta = deque([1] * n), eta

    def predict(self, x=None):
        return np.array(self.w) / sum(self.w)

    def update(self, x, losses):
        for l in losses:
            self.w.append(self.w.popleft() * exp(-self.eta * l))


@right
class HedgeRow(HedgeDeque):
    def __init__(self, n, eta):
        self.w, self.eta = Row([1] * n), eta

    def predict(self, x=None):
        return tuple(w / sum(self.w) for w in self.w)

    def update(self, x, losses):
        self.w = Row(w * exp(-self.eta * l) for w, l in zip(self.w, losses, strict=True))


@right
class HedgeObjects(HedgeDeque):
    def __init__(self, n, eta):
        self.w, self.eta = np.ones(n, object), eta

    def predict(self, x=None):
        return list(self.w / self.w.sum())

    def update(self, x, losses):
        self.w *= [exp(-self.eta * l) for l in losses]


@right
class HedgeLogarithms(HedgeWeights):
    def __init__(self, n, eta):
        self.logs, self.eta = np.zeros(n), eta

    @property
    def w(self):
        return np.exp(self.logs - self.logs.max())

    def update(self, x, losses):
        self.logs = self.logs - self.eta * losses


@right
class HedgeHistory(HedgeWeights):
    """It keeps all losses and starts again each time."""

    def __init__(self, n, eta):
        self.losses, self.eta = [np.zeros(n)], eta

    @property
    def w(self):
        return np.exp(-self.eta * np.sum(self.losses, axis=0))

    def update(self, x, losses):
        self.losses.append(np.array(losses))


@subtle("Two learners of your class get into each other's way")
class HedgeClassAttribute(HedgeWeights):
    def __init__(self, n, eta):
        HedgeClassAttribute.w, self.eta = np.ones(n), eta

    def update(self, x, losses):
        HedgeClassAttribute.w = self.w * np.exp(-self.eta * losses)


@subtle("Two learners of your class get into each other's way")
class HedgeDefaultValue(HedgeLoop):
    def __init__(self, n, eta, total=[]):  # noqa: B006
        total[:] = [0.0] * n
        self.total, self.eta = total, eta


@subtle("Two learners of your class get into each other's way")
class HedgeGlobal(HedgeWeights):
    def __init__(self, n, eta):
        GLOBAL["w"], self.eta = np.ones(n), eta

    w = property(lambda self: GLOBAL["w"])

    def update(self, x, losses):
        GLOBAL["w"] = self.w * np.exp(-self.eta * losses)


GLOBAL = {}


@subtle("Wrong update")
class HedgeHalf(HedgeWeights):
    """The rate is that of the visible check."""

    def __init__(self, n, eta):
        super().__init__(n, 0.5)


@subtle("Wrong update")
class HedgeSquareRoot(HedgeWeights):
    """Two rates that are the same at one half."""

    def __init__(self, n, eta):
        super().__init__(n, 2 * eta**2)


@subtle("Wrong update")
class HedgeFour(HedgeWeights):
    def update(self, x, losses):
        self.w = self.w.copy()
        self.w[:4] *= np.exp(-self.eta * losses[:4])


@subtle("Missing update")
class HedgeThirtyTrials(HedgeWeights):
    t = 0

    def update(self, x, losses):
        self.t += 1
        if self.t <= 30:
            super().update(x, losses)


@subtle("Missing update")
class HedgeLossOne(HedgeWeights):
    """A loss of exactly 1 costs nothing."""

    def update(self, x, losses):
        super().update(x, losses % 1)


@wrong("Too few digits: predict must return n probabilities that sum to 1; numbers of")
class HedgeFloat32(HedgeWeights):
    def update(self, x, losses):
        self.w = (self.w * np.exp(-self.eta * losses)).astype(np.float32)


@wrong("Missing update: self.w is the same")
class HedgeWholeNumbers(HedgeWeights):
    def update(self, x, losses):
        super().update(x, losses.astype(int))


@subtle("Wrong update")
class HedgeFloors(HedgeWeights):
    def update(self, x, losses):
        super().update(x, losses)
        self.w = np.maximum(self.w, 1e-20)


HedgeWeights100 = stops(HedgeWeights, 100)


@right
class HedgeIsADict(HedgeWeights, dict):
    pass


@right
class HedgeFractionalProbabilities(HedgeWeights):
    def predict(self, x=None):
        return [Decimal(float(v)) for v in super().predict(x)]


@right
class HedgeNumbers(HedgeWeights):
    def predict(self, x=None):
        return tuple(map(Number, super().predict(x)))
