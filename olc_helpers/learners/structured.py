"""The structured Perceptron: predict the candidate with the best score (lecture 07)."""

import numpy as np

__all__ = ["StructuredPerceptron"]


class StructuredPerceptron:
    """Predict the candidate with the best score w·f(x, y); on a mistake add f(x, y) - f(x, ŷ) to w (STRUCT-A1).

    A task says what is to be predicted: `olc_helpers.structures` has some.
    """

    inputs = labels = "anything"

    def __init__(self, task):
        self.task, self.w = task, np.zeros(task.size)

    def predict(self, x):
        return self.task.best(self.w, x)

    def update(self, x, y):
        guess = self.predict(x)
        if guess != y:
            self.w = self.w + self.task.features(x, y) - self.task.features(x, guess)
