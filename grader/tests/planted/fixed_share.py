"""Answers for Fixed Share (homework 5)."""

from array import array
from collections import deque
from decimal import Decimal
from math import exp

import numpy as np

from . import Row, right, stops, subtle, wrong


@right
class ShareVectors:
    def __init__(self, n, eta, alpha):
        self.w, self.eta, self.alpha = np.full(n, 1 / n), eta, alpha

    def predict(self, x):
        return self.w @ x / self.w.sum()

    def update(self, x, y):
        m = self.w * np.exp(-self.eta * (y - x) ** 2)
        self.w = (1 - self.alpha) * m + self.alpha * (m.sum() - m) / (len(m) - 1)


@right
class ShareKeepsX(ShareVectors):
    def predict(self, x):
        self.x = x
        return super().predict(x)

    def update(self, x, y):
        super().update(self.x, y)


@right
class ShareMatrix(ShareVectors):
    def update(self, x, y):
        n = len(x)
        move = np.full((n, n), self.alpha / (n - 1))
        np.fill_diagonal(move, 1 - self.alpha)
        self.w = move @ (self.w * np.exp(-self.eta * (y - x) ** 2))


@right
class ShareLoop:
    def __init__(self, n, rate, part):
        self.w, self.rate, self.part = [1 / n] * n, rate, part

    def predict(self, x):
        return float(sum(a * b for a, b in zip(self.w, x, strict=True)) / sum(self.w))

    def update(self, x, y):
        after = [
            weight * exp(-self.rate * (y - said) ** 2)
            for weight, said in zip(self.w, x, strict=True)
        ]
        for i in range(len(after)):
            gifts = sum(
                self.part / (len(after) - 1) * after[j] for j in range(len(after)) if j != i
            )
            self.w[i] = (1 - self.part) * after[i] + gifts


@wrong("Wrong update: after trial 1")
class ShareToAll(ShareVectors):
    def update(self, x, y):
        m = self.w * np.exp(-self.eta * (y - x) ** 2)
        self.w = (1 - self.alpha) * m + self.alpha * m.mean()


@wrong("Wrong update: after trial 1")
class ShareForgets(ShareVectors):
    def update(self, x, y):
        self.w = self.w * np.exp(-self.eta * (y - x) ** 2)


@wrong("Wrong update: after trial 1")
class ShareBeforeLoss(ShareVectors):
    def update(self, x, y):
        shared = (1 - self.alpha) * self.w + self.alpha * (self.w.sum() - self.w) / (len(x) - 1)
        self.w = shared * np.exp(-self.eta * (y - x) ** 2)


@wrong("Wrong update: after trial 1")
class ShareAbsolute(ShareVectors):
    def update(self, x, y):
        m = self.w * np.exp(-self.eta * np.abs(y - x))
        self.w = (1 - self.alpha) * m + self.alpha * (m.sum() - m) / (len(m) - 1)


@wrong("Wrong normalisation: after trial 1")
class ShareNormalises(ShareVectors):
    def update(self, x, y):
        super().update(x, y)
        self.w = self.w / self.w.sum()


@wrong("Wrong prediction: on trial 2")
class ShareUnnormalised(ShareVectors):
    def predict(self, x):
        return self.w @ x


@wrong("Wrong start")
class ShareFromOne(ShareVectors):
    def __init__(self, n, eta, alpha):
        super().__init__(n, eta, alpha)
        self.w = np.ones(n)


@wrong("Missing update: self.w is the same")
class ShareNever(ShareVectors):
    def update(self, x, y):
        pass


@wrong("Wrong label alphabet: predict must return a number in [0, 1]; on trial 1 it returned")
class ShareVote(ShareVectors):
    def predict(self, x):
        return x


@wrong("Changed input: on trial")
class ShareWrites(ShareVectors):
    def update(self, x, y):
        x -= y
        x **= 2
        super().update(np.sqrt(x), 0)


@right
class ShareArray(ShareLoop):
    def __init__(self, n, rate, part):
        self.w, self.rate, self.part = array("d", [1 / n] * n), rate, part


@right
class ShareDeque(ShareLoop):
    def __init__(self, n, rate, part):
        self.w, self.rate, self.part = deque([1 / n] * n), rate, part


@right
class ShareRow(ShareVectors):
    def __init__(self, n, eta, alpha):
        self.w, self.eta, self.alpha = Row([1 / n] * n), eta, alpha

    def predict(self, x):
        return sum(w * said for w, said in zip(self.w, x, strict=True)) / sum(self.w)

    def update(self, x, y):
        super().update(x, y)
        self.w = Row(self.w)


@right
class ShareDecimal(ShareVectors):
    def __init__(self, n, eta, alpha):
        self.w, self.eta, self.alpha = [1 / Decimal(n)] * n, Decimal(eta), Decimal(alpha)

    def predict(self, x):
        exact = [Decimal(float(said)) for said in x]
        return float(sum(w * said for w, said in zip(self.w, exact, strict=True)) / sum(self.w))

    def update(self, x, y):
        after = [
            w * (-self.eta * Decimal(float(y - said)) ** 2).exp()
            for w, said in zip(self.w, x, strict=True)
        ]
        share = self.alpha / (len(after) - 1)
        self.w = [(1 - self.alpha) * m + share * (sum(after) - m) for m in after]


@right
class SharePool(ShareVectors):
    """Everybody gives to a pool, gets an equal part of it, and gives its own part back."""

    def update(self, x, y):
        n, m = len(x), self.w * np.exp(-self.eta * (y - x) ** 2)
        rate = self.alpha * n / (n - 1)
        self.w = (1 - rate) * m + rate * m.mean()


@right
class ShareObjects(ShareVectors):
    def __init__(self, n, eta, alpha):
        self.w, self.eta, self.alpha = np.full(n, 1 / n, object), eta, alpha

    def update(self, x, y):
        m = self.w * [exp(-self.eta * (y - said) ** 2) for said in x]
        self.w = (1 - self.alpha) * m + self.alpha * (m.sum() - m) / (len(m) - 1)


@subtle("Wrong normalisation")
class ShareHalf(ShareVectors):
    """The rate is that of the visible check."""

    def __init__(self, n, eta, alpha):
        super().__init__(n, 0.5, alpha)


@subtle("Wrong update")
class ShareTwentieth(ShareVectors):
    """The share is that of the visible check."""

    def __init__(self, n, eta, alpha):
        super().__init__(n, eta, 0.05)


@subtle("Wrong normalisation")
class ShareWithThree(ShareVectors):
    def update(self, x, y):
        m = self.w * np.exp(-self.eta * (y - x) ** 2)
        self.w = (1 - self.alpha) * m + self.alpha * (m.sum() - m) / 3


@subtle("Missing update")
class ShareFortyTrials(ShareVectors):
    t = 0

    def update(self, x, y):
        self.t += 1
        if self.t <= 41:
            super().update(x, y)


@subtle("Two learners of your class get into each other's way")
class ShareClassAttribute(ShareVectors):
    def __init__(self, n, eta, alpha):
        ShareClassAttribute.w, self.eta, self.alpha = np.full(n, 1 / n), eta, alpha

    def update(self, x, y):
        m = self.w * np.exp(-self.eta * (y - x) ** 2)
        shares = self.alpha * (m.sum() - m) / (len(m) - 1)
        ShareClassAttribute.w = (1 - self.alpha) * m + shares


@subtle("Two learners of your class get into each other's way")
class ShareDefaultValue(ShareLoop):
    def __init__(self, n, rate, part, w=[]):  # noqa: B006
        w[:] = [1 / n] * n
        self.w, self.rate, self.part = w, rate, part


@subtle("Two learners of your class get into each other's way")
class ShareGlobal(ShareVectors):
    def __init__(self, n, eta, alpha):
        GLOBAL["w"], self.eta, self.alpha = np.full(n, 1 / n), eta, alpha

    w = property(lambda self: GLOBAL["w"])

    def update(self, x, y):
        m = self.w * np.exp(-self.eta * (y - x) ** 2)
        GLOBAL["w"] = (1 - self.alpha) * m + self.alpha * (m.sum() - m) / (len(m) - 1)


GLOBAL = {}


ShareVectors100 = stops(ShareVectors, 100)


@right
class ShareIsATuple(ShareVectors, tuple):
    def __new__(cls, n, eta, alpha):
        return super().__new__(cls, (n, eta, alpha))
