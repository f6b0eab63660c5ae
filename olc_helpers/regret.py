"""A run against its experts: the loss of each, their weights as probabilities, the regret."""

from functools import cached_property
from typing import Any

import numpy as np

from .checks import CHECKED, dense, is_sparse, read_only, stored, trait
from .losses import LOSSES, normalised


class AgainstExperts:
    """How a Run compares with the experts whose advice are its rows, or with their losses."""

    learner: Any
    X: np.ndarray | None
    y: np.ndarray
    losses: np.ndarray
    weights: np.ndarray | None
    recorded_log_weights: np.ndarray | None
    keep: str

    @property
    def total_loss(self) -> float:
        """L_A(S), the sum of the losses (EXP-D3)."""
        return float(self.losses.sum())

    @cached_property
    def log_weights(self) -> np.ndarray | Any:
        """The weights in the log domain, where nothing underflows; None if some are negative."""
        if self.recorded_log_weights is not None:
            return self.recorded_log_weights
        if self.weights is None or not (self.weights >= 0).all():
            return None
        with np.errstate(divide="ignore"):
            return read_only(np.log(self.weights))

    @cached_property
    def log_probabilities(self) -> np.ndarray:
        """ln v_t, where v_t are the weights divided by their sum, for t = 1 … T+1."""
        if self.log_weights is None:
            raise ValueError(
                f"{type(self.learner).__name__} has no weights >= 0 in an attribute w to divide by"
                " their sum"
            )
        return read_only(normalised(self.log_weights))

    @cached_property
    def probabilities(self) -> np.ndarray:
        """v_t, the weights divided by their sum, for t = 1 … T+1."""
        return read_only(np.exp(self.log_probabilities))

    @cached_property
    def expert_losses(self) -> np.ndarray:
        """Loss of each expert on each trial, T rows of n (EXP-D3)."""
        self.check_unchanged()
        return read_only(self._expert_losses(slice(None)))

    def check_unchanged(self) -> None:
        """Raise if the data were changed after the play."""

    def _expert_losses(self, trials):
        if self.X is None:
            return self.y[trials]
        self._check_advice(self.X[trials])
        return LOSSES[trait(self.learner, "loss")](self.y[trials, None], dense(self.X[trials]))

    def _check_advice(self, rows):
        advice = stored(rows)
        if rows.ndim != 2 or advice.min(initial=0) < 0 or advice.max(initial=0) > 1:
            raise ValueError(
                "the rows of X are not expert advice in [0, 1], so no expert has a loss"
            )

    @cached_property
    def cumulative_expert_losses(self) -> np.ndarray:
        """Loss of each expert before trial t, for t = 1 … T+1."""
        losses = self.expert_losses
        start = np.zeros(losses.shape[1])
        return read_only(np.vstack([start, np.cumsum(losses, axis=0, dtype=float)]))

    @cached_property
    def total_expert_losses(self) -> np.ndarray:
        """L_i(S), the loss of each expert in the whole run, summed in the order of the trials."""
        self.check_unchanged()
        rows = self.y if self.X is None else self.X
        if self.X is not None:
            self._check_advice(rows)
        if is_sparse(rows):
            return read_only(self._total_of_stored(rows))
        total, step = np.zeros(rows.shape[1]), max(1, CHECKED // rows.shape[1])
        for start in range(0, len(self.y), step):
            losses = self._expert_losses(slice(start, start + step))
            total = np.vstack([total, losses]).sum(axis=0)
        return read_only(total)

    def _total_of_stored(self, X):
        """Return the same from the numbers of a sparse table: what an expert that always says 0
        loses, and by how much each number that is stored changes this.
        """
        loss, y = LOSSES[trait(self.learner, "loss")], np.repeat(self.y, np.diff(X.indptr))
        silent = loss(self.y, np.zeros(len(self.y)))
        changes = loss(y, X.data) - loss(y, np.zeros(len(y)))
        return silent.sum() + np.bincount(X.indices, changes, X.shape[1])

    @property
    def best_expert(self) -> int:
        """Index of the expert with the smallest total loss, the first of several."""
        return int(self.total_expert_losses.argmin())

    @property
    def best_loss(self) -> float:
        """min_i L_i(S), the loss of the best expert."""
        return float(self.total_expert_losses.min())

    @property
    def regret(self) -> float:
        """L_A(S) - min_i L_i(S) (REG-D1)."""
        return self.total_loss - self.best_loss

    @cached_property
    def expected_losses(self) -> np.ndarray:
        """v_t·l_t, the loss of trial t in expectation over a draw from v_t (RWMA-A1, HEDGE-D1)."""
        if self.keep != "all":
            raise ValueError(
                "the expected losses need the weights of every trial: play with keep='all'"
            )
        return read_only(np.vecdot(self.probabilities[:-1], self.expert_losses))
