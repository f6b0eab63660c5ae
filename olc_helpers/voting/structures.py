"""Tasks of the structured Perceptron (lecture 10): what is predicted, and how the best candidate is
found.

A task knows the features f(x, y) of an input with a candidate, the `best` candidate under weights
w, and the best `rival` of a candidate. `Listed` tries all candidates; `Tagging` finds the best of
exponentially many taggings of a sentence without listing them.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from ..arguments import vector
from ..checks import as_array, check_count
from ..perceptron.margins import max_margin

__all__ = ["Listed", "Tagging", "viterbi", "widest_gap"]


class Listed:
    """A task whose candidates can be listed (STRUCT-D1): `features(x, y)` has `size` numbers,
    `candidates(x)` lists the y.
    """

    def __init__(self, size: int, features, candidates):
        if not callable(features) or not callable(candidates):
            raise TypeError(
                "Listed needs the functions features(x, y) and candidates(x); got"
                f" {features!r} and {candidates!r}"
            )
        self.size, self.features, self.candidates = check_count("size", size), features, candidates

    def best(self, w: np.ndarray, x: Any) -> Any:
        """Return the candidate with the best score, the first of several."""
        return self._best(w, x, self.candidates(x))

    def rival(self, w: np.ndarray, x: Any, y: Any) -> Any:
        """Return the best candidate other than y."""
        others = [other for other in self.candidates(x) if other != y]
        if not others:
            raise ValueError(f"{y!r} has no rival: it is the only candidate for {x!r}")
        return self._best(w, x, others)

    def _best(self, w, x, candidates):
        if not candidates:
            raise ValueError(f"candidates must list at least one y; for {x!r} it lists none")
        return max(candidates, key=lambda y: w @ vector("features", self.features(x, y), self.size))


def viterbi(score: np.ndarray, follow: np.ndarray) -> list[int]:
    """Return the path y with the largest sum of all score[i, y_i] and follow[y_i, y_{i+1}]
    (STRUCT-C1).
    """
    score, follow = as_array("score", score), as_array("follow", follow)
    if score.ndim != 2 or score.size == 0 or follow.shape != 2 * score.shape[1:]:
        raise ValueError(
            "score must have a row for each place and a column for each tag, follow a row and a"
            f" column for each tag; their shapes are {score.shape} and {follow.shape}"
        )
    best, came_from = score[0], []
    for row in score[1:]:
        total = best[:, None] + follow
        came_from.append(total.argmax(axis=0))
        best = total.max(axis=0) + row
    path = [int(best.argmax())]
    for back in reversed(came_from):
        path.append(int(back[path[-1]]))
    return path[::-1]


class Tagging:
    """The task to give each word of a sentence a tag; the features count (word, tag) pairs and
    (tag, next tag) pairs.

    A sentence is a tuple of words, a tagging a tuple of as many tags. A word that is not in `words`
    has no feature.
    """

    def __init__(self, words, tags):
        if not np.iterable(words) or not np.iterable(tags):
            raise TypeError(f"words and tags must be lists; got {words!r} and {tags!r}")
        self.words, self.tags = tuple(words), tuple(tags)
        for name, entries, least in (("words", self.words, 0), ("tags", self.tags, 2)):
            if len(set(entries)) < max(least, len(entries)):
                raise ValueError(
                    f"{name} must be different from each other{', at least 2' * (least > 0)}; got"
                    f" {entries!r}"
                )
        self.size = (len(self.words) + len(self.tags)) * len(self.tags)
        self._word = {word: i for i, word in enumerate(self.words)}
        self._tag = {tag: k for k, tag in enumerate(self.tags)}

    def parts(self, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the weights of (word, tag) and of (tag, next tag) as two tables, views of w."""
        w = w.reshape(-1, len(self.tags))
        return w[: len(self.words)], w[len(self.words) :]

    def features(self, x: Sequence, y: Sequence) -> np.ndarray:
        """Return how often each pair occurs in the sentence x with the tagging y."""
        if len(x) != len(y):
            raise ValueError(
                f"a tagging must have one tag per word; {x!r} has {len(x)} words, {y!r} has"
                f" {len(y)} tags"
            )
        unknown = set(y) - set(self.tags)
        if unknown:
            raise ValueError(
                f"the tags are {', '.join(self.tags)}; {y!r} has {sorted(unknown)[0]!r}"
            )
        f, tags = np.zeros(self.size), [self._tag[tag] for tag in y]
        emit, follow = self.parts(f)
        for word, tag in zip(x, tags, strict=True):
            if word in self._word:
                emit[self._word[word], tag] += 1
        for tag, after in zip(tags, tags[1:], strict=False):
            follow[tag, after] += 1
        return f

    def scores(self, w: np.ndarray, x: Sequence) -> tuple[np.ndarray, np.ndarray]:
        """Return the score of each tag for each word of x, and of each tag after each tag."""
        if not np.iterable(x) or len(x) == 0:
            raise ValueError(f"a sentence must have at least one word; got {x!r}")
        emit, follow = self.parts(w)
        nothing = np.zeros(len(self.tags))
        return (
            np.array([emit[self._word[word]] if word in self._word else nothing for word in x]),
            follow,
        )

    def best(self, w: np.ndarray, x: Any) -> tuple:
        """Return the tagging with the best score, by Viterbi's dynamic programme."""
        return self._tagging(*self.scores(w, x))

    def rival(self, w: np.ndarray, x: Any, y: Any) -> tuple:
        """Return the best tagging other than y: it differs somewhere, so forbid each tag of y in
        turn.
        """
        score, follow = self.scores(w, x)
        others = []
        for i, tag in enumerate(y):
            without = score.copy()
            without[i, self._tag[tag]] = -np.inf
            others.append(self._tagging(without, follow))
        return max(others, key=lambda other: w @ self.features(x, other))

    def _tagging(self, score, follow):
        return tuple(self.tags[k] for k in viterbi(score, follow))

    def candidates(self, x: Sequence) -> Iterator[tuple]:
        """Return all taggings of x, one after the other: there are (number of tags)^(number of
        words).
        """
        return product(self.tags, repeat=len(x))


def widest_gap(task: Listed | Tagging, X: Sequence, y: Sequence) -> tuple[np.ndarray, float]:
    """Return (v, gamma): the unit vector that scores each y above its rivals by the largest
    possible gamma (STRUCT-P1).

    Keep a list of differences f(x, y) - f(x, rival), take the separator with the largest margin,
    and list the rivals that come nearest under it, until no rival comes nearer than those listed.
    """
    v, gamma = np.zeros(task.size), np.inf
    rows: list[np.ndarray] = []
    while True:
        new = [
            task.features(a, b) - task.features(a, task.rival(v, a, b))
            for a, b in zip(X, y, strict=True)
        ]
        if not all(row.any() for row in new):
            i = next(i for i, row in enumerate(new) if not row.any())
            raise ValueError(
                f"nothing tells {y[i]!r} from {task.rival(v, X[i], y[i])!r} for {X[i]!r}: they have"
                " the same features"
            )
        if rows and min(row @ v for row in new) >= gamma - 1e-9:
            return v, gamma
        rows += new
        v, gamma, _ = max_margin(np.array(rows), np.ones(len(rows)))
