"""Learners as students hand them in. RIGHT and WRONG hold (task, class[, words of the message]) for
tests/test_homework.py.
"""

from array import array
from collections import deque
from decimal import Decimal
from math import exp

import numpy as np

RIGHT, WRONG = [], []


def right(task):
    return lambda cls: RIGHT.append((task, cls)) or cls


def wrong(task, words):
    return lambda cls: WRONG.append((task, cls, words)) or cls


# Halving ------------------------------------------------------------------------------------------


@right("halving")
class HalvingMask:
    def __init__(self, n):
        self.w = np.ones(n, bool)

    def predict(self, x):
        return int(2 * x[self.w].sum() >= self.w.sum())

    def update(self, x, y):
        self.w = self.w & (x == y)


@right("halving")
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


@right("halving")
class HalvingBytes(HalvingLoop):
    def __init__(self, n):
        self.w = bytearray([1] * n)


@right("halving")
class HalvingInPlace(HalvingMask):
    def predict(self, x):
        return self.w @ x >= self.w @ (1 - x)  # a truth value is 0 or 1

    def update(self, x, y):
        self.w &= x == y


@wrong("halving", "Wrong label alphabet: predict must return 0 or 1; on trial")
class HalvingSigns(HalvingMask):
    def predict(self, x):
        return 2 * super().predict(x) - 1


@wrong("halving", "Missing update: self.w is the same after every trial")
class HalvingLost(HalvingMask):
    def update(self, x, y):
        w = self.w & (x == y)  # noqa: F841


@wrong("halving", "Wrong tie: on trial 1 as many trusted experts say 1 as say 0")
class HalvingTie(HalvingMask):
    def predict(self, x):
        return int(2 * x[self.w].sum() > self.w.sum())


@wrong(
    "halving",
    "Wrong order of predict and update: your predictions use the weights of the trial before",
)
class HalvingLate(HalvingMask):
    def __init__(self, n):
        super().__init__(n)
        self.old = self.w

    def predict(self, x):
        return int(2 * x[self.old].sum() >= self.old.sum())

    def update(self, x, y):
        self.old = self.w
        super().update(x, y)


@wrong("halving", "Wrong order: predict changes self.w on trial 2")
class HalvingLearnsInPredict(HalvingMask):
    last = None

    def predict(self, x):
        if self.last is not None:
            HalvingMask.update(self, *self.last)
        return super().predict(x)

    def update(self, x, y):
        self.last = x.copy(), y


@wrong("halving", "Changed input: on trial")
class HalvingWrites(HalvingMask):
    def update(self, x, y):
        x -= y
        self.w = self.w & (x == 0)


@wrong("halving", "Update too many: trial 2")
class HalvingForgives(HalvingMask):
    def update(self, x, y):
        self.w = x == y


@wrong("halving", "Wrong update: after trial 1")
class HalvingDeletesTheRight(HalvingMask):
    def update(self, x, y):
        self.w = self.w & (x != y)


@wrong("halving", "Missing update: trial")
class HalvingOnMistakes(HalvingMask):
    def update(self, x, y):
        if self.predict(x) != y:
            super().update(x, y)


@wrong("halving", "Wrong start")
class HalvingForgetsOne(HalvingMask):
    def __init__(self, n):
        self.w = np.arange(n) > 0


@wrong("halving", "Wrong prediction: on trial")
class HalvingCountsAll(HalvingMask):
    def predict(self, x):
        return int(2 * x.sum() >= len(x))


# Weighted Majority --------------------------------------------------------------------------------


@right("weighted_majority")
class MajorityVectors:
    def __init__(self, n, beta):
        self.w, self.beta = np.ones(n), beta

    def predict(self, x):
        return int(self.w @ x >= self.w.sum() / 2)

    def update(self, x, y):
        self.w = self.w * np.where(x == y, 1, self.beta)


@right("weighted_majority")
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


@right("weighted_majority")
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


@wrong("weighted_majority", "Wrong label alphabet: predict must return 0 or 1; on trial")
class MajoritySigns(MajorityVectors):
    def predict(self, x):
        return 1 if super().predict(x) else -1


@wrong("weighted_majority", "Wrong tie: on trial 1 both sides have the same weight")
class MajorityTie(MajorityVectors):
    def predict(self, x):
        return int(self.w @ x > self.w.sum() / 2)


@wrong("weighted_majority", "Missing update: trial")
class MajorityOnMistakes(MajorityVectors):
    def update(self, x, y):
        if self.predict(x) != y:
            super().update(x, y)


@wrong("weighted_majority", "Missing update: self.w is the same after every trial")
class MajorityNever(MajorityVectors):
    def update(self, x, y):
        self.w * np.where(x == y, 1, self.beta)


@wrong("weighted_majority", "Wrong update: after trial 1")
class MajorityPunishesTheRight(MajorityVectors):
    def update(self, x, y):
        self.w = self.w * np.where(x == y, self.beta, 1)


@wrong("weighted_majority", "Wrong update: after trial 1")
class MajorityPunishesAll(MajorityVectors):
    def update(self, x, y):
        self.w = self.w * np.full(len(x), self.beta)


@wrong("weighted_majority", "Wrong update: after trial 1")
class MajorityOtherFactor(MajorityVectors):
    def update(self, x, y):
        self.w = self.w * np.where(x == y, 1, 1 - self.beta / 2)


@wrong("weighted_majority", "Wrong normalisation: after trial 1")
class MajorityNormalises(MajorityVectors):
    def update(self, x, y):
        super().update(x, y)
        self.w = len(x) * self.w / self.w.sum()


@wrong("weighted_majority", "Changed input: on trial")
class MajorityWrites(MajorityVectors):
    def predict(self, x):
        answer = super().predict(x)
        x[:] = 2 * x - 1
        return answer

    def update(self, x, y):
        super().update((x + 1) // 2, y)


@wrong("weighted_majority", "Wrong order: predict changes self.w on trial 1")
class MajorityPunishesInPredict(MajorityVectors):
    def predict(self, x):
        answer = super().predict(x)
        self.w = self.w * np.where(x == answer, 1, self.beta)
        return answer

    def update(self, x, y):
        pass


@wrong("weighted_majority", "Wrong prediction: on trial")
class MajorityLeader(MajorityVectors):
    def predict(self, x):
        return int(x[::-1][self.w[::-1].argmax()])


# Hedge --------------------------------------------------------------------------------------------


@right("hedge")
class HedgeWeights:
    def __init__(self, n, eta):
        self.w, self.eta = np.ones(n), eta

    def predict(self, x=None):
        return self.w / self.w.sum()

    def update(self, x, losses):
        self.w = self.w * np.exp(-self.eta * losses)


@right("hedge")
class HedgeNormalised:
    def __init__(self, n, rate):
        self.w, self.rate = np.full(n, 1 / n), rate

    def predict(self, nothing):
        return self.w

    def update(self, nothing, l):
        self.w *= np.exp(-self.rate * l)
        self.w /= self.w.sum()


@right("hedge")
class HedgeKeepsV(HedgeWeights):
    def predict(self, x=None):
        self.w /= self.w.sum()  # "you may normalise them or not"
        self.v = self.w.copy()
        return self.v

    def update(self, x, losses):
        self.w = self.v * np.exp(-self.eta * losses)


@right("hedge")
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


@right("hedge")
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
    "hedge",
    "Wrong normalisation: predict must return n probabilities that sum to 1; on trial 1 they sum"
    " to 4",
)
class HedgeUnnormalised(HedgeWeights):
    def predict(self, x=None):
        return self.w.copy()


@wrong("hedge", "Wrong label alphabet: predict must return n probabilities")
class HedgePicks(HedgeWeights):
    def predict(self, x=None):
        return int(self.w.argmax())


@wrong("hedge", "Wrong update: after trial 1")
class HedgeRewards(HedgeWeights):
    def update(self, x, losses):
        self.w = self.w * np.exp(self.eta * losses)


@wrong("hedge", "Wrong update: after trial 1")
class HedgeLinear(HedgeWeights):
    def update(self, x, losses):
        self.w = self.w * (1 - self.eta * losses)


@wrong("hedge", "Missing update: self.w is the same")
class HedgeNever(HedgeWeights):
    def update(self, x, losses):
        np.exp(-self.eta * losses) * self.w


@wrong(
    "hedge",
    "Wrong order of predict and update: your predictions use the weights of the trial before",
)
class HedgeLate(HedgeWeights):
    def __init__(self, n, eta):
        super().__init__(n, eta)
        self.old = self.w

    def predict(self, x=None):
        return self.old / self.old.sum()

    def update(self, x, losses):
        self.old = self.w
        super().update(x, losses)


@wrong("hedge", "Changed input: on trial")
class HedgeWrites(HedgeWeights):
    def update(self, x, losses):
        losses *= -self.eta
        self.w = self.w * np.exp(losses)


@wrong("hedge", "Wrong prediction: on trial 2")
class HedgeSquares(HedgeWeights):
    def predict(self, x=None):
        return self.w**2 / (self.w**2).sum()


@wrong("hedge", "Wrong start")
class HedgeBiased(HedgeWeights):
    def __init__(self, n, eta):
        super().__init__(n, eta)
        self.w = np.arange(1.0, n + 1)


# Perceptron ---------------------------------------------------------------------------------------


class Row:
    """A sequence of a student's own."""

    def __init__(self, numbers):
        self.numbers = list(numbers)

    def __len__(self):
        return len(self.numbers)

    def __getitem__(self, k):
        return self.numbers[k]


@right("perceptron")
class PerceptronRow:
    def __init__(self, n):
        self.w = Row([0] * n)

    def predict(self, x):
        score = sum(w * part for w, part in zip(self.w, x, strict=True))
        return int(score > 0) - int(score < 0)

    def update(self, x, y):
        if self.predict(x) != y:
            self.w = Row(w + y * part for w, part in zip(self.w, x, strict=True))


@right("perceptron")
class PerceptronVectors:
    def __init__(self, n):
        self.w = np.zeros(n)

    def predict(self, x):
        return int(np.sign(self.w @ x))

    def update(self, x, y):
        if y * (self.w @ x) <= 0:
            self.w = self.w + y * x


@right("perceptron")
class PerceptronInPlace(PerceptronVectors):
    def predict(self, x):
        return np.sign(self.w.dot(x))

    def update(self, x, y):
        if self.predict(x) != y:
            self.w += y * x


@right("perceptron")
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


@wrong("perceptron", "Missing update: self.w is the same after every trial")
class PerceptronStrict(PerceptronVectors):
    """From w = 0 it never updates."""

    def update(self, x, y):
        if y * (self.w @ x) < 0:
            self.w = self.w + y * x


@wrong(
    "perceptron",
    "Wrong label alphabet: predict must return -1, 0 or +1, the sign of w·x; yours says 0 where",
)
class PerceptronBits(PerceptronVectors):
    def predict(self, x):
        return int(self.w @ x > 0)


@wrong(
    "perceptron",
    "Wrong label alphabet: predict must return -1, 0 or +1, the sign of w·x; on trial 2 it"
    " returned",
)
class PerceptronScore(PerceptronVectors):
    def predict(self, x):
        return self.w @ x


@wrong("perceptron", "Wrong tie: on trial 1 w·x = 0; the prediction is 0")
class PerceptronTie(PerceptronVectors):
    def predict(self, x):
        return 1 if self.w @ x >= 0 else -1


@wrong("perceptron", "Update too many: trial")
class PerceptronAlways(PerceptronVectors):
    def update(self, x, y):
        self.w = self.w + y * x


@wrong("perceptron", "Wrong update: after trial")
class PerceptronAddsX(PerceptronVectors):
    def update(self, x, y):
        if y * (self.w @ x) <= 0:
            self.w = self.w + (x if self.w.any() else y * x)


@wrong("perceptron", "Update too many: trial")
class PerceptronMargin(PerceptronVectors):
    def update(self, x, y):
        if y * (self.w @ x) <= 5:
            self.w = self.w + y * x


@wrong("perceptron", "Changed input: on trial")
class PerceptronWrites(PerceptronVectors):
    def update(self, x, y):
        x *= y
        if self.w @ x <= 0:
            self.w = self.w + x


@wrong(
    "perceptron",
    "Wrong order of predict and update: your predictions use the weights of the trial before",
)
class PerceptronLate(PerceptronVectors):
    def __init__(self, n):
        super().__init__(n)
        self.old = self.w

    def predict(self, x):
        return int(np.sign(self.old @ x))

    def update(self, x, y):
        self.old = self.w
        super().update(x, y)


# Winnow -------------------------------------------------------------------------------------------


@right("winnow")
class WinnowVectors:
    def __init__(self, n):
        self.n, self.w = n, np.ones(n)

    def predict(self, x):
        return int(self.w @ x >= self.n)

    def update(self, x, y):
        self.w = self.w * 2.0 ** ((y - self.predict(x)) * x)


@right("winnow")
class WinnowRemembers(WinnowVectors):
    def predict(self, x):
        self.said = super().predict(x)
        return self.said

    def update(self, x, y):
        if self.said != y:
            self.w = np.where(x == 1, self.w * (2 if y else 0.5), self.w)


@right("winnow")
class WinnowDecimal(WinnowVectors):
    def __init__(self, n):
        self.n, self.w = n, deque([Decimal(1)] * n)

    def predict(self, x):
        return int(sum(w for w, bit in zip(self.w, x, strict=True) if bit) >= self.n)

    def update(self, x, y):
        factor = Decimal(2) ** int(y - self.predict(x))
        self.w = deque(w * factor if bit else w for w, bit in zip(self.w, x, strict=True))


@right("winnow")
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


@right("winnow")
class WinnowInPlace(WinnowVectors):
    def predict(self, x):
        return np.sum(self.w[x == 1]) >= self.n

    def update(self, x, y):
        if self.predict(x) and not y:
            self.w[x == 1] /= 2
        elif y and not self.predict(x):
            self.w[x == 1] *= 2


@wrong("winnow", "Wrong tie: on trial 1 w·x = n; the rule is to predict 1 if w·x >= n")
class WinnowStrict(WinnowVectors):
    def predict(self, x):
        return int(self.w @ x > self.n)


@wrong("winnow", "Update too many: trial")
class WinnowAlways(WinnowVectors):
    def update(self, x, y):
        self.w = self.w * np.where(x == 1, 2.0 if y else 0.5, 1)


@wrong("winnow", "Missing update: trial")
class WinnowNeverDemotes(WinnowVectors):
    def update(self, x, y):
        if y == 1:
            super().update(x, y)


@wrong("winnow", "Wrong update: after trial")
class WinnowEliminates(WinnowVectors):
    def update(self, x, y):
        if y == 0 and self.predict(x) == 1:
            self.w = self.w * (1 - x)
        else:
            super().update(x, y)


@wrong("winnow", "Wrong update: after trial")
class WinnowAllWeights(WinnowVectors):
    def update(self, x, y):
        self.w = self.w * 2.0 ** (y - self.predict(x))


@wrong("winnow", "Missing update: self.w is the same")
class WinnowNever(WinnowVectors):
    def update(self, x, y):
        w = self.w
        w = w * 2.0 ** ((y - self.predict(x)) * x)


@wrong("winnow", "Wrong label alphabet: predict must return 0 or 1; on trial")
class WinnowSigns(WinnowVectors):
    def predict(self, x):
        return 1 if self.w @ x >= self.n else -1

    def update(self, x, y):
        self.w = self.w * 2.0 ** ((y - (self.predict(x) > 0)) * x)


@wrong("winnow", "Changed input: on trial")
class WinnowWrites(WinnowVectors):
    def update(self, x, y):
        x *= y - self.predict(x)
        self.w = self.w * 2.0**x


@wrong("winnow", "Wrong prediction: on trial")
class WinnowHalf(WinnowVectors):
    def predict(self, x):
        return int(self.w @ x >= self.n / 2)

    def update(self, x, y):
        self.w = self.w * 2.0 ** ((y - int(self.w @ x >= self.n)) * x)


# Exponentiated Gradient ---------------------------------------------------------------------------


@right("exponentiated_gradient")
class GradientVectors:
    def __init__(self, n, eta):
        self.w, self.eta = np.full(n, 1 / n), eta

    def predict(self, x):
        return self.w @ x

    def update(self, x, y):
        w = self.w * np.exp(-2 * self.eta * (self.w @ x - y) * x)
        self.w = w / w.sum()


@right("exponentiated_gradient")
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


@right("exponentiated_gradient")
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
    "exponentiated_gradient",
    "Wrong normalisation: after trial 1 your weights are those of the algorithm times 0.9805; it"
    " divides them by their sum.",
)
class GradientUnnormalised(GradientVectors):
    def update(self, x, y):
        self.w = self.w * np.exp(-2 * self.eta * (self.w @ x - y) * x)


@wrong("exponentiated_gradient", "Wrong update: after trial 1")
class GradientWithoutTwo(GradientVectors):
    def update(self, x, y):
        w = self.w * np.exp(-self.eta * (self.w @ x - y) * x)
        self.w = w / w.sum()


@wrong("exponentiated_gradient", "Wrong update: after trial 1")
class GradientUphill(GradientVectors):
    def update(self, x, y):
        w = self.w * np.exp(2 * self.eta * (self.w @ x - y) * x)
        self.w = w / w.sum()


@wrong("exponentiated_gradient", "Wrong update: after trial 1")
class GradientAdds(GradientVectors):
    def update(self, x, y):
        w = np.maximum(self.w - 2 * self.eta * (self.w @ x - y) * x, 0)
        self.w = w / w.sum()


@wrong("exponentiated_gradient", "Wrong update: after trial 1")
class GradientOfEachFeature(GradientVectors):
    """That is Weighted Average: each feature pays its own loss."""

    def update(self, x, y):
        w = self.w * np.exp(-self.eta * (x - y) ** 2)
        self.w = w / w.sum()


@wrong("exponentiated_gradient", "Wrong start")
class GradientFromOne(GradientVectors):
    def __init__(self, n, eta):
        self.w, self.eta = np.ones(n), eta

    def predict(self, x):
        return self.w @ x / self.w.sum()


@wrong("exponentiated_gradient", "Missing update: self.w is the same")
class GradientNever(GradientVectors):
    def update(self, x, y):
        pass


@wrong("exponentiated_gradient", "Wrong prediction: on trial 1")
class GradientRounds(GradientVectors):
    def predict(self, x):
        return round(float(self.w @ x))


@wrong("exponentiated_gradient", "Changed input: on trial")
class GradientWrites(GradientVectors):
    def update(self, x, y):
        x *= -2 * self.eta * (self.w @ x - y)
        w = self.w * np.exp(x)
        self.w = w / w.sum()


# Fixed Share --------------------------------------------------------------------------------------


@right("fixed_share")
class ShareVectors:
    def __init__(self, n, eta, alpha):
        self.w, self.eta, self.alpha = np.full(n, 1 / n), eta, alpha

    def predict(self, x):
        return self.w @ x / self.w.sum()

    def update(self, x, y):
        m = self.w * np.exp(-self.eta * (y - x) ** 2)
        self.w = (1 - self.alpha) * m + self.alpha * (m.sum() - m) / (len(m) - 1)


@right("fixed_share")
class ShareKeepsX(ShareVectors):
    def predict(self, x):
        self.x = x
        return super().predict(x)

    def update(self, x, y):
        super().update(self.x, y)


@right("fixed_share")
class ShareMatrix(ShareVectors):
    def update(self, x, y):
        n = len(x)
        move = np.full((n, n), self.alpha / (n - 1))
        np.fill_diagonal(move, 1 - self.alpha)
        self.w = move @ (self.w * np.exp(-self.eta * (y - x) ** 2))


@right("fixed_share")
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


@wrong("fixed_share", "Wrong update: after trial 1")
class ShareToAll(ShareVectors):
    def update(self, x, y):
        m = self.w * np.exp(-self.eta * (y - x) ** 2)
        self.w = (1 - self.alpha) * m + self.alpha * m.mean()


@wrong("fixed_share", "Wrong update: after trial 1")
class ShareForgets(ShareVectors):
    def update(self, x, y):
        self.w = self.w * np.exp(-self.eta * (y - x) ** 2)


@wrong("fixed_share", "Wrong update: after trial 1")
class ShareBeforeLoss(ShareVectors):
    def update(self, x, y):
        shared = (1 - self.alpha) * self.w + self.alpha * (self.w.sum() - self.w) / (len(x) - 1)
        self.w = shared * np.exp(-self.eta * (y - x) ** 2)


@wrong("fixed_share", "Wrong update: after trial 1")
class ShareAbsolute(ShareVectors):
    def update(self, x, y):
        m = self.w * np.exp(-self.eta * np.abs(y - x))
        self.w = (1 - self.alpha) * m + self.alpha * (m.sum() - m) / (len(m) - 1)


@wrong("fixed_share", "Wrong normalisation: after trial 1")
class ShareNormalises(ShareVectors):
    def update(self, x, y):
        super().update(x, y)
        self.w = self.w / self.w.sum()


@wrong("fixed_share", "Wrong prediction: on trial 2")
class ShareUnnormalised(ShareVectors):
    def predict(self, x):
        return self.w @ x


@wrong("fixed_share", "Wrong start")
class ShareFromOne(ShareVectors):
    def __init__(self, n, eta, alpha):
        super().__init__(n, eta, alpha)
        self.w = np.ones(n)


@wrong("fixed_share", "Missing update: self.w is the same")
class ShareNever(ShareVectors):
    def update(self, x, y):
        pass


@wrong(
    "fixed_share",
    "Wrong label alphabet: predict must return a number in [0, 1]; on trial 1 it returned",
)
class ShareVote(ShareVectors):
    def predict(self, x):
        return x


@wrong("fixed_share", "Changed input: on trial")
class ShareWrites(ShareVectors):
    def update(self, x, y):
        x -= y
        x **= 2
        super().update(np.sqrt(x), 0)


# Functions: the name in the notebook, right ones, and wrong ones with the words of the message ----

FUNCTIONS = {"expected_mistakes": ([], []), "train": ([], []), "dnf": ([], []), "count": ([], [])}


def right_function(name):
    return lambda function: FUNCTIONS[name][0].append(function) or function


def wrong_function(name, words="Wrong answer"):
    return lambda function: FUNCTIONS[name][1].append((function, words)) or function


def _expected(
    X,
    y,
    eta,
    part=lambda w, wrong: w[wrong].sum() / w.sum(),
    factor=lambda wrong, eta: np.where(wrong, 1 - eta, 1),
):
    w, total = np.ones(X.shape[1]), 0.0
    for wrong in X != y[:, None]:
        total += part(w, wrong)
        w = w * factor(wrong, eta)
    return total


right_function("expected_mistakes")(_expected)


@right_function("expected_mistakes")
def expected_from_counts(advice, labels, rate):
    wrong = advice != labels[:, None]
    before = np.cumsum(wrong, axis=0) - wrong
    w = (1 - rate) ** before
    return ((w * wrong).sum(axis=1) / w.sum(axis=1)).sum()


@right_function("expected_mistakes")
def expected_in_a_loop(X, y, eta):
    w, answer = [1.0] * len(X[0]), 0
    for t in range(len(y)):
        bad = [i for i in range(len(w)) if X[t][i] != y[t]]
        answer += sum(w[i] for i in bad) / sum(w)
        for i in bad:
            w[i] *= 1 - eta
    return answer


@wrong_function("expected_mistakes")
def expected_right_part(X, y, eta):
    return _expected(X, y, eta, lambda w, wrong: w[~wrong].sum() / w.sum())


@wrong_function("expected_mistakes")
def expected_not_normalised(X, y, eta):
    return _expected(X, y, eta, lambda w, wrong: w[wrong].sum())


@wrong_function("expected_mistakes")
def expected_factor_eta(X, y, eta):
    return _expected(X, y, eta, factor=lambda wrong, eta: np.where(wrong, np.exp(-eta), 1))


@wrong_function("expected_mistakes")
def expected_punishes_the_right(X, y, eta):
    return _expected(X, y, eta, factor=lambda wrong, eta: np.where(wrong, 1, 1 - eta))


@wrong_function("expected_mistakes")
def expected_after_the_update(X, y, eta):
    return _expected(
        X, y, eta, lambda w, wrong: _expected_part(w * np.where(wrong, 1 - eta, 1), wrong)
    )


def _expected_part(w, wrong):
    return w[wrong].sum() / w.sum()


@wrong_function("expected_mistakes", "Nothing comes back")
def expected_forgets_to_return(X, y, eta):
    _expected(X, y, eta)


@wrong_function("expected_mistakes", "Changed input")
def expected_writes(X, y, eta):
    X -= y[:, None]
    return _expected(X, 0 * y, eta)


@wrong_function("expected_mistakes")
def expected_hard_coded(X, y, eta):
    return 1 / 2 + 1 / 3 + 4 / 5


def _train(
    X,
    y,
    limit=1000,
    mistake=lambda score: score <= 0,
    step=lambda x, label: label * x,
    start=0,
    counts_clean=1,
):
    w = np.full(X.shape[1], float(start))
    for passes in range(1, limit + 1):
        before = w
        for x, label in zip(X, y, strict=True):
            if mistake(label * (w @ x)):
                w = w + step(x, label)
        if w is before:
            return np.append(w, passes - 1 + counts_clean)
    return np.append(w, limit)


right_function("train")(_train)


@right_function("train")
def train_in_place(points, signs, limit=1000):
    w, passes, errors = np.zeros(points.shape[1]), 0, 1
    while errors and passes < limit:
        passes, errors = passes + 1, 0
        for i in range(len(signs)):
            if np.sign(w.dot(points[i])) != signs[i]:
                w += signs[i] * points[i]
                errors += 1
    return [*w, passes]


@right_function("train")
def train_signed(X, y, limit=1000):
    Z, w, errors = X * y[:, None], np.zeros(X.shape[1]), []
    while not errors or errors[-1] and len(errors) < limit:
        errors.append(0)
        for z in Z:
            if z @ w <= 0:
                w, errors[-1] = w + z, 1
    return np.r_[w, len(errors)]


@wrong_function("train")
def train_strict(X, y, limit=1000):
    return _train(X, y, limit, mistake=lambda score: score < 0)


@wrong_function("train")
def train_one_pass(X, y, limit=1000):
    return _train(X, y, 1)


@wrong_function("train")
def train_without_the_clean_pass(X, y, limit=1000):
    return _train(X, y, limit, counts_clean=0)


@wrong_function("train")
def train_adds_x(X, y, limit=1000):
    return _train(X, y, min(limit, 50), step=lambda x, label: x)


@wrong_function("train")
def train_margin(X, y, limit=1000):
    return _train(X, y, limit, mistake=lambda score: score <= 1)


@wrong_function("train")
def train_other_start(X, y, limit=1000):
    return _train(X, y, limit, start=1)


@wrong_function("train")
def train_ignores_the_limit(X, y, limit=1000):
    return _train(X, y, 1000)


@wrong_function("train", "Changed input")
def train_writes(X, y, limit=1000):
    X *= y[:, None]
    return _train(X, np.ones(len(y)), limit)


@wrong_function("train")
def train_hard_coded(X, y, limit=1000):
    return np.array([1, 2, 2])


def _cube(n):
    return np.arange(2**n)[:, None] >> np.arange(n)[::-1] & 1


@right_function("dnf")
def dnf_vectors(values, n):
    return (2 * _cube(n)[values == 1] - 1) * (1 + np.arange(n))


@right_function("dnf")
def dnf_loop(values, n):
    terms = []
    for value, x in zip(values, _cube(n), strict=True):
        if value:
            terms.append([i + 1 if x[i] else -i - 1 for i in range(n)])
    return np.array(terms).reshape(-1, n)


@right_function("dnf")
def dnf_where(table, number):
    rows = np.flatnonzero(table)
    names = np.arange(1, number + 1)
    return np.where(_cube(number)[rows], names, -names)


@wrong_function("dnf")
def dnf_where_false(values, n):
    return dnf_vectors(1 - values, n)


@wrong_function("dnf")
def dnf_from_zero(values, n):
    return (2 * _cube(n)[values == 1] - 1) * np.arange(n)


@wrong_function("dnf")
def dnf_negated(values, n):
    return -dnf_vectors(values, n)


@wrong_function("dnf")
def dnf_bits(values, n):
    return _cube(n)[values == 1]


@wrong_function("dnf")
def dnf_backwards(values, n):
    return dnf_vectors(values, n)[::-1]


@wrong_function("dnf")
def dnf_without_shape(values, n):
    return np.array([row for row in dnf_vectors(values, n)])


@wrong_function("dnf", "Nothing comes back")
def dnf_prints(values, n):
    dnf_vectors(values, n)


@wrong_function("dnf", "Changed input")
def dnf_writes(values, n):
    values[:] = values == 1
    terms = dnf_vectors(values, n)
    values[:] = 0
    return terms


@wrong_function("dnf")
def dnf_hard_coded(values, n):
    return [[-1, 2], [1, -2]]


def _binomials(m):
    row = [1]
    for _ in range(m):
        row = [a + b for a, b in zip([0, *row], [*row, 0], strict=True)]
    return row


@right_function("count")
def count_formula(T, n):
    return [b * n * (n - 1) ** k for k, b in enumerate(_binomials(T - 1))]


@right_function("count")
def count_by_steps(length, experts):
    found = [experts]
    for _ in range(length - 1):
        stay, move = [*found, 0], [0, *found]
        found = [a + (experts - 1) * b for a, b in zip(stay, move, strict=True)]
    return np.array(found)


@right_function("count")
def count_all(T, n):
    answer = np.zeros(T, int)
    for number in range(n**T):
        digits = [number // n**t % n for t in range(T)]
        answer[sum(a != b for a, b in zip(digits, digits[1:], strict=False))] += 1
    return answer


@wrong_function("count")
def count_places(T, n):
    return [b * n * (n - 1) ** k for k, b in enumerate(_binomials(T)[:T])]


@wrong_function("count")
def count_same_expert(T, n):
    return [b * n * n**k for k, b in enumerate(_binomials(T - 1))]


@wrong_function("count")
def count_without_the_first(T, n):
    return [b * (n - 1) ** k for k, b in enumerate(_binomials(T - 1))]


@wrong_function("count")
def count_orders(T, n):
    return [(T - 1) ** k * n * (n - 1) ** k for k in range(T)]


@wrong_function("count")
def count_too_short(T, n):
    return count_formula(T, n)[:-1]


@wrong_function("count")
def count_sum(T, n):
    return n**T


@wrong_function("count", "Nothing comes back")
def count_prints(T, n):
    count_formula(T, n)


@wrong_function("count")
def count_hard_coded(T, n):
    return [2, 4, 2]
