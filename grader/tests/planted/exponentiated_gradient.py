"""Answers for Exponentiated Gradient (practice for lecture 12)."""

from math import exp

import numpy as np

from . import right, subtle, wrong


@right
class GradientVectors:
    def __init__(self, n, eta):
        self.w, self.eta = np.full(n, 1 / n), eta

    def predict(self, x):
        return self.w @ x

    def update(self, x, y):
        w = self.w * np.exp(-2 * self.eta * (self.w @ x - y) * x)
        self.w = w / w.sum()


@right
class GradientLoop:
    def __init__(self, n, rate):
        self.w, self.rate = [1 / n] * n, rate

    def predict(self, x):
        return sum(weight * feature for weight, feature in zip(self.w, x, strict=True))

    def update(self, x, y):
        slope = 2 * (self.predict(x) - y)
        for i, feature in enumerate(x):
            self.w[i] *= exp(-self.rate * slope * feature)
        total = sum(self.w)
        self.w = [weight / total for weight in self.w]


@right
class GradientSums:
    """Keeps the sum of the gradients, as Hedge keeps that of the losses."""

    def __init__(self, n, eta):
        self.eta, self.sum = eta, np.zeros(n)

    @property
    def w(self):
        w = np.exp(-self.eta * (self.sum - self.sum.min()))
        return w / w.sum()

    def predict(self, x):
        return float(self.w @ x)

    def update(self, x, y):
        self.sum = self.sum + 2 * (self.predict(x) - y) * x


@wrong(
    "Wrong normalisation: after trial 1 your weights are those of the algorithm times 0.9805; it"
    " divides them by their sum."
)
class GradientUnnormalised(GradientVectors):
    def update(self, x, y):
        self.w = self.w * np.exp(-2 * self.eta * (self.w @ x - y) * x)


@wrong("Wrong update: after trial 1")
class GradientWithoutTwo(GradientVectors):
    def update(self, x, y):
        w = self.w * np.exp(-self.eta * (self.w @ x - y) * x)
        self.w = w / w.sum()


@wrong("Wrong update: after trial 1")
class GradientUphill(GradientVectors):
    def update(self, x, y):
        w = self.w * np.exp(2 * self.eta * (self.w @ x - y) * x)
        self.w = w / w.sum()


@wrong("Wrong update: after trial 1")
class GradientAdds(GradientVectors):
    def update(self, x, y):
        w = np.maximum(self.w - 2 * self.eta * (self.w @ x - y) * x, 0)
        self.w = w / w.sum()


@wrong("Wrong update: after trial 1")
class GradientOfEachFeature(GradientVectors):
    """That is Weighted Average: each feature pays its own loss."""

    def update(self, x, y):
        w = self.w * np.exp(-self.eta * (x - y) ** 2)
        self.w = w / w.sum()


@wrong("Wrong start")
class GradientFromOne(GradientVectors):
    def __init__(self, n, eta):
        self.w, self.eta = np.ones(n), eta

    def predict(self, x):
        return self.w @ x / self.w.sum()


@wrong("Missing update: self.w is the same")
class GradientNever(GradientVectors):
    def update(self, x, y):
        pass


@wrong("Wrong prediction: on trial 1")
class GradientRounds(GradientVectors):
    def predict(self, x):
        return round(float(self.w @ x))


@wrong("Changed input: on trial")
class GradientWrites(GradientVectors):
    def update(self, x, y):
        x *= -2 * self.eta * (self.w @ x - y)
        w = self.w * np.exp(x)
        self.w = w / w.sum()


@subtle("Wrong update: after trial 1")
class GradientOfRateOne(GradientVectors):
    """Has the rate of the visible check built in."""

    def __init__(self, n, eta):
        super().__init__(n, 1.0)


@subtle("Missing update: self.w is the same")
class GradientOfFewFeatures(GradientVectors):
    """Stops to learn where there are many features."""

    def update(self, x, y):
        if len(x) <= 100:
            super().update(x, y)


@right
class GradientInPlace(GradientVectors):
    def update(self, x, y):
        self.w *= np.exp(-2 * self.eta * (self.w @ x - y) * x)
        self.w /= self.w.sum()


@right
class GradientRemembers(GradientVectors):
    def predict(self, x):
        self.said = super().predict(x)
        return self.said

    def update(self, x, y):
        w = self.w / np.exp(x) ** (2 * self.eta * (self.said - y))
        self.w = w / w.sum()


@right
class GradientLogarithms(GradientVectors):
    def __init__(self, n, eta):
        super().__init__(n, eta)
        self.logs = np.zeros(n)

    def update(self, x, y):
        self.logs = self.logs + 2 * self.eta * (y - self.predict(x)) * x
        self.w = np.exp(self.logs - np.logaddexp.reduce(self.logs))


@right
class GradientTuple(GradientVectors):
    def __init__(self, n, eta):
        self.w, self.eta = (1 / n,) * n, eta

    def predict(self, x):
        return float(np.dot(self.w, x))

    def update(self, x, y):
        slope = -2 * self.eta * (self.predict(x) - y)
        new = [weight * exp(slope * feature) for weight, feature in zip(self.w, x, strict=True)]
        self.w = tuple(weight / sum(new) for weight in new)


@right
class GradientUpAndDown(GradientVectors):
    """Multiplies after a prediction that was too low, and divides after one that was too high."""

    def update(self, x, y):
        error = self.w @ x - y
        factor = np.exp(2 * self.eta * abs(error) * x)
        w = self.w / factor if error > 0 else self.w * factor
        self.w = w / w.sum()


@wrong("Wrong update: after trial 1")
class GradientSquaresFeatures(GradientVectors):
    def update(self, x, y):
        super().update(x**2, y)


@wrong("Wrong update: after trial 1")
class GradientSignOnly(GradientVectors):
    def update(self, x, y):
        w = self.w * np.exp(-2 * self.eta * np.sign(self.w @ x - y) * x)
        self.w = w / w.sum()


@wrong("Wrong order of predict and update: your predictions use the weights of the trial before")
class GradientLate(GradientVectors):
    def __init__(self, n, eta):
        super().__init__(n, eta)
        self.old = self.w

    def predict(self, x):
        return self.old @ x

    def update(self, x, y):
        self.old = self.w
        super().update(x, y)
