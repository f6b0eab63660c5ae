"""Answers for the Perceptron (homework 3)."""

from array import array
from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np

from . import Row, right, stops, subtle, wrong


@right
class PerceptronRow:
    def __init__(self, n):
        self.w = Row([0] * n)

    def predict(self, x):
        score = sum(w * part for w, part in zip(self.w, x, strict=True))
        return int(score > 0) - int(score < 0)

    def update(self, x, y):
        if self.predict(x) != y:
            self.w = Row(w + y * part for w, part in zip(self.w, x, strict=True))


@right
class PerceptronVectors:
    def __init__(self, n):
        self.w = np.zeros(n)

    def predict(self, x):
        return int(np.sign(self.w @ x))

    def update(self, x, y):
        if y * (self.w @ x) <= 0:
            self.w = self.w + y * x


@right
class PerceptronInPlace(PerceptronVectors):
    def predict(self, x):
        return np.sign(self.w.dot(x))

    def update(self, x, y):
        if self.predict(x) != y:
            self.w += y * x


@right
class PerceptronLoop:
    def __init__(self, features):
        self.w = [0] * features

    def predict(self, point):
        score = sum(a * b for a, b in zip(self.w, point, strict=True))
        return 1 if score > 0 else -1 if score < 0 else 0

    def update(self, point, label):
        if self.predict(point) != label:
            for i, value in enumerate(point):
                self.w[i] += label * value


@wrong("Missing update: self.w is the same after every trial")
class PerceptronStrict(PerceptronVectors):
    """From w = 0 it never updates."""

    def update(self, x, y):
        if y * (self.w @ x) < 0:
            self.w = self.w + y * x


@wrong("Wrong label alphabet: predict must return -1, 0 or +1, the sign of w·x; yours says 0 where")
class PerceptronBits(PerceptronVectors):
    def predict(self, x):
        return int(self.w @ x > 0)


@wrong(
    "Wrong label alphabet: predict must return -1, 0 or +1, the sign of w·x; on trial 2 it returned"
)
class PerceptronScore(PerceptronVectors):
    def predict(self, x):
        return self.w @ x


@wrong("Wrong tie: on trial 1 w·x = 0; the prediction is 0")
class PerceptronTie(PerceptronVectors):
    def predict(self, x):
        return 1 if self.w @ x >= 0 else -1


@wrong("Update too many: trial")
class PerceptronAlways(PerceptronVectors):
    def update(self, x, y):
        self.w = self.w + y * x


@wrong("Wrong update: after trial")
class PerceptronAddsX(PerceptronVectors):
    def update(self, x, y):
        if y * (self.w @ x) <= 0:
            self.w = self.w + (x if self.w.any() else y * x)


@wrong("Update too many: trial")
class PerceptronMargin(PerceptronVectors):
    def update(self, x, y):
        if y * (self.w @ x) <= 5:
            self.w = self.w + y * x


@wrong("Changed input: on trial")
class PerceptronWrites(PerceptronVectors):
    def update(self, x, y):
        x *= y
        if self.w @ x <= 0:
            self.w = self.w + x


@wrong("Wrong order of predict and update: your predictions use the weights of the trial before")
class PerceptronLate(PerceptronVectors):
    def __init__(self, n):
        super().__init__(n)
        self.old = self.w

    def predict(self, x):
        return int(np.sign(self.old @ x))

    def update(self, x, y):
        self.old = self.w
        super().update(x, y)


@right
class PerceptronDeque(PerceptronLoop):
    def __init__(self, n):
        self.w = deque([0.0] * n)


@right
class PerceptronArray(PerceptronLoop):
    def __init__(self, n):
        self.w = array("d", [0.0] * n)


@right
class PerceptronFractions(PerceptronLoop):
    def __init__(self, n):
        self.w = [Fraction(0)] * n

    def predict(self, point):
        return super().predict([Fraction(float(value)) for value in point])

    def update(self, point, label):
        super().update([Fraction(float(value)) for value in point], int(label))


@right
class PerceptronDecimal(PerceptronLoop):
    def __init__(self, n):
        self.w = [Decimal(0)] * n

    def predict(self, point):
        return super().predict([Decimal(float(value)) for value in point])

    def update(self, point, label):
        super().update([Decimal(float(value)) for value in point], int(label))


@right
class PerceptronDual:
    """It keeps the examples of its mistakes instead of weights."""

    def __init__(self, n):
        self.n, self.mistakes = n, []

    @property
    def w(self):
        return sum((y * x for x, y in self.mistakes), np.zeros(self.n))

    def predict(self, x):
        return np.sign(sum(y * (z @ x) for z, y in self.mistakes))

    def update(self, x, y):
        if self.predict(x) != y:
            self.mistakes.append((np.array(x), y))


@right
class PerceptronRemembers(PerceptronVectors):
    def predict(self, x):
        self.said = super().predict(x)
        return self.said

    def update(self, x, y):
        self.w = self.w + (self.said != y) * y * x


@right
class PerceptronObjects(PerceptronVectors):
    def __init__(self, n):
        self.w = np.zeros(n, object)

    def predict(self, x):
        score = self.w.dot(x.astype(object))
        return (score > 0) - (score < 0)


@subtle("Update too many")
class PerceptronBelowOne(PerceptronVectors):
    """On whole numbers the same."""

    def update(self, x, y):
        if y * (self.w @ x) < 1:
            self.w = self.w + y * x


@subtle("Missing update")
class PerceptronWholeWeights(PerceptronVectors):
    def update(self, x, y):
        super().update(x, y)
        self.w = self.w.astype(int)


@subtle("Wrong prediction")
class PerceptronRoundedScore(PerceptronVectors):
    def predict(self, x):
        return int(np.sign(np.round(self.w @ x)))


@subtle("Update too many")
class PerceptronFour(PerceptronVectors):
    def update(self, x, y):
        if y * (self.w[:4] @ x[:4]) <= 0:
            self.w = self.w + y * x


@subtle("Wrong tie")
class PerceptronTieAtZeroWeights(PerceptronVectors):
    """A later tie is a prediction of 1, and no mistake where the label is 1."""

    def predict(self, x):
        return int(np.sign(self.w @ x)) or int(self.w.any())


@subtle("Missing update")
class PerceptronTieOnTrialOne(PerceptronVectors):
    first = True

    def update(self, x, y):
        if self.first or y * (self.w @ x) < 0:
            self.w = self.w + y * x
        self.first = False


@subtle("Missing update")
class PerceptronSixtyTrials(PerceptronVectors):
    t = 0

    def update(self, x, y):
        self.t += 1
        if self.t <= 60:
            super().update(x, y)


@subtle("Two learners of your class get into each other's way")
class PerceptronClassAttribute(PerceptronLoop):
    w = []

    def __init__(self, n):
        self.w[:] = [0] * n


@subtle("Two learners of your class get into each other's way")
class PerceptronDefaultValue(PerceptronLoop):
    def __init__(self, n, w=[]):  # noqa: B006
        w[:] = [0] * n
        self.w = w


@subtle("Two learners of your class get into each other's way")
class PerceptronGlobal(PerceptronVectors):
    def __init__(self, n):
        GLOBAL["w"] = np.zeros(n)

    w = property(lambda self: GLOBAL["w"])

    def update(self, x, y):
        if y * (self.w @ x) <= 0:
            GLOBAL["w"] = self.w + y * x


GLOBAL = {}


@wrong("Wrong normalisation: after trial 1")
class PerceptronHalfSteps(PerceptronVectors):
    def update(self, x, y):
        if y * (self.w @ x) <= 0:
            self.w = self.w + y * x / 2


@subtle("Update too many")
class PerceptronSixteenth(PerceptronVectors):
    """It wants a small margin."""

    def update(self, x, y):
        if y * (self.w @ x) <= 1 / 16:
            self.w = self.w + y * x


@subtle("Missing update")
class PerceptronSlack(PerceptronVectors):
    """A small score on the wrong side passes for right."""

    def update(self, x, y):
        if y * (self.w @ x) <= 0 and not -1 / 16 <= y * (self.w @ x) < 0:
            self.w = self.w + y * x


PerceptronVectors100 = stops(PerceptronVectors, 100)


@subtle("Missing update")
class PerceptronBored(PerceptronVectors):
    """It does not look at the same example twice in a row."""

    last = ()

    def update(self, x, y):
        if not np.array_equal(x, self.last):
            super().update(x, y)
        self.last = x


@subtle("Wrong update")
class PerceptronShort(PerceptronVectors):
    def update(self, x, y):
        super().update(x, y)
        self.w = self.w / max(1, np.linalg.norm(self.w) / 50)
