"""Models of other packages as learners, so that `play` records them and ledgers read them."""

from typing import Any

import numpy as np

from .protocol import Learner

PAIRS = {"signs": (-1, 0, 1), "bits": (0, 0.5, 1)}  # the two labels, and between them a tie


def as_learner(model: Any, *, labels: str | None = None, loss: str | None = None) -> Learner:
    """Return a learner that plays a model of scikit-learn (with partial_fit) or of river.

    It predicts by the model and updates it in place, on every trial: the model's own rule decides
    whether anything changes. Its `w` is the model's `coef_` or `weights`.

    - A classifier plays for labels -1/+1, with `labels="bits"` for 0/1. A score of 0, or equal
      probabilities, is a tie: 0 between -1 and +1, 1/2 between 0 and 1, and counts as a mistake, as
      in our Perceptron. Before its first update a model can't predict: that is a tie, too.
    - A regressor plays for the square loss, or the `loss` that is named; before its first update it
      predicts 0.
    - A fitted intercept is the last entry of `w`, one more than x has: the weight of a constant
      feature 1. Before a ledger reads the run, give that feature to the rows, too:
      `dataclasses.replace(run, X=np.column_stack([run.X, np.ones(len(run))]))`.

    >>> from olc_helpers import as_learner, play, proofs, streams
    >>> from sklearn.linear_model import Perceptron
    >>> run = play(as_learner(Perceptron(fit_intercept=False)), *streams.TEN_POINTS)
    >>> proofs.novikoff(run).holds
    True
    """
    if isinstance(model, type):
        raise TypeError(f"as_learner needs a model, {model.__name__}(…); got the class")
    if labels not in (None, *PAIRS):
        raise ValueError(f"labels must be 'signs' (-1/+1) or 'bits' (0/1); got {labels!r}")
    if loss not in (None, "mistake", "square", "entropic"):
        raise ValueError(f"loss must be 'mistake', 'square' or 'entropic'; got {loss!r}")
    if isinstance(model, Learner):
        return model
    if hasattr(model, "partial_fit"):
        return SklearnModel(model, labels, loss)
    if hasattr(model, "learn_one") and hasattr(model, "predict_one"):
        return RiverModel(model, labels, loss)
    hint = " (play its last step, on rows that were transformed before)"
    raise TypeError(
        f"{type(model).__name__} can't be played: it has neither partial_fit "
        "(scikit-learn) nor learn_one and predict_one (river), so it can't learn from "
        f"one example at a time{hint * hasattr(model, 'steps')}"
    )


class AdaptedModel:
    """What both packages share: the traits of the model, and which label a score means."""

    def __init__(self, model, labels, loss, classifies, regresses):
        name = type(model).__name__
        if not classifies and not regresses:
            raise TypeError(
                f"{name} can't be played: it is neither a classifier nor a regressor, "
                "so what it predicts is no label"
            )
        if loss not in (None, "mistake") and classifies:
            raise ValueError(f"{name} predicts labels, so its loss is mistake; got loss={loss!r}")
        if labels is not None and not classifies:
            raise ValueError(f"{name} predicts numbers, so labels are real; got labels={labels!r}")
        self.model, self.classifies = model, bool(classifies)
        self.labels = labels or ("signs" if classifies else "real")
        self.loss = loss or ("mistake" if classifies else "square")

    def _label(self, score):
        """Return the label on the side of the score, the tie between the two if it is 0."""
        return PAIRS[self.labels][int(np.sign(score)) + 1]


class SklearnModel(AdaptedModel):
    """A classifier or a regressor of scikit-learn, or a model that has their methods."""

    def __init__(self, model, labels, loss):
        from sklearn.base import is_classifier, is_regressor
        from sklearn.exceptions import NotFittedError
        from sklearn.utils.validation import check_is_fitted

        labels = _fitted_labels(model, labels)
        super().__init__(model, labels, loss, is_classifier(model), is_regressor(model))
        try:
            check_is_fitted(model)
            self.fitted = True
        except NotFittedError:
            self.fitted = False

    @property
    def n(self) -> int | None:
        """Return the number of features, None before the first update."""
        return getattr(self.model, "n_features_in_", None)

    @property
    def w(self) -> np.ndarray | None:
        """Return coef_, with a fitted intercept at its end; None before there is one."""
        coef = getattr(self.model, "coef_", None)
        if coef is None or not getattr(self.model, "fit_intercept", False):
            return None if coef is None else np.ravel(coef)
        return np.append(coef, self.model.intercept_)

    def predict(self, x: np.ndarray) -> float:
        if not self.fitted:
            return self._label(0) if self.classifies else 0.0
        if self.classifies and hasattr(self.model, "decision_function"):
            return self._label(self.model.decision_function(x[None]).item())
        return self.model.predict(x[None]).item()

    def update(self, x: np.ndarray, y: float) -> None:
        classes = {"classes": PAIRS[self.labels][::2]} if self.classifies else {}
        self.model.partial_fit(x[None], [y], **classes)
        self.fitted = True


def _fitted_labels(model, labels):
    """Return the labels that a model was fitted to, the given ones if it was not."""
    classes = list(getattr(model, "classes_", ()))
    for name, (low, _, high) in PAIRS.items():
        if classes == [low, high] and labels in (None, name):
            return name
    if classes:
        expected = {"signs": "-1 and +1", "bits": "0 and 1", None: "two, -1 and +1 or 0 and 1"}
        raise ValueError(
            f"{type(model).__name__} can't be played: it was fitted to the "
            f"{len(classes)} classes {', '.join(map(str, classes))}; "
            f"the labels of this game are {expected[labels]}"
        )
    return labels


class RiverModel(AdaptedModel):
    """A classifier or a regressor of river: feature i is named i, the labels +1 and 1 are True."""

    def __init__(self, model, labels, loss):
        from river.base import Classifier, Regressor
        from river.linear_model.base import GLM
        from river.linear_model.pa import BasePA

        kinds = (isinstance(model, kind) for kind in (Classifier, Regressor))
        super().__init__(model, labels, loss, *kinds)
        self.linear = isinstance(model, GLM | BasePA)
        self.n = _fitted_features(model) if self.linear else None
        rate = getattr(model, "intercept_lr", None)
        self.intercept = rate.get(0) != 0 if rate else getattr(model, "learn_intercept", False)

    @property
    def w(self) -> np.ndarray | None:
        """Return the weights of an ensemble, or of a linear model with a fitted intercept last."""
        weights = getattr(self.model, "weights", {})
        if isinstance(weights, list):
            return np.array(weights, float)
        if not self.linear or self.n is None:
            return None
        constant = [self.model.intercept] if self.intercept else []
        return np.array([*(weights.get(i, 0.0) for i in range(self.n)), *constant], float)

    def predict(self, x: np.ndarray) -> float:
        row = dict(enumerate(x.tolist()))
        if not self.classifies:
            return self.model.predict_one(row) or 0.0
        try:
            p = self.model.predict_proba_one(row)
        except NotImplementedError:
            p = {self.model.predict_one(row): 1}
        return self._label(p.get(True, 0) - p.get(False, 0))

    def update(self, x: np.ndarray, y: float) -> None:
        self.n = len(x)
        row = dict(enumerate(x.tolist()))
        self.model.learn_one(row, bool(y > 0) if self.classifies else float(y))


def _fitted_features(model):
    """Return how many features a linear model of river has seen, None if it starts from 0."""
    names, n = set(model.weights), len(model.weights)
    if names != set(range(n)) or (n == 0 and model.intercept != 0):
        start = f"weights of {', '.join(map(str, model.weights))}" if n else "no weights"
        raise ValueError(
            f"{type(model).__name__} can't be played: it starts with {start} and the "
            f"intercept {model.intercept:g}; expected 0, or weights of features "
            "0, 1, …, the columns of X"
        )
    return n or None
